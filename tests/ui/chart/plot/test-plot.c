/* test-plot.c: what stands where in a figure
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/golden.h"
#include "ui/chart/stage.h"

#include "plot-check.h"
#include "chart/plot/plot-layout.h"
#include "base/each.h"

static const MemlaneView fit = MEMLANE_VIEW_FIT;

/* --- layout -------------------------------------------------------------------------------------------------------- */

/* --- what is seen ---------------------------------------------------------------------------------------------------- */

static void
test_gaps (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);

  for (guint i = 0; i < chart->series->len; i++)
    {
      const GArray *coordinates = memlane_plot_series (plot, i)->coordinates;
      gboolean pinned = g_str_equal (memlane_plot_chart_series (plot, i)->mode, "pinned");

      g_assert_cmpuint (coordinates->len, ==, pinned ? 8 : 9);
      for (guint j = 0; j < coordinates->len; j++)
        {
          const MemlaneCoordinate *here = &g_array_index (coordinates, MemlaneCoordinate, j);

          /* 2^14 is missing: 2^15, the fifth of the pinned ones, begins anew. */
          g_assert_cmpint (here->joined, ==, j > 0 && !(pinned && j == 4));
          g_assert_cmpint (here->hollow, ==, pinned && j >= 6);
        }
    }
}

/* Sizes that nobody measured are no gap. */
static void
test_sparse (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("sparse", "cuda:0", "cuda");
  MemlaneChartRun shown = { run, NULL };
  g_autoptr (MemlaneChart) chart = NULL;
  g_autoptr (MemlanePlot) plot = NULL;

  add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (run, "pinned", 14, 2000, MEMLANE_STATUS_OK);
  chart = memlane_chart_build (&shown, 1, NULL);
  plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);
  g_assert_true (g_array_index (memlane_plot_series (plot, 0)->coordinates, MemlaneCoordinate, 1).joined);
}

/* How dark the drawing is, on white. */
static guint64
count_ink (const MemlanePlot *plot)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 640, 360);
  cairo_t *cr = cairo_create (surface);
  const guchar *pixels;
  guint64 ink = 0;

  memlane_plot_draw (plot, cr);
  cairo_surface_flush (surface);
  pixels = cairo_image_surface_get_data (surface);
  for (gsize i = 0; i < (gsize) 360 * cairo_image_surface_get_stride (surface); i++)
    ink += i % 4 < 3 ? 255 - pixels[i] : 0;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return ink;
}

/* The line towards a point that no recording bears out is thinner. */
static void
test_extrapolated (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("small", "simulated:x", "simulated");
  MemlaneChartRun shown = { run, NULL };
  g_autoptr (MemlaneChart) chart = NULL;
  g_autoptr (MemlanePlot) plot = NULL;
  MemlaneCell *cell;
  guint64 thin;

  add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (run, "pinned", 11, 2000, MEMLANE_STATUS_OK);
  add_cell (run, "pinned", 12, 3000, MEMLANE_STATUS_OK);
  cell = run->cells->pdata[2];
  ((MemlaneFigure *) cell->figures->pdata[0])->detail = g_strdup (MEMLANE_EXTRAPOLATED ": not recorded at this size");
  chart = memlane_chart_build (&shown, 1, NULL);
  plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (g_array_index (memlane_plot_series (plot, 0)->coordinates, MemlaneCoordinate, i).thin, ==, i == 2);
  thin = count_ink (plot);
  g_array_index (memlane_plot_series (plot, 0)->coordinates, MemlaneCoordinate, 2).thin = FALSE;
  g_assert_cmpuint (thin, <, count_ink (plot));
}

static void
test_ceilings (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  double top = 0;

  for (guint i = 0; i < chart->series->len; i++)
    for (guint j = 0; j < get_series (chart, i)->points->len; j++)
      top = MAX (top, get_point (get_series (chart, i), j)->value);
  chart->ceiling_label = g_strdup ("the roof");
  /* At a fifth of the ceiling it is in sight, below that it is not. */
  for (int near = 0; near <= 1; near++)
    {
      g_autoptr (MemlanePlot) plot = NULL;

      chart->ceiling = top / (near ? 0.21 : 0.19);
      plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);
      g_assert_cmpint (!isnan (plot->ceiling_y), ==, near);
      g_assert_cmpuint (count_texts (plot, MEMLANE_TEXT_CEILING), ==, near);
      g_assert_cmpint (plot->y.to >= chart->ceiling, ==, near);
    }
}

/* Labels that say what a line reaches beyond the top. */
static guint
count_leaving (const MemlanePlot *plot)
{
  guint n = 0;

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, plot->frame.texts)
    n += text->role == MEMLANE_TEXT_LABEL
        && g_str_has_suffix (pango_layout_get_text (text->layout), " ↑");
  return n;
}

/* What never crosses the link does not press flat what does: it runs out at the top, and words say what it reaches. */
static void
test_leaving (void)
{
  g_autoptr (MemlaneChart) chart = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE);
  g_autoptr (MemlaneChart) logarithm = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, TRUE);
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_autoptr (MemlanePlot) on_log = lay_out (logarithm, &fit, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_autoptr (MemlanePlot) isolated = NULL, faded = NULL, alone = NULL, small = NULL;
  g_autoptr (GPtrArray) hidden = g_ptr_array_new ();
  g_autoptr (GArray) reading = memlane_plot_read (plot, 20);
  MemlaneView view = MEMLANE_VIEW_FIT;
  const MemlaneSeries *fast = NULL, *slow = NULL;

  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = get_series (chart, i);

      if (g_str_equal (series->mode, "device-resident"))
        fast = series;
      else
        g_ptr_array_add (hidden, series->mode);
      if (g_str_equal (series->mode, "pageable"))
        slow = series;
      g_assert_cmpint (memlane_plot_series (plot, i)->leaves, ==, series == fast);
    }
  g_assert_cmpuint (count_leaving (plot), ==, 1);
  g_assert_cmpfloat (plot->y.to, <=, 100e9);
  g_assert_cmpuint (g_array_index (reading, MemlaneReadingEntry, 0).series, ==, chart->series->len - 1); /* it is read like any other */
  g_assert_cmpuint (count_leaving (on_log), ==, 0);
  g_assert_cmpfloat (on_log->y.to, >, 500e9);

  view.isolated = fast->id;
  isolated = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_assert_cmpfloat (isolated->y.to, >, 500e9);
  view.isolated = slow->id;
  faded = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_assert_cmpfloat (faded->y.to, ==, plot->y.to);
  view.isolated = NULL;
  g_ptr_array_add (hidden, NULL);
  view.hidden = (const char *const *) hidden->pdata;
  alone = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_assert_cmpfloat (alone->y.to, >, 500e9);
  small = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 200, 150);
  g_assert_cmpuint (count_leaving (small), <=, 1);
  check_plot (plot);
  check_plot (small);
}

static void
test_zoom (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  MemlaneView view = MEMLANE_VIEW_FIT;
  g_autoptr (MemlanePlot) whole = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 640, 360);
  g_autoptr (MemlanePlot) part = NULL, high = NULL;

  view.x.from = 10.5;
  view.x.to = 13.5;
  part = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 640, 360);
  g_assert_cmpuint (whole->points->len, ==, 4 * 9 - 1);
  g_assert_cmpuint (part->points->len, ==, 4 * 3);
  g_assert_cmpfloat_with_epsilon (log2 (memlane_plot_get_axes (part).x->from), 10.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (log2 (memlane_plot_get_axes (part).x->to), 13.5, 1e-9);
  /* The values follow what is seen. */
  g_assert_cmpfloat (part->y.to, <, whole->y.to);
  check_plot (part);
  view.y.from = 1e9;
  view.y.to = 2e9;
  high = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 640, 360);
  g_assert_cmpfloat (high->y.from, ==, 1e9);
  g_assert_cmpfloat (high->y.to, ==, 2e9);
  check_plot (high);
}

static void
test_reveal_and_hide (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH);
  const char *const hidden[] = { get_series (chart, 0)->mode, NULL };
  MemlaneView view = MEMLANE_VIEW_FIT;
  g_autoptr (MemlanePlot) all = lay_out (chart, &view, MEMLANE_STYLE_PROJECTOR, 1280, 720);
  MemlaneRectangle area = *memlane_plot_get_axes (all).area;

  g_assert_cmpuint (chart->series->len, ==, 8);
  g_assert_cmpuint (all->frame.targets->len, ==, 4 + 2); /* a label for each mode, a row for each run */
  for (int n = 0; n <= 5; n++)
    {
      g_autoptr (MemlanePlot) some = NULL;
      g_autoptr (GArray) reading = NULL;

      view.revealed = n;
      some = lay_out (chart, &view, MEMLANE_STYLE_PROJECTOR, 1280, 720);
      reading = memlane_plot_read (some, 12);
      /* Each curve brings the overlay of its mode, and nothing moves. */
      g_assert_cmpuint (some->frame.targets->len, ==, MIN (n, 4) + 2);
      g_assert_cmpuint (reading->len, ==, 2 * MIN (n, 4));
      g_assert_cmpmem (&area, sizeof area, memlane_plot_get_axes (some).area, sizeof area);
      g_assert_cmpfloat (some->y.to, ==, all->y.to);
    }
  view.revealed = -1;
  view.hidden = hidden;
  {
    g_autoptr (MemlanePlot) some = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);

    g_assert_cmpuint (some->frame.targets->len, ==, 3 + 2);
    MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, some->points)
      {
        g_assert_cmpuint (point->series, !=, 0);
        g_assert_cmpuint (point->series, !=, 4); /* the same mode of the other run */
      }
  }
  for (int n = 1; n <= 3; n++)
    {
      g_autoptr (MemlanePlot) some = NULL;

      view.revealed = n;
      some = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
      g_assert_cmpuint (some->frame.targets->len, ==, n + 2);
    }
  view.revealed = -1;
  view.isolated = get_series (chart, 2)->id;
  {
    g_autoptr (MemlanePlot) one = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);

    for (guint i = 0; i < chart->series->len; i++)
      g_assert_cmpint (memlane_plot_series (one, i)->faded, ==, i != 2);
  }
  /* A mode in all runs; a run with all its modes. */
  for (int whole_run = 0; whole_run <= 1; whole_run++)
    {
      g_autoptr (MemlanePlot) some = NULL;

      view.isolated = whole_run ? get_series (chart, 6)->run : get_series (chart, 2)->mode;
      some = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
      for (guint i = 0; i < chart->series->len; i++)
        g_assert_cmpint (memlane_plot_series (some, i)->faded, ==, whole_run ? i < 4 : i % 4 != 2);
    }
  view.isolated = get_series (chart, 0)->id; /* switched off: nothing to isolate */
  {
    g_autoptr (MemlanePlot) none = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);

    for (guint i = 0; i < chart->series->len; i++)
      g_assert_false (memlane_plot_series (none, i)->faded);
  }
}

/* --- odd input --------------------------------------------------------------------------------------------------------- */

static void
draw (const MemlanePlot *plot)
{
  int width = (int) MIN (plot->frame.width, 400), height = (int) MIN (plot->frame.height, 300);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);

  memlane_plot_draw (plot, cr);
  memlane_plot_draw_overlay (plot, cr, 14, 1);
  memlane_plot_draw_band (plot, cr, -1e6, 10, 1e6, 50);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_odd_views (void)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 0, -5, 1e-300, 1e300, 12, 12.0000001, 64, 1e9 };
  MemlaneChart *charts[] = { chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH),
                             chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_TIME, TRUE), chart_empty () };

  for (int round = 0; round < 400; round++)
    {
      MemlaneView view = MEMLANE_VIEW_FIT;
      const MemlaneChart *chart = charts[round % G_N_ELEMENTS (charts)];
      g_autoptr (MemlanePlot) plot = NULL;
      g_autofree char *reading = NULL;

      view.x.from = odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
      view.x.to = odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
      view.y.from = odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
      view.y.to = odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
      view.revealed = g_test_rand_int_range (-2, 6);
      view.isolated = round % 2 ? "first/pinned" : "nobody";
      plot = lay_out (chart, &view, (MemlaneStyleKind) (round % MEMLANE_N_STYLES), g_test_rand_double_range (0, 400),
                      g_test_rand_double_range (0, 300));
      g_assert_cmpfloat (plot->x.from, <, plot->x.to);
      g_assert_cmpfloat (plot->y.from, <, plot->y.to);
      if (round % 4 == 0)
        draw (plot);
      memlane_plot_hit (plot, NAN, 5);
      reading = memlane_plot_format_reading (plot, (guint) g_test_rand_int_range (0, 80));
      g_assert_true (g_utf8_validate (reading, -1, NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    g_clear_pointer (&charts[i], memlane_chart_unref);
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/plot/gaps", test_gaps);
  g_test_add_func ("/plot/sparse", test_sparse);
  g_test_add_func ("/plot/ceilings", test_ceilings);
  g_test_add_func ("/plot/leaving", test_leaving);
  g_test_add_func ("/plot/extrapolated", test_extrapolated);
  g_test_add_func ("/plot/zoom", test_zoom);
  g_test_add_func ("/plot/reveal-and-hide", test_reveal_and_hide);
  g_test_add_func ("/plot/odd-views", test_odd_views);
  return run_stage ();
}
