/* cuda.c: the CUDA device: the list of GPUs and what is known of one, opening and closing it, and
 * each call of the device interface as one call of the CUDA runtime
 *
 * SPDX-License-Identifier: MIT
 *
 * Memory pools (malloc_async) keep CUDA's defaults outside of pool_keep: a pool gives its free
 * memory back at the next synchronisation (release threshold 0). That is what a program meets that
 * sets nothing, and what the mode stream-ordered is there to show.
 */
#include "shared.h"

#include <cuda.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/host-memory.h"
#include "device/link.h"
#include "kernels/shape.h"

#if CUDART_VERSION < 12000
#error "Memlane needs CUDA 12 or newer" /* for cudaInitDevice */
#endif

#define PAGE_BYTES 4096
#define UNKNOWN_CACHE_BYTES ((gsize) 512 << 20) /* more than any has */
#define WARM_UP_BYTES ((gsize) 16 << 20)
#define FRESH_BYTES (128 << 10) /* malloc's first M_MMAP_THRESHOLD */

/* --- the list of GPUs, and what is known of one ----------------------------------------------- */

/* 0 where CUDA does not know. Attributes are asked of the driver: no context is made. */
static int
attribute (int ordinal, enum cudaDeviceAttr which)
{
  int value = 0;

  return CHECK (cudaDeviceGetAttribute (&value, which, ordinal), NULL, "cudaDeviceGetAttribute")
             ? value
             : 0;
}

static void
append_listing (GPtrArray *listings, char *id, char *name, char *reason)
{
  MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

  listing->id = id;
  listing->kind = g_strdup ("cuda");
  listing->name = name;
  listing->reason = reason;
  g_ptr_array_add (listings, listing);
}

/* None is an error, too. */
static cudaError_t
count_devices (int *count)
{
  cudaError_t status;

  *count = 0;
  status = cudaGetDeviceCount (count);
  cudaGetLastError ();
  return status == cudaSuccess && *count == 0 ? cudaErrorNoDevice : status;
}

/* (transfer full) (nullable): why it would not open, as far as that is known without trying;
 * *@name: NULL where CUDA does not tell */
static char *
explain_unusable (int ordinal, char **name)
{
  struct cudaDeviceProp properties;
  int major = attribute (ordinal, cudaDevAttrComputeCapabilityMajor),
      minor = attribute (ordinal, cudaDevAttrComputeCapabilityMinor);
  cudaError_t status = cudaGetDeviceProperties (&properties, ordinal); /* makes no context either */

  cudaGetLastError ();
  *name = status == cudaSuccess ? g_strndup (properties.name, sizeof properties.name) : NULL;
  if (status != cudaSuccess)
    return memlane_cuda_describe_absence (status);
  if (10 * major + minor < MEMLANE_OLDEST_CHIP)
    return g_strdup_printf ("compute capability %d.%d; this program holds code for %d.%d and newer",
                            major, minor, MEMLANE_OLDEST_CHIP / 10, MEMLANE_OLDEST_CHIP % 10);
  if (attribute (ordinal, cudaDevAttrComputeMode) == cudaComputeModeProhibited)
    return g_strdup (
        "its compute mode forbids use; an administrator can change that: nvidia-smi -c DEFAULT");
  return NULL;
}

static void
cuda_list (GPtrArray *listings)
{
  int count;
  cudaError_t status = count_devices (&count);

  if (status != cudaSuccess)
    {
      append_listing (listings, g_strdup ("cuda"), g_strdup ("CUDA devices"),
                      memlane_cuda_describe_absence (status));
      return;
    }

  for (int i = 0; i < count; i++)
    {
      g_autofree char *name = NULL;
      char *reason = explain_unusable (i, &name);

      append_listing (listings, g_strdup_printf ("cuda:%d", i),
                      name != NULL ? g_steal_pointer (&name) : g_strdup ("CUDA device"), reason);
    }
}

/* The number in @name, below *@count. */
static gboolean
find_device (const char *name, int *ordinal, int *count, GError **error)
{
  guint64 number = 0;
  cudaError_t status = count_devices (count);

  if (status != cudaSuccess)
    {
      g_autofree char *absence = memlane_cuda_describe_absence (status);

      return memlane_device_refuse (error, UNAVAILABLE, "cudaGetDeviceCount (): %s", absence);
    }
  if (!g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT, &number, NULL)
      || number >= (guint64) *count)
    return memlane_device_refuse (error, UNAVAILABLE,
                                  "cudaInitDevice (%s): cudaErrorInvalidDevice: there is no device "
                                  "cuda:%s; the number must be below %d",
                                  name, name, *count);
  *ordinal = (int) number;
  return TRUE;
}

/* "580.159.04" from the kernel module's own words, else the CUDA version that the driver serves. */
static char *
read_driver_version (void)
{
  g_autofree char *text = NULL;
  int version = 0;

  if (g_file_get_contents ("/proc/driver/nvidia/version", &text, NULL, NULL))
    {
      g_autoptr (GRegex) regex = g_regex_new ("^NVRM version:.*?\\s(\\d+\\.\\d+(\\.\\d+)?)\\s", 0,
                                              0, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      if (regex != NULL && g_regex_match (regex, text, 0, &match))
        return g_match_info_fetch (match, 1);
    }

  if (CHECK (cudaDriverGetVersion (&version), NULL, "cudaDriverGetVersion") && version > 0)
    return g_strdup_printf ("CUDA %d.%d", version / 1000, version % 1000 / 10);

  return NULL;
}

/* One line of a file of the PCI device, or NULL. */
static char *
read_sysfs (const char *pci_bus_id, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/sys/bus/pci/devices/%s/%s", pci_bus_id, name);
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;

  return g_strstrip (text);
}

static int
sysfs_number (const char *pci_bus_id, const char *name, int otherwise)
{
  g_autofree char *text = read_sysfs (pci_bus_id, name);
  gint64 value;

  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &value, NULL)
             ? (int) value
             : otherwise;
}

/* "32.0 GT/s PCIe" -> 5; 0: unknown. */
static int
sysfs_generation (const char *pci_bus_id, const char *name)
{
  g_autofree char *text = read_sysfs (pci_bus_id, name);

  return text != NULL ? (int) memlane_link_find_generation (g_ascii_strtod (text, NULL) * 1e9) : 0;
}

/* NVML is opened when it is asked for first: a program that lists devices has no use for it. */
static gboolean
open_nvml (MemlaneCudaDevice *self, GError **error)
{
  if (self->nvml != NULL)
    return TRUE;
  if (self->device.info.pci_bus_id == NULL)
    return memlane_device_refuse (error, UNSUPPORTED,
                                  "NVML: the GPU's place on the PCI bus is unknown");
  self->nvml = memlane_nvml_new (self->device.info.pci_bus_id, error);
  return self->nvml != NULL;
}

/* The negotiated link. It has just been used, so a sleeping one is awake; where the current rate is
 * not told, the driver is asked, and only then the highest rate that the slot and the GPU can do
 * stands in. */
static void
read_link (MemlaneCudaDevice *self)
{
  MemlaneDeviceInfo *info = &self->device.info;
  const char *bus = info->pci_bus_id;

  info->link_generation = sysfs_generation (bus, "current_link_speed");
  info->link_width = MAX (sysfs_number (bus, "current_link_width", 0), 0);
  /* A virtual machine often shows no link in sysfs while the driver knows it. */
  if ((info->link_generation == 0 || info->link_width == 0) && open_nvml (self, NULL))
    memlane_nvml_get_link (self->nvml, &info->link_generation, &info->link_width);
  if (info->link_generation == 0)
    info->link_generation = sysfs_generation (bus, "max_link_speed");
  if (info->link_width == 0)
    info->link_width = MAX (sysfs_number (bus, "max_link_width", 0), 0);

  /* 255 lanes is what Linux shows for "unknown". */
  if (info->link_width > 32)
    info->link_width = 0;
  if (info->link_generation > MEMLANE_LINK_GENERATIONS)
    info->link_generation = 0;
  info->link_bandwidth = memlane_link_get_bandwidth ((guint) info->link_generation,
                                                     (guint) info->link_width);
}

/* The driver's virtual memory management. Its calls are found at run time: nothing is linked with
 * libcuda. Their errors have the numbers of the runtime's. */
#define DRIVER_CALLS(X)                                                                            \
  X (cuDeviceGetAttribute)                                                                         \
  X (cuMemGetAllocationGranularity) X (cuMemAddressReserve) X (cuMemAddressFree) X (cuMemCreate)   \
      X (cuMemRelease) X (cuMemMap) X (cuMemUnmap) X (cuMemSetAccess)

#define DRIVER_POINTER(name) __typeof__ (&name) name;
static struct { DRIVER_CALLS (DRIVER_POINTER) } driver;

static gboolean
find_driver_call (const char *name, gpointer *found)
{
  enum cudaDriverEntryPointQueryResult result;

#if CUDART_VERSION >= 12050
  return CHECK (cudaGetDriverEntryPointByVersion (name, found, 12000, cudaEnableDefault, &result),
                NULL, "cudaGetDriverEntryPointByVersion")
#else
  return CHECK (cudaGetDriverEntryPoint (name, found, cudaEnableDefault, &result), NULL,
                "cudaGetDriverEntryPoint")
#endif
         && result == cudaDriverEntryPointSuccess && *found != NULL;
}

static gboolean
can_map_memory (int ordinal)
{
  static gsize found;
  int value = 0;

#define FIND(name) && find_driver_call (#name, (gpointer *) &driver.name)
  if (g_once_init_enter (&found))
    g_once_init_leave (&found, TRUE DRIVER_CALLS (FIND) ? 1 : 2);
#undef FIND
  return found == 1
         && driver.cuDeviceGetAttribute (
                &value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, ordinal)
                == CUDA_SUCCESS
         && value != 0;
}

static MemlaneCapabilities
read_capabilities (int ordinal, gboolean has_peer)
{
  static const struct
  {
    enum cudaDeviceAttr attribute;
    MemlaneCapabilities capability;
  } bits[] = {
    { cudaDevAttrCanMapHostMemory, MEMLANE_CAN_MAP_HOST_MEMORY },
    { cudaDevAttrUnifiedAddressing, MEMLANE_CAN_UNIFIED_ADDRESSING },
    { cudaDevAttrManagedMemory, MEMLANE_CAN_MANAGED_MEMORY },
    { cudaDevAttrConcurrentManagedAccess,
      MEMLANE_CAN_CONCURRENT_MANAGED | MEMLANE_CAN_OVERSUBSCRIBE },
    { cudaDevAttrHostRegisterSupported, MEMLANE_CAN_HOST_REGISTER },
    { cudaDevAttrMemoryPoolsSupported, MEMLANE_CAN_MEMORY_POOLS },
    { cudaDevAttrPageableMemoryAccess, MEMLANE_CAN_PAGEABLE_ACCESS },
    { cudaDevAttrConcurrentKernels, MEMLANE_CAN_CONCURRENT_KERNELS },
    { cudaDevAttrAsyncEngineCount, MEMLANE_CAN_COPY_ASYNC },
    { cudaDevAttrCanUseHostPointerForRegisteredMem, MEMLANE_CAN_HOST_POINTER_REGISTERED },
    { cudaDevAttrHostRegisterReadOnlySupported, MEMLANE_CAN_REGISTER_READ_ONLY },
  };
  MemlaneCapabilities capabilities = has_peer ? MEMLANE_CAN_PEER_COPY : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    if (attribute (ordinal, bits[i].attribute) >= 1)
      capabilities |= bits[i].capability;
  if (memlane_cuda_has_batches ())
    capabilities |= MEMLANE_CAN_COPY_BATCH;
  if (can_map_memory (ordinal))
    capabilities |= MEMLANE_CAN_VIRTUAL_MEMORY;

  return capabilities;
}

/* As nvidia-smi -L writes it. */
static char *
format_uuid (const cudaUUID_t *uuid)
{
  GString *text = g_string_new ("GPU");

  for (gsize i = 0; i < sizeof uuid->bytes; i++)
    g_string_append_printf (text, "%s%02x",
                            i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                            (unsigned) (guint8) uuid->bytes[i]);
  return g_string_free (text, FALSE);
}

static char *
describe_launch_shape (const MemlaneDeviceInfo *info)
{
  gboolean is_tuned;
  guint blocks = memlane_cuda_get_shaped_blocks (info, &is_tuned);

  return g_strdup_printf ("one element a thread, blocks of %d threads, in every mode; in "
                          "mapped-shaped at most %u blocks of %d threads, "
                          "which walk with 4 times 4 floats in flight each (%s)",
                          MEMLANE_ORDINARY_THREADS, blocks, MEMLANE_SHAPED_THREADS,
                          is_tuned ? "tuned on this generation" : "not tuned on this generation");
}

/* All that is known without a context. */
static gboolean
fill_info (MemlaneDeviceInfo *info, int ordinal, gboolean has_peer, GError **error)
{
  int runtime = 0;
  char bus[64] = "";
  struct cudaDeviceProp properties;

  if (!CHECK (cudaGetDeviceProperties (&properties, ordinal), error, "cudaGetDeviceProperties (%d)",
              ordinal))
    return FALSE;

  info->id = g_strdup_printf ("cuda:%d", ordinal);
  info->kind = g_strdup ("cuda");
  info->name = g_strndup (properties.name, sizeof properties.name);
  info->uuid = format_uuid (&properties.uuid);
  info->driver = read_driver_version ();
  if (CHECK (cudaRuntimeGetVersion (&runtime), NULL, "cudaRuntimeGetVersion"))
    info->runtime = g_strdup_printf ("%d.%d", runtime / 1000, runtime % 1000 / 10);

  info->capabilities = read_capabilities (ordinal, has_peer);
  info->compute_major = attribute (ordinal, cudaDevAttrComputeCapabilityMajor);
  info->compute_minor = attribute (ordinal, cudaDevAttrComputeCapabilityMinor);
  info->launch_shape = describe_launch_shape (info);
  info->multiprocessors = attribute (ordinal, cudaDevAttrMultiProcessorCount);
  info->copy_engines = attribute (ordinal, cudaDevAttrAsyncEngineCount);
  info->integrated = attribute (ordinal, cudaDevAttrIntegrated) != 0;
  info->memory_bytes = properties.totalGlobalMem;
  info->l2_bytes = (guint64) attribute (ordinal, cudaDevAttrL2CacheSize);
  /* kHz and bits; two transfers a clock. */
  info->processor_clock = 1e3 * attribute (ordinal, cudaDevAttrClockRate);
  info->memory_clock = 1e3 * attribute (ordinal, cudaDevAttrMemoryClockRate);
  info->memory_bandwidth = 2.0 * 1e3 * attribute (ordinal, cudaDevAttrMemoryClockRate)
                           * attribute (ordinal, cudaDevAttrGlobalMemoryBusWidth) / 8;
  if ((info->capabilities & MEMLANE_CAN_MANAGED_MEMORY) != 0)
    info->static_managed_bytes = MEMLANE_MANAGED_ELEMENTS * sizeof (float);
  info->numa_node = -1;

  if (CHECK (cudaDeviceGetPCIBusId (bus, sizeof bus, ordinal), NULL, "cudaDeviceGetPCIBusId"))
    {
      info->pci_bus_id = g_ascii_strdown (bus, -1); /* as sysfs writes it */
      info->numa_node = sysfs_number (info->pci_bus_id, "numa_node", -1);
    }

  return TRUE;
}

static gboolean
cuda_describe (const char *name, MemlaneDeviceInfo *info, GError **error)
{
  int ordinal, count;
  g_autofree char *reason = NULL, *title = NULL;

  if (!find_device (name, &ordinal, &count, error))
    return FALSE;
  reason = explain_unusable (ordinal, &title);
  if (reason != NULL)
    return memlane_device_refuse (error, UNAVAILABLE, "cudaGetDeviceProperties (%d): %s", ordinal,
                                  reason);
  return fill_info (info, ordinal, count >= 2, error);
}

/* Fills @self's info. The device is current, and has just copied: a link that sleeps tells a low
 * rate. */
static gboolean
read_info (MemlaneCudaDevice *self, GError **error)
{
  MemlaneDeviceInfo *info = &self->device.info;

  if (!fill_info (info, self->ordinal, self->peer >= 0, error)
      || !CHECK (cudaDeviceGetStreamPriorityRange (&info->priority_least, &info->priority_greatest),
                 error, "cudaDeviceGetStreamPriorityRange"))
    return FALSE;
  info->setup.ecc = info->setup.persistence = info->setup.mig = -1;
  if (info->pci_bus_id != NULL)
    read_link (self);
  if (open_nvml (self, NULL))
    memlane_nvml_get_setup (self->nvml, &info->setup);
  return TRUE;
}

/* --- what is out ------------------------------------------------------------------------------ */

static gboolean
enter (MemlaneCudaDevice *self, void *pointer, int release)
{
  g_hash_table_insert (self->memory, pointer, GINT_TO_POINTER (release));
  return TRUE;
}

/* For what libc or CUDA would not survive: a release of something that is not out. */
static gboolean
refuse (const void *thing, const char *call, GError **error)
{
  return memlane_device_refuse (error, INVALID,
                                "%s (%p): cudaErrorInvalidValue: invalid argument; it was not "
                                "handed out by the matching call, or is "
                                "released already",
                                call, thing);
}

static gboolean
strike (GHashTable *resources, const void *thing, const char *call, GError **error)
{
  return g_hash_table_remove (resources, thing) || refuse (thing, call, error);
}

/* --- clock and limits ------------------------------------------------------------------------- */

static double
cuda_clock (MemlaneDevice *device)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Busy: a processor that sleeps answers the next page fault of the device a fifth of a millisecond
 * later. */
static void
cuda_pause (MemlaneDevice *device, double ns)
{
  double begin = cuda_clock (device);

  while (cuda_clock (device) - begin < ns)
    ;
}

static gboolean
cuda_get_free_memory (MemlaneDevice *device, guint64 *bytes, GError **error)
{
  gsize unused = 0, total = 0;

  if (!CHECK (cudaMemGetInfo (&unused, &total), error, "cudaMemGetInfo ()"))
    return FALSE;

  *bytes = unused;
  return TRUE;
}

static void
cuda_get_host_memory (MemlaneDevice *device, guint64 *available, guint64 *lockable)
{
  *available = memlane_host_memory_get_available ();
  *lockable = memlane_host_memory_get_lockable ();
}

static gboolean
cuda_get_state (MemlaneDevice *device, MemlaneDeviceState *state, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);

  return open_nvml (self, error) && memlane_nvml_get_state (self->nvml, state, error);
}

static guint
cuda_count_out (MemlaneDevice *device)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (CUDA (device)->all_out); i++)
    n += g_hash_table_size (CUDA (device)->all_out[i]);
  return n;
}

/* A call of the device interface that is one call of CUDA's, with what its error says. */
#define CALLS(name, parameters, call, ...) \
  static gboolean \
  cuda_##name parameters \
  { \
    return CHECK (call, error, __VA_ARGS__); \
  }

/* One that hands *@pointer out, and one that takes @pointer back. */
#define HANDS_OUT(name, parameters, release, call, ...) \
  static gboolean \
  cuda_##name parameters \
  { \
    return CHECK (call, error, __VA_ARGS__) && enter (CUDA (device), *pointer, release); \
  }
#define RELEASES(name, parameters, resources, call, format) \
  static gboolean \
  cuda_##name parameters \
  { \
    g_hash_table_remove (CUDA (device)->resources, pointer); \
    return CHECK (call, error, format, pointer); \
  }

/* --- host memory ------------------------------------------------------------------------------ */

static gboolean
cuda_host_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  void *memory = NULL;
  int code = posix_memalign (&memory, PAGE_BYTES, MAX (bytes, 1));

  if (code != 0)
    return memlane_fail (
        error, MEMLANE_DEVICE_ERROR,
        code == ENOMEM ? MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY : MEMLANE_DEVICE_ERROR_FAILED,
        "malloc (%" G_GSIZE_FORMAT
        " bytes): cudaErrorMemoryAllocation: %s; ask for less, or free host memory",
        bytes, g_strerror (code));

  *pointer = memory;
  return enter (CUDA (device), memory, RELEASE_BY_FREE);
}

static gboolean
cuda_host_free (MemlaneDevice *device, void *pointer, GError **error)
{
  /* Memory of another kind would not survive free () either. */
  if (GPOINTER_TO_INT (g_hash_table_lookup (CUDA (device)->memory, pointer)) != RELEASE_BY_FREE)
    return refuse (pointer, "free", error);

  g_hash_table_remove (CUDA (device)->memory, pointer);
  /* Large blocks come from mmap at first, fresh pages each time; but the more a process frees, the
   * more of them malloc keeps for later. Giving the pages back makes each buffer set start as a
   * program's first one does, however long the sweep has run. */
  if (malloc_usable_size (pointer) >= FRESH_BYTES)
    madvise (pointer, malloc_usable_size (pointer) / PAGE_BYTES * PAGE_BYTES, MADV_DONTNEED);
  free (pointer);
  return TRUE;
}

HANDS_OUT (malloc_host, (MemlaneDevice * device, gsize bytes, void **pointer, GError **error),
           RELEASE_BY_FREE_HOST, cudaMallocHost (pointer, bytes),
           "cudaMallocHost (%" G_GSIZE_FORMAT " bytes)", bytes)

static gboolean
cuda_host_alloc (MemlaneDevice *device, gsize bytes, MemlaneHostAllocFlags flags, void **pointer,
                 GError **error)
{
  unsigned cuda_flags = cudaHostAllocDefault;

  if (flags & MEMLANE_HOST_ALLOC_PORTABLE)
    cuda_flags |= cudaHostAllocPortable;
  if (flags & MEMLANE_HOST_ALLOC_MAPPED)
    cuda_flags |= cudaHostAllocMapped;
  if (flags & MEMLANE_HOST_ALLOC_WRITE_COMBINED)
    cuda_flags |= cudaHostAllocWriteCombined;

  return CHECK (cudaHostAlloc (pointer, bytes, cuda_flags), error,
                "cudaHostAlloc (%" G_GSIZE_FORMAT " bytes%s%s%s)", bytes,
                flags & MEMLANE_HOST_ALLOC_PORTABLE ? ", portable" : "",
                flags & MEMLANE_HOST_ALLOC_MAPPED ? ", mapped" : "",
                flags & MEMLANE_HOST_ALLOC_WRITE_COMBINED ? ", write-combined" : "")
         && enter (CUDA (device), *pointer, RELEASE_BY_FREE_HOST);
}

RELEASES (free_host, (MemlaneDevice * device, void *pointer, GError **error), memory,
          cudaFreeHost (pointer), "cudaFreeHost (%p)")

static gboolean
cuda_host_register (MemlaneDevice *device, void *pointer, gsize bytes,
                    MemlaneHostRegisterFlags flags, GError **error)
{
  unsigned cuda_flags = cudaHostRegisterDefault;

  if (flags & MEMLANE_HOST_REGISTER_PORTABLE)
    cuda_flags |= cudaHostRegisterPortable;
  if (flags & MEMLANE_HOST_REGISTER_MAPPED)
    cuda_flags |= cudaHostRegisterMapped;
  if (flags & MEMLANE_HOST_REGISTER_READ_ONLY)
    cuda_flags |= cudaHostRegisterReadOnly;
  if ((flags & MEMLANE_HOST_REGISTER_READ_ONLY)
      && !(device->info.capabilities & MEMLANE_CAN_REGISTER_READ_ONLY))
    return memlane_device_refuse (error, UNSUPPORTED,
                                  "cudaHostRegister: cudaErrorNotSupported: "
                                  "hostRegisterReadOnlySupported is 0 on this device");

  if (!CHECK (cudaHostRegister (pointer, bytes, cuda_flags), error,
              "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s%s)", pointer, bytes,
              flags & MEMLANE_HOST_REGISTER_PORTABLE ? ", portable" : "",
              flags & MEMLANE_HOST_REGISTER_MAPPED ? ", mapped" : ""))
    return FALSE;

  g_hash_table_add (CUDA (device)->registrations, pointer);
  return TRUE;
}

RELEASES (host_unregister, (MemlaneDevice * device, void *pointer, GError **error), registrations,
          cudaHostUnregister (pointer), "cudaHostUnregister (%p)")
CALLS (host_get_device_pointer,
       (MemlaneDevice * device, void *host, void **on_device, GError **error),
       cudaHostGetDevicePointer (on_device, host, 0), "cudaHostGetDevicePointer (%p)", host)

static gboolean
cuda_host_write (MemlaneDevice *device, void *pointer, const void *from, gsize bytes,
                 GError **error)
{
  memcpy (pointer, from, bytes);
  return TRUE;
}

#ifdef __SSE2__
/* Past the caches: a copy that comes down onto lines which the processor holds dirty took a third
 * longer at 4 MiB, and that would be the price of the filling, not of the copy. */
static void
fill (char *pointer, int byte, gsize bytes)
{
  char *aligned = (char *) (((guintptr) pointer + 15) & ~(guintptr) 15);
  gsize head = MIN ((gsize) (aligned - pointer), bytes), quads = (bytes - head) / 16;
  __m128i value = _mm_set1_epi8 ((char) byte);

  memset (pointer, byte, head);
  for (gsize i = 0; i < quads; i++)
    _mm_stream_si128 ((__m128i *) (gpointer) (aligned + i * 16), value);
  _mm_sfence ();
  memset (pointer + head + quads * 16, byte, bytes - head - quads * 16);
}
#else
#define fill(pointer, byte, bytes) memset (pointer, byte, bytes)
#endif

static gboolean
cuda_host_fill (MemlaneDevice *device, void *pointer, int byte, gsize bytes, GError **error)
{
  fill (pointer, byte, bytes);
  return TRUE;
}

static gboolean
cuda_host_read (MemlaneDevice *device, void *to, const void *pointer, gsize bytes, GError **error)
{
  memcpy (to, pointer, bytes);
  return TRUE;
}

static gboolean
cuda_host_touch (MemlaneDevice *device, const void *pointer, gsize bytes, GError **error)
{
  const volatile guint8 *page = pointer;
  const volatile guint8 *end = page + bytes;

  /* From the first byte on, then at each page's start. */
  while (page < end)
    {
      (void) *page;
      page = (const volatile guint8 *) (((guintptr) page / PAGE_BYTES + 1) * PAGE_BYTES);
    }

  return TRUE;
}

/* --- device and managed memory ---------------------------------------------------------------- */

HANDS_OUT (malloc, (MemlaneDevice * device, gsize bytes, void **pointer, GError **error),
           RELEASE_BY_CUDA_FREE, cudaMalloc (pointer, bytes),
           "cudaMalloc (%" G_GSIZE_FORMAT " bytes)", bytes)
HANDS_OUT (malloc_managed, (MemlaneDevice * device, gsize bytes, void **pointer, GError **error),
           RELEASE_BY_CUDA_FREE, cudaMallocManaged (pointer, bytes, cudaMemAttachGlobal),
           "cudaMallocManaged (%" G_GSIZE_FORMAT " bytes)", bytes)
RELEASES (free, (MemlaneDevice * device, void *pointer, GError **error), memory, cudaFree (pointer),
          "cudaFree (%p)")
HANDS_OUT (malloc_async,
           (MemlaneDevice * device, gsize bytes, MemlaneStream *stream, void **pointer,
            GError **error),
           RELEASE_BY_CUDA_FREE, cudaMallocAsync (pointer, bytes, (cudaStream_t) stream),
           "cudaMallocAsync (%" G_GSIZE_FORMAT " bytes)", bytes)
RELEASES (free_async,
          (MemlaneDevice * device, void *pointer, MemlaneStream *stream, GError **error), memory,
          cudaFreeAsync (pointer, (cudaStream_t) stream), "cudaFreeAsync (%p)")

static gboolean
cuda_pool_keep (MemlaneDevice *device, gboolean keep, GError **error)
{
  guint64 threshold = keep ? G_MAXUINT64 : 0;
  cudaMemPool_t pool;

  return CHECK (cudaDeviceGetDefaultMemPool (&pool, CUDA (device)->ordinal), error,
                "cudaDeviceGetDefaultMemPool (%d)", CUDA (device)->ordinal)
         && CHECK (
             cudaMemPoolSetAttribute (pool, cudaMemPoolAttrReleaseThreshold, &threshold), error,
             "cudaMemPoolSetAttribute (cudaMemPoolAttrReleaseThreshold, %" G_GUINT64_FORMAT ")",
             threshold)
         && (keep || CHECK (cudaMemPoolTrimTo (pool, 0), error, "cudaMemPoolTrimTo (0)"));
}

/* A call of the driver for so many bytes. */
#define MAPS(name, error, ...)                                                                     \
  CHECK ((cudaError_t) driver.name (__VA_ARGS__), error, #name " (%" G_GSIZE_FORMAT " bytes)",     \
         bytes)

/* Gives back @bytes that are reserved at @at, and what is mapped there. */
static gboolean
unmap (CUdeviceptr at, gsize bytes, gboolean is_mapped, GError **error)
{
  const gboolean done = !is_mapped || MAPS (cuMemUnmap, error, at, bytes);

  return MAPS (cuMemAddressFree, done ? error : NULL, at, bytes) && done;
}

/* The handle goes back at once: the memory lives as long as it is mapped. */
static gboolean
cuda_malloc_virtual (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  const CUmemAllocationProp memory = {
    .type = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = CUDA (device)->ordinal },
  };
  const CUmemAccessDesc access = { .location = memory.location,
                                   .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
  CUmemGenericAllocationHandle handle;
  CUdeviceptr at = 0;
  gsize unit = 0;
  gboolean is_created, is_mapped, done;

  if (!(device->info.capabilities & MEMLANE_CAN_VIRTUAL_MEMORY))
    return memlane_device_refuse (
        error, UNSUPPORTED,
        "cuMemCreate: cudaErrorNotSupported: virtualMemoryManagementSupported is 0 on this device");
  if (!MAPS (cuMemGetAllocationGranularity, error, &unit, &memory,
             CU_MEM_ALLOC_GRANULARITY_MINIMUM))
    return FALSE;
  bytes = (bytes + unit - 1) / unit * unit;
  if (!MAPS (cuMemAddressReserve, error, &at, bytes, 0, 0, 0))
    return FALSE;
  is_created = MAPS (cuMemCreate, error, &handle, bytes, &memory, 0);
  is_mapped = is_created && MAPS (cuMemMap, error, at, bytes, 0, handle, 0);
  done = is_mapped && MAPS (cuMemSetAccess, error, at, bytes, &access, 1);
  done = is_created && MAPS (cuMemRelease, done ? error : NULL, handle) && done;
  if (!done)
    {
      unmap (at, bytes, is_mapped, NULL);
      return FALSE;
    }
  *pointer = (void *) at;
  g_hash_table_insert (CUDA (device)->memory, *pointer, GSIZE_TO_POINTER (bytes));
  return TRUE;
}

static gboolean
cuda_free_virtual (MemlaneDevice *device, void *pointer, GError **error)
{
  const gsize bytes = GPOINTER_TO_SIZE (g_hash_table_lookup (CUDA (device)->memory, pointer));

  if (bytes <= RELEASE_BY_CUDA_FREE)
    return refuse (pointer, "cuMemUnmap", error);
  g_hash_table_remove (CUDA (device)->memory, pointer);
  return unmap ((CUdeviceptr) pointer, bytes, TRUE, error);
}

static gboolean
cuda_managed_static (MemlaneDevice *device, guint index, gsize bytes, void **pointer,
                     GError **error)
{
  float *array = NULL;

  if (bytes > device->info.static_managed_bytes)
    return memlane_device_refuse (
        error, UNSUPPORTED,
        "__managed__ array %u (%" G_GSIZE_FORMAT
        " bytes): cudaErrorNotSupported: its size is fixed at %" G_GUINT64_FORMAT " bytes",
        index, bytes, device->info.static_managed_bytes);
  if (!CHECK (memlane_kernels_managed_array (index, &array), error,
              "cudaGetSymbolAddress (__managed__ array %u)", index))
    return FALSE;

  *pointer = array;
  return TRUE;
}

static gboolean
cuda_set_peer (MemlaneDevice *device, const MemlaneDevice *peer)
{
  MemlaneCudaDevice *self = CUDA (device);
  const int ordinal = ((const MemlaneCudaDevice *) peer)->ordinal;

  if (ordinal == self->ordinal)
    return FALSE;
  self->peer_ready = self->peer_ready && self->peer == ordinal;
  self->peer = ordinal;
  return TRUE;
}

/* Memory of the second GPU. With peer access copies go straight there; without it CUDA takes them
 * through host memory, which is slower and no less right. */
static gboolean
cuda_peer_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);
  void *memory = NULL;
  gboolean ok;

  if (self->peer < 0)
    return memlane_device_refuse (
        error, UNSUPPORTED,
        "cudaMalloc (%" G_GSIZE_FORMAT
        " bytes, second device): cudaErrorInvalidDevice: there is one device only",
        bytes);

  ok = CHECK (cudaSetDevice (self->peer), error, "cudaSetDevice (%d)", self->peer)
       && CHECK (cudaMalloc (&memory, bytes), error,
                 "cudaMalloc (%" G_GSIZE_FORMAT " bytes, device %d)", bytes, self->peer);
  if (!CHECK (cudaSetDevice (self->ordinal), ok ? error : NULL, "cudaSetDevice (%d)", self->ordinal)
      && ok)
    {
      CHECK (cudaFree (memory), NULL, "cudaFree");
      ok = FALSE;
    }
  if (!ok)
    return FALSE;

  if (!self->peer_ready)
    {
      CHECK (cudaDeviceEnablePeerAccess (self->peer, 0), NULL, "cudaDeviceEnablePeerAccess");
      self->peer_ready = TRUE;
    }
  *pointer = memory;
  return enter (self, memory, RELEASE_BY_CUDA_FREE);
}

static gboolean
cuda_peer_free (MemlaneDevice *device, void *pointer, GError **error)
{
  return cuda_free (device, pointer, error);
}

static gboolean
cuda_pointer_get_type (MemlaneDevice *device, const void *pointer, MemlaneMemoryType *type,
                       GError **error)
{
  struct cudaPointerAttributes found = { .type = cudaMemoryTypeUnregistered };
  gboolean done = CHECK (cudaPointerGetAttributes (&found, pointer), error,
                         "cudaPointerGetAttributes (%p)", pointer);

  *type = found.type == cudaMemoryTypeHost      ? MEMLANE_MEMORY_HOST
          : found.type == cudaMemoryTypeDevice  ? MEMLANE_MEMORY_DEVICE
          : found.type == cudaMemoryTypeManaged ? MEMLANE_MEMORY_MANAGED
                                                : MEMLANE_MEMORY_UNREGISTERED;
  return done;
}

/* --- moving bytes ----------------------------------------------------------------------------- */

static const struct
{
  enum cudaMemcpyKind kind;
  const char *name;
} copy_kinds[] = {
  [MEMLANE_COPY_TO_DEVICE] = { cudaMemcpyHostToDevice, "cudaMemcpyHostToDevice" },
  [MEMLANE_COPY_TO_HOST] = { cudaMemcpyDeviceToHost, "cudaMemcpyDeviceToHost" },
  [MEMLANE_COPY_ON_DEVICE] = { cudaMemcpyDeviceToDevice, "cudaMemcpyDeviceToDevice" },
  [MEMLANE_COPY_ON_HOST] = { cudaMemcpyHostToHost, "cudaMemcpyHostToHost" },
};

CALLS (memcpy,
       (MemlaneDevice * device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
        GError **error),
       cudaMemcpy (to, from, bytes, copy_kinds[kind].kind),
       "cudaMemcpy (%p, %p, %" G_GSIZE_FORMAT " bytes, %s)", to, from, bytes,
       copy_kinds[kind].name)
CALLS (memcpy_async,
       (MemlaneDevice * device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
        MemlaneStream *stream, GError **error),
       cudaMemcpyAsync (to, from, bytes, copy_kinds[kind].kind, (cudaStream_t) stream),
       "cudaMemcpyAsync (%p, %p, %" G_GSIZE_FORMAT " bytes, %s)", to, from, bytes,
       copy_kinds[kind].name)

static gboolean
cuda_memcpy_peer_async (MemlaneDevice *device, void *to_peer, const void *from, gsize bytes,
                        MemlaneStream *stream, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);

  return CHECK (
      cudaMemcpyPeerAsync (to_peer, self->peer, from, self->ordinal, bytes, (cudaStream_t) stream),
      error, "cudaMemcpyPeerAsync (%p, device %d, %p, device %d, %" G_GSIZE_FORMAT " bytes)",
      to_peer, self->peer, from, self->ordinal, bytes);
}

CALLS (memset_async,
       (MemlaneDevice * device, void *pointer, int byte, gsize bytes, MemlaneStream *stream,
        GError **error),
       cudaMemsetAsync (pointer, byte, bytes, (cudaStream_t) stream),
       "cudaMemsetAsync (%p, %d, %" G_GSIZE_FORMAT " bytes)", pointer, byte, bytes)

static const char *
location_name (MemlaneLocation location)
{
  return location == MEMLANE_LOCATION_DEVICE ? "device" : "host";
}

/* Of CUDA 13 cudaMemPrefetchAsync and cudaMemAdvise take a cudaMemLocation, before that a device's
 * ordinal. */
#if CUDART_VERSION >= 13000
static struct cudaMemLocation
location_of (MemlaneLocation location, int ordinal)
{
  return location == MEMLANE_LOCATION_DEVICE
             ? (struct cudaMemLocation){ .type = cudaMemLocationTypeDevice, .id = ordinal }
             : (struct cudaMemLocation){ .type = cudaMemLocationTypeHost };
}
#define PREFETCH_FLAGS 0,
#else
static int
location_of (MemlaneLocation location, int ordinal)
{
  return location == MEMLANE_LOCATION_DEVICE ? ordinal : cudaCpuDeviceId;
}
#define PREFETCH_FLAGS
#endif

CALLS (mem_prefetch_async,
       (MemlaneDevice * device, const void *pointer, gsize bytes, MemlaneLocation location,
        MemlaneStream *stream, GError **error),
       cudaMemPrefetchAsync (pointer, bytes, location_of (location, CUDA (device)->ordinal),
                             PREFETCH_FLAGS (cudaStream_t) stream),
       "cudaMemPrefetchAsync (%p, %" G_GSIZE_FORMAT " bytes, %s)", pointer, bytes,
       location_name (location))

static gboolean
cuda_mem_advise (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneMemAdvice advice,
                 MemlaneLocation location, GError **error)
{
  static const struct
  {
    enum cudaMemoryAdvise advice;
    const char *name;
  } advices[] = {
    [MEMLANE_ADVICE_READ_MOSTLY] = { cudaMemAdviseSetReadMostly, "cudaMemAdviseSetReadMostly" },
    [MEMLANE_ADVICE_PREFERRED_LOCATION] = { cudaMemAdviseSetPreferredLocation,
                                            "cudaMemAdviseSetPreferredLocation" },
    [MEMLANE_ADVICE_ACCESSED_BY] = { cudaMemAdviseSetAccessedBy, "cudaMemAdviseSetAccessedBy" },
  };

  return CHECK (cudaMemAdvise (pointer, bytes, advices[advice].advice,
                               location_of (location, CUDA (device)->ordinal)),
                error, "cudaMemAdvise (%p, %" G_GSIZE_FORMAT " bytes, %s, %s)", pointer, bytes,
                advices[advice].name, location_name (location));
}

/* Twice what the cache holds: lines are replaced by no strict order. */
static gboolean
cuda_flush_cache (MemlaneDevice *device, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);
  const gsize bytes = device->info.l2_bytes > 0 ? 2 * device->info.l2_bytes : UNKNOWN_CACHE_BYTES;

  if (self->flushed == NULL
      && !CHECK (cudaMalloc (&self->flushed, bytes), error,
                 "cudaMalloc (%" G_GSIZE_FORMAT " bytes, to flush the cache)", bytes))
    return FALSE;
  self->flush_byte++;
  return CHECK (cudaMemsetAsync (self->flushed, self->flush_byte, bytes, NULL), error,
                "cudaMemsetAsync (%" G_GSIZE_FORMAT " bytes, to flush the cache)", bytes)
         && CHECK (cudaDeviceSynchronize (), error, "cudaDeviceSynchronize ()");
}

/* --- kernels ---------------------------------------------------------------------------------- */

static gboolean
cuda_launch (MemlaneDevice *device, MemlaneKernel kernel, float *out, const float *a,
             const float *b, gsize elements, MemlaneStream *stream, GError **error)
{
  guint blocks = (kernel & MEMLANE_KERNEL_SHAPED) != 0
                     ? memlane_cuda_get_shaped_blocks (&device->info, NULL)
                     : 0;
  gboolean copies = (kernel & MEMLANE_KERNEL_COPY) != 0;

  return CHECK (
      memlane_kernel_launch (out, a, copies ? NULL : b, elements, blocks, (cudaStream_t) stream),
      error, "%s<<<>>> (%p, %p, %p, %" G_GSIZE_FORMAT " elements)", copies ? "copy" : "add", out, a,
      b, elements);
}

CALLS (launch_work,
       (MemlaneDevice * device, float *out, const float *a, gsize elements, guint multiply_adds,
        MemlaneStream *stream, GError **error),
       memlane_kernel_work_launch (out, a, elements, multiply_adds, (cudaStream_t) stream),
       "work<<<>>> (%p, %p, %" G_GSIZE_FORMAT " elements, %u multiply-adds)", out, a, elements,
       multiply_adds)
CALLS (launch_count,
       (MemlaneDevice * device, guint32 *counter, guint times, MemlaneStream *stream,
        GError **error),
       memlane_kernel_count_launch (counter, times, (cudaStream_t) stream),
       "count<<<>>> (%p, %u times)", counter, times)

static gboolean
cuda_launch_host_function (MemlaneDevice *device, void (*function) (gpointer data), gpointer data,
                           MemlaneStream *stream, GError **error)
{
  memlane_cuda_trace_host_function (device, &function, &data, stream);
  return CHECK (cudaLaunchHostFunc ((cudaStream_t) stream, function, data), error,
                "cudaLaunchHostFunc ()");
}

/* --- order and time --------------------------------------------------------------------------- */

static gboolean
cuda_stream_create (MemlaneDevice *device, gboolean non_blocking, int priority,
                    MemlaneStream **stream, GError **error)
{
  cudaStream_t created = NULL;

  if (!CHECK (cudaStreamCreateWithPriority (
                  &created, non_blocking ? cudaStreamNonBlocking : cudaStreamDefault, priority),
              error, "cudaStreamCreateWithPriority (%s, %d)",
              non_blocking ? "cudaStreamNonBlocking" : "cudaStreamDefault", priority))
    return FALSE;

  *stream = (MemlaneStream *) created;
  g_hash_table_add (CUDA (device)->streams, created);
  return TRUE;
}

static gboolean
cuda_stream_destroy (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  return strike (CUDA (device)->streams, stream, "cudaStreamDestroy", error)
         && CHECK (cudaStreamDestroy ((cudaStream_t) stream), error, "cudaStreamDestroy (%p)",
                   (void *) stream);
}

CALLS (stream_synchronize, (MemlaneDevice * device, MemlaneStream *stream, GError **error),
       cudaStreamSynchronize ((cudaStream_t) stream), "cudaStreamSynchronize (%p)",
       (void *) stream)

static gboolean
cuda_stream_query (MemlaneDevice *device, MemlaneStream *stream, gboolean *done, GError **error)
{
  cudaError_t status = cudaStreamQuery ((cudaStream_t) stream);

  if (status == cudaErrorNotReady)
    cudaGetLastError (); /* an answer, not an error */
  else if (!CHECK (status, error, "cudaStreamQuery (%p)", (void *) stream))
    return FALSE;

  *done = status == cudaSuccess;
  return TRUE;
}

CALLS (stream_wait_event,
       (MemlaneDevice * device, MemlaneStream *stream, MemlaneEvent *event, GError **error),
       cudaStreamWaitEvent ((cudaStream_t) stream, (cudaEvent_t) event, 0),
       "cudaStreamWaitEvent (%p, %p)", (void *) stream, (void *) event)
/* Beside a background, which would be waited for: all streams but its own. */
static gboolean
cuda_synchronize (MemlaneDevice *device, GError **error)
{
  if (!memlane_cuda_background_is_on (CUDA (device)))
    return CHECK (cudaDeviceSynchronize (), error, "cudaDeviceSynchronize ()");
  MEMLANE_FOR_EACH_ENTRY (CUDA (device)->streams, key, value)
    if (!CHECK (cudaStreamSynchronize (key), error, "cudaStreamSynchronize (%p)", key))
      return FALSE;
  return CHECK (cudaStreamSynchronize (NULL), error, "cudaStreamSynchronize (0)");
}

static gboolean
cuda_event_create (MemlaneDevice *device, MemlaneEvent **event, GError **error)
{
  cudaEvent_t created = NULL;

  if (!CHECK (cudaEventCreateWithFlags (&created, cudaEventDefault), error,
              "cudaEventCreateWithFlags (cudaEventDefault)"))
    return FALSE;

  *event = (MemlaneEvent *) created;
  g_hash_table_add (CUDA (device)->events, created);
  return TRUE;
}

static gboolean
cuda_event_destroy (MemlaneDevice *device, MemlaneEvent *event, GError **error)
{
  return strike (CUDA (device)->events, event, "cudaEventDestroy", error)
         && CHECK (cudaEventDestroy ((cudaEvent_t) event), error, "cudaEventDestroy (%p)",
                   (void *) event);
}

CALLS (event_record,
       (MemlaneDevice * device, MemlaneEvent *event, MemlaneStream *stream, GError **error),
       cudaEventRecord ((cudaEvent_t) event, (cudaStream_t) stream), "cudaEventRecord (%p, %p)",
       (void *) event, (void *) stream)
CALLS (event_synchronize, (MemlaneDevice * device, MemlaneEvent *event, GError **error),
       cudaEventSynchronize ((cudaEvent_t) event), "cudaEventSynchronize (%p)",
       (void *) event)

static gboolean
cuda_event_elapsed (MemlaneDevice *device, MemlaneEvent *start, MemlaneEvent *stop, double *ns,
                    GError **error)
{
  float ms = 0;

  if (!CHECK (cudaEventElapsedTime (&ms, (cudaEvent_t) start, (cudaEvent_t) stop), error,
              "cudaEventElapsedTime (%p, %p)", (void *) start, (void *) stop))
    return FALSE;

  *ns = ms * 1e6;
  return TRUE;
}

/* --- the latch: a spinning kernel that holds a stream ----------------------------------------- */

static gboolean
latch_create (MemlaneCudaDevice *self, GError **error)
{
  static gint allocated; /* by an earlier device of this process */
  void *word = NULL, *on_device = NULL;
  double begin = cuda_clock (&self->device);

  if (!CHECK (cudaHostAlloc (&word, sizeof *self->latch_word, cudaHostAllocMapped), error,
              "cudaHostAlloc (%" G_GSIZE_FORMAT " bytes, mapped, the latch)",
              sizeof *self->latch_word))
    return FALSE;

  if (g_atomic_int_add (&allocated, 1) == 0)
    self->device.first_pinned_ns = cuda_clock (&self->device) - begin;
  memset (word, 0, sizeof *self->latch_word);
  self->latch_word = word;

  if (!CHECK (cudaHostGetDevicePointer (&on_device, word, 0), error,
              "cudaHostGetDevicePointer (%p, the latch)", word))
    return FALSE;

  self->latch_word_on_device = on_device;
  return CHECK (cudaEventCreateWithFlags (&self->latch_event, cudaEventDisableTiming), error,
                "cudaEventCreateWithFlags (cudaEventDisableTiming)");
}

/* After everything on the device has ended. */
static void
latch_destroy (MemlaneCudaDevice *self)
{
  if (self->latch_event != NULL)
    CHECK (cudaEventDestroy (self->latch_event), NULL, "cudaEventDestroy");
  if (self->latch_word != NULL)
    CHECK (cudaFreeHost (self->latch_word), NULL, "cudaFreeHost");
  self->latch_event = NULL;
  self->latch_word = NULL;
}

static void
let_go (MemlaneCudaDevice *self)
{
  __atomic_store_n (&self->latch_word->released, self->latch_ticket, __ATOMIC_SEQ_CST);
  self->latch_closed = FALSE;
}

static gboolean
cuda_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);
  cudaStream_t on = (cudaStream_t) stream;

  if (self->latch_closed)
    return memlane_device_refuse (
        error, INVALID, "latch: cudaErrorInvalidValue: a latch is closed already; open it first");

  /* 0 is what the word starts with. */
  if (++self->latch_ticket == 0)
    self->latch_ticket = 1;

  if (!CHECK (memlane_kernel_latch_launch (self->latch_word_on_device, self->latch_ticket,
                                           (guint64) MEMLANE_LATCH_TIMEOUT_NS, on),
              error, "latch<<<1, 1>>>"))
    return FALSE;

  self->latch_closed = TRUE;
  if (!CHECK (cudaEventRecord (self->latch_event, on), error, "cudaEventRecord (behind the latch)"))
    {
      let_go (self); /* a failed call leaves nothing behind, least of all a stream that is held */
      return FALSE;
    }

  return TRUE;
}

/* A latch that nobody opens. */
static void
cuda_spin (MemlaneDevice *device, double ns)
{
  MemlaneCudaDevice *self = (MemlaneCudaDevice *) device;

  (void) memlane_kernel_latch_launch (self->latch_word_on_device, G_MAXUINT32, (guint64) ns, NULL);
}

/* Lateness is known only once the kernel has ended, so this waits for it: some microseconds,
 * between the release and whatever the caller waits for next, while the work behind the latch is
 * running already. Nothing that is timed on the device sees it. */
static gboolean
cuda_latch_open (MemlaneDevice *device, gboolean *late, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);

  if (!self->latch_closed)
    {
      *late = FALSE;
      return TRUE;
    }

  let_go (self);
  if (!CHECK (cudaEventSynchronize (self->latch_event), error,
              "cudaEventSynchronize (behind the latch)"))
    return FALSE;

  *late = __atomic_load_n (&self->latch_word->late, __ATOMIC_SEQ_CST) == self->latch_ticket;
  return TRUE;
}

/* --- opening and closing ---------------------------------------------------------------------- */

/* One turn of everything that a mode queues, timed by two events. */
static gboolean
queue_everything (void *host, void *device, cudaEvent_t start, cudaEvent_t stop, GError **error)
{
  float *const vectors = device;
  const gsize elements = WARM_UP_BYTES / sizeof (float) / 4;

  return CHECK (cudaEventRecord (start, NULL), error, "cudaEventRecord")
         && CHECK (cudaMemcpyAsync (device, host, WARM_UP_BYTES, cudaMemcpyHostToDevice, NULL),
                   error, "cudaMemcpyAsync (to device)")
         && CHECK (memlane_kernel_launch (vectors, vectors + elements, vectors + 2 * elements,
                                          elements, 0, NULL),
                   error, "add<<<>>>")
         && CHECK (memlane_kernel_launch (vectors, vectors + elements, NULL, elements, 0, NULL),
                   error, "copy<<<>>>")
         && CHECK (cudaMemcpyAsync (vectors, vectors + elements, elements * sizeof (float),
                                    cudaMemcpyDeviceToDevice, NULL),
                   error, "cudaMemcpyAsync (on device)")
         && CHECK (cudaMemsetAsync (device, 0, WARM_UP_BYTES, NULL), error, "cudaMemsetAsync")
         && CHECK (cudaMemcpyAsync (host, device, WARM_UP_BYTES, cudaMemcpyDeviceToHost, NULL),
                   error, "cudaMemcpyAsync (to host)")
         && CHECK (cudaEventRecord (stop, NULL), error, "cudaEventRecord");
}

/* Pays for everything that CUDA does at the first use: loading kernels, its own for copies and
 * fills too, the first pinning, events, the latch. All of it once without the latch, for what is
 * loaded at the first use would wait for a closed one. */
static gboolean
warm_up (MemlaneCudaDevice *self, GError **error)
{
  void *host = NULL, *device = NULL;
  cudaEvent_t start = NULL, stop = NULL;
  float ms = 0;
  gboolean late = FALSE, ok;

  ok = CHECK (memlane_kernels_load (), error, "cudaFuncGetAttributes (every kernel)")
       && latch_create (self, error)
       && CHECK (cudaMallocHost (&host, WARM_UP_BYTES), error,
                 "cudaMallocHost (%" G_GSIZE_FORMAT " bytes)", WARM_UP_BYTES)
       && CHECK (cudaMalloc (&device, WARM_UP_BYTES), error,
                 "cudaMalloc (%" G_GSIZE_FORMAT " bytes)", WARM_UP_BYTES)
       && CHECK (cudaEventCreate (&start), error, "cudaEventCreate")
       && CHECK (cudaEventCreate (&stop), error, "cudaEventCreate");
  if (ok)
    memset (host, 0, WARM_UP_BYTES);

  for (int latched = 0; latched <= 1 && ok; latched++)
    {
      ok = (!latched || cuda_latch_close (&self->device, NULL, error))
           && queue_everything (host, device, start, stop, error);
      /* Opened in any case: what follows waits for the device. */
      ok = cuda_latch_open (&self->device, &late, ok ? error : NULL) && ok;
      ok = ok && CHECK (cudaEventSynchronize (stop), error, "cudaEventSynchronize") &&
           CHECK (cudaEventElapsedTime (&ms, start, stop), error, "cudaEventElapsedTime");
    }

  if (stop != NULL)
    CHECK (cudaEventDestroy (stop), NULL, "cudaEventDestroy");
  if (start != NULL)
    CHECK (cudaEventDestroy (start), NULL, "cudaEventDestroy");
  if (device != NULL)
    CHECK (cudaFree (device), NULL, "cudaFree");
  if (host != NULL)
    CHECK (cudaFreeHost (host), NULL, "cudaFreeHost");

  return ok;
}

static void
cuda_make_current (MemlaneDevice *device)
{
  CHECK (cudaSetDevice (CUDA (device)->ordinal), NULL, "cudaSetDevice");
}

/* Everything that is still out goes back; errors have nobody to go to. */
static void
release_all (MemlaneCudaDevice *self)
{
  gboolean late;

  cuda_make_current (&self->device);
  cuda_latch_open (&self->device, &late, NULL);
  memlane_cuda_background_clear (self);
  CHECK (cudaDeviceSynchronize (), NULL, "cudaDeviceSynchronize");

  MEMLANE_FOR_EACH_ENTRY (self->events, key, value)
    CHECK (cudaEventDestroy (key), NULL, "cudaEventDestroy");

  MEMLANE_FOR_EACH_ENTRY (self->graphs, key, value)
    CHECK (cudaGraphExecDestroy (key), NULL, "cudaGraphExecDestroy");
  memlane_cuda_many_clear (self);

  MEMLANE_FOR_EACH_ENTRY (self->streams, key, value)
    CHECK (cudaStreamDestroy (key), NULL, "cudaStreamDestroy");

  /* Before the memory itself. */
  MEMLANE_FOR_EACH_ENTRY (self->registrations, key, value)
    CHECK (cudaHostUnregister (key), NULL, "cudaHostUnregister");

  MEMLANE_FOR_EACH_ENTRY (self->memory, key, value)
    switch (GPOINTER_TO_SIZE (value))
      {
      case RELEASE_BY_FREE:
        free (key);
        break;
      case RELEASE_BY_FREE_HOST:
        CHECK (cudaFreeHost (key), NULL, "cudaFreeHost");
        break;
      case RELEASE_BY_CUDA_FREE:
        CHECK (cudaFree (key), NULL, "cudaFree");
        break;
      default:
        unmap ((CUdeviceptr) key, GPOINTER_TO_SIZE (value), TRUE, NULL);
        break;
      }

  if (self->flushed != NULL)
    CHECK (cudaFree (self->flushed), NULL, "cudaFree");
  latch_destroy (self);
}

/* The context stays: it is the process's, not this device's, and cudaDeviceReset would pull it from
 * under another open device or a host program of libmemlane. */
static void
cuda_close (MemlaneDevice *device)
{
  MemlaneCudaDevice *self = CUDA (device);

  if (self->trace != NULL)
    memlane_cuda_trace_calls.end (device, NULL, NULL);
  release_all (self);
  memlane_nvml_free (self->nvml);
  for (guint i = 0; i < G_N_ELEMENTS (self->all_out); i++)
    g_hash_table_unref (self->all_out[i]);
  g_free (self);
}

static MemlaneDevice *
cuda_open (const char *name, GError **error)
{
  MemlaneCudaDevice *self;
  int ordinal, count;
  float *array = NULL;

  if (!find_device (name, &ordinal, &count, error))
    return NULL;

  self = g_new0 (MemlaneCudaDevice, 1);
  self->ordinal = ordinal;
  self->peer = count >= 2 ? (self->ordinal + 1) % count : -1;
  for (guint i = 0; i < G_N_ELEMENTS (self->all_out); i++)
    self->all_out[i] = g_hash_table_new (NULL, NULL);

  memlane_cuda_trace_before_context (self->ordinal);
  /* The flags come with the context's making, for it is made here since CUDA 12, not at the first
   * use. Mapping is implied by the runtime but costs nothing to say; spinning makes every machine
   * wait in the same way, whatever its number of cores. */
  if (!CHECK (cudaInitDevice (self->ordinal, cudaDeviceMapHost | cudaDeviceScheduleSpin,
                              cudaInitDeviceFlagsAreValid),
              error, "cudaInitDevice (%d, cudaDeviceMapHost | cudaDeviceScheduleSpin)",
              self->ordinal)
      || !CHECK (cudaSetDevice (self->ordinal), error, "cudaSetDevice (%d)", self->ordinal)
      || !warm_up (self, error) || !read_info (self, error))
    {
      memlane_device_info_clear (&self->device.info);
      cuda_close (&self->device);
      return NULL;
    }

  /* Also loads the arrays' module now. Without them only the mode managed-static is missing. */
  if (self->device.info.static_managed_bytes > 0
      && !CHECK (memlane_kernels_managed_array (0, &array), NULL, "cudaGetSymbolAddress"))
    self->device.info.static_managed_bytes = 0;

  return &self->device;
}

/* The calls that a program makes which begins without a context; @to takes each one's host time. */
static gboolean
run_fresh (MemlaneCudaDevice *self, void *host, gsize bytes, MemlaneFreshTimes *to, GError **error)
{
  MemlaneDevice *const device = &self->device;
  double begin = cuda_clock (device);
  void *memory = NULL;
  gboolean ok;

#define TIMED(member, call, ...) \
  ({ \
    double start = cuda_clock (device); \
    gboolean done = CHECK (call, error, __VA_ARGS__); \
    to->member = cuda_clock (device) - start; \
    done; \
  })
  ok = CHECK (cudaSetDevice (self->ordinal), error, "cudaSetDevice (%d)", self->ordinal);
  to->context = cuda_clock (device) - begin;
  ok = ok
       && TIMED (malloc, cudaMalloc (&memory, bytes), "cudaMalloc (%" G_GSIZE_FORMAT " bytes)",
                 bytes)
       && TIMED (to_device, cudaMemcpy (memory, host, bytes, cudaMemcpyHostToDevice),
                 "cudaMemcpy (to device)")
       && TIMED (to_host, cudaMemcpy (host, memory, bytes, cudaMemcpyDeviceToHost),
                 "cudaMemcpy (to host)")
       && TIMED (free, cudaFree (memory), "cudaFree");
  return TIMED (reset, cudaDeviceReset (), "cudaDeviceReset") && ok;
#undef TIMED
}

/* Handles that were out die with the context; the caller has none. */
static gboolean
cuda_start_anew (MemlaneDevice *device, gsize bytes, MemlaneFreshTimes *times, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);
  void *host = malloc (bytes);
  gboolean ok;

  if (host == NULL)
    return memlane_device_refuse (error, OUT_OF_MEMORY,
                                  "malloc (%" G_GSIZE_FORMAT " bytes): no memory", bytes);
  memset (host, 1, bytes);
  release_all (self);
  self->flushed = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (self->all_out); i++)
    g_hash_table_remove_all (self->all_out[i]);
  ok = CHECK (cudaDeviceReset (), error, "cudaDeviceReset")
       && run_fresh (self, host, bytes, times, error);
  free (host);
  /* In any case: the device is open. */
  return CHECK (cudaInitDevice (self->ordinal, cudaDeviceMapHost | cudaDeviceScheduleSpin,
                                cudaInitDeviceFlagsAreValid),
                ok ? error : NULL, "cudaInitDevice (%d)", self->ordinal)
         && CHECK (cudaSetDevice (self->ordinal), ok ? error : NULL, "cudaSetDevice (%d)",
                   self->ordinal)
         && warm_up (self, ok ? error : NULL) && ok;
}

#define ROW(name) .name = cuda_##name,
static const MemlaneMemoryCalls memory_calls = { MEMLANE_MEMORY_CALLS (ROW) };
static const MemlaneAccessCalls access_calls = { MEMLANE_ACCESS_CALLS (ROW) };
static const MemlaneWorkCalls work_calls = { MEMLANE_WORK_CALLS (ROW) };
static const MemlaneOrderCalls order_calls = { MEMLANE_ORDER_CALLS (ROW) };

const char *const memlane_module_version = MEMLANE_VERSION;

const MemlaneDriver memlane_module_driver = {
  .kind = "cuda",
  .list = cuda_list,
  .describe = cuda_describe,
  .open = cuda_open,
  .close = cuda_close,
  .clock = cuda_clock,
  .pause = cuda_pause,
  .count_out = cuda_count_out,
  .spin = cuda_spin,
  .make_current = cuda_make_current,
  .get_host_memory = cuda_get_host_memory,
  .get_state = cuda_get_state,
  .set_peer = cuda_set_peer,
  .memory = &memory_calls,
  .access = &access_calls,
  .work = &work_calls,
  .many = &memlane_cuda_many_calls,
  .background = &memlane_cuda_background_calls,
  .order = &order_calls,
  .trace = &memlane_cuda_trace_calls,
};
