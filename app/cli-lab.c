/* cli-lab.c: memlane-cli lab, the stream laboratory from a terminal
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/fail.h"
#include "memlane.h"

/* The options of the command line, as text. */
static struct
{
  char *device, *order, *between, *size;
  char *streams, *chunks, *reuse;
  CliTraceOutput output;
} asked;

static MemlaneLabPlan plan;
static gboolean both; /* orders */

static gboolean
set_words (GError **error)
{
  g_autofree char *orders = CLI_LIST (MEMLANE_LAB_N_ORDERS, memlane_lab_order_words ((MemlaneLabOrder) i)->name);
  g_autofree char *betweens = CLI_LIST (MEMLANE_LAB_N_BETWEENS, memlane_lab_between_words ((MemlaneLabBetween) i)->name);

  both = g_strcmp0 (asked.order, "both") == 0;
  if (asked.order != NULL && !both && !memlane_lab_order_find (asked.order, &plan.order))
    return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--order: unknown word \"%s\": expected one of %s, both",
                         asked.order, orders);
  if (asked.between != NULL && !memlane_lab_between_find (asked.between, &plan.between))
    return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--between: unknown word \"%s\": expected one of %s",
                         asked.between, betweens);
  return TRUE;
}

static gboolean
make_plan (GError **error)
{
  return set_words (error)
         && cli_options_count ("--size", asked.size, MEMLANE_LAB_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &plan.log2_elements, error)
         && cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS, &plan.streams, error)
         && cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_CHUNKS, &plan.chunks, error)
         && cli_options_count ("--reuse", asked.reuse, 1, MEMLANE_LAB_MOST_REUSE, &plan.reuse, error);
}

static void
start (guint nth, const char *device, GCancellable *cancellable, GAsyncReadyCallback callback)
{
  if (both)
    plan.order = (MemlaneLabOrder) nth;
  memlane_recording_lab_async (device, &plan, cancellable, NULL, callback, NULL);
}

/* Prints the figures by which orders are compared. Elapsed times are of samples that were not traced. */
static void
print_comparison (MemlaneTrace *const *traces, guint n_traces)
{
  const MemlaneTraceInfo *first = memlane_trace_get_info (traces[0]);
  CliTable *table = cli_table_new (4, "ORDER", "ELAPSED", "TRACED", "OVERLAP EFFICIENCY");

  for (guint i = 0; i < n_traces; i++)
    {
      const MemlaneTraceInfo *info = memlane_trace_get_info (traces[i]);
      g_autofree char *elapsed = memlane_summary_format_time (info->untraced_ns), *traced = memlane_summary_format_time (info->traced_ns);
      g_autofree char *overlap = NULL;
      MemlaneTraceBounds bounds;

      if (memlane_trace_compute_bounds (traces[i], &bounds))
        overlap = g_strdup_printf ("%.0f %%", MAX (bounds.efficiency, 0) * 100);
      cli_table_add (table, info->mode + strlen ("lab-"), elapsed, traced, overlap);
    }
  g_print ("\n2^%u floats, %u streams, %u chunks, reuse %u\n", first->log2_elements, first->streams, first->chunks, first->reuse);
  cli_table_print (table);
}

static const GOptionEntry options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "Where to record (default: a GPU, else simulated:h200)", "ID" },
  { "order", 0, 0, G_OPTION_ARG_FILENAME, &asked.order, "depth-first (default), breadth-first, or both", "ORDER" },
  { "between", 0, 0, G_OPTION_ARG_FILENAME, &asked.between,
    "What stands between the two halves: nothing (default), pinned-allocation, device-allocation, device-memset, device-copy, "
    "default-stream", "WHAT" },
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size, "The exponent P: vectors of 2^P floats (default: 20)", "P" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams, "Streams (default: 2, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")", "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks, "Chunks (default: 4, at most " G_STRINGIFY (MEMLANE_MOST_CHUNKS) ")", "K" },
  { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse,
    "Kernel launches for each chunk (default: 1, at most " G_STRINGIFY (MEMLANE_LAB_MOST_REUSE) ")", "R" },
  { "pageable", 0, 0, G_OPTION_ARG_NONE, &plan.pageable, "Host memory of malloc instead of page-locked memory", NULL },
  { "non-blocking", 0, 0, G_OPTION_ARG_NONE, &plan.non_blocking, "Streams that do not wait for the default stream", NULL },
  { "priorities", 0, 0, G_OPTION_ARG_NONE, &plan.priorities,
    "The last stream has the highest priority, the others the lowest", NULL },
  { "host-functions", 0, 0, G_OPTION_ARG_NONE, &plan.host_functions, "A host function at the end of each stream", NULL },
  CLI_TRACE_OUTPUT_ENTRIES (asked.output),
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GError) error = NULL;
  int status;

  if (!make_plan (&error))
    return cli_fail (CLI_USAGE, "lab: %s", error->message);
  if (!cli_trace_output_check (&asked.output, "lab", both ? 2 : 1, &status))
    return status;
  return cli_trace_record (asked.device, &asked.output, start, both ? 2 : 1, print_comparison);
}

const CliCommand cli_lab = {
  .name = "lab",
  .summary = "The stream laboratory: copies and kernels on streams, event by event",
  .options = options,
  .run = run,
  .writes = TRUE,
};
