/* cli-trace-record.h: recording traces on a thread of its own, while this one listens to signals
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "cli-trace-output.h"
#include "trace/trace.h"

G_BEGIN_DECLS

#define CLI_MOST_TRACES 2

/* Records trace number @nth of what @plan says. Called on the recording thread, which owns @device. */
typedef MemlaneTrace *(*CliTraceRecord) (gconstpointer plan, guint nth, MemlaneDevice *device, GCancellable *cancellable, GError **error);

/* Prints more on standard output, behind the summaries. */
typedef void (*CliTracePrint) (gconstpointer plan, MemlaneTrace *const *traces, guint n_traces);

/* Chooses the device (@asked NULL: the default one), records @n_traces (to CLI_MOST_TRACES), gives the user what @output asks for, then
 * calls @print (NULL: none) if summaries were printed. Interruptible. What went wrong is said. No device may be open yet. Returns the exit
 * status. */
int cli_trace_record (const char *asked, const CliTraceOutput *output, CliTraceRecord record, gconstpointer plan, guint n_traces,
                      CliTracePrint print);

G_END_DECLS
