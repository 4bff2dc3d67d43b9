/* runs-panel.h: the Runs list: show, hide, rename, compare, delete
 *
 * SPDX-License-Identifier: MIT
 *
 * Asks the window for: win.open, win.export-run (s: name or id), and after a run was removed win.run-removed (s: name), for the toast with
 * Undo.
 */
#pragma once

#include <adwaita.h>

#include "model/view-model.h"
#include "run-row.h"

#define MEMLANE_TYPE_RUNS_PANEL (memlane_runs_panel_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunsPanel, memlane_runs_panel, MEMLANE, RUNS_PANEL, AdwBin)

/* Follows @runs and @view for as long as it lives. */
GtkWidget *memlane_runs_panel_new (MemlaneRunStore *runs, MemlaneViewModel *view);
