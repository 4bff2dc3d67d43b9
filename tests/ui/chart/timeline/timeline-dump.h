/* timeline-dump.h: a laid-out timeline as text, every lane, span (or fold) and label, one a line: for the goldens
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/timeline/timeline-layout.h"
#include "ui/chart/figure-dump.h"

static void
append_spans (GString *text, const char *word, const MemlaneTimeline *self, const GArray *spans)
{
  static const char *const hatches[] = { "plain", "top", "bottom", "both", "lines", "hatch", "dense", "dots", "dashes" };

  G_STATIC_ASSERT (G_N_ELEMENTS (hatches) == MEMLANE_N_HATCHES);
  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

      g_string_append_printf (text, "%s %d %d %d %d tint %u %s", word, span->x, span->y, span->width, span->height, span->tint,
                              hatches[span->hatch]);
      if (span->track < self->n_parts)
        {
          guint n;
          const MemlaneTrace *trace = self->parts[span->track].trace;
          const MemlaneTraceEvent *event = &memlane_trace_get_events (trace, &n)[span->event];

          g_string_append_printf (text, " track %u event %u \"%s\"", span->track, span->event, memlane_trace_get_name (trace, event->name));
        }
      if (span->folded)
        g_string_append_printf (text, " fold %u full %u/4", span->n, span->fullness + 1u);
      g_string_append_printf (text, "%s%s%s%s\n", span->instant ? " instant" : "", span->failed ? " failed" : "",
                              span->open_left ? " from-before" : "", span->open_right ? " goes-on" : "");
    }
}

/* (transfer full) */
static char *
dump_timeline (const MemlaneTimeline *self)
{
  static const char *const words[] = { "heading", "detail", "lane", "ghost", "bound" };
  GString *text = g_string_new (self->frame.style.name);

  g_string_append_c (text, '\n');
  append_frame (text, &self->frame, words);
  g_string_append (text, "range");
  append_number (text, self->seen.from);
  append_number (text, self->seen.to);
  g_string_append (text, "\nscroll");
  append_number (text, self->scroll);
  append_number (text, self->most_scroll);
  g_string_append (text, "\n");
  for (guint i = 0; i < self->ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);

      if (!tick->major)
        continue;
      g_string_append (text, "tick");
      append_number (text, memlane_timeline_x_of (self, tick->value));
      g_string_append_printf (text, " \"%s\"\n", tick->label != NULL ? tick->label : "");
    }
  append_spans (text, "sample", self, self->samples);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const MemlaneTimelineLane *lane = &g_array_index (self->lanes, MemlaneTimelineLane, i);

      g_string_append_printf (text, "lane-bed %u.%u", lane->track, lane->lane);
      append_number (text, lane->y);
      append_number (text, lane->height);
      g_string_append_printf (text, " rows %u\n", lane->n_rows);
    }
  append_spans (text, "span", self, self->spans);
  for (guint i = 0; i < self->names->len; i++)
    {
      const MemlaneSpanName *name = &g_array_index (self->names, MemlaneSpanName, i);

      g_string_append (text, "name");
      append_number (text, name->x);
      append_number (text, name->y);
      append_number (text, name->width);
      g_string_append_printf (text, " \"%s\"%s\n", pango_layout_get_text (name->layout),
                              pango_layout_is_ellipsized (name->layout) ? " cut" : "");
    }
  return g_string_free (text, FALSE);
}
