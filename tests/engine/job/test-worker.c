/* test-worker.c: workers that misbehave: each is an error in words, nothing measured before is
 * lost, no process stays behind
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "analysis/control.h"
#include "job/requests.h"
#include "job/experiment-runner.h"
#include "job/job.h"
#include "experiment/procedure/procedure.h"
#include "result/environment.h"
#include "engine/cases.h"
#include "worker-fixture.h"

#define PROTOCOL G_STRINGIFY (MEMLANE_WORKER_PROTOCOL)
#define HELLO "echo '{\"type\":\"hello\",\"protocol\":" PROTOCOL ",\"version\":\"9\"}'\n"
/* KiB that hearing a worker out may take; what a sanitizer keeps of freed memory comes on top. */
#ifdef __SANITIZE_ADDRESS__
#define MOST_MEMORY (1 << 20)
#else
#define MOST_MEMORY (64 << 10)
#endif

typedef struct
{
  GMainLoop *loop;
  guint heard;
  gboolean done;
  GError *error;
} Talk;

static gboolean
take_device (gpointer self, MemlaneMessage *message, GError **error)
{
  Talk *talk = self;

  talk->heard++;
  return TRUE;
}

static const MemlaneJobHandler handlers[]
    = { { MEMLANE_MESSAGE_DEVICE, take_device }, { 0, NULL } };

static void
talked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Talk *talk = user_data;

  talk->done = memlane_job_run_finish (result, &talk->error);
  g_main_loop_quit (talk->loop);
}

static void
talk_to (Talk *talk, GCancellable *cancellable)
{
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_DEVICES };

  talk->loop = g_main_loop_new (NULL, FALSE);
  memlane_job_run_async (NULL, &request, 0, handlers, talk, cancellable, talked_cb, talk);
  g_main_loop_run (talk->loop);
  g_clear_pointer (&talk->loop, g_main_loop_unref);
}

/* KiB of memory that this process has had at most. */
static guint64
get_peak (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, "VmHWM:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10);
}

/* Becomes the worker. HELLO stands for a worker's first word, PROTOCOL for its number, WORKER for
 * the real one. */
static void
play (const char *asked)
{
  g_autoptr (GString) script = g_string_new (asked);

  g_string_replace (script, "HELLO\n", HELLO, 0);
  g_string_replace (script, "PROTOCOL", PROTOCOL, 0);
  g_string_replace (script, "WORKER", "\"$PROGRAM\" worker", 0);
  use_script (script->str);
}

static char *
answer_liar (const char *asked)
{
  static const char *const codes[] = { "start", "version", "protocol", "silent", "died" };
  Talk talk = { 0 };
  guint64 before = get_peak ();
  char *answer;

  play (asked);
  g_setenv ("MEMLANE_DEADLINE", "0.5", TRUE);
  talk_to (&talk, NULL);
  g_unsetenv ("MEMLANE_DEADLINE");
  g_assert_false (talk.done);
  g_assert_cmpuint (talk.error->domain, ==, MEMLANE_WORKER_ERROR);
  g_assert_true (g_utf8_validate (talk.error->message, -1, NULL));
  for (const char *at = talk.error->message; *at != '\0'; at++)
    g_assert_false (g_ascii_iscntrl (*at));
  answer = g_strdup_printf ("%s: %s", codes[talk.error->code], talk.error->message);
  if (strstr (answer, "this is Memlane ") != NULL)
    strstr (answer, "this is Memlane ")[strlen ("this is Memlane")] = '\0'; /* its version */
  g_clear_error (&talk.error);
  assert_all_gone (asked);
  g_assert_cmpuint (get_peak (), <,
                    before + MOST_MEMORY); /* the kernel's figure may fall by some pages */
  return answer;
}

static void
test_liars (void)
{
  check_cases ("job", "liars.txt", answer_liar);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
answer_trace (const char *asked)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneLabPlan plan = { .log2_elements = 10 };
  guint n = 0;

  play (asked);
  memlane_recording_lab_async ("simulated:h200", &plan, NULL, NULL, recorded_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  trace = g_task_propagate_pointer (G_TASK (result), &error);
  assert_all_gone (asked);
  if (trace == NULL)
    return g_strdup (error->message);
  memlane_trace_get_events (trace, &n);
  return g_strdup_printf ("%u events", n);
}

/* A trace comes in pieces, and is read as strictly as a file. */
static void
test_traces (void)
{
  check_cases ("job", "traces.txt", answer_trace);
}

/* A worker that does not hear that it is to stop is ended. */
static gboolean
stop_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_deaf (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Talk talk = { 0 };
  guint64 before = get_peak ();

  use_script (HELLO "head -c 3000000 /dev/urandom >&2\nexec sleep 100");
  g_timeout_add (500, stop_cb, cancellable);
  talk_to (&talk, cancellable);
  g_assert_error (talk.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&talk.error);
  assert_all_gone ("deaf");
  g_assert_cmpuint (get_peak (), <,
                    before + MOST_MEMORY); /* the kernel's figure may fall by some pages */
}

/* Whoever has answered may end as it likes. */
static void
test_answered (void)
{
  static const char *const ends[]
      = { "exit 9", "kill -SEGV $$", "trap '' TERM; while :; do sleep 1; done", "yes" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *body = g_strconcat (HELLO "echo '{\"type\":\"done\"}'\n", ends[i], NULL);
      Talk talk = { 0 };

      use_script (body);
      talk_to (&talk, NULL);
      g_assert_no_error (talk.error);
      g_assert_true (talk.done);
      assert_all_gone (ends[i]);
    }
}

/* A program that ends takes its workers along, whatever they do. */
static gboolean
end_all_cb (gpointer data)
{
  memlane_workers_end ();
  return G_SOURCE_REMOVE;
}

static void
test_end_all (void)
{
  Talk talk = { 0 };

  use_script (HELLO "trap '' TERM INT HUP; while :; do sleep 1; done");
  g_timeout_add (200, end_all_cb, NULL);
  talk_to (&talk, NULL);
  g_assert_error (talk.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&talk.error);
  assert_all_gone ("all");
}

/* --- sweeps ----------------------------------------------------------------------------------- */

/* Lines NAME=VALUE are set in the environment; the rest is the worker. */
static char *
answer_sweep (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (GRegex) call = g_regex_new ("at call [0-9]+", 0, 0, NULL);
  g_autoptr (GString) said = g_string_new (NULL);
  g_auto (Outcome) outcome = { 0 };
  guint n = 0;

  for (; g_str_has_prefix (lines[n], "MEMLANE_"); n++)
    {
      g_auto (GStrv) pair = g_strsplit (lines[n], "=", 2);

      g_setenv (pair[0], pair[1], TRUE);
      asked += strlen (lines[n]) + 1;
    }
  play (asked);
  sweep_to_end (&outcome, "simulated:h200", "pinned,mapped", "10:12");
  while (n-- > 0)
    {
      *strchr (lines[n], '=') = '\0';
      g_unsetenv (lines[n]);
    }
  assert_all_gone (asked);
  g_assert_null (outcome.problem);
  if (outcome.run == NULL)
    return g_strdup_printf ("0 measured: %s", outcome.error->message);
  g_string_printf (said, "%u measured%s%s", count_measured (outcome.run),
                   outcome.trouble != NULL ? ": " : "",
                   outcome.trouble != NULL ? outcome.trouble : "");
  MEMLANE_FOR_EACH (const MemlaneCell, cell, outcome.run->cells)
    if (cell->status != MEMLANE_STATUS_OK)
      g_string_append_printf (said, "\n  %s %g: %s: %s", cell->mode, cell->log2_elements,
                              memlane_status_name (cell->status), cell->detail);
  return g_regex_replace_literal (call, said->str, -1, 0, "at call N", 0, NULL);
}

static void
test_sweep_liars (void)
{
  check_cases ("job", "sweeps.txt", answer_sweep);
}

/* --- rounds ----------------------------------------------------------------------------------- */

static const MemlaneFigure *
get_elapsed (const MemlaneRun *run, const char *mode, guint log2_elements)
{
  const MemlaneCell *cell = memlane_run_find (run, "vector-add", mode, log2_elements);
  const MemlaneFigure *elapsed
      = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

  g_assert_nonnull (elapsed);
  return elapsed;
}

/* Six processes, each with an order of its own; the same seed gives the same orders. */
static void
test_rounds (void)
{
  g_auto (Outcome) one = { .noise = TRUE }, other = { .noise = TRUE };
  const char *device = "simulated:h200";
  guint first_places = 0;

  use_script ("exec \"$PROGRAM\" worker --local");
  sweep_to_end (&one, device, "pinned,portable", "10:11");
  sweep_to_end (&other, device, "pinned,portable", "10:11");
  g_assert_no_error (one.error);
  g_assert_null (one.trouble);
  g_assert_cmpuint (one.run->cells->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const MemlaneCell *cell = one.run->cells->pdata[i];
      const MemlaneFigure *elapsed = get_elapsed (one.run, cell->mode, cell->log2_elements);
      const MemlaneFigure *again = get_elapsed (other.run, cell->mode, cell->log2_elements);

      g_assert_cmpuint (elapsed->n_rounds, ==, 6);
      g_assert_cmpint (elapsed->status, ==, MEMLANE_STATUS_OK);
      g_assert_cmpfloat (elapsed->statistics.low, <,
                         elapsed->statistics.high); /* processes differ */
      for (guint k = 0; k < 6; k++)
        {
          g_assert_cmpuint (elapsed->rounds[k].round, ==, k + 1);
          g_assert_cmpuint (elapsed->rounds[k].place, ==, again->rounds[k].place);
          g_assert_cmpfloat (elapsed->rounds[k].median, ==, again->rounds[k].median);
          first_places += elapsed->rounds[k].place == elapsed->rounds[0].place;
        }
    }
  g_assert_cmpuint (first_places, <, 24); /* not all rounds have one order */
  assert_says ("rounds", memlane_environment_get_json (one.run->environment), "\"took_ms\"");
  assert_says ("rounds",
               strstr (memlane_environment_get_json (one.run->environment), "\"rounds\" :"),
               "\"first_pinned_ns\"");
  assert_says ("control", memlane_environment_get_json (one.run->environment), "\"pairs\" : 2");
}

/* A worker that is lost in the fourth round: that cell lacks a round and says why, the others are
 * asked of the next worker. */
static void
test_lost_round (void)
{
  g_auto (Outcome) outcome = { .noise = TRUE };
  const char *device = "simulated:h200";
  const MemlaneCell *cell;

  use_script ("exec \"$PROGRAM\" worker --local");
  g_setenv ("MEMLANE_FAULT", "crash@mapped:11#4", TRUE);
  sweep_to_end (&outcome, device, "pinned,mapped", "10:11");
  g_unsetenv ("MEMLANE_FAULT");
  g_assert_no_error (outcome.error);
  g_assert_null (outcome.trouble);
  g_assert_cmpuint (outcome.run->cells->len, ==, 4);
  g_assert_cmpuint (get_elapsed (outcome.run, "pinned", 11)->n_rounds, ==, 6);
  g_assert_cmpuint (get_elapsed (outcome.run, "mapped", 10)->n_rounds, ==, 6);
  g_assert_cmpuint (get_elapsed (outcome.run, "mapped", 11)->n_rounds, ==, 5);
  cell = memlane_run_find (outcome.run, "vector-add", "mapped", 11);
  assert_says ("lost round", cell->detail, "round 4: error: ");
}

static void
cancel_third_cb (MemlaneSweep *sweep, MemlaneCell *cell, gpointer user_data)
{
  Outcome *outcome = user_data;

  if (memlane_sweep_get_progress (sweep)->round == 3)
    g_cancellable_cancel (outcome->cancellable);
}

/* A device that is slowed all the time: each round is tried three times, then measured anyway, and
 * said. */
static void
test_throttled (void)
{
  g_auto (Outcome) outcome = { .noise = TRUE };
  const char *device = "simulated:h200";
  g_autofree char *text = NULL;
  MemlaneControl control;

  use_script ("\"$PROGRAM\" worker --local | sed -u '/\"type\":\"run\"/a "
              "{\"type\":\"state\",\"sm_mhz\":900,\"memory_mhz\":900,\"temperature_c\":90,"
              "\"throttled\":\"too hot\"}'");
  sweep_to_end (&outcome, device, "pinned", "10:10");
  g_assert_no_error (outcome.error);
  g_assert_null (outcome.trouble);
  g_assert_cmpuint (get_elapsed (outcome.run, "pinned", 10)->n_rounds, ==, 6);
  assert_says ("throttled", memlane_environment_get_json (outcome.run->environment),
               "\"void_tries\" : 2");
  assert_says ("throttled", memlane_environment_get_json (outcome.run->environment),
               "\"throttled\" : \"too hot\"");
  memlane_control_run (outcome.run, &control);
  g_assert_cmpuint (control.throttled, ==, 6);
  text = memlane_control_to_text (&control);
  assert_says ("throttled", text, "The device was slowed in 6 of the rounds");
}

/* Runs the experiment of @text by the worker that the script has become. */
static MemlaneExperimentResult *
run_experiment (const char *text, gboolean noise, GError **error)
{
  g_autoptr (MemlaneExperiment) experiment = memlane_experiment_parse (text, strlen (text), "test",
                                                                       "C", error);
  g_autoptr (MemlaneExperimentRunner) runner = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_nonnull (experiment);
  experiment->name = g_strdup ("test");
  MEMLANE_FOR_EACH (MemlaneExperimentStep, step, experiment->steps)
    if (step->plan->sweep != NULL)
      step->plan->sweep->method.noise = noise;
  runner = memlane_experiment_runner_new ("simulated:h200", experiment);
  memlane_experiment_runner_run_async (runner, NULL, recorded_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (memlane_experiment_runner_get_progress (runner).steps_done, <=, 3);
  return g_task_propagate_pointer (G_TASK (result), error);
}

#define EXPERIMENT \
  "[Experiment]\ntitle=t\nsource=test\nquestion=q\nclaim=c\nexplanation=e\n" \
  "[Sweep first]\nworkload=vector-add\nmodes=pinned;mapped\nsizes=10:11\n" \
  "[Procedure query]\nprocedure=device-query\n"

static char *
answer_experiment (const char *asked)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperimentResult) result = NULL;

  play (asked);
  result = run_experiment (EXPERIMENT "[Check yes]\nclaim=c\ntest=query:managedMemory is yes\n",
                           FALSE, &error);
  assert_all_gone (asked);
  if (result == NULL)
    return g_strdup (error->message);
  g_assert_cmpuint (result->notes->len, ==, 1);
  return g_strdup (result->notes->pdata[0]);
}

static void
test_experiment_liars (void)
{
  check_cases ("job", "experiments.txt", answer_experiment);
}

/* An experiment's sweeps have rounds by fresh workers as well, and a lost one costs its cell a
 * round; its other steps share a worker. */
static void
test_experiment (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperimentResult) result = NULL;
  MemlaneRun *run;

  use_script ("exec \"$PROGRAM\" worker --local");
  g_setenv ("MEMLANE_FAULT", "crash@mapped:11#4", TRUE);
  result = run_experiment (
      EXPERIMENT "[Sweep second]\nworkload=vector-add\nmodes=portable\nsizes=10\n"
                 "[Check alike]\nclaim=c\ntest=first:mapped/elapsed@10 < first:pinned/elapsed@10\n",
      TRUE, &error);
  g_unsetenv ("MEMLANE_FAULT");
  g_assert_no_error (error);
  g_assert_cmpuint (result->notes->len, ==, 0);
  g_assert_cmpuint (result->runs->len, ==, 2);
  run = result->runs->pdata[0];
  g_assert_cmpuint (get_elapsed (run, "pinned", 11)->n_rounds, ==, 12);
  g_assert_cmpuint (get_elapsed (run, "mapped", 11)->n_rounds, ==, 11);
  run = result->runs->pdata[1];
  g_assert_cmpuint (get_elapsed (run, "portable", 10)->n_rounds, ==, 12);
  g_assert_cmpint (result->verdict, ==, MEMLANE_VERDICT_HOLDS);
}

/* A run that is stopped keeps the rounds that it has, and none of its cells is called certain. */
static void
test_stopped_round (void)
{
  g_auto (Outcome) outcome
      = { .noise = TRUE, .on_cell = cancel_third_cb, .on_cell_data = &outcome };
  const char *device = "simulated:h200";

  use_script ("exec \"$PROGRAM\" worker --local");
  sweep_to_end (&outcome, device, "pinned,mapped", "10:11");
  g_assert_true (outcome.was_cancelled);
  g_assert_cmpuint (outcome.run->cells->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const MemlaneCell *cell = outcome.run->cells->pdata[i];
      const MemlaneFigure *elapsed = get_elapsed (outcome.run, cell->mode, cell->log2_elements);

      g_assert_cmpuint (elapsed->n_rounds, >=, 2);
      g_assert_cmpuint (elapsed->n_rounds, <=, 3);
      g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_NOISY);
    }
}

/* The next worker is on another machine: its rounds are refused. */
static void
test_other_machine (void)
{
  g_auto (Outcome) outcome = { .noise = TRUE };
  const char *device = "simulated:h200";

  use_script ("n=$(wc -l <\"$PIDS\"); \"$PROGRAM\" worker --local | "
              "sed -u \"s/\\\"boot_id\\\" : \\\"/&boot-$n-/\"");
  sweep_to_end (&outcome, device, "pinned", "10:11");
  assert_says ("another machine", outcome.trouble,
               "round 2 came from a host that was started again");
  g_assert_cmpuint (get_elapsed (outcome.run, "pinned", 10)->n_rounds, ==, 1);
}

/* --- killed at any moment --------------------------------------------------------------------- */

typedef struct
{
  gint64 when;
  pid_t killed; /* 0: not yet */
} Killer;

/* Of the newest worker; 0: none is there yet. */
static pid_t
get_newest (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (scripts.pids, &text, NULL, NULL) || strchr (text, '\n') == NULL)
    return 0;
  *strrchr (text, '\n') = '\0';
  return (pid_t) g_ascii_strtoll (strrchr (text, '\n') != NULL ? strrchr (text, '\n') + 1 : text,
                                  NULL, 10);
}

/* Once its moment has come; one that is not there yet is waited for. */
static gboolean
kill_cb (gpointer data)
{
  Killer *killer = data;
  pid_t pid = get_newest ();
  g_autofree char *name = g_strdup_printf ("%d", (int) pid);

  if (g_get_monotonic_time () < killer->when || pid == 0)
    return G_SOURCE_CONTINUE;
  if (!is_gone (name))
    kill (pid, SIGKILL);
  killer->killed = pid;
  return G_SOURCE_REMOVE;
}

/* Twenty moments of a sweep's whole life, its start and its end with it. */
static void
test_killed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20180501);
  gint64 begun, whole;
  guint cut = 0, failed = 0;

  {
    g_auto (Outcome) outcome = { 0 };

    use_script ("exec \"$PROGRAM\" worker --local");
    begun = g_get_monotonic_time ();
    sweep_to_end (&outcome, "simulated:h200", "pinned,mapped,registered", "10");
    whole = g_get_monotonic_time () - begun;
    g_assert_cmpuint (count_measured (outcome.run), ==, 3);
  }
  for (guint i = 0; i < 20; i++)
    {
      g_auto (Outcome) outcome = { 0 };
      Killer killer
          = { .when = g_get_monotonic_time () + g_rand_int_range (rand, 0, (gint32) whole) };
      guint id;

      g_unlink (scripts.pids);
      id = g_timeout_add (1, kill_cb, &killer);
      sweep_to_end (&outcome, "simulated:h200", "pinned,mapped,registered", "10");
      if (killer.killed == 0)
        g_source_remove (id);
      assert_all_gone ("killed");
      if (outcome.run == NULL)
        {
          assert_says ("killed", outcome.error->message, "before its first word");
          failed++;
          continue;
        }
      g_assert_null (outcome.trouble);
      g_assert_cmpuint (outcome.run->cells->len, ==, 3);
      if (count_measured (outcome.run) == 3)
        continue;
      g_assert_cmpuint (count_measured (outcome.run), ==, 2);
      assert_says ("killed", find_failed (outcome.run)->detail, "was ended by signal 9 (Killed)");
      cut++;
    }
  g_test_message ("%u before the first word, %u in a cell", failed, cut);
}

typedef struct
{
  GRand *rand;
  guint n;       /* kills so far */
  Killer killer; /* at work where n > 0 and nobody is killed */
} Kills;

#define KILLS 30

/* Every worker measures a cell or more before it is killed, so that the sweep goes on. */
static void
kill_often_cb (MemlaneSweep *sweep, MemlaneCell *cell, gpointer user_data)
{
  Kills *kills = user_data;

  if (kills->n == KILLS || cell->status == MEMLANE_STATUS_ERROR
      || (kills->n > 0 && kills->killer.killed == 0)
      || (kills->n > 0 && kills->killer.killed == get_newest ()))
    return;
  kills->n++;
  kills->killer
      = (Killer){ .when = g_get_monotonic_time () + g_rand_int_range (kills->rand, 0, 5000) };
  g_timeout_add (1, kill_cb, &kills->killer);
}

/* Moments inside of sweeps: they are whole but for the cells that were in work. */
static void
test_killed_often (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20180501);
  Kills kills = { .rand = rand };
  guint failed = 0, n_modes;
  const MemlaneMode *modes;

  use_script ("exec \"$PROGRAM\" worker --local");
  while (kills.n < KILLS)
    {
      g_auto (Outcome) outcome = { .on_cell = kill_often_cb, .on_cell_data = &kills };

      sweep_to_end (&outcome, "simulated:h200", "all", "10:15");
      while (kills.killer.killed == 0)
        g_main_context_iteration (NULL, TRUE);
      assert_all_gone ("killed often");
      g_assert_null (outcome.trouble);
      modes = memlane_mode_list (&n_modes);
      for (guint i = n_modes; i > 0; i--)
        n_modes -= memlane_mode_is_of_pieces (&modes[i - 1]);
      g_assert_cmpuint (outcome.run->cells->len, ==, 6 * n_modes);
      MEMLANE_FOR_EACH (const MemlaneCell, cell, outcome.run->cells)
        {
          if (cell->status != MEMLANE_STATUS_ERROR)
            continue;
          failed++;
          assert_says ("killed often", cell->detail, "was ended by signal 9 (Killed)");
        }
    }
  g_test_message ("%u cells failed", failed);
  g_assert_cmpuint (failed, >, 0);
  g_assert_cmpuint (failed, <=, kills.n);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  scripts_begin ();
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_add_func ("/worker/liars", test_liars);
  g_test_add_func ("/worker/traces", test_traces);
  g_test_add_func ("/worker/deaf", test_deaf);
  g_test_add_func ("/worker/answered", test_answered);
  g_test_add_func ("/worker/end-all", test_end_all);
  g_test_add_func ("/worker/sweep-liars", test_sweep_liars);
  g_test_add_func ("/worker/rounds", test_rounds);
  g_test_add_func ("/worker/lost-round", test_lost_round);
  g_test_add_func ("/worker/throttled", test_throttled);
  g_test_add_func ("/worker/experiment", test_experiment);
  g_test_add_func ("/worker/experiment-liars", test_experiment_liars);
  g_test_add_func ("/worker/stopped-round", test_stopped_round);
  g_test_add_func ("/worker/other-machine", test_other_machine);
  g_test_add_func ("/worker/killed", test_killed);
  g_test_add_func ("/worker/killed-often", test_killed_often);
  status = g_test_run ();
  scripts_end ();
  return status;
}
