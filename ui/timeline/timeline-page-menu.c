/* timeline-page-menu.c: which traces are open: one is shown, another beside it, one is closed
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "model/recordings.h"
#include "timeline-page-private.h"

/* -1: it is not on the store (any more). */
static int
find_position (MemlaneTimelinePage *self, MemlaneTraceItem *item)
{
  guint n = self->store != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->store)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneTraceItem) other = g_list_model_get_item (G_LIST_MODEL (self->store), i);

      if (other == item)
        return (int) i;
    }
  return -1;
}

/* --- actions --------------------------------------------------------------------------------------------------- */

static void
show_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneTimelinePage *self = data;
  g_autoptr (MemlaneTraceItem) item = NULL;

  if (self->store != NULL)
    item = g_list_model_get_item (G_LIST_MODEL (self->store), g_variant_get_uint32 (state));
  if (item != NULL)
    memlane_timeline_page_show (self, item, self->shown[1] != item ? self->shown[1] : NULL);
}

static void
beside_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneTimelinePage *self = data;
  int position = g_variant_get_int32 (state);
  g_autoptr (MemlaneTraceItem) item = NULL;

  if (self->store != NULL && position >= 0)
    item = g_list_model_get_item (G_LIST_MODEL (self->store), (guint) position);
  if (self->shown[0] != NULL && (item != NULL || position < 0))
    memlane_timeline_page_show (self, self->shown[0], item);
}

/* What stood beside it takes its place, else the newest that is left. */
static void
close_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneTimelinePage *self = data;
  g_autoptr (MemlaneTraceItem) closed = self->shown[0] != NULL ? g_object_ref (self->shown[0]) : NULL;
  g_autoptr (MemlaneTraceItem) next = self->shown[1] != NULL ? g_object_ref (self->shown[1]) : NULL;

  if (closed == NULL || self->store == NULL)
    return;
  memlane_trace_store_remove (self->store, closed);
  if (next == NULL || next == closed)
    {
      g_clear_object (&next);
      next = g_list_model_get_item (G_LIST_MODEL (self->store), 0);
    }
  memlane_timeline_page_show (self, next, NULL);
}

static void
open_recorded_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneTimelinePage *self = data;

  if (self->store != NULL)
    memlane_trace_store_open (self->store, g_variant_get_string (parameter, NULL), "alone");
}

void
memlane_timeline_page_update_menu (MemlaneTimelinePage *self)
{
  GActionMap *map = G_ACTION_MAP (self->actions);
  int shown = find_position (self, self->shown[0]), beside = self->shown[1] != NULL ? find_position (self, self->shown[1]) : -1;

  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "show")),
                             g_variant_new_uint32 (shown >= 0 ? (guint) shown : G_MAXUINT32));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "beside")), g_variant_new_int32 (beside));
  memlane_timeline_page_set_enabled (self, "beside", self->shown[0] != NULL);
  memlane_timeline_page_set_enabled (self, "close", self->shown[0] != NULL);
}

/* --- the menu -------------------------------------------------------------------------------------------------- */

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) entry = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (entry, action, target);
  g_menu_append_item (menu, entry);
}

/* Underscores of file names are no mnemonics. (transfer full) */
static char *
escape (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);

  return g_strjoinv ("__", parts);
}

/* What changes is filled each time the menu opens; the menu itself stays, since GTK 4.8 warns of a popover that comes anew. */
static void
fill_menu_cb (GtkMenuButton *button, gpointer data)
{
  MemlaneTimelinePage *self = data;
  guint n = self->store != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->store)) : 0;

  g_menu_remove_all (self->items);
  g_menu_remove_all (self->others);
  append (self->others, _("Nothing Beside"), "trace.beside", g_variant_new_int32 (-1));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneTraceItem) item = g_list_model_get_item (G_LIST_MODEL (self->store), i);
      g_autofree char *subtitle = NULL, *label = NULL, *escaped = NULL;

      g_object_get (item, "subtitle", &subtitle, NULL);
      label = g_strdup_printf ("%s · %s", memlane_trace_item_get_name (item), subtitle);
      escaped = escape (label);
      append (self->items, escaped, "trace.show", g_variant_new_uint32 (i));
      if (item != self->shown[0])
        append (self->others, escaped, "trace.beside", g_variant_new_int32 ((int) i));
    }
}

static void
fill_recorded (MemlaneTimelinePage *self)
{
  g_autoptr (GPtrArray) recordings = memlane_trace_recordings_list ();
  g_autoptr (GMenu) mode = NULL;
  const char *title = NULL;

  for (guint i = 0; i < recordings->len; i++)
    {
      MemlaneTraceRecording *recording = recordings->pdata[i];

      if (g_strcmp0 (title, recording->mode) != 0)
        {
          g_clear_object (&mode);
          mode = g_menu_new ();
          title = recording->mode;
          g_menu_append_submenu (self->recorded, title, G_MENU_MODEL (mode));
        }
      append (mode, recording->title, "trace.open-recorded", g_variant_new_string (recording->path));
    }
  if (recordings->len == 0)
    g_menu_append (self->recorded, _("None is installed"), NULL); /* an entry without an action is insensitive */
}

void
memlane_timeline_page_make_menu (MemlaneTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { "show", NULL, "u", "uint32 4294967295", show_cb, { 0 } },
    { "beside", NULL, "i", "-1", beside_cb, { 0 } },
    { "close", close_cb, NULL, NULL, NULL, { 0 } },
    { "open-recorded", open_recorded_cb, "s", NULL, NULL, { 0 } },
  };
  g_autoptr (GMenu) menu = g_menu_new (), files = g_menu_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  self->items = g_menu_new ();
  self->others = g_menu_new ();
  self->recorded = g_menu_new ();
  fill_recorded (self);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->items));
  g_menu_append_submenu (files, _("Show _Beside"), G_MENU_MODEL (self->others));
  g_menu_append (files, _("_Open…"), "win.open");
  g_menu_append_submenu (files, _("Open _Recorded Trace"), G_MENU_MODEL (self->recorded));
  g_menu_append (files, _("Export _Trace…"), "win.export-trace");
  g_menu_append (files, _("_Close"), "trace.close");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->traces), G_MENU_MODEL (menu));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->traces), fill_menu_cb, self, NULL);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->recorded_first), G_MENU_MODEL (self->recorded));
}
