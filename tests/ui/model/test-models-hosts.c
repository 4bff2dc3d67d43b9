/* test-models-hosts.c: models and hosts: which are listed, chosen, measured on, and what a dead or silent one does
 *
 * SPDX-License-Identifier: MIT
 *
 * The hosts are commands of this machine.
 */
#include <signal.h>
#include <string.h>

#include "ui/models-fixture.h"
#include "model/trace-store.h"

#include "model-bench.h"

static void
notice_cb (gpointer object, const char *sentence, gboolean trouble, BenchHeard *heard)
{
  bench_said_cb (object, sentence, heard);
}

static void
swept_cb (gpointer object, MemlaneRunItem *item, gboolean stopped, MemlaneRunItem **swept)
{
  g_set_object (swept, item);
}

/* (transfer full): of a file in the folder of settings. NULL @text: there is none. */
static void
write_hosts (const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "memlane", NULL), *path = g_build_filename (folder, "hosts", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  if (text != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  else
    g_unlink (path);
}

/* A host that is this machine. (transfer full) */
static char *
make_group (const char *name)
{
  return g_strdup_printf ("[%s]\ncommand=env '%s' worker\n", name, g_getenv ("MEMLANE_CLI"));
}

/* (nullable) (transfer none) */
static MemlaneDeviceItem *
find (MemlaneModels *models, const char *id)
{
  GListModel *devices = memlane_device_choice_get_devices (models->devices);

  MEMLANE_FOR_EACH_ITEM (MemlaneDeviceItem, item, devices)
    if (strcmp (item->id, id) == 0)
      return item;
  return NULL;
}

static const char *
get_reason (MemlaneModels *models, const char *id)
{
  return find (models, id) != NULL ? find (models, id)->reason : NULL;
}

static gboolean
is_asking (MemlaneModels *models, const char *id)
{
  return find (models, id) != NULL && find (models, id)->asking;
}

static gboolean
has_chosen (MemlaneModels *models, const char *id)
{
  g_autofree char *device = NULL;

  g_object_get (models->devices, "device", &device, NULL);
  return strcmp (device, id) == 0;
}

/* Every section is in one piece, this machine's first. */
static void
assert_sections (MemlaneModels *models)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *devices = memlane_device_choice_get_devices (models->devices);
  const char *before = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (devices, i);
      const char *host = item->host;

      g_assert_true (i > 0 || *host == '\0');
      if (before == NULL || strcmp (before, host) != 0)
        g_assert_true (g_hash_table_add (seen, g_strdup (host)));
      before = host;
    }
}

static MemlaneModels *
open_models (const char *folder, BenchHeard *heard)
{
  MemlaneModels *models = memlane_models_new (folder);

  models_hear_notices (models, (ModelsNotice) notice_cb, heard);
  return models;
}

static void
finish (MemlaneModels *models, BenchHeard *heard)
{
  memlane_models_shut_down (models);
  bench_heard_clear (heard);
  bench_settle (20);
  models_assert_freed (models);
}

/* One that answers, one that is dead, one that says nothing. Who waits for none of them can measure. */
static void
test_list (void)
{
  g_autofree char *folder = bench_make_folder (), *near = make_group ("near"), *text = NULL, *name = NULL;
  BenchHeard heard = { 0 };
  MemlaneModels *models;

  text = g_strconcat (near, "[dead]\ncommand=false\n[silent]\ncommand=sleep 1000\n", NULL);
  write_hosts (text);
  models = open_models (folder, &heard);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  memlane_models_start (models);
  /* At once, whatever the driver and the hosts do. */
  g_assert_true (has_chosen (models, "simulated:h200"));
  g_assert_true (is_asking (models, "cuda"));
  g_assert_true (is_asking (models, "near"));
  g_assert_true (is_asking (models, "dead"));
  g_assert_true (is_asking (models, "silent"));
  g_assert_cmpstr (get_reason (models, "silent"), ==, "Asking silent…");
  assert_sections (models);

  bench_wait (find (models, "near/simulated:h200") != NULL);
  g_assert_cmpstr (find (models, "near/simulated:h200")->name, ==, "Simulated H200 on near");
  g_assert_cmpstr (find (models, "near/simulated:h200")->host, ==, "near");
  g_assert_null (get_reason (models, "near/simulated:h200"));
  bench_wait (!is_asking (models, "dead"));
  g_assert_nonnull (get_reason (models, "dead"));
  bench_wait (!is_asking (models, "silent"));
  g_assert_nonnull (get_reason (models, "silent"));
  g_assert_true (has_chosen (models, "simulated:h200"));
  assert_sections (models);
  g_assert_cmpuint (heard.n, ==, 0);

  /* Asked anew: one is gone, one has come; what is listed stays meanwhile. */
  {
    g_autofree char *far = make_group ("far"), *both = g_strconcat (near, far, NULL);

    write_hosts (both);
    memlane_device_choice_look (models->devices);
    g_assert_null (find (models, "dead"));
    g_assert_null (find (models, "silent"));
    g_assert_nonnull (find (models, "near/simulated:h200"));
    g_assert_true (is_asking (models, "near"));
    bench_wait (find (models, "far/simulated:h200") != NULL && !is_asking (models, "near") && !is_asking (models, "cuda"));
    g_assert_nonnull (find (models, "near/simulated:h200"));
    assert_sections (models);
  }
  finish (models, &heard);
  write_hosts (NULL);
}

/* The device of the settings is on a host: it is chosen when that answers; until then another one is. A run there is named after both. */
static void
test_wanted (void)
{
  g_autofree char *folder = bench_make_folder (), *near = make_group ("near");
  BenchHeard heard = { 0 };
  MemlaneModels *models;
  g_autoptr (MemlaneRunItem) swept = NULL;

  write_hosts (near);
  models = open_models (folder, &heard);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  g_object_set (models->devices, "device", "near/simulated:h200", NULL);
  g_object_set (models->plan, "first-log2", 10, "last-log2", 11, NULL);
  g_signal_connect (models->sweep, "swept", G_CALLBACK (swept_cb), &swept);
  memlane_models_start (models);
  g_assert_true (has_chosen (models, ""));
  bench_wait (has_chosen (models, "near/simulated:h200"));
  bench_wait (models_get_objection (models, "system") != NULL);
  g_assert_null (models_get_objection (models, "pinned"));
  memlane_sweep_job_run (models->sweep);
  memlane_device_choice_look (models->devices); /* when the sweep has ended */
  g_assert_false (is_asking (models, "near"));
  bench_wait (swept != NULL);
  g_assert_true (g_str_has_suffix (memlane_run_item_get_name (swept), " Simulated H200 on near"));
  g_assert_cmpuint (swept->run->cells->len, ==, 2);
  g_assert_cmpuint (heard.n, ==, 0);
  g_assert_true (is_asking (models, "near"));
  g_assert_true (has_chosen (models, "near/simulated:h200"));

  /* The host is gone: another device is used, and the wanted one is again when it is back. */
  write_hosts (NULL);
  memlane_device_choice_look (models->devices);
  bench_wait (!is_asking (models, "cuda") && !has_chosen (models, "near/simulated:h200"));
  write_hosts (near);
  memlane_device_choice_look (models->devices);
  bench_wait (has_chosen (models, "near/simulated:h200"));
  finish (models, &heard);
  write_hosts (NULL);
}

/* A file that is refused is told, with its line; this machine is listed all the same. */
static void
test_refused (void)
{
  g_autofree char *folder = bench_make_folder ();
  BenchHeard heard = { 0 };
  MemlaneModels *models;

  write_hosts ("[near]\ncommnad=true\n");
  models = open_models (folder, &heard);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  memlane_models_start (models);
  g_assert_cmpuint (heard.n, ==, 1);
  g_assert_nonnull (strstr (heard.last, "Hosts are not used: "));
  g_assert_nonnull (strstr (heard.last, "hosts:2: found the key commnad, expected command"));
  g_assert_true (has_chosen (models, "simulated:h200"));
  bench_wait (!is_asking (models, "cuda"));
  finish (models, &heard);
  write_hosts (NULL);
}

/* Twenty hosts, all dead: each has its row, in the file's order. */
static void
test_many (void)
{
  g_autofree char *folder = bench_make_folder ();
  g_autoptr (GString) text = g_string_new (NULL);
  BenchHeard heard = { 0 };
  MemlaneModels *models;
  guint n_answered = 0;

  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "[host%u]\ncommand=false\n", i);
  write_hosts (text->str);
  models = open_models (folder, &heard);
  memlane_models_start (models);
  while (n_answered < 20)
    {
      g_main_context_iteration (NULL, TRUE);
      n_answered = 0;
      for (guint i = 0; i < 20; i++)
        {
          g_autofree char *host = g_strdup_printf ("host%u", i);

          g_assert_nonnull (get_reason (models, host));
          n_answered += !is_asking (models, host);
        }
    }
  assert_sections (models);
  finish (models, &heard);
  write_hosts (NULL);
}

/* The link is lost in the middle, and the host with it: what was measured is kept, and that is said. */
static void
test_lost (void)
{
  g_autofree char *folder = bench_make_folder (), *gone = g_build_filename (folder, "gone", NULL), *pid = NULL, *text = NULL;
  g_autofree char *pid_path = g_build_filename (folder, "pid", NULL), *script = g_build_filename (folder, "link", NULL), *hosts = NULL;
  g_autoptr (MemlaneRunItem) swept = NULL;
  BenchHeard heard = { 0 };
  MemlaneModels *models;

  text = g_strdup_printf ("#!/bin/sh\n[ -e '%s' ] && exit 1\necho $$ >'%s'\nexec '%s' worker\n", gone, pid_path, g_getenv ("MEMLANE_CLI"));
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_assert_cmpint (g_chmod (script, 0700), ==, 0);
  hosts = g_strdup_printf ("[gpu1]\ncommand=%s\n", script);
  write_hosts (hosts);
  models = open_models (folder, &heard);
  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  g_object_set (models->devices, "device", "gpu1/simulated:h200", NULL);
  g_object_set (models->plan, "first-log2", 10, "last-log2", 20, NULL);
  g_signal_connect (models->sweep, "swept", G_CALLBACK (swept_cb), &swept);
  memlane_models_start (models);
  bench_wait (has_chosen (models, "gpu1/simulated:h200") && models_get_objection (models, "system") != NULL);
  memlane_sweep_job_run (models->sweep);
  {
    g_autoptr (MemlaneRunItem) live = g_list_model_get_item (G_LIST_MODEL (models->runs), 0);

    bench_wait (live->run->cells->len >= 2);
  }
  g_assert_true (g_file_set_contents (gone, "", -1, NULL));
  g_assert_true (g_file_get_contents (pid_path, &pid, NULL, NULL));
  g_assert_cmpint (kill ((pid_t) g_ascii_strtoll (pid, NULL, 10), SIGKILL), ==, 0);
  bench_wait (swept != NULL);
  g_assert_cmpuint (swept->run->cells->len, >=, 2);
  g_assert_nonnull (strstr (heard.last, "Measuring ended early and keeps "));
  g_assert_nonnull (strstr (heard.last, "gpu1"));
  bench_wait (swept->kind == MEMLANE_RUN_KEPT);
  finish (models, &heard);
  write_hosts (NULL);
}

static gboolean
has_status (MemlaneModels *models, const char *words)
{
  g_autofree char *status = NULL;

  g_object_get (models->bench, "status", &status, NULL);
  return strstr (status, words) != NULL;
}

static void
count_cb (gpointer object, MemlaneRunItem *item, gboolean stopped, guint *n_stopped)
{
  *n_stopped += stopped;
}

/* A queue before the host: its words are seen, and the waiting can be stopped. */
static void
test_queue (void)
{
  g_autofree char *folder = bench_make_folder (), *full = g_build_filename (folder, "full", NULL), *text = NULL, *hosts = NULL;
  g_autofree char *script = g_build_filename (folder, "queue", NULL);
  BenchHeard heard = { 0 };
  MemlaneModels *models;
  MemlaneTraceStore *traces;
  MemlaneMethod method = { .reuse = 1 };
  g_autofree char *status = NULL;
  guint n_stopped = 0;

  text = g_strdup_printf ("#!/bin/sh\n[ -e '%s' ] && { echo queued behind others >&2; exec sleep 1000; }\nexec '%s' worker\n", full,
                          g_getenv ("MEMLANE_CLI"));
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_assert_cmpint (g_chmod (script, 0700), ==, 0);
  hosts = g_strdup_printf ("[cluster]\ncommand=%s\n", script);
  write_hosts (hosts);
  models = open_models (folder, &heard);
  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  g_object_set (models->devices, "device", "cluster/simulated:h200", NULL);
  g_signal_connect (models->sweep, "swept", G_CALLBACK (count_cb), &n_stopped);
  memlane_models_start (models);
  bench_wait (has_chosen (models, "cluster/simulated:h200") && models_get_objection (models, "system") != NULL);
  g_assert_true (g_file_set_contents (full, "", -1, NULL));
  memlane_sweep_job_run (models->sweep);
  bench_wait (has_status (models, "Waiting: queued behind others"));
  memlane_bench_stop (models->bench);
  bench_wait (n_stopped == 1);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  g_assert_cmpuint (heard.n, ==, 0);

  /* A recording waits in the same way. */
  traces = memlane_trace_store_new (models->bench);
  method.workload = models->plan->workload;
  memlane_trace_store_record (traces, "cluster/simulated:h200", &method, memlane_mode_find ("pinned"), 10, "alone");
  bench_wait (g_strcmp0 (memlane_trace_store_get_waiting (traces), "queued behind others") == 0);
  g_object_get (traces, "status", &status, NULL);
  g_assert_cmpstr (status, ==, "Waiting: queued behind others");
  memlane_trace_store_stop (traces);
  bench_wait (!memlane_trace_store_is_busy (traces));
  g_assert_null (memlane_trace_store_get_waiting (traces));
  g_object_unref (traces);
  finish (models, &heard);
  write_hosts (NULL);
}

/* (transfer full): a program in place of memlane-cli that heeds nothing, and writes its process id into @folder. */
static char *
make_stubborn (const char *folder)
{
  g_autofree char *pid = g_build_filename (folder, "pid", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\ntrap '' TERM INT HUP PIPE\necho $$ >>'%s'\nwhile :; do sleep 600; done\n", pid);
  char *path = g_build_filename (folder, "memlane-cli", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  return path;
}

static guint
count_alive (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "pid", NULL), *text = NULL;
  g_auto (GStrv) pids = NULL;
  guint n = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  pids = g_strsplit (text, "\n", -1);
  for (guint i = 0; pids[i] != NULL; i++)
    n += *pids[i] != '\0' && kill ((pid_t) g_ascii_strtoll (pids[i], NULL, 10), 0) == 0;
  return n;
}

/* Workers that would sleep for ten minutes and heed no signal that can be ignored: shutting down ends them, and does not wait. */
static void
test_stubborn (void)
{
  g_autofree char *folder = bench_make_folder (), *program = make_stubborn (folder), *cli = g_strdup (g_getenv ("MEMLANE_CLI"));
  g_autofree char *hosts = g_strdup_printf ("[gpu1]\ncommand=%s\n", program);
  BenchHeard heard = { 0 };
  MemlaneModels *models;

  write_hosts (hosts);
  g_setenv ("MEMLANE_CLI", program, TRUE);
  models = open_models (folder, &heard);
  memlane_mode_set_put_all (models_get_plan (models), FALSE);
  memlane_mode_set_put (models_get_plan (models), "pinned", TRUE);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  memlane_models_start (models);
  bench_wait (memlane_sweep_job_can_run (models->sweep, NULL));
  memlane_sweep_job_run (models->sweep);
  bench_wait (count_alive (folder) == 3); /* this machine's driver, the host, the sweep */
  memlane_models_shut_down (models);
  g_assert_false (memlane_sweep_job_is_running (models->sweep));
  bench_wait (count_alive (folder) == 0);
  finish (models, &heard);
  g_setenv ("MEMLANE_CLI", cli, TRUE);
  write_hosts (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bench_begin ();
  g_test_add_func ("/models-hosts/list", test_list);
  g_test_add_func ("/models-hosts/wanted", test_wanted);
  g_test_add_func ("/models-hosts/refused", test_refused);
  g_test_add_func ("/models-hosts/many", test_many);
  g_test_add_func ("/models-hosts/lost", test_lost);
  g_test_add_func ("/models-hosts/queue", test_queue);
  g_test_add_func ("/models-hosts/stubborn", test_stubborn);
  return bench_run ();
}
