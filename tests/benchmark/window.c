/* window.c: what the window costs: first frame and memory beside a bare window, answers during a sweep, and what it costs the sweep
 *
 * SPDX-License-Identifier: MIT
 *
 * window BARE-WINDOW DATA-FOLDER [DEVICE [ROUNDS]]  needs a display (exit status 77 without one). Every figure comes from processes of its
 * own with folders of their own, bare and Memlane in turn; medians. No limit is checked: a busy machine must not fail.
 */
#include <glib/gstdio.h>
#include <sys/prctl.h>

#include "window/application.h"
#include "memlane.h"
#include "window-probe.h"

#define ROUNDS "7"
#define RUNS_OPEN 10

static char *device = (char *) "simulated:h200";

/* --- in the child ------------------------------------------------------------------------------------------ */

static void
window_added_cb (GtkApplication *application, GtkWindow *window)
{
  /* "window-added" comes before the window is realized, and never for a dialog here. */
  g_signal_handlers_disconnect_by_func (application, window_added_cb, NULL);
  g_signal_connect (window, "realize", G_CALLBACK (probe_realized_cb), NULL);
}

static int
run_memlane (void)
{
  g_autoptr (MemlaneApplication) application = memlane_application_new ();
  char *arguments[] = {(char *) "memlane", NULL};

  g_signal_connect (application, "window-added", G_CALLBACK (window_added_cb), NULL);
  return g_application_run (G_APPLICATION (application), 1, arguments);
}

typedef struct
{
  MemlaneModels *models;
  gint64 last, longest, began, ended;
  guint64 sum, n;
  gboolean running;
} Sweep;

/* A source as important as input: the time between two calls, beyond the 5 ms asked for, is what a key press would have waited. */
static gboolean
tick_cb (gpointer data)
{
  Sweep *sweep = data;
  gint64 now = g_get_monotonic_time ();

  if (sweep->running && sweep->last != 0)
    {
      gint64 late = MAX (now - sweep->last - 5000, 0);

      sweep->longest = MAX (sweep->longest, late);
      sweep->sum += late;
      sweep->n++;
    }
  sweep->last = now;
  return G_SOURCE_CONTINUE;
}

static void
swept_cb (gpointer object, MemlaneRunItem *item, gboolean stopped, gpointer data)
{
  Sweep *sweep = data;

  sweep->ended = g_get_monotonic_time ();
  sweep->running = FALSE;
  printf ("sweep_s %.3f\nlongest_wait_ms %.1f\nmean_wait_ms %.2f\n", (sweep->ended - sweep->began) / 1e6, sweep->longest / 1000.0,
          sweep->n > 0 ? sweep->sum / 1000.0 / sweep->n : 0);
  fflush (stdout);
  g_application_quit (g_application_get_default ());
}

static gboolean
start_sweep_cb (gpointer data)
{
  Sweep *sweep = data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (g_application_get_default ()));

  sweep->models = memlane_window_get_models (MEMLANE_WINDOW (window));
  if (!memlane_sweep_job_can_run (sweep->models->sweep, NULL))
    return G_SOURCE_CONTINUE;
  g_object_set (sweep->models->devices, "device", device, NULL);
  g_signal_connect (sweep->models->sweep, "swept", G_CALLBACK (swept_cb), sweep);
  sweep->began = g_get_monotonic_time ();
  sweep->running = TRUE;
  memlane_sweep_job_run (sweep->models->sweep);
  return G_SOURCE_REMOVE;
}

static int
run_sweep_in_window (void)
{
  g_autoptr (MemlaneApplication) application = memlane_application_new ();
  char *arguments[] = {(char *) "memlane", NULL};
  Sweep sweep = {0};

  g_timeout_add_full (G_PRIORITY_DEFAULT, 5, tick_cb, &sweep, NULL);
  g_timeout_add (2000, start_sweep_cb, &sweep);
  return g_application_run (G_APPLICATION (application), 1, arguments);
}

static void
alone_swept_cb (GObject *sweep, GAsyncResult *result, gpointer finished)
{
  *(GAsyncResult **) finished = g_object_ref (result);
}

/* The same worker and journal with nobody looking. */
static int
run_sweep_alone (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new (device, plan, TRUE);
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();
  MemlaneRun *run;

  memlane_sweep_run_async (sweep, NULL, alone_swept_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  run = g_task_propagate_pointer (G_TASK (result), &error);
  if (run == NULL)
    {
      fprintf (stderr, "window: %s\n", error->message);
      return 1;
    }
  printf ("sweep_s %.3f\n", (g_get_monotonic_time () - began) / 1e6);
  memlane_run_unref (run);
  return 0;
}

/* --- in the parent ----------------------------------------------------------------------------------------- */

static void
fill_runs (const char *home, const char *data)
{
  g_autofree char *runs = g_build_filename (home, "data", "memlane", "runs", NULL);
  g_autofree char *csv = g_build_filename (data, "recordings", "h200-vector-add.csv", NULL);
  g_autoptr (GString) index = g_string_new (NULL);
  g_autoptr (GPtrArray) read = memlane_csv_read (csv, NULL, NULL);

  if (read == NULL)
    return;
  g_mkdir_with_parents (runs, 0700);
  for (guint i = 0; i < RUNS_OPEN; i++)
    {
      MemlaneRun *run = g_ptr_array_index (read, 0);
      g_autofree char *name = g_strdup_printf ("20261121T1014%02uZ-h200-vector-add", i);
      g_autofree char *path = g_strdup_printf ("%s/%s.csv", runs, name);

      g_free (run->id);
      run->id = g_strdup (name);
      memlane_csv_write (run, path, NULL);
      g_string_append_printf (index, "[%s]\nshown=true\n", name);
    }
  g_autofree char *ini = g_build_filename (runs, "index.ini", NULL);
  g_file_set_contents (ini, index->str, -1, NULL);
}

static void
remove_tree (const char *path)
{
  g_autofree char *quoted = g_shell_quote (path);
  g_autofree char *command = g_strdup_printf ("rm -rf -- %s", quoted);

  g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
}

/* Adds what a child said to @figures: key -> GArray of double. */
static gboolean
run_child (const char *program, const char *child, const char *data, gboolean with_runs, GHashTable *figures)
{
  g_autofree char *home = g_dir_make_tmp ("memlane-window-XXXXXX", NULL);
  g_autofree char *start = NULL, *output = NULL, *trouble = NULL;
  g_auto (GStrv) environment = g_get_environ ();
  g_auto (GStrv) lines = NULL;
  const char *const folders[][2] = {{"XDG_DATA_HOME", "data"}, {"XDG_STATE_HOME", "state"}, {"XDG_CONFIG_HOME", "config"}};
  char *arguments[] = {(char *) program, (char *) "--child", (char *) child, device, NULL};
  g_autoptr (GError) error = NULL;
  int status = 0;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (home, folders[i][1], NULL);

      g_mkdir_with_parents (folder, 0700);
      environment = g_environ_setenv (environment, folders[i][0], folder, TRUE);
    }
  if (with_runs)
    fill_runs (home, data);
  start = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_monotonic_time ());
  environment = g_environ_setenv (environment, "MEMLANE_PROBE_START", start, TRUE);
  environment = g_environ_setenv (environment, "GSETTINGS_BACKEND", "memory", TRUE);
  environment = g_environ_setenv (environment, "MEMLANE_DATA_DIR", data, TRUE);
  if (!g_spawn_sync (NULL, arguments, environment, 0, NULL, NULL, &output, &trouble, &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    {
      fprintf (stderr, "window: %s %s: %s\n%s", program, child, error->message, trouble != NULL ? trouble : "");
      remove_tree (home);
      return FALSE;
    }
  remove_tree (home);
  lines = g_strsplit (output, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      char *space = strchr (*line, ' ');
      g_autofree char *key = NULL;
      GArray *values;
      double value;

      if (space == NULL)
        continue;
      *space = '\0';
      key = g_strdup_printf ("%s %s", child, *line);
      value = g_ascii_strtod (space + 1, NULL);
      values = g_hash_table_lookup (figures, key);
      if (values == NULL)
        {
          values = g_array_new (FALSE, FALSE, sizeof (double));
          g_hash_table_insert (figures, g_strdup (key), values);
        }
      g_array_append_val (values, value);
    }
  return TRUE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (GHashTable *figures, const char *key)
{
  GArray *values = g_hash_table_lookup (figures, key);

  if (values == NULL)
    return 0;
  g_array_sort (values, compare_doubles);
  return g_array_index (values, double, values->len / 2);
}

static double
largest (GHashTable *figures, const char *key)
{
  median (figures, key);
  GArray *values = g_hash_table_lookup (figures, key);

  return values == NULL ? 0 : g_array_index (values, double, values->len - 1);
}

int
main (int argc, char **argv)
{
  g_autoptr (GHashTable) figures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  double alone, watched;
  guint64 rounds;

  if (argc >= 3 && strcmp (argv[1], "--child") == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (argc > 3)
        device = argv[3];
      if (strcmp (argv[2], "sweep-alone") == 0)
        return run_sweep_alone ();
      return strcmp (argv[2], "sweep") == 0 ? run_sweep_in_window () : run_memlane ();
    }
  if (argc < 3)
    return 2;
  if (argc > 3)
    device = argv[3];
  if (!gtk_init_check ())
    {
      printf ("no display\n");
      return 77;
    }
  rounds = g_ascii_strtoull (argc > 4 ? argv[4] : ROUNDS, NULL, 10);
  for (guint64 round = 0; round < rounds; round++)
    if (!run_child (argv[1], "bare", argv[2], FALSE, figures) || !run_child (argv[0], "empty", argv[2], FALSE, figures)
        || !run_child (argv[0], "ten-runs", argv[2], TRUE, figures) || !run_child (argv[0], "sweep-alone", argv[2], FALSE, figures)
        || !run_child (argv[0], "sweep", argv[2], FALSE, figures))
      return 1;
  printf ("first frame: bare %.0f ms, Memlane %.0f ms (+%.0f), with ten runs %.0f ms\n", median (figures, "bare first_frame_ms"),
          median (figures, "empty first_frame_ms"), median (figures, "empty first_frame_ms") - median (figures, "bare first_frame_ms"),
          median (figures, "ten-runs first_frame_ms"));
  printf ("memory (PSS): bare %.1f MiB, Memlane %.1f MiB, with ten runs %.1f MiB (+%.1f)\n", median (figures, "bare pss_mib"),
          median (figures, "empty pss_mib"), median (figures, "ten-runs pss_mib"),
          median (figures, "ten-runs pss_mib") - median (figures, "bare pss_mib"));
  alone = median (figures, "sweep-alone sweep_s");
  watched = median (figures, "sweep sweep_s");
  printf ("default sweep on %s: alone %.2f s, in the window %.2f s (%+.1f %%); input waits at most %.0f ms, on average %.2f ms\n", device,
          alone, watched, (watched / alone - 1) * 100, largest (figures, "sweep longest_wait_ms"), median (figures, "sweep mean_wait_ms"));
  return 0;
}
