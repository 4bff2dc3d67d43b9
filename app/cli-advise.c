/* cli-advise.c: memlane-cli advise, what another memory mode would save a program
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/save.h"

#define MOST_CHANGES 3 /* that are printed without --all */

/* The options of the command line. */
static struct
{
  char **runs;
  char *input, *device, *seconds, *range, *keep, *json;
  gboolean all;
} asked;

static volatile GPid program; /* while it runs */

/* --- what is printed ------------------------------------------------------------------------------------------------------- */

static void
print_change (GString *text, const MemlaneChange *change, guint number)
{
  g_autofree char *sentence = memlane_answer_format (change->sentence, NULL, NULL, NULL);
  g_autofree char *price = change->price != NULL ? memlane_answer_format (change->price, NULL, NULL, NULL) : NULL;
  g_autofree char *gain = memlane_answer_format (change->gain, NULL, NULL, NULL);

  if (number > 0)
    g_string_append_printf (text, "\n%u. %s\n", number, sentence);
  else
    g_string_append_printf (text, "   Or: %s\n", sentence);
  g_string_append_printf (text, "   %s\n", gain);
  if (price != NULL)
    g_string_append_printf (text, "   %s\n", price);
  g_string_append_printf (text, "   now:     %s\n   instead: %s\n", change->before, change->after);
}

static void
print_answer (GString *text, const char *before, const MemlaneAnswer *answer)
{
  g_autofree char *words = answer != NULL ? memlane_answer_format (answer, NULL, NULL, NULL) : NULL;

  if (words != NULL)
    g_string_append_printf (text, "%s%s\n", before, words);
}

/* (transfer full) */
static char *
format_advice (const MemlaneAdvice *advice, const MemlaneTrace *trace, gboolean all)
{
  GString *text = g_string_new (NULL);
  const GPtrArray *notes = memlane_trace_get_info (trace)->notes;
  guint number = 0, left = 0;

  print_answer (text, "", advice->whole);
  print_answer (text, "", advice->costs);
  print_answer (text, "", advice->doubt);
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      if (change->is_alternative && (all || number < 1 + MOST_CHANGES))
        print_change (text, change, 0);
      else if (!change->is_alternative && (all || number < MOST_CHANGES))
        print_change (text, change, ++number);
      else
        left++;
    }
  if (number != 1)
    print_answer (text, "\n", advice->together);
  if (left > 0)
    g_string_append_printf (text, "%u more with --all.\n", left);
  for (guint i = 0; i < notes->len; i++)
    g_string_append_printf (text, "Note: %s.\n", (char *) notes->pdata[i]);
  if (memlane_trace_get_info (trace)->dropped > 0)
    g_string_append_printf (text, "Note: %" G_GUINT64_FORMAT " records were lost.\n", memlane_trace_get_info (trace)->dropped);
  return g_string_free (text, FALSE);
}

static gboolean
write_json (const MemlaneAdvice *advice, const char *path, GError **error)
{
  g_autofree char *costs = memlane_answer_format (advice->costs, NULL, NULL, NULL);
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autofree char *text = NULL;

  json_builder_begin_object (json);
  cli_json_number (json, "wall_ns", advice->wall);
  cli_json_number (json, "copies_ns", advice->copies);
  cli_json_number (json, "exposed_ns", advice->exposed);
  cli_json_number (json, "low_ns", advice->low);
  cli_json_number (json, "high_ns", advice->high);
  cli_json_text (json, "costs", costs);
  cli_json_begin_array (json, "changes");
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      g_autofree char *sentence = memlane_answer_format (change->sentence, NULL, NULL, NULL);

      json_builder_begin_object (json);
      cli_json_text (json, "kind", memlane_change_kind_name (change->kind));
      cli_json_text (json, "sentence", sentence);
      cli_json_number (json, "low_ns", change->low);
      cli_json_number (json, "high_ns", change->high);
      cli_json_flag (json, "alternative", change->is_alternative);
      cli_json_count (json, "events", change->n_events);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  text = cli_json_end (json);
  return memlane_save_file (path, text, strlen (text), error);
}

/* --- the program ------------------------------------------------------------------------------------------------------------- */

static void
forward (int number)
{
  if (program != 0)
    kill (program, number);
}

/* The terminal sends its signals to the program as well; we stay to read the recording. */
static void
leave_signals_to_program (void)
{
  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  signal (SIGTERM, forward);
  signal (SIGHUP, forward);
}

static MemlaneTrace *
get_trace (char **words, int *status, GError **error)
{
  double seconds = 0;
  int wait_status = -1;
  MemlaneTrace *trace;

  *status = CLI_USAGE;
  if (asked.input != NULL)
    return memlane_trace_read_json (cli_input_path (asked.input), NULL, NULL, NULL, error);
  if (!cli_options_number ("--for", asked.seconds, 0.001, 86400, &seconds, error))
    return NULL;
  if (asked.device != NULL && !g_str_has_prefix (asked.device, "cuda:"))
    return cli_refuse (error, "--device: found \"%s\", expected cuda:0 or another GPU", asked.device), NULL;
  leave_signals_to_program ();
  trace = memlane_watch_program (words, -1, asked.device != NULL ? asked.device + strlen ("cuda:") : NULL, seconds, &program,
                                 &wait_status, error);
  *status = wait_status == -1 ? CLI_NOTHING : WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 128 + WTERMSIG (wait_status);
  return trace;
}

static int
give_advice (const MemlaneTrace *trace, int status)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = asked.runs != NULL ? g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref)
                                                   : memlane_advise_find_runs (memlane_trace_get_info (trace)->device_name);
  g_autoptr (MemlaneAdvice) advice = NULL;
  g_autofree char *text = NULL;

  if (asked.runs != NULL && !cli_read_files (asked.runs, runs, NULL, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  advice = memlane_advise (trace, runs);
  if (asked.json != NULL && !write_json (advice, asked.json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked.keep != NULL && !memlane_trace_write_json (trace, asked.keep, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  text = format_advice (advice, trace, asked.all);
  if (asked.input == NULL)
    g_printerr ("\n%s", text); /* standard output is the program's */
  else if (g_strcmp0 (asked.json, "-") != 0 && g_strcmp0 (asked.keep, "-") != 0)
    g_print ("%s", text);
  return status;
}

static const GOptionEntry options[] = {
  { "run", 'r', 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.runs,
    "What copies cost: a sweep's table; may be repeated (default: your sweeps of the GPU, else recorded ones)", "R.csv" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &asked.input,
    "Run nothing: read this trace, of Memlane, PyTorch's profiler or Nsight Systems", "T" },
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "The GPU that the program sees (default: all of them)", "cuda:N" },
  { "for", 0, 0, G_OPTION_ARG_FILENAME, &asked.seconds, "Record so long from the program's first call (default: to its end)", "SECONDS" },
  { "range", 0, 0, G_OPTION_ARG_FILENAME, &asked.range, "Count only what lies within the ranges of this name: NVTX's, a profiler's "
                                                        "annotations; * stands for letters", "NAME" },
  { "keep", 'k', 0, G_OPTION_ARG_FILENAME, &asked.keep, "A file for the trace, as Chrome trace JSON", "T.json" },
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &asked.json, "A file for the advice, as JSON (- is standard output)", "F" },
  { "all", 'a', 0, G_OPTION_ARG_NONE, &asked.all, "Print all changes, not the three that save most", NULL },
  { NULL },
};

static int
run (char **words)
{
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if ((asked.input == NULL) == (words == NULL || words[0] == NULL))
    return cli_fail (CLI_USAGE, "advise: expected a program, as in \"memlane-cli advise -- ./my-program\", or --input T.json");
  if ((asked.keep != NULL && !cli_output_check (asked.keep, CLI_FILE_TRACE, &error))
      || (asked.json != NULL && !cli_output_check (asked.json, CLI_FILE_ADVICE, &error)))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  trace = cli_trace_cut (get_trace (words, &status, &error), asked.range, &error);
  if (trace == NULL)
    return cli_fail (status != CLI_OK ? status : CLI_NOTHING, "advise: %s", error->message);
  return give_advice (trace, asked.input != NULL ? CLI_OK : status);
}

const CliCommand cli_advise = {
  .name = "advise",
  .arguments = "[-- PROGRAM ARGUMENT...]",
  .summary = "Run a program, and tell what another memory mode would save it",
  .options = options,
  .most_arguments = G_MAXUINT,
  .run = run,
  .writes = TRUE,
};
