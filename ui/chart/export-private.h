/* export-private.h: any figure as a file; charts and timelines say what is drawn
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <pango/pangocairo.h>

#include "export.h"

G_BEGIN_DECLS

typedef struct
{
  void (*draw) (cairo_t *cr, PangoContext *pango, int width, int height, gconstpointer user_data);
  const char *title, *description; /* in words, for the SVG's and the PDF's readers */
  gconstpointer user_data;
} MemlaneExportPicture;

/* As memlane_export_to_bytes(). */
GBytes *memlane_export_picture (const MemlaneExportPicture *figure, MemlaneExportFormat format, int width, int height, double scale,
                               GError **error);
/* In which files are drawn, whatever the screen's is. (transfer full) */
PangoContext *memlane_export_make_context (void);

G_END_DECLS
