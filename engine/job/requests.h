/* requests.h: what one worker is asked once: which devices there are, what one can do, how fast
 * several copy, one recorded sample
 *
 * SPDX-License-Identifier: MIT
 *
 * A worker is asked so that no driver can hang the one who asks. Simulated devices of this machine
 * are known without a worker. Callbacks come on the caller's thread-default main context.
 * g_task_propagate_pointer() gives what was asked for, (transfer full), or NULL with an error.
 */
#pragma once

#include <gio/gio.h>

#include "measure/lab.h"
#include "measure/links.h"
#include "mode/method.h"

#define MEMLANE_DEVICES_SECONDS 3       /* for this machine's driver */
#define MEMLANE_DEVICES_HOST_SECONDS 10 /* for a host, with its driver */

/* The devices of @host (NULL: this machine), as memlane_device_list() does; a host's have its name
 * before them, "gpu1/cuda:0". Takes no longer than the seconds above: what does not answer is a row
 * that says so. Gives a GPtrArray of MemlaneDeviceListing;
 * its one error is G_IO_ERROR_CANCELLED. */
void memlane_devices_list_async (const char *host, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/* As memlane_device_describe(), for a device here or on a host. Gives a MemlaneDeviceInfo. */
void memlane_devices_describe_async (const char *device, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);

/* As memlane_links_measure(), for @devices by comma, all of this machine or all of one host:
 * "gpu1/cuda:0,cuda:1". @seconds: the worker is ended after so many. Gives a GArray of
 * MemlaneLink. */
void memlane_devices_copy_async (const char *devices, guint seconds, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/* Ends every worker that this process has started, at once, whatever it does; what waits for one is
 * told G_IO_ERROR_CANCELLED. For a program that ends. By the thread that the workers tell. */
void memlane_workers_end (void);

/* --- one recorded sample -------------------------------------------------------------------------
 *
 * A worker that records is a process of its own, so CUPTI's page counters are on in it and slow
 * nothing else. Gives a MemlaneTrace, or the errors of memlane_trace_record(), or what became of
 * the worker. */

/* The message of the host (@text), once a second while it has not answered yet; NULL, once, when it
 * has. Never after the end. */
typedef void (*MemlaneRecordingWaiting) (const char *text, gpointer user_data);

/* memlane_trace_record() on @device: "cuda:0", "gpu1/cuda:0"; NULL: this machine's default.
 * @waiting (nullable) has @user_data too. */
void memlane_recording_sample_async (const char *device, const MemlaneMethod *method,
                                     const MemlaneMode *mode, double log2_elements,
                                     GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                                     GAsyncReadyCallback callback, gpointer user_data);
/* memlane_lab_run() likewise. */
void memlane_recording_lab_async (const char *device, const MemlaneLabPlan *plan,
                                  GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                                  GAsyncReadyCallback callback, gpointer user_data);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "message.h"

/* Takes a piece of a trace; *@pieces are those before it, or NULL. *@trace: (transfer full) with
 * the last piece, else NULL. FALSE with @error. */
gboolean memlane_trace_take_piece (GByteArray **pieces, const MemlaneMessage *message,
                                   MemlaneTrace **trace, GError **error);

#endif
