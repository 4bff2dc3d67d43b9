/* engine.h: what nearly every source of the engine includes, for -Db_pch=true; without it nothing
 * includes this
 *
 * SPDX-License-Identifier: MIT
 */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
