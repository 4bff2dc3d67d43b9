/* window-wall.c: the projector: full screen, only the figure and its reading
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "parts/color-scheme.h"
#include "parts/settings.h"

static void
set_blank (MemlaneWindow *self, gboolean blank)
{
  gtk_widget_set_visible (self->blank, blank);
}

void
memlane_window_set_projector (MemlaneWindow *self, gboolean projector)
{
  GtkWidget *focus;

  if (projector == self->projector)
    return;
  if (projector && !memlane_page_can_project (memlane_window_get_current_page (self)))
    {
      memlane_window_tell (self, _("This page has nothing to project yet."), FALSE);
      memlane_window_update (self); /* the action's state is as it was */
      return;
    }
  self->projector = projector;
  gtk_window_set_focus (GTK_WINDOW (self), NULL); /* GTK 4.8 loses a reference to what is hidden with the focus in it, twice in a frame */
  set_blank (self, FALSE);
  if (projector)
    {
      self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
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
  gtk_widget_set_visible (GTK_WIDGET (self->welcome), !projector);
  self->side_visiting = FALSE;
  memlane_window_fold (self, gtk_widget_get_width (GTK_WIDGET (self)));
  memlane_window_place_side (self);
  memlane_window_project_pages (self);
  memlane_window_update (self);
  focus = memlane_page_get_focus (memlane_window_get_current_page (self));
  gtk_widget_grab_focus (focus != NULL ? focus : memlane_window_get_figure_view (self));
  memlane_toasts_hold (self->toasts, projector ? memlane_page_get_hint (memlane_window_get_current_page (self)) : NULL);
}

/* As the keys of a clicker, and of a talk, are called. A page has those actions that it can do; the others' keys go to the page. */
static const struct
{
  guint key;
  const char *action;
} wall_keys[] = {
  { GDK_KEY_Home, "wall.none" },
  { GDK_KEY_End, "wall.all" },
  { GDK_KEY_Right, "wall.next" },
  { GDK_KEY_Left, "wall.previous" },
  { GDK_KEY_Page_Down, "wall.next-family" },
  { GDK_KEY_Page_Up, "wall.previous-family" },
  { GDK_KEY_b, "wall.blank" },
  { GDK_KEY_B, "wall.blank" },
  { GDK_KEY_d, "wall.dark" },
  { GDK_KEY_D, "wall.dark" },
};

static gboolean
activate_wall_action (MemlaneWindow *self, guint key)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  for (guint i = 0; i < G_N_ELEMENTS (wall_keys); i++)
    if (wall_keys[i].key == key)
      return gtk_widget_activate_action (focus != NULL ? focus : GTK_WIDGET (self), wall_keys[i].action, NULL);
  return FALSE;
}

void
memlane_window_blank_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (self->projector)
    set_blank (self, !gtk_widget_get_visible (self->blank));
}

/* As the preference does; it stays for the next time. */
void
memlane_window_dark_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  if (MEMLANE_WINDOW (widget)->projector)
    memlane_settings_set_boolean ("projector-dark", !memlane_settings_get_boolean ("projector-dark", FALSE));
}

/* Before the page sees it: there Escape means the whole range. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  MemlaneWindow *self = data;

  if (!self->projector)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Escape)
    memlane_window_set_projector (self, FALSE);
  else if (gtk_widget_get_visible (self->blank)) /* any key brings the figure back, as it was */
    set_blank (self, FALSE);
  else if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || !activate_wall_action (self, key))
    return GDK_EVENT_PROPAGATE;
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

void
memlane_window_add_blank (MemlaneWindow *self)
{
  self->blank = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_name (self->blank, "blank");
  gtk_widget_add_css_class (self->blank, "blank");
  gtk_widget_set_visible (self->blank, FALSE);
  gtk_overlay_add_overlay (self->toast_overlay, self->blank);
}

static void
projector_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  memlane_window_set_projector (data, g_variant_get_boolean (state));
}

void
memlane_window_add_wall_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "projector", NULL, NULL, "false", projector_cb, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
