/* crossover.c: where the sign of ln (time of A / time of B) turns, and how well that is known
 *
 * SPDX-License-Identifier: MIT
 */
#include "crossover.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 64      /* places between two sizes at which the sign is worked out */
#define BISECTIONS 40

typedef struct
{
  double x;    /* log2 of elements */
  double d;    /* ln (A / B) */
  double half; /* of its interval */
} Knot;

typedef struct
{
  const Knot *knots;
  guint n;
} Curve;

/* d at @x within the segment of knots @i and @i + 1, with its interval. */
static Knot
evaluate (const Curve *curve, guint i, double x)
{
  const Knot *k = curve->knots;
  guint first = i > 0 ? i - 1 : 0, last = MIN (i + 2, curve->n - 1);
  double least = MIN (k[i].d, k[i + 1].d), most = MAX (k[i].d, k[i + 1].d);
  Knot at = { .x = x };

  for (guint j = first; j <= last; j++)
    {
      double weight = 1;

      for (guint m = first; m <= last; m++)
        if (m != j)
          weight *= (x - k[m].x) / (k[j].x - k[m].x);
      at.d += weight * k[j].d;
      at.half = hypot (at.half, weight * k[j].half);
    }
  at.d = CLAMP (at.d, least, most);
  return at;
}

/* -1: A is faster, 1: B, 0: cannot be told */
static int
sign (const Knot *at)
{
  return at->d + at->half < 0 ? -1 : at->d - at->half > 0 ? 1 : 0;
}

/* Where between @a and @b of segment @i the sign stops being @known, which it is at @a and not at @b. */
static double
find_edge (const Curve *curve, guint i, double a, double b, int known)
{
  for (guint step = 0; step < BISECTIONS; step++)
    {
      double middle = (a + b) / 2;
      Knot at = evaluate (curve, i, middle);

      if (sign (&at) == known)
        a = middle;
      else
        b = middle;
    }
  return b;
}

/* Where d itself is 0 between @a and @b of segment @i, where it has different signs. */
static double
find_root (const Curve *curve, guint i, double a, double b)
{
  gboolean positive = evaluate (curve, i, a).d > 0;

  for (guint step = 0; step < BISECTIONS; step++)
    {
      double middle = (a + b) / 2;

      if ((evaluate (curve, i, middle).d > 0) == positive)
        a = middle;
      else
        b = middle;
    }
  return (a + b) / 2;
}

typedef struct
{
  MemlaneCrossover *result;
  MemlaneCrossing stretch; /* being walked through; ends are log2 so far */
  gboolean inside;
  double roots;            /* sum of the places where the medians cross in it */
  guint n_roots;
} Walk;

static void
enter (Walk *walk, double x, int before)
{
  walk->stretch = (MemlaneCrossing) { .elements = NAN, .low = x, .before = before, .open_low = before == 0 };
  walk->inside = TRUE;
  walk->roots = 0;
  walk->n_roots = 0;
}

static void
leave (Walk *walk, double x, int after)
{
  MemlaneCrossing *stretch = &walk->stretch;

  stretch->after = after;
  stretch->open_high = after == 0;
  stretch->low = exp2 (stretch->low);
  stretch->high = exp2 (x);
  if (walk->n_roots > 0)
    stretch->elements = exp2 (walk->roots / walk->n_roots);
  g_array_append_val (walk->result->crossings, *stretch);
  walk->inside = FALSE;
}

/* From @a, whose sign is @was, to @b, whose sign is returned. */
static int
step_over (Walk *walk, const Curve *curve, guint i, double a, double b, int was)
{
  Knot left = evaluate (curve, i, a), right = evaluate (curve, i, b);
  int is = sign (&right);
  double root = (left.d > 0) != (right.d > 0) ? find_root (curve, i, a, b) : NAN;

  if (was != 0 && is == was)
    return is; /* two crossings closer than a step are not seen */
  if (was != 0)
    enter (walk, find_edge (curve, i, a, is == 0 ? b : root, was), was);
  if (!isnan (root))
    {
      walk->roots += root;
      walk->n_roots++;
    }
  if (is != 0)
    leave (walk, find_edge (curve, i, b, was == 0 ? a : root, is), is);
  return is;
}

static void
walk_through (const Curve *curve, MemlaneCrossover *result)
{
  Walk walk = { .result = result };
  int was = sign (&curve->knots[0]);

  if (was == 0)
    enter (&walk, curve->knots[0].x, 0);
  for (guint i = 0; i + 1 < curve->n; i++)
    {
      double begin = curve->knots[i].x, width = curve->knots[i + 1].x - begin;

      for (guint step = 0; step < STEPS; step++)
        was = step_over (&walk, curve, i, begin + width * step / STEPS, begin + width * (step + 1) / STEPS, was);
    }
  if (walk.inside)
    leave (&walk, curve->knots[curve->n - 1].x, 0);
}

static void
judge (const Curve *curve, MemlaneCrossover *result)
{
  const GArray *crossings = result->crossings;
  guint a = 0, b = 0;

  for (guint i = 0; i < curve->n; i++)
    {
      a += sign (&curve->knots[i]) < 0;
      b += sign (&curve->knots[i]) > 0;
    }
  for (guint i = 0; i < crossings->len; i++)
    {
      const MemlaneCrossing *stretch = &g_array_index (crossings, MemlaneCrossing, i);

      a += stretch->before < 0 || stretch->after < 0;
      b += stretch->before > 0 || stretch->after > 0;
    }
  if (a == 0 && b == 0)
    result->verdict = MEMLANE_CROSSOVER_UNTOLD;
  else if (crossings->len > 0)
    result->verdict = MEMLANE_CROSSOVER_CROSSES;
  else
    {
      double least = INFINITY;

      result->verdict = a > 0 ? MEMLANE_CROSSOVER_A : MEMLANE_CROSSOVER_B;
      for (guint i = 0; i < curve->n; i++)
        if (fabs (curve->knots[i].d) < least)
          {
            least = fabs (curve->knots[i].d);
            result->least_log2 = (guint) lround (curve->knots[i].x);
          }
      result->least_ratio = exp (least);
    }
}

MemlaneCrossover *
memlane_crossover_new (const MemlaneCrossoverPoint *points, guint n)
{
  MemlaneCrossover *result = g_new0 (MemlaneCrossover, 1);
  g_autofree Knot *knots = g_new (Knot, MAX (n, 1));
  Curve curve = { .knots = knots };

  result->crossings = g_array_new (FALSE, FALSE, sizeof (MemlaneCrossing));
  result->verdict = MEMLANE_CROSSOVER_NO_DATA;
  result->least_ratio = NAN;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneEstimate *a = &points[i].a, *b = &points[i].b;
      Knot knot = { .x = points[i].log2_elements };

      if (!memlane_estimate_is_known (a) || !memlane_estimate_is_known (b) || a->value <= 0 || b->value <= 0
          || (curve.n > 0 && knot.x <= knots[curve.n - 1].x))
        continue;
      knot.d = log (a->value / b->value);
      knot.half = hypot (memlane_estimate_half_log (a), memlane_estimate_half_log (b));
      if (points[i].ratio.value > 0 && memlane_estimate_is_known (&points[i].ratio))
        {
          knot.d = log (points[i].ratio.value);
          knot.half = memlane_estimate_half_log (&points[i].ratio);
        }
      if (!isfinite (knot.d) || !isfinite (knot.half))
        continue;
      knots[curve.n++] = knot;
    }
  result->n_sizes = curve.n;
  if (curve.n == 0)
    return result;
  result->first_log2 = (guint) lround (knots[0].x);
  result->last_log2 = (guint) lround (knots[curve.n - 1].x);
  walk_through (&curve, result);
  judge (&curve, result);
  return result;
}

static int
compare_points (const void *a, const void *b)
{
  return (int) ((const MemlaneCrossoverPoint *) a)->log2_elements - (int) ((const MemlaneCrossoverPoint *) b)->log2_elements;
}

typedef struct
{
  const MemlaneFigure *a, *b;
} Figures;

MemlaneCrossover *
memlane_crossover_run (const MemlaneRun *run, const char *workload, const char *a, const char *b, MemlanePhase phase, MemlaneClock clock)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MemlaneCrossoverPoint));
  g_autoptr (GArray) figures = g_array_new (FALSE, FALSE, sizeof (Figures)); /* as points */
  guint reuse = G_MAXUINT;

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (strcmp (cell->workload, workload) == 0 && (strcmp (cell->mode, a) == 0 || strcmp (cell->mode, b) == 0))
        reuse = MIN (reuse, cell->reuse);
    }
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];
      const MemlaneFigure *figure;
      gboolean is_a = strcmp (cell->mode, a) == 0;
      guint place = 0;

      if (strcmp (cell->workload, workload) != 0 || (!is_a && strcmp (cell->mode, b) != 0) || cell->reuse != reuse)
        continue;
      figure = memlane_cell_find (cell, phase, clock);
      while (place < points->len && g_array_index (points, MemlaneCrossoverPoint, place).log2_elements != cell->log2_elements)
        place++;
      if (place == points->len)
        {
          const MemlaneCrossoverPoint point = { cell->log2_elements, MEMLANE_ESTIMATE_UNKNOWN, MEMLANE_ESTIMATE_UNKNOWN, { 0 } };
          const Figures none = { NULL, NULL };

          g_array_append_val (points, point);
          g_array_append_val (figures, none);
        }
      {
        MemlaneCrossoverPoint *point = &g_array_index (points, MemlaneCrossoverPoint, place);
        Figures *both = &g_array_index (figures, Figures, place);
        MemlaneEstimate *mine = is_a ? &point->a : &point->b;

        if (memlane_estimate_is_known (mine)) /* the first cell of a size counts, as for memlane_run_find() */
          continue;
        *mine = memlane_estimate_from_figure (figure);
        *(is_a ? &both->a : &both->b) = figure;
        if (both->a != NULL && both->b != NULL && both->a->rounds != NULL && both->b->rounds != NULL)
          point->ratio = memlane_estimate_ratio (both->a, both->b);
      }
    }
  g_array_sort (points, compare_points);
  return memlane_crossover_new ((const MemlaneCrossoverPoint *) (gpointer) points->data, points->len);
}

void
memlane_crossover_free (MemlaneCrossover *crossover)
{
  if (crossover == NULL)
    return;
  g_array_unref (crossover->crossings);
  g_free (crossover);
}
