/* large-csv.h: a CSV of any number of rows, as a machine writes that measured for weeks
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "result/statistics.h"
#include "mode/mode.h"
#include "result/csv.h"

#define LARGE_CSV_PHASES 10 /* rows of a cell, as a sweep has them */

typedef enum
{
  LARGE_CSV_ONE_RUN,     /* known modes first, then thousands that Memlane does not know: a run has each cell once */
  LARGE_CSV_MANY_RUNS,   /* a run for each time that all modes and sizes were measured */
} LargeCsvShape;

static void
large_csv_add_figure (MemlaneCell *cell, GRand *random, MemlanePhase phase, MemlaneClock clock)
{
  double samples[12];
  MemlaneStatistics statistics;

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = g_rand_double_range (random, 1e5, 1.2e5) * (double) (cell->log2_elements - 8);
  memlane_statistics_compute (samples, phase == MEMLANE_PHASE_FIRST ? 1 : G_N_ELEMENTS (samples), &statistics);
  memlane_cell_add_figure (cell, phase, clock, &statistics, cell->bytes * 3, MEMLANE_STATUS_OK, NULL);
}

static gboolean
large_csv_write (const char *path, guint rows, LargeCsvShape shape)
{
  static const struct
  {
    MemlanePhase phase;
    MemlaneClock clock;
  } figures[LARGE_CSV_PHASES] = {
    { MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST },     { MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST },
    { MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE },  { MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE },
    { MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE },  { MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE },
    { MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST },   { MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST },
    { MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST },      { MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST },
  };
  guint n_modes;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);
  const guint sizes = 19;
  g_autoptr (GString) text = g_string_sized_new ((gsize) rows * 320);
  g_autoptr (MemlaneRun) run = memlane_run_new ("20261121T101400.000Z-cuda-0-vector-add", "cuda:0", "cuda");
  GRand *random = g_rand_new_with_seed (1);

  memlane_csv_append_header (text);
  for (guint i = 0; i < rows / LARGE_CSV_PHASES; i++)
    {
      g_autofree char *other = shape == LARGE_CSV_ONE_RUN && i / sizes >= n_modes ? g_strdup_printf ("mode-%u", i / sizes) : NULL;
      g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", other != NULL ? other : modes[i / sizes % n_modes].id,
                                                       10 + i % sizes);

      if (shape == LARGE_CSV_MANY_RUNS && i % (sizes * n_modes) == 0)
        {
          g_free (run->id);
          run->id = g_strdup_printf ("20261121T101400.%03uZ-cuda-0-vector-add", i / (sizes * n_modes));
        }
      for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
        large_csv_add_figure (cell, random, figures[k].phase, figures[k].clock);
      memlane_csv_append_cell (text, run, cell);
    }
  g_rand_free (random);
  return g_file_set_contents (path, text->str, (gssize) text->len, NULL);
}
