/* memlane.h: the whole public engine; compile with `pkg-config --cflags --libs memlane`
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "analysis/answer.h"
#include "analysis/break-even.h"
#include "analysis/calibrate.h"
#include "analysis/decide.h"
#include "analysis/estimate.h"
#include "analysis/fit.h"
#include "analysis/published.h"
#include "analysis/same-machine.h"
#include "device/device.h"
#include "experiment/experiment.h"
#include "measure/lab.h"
#include "measure/measure.h"
#include "measure/plan.h"
#include "measure/record.h"
#include "measure/sweep.h"
#include "mode/mode.h"
#include "mode/workload.h"
#include "program/program.h"
#include "result/csv.h"
#include "result/journal.h"
#include "result/run.h"
#include "trace/chrome-json.h"
#include "trace/findings.h"
#include "trace/span.h"
#include "trace/summary.h"
#include "trace/trace.h"
