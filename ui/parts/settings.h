/* settings.h: the person's settings, where the schema is installed
 *
 * SPDX-License-Identifier: MIT
 *
 * Keys and defaults: data/io.github.memlane.Memlane.gschema.xml. Without the schema, or with one
 * that lacks a key, reading gives the fallback and writing does nothing: GSettings itself would end
 * the program. Main thread only.
 */
#pragma once

#include <gio/gio.h>

/* (transfer none) (nullable): NULL without the schema. */
GSettings *memlane_settings_get (void);
gboolean memlane_settings_has (const char *key);

gboolean memlane_settings_get_boolean (const char *key, gboolean fallback);
int memlane_settings_get_int (const char *key, int fallback);
char *memlane_settings_get_string (const char *key, const char *fallback); /* (transfer full) */
void memlane_settings_set_boolean (const char *key, gboolean value);
void memlane_settings_set_int (const char *key, int value);
void memlane_settings_set_string (const char *key, const char *value);
