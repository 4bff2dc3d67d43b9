/* table-page.c: cells in a table
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-page.h"
