/* experiment-item.h: one experiment in the window's list: what it asks, what the person predicted,
 * what was found
 *
 * SPDX-License-Identifier: MIT
 *
 * GObject without GTK, main thread only. The prediction is made before the run and stays as it is
 * from then on: forget() begins anew. Signal: "changed": the prediction, or the result.
 */
#pragma once

#include <gio/gio.h>

#include "memlane.h"

#define MEMLANE_TYPE_EXPERIMENT_ITEM (memlane_experiment_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentItem, memlane_experiment_item, MEMLANE, EXPERIMENT_ITEM,
                      GObject)

/* Others read the fields; the calls below write them. */
struct _MemlaneExperimentItem
{
  GObject parent_instance;

  MemlaneExperiment *experiment;
  /* nothing but its own file says so: a teacher's, and not one that comes with Memlane */
  gboolean opened;
  MemlaneExperimentResult *result; /* (nullable): of the last run in this window */
  int choice;                      /* -1: none yet */
  /* (element-type GObject): the items that keep_runs() and show_traces() of the store added to
   * lists of the window, so that they are not added twice. */
  GPtrArray *kept;
};

/* Takes a reference to @experiment. */
MemlaneExperimentItem *memlane_experiment_item_new (MemlaneExperiment *experiment);

void memlane_experiment_item_set_result (MemlaneExperimentItem *self,
                                         MemlaneExperimentResult *result);

/* The prediction. Setting it does nothing once there is a result. */
/* or there is nothing to predict */
gboolean memlane_experiment_item_is_predicted (MemlaneExperimentItem *self);
void memlane_experiment_item_set_choice (MemlaneExperimentItem *self, int choice);
/* Result and prediction go. */
void memlane_experiment_item_forget (MemlaneExperimentItem *self);
