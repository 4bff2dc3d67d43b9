/* draw.c: what a figure costs: layout, full redraw, overlay, export
 *
 * SPDX-License-Identifier: MIT
 *
 * 20 curves x 19 sizes with interval bands at 1920x1080, on one thread and an image surface. Medians, in milliseconds of
 * processor time; no limit is checked here: a busy machine must not fail.
 */
#include "chart/export.h"
#include "chart/plot/plot.h"
#include "mode/mode.h"
#include "times.h"

#define WIDTH 1920
#define HEIGHT 1080
#define ROUNDS 60

/* All modes over 2^4..2^22, every third size noisy. */
static MemlaneRun *
make_run (void)
{
  MemlaneRun *run = memlane_run_new ("benchmark", "cuda:0", "cuda");
  const MemlaneMode *modes;
  guint n;

  modes = memlane_mode_list (&n);
  for (guint i = 0; i < MIN (n, 20); i++)
    for (guint p = 4; p <= 22; p++)
      {
        MemlaneCell *cell = memlane_cell_new ("vector-add", modes[i].id, p);
        double time = 3000 + 700 * i + 12.0 * (1 << p) / (8 + 3 * i) * (1 + 0.06 * ((p * 7 + i * 3) % 5));
        MemlaneStatistics statistics = { 10, time, time * 0.93, time * 1.07, time * 0.9, time * 0.95, time * 1.05, time * 1.2 };

        memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 3 * cell->bytes,
                                 p % 3 == 0 ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK, NULL);
        g_ptr_array_add (run->cells, cell);
      }
  return run;
}

static PangoContext *
make_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());

  pango_cairo_context_set_resolution (context, 96);
  return context;
}

static void
measure_screen (MemlaneChart *chart, const char *style_name, MemlaneForm form)
{
  const MemlaneStyle *style = memlane_style_find (style_name);
  MemlaneView view = MEMLANE_VIEW_FIT;
  PangoContext *context = make_context ();
  cairo_surface_t *figure = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_surface_t *layer = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  double layouts[ROUNDS], draws[ROUNDS], overlays[ROUNDS], hits[ROUNDS];

  g_print ("%s, %s, %u curves:\n", style_name, form == MEMLANE_FORM_FAMILIES ? "families" : "overview", chart->series->len);
  view.form = form;
  for (int i = 0; i < ROUNDS; i++)
    {
      double start = now ();
      g_autoptr (MemlaneDrawing) drawing = NULL;
      g_autoptr (MemlanePlot) plot = NULL;
      cairo_t *cr = cairo_create (figure);

      view.x.from = 4 + i / 60.0; /* zooming in */
      drawing = memlane_plot_drawing_new (chart, &view);
      plot = drawing->klass->layout (drawing->content, style, WIDTH, HEIGHT, context);
      layouts[i] = now () - start;
      start = now ();
      memlane_plot_draw (plot, cr);
      cairo_surface_flush (figure);
      draws[i] = now () - start;
      cairo_destroy (cr);

      start = now ();
      cr = cairo_create (layer);
      cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
      cairo_paint (cr);
      cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
      memlane_plot_draw_overlay (plot, cr, 4 + i % 19, i % 20);
      cairo_surface_flush (layer);
      overlays[i] = now () - start;
      cairo_destroy (cr);

      start = now ();
      for (int x = 0; x < 1000; x++)
        memlane_plot_hit (plot, x * WIDTH / 1000.0, HEIGHT / 2);
      hits[i] = now () - start;
    }
  print_times ("  layout", layouts, ROUNDS);
  print_times ("  full redraw", draws, ROUNDS);
  print_times ("  overlay, layer cleared", overlays, ROUNDS);
  print_times ("  1000 hit tests", hits, ROUNDS);
  cairo_surface_destroy (figure);
  cairo_surface_destroy (layer);
  g_object_unref (context);
}

static void
measure_export (MemlaneChart *chart, const char *name, const MemlaneExportFormat *format)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_plot_drawing_new (chart, NULL);
  double times[9];
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      double start = now ();
      g_autoptr (GBytes) bytes =
        memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_PRINT), format, WIDTH, HEIGHT, 1, NULL);

      times[i] = now () - start;
      length = bytes != NULL ? g_bytes_get_size (bytes) : 0;
    }
  print_times (name, times, G_N_ELEMENTS (times));
  g_print ("%-48s %zu KiB\n", "", length / 1024);
}

int
main (void)
{
  g_autoptr (MemlaneRun) run = make_run ();
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr (MemlaneChart) chart = NULL;
  double builds[ROUNDS];

  for (int i = 0; i < ROUNDS; i++)
    {
      double start = now ();

      g_clear_pointer (&chart, memlane_chart_unref);
      chart = memlane_chart_build (&shown, 1, &options);
      builds[i] = now () - start;
    }
  print_times ("chart from a run", builds, ROUNDS);
  measure_screen (chart, "screen", MEMLANE_FORM_OVERVIEW);
  measure_screen (chart, "projector-dark", MEMLANE_FORM_OVERVIEW);
  measure_screen (chart, "screen", MEMLANE_FORM_FAMILIES);
  measure_export (chart, "SVG", memlane_export_find (".svg"));
  measure_export (chart, "PNG", memlane_export_find (".png"));
  measure_export (chart, "PDF", memlane_export_find (".pdf"));
  return 0;
}
