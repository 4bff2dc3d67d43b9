/* window.h: the main window
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions (win.): run, stop, page (s: "bandwidth", "time", "table"), open, open-recorded, export-csv, export-figure, copy-figure, print, projector, compare, select-all-modes,
 * select-no-modes, side-panel (boolean), phase (s), log-values (boolean), published (boolean), ceilings (boolean), undo-remove, help-overlay.
 */
#pragma once

#include <adwaita.h>

#include "chart-page.h"
#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_WINDOW (memlane_window_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneWindow, memlane_window, MEMLANE, WINDOW, AdwApplicationWindow)

MemlaneWindow *memlane_window_new (AdwApplication *application, MemlaneSession *session);
MemlaneSession *memlane_window_get_session (MemlaneWindow *self);
MemlaneChartPage *memlane_window_get_page (MemlaneWindow *self, const char *page); /* "bandwidth" or "time"; NULL for others */
void memlane_window_open_file (MemlaneWindow *self, GFile *file);
/* The toast that was shown last, for tests; "" before the first. */
const char *memlane_window_get_last_toast (MemlaneWindow *self);

G_END_DECLS
