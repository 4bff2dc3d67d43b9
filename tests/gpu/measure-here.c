/* measure-here.c: a sweep by threads of this process, to be compared with one of memlane-cli: measure-here DEVICE MODES SIZES F.csv
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
  g_autoptr (MemlaneSweep) sweep = NULL;
  g_autoptr (MemlaneRun) run = NULL;

  if (argc != 5 || !memlane_plan_set_modes (plan, argv[2], &error) || !memlane_plan_set_sizes (plan, argv[3], &error))
    {
      fprintf (stderr, "usage: measure-here DEVICE MODES SIZES F.csv%s%s\n", error != NULL ? ": " : "",
               error != NULL ? error->message : "");
      return 1;
    }
  memlane_workers_in_threads ();
  sweep = memlane_sweep_new (argv[1], plan, FALSE);
  run = memlane_sweep_run (sweep, NULL, &error);
  if (run == NULL)
    {
      fprintf (stderr, "measure-here: %s\n", error->message);
      return 77;
    }
  if (memlane_csv_write (run, argv[4], &error))
    return 0;
  fprintf (stderr, "measure-here: %s\n", error->message);
  return 2;
}
