/* headline.h: what a chart says, in one sentence
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart.h"

G_BEGIN_DECLS

/* Who is fastest at which size, by the first run's families (or modes, where there is one family) without the baseline. Of a ratio: how far
 * @second is from @first. The names are used of a ratio alone. (transfer full) (nullable) */
char *memlane_headline_make (const MemlaneChart *chart, const char *first, const char *second);
/* "49 of 209 measurements are noisy (hollow)." and what the control of @run (NULL: of several) says. (transfer full) (nullable) */
char *memlane_headline_note (const MemlaneChart *chart, const MemlaneRun *run);

/* A value with two significant digits and its unit, for headings and labels: "14 GB/s". (transfer full) */
char *memlane_headline_format (MemlaneUnit unit, double value);

G_END_DECLS
