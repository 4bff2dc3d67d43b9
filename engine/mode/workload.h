/* workload.h: what is done with the vectors
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/api.h"
#include "mode.h"

MEMLANE_BEGIN_PUBLIC

typedef struct _MemlaneRecipe MemlaneRecipe; /* mode/recipe.h */

typedef struct
{
  const char *id;      /* contract: "vector-add", "copy-to-device", ... */
  const char *title;
  const char *summary; /* what moves, and what bytes_moved counts */
  MemlaneCapabilities needs;
  /* (nullable) static: why the workload makes no sense in @mode; NULL: it does. */
  const char *(*objection) (const MemlaneMode *mode);
  /* Lays out vectors, steps and checks for the recipe's mode; no call is made. */
  void (*lay_out) (MemlaneRecipe *recipe);
} MemlaneWorkload;

/* All workloads, in order; constant data, any thread. */
const MemlaneWorkload *memlane_workload_list (guint *n);
/* (nullable) */
const MemlaneWorkload *memlane_workload_find (const char *id);

/* Whether @workload in @mode can run on the device that @info tells of; when not, *@reason (transfer full) says why. Includes
 * memlane_mode_is_supported(). */
gboolean memlane_workload_is_supported (const MemlaneWorkload *workload, const MemlaneMode *mode, const MemlaneDeviceInfo *info,
                                        char **reason);

MEMLANE_END_PUBLIC
