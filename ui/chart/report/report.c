/* report.c: a run as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 */
#include "report.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "memlane.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/export.h"
#include "chart/facts.h"
#include "chart/markup.h"
#include "chart/plot/plot.h"
#include "chart/scale.h"

#define MOST_REASONS 20
/* Of a figure, px. */
#define WIDTH 1000
#define HEIGHT 600

/* Without > and &, so that the page is XML as it stands. On paper it is light, whatever the screen. */
static const char style_sheet[] =
  ":root { color-scheme: light dark; --text: #1d1d20; --faint: #5e5c64; --ground: #ffffff; --line: #c8c7cc; --noisy: #8a4b00;"
  " --failed: #a51d2d; --mark: #a51d2d; }\n"
  "@media (prefers-color-scheme: dark) { :root { --text: #f2f2f4; --faint: #b4b2ba; --ground: #1e1e20; --line: #4a494f; --noisy: #ffbe6f;"
  " --failed: #ff9a9f; --mark: #ff9a9f; } }\n"
  "@media print { :root { --text: #000; --faint: #333; --ground: #fff; --line: #888; --noisy: #000; --failed: #000; --mark: #000; } }\n"
  "body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.45 system-ui, sans-serif; }\n"
  "main { max-width: 1040px; margin: 0 auto; padding: 16px; }\n"
  "h1 { font-size: 1.7em; line-height: 1.2; } h2 { margin-top: 2em; } h3 { margin-top: 1.6em; }\n"
  ".simulated { border: 3px solid var(--mark); color: var(--mark); padding: 8px 12px; font-weight: bold; }\n"
  ".faint, figcaption, caption, small { color: var(--faint); }\n"
  "figcaption { font-size: 0.85em; }\n"
  "figure { margin: 16px 0; break-inside: avoid; } figure svg { display: block; width: 100%; height: auto; }\n"
  ".dark { display: none; }\n"
  "@media screen and (prefers-color-scheme: dark) { .dark { display: block; } .light { display: none; } }\n"
  ".wide { overflow-x: auto; }\n"
  "table { border-collapse: collapse; font-variant-numeric: tabular-nums; } caption { text-align: left; padding: 4px 0; }\n"
  "th, td { padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }\n"
  ".facts td, .detail, h1, h2, li { overflow-wrap: anywhere; } h2, h3 { break-after: avoid; }\n"
  ".medians { font-size: 0.85em; width: 100%; } .medians td { text-align: right; white-space: nowrap; }\n"
  ".medians .detail, .medians .status { text-align: left; } .medians .detail { white-space: normal; }\n"
  ".medians thead th + th { text-align: right; } .medians thead th:last-child { text-align: left; }\n"
  ".medians tbody th { font-weight: normal; } .noisy .status { color: var(--noisy); }\n"
  ".error .status, .mismatch .status, .timeout .status, .out-of-memory .status { color: var(--failed); font-weight: bold; }\n"
  "thead { display: table-header-group; } tr { break-inside: avoid; }\n"
  "@media print { body { font-size: 10pt; } main { max-width: none; padding: 0; } .medians { font-size: 7.5pt; }\n"
  ".wide { overflow: visible; } }\n";

/* One run and one workload. */
typedef struct
{
  GString *html;
  const MemlaneChartRun *run;
  const char *workload; /* id; NULL: the run has no cells */
  guint figures;        /* in the page so far: each has ids of its own */
} Part;

static void
add_inline (GString *html, const char *element, const char *text)
{
  g_string_append_printf (html, "<%s>", element);
  memlane_markup_append (html, text);
  g_string_append_printf (html, "</%s>", element);
}

static void
add_element (GString *html, const char *element, const char *text)
{
  add_inline (html, element, text);
  g_string_append_c (html, '\n');
}

static const char *
name_of (const MemlaneChartRun *run)
{
  return run->name != NULL && *run->name != '\0' ? run->name : run->run->id;
}

static gboolean
is_simulated (const MemlaneRun *run)
{
  MemlaneFacts facts;
  gboolean simulated;

  memlane_facts_read (run, &facts);
  simulated = facts.simulated;
  memlane_facts_clear (&facts);
  return simulated;
}

/* --- figures: a chart as SVG inside a page that holds others ------------------------------------------------------ */

/* Cairo names glyphs and clips alike in each document: in one page each figure needs names of its own. And the words of a figure stand
 * below it: in it, too, they would be a tooltip over all of it. */
static char *
fit_into_page (const char *svg, const char *prefix, GError **error)
{
  g_autoptr (GRegex) words = g_regex_new ("<title>[^<]*</title>\\s*<desc>[^<]*</desc>\\s*", 0, 0, error);
  g_autoptr (GRegex) ids = words != NULL ? g_regex_new ("(\\bid=\"|href=\"#|url\\(#)", G_REGEX_OPTIMIZE, 0, error) : NULL;
  g_autofree char *replacement = g_strconcat ("\\1", prefix, NULL);
  g_autofree char *silent = ids != NULL ? g_regex_replace_literal (words, svg, -1, 0, "", 0, error) : NULL;

  return silent != NULL ? g_regex_replace (ids, silent, -1, 0, replacement, 0, error) : NULL;
}

static gboolean
add_svg (Part *part, MemlaneChart *chart, MemlaneStyleKind kind, GError **error)
{
  const MemlaneStyle *style = memlane_style_get (kind);
  g_autoptr (MemlaneDrawing) drawing = memlane_plot_drawing_new (chart, NULL);
  g_autoptr (GBytes) bytes = memlane_export_to_bytes (drawing, style, MEMLANE_EXPORT_SVG, WIDTH, HEIGHT, 1, error);
  g_autofree char *document = NULL, *prefix = g_strdup_printf ("f%u-", part->figures++), *svg = NULL;
  const char *root;

  if (bytes == NULL)
    return FALSE;
  document = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  root = strstr (document, "<svg "); /* without the declaration of a document */
  svg = fit_into_page (root != NULL ? root : document, prefix, error);
  if (svg == NULL)
    return FALSE;
  g_string_append_printf (part->html, "<div class=\"%s\" role=\"img\" aria-label=\"", style->dark ? "dark" : "light");
  memlane_markup_append (part->html, chart->title);
  g_string_append (part->html, "\">");
  g_string_append (part->html, svg);
  g_string_append (part->html, "</div>\n");
  return TRUE;
}

/* The figure of @chart, light and dark, with a caption. */
static gboolean
add_figure (Part *part, MemlaneChart *chart, GError **error)
{
  g_autofree char *words = chart->trouble != NULL ? g_strdup (chart->trouble) : memlane_chart_describe (chart);

  g_string_append (part->html, "<figure>\n");
  if (chart->trouble == NULL
      && (!add_svg (part, chart, MEMLANE_STYLE_SCREEN, error) || !add_svg (part, chart, MEMLANE_STYLE_DARK, error)))
    return FALSE;
  g_string_append (part->html, "<figcaption>");
  memlane_markup_append (part->html, words);
  g_string_append (part->html, "</figcaption>\n</figure>\n");
  return TRUE;
}

/* --- device and method --------------------------------------------------------------------------------------------- */

typedef enum { TEXT, BYTES, BANDWIDTH, PERCENT, SECONDS, POWER } FactKind;

typedef struct
{
  const char *label, *path;
  FactKind kind;
} Fact;

static const Fact device_facts[] = {
  { N_("Device"), "device/name", TEXT },
  { N_("Device id"), "device/id", TEXT },
  { N_("Compute capability"), "device/compute_capability", TEXT },
  { N_("Device memory"), "device/memory_bytes", BYTES },
  { N_("Bandwidth of its memory, in theory"), "device/memory_bandwidth_bytes_per_s", BANDWIDTH },
  { N_("L2 cache"), "device/l2_bytes", BYTES },
  { N_("Copy engines"), "device/copy_engines", TEXT },
  { N_("Driver"), "device/driver", TEXT },
  { N_("CUDA runtime"), "device/runtime", TEXT },
  { N_("PCIe generation"), "link/generation", TEXT },
  { N_("PCIe lanes"), "link/width", TEXT },
  { N_("Bandwidth of the link, each way, in theory"), "link/bandwidth_bytes_per_s", BANDWIDTH },
  { N_("Processor"), "host/cpu", TEXT },
  { N_("Logical processors"), "host/logical_cpus", TEXT },
  { N_("Host memory"), "host/memory_bytes", BYTES },
  { N_("Operating system"), "host/kernel", TEXT },
  { N_("Binding"), "affinity", TEXT },
  { N_("Simulated from"), "device/calibrated_from", TEXT },
};

static const Fact method_facts[] = {
  { N_("Date"), "date", TEXT },
  { N_("Memlane"), "memlane/version", TEXT },
  { N_("Precision asked for"), "method/precision", PERCENT },
  { N_("Time budget of a cell"), "method/cell_seconds", SECONDS },
  { N_("Uses for each transfer"), "method/reuse", TEXT },
  { N_("Streams"), "method/streams", TEXT },
  { N_("Chunks"), "method/chunks", TEXT },
  { N_("Seed"), "seed", TEXT },
};

/* (transfer full) (nullable) */
static char *
get_fact (const MemlaneRun *run, const Fact *fact)
{
  double number;

  if (fact->kind == TEXT)
    return memlane_environment_get (run, fact->path);
  number = memlane_environment_get_number (run, fact->path);
  if (!isfinite (number))
    return NULL;
  if (fact->kind == BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, number, TRUE);
  if (fact->kind == BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, number, TRUE);
  return fact->kind == PERCENT ? g_strdup_printf (C_ ("report", "%g %%"), number * 100) : g_strdup_printf (C_ ("report", "%g s"), number);
}

/* Those that are known. */
static void
add_facts (Part *part, const Fact *facts, guint n)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = get_fact (part->run->run, &facts[i]);

      if (value == NULL || *value == '\0')
        continue;
      g_string_append (part->html, any ? "" : "<table class=\"facts\">\n");
      any = TRUE;
      g_string_append (part->html, "<tr><th scope=\"row\">");
      memlane_markup_append (part->html, _(facts[i].label));
      g_string_append (part->html, "</th><td>");
      memlane_markup_append (part->html, value);
      g_string_append (part->html, "</td></tr>\n");
    }
  if (any)
    {
      g_string_append (part->html, "</table>\n");
      return;
    }
  add_element (part->html, "p", _("Not recorded: the run has no NAME.environment.json beside its CSV."));
}

/* Device, method, and every cell's medians. */
static void
add_device (Part *part)
{
  add_facts (part, device_facts, G_N_ELEMENTS (device_facts));
}

static void
add_method (Part *part)
{
  g_autofree char *statement = memlane_environment_get (part->run->run, "method/statement");

  add_facts (part, method_facts, G_N_ELEMENTS (method_facts));
  if (statement == NULL)
    return;
  add_element (part->html, "p", statement);
}

/* --- medians ------------------------------------------------------------------------------------------------------- */

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
}

static gboolean
is_of (const Part *part, const MemlaneCell *cell)
{
  return part->workload != NULL && strcmp (cell->workload, part->workload) == 0;
}

static const char *
status_word (MemlaneStatus status)
{
  static const char *const words[MEMLANE_N_STATUSES] = {
    [MEMLANE_STATUS_OK] = NC_("status", "ok"),
    [MEMLANE_STATUS_NOISY] = NC_("status", "noisy"),
    [MEMLANE_STATUS_UNSUPPORTED] = NC_("status", "unsupported"),
    [MEMLANE_STATUS_OUT_OF_MEMORY] = NC_("status", "out of memory"),
    [MEMLANE_STATUS_MISMATCH] = NC_("status", "wrong result"),
    [MEMLANE_STATUS_ERROR] = NC_("status", "error"),
    [MEMLANE_STATUS_TIMEOUT] = NC_("status", "timeout"),
    [MEMLANE_STATUS_CANCELLED] = NC_("status", "cancelled"),
  };

  return g_dpgettext2 (GETTEXT_PACKAGE, "status", words[status]);
}

static void
add_value (GString *html, MemlaneUnit unit, double value)
{
  g_autofree char *text = isfinite (value) && value > 0 ? memlane_unit_format (unit, value, TRUE) : NULL;

  add_inline (html, "td", text);
}

static void
add_median (GString *html, const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneFigure *figure = memlane_chart_choose_figure (cell, phase);

  add_value (html, MEMLANE_UNIT_TIME, figure != NULL && figure->statistics.count > 0 ? figure->statistics.median : NAN);
}

static void
add_elapsed (GString *html, const MemlaneFigure *figure)
{
  const MemlaneStatistics *statistics = figure != NULL && figure->statistics.count > 0 ? &figure->statistics : NULL;

  add_value (html, MEMLANE_UNIT_TIME, statistics != NULL ? statistics->median : NAN);
  if (statistics == NULL || statistics->count < 2) /* one sample has no interval */
    g_string_append (html, "<td></td>");
  else
    {
      g_autofree char *low = memlane_unit_format (MEMLANE_UNIT_TIME, statistics->ci95_low, TRUE);
      g_autofree char *high = memlane_unit_format (MEMLANE_UNIT_TIME, statistics->ci95_high, TRUE);
      /* Translators: a 95 % interval: "10.2 µs to 10.9 µs". */
      g_autofree char *interval = g_strdup_printf (_("%s to %s"), low, high);

      add_inline (html, "td", interval);
    }
  add_value (html, MEMLANE_UNIT_BANDWIDTH, figure != NULL ? memlane_figure_get_bandwidth (figure) : NAN);
}

/* What tells this cell from others of its mode and size. */
static void
add_variant (GString *html, const MemlaneCell *cell)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (cell->reuse > 1)
    g_string_append_printf (text, ngettext ("%u use", "%u uses", cell->reuse), cell->reuse);
  if (cell->streams > 0)
    {
      g_string_append (text, text->len > 0 ? ", " : "");
      g_string_append_printf (text, ngettext ("%u stream", "%u streams", cell->streams), cell->streams);
      g_string_append (text, ", ");
      g_string_append_printf (text, ngettext ("%u chunk", "%u chunks", cell->chunks), cell->chunks);
    }
  if (text->len == 0)
    return;
  g_string_append (html, "<br/><small>");
  memlane_markup_append (html, text->str);
  g_string_append (html, "</small>");
}

/* The elapsed time's own status where there is one: a cell is noisy as soon as any of its rows is, be it the time of a free. */
static MemlaneStatus
row_status (const MemlaneCell *cell, const MemlaneFigure *elapsed)
{
  return is_measured (cell) && elapsed != NULL ? elapsed->status : cell->status;
}

static void
add_row (Part *part, const MemlaneCell *cell)
{
  GString *html = part->html;
  const MemlaneFigure *elapsed = memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED);
  g_autofree char *label = memlane_chart_mode_label (cell->mode, NULL);
  g_autofree char *size = memlane_unit_format_power (cell->log2_elements);
  g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, (double) cell->bytes, TRUE);
  MemlaneStatus status = row_status (cell, elapsed);

  g_string_append_printf (html, "<tr class=\"%s\"><th scope=\"row\">", memlane_status_name (status));
  memlane_markup_append (html, label);
  add_variant (html, cell);
  g_string_append (html, "</th><td>");
  memlane_markup_append (html, size);
  g_string_append (html, "</td><td>");
  memlane_markup_append (html, bytes);
  g_string_append (html, "</td>");
  if (is_measured (cell))
    {
      add_elapsed (html, elapsed);
      add_median (html, cell, MEMLANE_PHASE_UPLOAD);
      add_median (html, cell, MEMLANE_PHASE_KERNEL);
      add_median (html, cell, MEMLANE_PHASE_DOWNLOAD);
      g_string_append_printf (html, "<td>%u</td>", elapsed != NULL ? elapsed->statistics.count : 0);
    }
  else
    {
      g_string_append (html, "<td colspan=\"7\" class=\"detail\">");
      memlane_markup_append (html, cell->detail);
      g_string_append (html, "</td>");
    }
  g_string_append (html, "<td class=\"status\">");
  memlane_markup_append (html, status_word (status));
  g_string_append (html, "</td></tr>\n");
}

/* By mode, then by size: the order of curves. */
static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const MemlaneCell *x = *(const MemlaneCell *const *) a, *y = *(const MemlaneCell *const *) b;
  int order = memlane_chart_compare_modes (x->mode, y->mode);

  if (order != 0)
    return order;
  if (x->log2_elements != y->log2_elements)
    return x->log2_elements < y->log2_elements ? -1 : 1;
  return (x->reuse > y->reuse) - (x->reuse < y->reuse);
}

static void
add_medians (Part *part)
{
  static const char *const headings[] = {
    N_("Mode"), N_("Floats"), N_("Vector"), N_("Elapsed"), N_("95 % interval"), N_("Bandwidth"), N_("Upload"), N_("Kernel"),
    N_("Download"), N_("Samples"), N_("Status"),
  };
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  const MemlaneRun *run = part->run->run;

  for (guint i = 0; i < run->cells->len; i++)
    if (is_of (part, run->cells->pdata[i]))
      g_ptr_array_add (cells, run->cells->pdata[i]);
  g_ptr_array_sort (cells, compare_cells);

  g_string_append (part->html, "<div class=\"wide\"><table class=\"medians\">\n<caption>");
  memlane_markup_append (part->html, _("Medians. Elapsed: from the first call until the result may be read, on the host's clock; "
                                       "bandwidth: the bytes that it moves by its median. Upload, kernel, download: on the device's clock "
                                       "where it has them. A noisy median is not known to the precision that was asked for."));
  g_string_append (part->html, "</caption>\n<thead><tr>");
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    {
      g_string_append (part->html, "<th scope=\"col\">");
      memlane_markup_append (part->html, _(headings[i]));
      g_string_append (part->html, "</th>");
    }
  g_string_append (part->html, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < cells->len; i++)
    add_row (part, cells->pdata[i]);
  g_string_append (part->html, "</tbody>\n</table></div>\n");
}

/* --- what the run came to --------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneStatus status;
  const char *detail;
  guint cells;
  GPtrArray *modes; /* titles, each once; owned */
} Reason;

static void
reason_free (gpointer data)
{
  Reason *reason = data;

  g_ptr_array_unref (reason->modes);
  g_free (reason);
}

static void
count_reason (GPtrArray *reasons, const MemlaneCell *cell)
{
  g_autofree char *title = memlane_chart_mode_label (cell->mode, NULL);
  Reason *reason = NULL;

  for (guint i = 0; i < reasons->len && reason == NULL; i++)
    {
      Reason *known = reasons->pdata[i];

      if (known->status == cell->status && g_strcmp0 (known->detail, cell->detail) == 0)
        reason = known;
    }
  if (reason == NULL)
    {
      reason = g_new0 (Reason, 1);
      *reason = (Reason) { .status = cell->status, .detail = cell->detail, .modes = g_ptr_array_new_with_free_func (g_free) };
      g_ptr_array_add (reasons, reason);
    }
  reason->cells++;
  if (!g_ptr_array_find_with_equal_func (reason->modes, title, g_str_equal, NULL))
    g_ptr_array_add (reason->modes, g_steal_pointer (&title));
}

static void
add_reason (GString *html, const Reason *reason)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, ngettext ("%u cell", "%u cells", reason->cells), reason->cells);
  g_string_append (text, ", ");
  for (guint i = 0; i < reason->modes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", (const char *) reason->modes->pdata[i]); /* titles have commas */
  g_string_append_printf (text, ": %s", status_word (reason->status));
  if (reason->detail != NULL)
    g_string_append_printf (text, ": %s", reason->detail);
  add_element (html, "li", text->str);
}

/* How many cells were measured, are noisy, have no figures and why: list items. */
static void
add_counts (Part *part)
{
  const MemlaneRun *run = part->run->run;
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (reason_free);
  g_autofree char *measured_text = NULL, *noisy_text = NULL;
  guint measured = 0, noisy = 0;

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (!is_of (part, cell))
        continue;
      if (!is_measured (cell))
        {
          count_reason (reasons, cell);
          continue;
        }
      measured++;
      noisy += row_status (cell, memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED)) == MEMLANE_STATUS_NOISY;
    }
  measured_text = g_strdup_printf (ngettext ("%u cell was measured.", "%u cells were measured.", measured), measured);
  add_element (part->html, "li", measured_text);
  if (noisy > 0)
    {
      noisy_text = g_strdup_printf (ngettext ("The elapsed time of %u cell is noisy: it is not known to the precision that was asked for.",
                                              "The elapsed times of %u cells are noisy: they are not known to the precision that was asked "
                                              "for.", noisy), noisy);
      add_element (part->html, "li", noisy_text);
    }
  for (guint i = 0; i < MIN (reasons->len, MOST_REASONS); i++)
    add_reason (part->html, reasons->pdata[i]);
  if (reasons->len > MOST_REASONS)
    {
      guint more = reasons->len - MOST_REASONS;
      g_autofree char *text = g_strdup_printf (ngettext ("%u more reason: see the table", "%u more reasons: see the table", more), more);

      add_element (part->html, "li", text);
    }
}

/* --- a part: one run, one workload ------------------------------------------------------------------------------------- */

static MemlaneChart *
build_chart (const Part *part, MemlaneQuantity quantity)
{
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.workload = part->workload;
  options.quantity = quantity;
  options.log_values = quantity == MEMLANE_QUANTITY_TIME;
  return memlane_chart_build (part->run, 1, &options);
}

/* (element-type MemlaneAnswer) (transfer full): @answers */
static void
add_answers (Part *part, GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      g_autofree char *words = memlane_answer_to_words (answers->pdata[i]);

      add_element (part->html, "li", words);
    }
  g_ptr_array_unref (answers);
}

/* What the run came to; which mode to use at its largest size, when each use pays for a transfer; who overtakes whom. */
static void
add_findings (Part *part)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (MemlaneDecision) decision = NULL;

  add_element (part->html, "h3", _("Findings"));
  g_string_append (part->html, "<ul>\n");
  add_counts (part);
  g_ptr_array_add (runs, part->run->run);
  decision = memlane_decision_new (runs, part->workload, MEMLANE_DIRECTION_BOTH);
  if (decision->n_sizes > 0)
    {
      add_answers (part, memlane_decision_recommend (decision, decision->sizes[decision->n_sizes - 1], 1));
      add_answers (part, memlane_decision_describe_crossovers (decision));
    }
  g_string_append (part->html, "</ul>\n");
}

static gboolean
add_part (Part *part, GError **error)
{
  g_autoptr (MemlaneChart) bandwidth = NULL, time = NULL;
  g_autofree char *workload = NULL, *heading = NULL;

  if (part->workload == NULL)
    {
      add_element (part->html, "h2", name_of (part->run));
      add_element (part->html, "p", _("The run holds no cells: nothing was measured."));
      return TRUE;
    }
  bandwidth = build_chart (part, MEMLANE_QUANTITY_BANDWIDTH);
  time = build_chart (part, MEMLANE_QUANTITY_TIME);
  workload = memlane_chart_workload_title (part->workload);
  heading = g_strdup_printf ("%s · %s", workload, name_of (part->run));
  add_element (part->html, "h2", heading);
  if (is_simulated (part->run->run))
    {
      g_string_append (part->html, "<p class=\"simulated\">");
      memlane_markup_append (part->html, _("SIMULATED: not measured on a GPU. Times come from a model that was fitted to a recorded run."));
      g_string_append (part->html, "</p>\n");
    }
  add_findings (part);
  add_element (part->html, "h3", _("Figures"));
  if (!add_figure (part, bandwidth, error) || !add_figure (part, time, error))
    return FALSE;
  add_element (part->html, "h3", _("Device"));
  add_device (part);
  add_element (part->html, "h3", _("Method"));
  add_method (part);
  add_element (part->html, "h3", _("Medians and intervals"));
  add_medians (part);
  return TRUE;
}

/* (transfer container): the ids of the workloads in @run, each once, in the order of its cells; @only: no other. */
static GPtrArray *
list_workloads (const MemlaneRun *run, const char *only)
{
  GPtrArray *workloads = g_ptr_array_new ();

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if ((only == NULL || strcmp (cell->workload, only) == 0)
          && !g_ptr_array_find_with_equal_func (workloads, cell->workload, g_str_equal, NULL))
        g_ptr_array_add (workloads, cell->workload);
    }
  return workloads;
}

/* --- the page ------------------------------------------------------------------------------------------------------------- */

static void
add_head (GString *html, const MemlaneChartRun *runs, guint n_runs)
{
  g_autoptr (GString) title = g_string_new (NULL);
  gboolean simulated = FALSE;

  for (guint i = 0; i < n_runs; i++)
    simulated = simulated || is_simulated (runs[i].run);
  /* Translators: a report's title: "Memlane: my-run, SIMULATED". */
  g_string_append_printf (title, _("Memlane: %s"), n_runs > 0 ? name_of (&runs[0]) : "");
  if (n_runs > 1)
    g_string_append_printf (title, ngettext (" and %u more run", " and %u more runs", n_runs - 1), n_runs - 1);
  if (simulated)
    g_string_append (title, _(", SIMULATED"));
  g_string_append (html, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"");
  /* Translators: the code of your language, as an HTML page names it. */
  memlane_markup_append (html, C_ ("language code", "en"));
  g_string_append (html, "\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                         "<meta name=\"generator\" content=\"Memlane\"/>\n");
  add_element (html, "title", title->str);
  g_string_append (html, "<style>\n");
  g_string_append (html, style_sheet);
  g_string_append (html, "</style>\n</head>\n<body>\n<main>\n");
  add_element (html, "h1", title->str);
}

char *
memlane_report_to_html (const MemlaneChartRun *runs, guint n_runs, const char *workload, GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);
  Part part = { .html = html };

  add_head (html, runs, n_runs);
  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr (GPtrArray) workloads = list_workloads (runs[i].run, workload);

      part.run = &runs[i];
      part.workload = NULL;
      if (runs[i].run->cells->len == 0 && !add_part (&part, error))
        return NULL;
      for (guint j = 0; j < workloads->len; j++)
        {
          part.workload = workloads->pdata[j];
          if (!add_part (&part, error))
            return NULL;
        }
    }
  g_string_append (html, "</main>\n</body>\n</html>\n");
  return g_string_free (g_steal_pointer (&html), FALSE);
}
