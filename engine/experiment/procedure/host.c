/* host.c: page-locked buffers as the articles' programs use them, faults included
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

#include "device/tracer.h"

/* --- page-locked buffers handed to a kernel ------------------------------------------------------------------------- */

typedef struct
{
  void *source[2], *locked[3]; /* pageable inputs; page-locked a, b and result */
  void *result;
  gsize elements, bytes;
} Handed;

/* The article's program: "device" buffers from cudaMallocHost, filled by cudaMemcpy to the "device". */
static gboolean
run_article (MemlaneProcedureContext *context, Handed *self, GError **error)
{
  MemlaneDevice *device = context->device;

  return memlane_device_memcpy (device, self->locked[0], self->source[0], self->bytes, MEMLANE_COPY_TO_DEVICE, error)
         && memlane_device_memcpy (device, self->locked[1], self->source[1], self->bytes, MEMLANE_COPY_TO_DEVICE, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->locked[2], self->locked[0], self->locked[1], self->elements, NULL,
                                   error)
         && memlane_device_memcpy (device, self->result, self->locked[2], self->bytes, MEMLANE_COPY_TO_HOST, error);
}

static gboolean
record_article (MemlaneProcedureContext *context, Handed *self, gboolean keep, GError **error)
{
  g_autoptr (MemlaneTracer) tracer = memlane_tracer_new (context->device, error);
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *events;
  MemlaneTraceInfo *info;
  guint n, on_host = 0, crossing = 0;
  double kernel = 0;
  gboolean made;

  if (tracer == NULL || !run_article (context, self, error))
    return FALSE;
  memlane_tracer_start (tracer);
  made = run_article (context, self, error);
  memlane_tracer_stop (tracer);
  if (!made)
    return FALSE;
  info = memlane_tracer_get_info (tracer);
  info->workload = g_strdup ("vector-add");
  info->elements = self->elements;
  info->log2_elements = context->options.log2_elements;
  info->method = g_strdup ("the article's program: buffers from cudaMallocHost take the place of device memory");
  trace = memlane_tracer_finish (g_steal_pointer (&tracer), error);
  if (trace == NULL)
    return FALSE;
  events = memlane_trace_get_events (trace, &n);
  for (guint i = 0; i < n; i++)
    {
      on_host += events[i].kind == MEMLANE_TRACE_COPY && events[i].way == MEMLANE_TRACE_WAY_ON_HOST;
      crossing += events[i].kind == MEMLANE_TRACE_COPY
                  && (events[i].way == MEMLANE_TRACE_WAY_TO_DEVICE || events[i].way == MEMLANE_TRACE_WAY_TO_HOST);
      kernel += events[i].kind == MEMLANE_TRACE_KERNEL ? (double) events[i].duration : 0;
    }
  memlane_procedure_sample (context, "kernel", kernel);
  if (keep)
    {
      memlane_procedure_word (context, "copies",
                              on_host > 0 && crossing == 0 ? "host-to-host" : on_host == 0 && crossing > 0 ? "crossing" : "mixed");
      memlane_procedure_keep_trace (context, trace);
    }
  return TRUE;
}

static gboolean
is_sum (const float *sum, const float *a, const float *b, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (sum[i] != a[i] + b[i])
      return FALSE;
  return TRUE;
}

static gboolean
run_handed (MemlaneProcedureContext *context, GError **error)
{
  Handed self = { .elements = (gsize) 1 << context->options.log2_elements };
  gsize bytes = self.bytes = self.elements * sizeof (float);

  if (!memlane_device_can (context->device, MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING))
    {
      g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED,
                           "a kernel cannot use a host's pointer on this device: it needs canMapHostMemory and unifiedAddressing");
      return FALSE;
    }
  for (guint i = 0; i < 3; i++)
    if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PINNED, bytes, &self.locked[i], error)
        || (i < 2 && (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &self.source[i], error)
                      || !memlane_procedure_fill (context, self.source[i], bytes, i + 1, error))))
      return FALSE;
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &self.result, error)
      || !memlane_device_host_fill (context->device, self.result, 0xff, bytes, error))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    if (!memlane_procedure_go_on (context, error) || !record_article (context, &self, i + 1 == context->options.samples, error))
      return FALSE;
  memlane_procedure_yes (context, "result-is-right", is_sum (self.result, self.source[0], self.source[1], self.elements));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_handed = {
  .id = "pinned-handed-to-kernel",
  .summary = "cudaMallocHost in the place of cudaMalloc, as in the article: copies and kernel recorded",
  .outputs = (const MemlaneStepOutput[]) {
    { "copies", MEMLANE_VALUE_WORD }, { "kernel", MEMLANE_VALUE_TIME }, { "result-is-right", MEMLANE_VALUE_WORD }, { NULL },
  },
  .defaults = { .log2_elements = 14, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 24, .samples = 30 },
  .run = run_handed,
};

/* --- the second case copies the first one's result back ------------------------------------------------------------------- */

static gboolean
run_wrong_buffer (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  gsize n = (gsize) 1 << context->options.log2_elements, bytes = n * sizeof (float);
  void *first[2], *second[2], *on_device[2], *result, *result_of_second, *back, *pointer[2];

  if (!memlane_device_can (device, MEMLANE_CAN_MAP_HOST_MEMORY))
    {
      g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "canMapHostMemory is 0 on this device");
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_MAPPED, bytes, &first[i], error)
        || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &second[i], error)
        || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &on_device[i], error)
        || !memlane_procedure_fill (context, first[i], bytes, i + 1, error)
        || !memlane_procedure_fill (context, second[i], bytes, i + 3, error) /* other numbers than the first case's */
        || !memlane_device_host_get_device_pointer (device, first[i], &pointer[i], error))
      return FALSE;
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &result, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &result_of_second, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &back, error)
      /* zero-copy */
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result, pointer[0], pointer[1], n, NULL, error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "first-case-is-right", is_sum (back, first[0], first[1], n));
  /* device memory, and the buffer that the article copies back */
  if (!memlane_device_memcpy (device, on_device[0], second[0], bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_memcpy (device, on_device[1], second[1], bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result_of_second, on_device[0], on_device[1], n, NULL, error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "article-checks-second-case", is_sum (back, second[0], second[1], n));
  memlane_procedure_yes (context, "article-sees-first-case-again", is_sum (back, first[0], first[1], n));
  /* the cure */
  if (!memlane_device_memcpy (device, back, result_of_second, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "cured-second-case-is-right", is_sum (back, second[0], second[1], n));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_wrong_buffer = {
  .id = "wrong-buffer",
  .summary = "the article's two additions with different inputs, the second copied back from the first one's result, then from its own",
  .outputs = (const MemlaneStepOutput[]) {
    { "first-case-is-right", MEMLANE_VALUE_WORD }, { "article-checks-second-case", MEMLANE_VALUE_WORD },
    { "article-sees-first-case-again", MEMLANE_VALUE_WORD }, { "cured-second-case-is-right", MEMLANE_VALUE_WORD }, { NULL },
  },
  .defaults = { .log2_elements = 14 },
  .most = { .log2_elements = 24 },
  .run = run_wrong_buffer,
};

/* --- one address for both --------------------------------------------------------------------------------------------------------- */

static gboolean
run_same_pointer (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  gsize n = (gsize) 1 << context->options.log2_elements, bytes = n * sizeof (float);
  gboolean same = TRUE;
  void *host[2], *on_device, *result, *back;

  if (!memlane_device_can (device, MEMLANE_CAN_MAP_HOST_MEMORY))
    {
      g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "canMapHostMemory is 0 on this device");
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    {
      if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_MAPPED, bytes, &host[i], error)
          || !memlane_procedure_fill (context, host[i], bytes, i + 1, error)
          || !memlane_device_host_get_device_pointer (device, host[i], &on_device, error))
        return FALSE;
      same &= on_device == host[i];
    }
  memlane_procedure_yes (context, "pointers-are-equal", same);
  if (!same)
    {
      /* A kernel that uses the host's address would end the context. */
      memlane_procedure_lack (context, "result-is-right", MEMLANE_DOUBT_UNSUPPORTED, "the device knows the memory by another address");
      return TRUE;
    }
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &result, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &back, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result, host[0], host[1], n, NULL, error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "result-is-right", is_sum (back, host[0], host[1], n));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_same_pointer = {
  .id = "same-pointer",
  .summary = "mapped memory: the address that cudaHostGetDevicePointer gives beside the host's own, and a kernel that uses the latter",
  .outputs = (const MemlaneStepOutput[]) {
    { "pointers-are-equal", MEMLANE_VALUE_WORD }, { "result-is-right", MEMLANE_VALUE_WORD }, { NULL },
  },
  .defaults = { .log2_elements = 14 },
  .most = { .log2_elements = 24 },
  .run = run_same_pointer,
};

/* --- zero copy in three steps ----------------------------------------------------------------------------------------------------- */

static gboolean
run_zero_copy_steps (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  gsize n = (gsize) 1 << context->options.log2_elements, bytes = n * sizeof (float);
  g_autofree char *poison = NULL;
  void *data, *result, *data_pointer, *result_pointer;
  gboolean waited = FALSE;

  if (!memlane_device_can (device, MEMLANE_CAN_MAP_HOST_MEMORY))
    {
      memlane_procedure_yes (context, "step-1-mapping-is-possible", FALSE);
      g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "canMapHostMemory is 0 on this device");
      return FALSE;
    }
  memlane_procedure_yes (context, "step-1-mapping-is-possible", TRUE);
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_MAPPED_WRITE_COMBINED, bytes, &data, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_MAPPED, bytes, &result, error)
      || !memlane_procedure_fill (context, data, bytes, 1, error) || !memlane_device_host_fill (device, result, 0xff, bytes, error))
    return FALSE;
  memlane_procedure_yes (context, "step-2-allocated", TRUE);
  if (!memlane_device_host_get_device_pointer (device, data, &data_pointer, error)
      || !memlane_device_host_get_device_pointer (device, result, &result_pointer, error))
    return FALSE;
  memlane_procedure_yes (context, "step-3-pointers", TRUE);
  memlane_procedure_yes (context, "pointers-are-equal", data_pointer == data && result_pointer == result);
  /* The kernel is held, so that "before the wait" is before it for sure. */
  if (!memlane_device_latch_close (device, NULL, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_COPY, result_pointer, data_pointer, NULL, n, NULL, error))
    return FALSE;
  poison = g_malloc (bytes);
  memset (poison, 0xff, bytes);
  memlane_procedure_yes (context, "result-before-the-wait", memcmp (result, poison, bytes) != 0);
  if (!memlane_device_latch_open (device, &waited, error) || !memlane_device_synchronize (device, error))
    return FALSE;
  memlane_procedure_yes (context, "result-after-the-wait", memcmp (result, data, bytes) == 0);
  return TRUE;
}

const MemlaneProcedure memlane_procedure_zero_copy_steps = {
  .id = "zero-copy-steps",
  .summary = "mapping asked for, write-combined and mapped memory, device pointers, a kernel that copies; the result before and after the "
             "wait",
  .outputs = (const MemlaneStepOutput[]) {
    { "step-1-mapping-is-possible", MEMLANE_VALUE_WORD }, { "step-2-allocated", MEMLANE_VALUE_WORD },
    { "step-3-pointers", MEMLANE_VALUE_WORD }, { "pointers-are-equal", MEMLANE_VALUE_WORD },
    { "result-before-the-wait", MEMLANE_VALUE_WORD }, { "result-after-the-wait", MEMLANE_VALUE_WORD }, { NULL },
  },
  .defaults = { .log2_elements = 7 },
  .most = { .log2_elements = 20 },
  .run = run_zero_copy_steps,
};
