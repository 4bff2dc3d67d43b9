/* cost-curve.c: what an operation costs, as a table over its bytes
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

void
memlane_cost_curve_copy (MemlaneCostCurve *self, const MemlaneCostCurve *from)
{
  memlane_cost_curve_set (self, from->bytes, from->ns, from->n, NULL);
}

double
memlane_cost_curve_get (const MemlaneCostCurve *self, double bytes)
{
  guint n = self->n, low = 0, high;
  double share;

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
