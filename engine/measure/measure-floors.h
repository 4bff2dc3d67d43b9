/* measure-floors.h: measuring the floors of a run
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device.h"
#include "result/floors.h"

G_BEGIN_DECLS

/* Takes some milliseconds, on the thread that owns the device, which should be warm. What cannot be measured stays 0; trouble is left for
 * the first cell to meet. Nothing of it is left on the device. */
void memlane_measure_floors (MemlaneDevice *device, MemlaneFloors *floors);

/* The largest step of which all @n @values are multiples, to within a tenth of a nanosecond; 0: there is none of a nanosecond or more. */
double memlane_find_tick (const double *values, guint n);

G_END_DECLS
