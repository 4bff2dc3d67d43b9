/* timeline-findings.h: what the traces show, in sentences that lead to their events
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "finding" (guint track, gpointer): a row was chosen: the MemlaneTraceFinding, which lives until the next set(), or NULL: none is
 * any more. Arrow keys choose, a click or Return chooses, and once more lets go.
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TIMELINE_FINDINGS (memlane_timeline_findings_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineFindings, memlane_timeline_findings, MEMLANE, TIMELINE_FINDINGS, AdwBin)

/* Shows the findings of each track (element-type MemlaneTraceFinding), NULL: no such track; and its name if there are two. */
void memlane_timeline_findings_set (MemlaneTimelineFindings *self, GPtrArray *const findings[2], const char *const names[2]);
/* The finding in that row, of those of both tracks below each other; nothing where there are fewer. */
void memlane_timeline_findings_choose (MemlaneTimelineFindings *self, guint row);

G_END_DECLS
