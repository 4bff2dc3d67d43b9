/* test-modes.c: the registry of modes and workloads is a contract
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/data-file.h"
#include "device/simulated/profile.h"
#include "kernels/shape.h"
#include "mode/transfer.h"
#include "mode/workload.h"

#define SHAPE(capability, blocks) { capability, blocks },

/* Scripts outside the project use these: never rename, never reorder without need. New modes may stand between them. */
static const char *const mode_ids[] = {
  "pageable", "pageable-async", "pinned", "pinned-async", "portable", "write-combined", "registered", "mapped", "mapped-write-combined",
  "registered-mapped", "unified-addressing", "mapped-shaped", "managed", "managed-static", "managed-prefetch", "managed-advised",
  "streams-depth-first", "streams-breadth-first", "stream-ordered", "stream-ordered-kept", "system", "device-resident",
  "pinned-batch", "pinned-packed", "pinned-packed-threads", "pinned-graph", "registered-read-only",
  "virtual-memory",
};

static const char *const workload_ids[] = {
  "vector-add", "copy-to-device", "copy-to-host", "copy-round-trip", "copy-bidirectional", "copy-on-device", "copy-on-host", "copy-to-peer",
  "fill", "copy-kernel", "pieces-to-device", "pieces-to-host", "pieces-round-trip",
};

static void
test_ids (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n), *last = NULL;
  const MemlaneWorkload *workloads;

  for (guint i = 0; i < G_N_ELEMENTS (mode_ids); i++)
    {
      const MemlaneMode *mode = memlane_mode_find (mode_ids[i]);

      g_assert_nonnull (mode);
      g_assert_true (last == NULL || mode > last);
      last = mode;
    }
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (g_regex_match_simple ("^[a-z]+(-[a-z]+)*$", modes[i].id, 0, 0));
      g_assert_true (memlane_mode_find (modes[i].id) == &modes[i]); /* no two have the same */
    }
  workloads = memlane_workload_list (&n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (workload_ids));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpstr (workloads[i].id, ==, workload_ids[i]);
      g_assert_true (memlane_workload_find (workload_ids[i]) == &workloads[i]);
    }
  g_assert_null (memlane_mode_find ("Pinned"));
  g_assert_null (memlane_workload_find (""));
}

/* Every mode explains itself: the window and the help show these texts. */
static void
test_texts (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (strlen (modes[i].title), >, 3);
      g_assert_cmpuint (strlen (modes[i].summary), >, 40);
      g_assert_true (g_str_has_suffix (modes[i].summary, "."));
      g_assert_true ((strstr (modes[i].calls, "kernel<<<") != NULL) != memlane_mode_is_of_pieces (&modes[i]));
      g_assert_cmpuint (strlen (modes[i].look_for), >, 20);
      g_assert_nonnull (modes[i].transfer);
      g_assert_true (modes[i].host_access_like == NULL || memlane_mode_find (modes[i].host_access_like) != NULL);
    }
}

/* The names of CUDA calls in @text, those before an @after. (transfer full): a set. */
static GHashTable *
find_calls (const char *text, const char *after)
{
  GHashTable *calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("\\bcu(da)?[A-Z][A-Za-z]*", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      int end;

      g_match_info_fetch_pos (match, 0, NULL, &end);
      if (g_str_has_prefix (text + end, after))
        g_hash_table_add (calls, g_match_info_fetch (match, 0));
    }
  return calls;
}

/* Each mode has a program, which makes the calls that the registry lists, and no others but these. */
static void
test_programs (void)
{
  static const char *const besides[] = {
    "cudaGetDevice", "cudaStreamCreate", "cudaStreamDestroy", "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion", NULL,
  };
  const struct { int capability; unsigned blocks; } shapes[] = { MEMLANE_SHAPES (SHAPE) };
  g_autofree char *shaped = memlane_data_read ("programs/mapped-shaped.cu", NULL);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *relative = g_strdup_printf ("programs/%s.cu", modes[i].id);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = memlane_data_read (relative, &error);
      g_autoptr (GHashTable) made = NULL, named = find_calls (modes[i].calls, "");
      GHashTableIter iter;
      gpointer call;

      g_assert_no_error (error);
      made = find_calls (text, "(");
      g_hash_table_iter_init (&iter, named);
      while (g_hash_table_iter_next (&iter, &call, NULL))
        if (strstr (text, call) == NULL)
          g_error ("%s: %s is in the registry and not in the program", modes[i].id, (char *) call);
      g_hash_table_iter_init (&iter, made);
      while (g_hash_table_iter_next (&iter, &call, NULL))
        if (!g_strv_contains (besides, call) && !g_hash_table_contains (named, call)
            && !(modes[i].transfer->resident && strcmp (call, "cudaMemcpy") == 0))
          g_error ("%s: %s is in the program and not in the registry", modes[i].id, (char *) call);
      g_assert_true (strstr (text, "timer.start();") < strstr (text, "timer.stop();"));
      g_assert_nonnull (strstr (text, memlane_mode_is_of_pieces (&modes[i])
                                        ? "pieces.check(vector);" : "check(c, n);"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *blocks = g_strdup_printf ("(size_t) %u)", shapes[i].blocks);

      g_assert_nonnull (strstr (shaped, blocks));
    }
}

/* Six families and the baseline; each begins with its simplest mode, and keys 1..7 reach them all. */
static void
test_families (void)
{
  static const char *const first[MEMLANE_N_FAMILIES] = {
    [MEMLANE_FAMILY_PAGEABLE] = "pageable", [MEMLANE_FAMILY_PINNED] = "pinned", [MEMLANE_FAMILY_ZERO_COPY] = "mapped",
    [MEMLANE_FAMILY_MANAGED] = "managed", [MEMLANE_FAMILY_STREAMS] = "streams-depth-first",
    [MEMLANE_FAMILY_STREAM_ORDERED] = "stream-ordered", [MEMLANE_FAMILY_BASELINE] = "device-resident",
  };
  const MemlaneMode *simplest[MEMLANE_N_FAMILIES] = { NULL }, *modes;
  guint n;

  modes = memlane_mode_list (&n);
  for (guint i = 0; i < n; i++)
    {
      MemlaneFamily family = modes[i].family;

      g_assert_cmpuint (family, <, MEMLANE_N_FAMILIES);
      if (simplest[family] == NULL)
        simplest[family] = &modes[i];
      g_assert_true (modes[i].way == simplest[family]->way); /* a family is never wider than a way */
    }
  for (guint i = 0; i < MEMLANE_N_FAMILIES; i++)
    {
      g_assert_nonnull (simplest[i]);
      g_assert_cmpstr (simplest[i]->id, ==, first[i]);
      g_assert_true (g_regex_match_simple ("^[a-z]+(-[a-z]+)*$", memlane_family_id (i), 0, 0));
      g_assert_cmpuint (strlen (memlane_family_title (i)), >, 3);
    }
  g_assert_cmpuint (MEMLANE_N_FAMILIES, ==, 7);
  g_assert_cmpstr (memlane_family_id (MEMLANE_N_FAMILIES), ==, "?");
  g_assert_cmpstr (memlane_family_title (MEMLANE_N_FAMILIES), ==, "?");
}

/* Modes that claim to be alike have the same memory, way and transfer. */
static void
test_effort (void)
{
  guint n, pairs = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const MemlaneMode *other = modes[i].identical_to != NULL ? memlane_mode_find (modes[i].identical_to) : NULL;

      g_assert_cmpuint (modes[i].effort, >=, 1);
      if (modes[i].identical_to == NULL)
        continue;
      pairs++;
      g_assert_nonnull (other);
      g_assert_true (other->transfer == modes[i].transfer && other->way == modes[i].way);
      g_assert_cmpuint (other->effort, <, modes[i].effort); /* the simpler one is what it is compared with */
    }
  g_assert_cmpuint (pairs, ==, 2);
}

/* Every mode runs the ordinary kernel, but for the one that is there to show another. */
static void
test_kernels (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    g_assert_cmpint (modes[i].shaped_kernel, ==, g_str_equal (modes[i].id, "mapped-shaped"));
}

static void
test_capabilities (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device;
  g_autofree char *reason = NULL;

  profile->info.capabilities &= ~(MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_VIRTUAL_MEMORY | MEMLANE_CAN_REGISTER_READ_ONLY);
  device = memlane_simulated_device_new (profile, "simulated:test");
  reason = memlane_capabilities_explain_missing (memlane_mode_find ("mapped")->needs, memlane_device_get_info (device));
  g_assert_cmpstr (reason, ==, "needs canMapHostMemory, which is 0 on this device");
  g_clear_pointer (&reason, g_free);
  reason = memlane_capabilities_explain_missing (memlane_mode_find ("virtual-memory")->needs, memlane_device_get_info (device));
  g_assert_cmpstr (reason, ==, "needs virtualMemoryManagementSupported, which is 0 on this device");
  g_clear_pointer (&reason, g_free);
  reason = memlane_capabilities_explain_missing (memlane_mode_find ("registered-read-only")->needs, memlane_device_get_info (device));
  g_assert_cmpstr (reason, ==, "needs hostRegisterReadOnlySupported, which is 0 on this device");
  g_clear_pointer (&reason, g_free);
  reason = memlane_capabilities_explain_missing (memlane_mode_find ("pinned")->needs, memlane_device_get_info (device));
  g_assert_null (reason);
  memlane_device_close (device);
}

/* Nothing is copied into memory that the device only reads. */
static void
test_read_only (void)
{
  static const char *const home[] = { "copy-to-host", "copy-bidirectional" };
  static const char *const away[] = { "vector-add", "copy-to-device", "copy-round-trip", "copy-kernel" };
  const MemlaneMode *mode = memlane_mode_find ("registered-read-only");

  for (guint i = 0; i < G_N_ELEMENTS (home); i++)
    g_assert_cmpstr (memlane_workload_find_objection (memlane_workload_find (home[i]), mode), ==,
                     "the device only reads its memory; use registered");
  for (guint i = 0; i < G_N_ELEMENTS (away); i++)
    g_assert_null (memlane_workload_find_objection (memlane_workload_find (away[i]), mode));
}

/* A pair either makes sense or says in words why not. */
static void
test_objections (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device = memlane_simulated_device_new (profile, "simulated:test");
  guint n_modes, n_workloads;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);
  const MemlaneWorkload *workloads = memlane_workload_list (&n_workloads);

  for (guint i = 0; i < n_workloads; i++)
    {
      guint makes_sense = 0;

      for (guint j = 0; j < n_modes; j++)
        {
          const char *objection = workloads[i].objection != NULL ? workloads[i].objection (&modes[j]) : NULL;

          if (objection == NULL)
            makes_sense++;
          else
            g_assert_cmpuint (strlen (objection), >, 10);
        }
      g_assert_cmpuint (makes_sense, >, 0);
    }
  memlane_device_close (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/modes/ids", test_ids);
  g_test_add_func ("/modes/texts", test_texts);
  g_test_add_func ("/modes/programs", test_programs);
  g_test_add_func ("/modes/families", test_families);
  g_test_add_func ("/modes/effort", test_effort);
  g_test_add_func ("/modes/kernels", test_kernels);
  g_test_add_func ("/modes/capabilities", test_capabilities);
  g_test_add_func ("/modes/objections", test_objections);
  g_test_add_func ("/modes/read-only", test_read_only);
  return g_test_run ();
}
