/* cli-decide.c: memlane-cli decide, which mode to use, and the figures that say so
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "base/each.h"
#include "base/size.h"
#ifdef MEMLANE_HAVE_CHART
#include "chart/map/decide-map.h"
#endif

#include <math.h>
#include <string.h>

/* The options of the command line, as text. */
static struct
{
  char *size, *reuse, *direction, *count, *uses, *workload, *csv;
  CliPlot plot;
  gboolean map, all, json;
} asked;

/* --- the map ---------------------------------------------------------------------------------- */

/* Letters in the order in which the modes appear. */
static char
letter_of (int mode, GArray *seen)
{
  guint place = 0;

  while (place < seen->len && g_array_index (seen, int, place) != mode)
    place++;
  if (place == seen->len)
    g_array_append_val (seen, mode);
  return (char) (place < 26 ? 'A' + place : '?');
}

/* How much of the map is open, and what the choice costs where that was measured. */
static void
print_regret (const MemlaneDecision *decision)
{
  const gboolean of_pieces = decision->by_pieces != NULL;
  guint open = 0, told = 0, checked = 0, worst_row = 0;
  double worst = -1, worst_size = 0;
  g_autofree char *size = NULL;

  for (guint i = 0; i < decision->n_columns; i++)
    for (guint j = 0; j < decision->n_rows; j++)
      {
        const MemlaneChoice *choice = memlane_decision_get (decision, i, j);
        const MemlanePlace place = memlane_decision_locate (decision, decision->columns[i],
                                                            decision->rows[j]);
        MemlaneForecast p;

        told += choice->choice >= 0;
        open += choice->choice >= 0 && choice->open;
        if (choice->choice < 0
            || !memlane_decision_forecast (place.decision, (guint) choice->choice,
                                           place.log2_elements, place.reuse, &p)
            || p.basis != MEMLANE_BASIS_MEASURED)
          continue;
        checked++;
        if (choice->cost <= worst)
          continue;
        worst = choice->cost;
        worst_size = place.log2_elements;
        worst_row = decision->rows[j];
      }
  size = memlane_size_format (worst_size);
  g_print ("%u of %u places are open (%.0f %%).", open, told, told > 0 ? 100.0 * open / told : 0);
  if (checked > 0)
    g_print (" At the %u measured ones the choice takes at most %.1f %% longer than the fastest "
             "(%s, %s%u%s).",
             checked, 100 * worst, size, of_pieces ? "" : "reuse ", worst_row,
             of_pieces ? " pieces" : "");
  g_print ("\n");
}

static void
print_place (const MemlaneChoice *choice, GArray *seen)
{
  if (choice->choice < 0)
    g_print ("   . ");
  else
    g_print ("  %c%c", letter_of (choice->choice, seen),
             choice->open    ? '?'
             : choice->alike ? '='
                             : ' ');
}

static void
print_map (const MemlaneDecision *decision)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (int));

  g_print (decision->by_pieces != NULL ? "pieces  way to use for pieces of 2^p bytes\n     p"
                                       : "reuse   mode to use at 2^p floats\n     p");
  for (guint i = 0; i < decision->n_columns; i++)
    g_print (" %3.*f", memlane_size_is_power (decision->columns[i]) ? 0 : 1,
             decision->columns[i] + (decision->by_pieces != NULL ? 2 : 0));
  g_print ("\n");
  for (guint j = decision->n_rows; j-- > 0;)
    {
      g_print ("%6u", decision->rows[j]);
      for (guint i = 0; i < decision->n_columns; i++)
        print_place (memlane_decision_get (decision, i, j), seen);
      g_print ("\n");
    }
  for (guint i = 0; i < seen->len; i++)
    g_print ("%6c  %s\n", 'A' + (char) i, decision->modes[g_array_index (seen, int, i)].id);
  g_print ("     ?  the choice may cost more than 5 %% on average\n"
           "     =  modes of several families tie within 3 %%: the simplest of them\n"
           "     .  not enough data\n");
  print_regret (decision);
}

/* --- sentences -------------------------------------------------------------------------------- */

static void
print_answers (const char *heading, GPtrArray *answers)
{
  if (answers->len > 0)
    g_print ("\n%s\n", heading);
  MEMLANE_FOR_EACH (const MemlaneAnswer, each, answers)
    {
      g_autofree char *text = memlane_answer_format (each, NULL, NULL, NULL);

      g_print ("  %s\n", text);
    }
  g_ptr_array_unref (answers);
}

/* The answer, and below it the evidence. */
static void
print_answer (GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      g_autofree char *text = memlane_answer_format (answers->pdata[i], NULL, NULL, NULL);

      g_print ("%s%s\n", i > 0 ? "  " : "", text);
    }
}

static void
print_all (const MemlaneDecision *decision)
{
  g_print ("\n%s, %s, direction %s, count %s%s\n\n", decision->run->id, decision->workload,
           memlane_direction_name (decision->direction), memlane_count_name (decision->count),
           decision->simulated ? ", SIMULATED" : "");
  print_map (decision);
  print_answers ("Crossovers", memlane_decision_describe_crossovers (decision));
  print_answers ("Price of page-locking", memlane_decision_describe_locking (decision));
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void
add_sentences (CliJson *json, const char *name, const GPtrArray *answers)
{
  cli_json_open (json, name, '[');
  MEMLANE_FOR_EACH (const MemlaneAnswer, each, answers)
    {
      g_autofree char *text = memlane_answer_format (each, NULL, NULL, NULL);

      cli_json_text (json, NULL, text);
    }
  cli_json_close (json);
}

static void
add_modes (CliJson *json, const MemlaneDecision *decision, double log2_elements, guint reuse,
           const MemlaneChoice *choice)
{
  cli_json_open (json, "modes", '[');
  for (guint i = 0; i < decision->n_modes; i++)
    {
      const MemlaneMode *mode = &decision->modes[i];
      MemlaneForecast forecast;

      if (!memlane_decision_forecast (decision, i, log2_elements, reuse, &forecast))
        continue;
      cli_json_add_object (json, { "mode", CLI_TEXT (mode->id) },
                           { "family", CLI_TEXT (memlane_family_id (mode->family)) },
                           { "estimate_ns", CLI_NS (forecast.ns.value) },
                           { "low_ns", CLI_NS (forecast.ns.low) },
                           { "high_ns", CLI_NS (forecast.ns.high) },
                           { "measured", CLI_FLAG (forecast.basis == MEMLANE_BASIS_MEASURED) },
                           { "tied", CLI_FLAG (choice->ties >> i & 1) });
    }
  cli_json_close (json);
}

/* All modes that tie with the choice, itself included, and how many times as long the slowest
 * family's mode takes. */
static void
add_tied (CliJson *json, const MemlaneDecision *decision, double log2_elements, guint reuse,
          const MemlaneChoice *choice)
{
  guint candidates[MEMLANE_N_FAMILIES];
  const guint n = memlane_decision_list_candidates (decision, log2_elements, reuse, choice,
                                                    candidates);
  MemlaneForecast slowest;
  MemlaneForecast best;

  cli_json_open (json, "tied", '[');
  for (guint i = 0; i < decision->n_modes; i++)
    if ((choice->ties >> i & 1) != 0)
      cli_json_text (json, NULL, decision->modes[i].id);
  cli_json_close (json);
  memlane_decision_forecast (decision, (guint) choice->choice, log2_elements, reuse, &best);
  memlane_decision_forecast (decision, candidates[n - 1], log2_elements, reuse, &slowest);
  cli_json_ratio (json, "slowest_ratio", slowest.ns.value / best.ns.value);
}

static void
print_json (const MemlaneDecision *decision, double log2_elements, guint reuse,
            const MemlaneChoice *choice, const GPtrArray *answers)
{
  CliJson *json = cli_json_new ("decision");

  cli_json_add (
      json, { "run", CLI_TEXT (decision->run->id) }, { "device", CLI_TEXT (decision->run->device) },
      { "device_kind", CLI_TEXT (decision->run->device_kind) },
      { "workload", CLI_TEXT (decision->workload) },
      { "direction", CLI_TEXT (memlane_direction_name (decision->direction)) },
      { "count", CLI_TEXT (memlane_count_name (decision->count)) },
      { "uses", CLI_NUMBER (decision->uses) },
      { "beside", CLI_TEXT (memlane_beside_name (decision->background->beside)) },
      { "busy", CLI_NUMBER (decision->background->busy) },
      { "log2_elements", CLI_NUMBER (log2_elements) }, { "reuse", CLI_NUMBER (reuse) },
      { "mode", CLI_TEXT (choice->choice >= 0 ? decision->modes[choice->choice].id : NULL) });
  if (choice->choice >= 0)
    {
      cli_json_flag (json, "open", choice->open);
      add_tied (json, decision, log2_elements, reuse, choice);
      cli_json_ratio (json, "expected_loss", choice->regret);
    }
  add_modes (json, decision, log2_elements, reuse, choice);
  add_sentences (json, "answer", answers);
  add_sentences (json, "notes", decision->notes);
  cli_json_print (json);
}

/* Before anything is read. Returns the exit status. */
static int
check_outputs (char **files)
{
  const char *const outputs[] = { "--csv", asked.csv, "--plot", asked.plot.path };
  g_autoptr (GError) error = NULL;

  if (asked.json && (asked.map || asked.all))
    return cli_fail (CLI_USAGE, "decide: --json: expected it without --%s, which is a text",
                     asked.map ? "map" : "all");
  if (asked.csv != NULL && strcmp (asked.csv, "-") == 0 && (asked.json || asked.all))
    return cli_fail (CLI_USAGE,
                     "decide: --%s: standard output holds the map; expected a file after --csv",
                     asked.json ? "json" : "all");
  if (asked.csv != NULL && asked.plot.path != NULL
      && cli_output_is_same (asked.csv, asked.plot.path))
    return cli_fail (CLI_USAGE, "decide: --csv and --plot name the same file %s; expected two",
                     asked.plot.path);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i += 2)
    if (cli_output_is_input (outputs[i + 1], (const char *const *) files))
      return cli_fail (CLI_USAGE, "decide: %s: %s is a run; expected another name", outputs[i],
                       outputs[i + 1]);
  if (asked.csv != NULL && !cli_output_check (asked.csv, CLI_FILE_MAP, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  return cli_plot_check (&asked.plot, "decide");
}

static gboolean
read_question (MemlaneQuestion *question, GError **error)
{
  *question =
      (MemlaneQuestion) { .workload = asked.workload, .count = MEMLANE_COUNT_HOST, .uses = 1 };
  return cli_options_choose ("--direction", asked.direction,
                             MEMLANE_LIST (MEMLANE_N_DIRECTIONS, memlane_direction_name (i)),
                             (guint *) &question->direction, error)
         && cli_options_count_uses (asked.count, asked.uses, &question->count, &question->uses,
                                    error);
}

/* Says the answer for one place. Returns the exit status. */
static int
answer (const MemlaneDecision *decision, double log2_elements, guint reuse)
{
  g_autoptr (GPtrArray) answers = memlane_decision_recommend (decision, log2_elements, reuse);
  MemlaneChoice choice;
  gboolean known = memlane_decision_judge (decision, log2_elements, reuse, &choice);

  if (asked.json)
    print_json (decision, log2_elements, reuse, &choice, answers);
  else if (asked.map)
    print_map (decision);
  else
    print_answer (answers);
  if (asked.all && !asked.json)
    print_all (decision);
  return known || asked.map ? CLI_OK : CLI_NOTHING;
}

/* The size that was measured, or the nearest power of two, which a note says. */
static double
choose_size (const MemlaneDecision *decision, double size)
{
  for (guint i = 0; i < decision->n_sizes; i++)
    if (decision->sizes[i] == size)
      return size;
  if (!memlane_size_is_power (size))
    g_printerr ("note: --size: %" G_GUINT64_FORMAT
                " floats were not measured; the nearest power of two is 2^%.0f\n",
                memlane_size_elements (size), round (size));
  return round (size);
}

static const GOptionEntry options[] = {
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size,
    "A vector: 20 or 2^20 (floats), 100000, 1M, 4MiB (default: the largest)", "N" },
  { "reuse", 'r', 0, G_OPTION_ARG_FILENAME, &asked.reuse,
    "How many kernels use the data while they are there (default: 1)", "R" },
  { "direction", 0, 0, G_OPTION_ARG_FILENAME, &asked.direction,
    "both (default), to-device: the result stays there, to-host", "D" },
  { "count", 0, 0, G_OPTION_ARG_FILENAME, &asked.count,
    "transfer, host: with host access (default), allocation", "C" },
  { "uses", 0, 0, G_OPTION_ARG_FILENAME, &asked.uses,
    "Over how many uses an allocation is divided (default: 1)", "N" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload,
    "The workload, where runs hold several (default: vector-add)", "W" },
  { "all", 'a', 0, G_OPTION_ARG_NONE, &asked.all,
    "Print the map, crossovers and the price of page-locking as well", NULL },
  { "map", 'm', 0, G_OPTION_ARG_NONE, &asked.map, "Print the map alone", NULL },
  { "json", 0, 0, G_OPTION_ARG_NONE, &asked.json, "Print the answer as JSON", NULL },
  { "csv", 'c', 0, G_OPTION_ARG_FILENAME, &asked.csv,
    "A file for the map with all predictions (- is standard output)", "F" },
  CLI_PLOT_ENTRIES (asked.plot, "A file for the map as a figure: SVG, PNG or PDF by its ending",
                    "Of the figure", "1280x720"),
  { NULL },
};

static int
run (char **files)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (MemlaneDecision) decision = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneQuestion question;
  double log2_elements = 0;
  guint64 reuse = 1;
  int status;

  if (files[0] == NULL)
    return cli_fail (CLI_USAGE, "decide: expected at least one run: memlane-cli decide RUN.csv");
  if (!cli_options_size (asked.size, &log2_elements, &error)
      || !cli_options_integer ("--reuse", asked.reuse, 1, MEMLANE_DECIDE_MOST_REUSE, &reuse, &error)
      || !read_question (&question, &error))
    return cli_fail (CLI_USAGE, "decide: %s", error->message);
  status = check_outputs (files);
  if (status != CLI_OK)
    return status;
  if (!cli_read_files (files, runs, NULL, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (runs->len == 0)
    return cli_fail (CLI_NOTHING, "decide: not enough data: the files hold no run");

  decision = memlane_decision_new (runs, &question);
  MEMLANE_FOR_EACH (const MemlaneAnswer, note, decision->notes)
    {
      g_autofree char *text = memlane_answer_format (note, NULL, NULL, NULL);

      g_printerr ("note: %s\n", text);
    }
  if (decision->n_sizes == 0)
    return cli_fail (CLI_NOTHING, "decide: not enough data");
  if (asked.csv != NULL && !memlane_decision_write_map (decision, asked.csv, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
#ifdef MEMLANE_HAVE_CHART
  if (asked.plot.path != NULL
      && (status = cli_plot_draw (&asked.plot, 720, FALSE,
                                  memlane_decide_map_drawing_new (decision)))
             != CLI_OK)
    return status;
#endif
  if (asked.csv != NULL && strcmp (asked.csv, "-") == 0)
    return CLI_OK; /* standard output holds the map already */
  return answer (decision,
                 asked.size != NULL ? choose_size (decision, log2_elements)
                                    : decision->sizes[decision->n_sizes - 1],
                 (guint) reuse);
}

const CliCommand cli_decide = {
  .name = "decide",
  .arguments = "RUN.csv...",
  .summary = "Say which mode to use, and on which figures that rests",
  .options = options,
  .most_arguments = CLI_ANY_NUMBER,
  .run = run,
  .writes = TRUE,
};
