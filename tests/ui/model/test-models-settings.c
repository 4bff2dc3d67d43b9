/* test-models-settings.c: what the models remember, and that it works where it cannot
 *
 * SPDX-License-Identifier: MIT
 *
 * The sessions live in child processes: settings that are read back in the process that wrote them prove little.
 */
#include <locale.h>
#include <string.h>

#include "comma-locale.h"
#include "ui/models-fixture.h"
#include "result/csv.h"

#include "model-bench.h"

static void
expect (MemlaneModels *models, const char *workload, guint first, guint last, double precision, MemlanePhase phase, gboolean log_time)
{
  g_autofree char *id = NULL;
  guint is_first, is_last;
  double is_precision;
  int is_phase;
  int time_axis;

  g_object_get (models->plan, "workload", &id, "first-log2", &is_first, "last-log2", &is_last, "precision", &is_precision, NULL);
  g_object_get (models->view, "phase", &is_phase, "time-axis", &time_axis, NULL);
  g_assert_cmpstr (id, ==, workload);
  g_assert_cmpuint (is_first, ==, first);
  g_assert_cmpuint (is_last, ==, last);
  g_assert_cmpfloat (is_precision, ==, precision);
  g_assert_cmpint (is_phase, ==, phase);
  g_assert_cmpint (time_axis == MEMLANE_AXIS_LOG, ==, log_time);
}

static void
write_child (void)
{
  g_autofree char *folder = bench_make_folder ();
  MemlaneModels *models = memlane_models_new (folder);

  expect (models, "vector-add", 10, 20, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  for (guint i = 0; i < 3; i++)
    g_assert_true (memlane_mode_set_has (models_get_plan (models), (const char *[]) { "pinned", "mapped", "system" }[i]));
  g_object_set (models->plan, "workload", "fill", "last-log2", 24, "first-log2", 22, "precision", 0.125, NULL);
  g_object_set (models->view, "phase", MEMLANE_PHASE_KERNEL, "time-axis", MEMLANE_AXIS_LINEAR, NULL);
  g_object_set (models->devices, "device", "simulated:/nowhere.device", NULL);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  memlane_mode_set_put (models_get_plan (models), "no-such-mode", TRUE);
  memlane_models_shut_down (models);
  models_assert_freed (models);
}

static void
read_child (void)
{
  g_autofree char *folder = bench_make_folder (), *id = NULL;
  MemlaneModels *models = memlane_models_new (folder);

  expect (models, "fill", 22, 24, 0.125, MEMLANE_PHASE_KERNEL, FALSE);
  g_assert_true (memlane_mode_set_has (models_get_plan (models), "pinned"));
  g_assert_false (memlane_mode_set_has (models_get_plan (models), "mapped"));
  memlane_models_start (models);
  bench_wait (memlane_device_choice_get_item (models->devices) != NULL);
  g_object_get (models->devices, "device", &id, NULL);
  g_assert_cmpstr (id, ==, "simulated:/nowhere.device");
  memlane_models_shut_down (models);
  models_assert_freed (models);
}

/* All modes again: a mode that a later Memlane adds is to be among them. */
static void
all_child (void)
{
  MemlaneModels *models = memlane_models_new (NULL);
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL), *text = NULL;

  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  memlane_models_shut_down (models);
  models_assert_freed (models);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "modes=['all']"));
}

static void
nonsense_child (void)
{
  MemlaneModels *models = memlane_models_new (NULL);

  expect (models, "vector-add", 12, 12, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  g_assert_true (memlane_mode_set_has (models_get_plan (models), "pinned"));
  g_assert_false (memlane_mode_set_has (models_get_plan (models), "mapped"));
  g_object_set (models->plan, "workload", "no-such-workload", NULL);
  expect (models, "vector-add", 12, 12, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  g_object_set (models->plan, "first-log2", 20, NULL);
  expect (models, "vector-add", 20, 20, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  g_object_set (models->plan, "last-log2", 5, NULL);
  expect (models, "vector-add", 5, 5, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  memlane_models_shut_down (models);
  models_assert_freed (models);
}

/* Version 0.1.0 kept the axes under other names. */
static void
older_child (void)
{
  MemlaneModels *models = memlane_models_new (NULL);
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL), *text = NULL;
  int bandwidth_axis;

  expect (models, "fill", 12, 20, 0.2, MEMLANE_PHASE_KERNEL, FALSE);
  g_object_get (models->view, "bandwidth-axis", &bandwidth_axis, NULL);
  g_assert_cmpint (bandwidth_axis, ==, MEMLANE_AXIS_LOG);
  memlane_models_shut_down (models);
  models_assert_freed (models);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "log-time"));
  g_assert_nonnull (strstr (text, "bandwidth-axis=1"));
}

/* Without a schema. */
static void
forget_child (void)
{
  MemlaneModels *models = memlane_models_new (NULL);

  expect (models, "vector-add", 10, 20, 0.2, MEMLANE_PHASE_ELAPSED, TRUE);
  g_object_set (models->plan, "workload", "fill", NULL);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  memlane_models_shut_down (models);
  models_assert_freed (models);
}

/* Decimal commas on the screen are none in files and settings. */
static void
locale_child (void)
{
  g_autofree char *folder = bench_make_folder (), *root = bench_make_folder ();
  MemlaneModels *models = memlane_models_new (folder);
  MemlaneRunStore *store = models->runs;
  g_autoptr (GListModel) list = g_object_ref (G_LIST_MODEL (store));
  g_autoptr (MemlaneRunItem) item = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  char shown[8];

  g_assert_true (setlocale (LC_NUMERIC, "de_DE.UTF-8") != NULL || make_comma_locale (root));
  g_snprintf (shown, sizeof shown, "%.1f", 0.5);
  g_assert_cmpstr (shown, ==, "0,5"); /* or this test would prove nothing */
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  g_object_set (models->plan, "first-log2", 10, "last-log2", 10, "precision", 0.125, NULL);
  memlane_models_start (models);
  bench_wait (memlane_sweep_job_can_run (models->sweep, NULL) && g_list_model_get_n_items (list) == 1);
  memlane_sweep_job_run (models->sweep);
  bench_wait (!memlane_sweep_job_is_running (models->sweep));
  item = g_list_model_get_item (list, 0);
  runs = memlane_csv_read (item->path, NULL, NULL);
  g_assert_nonnull (runs);
  g_assert_cmpuint (runs->len, ==, 1);
  g_clear_object (&list);
  memlane_models_shut_down (models);
  models_assert_freed (models);
}

static void
run_child (const char *path)
{
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_keyfile (void)
{
  g_autofree char *folder = bench_make_folder (), *backend = g_strdup (g_getenv ("GSETTINGS_BACKEND"));
  g_autofree char *keyfile = g_build_filename (folder, "glib-2.0", "settings", "keyfile", NULL), *parent = g_path_get_dirname (keyfile);

  g_setenv ("MEMLANE_TEST_CONFIG", folder, TRUE);
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
  run_child ("/models-settings/child/subprocess/write");
  run_child ("/models-settings/child/subprocess/read");
  run_child ("/models-settings/child/subprocess/all");

  /* Written by hand, or by another Memlane. */
  g_mkdir_with_parents (parent, 0700);
  g_assert_true (g_file_set_contents (keyfile, "[io/github/memlane/Memlane]\nworkload='teleport'\nphase='sometimes'\nfirst-log2=uint32 22\n"
                                               "last-log2=uint32 12\nmodes=['pinned', 'from-the-future']\nprecision=7.0\ntime-axis='no'\n",
                                      -1, NULL));
  run_child ("/models-settings/child/subprocess/nonsense");
  g_assert_true (g_file_set_contents (keyfile, "[io/github/memlane/Memlane]\nworkload='fill'\nphase='kernel'\nfirst-log2=uint32 12\n"
                                               "log-bandwidth=true\nlog-time=false\n", -1, NULL));
  run_child ("/models-settings/child/subprocess/older");
  if (backend != NULL)
    g_setenv ("GSETTINGS_BACKEND", backend, TRUE);
  else
    g_unsetenv ("GSETTINGS_BACKEND");
  g_unsetenv ("MEMLANE_TEST_CONFIG");
}

static void
test_no_schema (void)
{
  g_autofree char *folder = bench_make_folder (), *schemas = g_strdup (g_getenv ("GSETTINGS_SCHEMA_DIR"));
  g_autofree char *dirs = g_strdup (g_getenv ("XDG_DATA_DIRS"));

  g_unsetenv ("GSETTINGS_SCHEMA_DIR");
  g_setenv ("XDG_DATA_DIRS", folder, TRUE);
  run_child ("/models-settings/child/subprocess/forget");
  if (schemas != NULL)
    g_setenv ("GSETTINGS_SCHEMA_DIR", schemas, TRUE);
  if (dirs != NULL)
    g_setenv ("XDG_DATA_DIRS", dirs, TRUE);
  else
    g_unsetenv ("XDG_DATA_DIRS");
}

static void
test_locale (void)
{
  run_child ("/models-settings/child/subprocess/locale");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  if (g_test_subprocess () && g_getenv ("MEMLANE_TEST_CONFIG") != NULL)
    g_setenv ("XDG_CONFIG_HOME", g_getenv ("MEMLANE_TEST_CONFIG"), TRUE);
  g_test_add_func ("/models-settings/child/subprocess/write", write_child);
  g_test_add_func ("/models-settings/child/subprocess/read", read_child);
  g_test_add_func ("/models-settings/child/subprocess/all", all_child);
  g_test_add_func ("/models-settings/child/subprocess/nonsense", nonsense_child);
  g_test_add_func ("/models-settings/child/subprocess/older", older_child);
  g_test_add_func ("/models-settings/child/subprocess/forget", forget_child);
  g_test_add_func ("/models-settings/child/subprocess/locale", locale_child);
  g_test_add_func ("/models-settings/keyfile", test_keyfile);
  g_test_add_func ("/models-settings/no-schema", test_no_schema);
  g_test_add_func ("/models-settings/locale", test_locale);
  return bench_run ();
}
