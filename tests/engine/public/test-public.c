/* test-public.c: the interface of libmemlane: a sweep from its outside, and what misuse comes to
 *
 * SPDX-License-Identifier: MIT
 */
#undef MEMLANE_COMPILATION /* as other programs see it */
#undef MEMLANE_PROGRAM

#include <string.h>

#include "public/memlane.h"

#define CRITICAL(text) \
  g_test_expect_message ("memlane", G_LOG_LEVEL_CRITICAL, "*assertion*" text "*failed")

static void
test_lists (void)
{
  g_autoptr (GPtrArray) devices = memlane_device_list ();
  guint n = 0;

  g_assert_cmpuint (devices->len, >, 0);
  for (guint i = 0; i < devices->len; i++)
    n += strcmp (memlane_device_listing_get_id (devices->pdata[i]), "simulated:h200") == 0
         && memlane_device_listing_get_obstacle (devices->pdata[i]) == NULL
         && *memlane_device_listing_get_name (devices->pdata[i]) != '\0';
  g_assert_cmpuint (n, ==, 1);
  for (n = 0; memlane_mode_get (n) != NULL; n++)
    {
      const MemlaneMode *mode = memlane_mode_get (n);

      g_assert_true (memlane_mode_find (memlane_mode_get_id (mode)) == mode);
      g_assert_true (*memlane_mode_get_title (mode) != '\0');
      g_assert_true (*memlane_mode_get_summary (mode) != '\0');
      g_assert_true (*memlane_mode_get_calls (mode) != '\0');
    }
  g_assert_cmpuint (n, >=, 28);
  for (n = 0; memlane_workload_get (n) != NULL; n++)
    {
      const MemlaneWorkload *workload = memlane_workload_get (n);

      g_assert_true (memlane_workload_find (memlane_workload_get_id (workload)) == workload);
      g_assert_true (*memlane_workload_get_title (workload) != '\0');
      g_assert_true (*memlane_workload_get_summary (workload) != '\0');
    }
  g_assert_cmpuint (n, >=, 13);
}

static void
expect (gboolean done, GError **error, const char *says)
{
  g_assert_false (done);
  g_assert_error (*error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  if (strstr ((*error)->message, says) == NULL)
    g_error ("found \"%s\", expected \"%s\"", (*error)->message, says);
  g_clear_error (error);
}

static void
test_plan (void)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  GError *error = NULL;

  expect (memlane_plan_set_reuse (plan, 0, &error), &error, "reuse: found 0, expected a whole");
  expect (memlane_plan_set_schedule (plan, 100, 8, &error), &error, "streams: found 100");
  expect (memlane_plan_set_schedule (plan, 8, 257, &error), &error, "chunks: found 257");
  expect (memlane_plan_set_rounds (plan, 65, &error), &error, "rounds: found 65");
  expect (memlane_plan_set_workload (plan, "tea", &error), &error, "unknown workload \"tea\"");
  expect (memlane_plan_set_modes (plan, "tea", &error), &error, "unknown mode \"tea\"");
  g_assert_true (memlane_plan_set_workload (plan, "pieces-to-device", &error));
  g_assert_true (memlane_plan_set_schedule (plan, 8, 4096, &error));
  g_assert_true (memlane_plan_set_size_list (plan, "10:12", 1, &error));
  g_assert_true (memlane_plan_set_modes (plan, "pinned-async", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (memlane_plan_count_cells (plan), ==, 3);
}

static void
test_sweep (void)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneSweep) sweep = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneCell *cell;
  const MemlaneFigure *figure;

  g_assert_true (memlane_plan_set_modes (plan, "pinned", &error));
  g_assert_true (memlane_plan_set_sizes (plan, "10", &error));
  g_assert_true (memlane_plan_set_reuse (plan, 2, &error));
  sweep = memlane_sweep_new ("simulated:h200", plan, FALSE);
  run = memlane_sweep_run (sweep, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (memlane_sweep_get_trouble (sweep));
  g_assert_cmpfloat (memlane_sweep_get_fraction (sweep), ==, 1);
  g_assert_nonnull (strstr (memlane_run_get_id (run), "vector-add"));
  g_assert_cmpstr (memlane_run_get_device (run), ==, "simulated:h200");
  g_assert_true (memlane_run_is_simulated (run));
  g_assert_cmpuint (memlane_run_count_cells (run), ==, 1);
  g_assert_null (memlane_run_get_cell (run, 1));
  cell = memlane_run_get_cell (run, 0);
  g_assert_cmpstr (memlane_cell_get_mode (cell), ==, "pinned");
  g_assert_cmpstr (memlane_cell_get_workload (cell), ==, "vector-add");
  g_assert_cmpuint (memlane_cell_get_elements (cell), ==, 1024);
  g_assert_cmpuint (memlane_cell_get_reuse (cell), ==, 2);
  g_assert_cmpint (memlane_cell_get_status (cell), ==, MEMLANE_STATUS_OK);
  figure = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpfloat (memlane_figure_get_ns (figure), >, 0);
  g_assert_cmpfloat (memlane_figure_get_low_ns (figure), <=, memlane_figure_get_ns (figure));
  g_assert_cmpfloat (memlane_figure_get_high_ns (figure), >=, memlane_figure_get_ns (figure));
  g_assert_cmpfloat (memlane_figure_get_bandwidth (figure), >, 0);
  g_assert_cmpuint (memlane_figure_count_rounds (figure), ==, 1);

  CRITICAL ("begun == 0");
  g_assert_null (memlane_sweep_run (sweep, NULL, &error)); /* and does not wait for ever */
  g_test_assert_expected_messages ();
}

/* A NULL is a critical warning with @text, and the call returns 0. */
#define REFUSES(text, call) \
  do \
    { \
      CRITICAL (text); \
      g_assert_true ((call) == 0); \
      g_test_assert_expected_messages (); \
    } \
  while (FALSE)

static void
test_misuse (void)
{
  const MemlanePhase phase = MEMLANE_PHASE_ELAPSED;
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  REFUSES ("self", memlane_device_listing_get_id (NULL));
  REFUSES ("self", memlane_device_listing_get_name (NULL));
  REFUSES ("self", memlane_device_listing_get_obstacle (NULL));
  REFUSES ("id", memlane_mode_find (NULL));
  REFUSES ("self", memlane_mode_get_id (NULL));
  REFUSES ("self", memlane_mode_get_title (NULL));
  REFUSES ("self", memlane_mode_get_summary (NULL));
  REFUSES ("self", memlane_mode_get_calls (NULL));
  REFUSES ("id", memlane_workload_find (NULL));
  REFUSES ("self", memlane_workload_get_id (NULL));
  REFUSES ("self", memlane_workload_get_title (NULL));
  REFUSES ("self", memlane_workload_get_summary (NULL));
  REFUSES ("self", memlane_plan_set_workload (NULL, "fill", NULL));
  REFUSES ("id", memlane_plan_set_workload (plan, NULL, NULL));
  REFUSES ("plan", memlane_plan_set_modes (NULL, "all", NULL));
  REFUSES ("list", memlane_plan_set_modes (plan, NULL, NULL));
  REFUSES ("plan", memlane_plan_set_sizes (NULL, "10", NULL));
  REFUSES ("range", memlane_plan_set_sizes (plan, NULL, NULL));
  REFUSES ("plan", memlane_plan_set_size_list (NULL, "10", 1, NULL));
  REFUSES ("list", memlane_plan_set_size_list (plan, NULL, 1, NULL));
  REFUSES ("self", memlane_plan_set_reuse (NULL, 1, NULL));
  REFUSES ("self", memlane_plan_set_schedule (NULL, 1, 1, NULL));
  REFUSES ("self", memlane_plan_set_rounds (NULL, 1, NULL));
  REFUSES ("plan", memlane_plan_count_cells (NULL));
  REFUSES ("self", memlane_run_get_id (NULL));
  REFUSES ("self", memlane_run_get_device (NULL));
  REFUSES ("run", memlane_run_is_simulated (NULL));
  REFUSES ("self", memlane_run_count_cells (NULL));
  REFUSES ("self", memlane_run_get_cell (NULL, 0));
  REFUSES ("self", memlane_cell_get_workload (NULL));
  REFUSES ("self", memlane_cell_get_mode (NULL));
  REFUSES ("self", memlane_cell_get_elements (NULL));
  REFUSES ("self", memlane_cell_get_reuse (NULL));
  REFUSES ("self", memlane_cell_get_status (NULL) != MEMLANE_STATUS_ERROR);
  REFUSES ("self", memlane_cell_get_detail (NULL));
  REFUSES ("cell", memlane_cell_find (NULL, phase, MEMLANE_CLOCK_HOST));
  REFUSES ("self", memlane_figure_get_ns (NULL));
  REFUSES ("self", memlane_figure_get_low_ns (NULL));
  REFUSES ("self", memlane_figure_get_high_ns (NULL));
  REFUSES ("figure", memlane_figure_get_bandwidth (NULL));
  REFUSES ("self", memlane_figure_count_rounds (NULL));
  REFUSES ("plan", memlane_sweep_new ("simulated:h200", NULL, FALSE));
  REFUSES ("MEMLANE_IS_SWEEP", memlane_sweep_run (NULL, NULL, NULL));
  REFUSES ("MEMLANE_IS_SWEEP", memlane_sweep_run_finish (NULL, NULL, NULL));
  REFUSES ("MEMLANE_IS_SWEEP", memlane_sweep_get_fraction (NULL));
  REFUSES ("MEMLANE_IS_SWEEP", memlane_sweep_get_trouble (NULL));
  REFUSES ("run", memlane_csv_write (NULL, "x.csv", NULL));
  REFUSES ("path", memlane_csv_read (NULL, NULL, NULL));
  memlane_plan_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/public/lists", test_lists);
  g_test_add_func ("/public/plan", test_plan);
  g_test_add_func ("/public/sweep", test_sweep);
  g_test_add_func ("/public/misuse", test_misuse);
  return g_test_run ();
}
