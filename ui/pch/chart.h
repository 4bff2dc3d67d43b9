/* chart.h: what nearly every figure and model includes, for -Db_pch=true; without it nothing
 * includes this
 *
 * SPDX-License-Identifier: MIT
 */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <pango/pangocairo.h>
