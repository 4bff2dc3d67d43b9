/* time.c: how long calls hold the host
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include "base/fail.h"

/* --- round trips, timed by events ------------------------------------------------------------------------------------- */

static gboolean
make_round_trips (MemlaneProcedureContext *context, MemlaneProcedureMemory memory, const char *group, gsize bytes, void *on_device,
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
  gsize bytes = context->options.bytes > 0 ? context->options.bytes : sizeof (float) << context->options.log2_elements;
  void *on_device;

  return memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PAGEABLE, "pageable", bytes, on_device, error)
         && make_round_trips (context, MEMLANE_PROCEDURE_PINNED, "pinned", bytes, on_device, error);
}

#define FIVE(memory) memory "/alloc " memory "/copies " memory "/round-trip " memory "/free " memory "/whole"
#define ROUND_TRIPS { .times = FIVE ("pageable") " " FIVE ("pinned") }

const MemlaneProcedure memlane_procedure_round_trips = {
  .id = "round-trips",
  .summary = "cudaMemcpy there and back, many times between two events, from malloc's and from page-locked memory; the price of both",
  .outputs = ROUND_TRIPS,
  .defaults = { .bytes = 400000, .times = 100, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .bytes = 256 << 20, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* The first write is in the whole: pageable memory gets its pages then, page-locked memory has them. */
const MemlaneProcedure memlane_procedure_round_trips_of_size = {
  .id = "round-trips-of-size",
  .summary = "the same with vectors of 2^size floats: whole is allocation, first write, copies and release",
  .outputs = ROUND_TRIPS,
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 20, .times = 1, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .times = 10000, .samples = 100 },
  .run = run_round_trips,
};

/* --- what returns before it is done --------------------------------------------------------------------------------------- */

typedef enum
{
  CALL_LAUNCH, CALL_ON_DEVICE, CALL_SMALL, CALL_ABOVE, CALL_PAGEABLE, CALL_PINNED, CALL_ASYNC_PINNED, CALL_ASYNC_PAGEABLE, CALL_MEMSET,
  N_CALLS
} Call;

static const char *const calls[N_CALLS] = {
  "launch", "copy-on-device", "copy-64k", "copy-128k", "copy-pageable", "copy-pinned", "async-pinned", "async-pageable", "memset",
};

typedef struct
{
  Call call; /* to be made */
  void *pageable, *pinned, *a, *b, *out;
  gsize elements, bytes;
} Buffers;

#define SMALL 65536 /* bytes: up to it a copy returns at once, the article says */

static gboolean
make_call (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Buffers *to = data;
  MemlaneDevice *device = context->device;
  const gboolean is_pinned = to->call == CALL_PINNED || to->call == CALL_ASYNC_PINNED;
  const void *from = is_pinned ? to->pinned : to->pageable;
  gsize bytes = to->call == CALL_SMALL ? SMALL : to->call == CALL_ABOVE ? 2 * SMALL : to->bytes;

  switch (to->call)
    {
    case CALL_LAUNCH:
      return memlane_device_launch (device, MEMLANE_KERNEL_ADD, to->out, to->a, to->b, to->elements, NULL, error);
    case CALL_ON_DEVICE:
      return memlane_device_memcpy (device, to->out, to->a, bytes, MEMLANE_COPY_ON_DEVICE, error);
    case CALL_ASYNC_PINNED:
    case CALL_ASYNC_PAGEABLE:
      return memlane_device_memcpy_async (device, to->a, from, bytes, MEMLANE_COPY_TO_DEVICE, NULL, error);
    case CALL_MEMSET:
      return memlane_device_memset_async (device, to->out, 0, bytes, NULL, error);
    case CALL_SMALL:
    case CALL_ABOVE:
    case CALL_PAGEABLE:
    case CALL_PINNED:
    case N_CALLS:
    default:
      return memlane_device_memcpy (device, to->a, from, bytes, MEMLANE_COPY_TO_DEVICE, error);
    }
}

/* Output "CALL/@what". */
static char *
name_output (const Buffers *buffers, const char *what)
{
  return g_strdup_printf ("%s/%s", calls[buffers->call], what);
}

/* Nothing else is going on: when does the call return, has the device done it by then, and when is it done? */
static gboolean
time_call (MemlaneProcedureContext *context, Buffers *buffers, gboolean warm, GError **error)
{
  MemlaneDevice *device = context->device;
  g_autofree char *query = name_output (buffers, "query");
  double begin, returned, done;
  gboolean ready;

  if (!memlane_procedure_go_on (context, error) || !memlane_device_synchronize (device, error))
    return FALSE;
  begin = memlane_device_clock (device);
  if (!make_call (context, buffers, error))
    return FALSE;
  returned = memlane_device_clock (device);
  if (!memlane_device_stream_query (device, NULL, &ready, error) || !memlane_device_stream_synchronize (device, NULL, error))
    return FALSE;
  done = memlane_device_clock (device);
  if (!warm)
    return TRUE;
  memlane_procedure_word (context, query, ready ? "done" : "not-yet");
  memlane_procedure_sample_of (context, calls[buffers->call], "returned", returned - begin);
  memlane_procedure_sample_of (context, calls[buffers->call], "done", done - begin);
  return TRUE;
}

static gboolean
prepare_buffers (MemlaneProcedureContext *context, Buffers *buffers, GError **error)
{
  gsize bytes = sizeof (float) << context->options.log2_elements;
  void **const on_device[] = { &buffers->a, &buffers->b, &buffers->out };

  *buffers = (Buffers) { .elements = bytes / sizeof (float), .bytes = bytes };
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &buffers->pageable, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PINNED, bytes, &buffers->pinned, error)
      || !memlane_device_host_fill (context->device, buffers->pageable, 1, bytes, error)
      || !memlane_device_host_fill (context->device, buffers->pinned, 1, bytes, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (on_device); i++)
    if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, on_device[i], error)
        || !memlane_device_memset_async (context->device, *on_device[i], 0, bytes, NULL, error))
      return FALSE;
  return TRUE;
}

static gboolean
time_call_often (MemlaneProcedureContext *context, Call call, Buffers *buffers, GError **error)
{
  buffers->call = call;
  for (guint k = 0; k <= context->options.samples; k++)
    if (!time_call (context, buffers, k > 0, error))
      return FALSE;
  return TRUE;
}

static gboolean
run_return_times (MemlaneProcedureContext *context, GError **error)
{
  Buffers buffers;

  if (!prepare_buffers (context, &buffers, error))
    return FALSE;
  for (guint i = 0; i < N_CALLS; i++)
    {
      g_autofree char *held = NULL;
      gboolean waited;
      double took;

      if (!time_call_often (context, (Call) i, &buffers, error))
        return FALSE;
      held = name_output (&buffers, "held");
      for (guint k = 0; k < context->options.samples; k++)
        {
          if (!memlane_procedure_go_on (context, error)
              || !memlane_procedure_hold (context, NULL, NULL, make_call, &buffers, &waited, &took, error))
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
  .summary = "nine calls: when each returns, whether its work is done by then, and whether it returns behind work that has not begun",
  .outputs = {
    .times = TIMES ("launch") " " TIMES ("copy-on-device") " " TIMES ("copy-64k") " " TIMES ("copy-128k") " " TIMES ("copy-pageable") " "
             TIMES ("copy-pinned") " " TIMES ("async-pinned") " " TIMES ("async-pageable") " " TIMES ("memset"),
    .words = WORDS ("launch") " " WORDS ("copy-on-device") " " WORDS ("copy-64k") " " WORDS ("copy-128k") " " WORDS ("copy-pageable") " "
             WORDS ("copy-pinned") " " WORDS ("async-pinned") " " WORDS ("async-pageable") " " WORDS ("memset"),
  },
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_return_times,
};

/* --- with CUDA_LAUNCH_BLOCKING ---------------------------------------------------------------------------------------------- */

/* The latch would not return here: it is a launch, too. */
static gboolean
run_blocking_calls (MemlaneProcedureContext *context, GError **error)
{
  Buffers buffers;

  if (context->open_ns <= 0)
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED,
                         "a simulated device does not read CUDA_LAUNCH_BLOCKING");
  return prepare_buffers (context, &buffers, error) && time_call_often (context, CALL_LAUNCH, &buffers, error)
         && time_call_often (context, CALL_ASYNC_PINNED, &buffers, error);
}

const MemlaneProcedure memlane_procedure_blocking_calls = {
  .id = "blocking-calls",
  .summary = "in a process with CUDA_LAUNCH_BLOCKING=1: a launch and an Async copy, when each returns, and whether its work is done "
             "by then",
  .outputs = { .times = TIMES ("launch") " " TIMES ("async-pinned"), .words = "launch/query async-pinned/query" },
  .is_blocking = TRUE,
  .defaults = { .log2_elements = 22, .samples = 8 },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_blocking_calls,
};

/* --- arithmetic for each byte ----------------------------------------------------------------------------------------------- */

#define PIPELINE_STREAMS 2
#define PIPELINE_CHUNKS 8

typedef struct
{
  void *pinned, *pinned_on_device, *input, *out;
  MemlaneStream *streams[PIPELINE_STREAMS];
  gsize elements;
} Arithmetic;

/* Operations for each byte that is read: a multiply-add is two, a float four bytes. */
static const guint intensities[] = { 1, 4, 16, 64, 256, 1024 };

/* From the first call until the result stands on the device; the input is used once. */
static gboolean
time_work (MemlaneProcedureContext *context, const Arithmetic *self, guint i, gboolean copied, double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  double begin = memlane_device_clock (device);

  if ((copied && !memlane_device_memcpy_async (device, self->input, self->pinned, self->elements * sizeof (float), MEMLANE_COPY_TO_DEVICE,
                                               NULL, error))
      || !memlane_device_launch_work (device, self->out, copied ? self->input : self->pinned_on_device, self->elements,
                                      intensities[i] * 2, NULL, error)
      || !memlane_device_synchronize (device, error))
    return FALSE;
  *ns = memlane_device_clock (device) - begin;
  return TRUE;
}

/* Copies overlap kernels, chunk by chunk. */
static gboolean
time_pipeline (MemlaneProcedureContext *context, const Arithmetic *self, guint i, double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  double begin = memlane_device_clock (device);
  gsize chunk = self->elements / PIPELINE_CHUNKS;

  for (guint k = 0; k < PIPELINE_CHUNKS; k++)
    {
      MemlaneStream *stream = self->streams[k % PIPELINE_STREAMS];
      float *input = (float *) self->input + k * chunk;

      if (!memlane_device_memcpy_async (device, input, (float *) self->pinned + k * chunk, chunk * sizeof (float), MEMLANE_COPY_TO_DEVICE,
                                        stream, error)
          || !memlane_device_launch_work (device, (float *) self->out + k * chunk, input, chunk, intensities[i] * 2, stream,
                                          error))
        return FALSE;
    }
  if (!memlane_device_synchronize (device, error))
    return FALSE;
  *ns = memlane_device_clock (device) - begin;
  return TRUE;
}

/* The kernel alone, on device memory. */
static gboolean
time_kernel (MemlaneProcedureContext *context, const Arithmetic *self, guint i, double *ns, GError **error)
{
  double begin = memlane_device_clock (context->device);

  if (!memlane_device_launch_work (context->device, self->out, self->input, self->elements, intensities[i] * 2, NULL, error)
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
  for (guint i = 0; i < PIPELINE_STREAMS; i++)
    if (!memlane_procedure_stream (context, TRUE, 0, &self.streams[i], error))
      return FALSE;
  for (guint k = 0; k <= context->options.samples; k++)
    for (guint i = 0; i < G_N_ELEMENTS (intensities); i++)
      {
        double mapped, copied, pipelined, kernel;
        g_autofree char *name = g_strdup_printf ("%u", intensities[i]);

        if (!memlane_procedure_go_on (context, error) || !time_work (context, &self, i, FALSE, &mapped, error)
            || !time_work (context, &self, i, TRUE, &copied, error) || !time_pipeline (context, &self, i, &pipelined, error)
            || !time_kernel (context, &self, i, &kernel, error))
          return FALSE;
        if (k == 0)
          continue;
        memlane_procedure_sample_of (context, "mapped", name, mapped);
        memlane_procedure_sample_of (context, "copied", name, copied);
        memlane_procedure_sample_of (context, "pipelined", name, pipelined);
        memlane_procedure_sample_of (context, "kernel", name, kernel);
      }
  return TRUE;
}

#define OF(n) "mapped/" #n " copied/" #n " pipelined/" #n " kernel/" #n

const MemlaneProcedure memlane_procedure_arithmetic = {
  .id = "arithmetic",
  .summary = "a kernel with 1 to 1024 operations for each byte: from mapped memory, after a copy, in a pipeline of 8 chunks on 2 "
             "streams, alone",
  .outputs = { .times = OF (1) " " OF (4) " " OF (16) " " OF (64) " " OF (256) " " OF (1024) },
  .defaults = { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_arithmetic,
};
