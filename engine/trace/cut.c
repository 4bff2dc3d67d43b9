/* cut.c: the part of a trace that lies within named ranges
 *
 * SPDX-License-Identifier: MIT
 */
#include "cut.h"

#include "base/each.h"
#include "base/fail.h"
#include "builder.h"

#define MOST_NAMES 8 /* that a refusal lists */

typedef struct
{
  gint64 begin, end;
} Range;

static gboolean
refuse (const MemlaneTrace *trace, const char *name, GError **error)
{
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n && g_hash_table_size (met) < MOST_NAMES; i++)
    if (events[i].kind == MEMLANE_TRACE_OTHER && g_hash_table_add (met, GUINT_TO_POINTER (events[i].name)))
      g_string_append_printf (names, "%s%.60s", names->len > 0 ? ", " : "", memlane_trace_get_name (trace, events[i].name));
  return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "found no range \"%s\" in the trace%s%s", name,
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

      if (events[i].kind != MEMLANE_TRACE_OTHER || !g_pattern_match_simple (name, memlane_trace_get_name (trace, events[i].name)))
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
      event.name = memlane_trace_builder_intern (builder, memlane_trace_get_name (trace, event.name), -1);
      if (!memlane_trace_builder_add (builder, &event, error))
        return NULL;
    }
  return memlane_trace_builder_finish (g_steal_pointer (&builder), error);
}
