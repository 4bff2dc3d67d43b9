/* decide-map-layout.c: what stands where in a map of decisions
 *
 * SPDX-License-Identifier: MIT
 *
 * As in plot-layout.c: title and legend take their room from the figure, the words beside the axes from what is left, and the cells fill
 * the rest. Where the rest would be too small, the extras are given up one after the other; SIMULATED never is.
 */
#include "decide-map-private.h"

#include <glib/gi18n-lib.h>

#define TITLE_SIZE 1.25
#define WIDEST_CELL 3.6 /* heights of it, but no less than 16 em: a run of one size is a column, not a field */

/* With each step one thing less. */
typedef enum
{
  EXTRAS_ALL,
  EXTRAS_NO_CAPTION,
  EXTRAS_NO_SUBTITLE,
  EXTRAS_NO_TITLE,
  EXTRAS_NO_LEGEND,
  EXTRAS_NO_BYTES,
  EXTRAS_NO_UNIT,
  EXTRAS_NO_LABELS,
} Extras;

typedef struct
{
  Extras extras;
  PangoLayout *title, *subtitle, *badge; /* owned until they are placed */
  double title_height, subtitle_height, unit_height;
  double badge_width, badge_height;
  double y_label_width;
  MemlaneMapLegend legend;
} Frame;

/* --- headings ----------------------------------------------------------------------------------------------------- */

static void
make_headings (MemlaneDecideMap *self, Frame *frame)
{
  double inner = self->width - 2 * self->pad, height;

  g_clear_object (&frame->title);
  g_clear_object (&frame->subtitle);
  frame->title_height = frame->subtitle_height = 0;
  if (frame->extras < EXTRAS_NO_TITLE)
    {
      g_autofree char *text = memlane_map_title (self->decision);

      frame->title = memlane_map_make_text (self, TITLE_SIZE, TRUE, text);
      memlane_figure_limit_text (frame->title, inner - (frame->badge_width > 0 ? frame->badge_width + self->em : 0));
      memlane_figure_measure_text (frame->title, NULL, &height);
      frame->title_height = ceil (MAX (height, frame->badge_height));
    }
  if (frame->extras < EXTRAS_NO_SUBTITLE)
    {
      g_autofree char *text = memlane_map_subtitle (self->decision);

      frame->subtitle = memlane_map_make_text (self, 1, FALSE, text);
      memlane_figure_limit_text (frame->subtitle, inner);
      memlane_figure_measure_text (frame->subtitle, NULL, &height);
      frame->subtitle_height = ceil (height);
    }
}

static void
place_headings (MemlaneDecideMap *self, Frame *frame)
{
  double height;

  if (frame->title != NULL)
    {
      memlane_figure_measure_text (frame->title, NULL, &height);
      memlane_map_place_text (self, MEMLANE_MAP_TITLE, g_steal_pointer (&frame->title), self->pad,
                              self->pad + (frame->title_height - height) / 2, &self->style.text);
    }
  if (frame->subtitle != NULL)
    memlane_map_place_text (self, MEMLANE_MAP_SUBTITLE, g_steal_pointer (&frame->subtitle), self->pad, self->pad + frame->title_height,
                            &self->style.faint);
  if (frame->badge != NULL)
    {
      MemlaneColor on_badge = memlane_figure_text_on (&self->style, &self->style.simulated);
      double line = frame->title_height > 0 ? frame->title_height : frame->unit_height, width;

      self->badge = (MemlaneRectangle){ self->width - self->pad - frame->badge_width,
                                        floor (self->pad + (line - frame->badge_height) / 2), frame->badge_width, frame->badge_height };
      memlane_figure_measure_text (frame->badge, &width, &height);
      memlane_map_place_text (self, MEMLANE_MAP_BADGE, g_steal_pointer (&frame->badge), self->badge.x + (self->badge.width - width) / 2,
                              self->badge.y + (self->badge.height - height) / 2, &on_badge);
    }
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

static PangoLayout *
make_reuse (const MemlaneDecideMap *self, guint reuse_index)
{
  g_autofree char *text = g_strdup_printf ("%u", memlane_decide_reuse (reuse_index));

  return memlane_map_make_text (self, 1, FALSE, text);
}

static PangoLayout *
make_size (const MemlaneDecideMap *self, guint size_index, gboolean bytes)
{
  guint log2_elements = self->decision->sizes[size_index];
  g_autofree char *text = bytes ? memlane_unit_format (MEMLANE_UNIT_BYTES, ldexp (sizeof (float), (int) log2_elements), TRUE)
                                : memlane_unit_format_power (log2_elements);

  return memlane_map_make_text (self, 1, FALSE, text);
}

static double
measure_width (PangoLayout *layout)
{
  double width;

  memlane_figure_measure_text (layout, &width, NULL);
  g_object_unref (layout);
  return width;
}

static void
place_reuses (MemlaneDecideMap *self)
{
  double row = self->area.height / MEMLANE_DECIDE_REUSES;
  guint stride = (guint) MAX (ceil (self->line / row), 1);

  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i += stride)
    {
      PangoLayout *layout = make_reuse (self, i);
      MemlaneRectangle cell = memlane_map_cell (self, 0, i).area;
      double width, height;

      memlane_figure_measure_text (layout, &width, &height);
      memlane_map_place_text (self, MEMLANE_MAP_Y_TICK, layout, self->area.x - 0.5 * self->em - width,
                              cell.y + (cell.height - height) / 2, &self->style.text);
    }
}

/* One line of the words below, as many as have room. */
static void
place_sizes (MemlaneDecideMap *self, gboolean bytes, double y)
{
  guint n = self->decision->n_sizes, stride;
  double widest = 0, column = self->area.width / n;

  for (guint i = 0; i < n; i++)
    widest = MAX (widest, measure_width (make_size (self, i, bytes)));
  stride = (guint) MAX (ceil ((widest + 0.6 * self->em) / column), 1);
  for (guint i = 0; i < n; i += stride)
    {
      PangoLayout *layout = make_size (self, i, bytes);
      MemlaneRectangle cell = memlane_map_cell (self, i, 0).area;
      double width, x;

      memlane_figure_measure_text (layout, &width, NULL);
      x = cell.x + (cell.width - width) / 2;
      if (x < 0 || x + width > self->width)
        g_object_unref (layout);
      else
        memlane_map_place_text (self, bytes ? MEMLANE_MAP_X_BYTES : MEMLANE_MAP_X_TICK, layout, x, y,
                                bytes ? &self->style.faint : &self->style.text);
    }
}

static void
place_axis_words (MemlaneDecideMap *self, const Frame *frame)
{
  double bottom = self->area.y + self->area.height, taken = frame->title_height == 0 && self->badge.width > 0 ? self->badge.width : 0;

  if (frame->extras < EXTRAS_NO_UNIT)
    {
      double room = self->width - 2 * self->pad - (taken > 0 ? taken + self->em : 0), width, height;
      PangoLayout *layout = memlane_map_make_text (self, 1, FALSE, _("Reuse: kernels for each transfer"));

      memlane_figure_measure_text (layout, &width, NULL);
      if (width > room || !self->decision->has_reuse)
        pango_layout_set_text (layout, _("Reuse"), -1);
      memlane_figure_limit_text (layout, room);
      memlane_figure_measure_text (layout, NULL, &height);
      memlane_map_place_text (self, MEMLANE_MAP_UNIT, layout, self->pad, self->area.y - 0.35 * self->em - height, &self->style.faint);
    }
  if (!self->has_axis_text)
    return;
  place_reuses (self);
  place_sizes (self, FALSE, bottom + 0.3 * self->em);
  if (frame->extras < EXTRAS_NO_BYTES)
    place_sizes (self, TRUE, bottom + 0.3 * self->em + self->line);
  if (frame->extras < EXTRAS_NO_CAPTION)
    {
      PangoLayout *layout = memlane_map_make_text (self, 1, FALSE, _("Length of a vector in elements, and its bytes"));
      double width, x;

      memlane_figure_limit_text (layout, self->width - 2 * self->pad);
      memlane_figure_measure_text (layout, &width, NULL);
      x = CLAMP (self->area.x + (self->area.width - width) / 2, self->pad, MAX (self->width - self->pad - width, self->pad));
      memlane_map_place_text (self, MEMLANE_MAP_CAPTION, layout, x, bottom + 0.5 * self->em + 2 * self->line, &self->style.faint);
    }
}

/* --- the frame ---------------------------------------------------------------------------------------------------- */

/* The area of the cells for this much of extras. */
static MemlaneRectangle
fit_area (MemlaneDecideMap *self, Frame *frame)
{
  double left = self->pad, right = self->pad, top = self->pad, bottom = self->pad, below = 0, gap = round (1.5 * self->em);
  gboolean is_empty = self->decision->n_sizes == 0;
  MemlaneRectangle area;

  make_headings (self, frame);
  top += frame->title_height + frame->subtitle_height + (frame->title_height + frame->subtitle_height > 0 ? 0.6 * self->em : 0);
  frame->unit_height = frame->extras < EXTRAS_NO_UNIT && !is_empty ? self->line : 0;
  if (frame->title == NULL && frame->badge != NULL)
    frame->unit_height = MAX (frame->unit_height, frame->badge_height);
  top += frame->unit_height + (frame->unit_height > 0 ? 0.35 * self->em : 0);
  self->has_axis_text = frame->extras < EXTRAS_NO_LABELS && !is_empty;
  if (self->has_axis_text)
    {
      below = 0.3 * self->em + self->line;
      if (frame->extras < EXTRAS_NO_BYTES)
        below += self->line;
      if (frame->extras < EXTRAS_NO_CAPTION)
        below += self->line + 0.2 * self->em;
      left += frame->y_label_width + 0.5 * self->em;
      right = MAX (right, self->em);
    }
  frame->legend = (MemlaneMapLegend){ MEMLANE_MAP_LEGEND_NONE };
  if (frame->extras < EXTRAS_NO_LEGEND && !is_empty)
    frame->legend = memlane_map_plan_legend (self, self->height - top - self->pad);
  bottom += below;
  if (frame->legend.side == MEMLANE_MAP_LEGEND_BELOW)
    bottom += frame->legend.height + round (0.8 * self->em);
  else if (frame->legend.side == MEMLANE_MAP_LEGEND_RIGHT)
    right = self->pad + frame->legend.width + gap;
  left = ceil (left);
  top = ceil (top);
  area = (MemlaneRectangle){ left, top, floor (self->width - right) - left, floor (self->height - bottom) - top };
  if (!is_empty && frame->extras < EXTRAS_NO_LABELS)
    area.width = MIN (area.width, ceil (MAX (WIDEST_CELL * area.height / MEMLANE_DECIDE_REUSES, 16 * self->em)) * self->decision->n_sizes);
  return area;
}

static gboolean
is_enough (const MemlaneDecideMap *self, const MemlaneRectangle *area)
{
  return area->width >= MIN (MAX (9 * self->em, 0.4 * self->width), 4 * self->em * MAX (self->decision->n_sizes, 1))
         && area->height >= MAX (6 * self->em, 0.38 * self->height);
}

static void
place_empty (MemlaneDecideMap *self)
{
  g_autofree char *text = memlane_map_explain (self->decision);
  PangoLayout *layout = memlane_map_make_text (self, self->width > 40 * self->em ? TITLE_SIZE : 1, FALSE, text);
  double width, height, most = MIN (self->width - 2 * self->pad, 40 * self->em);

  memlane_figure_measure_text (layout, &width, NULL);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MAX (MIN (width + 1, most), 1) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (self->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_figure_measure_text (layout, &width, &height);
  memlane_map_place_text (self, MEMLANE_MAP_EMPTY, layout, floor ((self->width - width) / 2),
                          self->area.y + MAX (floor ((self->area.height - height) / 2), 0), &self->style.text);
}

void
memlane_map_place_all (MemlaneDecideMap *self)
{
  Frame frame = { 0 };

  if (self->decision->simulated)
    frame.badge = memlane_figure_make_badge (self->pango, &self->style, self->width - 2 * self->pad, &frame.badge_width,
                                             &frame.badge_height);
  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i++)
    frame.y_label_width = MAX (frame.y_label_width, measure_width (make_reuse (self, i)));
  for (frame.extras = EXTRAS_ALL;; frame.extras++)
    {
      self->area = fit_area (self, &frame);
      if (is_enough (self, &self->area) || frame.extras == EXTRAS_NO_LABELS)
        break;
    }
  self->area.width = MAX (self->area.width, 1);
  self->area.height = MAX (self->area.height, 1);
  place_headings (self, &frame);
  if (self->decision->n_sizes == 0)
    {
      place_empty (self);
      return;
    }
  place_axis_words (self, &frame);
  if (frame.legend.side == MEMLANE_MAP_LEGEND_RIGHT)
    memlane_map_place_legend (self, &frame.legend, self->area.x + self->area.width + round (1.5 * self->em), self->area.y);
  else if (frame.legend.side == MEMLANE_MAP_LEGEND_BELOW)
    memlane_map_place_legend (self, &frame.legend, self->pad, self->height - self->pad - frame.legend.height);
  memlane_map_place_names (self);
}
