/* session-settings.c: the session in GSettings
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"
