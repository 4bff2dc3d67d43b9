/* chart-page.h: the Bandwidth and the Time page: what to show above, and the chart
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/sweep-job.h"
#include "parts/page.h"

#define MEMLANE_TYPE_CHART_PAGE (memlane_chart_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartPage, memlane_chart_page, MEMLANE, CHART_PAGE, AdwBin)

/* A page (parts/page.h) of the shown ones of @runs, as @view has them; @sweep tells when they grow.
 * @quantity: MEMLANE_QUANTITY_BANDWIDTH or MEMLANE_QUANTITY_TIME. */
GtkWidget *memlane_chart_page_new (MemlaneQuantity quantity, MemlaneRunStore *runs,
                                   MemlaneViewModel *view, MemlaneSweepJob *sweep);
