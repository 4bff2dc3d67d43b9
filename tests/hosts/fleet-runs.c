/* fleet-runs.c: the runs of many simulated machines, as CSV files for memlane-cli compare FOLDER
 *
 * SPDX-License-Identifier: MIT
 *
 * fleet-runs FOLDER SEED MACHINES: FOLDER/healthy gets a run of each machine, FOLDER/faulty one more of three machines that the seed draws.
 * Machine m of seed s draws its rounds from those of the recorded H200 by the seed s * MACHINES + m. Prints the faulty ones, one a line.
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data-file.h"
#include "job/requests.h"
#include "memlane.h"

/* All are based on the H200, so that all are of the same model. */
static const char healthy[] = "";
static const struct
{
  const char *name, *values;
} faults[] = {
  { "half-width", "link_width=8\nlink_bandwidth=31507692307" },
  { "far-node", "link_bandwidth=50412307692\n[host]\nbandwidth=12e9\ncache_bandwidth=19e9" },
  /* all that the link carries crosses the sockets */
  { "slow", "link_bandwidth=57974153846" },                                          /* 8 % */
};

static gboolean
measure (MemlanePlan *plan, const char *folder, guint machine, guint64 seed, const char *values)
{
  g_autofree char *profile = g_build_filename (folder, "machine.device", NULL);
  g_autofree char *device = g_strconcat ("simulated:", profile, NULL);
  g_autofree char *text = g_strdup_printf ("[device]\nbased_on=h200\n%s\n", values);
  g_autofree char *path = g_strdup_printf ("%s/m%03u.csv", folder, machine);
  g_autofree char *beside = g_build_filename (folder, "machine.rounds", NULL);
  g_autofree char *rounds = memlane_data_find ("devices/h200.rounds");
  g_autoptr (MemlaneSweep) sweep = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = NULL;

  plan->method.noise = TRUE;
  plan->method.seed = seed;
  if (g_file_set_contents (profile, text, -1, &error)
      && (g_file_test (beside, G_FILE_TEST_EXISTS) || symlink (rounds, beside) == 0))
    {
      sweep = memlane_sweep_new (device, plan, FALSE);
      run = memlane_sweep_run (sweep, NULL, &error);
    }

  if (run != NULL && memlane_sweep_get_progress (sweep)->trouble == NULL && memlane_csv_write (run, path, &error))
    return TRUE;
  g_printerr ("fleet-runs: %s: %s\n", device, error != NULL ? error->message : memlane_sweep_get_progress (sweep)->trouble);
  return FALSE;
}

int
main (int argc, char **argv)
{
  guint64 seed = argc == 4 ? strtoull (argv[2], NULL, 10) : 0;
  guint machines = argc == 4 ? (guint) atoi (argv[3]) : 0;
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) seed);

  if (machines < 8)
    {
      g_printerr ("usage: fleet-runs FOLDER SEED MACHINES, at least 8\n");
      return 2;
    }
  plan->method.workload = memlane_workload_find ("copy-to-device");
  if (!memlane_plan_set_modes (plan, "pageable,pinned", NULL) || !memlane_plan_set_sizes (plan, "20", NULL))
    return 2;
  {
    g_autofree char *good = g_build_filename (argv[1], "healthy", NULL), *bad = g_build_filename (argv[1], "faulty", NULL);
    guint first = (guint) g_rand_int_range (rand, 0, (gint) machines);

    if (g_mkdir_with_parents (good, 0755) != 0 || g_mkdir_with_parents (bad, 0755) != 0)
      return 2;
    for (guint m = 0; m < machines; m++)
      if (!measure (plan, good, m, seed * machines + m, healthy))
        return 1;
    for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
      {
        guint m = (first + i * machines / G_N_ELEMENTS (faults)) % machines;

        if (!measure (plan, bad, m, seed * machines + m, faults[i].values))
          return 1;
        g_print ("m%03u %s\n", m, faults[i].name);
      }
  }
  return 0;
}
