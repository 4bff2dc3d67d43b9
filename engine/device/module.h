/* module.h: the parts of Memlane that are installed next to its library: drivers, the recorder, the
 * worker
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* Returns the path of @file (transfer full): next to this library as in a build tree, or in the
 * folder memlane there. NULL: there is none; *@place (optional) (transfer full) is where it would
 * be installed. Any thread. */
char *memlane_module_find (const char *file, char **place);
/* Says why CUDA devices are not listed: the module is missing or cannot be loaded. NULL: it is
 * loaded, and no device was asked yet. (transfer none) Any thread. */
const char *memlane_module_get_absence (void);
