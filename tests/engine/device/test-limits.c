/* test-limits.c: whatever is asked of it, a simulated device stays within its bandwidths, and more work never takes less time
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/calibrate.h"
#include "measure/cell.h"
#include "mode/transfer.h"

#include <math.h>
#include <string.h>

#define LEAST 4
/* The vectors are never touched, but the sanitizer's shadow of them is: an eighth of their bytes. */
#ifdef __SANITIZE_ADDRESS__
#define MOST 26
#else
#define MOST 34
#endif

typedef struct
{
  MemlaneProfile *profile;
  MemlaneReference *reference;
} Fixture;

static void
open_fixture (Fixture *self)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "devices", "h200.device", NULL);
  g_autoptr (GError) error = NULL;

  self->profile = memlane_profile_load (path, &error);
  g_assert_no_error (error);
  self->reference = memlane_reference_new_hollow ((gsize) 1 << MOST);
  g_assert_nonnull (self->reference);
}

static void
close_fixture (Fixture *self)
{
  memlane_profile_free (self->profile);
  memlane_reference_free (self->reference);
}

static MemlaneCell *
measure (Fixture *self, const MemlaneMode *mode, guint log2_elements, guint reuse, guint streams, guint chunks)
{
  const MemlaneMethod method = {
    .workload = memlane_workload_find ("vector-add"), .precision = 0.02, .reuse = reuse, .streams = streams, .chunks = chunks,
  };
  MemlaneDevice *device = memlane_simulated_device_new_weightless (self->profile, "simulated:limits");
  MemlaneCell *cell = memlane_measure_cell (device, &method, mode, log2_elements, self->reference, NULL);

  memlane_device_close (device);
  return cell;
}

/* The median; 0: it was not measured. */
static double
get (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, clock);

  return figure != NULL ? figure->statistics.median : 0;
}

static void
at_least (const MemlaneCell *cell, const char *what, double ns, double bytes, double bandwidth)
{
  if (ns > 0 && bandwidth > 0 && ns * (1 + 1e-9) < bytes / bandwidth * 1e9)
    g_error ("%s 2^%u, reuse %u, %u streams, %u chunks: %s: %.0f bytes in %.0f ns are %.4g GB/s, beyond %.4g", cell->mode,
             cell->log2_elements, cell->reuse, cell->streams, cell->chunks, what, bytes, ns, bytes / ns, bandwidth / 1e9);
}

/* Every bandwidth that a cell shows is one that the device has. */
static void
check_bandwidths (const Fixture *self, const MemlaneMode *mode, const MemlaneCell *cell)
{
  const MemlaneDeviceInfo *info = &self->profile->info;
  double n = (double) cell->bytes, link = info->link_bandwidth, elapsed = get (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  double memory = 3 * n > (double) info->l2_bytes ? info->memory_bandwidth : self->profile->l2_bandwidth;
  double host = n > (double) self->profile->host_cache_bytes ? self->profile->host_bandwidth : self->profile->host_cache_bandwidth;
  gboolean over_link = mode->reach == MEMLANE_REACH_DEVICE_COPY && !mode->transfer->resident;

  for (guint clock = MEMLANE_CLOCK_DEVICE; clock <= MEMLANE_CLOCK_HOST; clock++)
    {
      if (over_link)
        {
          at_least (cell, "upload", get (cell, MEMLANE_PHASE_UPLOAD, (MemlaneClock) clock), 2 * n, link);
          at_least (cell, "download", get (cell, MEMLANE_PHASE_DOWNLOAD, (MemlaneClock) clock), n, link);
        }
      at_least (cell, "kernel", get (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE), 3 * n * cell->reuse, memory);
    }
  at_least (cell, "host_write", get (cell, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST), 2 * n, host);
  at_least (cell, "host_read", get (cell, MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST), n, host);
  /* However copies and kernels overlap: each lane of the link carries what it must, and so does the device's memory. */
  if (!mode->transfer->resident)
    at_least (cell, "elapsed, by the link", elapsed, 2 * n, link);
  at_least (cell, "elapsed, by the memory", elapsed, 3 * n * cell->reuse, memory);
  if (mode->transfer->schedule != NULL)
    {
      at_least (cell, "schedule, by the link", get (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_DEVICE), 2 * n, link);
      if (3 * n / MAX (cell->chunks, 1) > (double) info->l2_bytes)
        at_least (cell, "schedule, by the memory", get (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_DEVICE), 3 * n * cell->reuse,
                  info->memory_bandwidth);
    }
}

/* @more is asked for at least as much as @less. */
static void
check_order (const MemlaneCell *less, const MemlaneCell *more)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_UPLOAD, MEMLANE_PHASE_KERNEL, MEMLANE_PHASE_DOWNLOAD,
                                         MEMLANE_PHASE_ELAPSED, MEMLANE_PHASE_HOST_READ };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    for (guint clock = MEMLANE_CLOCK_DEVICE; clock <= MEMLANE_CLOCK_HOST; clock++)
      {
        double before = get (less, phases[i], (MemlaneClock) clock), after = get (more, phases[i], (MemlaneClock) clock);

        /* A wait that finds its work done spares a wake-up: so much may more work save. */
        if (before > 0 && after > 0 && after < before * (1 - 1e-9) - 12e3)
          g_error ("%s %s (%s clock): %.1f ns at 2^%u, reuse %u, and %.1f at 2^%u, reuse %u", less->mode, memlane_phase_name (phases[i]),
                   memlane_clock_name ((MemlaneClock) clock), before, less->log2_elements, less->reuse, after, more->log2_elements,
                   more->reuse);
      }
}

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
}

static void
test_random_plans (void)
{
  Fixture fixture;
  GRand *random = g_rand_new_with_seed (20261122);
  guint n_modes, measured = 0;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  open_fixture (&fixture);
  for (guint i = 0; i < 120; i++)
    {
      const MemlaneMode *mode = &modes[(guint) g_rand_int_range (random, 0, (int) n_modes)];
      guint size = (guint) g_rand_int_range (random, LEAST, MOST + 1), reuse = 1u << g_rand_int_range (random, 0, 4);
      guint streams = (guint) g_rand_int_range (random, 1, 9), chunks = (guint) g_rand_int_range (random, 1, 17);
      g_autoptr (MemlaneCell) cell = measure (&fixture, mode, size, reuse, streams, chunks);
      g_autoptr (MemlaneCell) larger = size < MOST ? measure (&fixture, mode, size + 1, reuse, streams, chunks) : NULL;
      g_autoptr (MemlaneCell) more = measure (&fixture, mode, size, 2 * reuse, streams, chunks);

      if (!is_measured (cell))
        continue; /* not supported, or more than the device holds */
      measured++;
      check_bandwidths (&fixture, mode, cell);
      if (larger != NULL && is_measured (larger) && larger->chunks == cell->chunks)
        check_order (cell, larger);
      if (is_measured (more))
        check_order (cell, more);
    }
  g_assert_cmpuint (measured, >, 75);
  g_rand_free (random);
  close_fixture (&fixture);
}

/* Each cost by itself, at sizes that are no power of two: never below its bound, never less for more. */
static void
test_costs (void)
{
  Fixture fixture;
  guint n;
  const MemlaneProfileTerm *curves = memlane_profile_curve_list (&n);

  open_fixture (&fixture);
  for (guint i = 0; i < n; i++)
    {
      double before = 0;

      for (double bytes = 1; bytes < 1e12; bytes *= 1.07)
        {
          double ns = memlane_profile_cost (fixture.profile, (MemlaneCurve) i, bytes);

          g_assert_cmpfloat (ns, >=, memlane_profile_get_bound (fixture.profile, (MemlaneCurve) i, bytes));
          if (ns < before * (1 - 1e-12))
            g_error ("%s descends at %.0f bytes: %.6g ns after %.6g", curves[i].name, bytes, ns, before);
          before = ns;
        }
    }
  close_fixture (&fixture);
}

/* As few numbers as the issue asks for, each of which a reader can look up. */
static void
test_numbers (void)
{
  Fixture fixture;
  guint n, numbers = MEMLANE_N_HOST_CONSTANTS + 6; /* five limits, and what is left when both directions are busy */

  open_fixture (&fixture);
  memlane_profile_curve_list (&n);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneCostCurve *curve = &fixture.profile->curves[i];

      g_assert_cmpuint (curve->n, ==, 0); /* no knots */
      numbers += curve->n_pieces > 0 ? 3 * curve->n_pieces - 1 : 0;
      for (guint k = 1; k < curve->n_pieces; k++)
        numbers -= curve->pieces[k].latency_ns == curve->pieces[0].latency_ns;
    }
  g_test_message ("%u numbers", numbers);
  g_assert_cmpuint (numbers, <=, 250);
  close_fixture (&fixture);
}

static void
test_contradictions (void)
{
  static const struct { const char *text, *says; } bad[] = {
    { "[device]\nname=x\nmemory_bandwidth=4e12\n[limits]\nl2_bandwidth=1e12\n", "[limits] l2_bandwidth" },
    { "[device]\nname=x\n[limits]\nhost_bandwidth=2e10\nhost_cache_bandwidth=1e10\n", "[limits] host_cache_bandwidth" },
    { "[device]\nname=x\n[limits]\nhost_cache_bytes=1000\ncore_cache_bytes=2000\n", "[limits] host_cache_bytes" },
    { "[device]\nname=x\n[limits]\nstreaming_bytes=1000\ncore_cache_bytes=2000\n", "[limits] streaming_bytes" },
    { "[device]\nname=x\n[limits]\nstreaming_bytes=-1\n", "[limits] streaming_bytes: expected a whole number" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1e13\nper_byte=1\n", "latency: expected nanoseconds from 0 to 1e12" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1\nper_byte=1e9\n", "per_byte: expected nanoseconds from 0 to 1e6" },
    { "[device]\nname=x\nlink_generation=3\nlink_width=16\nlink_bandwidth=6e10\n", "16 lanes of generation 3" },
    { "[device]\nname=x\n[recorded]\nleast_bytes=8192\nmost_bytes=4096\n", "[recorded] most_bytes: expected at least least_bytes" },
    { "[device]\nname=x\n[recorded]\nleast_reuse=2\nmost_reuse=1\n", "[recorded] most_reuse" },
    { "[device]\nname=x\n[recorded]\nleast_streams=2\n", "[recorded] most_streams" },
    { "[device]\nname=x\n[limits]\nhost_bandwidth=-1\n", "[limits] host_bandwidth" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=-1\nper_byte=1\n", "latency" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1\n", "per_byte: expected, and missing" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1\nper_byte=1;2\n", "up_to" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1\nper_byte=1;2;3\nup_to=5;4\n", "ascending" },
    { "[device]\nname=x\n[curve fill.device]\nlatency=1\nper_byte=1\nns=3\n", "expected only the keys" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (memlane_profile_parse (bad[i].text, strlen (bad[i].text), "bad.device", &error));
      if (strstr (error->message, bad[i].says) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error->message, bad[i].says);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/limits/costs", test_costs);
  g_test_add_func ("/limits/numbers", test_numbers);
  g_test_add_func ("/limits/contradictions", test_contradictions);
  g_test_add_func ("/limits/random-plans", test_random_plans);
  return g_test_run ();
}
