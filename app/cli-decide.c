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

#define MOST_REUSE 1000000

static gboolean
read_runs (char **files, GPtrArray *runs, GError **error)
{
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) read = memlane_csv_read (files[i], NULL, NULL, NULL, error);

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

static void
print_map (const MemlaneDecision *decision)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (int));
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_print ("reuse   fastest mode at 2^p floats\n     p");
  for (guint i = 0; i < decision->n_sizes; i++)
    g_print (" %3u", decision->sizes[i]);
  g_print ("\n");
  for (guint j = MEMLANE_DECIDE_REUSES; j-- > 0;)
    {
      g_print ("%6u", memlane_decide_reuse (j));
      for (guint i = 0; i < decision->n_sizes; i++)
        {
          const MemlaneChoice *verdict = memlane_decision_get (decision, i, j);

          if (verdict->winner < 0)
            g_print ("   . ");
          else
            g_print ("  %c%c", letter_of (verdict->choice, seen), verdict->way_uncertain ? '?' : verdict->uncertain ? '=' : ' ');
        }
      g_print ("\n");
    }
  for (guint i = 0; i < seen->len; i++)
    g_print ("%6c  %s\n", 'A' + (char) i, modes[g_array_index (seen, int, i)].id);
  g_print ("     =  others of its kind cannot be told from it\n"
           "     ?  modes of another kind cannot be told from it\n"
           "     .  cannot be told\n");
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
            cli_table_add (table, mode, memlane_phase_name (phases[j]), "cannot be told: a line takes three sizes", "", "", "", "");
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
      return g_strdup ("cannot be told");
    case MEMLANE_BREAK_EVEN_NO_DATA:
    case MEMLANE_N_BREAK_EVEN_VERDICTS:
    default:
      return g_strdup ("-");
    }
}

static void
print_break_evens (const MemlaneDecision *decision)
{
  CliTable *table = cli_table_new (6, "  size", "pinned", "with first write", "registered", "with first write",
                                   "reuse: mapped to pinned-async");
  const char *workload = decision->workload;

  for (guint i = 0; i < decision->n_sizes; i++)
    {
      guint log2_elements = decision->sizes[i];
      g_autofree char *size = g_strdup_printf ("  2^%u", log2_elements);
      char *cells[5];
      MemlaneBreakEven result;

      for (guint j = 0; j < 4; j++)
        {
          memlane_break_even_pinning (decision->run, workload, "pageable", j < 2 ? "pinned" : "registered", log2_elements, j % 2 == 1,
                                      &result);
          cells[j] = format_break_even (&result);
        }
      memlane_break_even_reuse (decision->run, workload, "mapped", "pinned-async", log2_elements, &result);
      cells[4] = format_break_even (&result);
      cli_table_add (table, size, cells[0], cells[1], cells[2], cells[3], cells[4]);
      for (guint j = 0; j < G_N_ELEMENTS (cells); j++)
        g_free (cells[j]);
    }
  g_print ("\nBreak-even: samples that pay for page-locked memory instead of malloc's; reuse beyond which copying beats zero-copy\n");
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
      || !cli_options_integer ("--reuse", asked->reuse, 1, MOST_REUSE, &reuse, &error)
      || !set_direction (asked->direction, &direction, &error))
    return cli_fail (CLI_USAGE, "decide: %s", error->message);
  status = check_outputs (asked, files);
  if (status != CLI_OK)
    return status;
  if (!read_runs (files, runs, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (runs->len == 0)
    return cli_fail (CLI_NOTHING, "decide: nothing can be told: the files hold no run");

  decision = memlane_decision_new (runs, asked->workload, direction);
  print_notes (decision);
  if (decision->n_sizes == 0)
    return cli_fail (CLI_NOTHING, "decide: nothing can be told");
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
    "Prints, from one run or several of one machine: the fastest mode over size and\n"
    "reuse as a map; a recommendation for your size, reuse and direction; the sizes\n"
    "at which one mode overtakes another; after how many samples page-locked memory\n"
    "has paid for itself, and from which reuse on copying beats zero-copy; latency\n"
    "and bandwidth of each phase. Every figure stands with its 95 % interval; what\n"
    "cannot be told from the runs is said so.\n"
    "\n"
    "Elapsed times at a reuse that was not measured are computed: those at the\n"
    "measured one, and the device's time of each further kernel. A second run with\n"
    "sweep --reuse makes them measured.\n"
    "\n"
    "Examples:\n"
    "  memlane-cli decide memlane.csv --size 20 --reuse 8\n"
    "  memlane-cli decide memlane.csv reused.csv --map\n"
    "  memlane-cli decide memlane.csv --direction to-device --csv map.csv\n"
    "  memlane-cli decide memlane.csv --map --plot map.png --style projector\n"
    "\n"
    "Exit status: 0 told; 1 wrong usage, or a file that is refused; 2 nothing can be\n"
    "told, or the output cannot be written.",
  .run = run,
  .writes = TRUE,
};
