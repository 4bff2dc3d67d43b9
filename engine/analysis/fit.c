/* fit.c: latency and bandwidth by weighted least squares on relative errors
 *
 * SPDX-License-Identifier: MIT
 */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "mode/workload.h"
#include "result/environment.h"
#include "result/statistics.h"

#define MOST_SIZES 32
#define Z95 1.959963985
#define LEAST_DEVIATION 1e-4 /* relative: a clock's resolution */
#define ROUNDS 30
#define NOISE_ALLOWED 3.5   /* a size's own standard deviations that it may be off the line */

typedef struct
{
  double log2;
  double x, y; /* bytes, ns */
  double s;    /* standard deviation of y / y */
} Point;

/* y = a + b x, the covariance of (a, b) for a scatter of 1, and the scatter */
typedef struct
{
  double a, b;
  double v_aa, v_bb, v_ab, scatter;
} Line;

static double
line_at (const Line *line, double x)
{
  return line->a + line->b * x;
}

/* The reference of a relative distance: the line, unless it is nonsense there. */
static double
scale_at (const Line *line, const Point *point)
{
  return MAX (line_at (line, point->x), point->y / 4);
}

static void
lay_weighted_line (const Point *points, guint n, Line *line)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      double w = 0, wx = 0, wy = 0, sxx = 0, sxy = 0, mean_x, mean_y, sum = 0, a = line->a, b = line->b;

      for (guint i = 0; i < n; i++)
        {
          double weight = 1 / pow (points[i].s * scale_at (line, &points[i]), 2);

          w += weight;
          wx += weight * points[i].x;
          wy += weight * points[i].y;
        }
      mean_x = wx / w;
      mean_y = wy / w;
      for (guint i = 0; i < n; i++)
        {
          double weight = 1 / pow (points[i].s * scale_at (line, &points[i]), 2);

          sxx += weight * (points[i].x - mean_x) * (points[i].x - mean_x);
          sxy += weight * (points[i].x - mean_x) * (points[i].y - mean_y);
        }
      b = sxy / sxx;
      a = mean_y - b * mean_x;
      if (a < 0) /* no call takes less than no time: the best line through the origin */
        {
          b = (sxy + w * mean_x * mean_y) / (sxx + w * mean_x * mean_x);
          a = 0;
        }
      for (guint i = 0; i < n; i++)
        sum += pow ((points[i].y - a - b * points[i].x) / (points[i].s * scale_at (line, &points[i])), 2);
      line->v_bb = 1 / sxx;
      line->v_aa = 1 / w + mean_x * mean_x / sxx;
      line->v_ab = -mean_x / sxx;
      line->scatter = n > 2 ? sum / (n - 2) : NAN;
      if (fabs (a - line->a) <= 1e-9 * fabs (a) && fabs (b - line->b) <= 1e-9 * fabs (b))
        round = ROUNDS;
      line->a = a;
      line->b = b;
    }
}

/* --- what the line says ------------------------------------------------------------------------------------------------ */

static MemlaneEstimate
reciprocal (double value, double half, double unit)
{
  if (!(value > 0))
    return MEMLANE_ESTIMATE_UNKNOWN;
  return (MemlaneEstimate) { unit / value, unit / (value + half), value > half ? unit / (value - half) : INFINITY };
}

/* a / b by Fieller's theorem: all q with (a - q b)^2 <= t^2 var (a - q b). */
static MemlaneEstimate
ratio (const Line *line, double t)
{
  double k = t * t * line->scatter;
  double A = line->b * line->b - k * line->v_bb, B = line->a * line->b - k * line->v_ab, C = line->a * line->a - k * line->v_aa;
  double value = line->a / line->b, root = sqrt (MAX (B * B - A * C, 0));

  if (!(line->b > 0))
    return MEMLANE_ESTIMATE_UNKNOWN;
  if (A <= 0) /* the slope may be 0 */
    return (MemlaneEstimate) { value, -INFINITY, INFINITY };
  return (MemlaneEstimate) { value, MIN ((B - root) / A, value), MAX ((B + root) / A, value) };
}

static void
fit_stretch (const Point *points, guint n, double ceiling, MemlaneFit *fit)
{
  Line laid = { 0 }, *line = &laid;
  double t, half_a, half_b;
  gboolean straight;

  lay_weighted_line (points, n, line);
  t = memlane_student_quantile (n - 2);
  half_a = t * sqrt (line->scatter * line->v_aa);
  half_b = t * sqrt (line->scatter * line->v_bb);
  straight = line->b > 0 && 1e9 / line->b <= ceiling;
  fit->latency_ns = (MemlaneEstimate) { line->a, MAX (line->a - half_a, 0), line->a + half_a };
  fit->bandwidth = reciprocal (line->b, half_b, 1e9);
  fit->bandwidth.high = MIN (fit->bandwidth.high, MAX (ceiling, fit->bandwidth.value));
  fit->half_bytes = ratio (line, t);
  fit->half_bytes.low = MAX (fit->half_bytes.low, 0);
  fit->first_log2 = points[0].log2;
  fit->last_log2 = points[n - 1].log2;
  fit->n_sizes = n;
  fit->worst = 0;
  fit->worst_log2 = points[0].log2;
  for (guint i = 0; i < n; i++)
    {
      double off = fabs (points[i].y - line_at (line, points[i].x)) / scale_at (line, &points[i]);

      if (off > fit->worst)
        {
          fit->worst = off;
          fit->worst_log2 = points[i].log2;
        }
      straight = straight && off <= MAX (MEMLANE_FIT_BAR, NOISE_ALLOWED * points[i].s);
    }
  fit->verdict = straight ? MEMLANE_FIT_STRAIGHT : MEMLANE_FIT_BENT;
}

/* The relative standard deviation of each median: half its own interval, which is a rough guess from few samples, half the usual one. */
static void
weigh (Point *points, guint n)
{
  double sorted[MOST_SIZES], usual;

  for (guint i = 0; i < n; i++)
    sorted[i] = points[i].s;
  usual = memlane_median (sorted, n);
  for (guint i = 0; i < n; i++)
    points[i].s = MAX (hypot (points[i].s, usual) / G_SQRT2, LEAST_DEVIATION);
}

void
memlane_fit_points (const MemlaneFitPoint *offered, guint n_offered, double ceiling, MemlaneFit *fit)
{
  Point points[MOST_SIZES];
  guint n = 0;

  *fit = (MemlaneFit) {
    .verdict = MEMLANE_FIT_TOO_FEW, .latency_ns = MEMLANE_ESTIMATE_UNKNOWN, .bandwidth = MEMLANE_ESTIMATE_UNKNOWN,
    .half_bytes = MEMLANE_ESTIMATE_UNKNOWN, .worst = NAN,
  };
  const guint step = (n_offered + MOST_SIZES - 1) / MOST_SIZES; /* of very many sizes every second, or third, and the last */

  for (guint i = n_offered > 0 ? (n_offered - 1) % step : 0; i < n_offered; i += step)
    {
      const MemlaneEstimate *ns = &offered[i].ns;
      double s = (ns->high - ns->low) / (2 * Z95 * ns->value);

      if (!memlane_estimate_is_known (ns) || ns->value <= 0 || !isfinite (s) || !isfinite (offered[i].bytes) || offered[i].bytes <= 0
          || (n > 0 && offered[i].bytes <= points[n - 1].x))
        continue;
      points[n++] = (Point) { offered[i].log2_elements, offered[i].bytes, ns->value, s };
    }
  fit->n_offered = n;
  if (n < MEMLANE_FIT_LEAST)
    {
      fit->n_sizes = n;
      return;
    }
  fit->least_log2 = points[0].log2;
  fit->most_log2 = points[n - 1].log2;
  weigh (points, n);
  fit_stretch (points, n, ceiling, fit);
  for (guint length = n - 1; fit->verdict == MEMLANE_FIT_BENT && length >= MEMLANE_FIT_LEAST_PART; length--)
    for (guint first = n - length + 1; first-- > 0;)
      {
        MemlaneFit part = *fit;

        fit_stretch (points + first, length, ceiling, &part);
        if (part.verdict != MEMLANE_FIT_STRAIGHT)
          continue;
        *fit = part;
        fit->verdict = MEMLANE_FIT_PART;
        break;
      }
}

/* --- of a run ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_of (const MemlaneCell *cell, const char *workload, const char *mode)
{
  return strcmp (cell->workload, workload) == 0 && strcmp (cell->mode, mode) == 0;
}

static gboolean
has_figure (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase, MemlaneClock clock)
{
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneFigure *figure = is_of (cell, workload, mode) ? memlane_cell_find (cell, phase, clock) : NULL;

      if (figure != NULL && figure->statistics.count > 0)
        return TRUE;
    }
  return FALSE;
}

MemlaneClock
memlane_fit_clock (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase)
{
  /* Elapsed is what a program waits for, by definition on the host's clock; what streams have on the device's besides is a part of it. */
  if (phase != MEMLANE_PHASE_ELAPSED && has_figure (run, workload, mode, phase, MEMLANE_CLOCK_DEVICE))
    return MEMLANE_CLOCK_DEVICE;
  return has_figure (run, workload, mode, phase, MEMLANE_CLOCK_HOST) ? MEMLANE_CLOCK_HOST : MEMLANE_N_CLOCKS;
}

/* Returns the most that @phase can show, in bytes per second: by the link, both ways where they overlap, or by the device's memory. */
static double
get_ceiling (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase)
{
  const MemlaneWorkload *kind = memlane_workload_find (workload);
  const MemlaneMode *row = memlane_mode_find (mode);
  MemlaneWay way = row != NULL ? row->way : MEMLANE_WAY_PAGEABLE;
  gboolean inside = way == MEMLANE_WAY_RESIDENT || (kind != NULL && kind->on_device)
                    || (phase == MEMLANE_PHASE_KERNEL && way != MEMLANE_WAY_ZERO_COPY);
  gboolean copy = phase == MEMLANE_PHASE_UPLOAD || phase == MEMLANE_PHASE_DOWNLOAD;
  double value = memlane_environment_get_number (run->environment, inside ? MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH
                                                                          : MEMLANE_ENVIRONMENT_LINK_BANDWIDTH);

  return value > 0 ? value * (inside || copy ? 1 : memlane_workload_get_ways (kind)) : INFINITY;
}

MEMLANE_DEFINE_ORDER (compare_points, MemlaneFitPoint, RISING (bytes))

gboolean
memlane_fit_run (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase, MemlaneClock clock, MemlaneFit *fit)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MemlaneFitPoint));
  guint reuse = G_MAXUINT;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (is_of (cell, workload, mode))
      reuse = MIN (reuse, cell->reuse);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneFigure *figure = is_of (cell, workload, mode) && cell->reuse == reuse ? memlane_cell_find (cell, phase, clock) : NULL;

      if (figure != NULL && figure->statistics.count > 0 && figure->bytes_moved > 0)
        g_array_append_val (points, ((MemlaneFitPoint) { cell->log2_elements, (double) figure->bytes_moved,
                                                         memlane_estimate_from_figure (figure) }));
    }
  g_array_sort (points, compare_points);
  memlane_fit_points ((const MemlaneFitPoint *) (gpointer) points->data, points->len, get_ceiling (run, workload, mode, phase), fit);
  return points->len > 0;
}
