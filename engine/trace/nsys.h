/* nsys.h: what Nsight Systems exports as a trace; for engine/trace alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace.h"

G_BEGIN_DECLS

/* The first bytes of such a file, with the 0 behind them. */
#define MEMLANE_NSYS_MAGIC "SQLite format 3"

/* Reads the tables of "nsys export --type sqlite": calls, copies, fills, kernels, synchronisation, page faults and NVTX ranges. Parameters
 * and errors as of memlane_trace_read_json(). Without SQLite it refuses each file. */
MemlaneTrace *memlane_trace_read_nsys (const char *path, MemlaneTraceProgress progress, gpointer user_data, GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
