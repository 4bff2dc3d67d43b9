/* test-figure-contract.c: what holds of every figure, asked through its class alone: places, sizes of text, contrast, words, files
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"
#include "trace-stage.h"

#include "chart/export.h"
#include "chart/map/decide-map.h"
#include "chart/pivot/pivot.h"
#include "frame-check.h"
#include "base/each.h"

static MemlaneDrawing *
draw_chart (MemlaneChart *taken, MemlaneForm form, MemlaneFamily focus)
{
  g_autoptr (MemlaneChart) chart = taken;
  MemlaneView view = MEMLANE_VIEW_FIT;

  view.form = form;
  view.focus = focus;
  return memlane_plot_drawing_new (chart, &view);
}

static MemlaneDrawing *
draw_overview (void)
{
  return draw_chart (chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE), MEMLANE_FORM_OVERVIEW, MEMLANE_N_FAMILIES);
}

static MemlaneDrawing *
draw_families (void)
{
  return draw_chart (chart_recorded (MEMLANE_PHASE_KERNEL, MEMLANE_QUANTITY_TIME, TRUE), MEMLANE_FORM_FAMILIES, MEMLANE_N_FAMILIES);
}

static MemlaneDrawing *
draw_focus (void)
{
  return draw_chart (chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_TIME, TRUE), MEMLANE_FORM_OVERVIEW, MEMLANE_FAMILY_PINNED);
}

static MemlaneDrawing *
draw_two_runs (void)
{
  return draw_chart (chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH), MEMLANE_FORM_OVERVIEW, MEMLANE_N_FAMILIES);
}

static MemlaneDrawing *
draw_ratio (void)
{
  return draw_chart (chart_invented (2, MEMLANE_QUANTITY_RATIO), MEMLANE_FORM_OVERVIEW, MEMLANE_N_FAMILIES);
}

static MemlaneDrawing *
draw_no_curve (void)
{
  return draw_chart (chart_empty (), MEMLANE_FORM_OVERVIEW, MEMLANE_N_FAMILIES);
}

static MemlaneDrawing *
draw_map (MemlaneRun *taken)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (MemlaneDecision) decision = NULL;

  g_ptr_array_add (runs, taken);
  decision = memlane_decision_new (runs, &(MemlaneQuestion) { .direction = MEMLANE_DIRECTION_BOTH, .count = MEMLANE_COUNT_HOST });
  return memlane_decide_map_drawing_new (decision);
}

static MemlaneDrawing *
draw_recorded_map (void)
{
  return draw_map (read_recorded ("h200-vector-add.csv"));
}

static MemlaneDrawing *
draw_invented_map (void)
{
  return draw_map (make_run ("invented", 1));
}

static MemlaneDrawing *
draw_no_map (void)
{
  return draw_map (memlane_run_new ("empty", "simulated:h200", "simulated"));
}

static MemlaneDrawing *
draw_traces (MemlaneTrace *first, MemlaneTrace *second)
{
  const MemlaneTimelineTrack tracks[] = { { first, NULL }, { second, NULL } };
  MemlaneDrawing *drawing = memlane_timeline_drawing_new (tracks, second != NULL ? 2 : first != NULL ? 1 : 0, NULL);

  g_clear_pointer (&first, memlane_trace_unref);
  g_clear_pointer (&second, memlane_trace_unref);
  return drawing;
}

static MemlaneDrawing *
draw_trace (void)
{
  return draw_traces (make_small_trace (), NULL);
}

static MemlaneDrawing *
draw_two_traces (void)
{
  return draw_traces (read_recorded_trace ("streams-depth-first-2p20"), read_recorded_trace ("managed-2p20"));
}

static MemlaneDrawing *
draw_no_trace (void)
{
  return draw_traces (NULL, NULL);
}

static MemlaneDrawing *
draw_pivot (void)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (run, "Recorded H200", "vector-add", MEMLANE_PHASE_ELAPSED);

  return memlane_pivot_drawing_new (pivot);
}

static MemlaneDrawing *
draw_simulated_pivot (void)
{
  g_autoptr (MemlaneRun) run = make_run ("first", 1);
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (run, NULL, "vector-add", MEMLANE_PHASE_ELAPSED);

  return memlane_pivot_drawing_new (pivot);
}

static MemlaneDrawing *
draw_no_pivot (void)
{
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (NULL, NULL, "vector-add", MEMLANE_PHASE_ELAPSED);

  return memlane_pivot_drawing_new (pivot);
}

/* A new figure is a row. */
static const struct
{
  const char *name;
  MemlaneDrawing *(*make) (void);
  gboolean simulated;
} figures[] = {
  { "overview", draw_overview },
  { "families", draw_families },
  { "focus", draw_focus },
  { "two runs", draw_two_runs, TRUE },
  { "ratio", draw_ratio, TRUE },
  { "no curve", draw_no_curve, TRUE },
  { "map", draw_recorded_map },
  { "simulated map", draw_invented_map, TRUE },
  { "no map", draw_no_map, TRUE },
  { "trace", draw_trace, TRUE },
  { "two traces", draw_two_traces },
  { "no trace", draw_no_trace },
  { "table", draw_pivot },
  { "simulated table", draw_simulated_pivot, TRUE },
  { "no table", draw_no_pivot },
};

/* Lays @drawing out, hands its frame to @check, draws it. */
static void
try_layout (const MemlaneDrawing *drawing, MemlaneStyleKind style, double width, double height, int percent, gboolean right_to_left,
            void (*check) (const MemlaneFrame *frame, gpointer data), gpointer data)
{
  const MemlaneDrawingClass *klass = drawing->klass;
  PangoContext *context = make_context (percent);
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) CLAMP (width, 1, 640), (int) CLAMP (height, 1, 360));
  cairo_t *cr = cairo_create (picture);
  gpointer layout;

  pango_context_set_base_dir (context, right_to_left ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
  layout = klass->layout (drawing->content, memlane_style_get (style), width, height, context);
  if (check != NULL)
    check (layout, data);
  klass->draw (layout, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  klass->free_layout (layout);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
  g_object_unref (context);
}

static void
check_places (const MemlaneFrame *frame, gpointer simulated)
{
  check_frame (frame, GPOINTER_TO_INT (simulated));
}

static void
test_places (void)
{
  static const double sizes[][2] = { { 160, 120 }, { 320, 240 }, { 240, 480 }, { 640, 200 }, { 640, 360 }, { 1280, 720 }, { 1920, 1080 } };
  static const MemlaneStyleKind styles[] = { MEMLANE_STYLE_SCREEN, MEMLANE_STYLE_PROJECTOR };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();

      g_test_message ("%s", figures[i].name);
      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
        for (guint style = 0; style < G_N_ELEMENTS (styles); style++)
          for (int way = 0; way < 3; way++) /* text of 100 and 200 %, and from right to left */
            try_layout (drawing, styles[style], sizes[size][0], sizes[size][1], way == 1 ? 200 : 100, way == 2, check_places,
                        GINT_TO_POINTER (figures[i].simulated));
    }
}

/* Nothing of use, but nothing that stops either. */
static void
test_degenerate_sizes (void)
{
  static const double sizes[][2] = { { 0, 0 }, { 1, 1 }, { 5, 400 }, { 400, 5 }, { 40, 30 }, { 160, 4000 }, { 4000, 120 } };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();

      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
        for (int style = 0; style < MEMLANE_N_STYLES; style += MEMLANE_STYLE_PROJECTOR)
          try_layout (drawing, (MemlaneStyleKind) style, sizes[size][0], sizes[size][1], 100, FALSE, NULL, NULL);
    }
}

/* A back row reads every word of the wall: 24 px at 1280x720, 36 at 1920x1080; and none of the frame's is cut. */
static void
check_wall (const MemlaneFrame *frame, gpointer data)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, frame->texts)
    {
      const PangoFontDescription *font = pango_layout_get_font_description (text->layout);
      double px = pango_font_description_get_size (font) / (double) PANGO_SCALE * 96 / 72;

      if (px < frame->height / 30 - 0.01)
        g_test_fail_printf ("%s: “%s” is %.1f px", (const char *) data, pango_layout_get_text (text->layout), px);
      if (text->role < MEMLANE_TEXT_CONTENT && text->role != MEMLANE_TEXT_SUBTITLE && pango_layout_is_ellipsized (text->layout))
        g_test_fail_printf ("%s: “%s” is cut", (const char *) data, pango_layout_get_text (text->layout));
    }
}

static void
test_wall (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();

      try_layout (drawing, MEMLANE_STYLE_PROJECTOR, 1280, 720, 100, FALSE, check_wall, (gpointer) figures[i].name);
      try_layout (drawing, MEMLANE_STYLE_PROJECTOR_DARK, 1920, 1080, 100, FALSE, check_wall, (gpointer) figures[i].name);
    }
}

/* WCAG 2: text has 4.5:1, also where it matters less. */
static void
check_contrast (const MemlaneFrame *frame, gpointer data)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, frame->texts)
    {
      const MemlaneColor *ground = text->role == MEMLANE_TEXT_BADGE ? &frame->style.simulated : &frame->style.background;
      double contrast = memlane_color_contrast (&text->color, ground);

      if (text->role < MEMLANE_TEXT_CONTENT && contrast < 4.5)
        g_test_fail_printf ("%s in %s: “%s” has %.2f:1", (const char *) data, frame->style.name, pango_layout_get_text (text->layout),
                            contrast);
    }
}

static void
test_contrast (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();

      for (int style = 0; style < MEMLANE_N_STYLES; style++)
        try_layout (drawing, (MemlaneStyleKind) style, 1280, 720, 100, FALSE, check_contrast, (gpointer) figures[i].name);
    }
}

/* A file is named, titled and described; a simulated figure says so in its words, too. */
static void
test_words (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();
      g_autofree char *name = drawing->klass->name (drawing->content), *title = drawing->klass->title (drawing->content);
      g_autofree char *words = drawing->klass->describe (drawing->content), *folded = g_utf8_casefold (words, -1);

      g_assert_cmpstr (name, !=, "");
      g_assert_null (strpbrk (name, "/\\: "));
      g_assert_nonnull (title);
      g_assert_cmpstr (words, !=, "");
      g_assert_true (g_utf8_validate (words, -1, NULL));
      if (figures[i].simulated && !g_str_has_prefix (figures[i].name, "no ") && strstr (folded, "simulated") == NULL)
        g_test_fail_printf ("%s: “%s” does not say that it is simulated", figures[i].name, words);
    }
}

/* A file is of the format that its name says. */
static void
test_files (void)
{
  static const char *const names[] = { "a.svg", "a.png", "a.pdf" }, *const starts[] = { "<?xml", "\211PNG", "%PDF" };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autoptr (MemlaneDrawing) drawing = figures[i].make ();

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GBytes) bytes = NULL;
          const MemlaneExportFormat *format = memlane_export_find_for_path (names[k], &error);

          g_assert_no_error (error);
          bytes = memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_PRINT), format, 640, 360, 1, &error);
          g_assert_no_error (error);
          g_assert_cmpmem (g_bytes_get_data (bytes, NULL), strlen (starts[k]), starts[k], strlen (starts[k]));
        }
    }
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/figure/places", test_places);
  g_test_add_func ("/figure/degenerate-sizes", test_degenerate_sizes);
  g_test_add_func ("/figure/wall", test_wall);
  g_test_add_func ("/figure/contrast", test_contrast);
  g_test_add_func ("/figure/words", test_words);
  g_test_add_func ("/figure/files", test_files);
  return run_stage ();
}
