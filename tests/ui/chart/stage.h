/* stage.h: recorded and invented runs as charts, and one font, for the tests that lay out and draw
 *
 * SPDX-License-Identifier: MIT
 *
 * The bundled font is the only one that the tests see, so that the layout is the same on every machine. Call set_stage() first of all.
 */
#pragma once

#include <glib/gstdio.h>
#include <locale.h>

#include "chart/plot/plot.h"
#include "result/csv.h"
#include "sample-cells.h"

static char *stage_folder;

static inline void
strike_stage (void)
{
  g_autofree char *conf = g_build_filename (stage_folder, "fonts.conf", NULL);

  g_remove (conf);
  g_rmdir (stage_folder);
  g_clear_pointer (&stage_folder, g_free);
}

/* Runs the tests and removes the stage. */
static inline int
run_stage (void)
{
  int status = g_test_run ();

  strike_stage ();
  return status;
}

/* Before the first call into Pango. Begins the tests of main(), too. */
static inline void
set_stage (int *argc, char ***argv)
{
  const char *source = g_getenv ("G_TEST_SRCDIR");
  g_autofree char *fonts = g_build_filename (source != NULL ? source : ".", "fonts", NULL);
  g_autofree char *text = g_markup_printf_escaped ("<?xml version=\"1.0\"?>\n<fontconfig><dir>%s</dir></fontconfig>\n", fonts);
  g_autofree char *conf = NULL;
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "C.UTF-8");
  stage_folder = g_dir_make_tmp ("memlane-stage-XXXXXX", &error);
  g_assert_no_error (error);
  conf = g_build_filename (stage_folder, "fonts.conf", NULL);
  g_file_set_contents (conf, text, -1, &error);
  g_assert_no_error (error);
  g_setenv ("FONTCONFIG_FILE", conf, TRUE);
  g_setenv ("LANGUAGE", "C", TRUE);
  g_test_init (argc, argv, NULL);
}

/* @percent: of text scaling. (transfer full) */
static inline PangoContext *
make_context (int percent)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (context, 96 * percent / 100.0);
  pango_context_set_round_glyph_positions (context, FALSE);
  return context;
}

/* Takes @drawing, which its layout does not need. */
static inline gpointer
lay_out_drawing (MemlaneDrawing *drawing, MemlaneStyleKind style, double width, double height, PangoContext *context)
{
  gpointer layout = drawing->klass->layout (drawing->content, memlane_style_get (style), width, height, context);

  memlane_drawing_free (drawing);
  return layout;
}

static inline MemlanePlot *
lay_out (const MemlaneChart *chart, const MemlaneView *view, MemlaneStyleKind style, double width, double height)
{
  PangoContext *context = make_context (100);
  MemlanePlot *plot = lay_out_drawing (memlane_plot_drawing_new ((MemlaneChart *) chart, view), style, width, height, context);

  g_object_unref (context);
  return plot;
}

/* --- charts -------------------------------------------------------------------------------------------------------- */

/* A run of data/recordings. (transfer full) */
static inline MemlaneRun *
read_recorded (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, &error);

  g_assert_no_error (error);
  return memlane_run_ref (runs->pdata[0]);
}

/* The vector addition on the recorded H200. (transfer full) */
static inline MemlaneChart *
chart_recorded (MemlanePhase phase, MemlaneQuantity quantity, gboolean log_values)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  MemlaneChartRun shown = { run, "recorded H200" };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.phase = phase;
  options.quantity = quantity;
  options.axis = log_values;
  return memlane_chart_build (&shown, 1, &options);
}

/* A simulated run of four modes over 2^10..2^18, without the size 2^14 of the pinned one, whose last two cells are noisy.
 * (transfer full) */
static inline MemlaneRun *
make_run (const char *id, double factor)
{
  static const char *const modes[] = { "pageable", "pinned", "mapped", "managed" };
  MemlaneRun *run = memlane_run_new (id, "simulated:h200", "simulated");

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint p = 10; p <= 18; p++)
      {
        gboolean missing = i == 1 && p == 14, noisy = i == 1 && p >= 17;
        double time = (4000 + 1500 * i + (12.0 * (1 << p)) / (10 + 12 * i)) * (1 + (factor - 1) * (p - 9.0) / (4 + i));

        add_cell (run, modes[i], p, time, missing ? MEMLANE_STATUS_ERROR : noisy ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK);
      }
  return run;
}

/* @n runs of make_run(): one is simulated, a second is laid over it. (transfer full) */
static inline MemlaneChart *
chart_invented (guint n, MemlaneQuantity quantity)
{
  g_autoptr (MemlaneRun) first = make_run ("first", 1), second = make_run ("second", 1.3);
  MemlaneChartRun shown[] = { { first, "today" }, { second, "yesterday" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;

  options.quantity = quantity;
  return memlane_chart_build (shown, n, &options);
}

/* No curve, but a reason. (transfer full) */
static inline MemlaneChart *
chart_empty (void)
{
  g_autoptr (MemlaneRun) run = make_run ("first", 1);
  MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = { .phase = MEMLANE_PHASE_DOWNLOAD };

  return memlane_chart_build (&shown, 1, &options);
}
