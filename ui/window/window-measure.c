/* window-measure.c: what is measured from the window: run, plan, record, stop, and how far it is
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "chart/answer-words.h"
#include "model/sentence.h"
#include "parts/file-dialog.h"
#include "parts/widgets.h"
#include "side/plan-panel.h"
#include "model/fields.h"

/* --- how far it is: a sweep, an experiment, a recording or reading ---------------------------------------------------------- */

void
memlane_window_update_progress (MemlaneWindow *self)
{
  MemlaneBench *bench = self->models->bench;
  gboolean running = memlane_bench_is_running (bench), reading = FALSE;
  gboolean pulsing = memlane_bench_has (bench, MEMLANE_BENCH_TRACE); /* how far a recording is, nobody knows */
  g_autofree char *status = NULL, *words = NULL;
  double fraction = 0;

  if (running)
    g_object_get (bench, "status", &status, "fraction", &fraction, NULL);
  else if (memlane_window_find_busy_page (self, &status, &fraction) != NULL)
    reading = TRUE;
  gtk_revealer_set_reveal_child (self->progress_revealer, (running || reading) && !self->projector);
  gtk_widget_set_visible (self->stop_reading_button, reading || (running && !memlane_sweep_job_is_running (self->models->sweep)));
  if (!running && !reading)
    return;
  words = memlane_words_typeset (status != NULL ? status : "");
  if (g_strcmp0 (words, gtk_label_get_text (self->status_label)) != 0)
    gtk_label_set_text (self->status_label, words);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), !pulsing);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
}

/* The GPU that is measured may draw the desktop, too. Resetting brings back what the system says; who has none keeps it so. */
void
memlane_window_rest_animations (MemlaneWindow *self, gboolean rest)
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

/* --- what is measured: run, stop ------------------------------------------------------------------------------------ */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  const char *reason = NULL;

  if (memlane_sweep_job_can_run (self->models->sweep, &reason))
    memlane_sweep_job_run (self->models->sweep);
  else if (reason != NULL)
    memlane_window_tell (self, reason, TRUE);
}

/* Measures what is missing for intervals that rest on the drift of this machine. */
static void
again_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  memlane_sweep_job_run_again (self->models->sweep);
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
hosts_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

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
look_again_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  memlane_device_choice_look (self->models->devices);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  g_autofree char *status = NULL;
  double fraction;
  MemlanePage *busy = memlane_window_find_busy_page (self, &status, &fraction);

  if (memlane_bench_is_running (self->models->bench))
    memlane_bench_stop (self->models->bench);
  else if (busy != NULL)
    memlane_page_stop (busy);
}

/* --- the Run button and its plan ----------------------------------------------------------------------------------------------- */

/* Shows Run on measuring pages, and Stop on every page while anything runs. */
void
memlane_window_update_run_button (MemlaneWindow *self, gboolean running, gboolean stopping)
{
  GtkWidget *widget = GTK_WIDGET (self->run_button);
  g_autofree char *sentence = NULL, *time = NULL;
  const char *reason = NULL;

  gtk_widget_set_visible (widget, running || memlane_window_is_measure (self));
  adw_split_button_set_label (self->run_button, !running ? _("_Run") : stopping ? _("Stopping") : _("_Stop"));
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
      sentence = g_strdup_printf (ngettext ("%u measurement of %s, about %s (Ctrl+R)", "%u measurements of %s, about %s (Ctrl+R)", cells),
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
      plan = memlane_plan_panel_new (self->models->plan, self->models->devices, self->models->sweep);
      memlane_wheel_pass (plan);
      gtk_popover_set_child (self->plan_popover, plan);
    }
  memlane_plan_panel_set_narrow (MEMLANE_PLAN_PANEL (plan), memlane_window_is_folded (self));
}

/* AdwSplitButton passes neither on: the arrow's name, and a call before its popover is shown. */
void
memlane_window_set_up_arrow (MemlaneWindow *self)
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
plan_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  if (self->projector)
    return;
  if (!gtk_widget_get_visible (GTK_WIDGET (self->run_button)))
    memlane_window_show_page (self, MEASURE);
  adw_split_button_popup (self->run_button);
}

void
memlane_window_add_measure_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb, NULL, NULL, NULL, { 0 } },
    { "again", again_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "plan", plan_cb, NULL, NULL, NULL, { 0 } },
    { "hosts", hosts_cb, NULL, NULL, NULL, { 0 } },
    { "look-again", look_again_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
