/* report.c: runs, timelines and experiments as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 */
#include "report.h"
#include "handout.h"
#include "lesson-figure.h"
#include "report-data.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memlane.h"
#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "chart/answer-words.h"
#include "chart/bars/bars.h"
#include "chart/chart-words.h"
#include "chart/export.h"
#include "chart/map/decide-map.h"
#include "chart/markup.h"
#include "chart/pivot/pivot.h"
#include "chart/plot/plot.h"
#include "chart/scale.h"
#include "chart/timeline/timeline.h"

#define MOST_REASONS 20
#define MOST_MODES 40   /* in figures and tables of a part */
#define MOST_ROWS 2000  /* of the long table */
#define ROOM_FOR_FIGURES (600 * 1024) /* of the script, and of what still comes */
/* of a page; the answers of all places are left out where they do not fit */
#define MOST_BYTES (2 * 1024 * 1024)
/* The size of a figure, px. */
#define WIDTH 1000
#define HEIGHT 600
#define LESSON_WIDTH 640 /* three or four stand on one sheet of paper */
#define LESSON_HEIGHT 320

/* One run and one workload. */
typedef struct
{
  GString *html;
  MemlaneChartRun run;
  const char *workload; /* id; NULL: the run has no cells */
  guint figures;        /* in the page so far: each has ids of its own */
  int width;            /* px of the next figures */
  gboolean alone;       /* the page's title names the one run */
  MemlaneReportData *data; /* for the script */
  const char *class;    /* of the next figures: "still" gives way to the script's */
  /* (element-type utf8): those that figures and tables show; ends with NULL */
  GPtrArray *modes;
  guint n_modes;        /* that the run has */
} Part;

/* Adds a paragraph, an item or the like. */
static void G_GNUC_PRINTF (3, 4)
add_element (GString *html, const char *element, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  memlane_markup_printf (html, "<%s>%s</%s>\n", element, text, element);
}

/* --- figures: a chart as SVG inside a page that holds others ---------------------------------- */

/* Replaces what @pattern finds, by the words of a regular expression or by @name. Takes @text.
 * (transfer full) */
static char *
replace (char *text, const char *pattern, const char *words, GRegexEvalCallback name, gpointer data,
         GError **error)
{
  g_autofree char *before = text;
  g_autoptr (GRegex) regex = before != NULL ? g_regex_new (pattern, G_REGEX_OPTIMIZE, 0, error)
                                            : NULL;

  if (regex == NULL)
    return NULL;
  return name != NULL ? g_regex_replace_eval (regex, before, -1, 0, 0, name, data, error)
                      : g_regex_replace (regex, before, -1, 0, words, 0, error);
}

/* A colour of the light and of the dark style. */
static const struct
{
  const char *name;
  gsize offset;
} roles[] = {
#define ROLE(name) { #name, G_STRUCT_OFFSET (MemlaneStyle, name) }
  ROLE (background), ROLE (text),    ROLE (faint),     ROLE (axis),      ROLE (grid),
  ROLE (grid_minor), ROLE (ceiling), ROLE (simulated), ROLE (crosshair),
#undef ROLE
};

#define N_VARIABLES (G_N_ELEMENTS (roles) + 2 * (MEMLANE_N_FAMILIES + 1))

/* The variables that figures are drawn with; where two have one colour, the first counts. */
static guint
get_variable (guint i, MemlaneStyleKind kind, char **name)
{
  const MemlaneStyle *style = memlane_style_get (kind);
  guint n = G_N_ELEMENTS (roles), family = (i - n) % (MEMLANE_N_FAMILIES + 1);
  gboolean is_label = i >= n + MEMLANE_N_FAMILIES + 1; /* the family's name in a label */
  MemlaneColor color;

  if (i < n)
    {
      *name = g_strdup (roles[i].name);
      return memlane_color_to_hex (
          (const MemlaneColor *) (gconstpointer) ((const char *) style + roles[i].offset));
    }
  *name = g_strdup_printf (is_label ? "name-%u" : "family-%u", family);
  color = memlane_family_color ((MemlaneFamily) family, style);
  if (is_label)
    color = memlane_color_readable (color, style);
  return memlane_color_to_hex (&color);
}

static void
append_palette (GString *html, MemlaneStyleKind kind)
{
  for (guint i = 0; i < N_VARIABLES; i++)
    {
      g_autofree char *name = NULL;
      guint hex = get_variable (i, kind, &name);

      g_string_append_printf (html, " --figure-%s: #%06x;", name, hex);
    }
}

/* A colour as cairo writes it becomes a variable where it is one of the light style: one SVG for
 * light and dark. A colour that is mixed of two stays as it is. */
static gboolean
name_color (const GMatchInfo *match, GString *result, gpointer data)
{
  guint hex = 0;
  g_autofree char *whole = g_match_info_fetch (match, 0);

  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *share = g_match_info_fetch (match, i);

      /* cairo writes 80.5 as 80.49993 */
      hex = hex << 8 | (guint) (CLAMP (g_ascii_strtod (share, NULL), 0, 100) * 2.55 + 0.501);
    }
  for (guint i = 0; i < N_VARIABLES; i++)
    {
      g_autofree char *name = NULL;

      if (get_variable (i, MEMLANE_STYLE_SCREEN, &name) != hex)
        continue;
      g_string_append_printf (result, "var(--figure-%s)", name);
      return FALSE;
    }
  g_string_append (result, whole);
  return FALSE;
}

/* Makes a document part of a page that holds others. Cairo names glyphs and clips alike in each:
 * here they begin with @prefix. The words of a figure stand below it: in it, too, they would be a
 * tooltip over all of it. Cairo writes millionths; a hundredth of a px is more than is seen. (A
 * driver's version has two points.) */
static char *
fit_into_page (const char *svg, const char *prefix, GError **error)
{
  g_autofree char *named = g_strconcat ("\\1", prefix, NULL);
  char *text = replace (g_strdup (svg), "<title>[^<]*</title>\\s*<desc>[^<]*</desc>\\s*", "", NULL,
                        NULL, error);

  text = replace (text, "(\\bid=\"|href=\"#|url\\(#)", named, NULL, NULL, error);
  text = replace (text, "(\\.[0-9]{2})[0-9]+(?![0-9.]*[%.])", "\\1", NULL, NULL, error);
  return replace (text, "rgb\\(([0-9.]+)%, ?([0-9.]+)%, ?([0-9.]+)%\\)", NULL, name_color, NULL,
                  error);
}

/* The figure with a caption of one sentence; all of it in words for those who listen. */
static gboolean
add_figure (Part *part, const MemlaneDrawing *drawing, const char *caption, int height,
            GError **error)
{
  g_autoptr (GBytes) bytes = memlane_export_to_bytes (
      drawing, memlane_style_get (MEMLANE_STYLE_SCREEN), memlane_export_find (".svg"), part->width,
      height, 1, error);
  g_autofree char *document = NULL, *prefix = g_strdup_printf ("f%u-", part->figures++),
                  *svg = NULL;
  g_autofree char *title = drawing->klass->title (drawing->content),
                  *words = drawing->klass->describe (drawing->content);
  const char *root;

  if (bytes == NULL)
    return FALSE;
  document = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  root = strstr (document, "<svg "); /* without the declaration of a document */
  svg = fit_into_page (root != NULL ? root : document, prefix, error);
  if (svg == NULL)
    return FALSE;
  g_string_append_printf (part->html, "<figure%s>\n", part->class);
  memlane_markup_printf (part->html,
                         "<div role=\"img\" aria-describedby=\"%swords\" aria-label=\"%s\">",
                         prefix, title);
  g_string_append (part->html, svg);
  memlane_markup_printf (
      part->html,
      "</div>\n<p class=\"hidden\" id=\"%swords\">%s</p>\n<figcaption>%s</figcaption>\n</figure>\n",
      prefix, words, caption);
  return TRUE;
}

/* @chart as @form; without curves the reason. */
static gboolean
add_chart (Part *part, MemlaneChart *chart, MemlaneForm form, const char *caption, GError **error)
{
  MemlaneView view = MEMLANE_VIEW_FIT;
  g_autoptr (MemlaneDrawing) drawing = NULL;

  if (chart->trouble != NULL)
    {
      add_element (part->html, "p", "%s", chart->trouble);
      return TRUE;
    }
  view.form = form;
  drawing = memlane_plot_drawing_new (chart, &view);
  return add_figure (part, drawing, caption, HEIGHT, error);
}

/* --- device and method ------------------------------------------------------------------------ */

typedef enum { TEXT, BYTES, BANDWIDTH, PERCENT, SECONDS } FactKind;

typedef struct
{
  const char *label;
  MemlaneEnvironmentMember member;
  FactKind kind;
} Fact;

static const Fact device_facts[] = {
  { N_("Device"), MEMLANE_ENVIRONMENT_DEVICE_NAME, TEXT },
  { N_("Device id"), MEMLANE_ENVIRONMENT_DEVICE_ID, TEXT },
  { N_("Compute capability"), MEMLANE_ENVIRONMENT_COMPUTE_CAPABILITY, TEXT },
  { N_("Device memory"), MEMLANE_ENVIRONMENT_DEVICE_MEMORY, BYTES },
  { N_("Bandwidth of its memory, in theory"), MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH, BANDWIDTH },
  { N_("L2 cache"), MEMLANE_ENVIRONMENT_L2_BYTES, BYTES },
  { N_("Copy engines"), MEMLANE_ENVIRONMENT_COPY_ENGINES, TEXT },
  { N_("Driver"), MEMLANE_ENVIRONMENT_DRIVER, TEXT },
  { N_("CUDA runtime"), MEMLANE_ENVIRONMENT_RUNTIME, TEXT },
  { N_("PCIe generation"), MEMLANE_ENVIRONMENT_LINK_GENERATION, TEXT },
  { N_("PCIe lanes"), MEMLANE_ENVIRONMENT_LINK_WIDTH, TEXT },
  { N_("Bandwidth of the link, each way, in theory"), MEMLANE_ENVIRONMENT_LINK_BANDWIDTH,
    BANDWIDTH },
  { N_("Processor"), MEMLANE_ENVIRONMENT_CPU, TEXT },
  { N_("Logical processors"), MEMLANE_ENVIRONMENT_LOGICAL_CPUS, TEXT },
  { N_("Host memory"), MEMLANE_ENVIRONMENT_HOST_MEMORY, BYTES },
  { N_("Operating system"), MEMLANE_ENVIRONMENT_KERNEL, TEXT },
  { N_("Binding"), MEMLANE_ENVIRONMENT_AFFINITY, TEXT },
  { N_("Simulated from"), MEMLANE_ENVIRONMENT_CALIBRATED_FROM, TEXT },
};

static const Fact method_facts[] = {
  { N_("Date"), MEMLANE_ENVIRONMENT_DATE, TEXT },
  { N_("Memlane"), MEMLANE_ENVIRONMENT_VERSION, TEXT },
  { N_("Precision asked for"), MEMLANE_ENVIRONMENT_PRECISION, PERCENT },
  { N_("Time budget of a measurement"), MEMLANE_ENVIRONMENT_CELL_SECONDS, SECONDS },
  { N_("Uses for each transfer"), MEMLANE_ENVIRONMENT_REUSE, TEXT },
  { N_("Streams"), MEMLANE_ENVIRONMENT_STREAMS, TEXT },
  { N_("Chunks"), MEMLANE_ENVIRONMENT_CHUNKS, TEXT },
  { N_("Seed"), MEMLANE_ENVIRONMENT_SEED, TEXT },
};

/* (transfer full) (nullable) */
static char *
get_fact (const MemlaneRun *run, const Fact *fact)
{
  double number;

  if (fact->kind == TEXT)
    return memlane_environment_format (run->environment, fact->member);
  number = memlane_environment_get_number (run->environment, fact->member);
  if (!isfinite (number))
    return NULL;
  if (fact->kind == BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, number, TRUE);
  if (fact->kind == BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, number, TRUE);
  return fact->kind == PERCENT ? g_strdup_printf (C_("report", "%g %%"), number * 100)
                               : g_strdup_printf (C_("report", "%g s"), number);
}

/* Adds the facts that are known. */
static void
add_facts (Part *part, const Fact *facts, guint n)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = get_fact (part->run.run, &facts[i]);

      if (value == NULL || *value == '\0')
        continue;
      g_string_append (part->html, any ? "" : "<table class=\"facts\">\n");
      any = TRUE;
      memlane_markup_printf (part->html, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
                             _ (facts[i].label), value);
    }
  if (any)
    g_string_append (part->html, "</table>\n");
  else
    add_element (
        part->html, "p",
        _("Not recorded. There is no NAME.environment.json next to the CSV of this run."));
}

/* --- medians ---------------------------------------------------------------------------------- */

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status <= MEMLANE_STATUS_NOISY;
}

static gboolean
is_of (const Part *part, const MemlaneCell *cell)
{
  return part->workload != NULL && strcmp (cell->workload, part->workload) == 0;
}

static void
add_value (GString *html, const char *element, MemlaneUnit unit, double value)
{
  g_autofree char *text = isfinite (value) && value > 0 ? memlane_unit_format (unit, value, TRUE)
                                                        : NULL;

  memlane_markup_printf (html, "<%s>%s</%s>", element, text, element);
}

static double
get_median (const MemlaneFigure *figure)
{
  return figure != NULL && figure->statistics.count > 0 ? figure->statistics.median : NAN;
}

static void
add_elapsed (GString *html, const MemlaneFigure *figure)
{
  g_autofree char *interval = NULL;

  add_value (html, "td", MEMLANE_UNIT_TIME, get_median (figure));
  if (figure != NULL && figure->statistics.count > 1) /* one sample has no interval */
    interval = memlane_chart_format_interval (figure->statistics.low, figure->statistics.high);
  memlane_markup_printf (html, "<td>%s</td>", interval);
  add_value (html, "td", MEMLANE_UNIT_BANDWIDTH,
             figure != NULL ? memlane_figure_get_bandwidth (figure) : NAN);
}

/* Adds what differs from other cells of its mode and size. */
static void
add_variant (GString *html, const MemlaneCell *cell)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (cell->reuse > 1)
    memlane_words_join (text, ", ", ngettext ("%u use", "%u uses", cell->reuse), cell->reuse);
  if (cell->streams > 0)
    {
      memlane_words_join (text, ", ", ngettext ("%u stream", "%u streams", cell->streams),
                          cell->streams);
      memlane_words_join (text, ", ", ngettext ("%u chunk", "%u chunks", cell->chunks),
                          cell->chunks);
    }
  if (cell->beside != MEMLANE_BESIDE_NONE)
    {
      g_autofree char *background = memlane_chart_background_title (cell->beside, cell->busy);

      memlane_words_join (text, ", ", "%s", background);
    }
  if (text->len > 0)
    memlane_markup_printf (html, "<br/><small>%s</small>", text->str);
}

/* The elapsed time's own status where there is one: a cell is noisy as soon as any of its rows is,
 * be it the time of a free. */
static MemlaneStatus
row_status (const MemlaneCell *cell, const MemlaneFigure *elapsed)
{
  return is_measured (cell) && elapsed != NULL ? elapsed->status : cell->status;
}

static void
add_row (GString *html, const MemlaneCell *cell)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_UPLOAD, MEMLANE_PHASE_KERNEL,
                                         MEMLANE_PHASE_DOWNLOAD };
  const MemlaneFigure *elapsed = memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED);
  g_autofree char *label = memlane_chart_mode_label (cell->mode, NULL);
  g_autofree char *size = memlane_unit_format_power (cell->log2_elements);
  g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, (double) cell->bytes, TRUE);
  MemlaneStatus status = row_status (cell, elapsed);

  memlane_markup_printf (html, "<tr class=\"%s\"><th scope=\"row\">%s",
                         memlane_status_name (status), label);
  add_variant (html, cell);
  memlane_markup_printf (html, "</th><td>%s</td><td>%s</td>", size, bytes);
  if (is_measured (cell))
    {
      add_elapsed (html, elapsed);
      for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
        add_value (html, "td", MEMLANE_UNIT_TIME,
                   get_median (memlane_chart_choose_figure (cell, phases[i])));
      memlane_markup_printf (html, "<td>%u</td>", elapsed != NULL ? elapsed->statistics.count : 0);
    }
  else
    memlane_markup_printf (html, "<td colspan=\"7\" class=\"detail\">%s</td>", cell->detail);
  memlane_markup_printf (html, "<td class=\"status\">%s</td></tr>\n",
                         memlane_chart_status_title (status));
}

/* Orders rows by mode, then by size, as curves are. */
static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const MemlaneCell *x = *(const MemlaneCell *const *) a, *y = *(const MemlaneCell *const *) b;
  int order = memlane_chart_compare_modes (&x->mode, &y->mode);

  if (order != 0)
    return order;
  if (x->log2_elements != y->log2_elements)
    return x->log2_elements < y->log2_elements ? -1 : 1;
  if (x->reuse != y->reuse)
    return x->reuse < y->reuse ? -1 : 1;
  return x->beside != y->beside ? (x->beside < y->beside ? -1 : 1)
                                : (x->busy > y->busy) - (x->busy < y->busy);
}

static void
begin_table (GString *html, const char *class, const char *caption)
{
  memlane_markup_printf (
      html, "<div class=\"wide\"><table class=\"%s\">\n<caption>%s</caption>\n<thead><tr>", class,
      caption);
}

static void
add_medians (Part *part)
{
  static const char *const headings[] = {
    N_("Mode"),     N_("Floats"),    N_("Vector"), N_("Elapsed"),
    N_("Interval"), N_("Bandwidth"), N_("Upload"), N_("Kernel"),
    N_("Download"), N_("Samples"),   N_("Status"),
  };
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  MEMLANE_FOR_EACH (MemlaneCell, cell, part->run.run->cells)
    if (is_of (part, cell))
      g_ptr_array_add (cells, cell);
  g_ptr_array_sort (cells, compare_cells);

  begin_table (part->html, "medians",
               _("Estimates. Elapsed runs from the first call until the result can be read, on the "
                 "host's clock. Bandwidth is the bytes that are moved, divided by the estimate. "
                 "Upload, kernel and download are on the device's clock where it has them. A noisy "
                 "estimate misses the precision that was asked for."));
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    memlane_markup_printf (part->html, "<th scope=\"col\">%s</th>", _(headings[i]));
  g_string_append (part->html, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (cells->len, MOST_ROWS); i++)
    add_row (part->html, cells->pdata[i]);
  g_string_append (part->html, "</tbody>\n</table></div>\n");
  if (cells->len > MOST_ROWS)
    add_element (part->html, "p",
                 _("The table ends after %u of %u measurements. The CSV file has them all."),
                 MOST_ROWS, cells->len);
}

/* --- what the run came to --------------------------------------------------------------------- */

/* List items say why @cells, which they use up, have no figures. */
static void
add_reasons (GString *html, GPtrArray *cells)
{
  guint more = 0;

  for (guint items = 0; cells->len > 0; items++)
    {
      const MemlaneCell *first = cells->pdata[0];
      g_autoptr (GHashTable) known = g_hash_table_new (memlane_hash_text, g_str_equal);
      g_autoptr (GString) modes = g_string_new (NULL);
      g_autofree char *count = NULL;
      guint left = 0, n;

      MEMLANE_FOR_EACH (MemlaneCell, cell, cells)
        {
          g_autofree char *title = memlane_chart_mode_label (cell->mode, NULL);

          if (cell->status != first->status || g_strcmp0 (cell->detail, first->detail) != 0)
            cells->pdata[left++] = cell;
          else if (g_hash_table_add (known, cell->mode))
            memlane_words_join (modes, C_("list", ", "), "%s", title);
        }
      n = cells->len - left;
      count = g_strdup_printf (ngettext ("%u measurement", "%u measurements", n), n);
      if (items < MOST_REASONS)
        add_element (html, "li", "%s, %s: %s%s%s", count, modes->str,
                     memlane_chart_status_title (first->status), first->detail != NULL ? ": " : "",
                     first->detail != NULL ? first->detail : "");
      more += items >= MOST_REASONS;
      g_ptr_array_set_size (cells, (int) left);
    }
  if (more > 0)
    add_element (html, "li",
                 ngettext ("%u more reason: see the table", "%u more reasons: see the table", more),
                 more);
}

/* (element-type MemlaneAnswer) (transfer full): @answers */
static void
add_answers (Part *part, GPtrArray *answers)
{
  MEMLANE_FOR_EACH (const MemlaneAnswer, answer, answers)
    {
      g_autofree char *words = memlane_answer_to_words (answer);

      add_element (part->html, "li", "%s", words);
    }
  g_ptr_array_unref (answers);
}

/* List items say how many cells were measured, are noisy, have no figures and why, and what the
 * run's control found. */
static void
add_counts (Part *part)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  guint measured = 0, noisy = 0;
  MemlaneControl control;

  MEMLANE_FOR_EACH (MemlaneCell, cell, part->run.run->cells)
    {
      if (!is_of (part, cell))
        continue;
      if (!is_measured (cell))
        {
          g_ptr_array_add (others, cell);
          continue;
        }
      measured++;
      noisy += row_status (cell, memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED))
               == MEMLANE_STATUS_NOISY;
    }
  add_element (part->html, "li", ngettext ("%u measurement.", "%u measurements.", measured),
               measured);
  if (noisy > 0)
    add_element (
        part->html, "li",
        ngettext ("%u total time is noisy: it missed the precision that was asked for.",
                  "%u total times are noisy: they missed the precision that was asked for.", noisy),
        noisy);
  memlane_control_run (part->run.run, &control);
  if (control.pairs > 0 || control.throttled > 0)
    add_answers (part, memlane_control_describe (&control));
  add_reasons (part->html, others);
}

/* --- a part: one run, one workload ------------------------------------------------------------ */

static MemlaneChart *
build_chart (const Part *part, MemlaneQuantity quantity)
{
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.workload = part->workload;
  options.quantity = quantity;
  options.modes = (const char *const *) part->modes->pdata;
  options.axis = quantity == MEMLANE_QUANTITY_TIME ? MEMLANE_AXIS_LOG : MEMLANE_AXIS_AUTOMATIC;
  return memlane_chart_build (&part->run, 1, &options);
}

static void
begin_details (GString *html, const char *summary)
{
  memlane_markup_printf (html, "<details><summary>%s</summary>\n", summary);
}

/* A list that is folded. (transfer full): @answers */
static void
add_folded (Part *part, const char *summary, GPtrArray *answers)
{
  begin_details (part->html, summary);
  g_string_append (part->html, "<ul>\n");
  if (answers != NULL)
    add_answers (part, answers);
  else
    add_counts (part);
  g_string_append (part->html, "</ul>\n</details>\n");
}

/* The part says which mode to use at the largest size, who overtakes whom, and what the run came
 * to. */
static void
add_findings (Part *part, const MemlaneDecision *decision)
{
  add_element (part->html, "h3", _("Findings"));
  if (decision->n_sizes > 0)
    {
      add_folded (part, _("Which mode to use at the largest size"),
                  memlane_decision_recommend (decision, decision->sizes[decision->n_sizes - 1], 1));
      add_folded (part, _("Where one mode overtakes another"),
                  memlane_decision_describe_crossovers (decision));
    }
  add_folded (part, _("What was measured, and what was not"), NULL);
}

/* --- the pivot table: medians by mode and size ------------------------------------------------ */

/* The darker a cell, the nearer to the best of its size; at four times the best's time it is
 * blank. */
static void
add_pivot_cell (GString *html, const MemlanePivot *pivot, guint mode, guint size)
{
  const MemlanePivotCell *cell = memlane_pivot_get (pivot, mode, size);
  double best = pivot->fastest[size] != G_MAXUINT
                    ? memlane_pivot_get (pivot, pivot->fastest[size], size)->median
                    : 0;
  gboolean noisy = cell->status == MEMLANE_STATUS_NOISY, is_best = cell->median == best;
  g_autofree char *text = cell->median > 0
                              ? memlane_unit_format (MEMLANE_UNIT_TIME, cell->median, TRUE)
                              : NULL;

  if (text == NULL)
    g_string_append (html, "<td>–</td>");
  else
    memlane_markup_printf (
        html, "<td class=\"%s%s%s\" style=\"--h: %d\">%s</td>", noisy ? "noisy" : "",
        noisy && is_best ? " " : "", is_best ? "best" : "",
        best > 0 ? (int) (40 * CLAMP (1 - log (cell->median / best) / log (4), 0, 1)) : 0, text);
}

static gboolean
has_medians (const MemlanePivot *pivot, guint mode)
{
  for (guint size = 0; size < pivot->sizes->len; size++)
    if (memlane_pivot_get (pivot, mode, size)->median > 0)
      return TRUE;
  return FALSE;
}

static void
add_pivot (Part *part)
{
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (part->run.run, NULL, part->workload,
                                                      MEMLANE_PHASE_ELAPSED);
  GString *html = part->html;

  begin_table (html, "pivot", _("Total time. Bold: the fastest of its size, without the baseline. "
                                "Darker: nearer to it. Italic: noisy."));
  memlane_markup_printf (html, "<th>%s</th>", _("Mode"));
  MEMLANE_FOR_EACH_IN (const double, log2_elements, pivot->sizes)
    add_value (html, "th", MEMLANE_UNIT_BYTES, sizeof (float) * exp2 (*log2_elements));
  g_string_append (html, "</tr></thead>\n<tbody>\n");
  for (guint mode = 0; mode < pivot->modes->len; mode++)
    {
      g_autofree char *label = memlane_chart_mode_label (pivot->modes->pdata[mode], NULL);

      if (!has_medians (pivot, mode)
          || !g_strv_contains ((const char *const *) part->modes->pdata, pivot->modes->pdata[mode]))
        continue;
      memlane_markup_printf (html, "<tr><th scope=\"row\">%s</th>", label);
      for (guint size = 0; size < pivot->sizes->len; size++)
        add_pivot_cell (html, pivot, mode, size);
      g_string_append (html, "</tr>\n");
    }
  g_string_append (html, "</tbody>\n</table></div>\n");
}

/* One family alone needs no plot of its own beside the overview. */
static gboolean
has_families (const MemlaneChart *chart)
{
  for (guint i = 1; i < chart->series->len; i++)
    if (((const MemlaneSeries *) chart->series->pdata[i])->family
        != ((const MemlaneSeries *) chart->series->pdata[0])->family)
      return TRUE;
  return FALSE;
}

/* The first modes of the part, in the order of curves. */
static void
choose_modes (Part *part)
{
  g_autoptr (GHashTable) known = g_hash_table_new (memlane_hash_text, g_str_equal);

  g_ptr_array_set_size (part->modes, 0);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, part->run.run->cells)
    if (is_of (part, cell) && g_hash_table_add (known, cell->mode))
      g_ptr_array_add (part->modes, cell->mode);
  g_ptr_array_sort (part->modes, memlane_chart_compare_modes);
  part->n_modes = part->modes->len;
  g_ptr_array_set_size (part->modes, (int) MIN (part->n_modes, MOST_MODES));
  g_ptr_array_add (part->modes, NULL);
}

/* --- one part --------------------------------------------------------------------------------- */

/* Adds the elements in which the script draws its curves and its map. Their data go to the end of
 * the page. */
static void
add_live_places (Part *part, const MemlaneChart *time, const MemlaneDecision *decision)
{
  gsize room = MOST_BYTES - MIN (MOST_BYTES, part->html->len + ROOM_FOR_FIGURES);
  gboolean answered;
  guint number = memlane_report_data_add_part (part->data, &part->run, time, room, &answered);

  memlane_markup_printf (part->html, "<div class=\"live-curves\" data-part=\"%u\"></div>\n",
                         number);
  if (part->n_modes > MOST_MODES)
    add_element (part->html, "p", _("Figures and tables show %u of %u modes."), MOST_MODES,
                 part->n_modes);
  if (answered && decision->n_sizes > 0)
    memlane_markup_printf (part->html, "<div class=\"live-decide\" data-part=\"%u\"></div>\n",
                           number);
  else if (decision->n_sizes > 0)
    add_element (part->html, "p",
                 _("The answers for all places of the map do not fit into this page. memlane-cli "
                    "decide gives them."));
}

static gboolean
add_figures (Part *part, MemlaneChart *bandwidth, MemlaneChart *time, MemlaneDecision *decision,
             GError **error)
{
  g_autoptr (MemlaneDrawing) map = decision->n_sizes > 0 ? memlane_decide_map_drawing_new (decision)
                                                         : NULL;

  if (time->trouble == NULL)
    add_live_places (part, time, decision);
  part->class = time->trouble == NULL ? " class=\"still\"" : "";
  return add_chart (part, bandwidth, MEMLANE_FORM_OVERVIEW,
                    _("Bandwidth by family. A band covers a family’s modes."), error)
         && (map == NULL
             || add_figure (part, map,
                            decision->by_pieces != NULL
                                ? _("Which way to use, by size and number of pieces.")
                                : _("Which mode to use, by vector size and kernels per transfer."),
                            HEIGHT, error))
         && (!has_families (bandwidth)
             || add_chart (part, bandwidth, MEMLANE_FORM_FAMILIES,
                           _("Bandwidth of every mode, family by family."), error))
         && add_chart (part, time, MEMLANE_FORM_OVERVIEW,
                       _("Time by family, on a logarithmic axis."), error);
}

static gboolean
add_part (Part *part, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  const MemlaneQuestion question = { .workload = part->workload, .count = MEMLANE_COUNT_HOST };
  const char *name = memlane_chart_run_name (&part->run), *statement;
  g_autoptr (MemlaneDecision) decision = NULL;
  g_autoptr (MemlaneChart) bandwidth = NULL, time = NULL;
  g_autofree char *workload = NULL;

  if (part->workload == NULL)
    {
      add_element (part->html, "h2", "%s", name);
      add_element (part->html, "p", _("The run contains no measurements."));
      return TRUE;
    }
  choose_modes (part);
  bandwidth = build_chart (part, MEMLANE_QUANTITY_BANDWIDTH);
  time = build_chart (part, MEMLANE_QUANTITY_TIME);
  g_ptr_array_add (runs, part->run.run);
  decision = memlane_decision_new (runs, &question);
  workload = memlane_chart_workload_title (part->workload);
  add_element (part->html, "h2", "%s%s%s", workload, part->alone ? "" : " · ",
               part->alone ? "" : name);
  if (memlane_run_is_simulated (part->run.run))
    memlane_markup_printf (part->html, "<p class=\"simulated\">%s</p>\n",
                           _("SIMULATED: not measured on a GPU. Times come from a model that was "
                              "fitted to a recorded run."));
  /* The answer first. */
  if (time->headline != NULL)
    memlane_markup_printf (part->html, "<p class=\"answer\">%s.</p>\n", time->headline);
  if (!add_figures (part, bandwidth, time, decision, error))
    return FALSE;
  part->class = "";
  add_findings (part, decision);
  add_element (part->html, "h3", _("Total times"));
  add_pivot (part);
  begin_details (part->html, _("Every measurement, with intervals and phases"));
  add_medians (part);
  g_string_append (part->html, "</details>\n");
  add_element (part->html, "h3", _("Device"));
  add_facts (part, device_facts, G_N_ELEMENTS (device_facts));
  add_element (part->html, "h3", _("Method"));
  add_facts (part, method_facts, G_N_ELEMENTS (method_facts));
  statement = memlane_environment_get_text (part->run.run->environment,
                                            MEMLANE_ENVIRONMENT_STATEMENT);
  if (statement != NULL)
    add_element (part->html, "p", "%s", statement);
  return TRUE;
}

/* (transfer container): the ids of the workloads in @run, each once, in the order of its cells;
 * @only: no other. */
static GPtrArray *
list_workloads (const MemlaneRun *run, const char *only)
{
  GPtrArray *workloads = g_ptr_array_new ();

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if ((only == NULL || strcmp (cell->workload, only) == 0)
        && !g_ptr_array_find_with_equal_func (workloads, cell->workload, g_str_equal, NULL))
      g_ptr_array_add (workloads, cell->workload);
  return workloads;
}

/* --- the page --------------------------------------------------------------------------------- */

static MemlaneChartRun
get_run (const MemlaneReportSource *source, guint i)
{
  return (MemlaneChartRun) { source->runs->pdata[i], source->names->pdata[i] };
}

/* Whether anything on the page is of a simulated device. */
static gboolean
is_simulated (const MemlaneReportSource *source)
{
  gboolean simulated = FALSE;

  MEMLANE_FOR_EACH (const MemlaneRun, run, source->runs)
    simulated = simulated || memlane_run_is_simulated (run);
  MEMLANE_FOR_EACH (const MemlaneTrace, trace, source->traces)
    simulated = simulated || memlane_trace_get_info (trace)->simulated;
  MEMLANE_FOR_EACH (const MemlaneExperimentResult, result, source->results)
    simulated = simulated || result->simulated;
  MEMLANE_FOR_EACH (const MemlaneExperimentResult, result, source->lesson_results)
    simulated = simulated || result->simulated;
  return simulated;
}

static void
add_head (GString *html, const MemlaneReportSource *source)
{
  guint n_runs = source->runs->len;
  const MemlaneChartRun first = n_runs > 0 ? get_run (source, 0) : (MemlaneChartRun) { NULL };
  g_autoptr (GString) title = g_string_new (NULL);

  /* Translators: a report's title: "Memlane: my-run, SIMULATED". */
  g_string_append_printf (title, _("Memlane: %s"),
                          n_runs > 0 ? memlane_chart_run_name (&first)
                          : source->lessons->len > 0
                              ? ((const MemlaneLesson *) source->lessons->pdata[0])->title
                              : _("experiments and timelines"));
  if (n_runs > 1)
    g_string_append_printf (title, ngettext (" and %u more run", " and %u more runs", n_runs - 1),
                            n_runs - 1);
  if (is_simulated (source))
    g_string_append (title, _(", SIMULATED"));
  /* Translators: the code of your language, as an HTML page names it. */
  memlane_markup_printf (
      html, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"%s\">\n",
      C_("language code", "en"));
  g_string_append (html,
                   "<head>\n<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"generator\" content=\"Memlane\"/>\n");
  memlane_report_data_append_policy (html);
  add_element (html, "title", "%s", title->str);
  g_string_append (html, "<style>\n");
  memlane_report_data_append_file (html, "page.css");
  memlane_report_data_append_file (html, "uPlot.css");
  g_string_append (html, ":root {");
  append_palette (html, MEMLANE_STYLE_SCREEN);
  g_string_append (html, " }\n@media screen and (prefers-color-scheme: dark) { :root {");
  append_palette (html, MEMLANE_STYLE_DARK);
  g_string_append (html, " } }\n</style>\n</head>\n<body>\n<main>\n");
  add_element (html, "h1", "%s", title->str);
}

/* --- timelines -------------------------------------------------------------------------------- */

/* Adds the changes that would save time in a program of one's own: memlane-cli advise, and the code
 * before and after. */
static void
add_advice (GString *html, const MemlaneTrace *trace)
{
  g_autoptr (GPtrArray) runs = memlane_advise_find_runs (
      memlane_trace_get_info (trace)->device_name, NULL);
  g_autoptr (MemlaneAdvice) advice = memlane_advise (trace, runs);
  const MemlaneAnswer *const whole[] = { advice->whole, advice->together, advice->costs,
                                         advice->doubt };
  g_autofree char *text = memlane_answers_to_words (whole, G_N_ELEMENTS (whole));

  add_element (html, "h3", _("What would save time"));
  add_element (html, "p", "%s", text);
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      const MemlaneAnswer *const reasons[] = { change->sentence, change->price };
      g_autofree char *headline = memlane_answer_to_words (change->headline);
      g_autofree char *why = memlane_answers_to_words (reasons, G_N_ELEMENTS (reasons));

      /* Translators: a change that replaces the one above it */
      add_element (html, "h4", change->is_alternative ? _("Or: %s") : "%s", headline);
      add_element (html, "p", "%s", why);
      add_element (html, "pre", "%s\n→\n%s", change->before, change->after);
    }
}

/* All on one clock; the figures of each stand below. */
static gboolean
add_traces (Part *part, GPtrArray *traces, GError **error)
{
  add_element (part->html, "h2", _("Timelines"));
  g_string_append (part->html, "<div class=\"live-timeline\"></div>\n");
  MEMLANE_FOR_EACH (MemlaneTrace, trace, traces)
    {
      const MemlaneTimelineTrack track = { trace, NULL };
      g_autoptr (MemlaneDrawing) drawing = memlane_timeline_drawing_new (&track, 1, NULL);
      g_autofree char *info = memlane_timeline_info (trace),
                      *title = memlane_timeline_plain_title (trace);
      g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
      gboolean is_live = memlane_report_data_add_trace (part->data, trace);

      part->class = is_live ? " class=\"still\"" : "";
      if (!add_figure (part, drawing, info, 0, error))
        return FALSE;
      if (!is_live)
        add_element (part->html, "p", _("This timeline has too many events to play in a page."));
      if (memlane_trace_get_info (trace)->mode == NULL)
        add_advice (part->html, trace);
      if (findings->len == 0)
        continue;
      add_element (part->html, "h3", "%s", title);
      g_string_append (part->html, "<ul>\n");
      MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
        {
          g_autofree char *words = memlane_answer_to_words (finding->sentence);

          add_element (part->html, "li", "%s", words);
        }
      g_string_append (part->html, "</ul>\n");
    }
  part->class = "";
  return TRUE;
}

/* --- experiments ------------------------------------------------------------------------------ */

/* @text's paragraphs; NULL has none. */
static void
add_paragraphs (GString *html, const char *text)
{
  g_auto (GStrv) paragraphs = g_strsplit (text != NULL ? text : "", "\n\n", -1);

  for (char **p = paragraphs; *p != NULL; p++)
    {
      g_autofree char *typeset = memlane_words_typeset (*p);

      if (*typeset != '\0')
        add_element (html, "p", "%s", typeset);
    }
}

static void
add_prediction (Part *part, const MemlanePrediction *prediction, guint number)
{
  g_autofree char *question = memlane_words_typeset (
      prediction->question != NULL ? prediction->question : "");

  if (prediction->choices == NULL)
    return;
  memlane_markup_printf (part->html, "<fieldset class=\"predict\"><legend>%s</legend>\n", question);
  for (guint i = 0; prediction->choices[i] != NULL; i++)
    {
      g_autofree char *choice = memlane_words_typeset (prediction->choices[i]);

      memlane_markup_printf (
          part->html,
          "<label><input type=\"radio\" name=\"e%u\" value=\"%u\"/> <span>%s</span></label>\n",
          number, i, choice);
    }
  g_string_append (part->html, "</fieldset>\n");
}

static void
begin_reveal (GString *html, int right)
{
  memlane_markup_printf (html, "<details class=\"reveal\" data-right=\"%d\"><summary>%s</summary>\n"
                               "<p class=\"said\" role=\"status\"></p>\n", right, _("Reveal"));
}

/* The question and the prediction; folded the verdict, its picture and the reason. */
static gboolean
add_experiment (Part *part, MemlaneExperimentResult *result, guint number, GError **error)
{
  const MemlaneExperiment *experiment = result->experiment;
  g_autofree char *title = memlane_words_typeset (experiment->title), *said = NULL, *verdict = NULL;
  g_autoptr (MemlaneDrawing) bars = memlane_bars_drawing_new (result, TRUE);

  memlane_markup_printf (part->html, "<section class=\"experiment\">\n<h2>%s</h2>\n", title);
  add_paragraphs (part->html, experiment->question);
  add_prediction (part, &experiment->prediction, number);
  begin_reveal (part->html, result->right_choice);
  said = memlane_experiment_result_describe (result, memlane_words_translate);
  verdict = memlane_words_typeset (said);
  memlane_markup_printf (part->html, "<p class=\"answer\">%s</p>\n", verdict);
  if (bars != NULL
      && !add_figure (part, bars, result->machine != NULL ? result->machine : result->device, 0,
                      error))
    return FALSE;
  add_paragraphs (part->html, experiment->explanation);
  g_string_append (part->html, "<ul>\n");
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    {
      g_autofree char *claim = memlane_words_typeset (check->check->claim);

      memlane_markup_printf (part->html, "<li>%s <strong>%s</strong></li>\n", claim,
                             _ (memlane_verdict_title (check->verdict)));
    }
  g_string_append (part->html, "</ul>\n</details>\n</section>\n");
  return TRUE;
}

/* --- lessons ---------------------------------------------------------------------------------- */

/* Adds a bar for each choice of a class; nothing without answers. */
static void
add_tally (GString *html, const MemlaneLessonStep *step, const GPtrArray *answers, guint place)
{
  if (answers == NULL || answers->len == 0 || step->choices[0] == NULL)
    return;
  memlane_markup_printf (html, "<table class=\"bars\">\n<caption>%s</caption>\n",
                         _("Answers of the class"));
  for (guint i = 0; step->choices[i] != NULL; i++)
    {
      guint n = memlane_lesson_count_answers (answers, place, i);

      memlane_markup_printf (
          html,
          "<tr><th scope=\"row\">%s</th><td class=\"wide\">"
          "<div class=\"bar class\" style=\"width: %u%%\"></div></td><td>%u</td></tr>\n",
          step->choices[i], 100 * n / answers->len, n);
    }
  g_string_append (html, "</table>\n");
}

/* Adds the figure of a step (nullable). Where the class draws, its element says where the script
 * does: the axes in px and their ends, and which mode. Ends are thousandths of a power of two and
 * of ten; the bandwidth of a linear axis stays as it is. */
static gboolean
add_step_figure (Part *part, const MemlaneLessonStep *step, const MemlaneDrawing *drawing,
                 const char *caption, GError **error)
{
  g_autoptr (GObject) pango = NULL;
  g_autofree char *mode = NULL;
  g_autoptr (GString) attributes = g_string_new (NULL);
  g_autoptr (MemlanePlot) plot = NULL;
  MemlanePlotAxes axes;
  gboolean log, added;

  if (drawing == NULL)
    return TRUE;
  if (memlane_lesson_figure_is_drawn (step))
    {
      pango = G_OBJECT (memlane_export_make_context ());
      plot = drawing->klass->layout (drawing->content, memlane_style_get (MEMLANE_STYLE_SCREEN),
                                     LESSON_WIDTH, LESSON_HEIGHT, PANGO_CONTEXT (pango));
      axes = memlane_plot_get_axes (plot);
      log = axes.y->kind == MEMLANE_SCALE_LOG10;
      mode = step->hidden[0] != NULL ? memlane_chart_mode_label (step->hidden[0], NULL)
                                     : memlane_words_typeset (step->experiment->title);
      memlane_markup_printf (attributes, " class=\"sketch\" data-mode=\"%s\"", mode);
      g_string_append_printf (
          attributes,
          " data-area=\"%.0f %.0f %.0f %.0f\" data-x=\"%.0f %.0f\" data-y=\"%.0f %.0f\""
          " data-log=\"%d\" data-time=\"%d\"",
          axes.area->x, axes.area->y, axes.area->width, axes.area->height,
          1000 * log2 (axes.x->from), 1000 * log2 (axes.x->to),
          log ? 1000 * log10 (axes.y->from) : axes.y->from,
          log ? 1000 * log10 (axes.y->to) : axes.y->to, log,
          step->is_time || step->experiment != NULL);
    }
  part->class = attributes->str;
  added = add_figure (part, drawing, caption,
                      drawing->klass->measure_height != NULL ? 0 : LESSON_HEIGHT, error);
  part->class = "";
  return added;
}

static gboolean
add_step (Part *part, const MemlaneLessonStep *step, MemlaneExperimentResult *result, guint number,
          const GPtrArray *answers, guint place, GError **error)
{
  const MemlanePrediction prediction = { .question = step->question, .choices = step->choices };
  g_autoptr (MemlaneDrawing) asked = NULL, shown = NULL;
  const char *caption = result != NULL && result->machine != NULL ? result->machine
                                                                  : _("Recorded on an H200.");
  g_autofree char *said = result != NULL
                              ? memlane_experiment_result_describe (result, memlane_words_translate)
                              : NULL;

  if (!memlane_lesson_figure_make_alone (step, NULL, FALSE, answers, place, &asked, error)
      || !memlane_lesson_figure_make_alone (step, result, TRUE, answers, place, &shown, error))
    return FALSE;
  g_string_append (part->html, "<section class=\"experiment\">\n");
  if (step->choices[0] != NULL)
    add_prediction (part, &prediction, number);
  else
    add_paragraphs (part->html, step->question);
  if (!add_step_figure (part, step, asked, caption, error))
    return FALSE;
  begin_reveal (part->html, result != NULL ? result->right_choice : step->right);
  add_paragraphs (part->html, step->answer);
  add_paragraphs (part->html, said);
  add_tally (part->html, step, answers, place);
  if (!add_step_figure (part, step, shown, caption, error))
    return FALSE;
  g_string_append (part->html, "</details>\n</section>\n");
  return TRUE;
}

/* On paper all questions stand before all answers. @number: of predictions so far. */
static gboolean
add_lesson (Part *part, const MemlaneLesson *lesson, const GPtrArray *results,
            const GPtrArray *answers, guint *number, GError **error)
{
  g_autofree char *name = memlane_lesson_get_name (lesson);
  guint place = 0;

  part->width = LESSON_WIDTH;
  memlane_markup_printf (
      part->html,
      "<section class=\"lesson\" data-lesson=\"%s\">\n<h2>%s</h2>\n<h3 class=\"answers\">%s</h3>\n",
      name, lesson->title, _("Answers"));
  MEMLANE_FOR_EACH (const MemlaneLessonStep, step, lesson->steps)
    if (!add_step (part, step, memlane_lesson_figure_find_result (step, results), (*number)++,
                   answers, place++, error))
      return FALSE;
  g_string_append (part->html, "</section>\n");
  return TRUE;
}

char *
memlane_report_to_html (const MemlaneReportSource *source, GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autoptr (GPtrArray) modes = g_ptr_array_new ();
  g_autoptr (MemlaneReportData) data = memlane_report_data_new ();
  Part part = { .html = html,
                .alone = source->runs->len == 1,
                .data = data,
                .class = "",
                .modes = modes,
                .width = WIDTH };
  guint number = source->results->len;

  add_head (html, source);
  for (guint i = 0; i < source->runs->len; i++)
    {
      g_autoptr (GPtrArray) workloads = list_workloads (source->runs->pdata[i], source->workload);

      part.run = get_run (source, i);
      part.workload = NULL;
      if (part.run.run->cells->len == 0 && !add_part (&part, error))
        return NULL;
      MEMLANE_FOR_EACH (const char, workload, workloads)
        {
          part.workload = workload;
          if (!add_part (&part, error))
            return NULL;
        }
    }
  if (source->traces->len > 0 && !add_traces (&part, source->traces, error))
    return NULL;
  for (guint i = 0; i < source->results->len; i++)
    if (!add_experiment (&part, source->results->pdata[i], i, error))
      return NULL;
  for (guint i = 0; i < source->lessons->len; i++)
    if (!add_lesson (&part, source->lessons->pdata[i], source->lesson_results,
                     i == 0 ? source->answers : NULL, &number, error))
      return NULL;
  g_string_append (html, "</main>\n");
  memlane_report_data_append_scripts (data, html);
  g_string_append (html, "</body>\n</html>\n");
  return g_string_free (g_steal_pointer (&html), FALSE);
}

/* --- files ------------------------------------------------------------------------------------ */

MemlaneReportSource *
memlane_report_source_new (void)
{
  MemlaneReportSource *self = g_new (MemlaneReportSource, 1);

  *self = (MemlaneReportSource) {
    .runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref),
    .names = g_ptr_array_new_with_free_func (g_free),
    .traces = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_trace_unref),
    .results = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_experiment_result_unref),
    .lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_free),
    .lesson_results =
        g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_experiment_result_unref),
    .answers = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_answers_free),
  };
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneReportSource, void memlane_report_source_free (gpointer data),
                     OWNS (runs, g_ptr_array_unref) OWNS (names, g_ptr_array_unref)
                         OWNS (traces, g_ptr_array_unref) OWNS (results, g_ptr_array_unref)
                             OWNS (lessons, g_ptr_array_unref) OWNS (lesson_results,
                                                                     g_ptr_array_unref)
                                 OWNS (answers, g_ptr_array_unref) OWNS (workload, g_free))

gboolean
memlane_report_write (gpointer data, const char *path, GError **error)
{
  const MemlaneReportSource *source = data;
  gboolean is_paper = g_str_has_suffix (path, ".pdf");
  char *html = is_paper ? NULL : memlane_report_to_html (source, error);
  g_autoptr (GBytes) bytes = html != NULL ? g_bytes_new_take (html, strlen (html))
                             : is_paper   ? memlane_handout_to_pdf (source, error)
                                          : NULL;

  if (bytes == NULL)
    return FALSE;
  if (strcmp (path, "-") != 0)
    return memlane_export_write (bytes, path, error);
  /* UTF-8 whatever the terminal's; checked with the flush */
  fwrite (html, 1, strlen (html), stdout);
  return TRUE;
}
