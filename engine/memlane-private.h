/* memlane-private.h: the engine's headers for Memlane's own programs; none of them is installed
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "advise/advise.h"
#include "advise/trial.h"
#include "advise/watch.h"
#include "analysis/answer.h"
#include "analysis/control.h"
#include "analysis/cost.h"
#include "analysis/decide.h"
#include "result/statistics.h"
#include "analysis/findings.h"
#include "analysis/fleet.h"
#include "analysis/history.h"
#include "analysis/published.h"
#include "analysis/same-machine.h"
#include "device/link.h"
#include "device/module.h"
#include "experiment/experiment.h"
#include "experiment/lesson.h"
#include "job/requests.h"
#include "job/experiment-runner.h"
#include "job/hosts.h"
#include "job/journal.h"
#include "job/serve.h"
#include "measure/lab.h"
#include "measure/record.h"
#include "mode/need.h"
#include "result/columns.h"
#include "result/environment.h"
#include "trace/summary.h"
