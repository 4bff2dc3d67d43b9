/* test-timeline-folding.c: a million events, and whatever else a trace may hold
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/stage.h"
#include "ui/chart/trace-stage.h"

#include "count-operations.h"
#include "chart/timeline/timeline-layout.h"
#include "base/each.h"

#define WIDTH 1280
#define HEIGHT 720

static MemlaneTimeline *
lay_out_timeline (MemlaneTrace *trace, const MemlaneTimelineRange *range, double width, double height)
{
  const MemlaneTimelineTrack track = { trace, NULL };
  PangoContext *context = make_context (100);
  MemlaneTimeline *timeline =
    lay_out_drawing (memlane_timeline_drawing_new (&track, 1, range), MEMLANE_STYLE_SCREEN, width, height, context);

  g_object_unref (context);
  return timeline;
}

/* Returns the number of cairo operations. */
static guint
draw (MemlaneTimeline *timeline)
{
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) timeline->frame.width, (int) timeline->frame.height);
  cairo_t *cr = cairo_create (picture);

  n_operations = 0;
  memlane_timeline_draw (timeline, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpuint (n_operations, >, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
  return n_operations;
}

/* Rows that are seen. */
static guint
count_rows (const MemlaneTimeline *timeline)
{
  guint n = 0;

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, timeline->lanes)
    n += lane->n_rows;
  return n;
}

/* Whatever is seen of a million events, it takes no more than the pixels have room for. */
static void
test_budget (void)
{
  g_autoptr (MemlaneTrace) trace = make_long_trace (1000000);
  double end = (double) memlane_trace_get_end (trace);

  for (double part = 1; part > 1e-7; part /= 10)
    {
      MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
      g_autoptr (MemlaneTimeline) timeline = NULL;

      range.seen.from = 0.4 * end;
      range.seen.to = range.seen.from + part * end;
      timeline = lay_out_timeline (trace, &range, WIDTH, HEIGHT);
      guint most = (guint) (2 * timeline->frame.area.width / MEMLANE_TIMELINE_NARROW + 2);

      g_assert_cmpuint (timeline->spans->len, <=, count_rows (timeline) * most);
      g_assert_cmpuint (draw (timeline), <, 250);
    }
}

/* Neither of a million events hides a lone one, however short, nor does a fold hide a long one. */
static void
test_nothing_vanishes (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  const gint64 lone = 250000000, length = 1000000000;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (MemlaneTimeline) timeline = NULL;
  gboolean found_lone = FALSE, found_long = FALSE, found_moment = FALSE;
  guint n_events = 0;

  /* A million of 100 ns in the second half; in the first half one of 1 ns, and a moment; among the million one that takes a tenth. */
  for (guint i = 0; i < 1000000; i++)
    add_event (builder, MEMLANE_TRACE_KERNEL, "many", length / 2 + i * 500, 100, 13);
  add_event (builder, MEMLANE_TRACE_KERNEL, "lone", lone, 1, 13);
  add_event (builder, MEMLANE_TRACE_KERNEL, "moment", lone / 2, 0, 13);
  add_event (builder, MEMLANE_TRACE_KERNEL, "long", length / 2 + 250, length / 10, 13);
  trace = finish_trace (builder);
  timeline = lay_out_timeline (trace, NULL, WIDTH, HEIGHT);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, timeline->spans)
    {
      guint n;
      const MemlaneTraceEvent *event = &memlane_trace_get_events (trace, &n)[span->event];
      const char *name = memlane_trace_get_name (trace, event->name);
      double x = memlane_timeline_x_of (timeline, (double) event->start);

      n_events += span->n;
      if (strcmp (name, "lone") == 0 || strcmp (name, "moment") == 0)
        {
          g_assert_cmpfloat (ABS (span->x - x), <=, 1);
          g_assert_cmpuint (span->n, ==, 1);
          g_assert_cmpuint (span->fullness, ==, MEMLANE_TIMELINE_FULL);
        }
      found_lone = found_lone || strcmp (name, "lone") == 0;
      found_moment = found_moment || (strcmp (name, "moment") == 0 && span->instant);
      if (strcmp (name, "long") == 0)
        {
          found_long = TRUE;
          g_assert_cmpfloat_with_epsilon (span->width, timeline->frame.area.width / 10, 0.01 * timeline->frame.area.width);
        }
      if (span->folded)
        g_assert_cmpuint (span->fullness, <, MEMLANE_TIMELINE_FULL); /* a fifth is busy: 100 of 500 ns */
    }
  g_assert_true (found_lone && found_moment && found_long);
  g_assert_cmpuint (n_events, >=, 2 * 1000003 - 2000); /* in the lane of kernels and in that of the stream; rows share what they have */
}

/* Folding is a matter of the events, not of where the view begins: panned by whole pixels the picture moves, and does not change. */
static void
test_steady (void)
{
  g_autoptr (MemlaneTrace) trace = make_long_trace (100000);
  MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
  g_autoptr (MemlaneTimeline) first = NULL, second = NULL;
  guint same = 0, inner = 0;
  double per_pixel;

  range.seen.from = 1e6;
  range.seen.to = 41e6;
  first = lay_out_timeline (trace, &range, WIDTH, HEIGHT);
  per_pixel = (range.seen.to - range.seen.from) / first->frame.area.width;
  range.seen.from += 30 * per_pixel;
  range.seen.to += 30 * per_pixel;
  second = lay_out_timeline (trace, &range, WIDTH, HEIGHT);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, second->spans)
    {
      gboolean found = FALSE;

      if (span->x < second->frame.area.x + 40 || span->x + span->width > second->frame.area.x + second->frame.area.width - 40)
        continue;
      inner++;
      for (guint j = 0; j < first->spans->len && !found; j++)
        {
          const MemlaneTimelineSpan *other = &g_array_index (first->spans, MemlaneTimelineSpan, j);
          found = ABS (other->x - 30 - span->x) <= 1 && other->y == span->y && ABS (other->width - span->width) <= 2;
        }
      same += found;
    }
  g_assert_cmpuint (inner, >, 50);
  g_assert_cmpuint (same, >=, inner * 9 / 10);
}

/* --- at the edges ------------------------------------------------------------------------------------------------------------ */

static void
check_everything (MemlaneTrace *trace, const MemlaneTimelineRange *range, double width, double height)
{
  g_autoptr (MemlaneTimeline) timeline = lay_out_timeline (trace, range, width, height);
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  cairo_t *cr = cairo_create (picture);
  double from, to;
  guint n;

  memlane_trace_get_events (trace, &n);
  from = memlane_timeline_get_sight (timeline).seen.from;
  to = memlane_timeline_get_sight (timeline).seen.to;
  g_assert_cmpfloat (to - from, >=, 0.99);
  g_assert_true (isfinite (from) && isfinite (to));
  memlane_timeline_draw (timeline, cr);
  for (guint i = 0; i < 12; i++)
    {
      double x = g_test_rand_double_range (-10, width + 10), y = g_test_rand_double_range (-10, height + 10);
      MemlaneTimelineHit hit = memlane_timeline_hit (timeline, x, y);
      MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;

      if (hit.event != MEMLANE_TRACE_NONE)
        g_assert_cmpuint (hit.event, <, n);
      overlay.hovered = (MemlaneTimelineEvent){ 0, hit.event };
      overlay.selected = (MemlaneTimelineEvent){ 0, n > 0 ? (guint32) g_test_rand_int_range (0, (gint32) n) : MEMLANE_TRACE_NONE };
      overlay.has_tooltip = TRUE;
      overlay.pointer_x = x;
      overlay.pointer_y = y;
      overlay.span.from = hit.time;
      overlay.span.to = from;
      overlay.cursor = hit.time;
      memlane_timeline_draw_overlay (timeline, cr, &overlay);
    }
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
}

static void
test_odd_ranges (void)
{
  static const double ranges[][2] = { { NAN, NAN },   { NAN, 5 },        { 5, NAN },    { -INFINITY, INFINITY }, { 5, 5 },   { 9000, 100 },
                                      { 3000, 3001 }, { 3000.4, 3000.6 }, { -1e6, -1e5 }, { 1e9, 2e9 },            { -1e300, 1e300 },
                                      { 8e15, 9e15 }, { -9e18, 9e18 } };
  g_autoptr (MemlaneTrace) small = make_small_trace ();

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;

      range.seen.from = ranges[i][0];
      range.seen.to = ranges[i][1];
      range.scroll = i % 2 == 0 ? NAN : 1e9;
      check_everything (small, &range, 640, 360);
      check_everything (small, &range, 160, 120);
    }
}

static void
test_odd_traces (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) empty = finish_trace (builder);
  g_autoptr (MemlaneTrace) moment = NULL, crowd = NULL, edge = NULL;
  g_autoptr (MemlaneTimeline) timeline = NULL;

  builder = memlane_trace_builder_new ();
  add_event (builder, MEMLANE_TRACE_HOST, "moment", 0, 0, MEMLANE_TRACE_NO_STREAM);
  moment = finish_trace (builder);
  builder = memlane_trace_builder_new ();
  for (guint i = 0; i < 400; i++) /* more at once than a lane has rows */
    add_event (builder, MEMLANE_TRACE_KERNEL, "one of many", i, 10000, 13);
  crowd = finish_trace (builder);
  builder = memlane_trace_builder_new ();
  add_event (builder, MEMLANE_TRACE_KERNEL, "early", 0, 1, 13);
  add_event (builder, MEMLANE_TRACE_KERNEL, "late", G_GINT64_CONSTANT (4000000000000000000), 4, 13);
  add_event (builder, MEMLANE_TRACE_COPY, "all", 0, G_GINT64_CONSTANT (4000000000000000000), 13);
  edge = finish_trace (builder);

  check_everything (empty, NULL, 640, 360);
  check_everything (empty, NULL, 160, 120);
  check_everything (moment, NULL, 640, 360);
  check_everything (crowd, NULL, 640, 360);
  check_everything (crowd, NULL, 160, 120);
  check_everything (edge, NULL, 640, 360);
  timeline = lay_out_timeline (moment, NULL, 640, 360);
  g_assert_cmpuint (timeline->spans->len, ==, 1);
  g_assert_true (g_array_index (timeline->spans, MemlaneTimelineSpan, 0).instant);
}

static void
test_random (void)
{
  for (guint round = 0; round < 60; round++)
    {
      MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
      guint n = (guint) g_test_rand_int_range (0, round % 5 == 0 ? 20000 : 300);
      gint64 length = (gint64) 1 << g_test_rand_int_range (0, 45);
      g_autoptr (MemlaneTrace) trace = NULL;
      MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;

      for (guint i = 0; i < n; i++)
        {
          MemlaneTraceEvent event = { .start = (gint64) (g_test_rand_double () * (double) length),
                                      .duration = (gint64) (pow (g_test_rand_double (), 8) * (double) length) };

          event.kind = (guint8) g_test_rand_int_range (0, MEMLANE_TRACE_N_KINDS);
          event.way = (guint8) g_test_rand_int_range (0, MEMLANE_TRACE_N_WAYS);
          event.source = (guint8) g_test_rand_int_range (0, MEMLANE_TRACE_N_MEMORIES);
          event.destination = (guint8) g_test_rand_int_range (0, MEMLANE_TRACE_N_MEMORIES);
          event.flags = (guint8) g_test_rand_int_range (0, 128);
          event.bytes = (guint64) (guint32) g_test_rand_int ();
          event.count = (guint32) g_test_rand_int_range (0, 5);
          event.correlation = (guint32) g_test_rand_int_range (0, 100);
          event.stream = i % 3 == 0 ? MEMLANE_TRACE_NO_STREAM : (guint32) g_test_rand_int_range (0, 20);
          event.name =
            memlane_trace_builder_intern (builder, i % 2 == 0 ? "[CUDA memcpy HtoD]" : "اسم طويل 名前 \xf0\x9f\x9a\x80", -1);
          g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
        }
      trace = finish_trace (builder);
      range.colours = round % 2 == 0 ? MEMLANE_TIMELINE_BY_KIND : MEMLANE_TIMELINE_BY_STREAM;
      range.ghosts = round % 3 != 0;
      range.scroll = g_test_rand_int_range (-100, 3000);
      if (round % 4 != 0)
        {
          range.seen.from = g_test_rand_double_range (-0.2, 1.1) * (double) length;
          range.seen.to = range.seen.from + pow (g_test_rand_double (), 6) * (double) length;
        }
      check_everything (trace, &range, g_test_rand_int_range (160, 1400), g_test_rand_int_range (120, 800));
    }
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/timeline/budget", test_budget);
  g_test_add_func ("/timeline/nothing-vanishes", test_nothing_vanishes);
  g_test_add_func ("/timeline/steady", test_steady);
  g_test_add_func ("/timeline/odd-ranges", test_odd_ranges);
  g_test_add_func ("/timeline/odd-traces", test_odd_traces);
  g_test_add_func ("/timeline/random", test_random);
  return run_stage ();
}
