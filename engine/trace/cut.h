/* cut.h: the part of a trace that lies within named ranges
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "trace.h"

G_BEGIN_DECLS

/* Returns the part of @trace within the ranges called @name: of NVTX, a profiler's annotations, any other span of a foreign file. "*" and
 * "?" stand for letters. Events keep their times; what reaches over a range's end is cut off there. The ranges stay, and info->range is
 * @name. Any thread. Returns: (transfer full), or NULL with G_IO_ERROR_NOT_FOUND, which names some that there are, or
 * MEMLANE_TRACE_ERROR_TOO_LARGE. */
MemlaneTrace *memlane_trace_cut (const MemlaneTrace *trace, const char *name, GError **error);

G_END_DECLS
