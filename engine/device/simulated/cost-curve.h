/* cost-curve.h: what an operation costs over its bytes
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One regime of an operation: from where the one before it ends. */
typedef struct
{
  double up_to;        /* bytes of the largest operation in it; INFINITY: it is the last */
  double latency_ns;   /* >= 0 */
  double ns_per_byte;  /* >= 0 */
} MemlaneCostPiece;

#define MEMLANE_COST_MOST_PIECES 4

/**
 * MemlaneCostCurve: what an operation costs over its bytes, by regimes or by knots
 *
 * By regimes: latency + bytes x ns_per_byte, of the regime that the bytes lie in. From the end of a regime to twice its bytes the cost goes
 * over in a straight line, and it never descends with the bytes. This is what calibration writes.
 *
 * By knots (bytes, ns), for profiles made by hand and by earlier versions: between two knots the cost is interpolated in log-log space,
 * because sizes are powers of two and costs span five decades. Below the first knot it is the first value (latency does not shrink).
 * Beyond the last one it grows linearly in the bytes with the slope between the last two knots. With one knot only it grows in proportion
 * to the bytes.
 *
 * All zero is an empty curve.
 */
typedef struct
{
  guint n;
  double *bytes; /* strictly ascending, > 0 */
  double *ns;    /* never descending, > 0 */
  double *log_bytes, *log_ns; /* kept, so that a look-up takes one logarithm */
  guint n_pieces;
  MemlaneCostPiece pieces[MEMLANE_COST_MOST_PIECES];
} MemlaneCostCurve;

static inline gboolean
memlane_cost_curve_is_empty (const MemlaneCostCurve *self)
{
  return self->n == 0 && self->n_pieces == 0;
}

/* Replaces @self's knots; FALSE with *@problem (static) saying what was expected, and @self untouched. @n = 0 empties the curve. */
gboolean memlane_cost_curve_set (MemlaneCostCurve *self, const double *bytes, const double *ns, guint n, const char **problem);
/* Replaces all by @n regimes; as above. */
gboolean memlane_cost_curve_set_pieces (MemlaneCostCurve *self, const MemlaneCostPiece *pieces, guint n, const char **problem);
void memlane_cost_curve_copy (MemlaneCostCurve *self, const MemlaneCostCurve *from);
void memlane_cost_curve_clear (MemlaneCostCurve *self);

/* Nanoseconds for @bytes; 0 for an empty curve. */
double memlane_cost_curve_get (const MemlaneCostCurve *self, double bytes);
/* The same of regimes that belong to no curve yet. */
double memlane_cost_pieces_get (const MemlaneCostPiece *pieces, guint n, double bytes);

G_END_DECLS
