/* take.h: samples without tracing, then one with it, and what the difference was; for engine/ alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "device/tracer.h"

G_BEGIN_DECLS

/* One whole sample, started and stopped on @tracer (NULL: untraced), its result checked. *@elapsed: ns on the device's clock. */
typedef gboolean (*MemlaneSampleFunc) (gpointer what, MemlaneTracer *tracer, double *elapsed, GError **error);

/* Some samples untraced, one with the tracer ready, which is thrown away (the first sample of a profiler pays for its own setting up), and
 * one that is recorded. @method: what one sample is, in words. Returns: (transfer full): the tracer, stopped, with method, date, traced_ns,
 * untraced_ns and overhead in its info; or NULL with @error: the device's, the sample's or G_IO_ERROR_CANCELLED. */
MemlaneTracer *memlane_traced_sample_record (MemlaneDevice *device, MemlaneSampleFunc take, gpointer what, const char *method,
                                   GCancellable *cancellable, GError **error);

G_END_DECLS
