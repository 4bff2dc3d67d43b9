/* plan.h: what a sweep measures: modes x sizes, and how
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "mode/workload.h"

G_BEGIN_DECLS

/* What to measure. */
typedef struct
{
  const MemlaneWorkload *workload;
  const MemlaneMode **modes;      /* NULL-terminated, owned array of static modes */
  guint first_log2, last_log2;    /* sizes 2^first .. 2^last elements, both included */
  double precision;               /* 0.02: +-2 % of the median */
  double cell_seconds;            /* time budget of one cell, on the device's clock */
  guint reuse;                    /* kernel launches (or copies) per transfer, >= 1 */
  guint streams, chunks;          /* for the stream modes; 1..MEMLANE_MOST_STREAMS, 1..MEMLANE_MOST_CHUNKS */
  guint64 seed;
  gboolean keep_samples;
} MemlanePlan;

#define MEMLANE_SMALLEST_LOG2 4
#define MEMLANE_LARGEST_LOG2 28

/* The defaults of measurement.md: vector-add, all modes, 2^10..2^20, 2 %, 0.25 s, reuse 1, 8 streams, 8 chunks. */
MemlanePlan *memlane_plan_new (void);
void memlane_plan_free (MemlanePlan *plan);
MemlanePlan *memlane_plan_copy (const MemlanePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlan, memlane_plan_free)
/* "all" or a comma-separated list; FALSE with G_IO_ERROR_INVALID_ARGUMENT and a message that names the wrong one
 * and lists the right ones. */
gboolean memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error);
/* "10:20" or "14". */
gboolean memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error);
guint memlane_plan_count_cells (const MemlanePlan *plan);

G_END_DECLS
