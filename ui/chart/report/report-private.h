/* report-private.h: the parts of a report
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "report.h"

G_BEGIN_DECLS

/* One run and one workload. */
typedef struct
{
  GString *html;
  const MemlaneChartRun *run;
  const char *workload; /* id; NULL: the run has no cells */
  guint figures;        /* in the page so far: each has ids of its own */
} MemlaneReportPart;

/* The figure of @chart, light and dark, with a caption. */
gboolean memlane_report_add_figure (MemlaneReportPart *part, const MemlaneChart *chart, GError **error);
/* Device, method, and every cell's medians. */
void memlane_report_add_device (MemlaneReportPart *part);
void memlane_report_add_method (MemlaneReportPart *part);
void memlane_report_add_medians (MemlaneReportPart *part);
/* How many cells were measured, are noisy, have no figures and why: list items. */
void memlane_report_add_counts (MemlaneReportPart *part);

G_END_DECLS
