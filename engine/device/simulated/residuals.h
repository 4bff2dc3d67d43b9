/* residuals.h: what a recording differs by from the model, and how its rounds vary
 *
 * SPDX-License-Identifier: MIT
 *
 * A calibrated profile contains each recorded time and size, and the time that the model alone
 * gives
 * (tests/model/calibrate.py). At a recorded size the recorded time is shown. Between two sizes the
 * model's time is multiplied by their ratios, interpolated over the logarithm of the size. Beyond
 * them the model is alone. No corrected time falls while the size grows.
 *
 * In the file:
 *
 *   [recorded WORKLOAD reuse=R]
 *   log2=10;11;12                        sizes, 2^n floats
 *   MODE/PHASE/CLOCK=2034/1980;;2107/2001      ns recorded/modelled at each size; nothing where
 *                                              nothing was recorded
 *   MODE:SxC/PHASE/CLOCK=...             modes with streams: S streams, C chunks; 0xN: N pieces
 *
 * Beside NAME.device may stand NAME.rounds, with the groups [rounds WORKLOAD reuse=R]: the rounds
 * of each figure in thousandths of their median, "998 1003 1041;...". With noise a process draws
 * one recorded round and takes all of its figures from that.
 */
#pragma once

#include "device/device.h"

typedef struct _MemlaneResiduals MemlaneResiduals;

MemlaneResiduals *memlane_residuals_ref (MemlaneResiduals *self);
void memlane_residuals_unref (MemlaneResiduals *self);

/* Whether @group of a profile is read here. */
gboolean memlane_residuals_is_group (const char *group);
/* Reads @group of @file into *@self, which is made when it is NULL. FALSE with *@key and *@expected
 * (static) naming what is wrong. */
gboolean memlane_residuals_read (MemlaneResiduals **self, GKeyFile *file, const char *group,
                                 char **key, const char **expected);
/* Returns what the model's @ns of @use is after the recording. */
double memlane_residuals_correct (const MemlaneResiduals *self, const MemlaneDeviceUse *use,
                                  MemlanePhase phase, MemlaneClock clock, double ns);
/* Returns what a figure of @use is multiplied by in a process that draws @round, 0 to 1, of the
 * recorded ones. */
double memlane_residuals_draw (const MemlaneResiduals *self, const MemlaneDeviceUse *use,
                               MemlanePhase phase, MemlaneClock clock, double round);
/* Says why @use is beyond the recording, "extrapolated: ..."; NULL: it is not. (transfer full) */
char *memlane_residuals_describe_beyond (const MemlaneResiduals *self, const MemlaneDeviceUse *use);
