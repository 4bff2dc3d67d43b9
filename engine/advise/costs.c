/* costs.c: what copies and page-locking cost, by bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "costs.h"

#include <string.h>

#include "advise.h"
#include "base/data-file.h"
#include "base/each.h"
#include "measure/measure.h"
#include "mode/workload.h"
#include "result/csv.h"
#include "result/environment.h"

#define MOST_OWN_RUNS 8 /* the newest of somebody's own sweeps */

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
  [MEMLANE_COST_MAPPED] = { "mapped", MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE },
  [MEMLANE_COST_LOCK] = { "pinned", MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST },
};

MEMLANE_DEFINE_ORDER (compare_points, Point, RISING (bytes))

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

#define HOST_NS(cell, phase) memlane_estimate_of (cell, MEMLANE_PHASE_##phase, MEMLANE_CLOCK_HOST)

/* Compares the same vectors in page-locked and in pageable memory. Page-locking touches the pages; elsewhere the first write does. */
static void
add_lock (MemlaneCosts *self, const MemlaneRun *run, const MemlaneCell *cell, guint vectors)
{
  const MemlaneCell *pageable = memlane_run_find (run, cell->workload, "pageable", cell->log2_elements);
  MemlaneEstimate locked = HOST_NS (cell, ALLOC), plain = HOST_NS (pageable, ALLOC);
  MemlaneEstimate whole = memlane_estimate_subtract (&locked, &plain);
  MemlaneEstimate first = HOST_NS (pageable, HOST_WRITE), later = HOST_NS (cell, HOST_WRITE);
  MemlaneEstimate touch = memlane_estimate_subtract (&first, &later);
  Point point = { .bytes = (double) cell->bytes * vectors, .copies = memlane_estimate_is_known (&touch) ? 0 : 1, .ns = whole };

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
  static const char *const workloads[] = { "copy-to-device", "copy-to-host", "vector-add", NULL };
  const MemlaneWorkload *workload = memlane_workload_find (cell->workload);

  /* In the others copies disturb each other, or the host does not wait for each. */
  if (workload == NULL || !g_strv_contains (workloads, cell->workload))
    return;
  for (guint i = 0; i < MEMLANE_COST_LOCK; i++)
    {
      const MemlaneFigure *figure = memlane_cell_find (cell, sources[i].phase, sources[i].clock);
      guint copies = figure == NULL || cell->bytes == 0 ? 0 : i == MEMLANE_COST_MAPPED ? workload->up
                                                                                       : (guint) (figure->bytes_moved / cell->bytes);
      MemlaneEstimate ns;
      Point point;

      if (copies == 0 || strcmp (cell->mode, sources[i].mode) != 0)
        continue;
      ns = memlane_estimate_from_figure (figure);
      point = (Point) { (double) cell->bytes, copies, memlane_estimate_scale (&ns, 1.0 / copies) };
      add (self->points[i], &point);
    }
  if (strcmp (cell->mode, sources[MEMLANE_COST_LOCK].mode) == 0)
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

/* --- whose costs ----------------------------------------------------------------------------------------------------------- */

gboolean
memlane_costs_are_known (const MemlaneCosts *self)
{
  return self->points[MEMLANE_COST_PAGEABLE_UP]->len > 0 && self->points[MEMLANE_COST_PINNED_UP]->len > 0;
}

/* (transfer full): "NVIDIA A100-PCIE-40GB" and "NVIDIA A100 PCIe 40 GB (simulated)" alike. */
static char *
plain_name (const char *gpu)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = g_str_has_prefix (gpu, "NVIDIA ") ? gpu + strlen ("NVIDIA ") : gpu; *p != '\0' && *p != '('; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (plain, g_ascii_tolower (*p));
  return g_string_free (plain, FALSE);
}

gboolean
memlane_costs_fit (const char *name, const char *gpu)
{
  g_autofree char *one = plain_name (name), *other = plain_name (gpu);

  return strcmp (one, other) == 0;
}

/* Reads those files of @folder that are sweeps of @gpu, until there are @most runs; what cannot be read is told where runs are opened. */
static void
add_files (GPtrArray *runs, const char *folder, const char *gpu, guint most)
{
  g_autoptr (GPtrArray) paths = memlane_data_list_files (folder, ".csv");

  for (guint i = paths->len; i-- > 0 && runs->len < most;) /* begins with a date: the newest first */
    {
      g_autofree char *beside = memlane_csv_environment_path (paths->pdata[i]);
      g_autoptr (MemlaneEnvironment) environment = memlane_environment_read (beside, NULL);
      const char *name = environment != NULL ? memlane_environment_get_text (environment, MEMLANE_ENVIRONMENT_DEVICE_NAME) : NULL;
      GPtrArray *read = NULL;

      if (name != NULL && memlane_costs_fit (name, gpu) && !memlane_environment_get_flag (environment, MEMLANE_ENVIRONMENT_SIMULATED)
          && !memlane_environment_get_flag (environment, MEMLANE_ENVIRONMENT_COLD_CACHE)
          && !(memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_REUSE) > 1))
        read = memlane_csv_read (paths->pdata[i], NULL, NULL, NULL, NULL);
      if (read != NULL)
        g_ptr_array_extend_and_steal (runs, read);
    }
}

static void
ignore_cb (const MemlaneRun *run, const MemlaneMode *mode, double log2_elements, MemlaneCell *finished, gpointer user_data)
{
}

/* Adds what the profile of @gpu computes, if there is one. That takes a fraction of a second. */
static void
add_model (GPtrArray *runs, const char *gpu)
{
  g_autoptr (GPtrArray) devices = memlane_device_list_simulated ();

  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, devices)
    {
      g_autoptr (MemlaneDevice) device = NULL;
      g_autoptr (MemlanePlan) plan = memlane_plan_new ();
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

      if (runs->len > 0 || listing->reason != NULL || !memlane_costs_fit (listing->name, gpu)
          || !memlane_plan_set_modes (plan, "pageable,pinned,managed-prefetch,mapped", NULL)
          || (device = memlane_device_open (listing->id, NULL)) == NULL)
        continue;
      for (guint i = 0; i < memlane_plan_count_cells (plan); i++)
        g_array_append_val (order, i);
      g_ptr_array_add (runs, memlane_measure_round (device, plan, order, ignore_cb, NULL, NULL));
    }
}

GPtrArray *
memlane_advise_find_runs (const char *gpu)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  gboolean known = FALSE;

  for (guint i = 0; i < 4 && !known; i++)
    {
      MemlaneCosts costs;

      g_ptr_array_set_size (runs, 0);
      if (i == 0 && gpu != NULL)
        add_files (runs, "runs", gpu, MOST_OWN_RUNS);
      else if (i == 2 && gpu != NULL)
        add_model (runs, gpu);
      else if (i == 3 || (i == 1 && gpu != NULL))
        add_files (runs, "recordings", i == 3 ? "NVIDIA H200" : gpu, G_MAXUINT);
      memlane_costs_init (&costs, runs);
      known = memlane_costs_are_known (&costs);
      memlane_costs_clear (&costs);
    }
  return runs;
}
