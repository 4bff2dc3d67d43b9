/* builder.c: events in any order become a sorted trace with lanes
 *
 * SPDX-License-Identifier: MIT
 */
#include "builder.h"

#include <stdlib.h>
#include <string.h>

#include "device/host-memory.h"
#include "trace-private.h"

#define FIRST_EVENTS 256
#define ASK_MEMORY_FROM (G_GUINT64_CONSTANT (64) << 20) /* less than this every machine has */
#define INDEX_BYTES 40        /* an event's in finish: lanes and correlations, and what sorting takes */
#define MOST_LANES 60000      /* of guint16; whatever comes later shares the last one */
#define MOST_ROWS 255

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

/* --- lanes -------------------------------------------------------------------------------------------------------- */

/* The lane of its engine; N_LANES: it has none beside its home. */
static MemlaneTraceLaneKind
engine_lane (const MemlaneTraceEvent *event)
{
  switch ((MemlaneTraceKind) event->kind)
    {
    case MEMLANE_TRACE_COPY:
      switch ((MemlaneTraceWay) event->way)
        {
        case MEMLANE_TRACE_WAY_TO_DEVICE:
          return MEMLANE_TRACE_LANE_COPY_UP;
        case MEMLANE_TRACE_WAY_TO_HOST:
          return MEMLANE_TRACE_LANE_COPY_DOWN;
        case MEMLANE_TRACE_WAY_ON_HOST:
          return MEMLANE_TRACE_N_LANES;
        case MEMLANE_TRACE_WAY_NONE:
        case MEMLANE_TRACE_WAY_ON_DEVICE:
        case MEMLANE_TRACE_WAY_TO_PEER:
        case MEMLANE_TRACE_N_WAYS:
        default:
          return MEMLANE_TRACE_LANE_COPY_INSIDE;
        }
    case MEMLANE_TRACE_MEMSET:
    case MEMLANE_TRACE_KERNEL:
      return MEMLANE_TRACE_LANE_KERNELS;
    case MEMLANE_TRACE_MIGRATION:
    case MEMLANE_TRACE_FAULT:
      return MEMLANE_TRACE_LANE_MIGRATIONS;
    case MEMLANE_TRACE_HOST_FUNCTION:
      return MEMLANE_TRACE_LANE_HOST_FUNCTIONS;
    case MEMLANE_TRACE_STAGING:
      return MEMLANE_TRACE_LANE_STAGING;
    case MEMLANE_TRACE_PHASE:
      return MEMLANE_TRACE_LANE_PHASES;
    case MEMLANE_TRACE_CALL:
    case MEMLANE_TRACE_HOST:
      return MEMLANE_TRACE_LANE_HOST;
    case MEMLANE_TRACE_SYNCHRONISATION:
      return (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0 ? MEMLANE_TRACE_N_LANES : MEMLANE_TRACE_LANE_HOST;
    case MEMLANE_TRACE_OTHER:
    case MEMLANE_TRACE_N_KINDS:
    default:
      return MEMLANE_TRACE_LANE_OTHER;
    }
}

/* Whether it lies in its stream's lane. */
static gboolean
is_in_stream (const MemlaneTraceEvent *event)
{
  if (event->stream == MEMLANE_TRACE_NO_STREAM)
    return FALSE;
  return memlane_trace_event_is_operation (event) || event->kind == MEMLANE_TRACE_HOST_FUNCTION
         || (event->kind == MEMLANE_TRACE_SYNCHRONISATION && (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0);
}

typedef struct
{
  MemlaneTraceBuilder *builder;
  GArray *lanes; /* (element-type MemlaneTraceLane) */
  guint32 fixed[MEMLANE_TRACE_N_LANES]; /* index + 1 of a lane that there is once */
  GHashTable *numbered[2];              /* streams, tracks: number -> index + 1 */
} Layout;

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const MemlaneTraceLane *one = a, *other = b;

  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  return one->stream < other->stream ? -1 : one->stream > other->stream;
}

static guint32
find_lane (Layout *layout, MemlaneTraceLaneKind kind, guint32 number)
{
  gboolean is_track = kind == MEMLANE_TRACE_LANE_OTHER;
  MemlaneTraceLane lane = { .kind = kind, .stream = MEMLANE_TRACE_NO_STREAM };
  guint32 *fixed = &layout->fixed[kind];
  gpointer known;

  if (kind < MEMLANE_TRACE_LANE_STREAM)
    {
      if (*fixed == 0)
        {
          g_array_append_val (layout->lanes, lane);
          *fixed = layout->lanes->len;
        }
      return *fixed - 1;
    }
  known = g_hash_table_lookup (layout->numbered[is_track], GUINT_TO_POINTER (number));
  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  if (layout->lanes->len < MOST_LANES || *fixed == 0)
    {
      lane.stream = number;
      g_array_append_val (layout->lanes, lane);
      *fixed = layout->lanes->len;
    }
  g_hash_table_insert (layout->numbered[is_track], GUINT_TO_POINTER (number), GUINT_TO_POINTER (*fixed));
  return *fixed - 1;
}

/* Puts the lanes in order; what was found before is found at its new place. */
static void
order_lanes (Layout *layout)
{
  g_autofree guint32 *places = g_new (guint32, MAX (layout->lanes->len, 1));

  for (guint i = 0; i < layout->lanes->len; i++)
    g_array_index (layout->lanes, MemlaneTraceLane, i).busy = i;
  g_array_sort (layout->lanes, compare_lanes);
  for (guint i = 0; i < layout->lanes->len; i++)
    {
      MemlaneTraceLane *lane = &g_array_index (layout->lanes, MemlaneTraceLane, i);

      places[lane->busy] = i;
      lane->busy = 0;
    }
  for (guint i = 0; i < MEMLANE_TRACE_N_LANES; i++)
    if (layout->fixed[i] != 0)
      layout->fixed[i] = places[layout->fixed[i] - 1] + 1;
  for (guint i = 0; i < G_N_ELEMENTS (layout->numbered); i++)
    {
      GHashTableIter iter;
      gpointer value;

      g_hash_table_iter_init (&iter, layout->numbered[i]);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        g_hash_table_iter_replace (&iter, GUINT_TO_POINTER (places[GPOINTER_TO_UINT (value) - 1] + 1));
    }
}

/* The lanes of @event: @home first; *@other MEMLANE_TRACE_NONE when it has one only. */
static void
find_lanes (Layout *layout, const MemlaneTraceEvent *event, guint32 *home, guint32 *other)
{
  MemlaneTraceLaneKind engine = engine_lane (event);

  *other = MEMLANE_TRACE_NONE;
  if (is_in_stream (event))
    {
      *home = find_lane (layout, MEMLANE_TRACE_LANE_STREAM, event->stream);
      if (engine != MEMLANE_TRACE_N_LANES)
        *other = find_lane (layout, engine, 0);
    }
  else if (engine == MEMLANE_TRACE_N_LANES)
    *home = find_lane (layout, MEMLANE_TRACE_LANE_HOST, 0);
  else
    *home = find_lane (layout, engine, event->stream);
}

static const char *
make_title (MemlaneTraceBuilder *self, const MemlaneTraceLane *lane)
{
  static const char *const titles[] = {
    [MEMLANE_TRACE_LANE_PHASES] = "phases",
    [MEMLANE_TRACE_LANE_HOST] = "host thread",
    [MEMLANE_TRACE_LANE_STAGING] = "staging",
    [MEMLANE_TRACE_LANE_HOST_FUNCTIONS] = "host functions",
    [MEMLANE_TRACE_LANE_COPY_UP] = "copies to device",
    [MEMLANE_TRACE_LANE_COPY_DOWN] = "copies to host",
    [MEMLANE_TRACE_LANE_COPY_INSIDE] = "copies on device",
    [MEMLANE_TRACE_LANE_KERNELS] = "kernels",
    [MEMLANE_TRACE_LANE_MIGRATIONS] = "migrations and faults",
  };
  g_autofree char *title = NULL;
  const char *track;

  if (lane->kind < MEMLANE_TRACE_LANE_STREAM)
    return titles[lane->kind];
  if (lane->kind == MEMLANE_TRACE_LANE_STREAM)
    {
      const MemlaneTraceStream *stream = memlane_trace_find_stream (self->trace, lane->stream);

      title = g_strdup_printf ("stream %u%s%s", lane->stream, stream != NULL && stream->is_default ? " (default)" : "",
                               stream != NULL && stream->non_blocking ? " (non-blocking)" : "");
    }
  else
    {
      track = g_hash_table_lookup (self->tracks, GUINT_TO_POINTER (lane->stream));
      title = track != NULL ? g_strdup (track) : g_strdup_printf ("track %u", lane->stream);
    }
  return g_string_chunk_insert (self->trace->text, title);
}

static int
compare_streams (gconstpointer a, gconstpointer b)
{
  const MemlaneTraceStream *one = a, *other = b;

  return one->number < other->number ? -1 : one->number > other->number;
}

/* Rows, latest ends and busy time of a lane whose events are in. */
static void
measure_lane (const MemlaneTrace *trace, MemlaneTraceLane *lane, gint64 *ends, guint8 *rows)
{
  gint64 row_ends[MOST_ROWS + 1], latest = G_MININT64;

  for (guint i = 0; i < lane->n_events; i++)
    {
      const MemlaneTraceEvent *event = &trace->events[lane->events[i]];
      gint64 end = event->start + event->duration;
      guint row = 0;

      while (row < lane->n_rows && row_ends[row] > event->start && row < MOST_ROWS)
        row++;
      if (row == lane->n_rows)
        lane->n_rows++;
      row_ends[row] = end;
      rows[i] = (guint8) row;
      if (end > latest)
        lane->busy += end - MAX (event->start, latest);
      latest = MAX (latest, end);
      ends[i] = latest;
    }
}

static gboolean
lay_out (MemlaneTraceBuilder *self)
{
  MemlaneTrace *trace = self->trace;
  Layout layout = { .builder = self, .lanes = g_array_new (FALSE, TRUE, sizeof (MemlaneTraceLane)) };
  guint32 home, other;
  gboolean done = FALSE;

  layout.numbered[0] = g_hash_table_new (NULL, NULL);
  layout.numbered[1] = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < trace->n_events; i++)
    {
      find_lanes (&layout, &trace->events[i], &home, &other);
      g_array_index (layout.lanes, MemlaneTraceLane, home).n_events++;
      if (other != MEMLANE_TRACE_NONE)
        g_array_index (layout.lanes, MemlaneTraceLane, other).n_events++;
    }
  order_lanes (&layout);
  trace->n_lanes = layout.lanes->len;
  trace->lanes = (MemlaneTraceLane *) (gpointer) g_array_free (layout.lanes, FALSE); /* all are known: no more is added */
  for (guint i = 0; i < trace->n_lanes; i++)
    {
      MemlaneTraceLane *lane = &trace->lanes[i];

      lane->events = g_try_new (guint32, lane->n_events);
      lane->ends = g_try_new (gint64, lane->n_events);
      lane->rows = g_try_new (guint8, lane->n_events);
      if (lane->events == NULL || lane->ends == NULL || lane->rows == NULL)
        goto out;
      lane->title = make_title (self, lane);
      lane->n_events = 0;
    }
  for (guint i = 0; i < trace->n_events; i++)
    {
      find_lanes (&layout, &trace->events[i], &home, &other);
      trace->events[i].lane = (guint16) home;
      ((guint32 *) trace->lanes[home].events)[trace->lanes[home].n_events++] = i;
      if (other != MEMLANE_TRACE_NONE)
        ((guint32 *) trace->lanes[other].events)[trace->lanes[other].n_events++] = i;
      trace->end = MAX (trace->end, trace->events[i].start + trace->events[i].duration);
    }
  for (guint i = 0; i < trace->n_lanes; i++)
    measure_lane (trace, &trace->lanes[i], (gint64 *) trace->lanes[i].ends, (guint8 *) trace->lanes[i].rows);
  done = TRUE;

out:
  g_hash_table_unref (layout.numbered[0]);
  g_hash_table_unref (layout.numbered[1]);
  return done;
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
  if (!has_memory (self, (guint64) trace->n_events * INDEX_BYTES) || !sort_events (trace) || !lay_out (self) || !index_correlations (trace))
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
