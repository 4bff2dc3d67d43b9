/* experiment-page-private.h: what the files of the Experiments page share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment-list.h"
#include "experiment-page.h"
#include "experiment-results.h"

G_BEGIN_DECLS

struct _MemlaneExperimentPage
{
  AdwBin parent_instance;

  MemlaneSession *session;       /* weak */
  MemlaneExperimentStore *store; /* weak */
  MemlaneExperimentItem *item;   /* (owned) (nullable): that is shown */
  gconstpointer shown;           /* the result that is shown, to be told from others */
  char *wanted;                  /* (nullable): to be shown once the list is there */
  gboolean filling;              /* lists are filled, and nothing is chosen */
  gboolean projector;
  guint arrange_idle, reveal_idle;

  GSimpleActionGroup *actions;   /* "experiment" */

  GtkInfoBar *refused;
  GtkLabel *refused_text, *title, *source, *question, *claim, *predict_question, *answer, *place;
  GtkWidget *narrow_bar, *narrow_open, *side, *separator, *stack, *scrolled, *predict, *predict_heading, *run_box, *run, *start_over, *skip;
  AdwLeaflet *leaflet;
  GtkDropDown *titles;
  MemlaneExperimentList *list;
  AdwStatusPage *nothing;
  AdwClamp *clamp;
  AdwBin *prediction;
  GtkProgressBar *progress;
  MemlaneExperimentResults *results;
};

/* experiment-page-actions.c */
void memlane_experiment_page_add_actions (MemlaneExperimentPage *self);
void memlane_experiment_page_enable (MemlaneExperimentPage *self, const char *action, gboolean enabled);

G_END_DECLS
