/* welcome.h: the banner of the first start: what the device is and what Run does
 *
 * SPDX-License-Identifier: MIT
 *
 * The setting "welcome" says whether it comes; closing it is for ever.
 */
#pragma once

#include <adwaita.h>

#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_WELCOME (memlane_welcome_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneWelcome, memlane_welcome, MEMLANE, WELCOME, AdwBin)

/* Once the devices are known; nothing where they are not, or where it was seen before. */
void memlane_welcome_show (MemlaneWelcome *self, MemlaneSession *session);
/* @height: the window's, in px: a low one has no room for all of the words. */
void memlane_welcome_adapt (MemlaneWelcome *self, int height);

G_END_DECLS
