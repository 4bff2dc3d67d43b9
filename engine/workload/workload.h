/* workload.h: what is done with the vectors
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "mode/mode.h"

G_BEGIN_DECLS

typedef struct
{
  const char *id;        /* contract: "vector-add", "copy-to-device", ... */
  const char *title;
  const char *summary;   /* one sentence: what moves, and what bytes_moved counts */
  guint inputs, outputs; /* host vectors that go up and come down in a sample */
  gboolean has_kernel;
  MemlaneCapabilities needs;
} MemlaneWorkload;

const MemlaneWorkload *memlane_workload_list (guint *n);
const MemlaneWorkload *memlane_workload_find (const char *id);

/* Whether @workload makes sense in @mode on @device; when not, *@reason (transfer full) says why. */
gboolean memlane_workload_is_supported (const MemlaneWorkload *workload, const MemlaneMode *mode, MemlaneDevice *device, char **reason);

G_END_DECLS
