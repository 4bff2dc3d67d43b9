/* measure.c: one round of a plan, cell by cell, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 */
#include "measure.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/pieces.h"
#include "base/size.h"
#include "cell.h"
#include "environment.h"

/* --- the processors near the device ----------------------------------------------------------------------------------- */

typedef struct hwloc_bitmap_s hwloc_bitmap_auto;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (hwloc_bitmap_auto, hwloc_bitmap_free)

/* Binds the calling thread to those of its processors that lie on the NUMA node of @info's device. So what it allocates and touches
 * afterwards lies near the device. *@before receives what restore_processors() needs. Returns: (transfer full): a sentence for the
 * environment, what was done or why nothing. */
static char *
bind_thread (const MemlaneDeviceInfo *info, cpu_set_t *before)
{
  hwloc_topology_t topology;
  hwloc_obj_t device, near;
  g_autoptr (hwloc_bitmap_auto) cpuset = NULL;
  g_autofree char *cpus = NULL;
  char *said;

  CPU_ZERO (before);
  sched_getaffinity (0, sizeof *before, before); /* more than 1024 processors: stays empty, and nothing is restored */
  if (info->pci_bus_id == NULL)
    return g_strdup ("not bound: the device has no place on the PCI bus");
  if (hwloc_topology_init (&topology) != 0)
    return g_strdup ("not bound: hwloc does not start");
  hwloc_topology_set_io_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load (topology) != 0)
    {
      hwloc_topology_destroy (topology);
      return g_strdup ("not bound: hwloc cannot read this machine");
    }

  if (hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE) < 2)
    said = g_strdup ("not bound: one NUMA node");
  else if ((device = hwloc_get_pcidev_by_busidstring (topology, info->pci_bus_id)) == NULL
           || (near = hwloc_get_non_io_ancestor_obj (topology, device)) == NULL)
    said = g_strdup_printf ("not bound: hwloc does not know %s", info->pci_bus_id);
  else if ((cpuset = hwloc_bitmap_alloc ()) == NULL || hwloc_get_cpubind (topology, cpuset, HWLOC_CPUBIND_THREAD) != 0
           || hwloc_bitmap_and (cpuset, cpuset, near->cpuset) != 0 || hwloc_bitmap_iszero (cpuset))
    said = g_strdup_printf ("not bound: the process may not run beside %s", info->pci_bus_id);
  else if (hwloc_set_cpubind (topology, cpuset, HWLOC_CPUBIND_THREAD) != 0)
    said = g_strdup_printf ("not bound: %s", g_strerror (errno));
  else
    {
      hwloc_bitmap_list_asprintf (&cpus, cpuset);
      said = g_strdup_printf ("bound to processors %s, beside %s", cpus, info->pci_bus_id);
    }
  hwloc_topology_destroy (topology);
  return said;
}

/* The thread may be somebody else's next: it gets back the processors that it had. */
static void
restore_processors (const cpu_set_t *before)
{
  if (CPU_COUNT (before) > 0)
    sched_setaffinity (0, sizeof *before, before);
}

/* --- what a round needs --------------------------------------------------------------------------------------------------- */

static char *
make_run_id (const char *device_id, const char *workload)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (time, "%Y%m%dT%H%M%S");
  g_autofree char *base = g_path_get_basename (device_id);
  g_autofree char *id = g_strdup_printf ("%s.%03dZ-%s-%s", stamp, g_date_time_get_microsecond (time) / 1000, base, workload);

  /* One word in every shell and file system. */
  return g_strcanon (g_steal_pointer (&id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '-');
}

/* The data for one size. A size that the host has no room for costs its own cells, not the run. */
static MemlaneReference *
make_reference (MemlaneDevice *device, gboolean of_pieces, double log2_elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  const gsize elements = memlane_size_elements (log2_elements);
  guint64 needed = 4 * sizeof (float) * elements, available, lockable;

  if (of_pieces)
    needed /= MEMLANE_PIECE_STRIDE / MEMLANE_PIECE_BYTES;
  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && needed > available)
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                         "not tried: the reference data takes %" G_GUINT64_FORMAT " MiB, and %" G_GUINT64_FORMAT
                         " MiB of host memory are free; choose a smaller size", needed >> 20, available >> 20), NULL;
  return memlane_reference_new (elements, of_pieces, seed, cancellable, error);
}

/* Describes a device that has left its idle state. (transfer full) */
static MemlaneEnvironment *
describe_surroundings (MemlaneDevice *device, const MemlanePlan *plan, gboolean of_pieces, const char *affinity)
{
  g_autoptr (GError) error = NULL;
  MemlaneSurroundings surroundings = {
    .affinity = affinity, .verifies_pieces = of_pieces && sizeof (float) * exp2 (plan->last_log2) > MEMLANE_PIECES_ABOVE,
  };

  if (!memlane_device_get_state (device, &surroundings.state, &error))
    surroundings.no_state = error->message;
  memlane_measure_floors (device, &surroundings.floors);
  return memlane_environment_describe (device, plan, &surroundings);
}

/* --- rounds ------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDevice *device;
  const MemlanePlan *plan;
  GCancellable *cancellable;
  cpu_set_t before;
  MemlaneRun *run;             /* its id and environment, and what is told */
  double begun;                /* device clock, before the first cell */
  gboolean of_pieces;          /* the device moves pieces of large vectors, and no more of the reference is made */
  MemlaneReference *reference; /* for the largest size so far; smaller ones are its beginning */
  double log2_reference;       /* 0: there is none */
  MemlaneHostProber *prober;   /* NULL: the device has no noise */
  GError *no_data;             /* why there is none for the sizes beyond */
} Measuring;

static void
begin (Measuring *self, MemlaneMeasureFunc tell, gpointer user_data)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (self->device);
  g_autofree char *run_id = make_run_id (info->id, self->plan->method.workload->id);
  g_autofree char *affinity = bind_thread (info, &self->before);

  self->run = memlane_run_new (run_id, info->id, info->kind);
  /* Scattered pieces change their places, so all of them are moved. */
  self->of_pieces = memlane_device_move_pieces (self->device, !self->plan->method.workload->of_pieces);
  memlane_measure_warm_up (self->device);
  self->run->environment = describe_surroundings (self->device, self->plan, self->of_pieces, affinity);
  tell (self->run, NULL, 0, NULL, user_data);
  if (!info->exact)
    self->prober = memlane_host_prober_new (self->device);
  self->begun = memlane_device_clock (self->device);
}

/* Takes what is left of @self. */
static MemlaneRun *
end (Measuring *self)
{
  memlane_device_move_pieces (self->device, FALSE); /* as whoever has it next expects */
  memlane_host_prober_free (self->prober);
  memlane_reference_free (self->reference);
  g_clear_error (&self->no_data);
  restore_processors (&self->before);
  return self->run;
}

/* The data of a round are made once, for its largest size: it is random which one comes first. A size that the host has no room for costs
 * its own cells, not the others. */
static void
make_references (Measuring *self, const GArray *order)
{
  guint largest = 0;

  for (guint i = 0; i < order->len; i++)
    largest = MAX (largest, memlane_plan_get_size_index (self->plan, g_array_index (order, guint, i)));
  for (guint i = largest + 1; i-- > 0 && self->reference == NULL;)
    {
      const double size = memlane_plan_get_size (self->plan, i);

      g_clear_error (&self->no_data);
      self->reference = make_reference (self->device, self->of_pieces, size, self->plan->method.seed, self->cancellable, &self->no_data);
      if (self->reference != NULL)
        self->log2_reference = size;
    }
}

static MemlaneCell *
measure_cell (Measuring *self, const MemlaneMode *mode, double log2_elements)
{
  const MemlaneMethod *method = &self->plan->method;
  MemlaneCell *cell;

  if (log2_elements > self->log2_reference)
    {
      cell = memlane_cell_new (method->workload->id, mode->id, log2_elements);
      cell->reuse = MAX (method->reuse, 1);
      cell->status = memlane_status_from_error (self->no_data);
      cell->detail = g_strdup (self->no_data->message);
      return cell;
    }
  cell = memlane_measure_cell (self->device, method, mode, log2_elements, self->reference, self->cancellable);
  /* From here on the marks' times are those since the first cell began. */
  MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
    for (guint k = 0; figure->marks != NULL && k < figure->statistics.count; k++)
      figure->marks[k].time -= self->begun;
  return cell;
}

MemlaneRun *
memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan, const GArray *order, MemlaneMeasureFunc tell, gpointer user_data,
                       GCancellable *cancellable)
{
  Measuring self = { .device = device, .plan = plan, .cancellable = cancellable };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  begin (&self, tell, user_data);
  make_references (&self, order);
  for (guint place = 0; place < order->len && !g_cancellable_is_cancelled (cancellable) && !memlane_device_is_lost (device); place++)
    {
      guint number = g_array_index (order, guint, place);
      double log2_elements;
      const MemlaneMode *mode = memlane_plan_get_cell (plan, number, &log2_elements);
      MemlaneHostProbe host = { { 0 } };
      MemlaneCell *cell;

      if (!g_hash_table_add (seen, GUINT_TO_POINTER (number)) && memlane_device_get_info (device)->exact)
        continue; /* another visit would see the same again */
      if (self.prober != NULL)
        memlane_host_prober_run (self.prober, &host);
      tell (self.run, mode, log2_elements, NULL, user_data);
      cell = measure_cell (&self, mode, log2_elements);
      cell->host = host;
      g_ptr_array_add (self.run->cells, cell);
      tell (self.run, mode, log2_elements, cell, user_data);
    }
  return end (&self);
}
