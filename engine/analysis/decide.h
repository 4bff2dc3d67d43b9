/* decide.h: which mode to use, for a size, a reuse and a direction; what was measured and what was
 * computed from it
 *
 * SPDX-License-Identifier: MIT
 *
 * One rule gives every time, and one comparison every statement: headline, ties, rivals, crossovers
 * and map.
 * Time of a mode at 2^p elements and reuse r, by a count and a direction (cost.h):
 *   - r measured: as measured. Rounds of several runs of the machine at one place count together.
 *   - Between two measured r: on the line through both.
 *   - Beyond the greatest measured r0: time (r0) + (r - r0) x max (launches, kernel). The kernel is
 *   the mode's own where it reaches over
 * the
 *     link, else the one on data in device memory. Launches that are issued while asynchronous
 *     copies are on their way cost nothing.
 *   - Below the least measured r, and beyond MEMLANE_DECIDE_MOST_REUSE: nothing is told.
 * A kernel in a row is known within 15 %, one known from a single launch within 30 % (35 % over the
 * link). An H200 swept at reuse 1, 16 and 256 gave these shares
 * (tests/engine/analysis/test-decide.c, /decide/held-out).
 * Two modes are compared by their ratio within each round, where one run has both: a disturbed
 * round disturbs both. 5 % are added for other sweeps. Modes that add the same kernel are off by it
 * alike, as are those whose kernel over the link is known from a single launch.
 * The answer: the simplest of the modes that take at most 3 % longer than the fastest, in the order
 * of MemlaneMode.effort. Modes of another family may be among them: they tie. `regret` is the loss
 * to expect from the answer: the mean of what it takes beyond another mode, where it is slower, by
 * the interval of their ratio. The answer is open where that is above 5 %.
 * Twins take no part beside the simplest of them: modes that use the same kind of memory in the
 * same way, as far as the direction uses it. Write-combined memory takes part only where the host's
 * access to it counts, static memory only where allocation does not: it comes with the program, and
 * no phase tells its price.
 */
#pragma once

#include <glib.h>

#include "answer.h"
#include "cost.h"
#include "mode/mode.h"

/* The basis of a prediction. The weakest of them where several come together. */
typedef enum
{
  MEMLANE_BASIS_NONE,     /* no prediction */
  MEMLANE_BASIS_MEASURED,
  MEMLANE_BASIS_BETWEEN,  /* two measured reuse values */
  MEMLANE_BASIS_COMPUTED, /* elapsed (r0) and what each further use adds */
  MEMLANE_BASIS_BOUNDED,  /* the interval is the range of what is possible, the value its middle */
  MEMLANE_N_BASES
} MemlaneBasis;

typedef struct
{
  MemlaneBasis basis;
  MemlaneEstimate ns;     /* by the question's count and direction */
  /* the measured reuse that it starts from; the next one, 0 unless it lies between two */
  guint r0, r1;
  gboolean noisy;         /* the elapsed cell at r0 is */
  double sampled[2];      /* ns: how far the interval reaches down and up by the samples alone */
  double added;           /* ns: further uses, computed */
  double error;           /* ns: what the rule may be off by, either way */
  double own;             /* ns: the same, by this mode alone */
  /* (nullable) what is added: modes with the same one are off by it alike */
  gconstpointer kernel;
  gconstpointer from[2];  /* what was measured at r0 and r1 */
  double share;           /* of r1's in @ns */
} MemlaneForecast;

#define MEMLANE_DECIDE_TIE 0.03  /* a simpler mode may take so much more */
#define MEMLANE_DECIDE_LOSS 0.05 /* a loss that does not matter */

/* One (size, reuse). Modes are places in memlane_mode_list(); -1: none. */
typedef struct
{
  int choice;        /* the one answer: map, heading and sentences name it */
  int fastest;       /* the smallest time; often not certainly so */
  int rival;         /* the best of another family than the choice's */
  double cost;       /* choice / fastest - 1 */
  double regret;     /* the loss to expect from the choice instead of another mode; 0.02: 2 % */
  gboolean open;     /* regret is above MEMLANE_DECIDE_LOSS */
  gboolean alike;    /* a mode of another family is among @ties, and the answer is not open */
  /* bit i: mode i takes at most MEMLANE_DECIDE_TIE beyond the fastest; the choice is the simplest
   * of them */
  guint64 ties;
  guint64 contest;   /* bit i: mode i takes part and has a time */
} MemlaneChoice;

typedef struct
{
  const char *workload; /* (nullable): vector-add where the first run has it, else its first */
  MemlaneDirection direction;
  MemlaneCount count;
  guint uses;           /* of what is allocated, for MEMLANE_COUNT_ALLOCATION; 0 is 1 */
  /* their number, of a workload of scattered pieces; 0: as many as its first measurement has */
  guint pieces;
  MemlaneCell *background; /* (nullable): cells with its background count, by default the first's */
  gboolean alone;       /* by_background is not filled */
} MemlaneQuestion;

#define MEMLANE_DECIDE_SIZES 256        /* those of a run; beyond them measurements are left out */
#define MEMLANE_DECIDE_REUSES 12        /* 1, 2, 4 ... 2048 */
#define MEMLANE_DECIDE_MOST_REUSE 1000000 /* beyond it nothing is told */

/* All that the runs say; memlane_decision_new() alone makes one. Reference counted and immutable
 * once made, then any thread. */
typedef struct _MemlaneDecision MemlaneDecision;
struct _MemlaneDecision
{
  int ref_count;               /* atomic */
  MemlaneRun *run;             /* the cells that are used: of all runs of one machine; owned */
  char *workload;
  MemlaneDirection direction;
  /* as asked for, or TRANSFER where the runs have no times of the host's access: a note says so */
  MemlaneCount count;
  guint uses;
  guint pieces;                /* 0: the workload has none */
  /* (nullable) (element-type MemlaneDecision): for each number of pieces that the runs have,
   * ascending */
  GPtrArray *by_pieces;
  MemlaneCell *background;     /* all measurements have its background */
  GPtrArray *by_background;    /* (nullable) (element-type MemlaneDecision): for each other
                                * background of these @pieces, unless asked alone */
  /* it repeats the kernel, between the ways up and down; else the whole sample, with a direction of
   * its own */
  gboolean has_reuse;
  gboolean simulated;
  gboolean one_process;        /* a time comes from one process: nothing is certain */
  const MemlaneMode *modes;    /* memlane_mode_list(), */
  guint n_modes;               /* so many */
  guint64 present;             /* bit i: mode i has a time at some size */
  guint n_sizes;               /* sizes at which any mode has one, ascending */
  double sizes[MEMLANE_DECIDE_SIZES];
  /* of the map: sizes by reuses; with @by_pieces the sizes of a piece by the numbers of pieces */
  guint n_columns, n_rows;
  double *columns;             /* log2 floats of a vector, or of a piece; ascending */
  guint *rows;                 /* reuses, or numbers of pieces; ascending */
  MemlaneChoice *map;          /* n_columns x n_rows, column by column */
  /* (element-type MemlaneAnswer): what was left out, and what cannot be told; maybe empty */
  GPtrArray *notes;
  struct _MemlaneDecisionParts *parts; /* opaque: what it was made from */
};

/* @runs (element-type MemlaneRun), at least one: the first one's machine is the one decided for.
 * Runs of another machine, or of one that cannot be compared with it, are left out. A note says so.
 * Never fails: a run without anything gives a decision without sizes and a note. Returns: (transfer
 * full). */
MemlaneDecision *memlane_decision_new (GPtrArray *runs, const MemlaneQuestion *question);
MemlaneDecision *memlane_decision_ref (MemlaneDecision *decision);
void memlane_decision_unref (MemlaneDecision *decision);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecision, memlane_decision_unref)

guint memlane_decide_reuse (guint index); /* 1 << index, which is at most 31 */

/* @mode: place in the registry, @reuse at least 1. FALSE: no prediction (@prediction's basis is
 * NONE). */
gboolean memlane_decision_forecast (const MemlaneDecision *self, guint mode, double log2_elements,
                                    guint reuse, MemlaneForecast *prediction);
/* Any size and reuse, also off the map. FALSE: no mode has a prediction. */
gboolean memlane_decision_judge (const MemlaneDecision *self, double log2_elements, guint reuse,
                                 MemlaneChoice *choice);
/* The modes that are shown side by side at a place: one of each family that takes part. It is the
 * simplest of those that tie, else the fastest. Ascending by time. @modes has room for
 * MEMLANE_N_FAMILIES. Returns how many there are. */
guint memlane_decision_list_candidates (const MemlaneDecision *self, double log2_elements,
                                        guint reuse, const MemlaneChoice *choice, guint *modes);
/* (nullable): of the map. */
const MemlaneChoice *memlane_decision_get (const MemlaneDecision *self, guint column, guint row);

/* A place of the map, as its decision is asked for it. */
typedef struct
{
  /* the map's own, or that of a number of pieces; the map's reference holds it */
  const MemlaneDecision *decision;
  double log2_elements;            /* of a whole vector */
  guint reuse;
} MemlanePlace;

/* @log2_elements and @row are as in columns and rows, and may lie off the map. A number of pieces
 * that is none of the rows gives the nearest one. A piece that differs from a measured one by less
 * than an eighth of an octave is that one. */
MemlanePlace memlane_decision_locate (const MemlaneDecision *self, double log2_elements, guint row);
/* Returns the index of the row that is nearest in a logarithm: of the reuses, 3 gives that of 4. */
guint memlane_decision_find_row (const MemlaneDecision *self, guint row);

/* Why the answer for one (size, reuse) is not certain, and the one sweep that would settle it. */
typedef enum
{
  MEMLANE_SWEEP_FOR_NOTHING,  /* nothing is left to settle */
  MEMLANE_SWEEP_FOR_SIZE,  /* this size was not measured */
  MEMLANE_SWEEP_FOR_REUSE, /* the times are computed: measure this reuse */
  /* they were measured, and their intervals are too wide: measure in more rounds */
  MEMLANE_SWEEP_FOR_AGAIN,
} MemlaneSweepCause;

typedef struct
{
  MemlaneSweepCause cause;
  guint64 modes;       /* bit i: mode i of the registry takes part */
  double log2_elements; /* the one size */
  guint reuse;
} MemlaneSweepAdvice;

/* FALSE: cause is NONE. */
gboolean memlane_decision_advise (const MemlaneDecision *self, double log2_elements, guint reuse,
                                  MemlaneSweepAdvice *advice);
/* (transfer full): "memlane-cli sweep --modes pinned,mapped --sizes 14:14 --reuse 16 --csv
 * more.csv". */
char *memlane_sweep_advice_to_command (const MemlaneDecision *self,
                                       const MemlaneSweepAdvice *advice);

/* All predictions of the map as a CSV at @path ("-": standard output), whole or not at all; errors
 * are MEMLANE_FILE_ERROR_IO. There is one row for each mode that has a prediction at a size and
 * reuse. With @by_pieces a column `pieces` follows the others. Rank 1 is the fastest. `tied` is 1
 * for the ties, `choice` is 1 for the choice, `contest` is 1 for the modes that it was chosen from.
 * `answer` is certain, open, or alike: modes of several families tie. All five are empty for the
 * baseline, which takes no
 * part.
 * Columns `beside` and `busy` are the last ones if there was a background. */
gboolean memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error);

/* Sentences for a size and a reuse: the answer, then at most six of evidence, and one for each
 * other background. Never empty: what is missing is said.
 * Returns: (transfer full) (element-type MemlaneAnswer). */
GPtrArray *memlane_decision_recommend (const MemlaneDecision *self, double log2_elements,
                                       guint reuse);
/* Elapsed of the usual pairs: the first of each way against pageable, and against each other. Of
 * other backgrounds: from which size on they have which answer. */
GPtrArray *memlane_decision_describe_crossovers (const MemlaneDecision *self);
/* What a GiB costs by each way of page-locking that was measured, at the largest size. */
GPtrArray *memlane_decision_describe_locking (const MemlaneDecision *self);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "result/environment.h"

/* The value of the fact "background" of a decision, and the fact "busy", which its title names. */
#define MEMLANE_FACTS_OF_BACKGROUND(self) \
  MEMLANE_FACT_WORD, memlane_beside_title ((self)->background->beside) }, \
  { "busy", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS ((self)->background->busy / 100.0)

/* A measured time of one mode, size and reuse. */
typedef struct
{
  const MemlaneCell *cell;
  guint run;        /* its number in the list that the decision was made from, from 1 */
  MemlaneCost cost;
} MemlanePoint;

/* A decision rests on these. */
typedef struct _MemlaneDecisionParts
{
  /* [mode * MEMLANE_DECIDE_SIZES + place in sizes] -> (element-type MemlanePoint) ascending reuse,
   * owned; or NULL */
  GPtrArray **points;
  guint n_unlike;       /* cells of other streams or chunks, left out */
  /* of a workload whose reuse repeats the kernel, inputs and result; else 0 */
  guint vectors;
  /* of the first run; all zeros where it has none: what a pair of events holds, and a kernel in a
   * row */
  MemlaneFloors floors;
  double launch_ns;     /* one kernel launch in a row of them, on the host; 0: cannot be told */
} MemlaneDecisionParts;

/* (nullable): those of a mode and size, ascending reuse. */
const GPtrArray *memlane_decision_get_points (const MemlaneDecision *self, guint mode,
                                              double log2_elements);

/* The excess of @a over @b, as a share of @b, at the same size and reuse. */
MemlaneEstimate memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b);

#endif
