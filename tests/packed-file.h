/* packed-file.h: writes what gzip has packed
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <string.h>

#include <gio/gio.h>

/* Writes @begin and then @n times @piece into @path. */
static inline void
pack_file (const char *path, const char *begin, const char *piece, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) out = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_autoptr (GZlibCompressor) zlib = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  g_autoptr (GOutputStream) pack = g_converter_output_stream_new (G_OUTPUT_STREAM (out), G_CONVERTER (zlib));

  g_output_stream_write_all (pack, begin, strlen (begin), NULL, NULL, &error);
  for (guint i = 0; i < n; i++)
    g_output_stream_write_all (pack, piece, strlen (piece), NULL, NULL, &error);
  g_output_stream_close (pack, NULL, &error);
  g_assert_no_error (error);
}
