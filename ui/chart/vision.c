/* vision.c: how far apart two colours are for people with each kind of colour vision, and in grey
 *
 * SPDX-License-Identifier: MIT
 */
#include "vision.h"

#include <math.h>

#include "figure-private.h"

static const struct
{
  const char *name;
  double matrix[3][3];
} visions[] = {
  [MEMLANE_VISION_NORMAL] = { "normal vision", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  [MEMLANE_VISION_PROTANOPIA] = { "protanopia", { { 0.152286, 1.052583, -0.204868 },
                                                  { 0.114503, 0.786281, 0.099216 },
                                                  { -0.003882, -0.048116, 1.051998 } } },
  [MEMLANE_VISION_DEUTERANOPIA] = { "deuteranopia", { { 0.367322, 0.860646, -0.227968 },
                                                      { 0.280085, 0.672501, 0.047413 },
                                                      { -0.011820, 0.042940, 0.968881 } } },
  [MEMLANE_VISION_TRITANOPIA] = { "tritanopia", { { 1.255528, -0.076749, -0.178779 },
                                                  { -0.078411, 0.930809, 0.147602 },
                                                  { 0.004733, 0.691367, 0.303900 } } },
  [MEMLANE_VISION_GREY] = { "grey", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
};

static double
lab_curve (double t)
{
  return t > 0.008856 ? cbrt (t) : 7.787 * t + 16.0 / 116;
}

static void
get_lab (const MemlaneColor *color, const double matrix[3][3], double lab[3])
{
  const double light[3] = { memlane_color_linear (color->red), memlane_color_linear (color->green), memlane_color_linear (color->blue) };
  double seen[3], x, y, z;

  for (int i = 0; i < 3; i++)
    seen[i] = CLAMP (matrix[i][0] * light[0] + matrix[i][1] * light[1] + matrix[i][2] * light[2], 0, 1);
  x = lab_curve ((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  y = lab_curve (0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  z = lab_curve ((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

double
memlane_vision_distance (const MemlaneColor *a, const MemlaneColor *b, MemlaneVision vision)
{
  double x[3], y[3];

  get_lab (a, visions[vision].matrix, x);
  get_lab (b, visions[vision].matrix, y);
  return vision == MEMLANE_VISION_GREY ? fabs (x[0] - y[0]) : sqrt (pow (x[0] - y[0], 2) + pow (x[1] - y[1], 2) + pow (x[2] - y[2], 2));
}

char *
memlane_vision_check (const MemlaneChart *chart, const MemlaneStyle *style)
{
  GString *text = g_string_new (NULL);
  double line = 21;

  for (guint vision = 0; vision < MEMLANE_N_VISIONS; vision++)
    {
      const MemlaneSeries *nearest = NULL, *other = NULL;
      double least = INFINITY;

      for (guint i = 0; i < chart->series->len; i++)
        for (guint j = 0; j < i; j++)
          {
            const MemlaneSeries *a = chart->series->pdata[i], *b = chart->series->pdata[j];
            MemlaneColor one = memlane_family_color (a->family, style), two = memlane_family_color (b->family, style);
            double distance = memlane_vision_distance (&one, &two, vision);

            if (a->family == b->family || distance >= least)
              continue;
            least = distance;
            nearest = a;
            other = b;
          }
      if (nearest != NULL)
        g_string_append_printf (text, "%s: %s and %s are %.1f apart\n", visions[vision].name, memlane_family_id (other->family),
                                memlane_family_id (nearest->family), least);
    }
  for (guint i = 0; i < chart->series->len; i++)
    {
      MemlaneColor color = memlane_family_color (((const MemlaneSeries *) chart->series->pdata[i])->family, style);

      line = MIN (line, memlane_color_contrast (&color, &style->background));
    }
  g_string_append_printf (text, "contrast: lines %.1f:1 or more, text %.1f:1, small text %.1f:1\n", line,
                          memlane_color_contrast (&style->text, &style->background),
                          memlane_color_contrast (&style->faint, &style->background));
  return g_string_free (text, FALSE);
}
