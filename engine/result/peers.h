/* peers.h: what other programs have measured, as runs: nvbandwidth's JSON, nvbench's JSON and CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * memlane_csv_read() hands such files on, so whatever opens a table opens these. Their method stands in the environment.
 *
 * nvbandwidth: copies by the copy engine and by a kernel, either way, and one device each column. It writes no size: the file's name
 * says it, "...-64MiB.json". Its other tests have no counterpart and are left out.
 *
 * nvbench: benchmarks that are named WORKLOAD:MODE:PHASE ("copy-kernel:device-resident:kernel") and have an axis Elements; the others are
 * left out. The figure is its mean GPU time, the interval that of the mean by its noise.
 */
#pragma once

#include <gio/gio.h>

#include "run.h"

#define MEMLANE_PEERS_HEAD 10 /* bytes that tell such a file from a table of runs */

/* Whether @head, the first bytes of a file, is a peer's. */
gboolean memlane_peers_is_one (const char *head, gsize length);
/* Returns: (transfer full) (element-type MemlaneRun), at least one; NULL with MEMLANE_FILE_ERROR: what is neither, what has nothing
 * that can be drawn beside, what is larger than MEMLANE_JSON_TREE_MOST_BYTES. */
GPtrArray *memlane_peers_read (const char *path, GError **error);
