/* chart.h: what is drawn: curves over vector sizes, made from runs
 *
 * SPDX-License-Identifier: MIT
 *
 * A chart is reference counted and immutable once built: a change in the runs or options makes a
 * new one (20 curves x 19 sizes cost microseconds). A MemlaneView is what the person does with it
 * (zoom, crosshair, isolation). Build and use on one thread.
 */
#pragma once

#include <math.h>

#include "memlane.h"

#include "scale.h"

typedef enum
{
  MEMLANE_QUANTITY_BANDWIDTH, /* bytes moved / median; bytes per second */
  MEMLANE_QUANTITY_TIME,      /* median; nanoseconds */
  /* the second run's median over the first run's, mode by mode: above 1 the first is faster */
  MEMLANE_QUANTITY_RATIO,
} MemlaneQuantity;

typedef enum
{
  MEMLANE_AXIS_LINEAR,
  MEMLANE_AXIS_LOG,           /* log10 */
  /* log10 where the values span a factor of 1,000, the baseline aside */
  MEMLANE_AXIS_AUTOMATIC,
} MemlaneAxis;

typedef struct
{
  double log2_elements;
  double elements, bytes;    /* of one vector */
  double value, low, high;   /* the quantity and its interval, low <= value <= high */
  /* what is drawn: of one run what its own rounds tell; low and high where runs are compared */
  double band_low, band_high;
  gboolean noisy;
  gboolean extrapolated; /* simulated, and nothing like it was recorded: drawn thinner */
  const MemlaneCell *cell;   /* owned reference; NULL for published figures */
  const MemlaneFigure *figure; /* inside the cell; NULL as above */
} MemlaneChartPoint;

typedef enum
{
  MEMLANE_SERIES_MEASURED, /* of the first run */
  /* of another run: same colour, marker and dash; thinner, without band and value */
  MEMLANE_SERIES_OVERLAY,
  MEMLANE_SERIES_PUBLISHED,/* figures from the articles: small hollow markers, no line */
} MemlaneSeriesRole;

typedef struct
{
  char *id;               /* unique and stable while runs come and go: "RUN/MODE" */
  char *run;              /* id of its run, "published/SOURCE"; NULL: of none */
  char *mode;             /* mode id */
  MemlaneFamily family;   /* of the mode; MEMLANE_N_FAMILIES: of none */
  char *label;            /* "Pinned"; of other runs than the first "Pinned · recorded H200" */
  /* the name of its run or publication; NULL where the chart shows a single run and nothing else */
  char *source;
  /* of a ratio: how the two runs measured the mode in other ways ("4 × 16 over 8 × 8"); NULL: in
   * the same way */
  char *unlike;
  MemlaneSeriesRole role;
  /* (element-type MemlaneChartPoint), rising sizes, only measured ones: ok or noisy */
  GArray *points;
  guint missing;          /* cells that failed or cannot run; they have no point */
  gboolean behind;        /* of a run that a new one replaces: pale, without labels and readings */
  /* log2 of the sizes that the run's plan has, every power of two; first > last: unknown */
  double first_planned, last_planned;
} MemlaneSeries;

typedef struct
{
  int ref_count;
  MemlaneQuantity quantity;
  MemlaneUnit unit;        /* of values */
  MemlanePhase phase;
  MemlaneScaleKind value_scale; /* LINEAR or LOG10 */
  char *workload;          /* id */
  char *title;             /* "Vector add · elapsed · bandwidth" */
  /* "NVIDIA H200 · driver 580.159.04 · 2026-11-21" of every run, by its environment, without what
   * is unknown */
  char *subtitle;
  /* of a ratio: what is divided by what ("Time of yesterday ÷ time of today"); NULL of other
   * quantities */
  char *axis;
  /* elements of a vector at which the workload's vectors fill the device's L2 cache; NAN:
   * unknown */
  double cache_elements;
  char *cache_label;       /* "L2 full (50 MiB)"; NULL: unknown */
  /* what the curves say, in one sentence: "Zero-copy is fastest at every size"; NULL: nothing */
  char *headline;
  /* what is to be known besides: noisy cells, runs left out; NULL: nothing */
  char *note;
  /* of that, the runs and measurements that are not drawn, and why; NULL: all are */
  char *left_out;
  gboolean simulated;      /* any run shown was simulated: the figure says SIMULATED */
  /* (element-type MemlaneSeries), first run by family, then other runs, then published; none is
   * empty */
  GPtrArray *series;
  guint modes_missing;     /* modes all of whose cells failed or cannot run: they have no series */
  /* bytes per second that the link, or the device's memory, does at most; NAN: unknown */
  double ceiling;
  /* "PCIe 5.0 ×16, each way: 63.0 GB/s", "PCIe 5.0 ×16, both ways: 94.5 GB/s"; NULL: unknown */
  char *ceiling_label;
  double first_log2, last_log2; /* sizes shown before zooming */
  gboolean growing;        /* a sweep's plan was told: what is missing may still come */
  guint n_measured, n_planned; /* of the first run, where it lacks some of its plan; else 0 */
  guint n_rounds, n_rounds_planned; /* of the first run, where all is measured, but less often than
                                       planned; else 0 */
  /* why there is no curve ("no cell of this workload has an upload"), NULL when there is one */
  char *trouble;
} MemlaneChart;

/* One run as it is to be shown. */
typedef struct
{
  MemlaneRun *run;         /* (transfer none) */
  const char *name;        /* as the person calls it; NULL: the run's id */
  gboolean behind;         /* the first run replaces it: pale, for comparison */
} MemlaneChartRun;

const char *memlane_chart_run_name (const MemlaneChartRun *run);

typedef struct
{
  const char *workload;    /* id; NULL: that of the first run's first cell */
  const char *const *modes;/* NULL-terminated ids that may be shown; NULL: all */
  MemlanePhase phase;
  MemlaneQuantity quantity;
  MemlaneAxis axis;        /* of values; RATIO is always log10 around 1 */
  /* both 0: as the cells; else the range is at least this (a sweep's plan while it grows) */
  double first_log2, last_log2;
  /* of link or memory, from the first run's environment; only for BANDWIDTH. upload, download: one
   * direction of the link; elapsed: both, as far as the workload's bytes cross it both ways;
   * kernel, and what stays on the device: its memory */
  gboolean ceiling;
  MemlaneCount count;      /* of the elapsed phase: what counts (analysis/cost.h) */
  guint uses;              /* of what is allocated; 0 is 1 */
  const MemlanePublished *published; /* NULL: none. Only figures of the same workload and phase */
} MemlaneChartOptions;

#define MEMLANE_CHART_OPTIONS_DEFAULT { .phase = MEMLANE_PHASE_ELAPSED, .ceiling = TRUE }

/* The place of @log2_elements in @sizes (element-type double), which rise; @add: it gets one.
 * G_MAXUINT: it has none. */
guint memlane_chart_place_size (GArray *sizes, double log2_elements, gboolean add);
/* Never fails: a chart without curves says why in @trouble. The clock of upload, kernel and
 * download is device, then host, then issue, whichever the cell has first; of all other phases
 * host. RATIO takes the first two runs. @options may be NULL. (transfer full) */
MemlaneChart *memlane_chart_build (const MemlaneChartRun *runs, guint n_runs,
                                   const MemlaneChartOptions *options);
MemlaneChart *memlane_chart_ref (MemlaneChart *chart);
void memlane_chart_unref (MemlaneChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneChart, memlane_chart_unref)

/* Whether any cell of @run has a figure of @phase for @workload (NULL: any). */
gboolean memlane_chart_has_phase (const MemlaneRun *run, const char *workload, MemlanePhase phase);
/* Compares two modes: by family, in it by the registry, then unknown ones by name. @a and @b point
 * to their ids, as those of an array. Less than, equal to, or greater than 0. */
int memlane_chart_compare_modes (gconstpointer a, gconstpointer b);
/* The figure that the chart shows of a cell: the rule of clocks above. (nullable) (transfer
 * none) */
const MemlaneFigure *memlane_chart_choose_figure (const MemlaneCell *cell, MemlanePhase phase);

/* The chart in words, for assistive technology and an SVG's <desc>: what it shows, the curves, who
 * peaks where, what is simulated or missing. (transfer full) */
char *memlane_chart_describe (const MemlaneChart *chart);

/* "with host access", "with allocation over 100 uses": in the person's language. (transfer full) */
char *memlane_chart_count_title (MemlaneCount count, guint uses);
/* @run by @count, if that is another than the transfer; else itself. *@n_lacking: the measurements
 * whose host times are unknown. (transfer full) */
MemlaneRun *memlane_chart_count_run (MemlaneRun *run, MemlanePhase phase, MemlaneCount count,
                                     guint uses, guint *n_lacking);
/* Its title in the person's language; of no family: NULL. Static. */
const char *memlane_chart_family_title (MemlaneFamily family);
/* Human words of a phase ("upload (host to device)") and quantity; translated; static. */
const char *memlane_chart_phase_title (MemlanePhase phase);
const char *memlane_chart_quantity_title (MemlaneQuantity quantity);

/* --- what the person does with a chart -------------------------------------------------------- */

/* The forms of a plot. */
typedef enum
{
  /* each family a line, its simplest mode, in a band from its least to its largest value; names and
   * values at the right ends. A mode that leaves an otherwise narrow band has a line of its own.
   * Seven modes or fewer, one family alone and the family in focus are shown mode by mode */
  MEMLANE_FORM_OVERVIEW,
  /* a small plot for each family with the other modes in grey, all with the same scales */
  MEMLANE_FORM_FAMILIES,
} MemlaneForm;

#define MEMLANE_SKETCH_SIZES 64

/* Start from MEMLANE_VIEW_FIT. */
typedef struct
{
  MemlaneForm form;
  /* OVERVIEW, FAMILIES: the family whose modes are shown one by one, the rest in grey;
   * MEMLANE_N_FAMILIES: none */
  MemlaneFamily focus;
  /* the family under the pointer: the others are grey, and nothing moves; MEMLANE_N_FAMILIES:
   * none */
  MemlaneFamily hover;
  const char *title;       /* instead of the chart's own; "": none; NULL: the chart's */
  gboolean no_caption;     /* without subtitle and note: a document says it below */
  MemlaneRange x;          /* log2 elements seen; NAN: all */
  /* values seen; NAN: fitted to what is visible; on a linear bandwidth axis without what reaches
   * twice the ceiling: that runs out at the top, and words say how far */
  MemlaneRange y;
  const char *isolated;    /* the series with this id, run or mode are not faded; NULL: none is */
  /* projector: only the first n measured series, with the overlays of their modes; -1: all. Axes
   * and legend keep the room of those to come, so that nothing moves. The last of them is drawn in
   * full, those before it pale */
  int revealed;
  gboolean by_family;      /* the last step revealed a family: it is drawn as its line and band */
  const char *const *hidden; /* modes that are switched off, ending in NULL; NULL: none */
  /* (element-type double): curves that persons drew, each of MEMLANE_SKETCH_SIZES values by log2
   * elements, 0: none. The first is bold, those that follow are a class's. NULL: none */
  const GPtrArray *sketches;
} MemlaneView;
#define MEMLANE_VIEW_FIT                                                                           \
  { .focus = MEMLANE_N_FAMILIES,                                                                   \
    .hover = MEMLANE_N_FAMILIES,                                                                   \
    .x = { NAN, NAN },                                                                             \
    .y = { NAN, NAN },                                                                             \
    .revealed = -1 }

/* Whether @view isolates @series, alone or among others. */
gboolean memlane_view_isolates (const MemlaneView *view, const MemlaneSeries *series);
