/* test-run-store.c: the Runs list: what is kept, shown, renamed, deleted and opened, and found
 * again; and full disks, folders that are none, strangers' files and other processes cost no run
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/each.h"
#include "engine/cases.h"
#include "engine/sample-run.h"
#include "engine/set-environment.h"
#include "job/journal.h"
#include "model-bench.h"
#include "model/fields.h"
#include "model/run-files.h"
#include "model/run-store.h"

/* As a journal writes it. */
static const char *const environment =
  "{\n  \"date\" : \"2026-11-21T10:14:00Z\",\n  \"device\" : {\n    \"id\" : \"simulated:h200\",\n"
  "    \"kind\" : \"simulated\",\n    \"name\" : \"NVIDIA H200 (simulated)\"\n  }\n}";

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

/* --- what is done to a list, as a text -------------------------------------------------------- */

/* A question: a folder of its own with one or two windows on one folder of runs. */
static struct
{
  char *root, *folder, *journal;
  MemlaneRunStore *stores[2];
  guint at;                 /* the window that a line is for */
  GPtrArray *runs;          /* (element-type MemlaneRun): those that were made */
  GPtrArray *alive;         /* (element-type MemlaneJournal): of processes that live */
  GString *text;
  guint n_opened;
  gboolean both;
} asked;

static MemlaneRunStore *
store (void)
{
  return asked.stores[asked.at];
}

static char *
in_root (const char *path)
{
  return g_build_filename (asked.root, path, NULL);
}

G_GNUC_PRINTF (1, 2) static void
tell (const char *format, ...)
{
  g_autoptr (GString) line = g_string_new (NULL);
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (line, format, arguments);
  va_end (arguments);
  g_string_replace (line, asked.root, "ROOT", 0);
  g_string_replace (line, bench_folder, "BENCH", 0);
  g_string_append_printf (asked.text, "%s\n", line->str);
}

static void
notice_cb (MemlaneRunStore *self, const char *sentence, gboolean trouble, gpointer data)
{
  if (!asked.both)
    tell ("%s: %s", trouble ? "trouble" : "notice", sentence);
}

static void
opened_cb (MemlaneRunStore *self, const char *name, GPtrArray *items, const char *problem,
           gpointer data)
{
  if (items != NULL)
    tell ("opened %u", items->len);
  else
    tell ("not opened: %s", problem);
  asked.n_opened++;
}

/* Until nothing is read any more. */
static void
settle (void)
{
  for (guint i = 0; i < 2; i++)
    bench_wait (asked.stores[i] == NULL || !memlane_run_store_is_reading (asked.stores[i]));
  bench_settle (20);
}

static void
do_load (char **words)
{
  asked.stores[asked.at] = memlane_run_store_new (asked.folder);
  g_signal_connect (store (), "notice", G_CALLBACK (notice_cb), NULL);
  g_signal_connect (store (), "opened", G_CALLBACK (opened_cb), NULL);
  memlane_run_store_load (store ());
}

static void
close_store (void)
{
  memlane_run_store_flush (store ());
  g_assert_finalize_object (store ());
  asked.stores[asked.at] = NULL;
}

static void
do_reload (char **words)
{
  close_store ();
  do_load (NULL);
}

/* The other window, which is there from now on. */
static void
do_other (char **words)
{
  asked.at = 1 - asked.at;
  if (store () == NULL)
    do_load (NULL);
}

/* Both windows start at once, and either may say what they find. */
static void
do_both (char **words)
{
  asked.both = TRUE;
  do_load (NULL);
  do_other (NULL);
  asked.at = 0;
}

/* below PATH: the folder of runs is there */
static void
do_below (char **words)
{
  g_free (asked.folder);
  asked.folder = in_root (words[1]);
}

static MemlaneRun *
remember_run (const char *id, const char *n_cells)
{
  MemlaneRun *run = make_run (id, (guint) atoi (n_cells));

  g_ptr_array_add (asked.runs, run);
  return run;
}

static MemlaneJournal *
open_journal (MemlaneRun *run)
{
  MemlaneJournal *journal = memlane_journal_open (run, NULL);

  for (guint i = 0; i < run->cells->len; i++)
    g_assert_true (memlane_journal_append (journal, 1, i + 1, run->cells->pdata[i], NULL));
  return journal;
}

/* sweep NAME ID CELLS [journal]: its journal is that which "journal" has left last */
static void
do_sweep (char **words)
{
  MemlaneRun *run = remember_run (words[2], words[3]);
  const char *journal = words[4] != NULL ? asked.journal : NULL;
  MemlaneRunItem *item =
    memlane_run_store_begin (store (), run->device, run->device_kind, words[1]);

  memlane_run_store_grow (store (), item, run->cells);
  memlane_run_store_end (store (), item, run, journal);
}

/* journal ID CELLS: nobody writes it any more */
static void
do_journal (char **words)
{
  g_autoptr (MemlaneJournal) journal = open_journal (remember_run (words[1], words[2]));

  g_free (asked.journal);
  asked.journal = g_strdup (memlane_journal_get_path (journal));
}

/* alive ID CELLS: of one that lives */
static void
do_alive (char **words)
{
  g_ptr_array_add (asked.alive, open_journal (remember_run (words[1], words[2])));
}

static MemlaneRunItem *
find (char **words)
{
  MemlaneRunItem *item = memlane_run_store_find (store (), words[1]);

  if (item == NULL)
    g_error ("there is no %s in:\n%s", words[1], asked.text->str);
  return item;
}

/* rename NAME AS */
static void
do_rename (char **words)
{
  memlane_run_item_set_name (find (words), words[2]);
}

static void
do_remove (char **words)
{
  g_autoptr (GError) error = NULL;

  if (!memlane_run_store_remove (store (), find (words), &error))
    tell ("not removed: %s", error != NULL ? error->message : "it may not");
}

static void
do_open (char **words)
{
  g_autofree char *path = in_root (words[1]);
  g_autoptr (GFile) file = strstr (words[1], "://") != NULL ? g_file_new_for_uri (words[1])
                           : g_file_new_for_path (path);
  const guint before = asked.n_opened;
  const gint64 second = g_get_real_time () / G_USEC_PER_SEC;

  /* The list is in order of seconds. */
  while (g_get_real_time () / G_USEC_PER_SEC == second)
    g_usleep (10000);
  memlane_run_store_open (store (), file);
  bench_wait (asked.n_opened > before);
}

/* csv PATH, and once or more ID CELLS. Of several runs one environment beside the file would not
 * say whose it is. */
static void
do_csv (char **words)
{
  g_autofree char *path = in_root (words[1]);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  for (char **word = words + 2; *word != NULL; word += 2)
    {
      MemlaneRun *run = remember_run (word[0], word[1]);

      if (words[4] == NULL)
        g_assert_true (memlane_csv_write (run, path, NULL));
      else
        set_environment (run, NULL);
      g_ptr_array_add (runs, run);
    }
  if (words[4] != NULL)
    g_assert_true (memlane_csv_write_runs (runs, NULL, path, NULL));
}

/* sh LINE: in the root; it may be seen what it writes */
static void
do_shell (const char *line)
{
  const char *argv[] = { "sh", "-c", line, NULL };
  g_autofree char *out = NULL, *err = NULL;

  g_assert_true (g_spawn_sync (asked.root, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                               &out, &err, NULL, NULL));
  g_assert_cmpstr (err, ==, "");
  if (*out != '\0')
    tell ("%s", g_strchomp (out));
}

/* limit BYTES: of a file, as a full disk; 0: none */
static void
do_limit (char **words)
{
  struct rlimit limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = atoi (words[1]) > 0 ? (rlim_t) atoi (words[1]) : limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* What is read of it is what was made. */
static void
check_run (const MemlaneRun *run)
{
  MEMLANE_FOR_EACH (MemlaneRun, made, asked.runs)
    if (g_str_equal (made->id, run->id) && made->cells->len == run->cells->len
        && (made->environment == NULL) == (run->environment == NULL)
        && !g_ptr_array_find (asked.runs, run, NULL))
      assert_same_run (made, run);
}

static void
do_list (char **words)
{
  static const char *const kinds[] = { "live", "kept", "opened", "recorded" };
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (store ());

  g_assert_null (memlane_run_store_find (store (), "a name that no run has"));
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store ())
    {
      const gboolean bare = item->run != NULL && item->run->environment == NULL;
      const char *read = item->run == NULL ? "" : bare ? "; read without environment" : "; read";

      if (item->run != NULL)
        check_run (item->run);
      g_assert_cmpint (g_ptr_array_find (shown, item, NULL), ==, item->shown && item->run != NULL);
      tell ("  %s %s: %s%s%s%s%s%s%s", kinds[item->kind], memlane_run_item_get_name (item),
            item->subtitle, item->shown ? "; shown" : "", item->pinned ? "; pinned" : "", read,
            item->kind != MEMLANE_RUN_RECORDED && item->path == NULL ? "; in no file" : "",
            item->problem != NULL ? "; " : "", item->problem != NULL ? item->problem : "");
    }
}

static char *
answer_runs (const char *question)
{
  static const struct
  {
    const char *name;
    void (*with_words) (char **words);
    void (*of_store) (MemlaneRunStore *store);
    void (*of_item) (MemlaneRunStore *store, MemlaneRunItem *item);
    void (*set) (MemlaneRunItem *item, gboolean flag);
    gboolean flag;
  } commands[] = {
    { "load", .with_words = do_load },
    { "reload", .with_words = do_reload },
    { "other", .with_words = do_other },
    { "both", .with_words = do_both },
    { "below", .with_words = do_below },
    { "sweep", .with_words = do_sweep },
    { "journal", .with_words = do_journal },
    { "alive", .with_words = do_alive },
    { "csv", .with_words = do_csv },
    { "open", .with_words = do_open },
    { "list", .with_words = do_list },
    { "limit", .with_words = do_limit },
    { "rename", .with_words = do_rename },
    { "remove", .with_words = do_remove },
    { "undo", .of_store = memlane_run_store_undo_remove },
    { "forget", .of_store = memlane_run_store_forget_removed },
    { "flush", .of_store = memlane_run_store_flush },
    { "replace", .of_item = memlane_run_store_replace },
    { "beside", .of_item = memlane_run_store_put_beside },
    { "show", .set = memlane_run_item_set_shown, .flag = TRUE },
    { "hide", .set = memlane_run_item_set_shown },
    { "pin", .set = memlane_run_item_set_pinned, .flag = TRUE },
  };
  g_auto (GStrv) lines = g_strsplit (question, "\n", -1);

  asked.root = bench_make_folder ();
  asked.folder = in_root ("runs");
  asked.runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  asked.alive = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_journal_close);
  asked.text = g_string_new (NULL);
  for (char **line = lines; **line != '\0'; line++)
    {
      g_auto (GStrv) words = NULL;
      guint i = 0;

      if (g_str_has_prefix (*line, "sh "))
        {
          do_shell (*line + strlen ("sh "));
          continue;
        }
      g_assert_true (g_shell_parse_argv (*line, NULL, &words, NULL));
      while (i < G_N_ELEMENTS (commands) && !g_str_equal (commands[i].name, words[0]))
        i++;
      if (i == G_N_ELEMENTS (commands))
        g_error ("\"%s\" is no command", words[0]);
      else if (commands[i].with_words != NULL)
        commands[i].with_words (words);
      else if (commands[i].of_store != NULL)
        commands[i].of_store (store ());
      else if (commands[i].of_item != NULL)
        commands[i].of_item (store (), find (words));
      else
        commands[i].set (find (words), commands[i].flag);
      if (store () != NULL)
        settle ();
    }
  for (asked.at = 0; asked.at < 2; asked.at++)
    if (store () != NULL)
      close_store ();
  asked.at = 0;
  asked.both = FALSE;
  g_clear_pointer (&asked.root, g_free);
  g_clear_pointer (&asked.folder, g_free);
  g_clear_pointer (&asked.journal, g_free);
  g_clear_pointer (&asked.runs, g_ptr_array_unref);
  MEMLANE_FOR_EACH (MemlaneJournal, journal, asked.alive)
    g_unlink (memlane_journal_get_path (journal));
  g_clear_pointer (&asked.alive, g_ptr_array_unref);
  return g_strchomp (g_string_free (g_steal_pointer (&asked.text), FALSE));
}

static void
test_runs (void)
{
  check_cases (".", "runs.txt", answer_runs);
}

/* --- what no text can tell -------------------------------------------------------------------- */

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
  bench_wait (count (store) == n_items
              && (n_items == 0 || !((MemlaneRunItem *) item_at (store, n_items - 1))->loading));
  return store;
}

static void
finish (MemlaneRunStore *store)
{
  memlane_run_store_flush (store);
  g_assert_finalize_object (store);
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

/* Its cells come one by one, and what is drawn changes no more than ten times a second. */
static void
test_growing (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (MemlaneRun) run = make_run ("20261121T101400Z-x", 30);
  g_autoptr (GPtrArray) first = g_ptr_array_new ();
  MemlaneRunItem *item;
  guint changes = 0;

  g_signal_connect (store, "changed", G_CALLBACK (changed_cb), &changes);
  item = memlane_run_store_begin (store, run->device, run->device_kind, "10:14 Simulated H200");
  g_assert_true (item_at (store, 0) == item);
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_LIVE);
  g_assert_true (item->facts.simulated);
  g_assert_false (memlane_run_store_remove (store, item, NULL));
  for (guint i = 0; i < 10; i++)
    {
      g_ptr_array_set_size (first, 0);
      g_ptr_array_add (first, run->cells->pdata[i]);
      memlane_run_store_grow (store, item, first);
    }
  g_assert_cmpuint (item->run->cells->len, ==, 10);
  g_assert_true (g_str_has_suffix (item->subtitle, " · 10 measurements · SIMULATED"));
  bench_settle (20);
  g_assert_cmpuint (changes, <=, 2); /* eleven changes, merged */
  memlane_run_store_end (store, item, NULL, NULL); /* nothing was measured */
  g_assert_cmpuint (count (store), ==, 1);
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
never_cb (void)
{
  g_error ("what was removed is opened");
}

/* A file that is removed while it is read does not come back. */
static void
test_remove_unread (void)
{
  g_autofree char *folder = bench_make_folder (), *elsewhere = bench_make_folder ();
  g_autofree char *path = g_build_filename (elsewhere, "large.csv", NULL);
  g_autoptr (GPtrArray) runs
      = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  MemlaneRunStore *store = load (folder, 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_signal_connect (store, "opened", G_CALLBACK (never_cb), NULL);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%u", i);

      g_ptr_array_add (runs, make_run (id, 100));
    }
  g_assert_true (memlane_csv_write_runs (runs, NULL, path, NULL));

  memlane_run_store_open (store, file);
  g_assert_cmpuint (count (store), ==, 2);
  g_assert_true (((MemlaneRunItem *) item_at (store, 0))->loading);
  g_assert_true (memlane_run_store_remove (store, item_at (store, 0), &error));
  g_assert_cmpuint (count (store), ==, 1);
  bench_settle (500);
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

/* A process that is killed while it measures: its cells are back at the next start. */
static void
test_kill (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (MemlaneRun) run = make_run ("20261121T121100Z-killed", 9);
  MemlaneRunStore *store;
  int status;
  pid_t child = fork ();

  if (child == 0)
    {
      open_journal (run);
      raise (SIGKILL);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  store = load (folder, 2);
  bench_wait (memlane_run_store_find (store, run->id) != NULL);
  /* It is shown. */
  bench_wait (((MemlaneRunItem *) memlane_run_store_find (store, run->id))->run != NULL);
  assert_same_run (run, ((MemlaneRunItem *) memlane_run_store_find (store, run->id))->run);
  finish (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  /* First: it forks, and a fork while other threads hold a lock of malloc() could wait for ever. */
  g_test_add_func ("/run-store/kill", test_kill);
  g_test_add_func ("/run-store/runs", test_runs);
  g_test_add_func ("/run-store/growing", test_growing);
  g_test_add_func ("/run-store/stopped", test_stopped);
  g_test_add_func ("/run-store/same-run", test_same_run);
  g_test_add_func ("/run-store/remove-unread", test_remove_unread);
  g_test_add_func ("/run-store/finalize", test_finalize);
  return bench_run ();
}
