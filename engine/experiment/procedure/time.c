/* time.c: how long calls hold the host
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include "base/fail.h"

/* --- round trips, timed by events ------------------------------------------------------------- */

static gboolean
make_round_trips (MemlaneProcedureContext *context, MemlaneTakeKind memory, const char *group,
                  gsize bytes, void *on_device, GError **error)
{
  MemlaneDevice *device = context->device;
  MemlaneEvent *start, *stop;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_EVENT, &start },
                               { MEMLANE_TAKE_EVENT, &stop }))
    return FALSE;
  for (guint i = 0; i <= context->options.samples; i++)
    {
      void *host;
      double begin = memlane_device_clock (device), first = begin, allocated, released, copies,
             whole;

      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_take (context, error, { memory, &host, bytes }))
        return FALSE;
      allocated = memlane_device_clock (device) - begin;
      /* The article copies memory that was never written: the pages are not even there. */
      if (!memlane_device_host_fill (device, host, 1, bytes, error)
          || !memlane_device_event_record (device, start, NULL, error))
        return FALSE;
      for (guint k = 0; k < context->options.times; k++)
        if (!memlane_device_memcpy (device, on_device, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
            || !memlane_device_memcpy (device, host, on_device, bytes, MEMLANE_COPY_TO_HOST, error))
          return FALSE;
      if (!memlane_device_event_record (device, stop, NULL, error)
          || !memlane_device_event_synchronize (device, stop, error)
          || !memlane_device_event_elapsed (device, start, stop, &copies, error))
        return FALSE;
      begin = memlane_device_clock (device);
      if (!memlane_procedure_free (context, host, error))
        return FALSE;
      released = memlane_device_clock (device) - begin;
      whole = memlane_device_clock (device) - first;
      if (i == 0)
        continue; /* it pays for what happens once */
      memlane_procedure_sample_of (context, group, "alloc", allocated);
      memlane_procedure_sample_of (context, group, "copies", copies);
      memlane_procedure_sample_of (context, group, "round-trip", copies / context->options.times);
      memlane_procedure_sample_of (context, group, "free", released);
      memlane_procedure_sample_of (context, group, "whole", whole);
    }
  return TRUE;
}

static gboolean
run_round_trips (MemlaneProcedureContext *context, GError **error)
{
  gsize bytes = context->options.bytes > 0 ? context->options.bytes : context->bytes;
  void *on_device;

  return memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &on_device, bytes })
         && make_round_trips (context, MEMLANE_TAKE_PAGEABLE, "pageable", bytes, on_device, error)
         && make_round_trips (context, MEMLANE_TAKE_PINNED, "pinned", bytes, on_device, error);
}

#define FIVE(memory)                                                                               \
  memory "/alloc " memory "/copies " memory "/round-trip " memory "/free " memory "/whole"
#define ROUND_TRIPS { .times = FIVE ("pageable") " " FIVE ("pinned") }

const MemlaneProcedure memlane_procedure_round_trips = {
  .id = "round-trips",
  .summary = "cudaMemcpy there and back, many times between two events, from malloc's and from "
             "page-locked memory; the price of both",
  .outputs = ROUND_TRIPS,
  .defaults = { .bytes = 400000, .times = 100, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .bytes = 256 << 20, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* The first write is in the whole: pageable memory gets its pages then, page-locked memory has
 * them. */
const MemlaneProcedure memlane_procedure_round_trips_of_size = {
  .id = "round-trips-of-size",
  .summary = "cudaMemcpy there and back with vectors of one size: whole is allocation, first "
             "write, copies and release",
  .outputs = ROUND_TRIPS,
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 20, .times = 1, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* --- what returns before it is done ----------------------------------------------------------- */

#define SMALL 65536 /* bytes: up to it a copy returns at once, the article says */

static const struct
{
  const char *name;
  enum { LAUNCH, MEMSET, COPY_ON_DEVICE, COPY, ASYNC } kind;
  gboolean pinned; /* it copies from page-locked memory; else from malloc's */
  gsize bytes;     /* that it copies; 0: the whole vector */
} calls[] = {
  { "launch", LAUNCH },
  { "copy-on-device", COPY_ON_DEVICE },
  { "copy-64k", COPY, FALSE, SMALL },
  { "copy-128k", COPY, FALSE, 2 * SMALL },
  { "copy-pageable", COPY },
  { "copy-pinned", COPY, TRUE },
  { "async-pinned", ASYNC, TRUE },
  { "async-pageable", ASYNC },
  { "memset", MEMSET },
};

typedef struct
{
  guint call; /* to be made */
  void *pageable, *pinned, *a, *b, *out;
} Buffers;

static gboolean
make_call (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;
  MemlaneDevice *device = context->device;
  const void *from = calls[to->call].pinned ? to->pinned : to->pageable;
  gsize bytes = calls[to->call].bytes > 0 ? calls[to->call].bytes : context->bytes;

  switch (calls[to->call].kind)
    {
    case LAUNCH:
      return memlane_device_launch (device, MEMLANE_KERNEL_ADD, to->out, to->a, to->b,
                                    context->elements, NULL, error);
    case MEMSET:
      return memlane_device_memset_async (device, to->out, 0, bytes, NULL, error);
    case COPY_ON_DEVICE:
      return memlane_device_memcpy (device, to->out, to->a, bytes, MEMLANE_COPY_ON_DEVICE, error);
    case ASYNC:
      return memlane_device_memcpy_async (device, to->a, from, bytes, MEMLANE_COPY_TO_DEVICE, NULL,
                                          error);
    case COPY:
    default:
      return memlane_device_memcpy (device, to->a, from, bytes, MEMLANE_COPY_TO_DEVICE, error);
    }
}

/* Nothing else is going on: when does the call return, has the device done it by then, and when is
 * it done? */
static gboolean
time_call (MemlaneProcedureContext *context, Buffers *buffers, gboolean warm, GError **error)
{
  MemlaneDevice *device = context->device;
  const char *name = calls[buffers->call].name;
  g_autofree char *query = g_strconcat (name, "/query", NULL);
  double begin, returned, done;
  gboolean ready;

  if (!memlane_procedure_go_on (context, error) || !memlane_device_synchronize (device, error))
    return FALSE;
  begin = memlane_device_clock (device);
  if (!make_call (context, buffers, error))
    return FALSE;
  returned = memlane_device_clock (device);
  if (!memlane_device_stream_query (device, NULL, &ready, error)
      || !memlane_device_stream_synchronize (device, NULL, error))
    return FALSE;
  done = memlane_device_clock (device);
  if (!warm)
    return TRUE;
  memlane_procedure_word (context, query, ready ? "done" : "not-yet");
  memlane_procedure_sample_of (context, name, "returned", returned - begin);
  memlane_procedure_sample_of (context, name, "done", done - begin);
  return TRUE;
}

/* In a blocking process the latch would not return: it is a launch, too. */
static gboolean
run_return_times (MemlaneProcedureContext *context, GError **error)
{
  const gboolean blocking = context->procedure->is_blocking;
  const gsize bytes = context->bytes;
  Buffers buffers;

  if (blocking && context->open_ns <= 0)
    return memlane_device_refuse (error, UNSUPPORTED,
                                  "a simulated device does not read CUDA_LAUNCH_BLOCKING");
  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_PAGEABLE, &buffers.pageable, bytes, MEMLANE_BYTES (1) },
          { MEMLANE_TAKE_PINNED, &buffers.pinned, bytes, MEMLANE_BYTES (1) },
          { MEMLANE_TAKE_DEVICE, &buffers.a, bytes, MEMLANE_BYTES (0) },
          { MEMLANE_TAKE_DEVICE, &buffers.b, bytes, MEMLANE_BYTES (0) },
          { MEMLANE_TAKE_DEVICE, &buffers.out, bytes, MEMLANE_BYTES (0) }))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *held = g_strconcat (calls[i].name, "/held", NULL);

      if (blocking && calls[i].kind != LAUNCH && (calls[i].kind != ASYNC || !calls[i].pinned))
        continue;
      buffers.call = i;
      for (guint k = 0; k <= context->options.samples; k++)
        if (!time_call (context, &buffers, k > 0, error))
          return FALSE;
      for (guint k = 0; k < context->options.samples && !blocking; k++)
        {
          gboolean waited;

          if (!memlane_procedure_go_on (context, error)
              || !memlane_procedure_hold (context, NULL, NULL, make_call, &buffers, &waited, error))
            return FALSE;
          memlane_procedure_word (context, held, waited ? "waits" : "returns");
        }
    }
  return TRUE;
}

#define TIMES(name) name "/returned " name "/done"
#define WORDS(name) name "/query " name "/held"

const MemlaneProcedure memlane_procedure_return_times = {
  .id = "return-times",
  .summary = "nine calls: when each returns, whether its work is done by then, and whether it "
             "returns behind work that has not begun",
  .outputs = {
    .times = TIMES ("launch") " " TIMES ("copy-on-device") " " TIMES ("copy-64k") " "
             TIMES ("copy-128k") " " TIMES ("copy-pageable") " " TIMES ("copy-pinned") " "
             TIMES ("async-pinned") " " TIMES ("async-pageable") " " TIMES ("memset"),
    .words = WORDS ("launch") " " WORDS ("copy-on-device") " " WORDS ("copy-64k") " "
             WORDS ("copy-128k") " " WORDS ("copy-pageable") " " WORDS ("copy-pinned") " "
             WORDS ("async-pinned") " " WORDS ("async-pageable") " " WORDS ("memset"),
  },
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_return_times,
};

const MemlaneProcedure memlane_procedure_blocking_calls = {
  .id = "blocking-calls",
  .summary = "in a process with CUDA_LAUNCH_BLOCKING=1: a launch and an Async copy, when each "
             "returns, and whether its work is done "
             "by then",
  .outputs = { .times = TIMES ("launch") " " TIMES ("async-pinned"),
               .words = "launch/query async-pinned/query" },
  .is_blocking = TRUE,
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_return_times,
};

/* --- arithmetic for each byte ----------------------------------------------------------------- */

#define PIPELINE_STREAMS 2
#define PIPELINE_CHUNKS 8

typedef struct
{
  void *pinned, *pinned_on_device, *input, *out;
  MemlaneStream *streams[PIPELINE_STREAMS];
} Arithmetic;

/* Operations for each byte that is read: a multiply-add is two, a float four bytes. */
static const guint intensities[] = { 1, 4, 16, 64, 256, 1024 };

static const struct
{
  const char *name;
  gboolean mapped; /* the kernel reads mapped memory; else device memory */
  /* of parts of the input to the device, each before the kernel on that part; several overlap the
   * kernels */
  guint copies;
} ways[] = { { "mapped", TRUE, 0 },
             { "copied", FALSE, 1 },
             { "pipelined", FALSE, PIPELINE_CHUNKS },
             { "kernel", FALSE, 0 } };

/* From the first call until the result stands on the device; the input is used once. */
static gboolean
time_work (MemlaneProcedureContext *context, const Arithmetic *self, guint way, guint intensity,
           double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  double begin = memlane_device_clock (device);
  gsize chunk = context->elements / MAX (ways[way].copies, 1);

  for (gsize at = 0; at < context->elements; at += chunk)
    {
      MemlaneStream *stream = ways[way].copies > 1 ? self->streams[at / chunk % PIPELINE_STREAMS]
                                                   : NULL;
      float *input = (float *) (ways[way].mapped ? self->pinned_on_device : self->input) + at;

      if ((ways[way].copies > 0
           && !memlane_device_memcpy_async (device, input, (float *) self->pinned + at,
                                            chunk * sizeof (float), MEMLANE_COPY_TO_DEVICE, stream,
                                            error))
          || !memlane_device_launch_work (device, (float *) self->out + at, input, chunk,
                                          intensity * 2, stream, error))
        return FALSE;
    }
  if (!memlane_device_synchronize (device, error))
    return FALSE;
  *ns = memlane_device_clock (device) - begin;
  return TRUE;
}

static gboolean
run_arithmetic (MemlaneProcedureContext *context, GError **error)
{
  const gsize bytes = context->bytes;
  Arithmetic self;

  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_MAPPED, &self.pinned, bytes, 1 },
          { MEMLANE_TAKE_DEVICE, &self.input, bytes }, { MEMLANE_TAKE_DEVICE, &self.out, bytes },
          { MEMLANE_TAKE_STREAM, &self.streams[0] }, { MEMLANE_TAKE_STREAM, &self.streams[1] })
      || !memlane_device_host_get_device_pointer (context->device, self.pinned,
                                                  &self.pinned_on_device, error))
    return FALSE;
  for (guint k = 0; k <= context->options.samples; k++)
    for (guint i = 0; i < G_N_ELEMENTS (intensities) * G_N_ELEMENTS (ways); i++)
      {
        const guint intensity = intensities[i / G_N_ELEMENTS (ways)], way = i % G_N_ELEMENTS (ways);
        g_autofree char *name = g_strdup_printf ("%u", intensity);
        double ns;

        if (!memlane_procedure_go_on (context, error)
            || !time_work (context, &self, way, intensity, &ns, error))
          return FALSE;
        if (k > 0)
          memlane_procedure_sample_of (context, ways[way].name, name, ns);
      }
  return TRUE;
}

#define OF(n) "mapped/" #n " copied/" #n " pipelined/" #n " kernel/" #n

const MemlaneProcedure memlane_procedure_arithmetic = {
  .id = "arithmetic",
  .summary = "a kernel with 1 to 1024 operations for each byte: from mapped memory, after a copy, "
             "in a pipeline of 8 chunks on 2 "
             "streams, alone",
  .outputs = { .times = OF (1) " " OF (4) " " OF (16) " " OF (64) " " OF (256) " " OF (1024) },
  .defaults = { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_arithmetic,
};
