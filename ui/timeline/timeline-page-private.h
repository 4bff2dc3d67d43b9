/* timeline-page-private.h: what the files of the Timeline page share
 *
 * SPDX-License-Identifier: MIT
 *
 * timeline-page.c: the page. timeline-page-menu.c: which traces are open, and the actions of that menu.
 */
#pragma once

#include "parts/reading-line.h"
#include "timeline-page.h"

G_BEGIN_DECLS

struct _MemlaneTimelinePage
{
  AdwBin parent_instance;

  MemlaneSession *session;     /* weak */
  MemlaneTraceStore *store;    /* weak */
  MemlaneTraceItem *shown[2];  /* (owned) */
  MemlaneTraceItem *pair;      /* (owned): the first of two, while the second is awaited */
  gboolean projector;
  gboolean filling;            /* choices are restored, and not made */
  gboolean placed;             /* the line between timeline and details has its first place */
  gboolean low;                /* the window has no room for timeline and details at once */

  GSimpleActionGroup *actions; /* "trace" */
  GMenu *items, *others, *recorded; /* the parts of the menu that change */

  GtkWidget *bar, *tools, *kinds_switcher, *traces, *colours, *ghosts, *play, *fit, *details_button, *stack, *record_first, *open_first;
  GtkWidget *recorded_first, *spinner, *figure;
  GtkBox *bars;
  GtkStack *kinds;
  GtkPaned *paned;
  AdwStatusPage *nothing;
  MemlaneTimelineRecorder *recorder;
  MemlaneTimelineView *view;
  MemlaneReadingLine *reading_line;
  MemlaneTimelineDetails *details;
};

/* timeline-page.c */
void memlane_timeline_page_set_enabled (MemlaneTimelinePage *self, const char *action, gboolean enabled);

/* timeline-page-menu.c */
void memlane_timeline_page_make_menu (MemlaneTimelinePage *self);
void memlane_timeline_page_update_menu (MemlaneTimelinePage *self); /* the menu's actions, after what is shown has changed */

G_END_DECLS
