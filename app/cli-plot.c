/* cli-plot.c: memlane-cli plot, runs as a figure
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#ifdef MEMLANE_HAVE_CHART
#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "chart/plot/plot.h"
#endif

#include <string.h>

/* The options of the command line, as text. */
static struct
{
  char *output, *phase, *quantity, *size, *width, *scale, *style, *modes, *workload, *form, *focus,
      *title, *caption, *count, *uses;
  gboolean log, linear, published, no_ceilings;
} asked;

#ifdef MEMLANE_HAVE_CHART

#define USUAL_WIDTH 1280
#define USUAL_HEIGHT 720
#define LARGEST_SCALE 8
#define COLUMN 450 /* px: narrower figures are higher, so that all names have room */

typedef struct
{
  CliFigure file;
  double scale;
  MemlaneView view;
  MemlaneChartOptions options;
  char **modes;
  MemlanePublished *published;
  GPtrArray *runs;  /* (element-type MemlaneRun), owned references */
  GPtrArray *names; /* (element-type utf8), one for each run */
} Figure;

MEMLANE_DEFINE_CLEAR (Figure, static void figure_clear (Figure *data),
                      OWNS (modes, g_strfreev) OWNS (published, memlane_published_free)
                          OWNS (runs, g_ptr_array_unref) OWNS (names, g_ptr_array_unref))
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Figure, figure_clear)

static gboolean
set_view (Figure *figure, GError **error)
{
  const char *form = asked.form != NULL ? asked.form : "overview";

  figure->view = (MemlaneView) MEMLANE_VIEW_FIT;
  if (strcmp (form, "modes") == 0) /* a form of earlier versions */
    {
      g_printerr (
          "memlane-cli: --view modes draws --view families; the window's table shows every mode\n");
      form = "families";
    }
  if (strcmp (form, "overview") != 0 && strcmp (form, "families") != 0)
    return cli_options_wrong (error, "--view", form, "overview or families");
  figure->view.form = *form == 'f' ? MEMLANE_FORM_FAMILIES : MEMLANE_FORM_OVERVIEW;
  figure->view.title = asked.title;
  if (asked.caption != NULL && strcmp (asked.caption, "on") != 0
      && strcmp (asked.caption, "off") != 0)
    return cli_options_wrong (error, "--caption", asked.caption, "on or off");
  figure->view.no_caption = g_strcmp0 (asked.caption, "off") == 0;
  return cli_options_choose ("--family", asked.focus,
                             MEMLANE_LIST (MEMLANE_N_FAMILIES, memlane_family_id (i)),
                             (guint *) &figure->view.focus, error);
}

/* "85mm", "17.8cm", "3.5in": how wide the figure is on paper. It is 5 : 3 then, in text of the
 * style's size at 96 px an inch. */
static gboolean
set_width (Figure *figure, GError **error)
{
  static const struct
  {
    const char *unit;
    double mm;
  } units[] = { { "mm", 1 }, { "cm", 10 }, { "in", 25.4 } };
  char *end = NULL;
  double number, px = NAN;

  if (asked.width == NULL)
    return TRUE;
  if (asked.size != NULL)
    return cli_options_wrong (error, "--width", asked.width, "either --width or --size");
  number = g_ascii_strtod (asked.width, &end);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].unit) == 0)
      px = number * units[i].mm * MEMLANE_EXPORT_PX_PER_MM;
  if (!(px >= MEMLANE_EXPORT_LEAST && px <= MEMLANE_EXPORT_MOST))
    return cli_options_wrong (
        error, "--width", asked.width,
        "a width on paper from 43mm to 4300mm, such as 85mm, 17.8cm or 3.5in");
  figure->file.width = (guint) (px + 0.5);
  figure->file.height = (guint) (px * (px < COLUMN ? 0.75 : 0.6) + 0.5);
  if (!figure->file.format->is_pixels)
    figure->scale = figure->file.format->true_size;
  return TRUE;
}

static gboolean
set_options (Figure *figure, GError **error)
{
  figure->options = (MemlaneChartOptions) MEMLANE_CHART_OPTIONS_DEFAULT;
  figure->scale = 1;
  figure->file = (CliFigure) { .width = USUAL_WIDTH, .height = USUAL_HEIGHT };
  figure->options.axis = asked.log      ? MEMLANE_AXIS_LOG
                         : asked.linear ? MEMLANE_AXIS_LINEAR
                                        : MEMLANE_AXIS_AUTOMATIC;
  figure->options.ceiling = !asked.no_ceilings;
  return cli_figure_parse (&figure->file, asked.output, asked.style, "--size", asked.size, error)
         && cli_options_count_uses (asked.count, asked.uses, &figure->options.count,
                                    &figure->options.uses, error)
         && cli_options_choose ("--phase", asked.phase,
                                MEMLANE_LIST (MEMLANE_N_PHASES, memlane_phase_name (i)),
                                (guint *) &figure->options.phase, error)
         && cli_options_choose ("--quantity", asked.quantity, g_strdup ("bandwidth, time, ratio"),
                                (guint *) &figure->options.quantity, error)
         && cli_options_number ("--scale", asked.scale, 1, LARGEST_SCALE, &figure->scale, error)
         && set_view (figure, error) && set_width (figure, error);
}

/* --- the runs --------------------------------------------------------------------------------- */

/* Whether any cell of the runs has this mode, or workload; if not, the message lists those that
 * they have. */
static gboolean
check_word (const Figure *figure, const char *option, const char *word, gboolean is_mode,
            GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (memlane_hash_text, g_str_equal);
  g_autoptr (GString) known = g_string_new ("what the runs hold:");

  MEMLANE_FOR_EACH (const MemlaneRun, run, figure->runs)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      {
        const char *here = is_mode ? cell->mode : cell->workload;

        if (strcmp (here, word) == 0)
          return TRUE;
        if (g_hash_table_add (seen, (gpointer) here))
          g_string_append_printf (known, "%s%s", g_hash_table_size (seen) > 1 ? ", " : " ", here);
      }
  return cli_options_wrong (error, option, word, known->str);
}

static gboolean
choose_cells (Figure *figure, GError **error)
{
  if (asked.workload != NULL && !check_word (figure, "--workload", asked.workload, FALSE, error))
    return FALSE;
  figure->options.workload = asked.workload;
  if (asked.modes != NULL && strcmp (asked.modes, "all") != 0)
    {
      figure->modes = g_strsplit (asked.modes, ",", -1);
      for (guint i = 0; figure->modes[i] != NULL; i++)
        if (!check_word (figure, "--modes", figure->modes[i], TRUE, error))
          return FALSE;
      figure->options.modes = (const char *const *) figure->modes;
    }
  if (figure->options.quantity == MEMLANE_QUANTITY_RATIO && figure->runs->len < 2)
    return cli_options_wrong (error, "--quantity ratio", "one run",
                              "two: the second is divided by the first");
  return TRUE;
}

static int
run (char **files)
{
  g_auto (Figure) figure = { 0 };
  g_autofree MemlaneChartRun *runs = NULL;
  g_autoptr (MemlaneChart) chart = NULL;
  g_autoptr (MemlaneDrawing) drawing = NULL;
  g_autoptr (GError) error = NULL;

  if (files[0] == NULL)
    return cli_fail (CLI_USAGE,
                     "plot: expected at least one run: memlane-cli plot RUN.csv -o F.svg");
  if (asked.output == NULL)
    return cli_fail (CLI_USAGE, "plot: expected -o F.svg, the figure to write");
  if (!set_options (&figure, &error))
    return cli_fail (CLI_USAGE, "plot: %s", error->message);
  if (cli_output_is_input (asked.output, (const char *const *) files))
    return cli_fail (CLI_USAGE, "plot: -o: %s is a run; expected another name", asked.output);
  if (!cli_output_check (asked.output, CLI_FILE_FIGURE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  figure.runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  figure.names = g_ptr_array_new_with_free_func (g_free);
  if (!cli_read_files (files, figure.runs, figure.names, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (!choose_cells (&figure, &error))
    return cli_fail (CLI_USAGE, "plot: %s", error->message);
  if (asked.published)
    {
      figure.published = memlane_published_read_default (&error);
      if (figure.published == NULL)
        return cli_fail (CLI_USAGE, "plot: --published: %s", error->message);
      figure.options.published = figure.published;
    }

  runs = g_new0 (MemlaneChartRun, figure.runs->len);
  for (guint i = 0; i < figure.runs->len; i++)
    runs[i] = (MemlaneChartRun) { figure.runs->pdata[i], figure.names->pdata[i] };
  chart = memlane_chart_build (runs, figure.runs->len, &figure.options);
  if (chart->trouble != NULL)
    return cli_fail (CLI_NOTHING, "plot: %s; %s is not written", chart->trouble, asked.output);
  drawing = memlane_plot_drawing_new (chart, &figure.view);
  if (!cli_figure_write (&figure.file, drawing, figure.scale, asked.output, &error))
    return cli_fail (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) ? CLI_USAGE
                                                                                      : CLI_NOTHING,
                     "%s", error->message);
  if (chart->left_out != NULL)
    g_printerr ("note: %s\n", chart->left_out);
  g_printerr ("written: %s; %u curve%s%s\n", asked.output, chart->series->len,
              chart->series->len == 1 ? "" : "s", chart->simulated ? ", SIMULATED" : "");
  return CLI_OK;
}

#endif

static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output,
    "The figure: SVG, PNG or PDF by its ending; required", "F.svg" },
  { "phase", 'p', 0, G_OPTION_ARG_FILENAME, &asked.phase,
    "upload, kernel, download, elapsed, ... (default: elapsed)", "PHASE" },
  { "quantity", 0, 0, G_OPTION_ARG_FILENAME, &asked.quantity,
    "bandwidth, time or ratio (default: bandwidth)", "Q" },
  { "count", 0, 0, G_OPTION_ARG_FILENAME, &asked.count,
    "transfer (default), host: with host access, allocation", "C" },
  { "uses", 0, 0, G_OPTION_ARG_FILENAME, &asked.uses,
    "Over how many uses an allocation is divided (default: 1)", "N" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload,
    "Of runs that hold several (default: the first)", "W" },
  { "modes", 'm', 0, G_OPTION_ARG_FILENAME, &asked.modes,
    "Memory modes, by comma, or all (default: all)", "M,..." },
  { "view", 0, 0, G_OPTION_ARG_FILENAME, &asked.form, "overview or families (default: overview)",
    "VIEW" },
  { "family", 0, 0, G_OPTION_ARG_FILENAME, &asked.focus,
    "Show the modes of one family, the others in grey", "FAMILY" },
  { "title", 0, 0, G_OPTION_ARG_STRING, &asked.title,
    "Use this title (default: a sentence from the data; \"\": none)", "TEXT" },
  { "caption", 0, 0, G_OPTION_ARG_FILENAME, &asked.caption,
    "Subtitle and note, on or off (default: on)", "on|off" },
  { "width", 0, 0, G_OPTION_ARG_FILENAME, &asked.width, "Width on paper: 85mm, 17.8cm, 3.5in",
    "WIDTH" },
  { "size", 0, 0, G_OPTION_ARG_FILENAME, &asked.size, "Pixels; points in a PDF (default: 1280x720)",
    "WxH" },
  { "scale", 0, 0, G_OPTION_ARG_FILENAME, &asked.scale, "Draw a PNG this much finer (default: 1)",
    "N" },
  { "style", 0, 0, G_OPTION_ARG_FILENAME, &asked.style,
    "screen, dark, print, projector, ... (default: screen)", "STYLE" },
  { "log", 'l', 0, G_OPTION_ARG_NONE, &asked.log,
    "Logarithmic values (default: where they span a factor of 1,000)", NULL },
  { "linear", 0, 0, G_OPTION_ARG_NONE, &asked.linear, "Linear values", NULL },
  { "published", 0, 0, G_OPTION_ARG_NONE, &asked.published,
    "Published figures beside the measured ones", NULL },
  { "no-ceilings", 0, 0, G_OPTION_ARG_NONE, &asked.no_ceilings,
    "No lines for what link and memory could do", NULL },
  { NULL },
};

const CliCommand cli_plot = {
  .name = "plot",
  .arguments = "RUN.csv...",
  .summary = "Draw runs as a figure: SVG, PNG or PDF",
  .options = options,
  .most_arguments = CLI_ANY_NUMBER,
#ifdef MEMLANE_HAVE_CHART
  .run = run,
#endif
  .writes = TRUE,
};
