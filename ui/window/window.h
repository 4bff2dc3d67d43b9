/* window.h: the main window
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions (win.): run, stop (the sweep, else the experiment, else a recording, else the reading of
 * files), page (s: "bandwidth", "time", "table", "timeline", "decide", "experiments", "lessons";
 * "measure": the view of the first three that was seen last), plan (opens what Run measures),
 * workload (s: whose figures are shown), run-experiment (the one that is shown), save-findings,
 * save-cells. Others: record-trace (what the Timeline page has chosen), export-trace, open (runs
 * and traces),
 * open-recorded, open-recording (s: path), export-csv, export-run (s: run), export-figure,
 * export-page, copy-figure,
 * print, projector (boolean), compare (boolean),
 * side-panel (boolean), log-values (boolean) of the page that is seen, published (boolean),
 * ceilings (boolean), run-removed (s: name), undo-remove, show-help-overlay.
 */
#pragma once

#include <adwaita.h>

#include "model/models.h"
#include "parts/page.h"

#define MEMLANE_TYPE_WINDOW (memlane_window_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneWindow, memlane_window, MEMLANE, WINDOW, AdwApplicationWindow)

/* @models: (transfer full) */
MemlaneWindow *memlane_window_new (AdwApplication *application, MemlaneModels *models);
/* Returns its models; NULL once it is going. (transfer none) */
MemlaneModels *memlane_window_get_models (MemlaneWindow *self);
/* By its name in the table of pages; built where it has not been seen. NULL: there is no such page.
 * (transfer none) */
MemlanePage *memlane_window_get_page (MemlaneWindow *self, const char *name);
/* A run (CSV) or a trace (JSON), by its first bytes; an experiment or a lesson by its ending. */
void memlane_window_open_file (MemlaneWindow *self, GFile *file);
/* TRUE from the moment in which the window is closed: it is hidden, and goes once the sweep has
 * ended. */
gboolean memlane_window_is_closing (MemlaneWindow *self);
