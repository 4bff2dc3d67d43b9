/* test-plot-form.c: families as lines in bands, their labels, what is revealed, in focus, and what the heading says
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/golden.h"
#include "ui/chart/stage.h"

#include "plot-check.h"
#include "base/each.h"

static MemlaneView
overview (void)
{
  MemlaneView view = MEMLANE_VIEW_FIT;

  view.form = MEMLANE_FORM_OVERVIEW;
  return view;
}

static guint
count_drawn (const MemlanePlot *plot)
{
  guint n = 0;

  for (guint i = 0; i < plot->series->len; i++)
    n += memlane_plot_series (plot, i)->drawn;
  return n;
}

/* The mode's index in the chart. */
static guint
find_mode (const MemlaneChart *chart, const char *mode)
{
  for (guint i = 0; i < chart->series->len; i++)
    if (g_str_equal (get_series (chart, i)->mode, mode))
      return i;
  g_assert_not_reached ();
}

static gboolean
has_text (const MemlanePlot *plot, guint role, const char *text)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, placed, plot->frame.texts)
    if (placed->role == role && g_str_has_prefix (pango_layout_get_text (placed->layout), text))
      return TRUE;
  return FALSE;
}

/* --- lines and bands --------------------------------------------------------------------------------------------------- */

/* By modes, and by families; the last step is in full, and nothing moves. */
static void
test_reveal (void)
{
  g_autoptr (MemlaneChart) chart = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE);
  MemlaneView view = overview ();
  g_autoptr (MemlanePlot) all = lay_out (chart, &view, MEMLANE_STYLE_PROJECTOR, 1280, 720);

  for (int n = 0; n <= (int) chart->series->len; n++)
    for (int by_family = 0; by_family <= 1; by_family++)
      {
        g_autoptr (MemlanePlot) some = NULL;
        guint drawn;

        view.revealed = n;
        view.by_family = by_family;
        some = lay_out (chart, &view, MEMLANE_STYLE_PROJECTOR, 1280, 720);
        drawn = count_drawn (some);
        g_assert_cmpfloat (some->frame.area.width, ==, all->frame.area.width);
        g_assert_cmpfloat (some->frame.area.height, ==, all->frame.area.height);
        g_assert_cmpuint (count_texts (some, MEMLANE_TEXT_LABEL), ==, drawn);
        for (guint i = 0; i < some->series->len; i++)
          {
            const MemlanePlottedSeries *plotted = memlane_plot_series (some, i);

            g_assert_cmpint (plotted->shown, ==, i < (guint) n);
            g_assert_true (plotted->shown || !plotted->drawn);
            if (plotted->drawn && n > 0 && get_series (chart, i)->family != get_series (chart, n - 1)->family)
              g_assert_true (plotted->early);
          }
        if (n > 0)
          g_assert_false (memlane_plot_series (some, n - 1)->early);
        check_plot (some);
      }
}

/* Few modes are shown one by one, under their own names. */
static void
test_few (void)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  static const char *const three[] = { "pinned", "portable", "mapped", NULL };
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  MemlaneView view = overview ();
  g_autoptr (MemlaneChart) chart = NULL;
  g_autoptr (MemlanePlot) plot = NULL, named = NULL;

  options.modes = three;
  chart = memlane_chart_build (&shown, 1, &options);
  plot = lay_out (chart, &view, MEMLANE_STYLE_PRINT, 321, 200); /* a column of 85 mm: no name is lost */
  g_assert_cmpuint (count_drawn (plot), ==, 3);
  g_assert_cmpuint (count_texts (plot, MEMLANE_TEXT_LABEL), ==, 3);
  g_assert_true (has_text (plot, MEMLANE_TEXT_LABEL, "Portable "));
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, plot->frame.texts)
    if (text->role == MEMLANE_TEXT_LABEL)
      g_assert_false (pango_layout_is_ellipsized (text->layout));
  view.title = "My own title";
  view.no_caption = TRUE;
  named = lay_out (chart, &view, MEMLANE_STYLE_PRINT, 640, 360);
  g_assert_true (has_text (named, MEMLANE_TEXT_TITLE, "My own title"));
  g_assert_cmpuint (count_texts (named, MEMLANE_TEXT_SUBTITLE), ==, 0);
  g_assert_cmpuint (count_texts (named, MEMLANE_TEXT_NOTE), ==, 0);
  check_plot (named);
}

/* A plot for each family but the baseline, all with the same scales, and nothing over anything else. */
static void
test_panels (void)
{
  g_autoptr (MemlaneChart) chart = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE);
  static const double sizes[][2] = { { 900, 560 }, { 1280, 720 }, { 1920, 1080 } };
  MemlaneView view = overview ();

  view.form = MEMLANE_FORM_FAMILIES;
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int style = 0; style < MEMLANE_N_STYLES; style++)
      {
        g_autoptr (MemlanePlot) plot = lay_out (chart, &view, (MemlaneStyleKind) style, sizes[s][0], sizes[s][1]);
        const MemlanePlot *first;
        g_autoptr (GArray) reading = memlane_plot_read (plot, 14);

        g_assert_true (memlane_plot_get_axes (plot).has_panels);
        g_assert_cmpuint (plot->panels->len, ==, MEMLANE_N_FAMILIES - 1);
        g_assert_cmpuint (reading->len, ==, chart->series->len);
        first = plot->panels->pdata[0];
        for (guint i = 0; i < plot->panels->len; i++)
          {
            const MemlanePlot *panel = plot->panels->pdata[i];
            MemlaneHit hit;

            g_assert_cmpfloat (panel->y.to, ==, first->y.to);
            g_assert_cmpfloat (panel->frame.area.height, ==, first->frame.area.height);
            check_inside (&plot->frame, &panel->place, "panel");
            for (guint j = 0; j < i; j++)
              check_apart (&plot->frame, &panel->place, &((const MemlanePlot *) plot->panels->pdata[j])->place, "panel", "panel");
            MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, panel->frame.texts)
              {
                double px = pango_font_description_get_size (pango_layout_get_font_description (text->layout))
                            / (double) PANGO_SCALE * 96 / 72;

                check_inside (&panel->frame, &text->area, pango_layout_get_text (text->layout));
                if (plot->frame.wall && s > 0)
                  g_assert_cmpfloat (px, >=, s == 1 ? 23.99 : 35.99);
              }
            MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, panel->points)
              g_assert_cmpint (get_series (chart, point->series)->family, ==, panel->panel);
            hit = memlane_plot_hit (plot, panel->place.x + g_array_index (panel->points, MemlanePlacedPoint, 0).x,
                                    panel->place.y + g_array_index (panel->points, MemlanePlacedPoint, 0).y);
            g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_POINT);
            g_assert_cmpint (get_series (chart, hit.series)->family, ==, panel->panel);
          }
        for (guint i = 0; i < plot->frame.texts->len; i++)
          check_apart (&plot->frame, &g_array_index (plot->frame.texts, MemlanePlacedText, i).area, &plot->frame.area, "a heading",
                       "the panels");
      }
}

/* --- truth ------------------------------------------------------------------------------------------------------------- */

/* Says which time is divided by which; shows what both runs have; a mode that was measured in another way says so on its curve. */
static void
test_ratio (void)
{
  g_autoptr (MemlaneRun) a = memlane_run_new ("a", "cuda:0", "cuda"), b = memlane_run_new ("b", "cuda:0", "cuda");
  MemlaneChartRun shown[] = { { a, "today" }, { b, "yesterday" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  MemlaneView view = overview ();
  g_autoptr (MemlaneChart) chart = NULL;
  g_autoptr (MemlanePlot) plot = NULL;

  for (guint size = 8; size <= 24; size++)
    {
      add_cell (a, "pinned", size, 1000, MEMLANE_STATUS_OK);
      if (size < 12 || size > 16)
        continue;
      add_cell (b, "pinned", size, 2000, MEMLANE_STATUS_OK);
      add_cell (a, "streams-depth-first", size, 1000, MEMLANE_STATUS_OK)->streams = 8;
      add_cell (b, "streams-depth-first", size, 500, MEMLANE_STATUS_OK)->streams = 4;
    }
  options.quantity = MEMLANE_QUANTITY_RATIO;
  options.first_log2 = 4;
  options.last_log2 = 28; /* a plan is no common size */
  chart = memlane_chart_build (shown, 2, &options);
  g_assert_cmpstr (chart->axis, ==, "Time of yesterday ÷ time of today");
  g_assert_cmpuint (chart->first_log2, ==, 12);
  g_assert_cmpuint (chart->last_log2, ==, 16);
  plot = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
  g_assert_true (has_text (plot, MEMLANE_TEXT_UNIT, "Time of yesterday ÷ time of today"));
  g_assert_true (has_text (plot, MEMLANE_TEXT_LABEL, "Pinned 2"));
  g_assert_true (has_text (plot, MEMLANE_TEXT_LABEL, get_series (chart, find_mode (chart, "streams-depth-first"))->label));
  g_assert_nonnull (strstr (get_series (chart, find_mode (chart, "streams-depth-first"))->label, "4 ×"));
  g_assert_null (strstr (chart->headline, "0.5")); /* what was measured in another way is not compared in words */
}

/* Figures of one process say so; what stays on the device leaves the scale in every run; the mark of the cache is where it is. */
static void
test_marks (void)
{
  g_autoptr (MemlaneRun) bare = memlane_run_new ("bare", "cuda:0", "cuda"), recorded = read_recorded ("h200-vector-add.csv");
  MemlaneChartRun shown = { bare, NULL }, other = { recorded, NULL };
  MemlaneView view = overview ();
  g_autoptr (MemlaneChart) chart = NULL, known = NULL;
  g_autoptr (MemlanePlot) plot = NULL;

  for (guint size = 10; size <= 24; size++)
    {
      add_cell (bare, "pinned", size, 1000 + exp2 (size), MEMLANE_STATUS_OK);
      add_cell (bare, "device-resident", size, 1000 + exp2 (size) / 40, MEMLANE_STATUS_OK);
    }
  chart = memlane_chart_build (&shown, 1, NULL);
  g_assert_null (chart->ceiling_label);
  g_assert_nonnull (strstr (chart->subtitle, "one process"));
  g_assert_true (isnan (chart->cache_elements));
  plot = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 640, 360);
  g_assert_true (memlane_plot_series (plot, find_mode (chart, "device-resident"))->leaves);
  g_assert_false (memlane_plot_series (plot, find_mode (chart, "pinned"))->leaves);
  known = memlane_chart_build (&other, 1, NULL);
  if (known->cache_label != NULL) /* three vectors of the addition fill it */
    g_assert_cmpfloat (known->cache_elements * 3 * sizeof (float), >, 1 << 20);
}

/* Names, values, bands and the heading are those of the first run. Others have the names of what it lacks. Each name stands
 * at the end of its own line. */
static void
test_named_run (void)
{
  g_autoptr (MemlaneRun) simulated = make_run ("short", 1), measured = memlane_run_new ("measured", "cuda:0", "cuda");
  MemlaneView view = overview ();

  for (guint size = 10; size <= 24; size++)
    add_cell (measured, "pinned", size, 1000 + exp2 (size), MEMLANE_STATUS_OK);
  for (guint first = 0; first < 2; first++)
    {
      MemlaneChartRun shown[] = { { first == 0 ? simulated : measured, "first" }, { first == 0 ? measured : simulated, "second" } };
      g_autoptr (MemlaneChart) chart = memlane_chart_build (shown, 2, NULL);
      g_autoptr (MemlanePlot) plot = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
      guint labels = 0;

      g_assert_true (g_str_has_prefix (chart->headline, "first: "));
      for (guint i = 0; i < plot->series->len; i++)
        {
          const MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
          gboolean own = plotted->nth_run == 0;

          g_assert_cmpint (own, ==, get_series (chart, i)->role == MEMLANE_SERIES_MEASURED);
          g_assert_cmpint (plotted->label != NULL, ==, own || !g_str_equal (get_series (chart, i)->mode, "pinned"));
          if (plotted->label == NULL)
            continue;
          labels++;
          g_assert_cmpint (strpbrk (pango_layout_get_text (plotted->label), "0123456789") != NULL, ==, own);
        }
      g_assert_cmpuint (plot->leaders->len, ==, labels);
      MEMLANE_FOR_EACH_IN (const MemlaneLeader, leader, plot->leaders)
        {
          const GArray *line = memlane_plot_series (plot, leader->series)->coordinates;

          g_assert_cmpfloat (fabs (leader->x0 - g_array_index (line, MemlaneCoordinate, line->len - 1).x), <, plot->frame.em);
        }
      check_plot (plot);
    }
}

/* While a sweep runs the axis has all its sizes and the lines do not: their names stay with them. */
static void
test_growing (void)
{
  g_autoptr (MemlaneRun) growing = memlane_run_new ("growing", "cuda:0", "cuda");
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  MemlaneView view = overview ();
  MemlaneChartRun shown = { growing, "growing" };
  double before = 0;

  options.first_log2 = 10;
  options.last_log2 = 24;
  for (guint last = 13; last <= 24; last++)
    {
      g_autoptr (MemlaneChart) chart = NULL;
      g_autoptr (MemlanePlot) plot = NULL;
      const MemlaneLeader *leader;

      for (guint size = last == 13 ? 10 : last; size <= last; size++)
        add_cell (growing, "pinned", size, 1000 + exp2 (size), MEMLANE_STATUS_OK);
      chart = memlane_chart_build (&shown, 1, &options);
      plot = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, 1280, 720);
      g_assert_cmpuint (plot->leaders->len, ==, 1);
      leader = &g_array_index (plot->leaders, MemlaneLeader, 0);
      g_assert_cmpfloat (leader->x1 - leader->x0, <, 4 * plot->frame.em);
      g_assert_cmpfloat (leader->x1, >, before);
      before = leader->x1;
      check_plot (plot);
    }
}

/* --- what follows the pointer ---------------------------------------------------------------------------------------------- */

/* Whether the overlay paints in the middle of @area. */
static gboolean
is_painted (cairo_surface_t *surface, const MemlaneRectangle *area)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = (int) ceil (area->y + 1.5); y < area->y + area->height - 1.5; y++)
    for (int x = (int) ceil (area->x + 1.5); x < area->x + area->width - 1.5; x++)
      if (((const guint32 *) (const void *) (data + (gsize) y * (gsize) stride))[x] != 0)
        return TRUE;
  return FALSE;
}

/* At every size, pointing at nothing, at the first curve and at the last one: no words around the axes are hidden. */
static void
check_overlay (const MemlanePlot *plot)
{
  guint series[] = { G_MAXUINT, 0, plot->chart->series->len - 1 };

  for (double log2 = plot->chart->first_log2; log2 <= plot->chart->last_log2; log2++)
    for (guint s = 0; s < G_N_ELEMENTS (series); s++)
      {
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) plot->frame.width, (int) plot->frame.height);
        cairo_t *cr = cairo_create (surface);

        memlane_plot_draw_overlay (plot, cr, log2, series[s]);
        cairo_destroy (cr);
        cairo_surface_flush (surface);
        g_assert_true (is_painted (surface, &plot->frame.area));
        MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, plot->frame.texts)
          {
            gboolean may_be = text->role == MEMLANE_TEXT_X_BYTES
                              || text->role == MEMLANE_TEXT_CEILING;

            if (!may_be && is_painted (surface, &text->area))
              {
                g_test_message ("%g x %g, 2^%g: “%s” is hidden", plot->frame.width, plot->frame.height, log2,
                                pango_layout_get_text (text->layout));
                g_test_fail ();
              }
          }
        cairo_surface_destroy (surface);
      }
}

/* Chinese names are shorter and higher: here the two lengths are enough. */
static void
test_reading (void)
{
  static const double sizes[][2] = { { 640, 360 }, { 1920, 1080 } };
  static const MemlaneStyleKind styles[] = { MEMLANE_STYLE_SCREEN, MEMLANE_STYLE_PROJECTOR };

  for (guint names = 0; names < 2; names++)
    for (guint quantity = 0; quantity < 2; quantity++)
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        for (guint k = 0; k < G_N_ELEMENTS (styles); k++)
          {
            g_autoptr (MemlaneChart) chart =
              chart_recorded (MEMLANE_PHASE_ELAPSED, quantity == 0 ? MEMLANE_QUANTITY_TIME : MEMLANE_QUANTITY_BANDWIDTH, quantity == 0);
            MemlaneView views[] = { overview (), MEMLANE_VIEW_FIT };

            for (guint i = 0; names == 1 && i < chart->series->len; i++)
              {
                MemlaneSeries *series = chart->series->pdata[i];

                g_free (series->label);
                series->label = g_strdup ("流");
              }
            for (guint v = 0; v < G_N_ELEMENTS (views); v++)
              {
                g_autoptr (MemlanePlot) plot = lay_out (chart, &views[v], styles[k], sizes[s][0], sizes[s][1]);

                check_overlay (plot);
              }
          }
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/plot-form/reveal", test_reveal);
  g_test_add_func ("/plot-form/few", test_few);
  g_test_add_func ("/plot-form/panels", test_panels);
  g_test_add_func ("/plot-form/ratio", test_ratio);
  g_test_add_func ("/plot-form/marks", test_marks);
  g_test_add_func ("/plot-form/named-run", test_named_run);
  g_test_add_func ("/plot-form/growing", test_growing);
  g_test_add_func ("/plot-form/reading", test_reading);
  return run_stage ();
}
