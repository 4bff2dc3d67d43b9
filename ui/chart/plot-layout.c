/* plot-layout.c: what stands where in a figure
 *
 * SPDX-License-Identifier: MIT
 *
 * From the outside in: title and legend take their room from the figure, the words beside the axes from what is left, and the area inside the
 * axes is the rest. Where the rest would be too small, the extras are given up one after the other.
 */
#include "plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The size that projector styles are made for; they grow and shrink with the figure, because the wall does not. */
#define PROJECTOR_WIDTH 1280.0
#define PROJECTOR_HEIGHT 720.0

#define TITLE_SIZE 1.25
#define BADGE_SIZE 1.1

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

static void
clear_tick_array (GArray **ticks)
{
  g_clear_pointer (ticks, g_array_unref);
}

static void
clear_text (gpointer data)
{
  g_clear_object (&((MemlanePlacedText *) data)->layout);
}

static void
clear_series (gpointer data)
{
  g_clear_pointer (&((MemlanePlottedSeries *) data)->coordinates, g_array_unref);
}

void
memlane_plot_free (MemlanePlot *plot)
{
  if (plot == NULL)
    return;
  clear_tick_array (&plot->x_ticks);
  clear_tick_array (&plot->y_ticks);
  g_array_unref (plot->texts);
  g_array_unref (plot->legend);
  g_array_unref (plot->ceilings);
  g_array_unref (plot->series);
  g_array_unref (plot->points);
  g_clear_object (&plot->watermark);
  g_object_unref (plot->pango);
  memlane_chart_unref (plot->chart);
  g_free (plot);
}

static void
set_up_style (MemlanePlot *plot, const MemlaneStyle *style)
{
  double resolution = pango_cairo_context_get_resolution (plot->pango), zoom = 1;

  if (resolution <= 0)
    resolution = pango_cairo_font_map_get_resolution (PANGO_CAIRO_FONT_MAP (pango_context_get_font_map (plot->pango)));
  plot->text_scale = resolution > 0 ? resolution / 96 : 1;
  plot->style = *style;
  if (style->kind == MEMLANE_STYLE_PROJECTOR || style->kind == MEMLANE_STYLE_PROJECTOR_DARK)
    zoom = CLAMP (MIN (plot->width / PROJECTOR_WIDTH, plot->height / PROJECTOR_HEIGHT), 0.4, 8);
  plot->style.text_size *= zoom;
  plot->style.line_width *= zoom;
  plot->style.marker_radius *= zoom;
  plot->style.axis_width *= zoom;
  plot->em = plot->style.text_size * plot->text_scale;
}

static MemlanePlot *
plot_new (const MemlaneChart *chart, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlanePlot *plot = g_new0 (MemlanePlot, 1);
  g_autoptr (PangoLayout) probe = NULL;

  plot->chart = memlane_chart_ref ((MemlaneChart *) chart);
  plot->width = MAX (width, 1);
  plot->height = MAX (height, 1);
  plot->pango = g_object_ref (pango);
  plot->right_to_left = pango_context_get_base_dir (pango) == PANGO_DIRECTION_RTL;
  plot->texts = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedText));
  g_array_set_clear_func (plot->texts, clear_text);
  plot->legend = g_array_new (FALSE, TRUE, sizeof (MemlaneLegendEntry));
  plot->ceilings = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedCeiling));
  plot->series = g_array_new (FALSE, TRUE, sizeof (MemlanePlottedSeries));
  g_array_set_clear_func (plot->series, clear_series);
  plot->points = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedPoint));
  set_up_style (plot, style);
  probe = memlane_plot_make_text (plot, plot->style.text_size, FALSE, "Åg");
  memlane_plot_measure_text (probe, NULL, &plot->line);
  plot->line = ceil (plot->line);
  plot->sample_width = round (MAX (3.2 * plot->em, 9 * plot->style.line_width));
  plot->sample_height = round (MAX (plot->em, 2.4 * plot->style.marker_radius));
  return plot;
}

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
  frame->badge = memlane_plot_make_text (plot, plot->style.text_size * BADGE_SIZE, TRUE, C_("figure", "SIMULATED"));
  memlane_plot_limit_text (frame->badge, plot->width - 2 * frame->pad - plot->em);
  memlane_plot_measure_text (frame->badge, &frame->badge_width, &frame->badge_height);
  frame->badge_width = ceil (frame->badge_width + 1.1 * plot->em);
  frame->badge_height = ceil (frame->badge_height + 0.2 * plot->em);
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
  if (frame->title == NULL && frame->badge != NULL && frame->extras < EXTRAS_NO_UNIT)
    frame->unit_height = MAX (frame->unit_height, frame->badge_height);
  plot->has_axis_text = frame->extras < EXTRAS_NO_LABELS;
  /* Half a label rises above the top of the axis. */
  top += frame->unit_height + (plot->has_axis_text ? 0.7 * plot->em : 0);

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
  return (MemlaneRectangle){ ceil (left), ceil (top), floor (plot->width - right) - ceil (left), floor (plot->height - bottom) - ceil (top) };
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
      double top = frame->title_height > 0 ? y : plot->area.y - frame->unit_height - 0.35 * plot->em;
      MemlaneColor on_badge = plot->style.background;
      double width;

      if (memlane_color_contrast (&plot->style.text, &plot->style.simulated) > memlane_color_contrast (&on_badge, &plot->style.simulated))
        on_badge = plot->style.text;
      if (line_height > 0)
        {
          plot->badge = (MemlaneRectangle){ plot->right_to_left ? left : right - frame->badge_width, floor (top + (line_height - frame->badge_height) / 2),
                                            frame->badge_width, frame->badge_height };
          memlane_plot_measure_text (frame->badge, &width, &height);
          memlane_plot_place_text (plot, MEMLANE_TEXT_BADGE, frame->badge, plot->badge.x + (plot->badge.width - width) / 2,
                                   plot->badge.y + (plot->badge.height - height) / 2, &on_badge);
          frame->badge = NULL;
        }
      g_clear_object (&frame->badge);
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
      double width;

      memlane_plot_limit_text (layout, plot->width - 2 * frame->pad);
      memlane_plot_measure_text (layout, &width, NULL);
      memlane_plot_place_text (plot, MEMLANE_TEXT_CAPTION, layout,
                               CLAMP (plot->area.x + (plot->area.width - width) / 2, frame->pad, MAX (plot->width - frame->pad - width, frame->pad)),
                               plot->area.y + plot->area.height + 0.65 * plot->em + 2 * plot->line, &plot->style.faint);
    }
}

static void
place_trouble (MemlanePlot *plot)
{
  PangoLayout *layout;
  double room = plot->area.width - plot->em, width, height;

  if (plot->chart->trouble == NULL || room < 1)
    return;
  layout = memlane_plot_make_text (plot, plot->style.text_size * (plot->width > 40 * plot->em ? TITLE_SIZE : 1), FALSE, plot->chart->trouble);
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
  double diagonal = hypot (plot->area.width, plot->area.height), width, height, size, angle;
  g_autoptr (PangoLayout) probe = NULL;

  if (!plot->chart->simulated || diagonal < 1)
    return;
  probe = memlane_plot_make_text (plot, 20 / plot->text_scale, TRUE, C_("figure", "SIMULATED"));
  memlane_plot_measure_text (probe, &width, &height);
  angle = atan2 (plot->area.height, plot->area.width);
  /* The turned rectangle of the text fits into the area. */
  size = 20 * 0.9 * MIN (plot->area.width / (width * cos (angle) + height * sin (angle)), plot->area.height / (width * sin (angle) + height * cos (angle)));
  plot->watermark = memlane_plot_make_text (plot, size / plot->text_scale, TRUE, C_("figure", "SIMULATED"));
  plot->watermark_angle = -angle;
}

MemlanePlot *
memlane_plot_layout (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style, double width, double height,
                     PangoContext *pango)
{
  static const MemlaneView fit = MEMLANE_VIEW_FIT;
  MemlanePlot *plot = plot_new (chart, style, width, height, pango);
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
  place_watermark (plot);
  place_trouble (plot);
  return plot;
}

/* --- what others may know ---------------------------------------------------------------------------------------- */

const MemlaneRectangle *
memlane_plot_get_area (const MemlanePlot *plot)
{
  return &plot->area;
}

const MemlaneScale *
memlane_plot_get_x_scale (const MemlanePlot *plot)
{
  return &plot->x;
}

const MemlaneScale *
memlane_plot_get_y_scale (const MemlanePlot *plot)
{
  return &plot->y;
}

const GArray *
memlane_plot_get_legend (const MemlanePlot *plot)
{
  return plot->legend;
}

const GArray *
memlane_plot_get_points (const MemlanePlot *plot)
{
  return plot->points;
}
