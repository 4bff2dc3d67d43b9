/* test-calibrate.c: a profile is found again from what it produces; and how well the shipped one agrees with its recording
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "analysis/agreement.h"
#include "analysis/calibrate.h"
#include "analysis/held-out.h"
#include "device/simulated/profile.h"
#include "analysis/recorded-noise.h"
#include "measure/cell.h"
#include "measure/schedule.h"
#include "result/csv.h"

/* A run of @profile that says it was recorded. */
static MemlaneRun *
record (const MemlaneProfile *profile, const char *workload_id)
{
  MemlaneDevice *device = memlane_simulated_device_new (profile, "simulated:truth");
  MemlaneReference *reference = memlane_reference_new (1 << 14, 1, NULL, NULL);
  MemlaneRun *run = memlane_run_new ("truth", "cuda:0", "cuda");
  const MemlaneMethod method = {
    .workload = memlane_workload_find (workload_id), .precision = 0.02, .cell_seconds = 0.25, .reuse = 1, .streams = 4, .chunks = 8,
  };
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint log2_elements = 10; log2_elements <= 14; log2_elements++)
    for (guint i = 0; i < n; i++)
      g_ptr_array_add (run->cells, memlane_measure_cell (device, &method, &modes[i], log2_elements, reference, NULL));
  memlane_reference_free (reference);
  memlane_device_close (device);
  return run;
}

static void
test_found_again (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-calibrate-XXXXXX", NULL);
  g_autofree char *output = g_build_filename (folder, "found.device", NULL);
  g_autoptr (MemlaneProfile) truth = memlane_profile_new ();
  g_autoptr (MemlaneProfile) found = NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  MemlaneAgreement *agreement;
  g_autoptr (MemlaneRun) again = NULL;
  const double bytes[] = { 4096, 65536 }, slow_link[] = { 5000, 19000 }, slow_pin[] = { 900e3, 1700e3 };

  /* A machine quite unlike the shipped profile: a slower link, dearer pinning, a slower host. */
  g_assert_true (memlane_profile_set_curve (truth, "copy.pinned.to-host", bytes, slow_link, 2, NULL));
  g_assert_true (memlane_profile_set_curve (truth, "malloc.pinned", bytes, slow_pin, 2, NULL));
  g_assert_true (memlane_profile_set_host (truth, "launch", 4000, NULL));
  g_ptr_array_add (runs, record (truth, "vector-add"));
  g_ptr_array_add (runs, record (truth, "copy-to-device")); /* what the first managed memory costs shows here */

  memlane_calibrate (runs, FALSE, NULL, output, report, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (report->str, "median error"));
  /* Nobody has recorded a fill: its cost is the H200's, and that is said. */
  g_assert_nonnull (strstr (report->str, "not shown by these runs, and left as NVIDIA H200 (simulated) has it: "));
  g_assert_nonnull (strstr (report->str, " fill.device, "));
  g_assert_null (strstr (report->str, " copy.pinned.to-host, "));
  found = memlane_profile_load (output, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found->info.calibrated_from, ==, "truth, truth");

  again = record (found, "vector-add");
  agreement = memlane_agreement_new (runs->pdata[0], again, 1e3);
  g_assert_cmpuint (agreement->n_rows, >, 500);
  g_test_message ("%s", report->str);
  g_assert_cmpfloat (agreement->median, <, 0.02);
  g_assert_cmpfloat (agreement->worst, <, 0.25);
  memlane_agreement_free (agreement);
  g_unlink (output);
  g_rmdir (folder);
}

static void
test_refuses_simulated (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (runs, memlane_run_new ("play", "simulated:h200", "simulated"));
  g_assert_false (memlane_calibrate (runs, FALSE, NULL, "/dev/null/x", report, &error));
  g_assert_nonnull (strstr (error->message, "was simulated"));
}

static GPtrArray *
read_recording (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", name, NULL);
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = memlane_csv_read (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return runs;
}

/* A second recording that is a tenth slower throughout: so much it differs by, and it names the same modes. */
static void
test_held_out_again (void)
{
  g_autoptr (GPtrArray) runs = read_recording ("h200-fill.csv");
  g_autoptr (GPtrArray) again = read_recording ("h200-fill.csv");
  g_autoptr (GPtrArray) simulated = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GPtrArray *cells = ((MemlaneRun *) again->pdata[0])->cells;

  for (guint i = 0; i < cells->len; i++)
    for (guint k = 0; k < ((MemlaneCell *) cells->pdata[i])->figures->len; k++)
      ((MemlaneFigure *) ((MemlaneCell *) cells->pdata[i])->figures->pdata[k])->statistics.median *= 1.1;
  g_assert_true (memlane_held_out (runs, again, NULL, report, &error));
  g_assert_no_error (error);
  g_test_message ("%s", report->str);
  g_assert_nonnull (strstr (report->str, "   10.0 %   10.0 %     10 %"));

  g_ptr_array_add (simulated, memlane_run_new ("play", "simulated:h200", "simulated"));
  g_assert_false (memlane_held_out (runs, simulated, NULL, report, &error));
  g_assert_nonnull (strstr (error->message, "run play was simulated"));
}

/* A run of one size, whose cell has @status. */
static MemlaneRun *
small_run (const char *name, MemlaneStatus status)
{
  MemlaneRun *run = memlane_run_new (name, "cuda:0", "cuda");
  MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 12);
  const MemlaneStatistics statistics = { 1, 20e3, 20e3, 20e3, 20e3, 20e3, 20e3, 20e3 };

  run->environment = g_strdup_printf ("{ \"device\": { \"name\": \"%s\" } }", name);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 0, status, NULL);
  cell->status = status;
  g_ptr_array_add (run->cells, cell);
  return run;
}

static void
test_bad_runs (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  /* Nothing but failed cells. */
  g_ptr_array_add (runs, small_run ("One", MEMLANE_STATUS_ERROR));
  g_assert_false (memlane_calibrate_check (runs, FALSE, report, &error));
  g_assert_nonnull (strstr (error->message, "nothing was measured"));
  g_clear_error (&error);
  /* One size: fitted, and said. */
  g_ptr_array_add (runs, small_run ("One", MEMLANE_STATUS_OK));
  g_assert_true (memlane_calibrate_check (runs, FALSE, report, &error));
  g_assert_nonnull (strstr (report->str, "one size only"));
  g_assert_nonnull (strstr (report->str, "left out: 1 cells that failed"));
  /* Two devices. */
  g_ptr_array_add (runs, small_run ("Two", MEMLANE_STATUS_OK));
  g_assert_false (memlane_calibrate_check (runs, FALSE, report, &error));
  g_assert_nonnull (strstr (error->message, "expected runs of one device"));
}

static void
test_agreement (void)
{
  g_autoptr (MemlaneRun) a = memlane_run_new ("a", "cuda:0", "cuda");
  g_autoptr (MemlaneRun) b = memlane_run_new ("b", "simulated:x", "simulated");
  const double recorded[] = { 20e3, 40e3, 5e3, 100e3 }, simulated[] = { 22e3, 30e3, 50e3, 100e3 };
  MemlaneAgreement *agreement;

  for (guint i = 0; i < 4; i++)
    {
      MemlaneCell *cells[] = { memlane_cell_new ("vector-add", "pinned", 10 + i), memlane_cell_new ("vector-add", "pinned", 10 + i) };
      const double *values[] = { recorded, simulated };
      MemlaneRun *sides[] = { a, b };

      for (guint side = 0; side < 2; side++)
        {
          double value = values[side][i];
          MemlaneStatistics statistics = { 1, value, value, value, value, value, value, value };

          memlane_cell_add_figure (cells[side], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 0, MEMLANE_STATUS_OK, NULL);
          g_ptr_array_add (sides[side]->cells, cells[side]);
        }
    }
  agreement = memlane_agreement_new (a, b, 10e3);
  g_assert_cmpuint (agreement->n_rows, ==, 3); /* 5 us is below the floor */
  g_assert_cmpfloat_with_epsilon (agreement->worst, 0.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (agreement->median, 0.10, 1e-9);
  g_assert_cmpuint (agreement->rows[0].log2_elements, ==, 11);
  memlane_agreement_free (agreement);
}

/* The noise of a simulated device is found again in the rounds of a sweep on it. */
static void
test_noise_found_again (void)
{
  const MemlaneNoise truth = { .seed = 3, .relative = 0.02, .process = 0.03, .ar_relative = 0.04, .ar_calls = 0.04, .ar_memory = 0.1,
                               .ar_phi = 0.98 };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  MemlaneRun *run = memlane_run_new ("noisy", "cuda:0", "cuda");
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  g_autoptr (MemlaneSchedule) schedule = NULL;
  MemlaneReference *reference = memlane_reference_new_hollow ((gsize) 1 << 19);
  MemlaneNoise found = { .seed = 3 };

  profile->noise = truth;
  g_assert_true (memlane_plan_set_modes (plan, "pageable,pinned-async,mapped,managed,streams-depth-first,device-resident", NULL));
  g_assert_true (memlane_plan_set_sizes (plan, "12:19", NULL));
  plan->method.rounds = 24;
  schedule = memlane_schedule_new (plan);
  run->environment = g_strdup ("{ \"method\": { \"rounds\": 24, \"precision\": 0.2 }, \"floors\": { \"device_tick_ns\": 32 } }");
  g_ptr_array_add (runs, run);
  memlane_schedule_set_run (schedule, run);
  for (guint process = 1; memlane_schedule_next_round (schedule, 0) && process <= plan->method.rounds; process++)
    {
      MemlaneDevice *device = memlane_simulated_device_new_weightless (profile, "simulated:noisy");
      const GArray *order = memlane_schedule_get_order (schedule);

      memlane_device_begin_process (device, process);
      for (guint place = 0; place < order->len; place++)
        {
          guint log2_elements;
          const MemlaneMode *mode = memlane_plan_get_cell (plan, g_array_index (order, guint, place), &log2_elements);
          g_autoptr (MemlaneCell) cell = memlane_measure_cell (device, &plan->method, mode, log2_elements, reference, NULL);

          g_ptr_array_set_size (changed, 0);
          memlane_schedule_take (schedule, place, cell, changed);
        }
      memlane_device_close (device);
    }
  memlane_recorded_noise_fit (runs, &found);
  memlane_reference_free (reference);
  g_test_message ("relative %g, process %g, slow %g, of calls %g, of memory %g", found.relative, found.process, found.ar_relative,
                  found.ar_calls, found.ar_memory);
  g_assert_cmpuint (found.seed, ==, 3);
  g_assert_cmpfloat (found.tick_ns, ==, 32);
#define NEAR(member, factor) \
  g_assert_cmpfloat (found.member, >, truth.member / (factor)); \
  g_assert_cmpfloat (found.member, <, truth.member * (factor))
  NEAR (relative, 1.6);
  NEAR (process, 1.6);
  NEAR (ar_relative, 1.6);
  NEAR (ar_calls, 2.5); /* what is left of one when another is taken off */
  NEAR (ar_memory, 1.6);
#undef NEAR

  /* Without rounds nothing is known. */
  g_ptr_array_set_size (runs, 0);
  memlane_recorded_noise_fit (runs, &found);
  g_assert_false (memlane_noise_is_any (&found));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibrate/agreement", test_agreement);
  g_test_add_func ("/calibrate/refuses-simulated", test_refuses_simulated);
  g_test_add_func ("/calibrate/held-out-again", test_held_out_again);
  g_test_add_func ("/calibrate/bad-runs", test_bad_runs);
  g_test_add_func ("/calibrate/found-again", test_found_again);
  g_test_add_func ("/calibrate/noise-found-again", test_noise_found_again);
  return g_test_run ();
}
