/* cost-curve.h: what an operation costs, as a table over its bytes
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * MemlaneCostCurve: monotone knots (bytes, ns)
 *
 * Between two knots the cost is interpolated in log-log space, because sizes are powers of two and costs span five decades. Below the
 * first knot it is the first value (latency does not shrink). Beyond the last one it grows linearly in the bytes with the slope between the
 * last two knots, or, with one knot only, in proportion to the bytes. All zero is an empty curve.
 */
typedef struct
{
  guint n;
  double *bytes; /* strictly ascending, > 0 */
  double *ns;    /* never descending, > 0 */
  double *log_bytes, *log_ns; /* kept, so that a look-up takes one logarithm */
} MemlaneCostCurve;

/* Replaces @self's knots; FALSE with *@problem (static) saying what was expected, and @self untouched. @n = 0 empties the curve. */
gboolean memlane_cost_curve_set (MemlaneCostCurve *self, const double *bytes, const double *ns, guint n, const char **problem);
void memlane_cost_curve_copy (MemlaneCostCurve *self, const MemlaneCostCurve *from);
void memlane_cost_curve_clear (MemlaneCostCurve *self);

/* Nanoseconds for @bytes; 0 for an empty curve. */
double memlane_cost_curve_get (const MemlaneCostCurve *self, double bytes);

G_END_DECLS
