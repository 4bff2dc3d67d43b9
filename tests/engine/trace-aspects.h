/* trace-aspects.h: what a trace shows, aspect by aspect, each as a text that two traces of one cell share
 *
 * SPDX-License-Identifier: MIT
 *
 * Times do not appear, only their order: how long things take is test-agreement.c's.
 */
#pragma once

#include "trace-bench.h"

/* Host and GPU times come from two clocks, which CUPTI brings together. */
#define SKEW_NS 1000

static gboolean
returns_first (const MemlaneTraceEvent *call, const MemlaneTraceEvent *operation)
{
  return end_of (call) < end_of (operation) - SKEW_NS;
}

/* Whether any two of these, of different streams, work at once; of one stream none do. */
static gboolean
overlaps (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way, MemlaneTraceKind other_kind, MemlaneTraceWay other_way)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  gboolean found = FALSE;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n && events[i].kind == kind && events[i].way == way; k++)
      if (k != i && events[k].kind == other_kind && events[k].way == other_way && overlap (&events[i], &events[k]))
        {
          g_assert_cmpuint (events[i].stream, !=, events[k].stream);
          found = TRUE;
        }
  return found;
}

#define UP MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE
#define DOWN MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST
#define KERNEL MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_WAY_NONE

/* The calls, as the host makes them. */
static char *
describe_calls (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_CALL)
      {
        g_string_append_printf (text, "%s %" G_GUINT64_FORMAT, memlane_trace_get_name (trace, events[i].name), events[i].bytes);
        if (events[i].stream != MEMLANE_TRACE_NO_STREAM)
          g_string_append_printf (text, " in stream %u", events[i].stream);
        g_string_append (text, "; ");
      }
  return g_string_free (text, FALSE);
}

/* Copies and kernels of each stream, in their order; what a call's copy is split into is one copy. */
static char *
describe_operations (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n, n_streams;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n_streams);

  for (guint s = 0; s < n_streams; s++)
    {
      g_string_append_printf (text, "stream %u%s:", streams[s].number, streams[s].is_default ? " (default)" : "");
      for (guint i = 0; i < n; i++)
        {
          const MemlaneTraceEvent *event = &events[i];
          guint n_related;
          const guint32 *related = memlane_trace_get_correlated (trace, event->correlation, &n_related);
          guint64 bytes = 0;
          gboolean is_first = TRUE;

          if (event->stream != streams[s].number || (event->kind != MEMLANE_TRACE_COPY && event->kind != MEMLANE_TRACE_KERNEL))
            continue;
          for (guint k = 0; k < n_related; k++)
            if (events[related[k]].kind == event->kind)
              {
                bytes += events[related[k]].bytes;
                is_first &= related[k] >= i;
              }
          if (!is_first)
            continue;
          if (event->kind == MEMLANE_TRACE_KERNEL)
            g_string_append (text, " kernel,");
          else
            g_string_append_printf (text, " copy %s%s of %" G_GUINT64_FORMAT " from %s to %s,", memlane_trace_way_name (event->way),
                                    event->flags & MEMLANE_TRACE_STAGED ? ", staged," : "", bytes,
                                    memlane_trace_memory_name (event->source), memlane_trace_memory_name (event->destination));
        }
      g_string_append (text, "; ");
    }
  return g_string_free (text, FALSE);
}

/* Which calls return before what they issued is done. A kernel of a few microseconds can end while its launch is still returning, which
 * takes 5 to 12 us under CUPTI: so that tells nothing. */
static char *
describe_returns (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      guint n_related;
      const guint32 *related = memlane_trace_get_correlated (trace, events[i].correlation, &n_related);
      const MemlaneTraceEvent *last = NULL;

      for (guint k = 0; events[i].kind == MEMLANE_TRACE_CALL && k < n_related; k++)
        if (events[related[k]].kind == MEMLANE_TRACE_COPY || events[related[k]].kind == MEMLANE_TRACE_KERNEL)
          if (last == NULL || end_of (&events[related[k]]) > end_of (last))
            last = &events[related[k]];
      if (last != NULL && (last->kind != MEMLANE_TRACE_KERNEL || last->duration > 8 * SKEW_NS))
        g_string_append_printf (text, "%s returns %s its work is done; ", memlane_trace_get_name (trace, events[i].name),
                                returns_first (&events[i], last) ? "before" : "when");
    }
  return g_string_free (text, FALSE);
}

static char *
describe_overlap (const MemlaneTrace *trace)
{
  return g_strdup_printf ("%s%s%s%s%s%s", overlaps (trace, UP, UP) ? "two copies up; " : "",
                          overlaps (trace, DOWN, DOWN) ? "two copies down; " : "", overlaps (trace, UP, DOWN) ? "up and down; " : "",
                          overlaps (trace, KERNEL, UP) ? "kernel and up; " : "", overlaps (trace, KERNEL, DOWN) ? "kernel and down; " : "",
                          overlaps (trace, KERNEL, KERNEL) ? "two kernels; " : "");
}

/* Bytes that migrate, why and which way; in how many pieces is the driver's. */
static char *
describe_migrations (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint way = 0; way < MEMLANE_TRACE_N_WAYS; way++)
    for (guint prefetched = 0; prefetched <= MEMLANE_TRACE_PREFETCHED; prefetched += MEMLANE_TRACE_PREFETCHED)
      {
        guint64 bytes = 0;

        for (guint i = 0; i < n; i++)
          if (events[i].kind == MEMLANE_TRACE_MIGRATION && events[i].way == way
              && (events[i].flags & MEMLANE_TRACE_PREFETCHED) == prefetched)
            bytes += events[i].bytes;
        if (bytes > 0)
          g_string_append_printf (text, "%" G_GUINT64_FORMAT " %s by %s; ", bytes, memlane_trace_way_name ((MemlaneTraceWay) way),
                                  prefetched ? "prefetches" : "faults");
      }
  return g_string_free (text, FALSE);
}

static char *
describe_faults (const MemlaneTrace *trace)
{
  guint n, on_device = 0, on_host = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_FAULT)
      *(events[i].flags & MEMLANE_TRACE_ON_DEVICE ? &on_device : &on_host) += events[i].count;
  return g_strdup_printf ("%u of the device, %u of the host", on_device, on_host);
}

static char *
describe_duplicates (const MemlaneTrace *trace)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_MIGRATION && (events[i].flags & MEMLANE_TRACE_DUPLICATED) != 0)
      return g_strdup ("read-mostly pages stay where they were, too");
  return g_strdup ("none");
}

static char *
describe_kinds (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS; kind++)
    if (kind != MEMLANE_TRACE_SYNCHRONISATION && find_nth (trace, (MemlaneTraceKind) kind, NULL, 0) != NULL)
      g_string_append_printf (text, "%s; ", memlane_trace_kind_name ((MemlaneTraceKind) kind));
  for (guint i = 0; i < n; i++)
    if ((events[i].flags & MEMLANE_TRACE_IMPLICIT) != 0)
      {
        g_string_append (text, "implicit waits; ");
        break;
      }
  return g_string_free (text, FALSE);
}

/* Waits that a call asked for. */
static char *
describe_waits (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_SYNCHRONISATION && (events[i].flags & MEMLANE_TRACE_IMPLICIT) == 0)
      g_string_append_printf (text, "%s; ", memlane_trace_get_name (trace, events[i].name));
  return g_string_free (text, FALSE);
}

static char *
describe_findings (const MemlaneTrace *trace)
{
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
  static const char *const names[] = { "staged", "default-stream", "implicit", "small-copies", "faults", "ping-pong", "overlap" };
  GString *text = g_string_new (NULL);

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_FINDINGS);
  for (guint i = 0; i < findings->len; i++)
    g_string_append_printf (text, "%s; ", names[((MemlaneTraceFinding *) findings->pdata[i])->kind]);
  return g_string_free (text, FALSE);
}

static const struct
{
  const char *name;
  char *(*describe) (const MemlaneTrace *trace);
} aspects[] = {
  { "calls", describe_calls },       { "operations", describe_operations }, { "returns", describe_returns },
  { "overlap", describe_overlap },   { "migrations", describe_migrations }, { "faults", describe_faults },
  { "duplicates", describe_duplicates }, { "kinds", describe_kinds },       { "waits", describe_waits },
  { "findings", describe_findings },
};
