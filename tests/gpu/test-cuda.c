/* test-cuda.c: the CUDA device through device.h, on a real GPU
 *
 * SPDX-License-Identifier: MIT
 *
 * Managed memory is asked for in small amounts only: a driver that runs out of it can hang the GPU.
 */
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "kernels/reference.h"
#include "measure/measure.h"
#include "measure/environment.h"

#include <dlfcn.h>
#include <string.h>

#include "engine/same-info.h"

static MemlaneDevice *device; /* one for all tests, NULL: no GPU */
static char *no_device;       /* why */
static gboolean had_context;  /* after describing it, before opening it */

#define TEST_NEEDS_GPU()         \
  do                             \
    {                            \
      if (device == NULL)        \
        {                        \
          g_test_skip (no_device); \
          return;                \
        }                        \
    }                            \
  while (0)

#define TEST_NEEDS(capability)                                            \
  do                                                                      \
    {                                                                     \
      TEST_NEEDS_GPU ();                                                  \
      if (!memlane_device_can (device, (capability)))                     \
        {                                                                 \
          g_test_skip_printf ("%s is 0 on this device", memlane_capability_name (capability)); \
          return;                                                         \
        }                                                                 \
    }                                                                     \
  while (0)

/* OK (call): the call succeeds. */
#define OK(call)                \
  do                            \
    {                           \
      GError *ok_error = NULL;  \
      GError **error = &ok_error; \
      gboolean ok = (call);     \
      g_assert_no_error (ok_error); \
      g_assert_true (ok);       \
    }                           \
  while (0)

/* FAILS (call, CODE, "cudaName"): it fails with that code, and the message begins with the call's name. */
#define FAILS(call, error_code, name)                                                     \
  do                                                                                      \
    {                                                                                     \
      g_autoptr (GError) failure = NULL;                                                  \
      GError **error = &failure;                                                          \
      gboolean ok = (call);                                                               \
      g_assert_false (ok);                                                                \
      g_assert_error (failure, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_##error_code); \
      g_assert_true (g_str_has_prefix (failure->message, name));                          \
      g_assert_nonnull (strstr (failure->message, ": cudaError"));                        \
      g_test_message ("%s", failure->message);                                            \
    }                                                                                     \
  while (0)

/* Seeded, finite and different in every element. */
static void
fill_vector (float *v, gsize n, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < n; i++)
    v[i] = (float) g_rand_double_range (rand, -1000, 1000);
}

static void
test_info (void)
{
  const MemlaneDeviceInfo *info;
  guint64 unused = 0, available = 0, lockable = 0;

  TEST_NEEDS_GPU ();
  info = memlane_device_get_info (device);

  g_test_message ("%s: %s, driver %s, runtime %s, bus %s, compute %d.%d, %d multiprocessors, %d copy engines, capabilities %x", info->id,
                  info->name, info->driver, info->runtime, info->pci_bus_id, info->compute_major, info->compute_minor,
                  info->multiprocessors, info->copy_engines, info->capabilities);
  g_test_message ("memory %.1f GiB, L2 %.1f MiB, %.0f GB/s in theory; PCIe %d x%d, %.1f GB/s; NUMA node %d; priorities %d to %d",
                  info->memory_bytes / 1073741824.0, info->l2_bytes / 1048576.0, info->memory_bandwidth / 1e9, info->link_generation,
                  info->link_width, info->link_bandwidth / 1e9, info->numa_node, info->priority_least, info->priority_greatest);

  g_assert_true (g_str_has_prefix (info->id, "cuda:"));
  g_assert_cmpstr (info->kind, ==, "cuda");
  g_assert_cmpstr (info->name, !=, "");
  g_assert_nonnull (info->driver);
  g_assert_nonnull (info->runtime);
  g_assert_nonnull (info->pci_bus_id);
  g_assert_null (info->profile);
  g_assert_cmpint (info->compute_major, >=, 7);
  g_assert_cmpint (info->multiprocessors, >, 0);
  g_assert_cmpuint (info->memory_bytes, >, 0);
  g_assert_cmpint (info->priority_greatest, <=, info->priority_least);
  g_assert_cmpint (info->link_generation, <=, 6);
  if (info->link_generation > 0 && info->link_width > 0)
    {
      g_assert_cmpfloat (info->link_bandwidth, >, 0.1e9 * info->link_width);
      g_assert_cmpfloat (info->link_bandwidth, <, 8e9 * info->link_width);
    }
  OK (memlane_device_get_free_memory (device, &unused, error));
  g_assert_cmpuint (unused, >, 0);
  g_assert_cmpuint (unused, <=, info->memory_bytes);
  memlane_device_get_host_memory (device, &available, &lockable);
  g_assert_cmpuint (available, >, 0);
}

/* Which GPU it is, and how it stands: a driver without NVML says so. */
static void
test_state (void)
{
  g_autoptr (GError) absent = NULL;
  MemlaneDeviceState state;
  g_autofree char *reasons = NULL;
  double begin;

  TEST_NEEDS_GPU ();
  g_assert_true (g_regex_match_simple ("^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", memlane_device_get_info (device)->uuid, 0, 0));
  g_test_message ("%s", memlane_device_get_info (device)->uuid);

  if (!memlane_device_get_state (device, &state, &absent))
    {
      g_assert_error (absent, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED);
      g_assert_false (state.known);
      g_test_message ("not told: %s", absent->message);
      return;
    }
  begin = memlane_device_clock (device);
  OK (memlane_device_get_state (device, &state, error));
  reasons = memlane_throttle_describe (state.throttle);
  g_test_message ("SM %u MHz, memory %u MHz, %u degrees, throttled by %s; asked in %.0f us", state.sm_mhz, state.memory_mhz,
                  state.temperature_c, reasons != NULL ? reasons : "nothing", (memlane_device_clock (device) - begin) / 1e3);
  g_assert_true (state.known);
  if (state.sm_mhz > 0)
    g_assert_cmpfloat (state.sm_mhz * 1e6, <=, 1.02 * memlane_device_get_info (device)->processor_clock);
  g_assert_cmpuint (state.temperature_c, <, 130);
}

static void
test_list (void)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  gboolean found = FALSE;

  /* With a GPU or without: there is a row that says so. */
  for (guint i = 0; i < listings->len; i++)
    {
      MemlaneDeviceListing *listing = listings->pdata[i];

      g_test_message ("%s: %s: %s", listing->id, listing->name, listing->reason != NULL ? listing->reason : "usable");
      if (g_strcmp0 (listing->kind, "cuda") != 0)
        continue;
      found = TRUE;
      if (device == NULL)
        g_assert_nonnull (listing->reason);
    }
  g_assert_true (found);
}

/* Whether this process holds the context of @ordinal; also FALSE without a driver. */
static gboolean
has_context (int ordinal)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*get_state) (int, unsigned *, int *) = NULL;
  unsigned flags = 0;
  int active = 0;

  if (library == NULL)
    return FALSE;
  *(void **) &get_state = dlsym (library, "cuDevicePrimaryCtxGetState");
  g_assert_nonnull (get_state);
  if (get_state (ordinal, &flags, &active) != 0)
    active = 0; /* a driver without a GPU */
  dlclose (library);
  return active != 0;
}

static void
test_describe (void)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < listings->len; i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneDeviceInfo) info = NULL;
      g_autoptr (MemlaneDevice) open = NULL;

      if (listing->reason != NULL)
        continue;
      start = g_get_monotonic_time ();
      info = memlane_device_describe (listing->id, &error);
      g_assert_no_error (error);
      g_test_message ("%s: described in %.3f ms", listing->id, (double) (g_get_monotonic_time () - start) / 1000);
      open = memlane_device_open (listing->id, &error);
      g_assert_no_error (error);
      assert_same_info (info, memlane_device_get_info (open));
    }
  TEST_NEEDS_GPU ();
  g_assert_false (had_context);
  g_assert_true (has_context (0)); /* now that it is open */
}

static void
test_open_unknown (void)
{
  static const char *const ids[] = { "cuda:999", "cuda:", "cuda:x", "cuda:-1", "cuda:0x0" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) same = NULL;
      MemlaneDevice *none = memlane_device_open (ids[i], &error);

      g_assert_null (none);
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_null (memlane_device_describe (ids[i], &same));
      g_assert_error (same, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      g_assert_cmpstr (same->message, ==, error->message);
      g_test_message ("%s", error->message);
    }
}

static void
test_errors (void)
{
  void *pointer = NULL, *host = NULL, *other = NULL;
  MemlaneStream *stream = NULL;
  MemlaneEvent *event = NULL;
  const gsize impossible = (gsize) 1 << 50;
  guint out;

  TEST_NEEDS_GPU ();
  out = memlane_device_get_outstanding (device);

  /* Too large: the message names call and size, nothing is handed out, the next call works. */
  FAILS (memlane_device_malloc (device, impossible, &pointer, error), OUT_OF_MEMORY, "cudaMalloc (1125899906842624 bytes)");
  g_assert_null (pointer);
  OK (memlane_device_malloc (device, 4096, &pointer, error));
  FAILS (memlane_device_malloc_host (device, impossible, &other, error), OUT_OF_MEMORY, "cudaMallocHost");
  FAILS (memlane_device_host_alloc (device, impossible, MEMLANE_HOST_ALLOC_MAPPED | MEMLANE_HOST_ALLOC_WRITE_COMBINED, &other, error),
         OUT_OF_MEMORY, "cudaHostAlloc (1125899906842624 bytes, mapped, write-combined)");
  FAILS (memlane_device_host_malloc (device, impossible, &other, error), OUT_OF_MEMORY, "malloc (1125899906842624 bytes)");
  g_assert_null (other);

  /* Twice, and foreign. */
  OK (memlane_device_free (device, pointer, error));
  FAILS (memlane_device_free (device, pointer, error), INVALID, "cudaFree (");
  FAILS (memlane_device_free (device, &out, error), INVALID, "cudaFree (");
  OK (memlane_device_malloc_host (device, 4096, &host, error));
  OK (memlane_device_free_host (device, host, error));
  FAILS (memlane_device_free_host (device, host, error), INVALID, "cudaFreeHost (");
  OK (memlane_device_host_malloc (device, 4096, &host, error));
  FAILS (memlane_device_free_host (device, &out, error), INVALID, "cudaFreeHost (");
  FAILS (memlane_device_host_unregister (device, host, error), INVALID, "cudaHostUnregister (");
  FAILS (memlane_device_host_get_device_pointer (device, host, &other, error), INVALID, "cudaHostGetDevicePointer (");
  OK (memlane_device_host_register (device, host, 4096, MEMLANE_HOST_REGISTER_DEFAULT, error));
  FAILS (memlane_device_host_register (device, host, 4096, MEMLANE_HOST_REGISTER_DEFAULT, error), INVALID, "cudaHostRegister (");
  OK (memlane_device_host_unregister (device, host, error));
  OK (memlane_device_host_free (device, host, error));
  FAILS (memlane_device_host_free (device, host, error), INVALID, "free (");

  OK (memlane_device_stream_create (device, TRUE, 0, &stream, error));
  OK (memlane_device_stream_destroy (device, stream, error));
  FAILS (memlane_device_stream_destroy (device, stream, error), INVALID, "cudaStreamDestroy (");
  OK (memlane_device_event_create (device, &event, error));
  OK (memlane_device_event_destroy (device, event, error));
  FAILS (memlane_device_event_destroy (device, event, error), INVALID, "cudaEventDestroy (");

  FAILS (memlane_device_launch (device, MEMLANE_KERNEL_ADD, NULL, NULL, NULL, 0, NULL, error), INVALID, "add<<<>>> (");

  /* No sticky error: everything works as before. */
  OK (memlane_device_synchronize (device, error));
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, out);
}

static void
check_type (const char *what, void *pointer, MemlaneMemoryType type)
{
  MemlaneMemoryType found;

  OK (memlane_device_pointer_get_type (device, pointer, &found, error));
  g_test_message ("%s: %s", what, memlane_memory_type_name (found));
  g_assert_cmpint (found, ==, type);
}

static void
test_attributes (void)
{
  static const MemlaneHostAllocFlags flags[] = {
    MEMLANE_HOST_ALLOC_DEFAULT, MEMLANE_HOST_ALLOC_PORTABLE, MEMLANE_HOST_ALLOC_MAPPED, MEMLANE_HOST_ALLOC_WRITE_COMBINED,
    MEMLANE_HOST_ALLOC_MAPPED | MEMLANE_HOST_ALLOC_WRITE_COMBINED,
  };
  const gsize bytes = 65536;
  void *pointer = NULL, *on_device = NULL;

  TEST_NEEDS_GPU ();

  OK (memlane_device_malloc (device, bytes, &pointer, error));
  check_type ("malloc", pointer, MEMLANE_MEMORY_DEVICE);
  OK (memlane_device_free (device, pointer, error));

  OK (memlane_device_malloc_host (device, bytes, &pointer, error));
  check_type ("malloc_host", pointer, MEMLANE_MEMORY_HOST);
  OK (memlane_device_free_host (device, pointer, error));

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      OK (memlane_device_host_alloc (device, bytes, flags[i], &pointer, error));
      check_type ("host_alloc", pointer, MEMLANE_MEMORY_HOST);
      OK (memlane_device_host_get_device_pointer (device, pointer, &on_device, error));
      g_assert_nonnull (on_device);
      OK (memlane_device_free_host (device, pointer, error));
    }

  OK (memlane_device_host_malloc (device, bytes, &pointer, error));
  g_assert_cmpuint ((guintptr) pointer % 4096, ==, 0);
  check_type ("host_malloc", pointer, MEMLANE_MEMORY_UNREGISTERED);
  if (memlane_device_can (device, MEMLANE_CAN_HOST_REGISTER))
    {
      OK (memlane_device_host_register (device, pointer, bytes, MEMLANE_HOST_REGISTER_MAPPED, error));
      check_type ("host_register", pointer, MEMLANE_MEMORY_HOST);
      OK (memlane_device_host_get_device_pointer (device, pointer, &on_device, error));
      OK (memlane_device_host_unregister (device, pointer, error));
      check_type ("host_unregister", pointer, MEMLANE_MEMORY_UNREGISTERED);
    }
  OK (memlane_device_host_free (device, pointer, error));

  if (memlane_device_can (device, MEMLANE_CAN_MANAGED_MEMORY))
    {
      OK (memlane_device_malloc_managed (device, bytes, &pointer, error));
      check_type ("malloc_managed", pointer, MEMLANE_MEMORY_MANAGED);
      OK (memlane_device_free (device, pointer, error));
    }
  if (memlane_device_can (device, MEMLANE_CAN_MEMORY_POOLS))
    {
      OK (memlane_device_malloc_async (device, bytes, NULL, &pointer, error));
      check_type ("malloc_async", pointer, MEMLANE_MEMORY_DEVICE);
      OK (memlane_device_free_async (device, pointer, NULL, error));
      OK (memlane_device_synchronize (device, error));
    }
}

/* Memory that is mapped is the device's, holds what is copied there, and is gone when it is freed, with its addresses and its handle. */
static void
test_virtual_memory (void)
{
  const gsize bytes = 3 << 20; /* no multiple of the unit */
  g_autofree char *there = g_malloc (bytes), *back = g_malloc (bytes);
  void *pointer = NULL, *plain = NULL;
  guint64 before, meanwhile, after;

  TEST_NEEDS (MEMLANE_CAN_VIRTUAL_MEMORY);
  for (gsize i = 0; i < bytes; i++)
    there[i] = (char) (i * 7);
  OK (memlane_device_get_free_memory (device, &before, error));
  OK (memlane_device_malloc_virtual (device, bytes, &pointer, error));
  check_type ("malloc_virtual", pointer, MEMLANE_MEMORY_DEVICE);
  OK (memlane_device_get_free_memory (device, &meanwhile, error));
  g_assert_cmpuint (before - meanwhile, >=, bytes);
  OK (memlane_device_memcpy (device, pointer, there, bytes, MEMLANE_COPY_TO_DEVICE, error));
  OK (memlane_device_memcpy (device, back, pointer, bytes, MEMLANE_COPY_TO_HOST, error));
  g_assert_cmpint (memcmp (there, back, bytes), ==, 0);
  OK (memlane_device_free_virtual (device, pointer, error));
  FAILS (memlane_device_free_virtual (device, pointer, error), INVALID, "cuMemUnmap (");
  FAILS (memlane_device_free_virtual (device, &before, error), INVALID, "cuMemUnmap (");
  OK (memlane_device_malloc (device, 4096, &plain, error));
  FAILS (memlane_device_free_virtual (device, plain, error), INVALID, "cuMemUnmap (");
  OK (memlane_device_free (device, plain, error));
  FAILS (memlane_device_malloc_virtual (device, (gsize) 1 << 44, &pointer, error), OUT_OF_MEMORY, "cuMem");
  g_assert_null (pointer);
  OK (memlane_device_get_free_memory (device, &after, error));
  g_assert_cmpuint (after, ==, before);
}

/* The device reads what is registered so. */
static void
test_read_only (void)
{
  const gsize bytes = 1 << 20;
  g_autofree char *back = g_malloc (bytes);
  void *pointer = NULL, *there = NULL;

  TEST_NEEDS (MEMLANE_CAN_REGISTER_READ_ONLY);
  OK (memlane_device_host_malloc (device, bytes, &there, error));
  OK (memlane_device_host_fill (device, there, 0x5a, bytes, error));
  OK (memlane_device_host_register (device, there, bytes, MEMLANE_HOST_REGISTER_READ_ONLY, error));
  check_type ("registered read-only", there, MEMLANE_MEMORY_HOST);
  OK (memlane_device_malloc (device, bytes, &pointer, error));
  OK (memlane_device_memcpy (device, pointer, there, bytes, MEMLANE_COPY_TO_DEVICE, error));
  OK (memlane_device_memcpy (device, back, pointer, bytes, MEMLANE_COPY_TO_HOST, error));
  g_assert_cmpint (memcmp (there, back, bytes), ==, 0);
  OK (memlane_device_host_unregister (device, there, error));
  OK (memlane_device_host_free (device, there, error));
  OK (memlane_device_free (device, pointer, error));
}

static const gsize odd_sizes[] = { 1, 2, 3, 4, 5, 7, 31, 1021, 1023, 1024, 1025, 4099, 65537, 1000003 };

/* Inputs copied up, one kernel, the result and a guard behind it copied down and compared bit by bit. @offset in floats: 1 makes the
 * vectors unaligned. */
static void
check_kernel (MemlaneKernel kernel, gsize n, gsize offset)
{
  const gsize bytes = (n + 8) * sizeof (float);
  void *host[3] = { NULL }, *dev[3] = { NULL };
  g_autofree float *expected = g_new (float, n);
  float *a, *b, *out;

  for (int i = 0; i < 3; i++)
    {
      OK (memlane_device_malloc_host (device, bytes, &host[i], error));
      OK (memlane_device_malloc (device, bytes, &dev[i], error));
    }
  a = (float *) host[0] + offset;
  b = (float *) host[1] + offset;
  out = (float *) host[2] + offset;
  fill_vector (a, n, 1);
  fill_vector (b, n, 2);
  OK (memlane_device_memcpy_async (device, dev[0], host[0], bytes, MEMLANE_COPY_TO_DEVICE, NULL, error));
  OK (memlane_device_memcpy_async (device, dev[1], host[1], bytes, MEMLANE_COPY_TO_DEVICE, NULL, error));
  OK (memlane_device_memset_async (device, dev[2], 0xff, bytes, NULL, error));
  OK (memlane_device_launch (device, kernel, (float *) dev[2] + offset, (float *) dev[0] + offset,
                             (kernel & MEMLANE_KERNEL_COPY) != 0 ? NULL : (float *) dev[1] + offset, n, NULL, error));
  OK (memlane_device_memcpy_async (device, host[2], dev[2], bytes, MEMLANE_COPY_TO_HOST, NULL, error));
  OK (memlane_device_stream_synchronize (device, NULL, error));

  if ((kernel & MEMLANE_KERNEL_COPY) != 0)
    memlane_reference_copy (expected, a, n);
  else
    memlane_reference_add (expected, a, b, n);
  g_assert_cmpmem (out, n * sizeof (float), expected, n * sizeof (float));
  for (gsize i = n; i < n + 8 - offset; i++)
    g_assert_cmphex (((guint32 *) out)[i], ==, 0xffffffff);

  for (int i = 0; i < 3; i++)
    {
      OK (memlane_device_free (device, dev[i], error));
      OK (memlane_device_free_host (device, host[i], error));
    }
}

static void
test_kernels (void)
{
  TEST_NEEDS_GPU ();
  for (gsize i = 0; i < G_N_ELEMENTS (odd_sizes); i++)
    for (gsize offset = 0; offset < 2; offset++)
      {
        check_kernel (MEMLANE_KERNEL_ADD, odd_sizes[i], offset);
        check_kernel (MEMLANE_KERNEL_COPY, odd_sizes[i], offset);
        if (offset > 0) /* the shaped kernel takes aligned vectors alone */
          continue;
        check_kernel (MEMLANE_KERNEL_ADD | MEMLANE_KERNEL_SHAPED, odd_sizes[i], offset);
        check_kernel (MEMLANE_KERNEL_COPY | MEMLANE_KERNEL_SHAPED, odd_sizes[i], offset);
      }
}

/* Unaligned vectors are an error of the shaped launch, and no sticky one. */
static void
test_unaligned (void)
{
  float *vector;

  TEST_NEEDS_GPU ();
  OK (memlane_device_malloc (device, 4096, (void **) &vector, error));
  FAILS (memlane_device_launch (device, MEMLANE_KERNEL_COPY | MEMLANE_KERNEL_SHAPED, vector + 513, vector + 1, NULL, 4, NULL, error),
         INVALID, "copy<<<>>> (");
  OK (memlane_device_synchronize (device, error));
  OK (memlane_device_free (device, vector, error));
}

/* What is freed stays in the pool while it is kept, and the pool gives it back afterwards: the GPU's free memory tells. */
static void
test_pool (void)
{
  const gsize bytes = (gsize) 256 << 20;
  guint64 free_bytes[3];
  void *pointer;
  double begin, ns[2];

  TEST_NEEDS (MEMLANE_CAN_MEMORY_POOLS);
  OK (memlane_device_get_free_memory (device, &free_bytes[0], error));
  for (guint keep = 0; keep < 2; keep++)
    {
      OK (memlane_device_pool_keep (device, keep, error));
      for (guint i = 0; i < 3; i++)
        {
          begin = memlane_device_clock (device);
          OK (memlane_device_malloc_async (device, bytes, NULL, &pointer, error));
          ns[keep] = memlane_device_clock (device) - begin;
          OK (memlane_device_free_async (device, pointer, NULL, error));
          OK (memlane_device_synchronize (device, error));
        }
      OK (memlane_device_get_free_memory (device, &free_bytes[1 + keep], error));
    }
  OK (memlane_device_pool_keep (device, FALSE, error));
  g_test_message ("cudaMallocAsync: %.1f us, from a kept pool %.1f us", ns[0] / 1e3, ns[1] / 1e3);
  g_assert_cmpuint (free_bytes[1], >, free_bytes[0] - bytes); /* given back */
  g_assert_cmpuint (free_bytes[2], <=, free_bytes[1] - bytes); /* kept */
  OK (memlane_device_get_free_memory (device, &free_bytes[2], error));
  g_assert_cmpuint (free_bytes[2], >, free_bytes[0] - bytes);
}

/* The kernel's own loads and stores over the link, in both shapes. */
static void
check_mapped (MemlaneKernel kernel)
{
  const gsize n = 100003, bytes = n * sizeof (float);
  void *host[3], *on_device[3];
  g_autofree float *expected = g_new (float, n);

  for (int i = 0; i < 3; i++)
    {
      OK (memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_MAPPED, &host[i], error));
      OK (memlane_device_host_get_device_pointer (device, host[i], &on_device[i], error));
      fill_vector (host[i], n, i + 1);
    }
  OK (memlane_device_launch (device, kernel, on_device[2], on_device[0], on_device[1], n, NULL, error));
  OK (memlane_device_synchronize (device, error));
  memlane_reference_add (expected, host[0], host[1], n);
  g_assert_cmpmem (host[2], bytes, expected, bytes);
  for (int i = 0; i < 3; i++)
    OK (memlane_device_free_host (device, host[i], error));
}

static void
test_mapped (void)
{
  TEST_NEEDS (MEMLANE_CAN_MAP_HOST_MEMORY);
  check_mapped (MEMLANE_KERNEL_ADD);
  check_mapped (MEMLANE_KERNEL_ADD | MEMLANE_KERNEL_SHAPED);
}

/* The three vectors are managed: from cudaMallocManaged, or __managed__ arrays when @is_static. */
static void
check_managed (gboolean is_static, gboolean advise, gsize n)
{
  const gsize bytes = n * sizeof (float);
  void *v[3];
  g_autofree float *expected = g_new (float, n), *got = g_new (float, n);
  g_autofree float *a = g_new (float, n), *b = g_new (float, n);

  fill_vector (a, n, 5);
  fill_vector (b, n, 6);
  for (int i = 0; i < 3; i++)
    {
      if (is_static)
        OK (memlane_device_managed_static (device, i, bytes, &v[i], error));
      else
        OK (memlane_device_malloc_managed (device, bytes, &v[i], error));
      check_type (is_static ? "managed_static" : "malloc_managed", v[i], MEMLANE_MEMORY_MANAGED);
    }
  OK (memlane_device_host_write (device, v[0], a, bytes, error));
  OK (memlane_device_host_write (device, v[1], b, bytes, error));
  OK (memlane_device_host_fill (device, v[2], 0xff, bytes, error));
  OK (memlane_device_host_touch (device, v[2], bytes, error));
  if (advise)
    {
      OK (memlane_device_mem_advise (device, v[0], bytes, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE, error));
      OK (memlane_device_mem_advise (device, v[1], bytes, MEMLANE_ADVICE_PREFERRED_LOCATION, MEMLANE_LOCATION_DEVICE, error));
      OK (memlane_device_mem_advise (device, v[2], bytes, MEMLANE_ADVICE_ACCESSED_BY, MEMLANE_LOCATION_HOST, error));
      for (int i = 0; i < 3; i++)
        OK (memlane_device_mem_prefetch_async (device, v[i], bytes, MEMLANE_LOCATION_DEVICE, NULL, error));
    }
  OK (memlane_device_launch (device, MEMLANE_KERNEL_ADD, v[2], v[0], v[1], n, NULL, error));
  if (advise)
    OK (memlane_device_mem_prefetch_async (device, v[2], bytes, MEMLANE_LOCATION_HOST, NULL, error));
  OK (memlane_device_synchronize (device, error));
  OK (memlane_device_host_read (device, got, v[2], bytes, error));
  memlane_reference_add (expected, a, b, n);
  g_assert_cmpmem (got, bytes, expected, bytes);
  if (!is_static)
    for (int i = 0; i < 3; i++)
      OK (memlane_device_free (device, v[i], error));
}

static void
test_managed (void)
{
  TEST_NEEDS (MEMLANE_CAN_MANAGED_MEMORY);
  check_managed (FALSE, FALSE, 100003);
}

static void
test_managed_static (void)
{
  guint64 bytes;
  void *pointer = NULL;

  TEST_NEEDS (MEMLANE_CAN_MANAGED_MEMORY);
  bytes = memlane_device_get_info (device)->static_managed_bytes;
  g_assert_cmpuint (bytes, ==, (guint64) 4 << 22);
  check_managed (TRUE, FALSE, 100003);
  check_managed (TRUE, FALSE, bytes / sizeof (float));
  FAILS (memlane_device_managed_static (device, 0, bytes + 1, &pointer, error), UNSUPPORTED, "__managed__");
}

static void
test_prefetch (void)
{
  TEST_NEEDS (MEMLANE_CAN_CONCURRENT_MANAGED);
  check_managed (FALSE, TRUE, 1000003);
}

/* Up by one call, down by another, from every kind of host memory. */
static void
test_copies (void)
{
  const gsize bytes = ((gsize) 4 << 20) + 12;
  g_autofree float *pattern = g_malloc (bytes);
  void *from = NULL, *to = NULL, *dev[2] = { NULL };
  MemlaneStream *stream = NULL;

  TEST_NEEDS_GPU ();
  fill_vector (pattern, bytes / sizeof (float), 9);
  OK (memlane_device_stream_create (device, TRUE, memlane_device_get_info (device)->priority_greatest, &stream, error));
  for (int i = 0; i < 2; i++)
    OK (memlane_device_malloc (device, bytes, &dev[i], error));
  for (int pinned = 0; pinned < 2; pinned++)
    {
      if (pinned)
        {
          OK (memlane_device_malloc_host (device, bytes, &from, error));
          OK (memlane_device_malloc_host (device, bytes, &to, error));
        }
      else
        {
          OK (memlane_device_host_malloc (device, bytes, &from, error));
          OK (memlane_device_host_malloc (device, bytes, &to, error));
        }
      memcpy (from, pattern, bytes);
      memset (to, 0xff, bytes);
      OK (memlane_device_memcpy (device, dev[0], from, bytes, MEMLANE_COPY_TO_DEVICE, error));
      OK (memlane_device_memcpy_async (device, dev[1], dev[0], bytes, MEMLANE_COPY_ON_DEVICE, stream, error));
      OK (memlane_device_memcpy_async (device, to, dev[1], bytes, MEMLANE_COPY_TO_HOST, stream, error));
      OK (memlane_device_stream_synchronize (device, stream, error));
      g_assert_cmpmem (to, bytes, pattern, bytes);

      memset (to, 0xff, bytes);
      OK (memlane_device_memcpy (device, to, from, bytes, MEMLANE_COPY_ON_HOST, error));
      g_assert_cmpmem (to, bytes, pattern, bytes);

      if (pinned)
        {
          OK (memlane_device_free_host (device, from, error));
          OK (memlane_device_free_host (device, to, error));
        }
      else
        {
          OK (memlane_device_host_free (device, from, error));
          OK (memlane_device_host_free (device, to, error));
        }
    }
  for (int i = 0; i < 2; i++)
    OK (memlane_device_free (device, dev[i], error));
  OK (memlane_device_stream_destroy (device, stream, error));
}

static void
test_peer (void)
{
  const gsize n = 100003, bytes = n * sizeof (float);
  g_autofree float *pattern = g_new (float, n), *got = g_new0 (float, n);
  void *near = NULL, *far = NULL;

  TEST_NEEDS (MEMLANE_CAN_PEER_COPY);
  fill_vector (pattern, n, 11);
  OK (memlane_device_malloc (device, bytes, &near, error));
  OK (memlane_device_peer_malloc (device, bytes, &far, error));
  OK (memlane_device_memcpy (device, near, pattern, bytes, MEMLANE_COPY_TO_DEVICE, error));
  OK (memlane_device_memcpy_peer_async (device, far, near, bytes, NULL, error));
  OK (memlane_device_synchronize (device, error));
  OK (memlane_device_memcpy (device, got, far, bytes, MEMLANE_COPY_TO_HOST, error));
  g_assert_cmpmem (got, bytes, pattern, bytes);
  OK (memlane_device_peer_free (device, far, error));
  OK (memlane_device_free (device, near, error));
}

/* What is queued behind a latch does not start before it opens, and then its time holds no launch cost. */
static void
test_latch (void)
{
  const gsize bytes = 4096;
  void *host = NULL, *dev = NULL;
  MemlaneStream *stream = NULL;
  MemlaneEvent *start = NULL, *stop = NULL;
  double ns = 0, begin, waited, median[9];
  gboolean late = TRUE, done = TRUE;

  TEST_NEEDS_GPU ();

  /* Without a closed latch it does nothing. */
  OK (memlane_device_latch_open (device, &late, error));
  g_assert_false (late);

  OK (memlane_device_stream_create (device, TRUE, 0, &stream, error));
  OK (memlane_device_event_create (device, &start, error));
  OK (memlane_device_event_create (device, &stop, error));
  OK (memlane_device_malloc_host (device, bytes, &host, error));
  OK (memlane_device_malloc (device, bytes, &dev, error));

  for (guint i = 0; i < G_N_ELEMENTS (median); i++)
    {
      OK (memlane_device_latch_close (device, stream, error));
      OK (memlane_device_event_record (device, start, stream, error));
      OK (memlane_device_memcpy_async (device, dev, host, bytes, MEMLANE_COPY_TO_DEVICE, stream, error));
      OK (memlane_device_event_record (device, stop, stream, error));
      begin = memlane_device_clock (device);
      while (memlane_device_clock (device) - begin < 1e6)
        ;
      OK (memlane_device_stream_query (device, stream, &done, error));
      g_assert_false (done);
      FAILS (memlane_device_latch_close (device, stream, error), INVALID, "latch");
      late = TRUE;
      OK (memlane_device_latch_open (device, &late, error));
      g_assert_false (late);
      OK (memlane_device_event_synchronize (device, stop, error));
      OK (memlane_device_stream_query (device, stream, &done, error));
      g_assert_true (done);
      OK (memlane_device_event_elapsed (device, start, stop, &ns, error));
      median[i] = ns;
      g_assert_cmpfloat (ns, >, 0);
      g_assert_cmpfloat (ns, <, 1e6);
    }
  for (guint i = 1; i < G_N_ELEMENTS (median); i++)
    for (guint j = i; j > 0 && median[j] < median[j - 1]; j--)
      {
        double swapped = median[j];

        median[j] = median[j - 1];
        median[j - 1] = swapped;
      }
  g_test_message ("latched copy of 4 KiB to the device: median %.0f ns, from %.0f to %.0f", median[4], median[0], median[8]);
  g_assert_cmpfloat (median[4], <, 50e3);

  /* Too late: it gives way by itself, says so, and the next one is on time again. */
  OK (memlane_device_latch_close (device, stream, error));
  begin = memlane_device_clock (device);
  OK (memlane_device_stream_synchronize (device, stream, error));
  waited = memlane_device_clock (device) - begin;
  g_test_message ("the latch gave way after %.1f ms", waited / 1e6);
  g_assert_cmpfloat (waited, >, 0.8 * MEMLANE_LATCH_TIMEOUT_NS);
  g_assert_cmpfloat (waited, <, 2.0 * MEMLANE_LATCH_TIMEOUT_NS);
  OK (memlane_device_latch_open (device, &late, error));
  g_assert_true (late);
  OK (memlane_device_latch_close (device, stream, error));
  OK (memlane_device_latch_open (device, &late, error));
  g_assert_false (late);

  OK (memlane_device_free (device, dev, error));
  OK (memlane_device_free_host (device, host, error));
  OK (memlane_device_event_destroy (device, stop, error));
  OK (memlane_device_event_destroy (device, start, error));
  OK (memlane_device_stream_destroy (device, stream, error));
}

/* A stream waits for another one's event, and a host function runs after what was issued before it. */
static void
raise_flag (gpointer data)
{
  g_atomic_int_set ((gint *) data, 1);
}

static void
test_order (void)
{
  MemlaneStream *first = NULL, *second = NULL;
  MemlaneEvent *event = NULL;
  gint flag = 0;
  gboolean late = FALSE, done = TRUE;

  TEST_NEEDS_GPU ();
  OK (memlane_device_stream_create (device, TRUE, 0, &first, error));
  OK (memlane_device_stream_create (device, TRUE, 0, &second, error));
  OK (memlane_device_event_create (device, &event, error));
  OK (memlane_device_latch_close (device, first, error));
  OK (memlane_device_event_record (device, event, first, error));
  OK (memlane_device_stream_wait_event (device, second, event, error));
  OK (memlane_device_launch_host_function (device, raise_flag, &flag, second, error));
  g_usleep (2000);
  g_assert_cmpint (g_atomic_int_get (&flag), ==, 0);
  OK (memlane_device_stream_query (device, second, &done, error));
  g_assert_false (done);
  OK (memlane_device_latch_open (device, &late, error));
  g_assert_false (late);
  OK (memlane_device_stream_synchronize (device, second, error));
  g_assert_cmpint (g_atomic_int_get (&flag), ==, 1);
  OK (memlane_device_event_destroy (device, event, error));
  OK (memlane_device_stream_destroy (device, second, error));
  OK (memlane_device_stream_destroy (device, first, error));
}

/* The events' time and the host's agree on something long. */
static void
test_event_time (void)
{
  const gsize bytes = (gsize) 64 << 20;
  void *host = NULL, *dev = NULL;
  MemlaneEvent *start = NULL, *stop = NULL;
  double ns = 0, begin, host_ns;

  TEST_NEEDS_GPU ();
  OK (memlane_device_event_create (device, &start, error));
  OK (memlane_device_event_create (device, &stop, error));
  OK (memlane_device_malloc_host (device, bytes, &host, error));
  OK (memlane_device_malloc (device, bytes, &dev, error));
  OK (memlane_device_synchronize (device, error));
  begin = memlane_device_clock (device);
  OK (memlane_device_event_record (device, start, NULL, error));
  for (int i = 0; i < 4; i++)
    OK (memlane_device_memcpy_async (device, dev, host, bytes, MEMLANE_COPY_TO_DEVICE, NULL, error));
  OK (memlane_device_event_record (device, stop, NULL, error));
  OK (memlane_device_event_synchronize (device, stop, error));
  host_ns = memlane_device_clock (device) - begin;
  OK (memlane_device_event_elapsed (device, start, stop, &ns, error));
  g_test_message ("4 x 64 MiB to the device: %.0f us by events, %.0f us by the host, %.2f GB/s", ns / 1e3, host_ns / 1e3, 4.0 * bytes / ns);
  g_assert_cmpfloat (ns, >, 0);
  g_assert_cmpfloat (ns, <, host_ns * 1.01 + 20e3);
  g_assert_cmpfloat (ns, >, host_ns * 0.5);
  OK (memlane_device_free (device, dev, error));
  OK (memlane_device_free_host (device, host, error));
  OK (memlane_device_event_destroy (device, start, error));
  OK (memlane_device_event_destroy (device, stop, error));
}

/* Another thread takes the device over. */
/* The steps of the clocks and what measuring costs here: to be read, and sane. */
static void
test_floors (void)
{
  MemlaneFloors floors;

  TEST_NEEDS_GPU ();
  memlane_measure_floors (device, &floors);
  g_test_message ("ticks: device %g ns, host %g ns; pairs: of events %.0f ns, of readings %.0f ns; a launch %.0f ns", floors.device_tick_ns,
                  floors.host_tick_ns, floors.event_pair_ns, floors.host_pair_ns, floors.launch_ns);
  for (guint i = 0; i < floors.n_kernels; i++)
    {
      g_test_message ("2^%u elements: alone %.0f ns, in a row %.0f ns", floors.kernels[i].log2_elements, floors.kernels[i].alone_ns,
                      floors.kernels[i].in_a_row_ns);
      g_assert_cmpfloat (floors.kernels[i].in_a_row_ns, >, 0);
      g_assert_cmpfloat (floors.kernels[i].alone_ns, >, floors.event_pair_ns);
    }
  g_assert_cmpuint (floors.n_kernels, >, 1);
  g_assert_cmpfloat (floors.event_pair_ns, >, 0);
  g_assert_cmpfloat (floors.launch_ns, >, 0);
  g_assert_cmpfloat (floors.host_tick_ns, >, 0);
}

static double
measure_cell (const char *workload, const char *mode, guint log2_elements, guint reuse, gboolean cold_cache, MemlanePhase phase,
              const char **detail)
{
  static char *said;
  const MemlaneMethod method = {
    .workload = memlane_workload_find (workload), .reuse = reuse, .streams = 2, .chunks = 4, .precision = 0.02, .cell_seconds = 0.25,
    .cold_cache = cold_cache,
  };
  MemlaneReference *reference = memlane_reference_new ((gsize) 1 << log2_elements, FALSE, 7, NULL, NULL);
  g_autoptr (MemlaneCell) cell = memlane_measure_cell (device, &method, memlane_mode_find (mode), log2_elements, reference, NULL);
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);

  memlane_reference_free (reference);
  g_free (said);
  *detail = said = g_strdup (figure != NULL && figure->detail != NULL ? figure->detail : "");
  if (figure == NULL)
    {
      g_test_fail_printf ("%s %s at 2^%u has no %s: %s", workload, mode, log2_elements,
                          memlane_phase_name (phase), cell->detail);
      return 1;
    }
  return figure->statistics.median;
}

/* What the method corrects: a latched copy of 4 KiB, the cache warm and flushed, pages carried home after few kernels and many. */
static void
test_method (void)
{
  guint64 l2;
  guint log2 = 20;
  const char *detail;
  double up, down, warm, cold;

  TEST_NEEDS_GPU ();
  up = measure_cell ("copy-to-device", "pinned-async", 10, 1, FALSE, MEMLANE_PHASE_UPLOAD, &detail);
  down = measure_cell ("copy-to-host", "pinned-async", 10, 1, FALSE, MEMLANE_PHASE_DOWNLOAD, &detail);
  g_test_message ("4 KiB, pinned-async, latched: %.0f ns up, %.0f ns down", up, down);

  up = measure_cell ("copy-bidirectional", "pinned-async", 24, 1, FALSE, MEMLANE_PHASE_UPLOAD,
                     &detail);
  down = measure_cell ("copy-bidirectional", "pinned-async", 24, 1, FALSE, MEMLANE_PHASE_DOWNLOAD,
                       &detail);
  g_test_message ("64 MiB both ways at once: %.1f GB/s up, %.1f GB/s down", (4 << 24) / up,
                  (4 << 24) / down);

  l2 = memlane_device_get_info (device)->l2_bytes;
  while (log2 > 10 && ((guint64) 12 << log2) > l2)
    log2--;
  warm = measure_cell ("vector-add", "device-resident", log2, 1, FALSE, MEMLANE_PHASE_KERNEL, &detail);
  g_assert_true (l2 == 0 || strstr (detail, "second-level cache") != NULL);
  cold = measure_cell ("vector-add", "device-resident", log2, 1, TRUE, MEMLANE_PHASE_KERNEL, &detail);
  g_assert_cmpstr (detail, ==, "");
  g_test_message ("device-resident, 2^%u: kernel %.0f ns with its vectors in the cache, %.0f ns flushed", log2, warm, cold);

  if (memlane_device_can (device, MEMLANE_CAN_CONCURRENT_MANAGED))
    for (guint reuse = 1; reuse <= 256; reuse *= 16)
      {
        down = measure_cell ("vector-add", "managed-prefetch", 10, reuse, FALSE, MEMLANE_PHASE_DOWNLOAD, &detail);
        g_test_message ("managed-prefetch, 2^10, reuse %u: download %.0f ns: %s", reuse, down, detail);
        g_assert_cmpstr (detail, !=, "");
      }
}

/* Units a nanosecond of what @beside does alone. */
static double
measure_background (MemlaneBeside beside, guint busy)
{
  MemlaneBackgroundProgress first, last;
  GError *failure = NULL;

  if (!memlane_device_background_start (device, beside, busy, 10e6, &failure)
      || !memlane_device_background_read (device, &first, &failure))
    {
      g_test_fail_printf ("%s: %s", memlane_beside_name (beside), failure->message);
      g_error_free (failure);
      return 1;
    }
  memlane_device_pause (device, 5e6);
  OK (memlane_device_background_read (device, &last, error));
  g_assert_true (last.runs);
  OK (memlane_device_background_stop (device, error));
  g_assert_cmpfloat (last.ns, >, first.ns);
  return (last.units - first.units) / (last.ns - first.ns);
}

/* A background runs, takes the share that it is told, ends when it is told, and by itself; what
 * waits for the device does not wait for it. */
static void
test_background (void)
{
  double all, half, begin, ended;
  MemlaneBackgroundProgress progress;

  TEST_NEEDS (MEMLANE_CAN_CONCURRENT_KERNELS);
  all = measure_background (MEMLANE_BESIDE_COMPUTE, 100);
  half = measure_background (MEMLANE_BESIDE_COMPUTE, 50);
  g_test_message ("computing: %.4g units a ms on all multiprocessors, %.3f of that on half of them",
                  all * 1e6, half / all);
  g_assert_cmpfloat_with_epsilon (half / all, 0.5, 0.05);
  for (MemlaneBeside beside = MEMLANE_BESIDE_COPIES_UP; beside < MEMLANE_N_BESIDES; beside++)
    {
      const double rate = measure_background (beside, 0);

      g_test_message ("%s: %.1f GB/s", memlane_beside_name (beside),
                      rate * MEMLANE_BACKGROUND_COPY);
      g_assert_cmpfloat (rate, >, 0);
    }

  /* 200 ms of it end at once, and the device can be waited for meanwhile. */
  OK (memlane_device_background_start (device, MEMLANE_BESIDE_COMPUTE, 100, 200e6, error));
  begin = memlane_device_clock (device);
  OK (memlane_device_synchronize (device, error));
  OK (memlane_device_background_read (device, &progress, error));
  g_assert_true (progress.runs);
  OK (memlane_device_background_stop (device, error));
  ended = memlane_device_clock (device) - begin;
  g_test_message ("a background of 200 ms ended after %.2f ms", ended / 1e6);
  g_assert_cmpfloat (ended, <, 100e6);

  /* 5 ms end by themselves. */
  OK (memlane_device_background_start (device, MEMLANE_BESIDE_COMPUTE, 100, 5e6, error));
  memlane_device_pause (device, 50e6);
  OK (memlane_device_background_read (device, &progress, error));
  g_assert_false (progress.runs);
  FAILS (memlane_device_background_start (device, MEMLANE_BESIDE_COMPUTE, 100, 5e6, error), INVALID,
         "background");
  OK (memlane_device_background_stop (device, error));
  OK (memlane_device_background_stop (device, error));
}

/* Closing with things still out, a closed latch among them, and opening again; a second device of the same GPU is not disturbed. */
static void
test_close (void)
{
  void *pointer = NULL;
  MemlaneDevice *other = NULL;
  MemlaneStream *stream = NULL;
  MemlaneEvent *event = NULL;

  TEST_NEEDS_GPU ();
  for (int i = 0; i < 2; i++)
    {
      GError *failure = NULL;

      other = memlane_device_open (memlane_device_get_info (device)->id, &failure);
      g_assert_no_error (failure);
      OK (memlane_device_malloc (other, 4096, &pointer, error));
      OK (memlane_device_malloc_host (other, 4096, &pointer, error));
      OK (memlane_device_host_malloc (other, 4096, &pointer, error));
      if (memlane_device_can (other, MEMLANE_CAN_HOST_REGISTER))
        OK (memlane_device_host_register (other, pointer, 4096, MEMLANE_HOST_REGISTER_DEFAULT, error));
      if (memlane_device_can (other, MEMLANE_CAN_MEMORY_POOLS))
        OK (memlane_device_malloc_async (other, 4096, NULL, &pointer, error));
      if (memlane_device_can (other, MEMLANE_CAN_VIRTUAL_MEMORY))
        OK (memlane_device_malloc_virtual (other, 4096, &pointer, error));
      OK (memlane_device_event_create (other, &event, error));
      OK (memlane_device_stream_create (other, FALSE, 0, &stream, error));
      OK (memlane_device_latch_close (other, stream, error));
      memlane_device_close (other);
    }
  OK (memlane_device_synchronize (device, error));
  OK (memlane_device_malloc (device, 4096, &pointer, error));
  OK (memlane_device_free (device, pointer, error));
}

/* Every mode that the device supports measures, verifies its result and leaves nothing behind. */
static void
test_modes (gconstpointer workload)
{
  const MemlaneMethod method = {
    .workload = memlane_workload_find (workload), .reuse = 1, .streams = 2, .chunks = 4, .precision = 0.02, .cell_seconds = 0.05,
  };
  guint n, out;
  const MemlaneMode *modes = memlane_mode_list (&n);

  TEST_NEEDS_GPU ();
  out = memlane_device_get_outstanding (device);
  for (guint log2 = 10; log2 <= 20; log2 += 5)
    {
      MemlaneReference *reference = memlane_reference_new ((gsize) 1 << log2, FALSE, 7, NULL, NULL);

      for (guint i = 0; i < n; i++)
        {
          g_autoptr (MemlaneCell) cell = memlane_measure_cell (device, &method, &modes[i], log2, reference, NULL);
          const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

          g_assert_cmpuint (memlane_device_get_outstanding (device), ==, out);
          if (cell->status != MEMLANE_STATUS_UNSUPPORTED && elapsed == NULL)
            g_test_fail_printf ("%s at 2^%u: %s", modes[i].id, log2, cell->detail);
          g_test_message ("%s 2^%u: %.1f us", modes[i].id, log2, elapsed != NULL ? elapsed->statistics.median / 1e3 : 0);
        }
      memlane_reference_free (reference);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  MemlaneDeviceInfo *info;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* one failure must not hide those after it */

  info = memlane_device_describe ("cuda:0", NULL);
  had_context = has_context (0);
  memlane_device_info_free (info);
  device = memlane_device_open ("cuda:0", &error);
  if (device == NULL)
    {
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE);
      no_device = g_strdup (error->message);
    }

  g_test_add_func ("/gpu/info", test_info);
  g_test_add_func ("/gpu/state", test_state);
  g_test_add_func ("/gpu/list", test_list);
  g_test_add_func ("/gpu/describe", test_describe);
  g_test_add_func ("/gpu/open-unknown", test_open_unknown);
  g_test_add_func ("/gpu/errors", test_errors);
  g_test_add_func ("/gpu/attributes", test_attributes);
  g_test_add_func ("/gpu/virtual-memory", test_virtual_memory);
  g_test_add_func ("/gpu/read-only", test_read_only);
  g_test_add_func ("/gpu/kernels", test_kernels);
  g_test_add_func ("/gpu/unaligned", test_unaligned);
  g_test_add_func ("/gpu/pool", test_pool);
  g_test_add_func ("/gpu/mapped", test_mapped);
  g_test_add_data_func ("/gpu/modes", "vector-add", test_modes);
  g_test_add_data_func ("/gpu/modes/pieces-round-trip", "pieces-round-trip", test_modes);
  g_test_add_data_func ("/gpu/modes/pieces-to-device", "pieces-to-device", test_modes);
  g_test_add_data_func ("/gpu/modes/pieces-to-host", "pieces-to-host", test_modes);
  g_test_add_func ("/gpu/managed", test_managed);
  g_test_add_func ("/gpu/managed-static", test_managed_static);
  g_test_add_func ("/gpu/prefetch", test_prefetch);
  g_test_add_func ("/gpu/copies", test_copies);
  g_test_add_func ("/gpu/peer", test_peer);
  g_test_add_func ("/gpu/latch", test_latch);
  g_test_add_func ("/gpu/order", test_order);
  g_test_add_func ("/gpu/event-time", test_event_time);
  g_test_add_func ("/gpu/floors", test_floors);
  g_test_add_func ("/gpu/method", test_method);
  g_test_add_func ("/gpu/background", test_background);
  g_test_add_func ("/gpu/close", test_close);

  result = g_test_run ();
  if (device != NULL)
    g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  memlane_device_close (device);
  g_free (no_device);

  return result;
}
