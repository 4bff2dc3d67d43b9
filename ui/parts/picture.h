/* picture.h: what is seen of a chart, a timeline or a map of decisions, to be written, copied or printed
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/export.h"

G_BEGIN_DECLS

typedef struct _MemlanePicture MemlanePicture;

/* @view: a MemlaneChartView or a MemlaneTimelineView, whose zoom is kept, or a MemlaneDecideView. NULL with G_IO_ERROR_NOT_FOUND: it shows
 * nothing. */
MemlanePicture *memlane_picture_new (GtkWidget *view, GError **error);
void memlane_picture_free (MemlanePicture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePicture, memlane_picture_free)

/* A file's name without ending: "vector-add", "timeline-pinned-2p14". */
const char *memlane_picture_get_name (const MemlanePicture *self);
const char *memlane_picture_get_title (const MemlanePicture *self);

/* @height: of a chart or a map; a timeline is as high as its lanes need. (transfer full), or NULL with @error. */
GBytes *memlane_picture_to_bytes (const MemlanePicture *self, const MemlaneStyle *style, MemlaneExportFormat format, int width, int height,
                                  GError **error);
/* The format by the ending. */
gboolean memlane_picture_to_file (const MemlanePicture *self, const MemlaneStyle *style, const char *path, int width, int height,
                                  GError **error);
/* On a page of that size in px: a chart and a map fill the width, a timeline is made smaller until it fits. */
void memlane_picture_draw (const MemlanePicture *self, cairo_t *cr, PangoContext *pango, const MemlaneStyle *style, double width,
                           double height);

G_END_DECLS
