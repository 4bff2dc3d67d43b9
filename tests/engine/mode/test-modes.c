/* test-modes.c: the registry of modes and workloads is a contract
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/data-file.h"
#include "device/device.h"
#include "engine/golden-text.h"
#include "kernels/shape.h"
#include "mode/transfer.h"
#include "mode/workload.h"

#define SHAPE(capability, blocks) { capability, blocks },

/* Scripts outside the project use the ids: modes.txt has them in their order. */
static void
test_ids (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneWorkload *workloads;

  for (guint i = 0; i < n; i++)
    {
      g_assert_true (g_regex_match_simple ("^[a-z]+(-[a-z]+)*$", modes[i].id, 0, 0));
      g_assert_true (memlane_mode_find (modes[i].id) == &modes[i]); /* no two have the same */
    }
  workloads = memlane_workload_list (&n);
  for (guint i = 0; i < n; i++)
    g_assert_true (memlane_workload_find (workloads[i].id) == &workloads[i]);
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
      g_assert_true ((strstr (modes[i].calls, "kernel<<<") != NULL)
                     != memlane_mode_is_of_pieces (&modes[i]));
      g_assert_cmpuint (strlen (modes[i].look_for), >, 20);
      g_assert_nonnull (modes[i].transfer);
      g_assert_true (modes[i].host_access_like == NULL
                     || memlane_mode_find (modes[i].host_access_like) != NULL);
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

/* Each mode has a program, which makes the calls that the registry lists, and no others but these.
 */
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

static void
tell_mode (GString *text, const MemlaneMode *mode)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  g_string_append_printf (text, "\n%s (%s, key %u): effort %u%s%s%s\n", mode->id,
                          memlane_family_id (mode->family), mode->family + 1, mode->effort,
                          mode->identical_to != NULL ? ", identical to " : "",
                          mode->identical_to != NULL ? mode->identical_to : "",
                          mode->shaped_kernel ? ", a kernel of its own" : "");
  for (guint bit = 0; bit < 32; bit++)
    {
      const MemlaneDeviceInfo incapable = { .capabilities = ~(1u << bit) };
      g_autofree char *missing = memlane_capabilities_explain_missing (mode->needs, &incapable);

      if (missing != NULL)
        g_string_append_printf (text, "  %s\n", missing);
    }
  for (guint i = 0; i < n; i++)
    {
      const char *objection = memlane_workload_find_objection (&workloads[i], mode);

      g_string_append_printf (text, "  %s%s%s\n", workloads[i].id, objection != NULL ? ": " : "",
                              objection != NULL ? objection : "");
    }
}

/* Modes in their families, which begin with their simplest one; what each needs, and why a workload
 * makes no sense in it. */
static void
test_told (void)
{
  g_autoptr (GString) text = g_string_new (
      "The modes, what they need, and the workloads that make sense in them, or why not\n");
  const MemlaneMode *simplest[MEMLANE_N_FAMILIES] = { NULL };
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const MemlaneMode *other
          = modes[i].identical_to != NULL ? memlane_mode_find (modes[i].identical_to) : NULL;

      g_assert_cmpuint (modes[i].family, <, MEMLANE_N_FAMILIES);
      simplest[modes[i].family]
          = simplest[modes[i].family] != NULL ? simplest[modes[i].family] : &modes[i];
      g_assert_true (modes[i].way
                     == simplest[modes[i].family]->way); /* a family is never wider than a way */
      g_assert_cmpint (modes[i].identical_to != NULL, ==, other != NULL);
      /* Those that claim to be alike have the same way and transfer, and the simpler one is what it
       * is compared with. */
      g_assert_true (other == NULL
                     || (other->transfer == modes[i].transfer && other->way == modes[i].way
                         && other->effort < modes[i].effort));
      tell_mode (text, &modes[i]);
    }
  g_assert_cmpstr (memlane_family_id (MEMLANE_N_FAMILIES), ==, "?");
  g_assert_cmpstr (memlane_family_title (MEMLANE_N_FAMILIES), ==, "?");
  compare_text (text, "mode", "modes.txt");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/modes/ids", test_ids);
  g_test_add_func ("/modes/texts", test_texts);
  g_test_add_func ("/modes/programs", test_programs);
  g_test_add_func ("/modes/told", test_told);
  return g_test_run ();
}
