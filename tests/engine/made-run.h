/* made-run.h: runs with a known law and known noise, for the tests of engine/analysis/
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>
#include <string.h>

#include "engine/set-environment.h"
#include "result/statistics.h"
#include "result/run.h"

/* One draw of the standard normal distribution (Box & Muller). */
static inline double
draw_normal (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

/* @count samples of @ns with a relative noise of @noise, as a cell would have them. */
static inline MemlaneStatistics
draw_statistics (GRand *random, double ns, double noise, guint count)
{
  g_autofree double *samples = g_new (double, count);
  MemlaneStatistics statistics;

  for (guint i = 0; i < count; i++)
    samples[i] = MAX (ns * (1 + noise * draw_normal (random)), ns * 1e-3);
  memlane_statistics_compute (samples, count, &statistics);
  return statistics;
}

static inline MemlaneStatistics
exact_statistics (double ns)
{
  return (MemlaneStatistics) { 20, ns, ns * 0.995, ns * 1.005, ns * 0.99, ns * 0.995, ns * 1.005, ns * 1.01 };
}

/* A run of one made machine; @machine "": without an environment. */
static inline MemlaneRun *
made_run (const char *id, const char *machine)
{
  MemlaneRun *run = memlane_run_new (id, "cuda:0", "cuda");

  if (machine[0] != '\0')
    set_environment (run, "{ \"device\": { \"kind\": \"cuda\", \"name\": \"%s\", \"driver\": \"1\" } }", machine);
  return run;
}

static inline MemlaneCell *
add_cell (MemlaneRun *run, const char *mode, guint log2_elements, guint reuse)
{
  MemlaneCell *cell = memlane_cell_new ("vector-add", mode, log2_elements);

  cell->reuse = reuse;
  g_ptr_array_add (run->cells, cell);
  return cell;
}

static inline void
add_time (MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock, guint64 bytes_moved, double ns)
{
  MemlaneStatistics statistics = exact_statistics (ns);

  memlane_cell_add_figure (cell, phase, clock, &statistics, bytes_moved, MEMLANE_STATUS_OK, NULL);
}
