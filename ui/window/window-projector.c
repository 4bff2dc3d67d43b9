/* window-projector.c: full screen, only the chart and its reading
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "parts/color-scheme.h"
#include "window-private.h"

void
memlane_window_project_page (MemlaneWindow *self, const char *name, gboolean projector)
{
  GtkWidget *bin = adw_view_stack_get_child_by_name (self->pages, name), *page = adw_bin_get_child (ADW_BIN (bin));

  if (MEMLANE_IS_CHART_PAGE (page))
    memlane_chart_page_set_projector (MEMLANE_CHART_PAGE (page), projector);
  else if (MEMLANE_IS_TIMELINE_PAGE (page))
    memlane_timeline_page_set_projector (MEMLANE_TIMELINE_PAGE (page), projector);
  else if (MEMLANE_IS_EXPERIMENT_PAGE (page))
    memlane_experiment_page_set_projector (MEMLANE_EXPERIMENT_PAGE (page), projector);
  else if (MEMLANE_IS_DECIDE_PAGE (page))
    memlane_decide_page_set_projector (MEMLANE_DECIDE_PAGE (page), projector);
}

static int
get_reading_height (MemlaneWindow *self)
{
  if (memlane_window_shows_timeline (self))
    return memlane_timeline_page_get_reading_height (memlane_window_get_timeline_page (self));
  if (memlane_window_shows_decide (self))
    return memlane_decide_page_get_reading_height (memlane_window_get_decide_page (self));
  if (memlane_window_shows_experiments (self))
    return 0;
  return memlane_chart_page_get_reading_height (memlane_window_get_current_page (self));
}

/* The margin is in force from the toast's next layout on; toasts that wait get it when they are shown. */
static void
place_toasts (MemlaneWindow *self)
{
  int room = self->projector ? get_reading_height (self) : 0;
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->toasts)); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (strcmp (gtk_widget_get_css_name (child), "toast") == 0)
      gtk_widget_set_margin_bottom (child, room);
}

static gboolean
place_toasts_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->toasts_idle = 0;
  place_toasts (self);
  return G_SOURCE_REMOVE;
}

void
memlane_window_place_toasts_soon (MemlaneWindow *self)
{
  if (self->toasts_idle == 0)
    self->toasts_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, place_toasts_cb, self, NULL);
}

static const char *
get_hint (MemlaneWindow *self)
{
  if (memlane_window_shows_timeline (self))
    return _("Escape leaves the projector; Space plays, comma and full stop step through the operations");
  if (memlane_window_shows_decide (self))
    return _("Escape leaves the projector; the arrow keys choose a size and a reuse");
  if (memlane_window_shows_experiments (self))
    return _("Escape leaves the projector");
  return _("Escape leaves the projector; Right and Left reveal and hide curves");
}

void
memlane_window_set_projector (MemlaneWindow *self, gboolean projector)
{
  static const char *const pages[] = { "bandwidth", "time", "timeline", "decide", "experiments" };

  if (projector == self->projector)
    return;
  self->projector = projector;
  if (projector)
    {
      const char *page = adw_view_stack_get_visible_child_name (self->pages);

      /* A table is not projected, nor a timeline or a map that is not there. */
      if (g_strcmp0 (page, "table") == 0 || (memlane_window_shows_timeline (self) && !memlane_window_has_timeline (self))
          || (memlane_window_shows_decide (self) && !memlane_window_has_map (self)))
        adw_view_stack_set_visible_child_name (self->pages, "bandwidth");
      self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
      self->side_before = adw_flap_get_reveal_flap (self->flap);
      gtk_window_fullscreen (GTK_WINDOW (self));
      gtk_widget_add_css_class (GTK_WIDGET (self), "projector");
    }
  else
    {
      if (!self->was_fullscreen)
        gtk_window_unfullscreen (GTK_WINDOW (self));
      gtk_widget_remove_css_class (GTK_WIDGET (self), "projector");
    }
  memlane_color_scheme_apply (projector);
  gtk_widget_set_visible (self->header, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->switcher_bar), !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->banner), !projector);
  adw_flap_set_reveal_flap (self->flap, projector ? FALSE : self->side_before);
  adw_flap_set_swipe_to_open (self->flap, !projector);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    memlane_window_project_page (self, pages[i], projector);
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
  memlane_window_place_toasts_soon (self);
  gtk_widget_grab_focus (memlane_window_shows_experiments (self)
                           ? memlane_experiment_page_get_focus (memlane_window_get_experiment_page (self))
                           : memlane_window_get_figure_view (self));
  if (projector)
    memlane_window_tell (self, get_hint (self), FALSE);
}

/* Before the chart sees it: there Escape means the whole range. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  MemlaneWindow *self = data;

  if (key != GDK_KEY_Escape || !self->projector)
    return GDK_EVENT_PROPAGATE;
  memlane_window_set_projector (self, FALSE);
  return GDK_EVENT_STOP;
}

void
memlane_window_add_projector_keys (MemlaneWindow *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}
