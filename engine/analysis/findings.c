/* findings.c: what a trace shows, in sentences that point at their events
 *
 * SPDX-License-Identifier: MIT
 *
 * Every rule goes by what was measured: who waited for whom. A call that may serialise streams by
 * the book and did not is not mentioned.
 */
#include "findings.h"

#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/owns.h"

/* of a rule that looks at everything again and again: about a second */
#define MOST_STEPS 10000000
#define MOST_CALL_NAMES 100    /* that are told apart */
#define PING_PONG_TURNS 3      /* up, down, up, down: a sample's own way there and back has one */

typedef struct
{
  const MemlaneTrace *trace;
  const MemlaneTraceEvent *events;
  guint n;
  GPtrArray *findings;
} Search;

MEMLANE_DEFINE_FREE (MemlaneTraceFinding, static void finding_free (gpointer data),
                     OWNS (sentence, memlane_answer_free) OWNS (events, g_free))

/* Takes @ids. @... are the facts of the sentence. */
#define add(search, kind, ids, format, ...)                                                        \
  add_finding ((search), (kind), (ids), (format), (const MemlaneFact[17]){ __VA_ARGS__ })

static void
add_finding (Search *search, MemlaneFindingKind kind, GArray *ids, const char *format,
             const MemlaneFact *facts)
{
  MemlaneTraceFinding *finding = g_new0 (MemlaneTraceFinding, 1);
  guint kept = 0;

  g_array_sort (ids, memlane_compare_ids);
  MEMLANE_FOR_EACH_IN (const guint32, id, ids)
    if (kept == 0 || *id != g_array_index (ids, guint32, kept - 1))
      g_array_index (ids, guint32, kept++) = *id;
  finding->kind = kind;
  finding->sentence = memlane_answer_say_facts (NULL, MEMLANE_ANSWER_FINDING, format, facts);
  finding->n_events = kept;
  finding->events = (guint32 *) (gpointer) g_array_free (ids, FALSE);
  g_ptr_array_add (search->findings, finding);
}

#define COUNT(n) MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (n)
#define BYTES(n) MEMLANE_FACT_BYTES, MEMLANE_FACT_IS ((double) (n))
#define NS(ns) MEMLANE_FACT_NS, MEMLANE_FACT_IS (ns)

static GArray *
ids_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint32));
}

static gint64
end_of (const MemlaneTraceEvent *event)
{
  return event->start + event->duration;
}

/* The call that issued @event, or NULL. */
static const MemlaneTraceEvent *
call_of (const Search *search, guint32 id)
{
  guint32 call = memlane_trace_find_call (search->trace, id);

  return call != MEMLANE_TRACE_NONE ? &search->events[call] : NULL;
}

static const char *
name_of (const Search *search, const MemlaneTraceEvent *event)
{
  return memlane_trace_get_name (search->trace, event->name);
}

/* --- pageable memory -------------------------------------------------------------------------- */

static void
find_staged (Search *search)
{
  g_autoptr (GArray) ids = ids_new ();
  g_autoptr (GHashTable) calls = g_hash_table_new (memlane_hash_number, NULL);
  guint64 sum = 0;
  guint asynchronous = 0;
  double held_ns = 0;

  for (guint32 i = 0; i < search->n; i++)
    {
      const MemlaneTraceEvent *event = &search->events[i], *call;

      if (event->kind != MEMLANE_TRACE_COPY || (event->flags & MEMLANE_TRACE_STAGED) == 0)
        continue;
      g_array_append_val (ids, i);
      sum += event->bytes;
      call = call_of (search, i);
      /* a long copy comes in pieces */
      if (call == NULL || !g_hash_table_add (calls, (gpointer) call))
        continue;
      held_ns += (double) call->duration;
      asynchronous += (call->flags & MEMLANE_TRACE_ASYNC) != 0;
    }
  if (ids->len == 0)
    return;
  add (search, MEMLANE_FINDING_STAGED, g_steal_pointer (&ids),
       g_hash_table_size (calls) == 0 ? N_("Copies from or to pageable memory ({bytes}) are "
                                            "staged through a page-locked buffer of the driver.")
       : asynchronous == 0
           ? N_("Copies from or to pageable memory ({bytes}) are staged through a page-locked "
                 "buffer of the driver. They blocked the host "
                 "for {time} (calls: {calls}).")
           : N_("Copies from or to pageable memory ({bytes}) are staged through a page-locked "
                 "buffer of the driver. They blocked the host "
                 "for {time} (calls: {calls}). The calls are asynchronous by name only."),
       { "bytes", BYTES (sum) }, { "time", NS (held_ns) },
       { "calls", COUNT (g_hash_table_size (calls)) });
}

/* --- who waited for whom ---------------------------------------------------------------------- */

/* Whether @first had to end before @second, which was issued while it ran or waited, could
 * begin. */
static gboolean
had_to_wait (const Search *search, guint32 first, guint32 second)
{
  const MemlaneTraceEvent *call = call_of (search, second);

  return call != NULL && call->start < end_of (&search->events[first])
         && search->events[second].start >= end_of (&search->events[first]);
}

/* Whether @lane is of a stream that waits for the default stream, or of the default stream
 * (@is_default). */
static gboolean
is_stream (const Search *search, const MemlaneTraceLane *lane, gboolean is_default)
{
  const MemlaneTraceStream *stream = lane->kind == MEMLANE_TRACE_LANE_STREAM
                                         ? memlane_trace_find_stream (search->trace, lane->stream)
                                         : NULL;

  return stream != NULL
         && (is_default ? stream->is_default : !stream->is_default && !stream->non_blocking);
}

/* The last operation of a blocking stream that @id had to wait for, and the first of another that
 * had to wait for @id. */
static gboolean
find_neighbours (const Search *search, const MemlaneTraceLane *lanes, guint n, guint32 id,
                 guint32 *before, guint32 *after)
{
  const MemlaneTraceEvent *event = &search->events[id];

  *before = *after = MEMLANE_TRACE_NONE;
  for (guint i = 0; i < n; i++)
    {
      guint at;

      if (!is_stream (search, &lanes[i], FALSE))
        continue;
      at = memlane_trace_lane_last (search->trace, &lanes[i], event->start);
      if (at > 0 && had_to_wait (search, lanes[i].events[at - 1], id)
          && (*before == MEMLANE_TRACE_NONE
              || end_of (&search->events[lanes[i].events[at - 1]])
                     > end_of (&search->events[*before])))
        *before = lanes[i].events[at - 1];
    }
  for (guint i = 0; *before != MEMLANE_TRACE_NONE && i < n; i++)
    {
      guint at;

      if (!is_stream (search, &lanes[i], FALSE)
          || lanes[i].stream == search->events[*before].stream)
        continue;
      at = memlane_trace_lane_last (search->trace, &lanes[i], end_of (event));
      if (at < lanes[i].n_events && had_to_wait (search, id, lanes[i].events[at])
          && (*after == MEMLANE_TRACE_NONE
              || search->events[lanes[i].events[at]].start < search->events[*after].start))
        *after = lanes[i].events[at];
    }
  return *after != MEMLANE_TRACE_NONE;
}

static void
find_default_stream (Search *search)
{
  guint n;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (search->trace, &n);
  const MemlaneTraceLane *lane = NULL;
  g_autoptr (GHashTable) pairs = g_hash_table_new (memlane_hash_number, NULL);

  for (guint i = 0; i < n && lane == NULL; i++)
    lane = is_stream (search, &lanes[i], TRUE) ? &lanes[i] : NULL;
  for (guint i = 0; lane != NULL && i < MIN (lane->n_events, MAX (MOST_STEPS / n, 1)); i++)
    {
      guint32 id = lane->events[i], before, after, one, other;

      if (!memlane_trace_event_is_operation (&search->events[id])
          || !find_neighbours (search, lanes, n, id, &before, &after))
        continue;
      one = search->events[before].stream;
      other = search->events[after].stream;
      /* once for each two streams */
      if (!g_hash_table_add (pairs,
                             GSIZE_TO_POINTER ((gsize) MIN (one, other) << 32 | MAX (one, other))))
        continue;
      add (search, MEMLANE_FINDING_DEFAULT_STREAM,
           g_array_append_vals (ids_new (), (guint32[]) { before, id, after }, 3),
           N_("A command in the default stream made streams {one} and {other} run one after the "
               "other. {command} waited for {before}, and "
               "{after} waited for it."),
           { "one", COUNT (memlane_trace_stream_place (search->trace, MIN (one, other))) },
           { "other", COUNT (memlane_trace_stream_place (search->trace, MAX (one, other))) },
           { "command", MEMLANE_FACT_TEXT, name_of (search, &search->events[id]) },
           { "before", MEMLANE_FACT_TEXT, name_of (search, &search->events[before]) },
           { "after", MEMLANE_FACT_TEXT, name_of (search, &search->events[after]) });
    }
}

/* --- implicit synchronisation ----------------------------------------------------------------- */

/* One call's name and what it did. */
typedef struct
{
  const char *name;
  gboolean on_device;
  GArray *ids;
  double ns;
} Implicit;

static MEMLANE_DEFINE_FREE (Implicit, void implicit_free (gpointer data), OWNS (ids, g_array_unref))

static void
note_implicit (GPtrArray *list, const char *name, gboolean on_device, guint32 id, gint64 duration)
{
  Implicit *found = NULL;

  MEMLANE_FOR_EACH (Implicit, known, list)
    if (known->on_device == on_device && strcmp (known->name, name) == 0)
      found = known;
  if (found == NULL && list->len == MOST_CALL_NAMES)
    return;
  if (found == NULL)
    {
      found = g_memdup2 (&(Implicit) { name, on_device, ids_new (), 0 }, sizeof *found);
      g_ptr_array_add (list, found);
    }
  g_array_append_val (found->ids, id);
  found->ns += (double) duration;
}

/* Whether @call parted the device's work: something issued before it still ran when something of
 * another stream was issued after it, and nothing of the latter began before all of the former had
 * ended. */
static gboolean
parts_streams (const Search *search, const MemlaneTraceEvent *call, const MemlaneTraceLane *lanes,
               guint n)
{
  gint64 latest_end = G_MININT64, first_start = G_MAXINT64, first_issue = G_MAXINT64;
  guint32 stream_before = MEMLANE_TRACE_NO_STREAM, stream_after = MEMLANE_TRACE_NO_STREAM;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; is_stream (search, &lanes[i], FALSE) && k < lanes[i].n_events; k++)
      {
        const MemlaneTraceEvent *event = &search->events[lanes[i].events[k]];
        const MemlaneTraceEvent *issuer = call_of (search, lanes[i].events[k]);

        if (issuer == NULL || !memlane_trace_event_is_operation (event))
          continue;
        if (issuer->start < call->start && end_of (event) > latest_end)
          {
            latest_end = end_of (event);
            stream_before = event->stream;
          }
        if (issuer->start > call->start && event->start < first_start)
          {
            first_start = event->start;
            first_issue = issuer->start;
            stream_after = event->stream;
          }
      }
  return stream_before != MEMLANE_TRACE_NO_STREAM && stream_after != MEMLANE_TRACE_NO_STREAM
         && stream_before != stream_after && first_issue < latest_end && first_start >= latest_end;
}

static void
find_implicit (Search *search)
{
  /* The programming guide's list, as far as a call shows it. */
  static const char *const serialising[] = { "cudaMalloc", "cudaMallocHost", "cudaHostAlloc",
                                             "cudaFree",   "cudaFreeHost",   "cudaHostRegister",
                                             NULL };
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (implicit_free);
  g_autoptr (GHashTable) told = g_hash_table_new (memlane_hash_number, NULL); /* correlations */
  guint n_lanes, looked_at = 0;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (search->trace, &n_lanes);

  for (guint32 i = 0; i < search->n; i++)
    {
      const MemlaneTraceEvent *event = &search->events[i], *call;

      if (event->kind != MEMLANE_TRACE_SYNCHRONISATION
          || (event->flags & MEMLANE_TRACE_IMPLICIT) == 0)
        continue;
      call = call_of (search, i);
      note_implicit (list, call != NULL ? name_of (search, call) : name_of (search, event),
                     (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0, i, event->duration);
      g_hash_table_add (told, GUINT_TO_POINTER (event->correlation));
    }
  for (guint32 i = 0; i < search->n && looked_at < MAX (MOST_STEPS / search->n, 1); i++)
    {
      const MemlaneTraceEvent *event = &search->events[i];

      if (event->kind != MEMLANE_TRACE_CALL
          || !g_strv_contains (serialising, name_of (search, event))
          || g_hash_table_contains (told, GUINT_TO_POINTER (event->correlation)))
        continue;
      looked_at++;
      if (parts_streams (search, event, lanes, n_lanes))
        note_implicit (list, name_of (search, event), TRUE, i, 0);
    }
  MEMLANE_FOR_EACH (Implicit, implicit, list)
    {
      guint times = implicit->ids->len;

      add (search, MEMLANE_FINDING_IMPLICIT, g_steal_pointer (&implicit->ids),
           !implicit->on_device ? times == 1
                                      ? N_("{call} blocked the host once, for {time}.")
                                      : N_("{call} blocked the host {calls} times, {time} in all.")
           : times == 1 ? N_("{call} synchronised implicitly once. Commands after it in blocking "
                              "streams waited for all commands before it.")
                        : N_("{call} synchronised implicitly {calls} times. Commands after it in "
                              "blocking streams waited for all commands before "
                              "it."),
           { "call", MEMLANE_FACT_TEXT, implicit->name }, { "calls", COUNT (times) },
           { "time", NS (implicit->ns) });
    }
}

/* --- small copies ----------------------------------------------------------------------------- */

static void
find_small_copies (Search *search)
{
  g_autoptr (GArray) ids = ids_new ();
  g_autoptr (GHashTable) streams = g_hash_table_new (memlane_hash_number, NULL);
  guint copies = 0, small;
  double copy_ns = 0, issue_ns = 0;

  for (guint32 i = 0; i < search->n; i++)
    {
      const MemlaneTraceEvent *event = &search->events[i], *call;

      if (event->kind != MEMLANE_TRACE_COPY || (event->flags & MEMLANE_TRACE_STAGED) != 0
          || event->stream == MEMLANE_TRACE_NO_STREAM)
        continue;
      call = call_of (search, i);
      if (call == NULL || (call->flags & MEMLANE_TRACE_ASYNC) == 0)
        continue;
      copies++;
      g_hash_table_add (streams, GUINT_TO_POINTER (event->stream));
      if (event->duration >= call->duration)
        continue;
      g_array_append_val (ids, i);
      copy_ns += (double) event->duration;
      issue_ns += (double) call->duration;
    }
  small = ids->len;
  if (g_hash_table_size (streams) < 2 || small * 2 <= copies)
    return;
  add (search, MEMLANE_FINDING_SMALL_COPIES, g_steal_pointer (&ids),
       N_("Most copies are too small to overlap ({small} of {copies}). A copy takes {copy} on "
           "average, issuing it {issue}. Use fewer "
           "chunks."),
       { "small", COUNT (small) }, { "copies", COUNT (copies) }, { "copy", NS (copy_ns / small) },
       { "issue", NS (issue_ns / small) });
}

/* --- pages ------------------------------------------------------------------------------------ */

/* When something of one kind was going on: however many at once, a moment counts once. */
typedef struct
{
  gint64 until;
  double ns;
} Going;

/* Events come by their start. @both: how long this and @other were going on together. */
static void
go_on (Going *self, const MemlaneTraceEvent *event, const Going *other, double *both)
{
  gint64 start = MAX (event->start, self->until), end = event->start + event->duration;

  if (end <= start)
    return;
  self->ns += (double) (end - start);
  if (other->until > start) /* what began before and lasts until then covers all of it */
    *both += (double) (MIN (end, other->until) - start);
  self->until = end;
}

static void
find_faults (Search *search)
{
  g_autoptr (GArray) ids = ids_new ();
  guint64 faults = 0, bytes = 0;
  Going kernel = { G_MININT64, 0 }, fault = { G_MININT64, 0 };
  double both = 0;

  for (guint32 i = 0; i < search->n; i++)
    {
      const MemlaneTraceEvent *event = &search->events[i];

      if (event->kind == MEMLANE_TRACE_KERNEL)
        go_on (&kernel, event, &fault, &both);
      if (event->kind == MEMLANE_TRACE_FAULT && (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0)
        {
          g_array_append_val (ids, i);
          faults += event->count;
          go_on (&fault, event, &kernel, &both);
        }
      if (event->kind == MEMLANE_TRACE_MIGRATION && event->way == MEMLANE_TRACE_WAY_TO_DEVICE
          && (event->flags & MEMLANE_TRACE_PREFETCHED) == 0)
        bytes += event->bytes;
    }
  if (ids->len == 0 || kernel.ns <= 0)
    return;
  add (search, MEMLANE_FINDING_FAULTS, g_steal_pointer (&ids),
       N_("Kernels waited for page faults ({faults} faults, {bytes}) during {share} of their "
           "time. Prefetching would avoid them."),
       { "faults", COUNT ((double) faults) }, { "bytes", BYTES (bytes) },
       { "share", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (both / kernel.ns) });
}

static void
find_ping_pong (Search *search)
{
  g_autoptr (GArray) ids = ids_new ();
  guint8 way = MEMLANE_TRACE_WAY_NONE;
  guint64 bytes = 0;
  guint turns = 0;

  for (guint32 i = 0; i < search->n; i++)
    {
      const MemlaneTraceEvent *event = &search->events[i];

      if (event->kind != MEMLANE_TRACE_MIGRATION)
        continue;
      turns += way != MEMLANE_TRACE_WAY_NONE && event->way != way;
      way = event->way;
      bytes += event->bytes;
      g_array_append_val (ids, i);
    }
  if (turns < PING_PONG_TURNS)
    return;
  add (search, MEMLANE_FINDING_PING_PONG, g_steal_pointer (&ids),
       N_("Pages migrate back and forth ({turns} changes of direction, {bytes}). Finish on one "
           "side first, or set a preferred location "
           "with cudaMemAdvise."),
       { "turns", COUNT (turns) }, { "bytes", BYTES (bytes) });
}

/* --- overlap ---------------------------------------------------------------------------------- */

/* ns that the host spent in the calls that issued operations @ids. */
static double
sum_issue (const Search *search, const GArray *ids)
{
  g_autoptr (GHashTable) calls = g_hash_table_new (memlane_hash_number, NULL);
  double ns = 0;

  MEMLANE_FOR_EACH_IN (const guint32, id, ids)
    {
      const MemlaneTraceEvent *call = call_of (search, *id);

      if (call != NULL && g_hash_table_add (calls, (gpointer) call))
        ns += (double) call->duration;
    }
  return ns;
}

static void
find_overlap (Search *search)
{
  MemlaneTraceBounds bounds;
  guint32 stream = MEMLANE_TRACE_NO_STREAM;
  gboolean is_alone = TRUE;
  double issue;
  GArray *ids;

  if (!memlane_trace_compute_bounds (search->trace, &bounds))
    return;
  ids = ids_new ();
  for (guint32 i = 0; i < search->n; i++)
    if (memlane_trace_engine_of (&search->events[i]) != MEMLANE_TRACE_ENGINE_NONE)
      {
        is_alone = is_alone && (ids->len == 0 || search->events[i].stream == stream);
        stream = search->events[i].stream;
        g_array_append_val (ids, i);
      }
  issue = sum_issue (search, ids);
  add (search, MEMLANE_FINDING_OVERLAP, ids,
       /* By its rules nothing can: an efficiency would blame it for that. */
       is_alone && stream != MEMLANE_TRACE_NO_STREAM
           ? N_("No overlap: everything runs in one stream. The device needed {measured} and was "
                 "busy for {serial}. With several streams "
                 "the same work could take {one_way} (one copy engine) or {full} (two).")
       : bounds.measured > bounds.serial && issue > bounds.serial / 2
           ? N_("Overlap efficiency {efficiency}: the device needed {measured}, and was busy for "
                 "{serial}. Issuing the commands took the "
                 "host {issue}, so the device waited for them. Use fewer or longer commands.")
           : N_("Overlap efficiency {efficiency}: the device needed {measured}. Without overlap "
                 "it would need {serial}, with ideal overlap "
                 "{one_way} (one copy engine) or {full} (two). The efficiency is 0 % without "
                 "overlap and 100 % at ideal overlap."),
       { "efficiency", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (MAX (bounds.efficiency, 0)) },
       { "measured", NS (bounds.measured) }, { "serial", NS (bounds.serial) },
       { "one_way", NS (bounds.one_way) }, { "full", NS (bounds.full) }, { "issue", NS (issue) });
}

GPtrArray *
memlane_trace_find (const MemlaneTrace *trace)
{
  Search search = { .trace = trace, .findings = g_ptr_array_new_with_free_func (finding_free) };

  search.events = memlane_trace_get_events (trace, &search.n);
  find_staged (&search);
  find_default_stream (&search);
  find_implicit (&search);
  find_small_copies (&search);
  find_faults (&search);
  find_ping_pong (&search);
  find_overlap (&search);
  return search.findings;
}
