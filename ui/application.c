/* application.c: the application
 *
 * SPDX-License-Identifier: MIT
 */
#include "application.h"
