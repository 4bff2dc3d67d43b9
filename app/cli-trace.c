/* cli-trace.c: memlane-cli trace, one sample of one cell event by event; and lab, the stream
 * laboratory
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/size.h"
#ifdef MEMLANE_HAVE_CHART
#include "chart/timeline/timeline.h"
#endif

#define MOST_TRACES 2

/* The options of both commands, as text. */
static struct
{
  char *device, *size, *reuse, *streams, *chunks;
  char *workload, *mode, *input, *range, *seed; /* of trace */
  char *order, *between;                        /* of lab */
  char *json;
  CliPlot plot;
  gboolean summary, quiet;
} asked;

/* --- what is said, and written ---------------------------------------------------------------- */

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

/* Whether all that is asked for can be had for @n_traces traces, before anything is recorded.
 * FALSE: the message is out. */
static gboolean
check_output (const char *command, guint n_traces, int *status)
{
  g_autoptr (GError) error = NULL;

  if (asked.json != NULL && n_traces > 1)
    *status = cli_fail (CLI_USAGE,
                        "%s: --json: one file holds one trace, and %u are asked for; expected one",
                        command, n_traces);
  else if (asked.summary && asked.json != NULL && strcmp (asked.json, "-") == 0)
    *status = cli_fail (
        CLI_USAGE,
        "%s: --summary: standard output holds the trace already; expected a file after --json",
        command);
  else if (asked.json != NULL && asked.plot.path != NULL
           && cli_output_is_same (asked.json, asked.plot.path))
    *status = cli_fail (CLI_USAGE, "%s: --json and --plot name the same file %s; expected two",
                        command, asked.plot.path);
  else if (asked.json != NULL && !cli_output_check (asked.json, CLI_FILE_TRACE, &error))
    *status = cli_fail (CLI_NOTHING, "%s", error->message);
  else
    *status = cli_plot_check (&asked.plot, command);
  return *status == CLI_OK;
}

/* "vector-add, pinned, 2^14 floats", as far as it is known: a file of another program says less.
 * (transfer full) */
static char *
name_trace (const MemlaneTraceInfo *info)
{
  g_autofree char *size = memlane_trace_info_size (info) > 0
                              ? memlane_size_format (memlane_trace_info_size (info))
                              : NULL;
  GString *text = g_string_new (info->workload);

  if (info->mode != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", info->mode);
  if (size != NULL)
    g_string_append_printf (text, "%s%s floats", text->len > 0 ? ", " : "", size);
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
  g_printerr ("%s: %u event%s, recorded from %s\n", name, n, n == 1 ? "" : "s",
              info->source != NULL ? info->source : "an unknown source");
  if (info->overhead != NULL)
    g_printerr ("%s\n", info->overhead);
  if (info->dropped > 0)
    g_printerr ("%" G_GUINT64_FORMAT
                " records were lost while recording: what follows is not complete\n",
                info->dropped);
  if (info->skipped > 0)
    g_printerr ("%" G_GUINT64_FORMAT
                " records of the file mean nothing to Memlane and are left out\n",
                info->skipped);
  MEMLANE_FOR_EACH (const char, note, info->notes)
    g_printerr ("%s\n", note);
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
prints_summary (void)
{
  return asked.summary || (asked.json == NULL && asked.plot.path == NULL);
}

/* Says what was recorded, writes the files, prints the summaries. Returns the exit status. */
static int
write_output (MemlaneTrace *const *traces, guint n_traces)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; !asked.quiet && i < n_traces; i++)
    say_trace (traces[i]);
  if (asked.json != NULL && !memlane_trace_write_json (traces[0], asked.json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
#ifdef MEMLANE_HAVE_CHART
  if (asked.plot.path != NULL)
    {
      MemlaneTimelineTrack tracks[MOST_TRACES] = { { NULL, NULL } };
      int status;

      for (guint i = 0; i < n_traces; i++)
        tracks[i].trace = traces[i];
      if ((status = cli_plot_draw (&asked.plot, 0, asked.quiet,
                                   memlane_timeline_drawing_new (tracks, n_traces, NULL)))
          != CLI_OK)
        return status;
    }
#endif
  for (guint i = 0; prints_summary () && i < n_traces; i++)
    {
      if (i > 0)
        g_print ("\n");
      print_summary (traces[i]);
    }
  return CLI_OK;
}

/* --- recording -------------------------------------------------------------------------------- */

static int
explain_failure (const char *device, const GError *error)
{
  if (g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE))
    return cli_fail (cli_device_status (device), "device %s cannot be used: %s", device,
                     error->message);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cli_fail (CLI_INTERRUPTED, "interrupted; nothing was recorded");
  return cli_fail (CLI_NOTHING, "nothing was recorded: %s", error->message);
}

static MemlaneMethod method;
static const MemlaneMode *mode;
static double log2_elements;

static gboolean
make_plan (GError **error)
{
  method.workload = memlane_workload_find ("vector-add");
  if (!cli_options_workload (asked.workload, &method.workload, error))
    return FALSE;
  if (asked.mode == NULL || asked.size == NULL)
    return cli_refuse (error, "expected %s, %s", asked.mode == NULL ? "--mode M" : "--size N",
                       asked.mode == NULL ? "one memory mode (memlane-cli modes lists them)"
                                          : "a vector: 20 or 2^20 floats, 100000, 4MiB");
  mode = memlane_mode_find (asked.mode);
  if (mode == NULL)
    {
      guint n;
      const MemlaneMode *modes = memlane_mode_list (&n);
      g_autofree char *known = MEMLANE_LIST (n, modes[i].id);

      return cli_refuse (error, "--mode: unknown mode \"%s\": expected one of %s", asked.mode,
                         known);
    }
  return cli_options_size (asked.size, &log2_elements, error)
         && cli_options_count ("--reuse", asked.reuse, 1, MEMLANE_MOST_REUSE, &method.reuse, error)
         && cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS, &method.streams,
                               error)
         && cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_PIECES, &method.chunks,
                               error)
         && cli_options_integer ("--seed", asked.seed, 1, G_MAXUINT64, &method.seed, error);
}

static MemlaneLabPlan plan;
static gboolean both; /* orders */

static gboolean
set_words (GError **error)
{
  g_autofree char *orders = MEMLANE_LIST (MEMLANE_LAB_N_ORDERS,
                                          memlane_lab_order_words ((MemlaneLabOrder) i)->name);
  g_autofree char *betweens = MEMLANE_LIST (
      MEMLANE_LAB_N_BETWEENS, memlane_lab_between_words ((MemlaneLabBetween) i)->name);

  both = g_strcmp0 (asked.order, "both") == 0;
  if (asked.order != NULL && !both && !memlane_lab_order_find (asked.order, &plan.order))
    return cli_refuse (error, "--order: unknown word \"%s\": expected one of %s, both", asked.order,
                       orders);
  if (asked.between != NULL && !memlane_lab_between_find (asked.between, &plan.between))
    return cli_refuse (error, "--between: unknown word \"%s\": expected one of %s", asked.between,
                       betweens);
  return TRUE;
}

static gboolean
make_lab_plan (GError **error)
{
  return set_words (error)
         && cli_options_count ("--size", asked.size, MEMLANE_LAB_SMALLEST_LOG2,
                               MEMLANE_LARGEST_LOG2, &plan.log2_elements, error)
         && cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS, &plan.streams,
                               error)
         && cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_CHUNKS, &plan.chunks,
                               error)
         && cli_options_count ("--reuse", asked.reuse, 1, MEMLANE_LAB_MOST_REUSE, &plan.reuse,
                               error);
}

/* Prints the figures by which orders are compared. Elapsed times are of samples that were not
 * traced. */
static void
print_comparison (MemlaneTrace *const *traces, guint n_traces)
{
  const MemlaneTraceInfo *first = memlane_trace_get_info (traces[0]);
  CliTable *table = cli_table_new (4, "ORDER", "ELAPSED", "TRACED", "OVERLAP EFFICIENCY");

  for (guint i = 0; i < n_traces; i++)
    {
      const MemlaneTraceInfo *info = memlane_trace_get_info (traces[i]);
      g_autofree char *elapsed = memlane_summary_format_time (info->untraced_ns),
                      *traced = memlane_summary_format_time (info->traced_ns);
      g_autofree char *overlap = NULL;
      MemlaneTraceBounds bounds;

      if (memlane_trace_compute_bounds (traces[i], &bounds))
        overlap = g_strdup_printf ("%.0f %%", MAX (bounds.efficiency, 0) * 100);
      cli_table_add (table, info->mode + strlen ("lab-"), elapsed, traced, overlap);
    }
  g_print ("\n2^%u floats, %u streams, %u chunks, reuse %u\n", first->log2_elements, first->streams,
           first->chunks, first->reuse);
  cli_table_print (table);
}

/* Records @n_traces, of the laboratory or of a cell, and gives the user what is asked for. What
 * went wrong is said. Returns the exit status. */
static int
record (gboolean is_lab, guint n_traces)
{
  g_autofree char *device = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MemlaneTrace *traces[MOST_TRACES] = { NULL };
  int status;

  /* Before the first word is said: whoever reads it may interrupt. */
  cli_signals_begin (cancellable, NULL);
  device = cli_device_choose (asked.device, asked.quiet, &status);
  for (guint i = 0; device != NULL && error == NULL && i < n_traces; i++)
    {
      plan.order = both ? (MemlaneLabOrder) i : plan.order;
      if (is_lab)
        memlane_recording_lab_async (device, &plan, cancellable, NULL, cli_wait_done, NULL);
      else
        memlane_recording_sample_async (device, &method, mode, log2_elements, cancellable, NULL,
                                        cli_wait_done, NULL);
      traces[i] = cli_wait (&error);
    }
  cli_signals_end ();
  if (device == NULL)
    return status;

  status = error == NULL ? write_output (traces, n_traces) : explain_failure (device, error);
  if (status == CLI_OK && is_lab && prints_summary ())
    print_comparison (traces, n_traces);
  for (guint i = 0; i < n_traces; i++)
    g_clear_pointer (&traces[i], memlane_trace_unref);
  return status;
}

/* --- the commands ----------------------------------------------------------------------------- */

#define OUTPUT_ENTRIES                                                                             \
  { "json",      'j',                                                                              \
    0,           G_OPTION_ARG_FILENAME,                                                            \
    &asked.json, "A file for the trace, as Chrome trace JSON (- is standard output)",              \
    "F" },                                                                                         \
      CLI_PLOT_ENTRIES (asked.plot, "A file for the timeline: SVG, PNG or PDF by its ending",      \
                        "Of the timeline", "1280 wide, as high as the lanes need"),                \
      { "summary",                                                                                 \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_NONE,                                                                         \
        &asked.summary,                                                                            \
        "Print the summary although there is a file",                                              \
        NULL },                                                                                    \
  {                                                                                                \
    "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "Say nothing but warnings and errors", NULL  \
  }

/* A trace that is there already: what would say how to record one is refused. */
static int
show_input (void)
{
  const char *const others[] = { "--device", asked.device, "--workload", asked.workload,
                                 "--mode",   asked.mode,   "--size",     asked.size,
                                 "--reuse",  asked.reuse,  "--streams",  asked.streams,
                                 "--chunks", asked.chunks, "--seed",     asked.seed };
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (others); i += 2)
    if (others[i + 1] != NULL)
      return cli_fail (CLI_USAGE,
                       "trace: %s: --input reads a trace and records none; expected one of the two",
                       others[i]);
  trace = cli_trace_cut (
      memlane_trace_read_json (cli_input_path (asked.input), NULL, NULL, NULL, &error), asked.range,
      &error);
  if (trace == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  return write_output (&trace, 1);
}

static const GOptionEntry trace_options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "Where to record (default: a GPU, else simulated:h200)", "ID" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload,
    "What to do with the vectors (default: vector-add)", "W" },
  { "mode", 'm', 0, G_OPTION_ARG_FILENAME, &asked.mode, "The memory mode; required", "M" },
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size,
    "A vector: 20 or 2^20 (floats), 100000, 1M, 4MiB; required", "N" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &asked.input,
    "Record nothing: read this trace: Chrome trace JSON, or an export of Nsight Systems", "F" },
  { "range", 0, 0, G_OPTION_ARG_FILENAME, &asked.range,
    "Of the trace that is read: what lies within ranges of this name alone", "NAME" },
  { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse,
    "Kernel launches (or copies) per transfer (default: 1)", "R" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
    "Streams of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")",
    "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
    "Chunks of the stream modes, or number of pieces (default: 8)", "K" },
  { "seed", 0, 0, G_OPTION_ARG_FILENAME, &asked.seed, "Seed of the inputs (default: 20180501)",
    "N" },
  OUTPUT_ENTRIES,
  { NULL },
};

static int
run_trace (char **positional)
{
  g_autoptr (GError) error = NULL;
  const char *inputs[2] = { NULL };
  int status;

  if (asked.input == NULL && asked.range != NULL)
    return cli_fail (CLI_USAGE,
                     "trace: --range is of a trace that is read; expected --input F, too");
  if (asked.input == NULL && !make_plan (&error))
    return cli_fail (CLI_USAGE, "trace: %s", error->message);
  inputs[0] = asked.input;
  if (asked.input != NULL
      && (cli_output_is_input (asked.json, inputs)
          || cli_output_is_input (asked.plot.path, inputs)))
    return cli_fail (CLI_USAGE, "trace: %s is the trace that is read; expected another name",
                     asked.input);
  if (!check_output ("trace", 1, &status))
    return status;
  if (asked.input != NULL)
    return show_input ();
  return record (FALSE, 1);
}

const CliCommand cli_trace = {
  .name = "trace",
  .summary = "Record one sample of one mode, event by event",
  .options = trace_options,
  .run = run_trace,
  .writes = TRUE,
};

static const GOptionEntry lab_options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "Where to record (default: a GPU, else simulated:h200)", "ID" },
  { "order", 0, 0, G_OPTION_ARG_FILENAME, &asked.order,
    "depth-first (default), breadth-first, or both", "ORDER" },
  { "between", 0, 0, G_OPTION_ARG_FILENAME, &asked.between,
    "What stands between the two halves: nothing (default), pinned-allocation, device-allocation, "
    "device-memset, device-copy, "
    "default-stream",
    "WHAT" },
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size,
    "The exponent P: vectors of 2^P floats (default: 20)", "P" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
    "Streams (default: 2, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")", "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
    "Chunks (default: 4, at most " G_STRINGIFY (MEMLANE_MOST_CHUNKS) ")", "K" },
  { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse,
    "Kernel launches for each chunk (default: 1, at most " G_STRINGIFY (MEMLANE_LAB_MOST_REUSE) ")",
    "R" },
  { "pageable", 0, 0, G_OPTION_ARG_NONE, &plan.pageable,
    "Host memory of malloc instead of page-locked memory", NULL },
  { "non-blocking", 0, 0, G_OPTION_ARG_NONE, &plan.non_blocking,
    "Streams that do not wait for the default stream", NULL },
  { "priorities", 0, 0, G_OPTION_ARG_NONE, &plan.priorities,
    "The last stream has the highest priority, the others the lowest", NULL },
  { "host-functions", 0, 0, G_OPTION_ARG_NONE, &plan.host_functions,
    "A host function at the end of each stream", NULL },
  OUTPUT_ENTRIES,
  { NULL },
};

static int
run_lab (char **positional)
{
  g_autoptr (GError) error = NULL;
  int status;

  if (!make_lab_plan (&error))
    return cli_fail (CLI_USAGE, "lab: %s", error->message);
  if (!check_output ("lab", both ? MOST_TRACES : 1, &status))
    return status;
  return record (TRUE, both ? MOST_TRACES : 1);
}

const CliCommand cli_lab = {
  .name = "lab",
  .summary = "The stream laboratory: copies and kernels on streams, event by event",
  .options = lab_options,
  .run = run_lab,
  .writes = TRUE,
};
