/* plan-model.h: what the next sweep measures: workload, modes, sizes, method
 *
 * SPDX-License-Identifier: MIT
 *
 * GObject without GTK, main thread only. All of it is kept in GSettings
 * (data/io.github.memlane.Memlane.gschema.xml) and restored by new(). Where the schema is not
 * installed the plan works and forgets.
 *
 * Properties (all writable, all notify): "workload" string, its id; "first-log2", "last-log2" uint:
 * where one end would pass the other, the other follows; "sizes" string (nullable): a list of
 * memlane_plan_set_size_list() that counts instead of these two, unless it is empty or wrong;
 * "per-octave" uint: sizes from each power of two to the next; "precision" double (0.2),
 * "cell-seconds" double;
 * "rounds", "reuse", "streams", "chunks", "beside" (a MemlaneBeside), "busy" uint.
 * Signal: "changed": any of them, or which modes are chosen.
 */
#pragma once

#include "memlane.h"
#include "mode-set.h"

#define MEMLANE_TYPE_PLAN_MODEL (memlane_plan_model_get_type ())
G_DECLARE_FINAL_TYPE (MemlanePlanModel, memlane_plan_model, MEMLANE, PLAN_MODEL, GObject)

/* Others read the fields, and write by the properties. */
struct _MemlanePlanModel
{
  GObject parent_instance;

  GSettings *settings; /* NULL: no schema is installed */
  MemlaneModeSet *modes; /* those to measure */
  const MemlaneWorkload *workload;
  guint first_log2, last_log2, per_octave, rounds, reuse, streams, chunks;
  guint beside, busy;  /* a MemlaneBeside, and the percent while that computes */
  double precision, cell_seconds;
  char *sizes;         /* (nullable) */
};

MemlanePlanModel *memlane_plan_model_new (void);

/* Returns the plan of all chosen modes, in the registry's order. (transfer full) */
MemlanePlan *memlane_plan_model_make (MemlanePlanModel *self);
