/* timeline-view-actions.c: actions and keys of a timeline view
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "timeline-view-private.h"

#define KEY_PANS 0.1     /* of what is seen */
#define KEY_SCROLLS 40   /* px */
#define PAGE_SCROLLS 0.8 /* of the height */

static void
copy_event (MemlaneTimelineView *self)
{
  g_autofree char *text = NULL;

  if (memlane_timeline_view_find (self, self->selected.track, self->selected.event) == NULL)
    return;
  text = memlane_timeline_describe_event (self->tracks[self->selected.track].trace, self->selected.event);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* Takes back one thing after the other. FALSE: there is nothing left. */
static gboolean
let_go (MemlaneTimelineView *self)
{
  if (self->measuring || self->panning || self->glide != 0)
    memlane_timeline_view_let_go_of_pointer (self);
  else if (!isnan (self->span_from))
    memlane_timeline_view_set_span (self, NAN, NAN);
  else if (self->selected.event != MEMLANE_TRACE_NONE || self->n_marked > 0)
    {
      memlane_timeline_view_unmark (self);
      memlane_timeline_view_choose (self, (MemlaneTimelineEvent) MEMLANE_TIMELINE_NO_EVENT, MEMLANE_TRACE_NONE);
    }
  else if (!isnan (self->cursor))
    memlane_timeline_view_stop (self);
  else if (memlane_timeline_view_is_zoomed (self))
    memlane_timeline_view_fit (self);
  else
    return FALSE;
  return TRUE;
}

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  memlane_timeline_view_stop_gliding (self);
  if (g_str_equal (name, "timeline.fit"))
    memlane_timeline_view_fit (self);
  else if (g_str_equal (name, "timeline.zoom-in"))
    memlane_timeline_view_zoom (self, 1 / MEMLANE_FIGURE_KEY_STEP);
  else if (g_str_equal (name, "timeline.zoom-out"))
    memlane_timeline_view_zoom (self, MEMLANE_FIGURE_KEY_STEP);
  else if (g_str_equal (name, "timeline.pan-left"))
    memlane_timeline_view_pan (self, -KEY_PANS);
  else if (g_str_equal (name, "timeline.pan-right"))
    memlane_timeline_view_pan (self, KEY_PANS);
  else if (g_str_equal (name, "timeline.next-event"))
    memlane_timeline_view_step (self, 1, FALSE);
  else if (g_str_equal (name, "timeline.previous-event"))
    memlane_timeline_view_step (self, -1, FALSE);
  else if (g_str_equal (name, "timeline.next-in-lane"))
    memlane_timeline_view_step (self, 1, TRUE);
  else if (g_str_equal (name, "timeline.previous-in-lane"))
    memlane_timeline_view_step (self, -1, TRUE);
  else if (g_str_equal (name, "timeline.centre"))
    memlane_timeline_view_centre (self);
  else if (g_str_equal (name, "timeline.copy-event"))
    copy_event (self);
  else if (g_str_equal (name, "timeline.let-go"))
    let_go (self);
  else if (g_str_equal (name, "timeline.select"))
    {
      guint32 track, event;

      g_variant_get (parameter, "(uu)", &track, &event);
      self->spoken = TRUE;
      memlane_timeline_view_select (self, track, event);
    }
}

void
memlane_timeline_view_update_actions (MemlaneTimelineView *self)
{
  gboolean zoomed = memlane_timeline_view_is_zoomed (self), selected = self->selected.event != MEMLANE_TRACE_NONE;
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "timeline.fit", zoomed);
  gtk_widget_action_set_enabled (widget, "timeline.centre", selected);
  gtk_widget_action_set_enabled (widget, "timeline.copy-event", selected);
  gtk_widget_action_set_enabled (widget, "timeline.play", !memlane_timeline_view_is_empty (self));
  gtk_widget_action_set_enabled (widget, "timeline.let-go",
                                 zoomed || selected || self->n_marked > 0 || !isnan (self->span_from) || !isnan (self->cursor));
}

/* With nothing left to let go of the key is the window's. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return let_go (MEMLANE_TIMELINE_VIEW (widget));
}

static gboolean
scroll_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  memlane_timeline_view_stop_gliding (self);
  memlane_timeline_view_scroll (self, KEY_SCROLLS * g_variant_get_int32 (arguments));
  return TRUE;
}

static gboolean
page_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  memlane_timeline_view_stop_gliding (self);
  memlane_timeline_view_scroll (self, PAGE_SCROLLS * gtk_widget_get_height (widget) * g_variant_get_int32 (arguments));
  return TRUE;
}

static gboolean
end_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  memlane_timeline_view_stop_gliding (MEMLANE_TIMELINE_VIEW (widget));
  memlane_timeline_view_go_to_end (MEMLANE_TIMELINE_VIEW (widget), g_variant_get_int32 (arguments));
  return TRUE;
}

void
memlane_timeline_view_install_actions (GtkWidgetClass *widget_class)
{
  static const char *const names[] = {
    "timeline.fit", "timeline.zoom-in", "timeline.zoom-out", "timeline.pan-left", "timeline.pan-right", "timeline.next-event",
    "timeline.previous-event", "timeline.next-in-lane", "timeline.previous-in-lane", "timeline.centre", "timeline.copy-event",
    "timeline.let-go",
  };
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } keys[] = { /* of several for one action a menu shows the last */
    { GDK_KEY_KP_Left, 0, "timeline.pan-left" },      { GDK_KEY_Left, 0, "timeline.pan-left" },
    { GDK_KEY_KP_Right, 0, "timeline.pan-right" },    { GDK_KEY_Right, 0, "timeline.pan-right" },
    { GDK_KEY_KP_Add, 0, "timeline.zoom-in" },        { GDK_KEY_equal, 0, "timeline.zoom-in" }, /* plus without Shift */
    { GDK_KEY_plus, 0, "timeline.zoom-in" },
    { GDK_KEY_KP_Subtract, 0, "timeline.zoom-out" },  { GDK_KEY_minus, 0, "timeline.zoom-out" },
    { GDK_KEY_KP_0, 0, "timeline.fit" },              { GDK_KEY_0, 0, "timeline.fit" },
    { GDK_KEY_period, 0, "timeline.next-event" },     { GDK_KEY_comma, 0, "timeline.previous-event" },
    { GDK_KEY_greater, 0, "timeline.next-in-lane" },  { GDK_KEY_less, 0, "timeline.previous-in-lane" }, /* the same on many keyboards */
    { GDK_KEY_period, GDK_SHIFT_MASK, "timeline.next-in-lane" },
    { GDK_KEY_comma, GDK_SHIFT_MASK, "timeline.previous-in-lane" },
    { GDK_KEY_f, GDK_SHIFT_MASK, "timeline.centre" }, { GDK_KEY_f, 0, "timeline.centre" },
    { GDK_KEY_KP_Space, 0, "timeline.play" },         { GDK_KEY_space, 0, "timeline.play" },
    { GDK_KEY_c, GDK_CONTROL_MASK, "timeline.copy-event" },
  };
  static const struct
  {
    guint key;
    GtkShortcutFunc function;
    int direction;
  } moves[] = {
    { GDK_KEY_Up, scroll_cb, -1 },     { GDK_KEY_KP_Up, scroll_cb, -1 },     { GDK_KEY_Down, scroll_cb, 1 },
    { GDK_KEY_KP_Down, scroll_cb, 1 }, { GDK_KEY_Page_Up, page_cb, -1 },     { GDK_KEY_KP_Page_Up, page_cb, -1 },
    { GDK_KEY_Page_Down, page_cb, 1 }, { GDK_KEY_KP_Page_Down, page_cb, 1 }, { GDK_KEY_Home, end_cb, -1 },
    { GDK_KEY_KP_Home, end_cb, -1 },   { GDK_KEY_End, end_cb, 1 },           { GDK_KEY_KP_End, end_cb, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget_class, names[i], NULL, action_cb);
  gtk_widget_class_install_action (widget_class, "timeline.select", "(uu)", action_cb);
  gtk_widget_class_install_property_action (widget_class, "timeline.play", "playing");
  gtk_widget_class_install_property_action (widget_class, "timeline.colours", "colours");
  gtk_widget_class_install_property_action (widget_class, "timeline.ghosts", "ghosts");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, moves[i].function, "i", moves[i].direction);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}
