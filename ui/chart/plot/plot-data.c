/* plot-data.c: which series are seen, in which range, and where their points lie
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <math.h>
#include <string.h>

/* A ceiling is worth its room once the data come near it. */
#define LEAVING_SHARE 2 /* of the ceiling: both directions of the link at once come no further */
#define CEILING_SHARE 0.2
/* An interval may widen the range by so much; beyond that it is cut, lest one noisy cell flattens every curve. */
#define INTERVAL_SHARE 1.25

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

void
memlane_plot_choose_series (MemlanePlot *plot, const MemlaneView *view)
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
      plotted->look = memlane_curve_style_for_mode (series->mode, &plot->style);
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

void
memlane_plot_choose_x (MemlanePlot *plot, const MemlaneView *view, double width)
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

void
memlane_plot_choose_y (MemlanePlot *plot, const MemlaneView *view)
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
  for (guint i = 0; plot->has_values && i < chart->ceilings->len; i++)
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

double
memlane_plot_x (const MemlanePlot *plot, double elements)
{
  return plot->area.x + memlane_scale_map (&plot->x, elements) * plot->area.width;
}

double
memlane_plot_y (const MemlanePlot *plot, double value)
{
  return plot->area.y + (1 - memlane_scale_map (&plot->y, value)) * plot->area.height;
}

/* For each family the sizes that any of its series has: a set of bits. A curve without a size that its run has is interrupted there. */
static GHashTable *
collect_sizes (const MemlanePlot *plot)
{
  GHashTable *sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      char *family = memlane_view_family (series->id);
      guint64 *bits = g_hash_table_lookup (sizes, family);

      if (bits == NULL)
        {
          bits = g_new0 (guint64, 1);
          g_hash_table_insert (sizes, g_strdup (family), bits);
        }
      for (guint j = 0; j < series->points->len; j++)
        *bits |= G_GUINT64_CONSTANT (1) << MIN (memlane_plot_chart_point (plot, i, j)->log2_elements, 63);
      g_free (family);
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

void
memlane_plot_place_points (MemlanePlot *plot)
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

      for (guint j = 0; plotted->shown && j < series->points->len; j++)
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
          here.inside = here.x >= area->x - 0.01 && here.x <= area->x + area->width + 0.01 && here.y >= area->y - 0.01
                        && here.y <= area->y + area->height + 0.01;
          before = point->log2_elements;
          g_array_append_val (plotted->coordinates, here);
          if (here.inside)
            {
              MemlanePlacedPoint placed = { i, j, here.x, here.y, here.y_low, here.y_high };
              g_array_append_val (plot->points, placed);
            }
        }
    }
  g_array_sort (plot->points, compare_places);
}
