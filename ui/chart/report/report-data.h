/* report-data.h: what the script of a report's page reads: curves, answers and timelines as JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * data/page/ holds the script, its styles and the chart library. The numbers are those of the
 * figures and of the engine's decisions: the script computes none of them. Times are ns, bandwidth
 * is bytes per second. One thread.
 */
#pragma once

#include "chart/chart.h"
#include "chart/style.h"

typedef struct _MemlaneReportData MemlaneReportData;

MemlaneReportData *memlane_report_data_new (void);
void memlane_report_data_free (MemlaneReportData *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneReportData, memlane_report_data_free)

/* Adds the curves of one run and workload, as @chart, of times, draws them. Adds what
 * memlane_decision_recommend() says first at each place of the map, for each direction and count,
 * too. *@answered is FALSE where all answers of the page would take more than @room bytes: they are
 * left out. Returns the part's number, which elements of the page name. */
guint memlane_report_data_add_part (MemlaneReportData *self, const MemlaneChartRun *run,
                                    const MemlaneChart *chart, gsize room, gboolean *answered);
/* Adds a timeline. FALSE: it has too many events for a page, and nothing is added. */
gboolean memlane_report_data_add_trace (MemlaneReportData *self, const MemlaneTrace *trace);

/* 0xrrggbb. */
guint memlane_color_to_hex (const MemlaneColor *color);

/* Appends a file of data/page/ as it is. */
void memlane_report_data_append_file (GString *html, const char *name);
/* Appends the policy that lets nothing run but that script. */
void memlane_report_data_append_policy (GString *html);
/* Appends the data, the library and the script, and ends the data: nothing can be added any
 * more. */
void memlane_report_data_append_scripts (MemlaneReportData *self, GString *html);
