/* test-run-store.c: the Runs list: what is kept, shown, renamed, deleted and opened, and found again
 *
 * SPDX-License-Identifier: MIT
 */
#include <unistd.h>

#include "model/run-files.h"
#include "engine/set-environment.h"
#include "base/each.h"
#include "model/run-store.h"
#include "job/journal.h"

#include "engine/sample-run.h"
#include "model-bench.h"

static const char *const environment =
  "{ \"date\": \"2026-11-21T10:14:00Z\", \"device\": { \"id\": \"simulated:h200\", \"kind\": \"simulated\", "
  "\"name\": \"NVIDIA H200 (simulated)\" } }\n";

/* Nothing of it was cancelled. */
static MemlaneRun *
make_run (const char *id, guint n_cells)
{
  MemlaneRun *run = sample_run (1, n_cells); /* of simulated:h200 */

  sample_as_sent (run);
  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    if (cell->status == MEMLANE_STATUS_CANCELLED)
      cell->status = MEMLANE_STATUS_ERROR;
  g_free (run->id);
  run->id = g_strdup (id);
  set_environment (run, environment != NULL ? "%s" : NULL, environment);
  return run;
}

static char *
write_csv (const char *folder, const char *name, const MemlaneRun *run)
{
  char *path = g_build_filename (folder, name, NULL);
  GError *error = NULL;

  memlane_csv_write (run, path, &error);
  g_assert_no_error (error);
  return path;
}

static guint
count (MemlaneRunStore *store)
{
  return g_list_model_get_n_items (G_LIST_MODEL (store));
}

/* (transfer none): the list holds it. */
static MemlaneRunItem *
item_at (MemlaneRunStore *store, guint position)
{
  g_autoptr (MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (store), position);

  return item;
}

/* A loaded store; the recorded run is its last item. */
static MemlaneRunStore *
load (const char *folder, guint n_items)
{
  MemlaneRunStore *store = memlane_run_store_new (folder);

  memlane_run_store_load (store);
  bench_wait (count (store) == n_items && (n_items == 0 || !((MemlaneRunItem *) item_at (store, n_items - 1))->loading));
  return store;
}

static void
finish (MemlaneRunStore *store)
{
  memlane_run_store_flush (store);
  g_assert_finalize_object (store);
}

/* A whole sweep with @run at its end, on the disk. */
static MemlaneRunItem *
keep (MemlaneRunStore *store, MemlaneRun *run, const char *name)
{
  MemlaneRunItem *item = memlane_run_store_begin (store, run->device, run->device_kind, name);

  memlane_run_store_grow (store, item, run->cells);
  memlane_run_store_end (store, item, run, NULL);
  return item;
}

/* The last answer of a store. */
static struct
{
  guint n;
  GPtrArray *items;
  char *problem;
} opened;

static void
opened_cb (MemlaneRunStore *store, const char *name, GPtrArray *items, const char *problem, gpointer data)
{
  opened.n++;
  g_clear_pointer (&opened.items, g_ptr_array_unref);
  opened.items = items != NULL ? g_ptr_array_ref (items) : NULL;
  g_free (opened.problem);
  opened.problem = g_strdup (problem);
}

static void
begin_opening (MemlaneRunStore *store, GFile *file)
{
  opened.n = 0;
  g_signal_handlers_disconnect_by_func (store, opened_cb, NULL);
  g_signal_connect (store, "opened", G_CALLBACK (opened_cb), NULL);
  memlane_run_store_open (store, file);
}

/* (transfer full) (nullable); else opened.problem says why. */
static GPtrArray *
open_file (MemlaneRunStore *store, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  begin_opening (store, file);
  bench_wait (opened.n > 0);
  return g_steal_pointer (&opened.items);
}

static void
test_first_start (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneRunStore *store = load (folder, 1);
  MemlaneRunItem *item = item_at (store, 0);
  g_autoptr (GPtrArray) shown = NULL;

  bench_wait (item->run != NULL);
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_RECORDED);
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, "Recorded H100");
  g_assert_cmpstr (item->subtitle, ==, "NVIDIA H100 80GB HBM3 · 2026-11-25 04:37 · 264 measurements");
  g_assert_true (item->shown);
  g_assert_false (item->facts.simulated);
  g_assert_null (item->problem);
  shown = memlane_run_store_get_shown (store);
  g_assert_cmpuint (shown->len, ==, 1);
  g_assert_false (memlane_run_store_remove (store, item, NULL));

  /* Hidden, its cells take no memory; and it is hidden the next time as well. */
  memlane_run_item_set_shown (item, FALSE);
  g_assert_null (item->run);
  finish (store);
  store = load (folder, 1);
  g_assert_false (((MemlaneRunItem *) item_at (store, 0))->shown);
  g_assert_cmpstr (((MemlaneRunItem *) item_at (store, 0))->subtitle, ==, "NVIDIA H100 80GB HBM3 · 2026-11-25 04:37 · 264 measurements");
  memlane_run_item_set_shown (item_at (store, 0), TRUE);
  g_assert_true (((MemlaneRunItem *) item_at (store, 0))->loading);
  bench_wait (((MemlaneRunItem *) item_at (store, 0))->run != NULL);
  finish (store);
}

/* A stopped run counts what was measured, as the note below the figure does, and not the cell that was cancelled. */
static void
test_stopped (void)
{
  g_autoptr (MemlaneRunItem) item = memlane_run_item_new (MEMLANE_RUN_LIVE, NULL, NULL, "stopped");
  g_autoptr (MemlaneRun) run = make_run ("20261121T101400Z-x", 3);

  ((MemlaneCell *) run->cells->pdata[2])->status = MEMLANE_STATUS_CANCELLED;
  memlane_run_item_set_run (item, run);
  g_assert_true (g_str_has_suffix (item->subtitle, " · 2 measurements · SIMULATED"));
  memlane_run_item_grown (item);
  g_assert_true (g_str_has_suffix (item->subtitle, " · 2 measurements · SIMULATED"));
}

static void
changed_cb (MemlaneRunStore *store, guint *n)
{
  (*n)++;
}

static void
test_sweep (void)
{
  g_autofree char *folder = bench_make_folder (), *journal_path = NULL;
  g_autofree char *expected = g_build_filename (folder, "20261121T101400Z-x.csv", NULL);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (MemlaneRun) run = make_run ("20261121T101400Z-x", 30);
  g_autoptr (MemlaneRun) none = make_run ("20261121T101500Z-x", 0);
  g_autoptr (GPtrArray) first = g_ptr_array_new (), read = NULL;
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, NULL);
  MemlaneRunItem *item;
  guint changes = 0;

  g_signal_connect (store, "changed", G_CALLBACK (changed_cb), &changes);
  item = memlane_run_store_begin (store, run->device, run->device_kind, "10:14 Simulated H200");
  g_assert_true (item_at (store, 0) == item);
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_LIVE);
  g_assert_true (item->facts.simulated);
  g_assert_null (item->path);
  g_assert_false (memlane_run_store_remove (store, item, NULL));
  for (guint i = 0; i < 10; i++)
    {
      g_ptr_array_set_size (first, 0);
      g_ptr_array_add (first, run->cells->pdata[i]);
      memlane_run_store_grow (store, item, first);
      g_assert_true (memlane_journal_append (journal, 1, i + 1, run->cells->pdata[i], NULL));
    }
  g_assert_cmpuint (item->run->cells->len, ==, 10);
  g_assert_true (g_str_has_suffix (item->subtitle, " · 10 measurements · SIMULATED"));
  bench_settle (20);
  g_assert_cmpuint (changes, <=, 2); /* eleven changes, merged */

  journal_path = g_strdup (memlane_journal_get_path (journal));
  g_clear_pointer (&journal, memlane_journal_close);
  memlane_run_store_end (store, item, run, journal_path);
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_KEPT);
  g_assert_cmpstr (item->path, ==, expected);
  g_assert_true (item->run == run);
  g_assert_false (g_file_test (journal_path, G_FILE_TEST_EXISTS));
  read = memlane_csv_read (expected, NULL, NULL);
  assert_same_run (run, read->pdata[0]);

  /* Nothing measured leaves nothing behind. */
  memlane_run_store_end (store, memlane_run_store_begin (store, "d", "cuda", "n"), NULL, NULL);
  memlane_run_store_end (store, memlane_run_store_begin (store, "d", "cuda", "n"), none, NULL);
  g_assert_cmpuint (count (store), ==, 2);
  finish (store);

  store = load (folder, 2);
  item = item_at (store, 0);
  bench_wait (item->run != NULL);
  assert_same_run (run, item->run);
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, "11-21 10:14 Simulated H200");
  g_assert_cmpstr (item->subtitle, ==, "NVIDIA H200 · 30 measurements · SIMULATED");
  finish (store);
}

static void
test_remove (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (MemlaneRun) a = make_run ("run-a", 4), b = make_run ("run-b", 4);
  g_autoptr (GError) error = NULL;
  g_autofree char *path_a = NULL, *path_b = NULL;
  MemlaneRunItem *item;

  path_a = g_strdup (keep (store, a, "a")->path);
  path_b = g_strdup (keep (store, b, "b")->path);
  memlane_run_store_undo_remove (store);
  g_assert_cmpuint (count (store), ==, 3);

  item = memlane_run_store_find (store, "run-a");
  g_assert_true (memlane_run_store_remove (store, item, &error));
  g_assert_true (memlane_run_store_remove (store, memlane_run_store_find (store, "run-b"), &error));
  g_assert_cmpuint (count (store), ==, 1);
  memlane_run_store_undo_remove (store);
  g_assert_cmpuint (count (store), ==, 2);
  g_assert_true (g_file_test (path_b, G_FILE_TEST_EXISTS));

  /* Opened while it can be brought back: it is there once, and nothing of it goes. */
  g_clear_pointer (&opened.items, g_ptr_array_unref);
  opened.items = open_file (store, path_a);
  g_assert_cmpuint (count (store), ==, 3);
  memlane_run_store_forget_removed (store);
  g_assert_true (g_file_test (path_a, G_FILE_TEST_EXISTS));
  item = memlane_run_store_find (store, "run-a");
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_KEPT);
  g_assert_true (memlane_run_store_remove (store, item, &error));
  memlane_run_store_undo_remove (store);
  g_assert_no_error (error);
  g_assert_cmpuint (count (store), ==, 3);
  g_assert_cmpuint (((MemlaneRunItem *) memlane_run_store_find (store, "run-a"))->run->cells->len, ==, 4);

  g_assert_true (memlane_run_store_remove (store, memlane_run_store_find (store, "run-a"), &error));
  g_assert_true (g_file_test (path_a, G_FILE_TEST_EXISTS)); /* until undo is over */
  memlane_run_store_forget_removed (store);
  g_assert_false (g_file_test (path_a, G_FILE_TEST_EXISTS));
  memlane_run_store_undo_remove (store);
  g_assert_null (memlane_run_store_find (store, "run-a"));
  finish (store);
  store = load (folder, 2);
  g_assert_null (memlane_run_store_find (store, "run-a"));
  finish (store);
}

/* A run that is there already is not written twice. One that only has its name is. */
static void
test_same_run (void)
{
  g_autofree char *folder = bench_make_folder (), *first = NULL, *again = NULL, *other = NULL;
  g_autoptr (MemlaneRun) run = make_run ("run-a", 6), changed = make_run ("run-a", 6);
  g_autoptr (GError) error = NULL;
  MemlaneCell *cell = changed->cells->pdata[0];

  ((MemlaneFigure *) cell->figures->pdata[0])->statistics.median += 1;
  first = memlane_run_files_write (folder, run, NULL, &error);
  g_assert_no_error (error);
  again = memlane_run_files_write (folder, run, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, first);
  other = memlane_run_files_write (folder, changed, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (other, !=, first);
}

static void
test_open (void)
{
  g_autofree char *folder = bench_make_folder (), *elsewhere = bench_make_folder ();
  g_autofree char *beside = g_build_filename (elsewhere, "..", "alias.csv", NULL);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (MemlaneRun) run = make_run ("elsewhere", 6);
  g_autofree char *path = write_csv (elsewhere, "my file.csv", run);
  g_autoptr (GPtrArray) items = NULL, again = NULL, aliased = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneRunItem *item;

  items = open_file (store, path);
  g_assert_no_error (error);
  g_assert_cmpuint (items->len, ==, 1);
  item = items->pdata[0];
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_OPENED);
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, "my file");
  g_assert_true (item->shown);
  g_assert_false (item->loading);
  assert_same_run (run, item->run);

  memlane_run_item_set_shown (item, FALSE);
  again = open_file (store, path);
  g_assert_true (again->pdata[0] == item);
  g_assert_true (item->shown);
  g_assert_cmpint (symlink (path, beside), ==, 0);
  aliased = open_file (store, beside);
  g_assert_true (aliased->pdata[0] == item);
  g_assert_cmpuint (count (store), ==, 2);
  finish (store);

  /* It is open the next time, and closing it leaves the file. */
  store = load (folder, 2);
  item = memlane_run_store_find (store, "my file");
  bench_wait (item->run != NULL);
  g_assert_true (memlane_run_store_remove (store, item, &error));
  memlane_run_store_undo_remove (store);
  g_assert_true (memlane_run_store_remove (store, memlane_run_store_find (store, "my file"), &error));
  memlane_run_store_forget_removed (store);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  finish (store);
  store = load (folder, 1);
  finish (store);
  g_unlink (beside);
}

/* A file of several runs is several items, each with a name and a flag of its own; in the folder of runs it goes and comes as one. */
static void
test_several (void)
{
  g_autofree char *folder = bench_make_folder (), *elsewhere = bench_make_folder ();
  g_autofree char *path = g_build_filename (elsewhere, "both.csv", NULL), *kept = g_build_filename (folder, "both.csv", NULL);
  g_autoptr (MemlaneRun) a = make_run ("run-a", 3), b = make_run ("run-b", 4);
  g_autoptr (GString) text = g_string_new (NULL);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (GPtrArray) items = NULL;

  set_environment (b, NULL); /* one environment beside the file would not say whose it is */
  memlane_csv_append_header (text);
  for (guint i = 0; i < a->cells->len; i++)
    memlane_csv_append_cell (text, a, a->cells->pdata[i]);
  for (guint i = 0; i < b->cells->len; i++)
    memlane_csv_append_cell (text, b, b->cells->pdata[i]);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  items = open_file (store, path);
  g_assert_cmpuint (items->len, ==, 2);
  memlane_run_item_set_name (memlane_run_store_find (store, "run-b"), "the second");
  memlane_run_item_set_shown (memlane_run_store_find (store, "the second"), FALSE);
  g_assert_true (memlane_run_store_remove (store, memlane_run_store_find (store, "run-a"), NULL));
  finish (store);

  g_assert_true (g_file_set_contents (kept, text->str, -1, NULL));
  store = load (folder, 3);
  g_assert_false (((MemlaneRunItem *) memlane_run_store_find (store, "the second"))->shown);
  memlane_run_item_set_shown (memlane_run_store_find (store, "the second"), TRUE);
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (store, "the second"))->run != NULL);
  assert_same_run (b, ((MemlaneRunItem *) memlane_run_store_find (store, "the second"))->run);
  g_assert_cmpuint (count (store), ==, 3);

  memlane_run_item_set_shown (memlane_run_store_find (store, kept), TRUE);
  bench_wait (count (store) == 4);
  finish (store);
  store = load (folder, 4);
  bench_wait (memlane_run_store_find (store, "run-a") != NULL);
  g_assert_true (memlane_run_store_remove (store, memlane_run_store_find (store, "run-a"), NULL));
  g_assert_cmpuint (count (store), ==, 2);
  memlane_run_store_undo_remove (store);
  g_assert_cmpuint (count (store), ==, 4);
  finish (store);
}

static void
test_refused (void)
{
  g_autofree char *folder = bench_make_folder (), *elsewhere = bench_make_folder (), *bad = g_build_filename (elsewhere, "bad.csv", NULL);
  g_autofree char *absent = g_build_filename (elsewhere, "absent.csv", NULL);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (GFile) far = g_file_new_for_uri ("http://example.org/run.csv");

  g_assert_true (g_file_set_contents (bad, "run;device\n", -1, NULL));
  g_assert_null (open_file (store, bad));
  g_assert_nonnull (strstr (opened.problem, "bad.csv:1: column run"));
  g_assert_null (open_file (store, absent));
  g_assert_nonnull (strstr (opened.problem, g_strerror (ENOENT)));
  g_assert_null (open_file (store, elsewhere));
  g_assert_nonnull (strstr (opened.problem, "it is not a file"));
  begin_opening (store, far);
  g_assert_cmpuint (opened.n, ==, 1);
  g_assert_null (opened.items);
  g_assert_nonnull (strstr (opened.problem, "is not on this machine"));
  g_assert_cmpuint (count (store), ==, 1);
  finish (store);
}

/* A file that is removed while it is read does not come back. */
static void
test_remove_unread (void)
{
  g_autofree char *folder = bench_make_folder (), *elsewhere = bench_make_folder ();
  g_autofree char *path = g_build_filename (elsewhere, "large.csv", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  memlane_csv_append_header (text);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%u", i);
      g_autoptr (MemlaneRun) run = make_run (id, 100);

      for (guint k = 0; k < run->cells->len; k++)
        memlane_csv_append_cell (text, run, run->cells->pdata[k]);
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));

  begin_opening (store, file);
  g_assert_cmpuint (count (store), ==, 2);
  g_assert_true (((MemlaneRunItem *) item_at (store, 0))->loading);
  g_assert_true (memlane_run_store_remove (store, item_at (store, 0), &error));
  g_assert_cmpuint (count (store), ==, 1);
  bench_settle (500);
  g_assert_cmpuint (opened.n, ==, 0);
  g_assert_cmpuint (count (store), ==, 1);
  finish (store);
}

/* A store that nobody has any more goes when it has listed and written; what it reads it leaves. */
static void
test_finalize (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) run = make_run ("run-a", 50);
  MemlaneRunStore *store = memlane_run_store_new (folder);
  MemlaneRunItem *item;

  memlane_run_store_load (store);
  g_object_add_weak_pointer (G_OBJECT (store), (gpointer *) &store);
  g_object_unref (store);
  bench_wait (store == NULL);
  store = load (folder, 1);
  item = memlane_run_store_begin (store, run->device, run->device_kind, "x");
  memlane_run_store_end (store, item, run, NULL);
  memlane_run_item_set_shown (item_at (store, 1), FALSE);
  memlane_run_item_set_shown (item_at (store, 1), TRUE);
  g_object_add_weak_pointer (G_OBJECT (store), (gpointer *) &store);
  g_object_unref (store);
  bench_wait (store == NULL);
  bench_settle (200);
  store = load (folder, 2); /* what was on its way has arrived */
  finish (store);
}

/* A new run takes the place of the person's last one in the picture. Pinned, recorded and hand-ticked ones stay. The pin is kept. */
static void
test_replace (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (MemlaneRun) first = make_run ("20261121T101400.000Z-simulated-h200-vector-add", 3);
  g_autoptr (MemlaneRun) second = make_run ("20261121T101500.000Z-simulated-h200-vector-add", 3);
  g_autoptr (MemlaneRun) third = make_run ("20261121T101600.000Z-simulated-h200-vector-add", 3);
  g_autoptr (MemlaneRun) fourth = make_run ("20261121T101700.000Z-simulated-h200-vector-add", 3);
  MemlaneRunItem *one = keep (store, first, "one");
  MemlaneRunItem *two = keep (store, second, "two");
  MemlaneRunItem *three;

  memlane_run_store_put_beside (store, one);
  memlane_run_store_replace (store, one);
  g_assert_true (two->shown);
  memlane_run_store_replace (store, two);
  g_assert_false (one->shown);
  g_assert_true (two->shown);
  memlane_run_item_set_pinned (two, TRUE);
  three = keep (store, third, "three");
  memlane_run_store_replace (store, three);
  g_assert_true (two->shown);
  g_assert_true (three->shown);
  g_assert_true (item_at (store, count (store) - 1)->shown); /* the recorded one */
  memlane_run_item_set_shown (one, TRUE); /* by hand */
  memlane_run_store_replace (store, keep (store, fourth, "four"));
  g_assert_true (one->shown);
  g_assert_true (two->shown);
  g_assert_false (three->shown);
  finish (store);
  store = load (folder, 5);
  g_assert_false (item_at (store, 0)->pinned); /* the newest stands first */
  g_assert_true (item_at (store, 2)->pinned);
  finish (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  g_test_add_func ("/run-store/first-start", test_first_start);
  g_test_add_func ("/run-store/sweep", test_sweep);
  g_test_add_func ("/run-store/stopped", test_stopped);
  g_test_add_func ("/run-store/replace", test_replace);
  g_test_add_func ("/run-store/remove", test_remove);
  g_test_add_func ("/run-store/same-run", test_same_run);
  g_test_add_func ("/run-store/open", test_open);
  g_test_add_func ("/run-store/several", test_several);
  g_test_add_func ("/run-store/refused", test_refused);
  g_test_add_func ("/run-store/remove-unread", test_remove_unread);
  g_test_add_func ("/run-store/finalize", test_finalize);
  return bench_run ();
}
