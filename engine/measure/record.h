/* record.h: recording one sample, of a cell or of anything else
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "mode/method.h"
#include "trace/trace.h"

/* Says that this process is going to trace. To be called before its first device is opened, from
 * any thread; a second call does nothing.
 *
 * Page faults and migrations of managed memory are counted by CUPTI. That is sure only when the
 * counters were switched on before the CUDA context was made. The first device that is opened makes
 * it. From this call on the opening of a GPU opens CUPTI too and switches them on, and they stay
 * on: what moves managed memory is a little slower in the whole process. So a process that measures
 * does not call this, and never opens CUPTI. Without it a trace holds all but, perhaps, page faults
 * and migrations, and a note says so. */
void memlane_trace_prepare (void);

/* Records one whole sample of @method's workload in @mode over 2^@log2_elements floats: the calls
 * as a program would make them, between the first call and the moment when the result may be read.
 * Of the method, which may be NULL, reuse, streams, chunks and seed matter besides, and what is
 * zero is the usual one's. Buffers, warm-up and check of the result are those of a sweep's cell; a
 * few samples are taken untraced before, to tell what tracing costs. Whatever could not be recorded
 * is said in the info's notes.
 *
 * Blocks; on the thread that owns @device, which must not be measuring. Nothing of it is left on
 * the device. Returns: (transfer full), or NULL with @error: UNSUPPORTED (MEMLANE_DEVICE_ERROR)
 * when the device cannot run the mode, OUT_OF_MEMORY, the call that failed,
 * MEMLANE_TRACE_ERROR_WRONG_RESULT, or cancelled. */
MemlaneTrace *memlane_trace_record (MemlaneDevice *device, const MemlaneMethod *method,
                                    const MemlaneMode *mode, double log2_elements,
                                    GCancellable *cancellable, GError **error);

typedef struct _MemlaneTracer MemlaneTracer; /* device/tracer.h */

/* One whole sample, started and stopped on @tracer (NULL: untraced), its result checked. *@elapsed:
 * ns on the device's clock. */
typedef gboolean (*MemlaneSampleFunc) (gpointer sample, MemlaneTracer *tracer, double *elapsed,
                                       GError **error);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "plan.h"

/* For engine/ alone. What memlane_trace_record() does with a sample of any kind: some untraced, one
 * with the tracer ready, and one that is recorded. The one before it is thrown away: the first
 * sample of a profiler pays for its own setting up. @method: what one sample is, in words.
 * Returns: (transfer full): the tracer, stopped, with method, date, traced_ns, untraced_ns and
 * overhead in its info; or NULL with @error: the device's, the sample's or G_IO_ERROR_CANCELLED. */
MemlaneTracer *memlane_trace_sample (MemlaneDevice *device, MemlaneSampleFunc run, gpointer sample,
                                     const char *method, GCancellable *cancellable, GError **error);
/* For engine/ alone. Tells @info what was recorded besides workload and mode: the size and the
 * reuse of @plan, and in which environment. */
void memlane_trace_describe_plan (MemlaneTraceInfo *info, MemlaneDevice *device,
                                  const MemlanePlan *plan, gsize elements, guint streams,
                                  guint chunks);

#endif
