/* window.h: what nearly every source of the window includes, for -Db_pch=true; without it nothing
 * includes this
 *
 * SPDX-License-Identifier: MIT
 */
#include <adwaita.h>
