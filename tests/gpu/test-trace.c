/* test-trace.c: recorded traces of a real GPU
 *
 * SPDX-License-Identifier: MIT
 *
 * Exits with 77 and a reason where there is no GPU. Prints what was recorded from, and what tracing
 * costs; asserts no time. With MEMLANE_CUPTI=no the same runs on CUDA events; with --late CUPTI is
 * opened when there is a CUDA context already.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "analysis/findings.h"
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "mode/mode.h"
#include "trace/trace.h"
#include "measure/record.h"
#include "trace/summary.h"
#include "engine/same-trace.h"

static MemlaneDevice *device;
static gboolean without_cupti, is_late;

/* What one record's clock may be off by, ns: a few microseconds for events, whose base is a round
 * trip to the device. */
#define SLACK 20000

static MemlaneTrace *
record (const char *workload, const char *mode, guint log2_elements, guint streams, guint chunks)
{
  const MemlaneMode *found = memlane_mode_find (mode);
  const MemlaneWorkload *work = memlane_workload_find (workload);
  const MemlaneMethod method = { .workload = work, .streams = streams, .chunks = chunks };
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace;
  guint out = memlane_device_get_outstanding (device);

  if (!memlane_workload_is_supported (work, found, memlane_device_get_info (device), &reason))
    {
      g_test_message ("%s, %s: %s", workload, mode, reason);
      return NULL;
    }
  trace = memlane_trace_record (device, &method, found, log2_elements, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, out);
  return trace;
}

static gboolean
is_by_cupti (const MemlaneTrace *trace)
{
  return strcmp (memlane_trace_get_info (trace)->source, "CUPTI") == 0;
}

static guint
count (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way)
{
  guint n, found = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    found += events[i].kind == kind && (way == MEMLANE_TRACE_WAY_NONE || events[i].way == way);
  return found;
}

static gint64
end_of (const MemlaneTraceEvent *event)
{
  return event->start + event->duration;
}

/* What holds for every trace: each operation has its call in the same stream, begins after that
 * has, and ends before the host is done. */
static void
check_links (const MemlaneTrace *trace)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  gint64 done = 0;

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_PHASE)
      done = MAX (done, end_of (&events[i]));
  g_assert_cmpint (done, >, 0);
  for (guint i = 0; i < n; i++)
    {
      guint32 call;

      if (events[i].kind != MEMLANE_TRACE_COPY && events[i].kind != MEMLANE_TRACE_KERNEL
          && events[i].kind != MEMLANE_TRACE_MEMSET)
        continue;
      call = memlane_trace_find_call (trace, i);
      g_assert_cmpuint (call, !=, MEMLANE_TRACE_NONE);
      g_assert_cmpint (events[i].start + SLACK, >=, events[call].start);
      g_assert_cmpuint (events[i].stream, !=, MEMLANE_TRACE_NO_STREAM);
      g_assert_cmpuint (events[i].stream, ==, events[call].stream);
      g_assert_cmpint (end_of (&events[i]), <=, done + SLACK);
    }
}

static void
test_modes (void)
{
  const guint sizes[] = { 14, 20 };
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        gint64 begin = g_get_monotonic_time ();
        g_autoptr (MemlaneTrace) trace = record ("vector-add", modes[i].id, sizes[k], 2, 4);
        const MemlaneTraceInfo *info;

        if (trace == NULL)
          continue;
        info = memlane_trace_get_info (trace);
        g_test_message ("%s, 2^%u: %s; recorded in %.2f s", modes[i].id, sizes[k], info->overhead,
                        (double) (g_get_monotonic_time () - begin) / 1e6);
        for (guint note = 0; note < info->notes->len; note++)
          g_test_message ("  %s", (const char *) info->notes->pdata[note]);
        g_assert_false (info->simulated);
        g_assert_cmpuint (info->notes->len, >, 0); /* neither way of recording tells all */
        g_assert_cmpuint (info->dropped, ==, 0);
        if (without_cupti)
          g_assert_cmpstr (info->source, ==, "CUDA events");
        g_assert_cmpuint (count (trace, MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_WAY_NONE), >, 0);
        check_links (trace);
        check_trip (trace);
      }
}

/* Pageable copies are marked, and have ended when their call returns (but for the last chunk up).
 */
static void
test_pageable (void)
{
  g_autoptr (MemlaneTrace) trace = record ("vector-add", "pageable-async", 20, 1, 1);
  guint n, staged = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      guint32 call;

      if (events[i].kind != MEMLANE_TRACE_COPY)
        continue;
      g_assert_true ((events[i].flags & MEMLANE_TRACE_STAGED) != 0);
      staged++;
      call = memlane_trace_find_call (trace, i);
      if (events[i].way == MEMLANE_TRACE_WAY_TO_HOST)
        g_assert_cmpint (end_of (&events[i]), <=, end_of (&events[call]) + SLACK);
    }
  g_assert_cmpuint (staged, >=, 3);
}

/* The default stream is known as such, by the number that its operations bear. */
static void
test_default_stream (void)
{
  g_autoptr (MemlaneTrace) trace = record ("vector-add", "pinned", 14, 1, 1);
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_true (streams[0].is_default);
  check_links (trace);
}

/* Whether something runs beside something of another stream. */
static gboolean
has_overlap (const MemlaneTrace *trace)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n && events[k].start < end_of (&events[i]); k++)
      if (memlane_trace_event_is_operation (&events[i])
          && memlane_trace_event_is_operation (&events[k]) && events[i].stream != events[k].stream)
        return TRUE;
  return FALSE;
}

static void
test_streams (void)
{
  const char *const modes[] = { "streams-depth-first", "streams-breadth-first" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (MemlaneTrace) trace = record ("vector-add", modes[i], 24, 2, 8),
                               alone = record ("vector-add", "pinned-async", 24, 1, 1);
      MemlaneTraceBounds bounds;

      g_assert_true (has_overlap (trace));
      g_assert_false (has_overlap (alone));
      g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE), ==, 16);
      g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST), ==, 8);
      g_assert_true (memlane_trace_compute_bounds (trace, &bounds));
      g_test_message ("%s: overlap efficiency %.0f %%", modes[i], bounds.efficiency * 100);
    }
}

static void
test_managed (void)
{
  g_autoptr (MemlaneTrace) trace = record ("vector-add", "managed", 20, 1, 1);
  g_autofree char *table = NULL;

  if (trace == NULL)
    {
      g_test_skip ("no managed memory");
      return;
    }
  table = memlane_trace_summary_to_text (trace);
  g_test_message ("%s", table);
  for (guint i = 0; i < memlane_trace_get_info (trace)->notes->len; i++)
    g_test_message ("%s", (const char *) memlane_trace_get_info (trace)->notes->pdata[i]);
  g_test_message (
      "faults: %u of the GPU, %u of the host; migrations: %u up, %u down; CUPTI opened %s",
      count (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_WAY_TO_DEVICE),
      count (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_WAY_TO_HOST),
      count (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_DEVICE),
      count (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_HOST),
      without_cupti ? "never"
      : is_late     ? "after the CUDA context"
                    : "before the CUDA context");
  if (!is_by_cupti (trace))
    {
      g_assert_cmpuint (count (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_WAY_NONE), ==, 0);
      return;
    }
  for (guint i = 0; i < memlane_trace_get_info (trace)->notes->len; i++)
    if (strstr (memlane_trace_get_info (trace)->notes->pdata[i], "no page faults") != NULL)
      {
        /* Said and true. */
        g_assert_cmpuint (count (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_WAY_NONE), ==, 0);
        g_assert_cmpuint (count (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_NONE), ==, 0);
        g_test_skip (memlane_trace_get_info (trace)->notes->pdata[i]);
        return;
      }
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_WAY_TO_DEVICE), >, 0);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_DEVICE), >, 0);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_HOST), >, 0);
}

/* ns of one launch, on average. */
static double
time_launches (float *memory)
{
  double begin;

  g_assert_true (memlane_device_synchronize (device, NULL));
  begin = memlane_device_clock (device);
  for (guint i = 0; i < 1000; i++)
    g_assert_true (memlane_device_launch (device, MEMLANE_KERNEL_COPY, memory, memory + 1024, NULL,
                                          1024, NULL, NULL));
  g_assert_true (memlane_device_synchronize (device, NULL));
  return (memlane_device_clock (device) - begin) / 1000;
}

static gboolean
has_loaded_cupti (void)
{
  g_autofree char *maps = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  return strstr (maps, "libcupti") != NULL;
}

/* No verdict: what a launch costs in a process that has not traced yet, and in one that has. */
static void
test_after (void)
{
  void *memory;
  double before, after;

  /* Who does not trace has no CUPTI in the process. */
  if (is_late || without_cupti)
    g_assert_false (has_loaded_cupti ());
  g_assert_true (memlane_device_malloc (device, 8192, &memory, NULL));
  time_launches (memory);
  before = time_launches (memory);
  memlane_trace_unref (
      record ("vector-add", "pinned", 14, 1, 1)); /* with something of another's on the device */
  time_launches (memory);
  after = time_launches (memory);
  g_test_message ("a launch took %.0f ns before the first trace of this process, %.0f ns after it",
                  before, after);
  g_assert_true (memlane_device_free (device, memory, NULL));
}

static char *
record_once (MemlaneDevice *of, gpointer data)
{
  const MemlaneMethod method = { .streams = 2, .chunks = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_trace_record (
    of, &method, memlane_mode_find ("streams-depth-first"), 10, NULL, &error);

  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_faults (void)
{
  guint tried;

  fail_each_call (device, record_once, NULL, G_MAXUINT, &tried);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  without_cupti = g_strcmp0 (g_getenv ("MEMLANE_CUPTI"), "no") == 0;
  is_late = argc > 1 && strcmp (argv[1], "--late") == 0;
  if (!is_late)
    memlane_trace_prepare ();
  device = memlane_device_open ("cuda:0", &error);
  if (device == NULL)
    {
      g_print ("skipped: %s\n", error->message);
      return 77;
    }
  g_test_add_func ("/gpu/trace/after", test_after); /* first: nothing has been traced yet */
  g_test_add_func ("/gpu/trace/modes", test_modes);
  g_test_add_func ("/gpu/trace/pageable", test_pageable);
  g_test_add_func ("/gpu/trace/default-stream", test_default_stream);
  g_test_add_func ("/gpu/trace/streams", test_streams);
  g_test_add_func ("/gpu/trace/managed", test_managed);
  g_test_add_func ("/gpu/trace/faults", test_faults);
  status = g_test_run ();
  memlane_device_close (device);
  return status;
}
