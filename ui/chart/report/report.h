/* report.h: a run as one page to hand on: findings, figures, device, method, medians
 *
 * SPDX-License-Identifier: MIT
 *
 * HTML that stands alone: no script, nothing is fetched, figures are SVG in the page; light or dark as the reader's system, light on paper.
 * It is well-formed XML too. Every text of the run is escaped. A run of a simulated device says so in its title, above everything else and
 * in each figure.
 */
#pragma once

#include "chart/chart.h"

G_BEGIN_DECLS

/* One part for each run and each workload in it (@workload: only that one; NULL: all). A run without a cell has a part that says so.
 * Returns: (transfer full), or NULL with @error where a figure cannot be drawn (no memory). One thread. */
char *memlane_report_to_html (const MemlaneChartRun *runs, guint n_runs, const char *workload, GError **error);

G_END_DECLS
