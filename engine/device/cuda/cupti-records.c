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

/* Adds an operation of one of our calls. */
static void
add_operation (Records *self, MemlaneTraceEvent *event, const char *name, guint32 correlation,
               guint64 start, guint64 end)
{
  double begin, from = shift (start, self->offset), to = shift (end, self->offset);

  event->correlation = GPOINTER_TO_UINT (
      g_hash_table_lookup (self->ours, GUINT_TO_POINTER (correlation)));
  if (event->correlation == 0)
    return; /* before the recording, or a call that no one of ours made */
  if (start == 0 || end == 0)
    {
      memlane_tracer_get_info (self->tracer)->dropped += 1; /* CUPTI could not time it */
      return;
    }
  begin = begin_of_call (self, event->correlation);
  if (begin >= 0 && from < begin)
    {
      self->counts.clamped++;
      from = MIN (begin, to);
      to = MAX (to, begin);
    }
  if (event->kind == MEMLANE_TRACE_COPY
      && (event->source == MEMLANE_TRACE_MEMORY_PAGEABLE
          || event->destination == MEMLANE_TRACE_MEMORY_PAGEABLE)
      && event->way != MEMLANE_TRACE_WAY_ON_HOST)
    event->flags |= MEMLANE_TRACE_STAGED;
  memlane_tracer_add (self->tracer, event, name, MAX (from, self->tracer->origin), to);
}

static void
add_kernel (Records *self, const MemlaneCuptiKernel *record)
{
  MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_KERNEL, .stream = record->streamId };
  g_autofree char *name = record->name != NULL ? memlane_trace_plain_name (record->name) : NULL;

  add_operation (self, &event, name, record->correlationId, record->start, record->end);
}

static void
add_memcpy (Records *self, const MemlaneCuptiMemcpy *record)
{
  MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_COPY,
    .bytes = record->bytes,
    .stream = record->streamId,
    .way = memlane_cupti_way_of (record->copyKind),
    .source = memlane_cupti_memory_of (record->srcKind),
    .destination = memlane_cupti_memory_of (record->dstKind),
  };

  add_operation (self, &event, NULL, record->correlationId, record->start, record->end);
}

static void
add_memcpy_peer (Records *self, const CUpti_ActivityMemcpyPtoP4 *record)
{
  MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_COPY,
    .bytes = record->bytes,
    .stream = record->streamId,
    .way = MEMLANE_TRACE_WAY_TO_PEER,
    .source = memlane_cupti_memory_of (record->srcKind),
    .destination = MEMLANE_TRACE_MEMORY_PEER,
  };

  add_operation (self, &event, NULL, record->correlationId, record->start, record->end);
}

static void
add_memset (Records *self, const CUpti_ActivityMemset4 *record)
{
  MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_MEMSET,
    .bytes = record->bytes,
    .stream = record->streamId,
    .destination = memlane_cupti_memory_of ((uint8_t) record->memoryKind),
  };

  add_operation (self, &event, NULL, record->correlationId, record->start, record->end);
}

static void
add_synchronization (Records *self, const MemlaneCuptiSynchronization *record)
{
  static const char *const names[] = { "wait", "wait for event", "wait for event",
                                       "wait for stream", "wait for device" };
  gboolean on_device = record->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_SYNCHRONISATION,
    .stream = record->streamId == CUPTI_SYNCHRONIZATION_INVALID_VALUE ? MEMLANE_TRACE_NO_STREAM
                                                                      : record->streamId,
    .flags = on_device ? MEMLANE_TRACE_ON_DEVICE : 0,
  };

  add_operation (self, &event,
                 (guint) record->type < G_N_ELEMENTS (names) ? names[record->type] : names[0],
                 record->correlationId, record->start, record->end);
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

static void
add_unified_memory (Records *self, const MemlaneCuptiUnifiedMemory *record)
{
  double start, end;
  MemlaneTraceEvent event = {
    .stream = MEMLANE_TRACE_NO_STREAM,
    .source = MEMLANE_TRACE_MEMORY_MANAGED,
    .destination = MEMLANE_TRACE_MEMORY_MANAGED,
  };

  if (!place_pages (self, record, &start, &end))
    return;
  switch ((int) record->counterKind)
    {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      event.kind = MEMLANE_TRACE_MIGRATION;
      event.way = record->counterKind
                          == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD
                      ? MEMLANE_TRACE_WAY_TO_DEVICE
                      : MEMLANE_TRACE_WAY_TO_HOST;
      event.bytes = record->value;
      /* A record has no correlation with a prefetch, but says that a call asked for it. What CUPTI
       * calls a prefetch is the driver's own. */
      if (record->flags == CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER)
        event.flags |= MEMLANE_TRACE_PREFETCHED;
      break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
      event.kind = MEMLANE_TRACE_FAULT;
      event.way = MEMLANE_TRACE_WAY_TO_HOST;
      event.count = 1; /* its value is the place in the program */
      end = start;     /* not told */
      event.correlation = find_call_at (self, start);
      break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
      event.kind = MEMLANE_TRACE_FAULT;
      event.way = MEMLANE_TRACE_WAY_TO_DEVICE;
      event.count = (guint32) MIN (record->value, G_MAXUINT32);
      event.flags |= MEMLANE_TRACE_ON_DEVICE;
      break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING:
      self->counts.thrashing++;
      return;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING:
      self->counts.throttled++;
      return;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP:
      self->counts.mapped++;
      return;
    default:
      return;
    }
  self->counts.pages_kept++;
  memlane_tracer_add (self->tracer, &event, NULL, start, end);
}

/* Adds what @record tells, if it is ours. */
static void
add_record (Records *self, const CUpti_Activity *record)
{
  gconstpointer data = record;

  /* Not a switch: -Wswitch-enum would have all of CUPTI's kinds listed here. */
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
      || record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
    add_kernel (self, data);
  else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
    add_memcpy (self, data);
  else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY2)
    add_memcpy_peer (self, data);
  else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET)
    add_memset (self, data);
  else if (record->kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)
    add_synchronization (self, data);
  else if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
    add_unified_memory (self, data);
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
