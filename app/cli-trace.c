/* cli-trace.c: memlane-cli trace, one sample of one cell event by event
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "base/fail.h"
#include "memlane.h"

/* The options of the command line, as text. */
static struct
{
  char *device, *workload, *mode, *size, *input, *range;
  char *reuse, *streams, *chunks, *seed;
  CliTraceOutput output;
} asked;

static MemlaneMethod method;
static const MemlaneMode *mode;
static guint log2_elements;

static gboolean
make_plan (GError **error)
{
  method.workload = memlane_workload_find ("vector-add");
  if (!cli_options_workload (asked.workload, &method.workload, error))
    return FALSE;
  if (asked.mode == NULL || asked.size == NULL)
    return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "expected %s, %s",
                         asked.mode == NULL ? "--mode M" : "--size P",
                         asked.mode == NULL ? "one memory mode (memlane-cli modes lists them)" : "the exponent: vectors of 2^P floats");
  mode = memlane_mode_find (asked.mode);
  if (mode == NULL)
    {
      guint n;
      const MemlaneMode *modes = memlane_mode_list (&n);
      g_autofree char *known = CLI_LIST (n, modes[i].id);

      return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--mode: unknown mode \"%s\": expected one of %s", asked.mode,
                           known);
    }
  return cli_options_count ("--size", asked.size, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &log2_elements, error)
         && cli_options_count ("--reuse", asked.reuse, 1, MEMLANE_MOST_REUSE, &method.reuse, error)
         && cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS, &method.streams, error)
         && cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_PIECES, &method.chunks, error)
         && cli_options_integer ("--seed", asked.seed, 1, G_MAXUINT64, &method.seed, error);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static void
start (guint nth, const char *device, GCancellable *cancellable, GAsyncReadyCallback callback)
{
  memlane_recording_sample_async (device, &method, mode, log2_elements, cancellable, NULL, callback, NULL);
}

/* A trace that is there already: what would say how to record one is refused. */
static int
show_input (void)
{
  const char *const others[] = { "--device", asked.device, "--workload", asked.workload, "--mode", asked.mode, "--size", asked.size,
                                 "--reuse", asked.reuse, "--streams", asked.streams, "--chunks", asked.chunks, "--seed", asked.seed };
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (others); i += 2)
    if (others[i + 1] != NULL)
      return cli_fail (CLI_USAGE, "trace: %s: --input reads a trace and records none; expected one of the two", others[i]);
  trace = cli_trace_cut (memlane_trace_read_json (cli_input_path (asked.input), NULL, NULL, NULL, &error), asked.range, &error);
  if (trace == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  return cli_trace_output_write (&asked.output, &trace, 1);
}

static const GOptionEntry options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "Where to record (default: a GPU, else simulated:h200)", "ID" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload, "What to do with the vectors (default: vector-add)", "W" },
  { "mode", 'm', 0, G_OPTION_ARG_FILENAME, &asked.mode, "The memory mode; required", "M" },
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size, "The exponent P: vectors of 2^P floats; required", "P" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &asked.input,
    "Record nothing: read this trace: Chrome trace JSON, or an export of Nsight Systems", "F" },
  { "range", 0, 0, G_OPTION_ARG_FILENAME, &asked.range, "Of the trace that is read: what lies within ranges of this name alone", "NAME" },
  { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse, "Kernel launches (or copies) per transfer (default: 1)", "R" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
    "Streams of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")", "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
    "Chunks of the stream modes, or number of pieces (default: 8)", "K" },
  { "seed", 0, 0, G_OPTION_ARG_FILENAME, &asked.seed, "Seed of the inputs (default: 20180501)", "N" },
  CLI_TRACE_OUTPUT_ENTRIES (asked.output),
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GError) error = NULL;
  const char *inputs[2] = { NULL };
  int status;

  if (asked.input == NULL && asked.range != NULL)
    return cli_fail (CLI_USAGE, "trace: --range is of a trace that is read; expected --input F, too");
  if (asked.input == NULL && !make_plan (&error))
    return cli_fail (CLI_USAGE, "trace: %s", error->message);
  inputs[0] = asked.input;
  if (asked.input != NULL && (cli_output_is_input (asked.output.json, inputs) || cli_output_is_input (asked.output.plot, inputs)))
    return cli_fail (CLI_USAGE, "trace: %s is the trace that is read; expected another name", asked.input);
  if (!cli_trace_output_check (&asked.output, "trace", 1, &status))
    return status;
  if (asked.input != NULL)
    return show_input ();
  return cli_trace_record (asked.device, &asked.output, start, 1, NULL);
}

const CliCommand cli_trace = {
  .name = "trace",
  .summary = "Record one sample of one mode, event by event",
  .options = options,
  .run = run,
  .writes = TRUE,
};
