/* trial.h: a change is tried in somebody else's program, without a line of its code changed
 *
 * SPDX-License-Identifier: MIT
 *
 * The program runs several times, as it is and with the change in turn. The recorder makes the
 * change while it runs (device/cuda/trial.c); the program as it is runs under the same callbacks.
 * The change keeps what the program means: memory that is locked is released before it is freed,
 * and a copy has left its buffer when the call returns.
 */
#pragma once

#include "advise.h"
#include "watch.h"

typedef struct
{
  MemlaneChangeKind kind;
  guint n;                    /* pairs of runs */
  double before, after;       /* ns: medians from the first call that the change touches to the last
                               * call. Of the whole program if there is none, or it was killed */
  MemlaneEstimate gain;       /* ns, of the same time: of the pairs' differences,
                               * memlane_find_middle() */
  MemlaneEstimate copies;     /* ns gained within the calls that copy, with locking and waiting */
  double lock_ns, wait_ns;    /* of the last tried run: to lock, and for copies to leave */
  guint64 bytes;              /* that were locked in it */
  guint buffers, left, ranges; /* locked; left as they were; prefetched */
  gboolean same_status;       /* all runs ended alike */
  guint status, tried_status; /* as a shell tells them; of the first pair that did not */
  gboolean prints;            /* the program writes to standard output */
  /* lines of output that all runs as it is share; those that differ if tried */
  guint lines, differing;
  GPtrArray *notes;           /* (element-type char*): of the last tried run */
} MemlaneTrial;

/* Whether memlane_try_program() knows how to make this change. */
gboolean memlane_change_can_be_tried (MemlaneChangeKind kind);

/* Called before run @i of @n, and with @i == @n behind the last one. FALSE stops the trial. */
typedef gboolean (*MemlaneTrialStep) (guint i, guint n, gpointer user_data);

/* Runs @program 2 * @pairs times; its output is compared and kept nowhere. An @input is read from
 * where it stands now by each run. Blocks; any thread.
 * Returns: (transfer full), or NULL with MEMLANE_WATCH_ERROR. */
MemlaneTrial *memlane_try_program (const MemlaneProgram *program, MemlaneChangeKind kind,
                                   guint pairs, MemlaneTrialStep step, gpointer user_data,
                                   GError **error);
void memlane_trial_free (MemlaneTrial *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTrial, memlane_trial_free)

/* (transfer full) (element-type MemlaneAnswer): what a trial says, the most important first. */
GPtrArray *memlane_trial_describe (const MemlaneTrial *self);
