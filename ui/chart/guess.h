/* guess.h: a curve that a person draws over size before anything is measured, and the measured one beside it
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain values, no state. Times are ns; the axis of times is logarithmic, that of sizes has one place for each power of two.
 */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "style.h"

/* The measurement at one size; @median <= 0: nothing. */
typedef struct
{
  double median, low, high;
} MemlaneGuessPoint;

typedef struct
{
  guint first_log2, last_log2;       /* sizes; last >= first */
  double low, high;                  /* the axis shows at least that; 0 < low < high */
  const double *guesses;             /* one for each size */
  gboolean drawn;                    /* else the curve only waits to be drawn */
  const MemlaneGuessPoint *measured; /* one for each size; NULL: it is not known */
  int current;                       /* the size that the keys move, from the first; -1: none */
  const char *drawn_label, *measured_label;
} MemlaneGuess;

void memlane_guess_draw (cairo_t *cr, PangoContext *pango, const MemlaneGuess *guess, double width, double height,
                         const MemlaneStyle *style);
/* Which size and time are at a place of a figure of that size; outside of the axes the nearest. */
void memlane_guess_read (PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style, double x,
                         double y, guint *log2_elements, double *ns);
/* And back. */
void memlane_guess_find (PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style,
                         guint log2_elements, double ns, double *x, double *y);
