/* test-journal.c: what a killed process leaves behind, whole cells and no more
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "job/journal.h"
#include "job/message.h"
#include "result/csv.h"
#include "engine/sample-run.h"
#include "engine/set-environment.h"

static char *
get_root (void)
{
  return g_build_filename (g_get_user_state_dir (), "memlane", "journals", NULL);
}

static gboolean
next_byte (int fd, char *byte)
{
  ssize_t n;

  do
    n = read (fd, byte, 1);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

static MemlaneRun *
make_run (guint32 seed, guint n_cells)
{
  MemlaneRun *run = sample_run (seed, n_cells);

  sample_as_sent (run);
  return run;
}

/* Both as a table has them: a cell without a detail says what its figures say. */
static void
assert_read (const MemlaneRun *run, const MemlaneRun *read, guint n)
{
  g_assert_cmpuint (read->cells->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) one = g_string_new (NULL), other = g_string_new (NULL);

      memlane_csv_append_cell (one, run, run->cells->pdata[i]);
      memlane_csv_append_cell (other, read, read->cells->pdata[i]);
      g_assert_cmpstr (other->str, ==, one->str);
    }
}

static guint
count_listed (void)
{
  g_autoptr (GPtrArray) entries = memlane_journal_list ();

  return entries->len;
}

static void
discard_all (void)
{
  g_autoptr (GPtrArray) entries = memlane_journal_list ();

  for (guint i = 0; i < entries->len; i++)
    g_assert_true (memlane_journal_discard (
        ((MemlaneJournalEntry *) g_ptr_array_index (entries, i))->path, NULL));
  g_assert_cmpuint (count_listed (), ==, 0);
}

/* A closed journal of @run; its path. */
static char *
write_journal (const MemlaneRun *run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < run->cells->len; i++)
    {
      g_assert_true (
          memlane_journal_append (journal, 1, i + 1, g_ptr_array_index (run->cells, i), &error));
      g_assert_no_error (error);
    }
  return g_strdup (memlane_journal_get_path (journal));
}

static void
test_life (void)
{
  g_autoptr (MemlaneRun) run = make_run (1, 30), read = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *second = NULL;
  const MemlaneJournalEntry *entry;

  g_assert_cmpuint (count_listed (), ==, 0); /* without a folder, too */
  set_environment (run, "{ \"device\": { \"id\": \"simulated:h200\" } }\n");
  path = write_journal (run);
  entries = memlane_journal_list ();
  g_assert_cmpuint (entries->len, ==, 1);
  entry = g_ptr_array_index (entries, 0);
  g_assert_cmpstr (entry->path, ==, path);
  g_assert_cmpstr (entry->run, ==, run->id);
  g_assert_cmpuint (entry->cells, ==, 30);
  g_assert_cmpint (ABS (entry->modified - g_get_real_time () / G_USEC_PER_SEC), <, 60);

  read = memlane_journal_read (path, &error);
  g_assert_no_error (error);
  assert_read (run, read, 30);
  g_assert_cmpstr (memlane_environment_get_text (read->environment, MEMLANE_ENVIRONMENT_DEVICE_ID),
                   ==, "simulated:h200");

  second = write_journal (run); /* the same id again: a file of its own */
  g_assert_cmpstr (second, !=, path);
  g_assert_cmpuint (count_listed (), ==, 2);
  discard_all ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_lock (void)
{
  g_autoptr (MemlaneRun) run = make_run (1, 2), read = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneJournal *journal = memlane_journal_open (run, &error);
  g_autofree char *path = g_strdup (memlane_journal_get_path (journal));

  g_assert_true (memlane_journal_append (journal, 1, 1, g_ptr_array_index (run->cells, 0), &error));
  g_assert_cmpuint (count_listed (), ==, 0);
  g_assert_false (memlane_journal_discard (path, &error));
  g_assert_nonnull (strstr (error->message, "it is still being written"));
  g_clear_error (&error);
  read = memlane_journal_read (path, &error);
  g_assert_cmpuint (read->cells->len, ==, 1);

  memlane_journal_close (journal);
  g_assert_cmpuint (count_listed (), ==, 1);
  discard_all ();
}

/* A process that appends is killed; all it was told to be safe is there, and what is there is
 * whole. */
static void
test_kill (void)
{
  for (guint32 round = 0; round < 20; round++)
    {
      g_autoptr (MemlaneRun) run = make_run (round, 400), read = NULL;
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (GError) error = NULL;
      guint acknowledged = 0, wanted = 1 + round * 7;
      int ends[2], status;
      char byte;
      pid_t child;

      g_assert_cmpint (pipe (ends), ==, 0);
      child = fork ();
      if (child == 0)
        {
          MemlaneJournal *journal = memlane_journal_open (run, NULL);

          for (guint i = 0; journal != NULL && i < run->cells->len; i++)
            if (!memlane_journal_append (journal, 1, i + 1, g_ptr_array_index (run->cells, i), NULL)
                || write (ends[1], "+", 1) != 1)
              _exit (1);
          pause ();
          _exit (0);
        }
      close (ends[1]);
      while (acknowledged < wanted && next_byte (ends[0], &byte))
        acknowledged++;
      g_assert_cmpuint (acknowledged, ==, wanted);
      g_assert_cmpuint (count_listed (), ==, 0); /* it lives */
      kill (child, SIGKILL);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFSIGNALED (status));
      while (next_byte (ends[0], &byte))
        acknowledged++;
      close (ends[0]);

      entries = memlane_journal_list ();
      g_assert_cmpuint (entries->len, ==, 1);
      read = memlane_journal_read (((MemlaneJournalEntry *) g_ptr_array_index (entries, 0))->path,
                                   &error);
      g_assert_no_error (error);
      g_assert_cmpuint (read->cells->len, >=, acknowledged);
      g_assert_cmpuint (read->cells->len, <=,
                        acknowledged + 1); /* on disk, but not said any more */
      g_assert_cmpuint (((MemlaneJournalEntry *) g_ptr_array_index (entries, 0))->cells, ==,
                        read->cells->len);
      assert_read (run, read, read->cells->len);
      discard_all ();
    }
}

/* Torn anywhere in three cells: always the cells up to there, each as it was. */
static void
test_torn (void)
{
  g_autoptr (MemlaneRun) run = make_run (4, 3);
  g_autofree char *path = write_journal (run), *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  /* From behind the end, where zeros are, as a power cut leaves them. */
  for (gsize cut = length + 6; cut > 0; cut -= MIN (cut, 7))
    {
      g_autoptr (MemlaneRun) read = NULL;
      g_autoptr (GError) error = NULL;
      guint whole = 0;

      g_assert_cmpint (truncate (path, (off_t) cut), ==, 0);
      for (gsize i = 0; i < MIN (cut, length); i++)
        whole += text[i] == '\n';
      read = memlane_journal_read (path, &error);
      g_assert_true ((read != NULL) == (whole > 0));
      if (whole > 0)
        assert_read (run, read, whole - 1);
    }
  g_assert_cmpint (truncate (path, 0), ==, 0);
  g_assert_cmpuint (count_listed (), ==, 0); /* an empty one may be about to get its first line */
  g_unlink (path);
}

/* Visits of the same cell become its rounds; a pass that is tried again replaces what it saw. */
static void
test_passes (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("passes", "cuda:0", "cuda"), read = NULL;
  g_autoptr (MemlaneJournal) journal = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneFigure *figure;

  set_environment (run, "{ \"method\": { \"rounds\": 2, \"visits\": 1, \"precision\": 0.1 } }\n");
  journal = memlane_journal_open (run, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 10);
      const double sample = 1000 * (i + 1);
      MemlaneStatistics statistics;

      memlane_statistics_compute (&sample, 1, &statistics);
      memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics,
                               cell->bytes, MEMLANE_STATUS_OK, NULL);
      g_assert_true (memlane_journal_append (journal, i == 2 ? 2 : 1, i + 1, cell, &error));
    }
  read = memlane_journal_read (memlane_journal_get_path (journal), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (read->cells->len, ==, 1);
  figure = memlane_cell_find (read->cells->pdata[0], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpuint (figure->n_rounds, ==, 2);
  g_assert_cmpfloat (figure->rounds[0].median, ==, 2000);
  g_assert_cmpuint (figure->rounds[0].place, ==, 2);
  g_assert_cmpfloat (figure->rounds[1].median, ==, 3000);
  g_clear_pointer (&journal, memlane_journal_close);
  discard_all ();
}

static void
test_full_disk (void)
{
  g_autoptr (MemlaneRun) run = make_run (2, 60), read = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, &error);
  struct rlimit limit, small;
  guint done = 0;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 20000;
  setrlimit (RLIMIT_FSIZE, &small);
  while (done < run->cells->len
         && memlane_journal_append (journal, 1, done + 1, g_ptr_array_index (run->cells, done),
                                    &error))
    done++;
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, memlane_journal_get_path (journal)));
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  g_assert_cmpuint (done, >, 0);
  g_clear_error (&error);

  /* With room again it goes on, and the cell that failed left nothing in the way. */
  for (guint i = done; i < run->cells->len; i++)
    g_assert_true (
        memlane_journal_append (journal, 1, i + 1, g_ptr_array_index (run->cells, i), &error));
  read = memlane_journal_read (memlane_journal_get_path (journal), &error);
  g_assert_no_error (error);
  assert_read (run, read, 60);
  g_clear_pointer (&journal, memlane_journal_close);
  discard_all ();
}

static void
test_broken (void)
{
  g_autoptr (MemlaneRun) run = make_run (5, 3), bad = memlane_run_new ("../x", "cuda:0", "cuda"),
                         left = NULL;
  g_autofree char *path = write_journal (run), *root = get_root ();
  g_autofree char *outside = g_dir_make_tmp ("memlane-outside-XXXXXX", NULL);
  g_autofree char *stranger = g_build_filename (outside, "stranger.journal", NULL);
  g_autofree char *alias = g_build_filename (root, "alias.journal", NULL),
                  *fifo = g_build_filename (root, "pipe.journal", NULL);
  g_autofree char *folder = g_build_filename (root, "folder", NULL),
                  *old = g_build_filename (folder, "cells.csv", NULL);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const MemlaneJournalEntry *entry;
  char *second;

  /* The list passes over what is none of ours. */
  g_mkdir (folder, 0700);
  g_assert_true (g_file_set_contents (stranger, "mine", 4, NULL));
  g_assert_cmpint (symlink (stranger, alias), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpuint (count_listed (), ==, 1);

  /* Damage in the second cell: the list says where, and what can be read is the first. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  second = strchr (strchr (text, '\n') + 1, '\n') + 1;
  memcpy (strstr (second, "\"status\":\""), "\"status\":1", 10);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  left = memlane_journal_read (path, &error);
  g_assert_no_error (error);
  assert_read (run, left, 1);
  listed = memlane_journal_list ();
  g_assert_cmpuint (listed->len, ==, 1);
  entry = listed->pdata[0];
  g_assert_cmpuint (entry->cells, ==, 1);
  g_assert_nonnull (strstr (entry->problem, ".journal:3:"));
  g_assert_true (memlane_journal_discard (path, &error));
  g_assert_no_error (error);

  /* Nothing goes that is not ours: a file elsewhere, what a link leads to, a journal of Memlane
   * 0.2. */
  g_assert_true (g_file_set_contents (old, "run,device,device_kind\n", -1, NULL));
  g_clear_pointer (&listed, g_ptr_array_unref);
  listed = memlane_journal_list ();
  g_assert_cmpuint (listed->len, ==, 1);
  entry = listed->pdata[0];
  g_assert_cmpstr (entry->run, ==, "folder");
  g_assert_nonnull (strstr (entry->problem, "Memlane 0.2"));
  g_assert_false (memlane_journal_discard (folder, &error));
  g_assert_nonnull (strstr (error->message, "it is no journal"));
  g_clear_error (&error);
  g_assert_false (memlane_journal_discard (stranger, &error));
  g_assert_nonnull (strstr (error->message, "it is no journal"));
  g_clear_error (&error);
  g_assert_false (memlane_journal_discard (alias, &error));
  g_clear_error (&error);
  g_assert_false (memlane_journal_discard (root, &error));
  g_clear_error (&error);
  g_assert_true (g_file_test (stranger, G_FILE_TEST_EXISTS));
  g_assert_false (memlane_journal_discard (path, &error)); /* gone already */
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_clear_error (&error);

  g_assert_null (memlane_journal_open (bad, &error));
  g_assert_nonnull (strstr (error->message, "is no name of a file"));
  g_unlink (alias);
  g_unlink (fifo);
  g_unlink (old);
  g_rmdir (folder);
  g_unlink (stranger);
  g_rmdir (outside);
}

static void
test_no_root (void)
{
  g_autoptr (MemlaneRun) run = make_run (4, 1);
  g_autofree char *root = get_root (), *parent = g_path_get_dirname (root),
                  *aside = g_strconcat (parent, ".aside", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (root, 0700);
  /* Where the folder ought to be stands a file. */
  g_assert_cmpint (g_rename (parent, aside), ==, 0);
  g_assert_true (g_file_set_contents (parent, "", 0, NULL));
  g_assert_null (memlane_journal_open (run, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, root));
  g_assert_cmpuint (count_listed (), ==, 0);
  g_unlink (parent);
  g_assert_cmpint (g_rename (aside, parent), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("memlane-journal-XXXXXX", NULL),
                  *clean = g_strdup_printf ("rm -rf '%s'", state);
  int result;

  /* A state folder of its own, as G_TEST_OPTION_ISOLATE_DIRS makes it; that one leaks, and the leak
   * checker would stop here. */
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job/journal/life", test_life);
  g_test_add_func ("/job/journal/lock", test_lock);
  g_test_add_func ("/job/journal/kill", test_kill);
  g_test_add_func ("/job/journal/torn", test_torn);
  g_test_add_func ("/job/journal/passes", test_passes);
  g_test_add_func ("/job/journal/full-disk", test_full_disk);
  g_test_add_func ("/job/journal/broken", test_broken);
  g_test_add_func ("/job/journal/no-root", test_no_root);
  result = g_test_run ();
  if (system (clean) != 0)
    g_printerr ("%s is left\n", state);
  return result;
}
