/* watch.h: runs somebody else's program, and records what it does with CUDA
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "trace/trace.h"

#define MEMLANE_WATCH_ERROR (memlane_watch_error_quark ())
typedef enum
{
  MEMLANE_WATCH_ERROR_NO_RECORDER, /* this build has none, or another tool is in its place */
  MEMLANE_WATCH_ERROR_START,       /* the program cannot be started */
  MEMLANE_WATCH_ERROR_NOTHING,     /* it ended without a call to CUDA */
} MemlaneWatchError;
GQuark memlane_watch_error_quark (void);

/* Starts @words (ending in NULL) with the recorder, on this process' standard input and output, and waits for its end. Its children are
 * recorded as well. @output: a descriptor that takes its output and errors instead; it then reads nothing, and leads a process group of its
 * own; -1: none. @gpu (nullable): the number of the only GPU that it shall see. @seconds: how long to record, 0: to the end. *@pid is
 * the program's number while it runs, for signals; *@status its wait status (waitpid(2)), -1 when it did not start. Nothing of the
 * recording stays on disk. Blocks; one at a time.
 * Returns: (transfer full), or NULL with an error of this domain or of memlane_trace_read_recording(). */
MemlaneTrace *memlane_watch_program (char **words, int output, const char *gpu, double seconds, volatile GPid *pid, int *status,
                                     GError **error);
