/* devices.h: which devices there are, here and on hosts, what one can do, and how fast several copy: asked of workers, so that no driver
 * can hang who asks
 *
 * SPDX-License-Identifier: MIT
 *
 * Simulated devices of this machine are known without a worker. Callbacks come on the caller's thread-default main context.
 * g_task_propagate_pointer() gives what was asked for, (transfer full), or NULL with an error.
 */
#pragma once

#include <gio/gio.h>

#include "measure/links.h"

G_BEGIN_DECLS

#define MEMLANE_DEVICES_SECONDS 3       /* for this machine's driver */
#define MEMLANE_DEVICES_HOST_SECONDS 10 /* for a host, with its driver */

/* The devices of @host (NULL: this machine), as memlane_device_list() does; a host's have its name before them, "gpu1/cuda:0". Takes no
 * longer than the seconds above: what does not answer is a row that says so. Gives a GPtrArray of MemlaneDeviceListing;
 * its one error is G_IO_ERROR_CANCELLED. */
void memlane_devices_list_async (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/* As memlane_device_describe(), for a device here or on a host. Gives a MemlaneDeviceInfo. */
void memlane_devices_describe_async (const char *device, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/* As memlane_links_measure(), for @devices by comma, all of this machine or all of one host: "gpu1/cuda:0,cuda:1". @seconds: the worker is
 * ended after so many. Gives a GArray of MemlaneLink. */
void memlane_devices_copy_async (const char *devices, guint seconds, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Ends every worker that this process has started, at once, whatever it does; what waits for one is told G_IO_ERROR_CANCELLED. For a
 * program that ends. By the thread that the workers tell. */
void memlane_workers_end (void);
/* From now on this machine's workers are threads of this process instead of memlane-cli: for tests and small programs. A driver that
 * crashes then ends the program, and one that hangs keeps its thread. */
void memlane_workers_in_threads (void);

G_END_DECLS
