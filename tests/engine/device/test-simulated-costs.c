/* test-simulated-costs.c: the costs that only some calls pay: chunks, pools, cold calls, engine switches, first touches
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/simulated-bench.h"

/* A profile on which every call costs nothing but what a test gives it. */
static MemlaneProfile *
free_profile (void)
{
  MemlaneProfile *profile = memlane_profile_new ();
  const double bytes[] = { 1, 1e15 }, nothing[] = { 0.001, 0.001 }; /* a cost of 0 cannot be asked for */
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  for (guint i = 0; i < n; i++)
    OK (memlane_profile_set_host (profile, terms[i].name, 0, E));
  terms = memlane_profile_curve_list (&n);
  for (guint i = 0; i < n; i++)
    OK (memlane_profile_set_curve (profile, terms[i].name, bytes, nothing, 2, E));
  profile->info.capabilities |= MEMLANE_CAN_PEER_COPY;
  return profile;
}

static void
set_cost (MemlaneProfile *profile, const char *curve, double ns)
{
  const double bytes[] = { 1, 1e15 }, flat[] = { ns, ns };

  OK (memlane_profile_set_curve (profile, curve, bytes, flat, 2, E));
}

static void
set_host (MemlaneProfile *profile, const char *name, double ns)
{
  OK (memlane_profile_set_host (profile, name, ns, E));
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
#define SHARE_FREE 7.0

static void
chunks_open (Bench *b)
{
  static const char *const kinds[] = { "device", "pinned", "allocated", "mapped", "write-combined" };

  b->profile = free_profile ();
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *malloc_name = g_strconcat ("malloc.", kinds[i], NULL), *free_name = g_strconcat ("free.", kinds[i], NULL);

      set_cost (b->profile, malloc_name, WHOLE);
      set_cost (b->profile, free_name, WHOLE_FREE);
    }
  set_cost (b->profile, "share.take", SHARE);
  set_cost (b->profile, "share.return", SHARE_FREE);
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
  at[2] = take (&b, ALLOC_DEVICE, MEMLANE_SIMULATED_CHUNK_BYTES, &ns);
  g_assert_true (is (ns, WHOLE));
  at[3] = take (&b, ALLOC_DEVICE, MEMLANE_SIMULATED_CHUNK_BYTES - 511, &ns);
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

/* memlane_simulated_chunks_for() says what the device does. */
static void
test_chunks_for (void)
{
  static const gsize sizes[] = { 1, 4096, 12288, 300000, 512 << 10, 700 << 10, 1 << 20, (1 << 20) + 1, (2 << 20) - 4096, (2 << 20) - 512,
                                 (2 << 20) - 511, 2 << 20, 3 << 20 };
  void *at[12];
  double ns;

  for (guint what = 0; what < N_ALLOCS; what++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (guint n = 1; n <= G_N_ELEMENTS (at); n += 1 + n / 4)
        {
          Bench b = { 0 };
          gboolean kept = what == ALLOC_PINNED || what == ALLOC_MAPPED;
          guint begun = 0, emptied = 0;

          chunks_open (&b);
          for (guint k = 0; k < n; k++)
            {
              at[k] = take (&b, (Alloc) what, sizes[i], &ns);
              begun += is (ns, WHOLE);
              g_assert_true (is (ns, WHOLE) || is (ns, SHARE));
            }
          g_assert_cmpuint (begun, ==, memlane_simulated_chunks_for (sizes[i], n, kept));
          for (guint k = 0; k < n; k++)
            {
              ns = give (&b, (Alloc) what, at[i % 2 ? k : n - 1 - k]);
              emptied += is (ns, WHOLE_FREE);
              g_assert_true (is (ns, WHOLE_FREE) || is (ns, SHARE_FREE));
            }
          g_assert_cmpuint (emptied, ==, begun);
          bench_close (&b);
        }
  g_assert_cmpuint (memlane_simulated_chunks_for (G_MAXSIZE, 3, TRUE), ==, 3);
  g_assert_cmpuint (memlane_simulated_chunks_for (4096, 0, FALSE), ==, 0);
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
  set_cost (b.profile, "malloc.async", 20);
  set_cost (b.profile, "malloc.async.device", 300);
  set_cost (b.profile, "free.async", 30);
  set_cost (b.profile, "trim.async", 4000);
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

static void
test_cold_call (void)
{
  Bench b = { 0 };
  const double bytes[] = { 1, 1000, 1e9 }, ns[] = { 1, 1000, 1e9 };
  gboolean late;

  b.profile = free_profile ();
  OK (memlane_profile_set_curve (b.profile, "cold-call", bytes, ns, 3, E));
  bench_open (&b);
  /* The first launch after the host has written pays for all it wrote, the next one nothing; reading costs nothing. */
  OK (memlane_device_host_write (b.d, b.pinned2, b.pinned, 4000, E));
  OK (memlane_device_host_fill (b.d, b.pageable, 0, 6000, E));
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 10000);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 0);
  OK (memlane_device_host_read (b.d, b.pinned2, b.pageable, 4000, E));
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 0);
  /* Copies that do not wait and memsets pay nothing, and leave it to the launch behind them. */
  OK (memlane_device_host_fill (b.d, b.pinned, 0, 5000, E));
  TAKES (&b, memlane_device_memcpy_async (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, b.s, E), 0);
  TAKES (&b, memlane_device_memset_async (b.d, b.device2, 0, 64, b.s, E), 0);
  TAKES (&b, memlane_device_memcpy_async (b.d, b.device2, b.device, 64, MEMLANE_COPY_ON_DEVICE, b.s, E), 0);
  TAKES (&b, memlane_device_memcpy_async (b.d, b.pinned2, b.device, 64, MEMLANE_COPY_TO_HOST, b.s, E), 0);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 5000);
  OK (memlane_device_host_fill (b.d, b.pinned, 0, 5000, E));
  TAKES (&b, memlane_device_latch_close (b.d, b.s, E), 5000);
  OK (memlane_device_latch_open (b.d, &late, E));
  wait_all (&b);
  /* cudaMemcpy pays nothing either. */
  OK (memlane_device_host_fill (b.d, b.pinned, 0, 5000, E));
  TAKES (&b, memlane_device_memcpy (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, E), 0);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, 64, b.s, E), 5000);
  bench_close (&b);
}

/* What the host has just written costs the first call, and the first read over the link, more than the next ones. */
static void
test_written (void)
{
  Bench b = { 0 };
  void *vector, *other;

  b.profile = free_profile ();
  b.profile->core_cache_bytes = 16000;
  set_cost (b.profile, "cold-copy", 300);
  set_cost (b.profile, "fetch-written", 4000);
  bench_open (&b);
  OK (memlane_device_host_alloc (b.d, 4000, MEMLANE_HOST_ALLOC_MAPPED, &vector, E));
  OK (memlane_device_malloc (b.d, 4000, &other, E));
  OK (memlane_device_host_write (b.d, vector, b.pageable, 4000, E));
  TAKES (&b, memlane_device_memcpy_async (b.d, other, vector, 1000, MEMLANE_COPY_TO_DEVICE, b.s, E), 300);
  TAKES (&b, memlane_device_synchronize (b.d, E), 1000); /* a quarter of it */
  TAKES (&b, memlane_device_memcpy_async (b.d, other, vector, 4000, MEMLANE_COPY_TO_DEVICE, b.s, E), 0);
  TAKES (&b, memlane_device_synchronize (b.d, E), 3000); /* what was left */
  TAKES (&b, memlane_device_memcpy (b.d, other, vector, 4000, MEMLANE_COPY_TO_DEVICE, E), 0);
  /* A kernel hides a part of it: a quarter of the core's cache was written. */
  OK (memlane_device_host_write (b.d, vector, b.pageable, 4000, E));
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, other, vector, NULL, 1000, b.s, E), 300);
  TAKES (&b, memlane_device_synchronize (b.d, E), 3000);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, other, vector, NULL, 1000, b.s, E), 0);
  TAKES (&b, memlane_device_synchronize (b.d, E), 0);
  OK (memlane_device_free_host (b.d, vector, E));
  OK (memlane_device_free (b.d, other, E));
  bench_close (&b);
}

static void
set_by_byte (MemlaneProfile *profile, const char *curve)
{
  OK (memlane_profile_set_pieces (profile, curve, &(MemlaneCostPiece) { INFINITY, 0, 1 }, 1, E));
}

/* A chunk that is locked page by page is locked whole, whatever is asked for; one of device memory is not. */
static void
test_locked_whole (void)
{
  Bench b = { 0 };
  double ns;

  b.profile = free_profile ();
  set_by_byte (b.profile, "malloc.write-combined");
  set_by_byte (b.profile, "malloc.mapped");
  set_by_byte (b.profile, "malloc.device");
  bench_open (&b);
  take (&b, ALLOC_WRITE_COMBINED, 4096, &ns);
  g_assert_cmpfloat_with_epsilon (ns, MEMLANE_SIMULATED_CHUNK_BYTES, 0.1);
  take (&b, ALLOC_MAPPED, 4 * MEMLANE_SIMULATED_CHUNK_BYTES, &ns);
  g_assert_cmpfloat_with_epsilon (ns, 4 * MEMLANE_SIMULATED_CHUNK_BYTES, 0.1);
  take (&b, ALLOC_DEVICE, 4096, &ns);
  g_assert_cmpfloat_with_epsilon (ns, 4096, 0.1);
  bench_close (&b);
}

/* Large copies of the host's own go past its caches: two thirds of the time, and never less than a smaller one. */
static void
test_streaming (void)
{
  Bench b = { 0 };

  b.profile = free_profile ();
  b.profile->streaming_bytes = 1 << 20;
  set_by_byte (b.profile, "host.write.pinned");
  set_by_byte (b.profile, "host.read.pinned");
  bench_open (&b);
  TAKES (&b, memlane_device_host_write (b.d, b.pinned, b.pageable, 1 << 19, E), 1 << 19);
  TAKES (&b, memlane_device_host_write (b.d, b.pinned, b.pageable, 5 << 18, E), 1 << 20);
  TAKES (&b, memlane_device_host_write (b.d, b.pinned, b.pageable, 3 << 20, E), 2 << 20);
  TAKES (&b, memlane_device_host_read (b.d, b.pageable, b.pinned, 3 << 20, E), 2 << 20);
  bench_close (&b);
}

static void
test_memcpy (void)
{
  Bench b = { 0 };
  MemlaneStream *aside;
  MemlaneEvent *event;

  b.profile = free_profile ();
  set_cost (b.profile, "memcpy.to-device", 700);
  set_cost (b.profile, "memcpy.to-host", 900);
  set_cost (b.profile, "copy.pinned.to-device", 10000);
  set_cost (b.profile, "copy.pinned.to-host", 20000);
  set_host (b.profile, "memcpy_busy", 300);
  set_host (b.profile, "wake_up", 50);
  set_host (b.profile, "event_create", 15000); /* which brings nothing forward */
  bench_open (&b);
  OK (memlane_device_stream_create (b.d, TRUE, 0, &aside, E));
  wait_all (&b);
  TAKES (&b, memlane_device_memcpy (b.d, b.device, b.pinned, 64, MEMLANE_COPY_TO_DEVICE, E), 700 + 10000 + 50);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 900 + 20000 + 50);
  /* It waits for a blocking stream's work: 10 000 of it, of which its own host time is the first part. */
  up (&b, b.device2, b.s);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 10000 + 20000 + 50);
  up (&b, b.device2, b.s);
  memlane_device_pause (b.d, 9500);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 900 + 20000 + 50);
  up (&b, b.device2, b.s);
  memlane_device_pause (b.d, 9000);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 900 + 300 + 20000 + 50);
  /* Neither for a non-blocking stream's nor for what is done but nobody has looked at. */
  up (&b, b.device2, aside);
  TAKES (&b, memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 900 + 20000 + 50);
  wait_all (&b);
  up (&b, b.device2, b.s);
  TAKES (&b, memlane_device_event_create (b.d, &event, E)
             && memlane_device_memcpy (b.d, b.pinned, b.device, 64, MEMLANE_COPY_TO_HOST, E), 15000 + 900 + 20000 + 50);
  bench_close (&b);
}

static void
test_managed_costs (void)
{
  Bench b = { 0 };
  void *at[3];
  float *array;

  b.profile = free_profile ();
  set_cost (b.profile, "malloc.managed", 10);
  set_cost (b.profile, "free.managed", 20);
  set_cost (b.profile, "free.managed-on-device", 30);
  set_cost (b.profile, "free.managed-advised", 40);
  set_host (b.profile, "managed_first", 1000);
  set_host (b.profile, "managed_last", 2000);
  set_cost (b.profile, "migrate.to-device", 50000);
  set_cost (b.profile, "migrate.static.to-device", 70000);
  set_cost (b.profile, "migrate.to-host", 300);
  set_cost (b.profile, "migrate.static.to-host", 500);
  bench_open (&b);
  wait_all (&b);
  /* __managed__ arrays are nobody's allocation. */
  OK (memlane_device_managed_static (b.d, 0, BYTES, (void **) &array, E));
  for (guint round = 0; round < 2; round++)
    {
      TAKES (&b, memlane_device_malloc_managed (b.d, BYTES, &at[0], E), 1010);
      TAKES (&b, memlane_device_malloc_managed (b.d, BYTES, &at[1], E), 10);
      TAKES (&b, memlane_device_malloc_managed (b.d, BYTES, &at[2], E), 10);
      OK (memlane_device_mem_advise (b.d, at[1], BYTES, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE, E));
      OK (memlane_device_host_fill (b.d, at[2], 0, BYTES, E));
      OK (memlane_device_host_fill (b.d, array, 0, BYTES, E));
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, at[2]), 50000, 0.1);
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, at[2]), 0, 0.1);
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, array), 70000, 0.1);
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, b.device, array), 0, 0.1);
      TAKES (&b, memlane_device_host_fill (b.d, array, 0, BYTES, E), 500);
      OK (memlane_device_host_fill (b.d, array, 0, BYTES, E));
      TAKES (&b, memlane_device_host_fill (b.d, at[2], 0, BYTES, E), 300);
      /* Read and written in one kernel: one batch of faults each for the arrays and for the rest. */
      g_assert_cmpfloat_with_epsilon (managed_kernel (&b, at[2], array), 120000, 0.1);
      TAKES (&b, memlane_device_host_fill (b.d, array, 0, BYTES, E), 500);
      TAKES (&b, memlane_device_free (b.d, at[round ? 2 : 0], E), round ? 30 : 20);
      TAKES (&b, memlane_device_free (b.d, at[1], E), 40);
      TAKES (&b, memlane_device_free (b.d, at[round ? 0 : 2], E), 2000 + (round ? 20 : 30));
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
  set_host (b.profile, "kernel_interval", 1000);
  set_host (b.profile, "fault_first", 40000);
  set_cost (b.profile, "kernel.copy.device", 3000);
  set_cost (b.profile, "migrate.to-device", 50000);
  set_cost (b.profile, "migrate.to-host", 1);
  set_cost (b.profile, "prefetch.to-device", 7000);
  set_cost (b.profile, "prefetch.now.to-device", 9000);
  set_cost (b.profile, "prefetch.issue.to-device", 200);
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
  TAKES (&b, memlane_device_mem_prefetch_async (b.d, managed, BYTES, MEMLANE_LOCATION_DEVICE, b.s, E), 9000);
  TAKES (&b, memlane_device_synchronize (b.d, E), 0);
  OK (memlane_device_host_fill (b.d, managed, 0, BYTES, E));
  wait_all (&b);
  OK (memlane_device_memset_async (b.d, b.device2, 0, 64, b.s, E));
  TAKES (&b, memlane_device_mem_prefetch_async (b.d, managed, BYTES, MEMLANE_LOCATION_DEVICE, b.s, E), 200);
  TAKES (&b, memlane_device_synchronize (b.d, E), 7000);
  bench_close (&b);
}

static void
test_engine_switch (void)
{
  Bench b = { 0 };
  const double bytes[] = { 1, 1000, 1e9 }, ns[] = { 100, 100, 1e8 };
  MemlaneEvent *from, *to;

  b.profile = free_profile ();
  OK (memlane_profile_set_curve (b.profile, "engine-switch", bytes, ns, 3, E));
  set_cost (b.profile, "copy.pinned.to-device", 10000);
  set_cost (b.profile, "kernel.copy.device", 2000);
  bench_open (&b);
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &to, E));
  for (guint kernels = 1; kernels < 4; kernels++)
    for (guint elements = 1; elements <= N; elements *= 1024)
      {
        double elapsed, change = memlane_profile_cost (b.profile, MEMLANE_CURVE_ENGINE_SWITCH, elements * sizeof (float));
        gboolean late;

        /* Once, by the bytes of the operation that changes engines; not among kernels. */
        OK (memlane_device_latch_close (b.d, b.s, E));
        up (&b, b.device, b.s);
        OK (memlane_device_event_record (b.d, from, b.s, E));
        for (guint i = 0; i < kernels; i++)
          OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, b.device2, b.device, NULL, elements, b.s, E));
        OK (memlane_device_event_record (b.d, to, b.s, E));
        OK (memlane_device_latch_open (b.d, &late, E));
        wait_all (&b);
        OK (memlane_device_event_elapsed (b.d, from, to, &elapsed, E));
        g_assert_cmpfloat_with_epsilon (elapsed, change + 2000.0 * kernels, 0.1);
        OK (memlane_device_synchronize (b.d, E));
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
  set_host (b.profile, "event_wait", 5000);
  set_cost (b.profile, "copy.pinned.to-device", 10000);
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

/* What streams, advice and first touches add. */
static void
test_additions (void)
{
  Bench b = { 0 };
  MemlaneStream *third;
  float *managed;
  double ns;
  void *at;

  chunks_open (&b);
  memlane_device_close (b.d);
  set_host (b.profile, "chunk_per_stream", 100);
  set_host (b.profile, "managed_first_touch", 3000);
  set_cost (b.profile, "launch.advised", 400);
  bench_open (&b); /* two streams */
  at = take (&b, ALLOC_DEVICE, 4096, &ns);
  g_assert_true (is (ns, WHOLE + 200));
  OK (memlane_device_stream_create (b.d, FALSE, 0, &third, E));
  g_assert_true (is (give (&b, ALLOC_DEVICE, at), WHOLE_FREE + 300));
  OK (memlane_device_malloc_managed (b.d, BYTES, (void **) &managed, E));
  TAKES (&b, memlane_device_host_fill (b.d, managed, 0, 4096, E), 3000);
  TAKES (&b, memlane_device_host_fill (b.d, managed + N / 2, 0, 4096, E), 0);
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, managed, b.device, NULL, 64, b.s, E), 0);
  OK (memlane_device_mem_advise (b.d, managed, BYTES, MEMLANE_ADVICE_PREFERRED_LOCATION, MEMLANE_LOCATION_DEVICE, E));
  TAKES (&b, memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, managed, b.device, NULL, 64, b.s, E), 400);
  TAKES (&b, memlane_device_free (b.d, managed, E), 0); /* no chunk, however many streams */
  bench_close (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulated/chunks", test_chunks);
  g_test_add_func ("/simulated/chunks-for", test_chunks_for);
  g_test_add_func ("/simulated/chunks-lost", test_chunks_lost);
  g_test_add_func ("/simulated/pool", test_pool);
  g_test_add_func ("/simulated/cold-call", test_cold_call);
  g_test_add_func ("/simulated/written", test_written);
  g_test_add_func ("/simulated/locked-whole", test_locked_whole);
  g_test_add_func ("/simulated/streaming", test_streaming);
  g_test_add_func ("/simulated/memcpy", test_memcpy);
  g_test_add_func ("/simulated/managed-costs", test_managed_costs);
  g_test_add_func ("/simulated/device-states", test_device_states);
  g_test_add_func ("/simulated/engine-switch", test_engine_switch);
  g_test_add_func ("/simulated/event-wait", test_event_wait);
  g_test_add_func ("/simulated/additions", test_additions);
  return g_test_run ();
}
