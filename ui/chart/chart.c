/* chart.c: a chart's life, and the rules that its builder and its readers share
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart.h"

#include <string.h>

#include "base/each.h"
#include "base/owns.h"

MEMLANE_DEFINE_REF (MemlaneChart, memlane_chart,
                    OWNS (workload, g_free) OWNS (title, g_free) OWNS (subtitle, g_free)
                        OWNS (axis, g_free) OWNS (cache_label, g_free) OWNS (headline, g_free)
                            OWNS (note, g_free) OWNS (left_out, g_free) OWNS (trouble, g_free)
                                OWNS (series, g_ptr_array_unref)
                                    OWNS (ceiling_label, g_free))

const char *
memlane_chart_run_name (const MemlaneChartRun *run)
{
  return run->name != NULL && *run->name != '\0' ? run->name : run->run->id;
}

const MemlaneFigure *
memlane_chart_choose_figure (const MemlaneCell *cell, MemlanePhase phase)
{
  static const MemlaneClock order[] = { MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_HOST,
                                        MEMLANE_CLOCK_ISSUE };
  gboolean one_way = phase == MEMLANE_PHASE_UPLOAD || phase == MEMLANE_PHASE_KERNEL
                     || phase == MEMLANE_PHASE_DOWNLOAD;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (one_way || order[i] == MEMLANE_CLOCK_HOST)
      {
        const MemlaneFigure *figure = memlane_cell_find (cell, phase, order[i]);

        if (figure != NULL && figure->statistics.count > 0)
          return figure;
      }
  return NULL;
}

gboolean
memlane_chart_has_phase (const MemlaneRun *run, const char *workload, MemlanePhase phase)
{
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if ((workload == NULL || g_strcmp0 (cell->workload, workload) == 0)
        && memlane_chart_choose_figure (cell, phase) != NULL)
      return TRUE;
  return FALSE;
}

int
memlane_chart_compare_modes (gconstpointer a, gconstpointer b)
{
  const char *const *one = a, *const *other = b;
  const MemlaneMode *x = memlane_mode_find (*one), *y = memlane_mode_find (*other);

  if (x != NULL && y != NULL)
    /* both in the one registry */
    return x->family != y->family ? (x->family < y->family ? -1 : 1) : (x > y) - (x < y);
  if (x != NULL || y != NULL)
    return x != NULL ? -1 : 1;
  return strcmp (*one, *other);
}

MemlaneRun *
memlane_chart_count_run (MemlaneRun *run, MemlanePhase phase, MemlaneCount count, guint uses,
                         guint *n_lacking)
{
  *n_lacking = 0;
  if (phase != MEMLANE_PHASE_ELAPSED || count == MEMLANE_COUNT_TRANSFER)
    return memlane_run_ref (run);
  return memlane_run_count (run, count, MAX (uses, 1), n_lacking);
}

guint
memlane_chart_place_size (GArray *sizes, double log2_elements, gboolean add)
{
  guint place = 0;

  while (place < sizes->len && g_array_index (sizes, double, place) < log2_elements)
    place++;
  if (place < sizes->len && g_array_index (sizes, double, place) == log2_elements)
    return place;
  if (add)
    g_array_insert_val (sizes, place, log2_elements);
  return add ? place : G_MAXUINT;
}

gboolean
memlane_view_isolates (const MemlaneView *view, const MemlaneSeries *series)
{
  return view->isolated != NULL
         && (strcmp (view->isolated, series->id) == 0
             || g_strcmp0 (view->isolated, series->run) == 0
             || strcmp (view->isolated, series->mode) == 0);
}
