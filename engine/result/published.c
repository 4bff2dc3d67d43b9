/* published.c: figures of others, from published.csv
 *
 * SPDX-License-Identifier: MIT
 */
#include "published.h"
