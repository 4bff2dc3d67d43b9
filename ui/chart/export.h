/* export.h: a figure as a file (SVG, PNG, PDF) and on a page
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "drawing.h"

/* A format of files: a row of the table in export.c. */
typedef struct
{
  const char *ending;   /* ".svg" */
  const char *name;     /* "SVG (web)", N_() */
  gboolean is_pixels;   /* the scale makes it finer */
  double true_size;     /* units of the file per px, for its size on paper */
  /* NULL: of pixels, and of numbers */
  cairo_surface_t *(*begin) (cairo_write_func_t write, void *closure, double width, double height);
} MemlaneExportFormat;

#define MEMLANE_EXPORT_LEAST 160
#define MEMLANE_EXPORT_LEAST_HEIGHT 120
#define MEMLANE_EXPORT_MOST 16384
/* of a PNG whose height nobody chose: 64 MiB, drawn within a second */
#define MEMLANE_EXPORT_MOST_PIXELS (4096 * 4096)
#define MEMLANE_EXPORT_PX_PER_MM (96.0 / 25.4)

/* All formats; static. */
const MemlaneExportFormat *memlane_export_list (guint *n);
/* The format of a file's ending, which must be known: ".svg". Static. */
const MemlaneExportFormat *memlane_export_find (const char *ending);
/* By the ending, any case; NULL with G_IO_ERROR_INVALID_ARGUMENT that lists the known ones.
 * Static. */
const MemlaneExportFormat *memlane_export_find_for_path (const char *path, GError **error);

/* @width x @height px; a PNG is drawn at @scale pixels per px, a PDF at @scale points per px (its
 * true size: a px is 1/96 inch, as in SVG), at most MEMLANE_EXPORT_MOST of them wide and high in
 * all. @height 0: as high as a drawing needs that says so (a timeline's lanes), a PNG within
 * MEMLANE_EXPORT_MOST_PIXELS; refused for others. Title and description in words are the SVG's
 * <title> and <desc> and the PDF's title and subject. Text stays text in both, but for the names
 * inside a timeline's bars in an SVG. G_IO_ERROR_INVALID_ARGUMENT: a size that is refused.
 * (transfer full) or NULL with @error. */
GBytes *memlane_export_to_bytes (const MemlaneDrawing *drawing, const MemlaneStyle *style,
                                 const MemlaneExportFormat *format, int width, int height,
                                 double scale, GError **error);
/* The same, beside and rename: the file is whole or untouched. A pipe or device file is written as
 * it is. */
gboolean memlane_export_to_file (const MemlaneDrawing *drawing, const MemlaneStyle *style,
                                 const MemlaneExportFormat *format, int width, int height,
                                 double scale, const char *path, GError **error);
/* A caption to paste, as LaTeX's \caption{...} or as Markdown. (transfer full) */
char *memlane_export_make_caption (const MemlaneDrawing *drawing, gboolean latex);
/* @bytes as they are, likewise. */
gboolean memlane_export_write (GBytes *bytes, const char *path, GError **error);

/* Returns the context of files. Text as the screen's hinting would have it looks worse there: the
 * glyphs stand where the font wants them, at any size. (transfer full) */
PangoContext *memlane_export_make_context (void);
/* On a page of that size in px: as wide as the page; one that needs more height than there is is
 * made smaller until it fits. */
void memlane_export_draw_page (const MemlaneDrawing *drawing, cairo_t *cr, PangoContext *pango,
                               const MemlaneStyle *style, double width, double height);
