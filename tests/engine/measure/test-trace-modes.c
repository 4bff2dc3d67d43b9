/* test-trace-modes.c: recorded samples of every mode: what each shows, that files keep it, and that
 * tracing changes nothing
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/device-faults.h"
#include "engine/trace-bench.h"

#include <glib/gstdio.h>

#include "measure/measure.h"
#include "mode/mode.h"
#include "mode/transfer.h"
#include "trace/trace.h"
#include "engine/same-trace.h"

static MemlaneDevice *
open_device (MemlaneProfile *profile)
{
  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS | MEMLANE_CAN_PEER_COPY;
  return memlane_simulated_device_new (profile, "simulated:test");
}

static MemlaneTrace *
record_on (MemlaneDevice *device, const char *workload, const char *mode, guint log2_elements,
           guint streams, guint chunks)
{
  const MemlaneMethod method
      = { .workload = memlane_workload_find (workload), .streams = streams, .chunks = chunks };
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_trace_record (device, &method, memlane_mode_find (mode),
                                              log2_elements, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  return trace;
}

/* --- what holds for every trace --------------------------------------------------------------- */

static void
check_order (const MemlaneTrace *trace)
{
  guint n, n_lanes;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

  g_assert_cmpuint (n, >, 2);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *call;

      g_assert_cmpint (events[i].start, >=, i > 0 ? events[i - 1].start : 0);
      g_assert_cmpint (events[i].duration, >=, 0);
      g_assert_cmpuint (events[i].lane, <, n_lanes);
      g_assert_cmpint (end_of (&events[i]), <=, memlane_trace_get_end (trace));
      if (events[i].kind == MEMLANE_TRACE_CALL || events[i].kind == MEMLANE_TRACE_HOST
          || events[i].kind == MEMLANE_TRACE_PHASE)
        continue;
      /* A fault that the host meets has no call. */
      if (memlane_trace_find_call (trace, i) == MEMLANE_TRACE_NONE)
        {
          guint related;

          g_assert_cmpuint (events[i].kind == MEMLANE_TRACE_FAULT
                                || events[i].kind == MEMLANE_TRACE_MIGRATION,
                            ==, TRUE);
          memlane_trace_get_correlated (trace, events[i].correlation, &related);
          g_assert_cmpuint (related, >, 1); /* the host's access, then */
          continue;
        }
      call = call_of (trace, &events[i]);
      g_assert_cmpint (call->start, <=, events[i].start);
      /* The host waits inside the call. */
      if (events[i].kind == MEMLANE_TRACE_SYNCHRONISATION
          && (events[i].flags & MEMLANE_TRACE_ON_DEVICE) == 0)
        g_assert_cmpint (end_of (&events[i]), <=, end_of (call));
    }
  for (guint i = 0; i < n_lanes; i++)
    {
      g_assert_cmpuint (lanes[i].n_events, >, 0);
      /* A stream is a queue, and so is a copy engine. */
      if (lanes[i].kind == MEMLANE_TRACE_LANE_STREAM || lanes[i].kind == MEMLANE_TRACE_LANE_COPY_UP
          || lanes[i].kind == MEMLANE_TRACE_LANE_COPY_DOWN)
        g_assert_cmpuint (lanes[i].n_rows, ==, 1);
    }
}

static void
test_every_mode (gconstpointer data)
{
  const MemlaneMode *mode = data;
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);
  const guint sizes[] = { 10, 14, 18 };

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
        g_autoptr (MemlaneDevice) device = open_device (profile);
        g_autofree char *reason = NULL;
        g_autoptr (MemlaneTrace) trace = NULL;
        const MemlaneTraceInfo *info;

        if (!memlane_workload_is_supported (&workloads[i], mode, memlane_device_get_info (device),
                                            &reason))
          continue;
        trace = record_on (device, workloads[i].id, mode->id, sizes[k], 2, 4);
        check_order (trace);
        check_trip (trace);
        info = memlane_trace_get_info (trace);
        g_assert_true (info->simulated);
        g_assert_cmpstr (info->mode, ==, mode->id);
        g_assert_cmpstr (info->source, ==, "simulated device");
        g_assert_cmpuint (info->dropped, ==, 0);
        g_assert_nonnull (strstr (info->environment, "simulated:test"));
        /* Telling takes no virtual time. */
        g_assert_cmpfloat_with_epsilon (info->traced_ns, info->untraced_ns, 0.01);
        g_assert_cmpfloat_with_epsilon (memlane_trace_get_end (trace), info->traced_ns,
                                        2 * memlane_profile_cost (profile, MEMLANE_COST_CLOCK, 0)
                                            + 1);
        g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_OTHER), ==, 0);
      }
}

/* --- what single modes show ------------------------------------------------------------------- */

/* With one copy engine that takes copies in the order of issue, the order decides: a copy home in
 * between holds up the next one up. */
static void
test_one_copy_engine (void)
{
  double measured[2];
  const char *const modes[] = { "streams-depth-first", "streams-breadth-first" };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
      MemlaneDevice *device;
      g_autoptr (MemlaneTrace) trace = NULL;
      MemlaneTraceBounds bounds;

      profile->info.copy_engines = 1;
      profile->in_order_engines = TRUE;
      set_cost (profile, MEMLANE_COST_KERNEL, 3e5, 0);
      set_cost (profile, MEMLANE_COST_KERNEL_CACHED, 3e5, 0);
      device = open_device (profile);
      trace = record_on (device, "vector-add", modes[i], 20, 4, 4);
      g_assert_true (memlane_trace_compute_bounds (trace, &bounds));
      measured[i] = bounds.measured;
      for (guint k = 0; i == 1 && k < 4; k++)
        g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_COPY, "DtoH", k)->start, >=,
                         end_of (get_nth (trace, MEMLANE_TRACE_COPY, "HtoD", 7)));
      memlane_device_close (device);
    }
  g_assert_cmpfloat (measured[0], >, 1.2 * measured[1]);
}

static void
test_small_chunks (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneTrace) small = NULL, large = NULL;
  MemlaneDevice *device;

  set_cost (profile, MEMLANE_COST_COPY, 500, 0.24); /* less than a call of 3 us for small ones */
  device = open_device (profile);
  small = record_on (device, "vector-add", "streams-depth-first", 10, 2, 4);
  large = record_on (device, "vector-add", "streams-depth-first", 20, 2, 4);
  SAYS (small, MEMLANE_FINDING_SMALL_COPIES, "12 of 12");
  SAYS_NOTHING (large, MEMLANE_FINDING_SMALL_COPIES);
  memlane_device_close (device);
}

/* A phase lasts until its work is done, on the device too. It has its own name also where a
 * schedule lets phases overlap. */
static void
test_phases (void)
{
  static const char *const names[] = { "upload", "kernel", "download" }; /* as MemlaneTraceEngine */
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = open_device (profile);
  guint n_modes, n;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  for (guint i = 0; i < n_modes; i++)
    {
      gint64 first[MEMLANE_TRACE_ENGINE_NONE] = { G_MAXINT64, G_MAXINT64, G_MAXINT64 },
             last[MEMLANE_TRACE_ENGINE_NONE] = { 0 };
      g_autofree char *reason
          = memlane_capabilities_explain_missing (modes[i].needs, memlane_device_get_info (device));
      g_autoptr (MemlaneTrace) trace = NULL;
      const MemlaneTraceEvent *events, *before = NULL;

      if (memlane_mode_is_of_pieces (&modes[i]) || reason != NULL)
        continue; /* of pieces: no kernel between two copies */
      trace = record_on (device, "vector-add", modes[i].id, 20, 2, 4);
      events = memlane_trace_get_events (trace, &n);
      for (guint k = 0; k < n; k++)
        {
          MemlaneTraceEngine engine = memlane_trace_engine_of (&events[k]);

          if (engine == MEMLANE_TRACE_ENGINE_NONE)
            continue;
          first[engine] = MIN (first[engine], events[k].start);
          last[engine] = MAX (last[engine], end_of (&events[k]));
        }
      g_assert_null (find_nth (trace, MEMLANE_TRACE_PHASE, "elapsed", 0));
      for (guint engine = 0; engine < MEMLANE_TRACE_ENGINE_NONE; engine++)
        {
          const MemlaneTraceEvent *phase = find_nth (trace, MEMLANE_TRACE_PHASE, names[engine], 0);

          if (last[engine] == 0)
            {
              g_assert_null (phase);
              continue;
            }
          if (phase == NULL || phase->start > first[engine] || end_of (phase) < last[engine])
            g_error ("%s: the phase %s is not where its work is", modes[i].id, names[engine]);
          if (before != NULL && modes[i].transfer->schedule == NULL)
            g_assert_cmpint (phase->start, >=, end_of (before));
          before = phase;
        }
    }
}

/* --- faults --------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneMode *mode;
  MemlaneMethod method;
} Asked;

static char *
record_once (MemlaneDevice *device, gpointer data)
{
  const Asked *asked = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_trace_record (device, &asked->method, asked->mode, 8,
                                                         NULL, &error);

  if (trace != NULL)
    check_order (trace);
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* A fault at every call of a recording: an error that names it, nothing left behind, and a device
 * that goes on. */
static void
test_faults (gconstpointer data)
{
  const MemlaneMode *mode = data;
  const char *workload = memlane_mode_is_of_pieces (mode) ? "pieces-round-trip" : "vector-add";
  Asked asked
      = { mode, { .workload = memlane_workload_find (workload), .streams = 2, .chunks = 2 } };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = open_device (profile);
  g_autofree char *reason = NULL;
  guint tried;

  if (!memlane_workload_is_supported (asked.method.workload, mode, memlane_device_get_info (device),
                                      &reason))
    return;
  g_assert_cmpuint (2 * fail_each_call (device, record_once, &asked, G_MAXUINT, &tried), >, tried);
  g_assert_cmpuint (tried, >, 20);
}

/* A sweep's cell after a trace is what it is without: the untraced calls are the same ones. */
static void
test_sweep_is_untouched (void)
{
  MemlaneMethod method
      = { .precision = 0.02, .cell_seconds = 0.01, .reuse = 1, .streams = 2, .chunks = 4 };
  MemlaneReference *reference = memlane_reference_new (1 << 12, FALSE, 1, NULL, NULL);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      double elapsed[2];

      method.workload = memlane_workload_find (
          memlane_mode_is_of_pieces (&modes[i]) ? "pieces-to-device" : "vector-add");
      for (guint traced = 0; traced < 2; traced++)
        {
          g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
          g_autoptr (MemlaneDevice) device = open_device (profile);
          g_autoptr (MemlaneCell) cell = NULL;

          if (traced)
            memlane_trace_unref (record_on (device, method.workload->id, modes[i].id, 12, 2, 4));
          cell = memlane_measure_cell (device, &method, &modes[i], 12, reference, NULL);
          elapsed[traced] = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)
                                ->statistics.median;
        }
      g_assert_cmpfloat_with_epsilon (elapsed[0], elapsed[1], 1);
    }
  memlane_reference_free (reference);
}

/* The recording corrects a trace as it corrects a sweep's measurement. */
static void
test_as_long_as_a_sweep (gconstpointer data)
{
  const MemlaneMode *mode = data;
  const char *workload = memlane_mode_is_of_pieces (mode) ? "pieces-to-device" : "vector-add";
  const guint sizes[] = { 10, 13, 16, 20 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const MemlaneMethod method = { .workload = memlane_workload_find (workload) };
      g_autoptr (MemlaneDevice) traced = memlane_device_open ("simulated:h200", NULL);
      g_autoptr (MemlaneDevice) swept = memlane_device_open ("simulated:h200", NULL);
      g_autoptr (MemlanePlan) plan = memlane_plan_of_sample (&method, mode, sizes[i]);
      MemlaneReference *reference;
      g_autoptr (MemlaneTrace) trace = NULL;
      g_autoptr (MemlaneCell) cell = NULL;
      g_autofree char *reason = NULL;
      const MemlaneFigure *elapsed;
      double ratio;

      if (!memlane_workload_is_supported (method.workload, mode, memlane_device_get_info (traced),
                                          &reason))
        return;
      trace = record_on (traced, workload, mode->id, sizes[i], 0, 0);
      reference = memlane_reference_new ((gsize) 1 << sizes[i], method.workload->of_pieces,
                                         plan->method.seed, NULL, NULL);
      cell = memlane_measure_cell (swept, &plan->method, mode, sizes[i], reference, NULL);
      memlane_reference_free (reference);
      elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      g_assert_nonnull (elapsed);
      ratio = (double) memlane_trace_get_end (trace) / elapsed->statistics.median;
      g_test_message ("2^%u floats: the trace takes %.4f of the sweep's median", sizes[i], ratio);
      g_assert_cmpfloat_with_epsilon (ratio, 1, 0.02);
      g_assert_cmpfloat_with_epsilon (
          memlane_trace_get_info (trace)->traced_ns / elapsed->statistics.median, 1, 0.02);
      check_order (trace);
    }
}

int
main (int argc, char **argv)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/trace/modes/", modes[i].id, NULL),
                      *faults = g_strconcat ("/trace/faults/", modes[i].id, NULL);
      g_autofree char *length = g_strconcat ("/trace/as-long-as-a-sweep/", modes[i].id, NULL);

      g_test_add_data_func (path, &modes[i], test_every_mode);
      g_test_add_data_func (faults, &modes[i], test_faults);
      g_test_add_data_func (length, &modes[i], test_as_long_as_a_sweep);
    }
  g_test_add_func ("/trace/one-copy-engine", test_one_copy_engine);
  g_test_add_func ("/trace/small-chunks", test_small_chunks);
  g_test_add_func ("/trace/phases", test_phases);
  g_test_add_func ("/trace/sweep-is-untouched", test_sweep_is_untouched);
  return g_test_run ();
}
