/* query.c: what the device says of itself
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

static gboolean
run (MemlaneProcedureContext *context, GError **error)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (context->device);
  g_autofree char *compute = g_strdup_printf ("%d.%d", info->compute_major, info->compute_minor);

  memlane_procedure_word (context, "name", info->name);
  memlane_procedure_word (context, "compute-capability", compute);
  memlane_procedure_yes (context, "integrated", info->integrated);
  for (guint bit = MEMLANE_CAN_MAP_HOST_MEMORY; bit <= MEMLANE_CAN_CONCURRENT_KERNELS; bit <<= 1)
    memlane_procedure_yes (context, memlane_capability_name ((MemlaneCapabilities) bit), (info->capabilities & bit) != 0);
  memlane_procedure_sample (context, "memory-gib", (double) info->memory_bytes / (1 << 30));
  memlane_procedure_sample (context, "multiprocessors", info->multiprocessors);
  memlane_procedure_sample (context, "asyncEngineCount", info->copy_engines);
  memlane_procedure_sample (context, "priorities", info->priority_least - info->priority_greatest + 1);
  if (info->link_bandwidth > 0)
    memlane_procedure_sample (context, "link-gb-per-s", info->link_bandwidth / 1e9);
  else
    memlane_procedure_lack (context, "link-gb-per-s", MEMLANE_DOUBT_UNKNOWN, "the link's rate is not known here");
  return memlane_procedure_go_on (context, error);
}

const MemlaneProcedure memlane_procedure_device_query = {
  .id = "device-query",
  .summary = "the device's own answers: capabilities, engines, memory, stream priorities",
  .outputs = {
    .numbers = "memory-gib multiprocessors asyncEngineCount priorities link-gb-per-s",
    .words = "name compute-capability integrated canMapHostMemory unifiedAddressing managedMemory concurrentManagedAccess "
             "hostRegisterSupported memoryPoolsSupported pageableMemoryAccess concurrentKernels",
  },
  .run = run,
};
