/* table-fixture.h: a Table page on models of its own, and what its tests ask it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "panel-fixture.h"
#include "table/table-page.h"

typedef struct
{
  MemlaneModels *models;
  MemlaneRunStore *store;
  MemlaneTablePage *page;
  GtkWindow *window;
  char *notice;
  gboolean trouble;
} Fixture;

G_GNUC_UNUSED static void
notice_cb (MemlanePage *page, const char *sentence, gboolean trouble, gpointer data)
{
  Fixture *fixture = data;

  g_free (fixture->notice);
  fixture->notice = g_strdup (sentence);
  fixture->trouble = trouble;
}

G_GNUC_UNUSED static void
hide_all (MemlaneRunStore *store)
{
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store)
    memlane_run_item_set_shown (item, FALSE);
}

G_GNUC_UNUSED static void
set_up (Fixture *fixture, gconstpointer data)
{
  static guint folders;
  g_autofree char *folder = g_strdup_printf ("table-%u", folders++);

  fixture->models = panel_models_new (folder);
  fixture->store = fixture->models->runs;
  hide_all (fixture->store);
  fixture->page = MEMLANE_TABLE_PAGE (memlane_table_page_new (fixture->models->runs, fixture->models->view));
  g_signal_connect (fixture->page, "notice", G_CALLBACK (notice_cb), fixture);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->page), 1000, 500);
}

G_GNUC_UNUSED static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  panel_models_free (fixture->models);
  g_free (fixture->notice);
}

G_GNUC_UNUSED static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->page), id);

  g_assert_nonnull (widget);
  return widget;
}

G_GNUC_UNUSED static void
act (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->page), action, NULL));
}
