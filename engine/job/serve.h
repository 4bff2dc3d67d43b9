/* serve.h: the far side: requests on one descriptor, answers on another
 *
 * SPDX-License-Identifier: MIT
 *
 * What `memlane-cli worker` does; README.md beside this file is the protocol. One request at a
 * time. The calling thread listens and says once a second that the process is alive, and in which
 * call; another one measures. The process ends with its input, whatever a driver is doing then, so
 * a worker never outlives the one who asked.
 */
#pragma once

#include <glib.h>

/* Serves until @input ends, says "bye" or something that cannot be; then the process ends: this
 * does not return. @output should not be standard output itself, on which a driver's library might
 * print. SIGPIPE must be ignored. @is_local: who asks is on this machine and may name a device by
 * the path of its profile. */
G_NORETURN void memlane_worker_serve (int input, int output, gboolean is_local);
