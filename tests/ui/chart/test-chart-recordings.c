/* test-chart-recordings.c: the curves of recorded runs, and of runs of any shape
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/chart.h"

#include <string.h>

#include "golden.h"
#include "mode/mode.h"
#include "result/csv.h"
#include "sample-cells.h"
#include "engine/sample-run.h"

static MemlaneRun *
read_recording (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", name, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) runs = memlane_csv_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  return memlane_run_ref (runs->pdata[0]);
}

static void
append_chart (GString *text, const MemlaneChart *chart)
{
  g_autofree char *words = memlane_chart_describe (chart);

  g_string_append_printf (text, "# %s\n%s\n%s\n", chart->title, chart->subtitle, words);
  for (guint i = 0; i < chart->series->len; i++)
    {
      const MemlaneSeries *series = get_series (chart, i);

      g_string_append_printf (text, "  %-22s \"%s\" missing %u:", strchr (series->id, '/') + 1, series->label, series->missing);
      for (guint j = 0; j < series->points->len; j++)
        {
          const MemlaneChartPoint *point = get_point (series, j);
          g_autofree char *value = memlane_unit_format (chart->unit, point->value, FALSE);

          g_string_append_printf (text, " %g=%s%s", point->log2_elements, value, point->noisy ? "~" : "");
        }
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

/* One run's bands are of its rounds, within the intervals for other sweeps; where runs are compared they are those. */
static void
test_bands (void)
{
  g_autoptr (MemlaneRun) run = read_recording ("h200-vector-add.csv"), twin = read_recording ("h200-vector-add.csv");
  const MemlaneChartRun runs[] = { { run, NULL }, { twin, "twin" } };

  for (guint quantity = MEMLANE_QUANTITY_BANDWIDTH; quantity <= MEMLANE_QUANTITY_TIME; quantity++)
    for (guint n = 1; n <= 2; n++)
      {
        const MemlaneChartOptions options = { .phase = MEMLANE_PHASE_ELAPSED, .quantity = quantity };
        g_autoptr (MemlaneChart) chart = memlane_chart_build (runs, n, &options);
        guint narrower = 0;

        for (guint i = 0; i < chart->series->len; i++)
          for (guint k = 0; k < get_series (chart, i)->points->len; k++)
            {
              const MemlaneChartPoint *point = get_point (get_series (chart, i), k);

              g_assert_cmpfloat (point->band_low, >=, point->low * 0.999);
              g_assert_cmpfloat (point->band_low, <=, point->value * 1.0001);
              g_assert_cmpfloat (point->band_high, >=, point->value * 0.9999);
              g_assert_cmpfloat (point->band_high, <=, point->high * 1.001);
              narrower += point->band_high - point->band_low < 0.95 * (point->high - point->low);
            }
        g_assert_cmpint (narrower > 50, ==, n == 1);
        g_assert_cmpint (chart->note != NULL && strstr (chart->note, "Bands: the rounds of this sweep.") != NULL, ==, n == 1);
      }
}

/* What the recorded H200 shows, in words and figures: golden/recorded.txt. */
static void
test_recorded (void)
{
  g_autoptr(MemlaneRun) add = read_recording ("h200-vector-add.csv"), copy = read_recording ("h200-copy-to-device.csv");
  MemlaneChartRun adds = { add, NULL }, copies = { copy, NULL };
  const char *const few[] = { "pageable", "pinned", "mapped", "managed", NULL };
  MemlaneChartOptions options[] = {
    { .phase = MEMLANE_PHASE_ELAPSED, .ceiling = TRUE },
    { .phase = MEMLANE_PHASE_ELAPSED, .ceiling = TRUE, .modes = few },
    { .phase = MEMLANE_PHASE_UPLOAD, .ceiling = TRUE, .modes = few },
    { .phase = MEMLANE_PHASE_KERNEL, .ceiling = TRUE, .modes = few },
    { .phase = MEMLANE_PHASE_ELAPSED, .quantity = MEMLANE_QUANTITY_TIME, .modes = few },
    { .phase = MEMLANE_PHASE_ALLOC, .quantity = MEMLANE_QUANTITY_TIME, .modes = few },
  };
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr(MemlaneChart) chart = memlane_chart_build (&adds, 1, &options[i]);

      check_chart (chart);
      append_chart (text, chart);
    }
  {
    g_autoptr(MemlaneChart) chart = memlane_chart_build (&copies, 1, &options[2]);

    check_chart (chart);
    append_chart (text, chart);
  }
  assert_golden ("recorded.txt", text->str);
}

/* Every recording there is, every phase, every quantity. */
static void
test_all_recordings (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", NULL);
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (strstr (name, ".csv") != NULL && strstr (name, ".rounds.csv") == NULL)
      {
        g_autoptr(MemlaneRun) run = read_recording (name);
        MemlaneChartRun shown[] = { { run, NULL }, { run, "again" } };

        n++;
        for (int phase = 0; phase < MEMLANE_N_PHASES; phase++)
          for (int quantity = MEMLANE_QUANTITY_BANDWIDTH; quantity <= MEMLANE_QUANTITY_RATIO; quantity++)
            {
              MemlaneChartOptions options = { .phase = (MemlanePhase) phase, .quantity = (MemlaneQuantity) quantity, .ceiling = TRUE };
              g_autoptr(MemlaneChart) chart = memlane_chart_build (shown, 2, &options);

              check_chart (chart);
              if (quantity != MEMLANE_QUANTITY_BANDWIDTH)
                g_assert_cmpint (chart->trouble == NULL, ==, memlane_chart_has_phase (run, NULL, (MemlanePhase) phase));
              for (guint i = 0; i < chart->series->len && quantity == MEMLANE_QUANTITY_RATIO; i++)
                g_assert_cmpfloat (get_point (get_series (chart, i), 0)->value, ==, 1);
            }
      }
  g_assert_cmpuint (n, >=, 5);
}

/* The articles' figures that come with Memlane stand beside the recorded ones. */
static void
test_published (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(MemlanePublished) published = memlane_published_read_default (&error);
  g_autoptr(MemlaneRun) run = read_recording ("h200-vector-add.csv");
  MemlaneChartRun shown = { run, NULL };
  const char *const few[] = { "pageable", "mapped", NULL };
  g_autoptr(GString) text = g_string_new (NULL);

  g_assert_no_error (error);
  for (int quantity = MEMLANE_QUANTITY_BANDWIDTH; quantity <= MEMLANE_QUANTITY_TIME; quantity++)
    {
      MemlaneChartOptions options = {
        .phase = MEMLANE_PHASE_ELAPSED, .quantity = (MemlaneQuantity) quantity, .modes = few, .published = published,
      };
      g_autoptr(MemlaneChart) chart = memlane_chart_build (&shown, 1, &options);

      check_chart (chart);
      append_chart (text, chart);
    }
  assert_golden ("published.txt", text->str);
}

/* All modes in all sizes, and no more than that. */
static void
test_full (void)
{
  g_autoptr(MemlaneRun) run = memlane_run_new ("full", "simulated:h200", "simulated");
  MemlaneChartRun shown = { run, NULL };
  g_autoptr(MemlaneChart) chart = NULL;
  guint n_modes;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  for (guint log2_elements = 28; log2_elements >= 4; log2_elements--) /* sizes outside, modes inside, both backwards */
    for (guint i = n_modes; i-- > 0;)
      add_cell (run, modes[i].id, log2_elements, 1000 + exp2 (log2_elements) / (i + 1), MEMLANE_STATUS_OK);
  chart = memlane_chart_build (&shown, 1, NULL);
  check_chart (chart);
  g_assert_cmpuint (chart->series->len, ==, n_modes);
  g_assert_true (chart->simulated);
  g_assert_cmpuint (chart->first_log2, ==, 4);
  g_assert_cmpuint (chart->last_log2, ==, 28);
  for (guint i = 0; i < n_modes; i++)
    {
      const MemlaneSeries *series = get_series (chart, i);

      g_assert_cmpstr (series->label, ==, memlane_mode_find (series->mode)->title);
      g_assert_cmpint (series->family, ==, memlane_mode_find (series->mode)->family);
      g_assert_true (i == 0 || memlane_chart_compare_modes (&get_series (chart, i - 1)->mode, &series->mode) < 0);
      g_assert_cmpuint (get_series (chart, i)->points->len, ==, 25);
    }
}

/* Runs of any shape, with any content. */
static void
test_random (void)
{
  static const char *const names[] = { NULL, "", "<b>a & b</b>", "%s%n", "Umlaute äöü", "a · b" };
  GRand *random = g_rand_new_with_seed (20261121);

  for (guint32 i = 0; i < 300; i++)
    {
      g_autoptr(MemlaneRun) a = sample_run (i, i % 7 == 0 ? 500 : i % 25), b = sample_run (i + 1, (i * 7) % 40);
      MemlaneChartRun shown[] = { { a, names[i % G_N_ELEMENTS (names)] }, { b, names[(i / 6) % G_N_ELEMENTS (names)] } };
      MemlaneChartOptions options = {
        .phase = (MemlanePhase) g_rand_int_range (random, 0, MEMLANE_N_PHASES),
        .quantity = (MemlaneQuantity) (i % 3),
        .axis = i % 2,
        .ceiling = TRUE,
        .first_log2 = (guint) g_rand_int_range (random, 0, 12),
        .last_log2 = (guint) g_rand_int_range (random, 12, 29),
      };
      g_autoptr(MemlaneChart) chart = NULL;

      for (guint j = 0; j < a->cells->len; j++)
        {
          MemlaneCell *cell = a->cells->pdata[j];

          if (i % 5 == 0)
            {
              g_free (cell->mode);
              cell->mode = g_strdup_printf ("<i>%u & %u</i>", i, j / 25);
            }
          for (guint k = 0; k < cell->figures->len && i % 4 == 0; k++)
            {
              MemlaneStatistics *statistics = &((MemlaneFigure *) cell->figures->pdata[k])->statistics;
              static const double odd[] = { NAN, 0, -1, INFINITY, 1e-310, 1e300 };

              if (g_rand_boolean (random))
                statistics->median = odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
              if (g_rand_boolean (random))
                statistics->low = odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
              if (g_rand_boolean (random))
                statistics->high = odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
            }
        }
      chart = memlane_chart_build (shown, 2, &options);
      check_chart (chart);
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart-recordings/bands", test_bands);
  g_test_add_func ("/chart-recordings/words", test_recorded);
  g_test_add_func ("/chart-recordings/all", test_all_recordings);
  g_test_add_func ("/chart-recordings/published", test_published);
  g_test_add_func ("/chart-recordings/full", test_full);
  g_test_add_func ("/chart-recordings/random", test_random);
  return g_test_run ();
}
