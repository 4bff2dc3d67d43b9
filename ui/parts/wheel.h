/* wheel.h: the wheel scrolls, and changes no value on its way
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* No spin button at or below @root takes the wheel: who scrolls a panel shall not change what the pointer happens to pass. */
void memlane_wheel_pass (GtkWidget *root);
