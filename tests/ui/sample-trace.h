/* sample-trace.h: a small trace whose events are known
 *
 * SPDX-License-Identifier: MIT
 *
 * SAMPLE_CHUNKS chunks on two streams, each a call and an operation for up, kernel and down. Chunk i begins at 20 i us; each call takes
 * 2 us, each operation 6 us, so that the kernel of one runs beside the copy of another.
 */
#pragma once

#include "trace/builder.h"

#define SAMPLE_CHUNKS 8
#define SAMPLE_EVENTS (SAMPLE_CHUNKS * 6)

static inline void
sample_trace_add (MemlaneTraceBuilder *builder, MemlaneTraceKind kind, MemlaneTraceWay way, const char *name, gint64 start, gint64 duration,
                  guint32 stream, guint32 correlation)
{
  const gboolean up = way == MEMLANE_TRACE_WAY_TO_DEVICE;
  const MemlaneTraceEvent event = {
    .start = start,
    .duration = duration,
    .bytes = kind == MEMLANE_TRACE_COPY ? 65536 : 0,
    .correlation = correlation,
    .name = memlane_trace_builder_intern (builder, name, -1),
    .stream = stream,
    .kind = kind,
    .way = way,
    .source = way == MEMLANE_TRACE_WAY_NONE ? MEMLANE_TRACE_MEMORY_UNKNOWN : up ? MEMLANE_TRACE_MEMORY_PINNED : MEMLANE_TRACE_MEMORY_DEVICE,
    .destination = way == MEMLANE_TRACE_WAY_NONE ? MEMLANE_TRACE_MEMORY_UNKNOWN
                   : up                          ? MEMLANE_TRACE_MEMORY_DEVICE
                                                 : MEMLANE_TRACE_MEMORY_PINNED,
  };

  g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
}

/* @chunks 0: an empty trace. */
static inline MemlaneTrace *
sample_trace_new (const char *mode, guint chunks)
{
  static const struct
  {
    const char *call, *name;
    MemlaneTraceKind kind;
    MemlaneTraceWay way;
  } steps[] = {
    { "cudaMemcpyAsync", "[CUDA memcpy HtoD]", MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE },
    { "cudaLaunchKernel", "add", MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_WAY_NONE },
    { "cudaMemcpyAsync", "[CUDA memcpy DtoH]", MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST },
  };
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  MemlaneTrace *trace;
  guint32 correlation = 0;

  info->device = g_strdup ("simulated:h200");
  info->device_name = g_strdup ("NVIDIA H200");
  info->device_kind = g_strdup ("simulated");
  info->simulated = TRUE;
  info->source = g_strdup ("simulated device");
  info->workload = g_strdup ("vector-add");
  info->mode = g_strdup (mode);
  info->log2_elements = 14;
  info->elements = 1 << 14;
  info->reuse = 1;
  for (guint chunk = 0; chunk < chunks; chunk++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      {
        gint64 begin = chunk * 20000 + i * 7000;

        correlation++;
        sample_trace_add (builder, MEMLANE_TRACE_CALL, MEMLANE_TRACE_WAY_NONE, steps[i].call, begin, 2000, 13 + chunk % 2, correlation);
        sample_trace_add (builder, steps[i].kind, steps[i].way, steps[i].name, begin + 3000, 6000, 13 + chunk % 2, correlation);
      }
  trace = memlane_trace_builder_finish (builder, NULL);
  g_assert_nonnull (trace);
  return trace;
}
