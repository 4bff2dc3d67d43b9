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
  MemlaneLabPlan lab;                /* TRACE without a sweep: the laboratory's pipeline */
  const MemlaneProcedure *procedure; /* TRACE, PROCEDURE */
  MemlaneProcedureOptions options;   /* likewise; of TRACE the samples: how often it is recorded */
  char *what_if;                     /* id of the simulated device that the step runs on; NULL: the experiment's device */
};

/* Records the sample that a step [Trace ID] or [Lab ID] plans. It has no name in files. */
extern const MemlaneProcedure memlane_procedure_recording;

G_END_DECLS
