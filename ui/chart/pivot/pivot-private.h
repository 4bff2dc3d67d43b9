/* pivot-private.h: what a pivot keeps, for the figure of it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "pivot.h"

G_BEGIN_DECLS

struct _MemlanePivot
{
  int ref_count;          /* atomic */
  MemlanePhase phase;
  char *workload, *name;  /* owned */
  char *base_name, *headline; /* owned (nullable): of a comparison */
  gboolean simulated;
  GPtrArray *modes;       /* (element-type char*): ids, by family */
  GArray *sizes;          /* (element-type guint): log2, rising */
  MemlanePivotCell *cells; /* mode by mode */
  guint *fastest;         /* of each size the mode; G_MAXUINT: none */
  double scale;           /* ns of the one unit */
  const char *unit;
};

/* What stands in a cell. (transfer full) */
char *memlane_pivot_format (const MemlanePivot *self, const MemlanePivotCell *cell);

G_END_DECLS
