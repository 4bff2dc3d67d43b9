/* decide-view.h: the map of decisions in the window: which mode is fastest over size and reuse, or
 * number of pieces
 *
 * SPDX-License-Identifier: MIT
 *
 * Pointing at a cell reads it; a click, or the arrow keys, Home, End, Page Up and Page Down choose
 * one. The reading is that of the cell pointed at, else of the chosen one. All else:
 * parts/figure-widget.h.
 *
 * Signal: "chosen" (double log2_elements, uint row): by a click or a key; as in the columns and
 * rows of MemlaneDecision.
 * Actions on the widget: map.previous-size, map.next-size, map.first-size, map.last-size,
 * map.more-reuse, map.less-reuse, map.most-reuse, map.least-reuse.
 */
#pragma once

#include "model/decider.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_DECIDE_VIEW (memlane_decide_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, MEMLANE, DECIDE_VIEW,
                      MemlaneFigureWidget)

/* (nullable) */
void memlane_decide_view_set_result (MemlaneDecideView *self, MemlaneDecideResult *result);
/* The cell the ring marks: the nearest row; none if the size is off the map. */
void memlane_decide_view_choose (MemlaneDecideView *self, double log2_elements, guint row);
