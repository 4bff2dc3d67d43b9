/* count-operations.h: how many cairo operations this program has called: it stands before cairo and pango
 *
 * SPDX-License-Identifier: MIT
 *
 * To be included by the one source of a program. What cairo and pango call themselves may count, too: budgets are upper bounds.
 */
#pragma once

#include <dlfcn.h>

#include <pango/pangocairo.h>

static guint n_operations;

#define COUNT_OPERATION(name, parameters, arguments) \
  void name parameters \
  { \
    static void (*next) parameters; \
\
    if (next == NULL) \
      *(void **) &next = dlsym (RTLD_NEXT, #name); \
    n_operations++; \
    next arguments; \
  }

COUNT_OPERATION (cairo_fill, (cairo_t *cr), (cr))
COUNT_OPERATION (cairo_fill_preserve, (cairo_t *cr), (cr))
COUNT_OPERATION (cairo_stroke, (cairo_t *cr), (cr))
COUNT_OPERATION (cairo_stroke_preserve, (cairo_t *cr), (cr))
COUNT_OPERATION (cairo_paint, (cairo_t *cr), (cr))
COUNT_OPERATION (cairo_mask, (cairo_t *cr, cairo_pattern_t *pattern), (cr, pattern))
COUNT_OPERATION (cairo_show_glyphs, (cairo_t *cr, const cairo_glyph_t *glyphs, int n_glyphs), (cr, glyphs, n_glyphs))
COUNT_OPERATION (pango_cairo_show_layout, (cairo_t *cr, PangoLayout *layout), (cr, layout))
