/* table-fixture.h: a Table page on a session of its own, and what its tests ask it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "panel-fixture.h"
#include "table/columns.h"
#include "table/table-page.h"

#define SAMPLE_ROWS 30 /* 3 modes x 5 sizes x 2 phases */

typedef struct
{
  MemlaneSession *session;
  MemlaneRunStore *store;
  MemlaneTablePage *page;
  MemlaneTableModel *model;
  GListModel *list;
  GtkWindow *window;
  char *notice;
  gboolean trouble;
} Fixture;

G_GNUC_UNUSED static void
notice_cb (MemlaneSession *session, const char *sentence, gboolean trouble, gpointer data)
{
  Fixture *fixture = data;

  g_free (fixture->notice);
  fixture->notice = g_strdup (sentence);
  fixture->trouble = trouble;
}

G_GNUC_UNUSED static void
hide_all (MemlaneRunStore *store)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (store)); i++)
    {
      g_autoptr(MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      memlane_run_item_set_shown (item, FALSE);
    }
}

/* @data not NULL: the view that comes first is left. */
G_GNUC_UNUSED static void
set_up (Fixture *fixture, gconstpointer data)
{
  static guint folders;
  g_autofree char *folder = g_strdup_printf ("table-%u", folders++);

  fixture->session = panel_session_new (folder);
  fixture->store = memlane_session_get_store (fixture->session);
  hide_all (fixture->store);
  g_signal_connect (fixture->session, "notice", G_CALLBACK (notice_cb), fixture);
  fixture->page = MEMLANE_TABLE_PAGE (memlane_table_page_new (&(MemlanePageContext) { .session = fixture->session }));
  fixture->model = memlane_table_page_get_model (fixture->page);
  fixture->list = G_LIST_MODEL (fixture->model);
  if (data == NULL) /* most tests are of the rows */
    gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (fixture->page), "views")), "rows");
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->page), 1000, 500);
}

G_GNUC_UNUSED static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  g_signal_handlers_disconnect_by_data (fixture->session, fixture);
  panel_session_free (fixture->session);
  g_free (fixture->notice);
}

G_GNUC_UNUSED static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->page), id);

  g_assert_nonnull (widget);
  return widget;
}

G_GNUC_UNUSED static gboolean
has_rows (gpointer data)
{
  Fixture *fixture = data;

  return g_list_model_get_n_items (fixture->list) > 0 && !memlane_table_model_count (fixture->model).busy;
}

G_GNUC_UNUSED static gboolean
has_no_rows (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 0;
}

G_GNUC_UNUSED static void
choose_phase (Fixture *fixture, int phase)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "phase")), (guint) (phase + 1));
}

G_GNUC_UNUSED static void
choose_status (Fixture *fixture, int status)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "status")), (guint) (status + 1));
}

G_GNUC_UNUSED static void
act (Fixture *fixture, const char *action, const char *parameter)
{
  g_autoptr (GVariant) target = parameter != NULL ? g_variant_ref_sink (g_variant_new_string (parameter)) : NULL;

  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->page), action, target));
}

G_GNUC_UNUSED static double
number_at (GListModel *list, guint position, MemlaneColumn column)
{
  g_autoptr(MemlaneTableLine) row = g_list_model_get_item (list, position);

  return memlane_table_entry_get_number (&row->entry, column);
}

G_GNUC_UNUSED static char *
text_at (GListModel *list, guint position, MemlaneColumn column)
{
  g_autoptr(MemlaneTableLine) row = g_list_model_get_item (list, position);

  return memlane_table_entry_format (&row->entry, row->run, column);
}

G_GNUC_UNUSED static void
assert_text (GListModel *list, guint position, MemlaneColumn column, const char *expected)
{
  g_autofree char *text = text_at (list, position, column);

  g_assert_cmpstr (text, ==, expected);
}
