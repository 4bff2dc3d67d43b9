/* window-actions.c: what can be done in the window, by button, key and menu
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "model/sentence.h"
#include "window-private.h"

static void
enable (MemlaneWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static gboolean
shows_time (MemlaneWindow *self)
{
  return g_strcmp0 (adw_view_stack_get_visible_child_name (self->pages), "time") == 0;
}

MemlaneChartPage *
memlane_window_get_current_page (MemlaneWindow *self)
{
  return memlane_window_get_page (self, shows_time (self) ? "time" : "bandwidth");
}

GtkWidget *
memlane_window_get_figure_view (MemlaneWindow *self)
{
  if (memlane_window_shows_timeline (self))
    return GTK_WIDGET (memlane_timeline_page_get_view (memlane_window_get_timeline_page (self)));
  if (memlane_window_shows_decide (self))
    return GTK_WIDGET (memlane_decide_page_get_view (memlane_window_get_decide_page (self)));
  return GTK_WIDGET (memlane_chart_page_get_view (memlane_window_get_current_page (self)));
}

/* --- run and stop ------------------------------------------------------------------------------------------- */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  const char *reason = NULL;

  if (memlane_session_can_run (self->session, &reason))
    memlane_session_run (self->session);
  else if (reason != NULL)
    memlane_window_tell (self, reason, TRUE);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  if (memlane_session_is_running (self->session))
    memlane_session_stop (self->session);
  else if (memlane_experiment_store_is_running (self->experiments))
    memlane_experiment_store_stop (self->experiments);
  else if (memlane_trace_store_is_busy (self->store))
    memlane_trace_store_stop (self->store);
  else
    memlane_window_stop_reading (self);
}

static void
update_run_button (MemlaneWindow *self, gboolean running, gboolean stopping)
{
  GtkButton *button = GTK_BUTTON (self->run_button);
  g_autofree char *sentence = NULL;
  const char *reason = NULL;

  if (running)
    {
      gtk_button_set_label (button, stopping ? _("Stopping") : _("_Stop"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.stop");
      gtk_widget_remove_css_class (self->run_button, "suggested-action");
      gtk_widget_add_css_class (self->run_button, "destructive-action");
      gtk_widget_set_tooltip_text (self->run_button, _("Stop the sweep and keep what was measured (Ctrl+.)"));
      return;
    }
  gtk_button_set_label (button, _("_Run"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.run");
  gtk_widget_remove_css_class (self->run_button, "destructive-action");
  gtk_widget_add_css_class (self->run_button, "suggested-action");
  if (memlane_session_can_run (self->session, &reason))
    reason = _("Measure the chosen modes and sizes (Ctrl+R)");
  sentence = memlane_sentence_new (reason);
  gtk_widget_set_tooltip_text (self->run_button, sentence);
}

/* --- states that follow the page ---------------------------------------------------------------------------- */

static void
set_state (MemlaneWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

static void
phase_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (state, NULL), &phase))
    g_object_set (self->session, shows_time (self) ? "time-phase" : "phase", (int) phase, NULL);
}

static void
log_values_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  g_object_set (self->session, shows_time (self) ? "log-time" : "log-bandwidth", g_variant_get_boolean (state), NULL);
}

static void
page_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  const char *name = g_variant_get_string (state, NULL);

  if (adw_view_stack_get_child_by_name (self->pages, name) != NULL)
    adw_view_stack_set_visible_child_name (self->pages, name);
}

static void
side_panel_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  if (!self->projector)
    adw_flap_set_reveal_flap (self->flap, g_variant_get_boolean (state));
}

static void
projector_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  memlane_window_set_projector (data, g_variant_get_boolean (state));
}

/* --- the rest ----------------------------------------------------------------------------------------------- */

static void
select_all_modes_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_session_set_all_modes (MEMLANE_WINDOW (data)->session, TRUE);
}

static void
select_no_modes_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_session_set_all_modes (MEMLANE_WINDOW (data)->session, FALSE);
}

static void
run_removed_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_window_tell_removed (data, g_variant_get_string (parameter, NULL));
}

static void
undo_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_window_undo_remove (data);
}

static void
show_help_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/memlane/Memlane/help-overlay.ui");
  GtkWindow *overlay = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  gtk_window_set_transient_for (overlay, data);
  gtk_window_present (overlay);
}

/* Whether there is a figure on the page that is seen; others than these export the chart of the Bandwidth page. */
static gboolean
has_figure (MemlaneWindow *self, GPtrArray *shown)
{
  if (memlane_window_shows_timeline (self))
    return memlane_window_has_timeline (self);
  if (memlane_window_shows_decide (self))
    return memlane_window_has_map (self);
  return shown->len > 0;
}

void
memlane_window_update_actions (MemlaneWindow *self)
{
  gboolean running, stopping, experimenting, experiment_stopping, log_values, figure;
  int phase;
  const char *page;
  g_autoptr (GPtrArray) shown = NULL;

  if (self->session == NULL) /* the window is going */
    return;
  page = adw_view_stack_get_visible_child_name (self->pages);
  shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  g_object_get (self->session, "running", &running, "stopping", &stopping, shows_time (self) ? "time-phase" : "phase", &phase,
                shows_time (self) ? "log-time" : "log-bandwidth", &log_values, NULL);
  enable (self, "run", !running && !self->closing && memlane_session_can_run (self->session, NULL));
  figure = has_figure (self, shown);
  g_object_get (self->experiments, "running", &experimenting, "stopping", &experiment_stopping, NULL);
  enable (self, "stop", running         ? !stopping
                        : experimenting ? !experiment_stopping
                                        : self->n_reading > 0 || memlane_trace_store_is_busy (self->store));
  memlane_window_update_experiment_actions (self);
  enable (self, "export-csv", memlane_window_shows_decide (self) ? figure : shown->len > 0);
  enable (self, "export-figure", figure);
  enable (self, "copy-figure", figure);
  enable (self, "print", figure);
  enable (self, "export-trace", memlane_window_has_timeline (self));
  enable (self, "record-trace", !self->closing && !memlane_trace_store_is_recording (self->store));
  enable (self, "undo-remove", self->undo_toast != NULL);
  update_run_button (self, running, stopping);

  set_state (self, "page", g_variant_new_string (page != NULL ? page : "bandwidth"));
  set_state (self, "phase", g_variant_new_string (memlane_phase_name ((MemlanePhase) phase)));
  set_state (self, "log-values", g_variant_new_boolean (log_values));
  set_state (self, "side-panel", g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
  set_state (self, "projector", g_variant_new_boolean (self->projector));
}

static void
add_property_action (MemlaneWindow *self, const char *name, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, self->session, property);

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

void
memlane_window_add_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "page", NULL, "s", "'bandwidth'", page_cb, { 0 } },
    { "phase", NULL, "s", "'elapsed'", phase_cb, { 0 } },
    { "log-values", NULL, NULL, "false", log_values_cb, { 0 } },
    { "side-panel", NULL, NULL, "true", side_panel_cb, { 0 } },
    { "projector", NULL, NULL, "false", projector_cb, { 0 } },
    { "select-all-modes", select_all_modes_cb, NULL, NULL, NULL, { 0 } },
    { "select-no-modes", select_no_modes_cb, NULL, NULL, NULL, { 0 } },
    { "run-removed", run_removed_cb, "s", NULL, NULL, { 0 } },
    { "undo-remove", undo_remove_cb, NULL, NULL, NULL, { 0 } },
    { "show-help-overlay", show_help_overlay_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  memlane_window_add_file_actions (self);
  memlane_window_add_timeline_actions (self);
  memlane_window_add_experiment_actions (self);
  add_property_action (self, "compare", "comparing");
  add_property_action (self, "published", "show-published");
  add_property_action (self, "ceilings", "show-ceilings");
}
