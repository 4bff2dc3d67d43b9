/* environment.h: finds out where and how a run is measured
 *
 * SPDX-License-Identifier: MIT
 *
 * result/environment.h lists the members. Unknown ones are left out.
 */
#pragma once

#include "device/device.h"
#include "plan.h"
#include "result/environment.h"

G_BEGIN_DECLS

/* Findings around a run before its first cell. */
typedef struct
{
  const char *affinity;      /* (nullable) what memlane_affinity_bind_thread() said */
  MemlaneDeviceState state;
  const char *no_state;      /* (nullable) why it is not known */
  MemlaneFloors floors;
  gboolean verifies_pieces;  /* of large vectors: base/pieces.h */
} MemlaneSurroundings;

/* @surroundings: NULL for a single sample. (transfer full) */
MemlaneEnvironment *memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan, const MemlaneSurroundings *surroundings);

G_END_DECLS
