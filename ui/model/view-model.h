/* view-model.h: what the figures show: which runs, modes and phase, and the charts built of them
 *
 * SPDX-License-Identifier: MIT
 *
 * GObject without GTK, main thread only. All of it is kept in GSettings and restored by new().
 * Where the schema is not installed the view works and forgets.
 *
 * Properties (all writable, all notify): "shown-workload" string, its id; "phase" int MemlanePhase:
 * what the Bandwidth page shows; "time-phase" int: the others; "bandwidth-axis", "time-axis" int
 * MemlaneAxis; "show-published", "show-ceilings"
 * boolean; "count" int MemlaneCount, "uses" uint: what the elapsed phase contains.
 * Signals:
 *   "changed": build the charts again (runs, options or modes changed); merged, at most 10 a second
 *   "notice" (const char *sentence, gboolean trouble): something to tell the person
 */
#pragma once

#include "chart/chart.h"
#include "fields.h"
#include "mode-set.h"
#include "run-store.h"

#define MEMLANE_TYPE_VIEW_MODEL (memlane_view_model_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneViewModel, memlane_view_model, MEMLANE, VIEW_MODEL, GObject)

/* Others read the fields, and write by the properties. */
struct _MemlaneViewModel
{
  GObject parent_instance;

  MemlaneRunStore *runs;
  GSettings *settings; /* NULL: no schema is installed */
  MemlaneMerger changed;
  MemlaneModeSet *modes; /* whose curves are shown; one that is hidden is measured all the same */
  const MemlaneWorkload *workload;
  int phase, time_phase; /* MemlanePhase */
  int count;             /* MemlaneCount */
  guint uses;
  int bandwidth_axis, time_axis; /* MemlaneAxis */
  gboolean show_published, show_ceilings;
  gboolean alone;        /* one run is drawn, whichever are shown */
  gboolean logarithmic[2]; /* whether the last chart of bandwidths, and of times, was */
  double first_log2, last_log2; /* of the sweep that goes on; 0, 0: none does */
  MemlanePublished *published;
  gboolean published_tried;
};

/* @runs: whose shown ones are drawn. */
MemlaneViewModel *memlane_view_model_new (MemlaneRunStore *runs);

/* Returns the chart as the pages show it now, of @mode alone where that is not NULL. (transfer
 * full), never NULL. Runs without a cell of the workload take no part: the first of the others is
 * the base. */
MemlaneChart *memlane_view_model_build_chart (MemlaneViewModel *self, MemlaneQuantity quantity,
                                              const char *mode);
/* Draws the first run alone, unless runs are compared; for the wall. */
void memlane_view_model_set_alone (MemlaneViewModel *self, gboolean alone);
/* Whether the last chart with the axis @property, "bandwidth-axis" or "time-axis", came out
 * logarithmic. */
gboolean memlane_view_model_is_logarithmic (MemlaneViewModel *self, const char *property);
/* Returns the shown runs with cells of the workload, in the order of the list. (transfer full)
 * (element-type MemlaneRunItem) */
GPtrArray *memlane_view_model_get_drawn (MemlaneViewModel *self);
/* Shows the workload of @plan, whose sweep begins, and keeps the axis still while its curves grow.
 * NULL: the sweep has ended. */
void memlane_view_model_follow_sweep (MemlaneViewModel *self, const MemlanePlan *plan);
/* Shows the workload of @items, which were opened, unless one of them has a cell of the shown
 * workload. Returns: the workload that was left; NULL: it stays. */
const MemlaneWorkload *memlane_view_model_follow_opened (MemlaneViewModel *self, GPtrArray *items);
/* Whether the run has curves in the shown workload; TRUE as well while it is not read. */
gboolean memlane_view_model_has_curves (MemlaneViewModel *self, MemlaneRunItem *item);
/* Returns the figures of the articles, read once; NULL (with a notice) when the file is missing.
 * (transfer none) */
const MemlanePublished *memlane_view_model_get_published (MemlaneViewModel *self);
