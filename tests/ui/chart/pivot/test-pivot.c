/* test-pivot.c: the table of medians: who stands where, what is shaded and said, what fits the wall
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/stage.h"
#include "ui/smallest-text.h"

#include "base/each.h"
#include "chart/export.h"
#include "chart/figure-private.h"
#include "chart/pivot/pivot.h"

static MemlanePivotFigure *
lay_out_pivot (const MemlanePivot *pivot, MemlaneStyleKind style, double width, double height)
{
  PangoContext *context = make_context (100);
  MemlanePivotFigure *figure = memlane_pivot_layout (pivot, memlane_style_get (style), width, height, context);

  g_object_unref (context);
  return figure;
}

/* $MEMLANE_SCREENSHOTS: where pictures are looked at. */
static void
draw_pivot (MemlanePivot *pivot, MemlaneStyleKind style, double width, double height, const char *name)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_pivot_drawing_new (pivot);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes =
    memlane_export_to_bytes (drawing, memlane_style_get (style), memlane_export_find (".png"), width, height, 1, &error);

  g_assert_no_error (error);
  if (g_getenv ("MEMLANE_SCREENSHOTS") != NULL)
    {
      g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SCREENSHOTS"), name, NULL);

      g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), &error);
      g_assert_no_error (error);
    }
}

/* By families; the baseline last, and no contestant: it transfers nothing. */
static void
test_recorded (void)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (run, "Recorded H200", "vector-add", MEMLANE_PHASE_ELAPSED);
  guint n_modes = pivot->modes->len, n_sizes = pivot->sizes->len;
  MemlaneFamily before = 0;

  g_assert_cmpuint (n_modes, >=, 19);
  g_assert_cmpuint (n_sizes, ==, 11);
  g_assert_cmpuint (g_array_index (pivot->sizes, double, 0), ==, 10);
  g_assert_cmpuint (g_array_index (pivot->sizes, double, 10), ==, 20);
  for (guint i = 0; i < n_modes; i++)
    {
      MemlaneFamily family = memlane_mode_find ((const char *) pivot->modes->pdata[i])->family;

      g_assert_cmpint (family, >=, before);
      before = family;
    }
  g_assert_cmpstr ((const char *) pivot->modes->pdata[n_modes - 1], ==, "device-resident");
  for (guint size = 0; size < n_sizes; size++)
    {
      guint fastest = 0;

      g_assert_true (isnan (memlane_pivot_get_ratio (pivot, n_modes - 1, size)));
      for (guint i = 0; i < n_modes; i++)
        {
          const MemlaneCell *cell = memlane_run_find (run, "vector-add", (const char *) pivot->modes->pdata[i], 10 + size);
          double ratio = memlane_pivot_get_ratio (pivot, i, size);

          fastest += ratio == 1;
          g_assert_false (ratio < 1);
          if (cell != NULL && cell->figures->len > 0)
            g_assert_cmpfloat (memlane_pivot_get (pivot, i, size)->median, ==,
                               memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->statistics.median);
        }
      g_assert_cmpuint (fastest, >=, 1);
    }
}

/* What is under the pointer is what stands there. */
static void
test_hits (void)
{
  g_autoptr (MemlaneRun) run = read_recorded ("h200-vector-add.csv");
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new (run, NULL, "vector-add", MEMLANE_PHASE_KERNEL);
  guint shown = 0;

  for (double width = 300; width <= 1500; width += 400)
    {
      g_autoptr (MemlanePivotFigure) figure = lay_out_pivot (pivot, MEMLANE_STYLE_SCREEN, width, 600);
      guint mode, size;

      shown = 0;
      for (guint i = 0; i < pivot->modes->len; i++)
        for (guint j = 0; j < pivot->sizes->len; j++)
          {
            MemlaneRectangle area;

            if (!memlane_pivot_figure_place (figure, i, j, &area))
              continue;
            shown += i == 0;
            g_assert_true (memlane_pivot_figure_hit (figure, area.x + area.width / 2, area.y + area.height / 2, &mode, &size));
            g_assert_cmpuint (mode, ==, i);
            g_assert_cmpuint (size, ==, j);
          }
      g_assert_cmpuint (shown, ==, memlane_pivot_figure_count_shown (figure));
      g_assert_false (memlane_pivot_figure_hit (figure, 1, 1, &mode, &size));
    }
  g_assert_cmpuint (shown, ==, pivot->sizes->len); /* 1500 px have room for all */
}

/* Cells without a figure say why, one sample has no interval, a run without the workload is no table. */
static void
test_words (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("invented", "simulated:h200", "simulated");
  g_autoptr (MemlanePivot) pivot = NULL, empty = memlane_pivot_new (NULL, NULL, "vector-add", MEMLANE_PHASE_ELAPSED);
  g_autofree char *title = NULL, *csv = NULL, *nothing = memlane_pivot_describe (empty), *words = NULL;
  const MemlaneStatistics one = { 1, 4000, 4000, 4000, 4000, 4000, 4000, 4000 };
  MemlaneCell *cell;

  add_cell (run, "pageable", 10, 8000, MEMLANE_STATUS_NOISY);
  add_cell (run, "pinned", 11, 9000, MEMLANE_STATUS_OK);
  cell = memlane_cell_new ("vector-add", "pinned", 10);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &one, 0, MEMLANE_STATUS_OK, NULL);
  g_ptr_array_add (run->cells, cell);
  cell = memlane_cell_new ("vector-add", "managed", 10);
  cell->status = MEMLANE_STATUS_UNSUPPORTED;
  g_ptr_array_add (run->cells, cell);
  pivot = memlane_pivot_new (run, NULL, "vector-add", MEMLANE_PHASE_ELAPSED);
  title = memlane_pivot_title (pivot);
  g_assert_cmpstr (title, ==, "Vector addition, total time (µs)");
  for (guint mode = 0; mode < 3; mode++)
    {
      static const char *const expected[] = { ", 2.00 times as long as Pinned", "Pinned, 2¹⁰ floats: 4.00 µs, the fastest",
                                              "Managed, 2¹⁰ floats: unsupported" };
      g_autofree char *reading = memlane_pivot_read (pivot, mode, 0);

      if (strstr (reading, expected[mode]) == NULL)
        g_error ("%s", reading);
    }
  csv = memlane_pivot_to_csv (pivot);
  g_assert_cmpstr (csv, ==, "mode,2^10,2^11\npageable,8000,\npinned,4000,9000\nmanaged,,\n");
  words = memlane_pivot_describe (pivot);
  g_assert_nonnull (strstr (words, "Simulated: not measured on a GPU."));
  g_assert_cmpuint (empty->modes->len, ==, 0);
  g_assert_cmpstr (nothing, ==, "No table: no shown run has figures of this workload.");
  draw_pivot (empty, MEMLANE_STYLE_SCREEN, 300, 200, "pivot-empty.png");
}

static MemlaneCell *
add_method (MemlaneRun *run, const char *mode, guint reuse, guint streams, double median)
{
  MemlaneCell *cell = add_cell (run, mode, 10, median, MEMLANE_STATUS_OK);

  cell->reuse = reuse;
  cell->streams = streams;
  cell->chunks = streams * 2;
  return cell;
}

/* Of cells that differ in reuse or streams the first is shown, and that is said; the same cell twice is nothing to tell. */
static void
test_varied (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("invented", "simulated:h200", "simulated");
  g_autoptr (MemlanePivot) pivot = NULL;
  g_autofree char *pinned = NULL, *streams = NULL, *once = NULL;

  add_method (run, "pinned", 1, 0, 4000);
  add_method (run, "pinned", 16, 0, 9000);
  add_method (run, "streams-depth-first", 1, 8, 5000);
  add_method (run, "streams-depth-first", 1, 4, 6000);
  add_method (run, "mapped", 1, 0, 8000);
  add_method (run, "mapped", 1, 0, 7000);
  pivot = memlane_pivot_new (run, NULL, "vector-add", MEMLANE_PHASE_ELAPSED);
  g_assert_cmpuint (pivot->modes->len, ==, 3);
  g_assert_cmpuint (memlane_pivot_count_varied (pivot), ==, 2);
  for (guint mode = 0; mode < 3; mode++)
    {
      g_autofree char *reading = memlane_pivot_read (pivot, mode, 0);
      const char *id = (const char *) pivot->modes->pdata[mode];

      g_assert_cmpint (g_str_equal (id, "mapped"), ==, strstr (reading, "first of several") == NULL);
      if (g_str_equal (id, "pinned"))
        g_assert_true (g_str_has_suffix (reading, "4.00 µs (3.60 µs to 4.40 µs), the fastest (first of several: reuse 1)"));
      if (g_str_equal (id, "streams-depth-first"))
        g_assert_true (g_str_has_suffix (reading, "(first of several: reuse 1, 8 streams × 16 chunks)"));
    }
  draw_pivot (pivot, MEMLANE_STYLE_SCREEN, 700, 300, "pivot-varied.png");
  draw_pivot (pivot, MEMLANE_STYLE_PROJECTOR, 1280, 720, "pivot-varied-wall.png");
}

/* Two runs: the same ones tie everywhere; of others cells have the ratio of the medians, where both have one. */
static void
test_compared (void)
{
  g_autoptr (MemlaneRun) base = read_recorded ("h200-vector-add.csv"), run = read_recorded ("h200-vector-add-reuse16.csv");
  g_autoptr (MemlanePivot) same = memlane_pivot_new_compared (base, "A", base, "B", "vector-add", MEMLANE_PHASE_ELAPSED, NULL);
  g_autoptr (MemlanePivot) pivot = memlane_pivot_new_compared (base, "A", run, "B", "vector-add", MEMLANE_PHASE_ELAPSED, "They differ");
  g_autofree char *title = memlane_pivot_title (pivot), *reading = NULL, *csv = memlane_pivot_to_csv (same);

  g_assert_cmpstr (title, ==, "Vector addition, total time: B relative to A");
  g_assert_nonnull (strstr (csv, "\npageable,1,1,1,"));
  g_assert_cmpuint (pivot->modes->len, >, 10);
  for (guint i = 0; i < same->modes->len; i++)
    for (guint j = 0; j < same->sizes->len; j++)
      if (memlane_pivot_get (same, i, j)->median > 0)
        {
          g_assert_true (memlane_pivot_is_tied (same, i, j));
          g_assert_cmpfloat (memlane_pivot_get_ratio (same, i, j), ==, 1);
        }
  reading = memlane_pivot_read (pivot, 0, 0);
  g_assert_true (g_str_has_prefix (reading, "Pageable, 2¹⁰ floats: "));
  g_assert_nonnull (strstr (reading, " of A, "));
  /* Sixteen kernels take longer than one. */
  g_assert_cmpfloat (memlane_pivot_get_ratio (pivot, 0, 0), >, 1);
  draw_pivot (pivot, MEMLANE_STYLE_SCREEN, 980, 560, "pivot-compared.png");
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/pivot/recorded", test_recorded);
  g_test_add_func ("/pivot/hits", test_hits);
  g_test_add_func ("/pivot/words", test_words);
  g_test_add_func ("/pivot/varied", test_varied);
  g_test_add_func ("/pivot/compared", test_compared);
  return run_stage ();
}
