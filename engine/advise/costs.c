/* costs.c: what copies and page-locking cost, by bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "costs.h"

#include <string.h>

#include "advise.h"
#include "base/data-file.h"
#include "base/each.h"
#include "mode/workload.h"
#include "result/csv.h"

typedef struct
{
  double bytes;
  guint copies; /* of that many bytes in the phase: fewer are closer to a copy alone */
  MemlaneEstimate ns;
} Point;

static const struct
{
  const char *mode;
  MemlanePhase phase;
  MemlaneClock clock; /* the host does not wait for a prefetch */
} sources[] = {
  [MEMLANE_COST_PAGEABLE_UP] = { "pageable", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST },
  [MEMLANE_COST_PAGEABLE_DOWN] = { "pageable", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_HOST },
  [MEMLANE_COST_PINNED_UP] = { "pinned", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST },
  [MEMLANE_COST_PINNED_DOWN] = { "pinned", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_HOST },
  [MEMLANE_COST_PREFETCH_UP] = { "managed-prefetch", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE },
  [MEMLANE_COST_PREFETCH_DOWN] = { "managed-prefetch", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE },
  [MEMLANE_COST_LOCK] = { "pinned", MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST },
};

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *one = a, *other = b;

  return one->bytes < other->bytes ? -1 : one->bytes > other->bytes;
}

static void
add (GArray *points, const Point *point)
{
  if (!memlane_estimate_is_known (&point->ns))
    return;
  for (guint i = 0; i < points->len; i++)
    {
      Point *known = &g_array_index (points, Point, i);

      if (known->bytes == point->bytes)
        {
          if (point->copies < known->copies)
            *known = *point;
          return;
        }
    }
  g_array_append_val (points, *point);
}

static MemlaneEstimate
estimate (const MemlaneCell *cell, MemlanePhase phase)
{
  return memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST) : NULL);
}

/* Compares the same vectors in page-locked and in pageable memory. Page-locking touches the pages; elsewhere the first write does. */
static void
add_lock (MemlaneCosts *self, const MemlaneRun *run, const MemlaneCell *cell, guint vectors)
{
  const MemlaneCell *pageable = memlane_run_find (run, cell->workload, "pageable", cell->log2_elements);
  MemlaneEstimate locked = estimate (cell, MEMLANE_PHASE_ALLOC), plain = estimate (pageable, MEMLANE_PHASE_ALLOC);
  MemlaneEstimate whole = memlane_estimate_subtract (&locked, &plain);
  MemlaneEstimate first = estimate (pageable, MEMLANE_PHASE_HOST_WRITE), later = estimate (cell, MEMLANE_PHASE_HOST_WRITE);
  MemlaneEstimate touch = memlane_estimate_subtract (&first, &later);
  Point point = { .bytes = (double) cell->bytes * vectors, .copies = vectors, .ns = whole };

  if (!memlane_estimate_is_known (&whole) || vectors == 0)
    return;
  point.ns.low = MAX (0, whole.value - (memlane_estimate_is_known (&touch) ? MAX (0, touch.value) : 0));
  point.ns.value = MAX (point.ns.value, point.ns.low);
  point.ns.high = MAX (point.ns.high, point.ns.value);
  if (point.ns.value > 0)
    add (self->points[MEMLANE_COST_LOCK], &point);
}

static void
add_cell (MemlaneCosts *self, const MemlaneRun *run, const MemlaneCell *cell)
{
  const MemlaneWorkload *workload = memlane_workload_find (cell->workload);

  for (guint i = 0; i < MEMLANE_COST_LOCK; i++)
    {
      const MemlaneFigure *figure = memlane_cell_find (cell, sources[i].phase, sources[i].clock);
      guint copies = figure != NULL && cell->bytes > 0 ? (guint) (figure->bytes_moved / cell->bytes) : 0;
      MemlaneEstimate ns;
      Point point;

      if (copies == 0 || strcmp (cell->mode, sources[i].mode) != 0)
        continue;
      ns = memlane_estimate_from_figure (figure);
      point = (Point) { (double) cell->bytes, copies, memlane_estimate_scale (&ns, 1.0 / copies) };
      add (self->points[i], &point);
    }
  if (workload != NULL && strcmp (cell->mode, sources[MEMLANE_COST_LOCK].mode) == 0)
    add_lock (self, run, cell, workload->up + workload->down);
}

void
memlane_costs_init (MemlaneCosts *self, const GPtrArray *runs)
{
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    self->points[i] = g_array_new (FALSE, FALSE, sizeof (Point));
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    for (guint k = 0; k < run->cells->len; k++)
      if (((MemlaneCell *) run->cells->pdata[k])->reuse == 1)
        add_cell (self, run, run->cells->pdata[k]);
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    g_array_sort (self->points[i], compare_points);
}

void
memlane_costs_clear (MemlaneCosts *self)
{
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    g_array_unref (self->points[i]);
}

static double
between (double a, double b, double share)
{
  return a > 0 && b > 0 ? exp (log (a) + share * (log (b) - log (a))) : a + share * (b - a);
}

MemlaneEstimate
memlane_costs_at (const MemlaneCosts *self, MemlaneCostCurve curve, double bytes)
{
  const GArray *points = self->points[curve];
  const Point *p = (const Point *) (gconstpointer) points->data;
  guint n = points->len, i = 0;
  double share;

  if (n == 0)
    return MEMLANE_ESTIMATE_UNKNOWN;
  if (bytes <= p[0].bytes)
    return p[0].ns;
  if (bytes >= p[n - 1].bytes)
    return memlane_estimate_scale (&p[n - 1].ns, bytes / p[n - 1].bytes);
  while (bytes > p[i + 1].bytes)
    i++;
  share = log (bytes / p[i].bytes) / log (p[i + 1].bytes / p[i].bytes);
  return (MemlaneEstimate) { between (p[i].ns.value, p[i + 1].ns.value, share), between (p[i].ns.low, p[i + 1].ns.low, share),
                             between (p[i].ns.high, p[i + 1].ns.high, share) };
}

GPtrArray *
memlane_advise_recorded_runs (GError **error)
{
  static const char *const names[] = { "copy-to-device", "copy-to-device-large", "copy-to-host", "copy-to-host-large", "vector-add",
                                       "vector-add-large" };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *relative = g_strdup_printf ("recordings/h200-%s.csv", names[i]), *path = memlane_data_find (relative);
      GPtrArray *read = path != NULL ? memlane_csv_read (path, NULL, NULL, NULL, error) : NULL;

      if (path != NULL && read == NULL)
        return NULL;
      if (read != NULL)
        g_ptr_array_extend_and_steal (runs, read);
    }
  return g_steal_pointer (&runs);
}
