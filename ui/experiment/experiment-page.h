/* experiment-page.h: the Experiments page: choose, predict, run, read
 *
 * SPDX-License-Identifier: MIT
 *
 * The list is read when the page is first seen. In a narrow window a drop-down stands in its place.
 *
 * Actions (experiment., on the page): predict (i: one of the choices), run, stop,
 * start-over (result and prediction go), skip (boolean: run without a prediction), show-timeline,
 * show-run.
 */
#pragma once

#include <adwaita.h>

#include "model/experiment-store.h"
#include "parts/page.h"

#define MEMLANE_TYPE_EXPERIMENT_PAGE (memlane_experiment_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentPage, memlane_experiment_page, MEMLANE, EXPERIMENT_PAGE,
                      AdwBin)

/* A page (parts/page.h) of @experiments, which wait for their turn on @bench and run on the chosen
 * one of @devices. */
GtkWidget *memlane_experiment_page_new (MemlaneBench *bench, MemlaneDeviceChoice *devices,
                                        MemlaneExperimentStore *experiments);
/* run-experiment: the one that is shown. save-findings and save-cells: of its result. */
extern const MemlanePageAction memlane_experiment_page_actions[];
