/* decide-fixture.h: the Decide page in the window, with what it rests on
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "decide/decide-page.h"
#include "decide/decide-view.h"
#include "window-fixture.h"

G_GNUC_UNUSED static MemlaneDecidePage *
get_page (Stage *stage)
{
  return MEMLANE_DECIDE_PAGE (memlane_window_get_page (stage->window, "decide"));
}

G_GNUC_UNUSED static MemlaneDecideView *
get_view (Stage *stage)
{
  return MEMLANE_DECIDE_VIEW (memlane_page_get_figure (MEMLANE_PAGE (get_page (stage))));
}

/* NULL: the page has no map. */
G_GNUC_UNUSED static MemlaneDecideResult *
get_result (Stage *stage)
{
  MemlaneDecideResult *result = memlane_decider_get_result (stage->models->decider);

  return result != NULL && result->decision->n_sizes > 0 ? result : NULL;
}

G_GNUC_UNUSED static const MemlaneDecision *
get_decision (Stage *stage)
{
  MemlaneDecideResult *result = get_result (stage);

  g_assert_nonnull (result);
  return result->decision;
}

G_GNUC_UNUSED static GtkWidget *
get (Stage *stage, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (get_page (stage)), id);

  if (widget == NULL)
    g_error ("the page has no %s", id);
  return widget;
}

G_GNUC_UNUSED static const char *
get_label (Stage *stage, const char *id)
{
  return gtk_label_get_text (GTK_LABEL (get (stage, id)));
}

/* By its name on the page, as a button or a menu does. */
G_GNUC_UNUSED static void
activate (Stage *stage, const char *action, GVariant *parameter)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (get_page (stage)), action, parameter));
}

G_GNUC_UNUSED static gboolean
rests (gpointer data)
{
  return !memlane_decider_is_waiting (((Stage *) data)->models->decider);
}

G_GNUC_UNUSED static gboolean
has_map (gpointer data)
{
  return rests (data) && get_result (data) != NULL;
}

G_GNUC_UNUSED static gboolean
has_no_map (gpointer data)
{
  return rests (data) && get_result (data) == NULL;
}

G_GNUC_UNUSED static Stage
open_page (void)
{
  Stage stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("decide"));
  ui_test_wait (has_map (&stage));
  activate (&stage, "decide.direction", g_variant_new_string ("both"));
  gtk_expander_set_expanded (GTK_EXPANDER (get (&stage, "evidence_expander")), TRUE);
  activate (&stage, "decide.size", g_variant_new_int32 (20));
  activate (&stage, "decide.reuse", g_variant_new_int32 (1));
  ui_test_wait (has_map (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  return stage;
}
