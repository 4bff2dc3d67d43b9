/* timeline-legend.c: what the colours and patterns mean: only what occurs
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#include <glib/gi18n-lib.h>

#define MOST_ENTRIES 24

typedef struct
{
  guint8 tint, hatch;
  gboolean failed;
  char *text; /* owned */
} Entry;

typedef struct
{
  Entry entries[MOST_ENTRIES];
  guint n;
} Entries;

static void
add (Entries *entries, guint8 tint, guint8 hatch, gboolean failed, char *text)
{
  if (entries->n < MOST_ENTRIES)
    entries->entries[entries->n++] = (Entry){ tint, hatch, failed, text };
  else
    g_free (text);
}

/* Whether any of the traces has a lane of this kind. */
static gboolean
has_lane (const MemlaneTimeline *self, MemlaneTraceLaneKind kind)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      guint n;
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->parts[i].trace, &n);

      for (guint j = 0; j < n && lanes[j].kind <= kind; j++)
        if (lanes[j].kind == kind)
          return TRUE;
    }
  return FALSE;
}

static guint
count (const MemlaneTimeline *self, MemlaneTraceKind kind, guint8 *flags)
{
  guint n = 0;

  *flags = 0;
  for (guint i = 0; i < self->n_parts; i++)
    {
      guint8 own;

      n += memlane_trace_count_kind (self->parts[i].trace, kind, &own);
      *flags |= own;
    }
  return n;
}

static void
add_kinds (const MemlaneTimeline *self, Entries *entries)
{
  gboolean by_stream = self->range.colours == MEMLANE_TIMELINE_BY_STREAM;
  guint8 flags;

  if (!by_stream && count (self, MEMLANE_TRACE_CALL, &flags) > 0)
    add (entries, MEMLANE_TINT_CALL, MEMLANE_HATCH_PLAIN, FALSE, g_strdup (_("CUDA call")));
  if (count (self, MEMLANE_TRACE_HOST, &flags) > 0)
    add (entries, MEMLANE_TINT_HOST, MEMLANE_HATCH_PLAIN, FALSE, g_strdup (_("host’s own work")));
  if (count (self, MEMLANE_TRACE_SYNCHRONISATION, &flags) > 0)
    {
      add (entries, MEMLANE_TINT_WAIT, MEMLANE_HATCH_DIAGONAL, FALSE, g_strdup (_("wait")));
      if ((flags & MEMLANE_TRACE_IMPLICIT) != 0)
        add (entries, MEMLANE_TINT_WAIT, MEMLANE_HATCH_DENSE, FALSE, g_strdup (_("implicit wait")));
    }
  if (!by_stream && count (self, MEMLANE_TRACE_STAGING, &flags) > 0)
    add (entries, MEMLANE_TINT_STAGING, MEMLANE_HATCH_DASHES, FALSE, g_strdup (_("driver’s staging copy")));
  if (by_stream)
    return;
  if (has_lane (self, MEMLANE_TRACE_LANE_COPY_UP))
    add (entries, MEMLANE_TINT_UP, MEMLANE_HATCH_TOP, FALSE, g_strdup (_("copy to device")));
  if (has_lane (self, MEMLANE_TRACE_LANE_COPY_DOWN))
    add (entries, MEMLANE_TINT_DOWN, MEMLANE_HATCH_BOTTOM, FALSE, g_strdup (_("copy to host")));
  if (has_lane (self, MEMLANE_TRACE_LANE_COPY_INSIDE))
    add (entries, MEMLANE_TINT_INSIDE, MEMLANE_HATCH_MIDDLE, FALSE, g_strdup (_("copy on device")));
  if (count (self, MEMLANE_TRACE_COPY, &flags) > 0 && (flags & MEMLANE_TRACE_STAGED) != 0)
    add (entries, MEMLANE_TINT_UP, MEMLANE_HATCH_DASHES, FALSE, g_strdup (_("staged")));
  if (count (self, MEMLANE_TRACE_MEMSET, &flags) > 0)
    add (entries, MEMLANE_TINT_MEMSET, MEMLANE_HATCH_MIDDLE, FALSE, g_strdup (_("memset")));
  if (count (self, MEMLANE_TRACE_KERNEL, &flags) > 0)
    add (entries, MEMLANE_TINT_KERNEL, MEMLANE_HATCH_PLAIN, FALSE, g_strdup (_("kernel")));
  if (count (self, MEMLANE_TRACE_MIGRATION, &flags) > 0)
    add (entries, MEMLANE_TINT_MIGRATION, MEMLANE_HATCH_LINES, FALSE, g_strdup (_("migration of pages")));
  if (count (self, MEMLANE_TRACE_FAULT, &flags) > 0)
    add (entries, MEMLANE_TINT_FAULT, MEMLANE_HATCH_DOTS, FALSE, g_strdup (_("page faults")));
  if (count (self, MEMLANE_TRACE_HOST_FUNCTION, &flags) > 0)
    add (entries, MEMLANE_TINT_HOST_FUNCTION, MEMLANE_HATCH_PLAIN, FALSE, g_strdup (_("host function")));
  if (count (self, MEMLANE_TRACE_OTHER, &flags) > 0)
    add (entries, MEMLANE_TINT_OTHER, MEMLANE_HATCH_PLAIN, FALSE, g_strdup (_("other")));
}

/* The first track's streams; the second one's are called the same where they are the same. */
static void
add_streams (const MemlaneTimeline *self, Entries *entries)
{
  for (guint i = 0; i < MIN (self->n_parts, 1); i++)
    {
      guint n;
      const MemlaneTraceStream *streams = memlane_trace_get_streams (self->parts[i].trace, &n);

      for (guint j = 0; j < MIN (n, 8); j++)
        add (entries, memlane_timeline_stream_tint (self->parts[i].trace, streams[j].number), MEMLANE_HATCH_PLAIN, FALSE,
             g_strdup_printf (_("stream %u"), streams[j].number));
    }
}

static gboolean
has_failed (const MemlaneTimeline *self)
{
  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS; kind++)
    {
      guint8 flags;

      count (self, kind, &flags);
      if ((flags & MEMLANE_TRACE_FAILED) != 0)
        return TRUE;
    }
  return FALSE;
}

double
memlane_timeline_place_legend (MemlaneTimeline *self, double x, double y, double width, guint most_rows, gboolean place)
{
  Entries entries = { .n = 0 };
  double left = x, pitch = round (1.35 * self->line), sample_width = round (1.9 * self->em), sample_height = round (1.05 * self->em);
  double gap = round (0.5 * self->em), between = round (1.5 * self->em);
  guint row = 0;

  add_kinds (self, &entries);
  if (self->range.colours == MEMLANE_TIMELINE_BY_STREAM)
    add_streams (self, &entries);
  if (has_failed (self))
    add (&entries, MEMLANE_TINT_CALL, MEMLANE_HATCH_PLAIN, TRUE, g_strdup (_("failed")));
  for (guint i = 0; i < entries.n; i++)
    {
      const Entry *entry = &entries.entries[i];
      double words_width = ceil (memlane_timeline_label_width (memlane_timeline_label_get (self, entry->text))), height;

      if (left > x && left + sample_width + gap + words_width > x + width)
        {
          left = x;
          row++;
        }
      if (row >= most_rows)
        {
          row = most_rows - 1;
          break;
        }
      if (place)
        {
          MemlaneTimelineSpan sample = { .x = (int) left, .y = (int) (y + row * pitch + floor ((pitch - sample_height) / 2)),
                                         .width = (int) sample_width, .height = (int) sample_height, .tint = entry->tint,
                                         .hatch = entry->hatch, .fullness = MEMLANE_TIMELINE_FULL, .failed = entry->failed, .n = 1,
                                         .track = G_MAXUINT, .event = MEMLANE_TRACE_NONE };
          PangoLayout *words = memlane_timeline_make_words (self, 1, FALSE, entry->text);

          memlane_figure_limit_text (words, MAX (x + width - left - sample_width - gap, 1));
          memlane_figure_measure_text (words, NULL, &height);
          g_array_append_val (self->samples, sample);
          memlane_timeline_place_words (self, MEMLANE_WORDS_LEGEND, words, left + sample_width + gap,
                                        y + row * pitch + floor ((pitch - height) / 2), &self->style.text);
        }
      left += sample_width + gap + words_width + between;
    }
  for (guint i = 0; i < entries.n; i++)
    g_free (entries.entries[i].text);
  return entries.n > 0 ? (row + 1) * pitch : 0;
}
