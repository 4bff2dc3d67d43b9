/* test-run.c: the records of a run
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>

#include "result/run.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/run/cell", test_cell);
  return g_test_run ();
}
