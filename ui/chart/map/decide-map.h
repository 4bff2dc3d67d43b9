/* decide-map.h: which mode wins over size and reuse, or over size and number of pieces, as a figure
 * on a cairo_t
 *
 * SPDX-License-Identifier: MIT
 *
 * Cells of a MemlaneDecision (analysis/decide.h): log2 size in x with IEC bytes below, log2 reuse
 * or the numbers of pieces in y, rising. A cell has the colour and the marker of its choice's
 * family (memlane_curve_style_for_mode()). Each way to move pieces has a shade and a marker of its
 * own. It is pale where modes of several families tie.
 * A cell is hatched where the choice may cost more than 5 % on average. It is empty, with a dot,
 * where there is not
 * enough data. A legend names the modes that occur, and the hatch; a mode's name also stands in the
 * largest region of its cells. One thread at a time for one PangoContext. The word SIMULATED stands
 * on every map of a simulated device.
 */
#pragma once

#include <gio/gio.h>
#include <pango/pangocairo.h>

#include "memlane.h"
#include "chart/drawing.h"
#include "chart/geometry.h"
#include "chart/style.h"

typedef struct _MemlaneDecideMap MemlaneDecideMap;

/* @decision (transfer none) must outlive the layout. A decision without sizes is a figure that says
 * why (its notes). Sizes from 160x120 on are legible in some way. (transfer full) */
MemlaneDecideMap *memlane_decide_map_layout (const MemlaneDecision *decision,
                                             const MemlaneStyle *style, double width, double height,
                                             PangoContext *pango);
void memlane_decide_map_free (MemlaneDecideMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecideMap, memlane_decide_map_free)

void memlane_decide_map_draw (const MemlaneDecideMap *self, cairo_t *cr);
/* Draws what follows the pointer and the choice: a frame around the hovered cell, a ring around the
 * chosen one; G_MAXUINT: none. Indices are those of memlane_decision_get(). */
void memlane_decide_map_draw_overlay (const MemlaneDecideMap *self, cairo_t *cr,
                                      guint hovered_column, guint hovered_row, guint chosen_column,
                                      guint chosen_row);
/* The cell at a place in px; FALSE: no cell lies there. */
gboolean memlane_decide_map_hit (const MemlaneDecideMap *self, double x, double y, guint *column,
                                 guint *row);
/* Returns the place of a cell; FALSE: there is none. */
gboolean memlane_decide_map_place (const MemlaneDecideMap *self, guint column, guint row,
                                   MemlaneRectangle *area);

/* --- words: decide-map-words.c; all (transfer full) ------------------------------------------- */

/* "Mode to use · Vector addition" */
char *memlane_map_title (const MemlaneDecision *decision);
/* "inputs up and the result down · NVIDIA H200 · driver 13.0 · 2026-11-21" */
char *memlane_map_subtitle (const MemlaneDecision *decision);
/* Why there is no cell. */
char *memlane_map_explain (const MemlaneDecision *decision);
/* "2^14 floats (64 KiB), reuse 8: Pinned: 34.1 us; then Mapped: 40.2 us (18 % longer); others of
 * its kind cannot be told from it": the choice, then the best of another kind, or, without one, the
 * runner-up. "" for no cell. */
char *memlane_decide_map_read (const MemlaneDecision *decision, guint column, guint row);
/* The whole map in words, for assistive technology and an SVG's <desc>. */
char *memlane_decide_map_describe (const MemlaneDecision *decision);

/* --- as others draw it ------------------------------------------------------------------------ */

/* For files, pages and widgets. Takes a reference. (transfer full) */
MemlaneDrawing *memlane_decide_map_drawing_new (MemlaneDecision *decision);
