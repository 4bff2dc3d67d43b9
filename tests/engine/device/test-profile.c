/* test-profile.c: cost curves, profiles and their files
 *
 * SPDX-License-Identifier: MIT
 */
#include "device/simulated/profile.h"
#include "mode/mode.h"
#include "base/data-file.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engine/same-info.h"

static void
test_curve (void)
{
  const double bytes[] = { 1024, 4096, 16384 }, ns[] = { 1000, 4000, 8000 };
  MemlaneCostCurve curve = { 0 };
  const char *problem = NULL;

  g_assert_cmpfloat (memlane_cost_curve_get (&curve, 5), ==, 0);
  g_assert_true (memlane_cost_curve_set (&curve, bytes, ns, 3, &problem));
  g_assert_cmpfloat (memlane_cost_curve_get (&curve, 0), ==, 1000);
  g_assert_cmpfloat (memlane_cost_curve_get (&curve, 1024), ==, 1000);
  g_assert_cmpfloat (memlane_cost_curve_get (&curve, 4096), ==, 4000);
  g_assert_cmpfloat_with_epsilon (memlane_cost_curve_get (&curve, 2048), 2000, 1e-6);
  g_assert_cmpfloat_with_epsilon (memlane_cost_curve_get (&curve, 8192), 4000 * sqrt (2), 1e-6);
  g_assert_cmpfloat (memlane_cost_curve_get (&curve, 16384), ==, 8000);
  g_assert_cmpfloat_with_epsilon (memlane_cost_curve_get (&curve, 16384 + 12288), 12000, 1e-6);

  g_assert_true (memlane_cost_curve_set (&curve, bytes, ns, 1, NULL));
  g_assert_cmpfloat_with_epsilon (memlane_cost_curve_get (&curve, 2048), 2000, 1e-9);
  memlane_cost_curve_clear (&curve);
}

static void
test_curve_refuses (void)
{
  const double bytes[] = { 1, 2, 2 }, ns[] = { 1, 3, 2 }, bad[] = { 0, NAN, -1 };
  MemlaneCostCurve curve = { 0 };
  const char *problem = NULL;

  g_assert_false (memlane_cost_curve_set (&curve, bytes, ns, 3, &problem));
  g_assert_nonnull (strstr (problem, "ascending"));
  g_assert_false (memlane_cost_curve_set (&curve, bad, ns, 1, &problem));
  g_assert_false (memlane_cost_curve_set (&curve, bytes, &bad[1], 1, &problem));
  g_assert_cmpuint (curve.n, ==, 0);
}

static void
test_fallbacks (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  const double bytes[] = { 1 }, ns[] = { 7 };
  double value = 0;

  g_assert_cmpfloat (memlane_profile_cost (profile, MEMLANE_CURVE_MALLOC_PORTABLE, 0), ==,
                     memlane_profile_cost (profile, MEMLANE_CURVE_MALLOC_PINNED, 0));
  g_assert_true (memlane_profile_set_curve (profile, "malloc.pinned", bytes, ns, 1, NULL));
  g_assert_cmpfloat (memlane_profile_cost (profile, MEMLANE_CURVE_MALLOC_PORTABLE, 1), ==, 7);
  g_assert_null (memlane_profile_get_curve (profile, "malloc.portable"));
  g_assert_nonnull (memlane_profile_get_curve (profile, "malloc.pinned"));
  g_assert_false (memlane_profile_set_curve (profile, "malloc.nothing", bytes, ns, 1, NULL));
  g_assert_true (memlane_profile_set_host (profile, "launch", 12.5, NULL));
  g_assert_true (memlane_profile_get_host (profile, "launch", &value));
  g_assert_cmpfloat (value, ==, 12.5);
  g_assert_false (memlane_profile_set_host (profile, "launch", -1, NULL));
  g_assert_false (memlane_profile_set_host (profile, "lunch", 1, NULL));
  /* Every curve has a cost without any file, and none falls with size. */
  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    for (double b = 1; b < 1e10; b *= 2)
      g_assert_cmpfloat (memlane_profile_cost (profile, (MemlaneCurve) i, 2 * b), >=, memlane_profile_cost (profile, (MemlaneCurve) i, b));
}

static void
test_round_trip (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneProfile) again = NULL;
  g_autoptr (GError) error = NULL;
  const double bytes[] = { 1.0 / 3, 1e3, 4e9 }, ns[] = { 1e-7 / 7, 12345.678901234567, 1e12 / 3 };
  g_autofree char *text = NULL, *text_again = NULL;
  guint n;
  const MemlaneProfileTerm *curves = memlane_profile_curve_list (&n);

  g_free (profile->info.name);
  profile->info.name = g_strdup (" spaced; \\ \"name\" \xc3\xa9 ");
  profile->info.calibrated_from = g_strdup ("run 1");
  profile->info.memory_bytes = G_MAXUINT64 - 1;
  profile->info.copy_engines = 1;
  profile->info.capabilities = MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_PEER_COPY;
  profile->in_order_engines = FALSE;
  profile->both_directions_factor = 0.1 + 0.2;
  profile->noise.relative = 0.01;
  profile->noise.seed = 77;
  profile->corrupt_kernel = TRUE;
  profile->lose_device_after_calls = 5;
  profile->throttle = MEMLANE_THROTTLE_POWER_CAP;
  profile->info.estimated = TRUE;
  profile->recorded = (MemlaneProfileRange) {
    .least_bytes = 1, .most_bytes = G_MAXUINT64 - 2, .least_reuse = 2, .most_reuse = 3, .least_streams = 4, .most_streams = 5,
    .workloads = g_strdup ("a,b"), .modes = g_strdup ("c"),
  };
  for (guint i = 0; i < n; i++)
    g_assert_true (memlane_profile_set_curve (profile, curves[i].name, bytes, ns, 1 + i % 3, NULL));
  g_assert_true (memlane_profile_set_host (profile, "launch", 1.0 / 3, NULL));

  /* A decimal comma changes nothing; where the machine has no such locale this is an ordinary round trip. */
  setlocale (LC_ALL, "de_DE.UTF-8");
  text = memlane_profile_to_text (profile);
  again = memlane_profile_parse (text, strlen (text), "text", &error);
  setlocale (LC_ALL, "C");
  g_assert_no_error (error);
  text_again = memlane_profile_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpstr (again->info.name, ==, profile->info.name);
  g_assert_cmpuint (again->info.memory_bytes, ==, profile->info.memory_bytes);
  g_assert_cmpuint (again->info.capabilities, ==, profile->info.capabilities);
  g_assert_cmpint (again->in_order_engines, ==, FALSE);
  g_assert_cmpfloat (again->both_directions_factor, ==, profile->both_directions_factor);
  g_assert_cmpuint (again->throttle, ==, profile->throttle);
  g_assert_true (again->info.estimated);
  g_assert_cmpmem (&again->recorded, G_STRUCT_OFFSET (MemlaneProfileRange, workloads), &profile->recorded,
                   G_STRUCT_OFFSET (MemlaneProfileRange, workloads));
  g_assert_cmpstr (again->recorded.workloads, ==, "a,b");
  g_assert_cmpstr (again->recorded.modes, ==, "c");
  g_assert_cmpmem (again->host, sizeof again->host, profile->host, sizeof profile->host);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (again->curves[i].n, ==, 1 + i % 3);
      g_assert_cmpmem (again->curves[i].bytes, again->curves[i].n * sizeof (double), bytes, (1 + i % 3) * sizeof (double));
      g_assert_cmpmem (again->curves[i].ns, again->curves[i].n * sizeof (double), ns, (1 + i % 3) * sizeof (double));
    }
}

/* Every key and curve that is written comes with a comment; keys without one continue the group that the last comment begins. */
static void
test_explained (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autofree char *text = memlane_profile_to_text (profile);
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("\n# %s\n%s=", terms[i].doc, terms[i].name);

      g_assert_cmpuint (strlen (terms[i].doc), >, 5);
      g_assert_nonnull (strstr (text, line));
    }
  terms = memlane_profile_curve_list (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("\n# [curve %s]\n# %s\n# left out: %s", terms[i].name, terms[i].doc,
                                               terms[i].fallback != NULL ? "as " : "");

      g_assert_nonnull (strstr (text, line));
      /* Which side pays, unless the name says it. */
      if (!g_str_has_prefix (terms[i].name, "host."))
        g_assert_true (strstr (terms[i].doc, "(host") != NULL || strstr (terms[i].doc, "(device") != NULL);
    }
  /* A group's first key is explained; so is how small allocations share. */
  for (const char *group = strstr (text, "\n["); group != NULL; group = strstr (group + 1, "\n["))
    g_assert_true (*(strchr (group + 1, '\n') + 1) == '#');
  g_assert_nonnull (strstr (text, "chunks of 2 MiB"));
  /* Terms that are no more are refused, not ignored. */
  {
    g_autoptr (GError) error = NULL;
    const char old[] = "[device]\n[host]\nengine_switch=5\n";

    g_assert_null (memlane_profile_parse (old, strlen (old), "old", &error));
    g_assert_nonnull (strstr (error->message, "engine_switch"));
  }
}

static const struct
{
  const char *text, *expected;
} bad_profiles[] = {
  { "", "key file" },
  { "nonsense", "key file" },
  { "[link]\nboth_directions_factor=1\n", "[device]" },
  { "[device]\nnmae=x\n", "[device] nmae: unknown key" },
  { "[device]\nmemory_bytes=12k\n", "[device] memory_bytes: expected a whole number" },
  { "[device]\nmemory_bytes=-5\n", "[device] memory_bytes: expected a whole number" },
  { "[device]\nasyncEngineCount=4\n", "[device] asyncEngineCount: expected a whole number from 0 to 3" },
  { "[device]\nasyncEngineCount=1.5\n", "[device] asyncEngineCount: expected a whole number" },
  { "[device]\ncanMapHostMemory=1\n", "[device] canMapHostMemory: expected true or false" },
  { "[device]\nname=\n", "[device] name: expected" },
  { "[device]\npriority_least=-9\n", "priority_greatest" },
  { "[device]\n[limk]\n", "[limk]: unknown group" },
  { "[device]\n[link]\nboth_directions_factor=0,9\n", "[link] both_directions_factor: expected a number" },
  { "[device]\n[host]\nlunch=5\n", "[host] lunch: unknown key; expected " },
  { "[device]\n[host]\nlunch=5\n", " launch, " },
  { "[device]\n[link]\nwidth=5\n", "[link] width: unknown key; expected both_directions_factor" },
  { "[device]\n[host]\nlaunch=5\n\n launch =6\n", "[host] launch: expected once, and found again" },
  { "[device]\n[host]\nlaunch=5\n[link]\n[host]\nlaunch=5\n", "[host] launch: expected once, and found again" },
  { "[device]\n[host]\nlaunch=nan\n", "[host] launch: expected nanoseconds" },
  { "[device]\n[host]\nlaunch=1e308\n", "[host] launch: expected nanoseconds, from 0 to 1e9, a second" },
  { "[device]\n[host]\nlaunch=1000000001\n", "[host] launch: expected nanoseconds, from 0 to 1e9, a second" },
  { "[device]\n[curve malloc.device]\nbytes=1\nns=1.1e12\n", "[curve malloc.device]: ns: expected numbers above 0, up to 1e12" },
  { "[device]\n[curve malloc.nothing]\nbytes=1\nns=1\n", "[curve malloc.nothing]: expected the name of a curve" },
  { "[device]\n[curve malloc.device]\nbytes=1\n", "[curve malloc.device] ns: expected, and missing" },
  { "[device]\n[curve malloc.device]\nbytes=1;2\nns=1\n", "expected as many numbers" },
  { "[device]\n[curve malloc.device]\nbytes=2;1\nns=1;2\n", "expected ascending" },
  { "[device]\n[curve malloc.device]\nbytes=1;2\nns=2;1\n", "never descend" },
  { "[device]\n[curve malloc.device]\nbytes=1;x\nns=1;2\n", "[curve malloc.device] bytes: number 2" },
  { "[device]\n[curve malloc.device]\nbytes=\nns=\n", "bytes" },
  { "[device]\n[curve malloc.device]\nbytes=1\nns=1\nms=1\n", "[curve malloc.device] ms: expected only" },
};

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_profiles); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (memlane_profile_parse (bad_profiles[i].text, strlen (bad_profiles[i].text), "bad.device", &error));
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_true (g_str_has_prefix (error->message, "bad.device: "));
      if (strstr (error->message, bad_profiles[i].expected) == NULL)
        g_error ("profile %u: \"%s\" does not say \"%s\"", i, error->message, bad_profiles[i].expected);
    }
}

static void
test_bad_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.device", NULL);
  g_autofree char *huge = g_malloc0 (MEMLANE_PROFILE_MAX_BYTES + 1);
  g_autofree char *id = g_strdup_printf ("simulated:%s", path);
  const char with_nul[] = "[device]\nname=a\0b\n";
  g_autoptr (GError) error = NULL;

  g_assert_null (memlane_profile_load (path, &error));
  g_assert_nonnull (strstr (error->message, "no such file"));
  g_clear_error (&error);
  g_assert_null (memlane_profile_load (folder, &error));
  g_assert_nonnull (strstr (error->message, "regular file"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, with_nul, sizeof with_nul - 1, NULL));
  g_assert_null (memlane_device_open (id, &error));
  g_assert_nonnull (strstr (error->message, "UTF-8"));
  g_clear_error (&error);
  memset (huge, '#', MEMLANE_PROFILE_MAX_BYTES + 1);
  g_assert_true (g_file_set_contents (path, huge, MEMLANE_PROFILE_MAX_BYTES + 1, NULL));
  g_assert_null (memlane_profile_load (path, &error));
  g_assert_nonnull (strstr (error->message, "at most"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_null (memlane_profile_load (path, &error));
  g_assert_nonnull (strstr (error->message, "empty"));
  g_remove (path);
  g_rmdir (folder);
}

static void
test_open_by_id (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL);
  g_autofree char *devices = g_build_filename (folder, "devices", NULL);
  g_autofree char *path = g_build_filename (devices, "tiny.device", NULL);
  g_autofree char *broken = g_build_filename (devices, "broken.device", NULL);
  g_autoptr (GPtrArray) listings = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneDevice *device;
  MemlaneDeviceInfo *info;
  guint found = 0;

  g_mkdir (devices, 0700);
  g_assert_true (g_file_set_contents (path, "[device]\nname=Tiny\nasyncEngineCount=0\n", -1, NULL));
  g_assert_true (g_file_set_contents (broken, "[device]\nfoo=1\n", -1, NULL));
  g_setenv ("MEMLANE_DATA_DIR", folder, TRUE);
  device = memlane_device_open ("simulated:tiny", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (memlane_device_get_info (device)->id, ==, "simulated:tiny");
  g_assert_cmpstr (memlane_device_get_info (device)->name, ==, "Tiny");
  g_assert_cmpstr (memlane_device_get_info (device)->profile, ==, path);
  g_assert_false (memlane_device_can (device, MEMLANE_CAN_COPY_ASYNC));
  info = memlane_device_describe ("simulated:tiny", &error);
  g_assert_no_error (error);
  assert_same_info (info, memlane_device_get_info (device));
  memlane_device_info_free (info);
  memlane_device_close (device);
  g_assert_null (memlane_device_open ("simulated:none", &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "simulated:tiny"));
  g_clear_error (&error);
  g_assert_null (memlane_device_describe ("simulated:none", &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "simulated:tiny"));
  g_clear_error (&error);
  g_assert_null (memlane_device_describe ("simulated:broken", &error));
  g_assert_nonnull (strstr (error->message, "foo"));
  g_clear_error (&error);
  g_assert_null (memlane_device_describe ("toaster:1", &error));
  g_assert_nonnull (strstr (error->message, "unknown device \"toaster:1\""));

  listings = memlane_device_list ();
  for (guint i = 0; i < listings->len; i++)
    {
      MemlaneDeviceListing *listing = listings->pdata[i];
      g_assert_cmpstr (listing->id, !=, "simulated:tiny+noise"); /* nothing was recorded */
      if (strcmp (listing->id, "simulated:tiny") == 0)
        {
          g_assert_null (listing->reason);
          found++;
        }
      if (strcmp (listing->id, "simulated:broken") == 0)
        {
          g_assert_nonnull (strstr (listing->reason, "foo"));
          found++;
        }
    }
  g_assert_cmpuint (found, ==, 2);
  g_unsetenv ("MEMLANE_DATA_DIR");
  g_remove (path);
  g_remove (broken);
  g_rmdir (devices);
  g_rmdir (folder);
}

/* What a profile says of a second GPU, or of none, is known without opening, and no device is open for it. */
static void
test_describe (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "two.device", NULL), *id = g_strdup_printf ("simulated:%s", path);
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  guint described = 0;

  for (guint i = 0; i < listings->len; i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];
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
  g_assert_cmpuint (described, >=, 1);

  for (int has_peer = 0; has_peer <= 1; has_peer++)
    {
      g_autofree char *text = g_strdup_printf ("[device]\nname=Two\npeerCopy=%s\n", has_peer ? "true" : "false");
      g_autofree char *reason = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneDeviceInfo) info = NULL;

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      info = memlane_device_describe (id, &error);
      g_assert_no_error (error);
      reason = memlane_capabilities_explain_missing (MEMLANE_CAN_PEER_COPY, info);
      g_assert_cmpstr (reason, ==, has_peer ? NULL : "needs peerCopy, which is 0 on this device");
    }
  g_remove (path);
  g_rmdir (folder);
}

static void
test_shipped (void)
{
  g_autoptr (GError) error = NULL;
  MemlaneDevice *device = memlane_device_open ("simulated:h200", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (memlane_device_get_info (device)->kind, ==, "simulated");
  g_assert_nonnull (strstr (memlane_device_get_info (device)->name, "simulated"));
  g_assert_cmpint (memlane_device_get_info (device)->copy_engines, ==, 3);
  memlane_device_close (device);
}

/* --- one profile based on another --------------------------------------------------------------------------------- */

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
test_based_on (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL), *text = NULL;
  g_autofree char *base = write_profile (folder, "base",
                                         "[device]\nname=Base\nasyncEngineCount=1\ncalibrated_from=a run\nmemory_bytes=1000\n"
                                         "[implicit-sync]\nmemset=false\n[host]\nlaunch=5\nmemcpy=6\n"
                                         "[curve malloc.device]\nbytes=1\nns=7\n[curve free.device]\nbytes=1;2\nns=8;9\n");
  g_autofree char *middle = write_profile (folder, "middle", "[device]\nbased_on=base\nname=Middle\n[host]\nlaunch=50\n");
  g_autofree char *top = write_profile (folder, "top",
                                        "[device]\nasyncEngineCount=2\nbased_on=middle\ncanMapHostMemory=false\n"
                                        "[curve free.device]\nbytes=1\nns=80\n");
  g_autofree char *stated = write_profile (folder, "stated", "[device]\nbased_on=base\nasyncEngineCount=1\nin_order_engines=false\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneProfile) self = memlane_profile_load (top, &error), again = NULL, between = NULL, own = NULL, shipped = NULL;
  g_autoptr (MemlaneProfile) h200 = NULL;
  const char over[] = "[device]\nbased_on=h200\nname=x\n";

  g_assert_no_error (error);
  g_assert_cmpstr (self->path, ==, top);
  g_assert_cmpstr (self->info.name, ==, "Middle");
  g_assert_cmpstr (self->info.calibrated_from, ==, "a run");
  g_assert_cmpuint (self->info.memory_bytes, ==, 1000);
  g_assert_false (self->sync_memset);
  g_assert_cmpint (self->info.capabilities & MEMLANE_CAN_MAP_HOST_MEMORY, ==, 0);
  g_assert_cmpfloat (self->host[MEMLANE_HOST_LAUNCH], ==, 50);
  g_assert_cmpfloat (self->host[MEMLANE_HOST_MEMCPY], ==, 6);
  g_assert_cmpfloat (memlane_profile_cost (self, MEMLANE_CURVE_MALLOC_DEVICE, 1), ==, 7);
  g_assert_cmpuint (self->curves[MEMLANE_CURVE_FREE_DEVICE].n, ==, 1);
  /* One queue for one engine, stated or inherited; not where there are two, and not where it is denied. */
  g_assert_cmpint (self->info.copy_engines, ==, 2);
  g_assert_false (self->in_order_engines);
  between = memlane_profile_load (middle, NULL);
  g_assert_true (between->in_order_engines);
  own = memlane_profile_load (stated, NULL);
  g_assert_false (own->in_order_engines);

  /* What is written stands alone. */
  text = memlane_profile_to_text (self);
  g_assert_null (strstr (text, "\nbased_on="));
  g_assert_nonnull (strstr (text, "based_on=NAME"));
  again = memlane_profile_parse (text, strlen (text), "text", &error);
  g_assert_no_error (error);
  g_assert_cmpmem (again->host, sizeof again->host, self->host, sizeof self->host);
  g_assert_cmpint (again->in_order_engines, ==, FALSE);

  /* Text from memory, and files elsewhere, find the shipped ones. */
  shipped = memlane_profile_parse (over, strlen (over), "text", &error);
  g_assert_no_error (error);
  {
    g_autofree char *path = memlane_data_find ("devices/h200.device");

    h200 = memlane_profile_load (path, &error);
    g_assert_no_error (error);
  }
  g_assert_cmpmem (shipped->host, sizeof shipped->host, h200->host, sizeof h200->host);
  g_assert_cmpstr (shipped->info.name, ==, "x");
  g_assert_null (shipped->path);

  g_remove (base);
  g_remove (middle);
  g_remove (top);
  g_remove (stated);
  g_rmdir (folder);
}

static void
test_bad_base (void)
{
  static const struct
  {
    const char *text, *expected;
  } cases[] = {
    { "[device]\nbased_on=nobody\n", "[device] based_on: there is no nobody.device" },
    { "[device]\nbased_on=\n", "[device] based_on: expected the name of a device profile" },
    { "[device]\nbased_on=../top\n", "[device] based_on: expected the name of a device profile" },
    { "[device]\nbased_on=/etc/passwd\n", "[device] based_on: expected the name of a device profile" },
    { "[device]\nbased_on=h200.device\n", "without folder and .device" },
    { "[device]\nbased_on=h200\nbased_on=h200\n", "[device] based_on: expected once, and found again" },
    { "[device]\n[link]\nbased_on=h200\n", "[link] based_on: unknown key" },
    { "[device]\nbased_on=top\n", "[device] based_on: expected a profile that is not based on this one" }, /* itself */
    { "[device]\nbased_on=back\n", "not based on this one" },
    { "[device]\nbased_on=wrong\n", "wrong.device: [host] launch: expected nanoseconds" },
    { "[device]\nbased_on=link\n", "not based on this one" },
    { "[device]\nbased_on=folder\n", "folder.device: expected a regular file" },
  };
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", NULL), *path = g_build_filename (folder, "top.device", NULL);
  g_autofree char *back = write_profile (folder, "back", "[device]\nbased_on=top\n");
  g_autofree char *wrong = write_profile (folder, "wrong", "[device]\n[host]\nlaunch=much\n");
  g_autofree char *link = g_build_filename (folder, "link.device", NULL), *below = g_build_filename (folder, "folder.device", NULL);

  g_assert_cmpint (symlink ("top.device", link), ==, 0);
  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      g_assert_null (memlane_profile_load (path, &error));
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_true (g_str_has_prefix (error->message, path));
      if (strstr (error->message, cases[i].expected) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].expected);
    }
  /* A tower of them ends, whatever it is made of. */
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("t%u", i), *text = g_strdup_printf ("[device]\nbased_on=t%u\n", i + 1);

      g_free (write_profile (folder, name, text));
    }
  {
    g_autofree char *first = g_build_filename (folder, "t0.device", NULL);
    g_autoptr (GError) error = NULL;

    g_assert_null (memlane_profile_load (first, &error));
    g_assert_nonnull (strstr (error->message, "at most 8"));
  }
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("t%u.device", i), *each = g_build_filename (folder, name, NULL);

      g_remove (each);
    }
  g_remove (path);
  g_remove (back);
  g_remove (wrong);
  g_remove (link);
  g_rmdir (below);
  g_rmdir (folder);
}

/* The devices of the stream laboratory differ in their engines alone. */
static void
test_copy_engines (void)
{
  static const struct
  {
    const char *id, *name;
    int engines;
  } devices[] = {
    { "simulated:one-copy-engine", "H200 with one copy engine (simulated)", 1 },
    { "simulated:two-copy-engines", "H200 with two copy engines (simulated)", 2 },
    { "simulated:three-copy-engines", "H200 with three copy engines (simulated)", 3 },
  };
  g_autofree char *base = memlane_data_find ("devices/h200.device");
  g_autoptr (MemlaneProfile) h200 = memlane_profile_load (base, NULL);
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  MemlaneDevice *standard;
  guint noisy = 0, before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autofree char *relative = g_strdup_printf ("devices/%s.device", strchr (devices[i].id, ':') + 1);
      g_autofree char *path = memlane_data_find (relative);
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneProfile) profile = memlane_profile_load (path, &error);
      guint listed = 0;

      g_assert_no_error (error);
      g_assert_cmpstr (profile->info.name, ==, devices[i].name);
      g_assert_cmpint (profile->info.copy_engines, ==, devices[i].engines);
      g_assert_cmpint (profile->in_order_engines, ==, devices[i].engines == 1);
      g_assert_cmpmem (profile->host, sizeof profile->host, h200->host, sizeof h200->host);
      g_assert_cmpuint (profile->info.memory_bytes, ==, h200->info.memory_bytes);
      g_assert_cmpint (profile->info.capabilities, ==, h200->info.capabilities);
      for (guint k = 0; k < listings->len; k++)
        if (g_str_has_prefix (((MemlaneDeviceListing *) listings->pdata[k])->id, devices[i].id))
          {
            listed++;
            g_assert_cmpuint (k, >, before); /* one, two, three, and what they are based on before them */
            before = k;
          }
      g_assert_cmpuint (listed, ==, 1); /* not once more with the noise of the H200, which they have from it */
    }
  for (guint k = 0; k < listings->len; k++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[k];

      noisy += strcmp (listing->id, "simulated:h200+noise") == 0
               && strcmp (listing->name, "NVIDIA H200, noise as recorded (simulated)") == 0 && listing->reason == NULL;
    }
  g_assert_cmpuint (noisy, ==, 1);
  /* They displace nobody. */
  standard = memlane_device_open (NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    g_assert_cmpstr (memlane_device_get_info (standard)->id, !=, devices[i].id);
  memlane_device_close (standard);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/curve", test_curve);
  g_test_add_func ("/profile/curve-refuses", test_curve_refuses);
  g_test_add_func ("/profile/fallbacks", test_fallbacks);
  g_test_add_func ("/profile/round-trip", test_round_trip);
  g_test_add_func ("/profile/explained", test_explained);
  g_test_add_func ("/profile/bad", test_bad);
  g_test_add_func ("/profile/bad-files", test_bad_files);
  g_test_add_func ("/profile/based-on", test_based_on);
  g_test_add_func ("/profile/bad-base", test_bad_base);
  g_test_add_func ("/profile/copy-engines", test_copy_engines);
  g_test_add_func ("/profile/open-by-id", test_open_by_id);
  g_test_add_func ("/profile/describe", test_describe);
  g_test_add_func ("/profile/shipped", test_shipped);
  return g_test_run ();
}
