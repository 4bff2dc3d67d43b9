/* window.c: the main window: its life, its actions, what it follows and what the person is told
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "experiment/experiment-words.h"
#include "model/sentence.h"
#include "parts/settings.h"
#include "side/device-button.h"
#include "side/mode-choice.h"
#include "side/runs-panel.h"
#include "side/workload-choice.h"

G_DEFINE_FINAL_TYPE (MemlaneWindow, memlane_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- what the person is told ------------------------------------------------------------------------------------------------ */

void
memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble)
{
  if (!self->closing)
    memlane_toasts_tell (self->toasts, message, trouble);
}

const char *
memlane_window_get_last_toast (MemlaneWindow *self)
{
  return memlane_toasts_get_last (self->toasts);
}

/* --- actions ---------------------------------------------------------------------------------------------------------------- */

void
memlane_window_set_state (MemlaneWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

static void
phase_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (state, NULL), &phase))
    g_object_set (self->session, memlane_page_get_phase_property (memlane_window_get_current_page (self)), (int) phase, NULL);
}

static void
log_values_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  g_object_set (self->session, memlane_page_get_log_property (memlane_window_get_current_page (self)), g_variant_get_boolean (state), NULL);
}

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
  memlane_toasts_tell_removed (MEMLANE_WINDOW (data)->toasts, g_variant_get_string (parameter, NULL));
}

static void
undo_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_toasts_undo (MEMLANE_WINDOW (data)->toasts);
}

static void
show_help_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/memlane/Memlane/help-overlay.ui");
  GtkWindow *overlay = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  gtk_window_set_transient_for (overlay, data);
  gtk_window_present (overlay);
}

void
memlane_window_enable (MemlaneWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* What can be done with the page that is seen, and with what it shows. */
static void
update_page_actions (MemlaneWindow *self)
{
  MemlanePage *page = memlane_window_find_page (self, memlane_window_get_current_name (self));
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  gboolean figure, log_values;
  int phase;

  if (page == NULL) /* it is being built */
    return;
  figure = memlane_page_get_figure (page) != NULL ? memlane_page_has_figure (page) : shown->len > 0;
  g_object_get (self->session, memlane_page_get_phase_property (page), &phase, memlane_page_get_log_property (page), &log_values, NULL);
  memlane_window_enable (self, "export-csv", memlane_page_has_own_csv (page) ? memlane_page_can_export_csv (page) : shown->len > 0);
  memlane_window_enable (self, "export-figure", figure);
  memlane_window_enable (self, "copy-figure", figure);
  memlane_window_enable (self, "print", figure);
  memlane_window_set_state (self, "page", g_variant_new_string (memlane_window_get_current_name (self)));
  memlane_window_set_state (self, "phase", g_variant_new_string (memlane_phase_name ((MemlanePhase) phase)));
  memlane_window_set_state (self, "log-values", g_variant_new_boolean (log_values));
}

void
memlane_window_update_actions (MemlaneWindow *self)
{
  gboolean running, stopping;
  MemlaneBench *bench;

  if (self->session == NULL) /* the window is going */
    return;
  bench = memlane_session_get_bench (self->session);
  running = memlane_session_is_running (self->session);
  stopping = memlane_bench_is_stopping (bench);
  memlane_window_enable (self, "run", !running && !self->closing && memlane_session_can_run (self->session, NULL));
  memlane_window_enable (self, "stop", memlane_bench_is_running (bench) ? !stopping
                                                                        : self->n_reading > 0 || memlane_trace_store_is_busy (self->store));
  memlane_window_enable (self, "hosts", !self->closing);
  memlane_window_enable (self, "look-again", !self->closing && !memlane_bench_is_running (bench));
  memlane_window_enable (self, "run-experiment", !self->closing && !memlane_bench_has (bench, MEMLANE_BENCH_EXPERIMENT));
  memlane_window_enable (self, "record-trace", !self->closing && !memlane_trace_store_is_recording (self->store));
  memlane_window_enable (self, "undo-remove", memlane_toasts_can_undo (self->toasts));
  memlane_window_update_save_actions (self);
  memlane_window_update_run_button (self, running, stopping);
  update_page_actions (self);
  memlane_window_set_state (self, "projector", g_variant_new_boolean (self->projector));
}

static void
add_property_action (MemlaneWindow *self, const char *name, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, self->session, property);

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

static void
add_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "phase", NULL, "s", "'elapsed'", phase_cb, { 0 } },
    { "log-values", NULL, NULL, "false", log_values_cb, { 0 } },
    { "select-all-modes", select_all_modes_cb, NULL, NULL, NULL, { 0 } },
    { "select-no-modes", select_no_modes_cb, NULL, NULL, NULL, { 0 } },
    { "run-removed", run_removed_cb, "s", NULL, NULL, { 0 } },
    { "undo-remove", undo_remove_cb, NULL, NULL, NULL, { 0 } },
    { "show-help-overlay", show_help_overlay_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  memlane_window_add_page_actions (self);
  memlane_window_add_side_actions (self);
  memlane_window_add_open_actions (self);
  memlane_window_add_save_actions (self);
  memlane_window_add_measure_actions (self);
  memlane_window_add_wall_actions (self);
  add_property_action (self, "compare", "comparing");
  add_property_action (self, "workload", "shown-workload");
  add_property_action (self, "published", "show-published");
  add_property_action (self, "ceilings", "show-ceilings");
}

/* --- what it follows -------------------------------------------------------------------------------------------------------- */

/* A recording leaves the GPU to others most of the time. */
static void
running_cb (MemlaneWindow *self)
{
  MemlaneBench *bench;

  if (self->session == NULL)
    return;
  bench = memlane_session_get_bench (self->session);
  memlane_window_rest_animations (self, memlane_bench_is_running (bench) && !memlane_bench_has (bench, MEMLANE_BENCH_TRACE));
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

static void
devices_cb (MemlaneWindow *self)
{
  if (self->session == NULL)
    return;
  memlane_welcome_show (self->welcome, self->session);
  memlane_window_update_actions (self);
}

static void
swept_cb (MemlaneWindow *self, MemlaneRunItem *item, gboolean stopped)
{
  MemlaneRun *run = item != NULL ? memlane_run_item_get_run (item) : NULL;
  g_autofree char *sentence = NULL;
  guint cells = run != NULL ? run->cells->len : 0;

  if (self->closing || item == NULL)
    return;
  if (stopped)
    sentence = g_strdup_printf (ngettext ("Stopped; %u cell was measured and is kept",
                                          "Stopped; %u cells were measured and are kept", cells), cells);
  else
    sentence = g_strdup_printf (ngettext ("Measured %u cell", "Measured %u cells", cells), cells);
  memlane_window_tell (self, sentence, FALSE);
}

static void
finished_cb (MemlaneWindow *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = memlane_experiment_item_get_result (item);
  g_autofree char *verdict = NULL, *sentence = NULL;

  if (self->closing || result == NULL)
    return;
  if (result->cancelled)
    sentence = g_strdup_printf (_("Stopped “%s”"), result->experiment->title);
  else
    {
      verdict = memlane_experiment_words_verdict (result->verdict);
      /* Translators: the title of an experiment, and the verdict on its claim */
      sentence = g_strdup_printf (_("“%s”: %s"), result->experiment->title, verdict);
    }
  memlane_window_tell (self, sentence, FALSE);
}

static void
progress_cb (MemlaneWindow *self)
{
  if (self->session != NULL && !self->closing)
    memlane_window_update_progress (self);
}

static void
busy_cb (MemlaneWindow *self)
{
  if (self->session == NULL || self->closing)
    return;
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

static void
follow_session (MemlaneWindow *self)
{
  MemlaneBench *bench = memlane_session_get_bench (self->session);

  g_signal_connect_object (self->session, "notice", G_CALLBACK (memlane_window_tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "swept", G_CALLBACK (swept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::running", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::stopping", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::status", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::fraction", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::device", G_CALLBACK (devices_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "modes-changed", G_CALLBACK (devices_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "charts-changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
}

static void
follow_traces (MemlaneWindow *self)
{
  static const char *const news[] = { "notify::busy", "notify::status", "notify::progress" };

  g_signal_connect_object (self->store, "notice", G_CALLBACK (memlane_window_tell), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (news); i++)
    g_signal_connect_object (self->store, news[i], G_CALLBACK (busy_cb), self, G_CONNECT_SWAPPED);
}

static void
follow_experiments (MemlaneWindow *self)
{
  g_signal_connect_object (self->experiments, "notice", G_CALLBACK (memlane_window_tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "finished", G_CALLBACK (finished_cb), self, G_CONNECT_SWAPPED);
}

/* --- the first frame comes first -------------------------------------------------------------------------------------------- */

static gboolean
start_cb (gpointer data)
{
  MemlaneWindow *self = data;

  if (self->closing)
    return G_SOURCE_REMOVE;
  memlane_window_fill_recorded_menu (self);
  memlane_session_start (self->session);
  memlane_welcome_show (self->welcome, self->session);
  memlane_window_update_actions (self);
  return G_SOURCE_REMOVE;
}

static void
painted_cb (GdkFrameClock *clock, gpointer data)
{
  MemlaneWindow *self = data;

  g_signal_handlers_disconnect_by_func (clock, painted_cb, self);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, start_cb, g_object_ref (self), g_object_unref);
}

static void
memlane_window_map (GtkWidget *widget)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  GTK_WIDGET_CLASS (memlane_window_parent_class)->map (widget);
  if (self->started)
    return;
  self->started = TRUE;
  memlane_window_follow_size (self);
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint", G_CALLBACK (painted_cb), self, 0);
}

/* Before the pages get their room: none is to be laid out beside a panel that has no room there. */
static void
memlane_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (memlane_window_fold (self, width))
    memlane_window_laid_out (self);
  GTK_WIDGET_CLASS (memlane_window_parent_class)->size_allocate (widget, width, height, baseline);
}

/* --- closing ---------------------------------------------------------------------------------------------------------------- */

static void
keep_state (MemlaneWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);
  int width, height;

  memlane_window_set_projector (self, FALSE);
  gtk_window_get_default_size (window, &width, &height);
  memlane_settings_set_boolean ("maximized", gtk_window_is_maximized (window));
  if (!gtk_window_is_maximized (window) && !gtk_window_is_fullscreen (window))
    {
      memlane_settings_set_int ("width", width);
      memlane_settings_set_int ("height", height);
    }
  memlane_settings_set_string ("page", memlane_window_get_current_name (self));
  memlane_settings_set_boolean ("side-panel", self->side_wanted);
}

static gboolean
shut_down_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->end_idle = 0;
  g_object_ref (self);
  memlane_trace_store_shut_down (self->store);
  memlane_session_shut_down (self->session);
  memlane_window_rest_animations (self, FALSE);
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* What is measured is kept, so there is nothing to ask: the window goes at once, the program when the worker has ended. */
static gboolean
memlane_window_close_request (GtkWindow *window)
{
  MemlaneWindow *self = MEMLANE_WINDOW (window);

  if (self->closing)
    return TRUE;
  keep_state (self);
  self->closing = TRUE;
  memlane_window_stop_reading (self);
  memlane_bench_stop (memlane_session_get_bench (self->session));
  memlane_trace_store_stop (self->store);
  gtk_widget_hide (GTK_WIDGET (window));
  /* Not at once, for who asked may still need it; but the frames of what is still seen can leave the loop no rest. */
  self->end_idle = g_idle_add_full (G_PRIORITY_DEFAULT, shut_down_cb, self, NULL);
  return TRUE;
}

/* Up to 4.8 GTK leaves "compute-size" of the surface connected to the window. A layout that was asked for a moment ago would find no window
 * there any more; hiding the surface takes it back. */
static void
memlane_window_unrealize (GtkWidget *widget)
{
  gtk_widget_unrealize (gtk_window_get_child (GTK_WINDOW (widget)));
  gdk_surface_hide (gtk_native_get_surface (GTK_NATIVE (widget)));
  GTK_WIDGET_CLASS (memlane_window_parent_class)->unrealize (widget);
}

gboolean
memlane_window_is_closing (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), TRUE);
  return self->closing;
}

static void
memlane_window_dispose (GObject *object)
{
  MemlaneWindow *self = MEMLANE_WINDOW (object);

  g_clear_handle_id (&self->end_idle, g_source_remove);
  g_clear_handle_id (&self->switcher_idle, g_source_remove);
  g_clear_handle_id (&self->adapt_idle, g_source_remove);
  g_clear_object (&self->device_button);
  if (self->wall_css != NULL)
    gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->wall_css));
  g_clear_object (&self->wall_css);
  g_clear_handle_id (&self->reading_timer, g_source_remove);
  g_clear_object (&self->reading);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->experiments);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_object (&self->toasts);
  G_OBJECT_CLASS (memlane_window_parent_class)->dispose (object);
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

/* A menu, a list or an (i) closes with what it belongs to: another page, the wall, a narrow window. GTK 4.8 would present it beside
 * nothing, and complain. One hook for all, so that none is forgotten. */
static gboolean
unmapped_cb (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  GObject *widget = g_value_get_object (values);

  if (GTK_IS_POPOVER (widget) && gtk_widget_get_visible (GTK_WIDGET (widget)))
    gtk_popover_popdown (GTK_POPOVER (widget));
  return TRUE; /* goes on */
}

static void
memlane_window_class_init (MemlaneWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = memlane_window_dispose;
  widget_class->map = memlane_window_map;
  widget_class->unrealize = memlane_window_unrealize;
  widget_class->size_allocate = memlane_window_size_allocate;
  GTK_WINDOW_CLASS (class)->close_request = memlane_window_close_request;
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, unmapped_cb, NULL, NULL);
  g_type_ensure (MEMLANE_TYPE_MODE_CHOICE);
  g_type_ensure (MEMLANE_TYPE_WORKLOAD_CHOICE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/window.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneWindow, name)
  CHILD (toast_overlay);
  CHILD (header);
  CHILD (side_button);
  CHILD (run_button);
  CHILD (menu_button);
  CHILD (switcher_title);
  CHILD (switcher_bar);
  CHILD (plan_popover);
  CHILD (side_separator);
  CHILD (shown_workload);
  CHILD (curves);
  CHILD (curve_choice);
  CHILD (flap);
  CHILD (side_box);
  CHILD (side);
  CHILD (pages);
  CHILD (progress_revealer);
  CHILD (status_label);
  CHILD (progress_bar);
  CHILD (stop_reading_button);
  CHILD (recorded_menu);
#undef CHILD
  gtk_widget_class_install_action (widget_class, "wall.blank", NULL, memlane_window_blank_action);
  gtk_widget_class_install_action (widget_class, "wall.dark", NULL, memlane_window_dark_action);
}

/* The names of all pages side by side are wider than a window of 320 px. */
static void
ellipsize (GtkWidget *widget)
{
  GtkWidget *child;

  if (GTK_IS_LABEL (widget))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);
  for (child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    ellipsize (child);
}

static void
memlane_window_init (MemlaneWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->wall_css = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->wall_css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  memlane_window_size_wall_text (self);
  memlane_window_set_up_arrow (self);
  memlane_window_add_pages (self);
  memlane_window_add_blank (self);
  ellipsize (GTK_WIDGET (self->switcher_bar));
  g_signal_connect_object (self->switcher_title, "notify::title-visible", G_CALLBACK (memlane_window_adapt_header), self,
                           G_CONNECT_SWAPPED);
}

static void
restore_state (MemlaneWindow *self)
{
  g_autofree char *page = memlane_settings_get_string ("page", "bandwidth");

  gtk_window_set_default_size (GTK_WINDOW (self), memlane_settings_get_int ("width", 1280), memlane_settings_get_int ("height", 720));
  if (memlane_settings_get_boolean ("maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
  self->side_wanted = memlane_settings_get_boolean ("side-panel", TRUE);
  memlane_window_show_page (self, page);
}

MemlaneWindow *
memlane_window_new (AdwApplication *application, MemlaneSession *session)
{
  MemlaneWindow *self = g_object_new (MEMLANE_TYPE_WINDOW, "application", application, NULL);

  self->session = g_object_ref (session);
  self->store = memlane_trace_store_new (session);
  self->experiments = memlane_experiment_store_new (session, self->store);
  self->toasts = memlane_toasts_new (self->toast_overlay, memlane_session_get_store (session));
  self->device_button = g_object_ref_sink (memlane_device_button_new (session));
  adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
  self->runs = memlane_runs_panel_new (session);
  gtk_paned_set_start_child (self->side, self->runs);
  memlane_workload_choice_follow (MEMLANE_WORKLOAD_CHOICE (self->shown_workload), session, "shown-workload", FALSE);
  memlane_mode_choice_follow (MEMLANE_MODE_CHOICE (self->curve_choice), session, MEMLANE_MODES_VIEW);
  gtk_paned_set_position (self->side, memlane_settings_get_int ("height", 720) * 3 / 10); /* the curves need more room than the runs */
  restore_state (self);
  add_actions (self);
  memlane_window_add_page_keys (GTK_APPLICATION (application));
  memlane_window_add_drop_target (self);
  memlane_window_add_projector_keys (self);
  follow_session (self);
  follow_traces (self);
  follow_experiments (self);
  g_signal_connect_object (self->toasts, "changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (memlane_window_page_seen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->views, "notify::visible-child", G_CALLBACK (memlane_window_page_seen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (memlane_window_side_revealed), self, G_CONNECT_SWAPPED);
  memlane_window_page_seen (self);
  return self;
}

MemlanePageContext
memlane_window_get_context (MemlaneWindow *self)
{
  return (MemlanePageContext) { self->session, self->store, self->experiments };
}
