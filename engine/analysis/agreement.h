/* agreement.h: how far two runs of the same plan lie apart
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "result/run.h"

G_BEGIN_DECLS

/* One figure that both runs have. */
typedef struct
{
  const char *workload, *mode; /* of the recorded run's cell */
  guint log2_elements, reuse;
  MemlanePhase phase;
  MemlaneClock clock;
  double recorded_ns, simulated_ns;
  double error; /* |simulated - recorded| / recorded */
} MemlaneAgreementRow;

typedef struct
{
  MemlaneAgreementRow *rows; /* worst first */
  guint n_rows;
  guint n_missing;           /* figures of at least the floor that the other run lacks */
  double median, worst;      /* 0 without rows */
} MemlaneAgreement;

/* Compares the medians of all figures of @recorded (status ok or noisy) with those of @simulated. Recorded ones below @floor_ns are left
 * out. So is the phase `first`, which is one sample and has no median. The rows point into @recorded. */
MemlaneAgreement *memlane_agreement_new (const MemlaneRun *recorded, const MemlaneRun *simulated, double floor_ns);
/* The same for cells (element-type MemlaneCell), place by place; what is NULL in @simulated is not compared. */
MemlaneAgreement *memlane_agreement_new_of_cells (GPtrArray *recorded, GPtrArray *simulated, double floor_ns);
void memlane_agreement_free (MemlaneAgreement *self);

/* "median error 3.1 %, worst 28 % over 842 figures" and the @n_worst worst rows, one a line. */
void memlane_agreement_describe (const MemlaneAgreement *self, guint n_worst, GString *text);

G_END_DECLS
