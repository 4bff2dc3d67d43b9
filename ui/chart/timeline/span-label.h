/* span-label.h: names inside spans: shaped once for all layouts that share a PangoContext, drawn all at once
 *
 * SPDX-License-Identifier: MIT
 *
 * A frame of a long trace has hundreds of names, few of them different. Shaping and showing each by itself would take longer than all the
 * rest of the frame.
 */
#pragma once

#include "chart/figure-private.h"

G_BEGIN_DECLS

/* The labels of a PangoContext at one size of text. On the context's thread. */
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

/* The labels of @pango for text of @text_size px at 100 %: those that somebody holds, unless its fonts or the size have changed since.
 * (transfer full) */
MemlaneSpanLabels *memlane_span_labels_ref (PangoContext *pango, double text_size);
void memlane_span_labels_unref (MemlaneSpanLabels *self);
/* (transfer none): lives as long as @self. */
MemlaneSpanLabel *memlane_span_labels_get (MemlaneSpanLabels *self, const char *text);
/* Whether enough of @label fits into @width px that it says something. */
gboolean memlane_span_labels_fit (const MemlaneSpanLabels *self, const MemlaneSpanLabel *label, double width);
/* @names (element-type MemlaneSpanName) moved down by @offset px, those of one colour and font in one operation. What is too long ends in
 * an ellipsis. */
void memlane_span_labels_draw (MemlaneSpanLabels *self, const GArray *names, const MemlaneStyle *style, double offset, cairo_t *cr);

G_END_DECLS
