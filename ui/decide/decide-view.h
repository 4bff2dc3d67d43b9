/* decide-view.h: the map of decisions in the window: which mode is fastest over size and reuse
 *
 * SPDX-License-Identifier: MIT
 *
 * Layers as those of the chart view: the map as kept pixels, and above it what follows the pointer and the choice. Pointing at a cell
 * reads it; a click, or the arrow keys, Home, End, Page Up and Page Down choose one.
 * Accessible: role img, description = memlane_decide_map_describe() (the reading once a key has chosen: screen readers speak changes of a
 * description), value text = the reading.
 *
 * Properties: "projector" boolean, "reading" string (of the cell pointed at, else of the chosen one; "" where there is none).
 * Signal: "chosen" (uint log2_elements, uint reuse): by a click or a key.
 * Actions on the widget: map.previous-size, map.next-size, map.first-size, map.last-size, map.more-reuse, map.less-reuse, map.most-reuse,
 * map.least-reuse.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/style.h"
#include "model/decider.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_DECIDE_VIEW (memlane_decide_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, MEMLANE, DECIDE_VIEW, GtkWidget)

GtkWidget *memlane_decide_view_new (void);
void memlane_decide_view_set_result (MemlaneDecideView *self, MemlaneDecideResult *result); /* (nullable) */
MemlaneDecideResult *memlane_decide_view_get_result (MemlaneDecideView *self);              /* (nullable) (transfer none) */
/* What the ring stands around: the cell nearest in reuse; none where the size is not on the map. */
void memlane_decide_view_choose (MemlaneDecideView *self, guint log2_elements, guint reuse);
void memlane_decide_view_set_projector (MemlaneDecideView *self, gboolean projector);
const char *memlane_decide_view_get_reading (MemlaneDecideView *self);
/* The middle of a cell in px; FALSE: it is not there. For tests that point and click. */
gboolean memlane_decide_view_locate (MemlaneDecideView *self, guint log2_elements, guint reuse, double *x, double *y);
/* How often map and overlay were painted: for tests. */
void memlane_decide_view_get_paint_counts (MemlaneDecideView *self, guint *figure, guint *overlay);

G_END_DECLS
