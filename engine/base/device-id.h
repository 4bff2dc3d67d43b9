/* device-id.h: what a device's name says about its kind
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* "cuda" for "cuda:0" and "HOST/cuda:0", "simulated" for "simulated:h200"; static. NULL: it says
 * nothing. A host's name ends at the first '/' and holds no ':'. */
const char *memlane_device_id_get_kind (const char *id);
/* Whether a device of @kind (nullable) is simulated. */
gboolean memlane_device_kind_is_simulated (const char *kind);
/* Whether a run, a trace or an environment may say both. A name that says nothing fits every
 * kind. */
gboolean memlane_device_id_fits (const char *id, const char *kind);
