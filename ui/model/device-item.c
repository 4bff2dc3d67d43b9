/* device-item.c: one device in the menu
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"
