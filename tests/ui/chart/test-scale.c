/* test-scale.c: places, fitted ranges and ticks
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/scale.h"

#include <float.h>
#include <math.h>

#include "golden.h"
#include "base/each.h"

static const char *const kind_names[] = { "linear", "log2", "log10" };
static const char *const unit_names[] = { "elements", "bytes", "bandwidth", "time", "ratio" };

/* --- what must hold of every axis -------------------------------------------------------------------------------------------- */

static void
check_ticks (const MemlaneScale *scale, MemlaneUnit unit, guint most)
{
  g_autoptr(GArray) ticks = memlane_scale_ticks (scale, unit, most);
  g_autoptr(GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  guint majors = 0;

  g_assert_cmpuint (ticks->len, <=, 10 * most);
  for (guint i = 0; i < ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (ticks, MemlaneTick, i);

      g_assert_true (isfinite (tick->value));
      g_assert_cmpfloat (tick->value, >=, scale->from);
      g_assert_cmpfloat (tick->value, <=, scale->to);
      if (i > 0)
        g_assert_cmpfloat (tick->value, >, g_array_index (ticks, MemlaneTick, i - 1).value);
      g_assert_cmpint (tick->major, ==, tick->label != NULL);
      majors += tick->major;
      if (tick->label == NULL)
        continue;
      g_assert_cmpstr (tick->label, !=, "");
      g_assert_cmpstr (tick->label, !=, "-0");
      if (!g_hash_table_add (labels, tick->label))
        g_test_fail_printf ("%s %s %.17g..%.17g, %u: \"%s\" stands there twice", kind_names[scale->kind], unit_names[unit], scale->from,
                            scale->to, most, tick->label);
    }
  g_assert_cmpuint (majors, <=, most);
}

/* --- tests -------------------------------------------------------------------------------------------- */

static void
test_map (void)
{
  const MemlaneScale scales[] = {
    { MEMLANE_SCALE_LINEAR, 0, 80 },     { MEMLANE_SCALE_LINEAR, -3, 5 },      { MEMLANE_SCALE_LOG2, 1024, 1048576 },
    { MEMLANE_SCALE_LOG10, 1e-3, 1e12 }, { MEMLANE_SCALE_LINEAR, 40, 40.001 }, { MEMLANE_SCALE_LOG10, 0.9, 1.1 },
  };
  MemlaneScale log2_scale = scales[2];

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_assert_cmpfloat_with_epsilon (memlane_scale_map (&scales[i], scales[i].from), 0, 1e-12);
      g_assert_cmpfloat_with_epsilon (memlane_scale_map (&scales[i], scales[i].to), 1, 1e-12);
      for (double place = -0.5; place <= 1.5; place += 0.125)
        g_assert_cmpfloat_with_epsilon (memlane_scale_map (&scales[i], memlane_scale_unmap (&scales[i], place)), place, 1e-9);
      g_assert_true (isnan (memlane_scale_map (&scales[i], NAN)));
      g_assert_true (isnan (memlane_scale_map (&scales[i], INFINITY)));
    }
  g_assert_cmpfloat_with_epsilon (memlane_scale_map (&log2_scale, 32768), 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (memlane_scale_map (&log2_scale, 512), -0.1, 1e-12);
  g_assert_true (isnan (memlane_scale_map (&log2_scale, 0)));
  g_assert_true (isnan (memlane_scale_map (&log2_scale, -1)));
  g_assert_cmpfloat_with_epsilon (memlane_scale_map (&scales[1], -3), 0, 1e-12);
}

/* Fitted ranges hold what they were made for and end on ticks: compared with golden/fit.txt. */
static void
test_fit (void)
{
  static const double ranges[][2] = {
    { 0, 64.9e9 },     { 3, 60 },       { 3, 63.1 },    { 1, 1 },         { 0, 0 },         { -5, 5 },      { -7, -2 },     { -5, -5 },
    { 1e-9, 2e-9 },    { 0.9, 1.1 },    { 10, 1 },      { 1024, 1048576 }, { 1500, 90000 },  { 16384, 16384 }, { 1, 1000 },   { 2, 500 },
    { 2.1, 480 },      { 99, 101 },     { 0, 1e6 },     { -4, 100 },      { NAN, 5 },       { 5, NAN },     { NAN, NAN },
    { -INFINITY, INFINITY }, { 0, INFINITY },   { 1e300, 1e308 }, { 1e-320, 1e-310 }, { 1, 1e18 }, { 15e3, 1.2e6 },
    { 1e9, 1e9 + 1e-3 }, { 0.2, 0.2 }, { 5, 5 },
  };
  g_autoptr(GString) text = g_string_new (NULL);

  for (int kind = MEMLANE_SCALE_LINEAR; kind <= MEMLANE_SCALE_LOG10; kind += MEMLANE_SCALE_LOG10 - MEMLANE_SCALE_LINEAR)
    for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
      {
        double low = ranges[i][0], high = ranges[i][1];
        MemlaneScale scale = memlane_scale_fit ((MemlaneScaleKind) kind, low, high);

        g_assert_true (isfinite (scale.from) && isfinite (scale.to));
        g_assert_cmpfloat (scale.from, <, scale.to);
        g_assert_cmpint (scale.kind, ==, kind);
        if (kind != MEMLANE_SCALE_LINEAR)
          g_assert_cmpfloat (scale.from, >, 0);
        for (guint j = 0; j < 2; j++)
          if (isfinite (ranges[i][j]) && fabs (ranges[i][j]) < 1e100 && (kind == MEMLANE_SCALE_LINEAR || ranges[i][j] > 1e-100))
            {
              g_assert_cmpfloat (memlane_scale_map (&scale, ranges[i][j]), >=, -1e-9);
              g_assert_cmpfloat (memlane_scale_map (&scale, ranges[i][j]), <=, 1 + 1e-9);
            }
        check_ticks (&scale, MEMLANE_UNIT_TIME, 6);
        g_string_append_printf (text, "%-6s %12.7g .. %-12.7g -> %.10g .. %.10g\n", kind_names[kind], low, high, scale.from, scale.to);
      }
  assert_golden ("fit.txt", text->str);
}

static void
append_ticks (GString *text, MemlaneScaleKind kind, double from, double to, MemlaneUnit unit, guint most)
{
  MemlaneScale scale = { kind, from, to };
  g_autoptr(GArray) ticks = memlane_scale_ticks (&scale, unit, most);
  guint minors = 0;

  g_string_append_printf (text, "%s %s %.10g..%.10g most %u [%s]:", kind_names[kind], unit_names[unit], from, to, most,
                          memlane_scale_axis_unit (&scale, unit));
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, ticks)
    {
      if (tick->label == NULL)
        {
          minors++;
          continue;
        }
      if (minors > 0)
        g_string_append_printf (text, " (%u)", minors);
      minors = 0;
      g_string_append_printf (text, " %.17g=\"%s\"", tick->value, tick->label);
    }
  if (minors > 0)
    g_string_append_printf (text, " (%u)", minors);
  g_string_append_c (text, '\n');
  check_ticks (&scale, unit, most);
}

/* Every tick of many axes: compared with golden/ticks.txt. "(4)": four minor ticks. */
static void
test_ticks (void)
{
  static const struct
  {
    MemlaneScaleKind kind;
    MemlaneUnit unit;
    double from, to;
  } axes[] = {
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 0, 70e9 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 0, 5e12 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 0, 350e6 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 40.70001e9, 40.70002e9 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 33e9, 47e9 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_BANDWIDTH, 0, 900 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 0, 1.6e6 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 0, 999 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 0, 3e9 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 264100, 264900 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_RATIO, -1.3, 2.4 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_RATIO, 0, 1 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_ELEMENTS, 0, 5000 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 1e15, 1e15 + 10 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_TIME, 1e15, 1e15 + 0.001 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_RATIO, 1e-30, 7e-30 },
    { MEMLANE_SCALE_LINEAR, MEMLANE_UNIT_RATIO, 0, 1e30 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_BANDWIDTH, 1e7, 1e11 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_BANDWIDTH, 2e8, 5e12 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_BANDWIDTH, 5e9, 1e11 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_BANDWIDTH, 31e9, 47e9 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_TIME, 1e4, 2e6 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_TIME, 1e3, 1e9 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_TIME, 2, 25 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_RATIO, 0.2, 5 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_RATIO, 0.9, 1.1 },
    { MEMLANE_SCALE_LOG10, MEMLANE_UNIT_RATIO, 1e-140, 1e140 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 1024, 1048576 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 1024, 268435456 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 16, 268435456 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 11000, 70000 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 17000, 32000 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 16384, 32768 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_ELEMENTS, 0.125, 64 },
    { MEMLANE_SCALE_LOG2, MEMLANE_UNIT_TIME, 1e4, 2e6 },
  };
  static const guint mosts[] = { 1, 3, 6, 12 };
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (mosts); j++)
      append_ticks (text, axes[i].kind, axes[i].from, axes[i].to, axes[i].unit, mosts[j]);
  assert_golden ("ticks.txt", text->str);
}

static void
test_degenerate (void)
{
  static const double ends[][2] = { { 1, 1 }, { 2, 1 }, { NAN, 1 }, { 1, NAN }, { -INFINITY, 1 }, { 1, INFINITY }, { -DBL_MAX, DBL_MAX } };
  MemlaneScale scale = { MEMLANE_SCALE_LOG10, 0, 10 }, fine = { MEMLANE_SCALE_LINEAR, 0, 10 };
  g_autoptr(GArray) none = memlane_scale_ticks (&fine, MEMLANE_UNIT_RATIO, 0);
  g_autoptr(GArray) zero = memlane_scale_ticks (&scale, MEMLANE_UNIT_RATIO, 5);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (zero->len, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    for (int kind = MEMLANE_SCALE_LINEAR; kind <= MEMLANE_SCALE_LOG10; kind++)
      {
        MemlaneScale bad = { (MemlaneScaleKind) kind, ends[i][0], ends[i][1] };
        g_autoptr(GArray) ticks = memlane_scale_ticks (&bad, MEMLANE_UNIT_BANDWIDTH, 5);

        g_assert_cmpuint (ticks->len, ==, 0);
      }
}

/* Zooming in and in, anywhere: the rules hold, and there is something to read at every depth. */
static void
test_zoom (void)
{
  GRand *random = g_rand_new_with_seed (20261121);

  for (guint i = 0; i < 20000; i++)
    {
      MemlaneScale scale = { .kind = (MemlaneScaleKind) g_rand_int_range (random, 0, 3) };
      MemlaneUnit unit = (MemlaneUnit) g_rand_int_range (random, 1, 5);
      guint most = (guint) g_rand_int_range (random, 1, 14);
      double middle = pow (10, g_rand_double_range (random, -12, 14)), depth = pow (10, g_rand_double_range (random, -10, 0.5));

      unit = unit == MEMLANE_UNIT_BYTES ? MEMLANE_UNIT_ELEMENTS : unit; /* no axis counts bytes */
      if (scale.kind == MEMLANE_SCALE_LINEAR)
        {
          middle *= g_rand_boolean (random) ? 1 : -1;
          scale.from = middle - fabs (middle) * depth;
          scale.to = middle + fabs (middle) * depth;
        }
      else
        {
          scale.from = middle * exp (-depth);
          scale.to = middle * exp (depth);
        }
      check_ticks (&scale, unit, most);
      if (most >= 3)
        {
          g_autoptr(GArray) ticks = memlane_scale_ticks (&scale, unit, most);
          guint labels = 0;

          MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, ticks)
            labels += tick->label != NULL;
          if (labels == 0)
            g_test_fail_printf ("%s %s %.17g..%.17g, %u: no label", kind_names[scale.kind], unit_names[unit], scale.from, scale.to, most);
        }
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/map", test_map);
  g_test_add_func ("/scale/fit", test_fit);
  g_test_add_func ("/scale/ticks", test_ticks);
  g_test_add_func ("/scale/degenerate", test_degenerate);
  g_test_add_func ("/scale/zoom", test_zoom);
  return g_test_run ();
}
