/* host.c: page-locked buffers as the articles' programs use them, faults included
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

/* --- page-locked buffers handed to a kernel --------------------------------------------------- */

typedef struct
{
  void *source[2], *locked[3]; /* pageable inputs; page-locked a, b and result */
  void *result;
} Handed;

#define COPIES_OF_ARTICLE 3

/* The article's program: "device" buffers from cudaMallocHost, filled by cudaMemcpy to the
 * "device". */
static gboolean
run_article (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Handed *self = data;
  MemlaneDevice *device = context->device;

  return memlane_device_memcpy (device, self->locked[0], self->source[0], context->bytes,
                                MEMLANE_COPY_TO_DEVICE, error)
         && memlane_device_memcpy (device, self->locked[1], self->source[1], context->bytes,
                                   MEMLANE_COPY_TO_DEVICE, error)
         && memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->locked[2], self->locked[0],
                                   self->locked[1], context->elements, NULL, error)
         && memlane_device_memcpy (device, self->result, self->locked[2], context->bytes,
                                   MEMLANE_COPY_TO_HOST, error);
}

static gboolean
record_article (MemlaneProcedureContext *context, Handed *self, gboolean keep, GError **error)
{
  g_autoptr (MemlaneTrace) trace = memlane_procedure_record (
      context, run_article, self, "vector-add", NULL,
      "the article's program: "
      "buffers from cudaMallocHost take the place of device memory",
      error);
  MemlaneTraceSum calls, copies;

  if (trace == NULL)
    return FALSE;
  calls = memlane_trace_sum (trace, MEMLANE_TRACE_CALL, MEMLANE_TRACE_N_WAYS, "cudaMemcpy");
  copies = memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_N_WAYS, "");
  memlane_procedure_sample (
      context, "kernel",
      memlane_trace_sum (trace, MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_N_WAYS, "").ns);
  memlane_procedure_sample (context, "copy", copies.ns / COPIES_OF_ARTICLE);
  memlane_procedure_sample (context, "memcpy", calls.ns / MAX (calls.events, 1));
  if (keep)
    {
      guint on_host =
          memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_ON_HOST, "").events;
      guint crossing =
          memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE, "").events
          + memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST, "").events;

      memlane_procedure_word (context, "copies",
                              on_host > 0 && crossing == 0   ? "host-to-host"
                              : on_host == 0 && crossing > 0 ? "crossing"
                                                             : "mixed");
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
  const gsize bytes = context->bytes;
  Handed self;

  if (!memlane_procedure_need (context,
                               MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING, error))
    return FALSE;
  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_PINNED, &self.locked[0], bytes },
          { MEMLANE_TAKE_PINNED, &self.locked[1], bytes },
          { MEMLANE_TAKE_PINNED, &self.locked[2], bytes },
          { MEMLANE_TAKE_PAGEABLE, &self.source[0], bytes, 1 },
          { MEMLANE_TAKE_PAGEABLE, &self.source[1], bytes, 2 },
          { MEMLANE_TAKE_PAGEABLE, &self.result, bytes, MEMLANE_BYTES (0xff) }))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    if (!memlane_procedure_go_on (context, error)
        || !record_article (context, &self, i + 1 == context->options.samples, error))
      return FALSE;
  memlane_procedure_yes (context, "result-is-right",
                         is_sum (self.result, self.source[0], self.source[1], context->elements));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_handed = {
  .id = "pinned-handed-to-kernel",
  .summary =
      "cudaMallocHost in the place of cudaMalloc, as in the article: copies and kernel recorded",
  .outputs = { .times = "kernel copy memcpy", .words = "copies result-is-right" },
  .defaults = { .log2_elements = 14, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 24, .samples = 30 },
  .run = run_handed,
};

/* --- managed and other memory in one kernel --------------------------------------------------- */

static gboolean
run_mixed_memory (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = context->elements, bytes = context->bytes;
  void *managed, *host, *on_device, *out, *back;

  if (!memlane_procedure_take (
          context, error, { MEMLANE_TAKE_PAGEABLE, &host, bytes, 2 },
          { MEMLANE_TAKE_PAGEABLE, &back, bytes }, { MEMLANE_TAKE_DEVICE, &on_device, bytes },
          { MEMLANE_TAKE_DEVICE, &out, bytes }, { MEMLANE_TAKE_MANAGED, &managed, bytes, 1 })
      || !memlane_device_memcpy (device, on_device, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, out, managed, on_device, n, NULL,
                                 error)
      || !memlane_device_memcpy (device, back, out, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "result-is-right", is_sum (back, managed, host, n));
  return memlane_procedure_free (context, managed, error);
}

const MemlaneProcedure memlane_procedure_mixed_memory = {
  .id = "mixed-memory",
  .summary = "an addition of a managed vector and one that a copy has brought to the device",
  .outputs = { .words = "result-is-right" },
  .defaults = { .log2_elements = 14 },
  .most = { .log2_elements = 24 },
  .run = run_mixed_memory,
};

/* --- the second case copies the first one's result back --------------------------------------- */

static gboolean
run_wrong_buffer (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = context->elements, bytes = context->bytes;
  void *first[2], *second[2], *on_device[2], *result, *result_of_second, *back, *pointer[2];

  if (!memlane_procedure_need (context, MEMLANE_CAN_MAP_HOST_MEMORY, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!memlane_procedure_take (context, error,
                                 { MEMLANE_TAKE_MAPPED, &first[i], bytes, (int) i + 1 },
                                 /* other numbers than the first case's */
                                 { MEMLANE_TAKE_PAGEABLE, &second[i], bytes, (int) i + 3 },
                                 { MEMLANE_TAKE_DEVICE, &on_device[i], bytes })
        || !memlane_device_host_get_device_pointer (device, first[i], &pointer[i], error))
      return FALSE;
  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &result, bytes },
                               { MEMLANE_TAKE_DEVICE, &result_of_second, bytes },
                               { MEMLANE_TAKE_PAGEABLE, &back, bytes })
      /* zero-copy */
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result, pointer[0], pointer[1], n,
                                 NULL, error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "first-case-is-right", is_sum (back, first[0], first[1], n));
  /* device memory, and the buffer that the article copies back */
  if (!memlane_device_memcpy (device, on_device[0], second[0], bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_memcpy (device, on_device[1], second[1], bytes, MEMLANE_COPY_TO_DEVICE,
                                 error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result_of_second, on_device[0],
                                 on_device[1], n, NULL, error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "article-checks-second-case",
                         is_sum (back, second[0], second[1], n));
  memlane_procedure_yes (context, "article-sees-first-case-again",
                         is_sum (back, first[0], first[1], n));
  /* the cure */
  if (!memlane_device_memcpy (device, back, result_of_second, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "cured-second-case-is-right",
                         is_sum (back, second[0], second[1], n));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_wrong_buffer = {
  .id = "wrong-buffer",
  .summary = "the article's two additions with different inputs, the second copied back from the "
             "first one's result, then from its own",
  .outputs = { .words = "first-case-is-right article-checks-second-case "
                        "article-sees-first-case-again cured-second-case-is-right" },
  .defaults = { .log2_elements = 14 },
  .most = { .log2_elements = 24 },
  .run = run_wrong_buffer,
};

/* --- one address for both --------------------------------------------------------------------- */

static gboolean
run_same_pointer (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = context->elements, bytes = context->bytes;
  gboolean same = TRUE;
  void *host[2], *on_device, *result, *back;

  if (!memlane_procedure_need (context, MEMLANE_CAN_MAP_HOST_MEMORY, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      if (!memlane_procedure_take (context, error,
                                   { MEMLANE_TAKE_MAPPED, &host[i], bytes, (int) i + 1 })
          || !memlane_device_host_get_device_pointer (device, host[i], &on_device, error))
        return FALSE;
      same &= on_device == host[i];
    }
  memlane_procedure_yes (context, "pointers-are-equal", same);
  if (!same)
    {
      /* A kernel that uses the host's address would end the context. */
      memlane_procedure_lack (context, "result-is-right", MEMLANE_DOUBT_UNSUPPORTED,
                              "the device knows the memory by another address");
      return TRUE;
    }
  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &result, bytes },
                               { MEMLANE_TAKE_PAGEABLE, &back, bytes })
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, result, host[0], host[1], n, NULL,
                                 error)
      || !memlane_device_memcpy (device, back, result, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  memlane_procedure_yes (context, "result-is-right", is_sum (back, host[0], host[1], n));
  return TRUE;
}

const MemlaneProcedure memlane_procedure_same_pointer = {
  .id = "same-pointer",
  .summary = "mapped memory: the address that cudaHostGetDevicePointer gives beside the host's "
             "own, and a kernel that uses the latter",
  .outputs = { .words = "pointers-are-equal result-is-right" },
  .defaults = { .log2_elements = 14 },
  .most = { .log2_elements = 24 },
  .run = run_same_pointer,
};

/* --- zero copy in three steps ----------------------------------------------------------------- */

static gboolean
run_zero_copy_steps (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = context->elements, bytes = context->bytes;
  g_autofree char *poison = NULL;
  void *data, *result, *data_pointer, *result_pointer;

  memlane_procedure_yes (context, "step-1-mapping-is-possible",
                         memlane_device_can (device, MEMLANE_CAN_MAP_HOST_MEMORY));
  if (!memlane_procedure_need (context, MEMLANE_CAN_MAP_HOST_MEMORY, error)
      || !memlane_procedure_take (context, error, { MEMLANE_TAKE_WRITE_COMBINED, &data, bytes, 1 },
                                  { MEMLANE_TAKE_MAPPED, &result, bytes, MEMLANE_BYTES (0xff) }))
    return FALSE;
  memlane_procedure_yes (context, "step-2-allocated", TRUE);
  if (!memlane_device_host_get_device_pointer (device, data, &data_pointer, error)
      || !memlane_device_host_get_device_pointer (device, result, &result_pointer, error))
    return FALSE;
  memlane_procedure_yes (context, "step-3-pointers", TRUE);
  memlane_procedure_yes (context, "pointers-are-equal",
                         data_pointer == data && result_pointer == result);
  /* The kernel is held, so that "before the wait" is before it for sure. */
  if (!memlane_device_latch_close (device, NULL, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_COPY, result_pointer, data_pointer, NULL, n,
                                 NULL, error))
    return FALSE;
  poison = g_malloc (bytes);
  memset (poison, 0xff, bytes);
  memlane_procedure_yes (context, "result-before-the-wait", memcmp (result, poison, bytes) != 0);
  if (!memlane_device_latch_open (device, NULL, error)
      || !memlane_device_synchronize (device, error))
    return FALSE;
  memlane_procedure_yes (context, "result-after-the-wait", memcmp (result, data, bytes) == 0);
  return TRUE;
}

const MemlaneProcedure memlane_procedure_zero_copy_steps = {
  .id = "zero-copy-steps",
  .summary = "mapping asked for, write-combined and mapped memory, device pointers, a kernel that "
             "copies; the result before and after the "
             "wait",
  .outputs = {
    .words = "step-1-mapping-is-possible step-2-allocated step-3-pointers pointers-are-equal "
             "result-before-the-wait "
             "result-after-the-wait",
  },
  .defaults = { .log2_elements = 7 },
  .most = { .log2_elements = 20 },
  .run = run_zero_copy_steps,
};

/* --- the article's two additions, timed ------------------------------------------------------- */

/* One of the two cases. Its inputs are in mapped memory, or in pageable memory and copied to the
 * device. */
typedef struct
{
  const char *name;
  void *inputs[2];          /* cudaHostAlloc with cudaHostAllocMapped; or malloc */
  void *on_device[2];       /* what the kernel reads */
  void *result, *back;      /* device, malloc */
  MemlaneEvent *start, *stop;
  gboolean mapped;
} Article;

/* Lines 30 to 33: two pointers, the kernel, and a blocking copy home. Lines 55 to 58: two copies
 * and the same, with its own result. */
static gboolean
run_case (MemlaneProcedureContext *context, Article *self, GError **error)
{
  for (guint i = 0; i < 2; i++)
    if (!(self->mapped
              ? memlane_device_host_get_device_pointer (context->device, self->inputs[i],
                                                        &self->on_device[i], error)
              : memlane_device_memcpy (context->device, self->on_device[i], self->inputs[i],
                                       context->bytes, MEMLANE_COPY_TO_DEVICE, error)))
      return FALSE;
  return memlane_device_launch (context->device, MEMLANE_KERNEL_ADD, self->result,
                                self->on_device[0], self->on_device[1], context->elements, NULL,
                                error)
         && memlane_device_memcpy (context->device, self->back, self->result, context->bytes,
                                   MEMLANE_COPY_TO_HOST, error);
}

/* The kernel alone, by two events behind the latch. */
static gboolean
queue_addition (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  const Article *self = data;

  return memlane_device_event_record (context->device, self->start, NULL, error)
         && memlane_device_launch (context->device, MEMLANE_KERNEL_ADD, self->result,
                                   self->on_device[0], self->on_device[1], context->elements, NULL,
                                   error)
         && memlane_device_event_record (context->device, self->stop, NULL, error);
}

/* @index 0: nothing is warm. */
static gboolean
time_case (MemlaneProcedureContext *context, Article *self, guint index, GError **error)
{
  MemlaneDevice *device = context->device;
  g_autofree char *is_right = g_strconcat (self->name, "/result-is-right", NULL);
  double begin, kernel;

  /* what a copy would leave unnoticed */
  if (!memlane_procedure_go_on (context, error)
      || !memlane_device_host_fill (device, self->back, 0xff, context->bytes, error)
      || !memlane_device_memset_async (device, self->result, 0xff, context->bytes, NULL, error)
      || !memlane_device_synchronize (device, error))
    return FALSE;
  begin = memlane_device_clock (device);
  if (!run_case (context, self, error))
    return FALSE;
  memlane_procedure_sample_of (context, self->name, index == 0 ? "first" : "elapsed",
                               memlane_device_clock (device) - begin);
  memlane_procedure_yes (context, is_right,
                         is_sum (self->back, self->inputs[0], self->inputs[1], context->elements));
  if (!memlane_procedure_hold (context, NULL, NULL, queue_addition, self, NULL, error)
      || !memlane_device_event_elapsed (device, self->start, self->stop, &kernel, error))
    return FALSE;
  if (index > 0)
    memlane_procedure_sample_of (context, self->name, "kernel", kernel);
  return TRUE;
}

static gboolean
run_article_zero_copy (MemlaneProcedureContext *context, GError **error)
{
  const gsize bytes = context->bytes;
  Article mapped = { .name = "mapped", .mapped = TRUE }, pageable = { .name = "pageable" };

  if (!memlane_procedure_need (context, MEMLANE_CAN_MAP_HOST_MEMORY, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!memlane_procedure_take (context, error,
                                 { MEMLANE_TAKE_MAPPED, &mapped.inputs[i], bytes, (int) i + 1 },
                                 { MEMLANE_TAKE_PAGEABLE, &pageable.inputs[i], bytes, (int) i + 3 },
                                 { MEMLANE_TAKE_DEVICE, &pageable.on_device[i], bytes }))
      return FALSE;
  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &mapped.result, bytes },
                               { MEMLANE_TAKE_PAGEABLE, &mapped.back, bytes },
                               { MEMLANE_TAKE_EVENT, &mapped.start },
                               { MEMLANE_TAKE_EVENT, &mapped.stop }))
    return FALSE;
  pageable.result = mapped.result;
  pageable.back = mapped.back;
  pageable.start = mapped.start;
  pageable.stop = mapped.stop;
  for (guint i = 0; i <= context->options.samples; i++)
    if (!time_case (context, &mapped, i, error) || !time_case (context, &pageable, i, error))
      return FALSE;
  return TRUE;
}

const MemlaneProcedure memlane_procedure_article_zero_copy = {
  .id = "article-zero-copy",
  .summary = "the article's two additions: mapped inputs, the result in device memory, copied home "
             "by cudaMemcpy; and copies of all three",
  .outputs = {
    .times = "mapped/elapsed mapped/kernel mapped/first pageable/elapsed pageable/kernel "
             "pageable/first",
    .words = "mapped/result-is-right pageable/result-is-right",
  },
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 14, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 24, .samples = 100 },
  .run = run_article_zero_copy,
};

/* --- atomic additions from both sides --------------------------------------------------------- */

#define ADDITIONS 20000 /* of the device: some tens of milliseconds over the link */

/* Adds from the host, atomically for the host's own threads, until the device is done; returns how
 * often. */
static gboolean
count_until_done (MemlaneProcedureContext *context, guint32 *counter, guint64 *times,
                  GError **error)
{
  gboolean done = FALSE;

  while (!done)
    {
      for (guint i = 0; i < 64; i++)
        __atomic_fetch_add (counter, 1, __ATOMIC_SEQ_CST);
      *times += 64;
      if (!memlane_device_stream_query (context->device, NULL, &done, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_atomics (MemlaneProcedureContext *context, GError **error)
{
  void *memory, *on_device;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_MAPPED, &memory, 4096 })
      || !memlane_device_host_get_device_pointer (context->device, memory, &on_device, error))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    {
      guint32 *const counter = memory;
      guint64 added = 0;

      *counter = 0;
      if (!memlane_procedure_go_on (context, error)
          || !memlane_device_launch_count (context->device, on_device, ADDITIONS, NULL, error)
          || !memlane_device_synchronize (context->device, error))
        return FALSE;
      memlane_procedure_yes (context, "device-alone-is-right", *counter == ADDITIONS);
      *counter = 0;
      if (!memlane_device_launch_count (context->device, on_device, ADDITIONS, NULL, error)
          || !count_until_done (context, counter, &added, error)
          || !memlane_device_synchronize (context->device, error))
        return FALSE;
      memlane_procedure_word (context, "both", *counter == ADDITIONS + added ? "kept" : "lost");
      memlane_procedure_sample (context, "lost", (double) (ADDITIONS + added) - *counter);
      memlane_procedure_sample (context, "added-by-host", (double) added);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_atomics = {
  .id = "atomics",
  .summary = "20000 atomicAdd of a kernel to a counter in mapped memory, alone and while the host "
             "adds to it atomically, too",
  .outputs = { .numbers = "lost added-by-host", .words = "device-alone-is-right both" },
  .defaults = { .samples = MEMLANE_PROCEDURE_TRIALS },
  .most = { .samples = 100 },
  .run = run_atomics,
};
