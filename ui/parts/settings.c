/* settings.c: the person's settings, where the schema is installed
 *
 * SPDX-License-Identifier: MIT
 */
#include "settings.h"

#include "model/fields.h"

GSettings *
memlane_settings_get (void)
{
  static GSettings *settings;
  static gboolean looked;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (looked)
    return settings;
  looked = TRUE;
  schema = memlane_settings_find_schema ();
  if (schema != NULL)
    settings = g_settings_new_full (schema, NULL, NULL);
  return settings;
}

gboolean
memlane_settings_has (const char *key)
{
  GSettings *settings = memlane_settings_get ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (settings == NULL)
    return FALSE;
  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

gboolean
memlane_settings_get_boolean (const char *key, gboolean fallback)
{
  return memlane_settings_has (key) ? g_settings_get_boolean (memlane_settings_get (), key)
                                    : fallback;
}

int
memlane_settings_get_int (const char *key, int fallback)
{
  return memlane_settings_has (key) ? g_settings_get_int (memlane_settings_get (), key) : fallback;
}

char *
memlane_settings_get_string (const char *key, const char *fallback)
{
  return memlane_settings_has (key) ? g_settings_get_string (memlane_settings_get (), key)
                                    : g_strdup (fallback);
}

void
memlane_settings_set_boolean (const char *key, gboolean value)
{
  if (memlane_settings_has (key))
    g_settings_set_boolean (memlane_settings_get (), key, value);
}

void
memlane_settings_set_int (const char *key, int value)
{
  if (memlane_settings_has (key))
    g_settings_set_int (memlane_settings_get (), key, value);
}

void
memlane_settings_set_string (const char *key, const char *value)
{
  if (memlane_settings_has (key))
    g_settings_set_string (memlane_settings_get (), key, value);
}
