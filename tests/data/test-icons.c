/* test-icons.c: the application's icons can be drawn at every size that a desktop asks for
 *
 * SPDX-License-Identifier: MIT
 */
#include <gdk-pixbuf/gdk-pixbuf.h>

#define FOLDER "data", "icons", "hicolor"
#define NAME "io.github.memlane.Memlane"

typedef struct
{
  guint visible;      /* pixels that are not transparent */
  guint other_colour; /* of those, the ones that differ from the symbolic icons' grey */
  gboolean has_corner;
} Look;

static Look
look_at (const char *kind, const char *file, int size)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), FOLDER, kind, "apps", file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_file_at_size (path, size, size, &error);
  Look look = { 0 };
  int stride;
  const guint8 *pixels;

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), ==, size);
  g_assert_cmpint (gdk_pixbuf_get_height (pixbuf), ==, size);
  g_assert_true (gdk_pixbuf_get_has_alpha (pixbuf));
  stride = gdk_pixbuf_get_rowstride (pixbuf);
  pixels = gdk_pixbuf_read_pixels (pixbuf);
  look.has_corner = pixels[3] != 0;
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
        const guint8 *pixel = pixels + y * stride + x * 4;

        if (pixel[3] < 128)
          continue;
        look.visible++;
        if (ABS (pixel[0] - 0x2e) > 4 || ABS (pixel[1] - 0x34) > 4 || ABS (pixel[2] - 0x36) > 4)
          look.other_colour++;
      }
  return look;
}

static void
test_application (void)
{
  for (int size = 16; size <= 512; size *= 2)
    {
      Look look = look_at ("scalable", NAME ".svg", size);

      g_assert_cmpuint (look.visible, >, size * size / 2);
      g_assert_cmpuint (look.other_colour, >, look.visible / 2);
      g_assert_false (look.has_corner);
    }
}

/* GTK colours a symbolic icon anew; it can do so only when there is one colour to replace. */
static void
test_symbolic (void)
{
  for (int size = 16; size <= 128; size *= 2)
    {
      Look look = look_at ("symbolic", NAME "-symbolic.svg", size);

      g_assert_cmpuint (look.visible, >, size * size / 5);
      g_assert_cmpuint (look.visible, <, size * size * 4 / 5);
      g_assert_cmpuint (look.other_colour, ==, 0);
      g_assert_false (look.has_corner);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/icons/application", test_application);
  g_test_add_func ("/icons/symbolic", test_symbolic);
  return g_test_run ();
}
