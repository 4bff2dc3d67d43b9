/* pivot.h: the medians of one phase as a table of modes by sizes, shaded by how near each is to the
 * fastest
 *
 * SPDX-License-Identifier: MIT
 *
 * Modes stand in families, in the registry's order; sizes rise. The fastest of a size is bold and
 * shaded most, a mode that takes four times as long not at all. The baseline, which transfers
 * nothing, takes no part in that. All times have one unit, in the title. Modes that cannot be told
 * from the fastest are bold, too. A comparison of two runs has percents instead of times, and
 * shades diverge around "equal". "~" marks a noisy median, "–" a cell without one.
 * Reference counted (atomic), never changes; one thread at a time for one PangoContext.
 */
#pragma once

#include <pango/pangocairo.h>

#include "chart/drawing.h"
#include "chart/geometry.h"
#include "chart/style.h"
#include "memlane.h"

typedef struct
{
  /* ns; median 0: none. low and high: the interval, equal where there is none */
  double median, low, high;
  guint n_rounds;           /* behind the interval; 0: one process */
  /* likewise of the run that it is compared with; 0: it is not compared */
  double base, base_low, base_high;
  MemlaneStatus status;     /* of the figure, or why there is none */
  gboolean measured;        /* the run has such a cell */
  guint reuse, streams, chunks, busy; /* of that cell */
  MemlaneBeside beside;
  /* the run has further ones, with another reuse, streams, chunks or background */
  gboolean varied;
} MemlanePivotCell;

/* Immutable: read the fields. */
typedef struct
{
  int ref_count;           /* atomic */
  MemlanePhase phase;
  char *workload, *name;   /* owned */
  char *base_name, *headline; /* owned (nullable): of a comparison */
  gboolean simulated;
  GPtrArray *modes;        /* (element-type char*): ids, by family */
  GArray *sizes;           /* (element-type double): log2, rising */
  MemlanePivotCell *cells; /* mode by mode: memlane_pivot_get() */
  guint *fastest;          /* of each size the mode; G_MAXUINT: none */
  double scale;            /* ns of the one unit */
  const char *unit;
} MemlanePivot;

/* The cells of @run (nullable: none) of @workload and @phase, by the chart's rule of clocks. The
 * first counts of cells that differ in reuse, streams or chunks alone; reading, key and title say
 * so. @name: of the run. (transfer full) */
MemlanePivot *memlane_pivot_new (const MemlaneRun *run, const char *name, const char *workload,
                                 MemlanePhase phase);
/* The times of @run relative to those of @base, where both have one. @headline (nullable) says what
 * is seen. (transfer full) */
MemlanePivot *memlane_pivot_new_compared (const MemlaneRun *base, const char *base_name,
                                          const MemlaneRun *run, const char *name,
                                          const char *workload, MemlanePhase phase,
                                          const char *headline);
MemlanePivot *memlane_pivot_ref (MemlanePivot *self);
void memlane_pivot_unref (MemlanePivot *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePivot, memlane_pivot_unref)

/* Cells that are varied. */
guint memlane_pivot_count_varied (const MemlanePivot *self);
const MemlanePivotCell *memlane_pivot_get (const MemlanePivot *self, guint mode, guint size);
/* How many times as long as the fastest of its size, or as in the other run; NAN: it takes no
 * part. */
double memlane_pivot_get_ratio (const MemlanePivot *self, guint mode, guint size);
/* Whether it cannot be told from the fastest of its size, or from the other run: the intervals
 * overlap. */
gboolean memlane_pivot_is_tied (const MemlanePivot *self, guint mode, guint size);

/* --- words; all (transfer full) --- */

/* Returns the text of a cell, and of a column's head. */
char *memlane_pivot_format (const MemlanePivot *self, const MemlanePivotCell *cell);
char *memlane_pivot_format_column (const MemlanePivot *self, guint size);
/* "Vector addition, total time (µs)" */
char *memlane_pivot_title (const MemlanePivot *self);
/* "Pinned, 2¹⁶ floats: 27.9 µs (27.1 µs to 28.6 µs), 1.4 times as long as Mapped"; "" for no
 * cell. */
char *memlane_pivot_read (const MemlanePivot *self, guint mode, guint size);
char *memlane_pivot_describe (const MemlanePivot *self);
/* One line a mode, one column a size, times in ns, ids and numbers as in the CSV of a run. */
char *memlane_pivot_to_csv (const MemlanePivot *self);

/* --- a figure --- */

typedef struct _MemlanePivotFigure MemlanePivotFigure;

/* @self must outlive it. Where the sizes have no room, every second (third, ...) is shown and the
 * title says so. (transfer full) */
MemlanePivotFigure *memlane_pivot_layout (const MemlanePivot *self, const MemlaneStyle *style,
                                          double width, double height, PangoContext *pango);
void memlane_pivot_figure_free (MemlanePivotFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePivotFigure, memlane_pivot_figure_free)
/* A frame around the hovered and a ring around the chosen cell; G_MAXUINT: none. */
void memlane_pivot_figure_draw_overlay (const MemlanePivotFigure *figure, cairo_t *cr,
                                        guint hovered_mode, guint hovered_size, guint chosen_mode,
                                        guint chosen_size);
gboolean memlane_pivot_figure_hit (const MemlanePivotFigure *figure, double x, double y,
                                   guint *mode, guint *size);
/* Returns the place of a cell; FALSE: it is not shown. */
gboolean memlane_pivot_figure_place (const MemlanePivotFigure *figure, guint mode, guint size,
                                     MemlaneRectangle *area);
/* Returns the number of sizes that are shown. */
guint memlane_pivot_figure_count_shown (const MemlanePivotFigure *figure);

/* For files, pages and widgets. (transfer full) */
MemlaneDrawing *memlane_pivot_drawing_new (MemlanePivot *self);
