/* experiment-fixture.h: the Experiments page inside a test: what it shows, what it is told
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment/experiment-page.h"
#include "experiment/still-figure.h"
#include "model/fields.h"
#include "parts/settings.h"
#include "window-fixture.h"

static MemlaneExperimentPage *
get_page (Stage *stage)
{
  return MEMLANE_EXPERIMENT_PAGE (memlane_window_get_page (stage->window, "experiments"));
}

static GtkWidget *
get (Stage *stage, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (get_page (stage)), id);

  g_assert_nonnull (widget);
  return widget;
}

static MemlaneExperimentItem *
get_item (Stage *stage)
{
  return stage_get_experiment (stage);
}

static void
activate (Stage *stage, const char *action, GVariant *parameter)
{
  g_assert_true (
      gtk_widget_activate_action_variant (GTK_WIDGET (get_page (stage)), action, parameter));
}

static gboolean
has_item (gpointer data)
{
  return get_item (data) != NULL;
}

static void
choose (Stage *stage, const char *name)
{
  MemlaneExperimentStore *store = stage->models->experiments;
  MemlaneExperimentItem *item = memlane_experiment_store_find (store, name);
  guint place = 0;

  g_assert_nonnull (item);
  while (memlane_list_peek (store, place) != item)
    place++;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (stage, "titles")), place);
  g_assert_cmpstr (((MemlaneExperimentItem *) get_item (stage))->experiment->name, ==, name);
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

G_GNUC_UNUSED static Stage
open_page (const char *name)
{
  Stage stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("experiments"));
  ui_test_wait (has_item (&stage));
  choose (&stage, name);
  return stage;
}

static gboolean
has_result (Stage *stage)
{
  return memlane_window_get_models (stage->window)->experiments->running == NULL &&
         ((MemlaneExperimentItem *) get_item (stage))->result != NULL;
}

/* The device has said what it can do. */
static gboolean
can_run (gpointer data)
{
  return gtk_widget_is_sensitive (get (data, "run"));
}

static void
run (Stage *stage)
{
  ui_test_wait (can_run (stage));
  activate (stage, "experiment.run", NULL);
  g_assert_nonnull (memlane_window_get_models (stage->window)->experiments->running);
  /* The longest takes 11 s of a core, and twenty tests may wait for two: a minute is too little for
   * some. */
  for (guint i = 0; i < 3000 && !has_result (stage); i++)
    ui_test_spin (100);
  ui_test_wait (has_result (stage));
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

G_GNUC_UNUSED static gboolean
is_seen (Stage *stage, const char *id)
{
  return gtk_widget_get_mapped (get (stage, id));
}
