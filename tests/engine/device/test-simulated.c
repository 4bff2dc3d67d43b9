/* test-simulated.c: the semantics at the end of modes.md, by times and by bytes on the simulated
 * device
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/device-faults.h"
#include "base/pieces.h"
#include "engine/cases.h"
#include "engine/device-script.h"

/* Each script is a question, and its answer is what the calls answer. */
static char *
answer_script (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  Script script = { 0 };

  for (guint i = script_open (&script, lines); *lines[i] != '\0'; i++)
    script_do (&script, lines[i]);
  return script_close (&script);
}

static void
test_scripts (void)
{
  check_cases ("device", "scripts.txt", answer_script);
}

/* A simulated device has no clocks to tell of, unless a test asks for throttling. */
static void
test_state (void)
{
  static const struct { guint64 throttle; const char *words; gboolean is_void; } cases[] = {
    { 0, NULL, FALSE },
    { MEMLANE_THROTTLE_IDLE, "idle", FALSE },
    { MEMLANE_THROTTLE_APPLICATION_CLOCKS | MEMLANE_THROTTLE_SYNC_BOOST,
      "application clocks, sync boost", FALSE },
    { MEMLANE_THROTTLE_POWER_CAP, "power cap", TRUE },
    { MEMLANE_THROTTLE_THERMAL | MEMLANE_THROTTLE_IDLE, "idle, thermal slowdown", TRUE },
    { MEMLANE_THROTTLE_HARDWARE | MEMLANE_THROTTLE_HARDWARE_THERMAL | MEMLANE_THROTTLE_POWER_BRAKE,
      "hardware slowdown, hardware thermal slowdown, power brake", TRUE },
    { MEMLANE_THROTTLE_DISPLAY_CLOCKS | 0x1000, "display clocks, reason 0x1000", FALSE },
  };
  MemlaneDeviceState state = { .sm_mhz = 1 };
  Bench b = { 0 };

  bench_open (&b);
  REFUSED (memlane_device_get_state (b.d, &state, E), MEMLANE_DEVICE_ERROR_UNSUPPORTED,
           "neither clocks nor a temperature");
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

/* Of large vectors the pieces move, whether in one operation or in chunks; bytes that change their
 * place move as they are. */
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
      const gsize at = chunk * n / 8;

      OK (memlane_device_memcpy_async (b.d, to + at, from + at, bytes / 8, MEMLANE_COPY_TO_DEVICE,
                                       b.s, E));
      OK (memlane_device_launch (b.d, MEMLANE_KERNEL_COPY, mirror + at, to + at, NULL, n / 8, b.s,
                                 E));
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
  g_test_add_func ("/simulated/scripts", test_scripts);
  g_test_add_func ("/simulated/state", test_state);
  g_test_add_func ("/simulated/pieces", test_pieces);
  g_test_add_func ("/simulated/names", test_names);
  g_test_add_func ("/simulated/slow-host", test_slow_host);
  return g_test_run ();
}
