/* test-cli.c: memlane-cli as its users meet it: arguments, messages, exit statuses, files
 *
 * SPDX-License-Identifier: MIT
 *
 * Each test runs the program (MEMLANE_CLI) in a folder of its own, with its own state and data folders, on the simulated H200.
 */
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli-fixture.h"
#include "mode/mode.h"
#include "result/csv.h"
#include "result/environment.h"
#include "trace/trace.h"
#include "csv-columns.h"

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

static void
test_help (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *command, *says[3];
  } commands[] = {
    { "devices" }, { "modes" }, { "workloads" }, { "sweep" }, { "recover" }, { "code" },
    { "plot", { "RUN.csv...", "--quantity", "SIMULATED" } },
    { "report", { "SIMULATED" } },
    { "decide", { "--direction" } },
  };
  g_autofree char *all = NULL;

  EXITS (self, 0, "--help");
  g_assert_cmpstr (self->err, ==, "");
  assert_contains (self->out, "Exit status");
  assert_contains (self->out, "elapsed");
  assert_contains (self->out, "memlane-cli sweep --csv");
  assert_contains (self->out, "Draw runs as a figure");
  all = g_strdup (self->out);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *row = g_strdup_printf ("\n  %s ", commands[i].command);
      g_autofree char *usage = g_strdup_printf ("memlane-cli %s [OPTION", commands[i].command);

      assert_contains (all, row);
      EXITS (self, 0, commands[i].command, "--help");
      g_assert_cmpstr (self->err, ==, "");
      assert_contains (self->out, usage);
      for (guint k = 0; k < G_N_ELEMENTS (commands[i].says) && commands[i].says[k] != NULL; k++)
        assert_contains (self->out, commands[i].says[k]);
    }
}

static void
test_version (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "--version");
  assert_contains (self->out, "memlane-cli " MEMLANE_VERSION "\n");
  assert_contains (self->out, "CUDA device: ");
}

typedef struct
{
  const char *arguments; /* by blanks; '' is an empty one */
  int status;
  const char *message;   /* part of what standard error must say */
} Wrong;

static const Wrong wrong[] = {
  { "", 1, "expected a command" },
  { "mesure", 1, "unknown command \"mesure\"" },
  { "trace", 1, "expected --mode M" },
  { "trace --mode pinned", 1, "expected --size N" },
  { "trace --mode abacus --size 10", 1, "--mode: unknown mode \"abacus\": expected one of pageable" },
  { "trace --mode pinned --size 3", 1, "--size: found \"3\", expected a vector of 2^4 to 2^34 floats" },
  { "trace --mode pinned --size 10:12", 1, "--size" },
  { "trace --mode pinned --size 10 --workload juggle", 1, "--workload: unknown workload \"juggle\"" },
  { "trace --mode pinned --size 10 --streams 0", 1, "--streams" },
  { "trace --mode pinned --size 10 --plot t.gif", 1, "t.gif: expected a file name that ends in .svg, .png or .pdf" },
  { "trace --mode pinned --size 10 --style dark", 1, "--style: there is no figure; expected --plot F.svg" },
  { "trace --input t.json --mode pinned", 1, "--mode: --input reads a trace and records none" },
  { "trace --input nothing.json", 1, "nothing.json" },
  { "advise", 1, "expected a program" },
  { "advise --input t.json -- true", 1, "expected a program" },
  { "advise --for never -- true", 1, "--for" },
  { "advise --measure --input t.json", 1, "--measure is for a program" },
  { "advise --measure --device cuda:63 -- true", 2, "advise: --measure: " },
  { "trace --range step --mode pinned --size 10", 1, "--input" },
  { "trace --mode pinned --size 10 --json - --summary", 1, "--summary: standard output holds the trace already" },
  { "trace --mode pinned --size 10 --device simulated:abacus", 1, "unknown device" },
  { "--fast", 1, "unknown option \"--fast\"" },
  { "devices cuda:0", 1, "stray argument \"cuda:0\"" },
  { "devices --all", 1, "--all" },
  { "modes --device", 1, "--device" },
  { "modes --device simulated:abacus", 1, "unknown device \"simulated:abacus\": expected one of" },
  { "modes --device ''", 1, "unknown device \"\"" },
  { "modes --device simulated:/no/such.device", 1, "/no/such.device" },
  { "swep", 1, "unknown command \"swep\". Did you mean sweep?" },
  { "help swep", 1, "Did you mean sweep?" },
  { "sweep --mode pinned", 1, "Unknown option --mode. Did you mean --modes?" },
  { "sweep --cvs=out.csv", 1, "Did you mean --csv?" },
  { "completion bash", 1, "completion: this command is gone: the installed files complete in bash, zsh and fish" },
  { "sweep --csv out.csv again.csv", 1, "stray argument \"again.csv\"" },
  { "sweep --csv", 1, "--csv" },
  { "sweep --csv out.csv --fast", 1, "--fast" },
  { "sweep --csv out.csv --device gpu0", 1, "unknown device \"gpu0\"" },
  { "sweep --csv out.csv --device cuda:x", 1, "unknown device \"cuda:x\"" },
  { "sweep --csv out.csv --workload divide", 1, "unknown workload \"divide\": expected one of vector-add" },
  { "sweep --csv out.csv --modes pined", 1, "pined" },
  { "sweep --csv out.csv --modes pinned,,mapped", 1, "unknown mode \"\"" },
  { "sweep --csv out.csv --modes pinned,pinned", 1, "named twice" },
  { "sweep --csv out.csv --modes ''", 1, "no modes" },
  { "sweep --again 9", 1, "--again: found \"9\", expected a whole number from 1 to 8" },
  { "sweep --csv out --hosts a --again 3", 1, "--again: expected one device, not --hosts" },
  { "sweep --csv - --json", 1, "--json: expected it without another file on standard output" },
  { "sweep --plan --json", 1, "--json: expected it without --plan" },
  { "sweep --plan --csv out.csv", 1, "--plan: nothing is measured" },
  { "sweep --csv out --hosts a --json", 1, "--json: expected one device, not --hosts" },
  { "experiment list --csv out.csv", 1, "experiment list: found an option of run" },
  { "experiment run zero-copy --csv - --json", 1, "--json: standard output holds another file" },
  { "compare a.csv b.csv --junit - --json", 1, "--json: standard output holds the report" },
  { "decide a.csv --map --json", 1, "--json: expected it without --map" },
  { "decide a.csv --all --csv -", 1, "--all: standard output holds the map" },
  { "sweep --csv out.csv --format 0.1", 1, "--format: found 0.1, expected 0.2" },
  { "sweep --format 0.2", 1, "--format: expected --csv F, which it changes" },
  { "sweep --anonymous", 1, "--anonymous: expected --csv F, which it changes" },
  { "sweep --csv out --hosts a --anonymous", 1, "--anonymous: expected one device, not --hosts" },
  { "sweep --csv out.csv --sizes 20:10", 1, "20:10" },
  { "sweep --csv out.csv --sizes 10:x", 1, "10:x" },
  { "sweep --csv out.csv --sizes 10:12:14", 1, "10:12:14" },
  { "sweep --csv out.csv --sizes 10.5", 1, "10.5" },
  { "sweep --csv out.csv --sizes -3", 1, "-3" },
  { "sweep --csv out.csv --sizes 99", 1, "99" },
  { "sweep --csv out.csv --sizes ''", 1, "sizes" },
  { "sweep --csv out.csv --precision 2%", 1, "--precision: found \"2%\", expected a number" },
  { "sweep --csv out.csv --precision 2,5", 1, "--precision: found \"2,5\", expected a number" },
  { "sweep --csv out.csv --precision 0", 1, "--precision" },
  { "sweep --csv out.csv --precision nan", 1, "--precision" },
  { "sweep --csv out.csv --precision 0x10", 1, "--precision" },
  { "sweep --csv out.csv --cell-seconds -1", 1, "--cell-seconds" },
  { "sweep --csv out.csv --cell-seconds 1e400", 1, "--cell-seconds" },
  { "sweep --csv out.csv --reuse 0", 1, "--reuse: found \"0\", expected a whole number from 1" },
  { "sweep --csv out.csv --reuse 3x", 1, "--reuse" },
  { "sweep --csv out.csv --streams 1000000", 1, "--streams" },
  { "sweep --csv out.csv --chunks -4", 1, "--chunks" },
  { "sweep --csv out.csv --seed 18446744073709551616", 1, "--seed" },
  { "sweep --csv out.csv --samples-csv out.csv", 1, "--samples-csv: expected a file of its own" },
  { "sweep --csv out.csv --samples-csv ./out.environment.json", 1, "--samples-csv: expected a file of its own" },
  { "sweep --csv ''", 2, "expected a file name" },
  { "sweep --csv no/such/folder/out.csv", 2, "no/such/folder" },
  { "sweep --csv .", 2, "it is a folder" },
  { "sweep --csv new/", 2, "file name" },
  { "sweep --sizes 10 --csv /proc/out.csv", 2, "/proc/out.csv" },
  { "sweep --csv out.csv --samples-csv no/such/folder/s.csv", 2, "no/such/folder" },
  { "recover nobody", 1, "no interrupted run \"nobody\"" },
  { "recover nobody --csv out.csv", 1, "no interrupted run \"nobody\"" },
  { "recover --csv out.csv", 1, "which run?" },
  { "recover nobody --csv out.csv --discard", 1, "not both" },
  { "calibrate no.csv", 1, "calibrate: this command is gone: tests/model/calibrate.py" },
  { "contribute no.csv", 1, "gone: give others RUN.csv with RUN.environment.json" },
  { "profile-from", 1, "gone: simulated devices are recorded ones" },
  { "code", 1, "expected a mode, or --all DIR" },
  { "code pinned --all d", 1, "expected a mode, or --all DIR" },
  { "code --all d -o f.cu", 1, "expected a mode, or --all DIR" },
  { "code pinned mapped", 1, "stray argument \"mapped\"" },
  { "code abacus", 1, "unknown mode \"abacus\": memlane-cli modes lists them" },
  { "code pinned --size 20", 1, "--size" },
  { "code pinned -o no/such/f.cu", 2, "cannot write no/such/f.cu" },
  { "code --all /proc/no", 2, "cannot make folder /proc/no" },
};

static void
test_wrong (Fixture *self, gconstpointer data)
{
  const Wrong *row = data;
  g_auto (GStrv) arguments = NULL;

  if (row->arguments[0] == '\0')
    arguments = g_new0 (char *, 1);
  else
    g_assert_true (g_shell_parse_argv (row->arguments, NULL, &arguments, NULL));
  run_arguments (self, NULL, (const char *const *) arguments);
  g_test_message ("%s", self->err);
  assert_status (self, row->status);
  assert_contains (self->err, row->message);
  assert_contains (self->err, "memlane-cli: ");
  g_assert_cmpstr (self->out, ==, "");
  g_assert_cmpuint (count_files (self), ==, 0); /* nothing is half-written */
}

static void
test_unknown_command (Fixture *self, gconstpointer data)
{
  FAILS (self, 1, "  sweep ", "paint");
  assert_contains (self->err, "  recover ");
}

static void
test_listings (Fixture *self, gconstpointer data)
{
  const MemlaneMode *modes;
  guint n;

  EXITS (self, 0, "devices");
  assert_contains (self->out, "ID ");
  assert_contains (self->out, "\nsimulated:h200 ");

  EXITS (self, 0, "modes", "--device", "simulated:h200");
  assert_contains (self->err, "[simulated:h200]");
  assert_contains (self->err, "simulated");
  modes = memlane_mode_list (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *row = g_strdup_printf ("\n%s  ", modes[i].id);
      assert_contains (self->out, row);
    }

  EXITS (self, 0, "workloads");
  assert_contains (self->out, "\nvector-add  ");
}

/* Each listing is one array in a document of its name, with the ids that the table shows. */
static void
test_json (Fixture *self, gconstpointer data)
{
  static const char *const listings[][3] = {
    { "devices", NULL, "simulated:h200" },
    { "modes", NULL, "streams-depth-first" },
    { "workloads", NULL, "copy-to-device" },
    { "experiment", "list", "zero-copy" },
  };
  static const char *const documents[] = { "devices", "modes", "workloads", "experiments" };

  for (guint i = 0; i < G_N_ELEMENTS (listings); i++)
    {
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GError) error = NULL;
      JsonArray *rows;
      gboolean is_there = FALSE;

      EXITS (self, 0, listings[i][0], "--json", listings[i][1]);
      json_parser_load_from_data (parser, self->out, -1, &error);
      g_assert_no_error (error);
      rows = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), documents[i]);
      for (guint k = 0; k < json_array_get_length (rows); k++)
        {
          JsonObject *row = json_array_get_object_element (rows, k);

          is_there |= strcmp (json_object_get_string_member (row, i < 3 ? "id" : "name"), listings[i][2]) == 0;
        }
      if (!is_there)
        g_error ("%s --json lists no %s: %s", listings[i][0], listings[i][2], self->out);
    }
  RUN (self, "modes", "--device", "simulated:h200", "--json");
  assert_contains (self->out, "\"supported\" : true");
  g_assert_cmpstr (self->err, ==, "");
}

static void
test_help_command (Fixture *self, gconstpointer data)
{
  g_autofree char *option = NULL;

  EXITS (self, 0, "sweep", "--help");
  option = g_strdup (self->out);
  EXITS (self, 0, "help", "sweep");
  g_assert_cmpstr (self->out, ==, option);
}

/* Without a file the medians are a table: a row for each mode, a column for each size. */
static void
test_sweep_table (Fixture *self, gconstpointer data)
{
  g_auto (GStrv) lines = NULL;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned,mapped", "--sizes", "10:12");
  lines = g_strsplit (self->out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  g_assert_true (g_regex_match_simple ("^MODE +2\\^10 +2\\^11 +2\\^12$", lines[2], 0, 0));
  g_assert_true (g_regex_match_simple ("^pinned( +[0-9.]+us){3}$", lines[3], 0, 0));
  g_assert_true (g_regex_match_simple ("^mapped( +[0-9.]+us){3}$", lines[4], 0, 0));
  assert_contains (self->err, "6 cells: 6 measured");
  EXITS (self, 0, "recover");
  g_assert_null (strstr (self->out, "vector-add")); /* no journal is left */
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

static void
test_sweep (Fixture *self, gconstpointer data)
{
  g_autoptr (MemlaneRun) run = NULL;
  g_autofree char *environment = in_folder (self, "out.environment.json");
  g_autofree char *samples = in_folder (self, "samples.csv");
  g_autofree char *text = NULL;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned,managed", "--sizes", "10:11", "--csv", "out.csv",
         "--samples-csv", "samples.csv");
  g_assert_cmpstr (self->out, ==, "");
  assert_contains (self->err, "[simulated:h200]");
  assert_contains (self->err, "6 cells: 6 measured");
  assert_contains (self->err, "one round: its figures are repeatable; a model, fitted to the sweeps of data/recordings, median error 5 %");
  assert_contains (self->err, "out.csv");

  run = read_run (self, "out.csv");
  g_assert_cmpuint (run->cells->len, ==, 6);
  g_assert_cmpstr (run->device, ==, "simulated:h200");
  g_assert_cmpstr (run->device_kind, ==, "simulated");
  g_assert_nonnull (memlane_cell_find (memlane_run_find (run, "vector-add", "managed", 11), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST));
  g_assert_true (g_file_test (environment, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_get_contents (samples, &text, NULL, NULL));
  assert_contains (text, "managed");
  /* Each sample has its buffer set, no clock here, and its time. */
  g_assert_true (g_regex_match_simple (",elapsed,host,[0-9]*,[0-9]*,1,,[0-9.]+,1,[0-9.]+\n", text, 0, 0));
  g_assert_true (g_regex_match_simple (",alloc,host,[0-9]*,[0-9]*,3,,[0-9.]+,[0-9]+,[0-9.]+\n", text, 0, 0));
  assert_contains (memlane_environment_get_json (run->environment), "\"cold_cache\" : false");

  RUN (self, "recover"); /* the journal went with the run's end */
  assert_status (self, 0);
  g_assert_cmpstr (self->out, ==, "");
  assert_contains (self->err, "nothing to recover");
}

static void
test_sweep_cold (Fixture *self, gconstpointer data)
{
  g_autoptr (MemlaneRun) run = NULL;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "device-resident", "--sizes", "10", "--csv", "out.csv", "--cold-cache");
  run = read_run (self, "out.csv");
  assert_contains (memlane_environment_get_json (run->environment), "\"cold_cache\" : true");
}

/* The columns of Memlane 0.2, and an environment that does not name the host. */
static void
test_sweep_format (Fixture *self, gconstpointer data)
{
  g_autoptr (MemlaneRun) old = NULL, named = NULL;
  g_autofree char *path = in_folder (self, "old.csv"), *rounds = in_folder (self, "old.rounds.csv"), *text = NULL, *beside = NULL;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned", "--sizes", "10", "--csv", "old.csv", "--format", "0.2",
         "--anonymous");
  old = read_run (self, "old.csv");
  g_assert_null (memlane_environment_get_text (old->environment, MEMLANE_ENVIRONMENT_HOST_NAME));
  g_assert_null (memlane_environment_get_text (old->environment, MEMLANE_ENVIRONMENT_BOOT_ID));
  g_assert_nonnull (memlane_environment_get_text (old->environment, MEMLANE_ENVIRONMENT_KERNEL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, OLD_CSV_COLUMNS "\n"));
  g_assert_true (g_file_get_contents (rounds, &beside, NULL, NULL));
  g_assert_true (g_str_has_prefix (beside, OLD_ROUNDS_COLUMNS "\n"));

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned", "--sizes", "10", "--csv", "named.csv");
  named = read_run (self, "named.csv");
  g_assert_nonnull (memlane_environment_get_text (named->environment, MEMLANE_ENVIRONMENT_HOST_NAME));
  g_assert_cmpfloat (memlane_environment_get_number (named->environment, MEMLANE_ENVIRONMENT_FORMAT), ==, 3);
}

static void
test_sweep_stdout (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned", "--sizes", "10", "--csv", "-", "--quiet");
  g_assert_cmpstr (self->err, ==, "");
  g_assert_true (g_str_has_prefix (self->out, CSV_COLUMNS));
  assert_contains (self->out, ",pinned,10,1024,4096,");
  g_assert_cmpuint (count_files (self), ==, 0);
}

static void
test_sweep_unsupported (Fixture *self, gconstpointer data)
{
  g_autoptr (MemlaneRun) run = NULL;

  /* A static array has one size, and this is a larger one. */
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "managed-static", "--sizes", "28", "--csv", "out.csv");
  assert_contains (self->err, "1 unsupported");
  run = read_run (self, "out.csv");
  g_assert_cmpuint (run->cells->len, ==, 1);
  g_assert_cmpint (((MemlaneCell *) run->cells->pdata[0])->status, ==, MEMLANE_STATUS_UNSUPPORTED);
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

/* A link stays a link, and a file that was there is replaced as a whole. */
static void
test_sweep_link (Fixture *self, gconstpointer data)
{
  g_autofree char *link = in_folder (self, "link.csv");
  g_autofree char *real = in_folder (self, "real.csv");
  g_autoptr (MemlaneRun) run = NULL;

  g_assert_true (g_file_set_contents (real, "old", -1, NULL));
  g_assert_cmpint (symlink ("real.csv", link), ==, 0);
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned", "--sizes", "10", "--csv", "link.csv", "--force");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  run = read_run (self, "real.csv");
  g_assert_cmpuint (run->cells->len, ==, 1);
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
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      elapsed += memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->status == MEMLANE_STATUS_NOISY;
    }
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
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];
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

/* As PyTorch's profiler writes: a copy within a range of 400 us, and one outside. */
#define ANOTHER \
  "{\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA L4\"}],\"traceEvents\":[" \
  "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":400}," \
  "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,\"ts\":20,\"dur\":100," \
  "\"args\":{\"stream\":7,\"bytes\":65536}}," \
  "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,\"ts\":900,\"dur\":100," \
  "\"args\":{\"stream\":7,\"bytes\":65536}}]}"

static void
test_advise (Fixture *self, gconstpointer data)
{
  g_autofree char *other = in_folder (self, "other.json");

  EXITS (self, 0, "advise", "--input", "@traces/h200-pageable-2p20.json", "--all");
  assert_contains (self->out, "1. Page-lock the memory of cudaMemcpy (copies: 2): saves at most ");
  assert_contains (self->out, "   Page-lock the host's memory of cudaMemcpy. Its copies (2, 8 MiB in all) take ");
  assert_contains (self->out, "Costs are those of NVIDIA H200, as run 20261122");
  g_assert_null (strstr (self->out, "another"));
  assert_contains (self->out, "instead: p = malloc (bytes); memset (p, 0, bytes); cudaHostRegister (p, bytes, 0);");
  EXITS (self, 0, "advise", "--input", "@traces/h200-pageable-2p20.json"); /* one line a change */
  assert_contains (self->out, "\n2. Page-lock the memory of cudaMemcpy (copies: 1): saves at most ");
  assert_contains (self->out, "With --all: why, the price, and the code before and after.\n");
  g_assert_null (strstr (self->out, "instead: "));
  EXITS (self, 0, "advise", "--input", "@traces/h200-pinned-2p20.json", "--json", "-");
  assert_contains (self->out, "\"changes\" : [");
  EXITS (self, 0, "advise", "--input", "@traces/h200-managed-2p20.json", "--run", "@h200-copy-to-host.csv");
  assert_contains (self->out, "Costs are missing: no run tells");
  g_assert_true (g_file_set_contents (other, ANOTHER, -1, NULL));
  EXITS (self, 0, "advise", "--input", "other.json");
  assert_contains (self->out, "The program ran on another GPU, NVIDIA L4, so gains may lie outside the ranges");
  assert_contains (self->out, "Of 1 ms, ");
  EXITS (self, 0, "advise", "--input", "other.json", "--run", "@h200-copy-to-device.csv", "--range", "st?p", "--keep", "part.json");
  assert_contains (self->out, "The program ran on another GPU, NVIDIA L4, so gains may lie outside the ranges");
  assert_contains (self->out, "Of 400 us, ");
  RUN (self, "advise", "--input", "part.json"); /* it knows that it is a part */
  assert_contains (self->out, "Of 400 us, ");
  FAILS (self, 1, "expected one of: step", "trace", "--input", "other.json", "--range", "stop");
  EXITS (self, 0, "advise", "--input", "@traces/h200-pinned-2p20.json", "--json", "advice.json");
  RUN (self, "advise", "--input", "@traces/h200-pinned-2p20.json", "--json", "advice.json"); /* its like */
  assert_status (self, 0);
  FAILS (self, 2, "advice.json", "advise", "--input", "@traces/h200-pinned-2p20.json", "--keep", "advice.json");
  RUN (self, "advise", "--", "true"); /* there is no recorder, or no call to CUDA: then its status is its own */
  assert_status (self, strstr (self->err, "cannot be recorded") != NULL ? 2 : 0);
  assert_contains (self->err, "advise: ");
}

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

static void
test_trace (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "t.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "streams-depth-first", "--size", "14", "--streams", "2", "--chunks",
         "4");
  assert_contains (self->out, "Time(%)");
  assert_contains (self->out, "[CUDA memcpy HtoD]");
  assert_contains (self->out, "Overlap efficiency");
  assert_contains (self->err, "recorded from simulated device");
  /* Virtual time does not pass by tracing, so all samples take the same. */
  assert_contains (self->err, "tracing cost no more than they differ");
  g_assert_cmpuint (count_files (self), ==, 0);

  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "streams-depth-first", "--size", "100000");
  assert_contains (self->err, "vector-add, streams-depth-first, 100000 floats: ");
  FAILS (self, 1, "--size: found \"1.5\", expected a vector of 2^4 to 2^34 floats", "trace", "--device", "simulated:h200", "--mode",
         "pinned", "--size", "1.5");

  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "pageable", "--size", "14", "--json", "t.json", "--quiet");
  g_assert_cmpstr (self->out, ==, "");
  g_assert_cmpstr (self->err, ==, "");
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (memlane_trace_get_info (trace)->mode, ==, "pageable");

  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "pageable", "--size", "14", "--json", "t.json", "--summary", "--quiet");
  assert_contains (self->out, "are staged through");
  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "pageable", "--size", "14", "--json", "-", "--quiet");
  g_assert_true (g_str_has_prefix (self->out, "{\"displayTimeUnit\""));
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

static void
test_trace_fails (Fixture *self, gconstpointer data)
{
  /* Read-only and full; and what the device cannot do. */
  FAILS (self, 2, "/nowhere", "trace", "--device", "simulated:h200", "--mode", "pinned", "--size", "10", "--json", "/nowhere/t.json");
  FAILS (self, 2, "cannot write /dev/full", "trace", "--device", "simulated:h200", "--mode", "pinned", "--size", "10", "--json",
         "/dev/full", "--quiet");
  FAILS (self, 2, "nothing was recorded", "trace", "--device", "simulated:h200", "--mode", "pinned", "--workload", "copy-to-peer", "--size",
         "10", "--quiet");
}

static void
test_code (Fixture *self, gconstpointer data)
{
  g_autofree char *shown = NULL, *folder = g_build_filename (self->folder, "all", NULL);
  g_autofree char *path = g_build_filename (self->folder, "f.cu", NULL), *one = g_build_filename (folder, "pinned.cu", NULL);
  g_autofree char *content = NULL, *same = NULL;
  const MemlaneMode *modes;
  guint n;

  EXITS (self, 0, "code", "pinned");
  g_assert_cmpstr (self->err, ==, "");
  assert_contains (self->out, "// pinned.cu: c[i] = a[i] + b[i] in the memory mode \"pinned\"");
  assert_contains (self->out, "CHECK(cudaMallocHost(");
  shown = g_strdup (self->out);
  EXITS (self, 0, "code", "pinned", "-o", "f.cu");
  g_assert_cmpstr (self->out, ==, "");
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, shown);
  g_assert_true (exists (self, "program.cuh"));

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--workload", "pieces-to-device", "--chunks", "1000", "--sizes", "12", "--rounds",
         "1", "--modes", "pinned-async,pinned-batch,pinned", "--csv", "pieces.csv");
  assert_contains (self->err, "use pinned-async, pinned-batch or mapped-shaped");
  EXITS (self, 0, "decide", "pieces.csv", "--size", "12");
  assert_contains (self->out, "pinned-batch");

  EXITS (self, 0, "code", "--all", "all");
  g_assert_cmpstr (self->out, ==, "");
  modes = memlane_mode_list (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%s.cu", folder, modes[i].id);

      g_assert_true (g_file_test (name, G_FILE_TEST_IS_REGULAR));
    }
  g_assert_true (g_file_get_contents (one, &same, NULL, NULL));
  g_assert_cmpstr (same, ==, shown);

  FAILS (self, 2, "cannot write /dev/full", "code", "pinned", "-o", "/dev/full");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("MEMLANE_CLI"));
  ADD ("help", NULL, test_help);
  ADD ("version", NULL, test_version);
  ADD ("unknown-command", NULL, test_unknown_command);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/wrong/%02u", i);
      g_test_add (path, Fixture, &wrong[i], make_folder, test_wrong, tear_down);
    }
  ADD ("listings", NULL, test_listings);
  ADD ("listings/full", NULL, test_full_listing);
  ADD ("sweep", NULL, test_sweep);
  ADD ("sweep/cold-cache", NULL, test_sweep_cold);
  ADD ("sweep/format", NULL, test_sweep_format);
  ADD ("sweep/stdout", NULL, test_sweep_stdout);
  ADD ("sweep/unsupported", NULL, test_sweep_unsupported);
  ADD ("sweep/plan", NULL, test_sweep_plan);
  ADD ("sweep/link", NULL, test_sweep_link);
  ADD ("sweep/full", NULL, test_full);
  ADD ("sweep/long-file", NULL, test_long_file);
  ADD ("sweep/short-journal", "-", test_short_journal);
  ADD ("sweep/short-journal/full", "/dev/full", test_short_journal);
  ADD ("sweep/no-journal", NULL, test_no_journal);
  ADD ("sweep/noisy", NULL, test_noisy);
  ADD ("sweep/interrupt", GINT_TO_POINTER (SIGINT), test_interrupt);
  ADD ("json", NULL, test_json);
  ADD ("help/command", NULL, test_help_command);
  ADD ("closed-pipe", NULL, test_closed_pipe);
  ADD ("closed-pipe/sweep", GINT_TO_POINTER (TRUE), test_closed_pipe);
  ADD ("sweep/table", NULL, test_sweep_table);
  ADD ("sweep/unread-pipe", NULL, test_unread_pipe);
  ADD ("sweep/terminate", GINT_TO_POINTER (SIGTERM), test_interrupt);
  ADD ("sweep/bar", NULL, test_bar);
  ADD ("advise", NULL, test_advise);
  ADD ("advise/measure", NULL, test_advise_measure);
  ADD ("trace", NULL, test_trace);
  ADD ("trace/interrupt", NULL, test_trace_interrupt);
  ADD ("trace/fails", NULL, test_trace_fails);
  ADD ("recover/csv", GINT_TO_POINTER (FALSE), test_kill);
  ADD ("recover/round", NULL, test_kill_in_round);
  ADD ("recover/discard", GINT_TO_POINTER (TRUE), test_kill);
  ADD ("code", NULL, test_code);
  return g_test_run ();
}
