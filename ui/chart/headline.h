/* headline.h: what a chart says, in one sentence
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart.h"

/* Says which is fastest at which size, by the first run's families (or modes, where there is one
 * family) without the baseline. A ratio's sentence says how far @second is from @first. That of
 * several runs names the first. (transfer full) (nullable) */
char *memlane_headline_make (const MemlaneChart *chart, const char *first, const char *second);
/* "49 of the 209 measurements shown missed the ±20 % precision (hollow, or in a band)." and what
 * control of @run (NULL: of several) says. (transfer full) (nullable) */
char *memlane_headline_note (const MemlaneChart *chart, const MemlaneRun *run);

/* A value with two significant digits and its unit, for headings and labels: "14 GB/s". (transfer
 * full) */
char *memlane_headline_format (MemlaneUnit unit, double value);
/* A ratio of times as a difference: "+46 %", "−3 %", "2.1×". (transfer full) */
char *memlane_headline_format_change (double ratio);
