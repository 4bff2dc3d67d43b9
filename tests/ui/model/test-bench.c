/* test-bench.c: one job at a time, its turn, its words, its end, and all of them at once when the window closes
 *
 * SPDX-License-Identifier: MIT
 */
#include "model/bench.h"

#include <string.h>

#include "model-bench.h"

/* What was done to the jobs, in order: "start a", "stop a", "drop b". */
typedef struct
{
  MemlaneBench *bench;
  GString *done;
  guint n_changed;
  gboolean ends_at_once; /* when it is told to stop */
} Stage;

static void
start_cb (gpointer owner, gpointer data)
{
  g_string_append_printf (((Stage *) owner)->done, "start %s;", (const char *) data);
}

static void
stop_cb (gpointer owner, gpointer data)
{
  Stage *stage = owner;

  g_string_append_printf (stage->done, "stop %s;", (const char *) data);
  if (stage->ends_at_once)
    memlane_bench_end (stage->bench);
}

static void
drop_cb (gpointer owner, gpointer data)
{
  g_string_append_printf (((Stage *) owner)->done, "drop %s;", (const char *) data);
}

static const MemlaneBenchJob sweep = { MEMLANE_BENCH_SWEEP, start_cb, stop_cb, NULL };
static const MemlaneBenchJob trace = { MEMLANE_BENCH_TRACE, start_cb, stop_cb, drop_cb };
static const MemlaneBenchJob experiment = { MEMLANE_BENCH_EXPERIMENT, start_cb, stop_cb, NULL };

static void
changed_cb (Stage *stage)
{
  stage->n_changed++;
}

static void
set_up (Stage *stage, gconstpointer data)
{
  stage->bench = memlane_bench_new ();
  stage->done = g_string_new (NULL);
  g_signal_connect_swapped (stage->bench, "changed", G_CALLBACK (changed_cb), stage);
}

static void
tear_down (Stage *stage, gconstpointer data)
{
  g_assert_finalize_object (stage->bench);
  g_string_free (stage->done, TRUE);
}

static void
expect (Stage *stage, gboolean is_running, gboolean is_stopping, double is_fraction, const char *is_status)
{
  g_autofree char *status = NULL;
  gboolean running, stopping;
  double fraction;

  g_object_get (stage->bench, "running", &running, "stopping", &stopping, "fraction", &fraction, "status", &status, NULL);
  g_assert_cmpint (running, ==, is_running);
  g_assert_cmpint (stopping, ==, is_stopping);
  g_assert_cmpfloat (fraction, ==, is_fraction);
  g_assert_cmpstr (status, ==, is_status);
  g_assert_cmpint (memlane_bench_is_running (stage->bench), ==, is_running);
  g_assert_cmpint (stage->bench->stopping, ==, is_stopping);
}

/* What refuses a job of each kind, sweep, trace, experiment; NULL: nothing does. */
static void
expect_objections (Stage *stage, const char *const words[3])
{
  for (guint kind = 0; kind < 3; kind++)
    {
      const char *objection = memlane_bench_get_objection (stage->bench, kind);

      g_assert_cmpint (objection != NULL, ==, words[kind] != NULL);
      g_assert_true (objection == NULL || strstr (objection, words[kind]) != NULL);
    }
}

static void
test_turns (Stage *stage, gconstpointer data)
{
  expect (stage, FALSE, FALSE, 0, "");
  expect_objections (stage, (const char *[3]) { NULL, NULL, NULL });
  memlane_bench_put (stage->bench, &trace, stage, (gpointer) "a");
  memlane_bench_put (stage->bench, &trace, stage, (gpointer) "b");
  g_assert_cmpstr (stage->done->str, ==, "start a;");
  g_assert_cmpuint (stage->n_changed, ==, 2);
  g_assert_true (memlane_bench_has (stage->bench, MEMLANE_BENCH_TRACE));
  g_assert_false (memlane_bench_has (stage->bench, MEMLANE_BENCH_SWEEP));
  expect_objections (stage, (const char *[3]) { "A trace is being recorded", NULL, "A trace is being recorded" });
  memlane_bench_report (stage->bench, "half", 0.5);
  expect (stage, TRUE, FALSE, 0.5, "half");
  memlane_bench_report (stage->bench, NULL, 0.75);
  expect (stage, TRUE, FALSE, 0.75, "half");
  memlane_bench_report (stage->bench, "more", -1);
  expect (stage, TRUE, FALSE, 0.75, "more");

  memlane_bench_end (stage->bench);
  g_assert_cmpstr (stage->done->str, ==, "start a;start b;");
  expect (stage, TRUE, FALSE, 0, "");
  memlane_bench_end (stage->bench);
  expect (stage, FALSE, FALSE, 0, "");
  g_assert_cmpstr (stage->done->str, ==, "start a;start b;");

  memlane_bench_put (stage->bench, &sweep, stage, (gpointer) "s");
  expect_objections (stage, (const char *[3]) { "A sweep is running: ", "recording would disturb it", "A sweep is running: " });
  memlane_bench_end (stage->bench);
  memlane_bench_put (stage->bench, &experiment, stage, (gpointer) "e");
  expect_objections (stage, (const char *[3]) { "An experiment is running", "An experiment is running", "Another experiment" });
  memlane_bench_end (stage->bench);
}

static void
test_stop (Stage *stage, gconstpointer data)
{
  memlane_bench_stop (stage->bench); /* nothing goes on */
  expect (stage, FALSE, FALSE, 0, "");
  for (guint i = 0; i < 3; i++)
    memlane_bench_put (stage->bench, &trace, stage, (gpointer) (const char *[3]) { "a", "b", "c" }[i]);
  memlane_bench_stop (stage->bench);
  g_assert_cmpstr (stage->done->str, ==, "start a;stop a;drop b;drop c;");
  expect (stage, TRUE, TRUE, 0, "");
  memlane_bench_stop (stage->bench); /* told once */
  g_assert_cmpstr (stage->done->str, ==, "start a;stop a;drop b;drop c;");
  memlane_bench_put (stage->bench, &trace, stage, (gpointer) "d"); /* the person has turned to this one */
  memlane_bench_end (stage->bench);
  g_assert_cmpstr (stage->done->str, ==, "start a;stop a;drop b;drop c;start d;");
  expect (stage, TRUE, FALSE, 0, "");
  stage->ends_at_once = TRUE;
  memlane_bench_stop (stage->bench);
  expect (stage, FALSE, FALSE, 0, "");
}

static gboolean
end_cb (gpointer data)
{
  memlane_bench_end (((Stage *) data)->bench);
  return G_SOURCE_REMOVE;
}

static gboolean
count_down (gpointer data)
{
  guint *left = data;

  return *left > 0;
}

static gboolean
less_cb (gpointer data)
{
  guint *left = data;

  return --*left > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
test_shut_down (Stage *stage, gconstpointer data)
{
  guint left = 3;

  memlane_bench_put (stage->bench, &sweep, stage, (gpointer) "s");
  g_timeout_add (10, end_cb, stage);
  g_timeout_add (20, less_cb, &left);
  memlane_bench_shut_down (stage->bench);
  g_assert_cmpuint (left, >, 0);
  memlane_bench_wait (count_down, &left);
  g_assert_cmpuint (left, ==, 0);
  g_assert_cmpstr (stage->done->str, ==, "start s;stop s;");
  expect (stage, FALSE, FALSE, 0, "");
  expect_objections (stage, (const char *[3]) { "closing", "closing", "closing" });
  memlane_bench_shut_down (stage->bench);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/bench/" name, Stage, NULL, set_up, function, tear_down)
  ADD ("turns", test_turns);
  ADD ("stop", test_stop);
  ADD ("shut-down", test_shut_down);
#undef ADD
  return g_test_run ();
}
