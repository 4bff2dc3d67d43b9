/* lab-panel.h: the stream laboratory: what is recorded, a button that does it, the options, and how
 * the two traces compare
 *
 * SPDX-License-Identifier: MIT
 *
 * Stands in the Timeline page's bar. Its traces have the purposes "lab-first" and "lab-second", so
 * the page sets
 * them side by side. Each has a name that says how it differs from the other. The device is the
 * chosen one. The settings keep the choice. Action (lab., on the panel): run. While something is
 * recorded the button activates "trace.stop" of whatever it stands in.
 * Signal: "changed": what would be recorded, or whether it can be.
 */
#pragma once

#include <adwaita.h>

#include "model/sweep-job.h"
#include "model/trace-store.h"

#define MEMLANE_TYPE_LAB_PANEL (memlane_lab_panel_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneLabPanel, memlane_lab_panel, MEMLANE, LAB_PANEL, AdwBin)

/* To be made before the page that shows what arrives, so that it finds the names. */
GtkWidget *memlane_lab_panel_new (MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep,
                                  MemlaneTraceStore *store);
/* As its button. Nothing where there is an objection, or something is recorded. */
void memlane_lab_panel_record (MemlaneLabPanel *self);
/* Why nothing can be recorded now; NULL: it can. (nullable) (transfer none) */
const char *memlane_lab_panel_get_objection (MemlaneLabPanel *self);
/* "Depth-first, then Breadth-first, on Simulated H200": what would be recorded. (transfer full) */
char *memlane_lab_panel_describe (MemlaneLabPanel *self);
