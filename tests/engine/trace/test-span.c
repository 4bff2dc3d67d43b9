/* test-span.c: spans against sums made by hand, stepping, and walking a lane against looking at each event
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

/* --- walking ------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const MemlaneTraceEvent *events;
  const MemlaneTraceLane *lane;
  gint64 from, to;
  double narrow;
  guint next, n, n_items;
  gint64 busy;
} Seen;

/* What an item says is what its events say; nothing of what touches the span is left out, nothing comes twice. */
static gboolean
check_item (const MemlaneTraceFold *item, gpointer user_data)
{
  Seen *seen = user_data;
  gint64 end = G_MININT64, busy = 0, longest = -1;

  g_assert_cmpuint (item->first, >=, seen->next);
  for (guint i = seen->next; i < item->first; i++)
    {
      const MemlaneTraceEvent *event = &seen->events[seen->lane->events[i]];
      g_assert_true (event->start + event->duration < seen->from || event->start > seen->to);
    }
  for (guint i = item->first; i < item->first + item->n; i++)
    {
      const MemlaneTraceEvent *event = &seen->events[seen->lane->events[i]];

      end = MAX (end, event->start + event->duration);
      busy += event->duration;
      longest = MAX (longest, event->duration);
      g_assert_true ((item->rows >> MIN (seen->lane->rows[i], 63) & 1) != 0);
      if (item->n > 1)
        {
          g_assert_cmpfloat ((double) event->duration, <, seen->narrow);
          g_assert_cmpfloat ((double) (event->start - item->start), <, seen->narrow);
        }
    }
  g_assert_cmpint (item->start, ==, seen->events[seen->lane->events[item->first]].start);
  g_assert_cmpint (item->end, ==, end);
  g_assert_cmpint (item->busy, ==, busy);
  g_assert_cmpint (item->duration, ==, longest);
  g_assert_cmpint (seen->events[item->longest].duration, ==, longest);
  seen->next = item->first + item->n;
  seen->n += item->n;
  seen->n_items++;
  return TRUE;
}

static void
test_walk (void)
{
  for (guint round = 0; round < 300; round++)
    {
      MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
      guint n_events = round % 7 == 0 ? (guint) g_test_rand_int_range (1, 20) : (guint) g_test_rand_int_range (1, 5000), n, n_lanes;
      gint64 length = g_test_rand_int_range (1, 1 << 20);
      g_autoptr (MemlaneTrace) trace = NULL;
      const MemlaneTraceLane *lanes;

      for (guint i = 0; i < n_events; i++)
        add (builder, g_test_rand_int_range (0, (gint32) length), i % 50 == 0 ? length / 3 : g_test_rand_int_range (0, 20),
             MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_WAY_NONE, 0);
      trace = memlane_trace_builder_finish (builder, NULL);
      lanes = memlane_trace_get_lanes (trace, &n_lanes);
      for (guint i = 0; i < n_lanes; i++)
        {
          gint64 from = g_test_rand_int_range (-10, (gint32) length), to = from + g_test_rand_int_range (0, (gint32) length);
          Seen seen = { .events = memlane_trace_get_events (trace, &n), .lane = &lanes[i], .from = from, .to = to,
                        .narrow = g_test_rand_double_range (0, 200) };

          memlane_trace_lane_walk (trace, &lanes[i], from, to, seen.narrow, check_item, &seen);
          for (guint j = seen.next; j < lanes[i].n_events; j++)
            {
              const MemlaneTraceEvent *event = &seen.events[lanes[i].events[j]];
              g_assert_true (event->start + event->duration < from || event->start > to);
            }
          g_assert_cmpuint (seen.n_items, <=, seen.n);
        }
    }
}

static gboolean
stop_at_third (const MemlaneTraceFold *item, gpointer user_data)
{
  return ++*(guint *) user_data < 3;
}

static void
test_stop (void)
{
  g_autoptr (MemlaneTrace) trace = make_trace ();
  guint n, n_seen = 0;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n);

  for (guint i = 0; i < n; i++)
    if (lanes[i].kind == MEMLANE_TRACE_LANE_STREAM)
      memlane_trace_lane_walk (trace, &lanes[i], -10, 1000, 0, stop_at_third, &n_seen);
  g_assert_cmpuint (n_seen, ==, 3);
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
  g_test_add_func ("/fold/walk", test_walk);
  g_test_add_func ("/fold/stop", test_stop);
  g_test_add_func ("/fold/counts", test_counts);
  return g_test_run ();
}
