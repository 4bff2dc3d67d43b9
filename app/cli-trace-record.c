/* cli-trace-record.c: recording traces while signals are listened to, and what the user gets of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"
#ifdef MEMLANE_HAVE_CHART
#include "chart/timeline/timeline.h"
#endif

/* --- the figure ------------------------------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_CHART

static gboolean
parse_figure (CliTraceOutput *self, const char *command, int *status)
{
  g_autoptr (GError) error = NULL;

  self->figure.width = 1280; /* as high as the lanes need */
  if (cli_figure_parse (&self->figure, self->plot, self->style, "--plot-size", self->plot_size, &error))
    return TRUE;
  *status = cli_fail (CLI_USAGE, "%s: %s", command, error->message);
  return FALSE;
}

static gboolean
write_plot (const CliTraceOutput *self, MemlaneTrace *const *traces, guint n_traces, GError **error)
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL, NULL } };
  g_autoptr (MemlaneDrawing) drawing = NULL;

  n_traces = MIN (n_traces, MEMLANE_TIMELINE_MOST_TRACKS);
  for (guint i = 0; i < n_traces; i++)
    tracks[i].trace = traces[i];
  drawing = memlane_timeline_drawing_new (tracks, n_traces, NULL);
  return cli_figure_write (&self->figure, drawing, 1, self->plot, error);
}

#else

static gboolean
parse_figure (CliTraceOutput *self, const char *command, int *status)
{
  g_autofree char *option = g_strconcat (command, ": --plot", NULL);

  *status = cli_fail_no_figures (option);
  return FALSE;
}

static gboolean
write_plot (const CliTraceOutput *self, MemlaneTrace *const *traces, guint n_traces, GError **error)
{
  return FALSE; /* parse_figure() has refused */
}

#endif

/* --- what is said, and written --------------------------------------------------------------------------------------- */

MemlaneTrace *
cli_trace_cut (MemlaneTrace *trace, const char *range, GError **error)
{
  MemlaneTrace *part = NULL;

  if (trace == NULL || range == NULL)
    return trace;
  part = memlane_trace_cut (trace, range, error);
  memlane_trace_unref (trace);
  return part;
}

gboolean
cli_trace_output_check (CliTraceOutput *self, const char *command, guint n_traces, int *status)
{
  g_autoptr (GError) error = NULL;

  if (self->json != NULL && n_traces > 1)
    *status = cli_fail (CLI_USAGE, "%s: --json: one file holds one trace, and %u are asked for; expected one", command, n_traces);
  else if (self->summary && self->json != NULL && strcmp (self->json, "-") == 0)
    *status = cli_fail (CLI_USAGE, "%s: --summary: standard output holds the trace already; expected a file after --json", command);
  else if ((self->style != NULL || self->plot_size != NULL) && self->plot == NULL)
    *status = cli_fail (CLI_USAGE, "%s: %s: there is no figure; expected --plot F.svg", command,
                        self->style != NULL ? "--style" : "--plot-size");
  else if (self->plot != NULL && !parse_figure (self, command, status))
    return FALSE;
  else if (self->json != NULL && self->plot != NULL && cli_output_is_same (self->json, self->plot))
    *status = cli_fail (CLI_USAGE, "%s: --json and --plot name the same file %s; expected two", command, self->plot);
  else if ((self->json != NULL && !cli_output_check (self->json, CLI_FILE_TRACE, &error))
           || (self->plot != NULL && !cli_output_check (self->plot, CLI_FILE_FIGURE, &error)))
    *status = cli_fail (CLI_NOTHING, "%s", error->message);
  else
    return TRUE;
  return FALSE;
}

/* "vector-add, pinned, 2^14 floats", as far as it is known: a file of another program says less. (transfer full) */
static char *
name_trace (const MemlaneTraceInfo *info)
{
  GString *text = g_string_new (info->workload);

  if (info->mode != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", info->mode);
  if (info->log2_elements > 0)
    g_string_append_printf (text, "%s2^%u floats", text->len > 0 ? ", " : "", info->log2_elements);
  if (text->len == 0)
    g_string_append (text, "a trace");
  return g_string_free (text, FALSE);
}

static void
say_trace (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autofree char *name = name_trace (info);
  guint n;

  memlane_trace_get_events (trace, &n);
  g_printerr ("%s: %u event%s, recorded from %s\n", name, n, n == 1 ? "" : "s", info->source != NULL ? info->source : "an unknown source");
  if (info->overhead != NULL)
    g_printerr ("%s\n", info->overhead);
  if (info->dropped > 0)
    g_printerr ("%" G_GUINT64_FORMAT " records were lost while recording: what follows is not complete\n", info->dropped);
  if (info->skipped > 0)
    g_printerr ("%" G_GUINT64_FORMAT " records of the file mean nothing to Memlane and are left out\n", info->skipped);
  for (guint i = 0; i < info->notes->len; i++)
    g_printerr ("%s\n", (const char *) info->notes->pdata[i]);
}

static void
print_summary (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autofree char *name = name_trace (info), *table = memlane_trace_summary_to_text (trace);
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);

  if (info->device_name != NULL && info->device != NULL)
    g_print ("%s [%s], ", info->device_name, info->device);
  g_print ("%s\n%s", name, table);
  if (findings->len > 0)
    g_print ("\n");
  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      g_autofree char *text = memlane_answer_format (finding->sentence, NULL, NULL, NULL);

      g_print ("%s\n", text);
    }
}

/* Whether summaries go to standard output: asked for, or nothing else is. */
static gboolean
prints_summary (const CliTraceOutput *self)
{
  return self->summary || (self->json == NULL && self->plot == NULL);
}

int
cli_trace_output_write (const CliTraceOutput *self, MemlaneTrace *const *traces, guint n_traces)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; !self->quiet && i < n_traces; i++)
    say_trace (traces[i]);
  if (self->json != NULL && !memlane_trace_write_json (traces[0], self->json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (self->plot != NULL)
    {
      if (!write_plot (self, traces, n_traces, &error))
        return cli_fail (CLI_NOTHING, "%s", error->message);
      if (!self->quiet)
        g_printerr ("written: %s\n", self->plot);
    }
  for (guint i = 0; prints_summary (self) && i < n_traces; i++)
    {
      if (i > 0)
        g_print ("\n");
      print_summary (traces[i]);
    }
  return CLI_OK;
}

/* --- recording ------------------------------------------------------------------------------------------------------- */

static int
explain_failure (const char *device, const GError *error)
{
  if (g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE))
    return cli_fail (cli_device_status (device), "device %s cannot be used: %s", device, error->message);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cli_fail (CLI_INTERRUPTED, "interrupted; nothing was recorded");
  return cli_fail (CLI_NOTHING, "nothing was recorded: %s", error->message);
}

int
cli_trace_record (const char *asked, const CliTraceOutput *output, CliTraceStart start, guint n_traces, CliTracePrint print)
{
  g_autofree char *device = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MemlaneTrace *traces[CLI_MOST_TRACES] = { NULL };
  int status;

  g_assert (n_traces <= CLI_MOST_TRACES);
  /* Before the first word is said: whoever reads it may interrupt. */
  cli_signals_begin (cancellable, NULL);
  device = cli_device_choose (asked, output->quiet, &status);
  for (guint i = 0; device != NULL && error == NULL && i < n_traces; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;

      start (i, device, cancellable, cli_wait_done);
      result = cli_wait ();
      traces[i] = memlane_recording_finish (result, &error);
    }
  cli_signals_end ();
  if (device == NULL)
    return status;

  status = error == NULL ? cli_trace_output_write (output, traces, n_traces) : explain_failure (device, error);
  if (status == CLI_OK && print != NULL && prints_summary (output))
    print (traces, n_traces);
  for (guint i = 0; i < n_traces; i++)
    g_clear_pointer (&traces[i], memlane_trace_unref);
  return status;
}
