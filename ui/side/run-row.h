/* run-row.h: one run in the Runs list
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions: run.toggle, run.rename, run.export, run.compare (s: the other run's name or id), run.remove, run.stop-loading, run.menu.
 * F2 renames, Delete removes, Menu and Shift+F10 open the menu. What the window does is asked of it: win.export-run (s: name or id),
 * win.run-removed (s: name).
 */
#pragma once

#include <gtk/gtk.h>

#include "model/view-model.h"

#define MEMLANE_TYPE_RUN_ROW (memlane_run_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunRow, memlane_run_row, MEMLANE, RUN_ROW, GtkListBoxRow)

GtkWidget *memlane_run_row_new (MemlaneRunStore *runs, MemlaneViewModel *view, MemlaneRunItem *item);
