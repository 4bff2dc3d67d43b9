/* window-private.h: the window, for the files that it is made of
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "model/actions.h"
#include "model/models.h"
#include "toasts.h"
#include "window.h"

/* The parts of the side panel that a page uses; none: it has a panel of its own, or needs none. */
typedef enum
{
  SIDE_WORKLOAD = 1 << 0, /* whose figures are shown */
  SIDE_RUNS = 1 << 1,
  SIDE_CURVES = 1 << 2, /* which modes are shown */
} Side;

/* the destination of the first three: views of one thing, which the bar of each switches */
#define MEASURE "measure"

struct _MemlaneWindow
{
  AdwApplicationWindow parent_instance;

  MemlaneModels *models;   /* (owned); NULL: the window is going */

  MemlaneToasts *toasts;
  GtkOverlay *toast_overlay;
  GtkWidget *header, *side_button;
  AdwSplitButton *run_button;
  GtkPopover *plan_popover;    /* empty until it is seen first */
  AdwViewSwitcher *switcher;
  AdwViewSwitcherBar *switcher_bar;
  GtkWidget *measure;          /* the views, and above them a line of welcome */
  GtkRevealer *welcome;
  GtkLabel *welcome_text;
  AdwFlap *flap;
  GtkBox *side_box;
  GtkWidget *side_separator, *shown_workload, *curves, *curve_choice, *runs;
  GtkPaned *side;
  /* (owned): in the header bar, in a narrow window atop the side panel */
  GtkWidget *device_button;
  /* of each destination a bin, which holds the page once it is built, or the views */
  AdwViewStack *pages;
  GtkStack *views;             /* likewise of each view */
  GtkWidget *blank;            /* over all of it, on the wall */
  GtkRevealer *progress_revealer;
  GtkLabel *status_label;
  GtkProgressBar *progress_bar;
  GtkWidget *stop_reading_button;
  GMenu *recorded_menu;

  gboolean started, closing;
  gboolean projector, was_fullscreen;
  GtkCssProvider *text_css;    /* (owned): the size of the text */
  int wall_text;               /* px */
  double growth;               /* of a page's text */
  /* px of the side panel, as the runs' part was placed last; 0: it is being placed */
  int side_height;
  double runs_share;           /* of it */
  gboolean side_wanted, side_visiting; /* beside the page; over it, in a narrow window */
  gboolean placing_side;
  gboolean rested;             /* animations were switched off for a sweep */

  guint end_idle;              /* it is closing */
  guint adapt_idle;            /* the side panel and the header follow the window's size */
};

/* window-pages.c: the table of pages, and what is seen. find_page(): NULL: no such page, or one
 * that has not been seen. A page is shown by its name; MEASURE: the view that was seen last. */
MemlanePage *memlane_window_find_page (MemlaneWindow *self, const char *name);
const char *memlane_window_get_current_name (MemlaneWindow *self);
gboolean memlane_window_is_measure (MemlaneWindow *self);
MemlanePage *memlane_window_get_current_page (MemlaneWindow *self);
void memlane_window_show_page (MemlaneWindow *self, const char *name);
Side memlane_window_get_side (MemlaneWindow *self);
GtkWidget *memlane_window_get_figure_view (MemlaneWindow *self);
void memlane_window_add_pages (MemlaneWindow *self);
void memlane_window_add_page_keys (GtkApplication *application);
void memlane_window_project_pages (MemlaneWindow *self);
/* Opens the file in the page that reads its kind; FALSE: none does. */
gboolean memlane_window_open_in_page (MemlaneWindow *self, const char *path);
/* The page that reads something now, with its memlane_page_get_progress(); NULL: none does. */
MemlanePage *memlane_window_find_busy_page (MemlaneWindow *self, char **status, double *fraction);
void memlane_window_update_page_actions (MemlaneWindow *self);
void memlane_window_add_page_actions (MemlaneWindow *self);

/* window-form.c: the side panel, beside the page or over it, the header, by the width, and the
 * projector. TRUE from fold(): that has changed. size_text(): as figures do, the text of the wall
 * in proportion to its height. */
void memlane_window_size_text (MemlaneWindow *self);
gboolean memlane_window_is_folded (MemlaneWindow *self);
gboolean memlane_window_fold (MemlaneWindow *self, int width);
void memlane_window_place_side (MemlaneWindow *self);
void memlane_window_laid_out (MemlaneWindow *self);
void memlane_window_follow_size (MemlaneWindow *self);
void memlane_window_set_projector (MemlaneWindow *self, gboolean projector);
void memlane_window_install_wall_actions (GtkWidgetClass *class);
void memlane_window_add_form (MemlaneWindow *self);

/* window-files.c: files come in, what is shown goes out */
void memlane_window_fill_recorded_menu (MemlaneWindow *self);
void memlane_window_add_files (MemlaneWindow *self);


/* window.c: what the person is told. update(): progress and actions are looked at again. */
void memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble);
void memlane_window_tell_exported (MemlaneWindow *self, const char *sentence, gboolean trouble,
                                   GFile *file);
void memlane_window_update (MemlaneWindow *self);
