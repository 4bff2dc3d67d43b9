/* run.h: what was measured: statistics -> figure -> cell -> run
 *
 * SPDX-License-Identifier: MIT
 *
 * A run holds cells, one for each (workload, mode, size); a cell holds figures, one for each
 * (phase, clock). These are plain records: whoever made one owns it. Nothing here is shared between
 * threads unless a function says so. Cells are reference counted and immutable once they are handed
 * on, so the worker and the screen may hold the same one.
 * Times are nanoseconds, sizes elements or bytes, bandwidth bytes per second.
 */
#pragma once

#include <glib.h>

#include "phase.h"

G_BEGIN_DECLS

/* An interval is for one of these. */
typedef enum
{
  MEMLANE_INTERVAL_SAMPLING,     /* what these samples or rounds tell, of the same sweep */
  MEMLANE_INTERVAL_OTHER_SWEEPS, /* what another sweep of the machine will find */
  MEMLANE_INTERVAL_EXACT,        /* the device has no noise: the interval is a tick of the clock */
  MEMLANE_N_INTERVALS
} MemlaneInterval;

/* All in nanoseconds. count 0: no figure was measured, the rest is meaningless. */
typedef struct
{
  guint count;
  double median, low, high, min, q1, q3, max;
  MemlaneInterval interval; /* from low to high */
} MemlaneStatistics;

/* How fast the host was next to a visit, ns: two readings of the clock, a launch that waits for
 * nothing, a copy of 4 KiB by the host. All zero: unknown. */
typedef enum
{
  MEMLANE_PROBE_PAIR,
  MEMLANE_PROBE_LAUNCH,
  MEMLANE_PROBE_COPY,
  MEMLANE_N_PROBES
} MemlaneProbe;

typedef struct
{
  double ns[MEMLANE_N_PROBES];
} MemlaneHostProbe;

/* The measurement of one round. A round is a process of its own that visits all cells, with new
 * buffers; data/doc/method.md says why. */
typedef struct
{
  guint round;   /* from 1 */
  guint place;   /* of the cell in that round's order, from 1 */
  guint samples;
  double median; /* ns: the mean of its visits' medians */
  MemlaneHostProbe host; /* the mean of its visits of the cell */
} MemlaneRound;

#define MEMLANE_MOST_ROUNDS 64

/* The place of one sample. */
typedef struct
{
  guint set;       /* its buffer set within the cell, from 1 */
  guint sm_mhz;    /* the GPU's clock when that set began; 0: nothing tells */
  double time;     /* when it had been taken: ns since its process began to measure cells */
} MemlaneSampleMark;

/* One row of the CSV. With rounds, median is the Hodges-Lehmann estimate of their values, and low
 * to high its interval (rounds.h). q1 and q3 are the medians of the rounds' quartiles, which is the
 * spread within a process. min, max and count are over all samples. */
typedef struct _MemlaneFigure
{
  MemlanePhase phase;
  MemlaneClock clock;
  MemlaneStatistics statistics;
  guint64 bytes_moved;  /* per sample of this phase; 0: it moves none, the CSV's cell is empty */
  MemlaneStatus status;
  char *detail;         /* one sentence or NULL */
  /* statistics.count values in the order taken, round by round, or NULL when they were not kept */
  double *samples;
  MemlaneSampleMark *marks; /* likewise, one for each of samples; NULL: not kept */
  /* behind the interval; 0: one process, an interval of its samples, which says nothing of the next
   * process */
  guint n_rounds;
  /* n_rounds of them, ascending by round; NULL with n_rounds > 0: NAME.rounds.csv was not there */
  MemlaneRound *rounds;
} MemlaneFigure;

/* Bytes per second by the median; 0 where it cannot be told, and on the issue clock: nothing has
 * moved when a call returns. */
double memlane_figure_get_bandwidth (const MemlaneFigure *figure);

/* One (workload, mode, size). Build it, then treat it as immutable. */
typedef struct _MemlaneCell
{
  int ref_count;         /* atomic; use ref and unref */
  char *workload, *mode; /* ids */
  double log2_elements;  /* its size: base/size.h */
  guint64 elements;      /* length of one vector */
  guint64 bytes;         /* bytes of one vector */
  guint reuse;           /* at least 1 */
  guint streams, chunks; /* 0: the mode has none, the CSV's cells are empty */
  MemlaneBeside beside;
  guint busy;            /* percent of the multiprocessors with MEMLANE_BESIDE_COMPUTE, else 0 */
  MemlaneStatus status;  /* the worst of its figures, or why there are none */
  char *detail;          /* one sentence or NULL */
  /* of one visit, before its first allocation; unknown in what rounds have made */
  MemlaneHostProbe host;
  /* (element-type MemlaneFigure), owned, in CSV order; empty: one row without figures */
  GPtrArray *figures;
} MemlaneCell;

/* Whether the device did the same while both were measured. */
static inline gboolean
memlane_cell_has_background_of (const MemlaneCell *cell, const MemlaneCell *other)
{
  return cell->beside == other->beside && cell->busy == other->busy;
}

MemlaneCell *memlane_cell_ref (MemlaneCell *cell);
void memlane_cell_unref (MemlaneCell *cell);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneCell, memlane_cell_unref)

/* (transfer none) (nullable) */
const MemlaneFigure *memlane_cell_find (const MemlaneCell *cell, MemlanePhase phase,
                                        MemlaneClock clock);

/* How the detail of an elapsed time begins that no recording bears out. */
#define MEMLANE_EXTRAPOLATED "extrapolated"
/* Whether @cell is a simulated device's that was never fitted to its like. */
gboolean memlane_cell_is_extrapolated (const MemlaneCell *cell);

typedef struct _MemlaneEnvironment MemlaneEnvironment; /* environment.h */

/* A run: its name, its device, its cells, its environment. Reference counted; not thread-safe. */
typedef struct _MemlaneRun
{
  int ref_count;
  char *id;              /* "20261121T101400Z-h200-vector-add": the CSV's first column */
  char *device;          /* device id */
  char *device_kind;     /* "cuda" or "simulated" */
  MemlaneEnvironment *environment; /* NULL: not recorded */
  GPtrArray *cells;      /* (element-type MemlaneCell), owned references */
} MemlaneRun;

MemlaneRun *memlane_run_new (const char *id, const char *device, const char *device_kind);
/* Returns a run of its own for another thread, which shares cells and environment: their references
 * are counted atomically. */
MemlaneRun *memlane_run_copy (const MemlaneRun *run);
MemlaneRun *memlane_run_ref (MemlaneRun *run);
void memlane_run_unref (MemlaneRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRun, memlane_run_unref)

/* Whether its kind or its environment says so. */
gboolean memlane_run_is_simulated (const MemlaneRun *run);
/* (transfer none) (nullable): the first such cell. */
const MemlaneCell *memlane_run_find (const MemlaneRun *run, const char *workload, const char *mode,
                                     double log2_elements);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* As memlane_phase_parse(). */
gboolean memlane_clock_parse (const char *name, MemlaneClock *clock);
/* "sampling", "other-sweeps" or "exact"; static. */
const char *memlane_interval_name (MemlaneInterval interval);

/* (transfer full): without figures, status ok. */
MemlaneCell *memlane_cell_new (const char *workload, const char *mode, double log2_elements);
/* The same with workload, mode, size, reuse, streams and chunks of @like. */
MemlaneCell *memlane_cell_new_like (const MemlaneCell *like);
/* One of its own, (transfer full), with figures of its own. */
MemlaneCell *memlane_cell_copy (const MemlaneCell *cell);
/* Returns @ns as tables have it, to a tenth of a nanosecond. */
double memlane_tenths (double ns);
/* Adds a figure and returns it (owned by the cell). Its times are rounded to tenths of a
 * nanosecond. @statistics NULL: it has none; @detail (nullable) is copied, "" is NULL. */
MemlaneFigure *memlane_cell_add_figure (MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock,
                                        const MemlaneStatistics *statistics, guint64 bytes_moved,
                                        MemlaneStatus status, const char *detail);
/* Takes other statistics, rounded likewise. */
void memlane_figure_set (MemlaneFigure *figure, const MemlaneStatistics *statistics);

/* --- what a run may hold, whoever sends it -------------------------------------------------------
 *
 * Each returns NULL, or the column (csv.h) that is wrong, a literal, with @expected: what should be
 * there (transfer full). Any thread. */

/* What a table calls a run or a device; @text is UTF-8. It is shown, and never a path: see
 * memlane_check_name(). Returns NULL, or what is expected: a literal. */
const char *memlane_check_title (const char *text);
/* An id of a workload or a mode: MEMLANE_CHECK_ID. */
#define MEMLANE_CHECK_ID "a name of a-z, 0-9 and '-'"
gboolean memlane_check_id (const char *text);
/* Whether @kind is one, and @device may be of it: a simulated device must not pass for a real
 * one. */
const char *memlane_check_device (const char *device, const char *kind, char **expected);
/* Whether rows of @workload in @mode may have @streams and @chunks. */
const char *memlane_check_parts (const char *workload, const char *mode, gboolean streams,
                                 gboolean chunks, char **expected);
/* Whether a background of @beside may have @busy. */
const char *memlane_check_beside (MemlaneBeside beside, guint busy, char **expected);
/* A figure that is, or is to be, one of @cell's. */
const char *memlane_check_figure (const MemlaneCell *cell, const MemlaneFigure *figure,
                                  char **expected);
/* A whole cell with all of its figures. */
const char *memlane_check_cell (const MemlaneCell *cell, char **expected);

#endif
