/* command.h: one worker: a process that is started, asked one thing, listened to, and ended
 *
 * SPDX-License-Identifier: MIT
 *
 * The process is memlane-cli here, or whatever a host's command starts (hosts.h). It is in a session of its own: a terminal's Ctrl-C does
 * not reach it, nobody asks for passwords on the terminal, and ending it ends what it started.
 *
 * Deadlines. A worker says at least once a second which call it is in. The same call for longer than the deadline, or no word for as long,
 *   is a worker that is hung: SIGTERM, SIGKILL two seconds later, and two seconds later it is given up, since a process inside a driver may
 *   not end at all. The deadline is 30 s, or MEMLANE_DEADLINE's seconds.
 * Threads. The thread whose thread-default main context is to be told; all callbacks come there.
 */
#pragma once

#include "message.h"

G_BEGIN_DECLS

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

/* A message that is neither "hello" nor "alive", "done" or "error". Or "waiting" (made here, with "text"), once a second, while the host
 * has not answered. FALSE with @error: it cannot be; the worker is ended, and that is the error. */
typedef gboolean (*MemlaneWorkerHeard) (JsonObject *message, gpointer user_data, GError **error);

/* Starts a worker on @host (NULL: this machine) and asks it @request (taken). @seconds: of the whole answer; 0: as long as it says that it
 * is alive. Cancelling asks it to stop; what does not stop within five seconds is ended. */
void memlane_worker_ask_async (const char *host, JsonObject *request, guint seconds, MemlaneWorkerHeard heard, gpointer heard_data,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Told when the process is gone, or given up. TRUE: it said "done", whatever became of a cancellation. FALSE: MEMLANE_WORKER_ERROR, the
 * worker's own error, G_IO_ERROR_CANCELLED. */
gboolean memlane_worker_ask_finish (GAsyncResult *result, GError **error);

G_END_DECLS
