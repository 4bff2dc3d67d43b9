/* history.h: what the earlier sweeps of a machine say about its next one
 *
 * SPDX-License-Identifier: MIT
 *
 * Sweeps of one machine differ by more than their rounds tell. By how much follows from its own
 * earlier sweeps, once there are three: those of the same GPU, slot, driver, link, processor and
 * kernel (same-machine.h), whose cells were visited as often. Until then it is what other machines
 * showed (result/rounds.h). The learned interval lies around the middle of all known sweeps, and
 * includes the estimate. A finished sweep is kept in XDG_STATE_HOME/memlane/history, the newest of
 * each GPU.
 */
#pragma once

#include "result/run.h"

#define MEMLANE_HISTORY_LEAST 3 /* earlier sweeps */
#define MEMLANE_HISTORY_MOST 8  /* are kept of a GPU */

/* Replaces the intervals for other sweeps of @run by those that the earlier sweeps of its machine
 * give. Adds to its environment how many there are, and whether this one differs from them by more
 * than they do from each other. TRUE: cells of @run were replaced. */
gboolean memlane_history_apply (MemlaneRun *run);
/* Whether one more sweep brings the machine of @run nearer to @wanted earlier ones. *@known: those
 * that the sweep before had, -1 before the first; takes those of @run. FALSE also where they do not
 * grow. */
gboolean memlane_history_is_missing (const MemlaneRun *run, guint wanted, double *known);
/* Keeps @run, which is whole, for those that follow. A device without UUID has no history. A
 * problem is no one's: the history is a copy. */
void memlane_history_keep (const MemlaneRun *run);
