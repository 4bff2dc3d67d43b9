/* test-models.c: devices, modes, sweeps and charts of the models, on the simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "model/comparison.h"
#include "ui/models-fixture.h"
#include "result/csv.h"
#include "job/journal.h"

#include "model-bench.h"
#include "base/each.h"

typedef struct
{
  guint notices, swept, modes, charts;
  char *notice;
  gboolean trouble, stopped;
  MemlaneRunItem *item;
} Heard;

static void
notice_cb (gpointer object, const char *sentence, gboolean trouble, Heard *heard)
{
  heard->notices++;
  heard->trouble = trouble;
  g_free (heard->notice);
  heard->notice = g_strdup (sentence);
  g_test_message ("%s", sentence);
}

static void
swept_cb (gpointer object, MemlaneRunItem *item, gboolean stopped, Heard *heard)
{
  heard->swept++;
  heard->stopped = stopped;
  g_set_object (&heard->item, item);
}

static void
count_cb (gpointer object, guint *n)
{
  (*n)++;
}

static void
heard_clear (Heard *heard)
{
  g_free (heard->notice);
  g_clear_object (&heard->item);
  *heard = (Heard) { 0 };
}

/* What comes later may choose another device. */
static gboolean
knows_devices (MemlaneModels *models)
{
  GListModel *devices = memlane_device_choice_get_devices (models->devices);

  MEMLANE_FOR_EACH_ITEM (MemlaneDeviceItem, item, devices)
    if (item->asking)
      return FALSE;
  return TRUE;
}

/* Models that knows its devices and what the chosen one cannot do, with two modes and three sizes. */
static MemlaneModels *
make_models (const char *folder, Heard *heard)
{
  MemlaneModels *models = memlane_models_new (folder);
  MemlaneRunStore *store = models->runs;

  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  memlane_mode_set_put (models_get_plan (models), "mapped", TRUE);
  /* Settings last as long as the process. */
  g_object_set (models->plan, "first-log2", 10, "last-log2", 12, "workload", "vector-add", NULL);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  g_object_set (models->view, "phase", MEMLANE_PHASE_ELAPSED, NULL);
  models_hear_notices (models, (ModelsNotice) notice_cb, heard);
  g_signal_connect (models->sweep, "swept", G_CALLBACK (swept_cb), heard);
  g_signal_connect (models->sweep, "changed", G_CALLBACK (count_cb), &heard->modes);
  g_signal_connect (models->view, "changed", G_CALLBACK (count_cb), &heard->charts);
  memlane_models_start (models);
  bench_wait (memlane_device_choice_get_item (models->devices) != NULL && g_list_model_get_n_items (G_LIST_MODEL (store)) > 0 &&
              models_get_objection (models, "system") != NULL && knows_devices (models));
  return models;
}

static void
finish (MemlaneModels *models, Heard *heard)
{
  memlane_models_shut_down (models);
  heard_clear (heard);
  bench_settle (20);
  models_assert_freed (models);
}

static void
test_devices (void)
{
  g_autofree char *folder = bench_make_folder (), *id = NULL;
  Heard heard = { 0 };
  MemlaneModels *models = memlane_models_new (folder);
  const char *reason;

  g_object_get (models->devices, "device", &id, NULL);
  g_assert_cmpstr (id, ==, "");
  g_assert_false (memlane_device_choice_lacks_gpu (models->devices));
  g_assert_false (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_cmpstr (reason, ==, "Looking for devices");
  models_assert_freed (models);

  models = make_models (folder, &heard);
  g_clear_pointer (&id, g_free);
  g_object_get (models->devices, "device", &id, NULL);
  if (memlane_device_choice_lacks_gpu (models->devices))
    {
      g_assert_cmpstr (id, ==, "simulated:h200");
      g_assert_cmpstr (memlane_device_choice_get_item (models->devices)->name, ==, "Simulated H200");
      g_assert_true (memlane_device_choice_get_item (models->devices)->simulated);
    }
  g_object_set (models->devices, "device", "simulated:h200+noise", NULL); /* as older settings do */
  g_clear_pointer (&id, g_free);
  g_object_get (models->devices, "device", &id, NULL);
  g_assert_cmpstr (id, ==, "simulated:h200");
  bench_wait (models_get_objection (models, "system") != NULL);
  g_assert_null (memlane_device_choice_get_item (models->devices)->reason);
  g_assert_nonnull (strstr (models_get_objection (models, "system"), "pageableMemoryAccess"));
  g_assert_null (models_get_objection (models, "pinned"));
  g_object_set (models->plan, "workload", "copy-on-device", NULL);
  g_assert_nonnull (models_get_objection (models, "mapped"));
  g_assert_false (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_nonnull (strstr (reason, "None of the chosen modes"));
  memlane_mode_set_put (models_get_plan (models), "device-resident", TRUE);
  g_assert_true (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_null (reason);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  g_assert_false (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_cmpstr (reason, ==, "Choose at least one mode");
  memlane_sweep_job_run (models->sweep);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  g_assert_cmpstr (heard.notice, ==, reason);
  finish (models, &heard);
}

static void
test_whole (void)
{
  g_autofree char *folder = bench_make_folder (), *status = NULL;
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  MemlaneRunStore *store = models->runs;
  g_autoptr (MemlaneChart) live = NULL, chart = NULL;
  g_autoptr (MemlaneRunItem) item = NULL;
  guint n_points = 0;

  g_assert_cmpfloat (memlane_sweep_job_estimate_seconds (models->sweep), <, 1); /* six cells of virtual time */
  memlane_sweep_job_run (models->sweep);
  memlane_sweep_job_run (models->sweep);
  g_assert_true (memlane_sweep_job_is_running (models->sweep));
  item = g_list_model_get_item (G_LIST_MODEL (store), 0);
  g_assert_cmpint (item->kind, ==, MEMLANE_RUN_LIVE);
  g_assert_true (g_str_has_suffix (memlane_run_item_get_name (item), ":00 Simulated H200") ||
                 strstr (memlane_run_item_get_name (item), " Simulated H200") != NULL);
  live = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);
  g_assert_cmpuint (live->first_log2, <=, 10);
  g_assert_cmpuint (live->last_log2, >=, 12);

  bench_wait (heard.swept == 1);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  g_assert_false (heard.stopped);
  g_assert_true (heard.item == item);
  g_assert_cmpuint (heard.notices, ==, 0);
  g_assert_cmpuint (item->run->cells->len, ==, 6);
  g_assert_cmpuint (memlane_sweep_job_count_cells (models->sweep), ==, 6);
  g_assert_cmpfloat (memlane_sweep_job_estimate_seconds (models->sweep), >, 0);
  g_assert_cmpfloat (memlane_sweep_job_estimate_seconds (models->sweep), <, 60); /* as long as it took */
  bench_wait (item->kind == MEMLANE_RUN_KEPT);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  g_object_get (models->bench, "status", &status, NULL);
  g_assert_cmpstr (status, ==, "");

  chart = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_TIME, NULL);
  MEMLANE_FOR_EACH (MemlaneSeries, series, chart->series)
    if (series->role == MEMLANE_SERIES_MEASURED)
      n_points += series->points->len;
  g_assert_cmpuint (n_points, ==, 6);
  g_assert_true (chart->simulated);
  g_assert_null (chart->trouble);
  finish (models, &heard);
}

/* What a sweep says of itself while it runs. */
static void
status_cb (MemlaneBench *bench, GParamSpec *pspec, GPtrArray *said)
{
  g_autofree char *status = NULL;

  g_object_get (bench, "status", &status, NULL);
  g_test_message ("%s", status);
  g_ptr_array_add (said, g_steal_pointer (&status));
}

/* Runs of the same minute too. */
static gboolean
names_differ (MemlaneRunStore *store)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store)
    if (!g_hash_table_add (names, g_strdup (memlane_run_item_get_name (item))))
      return FALSE;
  return TRUE;
}

static void
test_stop (void)
{
  g_autofree char *folder = bench_make_folder (), *live_id = NULL;
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  guint measured;

  memlane_bench_stop (models->bench); /* nothing runs */
  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  g_object_set (models->plan, "last-log2", 20, NULL);
  g_signal_connect (models->bench, "notify::status", G_CALLBACK (status_cb), said);
  memlane_sweep_job_run (models->sweep);
  bench_wait (said->len >= 4);
  g_assert_nonnull (strstr (said->pdata[3], " of 2")); /* "cell 5 of 209 · Mapped 2¹⁰ · 20 s left" */
  g_assert_nonnull (strstr (said->pdata[3], "2¹"));
  /* It is drawn with its device and ceilings while it grows, under the id that it keeps. */
  {
    g_autoptr (MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (models->runs), 0);
    g_autoptr (MemlaneChart) growing = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);

    g_assert_cmpint (item->kind, ==, MEMLANE_RUN_LIVE);
    g_assert_nonnull (item->run->environment);
    g_assert_nonnull (growing->ceiling_label);
    live_id = g_strdup (item->run->id);
  }
  memlane_bench_stop (models->bench);
  memlane_bench_stop (models->bench);
  bench_wait (heard.swept == 1);
  g_assert_true (heard.stopped);
  g_assert_cmpstr (((MemlaneRunItem *) heard.item)->run->id, ==, live_id);
  g_assert_nonnull (heard.item);
  measured = ((MemlaneRunItem *) heard.item)->run->cells->len;
  g_assert_cmpuint (measured, >, 0);
  g_assert_cmpuint (measured, <, 200);

  /* Run right behind stop, then stop before anything was measured, again and again. */
  memlane_sweep_job_run (models->sweep);
  g_assert_true (memlane_sweep_job_is_running (models->sweep));
  memlane_bench_stop (models->bench);
  bench_wait (heard.swept == 2);
  for (guint i = 0; i < 5; i++)
    {
      memlane_sweep_job_run (models->sweep);
      bench_settle (i);
      memlane_bench_stop (models->bench);
      bench_wait (heard.swept == 3 + i);
    }
  g_assert_true (names_differ (models->runs));
  g_assert_cmpuint (heard.notices, ==, 0);
  finish (models, &heard);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
}

/* Closing the window in the middle keeps what was measured. */
static void
test_shut_down (void)
{
  g_autofree char *folder = bench_make_folder ();
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);

  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  g_object_set (models->plan, "last-log2", 20, NULL);
  g_signal_connect (models->bench, "notify::status", G_CALLBACK (status_cb), said);
  memlane_sweep_job_run (models->sweep);
  bench_wait (said->len >= 4);
  memlane_models_shut_down (models);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  g_assert_cmpuint (heard.swept, ==, 1);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
  g_assert_cmpuint (bench_count_journals (), ==, 0);
  memlane_sweep_job_run (models->sweep);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  memlane_models_shut_down (models);
  finish (models, &heard);
}

/* A device that cannot be opened (any more), and one that is lost in the middle. */
static void
test_trouble (void)
{
  g_autofree char *folder = bench_make_folder (), *lost = g_build_filename (folder, "lost.device", NULL), *profile = NULL, *id = NULL;
  g_autofree char *whole = NULL, *h200 = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "devices", "h200.device", NULL);
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  const char *reason;
  GString *text;

  g_object_set (models->devices, "device", "simulated:nothing", NULL);
  bench_wait (models_get_objection (models, "pinned") != NULL);
  g_assert_nonnull (strstr (models_get_objection (models, "pinned"), "there is no such device profile"));
  g_assert_false (memlane_sweep_job_can_run (models->sweep, &reason));
  g_assert_nonnull (strstr (reason, "there is no such device profile"));
  /* Before it is known, the sweep itself finds it out. */
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  g_object_set (models->devices, "device", "simulated:nothing", NULL);
  g_assert_true (memlane_sweep_job_can_run (models->sweep, NULL));
  memlane_sweep_job_run (models->sweep);
  bench_wait (heard.swept == 1);
  g_assert_null (heard.item);
  g_assert_true (heard.trouble);
  g_assert_cmpuint (heard.notices, ==, 1);
  g_assert_nonnull (strstr (heard.notice, "there is no such device profile"));

  g_assert_true (g_file_get_contents (h200, &whole, NULL, NULL));
  text = g_string_new (whole);
  g_string_append (text, "\n[trouble]\nlose_device_after_calls=500\n");
  profile = g_string_free (text, FALSE);
  if (strstr (whole, "[trouble]") != NULL)
    {
      text = g_string_new (whole);
      g_string_replace (text, "[trouble]", "[trouble]\nlose_device_after_calls=500", 1);
      g_free (profile);
      profile = g_string_free (text, FALSE);
    }
  g_assert_true (g_file_set_contents (lost, profile, -1, NULL));
  id = g_strconcat ("simulated:", lost, NULL);
  g_object_set (models->devices, "device", id, NULL);
  bench_wait (models_get_objection (models, "system") != NULL);
  g_assert_null (models_get_objection (models, "pinned"));
  memlane_sweep_job_run (models->sweep);
  bench_wait (heard.swept == 2);
  g_assert_nonnull (heard.item);
  g_assert_nonnull (strstr (heard.notice, "the device was lost"));
  g_unlink (lost);
  finish (models, &heard);
}

/* The journal's folder cannot be made: the sweep runs all the same, and says it. */
static void
test_journal (void)
{
  g_autofree char *folder = bench_make_folder (), *state = g_build_filename (g_get_user_state_dir (), "memlane", NULL);
  g_autofree char *aside = g_strconcat (state, ".aside", NULL);
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);

  (void) g_rename (state, aside);
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_state_dir (), 0700), ==, 0);
  g_assert_true (g_file_set_contents (state, "no folder", -1, NULL));
  memlane_sweep_job_run (models->sweep);
  bench_wait (heard.swept == 1);
  g_unlink (state);
  (void) g_rename (aside, state);
  g_assert_cmpuint (heard.notices, ==, 1);
  g_assert_nonnull (strstr (heard.notice, "The journal does not hold all of this run"));
  bench_wait (((MemlaneRunItem *) heard.item)->kind == MEMLANE_RUN_KEPT);
  g_assert_cmpuint (bench_count_runs (folder), ==, 1);
  finish (models, &heard);
}

static void
test_charts (void)
{
  g_autofree char *folder = bench_make_folder (), *sentence = NULL;
  g_autoptr (GPtrArray) drawn = NULL;
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  g_autoptr (MemlaneChart) one = NULL, ratio = NULL, published = NULL, other = NULL, kernel = NULL, filtered = NULL;
  guint before, n_published = 0;

  bench_wait (heard.charts > 0 && !memlane_run_store_is_reading (models->runs));
  one = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_RATIO, NULL);
  g_assert_cmpint (one->quantity, ==, MEMLANE_QUANTITY_RATIO);
  g_assert_nonnull (one->trouble);

  memlane_sweep_job_run (models->sweep);
  bench_wait (heard.swept == 1);
  ratio = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_RATIO, NULL);
  g_assert_cmpint (ratio->quantity, ==, MEMLANE_QUANTITY_RATIO);
  g_assert_cmpuint (ratio->series->len, ==, 2);
  g_assert_null (ratio->trouble);
  drawn = memlane_view_model_get_drawn (models->view);
  g_assert_cmpuint (drawn->len, ==, 2);
  sentence = memlane_comparison_describe (((MemlaneRunItem *) drawn->pdata[0])->run, ((MemlaneRunItem *) drawn->pdata[1])->run,
                                          models->view->workload->id);
  g_test_message ("%s", sentence);
  g_assert_cmpstr (sentence, ==, "One run is simulated, the other measured.");
  g_assert_null (strstr (sentence, "Different methods")); /* neither of the two modes has streams */

  /* What is hidden for a figure is measured all the same. */
  memlane_mode_set_put (models->view->modes, "mapped", FALSE);
  g_assert_true (memlane_mode_set_has (models_get_plan (models), "mapped"));
  g_assert_false (memlane_mode_set_has (models->view->modes, "mapped"));
  filtered = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_RATIO, NULL);
  g_assert_cmpuint (filtered->series->len, ==, 1);
  memlane_mode_set_put_all (models->view->modes, TRUE);
  memlane_mode_set_put (models_get_plan (models), "pinned", FALSE); /* and what is not to be measured is shown */
  g_assert_true (memlane_mode_set_has (models->view->modes, "pinned"));
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);

  g_object_set (models->view, "show-published", TRUE, NULL);
  published = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_TIME, NULL);
  MEMLANE_FOR_EACH (MemlaneSeries, series, published->series)
    n_published += series->role == MEMLANE_SERIES_PUBLISHED;
  g_assert_cmpuint (n_published, >=, 1);

  /* Nothing that is shown was measured with this workload: that is said, and no other is drawn. */
  g_object_set (models->view, "show-published", FALSE, "shown-workload", "fill", NULL);
  other = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_TIME, NULL);
  g_assert_cmpstr (other->workload, ==, "fill");
  g_assert_nonnull (strstr (other->trouble, "do not contain “Fill”"));

  /* A hundred changes are one signal or two. */
  bench_settle (200);
  before = heard.charts;
  for (guint i = 0; i < 100; i++)
    g_object_set (models->view, "phase", i % 2 == 0 ? MEMLANE_PHASE_KERNEL : MEMLANE_PHASE_ELAPSED, NULL);
  g_object_set (models->view, "phase", MEMLANE_PHASE_KERNEL, NULL);
  bench_wait (heard.charts > before);
  bench_settle (250);
  g_assert_cmpuint (heard.charts - before, <=, 2);
  kernel = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);
  g_assert_cmpint (kernel->phase, ==, MEMLANE_PHASE_KERNEL);
  finish (models, &heard);
}

static void
opened_cb (MemlaneRunStore *runs, const char *name, GPtrArray *items, const char *problem, GPtrArray **opened)
{
  g_assert_null (problem);
  *opened = g_ptr_array_ref (items);
}

static GPtrArray *
open_recording (MemlaneModels *models, const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GPtrArray *items = NULL;
  gulong id = g_signal_connect (models->runs, "opened", G_CALLBACK (opened_cb), &items);

  memlane_run_store_open (models->runs, file);
  bench_wait (items != NULL);
  g_signal_handler_disconnect (models->runs, id);
  return items;
}

/* A colleague's file of another workload is what is seen, and its curves are the base; the way back leads to the others. */
static void
test_opened (void)
{
  g_autofree char *folder = bench_make_folder ();
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);
  g_autoptr (MemlaneChart) chart = NULL, back = NULL;
  g_autoptr (GPtrArray) items = NULL, again = NULL;
  g_autoptr (MemlaneRunItem) recorded = g_list_model_get_item (G_LIST_MODEL (models->runs), 0);
  const MemlaneWorkload *before;

  g_object_set (models->view, "shown-workload", "vector-add", NULL);
  bench_wait (recorded->run != NULL);
  items = open_recording (models, "h200-copy-to-device.csv");
  before = memlane_view_model_follow_opened (models->view, items);
  g_assert_nonnull (before);
  g_assert_cmpstr (before->id, ==, "vector-add");
  g_assert_cmpstr (models->view->workload->id, ==, "copy-to-device");
  g_assert_cmpstr (models->plan->workload->id, ==, "vector-add"); /* the next sweep's */
  g_assert_true (memlane_view_model_has_curves (models->view, items->pdata[0]));
  g_assert_false (memlane_view_model_has_curves (models->view, recorded));
  chart = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);
  g_assert_cmpstr (chart->workload, ==, "copy-to-device");
  g_assert_cmpuint (chart->series->len, >, 0);
  MEMLANE_FOR_EACH (MemlaneSeries, series, chart->series)
    g_assert_cmpint (series->role, ==, MEMLANE_SERIES_MEASURED);
  g_assert_nonnull (chart->ceiling_label); /* of a base */
  again = open_recording (models, "h200-copy-to-device.csv");
  g_assert_null (memlane_view_model_follow_opened (models->view, again));

  g_object_set (models->view, "shown-workload", before->id, NULL);
  back = memlane_view_model_build_chart (models->view, MEMLANE_QUANTITY_BANDWIDTH, NULL);
  g_assert_cmpuint (back->series->len, >, 0);
  for (guint i = 0; i < back->series->len; i++)
    g_assert_cmpint (((MemlaneSeries *) back->series->pdata[i])->role, ==, MEMLANE_SERIES_MEASURED);
  finish (models, &heard);
}

/* With nothing installed there is nothing to show; that is said once. */
static void
test_published_missing (void)
{
  g_autofree char *folder = bench_make_folder (), *bad = g_build_filename (folder, "published.csv", NULL), *data = NULL;
  Heard heard = { 0 };
  MemlaneModels *models = make_models (folder, &heard);

  g_assert_true (g_file_set_contents (bad, "no,csv\n", -1, NULL));
  data = g_strdup (g_getenv ("MEMLANE_DATA_DIR"));
  g_setenv ("MEMLANE_DATA_DIR", folder, TRUE);
  g_assert_null (memlane_view_model_get_published (models->view));
  g_assert_null (memlane_view_model_get_published (models->view));
  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_assert_cmpuint (heard.notices, ==, 1);
  g_assert_nonnull (strstr (heard.notice, "published.csv:1"));
  finish (models, &heard);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  g_test_add_func ("/models/devices", test_devices);
  g_test_add_func ("/models/whole", test_whole);
  g_test_add_func ("/models/stop", test_stop);
  g_test_add_func ("/models/shut-down", test_shut_down);
  g_test_add_func ("/models/trouble", test_trouble);
  g_test_add_func ("/models/journal", test_journal);
  g_test_add_func ("/models/charts", test_charts);
  g_test_add_func ("/models/opened", test_opened);
  g_test_add_func ("/models/published-missing", test_published_missing);
  return bench_run ();
}
