/* test-experiment-judge.c: what intervals decide, and what trouble makes of an experiment
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "base/each.h"
#include "device/device-driver.h"
#include "engine/cases.h"
#include "engine/device-faults.h"
#include "device/simulated/profile.h"
#include "experiment/procedure/procedure.h"
#include "result/csv.h"
#include "engine/written-device.h"
#include "run-experiment.h"

#define HEAD "[Experiment]\ntitle=T\nquestion=Q\nclaim=C\nexplanation=E\n"
#define SWEEP "[Sweep s]\nmodes=pageable;pinned\nsizes=10:11\n"
#define EXPERIMENT HEAD SWEEP "[Check c]\nclaim=X\ntest=pinned/elapsed@10 < 5ns\n"

static MemlaneExperiment *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  MemlaneExperiment *experiment = memlane_experiment_parse (text, strlen (text), "f", "C", &error);

  g_assert_no_error (error);
  experiment->name = g_strdup ("test");
  return experiment;
}

/* --- intervals -------------------------------------------------------------------------------- */

static void
put (MemlaneExperimentResult *result, const char *name, double low, double median, double high)
{
  const MemlaneValue value
      = { .kind = MEMLANE_VALUE_TIME, .count = 10, .median = median, .low = low, .high = high };

  memlane_result_add (result, "s", name, &value);
}

/* Adds the value of @n samples of 1, 2, 3 ... ns; without any, why there is none. */
static void
put_few (MemlaneExperimentResult *result, const char *name, guint n, MemlaneDoubt doubt,
         const char *why)
{
  static const double samples[] = { 1, 2, 3 };
  MemlaneStatistics statistics;
  MemlaneValue value;

  if (n > 0)
    {
      memlane_statistics_compute (samples, n, &statistics);
      memlane_value_set_statistics (&value, MEMLANE_VALUE_TIME, &statistics);
    }
  else
    memlane_value_set_none (&value, doubt, why);
  memlane_result_add (result, "s", name, &value);
  memlane_value_clear (&value);
}

/* Adds what six processes find in the steps "a" and "b": what disturbs one process disturbs both
 * of its figures. */
static void
put_rounds (MemlaneExperimentResult *result)
{
  static const char *const names[] = { "pageable/elapsed", "mapped/elapsed", "mapped/kernel" };

  for (guint round = 0; round < 6; round++)
    {
      MemlaneValue word = { .kind = MEMLANE_VALUE_WORD, .count = 4, .word = (char *) "yes" };

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          double found = (k == 0 ? 100 : 90) + 20 * round;
          const MemlaneValue value = { .kind = MEMLANE_VALUE_TIME, .count = 3, .median = found,
                                       .low = found - 1, .high = found + 1 };

          if (k < 2 || round > 0)
            memlane_result_add (result, "a", names[k], &value);
          if (k == 0)
            memlane_result_add (result, "b", names[k], &value);
        }
      memlane_result_add (result, "a", "mapped/result-is-right", &word);
      word.word = (char *) (round == 4 ? "no" : "yes");
      memlane_result_add (result, "a", "pageable/result-is-right", &word);
    }
}

/* Judges a check of @test, which may go on with other keys, over the figures that tests.txt tells.
 * NULL with @error: it is refused. */
static MemlaneExperimentResult *
judge (const char *test, GError **error)
{
  g_autofree char *text = g_strconcat (
    HEAD "verdict=c\nsupported=Yes: {time}.\nrefuted=No: {time}, and {time}.\n"
    "[Check true]\nclaim=X\ntest=pinned/elapsed@10 > 5ns\n"
    "[Check false]\nclaim=X\ntest=pinned/elapsed@10 < 5ns\n"
    "[Check open]\nclaim=X\ntest=pinned/kernel@10 > 5ns\n[Check c]\nclaim=X\ntest=", test,
    "\n[Sweep s]\nmodes=pageable;pinned\nsizes=10:12\n[Procedure p]\nprocedure=waiting\n"
    "[Procedure a]\nprocedure=article-zero-copy\n[Procedure b]\nprocedure=article-zero-copy\n"
    "[Trace t]\nmode=managed\nsize=10\n[Trace u]\nmode=managed\nsize=10\n"
    "[Trace v]\nmode=managed\nsize=10\n[Figure time]\ntitle=T\nvalue=pinned/elapsed@10\n", NULL);
  g_autoptr (MemlaneExperiment) experiment = NULL;
  MemlaneExperimentResult *result;
  const double copies[] = { 3, 4, 0 };

  experiment = memlane_experiment_parse (text, strlen (text), "f", "C", error);
  if (experiment == NULL)
    return NULL;
  result = memlane_experiment_result_new (experiment);
  put (result, "pageable/elapsed/host@10", 90, 100, 110);
  put (result, "pageable/elapsed/host@11", 190, 200, 210);
  put (result, "pinned/elapsed/host@10", 40, 50, 60);
  put (result, "pinned/elapsed/host@11", 95, 150, 205);
  put_few (result, "pinned/alloc/host@10", 3, MEMLANE_DOUBT_NONE, NULL);
  put_few (result, "pinned/first/host@10", 1, MEMLANE_DOUBT_NONE, NULL);
  put_few (result, "pageable@12", 0, MEMLANE_DOUBT_UNSUPPORTED,
           "pageable: canMapHostMemory is 0 on this device");
  put_few (result, "pinned@12", 0, MEMLANE_DOUBT_FAILED, "pinned: cudaMemcpy: cudaErrorUnknown");
  put_rounds (result);
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    for (guint output = 0; output < 2; output++)
      {
        const char step[] = { (char) ('t' + i), '\0' };
        const MemlaneValue value = {
          .kind = output == 0 ? MEMLANE_VALUE_NUMBER : MEMLANE_VALUE_TIME,
          .count = 10, .median = copies[i], .low = copies[i], .high = copies[i],
        };

        memlane_result_add (result, step, output == 0 ? "copies" : "elapsed", &value);
      }
  memlane_experiment_judge (result, NULL);
  return result;
}

static char *
answer_test (const char *asked)
{
  g_autofree char *test = g_strndup (asked, strlen (asked) - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperimentResult) result = judge (test, &error);
  const MemlaneCheckResult *check = result != NULL ? result->checks->pdata[3] : NULL;
  g_autofree char *answer
      = result != NULL ? memlane_experiment_result_describe (result, memlane_stay_english) : NULL;

  if (check == NULL)
    {
      g_assert_true (g_str_has_prefix (error->message, "f:20: [Check c] test: "));
      return g_strdup (error->message + strlen ("f:20: [Check c] test: "));
    }
  g_assert_cmpint (check->doubt != MEMLANE_DOUBT_NONE, ==,
                   check->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD);
  g_assert_cmpint (result->verdict, ==, check->verdict);
  if (check->doubt == MEMLANE_DOUBT_NONE)
    return g_strdup_printf ("%s: %s\n%s", memlane_verdict_name (check->verdict), check->words,
                            answer);
  return g_strdup_printf ("%s, for %s: %s\n%s", memlane_verdict_name (check->verdict),
                          memlane_doubt_title (check->doubt), check->words, answer);
}

/* "time NS" or "number N" as reports write it. */
static char *
answer_value (const char *asked)
{
  const MemlaneValue value = { .kind = *asked == 't' ? MEMLANE_VALUE_TIME : MEMLANE_VALUE_NUMBER,
                               .median = g_ascii_strtod (strchr (asked, ' '), NULL) };

  return memlane_value_to_text (&value, FALSE, FALSE);
}

static void
test_tests (void)
{
  check_cases ("experiment", "tests.txt", answer_test);
  check_cases ("experiment", "values.txt", answer_value);
}

/* --- words of several trials ------------------------------------------------------------------ */

/* Answers "yes" in all trials but the one numbered by the size. */
static gboolean
run_trials (MemlaneProcedureContext *context, GError **error)
{
  for (guint i = 0; i < 4; i++)
    memlane_procedure_yes (context, "answer", i != context->options.log2_elements - 10);
  memlane_procedure_sample (context, "size", context->options.log2_elements);
  return TRUE;
}

/* One size is unanimous, the others are not; each has findings of its own. */
static void
test_trials (void)
{
  const MemlaneProcedure procedure = {
    .id = "trials", .run = run_trials,
    .outputs = { .numbers = "size", .words = "answer" },
  };
  MemlaneProcedureContext context
      = { .procedure = &procedure, .options = { .log2_elements = 12, .last_log2 = 14 } };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device = memlane_simulated_device_new (profile, "simulated:trials");
  g_autoptr (MemlaneExperiment) experiment = parse (EXPERIMENT);
  g_autoptr (MemlaneExperimentResult) result = memlane_experiment_result_new (experiment);
  const MemlaneExperimentFinding *findings[6];

  context.device = device;
  memlane_procedure_run (&context, result, "p", NULL);
  g_assert_cmpuint (result->findings->len, ==, 6);
  for (guint i = 0; i < 6; i++)
    findings[i] = result->findings->pdata[i];
  g_assert_cmpstr (findings[1]->name, ==, "answer@12");
  g_assert_cmpint (findings[1]->value.kind, ==, MEMLANE_VALUE_NONE);
  g_assert_cmpint (findings[1]->value.doubt, ==, MEMLANE_DOUBT_MIXED);
  g_assert_cmpstr (findings[1]->value.why, ==, "yes 3 of 4 times, no 1 of 4 times");
  g_assert_cmpfloat (findings[0]->value.median, ==, 12);
  g_assert_cmpstr (findings[5]->name, ==, "answer@14");
  g_assert_cmpstr (findings[5]->value.word, ==, "yes");
  g_assert_cmpuint (findings[5]->value.count, ==, 4);
  g_assert_cmpstr (findings[4]->name, ==, "size@14");
  memlane_device_close (device);
}

/* --- procedures ------------------------------------------------------------------------------- */

static const MemlaneProcedureOptions small
    = { .log2_elements = 10, .bytes = 4096, .times = 2, .samples = 1 };

static guint
count_outputs (const MemlaneProcedure *procedure)
{
  const char *const lists[]
      = { procedure->outputs.times, procedure->outputs.numbers, procedure->outputs.words };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_auto (GStrv) names = g_strsplit (lists[i] != NULL ? lists[i] : "", " ", -1);

      n += g_strv_length (names);
    }
  return n;
}

typedef struct
{
  const MemlaneProcedure *procedure;
  guint whole, lacking; /* findings without a value: if no call fails, and this time */
} Asked;

/* Runs a procedure; says so where findings lack that are there without a fault. */
static char *
run_procedure (MemlaneDevice *device, gpointer data)
{
  Asked *asked = data;
  g_autoptr (MemlaneExperiment) experiment = parse (EXPERIMENT);
  g_autoptr (MemlaneExperimentResult) result = memlane_experiment_result_new (experiment);
  MemlaneProcedureContext context
      = { .device = device, .procedure = asked->procedure, .options = small };

  asked->lacking = 0;
  memlane_procedure_run (&context, result, "p", NULL);
  g_assert_cmpuint (result->findings->len, ==, count_outputs (asked->procedure));
  MEMLANE_FOR_EACH (const MemlaneExperimentFinding, finding, result->findings)
    {
      const MemlaneValue *value = &finding->value;
      MemlaneValueKind kind;

      g_assert_true (memlane_step_outputs_find (&asked->procedure->outputs, finding->name, &kind));
      g_assert_true (value->kind == kind
                     || (value->kind == MEMLANE_VALUE_NONE && value->doubt != MEMLANE_DOUBT_NONE));
      asked->lacking += value->kind == MEMLANE_VALUE_NONE;
    }
  return asked->lacking > asked->whole ? g_strdup ("fault asked for") : NULL;
}

/* A fault here and there: nothing stays on the device, and the next run is whole again. */
static void
test_faults (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = memlane_simulated_device_new (profile, "simulated:faulty");
  guint n;
  const MemlaneProcedure *const *procedures = memlane_procedure_list (&n);

  for (guint i = 0; i < n; i++)
    {
      Asked asked = { procedures[i], G_MAXUINT, 0 };
      guint told, tried;

      g_assert_null (run_procedure (device, &asked));
      asked.whole = asked.lacking;
      g_test_message ("%s", procedures[i]->id);
      told = fail_each_call (device, run_procedure, &asked, 6, &tried);
      /* What no simulated device can do fails in the same way with a fault and without. */
      if (tried > 3 && asked.whole < count_outputs (procedures[i])
          && strcmp (procedures[i]->id, "errors-on-purpose") != 0)
        g_assert_cmpuint (2 * told, >=, tried);
    }
}

/* --- page-locking ----------------------------------------------------------------------------- */

static MemlaneManyCalls no_huge_pages;
static const MemlaneManyCalls *real_many;

static gboolean
refuse_huge_pages (MemlaneDevice *device, void *pointer, gsize bytes, guint threads, gboolean huge,
                   GError **error)
{
  if (!huge)
    return real_many->host_populate (device, pointer, bytes, threads, huge, error);
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED,
               "madvise: the system gives no huge pages");
  return FALSE;
}

/* Where the system gives no huge pages, their rows say so, and all others are measured. Where
 * nothing may be locked, each row says why and what to do. */
static void
test_page_locking (void)
{
  const MemlaneProcedure *procedure = memlane_procedure_find ("page-locking");
  g_autoptr (MemlaneExperiment) experiment = parse (EXPERIMENT);

  for (guint locked = 0; locked < 2; locked++)
    {
      g_autoptr (MemlaneExperimentResult) result = memlane_experiment_result_new (experiment);
      g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
      g_autoptr (MemlaneDevice) device = NULL;
      MemlaneProcedureContext context
          = { .procedure = procedure, .options = { .log2_elements = 12, .samples = 3 } };
      const MemlaneDriver *real;
      MemlaneDriver driver;
      guint measured = 0;

      profile->lockable_bytes = locked * 4096;
      context.device = device = memlane_simulated_device_new (profile, "simulated:test");
      real = device->driver;
      driver = *real;
      real_many = real->many;
      no_huge_pages = *real_many;
      no_huge_pages.host_populate = refuse_huge_pages;
      driver.many = &no_huge_pages;
      device->driver = &driver;
      memlane_procedure_run (&context, result, "p", NULL);
      g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
      g_assert_cmpuint (result->findings->len, ==, count_outputs (procedure));
      MEMLANE_FOR_EACH (const MemlaneExperimentFinding, finding, result->findings)
        {
          if (locked)
            g_assert_nonnull (strstr (finding->value.why, "ulimit -l"));
          else if (g_str_has_prefix (finding->name, "huge"))
            g_assert_cmpstr (finding->value.why, ==, "madvise: the system gives no huge pages");
          else
            measured += finding->value.median > 0;
        }
      g_assert_cmpuint (measured, ==, locked ? 0 : 6);
      device->driver = real;
    }
}

/* --- more than fits --------------------------------------------------------------------------- */

/* A device that is said to throw pages out when it is full: then all that a procedure does for that
 * is done here, too. */
static MemlaneDevice *
open_oversubscribable (guint64 memory_gib, guint64 host_gib)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device;

  profile->info.capabilities |= MEMLANE_CAN_OVERSUBSCRIBE;
  profile->info.memory_bytes = memory_gib << 30;
  profile->host_memory_bytes = host_gib << 30;
  device = memlane_simulated_device_new (profile, "simulated:faulty");
  g_assert_true (memlane_device_move_pieces (device, TRUE));
  return device;
}

/* Moving 40 GiB takes ten seconds. The procedure reads the last MiB of a pass, so nothing else is
 * filled and copied. */
#define MIB ((gsize) 1 << 20)
static const MemlaneDriver *whole_driver;

static gboolean
fill_ends (MemlaneDevice *device, void *pointer, int byte, gsize bytes, GError **error)
{
  for (gsize i = 1; i <= 4; i++)
    if (!whole_driver->access->host_fill (device, (char *) pointer + i * (bytes / 4) - MIB, byte,
                                          MIB, error))
      return FALSE;
  return TRUE;
}

static gboolean
launch_end (MemlaneDevice *device, MemlaneKernel kernel, float *out, const float *a, const float *b,
            gsize n, MemlaneStream *stream, GError **error)
{
  const gsize left = n - MIB / sizeof (float);

  return whole_driver->work->launch (device, kernel, out + left, a + left, b, MIB / sizeof (float),
                                     stream, error);
}

/* The ballast leaves 2 GiB, and all of it is free again. */
static void
test_oversubscribe (void)
{
  const MemlaneProcedure *procedure = memlane_procedure_find ("oversubscribe"),
                         *counting = memlane_procedure_find ("oversubscribe-faults");
  MemlaneDevice *device = open_oversubscribable (4, 64);
  g_autoptr (MemlaneExperiment) experiment = parse (EXPERIMENT);
  g_autoptr (MemlaneExperimentResult) result = memlane_experiment_result_new (experiment);
  MemlaneProcedureContext context = { .device = device, .procedure = procedure };
  MemlaneAccessCalls access = *device->driver->access;
  MemlaneWorkCalls work = *device->driver->work;
  MemlaneDriver driver = *device->driver;
  guint64 before, after;

  whole_driver = device->driver;
  access.host_fill = fill_ends;
  work.launch = launch_end;
  driver.access = &access;
  driver.work = &work;
  device->driver = &driver;
  g_assert_true (memlane_device_get_free_memory (device, &before, NULL));
  memlane_procedure_run (&context, result, "p", NULL);
  g_assert_true (memlane_device_get_free_memory (device, &after, NULL));
  g_assert_cmpuint (after, ==, before);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  g_assert_cmpuint (result->findings->len, ==, count_outputs (procedure));
  MEMLANE_FOR_EACH (const MemlaneExperimentFinding, finding, result->findings)
    {
      if (strcmp (finding->name, "room-gib") == 0)
        g_assert_cmpfloat (finding->value.median, ==, 2);
      else if (strcmp (finding->name, "result-is-right") == 0)
        g_assert_cmpstr (finding->value.word, ==, "yes");
      else
        g_assert_cmpfloat (finding->value.median, >, 0);
    }
  /* No model of a full device, so nothing goes home, and nothing faults the second time. */
  context = (MemlaneProcedureContext) { .device = device, .procedure = counting };
  memlane_procedure_run (&context, result, "q", NULL);
  g_assert_cmpstr (
      ((MemlaneExperimentFinding *) result->findings->pdata[result->findings->len - 1])->value.why,
      ==, "nothing counts page faults here: CUPTI is missing");
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  device->driver = whole_driver;
  memlane_device_close (device);
}

/* Whatever call fails, ballast and managed memory go back: asking, the ballast, the managed memory,
 * a write, a kernel, a wait. */
static void
test_oversubscribe_faults (void)
{
  static const guint64 calls[] = { 1, 2, 3, 4, 5, 7, 8 };
  Asked asked = { memlane_procedure_find ("oversubscribe"), G_MAXUINT, 0 };
  g_autoptr (MemlaneDevice) device = open_oversubscribable (4, 64);

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      memlane_device_fail_call (device, calls[i]);
      g_assert_null (run_procedure (device, &asked));
      memlane_device_fail_call (device, 0);
      g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
      g_assert_cmpuint (asked.lacking, >=, count_outputs (asked.procedure) - 1);
    }
}

/* Each reason not to try, before anything large is allocated. */
static void
test_oversubscribe_refuses (void)
{
  static const struct { guint64 memory, host, used; const char *why;
  } cases[] = {
    { 8, 64, 3, "not tried: other programs use 3.0 GiB of the device's memory; end them first" },
    { 1, 64, 0, "not tried: the device has 1.0 GiB free, and 2 are needed" },
    { 8, 11, 0,
      "not tried: the host has 11.0 GiB free, and 12 are needed: twice what may be moved there" },
  };
  const MemlaneProcedure *procedure = memlane_procedure_find ("oversubscribe");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MemlaneDevice *device = open_oversubscribable (cases[i].memory, cases[i].host);
      g_autoptr (MemlaneExperiment) experiment = parse (EXPERIMENT);
      g_autoptr (MemlaneExperimentResult) result = memlane_experiment_result_new (experiment);
      MemlaneProcedureContext context = { .device = device, .procedure = procedure };
      void *other = NULL;

      if (cases[i].used > 0)
        g_assert_true (memlane_device_malloc (device, cases[i].used << 30, &other, NULL));
      memlane_procedure_run (&context, result, "p", NULL);
      g_assert_cmpstr (((MemlaneExperimentFinding *) result->findings->pdata[0])->value.why, ==,
                       cases[i].why);
      g_assert_cmpint (((MemlaneExperimentFinding *) result->findings->pdata[0])->value.doubt, ==,
                       MEMLANE_DOUBT_UNSUPPORTED);
      g_assert_cmpuint (memlane_device_get_outstanding (device), ==, cases[i].used > 0);
      memlane_device_close (device);
    }
}

/* --- devices that cannot ---------------------------------------------------------------------- */

static MemlaneExperimentResult *
run_file (const char *name, const char *device, GCancellable *cancellable)
{
  char *id = written_device_new (device);
  g_autofree char *path = g_strdup_printf ("%s/data/experiments/%s.experiment",
                                           g_getenv ("MEMLANE_SOURCE_ROOT"), name);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = memlane_experiment_read (path, "C", &error);
  MemlaneExperimentResult *result;

  g_assert_no_error (error);
  result = run_experiment (experiment, id, cancellable, &error);
  g_assert_no_error (error);
  written_device_free (id);
  return result;
}

/* The name of an experiment, and lines of a device's file: what its checks come to there. */
static char *
answer_poor (const char *asked)
{
  g_auto (GStrv) parts = g_strsplit (asked, "\n", 2);
  g_autoptr (MemlaneExperimentResult) result = run_file (parts[0], parts[1], NULL);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s; answer %d; %s", memlane_verdict_name (result->verdict),
                   result->right_choice, result->notes->len > 0 ? "notes" : "no notes");
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    g_string_append_printf (
        text, "\n  %s: %s%s%s", check->check->id, memlane_verdict_name (check->verdict),
        check->doubt != MEMLANE_DOUBT_NONE ? ", for " : "",
        check->doubt != MEMLANE_DOUBT_NONE ? memlane_doubt_title (check->doubt) : "");
  return g_string_free (text, FALSE);
}

static void
test_poor_devices (void)
{
  check_cases ("experiment", "poor-devices.txt", answer_poor);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (MemlaneExperimentResult) result = NULL;

  g_cancellable_cancel (cancellable);
  result = run_file ("zero-copy", "asyncEngineCount=2", cancellable);
  g_assert_true (result->cancelled);
  g_assert_cmpint (result->verdict, ==, MEMLANE_VERDICT_CANNOT_BE_TOLD);
  for (guint i = 0; i < result->checks->len; i++)
    g_assert_cmpint (((MemlaneCheckResult *) result->checks->pdata[i])->doubt, ==,
                     MEMLANE_DOUBT_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);

  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiment-judge/tests", test_tests);
  g_test_add_func ("/experiment-judge/trials", test_trials);
  g_test_add_func ("/experiment-judge/faults", test_faults);
  g_test_add_func ("/experiment-judge/page-locking", test_page_locking);
  g_test_add_func ("/experiment-judge/oversubscribe", test_oversubscribe);
  g_test_add_func ("/experiment-judge/oversubscribe-faults", test_oversubscribe_faults);
  g_test_add_func ("/experiment-judge/oversubscribe-refuses", test_oversubscribe_refuses);
  g_test_add_func ("/experiment-judge/poor-devices", test_poor_devices);
  g_test_add_func ("/experiment-judge/cancelled", test_cancelled);
  return g_test_run ();
}
