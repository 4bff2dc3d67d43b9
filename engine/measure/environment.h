/* environment.h: where and how a run was measured, as JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * NAME.environment.json: device, driver, runtime, link, CPU, NUMA node, clocks, how the device stands, method, seed, version, commit, date.
 * Unknown values are left out.
 */
#pragma once

#include "device/device.h"
#include "plan.h"
#include "result/floors.h"

G_BEGIN_DECLS

/* What was found around a run before its first cell. */
typedef struct
{
  const char *affinity;      /* (nullable) what memlane_affinity_bind_thread() said */
  MemlaneDeviceState state;
  const char *no_state;      /* (nullable) why it is not known */
  MemlaneFloors floors;
  gboolean verifies_pieces;  /* of large vectors: base/pieces.h */
} MemlaneSurroundings;

/* @surroundings: NULL for a single sample. (transfer full): JSON text, indented, ending in a newline. */
char *memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan, const MemlaneSurroundings *surroundings);

G_END_DECLS
