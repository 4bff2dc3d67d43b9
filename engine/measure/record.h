/* record.h: recording one sample of one cell
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace/trace.h"
#include "mode/workload.h"

G_BEGIN_DECLS

/* As of a sweep's plan; zeroes stand for its defaults: reuse 1, 8 streams, 8 chunks, the plan's seed. */
typedef struct
{
  guint reuse, streams, chunks;
  guint64 seed;
} MemlaneTraceOptions;

/* Says that this process is going to trace. To be called before its first device is opened, from any thread; a second call does nothing.
 *
 * Page faults and migrations of managed memory are counted by CUPTI, and surely so only when the counters were switched on before the CUDA
 * context was made, which the first device that is opened does. From this call on the opening of a GPU opens CUPTI too and switches them
 * on, and they stay on: what moves managed memory is a little slower in the whole process. So a process that measures does not call this,
 * and never opens CUPTI. Without it a trace holds all but, perhaps, page faults and migrations, and a note says so. */
void memlane_trace_prepare (void);

/* Records one whole sample of @workload in @mode over 2^@log2_elements floats: the calls as a program would make them, between the first
 * call and the moment when the result may be read. Buffers, warm-up and check of the result are those of a sweep's cell; a few samples are
 * taken untraced before, to tell what tracing costs. @options may be NULL. Whatever could not be recorded is said in the info's notes.
 *
 * Blocks; on the thread that owns @device, which must not be measuring. Nothing of it is left on the device. Returns: (transfer full), or
 * NULL with @error: UNSUPPORTED (MEMLANE_DEVICE_ERROR) when the device cannot run the mode, OUT_OF_MEMORY, the call that failed,
 * MEMLANE_TRACE_ERROR_WRONG_RESULT, or cancelled. */
MemlaneTrace *memlane_trace_record (MemlaneDevice *device, const MemlaneWorkload *workload, const MemlaneMode *mode, guint log2_elements,
                                    const MemlaneTraceOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
