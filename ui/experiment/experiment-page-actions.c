/* experiment-page-actions.c: what can be done on the Experiments page
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-page-private.h"
#include "parts/settings.h"

void
memlane_experiment_page_enable (MemlaneExperimentPage *self, const char *action, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), action)), enabled);
}

static void
choose_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  MemlaneExperimentItem *item = self->store != NULL ? memlane_experiment_store_find (self->store, name) : NULL;

  if (item != NULL)
    memlane_experiment_page_show (self, item);
  else
    {
      g_free (self->wanted);
      self->wanted = g_strdup (name);
    }
}

static void
predict_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  if (self->item != NULL && gtk_widget_is_sensitive (GTK_WIDGET (self->prediction)))
    memlane_experiment_item_set_choice (self->item, g_variant_get_int32 (parameter));
}

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  if (self->item != NULL && self->store != NULL)
    memlane_experiment_store_run (self->store, self->item);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  if (self->store != NULL)
    memlane_experiment_store_stop (self->store);
}

static void
start_over_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  memlane_experiment_item_forget (self->item);
  gtk_widget_child_focus (GTK_WIDGET (self->prediction), GTK_DIR_TAB_FORWARD); /* the button is insensitive now */
}

static void
skip_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneExperimentPage *self = data;

  g_simple_action_set_state (action, state);
  memlane_settings_set_boolean ("experiment-skip", g_variant_get_boolean (state));
  if (self->store != NULL)
    g_object_set (self->store, "skip", g_variant_get_boolean (state), NULL);
}

/* The page hears of what arrives only once it is there. */
static void
show_timeline_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "timeline");
  if (self->store != NULL)
    memlane_experiment_store_show_traces (self->store, self->item);
}

static void
show_run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneExperimentPage *self = data;

  if (self->store != NULL && memlane_experiment_store_keep_runs (self->store, self->item))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "time");
}

void
memlane_experiment_page_add_actions (MemlaneExperimentPage *self)
{
  static const GActionEntry entries[] = {
    { "choose", choose_cb, "s", NULL, NULL, { 0 } },
    { "predict", predict_cb, "i", NULL, NULL, { 0 } },
    { "run", run_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "start-over", start_over_cb, NULL, NULL, NULL, { 0 } },
    { "skip", NULL, NULL, "false", skip_cb, { 0 } },
    { "show-timeline", show_timeline_cb, NULL, NULL, NULL, { 0 } },
    { "show-run", show_run_cb, NULL, NULL, NULL, { 0 } },
  };
  static const char *const later[] = { "run", "stop", "start-over", "show-timeline", "show-run" }; /* once there is an experiment */

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (later); i++)
    memlane_experiment_page_enable (self, later[i], FALSE);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "experiment", G_ACTION_GROUP (self->actions));
}
