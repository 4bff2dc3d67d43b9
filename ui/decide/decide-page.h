/* decide-page.h: the Decide page: which mode to use for my size, my reuse and my direction, and the
 * figures that say so
 *
 * SPDX-License-Identifier: MIT
 *
 * What the shown runs say (model/decider.h), while the page is seen.
 *
 * Actions (decide., on the page): size (i: log2 of floats), reuse (i), direction (s: "both",
 * "to-device", "to-host"), answers (boolean: beside the map; in a narrow window in its place), copy
 * (all answers, as text).
 */
#pragma once

#include <adwaita.h>

#include "model/decider.h"
#include "model/sweep-job.h"
#include "parts/page.h"

#define MEMLANE_TYPE_DECIDE_PAGE (memlane_decide_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecidePage, memlane_decide_page, MEMLANE, DECIDE_PAGE, AdwBin)

/* A page (parts/page.h) of what @decider says; @sweep measures what would tell more. */
GtkWidget *memlane_decide_page_new (MemlaneDecider *decider, MemlaneDeviceChoice *devices,
                                    MemlaneSweepJob *sweep);
