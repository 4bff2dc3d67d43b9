/* experiment-page.h: the Experiments page: choose, predict, run, read
 *
 * SPDX-License-Identifier: MIT
 *
 * The list is read when the page is first seen. In a narrow window a drop-down stands in its place.
 *
 * Actions (experiment., on the page): choose (s: a name, or the path of an opened file), predict (i: one of the choices), run, stop,
 * start-over (result and prediction go), skip (boolean: run without a prediction), show-timeline, show-run.
 */
#pragma once

#include <adwaita.h>

#include "parts/page.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_EXPERIMENT_PAGE (memlane_experiment_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentPage, memlane_experiment_page, MEMLANE, EXPERIMENT_PAGE, AdwBin)

/* A page (parts/page.h) of the context's session and experiments. */
GtkWidget *memlane_experiment_page_new (const MemlanePageContext *context);
/* (nullable) (transfer none): the experiment that is shown */
MemlaneExperimentItem *memlane_experiment_page_get_item (MemlaneExperimentPage *self);
/* @what: "report" (Markdown), "findings" or "cells" (CSV) of its result. */
gboolean memlane_experiment_page_can_save (MemlaneExperimentPage *self, const char *what);
/* Asks for a file above @parent and writes it; @done is called once. */
void memlane_experiment_page_save (MemlaneExperimentPage *self, const char *what, GtkWindow *parent, MemlaneExportDone done, gpointer data);

G_END_DECLS
