/* release.h: what was measured is let go of on a thread of its own where there is much of it
 *
 * SPDX-License-Identifier: MIT
 *
 * Freeing a run of a million figures takes longer than a frame. Main thread.
 */
#pragma once

#include "result/run.h"

G_BEGIN_DECLS

/* Drop the caller's reference; NULL: nothing. */
void memlane_release_run (MemlaneRun *run);
void memlane_release_cells (GPtrArray *cells); /* (element-type MemlaneCell), owned references */

G_END_DECLS
