/* decide-page.h: the Decide page: which mode to use for my size, my reuse and my direction, and the figures that say so
 *
 * SPDX-License-Identifier: MIT
 *
 * What the shown runs say (model/decider.h), while the page is seen.
 *
 * Actions (decide., on the page): size (i: log2 of floats), reuse (i), direction (s: "both", "to-device", "to-host"), answers (boolean:
 * beside the map; in a narrow window in its place), copy (all answers, as text).
 * Signal: "changed": the result came, changed or went.
 */
#pragma once

#include <adwaita.h>

#include "decide-view.h"
#include "model/decider.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_DECIDE_PAGE (memlane_decide_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecidePage, memlane_decide_page, MEMLANE, DECIDE_PAGE, AdwBin)

GtkWidget *memlane_decide_page_new (MemlaneSession *session);
MemlaneDecideView *memlane_decide_page_get_view (MemlaneDecidePage *self);
/* (nullable) (transfer none): NULL where there is no map. */
MemlaneDecideResult *memlane_decide_page_get_result (MemlaneDecidePage *self);
MemlaneDecider *memlane_decide_page_get_decider (MemlaneDecidePage *self);
/* My size and my reuse; they are brought into what is allowed. */
void memlane_decide_page_choose (MemlaneDecidePage *self, guint log2_elements, guint reuse);
/* px at the page's bottom that belong to the reading. */
int memlane_decide_page_get_reading_height (MemlaneDecidePage *self);
/* Only the map and the reading. */
void memlane_decide_page_set_projector (MemlaneDecidePage *self, gboolean projector);

G_END_DECLS
