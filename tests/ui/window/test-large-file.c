/* test-large-file.c: a large CSV is read while the window answers: all of it; a file of many runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/window-fixture.h"
#include "ui/large-csv.h"
#include "base/each.h"

#define ROWS 150000

static char *large; /* its path */

static void
open_path (Stage *stage, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (stage->window, file);
}

/* (transfer full) (nullable) */
static MemlaneRunItem *
find_path (Stage *stage, const char *path)
{
  GListModel *store = G_LIST_MODEL (stage->models->runs);

  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store)
    if (g_strcmp0 (item->path, path) == 0)
      return g_object_ref (item);
  return NULL;
}

static gboolean
count_cb (gpointer data)
{
  (*(guint *) data)++;
  return G_SOURCE_CONTINUE;
}

/* The main loop goes round while the file is read, and its row says so. */
static void
test_answers (void)
{
  g_autoptr (MemlaneRunItem) item = NULL;
  guint answers = 0, source;
  g_auto (Stage) stage = stage_open_drawn ();

  source = g_timeout_add (1, count_cb, &answers);
  open_path (&stage, large);
  item = find_path (&stage, large);
  g_assert_true (item->loading);
  stage_wait_toast (&stage, "Opened large.csv");
  g_assert_cmpuint (answers, >, 1); /* how often is the machine's affair */
  g_assert_false (item->loading);
  g_source_remove (source);
  g_assert_true (memlane_run_store_remove (stage.models->runs, item, NULL));
}

static gboolean
draws_large (Stage *stage)
{
  MemlanePage *page = memlane_window_get_page (stage->window, "bandwidth");
  MemlaneChart *chart = MEMLANE_CHART_VIEW (memlane_page_get_figure (page))->chart;

  MEMLANE_FOR_EACH (MemlaneSeries, series, chart->series)
    if (g_str_has_prefix (series->id, "20261121T101400.000Z-cuda-0-vector-add/"))
      return TRUE;
  return FALSE;
}

static gboolean
table_is_there (Stage *data)
{
  MemlanePage *page = memlane_window_get_page (data->window, "table");

  return memlane_page_has_figure (page);
}

/* All of it: drawn, in the table, hidden, shown again, closed. */
static void
test_whole (void)
{
  g_autoptr (MemlaneRunItem) item = NULL;
  g_auto (Stage) stage = stage_open_drawn ();
  guint before = stage_count_runs (&stage);

  open_path (&stage, large);
  stage_wait_toast (&stage, "Opened large.csv");
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
  item = find_path (&stage, large);
  g_assert_cmpuint (item->run->cells->len, ==, ROWS / LARGE_CSV_PHASES);
  ui_test_wait (draws_large (&stage));
  stage_do (&stage, "page", g_variant_new_string ("table"));
  ui_test_wait (table_is_there (&stage));
  memlane_run_item_set_shown (item, FALSE);
  g_assert_null (item->run); /* its file holds it */
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  memlane_run_item_set_shown (item, TRUE);
  ui_test_wait (stage_has_read (stage.models));
  ui_test_wait (draws_large (&stage));
  g_assert_true (memlane_run_store_remove (stage.models->runs, item, NULL));
  g_assert_cmpuint (stage_count_runs (&stage), ==, before);
  g_assert_true (g_file_test (large, G_FILE_TEST_EXISTS)); /* closing leaves the file */
}

/* Twelve runs in a file: all are listed, ten are shown, the others when they are asked for. */
static void
test_many_runs (void)
{
  g_auto (Stage) stage = { NULL };
  guint before, n_modes, shown = 0, of_file = 0;
  g_autofree char *path = ui_test_path ("many.csv");
  g_autoptr (MemlaneRunItem) hidden = NULL;

  memlane_mode_list (&n_modes);
  g_assert_true (large_csv_write (path, 12 * 19 * n_modes * LARGE_CSV_PHASES, LARGE_CSV_MANY_RUNS));
  stage = stage_open_drawn ();
  before = stage_count_runs (&stage);
  open_path (&stage, path);
  stage_wait_toast (&stage, "Opened many.csv: 12 runs. Tick those to see");
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 12);
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, stage.models->runs)
    {
      if (g_strcmp0 (item->path, path) != 0)
        continue;
      of_file++;
      shown += item->shown;
      if (!item->shown)
        g_set_object (&hidden, item);
    }
  g_assert_cmpuint (of_file, ==, 12);
  g_assert_cmpuint (shown, ==, 10);
  g_assert_null (hidden->run);
  memlane_run_item_set_shown (hidden, TRUE);
  ui_test_wait (stage_has_read (stage.models));
  g_assert_cmpuint (hidden->run->cells->len, ==, 19 * n_modes);
  open_path (&stage, path); /* once more: nothing new */
  ui_test_spin (200);
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 12);
}

int
main (int argc, char **argv)
{
  int status;

  ui_test_init (&argc, &argv);
  large = ui_test_path ("large.csv");
  g_assert_true (large_csv_write (large, ROWS, LARGE_CSV_ONE_RUN));
  g_test_add_func ("/large-file/answers", test_answers);
  g_test_add_func ("/large-file/whole", test_whole);
  g_test_add_func ("/large-file/many-runs", test_many_runs);
  status = ui_test_run ();
  g_free (large);
  return status;
}
