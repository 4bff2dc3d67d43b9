/* step-plan.h: what a step of an experiment runs, as its group in the file has it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "measure/lab.h"
#include "measure/plan.h"
#include "procedure/procedure.h"
#include "result.h"

G_BEGIN_DECLS

struct _MemlaneStepPlan
{
  MemlanePlan *sweep;                /* SWEEP; TRACE: one mode, one size */
  MemlaneLabPlan lab;                /* LAB */
  const MemlaneProcedure *procedure; /* PROCEDURE */
  MemlaneProcedureOptions options;   /* PROCEDURE */
  const MemlaneStepOutputs *outputs; /* TRACE, LAB, PROCEDURE: what it finds */
  guint repeats;                     /* TRACE, LAB: recordings */
  char *what_if;                     /* id of the simulated device that the step runs on; NULL: the experiment's device */
};

/* What a recorded sample (TRACE, LAB) gives. In runner.c. */
extern const MemlaneStepOutputs memlane_trace_outputs;

G_END_DECLS
