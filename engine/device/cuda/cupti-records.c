/* cupti-records.c: CUPTI's records as events
 *
 * SPDX-License-Identifier: MIT
 */
#include "cupti-records.h"

#include <stddef.h>
#include <string.h>

#include "base/each.h"

#if CUPTI_API_VERSION >= 130000
/* CUDA 12.0's, which this header still declares. */
#define SAME_PLACE(new, old, field) G_STATIC_ASSERT (offsetof (new, field) == offsetof (old, field))
SAME_PLACE (CUpti_ActivityKernel10, CUpti_ActivityKernel8, start);
SAME_PLACE (CUpti_ActivityKernel10, CUpti_ActivityKernel8, end);
SAME_PLACE (CUpti_ActivityKernel10, CUpti_ActivityKernel8, streamId);
SAME_PLACE (CUpti_ActivityKernel10, CUpti_ActivityKernel8, correlationId);
SAME_PLACE (CUpti_ActivityKernel10, CUpti_ActivityKernel8, name);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, copyKind);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, bytes);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, start);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, end);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, streamId);
SAME_PLACE (CUpti_ActivityMemcpy6, CUpti_ActivityMemcpy5, correlationId);
SAME_PLACE (CUpti_ActivityUnifiedMemoryCounter3, CUpti_ActivityUnifiedMemoryCounter2, counterKind);
SAME_PLACE (CUpti_ActivityUnifiedMemoryCounter3, CUpti_ActivityUnifiedMemoryCounter2, value);
SAME_PLACE (CUpti_ActivityUnifiedMemoryCounter3, CUpti_ActivityUnifiedMemoryCounter2, start);
SAME_PLACE (CUpti_ActivityUnifiedMemoryCounter3, CUpti_ActivityUnifiedMemoryCounter2, end);
SAME_PLACE (CUpti_ActivitySynchronization2, CUpti_ActivitySynchronization, start);
SAME_PLACE (CUpti_ActivitySynchronization2, CUpti_ActivitySynchronization, end);
SAME_PLACE (CUpti_ActivitySynchronization2, CUpti_ActivitySynchronization, correlationId);
SAME_PLACE (CUpti_ActivitySynchronization2, CUpti_ActivitySynchronization, streamId);
#endif

/* The record that is being read. */
typedef struct
{
  MemlaneTracer *tracer;
  const GArray *calls;
  /* whole: a double holds the system's time to a quarter of a microsecond only */
  gint64 offset, from_realtime;
  GHashTable *ours;   /* CUPTI's correlation id -> ours */
  MemlaneCuptiCounts counts;
} Records;

/* A record's time on the host's clock. */
static double
shift (guint64 time, gint64 offset)
{
  return (double) ((gint64) time + offset);
}

/* --- links ------------------------------------------------------------------------------------ */

/* The call that spans @time; 0: none. */
static guint32
find_call_at (const Records *self, double time)
{
  const MemlaneCuptiCall *calls = (gconstpointer) self->calls->data;
  guint place = MEMLANE_FIND_FIRST (self->calls->len, i, calls[i].end < time);

  return place < self->calls->len && calls[place].begin <= time ? calls[place].correlation : 0;
}

/* When the call began; -1: not known. */
static double
begin_of_call (const Records *self, guint32 correlation)
{
  /* They are numbered in order. */
  const MemlaneCuptiCall *calls = (gconstpointer) self->calls->data;
  guint place = MEMLANE_FIND_FIRST (self->calls->len, i, calls[i].correlation < correlation);

  return place < self->calls->len && calls[place].correlation == correlation ? calls[place].begin
                                                                             : -1;
}

/* Learns from @record which of our calls stands behind CUPTI's correlation ids. */
static void
link_record (Records *self, const CUpti_Activity *record)
{
  if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)
    {
      const CUpti_ActivityExternalCorrelation *link =
          (const CUpti_ActivityExternalCorrelation *) (gconstpointer) record;

      if (link->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0)
        g_hash_table_insert (self->ours, GUINT_TO_POINTER (link->correlationId),
                             GUINT_TO_POINTER ((guint) link->externalId));
    }
  else if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME)
    {
      /* For a CUPTI without external correlations: the runtime's call lies within ours. */
      const CUpti_ActivityAPI *call = (const CUpti_ActivityAPI *) (gconstpointer) record;
      guint32 found = find_call_at (self, shift (call->start, self->offset));

      if (found != 0 && !g_hash_table_contains (self->ours, GUINT_TO_POINTER (call->correlationId)))
        g_hash_table_insert (self->ours, GUINT_TO_POINTER (call->correlationId),
                             GUINT_TO_POINTER (found));
    }
}

/* --- events ----------------------------------------------------------------------------------- */

/* A wait for all streams has the number of none. */
G_STATIC_ASSERT (CUPTI_SYNCHRONIZATION_INVALID_VALUE == MEMLANE_TRACE_NO_STREAM);

static const guint8 kinds[G_MAXUINT8 + 1] = {
  [MEMLANE_RECORD_COPY] = MEMLANE_TRACE_COPY, [MEMLANE_RECORD_MEMSET] = MEMLANE_TRACE_MEMSET,
  [MEMLANE_RECORD_KERNEL] = MEMLANE_TRACE_KERNEL,
  [MEMLANE_RECORD_SYNCHRONISATION] = MEMLANE_TRACE_SYNCHRONISATION,
  [MEMLANE_RECORD_MIGRATION] = MEMLANE_TRACE_MIGRATION,
  [MEMLANE_RECORD_FAULT] = MEMLANE_TRACE_FAULT,
};

/* Adds an operation of one of our calls. */
static void
add_operation (Records *self, const MemlaneRecord *record, const char *name)
{
  double begin, from = shift (record->start, self->offset), to = shift (record->end, self->offset);
  MemlaneTraceEvent event = {
    .kind = kinds[record->type],
    .bytes = record->bytes,
    .stream = record->stream,
    .way = record->way,
    .source = record->source,
    .destination = record->destination,
    .correlation = GPOINTER_TO_UINT (
        g_hash_table_lookup (self->ours, GUINT_TO_POINTER (record->correlation))),
  };

  if (event.correlation == 0)
    return; /* before the recording, or a call that no one of ours made */
  if (record->start == 0 || record->end == 0)
    {
      memlane_tracer_get_info (self->tracer)->dropped += 1; /* CUPTI could not time it */
      return;
    }
  begin = begin_of_call (self, event.correlation);
  if (begin >= 0 && from < begin)
    {
      self->counts.clamped++;
      from = MIN (begin, to);
      to = MAX (to, begin);
    }
  if (event.kind == MEMLANE_TRACE_COPY
      && (event.source == MEMLANE_TRACE_MEMORY_PAGEABLE
          || event.destination == MEMLANE_TRACE_MEMORY_PAGEABLE)
      && event.way != MEMLANE_TRACE_WAY_ON_HOST)
    event.flags |= MEMLANE_TRACE_STAGED;
  if (event.kind == MEMLANE_TRACE_SYNCHRONISATION && record->count != 0)
    event.flags |= MEMLANE_TRACE_ON_DEVICE;
  memlane_tracer_add (self->tracer, &event, name, MAX (from, self->tracer->origin), to);
}

/* ns from the sample to @time, negative: before it. What comes before the first call belongs to
 * preparing, what comes after the last one to checking the result. */
static double
distance_of (const Records *self, double time)
{
  const MemlaneCuptiCall *calls = (const MemlaneCuptiCall *) (gconstpointer) self->calls->data;
  guint n = self->calls->len;

  if (n == 0 || time < calls[0].begin)
    return n == 0 ? -G_MAXDOUBLE : time - calls[0].begin;
  return MAX (time - calls[n - 1].end, 0);
}

/* Pages have no correlation: what falls into the sample is ours. Their times come from another part
 * of the driver than all others', and may be of CUPTI's own clock though it was given ours: what is
 * nearer to the sample is taken. FALSE: outside. */
static gboolean
place_pages (Records *self, const MemlaneCuptiUnifiedMemory *record, double *start, double *end)
{
  double ours = distance_of (self, shift (record->start, self->offset));
  double other = distance_of (self, shift (record->start, self->from_realtime));
  gboolean is_other = ABS (other) < ABS (ours);
  double distance = is_other ? other : ours;
  gint64 offset = is_other ? self->from_realtime : self->offset;

  self->counts.pages++;
  if (distance != 0)
    {
      if (self->counts.nearest == 0 || ABS (distance) < ABS (self->counts.nearest))
        self->counts.nearest = distance;
      return FALSE;
    }
  *start = shift (record->start, offset);
  *end = record->end != 0 ? shift (record->end, offset) : *start;
  self->counts.pages_of_realtime += is_other;
  return TRUE;
}

/* Adds what befell pages, as @read says if it is not NULL, or counts it. */
static void
add_pages (Records *self, const MemlaneCuptiUnifiedMemory *pages, const MemlaneRecord *read)
{
  double start, end;
  MemlaneTraceEvent event = {
    .stream = MEMLANE_TRACE_NO_STREAM,
    .source = MEMLANE_TRACE_MEMORY_MANAGED,
    .destination = MEMLANE_TRACE_MEMORY_MANAGED,
  };

  if (!place_pages (self, pages, &start, &end))
    return;
  self->counts.thrashing
      += pages->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING;
  self->counts.throttled
      += pages->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING;
  self->counts.mapped
      += pages->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP;
  if (read == NULL)
    return;
  event.kind = kinds[read->type];
  event.way = read->way;
  event.bytes = read->bytes;
  if (event.kind == MEMLANE_TRACE_MIGRATION)
    event.flags = read->count != 0 ? MEMLANE_TRACE_PREFETCHED : 0;
  else
    event.count = read->count;
  if (event.kind == MEMLANE_TRACE_FAULT && event.way == MEMLANE_TRACE_WAY_TO_HOST)
    {
      end = start;
      event.correlation = find_call_at (self, start);
    }
  else if (event.kind == MEMLANE_TRACE_FAULT)
    event.flags = MEMLANE_TRACE_ON_DEVICE;
  self->counts.pages_kept++;
  memlane_tracer_add (self->tracer, &event, NULL, start, end);
}

/* Adds what @activity tells, if it is ours. */
static void
add_record (Records *self, const CUpti_Activity *activity)
{
  static const char *const waits[] = { "wait", "wait for event", "wait for event",
                                       "wait for stream", "wait for device" };
  const MemlaneCuptiSynchronization *wait = (gconstpointer) activity;
  g_autofree char *plain = NULL;
  MemlaneRecord record;
  const char *name;
  gboolean is_read = memlane_cupti_read (activity, &record, &name);

  if (activity->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
    add_pages (self, (gconstpointer) activity, is_read ? &record : NULL);
  else if (is_read && record.type == MEMLANE_RECORD_SYNCHRONISATION)
    add_operation (self, &record,
                   waits[(guint) wait->type < G_N_ELEMENTS (waits) ? (guint) wait->type : 0]);
  else if (is_read)
    add_operation (self, &record, name != NULL ? (plain = memlane_trace_plain_name (name)) : NULL);
}

void
memlane_cupti_read_records (MemlaneTracer *tracer, const GArray *calls, gint64 offset,
                            gint64 from_realtime, const CUpti_Activity *const *records, guint n,
                            MemlaneCuptiCounts *counts)
{
  g_autoptr (GHashTable) ours = g_hash_table_new (NULL, NULL);
  Records self = {
    .tracer = tracer, .calls = calls, .offset = offset, .from_realtime = from_realtime, .ours = ours
  };

  for (guint i = 0; i < n; i++)
    link_record (&self, records[i]);
  for (guint i = 0; i < n; i++)
    add_record (&self, records[i]);
  *counts = self.counts;
}
