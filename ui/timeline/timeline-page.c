/* timeline-page.c: the Timeline page: what is recorded, the timeline, the reading, findings, summary, notes
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/drop-down.h"
#include "parts/settings.h"
#include "timeline-page-private.h"

#define LOW 480 /* px of the window: below that one bar, and either the timeline or the details */

#define AROUND 360 /* px: what stands above the timeline, and the details at first */

G_DEFINE_FINAL_TYPE (MemlaneTimelinePage, memlane_timeline_page, ADW_TYPE_BIN)

static guint signal_changed;

static GAction *
find_action (MemlaneTimelinePage *self, const char *name)
{
  return g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);
}

void
memlane_timeline_page_set_enabled (MemlaneTimelinePage *self, const char *action, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (find_action (self, action)), enabled);
}

static gboolean
get_state (MemlaneTimelinePage *self, const char *action)
{
  g_autoptr (GVariant) state = g_action_get_state (find_action (self, action));

  return g_variant_get_boolean (state);
}

/* --- the reading ----------------------------------------------------------------------------------------------- */

static void
update_reading (MemlaneTimelinePage *self)
{
  memlane_reading_line_set (self->reading_line, memlane_timeline_view_get_reading (self->view),
                            _("Point at an operation, or step through them with comma and full stop; drag to measure a span"));
}

static void
update_tools (MemlaneTimelinePage *self)
{
  gboolean zoomed, playing;

  g_object_get (self->view, "zoomed", &zoomed, "playing", &playing, NULL);
  gtk_widget_set_sensitive (self->fit, zoomed && self->shown[0] != NULL);
  gtk_button_set_icon_name (GTK_BUTTON (self->play), playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  memlane_accessible_name_icon (self->play, playing ? _("Pause (Space)") : _("Play (Space)"));
  gtk_widget_set_sensitive (self->play, self->shown[0] != NULL);
}

static void
fit_clicked_cb (MemlaneTimelinePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "timeline.fit", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* the button is insensitive now */
}

static void
play_clicked_cb (MemlaneTimelinePage *self)
{
  gboolean playing;

  g_object_get (self->view, "playing", &playing, NULL);
  memlane_timeline_view_set_playing (self->view, !playing);
}

/* --- which traces are shown ------------------------------------------------------------------------------------ */

/* Why there is no timeline, and what to do. */
static void
explain (MemlaneTimelinePage *self)
{
  gboolean recording = self->store != NULL && memlane_trace_store_is_recording (self->store);
  g_autofree char *cell = memlane_timeline_recorder_describe (self->recorder), *objection = NULL, *words = NULL;

  if (recording)
    {
      adw_status_page_set_title (self->nothing, _("Recording"));
      words = g_strdup_printf (_("One sample of %s, call by call. The timeline appears when it has ended."), cell);
    }
  else
    {
      objection = memlane_timeline_recorder_get_objection (self->recorder);
      adw_status_page_set_title (self->nothing, _("No timeline yet"));
      words = g_strdup_printf (_("Record runs one sample of %s and shows every call, copy, kernel, migration and wait of it, to the "
                                 "nanosecond. A trace that was recorded before, here or by another profiler, can be opened.%s%s"),
                               cell, objection != NULL ? "\n\n" : "", objection != NULL ? objection : "");
    }
  {
    g_autofree char *markup = g_markup_escape_text (words, -1);

    adw_status_page_set_description (self->nothing, markup);
  }
  gtk_widget_set_visible (self->spinner, recording);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), recording);
  gtk_widget_set_visible (self->record_first, !recording);
  gtk_widget_set_visible (self->open_first, !recording);
  gtk_widget_set_visible (self->recorded_first, !recording);
  adw_status_page_set_icon_name (self->nothing, self->low ? NULL : "memlane-timeline-symbolic");
}

/* What the figure cannot make of the trace itself stands for its title: a file's name, or what the laboratory has set side by side. */
static const char *
get_title (MemlaneTraceItem *item)
{
  const MemlaneTraceInfo *info = item != NULL ? memlane_trace_get_info (memlane_trace_item_get_trace (item)) : NULL;

  return info != NULL && (info->mode == NULL || g_strcmp0 (info->workload, "lab") == 0) ? memlane_trace_item_get_name (item) : NULL;
}

static MemlaneTrace *
get_trace (MemlaneTraceItem *item)
{
  return item != NULL ? memlane_trace_item_get_trace (item) : NULL;
}

static void
update_traces_button (MemlaneTimelinePage *self)
{
  g_autofree char *label = NULL;

  if (self->shown[0] == NULL)
    label = g_strdup (_("Traces"));
  else if (self->shown[1] == NULL)
    label = g_strdup (memlane_trace_item_get_name (self->shown[0]));
  else
    label = g_strdup_printf ("%s | %s", memlane_trace_item_get_name (self->shown[0]), memlane_trace_item_get_name (self->shown[1]));
  gtk_label_set_text (GTK_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (self->traces))), label);
  gtk_widget_set_tooltip_text (self->traces, label);
}

static void
update_stack (MemlaneTimelinePage *self)
{
  gboolean any = self->shown[0] != NULL;
  gboolean focused = gtk_widget_has_focus (GTK_WIDGET (self->view));

  if (!any)
    explain (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "timeline" : "nothing");
  gtk_widget_set_visible (self->tools, any || (self->store != NULL && g_list_model_get_n_items (G_LIST_MODEL (self->store)) > 0));
  if (!any && focused)
    gtk_widget_child_focus (GTK_WIDGET (self->nothing), GTK_DIR_TAB_FORWARD);
}

void
memlane_timeline_page_show (MemlaneTimelinePage *self, MemlaneTraceItem *first, MemlaneTraceItem *second)
{
  const char *names[2] = { first != NULL ? memlane_trace_item_get_name (first) : NULL,
                           second != NULL ? memlane_trace_item_get_name (second) : NULL };
  const char *titles[2] = { get_title (first), get_title (second) };

  g_return_if_fail (MEMLANE_IS_TIMELINE_PAGE (self));
  g_return_if_fail (first != NULL || second == NULL);
  if (self->shown[0] == first && self->shown[1] == second)
    return;
  g_set_object (&self->shown[0], first);
  g_set_object (&self->shown[1], second);
  memlane_timeline_view_mark (self->view, 0, NULL, 0);
  memlane_timeline_view_set_traces (self->view, get_trace (first), get_trace (second), titles);
  memlane_timeline_details_set_traces (self->details, get_trace (first), get_trace (second), names);
  update_traces_button (self);
  update_stack (self);
  update_tools (self);
  update_reading (self);
  memlane_timeline_page_update_menu (self);
  g_signal_emit (self, signal_changed, 0);
}

MemlaneTraceItem *
memlane_timeline_page_get_item (MemlaneTimelinePage *self, guint track)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_PAGE (self) && track < 2, NULL);
  return self->shown[track];
}

static void
arrived_cb (MemlaneTimelinePage *self, MemlaneTraceItem *item, const char *purpose)
{
  if (g_strcmp0 (purpose, "second") == 0 && self->pair != NULL)
    memlane_timeline_page_show (self, self->pair, item);
  else if (g_strcmp0 (purpose, "more") != 0 || self->shown[0] == NULL)
    {
      g_set_object (&self->pair, item);
      memlane_timeline_page_show (self, item, NULL);
    }
  memlane_timeline_page_update_menu (self);
}

/* What comes second stands alone then. */
static void
failed_cb (MemlaneTimelinePage *self, const char *purpose)
{
  if (g_strcmp0 (purpose, "second") != 0)
    g_clear_object (&self->pair);
}

static void
finding_cb (MemlaneTimelinePage *self, guint track, gpointer data)
{
  const MemlaneTraceFinding *finding = data;

  memlane_timeline_view_mark (self->view, track, finding != NULL ? finding->events : NULL, finding != NULL ? finding->n_events : 0);
}

static void
copied_cb (MemlaneTimelinePage *self)
{
  if (self->session != NULL)
    g_signal_emit_by_name (self->session, "notice", _("Copied the table"), FALSE);
}

/* --- actions --------------------------------------------------------------------------------------------------- */

static void
record_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_timeline_recorder_record (MEMLANE_TIMELINE_PAGE (data)->recorder);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneTimelinePage *self = data;

  if (self->store != NULL)
    memlane_trace_store_stop (self->store);
}

static void
colours_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneTimelinePage *self = data;
  gboolean by_stream = g_str_equal (g_variant_get_string (state, NULL), "stream");

  g_simple_action_set_state (action, g_variant_new_string (by_stream ? "stream" : "kind"));
  g_object_set (self->view, "colours", by_stream ? MEMLANE_TIMELINE_BY_STREAM : MEMLANE_TIMELINE_BY_KIND, NULL);
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->colours), by_stream ? 1 : 0);
  self->filling = FALSE;
  memlane_settings_set_string ("timeline-colours", by_stream ? "stream" : "kind");
}

static void
colours_selected_cb (MemlaneTimelinePage *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->colours));

  if (!self->filling)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "colours",
                                        g_variant_new_string (selected == 1 ? "stream" : "kind"));
}

static void
ghosts_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneTimelinePage *self = data;

  g_simple_action_set_state (action, state);
  g_object_set (self->view, "ghosts", g_variant_get_boolean (state), NULL);
  memlane_settings_set_boolean ("timeline-ghosts", g_variant_get_boolean (state));
}

/* A low window has room for one of the two. */
static void
arrange (MemlaneTimelinePage *self)
{
  gboolean details = get_state (self, "details") && !self->projector;

  gtk_widget_set_visible (GTK_WIDGET (self->details), details);
  gtk_widget_set_visible (self->figure, !details || !self->low);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->bars), self->low ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

static void
details_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneTimelinePage *self = data;

  g_simple_action_set_state (action, state);
  memlane_settings_set_boolean ("timeline-details", g_variant_get_boolean (state));
  arrange (self);
}

static void
finding_action_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneTimelinePage *self = data;
  GtkListBox *list = memlane_timeline_findings_get_list (memlane_timeline_details_get_findings (self->details));

  memlane_timeline_details_show (self->details, "findings");
  gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, (int) g_variant_get_uint32 (parameter)));
}

static void
add_actions (MemlaneTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { "record", record_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "colours", NULL, "s", "'kind'", colours_cb, { 0 } },
    { "ghosts", NULL, NULL, "true", ghosts_cb, { 0 } },
    { "details", NULL, NULL, "true", details_cb, { 0 } },
    { "finding", finding_action_cb, "u", NULL, NULL, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "trace", G_ACTION_GROUP (self->actions));
}

/* --- what it follows ------------------------------------------------------------------------------------------- */

/* What can be recorded, or whether. */
static void
recorder_changed_cb (MemlaneTimelinePage *self)
{
  gboolean recording = self->store != NULL && memlane_trace_store_is_recording (self->store);
  g_autofree char *objection = memlane_timeline_recorder_get_objection (self->recorder);

  memlane_timeline_page_set_enabled (self, "record", !recording && objection == NULL);
  memlane_timeline_page_set_enabled (self, "stop", self->store != NULL && memlane_trace_store_is_busy (self->store));
  update_stack (self);
}

static void
window_height_cb (MemlaneTimelinePage *self)
{
  gboolean low = memlane_reading_line_get_window_height (self->reading_line) < LOW;

  if (!self->placed && !low)
    {
      gtk_paned_set_position (self->paned, (int) memlane_reading_line_get_window_height (self->reading_line) - AROUND);
      self->placed = TRUE;
    }
  if (self->low == low)
    return;
  self->low = low;
  arrange (self);
  update_stack (self);
}

static void
store_changed_cb (MemlaneTimelinePage *self)
{
  memlane_timeline_page_update_menu (self);
  update_stack (self);
}

/* --- life ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (object);

  self->filling = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_TIMELINE_PAGE);
  g_clear_object (&self->shown[0]);
  g_clear_object (&self->shown[1]);
  g_clear_object (&self->pair);
  g_clear_object (&self->items);
  g_clear_object (&self->others);
  g_clear_object (&self->recorded);
  g_clear_object (&self->actions);
  g_clear_weak_pointer (&self->session);
  g_clear_weak_pointer (&self->store);
  G_OBJECT_CLASS (memlane_timeline_page_parent_class)->dispose (object);
}

static void
memlane_timeline_page_class_init (MemlaneTimelinePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (MEMLANE_TYPE_TIMELINE_RECORDER);
  g_type_ensure (MEMLANE_TYPE_TIMELINE_VIEW);
  g_type_ensure (MEMLANE_TYPE_TIMELINE_DETAILS);
  g_type_ensure (MEMLANE_TYPE_READING_LINE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/timeline-page.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneTimelinePage, name)
  CHILD (bar);
  CHILD (bars);
  CHILD (kinds_switcher);
  CHILD (kinds);
  CHILD (recorder);
  CHILD (tools);
  CHILD (traces);
  CHILD (colours);
  CHILD (ghosts);
  CHILD (play);
  CHILD (fit);
  CHILD (details_button);
  CHILD (stack);
  CHILD (paned);
  CHILD (figure);
  CHILD (view);
  CHILD (reading_line);
  CHILD (details);
  CHILD (nothing);
  CHILD (spinner);
  CHILD (record_first);
  CHILD (open_first);
  CHILD (recorded_first);
#undef CHILD
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, update_tools);
  gtk_widget_class_bind_template_callback (widget_class, fit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, play_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, colours_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, finding_cb);
  gtk_widget_class_bind_template_callback (widget_class, recorder_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, window_height_cb);
  signal_changed = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_timeline_page_init (MemlaneTimelinePage *self)
{
  const char *const colours[] = { _("By kind"), _("By stream"), NULL };
  g_autoptr (GtkStringList) list = gtk_string_list_new (colours);

  add_actions (self);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  memlane_reading_line_set_brief (self->reading_line, TRUE);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->colours), G_LIST_MODEL (list));
  self->filling = FALSE;
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->colours));
  memlane_accessible_set_name (self->colours, _("Colours"));
  memlane_accessible_set_name (self->traces, _("Open traces"));
  g_signal_connect_object (memlane_timeline_details_get_summary (self->details), "copied", G_CALLBACK (copied_cb), self, G_CONNECT_SWAPPED);
}

GtkWidget *
memlane_timeline_page_new (MemlaneSession *session, MemlaneTraceStore *store)
{
  MemlaneTimelinePage *self = g_object_new (MEMLANE_TYPE_TIMELINE_PAGE, NULL);
  g_autofree char *colours = memlane_settings_get_string ("timeline-colours", "kind");
  GActionGroup *actions = G_ACTION_GROUP (self->actions);

  g_set_weak_pointer (&self->session, session);
  g_set_weak_pointer (&self->store, store);
  memlane_timeline_page_make_menu (self);
  g_action_group_change_action_state (actions, "colours", g_variant_new_string (colours));
  g_action_group_change_action_state (actions, "ghosts", g_variant_new_boolean (memlane_settings_get_boolean ("timeline-ghosts", TRUE)));
  g_action_group_change_action_state (actions, "details", g_variant_new_boolean (memlane_settings_get_boolean ("timeline-details", TRUE)));
  memlane_timeline_recorder_follow (self->recorder, session, store);
  g_signal_connect_object (store, "arrived", G_CALLBACK (arrived_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "notify::busy", G_CALLBACK (recorder_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "items-changed", G_CALLBACK (store_changed_cb), self, G_CONNECT_SWAPPED);
  update_traces_button (self);
  update_tools (self);
  update_reading (self);
  recorder_changed_cb (self);
  memlane_timeline_page_update_menu (self);
  return GTK_WIDGET (self);
}

MemlaneTimelineView *
memlane_timeline_page_get_view (MemlaneTimelinePage *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_PAGE (self), NULL);
  return self->view;
}

MemlaneTimelineRecorder *
memlane_timeline_page_get_recorder (MemlaneTimelinePage *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_PAGE (self), NULL);
  return self->recorder;
}

MemlaneTimelineDetails *
memlane_timeline_page_get_details (MemlaneTimelinePage *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_PAGE (self), NULL);
  return self->details;
}

void
memlane_timeline_page_add_panel (MemlaneTimelinePage *self, const char *name, const char *title, GtkWidget *panel)
{
  GtkStackPage *page;

  g_return_if_fail (MEMLANE_IS_TIMELINE_PAGE (self) && GTK_IS_WIDGET (panel));
  page = gtk_stack_add_titled (self->kinds, panel, name, title);
  gtk_stack_page_set_use_underline (page, TRUE);
  gtk_widget_set_visible (self->kinds_switcher, TRUE);
}

int
memlane_timeline_page_get_reading_height (MemlaneTimelinePage *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_PAGE (self), 0);
  return self->shown[0] != NULL ? memlane_reading_line_get_room (self->reading_line) : 0;
}

void
memlane_timeline_page_set_projector (MemlaneTimelinePage *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_TIMELINE_PAGE (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  memlane_timeline_view_set_projector (self->view, self->projector);
  memlane_reading_line_set_projector (self->reading_line, self->projector);
  arrange (self);
  update_reading (self);
  if (self->projector && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* its keys play */
}
