/* test-run-store-trouble.c: full disks, folders that are none, strangers' files and other processes cost no run
 *
 * SPDX-License-Identifier: MIT
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/run-store.h"
#include "job/journal.h"

#include "engine/sample-run.h"
#include "model-bench.h"

static MemlaneRun *
make_run (const char *id, guint n_cells)
{
  MemlaneRun *run = sample_run (1, n_cells);

  sample_as_sent (run);
  g_free (run->id);
  run->id = g_strdup (id);
  return run;
}

/* A journal that nobody writes any more. */
static char *
make_journal (const MemlaneRun *run)
{
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, NULL);

  for (guint i = 0; i < run->cells->len; i++)
    g_assert_true (memlane_journal_append (journal, 1, i + 1, run->cells->pdata[i], NULL));
  return g_strdup (memlane_journal_get_path (journal));
}

static guint
count (MemlaneRunStore *store)
{
  return g_list_model_get_n_items (G_LIST_MODEL (store));
}

static void
notice_cb (MemlaneRunStore *store, const char *sentence, gboolean trouble, BenchHeard *heard)
{
  g_assert_true (trouble);
  bench_said_cb (store, sentence, heard);
}

static MemlaneRunStore *
load (const char *folder, guint n_items, BenchHeard *heard)
{
  MemlaneRunStore *store = memlane_run_store_new (folder);

  g_signal_connect (store, "notice", G_CALLBACK (notice_cb), heard);
  memlane_run_store_load (store);
  bench_wait (count (store) == n_items);
  return store;
}

static void
finish (MemlaneRunStore *store, BenchHeard *heard)
{
  memlane_run_store_flush (store);
  bench_heard_clear (heard);
  g_assert_finalize_object (store);
}

static MemlaneRunItem *
end_sweep (MemlaneRunStore *store, MemlaneRun *run, const char *journal)
{
  MemlaneRunItem *item = memlane_run_store_begin (store, run->device, run->device_kind, "a sweep");

  memlane_run_store_grow (store, item, run->cells);
  memlane_run_store_end (store, item, run, journal);
  return item;
}

/* No room: the item remains, the journal remains, it is said; with room again nothing is missing. */
static void
test_full_disk (void)
{
  g_autofree char *folder = bench_make_folder (), *journal = NULL;
  g_autoptr (MemlaneRun) run = make_run ("20261121T120000Z-full", 200);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store = load (folder, 1, &heard);
  MemlaneRunItem *item;
  struct rlimit limit, small;

  journal = make_journal (run);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 20000;
  setrlimit (RLIMIT_FSIZE, &small);
  item = end_sweep (store, run, journal);
  setrlimit (RLIMIT_FSIZE, &limit);

  g_assert_cmpuint (heard.n, ==, 1);
  g_assert_nonnull (strstr (heard.last, g_strerror (EFBIG)));
  g_assert_nonnull (strstr (heard.last, "Its journal holds it"));
  g_assert_cmpuint (count (store), ==, 2);
  g_assert_true (item->run == run);
  g_assert_null (item->path);
  g_assert_cmpuint (bench_count_journals (), ==, 1);
  g_assert_cmpuint (bench_count_runs (folder), ==, 0);
  memlane_run_item_set_shown (item, FALSE);
  g_assert_nonnull (item->run); /* no file holds it */

  memlane_run_store_flush (store);
  g_assert_nonnull (item->path);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  finish (store, &heard);
}

/* The folder of runs lies below a file, as a folder that may not be written to. */
static void
test_no_folder (void)
{
  g_autofree char *parent = bench_make_folder (), *file = g_build_filename (parent, "file", NULL), *journal = NULL;
  g_autofree char *folder = g_build_filename (file, "runs", NULL);
  g_autoptr (MemlaneRun) run = make_run ("20261121T120100Z-none", 5), lost = make_run ("20261121T120200Z-none", 5);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;
  MemlaneRunItem *item;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  store = load (folder, 1, &heard);
  g_assert_cmpuint (heard.n, ==, 0);
  journal = make_journal (run);
  item = end_sweep (store, run, journal);
  g_assert_cmpuint (heard.n, ==, 1);
  g_assert_nonnull (strstr (heard.last, g_strerror (ENOTDIR)));
  end_sweep (store, lost, NULL);
  g_assert_nonnull (strstr (heard.last, "It is nowhere on the disk"));
  memlane_run_item_set_name (item, "renamed");
  memlane_run_store_flush (store);
  memlane_run_store_flush (store);
  g_assert_cmpuint (heard.n, ==, 3); /* the index, once */
  g_assert_nonnull (strstr (heard.last, "are not kept"));

  /* What is deleted now is gone for good once undo is over. */
  g_assert_true (memlane_run_store_remove (store, item, NULL));
  memlane_run_store_undo_remove (store);
  g_assert_true (memlane_run_store_remove (store, item, NULL));
  memlane_run_store_forget_removed (store);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  finish (store, &heard);
}

/* The folder goes while the window is open: the next run makes it again, what was read stays readable. */
static void
test_deleted_folder (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) a = make_run ("20261121T120300Z-a", 5), b = make_run ("20261121T120400Z-b", 5);
  g_autoptr (GError) error = NULL;
  BenchHeard heard = { 0 };
  MemlaneRunStore *store = load (folder, 1, &heard);
  MemlaneRunItem *item = end_sweep (store, a, NULL);

  bench_remove (folder);
  memlane_run_item_set_shown (item, FALSE);
  g_assert_nonnull (item->run); /* the last one there is */
  end_sweep (store, b, NULL);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
  g_assert_true (memlane_run_store_remove (store, item, &error));
  memlane_run_store_undo_remove (store);
  g_assert_cmpuint (heard.n, ==, 0);
  finish (store, &heard);
}

/* What others put into the folder is neither read as a run nor touched; a file that is damaged says so when it is shown. */
static void
test_strangers (void)
{
  static const char *const names[] = { "notes.txt", ".hidden.csv", "picture.png", "a.csv.part" };
  g_autofree char *folder = bench_make_folder (), *subfolder = g_build_filename (folder, "folder.csv", NULL);
  g_autofree char *bad = g_build_filename (folder, "bad.csv", NULL), *pipe_path = g_build_filename (folder, "pipe.csv", NULL);
  g_autofree char *dangling = g_build_filename (folder, "dangling.csv", NULL);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;
  MemlaneRunItem *item;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
    }
  g_mkdir (subfolder, 0700);
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  g_assert_cmpint (symlink ("/nowhere/run.csv", dangling), ==, 0);
  g_assert_true (g_file_set_contents (bad, "not,a,run\n", -1, NULL));
  store = load (folder, 2, &heard);
  item = memlane_run_store_find (store, "bad");
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_KEPT);
  memlane_run_item_set_shown (item, TRUE);
  bench_wait (item->problem != NULL);
  g_assert_nonnull (strstr (item->problem, "“bad.csv” is not a Memlane run"));
  g_assert_false (item->loading);
  g_assert_cmpuint (heard.n, ==, 0);
  finish (store, &heard);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

/* Brackets that a reader on the stack would die of, a name of a quarter of a megabyte: beside a run of the
 * folder, so at every start. They cost the environment, and the table is there. */
static void
test_hostile_environment (void)
{
  g_autofree char *folder = bench_make_folder (), *beside = g_build_filename (folder, "deep.environment.json", NULL);
  g_autofree char *table = g_build_filename (folder, "deep.csv", NULL);
  g_autofree char *deep = g_strnfill (100000, '['), *long_name = g_strnfill (250000, 'x');
  g_autofree char *named = g_strdup_printf ("{\"device\":{\"name\":\"%s\"}}", long_name);
  g_autoptr (MemlaneRun) run = make_run ("20261121T121500Z-deep", 6);
  const char *const texts[] = { deep, named, deep };

  g_assert_true (memlane_csv_write (run, table, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      BenchHeard heard = { 0 };
      MemlaneRunStore *store;

      g_assert_true (g_file_set_contents (beside, texts[i], -1, NULL));
      store = load (folder, 2, &heard);
      memlane_run_item_set_shown (memlane_run_store_find (store, "deep"), TRUE);
      bench_wait (((MemlaneRunItem *) memlane_run_store_find (store, "deep"))->run != NULL);
      g_assert_cmpuint (((MemlaneRunItem *) memlane_run_store_find (store, "deep"))->run->cells->len, ==, 6);
      g_assert_cmpuint (strlen (((MemlaneRunItem *) memlane_run_store_find (store, "deep"))->subtitle), <, 1000);
      finish (store, &heard);
    }
}

/* Two runs of one id are two files. */
static void
test_same_id (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) a = make_run ("20261121T120500Z-same", 5), b = make_run ("20261121T120500Z-same", 7);
  g_autoptr (MemlaneRun) strange = make_run ("../../out of/here", 2), hidden = make_run (".hidden", 2);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store = load (folder, 1, &heard);
  MemlaneRunItem *first = end_sweep (store, a, NULL), *second = end_sweep (store, b, NULL);

  g_assert_cmpstr (first->path, !=, second->path);
  end_sweep (store, strange, NULL);
  end_sweep (store, hidden, NULL);
  g_assert_cmpuint (bench_count_runs (folder), ==, 4);
  g_assert_cmpuint (heard.n, ==, 0);
  finish (store, &heard);
  store = load (folder, 5, &heard);
  finish (store, &heard);
}

static void
test_index (void)
{
  g_autofree char *folder = bench_make_folder (), *index = g_build_filename (folder, "index.ini", NULL);
  g_autofree char *aside = g_strconcat (index, ".unreadable", NULL), *large = g_malloc (9 * 1024 * 1024);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;

  /* Huge: put aside, said, and a new one begun. */
  memset (large, '#', 9 * 1024 * 1024);
  g_assert_true (g_file_set_contents (index, large, 9 * 1024 * 1024, NULL));
  store = load (folder, 1, &heard);
  bench_wait (heard.n == 1);
  g_assert_nonnull (strstr (heard.last, "could not be read"));
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  finish (store, &heard);
  g_assert_true (g_file_test (index, G_FILE_TEST_EXISTS));

  /* Damaged. */
  g_assert_true (g_file_set_contents (index, "[kept:a\nshown", -1, NULL));
  store = load (folder, 1, &heard);
  bench_wait (heard.n == 1);
  finish (store, &heard);

  /* Groups that mean nothing here stay as they are. */
  g_assert_true (g_file_set_contents (index, "[future:thing]\nvalue=1\n[kept:%ZZ]\n[opened:]\n[kept:gone.csv]\nname=x\n", -1, NULL));
  store = load (folder, 1, &heard);
  memlane_run_item_set_name (memlane_run_store_find (store, "Recorded H100"), "mine");
  g_assert_cmpuint (heard.n, ==, 0);
  finish (store, &heard);
  g_free (large);
  g_assert_true (g_file_get_contents (index, &large, NULL, NULL));
  g_assert_nonnull (strstr (large, "[future:thing]\nvalue=1\n"));
  g_assert_nonnull (strstr (large, "name=mine"));
}

/* What f8229eb, of version 0.1.0, has left in its folder is read as it is, and left as it is. */
static void
test_upgrade (void)
{
  static const char id[] = "20261123T074849.499Z-simulated-h200-vector-add";
  g_autofree char *old = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "tests/data/f8229eb/runs", NULL);
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (GDir) dir = g_dir_open (old, 0, NULL);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;
  MemlaneRunItem *item;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (old, name, NULL), *to = g_build_filename (folder, name, NULL), *text = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (from, &text, &length, NULL) && g_file_set_contents (to, text, (gssize) length, NULL));
    }
  store = load (folder, 2, &heard);
  item = memlane_run_store_find (store, id);
  g_assert_nonnull (item);
  g_assert_true (item->shown);
  bench_wait (item->run != NULL);
  g_assert_cmpuint (item->run->cells->len, ==, 4);
  g_assert_nonnull (item->run->environment);
  g_assert_cmpuint (heard.n, ==, 0);
  finish (store, &heard);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
}

/* Two windows on one folder: neither takes the other's names away. */
static void
test_two_stores (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) a = make_run ("20261121T120600Z-a", 3), b = make_run ("20261121T120700Z-b", 3);
  BenchHeard heard = { 0 };
  MemlaneRunStore *one = load (folder, 1, &heard), *two;

  end_sweep (one, a, NULL);
  end_sweep (one, b, NULL);
  memlane_run_store_flush (one);
  two = load (folder, 3, &heard);
  memlane_run_item_set_name (memlane_run_store_find (one, a->id), "by one");
  memlane_run_item_set_name (memlane_run_store_find (two, b->id), "by two");
  memlane_run_store_flush (one);

  memlane_run_store_flush (two);
  finish (one, &heard);
  finish (two, &heard);
  one = load (folder, 3, &heard);
  g_assert_nonnull (memlane_run_store_find (one, "by one"));
  g_assert_nonnull (memlane_run_store_find (one, "by two"));

  /* A file that another window deleted, while it was hidden here. */
  memlane_run_item_set_shown (memlane_run_store_find (one, "by one"), TRUE);
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (one, "by one"))->run != NULL);
  memlane_run_item_set_shown (memlane_run_store_find (one, "by one"), FALSE);
  g_unlink (memlane_run_store_find (one, "by one")->path);
  memlane_run_item_set_shown (memlane_run_store_find (one, "by one"), TRUE);
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (one, "by one"))->problem != NULL);
  finish (one, &heard);
}

/* Journals of dead processes become runs, once, however many windows start. */
static void
test_adopt (void)
{
  g_autofree char *folder = bench_make_folder (), *known = g_build_filename (folder, "20261121T120900Z-known.csv", NULL);
  g_autoptr (MemlaneRun) run = make_run ("20261121T120800Z-dead", 12), none = make_run ("20261121T120801Z-dead", 0);
  g_autoptr (MemlaneRun) written = make_run ("20261121T120900Z-known", 4), alive = make_run ("20261121T120802Z-alive", 3);
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (alive, NULL);
  BenchHeard heard = { 0 };
  MemlaneRunStore *one, *two;

  g_assert_true (memlane_journal_append (journal, 1, 1, alive->cells->pdata[0], NULL));
  g_free (make_journal (run));
  g_free (make_journal (none));
  g_free (make_journal (written));
  g_assert_true (memlane_csv_write (written, known, NULL)); /* its process died before it could discard the journal */

  one = memlane_run_store_new (folder);
  two = memlane_run_store_new (folder);
  g_signal_connect (one, "notice", G_CALLBACK (notice_cb), &heard);
  memlane_run_store_load (one);
  memlane_run_store_load (two);
  bench_wait (count (one) == 3 && count (two) == 3);
  g_assert_cmpuint (bench_count_runs (folder), ==, 2);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  g_assert_true (g_file_test (memlane_journal_get_path (journal), G_FILE_TEST_EXISTS)); /* it lives */
  bench_wait (memlane_run_store_find (one, run->id) != NULL);
  memlane_run_item_set_shown (memlane_run_store_find (one, run->id), TRUE);
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (one, run->id))->run != NULL);
  assert_same_run (run, ((MemlaneRunItem *) memlane_run_store_find (one, run->id))->run);
  finish (one, &heard);
  finish (two, &heard);
  {
    g_autofree char *path = g_strdup (memlane_journal_get_path (journal));

    g_clear_pointer (&journal, memlane_journal_close);
    g_assert_true (memlane_journal_discard (path, NULL));
  }
}

/* No room for what a dead process left: it stays where it is. */
static void
test_adopt_full (void)
{
  g_autofree char *parent = bench_make_folder (), *file = g_build_filename (parent, "file", NULL);
  g_autofree char *nowhere = g_build_filename (file, "runs", NULL), *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) run = make_run ("20261121T121000Z-dead", 200);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;
  struct rlimit limit, small;

  g_free (make_journal (run));
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  store = load (nowhere, 1, &heard);
  bench_wait (heard.n == 1);
  g_assert_nonnull (strstr (heard.last, "stays in the journal"));
  finish (store, &heard);

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 20000;
  setrlimit (RLIMIT_FSIZE, &small);
  store = load (folder, 1, &heard);
  bench_wait (heard.n == 1);
  g_assert_nonnull (strstr (heard.last, "stays in the journal"));
  setrlimit (RLIMIT_FSIZE, &limit);
  finish (store, &heard);
  g_assert_cmpuint (bench_count_journals (), ==, 1);
  store = load (folder, 2, &heard);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  finish (store, &heard);
}

/* A process that is killed while it measures: its cells are back at the next start. */
static void
test_kill (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) run = make_run ("20261121T121100Z-killed", 9);
  BenchHeard heard = { 0 };
  MemlaneRunStore *store;
  int status;
  pid_t child = fork ();

  if (child == 0)
    {
      MemlaneJournal *journal = memlane_journal_open (run, NULL);

      for (guint i = 0; i < run->cells->len; i++)
        (void) memlane_journal_append (journal, 1, i + 1, run->cells->pdata[i], NULL);
      raise (SIGKILL);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  store = load (folder, 2, &heard);
  bench_wait (heard.n == 1);
  bench_wait (memlane_run_store_find (store, run->id) != NULL);
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (store, run->id))->run != NULL); /* it is shown */
  assert_same_run (run, ((MemlaneRunItem *) memlane_run_store_find (store, run->id))->run);
  finish (store, &heard);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  /* First: it forks, and a fork while other threads hold a lock of malloc() could wait for ever. */
  g_test_add_func ("/run-store-trouble/kill", test_kill);
  g_test_add_func ("/run-store-trouble/full-disk", test_full_disk);
  g_test_add_func ("/run-store-trouble/no-folder", test_no_folder);
  g_test_add_func ("/run-store-trouble/deleted-folder", test_deleted_folder);
  g_test_add_func ("/run-store-trouble/strangers", test_strangers);
  g_test_add_func ("/run-store-trouble/hostile-environment", test_hostile_environment);
  g_test_add_func ("/run-store-trouble/same-id", test_same_id);
  g_test_add_func ("/run-store-trouble/index", test_index);
  g_test_add_func ("/run-store-trouble/two-stores", test_two_stores);
  g_test_add_func ("/run-store-trouble/adopt", test_adopt);
  g_test_add_func ("/run-store-trouble/adopt-full", test_adopt_full);
  g_test_add_func ("/run-store-trouble/upgrade", test_upgrade);
  return bench_run ();
}
