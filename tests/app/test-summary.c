/* test-summary.c: what a run came to, counted
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static void
add_cell (MemlaneRun *run, MemlaneStatus elapsed, MemlaneStatus free)
{
  MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 10);
  const MemlaneStatistics statistics = { 10, 2, 1, 3, 1, 1, 3, 3 };

  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 12288, elapsed, NULL);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, &statistics, 0, free, NULL);
  g_ptr_array_add (run->cells, cell);
}

static void
add_trouble (MemlaneRun *run, MemlaneStatus status)
{
  MemlaneCell *cell = memlane_cell_new ("vector-add", "system", 10);

  cell->status = status;
  g_ptr_array_add (run->cells, cell);
}

static void
test_noisy (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("run", "simulated:h200", "simulated");
  CliCount count;

  add_cell (run, MEMLANE_STATUS_OK, MEMLANE_STATUS_OK);
  add_cell (run, MEMLANE_STATUS_OK, MEMLANE_STATUS_NOISY); /* a noisy cell, but not by what people ask about first */
  add_cell (run, MEMLANE_STATUS_NOISY, MEMLANE_STATUS_OK);
  g_assert_cmpint (((MemlaneCell *) run->cells->pdata[1])->status, ==, MEMLANE_STATUS_NOISY);
  cli_count_cells (run, &count);
  g_assert_cmpuint (count.measured, ==, 3);
  g_assert_cmpuint (count.noisy, ==, 1);
  g_assert_cmpint (cli_count_status (&count, FALSE), ==, CLI_OK);
}

static void
test_status (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("run", "simulated:h200", "simulated");
  CliCount count;

  add_trouble (run, MEMLANE_STATUS_UNSUPPORTED);
  cli_count_cells (run, &count);
  g_assert_cmpint (cli_count_status (&count, FALSE), ==, CLI_OK);
  add_trouble (run, MEMLANE_STATUS_MISMATCH);
  cli_count_cells (run, &count);
  g_assert_cmpint (cli_count_status (&count, FALSE), ==, CLI_NOTHING);
  add_cell (run, MEMLANE_STATUS_OK, MEMLANE_STATUS_OK);
  add_trouble (run, MEMLANE_STATUS_CANCELLED);
  cli_count_cells (run, &count);
  g_assert_cmpint (cli_count_status (&count, FALSE), ==, CLI_FAILED_CELLS);
  g_assert_cmpint (cli_count_status (&count, TRUE), ==, CLI_INTERRUPTED);
  g_assert_cmpuint (count.measured, ==, 1);
  g_assert_cmpuint (count.unsupported, ==, 1);
  g_assert_cmpuint (count.failed, ==, 1);
  g_assert_cmpuint (count.cancelled, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/summary/noisy", test_noisy);
  g_test_add_func ("/summary/status", test_status);
  return g_test_run ();
}
