/* test-experiment-store.c: experiments are listed, opened, predicted, run, stopped; what they measured goes to the other lists
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/models-fixture.h"

#include <sys/stat.h>

#include "model-bench.h"

typedef struct
{
  MemlaneModels *models;
  MemlaneTraceStore *traces;
  MemlaneExperimentStore *store;
  BenchHeard notices, refused;
  guint n_finished, n_arrived;
  char *purposes;
  MemlaneExperimentItem *opened;
} Fixture;

static void
notice_cb (gpointer object, const char *sentence, gboolean trouble, Fixture *fixture)
{
  bench_said_cb (object, sentence, &fixture->notices);
}

static void
refused_cb (gpointer object, const char *sentence, Fixture *fixture)
{
  bench_said_cb (object, sentence, &fixture->refused);
}

static void
opened_cb (gpointer object, MemlaneExperimentItem *item, Fixture *fixture)
{
  fixture->opened = item;
}

static void
finished_cb (gpointer object, MemlaneExperimentItem *item, Fixture *fixture)
{
  fixture->n_finished++;
}

static void
arrived_cb (gpointer object, MemlaneTraceItem *item, const char *purpose, Fixture *fixture)
{
  char *both = g_strconcat (fixture->purposes != NULL ? fixture->purposes : "", purpose, " ", NULL);

  g_free (fixture->purposes);
  fixture->purposes = both;
  fixture->n_arrived++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = bench_make_folder ();

  fixture->models = memlane_models_new (folder);
  fixture->traces = fixture->models->traces;
  fixture->store = fixture->models->experiments;
  g_signal_connect (fixture->store, "notice", G_CALLBACK (notice_cb), fixture);
  g_signal_connect (fixture->store, "refused", G_CALLBACK (refused_cb), fixture);
  g_signal_connect (fixture->store, "opened", G_CALLBACK (opened_cb), fixture);
  g_signal_connect (fixture->store, "finished", G_CALLBACK (finished_cb), fixture);
  g_signal_connect (fixture->traces, "arrived", G_CALLBACK (arrived_cb), fixture);
  g_object_set (fixture->models->devices, "device", "simulated:h200", NULL);
  g_object_set (fixture->models->plan, "first-log2", 10, "last-log2", 12, "cell-seconds", 0.01, NULL);
  memlane_models_start (fixture->models);
  bench_wait (memlane_device_choice_get_objection (fixture->models->devices) == NULL &&
              models_get_objection (fixture->models, "system") != NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  memlane_models_shut_down (fixture->models);
  bench_settle (20);
  bench_heard_clear (&fixture->notices);
  bench_heard_clear (&fixture->refused);
  g_free (fixture->purposes);
  models_assert_freed (fixture->models);
}

static MemlaneExperimentItem *
load (Fixture *fixture, const char *name)
{
  MemlaneExperimentItem *item;

  memlane_experiment_store_load (fixture->store);
  item = memlane_experiment_store_find (fixture->store, name);
  g_assert_nonnull (item);
  return item;
}

static void
run (Fixture *fixture, MemlaneExperimentItem *item)
{
  guint before = fixture->n_finished;

  memlane_experiment_store_run (fixture->store, item);
  g_assert_true (fixture->store->running == item);
  bench_wait (fixture->n_finished == before + 1);
  g_assert_null (fixture->store->running);
}

/* --- the list --------------------------------------------------------------------------------------------------------------- */

static void
test_list (Fixture *fixture, gconstpointer data)
{
  GListModel *list = G_LIST_MODEL (fixture->store);

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  (void) load (fixture, "zero-copy");
  memlane_experiment_store_load (fixture->store); /* once is enough */
  bench_settle (5);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 28);
  g_assert_cmpuint (fixture->refused.n, ==, 0);
  for (guint i = 0; i < 28; i++)
    {
      g_autoptr (MemlaneExperimentItem) item = g_list_model_get_item (list, i);

      g_assert_cmpuint (item->experiment->number, ==, i + 1);
      g_assert_null (item->result);
    }
  g_assert_null (g_list_model_get_item (list, 28));
}

/* --- predicting -------------------------------------------------------------------------------------------------------------- */

static void
test_predict (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *choice = load (fixture, "zero-copy");

  g_assert_false (memlane_experiment_item_is_predicted (choice));
  g_assert_nonnull (strstr (memlane_experiment_store_get_objection (fixture->store, choice), "Predict"));
  memlane_experiment_store_run (fixture->store, choice);
  g_assert_cmpuint (fixture->notices.n, ==, 1);
  g_assert_null (fixture->store->running);
  g_object_set (fixture->store, "skip", TRUE, NULL);
  g_assert_null (memlane_experiment_store_get_objection (fixture->store, choice));
  g_object_set (fixture->store, "skip", FALSE, NULL);

  memlane_experiment_item_set_choice (choice, 2); /* there are two */
  memlane_experiment_item_set_choice (choice, -1);
  g_assert_cmpint (choice->choice, ==, -1);
  memlane_experiment_item_set_choice (choice, 1);
  g_assert_cmpint (choice->choice, ==, 1);
  g_assert_null (memlane_experiment_store_get_objection (fixture->store, choice));
  memlane_experiment_item_forget (choice);
  g_assert_false (memlane_experiment_item_is_predicted (choice));
}

/* --- running ------------------------------------------------------------------------------------------------------------------- */

static void
test_run (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *item = load (fixture, "zero-copy"), *other = load (fixture, "device-query");
  GListModel *runs = G_LIST_MODEL (fixture->models->runs);
  guint before;
  g_autofree char *status = NULL, *workload = NULL;
  MemlaneExperimentResult *result;
  const char *reason;
  double fraction;

  memlane_experiment_item_set_choice (item, 0);
  memlane_experiment_item_set_choice (other, 0);
  memlane_experiment_store_run (fixture->store, item);
  /* All others keep out of its way. */
  g_assert_nonnull (strstr (memlane_experiment_store_get_objection (fixture->store, other), "Another experiment"));
  g_assert_false (memlane_sweep_job_can_run (fixture->models->sweep, &reason));
  g_assert_nonnull (strstr (reason, "An experiment is running"));
  g_assert_nonnull (strstr (memlane_trace_store_get_objection (fixture->traces), "An experiment is running"));
  memlane_experiment_item_set_choice (item, 0);
  bench_wait (fixture->n_finished == 1);
  g_assert_true (memlane_sweep_job_can_run (fixture->models->sweep, NULL));
  g_assert_null (memlane_trace_store_get_objection (fixture->traces));
  g_object_get (fixture->models->bench, "status", &status, "fraction", &fraction, NULL);
  g_assert_cmpstr (status, ==, "");
  g_assert_cmpfloat (fraction, ==, 0);

  result = item->result;
  g_assert_nonnull (result);
  g_assert_true (result->simulated);
  g_assert_false (result->cancelled);
  g_assert_cmpint (result->right_choice, ==, 1);
  g_assert_false (memlane_experiment_store_show_traces (fixture->store, item)); /* it records nothing */

  g_object_set (fixture->models->plan, "workload", "fill", NULL);
  memlane_mode_set_put_all (models_get_plan (fixture->models), FALSE);
  before = g_list_model_get_n_items (runs); /* the example may have come since the start */
  g_assert_true (memlane_experiment_store_keep_runs (fixture->store, item));
  g_assert_true (memlane_experiment_store_keep_runs (fixture->store, item));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, before + 1);
  g_object_get (fixture->models->plan, "workload", &workload, NULL);
  g_assert_cmpstr (workload, ==, "vector-add");
  g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), "mapped"));
  g_assert_false (memlane_mode_set_has (models_get_plan (fixture->models), "managed"));
  {
    MemlaneRunItem *kept = memlane_run_store_find (fixture->models->runs, "Experiment 5 · NVIDIA H200 (simulated)");

    g_assert_nonnull (kept);
    bench_wait (kept->kind == MEMLANE_RUN_KEPT);
    g_assert_cmpuint (kept->run->cells->len, ==, 22);
    g_assert_true (g_file_test (kept->path, G_FILE_TEST_IS_REGULAR));
    /* Deleted it comes anew. */
    g_assert_true (memlane_run_store_remove (fixture->models->runs, kept, NULL));
  }
  g_assert_true (memlane_experiment_store_keep_runs (fixture->store, item));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, before + 1);
  run (fixture, other);
  g_assert_false (memlane_experiment_store_keep_runs (fixture->store, other)); /* it measures no cells */
}

static void
test_traces (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *item = load (fixture, "managed");

  g_object_set (fixture->store, "skip", TRUE, NULL);
  g_assert_false (memlane_experiment_store_show_traces (fixture->store, item)); /* there is no result */
  run (fixture, item);
  g_assert_cmpuint (item->result->traces->len, ==, 2);
  for (guint i = 1; i <= 2; i++) /* a second time they stand where they stood */
    {
      g_autoptr (MemlaneTraceItem) newest = NULL;

      g_assert_true (memlane_experiment_store_show_traces (fixture->store, item));
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->traces)), ==, 2);
      g_assert_cmpuint (fixture->n_arrived, ==, 2 * i);
      newest = g_list_model_get_item (G_LIST_MODEL (fixture->traces), 0);
      g_assert_cmpstr (newest->name, ==, "Experiment 7 · prefetched");
    }
  g_assert_cmpstr (fixture->purposes, ==, "alone second alone second ");
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *item = load (fixture, "zero-copy");

  g_object_set (fixture->store, "skip", TRUE, NULL);
  memlane_bench_stop (fixture->models->bench); /* nothing runs */
  memlane_experiment_store_run (fixture->store, item);
  memlane_bench_stop (fixture->models->bench);
  memlane_bench_stop (fixture->models->bench);
  bench_wait (fixture->n_finished == 1);
  g_assert_true (item->result->cancelled);
  g_assert_cmpint (item->result->verdict, ==, MEMLANE_VERDICT_CANNOT_BE_TOLD);
  g_assert_true (memlane_sweep_job_can_run (fixture->models->sweep, NULL));
  run (fixture, item);
  g_assert_false (item->result->cancelled);
  memlane_experiment_store_run (fixture->store, item);
  memlane_models_shut_down (fixture->models); /* in the middle */
  g_assert_null (fixture->store->running);
  g_assert_nonnull (memlane_experiment_store_get_objection (fixture->store, item));
}

static void
test_keeps_out (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *item = load (fixture, "device-query");

  g_object_set (fixture->store, "skip", TRUE, NULL);
  memlane_sweep_job_run (fixture->models->sweep);
  g_assert_nonnull (strstr (memlane_experiment_store_get_objection (fixture->store, item), "A sweep is running"));
  memlane_experiment_store_run (fixture->store, item);
  g_assert_null (fixture->store->running);
  g_assert_cmpuint (fixture->notices.n, ==, 1);
  memlane_bench_stop (fixture->models->bench);
  bench_wait (!memlane_sweep_job_is_running (fixture->models->sweep));

  memlane_trace_store_record (fixture->traces, "simulated:h200", NULL, memlane_mode_find ("pinned"), 12, "alone");
  g_assert_nonnull (strstr (memlane_experiment_store_get_objection (fixture->store, item), "A trace is being recorded"));
  bench_wait (fixture->n_arrived == 1);
  g_assert_null (memlane_experiment_store_get_objection (fixture->store, item));
}

/* What cannot be measured on is told before; and when the device goes after that, in a notice. */
static void
test_device_trouble (Fixture *fixture, gconstpointer data)
{
  MemlaneExperimentItem *item = load (fixture, "device-query");
  g_autofree char *folder = bench_make_folder (), *path = g_build_filename (folder, "own.device", NULL);
  g_autofree char *profile = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "devices", "h200.device", NULL), *text = NULL;
  g_autofree char *device = g_strconcat ("simulated:", path, NULL);

  g_object_set (fixture->store, "skip", TRUE, NULL);
  g_object_set (fixture->models->devices, "device", device, NULL);
  bench_wait (memlane_experiment_store_get_objection (fixture->store, item) != NULL &&
              strstr (memlane_experiment_store_get_objection (fixture->store, item), path) != NULL);
  g_object_set (fixture->models->devices, "device", "simulated:h200", NULL);
  bench_wait (memlane_experiment_store_get_objection (fixture->store, item) == NULL);

  g_assert_true (g_file_get_contents (profile, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_object_set (fixture->models->devices, "device", device, NULL);
  bench_wait (memlane_experiment_store_get_objection (fixture->store, item) == NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  run (fixture, item);
  g_assert_null (item->result);
  g_assert_cmpuint (fixture->notices.n, ==, 1);
  g_assert_nonnull (strstr (fixture->notices.last, path));
  g_object_set (fixture->models->devices, "device", "simulated:h200", NULL);
  bench_wait (memlane_experiment_store_get_objection (fixture->store, item) == NULL);
  run (fixture, item);
  g_assert_nonnull (item->result);
}

/* --- a teacher's own ------------------------------------------------------------------------------------------------------------- */

#define SHORT                                                                                                                        \
  "[Experiment]\ntitle=Mine\nquestion=Is it?\nclaim=It is.\nexplanation=So.\n\n[Sweep s]\nworkload=copy-to-device\nmodes=pageable;"  \
  "pinned\nsizes=14\ncell-seconds=0.01\n\n[Check c]\nclaim=C.\ntest=pageable/upload@14 > pinned/upload@14\n"

static void
expect_refusal (Fixture *fixture, const char *path, const char *words)
{
  guint before = fixture->refused.n, n = g_list_model_get_n_items (G_LIST_MODEL (fixture->store));

  memlane_experiment_store_open (fixture->store, path);
  bench_wait (fixture->refused.n == before + 1);
  g_assert_nonnull (strstr (fixture->refused.last, words));
  g_assert_nonnull (strstr (fixture->refused.last, path));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, n);
}

static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *good = bench_write_file ("mine.experiment", SHORT), *bad = bench_write_file ("bad.experiment", SHORT "colour=red\n");
  g_autofree char *folder = g_path_get_dirname (good), *pipe = g_build_filename (folder, "pipe.experiment", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing.experiment", NULL), *noise = g_strnfill (1 << 20, 'x');
  g_autofree char *large = bench_write_file ("large.experiment", noise);
  MemlaneExperimentItem *first;

  g_assert_true (memlane_experiment_store_is_experiment (good));
  g_assert_false (memlane_experiment_store_is_experiment ("a.csv"));
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  expect_refusal (fixture, bad, ":16:");
  g_assert_nonnull (strstr (fixture->refused.last, "colour"));
  expect_refusal (fixture, pipe, "it is not a file");
  expect_refusal (fixture, folder, "it is not a file");
  expect_refusal (fixture, missing, "missing.experiment");
  expect_refusal (fixture, large, "large.experiment");

  memlane_experiment_store_open (fixture->store, good);
  bench_wait (fixture->opened != NULL);
  first = fixture->opened;
  g_assert_true (first->opened);
  g_assert_true (memlane_experiment_store_find (fixture->store, good) == first);
  g_assert_true (memlane_experiment_item_is_predicted (first)); /* there is nothing to predict */
  run (fixture, first);
  g_assert_cmpint (first->result->verdict, ==, MEMLANE_VERDICT_HOLDS);

  /* Those that come with Memlane stand before it, and it stands once, as it was read last. */
  (void) load (fixture, "zero-copy");
  g_object_ref (first);
  memlane_experiment_store_open (fixture->store, good);
  bench_wait (fixture->opened != first);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, 29);
  {
    g_autoptr (MemlaneExperimentItem) last = g_list_model_get_item (G_LIST_MODEL (fixture->store), 28);

    g_assert_true (last == fixture->opened);
    g_assert_null (last->result);
  }
  g_object_unref (first);
}

int
main (int argc, char **argv)
{
  bench_begin ();
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add ("/experiment-store/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("list", test_list);
  ADD ("predict", test_predict);
  ADD ("run", test_run);
  ADD ("traces", test_traces);
  ADD ("stop", test_stop);
  ADD ("keeps-out", test_keeps_out);
  ADD ("device-trouble", test_device_trouble);
  ADD ("open", test_open);
#undef ADD
  return bench_run ();
}
