/* fleet.c: the runs of a folder, one a machine: which machines differ from the others, and why
 *
 * SPDX-License-Identifier: MIT
 */
#include "fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "same-machine.h"
#include "result/csv.h"
#include "result/statistics.h"

/* Any of these may be a machine's reason to differ; the strongest comes first. */
static const struct
{
  MemlaneEnvironmentMember member;
  const char *label;
} reasons[] = {
  { MEMLANE_ENVIRONMENT_LINK_WIDTH, N_("PCIe lanes") },
  { MEMLANE_ENVIRONMENT_LINK_GENERATION, N_("PCIe generation") },
  { MEMLANE_ENVIRONMENT_DEVICE_NAME, N_("device") },
  { MEMLANE_ENVIRONMENT_STATE_THROTTLE, N_("throttled") },
  { MEMLANE_ENVIRONMENT_AFFINITY, N_("processors") },
  { MEMLANE_ENVIRONMENT_SETUP_ECC, N_("ECC") },
  { MEMLANE_ENVIRONMENT_SETUP_CONFIDENTIAL, N_("confidential computing") },
  { MEMLANE_ENVIRONMENT_SETUP_MIG, N_("MIG") },
  { MEMLANE_ENVIRONMENT_SETUP_MPS, N_("MPS") },
  { MEMLANE_ENVIRONMENT_SETUP_POWER_LIMIT, N_("power limit in W") },
  { MEMLANE_ENVIRONMENT_SETUP_IOMMU, N_("IOMMU") },
  { MEMLANE_ENVIRONMENT_SETUP_PAYLOAD, N_("PCIe payload in bytes") },
  { MEMLANE_ENVIRONMENT_SETUP_RELAXED, N_("relaxed ordering") },
  { MEMLANE_ENVIRONMENT_SETUP_ACS, N_("ACS") },
  { MEMLANE_ENVIRONMENT_SETUP_PERSISTENCE, N_("persistence") },
  { MEMLANE_ENVIRONMENT_PROCESSOR_CLOCK, N_("clock of the GPU in Hz") },
  { MEMLANE_ENVIRONMENT_MEMORY_CLOCK, N_("clock of its memory in Hz") },
  { MEMLANE_ENVIRONMENT_CPU_GOVERNOR, N_("CPU governor") },
  { MEMLANE_ENVIRONMENT_DRIVER, N_("driver") },
  { MEMLANE_ENVIRONMENT_CPU, N_("CPU") },
  { MEMLANE_ENVIRONMENT_NUMA_NODES, N_("NUMA nodes") },
  { MEMLANE_ENVIRONMENT_TRANSPARENT_HUGEPAGE, N_("huge pages") },
  { MEMLANE_ENVIRONMENT_KERNEL, N_("Linux kernel") },
};

static MEMLANE_DEFINE_CLEAR (MemlaneFleetReason, void clear_reason (gpointer data),
                             OWNS (own, g_free) OWNS (usual, g_free))
static MEMLANE_DEFINE_FREE (MemlaneFleetMachine, void machine_free (MemlaneFleetMachine *data),
                            OWNS (name, g_free) OWNS (environment, memlane_environment_unref)
                                OWNS (reasons, g_array_unref))
static MEMLANE_DEFINE_FREE (MemlaneFleetCell, void cell_free (MemlaneFleetCell *data),
                            OWNS (workload, g_free) OWNS (mode, g_free)
                                OWNS (times, g_array_unref))
MEMLANE_DEFINE_FREE (MemlaneFleet, void memlane_fleet_free (MemlaneFleet *data),
                     OWNS (machines, g_ptr_array_unref) OWNS (cells, g_ptr_array_unref)
                         OWNS (different, g_ptr_array_unref)
                             OWNS (refused, g_ptr_array_unref))

gboolean
memlane_fleet_is_of_nodes (const MemlaneFleet *fleet)
{
  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, fleet->machines)
    if (strstr (machine->name, "-node-") == NULL)
      return FALSE;
  return fleet->cells->len > 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void
add_cell (MemlaneFleet *self, GHashTable *cells, guint machine, const MemlaneCell *cell,
          gboolean is_exact)
{
  const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                    MEMLANE_CLOCK_HOST);
  guint n = elapsed != NULL ? elapsed->n_rounds : 0;
  g_autofree char *key = g_strdup_printf ("%s %s %.17g %u %u %u %u %u", cell->workload, cell->mode,
                                          cell->log2_elements, cell->reuse, cell->streams,
                                          cell->chunks, cell->beside, cell->busy);
  MemlaneFleetTime time = { .machine = machine };
  double sum = 0;
  MemlaneFleetCell *of_all;

  if (n == 0 || elapsed->rounds == NULL || (n < MEMLANE_FLEET_LEAST_ROUNDS && !is_exact))
    return;
  for (guint i = 0; i < n; i++)
    time.mean += log (elapsed->rounds[i].median) / n;
  for (guint i = 0; i < n; i++)
    sum += pow (log (elapsed->rounds[i].median) - time.mean, 2);
  time.error = n > 1 ? sqrt (sum / (n - 1) / n) : 0;
  of_all = g_hash_table_lookup (cells, key);
  if (of_all == NULL)
    {
      of_all = g_new0 (MemlaneFleetCell, 1);
      of_all->workload = g_strdup (cell->workload);
      of_all->mode = g_strdup (cell->mode);
      of_all->log2_elements = cell->log2_elements;
      of_all->freedom = MEMLANE_MOST_ROUNDS;
      of_all->times = g_array_new (FALSE, FALSE, sizeof (MemlaneFleetTime));
      g_ptr_array_add (self->cells, of_all);
      g_hash_table_insert (cells, g_steal_pointer (&key), of_all);
    }
  if (!is_exact)
    of_all->freedom = MIN (of_all->freedom, n - 1);
  g_array_append_val (of_all->times, time);
}

/* Adds the runs of the file at @path. One that cannot be read is refused. */
static void
add_file (MemlaneFleet *self, GHashTable *cells, const char *path)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) runs = memlane_csv_read_elapsed (path, &problem);

  if (runs == NULL)
    {
      g_ptr_array_add (self->refused, g_strdup (problem->message));
      return;
    }
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    {
      gboolean is_exact
        = memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_EXACT);
      MemlaneFleetMachine *machine = g_new0 (MemlaneFleetMachine, 1);

      machine->reasons = g_array_new (FALSE, FALSE, sizeof (MemlaneFleetReason));
      g_array_set_clear_func (machine->reasons, clear_reason);
      machine->name = g_path_get_basename (path);
      *strrchr (machine->name, '.') = '\0';
      if (run->environment != NULL)
        machine->environment = memlane_environment_ref (run->environment);
      self->simulated = self->simulated || memlane_run_is_simulated (run);
      MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
        add_cell (self, cells, self->machines->len, cell, is_exact);
      g_ptr_array_add (self->machines, machine);
    }
}

/* --- judging ---------------------------------------------------------------------------------- */

/* From that of the normal distribution (Abramowitz & Stegun 26.2.23) by Wallace 1959. */
double
memlane_student_tail (double tail, guint freedom)
{
  double t = sqrt (-2 * log (tail)), n = freedom, k = (8 * n + 1) / (8 * n + 3);
  double z = t
             - (2.515517 + t * (0.802853 + t * 0.010328))
                   / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

  return sqrt (n * expm1 (z * z / (n * k * k)));
}

/* The middle of all machines and what they vary by: the median of the distances from the median,
 * which a few that are faulty do not move. A machine whose own rounds vary by more is measured by
 * these. */
static void
measure_distances (MemlaneFleetCell *cell)
{
  guint n = cell->times->len;
  MemlaneFleetTime *times = (MemlaneFleetTime *) (gpointer) cell->times->data;
  g_autofree double *values = g_new (double, n);
  double spread;

  for (guint i = 0; i < n; i++)
    values[i] = times[i].mean;
  cell->middle = memlane_median (values, n);
  for (guint i = 0; i < n; i++)
    values[i] = fabs (times[i].mean - cell->middle);
  spread = 1.4826 * memlane_median (values, n);
  for (guint i = 0; i < n; i++)
    {
      double far = fabs (times[i].mean - cell->middle);

      times[i].distance = far < 1e-9 ? 0 : far / MAX (spread, times[i].error);
    }
}

typedef struct
{
  const MemlaneFleetCell *cell;
  const MemlaneFleetTime *time;
} Test;

MEMLANE_DEFINE_ORDER (compare_tests, Test, FALLING (time->distance))

/* Holm 1979: the largest distance against all tests, the next against those that are left, until
 * one is too small. So no machine is named by chance in 95 of 100 fleets. One that is named differs
 * by more than @allowed, too. */
static void
judge (MemlaneFleet *self, double allowed)
{
  g_autoptr (GArray) tests = g_array_new (FALSE, FALSE, sizeof (Test));
  guint freedom = MEMLANE_MOST_ROUNDS;

  MEMLANE_FOR_EACH (MemlaneFleetCell, cell, self->cells)
    {
      if (cell->times->len < MEMLANE_FLEET_LEAST_MACHINES)
        continue;
      measure_distances (cell);
      freedom = MIN (freedom, MIN (cell->freedom, cell->times->len - 2));
      MEMLANE_FOR_EACH_IN (MemlaneFleetTime, time, cell->times)
        g_array_append_val (tests, ((Test) { cell, time }));
    }
  g_array_sort (tests, compare_tests);
  for (guint i = 0; i < tests->len; i++)
    {
      const Test *test = &g_array_index (tests, Test, i);
      double change = test->time->mean - test->cell->middle;
      MemlaneFleetMachine *machine = self->machines->pdata[test->time->machine];

      if (test->time->distance <= memlane_student_tail (0.025 / (tests->len - i), freedom))
        break;
      if (fabs (change) <= log1p (allowed))
        continue;
      machine->differs++;
      if (fabs (change) > fabs (machine->change))
        {
          machine->change = change;
          machine->ns = exp (test->time->mean);
          machine->cell = test->cell;
        }
    }
  self->n_tests = tests->len;
}

/* The value that more than half of the machines have. (transfer full) (nullable) */
static char *
find_usual (const MemlaneFleet *self, MemlaneEnvironmentMember member)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                         NULL);

  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, self->machines)
    {
      char *value = memlane_environment_format (machine->environment, member);
      guint n = value != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, value)) + 1 : 0;

      if (n > self->machines->len / 2)
        return value;
      if (value != NULL)
        g_hash_table_replace (counts, value, GUINT_TO_POINTER (n));
    }
  return NULL;
}

/* Finds in what @machine is unlike most others, and how its host's speed differs from that of one
 * that is not named. */
static void
find_reasons (const MemlaneFleet *self, MemlaneFleetMachine *machine)
{
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      /* That of a simulated device tells its values and its noise. */
      gboolean is_name_of_values = reasons[i].member == MEMLANE_ENVIRONMENT_DEVICE_NAME
                                   && memlane_environment_get_flag (machine->environment,
                                                                    MEMLANE_ENVIRONMENT_SIMULATED);
      g_autofree char *own = memlane_environment_format (machine->environment, reasons[i].member);
      g_autofree char *usual = own != NULL && !is_name_of_values
                                   ? find_usual (self, reasons[i].member)
                                   : NULL;
      MemlaneFleetReason reason = { reasons[i].label, own, usual };

      if (usual == NULL || strcmp (own, usual) == 0)
        continue;
      g_array_append_val (machine->reasons, reason);
      own = usual = NULL;
    }
  MEMLANE_FOR_EACH (const MemlaneFleetMachine, other, self->machines)
    {
      double slow, slow_other;

      if (other->differs > 0
          || !memlane_host_state_compare (other->environment, machine->environment, &slow_other,
                                          &slow))
        continue;
      if (fabs (log (slow / slow_other)) > log1p (MEMLANE_HOST_STEADY))
        machine->host = slow / slow_other;
      break;
    }
}

static gint
compare_machines (gconstpointer a, gconstpointer b)
{
  double x = fabs ((*(const MemlaneFleetMachine *const *) a)->change),
         y = fabs ((*(const MemlaneFleetMachine *const *) b)->change);

  return (x < y) - (x > y);
}

MemlaneFleet *
memlane_fleet_read (const char *folder, double allowed, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, ".csv", &problem);
  g_autoptr (MemlaneFleet) self = g_new0 (MemlaneFleet, 1);
  g_autoptr (GHashTable) cells
    = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);

  self->machines = g_ptr_array_new_with_free_func ((GDestroyNotify) machine_free);
  self->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) cell_free);
  self->refused = g_ptr_array_new_with_free_func (g_free);
  self->different = g_ptr_array_new ();
  if (problem != NULL)
    return g_propagate_error (error, g_steal_pointer (&problem)), NULL;
  for (guint i = paths->len; i-- > 0;)
    if (g_str_has_suffix (paths->pdata[i], ".rounds.csv")
        || g_str_has_suffix (paths->pdata[i], "/" MEMLANE_FLEET_FILE)
        || !g_file_test (paths->pdata[i], G_FILE_TEST_IS_REGULAR)) /* a pipe would be waited for */
      g_ptr_array_remove_index (paths, i);
  MEMLANE_FOR_EACH (const char, path, paths)
    add_file (self, cells, path);
  judge (self, allowed);
  MEMLANE_FOR_EACH (MemlaneFleetMachine, machine, self->machines)
    if (machine->differs > 0)
      {
        find_reasons (self, machine);
        g_ptr_array_add (self->different, machine);
      }
  g_ptr_array_sort (self->different, compare_machines);
  return g_steal_pointer (&self);
}
