/* methods.c: one copy to the device, measured in several ways: what the method alone does to a
 * curve
 *
 * SPDX-License-Identifier: MIT
 *
 * Each way is written from what its program does, by the calls that all steps use; none of its code
 * is here. bandwidthTest is NVIDIA's sample up to CUDA 12, nvbandwidth its successor.
 */
#include "procedure.h"

#include <math.h>

#define BANDWIDTH_TEST_COPIES 100 /* bandwidthTest: MEMCOPY_ITERATIONS */
#define NVBANDWIDTH_COPIES 16     /* nvbandwidth: loopCount */

typedef struct
{
  void *pinned, *on_device;
  MemlaneEvent *start, *stop;
  MemlaneStream *stream;
} Copy;

static gboolean
queue_copies (MemlaneProcedureContext *context, const Copy *self, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!memlane_device_memcpy_async (context->device, self->on_device, self->pinned,
                                      context->bytes, MEMLANE_COPY_TO_DEVICE, self->stream, error))
      return FALSE;
  return TRUE;
}

/* @copies between two events; @latched: all of it is queued before the first one begins. *@ns: of
 * one copy. */
static gboolean
time_by_events (MemlaneProcedureContext *context, const Copy *self, guint copies, gboolean latched,
                double *ns, GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean late = FALSE,
           done = !latched || memlane_device_latch_close (device, self->stream, error);

  done = done
         && (!latched || queue_copies (context, self, 1, error)) /* the copy engine is awake then */
         && memlane_device_event_record (device, self->start, self->stream, error)
         && queue_copies (context, self, copies, error)
         && memlane_device_event_record (device, self->stop, self->stream, error);
  if (!memlane_device_latch_open (device, &late, done ? error : NULL) || !done
      || !memlane_device_stream_synchronize (device, self->stream, error)
      || !memlane_device_event_elapsed (device, self->start, self->stop, ns, error))
    return FALSE;
  *ns /= copies;
  if (late)
    *ns = NAN; /* void */
  return TRUE;
}

/* Two buffers that nobody has used before: what a first sample pays for. */
static gboolean
time_first (MemlaneProcedureContext *context, const Copy *self, double *ns, GError **error)
{
  Copy cold = *self;

  return memlane_procedure_take (context, error,
                                 { MEMLANE_TAKE_PINNED, &cold.pinned, context->bytes },
                                 { MEMLANE_TAKE_DEVICE, &cold.on_device, context->bytes })
         && time_by_events (context, &cold, 1, FALSE, ns, error)
         && memlane_procedure_free (context, cold.on_device, error)
         && memlane_procedure_free (context, cold.pinned, error);
}

/* By the host's clock around the blocking call, in whole microseconds as by gettimeofday(). */
static gboolean
time_by_host (MemlaneProcedureContext *context, void *to, const void *from, double *ns,
              GError **error)
{
  MemlaneDevice *device = context->device;
  double begin;

  if (!memlane_device_synchronize (device, error))
    return FALSE;
  begin = floor (memlane_device_clock (device) / 1e3);
  if (!memlane_device_memcpy (device, to, from, context->bytes, MEMLANE_COPY_TO_DEVICE, error))
    return FALSE;
  *ns = (floor (memlane_device_clock (device) / 1e3) - begin) * 1e3;
  return TRUE;
}

static gboolean
measure_all (MemlaneProcedureContext *context, const Copy *self, void *other, GError **error)
{
  struct { const char *output; double ns;
  } ways[] = {
    { "memlane", 0 },  { "bandwidth-test", 0 },     { "nvbandwidth", 0 },  { "first-sample", 0 },
    { "no-latch", 0 }, { "whole-microseconds", 0 }, { "wrong-buffer", 0 },
  };

  if (!time_by_events (context, self, 1, TRUE, &ways[0].ns, error)
      || !time_by_events (context, self, BANDWIDTH_TEST_COPIES, FALSE, &ways[1].ns, error)
      || !time_by_events (context, self, NVBANDWIDTH_COPIES, TRUE, &ways[2].ns, error)
      || !time_first (context, self, &ways[3].ns, error)
      || !time_by_events (context, self, 1, FALSE, &ways[4].ns, error)
      || !time_by_host (context, self->on_device, self->pinned, &ways[5].ns, error)
      /* the article's slip: cudaMallocHost where cudaMalloc belongs, so that nothing crosses the
       * link */
      || !time_by_host (context, other, self->pinned, &ways[6].ns, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (isfinite (ways[i].ns))
      memlane_procedure_sample (context, ways[i].output, ways[i].ns);
  return TRUE;
}

static gboolean
run_methods (MemlaneProcedureContext *context, GError **error)
{
  const gsize bytes = context->bytes;
  Copy self;
  void *other;
  double unused;

  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_STREAM, &self.stream },
          { MEMLANE_TAKE_EVENT, &self.start }, { MEMLANE_TAKE_EVENT, &self.stop },
          { MEMLANE_TAKE_PINNED, &self.pinned, bytes, 1 }, { MEMLANE_TAKE_PINNED, &other, bytes },
          { MEMLANE_TAKE_DEVICE, &self.on_device, bytes })
      /* once before: buffers and events are warm for all ways but the first sample's */
      || !time_by_events (context, &self, 1, TRUE, &unused, error)
      || !time_by_host (context, other, self.pinned, &unused, error))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    if (!memlane_procedure_go_on (context, error) || !measure_all (context, &self, other, error))
      return FALSE;
  return TRUE;
}

const MemlaneProcedure memlane_procedure_methods = {
  .id = "methods",
  .summary = "one copy to the device, timed as Memlane does, as bandwidthTest did, as nvbandwidth "
             "does, and with one care left out each",
  .outputs = { .times = "memlane bandwidth-test nvbandwidth first-sample no-latch "
                        "whole-microseconds wrong-buffer" },
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 20, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_methods,
};
