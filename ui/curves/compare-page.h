/* compare-page.h: two runs compared: a table of differences, and the curve of a row
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/view-model.h"
#include "parts/page.h"

#define MEMLANE_TYPE_COMPARE_PAGE (memlane_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneComparePage, memlane_compare_page, MEMLANE, COMPARE_PAGE, AdwBin)

/* A page (parts/page.h) of the first two shown runs of @view, by its "time-phase". */
GtkWidget *memlane_compare_page_new (MemlaneViewModel *view);
