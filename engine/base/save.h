/* save.h: a file is whole or it is not there
 *
 * SPDX-License-Identifier: MIT
 *
 * Writing goes to a temporary file in the same folder, which is moved to its place at the end. So
 * a full disk, an error or a kill leaves what was there before. The temporary file has no name
 * until then; where a file system has no such files, as NFS, a kill leaves .memlane-tmp-XXXXXX.
 * The new file has owner and permissions of the old one, without set-user-ID and set-group-ID. A
 * file whose owner cannot be kept is refused. Prepare several, then commit them, and they appear
 * together. "-", /dev/stdout, pipes and character devices are streams: prepare writes straight to
 * them. Errors are MEMLANE_FILE_ERROR_IO: "cannot write PATH: REASON". Any thread.
 */
#pragma once

#include "file-error.h"

typedef struct _MemlaneSave MemlaneSave;

/* A whole file at once. */
gboolean memlane_save_file (const char *path, const char *text, gsize length, GError **error);
/* The same for callers with words of their own: 0 or errno. */
int memlane_save_try_file (const char *path, const char *text, gsize length);

gboolean memlane_save_is_stream (const char *path);
/* Several files that shall appear together: prepare each, then commit each. */
MemlaneSave *memlane_save_prepare (const char *path, const char *text, gsize length,
                                   GError **error);
/* The same piece by piece: begin -> append... -> commit. After a failed append only free is left to
 * do. */
MemlaneSave *memlane_save_begin (const char *path, GError **error);
gboolean memlane_save_append (MemlaneSave *self, const char *text, gsize length, GError **error);
gboolean memlane_save_commit (MemlaneSave *self, GError **error);
void memlane_save_free (MemlaneSave *self); /* what was not committed is gone */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneSave, memlane_save_free)

/* Writes all of @text to @fd; FALSE with errno. */
gboolean memlane_save_write_all (int fd, const char *text, gsize length);
/* Makes a rename inside @folder last; a file system that cannot is no error. */
void memlane_save_sync_folder (const char *folder);
