/* held-out.h: how well a profile predicts what it was not fitted to
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "base/api.h"

MEMLANE_BEGIN_PUBLIC

/* Fits profiles to parts of @runs (element-type MemlaneRun), lets each predict another part, and appends one line a question to @report:
 * the median error, the 90th percentile and the worst over figures of at least 10 us. Beside them stands what the GPU differs from itself
 * in those figures: by the same ruler as far as @again (element-type MemlaneRun, nullable), a second recording of the same plans, has them.
 * Without it, where they were recorded twice or in rounds. Every fit starts from costs that know nothing of the device; @base (its id;
 * NULL: simulated:h200) gives what is never fitted. Questions that @runs have no cells for are left out. Takes many times as long as a
 * calibration. FALSE with @error for runs that no profile can be fitted to. */
gboolean memlane_held_out (GPtrArray *runs, GPtrArray *again, const char *base, GString *report, GError **error);

MEMLANE_END_PUBLIC
