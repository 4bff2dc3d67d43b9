/* affinity.c: keep the measuring thread beside its device (hwloc)
 *
 * SPDX-License-Identifier: MIT
 */
#include "affinity.h"

#include <errno.h>
#include <hwloc.h>
#include <string.h>

typedef struct hwloc_bitmap_s hwloc_bitmap_auto;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (hwloc_bitmap_auto, hwloc_bitmap_free)

char *
memlane_affinity_bind_thread (const MemlaneDeviceInfo *info, cpu_set_t *before)
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

void
memlane_affinity_restore_thread (const cpu_set_t *before)
{
  if (CPU_COUNT (before) > 0)
    sched_setaffinity (0, sizeof *before, before);
}
