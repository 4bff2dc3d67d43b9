/* window.c: the main window: its life, its actions and what it follows
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "chart/answer-words.h"
#include "model/sentence.h"
#include "parts/file-dialog.h"
#include "parts/settings.h"
#include "side/device-button.h"
#include "side/mode-choice.h"
#include "side/plan-panel.h"
#include "side/runs-panel.h"
#include "side/workload-choice.h"
#include "parts/template.h"
#include "parts/widgets.h"
#include "model/fields.h"

G_DEFINE_FINAL_TYPE (MemlaneWindow, memlane_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- what the person is told ------------------------------------------------------------ */

void
memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble)
{
  if (!self->closing)
    memlane_toasts_tell (self->toasts, message, trouble);
}

void
memlane_window_tell_exported (MemlaneWindow *self, const char *sentence, gboolean trouble,
                              GFile *file)
{
  if (sentence != NULL && file != NULL && !self->closing)
    memlane_toasts_tell_saved (self->toasts, sentence, file);
  else if (sentence != NULL)
    memlane_window_tell (self, sentence, trouble);
}

/* --- how far it is: a sweep, an experiment, a recording or reading ---------------------------- */

static void
update_progress (MemlaneWindow *self)
{
  MemlaneBench *bench = self->models->bench;
  gboolean running = memlane_bench_is_running (bench), reading = FALSE;
  /* how far a recording is, nobody knows */
  gboolean pulsing = memlane_bench_has (bench, MEMLANE_BENCH_TRACE);
  g_autofree char *status = NULL, *words = NULL;
  double fraction = 0;

  if (running)
    g_object_get (bench, "status", &status, "fraction", &fraction, NULL);
  else if (memlane_window_find_busy_page (self, &status, &fraction) != NULL)
    reading = TRUE;
  gtk_revealer_set_reveal_child (self->progress_revealer, (running || reading) && !self->projector);
  gtk_widget_set_visible (self->stop_reading_button,
                          reading
                              || (running && !memlane_sweep_job_is_running (self->models->sweep)));
  if (!running && !reading)
    return;
  words = memlane_words_typeset (status != NULL ? status : "");
  if (g_strcmp0 (words, gtk_label_get_text (self->status_label)) != 0)
    gtk_label_set_text (self->status_label, words);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), !pulsing);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
}

/* The GPU that is measured may draw the desktop, too. Resetting brings back what the system says;
 * who has none keeps it so. */
static void
rest_animations (MemlaneWindow *self, gboolean rest)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  gboolean animated;

  if (rest == self->rested)
    return;
  g_object_get (settings, "gtk-enable-animations", &animated, NULL);
  if (rest && !animated)
    return;
  self->rested = rest;
  if (rest)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}

/* --- what is measured: run, stop -------------------------------------------------------------- */

static void
run_cb (MemlaneWindow *self)
{
  const char *reason = NULL;

  if (memlane_sweep_job_can_run (self->models->sweep, &reason))
    memlane_sweep_job_run (self->models->sweep);
  else if (reason != NULL)
    memlane_window_tell (self, reason, TRUE);
}

static void
hosts_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlaneWindow) self = data;

  if (trouble != NULL)
    memlane_window_tell (self, trouble, TRUE);
}

/* Opens the file of hosts in an editor. */
static void
hosts_cb (MemlaneWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = memlane_hosts_prepare (&error);
  g_autoptr (GFile) file = NULL;

  if (path == NULL)
    {
      memlane_window_tell (self, error->message, TRUE);
      return;
    }
  file = g_file_new_for_path (path);
  memlane_file_dialog_show (GTK_WINDOW (self), file, hosts_shown_cb, g_object_ref (self));
}

static void
stop_cb (MemlaneWindow *self)
{
  g_autofree char *status = NULL;
  double fraction;
  MemlanePage *busy = memlane_window_find_busy_page (self, &status, &fraction);

  if (memlane_bench_is_running (self->models->bench))
    memlane_bench_stop (self->models->bench);
  else if (busy != NULL)
    memlane_page_stop (busy);
}

/* --- the Run button and its plan -------------------------------------------------------------- */

/* Shows Run on measuring pages, and Stop on every page while anything runs. */
static void
update_run_button (MemlaneWindow *self, gboolean running, gboolean stopping)
{
  GtkWidget *widget = GTK_WIDGET (self->run_button);
  g_autofree char *sentence = NULL, *time = NULL;
  const char *reason = NULL;

  gtk_widget_set_visible (widget, running || memlane_window_is_measure (self));
  adw_split_button_set_label (self->run_button, !running   ? _("_Run")
                                                : stopping ? _("Stopping")
                                                           : _("_Stop"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), running ? "win.stop" : "win.run");
  memlane_widget_set_class (widget, "suggested-action", !running);
  memlane_widget_set_class (widget, "destructive-action", running);
  if (running)
    sentence = g_strdup (_("Stop the sweep and keep what was measured (Ctrl+.)"));
  else if (memlane_sweep_job_can_run (self->models->sweep, &reason))
    {
      guint cells = memlane_sweep_job_count_cells (self->models->sweep);

      time = memlane_sweep_job_describe_estimate (self->models->sweep);
      /* Translators: how many, of which workload, and how long that takes */
      sentence = g_strdup_printf (
          ngettext ("%u measurement of %s, about %s (Ctrl+R)",
                    "%u measurements of %s, about %s (Ctrl+R)", cells),
          cells, g_dgettext (GETTEXT_PACKAGE, self->models->plan->workload->title), time);
    }
  else
    sentence = memlane_sentence_new (reason);
  gtk_widget_set_tooltip_text (widget, sentence);
}

/* Made when it is seen first: it is much of what a window weighs. */
static void
make_plan_cb (GtkMenuButton *button, gpointer data)
{
  MemlaneWindow *self = data;
  GtkWidget *plan = gtk_popover_get_child (self->plan_popover);

  if (self->models == NULL)
    return;
  if (plan == NULL)
    {
      plan =
          memlane_plan_panel_new (self->models->plan, self->models->devices, self->models->sweep);
      memlane_wheel_pass (plan);
      gtk_popover_set_child (self->plan_popover, plan);
    }
  memlane_plan_panel_set_narrow (MEMLANE_PLAN_PANEL (plan), memlane_window_is_folded (self));
}

/* AdwSplitButton passes neither on: the arrow's name, and a call before its popover is shown. */
static void
set_up_arrow (MemlaneWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->run_button)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child))
      {
        memlane_accessible_set_name (child, _("Measurement plan"));
        gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (child), make_plan_cb, self, NULL);
      }
}

static void
plan_cb (MemlaneWindow *self)
{
  if (self->projector)
    return;
  if (!gtk_widget_get_visible (GTK_WIDGET (self->run_button)))
    memlane_window_show_page (self, MEASURE);
  adw_split_button_popup (self->run_button);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void
log_values_cb (MemlaneWindow *self, GVariant *state)
{
  g_object_set (self->models->view,
                memlane_page_get_axis_property (memlane_window_get_current_page (self)),
                g_variant_get_boolean (state) ? MEMLANE_AXIS_LOG : MEMLANE_AXIS_LINEAR, NULL);
}

static void
run_removed_cb (MemlaneWindow *self, GVariant *parameter)
{
  memlane_toasts_tell_removed (self->toasts, g_variant_get_string (parameter, NULL));
}

static void
show_help_overlay_cb (MemlaneWindow *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/memlane/Memlane/help-overlay.ui");
  GtkWindow *overlay = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  gtk_window_set_transient_for (overlay, GTK_WINDOW (self));
  gtk_window_present (overlay);
}

/* Enables the actions of the visible page. */
static void
update_page_actions (MemlaneWindow *self)
{
  MemlanePage *page = memlane_window_find_page (self, memlane_window_get_current_name (self));
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->models->runs);
  g_autoptr (GPtrArray) drawn = memlane_view_model_get_drawn (self->models->view);
  const char *axis;
  gboolean figure, comparing = g_str_equal (memlane_window_get_current_name (self), "compare");

  if (page == NULL) /* it is being built */
    return;
  figure = memlane_page_get_figure (page) != NULL ? memlane_page_has_figure (page) : shown->len > 0;
  axis = memlane_page_get_axis_property (page);
  memlane_action_enable (self, "export-csv",
                         memlane_page_has_own_csv (page) ? memlane_page_can_export_csv (page)
                                                         : shown->len > 0);
  memlane_action_enable (self, "export-figure", figure);
  memlane_action_enable (self, "copy-figure", figure);
  memlane_action_enable (self, "print", figure);
  memlane_action_set_state (self, "page",
                            g_variant_new_string (memlane_window_get_current_name (self)));
  memlane_action_set_state (
      self, "log-values",
      g_variant_new_boolean (memlane_view_model_is_logarithmic (self->models->view, axis)));
  memlane_action_set_state (self, "compare", g_variant_new_boolean (comparing));
  memlane_action_enable (self, "compare", comparing || drawn->len >= 2);
}

static void
update_actions (MemlaneWindow *self)
{
  gboolean running, stopping;
  g_autofree char *status = NULL;
  double fraction;
  MemlaneBench *bench;

  if (self->models == NULL) /* the window is going */
    return;
  bench = self->models->bench;
  running = memlane_sweep_job_is_running (self->models->sweep);
  stopping = bench->stopping;
  memlane_action_enable (self, "run",
                         !running && !self->closing
                             && memlane_sweep_job_can_run (self->models->sweep, NULL));
  memlane_action_enable (self, "again",
                         g_action_group_get_action_enabled (G_ACTION_GROUP (self), "run"));
  memlane_action_enable (self, "stop",
                         memlane_bench_is_running (bench)
                             ? !stopping
                             : memlane_window_find_busy_page (self, &status, &fraction) != NULL);
  memlane_action_enable (self, "hosts", !self->closing);
  memlane_action_enable (self, "look-again", !self->closing && !memlane_bench_is_running (bench));
  memlane_action_enable (self, "undo-remove", memlane_toasts_can_undo (self->toasts));
  memlane_window_update_page_actions (self);
  update_run_button (self, running, stopping);
  update_page_actions (self);
  memlane_action_set_state (self, "projector", g_variant_new_boolean (self->projector));
}

static void
add_property_action (MemlaneWindow *self, const char *name, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, self->models->view, property);

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

static void
add_actions (MemlaneWindow *self)
{
  memlane_actions_add (self, (const MemlaneAction[]) {
    { "log-values", self, G_CALLBACK (log_values_cb), NULL, "false" },
    { "run-removed", self, G_CALLBACK (run_removed_cb), "s" },
    { "undo-remove", self->toasts, G_CALLBACK (memlane_toasts_undo) },
    { "show-help-overlay", self, G_CALLBACK (show_help_overlay_cb) },
    { "run", self, G_CALLBACK (run_cb) },
    { "again", self->models->sweep, G_CALLBACK (memlane_sweep_job_run_again) },
    { "stop", self, G_CALLBACK (stop_cb) },
    { "plan", self, G_CALLBACK (plan_cb) },
    { "hosts", self, G_CALLBACK (hosts_cb) },
    { "look-again", self->models->devices, G_CALLBACK (memlane_device_choice_look) },
    { NULL },
  });
  memlane_window_add_page_actions (self);
  memlane_window_add_form (self);
  memlane_window_add_files (self);
  add_property_action (self, "workload", "shown-workload");
  add_property_action (self, "published", "show-published");
  add_property_action (self, "ceilings", "show-ceilings");
}

/* --- the line of the first start: what is seen, and what a run of one's own is ---------------- */

/* Whether the recorded run is all that is drawn, so that a sentence on "these curves" is true. */
static gboolean
shows_recorded_alone (MemlaneViewModel *view)
{
  g_autoptr (GPtrArray) drawn = memlane_view_model_get_drawn (view);

  return drawn->len == 1 && ((MemlaneRunItem *) drawn->pdata[0])->kind == MEMLANE_RUN_RECORDED;
}

static void
update_welcome (MemlaneWindow *self)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->models->devices);
  gboolean alone = shows_recorded_alone (self->models->view);
  g_autofree char *text = NULL;

  if (!alone)
    gtk_revealer_set_reveal_child (self->welcome, FALSE);
  if (!alone || device == NULL || gtk_revealer_get_reveal_child (self->welcome)
      || !memlane_settings_get_boolean ("welcome", TRUE))
    return;
  if (device->simulated && !memlane_device_choice_lacks_gpu (self->models->devices))
    return; /* it is not known yet, or the person's own choice */
  if (device->simulated)
    text = g_strdup (_("These curves were measured on a real GPU. Your own runs are simulated, "
                       "because no NVIDIA GPU was found."));
  else
    text = g_strdup_printf (
        _("Run measures on %s while the curves grow. Stop keeps what was measured."),
        device->name);
  gtk_label_set_text (self->welcome_text, text);
  /* what a narrow window cuts off */
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->welcome_text), text);
  gtk_revealer_set_reveal_child (self->welcome, TRUE);
}

static void
close_welcome_cb (MemlaneWindow *self)
{
  gtk_revealer_set_reveal_child (self->welcome, FALSE);
  memlane_settings_set_boolean ("welcome", FALSE);
}

/* --- what it follows -------------------------------------------------------------------------- */

/* A recording leaves the GPU to others most of the time. */
static void
running_cb (MemlaneWindow *self)
{
  MemlaneBench *bench;

  if (self->models == NULL)
    return;
  bench = self->models->bench;
  rest_animations (self, memlane_bench_is_running (bench)
                             && !memlane_bench_has (bench, MEMLANE_BENCH_TRACE));
  update_progress (self);
  update_actions (self);
}

static void
devices_cb (MemlaneWindow *self)
{
  if (self->models == NULL)
    return;
  update_welcome (self);
  update_actions (self);
}

/* Says what the intervals of @run for other sweeps rest on, if it is the drift of other
 * machines. */
static gboolean
offer_again (MemlaneWindow *self, const MemlaneRun *run)
{
  double n = memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_HISTORY_SWEEPS);
  g_autofree char *sentence = NULL;

  if (!(n < MEMLANE_HISTORY_LEAST) || memlane_sweep_job_goes_on (self->models->sweep))
    return FALSE;
  sentence = g_strdup_printf (ngettext ("Intervals for other sweeps by the drift of other "
                                        "machines: there is %u earlier sweep of this one",
                                        "Intervals for other sweeps by the drift of other "
                                        "machines: there are %u earlier sweeps of this one",
                                        (gulong) n),
                              (guint) n);
  memlane_toasts_tell_action (self->toasts, sentence, _("Measure _What Is Missing"), "win.again",
                              NULL);
  return TRUE;
}

static void
swept_cb (MemlaneWindow *self, MemlaneRunItem *item, gboolean stopped)
{
  g_autofree char *sentence = NULL;
  /* without those that were cancelled */
  guint cells = item != NULL ? (guint) MAX (item->facts.cells, 0) : 0;

  /* The measuring pages show the run themselves. */
  if (self->closing || item == NULL || (!stopped && offer_again (self, item->run))
      || memlane_window_is_measure (self))
    return;
  if (stopped)
    sentence = g_strdup_printf (ngettext ("Stopped: %u measurement is kept",
                                          "Stopped: %u measurements are kept", cells), cells);
  else
    sentence = g_strdup_printf (
        ngettext ("Finished: %u measurement", "Finished: %u measurements", cells), cells);
  memlane_window_tell (self, sentence, FALSE);
}

static void
progress_cb (MemlaneWindow *self)
{
  if (self->models != NULL && !self->closing)
    update_progress (self);
}

void
memlane_window_update (MemlaneWindow *self)
{
  progress_cb (self);
  update_actions (self);
}

static void
page_seen_cb (MemlaneWindow *self)
{
  if (self->models == NULL)
    return;
  self->side_visiting = FALSE;
  memlane_page_set_projector (memlane_window_get_current_page (self), self->projector);
  memlane_window_place_side (self);
  update_actions (self);
}

static void
follow_models (MemlaneWindow *self)
{
  const MemlaneModels *models = self->models;
  gpointer const told[] = { models->runs,  models->devices, models->view,
                            models->sweep, models->traces,  models->experiments };
  MemlaneBench *bench = models->bench;

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_signal_connect_object (told[i], "notice", G_CALLBACK (memlane_window_tell), self,
                             G_CONNECT_SWAPPED);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { models->sweep, "swept", G_CALLBACK (swept_cb) },
    { bench, "notify::running", G_CALLBACK (running_cb) },
    { bench, "notify::stopping", G_CALLBACK (update_actions) },
    { bench, "notify::status", G_CALLBACK (progress_cb) },
    { bench, "notify::fraction", G_CALLBACK (progress_cb) },
    { models->sweep, "changed", G_CALLBACK (devices_cb) },
    { models->view, "changed", G_CALLBACK (devices_cb) },
    { NULL },
  });
}

/* --- the first frame comes first -------------------------------------------------------------- */

static gboolean
start_cb (gpointer data)
{
  MemlaneWindow *self = data;

  if (self->closing)
    return G_SOURCE_REMOVE;
  memlane_window_fill_recorded_menu (self);
  memlane_models_start (self->models);
  update_welcome (self);
  update_actions (self);
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
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint",
                           G_CALLBACK (painted_cb), self, 0);
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

/* --- closing ---------------------------------------------------------------------------------- */

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
  memlane_models_shut_down (self->models);
  rest_animations (self, FALSE);
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* Measurements are kept, so there is nothing to ask: the window goes at once, the program when the
 * worker has ended. */
static gboolean
memlane_window_close_request (GtkWindow *window)
{
  MemlaneWindow *self = MEMLANE_WINDOW (window);

  if (self->closing)
    return TRUE;
  keep_state (self);
  /* see memlane_window_set_projector(); and no frame comes any more that moves it */
  gtk_window_set_focus (window, NULL);
  self->closing = TRUE;
  memlane_models_stop (self->models);
  gtk_widget_hide (GTK_WIDGET (window));
  /* Not at once, for who asked may still need it; but the frames of what is still seen can leave
   * the loop no rest. */
  self->end_idle = g_idle_add_full (G_PRIORITY_DEFAULT, shut_down_cb, self, NULL);
  return TRUE;
}

/* Up to 4.8 GTK leaves "compute-size" of the surface connected to the window. A layout that was
 * asked for a moment ago would find no window there any more; hiding the surface takes it back. */
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
  g_clear_handle_id (&self->adapt_idle, g_source_remove);
  g_clear_object (&self->device_button);
  if (self->text_css != NULL)
    gtk_style_context_remove_provider_for_display (gdk_display_get_default (),
                                                   GTK_STYLE_PROVIDER (self->text_css));
  g_clear_object (&self->text_css);
  g_clear_pointer (&self->models, memlane_models_free);
  G_OBJECT_CLASS (memlane_window_parent_class)->dispose (object);
}

/* --- life ------------------------------------------------------------------------------------- */

/* A menu, a list or an (i) closes with what it belongs to: another page, the wall, a narrow window.
 * GTK 4.8 would present it beside nothing, and complain. One hook for all, so that none is
 * forgotten. */
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
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, unmapped_cb, NULL,
                              NULL);
  MEMLANE_ENSURE_TYPES (MODE_CHOICE, WORKLOAD_CHOICE, TOASTS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/window.ui");
  MEMLANE_BIND_CHILDREN (MemlaneWindow, toast_overlay, toasts, blank, header, side_button,
                         run_button, switcher, switcher_bar, plan_popover,
                         side_separator, shown_workload, curves, curve_choice, flap, side_box, side,
                         pages, progress_revealer, status_label, progress_bar, stop_reading_button,
                         recorded_menu, measure, views, welcome, welcome_text);
  MEMLANE_BIND_CALLBACKS (close_welcome_cb);
  memlane_window_install_wall_actions (widget_class);
}

/* The names of all pages side by side may be wider than the window. */
static void
ellipsize (GtkWidget *widget)
{
  GtkWidget *child;

  if (GTK_IS_LABEL (widget))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);
  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ellipsize (child);
}

static void
memlane_window_init (MemlaneWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->text_css = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (self->text_css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  memlane_window_size_text (self);
  set_up_arrow (self);
  memlane_window_add_pages (self);
  ellipsize (GTK_WIDGET (self->switcher));
  ellipsize (GTK_WIDGET (self->switcher_bar));
}

static void
restore_state (MemlaneWindow *self)
{
  g_autofree char *page = memlane_settings_get_string ("page", "bandwidth");

  gtk_window_set_default_size (GTK_WINDOW (self), memlane_settings_get_int ("width", 1280),
                               memlane_settings_get_int ("height", 720));
  if (memlane_settings_get_boolean ("maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
  self->side_wanted = memlane_settings_get_boolean ("side-panel", TRUE);
  memlane_window_show_page (self, page);
}

MemlaneWindow *
memlane_window_new (AdwApplication *application, MemlaneModels *models)
{
  MemlaneWindow *self = g_object_new (MEMLANE_TYPE_WINDOW, "application", application, NULL);

  self->models = models;
  memlane_toasts_follow (self->toasts, models->runs);
  self->device_button = g_object_ref_sink (memlane_device_button_new (models->devices));
  adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
  self->runs = memlane_runs_panel_new (models->runs, models->view);
  gtk_paned_set_start_child (self->side, self->runs);
  memlane_workload_choice_follow (MEMLANE_WORKLOAD_CHOICE (self->shown_workload),
                                  G_OBJECT (models->view), "shown-workload", FALSE);
  /* Run measures what the page shows. */
  g_object_bind_property (models->view, "shown-workload", models->plan, "workload",
                          G_BINDING_SYNC_CREATE);
  memlane_mode_choice_follow (MEMLANE_MODE_CHOICE (self->curve_choice), models->view->modes,
                              models->plan, models->view, NULL);
  restore_state (self);
  add_actions (self);
  memlane_window_add_page_keys (GTK_APPLICATION (application));
  follow_models (self);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { self->toasts, "changed", G_CALLBACK (update_actions) },
    { self->pages, "notify::visible-child", G_CALLBACK (page_seen_cb) },
    { self->views, "notify::visible-child", G_CALLBACK (page_seen_cb) },
    { NULL },
  });
  page_seen_cb (self);
  return self;
}

MemlaneModels *
memlane_window_get_models (MemlaneWindow *self)
{
  return self->models;
}
