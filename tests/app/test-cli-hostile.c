/* test-cli-hostile.c: files that mean ill, and what they may cost
 *
 * SPDX-License-Identifier: MIT
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-fixture.h"

/* run.csv of the simulated device, and its environment. */
static void
set_up (Fixture *self, gconstpointer data)
{
  make_folder (self, data);
  EXITS (self, 0, "sweep", "-q", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "10:12", "--cell-seconds", "0.01",
         "--csv", "run.csv");
}

static char *
load (Fixture *self, const char *name)
{
  g_autofree char *path = in_folder (self, name);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
save (Fixture *self, const char *name, const char *text, gssize length)
{
  g_autofree char *path = in_folder (self, name);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
}

/* @name with @from replaced by @to everywhere. */
static void
edit (Fixture *self, const char *name, const char *from, const char *to)
{
  g_autofree char *text = load (self, name);
  g_autoptr (GString) edited = g_string_new (text);

  g_assert_cmpuint (g_string_replace (edited, from, to, 0), >, 0);
  save (self, name, edited->str, -1);
}

static gboolean
has_control (const char *text)
{
  for (; *text != '\0'; text++)
    if (((guchar) *text < ' ' && *text != '\n' && *text != '\t') || *text == 0x7f || g_str_has_prefix (text, "\xc2\x9b")
        || g_str_has_prefix (text, "\xe2\x80\xae"))
      return TRUE;
  return FALSE;
}

/* 60,000 levels and more ended the program with a signal; run_arguments() asserts that it exits. */
static void
test_deep_environment (Fixture *self, gconstpointer data)
{
  static const char *const commands[][10] = { { "decide", "run.csv" }, { "recover" },
                                              { "sweep", "-d", "simulated:h200", "-c", "x.csv", "-s", "10" },
#ifdef MEMLANE_HAVE_CHART
                                             { "plot", "run.csv", "-o", "x.svg" }, { "report", "run.csv", "-o", "x.html" },
#endif
  };
  g_autoptr (GString) deep = g_string_new ("{\"a\":");
  g_autofree char *journals = in_folder (self, "state/memlane/journals");

  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "[");
  save (self, "run.environment.json", deep->str, -1);
  g_assert_cmpint (g_mkdir_with_parents (journals, 0700), ==, 0);
  g_string_prepend (deep, "{\"type\":\"run\",\"run\":{\"id\":\"evil\",\"environment\":");
  g_string_append_c (deep, '\n');
  save (self, "state/memlane/journals/evil.journal", deep->str, -1);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const char *arguments[14] = { 0 };

      for (guint k = 0; k < G_N_ELEMENTS (commands[i]); k++)
        arguments[k] = commands[i][k];
      run_arguments (self, NULL, arguments);
      g_assert_cmpint (self->status, <=, 3);
      if (g_strcmp0 (arguments[1], "run.csv") == 0)
        assert_contains (self->err, "found more than 64 levels of nesting");
    }
}

/* A count in a journal ended every command at its start: 32 GiB were allocated for it. */
static void
test_most_samples (Fixture *self, gconstpointer data)
{
  g_autofree char *journals = in_folder (self, "state/memlane/journals");

  g_assert_cmpint (g_mkdir_with_parents (journals, 0700), ==, 0);
  save (self, "state/memlane/journals/evil.journal", JOURNAL_RUN JOURNAL_CELL ("pinned", "4294967295", "ok"), -1);
  EXITS (self, 0, "recover");
  assert_contains (self->err, "cell: count: ");
  EXITS (self, 0, "sweep", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-c", "x.csv");
}

static void
test_terminal (Fixture *self, gconstpointer data)
{
  static const char trace[] =
    "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"\\u001b]0;PWNED\\u0007\\u009b31m\\u202ex\",\"cat\":\"kernel\"}]";
  static const char device[] = "[device]\nbased_on=h200\nname=\x1b[31mevil\xc2\x9b\xe2\x80\xae\n";

  save (self, "evil.json", trace, -1);
  EXITS (self, 0, "trace", "--input", "evil.json");
  assert_contains (self->out, "\\x1b]0;PWNED\\x07\\u009b31m\\u202ex");
  g_assert_false (has_control (self->out) || has_control (self->err));

  save (self, "evil.device", device, -1);
  RUN (self, "sweep", "--device", "simulated:./evil.device", "--modes", "pinned", "--sizes", "10", "--csv", "evil.csv");
  g_assert_false (has_control (self->out) || has_control (self->err));

  RUN (self, "decide", "no\x1b[2J\xff.csv"); /* the name of a file */
  assert_status (self, 1);
  g_assert_false (has_control (self->err));
  assert_contains (self->err, "\\x1b[2J");

  edit (self, "run.csv", "simulated:h200,", "simulated:h\xc2\x9b" "200,");
  FAILS (self, 1, "column device: found 'simulated:h\\u009b200', expected a name without control characters", "decide", "run.csv");
}

/* SIMULATED cannot be taken off. */
static void
test_simulated (Fixture *self, gconstpointer data)
{
  edit (self, "run.csv", ",simulated,", ",cuda,");
  FAILS (self, 1, "run.csv:2: column device_kind: found 'cuda', expected simulated, as device says", "decide", "run.csv");
}

static void
test_profile (Fixture *self, gconstpointer data)
{
  save (self, "big.device", "[device]\nbased_on=h200\n[cost]\nlaunch=1e308\n", -1);
  RUN (self, "sweep", "--device", "simulated:./big.device", "--modes", "pinned", "--sizes", "10", "--csv", "big.csv");
  g_assert_cmpint (self->status, !=, 0);
  assert_contains (self->err, "[cost] launch: expected nanoseconds from 0 to 1e9");
}

/* A profile's name is a word of shells: one that is not says so, and hides nothing. */
static void
test_profile_name (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = in_folder (self, "share/memlane/devices");

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  save (self, "share/memlane/devices/$(touch x).device", "[device]\nbased_on=h200\n", -1);
  save (self, "share/memlane/devices/mine.device", "[device]\nbased_on=h200\n", -1);
  EXITS (self, 0, "devices");
  assert_contains (self->out, "its file has another name, expected 1 to 200 letters, digits");
  assert_contains (self->out, "simulated:mine");
  FAILS (self, 2, "its file has another name", "sweep", "-d", "simulated:$(touch x)", "-m", "pinned", "-s", "10", "-c", "out.csv");
}

/* @name holds what it held: the command was refused, with @status and @said. */
static void
assert_kept (Fixture *self, int line, const char *name, const char *before, int status, const char *said)
{
  g_autofree char *now = load (self, name);

  assert_status_at (line, self, status);
  assert_contains_at (line, self->err, said);
  g_assert_cmpstr (now, ==, before);
}

/* What is read is never replaced, whatever its name is, and --force changes nothing. */
static void
test_output_is_input (Fixture *self, gconstpointer data)
{
  static const char *const links[] = { "fig.svg", "page.html", "run.device", "map.csv", "t.json" };
  g_autofree char *before = load (self, "run.csv"), *environment = load (self, "run.environment.json"), *trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *path = in_folder (self, links[i]);

      g_assert_cmpint (symlink ("run.csv", path), ==, 0);
    }
#ifdef MEMLANE_HAVE_CHART
  RUN (self, "plot", "--force", "run.csv", "-o", "fig.svg");
  assert_kept (self, __LINE__, "run.csv", before, 1, "plot: -o: fig.svg is a run; expected another name");
  RUN (self, "report", "--force", "run.csv", "-o", "page.html");
  assert_kept (self, __LINE__, "run.csv", before, 1, "report: -o: page.html is the run; expected another name");
#endif
  RUN (self, "decide", "--force", "run.csv", "--csv", "map.csv");
  assert_kept (self, __LINE__, "run.csv", before, 1, "map.csv is a run");
  RUN (self, "decide", "--force", "run.csv", "--csv", "run.environment.json");
  assert_kept (self, __LINE__, "run.environment.json", environment, 1, "is a run");

  EXITS (self, 0, "trace", "-q", "--device", "simulated:h200", "--mode", "pinned", "--size", "10", "--json", "own.json");
  trace = load (self, "own.json");
  RUN (self, "trace", "--force", "--input", "own.json", "--json", "./own.json");
  assert_kept (self, __LINE__, "own.json", trace, 1, "own.json is the trace that is read");
}

/* A slip of the keyboard; and what it takes to mean it. */
static void
test_foreign_output (Fixture *self, gconstpointer data)
{
  static const char foreign[] = "{\"traceEvents\": []}";
  static const char *const names[] = { "x.csv", "x.svg", "x.html", "x.device", "x.json", "x.cu" };
  static const char *const commands[][11] = {
    { "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-c", "x.csv" },
#ifdef MEMLANE_HAVE_CHART
    { "plot", "run.csv", "-o", "x.svg" }, { "report", "run.csv", "-o", "x.html" },
    { "decide", "run.csv", "--plot", "x.svg" },
#endif
    { "decide", "run.csv", "--csv", "x.csv" },
    { "code", "pinned", "-o", "x.cu" },
    { "trace", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-j", "x.json" },
    { "lab", "-q", "-d", "simulated:h200", "-s", "12", "-j", "x.json" },
    { "experiment", "run", "device-query", "-q", "-d", "simulated:h200", "--findings", "x.csv" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const char *arguments[14] = { 0 };
      guint n = 0;

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        save (self, names[k], foreign, -1);
      while (n < G_N_ELEMENTS (commands[i]) && commands[i][n] != NULL)
        {
          arguments[n] = commands[i][n];
          n++;
        }
      run_arguments (self, NULL, arguments);
      assert_kept (self, __LINE__, arguments[n - 1], foreign, 2, "--force to replace it");
      arguments[n] = "--force";
      run_arguments (self, NULL, arguments);
      assert_status (self, 0);
      arguments[n] = NULL; /* over its own result: as often as wanted */
      run_arguments (self, NULL, arguments);
      assert_status (self, 0);
    }
}

static void
test_more_cells (Fixture *self, gconstpointer data)
{
  g_autofree char *before = load (self, "run.csv");
  const char *const smaller[] = { "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-c", "run.csv", "--force", NULL };

  RUN (self, "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-c", "run.csv");
  assert_kept (self, __LINE__, "run.csv", before, 2,
               "run.csv: it holds 6 cells, and 1 would replace them; expected another name, or --force");
  RUN (self, "sweep", "-q", "-d", "simulated:h200", "-m", "pinned,mapped", "-s", "10:12", "-c", "run.csv"); /* as many */
  assert_status (self, 0);
  run_arguments (self, NULL, smaller);
  assert_status (self, 0);
}

/* Ctrl-C in a repetition: the whole result stays, what was measured waits in the journal. */
static void
test_interrupted_again (Fixture *self, gconstpointer data)
{
  const char *const arguments[] = { "sweep", "-d", "simulated:h200", "-m", "pageable,managed", "-s", "16:24", "-c", "run.csv", NULL };
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GSubprocess) process = NULL;

  /* The whole result: as many cells, by another way. */
  EXITS (self, 0, "sweep", "-q", "--force", "-d", "simulated:h200", "-m", "pageable,pinned", "-s", "4:12", "--cell-seconds", "0.001", "-c",
         "run.csv");
  before = load (self, "run.csv");
  process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDERR_SILENCE, arguments);
  wait_for_visits (self, process, 1);
  g_subprocess_send_signal (process, SIGINT);
  g_subprocess_wait (process, NULL, NULL);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 130);
  after = load (self, "run.csv");
  g_assert_cmpstr (before, ==, after);
  RUN (self, "recover");
  assert_contains (self->out, "vector-add");
}

/* A journal that claims five gigabytes is not read. */
static void
test_sparse_journal (Fixture *self, gconstpointer data)
{
  g_autofree char *journals = in_folder (self, "state/memlane/journals"), *large = g_build_filename (journals, "large.journal", NULL);

  g_assert_cmpint (g_mkdir_with_parents (journals, 0700), ==, 0);
  save (self, "state/memlane/journals/large.journal", "run,", -1);
  g_assert_cmpint (truncate (large, G_GINT64_CONSTANT (5) << 30), ==, 0);
  EXITS (self, 0, "recover");
  assert_contains (self->out, "large");
  assert_contains (self->err, "large.journal cannot be read");
  assert_contains (self->err, "found a line of more than 4 MiB");
}

/* A damaged cell: those before it are recovered, the others stay, and nothing is denied. */
static void
test_damaged_journal (Fixture *self, gconstpointer data)
{
  g_autofree char *journals = in_folder (self, "state/memlane/journals"), *journal = g_build_filename (journals, "evil.journal", NULL);
  g_autofree char *written = NULL, *old = g_build_filename (journals, "20261122T101400Z-old", NULL);

  g_assert_cmpint (g_mkdir_with_parents (old, 0700), ==, 0);
  save (self, "state/memlane/journals/evil.journal",
        JOURNAL_RUN JOURNAL_CELL ("pinned", "1", "ok") JOURNAL_CELL ("mapped", "1", "no") JOURNAL_CELL ("managed", "1", "ok"), -1);
  save (self, "state/memlane/journals/20261122T101400Z-old/cells.csv", "run,device\n", -1);
  EXITS (self, 0, "recover");
  assert_contains (self->err, "evil is damaged after its first 1 cells");
  assert_contains (self->err, "evil.journal:3: cell: status: ");
  assert_contains (self->err, "20261122T101400Z-old cannot be read: Memlane 0.2 wrote it");
  FAILS (self, 1, "Memlane 0.2 wrote it", "recover", "20261122T101400Z-old", "--csv", "old.csv");
  EXITS (self, 0, "recover", journal, "--csv", "saved.csv");
  assert_contains (self->err, "its journal stays");
  written = load (self, "saved.csv");
  assert_contains (written, ",pinned,10,");
  g_assert_null (strstr (written, ",managed,"));
  g_assert_true (exists (self, "state/memlane/journals/evil.journal"));
  EXITS (self, 0, "recover", journal, "--discard");
  g_assert_false (exists (self, "state/memlane/journals/evil.journal"));
}

#define KILLS 25

static guint
count_lines (Fixture *self, const char *name)
{
  g_autofree char *text = load (self, name);
  guint n = 0;

  for (const char *p = text; *p != '\0'; p++)
    n += *p == '\n';
  return n;
}

/* Kills a sweep at moments that are spread over its life and a little longer: its files are the old
 * ones or the new ones, and whole. */
static void
test_kills (Fixture *self, gconstpointer data)
{
  const char *const arguments[] = { "sweep", "-q", "-d", "simulated:h200", "-m", "pageable,pinned,mapped", "-s", "10:14",
                                    "--cell-seconds", "0.001", "-c", "out.csv", "--samples-csv", "samples.csv", NULL };
  gint64 whole = g_get_monotonic_time ();
  guint late = 0, n_lines, n_samples;

  run_arguments (self, NULL, arguments);
  assert_status (self, 0);
  whole = g_get_monotonic_time () - whole;
  n_lines = count_lines (self, "out.csv");
  n_samples = count_lines (self, "samples.csv");
  for (guint i = 0; i < KILLS; i++)
    {
      g_autoptr (GSubprocess) process = start_in (self, NULL, G_SUBPROCESS_FLAGS_STDERR_SILENCE, arguments);

      g_usleep ((gulong) (whole * i * 11 / (KILLS * 10)));
      g_subprocess_force_exit (process);
      g_subprocess_wait (process, NULL, NULL);
      late += g_subprocess_get_if_exited (process);
      g_assert_cmpuint (count_lines (self, "out.csv"), ==, n_lines);
      g_assert_cmpuint (count_lines (self, "samples.csv"), ==, n_samples);
    }
  g_test_message ("%u kills, %u of them too late", KILLS, late);
}

/* Who gets an export learns the file's name, not where it lay. */
static void
test_path_of_device (Fixture *self, gconstpointer data)
{
  static const char *const files[] = { "p.csv", "p.rounds.csv", "p.environment.json", "p.json", "p.cells.csv", "p.findings.csv" };
  g_autofree char *folder = in_folder (self, "secret"), *path = NULL, *device = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  path = g_build_filename (folder, "mine.device", NULL);
  save (self, "secret/mine.device", "[device]\nbased_on=h200\nname=mine\n", -1);
  device = g_strconcat ("simulated:", path, NULL);
  EXITS (self, 0, "sweep", "-q", "-d", device, "-m", "pinned", "-s", "10", "-c", "p.csv");
  EXITS (self, 0, "trace", "-d", device, "--mode", "pinned", "--size", "10", "--json", "p.json");
  EXITS (self, 0, "experiment", "run", "-q", "-d", device, "zero-copy-steps", "-c", "p.cells.csv",
         "--findings", "p.findings.csv");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = load (self, files[i]);

      if (i == 0)
        assert_contains (text, ",simulated:mine.device,");
      if (strstr (text, "secret") != NULL)
        g_error ("%s: found the folder of a device's profile, expected its name alone", files[i]);
    }
}

/* A worker answers from afar. What it is asked is no path, or it would tell of its files. */
static void
test_path_from_afar (Fixture *self, gconstpointer data)
{
  g_autofree char *hosts = g_strdup_printf ("[afar]\ncommand='%s' worker\n", g_getenv ("MEMLANE_CLI"));
  g_autofree char *folder = in_folder (self, "config/memlane");

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  save (self, "config/memlane/hosts", hosts, -1);
  save (self, "shadow", "root:secret\n", -1);
  EXITS (self, 0, "sweep", "-d", "afar/simulated:h200", "-m", "pinned", "-s", "10", "-c", "x.csv");
  for (guint i = 0; i < 2; i++)
    {
      FAILS (self, 2, "a device of another machine has no path", "sweep", "-d",
             i == 0 ? "afar/simulated:./shadow" : "afar/simulated:mine.device", "-m", "pinned", "-s", "10", "-c", "y.csv");
      g_assert_null (strstr (self->err, "secret"));
    }
}

/* A pipe without a writer among the profiles is one bad row. */
static void
test_pipe_among_profiles (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = in_folder (self, "share/memlane/devices"), *path = g_build_filename (folder, "pipe.device", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  EXITS (self, 0, "devices");
  assert_contains (self->out, "pipe.device: cannot be read: found a pipe, a folder or a device, expected a file");
  assert_contains (self->out, "simulated:h200 ");
}

/* A pipe that nobody reads, or writes, is not waited for. */
static void
test_pipes (Fixture *self, gconstpointer data)
{
  g_autofree char *pipe = in_folder (self, "pipe.csv");

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  FAILS (self, 2, "nobody reads this pipe", "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10", "-c", "pipe.csv");
  FAILS (self, 2, "found", "compare", ".");
}

/* Neither its file nor the journal has room for a run: it is kept elsewhere. */
static void
test_no_room (Fixture *self, gconstpointer data)
{
  g_autofree char *spare = in_folder (self, "spare"), *state = in_folder (self, "state"), *aside = in_folder (self, "aside");
  g_autofree char *written = NULL, *path = NULL, *before = g_strdup (g_getenv ("TMPDIR"));
  g_autoptr (GDir) folder = NULL;
  const char *name;

  g_assert_cmpint (g_rename (state, aside), ==, 0);
  save (self, "state", "no folder\n", -1);
  g_setenv ("TMPDIR", spare, TRUE);
  FAILS (self, 2, "has no room: the run is lost", "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10:12", "--csv",
         "/dev/full");

  g_assert_cmpint (g_mkdir (spare, 0700), ==, 0);
  FAILS (self, 2, "The run is in ", "sweep", "-q", "-d", "simulated:h200", "-m", "pinned", "-s", "10:12", "--csv", "/dev/full");
  folder = g_dir_open (spare, 0, NULL);
  name = g_dir_read_name (folder);
  g_assert_true (g_str_has_prefix (name, "memlane-")); /* a folder of its own, whose name nobody can foresee */
  path = strstr (self->err, "The run is in ") + strlen ("The run is in ");
  path = g_strndup (path, strcspn (path, "\n"));
  g_assert_true (g_str_has_suffix (path, "vector-add.csv"));
  g_assert_nonnull (strstr (path, name));
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  assert_contains (written, ",vector-add,pinned,12,");
  before != NULL ? (void) g_setenv ("TMPDIR", before, TRUE) : g_unsetenv ("TMPDIR");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/cli/hostile/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("deep-environment", test_deep_environment);
  ADD ("most-samples", test_most_samples);
  ADD ("terminal", test_terminal);
  ADD ("simulated", test_simulated);
  ADD ("profile", test_profile);
  ADD ("profile-name", test_profile_name);
  ADD ("output-is-input", test_output_is_input);
  ADD ("foreign-output", test_foreign_output);
  ADD ("more-cells", test_more_cells);
  ADD ("interrupted-again", test_interrupted_again);
  ADD ("kills", test_kills);
  ADD ("sparse-journal", test_sparse_journal);
  ADD ("damaged-journal", test_damaged_journal);
  ADD ("pipes", test_pipes);
  ADD ("no-room", test_no_room);
  ADD ("path-of-device", test_path_of_device);
  ADD ("path-from-afar", test_path_from_afar);
  ADD ("pipe-among-profiles", test_pipe_among_profiles);
  return g_test_run ();
}
