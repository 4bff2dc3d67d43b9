/* session.h: what the window shows and does, without the window: device, plan, sweep, what is drawn
 *
 * SPDX-License-Identifier: MIT
 *
 * One object that every widget follows; widgets hold no state of their own that matters. GObject without GTK, main thread only. All of it
 * is kept in GSettings (data/io.github.memlane.Memlane.gschema.xml) and restored by new(). Where the schema is not installed the session
 * works and forgets.
 *
 * Properties (all notify; (rw) ones may be bound both ways):
 *   "store" MemlaneRunStore; "devices" GListModel of MemlaneDeviceItem
 *   "device" string (rw): id of the chosen device, "" while the list is not there yet
 *   "workload" string (rw): id, of the plan; "shown-workload" string (rw): of what the figures show. A sweep that begins shows its own.
 *   "first-log2", "last-log2" uint (rw); "precision" double (rw, 0.2), "cell-seconds" double (rw); "rounds", "reuse", "streams", "chunks"
 *   uint (rw)
 *   "phase" int MemlanePhase (rw): what the Bandwidth page shows; "time-phase" int (rw): the Time page
 *   "log-bandwidth", "log-time" boolean (rw); "show-published", "show-ceilings" boolean (rw)
 *   "comparing" boolean (rw): the Bandwidth and Time pages show the ratio of the first two shown runs
 *   "running" boolean: a sweep goes on; how far it is, the bench tells: "cell 37 of 220 · managed 2^16 · 12 s left"
 * Signals:
 *   "modes-changed": which modes are chosen, or what the device supports
 *   "view-changed": which modes the figures show
 *   "charts-changed": build the charts again (runs, options or modes changed); merged, at most 10 a second
 *   "notice" (const char *sentence, gboolean trouble): something to tell the person
 *   "swept" (MemlaneRunItem *item (nullable), gboolean stopped): a sweep ended
 */
#pragma once

#include <gio/gio.h>

#include "bench.h"
#include "chart/chart.h"
#include "device-item.h"
#include "run-store.h"
#include "memlane.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_SESSION (memlane_session_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSession, memlane_session, MEMLANE, SESSION, GObject)

/* @run_folder: NULL for the default. Lists devices and reads runs in the background after start(). */
MemlaneSession *memlane_session_new (const char *run_folder);
void memlane_session_start (MemlaneSession *self);

MemlaneRunStore *memlane_session_get_store (MemlaneSession *self);
GListModel *memlane_session_get_devices (MemlaneSession *self);
/* Asks this machine and every host anew, and reads the file of hosts anew; what is measured is not disturbed: then when that has ended. */
void memlane_session_look_again (MemlaneSession *self);
MemlaneDeviceItem *memlane_session_get_device_item (MemlaneSession *self); /* (nullable) (transfer none): the chosen one */
const MemlaneWorkload *memlane_session_get_workload (MemlaneSession *self);       /* of the plan */
const MemlaneWorkload *memlane_session_get_shown_workload (MemlaneSession *self); /* of the figures */
/* No CUDA device is usable here: the first-start page explains the simulation. FALSE while it is not known. */
gboolean memlane_session_lacks_gpu (MemlaneSession *self);

/* The plan: chosen modes are measured by the next sweep. */
gboolean memlane_session_get_mode (MemlaneSession *self, const char *mode);
void memlane_session_set_mode (MemlaneSession *self, const char *mode, gboolean chosen);
void memlane_session_set_all_modes (MemlaneSession *self, gboolean chosen);
/* The view: modes whose curves the figures show. What is hidden for a figure is measured all the same. */
gboolean memlane_session_is_mode_shown (MemlaneSession *self, const char *mode);
void memlane_session_show_mode (MemlaneSession *self, const char *mode, gboolean shown);
void memlane_session_show_all_modes (MemlaneSession *self, gboolean shown);
/* Why the chosen device cannot run @mode in the chosen workload; NULL: it can, or it is not known yet. (transfer none) Asked of each device
 * once, on a worker thread, never during a sweep. */
const char *memlane_session_get_objection (MemlaneSession *self, const char *mode);

/* Where its sweeps and whatever else measures in this window wait for their turn. (transfer none) Stopping a sweep takes effect within a
 * sample; what was measured stays. */
MemlaneBench *memlane_session_get_bench (MemlaneSession *self);

/* The sweep. run() does nothing while one runs. Trouble: "notice". */
/* @reason (nullable): "Choose at least one mode"; (transfer none), until the main loop runs again. */
gboolean memlane_session_can_run (MemlaneSession *self, const char **reason);
/* Why the chosen device can measure nothing now, whatever is chosen: it cannot be used, or something else is measured on it. NULL: it can.
 * (transfer none), until the main loop runs again. "modes-changed" and "notify::running" tell. */
const char *memlane_session_get_device_objection (MemlaneSession *self);
void memlane_session_run (MemlaneSession *self);
/* The same of these cells alone, with the chosen method otherwise; what the person chose stays chosen. */
void memlane_session_run_cells (MemlaneSession *self, const char *workload, const char *const *modes, guint log2_elements, guint reuse);
/* What run() would measure and how long that takes: modes that can run times sizes, and wall time. The time comes from what the last sweep
 * on this device took, else from the time that a cell may take. */
guint memlane_session_count_cells (MemlaneSession *self);
double memlane_session_estimate_seconds (MemlaneSession *self);
gboolean memlane_session_is_running (MemlaneSession *self);
/* Shuts the bench down, waits for the workers by running the main context, keeps what was measured, writes index and settings. For closing
 * the window. */
void memlane_session_shut_down (MemlaneSession *self);

/* The chart as the pages show it now. (transfer full), never NULL. Runs without a cell of the workload take no part: the first of the
 * others is the base. */
MemlaneChart *memlane_session_build_chart (MemlaneSession *self, MemlaneQuantity quantity);
/* @items were opened: where none of them has a cell of the shown workload, theirs is shown. Returns: the one that was left; NULL: it
 * stays. */
const MemlaneWorkload *memlane_session_follow_opened (MemlaneSession *self, GPtrArray *items);
/* Whether the run has curves in the shown workload; TRUE as well while it is not read. */
gboolean memlane_session_has_curves (MemlaneSession *self, MemlaneRunItem *item);
/* The figures of the articles, read once; NULL (with a notice) when the file is missing. (transfer none) */
const MemlanePublished *memlane_session_get_published (MemlaneSession *self);
/* While comparing: how the two runs differ, the method first (comparison.h); NULL else. (transfer full) */
char *memlane_session_describe_comparison (MemlaneSession *self, gboolean in_full);

G_END_DECLS
