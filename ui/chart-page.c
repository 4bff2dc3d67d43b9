/* chart-page.c: the Bandwidth and Time pages
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-page-private.h"

#define PROJECTED_TEXT 24 /* px in a window of 1280x720 at text of 100 %; larger windows have larger text, as the figure's */
#define PROJECTED_HEIGHT 720

G_DEFINE_FINAL_TYPE (MemlaneChartPage, memlane_chart_page, ADW_TYPE_BIN)

static void
update_fit (MemlaneChartPage *self)
{
  gboolean zoomed;

  g_object_get (self->view, "zoomed", &zoomed, NULL);
  gtk_widget_set_sensitive (self->fit, zoomed);
}

static void
fit_clicked_cb (MemlaneChartPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "chart.fit", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* the button is insensitive now */
}

/* --- chart and reading ------------------------------------------------------------------------------------------ */

static void
update_reading (MemlaneChartPage *self)
{
  const char *reading = memlane_chart_view_get_reading (self->view);
  gboolean none = reading[0] == '\0';

  if (none)
    reading = self->projector ? "" : _("Point at a curve or press an arrow key to read values");
  gtk_label_set_text (GTK_LABEL (self->reading), reading);
  gtk_widget_set_tooltip_text (self->reading, none ? NULL : reading); /* what the two lines cut off */
  if (none)
    gtk_widget_add_css_class (self->reading, "dim-label");
  else
    gtk_widget_remove_css_class (self->reading, "dim-label");
}

static double
text_scale (GtkWidget *widget)
{
  int dpi = -1;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / 1024.0 / 96 : 1;
}

/* What follows the window's height: how much the reading may take from the figure, and whether a picture has room beside words. */
static void
adapt (MemlaneChartPage *self)
{
  static const char *const rooms[] = { "X", "X\nX", "X\nX\nX" };
  double scale = text_scale (GTK_WIDGET (self)), height = self->window_height / scale;
  int lines = height < 300 ? 1 : height < 500 || self->projector ? 2 : 3;
  PangoAttrList *attributes = NULL;

  if (self->projector)
    {
      double size = PROJECTED_TEXT * scale * MAX (1, (double) self->window_height / PROJECTED_HEIGHT);

      attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_size_new_absolute ((int) (size * PANGO_SCALE)));
    }
  gtk_label_set_attributes (GTK_LABEL (self->reading), attributes);
  gtk_label_set_attributes (GTK_LABEL (self->room), attributes);
  g_clear_pointer (&attributes, pango_attr_list_unref);
  gtk_label_set_lines (GTK_LABEL (self->reading), lines);
  gtk_label_set_text (GTK_LABEL (self->room), rooms[lines - 1]);
  adw_status_page_set_icon_name (self->nothing, height < 480 ? NULL : self->icon);
}

/* Why there is no curve, and what to do. */
static void
explain (MemlaneChartPage *self, MemlaneChart *chart, GPtrArray *shown)
{
  gboolean running = memlane_session_is_running (self->session), none = shown->len == 0;

  if (running)
    {
      self->icon = "content-loading-symbolic";
      adw_status_page_set_title (self->nothing, _("Measuring"));
      adw_status_page_set_description (self->nothing, none ? _("The first curve appears with the first cell.") : chart->trouble);
    }
  else if (none)
    {
      self->icon = self->quantity == MEMLANE_QUANTITY_TIME ? "memlane-time-symbolic" : "memlane-bandwidth-symbolic";
      adw_status_page_set_title (self->nothing, _("Nothing measured yet"));
      adw_status_page_set_description (self->nothing,
                                       _("Run measures the chosen modes on the chosen device. The curves grow while it runs, "
                                         "and every run is kept in the list of runs."));
    }
  else
    {
      self->icon = "memlane-info-symbolic";
      adw_status_page_set_title (self->nothing, _("Nothing to draw"));
      adw_status_page_set_description (self->nothing, chart->trouble);
    }
  gtk_widget_set_visible (self->run, !running);
  gtk_widget_set_visible (self->recorded, !running && none);
  adapt (self);
}

static void
rebuild (MemlaneChartPage *self)
{
  g_autoptr(GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  gboolean comparing = memlane_chart_page_get_flag (self, "comparing");
  g_autoptr(MemlaneChart) chart = memlane_session_build_chart (self->session, comparing ? MEMLANE_QUANTITY_RATIO : self->quantity);
  g_autofree char *trouble = NULL;

  self->dirty = FALSE;
  memlane_chart_page_update_bar (self, shown);
  memlane_chart_view_set_chart (self->view, chart);
  if (chart->trouble != NULL)
    {
      gboolean focused = gtk_widget_has_focus (GTK_WIDGET (self->view));

      explain (self, chart, shown);
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "nothing");
      if (focused)
        gtk_widget_child_focus (GTK_WIDGET (self->nothing), GTK_DIR_TAB_FORWARD);
    }
  else
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "chart");
  update_reading (self);
}

/* What is not seen is not built. */
static void
charts_changed_cb (MemlaneChartPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    rebuild (self);
  else
    self->dirty = TRUE;
}

static void
layout_cb (MemlaneChartPage *self, int width, int height)
{
  if (self->window_height == height)
    return;
  self->window_height = height;
  adapt (self);
}

static void
memlane_chart_page_map (GtkWidget *widget)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (widget);

  if (self->dirty && self->session != NULL)
    rebuild (self);
  self->surface = g_object_ref (gtk_native_get_surface (gtk_widget_get_native (widget)));
  g_signal_connect_swapped (self->surface, "layout", G_CALLBACK (layout_cb), self);
  layout_cb (self, gdk_surface_get_width (self->surface), gdk_surface_get_height (self->surface));
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->map (widget);
}

static void
memlane_chart_page_unmap (GtkWidget *widget)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (widget);

  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->unmap (widget);
  g_signal_handlers_disconnect_by_data (self->surface, self);
  g_clear_object (&self->surface);
}

static void
memlane_chart_page_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->system_setting_changed (widget, setting);
  if (setting == GTK_SYSTEM_SETTING_DPI)
    adapt (MEMLANE_CHART_PAGE (widget));
}

static void
memlane_chart_page_dispose (GObject *object)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_CHART_PAGE);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (memlane_chart_page_parent_class)->dispose (object);
}

static void
memlane_chart_page_class_init (MemlaneChartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = memlane_chart_page_dispose;
  widget_class->map = memlane_chart_page_map;
  widget_class->unmap = memlane_chart_page_unmap;
  widget_class->system_setting_changed = memlane_chart_page_system_setting_changed;

  g_type_ensure (MEMLANE_TYPE_CHART_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/chart-page.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneChartPage, name)
  CHILD (bar);
  CHILD (phases);
  CHILD (log_values);
  CHILD (ceilings);
  CHILD (published);
  CHILD (compare);
  CHILD (fit);
  CHILD (comparison);
  CHILD (stack);
  CHILD (room);
  CHILD (reading);
  CHILD (nothing);
  CHILD (run);
  CHILD (recorded);
  CHILD (view);
#undef CHILD
  gtk_widget_class_bind_template_callback_full (widget_class, "phase_selected_cb", G_CALLBACK (memlane_chart_page_choose_phase));
  gtk_widget_class_bind_template_callback (widget_class, fit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, update_fit);
}

static void
memlane_chart_page_init (MemlaneChartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->dirty = TRUE;
  update_fit (self);
  update_reading (self);
}

GtkWidget *
memlane_chart_page_new (MemlaneSession *session, MemlaneQuantity quantity)
{
  MemlaneChartPage *self = g_object_new (MEMLANE_TYPE_CHART_PAGE, NULL);

  self->session = g_object_ref (session);
  self->quantity = quantity;
  memlane_chart_page_bind_bar (self);
  g_signal_connect_object (session, "charts-changed", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::running", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

MemlaneChartView *
memlane_chart_page_get_view (MemlaneChartPage *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_PAGE (self), NULL);
  return self->view;
}

int
memlane_chart_page_get_reading_height (MemlaneChartPage *self)
{
  GtkWidget *strip = gtk_widget_get_parent (self->room);
  int natural;

  g_return_val_if_fail (MEMLANE_IS_CHART_PAGE (self), 0);
  gtk_widget_measure (strip, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL); /* with its margins */
  return gtk_widget_is_visible (strip) ? natural : 0;
}

void
memlane_chart_page_set_projector (MemlaneChartPage *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_CHART_PAGE (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  gtk_widget_set_visible (self->comparison, !self->projector && gtk_label_get_text (GTK_LABEL (self->comparison))[0] != '\0');
  memlane_chart_view_set_projector (self->view, self->projector);
  adapt (self);
  update_reading (self);
  if (self->projector && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* its keys reveal */
}
