/* cli-experiment.c: memlane-cli experiment, an article's question answered by this machine's own
 * figures
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"
#include "base/strict-text.h"

/* The options of the command line, as text. */
static struct
{
  char *device, *noise, *language, *csv, *findings, *report;
  gboolean quiet, json;
} asked;

static guint n_said; /* steps of the experiment that were named */

/* --- list ------------------------------------------------------------------------------------- */

static int
list (void)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) experiments = memlane_experiment_list (
      asked.language != NULL ? asked.language : "C", &problems);
  CliTable *table = cli_table_new (6, "no", "name", "title", "source", NULL, NULL);

  MEMLANE_FOR_EACH (const MemlaneExperiment, experiment, experiments)
    {
      g_autofree char *number = experiment->number > 0 ? g_strdup_printf ("%u", experiment->number)
                                                       : g_strdup ("");

      cli_table_add (table, number, experiment->name, experiment->title, experiment->source,
                     experiment->question, experiment->claim);
    }
  cli_table_show (table, asked.json, "experiments", "#number name title source question claim");
  MEMLANE_FOR_EACH (const char, problem, problems)
    g_printerr ("memlane-cli: %s\n", problem);
  return CLI_OK;
}

/* --- run -------------------------------------------------------------------------------------- */

/* Names the first @n steps of @experiment that have not been named yet: one that was over at once
 * is named too. */
static void
name_steps (const MemlaneExperiment *experiment, guint n)
{
  for (; n_said < n && !asked.quiet; n_said++)
    {
      const MemlaneExperimentStep *step = experiment->steps->pdata[n_said];

      g_printerr ("%u of %u: %s%s\n", n_said + 1, experiment->steps->len, step->summary,
                  step->what_if ? " (on a simulated device of its own)" : "");
    }
}

static void
on_progress (MemlaneExperimentRunner *runner, gpointer experiment)
{
  const MemlaneExperimentProgress progress = memlane_experiment_runner_get_progress (runner);

  name_steps (experiment, progress.steps_done + (progress.step != NULL ? 1 : 0));
}

/* Prints bars of letters; a word has none. The longest is 40 letters. */
static void
print_picture (const MemlaneExperimentResult *result)
{
  g_autoptr (GPtrArray) rows = memlane_experiment_result_get_picture (result, memlane_stay_english);
  guint width = 0;
  double most = 0;

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, rows)
    {
      width = MAX (width, memlane_count_columns (row->title));
      if (row->value.kind == MEMLANE_VALUE_TIME)
        most = MAX (most, row->value.median);
    }
  MEMLANE_FOR_EACH (const MemlanePictureRow, row, rows)
    {
      const char *word = row->value.kind == MEMLANE_VALUE_WORD
                             ? memlane_word_title (row->value.word)
                             : NULL;
      g_autofree char *value = word != NULL ? g_strdup (word)
                                            : memlane_value_to_text (&row->value, FALSE, FALSE);
      gboolean has_bar = row->value.kind == MEMLANE_VALUE_TIME && most > 0;
      guint length = has_bar ? (guint) (40 * row->value.median / most + 0.5) : 0;

      g_print ("  %s%*s  ", row->title, (int) (width - memlane_count_columns (row->title)), "");
      for (guint k = 0; k < length; k++)
        g_print ("%s", row->published ? "░" : "█");
      g_print ("%s%s%s%s\n", length > 0 ? " " : "", value, row->unit != NULL ? " " : "",
               row->unit != NULL ? row->unit : "");
    }
  if (rows->len > 0)
    g_print ("\n");
}

static void
print_check (const MemlaneCheckResult *result)
{
  const MemlaneExperimentCheck *check = result->check;
  gboolean is_cited = check->cite != NULL;
  const char *doubt = memlane_doubt_title (result->doubt);

  g_print ("- %s%s%s%s%s %s%s%s. %s\n", check->claim, is_cited ? " (" : "",
           is_cited ? check->cite : "", is_cited ? ")" : "", check->what_if ? " (SIMULATED)" : "",
           memlane_verdict_title (result->verdict), *doubt != '\0' ? ": " : "", doubt,
           result->words);
}

/* Prints the claim, its verdict in one sentence, the picture, why, and the checks. */
static void
print_answer (const MemlaneExperimentResult *result)
{
  const MemlaneExperiment *experiment = result->experiment;
  g_autofree char *source = memlane_experiment_describe_source (experiment);
  g_autofree char *answer = memlane_experiment_result_describe (result, memlane_stay_english);
  const char *end = strstr (experiment->explanation, "\n\n");
  int length = (int) (end != NULL ? (gsize) (end - experiment->explanation)
                                  : strlen (experiment->explanation));

  g_print ("%s\n\n%s\n\n", experiment->title, experiment->question);
  g_print ("Device: %s%s\nDate: %s\n", result->machine, result->simulated ? " (SIMULATED)" : "",
           result->date);
  if (source != NULL)
    g_print ("Source: %s\n", source);
  g_print ("Claim: %s\n\n%s%s: %s\n\n", experiment->claim, memlane_verdict_title (result->verdict),
           result->cancelled ? " (the experiment was cut short)" : "", answer);
  print_picture (result);
  if (experiment->shows != NULL)
    g_print ("%s\n\n", experiment->shows);
  g_print ("%.*s\n\n", length, experiment->explanation);
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    print_check (check);
  for (guint i = 0; i < result->notes->len; i++)
    g_print ("%s%s\n", i == 0 ? "\n" : "", (const char *) result->notes->pdata[i]);
}

static void
add_value (CliJson *json, const MemlaneValue *value)
{
  const gboolean is_time = value->kind == MEMLANE_VALUE_TIME;
  void (*add) (CliJson *, const char *, double) = is_time ? cli_json_ns : cli_json_ratio;

  if (is_time || value->kind == MEMLANE_VALUE_NUMBER)
    {
      cli_json_number (json, "samples", value->count);
      add (json, is_time ? "estimate_ns" : "estimate", value->median);
      add (json, is_time ? "low_ns" : "low", value->low);
      add (json, is_time ? "high_ns" : "high", value->high);
    }
  else
    cli_json_text (json, value->kind == MEMLANE_VALUE_WORD ? "word" : "why",
                   value->kind == MEMLANE_VALUE_WORD ? value->word : value->why);
}

static void
print_json (const MemlaneExperimentResult *result)
{
  static const char *const verdicts[] = { "supported", "refuted", "inconclusive" };
  g_autofree char *answer = memlane_experiment_result_describe (result, memlane_stay_english);
  CliJson *json = cli_json_new ("experiment");

  cli_json_add (json, { "name", CLI_TEXT (result->experiment->name) },
                { "question", CLI_TEXT (result->experiment->question) },
                { "claim", CLI_TEXT (result->experiment->claim) },
                { "device", CLI_TEXT (result->device) },
                { "device_kind", CLI_TEXT (result->device_kind) },
                { "machine", CLI_TEXT (result->machine) },
                { "date", CLI_TEXT (result->date) },
                { "seconds", CLI_NUMBER (rint (result->seconds * 10) / 10) },
                { "cancelled", CLI_FLAG (result->cancelled) },
                { "verdict", CLI_TEXT (verdicts[result->verdict]) },
                { "text", CLI_TEXT (answer) });
  cli_json_open (json, "checks", '[');
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    cli_json_add_object (json, { "claim", CLI_TEXT (check->check->claim) },
                         { "verdict", CLI_TEXT (verdicts[check->verdict]) },
                         { "simulated", CLI_FLAG (check->check->what_if) },
                         { "text", CLI_TEXT (check->words) });
  cli_json_close (json);
  cli_json_open (json, "findings", '[');
  MEMLANE_FOR_EACH (const MemlaneExperimentFinding, finding, result->findings)
    {
      cli_json_open (json, NULL, '{');
      cli_json_add (json, { "step", CLI_TEXT (finding->step) },
                    { "name", CLI_TEXT (finding->name) });
      add_value (json, &finding->value);
      cli_json_close (json);
    }
  cli_json_close (json);
  cli_json_open (json, "notes", '[');
  MEMLANE_FOR_EACH (const char, note, result->notes)
    cli_json_text (json, NULL, note);
  cli_json_print (json);
}

/* The files, then what is printed: what was measured is not lost to a pipe that closes. */
static int
conclude (const MemlaneExperimentResult *result)
{
  g_autoptr (GError) error = NULL;

  if (asked.csv != NULL && result->runs->len == 0)
    g_printerr ("memlane-cli: no cell was measured; not written: %s\n", asked.csv);
  else if (asked.csv != NULL && !memlane_experiment_result_write_csv (result, asked.csv, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked.findings != NULL
      && !memlane_experiment_result_write_findings (result, asked.findings, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked.json)
    print_json (result);
  else if (asked.quiet)
    g_print ("%s: %s\n", result->experiment->name, memlane_verdict_title (result->verdict));
  else
    print_answer (result);
  return result->cancelled ? CLI_INTERRUPTED : CLI_OK;
}

MemlaneExperimentResult *
cli_experiment_run (MemlaneExperiment *experiment, const char *device, int *status)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (MemlaneExperimentRunner) runner = memlane_experiment_runner_new (device, experiment);
  g_autoptr (GError) error = NULL;
  MemlaneExperimentResult *result;

  n_said = 0;
  cli_signals_begin (cancellable, NULL);
  g_signal_connect (runner, "progress", G_CALLBACK (on_progress), experiment);
  memlane_experiment_runner_run_async (runner, cancellable, cli_wait_done, NULL);
  result = cli_wait (&error);
  cli_signals_end ();
  name_steps (experiment, memlane_experiment_runner_get_progress (runner).steps_done);
  if (result == NULL)
    *status = cli_fail (cli_device_status (device), "device %s cannot be used: %s", device,
                        error->message);
  return result;
}

static int
run_one (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = memlane_experiment_find (
      name, asked.language != NULL ? asked.language : "C", &error);
  const char *const outputs[] = { asked.csv, asked.findings }, *const inputs[] = { name, NULL };
  const CliFileKind kinds[] = { CLI_FILE_RUNS, CLI_FILE_FINDINGS };
  g_autofree char *device = NULL;
  g_autoptr (MemlaneExperimentResult) result = NULL;
  int status;

  if (experiment == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (asked.report != NULL)
    return cli_fail (
        CLI_USAGE,
        "experiment: --report is gone: expected --findings F, or the text on standard output");
  if (asked.json && (g_strcmp0 (asked.csv, "-") == 0 || g_strcmp0 (asked.findings, "-") == 0))
    return cli_fail (
        CLI_USAGE,
        "experiment: --json: standard output holds another file; expected a name instead of -");
  if (asked.csv != NULL && !memlane_experiment_has_cells (experiment))
    return cli_fail (CLI_USAGE, "experiment: --csv: %s measures no cells; expected --findings",
                     experiment->name);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (cli_output_is_input (outputs[i], inputs))
      return cli_fail (CLI_USAGE, "experiment: %s is the experiment; expected another name",
                       outputs[i]);
    else if (outputs[i] != NULL && !cli_output_check (outputs[i], kinds[i], &error))
      return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked.noise != NULL && !memlane_experiment_take_noise (experiment, &error))
    return cli_fail (CLI_USAGE, "experiment: --noise: %s", error->message);
  device = cli_device_choose (asked.device, asked.quiet, &status);
  if (device != NULL && !cli_noise_check (asked.noise, device, &error))
    return cli_fail (CLI_USAGE, "experiment: %s", error->message);
  result = device != NULL ? cli_experiment_run (experiment, device, &status) : NULL;
  return result != NULL ? conclude (result) : status;
}

int
cli_experiment_show (const char *name, char *device, gboolean json)
{
  asked.device = device;
  asked.json = json;
  return run_one (name);
}

static const GOptionEntry options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "Where to run it (default: a GPU, else simulated:h200)", "ID" },
  { "noise", 0, 0, G_OPTION_ARG_FILENAME, &asked.noise,
    "recorded: a simulated device varies as the GPU did", "KIND" },
  { "language", 'l', 0, G_OPTION_ARG_FILENAME, &asked.language,
    "Of the experiment's texts, such as zh_CN (default: English)", "L" },
  { "csv", 'c', 0, G_OPTION_ARG_FILENAME, &asked.csv,
    "A file for the cells, as sweep writes them (- is standard output)", "F" },
  { "findings", 0, 0, G_OPTION_ARG_FILENAME, &asked.findings,
    "A file for all that was found, and the verdicts, as CSV", "F" },
  { "report", 'r', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &asked.report, NULL, NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "Say the verdict alone, warnings and errors",
    NULL },
  { "json", 'j', 0, G_OPTION_ARG_NONE, &asked.json, "Print JSON; data/doc/json.md has its keys",
    NULL },
  { NULL },
};

static int
run (char **positional)
{
  if (positional[0] == NULL
      || (strcmp (positional[0], "list") != 0 && strcmp (positional[0], "run") != 0))
    return cli_fail (CLI_USAGE, "experiment: found %s, expected list, or run NAME",
                     positional[0] != NULL ? positional[0] : "nothing");
  if (*positional[0] == 'l')
    {
      if (positional[1] != NULL)
        return cli_fail (CLI_USAGE, "experiment list: found %s, expected nothing more",
                         positional[1]);
      if (asked.device != NULL || asked.noise != NULL || asked.csv != NULL || asked.findings != NULL
          || asked.quiet)
        return cli_fail (
            CLI_USAGE,
            "experiment list: found an option of run; expected --json or --language alone");
      return list ();
    }
  if (positional[1] == NULL)
    return cli_fail (CLI_USAGE, "experiment run: expected the name or number of an experiment, or "
                                "a file (memlane-cli experiment list)");
  return run_one (positional[1]);
}

const CliCommand cli_experiment = {
  .name = "experiment",
  .arguments = "list | run NAME",
  .summary = "Run an experiment of the articles, or one of your own",
  .options = options,
  .most_arguments = 2,
  .run = run,
  .writes = TRUE,
};
