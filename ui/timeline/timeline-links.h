/* timeline-links.h: lines of text that lead to events of the traces: findings, the program's calls,
 * and changes that save time
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "chosen" (guint track, gpointer): the MemlaneTimelineLink of a row that was chosen, which
 * lives until the next set(). NULL: none is any more. Arrow keys choose, a click or Return chooses,
 * and once more lets go.
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"
#include "model/trace-item.h"

typedef struct
{
  char *text;      /* owned */
  char *reasons;   /* owned (nullable): of a change, why, and at which price */
  char *rewritten; /* owned (nullable): its code before and after */
  /* owned (nullable): target of the action "trace.try", which measures the change */
  GVariant *try;
  char *tried;     /* owned (nullable): what that measured, */
  double bars[2];  /* and ns of the program as it is, and changed */
  guint track;     /* where it is shown */
  gboolean code;   /* a line of a program, which is not counted */
  GArray *events;  /* owned: guint32 ids, ascending; none: the line is only read */
} MemlaneTimelineLink;

/* (transfer full) (element-type MemlaneTimelineLink): what the trace shows, in sentences. */
GPtrArray *memlane_timeline_links_of_findings (GPtrArray *findings);
/* The lines of the trace's mode that are timed, each with its calls and what these issued. Empty
 * where the trace is of no program: the laboratory's, another workload's, a foreign file's.
 * (transfer full) (element-type MemlaneTimelineLink). */
GPtrArray *memlane_timeline_links_of_program (const MemlaneTrace *trace);
/* The changes, each with the copies that it is about and with its trial, above a sentence on the
 * whole. @track is that of @item. (transfer full) (element-type MemlaneTimelineLink). */
GPtrArray *memlane_timeline_links_of_advice (const MemlaneAdvice *advice,
                                             const MemlaneTraceItem *item, guint track);

#define MEMLANE_TYPE_TIMELINE_LINKS (memlane_timeline_links_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineLinks, memlane_timeline_links, MEMLANE, TIMELINE_LINKS, AdwBin)

/* Shows the links of each track, NULL: no such track; and its name if there are two. */
void memlane_timeline_links_set (MemlaneTimelineLinks *self, GPtrArray *const links[2],
                                 const char *const names[2]);
/* Chooses that row, of those of both tracks below each other; lets go where there are fewer. */
void memlane_timeline_links_choose (MemlaneTimelineLinks *self, guint row);
/* Lights the rows that lead to @event, and brings the first into sight; MEMLANE_TRACE_NONE:
 * none. */
void memlane_timeline_links_light (MemlaneTimelineLinks *self, guint track, guint32 event);
