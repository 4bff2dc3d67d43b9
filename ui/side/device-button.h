/* device-button.h: the device menu in the header bar
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/device-choice.h"

#define MEMLANE_TYPE_DEVICE_BUTTON (memlane_device_button_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceButton, memlane_device_button, MEMLANE, DEVICE_BUTTON, AdwBin)

/* Follows @devices for as long as it lives. */
GtkWidget *memlane_device_button_new (MemlaneDeviceChoice *devices);
