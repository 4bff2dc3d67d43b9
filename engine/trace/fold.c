/* fold.c: the index of a lane, and walking it
 *
 * SPDX-License-Identifier: MIT
 */
#include "fold.h"

#include <math.h>

#include "trace-private.h"

#define FAN MEMLANE_TRACE_FAN

/* --- making ------------------------------------------------------------------------------------------------------------ */

static gint64
duration_of (const MemlaneTrace *trace, guint32 id)
{
  return trace->events[id].duration;
}

static void
merge (const MemlaneTrace *trace, MemlaneTraceBlock *block, const MemlaneTraceBlock *part, gboolean is_first)
{
  if (is_first)
    {
      *block = *part;
      return;
    }
  block->end = MAX (block->end, part->end);
  block->busy = block->busy > G_MAXINT64 - part->busy ? G_MAXINT64 : block->busy + part->busy;
  block->rows |= part->rows;
  if (duration_of (trace, part->longest) > duration_of (trace, block->longest))
    block->longest = part->longest;
}

static MemlaneTraceBlock
block_of_entry (const MemlaneTrace *trace, const MemlaneTraceLane *lane, guint entry)
{
  const MemlaneTraceEvent *event = &trace->events[lane->events[entry]];

  return (MemlaneTraceBlock){ event->start + event->duration, event->duration, G_GUINT64_CONSTANT (1) << MIN (lane->rows[entry], 63),
                              lane->events[entry] };
}

static guint
count_parts (guint n)
{
  return n / FAN + (n % FAN != 0);
}

gboolean
memlane_trace_fold_lane (const MemlaneTrace *trace, MemlaneTraceLane *lane)
{
  MemlaneTraceBlock *blocks, *level;
  gsize n_blocks = 0;
  guint n_below = lane->n_events;

  for (guint n = n_below; n > 1; n = count_parts (n))
    n_blocks += count_parts (n);
  lane->n_blocks = (guint) n_blocks;
  lane->blocks = blocks = g_try_new (MemlaneTraceBlock, MAX (n_blocks, 1));
  if (blocks == NULL)
    return FALSE;
  level = blocks;
  for (guint i = 0; n_below > 1 && i < n_below; i++)
    {
      MemlaneTraceBlock entry = block_of_entry (trace, lane, i);
      merge (trace, &level[i / FAN], &entry, i % FAN == 0);
    }
  for (n_below = count_parts (n_below); n_below > 1; n_below = count_parts (n_below))
    {
      MemlaneTraceBlock *above = level + n_below;

      for (guint i = 0; i < n_below; i++)
        merge (trace, &above[i / FAN], &level[i], i % FAN == 0);
      level = above;
    }
  return TRUE;
}

/* --- walking ------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneTrace *trace;
  const MemlaneTraceLane *lane;
  gint64 from, to;
  double narrow;
  MemlaneTraceVisit visit;
  gpointer user_data;
  const MemlaneTraceBlock *levels[9]; /* FAN^8 = 2^32 */
  guint sizes[9];                     /* blocks in each */
} Walk;

static gint64
start_of (const Walk *walk, guint entry)
{
  return walk->trace->events[walk->lane->events[entry]].start;
}

static gboolean
is_in_one_cell (const Walk *walk, gint64 a, gint64 b)
{
  return a == b || floor ((double) a / walk->narrow) == floor ((double) b / walk->narrow);
}

static gboolean
hand_out (const Walk *walk, const MemlaneTraceBlock *block, guint first, guint n, gint64 start)
{
  const MemlaneTraceFold item = { first, n, start, block->end, block->busy, block->rows, block->longest };

  return walk->visit (&item, walk->user_data);
}

/* Level 0: entries; above: blocks. FALSE: the walk is over. */
static gboolean
walk_part (const Walk *walk, guint level, guint index)
{
  guint first = index, n = 1, parts;

  if (level == 0)
    {
      MemlaneTraceBlock entry = block_of_entry (walk->trace, walk->lane, index);
      gint64 start = start_of (walk, index);

      if (start > walk->to)
        return FALSE;
      return entry.end < walk->from || hand_out (walk, &entry, index, 1, start);
    }
  for (guint i = 0; i < level; i++)
    {
      first *= FAN;
      n *= FAN;
    }
  n = MIN (n, walk->lane->n_events - first);
  {
    const MemlaneTraceBlock *block = &walk->levels[level - 1][index];
    gint64 start = start_of (walk, first), last;

    if (start > walk->to)
      return FALSE;
    if (block->end < walk->from)
      return TRUE;
    if (walk->narrow > 1 && (double) duration_of (walk->trace, block->longest) < walk->narrow)
      {
        last = start_of (walk, first + n - 1);
        if (start >= walk->from && last <= walk->to && is_in_one_cell (walk, start, last))
          return hand_out (walk, block, first, n, start);
      }
  }
  parts = level == 1 ? walk->lane->n_events : walk->sizes[level - 2];
  for (guint i = index * FAN; i < parts && i - index * FAN < FAN; i++)
    if (!walk_part (walk, level - 1, i))
      return FALSE;
  return TRUE;
}

void
memlane_trace_lane_walk (const MemlaneTrace *trace, const MemlaneTraceLane *lane, gint64 from, gint64 to, double narrow,
                         MemlaneTraceVisit visit, gpointer user_data)
{
  Walk walk = { trace, lane, from, to, narrow, visit, user_data, { NULL }, { 0 } };
  const MemlaneTraceBlock *level = lane->blocks;
  guint n_levels = 0;

  if (lane->n_events == 0 || from > to)
    return;
  for (guint n = lane->n_events; n > 1; n = count_parts (n))
    {
      walk.levels[n_levels] = level;
      walk.sizes[n_levels] = count_parts (n);
      level += walk.sizes[n_levels++];
    }
  walk_part (&walk, n_levels, 0);
}
