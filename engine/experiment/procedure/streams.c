/* streams.c: what runs beside what, and what keeps two streams apart
 *
 * SPDX-License-Identifier: MIT
 *
 * A stream is held by the latch, which is a kernel that spins. So what another stream does
 * meanwhile is no question of time.
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

/* --- kernels beside kernels ------------------------------------------------------------------- */

#define MOST_STREAMS 4

typedef struct
{
  const char *output;
  guint streams, kernels;
  gboolean is_large;
} Kernels;

typedef struct
{
  MemlaneStream *streams[MOST_STREAMS];
  MemlaneEvent *joined[MOST_STREAMS], *start, *stop;
  void *a, *b, *out;
  const Kernels *kernels; /* to be launched */
  gboolean done;
} Beside;

static gboolean
launch_beside (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;

  return memlane_device_launch (context->device, MEMLANE_KERNEL_COPY, self->out, self->a, NULL,
                                1024, self->streams[1], error)
         && ends_soon (context->device, self->streams[1], &self->done, error);
}

/* A copy inside the device, on another stream than the kernel that spins. */
static gboolean
copy_beside (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;

  return memlane_device_memcpy_async (context->device, self->out, self->a, context->bytes,
                                      MEMLANE_COPY_ON_DEVICE, self->streams[1], error)
         && ends_soon (context->device, self->streams[1], &self->done, error);
}

/* All from behind a latch, so that launching them is not in the time. */
static gboolean
launch_kernels (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;
  MemlaneDevice *device = context->device;
  const Kernels *kernels = self->kernels;
  gsize part = (kernels->is_large ? context->elements : MIN (context->elements, 16 << 12))
               / kernels->kernels;
  gboolean done = memlane_device_event_record (device, self->start, self->streams[0], error);

  for (guint i = 1; i < kernels->streams && done; i++)
    done = memlane_device_stream_wait_event (device, self->streams[i], self->start, error);
  for (guint i = 0; i < kernels->kernels && done; i++) /* each its own piece, as a program would */
    done = memlane_device_launch (device, MEMLANE_KERNEL_ADD, (float *) self->out + part * i,
                                  (float *) self->a + part * i, (float *) self->b + part * i, part,
                                  self->streams[i % kernels->streams], error);
  for (guint i = 1; i < kernels->streams && done; i++)
    done = memlane_device_event_record (device, self->joined[i], self->streams[i], error)
           && memlane_device_stream_wait_event (device, self->streams[0], self->joined[i], error);
  return done && memlane_device_event_record (device, self->stop, self->streams[0], error);
}

static gboolean
run_kernels_beside (MemlaneProcedureContext *context, GError **error)
{
  static const Kernels cases[] = {
    { "small/one-stream", 1, 16, FALSE }, { "small/four-streams", 4, 16, FALSE },
    { "large/one-stream", 1, 4, TRUE }, { "large/four-streams", 4, 4, TRUE },
  };
  const gsize bytes = context->bytes;
  Beside self = { 0 };

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_EVENT, &self.start },
                               { MEMLANE_TAKE_EVENT, &self.stop },
                               { MEMLANE_TAKE_DEVICE, &self.a, bytes, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_DEVICE, &self.b, bytes, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_DEVICE, &self.out, bytes })
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  for (guint i = 0; i < MOST_STREAMS; i++)
    if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_STREAM, &self.streams[i] },
                                 { MEMLANE_TAKE_EVENT, &self.joined[i] }))
      return FALSE;
  for (guint i = 0; i < MEMLANE_PROCEDURE_TRIALS; i++)
    {
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, self.streams[0], NULL, launch_beside, &self, NULL,
                                      error))
        return FALSE;
      memlane_procedure_yes (context, "beside", self.done);
      if (!memlane_procedure_hold (context, self.streams[0], NULL, copy_beside, &self, NULL, error))
        return FALSE;
      memlane_procedure_yes (context, "copy-beside", self.done);
    }
  for (guint i = 0; i <= context->options.samples; i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      {
        double ns;

        self.kernels = &cases[k];
        if (!memlane_procedure_go_on (context, error)
            || !memlane_procedure_hold (context, self.streams[0], NULL, launch_kernels, &self, NULL,
                                        error)
            || !memlane_device_event_elapsed (context->device, self.start, self.stop, &ns, error))
          return FALSE;
        if (i > 0)
          memlane_procedure_sample (context, cases[k].output, ns);
      }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_kernels_beside = {
  .id = "kernels-beside-kernels",
  .summary = "a kernel, and a copy inside the device, beside a kernel that spins; 16 small kernels "
             "and 4 large ones on one stream and on "
             "four",
  .outputs = { .times = "small/one-stream small/four-streams large/one-stream large/four-streams",
               .words = "beside copy-beside" },
  .defaults = { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_kernels_beside,
};

/* --- what keeps two streams apart ------------------------------------------------------------- */

#define PIECE 512 /* elements of a kernel; two pieces fit into the shortest vectors */

typedef struct
{
  MemlaneStream *second, *third;
  void *a, *b;
  void *allocated; /* in between; NULL: nothing was */
  guint between; /* a place in betweens */
  gboolean done;  /* the second stream's kernel, while the first stream was held */
  double between_took;
} Apart;

enum
{
  NOTHING,
  PINNED_ALLOCATION,
  DEVICE_ALLOCATION,
  MEMSET,
  MEMSET_IN_A_STREAM,
  COPY,
  COPY_IN_A_STREAM,
  KERNEL,
  KERNEL_NON_BLOCKING,
  N_BETWEENS
};

static const char *const betweens[N_BETWEENS] = {
  "nothing",          "pinned-allocation",  "device-allocation",
  "memset",           "memset-in-a-stream", "copy-on-device",
  "copy-in-a-stream", "default-stream",     "default-stream-non-blocking",
};

static gboolean
make_between (MemlaneProcedureContext *context, Apart *self, GError **error)
{
  MemlaneDevice *device = context->device;

  switch (self->between)
    {
    case PINNED_ALLOCATION:
      return memlane_procedure_take (context, error,
                                     { MEMLANE_TAKE_PINNED, &self->allocated, context->bytes });
    case DEVICE_ALLOCATION:
      return memlane_procedure_take (context, error,
                                     { MEMLANE_TAKE_DEVICE, &self->allocated, context->bytes });
    case MEMSET:
    case MEMSET_IN_A_STREAM:
      return memlane_device_memset_async (device, self->a, 0, context->bytes,
                                          self->between == MEMSET ? NULL : self->third, error);
    case COPY:
      return memlane_device_memcpy (device, self->b, self->a, context->bytes,
                                    MEMLANE_COPY_ON_DEVICE, error);
    case COPY_IN_A_STREAM:
      return memlane_device_memcpy_async (device, self->b, self->a, context->bytes,
                                          MEMLANE_COPY_ON_DEVICE, self->third, error);
    case KERNEL:
    case KERNEL_NON_BLOCKING:
      return memlane_device_launch (device, MEMLANE_KERNEL_COPY, self->b, self->a, NULL, PIECE,
                                    NULL, error);
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
  return memlane_device_launch (context->device, MEMLANE_KERNEL_COPY, (float *) self->b + PIECE,
                                self->a, NULL, PIECE, self->second, error)
         && ends_soon (context->device, self->second, &self->done, error);
}

static gboolean
run_serialisers (MemlaneProcedureContext *context, GError **error)
{
  Apart self = { 0 };
  MemlaneStream *first[2], *second[2];

  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_BLOCKING_STREAM, &first[0] },
          { MEMLANE_TAKE_BLOCKING_STREAM, &second[0] }, { MEMLANE_TAKE_STREAM, &first[1] },
          { MEMLANE_TAKE_STREAM, &second[1] }, { MEMLANE_TAKE_STREAM, &self.third },
          { MEMLANE_TAKE_DEVICE, &self.a, context->bytes, MEMLANE_BYTES (0) },
          { MEMLANE_TAKE_DEVICE, &self.b, context->bytes }))
    return FALSE;
  for (guint k = 0; k < context->options.samples * N_BETWEENS; k++)
    {
      gboolean non_blocking = k % N_BETWEENS == KERNEL_NON_BLOCKING;

      self.between = k % N_BETWEENS;
      self.second = second[non_blocking];
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, first[non_blocking], NULL, put_between, &self, NULL,
                                      error))
        return FALSE;
      memlane_procedure_word (context, betweens[self.between],
                              self.between_took > MEMLANE_LATCH_TIMEOUT_NS / 2 ? "host-waits"
                              : self.done ? "beside" : "one-after-the-other");
      if (self.allocated != NULL
          && !memlane_procedure_free (context, g_steal_pointer (&self.allocated), error))
        return FALSE;
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_serialisers = {
  .id = "serialisers",
  .summary = "a call between a kernel that spins on one stream and a kernel on another: do the two "
             "still run beside each other?",
  .outputs = {
    .words = "nothing pinned-allocation device-allocation memset memset-in-a-stream copy-on-device "
             "copy-in-a-stream default-stream "
             "default-stream-non-blocking",
  },
  .defaults = { .log2_elements = 20, .samples = MEMLANE_PROCEDURE_TRIALS },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_serialisers,
};

/* --- priorities ------------------------------------------------------------------------------- */

#define EARLY_KERNELS 4

/* The first stream has its kernels before the other has one. */
static gboolean
launch_race (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Beside *self = data;
  MemlaneDevice *device = context->device;
  MemlaneStream *early = self->streams[0], *late = self->streams[1];
  const gsize n = context->elements;
  gboolean done = memlane_device_event_record (device, self->start, early, error);

  for (guint i = 0; i < EARLY_KERNELS && done; i++)
    done = memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->out, self->a, self->b, n, early,
                                  error);
  return done && memlane_device_event_record (device, self->stop, early, error)
         && memlane_device_stream_wait_event (device, late, self->start, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_ADD, (float *) self->out + n, self->a,
                                   self->b, n, late, error)
         && memlane_device_event_record (device, self->joined[0], late, error);
}

static gboolean
run_priorities (MemlaneProcedureContext *context, GError **error)
{
  static const char *const names[] = { "same-priority", "high-priority" };
  const MemlaneDeviceInfo *info = memlane_device_get_info (context->device);
  const int least = info->priority_least, greatest = info->priority_greatest;
  const gsize bytes = context->bytes;
  Beside self = { 0 };
  MemlaneStream *others[2];

  memlane_procedure_sample (context, "levels", least - greatest + 1);
  if (least == greatest)
    return memlane_device_refuse (error, UNSUPPORTED, "the device has one stream priority alone");
  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_EVENT, &self.start },
                               { MEMLANE_TAKE_EVENT, &self.stop },
                               { MEMLANE_TAKE_EVENT, &self.joined[0] },
                               { MEMLANE_TAKE_STREAM, &self.streams[0], .priority = least },
                               { MEMLANE_TAKE_STREAM, &others[0], .priority = least },
                               { MEMLANE_TAKE_STREAM, &others[1], .priority = greatest },
                               { MEMLANE_TAKE_DEVICE, &self.a, bytes, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_DEVICE, &self.b, bytes, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_DEVICE, &self.out, 2 * bytes })
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  for (guint i = 0; i < 2 * (context->options.samples + 1); i++)
    {
      double late, all;

      self.streams[1] = others[i % 2];
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, self.streams[0], NULL, launch_race, &self, NULL,
                                      error)
          || !memlane_device_event_elapsed (context->device, self.start, self.joined[0], &late,
                                            error)
          || !memlane_device_event_elapsed (context->device, self.start, self.stop, &all, error))
        return FALSE;
      if (i < 2)
        continue; /* the first of each pays for what happens once */
      memlane_procedure_sample_of (context, names[i % 2], "late", late);
      memlane_procedure_sample_of (context, names[i % 2], "early", all);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_priorities = {
  .id = "priorities",
  .summary = "four kernels on a stream of the least priority, then one on another stream, of the "
             "same and of the greatest priority",
  .outputs = { .times =
                   "same-priority/late same-priority/early high-priority/late high-priority/early",
               .numbers = "levels" },
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_priorities,
};
