/* comparison.h: what tells two runs apart whose figures are divided
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

/* In sentences. First what was measured differently, from the cells of @workload that both runs
 * have: with another reuse, or other streams and chunks, a ratio is of two methods. Then the
 * machines, from the environments. The three with the
 * largest effect are told. Translated. (transfer full) */
char *memlane_comparison_describe (const MemlaneRun *a, const MemlaneRun *b, const char *workload);
