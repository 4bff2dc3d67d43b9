/* chart-view-menu.c: the context menu of a chart view
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-view-private.h"
#include "parts/figure-view.h"

static GMenuModel *
make_model (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr(GMenu) view = g_menu_new ();

  memlane_figure_menu_add (view, _("Show _Everything"), "chart.fit");
  memlane_figure_menu_add (view, _("Zoom _In"), "chart.zoom-in");
  memlane_figure_menu_add (view, _("Zoom _Out"), "chart.zoom-out");
  memlane_figure_menu_add (view, _("Stop _Isolating"), "chart.stop-isolating");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  memlane_figure_menu_add_files (menu);
  return G_MENU_MODEL (menu);
}

static gboolean
pop_up (GtkWidget *widget, double x, double y)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (self->projector)
    return FALSE; /* a slip of the hand is not for the wall */
  memlane_figure_menu_pop_up (widget, &self->menu, make_model, x, y);
  return TRUE;
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneRectangle *area;

  if (plot == NULL)
    return FALSE;
  area = memlane_plot_get_area (plot);
  return pop_up (widget, area->x + area->width / 2, area->y + area->height / 2);
}

void
memlane_chart_view_add_menu (MemlaneChartView *self)
{
  memlane_figure_menu_add_gestures (GTK_WIDGET (self), pop_up);
}

void
memlane_chart_view_bind_menu_keys (GtkWidgetClass *widget_class)
{
  memlane_figure_menu_bind_keys (widget_class, menu_key_cb);
}
