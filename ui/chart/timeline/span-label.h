/* span-label.h: names inside spans
 *
 * SPDX-License-Identifier: MIT
 *
 * A frame of a long trace has hundreds of names, few of them different. Each is shaped once.
 */
#pragma once

#include "chart/figure-private.h"

/* The labels of a layout. */
typedef struct _MemlaneSpanLabels MemlaneSpanLabels;

typedef struct
{
  char *text;
  PangoLayout *layout;
  double width, height; /* px */
  GArray *runs;         /* of glyphs; NULL: only Pango can draw it */
} MemlaneSpanLabel;

/* A label at its place. */
typedef struct
{
  MemlaneSpanLabel *label;
  double x, y, width; /* px; y: top; width: what it may take */
  MemlaneColor color; /* the style's text or its background */
} MemlaneSpanName;

/* For text of @text_size px at 100 %. */
MemlaneSpanLabels *memlane_span_labels_new (PangoContext *pango, double text_size);
void memlane_span_labels_free (MemlaneSpanLabels *self);
/* (transfer none): lives as long as @self. */
MemlaneSpanLabel *memlane_span_labels_get (MemlaneSpanLabels *self, const char *text);
/* Whether enough of @label fits into @width px that it says something. */
gboolean memlane_span_labels_fit (const MemlaneSpanLabels *self, const MemlaneSpanLabel *label, double width);
/* Draws @names (element-type MemlaneSpanName), moved down by @offset px. A name that is too long ends in an ellipsis. */
void memlane_span_labels_draw (MemlaneSpanLabels *self, const GArray *names, double offset, cairo_t *cr);
