/* smallest-text.h: the size of the smallest text that was drawn: it stands before pango
 *
 * SPDX-License-Identifier: MIT
 *
 * To be included by the one source of a program.
 */
#pragma once

#include <dlfcn.h>

#include <pango/pangocairo.h>

static double smallest_text; /* px; 0: none was drawn yet */

void
pango_cairo_show_layout (cairo_t *cr, PangoLayout *layout)
{
  static void (*next) (cairo_t *cr, PangoLayout *layout);
  const PangoFontDescription *font = pango_layout_get_font_description (layout);
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;

  if (next == NULL)
    *(void **) &next = dlsym (RTLD_NEXT, "pango_cairo_show_layout");
  if (!pango_font_description_get_size_is_absolute (font))
    size *= 96.0 / 72;
  smallest_text = smallest_text > 0 ? MIN (smallest_text, size) : size;
  next (cr, layout);
}
