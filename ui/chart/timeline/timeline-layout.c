/* timeline-layout.c: what stands where in a timeline
 *
 * SPDX-License-Identifier: MIT
 *
 * From the top: title, what is known of the trace, legend, time axis; below it the sheet with ghosts and lanes takes all that is left, and
 * is scrolled where that is not enough. In small figures the rows above are given up one after the other; SIMULATED never is.
 */
#include "timeline-private.h"

#include <glib/gi18n-lib.h>

#define TITLE_SIZE 1.25
#define WATERMARK_SIZE 4.0 /* em */
#define TITLES_SHARE 0.24  /* of the width that titles of lanes may take */

/* With each step one thing less. */
typedef enum
{
  EXTRAS_ALL,
  EXTRAS_ONE_ROW,        /* of the legend */
  EXTRAS_NO_INFO,
  EXTRAS_NO_LEGEND,
  EXTRAS_NO_TITLE,
  EXTRAS_NO_LANE_TITLES,
  EXTRAS_NO_AXIS,
} Extras;

/* --- words -------------------------------------------------------------------------------------------------------- */

PangoLayout *
memlane_timeline_make_words (const MemlaneTimeline *self, double factor, gboolean bold, const char *text)
{
  return memlane_figure_make_text (self->pango, factor * self->style.text_size, bold, text);
}

void
memlane_timeline_place_words (MemlaneTimeline *self, MemlaneTimelineRole role, PangoLayout *layout, double x, double y,
                              const MemlaneColor *color)
{
  MemlaneTimelineWords words = { role, layout, { x, y, 0, 0 }, *color };

  memlane_figure_measure_text (layout, &words.area.width, &words.area.height);
  g_array_append_val (self->words, words);
}

const char *
memlane_timeline_role_name (MemlaneTimelineRole role)
{
  static const char *const names[] = { "title", "info",    "badge",  "unit", "tick",  "legend",
                                       "empty", "heading", "detail", "lane", "ghost", "bound" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_WORDS);
  return names[role];
}

/* --- the frame ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  Extras extras;
  double y;      /* where the next row goes */
  gboolean place; /* else only measured */
} Frame;

static gboolean
is_simulated (const MemlaneTimeline *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    if (memlane_trace_get_info (self->parts[i].trace)->simulated)
      return TRUE;
  return FALSE;
}

/* Its own row, or the upper right corner of another one. Returns its height. */
static double
place_badge (MemlaneTimeline *self, const Frame *frame, double row_height)
{
  MemlaneColor color = memlane_figure_text_on (&self->style, &self->style.simulated);
  PangoLayout *layout = memlane_figure_make_badge (self->pango, &self->style, self->width - 2 * self->pad, &self->badge.width,
                                                   &self->badge.height);

  self->badge.x = self->width - self->pad - self->badge.width;
  self->badge.y = floor (frame->y + MAX (row_height - self->badge.height, 0) / 2);
  if (frame->place)
    memlane_timeline_place_words (self, MEMLANE_WORDS_BADGE, layout, self->badge.x + 0.55 * self->em, self->badge.y + 0.1 * self->em,
                                  &color);
  else
    g_object_unref (layout);
  return self->badge.height;
}

static double
place_row (MemlaneTimeline *self, const Frame *frame, MemlaneTimelineRole role, double factor, const char *text, const MemlaneColor *color)
{
  PangoLayout *layout = memlane_timeline_make_words (self, factor, role == MEMLANE_WORDS_TITLE, text);
  double height, taken = role == MEMLANE_WORDS_TITLE && self->badge.width > 0 ? self->badge.width + self->em : 0;

  memlane_figure_limit_text (layout, self->width - 2 * self->pad - taken);
  memlane_figure_measure_text (layout, NULL, &height);
  if (frame->place)
    memlane_timeline_place_words (self, role, layout, self->pad, frame->y, color);
  else
    g_object_unref (layout);
  return ceil (height);
}

/* Everything above the area. */
static void
fit_frame (MemlaneTimeline *self, Extras extras, gboolean place)
{
  Frame frame = { extras, self->pad, place };
  gboolean has_badge = is_simulated (self), has_title = extras < EXTRAS_NO_TITLE && self->n_parts == 1;
  double height = 0, right = self->pad;

  self->badge.width = 0;
  if (has_badge)
    height = place_badge (self, &frame, round (TITLE_SIZE * self->line));
  if (has_title)
    {
      double own = place_row (self, &frame, MEMLANE_WORDS_TITLE, TITLE_SIZE, self->parts[0].title, &self->style.text);

      frame.y += MAX (height, own);
      if (extras < EXTRAS_NO_INFO)
        {
          g_autofree char *info = memlane_timeline_info (self->parts[0].trace);

          frame.y += place_row (self, &frame, MEMLANE_WORDS_INFO, 1, info, &self->style.faint);
        }
      frame.y += round (0.4 * self->em);
      height = 0;
    }
  if (extras < EXTRAS_NO_LEGEND && self->n_parts > 0)
    {
      double taken = height > 0 && self->badge.width > 0 ? self->badge.width + self->em : 0;
      double own = memlane_timeline_place_legend (self, self->pad, frame.y, self->width - 2 * self->pad - taken,
                                                  extras < EXTRAS_ONE_ROW ? 3 : 1, place);

      height = MAX (height, own);
    }
  frame.y += height + (height > 0 ? round (0.3 * self->em) : 0);

  self->has_lane_titles = extras < EXTRAS_NO_LANE_TITLES && self->n_parts > 0;
  self->has_axis_text = extras < EXTRAS_NO_AXIS && self->n_parts > 0;
  self->titles_x = self->pad;
  self->titles_width = self->has_lane_titles ? MIN (memlane_timeline_measure_titles (self), floor (TITLES_SHARE * self->width)) : 0;
  self->axis.y = frame.y;
  self->axis.height = self->has_axis_text ? self->line + round (0.5 * self->em) : round (0.25 * self->em);
  self->area.x = self->pad + self->titles_width + (self->has_lane_titles ? round (0.8 * self->em) : 0);
  self->area.y = ceil (self->axis.y + self->axis.height);
  self->area.width = MAX (floor (self->width - right - self->area.x), 1);
  self->area.height = MAX (floor (self->height - self->pad - self->area.y), 1);
  self->axis.x = self->area.x;
  self->axis.width = self->area.width;
}

static gboolean
is_enough (const MemlaneTimeline *self)
{
  return self->area.height >= MAX (MIN (8 * self->em, 0.6 * self->height), 0.42 * self->height) && self->area.width >= 0.5 * self->width;
}

/* --- the axis ----------------------------------------------------------------------------------------------------- */

/* As many ticks as have room for their labels. */
static void
make_ticks (MemlaneTimeline *self)
{
  MemlaneScale scale = { MEMLANE_SCALE_LINEAR, self->from, self->to };
  guint most = (guint) CLAMP (self->area.width / (5 * self->em), 1, 16);

  for (;; most--)
    {
      double before = -INFINITY;
      gboolean fits = TRUE;

      g_clear_pointer (&self->ticks, g_array_unref);
      self->ticks = memlane_scale_ticks (&scale, MEMLANE_UNIT_TIME, most);
      for (guint i = 0; i < self->ticks->len; i++)
        {
          const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);
          double width, x;

          if (tick->label == NULL)
            continue;
          width = memlane_timeline_label_width (memlane_timeline_label_get (self, tick->label));
          x = memlane_timeline_x_of (self, tick->value) - width / 2;
          fits = fits && x > before + self->em;
          before = x + width;
        }
      if (fits || most <= 1)
        return;
    }
}

static void
place_axis_words (MemlaneTimeline *self)
{
  MemlaneScale scale = { MEMLANE_SCALE_LINEAR, self->from, self->to };
  g_autofree char *unit = NULL;
  double height, left = self->has_lane_titles ? self->pad : 0;

  if (!self->has_axis_text)
    return;
  if (self->has_lane_titles)
    {
      PangoLayout *layout;

      unit = g_strdup_printf (_("Time (%s)"), memlane_scale_axis_unit (&scale, MEMLANE_UNIT_TIME));
      layout = memlane_timeline_make_words (self, 1, FALSE, unit);
      memlane_figure_limit_text (layout, self->titles_width);
      memlane_timeline_place_words (self, MEMLANE_WORDS_UNIT, layout, self->titles_x, self->axis.y, &self->style.faint);
      left = self->titles_x + self->titles_width + 0.4 * self->em;
    }
  for (guint i = 0; i < self->ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);
      PangoLayout *layout;
      double width, x;

      if (tick->label == NULL)
        continue;
      layout = memlane_timeline_make_words (self, 1, FALSE, tick->label);
      memlane_figure_measure_text (layout, &width, &height);
      x = memlane_timeline_x_of (self, tick->value) - width / 2;
      if (x < left || x + width > self->width)
        g_object_unref (layout);
      else
        memlane_timeline_place_words (self, MEMLANE_WORDS_TICK, layout, x, self->axis.y, &self->style.text);
    }
}

/* --- what there is to say when there is nothing to see ------------------------------------------------------------ */

static void
place_empty (MemlaneTimeline *self)
{
  const char *text = self->n_parts == 0 ? _("No trace is shown. Record one, or open a trace file.")
                                        : _("The trace holds no event: nothing was recorded.");
  PangoLayout *layout;
  double width, height;

  if (self->lanes->len > 0)
    return;
  layout = memlane_timeline_make_words (self, self->width > 40 * self->em ? TITLE_SIZE : 1, FALSE, text);
  memlane_figure_measure_text (layout, &width, NULL);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MAX (MIN (width + 1, self->width - 2 * self->pad), 1) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (self->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_figure_measure_text (layout, &width, &height);
  memlane_timeline_place_words (self, MEMLANE_WORDS_EMPTY, layout, floor ((self->width - width) / 2),
                                self->area.y + MAX (floor ((self->area.height - height) / 2), 0), &self->style.text);
}

/* --- layout ------------------------------------------------------------------------------------------------------- */

static void
choose_frame (MemlaneTimeline *self)
{
  Extras extras;

  for (extras = EXTRAS_ALL;; extras++)
    {
      fit_frame (self, extras, FALSE);
      if (is_enough (self) || extras == EXTRAS_NO_AXIS)
        break;
    }
  fit_frame (self, extras, TRUE);
}

MemlaneTimeline *
memlane_timeline_layout (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneTimelineRange *range, const MemlaneStyle *style,
                         double width, double height, PangoContext *pango)
{
  MemlaneTimeline *self = memlane_timeline_new (tracks, n_tracks, range, style, width, height, pango);

  choose_frame (self);
  memlane_timeline_place_sheet (self, self->area.height);
  self->most_scroll = MAX (ceil (self->sheet_height - self->area.height), 0);
  self->scroll = isfinite (self->range.scroll) ? round (CLAMP (self->range.scroll, 0, self->most_scroll)) : 0;
  make_ticks (self);
  place_axis_words (self);
  memlane_timeline_place_sheet_words (self);
  memlane_timeline_place_spans (self);
  place_empty (self);
  if (is_simulated (self))
    self->watermark = memlane_timeline_make_words (self, WATERMARK_SIZE, TRUE, C_ ("figure", "SIMULATED"));
  return self;
}

double
memlane_timeline_measure_height (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneStyle *style, double width,
                                 PangoContext *pango)
{
  /* A figure whose height is usual for its width says how large its text is; what it lacks in height is then added. */
  MemlaneTimeline *self = memlane_timeline_new (tracks, n_tracks, NULL, style, width, width * 9 / 16, pango);
  double height;

  choose_frame (self);
  memlane_timeline_place_sheet (self, INFINITY);
  height = self->area.y + self->sheet_height + self->pad;
  memlane_timeline_free (self);
  return ceil (height);
}
