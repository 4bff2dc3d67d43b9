/* chart-page.c: the Bandwidth and Time pages
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-page-private.h"

#define LOW 480 /* px of the window: below that no picture has room beside words */

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
  memlane_reading_line_set (self->reading_line, memlane_chart_view_get_reading (self->view),
                            _("Point at a curve or press an arrow key to read values"));
}

static void
adapt (MemlaneChartPage *self)
{
  gboolean low = memlane_reading_line_get_window_height (self->reading_line) < LOW;

  adw_status_page_set_icon_name (self->nothing, low ? NULL : self->icon);
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
memlane_chart_page_map (GtkWidget *widget)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (widget);

  if (self->dirty && self->session != NULL)
    rebuild (self);
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->map (widget);
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

  g_type_ensure (MEMLANE_TYPE_CHART_VIEW);
  g_type_ensure (MEMLANE_TYPE_READING_LINE);
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
  CHILD (reading_line);
  CHILD (nothing);
  CHILD (run);
  CHILD (recorded);
  CHILD (view);
#undef CHILD
  gtk_widget_class_bind_template_callback_full (widget_class, "phase_selected_cb", G_CALLBACK (memlane_chart_page_choose_phase));
  gtk_widget_class_bind_template_callback (widget_class, fit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, update_fit);
  gtk_widget_class_bind_template_callback (widget_class, adapt);
}

static void
memlane_chart_page_init (MemlaneChartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
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
  g_return_val_if_fail (MEMLANE_IS_CHART_PAGE (self), 0);
  return memlane_reading_line_get_room (self->reading_line);
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
  memlane_reading_line_set_projector (self->reading_line, self->projector);
  update_reading (self);
  if (self->projector && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* its keys reveal */
}
