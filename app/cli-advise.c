/* cli-advise.c: memlane-cli advise, what another memory mode would save a program
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/save.h"

#define MOST_CHANGES 3 /* that are printed without --all */
#define PAIRS 5        /* of runs in a trial */
#define COSTS_TIME "30 s" /* of what measure_costs() sweeps */

/* The options of the command line. */
static struct
{
  char **runs;
  char *input, *device, *seconds, *range, *keep, *json, *repeat;
  gboolean all, try, measure;
} asked;

static volatile GPid running; /* the program's number while it runs */
static volatile gboolean is_stopped;

/* --- what is printed -------------------------------------------------------------------------- */

static void
print_answer (GString *text, const char *before, const MemlaneAnswer *answer)
{
  g_autofree char *words = answer != NULL ? memlane_answer_format (answer, NULL, NULL, NULL) : NULL;

  if (words != NULL)
    g_string_append_printf (text, "%s%s\n", before, words);
}

/* One line, bold on a terminal; with @all its reasons, its price and its code. */
static void
print_change (GString *text, const MemlaneChange *change, guint number, gboolean is_bold,
              gboolean all)
{
  g_autofree char *headline = memlane_answer_format (change->headline, NULL, NULL, NULL);

  g_string_append (text, is_bold ? "\033[1m" : "");
  if (number > 0)
    g_string_append_printf (text, "%u. %s", number, headline);
  else
    g_string_append_printf (text, "   Or: %s", headline);
  g_string_append (text, is_bold ? "\033[m\n" : "\n");
  if (!all)
    return;
  print_answer (text, "   ", change->sentence);
  print_answer (text, "   ", change->price);
  g_string_append_printf (text, "   now:     %s\n   instead: %s\n", change->before, change->after);
}

/* (transfer full) */
static char *
format_advice (const MemlaneAdvice *advice, const MemlaneTrace *trace, gboolean is_bold,
               gboolean all)
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
        print_change (text, change, 0, is_bold, all);
      else if (!change->is_alternative && (all || number < MOST_CHANGES))
        print_change (text, change, ++number, is_bold, all);
      else
        left++;
    }
  if (number != 1)
    print_answer (text, "", advice->together);
  if (left > 0)
    g_string_append_printf (text, "%u more with --all.\n", left);
  if (number > 0 && !all)
    g_string_append (text, "With --all: why, the price, and the code before and after.\n");
  MEMLANE_FOR_EACH (const char, note, notes)
    g_string_append_printf (text, "Note: %s.\n", note);
  if (memlane_trace_get_info (trace)->dropped > 0)
    g_string_append_printf (text, "Note: %" G_GUINT64_FORMAT " records were lost.\n",
                            memlane_trace_get_info (trace)->dropped);
  return g_string_free (text, FALSE);
}

static void
add_estimate (CliJson *json, const char *name, const MemlaneEstimate *ns)
{
  cli_json_open (json, name, '{');
  cli_json_add (json, { "estimate_ns", CLI_NS (ns->value) },
                { "low_ns", CLI_NS (ns->low) },
                { "high_ns", CLI_NS (ns->high) });
  cli_json_close (json);
}

static void
add_trial (CliJson *json, const MemlaneTrial *trial)
{
  cli_json_open (json, NULL, '{');
  cli_json_add (json, { "kind", CLI_TEXT (memlane_change_kind_name (trial->kind)) },
                { "pairs", CLI_NUMBER (trial->n) },
                { "as_it_is_ns", CLI_NS (trial->before) },
                { "tried_ns", CLI_NS (trial->after) });
  add_estimate (json, "gain", &trial->gain);
  add_estimate (json, "copies_gain", &trial->copies);
  cli_json_add (json, { "lock_ns", CLI_NS (trial->lock_ns) },
                { "wait_ns", CLI_NS (trial->wait_ns) },
                { "buffers", CLI_NUMBER (trial->buffers) },
                { "bytes", CLI_NUMBER (trial->bytes) },
                { "prefetched", CLI_NUMBER (trial->ranges) },
                { "left", CLI_NUMBER (trial->left) },
                { "same_status", CLI_FLAG (trial->same_status) },
                { "lines_compared", CLI_NUMBER (trial->lines) },
                { "lines_differing", CLI_NUMBER (trial->differing) });
  cli_json_close (json);
}

static gboolean
write_json (const MemlaneAdvice *advice, const GPtrArray *trials, const char *path, GError **error)
{
  g_autofree char *costs = memlane_answer_format (advice->costs, NULL, NULL, NULL), *text = NULL;
  CliJson *json = cli_json_new ("advice");

  cli_json_add (json, { "wall_ns", CLI_NS (advice->wall) },
                { "copies_ns", CLI_NS (advice->copies) },
                { "exposed_ns", CLI_NS (advice->exposed) },
                { "low_ns", CLI_NS (advice->low) },
                { "high_ns", CLI_NS (advice->high) },
                { "costs", CLI_TEXT (costs) });
  cli_json_open (json, "changes", '[');
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      g_autofree char *headline = memlane_answer_format (change->headline, NULL, NULL, NULL);
      g_autofree char *sentence = memlane_answer_format (change->sentence, NULL, NULL, NULL);

      cli_json_open (json, NULL, '{');
      cli_json_add (json, { "kind", CLI_TEXT (memlane_change_kind_name (change->kind)) },
                    { "headline", CLI_TEXT (headline) },
                    { "sentence", CLI_TEXT (sentence) },
                    { "low_ns", CLI_NS (change->low) },
                    { "high_ns", CLI_NS (change->high) },
                    { "alternative", CLI_FLAG (change->is_alternative) },
                    { "events", CLI_NUMBER (change->n_events) });
      cli_json_close (json);
    }
  cli_json_close (json);
  cli_json_open (json, "trials", '[');
  MEMLANE_FOR_EACH (const MemlaneTrial, trial, trials)
    add_trial (json, trial);
  text = cli_json_end (json);
  return memlane_save_file (path, text, strlen (text), error);
}

/* Sweeps what advice needs to know of the GPU, into the folder of the person's own runs. Cells that
 * fail, as those that are too large for what is free, leave the others. */
static gboolean
measure_costs (GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *name = g_date_time_format (now, "%Y%m%dT%H%M%SZ-costs.csv");
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "memlane", "runs", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const char *device = asked.device != NULL ? asked.device : "cuda:0";
  const char *words[] = { "/proc/self/exe", "sweep", "--quiet", "--device", device, "--rounds", "3",
                          "--modes", "pageable,pinned,mapped,managed-prefetch", "--sizes", "10:24",
                          "--csv", path, NULL };
  int status;

  g_printerr ("measuring what copies cost on %s, for " COSTS_TIME ": %s\n", device, path);
  return (g_mkdir_with_parents (folder, 0700) == 0
          || cli_refuse (error, "--measure: mkdir (\"%s\"): %s", folder, g_strerror (errno)))
         && g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                          NULL, NULL, &status, error)
         && ((WIFEXITED (status) && WEXITSTATUS (status) == CLI_FAILED_CELLS)
             || g_spawn_check_wait_status (status, error));
}

/* --- the program ------------------------------------------------------------------------------ */

static void
forward (int number)
{
  is_stopped = TRUE;
  if (running != 0)
    kill (running, number);
}

/* The terminal sends its signals to the program as well; we stay to read the recording. In a trial
 * the program has a process group of its own, and hears of them through us. */
static void
leave_signals_to_program (gboolean is_trial)
{
  signal (SIGINT, is_trial ? forward : SIG_IGN);
  signal (SIGQUIT, is_trial ? forward : SIG_IGN);
  signal (SIGTERM, forward);
  signal (SIGHUP, forward);
}

/* Opens what the program reads in each run; -1: its standard input is ours. FALSE: it could be read
 * once only. */
static gboolean
open_input (int *input, GError **error)
{
  struct stat info;

  *input = -1;
  if (!asked.try)
    return TRUE;
  if (isatty (STDIN_FILENO) || fstat (STDIN_FILENO, &info) != 0)
    {
      g_printerr (
          "memlane-cli: the program reads an empty input, for standard input is a terminal\n");
      *input = open ("/dev/null", O_RDONLY | O_CLOEXEC);
    }
  else if (S_ISREG (info.st_mode) || S_ISCHR (info.st_mode))
    *input = dup (STDIN_FILENO);
  else
    return cli_refuse (error, "--try runs the program several times: standard input has to be a "
                              "file, not a pipe");
  return *input >= 0;
}

static MemlaneProgram
describe_program (char **words, int input, double seconds)
{
  return (MemlaneProgram) {
    .words = words, .input = input, .output = -1, .seconds = seconds, .pid = &running,
    .gpu = asked.device != NULL ? asked.device + strlen ("cuda:") : NULL,
  };
}

static MemlaneTrace *
get_trace (char **words, int input, int *status, GError **error)
{
  double seconds = 0;
  int wait_status = -1;
  MemlaneProgram program;
  MemlaneTrace *trace;

  *status = CLI_USAGE;
  if (asked.input != NULL)
    return memlane_trace_read_json (cli_input_path (asked.input), NULL, NULL, NULL, error);
  if (!cli_options_number ("--for", asked.seconds, 0.001, 86400, &seconds, error))
    return NULL;
  if (asked.device != NULL && !g_str_has_prefix (asked.device, "cuda:"))
    return cli_refuse (error, "--device: found \"%s\", expected cuda:0 or another GPU",
                       asked.device),
           NULL;
  leave_signals_to_program (FALSE);
  program = describe_program (words, input, seconds);
  trace = memlane_watch_program (&program, &wait_status, error);
  *status = wait_status == -1 ? CLI_NOTHING
            : WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 128 + WTERMSIG (wait_status);
  return trace;
}

static gboolean
step_cb (guint i, guint n, gpointer user_data)
{
  if (i < n && isatty (STDERR_FILENO))
    g_printerr ("\rtrying: run %u of %u\033[K", i + 1, n);
  else if (isatty (STDERR_FILENO))
    g_printerr ("\r\033[K");
  return !is_stopped;
}

static void
print_trial (const MemlaneTrial *trial)
{
  g_autoptr (GPtrArray) answers = memlane_trial_describe (trial);

  MEMLANE_FOR_EACH (const MemlaneAnswer, answer, answers)
    {
      g_autofree char *words = memlane_answer_format (answer, NULL, NULL, NULL);

      g_printerr ("%s%s\n", answer == answers->pdata[0] ? "\n" : "   ", words);
    }
  MEMLANE_FOR_EACH (const char, note, trial->notes)
    g_printerr ("   Note: %s.\n", note);
}

/* Tries each kind of change that is advised and can be tried. Adds to @trials. */
static gboolean
try_changes (const MemlaneAdvice *advice, char **words, int input, guint pairs, GPtrArray *trials,
             GError **error)
{
  MemlaneProgram program = describe_program (words, input, 0);
  gboolean is_tried[MEMLANE_N_CHANGES] = { FALSE };

  leave_signals_to_program (TRUE);
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      MemlaneTrial *trial;

      if (!memlane_change_can_be_tried (change->kind) || is_tried[change->kind])
        continue;
      is_tried[change->kind] = TRUE;
      g_printerr ("\nTrying \"%s\": the program runs %u times more, in turn as it is and changed "
                  "while it runs.\n", memlane_change_kind_name (change->kind), 2 * pairs);
      trial = memlane_try_program (&program, change->kind, pairs, step_cb, NULL, error);
      if (trial == NULL)
        return FALSE;
      print_trial (trial);
      g_ptr_array_add (trials, trial);
    }
  if (trials->len == 0)
    g_printerr ("\nNothing to try: page-locking and prefetching can be tried, and neither is "
                "advised.\n");
  return TRUE;
}

static int
give_advice (const MemlaneTrace *trace, char **words, int input, int status)
{
  g_autoptr (GError) error = NULL, stopped = NULL;
  gboolean are_own = asked.runs != NULL;
  g_autoptr (GPtrArray) runs =
      asked.runs != NULL
          ? g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref)
          : memlane_advise_find_runs (memlane_trace_get_info (trace)->device_name, &are_own);
  g_autoptr (GPtrArray) trials = g_ptr_array_new_with_free_func (
      (GDestroyNotify) memlane_trial_free);
  g_autoptr (MemlaneAdvice) advice = NULL;
  g_autofree char *text = NULL;
  guint pairs = PAIRS;

  if (asked.runs != NULL && !cli_read_files (asked.runs, runs, NULL, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (!cli_options_count ("--repeat", asked.repeat, 3, 100, &pairs, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  advice = memlane_advise (trace, runs);
  if (asked.keep != NULL && !memlane_trace_write_json (trace, asked.keep, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  text = format_advice (advice, trace, isatty (asked.input == NULL ? STDERR_FILENO : STDOUT_FILENO),
                        asked.all);
  if (asked.input == NULL)
    g_printerr ("\n%s%s", text, /* standard output is the program's */
                are_own ? ""
                        : "With --measure: first " COSTS_TIME
                          " for what copies cost on this very GPU.\n");
  else if (g_strcmp0 (asked.json, "-") != 0 && g_strcmp0 (asked.keep, "-") != 0)
    g_print ("%s", text);
  if (asked.try)
    try_changes (advice, words, input, pairs, trials, &stopped);
  if (asked.json != NULL && !write_json (advice, trials, asked.json, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  return stopped != NULL ? cli_fail (CLI_NOTHING, "advise: %s", stopped->message) : status;
}

static const GOptionEntry options[] = {
  { "run", 'r', 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.runs,
    "What copies cost: a sweep's table; may be repeated (default: your sweeps of the GPU, else "
    "recorded ones)",
    "R.csv" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &asked.input,
    "Run nothing: read this trace, of Memlane, PyTorch's profiler or Nsight Systems", "T" },
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "The GPU that the program sees (default: all of them)", "cuda:N" },
  { "for", 0, 0, G_OPTION_ARG_FILENAME, &asked.seconds,
    "Record so long from the program's first call (default: to its end)", "SECONDS" },
  { "range", 0, 0, G_OPTION_ARG_FILENAME, &asked.range,
    "Count only what lies within the ranges of this name: NVTX's, a profiler's "
    "annotations; * stands for letters",
    "NAME" },
  { "keep", 'k', 0, G_OPTION_ARG_FILENAME, &asked.keep,
    "A file for the trace, as Chrome trace JSON", "T.json" },
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &asked.json,
    "A file for the advice, as JSON (- is standard output)", "F" },
  { "try", 't', 0, G_OPTION_ARG_NONE, &asked.try,
    "Run the program again, in turn as it is and changed while it runs, and measure the gain",
    NULL },
  { "measure", 0, 0, G_OPTION_ARG_NONE, &asked.measure,
    "First measure what copies cost on this GPU (" COSTS_TIME "; kept with your runs)", NULL },
  { "repeat", 0, 0, G_OPTION_ARG_FILENAME, &asked.repeat, "Pairs of runs in a trial (default: 5)",
    "N" },
  { "all", 'a', 0, G_OPTION_ARG_NONE, &asked.all,
    "Print all changes with reasons, prices and code (default: a line for the three that save "
    "most)",
    NULL },
  { NULL },
};

static gboolean
check_options (char **words, GError **error)
{
  gboolean has_program = words != NULL && words[0] != NULL;

  if ((asked.input == NULL) != has_program)
    return cli_refuse (error, "advise: expected a program, as in \"memlane-cli advise -- "
                              "./my-program\", or --input T.json");
  if (has_program && (g_strcmp0 (asked.json, "-") == 0 || g_strcmp0 (asked.keep, "-") == 0))
    return cli_refuse (error, "advise: standard output is the program's; expected a file");
  if (asked.measure && !has_program)
    return cli_refuse (error, "advise: --measure is for a program, whose GPU is here");
  if (asked.try && asked.input != NULL)
    return cli_refuse (error, "advise: --try needs a program, not a trace of one");
  return TRUE;
}

static int
run (char **words)
{
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK, input = -1, result;
  off_t start;

  if (!check_options (words, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if ((asked.keep != NULL && !cli_output_check (asked.keep, CLI_FILE_TRACE, &error))
      || (asked.json != NULL && !cli_output_check (asked.json, CLI_FILE_ADVICE, &error)))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!open_input (&input, &error))
    return cli_fail (CLI_USAGE, "advise: %s", error->message);
  if (asked.measure && !measure_costs (&error))
    return cli_fail (CLI_NOTHING, "advise: --measure: %s", error->message);
  start = input >= 0 ? lseek (input, 0, SEEK_CUR) : 0;
  trace = cli_trace_cut (get_trace (words, input, &status, &error), asked.range, &error);
  if (input >= 0)
    lseek (input, start, SEEK_SET);
  if (trace == NULL && asked.input == NULL
      && g_error_matches (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NOTHING))
    result = cli_fail (status, "advise: %s", error->message); /* the program's own */
  else if (trace == NULL)
    result = cli_fail (status != CLI_OK ? status : CLI_NOTHING, "advise: %s", error->message);
  else
    result = give_advice (trace, words, input, asked.input != NULL ? CLI_OK : status);
  if (input >= 0)
    close (input);
  return result;
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
