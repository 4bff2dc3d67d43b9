/* timeline-view.c: what a timeline of a million events costs in the window: zooming, panning, a moving pointer, a whole frame
 *
 * SPDX-License-Identifier: MIT
 *
 * timeline-view [EVENTS]  at 1920x1080. Needs a display of that size (exit status 77 without one); prints medians in milliseconds of
 * processor time. No limit is checked: a busy machine must not fail. The issue asks for 8 ms a frame for zoom and pan, and 2 ms for the
 * pointer.
 */
#include <adwaita.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "timeline/timeline-view.h"
#include "trace/builder.h"
#include "ui/figure-test.h"

#define WIDTH 1920
#define HEIGHT 1080
#define ROUNDS 101

/* Calls, and what they issue: copies up, kernels, copies down on eight streams. */
static MemlaneTrace *
make_trace (guint n)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  const char *const names[] = { "cudaMemcpyAsync", "cudaLaunchKernel", "[CUDA memcpy HtoD]", "add", "[CUDA memcpy DtoH]" };
  guint32 ids[G_N_ELEMENTS (names)];

  info->device_name = g_strdup ("NVIDIA H200");
  info->mode = g_strdup ("streams-depth-first");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ids[i] = memlane_trace_builder_intern (builder, names[i], -1);
  for (guint i = 0; i < n / 2; i++)
    {
      const gboolean is_kernel = i % 3 == 1;
      const MemlaneTraceEvent call = {
        .start = (gint64) i * 2000, .duration = 1800, .kind = MEMLANE_TRACE_CALL, .name = ids[is_kernel], .correlation = i + 1,
        .stream = 13 + i % 8, .flags = MEMLANE_TRACE_ASYNC, .bytes = 65536,
      };
      const MemlaneTraceEvent operation = {
        .start = (gint64) i * 2000 + 4321, .duration = 1999, .correlation = i + 1, .stream = 13 + i % 8, .bytes = 65536,
        .kind = is_kernel ? MEMLANE_TRACE_KERNEL : MEMLANE_TRACE_COPY, .name = ids[2 + i % 3],
        .way = is_kernel ? MEMLANE_TRACE_WAY_NONE : i % 3 == 0 ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST,
        .source = i % 3 == 0 ? MEMLANE_TRACE_MEMORY_PINNED : MEMLANE_TRACE_MEMORY_DEVICE,
        .destination = i % 3 == 2 ? MEMLANE_TRACE_MEMORY_PINNED : MEMLANE_TRACE_MEMORY_DEVICE,
      };

      if (!memlane_trace_builder_add (builder, &call, NULL) || !memlane_trace_builder_add (builder, &operation, NULL))
        g_error ("no memory for %u events", n);
    }
  return memlane_trace_builder_finish (builder, NULL);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
report (const char *what, double *milliseconds, guint n)
{
  qsort (milliseconds, n, sizeof (double), compare);
  g_print ("%-52s median %6.2f ms, worst %6.2f ms\n", what, milliseconds[n / 2], milliseconds[n - 1]);
}

/* Microseconds of processor time of this thread: what other processes do in between is not ours. */
static gint64
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static double
since (gint64 start)
{
  return (now () - start) / 1000.0;
}

static gboolean
over_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static GtkEventController *
find_motion (GtkWidget *view)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (view);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        return controller;
    }
  return NULL;
}

typedef void (*Change) (MemlaneTimelineView *view, guint round);

/* What is ours of a frame: the change, the layout, the pixels. What GTK and GL do with 8 MiB of them depends on the display. */
static void
measure_pixels (MemlaneTimelineView *view, Change change, const char *what)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  double milliseconds[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 start = now ();

      change (view, i);
      memlane_timeline_draw (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)), cr);
      milliseconds[i] = since (start);
    }
  report (what, milliseconds, ROUNDS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

typedef struct
{
  gint64 start;
  double milliseconds[ROUNDS];
  guint n;
} Frames;

static void
before_paint_cb (GdkFrameClock *clock, Frames *frames)
{
  frames->start = now ();
}

static void
after_paint_cb (GdkFrameClock *clock, Frames *frames)
{
  if (frames->start != 0 && frames->n < ROUNDS)
    frames->milliseconds[frames->n++] = since (frames->start);
  frames->start = 0;
}

static void
zoom (MemlaneTimelineView *view, guint round)
{
  const MemlaneRectangle *area = memlane_timeline_get_area (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)));

  /* in by a notch at a time until it is as near as it gets, and again */
  if (round % 50 == 0)
    memlane_timeline_view_set_range (view, NAN, NAN);
  figure_test_zoom (view, area->x + area->width * 0.37, 0, 1 / 1.25);
}

static void
pan (MemlaneTimelineView *view, guint round)
{
  double from, to, moved;

  memlane_timeline_get_range (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)), &from, &to);
  moved = (to - from) * (round / 50 % 2 ? -0.03 : 0.03);
  memlane_timeline_view_set_range (view, from + moved, to + moved);
}

static void
redraw (MemlaneTimelineView *view, guint round)
{
  memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (view));
}

static void
point (MemlaneTimelineView *view, guint round)
{
  const MemlaneRectangle *area = memlane_timeline_get_area (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)));

  g_signal_emit_by_name (find_motion (GTK_WIDGET (view)), "motion", area->x + area->width * (round * 37 % ROUNDS) / ROUNDS,
                         area->y + area->height * (round * 53 % ROUNDS) / ROUNDS);
}

static void
measure_span (MemlaneTimelineView *view, double from, double to)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
  double y = memlane_timeline_get_area (timeline)->y + 1, x = memlane_timeline_x_of (timeline, from);
  MemlaneFigureWidgetClass *klass = MEMLANE_FIGURE_WIDGET_GET_CLASS (view);

  klass->band_begin (MEMLANE_FIGURE_WIDGET (view), x, y);
  klass->band_move (MEMLANE_FIGURE_WIDGET (view), memlane_timeline_x_of (timeline, to), y);
  klass->band_end (MEMLANE_FIGURE_WIDGET (view), TRUE);
}

/* The change itself, and the frame of the real window that follows: everything between two ticks of its clock. */
static void
measure (MemlaneTimelineView *view, Change change, const char *what)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (view));
  double milliseconds[ROUNDS];
  Frames frames = { 0 };
  gboolean over = FALSE;
  guint watchdog = g_timeout_add_seconds (60, over_cb, &over);

  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &frames);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &frames);
  for (guint i = 0; frames.n < ROUNDS && !over; i++)
    {
      guint n = frames.n;
      gint64 start = now ();
      double changed;

      change (view, i);
      changed = since (start);
      memlane_figure_widget_redraw_overlay (MEMLANE_FIGURE_WIDGET (view));
      while (frames.n == n && !over)
        g_main_context_iteration (NULL, TRUE);
      if (frames.n > n)
        milliseconds[n] = frames.milliseconds[n] + changed;
    }
  g_signal_handlers_disconnect_by_data (clock, &frames);
  if (frames.n > 0)
    report (what, milliseconds, frames.n);
  if (!over)
    g_source_remove (watchdog);
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000000;
  g_autoptr(MemlaneTrace) trace = NULL;
  MemlaneTimelineView *view;
  gboolean settled = FALSE;
  GtkWidget *window;
  gint64 start;
  double end;

  if (!gtk_init_check ())
    {
      g_print ("no display: run it under xvfb-run -a -s \"-screen 0 1920x1080x24 -noreset\"\n");
      return 77;
    }
  adw_init ();
  trace = make_trace (n);
  end = memlane_trace_get_end (trace);
  view = MEMLANE_TIMELINE_VIEW (memlane_timeline_view_new ());
  window = gtk_window_new ();
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (view));
  gtk_widget_set_size_request (GTK_WIDGET (view), WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window));
  start = now ();
  memlane_timeline_view_set_traces (view, trace, NULL, NULL);
  g_print ("set_traces: %.1f ms\n", since (start));
  g_timeout_add (500, over_cb, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);

  g_print ("%u events at %dx%d, renderer %s\n", n, gtk_widget_get_width (GTK_WIDGET (view)), gtk_widget_get_height (GTK_WIDGET (view)),
           G_OBJECT_TYPE_NAME (gtk_native_get_renderer (GTK_NATIVE (window))));
  measure (view, point, "pointer, all seen: hit, reading, frame");
  measure_pixels (view, zoom, "zoom from all to 10 ns: layout, pixels");
  measure (view, zoom, "zoom from all to 10 ns: whole frame");
  memlane_timeline_view_set_range (view, end * 0.2, end * 0.7);
  measure_pixels (view, pan, "pan, half of it seen: layout, pixels");
  measure (view, pan, "pan, half of it seen: whole frame");
  memlane_timeline_view_set_range (view, end * 0.5, end * 0.5 + 1e5);
  measure_pixels (view, pan, "pan, 100 us seen: layout, pixels");
  measure (view, pan, "pan, 100 us seen: whole frame");
  measure (view, point, "pointer, 100 us seen: hit, reading, frame");
  memlane_timeline_view_set_range (view, NAN, NAN);
  start = now ();
  measure_span (view, end * 0.1, end * 0.9);
  g_print ("%-52s        %6.2f ms\n", "a span over 80 % of it, summed up", since (start));
  measure (view, point, "pointer, with that span: hit, reading, frame");
  gtk_widget_activate_action (GTK_WIDGET (view), "timeline.let-go", NULL);
  memlane_timeline_view_set_traces (view, trace, trace, NULL);
  measure_pixels (view, zoom, "zoom of two traces: layout, pixels");
  measure (view, zoom, "zoom of two traces: whole frame");
  /* What GTK takes to show 1920x1080 new pixels, whatever is on them. */
  memlane_timeline_view_set_traces (view, NULL, NULL, NULL);
  measure_pixels (view, redraw, "nothing to show: layout, pixels");
  measure (view, redraw, "nothing to show: whole frame");
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
