/* time.c: how long calls hold the host
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

/* --- round trips, timed by events ------------------------------------------------------------------------------------- */

static gboolean
make_round_trips (MemlaneProcedureContext *context, MemlaneProcedureMemory memory, const char *const names[5], gsize bytes, void *on_device,
                  GError **error)
{
  MemlaneDevice *device = context->device;
  MemlaneEvent *start, *stop;

  if (!memlane_procedure_event (context, &start, error) || !memlane_procedure_event (context, &stop, error))
    return FALSE;
  for (guint i = 0; i <= context->options.samples; i++)
    {
      void *host;
      double begin = memlane_device_clock (device), first = begin, allocated, released, copies, whole;

      if (!memlane_procedure_go_on (context, error) || !memlane_procedure_malloc (context, memory, bytes, &host, error))
        return FALSE;
      allocated = memlane_device_clock (device) - begin;
      /* The article copies memory that was never written: the pages are not even there. */
      if (!memlane_device_host_fill (device, host, 1, bytes, error) || !memlane_device_event_record (device, start, NULL, error))
        return FALSE;
      for (guint k = 0; k < context->options.times; k++)
        if (!memlane_device_memcpy (device, on_device, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
            || !memlane_device_memcpy (device, host, on_device, bytes, MEMLANE_COPY_TO_HOST, error))
          return FALSE;
      if (!memlane_device_event_record (device, stop, NULL, error) || !memlane_device_event_synchronize (device, stop, error)
          || !memlane_device_event_elapsed (device, start, stop, &copies, error))
        return FALSE;
      begin = memlane_device_clock (device);
      if (!memlane_procedure_free (context, host, error))
        return FALSE;
      released = memlane_device_clock (device) - begin;
      whole = memlane_device_clock (device) - first;
      if (i == 0)
        continue; /* it pays for what happens once */
      memlane_procedure_sample (context, names[0], allocated);
      memlane_procedure_sample (context, names[1], copies);
      memlane_procedure_sample (context, names[2], copies / context->options.times);
      memlane_procedure_sample (context, names[3], released);
      memlane_procedure_sample (context, names[4], whole);
    }
  return TRUE;
}

static gboolean
run_round_trips (MemlaneProcedureContext *context, GError **error)
{
  static const char *const pageable[] = {
    "pageable/alloc", "pageable/copies", "pageable/round-trip", "pageable/free", "pageable/whole",
  };
  static const char *const pinned[] = { "pinned/alloc", "pinned/copies", "pinned/round-trip", "pinned/free", "pinned/whole" };
  gsize bytes = context->options.bytes > 0 ? context->options.bytes : sizeof (float) << context->options.log2_elements;
  void *on_device;

  return memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PAGEABLE, pageable, bytes, on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PINNED, pinned, bytes, on_device, error);
}

#define FIVE(memory) \
  { memory "/alloc", MEMLANE_VALUE_TIME }, { memory "/copies", MEMLANE_VALUE_TIME }, { memory "/round-trip", MEMLANE_VALUE_TIME }, \
  { memory "/free", MEMLANE_VALUE_TIME }, { memory "/whole", MEMLANE_VALUE_TIME }
static const MemlaneStepOutput round_trip_outputs[] = { FIVE ("pageable"), FIVE ("pinned"), { NULL } };

const MemlaneProcedure memlane_procedure_round_trips = {
  .id = "round-trips",
  .summary = "cudaMemcpy there and back, many times between two events, from malloc's and from page-locked memory; the price of both",
  .outputs = round_trip_outputs,
  .defaults = { .bytes = 400000, .times = 100, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .bytes = 256 << 20, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* The first write is in the whole: pageable memory gets its pages then, page-locked memory has them. */
const MemlaneProcedure memlane_procedure_round_trips_of_size = {
  .id = "round-trips-of-size",
  .summary = "the same with vectors of 2^size floats: whole is allocation, first write, copies and release",
  .outputs = round_trip_outputs,
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 20, .times = 1, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* --- what returns before it is done --------------------------------------------------------------------------------------- */

typedef struct
{
  void *pageable, *pinned, *a, *b, *out;
  gsize elements, bytes;
} Buffers;

#define SMALL 65536

static gboolean
call_launch (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_launch (context->device, MEMLANE_KERNEL_ADD, to->out, to->a, to->b, to->elements, NULL, error);
}

static gboolean
call_copy_on_device (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy (context->device, to->out, to->a, to->bytes, MEMLANE_COPY_ON_DEVICE, error);
}

static gboolean
call_copy_small (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy (context->device, to->a, to->pageable, SMALL, MEMLANE_COPY_TO_DEVICE, error);
}

static gboolean
call_copy_pageable (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy (context->device, to->a, to->pageable, to->bytes, MEMLANE_COPY_TO_DEVICE, error);
}

static gboolean
call_copy_pinned (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy (context->device, to->a, to->pinned, to->bytes, MEMLANE_COPY_TO_DEVICE, error);
}

static gboolean
call_async_pinned (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy_async (context->device, to->a, to->pinned, to->bytes, MEMLANE_COPY_TO_DEVICE, NULL, error);
}

static gboolean
call_async_pageable (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memcpy_async (context->device, to->a, to->pageable, to->bytes, MEMLANE_COPY_TO_DEVICE, NULL, error);
}

static gboolean
call_memset (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;

  return memlane_device_memset_async (context->device, to->out, 0, to->bytes, NULL, error);
}

static const struct
{
  const char *returned, *done, *query, *held;
  MemlaneHeldCall call;
} calls[] = {
#define CALL(name, function) { name "/returned", name "/done", name "/query", name "/held", function }
  CALL ("launch", call_launch),
  CALL ("copy-on-device", call_copy_on_device),
  CALL ("copy-64k", call_copy_small),
  CALL ("copy-pageable", call_copy_pageable),
  CALL ("copy-pinned", call_copy_pinned),
  CALL ("async-pinned", call_async_pinned),
  CALL ("async-pageable", call_async_pageable),
  CALL ("memset", call_memset),
#undef CALL
};

/* Nothing else is going on: when does the call return, has the device done it by then, and when is it done? */
static gboolean
time_call (MemlaneProcedureContext *context, guint index, Buffers *buffers, gboolean warm, GError **error)
{
  MemlaneDevice *device = context->device;
  double begin, returned, done;
  gboolean ready;

  if (!memlane_procedure_go_on (context, error) || !memlane_device_synchronize (device, error))
    return FALSE;
  begin = memlane_device_clock (device);
  if (!calls[index].call (context, buffers, error))
    return FALSE;
  returned = memlane_device_clock (device);
  if (!memlane_device_stream_query (device, NULL, &ready, error) || !memlane_device_stream_synchronize (device, NULL, error))
    return FALSE;
  done = memlane_device_clock (device);
  if (!warm)
    return TRUE;
  memlane_procedure_word (context, calls[index].query, ready ? "done" : "not-yet");
  memlane_procedure_sample (context, calls[index].returned, returned - begin);
  memlane_procedure_sample (context, calls[index].done, done - begin);
  return TRUE;
}

static gboolean
run_return_times (MemlaneProcedureContext *context, GError **error)
{
  Buffers buffers = { .elements = (gsize) 1 << context->options.log2_elements };
  gsize bytes = buffers.bytes = buffers.elements * sizeof (float);
  void **const on_device[] = { &buffers.a, &buffers.b, &buffers.out };

  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &buffers.pageable, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PINNED, bytes, &buffers.pinned, error)
      || !memlane_device_host_fill (context->device, buffers.pageable, 1, bytes, error)
      || !memlane_device_host_fill (context->device, buffers.pinned, 1, bytes, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (on_device); i++)
    if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, on_device[i], error)
        || !memlane_device_memset_async (context->device, *on_device[i], 0, bytes, NULL, error))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      gboolean waited;
      double took;

      for (guint k = 0; k <= context->options.samples; k++)
        if (!time_call (context, i, &buffers, k > 0, error))
          return FALSE;
      for (guint k = 0; k < context->options.samples; k++)
        {
          if (!memlane_procedure_go_on (context, error)
              || !memlane_procedure_hold (context, NULL, NULL, calls[i].call, &buffers, &waited, &took, error))
            return FALSE;
          memlane_procedure_word (context, calls[i].held, waited ? "waits" : "returns");
        }
    }
  return TRUE;
}

#define FOUR(name) \
  { name "/returned", MEMLANE_VALUE_TIME }, { name "/done", MEMLANE_VALUE_TIME }, { name "/query", MEMLANE_VALUE_WORD }, \
  { name "/held", MEMLANE_VALUE_WORD }

const MemlaneProcedure memlane_procedure_return_times = {
  .id = "return-times",
  .summary = "eight calls: when each returns, whether its work is done by then, and whether it returns behind work that has not begun",
  .outputs = (const MemlaneStepOutput[]) {
    FOUR ("launch"), FOUR ("copy-on-device"), FOUR ("copy-64k"), FOUR ("copy-pageable"), FOUR ("copy-pinned"), FOUR ("async-pinned"),
    FOUR ("async-pageable"), FOUR ("memset"), { NULL },
  },
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_return_times,
};

/* --- arithmetic for each byte ----------------------------------------------------------------------------------------------- */

typedef struct
{
  void *pinned, *pinned_on_device, *input, *out;
  gsize elements;
} Arithmetic;

/* Operations for each byte that is read: a multiply-add is two, a float four bytes. */
static const struct
{
  const char *mapped, *copied, *kernel;
  guint operations;
} intensities[] = {
#define ROW(n) { "mapped/" #n, "copied/" #n, "kernel/" #n, n }
  ROW (1), ROW (4), ROW (16), ROW (64), ROW (256), ROW (1024),
#undef ROW
};

/* From the first call until the result stands on the device; the input is used once. */
static gboolean
time_work (MemlaneProcedureContext *context, const Arithmetic *self, guint i, gboolean copied, double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  double begin = memlane_device_clock (device);

  if ((copied && !memlane_device_memcpy_async (device, self->input, self->pinned, self->elements * sizeof (float), MEMLANE_COPY_TO_DEVICE,
                                               NULL, error))
      || !memlane_device_launch_work (device, self->out, copied ? self->input : self->pinned_on_device, self->elements,
                                      intensities[i].operations * 2, NULL, error)
      || !memlane_device_synchronize (device, error))
    return FALSE;
  *ns = memlane_device_clock (device) - begin;
  return TRUE;
}

/* The kernel alone, on device memory. */
static gboolean
time_kernel (MemlaneProcedureContext *context, const Arithmetic *self, guint i, double *ns, GError **error)
{
  double begin = memlane_device_clock (context->device);

  if (!memlane_device_launch_work (context->device, self->out, self->input, self->elements, intensities[i].operations * 2, NULL, error)
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  *ns = memlane_device_clock (context->device) - begin;
  return TRUE;
}

static gboolean
run_arithmetic (MemlaneProcedureContext *context, GError **error)
{
  Arithmetic self = { .elements = (gsize) 1 << context->options.log2_elements };
  gsize bytes = self.elements * sizeof (float);

  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_MAPPED, bytes, &self.pinned, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.input, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &self.out, error)
      || !memlane_device_host_get_device_pointer (context->device, self.pinned, &self.pinned_on_device, error)
      || !memlane_procedure_fill (context, self.pinned, bytes, 1, error))
    return FALSE;
  for (guint k = 0; k <= context->options.samples; k++)
    for (guint i = 0; i < G_N_ELEMENTS (intensities); i++)
      {
        double mapped, copied, kernel;

        if (!memlane_procedure_go_on (context, error) || !time_work (context, &self, i, FALSE, &mapped, error)
            || !time_work (context, &self, i, TRUE, &copied, error) || !time_kernel (context, &self, i, &kernel, error))
          return FALSE;
        if (k == 0)
          continue;
        memlane_procedure_sample (context, intensities[i].mapped, mapped);
        memlane_procedure_sample (context, intensities[i].copied, copied);
        memlane_procedure_sample (context, intensities[i].kernel, kernel);
      }
  return TRUE;
}

#define THREE(n) { "mapped/" #n, MEMLANE_VALUE_TIME }, { "copied/" #n, MEMLANE_VALUE_TIME }, { "kernel/" #n, MEMLANE_VALUE_TIME }

const MemlaneProcedure memlane_procedure_arithmetic = {
  .id = "arithmetic",
  .summary = "a kernel with 1 to 1024 operations for each byte that it reads, from mapped memory and after a copy; and alone",
  .outputs = (const MemlaneStepOutput[]) { THREE (1), THREE (4), THREE (16), THREE (64), THREE (256), THREE (1024), { NULL } },
  .defaults = { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_arithmetic,
};
