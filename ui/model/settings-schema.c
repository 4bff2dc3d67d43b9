/* settings-schema.c: where the person's settings are described
 *
 * SPDX-License-Identifier: MIT
 */
#include "settings-schema.h"

GSettingsSchema *
memlane_settings_find_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default (); /* NULL where no schema at all is installed */

  return source != NULL ? g_settings_schema_source_lookup (source, "io.github.memlane.Memlane", TRUE) : NULL;
}
