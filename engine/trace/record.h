/* record.h: recording one sample of one cell
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace.h"
#include "workload/workload.h"

G_BEGIN_DECLS

/* As of a sweep's plan; zeroes stand for its defaults: reuse 1, 8 streams, 8 chunks, the plan's seed. */
typedef struct
{
  guint reuse, streams, chunks;
  guint64 seed;
} MemlaneTraceOptions;

/* Records one whole sample of @workload in @mode over 2^@log2_elements floats: the calls as a program would make them, between the first
 * call and the moment when the result may be read. Buffers, warm-up and check of the result are those of a sweep's cell; a few samples are
 * taken untraced before, to tell what tracing costs. @options may be NULL.
 *
 * Blocks; on the thread that owns @device, which must not be measuring. Nothing of it is left on the device. Returns: (transfer full), or
 * NULL with @error: UNSUPPORTED (MEMLANE_DEVICE_ERROR) when the device cannot run the mode, OUT_OF_MEMORY, the call that failed,
 * MEMLANE_TRACE_ERROR_WRONG_RESULT, or cancelled. */
MemlaneTrace *memlane_trace_record (MemlaneDevice *device, const MemlaneWorkload *workload, const MemlaneMode *mode, guint log2_elements,
                                    const MemlaneTraceOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
