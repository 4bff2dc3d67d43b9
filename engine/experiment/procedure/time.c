/* time.c: how long calls hold the host
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

/* --- round trips, timed by events ------------------------------------------------------------------------------------- */

static gboolean
make_round_trips (MemlaneProcedureContext *context, MemlaneProcedureMemory memory, const char *const names[4], void *on_device,
                  GError **error)
{
  MemlaneDevice *device = context->device;
  gsize bytes = context->options.bytes;
  MemlaneEvent *start, *stop;

  if (!memlane_procedure_event (context, &start, error) || !memlane_procedure_event (context, &stop, error))
    return FALSE;
  for (guint i = 0; i <= context->options.samples; i++)
    {
      void *host;
      double begin = memlane_device_clock (device), allocated, released, copies;

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
      if (i == 0)
        continue; /* it pays for what happens once */
      memlane_procedure_sample (context, names[0], allocated);
      memlane_procedure_sample (context, names[1], copies);
      memlane_procedure_sample (context, names[2], copies / context->options.times);
      memlane_procedure_sample (context, names[3], released);
    }
  return TRUE;
}

static gboolean
run_round_trips (MemlaneProcedureContext *context, GError **error)
{
  static const char *const pageable[] = { "pageable/alloc", "pageable/copies", "pageable/round-trip", "pageable/free" };
  static const char *const pinned[] = { "pinned/alloc", "pinned/copies", "pinned/round-trip", "pinned/free" };
  void *on_device;

  return memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, context->options.bytes, &on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PAGEABLE, pageable, on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PINNED, pinned, on_device, error);
}

const MemlaneProcedure memlane_procedure_round_trips = {
  .id = "round-trips",
  .summary = "cudaMemcpy there and back, many times between two events, from malloc's and from page-locked memory; the price of both",
  .outputs = (const MemlaneStepOutput[]) {
    { "pageable/alloc", MEMLANE_VALUE_TIME }, { "pageable/copies", MEMLANE_VALUE_TIME }, { "pageable/round-trip", MEMLANE_VALUE_TIME },
    { "pageable/free", MEMLANE_VALUE_TIME }, { "pinned/alloc", MEMLANE_VALUE_TIME }, { "pinned/copies", MEMLANE_VALUE_TIME },
    { "pinned/round-trip", MEMLANE_VALUE_TIME }, { "pinned/free", MEMLANE_VALUE_TIME }, { NULL },
  },
  .defaults = { .bytes = 400000, .times = 100, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .bytes = 256 << 20, .times = 10000, .samples = 100 },
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
time_call (MemlaneProcedureContext *context, guint index, Buffers *buffers, gboolean warm, guint *not_yet, GError **error)
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
  *not_yet += !ready;
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
      guint not_yet = 0;
      gboolean waited;
      double took;

      for (guint k = 0; k <= context->options.samples; k++)
        if (!time_call (context, i, &buffers, k > 0, &not_yet, error))
          return FALSE;
      memlane_procedure_word (context, calls[i].query, not_yet == context->options.samples ? "not-yet" : not_yet == 0 ? "done" : "mixed");
      if (!memlane_procedure_hold (context, NULL, NULL, calls[i].call, &buffers, &waited, &took, error))
        return FALSE;
      memlane_procedure_word (context, calls[i].held, waited ? "waits" : "returns");
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
