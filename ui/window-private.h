/* window-private.h: what the files of the window share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "window.h"

G_BEGIN_DECLS

struct _MemlaneWindow
{
  AdwApplicationWindow parent_instance;

  MemlaneSession *session; /* (owned) */

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
  AdwBin *bandwidth_bin, *time_bin, *table_bin;
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
  guint switcher_idle;         /* the switcher at the bottom comes or goes */
  guint toasts_idle;           /* toasts move */
  guint adapt_idle;            /* the banner follows the window's height */

  char *last_toast;
  AdwToast *undo_toast;        /* (nullable): the one whose run can still be brought back */
};

/* window-actions.c */
void memlane_window_add_actions (MemlaneWindow *self);
void memlane_window_update_actions (MemlaneWindow *self);
/* The page that is seen, or (a table has none) the Bandwidth page. */
MemlaneChartPage *memlane_window_get_current_page (MemlaneWindow *self);

/* window-files.c */
void memlane_window_add_file_actions (MemlaneWindow *self);
void memlane_window_add_drop_target (MemlaneWindow *self);
void memlane_window_fill_recorded_menu (MemlaneWindow *self);
void memlane_window_stop_reading (MemlaneWindow *self);

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
void memlane_window_add_projector_keys (MemlaneWindow *self);
/* Above the reading of a projected chart; else at the bottom. */
void memlane_window_place_toasts_soon (MemlaneWindow *self);

G_END_DECLS
