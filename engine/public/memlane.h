/* memlane.h: libmemlane; compile with `pkg-config --cflags --libs memlane`
 *
 * SPDX-License-Identifier: MIT
 *
 * Devices, modes and workloads; a plan, a sweep of it, its run, and the CSV. memlane(3) has an
 * example.
 *
 * All records are opaque. Times are nanoseconds, sizes are elements or bytes, bandwidth is bytes
 * per second. A NULL where none is allowed is a critical warning, and the call returns 0, FALSE or
 * NULL. What a person may have typed is refused with a GError (G_IO_ERROR_INVALID_ARGUMENT). Texts
 * are English and belong to their object, unless (transfer full) is said.
 */
#pragma once

#include <gio/gio.h>

#include "result/phase.h"

G_BEGIN_DECLS

/* --- devices ---------------------------------------------------------------------------------- */

typedef struct _MemlaneDeviceListing MemlaneDeviceListing;

/* Every device that can be named, usable ones first. Without a driver a row "cuda" says so. It
 * opens no device. Returns: (transfer full) (element-type MemlaneDeviceListing). */
GPtrArray *memlane_device_list (void);
const char *memlane_device_listing_get_id (const MemlaneDeviceListing *self);
const char *memlane_device_listing_get_name (const MemlaneDeviceListing *self);
/* Why it cannot be used; NULL: it can. */
const char *memlane_device_listing_get_obstacle (const MemlaneDeviceListing *self);

/* --- modes and workloads: constant, never freed ----------------------------------------------- */

typedef struct _MemlaneMode MemlaneMode;

/* The mode at place @index, from 0; NULL: there are no more. */
const MemlaneMode *memlane_mode_get (guint index);
/* (nullable) */
const MemlaneMode *memlane_mode_find (const char *id);
const char *memlane_mode_get_id (const MemlaneMode *self); /* "pinned-async": scripts use it */
const char *memlane_mode_get_title (const MemlaneMode *self);
const char *memlane_mode_get_summary (const MemlaneMode *self);
const char *memlane_mode_get_calls (const MemlaneMode *self); /* the CUDA calls of one sample */

typedef struct _MemlaneWorkload MemlaneWorkload;

const MemlaneWorkload *memlane_workload_get (guint index);
const MemlaneWorkload *memlane_workload_find (const char *id);
const char *memlane_workload_get_id (const MemlaneWorkload *self);
const char *memlane_workload_get_title (const MemlaneWorkload *self);
const char *memlane_workload_get_summary (const MemlaneWorkload *self);

/* --- a plan: what a sweep measures ------------------------------------------------------------ */

typedef struct _MemlanePlan MemlanePlan;

/* The vector addition in all modes, from 2^10 to 2^20 floats. */
MemlanePlan *memlane_plan_new (void);
void memlane_plan_free (MemlanePlan *self);
gboolean memlane_plan_set_workload (MemlanePlan *self, const char *id, GError **error);
/* "all", or ids with commas between them. */
gboolean memlane_plan_set_modes (MemlanePlan *self, const char *list, GError **error);
/* "14", or "10:20": powers of two. */
gboolean memlane_plan_set_sizes (MemlanePlan *self, const char *range, GError **error);
/* "100000,4MiB,10:20": numbers of floats, bytes, and ranges. A range has @per_octave sizes from
 * each power of two to the next, 1 to 8. */
gboolean memlane_plan_set_size_list (MemlanePlan *self, const char *list, guint per_octave,
                                     GError **error);
/* Kernels, or copies, for each transfer; 1 to 100000. */
gboolean memlane_plan_set_reuse (MemlanePlan *self, guint reuse, GError **error);
/* Of the modes with streams: 1 to 32 streams and 1 to 256 chunks. Chunks are the number of pieces
 * in workloads of scattered pieces, up to 65536. */
gboolean memlane_plan_set_schedule (MemlanePlan *self, guint streams, guint chunks, GError **error);
/* Passes over all cells, each by a process of its own; 1 to 64. Six give a 95 % interval. */
gboolean memlane_plan_set_rounds (MemlanePlan *self, guint rounds, GError **error);
/* The number of cells: modes x sizes. */
guint memlane_plan_count_cells (const MemlanePlan *self);

/* --- a run: cells of (workload, mode, size), with figures of (phase, clock) ------------------- */

typedef struct _MemlaneRun MemlaneRun;
typedef struct _MemlaneCell MemlaneCell;
typedef struct _MemlaneFigure MemlaneFigure;

MemlaneRun *memlane_run_ref (MemlaneRun *self); /* not thread-safe */
void memlane_run_unref (MemlaneRun *self);
const char *memlane_run_get_id (const MemlaneRun *self);
const char *memlane_run_get_device (const MemlaneRun *self);
gboolean memlane_run_is_simulated (const MemlaneRun *self);
guint memlane_run_count_cells (const MemlaneRun *self);
/* A cell lives as long as its run. NULL: there is none at @index. */
const MemlaneCell *memlane_run_get_cell (const MemlaneRun *self, guint index);

const char *memlane_cell_get_workload (const MemlaneCell *self);
const char *memlane_cell_get_mode (const MemlaneCell *self);
guint64 memlane_cell_get_elements (const MemlaneCell *self); /* floats of one vector */
guint memlane_cell_get_reuse (const MemlaneCell *self);
/* The worst status of its figures, or why there are none. */
MemlaneStatus memlane_cell_get_status (const MemlaneCell *self);
const char *memlane_cell_get_detail (const MemlaneCell *self); /* one sentence (nullable) */
/* The figure lives as long as the run. NULL: it was not measured. */
const MemlaneFigure *memlane_cell_find (const MemlaneCell *self, MemlanePhase phase,
                                        MemlaneClock clock);

/* Nanoseconds: the estimate, and its interval for other sweeps. */
double memlane_figure_get_ns (const MemlaneFigure *self);
double memlane_figure_get_low_ns (const MemlaneFigure *self);
double memlane_figure_get_high_ns (const MemlaneFigure *self);
/* Bytes per second; 0: no bytes move in this phase. */
double memlane_figure_get_bandwidth (const MemlaneFigure *self);
/* The rounds behind the interval; 0: one process, whose interval says nothing of another one. */
guint memlane_figure_count_rounds (const MemlaneFigure *self);

/* --- a sweep: a plan measured by processes of its own, round by round ------------------------- */

typedef struct _MemlaneSweep MemlaneSweep; /* a GObject of one thread */

GType memlane_sweep_get_type (void);
/* @device: an id, or NULL for the first GPU, else a simulated device. @plan is copied. @journal:
 * each cell is on disk as soon as it is measured. */
MemlaneSweep *memlane_sweep_new (const char *device, const MemlanePlan *plan, gboolean journal);
/* Measures, and blocks until the end; once for each sweep. What was measured before @cancellable
 * was cancelled is a run. Failed cells are cells of the run. NULL with @error: the device cannot be
 * used, or the program that measures was not found. (transfer full). */
MemlaneRun *memlane_sweep_run (MemlaneSweep *self, GCancellable *cancellable, GError **error);
/* The same in the thread's main loop. The signal "progress" tells that it went on. */
void memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
MemlaneRun *memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error);
/* 0 to 1, of all rounds. */
double memlane_sweep_get_fraction (MemlaneSweep *self);
/* After the end: why the run holds less than the plan; NULL: it holds all, or was cancelled. */
const char *memlane_sweep_get_trouble (MemlaneSweep *self);

/* --- the CSV ---------------------------------------------------------------------------------- */

/* Writes @path, and next to it NAME.environment.json and NAME.rounds.csv. */
gboolean memlane_csv_write (const MemlaneRun *run, const char *path, GError **error);
/* Reads them again; the first mistake refuses the whole. @cancellable may be NULL.
 * Returns: (transfer full) (element-type MemlaneRun), at least one; NULL with @error. */
GPtrArray *memlane_csv_read (const char *path, GCancellable *cancellable, GError **error);

#ifndef MEMLANE_COMPILATION /* the library's own headers have these */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlan, memlane_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRun, memlane_run_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneSweep, g_object_unref)
#endif

G_END_DECLS
