/* test-links.c: several devices copy, each alone and all at the same time, and each to each other
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "device/device.h"
#include "engine/written-device.h"
#include "measure/links.h"

static const MemlaneLink *
find (const GArray *links, MemlaneLinkWay way, guint device, guint peer)
{
  const MemlaneLink *found = NULL;

  for (guint i = 0; i < links->len; i++)
    {
      const MemlaneLink *link = &g_array_index (links, MemlaneLink, i);

      g_assert_false (found != NULL && link->way == way && link->device == device && link->peer == peer);
      if (link->way == way && link->device == device && link->peer == peer)
        found = link;
    }
  g_assert_nonnull (found);
  return found;
}

/* Simulated devices share nothing: at the same time each copies as alone. */
static void
test_at_once (void)
{
  char *last = written_device_new ("peerCopy=true");
  const char *const ids[] = { "simulated:h200", "simulated:one-copy-engine", last, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) links = memlane_links_measure ((char **) ids, &error);
  double up;

  g_assert_no_error (error);
  g_assert_cmpuint (links->len, ==, 3 * 5 + 3 * 2);
  for (guint i = 0; i < links->len; i++)
    {
      const MemlaneLink *link = &g_array_index (links, MemlaneLink, i);

      g_assert_cmpfloat_with_epsilon (link->alone / 1e9, link->at_once / 1e9, 1e-6);
    }
  up = find (links, MEMLANE_LINK_UP, 0, 0)->alone;
  g_assert_cmpfloat_with_epsilon (up / 1e9, 55, 2);
  g_assert_cmpfloat (find (links, MEMLANE_LINK_DOWN, 2, 2)->alone, >, 0.9 * up);
  g_assert_cmpfloat (find (links, MEMLANE_LINK_BOTH, 0, 0)->alone, >, 1.5 * up);
  g_assert_cmpfloat (find (links, MEMLANE_LINK_BOTH, 1, 1)->alone, <, 1.1 * up);
  for (MemlaneLinkWay way = MEMLANE_LINK_BOTH_UP; way <= MEMLANE_LINK_BOTH_DOWN; way++)
    {
      g_assert_cmpfloat (find (links, way, 0, 0)->alone, >, 0.7 * up);
      g_assert_cmpfloat (find (links, way, 1, 1)->alone, <, 0.7 * up); /* one engine for both ways */
    }
  for (guint device = 0; device < 3; device++)
    for (guint peer = 0; peer < 3; peer++)
      if (peer != device)
        g_assert_true ((find (links, MEMLANE_LINK_PEER, device, peer)->alone > 0) == (device == 2));
  written_device_free (last);
}

/* A device that does not open is named, and the others are not held up. */
static void
test_failure (void)
{
  static const char *const ids[] = { "simulated:one-copy-engine", "simulated:nothing", "simulated:h200", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (memlane_links_measure ((char **) ids, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "simulated:nothing: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links/at-once", test_at_once);
  g_test_add_func ("/links/failure", test_failure);
  return g_test_run ();
}
