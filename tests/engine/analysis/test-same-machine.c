/* test-same-machine.c: what two environments say about the machine
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "analysis/same-machine.h"
#include "engine/cases.h"
#include "engine/set-environment.h"
#include "result/csv.h"

/* A run of the kind of device that its environment, "-" for none, tells. */
static MemlaneRun *
run_of_environment (const char *id, const char *environment)
{
  MemlaneRun *run = memlane_run_new (id, "cuda:0", "cuda");
  const char *kind;

  if (*environment != '-')
    set_environment (run, "%s", environment);
  kind = memlane_environment_get_device_kind (run->environment);
  if (kind != NULL)
    {
      g_free (run->device_kind);
      run->device_kind = g_strdup (kind);
    }
  return run;
}

/* A line for each of two runs. */
static char *
answer_environments (const char *asked)
{
  static const char *const verdicts[] = { "same", "different", "unknown" };
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (MemlaneRun) a = run_of_environment ("a", lines[0]);
  g_autoptr (MemlaneRun) b = run_of_environment ("b", lines[1]);
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);
  g_autoptr (MemlaneMachineComparison) back = memlane_machine_compare (b, a);

  g_assert_cmpint (comparison->verdict, ==, back->verdict);
  return g_strdup_printf ("%s, %u differences: %s", verdicts[comparison->verdict],
                          comparison->differences->len, comparison->sentence);
}

static void
test_environments (void)
{
  check_cases ("analysis", "same-machine.txt", answer_environments);
}

/* A run of two rounds whose visits took @a and @b times the best launch of 3500 ns, the host @speed times as fast. */
static MemlaneRun *
make_host_run (double speed, double a, double b)
{
  MemlaneRun *run = memlane_run_new ("r", "cuda:0", "cuda");
  const double pair = 30 / speed, launch = 3500 / speed, copy = 90 / speed;

  set_environment (run, "{ \"device\": { \"kind\": \"cuda\", \"name\": \"NVIDIA H200\", \"simulated\": false }, \"rounds\": ["
                        "{ \"round\": 1, \"host_best_ns\": [%g, %g, %g], \"host_usual_ns\": [%g, %g, %g] }, { \"round\": 2 }, "
                        "{ \"round\": 3, \"host_best_ns\": [%g, %g, %g], \"host_usual_ns\": [%g, %g, %g] } ] }",
                   pair, launch, copy, a * pair, a * launch, a * copy, 1.2 * pair, 1.2 * launch, 1.2 * copy, b * pair, b * launch,
                   b * copy);
  return run;
}

static char *
say_host (const MemlaneRun *run)
{
  g_autoptr (GPtrArray) answers = memlane_answers_new ();

  memlane_host_state_describe (run->environment, answers);
  return answers->len > 0 ? memlane_answer_format (answers->pdata[0], NULL, NULL, NULL) : NULL;
}

/* The host's state is told of one run, and of two where it is another one. Runs that have not probed it say nothing. */
static void
test_host_state (void)
{
  g_autoptr (MemlaneRun) fast = make_host_run (1, 1.01, 1.04), slow = make_host_run (1, 1.3, 1.5), steady = make_host_run (0.7, 1, 1);
  g_autoptr (MemlaneRun) old = memlane_run_new ("r", "cuda:0", "cuda");
  g_autoptr (MemlaneMachineComparison) same = NULL, slower = memlane_machine_compare (fast, slow);
  g_autoptr (MemlaneMachineComparison) always_slow = memlane_machine_compare (steady, fast);
  g_autofree char *one = say_host (fast), *two = say_host (slow);

  set_environment (old, "{ \"device\": { \"kind\": \"cuda\", \"name\": \"NVIDIA H200\" } }");
  g_assert_null (say_host (old));
  g_assert_cmpstr (one, ==, "The host kept its best speed to 4 %.");
  g_assert_cmpstr (two, ==, "The host was 1.4 times slower than at its best, 1.3 to 1.5 times from round to round.");
  g_assert_cmpstr (slower->sentence, ==, "The same machine, measured in another way: time of the host, 1 at its best: 1.02 and 1.40.");
  g_assert_true (g_str_has_suffix (always_slow->sentence, ": time of the host, 1 at its best: 1.43 and 1.02."));
  same = memlane_machine_compare (fast, fast);
  g_assert_cmpuint (same->differences->len, ==, 0);
}

/* The recorded pair of one machine, minutes apart: slopes of other sweeps bring its total times together, if its host changed. A run has
 * nothing to correct against itself. */
static void
test_host_correction (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", NULL);
  g_autofree char *path = g_build_filename (folder, "h200-vector-add.csv", NULL);
  g_autofree char *other_path = g_build_filename (folder, "h200-vector-add-cold.csv", NULL);
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, NULL);
  g_autoptr (GPtrArray) others = memlane_csv_read (other_path, NULL, NULL);
  const MemlaneRun *run = runs->pdata[0], *other = others->pdata[0];
  g_autoptr (GPtrArray) answers = memlane_host_state_explain (run, other, "vector-add");
  g_autoptr (GPtrArray) none = memlane_host_state_explain (run, run, "vector-add");
  g_autofree char *text = answers->len > 0 ? memlane_answer_format (answers->pdata[0], NULL, NULL, NULL) : NULL;
  MemlaneHostCorrection correction;

  g_assert_cmpuint (none->len, ==, 0);
  memlane_host_state_correct (run, other, "vector-add", &correction);
  g_test_message ("%u cells, host %.2f: %.1f %%, then %.1f %%: %s", correction.n, correction.speed, 100 * correction.before,
                  100 * correction.after, text);
  g_assert_cmpuint (correction.n, >, 150);
  g_assert_cmpuint (answers->len, ==, 1);
  g_assert_cmpfloat (correction.before, >, 0.1);
  g_assert_cmpfloat (correction.after, <, 0.06);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/same-machine/environments", test_environments);
  g_test_add_func ("/same-machine/host-state", test_host_state);
  g_test_add_func ("/same-machine/host-correction", test_host_correction);
  return g_test_run ();
}
