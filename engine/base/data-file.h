/* data-file.h: where Memlane's own data files lie; small files of people
 *
 * SPDX-License-Identifier: MIT
 *
 * Folders are looked through in this order: $MEMLANE_DATA_DIR, the person's and the system's XDG
 * data folders ("memlane" in each), the folder that this build installs to, the source tree's
 * data/. An earlier file hides a later one of the same name. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "file-error.h"

/* (transfer full) (element-type filename): every folder that may hold data files, whether it exists
 * or not; with @relative ("devices") behind each, unless it is NULL. */
GPtrArray *memlane_data_list_folders (const char *relative);
/* (transfer full) (nullable): the first file or folder there is of that name ("published.csv",
 * "recordings/h200-vector-add.csv"). If only NAME.gz exists, it is NAME all the same:
 * memlane_csv_read() opens it. */
char *memlane_data_find (const char *relative);
/* Reads the text file @relative ("programs/pinned.cu") of the data folders. (transfer full). NULL
 * with @error, which names the file: there is none. */
char *memlane_data_read (const char *relative, GError **error);
/* (transfer full) (element-type filename): the files in them that end in @suffix or
 * @suffix.gz, of each name the first; no hidden ones. Those of one folder by name, packed ones
 * last; NAME.gz and NAME have one name. */
GPtrArray *memlane_data_list_files (const char *relative, const char *suffix);
/* (transfer full) (element-type filename): the files in @folder that end in @suffix, by name; no
 * hidden ones. Where the folder cannot be read, @error is set and the list is empty. */
GPtrArray *memlane_list_files (const char *folder, const char *suffix, GError **error);

/* Opens @path for reading. A pipe without a writer is open at once, and reading from it waits until
 * it is cancelled. NULL with MEMLANE_FILE_ERROR_IO. */
GInputStream *memlane_open_file (const char *path, GError **error);
/* Reads the regular file at @path, whose name may stand for a pipe, which would block its reader,
 * or for a device without an end. *@text (transfer full) ends in a 0 that *@length does not count.
 * FALSE with G_FILE_ERROR: what open() says, or INVAL: it is no regular file, or has more than
 * @most bytes. */
gboolean memlane_small_file_read (const char *path, gsize most, char **text, gsize *length,
                                  GError **error);
