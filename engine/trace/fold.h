/* fold.h: a lane as it is seen from far: what is too narrow to tell apart comes as one item
 *
 * SPDX-License-Identifier: MIT
 *
 * Each lane carries an index: blocks of 16 entries, blocks of 16 blocks and so on, each with its longest event. So the cost of a walk goes
 * with the number of items that it hands out, not with the events that stand behind them. The index takes about four bytes for each entry
 * of a lane; it is made when the trace is finished.
 */
#pragma once

#include "trace.h"

G_BEGIN_DECLS

/* An event, or several neighbours that are all narrow. */
typedef struct
{
  guint first, n;        /* entries of the lane */
  gint64 start, end;     /* ns: the earliest start, the latest end */
  gint64 busy;           /* ns: the sum of their durations */
  gint64 duration;       /* ns: of the longest */
  guint64 rows;          /* bit i: something of it lies in row i; bit 63: in row 63 or beyond. Of one event see the lane's rows */
  guint32 longest;       /* id of the longest of them; the first of equals */
} MemlaneTraceFold;

/* FALSE ends the walk. */
typedef gboolean (*MemlaneTraceVisit) (const MemlaneTraceFold *item, gpointer user_data);

/* Hands out, in the order of start, everything of @lane that touches [@from, @to], both ends included. Neighbours shorter than @narrow ns
 * that start within @narrow ns may come as one item; longer ones always come alone. @narrow at most 1: every event comes alone. Any
 * thread. */
void memlane_trace_lane_walk (const MemlaneTrace *trace, const MemlaneTraceLane *lane, gint64 from, gint64 to, double narrow,
                              MemlaneTraceVisit visit, gpointer user_data);

G_END_DECLS
