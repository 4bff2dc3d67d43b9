/* test-span.c: spans against sums made by hand
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "trace/builder.h"
#include "trace/summary.h"

static void
add (MemlaneTraceBuilder *builder, gint64 start, gint64 duration, MemlaneTraceKind kind, MemlaneTraceWay way, guint64 bytes)
{
  g_autoptr (GError) error = NULL;
  const MemlaneTraceEvent event = { .start = start, .duration = duration, .kind = kind, .way = way, .bytes = bytes,
                                    .stream = kind == MEMLANE_TRACE_CALL ? MEMLANE_TRACE_NO_STREAM : 13,
                                    .name = memlane_trace_builder_intern (builder, "x", -1) };

  memlane_trace_builder_add (builder, &event, &error);
  g_assert_no_error (error);
}

/*  0   call 0..30          (host)
 *  10  up 10..30, 200 B    (copy engine to the device)
 *  20  kernel 20..60
 *  50  down 50..70, 40 B
 *  80  up 80..80, 7 B      (a moment)
 *  90  call 90..100 */
static MemlaneTrace *
make_trace (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();

  add (builder, 0, 30, MEMLANE_TRACE_CALL, MEMLANE_TRACE_WAY_NONE, 0);
  add (builder, 0, 100, MEMLANE_TRACE_PHASE, MEMLANE_TRACE_WAY_NONE, 0);
  add (builder, 10, 20, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE, 200);
  add (builder, 20, 40, MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_WAY_NONE, 999);
  add (builder, 50, 20, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST, 40);
  add (builder, 80, 0, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE, 7);
  add (builder, 90, 10, MEMLANE_TRACE_CALL, MEMLANE_TRACE_WAY_NONE, 0);
  return memlane_trace_builder_finish (builder, NULL);
}

static void
test_whole (void)
{
  g_autoptr (MemlaneTrace) trace = make_trace ();
  MemlaneTraceSpan span;

  memlane_trace_measure_span (trace, 0, 100, &span);
  g_assert_cmpfloat (span.duration, ==, 100);
  g_assert_cmpuint (span.bytes_up, ==, 207);
  g_assert_cmpuint (span.bytes_down, ==, 40);
  g_assert_cmpuint (span.bytes_inside, ==, 0);
  g_assert_cmpfloat (span.host, ==, 40);
  g_assert_cmpfloat (span.up, ==, 20);
  g_assert_cmpfloat (span.kernel, ==, 40);
  g_assert_cmpfloat (span.down, ==, 20);
  g_assert_cmpfloat (span.migration, ==, 0);
  g_assert_cmpfloat (span.device, ==, 60);      /* 10..70 */
  g_assert_cmpfloat (span.overlapped, ==, 20);  /* 20..30 and 50..60 */
  g_assert_cmpuint (span.n_events, ==, 6);      /* a phase is none */
}

static void
test_part (void)
{
  g_autoptr (MemlaneTrace) trace = make_trace ();
  MemlaneTraceSpan span, other;

  /* The second half of the copy up, the first ten of the kernel's. */
  memlane_trace_measure_span (trace, 20, 30, &span);
  g_assert_cmpuint (span.bytes_up, ==, 100);
  g_assert_cmpfloat (span.up, ==, 10);
  g_assert_cmpfloat (span.kernel, ==, 10);
  g_assert_cmpfloat (span.overlapped, ==, 10);
  g_assert_cmpfloat (span.device, ==, 10);
  g_assert_cmpfloat (span.host, ==, 10);
  g_assert_cmpuint (span.n_events, ==, 3);
  memlane_trace_measure_span (trace, 30, 20, &other);
  g_assert_cmpmem (&span, sizeof span, &other, sizeof other);

  memlane_trace_measure_span (trace, 55, 65, &span);
  g_assert_cmpuint (span.bytes_down, ==, 20);
  g_assert_cmpfloat (span.overlapped, ==, 5);
  g_assert_cmpfloat (span.device, ==, 10);
  g_assert_cmpfloat (span.host, ==, 0);

  memlane_trace_measure_span (trace, -50, -10, &span);
  g_assert_cmpuint (span.n_events, ==, 0);
  g_assert_cmpfloat (span.duration, ==, 40);
  memlane_trace_measure_span (trace, 1000, 2000, &span);
  g_assert_cmpuint (span.n_events, ==, 0);
  memlane_trace_measure_span (trace, 80, 80, &span);
  g_assert_cmpuint (span.n_events, ==, 1);
  g_assert_cmpuint (span.bytes_up, ==, 7);
  memlane_trace_measure_span (trace, NAN, 80, &span);
  g_assert_cmpuint (span.n_events, ==, 0);
  memlane_trace_measure_span (trace, -INFINITY, INFINITY, &span);
  g_assert_cmpuint (span.n_events, ==, 6);
  g_assert_cmpfloat (span.overlapped, ==, 20);
}

static void
test_counts (void)
{
  g_autoptr (MemlaneTrace) trace = make_trace ();
  guint8 flags = 77;

  g_assert_cmpuint (memlane_trace_count_kind (trace, MEMLANE_TRACE_COPY, &flags), ==, 3);
  g_assert_cmpuint (flags, ==, 0);
  g_assert_cmpuint (memlane_trace_count_kind (trace, MEMLANE_TRACE_FAULT, NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span/whole", test_whole);
  g_test_add_func ("/span/part", test_part);
  g_test_add_func ("/span/counts", test_counts);
  return g_test_run ();
}
