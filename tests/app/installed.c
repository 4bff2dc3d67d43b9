/* installed.c: a program outside the tree, against the installed library
 *
 * SPDX-License-Identifier: MIT
 */
#include <memlane.h>

int
main (void)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (GPtrArray) devices = memlane_device_list ();
  MemlaneDevice *device;
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  memlane_mode_list (&n);
  g_assert_cmpuint (n, >=, 20);
  g_assert_cmpuint (devices->len, >, 0);
  if (!memlane_plan_set_modes (plan, "pinned", &error) || !memlane_plan_set_sizes (plan, "10", &error))
    g_error ("%s", error->message);
  device = memlane_device_open ("simulated:h200", &error);
  if (device == NULL)
    g_error ("%s", error->message);
  run = memlane_measure (device, plan, NULL, NULL, NULL);
  memlane_device_close (device);
  g_assert_cmpuint (run->cells->len, ==, 1);
  g_assert_cmpint (((MemlaneCell *) run->cells->pdata[0])->status, ==, MEMLANE_STATUS_OK);
  g_print ("%s\n", run->id);
  return 0;
}
