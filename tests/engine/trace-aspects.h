/* trace-aspects.h: what a trace shows, aspect by aspect, each as a line of words without times
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/each.h"
#include "trace-bench.h"

/* Host and GPU times come from two clocks, which CUPTI brings together. */
#define SKEW_NS 1000

#define EACH(event, trace)                                                              \
  (const MemlaneTraceEvent *event = memlane_trace_get_events (trace, &(guint){ 0 }),    \
                           *event##_end = event + count_events (trace);                 \
   event < event##_end; event++)

static guint
count_events (const MemlaneTrace *trace)
{
  guint n;

  memlane_trace_get_events (trace, &n);
  return n;
}

static gboolean
is_work (const MemlaneTraceEvent *event)
{
  return event->kind == MEMLANE_TRACE_COPY || event->kind == MEMLANE_TRACE_KERNEL;
}

/* The calls, as the host makes them. */
static void
describe_calls (const MemlaneTrace *trace, GString *text)
{
  for EACH (event, trace)
    if (event->kind == MEMLANE_TRACE_CALL)
      {
        g_string_append_printf (text, "%s %" G_GUINT64_FORMAT,
                                memlane_trace_get_name (trace, event->name), event->bytes);
        if (event->stream != MEMLANE_TRACE_NO_STREAM)
          g_string_append_printf (text, " in stream %u", event->stream);
        g_string_append (text, "; ");
      }
}

/* Copies and kernels of each stream, in their order; a copy in several pieces is one. */
static void
describe_operations (const MemlaneTrace *trace, GString *text)
{
  guint n_streams;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n_streams);

  for (guint s = 0; s < n_streams; s++)
    {
      g_string_append_printf (text, "stream %u%s:", streams[s].number,
                              streams[s].is_default ? " (default)" : "");
      for EACH (event, trace)
        {
          const MemlaneTraceEvent *first = NULL;
          guint64 bytes = 0;

          if (event->stream != streams[s].number || !is_work (event))
            continue;
          for EACH (part, trace)
            if (part->kind == event->kind && part->correlation == event->correlation)
              {
                first = first != NULL ? first : part;
                bytes += part->bytes;
              }
          if (event == first && event->kind == MEMLANE_TRACE_KERNEL)
            g_string_append (text, " kernel,");
          else if (event == first)
            g_string_append_printf (text, " copy %s%s of %" G_GUINT64_FORMAT " from %s to %s,",
                                    memlane_trace_way_name (event->way),
                                    event->flags & MEMLANE_TRACE_STAGED ? ", staged," : "", bytes,
                                    memlane_trace_memory_name (event->source),
                                    memlane_trace_memory_name (event->destination));
        }
      g_string_append (text, "; ");
    }
}

/* Which calls return before what they issued is done. A kernel of a few microseconds can end while
 * its launch is still returning, which takes 5 to 12 us under CUPTI: so that tells nothing. */
static void
describe_returns (const MemlaneTrace *trace, GString *text)
{
  for EACH (call, trace)
    {
      const MemlaneTraceEvent *last = NULL;

      for EACH (event, trace)
        if (call->kind == MEMLANE_TRACE_CALL && event->correlation == call->correlation
            && is_work (event) && (last == NULL || end_of (event) > end_of (last)))
          last = event;
      if (last != NULL && (last->kind != MEMLANE_TRACE_KERNEL || last->duration > 8 * SKEW_NS))
        g_string_append_printf (text, "%s returns %s its work is done; ",
                                memlane_trace_get_name (trace, call->name),
                                end_of (call) < end_of (last) - SKEW_NS ? "before" : "when");
    }
}

/* Which kinds of work run at once, in different streams; of one stream nothing does. */
static void
describe_overlap (const MemlaneTrace *trace, GString *text)
{
  static const struct
  {
    const char *words;
    MemlaneTraceEngine one, other;
  } pairs[] = {
    { "two copies up", MEMLANE_TRACE_ENGINE_UP, MEMLANE_TRACE_ENGINE_UP },
    { "two copies down", MEMLANE_TRACE_ENGINE_DOWN, MEMLANE_TRACE_ENGINE_DOWN },
    { "up and down", MEMLANE_TRACE_ENGINE_UP, MEMLANE_TRACE_ENGINE_DOWN },
    { "kernel and up", MEMLANE_TRACE_ENGINE_KERNEL, MEMLANE_TRACE_ENGINE_UP },
    { "kernel and down", MEMLANE_TRACE_ENGINE_KERNEL, MEMLANE_TRACE_ENGINE_DOWN },
    { "two kernels", MEMLANE_TRACE_ENGINE_KERNEL, MEMLANE_TRACE_ENGINE_KERNEL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      gboolean found = FALSE;

      for EACH (a, trace)
        for EACH (b, trace)
          if (a != b && is_work (a) && is_work (b) && memlane_trace_engine_of (a) == pairs[i].one
              && memlane_trace_engine_of (b) == pairs[i].other && overlap (a, b))
            {
              g_assert_cmpuint (a->stream, !=, b->stream);
              found = TRUE;
            }
      if (found)
        g_string_append_printf (text, "%s; ", pairs[i].words);
    }
}

/* Bytes that migrate: why, which way and when; in how many pieces is the driver's. */
static void
describe_migrations (const MemlaneTrace *trace, GString *text)
{
  static const char *const places[] = { "before the kernel", "while it runs", "after it" };
  const MemlaneTraceEvent *kernel = find_nth (trace, MEMLANE_TRACE_KERNEL, NULL, 0);

  for (guint way = 0; way < MEMLANE_TRACE_N_WAYS; way++)
    for (guint prefetched = 0; prefetched <= MEMLANE_TRACE_PREFETCHED;
         prefetched += MEMLANE_TRACE_PREFETCHED)
      for (guint place = 0; place < G_N_ELEMENTS (places); place++)
        {
          guint64 bytes = 0;

          for EACH (event, trace)
            if (event->kind == MEMLANE_TRACE_MIGRATION && event->way == way
                && (event->flags & MEMLANE_TRACE_PREFETCHED) == prefetched
                && place == (end_of (event) <= kernel->start                    ? 0
                             : event->start >= end_of (kernel) - SKEW_NS ? 2 : 1))
              bytes += event->bytes;
          if (bytes > 0)
            g_string_append_printf (text, "%" G_GUINT64_FORMAT " %s by %s %s; ", bytes,
                                    memlane_trace_way_name ((MemlaneTraceWay) way),
                                    prefetched ? "prefetches" : "faults", places[place]);
        }
}

static void
describe_faults (const MemlaneTrace *trace, GString *text)
{
  guint on_device = 0, on_host = 0;

  for EACH (event, trace)
    if (event->kind == MEMLANE_TRACE_FAULT)
      *(event->flags & MEMLANE_TRACE_ON_DEVICE ? &on_device : &on_host) += event->count;
  if (on_device + on_host > 0)
    g_string_append_printf (text, "%u of the device, %u of the host", on_device, on_host);
}

static void
describe_duplicates (const MemlaneTrace *trace, GString *text)
{
  gboolean found = FALSE;

  for EACH (event, trace)
    found |= event->kind == MEMLANE_TRACE_MIGRATION
             && (event->flags & MEMLANE_TRACE_DUPLICATED) != 0;
  if (found)
    g_string_append (text, "read-mostly pages stay where they were, too");
}

static void
describe_kinds (const MemlaneTrace *trace, GString *text)
{
  gboolean implicit = FALSE;

  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS; kind++)
    if (kind != MEMLANE_TRACE_SYNCHRONISATION
        && find_nth (trace, (MemlaneTraceKind) kind, NULL, 0) != NULL)
      g_string_append_printf (text, "%s; ", memlane_trace_kind_name ((MemlaneTraceKind) kind));
  for EACH (event, trace)
    implicit |= (event->flags & MEMLANE_TRACE_IMPLICIT) != 0;
  g_string_append (text, implicit ? "implicit waits" : "");
}

/* Waits that a call asked for. */
static void
describe_waits (const MemlaneTrace *trace, GString *text)
{
  for EACH (event, trace)
    if (event->kind == MEMLANE_TRACE_SYNCHRONISATION
        && (event->flags & MEMLANE_TRACE_IMPLICIT) == 0)
      g_string_append_printf (text, "%s; ", memlane_trace_get_name (trace, event->name));
}

static void
describe_findings (const MemlaneTrace *trace, GString *text)
{
  static const char *const names[] = { "staged", "default-stream", "implicit", "small-copies",
                                       "faults", "ping-pong",      "overlap" };
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_FINDINGS);
  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      g_string_append_printf (text, "%s; ", names[finding->kind]);
    }
}

static const struct
{
  const char *name;
  void (*describe) (const MemlaneTrace *trace, GString *text);
} aspects[] = {
  { "calls", describe_calls },           { "operations", describe_operations },
  { "returns", describe_returns },       { "overlap", describe_overlap },
  { "migrations", describe_migrations }, { "faults", describe_faults },
  { "duplicates", describe_duplicates }, { "kinds", describe_kinds },
  { "waits", describe_waits },           { "findings", describe_findings },
};
