/* workload.h: what is done with the vectors
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "mode.h"

G_BEGIN_DECLS

typedef struct _MemlaneRecipe MemlaneRecipe; /* mode/recipe.h */

typedef struct _MemlaneWorkload
{
  const char *id;      /* contract: "vector-add", "copy-to-device", ... */
  const char *title;
  const char *summary; /* what moves, and what bytes_moved counts */
  MemlaneCapabilities needs;
  /* vectors that cross the link to the device and to the host in one sample; both 0: none does */
  guint up, down;
  gboolean overlaps;   /* both directions may be in use at once */
  gboolean has_reuse;  /* reuse repeats the kernel between up and down, and no transfer */
  /* the vector lies in scattered pieces on the host, and the method's chunks are their number */
  gboolean of_pieces;
  gboolean on_device;  /* its bytes are read and written in the device's memory alone */
  /* (nullable) static: why the workload makes no sense in @mode; NULL: it does. */
  const char *(*objection) (const MemlaneMode *mode);
  /* Lays out vectors, steps and checks for the recipe's mode; no call is made. */
  void (*lay_out) (MemlaneRecipe *recipe);
} MemlaneWorkload;

/* All workloads, in order; constant data, any thread. */
const MemlaneWorkload *memlane_workload_list (guint *n);
/* (nullable) */
const MemlaneWorkload *memlane_workload_find (const char *id);

/* How many times the link's bandwidth of one direction a sample can show at most. The direction
 * with more bytes decides; the others may cross the link meanwhile. @workload (nullable): 1. */
double memlane_workload_get_ways (const MemlaneWorkload *workload);

/* Whether @workload in @mode can run on the device that @info tells of, NULL: on any; when not,
 * *@reason (transfer full) says why. Includes what memlane_capabilities_explain_missing() says of
 * the mode. */
gboolean memlane_workload_is_supported (const MemlaneWorkload *workload, const MemlaneMode *mode,
                                        const MemlaneDeviceInfo *info, char **reason);
/* Whether @mode moves scattered pieces and nothing else. */
gboolean memlane_mode_is_of_pieces (const MemlaneMode *mode);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* (nullable): why @workload makes no sense in @mode, whatever the device. */
const char *memlane_workload_find_objection (const MemlaneWorkload *workload,
                                             const MemlaneMode *mode);

#endif
