/* runs-panel.h: the Runs list: show, hide, rename, compare, delete
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions of a row: run.toggle, run.rename, run.export, run.compare (s: the other run's name or
 * id), run.remove,
 * run.menu. F2 renames, Delete removes, Menu and Shift+F10 open the menu. Asks the window for:
 * win.open, win.export-run (s: name or id), and after a run was removed win.run-removed (s: name),
 * for the toast with Undo.
 */
#pragma once

#include <adwaita.h>

#include "model/view-model.h"

#define MEMLANE_TYPE_RUNS_PANEL (memlane_runs_panel_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunsPanel, memlane_runs_panel, MEMLANE, RUNS_PANEL, AdwBin)

/* Follows @runs and @view for as long as it lives. */
GtkWidget *memlane_runs_panel_new (MemlaneRunStore *runs, MemlaneViewModel *view);
