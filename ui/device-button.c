/* device-button.c: the device menu
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-button.h"
