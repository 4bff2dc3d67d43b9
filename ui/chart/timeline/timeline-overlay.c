/* timeline-overlay.c: what follows the pointer: lit events, tooltip, ring, measured span, playing cursor
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#include <string.h>

#define SPAN_ALPHA 0.14
#define MOST_LIT 64       /* events that share a correlation */
#define MOST_MARKED 20000 /* events of a finding that are looked at in a frame */

static void
clip_to_area (const MemlaneTimeline *self, cairo_t *cr)
{
  cairo_rectangle (cr, self->area.x, self->area.y, self->area.width, self->area.height);
  cairo_clip (cr);
}

/* The event's rectangle in whole pixels, its far ends cut; FALSE: it is not in sight. */
static gboolean
place (const MemlaneTimeline *self, MemlaneTimelineEvent event, MemlaneRectangle *area)
{
  double left, right;

  if (!memlane_timeline_place_event (self, event, area))
    return FALSE;
  left = round (MAX (area->x, self->area.x - 8));
  right = round (MIN (area->x + area->width, self->area.x + self->area.width + 8));
  area->x = left;
  area->width = MAX (right - left, 2);
  area->y = round (area->y);
  return TRUE;
}

static void
ring (const MemlaneTimeline *self, cairo_t *cr, const MemlaneRectangle *area, double width, const MemlaneColor *color)
{
  MemlaneRectangle around = { area->x - width / 2, area->y - width / 2, area->width + width, area->height + width };

  cairo_new_path (cr);
  memlane_figure_add_round (cr, &around, memlane_timeline_corner (self, area->width, area->height) + width / 2);
  cairo_set_line_width (cr, width + 2);
  memlane_color_set (cr, &self->style.halo);
  cairo_stroke_preserve (cr);
  cairo_set_line_width (cr, width);
  memlane_color_set (cr, color);
  cairo_stroke (cr);
}

/* --- lit: the event and all that share its correlation ------------------------------------------------------------ */

static void
draw_lit (const MemlaneTimeline *self, cairo_t *cr, MemlaneTimelineEvent event)
{
  const MemlaneTrace *trace;
  const guint32 *ids;
  guint n, n_events;
  const MemlaneTraceEvent *events;
  MemlaneRectangle own, other;
  double width = MAX (round (0.14 * self->em), 1);
  gboolean seen;

  if (event.track >= self->n_parts)
    return;
  trace = self->parts[event.track].trace;
  events = memlane_trace_get_events (trace, &n_events);
  if (event.event >= n_events)
    return;
  seen = place (self, event, &own);
  ids = memlane_trace_get_correlated (trace, events[event.event].correlation, &n);
  for (guint i = 0; i < MIN (n, MOST_LIT); i++)
    {
      const MemlaneTimelineEvent one = { event.track, ids[i] };

      if (ids[i] == event.event || !place (self, one, &other))
        continue;
      if (seen)
        {
          /* From the edge of one to the edge of the other, straight down and across where they stand apart. */
          double from = own.x + MIN (own.width / 2, self->em), to = other.x + MIN (other.width / 2, self->em);
          gboolean down = other.y > own.y;

          cairo_new_path (cr);
          cairo_move_to (cr, from, down ? own.y + own.height : own.y);
          cairo_line_to (cr, to, down ? other.y : other.y + other.height);
          cairo_set_line_width (cr, width + 2);
          memlane_color_set (cr, &self->style.halo);
          cairo_stroke_preserve (cr);
          cairo_set_line_width (cr, width);
          memlane_color_set (cr, &self->style.crosshair);
          cairo_stroke (cr);
        }
      ring (self, cr, &other, width, &self->style.crosshair);
    }
  if (seen)
    ring (self, cr, &own, 2 * width, &self->style.crosshair);
}

/* --- what a finding means ----------------------------------------------------------------------------------------- */

static guint
first_from (const MemlaneTraceEvent *events, const guint32 *ids, guint n, double time)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if ((double) events[ids[middle]].start < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
draw_marked (const MemlaneTimeline *self, cairo_t *cr, const MemlaneTimelineOverlay *overlay)
{
  const MemlaneTraceEvent *events;
  guint n, first, last, step;
  double edge = MAX (round (0.18 * self->em), 2);

  if (overlay->marked == NULL || overlay->n_marked == 0 || overlay->marked_track >= self->n_parts)
    return;
  events = memlane_trace_get_events (self->parts[overlay->marked_track].trace, &n);
  if (overlay->marked[overlay->n_marked - 1] >= n)
    return;
  /* Those that began before what is seen may reach into it: the first MOST_MARKED of them are looked at too. */
  first = first_from (events, overlay->marked, overlay->n_marked, self->from);
  last = first_from (events, overlay->marked, overlay->n_marked, self->to);
  first = first > MOST_MARKED ? first - MOST_MARKED : 0;
  step = (last - first) / MOST_MARKED + 1;
  cairo_new_path (cr);
  for (guint i = first; i < last; i += step)
    {
      const MemlaneTimelineEvent one = { overlay->marked_track, overlay->marked[i] };
      MemlaneRectangle area;

      if (!place (self, one, &area))
        continue;
      cairo_rectangle (cr, area.x, area.y - edge, area.width, edge);
      cairo_rectangle (cr, area.x, area.y + area.height, area.width, edge);
    }
  memlane_color_set (cr, &self->style.ceiling);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_fill (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- tags: words on a ground of their own ------------------------------------------------------------------------- */

static void
draw_tag (const MemlaneTimeline *self, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = memlane_timeline_make_words (self, 1, FALSE, text);
  double width, height, pad = 0.4 * self->em;

  memlane_figure_measure_text (layout, &width, &height);
  x = round (CLAMP (x - width / 2, 2 * pad, MAX (self->width - width - 2 * pad, 2 * pad)));
  cairo_new_path (cr);
  memlane_figure_add_round (cr, &(MemlaneRectangle){ x - pad, y, width + 2 * pad, height + 2 }, 3);
  memlane_color_set (cr, &self->style.crosshair);
  cairo_fill (cr);
  cairo_move_to (cr, x, y + 1);
  memlane_color_set (cr, &self->style.background);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

static void
draw_tooltip (const MemlaneTimeline *self, cairo_t *cr, const MemlaneTimelineOverlay *overlay)
{
  g_autofree char *text = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  PangoAttrList *attributes;
  PangoAttribute *bold;
  double width, height, pad = round (0.7 * self->em), x, y, away = round (1.2 * self->em);
  MemlaneColor ground = memlane_color_mix (self->style.background, self->style.text, self->style.dark ? 0.12 : 0.02);
  const char *end;

  if (!overlay->has_tooltip || overlay->hovered.track >= self->n_parts || overlay->hovered.event == MEMLANE_TRACE_NONE)
    return;
  text = memlane_timeline_describe_event (self->parts[overlay->hovered.track].trace, overlay->hovered.event);
  if (*text == '\0')
    return;
  layout = memlane_timeline_make_words (self, 1, FALSE, text);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  attributes = pango_attr_list_new ();
  bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  end = strchr (text, '\n');
  bold->end_index = end != NULL ? (guint) (end - text) : G_MAXUINT;
  pango_attr_list_insert (attributes, bold);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  memlane_figure_measure_text (layout, &width, &height);
  if (width > self->width - 4 * pad)
    {
      pango_layout_set_width (layout, (int) (MAX (self->width - 4 * pad, 1) * PANGO_SCALE));
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      memlane_figure_measure_text (layout, &width, &height);
    }
  /* Below and to the right of the pointer; on the other side where there is no room. */
  x = overlay->pointer_x + away;
  if (x + width + 2 * pad > self->width)
    x = overlay->pointer_x - away - width - 2 * pad;
  y = overlay->pointer_y + away;
  if (y + height + 2 * pad > self->height)
    y = overlay->pointer_y - away - height - 2 * pad;
  x = round (CLAMP (x, 1, MAX (self->width - width - 2 * pad - 1, 1)));
  y = round (CLAMP (y, 1, MAX (self->height - height - 2 * pad - 1, 1)));
  cairo_new_path (cr);
  memlane_figure_add_round (cr, &(MemlaneRectangle){ x + 0.5, y + 0.5, ceil (width + 2 * pad), ceil (height + 2 * pad) },
                            round (0.5 * self->em));
  memlane_color_set (cr, &ground);
  cairo_fill_preserve (cr);
  cairo_set_line_width (cr, 1);
  memlane_color_set (cr, &self->style.axis);
  cairo_stroke (cr);
  cairo_move_to (cr, x + pad, y + pad);
  memlane_color_set (cr, &self->style.text);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

/* --- moments and spans -------------------------------------------------------------------------------------------- */

static void
draw_moment (const MemlaneTimeline *self, cairo_t *cr, double time, double width)
{
  double x = round (memlane_timeline_x_of (self, time) - width / 2);

  if (x + width <= self->area.x || x >= self->area.x + self->area.width)
    return;
  cairo_rectangle (cr, x, self->area.y, width, self->area.height);
  memlane_color_set (cr, &self->style.crosshair);
  cairo_fill (cr);
}

static void
draw_measured (const MemlaneTimeline *self, cairo_t *cr, double from, double to)
{
  double right = self->area.x + self->area.width, x0, x1, line = MAX (round (self->style.axis_width), 1);
  MemlaneColor inside = memlane_color_fade (self->style.crosshair, SPAN_ALPHA);
  g_autofree char *words = NULL;

  if (!isfinite (from) || !isfinite (to))
    return;
  words = memlane_unit_format (MEMLANE_UNIT_TIME, fabs (to - from), TRUE);
  x0 = round (CLAMP (memlane_timeline_x_of (self, MIN (from, to)), self->area.x, right));
  x1 = round (CLAMP (memlane_timeline_x_of (self, MAX (from, to)), self->area.x, right));
  cairo_rectangle (cr, x0, self->area.y, x1 - x0, self->area.height);
  memlane_color_set (cr, &inside);
  cairo_fill (cr);
  draw_moment (self, cr, from, line);
  draw_moment (self, cr, to, line);
  draw_tag (self, cr, words, (x0 + x1) / 2, self->axis.y);
}

static void
draw_cursor (const MemlaneTimeline *self, cairo_t *cr, double time)
{
  g_autofree char *words = NULL;
  double x = memlane_timeline_x_of (self, time);

  if (!isfinite (time) || x < self->area.x || x > self->area.x + self->area.width)
    return;
  words = memlane_unit_format (MEMLANE_UNIT_TIME, time, TRUE);
  draw_moment (self, cr, time, MAX (round (self->style.line_width), 2));
  draw_tag (self, cr, words, x, self->axis.y);
}

void
memlane_timeline_draw_overlay (const MemlaneTimeline *self, cairo_t *cr, const MemlaneTimelineOverlay *overlay)
{
  MemlaneRectangle area;

  if (self->lanes->len == 0)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  draw_measured (self, cr, overlay->span_from, overlay->span_to);
  cairo_save (cr);
  clip_to_area (self, cr);
  draw_marked (self, cr, overlay);
  if (overlay->selected.event != MEMLANE_TRACE_NONE)
    draw_lit (self, cr, overlay->selected);
  if (overlay->selected.event != MEMLANE_TRACE_NONE && place (self, overlay->selected, &area))
    ring (self, cr, &area, MAX (round (0.3 * self->em), 3), &self->style.ceiling);
  if (overlay->hovered.event != MEMLANE_TRACE_NONE)
    draw_lit (self, cr, overlay->hovered);
  cairo_restore (cr);
  draw_cursor (self, cr, overlay->cursor);
  draw_tooltip (self, cr, overlay);
  cairo_restore (cr);
}
