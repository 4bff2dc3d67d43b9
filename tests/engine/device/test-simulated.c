/* test-simulated.c: the semantics at the end of modes.md, each asserted by times and by bytes on the simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#include <time.h>

#include "engine/device-faults.h"
#include "engine/noise.h"
#include "base/pieces.h"
#include "engine/simulated-bench.h"

/* A result that is read too early is not there yet. */
static void
test_missing_sync (void)
{
  Bench b = { 0 };
  float x;

  bench_open (&b);
  OK (memlane_device_memcpy (b.d, b.device, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  down (&b, b.device, b.s);
  OK (memlane_device_host_read (b.d, &x, b.pinned2 + 7, sizeof x, E));
  g_assert_true (x == 0);
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  OK (memlane_device_host_read (b.d, &x, b.pinned2 + 7, sizeof x, E));
  g_assert_true (x == 7);
  bench_close (&b);
}

static void
test_pageable_blocks (void)
{
  Bench b = { 0 };
  double start, pinned_call, pageable_call;
  gboolean done;

  bench_open (&b);
  start = now (&b);
  up (&b, b.device, b.s);
  pinned_call = now (&b) - start;
  wait_all (&b);
  g_assert_cmpfloat (pinned_call, <, 5000);

  /* "Async" from pageable memory: the host is held while all is staged; what it writes afterwards does not travel. */
  start = now (&b);
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, BYTES, MEMLANE_COPY_TO_DEVICE, b.s, E));
  pageable_call = now (&b) - start;
  g_assert_cmpfloat (pageable_call, >=, memlane_profile_cost (b.profile, MEMLANE_COST_COPY_PAGEABLE_UP, BYTES) - 1);
  b.pageable[N - 1] = -1;
  wait_all (&b);
  OK (memlane_device_memcpy (b.d, b.pinned2, b.device, BYTES, MEMLANE_COPY_TO_HOST, E));
  g_assert_true (b.pinned2[N - 1] == (float) (N - 1));

  /* Small ones return when staged: the copy itself is still on its way. */
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, 65536, MEMLANE_COPY_TO_DEVICE, b.s, E));
  OK (memlane_device_stream_query (b.d, b.s, &done, E));
  g_assert_false (done);
  /* It waits for its stream's earlier work, too. */
  wait_all (&b);
  start = now (&b);
  up (&b, b.device, b.s);
  OK (memlane_device_memcpy_async (b.d, b.device2, b.pageable, 1024, MEMLANE_COPY_TO_DEVICE, b.s, E));
  g_assert_cmpfloat (now (&b) - start, >, memlane_profile_cost (b.profile, MEMLANE_COST_COPY, BYTES));
  /* To pageable memory a copy is complete when the call returns. */
  OK (memlane_device_memcpy_async (b.d, b.pageable, b.device, 65536, MEMLANE_COPY_TO_HOST, b.s, E));
  OK (memlane_device_stream_query (b.d, b.s, &done, E));
  g_assert_true (done);
  bench_close (&b);
}

static void
test_latch (void)
{
  Bench b = { 0 };
  MemlaneEvent *from, *to;
  gboolean late = TRUE;
  double ns, start;

  bench_open (&b);
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &to, E));
  OK (memlane_device_latch_open (b.d, &late, E));
  g_assert_false (late);
  OK (memlane_device_latch_close (b.d, b.s, E));
  OK (memlane_device_event_record (b.d, from, b.s, E));
  up (&b, b.device, b.s);
  OK (memlane_device_event_record (b.d, to, b.s, E));
  REFUSED (memlane_device_event_elapsed (b.d, from, to, &ns, E), MEMLANE_DEVICE_ERROR_FAILED, "cudaErrorNotReady");
  OK (memlane_device_latch_open (b.d, &late, E));
  g_assert_false (late);
  OK (memlane_device_event_synchronize (b.d, to, E));
  OK (memlane_device_event_elapsed (b.d, from, to, &ns, E));
  g_assert_cmpfloat_with_epsilon (ns, memlane_profile_cost (b.profile, MEMLANE_COST_COPY, BYTES)
                                        + memlane_profile_cost (b.profile, MEMLANE_COST_EVENT, 0), 1e-3);

  /* A wait for the latched stream takes the timeout, and the latch is late; nothing hangs. */
  start = now (&b);
  OK (memlane_device_latch_close (b.d, b.s, E));
  up (&b, b.device, b.s);
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  g_assert_cmpfloat (now (&b) - start, >, MEMLANE_LATCH_TIMEOUT_NS);
  OK (memlane_device_latch_open (b.d, &late, E));
  g_assert_true (late);
  OK (memlane_device_latch_close (b.d, b.s, E));
  OK (memlane_device_memcpy_async (b.d, b.device, b.pageable, 64, MEMLANE_COPY_TO_DEVICE, b.s, E));
  OK (memlane_device_latch_open (b.d, &late, E));
  g_assert_true (late);
  bench_close (&b);
}

typedef struct
{
  Bench *b;
  double when;
  float seen;
  GError *error;
  guint calls;
} Note;

static void
take_note (gpointer data)
{
  Note *note = data;

  note->calls++;
  note->when = memlane_device_clock (note->b->d);
  note->seen = note->b->pinned2[9];
  memlane_device_synchronize (note->b->d, &note->error);
}

static void
test_host_function (void)
{
  Bench b = { 0 };
  Note note = { &b };
  double start;

  bench_open (&b);
  OK (memlane_device_memcpy (b.d, b.device, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  start = now (&b);
  down (&b, b.device, b.s);
  OK (memlane_device_launch_host_function (b.d, take_note, &note, b.s, E));
  g_assert_cmpuint (note.calls, ==, 0);
  OK (memlane_device_stream_synchronize (b.d, b.s, E));
  g_assert_cmpuint (note.calls, ==, 1);
  g_assert_true (note.seen == 9);
  g_assert_cmpfloat (note.when, >, start + memlane_profile_cost (b.profile, MEMLANE_COST_COPY, BYTES));
  g_assert_nonnull (strstr (note.error->message, "cudaErrorNotPermitted"));
  g_clear_error (&note.error);
  wait_all (&b); /* and the next call works */
  bench_close (&b);
}

static void
test_managed (void)
{
  Bench b = { 0 };
  float *in, *out, x;
  double cold, warm, start, far, near;

  b.profile = memlane_profile_new ();
  set_cost (b.profile, MEMLANE_COST_COLD_LAUNCH, 0, 0); /* the host writes in between */
  bench_open (&b);
  OK (memlane_device_malloc_managed (b.d, BYTES, (void **) &in, E));
  OK (memlane_device_malloc_managed (b.d, BYTES, (void **) &out, E));
  OK (memlane_device_host_write (b.d, in, b.pinned, BYTES, E));
  cold = managed_kernel (&b, out, in);
  warm = managed_kernel (&b, out, in);
  g_assert_cmpfloat (cold - warm, >, 100000);
  start = now (&b);
  OK (memlane_device_host_read (b.d, &x, out + 5, sizeof x, E));
  far = now (&b) - start;
  g_assert_true (x == 5);
  start = now (&b);
  OK (memlane_device_host_read (b.d, &x, out + 5, sizeof x, E));
  near = now (&b) - start;
  g_assert_cmpfloat (far, >, 10 * near);
  /* Prefetched both ways. */
  OK (memlane_device_host_write (b.d, in, b.pinned, BYTES, E));
  OK (memlane_device_mem_prefetch_async (b.d, in, BYTES, MEMLANE_LOCATION_DEVICE, NULL, E));
  OK (memlane_device_mem_prefetch_async (b.d, out, BYTES, MEMLANE_LOCATION_DEVICE, NULL, E));
  g_assert_cmpfloat (managed_kernel (&b, out, in), <=, warm + 2);
  OK (memlane_device_mem_prefetch_async (b.d, out, BYTES, MEMLANE_LOCATION_HOST, NULL, E));
  wait_all (&b);
  start = now (&b);
  OK (memlane_device_host_read (b.d, &x, out + 5, sizeof x, E));
  g_assert_cmpfloat (now (&b) - start, <=, near + 1e-3);
  /* Read-mostly pages are on both sides afterwards. */
  OK (memlane_device_mem_advise (b.d, in, BYTES, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE, E));
  OK (memlane_device_host_write (b.d, in, b.pinned, BYTES, E));
  managed_kernel (&b, b.device, in);
  start = now (&b);
  OK (memlane_device_host_read (b.d, &x, in + 5, sizeof x, E));
  g_assert_cmpfloat (now (&b) - start, <=, near + 1e-3);
  OK (memlane_device_free (b.d, in, E));
  OK (memlane_device_free (b.d, out, E));
  OK (memlane_device_managed_static (b.d, 0, BYTES, (void **) &in, E));
  REFUSED (memlane_device_managed_static (b.d, 0, (gsize) 1 << 30, (void **) &out, E), MEMLANE_DEVICE_ERROR_UNSUPPORTED, "__managed__");
  bench_close (&b);
}

static void
test_mapped (void)
{
  Bench b = { 0 };
  float *mapped, *address, *plain_address;
  MemlaneMemoryType type;
  double start;

  bench_open (&b);
  OK (memlane_device_host_alloc (b.d, BYTES, MEMLANE_HOST_ALLOC_MAPPED, (void **) &mapped, E));
  OK (memlane_device_host_get_device_pointer (b.d, mapped + 16, (void **) &address, E));
  address -= 16;
  g_assert_true (address == mapped);
  OK (memlane_device_pointer_get_type (b.d, mapped + 100, &type, E));
  g_assert_cmpint (type, ==, MEMLANE_MEMORY_HOST);
  OK (memlane_device_host_get_device_pointer (b.d, b.pinned, (void **) &plain_address, E));
  REFUSED (memlane_device_host_get_device_pointer (b.d, b.pageable, (void **) &plain_address, E),
           MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue");
  memcpy (mapped, b.pinned, BYTES);
  start = wait_all (&b);
  kernel (&b, b.device, address, NULL);
  g_assert_cmpfloat (wait_all (&b) - start, >, memlane_profile_cost (b.profile, MEMLANE_COST_KERNEL_LINK, BYTES));
  OK (memlane_device_memcpy (b.d, b.pinned2, b.device, BYTES, MEMLANE_COPY_TO_HOST, E));
  g_assert_true (b.pinned2[N - 1] == (float) (N - 1));
  OK (memlane_device_host_register (b.d, b.pageable, BYTES, MEMLANE_HOST_REGISTER_MAPPED, E));
  REFUSED (memlane_device_host_register (b.d, b.pageable, BYTES, MEMLANE_HOST_REGISTER_MAPPED, E),
           MEMLANE_DEVICE_ERROR_INVALID, "AlreadyRegistered");
  OK (memlane_device_pointer_get_type (b.d, b.pageable + 3, &type, E));
  g_assert_cmpint (type, ==, MEMLANE_MEMORY_HOST);
  OK (memlane_device_host_unregister (b.d, b.pageable, E));
  OK (memlane_device_pointer_get_type (b.d, b.pageable + 3, &type, E));
  g_assert_cmpint (type, ==, MEMLANE_MEMORY_UNREGISTERED);
  OK (memlane_device_pointer_get_type (b.d, b.device + 3, &type, E));
  g_assert_cmpint (type, ==, MEMLANE_MEMORY_DEVICE);
  bench_close (&b);
}

static void
test_errors (void)
{
  Bench b = { 0 };
  void *pointer;
  int on_stack;
  guint64 free_bytes;

  bench_open (&b);
  REFUSED (memlane_device_malloc (b.d, (gsize) 1 << 40, &pointer, E),
           MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, "cudaMalloc (1099511627776 bytes): cudaErrorMemoryAllocation: out of memory; ");
  REFUSED (memlane_device_host_alloc (b.d, (gsize) 1 << 46, MEMLANE_HOST_ALLOC_MAPPED, &pointer, E),
           MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, "cudaHostAlloc (70368744177664 bytes, mapped): cudaErrorMemoryAllocation");
  OK (memlane_device_get_free_memory (b.d, &free_bytes, E));
  OK (memlane_device_free (b.d, b.device, E));
  REFUSED (memlane_device_free (b.d, b.device, E), MEMLANE_DEVICE_ERROR_INVALID, "cudaFree (");
  REFUSED (memlane_device_free (b.d, &on_stack, E), MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue");
  REFUSED (memlane_device_free_host (b.d, b.pageable, E), MEMLANE_DEVICE_ERROR_INVALID, "cudaFreeHost (");
  REFUSED (memlane_device_host_unregister (b.d, b.pageable, E), MEMLANE_DEVICE_ERROR_INVALID, "NotRegistered");
  REFUSED (memlane_device_memcpy (b.d, b.pageable, b.pinned, 8, MEMLANE_COPY_TO_DEVICE, E), MEMLANE_DEVICE_ERROR_INVALID, "cudaMemcpy (");
  REFUSED (memlane_device_memcpy (b.d, b.device2 + 1, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E), MEMLANE_DEVICE_ERROR_INVALID, "beyond");
  REFUSED (memlane_device_host_read (b.d, &on_stack, b.device2, 4, E), MEMLANE_DEVICE_ERROR_INVALID, "cannot reach");
  OK (memlane_device_memcpy (b.d, b.pinned2, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E)); /* HtoH in truth */
  g_assert_true (b.pinned2[3] == 3);
  wait_all (&b);
  /* A kernel on pageable memory is the end: the launch returns, the wait reports, and nothing works any more. */
  kernel (&b, b.device2, b.pageable, NULL);
  REFUSED (memlane_device_synchronize (b.d, E), MEMLANE_DEVICE_ERROR_LOST, "cudaErrorIllegalAddress");
  REFUSED (memlane_device_malloc (b.d, 64, &pointer, E), MEMLANE_DEVICE_ERROR_LOST, "cudaMalloc");
  REFUSED (memlane_device_free (b.d, b.device2, E), MEMLANE_DEVICE_ERROR_LOST, "cudaFree");
  OK (memlane_device_host_free (b.d, b.pageable, E));
  bench_close (&b);
}

static void
test_trouble (void)
{
  Bench b = { 0 };
  void *pointer;

  b.profile = memlane_profile_new ();
  b.profile->corrupt_kernel = TRUE;
  b.profile->trouble_memory_bytes = 4 * BYTES;
  b.profile->lockable_bytes = 2 * BYTES;
  bench_open (&b);
  REFUSED (memlane_device_malloc (b.d, 2 * BYTES, &pointer, E), MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, "cudaMalloc");
  REFUSED (memlane_device_malloc_host (b.d, 1, &pointer, E), MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, "ulimit");
  OK (memlane_device_memcpy (b.d, b.device, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  kernel (&b, b.device2, b.device, NULL);
  OK (memlane_device_memcpy (b.d, b.pinned2, b.device2, BYTES, MEMLANE_COPY_TO_HOST, E));
  g_assert_true (memcmp (b.pinned, b.pinned2, BYTES) != 0);
  bench_close (&b);

  b.profile = memlane_profile_new ();
  b.profile->lose_device_after_calls = 12;
  bench_open (&b);
  for (int i = 0; i < 12; i++)
    memlane_device_synchronize (b.d, NULL);
  REFUSED (memlane_device_synchronize (b.d, E), MEMLANE_DEVICE_ERROR_LOST, "lost");
  bench_close (&b);
}

/* A simulated device has no clocks to tell of, unless a test asks for throttling. */
static void
test_state (void)
{
  static const struct { guint64 throttle; const char *words; gboolean is_void; } cases[] = {
    { 0, NULL, FALSE },
    { MEMLANE_THROTTLE_IDLE, "idle", FALSE },
    { MEMLANE_THROTTLE_APPLICATION_CLOCKS | MEMLANE_THROTTLE_SYNC_BOOST, "application clocks, sync boost", FALSE },
    { MEMLANE_THROTTLE_POWER_CAP, "power cap", TRUE },
    { MEMLANE_THROTTLE_THERMAL | MEMLANE_THROTTLE_IDLE, "idle, thermal slowdown", TRUE },
    { MEMLANE_THROTTLE_HARDWARE | MEMLANE_THROTTLE_HARDWARE_THERMAL | MEMLANE_THROTTLE_POWER_BRAKE,
      "hardware slowdown, hardware thermal slowdown, power brake", TRUE },
    { MEMLANE_THROTTLE_DISPLAY_CLOCKS | 0x1000, "display clocks, reason 0x1000", FALSE },
  };
  MemlaneDeviceState state = { .sm_mhz = 1 };
  Bench b = { 0 };

  bench_open (&b);
  REFUSED (memlane_device_get_state (b.d, &state, E), MEMLANE_DEVICE_ERROR_UNSUPPORTED, "neither clocks nor a temperature");
  g_assert_false (state.known);
  g_assert_cmpuint (state.sm_mhz, ==, 0);
  bench_close (&b);

  b.profile = memlane_profile_new ();
  b.profile->throttle = MEMLANE_THROTTLE_POWER_CAP;
  b.profile->info.processor_clock = 1980e6;
  bench_open (&b);
  OK (memlane_device_get_state (b.d, &state, E));
  g_assert_true (state.known);
  g_assert_cmpuint (state.sm_mhz, ==, 1980);
  g_assert_cmpuint (state.throttle, ==, MEMLANE_THROTTLE_POWER_CAP);
  bench_close (&b);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = memlane_throttle_describe (cases[i].throttle);

      g_assert_cmpstr (words, ==, cases[i].words);
      g_assert_cmpint (memlane_throttle_is_void (cases[i].throttle), ==, cases[i].is_void);
    }
}

/* Stream-ordered memory, events destroyed and streams destroyed with work behind them: nothing leaks and nothing is used after. */
static void
test_lifetimes (void)
{
  Bench b = { 0 };
  MemlaneEvent *event;
  float *async;

  bench_open (&b);
  OK (memlane_device_event_create (b.d, &event, E));
  OK (memlane_device_malloc_async (b.d, BYTES, b.s, (void **) &async, E));
  up (&b, async, b.s);
  down (&b, async, b.s);
  OK (memlane_device_free_async (b.d, async, b.s, E));
  REFUSED (memlane_device_free_async (b.d, async, b.s, E), MEMLANE_DEVICE_ERROR_INVALID, "cudaFreeAsync (");
  OK (memlane_device_event_record (b.d, event, b.s, E));
  OK (memlane_device_stream_wait_event (b.d, b.t, event, E));
  OK (memlane_device_event_destroy (b.d, event, E));
  OK (memlane_device_stream_destroy (b.d, b.s, E));
  OK (memlane_device_stream_synchronize (b.d, b.t, E));
  g_assert_true (b.pinned2[11] == 11);
  /* Closed with work queued. */
  OK (memlane_device_latch_close (b.d, b.t, E));
  OK (memlane_device_malloc_async (b.d, BYTES, b.t, (void **) &async, E));
  OK (memlane_device_memcpy_async (b.d, async, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, b.t, E));
  OK (memlane_device_free_async (b.d, async, b.t, E));
  bench_close (&b);
}

static double
noisy_run (double relative, guint64 seed)
{
  Bench b = { 0 };
  const Noise law = { .relative = relative, .seed = seed };
  NoiseState state;
  double end;

  b.profile = memlane_profile_new ();
  if (relative > 0)
    noise_set (b.profile, &law, &state);
  bench_open (&b);
  up (&b, b.device, b.s);
  down (&b, b.device, b.t);
  end = wait_all (&b);
  bench_close (&b);
  return end;
}

static void
test_deterministic (void)
{
  g_assert_cmpfloat (noisy_run (0, 1), ==, noisy_run (0, 2));
  g_assert_cmpfloat (noisy_run (0.02, 1), ==, noisy_run (0.02, 1));
  g_assert_cmpfloat (noisy_run (0.02, 1), !=, noisy_run (0.02, 2));
}

/* The work of a default sweep's copies, kernels and calls, some 40 000 of them small, is not slow. */
static void
test_speed (void)
{
  Bench b = { 0 };
  double seconds;
  clock_t start;

  bench_open (&b);
  start = clock (); /* of this process: other processes do not count */
  for (int i = 0; i < 40000; i++)
    {
      OK (memlane_device_memcpy_async (b.d, b.device, b.pinned, 1024, MEMLANE_COPY_TO_DEVICE, i % 2 ? b.s : b.t, E));
      if (i % 100 == 99)
        wait_all (&b);
    }
  seconds = (double) (clock () - start) / CLOCKS_PER_SEC;
  g_test_message ("%.3f us a call", seconds * 1e6 / 40000);
  g_assert_cmpfloat (seconds, <, 4);
  bench_close (&b);
}

/* Of large vectors the pieces move, whether in one operation or in chunks; bytes that change their place move as they are. */
static void
test_pieces (void)
{
  const gsize n = (gsize) 1 << 22, bytes = n * sizeof (float);
  Bench b = { NULL };
  float *from, *to, *mirror, *result;
  void *small, *back;
  guint seen = 0;

  bench_open (&b);
  g_assert_true (memlane_device_move_pieces (b.d, TRUE));
  OK (memlane_device_malloc_host (b.d, bytes, (void **) &from, E));
  OK (memlane_device_malloc_host (b.d, bytes, (void **) &result, E));
  OK (memlane_device_malloc (b.d, bytes, (void **) &to, E));
  OK (memlane_device_malloc (b.d, bytes, (void **) &mirror, E));
  for (gsize i = 0; i < n; i++)
    from[i] = (float) i + 1;
  memset (result, 0, bytes);
  for (gsize chunk = 0; chunk < 8; chunk++)
    {
      OK (memlane_device_memcpy_async (b.d, to + chunk * n / 8, from + chunk * n / 8, bytes / 8, MEMLANE_COPY_TO_DEVICE, b.s, E));
      OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, mirror + chunk * n / 8, to + chunk * n / 8, NULL, n / 8, b.s, E));
    }
  OK (memlane_device_memcpy_async (b.d, result, mirror, bytes, MEMLANE_COPY_TO_HOST, b.s, E));
  OK (memlane_device_synchronize (b.d, E));
  for (gsize i = 0; i < n; i++)
    {
      gboolean is_there = i * sizeof (float) % MEMLANE_PIECE_STRIDE < MEMLANE_PIECE_BYTES;

      g_assert_cmpfloat (result[i], ==, is_there ? (float) i + 1 : 0);
      seen += is_there;
    }
  g_assert_cmpuint (seen, ==, n / 256);

  OK (memlane_device_memcpy_async (b.d, result + 1, from, bytes / 2, MEMLANE_COPY_ON_HOST, b.s, E));
  OK (memlane_device_synchronize (b.d, E));
  g_assert_cmpmem (result + 1, bytes / 2, from, bytes / 2);
  /* Small ones are whole. */
  OK (memlane_device_malloc (b.d, MEMLANE_PIECES_ABOVE, &small, E));
  OK (memlane_device_malloc_host (b.d, MEMLANE_PIECES_ABOVE, &back, E));
  memcpy (back, from, MEMLANE_PIECES_ABOVE);
  OK (memlane_device_memcpy (b.d, small, back, MEMLANE_PIECES_ABOVE, MEMLANE_COPY_TO_DEVICE, E));
  memset (back, 0, MEMLANE_PIECES_ABOVE);
  OK (memlane_device_memcpy (b.d, back, small, MEMLANE_PIECES_ABOVE, MEMLANE_COPY_TO_HOST, E));
  g_assert_cmpmem (back, MEMLANE_PIECES_ABOVE, from, MEMLANE_PIECES_ABOVE);
  bench_close (&b);
}

static const char *
call_as_hip (const char *cuda)
{
  return strcmp (cuda, "cudaMalloc") == 0 ? "hipMalloc" : cuda;
}

/* A runtime of another make names its calls itself. */
static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device = memlane_simulated_device_new (profile, "simulated:hip");
  const MemlaneDriver *real = device->driver;
  MemlaneDriver driver = *real;
  void *pointer = NULL;

  driver.name_call = call_as_hip;
  device->driver = &driver;
  memlane_device_fail_call (device, 1);
  g_assert_false (memlane_device_malloc (device, 4096, &pointer, &error));
  g_assert_true (g_str_has_prefix (error->message, "hipMalloc: "));
  device->driver = real;
  memlane_device_close (device);
}

/* --- what the table of tests/model does not say ------------------------------------------------------ */

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulated/missing-sync", test_missing_sync);
  g_test_add_func ("/simulated/pageable-blocks", test_pageable_blocks);
  g_test_add_func ("/simulated/latch", test_latch);
  g_test_add_func ("/simulated/host-function", test_host_function);
  g_test_add_func ("/simulated/managed", test_managed);
  g_test_add_func ("/simulated/mapped", test_mapped);
  g_test_add_func ("/simulated/errors", test_errors);
  g_test_add_func ("/simulated/trouble", test_trouble);
  g_test_add_func ("/simulated/state", test_state);
  g_test_add_func ("/simulated/lifetimes", test_lifetimes);
  g_test_add_func ("/simulated/deterministic", test_deterministic);
  g_test_add_func ("/simulated/speed", test_speed);
  g_test_add_func ("/simulated/pieces", test_pieces);
  g_test_add_func ("/simulated/names", test_names);
  g_test_add_func ("/simulated/additions", test_additions);
  g_test_add_func ("/simulated/resident", test_resident);
  g_test_add_func ("/simulated/slow-host", test_slow_host);
  return g_test_run ();
}
