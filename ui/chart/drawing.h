/* drawing.h: a figure that can be drawn, whatever it shows: curves, a timeline, a map of decisions
 *
 * SPDX-License-Identifier: MIT
 *
 * A drawing holds what is shown and which part of it, but neither size nor style: the screen, a
 * file and a page each lay it out for themselves. It never changes. memlane_plot_drawing_new(),
 * memlane_timeline_drawing_new() and memlane_decide_map_drawing_new() make one; the figure widget,
 * export.h and the command line draw it without knowing which. One thread at a time for one
 * PangoContext.
 */
#pragma once

#include <pango/pangocairo.h>

#include "style.h"

/* The calls of one kind of figure. @content is what memlane_drawing_new() was given. */
typedef struct _MemlaneDrawing MemlaneDrawing;
typedef struct
{
  /* The figure in the rectangle (0, 0, @width, @height) in px. @style is static. (transfer full),
   * to be given back by free_layout() before the drawing is freed. */
  gpointer (*layout) (gconstpointer content, const MemlaneStyle *style, double width, double height,
                      PangoContext *pango);
  void (*draw) (gconstpointer layout, cairo_t *cr); /* with its background */
  void (*free_layout) (gpointer layout);
  /* px that all of it needs at this width; NULL: it can be as high as one likes. */
  double (*measure_height) (gconstpointer content, const MemlaneStyle *style, double width,
                            PangoContext *pango);

  /* of a file, without ending: "vector-add". (transfer full) */
  char *(*name) (gconstpointer content);
  /* in a file, for those who search or listen. (transfer full) */
  char *(*title) (gconstpointer content);
  char *(*describe) (gconstpointer content); /* all of it in words. (transfer full) */

  /* The same under another title (NULL: its own, "": none), without subtitle and note where
   * @caption is FALSE. NULL: nothing to change. (transfer full) */
  MemlaneDrawing *(*entitle) (gconstpointer content, const char *title, gboolean caption);

  /* The numbers that are drawn, with a header; NULL: it has none. (transfer full) */
  char *(*to_csv) (gconstpointer content);
  /* Returns a caption's words after the title: how to read it, machine and date; NULL: nothing.
   * (transfer full) */
  char *(*explain) (gconstpointer content);

  void (*free) (gpointer content);
} MemlaneDrawingClass;

struct _MemlaneDrawing
{
  const MemlaneDrawingClass *klass;
  gpointer content;
};

/* Appends @text (nullable) to a row of CSV, in quotes. */
void memlane_drawing_append_csv (GString *csv, const char *text);

/* Takes @content. (transfer full) */
static inline MemlaneDrawing *
memlane_drawing_new (const MemlaneDrawingClass *klass, gpointer content)
{
  MemlaneDrawing *self = g_new (MemlaneDrawing, 1);

  *self = (MemlaneDrawing) { klass, content };
  return self;
}

static inline void
memlane_drawing_free (MemlaneDrawing *self)
{
  if (self == NULL)
    return;
  self->klass->free (self->content);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDrawing, memlane_drawing_free)
