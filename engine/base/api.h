/* api.h: which declarations libmemlane.so exports
 *
 * SPDX-License-Identifier: MIT
 *
 * What stands between the two is exported, all else is hidden. The programs and the tests are linked with the static library, which has no
 * such border: what the engine alone uses of a public header stands behind MEMLANE_COMPILATION, which only the engine and its tests define.
 */
#pragma once

#include <glib.h>

#define MEMLANE_BEGIN_PUBLIC G_BEGIN_DECLS _Pragma ("GCC visibility push(default)")
#define MEMLANE_END_PUBLIC _Pragma ("GCC visibility pop") G_END_DECLS
