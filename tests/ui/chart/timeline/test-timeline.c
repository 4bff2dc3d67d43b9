/* test-timeline.c: what stands where in a timeline, and what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/golden.h"
#include "ui/chart/stage.h"
#include "ui/chart/trace-stage.h"

#include "base/each.h"
#include "chart/export.h"
#include "chart/timeline/span-style.h"
#include "chart/timeline/timeline-layout.h"
#include "ui/chart/frame-check.h"

static MemlaneTimeline *
lay_out_timeline (MemlaneTrace *first, MemlaneTrace *second, const MemlaneTimelineRange *range, MemlaneStyleKind style, double width,
                  double height, int percent)
{
  const MemlaneTimelineTrack tracks[] = { { first, NULL }, { second, NULL } };
  PangoContext *context = make_context (percent);
  guint n = second != NULL ? 2 : first != NULL ? 1 : 0;
  MemlaneTimeline *timeline = lay_out_drawing (memlane_timeline_drawing_new (tracks, n, range), style, width, height, context);

  g_object_unref (context);
  return timeline;
}

/* --- what must hold of every layout ------------------------------------------------------------------------------------ */

static void
fail (const MemlaneTimeline *timeline, const char *what, const char *other)
{
  g_error ("%g x %g: %s: %s", timeline->frame.width, timeline->frame.height, what, other);
}

/* The words on the sheet lie apart; the contract test checks those of the frame. */
static void
check_words (const MemlaneTimeline *timeline)
{
  for (guint i = 0; i < timeline->frame.texts->len; i++)
    {
      const MemlanePlacedText *words = &g_array_index (timeline->frame.texts, MemlanePlacedText, i);

      if (words->role < MEMLANE_TEXT_CONTENT)
        continue;
      if (words->area.x < -0.5 || words->area.x + words->area.width > timeline->frame.width + 0.5)
        fail (timeline, pango_layout_get_text (words->layout), "is outside of the figure");
      for (guint j = 0; j < i; j++)
        {
          const MemlanePlacedText *other = &g_array_index (timeline->frame.texts, MemlanePlacedText, j);

          if (other->role >= MEMLANE_TEXT_CONTENT && overlaps (&words->area, &other->area))
            fail (timeline, pango_layout_get_text (words->layout), pango_layout_get_text (other->layout));
        }
    }
}

static void
check_spans (const MemlaneTimeline *timeline)
{
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, timeline->spans)
    {
      g_assert_cmpint (span->width, >=, 1);
      g_assert_cmpint (span->height, >=, 1);
      g_assert_cmpuint (span->n, >=, 1);
      g_assert_cmpfloat (span->x, >=, timeline->frame.area.x - 1);
      g_assert_cmpfloat (span->x + span->width, <=, timeline->frame.area.x + timeline->frame.area.width + 3);
      g_assert_cmpfloat (span->y, >=, -0.5);
      g_assert_cmpfloat (span->y + span->height, <=, timeline->sheet_height + 1);
    }
  MEMLANE_FOR_EACH_IN (const MemlaneSpanName, name, timeline->names)
    {
      g_assert_cmpfloat (name->x, >=, timeline->frame.area.x);
      g_assert_cmpfloat (name->x + name->width, <=, timeline->frame.area.x + timeline->frame.area.width + 1);
      if (timeline->frame.wall)
        g_assert_false (pango_layout_is_ellipsized (name->layout)); /* whole or absent */
    }
}

static void
check_timeline (MemlaneTimeline *timeline)
{
  double end = 0;

  g_assert_cmpfloat (timeline->frame.area.width, >=, 1);
  g_assert_cmpfloat (timeline->frame.area.height, >=, 1);
  g_assert_cmpfloat (timeline->seen.from, <, timeline->seen.to);
  g_assert_cmpfloat (timeline->frame.area.x + timeline->frame.area.width, <=, timeline->frame.width);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, timeline->lanes)
    {
      g_assert_cmpfloat (lane->y, >=, end);
      g_assert_cmpfloat (lane->row_height, >=, 1);
      /* On a wall gaps give way before names do. */
      if (timeline->frame.em >= 24 && timeline->thrift < MEMLANE_THRIFT_TIGHT && lane->n_rows == 2)
        g_assert_cmpfloat (lane->row_height, >=, timeline->frame.em);
      end = lane->y + lane->height;
    }
  g_assert_cmpfloat (memlane_timeline_get_sight (timeline).scroll, <=, memlane_timeline_get_sight (timeline).most_scroll);
  check_words (timeline);
  check_spans (timeline);
}

/* Draws it with an overlay over the event; returns a picture that is not one colour. */
static void
check_drawing (MemlaneTimeline *timeline, MemlaneTimelineEvent event)
{
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) timeline->frame.width, (int) timeline->frame.height);
  cairo_t *cr = cairo_create (picture);
  const MemlaneRange seen = timeline->seen;
  MemlaneTimelineOverlay overlay = { event, TRUE, timeline->frame.width / 3, timeline->frame.height / 3, event,
                                     { seen.from, (seen.from + seen.to) / 2 }, (seen.from + seen.to) / 3, event.track, &event.event,
                                     event.event != MEMLANE_TRACE_NONE };

  memlane_timeline_draw (timeline, cr);
  memlane_timeline_draw_overlay (timeline, cr, &overlay);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
}

/* (transfer full): the picture while the player stands at @cursor; NAN: it does not play. */
static cairo_surface_t *
draw_played (MemlaneTimeline *timeline, double cursor)
{
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) timeline->frame.width, (int) timeline->frame.height);
  cairo_t *cr = cairo_create (picture);
  MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;

  overlay.cursor = cursor;
  memlane_timeline_draw (timeline, cr);
  memlane_timeline_draw_overlay (timeline, cr, &overlay);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  return picture;
}

/* Whether the pictures are the same in @area, but for the line of the cursor at @x. */
static gboolean
is_unchanged (cairo_surface_t *a, cairo_surface_t *b, const MemlaneRectangle *area, double x)
{
  int stride = cairo_image_surface_get_stride (a) / 4;
  const guint32 *before = (const guint32 *) cairo_image_surface_get_data (a), *after = (const guint32 *) cairo_image_surface_get_data (b);

  for (int row = MAX ((int) area->y, 0); row < MIN ((int) (area->y + area->height), cairo_image_surface_get_height (a)); row++)
    for (int column = MAX ((int) area->x, 0); column < MIN ((int) (area->x + area->width), stride); column++)
      if (ABS (column - x) > 4 && before[row * stride + column] != after[row * stride + column])
        return FALSE;
  return TRUE;
}

/* While it is played the lanes after the cursor are pale, but no heading and no ideal schedule. */
static void
test_no_text_fades (void)
{
  g_autoptr (MemlaneTrace) pageable = read_recorded_trace ("pageable-2p20"), pinned = read_recorded_trace ("pinned-2p20");
  g_autoptr (MemlaneTimeline) timeline = lay_out_timeline (pageable, pinned, NULL, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  double cursor = timeline->seen.from + 0.3 * (timeline->seen.to - timeline->seen.from);
  cairo_surface_t *still = draw_played (timeline, NAN), *played = draw_played (timeline, cursor);
  guint n = 0;

  g_assert_false (is_unchanged (still, played, &timeline->frame.area, memlane_timeline_x_of (timeline, cursor)));
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, timeline->frame.texts)
    {
      MemlaneRectangle area = text->area;

      if (text->role != MEMLANE_WORDS_HEADING && text->role != MEMLANE_WORDS_DETAIL && text->role != MEMLANE_WORDS_BOUND)
        continue;
      area.y = memlane_timeline_sheet_y (timeline, area.y);
      if (!is_unchanged (still, played, &area, memlane_timeline_x_of (timeline, cursor)))
        g_error ("\"%s\" fades", pango_layout_get_text (text->layout));
      n++;
    }
  g_assert_cmpuint (n, >=, 6);
  cairo_surface_destroy (still);
  cairo_surface_destroy (played);
}

static void
test_every_size (void)
{
  static const double sizes[][2] = { { 160, 120 }, { 320, 240 }, { 480, 900 }, { 640, 360 }, { 1280, 720 }, { 1920, 1080 } };
  g_autoptr (MemlaneTrace) small = make_small_trace (), managed = read_recorded_trace ("managed-2p20");
  g_autoptr (MemlaneTrace) streams = read_recorded_trace ("streams-depth-first-2p20");
  MemlaneTrace *const pairs[][2] = { { small, NULL }, { managed, NULL }, { streams, NULL }, { small, streams }, { streams, managed } };

  for (guint pair = 0; pair < G_N_ELEMENTS (pairs); pair++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      for (int style = 0; style < MEMLANE_N_STYLES; style++)
        for (int percent = 100; percent <= 200; percent += 100)
          {
            MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
            g_autoptr (MemlaneTimeline) timeline = NULL;

            range.colours = style % 2 == 0 ? MEMLANE_TIMELINE_BY_KIND : MEMLANE_TIMELINE_BY_STREAM;
            range.scroll = style * 100;
            timeline = lay_out_timeline (pairs[pair][0], pairs[pair][1], &range, style, sizes[size][0], sizes[size][1], percent);
            check_timeline (timeline);
            if (percent == 100)
              check_drawing (timeline, (MemlaneTimelineEvent){ 0, 1 });
          }
}

/* The name inside a span, on each tint in each style (WCAG 2: 4.5:1). */
static void
test_contrast (void)
{
  for (int kind = 0; kind < MEMLANE_N_STYLES; kind++)
    for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
      {
        const MemlaneStyle *style = memlane_style_get ((MemlaneStyleKind) kind);
        MemlaneColor ground = memlane_span_tint_color ((MemlaneTint) tint, style), text = memlane_figure_text_on (style, &ground);
        double contrast = memlane_color_contrast (&text, &ground);

        if (contrast < 4.5)
          g_test_fail_printf ("tint %u in %s: %.2f:1", tint, style->name, contrast);
      }
}

/* --- places and hits -------------------------------------------------------------------------------------------------------- */

static void
check_round_trip (MemlaneTrace *trace, const MemlaneTimelineRange *range)
{
  g_autoptr (MemlaneTimeline) timeline = lay_out_timeline (trace, NULL, range, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  guint n, n_seen = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      MemlaneTimelineEvent event = { 0, i };
      MemlaneRectangle place;
      MemlaneTimelineHit hit;
      double x, y;

      if (!memlane_timeline_place_event (timeline, event, &place))
        continue;
      x = (MAX (place.x, timeline->frame.area.x) + MIN (place.x + place.width, timeline->frame.area.x + timeline->frame.area.width)) / 2;
      y = place.y + place.height / 2;
      if (y < timeline->frame.area.y || y >= timeline->frame.area.y + timeline->frame.area.height)
        continue;
      hit = memlane_timeline_hit (timeline, x, y);
      n_seen++;
      g_assert_cmpint (hit.kind, ==, MEMLANE_TIMELINE_HIT_EVENT);
      g_assert_cmpuint (hit.lane, ==, events[i].lane);
      if (place.width >= 2 * MEMLANE_TIMELINE_NARROW)
        g_assert_cmpuint (hit.event, ==, i);
      else /* one that is as near, and as long */
        {
          g_assert_cmpfloat (memlane_timeline_x_of (timeline, (double) events[hit.event].start), <=, x + MEMLANE_TIMELINE_NARROW + 0.01);
          g_assert_cmpfloat (memlane_timeline_x_of (timeline, (double) (events[hit.event].start + events[hit.event].duration)), >=,
                             x - MEMLANE_TIMELINE_NARROW - 0.01);
        }
      g_assert_cmpfloat_with_epsilon (memlane_timeline_x_of (timeline, hit.time), x, 1e-3);
    }
  g_assert_cmpuint (n_seen, >, 0);
}

static void
test_round_trips (void)
{
  static const char *const names[] = { "pageable-2p14", "pinned-2p20", "managed-2p20", "streams-breadth-first-2p14" };
  g_autoptr (MemlaneTrace) small = make_small_trace ();

  check_round_trip (small, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (MemlaneTrace) trace = read_recorded_trace (names[i]);
      MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;

      check_round_trip (trace, NULL);
      range.seen.from = 0.2 * (double) memlane_trace_get_end (trace);
      range.seen.to = 0.6 * (double) memlane_trace_get_end (trace);
      check_round_trip (trace, &range);
    }
}

static void
test_hits (void)
{
  g_autoptr (MemlaneTrace) small = make_small_trace (), streams = read_recorded_trace ("streams-depth-first-2p20");
  g_autoptr (MemlaneTimeline) timeline = lay_out_timeline (small, streams, NULL, MEMLANE_STYLE_SCREEN, 1280, 1400, 100);
  const MemlaneRectangle *area = memlane_timeline_get_sight (timeline).area;
  MemlaneRectangle place;
  MemlaneTimelineHit hit = memlane_timeline_hit (timeline, area->x + 10, area->y - 3);

  g_assert_cmpint (hit.kind, ==, MEMLANE_TIMELINE_HIT_AXIS);
  hit = memlane_timeline_hit (timeline, area->x + 10, area->y + timeline->parts[0].ghosts_y + 3);
  g_assert_cmpint (hit.kind, ==, MEMLANE_TIMELINE_HIT_GHOST);
  g_assert_cmpuint (hit.track, ==, 0);
  hit = memlane_timeline_hit (timeline, timeline->frame.pad, area->y + g_array_index (timeline->lanes, MemlaneTimelineLane, 0).y + 2);
  g_assert_cmpint (hit.kind, ==, MEMLANE_TIMELINE_HIT_LANE);
  g_assert_cmpuint (hit.lane, ==, 0);
  g_assert_cmpint (memlane_timeline_hit (timeline, -5, -5).kind, ==, MEMLANE_TIMELINE_HIT_NOTHING);
  g_assert_cmpint (memlane_timeline_hit (timeline, 5, 5).kind, ==, MEMLANE_TIMELINE_HIT_NOTHING);
  g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent){ 1, 5 }, &place));
  g_assert_cmpuint (memlane_timeline_hit (timeline, place.x + place.width / 2, place.y + 2).track, ==, 1);
  g_assert_false (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent){ 2, 5 }, &place));
  g_assert_false (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent){ 0, MEMLANE_TRACE_NONE }, &place));
  g_assert_cmpfloat_with_epsilon (memlane_timeline_time_at (timeline, memlane_timeline_x_of (timeline, 1234)), 1234, 1e-6);
}

/* Every event can be scrolled to. */
static void
test_scroll (void)
{
  g_autoptr (MemlaneTrace) streams = read_recorded_trace ("streams-depth-first-2p20");
  MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
  guint n;

  memlane_trace_get_events (streams, &n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneTimeline) timeline = lay_out_timeline (streams, NULL, &range, MEMLANE_STYLE_SCREEN, 800, 260, 100);
      MemlaneTimelineEvent event = { 0, i };
      MemlaneRectangle place;
      double most;

      most = memlane_timeline_get_sight (timeline).most_scroll;
      g_assert_cmpfloat (most, >, 0);
      range.scroll = memlane_timeline_scroll_to (timeline, event);
      g_clear_pointer (&timeline, memlane_timeline_free);
      timeline = lay_out_timeline (streams, NULL, &range, MEMLANE_STYLE_SCREEN, 800, 260, 100);
      g_assert_true (memlane_timeline_place_event (timeline, event, &place));
      g_assert_cmpfloat (place.y, >=, timeline->frame.area.y - 0.5);
      g_assert_cmpfloat (place.y + place.height, <=, timeline->frame.area.y + timeline->frame.area.height + 0.5);
      g_assert_cmpfloat (memlane_timeline_scroll_to (timeline, event), ==, range.scroll);
    }
}

static void
test_measured_height (void)
{
  g_autoptr (MemlaneTrace) streams = read_recorded_trace ("streams-depth-first-2p20");
  const MemlaneTimelineTrack tracks[] = { { streams, NULL }, { streams, NULL } };
  PangoContext *context = make_context (100);

  for (guint n = 1; n <= 2; n++)
    {
      MemlaneDrawing *drawing = memlane_timeline_drawing_new (tracks, n, NULL);
      double height = drawing->klass->measure_height (drawing->content, memlane_style_get (MEMLANE_STYLE_SCREEN), 1280, context), most;
      g_autoptr (MemlaneTimeline) timeline = lay_out_drawing (drawing, MEMLANE_STYLE_SCREEN, 1280, height, context);

      most = memlane_timeline_get_sight (timeline).most_scroll;
      g_assert_cmpfloat (most, ==, 0);
    }
  g_object_unref (context);
}

/* On the wall no words are cut, and the legend says what the hatches of the host's lane mean. */
static void
check_wall_words (const MemlaneTimeline *timeline)
{
  guint n_legend = 0;

  if (!timeline->frame.wall)
    return;
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, words, timeline->frame.texts)
    {
      if (pango_layout_is_ellipsized (words->layout))
        fail (timeline, pango_layout_get_text (words->layout), "is cut");
      n_legend += words->role == MEMLANE_TEXT_LEGEND;
    }
  g_assert_cmpuint (n_legend, >=, 2);
}

/* Two tracks are seen whole in the window's usual sizes (1280x720 and 1920x1080 less bars) and on the wall, whatever the lanes: nothing
 * scrolls, every event but the phases has a place, and both have the same share of the height. */
static void
test_two_fit (void)
{
  static const struct
  {
    MemlaneStyleKind style;
    double width, height;
  } rooms[] = {
    { MEMLANE_STYLE_SCREEN, 1280, 520 },         { MEMLANE_STYLE_SCREEN, 990, 520 },     { MEMLANE_STYLE_DARK, 1920, 880 },
    { MEMLANE_STYLE_PROJECTOR, 1280, 720 },      { MEMLANE_STYLE_PROJECTOR, 1920, 1080 },
    { MEMLANE_STYLE_PROJECTOR_DARK, 1280, 720 }, { MEMLANE_STYLE_PROJECTOR_DARK, 1920, 1080 },
  };
  g_autoptr (MemlaneTrace) depth = read_recorded_trace ("streams-depth-first-2p20");
  g_autoptr (MemlaneTrace) breadth = read_recorded_trace ("streams-breadth-first-2p20");
  g_autoptr (MemlaneTrace) managed = read_recorded_trace ("managed-2p20"), pageable = read_recorded_trace ("pageable-2p20");
  MemlaneTrace *const pairs[][2] = { { depth, breadth }, { managed, pageable } };

  for (guint pair = 0; pair < G_N_ELEMENTS (pairs); pair++)
    for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
      {
        g_autoptr (MemlaneTimeline) timeline
          = lay_out_timeline (pairs[pair][0], pairs[pair][1], NULL, rooms[i].style, rooms[i].width, rooms[i].height, 100);
        double most;

        check_timeline (timeline);
        most = memlane_timeline_get_sight (timeline).most_scroll;
        if (most > 0)
          fail (timeline, "two tracks", "do not fit");
        check_wall_words (timeline);
        for (guint track = 0; track < 2; track++)
          {
            guint n;
            const MemlaneTraceEvent *events = memlane_trace_get_events (pairs[pair][track], &n);

            g_assert_cmpfloat (timeline->parts[track].height, <, 0.6 * timeline->sheet_height);
            for (guint event = 0; event < n; event++)
              {
                MemlaneRectangle place;

                if (events[event].kind != MEMLANE_TRACE_PHASE)
                  g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent){ track, event }, &place));
              }
          }
      }
}

/* One row of ideal schedules where both do the same work, one each where they do not. */
static void
test_ideal_rows (void)
{
  g_autoptr (MemlaneTrace) depth = read_recorded_trace ("streams-depth-first-2p20");
  g_autoptr (MemlaneTrace) pageable = read_recorded_trace ("pageable-2p20");
  g_autoptr (MemlaneTimeline) same = lay_out_timeline (depth, depth, NULL, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  g_autoptr (MemlaneTimeline) different = lay_out_timeline (depth, pageable, NULL, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  g_autoptr (MemlaneTimeline) alone = lay_out_timeline (depth, NULL, NULL, MEMLANE_STYLE_SCREEN, 1280, 720, 100);

  g_assert_cmpuint (same->parts[0].n_ghost_rows, ==, 1);
  g_assert_cmpuint (same->parts[1].n_ghost_rows, ==, 0);
  g_assert_cmpuint (different->parts[0].n_ghost_rows, ==, 1);
  g_assert_cmpuint (different->parts[1].n_ghost_rows, ==, 1);
  g_assert_cmpuint (alone->parts[0].n_ghost_rows, ==, MEMLANE_N_GHOSTS);
}

/* --- files --------------------------------------------------------------------------------------------------------------------- */

/* As high as it needs, but within the limit of pixels. */
static void
test_export_limit (void)
{
  g_autoptr (MemlaneTrace) small = make_small_trace ();
  const MemlaneTimelineTrack track = { small, NULL };
  g_autoptr (MemlaneDrawing) drawing = memlane_timeline_drawing_new (&track, 1, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png =
    memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_PRINT), memlane_export_find (".png"), 300, 0, 20.1, &error);
  const guint32 *header;

  g_assert_no_error (error);
  header = (const guint32 *) g_bytes_get_data (png, NULL) + 4;
  g_assert_cmpuint (GUINT32_FROM_BE (header[0]), ==, 6030);
  g_assert_cmpuint (GUINT32_FROM_BE (header[1]), <=, MEMLANE_EXPORT_MOST_PIXELS / 6030);
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/timeline/contrast", test_contrast);
  g_test_add_func ("/timeline/every-size", test_every_size);
  g_test_add_func ("/timeline/two-fit", test_two_fit);
  g_test_add_func ("/timeline/ideal-rows", test_ideal_rows);
  g_test_add_func ("/timeline/round-trips", test_round_trips);
  g_test_add_func ("/timeline/hits", test_hits);
  g_test_add_func ("/timeline/scroll", test_scroll);
  g_test_add_func ("/timeline/measured-height", test_measured_height);
  g_test_add_func ("/timeline/no-text-fades", test_no_text_fades);
  g_test_add_func ("/timeline/export-limit", test_export_limit);
  return run_stage ();
}
