/* small-file.h: a file of a person's, read at once and within a limit
 *
 * SPDX-License-Identifier: MIT
 *
 * A name may stand for a pipe, which would block its reader, or for a device without an end. Any thread.
 */
#pragma once

#include "file-error.h"

G_BEGIN_DECLS

/* Reads the regular file at @path. *@text (transfer full) ends in a 0 that *@length does not count. FALSE with G_FILE_ERROR: what open()
 * says, or INVAL: it is no regular file, or has more than @most bytes. */
gboolean memlane_small_file_read (const char *path, gsize most, char **text, gsize *length, GError **error);

G_END_DECLS
