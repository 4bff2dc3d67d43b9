/* chart-view-zoom.c: what a chart view shows of its chart
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "chart-view-private.h"
#include "chart-zoom.h"

/* A rubber band that is thinner than this in one direction means the other alone. */
#define THIN 12
#define LEAST_VALUES (1 / 256.0)

/* The scales now and those when all fits. */
typedef struct
{
  MemlanePlot *fitted;
  const MemlaneScale *x, *y, *full_x, *full_y;
  const MemlaneRectangle *area;
  double least_x; /* one octave */
} Scales;

static gboolean
get_scales (MemlaneChartView *self, Scales *scales)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  MemlaneView fit = self->view;

  if (plot == NULL || self->chart->trouble != NULL)
    return FALSE;
  fit.x_from = fit.x_to = fit.y_from = fit.y_to = NAN;
  scales->fitted = memlane_chart_view_lay_out (self, &fit);
  scales->x = memlane_plot_get_x_scale (plot);
  scales->y = memlane_plot_get_y_scale (plot);
  scales->area = memlane_plot_get_area (plot);
  scales->full_x = memlane_plot_get_x_scale (scales->fitted);
  scales->full_y = memlane_plot_get_y_scale (scales->fitted);
  scales->least_x = 1 / MAX (1, log2 (scales->full_x->to / scales->full_x->from));
  if (scales->area->width > 0 && scales->area->height > 0)
    return TRUE;
  memlane_plot_free (scales->fitted);
  return FALSE;
}

/* @from_x and @to_x are elements, the view's are powers. */
static void
apply (MemlaneChartView *self, Scales *scales, double from_x, double to_x, double from_y, double to_y)
{
  gboolean zoomed = memlane_chart_view_is_zoomed (self);
  MemlaneView view = self->view;

  g_clear_pointer (&scales->fitted, memlane_plot_free);
  view.x_from = log2 (from_x);
  view.x_to = log2 (to_x);
  view.y_from = from_y;
  view.y_to = to_y;
  self->view = view;
  memlane_chart_view_invalidate (self);
  if (zoomed != memlane_chart_view_is_zoomed (self))
    g_object_notify_by_pspec (G_OBJECT (self), memlane_chart_view_properties[MEMLANE_CHART_VIEW_ZOOMED]);
}

gboolean
memlane_chart_view_is_zoomed (MemlaneChartView *self)
{
  return !isnan (self->view.x_from) || !isnan (self->view.y_from);
}

void
memlane_chart_view_fit (MemlaneChartView *self)
{
  if (!memlane_chart_view_is_zoomed (self))
    return;
  apply (self, &(Scales) { NULL }, NAN, NAN, NAN, NAN);
}

void
memlane_chart_view_zoom_at (MemlaneChartView *self, double x, double y, double factor)
{
  Scales scales;
  double place_x, place_y, from_x, to_x, from_y, to_y;
  gboolean beside, below;

  if (!get_scales (self, &scales))
    return;
  place_x = (x - scales.area->x) / scales.area->width;
  place_y = 1 - (y - scales.area->y) / scales.area->height;
  beside = place_x < 0 || place_x > 1;
  below = !beside && place_y < 0;
  from_x = isnan (self->view.x_from) ? NAN : exp2 (self->view.x_from);
  to_x = isnan (self->view.x_to) ? NAN : exp2 (self->view.x_to);
  from_y = self->view.y_from;
  to_y = self->view.y_to;
  if (!beside)
    memlane_zoom_around (scales.x, scales.full_x, CLAMP (place_x, 0, 1), factor, scales.least_x, &from_x, &to_x);
  if (beside || (!below && !isnan (self->view.y_from)))
    memlane_zoom_around (scales.y, scales.full_y, CLAMP (place_y, 0, 1), factor, LEAST_VALUES, &from_y, &to_y);
  apply (self, &scales, from_x, to_x, from_y, to_y);
}

void
memlane_chart_view_zoom (MemlaneChartView *self, double factor)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneRectangle *area;
  double place = 0.5;

  if (plot == NULL)
    return;
  area = memlane_plot_get_area (plot);
  if (self->crosshair.set)
    place = memlane_scale_map (memlane_plot_get_x_scale (plot), exp2 (self->crosshair.log2));
  if (!(place >= 0 && place <= 1))
    place = 0.5;
  memlane_chart_view_zoom_at (self, area->x + place * area->width, area->y + area->height / 2, factor);
}

void
memlane_chart_view_pan (MemlaneChartView *self, double share)
{
  Scales scales;
  double from, to;

  if (isnan (self->view.x_from) || !get_scales (self, &scales))
    return;
  memlane_zoom_pan (scales.x, scales.full_x, share, &from, &to);
  apply (self, &scales, from, to, self->view.y_from, self->view.y_to);
}

void
memlane_chart_view_zoom_to_band (MemlaneChartView *self)
{
  const double *band = self->band;
  Scales scales;
  double from_x, to_x, from_y, to_y;

  if (!get_scales (self, &scales))
    return;
  from_x = isnan (self->view.x_from) ? NAN : exp2 (self->view.x_from);
  to_x = isnan (self->view.x_to) ? NAN : exp2 (self->view.x_to);
  from_y = self->view.y_from;
  to_y = self->view.y_to;
  if (fabs (band[2] - band[0]) >= THIN)
    memlane_zoom_to (scales.x, scales.full_x, CLAMP ((band[0] - scales.area->x) / scales.area->width, 0, 1),
                     CLAMP ((band[2] - scales.area->x) / scales.area->width, 0, 1), scales.least_x, &from_x, &to_x);
  if (fabs (band[3] - band[1]) >= THIN)
    memlane_zoom_to (scales.y, scales.full_y, CLAMP (1 - (band[1] - scales.area->y) / scales.area->height, 0, 1),
                     CLAMP (1 - (band[3] - scales.area->y) / scales.area->height, 0, 1), LEAST_VALUES, &from_y, &to_y);
  apply (self, &scales, from_x, to_x, from_y, to_y);
}

void
memlane_chart_view_show_size (MemlaneChartView *self, guint log2)
{
  double span = self->view.x_to - self->view.x_from;

  if (isnan (self->view.x_from) || (log2 >= self->view.x_from && log2 <= self->view.x_to) || !(span > 0))
    return;
  /* a tenth of it stays between the point and the edge; pan() keeps to the chart */
  memlane_chart_view_pan (self, log2 < self->view.x_from ? (log2 - self->view.x_from) / span - 0.1 : (log2 - self->view.x_to) / span + 0.1);
}
