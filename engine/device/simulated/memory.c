/* simulated-memory.c: allocation, registration and their undoing; what an address means to the device and to a copy
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <string.h>
#include <sys/mman.h>

/* The exact base of a range. */
static MemlaneSimRange *
find_base (const MemlaneSimRanges *self, const void *pointer)
{
  MemlaneSimRange *range = memlane_sim_ranges_find (self, pointer);

  return range != NULL && range->base == (const char *) pointer ? range : NULL;
}

/* --- making and ending ranges ------------------------------------------------------------------------- */

void
memlane_sim_memory_init (MemlaneSim *self)
{
  memlane_sim_ranges_init (&self->allocations);
  memlane_sim_ranges_init (&self->registrations);
  memlane_sim_ranges_init (&self->aliases);
  memlane_sim_chunks_init (self);
}

static void
alias_free (MemlaneSim *self, MemlaneSimRange *alias)
{
  memlane_sim_ranges_remove (&self->aliases, alias);
  munmap (alias->base, alias->bytes);
  g_free (alias);
}

void
memlane_sim_range_free (MemlaneSim *self, MemlaneSimRange *range)
{
  if (range->alias != NULL)
    alias_free (self, range->alias);
  switch (range->kind)
    {
    case SIM_DEVICE:
      self->device_used -= range->bytes;
      break;
    case SIM_PINNED:
      self->pinned_used -= range->bytes;
      self->host_used -= range->bytes;
      break;
    case SIM_REGISTERED:
      self->pinned_used -= range->bytes;
      break;
    case SIM_PAGEABLE:
    case SIM_MANAGED:
      self->host_used -= range->bytes;
      break;
    case SIM_PEER:
    case SIM_ALIAS:
    default:
      break;
    }
  if (range->kind != SIM_REGISTERED) /* whose bytes belong to somebody else */
    memlane_sim_pool_give (self, range->base, range->bytes);
  g_free (range->blocks);
  g_free (range);
}

void
memlane_sim_memory_clear (MemlaneSim *self)
{
  MemlaneSimRanges *const sets[] = { &self->registrations, &self->allocations };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      while (sets[i]->ranges->len > 0)
        {
          MemlaneSimRange *range = sets[i]->ranges->pdata[sets[i]->ranges->len - 1];
          memlane_sim_ranges_remove (sets[i], range);
          memlane_sim_range_free (self, range);
        }
      memlane_sim_ranges_clear (sets[i]);
    }
  memlane_sim_ranges_clear (&self->aliases);
  memlane_sim_chunks_clear (self);
  memlane_sim_pool_clear (self);
}

static const char *
kind_name (MemlaneSimKind kind)
{
  static const char *const names[] = { "pageable", "page-locked", "device", "managed", "peer", "registered", "mapped" };

  return names[kind];
}

/* @call: as in the message, without arguments. */
static MemlaneSimRange *
range_new (MemlaneSim *self, MemlaneSimKind kind, gsize bytes, const char *call, const char *flags, GError **error)
{
  MemlaneSimRange *range;
  guint64 limit;
  gboolean on_host;
  char *base;

  if (bytes == 0)
    {
      memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: nothing to allocate; ask for 1 byte or more",
                        "%s (0 bytes%s)", call, flags);
      return NULL;
    }
  if (kind == SIM_DEVICE)
    {
      limit = self->profile->info.memory_bytes;
      if (self->profile->trouble_memory_bytes > 0)
        limit = MIN (limit, self->profile->trouble_memory_bytes);
      if (bytes > limit || self->device_used > limit - bytes)
        {
          memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                            "cudaErrorMemoryAllocation: out of memory; the device has no such room, free some or take a smaller size",
                            "%s (%" G_GSIZE_FORMAT " bytes%s)", call, bytes, flags);
          return NULL;
        }
    }
  limit = self->profile->lockable_bytes;
  if (kind == SIM_PINNED && limit > 0 && (bytes > limit || self->pinned_used > limit - bytes))
    {
      memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                        "cudaErrorMemoryAllocation: out of memory; so much may not be page-locked, "
                        "raise the limit (ulimit -l) or take a smaller size",
                        "%s (%" G_GSIZE_FORMAT " bytes%s)", call, bytes, flags);
      return NULL;
    }
  limit = self->profile->host_memory_bytes;
  on_host = kind == SIM_PINNED || kind == SIM_PAGEABLE || kind == SIM_MANAGED;
  base = on_host && limit > 0 && (bytes > limit || self->host_used > limit - bytes) ? NULL : memlane_sim_pool_take (self, bytes);
  if (base == NULL)
    {
      memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                        kind == SIM_PAGEABLE ? "out of memory; this machine cannot spare so much, take a smaller size"
                          : "cudaErrorMemoryAllocation: out of memory; this machine cannot spare so much host memory, take a smaller size",
                        "%s (%" G_GSIZE_FORMAT " bytes%s)", call, bytes, flags);
      return NULL;
    }

  range = g_new0 (MemlaneSimRange, 1);
  range->base = base;
  range->bytes = bytes;
  range->kind = kind;
  if (kind == SIM_MANAGED || kind == SIM_PAGEABLE)
    range->blocks = g_malloc0 ((bytes >> MEMLANE_SIM_BLOCK_SHIFT) + 1);
  if (kind == SIM_DEVICE)
    self->device_used += bytes;
  else if (kind != SIM_PEER)
    self->host_used += bytes;
  if (kind == SIM_PINNED)
    self->pinned_used += bytes;
  memlane_sim_ranges_add (&self->allocations, range);
  return range;
}

static gboolean
refuse_release (GError **error, const char *call, const void *pointer)
{
  return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                           "cudaErrorInvalidValue: nothing is allocated there; it was freed before, or came from another call",
                           "%s (%p)", call, pointer);
}

static gboolean
is_lost_now (MemlaneSim *self, const char *call, GError **error)
{
  return self->lost && !memlane_sim_admit (self, call, error);
}

/* --- host memory --------------------------------------------------------------------------------------- */

gboolean
memlane_sim_host_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = range_new (self, SIM_PAGEABLE, bytes, "malloc", "", error);

  if (range == NULL)
    return FALSE;
  memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_MALLOC_PAGEABLE, bytes));
  *pointer = range->base;
  return TRUE;
}

/* free() knows nothing of the device: it works on a lost one too. */
gboolean
memlane_sim_host_free (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->allocations, pointer);
  gboolean still_registered;

  if (pointer == NULL)
    return TRUE;
  if (range == NULL || range->kind != SIM_PAGEABLE)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "nothing is allocated there by malloc; it was freed before, or came from another call",
                             "free (%p)", pointer);
  still_registered = memlane_sim_ranges_overlaps (&self->registrations, range->base, range->bytes);
  /* Only here can queued work still point into it. */
  if (still_registered || (self->profile->info.capabilities & MEMLANE_CAN_PAGEABLE_ACCESS) != 0)
    memlane_sim_wait (self, NULL, 0);
  memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_FREE_PAGEABLE, range->bytes));
  memlane_sim_ranges_remove (&self->allocations, range);
  if (still_registered)
    for (guint i = self->registrations.ranges->len; i > 0; i--)
      {
        MemlaneSimRange *registration = self->registrations.ranges->pdata[i - 1];

        if (registration->base < range->base + range->bytes && registration->base + registration->bytes > range->base)
          {
            memlane_sim_ranges_remove (&self->registrations, registration);
            memlane_sim_range_free (self, registration);
          }
      }
  memlane_sim_range_free (self, range);
  return !still_registered
         || memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "the memory was still registered; call cudaHostUnregister first",
                              "free (%p)", pointer);
}

static gboolean
alloc_pinned (MemlaneSim *self, const char *call, gsize bytes, MemlaneHostAllocFlags flags, gboolean plain, void **pointer, GError **error)
{
  MemlaneSimRange *range;
  gboolean mapped = (flags & MEMLANE_HOST_ALLOC_MAPPED) != 0, write_combined = (flags & MEMLANE_HOST_ALLOC_WRITE_COMBINED) != 0;
  gboolean portable = (flags & MEMLANE_HOST_ALLOC_PORTABLE) != 0;
  g_autofree char *shown = g_strdup_printf ("%s%s%s", portable ? ", portable" : "", mapped ? ", mapped" : "",
                                            write_combined ? ", write-combined" : "");
  MemlaneCurve curve, undo;

  if (!memlane_sim_admit (self, call, error))
    return FALSE;
  if (mapped && (self->profile->info.capabilities & MEMLANE_CAN_MAP_HOST_MEMORY) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: canMapHostMemory is 0 on this device",
                             "%s (%" G_GSIZE_FORMAT " bytes%s)", call, bytes, shown);
  range = range_new (self, SIM_PINNED, bytes, call, shown, error);
  if (range == NULL)
    return FALSE;
  if (mapped && write_combined)
    curve = MEMLANE_CURVE_MALLOC_MAPPED_WRITE_COMBINED, undo = MEMLANE_CURVE_FREE_MAPPED_WRITE_COMBINED;
  else if (mapped)
    curve = MEMLANE_CURVE_MALLOC_MAPPED, undo = MEMLANE_CURVE_FREE_MAPPED;
  else if (write_combined)
    curve = MEMLANE_CURVE_MALLOC_WRITE_COMBINED, undo = MEMLANE_CURVE_FREE_WRITE_COMBINED;
  else if (portable)
    curve = MEMLANE_CURVE_MALLOC_PORTABLE, undo = MEMLANE_CURVE_FREE_PORTABLE;
  else if (plain)
    curve = MEMLANE_CURVE_MALLOC_PINNED, undo = MEMLANE_CURVE_FREE_PINNED;
  else
    curve = MEMLANE_CURVE_MALLOC_ALLOCATED, undo = MEMLANE_CURVE_FREE_ALLOCATED;
  range->portable = portable;
  range->write_combined = write_combined;
  /* With one address space all page-locked memory is mapped, asked for or not. */
  range->mapped = mapped || (self->profile->info.capabilities & MEMLANE_CAN_UNIFIED_ADDRESSING) != 0;
  range->free_curve = undo;
  if (self->profile->sync_pinned_alloc)
    memlane_sim_barrier (self);
  memlane_sim_chunks_take (self, write_combined ? MEMLANE_SIM_CHUNKS_WRITE_COMBINED : MEMLANE_SIM_CHUNKS_PINNED, range, curve);
  *pointer = range->base;
  return TRUE;
}

gboolean
memlane_sim_malloc_host (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_pinned (SIM (device), "cudaMallocHost", bytes, MEMLANE_HOST_ALLOC_DEFAULT, TRUE, pointer, error);
}

gboolean
memlane_sim_host_alloc (MemlaneDevice *device, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error)
{
  return alloc_pinned (SIM (device), "cudaHostAlloc", bytes, flags, FALSE, pointer, error);
}

/* Frees wait for the whole device, as CUDA's do, so nothing queued can point at what goes. */
static gboolean
release (MemlaneSim *self, MemlaneSimRange *range, MemlaneSimRanges *set, MemlaneCurve curve, const char *call, GError **error)
{
  memlane_sim_wait (self, NULL, 0);
  memlane_sim_ranges_remove (set, range);
  if (range->kind == SIM_REGISTERED || range->kind == SIM_MANAGED || range->from_pool_call) /* no chunk of the driver's */
    memlane_sim_spend (self, memlane_sim_cost (self, curve, (double) range->bytes));
  else
    memlane_sim_chunks_give_back (self, range, curve);
  memlane_sim_range_free (self, range);
  return !is_lost_now (self, call, error);
}

gboolean
memlane_sim_free_host (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->allocations, pointer);

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaFreeHost", error);
  if (pointer == NULL)
    return TRUE;
  if (range == NULL || range->kind != SIM_PINNED)
    return refuse_release (error, "cudaFreeHost", pointer);
  return release (self, range, &self->allocations, range->free_curve, "cudaFreeHost", error);
}

gboolean
memlane_sim_host_register (MemlaneDevice *device, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range, *below;
  MemlaneSimRange *first = memlane_sim_ranges_find (&self->allocations, pointer);
  gboolean mapped = (flags & MEMLANE_HOST_REGISTER_MAPPED) != 0;
  guint64 limit = self->profile->lockable_bytes;
  const char *shown = mapped ? ", mapped" : "";

  if (!memlane_sim_admit (self, "cudaHostRegister", error))
    return FALSE;
  if ((self->profile->info.capabilities & MEMLANE_CAN_HOST_REGISTER) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: hostRegisterSupported is 0 on this device",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);
  if (mapped && (self->profile->info.capabilities & MEMLANE_CAN_MAP_HOST_MEMORY) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: canMapHostMemory is 0 on this device",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);
  if (pointer == NULL || bytes == 0 || (first != NULL && (gsize) (first->base + first->bytes - (char *) pointer) < bytes))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: that is not a stretch of allocated host memory",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);
  if (first != NULL && first->kind != SIM_PAGEABLE)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: only pageable host memory can be registered",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);
  if (memlane_sim_ranges_overlaps (&self->registrations, pointer, bytes))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorHostMemoryAlreadyRegistered: part of it is registered; unregister it first",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);
  if (limit > 0 && (bytes > limit || self->pinned_used > limit - bytes))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                             "cudaErrorMemoryAllocation: out of memory; so much may not be page-locked, "
                             "raise the limit (ulimit -l) or take a smaller size",
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes, shown);

  range = g_new0 (MemlaneSimRange, 1);
  range->base = pointer;
  range->bytes = bytes;
  range->kind = SIM_REGISTERED;
  range->mapped = mapped || (self->profile->info.capabilities & MEMLANE_CAN_UNIFIED_ADDRESSING) != 0;
  range->portable = (flags & MEMLANE_HOST_REGISTER_PORTABLE) != 0;
  range->free_curve = mapped ? MEMLANE_CURVE_UNREGISTER_MAPPED : MEMLANE_CURVE_UNREGISTER_DEFAULT;
  self->pinned_used += bytes;
  memlane_sim_ranges_add (&self->registrations, range);
  /* Locking populates: no first touch is left for later. */
  below = first;
  if (below != NULL)
    for (gsize i = (gsize) ((char *) pointer - below->base) >> MEMLANE_SIM_BLOCK_SHIFT;
         i <= ((gsize) ((char *) pointer - below->base) + bytes - 1) >> MEMLANE_SIM_BLOCK_SHIFT; i++)
      below->blocks[i] |= SIM_ON_HOST;
  memlane_sim_spend (self, memlane_sim_cost (self, mapped ? MEMLANE_CURVE_REGISTER_MAPPED : MEMLANE_CURVE_REGISTER_DEFAULT, bytes));
  return TRUE;
}

gboolean
memlane_sim_host_unregister (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->registrations, pointer);

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaHostUnregister", error);
  if (range == NULL)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorHostMemoryNotRegistered: no registration begins there",
                             "cudaHostUnregister (%p)", pointer);
  return release (self, range, &self->registrations, range->free_curve, "cudaHostUnregister", error);
}

/* --- what an address means ------------------------------------------------------------------------------- */

/* Whether the device knows this page-locked memory by the host's own pointer. */
static gboolean
has_host_address (MemlaneSim *self, const MemlaneSimRange *range)
{
  MemlaneCapabilities needs = MEMLANE_CAN_UNIFIED_ADDRESSING;

  if (range->kind == SIM_REGISTERED)
    needs |= MEMLANE_CAN_HOST_POINTER_REGISTERED;
  return (self->profile->info.capabilities & needs) == needs;
}

static MemlaneSimRange *
find_host_range (MemlaneSim *self, const void *pointer)
{
  MemlaneSimRange *range = memlane_sim_ranges_find (&self->registrations, pointer);

  return range != NULL ? range : memlane_sim_ranges_find (&self->allocations, pointer);
}

gboolean
memlane_sim_locate (MemlaneSim *self, const void *pointer, gsize bytes, MemlaneSimKind *kind, MemlaneSimRange **range, char **host)
{
  MemlaneSimRange *found = find_host_range (self, pointer);
  gsize offset;

  *host = (char *) pointer;
  *range = found;
  *kind = SIM_PAGEABLE;
  if (found == NULL && (found = memlane_sim_ranges_find (&self->aliases, pointer)) != NULL)
    {
      offset = (gsize) (*host - found->base);
      *range = found->alias;
      *kind = found->alias->kind;
      *host = found->alias->base + offset;
      return found->bytes - offset >= bytes;
    }
  if (found == NULL)
    return pointer != NULL; /* memory of the program's own */
  *kind = found->kind;
  offset = (gsize) (*host - found->base);
  if (found->bytes - offset >= bytes)
    return TRUE;
  if (found->kind != SIM_REGISTERED)
    return FALSE;
  /* A copy that begins in registered memory and runs beyond: pageable, if the block goes on. */
  found = memlane_sim_ranges_find (&self->allocations, pointer);
  *range = found;
  *kind = SIM_PAGEABLE;
  return found == NULL || found->bytes - (gsize) (*host - found->base) >= bytes;
}

MemlaneSimRange *
memlane_sim_reach (MemlaneSim *self, const void *pointer, gsize bytes, char **host)
{
  MemlaneSimKind kind;
  MemlaneSimRange *range;

  if (pointer == NULL || !memlane_sim_locate (self, pointer, bytes, &kind, &range, host) || range == NULL)
    return NULL;
  switch (kind)
    {
    case SIM_DEVICE:
    case SIM_MANAGED:
      return range;
    case SIM_PINNED:
    case SIM_REGISTERED:
      if (*host != (char *) pointer || (range->mapped && has_host_address (self, range)))
        return range;
      if (kind == SIM_PINNED)
        return NULL;
      range = memlane_sim_ranges_find (&self->allocations, pointer);
      if (range == NULL)
        return NULL;
      /* Registered or not: a device that reads pageable memory reads this. */
      G_GNUC_FALLTHROUGH;
    case SIM_PAGEABLE:
      return (self->profile->info.capabilities & MEMLANE_CAN_PAGEABLE_ACCESS) != 0 ? range : NULL;
    case SIM_PEER:
    case SIM_ALIAS:
    default:
      return NULL;
    }
}

/* The device's address for @host in page-locked @range; NULL: it has none. */
static void *
device_address (MemlaneSim *self, MemlaneSimRange *range, void *host)
{
  if (!range->mapped || (self->profile->info.capabilities & MEMLANE_CAN_MAP_HOST_MEMORY) == 0)
    return NULL;
  if (has_host_address (self, range))
    return host;
  if (range->alias == NULL)
    {
      MemlaneSimRange *alias = g_new0 (MemlaneSimRange, 1);

      /* Addresses and nothing behind them: the host cannot use them, as on the real thing. */
      alias->base = mmap (NULL, range->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (alias->base == MAP_FAILED)
        {
          g_free (alias);
          return NULL;
        }
      alias->bytes = range->bytes;
      alias->kind = SIM_ALIAS;
      alias->alias = range;
      range->alias = alias;
      memlane_sim_ranges_add (&self->aliases, alias);
    }
  return range->alias->base + ((char *) host - range->base);
}

gboolean
memlane_sim_host_get_device_pointer (MemlaneDevice *device, void *host, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_host_range (self, host);

  if (!memlane_sim_admit (self, "cudaHostGetDevicePointer", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, GET_DEVICE_POINTER));
  *pointer = range != NULL && (range->kind == SIM_PINNED || range->kind == SIM_REGISTERED) ? device_address (self, range, host) : NULL;
  return *pointer != NULL
         || memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                              "cudaErrorInvalidValue: the memory is not mapped; "
                              "allocate it with cudaHostAllocMapped or register it with cudaHostRegisterMapped",
                              "cudaHostGetDevicePointer (%p: %s)", host, range != NULL ? kind_name (range->kind) : "unknown");
}

gboolean
memlane_sim_pointer_get_attributes (MemlaneDevice *device, const void *pointer, MemlanePointerAttributes *attributes, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimKind kind;
  MemlaneSimRange *range;
  char *host;

  if (!memlane_sim_admit (self, "cudaPointerGetAttributes", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, POINTER_ATTRIBUTES));
  if (!memlane_sim_locate (self, pointer, 1, &kind, &range, &host))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: that is no address",
                             "cudaPointerGetAttributes (%p)", pointer);
  memset (attributes, 0, sizeof *attributes);
  switch (kind)
    {
    case SIM_PINNED:
    case SIM_REGISTERED:
      attributes->type = MEMLANE_MEMORY_HOST;
      attributes->host_pointer = host;
      attributes->device_pointer = device_address (self, range, host);
      break;
    case SIM_DEVICE:
    case SIM_PEER:
      attributes->type = MEMLANE_MEMORY_DEVICE;
      attributes->device_pointer = kind == SIM_DEVICE ? host : NULL;
      break;
    case SIM_MANAGED:
      attributes->type = MEMLANE_MEMORY_MANAGED;
      attributes->host_pointer = attributes->device_pointer = host;
      break;
    case SIM_PAGEABLE:
    case SIM_ALIAS:
    default:
      attributes->type = MEMLANE_MEMORY_UNREGISTERED;
      attributes->host_pointer = host;
      attributes->device_pointer = (self->profile->info.capabilities & MEMLANE_CAN_PAGEABLE_ACCESS) != 0 ? host : NULL;
      break;
    }
  return TRUE;
}

/* --- device, managed and peer memory ------------------------------------------------------------------------ */

gboolean
memlane_sim_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;

  if (!memlane_sim_admit (self, "cudaMalloc", error) || (range = range_new (self, SIM_DEVICE, bytes, "cudaMalloc", "", error)) == NULL)
    return FALSE;
  range->free_curve = MEMLANE_CURVE_FREE_DEVICE;
  if (self->profile->sync_device_alloc)
    memlane_sim_barrier (self);
  memlane_sim_chunks_take (self, MEMLANE_SIM_CHUNKS_DEVICE, range, MEMLANE_CURVE_MALLOC_DEVICE);
  *pointer = range->base;
  return TRUE;
}

gboolean
memlane_sim_malloc_managed (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;

  if (!memlane_sim_admit (self, "cudaMallocManaged", error))
    return FALSE;
  if ((self->profile->info.capabilities & MEMLANE_CAN_MANAGED_MEMORY) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: managedMemory is 0 on this device",
                             "cudaMallocManaged (%" G_GSIZE_FORMAT " bytes)", bytes);
  range = range_new (self, SIM_MANAGED, bytes, "cudaMallocManaged", "", error);
  if (range == NULL)
    return FALSE;
  range->free_curve = MEMLANE_CURVE_FREE_MANAGED;
  if (self->managed_out++ == 0)
    memlane_sim_spend (self, memlane_sim_host (self, MANAGED_FIRST));
  memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_MALLOC_MANAGED, bytes));
  *pointer = range->base;
  return TRUE;
}

gboolean
memlane_sim_free (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->allocations, pointer);
  MemlaneCurve curve;

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaFree", error);
  if (pointer == NULL)
    return TRUE;
  if (range == NULL || (range->kind != SIM_DEVICE && range->kind != SIM_MANAGED) || range->is_static)
    return refuse_release (error, "cudaFree", pointer);
  memlane_sim_wait (self, NULL, 0); /* before the look at where its pages are */
  curve = range->free_curve;
  if (range->kind == SIM_MANAGED)
    {
      if (--self->managed_out == 0)
        {
          memlane_sim_spend (self, memlane_sim_host (self, MANAGED_LAST));
          self->managed_touched = FALSE;
        }
      if (memlane_sim_is_advised (range))
        curve = MEMLANE_CURVE_FREE_MANAGED_ADVISED;
      else if (memlane_sim_is_on_device (range))
        curve = MEMLANE_CURVE_FREE_MANAGED_ON_DEVICE;
    }
  return release (self, range, &self->allocations, curve, "cudaFree", error);
}

gboolean
memlane_sim_malloc_async (MemlaneDevice *device, gsize bytes, MemlaneStream *stream, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;
  MemlaneSimOp *op;

  if (!memlane_sim_admit (self, "cudaMallocAsync", error) || !memlane_sim_find_stream (self, &stream, "cudaMallocAsync", error))
    return FALSE;
  if ((self->profile->info.capabilities & MEMLANE_CAN_MEMORY_POOLS) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: memoryPoolsSupported is 0 on this device",
                             "cudaMallocAsync (%" G_GSIZE_FORMAT " bytes)", bytes);
  memlane_sim_catch_up (self); /* what the stream has freed by now is free */
  range = range_new (self, SIM_DEVICE, bytes, "cudaMallocAsync", "", error);
  if (range == NULL)
    return FALSE;
  range->from_pool_call = TRUE;
  range->free_curve = MEMLANE_CURVE_FREE_DEVICE;
  memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_MALLOC_ASYNC, bytes));
  op = memlane_sim_op_new (self, SIM_OP_ALLOC, stream);
  op->work = memlane_sim_cost (self, MEMLANE_CURVE_MALLOC_ASYNC_DEVICE, bytes);
  memlane_sim_issue (self, op, 0);
  *pointer = range->base;
  return TRUE;
}

gboolean
memlane_sim_free_async (MemlaneDevice *device, void *pointer, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->allocations, pointer);
  MemlaneSimOp *op;

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaFreeAsync", error);
  if (range == NULL || range->kind != SIM_DEVICE || !range->from_pool_call)
    return refuse_release (error, "cudaFreeAsync", pointer);
  memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_FREE_ASYNC, range->bytes));
  /* From now on no new call may use it; its bytes stay until the stream comes by. */
  memlane_sim_ranges_remove (&self->allocations, range);
  if (self->lost || !memlane_sim_find_stream (self, &stream, "cudaFreeAsync", error))
    {
      memlane_sim_wait (self, NULL, 0);
      memlane_sim_range_free (self, range);
      return self->lost ? !is_lost_now (self, "cudaFreeAsync", error) : FALSE;
    }
  op = memlane_sim_op_new (self, SIM_OP_FREE, stream);
  op->ranges[0] = range;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

gboolean
memlane_sim_managed_static (MemlaneDevice *device, guint index, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  guint64 size = self->profile->info.static_managed_bytes;

  if (!memlane_sim_admit (self, "cudaGetSymbolAddress", error))
    return FALSE;
  if ((self->profile->info.capabilities & MEMLANE_CAN_MANAGED_MEMORY) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: managedMemory is 0 on this device",
                             "cudaGetSymbolAddress (array %u)", index);
  if (index >= G_N_ELEMENTS (self->statics))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidSymbol: there are 3 arrays, 0 to 2",
                             "cudaGetSymbolAddress (array %u)", index);
  if (bytes > size)
    {
      g_autofree char *reason = g_strdup_printf ("cudaErrorNotSupported: each __managed__ array has %" G_GUINT64_FORMAT " bytes", size);
      return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, reason,
                               "cudaGetSymbolAddress (array %u, %" G_GSIZE_FORMAT " bytes)", index, bytes);
    }
  if (self->statics[index] == NULL)
    {
      self->statics[index] = range_new (self, SIM_MANAGED, size, "cudaGetSymbolAddress", ", __managed__ array", error);
      if (self->statics[index] == NULL)
        return FALSE;
      self->statics[index]->is_static = TRUE;
    }
  *pointer = self->statics[index]->base;
  return TRUE;
}

gboolean
memlane_sim_peer_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;

  if (!memlane_sim_admit (self, "cudaMalloc", error))
    return FALSE;
  if ((self->profile->info.capabilities & MEMLANE_CAN_PEER_COPY) == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: there is no second device beside this one",
                             "cudaMalloc (%" G_GSIZE_FORMAT " bytes, second device)", bytes);
  range = range_new (self, SIM_PEER, bytes, "cudaMalloc", ", second device", error);
  if (range == NULL)
    return FALSE;
  range->free_curve = MEMLANE_CURVE_FREE_DEVICE;
  memlane_sim_chunks_take (self, MEMLANE_SIM_CHUNKS_PEER, range, MEMLANE_CURVE_MALLOC_DEVICE);
  *pointer = range->base;
  return TRUE;
}

gboolean
memlane_sim_peer_free (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (&self->allocations, pointer);

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaFree", error);
  if (pointer == NULL)
    return TRUE;
  if (range == NULL || range->kind != SIM_PEER)
    return refuse_release (error, "cudaFree", pointer);
  return release (self, range, &self->allocations, range->free_curve, "cudaFree", error);
}
