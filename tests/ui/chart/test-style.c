/* test-style.c: styles can be read, modes can be told apart
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/style.h"
#include "ui/chart/vision.h"

#include <math.h>
#include <string.h>

#include "made-up-modes.h"

/* --- styles -------------------------------------------------------------------------------------------- */

static void
test_contrast (void)
{
  MemlaneColor black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 }, grey = { 0x77 / 255.0, 0x77 / 255.0, 0x77 / 255.0, 1 };
  guint n_modes;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  g_assert_cmpfloat_with_epsilon (memlane_color_contrast (&black, &white), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (memlane_color_contrast (&white, &black), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (memlane_color_contrast (&white, &grey), 4.48, 0.01);
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    {
      const MemlaneStyle *style = memlane_style_get ((MemlaneStyleKind) i);
      gboolean high = strstr (style->name, "high-contrast") != NULL;

      g_assert_cmpfloat (memlane_color_contrast (&style->text, &style->background), >=, high ? 15 : 7);
      g_assert_cmpfloat (memlane_color_contrast (&style->faint, &style->background), >=, high ? 7 : 4.5);
      g_assert_cmpfloat (memlane_color_contrast (&style->simulated, &style->background), >=, 4.5);
      g_assert_cmpfloat (memlane_color_contrast (&style->ceiling, &style->background), >=, 4.5);
      g_assert_cmpfloat (memlane_color_contrast (&style->crosshair, &style->background), >=, 4.5);
      g_assert_cmpfloat (memlane_color_contrast (&style->axis, &style->background), >=, 3);
      for (guint j = 0; j < n_modes; j++)
        {
          MemlaneCurveStyle look = memlane_curve_style_for_mode (modes[j].id, style);
          double contrast = memlane_color_contrast (&look.color, &style->background);

          if (contrast < (style->kind == MEMLANE_STYLE_HIGH_CONTRAST ? 7 : 3))
            g_test_fail_printf ("%s in %s: %.2f:1", modes[j].id, style->name, contrast);
        }
    }
}

/* --- looks -------------------------------------------------------------------------------------------- */

/* The distances that the families keep. */
static const double least_apart[MEMLANE_N_VISIONS] = {
  [MEMLANE_VISION_NORMAL] = 22, [MEMLANE_VISION_PROTANOPIA] = 16, [MEMLANE_VISION_DEUTERANOPIA] = 16,
  [MEMLANE_VISION_TRITANOPIA] = 16, [MEMLANE_VISION_GREY] = 3,
};

/* No two families look alike, whoever looks, nor in a grey print. */
static void
test_families (void)
{
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    {
      const MemlaneStyle *style = memlane_style_get ((MemlaneStyleKind) i);

      for (guint v = 0; v < MEMLANE_N_VISIONS; v++)
        for (int a = 0; a < MEMLANE_N_FAMILIES; a++)
          for (int b = 0; b < a; b++)
            {
              MemlaneColor one = memlane_family_color (a, style), other = memlane_family_color (b, style);
              double apart = vision_distance (&one, &other, v);

              if (apart < least_apart[v])
                g_test_fail_printf ("%s, vision %u: %s and %s are %.1f apart", style->name, v, memlane_family_id (a),
                                    memlane_family_id (b), apart);
            }
    }
}

/* What is left in a grey print. */
static gboolean
same_shape (const MemlaneCurveStyle *a, const MemlaneCurveStyle *b)
{
  return a->marker == b->marker && a->n_dashes == b->n_dashes && memcmp (a->dashes, b->dashes, sizeof a->dashes) == 0;
}

/* Colour and marker are the family's, the dash tells its modes apart. */
static void
test_looks (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    {
      const MemlaneStyle *style = memlane_style_get ((MemlaneStyleKind) i);

      for (guint j = 0; j < n; j++)
        {
          MemlaneCurveStyle look = memlane_curve_style_for_mode (modes[j].id, style);
          MemlaneColor color = memlane_family_color (modes[j].family, style);

          g_assert_cmpint (look.n_dashes, >=, 0);
          g_assert_cmpint (look.n_dashes, <=, (int) G_N_ELEMENTS (look.dashes));
          g_assert_cmpint (look.n_dashes % 2, ==, 0);
          g_assert_cmpmem (&look.color, sizeof look.color, &color, sizeof color);
          g_assert_cmpint (memlane_family_of_mode (modes[j].id), ==, modes[j].family);
          for (guint k = 0; k < j; k++)
            {
              MemlaneCurveStyle other = memlane_curve_style_for_mode (modes[k].id, style);

              if (same_shape (&look, &other))
                g_test_fail_printf ("%s and %s have the same marker and dash", modes[j].id, modes[k].id);
              g_assert_cmpint (look.marker == other.marker, ==, modes[j].family == modes[k].family);
            }
        }
    }
}

static void
test_unknown_modes (void)
{
  const MemlaneStyle *style = memlane_style_get (MEMLANE_STYLE_SCREEN), *dark = memlane_style_get (MEMLANE_STYLE_DARK);
  guint n, n_shapes = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneCurveStyle seen[200];

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *id = g_strdup_printf ("mode-from-elsewhere-%u", i);
      MemlaneCurveStyle look = memlane_curve_style_for_mode (id, style), again = memlane_curve_style_for_mode (id, style);
      MemlaneCurveStyle in_dark = memlane_curve_style_for_mode (id, dark);
      gboolean known = FALSE;

      g_assert_true (same_shape (&look, &again));
      g_assert_true (same_shape (&look, &in_dark));
      g_assert_cmpfloat (memlane_color_contrast (&look.color, &style->background), >=, 3);
      g_assert_cmpint (memlane_family_of_mode (id), ==, MEMLANE_N_FAMILIES);
      for (guint j = 0; j < n; j++)
        {
          MemlaneCurveStyle registered = memlane_curve_style_for_mode (modes[j].id, style);

          g_assert_false (same_shape (&look, &registered));
        }
      for (guint j = 0; j < n_shapes; j++)
        known = known || same_shape (&look, &seen[j]);
      if (!known)
        seen[n_shapes++] = look;
    }
  g_assert_cmpuint (n_shapes, ==, 6); /* those of the first modes of a family */
  memlane_curve_style_for_mode ("", style);
}

/* --- drawing -------------------------------------------------------------------------------------------- */

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/style/contrast", test_contrast);
  g_test_add_func ("/style/families", test_families);
  g_test_add_func ("/style/looks", test_looks);
  g_test_add_func ("/style/unknown-modes", test_unknown_modes);
  return g_test_run ();
}
