/* info.c: the list of GPUs, and what is known of one
 *
 * SPDX-License-Identifier: MIT
 */
#include "cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The oldest generation that kernels/meson.build compiles for. */
#define OLDEST_MAJOR 7
#define OLDEST_MINOR 5

/* 0 where CUDA does not know. Attributes are asked of the driver: no context is made. */
static int
attribute (int ordinal, enum cudaDeviceAttr which)
{
  int value = 0;

  return check (cudaDeviceGetAttribute (&value, which, ordinal), NULL, "cudaDeviceGetAttribute") ? value : 0;
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

/* (transfer full) (nullable): why it would not open, as far as that is known without trying; *@name: NULL where CUDA does not tell */
static char *
explain_unusable (int ordinal, char **name)
{
  struct cudaDeviceProp properties;
  int major = attribute (ordinal, cudaDevAttrComputeCapabilityMajor), minor = attribute (ordinal, cudaDevAttrComputeCapabilityMinor);
  cudaError_t status = cudaGetDeviceProperties (&properties, ordinal); /* makes no context either */

  cudaGetLastError ();
  *name = status == cudaSuccess ? g_strndup (properties.name, sizeof properties.name) : NULL;
  if (status != cudaSuccess)
    return memlane_cuda_describe_absence (status);
  if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
    return g_strdup_printf ("compute capability %d.%d; this program holds code for %d.%d and newer", major, minor, OLDEST_MAJOR,
                            OLDEST_MINOR);
  if (attribute (ordinal, cudaDevAttrComputeMode) == cudaComputeModeProhibited)
    return g_strdup ("its compute mode forbids use; an administrator can change that: nvidia-smi -c DEFAULT");
  return NULL;
}

void
memlane_cuda_list (GPtrArray *listings)
{
  int count;
  cudaError_t status = count_devices (&count);

  if (status != cudaSuccess)
    {
      append_listing (listings, g_strdup ("cuda"), g_strdup ("CUDA devices"), memlane_cuda_describe_absence (status));
      return;
    }

  for (int i = 0; i < count; i++)
    {
      g_autofree char *name = NULL;
      char *reason = explain_unusable (i, &name);

      append_listing (listings, g_strdup_printf ("cuda:%d", i), name != NULL ? g_steal_pointer (&name) : g_strdup ("CUDA device"), reason);
    }
}

gboolean
memlane_cuda_find (const char *name, int *ordinal, int *count, GError **error)
{
  guint64 number = 0;
  cudaError_t status = count_devices (count);

  if (status != cudaSuccess)
    {
      g_autofree char *absence = memlane_cuda_describe_absence (status);

      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "cudaGetDeviceCount (): %s", absence);
      return FALSE;
    }
  if (!g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT, &number, NULL) || number >= (guint64) *count)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                   "cudaInitDevice (%s): cudaErrorInvalidDevice: there is no device cuda:%s; the number must be below %d",
                   name, name, *count);
      return FALSE;
    }
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
      g_autoptr (GRegex) regex = g_regex_new ("^NVRM version:.*?\\s(\\d+\\.\\d+(\\.\\d+)?)\\s", 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      if (regex != NULL && g_regex_match (regex, text, 0, &match))
        return g_match_info_fetch (match, 1);
    }

  if (check (cudaDriverGetVersion (&version), NULL, "cudaDriverGetVersion") && version > 0)
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

  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &value, NULL) ? (int) value : otherwise;
}

static const struct
{
  double gigatransfers;
  double encoding; /* the part of what is sent that is payload to the link layer: 8b/10b, 128b/130b, FLIT */
} generations[] = {
  { 2.5, 8.0 / 10 }, { 5, 8.0 / 10 }, { 8, 128.0 / 130 }, { 16, 128.0 / 130 }, { 32, 128.0 / 130 }, { 64, 242.0 / 256 },
};

/* "32.0 GT/s PCIe" -> 5; 0: unknown. */
static int
sysfs_generation (const char *pci_bus_id, const char *name)
{
  g_autofree char *text = read_sysfs (pci_bus_id, name);
  double rate = text != NULL ? g_ascii_strtod (text, NULL) : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (generations); i++)
    if (rate > generations[i].gigatransfers * 0.99 && rate < generations[i].gigatransfers * 1.01)
      return (int) i + 1;

  return 0;
}

/* A virtual machine often shows no link in sysfs while the driver knows it. Opened at run time, as the driver brings it; a host without it
 * leaves the link unknown. Declarations of nvml.h that never changed. */
static void
ask_nvml_for_link (const char *pci_bus_id, int *generation, int *width)
{
  void *library = dlopen ("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*init) (void), (*shut_down) (void), (*find) (const char *, void **);
  int (*get_generation) (void *, unsigned *), (*get_width) (void *, unsigned *);
  void *device = NULL;
  unsigned value = 0;

  if (library == NULL)
    return;

  *(void **) &init = dlsym (library, "nvmlInit_v2");
  *(void **) &shut_down = dlsym (library, "nvmlShutdown");
  *(void **) &find = dlsym (library, "nvmlDeviceGetHandleByPciBusId_v2");
  *(void **) &get_generation = dlsym (library, "nvmlDeviceGetCurrPcieLinkGeneration");
  *(void **) &get_width = dlsym (library, "nvmlDeviceGetCurrPcieLinkWidth");

  if (init != NULL && shut_down != NULL && init () == 0)
    {
      if (find != NULL && find (pci_bus_id, &device) == 0)
        {
          if (*generation == 0 && get_generation != NULL && get_generation (device, &value) == 0)
            *generation = (int) value;
          if (*width == 0 && get_width != NULL && get_width (device, &value) == 0)
            *width = (int) value;
        }
      shut_down ();
    }
  dlclose (library);
}

/* The negotiated link. It has just been used, so a sleeping one is awake; where the current rate is not told, the driver is asked,
 * and only then the highest rate that the slot and the GPU can do stands in. */
static void
read_link (MemlaneDeviceInfo *info)
{
  const char *bus = info->pci_bus_id;

  info->link_generation = sysfs_generation (bus, "current_link_speed");
  info->link_width = MAX (sysfs_number (bus, "current_link_width", 0), 0);
  if (info->link_generation == 0 || info->link_width == 0)
    ask_nvml_for_link (bus, &info->link_generation, &info->link_width);
  if (info->link_generation == 0)
    info->link_generation = sysfs_generation (bus, "max_link_speed");
  if (info->link_width == 0)
    info->link_width = MAX (sysfs_number (bus, "max_link_width", 0), 0);

  /* 255 lanes is what Linux shows for "unknown". */
  if (info->link_width > 32)
    info->link_width = 0;
  if (info->link_generation > (int) G_N_ELEMENTS (generations))
    info->link_generation = 0;
  if (info->link_generation > 0 && info->link_width > 0)
    info->link_bandwidth = generations[info->link_generation - 1].gigatransfers * 1e9 * generations[info->link_generation - 1].encoding
                           * info->link_width / 8;
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
    { cudaDevAttrConcurrentManagedAccess, MEMLANE_CAN_CONCURRENT_MANAGED },
    { cudaDevAttrHostRegisterSupported, MEMLANE_CAN_HOST_REGISTER },
    { cudaDevAttrMemoryPoolsSupported, MEMLANE_CAN_MEMORY_POOLS },
    { cudaDevAttrPageableMemoryAccess, MEMLANE_CAN_PAGEABLE_ACCESS },
    { cudaDevAttrConcurrentKernels, MEMLANE_CAN_CONCURRENT_KERNELS },
    { cudaDevAttrAsyncEngineCount, MEMLANE_CAN_COPY_ASYNC },
    { cudaDevAttrCanUseHostPointerForRegisteredMem, MEMLANE_CAN_HOST_POINTER_REGISTERED },
  };
  MemlaneCapabilities capabilities = has_peer ? MEMLANE_CAN_PEER_COPY : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    if (attribute (ordinal, bits[i].attribute) >= 1)
      capabilities |= bits[i].capability;

  return capabilities;
}

/* All that is known without a context. */
static gboolean
fill_info (MemlaneDeviceInfo *info, int ordinal, gboolean has_peer, GError **error)
{
  int runtime = 0;
  char bus[64] = "";
  struct cudaDeviceProp properties;

  if (!check (cudaGetDeviceProperties (&properties, ordinal), error, "cudaGetDeviceProperties (%d)", ordinal))
    return FALSE;

  info->id = g_strdup_printf ("cuda:%d", ordinal);
  info->kind = g_strdup ("cuda");
  info->name = g_strndup (properties.name, sizeof properties.name);
  info->driver = read_driver_version ();
  if (check (cudaRuntimeGetVersion (&runtime), NULL, "cudaRuntimeGetVersion"))
    info->runtime = g_strdup_printf ("%d.%d", runtime / 1000, runtime % 1000 / 10);

  info->capabilities = read_capabilities (ordinal, has_peer);
  info->compute_major = attribute (ordinal, cudaDevAttrComputeCapabilityMajor);
  info->compute_minor = attribute (ordinal, cudaDevAttrComputeCapabilityMinor);
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

  if (check (cudaDeviceGetPCIBusId (bus, sizeof bus, ordinal), NULL, "cudaDeviceGetPCIBusId"))
    {
      info->pci_bus_id = g_ascii_strdown (bus, -1); /* as sysfs writes it */
      info->numa_node = sysfs_number (info->pci_bus_id, "numa_node", -1);
    }

  return TRUE;
}

gboolean
memlane_cuda_describe (const char *name, MemlaneDeviceInfo *info, GError **error)
{
  int ordinal, count;
  g_autofree char *reason = NULL, *title = NULL;

  if (!memlane_cuda_find (name, &ordinal, &count, error))
    return FALSE;
  reason = explain_unusable (ordinal, &title);
  if (reason != NULL)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "cudaGetDeviceProperties (%d): %s", ordinal, reason);
      return FALSE;
    }
  return fill_info (info, ordinal, count >= 2, error);
}

gboolean
memlane_cuda_read_info (MemlaneCudaDevice *self, GError **error)
{
  MemlaneDeviceInfo *info = &self->device.info;

  if (!fill_info (info, self->ordinal, self->peer >= 0, error) ||
      !check (cudaDeviceGetStreamPriorityRange (&info->priority_least, &info->priority_greatest), error,
              "cudaDeviceGetStreamPriorityRange"))
    return FALSE;
  if (info->pci_bus_id != NULL)
    read_link (info);
  return TRUE;
}
