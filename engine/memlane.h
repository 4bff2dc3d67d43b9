/* memlane.h: the public engine; compile with `pkg-config --cflags --libs memlane`
 *
 * SPDX-License-Identifier: MIT
 *
 * Modes and workloads, devices, plans, sweeps, runs and their CSV and traces. memlane(3) is an example.
 */
#pragma once

#include "device/device.h"
#include "job/sweep.h"
#include "measure/plan.h"
#include "mode/mode.h"
#include "mode/workload.h"
#include "result/csv.h"
#include "result/run.h"
#include "trace/trace.h"

#ifdef MEMLANE_PROGRAM /* of this source tree: it may use the rest, too, which keeps no interface stable */
#include "memlane-private.h"
#endif
