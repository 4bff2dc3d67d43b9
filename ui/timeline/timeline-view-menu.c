/* timeline-view-menu.c: the context menu of a timeline view
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "timeline-view-private.h"

static void
add_colours (GMenu *section, const char *label, MemlaneTimelineColours colours)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "timeline.colours", "i", (int) colours);
  g_menu_append_item (section, item);
}

static GMenuModel *
make_model (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr(GMenu) view = g_menu_new (), event = g_menu_new (), look = g_menu_new ();

  memlane_figure_menu_add (view, _("Show _Everything"), "timeline.fit");
  memlane_figure_menu_add (view, _("Zoom _In"), "timeline.zoom-in");
  memlane_figure_menu_add (view, _("Zoom _Out"), "timeline.zoom-out");
  memlane_figure_menu_add (view, _("P_lay"), "timeline.play");
  memlane_figure_menu_add (event, _("Cen_tre Event"), "timeline.centre");
  memlane_figure_menu_add (event, _("Copy Event as _Text"), "timeline.copy-event");
  add_colours (look, _("Colours by _Kind"), MEMLANE_TIMELINE_BY_KIND);
  add_colours (look, _("Colours by _Stream"), MEMLANE_TIMELINE_BY_STREAM);
  memlane_figure_menu_add (look, _("I_deal Schedules"), "timeline.ghosts");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (event));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (look));
  memlane_figure_menu_add_files (menu);
  return G_MENU_MODEL (menu);
}

/* What is asked for of an event is meant for the one under the pointer. */
static gboolean
pop_up_at_pointer (GtkWidget *widget, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  MemlaneTimelineHit hit;

  if (self->projector)
    return FALSE; /* a slip of the hand is not for the wall */
  hit = memlane_timeline_hit (memlane_timeline_view_ensure (self), x, y);
  if (hit.kind == MEMLANE_TIMELINE_HIT_EVENT)
    memlane_timeline_view_choose (self, (MemlaneTimelineEvent) { hit.track, hit.event }, hit.lane);
  memlane_figure_menu_pop_up (widget, &self->menu, make_model, x, y);
  return TRUE;
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  MemlaneTimeline *timeline = memlane_timeline_view_ensure (self);
  const MemlaneRectangle *area = memlane_timeline_get_area (timeline);
  MemlaneRectangle place = *area;

  if (self->projector)
    return FALSE;
  if (self->selected.event == MEMLANE_TRACE_NONE || !memlane_timeline_place_event (timeline, self->selected, &place))
    place = *area;
  memlane_figure_menu_pop_up (widget, &self->menu, make_model, CLAMP (place.x + place.width / 2, area->x, area->x + area->width),
                              place.y + place.height / 2);
  return TRUE;
}

void
memlane_timeline_view_add_menu (MemlaneTimelineView *self)
{
  memlane_figure_menu_add_gestures (GTK_WIDGET (self), pop_up_at_pointer);
}

void
memlane_timeline_view_bind_menu_keys (GtkWidgetClass *widget_class)
{
  memlane_figure_menu_bind_keys (widget_class, menu_key_cb);
}
