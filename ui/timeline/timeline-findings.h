/* timeline-findings.h: what the traces show, in sentences that lead to their events
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "finding" (guint track, gpointer): a row was chosen: the MemlaneTraceFinding, which lives until the next set(), or NULL: none is
 * any more. Arrow keys choose, a click or Return chooses, and once more lets go.
 */
#pragma once

#include <adwaita.h>

#include "trace/findings.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TIMELINE_FINDINGS (memlane_timeline_findings_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineFindings, memlane_timeline_findings, MEMLANE, TIMELINE_FINDINGS, AdwBin)

GtkWidget *memlane_timeline_findings_new (void);
/* Of each track the findings (element-type MemlaneTraceFinding), NULL: no such track; and its name, shown where there are two. */
void memlane_timeline_findings_set (MemlaneTimelineFindings *self, GPtrArray *const findings[2], const char *const names[2]);
/* Nothing is chosen any more. */
void memlane_timeline_findings_let_go (MemlaneTimelineFindings *self);
GtkListBox *memlane_timeline_findings_get_list (MemlaneTimelineFindings *self);

G_END_DECLS
