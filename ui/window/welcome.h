/* welcome.h: the line of the first start: what is seen, and what a run of one's own is
 *
 * SPDX-License-Identifier: MIT
 *
 * One line beside the figures, all of it in the tooltip. The setting "welcome" says whether it comes; closing it is for ever.
 */
#pragma once

#include <adwaita.h>

#include "model/device-choice.h"
#include "model/run-store.h"

#define MEMLANE_TYPE_WELCOME (memlane_welcome_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneWelcome, memlane_welcome, MEMLANE, WELCOME, AdwBin)

/* Once the devices are known; nothing where they are not, or where it was seen before. */
void memlane_welcome_show (MemlaneWelcome *self, MemlaneDeviceChoice *devices, MemlaneRunStore *runs);
