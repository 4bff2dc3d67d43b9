/* profile.c: a simulated device's costs by name, with defaults for all that a profile leaves out; and its file: its keys, reading it
 * strictly with the one that it is based on, writing it with its documentation
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data-file.h"
#include "base/key-file.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "result/run.h"

#define MOST_BASES 8 /* one upon the other */
#define USUAL_SHARE 0.9 /* of a bandwidth in theory, that large transfers reach */

static const MemlaneProfileTerm host_terms[] = {
#define X(id, name, ns, doc) { name, doc, NULL, ns, 0 },
  MEMLANE_HOST_CONSTANTS (X)
#undef X
};

static const MemlaneCurve fallbacks[] = {
#define X(id, name, other, latency, per_byte, doc) MEMLANE_CURVE_##other,
  MEMLANE_CURVES (X)
#undef X
};

static MemlaneProfileTerm curve_terms[] = {
#define X(id, name, other, latency, per_byte, doc) { name, doc, NULL, latency, per_byte },
  MEMLANE_CURVES (X)
#undef X
};

const MemlaneProfileTerm *
memlane_profile_host_list (guint *n)
{
  if (n != NULL)
    *n = MEMLANE_N_HOST_CONSTANTS;
  return host_terms;
}

const MemlaneProfileTerm *
memlane_profile_curve_list (guint *n)
{
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < MEMLANE_N_CURVES; i++)
        if (fallbacks[i] != i)
          curve_terms[i].fallback = curve_terms[fallbacks[i]].name;
      g_once_init_leave (&ready, 1);
    }
  if (n != NULL)
    *n = MEMLANE_N_CURVES;
  return curve_terms;
}

static int
find_term (const MemlaneProfileTerm *terms, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (terms[i].name, name) == 0)
      return (int) i;
  return -1;
}

static gboolean
refuse_term (GError **error, const char *what, const char *name, const char *expected)
{
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "%s \"%s\": %s", what, name, expected);
  return FALSE;
}

MemlaneProfile *
memlane_profile_new (void)
{
  MemlaneProfile *self = g_new0 (MemlaneProfile, 1);

  self->info.name = g_strdup ("Simulated device");
  self->info.capabilities = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING | MEMLANE_CAN_MANAGED_MEMORY
                            | MEMLANE_CAN_CONCURRENT_MANAGED | MEMLANE_CAN_HOST_REGISTER | MEMLANE_CAN_MEMORY_POOLS
                            | MEMLANE_CAN_CONCURRENT_KERNELS | MEMLANE_CAN_HOST_POINTER_REGISTERED;
  self->info.copy_engines = 2;
  self->info.numa_node = -1;
  self->info.memory_bytes = G_GUINT64_CONSTANT (16) << 30;
  self->info.static_managed_bytes = 16 << 20;
  self->info.priority_greatest = -5;
  self->both_directions_factor = 1;
  self->sync_pinned_alloc = self->sync_device_alloc = self->sync_memset = self->sync_copy_on_device = TRUE;
  self->noise.seed = self->recorded_noise.seed = 1;
  for (guint i = 0; i < MEMLANE_N_HOST_CONSTANTS; i++)
    self->host[i] = host_terms[i].latency_ns;
  return self;
}

MemlaneProfile *
memlane_profile_copy (const MemlaneProfile *self)
{
  MemlaneProfile *copy = g_new (MemlaneProfile, 1);

  *copy = *self;
  copy->path = g_strdup (self->path);
  copy->info.name = g_strdup (self->info.name);
  copy->info.calibrated_from = g_strdup (self->info.calibrated_from);
  copy->recorded.workloads = g_strdup (self->recorded.workloads);
  copy->recorded.modes = g_strdup (self->recorded.modes);
  memset (copy->curves, 0, sizeof copy->curves);
  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    memlane_cost_curve_copy (&copy->curves[i], &self->curves[i]);
  return copy;
}

void
memlane_profile_free (MemlaneProfile *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    memlane_cost_curve_clear (&self->curves[i]);
  g_free (self->path);
  g_free (self->info.name);
  g_free (self->info.calibrated_from);
  g_free (self->recorded.workloads);
  g_free (self->recorded.modes);
  g_free (self);
}

const MemlaneCostCurve *
memlane_profile_get_curve (const MemlaneProfile *self, const char *name)
{
  int i = find_term (curve_terms, MEMLANE_N_CURVES, name);

  return i >= 0 && !memlane_cost_curve_is_empty (&self->curves[i]) ? &self->curves[i] : NULL;
}

gboolean
memlane_profile_set_curve (MemlaneProfile *self, const char *name, const double *bytes, const double *ns, guint n, GError **error)
{
  int i = find_term (curve_terms, MEMLANE_N_CURVES, name);
  const char *problem = NULL;

  if (i < 0)
    return refuse_term (error, "curve", name, "no such curve");
  return memlane_cost_curve_set (&self->curves[i], bytes, ns, n, &problem) || refuse_term (error, "curve", name, problem);
}

gboolean
memlane_profile_set_pieces (MemlaneProfile *self, const char *name, const MemlaneCostPiece *pieces, guint n, GError **error)
{
  int i = find_term (curve_terms, MEMLANE_N_CURVES, name);
  const char *problem = NULL;

  if (i < 0)
    return refuse_term (error, "curve", name, "no such curve");
  return memlane_cost_curve_set_pieces (&self->curves[i], pieces, n, &problem) || refuse_term (error, "curve", name, problem);
}

gboolean
memlane_profile_get_host (const MemlaneProfile *self, const char *name, double *ns)
{
  int i = find_term (host_terms, MEMLANE_N_HOST_CONSTANTS, name);

  if (i >= 0)
    *ns = self->host[i];
  return i >= 0;
}

gboolean
memlane_profile_set_host (MemlaneProfile *self, const char *name, double ns, GError **error)
{
  int i = find_term (host_terms, MEMLANE_N_HOST_CONSTANTS, name);

  if (i < 0)
    return refuse_term (error, "host constant", name, "no such constant");
  if (!(ns >= 0 && ns <= MEMLANE_PROFILE_LONGEST_CALL_NS))
    return refuse_term (error, "host constant", name, "expected nanoseconds, from 0 to 1e9, a second");
  self->host[i] = ns;
  return TRUE;
}

typedef enum { CARRIED_BY_NOTHING, CARRIED_BY_DEVICE, CARRIED_BY_LINK, CARRIED_BY_HOST } Carrier;

/* What carries a curve's bytes. */
typedef struct
{
  Carrier carrier;
  guint times;       /* how many times each of them */
  guint usual_times; /* the same where no cache helps; 0: its pace there is not known */
  gboolean both_ways; /* the other direction of the link is busy, too */
  guint at_once;     /* vectors that go through the host's caches together */
} Way;

static const Way ways[MEMLANE_N_CURVES] = {
#define WAY(curve, ...) [MEMLANE_CURVE_##curve] = { __VA_ARGS__ }
  WAY (KERNEL_ADD_DEVICE, CARRIED_BY_DEVICE, 3),
  WAY (KERNEL_ADD_COLD, CARRIED_BY_DEVICE, 3, 3),
  WAY (KERNEL_COPY_DEVICE, CARRIED_BY_DEVICE, 2),
  WAY (KERNEL_COPY_COLD, CARRIED_BY_DEVICE, 2, 2),
  WAY (COPY_ON_DEVICE, CARRIED_BY_DEVICE, 2, 2),
  WAY (FILL_DEVICE, CARRIED_BY_DEVICE, 1, 1),

  /* Two inputs come up; the result goes down the other lane. */
  WAY (KERNEL_ADD_MAPPED, CARRIED_BY_LINK, 2, 2, TRUE),
  WAY (KERNEL_ADD_MAPPED_WRITE_COMBINED, CARRIED_BY_LINK, 2, 2, TRUE),
  WAY (KERNEL_ADD_MAPPED_LOAD, CARRIED_BY_LINK, 1),
  WAY (KERNEL_ADD_MAPPED_STORE, CARRIED_BY_LINK, 1),
  WAY (KERNEL_COPY_MAPPED_LOAD, CARRIED_BY_LINK, 1),
  WAY (KERNEL_COPY_MAPPED_STORE, CARRIED_BY_LINK, 1),
  WAY (KERNEL_COPY_MAPPED_BOTH, CARRIED_BY_LINK, 1, 1, TRUE),
  WAY (KERNEL_COPY_MAPPED_WRITE_COMBINED, CARRIED_BY_LINK, 1, 1, TRUE),
  WAY (FILL_MAPPED, CARRIED_BY_LINK, 1),
  WAY (COPY_PINNED_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (COPY_PINNED_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (COPY_WRITE_COMBINED_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (COPY_WRITE_COMBINED_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (COPY_REGISTERED_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (COPY_REGISTERED_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (COPY_MANAGED_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (COPY_MANAGED_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (MIGRATE_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (MIGRATE_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (MIGRATE_STATIC_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (MIGRATE_STATIC_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (DUPLICATE_TO_DEVICE, CARRIED_BY_LINK, 1),
  WAY (DUPLICATE_TO_HOST, CARRIED_BY_LINK, 1),
  /* Whole blocks of pages, by a copy engine; to the host its page tables take longer. */
  WAY (PREFETCH_TO_DEVICE, CARRIED_BY_LINK, 1, 1),
  WAY (PREFETCH_TO_HOST, CARRIED_BY_LINK, 1),
  WAY (PREFETCH_NOW_TO_DEVICE, CARRIED_BY_LINK, 1, 1),
  WAY (PREFETCH_NOW_TO_HOST, CARRIED_BY_LINK, 1),

  WAY (COPY_ON_HOST, CARRIED_BY_HOST, 2),
  WAY (COPY_MANAGED_ON_HOST, CARRIED_BY_HOST, 2),
  /* Out of the driver's buffer; on the way up the last piece is still to go. */
  WAY (COPY_PAGEABLE_TO_HOST, CARRIED_BY_HOST, 1),
  WAY (COPY_PAGEABLE_ASYNC_TO_HOST, CARRIED_BY_HOST, 1),
  WAY (HOST_WRITE_PAGEABLE_FIRST, CARRIED_BY_HOST, 1),
  WAY (HOST_WRITE_WRITE_COMBINED, CARRIED_BY_HOST, 1),
  WAY (HOST_WRITE_MANAGED_FIRST, CARRIED_BY_HOST, 1),
  WAY (HOST_FILL, CARRIED_BY_HOST, 1),
  /* A line is read, another is fetched, and written back. An addition's inputs are two, each written from another vector. */
  WAY (HOST_WRITE_PAGEABLE, CARRIED_BY_HOST, 1, 3, FALSE, 4),
  WAY (HOST_WRITE_PINNED, CARRIED_BY_HOST, 1, 3, FALSE, 4),
  WAY (HOST_WRITE_MANAGED, CARRIED_BY_HOST, 1, 3, FALSE, 4),
  WAY (HOST_READ_PAGEABLE, CARRIED_BY_HOST, 1, 3, FALSE, 2),
  WAY (HOST_READ_PINNED, CARRIED_BY_HOST, 1, 3, FALSE, 2),
  WAY (HOST_READ_WRITE_COMBINED, CARRIED_BY_HOST, 1, 3, FALSE, 2),
  WAY (HOST_READ_MANAGED, CARRIED_BY_HOST, 1, 3, FALSE, 2),
  WAY (HOST_READ_STATIC, CARRIED_BY_HOST, 1, 3, FALSE, 2),
#undef WAY
};

double
memlane_profile_get_bound (const MemlaneProfile *self, MemlaneCurve curve, double bytes)
{
  double carried = bytes * ways[curve].times, bandwidth = 0;

  switch (ways[curve].carrier)
    {
    case CARRIED_BY_DEVICE:
      /* What is larger than the cache streams through it, and none of it is found there again. */
      bandwidth = self->info.memory_bandwidth;
      if (self->l2_bandwidth > 0 && carried <= (double) self->info.l2_bytes)
        bandwidth = self->l2_bandwidth;
      break;
    case CARRIED_BY_LINK:
      bandwidth = self->info.link_bandwidth;
      break;
    case CARRIED_BY_HOST:
      bandwidth = self->host_cache_bandwidth > 0 && carried <= (double) self->host_cache_bytes ? self->host_cache_bandwidth
                                                                                                : self->host_bandwidth;
      break;
    case CARRIED_BY_NOTHING:
    default:
      break;
    }
  return bandwidth > 0 ? carried / bandwidth * 1e9 : 0;
}

/* What a byte takes over the link: copies between page-locked memory and the device show it, whatever theory says. */
static double
get_link_pace (const MemlaneProfile *self)
{
  double most = 0x1p30, pace = USUAL_SHARE * self->info.link_bandwidth;

  pace = pace > 0 ? 1e9 / pace : 0;
  return MAX (pace, (memlane_profile_cost (self, MEMLANE_CURVE_COPY_PINNED_TO_HOST, most)
                     - memlane_profile_cost (self, MEMLANE_CURVE_COPY_PINNED_TO_HOST, most / 2)) / (most / 2));
}

double
memlane_profile_get_usual (const MemlaneProfile *self, MemlaneCurve curve, double *from)
{
  const Way *way = &ways[curve];
  double bandwidth = USUAL_SHARE * (way->carrier == CARRIED_BY_DEVICE ? self->info.memory_bandwidth : self->host_bandwidth);

  *from = way->at_once > 0 ? (double) self->host_cache_bytes / way->at_once : 0;
  if (way->carrier == CARRIED_BY_LINK)
    return way->usual_times * get_link_pace (self) / (way->both_ways ? self->both_directions_factor : 1);
  return bandwidth > 0 ? way->usual_times * 1e9 / bandwidth : 0;
}

gboolean
memlane_profile_is_cold (MemlaneCurve curve)
{
  return curve == MEMLANE_CURVE_COLD_CALL || curve == MEMLANE_CURVE_COLD_COPY;
}

double
memlane_profile_get_border (const MemlaneProfile *self, MemlaneCurve curve)
{
  guint at_once = memlane_profile_is_cold (curve) ? 1 : ways[curve].at_once;

  return at_once > 0 ? (double) self->core_cache_bytes / at_once : 0;
}

gboolean
memlane_profile_goes_by_page (MemlaneCurve curve)
{
  return curve >= MEMLANE_CURVE_MALLOC_PINNED && curve <= MEMLANE_CURVE_MALLOC_MAPPED_WRITE_COMBINED;
}

gboolean
memlane_profile_moves_nothing (MemlaneCurve curve)
{
  switch ((guint) curve)
    {
    case MEMLANE_CURVE_MALLOC_DEVICE:
    case MEMLANE_CURVE_FREE_DEVICE:
    case MEMLANE_CURVE_FREE_ASYNC:
    case MEMLANE_CURVE_MALLOC_PAGEABLE:
    case MEMLANE_CURVE_MALLOC_MANAGED:
    case MEMLANE_CURVE_MEMCPY_TO_DEVICE:
    case MEMLANE_CURVE_MEMCPY_TO_HOST:
    case MEMLANE_CURVE_ENGINE_SWITCH:
    case MEMLANE_CURVE_LAUNCH_ADVISED:
    case MEMLANE_CURVE_FETCH_WRITTEN:
    case MEMLANE_CURVE_COLD_CALL:
    case MEMLANE_CURVE_COLD_COPY:
    case MEMLANE_CURVE_PREFETCH_ISSUE_TO_DEVICE:
    case MEMLANE_CURVE_PREFETCH_ISSUE_TO_HOST:
      return TRUE;
    default:
      return FALSE;
    }
}

double
memlane_profile_cost (const MemlaneProfile *self, MemlaneCurve curve, double bytes)
{
  double bound = memlane_profile_get_bound (self, curve, bytes);

  while (memlane_cost_curve_is_empty (&self->curves[curve]) && fallbacks[curve] != curve)
    curve = fallbacks[curve];
  if (!memlane_cost_curve_is_empty (&self->curves[curve]))
    return MAX (memlane_cost_curve_get (&self->curves[curve], bytes), bound);
  return MAX (curve_terms[curve].latency_ns + bytes * curve_terms[curve].ns_per_byte, bound);
}

double
memlane_profile_link_bandwidth (guint generation, guint width)
{
  static const double lane[] = { 0, 2.5e9 / 10, 5e9 / 10, 8e9 / 8.125, 16e9 / 8.125, 32e9 / 8.125, 64e9 / 8 }; /* bytes/s of a lane */
  static const guint widths[] = { 1, 2, 4, 8, 12, 16, 32 };

  for (guint i = 0; generation < G_N_ELEMENTS (lane) && i < G_N_ELEMENTS (widths); i++)
    if (widths[i] == width)
      return lane[generation] * width;
  return 0;
}

void
memlane_profile_scale (MemlaneProfile *self, const MemlaneProfile *known)
{
  double link = known->info.link_bandwidth / self->info.link_bandwidth;
  double memory = known->info.memory_bandwidth / self->info.memory_bandwidth;
  double cache = known->l2_bandwidth / self->l2_bandwidth, size = (double) self->info.l2_bytes / (double) known->info.l2_bytes;

  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    {
      MemlaneCostCurve *curve = &self->curves[i];
      Carrier carrier = ways[i].carrier;

      for (guint k = 0; k < curve->n_pieces && (carrier == CARRIED_BY_LINK || carrier == CARRIED_BY_DEVICE); k++)
        {
          MemlaneCostPiece *piece = &curve->pieces[k];
          gboolean is_cached = carrier == CARRIED_BY_DEVICE && piece->up_to * ways[i].times <= (double) known->info.l2_bytes;

          piece->ns_per_byte *= carrier == CARRIED_BY_LINK ? link : is_cached ? cache : memory;
          if (carrier == CARRIED_BY_DEVICE && isfinite (piece->up_to))
            piece->up_to *= size;
        }
    }
}

/* --- what was recorded ------------------------------------------------------------------------------------------------- */

static gboolean
is_listed (const char *list, const char *id)
{
  g_auto (GStrv) ids = list != NULL ? g_strsplit (list, ",", 0) : NULL;

  return ids == NULL || g_strv_contains ((const char *const *) ids, id);
}

/* 0: not told */
static gboolean
is_outside (guint64 least, guint64 most, guint64 value)
{
  return most > 0 && (value < least || value > most);
}

static void
append_reason (GString *text, const char *reason)
{
  g_string_append_printf (text, "%s%s", text->len == 0 ? MEMLANE_EXTRAPOLATED ": not recorded " : ", ", reason);
}

char *
memlane_profile_describe_extrapolation (const MemlaneProfile *self, const MemlaneDeviceUse *use)
{
  const MemlaneProfileRange *range = &self->recorded;
  g_autoptr (GString) text = g_string_new (NULL);

  if (is_outside (range->least_bytes, range->most_bytes, use->bytes))
    append_reason (text, "at this size");
  if (is_outside ((guint64) range->least_reuse, (guint64) range->most_reuse, use->reuse))
    append_reason (text, "at this reuse");
  if (use->streams > 0 && is_outside ((guint64) range->least_streams, (guint64) range->most_streams, use->streams))
    append_reason (text, "with so many streams");
  if (!is_listed (range->workloads, use->workload))
    append_reason (text, "with this workload");
  if (!is_listed (range->modes, use->mode))
    append_reason (text, "in this mode");
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* --- the keys, but for costs ------------------------------------------------------------------------------------------- */

typedef enum { KEY_STRING, KEY_BOOLEAN, KEY_INT, KEY_UINT64, KEY_DOUBLE, KEY_CAPABILITY, KEY_BASE } KeyType;

typedef struct
{
  const char *group, *key;
  KeyType type;
  gsize offset;   /* in MemlaneProfile; KEY_CAPABILITY: the bit; KEY_BASE: none, it is followed and not kept */
  double low, high; /* of a number */
  const char *doc;
  gboolean optional; /* not written while it has its default, 0 or FALSE */
} Key;

#define MANY 1.8e19 /* as high: any 64-bit number */

#define IN(member) G_STRUCT_OFFSET (MemlaneProfile, member)

static const Key keys[] = {
  { "device", "name", KEY_STRING, IN (info.name), 0, 0, "Shown to people; say that it is simulated." },
  { "device", "calibrated_from", KEY_STRING, IN (info.calibrated_from), 0, 0, "The recorded run that the figures were fitted from.", TRUE },
  { "device", "estimated", KEY_BOOLEAN, IN (info.estimated), 0, 0, "From a data sheet: nothing of it was measured.", TRUE },
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
  { "limits", "l2_bandwidth", KEY_DOUBLE, IN (l2_bandwidth), 0, 1e18,
    "Bytes per second that no cost goes beyond, beside memory_bandwidth and link_bandwidth; absent: no limit known. The second-level\n"
    "# cache, for what fits into it; the host's memory, for one thread; and its caches, for what fits into host_cache_bytes.", TRUE },
  { "limits", "host_bandwidth", KEY_DOUBLE, IN (host_bandwidth), 0, 1e18, NULL, TRUE },
  { "limits", "host_cache_bandwidth", KEY_DOUBLE, IN (host_cache_bandwidth), 0, 1e18, NULL, TRUE },
  { "limits", "host_cache_bytes", KEY_UINT64, IN (host_cache_bytes), 0, MANY, NULL, TRUE },
  { "limits", "core_cache_bytes", KEY_UINT64, IN (core_cache_bytes), 0, MANY, "Caches that one core of the host has to itself.", TRUE },
  { "limits", "streaming_bytes", KEY_UINT64, IN (streaming_bytes), 0, MANY,
    "From so many on the host's library stores past the caches (glibc: three quarters of the last-level cache); absent: never.", TRUE },
  { "link", "both_directions_factor", KEY_DOUBLE, IN (both_directions_factor), 0.01, 1,
    "What is left of one direction's bandwidth while the other is busy too." },
  { "implicit-sync", "pinned-alloc", KEY_BOOLEAN, IN (sync_pinned_alloc), 0, 0,
    "Calls that themselves serialise what two blocking streams have before and after them, whatever their own stream. The programming\n"
    "# guide lists all four; on a recorded H200 none does (data/recordings/experiments/serialisers.md): there a memset or a copy inside\n"
    "# the device serialises when it is on the legacy default stream, as every command on that one does, with these keys true or false." },
  { "implicit-sync", "device-alloc", KEY_BOOLEAN, IN (sync_device_alloc), 0, 0, NULL },
  { "implicit-sync", "memset", KEY_BOOLEAN, IN (sync_memset), 0, 0, NULL },
  { "implicit-sync", "copy-on-device", KEY_BOOLEAN, IN (sync_copy_on_device), 0, 0, NULL },
#define X(key, member, least, most, doc) { "noise", key, KEY_DOUBLE, IN (noise.member), least, most, doc, TRUE },
  MEMLANE_NOISE_KEYS (X)
#undef X
  { "noise", "seed", KEY_UINT64, IN (noise.seed), 0, MANY, "Where the noise begins; 1 when left out. Same seed, same times.", TRUE },
#define X(key, member, least, most, doc) { "recorded-noise", key, KEY_DOUBLE, IN (recorded_noise.member), least, most, doc, TRUE },
  MEMLANE_NOISE_KEYS (X)
#undef X
  { "recorded-noise", "seed", KEY_UINT64, IN (recorded_noise.seed), 0, MANY, "Where the noise begins; 1 when left out.", TRUE },
  { "recorded", "least_bytes", KEY_UINT64, IN (recorded.least_bytes), 0, MANY,
    "What the costs were fitted to. Beyond it a figure says that it is extrapolated. Bytes of one vector; kernels in a row; streams;\n"
    "# workloads and modes.", TRUE },
  { "recorded", "most_bytes", KEY_UINT64, IN (recorded.most_bytes), 0, MANY, NULL, TRUE },
  { "recorded", "least_reuse", KEY_INT, IN (recorded.least_reuse), 0, 1e6, NULL, TRUE },
  { "recorded", "most_reuse", KEY_INT, IN (recorded.most_reuse), 0, 1e6, NULL, TRUE },
  { "recorded", "least_streams", KEY_INT, IN (recorded.least_streams), 0, 1e6, NULL, TRUE },
  { "recorded", "most_streams", KEY_INT, IN (recorded.most_streams), 0, 1e6, NULL, TRUE },
  { "recorded", "workloads", KEY_STRING, IN (recorded.workloads), 0, 0, NULL, TRUE },
  { "recorded", "modes", KEY_STRING, IN (recorded.modes), 0, 0, NULL, TRUE },
  { "trouble", "corrupt_kernel", KEY_BOOLEAN, IN (corrupt_kernel), 0, 0, "For tests: kernels compute wrong results.", TRUE },
  { "trouble", "late_latch", KEY_BOOLEAN, IN (late_latch), 0, 0, "For tests: every latch gives way before it is opened.", TRUE },
  { "trouble", "memory_bytes", KEY_UINT64, IN (trouble_memory_bytes), 0, MANY, "For tests: device memory that is really there.", TRUE },
  { "trouble", "lose_device_after_calls", KEY_UINT64, IN (lose_device_after_calls), 0, MANY,
    "For tests: the device is lost after so many calls.", TRUE },
  { "trouble", "throttle", KEY_UINT64, IN (throttle), 0, MANY, "For tests: why the clocks are said to be low, as NVML's bits.", TRUE },
};

/* --- reading ------------------------------------------------------------------------------------------------------------ */

/* Sets "FILE: [GROUP] KEY: EXPECTED"; always FALSE. */
static gboolean G_GNUC_PRINTF (5, 6)
refuse (GError **error, const char *file, const char *group, const char *key, const char *format, ...)
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

static gboolean
parse_number (const char *text, double *number)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return memlane_text_read_number (stripped, number);
}

static gboolean
parse_text (char **at, const Key *key, const char *text, const char *file, GError **error)
{
  int most = strcmp (key->key, "name") == 0 ? MEMLANE_PROFILE_LONGEST_NAME : MEMLANE_PROFILE_LONGEST_TEXT;

  if (*text == '\0' || g_utf8_strlen (text, -1) > most)
    return refuse (error, file, key->group, key->key, "expected 1 to %d characters of text", most);
  g_free (*at);
  *at = g_strdup (text);
  return TRUE;
}

static gboolean
parse_boolean (MemlaneProfile *self, const Key *key, const char *text, const char *file, GError **error)
{
  gboolean yes = strcmp (text, "true") == 0;

  if (!yes && strcmp (text, "false") != 0)
    return refuse (error, file, key->group, key->key, "expected true or false");
  if (key->type == KEY_BOOLEAN)
    G_STRUCT_MEMBER (gboolean, self, key->offset) = yes;
  else if (yes)
    self->info.capabilities |= (MemlaneCapabilities) key->offset;
  else
    self->info.capabilities &= ~(MemlaneCapabilities) key->offset;
  return TRUE;
}

/* Not by way of a double: every bit counts. */
static gboolean
parse_uint64 (guint64 *at, const Key *key, const char *text, const char *file, GError **error)
{
  guint64 most = key->high >= MANY ? G_MAXUINT64 : (guint64) key->high;

  if (!g_ascii_string_to_unsigned (text, 10, (guint64) key->low, most, at, NULL))
    return refuse (error, file, key->group, key->key, "expected a whole number from %.15g to %.15g", key->low, key->high);
  return TRUE;
}

static gboolean
parse_key (MemlaneProfile *self, const Key *key, const char *text, const char *file, GError **error)
{
  gpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);
  double number = 0;

  switch (key->type)
    {
    case KEY_STRING:
      return parse_text (at, key, text, file, error);
    case KEY_BOOLEAN:
    case KEY_CAPABILITY:
      return parse_boolean (self, key, text, file, error);
    case KEY_BASE: /* it has been followed */
      return TRUE;
    case KEY_UINT64:
      return parse_uint64 (at, key, text, file, error);
    case KEY_INT:
    case KEY_DOUBLE:
    default:
      break;
    }

  if (!parse_number (text, &number) || number < key->low || number > key->high || (key->type == KEY_INT && number != floor (number)))
    return refuse (error, file, key->group, key->key, "expected a %snumber from %.15g to %.15g", key->type == KEY_INT ? "whole " : "",
                   key->low, key->high);
  if (key->type == KEY_INT)
    *(int *) at = (int) number;
  else
    *(double *) at = number;
  return TRUE;
}

/* "1024;2048;" with or without the last semicolon. */
static GArray *
parse_list (const char *text, const char *file, const char *group, const char *key, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", 1026);
  guint n = g_strv_length (parts);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (double));

  if (n > 0 && *parts[n - 1] == '\0')
    n--;
  if (n < 1 || n > 1024)
    {
      refuse (error, file, group, key, "expected 1 to 1024 numbers, separated by semicolons");
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      double number;

      if (!parse_number (parts[i], &number))
        {
          refuse (error, file, group, key, "number %u: expected a number such as 1024 or 2.5e3", i + 1);
          return NULL;
        }
      g_array_append_val (list, number);
    }
  return g_steal_pointer (&list);
}

/* latency=2e3;3e3  per_byte=0.02;0.05  up_to=65536: one latency may stand for all. */
static gboolean
parse_regimes (MemlaneCostCurve *curve, GKeyFile *file, const char *group, const char *name, GError **error)
{
  static const char *const expected[] = { "latency", "per_byte", "up_to" };
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  MemlaneCostPiece pieces[MEMLANE_COST_MOST_PIECES] = { { 0 } };
  const char *problem = NULL;
  guint n = 0;

  for (char **key = names; *key != NULL; key++)
    if (!g_strv_contains ((const char *const[]) { "latency", "per_byte", "up_to", NULL }, *key))
      return refuse (error, name, group, *key, "expected only the keys latency, per_byte and up_to, or bytes and ns");
  for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
    {
      g_autofree char *text = g_key_file_get_value (file, group, expected[k], NULL);
      g_autoptr (GArray) list = NULL;

      if (text == NULL && (k == 2 ? n == 1 : TRUE))
        {
          if (k == 2)
            break;
          return refuse (error, name, group, expected[k], "expected, and missing");
        }
      if (text == NULL)
        return refuse (error, name, group, expected[k], "expected where each regime but the last ends");
      if ((list = parse_list (text, name, group, expected[k], error)) == NULL)
        return FALSE;
      if (k == 0)
        n = list->len;
      else if (k == 1 && n == 1)
        n = MAX (n, list->len);
      if (n > G_N_ELEMENTS (pieces) || (k == 1 && list->len != n) || (k == 2 && list->len != n - 1))
        return refuse (error, name, group, expected[k], "expected as many numbers as there are regimes, at most %d, and one less in up_to",
                       MEMLANE_COST_MOST_PIECES);
      for (guint i = 0; i < n; i++)
        {
          double number = g_array_index (list, double, MIN (i, list->len - 1));

          *(k == 0 ? &pieces[i].latency_ns : k == 1 ? &pieces[i].ns_per_byte : &pieces[i].up_to) = number;
        }
      if (k == 0 && list->len == 1) /* for all */
        for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
          pieces[i].latency_ns = g_array_index (list, double, 0);
    }
  return memlane_cost_curve_set_pieces (curve, pieces, n, &problem) || refuse (error, name, group, NULL, "%s", problem);
}

static gboolean
parse_curve (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  gboolean by_regimes = g_key_file_has_key (file, group, "latency", NULL) || g_key_file_has_key (file, group, "per_byte", NULL)
                        || g_key_file_has_key (file, group, "up_to", NULL);
  g_autofree char *bytes_text = g_key_file_get_value (file, group, "bytes", NULL);
  g_autofree char *ns_text = g_key_file_get_value (file, group, "ns", NULL);
  g_autoptr (GArray) bytes = NULL;
  g_autoptr (GArray) ns = NULL;
  const char *curve = group + strlen ("curve ");
  const char *problem = NULL;
  guint n, i;
  const MemlaneProfileTerm *terms = memlane_profile_curve_list (&n);

  for (i = 0; i < n && strcmp (terms[i].name, curve) != 0; i++)
    ;
  if (i == n)
    return refuse (error, name, group, NULL, "expected the name of a curve, such as %s", terms[0].name);
  if (by_regimes)
    return parse_regimes (&self->curves[i], file, group, name, error);
  for (char **key = names; *key != NULL; key++)
    if (strcmp (*key, "bytes") != 0 && strcmp (*key, "ns") != 0)
      return refuse (error, name, group, *key, "expected only the keys latency, per_byte and up_to, or bytes and ns");
  if (bytes_text == NULL || ns_text == NULL)
    return refuse (error, name, group, bytes_text == NULL ? "bytes" : "ns", "expected, and missing");
  if ((bytes = parse_list (bytes_text, name, group, "bytes", error)) == NULL
      || (ns = parse_list (ns_text, name, group, "ns", error)) == NULL)
    return FALSE;
  if (bytes->len != ns->len)
    return refuse (error, name, group, "ns", "expected as many numbers as bytes has, %u, and found %u", bytes->len, ns->len);
  if (!memlane_cost_curve_set (&self->curves[i], (double *) (gpointer) bytes->data, (double *) (gpointer) ns->data, bytes->len, &problem))
    return refuse (error, name, group, NULL, "%s", problem);
  return TRUE;
}

/* "unknown key; expected a, b or c": those of [@group]. */
static gboolean
refuse_key (GError **error, const char *file, const char *group, const char *key)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  const char *last;
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  for (guint i = 0; i < n && strcmp (group, "host") == 0; i++)
    g_ptr_array_add (names, (char *) terms[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i].group, group) == 0)
      g_ptr_array_add (names, (char *) keys[i].key);
  last = g_ptr_array_steal_index (names, names->len - 1);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  return refuse (error, file, group, key, "unknown key; expected %s%s%s", list, *list != '\0' ? " or " : "", last);
}

static gboolean
parse_host (MemlaneProfile *self, const char *key, const char *text, const char *name, GError **error)
{
  double number;
  double before;

  if (!memlane_profile_get_host (self, key, &before))
    return refuse_key (error, name, "host", key);
  if (!parse_number (text, &number) || !memlane_profile_set_host (self, key, number, NULL))
    return refuse (error, name, "host", key, "expected nanoseconds, from 0 to 1e9, a second");
  return TRUE;
}

static gboolean
parse_group (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  gboolean known = strcmp (group, "host") == 0;

  for (guint i = 0; i < G_N_ELEMENTS (keys) && !known; i++)
    known = strcmp (keys[i].group, group) == 0;
  if (!known)
    return refuse (error, name, group, NULL,
                   "unknown group; expected [device], [limits], [link], [implicit-sync], [host], [noise], [recorded-noise], [trouble] or "
                   "[curve NAME]");

  for (char **key = names; key != NULL && *key != NULL; key++)
    {
      g_autofree char *text = g_key_file_get_value (file, group, *key, NULL);
      const Key *match = NULL;

      if (strcmp (group, "host") == 0)
        {
          if (!parse_host (self, *key, text, name, error))
            return FALSE;
          continue;
        }
      for (guint i = 0; i < G_N_ELEMENTS (keys) && match == NULL; i++)
        if (strcmp (keys[i].group, group) == 0 && strcmp (keys[i].key, *key) == 0)
          match = &keys[i];
      if (match == NULL)
        return refuse_key (error, name, group, *key);
      if (match->type == KEY_STRING)
        {
          g_free (text);
          text = g_key_file_get_string (file, group, *key, NULL);
          if (text == NULL)
            return refuse (error, name, group, *key, "expected text in UTF-8, escaped as in any key file");
        }
      if (!parse_key (self, match, text, name, error))
        return FALSE;
    }
  return TRUE;
}

/* The file that is being read, and through it those that are based on it. */
typedef struct _Reading Reading;
struct _Reading
{
  const char *path;       /* NULL: text from memory */
  const Reading *derived; /* the one that names this one as its base; NULL: the first */
};

static MemlaneProfile *load (const Reading *reading, GError **error);

static gboolean
is_same_file (const char *path, const char *other)
{
  struct stat one, two;

  return stat (path, &one) == 0 && stat (other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* The base's file: beside the one that names it, or where device profiles are looked for. (nullable) (transfer full). */
static char *
find_base (const Reading *reading, const char *base)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("devices");
  g_autofree char *file = g_strconcat (base, ".device", NULL);

  if (reading->path != NULL)
    g_ptr_array_insert (folders, 0, g_path_get_dirname (reading->path));
  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *path = g_build_filename (folders->pdata[i], file, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* What the file starts from: the profile that it is based on, or every default. */
static MemlaneProfile *
start_from (const Reading *reading, GKeyFile *file, const char *name, GError **error)
{
  g_autofree char *base = g_key_file_get_value (file, "device", "based_on", NULL), *path = NULL;
  g_autoptr (GError) problem = NULL;
  Reading next = { .derived = reading };
  MemlaneProfile *self;
  guint depth = 0;

  if (base == NULL)
    return memlane_profile_new ();
  if (*base == '\0' || *base == '.' || strpbrk (base, "/\\") != NULL || g_str_has_suffix (base, ".device"))
    {
      refuse (error, name, "device", "based_on", "expected the name of a device profile, such as h200, without folder and .device");
      return NULL;
    }
  next.path = path = find_base (reading, base);
  if (path == NULL)
    {
      refuse (error, name, "device", "based_on", "there is no %.80s.device, neither beside this file nor among the installed ones", base);
      return NULL;
    }
  for (const Reading *each = reading; each != NULL; each = each->derived, depth++)
    if (each->path != NULL && is_same_file (each->path, path))
      {
        refuse (error, name, "device", "based_on", "expected a profile that is not based on this one in turn");
        return NULL;
      }
  if (depth > MOST_BASES)
    {
      refuse (error, name, "device", "based_on", "expected at most %d profiles, each based on the next", MOST_BASES);
      return NULL;
    }
  self = load (&next, &problem);
  if (self == NULL)
    refuse (error, name, "device", "based_on", "%s", problem->message);
  else
    {
      g_clear_pointer (&self->path, g_free);
      self->is_based = TRUE;
    }
  return self;
}

/* What no machine can be. */
static gboolean
check_limits (const MemlaneProfile *self, const char *name, GError **error)
{
  const MemlaneDeviceInfo *info = &self->info;
  double lanes = memlane_profile_link_bandwidth ((guint) info->link_generation, (guint) info->link_width);

  if (self->l2_bandwidth > 0 && self->l2_bandwidth < info->memory_bandwidth)
    return refuse (error, name, "limits", "l2_bandwidth",
                   "expected at least memory_bandwidth, %.4g: a cache is no slower than what is behind it", info->memory_bandwidth);
  if (self->recorded.least_bytes > self->recorded.most_bytes)
    return refuse (error, name, "recorded", "most_bytes", "expected at least least_bytes, %" G_GUINT64_FORMAT, self->recorded.least_bytes);
  if (self->recorded.least_reuse > self->recorded.most_reuse)
    return refuse (error, name, "recorded", "most_reuse", "expected at least least_reuse, %d", self->recorded.least_reuse);
  if (self->recorded.least_streams > self->recorded.most_streams)
    return refuse (error, name, "recorded", "most_streams", "expected at least least_streams, %d", self->recorded.least_streams);
  if (self->host_cache_bandwidth > 0 && self->host_cache_bandwidth < self->host_bandwidth)
    return refuse (error, name, "limits", "host_cache_bandwidth", "expected at least host_bandwidth, %.4g", self->host_bandwidth);
  if (self->host_cache_bytes > 0 && self->host_cache_bytes < self->core_cache_bytes)
    return refuse (error, name, "limits", "host_cache_bytes", "expected at least core_cache_bytes, %" G_GUINT64_FORMAT,
                   self->core_cache_bytes);
  if (self->streaming_bytes > 0 && self->streaming_bytes < self->core_cache_bytes)
    return refuse (error, name, "limits", "streaming_bytes", "expected at least core_cache_bytes, %" G_GUINT64_FORMAT,
                   self->core_cache_bytes);
  if (lanes > 0 && info->link_bandwidth > 1.01 * lanes)
    return refuse (error, name, "device", "link_bandwidth", "expected at most %.4g, what %d lanes of generation %d carry", lanes,
                   info->link_width, info->link_generation);
  return TRUE;
}

static MemlaneProfile *
parse (const Reading *reading, const char *data, gsize length, const char *name, GError **error)
{
  g_autoptr (MemlaneProfile) self = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;
  g_autoptr (MemlaneKeyLines) lines = NULL;
  const char *twice_group, *twice_key;

  if (length > MEMLANE_PROFILE_MAX_BYTES)
    {
      refuse (error, name, NULL, NULL, "expected a device profile of at most %d bytes", MEMLANE_PROFILE_MAX_BYTES);
      return NULL;
    }
  if (memchr (data, '\0', length) != NULL || !g_utf8_validate (data, (gssize) length, NULL))
    {
      refuse (error, name, NULL, NULL, "expected a device profile, which is text in UTF-8");
      return NULL;
    }
  if (length == 0 || !g_key_file_load_from_data (file, data, length, G_KEY_FILE_NONE, &problem))
    {
      refuse (error, name, NULL, NULL, "expected a device profile, which is a key file with the group [device]: %s",
              problem != NULL ? problem->message : "the file is empty");
      return NULL;
    }
  lines = memlane_key_lines_new (data, length, "device");
  if (memlane_key_lines_find_twice (lines, &twice_group, &twice_key))
    {
      refuse (error, name, twice_group, twice_key, "expected once, and found again");
      return NULL;
    }
  if (!g_key_file_has_group (file, "device"))
    {
      refuse (error, name, "device", NULL, "expected, and missing");
      return NULL;
    }

  self = start_from (reading, file, name, error);
  if (self == NULL)
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (char **group = groups; *group != NULL; group++)
    {
      gboolean fine = g_str_has_prefix (*group, "curve ") ? parse_curve (self, file, *group, name, error)
                                                           : parse_group (self, file, *group, name, error);
      if (!fine)
        return NULL;
    }

  /* What the keys imply. One hardware queue is what devices with one copy engine have. */
  if (self->info.copy_engines >= 1)
    self->info.capabilities |= MEMLANE_CAN_COPY_ASYNC;
  else
    self->info.capabilities &= ~MEMLANE_CAN_COPY_ASYNC;
  if (g_key_file_has_key (file, "device", "asyncEngineCount", NULL) && !g_key_file_has_key (file, "device", "in_order_engines", NULL))
    self->in_order_engines = self->info.copy_engines <= 1;
  if (self->info.priority_greatest > self->info.priority_least)
    {
      refuse (error, name, "device", "priority_greatest", "expected a number not above priority_least");
      return NULL;
    }
  if (!check_limits (self, name, error))
    return NULL;
  return g_steal_pointer (&self);
}

MemlaneProfile *
memlane_profile_parse (const char *data, gsize length, const char *name, GError **error)
{
  return parse (&(const Reading) { NULL }, data, length, name, error);
}

static MemlaneProfile *
load (const Reading *reading, GError **error)
{
  const char *path = reading->path;
  g_autoptr (GMappedFile) mapped = NULL;
  g_autoptr (GError) problem = NULL;
  MemlaneProfile *self;

  /* A directory, a FIFO or a terabyte is turned away before it is read. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      refuse (error, path, NULL, NULL, g_file_test (path, G_FILE_TEST_EXISTS) ? "expected a regular file" : "there is no such file");
      return NULL;
    }
  mapped = g_mapped_file_new (path, FALSE, &problem);
  if (mapped == NULL)
    {
      refuse (error, path, NULL, NULL, "cannot be read: %s", problem->message);
      return NULL;
    }
  if (g_mapped_file_get_length (mapped) > MEMLANE_PROFILE_MAX_BYTES)
    {
      refuse (error, path, NULL, NULL, "expected a device profile of at most %d bytes", MEMLANE_PROFILE_MAX_BYTES);
      return NULL;
    }
  self = parse (reading, g_mapped_file_get_contents (mapped) != NULL ? g_mapped_file_get_contents (mapped) : "",
                g_mapped_file_get_length (mapped), path, error);
  if (self != NULL)
    self->path = g_strdup (path);
  return self;
}

MemlaneProfile *
memlane_profile_load (const char *path, GError **error)
{
  return load (&(const Reading) { .path = path }, error);
}

/* --- writing ------------------------------------------------------------------------------------------------------------ */

/* Optional keys are there only when they say something; in_order_engines when it is not what the engine count implies. */
static gboolean
says_something (const MemlaneProfile *self, const Key *key)
{
  gconstpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);

  switch (key->type)
    {
    case KEY_STRING:
      return *(char *const *) at != NULL;
    case KEY_BOOLEAN:
      return !key->optional || *(const gboolean *) at != (key->offset == IN (in_order_engines) && self->info.copy_engines <= 1);
    case KEY_INT:
      return !key->optional || *(const int *) at != 0;
    case KEY_UINT64:
      return !key->optional || *(const guint64 *) at != (key->offset == IN (noise.seed) || key->offset == IN (recorded_noise.seed) ? 1 : 0);
    case KEY_DOUBLE:
      return !key->optional || *(const double *) at != 0;
    case KEY_BASE: /* all that it gave is written here */
      return FALSE;
    case KEY_CAPABILITY:
    default:
      return TRUE;
    }
}

static void
append_value (const MemlaneProfile *self, const Key *key, GString *text)
{
  gconstpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);

  switch (key->type)
    {
    case KEY_STRING:
      {
        /* Escaped as GKeyFile does it. */
        g_autoptr (GKeyFile) escaper = g_key_file_new ();
        g_autofree char *escaped = NULL;

        g_key_file_set_string (escaper, "g", "k", *(char *const *) at);
        escaped = g_key_file_get_value (escaper, "g", "k", NULL);
        g_string_append (text, escaped);
        break;
      }
    case KEY_BOOLEAN:
      g_string_append (text, *(const gboolean *) at ? "true" : "false");
      break;
    case KEY_CAPABILITY:
      g_string_append (text, (self->info.capabilities & (MemlaneCapabilities) key->offset) != 0 ? "true" : "false");
      break;
    case KEY_INT:
      g_string_append_printf (text, "%d", *(const int *) at);
      break;
    case KEY_UINT64:
      memlane_text_append_count (text, *(const guint64 *) at);
      break;
    case KEY_DOUBLE:
    case KEY_BASE:
    default:
      memlane_text_append_number (text, *(const double *) at);
      break;
    }
}

static gboolean
append_key (const MemlaneProfile *self, const Key *key, GString *text)
{
  if (!says_something (self, key))
    return FALSE;
  if (key->doc != NULL)
    g_string_append_printf (text, "# %s\n", key->doc);
  g_string_append_printf (text, "%s=", key->key);
  append_value (self, key, text);
  g_string_append_c (text, '\n');
  return TRUE;
}

static void
append_group (const MemlaneProfile *self, const char *group, GString *text)
{
  gsize start = text->len;
  gboolean any = FALSE;

  g_string_append_printf (text, "\n[%s]\n", group);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i].group, group) == 0)
      any |= append_key (self, &keys[i], text);
  if (!any)
    g_string_truncate (text, start);
}

static void
append_list (GString *text, const char *key, const double *numbers, guint n)
{
  g_string_append_printf (text, "%s=", key);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ';');
      memlane_text_append_number (text, numbers[i]);
    }
  g_string_append_c (text, '\n');
}

static void
append_regimes (const MemlaneCostCurve *curve, GString *text)
{
  double latency[MEMLANE_COST_MOST_PIECES], per_byte[MEMLANE_COST_MOST_PIECES], up_to[MEMLANE_COST_MOST_PIECES];
  gboolean one_latency = TRUE;

  for (guint i = 0; i < curve->n_pieces; i++)
    {
      latency[i] = curve->pieces[i].latency_ns;
      per_byte[i] = curve->pieces[i].ns_per_byte;
      up_to[i] = curve->pieces[i].up_to;
      one_latency &= latency[i] == latency[0];
    }
  append_list (text, "latency", latency, one_latency ? 1 : curve->n_pieces);
  append_list (text, "per_byte", per_byte, curve->n_pieces);
  if (curve->n_pieces > 1)
    append_list (text, "up_to", up_to, curve->n_pieces - 1);
}

static void
append_curves (const MemlaneProfile *self, GString *text)
{
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_curve_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const MemlaneCostCurve *curve = &self->curves[i];
      const char *lead = !memlane_cost_curve_is_empty (curve) ? "" : "# ";

      g_string_append_printf (text, "\n%s[curve %s]\n# %s\n", lead, terms[i].name, terms[i].doc);
      if (curve->n_pieces > 0)
        append_regimes (curve, text);
      else if (curve->n > 0)
        {
          append_list (text, "bytes", curve->bytes, curve->n);
          append_list (text, "ns", curve->ns, curve->n);
        }
      else if (terms[i].fallback != NULL)
        g_string_append_printf (text, "# left out: as %s\n", terms[i].fallback);
      else
        {
          g_string_append (text, "# left out: ");
          memlane_text_append_number (text, terms[i].latency_ns);
          g_string_append (text, " + bytes x ");
          memlane_text_append_number (text, terms[i].ns_per_byte);
          g_string_append_c (text, '\n');
        }
    }
}

static const char introduction[] =
  "# A device profile of Memlane: what one simulated device can do, and what everything costs there.\n"
  "# SPDX-License-Identifier: MIT\n"
  "#\n"
  "# Times are nanoseconds, sizes bytes, bandwidths bytes per second; decimal points whatever the locale. Every key and every group but\n"
  "# [device] may be left out: a host constant has a default, a curve falls back as its comment says. Unknown keys are refused.\n"
  "#\n"
  "# With based_on=NAME in [device] a profile says only what is different: the rest is taken from NAME.device, which lies beside it or\n"
  "# among the installed ones. One that states asyncEngineCount states in_order_engines, too, or gets what the count implies.\n"
  "#\n"
  "# A curve is a cost over the bytes of one buffer or one operation, by regimes: latency (ns) + bytes x per_byte (ns), up to the bytes\n"
  "# in up_to, from where the next regime's numbers take over within a factor of two; one latency may stand for all. The regimes of the\n"
  "# device's terms are its second-level cache and its memory; of the host's, its caches, its memory and stores that stream past the\n"
  "# caches; of allocations and pages, small and large pages. Or by knots, bytes and ns: ns never descend. Between two knots the cost is\n"
  "# interpolated in log-log space; below the first it is the first value; beyond the last it grows linearly with the slope of the last\n"
  "# two. (host): the call blocks the host for so long. (device): it occupies its engine for so long.\n"
  "#\n"
  "# Small allocations share chunks of 2 MiB, as the driver lets them: device memory, page-locked memory, write-combined memory and\n"
  "# the second device's have chunks of their own, and one page-locked chunk is never given back. There malloc.* is what an allocation\n"
  "# costs that begins a chunk or is too large to share one, free.* a release that empties one or was too large; all others cost\n"
  "# share.take and share.return. Pageable, managed, registered and stream-ordered memory pays its curve each time.\n";

char *
memlane_profile_to_text (const MemlaneProfile *self)
{
  GString *text = g_string_new (introduction);
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  append_group (self, "device", text);
  append_group (self, "limits", text);
  append_group (self, "link", text);
  append_group (self, "implicit-sync", text);
  append_group (self, "noise", text);
  append_group (self, "recorded-noise", text);
  append_group (self, "recorded", text);
  append_group (self, "trouble", text);

  g_string_append (text, "\n[host]\n");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "# %s\n%s=", terms[i].doc, terms[i].name);
      memlane_text_append_number (text, self->host[i]);
      g_string_append_c (text, '\n');
    }

  append_curves (self, text);
  return g_string_free (text, FALSE);
}

gboolean
memlane_profile_save (const MemlaneProfile *self, const char *path, GError **error)
{
  g_autofree char *text = memlane_profile_to_text (self);
  int code = memlane_save_try_file (path, text, strlen (text));

  return code == 0 || refuse (error, path, NULL, NULL, "cannot be written: %s", g_strerror (code));
}
