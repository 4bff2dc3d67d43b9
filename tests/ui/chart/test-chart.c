/* test-chart.c: runs become curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "chart/chart.h"

#include <string.h>

#include "sample-cells.h"
#include "engine/set-environment.h"

static MemlaneRun *
new_run (const char *id)
{
  return memlane_run_new (id, "cuda:0", "cuda");
}

/* --- points ------------------------------------------------------------------------------------------------------------------ */

static void
test_clocks (void)
{
  g_autoptr(MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 10);
  MemlaneFigure *device;

  g_assert_null (memlane_chart_choose_figure (cell, MEMLANE_PHASE_UPLOAD));
  add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_ISSUE, 1, 1, 1, 8, MEMLANE_STATUS_OK);
  g_assert_cmpint (memlane_chart_choose_figure (cell, MEMLANE_PHASE_UPLOAD)->clock, ==, MEMLANE_CLOCK_ISSUE);
  add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST, 3, 3, 3, 8, MEMLANE_STATUS_OK);
  g_assert_cmpint (memlane_chart_choose_figure (cell, MEMLANE_PHASE_UPLOAD)->clock, ==, MEMLANE_CLOCK_HOST);
  device = add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, 2, 2, 2, 8, MEMLANE_STATUS_OK);
  g_assert_cmpint (memlane_chart_choose_figure (cell, MEMLANE_PHASE_UPLOAD)->clock, ==, MEMLANE_CLOCK_DEVICE);
  device->statistics.count = 0; /* never measured */
  g_assert_cmpint (memlane_chart_choose_figure (cell, MEMLANE_PHASE_UPLOAD)->clock, ==, MEMLANE_CLOCK_HOST);

  add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_ISSUE, 1, 1, 1, 8, MEMLANE_STATUS_OK);
  add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_DEVICE, 2, 2, 2, 8, MEMLANE_STATUS_OK);
  g_assert_null (memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED));
  add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 3, 3, 3, 8, MEMLANE_STATUS_OK);
  g_assert_cmpint (memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED)->clock, ==, MEMLANE_CLOCK_HOST);
}

static void
test_points (void)
{
  g_autoptr(MemlaneRun) run = new_run ("one");
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneChart) bandwidth = NULL, time = NULL;
  const MemlaneSeries *pinned, *pageable;

  add_cell (run, "pinned", 12, 2000, MEMLANE_STATUS_OK);
  add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_NOISY);
  add_cell (run, "pinned", 10, 77, MEMLANE_STATUS_OK); /* the first of two counts */
  add_cell (run, "pinned", 11, 0, MEMLANE_STATUS_TIMEOUT);
  add_cell (run, "pinned", 13, 0, MEMLANE_STATUS_OUT_OF_MEMORY);
  add_cell (run, "pageable", 10, 3000, MEMLANE_STATUS_OK);
  add_cell (run, "managed", 10, 0, MEMLANE_STATUS_UNSUPPORTED);
  g_ptr_array_add (run->cells, memlane_cell_new ("copy-to-host", "pinned", 25)); /* of another workload */

  bandwidth = memlane_chart_build (&shown, 1, &options);
  check_chart (bandwidth);
  g_assert_cmpuint (bandwidth->series->len, ==, 2);
  g_assert_cmpuint (bandwidth->modes_missing, ==, 1);
  g_assert_cmpuint (bandwidth->first_log2, ==, 10);
  g_assert_cmpuint (bandwidth->last_log2, ==, 13);
  g_assert_cmpint (bandwidth->unit, ==, MEMLANE_UNIT_BANDWIDTH);
  g_assert_cmpint (bandwidth->value_scale, ==, MEMLANE_SCALE_LINEAR);
  pageable = get_series (bandwidth, 0);
  pinned = get_series (bandwidth, 1);
  g_assert_cmpstr (pageable->id, ==, "one/pageable");
  g_assert_cmpstr (pageable->label, ==, "Pageable");
  g_assert_cmpstr (pinned->mode, ==, "pinned");
  g_assert_cmpuint (pinned->missing, ==, 2);
  g_assert_cmpuint (pinned->points->len, ==, 2);
  g_assert_true (get_point (pinned, 0)->noisy);
  g_assert_false (get_point (pinned, 1)->noisy);
  /* 3 x 4 x 1024 bytes in a microsecond; the slow end of the interval is the low one. */
  g_assert_cmpfloat_with_epsilon (get_point (pinned, 0)->value, 12288e6, 1);
  g_assert_cmpfloat_with_epsilon (get_point (pinned, 0)->low, 12288e6 / 1.1, 1);
  g_assert_cmpfloat_with_epsilon (get_point (pinned, 0)->high, 12288e6 / 0.9, 1);
  g_assert_cmpfloat (get_point (pinned, 0)->elements, ==, 1024);
  g_assert_cmpfloat (get_point (pinned, 0)->bytes, ==, 4096);
  g_assert_true (get_point (pinned, 0)->cell == run->cells->pdata[1]);

  options.quantity = MEMLANE_QUANTITY_TIME;
  options.axis = TRUE;
  options.first_log2 = 8;
  options.last_log2 = 12;
  time = memlane_chart_build (&shown, 1, &options);
  check_chart (time);
  g_assert_cmpint (time->value_scale, ==, MEMLANE_SCALE_LOG10);
  g_assert_cmpint (time->unit, ==, MEMLANE_UNIT_TIME);
  g_assert_cmpuint (time->first_log2, ==, 8);
  g_assert_cmpuint (time->last_log2, ==, 13);
  g_assert_cmpfloat (get_point (get_series (time, 1), 1)->value, ==, 2000);
  g_assert_cmpfloat (get_point (get_series (time, 1), 1)->low, ==, 1800);
}

/* A chart outlives its runs. */
static void
test_lifetime (void)
{
  MemlaneRun *run = new_run ("one");
  MemlaneChartRun shown = { run, NULL };
  MemlaneChart *chart;
  const MemlaneChartPoint *point;

  add_cell (run, "pinned", 12, 2000, MEMLANE_STATUS_OK);
  chart = memlane_chart_build (&shown, 1, NULL);
  memlane_run_unref (run);
  g_assert_true (memlane_chart_ref (chart) == chart);
  memlane_chart_unref (chart);
  point = get_point (get_series (chart, 0), 0);
  g_assert_cmpstr (point->cell->mode, ==, "pinned");
  g_assert_cmpfloat (point->figure->statistics.median, ==, 2000);
  check_chart (chart);
  memlane_chart_unref (chart);
}

/* Medians that no clock should give. */
static void
test_odd_times (void)
{
  static const double medians[] = { NAN, 0, -5, INFINITY, 1e-320, 1e308 };
  static const double intervals[][2] = { { NAN, NAN }, { 0, 0 }, { 5, -5 }, { -INFINITY, INFINITY }, { 1e9, 1e-9 } };
  g_autoptr(MemlaneRun) run = new_run ("odd");
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  for (guint i = 0; i < G_N_ELEMENTS (medians); i++)
    add_cell (run, "pinned", 10 + i, medians[i], MEMLANE_STATUS_OK);
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
    {
      MemlaneCell *cell = memlane_cell_new ("vector-add", "mapped", 10 + i);

      add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 1000, intervals[i][0], intervals[i][1], 4096, MEMLANE_STATUS_OK);
      g_ptr_array_add (run->cells, cell);
    }
  for (int quantity = MEMLANE_QUANTITY_BANDWIDTH; quantity <= MEMLANE_QUANTITY_TIME; quantity++)
    {
      g_autoptr(MemlaneChart) chart = NULL;

      options.quantity = (MemlaneQuantity) quantity;
      chart = memlane_chart_build (&shown, 1, &options);
      check_chart (chart);
      g_assert_cmpuint (get_series (chart, chart->series->len - 1)->points->len, ==, G_N_ELEMENTS (intervals));
    }
}

/* --- several runs ------------------------------------------------------------------------------------------------------------ */

static void
test_overlays (void)
{
  g_autoptr(MemlaneRun) a = new_run ("a"), b = new_run ("b");
  MemlaneChartRun shown[] = { { a, "today" }, { b, NULL }, { b, "again" } };
  g_autoptr(MemlaneChart) chart = NULL, filtered = NULL;
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  const char *const modes[] = { "mapped", "unheard-of", NULL };

  add_cell (a, "unheard-of", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "mapped", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "pageable", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (b, "pageable", 20, 1000, MEMLANE_STATUS_OK);
  chart = memlane_chart_build (shown, 3, &options);
  check_chart (chart);
  g_assert_cmpuint (chart->series->len, ==, 5);
  g_assert_cmpstr (get_series (chart, 0)->label, ==, "Pageable");
  g_assert_cmpstr (get_series (chart, 0)->source, ==, "today");
  g_assert_cmpstr (get_series (chart, 1)->id, ==, "a/mapped");
  g_assert_cmpstr (get_series (chart, 2)->label, ==, "unheard-of");
  g_assert_cmpint (get_series (chart, 2)->role, ==, MEMLANE_SERIES_MEASURED);
  g_assert_cmpstr (get_series (chart, 3)->label, ==, "Pageable · b");
  g_assert_cmpstr (get_series (chart, 3)->source, ==, "b");
  g_assert_cmpstr (get_series (chart, 3)->id, ==, "b/pageable");
  g_assert_cmpint (get_series (chart, 3)->role, ==, MEMLANE_SERIES_OVERLAY);
  g_assert_cmpstr (get_series (chart, 4)->id, ==, "b~2/pageable");
  g_assert_cmpuint (chart->first_log2, ==, 10);
  g_assert_cmpuint (chart->last_log2, ==, 20);
  g_assert_cmpstr (chart->title, ==, "Vector addition · total time · bandwidth");

  options.modes = modes;
  filtered = memlane_chart_build (shown, 3, &options);
  check_chart (filtered);
  g_assert_cmpuint (filtered->series->len, ==, 2);
  g_assert_cmpstr (get_series (filtered, 0)->mode, ==, "mapped");
}

static void
test_ratio (void)
{
  g_autoptr(MemlaneRun) a = new_run ("a"), b = new_run ("b");
  MemlaneChartRun shown[] = { { a, "old" }, { b, "new" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneChart) chart = NULL;
  const MemlaneSeries *series;
  g_autofree char *words = NULL;

  add_cell (a, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "pinned", 11, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "pinned", 12, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "mapped", 12, 1000, MEMLANE_STATUS_OK);
  add_cell (b, "pinned", 10, 1250, MEMLANE_STATUS_NOISY);
  add_cell (b, "pinned", 12, 500, MEMLANE_STATUS_OK);
  add_cell (b, "pinned", 13, 500, MEMLANE_STATUS_OK);
  add_cell (b, "pinned", 14, 0, MEMLANE_STATUS_ERROR);
  options.quantity = MEMLANE_QUANTITY_RATIO;
  chart = memlane_chart_build (shown, 2, &options);
  check_chart (chart);
  g_assert_cmpint (chart->unit, ==, MEMLANE_UNIT_RATIO);
  g_assert_cmpint (chart->value_scale, ==, MEMLANE_SCALE_LOG10);
  g_assert_cmpstr (chart->title, ==, "Vector addition · total time · time of new over old");
  g_assert_null (chart->ceiling_label);
  g_assert_cmpuint (chart->series->len, ==, 1);
  series = get_series (chart, 0);
  g_assert_cmpstr (series->id, ==, "a/pinned");
  g_assert_cmpstr (series->label, ==, "Pinned");
  g_assert_cmpuint (series->missing, ==, 1);
  g_assert_cmpuint (series->points->len, ==, 2);
  g_assert_cmpfloat_with_epsilon (get_point (series, 0)->value, 1.25, 1e-12);
  g_assert_cmpfloat_with_epsilon (get_point (series, 0)->low, 1.25 * 0.9 / 1.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (get_point (series, 0)->high, 1.25 * 1.1 / 0.9, 1e-12);
  g_assert_true (get_point (series, 0)->noisy);
  g_assert_cmpfloat_with_epsilon (get_point (series, 1)->value, 0.5, 1e-12);
  g_assert_false (get_point (series, 1)->noisy);
  words = memlane_chart_describe (chart);
  g_assert_cmpstr (words, ==, "Vector addition, total time, time of new over old. cuda:0. 1 curve over 2 vector sizes from 4 KiB to 16 "
                              "KiB. Pinned is 0.500× at 16 KiB. 1 measurement is noisy. 1 measurement failed and has no point.");
}

/* --- what stands around the curves ------------------------------------------------------------------------------------------- */

static MemlanePublishedFigure *
new_published (const char *source, const char *device, const char *workload, const char *mode, guint log2_elements, MemlanePhase phase,
               double value)
{
  MemlanePublishedFigure *figure = g_new0 (MemlanePublishedFigure, 1);

  figure->source = g_strdup (source);
  figure->device = g_strdup (device);
  figure->workload = g_strdup (workload);
  figure->mode = g_strdup (mode);
  figure->log2_elements = log2_elements;
  figure->phase = phase;
  figure->clock = MEMLANE_CLOCK_HOST;
  figure->value_ns = value;
  figure->bytes = 4ull << log2_elements;
  return figure;
}

static void
free_published (gpointer data)
{
  MemlanePublishedFigure *figure = data;

  g_free (figure->source);
  g_free (figure->device);
  g_free (figure->workload);
  g_free (figure->mode);
  g_free (figure->note);
  g_free (figure);
}

static void
test_published (void)
{
  g_autoptr(MemlanePublished) published = g_new0 (MemlanePublished, 1);
  g_autoptr(MemlaneRun) run = new_run ("one");
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneChart) chart = NULL, alone = NULL, unknown = NULL;
  MemlaneCell *cell = add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);

  published->figures = g_ptr_array_new_with_free_func (free_published);
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "vector-add", "pinned", 12, MEMLANE_PHASE_ELAPSED, 4000));
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "vector-add", "pageable", 10, MEMLANE_PHASE_ELAPSED, 3000));
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "vector-add", "pinned", 10, MEMLANE_PHASE_ELAPSED, 2000));
  g_ptr_array_add (published->figures, new_published ("y", "", "vector-add", "pinned", 10, MEMLANE_PHASE_ELAPSED, 5000));
  g_ptr_array_add (published->figures, new_published ("x", "other GPU", "vector-add", "pinned", 10, MEMLANE_PHASE_ELAPSED, 6000));
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "vector-add", "pinned", 10, MEMLANE_PHASE_KERNEL, 1));
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "fill", "pinned", 10, MEMLANE_PHASE_ELAPSED, 1));
  g_ptr_array_add (published->figures, new_published ("x", "GPU", "vector-add", "pinned", 11, MEMLANE_PHASE_ELAPSED, NAN));
  options.published = published;
  chart = memlane_chart_build (&shown, 1, &options);
  check_chart (chart);
  g_assert_cmpuint (chart->series->len, ==, 5);
  g_assert_cmpstr (get_series (chart, 1)->id, ==, "published/x/pageable");
  g_assert_cmpstr (get_series (chart, 2)->id, ==, "published/x/pinned");
  g_assert_cmpstr (get_series (chart, 2)->label, ==, "Pinned · GPU");
  g_assert_cmpint (get_series (chart, 2)->role, ==, MEMLANE_SERIES_PUBLISHED);
  g_assert_cmpuint (get_series (chart, 2)->points->len, ==, 2);
  g_assert_cmpstr (get_series (chart, 3)->label, ==, "Pinned · y");
  g_assert_cmpstr (get_series (chart, 4)->id, ==, "published/x~2/pinned");
  g_assert_cmpstr (get_series (chart, 4)->label, ==, "Pinned · other GPU");
  /* Three vectors of 4 KiB, as the run counts them. */
  g_assert_cmpfloat_with_epsilon (get_point (get_series (chart, 2), 0)->value, 12288e9 / 2000, 1);

  /* Nobody says how many bytes a sample moves: no bandwidth, but times. */
  alone = memlane_chart_build (NULL, 0, &options);
  check_chart (alone);
  g_assert_cmpuint (alone->series->len, ==, 0);
  cell->reuse = 8;
  unknown = memlane_chart_build (&shown, 1, &options);
  g_assert_cmpuint (unknown->series->len, ==, 1);
  options.quantity = MEMLANE_QUANTITY_TIME;
  options.workload = "vector-add";
  {
    g_autoptr(MemlaneChart) times = memlane_chart_build (NULL, 0, &options);

    check_chart (times);
    g_assert_cmpuint (times->series->len, ==, 4);
    g_assert_cmpuint (times->first_log2, ==, 10);
    g_assert_cmpuint (times->last_log2, ==, 12);
    g_assert_cmpfloat (get_point (get_series (times, 1), 1)->value, ==, 4000);
  }
}

/* Times of unlike methods are divided, but the curve says so. */
static void
test_unlike (void)
{
  g_autoptr(MemlaneRun) a = new_run ("a"), b = new_run ("b");
  MemlaneChartRun shown[] = { { a, "old" }, { b, "new" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneChart) chart = NULL;
  MemlaneCell *first = add_cell (a, "streams-depth-first", 12, 1000, MEMLANE_STATUS_OK), *second;

  add_cell (a, "pinned", 12, 1000, MEMLANE_STATUS_OK);
  add_cell (b, "pinned", 12, 1000, MEMLANE_STATUS_OK);
  add_cell (a, "mapped", 12, 1000, MEMLANE_STATUS_OK)->reuse = 1;
  add_cell (b, "mapped", 12, 1000, MEMLANE_STATUS_OK)->reuse = 4;
  second = add_cell (b, "streams-depth-first", 12, 500, MEMLANE_STATUS_OK);
  first->streams = first->chunks = 8;
  second->streams = 4;
  second->chunks = 16;
  options.quantity = MEMLANE_QUANTITY_RATIO;
  chart = memlane_chart_build (shown, 2, &options);
  check_chart (chart);
  g_assert_cmpuint (chart->series->len, ==, 3);
  g_assert_cmpstr (get_series (chart, 0)->label, ==, "Pinned");
  g_assert_null (get_series (chart, 0)->unlike);
  g_assert_cmpstr (get_series (chart, 1)->label, ==, "Mapped (zero-copy) · reuse 4 over 1");
  g_assert_cmpstr (get_series (chart, 2)->label, ==, "Streams (depth-first) · 4 × 16 over 8 × 8");
}

/* A figure of more than one use, or of streams that are not as usual, says so. */
static void
test_method (void)
{
  static const struct
  {
    guint reuse[2], streams, chunks[2];
    const char *subtitle;
  } cases[] = {
    { { 1, 1 }, 8, { 8, 8 }, "cuda:0 · one process" },
    { { 4, 4 }, 8, { 8, 8 }, "cuda:0 · one process · reuse 4" },
    { { 1, 64 }, 0, { 0, 0 }, "cuda:0 · one process · reuse 1 to 64" },
    { { 1, 1 }, 4, { 16, 16 }, "cuda:0 · one process · 4 streams × 16 chunks" },
    { { 2, 2 }, 4, { 16, 8 }, "cuda:0 · one process · reuse 2 · different streams × chunks" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const char *const modes[] = { "streams-depth-first", "streams-breadth-first" };
      g_autoptr(MemlaneRun) run = new_run ("one");
      MemlaneChartRun shown = { run, NULL };
      g_autoptr(MemlaneChart) chart = NULL;

      for (guint k = 0; k < 2; k++)
        {
          MemlaneCell *small = add_cell (run, modes[k], 10, 900, MEMLANE_STATUS_OK);
          MemlaneCell *cell = add_cell (run, modes[k], 20, 1000, MEMLANE_STATUS_OK);

          cell->reuse = small->reuse = cases[i].reuse[k];
          cell->streams = small->streams = cases[i].streams;
          cell->chunks = cases[i].chunks[k];
          small->chunks = MIN (cell->chunks, 2); /* there is no room for more */
        }
      chart = memlane_chart_build (&shown, 1, NULL);
      g_assert_cmpstr (chart->subtitle, ==, cases[i].subtitle);
    }
}

/* Copies both ways overlap: the elapsed time may show more than one direction carries. */
static void
test_ceiling_of_elapsed (void)
{
  static const struct
  {
    const char *workload;
    double ways;
  } cases[] = {
    { "vector-add", 1.5 }, { "copy-kernel", 2 }, { "copy-bidirectional", 2 }, { "copy-to-device", 1 }, { "copy-round-trip", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(MemlaneRun) run = new_run ("one");
      MemlaneChartRun shown = { run, NULL };
      MemlaneChartOptions options = { .workload = cases[i].workload, .phase = MEMLANE_PHASE_ELAPSED, .ceiling = TRUE };
      g_autoptr(MemlaneChart) chart = NULL;
      MemlaneCell *cell = add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);

      g_free (cell->workload);
      cell->workload = g_strdup (cases[i].workload);
      set_environment (run, "{\"link\":{\"bandwidth_bytes_per_s\":1e9}}");
      chart = memlane_chart_build (&shown, 1, &options);
      g_assert_cmpfloat_with_epsilon (chart->ceiling, cases[i].ways * 1e9, 1);
    }
}

static void
test_environment (void)
{
  static const struct
  {
    const char *json, *subtitle;
    MemlanePhase phase;
    const char *ceiling; /* NULL: none */
    gboolean simulated;
  } cases[] = {
    { "{\"device\":{\"name\":\"NVIDIA H200\",\"driver\":\"580\",\"memory_bandwidth_bytes_per_s\":4.8e12},\"date\":\"2026-11-21T02:18:20Z\","
      "\"link\":{\"generation\":5,\"width\":16,\"bandwidth_bytes_per_s\":63015384615.38}}",
      "NVIDIA H200 · driver 580 · 2026-11-21", MEMLANE_PHASE_ELAPSED, "PCIe 5.0 ×16, both ways: 94.5 GB/s", FALSE },
    { "{\"device\":{\"name\":\"A <b>&\",\"memory_bandwidth_bytes_per_s\":4800000000000},\"date\":\"soon\"}", "A <b>& · soon",
      MEMLANE_PHASE_KERNEL, "device memory: 4.80 TB/s", FALSE },
    { "{\"link\":{\"bandwidth_bytes_per_s\":1e9}}", "cuda:0", MEMLANE_PHASE_UPLOAD, "link, each way: 1.00 GB/s", FALSE },
    { "{\"device\":{\"name\":\"Simulated H200\",\"simulated\":true}}", "Simulated H200", MEMLANE_PHASE_ELAPSED, NULL, TRUE },
    { "{\"device\":[],\"link\":\"none\",\"date\":7}", "cuda:0", MEMLANE_PHASE_ELAPSED, NULL, FALSE },
    { "{\"device\":{\"name\":null,\"driver\":5,\"simulated\":\"yes\"},\"link\":{\"bandwidth_bytes_per_s\":-3}}", "cuda:0",
      MEMLANE_PHASE_ELAPSED, NULL, FALSE },
    { "[1]", "cuda:0", MEMLANE_PHASE_ELAPSED, NULL, FALSE },
    { "not JSON", "cuda:0", MEMLANE_PHASE_ELAPSED, NULL, FALSE },
    { NULL, "cuda:0", MEMLANE_PHASE_ELAPSED, NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(MemlaneRun) run = new_run ("one");
      MemlaneChartRun shown = { run, NULL };
      MemlaneChartOptions options = { .phase = cases[i].phase, .ceiling = TRUE };
      g_autoptr(MemlaneChart) chart = NULL, without = NULL;
      MemlaneCell *cell = add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);

      if (cases[i].phase != MEMLANE_PHASE_ELAPSED)
        add_figure (cell, cases[i].phase, MEMLANE_CLOCK_DEVICE, 10, 10, 10, 4096, MEMLANE_STATUS_OK);
      set_environment (run, cases[i].json != NULL ? "%s" : NULL, cases[i].json);
      chart = memlane_chart_build (&shown, 1, &options);
      check_chart (chart);
      {
        /* Its figures have no rounds. */
        g_autofree char *subtitle = g_strconcat (cases[i].subtitle, cases[i].simulated ? "" : " · one process", NULL);

        g_assert_cmpstr (chart->subtitle, ==, subtitle);
      }
      g_assert_cmpint (chart->simulated, ==, cases[i].simulated);
      g_assert_cmpstr (chart->ceiling_label, ==, cases[i].ceiling);
      options.ceiling = FALSE;
      without = memlane_chart_build (&shown, 1, &options);
      g_assert_null (without->ceiling_label);
    }
}

/* A run that lacks some of its plan says how much it has, and not who is fastest; the one behind it is told apart. */
static void
test_stopped (void)
{
  static const char *const modes[] = { "pageable", "pinned" };
  g_autoptr (MemlaneRun) stopped = new_run ("stopped");
  g_autoptr (MemlaneRun) whole = new_run ("whole");
  MemlaneChartRun shown[] = { { stopped, NULL, FALSE }, { whole, NULL, TRUE } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr (MemlaneChart) after = NULL;
  g_autoptr (MemlaneChart) during = NULL;
  g_autoptr (MemlaneChart) complete = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint p = 10; p <= 14; p++)
      {
        add_cell (whole, modes[i], p, 1000 * (i + 1) * p, MEMLANE_STATUS_OK);
        if (p == 10 || p == 14)
          add_cell (stopped, modes[i], p, 1000 * (i + 1) * p, MEMLANE_STATUS_OK);
      }
  set_environment (stopped, "{\"method\":{\"modes\":[\"pageable\",\"pinned\"],\"log2_elements\":[10,14]}}");
  set_environment (whole, "{\"method\":{\"modes\":[\"pageable\",\"pinned\"],\"log2_elements\":[10,14]}}");
  after = memlane_chart_build (shown, 2, &options);
  g_assert_cmpstr (after->headline, ==, "Stopped after 4 of 10 measurements");
  MEMLANE_FOR_EACH (const MemlaneSeries, series, after->series)
    {
      g_assert_cmpint (series->behind, ==, strcmp (series->run, "whole") == 0);
      g_assert_cmpfloat (series->first_planned, ==, 10);
      g_assert_cmpfloat (series->last_planned, ==, 14);
    }
  options.first_log2 = 10;
  options.last_log2 = 14;
  during = memlane_chart_build (shown, 2, &options);
  g_assert_cmpstr (during->headline, ==, "4 of 10 measured");
  complete = memlane_chart_build (&shown[1], 1, &options);
  g_assert_cmpuint (complete->n_planned, ==, 0);
  g_assert_nonnull (strstr (complete->headline, "is fastest at every size"));
}

/* A run that has each measurement, but was stopped before its last round, says so. */
static void
test_stopped_between_rounds (void)
{
  g_autoptr (MemlaneRun) run = new_run ("stopped");
  MemlaneChartRun shown = { run, NULL, FALSE };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr (MemlaneChart) after = NULL;
  g_autoptr (MemlaneChart) during = NULL;
  g_autoptr (MemlaneChart) complete = NULL;

  add_cell (run, "pageable", 10, 3000, MEMLANE_STATUS_OK);
  add_cell (run, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
      figure->n_rounds = 3;
  set_environment (run, "{\"method\":{\"modes\":[\"pageable\",\"pinned\"],"
                        "\"log2_elements\":[10,10],\"rounds\":12}}");
  after = memlane_chart_build (&shown, 1, &options);
  g_assert_cmpstr (after->headline, ==, "Stopped in round 3 of 12");
  options.first_log2 = 10;
  options.last_log2 = 10;
  during = memlane_chart_build (&shown, 1, &options);
  g_assert_cmpstr (during->headline, !=, after->headline);
  set_environment (run, "{\"method\":{\"modes\":[\"pageable\",\"pinned\"],"
                        "\"log2_elements\":[10,10],\"rounds\":3}}");
  options = (MemlaneChartOptions) MEMLANE_CHART_OPTIONS_DEFAULT;
  complete = memlane_chart_build (&shown, 1, &options);
  g_assert_cmpuint (complete->n_rounds_planned, ==, 0);
  g_assert_cmpstr (complete->headline, !=, after->headline);
}

/* Figures of the simulated device say so, whatever their environment says. */
static void
test_simulated (void)
{
  g_autoptr(MemlaneRun) measured = new_run ("a"), simulated = memlane_run_new ("b", "simulated:h200", "simulated");
  MemlaneChartRun shown[] = { { measured, NULL }, { simulated, NULL } };
  g_autoptr(MemlaneChart) both = NULL, one = NULL;
  g_autofree char *words = NULL;

  add_cell (measured, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (simulated, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  one = memlane_chart_build (shown, 1, NULL);
  g_assert_false (one->simulated);
  both = memlane_chart_build (shown, 2, NULL);
  g_assert_true (both->simulated);
  words = memlane_chart_describe (both);
  g_assert_nonnull (strstr (words, "Simulated"));
}

/* --- nothing to draw --------------------------------------------------------------------------------------------------------- */

static void
assert_trouble (const MemlaneChartRun *runs, guint n_runs, const MemlaneChartOptions *options, const char *part)
{
  g_autoptr(MemlaneChart) chart = memlane_chart_build (runs, n_runs, options);

  check_chart (chart);
  g_assert_nonnull (chart->trouble);
  if (strstr (chart->trouble, part) == NULL)
    g_test_fail_printf ("\"%s\" does not say \"%s\"", chart->trouble, part);
}

static void
test_trouble (void)
{
  g_autoptr(MemlaneRun) empty = new_run ("empty"), full = new_run ("full"), failed = new_run ("failed"), other = new_run ("other");
  MemlaneChartRun no_cells = { empty, NULL }, cells = { full, NULL }, failures = { failed, NULL };
  MemlaneChartRun two[] = { { full, NULL }, { other, NULL } };
  const char *const no_modes[] = { NULL };
  MemlaneCell *cell = add_cell (full, "mapped", 10, 1000, MEMLANE_STATUS_OK);

  add_figure (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, 5, 5, 5, 0, MEMLANE_STATUS_OK);
  add_cell (other, "pinned", 10, 1000, MEMLANE_STATUS_OK);
  add_cell (failed, "mapped", 10, 0, MEMLANE_STATUS_TIMEOUT);
  add_cell (failed, "managed", 10, 0, MEMLANE_STATUS_ERROR)->detail = g_strdup ("the device is gone");

  assert_trouble (NULL, 0, NULL, "No run is selected");
  assert_trouble (&no_cells, 1, NULL, "Nothing has been measured yet");
  assert_trouble (&cells, 1, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_ELAPSED, .workload = "fill" }, "“Fill”");
  assert_trouble (&cells, 1, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_ELAPSED, .modes = no_modes }, "All measured modes are hidden");
  assert_trouble (&cells, 1, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_UPLOAD }, "upload");
  assert_trouble (&cells, 1, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_ALLOC }, "Choose time");
  assert_trouble (&failures, 1, NULL, "managed at 2^10: the device is gone");
  assert_trouble (&cells, 1, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_ELAPSED, .quantity = MEMLANE_QUANTITY_RATIO }, "two runs");
  assert_trouble (two, 2, &(MemlaneChartOptions) { .phase = MEMLANE_PHASE_ELAPSED, .quantity = MEMLANE_QUANTITY_RATIO }, "in common");
  g_assert_true (memlane_chart_has_phase (full, NULL, MEMLANE_PHASE_ALLOC));
  g_assert_true (memlane_chart_has_phase (full, "vector-add", MEMLANE_PHASE_ELAPSED));
  g_assert_false (memlane_chart_has_phase (full, "fill", MEMLANE_PHASE_ELAPSED));
  g_assert_false (memlane_chart_has_phase (full, NULL, MEMLANE_PHASE_UPLOAD));
  g_assert_false (memlane_chart_has_phase (failed, NULL, MEMLANE_PHASE_ELAPSED));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/clocks", test_clocks);
  g_test_add_func ("/chart/points", test_points);
  g_test_add_func ("/chart/lifetime", test_lifetime);
  g_test_add_func ("/chart/odd-times", test_odd_times);
  g_test_add_func ("/chart/overlays", test_overlays);
  g_test_add_func ("/chart/ratio", test_ratio);
  g_test_add_func ("/chart/unlike", test_unlike);
  g_test_add_func ("/chart/method", test_method);
  g_test_add_func ("/chart/ceiling-of-elapsed", test_ceiling_of_elapsed);
  g_test_add_func ("/chart/published", test_published);
  g_test_add_func ("/chart/environment", test_environment);
  g_test_add_func ("/chart/stopped", test_stopped);
  g_test_add_func ("/chart/stopped-rounds", test_stopped_between_rounds);
  g_test_add_func ("/chart/simulated", test_simulated);
  g_test_add_func ("/chart/trouble", test_trouble);
  return g_test_run ();
}
