/* decide.h: which mode to use, for a size, a reuse and a direction; what was measured and what was computed from it
 *
 * SPDX-License-Identifier: MIT
 *
 * Predicted elapsed time of a mode at 2^p elements and reuse r, from the cells of the runs (all intervals 95 %, estimate.h):
 *   - r measured: as measured. Between two measured r: on the line between them.
 *   - else elapsed (r0) + (r - r0) k, r0 the nearest measured one, k the device's time of one more kernel:
 *       over the link (zero-copy): the mode's own kernel, since every use pays the link again;
 *       data in device memory (copies, managed memory after its first kernel, which faulted): that of device-resident at this size, the
 *         baseline that reuse approaches, else that of the first copying mode that has one; so all of them have the same k, and what is
 *         uncertain in it does not count when two of them are compared;
 *       managed-advised, whose result lies on the host: one copy of the result down, where a run has its time;
 *       streams: between one whole kernel that hides behind the copies (but no less than half of a single launch's issue time for each
 *         chunk) and a kernel for each chunk that hides nowhere;
 *       system: between device-resident's kernel (pages have moved) and its own (a coherent link).
 *   What is computed may be off by more than was sampled: kernels in a row take less than one alone, and faults differ from run to run. Its
 *   interval is therefore wider (in quadrature) by a share of elapsed (r0) and one of the kernels that are added:
 *       copies 15 % and 30 %, zero-copy and device-resident likewise; managed 50 % and 50 %; streams 15 % and 20 %, at the upper end of
 *       their range only.
 *     Of two modes that add the same kernel, 5 % of it (managed: 50 %) do not cancel.
 *     The shares come from an H200 swept at reuse 1, 16 and 256 on one day, where without them 49 of 418 medians lay inside. As a check,
 *     predictions from another hour's run at 1 (h200-vector-add.csv) hold 404 of the 418 medians at 16 and 256
 *     (h200-vector-add-reuse16.csv, -reuse256.csv): managed 78 of 88, all others 326 of 330. At all 22 places the fastest mode is among the
 *     ties, and all 190 modes that are called slower than the winner are (tests/engine/analysis/test-decide.c).
 * Direction: both is what was measured. to-device leaves the download away, to-host the upload, by the phase's own time where the mode has
 * it. Where loads and stores, or the copies of streams, overlap, their parts cannot be told from elapsed: the prediction is then a range,
 * from elapsed less the share of the bytes that no longer travel, to all of it.
 * What is neither measured nor can be bounded has no prediction, and the notes say why.
 */
#pragma once

#include "base/api.h"
#include "answer.h"
#include "break-even.h"
#include "fit.h"
#include "mode/mode.h"

MEMLANE_BEGIN_PUBLIC

typedef enum
{
  MEMLANE_DIRECTION_BOTH,      /* inputs up, result down */
  MEMLANE_DIRECTION_TO_DEVICE, /* the result stays on the device */
  MEMLANE_DIRECTION_TO_HOST,   /* the inputs are on the device already */
  MEMLANE_N_DIRECTIONS
} MemlaneDirection;

/* "both", "to-device", "to-host": words of the command line; static. */
const char *memlane_direction_name (MemlaneDirection direction);
gboolean memlane_direction_parse (const char *name, MemlaneDirection *direction);
/* "inputs up and the result down": marked for translation; static. */
const char *memlane_direction_title (MemlaneDirection direction);

/* What a prediction rests on. The weakest of them where several come together. */
typedef enum
{
  MEMLANE_BASIS_NONE,     /* no prediction */
  MEMLANE_BASIS_MEASURED,
  MEMLANE_BASIS_BETWEEN,  /* two measured reuse values */
  MEMLANE_BASIS_KERNEL,   /* elapsed + (r - r0) kernel, the mode's own kernel */
  MEMLANE_BASIS_RESIDENT, /* the same with the kernel over data that is on the device */
  MEMLANE_BASIS_BOUNDED,  /* the interval is the range of what is possible, the value its middle */
  MEMLANE_N_BASES
} MemlaneBasis;

typedef struct
{
  MemlaneBasis basis;
  MemlaneEstimate ns;       /* predicted elapsed */
  const MemlaneFigure *shared; /* (nullable): the kernel time that was added; between two predictions with the same one its error cancels */
  MemlaneEstimate fixed_ns; /* what is left of ns without shared: for comparing two such predictions */
  guint r0;                 /* the measured reuse that it starts from */
  gboolean noisy;           /* the elapsed cell is */
} MemlaneForecast;

/* One (size, reuse). Modes are places in memlane_mode_list(); -1: none. */
typedef struct
{
  int winner;                /* the smallest predicted time */
  int runner_up;             /* the next one */
  int rival;                 /* the best of another way than the winner's */
  int choice;                /* of the winner's way and tied with it, the first in the registry: steady where many are alike */
  double margin;             /* runner-up / winner - 1; NAN without one */
  double rival_margin;
  gboolean uncertain;        /* another mode's interval overlaps the winner's */
  gboolean way_uncertain;    /* one of another way does: not even the way can be told */
  guint32 ties;              /* bit i: mode i cannot be told from the winner, which is among them */
  guint n_predicted;         /* modes in the contest */
} MemlaneChoice;

#define MEMLANE_DECIDE_REUSES 12 /* 1, 2, 4 ... 2048 */

/* All that the runs say; memlane_decision_new() alone makes one. Immutable once made, then any thread. */
typedef struct
{
  MemlaneRun *run;             /* the cells that are used: of all runs of one machine; owned */
  char *workload;
  MemlaneDirection direction;
  gboolean has_reuse;          /* it repeats the kernel, between the ways up and down; else the whole sample, with a direction of its own */
  gboolean simulated;
  guint n_modes;               /* as memlane_mode_list() */
  guint32 present;             /* bit i: mode i has a time at some size */
  guint n_sizes;               /* sizes at which any mode has one, ascending */
  guint sizes[64];             /* their log2 */
  MemlaneChoice *map;         /* n_sizes x MEMLANE_DECIDE_REUSES, size by size */
  GPtrArray *notes;            /* (element-type MemlaneAnswer): what was left out, and what cannot be told; maybe empty */
} MemlaneDecision;

/* @runs (element-type MemlaneRun), at least one: the first one's machine is the one decided for; runs of another machine, or of one that
 * cannot be compared with it, are left out, and a note says so. @workload NULL: vector-add where the first run has it, else its first.
 * Never fails: a run without anything gives a decision without sizes and a note. Returns: (transfer full). */
MemlaneDecision *memlane_decision_new (GPtrArray *runs, const char *workload, MemlaneDirection direction);
void memlane_decision_free (MemlaneDecision *decision);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecision, memlane_decision_free)

guint memlane_decide_reuse (guint index); /* 1 << index */

/* @mode: place in the registry, @reuse at least 1. FALSE: no prediction (@prediction's basis is NONE). */
gboolean memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse,
                                   MemlaneForecast *prediction);
/* Any size and reuse, also off the map. FALSE: no mode has a prediction. */
gboolean memlane_decision_judge (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneChoice *verdict);
/* (nullable): of the map. */
const MemlaneChoice *memlane_decision_get (const MemlaneDecision *self, guint size_index, guint reuse_index);

/* All predictions of the map as a CSV at @path ("-": standard output), whole or not at all; errors are MEMLANE_FILE_ERROR_IO. One row for
 * each mode that has a prediction at a size and reuse; rank 1 is the winner, `tied` 1 where the mode cannot be told from it, both empty for
 * the baseline device-resident, which takes no part. */
gboolean memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error);

/* Sentences for "my size, my reuse" (and the decision's direction): the best mode, what ties with it, what is next, what it rests on,
 * break-evens of pinning and of copying. Never empty: what cannot be told is said. Returns: (transfer full) (element-type
 * MemlaneAnswer). */
GPtrArray *memlane_decision_recommend (const MemlaneDecision *self, guint log2_elements, guint reuse);
/* One for each mode and phase (upload, kernel, download, elapsed) that the run has. */
GPtrArray *memlane_decision_describe_fits (const MemlaneDecision *self);
/* Elapsed of the usual pairs: the first of each way against pageable, and against each other. */
GPtrArray *memlane_decision_describe_crossovers (const MemlaneDecision *self);
/* Pinning and registering at each size; zero-copy against copying. */
GPtrArray *memlane_decision_describe_break_evens (const MemlaneDecision *self);

MEMLANE_END_PUBLIC

#ifdef MEMLANE_COMPILATION /* for the engine and its tests; the shared library does not export it */

G_BEGIN_DECLS

/* "copied from page-locked memory": marked for translation; static. */
const char *memlane_way_title (MemlaneWay way);

/* The first mode of @way in the registry that has a time at any size; -1: none. */
int memlane_decision_find_first (const MemlaneDecision *self, MemlaneWay way);
/* Of the modes that copy from page-locked memory, the one with the smallest elapsed time at this size; -1: none. */
int memlane_decision_find_copying (const MemlaneDecision *self, guint log2_elements);

G_END_DECLS

#endif
