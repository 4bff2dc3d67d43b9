/* wait.c: what each way of waiting waits for, and what a host function sees
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

/* --- waiting ---------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneStream *held, *other;
  MemlaneEvent *in_held, *in_other;
  void *a, *b;
  guint wait;      /* to be made */
  gboolean answer; /* of a query */
} Waiting;

/* Both streams have work; the held one's is behind the latch. */
static gboolean
queue_work (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Waiting *self = data;
  MemlaneDevice *device = context->device;

  return memlane_device_launch (device, MEMLANE_KERNEL_COPY, self->b, self->a, NULL, 1024,
                                self->held, error)
         && memlane_device_event_record (device, self->in_held, self->held, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_COPY, (float *) self->b + 1024, self->a,
                                   NULL, 1024, self->other, error)
         && memlane_device_event_record (device, self->in_other, self->other, error);
}

enum
{
  WAIT_DEVICE,
  WAIT_HELD_STREAM,
  WAIT_OTHER_STREAM,
  WAIT_HELD_EVENT,
  WAIT_OTHER_EVENT,
  QUERY,
  WAIT_EVENT,
  N_WAITS
};

static const char *const waits[N_WAITS] = {
  "device",      "held-stream", "other-stream",      "held-event",
  "other-event", "query",       "stream-wait-event",
};

static gboolean
make_wait (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Waiting *self = data;
  MemlaneDevice *device = context->device;

  switch (self->wait)
    {
    case WAIT_HELD_STREAM:
    case WAIT_OTHER_STREAM:
      return memlane_device_stream_synchronize (
          device, self->wait == WAIT_HELD_STREAM ? self->held : self->other, error);
    case WAIT_HELD_EVENT:
    case WAIT_OTHER_EVENT:
      return memlane_device_event_synchronize (
          device, self->wait == WAIT_HELD_EVENT ? self->in_held : self->in_other, error);
    case QUERY:
      return memlane_device_stream_query (device, self->held, &self->answer, error);
    case WAIT_EVENT: /* the other stream shall wait for the held one's event; does it? */
      return memlane_device_stream_synchronize (device, self->other, error)
             && memlane_device_stream_wait_event (device, self->other, self->in_held, error)
             && memlane_device_launch (device, MEMLANE_KERNEL_COPY, (float *) self->b + 1024,
                                       self->a, NULL, 1024, self->other, error)
             && (memlane_device_pause (device, 5e6), TRUE)
             && memlane_device_stream_query (device, self->other, &self->answer, error);
    default:
      return memlane_device_synchronize (device, error);
    }
}

static gboolean
run_waiting (MemlaneProcedureContext *context, GError **error)
{
  const gsize bytes = 4096 * sizeof (float);
  Waiting self = { 0 };

  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_STREAM, &self.held }, { MEMLANE_TAKE_STREAM, &self.other },
          { MEMLANE_TAKE_EVENT, &self.in_held }, { MEMLANE_TAKE_EVENT, &self.in_other },
          { MEMLANE_TAKE_DEVICE, &self.a, bytes, MEMLANE_BYTES (0) },
          { MEMLANE_TAKE_DEVICE, &self.b, bytes })
      || !memlane_device_synchronize (context->device, error))
    return FALSE;
  for (guint k = 0; k < context->options.samples * N_WAITS; k++)
    {
      gboolean waited;

      self.wait = k % N_WAITS;
      if (!memlane_procedure_go_on (context, error)
          || !memlane_procedure_hold (context, self.held, queue_work, make_wait, &self, &waited,
                                      error))
        return FALSE;
      memlane_procedure_word (context, waits[self.wait], waited ? "waits" : "returns");
      if (self.wait == QUERY || self.wait == WAIT_EVENT)
        memlane_procedure_word (context,
                                self.wait == QUERY ? "query/answer" : "stream-wait-event/answer",
                                self.answer ? "done" : "not-ready");
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_waiting = {
  .id = "waiting",
  .summary = "one stream is held, another has done its work: which wait returns, which one does "
             "not?",
  .outputs = {
    .words = "device held-stream other-stream held-event other-event query query/answer "
             "stream-wait-event stream-wait-event/answer",
  },
  .defaults = { .samples = MEMLANE_PROCEDURE_TRIALS },
  .most = { .samples = 100 },
  .run = run_waiting,
};

/* --- a stream that goes while it has work ----------------------------------------------------- */

typedef struct
{
  MemlaneStream *stream;
  void *input, *on_device, *result; /* page-locked, device, page-locked */
} Leaving;

static gboolean
queue_last_work (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Leaving *self = data;

  return memlane_device_memcpy_async (context->device, self->on_device, self->input, context->bytes,
                                      MEMLANE_COPY_TO_DEVICE, self->stream, error)
         && memlane_device_memcpy_async (context->device, self->result, self->on_device,
                                         context->bytes, MEMLANE_COPY_TO_HOST, self->stream, error);
}

static gboolean
destroy_stream (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  return memlane_procedure_free (context, ((Leaving *) data)->stream, error);
}

static gboolean
run_stream_destroy (MemlaneProcedureContext *context, GError **error)
{
  const gsize bytes = context->bytes;
  Leaving self;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_PINNED, &self.input, bytes, 1 },
                               { MEMLANE_TAKE_PINNED, &self.result, bytes },
                               { MEMLANE_TAKE_DEVICE, &self.on_device, bytes }))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    {
      gboolean waited;

      if (!memlane_procedure_go_on (context, error)
          || !memlane_device_host_fill (context->device, self.result, 0xff, bytes, error)
          || !memlane_procedure_take (context, error, { MEMLANE_TAKE_STREAM, &self.stream })
          || !memlane_procedure_hold (context, self.stream, queue_last_work, destroy_stream, &self,
                                      &waited, error))
        return FALSE;
      memlane_procedure_word (context, "destroy", waited ? "waits" : "returns");
      memlane_procedure_yes (context, "work-is-done", memcmp (self.result, self.input, bytes) == 0);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_stream_destroy_pending = {
  .id = "stream-destroy",
  .summary = "cudaStreamDestroy while the stream is held with copies in it: does the call return, "
             "and is the work done all the same?",
  .outputs = { .words = "destroy work-is-done" },
  .defaults = { .log2_elements = 18, .samples = MEMLANE_PROCEDURE_TRIALS },
  .most = { .log2_elements = 24, .samples = 100 },
  .run = run_stream_destroy,
};

/* --- host functions --------------------------------------------------------------------------- */

#define STREAMS 2

typedef struct
{
  MemlaneProcedureContext *context;
  const float *input, *result; /* page-locked */
  gsize elements;
  float *behind;               /* page-locked: what the copy behind the function takes along */
  int called;                  /* by the device's thread, read after the wait */
  gboolean is_there;
  gboolean call_inside;
  char inside[400];            /* what a CUDA call within it said */
} Callback;

static void
on_callback (gpointer data)
{
  Callback *self = data;

  self->called++;
  self->is_there = memcmp (self->result, self->input, self->elements * sizeof *self->result) == 0;
  *self->behind = 42;
  if (self->call_inside)
    {
      g_autoptr (GError) problem = NULL;
      gboolean done;

      /* On purpose: what must not be done. The owner waits for the stream meanwhile, so the device
       * has one caller still. */
      (void) memlane_device_stream_query (self->context->device, NULL, &done, &problem);
      g_strlcpy (self->inside, problem != NULL ? problem->message : "success", sizeof self->inside);
    }
}

/* One stream's part: its buffers, and what its function sees. */
typedef struct
{
  MemlaneStream *stream;
  Callback function;
  void *on_device[2], *behind_on_device;
  void *back;               /* page-locked: where the copy behind the function ends */
} Pipeline;

static gboolean
prepare_pipeline (MemlaneProcedureContext *context, Pipeline *self, int seed, GError **error)
{
  const gsize bytes = context->bytes, one = sizeof (float);
  void *input, *result, *behind;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_BLOCKING_STREAM, &self->stream },
                               { MEMLANE_TAKE_PINNED, &input, bytes, seed },
                               { MEMLANE_TAKE_PINNED, &result, bytes, MEMLANE_BYTES (0xff) },
                               { MEMLANE_TAKE_PINNED, &behind, one, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_PINNED, &self->back, one, MEMLANE_BYTES (0) },
                               { MEMLANE_TAKE_DEVICE, &self->on_device[0], bytes },
                               { MEMLANE_TAKE_DEVICE, &self->on_device[1], bytes },
                               { MEMLANE_TAKE_DEVICE, &self->behind_on_device, one }))
    return FALSE;
  self->function = (Callback) { .context = context,
                               .input = input,
                               .result = result,
                               .elements = context->elements,
                               .behind = behind };
  return TRUE;
}

/* A float to the device and back, behind the function that writes it. */
static gboolean
queue_behind (MemlaneDevice *device, Pipeline *self, const float *behind, GError **error)
{
  return memlane_device_memcpy_async (device, self->behind_on_device, behind, sizeof (float),
                                      MEMLANE_COPY_TO_DEVICE, self->stream, error)
         && memlane_device_memcpy_async (device, self->back, self->behind_on_device, sizeof (float),
                                         MEMLANE_COPY_TO_HOST, self->stream, error);
}

static gboolean
queue_pipeline (MemlaneDevice *device, Pipeline *self, GError **error)
{
  Callback *function = &self->function;
  gsize bytes = function->elements * sizeof (float);

  return memlane_device_memcpy_async (device, self->on_device[0], function->input, bytes,
                                      MEMLANE_COPY_TO_DEVICE, self->stream, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_COPY, self->on_device[1],
                                   self->on_device[0], NULL, function->elements, self->stream,
                                   error)
         && memlane_device_memcpy_async (device, (float *) function->result, self->on_device[1],
                                         bytes, MEMLANE_COPY_TO_HOST, self->stream, error)
         && memlane_device_launch_host_function (device, on_callback, function, self->stream, error)
         && queue_behind (device, self, function->behind, error);
}

static gboolean
queue_stream_zero (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Pipeline *before = data, *after = before + 1;
  Callback *function = &before->function;

  return memlane_device_memcpy_async (context->device, (float *) function->result,
                                      before->on_device[1], context->bytes, MEMLANE_COPY_TO_HOST,
                                      before->stream, error)
         && memlane_device_launch_host_function (context->device, on_callback, function, NULL,
                                                 error)
         && queue_behind (context->device, after, function->behind, error);
}

/* A function in stream 0 behind a stream that is held, before another stream's copy: does it wait
 * for the first, and hold the second? */
static gboolean
try_stream_zero (MemlaneProcedureContext *context, Pipeline pipelines[STREAMS], GError **error)
{
  Callback *function = &pipelines[0].function;

  function->is_there = function->call_inside = FALSE;
  if (!memlane_device_host_fill (context->device, (float *) function->result, 0xff, context->bytes,
                                 error)
      || !memlane_device_host_fill (context->device, function->behind, 0, sizeof (float), error)
      || !memlane_device_host_fill (context->device, pipelines[1].back, 0, sizeof (float), error)
      || !memlane_procedure_hold (context, pipelines[0].stream, NULL, queue_stream_zero, pipelines,
                                  NULL, error))
    return FALSE;
  memlane_procedure_yes (context, "stream-0/waits", function->is_there);
  memlane_procedure_yes (context, "stream-0/holds", *(float *) pipelines[1].back == 42);
  return TRUE;
}

static gboolean
run_callbacks (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean is_there = TRUE, waited = TRUE, done = TRUE;
  Pipeline *pipelines, *first;
  void *memory;
  guint called = 0;

  /* Also after a failure a function that is queued looks at its pipeline: it stays to the end. */
  if (!memlane_procedure_take (
          context, error,
          { MEMLANE_TAKE_PAGEABLE, &memory, STREAMS * sizeof *first, MEMLANE_BYTES (0) }))
    return FALSE;
  pipelines = first = memory;
  for (guint i = 0; i < STREAMS; i++)
    if (!prepare_pipeline (context, &pipelines[i], (int) i + 1, error))
      return FALSE;
  for (guint i = 0; i < STREAMS && done; i++)
    done = queue_pipeline (device, &pipelines[i], error);
  if (!done || !memlane_device_synchronize (device, error))
    return FALSE;
  for (guint i = 0; i < STREAMS; i++)
    {
      called += (guint) pipelines[i].function.called;
      is_there &= pipelines[i].function.is_there;
      waited &= *(float *) pipelines[i].back == 42;
    }
  memlane_procedure_sample (context, "called", called);
  memlane_procedure_yes (context, "result-is-there", is_there);
  memlane_procedure_yes (context, "next-command-waits", waited);
  if (!try_stream_zero (context, pipelines, error))
    return FALSE;

  first->function.call_inside = TRUE;
  done = memlane_device_launch_host_function (device, on_callback, &first->function, first->stream,
                                              error);
  done = memlane_device_stream_synchronize (device, first->stream, done ? error : NULL) && done;
  if (*first->function.inside != '\0'
      && memlane_procedure_word_of_error (context, "cuda-call-inside", first->function.inside,
                                          first->function.inside))
    memlane_procedure_note (context, "%s", first->function.inside);
  return done;
}

const MemlaneProcedure memlane_procedure_callbacks = {
  .id = "callbacks",
  .summary = "copy, kernel, copy, host function, copy on each of two streams; a function in stream "
             "0 between them; one that makes a "
             "CUDA call",
  .outputs = { .numbers = "called",
               .words = "result-is-there next-command-waits stream-0/waits stream-0/holds "
                        "cuda-call-inside" },
  .defaults = { .log2_elements = 18 },
  .most = { .log2_elements = 24 },
  .run = run_callbacks,
};
