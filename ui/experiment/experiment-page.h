/* experiment-page.h: the Experiments page: choose, predict, run, read
 *
 * SPDX-License-Identifier: MIT
 *
 * The list is read when the page is first seen. In a narrow window a drop-down stands in its place.
 *
 * Actions (experiment., on the page): choose (s: a name, or the path of an opened file), predict (i: one of the choices), run, stop,
 * start-over (result and prediction go), skip (boolean: run without a prediction), show-timeline, show-run.
 * Signal: "changed": the experiment that is shown, or its result.
 */
#pragma once

#include <adwaita.h>

#include "model/experiment-store.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_EXPERIMENT_PAGE (memlane_experiment_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentPage, memlane_experiment_page, MEMLANE, EXPERIMENT_PAGE, AdwBin)

GtkWidget *memlane_experiment_page_new (MemlaneSession *session, MemlaneExperimentStore *store);
/* (nullable) (transfer none): the experiment that is shown */
MemlaneExperimentItem *memlane_experiment_page_get_item (MemlaneExperimentPage *self);
void memlane_experiment_page_show (MemlaneExperimentPage *self, MemlaneExperimentItem *item);
/* Only the experiment, in large text. */
void memlane_experiment_page_set_projector (MemlaneExperimentPage *self, gboolean projector);
/* What has the focus in the projector. */
GtkWidget *memlane_experiment_page_get_focus (MemlaneExperimentPage *self);

G_END_DECLS
