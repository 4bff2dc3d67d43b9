/* test-profile.c: profiles, their files, and the recordings in them
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "device/simulated/profile.h"
#include "mode/mode.h"
#include "base/data-file.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engine/cases.h"
#include "engine/profile-of-text.h"
#include "engine/same-info.h"

/* --- a recording beside the model ------------------------------------------------------------- */

#define RECORDED                                                                                   \
  "[device]\nname=x\n[recorded fill reuse=1]\nlog2=10;12;14\n"                                     \
  "pinned/elapsed/host=2000/1000;;8000/16000\nmapped/elapsed/host=100/100;150/100;200/100\n"       \
  "streams-depth-first:2x4/elapsed/host=10/20;10/20;10/20\n[recorded fill "                        \
  "reuse=16]\nlog2=10\nmapped/elapsed/host=400/100\n"

/* "WORKLOAD MODE LOG2 REUSE STREAMS CHUNKS NS": what the recording makes of the model's time, and
 * what it is beyond. */
static char *
answer_recorded (const char *asked)
{
  g_autoptr (MemlaneProfile) profile = profile_of_text (RECORDED, -1, NULL);
  g_auto (GStrv) words = g_strsplit (asked, " ", -1);
  const MemlaneDeviceUse use = {
    .workload = words[0], .mode = words[1],
    .bytes = G_GUINT64_CONSTANT (4) << (guint) g_ascii_strtoull (words[2], NULL, 10),
    .reuse = (guint) g_ascii_strtoull (words[3], NULL, 10),
    .streams = (guint) g_ascii_strtoull (words[4], NULL, 10),
    .chunks = (guint) g_ascii_strtoull (words[5], NULL, 10),
  };
  g_autofree char *beyond = memlane_residuals_describe_beyond (profile->residuals, &use);

  return g_strdup_printf ("%.6g%s%s",
                          memlane_residuals_correct (profile->residuals, &use,
                                                     MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST,
                                                     g_ascii_strtod (words[6], NULL)),
                          beyond != NULL ? "; " : "", beyond != NULL ? beyond : "");
}

static void
test_recorded (void)
{
  check_cases ("device", "recorded.txt", answer_recorded);
}

/* A process draws one recorded round and takes all of its figures from that. */
static void
test_rounds (void)
{
  static const char text[]
      = "[device]\nname=x\n[rounds fill reuse=1]\nlog2=10;12\npinned/elapsed/host=900 1000 "
        "1200;800 1000 1300\n";
  g_autoptr (MemlaneProfile) profile = profile_of_text (text, -1, NULL);

  for (guint i = 0; i < 3; i++)
    {
      MemlaneDeviceUse use = { .workload = "fill", .mode = "pinned", .bytes = 4096, .reuse = 1 };
      const double small[] = { 0.9, 1, 1.2 }, large[] = { 0.8, 1, 1.3 };

      g_assert_cmpfloat_with_epsilon (memlane_residuals_draw (profile->residuals, &use,
                                                              MEMLANE_PHASE_ELAPSED,
                                                              MEMLANE_CLOCK_HOST, (i + 0.5) / 3),
                                      small[i], 1e-6);
      use.bytes = 16384;
      g_assert_cmpfloat_with_epsilon (memlane_residuals_draw (profile->residuals, &use,
                                                              MEMLANE_PHASE_ELAPSED,
                                                              MEMLANE_CLOCK_HOST, (i + 0.5) / 3),
                                      large[i], 1e-6);
      g_assert_cmpfloat (memlane_residuals_draw (profile->residuals, &use, MEMLANE_PHASE_KERNEL,
                                                 MEMLANE_CLOCK_HOST, 0.5),
                         ==, 1);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static char *
answer_profile (const char *asked)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = profile_of_text_path ();

  g_assert_null (profile_of_text (asked, -1, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, path));
  return g_strdup (error->message + strlen (path) + strlen (":"));
}

static void
test_bad (void)
{
  check_cases ("device", "profiles.txt", answer_profile);
}

/* Profiles of a folder of their own. */
static char *
write_profile (const char *folder, const char *name, const char *text)
{
  g_autofree char *file = g_strconcat (name, ".device", NULL);
  char *path = g_build_filename (folder, file, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_bad_files (void)
{
  static const struct
  {
    const char *text;
    gsize length;
    const char *says;
  } cases[] = {
    { NULL, 0, "No such file" },
    { "[device]\nname=a\0b\n", 18, "no text" },
    { NULL, MEMLANE_PROFILE_MAX_BYTES + 1, "at most" },
  };
  g_autofree char *path = profile_of_text_path ();
  g_autofree char *id = g_strdup_printf ("simulated:%s", path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *remarks = g_strnfill (cases[i].length, '#');
      const char *text = cases[i].text != NULL ? cases[i].text : remarks;
      g_autoptr (GError) error = NULL;

      if (cases[i].length > 0)
        g_assert_true (g_file_set_contents (path, text, (gssize) cases[i].length, NULL));
      g_assert_null (memlane_device_open (id, &error));
      g_assert_nonnull (strstr (error->message, cases[i].says));
      g_remove (path);
    }
}

/* Devices by their ids, opened and only described; each that is unknown is told with those that
 * there are. */
static void
test_open_by_id (void)
{
  static const struct
  {
    const char *id, *says; /* NULL: it is a device */
  } cases[] = {
    { "simulated:tiny", NULL },
    { "simulated:none", "simulated:tiny" },
    { "simulated:broken", "foo" },
    { "toaster:1", "unknown device \"toaster:1\"" },
  };
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL);
  g_autofree char *devices = g_build_filename (folder, "devices", NULL);
  g_autofree char *clean = g_strdup_printf ("rm -r '%s'", folder), *tiny = NULL;
  g_autoptr (GPtrArray) listings = NULL;

  g_mkdir (devices, 0700);
  tiny = write_profile (devices, "tiny", "[device]\nname=Tiny\nasyncEngineCount=1\n");
  g_free (write_profile (devices, "broken", "[device]\nfoo=1\n"));
  g_setenv ("MEMLANE_DATA_DIR", folder, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL, same = NULL;
      g_autoptr (MemlaneDevice) device = memlane_device_open (cases[i].id, &error);
      g_autoptr (MemlaneDeviceInfo) info = memlane_device_describe (cases[i].id, &same);

      g_assert_true ((device == NULL) == (cases[i].says != NULL));
      if (device != NULL)
        {
          assert_same_info (info, memlane_device_get_info (device));
          g_assert_cmpstr (info->id, ==, cases[i].id);
          g_assert_cmpstr (info->name, ==, "Tiny");
          g_assert_cmpstr (info->profile, ==, tiny);
          continue;
        }
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_nonnull (strstr (error->message, cases[i].says));
      g_assert_cmpstr (same->message, ==, error->message);
    }
  listings = memlane_device_list ();
  MEMLANE_FOR_EACH (MemlaneDeviceListing, listing, listings)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      if (strcmp (listing->id, cases[i].id) == 0)
        g_assert_true (g_strcmp0 (listing->reason, cases[i].says) == 0
                       || strstr (listing->reason, cases[i].says) != NULL);
  g_unsetenv ("MEMLANE_DATA_DIR");
  g_assert_cmpint (system (clean), ==, 0);
}

/* What comes along is described as it is opened. */
static void
test_describe (void)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  g_autoptr (MemlaneDevice) standard = memlane_device_open (NULL, NULL);
  guint described = 0;

  g_assert_cmpstr (memlane_device_get_info (standard)->id, !=, "simulated:one-copy-engine");
  MEMLANE_FOR_EACH (MemlaneDeviceListing, listing, listings)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneDeviceInfo) info = NULL;
      g_autoptr (MemlaneDevice) device = NULL;

      if (listing->reason != NULL || strcmp (listing->kind, "simulated") != 0)
        continue;
      info = memlane_device_describe (listing->id, &error);
      g_assert_no_error (error);
      device = memlane_device_open (listing->id, &error);
      g_assert_no_error (error);
      assert_same_info (info, memlane_device_get_info (device));
      described++;
    }
  g_assert_cmpuint (described, >=, 3);
}

/* --- one profile based on another ------------------------------------------------------------- */

/* Tells what a profile has from its base and of its own. */
static void
tell_profile (GString *text, const MemlaneProfile *self)
{
  g_autofree char *path = memlane_data_find ("devices/h200.device");
  g_autoptr (MemlaneProfile) h200 = memlane_profile_load (path, NULL);

  g_string_printf (
      text,
      "%s%s, %s recording, %" G_GUINT64_FORMAT
      " bytes, %d copy engines%s%s%s; ns: %g + bytes / %g, %g, %g%s",
      self->info.name, self->info.calibrated_from != NULL ? " (calibrated)" : "",
      self->residuals != NULL ? "a" : "no", self->info.memory_bytes, self->info.copy_engines,
      self->in_order_engines ? " in order" : "", self->sync_memset ? ", memset waits" : "",
      self->info.capabilities & MEMLANE_CAN_MAP_HOST_MEMORY ? ", maps" : "",
      self->costs[MEMLANE_COST_COPY].latency_ns, self->costs[MEMLANE_COST_COPY].rate,
      self->costs[MEMLANE_COST_LAUNCH].latency_ns, self->costs[MEMLANE_COST_MEMCPY].latency_ns,
      memcmp (self->costs, h200->costs, sizeof h200->costs) == 0 ? " as the h200's all" : "");
  if (self->info.capabilities == h200->info.capabilities)
    g_string_append (text, "; can what the h200 can");
}

static char *
answer_base (const char *asked)
{
  static const char *const others[][2] = {
    { "back", "[device]\nbased_on=top\n" },
    { "wrong", "[device]\n[cost]\nlaunch=much\n" },
    { "base", "[device]\nname=Base\nasyncEngineCount=1\ncalibrated_from=a "
              "run\nmemory_bytes=1000\n[implicit-sync]\nmemset=false\n"
              "[cost]\nlaunch=5\nmemcpy=6\ncopy=7;0.5\n[recorded fill "
              "reuse=1]\nlog2=10\npinned/elapsed/host=2/1\n" },
  };
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL),
                  *path = write_profile (folder, "top", asked);
  g_autofree char *link = g_build_filename (folder, "link.device", NULL),
                  *below = g_build_filename (folder, "folder.device", NULL);
  g_autofree char *clean = g_strdup_printf ("rm -r '%s'", folder);
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneProfile) self = NULL;

  if (g_str_has_prefix (asked, "shipped "))
    {
      g_autofree char *name = g_strndup (asked, strlen (asked) - 1);
      g_autofree char *relative = g_strdup_printf ("devices/%s.device", strchr (name, ' ') + 1);

      g_free (path);
      path = memlane_data_find (relative);
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_free (write_profile (folder, others[i][0], others[i][1]));
  g_assert_cmpint (symlink ("top.device", link), ==, 0);
  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  self = memlane_profile_load (path, &error);
  if (self != NULL)
    {
      g_assert_cmpstr (self->path, ==, path);
      tell_profile (said, self);
    }
  else
    {
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_true (g_str_has_prefix (error->message, path));
      g_string_assign (said, error->message);
      g_string_replace (said, folder, "", 0);
    }
  g_assert_cmpint (system (clean), ==, 0);
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
test_bad_base (void)
{
  check_cases ("device", "bases.txt", answer_base);
}

/* Noise is nothing of a name: it is taken after opening, where rounds were recorded. */
static void
test_noise (void)
{
  static const char *const ids[] = { "simulated:h200+noise", "simulated:h200+noise=7",
                                     "simulated:h200?asyncEngineCount=1" };
  g_autoptr (MemlaneDevice) device = memlane_device_open ("simulated:h200", NULL);
  g_autoptr (MemlaneDevice) plain = memlane_device_open ("simulated:one-copy-engine", NULL);
  const MemlaneDeviceInfo *info = memlane_device_get_info (device);
  g_autoptr (GError) error = NULL;

  g_assert_true (info->simulated && info->exact);
  g_assert_true (memlane_device_take_noise (device, 7, &error));
  g_assert_no_error (error);
  g_assert_true (info->simulated);
  g_assert_false (info->exact);
  g_assert_cmpstr (info->id, ==, "simulated:h200");
  g_assert_cmpstr (info->name, ==, "NVIDIA H200, noise as recorded (simulated)");
  g_assert_cmpstr (info->noise, ==, "recorded rounds, seed 7");

  g_assert_false (memlane_device_take_noise (plain, 7, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_true (memlane_device_get_info (plain)->exact);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_clear_error (&error);
      g_assert_null (memlane_device_open (ids[i], &error));
      g_assert_nonnull (strstr (error->message, "there is no such device profile"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/recorded", test_recorded);
  g_test_add_func ("/profile/rounds", test_rounds);
  g_test_add_func ("/profile/bad", test_bad);
  g_test_add_func ("/profile/bad-files", test_bad_files);
  g_test_add_func ("/profile/bad-base", test_bad_base);
  g_test_add_func ("/profile/noise", test_noise);
  g_test_add_func ("/profile/open-by-id", test_open_by_id);
  g_test_add_func ("/profile/describe", test_describe);
  return g_test_run ();
}
