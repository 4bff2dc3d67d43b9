/* test-cli-experiment.c: memlane-cli experiment as its users meet it
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>

#include "result/csv.h"

#define SIMULATED "--device", "simulated:h200"

static void
put (Fixture *self, const char *name, const char *text)
{
  g_autofree char *path = in_folder (self, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static const char own[] =
  "[Experiment]\ntitle=Mine\nquestion=Is it?\nclaim=It is.\nexplanation=Because.\n"
  "[Sweep s]\nmodes=pageable;pinned\nsizes=18\ncell-seconds=0.01\n"
  "[Check c]\nclaim=Pinned wins.\ntest=pinned/upload@18 < pageable/upload@18\n";

static void
test_list (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "experiment", "list");
  g_assert_cmpstr (self->err, ==, "");
  assert_contains (self->out, "\n1   pageable-copy ");
  assert_contains (self->out, "\n18  errors-on-purpose ");
  EXITS (self, 0, "experiment", "list", "--language", "zh_CN");
  assert_contains (self->out, "\xe9\xa1\xb5\xe9\x94\x81\xe5\xae\x9a");
}

static void
test_run (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "experiment", "run", "errors-on-purpose", SIMULATED);
  assert_contains (self->err, "1 of 1: ");
  g_assert_true (g_str_has_prefix (self->out, "Which mistakes does CUDA report"));
  assert_contains (self->out, "(SIMULATED)\n");
  assert_contains (self->out, "\nsupported on this device: ");
  assert_contains (self->out, "cudaErrorMemoryAllocation");
  /* by number, in Chinese, quietly */
  EXITS (self, 0, "experiment", "run", "18", SIMULATED, "--quiet");
  g_assert_cmpstr (self->out, ==, "errors-on-purpose: supported on this device\n");
  g_assert_cmpstr (self->err, ==, "");
  EXITS (self, 0, "experiment", "run", "14", SIMULATED, "--language", "zh_CN");
  assert_contains (self->out, "\xe7\xad\x89\xe5\xbe\x85");
}

/* A teacher's own; a claim that does not hold is a result. */
static void
test_own (Fixture *self, gconstpointer data)
{
  g_autofree char *csv = in_folder (self, "c.csv"), *other = g_strconcat (own, "[Check d]\nclaim=No.\ntest=1 > 2\n", NULL);
  g_autoptr (GPtrArray) runs = NULL;

  put (self, "mine.experiment", own);
  EXITS (self, 0, "experiment", "run", "./mine.experiment", SIMULATED, "--csv", "c.csv", "--findings", "f.csv", "-q");
  g_assert_cmpstr (self->out, ==, "mine: supported on this device\n");
  runs = memlane_csv_read (csv, NULL, NULL);
  g_assert_nonnull (runs);
  g_assert_true (exists (self, "c.environment.json"));
  g_assert_true (exists (self, "f.csv"));
  put (self, "no.experiment", other);
  EXITS (self, 0, "experiment", "run", "no.experiment", SIMULATED, "-q");
  g_assert_cmpstr (self->out, ==, "no: refuted on this device\n");
}

static void
test_wrong (Fixture *self, gconstpointer data)
{
  g_autofree char *bad = g_strconcat (own, "colour=red\n", NULL);

  FAILS (self, 1, "experiment: found nothing, expected list, or run NAME", "experiment");
  EXITS (self, 1, "experiment", "walk", "5");
  FAILS (self, 1, "expected the name or number of an experiment, or a file", "experiment", "run");
  EXITS (self, 1, "experiment", "list", "5");
  FAILS (self, 1, "unknown experiment \"perpetual-motion\": expected a number, a file, or one of pageable-copy", "experiment", "run",
         "perpetual-motion");
  FAILS (self, 1, "cannot read ./nowhere.experiment: ", "experiment", "run", "./nowhere.experiment");
  put (self, "bad.experiment", bad);
  FAILS (self, 1, "bad.experiment:13: [Check c] colour: unknown key, expected one of claim, test", "experiment", "run", "bad.experiment",
         SIMULATED);
  FAILS (self, 1, "waiting measures no cells; expected --findings", "experiment", "run", "14", SIMULATED, "--csv", "c.csv");
  EXITS (self, 1, "experiment", "run", "14", "--device", "simulated:abacus");
  FAILS (self, 1, "--report is gone: expected --findings F", "experiment", "run", "14", SIMULATED, "--report", "r.md");
  EXITS (self, 2, "experiment", "run", "14", SIMULATED, "--findings", "/nowhere/f.csv");
  FAILS (self, 2, "cannot write /dev/full", "experiment", "run", "14", SIMULATED, "--findings", "/dev/full");
}

/* Interrupted in the middle of a long sweep: what was found is written, and said to be cut short. */
static void
test_interrupt (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *out = NULL;
  const char *const arguments[] = { "experiment", "run", "long.experiment", SIMULATED, "--findings", "f.csv", NULL };
  g_autoptr (GDataInputStream) lines = NULL;

  put (self, "long.experiment",
       "[Experiment]\ntitle=Long\nquestion=Q\nclaim=C\nexplanation=E\n[Sweep s]\nmodes=pageable\nsizes=4:26\ncell-seconds=60\n"
       "[Check c]\nclaim=X\ntest=pageable/elapsed@26 < 1s\n");
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

#define ADD(path, test) g_test_add ("/cli-experiment/" path, Fixture, NULL, make_folder, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("MEMLANE_CLI"));
  ADD ("list", test_list);
  ADD ("run", test_run);
  ADD ("own", test_own);
  ADD ("wrong", test_wrong);
  ADD ("interrupt", test_interrupt);
  return g_test_run ();
}
