/* replay.c: the order of a program's operations, played again with other durations
 *
 * SPDX-License-Identifier: MIT
 */
#include "replay.h"

#include <string.h>

#include "base/hash.h"
#include "base/owns.h"

#define NONE MEMLANE_TRACE_NONE
/* ns: more than the way from a call to the device: something else was in the way */
#define LONG_LAG 10000.0
#define LAUNCH_NS 4000.0 /* the way from a call to an idle device, where it did not show; assumed */
#define ROW_NS 1000.0    /* between two operations in a row, where it did not show; assumed */
#define LEAST_TURNS 16   /* changes from one thread to another that are worth a conclusion */
#define OVERLAP 0.02     /* of the calls' time beside another thread's: what turns leave room for */

typedef enum
{
  NO_NODE, /* neither a call nor an operation, or a call within another one */
  CALL,
  OPERATION,
} NodeKind;

/* The thing that an operation started after. */
enum
{
  BY_NOTHING,
  BY_CALL,
  BY_BEFORE,
  BY_OTHER,
};

typedef struct
{
  guint32 before;    /* the thread's call before; the operation before in its stream */
  guint32 call;      /* an operation's; NONE: not known */
  /* an operation that has to end first: of the same engine, or what delayed it */
  guint32 other;
  guint32 waits_for; /* a call's operation */
  float lag;         /* ns between what came first last and the start */
  guint8 bound_by;   /* an operation: which of the three that was */
  float tail;        /* ns between the end of what a call waits for and its own end */
  float scale, delay;
  double start, end; /* of the last run */
  guint8 kind;
} Node;

struct _MemlaneReplay
{
  const MemlaneTraceEvent *events;
  guint n;
  Node *nodes;
  guint32 *by_end; /* ids */
};

static double
end_of (const MemlaneTraceEvent *event)
{
  return (double) (event->start + event->duration);
}

/* --- the order of all starts and ends --------------------------------------------------------- */

/* Of those that end together, what takes time comes first, and an operation before the call that
 * waits for it. What takes no time follows in the order of the starts. So each thing comes after
 * what it depends on, also where a profiler writes whole microseconds. */
static int
compare_ends (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  const MemlaneTraceEvent *events = user_data, *one = &events[x], *other = &events[y];
  double ends = end_of (one) - end_of (other);
  int calls = (one->kind == MEMLANE_TRACE_CALL) - (other->kind == MEMLANE_TRACE_CALL);

  if (ends != 0)
    return ends < 0 ? -1 : 1;
  if ((one->duration > 0) != (other->duration > 0))
    return one->duration > 0 ? -1 : 1;
  return one->duration > 0 && calls != 0 ? calls : x < y ? -1 : 1;
}

typedef void (*Visit) (MemlaneReplay *self, guint32 id, gboolean is_end, gpointer user_data);

/* Visits each start and each end as they came in the program. What ends when another thing starts
 * comes first. */
static void
walk (MemlaneReplay *self, Visit visit, gpointer user_data)
{
  guint32 next = 0;

  for (guint i = 0; i < self->n; i++)
    {
      guint32 id = self->by_end[i];

      while (next < self->n
             && (next <= id || (double) self->events[next].start < end_of (&self->events[id])))
        visit (self, next++, FALSE, user_data);
      visit (self, id, TRUE, user_data);
    }
}

/* --- what waits for what ---------------------------------------------------------------------- */

typedef struct
{
  const MemlaneTrace *trace;
  GHashTable *calls;   /* thread -> id + 1 of its last call */
  GHashTable *streams; /* stream -> id + 1 of its last operation */
  guint32 engines[MEMLANE_TRACE_ENGINE_NONE]; /* the last operation that ended */
  guint32 ended;       /* of all operations the last one that ended */
  gboolean take_turns; /* the threads */
  guint32 last_call;   /* of all threads; in turns only */
} Learning;

static guint32
swap (GHashTable *table, guint32 key, guint32 id)
{
  gpointer before = g_hash_table_lookup (table, GUINT_TO_POINTER (key));

  g_hash_table_insert (table, GUINT_TO_POINTER (key), GUINT_TO_POINTER (id + 1));
  return before != NULL ? GPOINTER_TO_UINT (before) - 1 : NONE;
}

/* Whether the threads hand the work on to each other, as PyTorch's do for the way back: they make
 * calls again and again, and hardly ever two at once. Then each call waits for the one before it,
 * whosever that is. Threads that work beside each other meet within calls. */
static gboolean
find_turns (const MemlaneReplay *self)
{
  g_autoptr (GHashTable) times = g_hash_table_new_full (memlane_hash_number, NULL, NULL, g_free);
  double latest = 0, all = 0, most = 0, overlap = 0;
  guint32 thread = 0;
  guint turns = 0;

  for (guint32 i = 0; i < self->n; i++)
    {
      const MemlaneTraceEvent *event = &self->events[i];
      double start = (double) event->start, end = end_of (event), *time;

      if (event->kind != MEMLANE_TRACE_CALL || (event->count == thread && end <= latest))
        continue;
      turns += event->count != thread;
      if (event->count != thread)
        overlap += MAX (MIN (latest, end) - start, 0);
      time = g_hash_table_lookup (times, GUINT_TO_POINTER (event->count));
      if (time == NULL)
        g_hash_table_insert (times, GUINT_TO_POINTER (event->count), time = g_new0 (double, 1));
      *time += end - start;
      all += end - start;
      most = MAX (most, *time);
      if (end > latest)
        thread = event->count;
      latest = MAX (latest, end);
    }
  return turns > LEAST_TURNS && overlap <= OVERLAP * (all - most);
}

static void
learn_call (MemlaneReplay *self, Learning *learning, guint32 id)
{
  const MemlaneTraceEvent *event = &self->events[id];
  gpointer key = GUINT_TO_POINTER (event->count), last = g_hash_table_lookup (learning->calls, key);
  guint32 before = last != NULL ? GPOINTER_TO_UINT (last) - 1 : NONE;
  Node *node = &self->nodes[id];

  if (before != NONE && end_of (&self->events[before]) > (double) event->start)
    {
      node->before = before; /* the one that it is a part of */
      return;
    }
  swap (learning->calls, event->count, id);
  if (learning->take_turns && learning->last_call != NONE
      && end_of (&self->events[learning->last_call]) <= (double) event->start)
    before = learning->last_call;
  learning->last_call = id;
  node->kind = CALL;
  node->before = before;
  node->lag = (float) (before != NONE ? (double) event->start - end_of (&self->events[before]) : 0);
}

/* The later one of @base and the end of operation @id, if it ended before @time. */
static gboolean
is_later (const MemlaneReplay *self, guint32 id, double base, double time)
{
  return id != NONE && end_of (&self->events[id]) > base && end_of (&self->events[id]) <= time;
}

static void
learn_operation (MemlaneReplay *self, Learning *learning, guint32 id)
{
  const MemlaneTraceEvent *event = &self->events[id];
  MemlaneTraceEngine engine = memlane_trace_engine_of (event);
  double base = -1, start = (double) event->start;
  Node *node = &self->nodes[id];

  node->kind = OPERATION;
  node->call = memlane_trace_find_call (learning->trace, id);
  if (node->call != NONE && self->nodes[node->call].kind == NO_NODE)
    node->call = self->nodes[node->call].before;
  if (node->call != NONE
      && (self->nodes[node->call].kind != CALL || self->events[node->call].start > event->start))
    node->call = NONE;
  if (node->call != NONE)
    {
      node->bound_by = BY_CALL;
      base = (double) self->events[node->call].start;
    }
  node->before = swap (learning->streams, event->stream, id);
  if (node->before != NONE && end_of (&self->events[node->before]) > start)
    node->before = NONE;
  if (is_later (self, node->before, base, start))
    {
      node->bound_by = BY_BEFORE;
      base = end_of (&self->events[node->before]);
    }
  if (engine != MEMLANE_TRACE_ENGINE_NONE && engine != MEMLANE_TRACE_ENGINE_KERNEL
      && is_later (self, learning->engines[engine], base, start))
    {
      node->other = learning->engines[engine];
      node->bound_by = BY_OTHER;
      base = end_of (&self->events[node->other]);
    }
  if ((base < 0 || start - base > LONG_LAG) && is_later (self, learning->ended, base, start))
    {
      node->other = learning->ended;
      node->bound_by = BY_OTHER;
      base = end_of (&self->events[node->other]);
    }
  node->lag = (float) (base >= 0 ? start - base : 0);
}

static gboolean
is_synchronising (const char *name)
{
  return strstr (name, "Synchronize") != NULL || g_str_has_prefix (name, "cudaFree")
         || g_str_has_prefix (name, "cuMemFree");
}

/* A copy that the host waits for: its own call says so, or its memory does. It ended before: one
 * that takes no time may not have. */
static guint32
find_own_copy (const MemlaneReplay *self, const Learning *learning, guint32 id, const char *name)
{
  guint n;
  const guint32 *ids = memlane_trace_get_correlated (learning->trace, self->events[id].correlation,
                                                     &n);
  double end = end_of (&self->events[id]);

  for (guint i = n; i-- > 0;)
    {
      const MemlaneTraceEvent *event = &self->events[ids[i]];
      gboolean is_staged = (event->flags & MEMLANE_TRACE_STAGED) != 0;
      gboolean crosses = event->way == MEMLANE_TRACE_WAY_TO_DEVICE
                         || event->way == MEMLANE_TRACE_WAY_TO_HOST;

      if (event->kind == MEMLANE_TRACE_COPY && crosses && end_of (event) <= end
          && (event->duration > 0 || end_of (event) < end)
          && (is_staged
              || (strstr (name, "Async") == NULL && (event->flags & MEMLANE_TRACE_ASYNC) == 0)))
        return ids[i];
    }
  return NONE;
}

static void
learn_wait (MemlaneReplay *self, Learning *learning, guint32 id)
{
  const MemlaneTraceEvent *event = &self->events[id];
  const char *name = memlane_trace_get_name (learning->trace, event->name);
  Node *node = &self->nodes[id];

  node->waits_for = find_own_copy (self, learning, id, name);
  if (node->waits_for == NONE && is_synchronising (name))
    node->waits_for = learning->ended; /* perhaps long ago: then it would have waited */
  if (node->waits_for != NONE)
    node->tail = (float) (end_of (event)
                          - MAX ((double) event->start, end_of (&self->events[node->waits_for])));
}

static void
learn_cb (MemlaneReplay *self, guint32 id, gboolean is_end, gpointer user_data)
{
  const MemlaneTraceEvent *event = &self->events[id];
  gboolean is_operation = memlane_trace_event_is_operation (event);
  Learning *learning = user_data;
  MemlaneTraceEngine engine = memlane_trace_engine_of (event);

  if (!is_end && event->kind == MEMLANE_TRACE_CALL)
    learn_call (self, learning, id);
  else if (!is_end && is_operation)
    learn_operation (self, learning, id);
  else if (is_end && self->nodes[id].kind == CALL)
    learn_wait (self, learning, id);
  else if (is_end && is_operation)
    {
      learning->ended = id;
      if (engine != MEMLANE_TRACE_ENGINE_NONE)
        learning->engines[engine] = id;
    }
}

MemlaneReplay *
memlane_replay_new (const MemlaneTrace *trace)
{
  MemlaneReplay *self = g_new0 (MemlaneReplay, 1);
  g_autoptr (GHashTable) calls = g_hash_table_new (memlane_hash_number, NULL);
  g_autoptr (GHashTable) streams = g_hash_table_new (memlane_hash_number, NULL);
  Learning learning = {
    .trace = trace, .calls = calls, .streams = streams, .ended = NONE, .last_call = NONE
  };

  for (guint i = 0; i < G_N_ELEMENTS (learning.engines); i++)
    learning.engines[i] = NONE;
  self->events = memlane_trace_get_events (trace, &self->n);
  self->nodes = g_new0 (Node, MAX (self->n, 1));
  self->by_end = g_new (guint32, MAX (self->n, 1));
  for (guint32 i = 0; i < self->n; i++)
    {
      self->nodes[i].before = self->nodes[i].call = NONE;
      self->nodes[i].other = self->nodes[i].waits_for = NONE;
      self->by_end[i] = i;
    }
  g_qsort_with_data (self->by_end, (gint) self->n, sizeof *self->by_end, compare_ends,
                     (gpointer) self->events);
  learning.take_turns = find_turns (self);
  walk (self, learn_cb, &learning);
  memlane_replay_reset (self);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneReplay, void memlane_replay_free (MemlaneReplay *data),
                     OWNS (nodes, g_free) OWNS (by_end, g_free))

/* --- playing ---------------------------------------------------------------------------------- */

void
memlane_replay_reset (MemlaneReplay *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      self->nodes[i].scale = 1;
      self->nodes[i].delay = 0;
    }
}

void
memlane_replay_scale (MemlaneReplay *self, guint32 id, double factor)
{
  self->nodes[id].scale = (float) factor;
}

void
memlane_replay_delay (MemlaneReplay *self, guint32 id, double ns)
{
  self->nodes[id].delay += (float) ns;
}

/* When @from allows operation @node to start: at once, or after the lag that was seen. A long lag
 * between two operations is no part of the second one, and stays. */
static double
allow (const Node *node, guint8 bound_by, double from, double usual)
{
  double lag = node->bound_by == bound_by ? node->lag : MIN (node->lag, usual);

  return from + lag * (bound_by == BY_CALL || lag <= LONG_LAG ? node->scale : 1);
}

static void
play_start (MemlaneReplay *self, guint32 id)
{
  const Node *nodes = self->nodes;
  Node *node = &self->nodes[id];
  double start = -1;

  if (node->kind == CALL)
    {
      start = node->before != NONE ? nodes[node->before].end : (double) self->events[id].start;
      node->start = start + MAX (node->lag + node->delay, 0);
      return;
    }
  if (node->call != NONE)
    start = allow (node, BY_CALL, nodes[node->call].start, LAUNCH_NS);
  if (node->before != NONE)
    start = MAX (start, allow (node, BY_BEFORE, nodes[node->before].end, ROW_NS));
  if (node->other != NONE)
    start = MAX (start, allow (node, BY_OTHER, nodes[node->other].end, ROW_NS));
  node->start = node->bound_by != BY_NOTHING ? start : (double) self->events[id].start;
}

static void
play_end (MemlaneReplay *self, guint32 id)
{
  double duration = (double) self->events[id].duration;
  Node *node = &self->nodes[id];

  if (node->kind == CALL && node->waits_for != NONE && node->scale > 0)
    {
      double tail = node->tail * node->scale;

      node->end = MAX (node->start + MIN (duration, tail), self->nodes[node->waits_for].end + tail);
    }
  else
    node->end = node->start + duration * node->scale;
}

static void
play_cb (MemlaneReplay *self, guint32 id, gboolean is_end, gpointer user_data)
{
  double *last = user_data;

  if (self->nodes[id].kind == NO_NODE)
    return;
  if (!is_end)
    play_start (self, id);
  else
    play_end (self, id);
  if (is_end)
    *last = MAX (*last, self->nodes[id].end);
}

double
memlane_replay_run (MemlaneReplay *self)
{
  double last = 0;

  walk (self, play_cb, &last);
  return last;
}

gboolean
memlane_replay_waits (const MemlaneReplay *self, guint32 id)
{
  guint32 operation = self->nodes[id].waits_for;

  return operation != NONE && end_of (&self->events[operation]) > (double) self->events[id].start;
}
