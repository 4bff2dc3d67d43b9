/* builder.c: events in any order become a sorted trace with lanes
 *
 * SPDX-License-Identifier: MIT
 */
#include "builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/host-memory.h"
#include "trace-private.h"

#define FIRST_EVENTS 256
#define ASK_MEMORY_FROM (G_GUINT64_CONSTANT (64) << 20) /* less than this every machine has */
#define INDEX_BYTES 40        /* an event's in finish: lanes and correlations, and what sorting takes */

struct _MemlaneTraceBuilder
{
  MemlaneTrace *trace;
  gsize room;           /* events that fit */
  GHashTable *names;    /* text -> id + 1 */
  GHashTable *tracks;   /* number -> title (in trace->text) */
  GHashTable *streams;  /* number -> index in trace->streams + 1 */
  GString *scratch;
  guint64 memory;       /* a test's */
};

MemlaneTraceBuilder *
memlane_trace_builder_new (void)
{
  MemlaneTraceBuilder *self = g_new0 (MemlaneTraceBuilder, 1);

  self->trace = g_new0 (MemlaneTrace, 1);
  self->trace->ref_count = 1;
  self->trace->text = g_string_chunk_new (4096);
  self->trace->names = g_ptr_array_new ();
  self->trace->streams = g_array_new (FALSE, TRUE, sizeof (MemlaneTraceStream));
  self->trace->info.notes = g_ptr_array_new_with_free_func (g_free);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->tracks = g_hash_table_new (NULL, NULL);
  self->streams = g_hash_table_new (NULL, NULL);
  self->scratch = g_string_new (NULL);
  return self;
}

void
memlane_trace_builder_free (MemlaneTraceBuilder *self)
{
  if (self == NULL)
    return;
  memlane_trace_unref (self->trace);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->tracks);
  g_hash_table_unref (self->streams);
  g_string_free (self->scratch, TRUE);
  g_free (self);
}

void
memlane_trace_builder_set_memory (MemlaneTraceBuilder *self, guint64 bytes)
{
  self->memory = bytes;
}

MemlaneTraceInfo *
memlane_trace_builder_get_info (MemlaneTraceBuilder *self)
{
  return &self->trace->info;
}

void
memlane_trace_builder_add_note (MemlaneTraceBuilder *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->trace->info.notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

guint32
memlane_trace_builder_intern (MemlaneTraceBuilder *self, const char *name, gssize length)
{
  gpointer known;

  if (length >= 0)
    {
      g_string_truncate (self->scratch, 0);
      g_string_append_len (self->scratch, name, length);
      name = self->scratch->str;
    }
  known = g_hash_table_lookup (self->names, name);
  if (known == NULL)
    {
      char *own = g_string_chunk_insert (self->trace->text, name);

      g_ptr_array_add (self->trace->names, own);
      known = GUINT_TO_POINTER (self->trace->names->len);
      g_hash_table_insert (self->names, own, known);
    }
  return GPOINTER_TO_UINT (known) - 1;
}

/* --- events ---------------------------------------------------------------------------------------------------- */

/* Whether @bytes more can be had, and something is left for others. */
static gboolean
has_memory (MemlaneTraceBuilder *self, guint64 bytes)
{
  guint64 available;

  if (bytes < ASK_MEMORY_FROM && self->memory == 0)
    return TRUE;
  available = self->memory > 0 ? self->memory : memlane_host_memory_get_available ();
  return available == 0 || bytes <= available / 2;
}

static gboolean
refuse_size (MemlaneTraceBuilder *self, gsize events, GError **error)
{
  g_set_error (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_TOO_LARGE,
               "more than %" G_GSIZE_FORMAT " events: this machine has no memory to hold them; take a shorter trace, or free memory",
               events);
  return FALSE;
}

gboolean
memlane_trace_builder_add (MemlaneTraceBuilder *self, const MemlaneTraceEvent *event, GError **error)
{
  MemlaneTrace *trace = self->trace;

  if (trace->n_events == self->room)
    {
      gsize room = MAX (self->room + self->room / 2, FIRST_EVENTS);
      MemlaneTraceEvent *events;

      if (room >= MEMLANE_TRACE_NONE || !has_memory (self, room * (sizeof *events + INDEX_BYTES)))
        return refuse_size (self, trace->n_events, error);
      events = g_try_realloc_n (trace->events, room, sizeof *events);
      if (events == NULL)
        return refuse_size (self, trace->n_events, error);
      trace->events = events;
      self->room = room;
    }
  trace->events[trace->n_events++] = *event;
  return TRUE;
}

guint
memlane_trace_builder_get_n_events (const MemlaneTraceBuilder *self)
{
  return self->trace->n_events;
}

MemlaneTraceEvent *
memlane_trace_builder_get_event (MemlaneTraceBuilder *self, guint index)
{
  return &self->trace->events[index];
}

void
memlane_trace_builder_add_stream (MemlaneTraceBuilder *self, const MemlaneTraceStream *stream)
{
  GArray *streams = self->trace->streams;
  gpointer known = g_hash_table_lookup (self->streams, GUINT_TO_POINTER (stream->number));

  if (known != NULL)
    {
      g_array_index (streams, MemlaneTraceStream, GPOINTER_TO_UINT (known) - 1) = *stream;
      return;
    }
  g_array_append_vals (streams, stream, 1);
  g_hash_table_insert (self->streams, GUINT_TO_POINTER (stream->number), GUINT_TO_POINTER (streams->len));
}

void
memlane_trace_builder_name_track (MemlaneTraceBuilder *self, guint32 number, const char *title)
{
  g_hash_table_insert (self->tracks, GUINT_TO_POINTER (number), g_string_chunk_insert (self->trace->text, title));
}

gint64
memlane_trace_builder_begin_at_zero (MemlaneTraceBuilder *self)
{
  MemlaneTrace *trace = self->trace;
  gint64 first = trace->n_events > 0 ? trace->events[0].start : 0;

  for (guint i = 0; i < trace->n_events; i++)
    first = MIN (first, trace->events[i].start);
  for (guint i = 0; i < trace->n_events; i++)
    trace->events[i].start -= first;
  return first;
}

/* --- order ------------------------------------------------------------------------------------------------------ */

static int
compare_events (const MemlaneTraceEvent *a, const MemlaneTraceEvent *b)
{
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return a->duration > b->duration ? -1 : a->duration < b->duration;
}

static int
compare_ids (const void *a, const void *b, void *data)
{
  const MemlaneTraceEvent *events = data;
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;
  int order = compare_events (&events[one], &events[other]);

  return order != 0 ? order : one < other ? -1 : one > other;
}

static gboolean
sort_events (MemlaneTrace *trace)
{
  guint32 *order;
  gboolean sorted = TRUE;

  for (guint i = 1; i < trace->n_events && sorted; i++)
    sorted = compare_events (&trace->events[i - 1], &trace->events[i]) <= 0;
  if (sorted)
    return TRUE;
  order = g_try_new (guint32, trace->n_events);
  if (order == NULL)
    return FALSE;
  for (guint i = 0; i < trace->n_events; i++)
    order[i] = i;
  qsort_r (order, trace->n_events, sizeof *order, compare_ids, trace->events);
  /* In place, one cycle after the other: place i receives what stood at order[i]. */
  for (guint i = 0; i < trace->n_events; i++)
    if (order[i] != i)
      {
        MemlaneTraceEvent first = trace->events[i];
        guint32 to = i;

        while (order[to] != i)
          {
            guint32 from = order[to];

            trace->events[to] = trace->events[from];
            order[to] = to;
            to = from;
          }
        trace->events[to] = first;
        order[to] = to;
      }
  g_free (order);
  return TRUE;
}

static int
compare_correlations (const void *a, const void *b, void *data)
{
  const MemlaneTraceEvent *events = data;
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  if (events[one].correlation != events[other].correlation)
    return events[one].correlation < events[other].correlation ? -1 : 1;
  return one < other ? -1 : one > other;
}

static gboolean
index_correlations (MemlaneTrace *trace)
{
  guint n = 0;

  for (guint i = 0; i < trace->n_events; i++)
    n += trace->events[i].correlation != 0;
  trace->correlated = g_try_new (guint32, MAX (n, 1));
  if (trace->correlated == NULL)
    return FALSE;
  trace->n_correlated = n;
  n = 0;
  for (guint i = 0; i < trace->n_events; i++)
    if (trace->events[i].correlation != 0)
      trace->correlated[n++] = i;
  qsort_r (trace->correlated, n, sizeof *trace->correlated, compare_correlations, trace->events);
  return TRUE;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static int
compare_streams (gconstpointer a, gconstpointer b)
{
  const MemlaneTraceStream *one = a, *other = b;

  return one->number < other->number ? -1 : one->number > other->number;
}

/* Streams that events mention and nobody has described. */
static void
complete_streams (MemlaneTraceBuilder *self)
{
  for (guint i = 0; i < self->trace->n_events; i++)
    {
      const MemlaneTraceEvent *event = &self->trace->events[i];
      MemlaneTraceStream stream = { .number = event->stream };

      if (event->kind != MEMLANE_TRACE_OTHER && event->stream != MEMLANE_TRACE_NO_STREAM
          && !g_hash_table_contains (self->streams, GUINT_TO_POINTER (event->stream)))
        memlane_trace_builder_add_stream (self, &stream);
    }
  g_array_sort (self->trace->streams, compare_streams);
}

MemlaneTrace *
memlane_trace_builder_finish (MemlaneTraceBuilder *self, GError **error)
{
  MemlaneTrace *trace = self->trace;
  MemlaneTraceEvent *fitting;

  complete_streams (self);
  if (!has_memory (self, (guint64) trace->n_events * INDEX_BYTES) || !sort_events (trace) || !memlane_trace_lay_out (trace, self->tracks)
      || !index_correlations (trace))
    {
      refuse_size (self, trace->n_events, error);
      memlane_trace_builder_free (self);
      return NULL;
    }
  fitting = g_try_realloc_n (trace->events, MAX (trace->n_events, 1), sizeof *fitting);
  if (fitting != NULL)
    trace->events = fitting;
  trace = memlane_trace_ref (trace);
  memlane_trace_builder_free (self);
  return trace;
}
