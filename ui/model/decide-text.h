/* decide-text.h: a decision as plain text, and its words beside those of the engine
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "decide-job.h"

G_BEGIN_DECLS

/* "Both ways", "To the device", "To the host"; translated; static. */
const char *memlane_decide_direction_title (MemlaneDirection direction);
/* The recommendation for that size and reuse, and all lists below it. (transfer full) */
char *memlane_decide_result_to_text (const MemlaneDecideResult *result, guint log2_elements, guint reuse);

G_END_DECLS
