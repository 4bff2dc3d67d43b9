/* recording.h: a recorded program as a trace
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "trace.h"

/* Reads the files that the recorder wrote (record.h), one for each process of the program, into one trace. Calls are named after what they
 * are and where the program makes them: "cudaMemcpy (main.cu:42)". The place comes from addr2line, where it and the program's debugging
 * information are there; else it is a function or an offset. Blocks; any thread. @paths ends in NULL and has one at least.
 * Returns: (transfer full), or NULL with MEMLANE_FILE_ERROR_BAD, _IO or MEMLANE_TRACE_ERROR_TOO_LARGE. */
MemlaneTrace *memlane_trace_read_recording (char *const *paths, GError **error);
