/* cli-machines.c: the runs of a folder, one a machine: which machines differ from the others, and why
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/owns.h"

#define LEAST_MACHINES 4 /* fewer have no middle */
#define LEAST_ROUNDS 6   /* as of two runs */

typedef struct
{
  char *name; /* of the file, without its ending */
  MemlaneEnvironment *environment;
  guint differs;            /* in so many cells */
  const struct _Cell *cell; /* the one in which it differs most */
  double change, ns;        /* there: log of the ratio, the machine's time */
} Machine;

/* One machine's times of one cell. */
typedef struct
{
  guint machine;
  double mean, error; /* log of ns: of the rounds, and the standard error of their mean */
  double distance;    /* from the middle of all machines, in units of what varies */
} Figure;

/* One cell of all machines. */
typedef struct _Cell
{
  char *workload, *mode;
  guint log2_elements, freedom;
  double middle; /* log of ns */
  GArray *figures;
} Cell;

typedef struct
{
  GPtrArray *machines; /* (element-type Machine) */
  GHashTable *cells;   /* key -> Cell */
} Fleet;

/* Any of these may be a machine's reason to differ; the strongest comes first. */
static const struct
{
  MemlaneEnvironmentMember member;
  const char *label;
} reasons[] = {
  { MEMLANE_ENVIRONMENT_LINK_WIDTH, "PCIe lanes" }, { MEMLANE_ENVIRONMENT_LINK_GENERATION, "PCIe generation" },
  { MEMLANE_ENVIRONMENT_DEVICE_NAME, "device" }, { MEMLANE_ENVIRONMENT_STATE_THROTTLE, "throttled" },
  { MEMLANE_ENVIRONMENT_AFFINITY, "processors" }, { MEMLANE_ENVIRONMENT_SETUP_ECC, "ECC" },
  { MEMLANE_ENVIRONMENT_SETUP_MIG, "MIG" }, { MEMLANE_ENVIRONMENT_SETUP_MPS, "MPS" },
  { MEMLANE_ENVIRONMENT_SETUP_POWER_LIMIT, "power limit in W" }, { MEMLANE_ENVIRONMENT_SETUP_IOMMU, "IOMMU" },
  { MEMLANE_ENVIRONMENT_SETUP_PERSISTENCE, "persistence" }, { MEMLANE_ENVIRONMENT_PROCESSOR_CLOCK, "clock of the GPU in Hz" },
  { MEMLANE_ENVIRONMENT_MEMORY_CLOCK, "clock of its memory in Hz" }, { MEMLANE_ENVIRONMENT_CPU_GOVERNOR, "CPU governor" },
  { MEMLANE_ENVIRONMENT_DRIVER, "driver" }, { MEMLANE_ENVIRONMENT_CPU, "CPU" }, { MEMLANE_ENVIRONMENT_NUMA_NODES, "NUMA nodes" },
  { MEMLANE_ENVIRONMENT_TRANSPARENT_HUGEPAGE, "huge pages" }, { MEMLANE_ENVIRONMENT_KERNEL, "kernel" },
};

static MEMLANE_DEFINE_FREE (Machine, void machine_free (Machine *data), OWNS (name, g_free) OWNS (environment, memlane_environment_unref))
static MEMLANE_DEFINE_FREE (Cell, void cell_free (Cell *data), OWNS (workload, g_free) OWNS (mode, g_free) OWNS (figures, g_array_unref))

/* --- reading ------------------------------------------------------------------------------------------------------------------ */

static void
add_cell (Fleet *self, guint machine, const MemlaneCell *cell, gboolean is_exact)
{
  const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  guint n = elapsed != NULL ? elapsed->n_rounds : 0;
  g_autofree char *key = g_strdup_printf ("%s %s %u %u %u %u", cell->workload, cell->mode, cell->log2_elements, cell->reuse, cell->streams,
                                          cell->chunks);
  Figure figure = { .machine = machine };
  double sum = 0;
  Cell *of_all;

  if (n == 0 || elapsed->rounds == NULL || (n < LEAST_ROUNDS && !is_exact))
    return;
  for (guint i = 0; i < n; i++)
    figure.mean += log (elapsed->rounds[i].median) / n;
  for (guint i = 0; i < n; i++)
    sum += pow (log (elapsed->rounds[i].median) - figure.mean, 2);
  figure.error = n > 1 ? sqrt (sum / (n - 1) / n) : 0;
  of_all = g_hash_table_lookup (self->cells, key);
  if (of_all == NULL)
    {
      of_all = g_new0 (Cell, 1);
      of_all->workload = g_strdup (cell->workload);
      of_all->mode = g_strdup (cell->mode);
      of_all->log2_elements = cell->log2_elements;
      of_all->freedom = MEMLANE_MOST_ROUNDS;
      of_all->figures = g_array_new (FALSE, FALSE, sizeof (Figure));
      g_hash_table_insert (self->cells, g_steal_pointer (&key), of_all);
    }
  if (!is_exact)
    of_all->freedom = MIN (of_all->freedom, n - 1);
  g_array_append_val (of_all->figures, figure);
}

static gboolean
is_run (const char *name)
{
  return g_str_has_suffix (name, ".csv") && !g_str_has_suffix (name, ".rounds.csv") && strcmp (name, CLI_FLEET_FILE) != 0;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* FALSE: the folder cannot be read. A file that is refused is told, and left out. */
static gboolean
read_folder (Fleet *self, const char *folder, guint *refused, GError **error)
{
  g_autoptr (GDir) open = g_dir_open (folder, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (const char *name = open != NULL ? g_dir_read_name (open) : NULL; name != NULL; name = g_dir_read_name (open))
    if (is_run (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      g_autoptr (GError) problem = NULL;
      g_autoptr (GPtrArray) runs = cli_read_runs (path, &problem);

      if (runs == NULL)
        {
          g_printerr ("left out: %s\n", problem->message);
          (*refused)++;
        }
      for (guint j = 0; runs != NULL && j < runs->len; j++)
        {
          const MemlaneRun *run = runs->pdata[j];
          Machine *machine = g_new0 (Machine, 1);

          machine->name = g_strndup (names->pdata[i], strlen (names->pdata[i]) - strlen (".csv"));
          if (run->environment != NULL)
            machine->environment = memlane_environment_ref (run->environment);
          for (guint k = 0; k < run->cells->len; k++)
            add_cell (self, self->machines->len, run->cells->pdata[k],
                      memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_EXACT));
          g_ptr_array_add (self->machines, machine);
        }
    }
  return open != NULL;
}

/* --- judging ------------------------------------------------------------------------------------------------------------------ */

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
find_middle (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_numbers);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* The middle of all machines and what they vary by: the median of the distances from the median, which a few that are faulty do not move.
 * A machine whose own rounds vary by more is measured by these. */
static void
measure_distances (Cell *cell)
{
  guint n = cell->figures->len;
  Figure *figures = (Figure *) (gpointer) cell->figures->data;
  g_autofree double *values = g_new (double, n);
  double spread;

  for (guint i = 0; i < n; i++)
    values[i] = figures[i].mean;
  cell->middle = find_middle (values, n);
  for (guint i = 0; i < n; i++)
    values[i] = fabs (figures[i].mean - cell->middle);
  spread = 1.4826 * find_middle (values, n);
  for (guint i = 0; i < n; i++)
    {
      double far = fabs (figures[i].mean - cell->middle);

      figures[i].distance = far < 1e-9 ? 0 : far / MAX (spread, figures[i].error);
    }
}

typedef struct
{
  const Cell *cell;
  const Figure *figure;
} Test;

static int
compare_tests (const void *a, const void *b)
{
  return -compare_numbers (&((const Test *) a)->figure->distance, &((const Test *) b)->figure->distance);
}

/* Holm 1979: the largest distance against all tests, the next against those that are left, until one is too small. So no machine is named
 * by chance in 95 of 100 fleets. One that is named differs by more than @allowed, too. Returns the number of tests. */
static guint
judge (Fleet *self, double allowed)
{
  g_autoptr (GArray) tests = g_array_new (FALSE, FALSE, sizeof (Test));
  guint freedom = MEMLANE_MOST_ROUNDS;
  GHashTableIter each;
  Cell *cell;

  g_hash_table_iter_init (&each, self->cells);
  while (g_hash_table_iter_next (&each, NULL, (gpointer *) &cell))
    {
      if (cell->figures->len < LEAST_MACHINES)
        continue;
      measure_distances (cell);
      freedom = MIN (freedom, MIN (cell->freedom, cell->figures->len - 2));
      for (guint i = 0; i < cell->figures->len; i++)
        g_array_append_val (tests, ((Test) { cell, &g_array_index (cell->figures, Figure, i) }));
    }
  g_array_sort (tests, compare_tests);
  for (guint i = 0; i < tests->len; i++)
    {
      const Test *test = &g_array_index (tests, Test, i);
      double change = test->figure->mean - test->cell->middle;
      Machine *machine = self->machines->pdata[test->figure->machine];

      if (test->figure->distance <= cli_student_quantile (0.025 / (tests->len - i), freedom))
        break;
      if (fabs (change) <= log1p (allowed))
        continue;
      machine->differs++;
      if (fabs (change) > fabs (machine->change))
        {
          machine->change = change;
          machine->ns = exp (test->figure->mean);
          machine->cell = test->cell;
        }
    }
  return tests->len;
}

/* The value that more than half of the machines have. (transfer full) (nullable) */
static char *
find_usual (const Fleet *self, MemlaneEnvironmentMember member)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->machines->len; i++)
    {
      char *value = memlane_environment_format (((const Machine *) self->machines->pdata[i])->environment, member);
      guint n = value != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, value)) + 1 : 0;

      if (n > self->machines->len / 2)
        return value;
      if (value != NULL)
        g_hash_table_replace (counts, value, GUINT_TO_POINTER (n));
    }
  return NULL;
}

/* In what @machine is unlike most others, or how its host's speed differs from that of one that is not named. (transfer full) */
static char *
find_reason (const Fleet *self, const Machine *machine)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      /* That of a simulated device tells its values and its noise. */
      gboolean is_name_of_values = reasons[i].member == MEMLANE_ENVIRONMENT_DEVICE_NAME
                                   && memlane_environment_get_flag (machine->environment, MEMLANE_ENVIRONMENT_SIMULATED);
      g_autofree char *own = memlane_environment_format (machine->environment, reasons[i].member);
      g_autofree char *usual = own != NULL && !is_name_of_values ? find_usual (self, reasons[i].member) : NULL;

      if (usual != NULL && strcmp (own, usual) != 0)
        g_string_append_printf (text, "%s%s: %s, not %s", text->len > 0 ? "; " : "", reasons[i].label, own, usual);
    }
  for (guint i = 0; i < self->machines->len; i++)
    {
      const Machine *other = self->machines->pdata[i];
      double slow, slow_other;

      if (other->differs > 0 || !memlane_host_state_compare (other->environment, machine->environment, &slow_other, &slow))
        continue;
      if (fabs (log (slow / slow_other)) > log1p (MEMLANE_HOST_STEADY))
        g_string_append_printf (text, "%sits host takes %.2f times as long", text->len > 0 ? "; " : "", slow / slow_other);
      break;
    }
  return g_strdup (text->len > 0 ? text->str : "nothing in its environment tells");
}

/* --- saying ------------------------------------------------------------------------------------------------------------------- */

/* Two files of one GPU are no two machines. */
static void
say_twins (const Fleet *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->machines->len; i++)
    {
      const Machine *machine = self->machines->pdata[i];
      const char *uuid = memlane_environment_get_text (machine->environment, MEMLANE_ENVIRONMENT_UUID);
      const Machine *first = uuid != NULL ? g_hash_table_lookup (seen, uuid) : NULL;

      if (first != NULL)
        g_printerr ("%s and %s are one GPU, %s\n", first->name, machine->name, uuid);
      else if (uuid != NULL)
        g_hash_table_insert (seen, (gpointer) uuid, (gpointer) machine);
    }
}

static gint
compare_machines (gconstpointer a, gconstpointer b)
{
  double x = fabs ((*(const Machine *const *) a)->change), y = fabs ((*(const Machine *const *) b)->change);

  return (x < y) - (x > y);
}

int
cli_compare_machines (const char *folder, double allowed, gboolean is_gate, gboolean json)
{
  g_autoptr (GPtrArray) machines = g_ptr_array_new_with_free_func ((GDestroyNotify) machine_free);
  g_autoptr (GHashTable) cells = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) cell_free);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  Fleet self = { machines, cells };
  CliTable *table;
  guint tests, refused = 0;
  gboolean slow = FALSE;

  if (!read_folder (&self, folder, &refused, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  tests = judge (&self, allowed);
  if (tests == 0)
    return cli_fail (CLI_NOTHING, "%s: found %u runs, expected %d of one cell, each with rounds beside it and at least %d of them", folder,
                     machines->len, LEAST_MACHINES, LEAST_ROUNDS);
  for (guint i = 0; i < machines->len; i++)
    if (((const Machine *) machines->pdata[i])->differs > 0)
      g_ptr_array_add (sorted, machines->pdata[i]);
  g_ptr_array_sort (sorted, compare_machines);
  table = cli_table_new (9, "MACHINE", "WORKLOAD", "MODE", "SIZE", "TIME", "USUAL", "CHANGE", "CELLS", "REASON");
  for (guint i = 0; i < sorted->len; i++)
    {
      const Machine *machine = sorted->pdata[i];
      g_autofree char *size = g_strdup_printf ("2^%u", machine->cell->log2_elements), *time = memlane_summary_format_time (machine->ns);
      g_autofree char *usual = memlane_summary_format_time (exp (machine->cell->middle)), *reason = find_reason (&self, machine);
      g_autofree char *change = g_strdup_printf ("%+.1f %%", expm1 (machine->change) * 100);
      g_autofree char *n = g_strdup_printf ("%u", machine->differs);

      slow |= machine->change > 0;
      cli_table_add (table, machine->name, machine->cell->workload, machine->cell->mode, size, time, usual, change, n, reason);
    }
  if (json)
    cli_table_print_json (table, "machine workload mode size time usual change #cells reason");
  else if (sorted->len > 0)
    cli_table_print (table);
  else
    cli_table_free (table);
  g_printerr ("%u machines, %u cells each at most: %u differ by more than %g %%, by %u tests that hold 95 %% together\n", machines->len,
              g_hash_table_size (cells), sorted->len, allowed * 100, tests);
  if (refused > 0)
    g_printerr ("%u files were left out\n", refused);
  say_twins (&self);
  cli_fleet_say_missing (folder);
  return is_gate && slow ? CLI_SLOW : CLI_OK;
}
