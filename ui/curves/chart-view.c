/* chart-view.c: a chart in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart-view-private.h"
#include "parts/figure-view.h"

G_DEFINE_FINAL_TYPE (MemlaneChartView, memlane_chart_view, GTK_TYPE_WIDGET)

GParamSpec *memlane_chart_view_properties[MEMLANE_CHART_VIEW_N_PROPERTIES];
static guint point_activated;

void
memlane_chart_view_get_plot_size (MemlaneChartView *self, int *width, int *height)
{
  *width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_WIDTH);
  *height = MAX (gtk_widget_get_height (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_HEIGHT);
}

MemlanePlot *
memlane_chart_view_lay_out (MemlaneChartView *self, const MemlaneView *view)
{
  PangoContext *pango = gtk_widget_create_pango_context (GTK_WIDGET (self)); /* font settings and text size are GTK's */
  MemlanePlot *plot;
  int width, height;

  memlane_chart_view_get_plot_size (self, &width, &height);
  plot = memlane_plot_layout (self->chart, view, self->style, width, height, pango);
  g_object_unref (pango);
  return plot;
}

MemlanePlot *
memlane_chart_view_ensure_plot (MemlaneChartView *self)
{
  int width, height;

  if (self->chart == NULL || gtk_widget_get_width (GTK_WIDGET (self)) <= 0 || gtk_widget_get_height (GTK_WIDGET (self)) <= 0)
    return NULL;
  memlane_chart_view_get_plot_size (self, &width, &height);
  if (self->plot != NULL && (self->plot_width != width || self->plot_height != height))
    g_clear_pointer (&self->plot, memlane_plot_free);
  if (self->plot == NULL)
    {
      self->plot = memlane_chart_view_lay_out (self, &self->view);
      self->plot_width = width;
      self->plot_height = height;
    }
  return self->plot;
}

void
memlane_chart_view_redraw_overlay (MemlaneChartView *self)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->overlay));
}

void
memlane_chart_view_invalidate (MemlaneChartView *self)
{
  g_clear_pointer (&self->plot, memlane_plot_free);
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->figure));
  memlane_chart_view_redraw_overlay (self);
  memlane_chart_view_check_crosshair (self);
  memlane_chart_view_update_reading (self);
  memlane_chart_view_update_actions (self);
}

static void
paint_figure (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneChartView *self = user_data;
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneColor *background = &self->style->background;

  cairo_set_source_rgba (cr, background->red, background->green, background->blue, background->alpha);
  cairo_paint (cr);
  if (plot != NULL)
    memlane_plot_draw (plot, cr);
}

static void
paint_overlay (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneChartView *self = user_data;
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);

  if (plot == NULL)
    return;
  if (self->banding)
    memlane_plot_draw_band (plot, cr, self->band[0], self->band[1], self->band[2], self->band[3]);
  else if (self->crosshair.set)
    memlane_plot_draw_overlay (plot, cr, self->crosshair.log2, memlane_chart_view_find_series (self, self->crosshair.series));
}

static void
restyle (MemlaneChartView *self)
{
  const MemlaneStyle *style = memlane_figure_choose_style (GTK_WIDGET (self), self->projector);

  if (self->style == style)
    return;
  self->style = style;
  memlane_chart_view_invalidate (self);
}

gboolean
memlane_chart_view_activate_point (MemlaneChartView *self)
{
  const MemlaneChartPoint *point = memlane_chart_view_get_point (self);

  if (point == NULL)
    return FALSE;
  g_signal_emit (self, point_activated, 0, point, self->crosshair.series);
  return TRUE;
}

static void
memlane_chart_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  memlane_figure_measure (orientation, minimum, natural);
}

static void
memlane_chart_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  gtk_widget_allocate (self->figure, width, height, -1, NULL);
  gtk_widget_allocate (self->overlay, width, height, -1, NULL);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (self->chart != NULL && self->reading[0] == '\0' && self->crosshair.set)
    memlane_chart_view_update_reading (self); /* there was no size to lay out for */
}

static void
memlane_chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (memlane_chart_view_parent_class)->snapshot (widget, snapshot);
  /* not on the wall, where nothing else can have the focus */
  if (gtk_widget_has_visible_focus (widget) && !MEMLANE_CHART_VIEW (widget)->projector && gtk_widget_get_width (widget) > 0)
    memlane_figure_snapshot_focus (widget, snapshot);
}

static void
memlane_chart_view_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  if ((before ^ gtk_widget_get_state_flags (widget)) & (GTK_STATE_FLAG_FOCUSED | GTK_STATE_FLAG_FOCUS_VISIBLE))
    gtk_widget_queue_draw (widget); /* the layers keep what they have */
  if ((before & GTK_STATE_FLAG_FOCUSED) && !(gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUSED))
    memlane_chart_view_describe (MEMLANE_CHART_VIEW (widget));
  GTK_WIDGET_CLASS (memlane_chart_view_parent_class)->state_flags_changed (widget, before);
}

/* Fonts, their rendering, the text size. */
static void
memlane_chart_view_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_chart_view_parent_class)->system_setting_changed (widget, setting);
  memlane_chart_view_invalidate (MEMLANE_CHART_VIEW (widget));
}

static void
memlane_chart_view_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  GTK_WIDGET_CLASS (memlane_chart_view_parent_class)->direction_changed (widget, before);
  memlane_chart_view_invalidate (MEMLANE_CHART_VIEW (widget));
}

static void
memlane_chart_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (object);

  switch (id)
    {
    case MEMLANE_CHART_VIEW_PROJECTOR:
      g_value_set_boolean (value, self->projector);
      break;
    case MEMLANE_CHART_VIEW_READING:
      g_value_set_string (value, self->reading);
      break;
    case MEMLANE_CHART_VIEW_ZOOMED:
      g_value_set_boolean (value, memlane_chart_view_is_zoomed (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
memlane_chart_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == MEMLANE_CHART_VIEW_PROJECTOR)
    memlane_chart_view_set_projector (MEMLANE_CHART_VIEW (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
memlane_chart_view_dispose (GObject *object)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (object);

  g_clear_pointer (&self->plot, memlane_plot_free);
  g_clear_pointer (&self->chart, memlane_chart_unref);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->figure, gtk_widget_unparent);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (memlane_chart_view_parent_class)->dispose (object);
}

static void
memlane_chart_view_finalize (GObject *object)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (object);

  memlane_crosshair_clear (&self->crosshair);
  memlane_crosshair_clear (&self->pin);
  g_free ((char *) self->view.isolated);
  g_free (self->reading);
  G_OBJECT_CLASS (memlane_chart_view_parent_class)->finalize (object);
}

static void
memlane_chart_view_class_init (MemlaneChartViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamSpec **properties = memlane_chart_view_properties;

  object_class->dispose = memlane_chart_view_dispose;
  object_class->finalize = memlane_chart_view_finalize;
  object_class->get_property = memlane_chart_view_get_property;
  object_class->set_property = memlane_chart_view_set_property;
  widget_class->measure = memlane_chart_view_measure;
  widget_class->size_allocate = memlane_chart_view_size_allocate;
  widget_class->snapshot = memlane_chart_view_snapshot;
  widget_class->state_flags_changed = memlane_chart_view_state_flags_changed;
  widget_class->system_setting_changed = memlane_chart_view_system_setting_changed;
  widget_class->direction_changed = memlane_chart_view_direction_changed;

  properties[MEMLANE_CHART_VIEW_PROJECTOR]
    = g_param_spec_boolean ("projector", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[MEMLANE_CHART_VIEW_READING] = g_param_spec_string ("reading", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[MEMLANE_CHART_VIEW_ZOOMED] = g_param_spec_boolean ("zoomed", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, MEMLANE_CHART_VIEW_N_PROPERTIES, properties);
  point_activated = g_signal_new ("point-activated", MEMLANE_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                  G_TYPE_POINTER, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);

  gtk_widget_class_set_css_name (widget_class, "chartview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  memlane_chart_view_install_actions (widget_class);
  memlane_chart_view_bind_menu_keys (widget_class);
}

static void
memlane_chart_view_init (MemlaneChartView *self)
{
  self->view = (MemlaneView) MEMLANE_VIEW_FIT;
  self->reading = g_strdup ("");
  self->pointer_x = self->pointer_y = NAN;
  self->style = memlane_figure_choose_style (GTK_WIDGET (self), self->projector);
  self->figure = memlane_chart_layer_new (TRUE, paint_figure, self);
  self->overlay = memlane_chart_layer_new (FALSE, paint_overlay, self);
  gtk_widget_set_parent (self->figure, GTK_WIDGET (self));
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  memlane_figure_set_up (GTK_WIDGET (self));
  memlane_chart_view_add_controllers (self);
  memlane_chart_view_add_menu (self);
  memlane_figure_follow_style (GTK_WIDGET (self), G_CALLBACK (restyle));
  memlane_chart_view_set_chart (self, NULL);
}

GtkWidget *
memlane_chart_view_new (void)
{
  return g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL);
}

static void
forget_view (MemlaneChartView *self)
{
  int revealed = self->view.revealed;

  g_free ((char *) self->view.isolated);
  self->view = (MemlaneView) MEMLANE_VIEW_FIT;
  self->view.revealed = revealed; /* a teacher who changes the phase goes on where he was */
  memlane_crosshair_clear (&self->crosshair);
  memlane_crosshair_clear (&self->pin);
}

void
memlane_chart_view_describe (MemlaneChartView *self)
{
  g_autofree char *description = self->chart == NULL ? g_strdup (_("No chart")) : memlane_chart_describe (self->chart);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->chart == NULL || self->chart->title == NULL ? _("Chart") : self->chart->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  self->described = TRUE;
}

gboolean
memlane_chart_view_has_isolated (MemlaneChartView *self, const MemlaneView *view)
{
  for (guint i = 0; self->chart != NULL && i < self->chart->series->len; i++)
    if (memlane_view_isolates (view, ((MemlaneSeries *) self->chart->series->pdata[i])->id))
      return TRUE;
  return FALSE;
}

void
memlane_chart_view_set_chart (MemlaneChartView *self, MemlaneChart *chart)
{
  MemlaneChart *before;
  gboolean zoomed, other;

  g_return_if_fail (MEMLANE_IS_CHART_VIEW (self));
  zoomed = memlane_chart_view_is_zoomed (self);
  before = g_steal_pointer (&self->chart);
  g_clear_pointer (&self->plot, memlane_plot_free);
  self->chart = chart == NULL ? NULL : memlane_chart_ref (chart);
  other = before == NULL || chart == NULL || before->quantity != chart->quantity || before->phase != chart->phase
          || g_strcmp0 (before->workload, chart->workload) != 0;
  if (other)
    forget_view (self);
  else if (before->value_scale != chart->value_scale)
    self->view.y_from = self->view.y_to = NAN; /* a linear range may reach to 0, where a logarithm has no place */
  g_clear_pointer (&before, memlane_chart_unref);
  if (self->view.isolated != NULL && !memlane_chart_view_has_isolated (self, &self->view))
    g_clear_pointer ((char **) &self->view.isolated, g_free);
  /* A screen reader speaks every change of the focused widget's description: a sweep would make it talk without end. */
  if (other || !gtk_widget_has_focus (GTK_WIDGET (self)))
    memlane_chart_view_describe (self);
  memlane_chart_view_invalidate (self);
  if (zoomed != memlane_chart_view_is_zoomed (self))
    g_object_notify_by_pspec (G_OBJECT (self), memlane_chart_view_properties[MEMLANE_CHART_VIEW_ZOOMED]);
}

MemlaneChart *
memlane_chart_view_get_chart (MemlaneChartView *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_VIEW (self), NULL);
  return self->chart;
}

const MemlaneView *
memlane_chart_view_get_view (MemlaneChartView *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_VIEW (self), NULL);
  return &self->view;
}

const MemlaneStyle *
memlane_chart_view_get_style (MemlaneChartView *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_VIEW (self), NULL);
  return self->style;
}

void
memlane_chart_view_set_projector (MemlaneChartView *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_CHART_VIEW (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  self->view.revealed = -1; /* begins and ends with all of them */
  restyle (self);
  memlane_chart_view_invalidate (self);
  g_object_notify_by_pspec (G_OBJECT (self), memlane_chart_view_properties[MEMLANE_CHART_VIEW_PROJECTOR]);
}

const char *
memlane_chart_view_get_reading (MemlaneChartView *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_VIEW (self), NULL);
  return self->reading;
}

void
memlane_chart_view_get_paint_counts (MemlaneChartView *self, guint *figure, guint *overlay)
{
  g_return_if_fail (MEMLANE_IS_CHART_VIEW (self));
  if (figure != NULL)
    *figure = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->figure));
  if (overlay != NULL)
    *overlay = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->overlay));
}
