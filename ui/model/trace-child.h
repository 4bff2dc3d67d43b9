/* trace-child.h: one memlane-cli that records one trace into a file
 *
 * SPDX-License-Identifier: MIT
 *
 * Main thread. The file lies in a folder of its own under g_get_user_cache_dir()/memlane, which is the person's alone; whoever is handed
 * the path removes it by memlane_trace_child_discard(). What a crash left there is removed a day later, by the next recording.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* MEMLANE_CLI's, else the one beside this executable, else PATH's. (transfer full), or NULL with @error. */
char *memlane_trace_child_find_program (GError **error);

/* Runs "memlane-cli ARGUMENTS --json FILE --quiet". Cancelling asks the child to end (SIGINT) and ends it two seconds later (SIGKILL); the
 * callback comes when it is gone, never before this call returns. */
void memlane_trace_child_run_async (const char *const *arguments, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
/* The file. NULL with @error: what the child said of it on standard error, or how it ended, or that it could not be started;
 * G_IO_ERROR_CANCELLED. */
char *memlane_trace_child_run_finish (GAsyncResult *result, GError **error);

/* Removes @path and its folder. */
void memlane_trace_child_discard (const char *path);

G_END_DECLS
