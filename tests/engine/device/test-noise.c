/* test-noise.c: the noise of tests follows its law, is another one in another process, and is the
 * same again
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/noise.h"
#include "engine/simulated-bench.h"

/* Mean and standard deviation of the pace at @now over many processes. */
static void
over_processes (const Noise *noise, double now, double *mean, double *deviation)
{
  double sum = 0, squares = 0;
  guint n = 4000;

  for (guint i = 0; i < n; i++)
    {
      NoiseState state;
      double pace;

      noise_begin (noise, &state, i);
      pace = noise_get_pace (noise, &state, now);
      sum += pace;
      squares += pace * pace;
    }
  *mean = sum / n;
  *deviation = sqrt (squares / n - *mean * *mean);
}

/* Correlation of the pace with itself @apart ns later, along one process. */
static double
correlation (const Noise *noise, double apart)
{
  NoiseState state;
  double before = 0, product = 0, squares = 0, sum = 0;
  guint n = 40000;

  noise_begin (noise, &state, 0);
  for (guint i = 0; i < n; i++)
    {
      double pace = noise_get_pace (noise, &state, (i + 1) * apart) - 1;

      product += i > 0 ? pace * before : 0;
      squares += pace * pace;
      sum += pace;
      before = pace;
    }
  return (product / n - sum / n * sum / n) / (squares / n - sum / n * sum / n);
}

static void
test_laws (void)
{
  Noise noise = { .seed = 5, .process = 0.02 };
  NoiseState state;
  double mean, deviation;
  guint second = 0;

  over_processes (&noise, 1e6, &mean, &deviation);
  g_assert_cmpfloat_with_epsilon (mean, 1, 0.002);
  g_assert_cmpfloat_with_epsilon (deviation, 0.02, 0.001);
  noise_begin (&noise, &state, 3);
  mean = noise_get_pace (&noise, &state, 1);
  g_assert_cmpfloat (noise_get_pace (&noise, &state, 1e9), ==, mean); /* a process keeps its own */

  noise = (Noise) { .seed = 7, .state_ratio = 1.5, .state_dwell_ns = 1e6 };
  noise_begin (&noise, &state, 0);
  for (guint i = 0; i < 20000; i++)
    {
      double pace = noise_get_pace (&noise, &state, (i + 1) * 1e5);

      g_assert_true (pace == 1 || pace == 1.5);
      second += pace == 1.5;
    }
  g_assert_cmpfloat_with_epsilon (second / 20000.0, 0.5, 0.03);
  g_assert_cmpfloat_with_epsilon (correlation (&noise, 1e6), exp (-2), 0.03);
  g_assert_cmpfloat_with_epsilon (correlation (&noise, 2e6), exp (-4),
                                  0.03); /* however rarely one looks */

  noise = (Noise) { .seed = 8, .burst_ratio = 3, .burst_every_ns = 9e6, .burst_ns = 1e6 };
  over_processes (&noise, 1e9, &mean, &deviation);
  g_assert_cmpfloat_with_epsilon (mean, 1.2, 0.03); /* a tenth of the time */

  noise = (Noise) { .drift_per_s = 0.1 };
  noise_begin (&noise, &state, 9);
  g_assert_cmpfloat_with_epsilon (noise_get_pace (&noise, &state, 2e9), 1.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (noise_get_pace (&noise, &state, 2e12), 2, 1e-12);
}

/* The end of some work on a device of @noise in @process. */
static double
run (const Noise *noise, guint process)
{
  Bench b = { .profile = memlane_profile_new () };
  NoiseState state;
  double end;

  noise_set (b.profile, noise, &state);
  b.d = memlane_simulated_device_new (b.profile, "simulated:test");
  g_assert_false (memlane_device_get_info (b.d)->exact);
  memlane_device_begin_process (b.d, process);
  end = memlane_device_clock (b.d);
  memlane_device_pause (b.d, 1000); /* no pace makes it shorter or longer */
  g_assert_cmpfloat_with_epsilon (memlane_device_clock (b.d) - end, 1000, 100);
  OK (memlane_device_malloc_host (b.d, BYTES, (void **) &b.pinned, E));
  OK (memlane_device_malloc (b.d, BYTES, (void **) &b.device, E));
  OK (memlane_device_memcpy (b.d, b.device, b.pinned, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  end = memlane_device_clock (b.d);
  bench_close (&b);
  return end;
}

static void
test_processes (void)
{
  const Noise none = { .seed = 1 };
  const Noise all[] = {
    { .seed = 1, .process = 0.1 },
    { .seed = 1, .relative = 0.1 },
    { .seed = 2, .relative = 0.1 },
    { .seed = 1, .burst_ratio = 2, .burst_every_ns = 10, .burst_ns = 10 },
  };

  g_assert_cmpfloat (run (&none, 0), ==, run (&none, 1));
  g_assert_cmpfloat (run (&all[1], 0), !=, run (&all[2], 0));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_assert_cmpfloat (run (&all[i], 0), !=, run (&none, 0));
      g_assert_cmpfloat (run (&all[i], 1), ==, run (&all[i], 1));
      if (all[i].burst_ratio == 0) /* in two processes a burst may be on, or not */
        g_assert_cmpfloat (run (&all[i], 0), !=, run (&all[i], 1));
    }
}

static void
test_tick (void)
{
  Bench b = { .profile = memlane_profile_new () };
  MemlaneEvent *from, *to;
  double ns;

  b.profile->tick_ns = 32;
  bench_open (&b);
  OK (memlane_device_event_create (b.d, &from, E));
  OK (memlane_device_event_create (b.d, &to, E));
  for (guint i = 0; i < 20; i++)
    {
      OK (memlane_device_event_record (b.d, from, b.s, E));
      OK (memlane_device_memcpy_async (b.d, b.device, b.pinned, 1000 + 777 * i,
                                       MEMLANE_COPY_TO_DEVICE, b.s, E));
      OK (memlane_device_event_record (b.d, to, b.s, E));
      OK (memlane_device_event_synchronize (b.d, to, E));
      OK (memlane_device_event_elapsed (b.d, from, to, &ns, E));
      g_assert_cmpfloat (ns, >, 0);
      g_assert_cmpfloat_with_epsilon (ns / 32, round (ns / 32), 1e-6);
    }
  bench_close (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/noise/laws", test_laws);
  g_test_add_func ("/noise/processes", test_processes);
  g_test_add_func ("/noise/tick", test_tick);
  return g_test_run ();
}
