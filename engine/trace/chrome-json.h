/* chrome-json.h: traces as Chrome trace JSON, the format that Perfetto and chrome://tracing read, and back
 *
 * SPDX-License-Identifier: MIT
 *
 * What is written is read back to an equal trace: times are microseconds with three decimals, so whole nanoseconds.
 * Each event is one "X" record on the thread that stands for its home lane (and row). Its "cat" is its kind's word, "args" holds the rest.
 * "otherData" holds what is known of the trace. Up to MEMLANE_TRACE_MOST_FLOWS events there are flow arrows from calls to operations.
 *
 * Files of other programs are read as far as they go: records X, B/E, i and I become events. Those of PyTorch's profiler and of converters
 * of nsys reports that say "kernel", "gpu_memcpy", "cuda_runtime" and so on become what they are. All others become OTHER, in a lane for
 * each thread. M, s, t and f are understood; records of other phases are counted as skipped.
 */
#pragma once

#include "base/api.h"
#include "trace.h"

MEMLANE_BEGIN_PUBLIC

#define MEMLANE_TRACE_MOST_FLOWS 100000

/* Written beside and renamed; "-" and pipes are written straight. FALSE with MEMLANE_FILE_ERROR_IO. Any thread. */
gboolean memlane_trace_write_json (const MemlaneTrace *trace, const char *path, GError **error);

/* @part: 0 to 1 of the file's bytes; called in the reading thread, some thousand times at most for each GiB. */
typedef void (*MemlaneTraceProgress) (double part, gpointer user_data);

/* Strict: the first thing that is wrong refuses the whole file, with its place: what is no JSON, cut off, no trace, has an event that ends
 * before it starts, a time that is no number. Blocks; any thread. Returns: (transfer full), or NULL with MEMLANE_FILE_ERROR_BAD, _IO,
 * MEMLANE_TRACE_ERROR_TOO_LARGE, or G_IO_ERROR_CANCELLED. */
MemlaneTrace *memlane_trace_read_json (const char *path, MemlaneTraceProgress progress, gpointer user_data, GCancellable *cancellable,
                                       GError **error);

MEMLANE_END_PUBLIC

#ifdef MEMLANE_COMPILATION /* for the engine and its tests; the shared library does not export it */

G_BEGIN_DECLS

/* Takes the next piece of the text; FALSE with @error ends the writing. */
typedef gboolean (*MemlaneTracePut) (const char *text, gsize length, gpointer user_data, GError **error);
/* What memlane_trace_write_json() writes, piece by piece. */
gboolean memlane_trace_put_json (const MemlaneTrace *trace, MemlaneTracePut put, gpointer user_data, GError **error);
/* memlane_trace_read_json() of a text in memory; @name stands for the file in messages. */
MemlaneTrace *memlane_trace_read_json_text (const char *text, gsize length, const char *name, GError **error);

G_END_DECLS

#endif
