/* decide.h: which mode to use, for a size, a reuse and a direction; what was measured and what was computed from it
 *
 * SPDX-License-Identifier: MIT
 *
 * Time of a mode at 2^p elements and reuse r, from the cells of the runs (all intervals 95 %, estimate.h). One model for the map, the
 * recommendation and the break-evens:
 *   elapsed (r) = transfers + r x max (launch, kernel in a row)
 *   - r measured: as measured, always.
 *   - Between two measured r: on the model's line, drawn through both.
 *   - Beyond the greatest measured r0: elapsed (r0) + (r - r0) max (launch, kernel). The launch is the host's time for one, the median at
 *     the greatest reuse; for each chunk of a stream mode there is one. The kernel is the device's time for one at the greatest reuse:
 *       over the link (zero-copy): the mode's own, since every use pays the link again;
 *       data in device memory (copies, managed memory after its first kernel, which faulted): the baseline's at this size, else a copying
 *         mode's;
 *       a result that stays on the host by advice: one copy of it down;
 *       system: between the baseline's (pages have moved) and its own (a coherent link).
 *     What asynchronous copies leave the host free to issue meanwhile costs nothing: as long as the upload, or all of a stream mode's
 *     sample, takes beyond its issuing. So does half of the time for which managed memory's first kernel waits for its pages, give or take
 *     the other half.
 *   - Below the least measured r, and beyond MEMLANE_DECIDE_MOST_REUSE: nothing is told.
 *   What is computed may be off by more than was sampled. The shares stand in decide-model.c. They come from an H200 swept at reuse 1,
 *   16 and 256: of each run that the others foretell, 96 % of the medians and 99 % of the modes' ratios lie inside
 *   (tests/engine/analysis/test-decide.c, /decide/held-out). A host that has grown slower between two runs breaks the former: its times
 *   are all off alike, and the ratios stay.
 * Two modes are compared by their ratio within each round, where one run has both (decide-compare.c): what disturbs a round disturbs both.
 *   Two may add the same for each use: the kernel on data in device memory, a kernel over the link, or launches that every kernel waits
 *   for. Then only what they are not off by alike counts. What they take at the least measured reuse tells them apart as well as what was
 *   measured at this one: both estimates count, by their intervals.
 * The choice: within 5 % the simplest. It is taken from the modes that take at most 5 % longer than the fastest by their times. They must
 * also take at most 5 % longer than any other by the upper ends of the intervals of their ratios. The first of them in the order of
 * simplicity (MemlaneMode.effort) is chosen. Where there is none, the choice is open: a wrong one could cost more than 5 %, and `regret`
 * says how much. A mode that is the same as another in other words (MemlaneMode.identical_to) takes no part beside it: what differs between
 * them is error.
 * Direction: both is what was measured. to-device leaves the download away, to-host the upload, by the phase's own time where the mode has
 * it. Where loads and stores, or the copies of streams, overlap, their parts cannot be told from elapsed: the prediction is then a range,
 * from elapsed less the share of the bytes that no longer travel, to all of it. Kernels that wait for their launches save nothing by it,
 * and nothing takes less than its launches.
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
/* "copies both ways": marked for translation; static. */
const char *memlane_direction_title (MemlaneDirection direction);

/* What a prediction rests on. The weakest of them where several come together. */
typedef enum
{
  MEMLANE_BASIS_NONE,     /* no prediction */
  MEMLANE_BASIS_MEASURED,
  MEMLANE_BASIS_BETWEEN,  /* two measured reuse values */
  MEMLANE_BASIS_COMPUTED, /* elapsed (r0) and what each further use adds */
  MEMLANE_BASIS_BOUNDED,  /* the interval is the range of what is possible, the value its middle */
  MEMLANE_N_BASES
} MemlaneBasis;

/* What a computed time has in common with those of other modes: flags. */
typedef enum
{
  MEMLANE_SHARED_NOTHING = 0,
  MEMLANE_SHARED_DEVICE = 1 << 0, /* the kernel on data in device memory; or launches that are the limit, as they are of it */
  MEMLANE_SHARED_LINK = 1 << 1,   /* the kernel that reaches over the link */
} MemlaneShared;

/* What a time is made of: weights x the medians of figures + added - part_weight x the median of part. */
typedef struct
{
  const MemlaneFigure *figures[2]; /* (nullable): elapsed as it was measured at r0 and r1 */
  guint runs[2];                   /* numbers of the runs that they are from, from 1, in the list that the decision was made from */
  double weights[2];
  double added;                    /* ns: further uses, computed */
  const MemlaneFigure *part;       /* (nullable): a phase of the first one's cell that the direction leaves away */
  double part_weight;
  double below, above;             /* ns: what the model may be off by, towards shorter and longer times */
  double own_below, own_above;     /* ns: the same without what modes with a common flag of @shared are off by alike */
} MemlaneTerms;

typedef struct
{
  MemlaneBasis basis;
  MemlaneEstimate ns;     /* elapsed */
  guint shared;           /* of MemlaneShared */
  guint r0, r1;           /* the measured reuse that it starts from; the next one, 0 unless it lies between two */
  gboolean noisy;         /* the elapsed cell at r0 is */
  MemlaneTerms terms;     /* of @ns */
  MemlaneTerms least;     /* the same time from the least measured reuse alone, which tells transfers best; no figure: there is none */
  guint least_reuse;
} MemlaneForecast;

#define MEMLANE_DECIDE_TIE 0.05 /* a difference that does not matter */

/* One (size, reuse). Modes are places in memlane_mode_list(); -1: none. */
typedef struct
{
  int choice;        /* the one answer: map, heading and sentences name it */
  int fastest;       /* the smallest time; often not certainly so */
  int rival;         /* the best of another way than the choice's */
  double cost;       /* choice / fastest - 1 */
  double regret;     /* what the choice may take at the most beyond any other mode, by the intervals; 0.02: 2 % */
  gboolean open;     /* regret is above MEMLANE_DECIDE_TIE */
  guint32 ties;      /* bit i: nothing tells that mode i costs more than MEMLANE_DECIDE_TIE beyond the choice, which is among them */
  guint32 contest;   /* bit i: mode i takes part and has a time */
  guint n_predicted; /* how many they are */
} MemlaneChoice;

/* No measurable difference: more than half of the modes are ties, and the choice is not open. */
gboolean memlane_choice_is_many (const MemlaneChoice *self);

#define MEMLANE_DECIDE_REUSES 12        /* 1, 2, 4 ... 2048 */
#define MEMLANE_DECIDE_MOST_REUSE 1000000 /* beyond it nothing is told */

/* All that the runs say; memlane_decision_new() alone makes one. Immutable once made, then any thread. */
typedef struct
{
  MemlaneRun *run;             /* the cells that are used: of all runs of one machine; owned */
  char *workload;
  MemlaneDirection direction;
  gboolean has_reuse;          /* it repeats the kernel, between the ways up and down; else the whole sample, with a direction of its own */
  gboolean simulated;
  gboolean one_process;        /* a time comes from one process: nothing is certain */
  guint n_modes;               /* as memlane_mode_list() */
  guint32 present;             /* bit i: mode i has a time at some size */
  guint n_sizes;               /* sizes at which any mode has one, ascending */
  guint sizes[64];             /* their log2 */
  MemlaneChoice *map;         /* n_sizes x MEMLANE_DECIDE_REUSES, size by size */
  GPtrArray *notes;            /* (element-type MemlaneAnswer): what was left out, and what cannot be told; maybe empty */
} MemlaneDecision;

/* @runs (element-type MemlaneRun), at least one: the first one's machine is the one decided for. Runs of another machine, or of one that
 * cannot be compared with it, are left out. A note says so. @workload NULL: vector-add where the first run has it, else its first. Never
 * fails: a run without anything gives a decision without sizes and a note. Returns: (transfer full). */
MemlaneDecision *memlane_decision_new (GPtrArray *runs, const char *workload, MemlaneDirection direction);
void memlane_decision_free (MemlaneDecision *decision);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecision, memlane_decision_free)

guint memlane_decide_reuse (guint index); /* 1 << index */

/* @mode: place in the registry, @reuse at least 1. FALSE: no prediction (@prediction's basis is NONE). */
gboolean memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse,
                                   MemlaneForecast *prediction);
/* Any size and reuse, also off the map. FALSE: no mode has a prediction. */
gboolean memlane_decision_judge (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneChoice *choice);
/* (nullable): of the map. */
const MemlaneChoice *memlane_decision_get (const MemlaneDecision *self, guint size_index, guint reuse_index);

/* From which reuse on copying is ahead of zero-copy, by the same times as the map's: wherever both were measured, as they were measured.
 * *@in_place and *@copying receive the modes (places in the registry, -1: none): the first that reaches over the link, and the copying one
 * that takes the least at this size. AFTER: count is that reuse; its interval reaches from the first one at which *@in_place is not
 * certainly ahead to the first at which *@copying is. price_ns and gain_ns are unknown. FALSE: nothing to compare. */
gboolean memlane_decision_break_even (const MemlaneDecision *self, guint log2_elements, int *in_place, int *copying,
                                      MemlaneBreakEven *result);

/* Why the answer for one (size, reuse) is not certain, and the one sweep that would settle it. */
typedef enum
{
  MEMLANE_SWEEP_FOR_NOTHING,  /* nothing is left to settle */
  MEMLANE_SWEEP_FOR_SIZE,  /* this size was not measured */
  MEMLANE_SWEEP_FOR_REUSE, /* the times are computed: measure this reuse */
  MEMLANE_SWEEP_FOR_AGAIN, /* they were measured, and their intervals are too wide: measure in more rounds */
} MemlaneSweepCause;

typedef struct
{
  MemlaneSweepCause cause;
  guint32 modes;       /* bit i: mode i of the registry takes part */
  guint log2_elements; /* the one size */
  guint reuse;
} MemlaneSweepAdvice;

/* FALSE: cause is NONE. */
gboolean memlane_decision_advise (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneSweepAdvice *advice);
/* (transfer full): "memlane-cli sweep --modes pinned,mapped --sizes 14:14 --reuse 16 --csv more.csv". */
char *memlane_sweep_advice_to_command (const MemlaneDecision *self, const MemlaneSweepAdvice *advice);

/* All predictions of the map as a CSV at @path ("-": standard output), whole or not at all; errors are MEMLANE_FILE_ERROR_IO. There is one
 * row for each mode that has a prediction at a size and reuse. Rank 1 is the fastest, `tied` is 1 for the ties, `choice` is 1 for the
 * choice. All three are empty for the baseline, which takes no part. */
gboolean memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error);

/* Sentences for a size and a reuse (and the decision's direction): the choice first, then what ties with it, what is next, what it rests
 * on, what to measure, break-evens of pinning and of copying. Never empty: what is missing is said. Returns: (transfer full) (element-type
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

/* "page-locked": marked for translation; static. */
const char *memlane_way_title (MemlaneWay way);

/* The first mode of @way in the registry that has a time at any size; -1: none. */
int memlane_decision_find_first (const MemlaneDecision *self, MemlaneWay way);
/* Of the modes that copy from page-locked memory, the one with the smallest time at this size and its least reuse; -1: none. */
int memlane_decision_find_copying (const MemlaneDecision *self, guint log2_elements);

G_END_DECLS

#endif
