/* test-simulated-costs.c: the costs that only some calls pay: chunks, pools, cold launches, engine switches, first touches
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/simulated-bench.h"

/* A profile on which every call costs nothing but what a test gives it. */
static MemlaneProfile *
free_profile (void)
{
  MemlaneProfile *profile = memlane_profile_new ();

  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    set_cost (profile, (MemlaneCostId) i, 0, 0);
  profile->info.capabilities |= MEMLANE_CAN_PEER_COPY;
  return profile;
}

#define TAKES(b, call, ns) \
  G_STMT_START { double takes_from = now (b); OK (call); \
    g_assert_cmpfloat_with_epsilon (now (b) - takes_from, ns, 0.1); } G_STMT_END

typedef enum { ALLOC_DEVICE, ALLOC_PINNED, ALLOC_MAPPED, ALLOC_WRITE_COMBINED, ALLOC_PEER, N_ALLOCS } Alloc;

static void *
take (Bench *b, Alloc what, gsize bytes, double *ns)
{
  double start = now (b);
  void *pointer = NULL;

  switch (what)
    {
    case ALLOC_DEVICE: OK (memlane_device_malloc (b->d, bytes, &pointer, E)); break;
    case ALLOC_PINNED: OK (memlane_device_malloc_host (b->d, bytes, &pointer, E)); break;
    case ALLOC_MAPPED: OK (memlane_device_host_alloc (b->d, bytes, MEMLANE_HOST_ALLOC_MAPPED, &pointer, E)); break;
    case ALLOC_WRITE_COMBINED: OK (memlane_device_host_alloc (b->d, bytes, MEMLANE_HOST_ALLOC_WRITE_COMBINED, &pointer, E)); break;
    case ALLOC_PEER: OK (memlane_device_peer_malloc (b->d, bytes, &pointer, E)); break;
    case N_ALLOCS:
    default: g_assert_not_reached ();
    }
  *ns = now (b) - start;
  return pointer;
}

static double
give (Bench *b, Alloc what, void *pointer)
{
  double start = now (b);

  switch (what)
    {
    case ALLOC_DEVICE: OK (memlane_device_free (b->d, pointer, E)); break;
    case ALLOC_PEER: OK (memlane_device_peer_free (b->d, pointer, E)); break;
    case ALLOC_PINNED:
    case ALLOC_MAPPED:
    case ALLOC_WRITE_COMBINED: OK (memlane_device_free_host (b->d, pointer, E)); break;
    case N_ALLOCS:
    default: g_assert_not_reached ();
    }
  return now (b) - start;
}

#define WHOLE 1000.0
#define SHARE 10.0
#define WHOLE_FREE 500.0
#define SHARE_FREE SHARE
#define CHUNK ((gsize) 2 << 20)

static void
chunks_open (Bench *b)
{
  static const MemlaneCostId mallocs[] = { MEMLANE_COST_MALLOC, MEMLANE_COST_MALLOC_PINNED };
  static const MemlaneCostId frees[] = { MEMLANE_COST_FREE, MEMLANE_COST_FREE_PINNED };

  b->profile = free_profile ();
  for (guint i = 0; i < G_N_ELEMENTS (mallocs); i++)
    {
      set_cost (b->profile, mallocs[i], WHOLE, 0);
      set_cost (b->profile, frees[i], WHOLE_FREE, 0);
    }
  set_cost (b->profile, MEMLANE_COST_SHARE, SHARE, 0);
  b->d = memlane_simulated_device_new (b->profile, "simulated:test");
}

static gboolean
is (double ns, double expected)
{
  return fabs (ns - expected) < 0.01;
}

static void
test_chunks (void)
{
  Bench b = { 0 };
  double ns, expected_ns[] = { WHOLE, SHARE, WHOLE, SHARE }, expected_free[] = { SHARE_FREE, WHOLE_FREE, SHARE_FREE, WHOLE_FREE };
  void *at[6];

  /* Of vectors of 1 MiB the first begins a chunk, the second fills it, and so on; the last to go takes it along. */
  chunks_open (&b);
  for (guint i = 0; i < 4; i++)
    {
      at[i] = take (&b, ALLOC_DEVICE, 1 << 20, &ns);
      g_assert_true (is (ns, expected_ns[i]));
    }
  for (guint i = 0; i < 4; i++)
    g_assert_true (is (give (&b, ALLOC_DEVICE, at[i]), expected_free[i]));
  /* What is released makes room again. */
  at[0] = take (&b, ALLOC_DEVICE, 1 << 20, &ns);
  g_assert_true (is (ns, WHOLE));
  at[1] = take (&b, ALLOC_DEVICE, 1 << 20, &ns);
  g_assert_true (is (ns, SHARE));
  g_assert_true (is (give (&b, ALLOC_DEVICE, at[0]), SHARE_FREE));
  at[0] = take (&b, ALLOC_DEVICE, 4, &ns);
  g_assert_true (is (ns, SHARE));
  /* A whole chunk's size, and what rounds up to it, shares with nobody. */
  at[2] = take (&b, ALLOC_DEVICE, CHUNK, &ns);
  g_assert_true (is (ns, WHOLE));
  at[3] = take (&b, ALLOC_DEVICE, CHUNK - 511, &ns);
  g_assert_true (is (ns, WHOLE));
  at[4] = take (&b, ALLOC_DEVICE, 4, &ns);
  g_assert_true (is (ns, SHARE));
  g_assert_true (is (give (&b, ALLOC_DEVICE, at[2]), WHOLE_FREE));
  g_assert_true (is (give (&b, ALLOC_DEVICE, at[3]), WHOLE_FREE));

  /* Page-locked memory: one chunk is there before the program is, whichever call and flags; write-combined memory has its own, as has the
   * second device. */
  at[2] = take (&b, ALLOC_PINNED, 1 << 20, &ns);
  g_assert_true (is (ns, SHARE));
  at[3] = take (&b, ALLOC_MAPPED, 4096, &ns);
  g_assert_true (is (ns, SHARE));
  at[5] = take (&b, ALLOC_MAPPED, 1 << 20, &ns);
  g_assert_true (is (ns, WHOLE));
  g_assert_true (is (give (&b, ALLOC_MAPPED, at[5]), WHOLE_FREE));
  at[5] = take (&b, ALLOC_WRITE_COMBINED, 4096, &ns);
  g_assert_true (is (ns, WHOLE));
  g_assert_true (is (give (&b, ALLOC_WRITE_COMBINED, at[5]), WHOLE_FREE));
  at[5] = take (&b, ALLOC_PEER, 4096, &ns);
  g_assert_true (is (ns, WHOLE));
  g_assert_true (is (give (&b, ALLOC_PINNED, at[2]), SHARE_FREE));
  g_assert_true (is (give (&b, ALLOC_MAPPED, at[3]), SHARE_FREE));
  bench_close (&b); /* with shares and chunks out */
}

/* Virtual memory shares no chunk, goes back by its own call, and is the device's in every other way. */
static void
test_virtual_memory (void)
{
  Bench b = { 0 };
  double ns, start;
  void *at = NULL, *plain;
  GError *error = NULL;
  MemlanePointerAttributes attributes;
  guint64 before, after;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MALLOC_VIRTUAL, WHOLE, 0);
  set_cost (b.profile, MEMLANE_COST_FREE_VIRTUAL, WHOLE_FREE, 0);
  set_cost (b.profile, MEMLANE_COST_SHARE, SHARE, 0);
  b.d = memlane_simulated_device_new (b.profile, "simulated:test");
  OK (memlane_device_get_free_memory (b.d, &before, E));
  for (guint i = 0; i < 2; i++)
    {
      TAKES (&b, memlane_device_malloc_virtual (b.d, 1 << 20, &at, E), WHOLE);
      OK (memlane_device_get_free_memory (b.d, &after, E));
      g_assert_cmpuint (before - after, ==, 1 << 20);
      OK (memlane_device_pointer_get_attributes (b.d, at, &attributes, E));
      g_assert_cmpint (attributes.type, ==, MEMLANE_MEMORY_DEVICE);
      g_assert_false (memlane_device_free (b.d, at, &error));
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID);
      g_clear_error (&error);
      start = now (&b);
      OK (memlane_device_free_virtual (b.d, at, E));
      g_assert_true (is (now (&b) - start, WHOLE_FREE));
    }
  plain = take (&b, ALLOC_DEVICE, 4096, &ns);
  g_assert_false (memlane_device_free_virtual (b.d, plain, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID);
  g_clear_error (&error);
  bench_close (&b);
}

/* As many chunks are begun as are needed, and as many emptied. */
static void
test_chunk_counts (void)
{
  static const gsize sizes[] = { 1, 4096, 256 << 10, 1 << 20, (2 << 20) - 512, (2 << 20) - 511, 3 << 20 };
  static const guint in_one[] = { 4096, 512, 8, 2, 1, 1, 1 }; /* of each size in a chunk */
  void *at[12];
  double ns;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint n = 1; n <= G_N_ELEMENTS (at); n += 1 + n / 4)
      {
        Bench b = { 0 };
        guint begun = 0, emptied = 0;

        chunks_open (&b);
        for (guint k = 0; k < n; k++)
          {
            at[k] = take (&b, ALLOC_DEVICE, sizes[i], &ns);
            begun += is (ns, WHOLE);
            g_assert_true (is (ns, WHOLE) || is (ns, SHARE));
          }
        g_assert_cmpuint (begun, ==, (n + in_one[i] - 1) / in_one[i]);
        for (guint k = 0; k < n; k++)
          emptied += is (give (&b, ALLOC_DEVICE, at[i % 2 ? k : n - 1 - k]), WHOLE_FREE);
        g_assert_cmpuint (emptied, ==, begun);
        bench_close (&b);
      }
}

/* A lost device still takes its memory back, chunk by chunk. */
static void
test_chunks_lost (void)
{
  Bench b = { 0 };
  void *at[4];
  double ns;

  chunks_open (&b);
  memlane_device_close (b.d);
  b.profile->lose_device_after_calls = 4;
  b.d = memlane_simulated_device_new (b.profile, "simulated:test");
  at[0] = take (&b, ALLOC_DEVICE, 4096, &ns);
  at[1] = take (&b, ALLOC_DEVICE, 4096, &ns);
  at[2] = take (&b, ALLOC_WRITE_COMBINED, 4096, &ns);
  at[3] = take (&b, ALLOC_PINNED, 4096, &ns);
  REFUSED (memlane_device_synchronize (b.d, E), MEMLANE_DEVICE_ERROR_LOST, "lost");
  for (guint i = 0; i < 3; i++)
    {
      if (i < 2)
        REFUSED (memlane_device_free (b.d, at[i], E), MEMLANE_DEVICE_ERROR_LOST, "cudaFree");
      else
        REFUSED (memlane_device_free_host (b.d, at[i], E), MEMLANE_DEVICE_ERROR_LOST, "cudaFreeHost");
    }
  bench_close (&b); /* with at[3] out */
}

static void
test_pool (void)
{
  Bench b = { 0 };
  MemlaneEvent *from, *to;
  void *at;
  gboolean late;
  double ns;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MALLOC_ASYNC, 20, 0);
  set_cost (b.profile, MEMLANE_COST_MAP_ASYNC, 300, 0);
  set_cost (b.profile, MEMLANE_COST_FREE_ASYNC, 30, 0);
  set_cost (b.profile, MEMLANE_COST_TRIM, 4000, 0);
  bench_open (&b);
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &to, E));
  wait_all (&b);
  /* The allocation holds events behind it. */
  OK (memlane_device_latch_close (b.d, b.s, E));
  OK (memlane_device_event_record (b.d, from, b.s, E));
  TAKES (&b, memlane_device_malloc_async (b.d, BYTES, b.s, &at, E), 20);
  OK (memlane_device_event_record (b.d, to, b.s, E));
  OK (memlane_device_latch_open (b.d, &late, E));
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  OK (memlane_device_event_elapsed (b.d, from, to, &ns, E));
  g_assert_cmpfloat_with_epsilon (ns, 300, 0.1);
  /* The first wait after the stream has come by the release pays, whichever wait it is, and no later one. */
  OK (memlane_device_latch_close (b.d, b.s, E));
  TAKES (&b, memlane_device_free_async (b.d, at, b.s, E), 30);
  TAKES (&b, memlane_device_stream_synchronize (b.d, b.t, E), 0);
  OK (memlane_device_latch_open (b.d, &late, E));
  TAKES (&b, memlane_device_stream_synchronize (b.d, b.s, E), 4000);
  TAKES (&b, memlane_device_synchronize (b.d, E), 0);
  OK (memlane_device_malloc_async (b.d, BYTES, b.s, &at, E));
  wait_all (&b);
  memlane_device_pause (b.d, 1000);
  OK (memlane_device_free_async (b.d, at, b.s, E));
  TAKES (&b, memlane_device_synchronize (b.d, E), 4000);
  OK (memlane_device_malloc_async (b.d, BYTES, b.s, &at, E));
  wait_all (&b);
  memlane_device_pause (b.d, 1000);
  OK (memlane_device_free_async (b.d, at, b.s, E));
  OK (memlane_device_event_record (b.d, to, b.s, E));
  TAKES (&b, memlane_device_event_synchronize (b.d, to, E), 4000);
  /* cudaFree takes the memory, too: no chunk, no trim. */
  OK (memlane_device_malloc_async (b.d, 4096, b.s, &at, E));
  wait_all (&b);
  memlane_device_pause (b.d, 1000);
  TAKES (&b, memlane_device_free (b.d, at, E), 0);
  TAKES (&b, memlane_device_synchronize (b.d, E), 0);
  bench_close (&b);
}

/* The first launch after the host has written pays for it, by how much of its core's caches that was. */
static void
test_cold_launch (void)
{
  Bench b = { 0 };

  b.profile = free_profile ();
  b.profile->core_cache_bytes = 16000;
  set_cost (b.profile, MEMLANE_COST_COLD_LAUNCH, 4000, 0);
  bench_open (&b);
  OK (memlane_device_host_write (b.d, b.pinned2, b.pinned, 3000, E));
  OK (memlane_device_host_fill (b.d, b.pageable, 0, 1000, E));
  OK (memlane_device_host_read (b.d, b.pinned2, b.pageable, 4000, E));
  TAKES (&b, memlane_device_memcpy_async (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, b.s, E), 0);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 1000);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 0);
  OK (memlane_device_host_fill (b.d, b.pageable, 0, 100000, E));
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 4000);
  bench_close (&b);
}

/* A chunk that is locked page by page is locked whole, whatever is asked for; one of device memory is not. */
static void
test_locked_whole (void)
{
  Bench b = { 0 };
  double ns;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MALLOC_PINNED, 0, 1);
  set_cost (b.profile, MEMLANE_COST_MALLOC, 700, 0);
  bench_open (&b);
  take (&b, ALLOC_WRITE_COMBINED, 4096, &ns);
  g_assert_cmpfloat_with_epsilon (ns, CHUNK, 0.1);
  take (&b, ALLOC_MAPPED, 4 * CHUNK, &ns);
  g_assert_cmpfloat_with_epsilon (ns, 4 * CHUNK, 0.1);
  take (&b, ALLOC_DEVICE, 4096, &ns);
  g_assert_cmpfloat_with_epsilon (ns, 700, 0.1);
  bench_close (&b);
}

/* cudaMemcpy waits for the copy, and for its stream's earlier work. */
static void
test_memcpy (void)
{
  Bench b = { 0 };
  MemlaneStream *aside;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MEMCPY, 700, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 10000, 0);
  set_cost (b.profile, MEMLANE_COST_WAKE_UP, 50, 0);
  bench_open (&b);
  OK (memlane_device_stream_create (b.d, TRUE, 0, &aside, E));
  wait_all (&b);
  TAKES (&b, memlane_device_memcpy (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, E), 700 + 10000 + 50);
  /* It waits for a blocking stream's work: 10 000 of it, of which its own host time is the first part. */
  up (&b, b.device2, b.s);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 10000 + 10000 + 50);
  /* Neither for a non-blocking stream's nor for what is done. */
  up (&b, b.device2, aside);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 700 + 10000 + 50);
  bench_close (&b);
}

static void
test_managed_costs (void)
{
  Bench b = { 0 };
  void *at[2];
  float *array;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MALLOC_MANAGED, 10, 0);
  set_cost (b.profile, MEMLANE_COST_FREE_MANAGED, 20, 0);
  set_cost (b.profile, MEMLANE_COST_TOUCH_MANAGED, 3000, 0);
  set_cost (b.profile, MEMLANE_COST_MIGRATE_UP, 50000, 0);
  set_cost (b.profile, MEMLANE_COST_MIGRATE_DOWN, 300, 0);
  bench_open (&b);
  wait_all (&b);
  /* __managed__ arrays are nobody's allocation. */
  OK (memlane_device_managed_static (b.d, 0, BYTES, (void **) &array, E));
  for (guint round = 0; round < 2; round++)
    {
      TAKES (&b, memlane_device_malloc_managed (b.d, BYTES, &at[0], E), 10);
      TAKES (&b, memlane_device_malloc_managed (b.d, BYTES, &at[1], E), 10);
      /* The first touch of each. */
      TAKES (&b, memlane_device_host_fill (b.d, at[1], 0, 4096, E), 3000);
      TAKES (&b, memlane_device_host_fill (b.d, at[1], 0, BYTES, E), 0);
      OK (memlane_device_host_fill (b.d, array, 0, BYTES, E));
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, at[1]), 50000, 0.1);
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, at[1]), 0, 0.1);
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, array), 50000, 0.1);
      TAKES (&b, memlane_device_host_fill (b.d, array, 0, BYTES, E), 300);
      TAKES (&b, memlane_device_host_fill (b.d, at[1], 0, BYTES, E), 300);
      /* Read and written in one kernel: each vector comes by itself. */
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, at[1], array), 100000, 0.1);
      TAKES (&b, memlane_device_free (b.d, at[round], E), 20);
      TAKES (&b, memlane_device_free (b.d, at[1 - round], E), 20);
    }
  bench_close (&b);
}

/* What kernels of several streams do to each other, what pages cost on top, and a prefetch that the call makes itself. */
static void
test_device_states (void)
{
  Bench b = { 0 };
  void *managed;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_KERNEL_INTERVAL, 1000, 0);
  set_cost (b.profile, MEMLANE_COST_FAULT_FIRST, 40000, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL, 3000, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL_CACHED, 3000, 0);
  set_cost (b.profile, MEMLANE_COST_MIGRATE_UP, 50000, 0);
  set_cost (b.profile, MEMLANE_COST_PREFETCH_UP, 7000, 0);
  set_cost (b.profile, MEMLANE_COST_PREFETCH, 200, 0);
  bench_open (&b);
  wait_all (&b);
  /* Two kernels run at the same time, but do not start at the same time. */
  OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E));
  OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device3, b.device, NULL, 64, b.t, E));
  TAKES (&b, memlane_device_synchronize (b.d, E), 4000);

  OK (memlane_device_malloc_managed (b.d, BYTES, &managed, E));
  OK (memlane_device_host_fill (b.d, managed, 0, BYTES, E));
  OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, managed, NULL, N, b.s, E));
  TAKES (&b, memlane_device_synchronize (b.d, E), 93000);

  /* The first command since a wait is made in the call; one behind another command is not. */
  OK (memlane_device_host_fill (b.d, managed, 0, BYTES, E));
  wait_all (&b);
  TAKES (&b, memlane_device_mem_prefetch_async (b.d, managed, BYTES, MEMLANE_LOCATION_DEVICE, b.s, E), 7000);
  TAKES (&b, memlane_device_synchronize (b.d, E), 0);
  OK (memlane_device_host_fill (b.d, managed, 0, BYTES, E));
  wait_all (&b);
  OK (memlane_device_memset_async (b.d, b.device2, 0, 64, b.s, E));
  TAKES (&b, memlane_device_mem_prefetch_async (b.d, managed, BYTES, MEMLANE_LOCATION_DEVICE, b.s, E), 200);
  TAKES (&b, memlane_device_synchronize (b.d, E), 7000);
  bench_close (&b);
}

/* Where a stream changes engines it waits, once; not among kernels. */
static void
test_engine_switch (void)
{
  Bench b = { 0 };
  MemlaneEvent *from, *to;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_ENGINE_SWITCH, 100, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 10000, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL, 2000, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL_CACHED, 2000, 0);
  bench_open (&b);
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &to, E));
  for (guint kernels = 1; kernels < 4; kernels++)
    {
      double elapsed;
      gboolean late;

      OK (memlane_device_latch_close (b.d, b.s, E));
      up (&b, b.device, b.s);
      OK (memlane_device_event_record (b.d, from, b.s, E));
      for (guint i = 0; i < kernels; i++)
        OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E));
      OK (memlane_device_event_record (b.d, to, b.s, E));
      OK (memlane_device_latch_open (b.d, &late, E));
      wait_all (&b);
      OK (memlane_device_event_elapsed (b.d, from, to, &elapsed, E));
      g_assert_cmpfloat_with_epsilon (elapsed, 100 + 2000.0 * kernels, 0.1);
    }
  bench_close (&b);
}

/* What waited for another stream's event starts a moment after it; an event that has passed costs nothing. */
static void
test_event_wait (void)
{
  Bench b = { 0 };
  MemlaneStream *other;
  MemlaneEvent *from, *done, *to;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_EVENT_WAIT, 5000, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 10000, 0);
  bench_open (&b);
  OK (memlane_device_stream_create (b.d, FALSE, 0, &other, E));
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &done, E));
  OK (memlane_device_event_create (b.d, &to, E));
  for (guint passed = 0; passed < 2; passed++)
    {
      double elapsed;
      gboolean late;

      OK (memlane_device_latch_close (b.d, b.s, E));
      OK (memlane_device_event_record (b.d, from, b.s, E));
      up (&b, b.device, b.s);
      OK (memlane_device_event_record (b.d, done, b.s, E));
      if (passed)
        {
          OK (memlane_device_latch_open (b.d, &late, E));
          wait_all (&b);
        }
      OK (memlane_device_stream_wait_event (b.d, other, done, E));
      OK (memlane_device_event_record (b.d, to, other, E));
      if (!passed)
        OK (memlane_device_latch_open (b.d, &late, E));
      wait_all (&b);
      OK (memlane_device_event_elapsed (b.d, passed ? done : from, to, &elapsed, E));
      if (passed)
        g_assert_cmpfloat (elapsed, <, 5000);
      else
        g_assert_cmpfloat_with_epsilon (elapsed, 10000 + 5000, 0.1);
    }
  bench_close (&b);
}

/* Arithmetic goes on while the bytes come; the longer of the two counts. */
static void
test_arithmetic (void)
{
  Bench b = { 0 };
  double begin;

  b.profile = free_profile ();
  b.profile->info.multiprocessors = 4;
  b.profile->costs[MEMLANE_COST_ARITHMETIC].rate = 2;
  set_cost (b.profile, MEMLANE_COST_KERNEL_CACHED, 1000, 0);
  set_cost (b.profile, MEMLANE_COST_KERNEL, 1000, 0);
  bench_open (&b);
  for (guint multiply_adds = 1; multiply_adds <= 1000; multiply_adds *= 10)
    {
      wait_all (&b);
      begin = now (&b);
      OK (memlane_device_launch_work (b.d, b.device2, b.device, 64, multiply_adds, b.s, E));
      OK (memlane_device_synchronize (b.d, E));
      g_assert_cmpfloat_with_epsilon (now (&b) - begin, MAX (1000, 64.0 * multiply_adds / (4 * 2)), 0.1);
    }
  bench_close (&b);
}

/* A kernel's additions to host memory stand alone; what the host adds meanwhile is lost. */
static void
test_additions (void)
{
  Bench b = { 0 };
  guint32 *counter;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_ATOMIC, 100, 0);
  bench_open (&b);
  counter = (guint32 *) (gpointer) b.pinned;
  *counter = 5;
  TAKES (&b, memlane_device_launch_count (b.d, counter, 0, b.s, E), 0);
  OK (memlane_device_launch_count (b.d, counter, 30, b.s, E));
  TAKES (&b, memlane_device_synchronize (b.d, E), 3000);
  g_assert_cmpuint (*counter, ==, 35);
  OK (memlane_device_launch_count (b.d, counter, 30, b.s, E));
  memlane_device_pause (b.d, 1000);
  *counter += 7;
  OK (memlane_device_synchronize (b.d, E));
  g_assert_cmpuint (*counter, ==, 65);
  OK (memlane_device_launch_count (b.d, (guint32 *) (gpointer) b.pageable, 1, b.s, E));
  REFUSED (memlane_device_synchronize (b.d, E), MEMLANE_DEVICE_ERROR_LOST, "cudaErrorIllegalAddress");
  bench_close (&b);
}

/* A program without a context pays for one, and for its end. */
static void
test_fresh_context (void)
{
  Bench b = { 0 };
  MemlaneFreshTimes times;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_CONTEXT, 10000, 0);
  set_cost (b.profile, MEMLANE_COST_RESET, 6000, 0);
  set_cost (b.profile, MEMLANE_COST_MALLOC, 70, 0);
  set_cost (b.profile, MEMLANE_COST_FREE, 60, 0);
  set_cost (b.profile, MEMLANE_COST_COPY_PAGEABLE_UP, 900, 0);
  set_cost (b.profile, MEMLANE_COST_COPY_PAGEABLE_DOWN, 800, 0);
  bench_open (&b);
  TAKES (&b, memlane_device_start_anew (b.d, 4 << 20, &times, E), 2 * 16000 + 70 + 60 + 900 + 800);
  g_assert_cmpfloat_with_epsilon (times.context, 10000, 0.1);
  g_assert_cmpfloat_with_epsilon (times.malloc, 70, 0.1);
  g_assert_cmpfloat_with_epsilon (times.to_device, 900, 0.1);
  g_assert_cmpfloat_with_epsilon (times.to_host, 800, 0.1);
  g_assert_cmpfloat_with_epsilon (times.free, 60, 0.1);
  g_assert_cmpfloat_with_epsilon (times.reset, 6000, 0.1);
  bench_close (&b);
}

/* Page-locked memory is taken at once, malloc's and managed memory as it is touched; managed memory keeps the host's when it moves. */
static void
test_resident (void)
{
  Bench b = { 0 };
  guint64 before, available, lockable, room, left;
  void *at;

  b.profile = free_profile ();
  b.profile->host_memory_bytes = 1 << 30;
  bench_open (&b);
  memlane_device_get_host_memory (b.d, &before, &lockable);
  OK (memlane_device_malloc_host (b.d, BYTES, &at, E));
  memlane_device_get_host_memory (b.d, &available, &lockable);
  g_assert_cmpuint (before - available, ==, BYTES);
  OK (memlane_device_free_host (b.d, at, E));
  OK (memlane_device_get_free_memory (b.d, &room, E));
  OK (memlane_device_malloc_managed (b.d, BYTES, &at, E));
  memlane_device_get_host_memory (b.d, &available, &lockable);
  g_assert_cmpuint (before, ==, available);
  OK (memlane_device_host_fill (b.d, at, 0, BYTES / 2, E));
  memlane_device_get_host_memory (b.d, &available, &lockable);
  g_assert_cmpuint (before - available, ==, BYTES / 2);
  OK (memlane_device_mem_prefetch_async (b.d, at, BYTES / 2, MEMLANE_LOCATION_DEVICE, b.s, E));
  OK (memlane_device_synchronize (b.d, E));
  memlane_device_get_host_memory (b.d, &available, &lockable);
  g_assert_cmpuint (before - available, ==, BYTES / 2);
  OK (memlane_device_get_free_memory (b.d, &left, E));
  g_assert_cmpuint (room - left, ==, BYTES / 2);
  OK (memlane_device_free (b.d, at, E));
  bench_close (&b);
}

/* A row of small pageable copies is staged one by one, beside the copies before; behind other work each waits. */
static void
test_staged_row (void)
{
  Bench b = { 0 };

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_COPY_PAGEABLE_UP, 300, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 1000, 0);
  bench_open (&b);
  wait_all (&b);
  for (guint i = 0; i < 4; i++)
    TAKES (&b, memlane_device_memcpy_async (b.d, b.device, b.pageable, 64, MEMLANE_COPY_TO_DEVICE, b.s, E), 300);
  TAKES (&b, memlane_device_synchronize (b.d, E), 4000 - 3 * 300);
  up (&b, b.device2, b.s);
  TAKES (&b, memlane_device_memcpy_async (b.d, b.device, b.pageable, 64, MEMLANE_COPY_TO_DEVICE, b.s, E), 1000 + 300);
  bench_close (&b);
}

/* A slow host takes longer for what the host pays, and for nothing else. */
static void
test_slow_host (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();

  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    {
      double before = memlane_profile_cost (profile, (MemlaneCostId) i, 1e6);

      profile->slow_host = 2;
      g_assert_cmpfloat_with_epsilon (memlane_profile_cost (profile, (MemlaneCostId) i, 1e6),
                                      memlane_cost_rows[i].host_pays ? 2 * before : before, 1e-6);
      profile->slow_host = 1;
    }
}

/* --- many pieces ------------------------------------------------------------------------------------------------------- */

#define N_PIECES 600

static MemlaneCopies *
list_pieces (Bench *b, gsize n)
{
  MemlaneCopies *copies = memlane_copies_new (n, MEMLANE_COPY_TO_DEVICE);

  for (gsize i = 0; i < n; i++)
    memlane_copies_set (copies, i, (char *) b->device + 4 * (i % 16), (char *) b->pinned + 4 * (i % 16), 4);
  return copies;
}

/* From the fourth copy of a row on the call is cheaper, and the copy if it is small; a wait ends the row. */
static void
test_rows (void)
{
  static const double calls[] = { 700, 700, 700, 200, 200 };
  Bench b = { 0 };

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_MEMCPY, 700, 0);
  set_cost (b.profile, MEMLANE_COST_MEMCPY_AGAIN, 200, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 10000, 0);
  set_cost (b.profile, MEMLANE_COST_COPY_SMALL, 6000, 0);
  bench_open (&b);
  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        TAKES (&b, memlane_device_memcpy_async (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, b.s, E), calls[i]);
      TAKES (&b, memlane_device_stream_synchronize (b.d, b.s, E), 700 + 3 * 10000 + 2 * 6000 - 2500);
    }
  bench_close (&b);
}

/* The host pays for each copy of a batch, the engine for the bytes alone. Behind a long queue the call waits. */
static void
test_batches (void)
{
  Bench b = { 0 };
  MemlaneCopies *few, *many;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_BATCH_SMALL, 100, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 1000, 0);
  bench_open (&b);
  few = list_pieces (&b, 2);
  many = list_pieces (&b, N_PIECES);
  TAKES (&b, memlane_device_memcpy_batch_async (b.d, few, b.s, E), 2 * 100);
  TAKES (&b, memlane_device_memcpy_batch_async (b.d, few, b.s, E), 2 * 100);
  TAKES (&b, memlane_device_stream_synchronize (b.d, b.s, E), 2 * 1000 - 200);
  TAKES (&b, memlane_device_memcpy_batch_async (b.d, few, b.s, E), 2 * 100);
  TAKES (&b, memlane_device_memcpy_batch_async (b.d, many, b.s, E), 1000 + N_PIECES * 100);
  TAKES (&b, memlane_device_stream_synchronize (b.d, b.s, E), 1000);
  memlane_copies_free (few);
  memlane_copies_free (many);
  bench_close (&b);
}

/* A graph's launch works on while its first copies are made. */
static void
test_graphs (void)
{
  Bench b = { 0 };
  MemlaneCopies *copies;
  MemlaneGraph *graph = NULL;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_GRAPH_MAKE, 300, 0);
  set_cost (b.profile, MEMLANE_COST_GRAPH_LAUNCH, 100, 0);
  set_cost (b.profile, MEMLANE_COST_CALL, 10, 0);
  set_cost (b.profile, MEMLANE_COST_COPY, 5000, 0);
  set_cost (b.profile, MEMLANE_COST_COPY_SMALL, 1000, 0);
  bench_open (&b);
  copies = list_pieces (&b, 4);
  TAKES (&b, memlane_device_graph_create (b.d, copies, &graph, E), 4 * 300);
  TAKES (&b, memlane_device_graph_launch (b.d, graph, b.s, E), 4 * 100);
  TAKES (&b, memlane_device_stream_synchronize (b.d, b.s, E), 4 * 1000 - 4 * 100);
  TAKES (&b, memlane_device_graph_destroy (b.d, graph, E), 4 * 10);
  memlane_copies_free (copies);
  bench_close (&b);
}

/* The system gives pages one by one, and a part of a vector costs something on top. */
static void
test_pages (void)
{
  Bench b = { 0 };
  void *at = NULL;
  char *bytes;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_TOUCH_FIRST, 0, 1000.0 / 4096);
  set_cost (b.profile, MEMLANE_COST_HOST_PIECE, 50, 0);
  bench_open (&b);
  OK (memlane_device_host_malloc (b.d, 1 << 16, &at, E));
  bytes = at;
  TAKES (&b, memlane_device_host_fill (b.d, bytes, 0, 16, E), 1050);
  TAKES (&b, memlane_device_host_fill (b.d, bytes + 64, 0, 16, E), 50);
  TAKES (&b, memlane_device_host_fill (b.d, bytes + 8190, 0, 16, E), 2050);
  TAKES (&b, memlane_device_host_fill (b.d, bytes, 0, 1 << 16, E), 13000);
  OK (memlane_device_host_free (b.d, at, E));
  bench_close (&b);
}

/* Prefetches behind others: a row of them is queued, then each call waits for the oldest. What is there already takes the call alone. */
static void
test_prefetch_rows (void)
{
  Bench b = { 0 };
  void *at = NULL;

  b.profile = free_profile ();
  set_cost (b.profile, MEMLANE_COST_PREFETCH_UP, 7000, 0);
  set_cost (b.profile, MEMLANE_COST_PREFETCH, 200, 0);
  set_cost (b.profile, MEMLANE_COST_PREFETCH_AGAIN, 1000, 0);
  set_cost (b.profile, MEMLANE_COST_PREFETCH_CALL, 50, 0);
  bench_open (&b);
  OK (memlane_device_malloc_managed (b.d, 100 * 4096, &at, E));
  OK (memlane_device_host_fill (b.d, at, 0, 100 * 4096, E));
#define PREFETCH(i) memlane_device_mem_prefetch_async (b.d, (char *) at + (i) * 4096, 4096, MEMLANE_LOCATION_DEVICE, b.s, E)
  TAKES (&b, PREFETCH (0), 7000);
  TAKES (&b, PREFETCH (1), 200);
  TAKES (&b, PREFETCH (2), 200);
  for (guint i = 3; i < 50; i++)
    TAKES (&b, PREFETCH (i), 50);
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  for (guint i = 0; i < 100; i++)
    {
      const double begin = now (&b);

      OK (PREFETCH (i));
      if (i < 50) /* they are there */
        g_assert_cmpfloat_with_epsilon (now (&b) - begin, i < 3 ? 200 : 50, 0.1);
    }
#undef PREFETCH
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  OK (memlane_device_free (b.d, at, E));
  bench_close (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulated/chunks", test_chunks);
  g_test_add_func ("/simulated/virtual-memory", test_virtual_memory);
  g_test_add_func ("/simulated/chunk-counts", test_chunk_counts);
  g_test_add_func ("/simulated/chunks-lost", test_chunks_lost);
  g_test_add_func ("/simulated/pool", test_pool);
  g_test_add_func ("/simulated/cold-launch", test_cold_launch);
  g_test_add_func ("/simulated/locked-whole", test_locked_whole);
  g_test_add_func ("/simulated/memcpy", test_memcpy);
  g_test_add_func ("/simulated/managed-costs", test_managed_costs);
  g_test_add_func ("/simulated/device-states", test_device_states);
  g_test_add_func ("/simulated/engine-switch", test_engine_switch);
  g_test_add_func ("/simulated/event-wait", test_event_wait);
  g_test_add_func ("/simulated/arithmetic", test_arithmetic);
  g_test_add_func ("/simulated/additions", test_additions);
  g_test_add_func ("/simulated/fresh-context", test_fresh_context);
  g_test_add_func ("/simulated/resident", test_resident);
  g_test_add_func ("/simulated/staged-row", test_staged_row);
  g_test_add_func ("/simulated/slow-host", test_slow_host);
  g_test_add_func ("/simulated/rows", test_rows);
  g_test_add_func ("/simulated/batches", test_batches);
  g_test_add_func ("/simulated/graphs", test_graphs);
  g_test_add_func ("/simulated/pages", test_pages);
  g_test_add_func ("/simulated/prefetch-rows", test_prefetch_rows);
  return g_test_run ();
}
