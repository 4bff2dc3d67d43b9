/* trace.c: a trace, from events in any order to lanes
 *
 * SPDX-License-Identifier: MIT
 */
#include "builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/host-memory.h"
#include "base/owns.h"
#include "base/words.h"
#include "summary.h"

#define FIRST_EVENTS 256
#define ASK_MEMORY_FROM (G_GUINT64_CONSTANT (64) << 20) /* less than this every machine has */
#define INDEX_BYTES 40   /* an event's in finish: lanes and correlations, and what sorting takes */
#define MOST_LANES 60000 /* of guint16; whatever comes later shares the last one */
#define MOST_ROWS 255

G_DEFINE_QUARK (memlane-trace-error-quark, memlane_trace_error)

struct _MemlaneTrace
{
  int ref_count; /* atomic */
  MemlaneTraceInfo info;
  MemlaneTraceEvent *events;
  guint n_events;
  gint64 end;
  GStringChunk *text;      /* the names and titles */
  GPtrArray *names;        /* (element-type const char*) in text */
  GArray *streams;         /* (element-type MemlaneTraceStream), by number */
  MemlaneTraceLane *lanes; /* each with arrays of its own */
  guint n_lanes;
  guint32 *correlated;     /* ids of the events with a correlation, by it, then by id */
  guint n_correlated;
  guint kinds[MEMLANE_TRACE_N_KINDS];       /* how many events of each */
  guint8 kind_flags[MEMLANE_TRACE_N_KINDS]; /* and the flags that they have */
  gboolean has_bounds;
  MemlaneTraceBounds bounds;
};

/* --- words ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_WORDS (MemlaneTraceKind, memlane_trace_kind, MEMLANE_TRACE_N_KINDS, "call", "host",
                      "synchronisation", "staging", "copy", "memset", "kernel", "migration",
                      "fault", "host-function", "phase", "other")
MEMLANE_DEFINE_WORDS (MemlaneTraceMemory, memlane_trace_memory, MEMLANE_TRACE_N_MEMORIES, "unknown",
                      "pageable", "pinned", "device", "managed", "peer")
MEMLANE_DEFINE_WORDS (MemlaneTraceWay, memlane_trace_way, MEMLANE_TRACE_N_WAYS, "none", "to-device",
                      "to-host", "on-device", "on-host", "to-peer")

/* --- life ------------------------------------------------------------------------------------- */

static void
clear_info (MemlaneTraceInfo *info)
{
#define X(member) g_free (info->member);
  MEMLANE_TRACE_INFO_TEXTS (X)
#undef X
  if (info->notes != NULL)
    g_ptr_array_unref (info->notes);
}

static void
clear_lanes (MemlaneTrace *trace)
{
  for (guint i = 0; i < trace->n_lanes; i++)
    {
      g_free ((gpointer) trace->lanes[i].events);
      g_free ((gpointer) trace->lanes[i].rows);
    }
  g_free (trace->lanes);
}

MEMLANE_DEFINE_REF (MemlaneTrace, memlane_trace, clear_lanes (self);
                    OWNS (events, g_free) OWNS (correlated, g_free) OWNS (names, g_ptr_array_unref)
                        OWNS (streams, g_array_unref) OWNS (text, g_string_chunk_free)
                            clear_info (&self->info);)

/* --- what it holds ---------------------------------------------------------------------------- */

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

/* The length of a call's name without the version and the kind of default stream that CUPTI puts
 * behind it. */
static gsize
length_of_call (const char *name)
{
  gsize n = strlen (name);

  for (;;) /* "_ptsz_v7000" and "_v7000_ptsz" */
    {
      const char *ending = g_strrstr_len (name, (gssize) n, "_");
      gsize length = ending != NULL ? (gsize) (name + n - ending) : 0;

      if (!(length == 5 && (strncmp (ending, "_ptsz", 5) == 0 || strncmp (ending, "_ptds", 5) == 0))
          && !(length > 2 && ending[1] == 'v' && strspn (ending + 2, "0123456789") >= length - 2))
        return n;
      n -= length;
    }
}

/* Of "_ZN7memlane12quads_kernelI..." the last identifier before the template's arguments or the
 * function's: lengths stand before names. Another text stays as it is. */
char *
memlane_trace_plain_name (const char *name)
{
  const char *p = name, *found = NULL;
  gsize length = 0;

  if (g_str_has_prefix (name, "cu"))
    return g_strndup (name, length_of_call (name));
  if (!g_str_has_prefix (name, "_Z"))
    return g_strdup (name);
  p += 2;
  while (*p == 'N' || *p == 'L' || *p == 'K')
    p++;
  while (g_ascii_isdigit (*p))
    {
      guint64 n = 0;

      for (; g_ascii_isdigit (*p) && n < 1000; p++)
        n = n * 10 + (guint64) (*p - '0');
      if (n == 0 || n > strlen (p))
        break;
      found = p;
      length = n;
      p += n;
    }
  return found != NULL ? g_strndup (found, length) : g_strdup (name);
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
  const MemlaneTraceStream *streams = (gconstpointer) trace->streams->data;
  guint place = MEMLANE_FIND_FIRST (trace->streams->len, i, streams[i].number < number);

  return place < trace->streams->len && streams[place].number == number ? &streams[place] : NULL;
}

guint
memlane_trace_stream_place (const MemlaneTrace *trace, guint32 number)
{
  const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, number);
  guint place = 0;

  if (stream == NULL || stream->is_default)
    return 0;
  MEMLANE_FOR_EACH_IN (const MemlaneTraceStream, other, trace->streams)
    place += !other->is_default && other->number <= number;
  return place;
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
  guint low, end;

  *n = 0;
  if (correlation == 0)
    return NULL;
  low = MEMLANE_FIND_FIRST (trace->n_correlated, i,
                            trace->events[trace->correlated[i]].correlation < correlation);
  for (end = low; end < trace->n_correlated
                  && trace->events[trace->correlated[end]].correlation == correlation;
       end++)
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

gboolean
memlane_trace_event_is_operation (const MemlaneTraceEvent *event)
{
  return event->kind == MEMLANE_TRACE_COPY || event->kind == MEMLANE_TRACE_MEMSET
         || event->kind == MEMLANE_TRACE_KERNEL
         || (event->kind == MEMLANE_TRACE_MIGRATION
             && (event->flags & MEMLANE_TRACE_PREFETCHED) != 0);
}

/* --- lanes ------------------------------------------------------------------------------------ */

guint
memlane_trace_lane_last (const MemlaneTrace *trace, const MemlaneTraceLane *lane, gint64 time)
{
  return MEMLANE_FIND_FIRST (lane->n_events, i, trace->events[lane->events[i]].start < time);
}

/* --- bounds ----------------------------------------------------------------------------------- */

MemlaneTraceEngine
memlane_trace_engine_of (const MemlaneTraceEvent *event)
{
  if (event->kind == MEMLANE_TRACE_KERNEL || event->kind == MEMLANE_TRACE_MEMSET)
    return MEMLANE_TRACE_ENGINE_KERNEL;
  if (!memlane_trace_event_is_operation (event))
    return MEMLANE_TRACE_ENGINE_NONE;
  if (event->way == MEMLANE_TRACE_WAY_TO_DEVICE)
    return MEMLANE_TRACE_ENGINE_UP;
  return event->way == MEMLANE_TRACE_WAY_TO_HOST ? MEMLANE_TRACE_ENGINE_DOWN
                                                 : MEMLANE_TRACE_ENGINE_NONE;
}

gboolean
memlane_trace_compute_bounds (const MemlaneTrace *trace, MemlaneTraceBounds *bounds)
{
  *bounds = trace->bounds;
  return trace->has_bounds;
}

/* Once, when the trace is finished, so that a timeline need not look at every event for each
 * frame. */
static void
measure_bounds (MemlaneTrace *trace)
{
  MemlaneTraceBounds *bounds = &trace->bounds;
  MemlaneTraceSpan all;

  memlane_trace_measure_span (trace, -INFINITY, INFINITY, &all);
  trace->has_bounds = (all.up > 0) + (all.kernel > 0) + (all.down > 0) >= 2;
  if (!trace->has_bounds)
    return;
  *bounds = (MemlaneTraceBounds) { .begin = G_MAXINT64, .end = G_MININT64, .up = all.up,
                                   .kernel = all.kernel, .down = all.down };
  for (guint i = 0; i < trace->n_events; i++)
    if (memlane_trace_engine_of (&trace->events[i]) != MEMLANE_TRACE_ENGINE_NONE)
      {
        bounds->begin = MIN (bounds->begin, trace->events[i].start);
        bounds->end = MAX (bounds->end, trace->events[i].start + trace->events[i].duration);
      }
  bounds->serial = bounds->up + bounds->kernel + bounds->down;
  bounds->one_way = MAX (bounds->up + bounds->down, bounds->kernel);
  bounds->full = MAX (MAX (bounds->up, bounds->down), bounds->kernel);
  bounds->measured = (double) (bounds->end - bounds->begin);
  bounds->efficiency = (bounds->serial - bounds->measured) / (bounds->serial - bounds->full);
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* The lane of its engine; N_LANES: it has none beside its home. */
static MemlaneTraceLaneKind
engine_lane (const MemlaneTraceEvent *event)
{
  static const MemlaneTraceLaneKind copies[MEMLANE_TRACE_N_WAYS] = {
    [MEMLANE_TRACE_WAY_NONE] = MEMLANE_TRACE_LANE_COPY_INSIDE,
    [MEMLANE_TRACE_WAY_TO_DEVICE] = MEMLANE_TRACE_LANE_COPY_UP,
    [MEMLANE_TRACE_WAY_TO_HOST] = MEMLANE_TRACE_LANE_COPY_DOWN,
    [MEMLANE_TRACE_WAY_ON_DEVICE] = MEMLANE_TRACE_LANE_COPY_INSIDE,
    [MEMLANE_TRACE_WAY_ON_HOST] = MEMLANE_TRACE_N_LANES,
    [MEMLANE_TRACE_WAY_TO_PEER] = MEMLANE_TRACE_LANE_COPY_INSIDE,
  };
  static const MemlaneTraceLaneKind others[MEMLANE_TRACE_N_KINDS] = {
    [MEMLANE_TRACE_CALL] = MEMLANE_TRACE_LANE_HOST,
    [MEMLANE_TRACE_HOST] = MEMLANE_TRACE_LANE_HOST,
    [MEMLANE_TRACE_SYNCHRONISATION] = MEMLANE_TRACE_LANE_HOST,
    [MEMLANE_TRACE_STAGING] = MEMLANE_TRACE_LANE_STAGING,
    [MEMLANE_TRACE_MEMSET] = MEMLANE_TRACE_LANE_KERNELS,
    [MEMLANE_TRACE_KERNEL] = MEMLANE_TRACE_LANE_KERNELS,
    [MEMLANE_TRACE_MIGRATION] = MEMLANE_TRACE_LANE_MIGRATIONS,
    [MEMLANE_TRACE_FAULT] = MEMLANE_TRACE_LANE_MIGRATIONS,
    [MEMLANE_TRACE_HOST_FUNCTION] = MEMLANE_TRACE_LANE_HOST_FUNCTIONS,
    [MEMLANE_TRACE_PHASE] = MEMLANE_TRACE_LANE_PHASES,
    [MEMLANE_TRACE_OTHER] = MEMLANE_TRACE_LANE_OTHER,
  };

  if (event->kind == MEMLANE_TRACE_SYNCHRONISATION && (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0)
    return MEMLANE_TRACE_N_LANES;
  return event->kind == MEMLANE_TRACE_COPY ? copies[event->way] : others[event->kind];
}

/* Whether it lies in its stream's lane. */
static gboolean
is_in_stream (const MemlaneTraceEvent *event)
{
  if (event->stream == MEMLANE_TRACE_NO_STREAM)
    return FALSE;
  return memlane_trace_event_is_operation (event) || event->kind == MEMLANE_TRACE_HOST_FUNCTION
         || (event->kind == MEMLANE_TRACE_SYNCHRONISATION
             && (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0);
}

typedef struct
{
  /* (element-type MemlaneTraceLane), owned; once they are in order, busy is the place */
  GPtrArray *lanes;
  GHashTable *by_number;                         /* kind and number -> lane */
  MemlaneTraceLane *last[MEMLANE_TRACE_N_LANES]; /* of each kind */
} Layout;

MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_lanes, MemlaneTraceLane, RISING (kind) RISING (stream))

static MemlaneTraceLane *
find_lane (Layout *layout, MemlaneTraceLaneKind kind, guint32 number)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) kind << 32 | number);
  MemlaneTraceLane *lane = kind < MEMLANE_TRACE_LANE_STREAM
                               ? layout->last[kind]
                               : g_hash_table_lookup (layout->by_number, key);

  if (lane != NULL)
    return lane;
  if (layout->lanes->len < MOST_LANES || layout->last[kind] == NULL)
    {
      layout->last[kind] = g_new0 (MemlaneTraceLane, 1);
      layout->last[kind]->kind = kind;
      layout->last[kind]->stream = kind < MEMLANE_TRACE_LANE_STREAM ? MEMLANE_TRACE_NO_STREAM
                                                                    : number;
      g_ptr_array_add (layout->lanes, layout->last[kind]);
    }
  g_hash_table_insert (layout->by_number, key, layout->last[kind]);
  return layout->last[kind];
}

/* The lanes of @event: its home first; the other one is NULL when it has one only. */
static void
find_lanes (Layout *layout, const MemlaneTraceEvent *event, MemlaneTraceLane *lanes[2])
{
  MemlaneTraceLaneKind engine = engine_lane (event);
  gboolean has_engine = engine != MEMLANE_TRACE_N_LANES, is_streamed = is_in_stream (event);

  lanes[0] = is_streamed
                 ? find_lane (layout, MEMLANE_TRACE_LANE_STREAM, event->stream)
                 : find_lane (layout, has_engine ? engine : MEMLANE_TRACE_LANE_HOST, event->stream);
  lanes[1] = is_streamed && has_engine ? find_lane (layout, engine, 0) : NULL;
}

static const char *
make_title (MemlaneTrace *trace, GHashTable *tracks, const MemlaneTraceLane *lane)
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
  const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, lane->stream);
  const char *track = g_hash_table_lookup (tracks, GUINT_TO_POINTER (lane->stream));
  g_autofree char *title = NULL;

  if (lane->kind < MEMLANE_TRACE_LANE_STREAM)
    return titles[lane->kind];
  if (lane->kind == MEMLANE_TRACE_LANE_STREAM)
    title = g_strdup_printf ("stream %u%s%s", lane->stream,
                             stream != NULL && stream->is_default ? " (default)" : "",
                             stream != NULL && stream->non_blocking ? " (non-blocking)" : "");
  else
    title = track != NULL ? g_strdup (track) : g_strdup_printf ("track %u", lane->stream);
  return g_string_chunk_insert (trace->text, title);
}

/* Sets rows and busy time of a lane whose events are in. */
static void
measure_lane (const MemlaneTrace *trace, MemlaneTraceLane *lane, guint8 *rows)
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
    }
}

/* Makes the lanes of a trace whose events are sorted and whose streams are known. @tracks: number
 * -> title. FALSE: no memory. */
static gboolean
lay_out (MemlaneTrace *trace, GHashTable *tracks)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) by_number = g_hash_table_new (memlane_hash_number, NULL);
  Layout layout = { .lanes = all, .by_number = by_number };
  MemlaneTraceLane *found[2];

  for (guint i = 0; i < trace->n_events; i++)
    {
      find_lanes (&layout, &trace->events[i], found);
      for (guint k = 0; k < 2 && found[k] != NULL; k++)
        found[k]->n_events++;
    }
  g_ptr_array_sort (all, compare_lanes);
  trace->n_lanes = all->len;
  trace->lanes = g_new0 (MemlaneTraceLane, all->len);
  for (guint i = 0; i < trace->n_lanes; i++)
    {
      MemlaneTraceLane *lane = &trace->lanes[i], *counted = all->pdata[i];

      lane->kind = counted->kind;
      lane->stream = counted->stream;
      lane->events = g_try_new (guint32, counted->n_events);
      lane->rows = g_try_new (guint8, counted->n_events);
      if (lane->events == NULL || lane->rows == NULL)
        return FALSE;
      lane->title = make_title (trace, tracks, lane);
      counted->busy = i;
    }
  for (guint i = 0; i < trace->n_events; i++)
    {
      MemlaneTraceEvent *event = &trace->events[i];

      find_lanes (&layout, event, found);
      event->lane = (guint16) found[0]->busy;
      for (guint k = 0; k < 2 && found[k] != NULL; k++)
        {
          MemlaneTraceLane *lane = &trace->lanes[found[k]->busy];

          ((guint32 *) lane->events)[lane->n_events++] = i;
        }
      trace->end = MAX (trace->end, event->start + event->duration);
      trace->kinds[MIN (event->kind, MEMLANE_TRACE_OTHER)]++;
      trace->kind_flags[MIN (event->kind, MEMLANE_TRACE_OTHER)] |= event->flags;
    }
  for (guint i = 0; i < trace->n_lanes; i++)
    measure_lane (trace, &trace->lanes[i], (guint8 *) trace->lanes[i].rows);
  measure_bounds (trace);
  return TRUE;
}

/* --- building --------------------------------------------------------------------------------- */

struct _MemlaneTraceBuilder
{
  MemlaneTrace *trace;
  gsize room;           /* events that fit */
  GHashTable *names;    /* text -> id + 1 */
  GHashTable *tracks;   /* number -> title (in trace->text) */
  GHashTable *streams;  /* number -> index in trace->streams + 1 */
  GString *scratch;
  gboolean has_devices; /* of several names */
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
  self->names = g_hash_table_new (memlane_hash_text, g_str_equal);
  self->tracks = g_hash_table_new (memlane_hash_number, NULL);
  self->streams = g_hash_table_new (memlane_hash_number, NULL);
  self->scratch = g_string_new (NULL);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneTraceBuilder,
                     void memlane_trace_builder_free (MemlaneTraceBuilder *data),
                     OWNS (trace, memlane_trace_unref) OWNS (names, g_hash_table_unref)
                         OWNS (tracks, g_hash_table_unref) OWNS (streams, g_hash_table_unref)
                             g_string_free (self->scratch, TRUE);)

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

/* --- events ----------------------------------------------------------------------------------- */

/* Whether @bytes more can be had, and something is left for others. */
static gboolean
has_memory (guint64 bytes)
{
  guint64 available = bytes < ASK_MEMORY_FROM ? 0 : memlane_host_memory_get_available ();

  return available == 0 || bytes <= available / 2;
}

static gboolean
refuse_size (MemlaneTraceBuilder *self, gsize events, GError **error)
{
  return memlane_fail (
      error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_TOO_LARGE,
      "more than %" G_GSIZE_FORMAT
      " events: this machine has no memory to hold them; take a shorter trace, or free "
      "memory",
      events);
}

gboolean
memlane_trace_builder_add (MemlaneTraceBuilder *self, const MemlaneTraceEvent *event,
                           GError **error)
{
  MemlaneTrace *trace = self->trace;

  if (trace->n_events == self->room)
    {
      gsize room = MAX (self->room + self->room / 2, FIRST_EVENTS);
      MemlaneTraceEvent *events;

      if (room >= G_MAXINT || !has_memory (room * (sizeof *events + INDEX_BYTES)))
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
  g_hash_table_insert (self->streams, GUINT_TO_POINTER (stream->number),
                       GUINT_TO_POINTER (streams->len));
}

void
memlane_trace_builder_name_track (MemlaneTraceBuilder *self, guint32 number, const char *title)
{
  g_hash_table_insert (self->tracks, GUINT_TO_POINTER (number),
                       g_string_chunk_insert (self->trace->text, title));
}

void
memlane_trace_builder_add_device (MemlaneTraceBuilder *self, const char *name)
{
  MemlaneTraceInfo *info = &self->trace->info;

  if (*name == '\0' || self->has_devices || g_strcmp0 (info->device_name, name) == 0)
    return;
  self->has_devices = info->device_name != NULL;
  g_free (info->device_name);
  info->device_name = self->has_devices ? NULL : g_strdup (name);
  if (self->has_devices)
    memlane_trace_builder_add_note (
        self, "it is of GPUs of several kinds; whose costs hold is not known");
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

/* --- order ------------------------------------------------------------------------------------ */

static int
compare_events (gconstpointer a, gconstpointer b, gpointer data)
{
  const MemlaneTraceEvent *one = a, *other = b;

  if (one->start != other->start)
    return one->start < other->start ? -1 : 1;
  return one->duration > other->duration ? -1 : one->duration < other->duration;
}

static void
sort_events (MemlaneTrace *trace)
{
  gboolean sorted = TRUE;

  for (guint i = 1; i < trace->n_events && sorted; i++)
    sorted = compare_events (&trace->events[i - 1], &trace->events[i], NULL) <= 0;
  if (!sorted) /* of equal ones the first stays the first */
    g_qsort_with_data (trace->events, (gint) trace->n_events, sizeof *trace->events, compare_events,
                       NULL);
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

/* --- streams ---------------------------------------------------------------------------------- */

MEMLANE_DEFINE_ORDER (compare_streams, MemlaneTraceStream, RISING (number))

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

/* A sample in managed memory brings its result home by touching it on the host, after a wait for
 * the kernel. The wait belongs to the phase "kernel", and the touch is the host's reading: nothing
 * is downloaded. Also in traces that were recorded with the name "download". */
static void
divide_touch (MemlaneTraceBuilder *self)
{
  const MemlaneTraceEvent *touch = NULL;
  MemlaneTraceEvent *kernel = NULL, *download = NULL;

  if (!g_hash_table_contains (self->names, "host touch"))
    return;
  for (guint i = 0; i < self->trace->n_events; i++)
    {
      MemlaneTraceEvent *event = &self->trace->events[i];
      const char *name = memlane_trace_get_name (self->trace, event->name);

      if (event->kind == MEMLANE_TRACE_PHASE && strcmp (name, "kernel") == 0)
        kernel = event;
      else if (event->kind == MEMLANE_TRACE_PHASE && strcmp (name, "download") == 0)
        download = event;
      else if (event->kind == MEMLANE_TRACE_HOST && touch == NULL
               && strcmp (name, "host touch") == 0)
        touch = event;
    }
  if (kernel == NULL || download == NULL || touch == NULL || touch->start < download->start
      || touch->start >= download->start + download->duration || kernel->start > download->start)
    return;
  kernel->duration = touch->start - kernel->start;
  download->duration -= touch->start - download->start;
  download->start = touch->start;
  download->name = memlane_trace_builder_intern (self, "host_read", -1);
}

/* Places the phases where the work is. A phase as recorded ends when its calls return. It is made
 * to last until the device has done its work, and the next one to begin then. "elapsed", a step
 * that overlaps its transfers, becomes one phase for each engine. Doing this twice changes nothing
 * more, so a file is read as it was written. A trace that has a phase twice is none of ours, and
 * stays. */
static gboolean
place_phases (MemlaneTraceBuilder *self, GError **error)
{
  static const char *const names[] = { "upload", "kernel", "download", "wait", "elapsed" };
  enum { WAIT = MEMLANE_TRACE_ENGINE_NONE, ELAPSED, N };
  gint64 first[N] = { G_MAXINT64, G_MAXINT64, G_MAXINT64 }, last[N] = { 0 }, end = 0, issued = 0;
  MemlaneTraceEvent *phases[N] = { NULL }, *events = self->trace->events;
  MemlaneTraceEvent whole;
  guint engines = 0;

  for (guint i = 0; i < self->trace->n_events; i++)
    {
      MemlaneTraceEngine engine = memlane_trace_engine_of (&events[i]);

      if (engine != MEMLANE_TRACE_ENGINE_NONE)
        {
          first[engine] = MIN (first[engine], events[i].start);
          last[engine] = MAX (last[engine], events[i].start + events[i].duration);
          engines |= 1u << engine;
        }
      for (guint k = 0; events[i].kind == MEMLANE_TRACE_PHASE && k < N; k++)
        if (strcmp (memlane_trace_get_name (self->trace, events[i].name), names[k]) == 0)
          {
            if (phases[k] != NULL)
              return TRUE;
            phases[k] = &events[i];
          }
    }
  for (guint k = 0; k <= WAIT; k++)
    if (phases[k] != NULL)
      {
        gint64 begin = phases[k]->start, until = MAX (begin + phases[k]->duration, last[k]);

        if (begin >= issued)
          begin = MIN (MAX (begin, end), until);
        issued = MAX (issued, phases[k]->start + phases[k]->duration);
        phases[k]->start = begin;
        phases[k]->duration = until - begin;
        end = MAX (end, until);
      }
  if (phases[ELAPSED] == NULL || (engines & (engines - 1)) == 0)
    return TRUE;
  if (phases[WAIT] != NULL)
    {
      gint64 until = phases[WAIT]->start + phases[WAIT]->duration;

      for (guint k = 0; k < WAIT; k++)
        phases[WAIT]->start = CLAMP (last[k], phases[WAIT]->start, until);
      phases[WAIT]->duration = until - phases[WAIT]->start;
    }
  whole = *phases[ELAPSED];
  for (guint k = 0, named = 0; k < WAIT; k++)
    if ((engines & 1u << k) != 0)
      {
        whole.name = memlane_trace_builder_intern (self, names[k], -1);
        whole.start = first[k];
        whole.duration = last[k] - first[k];
        if (named++ == 0)
          *phases[ELAPSED] = whole;
        else if (!memlane_trace_builder_add (self, &whole, error))
          return FALSE;
      }
  return TRUE;
}

MemlaneTrace *
memlane_trace_builder_finish (MemlaneTraceBuilder *builder, GError **error)
{
  g_autoptr (MemlaneTraceBuilder) self = builder;
  MemlaneTrace *trace = self->trace;
  MemlaneTraceEvent *fitting;

  complete_streams (self);
  divide_touch (self);
  if (!place_phases (self, error))
    return NULL;
  if (!has_memory ((guint64) trace->n_events * INDEX_BYTES))
    return refuse_size (self, trace->n_events, error), NULL;
  sort_events (trace);
  if (!lay_out (trace, self->tracks) || !index_correlations (trace))
    return refuse_size (self, trace->n_events, error), NULL;
  fitting = g_try_realloc_n (trace->events, MAX (trace->n_events, 1), sizeof *fitting);
  if (fitting != NULL)
    trace->events = fitting;
  return memlane_trace_ref (trace);
}
