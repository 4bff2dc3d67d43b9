/* timeline.c: a timeline from its birth to its end, and what others may know of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#define AIR 0.015           /* of the whole, at either end of a fit */
#define FARTHEST 9.0e15     /* ns: where a double still tells nanoseconds apart, a hundred days */
#define LONGEST_GHOST 1.5   /* a ghost bar that ends later, in ends of the trace, is cut */

/* --- time --------------------------------------------------------------------------------------------------------- */

static void
choose_range (MemlaneTimeline *self)
{
  double end = 0, air, from = self->range.from, to = self->range.to;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const MemlaneTimelinePart *part = &self->parts[i];
      double last = (double) memlane_trace_get_end (part->trace);

      if (part->has_bounds)
        last = MAX (last, MIN ((double) part->bounds.begin + part->bounds.serial, LONGEST_GHOST * last));
      end = MAX (end, last);
    }
  end = MAX (end, 1);
  air = MAX (AIR * end, 0.25);
  self->full_from = -air;
  self->full_to = end + air;
  if (!isfinite (from) || !isfinite (to))
    {
      from = self->full_from;
      to = self->full_to;
    }
  if (from > to)
    {
      double swapped = from;

      from = to;
      to = swapped;
    }
  from = CLAMP (from, -FARTHEST, FARTHEST - 1);
  to = CLAMP (to, -FARTHEST, FARTHEST);
  if (to - from < 1)
    {
      double middle = (from + to) / 2;

      from = middle - 0.5;
      to = from + 1;
    }
  self->from = from;
  self->to = to;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static void
clear_words (gpointer data)
{
  g_clear_object (&((MemlaneTimelineWords *) data)->layout);
}

void
memlane_timeline_free (MemlaneTimeline *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_parts; i++)
    {
      memlane_trace_unref (self->parts[i].trace);
      g_free (self->parts[i].title);
    }
  g_clear_pointer (&self->ticks, g_array_unref);
  g_array_unref (self->words);
  g_array_unref (self->lanes);
  g_array_unref (self->samples);
  g_array_unref (self->spans);
  g_array_unref (self->names);
  g_clear_object (&self->watermark);
  g_hash_table_unref (self->labels);
  g_object_unref (self->pango);
  g_free (self);
}

MemlaneTimeline *
memlane_timeline_new (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneTimelineRange *range, const MemlaneStyle *style,
                      double width, double height, PangoContext *pango)
{
  static const MemlaneTimelineRange fit = MEMLANE_TIMELINE_FIT;
  MemlaneTimeline *self = g_new0 (MemlaneTimeline, 1);
  g_autoptr (PangoLayout) probe = NULL;

  self->range = range != NULL ? *range : fit;
  self->n_parts = MIN (n_tracks, MEMLANE_TIMELINE_MOST_TRACKS);
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      part->trace = memlane_trace_ref (tracks[i].trace);
      part->title = tracks[i].title != NULL ? g_strdup (tracks[i].title) : memlane_timeline_plain_title (tracks[i].trace);
      part->has_bounds = memlane_trace_compute_bounds (part->trace, &part->bounds) && self->range.ghosts;
    }
  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->pango = g_object_ref (pango);
  self->words = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineWords));
  g_array_set_clear_func (self->words, clear_words);
  self->lanes = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineLane));
  self->samples = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineSpan));
  self->spans = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineSpan));
  self->names = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineName));
  self->text_scale = memlane_figure_text_scale (pango);
  self->style = memlane_figure_scale_style (style, self->width, self->height);
  self->em = self->style.text_size * self->text_scale;
  probe = memlane_timeline_make_words (self, 1, FALSE, "Åg");
  memlane_figure_measure_text (probe, NULL, &self->line);
  self->line = ceil (self->line);
  self->labels = memlane_timeline_labels_ref (self);
  self->pad = MIN (round (0.8 * self->em), floor (0.05 * MIN (self->width, self->height)));
  choose_range (self);
  return self;
}

double
memlane_timeline_time_at (const MemlaneTimeline *self, double x)
{
  return self->from + (x - self->area.x) / self->area.width * (self->to - self->from);
}

double
memlane_timeline_x_of (const MemlaneTimeline *self, double time)
{
  return self->area.x + (time - self->from) / (self->to - self->from) * self->area.width;
}

/* --- what others may know ----------------------------------------------------------------------------------------- */

const MemlaneRectangle *
memlane_timeline_get_area (const MemlaneTimeline *self)
{
  return &self->area;
}

void
memlane_timeline_get_range (const MemlaneTimeline *self, double *from, double *to)
{
  *from = self->from;
  *to = self->to;
}

void
memlane_timeline_get_full_range (const MemlaneTimeline *self, double *from, double *to)
{
  *from = self->full_from;
  *to = self->full_to;
}

double
memlane_timeline_get_scroll (const MemlaneTimeline *self, double *most)
{
  if (most != NULL)
    *most = self->most_scroll;
  return self->scroll;
}

guint
memlane_timeline_get_n_operations (const MemlaneTimeline *self)
{
  return self->n_operations;
}
