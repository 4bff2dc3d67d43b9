/* host-memory.h: how much of the machine's memory can be had now
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* Bytes that could be handed out without swapping: Linux's MemAvailable, and what the process's
 * control group (version 2) leaves. 0: not known. Any thread. */
guint64 memlane_host_memory_get_available (void);
/* Returns what this process's control group (version 2) leaves of @available. Any thread. */
guint64 memlane_host_memory_limit_by_group (guint64 available);
/* Bytes that this process may lock (RLIMIT_MEMLOCK); G_MAXUINT64: no limit, 0: not known. */
guint64 memlane_host_memory_get_lockable (void);
/* Translators: memory such as 8 MiB */
#define MEMLANE_LOCKABLE_SAYS                                                                      \
  N_("This process may lock %s (ulimit -l). A driver that counts page-locked memory by it "       \
      "refuses more.")
