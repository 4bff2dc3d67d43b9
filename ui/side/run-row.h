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

G_BEGIN_DECLS

#define MEMLANE_TYPE_RUN_ROW (memlane_run_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunRow, memlane_run_row, MEMLANE, RUN_ROW, GtkListBoxRow)

GtkWidget *memlane_run_row_new (MemlaneRunStore *runs, MemlaneViewModel *view, MemlaneRunItem *item);
/* It shows its run only while it is @in_sight, or somebody is at it. Out of sight it is as high as it was; before it was seen first, it is
 * @usual_height pixels high. */
void memlane_run_row_set_in_sight (MemlaneRunRow *self, gboolean in_sight, int usual_height);
/* In pixels; 0: not known, for it was not laid out yet. */
int memlane_run_row_get_height (MemlaneRunRow *self);

G_END_DECLS
