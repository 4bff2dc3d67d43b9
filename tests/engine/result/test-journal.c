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

#include "result/journal.h"
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

static char *
file_of (const char *journal, const char *name)
{
  return g_build_filename (journal, name, NULL);
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
    g_assert_true (memlane_journal_discard (((MemlaneJournalEntry *) g_ptr_array_index (entries, i))->path, NULL));
  g_assert_cmpuint (count_listed (), ==, 0);
}

/* A closed journal of @run; its folder. */
static char *
write_journal (const MemlaneRun *run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < run->cells->len; i++)
    {
      g_assert_true (memlane_journal_append (journal, g_ptr_array_index (run->cells, i), &error));
      g_assert_no_error (error);
    }
  return g_strdup (memlane_journal_get_path (journal));
}

static void
test_life (void)
{
  g_autoptr (MemlaneRun) run = sample_run (1, 30), read = NULL;
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
  assert_same_run (run, read);

  second = write_journal (run); /* the same id again: a folder of its own */
  g_assert_cmpstr (second, !=, path);
  g_assert_cmpuint (count_listed (), ==, 2);
  discard_all ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_lock (void)
{
  g_autoptr (MemlaneRun) run = sample_run (1, 2), read = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneJournal *journal = memlane_journal_open (run, &error);
  g_autofree char *path = g_strdup (memlane_journal_get_path (journal));

  g_assert_true (memlane_journal_append (journal, g_ptr_array_index (run->cells, 0), &error));
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

/* A process that appends is killed; all it was told to be safe is there, and what is there is whole. */
static void
test_kill (void)
{
  for (guint32 round = 0; round < 20; round++)
    {
      g_autoptr (MemlaneRun) run = sample_run (round, 400), read = NULL;
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
            if (!memlane_journal_append (journal, g_ptr_array_index (run->cells, i), NULL) || write (ends[1], "+", 1) != 1)
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
      read = memlane_journal_read (((MemlaneJournalEntry *) g_ptr_array_index (entries, 0))->path, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (read->cells->len, >=, acknowledged);
      g_assert_cmpuint (read->cells->len, <=, acknowledged + 1); /* on disk, but not said any more */
      g_assert_cmpuint (((MemlaneJournalEntry *) g_ptr_array_index (entries, 0))->cells, ==, read->cells->len);
      for (guint i = 0; i < read->cells->len; i++)
        assert_same_cell (g_ptr_array_index (run->cells, i), g_ptr_array_index (read->cells, i));
      discard_all ();
    }
}

/* Torn at every byte of three cells: always the cells up to there, each as it was. */
static void
test_torn (void)
{
  g_autoptr (MemlaneRun) run = sample_run (4, 3);
  g_autofree char *path = write_journal (run), *cells = file_of (path, "cells.csv"), *text = NULL;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GString) plain = g_string_new (NULL);
  gsize length;

  memlane_csv_append_header (plain);
  for (guint i = 0; i < run->cells->len; i++)
    {
      gsize end;

      memlane_csv_append_cell (plain, run, g_ptr_array_index (run->cells, i));
      end = plain->len + i + 1; /* one CR for each cell */
      g_array_append_val (ends, end);
    }
  g_assert_true (g_file_get_contents (cells, &text, &length, NULL));
  g_assert_cmpuint (length, ==, plain->len + run->cells->len);

  /* From behind the end, where zeros are, as a power cut leaves them. */
  for (gsize cut = length + 6; cut-- > 0;)
    {
      g_autoptr (MemlaneRun) read = NULL;
      g_autoptr (GError) error = NULL;
      guint whole = 0;

      g_assert_cmpint (truncate (cells, (off_t) cut), ==, 0);
      while (whole < ends->len && g_array_index (ends, gsize, whole) <= cut)
        whole++;
      read = memlane_journal_read (path, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (read->cells->len, ==, whole);
      for (guint i = 0; i < whole; i++)
        assert_same_cell (g_ptr_array_index (run->cells, i), g_ptr_array_index (read->cells, i));
    }
  discard_all ();
}

static void
test_full_disk (void)
{
  g_autoptr (MemlaneRun) run = sample_run (2, 60), read = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneJournal) journal = memlane_journal_open (run, &error);
  struct rlimit limit, small;
  guint done = 0;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 20000;
  setrlimit (RLIMIT_FSIZE, &small);
  while (done < run->cells->len && memlane_journal_append (journal, g_ptr_array_index (run->cells, done), &error))
    done++;
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, memlane_journal_get_path (journal)));
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  g_assert_cmpuint (done, >, 0);
  g_clear_error (&error);

  /* With room again it goes on, and the cell that failed left nothing in the way. */
  for (guint i = done; i < run->cells->len; i++)
    g_assert_true (memlane_journal_append (journal, g_ptr_array_index (run->cells, i), &error));
  read = memlane_journal_read (memlane_journal_get_path (journal), &error);
  g_assert_no_error (error);
  assert_same_run (run, read);
  g_clear_pointer (&journal, memlane_journal_close);
  discard_all ();
}

static void
test_empty (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("empty", "cuda:3", "cuda"), read = NULL;
  g_autofree char *path = NULL;

  set_environment (run, "{ \"device\": { \"id\": \"cuda:3\", \"kind\": \"cuda\" } }\n");
  path = write_journal (run);
  g_assert_cmpuint (count_listed (), ==, 1);
  read = memlane_journal_read (path, NULL);
  assert_same_run (run, read);
  discard_all ();
}

static void
test_broken (void)
{
  g_autoptr (MemlaneRun) run = sample_run (5, 3), bad = memlane_run_new ("../x", "cuda:0", "cuda");
  g_autofree char *path = write_journal (run), *cells = file_of (path, "cells.csv"), *extra = file_of (path, "notes.txt");
  g_autofree char *root = get_root (), *stranger = g_build_filename (root, "stranger", NULL);
  g_autofree char *outside = g_dir_make_tmp ("memlane-outside-XXXXXX", NULL);
  g_autofree char *outside_cells = file_of (outside, "cells.csv"), *alias = g_build_filename (root, "alias", NULL);
  g_autofree char *pipe_folder = g_build_filename (root, "pipe", NULL), *pipe_path = file_of (pipe_folder, "cells.csv");
  g_autoptr (MemlaneRun) left = NULL;
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  /* Folders that are none of ours do not trouble the list. */
  g_mkdir (stranger, 0700);
  g_mkdir (pipe_folder, 0700);
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  g_assert_cmpuint (count_listed (), ==, 1);

  /* Damage in the first cell: the list says where, and what can be read has no cells. */
  g_assert_true (g_file_get_contents (cells, &text, NULL, NULL));
  memcpy (strstr (text, "simulated"), "SIMULATED", 9);
  g_assert_true (g_file_set_contents (cells, text, -1, NULL));
  left = memlane_journal_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left->cells->len, ==, 0);
  listed = memlane_journal_list ();
  g_assert_cmpuint (listed->len, ==, 1);
  g_assert_cmpuint (((const MemlaneJournalEntry *) listed->pdata[0])->cells, ==, 0);
  g_assert_nonnull (strstr (((const MemlaneJournalEntry *) listed->pdata[0])->problem, "cells.csv:3: column device"));

  /* What is not ours stays: a file inside, a folder elsewhere, what a link leads to. */
  g_assert_true (g_file_set_contents (extra, "mine", 4, NULL));
  g_assert_false (memlane_journal_discard (path, &error));
  g_clear_error (&error);
  g_assert_true (g_file_test (extra, G_FILE_TEST_EXISTS));
  g_unlink (extra);
  g_assert_true (memlane_journal_discard (path, &error));
  g_assert_no_error (error);

  g_assert_true (g_file_set_contents (outside_cells, "mine", 4, NULL));
  g_assert_false (memlane_journal_discard (outside, &error));
  g_assert_nonnull (strstr (error->message, "it is no journal"));
  g_clear_error (&error);
  g_assert_cmpint (symlink (outside, alias), ==, 0);
  g_assert_false (memlane_journal_discard (alias, &error));
  g_clear_error (&error);
  g_assert_false (memlane_journal_discard (root, &error));
  g_clear_error (&error);
  g_assert_true (g_file_test (outside_cells, G_FILE_TEST_EXISTS));
  g_assert_false (memlane_journal_discard (path, &error)); /* gone already */
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_clear_error (&error);

  g_assert_null (memlane_journal_open (bad, &error));
  g_assert_nonnull (strstr (error->message, "is no name of a folder"));
  g_unlink (alias);
  g_unlink (outside_cells);
  g_rmdir (outside);
}

static void
test_no_root (void)
{
  g_autoptr (MemlaneRun) run = sample_run (4, 1);
  g_autofree char *root = get_root (), *parent = g_path_get_dirname (root), *aside = g_strconcat (parent, ".aside", NULL);
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
  g_autofree char *state = g_dir_make_tmp ("memlane-journal-XXXXXX", NULL), *clean = g_strdup_printf ("rm -rf '%s'", state);
  int result;

  /* A state folder of its own, as G_TEST_OPTION_ISOLATE_DIRS makes it; that one leaks, and the leak checker would stop here. */
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/journal/life", test_life);
  g_test_add_func ("/result/journal/lock", test_lock);
  g_test_add_func ("/result/journal/kill", test_kill);
  g_test_add_func ("/result/journal/torn", test_torn);
  g_test_add_func ("/result/journal/full-disk", test_full_disk);
  g_test_add_func ("/result/journal/empty", test_empty);
  g_test_add_func ("/result/journal/broken", test_broken);
  g_test_add_func ("/result/journal/no-root", test_no_root);
  result = g_test_run ();
  if (system (clean) != 0)
    g_printerr ("%s is left\n", state);
  return result;
}
