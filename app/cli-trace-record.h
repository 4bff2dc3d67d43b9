/* cli-trace-record.h: recording traces, and what the user gets of them: JSON, figure, summary, words
 *
 * SPDX-License-Identifier: MIT
 *
 * Put CLI_TRACE_OUTPUT_ENTRIES into the command's options, check before anything is recorded, then record, or write what is there already.
 */
#pragma once

#include "cli.h"
#include "memlane.h"

G_BEGIN_DECLS

typedef struct
{
  char *json, *plot, *style, *plot_size;
  gboolean summary, quiet;
} CliTraceOutput;

/* @output: a CliTraceOutput of all zeroes. */
#define CLI_TRACE_OUTPUT_ENTRIES(output) \
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &(output).json, "A file for the trace, as Chrome trace JSON (- is standard output)", "F" }, \
  { "plot", 'o', 0, G_OPTION_ARG_FILENAME, &(output).plot, "A file for the timeline: SVG, PNG or PDF by its ending", "F.svg" }, \
  { "style", 0, 0, G_OPTION_ARG_FILENAME, &(output).style, "Of the timeline: screen, dark, print, projector, ... (default: screen)", \
    "STYLE" }, \
  { "plot-size", 0, 0, G_OPTION_ARG_FILENAME, &(output).plot_size, \
    "Of the timeline, in pixels; points in a PDF (default: 1280 wide, as high as the lanes need)", "WxH" }, \
  { "summary", 0, 0, G_OPTION_ARG_NONE, &(output).summary, "Print the summary although there is a file", NULL }, \
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &(output).quiet, "Say nothing but warnings and errors", NULL }

/* Returns what of @trace (transfer full) (nullable) lies within the ranges called @range; NULL: all of it. NULL with @error. */
MemlaneTrace *cli_trace_cut (MemlaneTrace *trace, const char *range, GError **error);

/* Whether all that is asked for can be had for @n_traces (1 or 2) traces. FALSE: the message, which begins with @command, is out, and
 * *@status is set. */
gboolean cli_trace_output_check (const CliTraceOutput *self, const char *command, guint n_traces, int *status);
/* Says what was recorded, writes the files, prints the summaries (always, when no file is asked for). Returns the exit status. */
int cli_trace_output_write (const CliTraceOutput *self, MemlaneTrace *const *traces, guint n_traces);

#define CLI_MOST_TRACES 2

/* Begins to record trace number @nth of what @plan says on @device; memlane_recording_finish() takes what @callback is told. */
typedef void (*CliTraceStart) (gconstpointer plan, guint nth, const char *device, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);

/* Prints more on standard output, behind the summaries. */
typedef void (*CliTracePrint) (gconstpointer plan, MemlaneTrace *const *traces, guint n_traces);

/* Chooses the device (@asked NULL: the default one), records @n_traces (to CLI_MOST_TRACES), gives the user what @output asks for, then
 * calls @print (NULL: none) if summaries were printed. Interruptible. What went wrong is said. Returns the exit status. */
int cli_trace_record (const char *asked, const CliTraceOutput *output, CliTraceStart start, gconstpointer plan, guint n_traces,
                      CliTracePrint print);

G_END_DECLS
