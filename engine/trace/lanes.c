/* lanes.c: which lanes an event lies in, and the index of each lane
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-private.h"

#define MOST_LANES 60000 /* of guint16; whatever comes later shares the last one */
#define MOST_ROWS 255

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
  g_autofree char *title = NULL;
  const char *track;

  if (lane->kind < MEMLANE_TRACE_LANE_STREAM)
    return titles[lane->kind];
  if (lane->kind == MEMLANE_TRACE_LANE_STREAM)
    {
      const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, lane->stream);

      title = g_strdup_printf ("stream %u%s%s", lane->stream, stream != NULL && stream->is_default ? " (default)" : "",
                               stream != NULL && stream->non_blocking ? " (non-blocking)" : "");
    }
  else
    {
      track = g_hash_table_lookup (tracks, GUINT_TO_POINTER (lane->stream));
      title = track != NULL ? g_strdup (track) : g_strdup_printf ("track %u", lane->stream);
    }
  return g_string_chunk_insert (trace->text, title);
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

gboolean
memlane_trace_lay_out (MemlaneTrace *trace, GHashTable *tracks)
{
  Layout layout = { .lanes = g_array_new (FALSE, TRUE, sizeof (MemlaneTraceLane)) };
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
      lane->title = make_title (trace, tracks, lane);
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
      trace->kinds[MIN (trace->events[i].kind, MEMLANE_TRACE_OTHER)]++;
      trace->kind_flags[MIN (trace->events[i].kind, MEMLANE_TRACE_OTHER)] |= trace->events[i].flags;
    }
  for (guint i = 0; i < trace->n_lanes; i++)
    {
      measure_lane (trace, &trace->lanes[i], (gint64 *) trace->lanes[i].ends, (guint8 *) trace->lanes[i].rows);
      if (!memlane_trace_fold_lane (trace, &trace->lanes[i]))
        goto out;
    }
  memlane_trace_measure_bounds (trace);
  done = TRUE;

out:
  g_hash_table_unref (layout.numbered[0]);
  g_hash_table_unref (layout.numbered[1]);
  return done;
}
