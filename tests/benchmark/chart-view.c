/* chart-view.c: what a chart costs in the window: layout, drawing, overlay, a moving pointer, a whole frame
 *
 * SPDX-License-Identifier: MIT
 *
 * 20 curves x 19 sizes with interval bands at 1920x1080. Needs a display of that size (exit status 77 without one); prints medians in
 * milliseconds of processor time. No limit is checked: a busy machine must not fail. The issue asks for 8 ms for the figure and 2 ms for
 * the overlay.
 */
#include "curves/chart-view.h"
#include "frames.h"
#include "ui/figure-test.h"

#define MODES 20
#define FIRST 10
#define LAST 28

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
        statistics.low = statistics.q1 = statistics.min = time * 0.93;
        statistics.high = statistics.q3 = statistics.max = time * 1.06;
        cell->status = (mode + size) % 7 == 0 ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK;
        memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 3 * cell->bytes, cell->status, NULL);
        g_ptr_array_add (run->cells, cell);
      }
  return run;
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

static void
measure_layers (MemlaneChartView *view, cairo_t *cr)
{
  const MemlaneRectangle area = *memlane_plot_get_axes (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view))).area;
  GtkEventController *motion = find_motion (GTK_WIDGET (view));
  double layout[ROUNDS], drawing[ROUNDS], pointer[ROUNDS], overlay[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      double x = area.x + area.width * i / ROUNDS, y = area.y + area.height * (0.2 + 0.6 * i / ROUNDS);
      double start = now ();

      memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (view));
      memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
      layout[i] = now () - start;
      start = now ();
      memlane_plot_draw (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)), cr);
      drawing[i] = now () - start;
      start = now ();
      g_signal_emit_by_name (motion, "motion", x, y);
      pointer[i] = now () - start;
      start = now ();
      paint_layer (GTK_WIDGET (view), figure_test_layer (view, -1), cr);
      overlay[i] = now () - start;
    }
  print_times ("layout", layout, ROUNDS);
  print_times ("drawing alone", drawing, ROUNDS);
  print_times ("pointer moves: hit test and reading", pointer, ROUNDS);
  print_times ("overlay: recorded and drawn", overlay, ROUNDS);
}

static void
redraw (MemlaneFigureWidget *view, guint round)
{
  memlane_figure_widget_invalidate (view);
}

static void
point (MemlaneFigureWidget *view, guint round)
{
  const MemlaneRectangle *area = memlane_plot_get_axes (memlane_figure_widget_get_layout (view)).area;

  g_signal_emit_by_name (find_motion (GTK_WIDGET (view)), "motion", area->x + area->width * (round * 37 % ROUNDS) / ROUNDS,
                         area->y + 5 + round % 3);
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
  GtkWidget *window;
  cairo_t *cr;

  if (!open_display ())
    return 77;
  chart = memlane_chart_build (&shown, 1, &options);
  view = g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL);
  memlane_chart_view_set_chart (view, chart);
  window = open_window (GTK_WIDGET (view));
  g_print ("%u curves x %u sizes\n", chart->series->len, LAST - FIRST + 1);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cr = cairo_create (surface);
  measure_layers (view, cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  measure_redraws (MEMLANE_FIGURE_WIDGET (view), redraw, "frame with a new figure (main thread)",
                   measure_bare_frames ("GTK alone, new pixels: frame (main thread)"));
  measure_frames (MEMLANE_FIGURE_WIDGET (view), point, "frame with a moved pointer (main thread)");
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
