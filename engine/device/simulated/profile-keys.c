/* profile-keys.c: the keys of a profile's file but for costs
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile-keys.h"

#define IN(member) G_STRUCT_OFFSET (MemlaneProfile, member)
#define MANY MEMLANE_PROFILE_MANY

const MemlaneProfileKey memlane_profile_keys[] = {
  { "device", "name", KEY_STRING, IN (info.name), 0, 0, "Shown to people; say that it is simulated." },
  { "device", "calibrated_from", KEY_STRING, IN (info.calibrated_from), 0, 0, "The recorded run that the figures were fitted from.", TRUE },
  { "device", "based_on", KEY_BASE, 0, 0, 0, NULL, TRUE },
  { "device", "memory_bytes", KEY_UINT64, IN (info.memory_bytes), 1, MANY, "Device memory." },
  { "device", "l2_bytes", KEY_UINT64, IN (info.l2_bytes), 0, MANY, "Second-level cache." },
  { "device", "memory_bandwidth", KEY_DOUBLE, IN (info.memory_bandwidth), 0, 1e18, "Device memory, bytes per second in theory." },
  { "device", "multiprocessors", KEY_INT, IN (info.multiprocessors), 0, 1e6, "Streaming multiprocessors." },
  { "device", "compute_major", KEY_INT, IN (info.compute_major), 0, 1000, "Compute capability." },
  { "device", "compute_minor", KEY_INT, IN (info.compute_minor), 0, 1000, NULL },
  { "device", "integrated", KEY_BOOLEAN, IN (info.integrated), 0, 0, "Shares its memory with the host." },
  { "device", "link_generation", KEY_INT, IN (info.link_generation), 0, 100,
    "PCI Express generation, lanes, and bytes per second one way in theory." },
  { "device", "link_width", KEY_INT, IN (info.link_width), 0, 1024, NULL },
  { "device", "link_bandwidth", KEY_DOUBLE, IN (info.link_bandwidth), 0, 1e18, NULL },
  { "device", "static_managed_bytes", KEY_UINT64, IN (info.static_managed_bytes), 0, 1e12, "Size of each __managed__ array." },
  { "device", "priority_least", KEY_INT, IN (info.priority_least), -1000, 1000, "Stream priorities; the greatest is the smaller number." },
  { "device", "priority_greatest", KEY_INT, IN (info.priority_greatest), -1000, 1000, NULL },
  { "device", "lockable_bytes", KEY_UINT64, IN (lockable_bytes), 0, MANY, "Host memory that may be page-locked; absent: no limit.", TRUE },
  { "device", "host_memory_bytes", KEY_UINT64, IN (host_memory_bytes), 0, MANY, "Host memory there is; absent: this machine's.", TRUE },
  { "device", "asyncEngineCount", KEY_INT, IN (info.copy_engines), 0, 3,
    "Copy engines: 0: copies take the place of kernels; 1: both directions share it; 2: one each way; 3: one more for copies inside\n"
    "# the device and to its peer." },
  { "device", "in_order_engines", KEY_BOOLEAN, IN (in_order_engines), 0, 0,
    "A copy engine takes copies in the order of issue, ready or not (one hardware queue, before Hyper-Q).", TRUE },
  { "device", "canMapHostMemory", KEY_CAPABILITY, MEMLANE_CAN_MAP_HOST_MEMORY, 0, 0,
    "Capabilities, by the names of CUDA's device attributes." },
  { "device", "unifiedAddressing", KEY_CAPABILITY, MEMLANE_CAN_UNIFIED_ADDRESSING, 0, 0, NULL },
  { "device", "managedMemory", KEY_CAPABILITY, MEMLANE_CAN_MANAGED_MEMORY, 0, 0, NULL },
  { "device", "concurrentManagedAccess", KEY_CAPABILITY, MEMLANE_CAN_CONCURRENT_MANAGED, 0, 0, NULL },
  { "device", "hostRegisterSupported", KEY_CAPABILITY, MEMLANE_CAN_HOST_REGISTER, 0, 0, NULL },
  { "device", "canUseHostPointerForRegisteredMem", KEY_CAPABILITY, MEMLANE_CAN_HOST_POINTER_REGISTERED, 0, 0, NULL },
  { "device", "memoryPoolsSupported", KEY_CAPABILITY, MEMLANE_CAN_MEMORY_POOLS, 0, 0, NULL },
  { "device", "pageableMemoryAccess", KEY_CAPABILITY, MEMLANE_CAN_PAGEABLE_ACCESS, 0, 0, NULL },
  { "device", "concurrentKernels", KEY_CAPABILITY, MEMLANE_CAN_CONCURRENT_KERNELS, 0, 0, NULL },
  { "device", "peerCopy", KEY_CAPABILITY, MEMLANE_CAN_PEER_COPY, 0, 0, "There is a second device that this one can copy to." },
  { "link", "both_directions_factor", KEY_DOUBLE, IN (both_directions_factor), 0.01, 1,
    "What is left of one direction's bandwidth while the other is busy too." },
  { "implicit-sync", "pinned-alloc", KEY_BOOLEAN, IN (sync_pinned_alloc), 0, 0,
    "Calls that themselves serialise what two blocking streams have before and after them, whatever their own stream. The programming\n"
    "# guide lists all four; on a recorded H200 none does (data/recordings/experiments/serialisers.md): there a memset or a copy inside\n"
    "# the device serialises when it is on the legacy default stream, as every command on that one does, with these keys true or false." },
  { "implicit-sync", "device-alloc", KEY_BOOLEAN, IN (sync_device_alloc), 0, 0, NULL },
  { "implicit-sync", "memset", KEY_BOOLEAN, IN (sync_memset), 0, 0, NULL },
  { "implicit-sync", "copy-on-device", KEY_BOOLEAN, IN (sync_copy_on_device), 0, 0, NULL },
  { "noise", "relative", KEY_DOUBLE, IN (noise_relative), 0, 0.5,
    "Standard deviation of Gaussian noise on every cost; 0: none. Same seed, same times.", TRUE },
  { "noise", "seed", KEY_UINT64, IN (noise_seed), 0, MANY, "Where the noise begins; 1 when left out.", TRUE },
  { "trouble", "corrupt_kernel", KEY_BOOLEAN, IN (corrupt_kernel), 0, 0, "For tests: kernels compute wrong results.", TRUE },
  { "trouble", "late_latch", KEY_BOOLEAN, IN (late_latch), 0, 0, "For tests: every latch gives way before it is opened.", TRUE },
  { "trouble", "memory_bytes", KEY_UINT64, IN (trouble_memory_bytes), 0, MANY, "For tests: device memory that is really there.", TRUE },
  { "trouble", "lose_device_after_calls", KEY_UINT64, IN (lose_device_after_calls), 0, MANY,
    "For tests: the device is lost after so many calls.", TRUE },
};

const guint memlane_profile_n_keys = G_N_ELEMENTS (memlane_profile_keys);

gboolean
memlane_profile_refuse (GError **error, const char *file, const char *group, const char *key, const char *format, ...)
{
  va_list arguments;
  g_autofree char *expected = NULL, *shown_group = NULL, *shown_key = NULL;

  va_start (arguments, format);
  expected = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Names from the file may be anything at all, and as long. */
  shown_group = group != NULL ? g_strndup (group, 80) : NULL;
  shown_key = key != NULL ? g_strndup (key, 80) : NULL;
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "%s: %s%s%s%s%s%s%s", file, group != NULL ? "[" : "",
               group != NULL ? shown_group : "", group != NULL ? "]" : "", group != NULL && key != NULL ? " " : "",
               key != NULL ? shown_key : "", group != NULL || key != NULL ? ": " : "", expected);
  return FALSE;
}
