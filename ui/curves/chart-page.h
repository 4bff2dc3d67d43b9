/* chart-page.h: the Bandwidth and the Time page: what to show above, the chart, the reading below
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "parts/page.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_CHART_PAGE (memlane_chart_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartPage, memlane_chart_page, MEMLANE, CHART_PAGE, AdwBin)

/* Pages (parts/page.h) of the context's session. While it is comparing they show the ratio. */
GtkWidget *memlane_chart_page_new_bandwidth (const MemlanePageContext *context);
GtkWidget *memlane_chart_page_new_time (const MemlanePageContext *context);

G_END_DECLS
