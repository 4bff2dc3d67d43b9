/* settings-schema.h: where the person's settings are described
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

/* That of data/io.github.memlane.Memlane.gschema.xml, or an older one; asking that for a key which it lacks would end the program.
 * Returns: (transfer full) (nullable): NULL where none is installed. */
GSettingsSchema *memlane_settings_find_schema (void);
