/* chart-view.c: curves over size in the window: crosshair, zoom, isolation, what is read
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"
#include "base/owns.h"
#include "model/fields.h"
#include "parts/widgets.h"

/* A rubber band that is thinner than this (px) in one direction means the other alone. */
#define THIN 12
#define LEAST_VALUES (1 / 256.0)

#define FIGURE(self) MEMLANE_FIGURE_WIDGET (self)

G_DEFINE_FINAL_TYPE (MemlaneChartView, memlane_chart_view, MEMLANE_TYPE_FIGURE_WIDGET)

/* NULL without a chart, or before there is a size: nothing is read or zoomed then. */
static MemlanePlot *
get_plot (MemlaneChartView *self)
{
  gboolean sized =
      gtk_widget_get_width (GTK_WIDGET (self)) > 0 && gtk_widget_get_height (GTK_WIDGET (self)) > 0;

  return sized ? memlane_figure_widget_get_layout (FIGURE (self)) : NULL;
}

/* --- what is seen ----------------------------------------------------------------------------- */

static gboolean
is_zoomed (MemlaneChartView *self)
{
  return !isnan (self->view.x.from) || !isnan (self->view.y.from);
}

/* The scales now and those when all fits. */
typedef struct
{
  MemlaneDrawing *drawing;
  MemlanePlot *fitted;
  const MemlaneScale *x, *y, *full_x, *full_y;
  const MemlaneRectangle *area;
  double least_x; /* one octave */
  MemlaneRange seen_x, seen_y; /* what apply() is to show; NAN: all */
} Scales;

MEMLANE_DEFINE_CLEAR (Scales, static void scales_clear (Scales *data),
                      OWNS (fitted, memlane_plot_free) OWNS (drawing, memlane_drawing_free))

static gboolean
get_scales (MemlaneChartView *self, Scales *scales)
{
  MemlanePlot *plot = get_plot (self);
  MemlaneView fit = self->view;
  MemlanePlotAxes now, full;

  if (plot == NULL || self->chart->trouble != NULL)
    return FALSE;
  fit.x = fit.y = MEMLANE_RANGE_NAN;
  scales->drawing = memlane_plot_drawing_new (self->chart, &fit);
  scales->fitted = memlane_figure_widget_lay_out (FIGURE (self), scales->drawing);
  now = memlane_plot_get_axes (plot);
  full = memlane_plot_get_axes (scales->fitted);
  scales->x = now.x;
  scales->y = now.y;
  scales->area = now.area;
  scales->full_x = full.x;
  scales->full_y = full.y;
  scales->least_x = 1 / MAX (1, log2 (scales->full_x->to / scales->full_x->from));
  /* elements; the view's are powers */
  scales->seen_x = (MemlaneRange) { exp2 (self->view.x.from), exp2 (self->view.x.to) };
  scales->seen_y = self->view.y;
  if (scales->area->width > 0 && scales->area->height > 0)
    return TRUE;
  scales_clear (scales);
  return FALSE;
}

static void
see (MemlaneChartView *self, MemlaneRange x, MemlaneRange y)
{
  self->view.x = x;
  self->view.y = y;
  memlane_figure_widget_invalidate (FIGURE (self));
  memlane_figure_widget_set_zoomed (FIGURE (self), is_zoomed (self));
}

static void
apply (MemlaneChartView *self, Scales *scales)
{
  scales_clear (scales);
  see (self, (MemlaneRange) { log2 (scales->seen_x.from), log2 (scales->seen_x.to) },
       scales->seen_y);
}

static void
fit (gpointer view, double by, double further)
{
  if (is_zoomed (view))
    see (view, MEMLANE_RANGE_NAN, MEMLANE_RANGE_NAN);
}

/* Zooms one axis, if the pointer is next to it. In the area it zooms the sizes and, once it was
 * chosen, the range of values. */
static void
zoom_at (MemlaneChartView *self, double x, double y, double factor)
{
  Scales scales;
  double place_x, place_y;
  gboolean beside, below;

  if (!get_scales (self, &scales))
    return;
  place_x = (x - scales.area->x) / scales.area->width;
  place_y = 1 - (y - scales.area->y) / scales.area->height;
  beside = place_x < 0 || place_x > 1;
  below = !beside && place_y < 0;
  if (!beside)
    scales.seen_x = memlane_zoom_around (scales.x, scales.full_x, CLAMP (place_x, 0, 1), factor,
                                         scales.least_x);
  if (beside || (!below && !isnan (scales.seen_y.from)))
    scales.seen_y =
        memlane_zoom_around (scales.y, scales.full_y, CLAMP (place_y, 0, 1), factor, LEAST_VALUES);
  apply (self, &scales);
}

/* Around the crosshair, or the middle. */
static void
zoom (gpointer view, double factor, double further)
{
  MemlaneChartView *self = view;
  MemlanePlot *plot = get_plot (self);
  const MemlaneRectangle *area;
  double place = 0.5;

  if (plot == NULL)
    return;
  area = memlane_plot_get_axes (plot).area;
  if (self->crosshair.set)
    place = memlane_scale_map (memlane_plot_get_axes (plot).x, exp2 (self->crosshair.log2));
  if (!(place >= 0 && place <= 1))
    place = 0.5;
  zoom_at (self, area->x + place * area->width, area->y + area->height / 2, factor);
}

/* By a share of what is seen. */
static void
pan (MemlaneChartView *self, double share)
{
  Scales scales;

  if (isnan (self->view.x.from) || !get_scales (self, &scales))
    return;
  scales.seen_x = memlane_zoom_pan (scales.x, scales.full_x, share);
  apply (self, &scales);
}

static void
zoom_to_band (MemlaneChartView *self)
{
  const double *band = self->band;
  Scales scales;

  if (!get_scales (self, &scales))
    return;
  if (fabs (band[2] - band[0]) >= THIN)
    scales.seen_x = memlane_zoom_to (
        scales.x, scales.full_x, CLAMP ((band[0] - scales.area->x) / scales.area->width, 0, 1),
        CLAMP ((band[2] - scales.area->x) / scales.area->width, 0, 1), scales.least_x);
  if (fabs (band[3] - band[1]) >= THIN)
    scales.seen_y = memlane_zoom_to (
        scales.y, scales.full_y, CLAMP (1 - (band[1] - scales.area->y) / scales.area->height, 0, 1),
        CLAMP (1 - (band[3] - scales.area->y) / scales.area->height, 0, 1), LEAST_VALUES);
  apply (self, &scales);
}

/* Brings a size into what is seen. */
static void
show_size (MemlaneChartView *self, double log2)
{
  const MemlaneRange seen = self->view.x;
  double span = seen.to - seen.from;

  if (isnan (seen.from) || (log2 >= seen.from && log2 <= seen.to) || !(span > 0))
    return;
  /* a tenth of it stays between the point and the edge; pan() keeps to the chart */
  pan (self, log2 < seen.from ? (log2 - seen.from) / span - 0.1 : (log2 - seen.to) / span + 0.1);
}

/* --- the crosshair ---------------------------------------------------------------------------- */

static void
crosshair_clear (MemlaneCrosshair *crosshair)
{
  crosshair->set = FALSE;
  g_clear_pointer (&crosshair->series, g_free);
}

/* The index in the chart, or G_MAXUINT. */
static guint
find_series (MemlaneChartView *self, const char *id)
{
  for (guint i = 0; id != NULL && self->chart != NULL && i < self->chart->series->len; i++)
    if (g_str_equal (((MemlaneSeries *) self->chart->series->pdata[i])->id, id))
      return i;
  return G_MAXUINT;
}

static const MemlaneChartPoint *
find_point (const MemlaneSeries *series, double log2)
{
  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
    if (point->log2_elements == log2)
      return point;
  return NULL;
}

/* The point under the crosshair of the chosen curve, or NULL. */
static const MemlaneChartPoint *
get_point (MemlaneChartView *self)
{
  guint index = find_series (self, self->crosshair.series);

  return self->crosshair.set && index != G_MAXUINT
             ? find_point (self->chart->series->pdata[index], self->crosshair.log2)
             : NULL;
}

/* If no run is shown, the published figures are revealed. */
static guint
count_measured (MemlaneChartView *self)
{
  guint n = 0;

  if (self->chart == NULL)
    return 0;
  MEMLANE_FOR_EACH (const MemlaneSeries, series, self->chart->series)
    n += series->role == MEMLANE_SERIES_MEASURED;
  return n > 0 ? n : self->chart->series->len;
}

static void
update_actions (MemlaneChartView *self)
{
  static const char *const of_wall[] = {
    "wall.none",     "wall.all",         "wall.next",
    "wall.previous", "wall.next-family", "wall.previous-family"
  };
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean projector = FIGURE (self)->projector;
  int n = count_measured (self);

  gtk_widget_action_set_enabled (widget, "chart.fit", is_zoomed (self));
  gtk_widget_action_set_enabled (widget, "chart.stop-isolating", self->view.isolated != NULL);
  gtk_widget_action_set_enabled (widget, "chart.activate-point", get_point (self) != NULL);
  gtk_widget_action_set_enabled (widget, "chart.stop-focusing",
                                 self->view.focus != MEMLANE_N_FAMILIES);
  for (guint i = 0; i < G_N_ELEMENTS (of_wall); i++)
    gtk_widget_action_set_enabled (widget, of_wall[i], projector && n > 0);
}

static void
put (MemlaneCrosshair *crosshair, double log2, const char *series)
{
  char *copy = g_strdup (series); /* may be the one that is let go */

  crosshair_clear (crosshair);
  *crosshair = (MemlaneCrosshair) { TRUE, log2, copy };
}

static void
moved (MemlaneChartView *self)
{
  memlane_figure_widget_read_again (FIGURE (self));
  update_actions (self);
}

/* @series: an index or G_MAXUINT. @pin: a key or a click did it. */
static void
set_crosshair (MemlaneChartView *self, double log2, guint series, gboolean pin)
{
  const char *id =
      series == G_MAXUINT ? NULL : ((MemlaneSeries *) self->chart->series->pdata[series])->id;

  if (pin)
    put (&self->pin, log2, id);
  if (self->crosshair.set && self->crosshair.log2 == log2
      && g_strcmp0 (self->crosshair.series, id) == 0)
    return;
  put (&self->crosshair, log2, id);
  moved (self);
}

static void
clear_crosshair (MemlaneChartView *self, gboolean unpin)
{
  if (unpin)
    crosshair_clear (&self->pin);
  if (!self->crosshair.set)
    return;
  crosshair_clear (&self->crosshair);
  moved (self);
}

static void
restore_pin (MemlaneChartView *self)
{
  if (self->pin.set)
    set_crosshair (self, self->pin.log2, find_series (self, self->pin.series), FALSE);
  else
    clear_crosshair (self, FALSE);
}

static gboolean
has_size (MemlaneChartView *self, double log2)
{
  if (self->chart != NULL)
    MEMLANE_FOR_EACH (const MemlaneSeries, series, self->chart->series)
      if (find_point (series, log2) != NULL)
        return TRUE;
  return FALSE;
}

/* Forgets a series that is gone and a size without points. */
static void
check (MemlaneChartView *self, MemlaneCrosshair *crosshair)
{
  if (crosshair->set && !has_size (self, crosshair->log2))
    crosshair_clear (crosshair);
  else if (crosshair->series != NULL && find_series (self, crosshair->series) == G_MAXUINT)
    g_clear_pointer (&crosshair->series, g_free);
}

/* Every curve that can be read at @log2; also where it is not in what is seen. (transfer full) */
static GArray *
read_at (MemlaneChartView *self, double log2)
{
  return memlane_plot_read (get_plot (self), log2);
}

/* A size that can be read at, the next one from @log2 on in @direction, and not @log2 itself. */
static gboolean
find_size (MemlaneChartView *self, double log2, int direction, double *found)
{
  const double end = direction * INFINITY;

  for (double next = end;; log2 = next, next = end)
    {
      g_autoptr(GArray) entries = NULL;

      MEMLANE_FOR_EACH (const MemlaneSeries, series, self->chart->series)
        MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, at, series->points)
          if (direction > 0 ? at->log2_elements > log2 && at->log2_elements < next
                            : at->log2_elements < log2 && at->log2_elements > next)
            next = at->log2_elements;
      if (next == end)
        return FALSE;
      *found = next;
      entries = read_at (self, next);
      if (entries->len > 0)
        return TRUE;
    }
}

static void
walk_size (gpointer view, double by, double to_end)
{
  MemlaneChartView *self = view;
  int direction = (int) by;
  guint series = find_series (self, self->crosshair.series);
  double log2, from;

  if (get_plot (self) == NULL)
    return;
  if (to_end > 0)
    {
      from = direction * INFINITY;
      direction = -direction;
    }
  else if (self->crosshair.set)
    from = self->crosshair.log2;
  else
    from = -direction * INFINITY;
  if (!find_size (self, from, direction, &log2))
    return;
  FIGURE (self)->spoken = TRUE;
  show_size (self, log2);
  set_crosshair (self, log2, series, TRUE);
}

static double
value_of (MemlaneChartView *self, const MemlaneReadingEntry *entry)
{
  const MemlaneSeries *series = self->chart->series->pdata[entry->series];

  return g_array_index (series->points, MemlaneChartPoint, entry->point).value;
}

/* Equal values stand in the order of the series. */
static gboolean
is_further (int direction, double value, guint series, double than_value, guint than_series)
{
  if (value != than_value)
    return direction > 0 ? value > than_value : value < than_value;
  return direction > 0 ? series > than_series : series < than_series;
}

/* Walks to the next curve. Up is up on the figure, whether much is good or bad. */
static void
walk_curve (gpointer view, double by, double further)
{
  MemlaneChartView *self = view;
  int direction = (int) by;
  g_autoptr(GArray) entries = NULL;
  guint series, chosen = G_MAXUINT;
  double log2;
  double here = direction > 0 ? -INFINITY : INFINITY, best = 0;

  if (get_plot (self) == NULL)
    return;
  if (self->crosshair.set)
    log2 = self->crosshair.log2;
  else if (!find_size (self, INFINITY, -1, &log2))
    return;
  entries = read_at (self, log2);
  series = find_series (self, self->crosshair.series);
  MEMLANE_FOR_EACH_IN (const MemlaneReadingEntry, entry, entries)
    if (entry->series == series)
      here = value_of (self, entry);
  MEMLANE_FOR_EACH_IN (const MemlaneReadingEntry, entry, entries)
    {
      double value = value_of (self, entry);

      if (entry->series != series && is_further (direction, value, entry->series, here, series)
          && (chosen == G_MAXUINT || is_further (-direction, value, entry->series, best, chosen)))
        {
          best = value;
          chosen = entry->series;
        }
    }
  if (chosen == G_MAXUINT)
    return;
  FIGURE (self)->spoken = TRUE;
  show_size (self, log2);
  set_crosshair (self, log2, chosen, TRUE);
}

/* --- isolation, revealing --------------------------------------------------------------------- */

static gboolean
has_isolated (MemlaneChartView *self, const MemlaneView *view)
{
  if (self->chart != NULL)
    MEMLANE_FOR_EACH (const MemlaneSeries, series, self->chart->series)
      if (memlane_view_isolates (view, series))
        return TRUE;
  return FALSE;
}

/* @what: as MemlaneView's isolated; what the chart does not have isolates nothing. */
static void
isolate (MemlaneChartView *self, const char *what)
{
  const MemlaneView wanted = { .isolated = what };

  if (!has_isolated (self, &wanted))
    what = NULL;
  if (g_strcmp0 (what, self->view.isolated) == 0)
    return;
  g_free ((char *) self->view.isolated);
  self->view.isolated = g_strdup (what);
  memlane_figure_widget_invalidate (FIGURE (self));
}

/* The family of the n-th series that is revealed; what belongs to none is one of its own. */
static gboolean
same_family (MemlaneChartView *self, int a, int b)
{
  const MemlaneSeries *x = self->chart->series->pdata[a], *y = self->chart->series->pdata[b];

  return x->family == y->family && x->family < MEMLANE_N_FAMILIES;
}

/* Keys of a lecturer: one curve or family on or back; INFINITY: to the end. All are on the wall at
 * first; the first step begins the story with the first curve. After the last one all are shown
 * alike. */
static void
reveal (gpointer view, double by, double by_family)
{
  MemlaneChartView *self = view;
  int n = count_measured (self), now = MIN (self->view.revealed, n), next;

  self->view.by_family = by_family > 0;
  if (isinf (by))
    next = by > 0 ? -1 : 0;
  else if (by > 0)
    {
      next = MAX (now, 0) + 1;
      while (self->view.by_family && next < n && same_family (self, next - 1, next))
        next++;
      next = next > n ? -1 : next;
    }
  else
    {
      next = MAX ((now < 0 ? n : now) - 1, 0);
      while (self->view.by_family && next > 0 && next < n && same_family (self, next - 1, next))
        next--;
    }
  self->view.revealed = next;
  memlane_figure_widget_invalidate (FIGURE (self));
}

/* MEMLANE_N_FAMILIES: none; a family that is in focus already, or that the chart does not have:
 * none. */
static void
focus_family (MemlaneChartView *self, MemlaneFamily family)
{
  gboolean known = FALSE;

  if (self->chart != NULL)
    MEMLANE_FOR_EACH (const MemlaneSeries, series, self->chart->series)
      known = known || series->family == family;
  if (!known || family == self->view.focus)
    family = MEMLANE_N_FAMILIES;
  if (family == self->view.focus)
    return;
  self->view.focus = family;
  memlane_figure_widget_invalidate (FIGURE (self));
}

/* The others turn grey where they are, so that nothing moves under the pointer. */
static void
hover (MemlaneChartView *self, MemlanePlot *plot, MemlaneFamily family)
{
  if (family == self->view.hover)
    return;
  self->view.hover = family;
  if (plot != NULL)
    memlane_plot_set_hover (plot, family);
  memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_ITSELF);
}

/* --- actions and keys ------------------------------------------------------------------------- */

/* Emits "point-activated" for the chosen point. */
static void
activate_point (gpointer view, double by, double further)
{
  MemlaneChartView *self = view;
  const MemlaneChartPoint *point = get_point (self);

  if (point != NULL)
    g_signal_emit_by_name (self, "point-activated", point, self->crosshair.series);
}

/* Isolates or focuses on one series or family, or none. */
static void
choose_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  const char *id = parameter != NULL ? g_variant_get_string (parameter, NULL) : "";
  MemlaneFamily family = 0;

  while (family < MEMLANE_N_FAMILIES && g_strcmp0 (memlane_family_id (family), id) != 0)
    family++;
  if (g_str_equal (name, "chart.isolate") || g_str_equal (name, "chart.stop-isolating"))
    isolate (self, *id != '\0' ? id : NULL);
  else
    focus_family (self, family);
}

/* Takes back one thing after the other; with nothing left the key is the window's. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (memlane_figure_widget_cancel_band (FIGURE (self)))
    return TRUE;
  if (is_zoomed (self))
    fit (self, 0, 0);
  else if (self->view.isolated != NULL)
    isolate (self, NULL);
  else if (self->view.focus != MEMLANE_N_FAMILIES)
    focus_family (self, MEMLANE_N_FAMILIES);
  else if (self->pin.set)
    clear_crosshair (self, TRUE);
  else
    return FALSE;
  return TRUE;
}

/* All that there is: first of the sizes and values, then of the families. */
static void
show_all (gpointer self, double by, double further)
{
  if (is_zoomed (self))
    fit (self, 0, 0);
  else
    focus_family (self, MEMLANE_N_FAMILIES);
}

/* Left and Right walk, and Home and End do to the ends; but for a teacher they reveal, and go to
 * the ends of the story. */
static void
go (gpointer self, double direction, double to_end)
{
  if (!FIGURE (self)->projector)
    walk_size (self, direction, to_end);
  else if (to_end > 0)
    gtk_widget_activate_action (self, direction > 0 ? "wall.all" : "wall.none", NULL);
  else
    gtk_widget_activate_action (self, direction > 0 ? "wall.next" : "wall.previous", NULL);
}

/* Takes the keys that clickers send, on the wall alone: elsewhere a page may scroll. */
static gboolean
page_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  if (!MEMLANE_FIGURE_WIDGET (widget)->projector)
    return FALSE;
  gtk_widget_activate_action (
      widget, g_variant_get_int32 (arguments) > 0 ? "wall.next-family" : "wall.previous-family",
      NULL);
  return TRUE;
}

static const MemlaneFigureAction actions[] = {
  { NULL, { GDK_KEY_KP_0, GDK_KEY_0 }, 0, show_all },
  /* show_all() does it; these keys are for the menu */
  { "chart.fit", { GDK_KEY_KP_0, GDK_KEY_0 }, 0, fit },
  { "chart.zoom-in", { GDK_KEY_KP_Add, GDK_KEY_equal /* plus without Shift */, GDK_KEY_plus }, 0,
    zoom, 1 / MEMLANE_FIGURE_KEY_STEP },
  { "chart.zoom-out", { GDK_KEY_KP_Subtract, GDK_KEY_minus }, 0, zoom, MEMLANE_FIGURE_KEY_STEP },
  { "chart.previous-size", { GDK_KEY_Left }, GDK_SHIFT_MASK, walk_size, -1 },
  { "chart.next-size", { GDK_KEY_Right }, GDK_SHIFT_MASK, walk_size, 1 },
  { "chart.first-size", { 0 }, 0, walk_size, -1, TRUE },
  { "chart.last-size", { 0 }, 0, walk_size, 1, TRUE },
  { "chart.previous-curve", { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, walk_curve, 1 },
  { "chart.next-curve", { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, walk_curve, -1 },
  { "chart.activate-point", { GDK_KEY_Return, GDK_KEY_KP_Enter }, 0, activate_point },
  { "wall.none", { 0 }, 0, reveal, -INFINITY },
  { "wall.all", { 0 }, 0, reveal, INFINITY },
  { "wall.next", { 0 }, 0, reveal, 1 },
  { "wall.previous", { 0 }, 0, reveal, -1 },
  { "wall.next-family", { 0 }, 0, reveal, 1, TRUE },
  { "wall.previous-family", { 0 }, 0, reveal, -1, TRUE },
  { NULL, { GDK_KEY_Left, GDK_KEY_KP_Left }, 0, go, -1 },
  { NULL, { GDK_KEY_Right, GDK_KEY_KP_Right }, 0, go, 1 },
  { NULL, { GDK_KEY_Home, GDK_KEY_KP_Home }, 0, go, -1, TRUE },
  { NULL, { GDK_KEY_End, GDK_KEY_KP_End }, 0, go, 1, TRUE },
};

static void
install_keys (GtkWidgetClass *widget_class)
{
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "chart.stop-isolating", NULL, choose_action },
    { "chart.stop-focusing", NULL, choose_action },
    { "chart.isolate", "s", choose_action },
    { "chart.focus", "s", choose_action },
    { NULL },
  });
  for (guint i = 0; i < MEMLANE_N_FAMILIES; i++)
    {
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_1 + i, 0, "chart.focus", "s",
                                           memlane_family_id (i));
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, 0, "chart.focus", "s",
                                           memlane_family_id (i));
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Up, 0, page_cb, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Down, 0, page_cb, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

/* --- pointer ---------------------------------------------------------------------------------- */

static void
point_at (MemlaneChartView *self, double x, double y, gboolean pin)
{
  MemlanePlot *plot = get_plot (self);
  MemlaneHit hit = { MEMLANE_HIT_NOTHING, G_MAXUINT, G_MAXUINT, G_MAXUINT };

  if (plot != NULL)
    hit = memlane_plot_hit (plot, x, y);
  hover (self, plot, plot != NULL ? memlane_plot_find_family (plot, x, y) : MEMLANE_N_FAMILIES);
  FIGURE (self)->spoken = FALSE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   hit.kind == MEMLANE_HIT_LEGEND ? "pointer" : NULL);
  if ((hit.kind == MEMLANE_HIT_AREA || hit.kind == MEMLANE_HIT_POINT)
      && hit.log2_elements != G_MAXUINT)
    set_crosshair (self, hit.log2_elements, hit.kind == MEMLANE_HIT_POINT ? hit.series : G_MAXUINT,
                   pin);
  else
    restore_pin (self);
}

static void
point (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (widget->banding)
    return;
  if (isnan (x))
    {
      hover (self, get_plot (self), MEMLANE_N_FAMILIES);
      restore_pin (self);
    }
  else
    point_at (self, x, y, FALSE);
}

/* A double click on a point is for whoever listens. */
static void
press (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = get_plot (self);
  MemlaneHit hit;

  if (plot == NULL || n_press != 2)
    return;
  hit = memlane_plot_hit (plot, x, y);
  if (hit.kind != MEMLANE_HIT_POINT)
    return;
  set_crosshair (self, hit.log2_elements, hit.series, TRUE);
  activate_point (self, 0, 0);
}

static void
click (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = get_plot (self);
  MemlaneHit hit;

  if (plot == NULL || n_press != 1)
    return;
  hit = memlane_plot_hit (plot, x, y);
  if (hit.kind == MEMLANE_HIT_LEGEND)
    {
      const MemlaneSeries *series = self->chart->series->pdata[hit.series];
      const char *what = hit.family ? series->run : series->mode;

      if (hit.band
          || (self->view.focus != MEMLANE_N_FAMILIES && self->view.focus == series->family
              && !hit.family))
        focus_family (self, series->family); /* its modes one by one; again: all families */
      else
        isolate (self, g_strcmp0 (self->view.isolated, what) == 0 ? NULL : what);
    }
  else
    point_at (self, x, y, TRUE);
}

static gboolean
is_inside (const MemlaneRectangle *area, double x, double y)
{
  return x >= area->x && x <= area->x + area->width && y >= area->y && y <= area->y + area->height;
}

static gboolean
band_begin (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = get_plot (self);
  MemlanePlotAxes axes;

  self->band[0] = self->band[2] = x;
  self->band[1] = self->band[3] = y;
  if (plot == NULL || self->chart->trouble != NULL)
    return FALSE;
  axes = memlane_plot_get_axes (plot);
  return !axes.has_panels && is_inside (axes.area, x, y);
}

static void
band_move (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = get_plot (self);
  const MemlaneRectangle *area;

  if (plot == NULL)
    return;
  area = memlane_plot_get_axes (plot).area;
  self->band[2] = CLAMP (x, area->x, area->x + area->width);
  self->band[3] = CLAMP (y, area->y, area->y + area->height);
  memlane_figure_widget_redraw (widget, MEMLANE_FIGURE_OVERLAY);
}

static void
band_end (MemlaneFigureWidget *widget, gboolean done)
{
  if (done)
    zoom_to_band (MEMLANE_CHART_VIEW (widget));
  else
    memlane_figure_widget_redraw (widget, MEMLANE_FIGURE_OVERLAY);
}

static gboolean
zoom_by_hand (MemlaneFigureWidget *widget, double x, double y, double factor)
{
  if (isnan (x))
    zoom (widget, factor, 0);
  else
    zoom_at (MEMLANE_CHART_VIEW (widget), x, y, factor);
  return TRUE;
}

/* Sideways over what is zoomed. */
static gboolean
scroll (MemlaneFigureWidget *widget, double dx, double dy, gboolean by_px)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (dx == 0 || !is_zoomed (self))
    return FALSE;
  pan (self, 0.1 * (by_px ? dx / MEMLANE_FIGURE_NOTCH : dx));
  return TRUE;
}

static gboolean
place_menu (MemlaneFigureWidget *widget, double *x, double *y)
{
  MemlanePlot *plot = get_plot (MEMLANE_CHART_VIEW (widget));
  const MemlaneRectangle *area;

  if (plot == NULL)
    return FALSE;
  area = memlane_plot_get_axes (plot).area;
  *x = area->x + area->width / 2;
  *y = area->y + area->height / 2;
  return TRUE;
}

/* --- the figure, what is told ----------------------------------------------------------------- */

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlaneView view = self->view;

  if (paper)
    view.hover = MEMLANE_N_FAMILIES;
  return self->chart != NULL ? memlane_plot_drawing_new (self->chart, &view) : NULL;
}

static void
draw_overlay (MemlaneFigureWidget *widget, gconstpointer plot, cairo_t *cr)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (widget->banding)
    memlane_plot_draw_band (plot, cr, self->band[0], self->band[1], self->band[2], self->band[3]);
  else if (self->crosshair.set)
    memlane_plot_draw_overlay (plot, cr, self->crosshair.log2,
                               find_series (self, self->crosshair.series));
}

static void
invalidated (MemlaneFigureWidget *widget)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  check (self, &self->crosshair);
  check (self, &self->pin);
  memlane_figure_widget_update_reading (widget);
  update_actions (self);
}

static void
projector_changed (MemlaneFigureWidget *widget)
{
  MEMLANE_CHART_VIEW (widget)->view.revealed = -1; /* begins and ends with all of them */
  MEMLANE_CHART_VIEW (widget)->view.by_family = FALSE;
}

/* "Pinned: 40.7 GB/s (interval 40.5 GB/s to 40.9 GB/s)" */
static char *
describe_point (MemlaneChartView *self, const MemlaneSeries *series, const MemlaneChartPoint *point)
{
  g_autofree char *value = memlane_unit_format (self->chart->unit, point->value, TRUE);
  g_autofree char *low = memlane_unit_format (self->chart->unit, point->low, TRUE);
  g_autofree char *high = memlane_unit_format (self->chart->unit, point->high, TRUE);

  if (!(point->low < point->high))
    /* Translators: a curve and its value */
    return g_strdup_printf (_("%s: %s"), series->label, value);
  if (point->noisy)
    return g_strdup_printf (_("%s: %s, noisy (interval %s to %s)"), series->label, value, low,
                            high);
  return g_strdup_printf (_("%s: %s (interval %s to %s)"), series->label, value, low, high);
}

static char *
read_crosshair (MemlaneFigureWidget *widget)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = self->crosshair.set ? get_plot (self) : NULL;
  const MemlaneChartPoint *point = get_point (self);
  g_autofree char *one = NULL, *all = NULL;

  if (plot == NULL)
    return g_strdup ("");
  all = memlane_plot_format_reading (plot, self->crosshair.log2);
  if (point == NULL)
    return g_steal_pointer (&all);
  one = describe_point (
      self, self->chart->series->pdata[find_series (self, self->crosshair.series)], point);
  /* Translators: the chosen curve's value, then those of all curves at that size */
  return g_strdup_printf (_("%s — %s"), one, all);
}

static char *
name (MemlaneFigureWidget *widget)
{
  MemlaneChart *chart = MEMLANE_CHART_VIEW (widget)->chart;

  return g_strdup (chart == NULL || chart->title == NULL ? _("Chart") : chart->title);
}

/* --- widget ----------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneChartView, memlane_chart_view, finalize,
                        OWNS (crosshair.series, g_free) OWNS (pin.series, g_free)
                        OWNS (chart, memlane_chart_unref)
                        g_free ((char *) self->view.isolated);)

static const MemlaneFigureEntry menu[] = {
  { N_("Show _Everything"), "chart.fit" },
  { N_("Zoom _In"), "chart.zoom-in" },
  { N_("Zoom _Out"), "chart.zoom-out" },
  { N_("Stop _Isolating"), "chart.stop-isolating" },
  { N_("Show All _Families"), "chart.stop-focusing" },
  { NULL },
};

static const MemlaneFigureCalls calls = {
  .get_drawing = get_drawing,
  .draw_overlay = draw_overlay,
  .invalidated = invalidated,
  .projector_changed = projector_changed,
  .read = read_crosshair,
  .name = name,
  .nothing = N_("There is no figure yet: open a run or press Run"),
  .point = point,
  .press = press,
  .click = click,
  .band_begin = band_begin,
  .band_move = band_move,
  .band_end = band_end,
  .zoom = zoom_by_hand,
  .scroll = scroll,
  .menu = { menu },
  .place_menu = place_menu,
  .actions = actions,
  .n_actions = G_N_ELEMENTS (actions),
};

static void
memlane_chart_view_class_init (MemlaneChartViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;

  memlane_signal_add (klass, "point-activated", 2, G_TYPE_POINTER,
                      G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  memlane_figure_widget_class_set_calls (klass, &calls);
  install_keys (widget_class);
}

static void
memlane_chart_view_init (MemlaneChartView *self)
{
  self->view = (MemlaneView) MEMLANE_VIEW_FIT;
  self->view.form = MEMLANE_FORM_OVERVIEW;
}

static void
forget_view (MemlaneChartView *self)
{
  const MemlaneView before = self->view;

  g_free ((char *) self->view.isolated);
  self->view = (MemlaneView) MEMLANE_VIEW_FIT;
  /* A teacher who changes the phase goes on where he was. */
  self->view.form = before.form;
  self->view.focus = before.focus;
  self->view.revealed = before.revealed;
  self->view.by_family = before.by_family;
  crosshair_clear (&self->crosshair);
  crosshair_clear (&self->pin);
}

void
memlane_chart_view_set_chart (MemlaneChartView *self, MemlaneChart *chart)
{
  MemlaneChart *before = g_steal_pointer (&self->chart);
  gboolean other;

  self->chart = chart == NULL ? NULL : memlane_chart_ref (chart);
  other = before == NULL || chart == NULL || before->quantity != chart->quantity
          || before->phase != chart->phase || g_strcmp0 (before->workload, chart->workload) != 0;
  if (other)
    forget_view (self);
  else if (before->value_scale != chart->value_scale)
    /* a linear range may reach to 0, where a logarithm has no place */
    self->view.y = MEMLANE_RANGE_NAN;
  g_clear_pointer (&before, memlane_chart_unref);
  if (self->view.isolated != NULL && !has_isolated (self, &self->view))
    g_clear_pointer ((char **) &self->view.isolated, g_free);
  /* A screen reader speaks every change of the focused widget's description: a sweep would make it
   * talk without end. */
  if (other || !gtk_widget_has_focus (GTK_WIDGET (self)))
    memlane_figure_widget_describe (FIGURE (self));
  memlane_figure_widget_invalidate (FIGURE (self));
  memlane_figure_widget_set_zoomed (FIGURE (self), is_zoomed (self));
}

void
memlane_chart_view_set_form (MemlaneChartView *self, MemlaneForm form)
{
  if (self->view.form == form)
    return;
  self->view.form = form;
  memlane_figure_widget_invalidate (FIGURE (self));
}
