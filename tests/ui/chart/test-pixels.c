/* test-pixels.c: figures as pixels: against checked-in pictures, and drawn in two ways
 *
 * SPDX-License-Identifier: MIT
 *
 * MEMLANE_UPDATE_GOLDENS=1 writes the pictures anew; look at them before you commit them. What differs is written beside the test.
 */
#include "stage.h"
#include "trace-stage.h"

#include "chart/map/decide-map.h"
#include "chart/plot/plot-layout.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 360
/* Libraries round curves and glyphs differently: so far may a channel be off, and so many pixels farther than that. The goldens were drawn
 * by cairo 1.16, which puts glyphs on whole pixels. From 1.17.4 on they stand on fractions of one, and means are compared instead. */
#define CHANNEL_TOLERANCE 24
#define PIXEL_TOLERANCE (WIDTH * HEIGHT / 250)

static const MemlaneView fit = MEMLANE_VIEW_FIT;

static cairo_surface_t *
new_picture (void)
{
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
}

/* @overlay: with the crosshair at 2^14 and a ring. */
static cairo_surface_t *
draw (const MemlanePlot *plot, gboolean overlay)
{
  cairo_surface_t *picture = new_picture ();
  cairo_t *cr = cairo_create (picture);

  memlane_plot_draw (plot, cr);
  if (overlay)
    memlane_plot_draw_overlay (plot, cr, 14, 0);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  return picture;
}

static guint32
get_pixel (cairo_surface_t *picture, int x, int y)
{
  const unsigned char *row = cairo_image_surface_get_data (picture) + y * cairo_image_surface_get_stride (picture);
  guint32 pixel;

  memcpy (&pixel, row + 4 * x, sizeof pixel);
  return pixel & 0xffffff;
}

static int
get_distance (guint32 a, guint32 b)
{
  int most = 0;

  for (int shift = 0; shift <= 16; shift += 8)
    most = MAX (most, abs ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)));
  return most;
}

/* How many pixels of the rectangle are farther apart than @tolerance. */
static guint
count_different (cairo_surface_t *a, cairo_surface_t *b, const MemlaneRectangle *area, int tolerance)
{
  guint n = 0;

  for (int y = (int) area->y; y < area->y + area->height; y++)
    for (int x = (int) area->x; x < area->x + area->width; x++)
      n += get_distance (get_pixel (a, x, y), get_pixel (b, x, y)) > tolerance;
  return n;
}

/* The mean of the 5 x 5 pixels around one: of a glyph that stands half a pixel aside it is nearly the same. */
static guint32
get_mean (cairo_surface_t *picture, int x, int y)
{
  guint32 sums[3] = { 0 };

  for (int i = 0; i < 25; i++)
    {
      guint32 pixel = get_pixel (picture, CLAMP (x + i % 5 - 2, 0, WIDTH - 1), CLAMP (y + i / 5 - 2, 0, HEIGHT - 1));

      for (int channel = 0; channel < 3; channel++)
        sums[channel] += pixel >> 8 * channel & 0xff;
    }
  return sums[2] / 25 << 16 | sums[1] / 25 << 8 | sums[0] / 25;
}

static gboolean
is_golden (cairo_surface_t *found, cairo_surface_t *expected, int x, int y)
{
  if (get_distance (get_pixel (found, x, y), get_pixel (expected, x, y)) <= CHANNEL_TOLERANCE)
    return TRUE;
  return cairo_version () >= CAIRO_VERSION_ENCODE (1, 17, 4)
         && get_distance (get_mean (found, x, y), get_mean (expected, x, y)) <= CHANNEL_TOLERANCE;
}

static void
write_picture (cairo_surface_t *picture, const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, ".png", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, file, NULL);

  cairo_surface_write_to_png (picture, path);
  g_test_message ("%s", path);
}

/* The golden, what was drawn, and where they differ, beside the test. */
static void
report (cairo_surface_t *found, cairo_surface_t *expected, const char *name)
{
  cairo_surface_t *difference = new_picture ();

  cairo_surface_flush (difference);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        int distance = get_distance (get_pixel (found, x, y), get_pixel (expected, x, y));
        guint32 pixel = distance > CHANNEL_TOLERANCE ? 0xff0000u : (guint32) (255 - distance) * 0x010101u;

        memcpy (cairo_image_surface_get_data (difference) + y * cairo_image_surface_get_stride (difference) + 4 * x, &pixel, 4);
      }
  cairo_surface_mark_dirty (difference);
  write_picture (found, name, ".out");
  write_picture (expected, name, ".ref");
  write_picture (difference, name, ".diff");
  cairo_surface_destroy (difference);
}

/* Takes @found over. */
static void
compare_picture (const char *name, cairo_surface_t *found)
{
  g_autofree char *file = g_strconcat ("pixel-", name, ".png", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", file, NULL);
  cairo_surface_t *read, *expected;
  cairo_t *cr;
  guint different = 0;

  if (g_getenv ("MEMLANE_UPDATE_GOLDENS") != NULL)
    {
      g_assert_cmpint (cairo_surface_write_to_png (found, path), ==, CAIRO_STATUS_SUCCESS);
      cairo_surface_destroy (found);
      return;
    }
  read = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (read), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (read), ==, WIDTH);
  g_assert_cmpint (cairo_image_surface_get_height (read), ==, HEIGHT);
  /* Whatever pixels the file has, they are compared in one format. */
  expected = new_picture ();
  cr = cairo_create (expected);
  cairo_set_source_surface (cr, read, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (expected);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      different += is_golden (found, expected, x, y) ? 0 : 1;
  if (different > PIXEL_TOLERANCE)
    {
      report (found, expected, name);
      g_test_fail_printf ("%s: %u pixels differ, at most %d may", file, different, PIXEL_TOLERANCE);
    }
  cairo_surface_destroy (read);
  cairo_surface_destroy (expected);
  cairo_surface_destroy (found);
}

static void
check_picture (const char *name, const MemlaneChart *chart, const MemlaneView *view, MemlaneStyleKind style, gboolean overlay)
{
  g_autoptr (MemlanePlot) plot = lay_out (chart, view, style, WIDTH, HEIGHT);

  compare_picture (name, draw (plot, overlay));
}

/* Recorded traces of the H200; with @hovered, its tooltip and what it belongs to. */
static void
check_timeline (const char *name, const char *const *recordings, MemlaneStyleKind style, guint32 hovered)
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL, NULL } };
  guint n = 0;
  PangoContext *context = make_context (100);
  cairo_surface_t *picture = new_picture ();
  cairo_t *cr = cairo_create (picture);
  MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;
  MemlaneTimeline *timeline;

  for (; recordings[n] != NULL; n++)
    tracks[n].trace = read_recorded_trace (recordings[n]);
  timeline = lay_out_drawing (memlane_timeline_drawing_new (tracks, n, NULL), style, WIDTH, HEIGHT, context);
  memlane_timeline_draw (timeline, cr);
  overlay.hovered = (MemlaneTimelineEvent){ 0, hovered };
  overlay.has_tooltip = TRUE;
  overlay.pointer_x = WIDTH / 2.0;
  overlay.pointer_y = HEIGHT / 2.0;
  memlane_timeline_draw_overlay (timeline, cr, &overlay);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  compare_picture (name, picture);
  memlane_timeline_free (timeline);
  for (guint i = 0; i < n; i++)
    memlane_trace_unref (tracks[i].trace);
  g_object_unref (context);
}

/* Each of four runs has its own sample in the legend: the later a run is, the paler. */
static void
test_run_samples (void)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  const MemlaneChartRun runs[] = { { run, "one" }, { run, "two" }, { run, "three" }, { run, "four" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr (MemlaneChart) chart = memlane_chart_build (runs, G_N_ELEMENTS (runs), &options);

  for (int style = 0; style < MEMLANE_N_STYLES; style++)
    {
      g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, (MemlaneStyleKind) style, WIDTH, HEIGHT);
      cairo_surface_t *picture = draw (plot, FALSE);
      guint32 pixels[G_N_ELEMENTS (runs)];

      g_assert_cmpuint (plot->frame.samples->len, ==, G_N_ELEMENTS (runs));
      for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
        {
          const MemlaneRectangle *area = &g_array_index (plot->frame.samples, MemlaneSample, i).area;

          pixels[i] = get_pixel (picture, (int) (area->x + area->width / 2), (int) (area->y + area->height / 2));
          for (guint j = 0; j < i; j++)
            g_assert_cmpint (get_distance (pixels[i], pixels[j]), >=, 16);
        }
      cairo_surface_destroy (picture);
    }
}

static void
test_timelines (void)
{
  static const char *const pageable[] = { "pageable-2p14", NULL }, *const pinned[] = { "pinned-2p20", NULL };
  static const char *const managed[] = { "managed-2p20", NULL };
  static const char *const orders[] = { "streams-depth-first-2p20", "streams-breadth-first-2p20", NULL };

  check_timeline ("timeline-pageable", pageable, MEMLANE_STYLE_SCREEN, 3);
  check_timeline ("timeline-pinned", pinned, MEMLANE_STYLE_DARK, MEMLANE_TRACE_NONE);
  check_timeline ("timeline-managed", managed, MEMLANE_STYLE_PRINT, MEMLANE_TRACE_NONE);
  check_timeline ("timeline-orders", orders, MEMLANE_STYLE_SCREEN, MEMLANE_TRACE_NONE);
}

/* The recorded vector addition; a frame and a ring. */
static void
check_map (const char *name, MemlaneDirection direction, MemlaneStyleKind style)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  const MemlaneQuestion question = { .direction = direction, .count = MEMLANE_COUNT_HOST };
  g_autoptr (MemlaneDecision) decision = NULL;
  g_autoptr (MemlaneDecideMap) map = NULL;
  PangoContext *context = make_context (100);
  cairo_surface_t *picture = new_picture ();
  cairo_t *cr = cairo_create (picture);

  g_ptr_array_add (runs, read_recorded ("h200-vector-add.csv"));
  decision = memlane_decision_new (runs, &question);
  map = memlane_decide_map_layout (decision, memlane_style_get (style), WIDTH, HEIGHT, context);
  memlane_decide_map_draw (map, cr);
  memlane_decide_map_draw_overlay (map, cr, 3, 4, 7, 2);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  compare_picture (name, picture);
  g_object_unref (context);
}

static void
test_maps (void)
{
  check_map ("decide-screen", MEMLANE_DIRECTION_BOTH, MEMLANE_STYLE_SCREEN);
  check_map ("decide-dark", MEMLANE_DIRECTION_TO_DEVICE, MEMLANE_STYLE_DARK);
}

static void
test_goldens (void)
{
  g_autoptr (MemlaneChart) recorded = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, TRUE);
  g_autoptr (MemlaneChart) overlay = chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH), ratio = chart_invented (2, MEMLANE_QUANTITY_RATIO);
  g_autoptr (MemlaneChart) empty = chart_empty ();
  g_autoptr (MemlaneChart) linear = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_BANDWIDTH, FALSE);
  MemlaneView isolated = MEMLANE_VIEW_FIT, families = MEMLANE_VIEW_FIT, focus, panels;

  families.form = MEMLANE_FORM_OVERVIEW;
  panels = focus = families;
  panels.form = MEMLANE_FORM_FAMILIES;
  focus.focus = MEMLANE_FAMILY_MANAGED;
  check_picture ("overview", linear, &families, MEMLANE_STYLE_SCREEN, FALSE);
  check_picture ("overview-wall", linear, &families, MEMLANE_STYLE_PROJECTOR_DARK, FALSE);
  check_picture ("families", linear, &panels, MEMLANE_STYLE_SCREEN, FALSE);
  check_picture ("overview-table", linear, &families, MEMLANE_STYLE_SCREEN, TRUE);
  check_picture ("overview-ratio", ratio, &families, MEMLANE_STYLE_PRINT, FALSE);
  check_picture ("focus", linear, &focus, MEMLANE_STYLE_DARK, FALSE);
  isolated.isolated = get_series (recorded, 2)->id;
  check_picture ("dark", recorded, &fit, MEMLANE_STYLE_DARK, FALSE);
  check_picture ("print", recorded, &fit, MEMLANE_STYLE_PRINT, FALSE);
  check_picture ("runs", overlay, &fit, MEMLANE_STYLE_SCREEN, TRUE);
  check_picture ("isolated", recorded, &isolated, MEMLANE_STYLE_DARK, FALSE);
  check_picture ("empty", empty, &fit, MEMLANE_STYLE_SCREEN, FALSE);
}

/* --- without what cairo gets wrong ------------------------------------------------------------------------------------- */

/* --- one figure in two ways ------------------------------------------------------------------------------------------ */

/* Nothing but markers' rims leaves the axes when the view is zoomed far into the curves. */
static void
test_clip (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  MemlaneView view = MEMLANE_VIEW_FIT;

  view.x.from = 12.3;
  view.x.to = 12.7; /* between two sizes: lines and bands, no marker */
  view.y.from = 5e9;
  view.y.to = 7e9;
  {
    g_autoptr (MemlanePlot) plot = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, WIDTH, HEIGHT);
    const MemlaneRectangle *area = memlane_plot_get_axes (plot).area;
    const MemlaneRectangle left = { 0, 0, area->x - 1, HEIGHT };
    const MemlaneRectangle right = { area->x + area->width + 2, 0, 8, HEIGHT };
    cairo_surface_t *with, *without;
    g_autoptr (MemlanePlot) bare = NULL;
    guint inside = 0;

    g_array_set_size (plot->leaders, 0); /* they go from the lines' ends to the names outside */
    with = draw (plot, FALSE);
    for (guint i = 0; i < chart->series->len; i++)
      g_array_set_size (get_series (chart, i)->points, i == 0 ? 1 : 0);
    bare = lay_out (chart, &view, MEMLANE_STYLE_SCREEN, WIDTH, HEIGHT);
    g_array_set_size (bare->leaders, 0);
    without = draw (bare, FALSE);
    inside = count_different (with, without, area, 24);
    g_assert_cmpuint (inside, >, 500);
    g_assert_cmpuint (count_different (with, without, &left, 0), ==, 0);
    g_assert_cmpuint (count_different (with, without, &right, 0), ==, 0);
    cairo_surface_destroy (with);
    cairo_surface_destroy (without);
  }
}

/* The line between two points is where it was when only they are seen, however far the ends of the curve are away. */
static void
test_zoomed_line (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  MemlaneView wide = MEMLANE_VIEW_FIT, deep = MEMLANE_VIEW_FIT;
  const MemlaneChartPoint *low = get_point (get_series (chart, 2), 3), *high = get_point (get_series (chart, 2), 4);
  double middle = sqrt (low->elements * high->elements), value = (low->value + high->value) / 2;
  MemlaneView *views[] = { &wide, &deep };

  wide.isolated = deep.isolated = get_series (chart, 2)->id;
  wide.x.from = 12;
  wide.x.to = 15;
  wide.y.from = value * 0.5;
  wide.y.to = value * 1.5;
  deep.x.from = 13.4999;
  deep.x.to = 13.5001;
  deep.y.from = value * 0.999;
  deep.y.to = value * 1.001;
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (MemlanePlot) plot = lay_out (chart, views[i], MEMLANE_STYLE_SCREEN, WIDTH, HEIGHT);
      const MemlaneRectangle *area = memlane_plot_get_axes (plot).area;
      const MemlaneStyle *style = memlane_style_get (MEMLANE_STYLE_SCREEN);
      MemlaneCurveStyle look = memlane_curve_style_for_mode (get_series (chart, 2)->mode, style);
      guint32 color = (guint32) (look.color.red * 255 + 0.5) << 16 | (guint32) (look.color.green * 255 + 0.5) << 8
                      | (guint32) (look.color.blue * 255 + 0.5);
      cairo_surface_t *picture = draw (plot, FALSE);
      int x = (int) (area->x + memlane_scale_map (memlane_plot_get_axes (plot).x, middle) * area->width);
      int y = (int) (area->y + (1 - memlane_scale_map (memlane_plot_get_axes (plot).y, value)) * area->height), nearest = 255;

      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
          nearest = MIN (nearest, get_distance (get_pixel (picture, x + dx, y + dy), color));
      g_assert_cmpint (nearest, <, 100); /* a line as wide as a pixel colours two in part */
      cairo_surface_destroy (picture);
    }
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/pixels/goldens", test_goldens);
  g_test_add_func ("/pixels/clip", test_clip);
  g_test_add_func ("/pixels/zoomed-line", test_zoomed_line);
  g_test_add_func ("/pixels/run-samples", test_run_samples);
  g_test_add_func ("/pixels/timelines", test_timelines);
  g_test_add_func ("/pixels/maps", test_maps);
  return run_stage ();
}
