/* measure-here.c: a sweep in this process, without a worker, to be compared with one of memlane-cli: measure-here DEVICE MODES SIZES F.csv
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "memlane.h"

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneRun) run = NULL;

  if (argc != 5 || !memlane_plan_set_modes (plan, argv[2], &error) || !memlane_plan_set_sizes (plan, argv[3], &error))
    {
      fprintf (stderr, "usage: measure-here DEVICE MODES SIZES F.csv%s%s\n", error != NULL ? ": " : "",
               error != NULL ? error->message : "");
      return 1;
    }
  device = memlane_device_open (argv[1], &error);
  if (device == NULL)
    {
      fprintf (stderr, "measure-here: %s\n", error->message);
      return 77;
    }
  run = memlane_measure (device, plan, NULL, NULL, NULL);
  if (memlane_csv_write (run, argv[4], &error))
    return 0;
  fprintf (stderr, "measure-here: %s\n", error->message);
  return 2;
}
