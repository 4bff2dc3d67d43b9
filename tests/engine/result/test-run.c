/* test-run.c: the records of a run
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>

#include "result/run.h"

static void
test_bandwidth (void)
{
  MemlaneFigure figure = { .clock = MEMLANE_CLOCK_HOST,
                           .statistics = { .count = 10, .median = 2e6 },
                           .bytes_moved = 8 << 20 };

  g_assert_cmpfloat_with_epsilon (memlane_figure_get_bandwidth (&figure), 4194304000.0,
                                  1e-3); /* 8 MiB in 2 ms */
  figure.clock = MEMLANE_CLOCK_ISSUE; /* the calls have returned, and nothing need have moved */
  g_assert_cmpfloat (memlane_figure_get_bandwidth (&figure), ==, 0);
  figure.clock = MEMLANE_CLOCK_HOST;
  figure.statistics.count = 0;
  g_assert_cmpfloat (memlane_figure_get_bandwidth (&figure), ==, 0);
  figure.statistics.count = 10;
  figure.bytes_moved = 0;
  g_assert_cmpfloat (memlane_figure_get_bandwidth (&figure), ==, 0);
  figure.bytes_moved = 1;
  figure.statistics.median = 0;
  g_assert_cmpfloat (memlane_figure_get_bandwidth (&figure), ==, 0);
}

static void
test_cell (void)
{
  g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 20);
  MemlaneStatistics statistics = { .count = 1, .median = 5 };
  const MemlaneFigure *figure;

  g_assert_cmpuint (cell->elements, ==, 1048576);
  g_assert_cmpuint (cell->bytes, ==, 4194304);
  g_assert_cmpuint (cell->reuse, ==, 1);
  g_assert_cmpuint (cell->status, ==, MEMLANE_STATUS_OK);

  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 0,
                           MEMLANE_STATUS_NOISY, "");
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &statistics, 0,
                           MEMLANE_STATUS_OK, "up");
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_ISSUE, NULL, 0,
                           MEMLANE_STATUS_OK, NULL);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, &statistics, 0,
                           MEMLANE_STATUS_OK, NULL);

  /* In the order of the CSV, whatever the order of adding; the cell says the worst. */
  g_assert_cmpuint (cell->figures->len, ==, 4);
  figure = g_ptr_array_index (cell->figures, 0);
  g_assert_true (figure->phase == MEMLANE_PHASE_UPLOAD && figure->clock == MEMLANE_CLOCK_ISSUE
                 && figure->statistics.count == 0);
  figure = g_ptr_array_index (cell->figures, 1);
  g_assert_true (figure->phase == MEMLANE_PHASE_UPLOAD && figure->clock == MEMLANE_CLOCK_DEVICE);
  g_assert_cmpstr (figure->detail, ==, "up");
  figure = g_ptr_array_index (cell->figures, 2);
  g_assert_true (figure->phase == MEMLANE_PHASE_ELAPSED && figure->detail == NULL);
  g_assert_cmpuint (cell->status, ==, MEMLANE_STATUS_NOISY);

  g_assert_true (memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE)
                 == g_ptr_array_index (cell->figures, 1));
  g_assert_null (memlane_cell_find (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE));

  /* A second one for the same place takes the first one's. */
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &statistics, 7,
                           MEMLANE_STATUS_OK, NULL);
  g_assert_cmpuint (cell->figures->len, ==, 4);
  figure = g_ptr_array_index (cell->figures, 1);
  g_assert_cmpuint (figure->bytes_moved, ==, 7);
}

static void
test_run (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("id", "cuda:0", "cuda");
  g_autoptr (MemlaneRun) again = memlane_run_ref (run);
  g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 12);

  g_assert_true (again == run);
  g_ptr_array_add (run->cells, memlane_cell_ref (cell));
  g_ptr_array_add (run->cells, memlane_cell_new ("vector-add", "mapped", 12));
  g_assert_true (memlane_run_find (run, "vector-add", "pinned", 12) == cell);
  g_assert_true (memlane_run_find (run, "vector-add", "mapped", 12)
                 == g_ptr_array_index (run->cells, 1));
  g_assert_null (memlane_run_find (run, "vector-add", "pinned", 13));
  g_assert_null (memlane_run_find (run, "copy-to-host", "pinned", 12));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/run/bandwidth", test_bandwidth);
  g_test_add_func ("/result/run/cell", test_cell);
  g_test_add_func ("/result/run/run", test_run);
  return g_test_run ();
}
