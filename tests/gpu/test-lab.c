/* test-lab.c: the stream laboratory on a real GPU
 *
 * SPDX-License-Identifier: MIT
 *
 * Exits with 77 and a reason where there is no GPU. Asserts what holds on any: right results, what
 * CUDA promises of streams, and that all is given back. What the device makes of the programming
 * guide's other sentences is printed. With MEMLANE_CUPTI=no it runs on CUDA events.
 */
#include <string.h>

#include "analysis/findings.h"
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "measure/lab.h"
#include "measure/record.h"
#include "trace/summary.h"

static MemlaneDevice *device;

/* What one record's clock may be off by, ns. */
#define SLACK 20000

static MemlaneTrace *
run (const MemlaneLabPlan *plan)
{
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_lab_run (device, plan, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  return trace;
}

static gint64
end_of (const MemlaneTraceEvent *event)
{
  return event->start + event->duration;
}

/* CUDA events tell of a bar that may hold the time until the device took the operation up. */
static gboolean
is_by_cupti (const MemlaneTrace *trace)
{
  return strcmp (memlane_trace_get_info (trace)->source, "CUPTI") == 0;
}

static const MemlaneTraceEvent *
find_phase (const MemlaneTrace *trace, const char *name)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_PHASE
        && strcmp (memlane_trace_get_name (trace, events[i].name), name) == 0)
      return &events[i];
  g_error ("there is no phase %s", name);
}

static guint
count_kind (const MemlaneTrace *trace, MemlaneTraceKind kind)
{
  guint n, found = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    found += events[i].kind == kind;
  return found;
}

/* Whether the pipeline's operations, issued before and after the middle, are kept apart; *@gap: ns
 * between them, negative: they are not. */
static gboolean
is_parted (const MemlaneTrace *trace, gint64 *gap)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  gint64 middle = find_phase (trace, "in between")->start, last = G_MININT64, first = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, events[i].stream);
      guint32 call = memlane_trace_find_call (trace, i);

      if (!memlane_trace_event_is_operation (&events[i]) || stream == NULL || stream->is_default
          || call == MEMLANE_TRACE_NONE)
        continue;
      if (events[call].start < middle)
        last = MAX (last, end_of (&events[i]));
      else
        first = MIN (first, events[i].start);
    }
  g_assert_cmpint (last, >, G_MININT64);
  g_assert_cmpint (first, <, G_MAXINT64);
  *gap = first - last;
  return *gap >= 0;
}

static void
test_combinations (void)
{
  const guint counts[][2] = { { 1, 1 }, { 1, 3 }, { 2, 256 }, { 32, 40 } };

  for (guint i = 0; i < MEMLANE_LAB_N_ORDERS * MEMLANE_LAB_N_BETWEENS * 16; i++)
    {
      const MemlaneLabPlan plan = {
        .order = (MemlaneLabOrder) (i % 2),
        .between = (MemlaneLabBetween) (i / 2 % MEMLANE_LAB_N_BETWEENS),
        .log2_elements = i % 3 == 0 ? 18 : 10,
        .pageable = (i / 12 & 1) != 0,
        .non_blocking = (i / 12 & 2) != 0,
        .priorities = (i / 12 & 4) != 0,
        .host_functions = (i / 12 & 8) != 0,
        .streams = counts[i % 4][0],
        .chunks = counts[i % 4][1],
      };
      g_autoptr (MemlaneTrace) trace = run (&plan);

      g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 0);
      g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), >=, plan.chunks);
      g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_HOST_FUNCTION), ==,
                        plan.host_functions ? MIN (plan.streams, plan.chunks) : 0);
    }
}

/* Within a stream nothing overlaps. */
static void
test_stream_order (void)
{
  const MemlaneLabPlan plan
      = { .log2_elements = 22, .streams = 3, .chunks = 9, .order = MEMLANE_LAB_BREADTH_FIRST };
  g_autoptr (MemlaneTrace) trace = run (&plan);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; is_by_cupti (trace) && i < n; i++)
    for (guint k = i + 1; k < n; k++)
      if (memlane_trace_event_is_operation (&events[i])
          && memlane_trace_event_is_operation (&events[k]) && events[i].stream == events[k].stream)
        g_assert_cmpint (events[k].start, >=, end_of (&events[i]) - 1000);
}

static void
print_overlap (const char *what, const MemlaneTrace *trace)
{
  MemlaneTraceBounds bounds;
  g_autofree char *elapsed
      = memlane_summary_format_time (memlane_trace_get_info (trace)->untraced_ns);

  g_assert_true (memlane_trace_compute_bounds (trace, &bounds));
  g_test_message ("%s: %s, overlap efficiency %.0f %%", what, elapsed, bounds.efficiency * 100);
}

static void
test_orders (void)
{
  for (guint order = 0; order < MEMLANE_LAB_N_ORDERS; order++)
    {
      MemlaneLabPlan plan
          = { .log2_elements = 24, .streams = 4, .chunks = 8, .order = (MemlaneLabOrder) order };
      g_autoptr (MemlaneTrace) many = run (&plan), one = NULL;
      MemlaneTraceBounds overlapped, alone;

      plan.streams = 1;
      one = run (&plan);
      print_overlap (memlane_lab_order_words (plan.order)->name, many);
      g_assert_true (memlane_trace_compute_bounds (many, &overlapped));
      g_assert_true (memlane_trace_compute_bounds (one, &alone));
      if (!is_by_cupti (many))
        continue;
      /* One stream is serial; several are not, where there are engines for it. */
      g_assert_cmpfloat (alone.efficiency, <, 0.05);
      if (memlane_device_get_info (device)->copy_engines >= 2)
        g_assert_cmpfloat (overlapped.efficiency, >, 0.2);
    }
}

static void
test_betweens (void)
{
  for (guint between = 1; between < MEMLANE_LAB_N_BETWEENS; between++)
    for (guint non_blocking = 0; non_blocking < 2; non_blocking++)
      {
        const MemlaneLabPlan plan = { .log2_elements = 26,
                                      .between = (MemlaneLabBetween) between,
                                      .non_blocking = non_blocking != 0 };
        g_autoptr (MemlaneTrace) trace = run (&plan);
        const MemlaneTraceEvent *phase = find_phase (trace, "in between");
        gint64 gap;
        gboolean parted = is_parted (trace, &gap);
        g_autofree char *name
            = g_strdup_printf ("%s, %s streams", memlane_lab_between_words (plan.between)->name,
                               plan.non_blocking ? "non-blocking" : "blocking");

        print_overlap (name, trace);
        g_test_message ("  the call took %.1f us, the halves are %s",
                        (double) phase->duration / 1e3, parted ? "parted" : "not parted");
        if (!is_by_cupti (trace) || plan.between < MEMLANE_LAB_DEVICE_MEMSET)
          continue;
        /* What CUDA promises of the legacy default stream. */
        g_assert_cmpint (parted, ==, !plan.non_blocking);
      }
}

static void
test_pageable (void)
{
  const MemlaneLabPlan plan = { .log2_elements = 22, .pageable = TRUE };
  g_autoptr (MemlaneTrace) trace = run (&plan);
  guint n, downs = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  print_overlap ("pageable", trace);
  for (guint i = 0; i < n; i++)
    {
      if (events[i].kind != MEMLANE_TRACE_COPY)
        continue;
      g_assert_true ((events[i].flags & MEMLANE_TRACE_STAGED) != 0);
      if (events[i].way != MEMLANE_TRACE_WAY_TO_HOST)
        continue;
      downs++;
      g_assert_cmpint (end_of (&events[i]), <=,
                       end_of (&events[memlane_trace_find_call (trace, i)]) + SLACK);
    }
  g_assert_cmpuint (downs, >=, 4);
}

/* Each runs after all that was issued to its stream before it. */
static void
test_host_functions (void)
{
  const MemlaneLabPlan plan
      = { .log2_elements = 22, .streams = 4, .chunks = 8, .host_functions = TRUE };
  g_autoptr (MemlaneTrace) trace = run (&plan);
  guint n, functions = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint f = 0; f < n; f++)
    {
      if (events[f].kind != MEMLANE_TRACE_HOST_FUNCTION)
        continue;
      functions++;
      g_assert_cmpuint (memlane_trace_find_call (trace, f), !=, MEMLANE_TRACE_NONE);
      for (guint i = 0; i < n; i++)
        if (memlane_trace_event_is_operation (&events[i]) && events[i].stream == events[f].stream)
          g_assert_cmpint (end_of (&events[i]), <=, events[f].start + SLACK);
    }
  g_assert_cmpuint (functions, ==, 4);
}

static void
test_priorities (void)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (device);
  MemlaneLabPlan plan = {
    .log2_elements = 24, .streams = 4, .chunks = 4, .reuse = 100, .order = MEMLANE_LAB_BREADTH_FIRST
  };

  for (guint urgent = 0; urgent < 2; urgent++)
    {
      g_autoptr (MemlaneTrace) trace = NULL;
      guint n, n_streams, greatest = 0, last = 0;
      const MemlaneTraceEvent *events;
      const MemlaneTraceStream *streams;
      gint64 ends[2] = { 0 };

      plan.priorities = urgent != 0;
      trace = run (&plan);
      events = memlane_trace_get_events (trace, &n);
      streams = memlane_trace_get_streams (trace, &n_streams);
      for (guint i = 0; i < n_streams; i++)
        {
          if (streams[i].is_default)
            continue;
          last = MAX (last, streams[i].number);
          g_assert_cmpint (streams[i].priority, <=, info->priority_least);
          g_assert_cmpint (streams[i].priority, >=, info->priority_greatest);
          greatest += streams[i].priority == info->priority_greatest;
        }
      if (info->priority_greatest < info->priority_least)
        g_assert_cmpuint (greatest, ==, urgent);
      for (guint i = 0; i < n; i++)
        if (events[i].kind == MEMLANE_TRACE_KERNEL)
          ends[events[i].stream == last]
              = MAX (ends[events[i].stream == last], end_of (&events[i]));
      g_test_message ("%s: the last stream's kernels end at %.1f us, the others' at %.1f us",
                      urgent ? "with priorities" : "without", (double) ends[1] / 1e3,
                      (double) ends[0] / 1e3);
    }
}

static char *
run_once (MemlaneDevice *of, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_lab_run (of, data, NULL, &error);

  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_faults (void)
{
  MemlaneLabPlan plan = {
    .log2_elements = 10, .host_functions = TRUE, .between = MEMLANE_LAB_DEVICE_ALLOCATION,
  };
  guint tried;

  fail_each_call (device, run_once, &plan, G_MAXUINT, &tried);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  memlane_trace_prepare ();
  device = memlane_device_open ("cuda:0", &error);
  if (device == NULL)
    {
      g_print ("skipped: %s\n", error->message);
      return 77;
    }
  g_test_add_func ("/gpu/lab/combinations", test_combinations);
  g_test_add_func ("/gpu/lab/stream-order", test_stream_order);
  g_test_add_func ("/gpu/lab/orders", test_orders);
  g_test_add_func ("/gpu/lab/betweens", test_betweens);
  g_test_add_func ("/gpu/lab/pageable", test_pageable);
  g_test_add_func ("/gpu/lab/host-functions", test_host_functions);
  g_test_add_func ("/gpu/lab/priorities", test_priorities);
  g_test_add_func ("/gpu/lab/faults", test_faults);
  status = g_test_run ();
  memlane_device_close (device);
  return status;
}
