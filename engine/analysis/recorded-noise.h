/* recorded-noise.h: how the rounds of recorded runs vary, as a simulated device's noise
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/simulated/noise.h"
#include "result/run.h"

G_BEGIN_DECLS

/* Fills @noise from the rounds of @runs (element-type MemlaneRun); its seed stays. All else is 0 where no figure has rounds.
 *
 * A figure's spread is the median distance of its rounds from their median, times 1.4826. Each part of the noise takes the median of its
 * figures' spreads: the device's is that of its clock, the calls' that of the issue clock, memory's that of allocations and host accesses.
 * What moves a whole round, and what single samples vary by, is that of the device's clock. So half of the figures vary more than this, as
 * bursts make them do that the median does not see. */
void memlane_recorded_noise_fit (GPtrArray *runs, MemlaneNoise *noise);

G_END_DECLS
