/* about.h: the About window
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/session.h"

G_BEGIN_DECLS

/* With versions and devices to copy into a report of trouble. */
void memlane_about_show (GtkWindow *parent, MemlaneSession *session);

G_END_DECLS
