/* trace.c: what a finished trace answers
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-private.h"

#include <string.h>

G_DEFINE_QUARK (memlane-trace-error-quark, memlane_trace_error)

/* --- words ------------------------------------------------------------------------------------------------ */

const char *
memlane_trace_kind_name (MemlaneTraceKind kind)
{
  static const char *const names[] = { "call", "host", "synchronisation", "staging", "copy", "memset", "kernel", "migration", "fault",
                                       "host-function", "phase", "other" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_TRACE_N_KINDS);
  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "?";
}

const char *
memlane_trace_memory_name (MemlaneTraceMemory memory)
{
  static const char *const names[] = { "unknown", "pageable", "pinned", "device", "managed", "peer" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_TRACE_N_MEMORIES);
  return (guint) memory < G_N_ELEMENTS (names) ? names[memory] : "?";
}

const char *
memlane_trace_way_name (MemlaneTraceWay way)
{
  static const char *const names[] = { "none", "to-device", "to-host", "on-device", "on-host", "to-peer" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_TRACE_N_WAYS);
  return (guint) way < G_N_ELEMENTS (names) ? names[way] : "?";
}

/* --- life -------------------------------------------------------------------------------------------------- */

void
memlane_trace_info_clear (MemlaneTraceInfo *info)
{
  g_free (info->device);
  g_free (info->device_name);
  g_free (info->device_kind);
  g_free (info->source);
  g_free (info->workload);
  g_free (info->mode);
  g_free (info->method);
  g_free (info->environment);
  g_free (info->date);
  g_free (info->overhead);
  if (info->notes != NULL)
    g_ptr_array_unref (info->notes);
  memset (info, 0, sizeof *info);
}

MemlaneTrace *
memlane_trace_ref (MemlaneTrace *trace)
{
  g_atomic_int_inc (&trace->ref_count);
  return trace;
}

void
memlane_trace_unref (MemlaneTrace *trace)
{
  if (trace == NULL || !g_atomic_int_dec_and_test (&trace->ref_count))
    return;
  for (guint i = 0; i < trace->n_lanes; i++)
    {
      g_free ((gpointer) trace->lanes[i].events);
      g_free ((gpointer) trace->lanes[i].ends);
      g_free ((gpointer) trace->lanes[i].rows);
      g_free ((gpointer) trace->lanes[i].blocks);
    }
  g_free (trace->lanes);
  g_free (trace->events);
  g_free (trace->correlated);
  g_ptr_array_unref (trace->names);
  g_array_unref (trace->streams);
  g_string_chunk_free (trace->text);
  memlane_trace_info_clear (&trace->info);
  g_free (trace);
}

/* --- what it holds -------------------------------------------------------------------------------------------- */

const MemlaneTraceInfo *
memlane_trace_get_info (const MemlaneTrace *trace)
{
  return &trace->info;
}

const MemlaneTraceEvent *
memlane_trace_get_events (const MemlaneTrace *trace, guint *n)
{
  *n = trace->n_events;
  return trace->events;
}

const char *
memlane_trace_get_name (const MemlaneTrace *trace, guint32 name)
{
  return name < trace->names->len ? trace->names->pdata[name] : "";
}

guint
memlane_trace_get_n_names (const MemlaneTrace *trace)
{
  return trace->names->len;
}

gint64
memlane_trace_get_end (const MemlaneTrace *trace)
{
  return trace->end;
}

const MemlaneTraceLane *
memlane_trace_get_lanes (const MemlaneTrace *trace, guint *n)
{
  *n = trace->n_lanes;
  return trace->lanes;
}

const MemlaneTraceStream *
memlane_trace_get_streams (const MemlaneTrace *trace, guint *n)
{
  *n = trace->streams->len;
  return (const MemlaneTraceStream *) (gpointer) trace->streams->data;
}

const MemlaneTraceStream *
memlane_trace_find_stream (const MemlaneTrace *trace, guint32 number)
{
  guint low = 0, high = trace->streams->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const MemlaneTraceStream *stream = &g_array_index (trace->streams, MemlaneTraceStream, middle);

      if (stream->number == number)
        return stream;
      if (stream->number < number)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

guint
memlane_trace_count_kind (const MemlaneTrace *trace, MemlaneTraceKind kind, guint8 *flags)
{
  gboolean is_known = (guint) kind < MEMLANE_TRACE_N_KINDS;

  if (flags != NULL)
    *flags = is_known ? trace->kind_flags[kind] : 0;
  return is_known ? trace->kinds[kind] : 0;
}

const guint32 *
memlane_trace_get_correlated (const MemlaneTrace *trace, guint32 correlation, guint *n)
{
  guint low = 0, high = trace->n_correlated, end;

  *n = 0;
  if (correlation == 0)
    return NULL;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (trace->events[trace->correlated[middle]].correlation < correlation)
        low = middle + 1;
      else
        high = middle;
    }
  for (end = low; end < trace->n_correlated && trace->events[trace->correlated[end]].correlation == correlation; end++)
    ;
  *n = end - low;
  return *n > 0 ? trace->correlated + low : NULL;
}

guint32
memlane_trace_find_call (const MemlaneTrace *trace, guint32 id)
{
  const guint32 *ids;
  guint n;

  if (id >= trace->n_events || trace->events[id].kind == MEMLANE_TRACE_CALL)
    return MEMLANE_TRACE_NONE;
  ids = memlane_trace_get_correlated (trace, trace->events[id].correlation, &n);
  for (guint i = 0; i < n; i++)
    if (trace->events[ids[i]].kind == MEMLANE_TRACE_CALL)
      return ids[i];
  return MEMLANE_TRACE_NONE;
}

gsize
memlane_trace_get_memory (const MemlaneTrace *trace)
{
  gsize bytes = sizeof *trace + trace->n_events * sizeof *trace->events + trace->n_correlated * sizeof *trace->correlated
                + trace->n_lanes * sizeof *trace->lanes + trace->streams->len * sizeof (MemlaneTraceStream);

  for (guint i = 0; i < trace->n_lanes; i++)
    bytes += trace->lanes[i].n_events
               * (sizeof *trace->lanes[i].events + sizeof *trace->lanes[i].ends + sizeof *trace->lanes[i].rows)
             + trace->lanes[i].n_blocks * sizeof *trace->lanes[i].blocks;
  for (guint i = 0; i < trace->names->len; i++)
    bytes += sizeof (char *) + strlen (trace->names->pdata[i]) + 1;
  return bytes;
}

gboolean
memlane_trace_event_is_operation (const MemlaneTraceEvent *event)
{
  return event->kind == MEMLANE_TRACE_COPY || event->kind == MEMLANE_TRACE_MEMSET || event->kind == MEMLANE_TRACE_KERNEL
         || (event->kind == MEMLANE_TRACE_MIGRATION && (event->flags & MEMLANE_TRACE_PREFETCHED) != 0);
}

/* --- lanes ------------------------------------------------------------------------------------------------------ */

guint
memlane_trace_lane_first (const MemlaneTraceLane *lane, gint64 time)
{
  guint low = 0, high = lane->n_events;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (lane->ends[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint
memlane_trace_lane_last (const MemlaneTrace *trace, const MemlaneTraceLane *lane, gint64 time)
{
  guint low = 0, high = lane->n_events;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (trace->events[lane->events[middle]].start < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static gboolean
equal_infos (const MemlaneTraceInfo *a, const MemlaneTraceInfo *b)
{
  if (g_strcmp0 (a->device, b->device) != 0 || g_strcmp0 (a->device_name, b->device_name) != 0
      || g_strcmp0 (a->device_kind, b->device_kind) != 0 || a->simulated != b->simulated || g_strcmp0 (a->source, b->source) != 0
      || g_strcmp0 (a->workload, b->workload) != 0 || g_strcmp0 (a->mode, b->mode) != 0 || a->log2_elements != b->log2_elements
      || a->elements != b->elements || a->reuse != b->reuse || a->streams != b->streams || a->chunks != b->chunks
      || g_strcmp0 (a->method, b->method) != 0 || g_strcmp0 (a->environment, b->environment) != 0 || g_strcmp0 (a->date, b->date) != 0
      || a->traced_ns != b->traced_ns || a->untraced_ns != b->untraced_ns || g_strcmp0 (a->overhead, b->overhead) != 0
      || a->dropped != b->dropped || a->skipped != b->skipped || a->notes->len != b->notes->len)
    return FALSE;
  for (guint i = 0; i < a->notes->len; i++)
    if (strcmp (a->notes->pdata[i], b->notes->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
equal_events (const MemlaneTraceEvent *a, const MemlaneTraceEvent *b)
{
  return a->start == b->start && a->duration == b->duration && a->bytes == b->bytes && a->correlation == b->correlation
         && a->stream == b->stream && a->count == b->count && a->lane == b->lane && a->kind == b->kind && a->way == b->way
         && a->source == b->source && a->destination == b->destination && a->flags == b->flags;
}

gboolean
memlane_trace_equal (const MemlaneTrace *a, const MemlaneTrace *b)
{
  if (a->n_events != b->n_events || a->n_lanes != b->n_lanes || a->streams->len != b->streams->len || !equal_infos (&a->info, &b->info))
    return FALSE;
  for (guint i = 0; i < a->n_events; i++)
    if (!equal_events (&a->events[i], &b->events[i])
        || strcmp (memlane_trace_get_name (a, a->events[i].name), memlane_trace_get_name (b, b->events[i].name)) != 0)
      return FALSE;
  for (guint i = 0; i < a->streams->len; i++)
    {
      const MemlaneTraceStream *one = &g_array_index (a->streams, MemlaneTraceStream, i);
      const MemlaneTraceStream *other = &g_array_index (b->streams, MemlaneTraceStream, i);

      if (one->number != other->number || one->is_default != other->is_default || one->non_blocking != other->non_blocking
          || one->priority != other->priority)
        return FALSE;
    }
  for (guint i = 0; i < a->n_lanes; i++)
    if (a->lanes[i].kind != b->lanes[i].kind || strcmp (a->lanes[i].title, b->lanes[i].title) != 0)
      return FALSE;
  return TRUE;
}
