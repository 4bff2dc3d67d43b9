/* summary.c: a trace as the table that nvprof printed
 *
 * SPDX-License-Identifier: MIT
 */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/words.h"

MEMLANE_DEFINE_NAMES (memlane_summary_section_name, MemlaneSummarySection, MEMLANE_SUMMARY_N_SECTIONS, "GPU activities", "Unified memory",
                      "API calls")

/* The section of each kind of event, + 1; 0: it stands in none. */
static const guint8 sections[MEMLANE_TRACE_N_KINDS] = {
  [MEMLANE_TRACE_COPY] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,      [MEMLANE_TRACE_MEMSET] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,
  [MEMLANE_TRACE_KERNEL] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,    [MEMLANE_TRACE_MIGRATION] = 1 + MEMLANE_SUMMARY_UNIFIED_MEMORY,
  [MEMLANE_TRACE_FAULT] = 1 + MEMLANE_SUMMARY_UNIFIED_MEMORY,     [MEMLANE_TRACE_CALL] = 1 + MEMLANE_SUMMARY_API_CALLS,
};

MEMLANE_DEFINE_ORDER (compare_rows, MemlaneSummaryRow, RISING (section) FALLING (total) return strcmp (one->name, other->name);)

static void
compute_row (MemlaneSummaryRow *row, GArray *durations)
{
  const double *values = (const double *) (gpointer) durations->data;
  guint n = durations->len;
  double squares = 0;

  g_array_sort (durations, memlane_compare_doubles);
  row->calls = n;
  for (guint i = 0; i < n; i++)
    row->total += values[i];
  row->average = row->total / n;
  row->minimum = values[0];
  row->maximum = values[n - 1];
  row->median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  for (guint i = 0; i < n; i++)
    squares += (values[i] - row->average) * (values[i] - row->average);
  row->deviation = n > 1 ? sqrt (squares / (n - 1)) : 0;
}

MemlaneTraceSum
memlane_trace_sum (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way, const char *prefix)
{
  MemlaneTraceSum sum = { 0 };
  guint n;
  const MemlaneTraceEvent *event = memlane_trace_get_events (trace, &n);

  for (; n > 0; n--, event++)
    if (event->kind == kind && (way == MEMLANE_TRACE_N_WAYS || event->way == way)
        && g_str_has_prefix (memlane_trace_get_name (trace, event->name), prefix))
      sum = (MemlaneTraceSum) { sum.events + 1, sum.ns + (double) event->duration, sum.bytes + (double) event->bytes,
                                sum.faults + MAX (1, event->count) };
  return sum;
}

GArray *
memlane_trace_summarize (const MemlaneTrace *trace)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (MemlaneSummaryRow));
  g_autoptr (GPtrArray) durations = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint n, names = memlane_trace_get_n_names (trace);
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  g_autofree guint *places = g_new0 (guint, (gsize) names * MEMLANE_SUMMARY_N_SECTIONS + 1); /* row + 1 of (section, name) */
  double totals[MEMLANE_SUMMARY_N_SECTIONS] = { 0 };

  for (guint i = 0; i < n; i++)
    {
      guint section = sections[MIN (events[i].kind, MEMLANE_TRACE_OTHER)];
      double duration = (double) events[i].duration;
      guint *place;

      if (section-- == 0)
        continue;
      place = &places[(gsize) section * names + events[i].name];
      if (*place == 0)
        {
          const MemlaneSummaryRow row = { .section = section, .name = memlane_trace_get_name (trace, events[i].name) };

          g_array_append_val (rows, row);
          g_ptr_array_add (durations, g_array_new (FALSE, FALSE, sizeof (double)));
          *place = rows->len;
        }
      g_array_index (rows, MemlaneSummaryRow, *place - 1).bytes += events[i].bytes;
      g_array_append_val ((GArray *) durations->pdata[*place - 1], duration);
    }
  for (guint i = 0; i < rows->len; i++)
    {
      MemlaneSummaryRow *row = &g_array_index (rows, MemlaneSummaryRow, i);

      compute_row (row, durations->pdata[i]);
      totals[row->section] += row->total;
    }
  MEMLANE_FOR_EACH_IN (MemlaneSummaryRow, row, rows)
    row->percent = totals[row->section] > 0 ? row->total / totals[row->section] * 100 : 0;
  g_array_sort (rows, compare_rows);
  return rows;
}

char *
memlane_summary_format_time (double ns)
{
  static const struct
  {
    double ns;
    const char *unit;
  } units[] = { { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  guint unit = 0;
  double value;

  if (ns < 999.5)
    return g_strdup_printf ("%.0fns", ns);
  /* Rounding may need the next unit: 999.999 us are 1.0000 ms. */
  while (unit + 1 < G_N_ELEMENTS (units) && ns / units[unit].ns >= 999.995)
    unit++;
  value = ns / units[unit].ns;
  g_ascii_formatd (number, sizeof number,
                   unit == 2 ? (value < 10 ? "%.5f" : "%.4f") : value < 9.99995 ? "%.4f" : value < 99.9995 ? "%.3f" : "%.2f", value);
  return g_strconcat (number, units[unit].unit, NULL);
}

char *
memlane_trace_summary_to_text (const MemlaneTrace *trace)
{
  g_autoptr (GArray) rows = memlane_trace_summarize (trace);
  GString *text = g_string_new (NULL);
  int last = -1;

  g_string_append_printf (text, "%15s  %7s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %s\n", "Type", "Time(%)", "Time", "Calls", "Avg", "Min",
                          "Max", "Median", "StdDev", "Name");
  MEMLANE_FOR_EACH_IN (const MemlaneSummaryRow, row, rows)
    {
      const double times[] = { row->total, row->average, row->minimum, row->maximum, row->median, row->deviation };
      char percent[G_ASCII_DTOSTR_BUF_SIZE];

      if ((int) row->section != last)
        g_string_append_printf (text, "%15s:", memlane_summary_section_name (row->section));
      else
        g_string_append_printf (text, "%16s", "");
      last = (int) row->section;
      g_string_append_printf (text, " %6s%%", g_ascii_formatd (percent, sizeof percent, "%.2f", row->percent));
      for (guint k = 0; k < G_N_ELEMENTS (times); k++)
        {
          g_autofree char *time = memlane_summary_format_time (times[k]);

          g_string_append_printf (text, "  %8s", time);
          if (k == 0)
            g_string_append_printf (text, "  %8u", row->calls);
        }
      g_string_append_printf (text, "  %s\n", row->name);
    }
  if (rows->len == 0)
    g_string_append_printf (text, "%15s\n", "no activity");
  return g_string_free (text, FALSE);
}
