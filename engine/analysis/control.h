/* control.h: what a run says against its own figures: modes that are the same in other words told
 * apart, and rounds of a slowed device
 *
 * SPDX-License-Identifier: MIT
 *
 * The registry names the pairs (MemlaneMode.identical_to). Their elapsed times are compared round
 * by round at each size and reuse: a pair is told apart where the interval of the ratio leaves 1
 * out. With intervals that hold 95 %, one in twenty is by chance.
 */
#pragma once

#include <glib.h>

#include "answer.h"
#include "result/run.h"

typedef enum
{
  /* fewer than memlane_control_get_alarm() of the pairs are told apart */
  MEMLANE_CONTROL_PASSED,
  MEMLANE_CONTROL_FAILED,      /* more: small differences of this run mean nothing */
  MEMLANE_CONTROL_ONE_PROCESS, /* its figures have no rounds: not judged */
  MEMLANE_CONTROL_NO_PAIRS,    /* it has none with times, or too few rounds of them */
} MemlaneControlVerdict;

/* Returns how many of @pairs must be told apart before it is no chance: a perfect run has so many
 * with at most 2 %, if each of its pairs is told apart with 5 %. 5 of 22. */
guint memlane_control_get_alarm (guint pairs);
#define MEMLANE_CONTROL_LEAST_ROUNDS 5 /* the extremes of fewer hold a median with less than 93 % */

typedef struct
{
  MemlaneControlVerdict verdict;
  guint pairs, apart;
  double largest; /* of the differences that were told, as a share: 0.02; 0 without one */
  /* rounds in which the device was slowed at each try, as the environment tells ("rounds") */
  guint throttled;
  const MemlaneEnvironment *environment; /* (nullable): of the run, which has to stay */
} MemlaneControl;

/* Any thread, as long as @run does not change. */
void memlane_control_run (const MemlaneRun *run, MemlaneControl *control);
/* "Check passed: 0 of 22 pairs of identical modes differ.", with what to do where it has failed.
 * Then come the slowed rounds and the speed of the host, where there are any and it is known. To be
 * shown as any other answer: (transfer full) (element-type MemlaneAnswer). */
GPtrArray *memlane_control_describe (const MemlaneControl *control);
/* (transfer full): the same in English, as one line. */
char *memlane_control_to_text (const MemlaneControl *control);
