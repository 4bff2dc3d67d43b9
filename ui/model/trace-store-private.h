/* trace-shelf-private.h: what the files of the shelf share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace-store.h"

G_BEGIN_DECLS

/* Takes @arguments, of memlane-cli. @name: what the status calls it. */
void memlane_trace_shelf_record_line (MemlaneTraceShelf *self, char **arguments, const char *name, const char *purpose);

G_END_DECLS
