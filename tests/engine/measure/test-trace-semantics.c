/* test-trace-semantics.c: the semantics at the end of modes.md as facts of traces: what overlaps, what waits, in which order
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/trace-bench.h"

/* --- pageable memory ---------------------------------------------------------------------------------------------- */

static void
test_pageable (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *copy, *staging, *call, *down;

  bench_open (&b);
  tracer = trace_from (&b);
  OK (memlane_device_memcpy (b.d, b.device, b.pageable, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  OK (memlane_device_memcpy (b.d, b.pageable, b.device, BYTES, MEMLANE_COPY_TO_HOST, E));
  trace = trace_to (&b, tracer);

  copy = get_nth (trace, MEMLANE_TRACE_COPY, "HtoD", 0);
  staging = get_nth (trace, MEMLANE_TRACE_STAGING, "staging in", 0);
  call = call_of (trace, copy);
  g_assert_true ((copy->flags & MEMLANE_TRACE_STAGED) != 0);
  g_assert_cmpint (copy->source, ==, MEMLANE_TRACE_MEMORY_PAGEABLE);
  g_assert_cmpint (copy->destination, ==, MEMLANE_TRACE_MEMORY_DEVICE);
  g_assert_cmpuint (staging->bytes, ==, BYTES);
  g_assert_cmpint (staging->correlation, ==, copy->correlation);
  /* The host is held until all is staged. */
  g_assert_cmpint (call->start, <=, staging->start);
  g_assert_cmpint (end_of (call), >=, end_of (staging));
  g_assert_cmpint (end_of (call), >=, end_of (copy));
  /* Down, the call returns when the bytes are there. */
  down = get_nth (trace, MEMLANE_TRACE_COPY, "DtoH", 0);
  g_assert_cmpuint (down->bytes, ==, BYTES);
  g_assert_cmpint (end_of (call_of (trace, down)), >=, end_of (down));
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_STAGING, "staging out", 0)->destination, ==, MEMLANE_TRACE_MEMORY_PAGEABLE);
  SAYS (trace, MEMLANE_FINDING_STAGED, "(calls: 2)");
  SAYS (trace, MEMLANE_FINDING_IMPLICIT, "cudaMemcpy blocked the host ");
  bench_close (&b);
}

/* The calls and what they cost show; the copy is that of any page-locked and device memory. */
static void
test_virtual_memory (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  void *mapped = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *copy, *made;

  bench_open (&b);
  tracer = trace_from (&b);
  OK (memlane_device_malloc_virtual (b.d, BYTES, &mapped, E));
  OK (memlane_device_memcpy_async (b.d, mapped, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, b.s, E));
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  OK (memlane_device_free_virtual (b.d, mapped, E));
  trace = trace_to (&b, tracer);
  made = get_nth (trace, MEMLANE_TRACE_CALL, "cuMemCreate", 0);
  copy = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 0);
  g_assert_cmpuint (made->bytes, ==, BYTES);
  g_assert_cmpint (made->duration, >, 10000);
  g_assert_cmpint (end_of (made), <=, copy->start);
  g_assert_cmpint (copy->source, ==, MEMLANE_TRACE_MEMORY_PINNED);
  g_assert_cmpint (copy->destination, ==, MEMLANE_TRACE_MEMORY_DEVICE);
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_CALL, "cuMemUnmap", 0)->start, >=, end_of (copy));
  bench_close (&b);
}

/* Registered memory that the device only reads is page-locked like any other. */
static void
test_registered_read_only (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *copy;

  bench_open (&b);
  OK (memlane_device_host_register (b.d, b.pageable, BYTES, MEMLANE_HOST_REGISTER_READ_ONLY, E));
  tracer = trace_from (&b);
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, BYTES, MEMLANE_COPY_TO_DEVICE, b.s, E));
  trace = trace_to (&b, tracer);
  copy = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 0);
  g_assert_cmpint (copy->source, ==, MEMLANE_TRACE_MEMORY_PINNED);
  g_assert_cmpint (copy->flags & MEMLANE_TRACE_STAGED, ==, 0);
  OK (memlane_device_host_unregister (b.d, b.pageable, E));
  bench_close (&b);
}

static void
test_pageable_async (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *copy, *call, *last;

  bench_open (&b);
  tracer = trace_from (&b);
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, BYTES, MEMLANE_COPY_TO_DEVICE, b.s, E));
  trace = trace_to (&b, tracer);
  copy = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 0);
  call = call_of (trace, copy);
  g_assert_true ((call->flags & MEMLANE_TRACE_ASYNC) != 0);
  g_assert_cmpint (end_of (call), >=, end_of (copy)); /* asynchronous by name only */
  g_assert_cmpuint (copy->bytes, ==, BYTES - 65536);
  /* Only the last chunk is still on its way when the call returns. */
  last = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 1);
  g_assert_cmpuint (last->bytes, ==, 65536);
  g_assert_cmpint (last->correlation, ==, copy->correlation);
  g_assert_cmpint (end_of (last), >, end_of (call));
  SAYS (trace, MEMLANE_FINDING_STAGED, "asynchronous by name only");
  bench_close (&b);
}

static void
test_small_pageable (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *copy, *call, *staging;

  bench_open (&b);
  tracer = trace_from (&b);
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, 65536, MEMLANE_COPY_TO_DEVICE, b.s, E));
  trace = trace_to (&b, tracer);
  copy = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 0);
  call = call_of (trace, copy);
  staging = get_nth (trace, MEMLANE_TRACE_STAGING, NULL, 0);
  g_assert_null (find_nth (trace, MEMLANE_TRACE_COPY, NULL, 1));
  g_assert_cmpint (end_of (call), >=, end_of (staging)); /* staged when the call returns... */
  g_assert_cmpint (end_of (copy), >, end_of (call));     /* ...and not yet there */
  bench_close (&b);
}

/* --- streams ---------------------------------------------------------------------------------------------------------- */

static void
test_pinned_overlaps (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) beside = NULL, behind = NULL, mixed = NULL;
  const MemlaneTraceEvent *copy, *run;

  bench_open (&b);
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  kernel (&b, b.device3, b.device2, b.t);
  beside = trace_to (&b, tracer);
  copy = get_nth (beside, MEMLANE_TRACE_COPY, NULL, 0);
  run = get_nth (beside, MEMLANE_TRACE_KERNEL, NULL, 0);
  g_assert_true (overlap (copy, run));
  g_assert_cmpint (end_of (call_of (beside, copy)), <, end_of (copy)); /* the host went on */
  g_assert_cmpint (copy->source, ==, MEMLANE_TRACE_MEMORY_PINNED);
  g_assert_cmpint (copy->flags & MEMLANE_TRACE_STAGED, ==, 0);
  g_assert_cmpuint (copy->stream, !=, run->stream);

  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  kernel (&b, b.device3, b.device2, b.s);
  behind = trace_to (&b, tracer);
  g_assert_cmpint (get_nth (behind, MEMLANE_TRACE_KERNEL, NULL, 0)->start, >=, end_of (get_nth (behind, MEMLANE_TRACE_COPY, NULL, 0)));

  /* From pageable memory nothing of another stream that is issued later runs beside it. */
  tracer = trace_from (&b);
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, BYTES, MEMLANE_COPY_TO_DEVICE, b.s, E));
  kernel (&b, b.device3, b.device2, b.t);
  mixed = trace_to (&b, tracer);
  g_assert_cmpint (get_nth (mixed, MEMLANE_TRACE_KERNEL, NULL, 0)->start, >=, end_of (get_nth (mixed, MEMLANE_TRACE_COPY, NULL, 0)));
  bench_close (&b);
}

static void
test_default_stream (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  MemlaneStream *free_stream;
  g_autoptr (MemlaneTrace) legacy = NULL, alone = NULL, beside = NULL;
  const MemlaneTraceEvent *first, *middle, *last;
  const MemlaneTraceStream *stream;

  bench_open (&b);
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  kernel (&b, b.device3, b.device2, NULL);
  down (&b, b.device2, b.t);
  legacy = trace_to (&b, tracer);
  first = get_nth (legacy, MEMLANE_TRACE_COPY, "HtoD", 0);
  middle = get_nth (legacy, MEMLANE_TRACE_KERNEL, NULL, 0);
  last = get_nth (legacy, MEMLANE_TRACE_COPY, "DtoH", 0);
  g_assert_cmpint (middle->start, >=, end_of (first));
  g_assert_cmpint (last->start, >=, end_of (middle));
  g_assert_cmpuint (middle->stream, ==, 7);
  g_assert_cmpuint (first->stream, ==, 13);
  g_assert_cmpuint (last->stream, ==, 14);
  stream = memlane_trace_find_stream (legacy, 7);
  g_assert_true (stream != NULL && stream->is_default);
  SAYS (legacy, MEMLANE_FINDING_DEFAULT_STREAM, "made streams 1 and 2 run one after the other");

  /* The same without the kernel between them. */
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  down (&b, b.device2, b.t);
  alone = trace_to (&b, tracer);
  g_assert_true (overlap (get_nth (alone, MEMLANE_TRACE_COPY, "HtoD", 0), get_nth (alone, MEMLANE_TRACE_COPY, "DtoH", 0)));
  SAYS_NOTHING (alone, MEMLANE_FINDING_DEFAULT_STREAM);

  /* A non-blocking stream neither waits nor is waited for. */
  OK (memlane_device_stream_create (b.d, TRUE, 0, &free_stream, E));
  tracer = trace_from (&b);
  up (&b, b.device, free_stream);
  kernel (&b, b.device3, b.device2, NULL);
  down (&b, b.device2, free_stream);
  beside = trace_to (&b, tracer);
  g_assert_true (overlap (get_nth (beside, MEMLANE_TRACE_COPY, "HtoD", 0), get_nth (beside, MEMLANE_TRACE_KERNEL, NULL, 0)));
  g_assert_true (memlane_trace_find_stream (beside, 15)->non_blocking);
  SAYS_NOTHING (beside, MEMLANE_FINDING_DEFAULT_STREAM);
  bench_close (&b);
}

/* --- implicit synchronisation --------------------------------------------------------------------------------------------- */

typedef void (*Between) (Bench *b);

static void
allocate_device (Bench *b)
{
  void *pointer;

  OK (memlane_device_malloc (b->d, 8 << 20, &pointer, E));
}

static void
allocate_pinned (Bench *b)
{
  void *pointer;

  OK (memlane_device_malloc_host (b->d, 4096, &pointer, E));
}

static void
set_memory (Bench *b)
{
  OK (memlane_device_memset_async (b->d, b->device3, 0, 4096, b->s, E));
}

static void
copy_on_device (Bench *b)
{
  OK (memlane_device_memcpy_async (b->d, b->device3, b->device2, 4096, MEMLANE_COPY_ON_DEVICE, b->s, E));
}

/* Whether what is issued before and after @between, in two streams, is kept apart. */
static MemlaneTrace *
trace_between (gboolean serialises, Between between)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  MemlaneTrace *trace;

  b.profile = memlane_profile_new ();
  b.profile->sync_device_alloc = b.profile->sync_pinned_alloc = b.profile->sync_memset = b.profile->sync_copy_on_device = serialises;
  /* Calls are short, and the copy is not: it still runs when they return. */
  set_cost (b.profile, MEMLANE_COST_MALLOC, 1000, 0);
  set_cost (b.profile, MEMLANE_COST_MALLOC_PINNED, 1000, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 1e6, 0);
  bench_open (&b);
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  between (&b);
  down (&b, b.device2, b.t);
  trace = trace_to (&b, tracer);
  bench_close (&b);
  return trace;
}

static void
test_implicit (void)
{
  static const struct
  {
    Between between;
    const char *call;
  } cases[] = { { allocate_device, "cudaMalloc" }, { allocate_pinned, "cudaMallocHost" }, { set_memory, "cudaMemsetAsync" },
                { copy_on_device, "cudaMemcpyAsync" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MemlaneTrace) with = trace_between (TRUE, cases[i].between), without = trace_between (FALSE, cases[i].between);
      const MemlaneTraceEvent *before = get_nth (with, MEMLANE_TRACE_COPY, "HtoD", 0);
      const MemlaneTraceEvent *after = get_nth (with, MEMLANE_TRACE_COPY, "DtoH", 0);
      const MemlaneTraceEvent *barrier = get_nth (with, MEMLANE_TRACE_SYNCHRONISATION, "implicit", 0);

      g_assert_cmpint (after->start, >=, end_of (before));
      g_assert_cmpint (end_of (barrier), >=, end_of (before));
      g_assert_cmpstr (memlane_trace_get_name (with, call_of (with, barrier)->name), ==, cases[i].call);
      g_assert_cmpint (barrier->flags, ==, MEMLANE_TRACE_IMPLICIT | MEMLANE_TRACE_ON_DEVICE);
      SAYS (with, MEMLANE_FINDING_IMPLICIT, cases[i].call);
      g_assert_true (overlap (get_nth (without, MEMLANE_TRACE_COPY, "HtoD", 0), get_nth (without, MEMLANE_TRACE_COPY, "DtoH", 0)));
      SAYS_NOTHING (without, MEMLANE_FINDING_IMPLICIT);
    }
}

/* --- order ------------------------------------------------------------------------------------------------------------------ */

static void
do_nothing (gpointer data)
{
}

static void
test_host_function (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *function;

  bench_open (&b);
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  OK (memlane_device_launch_host_function (b.d, do_nothing, NULL, b.s, E));
  kernel (&b, b.device3, b.device2, b.s);
  down (&b, b.device2, b.t);
  trace = trace_to (&b, tracer);
  function = get_nth (trace, MEMLANE_TRACE_HOST_FUNCTION, NULL, 0);
  g_assert_cmpint (function->start, >=, end_of (get_nth (trace, MEMLANE_TRACE_COPY, "HtoD", 0)));
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, NULL, 0)->start, >=, end_of (function));
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_COPY, "DtoH", 0)->start, <, function->start); /* another stream's does not wait */
  g_assert_cmpstr (memlane_trace_get_name (trace, call_of (trace, function)->name), ==, "cudaLaunchHostFunc");
  bench_close (&b);
}

static void
test_priorities (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  MemlaneStream *urgent;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *kernels[3];

  b.profile = memlane_profile_new ();
  b.profile->info.capabilities &= ~MEMLANE_CAN_CONCURRENT_KERNELS;
  set_cost (b.profile, MEMLANE_COST_KERNEL, 1e5, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL_CACHED, 1e5, 0);
  bench_open (&b);
  OK (memlane_device_stream_create (b.d, FALSE, b.profile->info.priority_greatest, &urgent, E));
  tracer = trace_from (&b);
  kernel (&b, b.device3, b.device2, b.s);
  kernel (&b, b.device3, b.device2, b.t);
  kernel (&b, b.device3, b.device2, urgent);
  trace = trace_to (&b, tracer);
  for (guint i = 0; i < 3; i++)
    kernels[i] = get_nth (trace, MEMLANE_TRACE_KERNEL, NULL, i);
  /* Pending work is overtaken, running work is not. */
  g_assert_cmpuint (kernels[0]->stream, ==, 13);
  g_assert_cmpuint (kernels[1]->stream, ==, 15);
  g_assert_cmpuint (kernels[2]->stream, ==, 14);
  g_assert_cmpint (kernels[1]->start, >=, end_of (kernels[0]));
  g_assert_cmpint (memlane_trace_find_stream (trace, 15)->priority, ==, b.profile->info.priority_greatest);
  bench_close (&b);
}

static void
test_events_wait (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  MemlaneEvent *event;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *wait, *copy;

  bench_open (&b);
  OK (memlane_device_event_create (b.d, &event, E));
  tracer = trace_from (&b);
  up (&b, b.device, b.s);
  OK (memlane_device_event_record (b.d, event, b.s, E));
  OK (memlane_device_stream_wait_event (b.d, b.t, event, E));
  kernel (&b, b.device3, b.device2, b.t);
  trace = trace_to (&b, tracer);
  copy = get_nth (trace, MEMLANE_TRACE_COPY, NULL, 0);
  wait = get_nth (trace, MEMLANE_TRACE_SYNCHRONISATION, "wait for event", 0);
  g_assert_cmpuint (wait->stream, ==, 14);
  g_assert_cmpint (end_of (wait), >=, end_of (copy));
  g_assert_cmpint (wait->flags, ==, MEMLANE_TRACE_ON_DEVICE); /* asked for */
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, NULL, 0)->start, >=, end_of (copy));
  bench_close (&b);
}

/* What fails is told, and nothing is made up for it. */
static void
test_failed_call (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *call;

  bench_open (&b);
  tracer = trace_from (&b);
  REFUSED (memlane_device_memcpy (b.d, b.device, NULL, 64, MEMLANE_COPY_TO_DEVICE, E), MEMLANE_DEVICE_ERROR_INVALID, "NULL");
  trace = trace_to (&b, tracer);
  call = get_nth (trace, MEMLANE_TRACE_CALL, "cudaMemcpy", 0);
  g_assert_true ((call->flags & MEMLANE_TRACE_FAILED) != 0);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_COPY), ==, 0);
  bench_close (&b);
}

/* Clocks that disagree: what ends before it begins is counted, what began before the start is left out. */
static void
test_dropped (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_KERNEL, .stream = 13 };
  double origin;

  bench_open (&b);
  tracer = trace_from (&b);
  origin = tracer->origin;
  memlane_tracer_add (tracer, &event, "backwards", origin + 20, origin + 10);
  memlane_tracer_add (tracer, &event, "never", origin + 20, NAN);
  memlane_tracer_add (tracer, &event, "early", origin - 20, origin + 10);
  memlane_tracer_add (tracer, &event, "good", origin + 0.4, origin + 10.6);
  memlane_tracer_get_info (tracer)->dropped += 5;
  trace = trace_to (&b, tracer);
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 7);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), ==, 1);
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, "good", 0)->start, ==, 0);
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, "good", 0)->duration, ==, 11);
  bench_close (&b);
}

/* A device has one tracer; after it the next one works. */
static void
test_one_tracer (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (GError) error = NULL;

  bench_open (&b);
  tracer = trace_from (&b);
  g_assert_null (memlane_tracer_new (b.d, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID);
  memlane_tracer_free (tracer);
  memlane_trace_unref (trace_to (&b, trace_from (&b)));
  bench_close (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/pageable", test_pageable);
  g_test_add_func ("/trace/virtual-memory", test_virtual_memory);
  g_test_add_func ("/trace/registered-read-only", test_registered_read_only);
  g_test_add_func ("/trace/pageable-async", test_pageable_async);
  g_test_add_func ("/trace/small-pageable", test_small_pageable);
  g_test_add_func ("/trace/pinned-overlaps", test_pinned_overlaps);
  g_test_add_func ("/trace/default-stream", test_default_stream);
  g_test_add_func ("/trace/implicit", test_implicit);
  g_test_add_func ("/trace/host-function", test_host_function);
  g_test_add_func ("/trace/priorities", test_priorities);
  g_test_add_func ("/trace/events-wait", test_events_wait);
  g_test_add_func ("/trace/failed-call", test_failed_call);
  g_test_add_func ("/trace/dropped", test_dropped);
  g_test_add_func ("/trace/one-tracer", test_one_tracer);
  return g_test_run ();
}
