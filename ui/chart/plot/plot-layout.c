/* plot-layout.c: what stands where in a figure
 *
 * SPDX-License-Identifier: MIT
 *
 * From the outside in: title and legend take their room from the figure, the words beside the axes from what is left, and the area inside
 * the axes is the rest. Where the rest would be too small, the extras are given up one after the other.
 */
#include "plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define TITLE_SIZE 1.25
#define WATERMARK_SHARE 0.8 /* of the area that its turned rectangle takes */

/* What a figure has besides its curves; with each step one thing less. */
typedef enum
{
  EXTRAS_ALL,
  EXTRAS_NO_SECOND_LINE, /* of the subtitle */
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
  double pad;
  double title_height, subtitle_height, unit_height;
  PangoLayout *title, *subtitle, *badge;
  double badge_width, badge_height;
  MemlaneLegendPlan legend;
  double y_label_width;
} Frame;

/* --- the frame: what is outside of the axes ----------------------------------------------------------------- */

static void
drop_headings (Frame *frame)
{
  g_clear_object (&frame->title);
  g_clear_object (&frame->subtitle);
  frame->title_height = frame->subtitle_height = 0;
}

static void
make_headings (MemlanePlot *plot, Frame *frame)
{
  double inner = plot->width - 2 * frame->pad, width, height;

  drop_headings (frame);
  if (frame->extras < EXTRAS_NO_TITLE && plot->chart->title != NULL)
    {
      frame->title = memlane_plot_make_text (plot, plot->style.text_size * TITLE_SIZE, TRUE, plot->chart->title);
      memlane_plot_limit_text (frame->title, inner - (frame->badge_width > 0 ? frame->badge_width + plot->em : 0));
      memlane_plot_measure_text (frame->title, NULL, &height);
      frame->title_height = ceil (MAX (height, frame->badge_height));
    }
  if (frame->extras < EXTRAS_NO_SUBTITLE && plot->chart->subtitle != NULL && plot->chart->subtitle[0] != '\0')
    {
      frame->subtitle = memlane_plot_make_text (plot, plot->style.text_size, FALSE, plot->chart->subtitle);
      pango_layout_set_single_paragraph_mode (frame->subtitle, FALSE);
      memlane_plot_measure_text (frame->subtitle, &width, NULL);
      if (width > inner || pango_layout_get_line_count (frame->subtitle) > 1)
        {
          /* Two runs with all that is known of them take two lines. */
          pango_layout_set_width (frame->subtitle, (int) (MAX (inner, 1) * PANGO_SCALE));
          pango_layout_set_wrap (frame->subtitle, PANGO_WRAP_WORD_CHAR);
          pango_layout_set_height (frame->subtitle, frame->extras < EXTRAS_NO_SECOND_LINE ? -2 : -1);
          pango_layout_set_ellipsize (frame->subtitle, PANGO_ELLIPSIZE_END);
          if (frame->extras >= EXTRAS_NO_SECOND_LINE)
            pango_layout_set_single_paragraph_mode (frame->subtitle, TRUE);
        }
      memlane_plot_measure_text (frame->subtitle, NULL, &height);
      frame->subtitle_height = ceil (height);
    }
}

/* SIMULATED stays as long as anything does; without a title it stands in the line of the axis' unit. */
static void
make_badge (MemlanePlot *plot, Frame *frame)
{
  if (!plot->chart->simulated)
    return;
  frame->badge = memlane_figure_make_badge (plot->pango, &plot->style, plot->width - 2 * frame->pad, &frame->badge_width,
                                            &frame->badge_height);
}

static gboolean
has_unit_line (const MemlanePlot *plot, const Frame *frame)
{
  return frame->extras < EXTRAS_NO_UNIT && plot->has_values;
}

/* The area inside the axes for this much of extras. */
static MemlaneRectangle
fit_area (MemlanePlot *plot, Frame *frame)
{
  double pad = frame->pad, left = pad, right = pad, top = pad, bottom = pad, below = 0;

  make_headings (plot, frame);
  top += frame->title_height + frame->subtitle_height;
  if (frame->title_height + frame->subtitle_height > 0)
    top += 0.6 * plot->em;
  frame->unit_height = has_unit_line (plot, frame) ? plot->line : 0;
  if (frame->title == NULL && frame->badge != NULL)
    frame->unit_height = MAX (frame->unit_height, frame->badge_height);
  plot->has_axis_text = frame->extras < EXTRAS_NO_LABELS;
  /* Half a label rises above the top of the axis. */
  top += frame->unit_height + (plot->has_axis_text ? 0.7 * plot->em : frame->unit_height > 0 ? 0.35 * plot->em : 0);

  if (plot->has_axis_text)
    {
      below = 0.45 * plot->em + plot->line;
      if (frame->extras < EXTRAS_NO_BYTES)
        below += plot->line;
      if (frame->extras < EXTRAS_NO_CAPTION)
        below += plot->line + 0.2 * plot->em;
      right = MAX (right, 1.6 * plot->em);
    }
  frame->legend = (MemlaneLegendPlan){ MEMLANE_LEGEND_NONE };
  if (frame->extras < EXTRAS_NO_LEGEND)
    frame->legend = memlane_plot_plan_legend (plot, plot->height - top - pad);
  bottom += below + frame->legend.height;
  if (frame->legend.side == MEMLANE_LEGEND_RIGHT)
    right = pad + frame->legend.width;
  frame->y_label_width = memlane_plot_make_y_ticks (plot, plot->height - top - bottom);
  if (plot->has_axis_text)
    left += plot->has_values ? frame->y_label_width + 0.5 * plot->em : plot->em;
  left = ceil (left);
  top = ceil (top);
  return (MemlaneRectangle){ left, top, floor (plot->width - right) - left, floor (plot->height - bottom) - top };
}

static gboolean
is_enough (const MemlanePlot *plot, const MemlaneRectangle *area)
{
  return area->width >= MAX (9 * plot->em, 0.4 * plot->width) && area->height >= MAX (6 * plot->em, 0.38 * plot->height);
}

/* --- placing -------------------------------------------------------------------------------------------------- */

static double
start_of (const MemlanePlot *plot, double left, double right, PangoLayout *layout)
{
  double width;

  memlane_plot_measure_text (layout, &width, NULL);
  return plot->right_to_left ? right - width : left;
}

static void
place_headings (MemlanePlot *plot, Frame *frame)
{
  double left = frame->pad, right = plot->width - frame->pad, y = frame->pad, height;

  if (frame->title != NULL)
    {
      memlane_plot_measure_text (frame->title, NULL, &height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_TITLE, frame->title, start_of (plot, left, right, frame->title),
                               y + (frame->title_height - height) / 2, &plot->style.text);
      frame->title = NULL;
    }
  if (frame->badge != NULL)
    {
      double line_height = frame->title_height > 0 ? frame->title_height : frame->unit_height;
      double top = frame->title_height > 0 ? y : plot->area.y - frame->unit_height - (plot->has_axis_text ? 0.7 : 0.35) * plot->em;
      MemlaneColor on_badge = memlane_figure_text_on (&plot->style, &plot->style.simulated);
      double width;

      plot->badge = (MemlaneRectangle){ plot->right_to_left ? left : right - frame->badge_width,
                                        floor (top + (line_height - frame->badge_height) / 2), frame->badge_width, frame->badge_height };
      memlane_plot_measure_text (frame->badge, &width, &height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_BADGE, frame->badge, plot->badge.x + (plot->badge.width - width) / 2,
                               plot->badge.y + (plot->badge.height - height) / 2, &on_badge);
      frame->badge = NULL;
    }
  if (frame->subtitle != NULL)
    {
      memlane_plot_place_text (plot, MEMLANE_TEXT_SUBTITLE, frame->subtitle, start_of (plot, left, right, frame->subtitle),
                               y + frame->title_height, &plot->style.faint);
      frame->subtitle = NULL;
    }
}

/* What the vertical axis shows, and in which unit. */
static char *
make_axis_title (const MemlanePlot *plot)
{
  const char *unit = memlane_scale_axis_unit (&plot->y, plot->chart->unit);

  switch (plot->chart->quantity)
    {
    case MEMLANE_QUANTITY_TIME:
      return g_strdup_printf (_("Time (%s)"), unit);
    case MEMLANE_QUANTITY_RATIO:
      return g_strdup (_("Second run’s time over the first run’s (×)"));
    case MEMLANE_QUANTITY_BANDWIDTH:
    default:
      return g_strdup_printf (_("Bandwidth (%s)"), unit);
    }
}

static void
place_axis_words (MemlanePlot *plot, const Frame *frame)
{
  if (has_unit_line (plot, frame))
    {
      g_autofree char *text = make_axis_title (plot);
      PangoLayout *layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, text);
      double taken = plot->badge.width > 0 && frame->title_height == 0 ? plot->badge.width + plot->em : 0;
      double height;

      memlane_plot_limit_text (layout, plot->width - 2 * frame->pad - taken);
      memlane_plot_measure_text (layout, NULL, &height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_UNIT, layout, frame->pad + (plot->right_to_left ? taken : 0),
                               plot->area.y - 0.7 * plot->em - height, &plot->style.text);
    }
  if (plot->has_values && plot->has_axis_text)
    memlane_plot_place_y_ticks (plot);
  memlane_plot_place_x_ticks (plot, frame->extras < EXTRAS_NO_BYTES);
  if (frame->extras < EXTRAS_NO_CAPTION)
    {
      PangoLayout *layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, _("Length of a vector in elements, and its bytes"));
      double width, x;

      memlane_plot_limit_text (layout, plot->width - 2 * frame->pad);
      memlane_plot_measure_text (layout, &width, NULL);
      x = CLAMP (plot->area.x + (plot->area.width - width) / 2, frame->pad, MAX (plot->width - frame->pad - width, frame->pad));
      memlane_plot_place_text (plot, MEMLANE_TEXT_CAPTION, layout, x,
                               plot->area.y + plot->area.height + 0.65 * plot->em + 2 * plot->line, &plot->style.faint);
    }
}

static void
place_trouble (MemlanePlot *plot)
{
  PangoLayout *layout;
  double room = plot->area.width - plot->em, size = plot->style.text_size, width, height;

  if (plot->chart->trouble == NULL || room < 1)
    return;
  if (plot->width > 40 * plot->em)
    size *= TITLE_SIZE;
  layout = memlane_plot_make_text (plot, size, FALSE, plot->chart->trouble);
  memlane_plot_measure_text (layout, &width, NULL);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MIN (width + 1, MIN (room, 40 * plot->em)) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (plot->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_plot_measure_text (layout, &width, &height);
  memlane_plot_place_text (plot, MEMLANE_TEXT_TROUBLE, layout, plot->area.x + (plot->area.width - width) / 2,
                           plot->area.y + (plot->area.height - height) / 2, &plot->style.text);
}

/* SIMULATED across the area, from corner to corner, so that no part of the figure goes without it. */
static void
place_watermark (MemlanePlot *plot)
{
  double width, height, turned_width, turned_height, angle;
  g_autoptr (PangoLayout) probe = NULL;

  if (!plot->chart->simulated)
    return;
  probe = memlane_plot_make_text (plot, 20 / plot->text_scale, TRUE, C_("figure", "SIMULATED"));
  memlane_plot_measure_text (probe, &width, &height);
  angle = atan2 (plot->area.height, plot->area.width);
  turned_width = width * cos (angle) + height * sin (angle);
  turned_height = width * sin (angle) + height * cos (angle);
  plot->watermark = memlane_plot_make_text (plot,
                                            20 / plot->text_scale * WATERMARK_SHARE
                                              * MIN (plot->area.width / turned_width, plot->area.height / turned_height),
                                            TRUE, C_("figure", "SIMULATED"));
  plot->watermark_angle = -angle;
}

MemlanePlot *
memlane_plot_layout (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style, double width, double height,
                     PangoContext *pango)
{
  static const MemlaneView fit = MEMLANE_VIEW_FIT;
  MemlanePlot *plot = memlane_plot_new (chart, style, width, height, pango);
  Frame frame = { .pad = round (0.8 * plot->em) };

  if (view == NULL)
    view = &fit;
  frame.pad = MIN (frame.pad, floor (0.05 * MIN (plot->width, plot->height)));
  memlane_plot_choose_series (plot, view);
  memlane_plot_choose_y (plot, view);
  make_badge (plot, &frame);
  for (frame.extras = EXTRAS_ALL;; frame.extras++)
    {
      plot->area = fit_area (plot, &frame);
      if (is_enough (plot, &plot->area) || frame.extras == EXTRAS_NO_LABELS)
        break;
    }
  plot->area.width = MAX (plot->area.width, 1);
  plot->area.height = MAX (plot->area.height, 1);
  memlane_plot_choose_x (plot, view, plot->area.width);

  place_headings (plot, &frame);
  place_axis_words (plot, &frame);
  memlane_plot_place_ceilings (plot);
  if (frame.legend.side == MEMLANE_LEGEND_RIGHT)
    memlane_plot_place_legend (plot, &frame.legend, plot->width - frame.pad - frame.legend.cell_width, plot->area.y);
  else if (frame.legend.side == MEMLANE_LEGEND_BELOW)
    memlane_plot_place_legend (plot, &frame.legend, frame.pad, plot->height - frame.pad - frame.legend.rows * frame.legend.pitch);
  memlane_plot_place_points (plot);
  memlane_plot_place_leaving (plot);
  place_watermark (plot);
  place_trouble (plot);
  return plot;
}
