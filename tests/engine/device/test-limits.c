/* test-limits.c: whatever is asked of it, a simulated device stays within its bandwidths, and more work never takes less time
 *
 * SPDX-License-Identifier: MIT
 */
#include "device/simulated/profile.h"
#include "measure/measure.h"
#include "mode/transfer.h"

#include <math.h>
#include <string.h>

#define LEAST 4
#define MOST 26

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
  self->reference = memlane_reference_new ((gsize) 1 << MOST, TRUE, 1, NULL, &error);
  g_assert_no_error (error);
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
  MemlaneDevice *device = memlane_simulated_device_new (self->profile, "simulated:limits");
  MemlaneCell *cell;

  memlane_device_move_pieces (device, TRUE);
  cell = memlane_measure_cell (device, &method, mode, log2_elements, self->reference, NULL);

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
    g_error ("%s 2^%g, reuse %u, %u streams, %u chunks: %s: %.0f bytes in %.0f ns are %.4g GB/s, beyond %.4g", cell->mode,
             cell->log2_elements, cell->reuse, cell->streams, cell->chunks, what, bytes, ns, bytes / ns, bandwidth / 1e9);
}

/* Every bandwidth that a cell shows is one that the device has. */
static void
check_bandwidths (const Fixture *self, const MemlaneMode *mode, const MemlaneCell *cell)
{
  const MemlaneDeviceInfo *info = &self->profile->info;
  double n = (double) cell->bytes, link = info->link_bandwidth, elapsed = get (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  double memory = 3 * n > (double) info->l2_bytes ? info->memory_bandwidth : self->profile->l2_bandwidth;
  double host = n > (double) self->profile->core_cache_bytes ? self->profile->host_bandwidth : self->profile->host_cache_bandwidth;
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
          g_error ("%s %s (%s clock): %.1f ns at 2^%g, reuse %u, and %.1f at 2^%g, reuse %u", less->mode, memlane_phase_name (phases[i]),
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
  const guint n_plans = g_test_slow () ? 120 : 40;
  guint n_modes, measured = 0;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  while (memlane_mode_is_of_pieces (&modes[n_modes - 1]))
    n_modes--;
  open_fixture (&fixture);
  /* The model alone: two recordings may differ by more than a kernel. */
  g_clear_pointer (&fixture.profile->residuals, memlane_residuals_unref);
  for (guint i = 0; i < n_plans; i++)
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
  g_assert_cmpuint (measured, >, n_plans * 5 / 8);
  g_rand_free (random);
  close_fixture (&fixture);
}

/* The recorded device, too, never takes less for more bytes: at recorded sizes, between them and beyond. */
static void
test_recorded_sizes (void)
{
  static const char *const modes[] = { "pageable", "pinned-async", "mapped", "managed-prefetch", "streams-depth-first", "device-resident" };
  Fixture fixture;

  open_fixture (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint reuse = 1; reuse <= 4; reuse *= 4)
      {
        g_autoptr (MemlaneCell) before = NULL;

        for (guint size = LEAST; size <= MOST; size++)
          {
            MemlaneCell *cell = measure (&fixture, memlane_mode_find (modes[i]), size, reuse, 8, 8);

            check_bandwidths (&fixture, memlane_mode_find (modes[i]), cell);
            if (before != NULL && before->chunks == cell->chunks)
              check_order (before, cell);
            g_clear_pointer (&before, memlane_cell_unref);
            before = cell;
          }
      }
  close_fixture (&fixture);
}

/* Each cost by itself, at sizes that are no power of two: never faster than what carries it, never less for more. */
static void
test_costs (void)
{
  Fixture fixture;

  open_fixture (&fixture);
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    {
      const MemlaneProfile *profile = fixture.profile;
      const MemlaneCostRow *row = &memlane_cost_rows[i];
      const double bandwidths[] = {
        [MEMLANE_CARRIER_NONE] = INFINITY, [MEMLANE_CARRIER_LINK] = profile->info.link_bandwidth,
        [MEMLANE_CARRIER_MEMORY] = profile->info.memory_bandwidth, [MEMLANE_CARRIER_CACHE] = profile->l2_bandwidth,
        [MEMLANE_CARRIER_HOST] = profile->host_cache_bandwidth, [MEMLANE_CARRIER_PAGES] = INFINITY,
        [MEMLANE_CARRIER_CORES] = INFINITY,
      };
      double before = 0;

      for (double bytes = 1; bytes < 1e12; bytes *= 1.07)
        {
          double ns = memlane_profile_cost (profile, (MemlaneCostId) i, bytes);

          g_assert_cmpfloat (ns, >=, bytes * row->passes / bandwidths[row->carrier] * 1e9 * (1 - 1e-12));
          if (ns < before * (1 - 1e-12))
            g_error ("%s descends at %.0f bytes: %.6g ns after %.6g", row->name, bytes, ns, before);
          before = ns;
        }
    }
  close_fixture (&fixture);
}

/* As few numbers as a page holds, each of which a reader can look up. */
static void
test_numbers (void)
{
  guint numbers = 2; /* a slow host, and what is left when both directions are busy */

  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    {
      numbers += (memlane_cost_rows[i].standard.latency_ns > 0) + (memlane_cost_rows[i].standard.rate > 0);
      g_assert_cmpuint (strlen (memlane_cost_rows[i].doc), >, 3);
    }
  g_test_message ("%u numbers", numbers);
  g_assert_cmpuint (numbers, <=, 96);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/limits/costs", test_costs);
  g_test_add_func ("/limits/numbers", test_numbers);
  g_test_add_func ("/limits/random-plans", test_random_plans);
  g_test_add_func ("/limits/recorded-sizes", test_recorded_sizes);
  return g_test_run ();
}
