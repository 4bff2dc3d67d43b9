/* cli-trace.c: memlane-cli trace, one sample of one cell event by event
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-trace-output.h"

#include <glib-unix.h>

#include "trace/record.h"

/* What the command line said, as text. */
typedef struct
{
  char *device, *workload, *mode, *size;
  char *reuse, *streams, *chunks, *seed;
  CliTraceOutput output;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->device);
  g_free (asked->workload);
  g_free (asked->mode);
  g_free (asked->size);
  g_free (asked->reuse);
  g_free (asked->streams);
  g_free (asked->chunks);
  g_free (asked->seed);
  cli_trace_output_clear (&asked->output);
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
make_plan (const Asked *asked, Plan *plan, GError **error)
{
  plan->workload = memlane_workload_find ("vector-add");
  if (!cli_options_workload (asked->workload, &plan->workload, error))
    return FALSE;
  if (asked->mode == NULL || asked->size == NULL)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "expected %s, %s",
                   asked->mode == NULL ? "--mode M" : "--size P",
                   asked->mode == NULL ? "one memory mode (memlane-cli modes lists them)" : "the exponent: vectors of 2^P floats");
      return FALSE;
    }
  return cli_options_mode (asked->mode, &plan->mode, error)
         && cli_options_count ("--size", asked->size, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &plan->log2_elements, error)
         && cli_options_count ("--reuse", asked->reuse, 1, CLI_LARGEST_REUSE, &plan->options.reuse, error)
         && cli_options_count ("--streams", asked->streams, 1, MEMLANE_MOST_STREAMS, &plan->options.streams, error)
         && cli_options_count ("--chunks", asked->chunks, 1, MEMLANE_MOST_CHUNKS, &plan->options.chunks, error)
         && cli_options_integer ("--seed", asked->seed, 1, G_MAXUINT64, &plan->options.seed, error);
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
    { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse, "Kernel launches (or copies) per transfer (default: 1)", "R" },
    { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
      "Streams of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")", "S" },
    { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
      "Chunks of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_CHUNKS) ")", "K" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &asked.seed, "Seed of the inputs (default: 20180501)", "N" },
    CLI_TRACE_OUTPUT_ENTRIES (asked.output),
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
  if (!cli_trace_output_check (&asked.output, "trace", 1, &status))
    return status;
  memlane_trace_prepare (); /* no device is open yet */
  /* Before the first word is said: whoever reads it may interrupt. */
  interrupt = g_unix_signal_add (SIGINT, on_signal, &work);
  terminate = g_unix_signal_add (SIGTERM, on_signal, &work);
  device = cli_device_choose (asked.device, asked.output.quiet, &status);
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
  status = work.trace != NULL ? cli_trace_output_write (&asked.output, &work.trace, 1) : explain_failure (&work);
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
    "only with --summary. The file is Chrome trace JSON, the format that\n"
    "https://ui.perfetto.dev and chrome://tracing read.\n"
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
