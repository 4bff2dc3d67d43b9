/* table-fixture.h: a Table page on models of its own, and what its tests ask it
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
  MemlaneModels *models;
  MemlaneRunStore *store;
  MemlaneTablePage *page;
  GtkSelectionModel *selection; /* of the rows that are seen */
  GListModel *list;             /* the same */
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

  fixture->models = panel_models_new (folder);
  fixture->store = fixture->models->runs;
  hide_all (fixture->store);
  fixture->page = MEMLANE_TABLE_PAGE (memlane_table_page_new (fixture->models->runs, fixture->models->view));
  g_signal_connect (fixture->page, "notice", G_CALLBACK (notice_cb), fixture);
  if (data == NULL) /* most tests are of the rows */
    gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (fixture->page), "views")), "rows");
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->page), 1000, 500);
  fixture->selection = gtk_column_view_get_model (GTK_COLUMN_VIEW (ui_test_find_id (GTK_WIDGET (fixture->page), "view")));
  g_assert_nonnull (fixture->selection);
  fixture->list = G_LIST_MODEL (fixture->selection);
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

G_GNUC_UNUSED static gboolean
has_rows (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) > 0;
}

/* Rows before the search. */
G_GNUC_UNUSED static guint
count_all (Fixture *fixture)
{
  GListModel *sorted = gtk_multi_selection_get_model (GTK_MULTI_SELECTION (fixture->selection));
  GListModel *found = gtk_sort_list_model_get_model (GTK_SORT_LIST_MODEL (sorted));

  return g_list_model_get_n_items (gtk_filter_list_model_get_model (GTK_FILTER_LIST_MODEL (found)));
}

G_GNUC_UNUSED static guint
count_selected (Fixture *fixture)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (fixture->selection);

  return (guint) gtk_bitset_get_size (selected);
}

G_GNUC_UNUSED static gboolean
has_twice_the_rows (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 2 * SAMPLE_ROWS;
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
  g_autoptr (MemlaneTableLine) row = g_list_model_get_item (list, position);

  return memlane_table_line_get_number (row, column);
}

G_GNUC_UNUSED static char *
text_at (GListModel *list, guint position, MemlaneColumn column)
{
  g_autoptr (MemlaneTableLine) row = g_list_model_get_item (list, position);

  return memlane_table_line_format (row, column);
}

G_GNUC_UNUSED static void
assert_text (GListModel *list, guint position, MemlaneColumn column, const char *expected)
{
  g_autofree char *text = text_at (list, position, column);

  g_assert_cmpstr (text, ==, expected);
}
