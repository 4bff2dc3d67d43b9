/* affinity.h: keep the measuring thread beside its device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <sched.h>

#include "device.h"

G_BEGIN_DECLS

/* Binds the calling thread to those of its processors that lie on the NUMA node of @info's device. So what it allocates and touches
 * afterwards lies beside the device. Call it before allocating. *@before receives what memlane_affinity_restore() needs.
 * Returns: (transfer full): what was done or why nothing, one sentence for the environment. */
char *memlane_affinity_bind_thread (const MemlaneDeviceInfo *info, cpu_set_t *before);
/* The thread may be somebody's else next: it gets back the processors that it had. */
void memlane_affinity_restore_thread (const cpu_set_t *before);

G_END_DECLS
