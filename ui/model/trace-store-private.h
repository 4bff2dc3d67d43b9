/* trace-store-private.h: what the files of the store share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace-store.h"

G_BEGIN_DECLS

/* Takes @arguments, of memlane-cli. @name: what the status calls it. */
void memlane_trace_store_record_line (MemlaneTraceStore *self, char **arguments, const char *name, const char *purpose);

G_END_DECLS
