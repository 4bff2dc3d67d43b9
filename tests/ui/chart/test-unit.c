/* test-unit.c: values in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/scale.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static void
test_words (void)
{
  static const struct
  {
    MemlaneUnit unit;
    double value;
    const char *words;
  } cases[] = {
    { MEMLANE_UNIT_BYTES, 0, "0 B" },
    { MEMLANE_UNIT_BYTES, 1, "1 B" },
    { MEMLANE_UNIT_BYTES, 1023, "1023 B" },
    { MEMLANE_UNIT_BYTES, 1024, "1 KiB" },
    { MEMLANE_UNIT_BYTES, 1000 * 1024, "1000 KiB" },
    { MEMLANE_UNIT_BYTES, 65536, "64 KiB" },
    { MEMLANE_UNIT_BYTES, 1536 * 1024, "1.5 MiB" },
    { MEMLANE_UNIT_BYTES, 1048575, "1 MiB" },
    { MEMLANE_UNIT_BYTES, 1500, "1.46 KiB" },
    { MEMLANE_UNIT_BYTES, 150109880320, "140 GiB" },
    { MEMLANE_UNIT_BYTES, 1073741824, "1 GiB" },
    { MEMLANE_UNIT_BYTES, -65536, "-64 KiB" },
    { MEMLANE_UNIT_BANDWIDTH, 0, "0 B/s" },
    { MEMLANE_UNIT_BANDWIDTH, 40.7e9, "40.7 GB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 63015384615.38, "63.0 GB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 5.04e9, "5.04 GB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 575604272, "576 MB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 4814304000000, "4.81 TB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 999.9e6, "1.00 GB/s" },
    { MEMLANE_UNIT_BANDWIDTH, 999.4e6, "999 MB/s" },
    { MEMLANE_UNIT_TIME, 0, "0 ns" },
    { MEMLANE_UNIT_TIME, 0.5, "0.500 ns" },
    { MEMLANE_UNIT_TIME, 193.5, "194 ns" },
    { MEMLANE_UNIT_TIME, 999.6, "1.00 µs" },
    { MEMLANE_UNIT_TIME, 264e3, "264 µs" },
    { MEMLANE_UNIT_TIME, 1.6e6, "1.60 ms" },
    { MEMLANE_UNIT_TIME, 999999, "1.00 ms" },
    { MEMLANE_UNIT_TIME, 1e9, "1.00 s" },
    { MEMLANE_UNIT_TIME, 3.6e12, "3600 s" },
    { MEMLANE_UNIT_RATIO, 1.25, "1.25×" },
    { MEMLANE_UNIT_RATIO, 0.01249, "0.0125×" },
    { MEMLANE_UNIT_RATIO, 0.9996, "1.00×" },
    { MEMLANE_UNIT_RATIO, 123.4, "123×" },
    { MEMLANE_UNIT_ELEMENTS, 16384, "2¹⁴" },
    { MEMLANE_UNIT_ELEMENTS, 1, "2⁰" },
    { MEMLANE_UNIT_ELEMENTS, 1000, "1000" },
    { MEMLANE_UNIT_ELEMENTS, 0, "0" },
    { MEMLANE_UNIT_ELEMENTS, 0.25, "0.250" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = memlane_unit_format (cases[i].unit, cases[i].value, FALSE);

      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

static void
test_powers (void)
{
  g_autofree char *small = memlane_unit_format_power (0), *middle = memlane_unit_format_power (14), *large = memlane_unit_format_power (28);
  g_autofree char *all = memlane_unit_format_power (1234567890);

  g_assert_cmpstr (small, ==, "2⁰");
  g_assert_cmpstr (middle, ==, "2¹⁴");
  g_assert_cmpstr (large, ==, "2²⁸");
  g_assert_cmpstr (all, ==, "2¹²³⁴⁵⁶⁷⁸⁹⁰");
}

/* Nothing to say, and numbers that nobody expects. */
static void
test_odd (void)
{
  static const double values[] = { 1e-320, 1e-300, -1e-300, 1e15, 1e18, 1e300, -1e300, DBL_MAX, DBL_MIN, -0.0 };

  for (int unit = MEMLANE_UNIT_ELEMENTS; unit <= MEMLANE_UNIT_RATIO; unit++)
    {
      g_autofree char *nothing = memlane_unit_format ((MemlaneUnit) unit, NAN, FALSE);
      g_autofree char *endless = memlane_unit_format ((MemlaneUnit) unit, -INFINITY, FALSE);

      g_assert_cmpstr (nothing, ==, "n/a");
      g_assert_cmpstr (endless, ==, "n/a");
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          g_autofree char *words = memlane_unit_format ((MemlaneUnit) unit, values[i], i % 2);

          g_assert_cmpuint (strlen (words), >, 0);
          g_assert_cmpuint (strlen (words), <, 32);
          g_assert_false (values[i] == 0 && words[0] == '-');
          g_assert_null (strstr (words, "nan"));
          g_assert_null (strstr (words, "inf"));
        }
    }
}

/* A point is a comma in Germany, if it is asked for. */
static void
test_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8" };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names) && !found; i++)
    found = setlocale (LC_NUMERIC, names[i]) != NULL;
  if (found)
    {
      g_autofree char *here = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, TRUE);
      g_autofree char *anywhere = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, FALSE);
      g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, 65536, TRUE);
      MemlaneScale scale = { MEMLANE_SCALE_LINEAR, 0, 1 };
      g_autoptr(GArray) ticks = memlane_scale_ticks (&scale, MEMLANE_UNIT_RATIO, 6);

      g_assert_cmpstr (here, ==, "40,7 GB/s");
      g_assert_cmpstr (anywhere, ==, "40.7 GB/s");
      g_assert_cmpstr (bytes, ==, "64 KiB");
      g_assert_cmpstr (g_array_index (ticks, MemlaneTick, 0).label, ==, "0.0");
    }
  else
    {
      g_autofree char *here = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, TRUE);

      g_test_message ("no locale with a decimal comma on this machine");
      g_assert_cmpstr (here, ==, "40.7 GB/s");
    }
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unit/words", test_words);
  g_test_add_func ("/unit/powers", test_powers);
  g_test_add_func ("/unit/odd", test_odd);
  g_test_add_func ("/unit/locale", test_locale);
  return g_test_run ();
}
