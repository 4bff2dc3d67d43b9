/* window-timeline.c: the Timeline page in the window: traces come in, curves lead to it, traces go out
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "parts/export-dialog.h"
#include "window-private.h"

MemlaneTimelinePage *
memlane_window_get_timeline_page (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  memlane_window_ensure_page (self, "timeline");
  return MEMLANE_TIMELINE_PAGE (adw_bin_get_child (self->timeline_bin));
}

gboolean
memlane_window_shows_timeline (MemlaneWindow *self)
{
  return g_strcmp0 (adw_view_stack_get_visible_child_name (self->pages), "timeline") == 0;
}

MemlaneTraceStore *
memlane_window_get_trace_store (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  return self->store;
}

/* --- in ------------------------------------------------------------------------------------------------------------- */

/* Of several that come at once the first two stand below each other, the others are in the menu. */
void
memlane_window_open_trace (MemlaneWindow *self, const char *path)
{
  static const char *const purposes[] = { "alone", "second", "more" };

  (void) memlane_window_get_timeline_page (self); /* it hears of what arrives */
  adw_view_stack_set_visible_child_name (self->pages, "timeline");
  if (!memlane_trace_store_is_busy (self->store))
    self->n_opened = 0;
  memlane_trace_store_open (self->store, path, purposes[MIN (self->n_opened, G_N_ELEMENTS (purposes) - 1)]);
  self->n_opened++;
}

static void
record_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneTimelinePage *page = memlane_window_get_timeline_page (self);
  g_autofree char *objection = memlane_timeline_recorder_get_objection (memlane_timeline_page_get_recorder (page));

  adw_view_stack_set_visible_child_name (self->pages, "timeline");
  if (objection != NULL)
    memlane_window_tell (self, objection, TRUE);
  else
    memlane_timeline_recorder_record (memlane_timeline_page_get_recorder (page));
}

/* A measured point leads to its timeline; a published one has no cell that could be recorded. */
void
memlane_window_point_activated (MemlaneWindow *self, const MemlaneChartPoint *point)
{
  MemlaneTimelinePage *page;

  if (point->cell == NULL)
    {
      memlane_window_tell (self, _("This figure was published by others: only what is measured here can be recorded"), FALSE);
      return;
    }
  if (self->projector)
    return; /* what is projected stays */
  page = memlane_window_get_timeline_page (self);
  adw_view_stack_set_visible_child_name (self->pages, "timeline");
  memlane_timeline_recorder_record_cell (memlane_timeline_page_get_recorder (page), point->cell);
}

/* --- out ------------------------------------------------------------------------------------------------------------ */

static MemlaneTraceItem *
get_shown (MemlaneWindow *self)
{
  GtkWidget *page = adw_bin_get_child (self->timeline_bin);

  return page != NULL ? memlane_timeline_page_get_item (MEMLANE_TIMELINE_PAGE (page), 0) : NULL;
}

gboolean
memlane_window_has_timeline (MemlaneWindow *self)
{
  return get_shown (self) != NULL;
}

static void
export_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneTraceItem *item = get_shown (self);

  if (item != NULL)
    memlane_export_trace (GTK_WINDOW (self), memlane_trace_item_get_trace (item), memlane_window_tell_exported, g_object_ref (self));
}

/* --- what the store says ---------------------------------------------------------------------------------------------- */

static void
notice_cb (MemlaneWindow *self, const char *sentence, gboolean trouble)
{
  if (!self->closing)
    memlane_window_tell (self, sentence, trouble);
}

static void
busy_cb (MemlaneWindow *self)
{
  if (self->session == NULL || self->closing)
    return;
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

void
memlane_window_follow_trace_store (MemlaneWindow *self)
{
  static const char *const news[] = { "notify::busy", "notify::status", "notify::progress" };

  self->store = memlane_trace_store_new (self->session);
  g_signal_connect_object (self->store, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (news); i++)
    g_signal_connect_object (self->store, news[i], G_CALLBACK (busy_cb), self, G_CONNECT_SWAPPED);
}

void
memlane_window_add_timeline_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "record-trace", record_trace_cb, NULL, NULL, NULL, { 0 } },
    { "export-trace", export_trace_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
