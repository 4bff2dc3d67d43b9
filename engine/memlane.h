/* memlane.h: the engine, for the programs of this source tree; others have public/memlane.h
 *
 * SPDX-License-Identifier: MIT
 *
 * The programs use these headers, and no others of the engine but those of base/.
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

/* A program of this source tree may use the rest, too, which keeps no interface stable. */
#ifdef MEMLANE_PROGRAM
#include "memlane-private.h"
#endif
