/* job.h: one request to a worker: it is started, asked, listened to, and ended
 *
 * SPDX-License-Identifier: MIT
 *
 * Sweep, recording, experiment and device list are tables of handlers on it. The worker is
 * memlane-cli here, or whatever a host's command starts (hosts.h); both speak the same messages.
 * The process is in a session of its own: a
 * terminal's Ctrl-C does not reach it, nobody asks for passwords on the terminal, and ending it
 * ends what it started.
 *
 * Deadlines. A worker says at least once a second which call it is in. It is hung if it stays in
 * one call, or is silent, for longer than
 *   the deadline. It is hung, too, if it does nothing ten times as long. It then gets SIGTERM, and
 *   SIGKILL two seconds later. Two seconds later it is given up, since a process inside a driver
 *   may not end at all. The deadline is 30 s, or MEMLANE_DEADLINE's seconds.
 * Threads. Everything happens on the caller's thread-default main context.
 */
#pragma once

#include "message.h"

#define MEMLANE_WORKER_ERROR (memlane_worker_error_quark ())
typedef enum
{
  MEMLANE_WORKER_ERROR_START,    /* it cannot be started, or ended before its first word */
  MEMLANE_WORKER_ERROR_VERSION,  /* it speaks another protocol */
  MEMLANE_WORKER_ERROR_PROTOCOL, /* it said what cannot be */
  MEMLANE_WORKER_ERROR_SILENT,   /* it was ended after its deadline */
  MEMLANE_WORKER_ERROR_DIED,     /* it ended before its answer was whole */
} MemlaneWorkerError;
GQuark memlane_worker_error_quark (void);

/* Handles a message that answers the request and was checked against the table. FALSE with @error:
 * it cannot be; the worker is ended, and that is the error. WAITING comes once a second while the
 * host has not answered, and once without a text when it has. */
typedef struct
{
  MemlaneMessageType type;
  gboolean (*take) (gpointer self, MemlaneMessage *message, GError **error);
} MemlaneJobHandler;

/* Starts a worker for @device ("gpu1/cuda:0"; "gpu1/": no device of that host; NULL: the default
 * device here), and sends @request, which gets the device's id. @handlers ends with an entry
 * without a function; messages that it lacks are ignored. @seconds: limit of the whole answer; 0:
 * as long as it is alive. Cancelling asks it to stop; what does not stop within five seconds is
 * ended. */
void memlane_job_run_async (const char *device, const MemlaneMessage *request, guint seconds,
                            const MemlaneJobHandler *handlers, gpointer self,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
/* Ends when the worker is gone, or given up. TRUE: it said "done", whatever became of a
 * cancellation. FALSE: MEMLANE_WORKER_ERROR, the worker's own error, G_IO_ERROR_CANCELLED. */
gboolean memlane_job_run_finish (GAsyncResult *result, GError **error);
