/* regimes.c: the few regimes of a cost that follow what was observed at many sizes
 *
 * SPDX-License-Identifier: MIT
 *
 * Every way to cut the sizes into up to three regimes is tried, each with a latency of its own and with one for all. Inside a cut the cost
 * is linear in its numbers, so that they follow from least squares. Errors beyond some per cent count linearly (weights are corrected a few
 * times), so that one disturbed cell is one error and no change of all others.
 */
#include "regimes.h"

#include <math.h>
#include <string.h>

#define MOST_REGIMES 3
#define MOST_NUMBERS (2 * MOST_REGIMES)
#define CORRECTIONS 4
#define SMALL 0.03   /* relative errors up to here count by their square */
#define FLOOR 0.02   /* no law of a machine is better known than this */
#define PRICE 2.0    /* of a number, in units of Schwarz's criterion */

/* Solves the @n normal equations @a x = @b in place by elimination with pivots; a number that cannot be told is 0. */
static void
solve (double a[MOST_NUMBERS][MOST_NUMBERS], double *b, const gboolean *is_free, guint n, double *x)
{
  guint rows[MOST_NUMBERS], m = 0;

  memset (x, 0, n * sizeof *x);
  for (guint i = 0; i < n; i++)
    if (is_free[i])
      rows[m++] = i;
  for (guint k = 0; k < m; k++)
    {
      double scale = a[rows[k]][rows[k]];

      if (!(scale > 1e-300))
        continue;
      for (guint i = k + 1; i < m; i++)
        {
          double factor = a[rows[i]][rows[k]] / scale;

          for (guint j = k; j < m; j++)
            a[rows[i]][rows[j]] -= factor * a[rows[k]][rows[j]];
          b[rows[i]] -= factor * b[rows[k]];
        }
    }
  for (guint k = m; k-- > 0;)
    {
      double sum = b[rows[k]];

      for (guint j = k + 1; j < m; j++)
        sum -= a[rows[k]][rows[j]] * x[rows[j]];
      x[rows[k]] = a[rows[k]][rows[k]] > 1e-300 ? sum / a[rows[k]][rows[k]] : 0;
    }
}

/* Which of the @n_cuts + 1 regimes, each up to the last point before @cuts, point @i lies in. */
static guint
regime_of (guint i, const guint *cuts, guint n_cuts)
{
  guint regime = 0;

  while (regime < n_cuts && i >= cuts[regime])
    regime++;
  return regime;
}

/* The non-negative numbers that follow the points best for one cut. */
static void
fit_cut (const MemlaneCostPoint *points, guint n, const guint *cuts, guint n_cuts, gboolean one_latency, MemlaneCostPiece *pieces)
{
  guint regimes = n_cuts + 1, latencies = one_latency ? 1 : regimes, numbers = latencies + regimes;
  g_autofree double *weights = g_new (double, n);
  double x[MOST_NUMBERS] = { 0 };

  for (guint i = 0; i < n; i++)
    weights[i] = points[i].weight;
  for (guint step = 0; step < CORRECTIONS; step++)
    {
      gboolean is_free[MOST_NUMBERS];
      gboolean again = TRUE;

      for (guint k = 0; k < numbers; k++)
        is_free[k] = TRUE;
      while (again)
        {
          double a[MOST_NUMBERS][MOST_NUMBERS] = { { 0 } }, b[MOST_NUMBERS] = { 0 };

          for (guint i = 0; i < n; i++)
            {
              guint regime = regime_of (i, cuts, n_cuts), at[2] = { one_latency ? 0 : regime, latencies + regime };
              double row[2] = { 1, points[i].bytes };

              for (guint p = 0; p < 2; p++)
                {
                  for (guint q = 0; q < 2; q++)
                    a[at[p]][at[q]] += weights[i] * row[p] * row[q];
                  b[at[p]] += weights[i] * row[p] * points[i].ns;
                }
            }
          solve (a, b, is_free, numbers, x);
          again = FALSE;
          for (guint k = 0; k < numbers; k++)
            if (x[k] < 0)
              {
                is_free[k] = FALSE;
                again = TRUE;
              }
        }
      for (guint k = 0; k < regimes; k++)
        pieces[k] = (MemlaneCostPiece) {
          .up_to = k < n_cuts ? points[cuts[k] - 1].bytes : INFINITY,
          .latency_ns = x[one_latency ? 0 : k], .ns_per_byte = x[latencies + k],
        };
      for (guint i = 0; i < n; i++)
        {
          double error = fabs (memlane_cost_pieces_get (pieces, regimes, points[i].bytes) - points[i].ns) * sqrt (points[i].weight);

          weights[i] = points[i].weight / MAX (error / SMALL, 1);
        }
    }
}

guint
memlane_regimes_count_numbers (const MemlaneCostPiece *pieces, guint n)
{
  gboolean one_latency = TRUE;

  for (guint i = 1; i < n; i++)
    one_latency &= pieces[i].latency_ns == pieces[0].latency_ns;
  return n == 0 ? 0 : n + (one_latency ? 1 : n) + n - 1;
}

/* Smaller is better. */
static double
judge (const MemlaneCostPoint *points, guint n, const MemlaneCostPiece *pieces, guint regimes, guint numbers)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      double error = fabs (memlane_cost_pieces_get (pieces, regimes, points[i].bytes) - points[i].ns) * sqrt (points[i].weight);

      sum += error <= SMALL ? error * error : SMALL * (2 * error - SMALL);
    }
  return n * log (sum / n + FLOOR * FLOOR) + PRICE * numbers * log (MAX (n, 3));
}

/* Whether the regime that begins with point @cut begins where @border lies. */
static gboolean
is_at (const MemlaneCostPoint *points, guint cut, double border)
{
  return points[cut - 1].bytes <= border && border < points[cut].bytes;
}

guint
memlane_regimes_fit (const MemlaneCostPoint *points, guint n, double border, MemlaneCostPiece pieces[MEMLANE_COST_MOST_PIECES])
{
  guint cuts[MOST_REGIMES - 1], best_regimes = 0;
  double best = INFINITY;

  if (n == 0)
    return 0;
  for (guint n_cuts = 0; n_cuts < MOST_REGIMES; n_cuts++)
    for (cuts[0] = n_cuts > 0 ? 1 : n; cuts[0] < (n_cuts > 0 ? n : n + 1); cuts[0]++)
      for (cuts[1] = n_cuts > 1 ? cuts[0] + 1 : n; cuts[1] < (n_cuts > 1 ? n : n + 1); cuts[1]++)
        for (guint one_latency = n_cuts == 0; one_latency < 2; one_latency++)
          {
            MemlaneCostPiece tried[MOST_REGIMES];
            guint numbers = n_cuts + n_cuts + 1 + (one_latency ? 1 : n_cuts + 1);
            gboolean known = n_cuts > 0 && is_at (points, cuts[n_cuts - 1], border);
            double score;

            /* A border that is known beforehand is no number that the points tell. */
            numbers -= known || (n_cuts > 1 && is_at (points, cuts[0], border));
            if (numbers > MAX (n, 2))
              continue;
            /* A regime of one size in the middle or at the end would be that size and no law. */
            if (n_cuts > 0 && n - cuts[n_cuts - 1] < (known ? 2 : 3))
              continue;
            if (n_cuts > 1 && cuts[1] - cuts[0] < 2)
              continue;
            fit_cut (points, n, cuts, n_cuts, one_latency, tried);
            score = judge (points, n, tried, n_cuts + 1, numbers);
            if (score < best)
              {
                best = score;
                best_regimes = n_cuts + 1;
                memcpy (pieces, tried, best_regimes * sizeof *tried);
              }
          }
  return best_regimes;
}
