/* memlane.h: the whole public engine; compile with `pkg-config --cflags --libs memlane`
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "analysis/calibrate.h"
#include "analysis/same-machine.h"
#include "code/code.h"
#include "device/device.h"
#include "experiment/experiment.h"
#include "lab/lab.h"
#include "measure/statistics.h"
#include "mode/mode.h"
#include "result/csv.h"
#include "result/data-file.h"
#include "result/environment.h"
#include "result/journal.h"
#include "result/published.h"
#include "result/run.h"
#include "sweep/sweep.h"
#include "trace/chrome-json.h"
#include "trace/findings.h"
#include "trace/fold.h"
#include "trace/record.h"
#include "trace/span.h"
#include "trace/summary.h"
#include "trace/trace.h"
#include "workload/workload.h"
