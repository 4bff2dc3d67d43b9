/* export.h: a chart as a file: SVG, PNG, PDF
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "plot.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_EXPORT_SVG,
  MEMLANE_EXPORT_PNG,
  MEMLANE_EXPORT_PDF,
} MemlaneExportFormat;

#define MEMLANE_EXPORT_LEAST 160
#define MEMLANE_EXPORT_MOST 16384

/* By the ending, any case; FALSE with G_IO_ERROR_INVALID_ARGUMENT that lists the known ones. */
gboolean memlane_export_format_for_path (const char *path, MemlaneExportFormat *format, GError **error);

/* @width x @height px (PDF: points, so 1280 px are 1280 pt); PNG is drawn at @scale pixels per px (1 or 2). Text is text in SVG where cairo can, and
 * title and description are the SVG's <title> and <desc>. (transfer full) or NULL with @error. */
GBytes *memlane_export_to_bytes (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style, MemlaneExportFormat format,
                                 int width, int height, double scale, GError **error);
/* The same, beside and rename: the file is whole or untouched. */
gboolean memlane_export_to_file (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style, MemlaneExportFormat format,
                                 int width, int height, double scale, const char *path, GError **error);

G_END_DECLS
