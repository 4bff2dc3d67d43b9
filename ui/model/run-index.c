/* run-index.c: names, shown flags and opened files in index.ini
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store.h"
