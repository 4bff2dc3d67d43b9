/* profile.c: what the device says of itself, and the article's copy there and back, recorded call
 * by call as nvprof did
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

/* --- its own answers -------------------------------------------------------------------------- */

static gboolean
run_query (MemlaneProcedureContext *context, GError **error)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (context->device);
  g_autofree char *compute = g_strdup_printf ("%d.%d", info->compute_major, info->compute_minor);

  memlane_procedure_word (context, "name", info->name);
  memlane_procedure_word (context, "compute-capability", compute);
  memlane_procedure_yes (context, "integrated", info->integrated);
  for (guint bit = MEMLANE_CAN_MAP_HOST_MEMORY; bit <= MEMLANE_CAN_CONCURRENT_KERNELS; bit <<= 1)
    memlane_procedure_yes (context, memlane_capability_name ((MemlaneCapabilities) bit),
                           (info->capabilities & bit) != 0);
  memlane_procedure_sample (context, "memory-gib", (double) info->memory_bytes / (1 << 30));
  memlane_procedure_sample (context, "multiprocessors", info->multiprocessors);
  memlane_procedure_sample (context, "asyncEngineCount", info->copy_engines);
  memlane_procedure_sample (context, "priorities",
                            info->priority_least - info->priority_greatest + 1);
  if (info->link_bandwidth > 0)
    memlane_procedure_sample (context, "link-gb-per-s", info->link_bandwidth / 1e9);
  else
    memlane_procedure_lack (context, "link-gb-per-s", MEMLANE_DOUBT_UNKNOWN,
                            "the link's rate is not known here");
  return memlane_procedure_go_on (context, error);
}

const MemlaneProcedure memlane_procedure_device_query = {
  .id = "device-query",
  .summary = "the device's own answers: capabilities, engines, memory, stream priorities",
  .outputs = {
    .numbers = "memory-gib multiprocessors asyncEngineCount priorities link-gb-per-s",
    .words = "name compute-capability integrated canMapHostMemory unifiedAddressing managedMemory "
             "concurrentManagedAccess "
             "hostRegisterSupported memoryPoolsSupported pageableMemoryAccess concurrentKernels",
  },
  .run = run_query,
};

/* --- call by call ----------------------------------------------------------------------------- */

/* The calls between the article's two measurements; the device's memory comes and goes within, as
 * there. */
static gboolean
make_calls (MemlaneProcedureContext *context, gpointer host, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize bytes = context->bytes;
  void *memory;

  return memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &memory, bytes })
         && memlane_device_memcpy (device, memory, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
         && memlane_device_memcpy (device, host, memory, bytes, MEMLANE_COPY_TO_HOST, error)
         && memlane_procedure_free (context, memory, error);
}

#define CALL_NS(prefix)                                                                            \
  memlane_trace_sum (trace, MEMLANE_TRACE_CALL, MEMLANE_TRACE_N_WAYS, (prefix)).ns

static void
take_figures (MemlaneProcedureContext *context, const MemlaneTrace *trace)
{
  double calls = CALL_NS (""), allocate = CALL_NS ("cudaMalloc"), release = CALL_NS ("cudaFree"),
         copy = CALL_NS ("cudaMemcpy");
  double up = memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE, "").ns;
  double down = memlane_trace_sum (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST, "").ns;

  memlane_procedure_sample (context, "malloc", allocate);
  memlane_procedure_sample (context, "free", release);
  memlane_procedure_sample (context, "memcpy", copy);
  memlane_procedure_sample (context, "to-device", up);
  memlane_procedure_sample (context, "to-host", down);
  memlane_procedure_sample (context, "share-of-malloc", calls > 0 ? 100 * allocate / calls : 0);
  memlane_procedure_sample (context, "share-of-memcpy", calls > 0 ? 100 * copy / calls : 0);
  memlane_procedure_sample (context, "share-of-to-device",
                            up + down > 0 ? 100 * up / (up + down) : 0);
}

static gboolean
run_profile (MemlaneProcedureContext *context, GError **error)
{
  const gboolean pinned = strcmp (context->procedure->id, "profile-pinned") == 0;
  void *host;

  if (context->open_ns > 0)
    memlane_procedure_sample (context, "open", context->open_ns);
  else
    memlane_procedure_lack (context, "open", MEMLANE_DOUBT_UNKNOWN,
                            "opening a simulated device costs nothing that is simulated");
  if (!memlane_procedure_take (
          context, error,
          { pinned ? MEMLANE_TAKE_PINNED : MEMLANE_TAKE_PAGEABLE, &host, context->bytes, 1 })
      || !make_calls (context, host, error)) /* the first time pays for what is done once */
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    {
      g_autoptr (MemlaneTrace) trace = NULL;

      if (!memlane_procedure_go_on (context, error))
        return FALSE;
      trace = memlane_procedure_record (
          context, make_calls, host, "copy-round-trip", pinned ? "pinned" : "pageable",
          "cudaMalloc, one copy to the device, one back, cudaFree", error);
      if (trace == NULL)
        return FALSE;
      take_figures (context, trace);
      if (i + 1 == context->options.samples)
        memlane_procedure_keep_trace (context, trace);
    }
  return TRUE;
}

#define OUTPUTS                                                                                    \
  { .times = "malloc memcpy free to-device to-host open",                                          \
    .numbers = "share-of-malloc share-of-memcpy share-of-to-device" }
#define DEFAULTS { .log2_elements = 22, .samples = MEMLANE_PROCEDURE_SAMPLES }
#define MOST { .log2_elements = 26, .samples = 30 }

const MemlaneProcedure memlane_procedure_profile_pageable = {
  .id = "profile-pageable",
  .summary = "cudaMalloc, a copy from malloc's memory to the device and back, cudaFree: recorded "
             "call by call",
  .outputs = OUTPUTS,
  .defaults = DEFAULTS,
  .most = MOST,
  .run = run_profile,
};

const MemlaneProcedure memlane_procedure_profile_pinned = {
  .id = "profile-pinned",
  .summary = "cudaMalloc, a copy from page-locked memory to the device and back, cudaFree: "
             "recorded call by call",
  .outputs = OUTPUTS,
  .defaults = DEFAULTS,
  .most = MOST,
  .run = run_profile,
};

/* --- without a context ------------------------------------------------------------------------ */

static gboolean
run_fresh_context (MemlaneProcedureContext *context, GError **error)
{
  for (guint i = 0; i < context->options.samples; i++)
    {
      MemlaneFreshTimes times;
      double all;

      if (!memlane_procedure_go_on (context, error)
          || !memlane_device_start_anew (context->device, context->bytes, &times, error))
        return FALSE;
      all = times.context + times.malloc + times.to_device + times.to_host + times.free
            + times.reset;
      memlane_procedure_sample (context, "context", times.context);
      memlane_procedure_sample (context, "malloc", times.malloc);
      memlane_procedure_sample (context, "memcpy", times.to_device + times.to_host);
      memlane_procedure_sample (context, "free", times.free);
      memlane_procedure_sample (context, "reset", times.reset);
      memlane_procedure_sample (context, "share-of-malloc", 100 * times.malloc / all);
      memlane_procedure_sample (context, "share-of-context-and-malloc",
                                100 * (times.context + times.malloc) / all);
      memlane_procedure_sample (context, "share-of-memcpy",
                                100 * (times.to_device + times.to_host) / all);
      memlane_procedure_sample (context, "share-of-reset", 100 * times.reset / all);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_fresh_context = {
  .id = "fresh-context",
  .summary = "the article's calls in a process without a context: cudaSetDevice, cudaMalloc, two "
             "copies, cudaFree, cudaDeviceReset",
  .outputs = {
    .times = "context malloc memcpy free reset",
    .numbers = "share-of-malloc share-of-context-and-malloc share-of-memcpy share-of-reset",
  },
  .is_undisturbed = TRUE, /* a reset would pull the context from under what counts */
  .defaults = { .log2_elements = 22, .samples = 7 },
  .most = MOST,
  .run = run_fresh_context,
};
