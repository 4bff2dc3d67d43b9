/* decide.c: how long the map of 20 modes x 19 sizes x 12 reuse values takes, from a loaded run; the bar is 100 ms
 *
 * SPDX-License-Identifier: MIT
 *
 * Prints figures and checks none: a busy machine must not fail.
 */
#include <stdio.h>

#include "analysis/decide.h"

static MemlaneStatistics
around (GRand *random, double ns)
{
  ns *= g_rand_double_range (random, 0.9, 1.1);
  return (MemlaneStatistics) { 30, ns, ns * 0.98, ns * 1.02, ns * 0.95, ns * 0.98, ns * 1.02, ns * 1.05 };
}

static MemlaneRun *
make_run (void)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_ALLOC, MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_UPLOAD, MEMLANE_PHASE_KERNEL,
                                         MEMLANE_PHASE_DOWNLOAD, MEMLANE_PHASE_ELAPSED, MEMLANE_PHASE_FREE };
  MemlaneRun *run = memlane_run_new ("benchmark", "cuda:0", "cuda");
  GRand *random = g_rand_new_with_seed (1);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    for (guint p = 10; p <= 28; p++)
      {
        MemlaneCell *cell = memlane_cell_new ("vector-add", modes[i].id, p);

        for (guint j = 0; j < G_N_ELEMENTS (phases); j++)
          for (guint clock = MEMLANE_CLOCK_DEVICE; clock < MEMLANE_N_CLOCKS; clock++)
            {
              MemlaneStatistics s = around (random, (10e3 + (double) cell->bytes / 20) * (1 + i % 5));

              memlane_cell_add_figure (cell, phases[j], (MemlaneClock) clock, &s, 3 * cell->bytes, MEMLANE_STATUS_OK, NULL);
            }
        g_ptr_array_add (run->cells, cell);
      }
  g_rand_free (random);
  return run;
}

static double
milliseconds_since (gint64 *mark)
{
  gint64 now = g_get_monotonic_time ();
  double ms = (double) (now - *mark) / 1e3;

  *mark = now;
  return ms;
}

int
main (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);

  g_ptr_array_add (runs, make_run ());
  for (guint direction = 0; direction < MEMLANE_N_DIRECTIONS; direction++)
    {
      gint64 mark = g_get_monotonic_time ();
      const MemlaneQuestion question = { .direction = (MemlaneDirection) direction };
      g_autoptr (MemlaneDecision) decision = memlane_decision_new (runs, &question);

      printf ("%-9s  map of %u modes x %u sizes x %u reuse values: %.1f ms (bar 100 ms)", memlane_direction_name (decision->direction),
              decision->n_modes, decision->n_sizes, MEMLANE_DECIDE_REUSES, milliseconds_since (&mark));
      g_ptr_array_unref (memlane_decision_recommend (decision, 20, 8));
      printf (", recommendation %.2f ms", milliseconds_since (&mark));
      g_ptr_array_unref (memlane_decision_describe_crossovers (decision));
      printf (", crossovers %.1f ms", milliseconds_since (&mark));
      g_ptr_array_unref (memlane_decision_describe_locking (decision));
      printf (", price of page-locking %.1f ms\n", milliseconds_since (&mark));
    }
  return 0;
}
