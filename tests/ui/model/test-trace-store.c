/* test-trace-store.c: recording by workers, reading files, and every way in which both go wrong
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <string.h>

#include "ui/models-fixture.h"
#include "trace/trace.h"

#include "model-bench.h"
#include "engine/same-trace.h"

typedef struct
{
  MemlaneTraceStore *store;
  BenchHeard notices;
  gboolean trouble;
  guint n_failed;
  GPtrArray *arrived, *purposes; /* (element-type MemlaneTraceItem), (element-type utf8) */
} Fixture;

static void
notice_cb (MemlaneTraceStore *store, const char *sentence, gboolean trouble, Fixture *fixture)
{
  bench_said_cb (store, sentence, &fixture->notices);
  fixture->trouble = trouble;
}

static void
arrived_cb (MemlaneTraceStore *store, MemlaneTraceItem *item, const char *purpose, Fixture *fixture)
{
  g_ptr_array_add (fixture->arrived, g_object_ref (item));
  g_ptr_array_add (fixture->purposes, g_strdup (purpose));
}

static void
failed_cb (MemlaneTraceStore *store, const char *purpose, Fixture *fixture)
{
  fixture->n_failed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->store = memlane_trace_store_new (NULL);
  fixture->arrived = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->purposes = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect (fixture->store, "notice", G_CALLBACK (notice_cb), fixture);
  g_signal_connect (fixture->store, "arrived", G_CALLBACK (arrived_cb), fixture);
  g_signal_connect (fixture->store, "failed", G_CALLBACK (failed_cb), fixture);
}

static void
record_pinned (Fixture *fixture, const char *purpose)
{
  memlane_trace_store_record (fixture->store, "simulated:h200", NULL, memlane_mode_find ("pinned"), 12, purpose);
}

/* Nothing that was recorded stays on the disk. */
static guint
count_left_over (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "memlane", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  memlane_trace_store_stop (fixture->store);
  bench_wait (!memlane_trace_store_is_busy (fixture->store));
  bench_heard_clear (&fixture->notices);
  g_ptr_array_unref (fixture->arrived);
  g_ptr_array_unref (fixture->purposes);
  bench_settle (5);
  g_assert_finalize_object (fixture->store);
  g_assert_cmpuint (count_left_over (), ==, 0);
}

/* --- a memlane-cli of our own ------------------------------------------------------------------------------------------- */

static char *real_cli;

static void
use_cli (const char *script)
{
  g_autofree char *folder = bench_make_folder (), *path = g_build_filename (folder, "memlane-cli", NULL);
  g_autofree char *text = g_strconcat ("#!/usr/bin/env bash\n", script, NULL);

  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("MEMLANE_CLI", path, TRUE);
}

static void
use_real_cli (void)
{
  g_setenv ("MEMLANE_CLI", real_cli, TRUE);
}

/* Records with the program that is set now, which must go wrong. */
static void
expect_failure (Fixture *fixture, const char *first, const char *second)
{
  fixture->n_failed = 0;
  record_pinned (fixture, "first");
  g_assert_true (memlane_trace_store_is_busy (fixture->store));
  bench_wait (fixture->n_failed == 1);
  use_real_cli ();
  g_assert_false (memlane_trace_store_is_busy (fixture->store));
  g_assert_true (fixture->trouble);
  g_assert_nonnull (strstr (fixture->notices.last, first));
  g_assert_nonnull (strstr (fixture->notices.last, second));
  g_assert_cmpuint (fixture->arrived->len, ==, 0);
  g_assert_cmpuint (count_left_over (), ==, 0);
}

/* --- recording ------------------------------------------------------------------------------------------------------------- */

/* What a worker may do wrong, tests/engine/job knows; here its error is a notice. */
static void
test_worker_trouble (Fixture *fixture, gconstpointer data)
{
  g_setenv ("MEMLANE_CLI", "/nowhere/memlane-cli", TRUE);
  expect_failure (fixture, "cannot be started", "/nowhere/memlane-cli");
  use_cli ("kill -SEGV $$\n");
  expect_failure (fixture, "signal 11", "Segmentation fault");
  use_cli ("printf 'ld.so: no such library\\n\\n' >&2; exit 127\n");
  expect_failure (fixture, "status 127", "ld.so: no such library");
}

/* --- stopping ---------------------------------------------------------------------------------------------------------------- */

/* Whether the child that wrote its number there still is. */
static gboolean
is_alive (const char *path)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return kill ((pid_t) g_ascii_strtoll (text, NULL, 10), 0) == 0;
}

static gboolean
is_written (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 && info.st_size > 1;
}

/* @deaf: it takes no notice of SIGTERM, as a process that hangs in a driver; its own child holds standard error open for long. */
static void
stop_child (Fixture *fixture, gboolean deaf)
{
  g_autofree char *folder = bench_make_folder (), *number = g_build_filename (folder, "number", NULL), *status = NULL;
  g_autofree char *script = g_strdup_printf ("%s\necho $$ > '%s'\nwhile :; do sleep 0.05; done\n",
                                             deaf ? "trap '' TERM; sleep 10 & disown" : "trap 'exit 130' TERM", number);

  use_cli (script);
  fixture->n_failed = 0;
  record_pinned (fixture, "first");
  record_pinned (fixture, "second");
  bench_wait (is_written (number));
  memlane_trace_store_stop (fixture->store);
  memlane_trace_store_stop (fixture->store);
  g_assert_cmpuint (fixture->n_failed, ==, 1); /* the one that waited */
  g_object_get (fixture->store, "status", &status, NULL);
  g_assert_cmpstr (status, ==, "stopping");
  bench_wait (fixture->n_failed == 2);
  use_real_cli ();
  g_assert_false (is_alive (number));
  g_assert_false (fixture->trouble);
  g_assert_cmpstr (fixture->notices.last, ==, "Stopped recording Pinned 2¹²");
  g_assert_false (memlane_trace_store_is_busy (fixture->store));
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  memlane_trace_store_stop (fixture->store); /* nothing goes on */
  g_assert_cmpuint (fixture->n_failed, ==, 0);
  stop_child (fixture, FALSE);
  stop_child (fixture, TRUE);

  /* At once, and in the middle of whatever the real one does; then it works again. */
  for (guint i = 0; i < 8; i++)
    {
      fixture->n_failed = 0;
      record_pinned (fixture, "first");
      bench_settle (i * i * 5);
      memlane_trace_store_stop (fixture->store);
      bench_wait (!memlane_trace_store_is_busy (fixture->store));
    }
  g_ptr_array_set_size (fixture->arrived, 0);
  record_pinned (fixture, "first");
  bench_wait (fixture->arrived->len == 1);
}

/* Closing the window in the middle. */
static void
test_shut_down (Fixture *fixture, gconstpointer data)
{
  use_cli ("trap '' TERM; while :; do sleep 0.05; done\n");
  record_pinned (fixture, "first");
  memlane_trace_store_stop (fixture->store);
  bench_wait (!memlane_trace_store_is_busy (fixture->store));
  use_real_cli ();
  g_assert_false (memlane_trace_store_is_busy (fixture->store));
  g_assert_cmpuint (fixture->n_failed, ==, 1);
}

/* --- files --------------------------------------------------------------------------------------------------------------------- */

static void
test_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *foreign = bench_write_file ("foreign.json", " \n[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]");
  g_autofree char *cut = bench_write_file ("cut.json", "{\"traceEvents\":[{\"ph\":\"X\"");
  g_autofree char *packed = bench_write_file ("t.json.gz", "\x1f\x8b\b"), *export = bench_write_file ("t.sqlite", "SQLite format 3");
  g_autofree char *csv = bench_write_file ("run.csv", "run,device\n"), *empty = bench_write_file ("empty.json", "");
  g_autofree char *folder = bench_make_folder ();
  g_autofree char *own = g_build_filename (folder, "own.json", NULL);
  g_autoptr (GError) error = NULL;
  guint i;

  g_assert_true (memlane_trace_store_is_trace (foreign));
  g_assert_true (memlane_trace_store_is_trace (cut));
  g_assert_true (memlane_trace_store_is_trace (packed));
  g_assert_true (memlane_trace_store_is_trace (export));
  g_assert_false (memlane_trace_store_is_trace (csv));
  g_assert_false (memlane_trace_store_is_trace (empty));
  g_assert_false (memlane_trace_store_is_trace (folder));
  g_assert_false (memlane_trace_store_is_trace (own)); /* not there */

  memlane_trace_store_open (fixture->store, foreign, "first");
  memlane_trace_store_open (fixture->store, cut, "second");
  memlane_trace_store_open (fixture->store, own, "third");
  memlane_trace_store_open (fixture->store, folder, "fourth");
  bench_wait (fixture->arrived->len == 1 && fixture->n_failed == 3);
  g_assert_cmpstr (((MemlaneTraceItem *) fixture->arrived->pdata[0])->name, ==, "foreign.json");
  g_assert_cmpstr (((MemlaneTraceItem *) fixture->arrived->pdata[0])->path, ==, foreign);
  g_assert_cmpuint (fixture->notices.n, ==, 3);
  g_assert_true (fixture->trouble);
  g_assert_nonnull (strstr (fixture->notices.last, "it is not a file"));
  g_assert_true (g_file_test (cut, G_FILE_TEST_EXISTS)); /* what was opened is not ours to remove */

  /* Opened again it stands where it stood: once. */
  memlane_trace_store_open (fixture->store, foreign, "first");
  bench_wait (fixture->arrived->len == 2);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, 1);

  /* Ten recorded ones at most, and the opened one stays. */
  for (i = 0; i < 12; i++)
    record_pinned (fixture, "first");
  bench_wait (fixture->arrived->len == 14);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, 11);
  {
    g_autoptr (MemlaneTraceItem) last = g_list_model_get_item (G_LIST_MODEL (fixture->store), 10);

    g_assert_cmpstr (last->path, ==, foreign);
  }
  g_assert_true (memlane_trace_write_json (((MemlaneTraceItem *) fixture->arrived->pdata[13])->trace, own, &error));
  g_assert_no_error (error);
  memlane_trace_store_open (fixture->store, own, "first");
  bench_wait (fixture->arrived->len == 15);
  g_assert_true (is_same_trace (((MemlaneTraceItem *) fixture->arrived->pdata[13])->trace,
                                      ((MemlaneTraceItem *) fixture->arrived->pdata[14])->trace));
  g_assert_cmpuint (count_left_over (), ==, 0);
}

/* --- sweeps -------------------------------------------------------------------------------------------------------------------- */

static void
test_sweep (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneModels *models = memlane_models_new (folder);
  Fixture fixture = { .store = g_object_ref (models->traces) };
  const char *reason;
  guint i;

  fixture.arrived = g_ptr_array_new_with_free_func (g_object_unref);
  fixture.purposes = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect (fixture.store, "notice", G_CALLBACK (notice_cb), &fixture);
  g_signal_connect (fixture.store, "arrived", G_CALLBACK (arrived_cb), &fixture);
  g_signal_connect (fixture.store, "failed", G_CALLBACK (failed_cb), &fixture);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  g_object_set (models->plan, "first-log2", 10, "last-log2", 20, NULL);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  memlane_models_start (models);
  bench_wait (memlane_sweep_job_can_run (models->sweep, NULL) && models_get_objection (models, "system") != NULL);

  g_assert_null (memlane_trace_store_get_objection (fixture.store));
  record_pinned (&fixture, "first");
  g_assert_false (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_nonnull (strstr (reason, "A trace is being recorded"));
  bench_wait (fixture.arrived->len == 1);
  g_assert_true (memlane_sweep_job_can_run (models->sweep, &reason));

  memlane_sweep_job_run (models->sweep);
  g_assert_true (memlane_sweep_job_is_running (models->sweep));
  g_assert_nonnull (memlane_trace_store_get_objection (fixture.store));
  record_pinned (&fixture, "first");
  g_assert_cmpuint (fixture.n_failed, ==, 1);
  g_assert_true (fixture.trouble);
  g_assert_nonnull (strstr (fixture.notices.last, "A sweep is running"));
  g_assert_false (memlane_trace_store_is_busy (fixture.store));
  memlane_bench_stop (models->bench);
  bench_wait (!memlane_sweep_job_is_running (models->sweep));
  for (i = 0; i < 2; i++)
    record_pinned (&fixture, "first");
  memlane_models_shut_down (models);
  bench_settle (20);
  memlane_models_free (models);
  tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  int status;

  bench_begin ();
  g_test_init (&argc, &argv, NULL);
  real_cli = g_strdup (g_getenv ("MEMLANE_CLI"));
  g_assert_nonnull (real_cli);
#define ADD(name, test) g_test_add ("/trace-store/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("worker-trouble", test_worker_trouble);
  ADD ("stop", test_stop);
  ADD ("shut-down", test_shut_down);
  ADD ("files", test_files);
#undef ADD
  g_test_add_func ("/trace-store/sweep", test_sweep);
  status = g_test_run ();
  g_free (real_cli);
  bench_end ();
  return status;
}
