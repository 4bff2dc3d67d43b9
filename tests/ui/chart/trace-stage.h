/* trace-stage.h: recorded and invented traces, for the tests that draw timelines
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/timeline/timeline.h"
#include "trace/builder.h"
#include "trace/trace.h"

/* Of data/recordings/traces: "pinned-2p14". (transfer full) */
G_GNUC_UNUSED static MemlaneTrace *
read_recorded_trace (const char *name)
{
  g_autofree char *file = g_strdup_printf ("h200-%s.json", name);
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", "traces", file, NULL);
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

G_GNUC_UNUSED static MemlaneTrace *
finish_trace (MemlaneTraceBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_trace_builder_finish (builder, &error);

  g_assert_no_error (error);
  return trace;
}

G_GNUC_UNUSED static void
add_event (MemlaneTraceBuilder *builder, MemlaneTraceKind kind, const char *name, gint64 start, gint64 duration, guint32 stream)
{
  g_autoptr (GError) error = NULL;
  const MemlaneTraceEvent event = { .kind = kind, .name = memlane_trace_builder_intern (builder, name, -1), .start = start,
                                    .duration = duration, .stream = stream };

  memlane_trace_builder_add (builder, &event, &error);
  g_assert_no_error (error);
}

/* A simulated trace of a few operations by hand: a call, the copy up that it issued (staged), a kernel, a copy down, faults, an implicit
 * wait, a call that failed, a moment; and a note. (transfer full) */
G_GNUC_UNUSED static MemlaneTrace *
make_small_trace (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  const struct
  {
    const char *name;
    MemlaneTraceEvent event;
  } events[] = {
    { "cudaMemcpyAsync", { .kind = MEMLANE_TRACE_CALL, .start = 0, .duration = 2000, .stream = 13, .correlation = 1 } },
    { "[CUDA memcpy HtoD]", { .kind = MEMLANE_TRACE_COPY, .start = 1500, .duration = 2000, .stream = 13, .correlation = 1, .bytes = 65536,
                              .way = MEMLANE_TRACE_WAY_TO_DEVICE, .source = MEMLANE_TRACE_MEMORY_PAGEABLE,
                              .destination = MEMLANE_TRACE_MEMORY_DEVICE, .flags = MEMLANE_TRACE_STAGED } },
    { "add(float*)", { .kind = MEMLANE_TRACE_KERNEL, .start = 3500, .duration = 4000, .stream = 13 } },
    { "[CUDA memcpy DtoH]", { .kind = MEMLANE_TRACE_COPY, .start = 7000, .duration = 1000, .stream = 14, .bytes = 1000,
                              .way = MEMLANE_TRACE_WAY_TO_HOST, .source = MEMLANE_TRACE_MEMORY_DEVICE,
                              .destination = MEMLANE_TRACE_MEMORY_PINNED } },
    { "[Unified Memory GPU page faults]", { .kind = MEMLANE_TRACE_FAULT, .start = 4000, .duration = 500, .count = 3,
                                            .stream = MEMLANE_TRACE_NO_STREAM } },
    { "wait", { .kind = MEMLANE_TRACE_SYNCHRONISATION, .start = 2000, .duration = 5000, .flags = MEMLANE_TRACE_IMPLICIT,
                .stream = MEMLANE_TRACE_NO_STREAM } },
    { "cudaFree", { .kind = MEMLANE_TRACE_CALL, .start = 8000, .duration = 1000, .flags = MEMLANE_TRACE_FAILED,
                    .stream = MEMLANE_TRACE_NO_STREAM } },
    { "mark", { .kind = MEMLANE_TRACE_HOST, .start = 9500, .duration = 0, .stream = MEMLANE_TRACE_NO_STREAM } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      MemlaneTraceEvent event = events[i].event;

      event.name = memlane_trace_builder_intern (builder, events[i].name, -1);
      g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
    }
  info->simulated = TRUE;
  info->device_name = g_strdup ("A device");
  info->mode = g_strdup ("pinned");
  info->workload = g_strdup ("vector-add");
  info->log2_elements = 14;
  info->source = g_strdup ("by hand");
  info->dropped = 2;
  memlane_trace_builder_add_note (builder, "a note");
  return finish_trace (builder);
}

/* @n events on eight streams, and what issued them; dense, with pauses. (transfer full) */
G_GNUC_UNUSED static MemlaneTrace *
make_long_trace (guint n)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  guint32 copy = memlane_trace_builder_intern (builder, "[CUDA memcpy HtoD]", -1);
  guint32 call = memlane_trace_builder_intern (builder, "call", -1);
  gint64 time = 0;

  for (guint i = 0; i < n / 2; i++)
    {
      MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_CALL, .name = call, .start = time, .duration = 700 + i % 13, .correlation = i + 1,
                                  .stream = 13 + i % 8 };

      g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
      event.kind = i % 3 == 0 ? MEMLANE_TRACE_KERNEL : MEMLANE_TRACE_COPY;
      event.name = copy;
      event.start += 900;
      event.duration = 300 + i % 1700;
      event.way = i % 3 == 1 ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
      event.bytes = 4096;
      g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
      time += 1000 + (i % 4096 == 0 ? 100000 : 0);
    }
  return finish_trace (builder);
}
