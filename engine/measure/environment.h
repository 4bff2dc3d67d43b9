/* environment.h: where and how a run was measured, as JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * NAME.environment.json: device, driver, runtime, link, CPU, NUMA node, clocks, method, seed, version, date. Unknown values are left out.
 */
#pragma once

#include "device/device.h"
#include "plan.h"

G_BEGIN_DECLS

/* @affinity: what memlane_affinity_bind_thread() said, or NULL. (transfer full): JSON text, indented, ending in a newline. */
char *memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan, const char *affinity);

G_END_DECLS
