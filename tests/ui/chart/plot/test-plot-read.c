/* test-plot-read.c: what lies under the pointer, and readings
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/plot/plot-layout.h"
#include "ui/chart/golden.h"
#include "ui/chart/stage.h"

#include <string.h>

static const MemlaneView fit = MEMLANE_VIEW_FIT;

static const MemlanePlacedPoint *
get_placed (const MemlanePlot *plot, guint i)
{
  return &g_array_index (plot->points, MemlanePlacedPoint, i);
}

static void
test_hit_points (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_TIME);
  static const struct
  {
    MemlaneStyleKind style;
    double radius;
  } cases[] = { { MEMLANE_STYLE_SCREEN, 8 }, { MEMLANE_STYLE_PROJECTOR, 16 }, { MEMLANE_STYLE_PROJECTOR_DARK, 16 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, cases[c].style, 1280, 720);
      const GArray *points = plot->points;

      for (guint i = 0; i < points->len; i++)
        {
          const MemlanePlacedPoint *point = get_placed (plot, i);
          const MemlaneChartPoint *data = get_point (get_series (chart, point->series), point->point);
          MemlaneHit hit = memlane_plot_hit (plot, point->x, point->y);

          g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_POINT);
          g_assert_cmpuint (hit.log2_elements, ==, data->log2_elements);
          /* Another one may lie in the same place, never a farther one. */
          if (hit.series != point->series)
            {
              const MemlaneChartPoint *other = get_point (get_series (chart, hit.series), hit.point);

              g_assert_cmpfloat_with_epsilon (memlane_scale_map (memlane_plot_get_axes (plot).y, other->value),
                                              memlane_scale_map (memlane_plot_get_axes (plot).y, data->value), 1e-6);
            }
        }
      /* The slowest cell at the largest size stands alone. */
      {
        const MemlanePlacedPoint *top = get_placed (plot, points->len - 1);
        MemlaneHit hit;

        for (guint i = 0; i < points->len; i++)
          if (get_placed (plot, i)->y < top->y)
            top = get_placed (plot, i);
        hit = memlane_plot_hit (plot, top->x - cases[c].radius + 0.5, top->y);
        g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_POINT);
        g_assert_cmpuint (hit.series, ==, top->series);
        hit = memlane_plot_hit (plot, top->x - cases[c].radius - 0.5, top->y);
        g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_AREA);
        g_assert_cmpuint (hit.series, ==, G_MAXUINT);
        g_assert_cmpuint (hit.log2_elements, ==, 18);
      }
    }
}

static void
test_hit_places (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH);
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 1280, 720);
  const MemlaneRectangle *area = memlane_plot_get_axes (plot).area;
  const GArray *legend = plot->frame.targets;
  MemlaneHit hit;

  g_assert_cmpuint (legend->len, ==, 2 + 4); /* two runs, and the labels of the first one's modes */
  for (guint i = 0; i < legend->len; i++)
    {
      const MemlaneTarget *entry = &g_array_index (legend, MemlaneTarget, i);

      hit = memlane_plot_hit (plot, entry->area.x + entry->area.width / 2, entry->area.y + entry->area.height / 2);
      g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_LEGEND);
      g_assert_cmpuint (hit.series, ==, entry->item);
      g_assert_cmpint (hit.family, ==, i < 2);
      g_assert_cmpuint (hit.point, ==, G_MAXUINT);
    }
  hit = memlane_plot_hit (plot, 2, 2);
  g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_NOTHING);
  hit = memlane_plot_hit (plot, area->x + 3, area->y + 3);
  g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_AREA);
  g_assert_cmpuint (hit.log2_elements, ==, 10);
}

static void
test_hit_nothing (void)
{
  g_autoptr (MemlaneChart) chart = chart_empty ();
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);
  MemlaneHit hit = memlane_plot_hit (plot, 320, 180);

  g_assert_cmpint (hit.kind, ==, MEMLANE_HIT_AREA);
  g_assert_cmpuint (hit.log2_elements, ==, G_MAXUINT);
}

static void
check_order (const MemlaneChart *chart, gboolean rising)
{
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 640, 360);

  for (guint size = 10; size <= 18; size++)
    {
      g_autoptr (GArray) entries = memlane_plot_read (plot, size);
      double before = NAN;

      g_assert_cmpuint (entries->len, >=, 3);
      for (guint i = 0; i < entries->len; i++)
        {
          const MemlaneReadingEntry *entry = &g_array_index (entries, MemlaneReadingEntry, i);
          const MemlaneChartPoint *point = get_point (get_series (chart, entry->series), entry->point);

          g_assert_cmpuint (point->log2_elements, ==, size);
          if (i > 0)
            g_assert_true (rising ? point->value >= before : point->value <= before);
          before = point->value;
        }
    }
}

static void
test_order (void)
{
  g_autoptr (MemlaneChart) bandwidth = chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH), time = chart_invented (2, MEMLANE_QUANTITY_TIME);
  g_autoptr (MemlaneChart) ratio = chart_invented (2, MEMLANE_QUANTITY_RATIO);

  check_order (bandwidth, FALSE);
  check_order (time, TRUE);
  check_order (ratio, FALSE);
}

static void
test_words (void)
{
  g_autoptr (MemlaneChart) bandwidth = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH), time = chart_invented (1, MEMLANE_QUANTITY_TIME);
  g_autoptr (MemlaneChart) ratio = chart_invented (2, MEMLANE_QUANTITY_RATIO), recorded = NULL;
  const MemlaneChart *charts[] = { bandwidth, time, ratio, NULL };
  g_autoptr (GString) text = g_string_new (NULL);

  charts[3] = recorded = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (MemlanePlot) plot = lay_out (charts[i], &fit, MEMLANE_STYLE_SCREEN, 640, 360);

      for (guint size = 10; size <= 22; size += 4)
        {
          g_autofree char *reading = memlane_plot_format_reading (plot, size);

          g_string_append_printf (text, "%s\n", reading);
        }
    }
  assert_golden ("plot-readings.txt", text->str);
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/plot-read/hit/points", test_hit_points);
  g_test_add_func ("/plot-read/hit/places", test_hit_places);
  g_test_add_func ("/plot-read/hit/nothing", test_hit_nothing);
  g_test_add_func ("/plot-read/order", test_order);
  g_test_add_func ("/plot-read/words", test_words);
  return run_stage ();
}
