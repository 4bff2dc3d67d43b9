/* large-run.c: what a CSV of a million rows costs the window: how long it does not answer while the file is opened, drawn, hidden, listed
 *
 * SPDX-License-Identifier: MIT
 *
 * large-run [ROWS]  needs a display (exit status 77 without one). No limit is checked: a busy machine must not fail.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ui/window-fixture.h"
#include "ui/large-csv.h"

#define ROWS 1000000

typedef struct
{
  gint64 last, longest;
} Waits;

/* As important as input: what this comes late by is what a key press would have waited. */
static gboolean
tick_cb (gpointer data)
{
  Waits *waits = data;
  gint64 now = g_get_monotonic_time ();

  if (waits->last != 0)
    waits->longest = MAX (waits->longest, now - waits->last - 5000);
  waits->last = now;
  return G_SOURCE_CONTINUE;
}

static void
tell (const char *what, gint64 began, Waits *waits)
{
  printf ("  %-28s %7.0f ms, input waits at most %5.0f ms\n", what, (g_get_monotonic_time () - began) / 1e3, waits->longest / 1e3);
  fflush (stdout);
  waits->longest = 0;
}

/* Until nothing is read any more and what changed was drawn. */
static void
settle (Stage *stage)
{
  ui_test_wait (stage_has_read (stage->models));
  ui_test_spin (400);
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

/* All that are shown of the file's runs, or the first of them. */
static void
set_shown (Stage *stage, const char *path, gboolean shown)
{
  guint n = 0;
  GListModel *store = G_LIST_MODEL (stage->models->runs);

  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store)
    if (g_strcmp0 (item->path, path) == 0)
      memlane_run_item_set_shown (item, shown && n++ < 10);
}

static void
remove_runs (Stage *stage, const char *path)
{
  MemlaneRunStore *store = stage->models->runs;

  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (store)); i-- > 0;)
    {
      g_autoptr (MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      if (g_strcmp0 (item->path, path) == 0)
        memlane_run_store_remove (store, item, NULL);
    }
  memlane_run_store_forget_removed (store);
}

static void
measure (Stage *stage, Waits *waits, const char *path, const char *name)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gint64 began = g_get_monotonic_time ();
  MemlaneChart *chart;

  printf ("%s:\n", name);
  waits->longest = 0;
  memlane_window_open_file (stage->window, file);
  settle (stage);
  stage_wait_toast (stage, "Opened large-");
  tell ("opened and drawn", began, waits);
  began = g_get_monotonic_time ();
  chart = memlane_view_model_build_chart (stage->models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);
  printf ("  %-28s %7.1f ms, %u curves\n", "one chart built", (g_get_monotonic_time () - began) / 1e3, chart->series->len);
  memlane_chart_unref (chart);
  began = waits->last = g_get_monotonic_time ();
  waits->longest = 0;
  set_shown (stage, path, FALSE);
  settle (stage);
  tell ("hidden", began, waits);
  began = g_get_monotonic_time ();
  set_shown (stage, path, TRUE);
  settle (stage);
  tell ("shown again", began, waits);
  began = g_get_monotonic_time ();
  stage_do (stage, "page", g_variant_new_string ("table"));
  settle (stage);
  tell ("the Table page", began, waits);
  stage_do (stage, "page", g_variant_new_string ("bandwidth"));
  settle (stage);
  waits->longest = 0;
  began = g_get_monotonic_time ();
  stage_do (stage, "page", g_variant_new_string ("table"));
  settle (stage);
  tell ("the Table page again", began, waits);
  waits->longest = 0;
  began = g_get_monotonic_time ();
  gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (memlane_window_get_page (stage->window, "table")), "views")),
                                    "rows");
  settle (stage);
  tell ("all its rows", began, waits);
  stage_do (stage, "page", g_variant_new_string ("bandwidth"));
  settle (stage);
  waits->longest = 0;
  began = g_get_monotonic_time ();
  remove_runs (stage, path);
  settle (stage);
  tell ("closed", began, waits);
}

int
main (int argc, char **argv)
{
  static const char *const shapes[] = { "one run", "a run for each sweep" };
  guint rows = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : ROWS;
  Stage stage;
  Waits waits = { 0 };
  int one = 1;

  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  ui_test_init (&one, &argv);
  stage = stage_open_drawn ();
  g_timeout_add_full (G_PRIORITY_DEFAULT, 5, tick_cb, &waits, NULL);
  for (guint shape = 0; shape < G_N_ELEMENTS (shapes); shape++)
    {
      g_autofree char *name = g_strdup_printf ("large-%u.csv", shape), *path = ui_test_path (name);

      if (!large_csv_write (path, rows, (LargeCsvShape) shape))
        g_error ("no room for %s", path);
      waits.last = 0;
      measure (&stage, &waits, path, shapes[shape]);
      g_unlink (path);
    }
  stage_close (&stage);
  ui_test_delete (ui_test_home);
  return 0;
}
