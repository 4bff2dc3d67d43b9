/* test-same-machine.c: what two environments say about the machine
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "analysis/same-machine.h"
#include "engine/set-environment.h"
#include "result/csv.h"

/* A run whose environment has @driver, @kernel and @precision. */
static MemlaneRun *
make_run (const char *kind, const char *driver, const char *kernel, const char *precision)
{
  MemlaneRun *run = memlane_run_new ("r", "cuda:0", kind);

  set_environment (run, "{ \"memlane\": { \"version\": \"0.1.0\" }, "
                                      "\"device\": { \"kind\": \"%s\", \"name\": \"NVIDIA H200\", "
                                      "\"driver\": \"%s\", \"simulated\": false }, \"link\": { \"generation\": 5, \"width\": 16 }, "
                                      "\"host\": { \"cpu\": \"X\", \"kernel\": \"%s\" }, \"method\": { \"precision\": %s } }",
                                      kind, driver, kernel, precision);
  return run;
}

static void
test_same (void)
{
  g_autoptr (MemlaneRun) a = make_run ("cuda", "580", "Linux 6", "0.02"), b = make_run ("cuda", "580", "Linux 6", "0.02");
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);

  g_assert_cmpint (comparison->verdict, ==, MEMLANE_MACHINE_SAME);
  g_assert_cmpuint (comparison->differences->len, ==, 0);
  g_assert_cmpstr (comparison->sentence, ==, "The same machine: NVIDIA H200.");
}

static void
test_different (void)
{
  g_autoptr (MemlaneRun) a = make_run ("cuda", "580", "Linux 6", "0.02"), b = make_run ("cuda", "570", "Linux 5", "0.01");
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);

  g_assert_cmpint (comparison->verdict, ==, MEMLANE_MACHINE_DIFFERENT);
  g_assert_cmpuint (comparison->differences->len, ==, 3);
  /* The method first: it changes figures most. */
  g_assert_cmpstr (comparison->sentence, ==,
                   "Different machines: precision: 0.02 and 0.01; driver: 580 and 570; kernel: Linux 6 and Linux 5.");
}

static void
test_method (void)
{
  g_autoptr (MemlaneRun) a = make_run ("cuda", "580", "Linux 6", "0.02"), b = make_run ("cuda", "580", "Linux 6", "0.5");
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);

  g_assert_cmpint (comparison->verdict, ==, MEMLANE_MACHINE_SAME);
  g_assert_cmpuint (comparison->differences->len, ==, 1);
  g_assert_cmpstr (comparison->sentence, ==, "The same machine, measured in another way: precision: 0.02 and 0.5.");
}

/* Two devices of one kind are two machines; one that was started anew is the same. Runs that recorded neither are compared as before. */
static void
test_identity (void)
{
  static const struct { const char *uuid, *boot, *reuse; MemlaneMachineVerdict verdict; const char *sentence; } cases[] = {
    { "GPU-1", "B1", "1", MEMLANE_MACHINE_SAME, "The same machine: NVIDIA H200." },
    { "GPU-2", "B1", "1", MEMLANE_MACHINE_DIFFERENT, "Different machines: UUID of the device: GPU-1 and GPU-2." },
    { "GPU-2", "B2", "1", MEMLANE_MACHINE_DIFFERENT, "Different machines: UUID of the device: GPU-1 and GPU-2; boot: B1 and B2." },
    { "GPU-1", "B2", "1", MEMLANE_MACHINE_SAME, "The same machine, measured in another way: boot: B1 and B2." },
    { "GPU-1", "B2", "16", MEMLANE_MACHINE_SAME, "The same machine, measured in another way: reuse: 1 and 16; boot: B1 and B2." },
    { NULL, NULL, "1", MEMLANE_MACHINE_SAME, "The same machine: NVIDIA H200." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MemlaneRun) a = memlane_run_new ("a", "cuda:0", "cuda"), b = memlane_run_new ("b", "cuda:0", "cuda");
      MemlaneRun *const runs[2] = { a, b };
      g_autoptr (MemlaneMachineComparison) comparison = NULL;

      for (guint k = 0; k < 2; k++)
        {
          const char *uuid = k == 0 ? "GPU-1" : cases[i].uuid, *boot = k == 0 ? "B1" : cases[i].boot;
          g_autofree char *of_device = uuid != NULL ? g_strdup_printf (", \"uuid\": \"%s\"", uuid) : g_strdup ("");
          g_autofree char *of_host = boot != NULL ? g_strdup_printf (", \"boot_id\": \"%s\"", boot) : g_strdup ("");

          set_environment (runs[k], "{ \"device\": { \"kind\": \"cuda\", \"name\": \"NVIDIA H200\"%s }, \"host\": { "
                                                  "\"cpu\": \"X\"%s }, \"method\": { \"reuse\": %s } }",
                                                  of_device, of_host, k == 0 ? "1" : cases[i].reuse);
        }
      comparison = memlane_machine_compare (runs[0], runs[1]);
      g_assert_cmpint (comparison->verdict, ==, cases[i].verdict);
      g_assert_cmpstr (comparison->sentence, ==, cases[i].sentence);
    }
}

/* The host of a simulated device changes nothing; a simulated device is never the real one. */
/* Encrypted copies are those of another machine. What a run does not tell is no difference. */
static void
test_confidential (void)
{
  static const char *const setups[] = { "", ", \"setup\": { \"confidential\": \"on\" }",
                                        ", \"setup\": { \"confidential\": \"off\" }" };

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++)
      {
        g_autoptr (MemlaneRun) a = memlane_run_new ("a", "cuda:0", "cuda");
        g_autoptr (MemlaneRun) b = memlane_run_new ("b", "cuda:0", "cuda");
        g_autoptr (MemlaneMachineComparison) comparison = NULL;

        set_environment (a, "{ \"device\": { \"name\": \"H100\" }%s }", setups[i]);
        set_environment (b, "{ \"device\": { \"name\": \"H100\" }%s }", setups[k]);
        comparison = memlane_machine_compare (a, b);
        g_assert_cmpint (comparison->verdict, ==,
                         i * k == 2 ? MEMLANE_MACHINE_DIFFERENT : MEMLANE_MACHINE_SAME);
        if (i == 1 && k == 2)
          g_assert_cmpstr (comparison->sentence, ==,
                           "Different machines: confidential computing: on and off.");
      }
}

static void
test_simulated (void)
{
  g_autoptr (MemlaneRun) a = make_run ("simulated", "", "Linux 6", "0.02"), b = make_run ("simulated", "", "Linux 5", "0.02");
  g_autoptr (MemlaneRun) c = make_run ("cuda", "", "Linux 6", "0.02");
  g_autoptr (MemlaneMachineComparison) both = memlane_machine_compare (a, b), one = memlane_machine_compare (a, c);

  g_assert_cmpint (both->verdict, ==, MEMLANE_MACHINE_SAME);
  g_assert_cmpint (one->verdict, ==, MEMLANE_MACHINE_DIFFERENT);
  g_assert_true (g_str_has_prefix (one->sentence, "Different machines: kind of device: simulated and cuda"));
}

static void
test_unknown (void)
{
  static const char *const environments[] = { NULL, "", "{", "[]", "3", "{}", "{ \"device\": 3 }", "{ \"device\": { \"name\": [] } }" };
  g_autoptr (MemlaneRun) a = make_run ("cuda", "580", "Linux 6", "0.02");

  for (guint i = 0; i < G_N_ELEMENTS (environments); i++)
    {
      g_autoptr (MemlaneRun) b = memlane_run_new ("lonely", "cuda:0", "cuda");
      g_autoptr (MemlaneMachineComparison) comparison = NULL, reverse = NULL, neither = NULL;

      set_environment (b, environments[i] != NULL ? "%s" : NULL, environments[i]);
      comparison = memlane_machine_compare (a, b);
      reverse = memlane_machine_compare (b, a);
      neither = memlane_machine_compare (b, b);
      g_assert_cmpint (comparison->verdict, ==, MEMLANE_MACHINE_UNKNOWN);
      g_assert_cmpuint (comparison->differences->len, ==, 0);
      g_assert_nonnull (strstr (comparison->sentence, "run lonely has no environment"));
      g_assert_cmpstr (reverse->sentence, ==, comparison->sentence);
      g_assert_nonnull (strstr (neither->sentence, "no run has"));
    }
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
  g_autoptr (MemlaneRun) old = make_run ("cuda", "580", "Linux 6", "0.02");
  g_autoptr (MemlaneMachineComparison) same = NULL, slower = memlane_machine_compare (fast, slow);
  g_autoptr (MemlaneMachineComparison) always_slow = memlane_machine_compare (steady, fast);
  g_autofree char *one = say_host (fast), *two = say_host (slow);

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
  g_test_add_func ("/same-machine/same", test_same);
  g_test_add_func ("/same-machine/different", test_different);
  g_test_add_func ("/same-machine/method", test_method);
  g_test_add_func ("/same-machine/identity", test_identity);
  g_test_add_func ("/same-machine/confidential", test_confidential);
  g_test_add_func ("/same-machine/simulated", test_simulated);
  g_test_add_func ("/same-machine/host-state", test_host_state);
  g_test_add_func ("/same-machine/host-correction", test_host_correction);
  g_test_add_func ("/same-machine/unknown", test_unknown);
  return g_test_run ();
}
