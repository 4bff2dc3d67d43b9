/* test-cli.c: memlane-cli as its users meet it: signals, full disks, pipes, what is recovered
 *
 * SPDX-License-Identifier: MIT
 *
 * Each test runs the program (MEMLANE_CLI) in a folder of its own, with its own state and data
 * folders, on the simulated H200. What commands print is in transcripts.
 */
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli-fixture.h"
#include "result/csv.h"
#include "base/each.h"

static MemlaneRun *
read_run (Fixture *self, const char *name)
{
  g_autofree char *path = in_folder (self, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  return memlane_run_ref (runs->pdata[0]);
}

static guint
count_files (Fixture *self)
{
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);
  guint n = 0;

  for (const char *name = g_dir_read_name (folder); name != NULL; name = g_dir_read_name (folder))
    n += !g_str_equal (name, "state") && !g_str_equal (name, "share");
  return n;
}

/* A reader such as head that has read enough: that is no failure, and nothing is said of it. */
static void
test_closed_pipe (Fixture *self, gconstpointer data)
{
  static const char *const sweep[] = { "sweep", "-q", "--device", "simulated:h200", "-m", "pinned", "-s", "10", "--csv", "-", NULL };
  static const char *const workloads[] = { "workloads", NULL };
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  int ends[2];

  g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, &error));
  close (ends[0]);
  g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
  g_ptr_array_add (command, (gpointer) g_getenv ("MEMLANE_CLI"));
  for (const char *const *word = data != NULL ? sweep : workloads;; word++)
    {
      g_ptr_array_add (command, (gpointer) *word);
      if (*word == NULL)
        break;
    }
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) command->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &self->err, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (self->err, ==, "");
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  RUN (self, "recover");
  assert_contains (self->err, "nothing to recover");
}

static void
test_full_listing (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_take_stdout_fd (launcher, open ("/dev/full", O_WRONLY | O_CLOEXEC));
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MEMLANE_CLI"), "devices", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &self->err, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
  assert_contains (self->err, "standard output cannot be written");
}

/* A plan knows its needs beforehand; what a control group does not leave is not tried. There are three vectors of 4 MiB. */
static void
test_sweep_plan (Fixture *self, gconstpointer data)
{
  const char *modes = "pageable,pinned,mapped,managed,system";
  g_autofree char *most = in_folder (self, "memory.max"), *used = in_folder (self, "memory.current");
  g_autofree char *stat = in_folder (self, "memory.stat");
  g_autoptr (MemlaneRun) run = NULL;
  struct rlimit before, small;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", modes, "--sizes", "1000,20", "--plan");
  assert_contains (self->out, "10 measurements. Memory at 2^20 floats");
  g_assert_true (g_regex_match_simple ("\npageable +12 MiB +- +12 MiB *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\npinned +12 MiB +12 MiB +12 MiB *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\nmapped +12 MiB +12 MiB +- *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\nmanaged +12 MiB +- +12 MiB *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\nsystem +- +- +- +needs pageableMemoryAccess", self->out, 0, 0));
  RUN (self, "sweep", "--device", "simulated:h200", "--workload", "pieces-to-device", "--modes", "pinned-packed,mapped-shaped", "--sizes",
       "20", "--chunks", "3", "--plan");
  g_assert_true (g_regex_match_simple ("\npinned-packed +12 MiB +4 MiB +4 MiB *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\nmapped-shaped +8 MiB +8 MiB +4 MiB *\n", self->out, 0, 0));

  /* The limit for locked memory is named where the plan needs more. */
  g_assert_cmpint (getrlimit (RLIMIT_MEMLOCK, &before), ==, 0);
  small = (struct rlimit) { 65536, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &small), ==, 0);
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "20", "--plan");
  assert_contains (self->err, "note: This process may lock 64 KiB (ulimit -l). A driver");
  RUN (self, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "12", "--plan");
  g_assert_null (strstr (self->err, "ulimit"));
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &before), ==, 0);

  /* 20 MiB are left: 30, of which 12 are used, and 2 of these are pages of files that would give way. */
  g_assert_true (g_file_set_contents (most, "31457280\n", -1, NULL));
  g_assert_true (g_file_set_contents (used, "12582912\n", -1, NULL));
  g_assert_true (g_file_set_contents (stat, "anon 1\ninactive_file 2097152\nactive_file 7\n", -1, NULL));
  g_setenv ("MEMLANE_CGROUP", self->folder, TRUE);
  RUN (self, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "20", "--plan");
  assert_contains (self->out, "of the host 20 MiB are free, 10 MiB of which may be page-locked");
  g_assert_true (g_regex_match_simple ("\npageable +12 MiB +- +12 MiB *\n", self->out, 0, 0));
  g_assert_true (g_regex_match_simple ("\npinned +12 MiB +12 MiB +12 MiB +too much to page-lock", self->out, 0, 0));
  RUN (self, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "20", "--csv", "out.csv");
  g_unsetenv ("MEMLANE_CGROUP");
  run = read_run (self, "out.csv");
  g_assert_cmpint (((MemlaneCell *) run->cells->pdata[0])->status, ==, MEMLANE_STATUS_OK);
  g_assert_cmpint (((MemlaneCell *) run->cells->pdata[1])->status, ==, MEMLANE_STATUS_OUT_OF_MEMORY);
  assert_contains (((MemlaneCell *) run->cells->pdata[1])->detail, "not tried: pinning 12 MiB would take more than half of the 20 MiB");
}

/* The name of the only run that can be recovered, from the listing; (transfer full). */
static char *
find_run (Fixture *self)
{
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) words = NULL;

  EXITS (self, 0, "recover");
  lines = g_strsplit (self->out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3); /* headings, the run, the end of the last line */
  words = g_strsplit (lines[1], " ", 2);
  return g_strdup (words[0]);
}

static void
test_full (Fixture *self, gconstpointer data)
{
  g_autofree char *name = NULL;
  g_autoptr (MemlaneRun) run = NULL;

  FAILS (self, 2, "cannot write /dev/full: ", "sweep", "--device", "simulated:h200", "--modes", "pinned,mapped", "--sizes", "10", "--csv",
         "/dev/full");
  assert_contains (self->err, "memlane-cli recover 2");
  g_assert_false (g_file_test ("/dev/full", G_FILE_TEST_IS_REGULAR));

  name = find_run (self);
  RUN (self, "recover", name, "--csv", "/dev/full"); /* trouble again: the journal stays */
  assert_status (self, 2);
  EXITS (self, 2, "recover", name, "--csv", "no/such/folder/out.csv");
  EXITS (self, 1, "recover", name);
  EXITS (self, 0, "recover", name, "--csv", "saved.csv");
  run = read_run (self, "saved.csv");
  g_assert_cmpuint (run->cells->len, ==, 2);
  g_assert_cmpstr (run->id, ==, name);
  RUN (self, "recover");
  assert_contains (self->err, "nothing to recover");
}

static void
limit_files (gpointer user_data)
{
  struct rlimit limit;

  signal (SIGXFSZ, SIG_DFL); /* which would end the program, if the program let it */
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0)
    {
      limit.rlim_cur = 8000;
      setrlimit (RLIMIT_FSIZE, &limit);
    }
}

/* The file itself may not become that long. */
static void
test_long_file (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_set_child_setup (launcher, limit_files, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MEMLANE_CLI"), "sweep", "--device", "simulated:h200", "--modes",
                                         "pinned,mapped", "--sizes", "10:15", "--csv", "long.csv", "--quiet", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &self->out, &self->err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
  assert_contains (self->err, "cannot write long.csv: ");
  g_assert_cmpuint (count_files (self), ==, 0); /* nothing is half-written */
}

/* The journal runs out of room on the way. The rows go to a pipe, which has no limit. */
static void
test_short_journal (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  const char *csv = data;

  g_subprocess_launcher_set_child_setup (launcher, limit_files, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MEMLANE_CLI"), "sweep", "--device", "simulated:h200", "--modes",
                                         "pinned,mapped", "--sizes", "10:15", "--csv", csv, "--quiet", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &self->out, &self->err, &error);
  g_assert_no_error (error);
  assert_contains (self->err, "memlane-cli: warning: the journal holds only a part of this run: cannot write the journal ");
  if (g_str_equal (csv, "-"))
    {
      g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
      assert_contains (self->out, ",mapped,15,");
      g_assert_true (strchr (self->err, '\n') == strrchr (self->err, '\n')); /* one line, and no more */
      RUN (self, "recover");
      assert_contains (self->err, "nothing to recover");
    }
  else
    {
      g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
      assert_contains (self->err, "The journal holds the first cells: memlane-cli recover 2");
      g_free (find_run (self));
    }
}

static void
test_no_journal (Fixture *self, gconstpointer data)
{
  g_autofree char *state = in_folder (self, "state");

  g_assert_true (g_file_set_contents (state, "in the way", -1, NULL));
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned", "--sizes", "10", "--csv", "out.csv", "--quiet");
  assert_contains (self->err, "memlane-cli: warning: the journal does not hold this run: ");
  g_assert_true (g_str_has_suffix (self->err, "\n"));
  g_assert_true (strchr (self->err, '\n') == strrchr (self->err, '\n'));
}

/* A model with noise: the summary counts the cells whose elapsed time is noisy. */
static void
test_noisy (Fixture *self, gconstpointer data)
{
  g_autofree char *summary = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  guint elapsed = 0;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--noise", "recorded", "--modes", "pageable,pinned,mapped,managed", "--sizes",
         "10:13", "--cell-seconds", "0.003", "--precision", "5", "--csv", "out.csv");
  run = read_run (self, "out.csv");
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    elapsed += memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                  MEMLANE_CLOCK_HOST)->status == MEMLANE_STATUS_NOISY;
  g_assert_cmpuint (elapsed, >, 0);
  summary = g_strdup_printf ("16 cells: 16 measured (%u with a noisy elapsed time), ", elapsed);
  assert_contains (self->err, summary);
}

/* Starts a sweep of 18 cells that takes a while and returns once its first cell is done. */
static GSubprocess *
start_long (Fixture *self)
{
  static const char *const arguments[] = { "sweep", "--device", "simulated:h200", "--modes", "pageable,managed", "--sizes", "16:24",
                                           "--csv", "out.csv", NULL };
  GSubprocess *process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDERR_SILENCE, arguments);

  wait_for_visits (self, process, 1);
  return process;
}

static void
test_interrupt (Fixture *self, gconstpointer data)
{
  int signal_number = GPOINTER_TO_INT (data);
  g_autoptr (GSubprocess) process = start_long (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  guint measured = 0;

  g_subprocess_send_signal (process, signal_number);
  g_subprocess_send_signal (process, signal_number); /* an impatient second one */
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 130);

  run = read_run (self, "out.csv");
  for (guint i = 0; i < run->cells->len; i++)
    measured += memlane_cell_find (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) != NULL;
  g_assert_cmpuint (measured, >, 0);
  g_assert_cmpuint (measured, <, 18);
  RUN (self, "recover");
  assert_contains (self->err, "nothing to recover");
}

/* The command does not wait for a reader of the pipe that the CSV goes into; the journal holds the run. */
static void
test_unread_pipe (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "pipe");

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  FAILS (self, 2, "nobody reads this pipe", "sweep", "--device", "simulated:h200", "--modes", "pinned",
         "--sizes", "10", "--csv", "pipe");
  RUN (self, "recover");
  assert_contains (self->out, "  1  "); /* cell */
}

static void
test_kill (Fixture *self, gconstpointer data)
{
  gboolean discard = GPOINTER_TO_INT (data);
  g_autoptr (GSubprocess) process = start_long (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  g_autofree char *name = NULL;

  RUN (self, "recover"); /* it lives: there is nothing to recover yet */
  assert_contains (self->err, "nothing to recover");
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_files (self), ==, 0);

  EXITS (self, 0, "devices");
  assert_contains (self->err, "an interrupted run of 2");
  assert_contains (self->err, "memlane-cli recover");
  name = find_run (self);
  if (discard)
    {
      EXITS (self, 0, "recover", name, "--discard");
      g_assert_cmpuint (count_files (self), ==, 0);
    }
  else
    {
      EXITS (self, 0, "recover", name, "--csv", "saved.csv");
      run = read_run (self, "saved.csv");
      g_assert_cmpuint (run->cells->len, >=, 1);
      g_assert_cmpstr (run->device, ==, "simulated:h200");
    }
  RUN (self, "devices");
  g_assert_null (strstr (self->err, "interrupted"));
}

/* In its third round: each cell that is whole in any round is saved. */
static void
test_kill_in_round (Fixture *self, gconstpointer data)
{
  static const char *const arguments[] = {
    "sweep", "--device", "simulated:h200", "--noise", "recorded", "--modes", "pinned,mapped",
    "--sizes", "8:16", "--rounds", "12", "--csv", "out.csv", NULL,
  };
  g_autofree char *name = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  guint whole = 0, saved = 0;

  process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDERR_SILENCE, arguments);
  wait_for_visits (self, process, 109); /* 18 cells, three visits, two rounds */
  g_subprocess_force_exit (process);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  name = find_run (self);
  whole = count_journal_lines (self) - 1;
  EXITS (self, 0, "recover", name, "--csv", "saved.csv");
  run = read_run (self, "saved.csv");
  g_assert_cmpuint (run->cells->len, ==, 18);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      guint rounds = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->n_rounds;

      g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_NOISY);
      g_assert_cmpuint (rounds, >=, 2);
      saved += rounds;
    }
  g_assert_cmpuint (whole, >, 108);
  g_assert_cmpuint (saved, <, whole);
  g_assert_cmpuint (3 * saved, >=, whole);
}

/* On a terminal: one line that is redrawn, with a bar. */
static void
test_bar (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  int terminal = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC), other;
  char buffer[4096];
  gssize n;

  g_assert_cmpint (terminal, >=, 0);
  g_assert_cmpint (grantpt (terminal), ==, 0);
  g_assert_cmpint (unlockpt (terminal), ==, 0);
  other = open (ptsname (terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  g_assert_cmpint (other, >=, 0);
  g_subprocess_launcher_take_stderr_fd (launcher, other);
  g_subprocess_launcher_setenv (launcher, "TERM", "xterm", TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("MEMLANE_CLI"), "sweep", "--device", "simulated:h200", "--modes",
                                         "pageable,pinned,mapped,managed", "--sizes", "19:22", "--csv", "out.csv", NULL);
  g_assert_no_error (error);
  g_subprocess_launcher_close (launcher); /* our copy of the other end: reading ends with the program */
  while ((n = read (terminal, buffer, sizeof buffer)) > 0)
    g_string_append_len (seen, buffer, n);
  close (terminal);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  assert_contains (seen->str, "\rmeasurement ");
  assert_contains (seen->str, " of 16 ");
  assert_contains (seen->str, "-]");
  assert_contains (seen->str, "\r\033[K16 cells: 16 measured"); /* the bar goes before the summary comes */
  g_assert_null (strstr (seen->str, ": done"));
}

#define ADD(path, data, function) g_test_add ("/cli/" path, Fixture, data, make_folder, function, tear_down)

/* Two sizes are too large for this device: what the others cost is known all the same. */
static void
test_advise_measure (Fixture *self, gconstpointer data)
{
  static const char text[] = "[device]\nbased_on=h200\nname=Small (simulated)\nmemory_bytes=100000000\n";
  g_autofree char *small = in_folder (self, "small.device");
  g_autofree char *id = g_strconcat ("simulated:", small, NULL);

  g_assert_true (g_file_set_contents (small, text, -1, NULL));
  RUN (self, "advise", "--measure", "--device", id, "--", "true");
  assert_contains (self->err, "out-of-memory");
  assert_contains (self->err, "advise: ");
  g_assert_null (strstr (self->err, "advise: --measure: "));
}

/* Interrupted in the middle of a long sweep: what was found is written, and said to be cut short. */
static void
test_experiment_interrupt (Fixture *self, gconstpointer data)
{
  static const char text[] = "[Experiment]\ntitle=Long\nquestion=Q\nclaim=C\nexplanation=E\n"
    "[Sweep s]\nmodes=pageable\nsizes=4:26\ncell-seconds=60\n"
    "[Check c]\nclaim=X\ntest=pageable/elapsed@26 < 1s\n";
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *path = in_folder (self, "long.experiment"), *out = NULL;
  const char *const arguments[] = { "experiment", "run", "long.experiment", "--device",
                                    "simulated:h200", "--findings", "f.csv", NULL };
  g_autoptr (GDataInputStream) lines = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, arguments);
  lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);

      g_assert_nonnull (line);
      if (g_str_has_prefix (line, "1 of 1: "))
        break;
    }
  g_subprocess_send_signal (process, SIGINT);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, NULL));
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 130);
  assert_contains (out, "\ninconclusive (the experiment was cut short): ");
  g_assert_true (exists (self, "f.csv"));
}

static void
test_trace_interrupt (Fixture *self, gconstpointer data)
{
  const char *const arguments[] = { "trace", "--device", "simulated:h200", "--mode", "pageable", "--size", "26", "--json", "t.json", NULL };
  g_autoptr (GSubprocess) process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDERR_PIPE, arguments);
  g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  g_autofree char *first = g_data_input_stream_read_line (lines, NULL, NULL, NULL), *second = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (first);
  g_subprocess_send_signal (process, SIGINT);
  g_subprocess_send_signal (process, SIGINT);
  second = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 130);
  assert_contains (second, "interrupted");
  g_assert_cmpuint (count_files (self), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("MEMLANE_CLI"));
  ADD ("listings/full", NULL, test_full_listing);
  ADD ("sweep/plan", NULL, test_sweep_plan);
  ADD ("sweep/full", NULL, test_full);
  ADD ("sweep/long-file", NULL, test_long_file);
  ADD ("sweep/short-journal", "-", test_short_journal);
  ADD ("sweep/short-journal/full", "/dev/full", test_short_journal);
  ADD ("sweep/no-journal", NULL, test_no_journal);
  ADD ("sweep/noisy", NULL, test_noisy);
  ADD ("sweep/interrupt", GINT_TO_POINTER (SIGINT), test_interrupt);
  ADD ("closed-pipe", NULL, test_closed_pipe);
  ADD ("closed-pipe/sweep", GINT_TO_POINTER (TRUE), test_closed_pipe);
  ADD ("sweep/unread-pipe", NULL, test_unread_pipe);
  ADD ("sweep/terminate", GINT_TO_POINTER (SIGTERM), test_interrupt);
  ADD ("sweep/bar", NULL, test_bar);
  ADD ("advise/measure", NULL, test_advise_measure);
  ADD ("experiment/interrupt", NULL, test_experiment_interrupt);
  ADD ("trace/interrupt", NULL, test_trace_interrupt);
  ADD ("recover/csv", GINT_TO_POINTER (FALSE), test_kill);
  ADD ("recover/round", NULL, test_kill_in_round);
  ADD ("recover/discard", GINT_TO_POINTER (TRUE), test_kill);
  return g_test_run ();
}
