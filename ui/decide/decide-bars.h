/* decide-bars.h: the time of one mode of each family at the chosen place, as bars
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/decider.h"

#define MEMLANE_TYPE_DECIDE_BARS (memlane_decide_bars_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecideBars, memlane_decide_bars, MEMLANE, DECIDE_BARS, AdwBin)

/* The place is as memlane_decision_locate() takes it. What counts beside transfer and kernel is a
 * paler part of each bar. @result (nullable): no bars. */
void memlane_decide_bars_set (MemlaneDecideBars *self, const MemlaneDecideResult *result,
                              double log2_elements, guint row);
