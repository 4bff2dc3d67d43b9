/* plan.h: what a sweep measures: modes x sizes, and how
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "mode/method.h"

G_BEGIN_DECLS

/* A plan of measurements. */
typedef struct
{
  MemlaneMethod method;
  const MemlaneMode **modes;   /* NULL-terminated, owned array of static modes */
  guint first_log2, last_log2; /* sizes 2^first .. 2^last elements, both included */
} MemlanePlan;

#define MEMLANE_SMALLEST_LOG2 4
#define MEMLANE_LARGEST_LOG2 34 /* 64 GiB a vector; what a machine has no room for says so */

/* The usual method, all modes, 2^10..2^20. */
MemlanePlan *memlane_plan_new (void);
void memlane_plan_free (MemlanePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlan, memlane_plan_free)
/* "all" or a comma-separated list; FALSE with G_IO_ERROR_INVALID_ARGUMENT and a message that names the wrong one
 * and lists the right ones. */
gboolean memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error);
/* "10:20" or "14". */
gboolean memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error);
guint memlane_plan_count_cells (const MemlanePlan *plan);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

G_BEGIN_DECLS

/* vector-add, reuse 1, 8 streams, 8 chunks, twelve rounds, 20 %, 0.25 s. */
MemlaneMethod memlane_method_usual (void);

/* One cell. Of @method (nullable) workload, reuse, streams, chunks and seed count; what is zero is the usual one's. */
MemlanePlan *memlane_plan_of_sample (const MemlaneMethod *method, const MemlaneMode *mode, guint log2_elements);
MemlanePlan *memlane_plan_copy (const MemlanePlan *plan);

/* The cell @number of the plan: cells come size by size, mode by mode, from 0. Returns: its mode. */
const MemlaneMode *memlane_plan_get_cell (const MemlanePlan *plan, guint number, guint *log2_elements);

G_END_DECLS

#endif
