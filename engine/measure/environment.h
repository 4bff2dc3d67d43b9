/* environment.h: finds out where and how a run is measured, and its floors
 *
 * SPDX-License-Identifier: MIT
 *
 * result/environment.h lists the members. Unknown ones are left out.
 */
#pragma once

#include "device/device.h"
#include "plan.h"
#include "result/environment.h"

/* Findings around a run before its first cell. */
typedef struct
{
  const char *affinity;      /* (nullable) where the measuring thread was bound */
  MemlaneDeviceState state;
  const char *no_state;      /* (nullable) why it is not known */
  MemlaneFloors floors;
  gboolean verifies_pieces;  /* of large vectors: base/pieces.h */
} MemlaneSurroundings;

/* @surroundings: NULL for a single sample. (transfer full) */
MemlaneEnvironment *memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan,
                                                  const MemlaneSurroundings *surroundings);

/* Measures the floors of a run, which takes some milliseconds, on the thread that owns the device,
 * which should be warm. What cannot be measured stays 0; trouble is left for the first cell to
 * meet. Nothing of it is left on the device. */
void memlane_measure_floors (MemlaneDevice *device, MemlaneFloors *floors);

/* Probes the speed of the host, some microseconds each time. Borrows the device, and keeps 4 KiB of
 * host memory and nothing on it. */
typedef struct _MemlaneHostProber MemlaneHostProber;

MemlaneHostProber *memlane_host_prober_new (MemlaneDevice *device);
void memlane_host_prober_free (MemlaneHostProber *self);
/* All zero where a call failed: trouble is left for the cell that comes next. */
void memlane_host_prober_run (MemlaneHostProber *self, MemlaneHostProbe *probe);

/* The largest step of which all @n @values are multiples, to within a tenth of a nanosecond; 0:
 * there is none of a nanosecond or more. */
double memlane_find_tick (const double *values, guint n);
