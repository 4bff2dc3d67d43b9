/* test-raster.c: shapes put on pixels without cairo look as cairo's
 *
 * SPDX-License-Identifier: MIT
 */
#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/raster.h"

#define SIZE 160
#define NEAR 24 /* levels of a channel: cairo looks at fifteen heights of a pixel */
#define FAR 96  /* in few pixels: where two pieces of a line meet sharply, each covers a part of the same pixel */
#define FEW 16  /* channels */

static const MemlaneColor dark = { 0.1, 0.2, 0.7, 1 }, faded = { 0.8, 0.1, 0.1, 0.4 };

static guint8
get_channel (cairo_surface_t *image, int x, int y, int channel)
{
  return cairo_image_surface_get_data (image)[y * cairo_image_surface_get_stride (image) + 4 * x + channel];
}

/* How many channels differ at all; *@most: by how much; *@far: how many by more than NEAR. */
static guint
compare (cairo_surface_t *a, cairo_surface_t *b, int *most, guint *far)
{
  guint n = 0;

  *most = 0;
  *far = 0;
  for (int i = 0; i < SIZE * SIZE * 4; i++)
    {
      int distance = abs (get_channel (a, i / 4 % SIZE, i / 4 / SIZE, i % 4) - get_channel (b, i / 4 % SIZE, i / 4 / SIZE, i % 4));

      n += distance > 0;
      *far += distance > NEAR;
      *most = MAX (*most, distance);
    }
  return n;
}

static cairo_surface_t *
new_image (double scale)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIZE, SIZE);
  cairo_t *cr = cairo_create (image);

  cairo_set_source_rgb (cr, 1, 0.95, 0.9);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_set_device_scale (image, scale, scale);
  return image;
}

typedef void (*Paint) (cairo_t *cr, const MemlaneColor *color);

static void
fill_by_cairo (cairo_t *cr, const MemlaneColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_fill (cr);
}

static void
stroke_by_cairo (cairo_t *cr, const MemlaneColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_stroke (cr);
}

/* A curve as a plot has it: flat, steep, back to flat, in two parts. */
static void
draw_curve (cairo_t *cr, Paint paint, const MemlaneColor *color)
{
  static const double points[][2] = { { 3, 70 }, { 14, 69.5 }, { 25, 66 }, { 36, 30 }, { 47, 12 }, { 58, 11.2 }, { 69, 40 } };

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_BEVEL);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    cairo_line_to (cr, points[i][0], points[i][1]);
  cairo_move_to (cr, 10, 75);
  cairo_line_to (cr, 70, 74);
  paint (cr, color);
}

static void
test_lines (void)
{
  static const double patterns[][4] = { { 0 }, { 5, 2 }, { 1, 1.5 }, { 5, 1.5, 1, 1.5 } };
  static const int counts[] = { 0, 2, 2, 4 };
  static const double widths[] = { 0.8, 2, 4.5 }, scales[] = { 1, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (counts) * G_N_ELEMENTS (widths) * G_N_ELEMENTS (scales) * 2; i++)
    {
      guint pattern = i % G_N_ELEMENTS (counts), left = i / G_N_ELEMENTS (counts);
      double width = widths[left % G_N_ELEMENTS (widths)], scale = scales[left / G_N_ELEMENTS (widths) % G_N_ELEMENTS (scales)];
      const MemlaneColor *color = left / G_N_ELEMENTS (widths) / G_N_ELEMENTS (scales) ? &faded : &dark;
      Paint paints[] = { stroke_by_cairo, memlane_raster_stroke };
      cairo_surface_t *images[2], *blank = new_image (scale);
      double dashes[4];
      int most;
      guint far;

      for (int n = 0; n < 4; n++)
        dashes[n] = patterns[pattern][n] * width;
      for (int n = 0; n < 2; n++)
        {
          cairo_t *cr = cairo_create (images[n] = new_image (scale));

          cairo_set_dash (cr, dashes, counts[pattern], 0);
          cairo_set_line_width (cr, width);
          draw_curve (cr, paints[n], color);
          g_assert_false (cairo_has_current_point (cr));
          g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
          cairo_destroy (cr);
          cairo_surface_flush (images[n]);
        }
      g_assert_cmpuint (compare (images[1], blank, &most, &far), >, 200);
      /* Not by cairo: it would be the same to the last bit. */
      g_assert_cmpuint (compare (images[0], images[1], &most, &far), >, 0);
      g_test_message ("pattern %u, width %g, scale %g, alpha %g: %d, %u", pattern, width, scale, color->alpha, most, far);
      g_assert_cmpint (most, <=, FAR);
      g_assert_cmpuint (far, <=, FEW);
      cairo_surface_destroy (blank);
      cairo_surface_destroy (images[0]);
      cairo_surface_destroy (images[1]);
    }
}

/* Closed outlines with sharp and hollow corners, as markers have. */
static void
test_outlines (void)
{
  for (int i = 0; i < 12; i++)
    {
      Paint paints[][2] = { { fill_by_cairo, memlane_raster_fill }, { stroke_by_cairo, memlane_raster_stroke } };
      cairo_surface_t *images[2];
      int most;
      guint far;

      for (int n = 0; n < 2; n++)
        {
          cairo_t *cr = cairo_create (images[n] = new_image (1));

          cairo_set_line_width (cr, i % 3 == 2 ? 4 : 1.05);
          cairo_set_miter_limit (cr, 3);
          for (int corner = 0; corner < 10; corner++)
            {
              double reach = (corner % 2 == 0 ? 1.4 : 0.66) * (i % 3 == 0 ? 4 : 30), angle = (corner / 5.0 - 0.5) * G_PI;

              cairo_line_to (cr, 60.3 + reach * cos (angle), 60.7 + reach * sin (angle));
            }
          cairo_close_path (cr);
          cairo_new_sub_path (cr);
          cairo_arc (cr, 130, 120.5, 6, 0, 2 * G_PI);
          cairo_close_path (cr);
          paints[i / 6][n] (cr, i / 3 % 2 == 0 ? &dark : &faded);
          cairo_destroy (cr);
          cairo_surface_flush (images[n]);
        }
      g_assert_cmpuint (compare (images[0], images[1], &most, &far), >, 0);
      g_test_message ("outline %d: %d, %u", i, most, far);
      g_assert_cmpint (most, <=, FAR);
      g_assert_cmpuint (far, <=, FEW);
      cairo_surface_destroy (images[0]);
      cairo_surface_destroy (images[1]);
    }
}

/* So much of a pixel is covered, so much of the colour it has. */
static void
test_shares (void)
{
  static const MemlaneColor black = { 0, 0, 0, 1 };
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
  cairo_t *cr = cairo_create (image);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_rectangle (cr, 10.25, 20.5, 40, 3);
  memlane_raster_fill (cr, &black);
  g_assert_cmpint (abs (get_channel (image, 10, 20, 0) - 159), <=, 1); /* 3/8 */
  g_assert_cmpint (abs (get_channel (image, 30, 20, 0) - 127), <=, 1);
  g_assert_cmpint (get_channel (image, 30, 21, 0), ==, 0);
  g_assert_cmpint (abs (get_channel (image, 50, 21, 0) - 191), <=, 1); /* 1/4 */
  g_assert_cmpint (abs (get_channel (image, 50, 23, 0) - 223), <=, 1); /* 1/8 */
  g_assert_cmpint (get_channel (image, 51, 21, 0), ==, 255);
  g_assert_cmpint (get_channel (image, 30, 24, 0), ==, 255);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
}

static cairo_status_t
append (void *text, const unsigned char *data, unsigned int length)
{
  g_string_append_len (text, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* What is not simple is cairo's: the same to the last bit. */
static void
test_left_to_cairo (void)
{
  enum { TURNED, CLIPPED, OUTSIDE, ROUND, CASES };
  g_autoptr (GString) svg = g_string_new (NULL);
  cairo_surface_t *vector;
  cairo_t *cr;

  for (int i = 0; i < CASES; i++)
    {
      Paint paints[] = { stroke_by_cairo, memlane_raster_stroke };
      cairo_surface_t *images[2], *blank = new_image (1);
      int most;
      guint far;

      for (int n = 0; n < 2; n++)
        {
          cr = cairo_create (images[n] = new_image (1));
          if (i == TURNED)
            cairo_rotate (cr, 0.1);
          if (i == CLIPPED)
            {
              cairo_rectangle (cr, 0, 0, 40, SIZE);
              cairo_clip (cr);
            }
          if (i == OUTSIDE)
            cairo_translate (cr, SIZE - 30, 0);
          if (i == ROUND)
            cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
          draw_curve (cr, paints[n], &dark);
          cairo_destroy (cr);
          cairo_surface_flush (images[n]);
        }
      g_assert_cmpuint (compare (images[0], images[1], &most, &far), ==, 0);
      g_assert_cmpuint (compare (images[0], blank, &most, &far), >, 0);
      cairo_surface_destroy (blank);
      cairo_surface_destroy (images[0]);
      cairo_surface_destroy (images[1]);
    }
  vector = cairo_svg_surface_create_for_stream (append, svg, SIZE, SIZE);
  cr = cairo_create (vector);
  draw_curve (cr, memlane_raster_stroke, &dark);
  cairo_destroy (cr);
  cairo_surface_finish (vector);
  g_assert_nonnull (strstr (svg->str, "stroke-width"));
  g_assert_null (strstr (svg->str, "<image"));
  cairo_surface_destroy (vector);
}

/* In all parts of a pixel, over each other, empty, and where a clip or the image cuts them: the same to the last bit. */
static void
test_rectangles (void)
{
  for (int i = 0; i < 3 * 2; i++)
    {
      cairo_surface_t *images[2], *blank = new_image (1 + i % 2);
      MemlaneRectangle areas[60];
      guint far;
      int most;

      for (guint n = 0; n < G_N_ELEMENTS (areas); n++)
        areas[n] = (MemlaneRectangle){ n * 2.13 - 10, n * 1.37 - 5, n % 7 * 1.21, n % 11 * 2.3 };
      for (int n = 0; n < 2; n++)
        {
          cairo_t *cr = cairo_create (images[n] = new_image (1 + i % 2));

          if (i / 2 >= 1)
            {
              cairo_rectangle (cr, 11, 7, 50, 45);
              cairo_clip (cr);
            }
          if (i / 2 == 2)
            {
              cairo_rectangle (cr, 70, 7, 5, 4); /* all is clipped away */
              cairo_clip (cr);
            }
          if (n == 0)
            {
              for (guint area = 0; area < G_N_ELEMENTS (areas); area++)
                cairo_rectangle (cr, areas[area].x, areas[area].y, areas[area].width, areas[area].height);
              cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
              fill_by_cairo (cr, &dark);
            }
          else
            memlane_raster_fill_rectangles (cr, areas, G_N_ELEMENTS (areas), &dark);
          cairo_destroy (cr);
          cairo_surface_flush (images[n]);
        }
      compare (images[0], blank, &most, &far);
      g_assert_cmpint (most > 0, ==, i / 2 < 2);
      g_assert_cmpuint (compare (images[0], images[1], &most, &far), ==, 0);
      cairo_surface_destroy (blank);
      cairo_surface_destroy (images[0]);
      cairo_surface_destroy (images[1]);
    }
}

/* Nothing, a point, a line without length. */
static void
test_nothing (void)
{
  cairo_surface_t *image = new_image (1), *blank = new_image (1);
  cairo_t *cr = cairo_create (image);
  int most;
  guint far;

  memlane_raster_fill (cr, &dark);
  cairo_move_to (cr, 5, 5);
  memlane_raster_stroke (cr, &dark);
  cairo_move_to (cr, 5, 5);
  cairo_line_to (cr, 5, 5);
  cairo_close_path (cr);
  memlane_raster_stroke (cr, &dark);
  cairo_rectangle (cr, 10, 10, 20, 0);
  memlane_raster_fill (cr, &dark);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_flush (image);
  g_assert_cmpuint (compare (image, blank, &most, &far), ==, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
  cairo_surface_destroy (blank);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/lines", test_lines);
  g_test_add_func ("/raster/outlines", test_outlines);
  g_test_add_func ("/raster/shares", test_shares);
  g_test_add_func ("/raster/rectangles", test_rectangles);
  g_test_add_func ("/raster/left-to-cairo", test_left_to_cairo);
  g_test_add_func ("/raster/nothing", test_nothing);
  return g_test_run ();
}
