/* fold.c: the index of a lane, and walking it
 *
 * SPDX-License-Identifier: MIT
 */
#include "fold.h"

#include "trace-private.h"

#define FAN MEMLANE_TRACE_FAN
#define FAN_BITS 4

G_STATIC_ASSERT (1 << FAN_BITS == FAN);

/* --- making ------------------------------------------------------------------------------------------------------------ */

static void
merge (MemlaneTraceBlock *block, const MemlaneTraceBlock *part, gboolean is_first)
{
  if (is_first)
    {
      *block = *part;
      return;
    }
  block->last = part->last;
  block->end = MAX (block->end, part->end);
  block->busy = block->busy > G_MAXINT64 - part->busy ? G_MAXINT64 : block->busy + part->busy;
  block->rows |= part->rows;
  if (part->duration > block->duration)
    {
      block->duration = part->duration;
      block->longest = part->longest;
    }
}

static MemlaneTraceBlock
block_of_entry (const MemlaneTrace *trace, const MemlaneTraceLane *lane, guint entry)
{
  const MemlaneTraceEvent *event = &trace->events[lane->events[entry]];

  return (MemlaneTraceBlock){ event->start, event->start, event->start + event->duration, event->duration, event->duration,
                              G_GUINT64_CONSTANT (1) << MIN (lane->rows[entry], 63), lane->events[entry] };
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
      merge (&level[i / FAN], &entry, i % FAN == 0);
    }
  for (n_below = count_parts (n_below); n_below > 1; n_below = count_parts (n_below))
    {
      MemlaneTraceBlock *above = level + n_below;

      for (guint i = 0; i < n_below; i++)
        merge (&above[i / FAN], &level[i], i % FAN == 0);
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

static gboolean
hand_out (const Walk *walk, const MemlaneTraceBlock *block, guint first, guint n)
{
  const MemlaneTraceFold item = { first, n, block->start, block->end, block->busy, block->duration, block->rows,
                                  block->longest };

  return walk->visit (&item, walk->user_data);
}

/* Level 0: entries; above: blocks. FALSE: the walk is over. */
static gboolean
walk_part (const Walk *walk, guint level, guint index)
{
  const MemlaneTraceBlock *block;
  guint first, n, parts;

  if (level == 0)
    {
      MemlaneTraceBlock entry = block_of_entry (walk->trace, walk->lane, index);

      if (entry.start > walk->to)
        return FALSE;
      return entry.end < walk->from || hand_out (walk, &entry, index, 1);
    }
  block = &walk->levels[level - 1][index];
  if (block->start > walk->to)
    return FALSE;
  if (block->end < walk->from)
    return TRUE;
  if ((double) block->duration < walk->narrow && (double) (block->last - block->start) < walk->narrow && walk->narrow > 1
      && block->start >= walk->from && block->last <= walk->to)
    {
      first = index << (FAN_BITS * level);
      n = MIN (1u << (FAN_BITS * level), walk->lane->n_events - first);
      return hand_out (walk, block, first, n);
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
