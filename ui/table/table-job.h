/* table-job.h: the order of a large table, on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "table-order.h"

G_BEGIN_DECLS

/* memlane_table_order() on a worker. @rows must not grow before @callback; @request is copied. */
void memlane_table_order_async (gpointer source, MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);
/* (transfer full) (nullable): NULL when it was cancelled. *@rows (transfer full): what was put in order. */
GArray *memlane_table_order_finish (GAsyncResult *result, MemlaneTableRows **rows);

G_END_DECLS
