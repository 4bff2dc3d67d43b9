/* replay.h: the order of a program's operations, played again with other durations
 *
 * SPDX-License-Identifier: MIT
 *
 * A trace tells when things happened. The replay tells when they would happen if some of them took
 * less time, by what waits for what:
 *   a thread makes its calls one after the other, with its own work between them.
 *   threads that take turns make one row of calls.
 *   an operation begins after its call, and after what came before it in its stream and its engine.
 *   a call that waited ends when what it waited for has ended.
 * What the times say beyond that stays as a constant: the program's own work, the price of a call,
 * the way from a call to the device. So a replay without changes ends when the program did, and the
 * gain of a change is the difference of two replays: nothing counts twice, and no gain exceeds the
 * program's time. The idea is that of Daydream (Zhu, Phanishayee and Pekhimenko, USENIX ATC 2020).
 */
#pragma once

#include "trace/trace.h"

typedef struct _MemlaneReplay MemlaneReplay;

/* Takes O(n log n) for @trace, which stays the caller's and must outlive it. (transfer full) */
MemlaneReplay *memlane_replay_new (const MemlaneTrace *trace);
void memlane_replay_free (MemlaneReplay *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneReplay, memlane_replay_free)

/* Event @id, a call or an operation, takes @factor of its time, and so does what belongs to it: the
 * way to the device, the end of a call after what it waited for. 0: it is not there, and nothing
 * waits for it. */
void memlane_replay_scale (MemlaneReplay *self, guint32 id, double factor);
/* The thread works @ns longer before call @id; negative: shorter, as far as it works at all. */
void memlane_replay_delay (MemlaneReplay *self, guint32 id, double ns);
/* Takes all changes back. */
void memlane_replay_reset (MemlaneReplay *self);
/* Returns when the last call or operation ends, in ns of the trace's time. O(n). */
double memlane_replay_run (MemlaneReplay *self);
/* Whether call @id waited for the device. */
gboolean memlane_replay_waits (const MemlaneReplay *self, guint32 id);
