/* trace-outputs.h: the numbers that one recorded sample gives to an experiment
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "result.h"
#include "trace/trace.h"

G_BEGIN_DECLS

/* One more than there are: the last has no name. */
#define MEMLANE_N_TRACE_OUTPUTS 18
extern const MemlaneStepOutput memlane_trace_outputs[MEMLANE_N_TRACE_OUTPUTS + 1];

/* @values and @known: one for each output. An output that is not known was not told by whoever recorded @trace. */
void memlane_trace_outputs_compute (const MemlaneTrace *trace, double *values, gboolean *known);

G_END_DECLS
