/* report.c: a run as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 */
#include "report.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/decide.h"
#include "chart/answer-words.h"
#include "chart/chart-private.h"
#include "chart/markup.h"
#include "report-private.h"

/* Without > and &, so that the page is XML as it stands. On paper it is light, whatever the screen. */
static const char style[] =
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

static void
add_element (GString *html, const char *element, const char *text)
{
  g_string_append_printf (html, "<%s>", element);
  memlane_markup_append (html, text);
  g_string_append_printf (html, "</%s>\n", element);
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

/* --- a part: one run, one workload ------------------------------------------------------------------------------------- */

static MemlaneChart *
build_chart (const MemlaneReportPart *part, MemlaneQuantity quantity)
{
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.workload = part->workload;
  options.quantity = quantity;
  options.log_values = quantity == MEMLANE_QUANTITY_TIME;
  return memlane_chart_build (part->run, 1, &options);
}

/* (element-type MemlaneAnswer) (transfer full): @answers */
static void
add_answers (MemlaneReportPart *part, GPtrArray *answers)
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
add_findings (MemlaneReportPart *part)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (MemlaneDecision) decision = NULL;

  add_element (part->html, "h3", _("Findings"));
  g_string_append (part->html, "<ul>\n");
  memlane_report_add_counts (part);
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
add_part (MemlaneReportPart *part, GError **error)
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
  if (!memlane_report_add_figure (part, bandwidth, error) || !memlane_report_add_figure (part, time, error))
    return FALSE;
  add_element (part->html, "h3", _("Device"));
  memlane_report_add_device (part);
  add_element (part->html, "h3", _("Method"));
  memlane_report_add_method (part);
  add_element (part->html, "h3", _("Medians and intervals"));
  memlane_report_add_medians (part);
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
  g_string_append (html, style);
  g_string_append (html, "</style>\n</head>\n<body>\n<main>\n");
  add_element (html, "h1", title->str);
}

char *
memlane_report_to_html (const MemlaneChartRun *runs, guint n_runs, const char *workload, GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);
  MemlaneReportPart part = { .html = html };

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
