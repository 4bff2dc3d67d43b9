/* chrome-private.h: the members of "otherData" that writer and reader share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

G_BEGIN_DECLS

#define MEMLANE_CHROME_VERSION 1

/* Members of MemlaneTraceInfo, each under its own name. */
#define MEMLANE_CHROME_TEXTS(X) \
  X (device) X (device_name) X (device_kind) X (source) X (workload) X (mode) X (method) X (environment) X (date) X (overhead)
#define MEMLANE_CHROME_NUMBERS(X) X (log2_elements) X (elements) X (reuse) X (streams) X (chunks) X (dropped) X (skipped)

G_END_DECLS
