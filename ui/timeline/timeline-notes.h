/* timeline-notes.h: how a trace was recorded and what is missing in it, in words
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace/trace.h"

G_BEGIN_DECLS

/* Pango markup: a line for the device (SIMULATED, where it is), the cell, the source, the method, the overhead, what was lost and each
 * note; @name stands above when it is not NULL. (transfer full) */
char *memlane_timeline_notes_new (const MemlaneTrace *trace, const char *name);

G_END_DECLS
