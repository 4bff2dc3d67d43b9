/* draw-timeline.c: what a frame of a timeline with a million events costs
 *
 * SPDX-License-Identifier: MIT
 *
 * draw-timeline [EVENTS]  prints medians for 1920x1080 and checks none: a busy machine must not fail. The bars (issue 4): a frame of
 * zooming or panning 8 ms, hovering 2 ms with its hit test.
 */
#include "chart/timeline/timeline-layout.h"
#include "times.h"
#include "trace/builder.h"

#define WIDTH 1920
#define HEIGHT 1080
#define ROUNDS 41

/* Calls, and what they issue: copies up, kernels, copies down on eight streams; lengths and pauses vary. */
static MemlaneTrace *
make_trace (guint n)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  const char *const names[] = { "cudaMemcpyAsync", "cudaLaunchKernel", "[CUDA memcpy HtoD]", "add", "[CUDA memcpy DtoH]" };
  guint32 ids[G_N_ELEMENTS (names)], seed = 1;
  gint64 time = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ids[i] = memlane_trace_builder_intern (builder, names[i], -1);
  for (guint i = 0; i < n / 2; i++)
    {
      const gboolean is_kernel = i % 3 == 1;
      MemlaneTraceEvent call = { .start = time, .kind = MEMLANE_TRACE_CALL, .name = ids[is_kernel], .correlation = i + 1,
                                 .stream = 13 + i / 3 % 8, .flags = MEMLANE_TRACE_ASYNC, .bytes = 65536 };
      MemlaneTraceEvent operation = call;

      seed = seed * 1664525 + 1013904223;
      call.duration = 800 + (seed >> 16) % 1000;
      operation.start = time + 2000 + (seed >> 8) % 2000;
      operation.duration = 500 + (seed >> 12) % 3000;
      operation.kind = is_kernel ? MEMLANE_TRACE_KERNEL : MEMLANE_TRACE_COPY;
      operation.name = ids[2 + i % 3];
      operation.way = is_kernel ? MEMLANE_TRACE_WAY_NONE : i % 3 == 0 ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
      time += call.duration + (i % 1000 == 0 ? 50000 : 200);
      if (!memlane_trace_builder_add (builder, &call, NULL) || !memlane_trace_builder_add (builder, &operation, NULL))
        exit (1);
    }
  return memlane_trace_builder_finish (builder, NULL);
}

typedef struct
{
  double layouts[ROUNDS], draws[ROUNDS], frames[ROUNDS];
  guint spans;
} Times;

/* Takes @drawing, which its layout does not need. */
static MemlaneTimeline *
lay_out (MemlaneDrawing *drawing, const MemlaneStyle *style, PangoContext *context)
{
  MemlaneTimeline *timeline = drawing->klass->layout (drawing->content, style, WIDTH, HEIGHT, context);

  memlane_drawing_free (drawing);
  return timeline;
}

static void
measure (const char *what, const MemlaneTimelineTrack *tracks, guint n_tracks, PangoContext *context, const MemlaneStyle *style,
         double length, double step, MemlaneTimelineColours colours)
{
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  double end = (double) memlane_trace_get_end (tracks[0].trace), full = 1.03 * end;
  g_autofree char *label = NULL;
  Times times = { .spans = 0 };

  for (int i = 0; i < ROUNDS; i++)
    {
      double start = now (), middle;
      MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
      cairo_t *cr = cairo_create (picture);
      MemlaneTimeline *timeline;

      range.colours = colours;
      if (length < 1)
        {
          range.seen.from = 0.37 * end + i * step * length * full;
          range.seen.to = range.seen.from + length * full * (1 + 0.01 * i);
        }
      timeline = lay_out (memlane_timeline_drawing_new (tracks, n_tracks, &range), style, context);
      middle = now ();
      memlane_timeline_draw (timeline, cr);
      cairo_surface_flush (picture);
      times.layouts[i] = middle - start;
      times.draws[i] = now () - middle;
      times.frames[i] = now () - start;
      times.spans = MAX (times.spans, timeline->spans->len);
      memlane_timeline_free (timeline);
      cairo_destroy (cr);
    }
  label = g_strdup_printf ("%s, 1/%.0f of the trace", what, 1 / length);
  print_times (label, times.frames, ROUNDS);
  print_times ("  layout", times.layouts, ROUNDS);
  print_times ("  draw", times.draws, ROUNDS);
  g_print ("  %u spans at most\n", times.spans);
  cairo_surface_destroy (picture);
}

static void
measure_hover (const MemlaneTimelineTrack *tracks, PangoContext *context, const MemlaneStyle *style, double length)
{
  MemlaneTimelineRange range = MEMLANE_TIMELINE_FIT;
  double end = (double) memlane_trace_get_end (tracks[0].trace), hits[1000], overlays[1000];
  cairo_surface_t *layer = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  MemlaneTimeline *timeline;
  g_autofree char *label = NULL;
  guint n_hit = 0;

  if (length < 1)
    {
      range.seen.from = 0.37 * end;
      range.seen.to = range.seen.from + length * end;
    }
  timeline = lay_out (memlane_timeline_drawing_new (tracks, 1, &range), style, context);
  for (guint i = 0; i < 1000; i++)
    {
      MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;
      double start = now ();
      MemlaneTimelineHit hit;
      cairo_t *cr;

      overlay.pointer_x = 200 + i * 1.7;
      overlay.pointer_y = 100 + (i * 37) % 800;
      hit = memlane_timeline_hit (timeline, overlay.pointer_x, overlay.pointer_y);
      hits[i] = now () - start;
      if (hit.kind == MEMLANE_TIMELINE_HIT_EVENT)
        {
          overlay.hovered = (MemlaneTimelineEvent){ hit.track, hit.event };
          overlay.has_tooltip = TRUE;
          n_hit++;
        }
      cr = cairo_create (layer);
      cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
      cairo_paint (cr);
      cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
      memlane_timeline_draw_overlay (timeline, cr, &overlay);
      cairo_surface_flush (layer);
      cairo_destroy (cr);
      overlays[i] = now () - start;
    }
  label = g_strdup_printf ("hover, 1/%.0f of the trace, %u of 1000 hit", 1 / length, n_hit);
  print_times (label, overlays, G_N_ELEMENTS (overlays));
  print_times ("  hit test alone", hits, G_N_ELEMENTS (hits));
  memlane_timeline_free (timeline);
  cairo_surface_destroy (layer);
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000000;
  static const double lengths[] = { 1, 1 / 10.0, 1 / 100.0, 1 / 1000.0, 1 / 10000.0, 1 / 100000.0 };
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  g_autoptr (MemlaneTrace) trace = make_trace (n);
  const MemlaneTimelineTrack tracks[] = { { trace, "first" }, { trace, "second" } };

  pango_cairo_context_set_resolution (context, 96);
  g_print ("%u events\n", n);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    measure ("zoom and pan", tracks, 1, context, memlane_style_get (MEMLANE_STYLE_SCREEN), lengths[i], 0.13, MEMLANE_TIMELINE_BY_KIND);
  measure ("two traces", tracks, 2, context, memlane_style_get (MEMLANE_STYLE_DARK), 1, 0.13, MEMLANE_TIMELINE_BY_KIND);
  measure ("two traces", tracks, 2, context, memlane_style_get (MEMLANE_STYLE_DARK), 1 / 1000.0, 0.13, MEMLANE_TIMELINE_BY_KIND);
  measure ("by stream, projector", tracks, 1, context, memlane_style_get (MEMLANE_STYLE_PROJECTOR), 1 / 1000.0, 0.13,
           MEMLANE_TIMELINE_BY_STREAM);
  measure_hover (tracks, context, memlane_style_get (MEMLANE_STYLE_SCREEN), 1);
  measure_hover (tracks, context, memlane_style_get (MEMLANE_STYLE_SCREEN), 1 / 1000.0);
  measure_hover (tracks, context, memlane_style_get (MEMLANE_STYLE_SCREEN), 1 / 100000.0);
  g_object_unref (context);
  return 0;
}
