/* test-cell.c: one cell of one round: phases, clocks, counts, verification, trouble
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/each.h"
#include "base/host-memory.h"
#include "engine/cases.h"
#include "engine/noise.h"
#include "engine/profile-of-text.h"
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "measure/measure.h"
#include "result/environment.h"
#include "measure-all.h"

#define LOG2 12

static const MemlaneMethod quick = { .precision = 0.02, .cell_seconds = 0.25, .reuse = 1, .streams = 2, .chunks = 4, .keep_samples = TRUE };

static MemlaneCell *
measure (MemlaneDevice *device, const char *workload, const char *mode, guint log2_elements, const MemlaneMethod *method,
         GCancellable *cancellable)
{
  MemlaneReference *reference = memlane_reference_new ((gsize) 1 << log2_elements, FALSE, 7, NULL, NULL);
  MemlaneMethod with_workload = *method;
  MemlaneCell *cell;

  g_assert_nonnull (reference);
  with_workload.workload = memlane_workload_find (workload);
  cell = memlane_measure_cell (device, &with_workload, memlane_mode_find (mode), log2_elements, reference, cancellable);
  memlane_reference_free (reference);
  g_assert_nonnull (cell);
  return cell;
}

static const MemlaneFigure *
find (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, clock);

  if (figure == NULL)
    g_error ("%s has no %s on the %s clock: %s", cell->mode, memlane_phase_name (phase), memlane_clock_name (clock), cell->detail);
  return figure;
}

/* A capable device: everything that a mode may need, two devices included. */
static MemlaneDevice *
open_capable (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();

  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS | MEMLANE_CAN_PEER_COPY;
  return memlane_simulated_device_new (profile, "simulated:capable");
}

/* --- cells as texts -------------------------------------------------------------------------------------- */

static void
tell_cell (GString *text, const MemlaneCell *cell)
{
  g_autoptr (GRegex) address = g_regex_new ("0x[0-9a-f]{9,}", 0, 0, NULL);
  g_autofree char *detail = g_regex_replace_literal (address, cell->detail != NULL ? cell->detail : "", -1, 0, "ADDRESS",
                                                     0, NULL);

  g_string_append_printf (text, "%s %s: %s", cell->workload, cell->mode, memlane_status_name (cell->status));
  if (cell->chunks > 0)
    g_string_append_printf (text, ", %u chunks", cell->chunks);
  g_string_append_printf (text, "%s%s\n", *detail != '\0' ? ": " : "", detail);
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    g_string_append_printf (text, "  %s %s: %.3g ns, %u samples, %" G_GUINT64_FORMAT " bytes%s%s\n",
                            memlane_phase_name (figure->phase), memlane_clock_name (figure->clock),
                            figure->statistics.median, figure->statistics.count, figure->bytes_moved,
                            figure->detail != NULL ? ": " : "", figure->detail != NULL ? figure->detail : "");
}

/* The lines of a device's file, then cells, each "WORKLOAD MODE LOG2"; with "cold", "compute" or "cancelled" behind
 * it the cache is flushed, kernels run beside it, or nobody wants it any more. */
static char *
answer_cells (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (GString) file = g_string_new (NULL);
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneProfile) profile = NULL;
  MemlaneDevice *device;
  guint i = 0;

  for (; *lines[i] == '[' || strchr (lines[i], '=') != NULL; i++)
    g_string_append_printf (file, "%s\n", lines[i]);
  profile = profile_of_text (file->str, -1, &error);
  g_assert_no_error (error);
  device = memlane_simulated_device_new (profile, "simulated:asked");
  for (; *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 4);
      const char *how = words[3] != NULL ? words[3] : "";
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (MemlaneCell) cell = NULL;
      MemlaneMethod method = quick;

      method.cold_cache = strcmp (how, "cold") == 0;
      method.beside = strcmp (how, "compute") == 0 ? MEMLANE_BESIDE_COMPUTE : MEMLANE_BESIDE_NONE;
      method.busy = method.beside == MEMLANE_BESIDE_COMPUTE ? 100 : 0;
      if (strcmp (how, "cancelled") == 0)
        g_cancellable_cancel (cancellable);
      cell = measure (device, words[0], words[1], (guint) atoi (words[2]), &method, cancellable);
      tell_cell (text, cell);
      g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
    }
  memlane_device_close (device);
  return g_strchomp (g_string_free (text, FALSE));
}

static void
test_cells (void)
{
  check_cases ("measure", "cells.txt", answer_cells);
}

/* Every mode and every workload, with what it moved verified; the pairs that make no sense say why. */
static void
test_every_pair (void)
{
  MemlaneDevice *device = open_capable ();
  guint n_modes, n_workloads, measured = 0;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);
  const MemlaneWorkload *workloads = memlane_workload_list (&n_workloads);

  for (guint i = 0; i < n_workloads; i++)
    for (guint j = 0; j < n_modes; j++)
      for (guint reuse = 1; reuse <= 3; reuse += 2)
        {
          MemlaneMethod method = quick;
          g_autoptr (MemlaneCell) cell = NULL;

          method.reuse = reuse;
          cell = measure (device, workloads[i].id, modes[j].id, LOG2, &method, NULL);
          g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
          if (cell->status == MEMLANE_STATUS_UNSUPPORTED)
            {
              g_assert_cmpuint (strlen (cell->detail), >, 10);
              g_assert_cmpuint (cell->figures->len, ==, 0);
              continue;
            }
          if (cell->status != MEMLANE_STATUS_OK && cell->status != MEMLANE_STATUS_NOISY)
            g_error ("%s %s: %s: %s", cell->workload, cell->mode, memlane_status_name (cell->status), cell->detail);
          find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
          measured++;
        }
  /* All modes x 10 workloads x 2, less what makes no sense: the exact number changes only on purpose. */
  g_test_message ("%u cells measured", measured);
  g_assert_cmpuint (measured, >=, 200);
  memlane_device_close (device);
}

/* --- wrong copies -------------------------------------------------------------------------------------------------------------- */

/* How a copy of a result goes wrong. Each is of the copies from the one with this number on. */
typedef enum
{
  NOT_AT_ALL,   /* nothing arrives */
  SHORT,        /* the last 2 KiB are missing */
  HOLE,         /* 2 KiB in the middle are missing */
  SHIFTED,      /* everything arrives one float too far */
  SWAPPED,      /* two pages have changed places */
  STRIDED,      /* every 32nd float is an older one */
  ONE_FLOAT,    /* one float has one wrong bit */
  N_DAMAGES
} Damage;

#define HOLE_BYTES ((gsize) 2048)

static void
do_damage (Damage damage, guchar *result, gsize bytes)
{
  const gsize middle = bytes / 2 + 1236, page = 4096;
  g_autofree guchar *kept = g_memdup2 (result, bytes);

  switch (damage)
    {
    case NOT_AT_ALL:
      memset (result, MEMLANE_POISON_BYTE, bytes);
      break;
    case SHORT:
      memset (result + bytes - HOLE_BYTES, MEMLANE_POISON_BYTE, HOLE_BYTES);
      break;
    case HOLE:
      memset (result + middle, MEMLANE_POISON_BYTE, HOLE_BYTES);
      break;
    case SHIFTED:
      memmove (result + sizeof (float), kept, bytes - sizeof (float));
      break;
    case SWAPPED:
      memcpy (result + page, kept + 3 * page, page);
      memcpy (result + 3 * page, kept + page, page);
      break;
    case STRIDED:
      for (gsize i = 0; i < bytes; i += 32 * sizeof (float))
        memset (result + i, MEMLANE_POISON_BYTE, sizeof (float));
      break;
    case ONE_FLOAT:
      result[middle] ^= 1;
      break;
    case N_DAMAGES:
    default:
      g_assert_not_reached ();
    }
}

/* The check of every number finds what is wrong by more than a few floats, and the whole ones find one bit. */
static void
test_wrong_copies (void)
{
  const gsize elements = (gsize) 1 << 18, bytes = elements * sizeof (float);
  MemlaneReference *reference = memlane_reference_new (elements, FALSE, 7, NULL, NULL);
  g_autofree guchar *result = g_malloc (bytes);

  for (guint damage = 0; damage < N_DAMAGES; damage++)
    for (guint check = 0; check < 40; check++)
      {
        g_autofree char *mismatch = NULL, *right = NULL;

        memcpy (result, reference->sum, bytes);
        right = memlane_reference_describe_mismatch (reference, (const float *) (gconstpointer) result, reference->sum, elements, check);
        g_assert_null (right);
        do_damage (damage, result, bytes);
        mismatch = memlane_reference_describe_mismatch (reference, (const float *) (gconstpointer) result, reference->sum, elements, check);
        if (damage != ONE_FLOAT || check % MEMLANE_WHOLE_CHECK_EVERY == 0)
          g_assert_nonnull (mismatch);
      }
  memlane_reference_free (reference);
}

static const MemlaneDriver *real;
static Damage damage_now;
static guint copies_home, first_wrong; /* the copies of results so far; the number of the one that is wrong */

static gboolean
copy_wrongly (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error)
{
  if (!real->work->memcpy (device, to, from, bytes, kind, error))
    return FALSE;
  if (kind == MEMLANE_COPY_TO_HOST && ++copies_home == first_wrong)
    do_damage (damage_now, to, bytes);
  return TRUE;
}

/* Any one copy of a cell that is wrong makes the cell wrong, whichever sample it belongs to. */
static void
test_wrong_samples (void)
{
  MemlaneMethod method = quick;
  guint n = 0;

  method.cell_seconds = MEMLANE_USUAL_SECONDS;
  for (damage_now = 0; damage_now < ONE_FLOAT; damage_now++)
    for (first_wrong = n = 1; first_wrong <= n; first_wrong++)
      {
        g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
        MemlaneDevice *device;
        MemlaneWorkCalls work;
        MemlaneDriver driver;
        g_autoptr (MemlaneCell) cell = NULL;
        const Noise law = { .relative = 0.02 };
        NoiseState state;

        noise_set (profile, &law, &state);
        device = memlane_simulated_device_new (profile, "simulated:wrong");
        real = device->driver;
        work = *real->work;
        work.memcpy = copy_wrongly;
        driver = *real;
        driver.work = &work;
        device->driver = &driver;
        copies_home = 0;
        cell = measure (device, "vector-add", "pinned", 17, &method, NULL);
        device->driver = real;
        g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_MISMATCH);
        g_assert_cmpuint (copies_home, ==, first_wrong); /* it is over with the sample */
        n = 2 * MEMLANE_SET_SAMPLES + 1;
        memlane_device_close (device);
      }
}

/* Whoever has the device after a run finds every byte moved. */
static gboolean
moves_all (MemlaneDevice *device)
{
  const gsize bytes = (gsize) 8 << 20;
  g_autofree char *from = g_malloc (bytes), *back = g_malloc0 (bytes);
  void *buffer = NULL;
  gboolean same;

  memset (from, 7, bytes);
  g_assert_true (memlane_device_malloc (device, bytes, &buffer, NULL));
  g_assert_true (memlane_device_memcpy (device, buffer, from, bytes, MEMLANE_COPY_TO_DEVICE, NULL));
  g_assert_true (memlane_device_memcpy (device, back, buffer, bytes, MEMLANE_COPY_TO_HOST, NULL));
  same = memcmp (from, back, bytes) == 0;
  g_assert_true (memlane_device_free (device, buffer, NULL));
  return same;
}

/* Large vectors are moved and verified by pieces: every mode's result is right, and a wrong kernel is still found out. */
static void
test_pieces (void)
{
  for (guint corrupt = 0; corrupt < 2; corrupt++)
    {
      g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
      g_autoptr (MemlanePlan) plan = memlane_plan_new ();
      g_autoptr (MemlaneRun) run = NULL;
      MemlaneDevice *device;
      guint measured = 0;

      profile->corrupt_kernel = corrupt;
      g_assert_true (memlane_plan_set_modes (plan, "all", NULL) && memlane_plan_set_sizes (plan, corrupt ? "21" : "21:22", NULL));
      device = memlane_simulated_device_new (profile, "simulated:pieces");
      run = measure_all (device, plan);
      g_assert_true (corrupt || moves_all (device));
      memlane_device_close (device);
      MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
        {
          if (cell->status == MEMLANE_STATUS_UNSUPPORTED)
            continue;
          if (cell->status != (corrupt ? MEMLANE_STATUS_MISMATCH : MEMLANE_STATUS_OK))
            g_error ("%s at 2^%g is %s: %s", cell->mode, cell->log2_elements, memlane_status_name (cell->status), cell->detail);
          measured++;
        }
      g_assert_cmpuint (measured, >, corrupt ? 15 : 30);
      g_assert_nonnull (strstr (memlane_environment_get_json (run->environment), "the first 1 KiB of each 256 KiB"));
    }
}

/* The limit is that of this process, as it is now. */
static void
test_lockable (void)
{
  struct rlimit before, small;

  g_assert_cmpint (getrlimit (RLIMIT_MEMLOCK, &before), ==, 0);
  g_assert_cmpuint (memlane_host_memory_get_lockable (), ==, before.rlim_cur == RLIM_INFINITY ? G_MAXUINT64 : before.rlim_cur);
  small = (struct rlimit) { 12288, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &small), ==, 0);
  g_assert_cmpuint (memlane_host_memory_get_lockable (), ==, 12288);
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &before), ==, 0);
}

static guint
count_samples (MemlaneDevice *device, double cell_seconds, guint rounds, MemlanePhase phase)
{
  MemlaneMethod method = quick;
  g_autoptr (MemlaneCell) cell = NULL;

  method.cell_seconds = cell_seconds;
  method.rounds = rounds;
  cell = measure (device, "vector-add", "pinned-async", LOG2, &method, NULL);
  g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_OK); /* what is noisy is told over rounds */
  g_assert_cmpuint (find (cell, phase, MEMLANE_CLOCK_HOST)->n_rounds, ==, 0);
  return find (cell, phase, MEMLANE_CLOCK_HOST)->statistics.count;
}

/* Whatever the time: one sample; in the usual time: five; in twice as much: ten. The time is that of all visits. Without noise two samples
 * of
 * each of three buffer sets do. */
static void
test_counts (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device, *exact = open_capable ();
  const Noise law = { .relative = 0.2, .seed = 3 };
  NoiseState state;

  noise_set (profile, &law, &state);
  device = memlane_simulated_device_new (profile, "simulated:noisy");
  g_assert_cmpuint (count_samples (device, 0, 1, MEMLANE_PHASE_ELAPSED), ==, MEMLANE_LEAST_SAMPLES);
  g_assert_cmpuint (count_samples (device, 0, 1, MEMLANE_PHASE_ALLOC), ==, 1);
  g_assert_cmpuint (count_samples (device, MEMLANE_USUAL_SECONDS, 1, MEMLANE_PHASE_ELAPSED), ==, MEMLANE_SET_SAMPLES);
  g_assert_cmpuint (count_samples (device, 2 * MEMLANE_USUAL_SECONDS, 1, MEMLANE_PHASE_ELAPSED), ==, 2 * MEMLANE_SET_SAMPLES);
  g_assert_cmpuint (count_samples (device, MEMLANE_USUAL_SECONDS, 1, MEMLANE_PHASE_ALLOC), ==, 1);
  g_assert_cmpuint (count_samples (device, 1e-6, 64, MEMLANE_PHASE_ELAPSED), ==, MEMLANE_LEAST_SAMPLES);
  g_assert_cmpuint (count_samples (exact, 10, 1, MEMLANE_PHASE_ELAPSED), ==, MEMLANE_EXACT_SETS * MEMLANE_EXACT_SAMPLES);
  {
    /* However long it takes: a sample of both ways and one of each. */
    MemlaneMethod method = quick;
    g_autoptr (MemlaneCell) cell = NULL;

    method.cell_seconds = 0;
    cell = measure (device, "copy-bidirectional", "pinned-async", LOG2, &method, NULL);
    for (MemlanePhase phase = MEMLANE_PHASE_UPLOAD; phase <= MEMLANE_PHASE_ELAPSED; phase++)
      if (phase != MEMLANE_PHASE_KERNEL)
        g_assert_cmpuint (find (cell, phase, MEMLANE_CLOCK_DEVICE)->statistics.count, ==, 1);
  }
  memlane_device_close (exact);
  memlane_device_close (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cell/told", test_cells);
  g_test_add_func ("/cell/every-pair", test_every_pair);
  g_test_add_func ("/cell/wrong-copies", test_wrong_copies);
  g_test_add_func ("/cell/wrong-samples", test_wrong_samples);
  g_test_add_func ("/cell/lockable", test_lockable);
  g_test_add_func ("/cell/counts", test_counts);
  g_test_add_func ("/cell/pieces", test_pieces);
  return g_test_run ();
}
