/* test-cupti-records.c: hand-made activity records become events; no GPU and no CUPTI library needed, its header alone
 *
 * SPDX-License-Identifier: MIT
 */
#include "device/cuda/cupti-records.h" /* first: the bench's N is a word of CUDA's headers */

#include "engine/trace-bench.h"

#define OFFSET 1000                        /* of CUPTI's clock to the host's, ns */
#define REALTIME (-1800000000123456789ll) /* of the system's clock to it: of 2027 */

static void
test_records (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (MemlaneCuptiCall));
  MemlaneCuptiCounts counts;
  MemlaneCuptiCall first, second;
  double origin;
  uint64_t base; /* CUPTI's time of the origin */
  const MemlaneTraceEvent *event;

  bench_open (&b);
  memlane_device_pause (b.d, 1e6);
  tracer = trace_from (&b);
  origin = tracer->origin;
  base = (uint64_t) (origin - OFFSET);
  first = (MemlaneCuptiCall) { origin + 100, origin + 200, 41 };
  second = (MemlaneCuptiCall) { origin + 300, origin + 9000, 42 };
  g_array_append_val (calls, first);
  g_array_append_val (calls, second);
  {
    /* CUPTI's 7 is our 41 by its own word, its 8 is our 42 by the time at which the runtime was called, its 9 is nobody's. */
    const CUpti_ActivityExternalCorrelation link = {
      .kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, .externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, .externalId = 41,
      .correlationId = 7,
    };
    const CUpti_ActivityAPI api = { .kind = CUPTI_ACTIVITY_KIND_RUNTIME, .start = base + 310, .end = base + 400, .correlationId = 8 };
    const CUpti_ActivityAPI before = { .kind = CUPTI_ACTIVITY_KIND_RUNTIME, .start = base + 10, .end = base + 20, .correlationId = 9 };
    const MemlaneCuptiMemcpy copy = {
      .kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
      .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, .bytes = 4096, .start = base + 500, .end = base + 750, .streamId = 7,
      .correlationId = 7,
    };
    MemlaneCuptiKernel run = {
      .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = base + 250, .end = base + 400, .streamId = 13, .correlationId = 8,
      .name = "_ZN7memlane12quads_kernelILb1EEvv",
    };
    const MemlaneCuptiKernel untimed = { .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .streamId = 13, .correlationId = 8 };
    const CUpti_ActivityMemset4 foreign = {
      .kind = CUPTI_ACTIVITY_KIND_MEMSET, .bytes = 1, .start = base + 30, .end = base + 40, .streamId = 7, .correlationId = 9,
    };
    const MemlaneCuptiSynchronization wait = {
      .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, .start = base + 320,
      .end = base + 8000, .streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE, .correlationId = 8,
    };
    const MemlaneCuptiUnifiedMemory up = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
      .value = 65536, .start = base + 600, .end = base + 700, .flags = CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER,
    };
    const MemlaneCuptiUnifiedMemory fault = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
      .value = 3, .start = base + 610, .end = base + 690,
    };
    const MemlaneCuptiUnifiedMemory late = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      .value = 0xdeadbeef, .start = base + 9500,
    };
    const MemlaneCuptiUnifiedMemory touch = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      .value = 0xdeadbeef, .start = base + 350, .end = base + 1, /* which means nothing */
    };
    /* On the system's clock. */
    const MemlaneCuptiUnifiedMemory down = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
      .value = 4096, .start = base + OFFSET + 800 - (uint64_t) REALTIME, .end = base + OFFSET + 900 - (uint64_t) REALTIME,
      .flags = CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE,
    };
    const MemlaneCuptiUnifiedMemory early = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
      .value = 1, .start = base + 60, .end = base + 70,
    };
    const MemlaneCuptiUnifiedMemory throttled = {
      .kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING,
      .start = base + 620, .end = base + 630,
    };
    const gconstpointer all[] = { &link, &api, &before, &copy, &run, &untimed, &foreign, &wait, &up, &fault, &late, &touch, &down,
                                  &early, &throttled };

    memlane_cupti_read_records (tracer, calls, OFFSET, REALTIME, (const CUpti_Activity *const *) all, G_N_ELEMENTS (all), &counts);
  }
  g_assert_cmpuint (counts.clamped, ==, 1); /* the kernel seemed to begin before its call */
  g_assert_cmpuint (counts.pages, ==, 7);
  g_assert_cmpuint (counts.pages_kept, ==, 4);
  g_assert_cmpuint (counts.pages_of_realtime, ==, 1);
  g_assert_cmpfloat_with_epsilon (counts.nearest, -40, 1);
  g_assert_cmpuint (counts.throttled, ==, 1);
  g_assert_cmpuint (counts.thrashing, ==, 0);
  memlane_tracer_stop (tracer);
  trace = trace_to (&b, tracer);

  event = get_nth (trace, MEMLANE_TRACE_COPY, "[CUDA memcpy HtoD]", 0);
  g_assert_cmpint (event->start, ==, 500);
  g_assert_cmpint (event->duration, ==, 250);
  g_assert_cmpuint (event->correlation, ==, 41);
  g_assert_cmpuint (event->bytes, ==, 4096);
  g_assert_cmpuint (event->stream, ==, 7);
  g_assert_cmpint (event->way, ==, MEMLANE_TRACE_WAY_TO_DEVICE);
  g_assert_cmpint (event->source, ==, MEMLANE_TRACE_MEMORY_PAGEABLE);
  g_assert_cmpint (event->flags, ==, MEMLANE_TRACE_STAGED);
  event = get_nth (trace, MEMLANE_TRACE_KERNEL, "quads_kernel", 0);
  g_assert_cmpint (event->start, ==, 300);
  g_assert_cmpint (end_of (event), ==, 400);
  g_assert_cmpuint (event->correlation, ==, 42);
  g_assert_null (find_nth (trace, MEMLANE_TRACE_KERNEL, NULL, 1));
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 1); /* the kernel that could not be timed */
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_MEMSET), ==, 0);
  event = get_nth (trace, MEMLANE_TRACE_SYNCHRONISATION, "wait for device", 0);
  g_assert_cmpuint (event->stream, ==, MEMLANE_TRACE_NO_STREAM);
  g_assert_cmpint (event->flags, ==, 0);
  event = get_nth (trace, MEMLANE_TRACE_MIGRATION, NULL, 0);
  g_assert_cmpuint (event->bytes, ==, 65536);
  g_assert_cmpint (event->flags, ==, MEMLANE_TRACE_PREFETCHED);
  event = get_nth (trace, MEMLANE_TRACE_MIGRATION, NULL, 1);
  g_assert_cmpint (event->start, ==, 800);
  g_assert_cmpint (event->duration, ==, 100);
  g_assert_cmpint (event->way, ==, MEMLANE_TRACE_WAY_TO_HOST);
  g_assert_cmpint (event->flags, ==, 0);
  event = get_nth (trace, MEMLANE_TRACE_FAULT, "GPU", 0);
  g_assert_cmpuint (event->count, ==, 3);
  g_assert_cmpint (event->flags, ==, MEMLANE_TRACE_ON_DEVICE);
  event = get_nth (trace, MEMLANE_TRACE_FAULT, "CPU", 0);
  g_assert_cmpint (event->start, ==, 350);
  g_assert_cmpint (event->duration, ==, 0);
  g_assert_cmpuint (event->count, ==, 1);
  g_assert_cmpuint (event->correlation, ==, 42);
  g_assert_null (find_nth (trace, MEMLANE_TRACE_FAULT, "CPU", 1));
  g_assert_null (find_nth (trace, MEMLANE_TRACE_FAULT, "GPU", 1));
  bench_close (&b);
}

static void
test_plain_names (void)
{
  static const char *const cases[][2] = {
    { "_ZN7memlane12quads_kernelILb1ELi1ELi0ELi256EEEvPfPKfS3_m", "quads_kernel" },
    { "_Z12latch_kernelP16MemlaneLatchWordjm", "latch_kernel" },
    { "add", "add" }, { "_Z", "_Z" }, { "_ZN", "_ZN" }, { "_ZN99x", "_ZN99x" }, { "_Z0", "_Z0" }, { "", "" },
    { "_ZN99999999999999999999999x", "_ZN99999999999999999999999x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = memlane_trace_plain_name (cases[i][0]);

      g_assert_cmpstr (name, ==, cases[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cupti/records", test_records);
  g_test_add_func ("/cupti/plain-names", test_plain_names);
  return g_test_run ();
}
