/* measure-floors.c: measuring the floors of a run: the steps of its clocks, an empty pair of events, a launch, kernels in a row
 *
 * SPDX-License-Identifier: MIT
 */
#include "measure-floors.h"

#include <math.h>

#include "base/owns.h"
#include "device/device-calls.h"
#include "result/statistics.h"

#define READINGS 64
#define PAIRS 31
#define REPETITIONS 7
#define VECTORS 3
#define FILL_BYTE 0x3f /* 0.75 in every float: a sum of zeros may cost less */
#define TOLERANCE_NS 0.1
#define COPIED_BYTES 4096
#define PROBED 3 /* times, the middle counts */

/* Few enough launches that a queue takes them all while the latch is closed, and enough that the pair of events does not matter. */
static const struct { guint log2_elements, launches; } sizes[] = { { 10, 32 }, { 12, 32 }, { 14, 16 }, { 16, 8 }, { 18, 4 } };
G_STATIC_ASSERT (G_N_ELEMENTS (sizes) <= MEMLANE_MOST_FLOOR_SIZES);

typedef struct
{
  MemlaneDevice *device;
  MemlaneStream *stream;
  MemlaneEvent *start, *stop;
  float *vectors[VECTORS];
  GArray *device_times;   /* double ns: every time between two events that was seen */
  GArray *launch_times;   /* double ns: of one launch */
} Probe;

/* Euclid's, where what is as little as the values' rounding is nothing. */
static double
find_common_measure (double a, double b)
{
  while (b > TOLERANCE_NS)
    {
      double rest = fmod (a, b);

      if (b - rest < TOLERANCE_NS)
        rest = 0;
      a = b;
      b = rest;
    }
  return a;
}

double
memlane_find_tick (const double *values, guint n)
{
  double tick = 0;

  for (guint i = 0; i < n; i++)
    {
      tick = find_common_measure (tick, fabs (values[i]));
      /* Clocks step by whole nanoseconds. What floats of milliseconds have rounded off would else grow with each multiple. */
      if (fabs (tick - rint (tick)) < TOLERANCE_NS / 10)
        tick = rint (tick);
    }
  return tick >= 1 - TOLERANCE_NS ? tick : 0;
}

/* Sorts @times. */
static double
get_median (GArray *times)
{
  return times->len > 0 ? memlane_median ((double *) (gpointer) times->data, times->len) : 0;
}

/* --- the host's clock ------------------------------------------------------------------------------------------------ */

/* Pauses of many lengths, so that a step of the clock shows and a regular loop does not look like one. */
static void
probe_host_clock (MemlaneDevice *device, MemlaneFloors *floors)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (double));
  double differences[READINGS];

  for (guint i = 0; i < READINGS; i++)
    {
      double begin = memlane_device_clock (device), pair = memlane_device_clock (device) - begin;

      g_array_append_val (pairs, pair);
      begin = memlane_device_clock (device);
      memlane_device_pause (device, 20 + 7.3 * i);
      differences[i] = memlane_device_clock (device) - begin;
    }
  floors->host_tick_ns = memlane_find_tick (differences, READINGS);
  floors->host_pair_ns = get_median (pairs);
}

/* --- the device's clock, behind a latch ------------------------------------------------------------------------------ */

static gboolean
probe_open (Probe *self, MemlaneDevice *device)
{
  const gsize bytes = sizeof (float) << sizes[G_N_ELEMENTS (sizes) - 1].log2_elements;

  self->device = device;
  self->device_times = g_array_new (FALSE, FALSE, sizeof (double));
  self->launch_times = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < VECTORS; i++)
    if (!memlane_device_malloc (device, bytes, (void **) &self->vectors[i], NULL)
        || !memlane_device_memset_async (device, self->vectors[i], FILL_BYTE, bytes, NULL, NULL))
      return FALSE;
  return memlane_device_stream_create (device, FALSE, 0, &self->stream, NULL) && memlane_device_event_create (device, &self->start, NULL)
         && memlane_device_event_create (device, &self->stop, NULL) && memlane_device_synchronize (device, NULL);
}

static void
probe_close (Probe *self)
{
  gboolean late;

  memlane_device_latch_open (self->device, &late, NULL);
  memlane_device_synchronize (self->device, NULL);
  if (self->stop != NULL)
    memlane_device_event_destroy (self->device, self->stop, NULL);
  if (self->start != NULL)
    memlane_device_event_destroy (self->device, self->start, NULL);
  if (self->stream != NULL)
    memlane_device_stream_destroy (self->device, self->stream, NULL);
  for (guint i = 0; i < VECTORS; i++)
    if (self->vectors[i] != NULL)
      memlane_device_free (self->device, self->vectors[i], NULL);
  g_array_unref (self->device_times);
  g_array_unref (self->launch_times);
}

/* So many launches between two events; the time goes to @times unless the latch was late. FALSE: a call failed. */
static gboolean
run_launches (Probe *self, guint log2_elements, guint launches, GArray *times)
{
  MemlaneDevice *device = self->device;
  gboolean late = FALSE, queued;
  double begin, issued, ns;

  if (!memlane_device_latch_close (device, self->stream, NULL))
    return FALSE;
  queued = memlane_device_event_record (device, self->start, self->stream, NULL);
  begin = memlane_device_clock (device);
  for (guint i = 0; i < launches && queued; i++)
    queued = memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->vectors[0], self->vectors[1], self->vectors[2],
                                    (gsize) 1 << log2_elements, self->stream, NULL);
  issued = memlane_device_clock (device) - begin;
  queued = queued && memlane_device_event_record (device, self->stop, self->stream, NULL);
  if (!memlane_device_latch_open (device, &late, NULL) || !queued || !memlane_device_event_synchronize (device, self->stop, NULL))
    return FALSE;
  if (late)
    return TRUE;
  if (!memlane_device_event_elapsed (device, self->start, self->stop, &ns, NULL))
    return FALSE;
  g_array_append_val (times, ns);
  g_array_append_val (self->device_times, ns);
  if (launches > 1)
    {
      issued /= launches;
      g_array_append_val (self->launch_times, issued);
    }
  return TRUE;
}

static gboolean
probe_kernel (Probe *self, guint log2_elements, guint launches, MemlaneFloors *floors)
{
  g_autoptr (GArray) alone = g_array_new (FALSE, FALSE, sizeof (double)), row = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < REPETITIONS; i++)
    if (!run_launches (self, log2_elements, 1, alone) || !run_launches (self, log2_elements, launches, row))
      return FALSE;
  if (alone->len > 0 && row->len > 0)
    floors->kernels[floors->n_kernels++] = (MemlaneKernelFloor) {
      log2_elements, get_median (alone), (get_median (row) - get_median (alone)) / (launches - 1),
    };
  return TRUE;
}

static void
probe_device (Probe *self, MemlaneFloors *floors)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean done = TRUE;

  for (guint i = 0; i < PAIRS && done; i++)
    done = run_launches (self, 0, 0, pairs);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && done; i++)
    done = probe_kernel (self, sizes[i].log2_elements, sizes[i].launches, floors);
  floors->event_pair_ns = get_median (pairs);
  floors->launch_ns = get_median (self->launch_times);
  floors->device_tick_ns = memlane_find_tick ((const double *) (gconstpointer) self->device_times->data, self->device_times->len);
}

void
memlane_measure_floors (MemlaneDevice *device, MemlaneFloors *floors)
{
  Probe probe = { 0 };

  *floors = (MemlaneFloors) { 0 };
  probe_host_clock (device, floors);
  if (probe_open (&probe, device))
    probe_device (&probe, floors);
  probe_close (&probe);
}

/* --- the speed of the host ----------------------------------------------------------------------------------------------- */

struct _MemlaneHostProber
{
  MemlaneDevice *device;
  void *to; /* NULL: there is no room for it */
  char from[COPIED_BYTES];
};

MemlaneHostProber *
memlane_host_prober_new (MemlaneDevice *device)
{
  MemlaneHostProber *self = g_new0 (MemlaneHostProber, 1);

  self->device = device;
  if (!memlane_device_host_malloc (device, sizeof self->from, &self->to, NULL))
    self->to = NULL;
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneHostProber, void memlane_host_prober_free (MemlaneHostProber *data),
                     if (self->to != NULL) memlane_device_host_free (self->device, self->to, NULL);)

void
memlane_host_prober_run (MemlaneHostProber *self, MemlaneHostProbe *probe)
{
  double times[MEMLANE_N_PROBES][PROBED];

  *probe = (MemlaneHostProbe) { { 0 } };
  for (guint i = 0; i < PROBED; i++)
    {
      double begin = memlane_device_clock (self->device), end = memlane_device_clock (self->device);

      times[MEMLANE_PROBE_PAIR][i] = end - begin;
      begin = memlane_device_clock (self->device);
      if (!memlane_device_launch_count (self->device, NULL, 0, NULL, NULL))
        return;
      times[MEMLANE_PROBE_LAUNCH][i] = memlane_device_clock (self->device) - begin;
      if (!memlane_device_synchronize (self->device, NULL) || self->to == NULL)
        return;
      begin = memlane_device_clock (self->device);
      if (!memlane_device_host_write (self->device, self->to, self->from, sizeof self->from, NULL))
        return;
      times[MEMLANE_PROBE_COPY][i] = memlane_device_clock (self->device) - begin;
    }
  for (guint i = 0; i < MEMLANE_N_PROBES; i++)
    probe->ns[i] = memlane_median (times[i], PROBED);
}
