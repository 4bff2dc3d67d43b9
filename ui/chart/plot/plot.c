/* plot.c: a chart in a figure: which series are seen, in which range, and what stands where
 *
 * SPDX-License-Identifier: MIT
 *
 * The frame places the words around the axes. This file chooses what is seen, and the scales.
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"

#define COLUMN 450 /* px: a narrower figure stands in a column of a page */
#define X_GAP 0.7 /* em from the horizontal axis to its words */

/* The range of values. */
/* of the ceiling: both directions of the link at once come no further */
#define LEAVING_SHARE 2
#define CEILING_SHARE 0.2   /* a ceiling is worth its room once the data come near it */
/* an interval may widen the range by so much; then it is cut, lest one noisy cell flattens every
 * curve */
#define INTERVAL_SHARE 1.25

/* --- which series are seen, and in which range ------------------------------------------------ */

/* Overlays come with the mode that they are compared with. */
static gboolean
follows_shown (const MemlanePlot *plot, const MemlaneSeries *series, gboolean all_revealed)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, leader, plot->series)
    if (leader->series->role == MEMLANE_SERIES_MEASURED
        && strcmp (leader->series->mode, series->mode) == 0)
      return leader->shown;
  return all_revealed;
}

/* Projector mode reveals one by one the series of the first run, or all where there is none. */
static void
choose_series (MemlanePlot *plot, const MemlaneView *view)
{
  gboolean narrow = plot->frame.width < COLUMN, others = FALSE, measured = FALSE, all_revealed;
  guint leaders = 0;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, plot->chart->series)
    {
      /* A column of a page has room for what is compared, and none for the limit. */
      others = others || (narrow && series->family != MEMLANE_FAMILY_BASELINE);
      measured = measured || series->role == MEMLANE_SERIES_MEASURED;
    }
  MEMLANE_FOR_EACH (const MemlaneSeries, series, plot->chart->series)
    {
      const MemlaneChartPoint *first = series->points->len > 0
                                           ? (gconstpointer) series->points->data
                                           : NULL;
      MemlanePlottedSeries plotted = {
        .series = series,
        .index = plot->series->len,
        .hidden = (view->hidden != NULL && g_strv_contains (view->hidden, series->mode))
                  || (others && series->family == MEMLANE_FAMILY_BASELINE),
        .curve = memlane_curve_style_for_mode (series->mode, &plot->frame.style),
        .coordinates = g_array_new (FALSE, FALSE, sizeof (MemlaneCoordinate)),
      };

      if (!plotted.hidden && (!measured || series->role == MEMLANE_SERIES_MEASURED))
        plotted.shown = view->revealed < 0 || leaders++ < (guint) view->revealed;
      if (!(plot->bytes_per_element > 0) && first != NULL && first->elements > 0)
        plot->bytes_per_element = first->bytes / first->elements;
      g_array_append_val (plot->series, plotted);
    }
  if (!(plot->bytes_per_element > 0))
    plot->bytes_per_element = sizeof (float);
  all_revealed = view->revealed < 0 || leaders <= (guint) view->revealed;
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    {
      if (!plotted->hidden && measured && plotted->series->role != MEMLANE_SERIES_MEASURED)
        plotted->shown = follows_shown (plot, plotted->series, all_revealed);
      plot->has_isolated = plot->has_isolated
                           || (plotted->shown && memlane_view_isolates (view, plotted->series));
    }
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    plotted->faded = plot->has_isolated && !memlane_view_isolates (view, plotted->series);
}

/* The exponents seen, before room is kept at the ends. */
static MemlaneRange
get_exponents (const MemlanePlot *plot, const MemlaneView *view)
{
  MemlaneRange seen = { plot->chart->first_log2, plot->chart->last_log2 };
  double middle;

  if (seen.to < seen.from || seen.to == 0)
    seen = (MemlaneRange) { 10, 20 };
  if (isfinite (view->x.from))
    seen.from = CLAMP (view->x.from, -1, 63);
  if (isfinite (view->x.to))
    seen.to = CLAMP (view->x.to, -1, 63);
  middle = (seen.from + seen.to) / 2;
  return seen.to - seen.from < 1e-3 ? (MemlaneRange) { middle - 0.5, middle + 0.5 } : seen;
}

/* The range of x for an area of @width px. */
static void
choose_x (MemlanePlot *plot, const MemlaneView *view, double width)
{
  MemlaneRange seen = get_exponents (plot, view);
  double room, inset = MAX (2.2 * plot->frame.style.marker_radius,
                            0.7 * plot->frame.em * plot->frame.text_scale);

  /* A marker at the first size must not sit on the axis; whoever zooms gets what was drawn. */
  room = (seen.to - seen.from) * inset / MAX (width - 2 * inset, inset);
  if (!isfinite (view->x.from))
    seen.from -= room;
  if (!isfinite (view->x.to))
    seen.to += room;
  plot->x = (MemlaneScale) { MEMLANE_SCALE_LOG2, exp2 (seen.from), exp2 (seen.to) };
}

/* A value that the y axis has a place for. */
static gboolean
is_placeable (const MemlanePlot *plot, double value)
{
  return isfinite (value) && (plot->chart->value_scale == MEMLANE_SCALE_LINEAR || value > 0);
}

static void
take_in (const MemlanePlot *plot, double value, double *low, double *high)
{
  if (!is_placeable (plot, value))
    return;
  *low = isnan (*low) ? value : MIN (*low, value);
  *high = isnan (*high) ? value : MAX (*high, value);
}

/* The largest value of a series between two exponents; NAN where it has none. */
static double
get_reach (const MemlanePlot *plot, const MemlaneSeries *series, MemlaneRange exponents)
{
  double low = NAN, high = NAN;

  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
    if (memlane_plot_is_between (point, exponents))
      take_in (plot, point->value, &low, &high);
  return high;
}

/* Data that never cross the link (device-resident) are worlds faster than what does, and on a
 * linear axis they would press everything else flat. A curve far above the ceiling therefore runs
 * out at the top of the figure, which is fitted to the others, and words say what it reaches. Not
 * so when nothing else is there, or when it is the one that is isolated. */
static void
choose_leaving (MemlanePlot *plot, MemlaneRange exponents)
{
  double ceiling = plot->chart->ceiling;
  gboolean others = FALSE, wanted = FALSE;

  if (plot->chart->quantity != MEMLANE_QUANTITY_BANDWIDTH
      || plot->chart->value_scale != MEMLANE_SCALE_LINEAR)
    return;
  /* a run without an environment: what is shown besides says how far the link goes */
  if (isnan (ceiling))
    MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
      if (!plotted->hidden && plotted->series->family != MEMLANE_FAMILY_BASELINE)
        ceiling = fmax (ceiling, get_reach (plot, plotted->series, exponents));
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    {
      double reach = plotted->hidden ? NAN : get_reach (plot, plotted->series, exponents);

      plotted->leaves = reach > LEAVING_SHARE * ceiling;
      others = others || (!isnan (reach) && !plotted->leaves);
      wanted = wanted || (plotted->leaves && plot->has_isolated && !plotted->faded);
    }
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    plotted->leaves = plotted->leaves && others && !wanted;
}

/* The range of what lies between two exponents, with the intervals, and the largest value itself;
 * NAN where nothing does. */
static void
get_range (const MemlanePlot *plot, MemlaneRange exponents, double *low, double *high,
           double *largest)
{
  double least = NAN, most = NAN;

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, plotted->series->points)
      if (!plotted->hidden && !plotted->leaves && memlane_plot_is_between (point, exponents))
        take_in (plot, point->value, &least, &most);
  *low = least;
  *high = *largest = most;
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, plotted->series->points)
      {
        if (isnan (most) || plotted->hidden || plotted->leaves
            || !memlane_plot_is_between (point, exponents))
          continue;
        if (is_placeable (plot, point->band_high))
          *high = MAX (*high, MIN (point->band_high, most * INTERVAL_SHARE));
        if (is_placeable (plot, point->band_low))
          *low = MIN (*low, MAX (point->band_low, least / INTERVAL_SHARE));
      }
}

/* Fits y to what is visible in the range of x; sets has_values. */
static void
choose_y (MemlanePlot *plot, const MemlaneView *view)
{
  const MemlaneChart *chart = plot->chart;
  MemlaneRange exponents = get_exponents (plot, view);
  double low, high, reach;

  if (!isfinite (view->y.to))
    choose_leaving (plot, exponents);
  get_range (plot, exponents, &low, &high, &reach);
  if (isnan (high))
    get_range (plot, (MemlaneRange) { -INFINITY, INFINITY }, &low, &high, &reach);
  /* all may be hidden */
  plot->has_values = !isnan (high) || (isfinite (view->y.from) && isfinite (view->y.to));
  if (plot->has_values && plot->form != MEMLANE_FORM_FAMILIES
      && reach >= CEILING_SHARE * chart->ceiling)
    take_in (plot, chart->ceiling, &low, &high);
  if (plot->has_values && chart->quantity == MEMLANE_QUANTITY_RATIO)
    take_in (plot, 1, &low, &high);

  plot->y = memlane_scale_fit (chart->value_scale, low, high);
  if (isfinite (view->y.from) && (chart->value_scale == MEMLANE_SCALE_LINEAR || view->y.from > 0))
    plot->y.from = view->y.from;
  if (isfinite (view->y.to) && (chart->value_scale == MEMLANE_SCALE_LINEAR || view->y.to > 0))
    plot->y.to = view->y.to;
  if (!(plot->y.from < plot->y.to))
    plot->y = memlane_scale_fit (chart->value_scale, low, high);
}

MEMLANE_DEFINE_ORDER (compare_places, MemlanePlacedPoint, RISING (x) RISING (series) RISING (point))

/* Collects the sizes that any series of @run has, or shall have. */
static void
collect_sizes (const MemlanePlottedSeries *run, GArray *sizes)
{
  g_array_set_size (sizes, 0);
  MEMLANE_FOR_EACH_OF_RUN (plotted, run)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, plotted->series->points)
      memlane_chart_place_size (sizes, point->log2_elements, TRUE);
  for (double size = run->series->first_planned; size <= run->series->last_planned; size++)
    memlane_chart_place_size (sizes, size, TRUE);
}

/* Once area and scales stand. A curve is interrupted where it lacks a size that its run has. */
static void
place_points (MemlanePlot *plot)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double)); /* of the run */
  const MemlaneRectangle *area = &plot->frame.area;

  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    {
      const MemlaneSeries *series = plotted->series;
      guint before = G_MAXUINT, place;

      if (plotted->run == plotted)
        collect_sizes (plotted, sizes);
      for (guint j = 0; plotted->drawn && j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = memlane_plot_chart_point (plot, plotted->index, j);
          MemlaneCoordinate here = {
            .x = memlane_plot_x (plot, point->elements),
            .y = memlane_plot_y (plot, point->value),
            .point = j,
            .hollow = point->noisy || series->role == MEMLANE_SERIES_PUBLISHED,
            .thin = point->extrapolated,
          };

          if (!isfinite (here.x) || !isfinite (here.y))
            {
              before = G_MAXUINT;
              continue;
            }
          here.y_low = is_placeable (plot, point->band_low) ? memlane_plot_y (plot, point->band_low)
                                                            : area->y + area->height;
          here.y_high = is_placeable (plot, point->band_high)
                            ? memlane_plot_y (plot, point->band_high)
                            : here.y;
          place = memlane_chart_place_size (sizes, point->log2_elements, FALSE);
          here.joined = series->role != MEMLANE_SERIES_PUBLISHED && before != G_MAXUINT
                        && place <= before + 1;
          here.inside = here.x >= area->x - 0.01 && here.x <= area->x + area->width + 0.01
                        && here.y >= area->y - 0.01 && here.y <= area->y + area->height + 0.01;
          before = place;
          g_array_append_val (plotted->coordinates, here);
          if (here.inside && !plotted->context)
            {
              MemlanePlacedPoint placed =
                  { plotted->index, j, here.x, here.y, here.y_low, here.y_high };
              g_array_append_val (plot->points, placed);
            }
        }
    }
  g_array_sort (plot->points, compare_places);
}

/* --- ticks and the words beside them ---------------------------------------------------------- */

/* Makes y_ticks for an area of @height px and returns the width of the widest label. */
static double
make_y_ticks (MemlanePlot *plot, double height)
{
  double widest = 0;
  guint most = plot->panel == MEMLANE_N_FAMILIES ? 6 : 4;

  g_clear_pointer (&plot->y_ticks, g_array_unref);
  plot->y_ticks = memlane_scale_ticks (&plot->y, plot->chart->unit,
                                       (guint) CLAMP (height / (2.6 * plot->frame.line), 2, most));
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, plot->y_ticks)
    if (tick->label != NULL)
      widest = MAX (widest, memlane_frame_measure (&plot->frame, FALSE, tick->label));
  return ceil (widest);
}

static void
place_y_ticks (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  MemlanePlot *plot = (MemlanePlot *) frame;
  double bottom = INFINITY;

  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, plot->y_ticks)
    {
      PangoLayout *layout;
      double width, height, y = memlane_plot_y (plot, tick->value);

      if (!plot->has_values || tick->label == NULL || !isfinite (y))
        continue;
      layout = memlane_frame_make_text (&plot->frame, plot->frame.style.text_size, FALSE,
                                        tick->label);
      memlane_figure_measure_text (layout, &width, &height);
      /* Upwards; on a logarithm two labels may come too near to each other. */
      if (y + height / 2 > bottom)
        {
          g_object_unref (layout);
          continue;
        }
      bottom = y - height / 2;
      memlane_frame_place_text (frame, MEMLANE_TEXT_Y_TICK, layout,
                                frame->area.x - 0.5 * frame->em - width, y - height / 2,
                                &frame->style.faint);
    }
}

typedef struct
{
  PangoLayout *layout;
  double centre, width;
} TickLabel;

/* The least stride at which neighbours keep their distance. */
static guint
choose_stride (const GArray *labels, double gap)
{
  for (guint stride = 1; stride < labels->len; stride++)
    {
      gboolean fits = TRUE;

      for (guint i = 0; fits && i + stride < labels->len; i += stride)
        {
          const TickLabel *left = &g_array_index (labels, TickLabel, i),
                          *right = &g_array_index (labels, TickLabel, i + stride);
          fits = right->centre - left->centre >= (left->width + right->width) / 2 + gap;
        }
      if (fits)
        return stride;
    }
  return MAX (labels->len, 1);
}

/* Places every n-th label so that none touches another, and drops the others. */
static void
place_tick_labels (MemlanePlot *plot, GArray *labels, double y)
{
  guint stride = choose_stride (labels, 0.8 * plot->frame.em);

  for (guint i = 0; i < labels->len; i++)
    {
      TickLabel *label = &g_array_index (labels, TickLabel, i);
      double x = CLAMP (label->centre - label->width / 2, 1,
                        MAX (plot->frame.width - label->width - 1, 1));

      if (i % stride == 0)
        memlane_frame_place_text (&plot->frame, MEMLANE_TEXT_X_BYTES, label->layout, x, y,
                                  &plot->frame.style.faint);
      else
        g_object_unref (label->layout);
    }
}

static void
place_x_ticks (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  MemlanePlot *plot = (MemlanePlot *) frame;
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (TickLabel));

  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, plot->x_ticks)
    {
      TickLabel label = { .centre = memlane_plot_x (plot, tick->value) };
      g_autofree char *text = memlane_unit_format (MEMLANE_UNIT_BYTES,
                                                   tick->value * plot->bytes_per_element, TRUE);

      if (tick->label == NULL)
        continue;
      label.layout = memlane_frame_make_text (frame, frame->style.text_size, FALSE, text);
      label.width = memlane_figure_text_width (label.layout);
      g_array_append_val (labels, label);
    }
  place_tick_labels (plot, labels, frame->area.y + frame->area.height + X_GAP * frame->em);
}

/* --- words inside the axes -------------------------------------------------------------------- */

static void
place_ceiling (MemlanePlot *plot)
{
  const MemlaneRectangle *area = &plot->frame.area;
  double y = memlane_plot_y (plot, plot->chart->ceiling);
  MemlaneRectangle wanted = { area->x + 0.5 * plot->frame.em };
  g_autoptr (PangoLayout) layout = NULL;

  plot->ceiling_y = NAN;
  /* Small plots compare families. */
  if (plot->panel != MEMLANE_N_FAMILIES || !plot->has_values
      || !(y >= area->y && y <= area->y + area->height))
    return;
  plot->ceiling_y = y;
  /* Bandwidth rises to the right: the left end is where nothing is in the way. */
  layout = memlane_frame_make_text (&plot->frame, plot->frame.small, FALSE,
                                    plot->chart->ceiling_label);
  memlane_figure_measure_text (layout, &wanted.width, &wanted.height);
  wanted.y = y - wanted.height - 1;
  if (!memlane_frame_is_free (&plot->frame, &wanted))
    wanted.y = y + 2;
  /* In a small figure the line must do: words across all of it would hide the curves. */
  if (plot->has_axis_text && wanted.width < 0.6 * area->width
      && memlane_frame_is_free (&plot->frame, &wanted))
    memlane_frame_place_text (&plot->frame, MEMLANE_TEXT_CEILING, g_steal_pointer (&layout),
                              wanted.x, wanted.y, &plot->frame.style.ceiling);
}

/* Marks on the axis, with words, the size at which the workload leaves the device's L2 cache. */
static void
place_cache (MemlanePlot *plot)
{
  double x = memlane_plot_x (plot, plot->chart->cache_elements);
  MemlaneRectangle wanted;
  g_autoptr (PangoLayout) layout = NULL;

  plot->cache_x = NAN;
  if (plot->panel != MEMLANE_N_FAMILIES || plot->chart->cache_label == NULL || !plot->has_axis_text
      || !plot->has_values
      || !(x > plot->frame.area.x && x < plot->frame.area.x + plot->frame.area.width))
    return;
  layout = memlane_frame_make_text (&plot->frame, plot->frame.small, FALSE,
                                    plot->chart->cache_label);
  memlane_figure_measure_text (layout, &wanted.width, &wanted.height);
  wanted.x = x + 0.3 * plot->frame.em;
  if (wanted.x + wanted.width > plot->frame.area.x + plot->frame.area.width)
    wanted.x = x - 0.3 * plot->frame.em - wanted.width;
  wanted.y = plot->frame.area.y + plot->frame.area.height - wanted.height - 0.2 * plot->frame.em;
  if (wanted.width < 0.4 * plot->frame.area.width && wanted.x > plot->frame.area.x
      && memlane_frame_is_free (&plot->frame, &wanted))
    {
      plot->cache_x = x;
      memlane_frame_place_text (&plot->frame, MEMLANE_TEXT_CEILING, g_steal_pointer (&layout),
                                wanted.x, wanted.y, &plot->frame.style.faint);
    }
}

/* --- a plot from its birth to its end --------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (MemlanePlottedSeries, static void clear_series (gpointer data),
                      OWNS (coordinates, g_array_unref) OWNS (label, g_object_unref))

MEMLANE_DEFINE_FREE (MemlanePlot, void memlane_plot_free (MemlanePlot *data),
                     OWNS (x_ticks, g_array_unref) OWNS (y_ticks, g_array_unref)
                         OWNS (series, g_array_unref) OWNS (points, g_array_unref)
                             OWNS (leaders, g_array_unref) OWNS (panels, g_ptr_array_unref)
                                 OWNS (sketches, g_ptr_array_unref)
                                     OWNS (chart, memlane_chart_unref)
                                         memlane_frame_clear (&self->frame);)

/* Makes a plot with everything that does not depend on what else is in the figure. */
static MemlanePlot *
plot_new (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style,
          double width, double height, PangoContext *pango)
{
  MemlanePlot *plot = g_new (MemlanePlot, 1);

  *plot = (MemlanePlot) {
    .chart = memlane_chart_ref ((MemlaneChart *) chart),
    .form = view->form,
    .sketches = view->sketches != NULL ? g_ptr_array_ref ((GPtrArray *) view->sketches) : NULL,
    .panel = MEMLANE_N_FAMILIES,
    .hover = MEMLANE_N_FAMILIES,
    .series = g_array_new (FALSE, TRUE, sizeof (MemlanePlottedSeries)),
    .points = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedPoint)),
    .leaders = g_array_new (FALSE, FALSE, sizeof (MemlaneLeader)),
    .x_ticks = g_array_new (FALSE, TRUE, sizeof (MemlaneTick)),
    .y_ticks = g_array_new (FALSE, TRUE, sizeof (MemlaneTick)),
  };
  memlane_frame_init (&plot->frame, style, width, height, pango);
  g_array_set_clear_func (plot->series, clear_series);
  plot->frame.sample_width = round (MAX (3.2 * plot->frame.em, 9 * plot->frame.style.line_width));
  plot->frame.sample_height = round (MAX (plot->frame.em, 2.4 * plot->frame.style.marker_radius));
  choose_series (plot, view);
  return plot;
}

/* --- the words around the axes ---------------------------------------------------------------- */

/* Names what the vertical axis shows, and in which unit. (transfer full) */
static char *
make_axis_title (const MemlanePlot *plot)
{
  if (plot->chart->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    return g_strdup_printf (_("Bandwidth (%s)"),
                            memlane_scale_axis_unit (&plot->y, plot->chart->unit));
  return g_strdup (plot->chart->quantity == MEMLANE_QUANTITY_TIME ? _("Time") : plot->chart->axis);
}

/* Adds a row to the legend for each run whose curves are in the figure, by the first of them that
 * is seen. Labels at the right ends name the lines. */
static void
add_runs (MemlanePlot *plot)
{
  gboolean several = FALSE;

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    several = several || (!plotted->hidden && plotted->series->role != MEMLANE_SERIES_MEASURED);
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, run, plot->series)
    {
      const MemlanePlottedSeries *first = NULL;

      if (!several || run->run != run || run->series->source == NULL)
        continue;
      MEMLANE_FOR_EACH_OF_RUN (plotted, run)
        if (!plotted->hidden && (first == NULL || (plotted->shown && !first->shown)))
          first = plotted;
      if (first != NULL)
        memlane_frame_add_entry (&plot->frame, FALSE, first->index, g_strdup (run->series->source));
    }
}

/* Fills in what the frame says: the title is the headline, where there is one; then the subtitle
 * says what is shown. The wall has the curves alone. */
static void
choose_words (MemlanePlot *plot, const MemlaneView *view)
{
  const MemlaneChart *chart = plot->chart;
  const char *machine = chart->subtitle != NULL ? chart->subtitle : "";
  const char *title = view->title != NULL       ? view->title
                      : chart->headline != NULL ? chart->headline
                                                : chart->title;
  gboolean titled = g_strcmp0 (title, chart->title) == 0;

  plot->frame.title = g_strdup (title);
  if (plot->panel != MEMLANE_N_FAMILIES)
    return;
  plot->frame.simulated = chart->simulated;
  if (!view->no_caption)
    plot->frame.subtitle = g_strconcat (titled ? "" : chart->title,
                                        titled || *machine == '\0' ? "" : " · ", machine, NULL);
  if (!view->no_caption && !plot->frame.wall)
    plot->frame.note = g_strdup (chart->note);
  if (plot->has_values)
    plot->frame.unit = make_axis_title (plot);
  plot->frame.caption = g_strdup (_("Vector size"));
  add_runs (plot);
}

/* Half of a tick's label rises above the axis. */
static double
measure_overhang (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return (memlane_frame_has (frame, MEMLANE_TEXT_UNIT) ? 0.2 : 0.7) * frame->em;
}

static double
measure_x_ticks (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return X_GAP * frame->em + frame->line;
}

/* The last label of the horizontal axis is wider than what it stands below. */
static double
measure_labels (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return MAX (((const MemlanePlot *) frame)->label_width, 0.8 * frame->em);
}

static double
measure_y_ticks (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  MemlanePlot *plot = (MemlanePlot *) frame;
  double width = make_y_ticks (plot, room->height);

  return plot->has_values ? width + 0.5 * frame->em : frame->em;
}

static const MemlaneBand bands[] = {
  { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP, 5 },
  { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP, 6, 8 },
  { MEMLANE_TEXT_NOTE, MEMLANE_SIDE_BOTTOM, 7 },
  { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_BOTTOM, 4 },
  { MEMLANE_TEXT_UNIT, MEMLANE_SIDE_TOP, 2 },
  { MEMLANE_TEXT_CONTENT, MEMLANE_SIDE_TOP, 1, 0, measure_overhang },
  { MEMLANE_TEXT_CAPTION, MEMLANE_SIDE_BOTTOM, 7 },
  { MEMLANE_TEXT_X_BYTES, MEMLANE_SIDE_BOTTOM, 1, 0, measure_x_ticks, place_x_ticks },
  { MEMLANE_TEXT_LABEL, MEMLANE_SIDE_RIGHT, 0, 0, measure_labels },
  { MEMLANE_TEXT_Y_TICK, MEMLANE_SIDE_LEFT, 1, 0, measure_y_ticks, place_y_ticks },
};

static void
make_x_ticks (MemlanePlot *plot)
{
  guint most = (guint) CLAMP (plot->frame.area.width / (2.2 * plot->frame.em), 1, 64);

  g_array_unref (plot->x_ticks);
  plot->x_ticks = memlane_scale_ticks (&plot->x, MEMLANE_UNIT_ELEMENTS, most);
}

/* A title that tells the end would spoil what is still to be revealed. */
static gboolean
is_partly_revealed (const MemlanePlot *plot)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    if (!plotted->hidden && !plotted->shown && plotted->series->role == MEMLANE_SERIES_MEASURED)
      return plot->chart->headline != NULL;
  return FALSE;
}

/* Axes, curves and what belongs to them, in the whole of @plot. */
static void
lay_out_axes (MemlanePlot *plot, const MemlaneView *view)
{
  memlane_plot_choose_lines (plot, view);
  choose_y (plot, view);
  memlane_plot_make_labels (plot, view, get_exponents (plot, view));
  choose_words (plot, view);
  memlane_frame_fit (&plot->frame, bands, G_N_ELEMENTS (bands));
  plot->has_axis_text = memlane_frame_has (&plot->frame, MEMLANE_TEXT_X_BYTES);
  if (!plot->has_axis_text)
    make_y_ticks (plot, plot->frame.area.height);
  choose_x (plot, view, plot->frame.area.width);
  make_x_ticks (plot);
  if (is_partly_revealed (plot))
    memlane_frame_replace_text (&plot->frame, MEMLANE_TEXT_TITLE, _("Which mode is the fastest?"));
  memlane_frame_place (&plot->frame);
  place_ceiling (plot);
  place_cache (plot);
  place_points (plot);
  memlane_plot_widen_bands (plot);
  memlane_plot_place_labels (plot);
  if (plot->panel != MEMLANE_N_FAMILIES)
    memlane_plot_place_members (plot);
  else if (plot->chart->trouble != NULL)
    memlane_frame_place_empty (&plot->frame, plot->chart->trouble);
}

/* --- small plots, one for each family --------------------------------------------------------- */

/* The families that are shown, without the baseline: it has the scale of another world. */
static guint
collect_panels (const MemlanePlot *plot, MemlaneFamily *families)
{
  guint n = 0;

  for (MemlaneFamily family = 0; family < MEMLANE_N_FAMILIES; family++)
    if (family != MEMLANE_FAMILY_BASELINE && memlane_plot_has_family (plot, family))
      families[n++] = family;
  return n;
}

static MemlanePlot *
lay_out_panel (const MemlanePlot *plot, const MemlaneView *view, MemlaneFamily family,
               const MemlaneRectangle *place)
{
  MemlaneStyle style = plot->frame.style; /* as large as in the figure */
  MemlaneView own = *view;
  MemlanePlot *panel;

  own.focus = family;
  own.title = memlane_chart_family_title (family);
  if (plot->frame.wall)
    style.kind = style.dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN;
  panel = plot_new (plot->chart, &own, &style, place->width, place->height, plot->frame.pango);
  panel->panel = family;
  panel->place = *place;
  panel->frame.pad = MIN (panel->frame.pad, round (0.4 * plot->frame.em));
  panel->frame.title_size = 1;
  panel->frame.title_color = memlane_color_readable (
      memlane_family_color (family, &plot->frame.style), &plot->frame.style);
  if (plot->frame.wall)
    panel->frame.small = style.text_size;
  lay_out_axes (panel, &own);
  return panel;
}

static void
lay_out_panels (MemlanePlot *plot, const MemlaneView *view)
{
  static const MemlaneBand around[] = {
    { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP },   { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP },
    { MEMLANE_TEXT_NOTE, MEMLANE_SIDE_BOTTOM }, { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_BOTTOM },
    { MEMLANE_TEXT_UNIT, MEMLANE_SIDE_TOP },
  };
  MemlaneFamily families[MEMLANE_N_FAMILIES];
  guint n = collect_panels (plot, families), columns, rows;
  double gap = plot->frame.em, width, height;

  memlane_plot_choose_lines (plot, view);
  choose_y (plot, view);
  choose_words (plot, view);
  plot->frame.least_width = plot->frame.least_height = 0;
  memlane_frame_fit (&plot->frame, around, G_N_ELEMENTS (around));
  choose_x (plot, view, plot->frame.area.width);
  memlane_frame_place (&plot->frame);
  columns = n <= 2 ? n : n == 4 ? 2 : 3;
  if (plot->frame.width < plot->frame.height)
    columns = MIN (columns, 2);
  rows = (n + columns - 1) / MAX (columns, 1);
  width = floor ((plot->frame.area.width - (columns - 1) * gap) / columns);
  height = floor (plot->frame.area.height / rows);
  plot->panels = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_plot_free);
  for (guint i = 0; i < n; i++)
    {
      MemlaneRectangle place = { plot->frame.area.x + i % columns * (width + gap),
                                 plot->frame.area.y + i / columns * height, width, height };

      g_ptr_array_add (plot->panels, lay_out_panel (plot, view, families[i], &place));
    }
}

/* --- what others may know --------------------------------------------------------------------- */

MemlanePlotAxes
memlane_plot_get_axes (const MemlanePlot *plot)
{
  return (MemlanePlotAxes) { &plot->frame.area, &plot->x, &plot->y, plot->panels != NULL };
}

void
memlane_plot_set_hover (MemlanePlot *plot, MemlaneFamily family)
{
  plot->hover = family;
}

/* --- the figure as others draw it ------------------------------------------------------------- */

typedef struct
{
  MemlaneChart *chart;
  MemlaneView view;
} ChartDrawing;

static gpointer
lay_out (gconstpointer content, const MemlaneStyle *style, double width, double height,
         PangoContext *pango)
{
  const MemlaneView *view = &((const ChartDrawing *) content)->view;
  MemlanePlot *plot = plot_new (((const ChartDrawing *) content)->chart, view, style, width, height,
                                pango);
  MemlaneFamily families[MEMLANE_N_FAMILIES];

  plot->hover = view->hover;
  if (plot->form == MEMLANE_FORM_FAMILIES
      && (collect_panels (plot, families) < 2 || memlane_plot_has_family (plot, view->focus)
          || plot->frame.width < 30 * plot->frame.em || plot->frame.height < 20 * plot->frame.em))
    /* there is nothing to lay side by side, no room to do so, or one family is asked for */
    plot->form = MEMLANE_FORM_OVERVIEW;
  if (plot->form == MEMLANE_FORM_FAMILIES)
    lay_out_panels (plot, view);
  else
    lay_out_axes (plot, view);
  return plot;
}

static char *
name_drawing (gconstpointer content)
{
  const char *workload = ((const ChartDrawing *) content)->chart->workload;

  return g_strdup (workload != NULL ? workload : "memlane");
}

static char *
get_drawing_title (gconstpointer content)
{
  const ChartDrawing *self = content;
  const char *title = self->view.title != NULL && *self->view.title != '\0' ? self->view.title
                                                                            : self->chart->title;

  return g_strdup (title != NULL ? title : "");
}

static char *
describe_drawing (gconstpointer content)
{
  return memlane_chart_describe (((const ChartDrawing *) content)->chart);
}

/* Writes a row for each point that is drawn, in the units of a run's CSV. */
static char *
write_drawing (gconstpointer content)
{
  static const char *const units[] = { "bytes_per_s", "ns", "ratio" };
  const MemlaneChart *chart = ((const ChartDrawing *) content)->chart;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "run,mode,log2_elements,bytes,%s,low,high,noisy\n",
                          units[chart->quantity]);
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      {
        const double numbers[] = { point->bytes, point->value, point->low, point->high };

        memlane_drawing_append_csv (text, series->source);
        g_string_append_printf (text, ",%s,%.10g", series->mode, point->log2_elements);
        for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
          {
            char number[G_ASCII_DTOSTR_BUF_SIZE];

            g_string_append_printf (text, ",%s",
                                    g_ascii_formatd (number, sizeof number, "%.9g", numbers[k]));
          }
        g_string_append_printf (text, ",%d\n", point->noisy);
      }
  return g_string_free (text, FALSE);
}

static char *
explain_drawing (gconstpointer content)
{
  const ChartDrawing *self = content;
  const MemlaneChart *chart = self->chart;
  /* Translators: a caption: how to read the figure; a remark; machine, driver and date */
  g_autofree char *reading =
    g_strdup_printf (_("Lines are estimates; bands contain the modes of a family and the "
                       "intervals. %s %s."), chart->note != NULL ? chart->note : "",
                     chart->subtitle != NULL ? chart->subtitle : "");

  return g_strconcat (chart->headline != NULL ? chart->headline : "",
                      chart->headline != NULL ? ". " : "", reading, NULL);
}

static MemlaneDrawing *
entitle_drawing (gconstpointer content, const char *title, gboolean caption)
{
  const ChartDrawing *self = content;
  MemlaneView view = self->view;

  view.title = title;
  view.no_caption = !caption;
  return memlane_plot_drawing_new (self->chart, &view);
}

MEMLANE_DEFINE_FREE (ChartDrawing, static void free_drawing (gpointer data),
                     OWNS (chart, memlane_chart_unref) g_free ((char *) self->view.isolated);
                     g_free ((char *) self->view.title); g_strfreev ((char **) self->view.hidden);
                     g_clear_pointer ((GPtrArray **) &self->view.sketches,
                                      g_ptr_array_unref);)

MemlaneDrawing *
memlane_plot_drawing_new (MemlaneChart *chart, const MemlaneView *view)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_plot_draw,
    .free_layout = (GDestroyNotify) memlane_plot_free,
    .name = name_drawing,
    .title = get_drawing_title,
    .describe = describe_drawing,
    .entitle = entitle_drawing,
    .to_csv = write_drawing,
    .explain = explain_drawing,
    .free = free_drawing,
  };
  ChartDrawing *self = g_new0 (ChartDrawing, 1);

  self->chart = memlane_chart_ref (chart);
  self->view = view != NULL ? *view : (MemlaneView) MEMLANE_VIEW_FIT;
  self->view.isolated = g_strdup (self->view.isolated);
  self->view.title = g_strdup (self->view.title);
  self->view.hidden = (const char *const *) g_strdupv ((char **) self->view.hidden);
  if (self->view.sketches != NULL)
    g_ptr_array_ref ((GPtrArray *) self->view.sketches);
  return memlane_drawing_new (&klass, self);
}
