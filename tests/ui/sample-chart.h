/* sample-chart.h: a small chart whose values are known
 *
 * SPDX-License-Identifier: MIT
 *
 * Three modes over 2^10..2^14: mapped is fastest, then pinned, then pageable; pinned at 2^12 is noisy. elapsed and upload; the clock is the
 * host's.
 */
#pragma once

#include "chart/chart.h"

#define SAMPLE_FIRST 10
#define SAMPLE_LAST 14

static const struct
{
  const char *mode;
  double bandwidth; /* bytes per second at every size */
} sample_modes[] = { { "pageable", 15e9 }, { "pinned", 40e9 }, { "mapped", 50e9 } };

static inline void
sample_add_figure (MemlaneCell *cell, MemlanePhase phase, double bandwidth, MemlaneStatus status)
{
  guint64 bytes = 3 * cell->bytes;
  double time = bytes / bandwidth * 1e9;
  MemlaneStatistics statistics = { 9, time, time * 0.98, time * 1.02, time * 0.95, time * 0.97, time * 1.03, time * 1.1 };

  memlane_cell_add_figure (cell, phase, MEMLANE_CLOCK_HOST, &statistics, bytes, status, NULL);
}

static inline MemlaneRun *
sample_run_new (const char *id, double factor)
{
  MemlaneRun *run = memlane_run_new (id, "simulated:h200", "simulated");

  for (guint i = 0; i < G_N_ELEMENTS (sample_modes); i++)
    for (guint log2 = SAMPLE_FIRST; log2 <= SAMPLE_LAST; log2++)
      {
        gboolean noisy = i == 1 && log2 == 12;
        MemlaneCell *cell = memlane_cell_new ("vector-add", sample_modes[i].mode, log2);

        cell->elements = G_GUINT64_CONSTANT (1) << log2;
        cell->bytes = cell->elements * sizeof (float);
        cell->reuse = 1;
        cell->status = noisy ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK;
        sample_add_figure (cell, MEMLANE_PHASE_UPLOAD, 2 * factor * sample_modes[i].bandwidth, MEMLANE_STATUS_OK);
        sample_add_figure (cell, MEMLANE_PHASE_ELAPSED, factor * sample_modes[i].bandwidth, cell->status);
        g_ptr_array_add (run->cells, cell);
      }
  return run;
}

static inline MemlaneChart *
sample_chart_new (MemlaneQuantity quantity, MemlanePhase phase, gboolean log_values)
{
  g_autoptr(MemlaneRun) run = sample_run_new ("20261121T101400Z-sample", 1);
  MemlaneChartRun shown = { run, "sample" };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.quantity = quantity;
  options.phase = phase;
  options.axis = log_values;
  return memlane_chart_build (&shown, 1, &options);
}
