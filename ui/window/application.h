/* application.h: the application: one instance, files from the command line, preferences, about,
 * shortcuts
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions (app.): quit, about, preferences, new-window is not one: a second start raises the first
 * window and opens its files there.
 */
#pragma once

#include <adwaita.h>

#include "window.h"

#define MEMLANE_APPLICATION_ID "io.github.memlane.Memlane"

#define MEMLANE_TYPE_APPLICATION (memlane_application_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneApplication, memlane_application, MEMLANE, APPLICATION, AdwApplication)

MemlaneApplication *memlane_application_new (void);
