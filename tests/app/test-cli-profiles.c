/* test-cli-profiles.c: simulated devices as memlane-cli's users meet them: noise, what is extrapolated, profiles of one's own
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-fixture.h"

/* The rows of phase "elapsed", without the run's name. */
static char *
read_elapsed (Fixture *self, const char *name)
{
  g_autofree char *path = in_folder (self, name), *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *rows = g_string_new (NULL);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", 0);
  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], ",elapsed,host,") != NULL)
      g_string_append_printf (rows, "%s\n", strchr (lines[i], ','));
  return g_string_free (rows, FALSE);
}

static void
test_noise (Fixture *self, gconstpointer data)
{
  g_autofree char *first = NULL, *again = NULL, *other = NULL, *environment = NULL, *path = in_folder (self, "a.environment.json");
  const char *const common[] = { "--modes", "pinned", "--sizes", "12", "--quiet", "--device", "simulated:h200" };

#define SWEEP(csv, ...) \
  RUN (self, "sweep", common[0], common[1], common[2], common[3], common[4], common[5], common[6], "--csv", csv, __VA_ARGS__)
  SWEEP ("a.csv", "--noise", "recorded", "--seed", "7");
  assert_status (self, 0);
  SWEEP ("b.csv", "--noise", "recorded", "--seed", "7");
  SWEEP ("c.csv", "--noise", "recorded", "--seed", "8");
  assert_status (self, 0);
  first = read_elapsed (self, "a.csv");
  again = read_elapsed (self, "b.csv");
  other = read_elapsed (self, "c.csv");
  g_assert_cmpstr (first, ==, again);
  g_assert_cmpstr (first, !=, other);
  /* Said in the detail and in the environment; twelve rounds and an interval of some width. */
  assert_contains (first, "simulated:h200,");
  assert_contains (first, "simulated noise, seed 7");
  g_assert_true (g_str_has_suffix (first, ",12,other-sweeps\n"));
  g_assert_true (g_file_get_contents (path, &environment, NULL, NULL));
  assert_contains (environment, "\"NVIDIA H200, noise as recorded (simulated)\"");
  assert_contains (environment, "\"noise\" : \"recorded rounds, seed 7\"");
  assert_contains (environment, "\"exact\" : false");

  /* Off unless asked for. */
  SWEEP ("d.csv", "--seed", "7");
  g_clear_pointer (&first, g_free);
  first = read_elapsed (self, "d.csv");
  g_assert_null (strstr (first, "noise"));
  g_assert_true (g_str_has_suffix (first, ",1,exact\n"));
#undef SWEEP
}

static void
test_bad_noise (Fixture *self, gconstpointer data)
{
  FAILS (self, 1, "--noise: found \"pink\", expected recorded", "sweep", "--device", "simulated:h200", "--noise", "pink", "--csv", "-");
  FAILS (self, 1, "varies by itself; expected a simulated device", "sweep", "--device", "gpu1/cuda:0", "--hosts", "gpu1", "--noise",
         "recorded", "--csv", "runs");
  FAILS (self, 1, "round-trips has the step", "experiment", "run", "round-trips", "--device", "simulated:h200", "--noise", "recorded");
  {
    g_autofree char *path = in_folder (self, "plain.device");

    g_assert_true (g_file_set_contents (path, "[device]\nname=Plain (simulated)\n", -1, NULL));
    FAILS (self, 1, "no rounds were recorded beside this profile", "sweep", "--device", "simulated:./plain.device", "--noise", "recorded",
           "--csv", "x.csv");
  }
}

/* The sweeps of an experiment vary, too. */
static void
test_noisy_experiment (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "mine.experiment"), *rows = NULL;
  static const char text[] =
    "[Experiment]\nnumber=99\ntitle=t\nsource=test\nquestion=q\nclaim=c\nverdict=alike\n"
    "explanation=e\nsince=s\n"
    "[Sweep first]\nworkload=vector-add\nmodes=pinned;mapped\nsizes=10\n"
    "[Check alike]\nclaim=c\ntest=first:mapped/elapsed@10 < first:pinned/elapsed@10\n";

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  EXITS (self, 0, "experiment", "run", "./mine.experiment", "--device", "simulated:h200", "--noise",
         "recorded", "--csv", "a.csv", "--quiet");
  rows = read_elapsed (self, "a.csv");
  assert_contains (rows, "simulated noise, seed 20180501");
  g_assert_true (g_str_has_suffix (rows, ",12,other-sweeps\n"));
}

/* What nothing was fitted to says so, and what was does not. */
static void
test_extrapolated (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "small.device"), *rows = NULL;

  g_assert_true (g_file_set_contents (path, "[device]\nname=Small (simulated)\n[recorded vector-add reuse=1]\nlog2=10;12\n"
                                            "pinned/elapsed/host=1e5/1e5;1e5/1e5\nstreams-depth-first:8x8/elapsed/host=1e5/1e5;1e5/1e5\n"
                                            "[recorded vector-add reuse=16]\nlog2=10;12\npinned/elapsed/host=1e5/1e5;1e5/1e5\n",
                                      -1, NULL));
  EXITS (self, 0, "sweep", "--device", "simulated:./small.device", "--modes", "pinned,mapped,streams-depth-first", "--sizes", "12:13",
         "--csv", "a.csv", "--quiet");
  rows = read_elapsed (self, "a.csv");
  assert_contains (rows, "extrapolated: not recorded at this size");
  assert_contains (rows, "extrapolated: not recorded in this mode");
  assert_contains (rows, ",vector-add,pinned,12,");
  for (const char *row = rows; *row != '\0'; row = strchr (row, '\n') + 1)
    {
      g_autofree char *line = g_strndup (row, strcspn (row, "\n"));
      gboolean is_known = strstr (line, ",12,4096,") != NULL && strstr (line, ",mapped,") == NULL;

      g_assert_cmpint (strstr (line, "extrapolated") == NULL, ==, is_known);
    }
  g_clear_pointer (&rows, g_free);
  EXITS (self, 0, "sweep", "--device", "simulated:./small.device", "--modes", "pinned,streams-depth-first", "--sizes", "12", "--reuse",
         "17", "--streams", "4", "--csv", "b.csv", "--quiet");
  rows = read_elapsed (self, "b.csv");
  assert_contains (rows, "extrapolated: not recorded at this reuse");
  assert_contains (rows, "extrapolated: not recorded with so many streams and chunks");
}

/* Profiles in the user's own folder are listed and found by name; one that cannot be read says why. */
static void
test_user_profiles (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = in_folder (self, "share/memlane/devices"), *bad = g_build_filename (folder, "bad.device", NULL);
  g_autofree char *mine = g_build_filename (folder, "mine.device", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (mine, "[device]\nname=Mine (simulated)\n", -1, NULL));
  g_assert_true (g_file_set_contents (bad, "[device]\nname=Bad\nmemory_bytes=-1\n", -1, NULL));
  EXITS (self, 0, "devices");
  assert_contains (self->out, "simulated:mine ");
  assert_contains (self->out, "Mine (simulated)");
  assert_contains (self->out, "simulated:bad ");
  assert_contains (self->out, "memory_bytes");
  EXITS (self, 0, "sweep", "--device", "simulated:mine", "--modes", "pinned", "--sizes", "10", "--csv", "-");
  assert_contains (self->out, ",simulated:mine,");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, make_folder, function, tear_down)
  ADD ("/cli-profiles/noise", test_noise);
  ADD ("/cli-profiles/bad-noise", test_bad_noise);
  ADD ("/cli-profiles/noisy-experiment", test_noisy_experiment);
  ADD ("/cli-profiles/extrapolated", test_extrapolated);
  ADD ("/cli-profiles/user-profiles", test_user_profiles);
#undef ADD
  return g_test_run ();
}
