/* summary.c: a trace as the table that nvprof printed; what lies in a part of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/words.h"
#include "builder.h"

MEMLANE_DEFINE_NAMES (memlane_summary_section_name, MemlaneSummarySection,
                      MEMLANE_SUMMARY_N_SECTIONS, "GPU activities", "Unified memory",
                      "API calls")

/* The section of each kind of event, + 1; 0: it stands in none. */
static const guint8 sections[MEMLANE_TRACE_N_KINDS] = {
  [MEMLANE_TRACE_COPY] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,
  [MEMLANE_TRACE_MEMSET] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,
  [MEMLANE_TRACE_KERNEL] = 1 + MEMLANE_SUMMARY_GPU_ACTIVITIES,
  [MEMLANE_TRACE_MIGRATION] = 1 + MEMLANE_SUMMARY_UNIFIED_MEMORY,
  [MEMLANE_TRACE_FAULT] = 1 + MEMLANE_SUMMARY_UNIFIED_MEMORY,
  [MEMLANE_TRACE_CALL] = 1 + MEMLANE_SUMMARY_API_CALLS,
};

MEMLANE_DEFINE_ORDER (compare_rows, MemlaneSummaryRow,
                      RISING (section)
                          FALLING (total) return strcmp (one->name, other->name);)

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
memlane_trace_sum (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way,
                   const char *prefix)
{
  MemlaneTraceSum sum = { 0 };
  guint n;
  const MemlaneTraceEvent *event = memlane_trace_get_events (trace, &n);

  for (; n > 0; n--, event++)
    if (event->kind == kind && (way == MEMLANE_TRACE_N_WAYS || event->way == way)
        && g_str_has_prefix (memlane_trace_get_name (trace, event->name), prefix))
      sum = (MemlaneTraceSum) { sum.events + 1, sum.ns + (double) event->duration,
                               sum.bytes + (double) event->bytes,
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
  /* row + 1 of (section, name) */
  g_autofree guint *places = g_new0 (guint, (gsize) names * MEMLANE_SUMMARY_N_SECTIONS + 1);
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
          const MemlaneSummaryRow row = { .section = section,
                                          .name = memlane_trace_get_name (trace, events[i].name) };

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
                   unit == 2         ? (value < 10 ? "%.5f" : "%.4f")
                   : value < 9.99995 ? "%.4f"
                   : value < 99.9995 ? "%.3f"
                                     : "%.2f",
                   value);
  return g_strconcat (number, units[unit].unit, NULL);
}

char *
memlane_trace_summary_to_text (const MemlaneTrace *trace)
{
  g_autoptr (GArray) rows = memlane_trace_summarize (trace);
  GString *text = g_string_new (NULL);
  int last = -1;

  g_string_append_printf (text, "%15s  %7s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %s\n", "Type",
                          "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Median", "StdDev",
                          "Name");
  MEMLANE_FOR_EACH_IN (const MemlaneSummaryRow, row, rows)
    {
      const double times[] = { row->total,   row->average, row->minimum,
                               row->maximum, row->median,  row->deviation };
      char percent[G_ASCII_DTOSTR_BUF_SIZE];

      if ((int) row->section != last)
        g_string_append_printf (text, "%15s:", memlane_summary_section_name (row->section));
      else
        g_string_append_printf (text, "%16s", "");
      last = (int) row->section;
      g_string_append_printf (text, " %6s%%",
                              g_ascii_formatd (percent, sizeof percent, "%.2f", row->percent));
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

/* --- what lies in a part of a trace ----------------------------------------------------------- */

#define FARTHEST 9.0e18 /* ns that a gint64 holds */

/* Busy times, one counter each; overlapping events count once. */
typedef enum
{
  BUSY_UP = MEMLANE_TRACE_ENGINE_UP,
  BUSY_KERNEL = MEMLANE_TRACE_ENGINE_KERNEL,
  BUSY_DOWN = MEMLANE_TRACE_ENGINE_DOWN,
  BUSY_MIGRATION,
  BUSY_DEVICE,
  BUSY_HOST,
  N_BUSY
} Busy;

typedef struct
{
  const MemlaneTraceEvent *events;
  double from, to;
  double until[N_BUSY], busy[N_BUSY];
  double reached, overlapped;
  double up, down, inside;             /* bytes */
  guint n;
} Sum;

/* Up to @time, the start of the next event, the engines go on as they were left. */
static void
advance (Sum *sum, double time)
{
  double a = sum->until[BUSY_UP], b = sum->until[BUSY_DOWN], c = sum->until[BUSY_KERNEL];
  double second = MAX (MIN (a, b), MIN (MAX (a, b), c)); /* two of them are busy until then */

  if (time <= sum->reached)
    return;
  sum->overlapped += MAX (MIN (second, time) - sum->reached, 0);
  sum->reached = time;
}

static void
occupy (Sum *sum, Busy busy, double start, double end)
{
  if (end > sum->until[busy])
    {
      sum->busy[busy] += end - MAX (start, sum->until[busy]);
      sum->until[busy] = end;
    }
}

static void
add_bytes (Sum *sum, const MemlaneTraceEvent *event, double start, double end)
{
  double bytes = (double) event->bytes
                 * (event->duration > 0 ? (end - start) / (double) event->duration : 1);

  if (event->kind != MEMLANE_TRACE_COPY && event->kind != MEMLANE_TRACE_MIGRATION)
    return;
  if (event->way == MEMLANE_TRACE_WAY_TO_DEVICE)
    sum->up += bytes;
  else if (event->way == MEMLANE_TRACE_WAY_TO_HOST)
    sum->down += bytes;
  else if (event->way != MEMLANE_TRACE_WAY_ON_HOST)
    sum->inside += bytes;
}

/* Events come in the order of what is left of them: by MAX (start, from). */
static void
add_event (Sum *sum, guint id)
{
  const MemlaneTraceEvent *event = &sum->events[id];
  double start = MAX ((double) event->start, sum->from),
         end = MIN ((double) (event->start + event->duration), sum->to);
  MemlaneTraceEngine engine = memlane_trace_engine_of (event);

  if (event->kind == MEMLANE_TRACE_PHASE)
    return;
  sum->n++;
  advance (sum, start);
  add_bytes (sum, event, start, end);
  if (engine != MEMLANE_TRACE_ENGINE_NONE)
    occupy (sum, (Busy) engine, start, end);
  if (event->kind == MEMLANE_TRACE_MIGRATION)
    occupy (sum, BUSY_MIGRATION, start, end);
  if (memlane_trace_event_is_operation (event) || event->kind == MEMLANE_TRACE_MIGRATION)
    occupy (sum, BUSY_DEVICE, start, end);
  if (event->kind == MEMLANE_TRACE_CALL || event->kind == MEMLANE_TRACE_HOST)
    occupy (sum, BUSY_HOST, start, end);
}

void
memlane_trace_measure_span (const MemlaneTrace *trace, double from, double to,
                            MemlaneTraceSpan *span)
{
  guint n;
  Sum sum = { .events = memlane_trace_get_events (trace, &n) };

  memset (span, 0, sizeof *span);
  if (isnan (from) || isnan (to))
    return;
  sum.from = CLAMP (MIN (from, to), -FARTHEST, FARTHEST);
  sum.to = CLAMP (MAX (from, to), -FARTHEST, FARTHEST);
  sum.reached = sum.from;
  for (guint i = 0; i < N_BUSY; i++)
    sum.until[i] = -INFINITY;
  for (guint i = 0; i < n && (double) sum.events[i].start <= sum.to; i++)
    if ((double) (sum.events[i].start + sum.events[i].duration) >= sum.from)
      add_event (&sum, i);
  advance (&sum, sum.to);
  span->duration = sum.to - sum.from;
  span->bytes_up = (guint64) (sum.up + 0.5);
  span->bytes_down = (guint64) (sum.down + 0.5);
  span->bytes_inside = (guint64) (sum.inside + 0.5);
  span->host = sum.busy[BUSY_HOST];
  span->up = sum.busy[BUSY_UP];
  span->down = sum.busy[BUSY_DOWN];
  span->kernel = sum.busy[BUSY_KERNEL];
  span->migration = sum.busy[BUSY_MIGRATION];
  span->device = sum.busy[BUSY_DEVICE];
  span->overlapped = sum.overlapped;
  span->n_events = sum.n;
}

/* --- the part within named ranges ------------------------------------------------------------- */

#define MOST_NAMES 8 /* that a refusal lists */

typedef struct
{
  gint64 begin, end;
} Range;

static gboolean
refuse (const MemlaneTrace *trace, const char *name, GError **error)
{
  g_autoptr (GHashTable) met = g_hash_table_new (memlane_hash_number, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n && g_hash_table_size (met) < MOST_NAMES; i++)
    if (events[i].kind == MEMLANE_TRACE_OTHER
        && g_hash_table_add (met, GUINT_TO_POINTER (events[i].name)))
      g_string_append_printf (names, "%s%.60s", names->len > 0 ? ", " : "",
                              memlane_trace_get_name (trace, events[i].name));
  return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                       "found no range \"%s\" in the trace%s%s", name,
                       names->len > 0 ? ", expected one of: " : ", which has none", names->str);
}

/* (transfer full) (element-type Range): in time's order, none touching another. */
static GArray *
find_ranges (const MemlaneTrace *trace, const char *name)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      Range range = { events[i].start, events[i].start + events[i].duration };
      Range *last = ranges->len > 0 ? &g_array_index (ranges, Range, ranges->len - 1) : NULL;

      if (events[i].kind != MEMLANE_TRACE_OTHER
          || !g_pattern_match_simple (name, memlane_trace_get_name (trace, events[i].name)))
        continue;
      if (last != NULL && range.begin <= last->end)
        last->end = MAX (last->end, range.end);
      else
        g_array_append_val (ranges, range);
    }
  return ranges;
}

/* (transfer full): with all that is known of @trace besides its events. */
static MemlaneTraceBuilder *
begin (const MemlaneTrace *trace, const char *name)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  const MemlaneTraceInfo *from = memlane_trace_get_info (trace);
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n);
  const MemlaneTraceLane *lanes;

#define X(member) info->member = g_strdup (from->member);
  MEMLANE_TRACE_INFO_TEXTS (X)
#undef X
#define X(member) info->member = from->member;
  MEMLANE_TRACE_INFO_NUMBERS (X)
#undef X
  info->simulated = from->simulated;
  g_free (info->range);
  info->range = g_strdup (name);
  MEMLANE_FOR_EACH (const char, note, from->notes)
    memlane_trace_builder_add_note (builder, "%s", note);
  for (guint i = 0; i < n; i++)
    memlane_trace_builder_add_stream (builder, &streams[i]);
  lanes = memlane_trace_get_lanes (trace, &n);
  for (guint i = 0; i < n; i++)
    if (lanes[i].kind == MEMLANE_TRACE_LANE_OTHER)
      memlane_trace_builder_name_track (builder, lanes[i].stream, lanes[i].title);
  return builder;
}

MemlaneTrace *
memlane_trace_cut (const MemlaneTrace *trace, const char *name, GError **error)
{
  g_autoptr (GArray) ranges = find_ranges (trace, name);
  g_autoptr (MemlaneTraceBuilder) builder = NULL;
  guint n, at = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  if (ranges->len == 0)
    return refuse (trace, name, error), NULL;
  builder = begin (trace, name);
  for (guint i = 0; i < n; i++)
    {
      MemlaneTraceEvent event = events[i];
      gint64 end = event.start + event.duration;
      const Range *range;

      while (at + 1 < ranges->len && g_array_index (ranges, Range, at).end <= event.start)
        at++;
      range = &g_array_index (ranges, Range, at);
      if (event.start >= range->end || (end <= range->begin && event.start < range->begin))
        continue;
      event.start = MAX (event.start, range->begin);
      event.duration = MAX (MIN (end, range->end) - event.start, 0);
      event.name = memlane_trace_builder_intern (builder,
                                                 memlane_trace_get_name (trace, event.name), -1);
      if (!memlane_trace_builder_add (builder, &event, error))
        return NULL;
    }
  return memlane_trace_builder_finish (g_steal_pointer (&builder), error);
}
