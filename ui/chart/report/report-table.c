/* report-table.c: the tables of a report: device, method, medians; and what the run came to
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "analysis/same-machine.h"
#include "chart/chart-private.h"
#include "chart/markup.h"
#include "report-private.h"
#include "chart/scale.h"

#define MOST_REASONS 20

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
add_facts (MemlaneReportPart *part, const Fact *facts, guint n)
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
  g_string_append (part->html, "<p>");
  memlane_markup_append (part->html, _("Not recorded: the run has no NAME.environment.json beside its CSV."));
  g_string_append (part->html, "</p>\n");
}

void
memlane_report_add_device (MemlaneReportPart *part)
{
  add_facts (part, device_facts, G_N_ELEMENTS (device_facts));
}

void
memlane_report_add_method (MemlaneReportPart *part)
{
  g_autofree char *statement = memlane_environment_get (part->run->run, "method/statement");

  add_facts (part, method_facts, G_N_ELEMENTS (method_facts));
  if (statement == NULL)
    return;
  g_string_append (part->html, "<p>");
  memlane_markup_append (part->html, statement);
  g_string_append (part->html, "</p>\n");
}

/* --- medians ------------------------------------------------------------------------------------------------------- */

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
}

static gboolean
is_of (const MemlaneReportPart *part, const MemlaneCell *cell)
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

  g_string_append (html, "<td>");
  memlane_markup_append (html, text);
  g_string_append (html, "</td>");
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
  if (statistics == NULL)
    g_string_append (html, "<td></td>");
  else
    {
      g_autofree char *low = memlane_unit_format (MEMLANE_UNIT_TIME, statistics->ci95_low, TRUE);
      g_autofree char *high = memlane_unit_format (MEMLANE_UNIT_TIME, statistics->ci95_high, TRUE);
      /* Translators: a 95 % interval: "10.2 µs to 10.9 µs". */
      g_autofree char *interval = g_strdup_printf (_("%s to %s"), low, high);

      g_string_append (html, "<td>");
      memlane_markup_append (html, interval);
      g_string_append (html, "</td>");
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
add_row (MemlaneReportPart *part, const MemlaneCell *cell)
{
  GString *html = part->html;
  const MemlaneFigure *elapsed = memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED);
  g_autofree char *label = memlane_chart_make_label (cell->mode, NULL);
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

void
memlane_report_add_medians (MemlaneReportPart *part)
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
  g_autofree char *title = memlane_chart_make_label (cell->mode, NULL);
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
add_item (GString *html, const char *text)
{
  g_string_append (html, "<li>");
  memlane_markup_append (html, text);
  g_string_append (html, "</li>\n");
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
  add_item (html, text->str);
}

void
memlane_report_add_counts (MemlaneReportPart *part)
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
  add_item (part->html, measured_text);
  if (noisy > 0)
    {
      noisy_text = g_strdup_printf (ngettext ("The elapsed time of %u cell is noisy: it is not known to the precision that was asked for.",
                                              "The elapsed times of %u cells are noisy: they are not known to the precision that was asked "
                                              "for.", noisy), noisy);
      add_item (part->html, noisy_text);
    }
  for (guint i = 0; i < MIN (reasons->len, MOST_REASONS); i++)
    add_reason (part->html, reasons->pdata[i]);
  if (reasons->len > MOST_REASONS)
    {
      guint more = reasons->len - MOST_REASONS;
      g_autofree char *text = g_strdup_printf (ngettext ("%u more reason: see the table", "%u more reasons: see the table", more), more);

      add_item (part->html, text);
    }
}
