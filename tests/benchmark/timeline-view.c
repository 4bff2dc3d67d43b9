/* timeline-view.c: what a timeline of a million events costs in the window: zooming, panning, a moving pointer, a whole frame
 *
 * SPDX-License-Identifier: MIT
 *
 * timeline-view [EVENTS]  at 1920x1080. Needs a display of that size (exit status 77 without one); prints medians in milliseconds of
 * processor time. No limit is checked: a busy machine must not fail. The issue asks for 8 ms a frame for zoom and pan, and 2 ms for the
 * pointer.
 */
#include <math.h>

#include "frames.h"
#include "many-events.h"
#include "timeline/timeline-view.h"
#include "trace/builder.h"
#include "ui/figure-test.h"

/* What is ours of a frame: the change, the layout, the pixels. What GTK and GL do with 8 MiB of them depends on the display. */
static void
measure_pixels (MemlaneFigureWidget *view, Change change, const char *what)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  double milliseconds[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      double start = now ();

      change (view, i);
      memlane_timeline_draw (memlane_figure_widget_get_layout (view), cr);
      milliseconds[i] = now () - start;
    }
  print_times (what, milliseconds, ROUNDS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
zoom (MemlaneFigureWidget *view, guint round)
{
  const MemlaneRectangle *area = memlane_timeline_get_sight (memlane_figure_widget_get_layout (view)).area;

  /* in by a notch at a time until it is as near as it gets, and again */
  if (round % 50 == 0)
    memlane_timeline_view_set_range (MEMLANE_TIMELINE_VIEW (view), NAN, NAN);
  figure_test_zoom (MEMLANE_TIMELINE_VIEW (view), area->x + area->width * 0.37, 0, 1 / 1.25);
}

static void
pan (MemlaneFigureWidget *view, guint round)
{
  double from, to, moved;

  from = memlane_timeline_get_sight (memlane_figure_widget_get_layout (view)).seen.from;
  to = memlane_timeline_get_sight (memlane_figure_widget_get_layout (view)).seen.to;
  moved = (to - from) * (round / 50 % 2 ? -0.03 : 0.03);
  memlane_timeline_view_set_range (MEMLANE_TIMELINE_VIEW (view), from + moved, to + moved);
}

static void
redraw (MemlaneFigureWidget *view, guint round)
{
  memlane_figure_widget_invalidate (view);
}

static void
point (MemlaneFigureWidget *view, guint round)
{
  const MemlaneRectangle *area = memlane_timeline_get_sight (memlane_figure_widget_get_layout (view)).area;

  g_signal_emit_by_name (find_motion (GTK_WIDGET (view)), "motion", area->x + area->width * (round * 37 % ROUNDS) / ROUNDS,
                         area->y + area->height * (round * 53 % ROUNDS) / ROUNDS);
}

static void
measure_span (MemlaneTimelineView *view, double from, double to)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
  double y = memlane_timeline_get_sight (timeline).area->y + 1, x = memlane_timeline_x_of (timeline, from);
  MemlaneFigureWidgetClass *klass = MEMLANE_FIGURE_WIDGET_GET_CLASS (view);

  klass->band_begin (MEMLANE_FIGURE_WIDGET (view), x, y);
  klass->band_move (MEMLANE_FIGURE_WIDGET (view), memlane_timeline_x_of (timeline, to), y);
  klass->band_end (MEMLANE_FIGURE_WIDGET (view), TRUE);
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000000;
  g_autoptr(MemlaneTrace) trace = NULL;
  MemlaneTimelineView *view;
  MemlaneFigureWidget *figure;
  GtkWidget *window;
  double start;
  double end;
  double bare;

  if (!open_display ())
    return 77;
  bare = measure_bare_frames ("GTK alone, new pixels: whole frame");
  trace = make_trace (n);
  end = memlane_trace_get_end (trace);
  view = g_object_new (MEMLANE_TYPE_TIMELINE_VIEW, NULL);
  figure = MEMLANE_FIGURE_WIDGET (view);
  start = now ();
  memlane_timeline_view_set_traces (view, trace, NULL, NULL, NULL);
  g_print ("set_traces: %.1f ms\n", now () - start);
  window = open_window (GTK_WIDGET (figure));
  g_print ("%u events\n", n);
  measure_frames (figure, point, "pointer, all seen: hit, reading, frame");
  measure_pixels (figure, zoom, "zoom from all to 10 ns: layout, pixels");
  measure_redraws (figure, zoom, "zoom from all to 10 ns: whole frame", bare);
  memlane_timeline_view_set_range (view, end * 0.2, end * 0.7);
  measure_pixels (figure, pan, "pan, half of it seen: layout, pixels");
  measure_redraws (figure, pan, "pan, half of it seen: whole frame", bare);
  memlane_timeline_view_set_range (view, end * 0.5, end * 0.5 + 1e5);
  measure_pixels (figure, pan, "pan, 100 us seen: layout, pixels");
  measure_redraws (figure, pan, "pan, 100 us seen: whole frame", bare);
  measure_frames (figure, point, "pointer, 100 us seen: hit, reading, frame");
  memlane_timeline_view_set_range (view, NAN, NAN);
  start = now ();
  measure_span (view, end * 0.1, end * 0.9);
  g_print ("%-52s        %6.2f ms\n", "a span over 80 % of it, summed up", now () - start);
  measure_frames (figure, point, "pointer, with that span: hit, reading, frame");
  gtk_widget_activate_action (GTK_WIDGET (view), "timeline.let-go", NULL);
  memlane_timeline_view_set_traces (view, trace, trace, NULL, NULL);
  measure_pixels (figure, zoom, "zoom of two traces: layout, pixels");
  measure_redraws (figure, zoom, "zoom of two traces: whole frame", bare);
  memlane_timeline_view_set_traces (view, NULL, NULL, NULL, NULL);
  measure_pixels (figure, redraw, "nothing to show: layout, pixels");
  measure_redraws (figure, redraw, "nothing to show: whole frame", bare);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
