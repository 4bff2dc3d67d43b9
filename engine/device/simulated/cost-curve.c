/* cost-curve.c: what an operation costs over its bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "cost-curve.h"

#include <math.h>
#include <string.h>

#include "base/reader-limits.h"

void
memlane_cost_curve_clear (MemlaneCostCurve *self)
{
  g_free (self->bytes); /* one block holds all four columns */
  memset (self, 0, sizeof *self);
}

gboolean
memlane_cost_curve_set (MemlaneCostCurve *self, const double *bytes, const double *ns, guint n, const char **problem)
{
  double *columns;

  for (guint i = 0; i < n; i++)
    {
      const char *wrong = NULL;

      if (!isfinite (bytes[i]) || bytes[i] <= 0)
        wrong = "bytes: expected numbers above 0";
      else if (!(ns[i] > 0 && ns[i] <= MEMLANE_PROFILE_LONGEST_POINT_NS))
        wrong = "ns: expected numbers above 0, up to 1e12";
      else if (i > 0 && bytes[i] <= bytes[i - 1])
        wrong = "bytes: expected ascending numbers";
      else if (i > 0 && ns[i] < ns[i - 1])
        wrong = "ns: expected numbers that never descend";
      if (wrong != NULL)
        {
          if (problem != NULL)
            *problem = wrong;
          return FALSE;
        }
    }

  columns = n > 0 ? g_new (double, 4 * (gsize) n) : NULL;
  if (n > 0)
    {
      memcpy (columns, bytes, n * sizeof *bytes);
      memcpy (columns + n, ns, n * sizeof *ns);
      for (guint i = 0; i < n; i++)
        {
          columns[2 * n + i] = log (bytes[i]);
          columns[3 * n + i] = log (ns[i]);
        }
    }
  memlane_cost_curve_clear (self); /* only now: the arguments may be its own */
  if (n == 0)
    return TRUE;
  self->n = n;
  self->bytes = columns;
  self->ns = columns + n;
  self->log_bytes = columns + 2 * n;
  self->log_ns = columns + 3 * n;
  return TRUE;
}

gboolean
memlane_cost_curve_set_pieces (MemlaneCostCurve *self, const MemlaneCostPiece *pieces, guint n, const char **problem)
{
  const char *wrong = n > MEMLANE_COST_MOST_PIECES ? "expected at most 4 regimes" : NULL;

  for (guint i = 0; i < n && wrong == NULL; i++)
    {
      if (!(pieces[i].latency_ns >= 0 && pieces[i].latency_ns <= MEMLANE_PROFILE_LONGEST_POINT_NS))
        wrong = "latency: expected nanoseconds from 0 to 1e12";
      else if (!(pieces[i].ns_per_byte >= 0 && pieces[i].ns_per_byte <= 1e6))
        wrong = "per_byte: expected nanoseconds from 0 to 1e6";
      else if (i + 1 < n && !(pieces[i].up_to > (i > 0 ? pieces[i - 1].up_to : 0) && isfinite (pieces[i].up_to)))
        wrong = "up_to: expected ascending numbers above 0, one for each regime but the last";
    }
  if (wrong != NULL)
    {
      if (problem != NULL)
        *problem = wrong;
      return FALSE;
    }
  memlane_cost_curve_clear (self);
  for (guint i = 0; i < n; i++)
    self->pieces[i] = pieces[i];
  if (n > 0)
    self->pieces[n - 1].up_to = INFINITY;
  self->n_pieces = n;
  return TRUE;
}

void
memlane_cost_curve_copy (MemlaneCostCurve *self, const MemlaneCostCurve *from)
{
  if (from->n_pieces > 0)
    memlane_cost_curve_set_pieces (self, from->pieces, from->n_pieces, NULL);
  else
    memlane_cost_curve_set (self, from->bytes, from->ns, from->n, NULL);
}

static double
law (const MemlaneCostPiece *piece, double bytes)
{
  return piece->latency_ns + bytes * piece->ns_per_byte;
}

double
memlane_cost_pieces_get (const MemlaneCostPiece *pieces, guint n, double bytes)
{
  double least = 0; /* what the regimes before have come to */

  for (guint i = 0; i < n; i++)
    {
      double begin = i > 0 ? pieces[i - 1].up_to : 0, whole = MIN (2 * begin, pieces[i].up_to), ns;

      if (bytes > pieces[i].up_to)
        {
          least = MAX (least, law (&pieces[i], pieces[i].up_to));
          continue;
        }
      if (bytes >= whole)
        return MAX (least, law (&pieces[i], bytes));
      ns = MAX (least, law (&pieces[i], whole));
      return least + (ns - least) * (bytes - begin) / (whole - begin);
    }
  return least;
}

double
memlane_cost_curve_get (const MemlaneCostCurve *self, double bytes)
{
  guint n = self->n, low = 0, high;
  double share;

  if (self->n_pieces > 0)
    return memlane_cost_pieces_get (self->pieces, self->n_pieces, bytes);
  if (n == 0)
    return 0;
  if (bytes <= self->bytes[0])
    return self->ns[0];
  if (n == 1)
    return self->ns[0] * bytes / self->bytes[0];
  if (bytes >= self->bytes[n - 1])
    return self->ns[n - 1]
           + (bytes - self->bytes[n - 1]) * (self->ns[n - 1] - self->ns[n - 2]) / (self->bytes[n - 1] - self->bytes[n - 2]);

  for (high = n - 1; high - low > 1;)
    {
      guint middle = (low + high) / 2;

      if (self->bytes[middle] <= bytes)
        low = middle;
      else
        high = middle;
    }
  if (bytes == self->bytes[low])
    return self->ns[low]; /* exactly, not by way of exp (log (x)) */
  share = (log (bytes) - self->log_bytes[low]) / (self->log_bytes[high] - self->log_bytes[low]);
  return exp (self->log_ns[low] + share * (self->log_ns[high] - self->log_ns[low]));
}
