/* recording.h: one sample recorded by a worker, here or on a host: a mode's, or the stream laboratory's
 *
 * SPDX-License-Identifier: MIT
 *
 * A worker that records is a process of its own, so CUPTI's page counters are on in it and slow nothing else. Callbacks come on the
 * caller's thread-default main context. g_task_propagate_pointer() gives the MemlaneTrace, (transfer full), or NULL with an error: as of
 * memlane_trace_record(), or what became of the worker.
 */
#pragma once

#include <gio/gio.h>

#include "measure/lab.h"
#include "mode/method.h"

G_BEGIN_DECLS

/* The message of the host (@text), once a second while it has not answered yet; NULL, once, when it has. Never after the end. */
typedef void (*MemlaneRecordingWaiting) (const char *text, gpointer user_data);

/* memlane_trace_record() on @device: "cuda:0", "gpu1/cuda:0"; NULL: this machine's default. @waiting (nullable) has @user_data too. */
void memlane_recording_sample_async (const char *device, const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements,
                                     GCancellable *cancellable, MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback,
                                     gpointer user_data);
/* memlane_lab_run() likewise. */
void memlane_recording_lab_async (const char *device, const MemlaneLabPlan *plan, GCancellable *cancellable,
                                  MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback, gpointer user_data);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "message.h"

G_BEGIN_DECLS

/* A trace that comes in messages. */
typedef struct
{
  struct _MemlaneTraceBuilder *builder; /* NULL: none is coming */
  guint n_names, n_left;                /* left: events */
} MemlaneTraceParts;

void memlane_trace_parts_clear (MemlaneTraceParts *parts);
/* Takes "trace" or "events". *@trace: (transfer full) with the last event, else NULL. FALSE with @error. */
gboolean memlane_trace_parts_take (MemlaneTraceParts *parts, MemlaneMessage *message, MemlaneTrace **trace, GError **error);

G_END_DECLS

#endif
