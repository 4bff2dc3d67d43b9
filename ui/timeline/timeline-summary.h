/* timeline-summary.h: the traces as the table that nvprof printed, sortable, to be copied
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "copied".
 * Actions: summary.copy (Ctrl+C): nvprof's table as text; summary.sort (s: a column's id, "" for
 * nvprof's order; again: turned round).
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"

#define MEMLANE_TYPE_TIMELINE_SUMMARY (memlane_timeline_summary_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineSummary, memlane_timeline_summary, MEMLANE, TIMELINE_SUMMARY,
                      AdwBin)

/* Shows each track: its trace, NULL: no such track; its rows (element-type MemlaneSummaryRow); and
 * its name if there are two. */
void memlane_timeline_summary_set (MemlaneTimelineSummary *self, MemlaneTrace *const traces[2],
                                   GArray *const rows[2], const char *const names[2]);
/* Returns every column, for the keyboard. (transfer full) */
GMenuModel *memlane_timeline_summary_build_sort_menu (void);
