/* affinity.h: keep the measuring thread beside its device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device.h"

G_BEGIN_DECLS

/* Binds the calling thread to the processors of the NUMA node that @info's device hangs on, so that what it allocates and touches
 * afterwards lies beside the device. Call it before allocating. Returns: (transfer full): what was done or why nothing, one sentence for
 * the environment. */
char *memlane_affinity_bind_thread (const MemlaneDeviceInfo *info);

G_END_DECLS
