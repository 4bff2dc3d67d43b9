/* sample-cells.h: small runs for the tests of figures
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include "chart/chart.h"

static inline MemlaneFigure *
add_figure (MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock, double median, double low, double high, guint64 bytes_moved,
            MemlaneStatus status)
{
  MemlaneStatistics statistics = { 10, median, low, high, low, low, high, high };

  return memlane_cell_add_figure (cell, phase, clock, &statistics, bytes_moved, status, NULL);
}

/* A cell whose elapsed time on the host is @median +-10 %; three vectors are moved. The run owns it. */
static inline MemlaneCell *
add_cell (MemlaneRun *run, const char *mode, guint log2_elements, double median, MemlaneStatus status)
{
  MemlaneCell *cell = memlane_cell_new ("vector-add", mode, log2_elements);

  cell->status = status;
  if (status == MEMLANE_STATUS_OK || status == MEMLANE_STATUS_NOISY)
    add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, median, median * 0.9, median * 1.1, 3 * cell->bytes, status);
  g_ptr_array_add (run->cells, cell);
  return cell;
}

static inline const MemlaneSeries *
get_series (const MemlaneChart *chart, guint i)
{
  g_assert_cmpuint (i, <, chart->series->len);
  return chart->series->pdata[i];
}

static inline const MemlaneChartPoint *
get_point (const MemlaneSeries *series, guint i)
{
  g_assert_cmpuint (i, <, series->points->len);
  return &g_array_index (series->points, MemlaneChartPoint, i);
}

/* What must hold of every chart. */
static inline void
check_chart (const MemlaneChart *chart)
{
  g_autoptr(GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *words = memlane_chart_describe (chart);

  g_assert_true (g_utf8_validate (words, -1, NULL));
  g_assert_true (g_str_has_suffix (words, "."));
  g_assert_cmpint (chart->trouble == NULL, ==, chart->series->len > 0);
  g_assert_nonnull (chart->title);
  g_assert_nonnull (chart->subtitle);
  g_assert_nonnull (chart->workload);
  g_assert_cmpuint (chart->first_log2, <=, chart->last_log2);
  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = get_series (chart, i);

      g_assert_true (g_hash_table_add (ids, series->id));
      g_assert_cmpstr (series->label, !=, NULL);
      g_assert_cmpuint (series->points->len, >, 0);
      for (guint j = 0; j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = get_point (series, j);

          g_assert_true (isfinite (point->value) && isfinite (point->low) && isfinite (point->high));
          g_assert_cmpfloat (point->low, >, 0);
          g_assert_cmpfloat (point->low, <=, point->value);
          g_assert_cmpfloat (point->value, <=, point->high);
          g_assert_cmpfloat (point->elements, >, 0);
          g_assert_cmpint (point->cell == NULL, ==, series->role == MEMLANE_SERIES_PUBLISHED);
          g_assert_cmpint (point->figure == NULL, ==, point->cell == NULL);
          if (j > 0)
            g_assert_cmpuint (get_point (series, j - 1)->log2_elements, <, point->log2_elements);
          if (series->role != MEMLANE_SERIES_PUBLISHED)
            {
              g_assert_cmpuint (point->log2_elements, >=, chart->first_log2);
              g_assert_cmpuint (point->log2_elements, <=, chart->last_log2);
            }
        }
    }
  g_assert_cmpint (chart->ceiling_label != NULL, ==, isfinite (chart->ceiling) && chart->ceiling > 0);
}
