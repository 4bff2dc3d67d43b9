/* chart-page.h: the Bandwidth and the Time page: what to show above, the chart, the reading below
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "chart-view.h"
#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_CHART_PAGE (memlane_chart_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartPage, memlane_chart_page, MEMLANE, CHART_PAGE, AdwBin)

/* @quantity: BANDWIDTH or TIME; while the session is comparing it shows the ratio. */
GtkWidget *memlane_chart_page_new (MemlaneSession *session, MemlaneQuantity quantity);
MemlaneChartView *memlane_chart_page_get_view (MemlaneChartPage *self);
/* px at the page's bottom that belong to the reading. */
int memlane_chart_page_get_reading_height (MemlaneChartPage *self);
/* Projector mode: only the chart and the reading. */
void memlane_chart_page_set_projector (MemlaneChartPage *self, gboolean projector);

G_END_DECLS
