/* test-sweep.c: a sweep, its signals, cancellation, the journal
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "base/size.h"
#include "engine/cases.h"
#include "job/journal.h"
#include "job/requests.h"
#include "analysis/control.h"
#include "job/sweep.h"
#include "result/csv.h"
#include "result/environment.h"

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  GThread *thread;
  guint announced, progressed, cancel_after;
  MemlaneRun *run;
  GError *error;
} Trip;

static void
cell_cb (MemlaneSweep *sweep, MemlaneCell *cell, Trip *trip)
{
  const MemlaneRun *run = memlane_sweep_get_progress (sweep)->run;

  g_assert_true (g_thread_self () == trip->thread);
  g_assert_nonnull (run->environment); /* known before the first cell */
  g_assert_true (g_ptr_array_find (run->cells, cell, NULL));
  trip->announced++;
  if (trip->cancel_after > 0 && trip->announced >= trip->cancel_after)
    g_cancellable_cancel (trip->cancellable);
}

static void
progress_cb (MemlaneSweep *sweep, Trip *trip)
{
  g_assert_true (g_thread_self () == trip->thread);
  g_assert_cmpuint (memlane_sweep_get_progress (sweep)->cells_done, <=,
                    memlane_sweep_get_progress (sweep)->cells_total);
  trip->progressed++;
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Trip *trip = user_data;

  trip->run = g_task_propagate_pointer (G_TASK (result), &trip->error);
  g_main_loop_quit (trip->loop);
}

static MemlaneSweep *
transfer (Trip *trip, const char *device, const MemlanePlan *plan, gboolean journal)
{
  MemlaneSweep *sweep = memlane_sweep_new (device, plan, journal);

  trip->loop = g_main_loop_new (NULL, FALSE);
  trip->cancellable = g_cancellable_new ();
  trip->thread = g_thread_self ();
  g_signal_connect (sweep, "cell", G_CALLBACK (cell_cb), trip);
  g_signal_connect (sweep, "progress", G_CALLBACK (progress_cb), trip);
  memlane_sweep_run_async (sweep, trip->cancellable, done_cb, trip);
  g_main_loop_run (trip->loop);
  g_main_loop_unref (trip->loop);
  g_object_unref (trip->cancellable);
  return sweep;
}

static MemlanePlan *
small_plan (const char *modes)
{
  MemlanePlan *plan = memlane_plan_new ();
  GError *error = NULL;

  memlane_plan_set_modes (plan, modes, &error);
  g_assert_no_error (error);
  memlane_plan_set_sizes (plan, "10:12", &error);
  g_assert_no_error (error);
  return plan;
}

static void
test_whole (void)
{
  g_autoptr (MemlanePlan) plan = small_plan ("pinned,mapped,managed");
  Trip trip = { 0 };
  g_autoptr (MemlaneSweep) sweep = transfer (&trip, "simulated:h200", plan, TRUE);
  g_autoptr (MemlaneRun) stored = NULL;

  g_assert_no_error (trip.error);
  g_assert_cmpuint (trip.run->cells->len, ==, 9);
  g_assert_cmpuint (trip.announced, ==, 9);
  g_assert_cmpuint (trip.progressed, >, 0);
  g_assert_cmpuint (memlane_sweep_get_progress (sweep)->cells_done, ==, 9);
  g_assert_false (memlane_sweep_get_progress (sweep)->was_cancelled);
  g_assert_cmpstr (trip.run->device_kind, ==, "simulated");
  g_assert_nonnull (
      strstr (memlane_environment_get_json (trip.run->environment), "simulated:h200"));
  g_assert_true (memlane_sweep_get_progress (sweep)->run == trip.run);

  /* What the journal holds is the run. */
  stored = memlane_journal_read (memlane_sweep_get_progress (sweep)->journal, &trip.error);
  g_assert_no_error (trip.error);
  g_assert_null (memlane_sweep_get_progress (sweep)->journal_problem);
  g_assert_cmpuint (stored->cells->len, ==, 9);
  g_assert_cmpstr (stored->id, ==, trip.run->id);
  g_assert_true (
      memlane_journal_discard (memlane_sweep_get_progress (sweep)->journal, &trip.error));
  memlane_run_unref (trip.run);
}

/* What follows a cell, such as drawing it. */
typedef struct
{
  guint cells, drawn;
  gboolean due;
} Drawing;

static gboolean
draw_cb (gpointer data)
{
  Drawing *drawing = data;

  drawing->drawn++;
  drawing->due = FALSE;
  return G_SOURCE_REMOVE;
}

/* So slow that the worker's next cells are there already. */
static void
due_cb (MemlaneSweep *sweep, MemlaneCell *cell, Drawing *drawing)
{
  g_usleep (5000);
  drawing->cells++;
  if (!drawing->due)
    g_idle_add (draw_cb, drawing);
  drawing->due = TRUE;
}

/* Cells are drawn while others come, and not when all have come. */
static void
test_drawn (void)
{
  g_autoptr (MemlanePlan) plan = small_plan ("all");
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new ("simulated:h200", plan, FALSE);
  Trip trip = { .loop = g_main_loop_new (NULL, FALSE) };
  Drawing drawing = { 0 };

  g_signal_connect (sweep, "cell", G_CALLBACK (due_cb), &drawing);
  memlane_sweep_run_async (sweep, NULL, done_cb, &trip);
  g_main_loop_run (trip.loop);
  g_main_loop_unref (trip.loop);
  g_assert_no_error (trip.error);
  g_test_message ("%u cells, drawn %u times", drawing.cells, drawing.drawn);
  g_assert_cmpuint (drawing.cells, >, 40);
  g_assert_cmpuint (drawing.drawn, >, 3); /* how often, the speed of the machine decides */
  memlane_run_unref (trip.run);
  while (drawing.due)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_cancel (void)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  Trip trip = { .cancel_after = 1 };
  g_autoptr (MemlaneSweep) sweep = transfer (&trip, "simulated:h200", plan, FALSE);

  g_assert_no_error (trip.error);
  g_assert_true (memlane_sweep_get_progress (sweep)->was_cancelled);
  g_assert_cmpuint (trip.run->cells->len, <, memlane_plan_count_cells (plan));
  g_assert_cmpuint (trip.run->cells->len, <=,
                    trip.announced); /* a cell that changes is announced again */
  g_assert_null (memlane_sweep_get_progress (sweep)->journal);
  memlane_run_unref (trip.run);
}

/* A journal that fills up on the way keeps its whole cells; one that never had room for a cell is
 * gone. */
static void
test_short_journal (void)
{
  g_autoptr (MemlanePlan) plan = small_plan ("pinned,mapped,managed");
  struct rlimit before, limit;
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  /* A device of which there is little to tell: with a long environment there would be room for a
   * cell, too. */
  g_autofree char *folder = g_dir_make_tmp ("memlane-plain-XXXXXX", NULL);
  /* Each row has the long name. */
  g_autofree char *path = g_build_filename (
      folder, "plain-plain-plain-plain-plain-plain-plain-plain-plain-plain-plain.device", NULL);
  g_autofree char *device = g_strconcat ("simulated:", path, NULL);
  /* The environment is in a file of its own, and has to fit: the second time there is room for
   * little more. The first cell is larger. */
  struct
  {
    rlim_t room;
    gboolean holds_cells;
  } cases[] = { { 8000, TRUE }, { 0, FALSE } };

  plan->method.seed = 4; /* by which the first cell is a pinned one, the largest */
  g_assert_true (g_file_set_contents (path, "[device]\nname=Plain (simulated)\n", -1, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Trip trip = { 0 };
      g_autoptr (MemlaneSweep) sweep = NULL;
      g_autoptr (MemlaneEnvironment) environment = NULL;
      g_autoptr (JsonNode) tree = NULL;
      JsonObject *root;

      limit = before;
      limit.rlim_cur = cases[i].room;
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      sweep = transfer (&trip, device, plan, TRUE);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

      g_assert_no_error (trip.error);
      g_assert_cmpuint (trip.run->cells->len, ==, 9);
      g_test_message ("%s", memlane_sweep_get_progress (sweep)->journal_problem);
      g_assert_nonnull (
          strstr (memlane_sweep_get_progress (sweep)->journal_problem, "cannot write the journal"));
      if (cases[i].holds_cells)
        {
          g_autoptr (MemlaneRun) stored
              = memlane_journal_read (memlane_sweep_get_progress (sweep)->journal, &trip.error);

          g_assert_no_error (trip.error);
          g_assert_cmpuint (stored->cells->len, >, 0);
          g_assert_cmpuint (stored->cells->len, <, 9);
          g_assert_true (memlane_journal_discard (memlane_sweep_get_progress (sweep)->journal,
                                                  NULL)); /* nobody holds it any more */
        }
      else
        {
          g_autoptr (GPtrArray) left = memlane_journal_list ();

          g_assert_null (memlane_sweep_get_progress (sweep)->journal);
          g_assert_cmpuint (left->len, ==, 0);
        }
      tree = json_from_string (memlane_environment_get_json (trip.run->environment), NULL);
      root = json_node_dup_object (tree);
      json_object_remove_member (root, "rounds"); /* which came later */
      environment = memlane_environment_new (root);
      cases[1].room = strlen (memlane_environment_get_json (environment));
      memlane_run_unref (trip.run);
    }
  g_unlink (path);
  g_rmdir (folder);
  signal (SIGXFSZ, handler);
}

/* "modes LIST", "sizes RANGE", or "PER-OCTAVE LIST" of sizes: the sizes as elements, and how many
 * cells there are then. */
static char *
answer_plan (const char *asked)
{
  g_autofree char *line = g_strndup (asked, strlen (asked) - 1);
  g_autoptr (MemlanePlan) plan = memlane_plan_new (), copy = NULL;
  const guint before = memlane_plan_count_cells (plan);
  const char *list = strchr (line, ' ') + 1;
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (g_str_has_prefix (line, "modes "))
    done = memlane_plan_set_modes (plan, list, &error);
  else if (g_str_has_prefix (line, "sizes "))
    done = memlane_plan_set_sizes (plan, list, &error);
  else
    done = memlane_plan_set_size_list (plan, list, (guint) g_ascii_strtoull (line, NULL, 10),
                                       &error);
  g_assert_true (done == (error == NULL));
  copy = memlane_plan_copy (plan);
  for (guint i = 0; done && i < memlane_plan_count_sizes (copy); i++)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " ",
                            memlane_size_elements (memlane_plan_get_size (copy, i)));
  if (done)
    g_string_append_printf (text, "(2^%.4f to 2^%.4f%s): %u cells", copy->first_log2,
                            copy->last_log2, copy->n_sizes > 0 ? ", a list" : "",
                            memlane_plan_count_cells (copy));
  else
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_assert_cmpuint (memlane_plan_count_cells (plan), ==, before); /* as it was */
      g_string_append (text, error->message);
    }
  return g_string_free (text, FALSE);
}

static void
test_plans (void)
{
  check_cases ("job", "plans.txt", answer_plan);
  /* The elements come back. */
  for (guint64 n = 17; n < G_GUINT64_CONSTANT (1) << 34; n = n * 5 / 4 + 1)
    g_assert_cmpuint (memlane_size_elements (memlane_size_of (n)), ==, n);
}

/* Sizes that are no powers of two pass the worker, the CSV and the journal's reader unchanged. */
static void
test_odd_sizes (void)
{
  static const guint64 sizes[] = { 1024, 1920, 99999, 100000, 131072 };
  g_autoptr (MemlanePlan) plan = small_plan ("pinned,mapped,streams-depth-first");
  g_autoptr (MemlaneSweep) sweep = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "odd.csv", NULL);
  Trip trip = { 0 };

  g_assert_true (memlane_plan_set_size_list (plan, "100000,1920,99999,17,10", 1, NULL));
  sweep = transfer (&trip, "simulated:h200", plan, FALSE);
  g_assert_no_error (trip.error);
  g_assert_cmpuint (trip.run->cells->len, ==, 15);
  g_assert_true (memlane_csv_write (trip.run, path, &error));
  g_assert_no_error (error);
  runs = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 15; i++)
    {
      const MemlaneCell *cell = trip.run->cells->pdata[i],
                        *read = ((const MemlaneRun *) runs->pdata[0])->cells->pdata[i];

      g_assert_cmpuint (cell->status, ==, MEMLANE_STATUS_OK);
      g_assert_cmpuint (cell->elements, ==, sizes[i / 3]);
      g_assert_cmpuint (cell->bytes, ==, 4 * sizes[i / 3]);
      g_assert_cmpuint (read->elements, ==, cell->elements);
      g_assert_cmpfloat (read->log2_elements, ==, cell->log2_elements);
    }
  memlane_run_unref (trip.run);
}

/* Each round keeps its floors and its probes, each round of a figure the probes of its visits. */
static void
test_host_states (void)
{
  g_autoptr (MemlanePlan) plan = small_plan ("pinned,mapped");
  g_autoptr (MemlaneSweep) sweep = NULL;
  const MemlaneEnvironmentRound *rounds;
  const MemlaneFigure *elapsed;
  Trip trip = { 0 };
  g_autoptr (JsonNode) tree = NULL;
  JsonObject *root;
  double least = G_MAXDOUBLE, most = 0;
  guint n;

  plan->method.rounds = 6;
  plan->method.noise = TRUE;
  sweep = transfer (&trip, "simulated:h200", plan, FALSE);
  g_assert_no_error (trip.error);
  rounds = memlane_environment_get_rounds (trip.run->environment, &n);
  g_assert_cmpuint (n, ==, 6);
  tree = json_from_string (memlane_environment_get_json (trip.run->environment), NULL);
  root = json_node_get_object (tree);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (rounds[i].best.ns[MEMLANE_PROBE_LAUNCH], >, 0);
      g_assert_cmpfloat (rounds[i].usual.ns[MEMLANE_PROBE_LAUNCH], >=,
                         rounds[i].best.ns[MEMLANE_PROBE_LAUNCH]);
      g_assert_true (json_object_has_member (
          json_array_get_object_element (json_object_get_array_member (root, "rounds"), i),
          "floors"));
    }
  elapsed
      = memlane_cell_find (trip.run->cells->pdata[0], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  for (guint i = 0; i < elapsed->n_rounds; i++)
    {
      least = MIN (least, elapsed->rounds[i].host.ns[MEMLANE_PROBE_LAUNCH]);
      most = MAX (most, elapsed->rounds[i].host.ns[MEMLANE_PROBE_LAUNCH]);
    }
  g_assert_cmpfloat (least, >, 0);
  g_assert_cmpfloat (most, <, G_MAXDOUBLE);
  memlane_run_unref (trip.run);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("memlane-sweep-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/plans", test_plans);
  g_test_add_func ("/sweep/odd-sizes", test_odd_sizes);
  g_test_add_func ("/sweep/whole", test_whole);
  g_test_add_func ("/sweep/drawn", test_drawn);
  g_test_add_func ("/sweep/cancel", test_cancel);
  g_test_add_func ("/sweep/short-journal", test_short_journal);
  g_test_add_func ("/sweep/host-states", test_host_states);
  return g_test_run ();
}
