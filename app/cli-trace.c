/* cli-trace.c: memlane-cli trace, one sample of one cell event by event
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <glib-unix.h>
#include <string.h>

#include "trace/chrome-json.h"
#include "trace/findings.h"
#include "trace/record.h"
#include "trace/summary.h"

#define LARGEST_REUSE 100000

/* What the command line said, as text. */
typedef struct
{
  char *device, *workload, *mode, *size, *json;
  char *reuse, *streams, *chunks, *seed;
  gboolean summary, quiet;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->device);
  g_free (asked->workload);
  g_free (asked->mode);
  g_free (asked->size);
  g_free (asked->json);
  g_free (asked->reuse);
  g_free (asked->streams);
  g_free (asked->chunks);
  g_free (asked->seed);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

typedef struct
{
  const MemlaneWorkload *workload;
  const MemlaneMode *mode;
  guint log2_elements;
  MemlaneTraceOptions options;
} Plan;

static gboolean
set_number (const char *option, const char *text, guint least, guint most, guint *value, GError **error)
{
  guint64 number = *value;

  if (!cli_options_integer (option, text, least, most, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

static gboolean
refuse_id (const char *option, const char *what, const char *id, const GString *known, GError **error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: unknown %s \"%s\": expected one of %s", option, what, id, known->str);
  return FALSE;
}

static gboolean
make_plan (const Asked *asked, Plan *plan, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  guint n;

  plan->workload = memlane_workload_find (asked->workload != NULL ? asked->workload : "vector-add");
  if (plan->workload == NULL)
    {
      const MemlaneWorkload *workloads = memlane_workload_list (&n);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", workloads[i].id);
      return refuse_id ("--workload", "workload", asked->workload, known, error);
    }
  if (asked->mode == NULL || asked->size == NULL)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "expected %s, %s",
                   asked->mode == NULL ? "--mode M" : "--size P",
                   asked->mode == NULL ? "one memory mode (memlane-cli modes lists them)" : "the exponent: vectors of 2^P floats");
      return FALSE;
    }
  plan->mode = memlane_mode_find (asked->mode);
  if (plan->mode == NULL)
    {
      const MemlaneMode *modes = memlane_mode_list (&n);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", modes[i].id);
      return refuse_id ("--mode", "mode", asked->mode, known, error);
    }
  return set_number ("--size", asked->size, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &plan->log2_elements, error)
         && set_number ("--reuse", asked->reuse, 1, LARGEST_REUSE, &plan->options.reuse, error)
         && set_number ("--streams", asked->streams, 1, MEMLANE_MOST_STREAMS, &plan->options.streams, error)
         && set_number ("--chunks", asked->chunks, 1, MEMLANE_MOST_CHUNKS, &plan->options.chunks, error)
         && cli_options_integer ("--seed", asked->seed, 1, G_MAXUINT64, &plan->options.seed, error);
}

/* --- what is said of a trace ------------------------------------------------------------------------------------ */

static void
say_trace (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  guint n;

  memlane_trace_get_events (trace, &n);
  g_printerr ("%s, %s, 2^%u floats: %u events, recorded from %s\n", info->workload, info->mode, info->log2_elements, n, info->source);
  g_printerr ("%s\n", info->overhead);
  if (info->dropped > 0)
    g_printerr ("%" G_GUINT64_FORMAT " records were lost while recording: what follows is not complete\n", info->dropped);
  for (guint i = 0; i < info->notes->len; i++)
    g_printerr ("%s\n", (const char *) info->notes->pdata[i]);
}

static void
print_summary (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autofree char *table = memlane_trace_summary_to_text (trace);
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);

  g_print ("%s [%s], %s, %s, 2^%u floats\n", info->device_name, info->device, info->workload, info->mode, info->log2_elements);
  g_print ("%s", table);
  for (guint i = 0; i < findings->len; i++)
    {
      const MemlaneTraceFinding *finding = findings->pdata[i];

      g_print ("%s%s\n", i == 0 ? "\n" : "", finding->text);
    }
}

/* --- the command -------------------------------------------------------------------------------------------------- */

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  const char *device;
  const Plan *plan;
  gboolean is_open;     /* the device could be opened */
  MemlaneTrace *trace;
  GError *error;
} Work;

/* On a thread of its own, so that this one can hear of signals. */
static void
record_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;
  const Plan *plan = work->plan;
  g_autoptr (MemlaneDevice) device = memlane_device_open (work->device, &work->error);

  work->is_open = device != NULL;
  if (device != NULL)
    work->trace = memlane_trace_record (device, plan->workload, plan->mode, plan->log2_elements, &plan->options, cancellable, &work->error);
  g_task_return_boolean (task, work->trace != NULL);
}

static void
on_recorded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  g_main_loop_quit (work->loop);
}

static gboolean
on_signal (gpointer user_data)
{
  Work *work = user_data;

  g_cancellable_cancel (work->cancellable);
  return G_SOURCE_CONTINUE;
}

static void
record (Work *work)
{
  g_autoptr (GTask) task = g_task_new (NULL, work->cancellable, on_recorded, work);

  g_task_set_task_data (task, work, NULL);
  g_task_run_in_thread (task, record_in_thread);
  g_main_loop_run (work->loop);
}

/* What the user gets of a recorded trace. */
static int
conclude (const Asked *asked, const MemlaneTrace *trace)
{
  g_autoptr (GError) error = NULL;

  if (!asked->quiet)
    say_trace (trace);
  if (asked->json != NULL && !memlane_trace_write_json (trace, asked->json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked->summary || asked->json == NULL)
    print_summary (trace);
  return CLI_OK;
}

static int
explain_failure (const Work *work)
{
  if (!work->is_open)
    return cli_fail (cli_device_status (work->device), "device %s cannot be used: %s", work->device, work->error->message);
  if (g_error_matches (work->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cli_fail (CLI_INTERRUPTED, "interrupted; nothing was recorded");
  return cli_fail (CLI_NOTHING, "nothing was recorded: %s", work->error->message);
}

static int
run (int argc, char **argv)
{
  g_auto (Asked) asked = { 0 };
  const GOptionEntry entries[] = {
    { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "Where to record (default: a GPU, else simulated:h200)", "ID" },
    { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload, "What to do with the vectors (default: vector-add)", "W" },
    { "mode", 'm', 0, G_OPTION_ARG_FILENAME, &asked.mode, "The memory mode; required", "M" },
    { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size, "The exponent P: vectors of 2^P floats; required", "P" },
    { "json", 'j', 0, G_OPTION_ARG_FILENAME, &asked.json, "A file for the trace, which Perfetto opens (- is standard output)", "F" },
    { "summary", 0, 0, G_OPTION_ARG_NONE, &asked.summary, "Print the summary although there is a file", NULL },
    { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse, "Kernel launches (or copies) per transfer (default: 1)", "R" },
    { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
      "Streams of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")", "S" },
    { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
      "Chunks of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_CHUNKS) ")", "K" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &asked.seed, "Seed of the inputs (default: 20180501)", "N" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "Say nothing but warnings and errors", NULL },
    { NULL },
  };
  g_auto (GStrv) positional = NULL;
  g_autofree char *device = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Plan plan = { 0 };
  Work work = { .loop = loop, .cancellable = cancellable, .plan = &plan };
  guint interrupt, terminate;
  int status;

  if (!cli_options_parse (&cli_trace, entries, argc, argv, 0, &positional, &status))
    return status;
  if (!make_plan (&asked, &plan, &error))
    return cli_fail (CLI_USAGE, "trace: %s", error->message);
  if (asked.summary && asked.json != NULL && strcmp (asked.json, "-") == 0)
    return cli_fail (CLI_USAGE, "trace: --summary: standard output holds the trace already; expected a file after --json");
  if (asked.json != NULL && !cli_output_check (asked.json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  memlane_trace_prepare (); /* no device is open yet */
  /* Before the first word is said: whoever reads it may interrupt. */
  interrupt = g_unix_signal_add (SIGINT, on_signal, &work);
  terminate = g_unix_signal_add (SIGTERM, on_signal, &work);
  device = cli_device_choose (asked.device, asked.quiet, &status);
  if (device == NULL)
    {
      g_source_remove (interrupt);
      g_source_remove (terminate);
      return status;
    }

  work.device = device;
  record (&work);
  g_source_remove (interrupt);
  g_source_remove (terminate);
  status = work.trace != NULL ? conclude (&asked, work.trace) : explain_failure (&work);
  g_clear_pointer (&work.trace, memlane_trace_unref);
  g_clear_error (&work.error);
  return status;
}

const CliCommand cli_trace = {
  .name = "trace",
  .summary = "Record one sample of one mode, event by event",
  .description =
    "One whole sample is recorded: the calls of the host, the copies, kernels, page\n"
    "migrations and faults, and who waited for whom. The summary is the table that\n"
    "nvprof printed, with median and standard deviation, followed by what the trace\n"
    "shows in words. It goes to standard output unless --json asks for a file; then\n"
    "only with --summary. The file opens in https://ui.perfetto.dev.\n"
    "\n"
    "On a GPU the events come from CUPTI; where that is missing, not permitted or in\n"
    "use by a profiler, from CUDA events, with fewer lanes, and the trace says so.\n"
    "What tracing itself cost is told too: a trace is no measurement.\n"
    "\n"
    "Examples:\n"
    "  memlane-cli trace --mode pageable --size 20\n"
    "  memlane-cli trace --mode streams-depth-first --size 22 --streams 2 --chunks 4\n"
    "  memlane-cli trace --mode managed --size 20 --json managed.json --summary\n"
    "\n"
    "Exit status: 0 recorded; 1 wrong usage; 2 nothing could be recorded, or the\n"
    "output cannot be written; 130 interrupted.",
  .run = run,
};
