/* test-links.c: several devices copy at the same time; what they share is named
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "device/device.h"
#include "measure/links.h"

/* Simulated devices share nothing: at the same time each copies as alone, to the last bit, and the total is that of the slowest. */
static void
test_at_once (void)
{
  static const char *const ids[] = { "simulated:h200", "simulated:one-copy-engine", "simulated:h200?peerCopy=true" };
  MemlaneLinkRates alone[3], rates[3], total, one;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (memlane_links_copy (&ids[i], 1, &alone[i], &one, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (alone[i].rates[MEMLANE_LINK_UP], ==, one.rates[MEMLANE_LINK_UP]);
    }
  g_assert_cmpfloat_with_epsilon (alone[0].rates[MEMLANE_LINK_UP] / 1e9, 55, 2);
  g_assert_cmpfloat (alone[0].rates[MEMLANE_LINK_BOTH], >, 1.5 * alone[0].rates[MEMLANE_LINK_UP]);
  g_assert_cmpfloat (alone[1].rates[MEMLANE_LINK_BOTH], <, 1.1 * alone[1].rates[MEMLANE_LINK_UP]);
  g_assert_cmpfloat (alone[0].rates[MEMLANE_LINK_PEER], ==, 0);
  g_assert_cmpfloat (alone[2].rates[MEMLANE_LINK_PEER], >, 0);

  g_assert_true (memlane_links_copy (ids, 3, rates, &total, &error));
  g_assert_no_error (error);
  for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
    {
      double least = G_MAXDOUBLE, sum = 0;

      for (guint i = 0; i < 3; i++)
        {
          g_assert_cmpfloat (rates[i].rates[way], ==, alone[i].rates[way]);
          least = rates[i].rates[way] > 0 ? MIN (least, rates[i].rates[way]) : least;
          sum += rates[i].rates[way];
        }
      g_assert_cmpfloat (total.rates[way], >=, least);
      g_assert_cmpfloat (total.rates[way], <=, sum * 1.000001);
    }
}

/* A device that does not open is named, and the others are not held up. */
static void
test_failure (void)
{
  static const char *const ids[] = { "simulated:h200", "simulated:nothing" };
  MemlaneLinkRates rates[2], total;
  g_autoptr (GError) error = NULL;

  g_assert_false (memlane_links_copy (ids, 2, rates, &total, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "simulated:nothing: "));
  g_assert_cmpfloat (rates[0].rates[MEMLANE_LINK_UP], >, 0);
  g_assert_cmpfloat (rates[1].rates[MEMLANE_LINK_UP], ==, 0);
}

/* Eight links of 55 GB/s over memory of 390 GB/s; two over it. */
static void
test_ceiling (void)
{
  MemlaneLinkRates alone[8], total = { { 390e9, 430e9, 0, 0 } };
  g_autofree char *text = NULL;

  for (guint i = 0; i < 8; i++)
    alone[i] = (MemlaneLinkRates){ { 55e9, 55e9, 100e9, 0 } };
  text = memlane_links_explain (alone, 8, &total, MEMLANE_LINK_UP);
  g_assert_cmpstr (text, ==, "to the GPUs: 390.0 GB/s at the same time, where the links alone could copy 440.0: "
                             "that is the ceiling of the host's memory, or of a switch that they share");
  g_assert_null (memlane_links_explain (alone, 8, &total, MEMLANE_LINK_DOWN)); /* 2 % less */
  g_assert_null (memlane_links_explain (alone, 8, &total, MEMLANE_LINK_BOTH)); /* not measured */
  g_assert_null (memlane_links_explain (alone, 2, &total, MEMLANE_LINK_UP));
  alone[1].rates[MEMLANE_LINK_UP] = 195e9; /* a fast one is done sooner, and that is no ceiling */
  total.rates[MEMLANE_LINK_UP] = 110e9;
  g_assert_null (memlane_links_explain (alone, 2, &total, MEMLANE_LINK_UP));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links/at-once", test_at_once);
  g_test_add_func ("/links/failure", test_failure);
  g_test_add_func ("/links/ceiling", test_ceiling);
  return g_test_run ();
}
