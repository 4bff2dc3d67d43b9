/* chart-view.c: what a chart costs in the window: figure layer, overlay, a moving pointer, a whole frame
 *
 * SPDX-License-Identifier: MIT
 *
 * 20 curves x 19 sizes with interval bands at 1920x1080. Needs a display of that size (exit status 77 without one); prints medians in
 * milliseconds of processor time. No limit is checked: a busy machine must not fail. The issue asks for 8 ms for the figure and 2 ms for
 * the overlay.
 */
#include <adwaita.h>
#include <math.h>
#include <time.h>

#include "curves/chart-view.h"
#include "ui/figure-test.h"

#define WIDTH 1920
#define HEIGHT 1080
#define MODES 20
#define FIRST 10
#define LAST 28
#define ROUNDS 101

static MemlaneRun *
make_run (void)
{
  MemlaneRun *run = memlane_run_new ("20261121T101400Z-benchmark", "simulated:h200", "simulated");

  for (guint mode = 0; mode < MODES; mode++)
    for (guint size = FIRST; size <= LAST; size++)
      {
        g_autofree char *id = g_strdup_printf ("mode-%u", mode);
        MemlaneCell *cell = memlane_cell_new ("vector-add", id, size);
        MemlaneStatistics statistics = { 9, 0, 0, 0, 0, 0, 0, 0 };
        double time;

        cell->elements = G_GUINT64_CONSTANT (1) << size;
        cell->bytes = cell->elements * sizeof (float);
        time = 5000 + 200.0 * mode + 3 * cell->bytes / (2e9 * (mode + 5)) * 1e9;
        statistics.median = time;
        statistics.ci95_low = statistics.q1 = statistics.min = time * 0.93;
        statistics.ci95_high = statistics.q3 = statistics.max = time * 1.06;
        cell->status = (mode + size) % 7 == 0 ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK;
        memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 3 * cell->bytes, cell->status, NULL);
        g_ptr_array_add (run->cells, cell);
      }
  return run;
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
  g_print ("%-44s median %6.2f ms, worst %6.2f ms\n", what, milliseconds[n / 2], milliseconds[n - 1]);
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

/* Snapshot of one layer and its pixels, as the Cairo renderer makes them. */
static void
paint_layer (GtkWidget *view, GtkWidget *layer, cairo_t *cr)
{
  g_autoptr(GtkSnapshot) snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  gtk_widget_snapshot_child (view, layer, snapshot);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  if (node == NULL)
    return;
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
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

static void
measure_layers (MemlaneChartView *view, cairo_t *cr)
{
  const MemlaneRectangle area = *memlane_plot_get_area (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)));
  GtkEventController *motion = find_motion (GTK_WIDGET (view));
  double layout[ROUNDS], drawing[ROUNDS], figure[ROUNDS], pointer[ROUNDS], overlay[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      double x = area.x + area.width * i / ROUNDS, y = area.y + area.height * (0.2 + 0.6 * i / ROUNDS);
      gint64 start = now ();

      memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (view));
      memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
      layout[i] = since (start);
      start = now ();
      memlane_plot_draw (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)), cr);
      drawing[i] = since (start);
      start = now ();
      paint_layer (GTK_WIDGET (view), figure_test_layer (view, 0), cr);
      figure[i] = since (start);
      start = now ();
      g_signal_emit_by_name (motion, "motion", x, y);
      pointer[i] = since (start);
      start = now ();
      paint_layer (GTK_WIDGET (view), figure_test_layer (view, -1), cr);
      overlay[i] = since (start);
    }
  report ("layout", layout, ROUNDS);
  report ("drawing alone", drawing, ROUNDS);
  report ("figure layer: pixels and texture", figure, ROUNDS);
  report ("pointer moves: hit test and reading", pointer, ROUNDS);
  report ("overlay: recorded and drawn", overlay, ROUNDS);
}

/* Frames of the real window: everything between two ticks of its clock. */
static void
measure_frames (MemlaneChartView *view, gboolean whole, const char *what)
{
  const MemlaneRectangle area = *memlane_plot_get_area (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (view));
  GtkEventController *motion = find_motion (GTK_WIDGET (view));
  Frames frames = { 0 };
  gboolean over = FALSE;
  guint watchdog = g_timeout_add_seconds (30, over_cb, &over);

  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &frames);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &frames);
  for (guint i = 0; frames.n < ROUNDS && !over; i++)
    {
      guint n = frames.n;

      if (whole)
        memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (view));
      else
        g_signal_emit_by_name (motion, "motion", area.x + area.width * (i * 37 % ROUNDS) / ROUNDS, area.y + 5 + i % 3);
      memlane_figure_widget_redraw_overlay (MEMLANE_FIGURE_WIDGET (view));
      while (frames.n == n && !over)
        g_main_context_iteration (NULL, TRUE);
    }
  g_signal_handlers_disconnect_by_data (clock, &frames);
  if (frames.n > 0)
    report (what, frames.milliseconds, frames.n);
  if (!over)
    g_source_remove (watchdog);
}

int
main (int argc, char **argv)
{
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneRun) run = make_run ();
  g_autoptr(MemlaneChart) chart = NULL;
  MemlaneChartRun shown = { run, "benchmark" };
  MemlaneChartView *view;
  cairo_surface_t *surface;
  gboolean settled = FALSE;
  GtkWidget *window;
  cairo_t *cr;

  if (!gtk_init_check ())
    {
      g_print ("no display: run it under xvfb-run -a -s \"-screen 0 1920x1080x24 -noreset\"\n");
      return 77;
    }
  adw_init ();
  chart = memlane_chart_build (&shown, 1, &options);
  view = MEMLANE_CHART_VIEW (memlane_chart_view_new ());
  memlane_chart_view_set_chart (view, chart);
  window = gtk_window_new ();
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (view));
  gtk_widget_set_size_request (GTK_WIDGET (view), WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window));
  g_timeout_add (500, over_cb, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);

  g_print ("%u curves x %u sizes at %dx%d, renderer %s\n", chart->series->len, LAST - FIRST + 1, gtk_widget_get_width (GTK_WIDGET (view)),
           gtk_widget_get_height (GTK_WIDGET (view)), G_OBJECT_TYPE_NAME (gtk_native_get_renderer (GTK_NATIVE (window))));
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cr = cairo_create (surface);
  measure_layers (view, cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  measure_frames (view, TRUE, "frame with a new figure (main thread)");
  measure_frames (view, FALSE, "frame with a moved pointer (main thread)");
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
