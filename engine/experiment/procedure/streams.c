/* streams.c: what runs beside what, and what keeps two streams apart
 *
 * SPDX-License-Identifier: MIT
 *
 * A stream is held by the latch, which is a kernel that spins. So what another stream does meanwhile is no question of time.
 */
#include "procedure.h"

#include <string.h>

#include "base/fail.h"

#define PATIENCE_NS 20e6 /* so long a stream that could run is given to run */
#define PAUSE_NS 20e3    /* between two looks */

/* Whether @stream comes to its end within PATIENCE_NS. */
static gboolean
ends_soon (MemlaneDevice *device, MemlaneStream *stream, gboolean *done, GError **error)
{
  double begin = memlane_device_clock (device);

  for (;;)
    {
      if (!memlane_device_stream_query (device, stream, done, error))
        return FALSE;
      if (*done || memlane_device_clock (device) - begin > PATIENCE_NS)
        return TRUE;
      memlane_device_pause (device, PAUSE_NS);
    }
}

/* --- kernels beside kernels ----------------------------------------------------------------------------------------------- */

#define MOST_STREAMS 4

typedef struct
{
  MemlaneStream *streams[MOST_STREAMS];
  MemlaneEvent *joined[MOST_STREAMS], *start, *stop;
  void *a, *b, *out;
  gsize elements;
  gboolean done;
} Beside;

static gboolean
launch_beside (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;

  return memlane_device_launch (context->device, MEMLANE_KERNEL_COPY, self->out, self->a, NULL, 1024, self->streams[1], error)
         && ends_soon (context->device, self->streams[1], &self->done, error);
}

/* A copy inside the device, on another stream than the kernel that spins. */
static gboolean
copy_beside (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;

  return memlane_device_memcpy_async (context->device, self->out, self->a, self->elements * sizeof (float), MEMLANE_COPY_ON_DEVICE,
                                      self->streams[1], error)
         && ends_soon (context->device, self->streams[1], &self->done, error);
}

/* @kernels kernels on the first @n streams, from behind a latch, so that launching them is not in the time. */
static gboolean
time_kernels (MemlaneProcedureContext *context, Beside *self, guint n, guint kernels, gsize elements, double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean late = FALSE, done;

  if (!memlane_device_latch_close (device, self->streams[0], error))
    return FALSE;
  done = memlane_device_event_record (device, self->start, self->streams[0], error);
  for (guint i = 1; i < n && done; i++)
    done = memlane_device_stream_wait_event (device, self->streams[i], self->start, error);
  for (guint i = 0; i < kernels && done; i++)
    {
      gsize part = elements / kernels * i; /* each its own piece, as a program would */

      done = memlane_device_launch (device, MEMLANE_KERNEL_ADD, (float *) self->out + part, (float *) self->a + part,
                                    (float *) self->b + part, elements / kernels, self->streams[i % n], error);
    }
  for (guint i = 1; i < n && done; i++)
    done = memlane_device_event_record (device, self->joined[i], self->streams[i], error)
           && memlane_device_stream_wait_event (device, self->streams[0], self->joined[i], error);
  done = done && memlane_device_event_record (device, self->stop, self->streams[0], error);
  if (!memlane_device_latch_open (device, &late, done ? error : NULL) || !done)
    return FALSE;
  return memlane_device_synchronize (device, error) && memlane_device_event_elapsed (device, self->start, self->stop, ns, error);
}

static gboolean
run_kernels_beside (MemlaneProcedureContext *context, GError **error)
{
  static const struct { const char *output; guint streams, kernels; gboolean is_large; } cases[] = {
    { "small/one-stream", 1, 16, FALSE }, { "small/four-streams", 4, 16, FALSE },
    { "large/one-stream", 1, 4, TRUE }, { "large/four-streams", 4, 4, TRUE },
  };
  Beside self = { .elements = (gsize) 1 << context->options.log2_elements };
  gsize bytes = self.elements * sizeof (float);
  gboolean waited;
  double took;

  if (!memlane_procedure_event (context, &self.start, error) || !memlane_procedure_event (context, &self.stop, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.a, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.b, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.out, error)
      || !memlane_device_memset_async (context->device, self.a, 0, bytes, NULL, error)
      || !memlane_device_memset_async (context->device, self.b, 0, bytes, NULL, error)
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  for (guint i = 0; i < MOST_STREAMS; i++)
    if (!memlane_procedure_stream (context, TRUE, 0, &self.streams[i], error)
        || !memlane_procedure_event (context, &self.joined[i], error))
      return FALSE;
  for (guint i = 0; i < MEMLANE_PROCEDURE_TRIALS; i++)
    {
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, self.streams[0], NULL, launch_beside, &self, &waited, &took, error))
        return FALSE;
      memlane_procedure_yes (context, "beside", self.done);
      if (!memlane_procedure_hold (context, self.streams[0], NULL, copy_beside, &self, &waited, &took, error))
        return FALSE;
      memlane_procedure_yes (context, "copy-beside", self.done);
    }
  for (guint i = 0; i <= context->options.samples; i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      {
        gsize elements = cases[k].is_large ? self.elements : MIN (self.elements, 16 << 12);
        double ns;

        if (!memlane_procedure_go_on (context, error)
            || !time_kernels (context, &self, cases[k].streams, cases[k].kernels, elements, &ns, error))
          return FALSE;
        if (i > 0)
          memlane_procedure_sample (context, cases[k].output, ns);
      }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_kernels_beside = {
  .id = "kernels-beside-kernels",
  .summary = "a kernel, and a copy inside the device, beside a kernel that spins; 16 small kernels and 4 large ones on one stream and on "
             "four",
  .outputs = { .times = "small/one-stream small/four-streams large/one-stream large/four-streams", .words = "beside copy-beside" },
  .defaults = { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_kernels_beside,
};

/* --- what keeps two streams apart --------------------------------------------------------------------------------------------- */

#define PIECE 512 /* elements of a kernel; two pieces fit into the shortest vectors */

typedef struct
{
  MemlaneStream *second, *third;
  void *a, *b;
  void *allocated; /* in between; NULL: nothing was */
  gsize bytes;
  guint between; /* a place in betweens */
  gboolean done;  /* the second stream's kernel, while the first stream was held */
  double between_took;
} Apart;

enum
{
  NOTHING, PINNED_ALLOCATION, DEVICE_ALLOCATION, MEMSET, MEMSET_IN_A_STREAM, COPY, COPY_IN_A_STREAM, KERNEL, KERNEL_NON_BLOCKING, N_BETWEENS
};

static const char *const betweens[N_BETWEENS] = {
  "nothing", "pinned-allocation", "device-allocation", "memset", "memset-in-a-stream", "copy-on-device", "copy-in-a-stream",
  "default-stream", "default-stream-non-blocking",
};

static gboolean
make_between (MemlaneProcedureContext *context, Apart *self, GError **error)
{
  MemlaneDevice *device = context->device;

  switch (self->between)
    {
    case PINNED_ALLOCATION:
      return memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PINNED, self->bytes, &self->allocated, error);
    case DEVICE_ALLOCATION:
      return memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, self->bytes, &self->allocated, error);
    case MEMSET:
    case MEMSET_IN_A_STREAM:
      return memlane_device_memset_async (device, self->a, 0, self->bytes, self->between == MEMSET ? NULL : self->third, error);
    case COPY:
      return memlane_device_memcpy (device, self->b, self->a, self->bytes, MEMLANE_COPY_ON_DEVICE, error);
    case COPY_IN_A_STREAM:
      return memlane_device_memcpy_async (device, self->b, self->a, self->bytes, MEMLANE_COPY_ON_DEVICE, self->third, error);
    case KERNEL:
    case KERNEL_NON_BLOCKING:
      return memlane_device_launch (device, MEMLANE_KERNEL_COPY, self->b, self->a, NULL, PIECE, NULL, error);
    default:
      return TRUE;
    }
}

static gboolean
put_between (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Apart *self = data;
  double begin = memlane_device_clock (context->device);

  if (!make_between (context, self, error))
    return FALSE;
  self->between_took = memlane_device_clock (context->device) - begin;
  return memlane_device_launch (context->device, MEMLANE_KERNEL_COPY, (float *) self->b + PIECE, self->a, NULL, PIECE, self->second, error)
         && ends_soon (context->device, self->second, &self->done, error);
}

static gboolean
run_serialisers (MemlaneProcedureContext *context, GError **error)
{
  Apart self = { .bytes = sizeof (float) << context->options.log2_elements };
  MemlaneStream *first[2], *second[2];

  for (guint i = 0; i < 2; i++)
    if (!memlane_procedure_stream (context, i == 1, 0, &first[i], error)
        || !memlane_procedure_stream (context, i == 1, 0, &second[i], error))
      return FALSE;
  if (!memlane_procedure_stream (context, TRUE, 0, &self.third, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, self.bytes, &self.a, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, self.bytes, &self.b, error)
      || !memlane_device_memset_async (context->device, self.a, 0, self.bytes, NULL, error))
    return FALSE;
  for (guint k = 0; k < context->options.samples * N_BETWEENS; k++)
    {
      gboolean waited, non_blocking = k % N_BETWEENS == KERNEL_NON_BLOCKING;
      double took;

      self.between = k % N_BETWEENS;
      self.second = second[non_blocking];
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, first[non_blocking], NULL, put_between, &self, &waited, &took, error))
        return FALSE;
      memlane_procedure_word (context, betweens[self.between],
                              self.between_took > MEMLANE_LATCH_TIMEOUT_NS / 2 ? "host-waits"
                              : self.done ? "beside" : "one-after-the-other");
      if (self.allocated != NULL && !memlane_procedure_free (context, g_steal_pointer (&self.allocated), error))
        return FALSE;
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_serialisers = {
  .id = "serialisers",
  .summary = "a call between a kernel that spins on one stream and a kernel on another: do the two still run beside each other?",
  .outputs = {
    .words = "nothing pinned-allocation device-allocation memset memset-in-a-stream copy-on-device copy-in-a-stream default-stream "
             "default-stream-non-blocking",
  },
  .defaults = { .log2_elements = 20, .samples = MEMLANE_PROCEDURE_TRIALS },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_serialisers,
};

/* --- priorities ----------------------------------------------------------------------------------------------------------------- */

#define EARLY_KERNELS 4

static gboolean
race (MemlaneProcedureContext *context, Beside *self, MemlaneStream *early, MemlaneStream *late, double *late_ns, double *all_ns,
      GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean is_late = FALSE, done;

  if (!memlane_device_latch_close (device, early, error))
    return FALSE;
  done = memlane_device_event_record (device, self->start, early, error);
  for (guint i = 0; i < EARLY_KERNELS && done; i++)
    done = memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->out, self->a, self->b, self->elements, early, error);
  done = done && memlane_device_event_record (device, self->stop, early, error)
         && memlane_device_stream_wait_event (device, late, self->start, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_ADD, (float *) self->out + self->elements, self->a, self->b, self->elements, late,
                                   error)
         && memlane_device_event_record (device, self->joined[0], late, error);
  if (!memlane_device_latch_open (device, &is_late, done ? error : NULL) || !done)
    return FALSE;
  return memlane_device_synchronize (device, error) && memlane_device_event_elapsed (device, self->start, self->joined[0], late_ns, error)
         && memlane_device_event_elapsed (device, self->start, self->stop, all_ns, error);
}

static gboolean
run_priorities (MemlaneProcedureContext *context, GError **error)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (context->device);
  Beside self = { .elements = (gsize) 1 << context->options.log2_elements };
  gsize bytes = self.elements * sizeof (float);
  MemlaneStream *low, *same, *high;

  memlane_procedure_sample (context, "levels", info->priority_least - info->priority_greatest + 1);
  if (info->priority_least == info->priority_greatest)
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "the device has one stream priority alone");
  if (!memlane_procedure_event (context, &self.start, error) || !memlane_procedure_event (context, &self.stop, error)
      || !memlane_procedure_event (context, &self.joined[0], error)
      || !memlane_procedure_stream (context, TRUE, info->priority_least, &low, error)
      || !memlane_procedure_stream (context, TRUE, info->priority_least, &same, error)
      || !memlane_procedure_stream (context, TRUE, info->priority_greatest, &high, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.a, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.b, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, 2 * bytes, &self.out, error)
      || !memlane_device_memset_async (context->device, self.a, 0, bytes, NULL, error)
      || !memlane_device_memset_async (context->device, self.b, 0, bytes, NULL, error)
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  for (guint i = 0; i <= context->options.samples; i++)
    {
      double equal, equal_all, ahead, ahead_all;

      if (!memlane_procedure_go_on (context, error) || !race (context, &self, low, same, &equal, &equal_all, error)
          || !race (context, &self, low, high, &ahead, &ahead_all, error))
        return FALSE;
      if (i == 0)
        continue;
      memlane_procedure_sample (context, "same-priority/late", equal);
      memlane_procedure_sample (context, "same-priority/early", equal_all);
      memlane_procedure_sample (context, "high-priority/late", ahead);
      memlane_procedure_sample (context, "high-priority/early", ahead_all);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_priorities = {
  .id = "priorities",
  .summary = "four kernels on a stream of the least priority, then one on another stream, of the same and of the greatest priority",
  .outputs = { .times = "same-priority/late same-priority/early high-priority/late high-priority/early", .numbers = "levels" },
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_priorities,
};
