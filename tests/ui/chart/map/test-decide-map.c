/* test-decide-map.c: what stands where in a map of decisions, what lies under the pointer, and what it says
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/golden.h"
#include "ui/chart/stage.h"

#include "chart/export.h"
#include "chart/figure-private.h"

#include "chart/map/decide-map-layout.h"
#include "ui/chart/frame-check.h"
#include "base/each.h"

/* --- decisions -------------------------------------------------------------------------------------------------------- */

/* Takes @run over. */
static MemlaneDecision *
decide (MemlaneRun *run, const char *workload, MemlaneDirection direction)
{
  const MemlaneQuestion question = { .workload = workload, .direction = direction, .count = MEMLANE_COUNT_HOST };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);

  g_ptr_array_add (runs, run);
  return memlane_decision_new (runs, &question);
}

static MemlaneDecision *
decide_recorded (MemlaneDirection direction)
{
  return decide (read_recorded ("h200-vector-add.csv"), NULL, direction);
}

/* Simulated; modes that are far from each other. */
static MemlaneDecision *
decide_invented (guint first, guint last)
{
  static const char *const modes[] = { "pageable", "pinned", "mapped", "managed" };
  MemlaneRun *run = memlane_run_new ("invented", "simulated:h200", "simulated");

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint p = first; p <= last; p++)
      add_cell (run, modes[i], p, 4000 + 1500 * i + (12.0 * (1 << p)) / (10 + 12 * i), MEMLANE_STATUS_OK);
  return decide (run, NULL, MEMLANE_DIRECTION_BOTH);
}

/* Pieces of 256 bytes to 64 KiB in three numbers, of which the middle one lacks sizes. Few or small ones are packed, many are gathered,
 * large ones are copied by one call. */
static MemlaneDecision *
decide_pieces (void)
{
  static const guint numbers[] = { 16, 256, 4096 };
  static const char *const modes[] = { "pinned-async", "mapped-shaped", "pinned-batch", "pinned-packed" };
  MemlaneRun *run = memlane_run_new ("invented", "simulated:h200", "simulated");

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    for (guint m = 0; m < G_N_ELEMENTS (modes); m++)
      for (guint p = 6; p <= 14; p++)
        {
            const double bytes = 4.0 * (1 << p) * numbers[i], each = numbers[i];
          MemlaneCell *cell;
          const double ns[] = { 2500 * each + bytes / 55, 16000 + bytes / 30, 12000 + 100 * each + bytes / 55, 10000 + bytes / 10 };

          if (i == 1 && p % 2 == 1)
            continue;
          cell = add_cell (run, modes[m], p + (guint) log2 (numbers[i]), ns[m], MEMLANE_STATUS_OK);
          g_free (cell->workload);
          cell->workload = g_strdup ("pieces-to-device");
          cell->chunks = numbers[i];
        }
  return decide (run, NULL, MEMLANE_DIRECTION_BOTH);
}

static MemlaneDecision *
decide_nothing (void)
{
  return decide (memlane_run_new ("empty", "simulated:h200", "simulated"), NULL, MEMLANE_DIRECTION_TO_HOST);
}

static MemlaneDecideMap *
lay_out_map (const MemlaneDecision *decision, MemlaneStyleKind style, double width, double height, int percent)
{
  PangoContext *context = make_context (percent);
  MemlaneDecideMap *map = memlane_decide_map_layout (decision, memlane_style_get (style), width, height, context);

  g_object_unref (context);
  return map;
}

/* --- what must hold of every layout ------------------------------------------------------------------------------------ */

/* A name lies in cells of its kind alone, and in no marked one; it stands out from the cell in its middle. */
static void
check_names (const MemlaneDecideMap *map)
{
  guint64 named = 0;

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, map->frame.texts)
    {
      MemlaneColor ground;
      gboolean tied;
      guint at[2];

      if (text->role != MEMLANE_MAP_NAME)
        continue;
      g_assert_cmpuint (named >> text->item & 1, ==, 0);
      named |= G_GUINT64_CONSTANT (1) << text->item;
      g_assert_true (memlane_decide_map_hit (map, text->area.x + text->area.width / 2,
                                             text->area.y + text->area.height / 2, &at[0], &at[1]));
      tied = memlane_map_cell (map, at[0], at[1]).certainty == MEMLANE_MAP_TIED;
      ground = memlane_map_ground (&map->frame.style, (int) text->item, tied);
      g_assert_cmpfloat (memlane_color_contrast (&text->color, &ground), >=, 4.5);
      for (guint column = 0; column < map->decision->n_columns; column++)
        for (guint row = 0; row < map->decision->n_rows; row++)
          {
            MemlaneMapCell cell = memlane_map_cell (map, column, row);

            if (!overlaps (&cell.area, &text->area))
              continue;
            g_assert_cmpint (cell.kind, ==, (int) text->item);
          }
    }
}

/* The cells fill the area, and each is found where it lies: the last pixel of one is beside the first of the next. */
static void
check_cells (const MemlaneDecideMap *map)
{
  const MemlaneRectangle *area = &map->frame.area;
  double sum = 0;

  for (guint i = 0; i < map->decision->n_columns; i++)
    for (guint j = 0; j < map->decision->n_rows; j++)
      {
        MemlaneRectangle cell;
        guint size_index = G_MAXUINT, reuse_index = G_MAXUINT;

        g_assert_true (memlane_decide_map_place (map, i, j, &cell));
        sum += cell.width * cell.height;
        if (cell.width < 1 || cell.height < 1)
          continue; /* more cells than pixels */
        for (guint corner = 0; corner < 4; corner++)
          {
            double x = corner % 2 == 0 ? cell.x : cell.x + cell.width - 0.25, y = corner < 2 ? cell.y : cell.y + cell.height - 0.25;

            g_assert_true (memlane_decide_map_hit (map, x, y, &size_index, &reuse_index));
            g_assert_cmpuint (size_index, ==, i);
            g_assert_cmpuint (reuse_index, ==, j);
          }
      }
  if (map->decision->n_columns > 0)
    g_assert_cmpfloat_with_epsilon (sum, area->width * area->height, 0.01);
}

static void
test_every_size (void)
{
  static const double sizes[][2] = { { 160, 120 }, { 320, 240 }, { 480, 900 }, { 640, 360 }, { 1280, 720 }, { 1920, 1080 } };
  g_autoptr (MemlaneDecision) both = decide_recorded (MEMLANE_DIRECTION_BOTH), up = decide_recorded (MEMLANE_DIRECTION_TO_DEVICE);
  g_autoptr (MemlaneDecision) invented = decide_invented (10, 18), one = decide_invented (14, 14), none = decide_nothing ();
  g_autoptr (MemlaneDecision) copies = decide (read_recorded ("h200-copy-to-device.csv"), NULL, MEMLANE_DIRECTION_BOTH);
  g_autoptr (MemlaneDecision) pieces = decide_pieces ();
  const MemlaneDecision *const decisions[] = { both, up, invented, one, none, copies, pieces };

  for (guint i = 0; i < G_N_ELEMENTS (decisions); i++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      for (int style = 0; style < MEMLANE_N_STYLES; style += MEMLANE_STYLE_PROJECTOR)
        for (int percent = 100; percent <= 200; percent += 100)
          {
            g_autoptr (MemlaneDecideMap) map = lay_out_map (decisions[i], style, sizes[size][0], sizes[size][1], percent);

            if (map->frame.area.height < 0.3 * sizes[size][1])
              g_error ("decision %u at %g x %g, style %d, %d %%: %g px of cells", i, sizes[size][0], sizes[size][1], style, percent,
                       map->frame.area.height);
            check_names (map);
            check_cells (map);
          }
}

/* --- looks ---------------------------------------------------------------------------------------------------------------- */

/* Markers and names stand out from their cells in every style (WCAG 2: 3:1 for graphics, 4.5:1 for text). */
static void
test_contrast (void)
{
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    for (int place = -2; place < 64; place++)
      {
        const MemlaneStyle *style = memlane_style_get (i);
        const gboolean tied = place & 1;
        const int kind = place >> 1;
        MemlaneColor ground = memlane_map_ground (style, kind, tied), ink = memlane_map_ink (style, kind, tied);
        MemlaneColor text = memlane_figure_text_on (style, &ground);

        g_assert_cmpfloat (memlane_color_contrast (&ink, &ground), >=, 3);
        g_assert_cmpfloat (memlane_color_contrast (&text, &ground), >=, 4.5);
      }
}

/* A cell has the colour of its answer's family, and is pale where another family ties with it. */
static void
test_regions (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  guint n_pale = 0;

  for (guint d = 0; d < MEMLANE_N_DIRECTIONS; d++)
    {
      g_autoptr (MemlaneDecision) decision = decide_recorded ((MemlaneDirection) d);
      g_autoptr (MemlaneDecideMap) map = lay_out_map (decision, MEMLANE_STYLE_SCREEN, 1280, 720, 100);

      for (guint i = 0; i < decision->n_sizes; i++)
        for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
          {
            const MemlaneChoice *choice = memlane_decision_get (decision, i, j);
            const MemlaneMapCell cell = memlane_map_cell (map, i, j);
            gboolean tied = FALSE;

            g_assert_cmpint (modes[cell.kind].family, ==, modes[choice->choice].family);
            for (guint m = 0; m < n; m++)
              tied |= (choice->ties >> m & 1) != 0 && modes[m].family != modes[choice->choice].family;
            if (!choice->open)
              g_assert_cmpint (cell.certainty == MEMLANE_MAP_TIED, ==, tied);
            n_pale += cell.certainty == MEMLANE_MAP_TIED;
          }
    }
  g_assert_cmpuint (n_pale, >, 0);
}

/* --- places and hits -------------------------------------------------------------------------------------------------------- */

static void
test_outside (void)
{
  g_autoptr (MemlaneDecision) decision = decide_recorded (MEMLANE_DIRECTION_BOTH), none = decide_nothing ();
  g_autoptr (MemlaneDecideMap) map = lay_out_map (decision, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  g_autoptr (MemlaneDecideMap) empty = lay_out_map (none, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  const MemlaneRectangle *area = &map->frame.area;
  const double right = area->x + area->width, bottom = area->y + area->height;
  const double points[][2] = { { area->x - 0.1, area->y + 5 }, { right, area->y + 5 }, { area->x + 5, area->y - 0.1 },
                               { area->x + 5, bottom }, { NAN, area->y + 5 }, { area->x + 5, NAN }, { -INFINITY, INFINITY } };
  MemlaneRectangle cell;
  guint size_index, reuse_index;

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    g_assert_false (memlane_decide_map_hit (map, points[i][0], points[i][1], &size_index, &reuse_index));
  g_assert_false (memlane_decide_map_place (map, decision->n_sizes, 0, &cell));
  g_assert_false (memlane_decide_map_place (map, 0, MEMLANE_DECIDE_REUSES, &cell));
  g_assert_false (memlane_decide_map_place (map, G_MAXUINT, G_MAXUINT, &cell));
  g_assert_false (memlane_decide_map_hit (empty, 640, 360, &size_index, &reuse_index));
  g_assert_false (memlane_decide_map_place (empty, 0, 0, &cell));
  /* Reuse rises. */
  g_assert_true (memlane_decide_map_hit (map, area->x, area->y, &size_index, &reuse_index));
  g_assert_cmpuint (reuse_index, ==, MEMLANE_DECIDE_REUSES - 1);
}

/* --- words ------------------------------------------------------------------------------------------------------------------ */

static void
test_words (void)
{
  g_autoptr (MemlaneDecision) decision = decide_recorded (MEMLANE_DIRECTION_BOTH), none = decide_nothing ();
  g_autoptr (MemlaneDecision) invented = decide_invented (10, 18);
  g_autoptr (MemlaneDecision) copies = decide (read_recorded ("h200-copy-to-device.csv"), NULL, MEMLANE_DIRECTION_BOTH);
  g_autoptr (MemlaneDecision) pieces = decide_pieces ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *of_pieces = memlane_decide_map_describe (pieces), *piece = memlane_decide_map_read (pieces, 4, 1);
  g_autofree char *copies_whole = memlane_decide_map_describe (copies);
  g_autofree char *outside = memlane_decide_map_read (decision, G_MAXUINT, 0), *simulated = memlane_decide_map_describe (invented);
  g_autofree char *whole = memlane_decide_map_describe (decision), *nothing = memlane_decide_map_describe (none);

  g_assert_cmpstr (outside, ==, "");
  /* a workload with a direction of its own */
  g_assert_nonnull (strstr (copies_whole, "Copy to device · with host access · NVIDIA H200"));
  for (guint i = 0; i < decision->n_sizes; i += 2)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j += 3)
      {
        g_autofree char *reading = memlane_decide_map_read (decision, i, j);

        g_string_append_printf (text, "%s\n", reading);
      }
  g_string_append_printf (text, "\n%s\n\n%s\n\n%s\n\n%s\n%s\n", whole, simulated, nothing, of_pieces, piece);
  g_assert_true (g_str_has_prefix (piece, "256 pieces of 4 KiB: "));
  g_assert_nonnull (strstr (simulated, "SIMULATED"));
  g_assert_null (strstr (whole, "SIMULATED"));
  assert_golden ("decide-words.txt", text->str);
}

/* A figure of times beside a background says so. */
static void
test_background (void)
{
  MemlaneRun *run = memlane_run_new ("busy", "simulated:h200", "simulated");
  MemlaneCell *cell = add_cell (run, "pinned", 18, 1e5, MEMLANE_STATUS_OK);
  g_autoptr (MemlaneDecision) decision = NULL;
  g_autofree char *words = NULL;

  cell->beside = MEMLANE_BESIDE_COMPUTE;
  cell->busy = 50;
  decision = decide (run, NULL, MEMLANE_DIRECTION_BOTH);
  words = memlane_decide_map_describe (decision);
  g_assert_nonnull (strstr (words, " · while 50 % of the multiprocessors compute"));
}

static const unsigned char *
get_row (const unsigned char *pixels, int stride, const MemlaneSample *sample, int y, int side)
{
  return pixels + (int) (sample->area.y + sample->area.height / 2 + y) * stride
         + 4 * (int) (sample->area.x + (sample->area.width - side) / 2);
}

/* No two kinds of the legend have the same picture. */
static void
check_marks (gboolean of_pieces)
{
  enum { SIDE = 12 }; /* px around the middle of a picture */
  g_autoptr (MemlaneDecision) decision = of_pieces ? decide_pieces () : decide_recorded (MEMLANE_DIRECTION_BOTH);
  g_autoptr (MemlaneDecideMap) map = lay_out_map (decision, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1280, 720);
  cairo_t *cr = cairo_create (surface);
  int stride = cairo_image_surface_get_stride (surface);
  const unsigned char *pixels;
  guint pairs = 0;

  memlane_decide_map_draw (map, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = cairo_image_surface_get_data (surface);
  for (guint i = 0; i < map->frame.samples->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const MemlaneSample *a = &g_array_index (map->frame.samples, MemlaneSample, i);
        const MemlaneSample *b = &g_array_index (map->frame.samples, MemlaneSample, j);
        gboolean differ = FALSE;

        if (a->item >= MEMLANE_MAP_FIRST_CERTAINTY || b->item >= MEMLANE_MAP_FIRST_CERTAINTY)
          continue;
        for (int y = -SIDE / 2; y < SIDE / 2 && !differ; y++)
          differ = memcmp (get_row (pixels, stride, a, y, SIDE), get_row (pixels, stride, b, y, SIDE), 4 * SIDE) != 0;
        g_assert_true (differ);
        pairs++;
      }
  g_assert_cmpuint (pairs, >=, 3);
  cairo_surface_destroy (surface);
}

/* --- goldens -------------------------------------------------------------------------------------------------------------- */

static void
test_marks (void)
{
  check_marks (FALSE);
  check_marks (TRUE);
}

/* Columns are sizes of a piece, rows are numbers of pieces, and each way of one family is drawn as itself. */
static void
test_pieces (void)
{
  g_autoptr (MemlaneDecision) decision = decide_pieces ();
  g_autoptr (MemlaneDecideMap) map = lay_out_map (decision, MEMLANE_STYLE_SCREEN, 1280, 720, 100);
  g_autoptr (MemlaneDrawing) drawing = memlane_decide_map_drawing_new (decision);
  g_autofree char *csv = drawing->klass->to_csv (drawing->content);
  guint n, column, row;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_assert_cmpuint (decision->n_columns, ==, 9);
  g_assert_cmpuint (decision->n_rows, ==, 3);
  g_assert_cmpuint (decision->rows[2], ==, 4096);
  g_assert_cmpfloat (decision->columns[0], ==, 6);
  g_assert_cmpstr (modes[memlane_map_cell (map, 0, 0).kind].id, ==, "pinned-packed");
  g_assert_cmpstr (modes[memlane_map_cell (map, 8, 0).kind].id, ==, "pinned-batch");
  g_assert_cmpstr (modes[memlane_map_cell (map, 2, 1).kind].id, ==, "mapped-shaped");
  g_assert_cmpint (memlane_map_cell (map, 3, 1).kind, ==, -1); /* not measured */
  g_assert_true (memlane_decide_map_hit (map, map->frame.area.x, map->frame.area.y, &column, &row));
  g_assert_cmpuint (row, ==, 2);
  g_assert_cmpuint (memlane_decision_find_row (decision, 100), ==, 1);
  g_assert_cmpuint (memlane_decision_find_row (decision, 1), ==, 0);
  g_assert_nonnull (strstr (csv, "log2_elements,pieces,mode\n10,16,pinned-packed\n14,256,"));
}

/* --- files ------------------------------------------------------------------------------------------------------------------ */

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/decide-map/every-size", test_every_size);
  g_test_add_func ("/decide-map/contrast", test_contrast);
  g_test_add_func ("/decide-map/regions", test_regions);
  g_test_add_func ("/decide-map/outside", test_outside);
  g_test_add_func ("/decide-map/words", test_words);
  g_test_add_func ("/decide-map/background", test_background);
  g_test_add_func ("/decide-map/marks", test_marks);
  g_test_add_func ("/decide-map/pieces", test_pieces);
  return run_stage ();
}
