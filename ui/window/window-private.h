/* window-private.h: what the files of the window share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment/experiment-page.h"
#include "timeline/timeline-page.h"
#include "window.h"

G_BEGIN_DECLS

struct _MemlaneWindow
{
  AdwApplicationWindow parent_instance;

  MemlaneSession *session; /* (owned) */
  MemlaneTraceStore *store; /* (owned) */
  MemlaneExperimentStore *experiments; /* (owned) */

  AdwToastOverlay *toasts;
  GtkWidget *header, *side_button, *run_button, *menu_button;
  AdwViewSwitcherTitle *switcher_title;
  AdwViewSwitcherBar *switcher_bar;
  GtkInfoBar *banner;
  GtkLabel *banner_title, *banner_text;
  AdwFlap *flap;
  GtkBox *side_box;
  GtkPaned *side;
  GtkWidget *device_button;    /* (owned): in the header bar, in a narrow window atop the side panel */
  AdwViewStack *pages;
  AdwBin *bandwidth_bin, *time_bin, *timeline_bin, *decide_bin, *table_bin;
  AdwBin *experiments_bin;
  GtkRevealer *progress_revealer;
  GtkLabel *status_label;
  GtkProgressBar *progress_bar;
  GtkWidget *stop_reading_button;
  GMenu *recorded_menu;

  gboolean started, closing;
  gboolean welcoming;          /* the banner explains the first start */
  gboolean projector, was_fullscreen, side_before;
  gboolean rested;             /* animations were switched off for a sweep */

  GCancellable *reading;       /* (nullable): of the files that are being opened */
  guint n_reading, reading_timer;
  guint n_opened;              /* traces that were opened since the store had nothing to do */
  guint switcher_idle;         /* the switcher at the bottom comes or goes */
  int compact_width;           /* px: in a header of that width the device button had no room; 0: it has */
  guint toasts_idle;           /* toasts move */
  guint adapt_idle;            /* the banner follows the window's height */

  char *last_toast;
  AdwToast *undo_toast;        /* (nullable): the one whose run can still be brought back */
};

/* window.c */
void memlane_window_ensure_page (MemlaneWindow *self, const char *name); /* builds it */
void memlane_window_adapt_header (MemlaneWindow *self); /* soon: what it has room for */

/* window-actions.c */
void memlane_window_add_actions (MemlaneWindow *self);
void memlane_window_update_actions (MemlaneWindow *self);
/* The page that is seen, or (others have no chart) the Bandwidth page. */
MemlaneChartPage *memlane_window_get_current_page (MemlaneWindow *self);
/* What is exported, printed and projected: the timeline or the map where that is seen, else the chart of the former. */
GtkWidget *memlane_window_get_figure_view (MemlaneWindow *self);

/* window-files.c */
void memlane_window_add_file_actions (MemlaneWindow *self);
void memlane_window_add_drop_target (MemlaneWindow *self);
void memlane_window_fill_recorded_menu (MemlaneWindow *self);
void memlane_window_stop_reading (MemlaneWindow *self);
/* A MemlaneExportDone; takes a reference to the window. */
void memlane_window_tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer window);

/* window-timeline.c */
void memlane_window_add_timeline_actions (MemlaneWindow *self);
void memlane_window_follow_trace_store (MemlaneWindow *self); /* makes it */
void memlane_window_open_trace (MemlaneWindow *self, const char *path);
void memlane_window_point_activated (MemlaneWindow *self, const MemlaneChartPoint *point);
gboolean memlane_window_shows_timeline (MemlaneWindow *self);
gboolean memlane_window_has_timeline (MemlaneWindow *self); /* a trace is shown, whichever page is seen */

/* window-experiment.c */
void memlane_window_add_experiment_actions (MemlaneWindow *self);
void memlane_window_update_experiment_actions (MemlaneWindow *self);
void memlane_window_follow_experiments (MemlaneWindow *self); /* makes the store */
GtkWidget *memlane_window_build_experiment_page (MemlaneWindow *self);
void memlane_window_open_experiment (MemlaneWindow *self, const char *path);
gboolean memlane_window_shows_experiments (MemlaneWindow *self);
/* window-decide.c */
gboolean memlane_window_shows_decide (MemlaneWindow *self);
gboolean memlane_window_has_map (MemlaneWindow *self); /* the page has one, whichever page is seen */
void memlane_window_export_map (MemlaneWindow *self);  /* as CSV */

/* window-toasts.c */
void memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble); /* made a sentence */
void memlane_window_tell_saved (MemlaneWindow *self, const char *sentence, GFile *file);
void memlane_window_tell_removed (MemlaneWindow *self, const char *name);
void memlane_window_undo_remove (MemlaneWindow *self);
void memlane_window_welcome (MemlaneWindow *self);
void memlane_window_end_welcome (MemlaneWindow *self);

/* window-progress.c */
void memlane_window_update_progress (MemlaneWindow *self);
void memlane_window_rest_animations (MemlaneWindow *self, gboolean rest);

/* window-height.c */
void memlane_window_follow_height (MemlaneWindow *self); /* once it is mapped */

/* window-projector.c */
void memlane_window_set_projector (MemlaneWindow *self, gboolean projector);
/* One page of those that can be projected; a page that was never seen is not built for this. */
void memlane_window_project_page (MemlaneWindow *self, const char *name, gboolean projector);
void memlane_window_add_projector_keys (MemlaneWindow *self);
/* Above the reading of a projected chart; else at the bottom. */
void memlane_window_place_toasts_soon (MemlaneWindow *self);

G_END_DECLS
