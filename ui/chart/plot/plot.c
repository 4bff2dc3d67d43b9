/* plot.c: a chart in a figure: which series are seen, in which range, and what stands where
 *
 * SPDX-License-Identifier: MIT
 *
 * From the outside in: title and legend take their room from the figure, the words beside the axes from what is left, and the area inside
 * the axes is the rest. Where the rest would be too small, the extras are given up one after the other.
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LEAST_FOR_STRIP 22 /* em of height */
#define TITLE_SIZE 1.25
#define WATERMARK_SHARE 0.8 /* of the area that its turned rectangle takes */

/* The range of values. */
#define LEAVING_SHARE 2     /* of the ceiling: both directions of the link at once come no further */
#define CEILING_SHARE 0.2   /* a ceiling is worth its room once the data come near it */
#define INTERVAL_SHARE 1.25 /* an interval may widen the range by so much; then it is cut, lest one noisy cell flattens every curve */

/* Words inside the axes. */
#define MOST_LEAVING 3 /* more would hide what they are about */
#define MOST_ROWS 8    /* half lines that the words go down for a free place */

/* --- which series are seen, and in which range -------------------------------------------------------------------- */

/* The series that projector mode reveals one by one: those of the first run, or all where there is none. */
static gboolean
is_leader (const MemlaneChart *chart, const MemlaneSeries *series)
{
  if (series->role == MEMLANE_SERIES_MEASURED)
    return TRUE;
  for (guint i = 0; i < chart->series->len; i++)
    if (((const MemlaneSeries *) chart->series->pdata[i])->role == MEMLANE_SERIES_MEASURED)
      return FALSE;
  return TRUE;
}

/* Overlays come with the mode that they are compared with. */
static gboolean
follows_shown (const MemlanePlot *plot, const MemlaneSeries *series, gboolean all_revealed)
{
  for (guint i = 0; i < plot->chart->series->len; i++)
    {
      const MemlaneSeries *leader = memlane_plot_chart_series (plot, i);

      if (leader->role == MEMLANE_SERIES_MEASURED && strcmp (leader->mode, series->mode) == 0)
        return memlane_plot_series (plot, i)->hidden ? all_revealed : memlane_plot_series (plot, i)->shown;
    }
  return all_revealed;
}

static void
choose_series (MemlanePlot *plot, const MemlaneView *view)
{
  const MemlaneChart *chart = plot->chart;
  guint leaders = 0;
  gboolean all_revealed, isolated = FALSE;

  g_array_set_size (plot->series, chart->series->len);
  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);

      plotted->hidden = view->hidden != NULL && g_hash_table_contains ((GHashTable *) view->hidden, series->id);
      plotted->curve = memlane_curve_style_for_mode (series->mode, &plot->style);
      plotted->coordinates = g_array_new (FALSE, FALSE, sizeof (MemlaneCoordinate));
      if (!plotted->hidden && is_leader (chart, series))
        plotted->shown = view->revealed < 0 || leaders++ < (guint) view->revealed;
    }
  all_revealed = view->revealed < 0 || leaders <= (guint) view->revealed;
  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);

      if (!plotted->hidden && !is_leader (chart, series))
        plotted->shown = follows_shown (plot, series, all_revealed);
      isolated = isolated || (plotted->shown && memlane_view_isolates (view, series->id));
    }
  plot->has_isolated = isolated;
  for (guint i = 0; isolated && i < chart->series->len; i++)
    memlane_plot_series (plot, i)->faded = !memlane_view_isolates (view, memlane_plot_chart_series (plot, i)->id);

  plot->bytes_per_element = sizeof (float);
  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);

      if (series->points->len > 0 && memlane_plot_chart_point (plot, i, 0)->elements > 0)
        {
          plot->bytes_per_element = memlane_plot_chart_point (plot, i, 0)->bytes / memlane_plot_chart_point (plot, i, 0)->elements;
          break;
        }
    }
}

/* The exponents seen, before room is kept at the ends. */
static void
get_exponents (const MemlanePlot *plot, const MemlaneView *view, double *from, double *to)
{
  double first = plot->chart->first_log2, last = plot->chart->last_log2;

  if (last < first || last == 0)
    {
      first = 10;
      last = 20;
    }
  *from = isfinite (view->x_from) ? CLAMP (view->x_from, -1, 63) : first;
  *to = isfinite (view->x_to) ? CLAMP (view->x_to, -1, 63) : last;
  if (*to - *from < 1e-3)
    {
      double middle = (*from + *to) / 2;

      *from = middle - 0.5;
      *to = middle + 0.5;
    }
}

/* The range of x for an area of @width px. */
static void
choose_x (MemlanePlot *plot, const MemlaneView *view, double width)
{
  double from, to, room, inset = MAX (2.2 * plot->style.marker_radius, 0.7 * plot->em * plot->text_scale);

  get_exponents (plot, view, &from, &to);
  /* A marker at the first size must not sit on the axis; whoever zooms gets what was drawn. */
  room = (to - from) * inset / MAX (width - 2 * inset, inset);
  plot->x_is_fitted = !isfinite (view->x_from) && !isfinite (view->x_to);
  if (!isfinite (view->x_from))
    from -= room;
  if (!isfinite (view->x_to))
    to += room;
  plot->x = (MemlaneScale){ MEMLANE_SCALE_LOG2, exp2 (from), exp2 (to) };
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
get_reach (const MemlanePlot *plot, guint series, double from, double to)
{
  double low = NAN, high = NAN;

  for (guint j = 0; j < memlane_plot_chart_series (plot, series)->points->len; j++)
    {
      const MemlaneChartPoint *point = memlane_plot_chart_point (plot, series, j);

      if (point->log2_elements >= from - 1e-9 && point->log2_elements <= to + 1e-9)
        take_in (plot, point->value, &low, &high);
    }
  return high;
}

/* Data that never cross the link (device-resident) are worlds faster than what does, and on a linear axis they would press everything else
 * flat. A curve far above the ceiling therefore runs out at the top of the figure, which is fitted to the others, and words say what it
 * reaches. Not so when nothing else is there, or when it is the one that is isolated. */
static void
choose_leaving (MemlanePlot *plot, double from, double to)
{
  double ceiling = NAN;
  gboolean others = FALSE, wanted = FALSE;

  if (plot->chart->quantity != MEMLANE_QUANTITY_BANDWIDTH || plot->chart->value_scale != MEMLANE_SCALE_LINEAR)
    return;
  for (guint i = 0; i < plot->chart->ceilings->len; i++)
    ceiling = fmin (ceiling, ((const MemlaneCeiling *) plot->chart->ceilings->pdata[i])->value);
  if (isnan (ceiling)) /* a run without an environment: what is shown besides says how far the link goes */
    for (guint i = 0; i < plot->series->len; i++)
      if (!memlane_plot_series (plot, i)->hidden && memlane_plot_chart_series (plot, i)->family != MEMLANE_FAMILY_BASELINE)
        ceiling = fmax (ceiling, get_reach (plot, i, from, to));
  for (guint i = 0; !isnan (ceiling) && i < plot->series->len; i++)
    {
      MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
      double reach = plotted->hidden ? NAN : get_reach (plot, i, from, to);

      plotted->leaves = reach > LEAVING_SHARE * ceiling;
      others = others || (!isnan (reach) && !plotted->leaves);
      wanted = wanted || (plotted->leaves && plot->has_isolated && !plotted->faded);
    }
  for (guint i = 0; (!others || wanted) && i < plot->series->len; i++)
    memlane_plot_series (plot, i)->leaves = FALSE;
}

static gboolean
counts (const MemlanePlot *plot, guint series)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, series);

  return !plotted->hidden && !plotted->leaves;
}

/* The range of what lies between two exponents, with the intervals, and the largest value itself; NAN where nothing does. */
static void
get_range (const MemlanePlot *plot, double from, double to, double *low, double *high, double *largest)
{
  double least = NAN, most = NAN;

  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);

      for (guint j = 0; counts (plot, i) && j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = memlane_plot_chart_point (plot, i, j);

          if (point->log2_elements >= from - 1e-9 && point->log2_elements <= to + 1e-9)
            take_in (plot, point->value, &least, &most);
        }
    }
  *low = least;
  *high = *largest = most;
  for (guint i = 0; !isnan (most) && i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);

      for (guint j = 0; counts (plot, i) && j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = memlane_plot_chart_point (plot, i, j);

          if (point->log2_elements < from - 1e-9 || point->log2_elements > to + 1e-9)
            continue;
          if (is_placeable (plot, point->high))
            *high = MAX (*high, MIN (point->high, most * INTERVAL_SHARE));
          if (is_placeable (plot, point->low))
            *low = MIN (*low, MAX (point->low, least / INTERVAL_SHARE));
        }
    }
}

/* Fits y to what is visible in the range of x; sets has_values. */
static void
choose_y (MemlanePlot *plot, const MemlaneView *view)
{
  const MemlaneChart *chart = plot->chart;
  double from, to, low, high, reach;

  get_exponents (plot, view, &from, &to);
  if (!isfinite (view->y_to))
    choose_leaving (plot, from, to);
  get_range (plot, from, to, &low, &high, &reach);
  if (isnan (high))
    get_range (plot, -INFINITY, INFINITY, &low, &high, &reach);
  plot->has_values = !isnan (high);
  for (guint i = 0; plot->has_values && plot->form != MEMLANE_FORM_FAMILIES && i < chart->ceilings->len; i++)
    {
      const MemlaneCeiling *ceiling = chart->ceilings->pdata[i];

      if (reach >= CEILING_SHARE * ceiling->value)
        take_in (plot, ceiling->value, &low, &high);
    }
  if (plot->has_values && chart->quantity == MEMLANE_QUANTITY_RATIO)
    take_in (plot, 1, &low, &high);

  plot->y = memlane_scale_fit (chart->value_scale, low, high);
  if (isfinite (view->y_from) && (chart->value_scale == MEMLANE_SCALE_LINEAR || view->y_from > 0))
    plot->y.from = view->y_from;
  if (isfinite (view->y_to) && (chart->value_scale == MEMLANE_SCALE_LINEAR || view->y_to > 0))
    plot->y.to = view->y_to;
  if (!(plot->y.from < plot->y.to))
    plot->y = memlane_scale_fit (chart->value_scale, low, high);
}

/* For each family the sizes that any of its series has: a set of bits. A curve without a size that its run has is interrupted there. */
static GHashTable *
collect_sizes (const MemlanePlot *plot)
{
  GHashTable *sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      g_autofree char *family = memlane_view_family (series->id);
      guint64 *bits = g_hash_table_lookup (sizes, family);

      if (bits == NULL)
        {
          bits = g_new0 (guint64, 1);
          g_hash_table_insert (sizes, g_steal_pointer (&family), bits);
        }
      for (guint j = 0; j < series->points->len; j++)
        *bits |= G_GUINT64_CONSTANT (1) << MIN (memlane_plot_chart_point (plot, i, j)->log2_elements, 63);
    }
  return sizes;
}

static gboolean
follows (guint64 sizes, guint before, guint here)
{
  for (guint size = before + 1; size < here; size++)
    if (sizes & (G_GUINT64_CONSTANT (1) << MIN (size, 63)))
      return FALSE;
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const MemlanePlacedPoint *left = a, *right = b;

  if (left->x != right->x)
    return left->x < right->x ? -1 : 1;
  if (left->series != right->series)
    return left->series < right->series ? -1 : 1;
  return left->point < right->point ? -1 : left->point > right->point;
}

/* Once area and scales stand. */
static void
place_points (MemlanePlot *plot)
{
  g_autoptr (GHashTable) sizes = collect_sizes (plot);
  const MemlaneRectangle *area = &plot->area;

  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
      g_autofree char *family = memlane_view_family (series->id);
      guint64 family_sizes = *(guint64 *) g_hash_table_lookup (sizes, family);
      guint before = G_MAXUINT;

      for (guint j = 0; plotted->drawn && j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = memlane_plot_chart_point (plot, i, j);
          MemlaneCoordinate here = { memlane_plot_x (plot, point->elements), memlane_plot_y (plot, point->value), .point = j };

          if (!isfinite (here.x) || !isfinite (here.y))
            {
              before = G_MAXUINT;
              continue;
            }
          here.y_low = is_placeable (plot, point->low) ? memlane_plot_y (plot, point->low) : area->y + area->height;
          here.y_high = is_placeable (plot, point->high) ? memlane_plot_y (plot, point->high) : here.y;
          here.joined = before != G_MAXUINT && follows (family_sizes, before, point->log2_elements);
          here.hollow = point->noisy || series->role == MEMLANE_SERIES_PUBLISHED;
          here.thin = point->extrapolated;
          here.inside = here.x >= area->x - 0.01 && here.x <= area->x + area->width + 0.01 && here.y >= area->y - 0.01
                        && here.y <= area->y + area->height + 0.01;
          before = point->log2_elements;
          g_array_append_val (plotted->coordinates, here);
          if (here.inside && !plotted->context)
            {
              MemlanePlacedPoint placed = { i, j, here.x, here.y, here.y_low, here.y_high };
              g_array_append_val (plot->points, placed);
            }
        }
    }
  g_array_sort (plot->points, compare_places);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* A layout in the plot's font, @size px at text of 100 %. (transfer full) */
static PangoLayout *
make_text (const MemlanePlot *plot, double size, gboolean bold, const char *text)
{
  return memlane_figure_make_text (plot->pango, size, bold, text);
}

void
memlane_plot_place_text (MemlanePlot *plot, MemlaneTextRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color)
{
  MemlanePlacedText text = { role, layout, { x, y, 0, 0 }, *color, G_MAXUINT };

  memlane_figure_measure_text (layout, &text.area.width, &text.area.height);
  g_array_append_val (plot->texts, text);
}

/* --- ticks and the words beside them ------------------------------------------------------------------------------ */

/* Makes y_ticks for an area of @height px and returns the width of the widest label. */
static double
make_y_ticks (MemlanePlot *plot, double height)
{
  double widest = 0;
  guint most = plot->form == MEMLANE_FORM_MODES ? 11 : plot->panel == MEMLANE_N_FAMILIES ? 6 : 4;

  g_clear_pointer (&plot->y_ticks, g_array_unref);
  plot->y_ticks = memlane_scale_ticks (&plot->y, plot->chart->unit, (guint) CLAMP (height / (2.6 * plot->line), 2, most));
  for (guint i = 0; i < plot->y_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->y_ticks, MemlaneTick, i);

      if (tick->label != NULL)
        {
          g_autoptr (PangoLayout) layout = make_text (plot, plot->style.text_size, FALSE, tick->label);
          double width;

          memlane_figure_measure_text (layout, &width, NULL);
          widest = MAX (widest, width);
        }
    }
  return ceil (widest);
}

static void
place_y_ticks (MemlanePlot *plot)
{
  double bottom = INFINITY;

  for (guint i = 0; i < plot->y_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->y_ticks, MemlaneTick, i);
      PangoLayout *layout;
      double width, height, y = memlane_plot_y (plot, tick->value);

      if (tick->label == NULL || !isfinite (y))
        continue;
      layout = make_text (plot, plot->style.text_size, FALSE, tick->label);
      memlane_figure_measure_text (layout, &width, &height);
      /* Upwards; on a logarithm two labels may come too near to each other. */
      if (y + height / 2 > bottom)
        {
          g_object_unref (layout);
          continue;
        }
      bottom = y - height / 2;
      memlane_plot_place_text (plot, MEMLANE_TEXT_Y_TICK, layout, plot->area.x - 0.5 * plot->em - width, y - height / 2,
                  &plot->style.faint);
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
          const TickLabel *left = &g_array_index (labels, TickLabel, i), *right = &g_array_index (labels, TickLabel, i + stride);
          fits = right->centre - left->centre >= (left->width + right->width) / 2 + gap;
        }
      if (fits)
        return stride;
    }
  return MAX (labels->len, 1);
}

/* Places every n-th label so that none touches another; the others are dropped. Returns n. */
static guint
place_tick_labels (MemlanePlot *plot, MemlaneTextRole role, GArray *labels, double y, const MemlaneColor *color)
{
  guint stride = choose_stride (labels, 0.8 * plot->em);

  for (guint i = 0; i < labels->len; i++)
    {
      TickLabel *label = &g_array_index (labels, TickLabel, i);
      double x = CLAMP (label->centre - label->width / 2, 1, MAX (plot->width - label->width - 1, 1));

      if (i % stride == 0)
        memlane_plot_place_text (plot, role, label->layout, x, y, color);
      else
        g_object_unref (label->layout);
    }
  return stride;
}

static void
place_x_ticks (MemlanePlot *plot, gboolean with_bytes)
{
  g_autoptr (GArray) powers = g_array_new (FALSE, FALSE, sizeof (TickLabel));
  g_autoptr (GArray) bytes = g_array_new (FALSE, FALSE, sizeof (TickLabel));
  double y = plot->area.y + plot->area.height + plot->x_gap;

  plot->x_ticks = memlane_scale_ticks (&plot->x, MEMLANE_UNIT_ELEMENTS, (guint) CLAMP (plot->area.width / (2.2 * plot->em), 1, 64));
  for (guint i = 0; plot->has_axis_text && i < plot->x_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->x_ticks, MemlaneTick, i);
      TickLabel label = { .centre = memlane_plot_x (plot, tick->value) };

      if (tick->label == NULL)
        continue;
      if (plot->form == MEMLANE_FORM_MODES)
        {
          label.layout = make_text (plot, plot->style.text_size, FALSE, tick->label);
          memlane_figure_measure_text (label.layout, &label.width, NULL);
          g_array_append_val (powers, label);
        }
      if (with_bytes)
        {
          g_autofree char *text = memlane_unit_format (MEMLANE_UNIT_BYTES, tick->value * plot->bytes_per_element, TRUE);

          label.layout = make_text (plot, plot->form == MEMLANE_FORM_MODES ? plot->small : plot->style.text_size, FALSE, text);
          memlane_figure_measure_text (label.layout, &label.width, NULL);
          g_array_append_val (bytes, label);
        }
    }
  place_tick_labels (plot, MEMLANE_TEXT_X_TICK, powers, y, &plot->style.text);
  place_tick_labels (plot, MEMLANE_TEXT_X_BYTES, bytes, y + (plot->form == MEMLANE_FORM_MODES ? plot->line : 0),
                     &plot->style.faint);
}

/* --- words inside the axes: beside the ceilings and the curves that run out at the top ---------------------------- */

static gboolean
overlaps (const MemlaneRectangle *a, const MemlaneRectangle *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static gboolean
is_free (const MemlanePlot *plot, const MemlaneRectangle *wanted)
{
  if (wanted->y < plot->area.y || wanted->y + wanted->height > plot->area.y + plot->area.height)
    return FALSE;
  for (guint i = 0; i < plot->texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (plot->texts, MemlanePlacedText, i);

      if ((text->role == MEMLANE_TEXT_CEILING || text->role == MEMLANE_TEXT_LEAVING) && overlaps (&text->area, wanted))
        return FALSE;
    }
  return TRUE;
}

static void
place_ceilings (MemlanePlot *plot)
{
  for (guint i = 0; i < plot->chart->ceilings->len; i++)
    {
      const MemlaneCeiling *ceiling = plot->chart->ceilings->pdata[i];
      MemlanePlacedCeiling placed = { i, memlane_plot_y (plot, ceiling->value) };
      MemlaneRectangle wanted = { plot->area.x + 0.5 * plot->em };
      PangoLayout *layout;

      if (plot->form == MEMLANE_FORM_FAMILIES)
        return; /* small plots compare families */
      if (!plot->has_values || !isfinite (placed.y) || placed.y < plot->area.y || placed.y > plot->area.y + plot->area.height)
        continue;
      g_array_append_val (plot->ceilings, placed);
      /* Bandwidth rises to the right: the left end is where nothing is in the way. */
      layout = make_text (plot, plot->small, FALSE, ceiling->label);
      memlane_figure_measure_text (layout, &wanted.width, &wanted.height);
      wanted.y = placed.y - wanted.height - 1;
      if (!is_free (plot, &wanted))
        wanted.y = placed.y + 2;
      /* In a small figure the line must do: words across all of it would hide the curves. */
      if (plot->has_axis_text && wanted.width < 0.6 * plot->area.width && is_free (plot, &wanted))
        memlane_plot_place_text (plot, MEMLANE_TEXT_CEILING, layout, wanted.x, wanted.y, &plot->style.ceiling);
      else
        g_object_unref (layout);
    }
}

/* Where the workload leaves the device's L2 cache, a mark on the axis with its words. */
static void
place_cache (MemlanePlot *plot)
{
  double x = memlane_plot_x (plot, plot->chart->cache_elements);
  MemlaneRectangle wanted;
  PangoLayout *layout;

  plot->cache_x = NAN;
  if (plot->panel != MEMLANE_N_FAMILIES || plot->chart->cache_label == NULL || !plot->has_axis_text || !plot->has_values
      || !(x > plot->area.x && x < plot->area.x + plot->area.width))
    return;
  layout = make_text (plot, plot->small, FALSE, plot->chart->cache_label);
  memlane_figure_measure_text (layout, &wanted.width, &wanted.height);
  wanted.x = x + 0.3 * plot->em;
  if (wanted.x + wanted.width > plot->area.x + plot->area.width)
    wanted.x = x - 0.3 * plot->em - wanted.width;
  wanted.y = plot->area.y + plot->area.height - wanted.height - 0.2 * plot->em;
  if (wanted.width < 0.4 * plot->area.width && wanted.x > plot->area.x && is_free (plot, &wanted))
    {
      plot->cache_x = x;
      memlane_plot_place_text (plot, MEMLANE_TEXT_CEILING, layout, wanted.x, wanted.y, &plot->style.faint);
    }
  else
    g_object_unref (layout);
}

/* Where the curve first crosses the top, px; NAN when it does not. */
static double
find_exit (const MemlanePlot *plot, guint series)
{
  const GArray *coordinates = memlane_plot_series (plot, series)->coordinates;

  for (guint i = 1; i < coordinates->len; i++)
    {
      const MemlaneCoordinate *before = &g_array_index (coordinates, MemlaneCoordinate, i - 1);
      const MemlaneCoordinate *here = &g_array_index (coordinates, MemlaneCoordinate, i);

      if (here->joined && before->y >= plot->area.y && here->y < plot->area.y)
        return before->x + (here->x - before->x) * (before->y - plot->area.y) / (before->y - here->y);
    }
  return NAN;
}

/* Beside each curve that runs out at the top; once its coordinates stand. */
static void
place_leaving (MemlanePlot *plot)
{
  guint placed = 0;

  for (guint i = 0; plot->has_axis_text && i < plot->series->len; i++)
    {
      const MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      double exit = plotted->leaves && plotted->shown && !plotted->faded ? find_exit (plot, i) : NAN, reach = 0, room;
      g_autofree char *value = NULL, *text = NULL;
      MemlaneRectangle wanted;
      PangoLayout *layout;

      for (guint j = 0; j < series->points->len; j++)
        reach = MAX (reach, memlane_plot_chart_point (plot, i, j)->value);
      room = exit - plot->area.x - 1.5 * plot->em;
      if (!(room > 6 * plot->em))
        continue;
      value = memlane_unit_format (plot->chart->unit, reach, TRUE);
      /* Translators: beside a curve that runs out at the top of the figure: "Device-resident: up to 1.17 TB/s" */
      text = g_strdup_printf (_("%s: up to %s"), series->label, value);
      layout = make_text (plot, plot->small, FALSE, text);
      memlane_figure_limit_text (layout, room);
      memlane_figure_measure_text (layout, &wanted.width, &wanted.height);
      wanted.x = exit - plot->em - wanted.width;
      wanted.y = plot->area.y + 0.3 * plot->em;
      /* Below what stands there already: a ceiling's words, another curve's. */
      for (guint row = 0; row < MOST_ROWS && !is_free (plot, &wanted); row++)
        wanted.y += 0.5 * plot->line;
      if (placed < MOST_LEAVING && is_free (plot, &wanted))
        {
          memlane_plot_place_text (plot, MEMLANE_TEXT_LEAVING, layout, wanted.x, wanted.y, &plot->style.text);
          placed++;
        }
      else
        g_object_unref (layout);
    }
}

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
  double title_height, subtitle_height, unit_height, note_height, strip_height;
  PangoLayout *title, *subtitle, *badge, *note;
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

/* Of the figure; NULL: none. */
static const char *
choose_title (const MemlanePlot *plot, const MemlaneView *view)
{
  const char *own = plot->form != MEMLANE_FORM_MODES && plot->chart->headline != NULL ? plot->chart->headline : plot->chart->title;

  if (view->title != NULL)
    own = view->title;
  return own != NULL && own[0] != '\0' ? own : NULL;
}

/* What is shown, where the title says what it means; and of which machine. (transfer full) (nullable) */
static char *
make_subtitle (const MemlanePlot *plot, const MemlaneView *view)
{
  const char *machine = plot->chart->subtitle != NULL ? plot->chart->subtitle : "", *what = plot->chart->title;

  if (view->no_caption)
    return NULL;
  if (plot->form == MEMLANE_FORM_MODES && view->title == NULL)
    return g_strdup (machine);
  return g_strdup_printf ("%s%s%s", what, *machine != '\0' ? " · " : "", machine);
}

/* No line ends between a number and its unit. */
static void
keep_units (PangoLayout *layout)
{
  const char *text = pango_layout_get_text (layout);
  PangoAttrList *attributes = pango_attr_list_new ();

  for (const char *blank = strchr (text, ' '); blank != NULL; blank = strchr (blank + 1, ' '))
    if (blank > text && g_ascii_isdigit (blank[-1]) && g_unichar_isalpha (g_utf8_get_char (blank + 1)))
      {
        PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);

        attribute->start_index = (guint) (blank - text) - 1;
        attribute->end_index = (guint) (blank - text) + 1 + (guint) strcspn (blank + 1, " ");
        pango_attr_list_insert (attributes, attribute);
      }
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
make_headings (MemlanePlot *plot, Frame *frame, const MemlaneView *view)
{
  const char *title = choose_title (plot, view);
  g_autofree char *subtitle = make_subtitle (plot, view);
  double inner = plot->width - 2 * frame->pad, width, height;

  drop_headings (frame);
  if (frame->extras < EXTRAS_NO_TITLE && title != NULL)
    {
      double room = inner - (frame->badge_width > 0 ? frame->badge_width + plot->em : 0);

      frame->title = make_text (plot, plot->style.text_size * (plot->panel == MEMLANE_N_FAMILIES ? TITLE_SIZE : 1), TRUE, title);
      memlane_figure_measure_text (frame->title, &width, NULL);
      if (width > room && plot->form != MEMLANE_FORM_MODES)
        {
          /* A sentence may take two lines. */
          pango_layout_set_single_paragraph_mode (frame->title, FALSE);
          pango_layout_set_width (frame->title, (int) (MAX (room, 1) * PANGO_SCALE));
          keep_units (frame->title);
          pango_layout_set_wrap (frame->title, PANGO_WRAP_WORD_CHAR);
          pango_layout_set_height (frame->title, -2);
          pango_layout_set_ellipsize (frame->title, PANGO_ELLIPSIZE_END);
        }
      else
        memlane_figure_limit_text (frame->title, room);
      memlane_figure_measure_text (frame->title, NULL, &height);
      frame->title_height = ceil (MAX (height, frame->badge_height));
    }
  if (frame->extras < EXTRAS_NO_SUBTITLE && subtitle != NULL && subtitle[0] != '\0')
    {
      frame->subtitle = make_text (plot, plot->style.text_size, FALSE, subtitle);
      pango_layout_set_single_paragraph_mode (frame->subtitle, FALSE);
      memlane_figure_measure_text (frame->subtitle, &width, NULL);
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
      memlane_figure_measure_text (frame->subtitle, NULL, &height);
      frame->subtitle_height = ceil (height);
    }
}

/* SIMULATED stays as long as anything does; without a title it stands in the line of the axis' unit. */
static void
make_badge (MemlanePlot *plot, Frame *frame)
{
  if (!plot->chart->simulated || plot->panel != MEMLANE_N_FAMILIES)
    return;
  frame->badge = memlane_figure_make_badge (plot->pango, &plot->style, plot->width - 2 * frame->pad, &frame->badge_width,
                                            &frame->badge_height);
}

static gboolean
has_unit_line (const MemlanePlot *plot, const Frame *frame)
{
  return plot->panel == MEMLANE_N_FAMILIES && frame->extras < EXTRAS_NO_UNIT && plot->has_values;
}

static gboolean
has_caption (const MemlanePlot *plot, const Frame *frame)
{
  return plot->panel == MEMLANE_N_FAMILIES && frame->extras < EXTRAS_NO_CAPTION;
}

/* What is to be known besides, at the foot. The wall has the curves alone. */
static void
make_note (MemlanePlot *plot, Frame *frame, const MemlaneView *view)
{
  double height;

  g_clear_object (&frame->note);
  frame->note_height = 0;
  if (plot->form == MEMLANE_FORM_MODES || plot->panel != MEMLANE_N_FAMILIES || plot->projector || view->no_caption
      || plot->chart->note == NULL || frame->extras >= EXTRAS_NO_CAPTION)
    return;
  frame->note = make_text (plot, plot->small, FALSE, plot->chart->note);
  memlane_figure_limit_text (frame->note, plot->width - 2 * frame->pad);
  memlane_figure_measure_text (frame->note, NULL, &height);
  frame->note_height = ceil (height + 0.3 * plot->em);
}

/* The area inside the axes for this much of extras. */
static MemlaneRectangle
fit_area (MemlanePlot *plot, Frame *frame, const MemlaneView *view)
{
  double pad = frame->pad, left = pad, right = pad, top = pad, bottom = pad, below = 0;

  make_headings (plot, frame, view);
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
      below = plot->x_gap + plot->line;
      if (frame->extras < EXTRAS_NO_BYTES && plot->form == MEMLANE_FORM_MODES)
        below += plot->line;
      if (has_caption (plot, frame))
        below += plot->line + 0.2 * plot->em;
      right = MAX (right, 1.6 * plot->em);
    }
  frame->legend = (MemlaneLegendPlan){ MEMLANE_LEGEND_NONE };
  if (frame->extras < EXTRAS_NO_LEGEND)
    frame->legend = memlane_plot_plan_legend (plot, plot->height - top - pad);
  bottom += below + frame->legend.height;
  if (frame->legend.side == MEMLANE_LEGEND_RIGHT)
    right = pad + frame->legend.width;
  right = MAX (right, pad + plot->label_width);
  make_note (plot, frame, view);
  frame->strip_height = frame->extras < EXTRAS_NO_CAPTION && plot->height > LEAST_FOR_STRIP * plot->em
                        && memlane_plot_find_strip (plot, view) ? memlane_plot_measure_strip (plot) : 0;
  bottom += frame->note_height + frame->strip_height;
  frame->y_label_width = make_y_ticks (plot, plot->height - top - bottom);
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

  memlane_figure_measure_text (layout, &width, NULL);
  return plot->right_to_left ? right - width : left;
}

static void
place_headings (MemlanePlot *plot, Frame *frame)
{
  double left = frame->pad, right = plot->width - frame->pad, y = frame->pad, height;

  if (frame->title != NULL)
    {
      MemlaneColor color = plot->panel == MEMLANE_N_FAMILIES ? plot->style.text : memlane_family_color (plot->panel, &plot->style);

      memlane_figure_measure_text (frame->title, NULL, &height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_TITLE, frame->title, start_of (plot, left, right, frame->title),
                               y + (frame->title_height - height) / 2, &color);
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
      memlane_figure_measure_text (frame->badge, &width, &height);
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
      return g_strdup (plot->chart->axis != NULL ? plot->chart->axis : "");
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
      PangoLayout *layout = make_text (plot, plot->style.text_size, FALSE, text);
      double taken = plot->badge.width > 0 && frame->title_height == 0 ? plot->badge.width + plot->em : 0;
      double height;

      memlane_figure_limit_text (layout, plot->width - 2 * frame->pad - taken);
      memlane_figure_measure_text (layout, NULL, &height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_UNIT, layout, frame->pad + (plot->right_to_left ? taken : 0),
                  plot->area.y - 0.7 * plot->em - height, &plot->style.text);
    }
  if (plot->has_values && plot->has_axis_text)
    place_y_ticks (plot);
  place_x_ticks (plot, frame->extras < EXTRAS_NO_BYTES || plot->form != MEMLANE_FORM_MODES);
  if (has_caption (plot, frame))
    {
      const char *words = plot->form == MEMLANE_FORM_MODES ? _("Vector size in floats and in bytes") : _("Vector size");
      PangoLayout *layout = make_text (plot, plot->style.text_size, FALSE, words);
      double width, x;

      memlane_figure_limit_text (layout, plot->width - 2 * frame->pad);
      memlane_figure_measure_text (layout, &width, NULL);
      x = CLAMP (plot->area.x + (plot->area.width - width) / 2, frame->pad, MAX (plot->width - frame->pad - width, frame->pad));
      memlane_plot_place_text (plot, MEMLANE_TEXT_CAPTION, layout, x,
                  plot->area.y + plot->area.height + 0.2 * plot->em + plot->x_gap + (plot->form == MEMLANE_FORM_MODES ? 2 : 1) * plot->line,
                  &plot->style.faint);
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
  layout = make_text (plot, size, FALSE, plot->chart->trouble);
  memlane_figure_measure_text (layout, &width, NULL);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MIN (width + 1, MIN (room, 40 * plot->em)) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (plot->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_figure_measure_text (layout, &width, &height);
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
  probe = make_text (plot, 20 / plot->text_scale, TRUE, C_("figure", "SIMULATED"));
  memlane_figure_measure_text (probe, &width, &height);
  angle = atan2 (plot->area.height, plot->area.width);
  turned_width = width * cos (angle) + height * sin (angle);
  turned_height = width * sin (angle) + height * cos (angle);
  plot->watermark = make_text (plot,
                               20 / plot->text_scale * WATERMARK_SHARE
                                 * MIN (plot->area.width / turned_width, plot->area.height / turned_height),
                               TRUE, C_("figure", "SIMULATED"));
  plot->watermark_angle = -angle;
}

/* --- a plot from its birth to its end ----------------------------------------------------------------------------- */

static void
clear_text (gpointer data)
{
  g_clear_object (&((MemlanePlacedText *) data)->layout);
}

static void
clear_series (gpointer data)
{
  g_clear_pointer (&((MemlanePlottedSeries *) data)->coordinates, g_array_unref);
  g_clear_object (&((MemlanePlottedSeries *) data)->label);
}

void
memlane_plot_free (MemlanePlot *plot)
{
  if (plot == NULL)
    return;
  g_clear_pointer (&plot->x_ticks, g_array_unref);
  g_clear_pointer (&plot->y_ticks, g_array_unref);
  g_array_unref (plot->texts);
  g_array_unref (plot->legend);
  g_array_unref (plot->ceilings);
  g_array_unref (plot->series);
  g_array_unref (plot->points);
  g_array_unref (plot->leaders);
  g_clear_pointer (&plot->panels, g_ptr_array_unref);
  g_clear_object (&plot->watermark);
  g_object_unref (plot->pango);
  memlane_chart_unref (plot->chart);
  g_free (plot);
}

/* With everything that does not depend on what else is in the figure. */
static MemlanePlot *
plot_new (const MemlaneChart *chart, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlanePlot *plot = g_new0 (MemlanePlot, 1);
  g_autoptr (PangoLayout) probe = NULL;

  plot->chart = memlane_chart_ref ((MemlaneChart *) chart);
  plot->width = MAX (width, 1);
  plot->height = MAX (height, 1);
  plot->pango = g_object_ref (pango);
  plot->panel = plot->hover = MEMLANE_N_FAMILIES;
  plot->right_to_left = pango_context_get_base_dir (pango) == PANGO_DIRECTION_RTL;
  plot->texts = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedText));
  g_array_set_clear_func (plot->texts, clear_text);
  plot->legend = g_array_new (FALSE, TRUE, sizeof (MemlaneLegendEntry));
  plot->ceilings = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedCeiling));
  plot->series = g_array_new (FALSE, TRUE, sizeof (MemlanePlottedSeries));
  g_array_set_clear_func (plot->series, clear_series);
  plot->points = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedPoint));
  plot->leaders = g_array_new (FALSE, FALSE, sizeof (MemlaneLeader));
  plot->text_scale = memlane_figure_text_scale (pango);
  plot->style = memlane_figure_scale_style (style, plot->width, plot->height);
  plot->em = plot->style.text_size * plot->text_scale;
  plot->projector = style->kind == MEMLANE_STYLE_PROJECTOR || style->kind == MEMLANE_STYLE_PROJECTOR_DARK;
  plot->small = (plot->projector ? 1 : 0.9) * plot->style.text_size;
  probe = make_text (plot, plot->style.text_size, FALSE, "Åg");
  memlane_figure_measure_text (probe, NULL, &plot->line);
  plot->line = ceil (plot->line);
  plot->sample_width = round (MAX (3.2 * plot->em, 9 * plot->style.line_width));
  plot->sample_height = round (MAX (plot->em, 2.4 * plot->style.marker_radius));
  return plot;
}

/* What depends on the view alone. */
static void
start (MemlanePlot *plot, const MemlaneView *view)
{
  plot->form = view->form;
  plot->x_gap = (plot->form == MEMLANE_FORM_MODES ? 0.45 : 0.7) * plot->em;
  choose_series (plot, view);
}

static void
place_note (MemlanePlot *plot, Frame *frame)
{
  if (frame->note == NULL)
    return;
  memlane_plot_place_text (plot, MEMLANE_TEXT_NOTE, g_steal_pointer (&frame->note), frame->pad,
                           plot->height - frame->pad - frame->note_height + 0.3 * plot->em, &plot->style.faint);
}

/* Axes, curves and what belongs to them, in the whole of @plot. */
static void
lay_out_axes (MemlanePlot *plot, const MemlaneView *view)
{
  Frame frame = { .pad = round ((plot->panel == MEMLANE_N_FAMILIES ? 0.8 : 0.4) * plot->em) };
  double from, to;

  frame.pad = MIN (frame.pad, floor (0.05 * MIN (plot->width, plot->height)));
  get_exponents (plot, view, &from, &to);
  memlane_plot_choose_lines (plot, view, from, to);
  choose_y (plot, view);
  memlane_plot_make_labels (plot, view, from, to);
  make_badge (plot, &frame);
  for (frame.extras = EXTRAS_ALL;; frame.extras++)
    {
      plot->area = fit_area (plot, &frame, view);
      if (is_enough (plot, &plot->area) || frame.extras == EXTRAS_NO_LABELS)
        break;
    }
  plot->area.width = MAX (plot->area.width, 1);
  plot->area.height = MAX (plot->area.height, 1);
  choose_x (plot, view, plot->area.width);

  place_headings (plot, &frame);
  place_axis_words (plot, &frame);
  place_ceilings (plot);
  place_cache (plot);
  if (frame.legend.side == MEMLANE_LEGEND_RIGHT)
    memlane_plot_place_legend (plot, &frame.legend, plot->width - frame.pad - frame.legend.cell_width, plot->area.y);
  else if (frame.legend.side == MEMLANE_LEGEND_BELOW)
    memlane_plot_place_legend (plot, &frame.legend, frame.pad,
                  plot->height - frame.pad - frame.note_height - frame.legend.rows * frame.legend.pitch);
  place_note (plot, &frame);
  if (frame.strip_height > 0)
    memlane_plot_place_strip (plot, plot->height - frame.pad - frame.note_height - frame.strip_height, frame.strip_height);
  place_points (plot);
  memlane_plot_widen_bands (plot);
  if (plot->form == MEMLANE_FORM_MODES)
    place_leaving (plot);
  memlane_plot_place_labels (plot);
  if (plot->panel != MEMLANE_N_FAMILIES)
    memlane_plot_place_members (plot);
  place_watermark (plot);
  if (plot->panel == MEMLANE_N_FAMILIES)
    place_trouble (plot);
}

/* --- small plots, one for each family ----------------------------------------------------------------------------- */

/* The families that are shown, without the baseline: it has the scale of another world. */
static guint
collect_panels (const MemlanePlot *plot, MemlaneFamily *families)
{
  guint n = 0;

  for (MemlaneFamily family = 0; family < MEMLANE_N_FAMILIES; family++)
    for (guint i = 0; i < plot->series->len; i++)
      if (memlane_plot_series (plot, i)->shown && memlane_plot_chart_series (plot, i)->family == family
          && family != MEMLANE_FAMILY_BASELINE)
        {
          families[n++] = family;
          break;
        }
  return n;
}

static MemlanePlot *
lay_out_panel (const MemlanePlot *plot, const MemlaneView *view, MemlaneFamily family, const MemlaneRectangle *place)
{
  MemlaneStyle style = plot->style; /* as large as in the figure */
  MemlaneView own = *view;
  MemlanePlot *panel;

  own.focus = family;
  own.title = memlane_chart_family_title (family);
  own.no_caption = TRUE;
  if (plot->projector)
    style.kind = style.dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN;
  panel = plot_new (plot->chart, &style, place->width, place->height, plot->pango);
  panel->panel = family;
  panel->place = *place;
  if (plot->projector)
    panel->small = style.text_size;
  start (panel, view);
  lay_out_axes (panel, &own);
  return panel;
}

static void
lay_out_panels (MemlanePlot *plot, const MemlaneView *view)
{
  MemlaneFamily families[MEMLANE_N_FAMILIES];
  Frame frame = { .pad = round (0.8 * plot->em) };
  guint n = collect_panels (plot, families), columns, rows;
  double top, bottom, gap = plot->em, width, height;

  frame.pad = MIN (frame.pad, floor (0.05 * MIN (plot->width, plot->height)));
  choose_y (plot, view);
  make_badge (plot, &frame);
  make_headings (plot, &frame, view);
  make_note (plot, &frame, view);
  top = frame.pad + frame.title_height + frame.subtitle_height;
  if (has_unit_line (plot, &frame))
    frame.unit_height = plot->line + 0.5 * plot->em;
  bottom = plot->height - frame.pad - frame.note_height;
  plot->area = (MemlaneRectangle){ frame.pad, top + frame.unit_height, MAX (plot->width - 2 * frame.pad, 1),
                                   MAX (bottom - top - frame.unit_height, 1) };
  choose_x (plot, view, plot->area.width);
  place_headings (plot, &frame);
  if (frame.unit_height > 0)
    {
      g_autofree char *words = make_axis_title (plot);
      PangoLayout *layout = make_text (plot, plot->style.text_size, FALSE, words);

      memlane_figure_limit_text (layout, plot->area.width);
      memlane_plot_place_text (plot, MEMLANE_TEXT_UNIT, layout, frame.pad, top + 0.25 * plot->em, &plot->style.text);
    }
  place_note (plot, &frame);
  plot->x_ticks = g_array_new (FALSE, TRUE, sizeof (MemlaneTick));
  plot->y_ticks = g_array_new (FALSE, TRUE, sizeof (MemlaneTick));
  columns = n <= 2 ? n : n == 4 ? 2 : 3;
  if (plot->width < plot->height)
    columns = MIN (columns, 2);
  rows = (n + columns - 1) / MAX (columns, 1);
  width = floor ((plot->area.width - (columns - 1) * gap) / columns);
  height = floor (plot->area.height / rows);
  plot->panels = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_plot_free);
  for (guint i = 0; i < n; i++)
    {
      MemlaneRectangle place = { plot->area.x + i % columns * (width + gap), plot->area.y + i / columns * height, width, height };

      g_ptr_array_add (plot->panels, lay_out_panel (plot, view, families[i], &place));
    }
}

MemlanePlot *
memlane_plot_layout (const MemlaneChart *chart, const MemlaneView *view, const MemlaneStyle *style, double width, double height,
                     PangoContext *pango)
{
  static const MemlaneView fit = MEMLANE_VIEW_FIT;
  MemlanePlot *plot = plot_new (chart, style, width, height, pango);
  MemlaneFamily families[MEMLANE_N_FAMILIES];

  if (view == NULL)
    view = &fit;
  start (plot, view);
  plot->hover = view->hover;
  if (plot->form == MEMLANE_FORM_FAMILIES && (collect_panels (plot, families) < 2 || memlane_plot_has_family (plot, view->focus)
                                              || plot->width < 30 * plot->em || plot->height < 20 * plot->em))
    plot->form = MEMLANE_FORM_OVERVIEW; /* there is nothing to lay side by side, no room to do so, or one family is asked for */
  if (plot->form == MEMLANE_FORM_FAMILIES)
    lay_out_panels (plot, view);
  else
    lay_out_axes (plot, view);
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

void
memlane_plot_set_hover (MemlanePlot *plot, MemlaneFamily family)
{
  plot->hover = family;
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

gboolean
memlane_plot_has_panels (const MemlanePlot *plot)
{
  return plot->panels != NULL;
}

/* --- the figure as others draw it --------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDrawing parent;
  MemlaneChart *chart;
  MemlaneView view;
} ChartDrawing;

static gpointer
lay_out_drawing (const MemlaneDrawing *drawing, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  const ChartDrawing *self = (const ChartDrawing *) drawing;

  return memlane_plot_layout (self->chart, &self->view, style, width, height, pango);
}

static char *
name_drawing (const MemlaneDrawing *drawing)
{
  const char *workload = ((const ChartDrawing *) drawing)->chart->workload;

  return g_strdup (workload != NULL ? workload : "memlane");
}

static char *
get_drawing_title (const MemlaneDrawing *drawing)
{
  const ChartDrawing *self = (const ChartDrawing *) drawing;
  const char *title = self->view.title != NULL && *self->view.title != '\0' ? self->view.title : self->chart->title;

  return g_strdup (title != NULL ? title : "");
}

static char *
describe_drawing (const MemlaneDrawing *drawing)
{
  return memlane_chart_describe (((const ChartDrawing *) drawing)->chart);
}

static MemlaneDrawing *
entitle_drawing (const MemlaneDrawing *drawing, const char *title, gboolean caption)
{
  const ChartDrawing *self = (const ChartDrawing *) drawing;
  MemlaneView view = self->view;

  view.title = title;
  view.no_caption = !caption;
  return memlane_plot_drawing_new (self->chart, &view);
}

static void
free_drawing (MemlaneDrawing *drawing)
{
  ChartDrawing *self = (ChartDrawing *) drawing;

  memlane_chart_unref (self->chart);
  g_free ((char *) self->view.isolated);
  g_free ((char *) self->view.title);
  g_clear_pointer ((GHashTable **) &self->view.hidden, g_hash_table_unref);
  g_free (self);
}

MemlaneDrawing *
memlane_plot_drawing_new (MemlaneChart *chart, const MemlaneView *view)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out_drawing,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_plot_draw,
    .free_layout = (GDestroyNotify) memlane_plot_free,
    .name = name_drawing,
    .title = get_drawing_title,
    .describe = describe_drawing,
    .entitle = entitle_drawing,
    .free = free_drawing,
  };
  ChartDrawing *self = g_new0 (ChartDrawing, 1);

  self->parent.klass = &klass;
  self->chart = memlane_chart_ref (chart);
  self->view = view != NULL ? *view : (MemlaneView) MEMLANE_VIEW_FIT;
  self->view.isolated = g_strdup (self->view.isolated);
  self->view.title = g_strdup (self->view.title);
  if (self->view.hidden != NULL)
    g_hash_table_ref ((GHashTable *) self->view.hidden);
  return &self->parent;
}
