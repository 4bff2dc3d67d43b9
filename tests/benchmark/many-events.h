/* many-events.h: a trace of as many events as a benchmark wants
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace/builder.h"
#include "trace/trace.h"

/* Calls, and what they issue: copies up, kernels, copies down on eight streams. */
static inline MemlaneTrace *
make_trace (guint n)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  const char *const names[] = { "cudaMemcpyAsync", "cudaLaunchKernel", "[CUDA memcpy HtoD]", "add", "[CUDA memcpy DtoH]" };
  guint32 ids[G_N_ELEMENTS (names)];

  info->device_name = g_strdup ("NVIDIA H200");
  info->mode = g_strdup ("streams-depth-first");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ids[i] = memlane_trace_builder_intern (builder, names[i], -1);
  for (guint i = 0; i < n / 2; i++)
    {
      const gboolean is_kernel = i % 3 == 1;
      const MemlaneTraceEvent call = {
        .start = (gint64) i * 2000, .duration = 1800, .kind = MEMLANE_TRACE_CALL, .name = ids[is_kernel], .correlation = i + 1,
        .stream = 13 + i % 8, .flags = MEMLANE_TRACE_ASYNC, .bytes = 65536,
      };
      const MemlaneTraceEvent operation = {
        .start = (gint64) i * 2000 + 4321, .duration = 1999, .correlation = i + 1, .stream = 13 + i % 8, .bytes = 65536,
        .kind = is_kernel ? MEMLANE_TRACE_KERNEL : MEMLANE_TRACE_COPY, .name = ids[2 + i % 3],
        .way = is_kernel ? MEMLANE_TRACE_WAY_NONE : i % 3 == 0 ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST,
        .source = i % 3 == 0 ? MEMLANE_TRACE_MEMORY_PINNED : MEMLANE_TRACE_MEMORY_DEVICE,
        .destination = i % 3 == 2 ? MEMLANE_TRACE_MEMORY_PINNED : MEMLANE_TRACE_MEMORY_DEVICE,
      };

      if (!memlane_trace_builder_add (builder, &call, NULL) || !memlane_trace_builder_add (builder, &operation, NULL))
        g_error ("no memory for %u events", n);
    }
  return memlane_trace_builder_finish (builder, NULL);
}
