/* cli-decide.c: memlane-cli decide, which mode to use, and the figures that say so
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "memlane.h"
#ifdef MEMLANE_HAVE_CHART
#include "chart/map/decide-map.h"
#endif

#include <math.h>
#include <string.h>

/* What the command line said, as text. */
typedef struct
{
  char *size, *reuse, *direction, *workload, *csv, *plot, *style, *plot_size;
  gboolean map;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->size);
  g_free (asked->reuse);
  g_free (asked->direction);
  g_free (asked->workload);
  g_free (asked->csv);
  g_free (asked->plot);
  g_free (asked->style);
  g_free (asked->plot_size);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
read_runs (char **files, GPtrArray *runs, GError **error)
{
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) read = cli_read_runs (files[i], error);

      if (read == NULL)
        return FALSE;
      for (guint j = 0; j < read->len; j++)
        g_ptr_array_add (runs, memlane_run_ref (read->pdata[j]));
    }
  return TRUE;
}

/* --- the map -------------------------------------------------------------------------------------------------------- */

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
  guint open = 0, told = 0, checked = 0, worst_size = 0, worst_reuse = 0;
  double worst = -1;

  for (guint i = 0; i < decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        const MemlaneChoice *choice = memlane_decision_get (decision, i, j);
        MemlaneForecast p;

        told += choice->choice >= 0;
        open += choice->choice >= 0 && choice->open;
        if (choice->choice < 0
            || !memlane_decision_forecast (decision, (guint) choice->choice, decision->sizes[i], memlane_decide_reuse (j), &p)
            || p.basis != MEMLANE_BASIS_MEASURED)
          continue;
        checked++;
        if (choice->cost <= worst)
          continue;
        worst = choice->cost;
        worst_size = decision->sizes[i];
        worst_reuse = memlane_decide_reuse (j);
      }
  g_print ("%u of %u places are open (%.0f %%).", open, told, told > 0 ? 100.0 * open / told : 0);
  if (checked > 0)
    g_print (" At the %u measured ones the choice takes at most %.1f %% longer than the fastest (2^%u, reuse %u).", checked, 100 * worst,
             worst_size, worst_reuse);
  g_print ("\n");
}

static void
print_map (const MemlaneDecision *decision)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (int));
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_print ("reuse   mode to use at 2^p floats\n     p");
  for (guint i = 0; i < decision->n_sizes; i++)
    g_print (" %3u", decision->sizes[i]);
  g_print ("\n");
  for (guint j = MEMLANE_DECIDE_REUSES; j-- > 0;)
    {
      g_print ("%6u", memlane_decide_reuse (j));
      for (guint i = 0; i < decision->n_sizes; i++)
        {
          const MemlaneChoice *choice = memlane_decision_get (decision, i, j);

          if (choice->choice < 0)
            g_print ("   . ");
          else
            g_print ("  %c%c", letter_of (choice->choice, seen), choice->open ? '?' : ' ');
        }
      g_print ("\n");
    }
  for (guint i = 0; i < seen->len; i++)
    g_print ("%6c  %s\n", 'A' + (char) i, modes[g_array_index (seen, int, i)].id);
  g_print ("     ?  another mode may be more than 5 %% faster\n"
           "     .  not enough data\n");
  print_regret (decision);
}

/* --- sentences -------------------------------------------------------------------------------------------------------- */

static void
print_answers (const char *heading, GPtrArray *answers)
{
  if (answers->len > 0)
    g_print ("\n%s\n", heading);
  for (guint i = 0; i < answers->len; i++)
    {
      g_autofree char *text = memlane_answer_format (answers->pdata[i], NULL, NULL, NULL);

      g_print ("  %s\n", text);
    }
  g_ptr_array_unref (answers);
}

/* --- tables ------------------------------------------------------------------------------------------------------------- */

static char *
format_estimate (MemlaneFactKind kind, const MemlaneEstimate *number)
{
  const MemlaneFact value = { .kind = kind, .number = *number };

  return memlane_fact_format (&value);
}

static void
print_fits (const MemlaneDecision *decision)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_UPLOAD, MEMLANE_PHASE_KERNEL, MEMLANE_PHASE_DOWNLOAD, MEMLANE_PHASE_ELAPSED };
  CliTable *table = cli_table_new (7, "  mode", "phase", "sizes", "latency", "bandwidth", "half of it at", "off the line");
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < G_N_ELEMENTS (phases); j++)
      {
        MemlaneClock clock = memlane_fit_clock (decision->run, decision->workload, modes[i].id, phases[j]);
        g_autofree char *mode = g_strconcat ("  ", modes[i].id, NULL), *sizes = NULL, *latency = NULL, *bandwidth = NULL, *half = NULL;
        g_autofree char *off = NULL;
        MemlaneFit fit;

        if (clock == MEMLANE_N_CLOCKS || !memlane_fit_run (decision->run, decision->workload, modes[i].id, phases[j], clock, &fit))
          continue;
        if (fit.verdict == MEMLANE_FIT_TOO_FEW)
          {
            cli_table_add (table, mode, memlane_phase_name (phases[j]), "too few: a line takes three sizes", "", "", "", "");
            continue;
          }
        sizes = g_strdup_printf ("2^%u..2^%u%s", fit.first_log2, fit.last_log2, fit.verdict == MEMLANE_FIT_BENT ? " (no line)" : "");
        latency = format_estimate (MEMLANE_FACT_NS, &fit.latency_ns);
        bandwidth = format_estimate (MEMLANE_FACT_BANDWIDTH, &fit.bandwidth);
        half = format_estimate (MEMLANE_FACT_BYTES, &fit.half_bytes);
        off = g_strdup_printf ("%.0f %% at 2^%u", 100 * fit.worst, fit.worst_log2);
        cli_table_add (table, mode, memlane_phase_name (phases[j]), sizes, latency, bandwidth, half, off);
      }
  g_print ("\nLatency and bandwidth: T = latency + bytes / bandwidth, over the longest stretch of sizes that a line describes\n");
  cli_table_print (table);
}

/* "5.43 (4.73 to 5.93)", or the verdict in a word. */
static char *
format_break_even (const MemlaneBreakEven *result)
{
  switch (result->verdict)
    {
    case MEMLANE_BREAK_EVEN_AT_ONCE:
      return g_strdup ("at once");
    case MEMLANE_BREAK_EVEN_AFTER:
      return format_estimate (MEMLANE_FACT_COUNT, &result->count);
    case MEMLANE_BREAK_EVEN_UNTIL:
      {
        g_autofree char *count = format_estimate (MEMLANE_FACT_COUNT, &result->count);

        return g_strconcat ("only up to ", count, NULL);
      }
    case MEMLANE_BREAK_EVEN_NEVER:
      return g_strdup ("never");
    case MEMLANE_BREAK_EVEN_UNTOLD:
      return g_strdup ("not determined");
    case MEMLANE_BREAK_EVEN_NO_DATA:
    case MEMLANE_N_BREAK_EVEN_VERDICTS:
    default:
      return g_strdup ("-");
    }
}

/* The simplest mode of @way that the runs have whose inputs are @registered, or not; -1: none. */
static int
find_mode (const MemlaneDecision *decision, MemlaneWay way, gboolean registered)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int found = -1;

  for (guint i = 0; i < n; i++)
    if ((decision->present >> i & 1) != 0 && modes[i].way == way && (modes[i].input_memory == MEMLANE_HOST_REGISTERED) == registered
        && (found < 0 || modes[i].effort < modes[found].effort))
      found = (int) i;
  return found;
}

static void
print_break_evens (const MemlaneDecision *decision)
{
  static const struct { gboolean registered; MemlanePinning pinning; } columns[] = {
    { FALSE, MEMLANE_PINNING_FIRST }, { FALSE, MEMLANE_PINNING_NEW }, { FALSE, MEMLANE_PINNING_POOLED }, { TRUE, MEMLANE_PINNING_NEW },
  };
  CliTable *table = cli_table_new (6, "  size", "first of a process", "locked anew", "from the pool", "registered", "reuse: copy from");
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int usual = find_mode (decision, MEMLANE_WAY_PAGEABLE, FALSE);

  for (guint i = 0; i < decision->n_sizes; i++)
    {
      g_autofree char *size = g_strdup_printf ("  2^%u", decision->sizes[i]);
      char *cells[G_N_ELEMENTS (columns) + 1];
      MemlaneBreakEven result;
      int mapped, copying;

      for (guint j = 0; j < G_N_ELEMENTS (columns); j++)
        {
          int pinned = find_mode (decision, MEMLANE_WAY_PINNED, columns[j].registered);

          result.verdict = MEMLANE_BREAK_EVEN_NO_DATA;
          if (usual >= 0 && pinned >= 0)
            memlane_break_even_pinning (decision->run, decision->workload, modes[usual].id, modes[pinned].id, decision->sizes[i],
                                        columns[j].pinning, &result);
          cells[j] = format_break_even (&result);
        }
      if (!memlane_decision_break_even (decision, decision->sizes[i], &mapped, &copying, &result))
        result.verdict = MEMLANE_BREAK_EVEN_NO_DATA;
      cells[G_N_ELEMENTS (columns)] = format_break_even (&result);
      cli_table_add (table, size, cells[0], cells[1], cells[2], cells[3], cells[4]);
      for (guint j = 0; j < G_N_ELEMENTS (cells); j++)
        g_free (cells[j]);
    }
  g_print ("\nBreak-even: transfers that pay for page-locked memory instead of malloc's, by where the driver takes it from;\n"
           "and the reuse from which the fastest copies beat zero-copy. -: not shown by a sweep of this size\n");
  cli_table_print (table);
}

static void
print_notes (const MemlaneDecision *decision)
{
  for (guint i = 0; i < decision->notes->len; i++)
    {
      g_autofree char *text = memlane_answer_format (decision->notes->pdata[i], NULL, NULL, NULL);

      g_printerr ("note: %s\n", text);
    }
}

static void
print_all (const MemlaneDecision *decision, const Asked *asked, guint log2_elements, guint reuse)
{
  g_print ("%s, %s, direction %s%s\n\n", decision->run->id, decision->workload, memlane_direction_name (decision->direction),
           decision->simulated ? ", SIMULATED" : "");
  print_map (decision);
  if (asked->map)
    return;
  print_answers ("Recommendation", memlane_decision_recommend (decision, log2_elements, reuse));
  print_answers ("Crossovers of the elapsed time", memlane_decision_describe_crossovers (decision));
  print_break_evens (decision);
  print_fits (decision);
}

/* --- the figure ------------------------------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_CHART

#define USUAL_WIDTH 1280
#define USUAL_HEIGHT 720

/* All that can be wrong before there is a decision; without one nothing is drawn. Returns the exit status. */
static int
draw_map (const Asked *asked, const MemlaneDecision *decision)
{
  CliFigure figure = { .width = USUAL_WIDTH, .height = USUAL_HEIGHT };
  g_autoptr (MemlaneDrawing) drawing = NULL;
  g_autoptr (GError) error = NULL;

  if (!cli_figure_parse (&figure, asked->plot, asked->style, "--plot-size", asked->plot_size, &error))
    return cli_fail (CLI_USAGE, "decide: %s", error->message);
  if (decision == NULL)
    return CLI_OK;
  drawing = memlane_decide_map_drawing_new (decision, NULL, NULL);
  if (!cli_figure_write (&figure, drawing, 1, asked->plot, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  g_printerr ("written: %s\n", asked->plot);
  return CLI_OK;
}

#else

static int
draw_map (const Asked *asked, const MemlaneDecision *decision)
{
  return cli_fail (CLI_NOTHING, "decide: --plot: this build draws no figures: it was made without Cairo and Pango. Install their "
                                "development files and build with -Dchart=enabled");
}

#endif

/* Before anything is read. Returns the exit status. */
static int
check_outputs (const Asked *asked, char **files)
{
  const char *const outputs[] = { "--csv", asked->csv, "--plot", asked->plot };
  g_autoptr (GError) error = NULL;
  int status;

  if (asked->plot == NULL && (asked->style != NULL || asked->plot_size != NULL))
    return cli_fail (CLI_USAGE, "decide: %s: there is no figure; expected --plot F.svg", asked->style != NULL ? "--style" : "--plot-size");
  if (asked->plot != NULL && (status = draw_map (asked, NULL)) != CLI_OK)
    return status;
  if (asked->csv != NULL && asked->plot != NULL && cli_output_is_same (asked->csv, asked->plot))
    return cli_fail (CLI_USAGE, "decide: --csv and --plot name the same file %s; expected two", asked->plot);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i += 2)
    {
      if (cli_output_is_input (outputs[i + 1], (const char *const *) files))
        return cli_fail (CLI_USAGE, "decide: %s: %s is a run; expected another name", outputs[i], outputs[i + 1]);
      if (outputs[i + 1] != NULL && !cli_output_check (outputs[i + 1], i == 0 ? CLI_FILE_MAP : CLI_FILE_FIGURE, &error))
        return cli_fail (CLI_NOTHING, "%s", error->message);
    }
  return CLI_OK;
}

static gboolean
set_direction (const char *text, MemlaneDirection *direction, GError **error)
{
  if (text == NULL || memlane_direction_parse (text, direction))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--direction: found \"%s\", expected one of both, to-device, to-host",
               text);
  return FALSE;
}

static int
decide (const Asked *asked, char **files)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (MemlaneDecision) decision = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneDirection direction = MEMLANE_DIRECTION_BOTH;
  guint64 log2_elements = 0, reuse = 1;
  int status;

  if (!cli_options_integer ("--size", asked->size, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &log2_elements, &error)
      || !cli_options_integer ("--reuse", asked->reuse, 1, MEMLANE_DECIDE_MOST_REUSE, &reuse, &error)
      || !set_direction (asked->direction, &direction, &error))
    return cli_fail (CLI_USAGE, "decide: %s", error->message);
  status = check_outputs (asked, files);
  if (status != CLI_OK)
    return status;
  if (!read_runs (files, runs, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (runs->len == 0)
    return cli_fail (CLI_NOTHING, "decide: not enough data: the files hold no run");

  decision = memlane_decision_new (runs, asked->workload, direction);
  print_notes (decision);
  if (decision->n_sizes == 0)
    return cli_fail (CLI_NOTHING, "decide: not enough data");
  if (asked->csv != NULL && !memlane_decision_write_map (decision, asked->csv, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (asked->plot != NULL && (status = draw_map (asked, decision)) != CLI_OK)
    return status;
  if (asked->csv != NULL && strcmp (asked->csv, "-") == 0)
    return CLI_OK; /* standard output holds the map already */
  print_all (decision, asked, asked->size != NULL ? (guint) log2_elements : decision->sizes[decision->n_sizes - 1], (guint) reuse);
  return CLI_OK;
}

static int
run (int argc, char **argv)
{
  g_auto (Asked) asked = { 0 };
  const GOptionEntry entries[] = {
    { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size, "The exponent P: vectors of 2^P floats (default: the largest measured)", "P" },
    { "reuse", 'r', 0, G_OPTION_ARG_FILENAME, &asked.reuse, "How many kernels use the data while they are there (default: 1)", "R" },
    { "direction", 0, 0, G_OPTION_ARG_FILENAME, &asked.direction, "both (default), to-device: the result stays there, to-host", "D" },
    { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload, "The workload, where runs hold several (default: vector-add)", "W" },
    { "map", 'm', 0, G_OPTION_ARG_NONE, &asked.map, "Print the map alone", NULL },
    { "csv", 'c', 0, G_OPTION_ARG_FILENAME, &asked.csv, "A file for the map with all predictions (- is standard output)", "F" },
    { "plot", 'o', 0, G_OPTION_ARG_FILENAME, &asked.plot, "A file for the map as a figure: SVG, PNG or PDF by its ending", "F.svg" },
    { "style", 0, 0, G_OPTION_ARG_FILENAME, &asked.style, "Of the figure: screen, dark, print, projector, ... (default: screen)", "STYLE" },
    { "plot-size", 0, 0, G_OPTION_ARG_FILENAME, &asked.plot_size, "Of the figure, in pixels; points in a PDF (default: 1280x720)", "WxH" },
    { NULL },
  };
  g_auto (GStrv) files = NULL;
  int status;

  if (!cli_options_parse (&cli_decide, entries, argc, argv, CLI_ANY_NUMBER, &files, &status))
    return status;
  if (files[0] == NULL)
    return cli_fail (CLI_USAGE, "decide: expected at least one run: memlane-cli decide RUN.csv");
  return decide (&asked, files);
}

const CliCommand cli_decide = {
  .name = "decide",
  .arguments = "RUN.csv...",
  .summary = "Say which mode to use, and on which figures that rests",
  .description =
    "Prints, from one run or several of one machine: the mode to use over size and\n"
    "reuse as a map; a recommendation for your size, reuse and direction; the sizes\n"
    "at which one mode overtakes another; after how many transfers page-locked memory\n"
    "has paid for itself, and how often data must be reused before copying beats\n"
    "zero-copy; latency and bandwidth of each phase. Every figure stands with its\n"
    "95 % interval.\n"
    "\n"
    "Within 5 % the simplest mode is chosen. \"?\" marks places where another mode may\n"
    "be more than 5 % faster, and the recommendation says which sweep settles it.\n"
    "A measured reuse counts as measured. Between two of them, and beyond, times are\n"
    "computed: transfers + reuse x max (launch, kernel in a row).\n"
    "\n"
    "Examples:\n"
    "  memlane-cli decide memlane.csv --size 20 --reuse 8\n"
    "  memlane-cli decide memlane.csv reused.csv --map\n"
    "  memlane-cli decide memlane.csv --direction to-device --csv map.csv\n"
    "  memlane-cli decide memlane.csv --map --plot map.png --style projector\n"
    "\n"
    "Exit status: 0 decided; 1 wrong usage, or a file that is refused; 2 not enough\n"
    "data, or the output cannot be written.",
  .run = run,
  .writes = TRUE,
};
