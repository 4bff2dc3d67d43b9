/* test-made-up.c: a mode of known parts is one row: it is planned, measured, written, read and decided on
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/decide.h"
#include "engine/made-run.h"
#include "made-up-modes.h"
#include "measure/measure.h"
#include "measure/plan.h"
#include "result/csv.h"

#include <glib/gstdio.h>

static void
ignore_cb (const MemlaneRun *run, const MemlaneMode *mode, double log2_elements, MemlaneCell *finished,
           gpointer user_data)
{
}

static void
test_measured (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDevice) device = memlane_device_open ("simulated:h200", &error);
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *folder = g_dir_make_tmp ("memlane-made-up-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.csv", NULL);
  g_autofree char *environment = memlane_csv_environment_path (path);
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GPtrArray) read = NULL;
  const MemlaneCell *mine, *pinned;

  g_assert_no_error (error);
  g_assert_true (memlane_plan_set_modes (plan, "pinned,made-up-a,made-up-f", &error));
  g_assert_true (memlane_plan_set_sizes (plan, "12:14", &error));
  for (guint i = 0; i < memlane_plan_count_cells (plan); i++)
    g_array_append_val (order, i);
  run = memlane_measure_round (device, plan, order, ignore_cb, NULL, NULL);
  g_assert_cmpuint (run->cells->len, ==, 9);
  for (guint i = 0; i < run->cells->len; i++)
    g_assert_cmpint (((const MemlaneCell *) run->cells->pdata[i])->status, ==, MEMLANE_STATUS_OK);
  mine = memlane_run_find (run, "vector-add", "made-up-f", 14);
  pinned = memlane_run_find (run, "vector-add", "pinned", 14);
  g_assert_cmpfloat_with_epsilon (
      memlane_cell_find (mine, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST)->statistics.median,
      memlane_cell_find (pinned, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST)->statistics.median, 50e3);

  g_assert_true (memlane_csv_write (run, path, &error));
  read = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (memlane_run_find (read->pdata[0], "vector-add", "made-up-a", 12));
  g_remove (path);
  g_remove (environment);
  g_rmdir (folder);
}

/* The 34th mode takes part in a decision; of two that tie with the same effort the earlier row is chosen. */
static void
test_decided (void)
{
  const MemlaneQuestion question = { .workload = "vector-add" };
  static const char *const ids[] = { "made-up-f", "made-up-a", "pinned" };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (MemlaneDecision) decision = NULL;
  MemlaneRun *run = made_run ("made", "M");
  MemlaneSweepAdvice advice;
  MemlaneChoice choice;
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_ptr_array_add (runs, run);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      MemlaneCell *cell = add_cell (run, ids[i], 18, 1);

      add_time (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, 8 * cell->elements, 60e3);
      add_time (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE, 12 * cell->elements, 5e3);
      add_time (cell, MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE, 4 * cell->elements, 35e3);
      add_time (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 12 * cell->elements, 100e3 + i);
    }
  decision = memlane_decision_new (runs, &question);
  g_assert_true (memlane_decision_judge (decision, 18, 1, &choice));
  g_assert_cmpstr (modes[choice.choice].id, ==, "pinned");
  g_assert_cmpstr (modes[choice.fastest].id, ==, "made-up-f");
  g_assert_cmphex (choice.ties >> (n - 1), ==, 1);
  memlane_decision_advise (decision, 18, 1, &advice);
  if (advice.cause != MEMLANE_SWEEP_FOR_NOTHING)
    {
      g_autofree char *command = memlane_sweep_advice_to_command (decision, &advice);

      g_assert_nonnull (strstr (command, "made-up-f"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mode/made-up/measured", test_measured);
  g_test_add_func ("/mode/made-up/decided", test_decided);
  return g_test_run ();
}
