/* session-settings.c: the session in GSettings
 *
 * SPDX-License-Identifier: MIT
 */
#include "session-private.h"
#include "settings-schema.h"

/* Kept as the person sets them; another window's changes do not reach into this one. */
#define FLAGS (G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES | G_SETTINGS_BIND_NO_SENSITIVITY)

static const char *const plain[] = {
  "workload", "first-log2", "last-log2", "precision", "cell-seconds", "reuse", "streams", "chunks", "log-bandwidth", "log-time",
  "show-published", "show-ceilings",
};

static gboolean
get_phase (GValue *value, GVariant *variant, gpointer user_data)
{
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (variant, NULL), &phase))
    g_value_set_int (value, (int) phase);
  else
    g_value_set_int (value, MEMLANE_PHASE_ELAPSED); /* of a newer Memlane, or set by hand */
  return TRUE;
}

static GVariant *
set_phase (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (memlane_phase_name ((MemlanePhase) g_value_get_int (value)));
}

static gboolean
has_keys (GSettingsSchema *schema)
{
  static const char *const others[] = { "device", "modes", "phase", "time-phase" };

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (!g_settings_schema_has_key (schema, plain[i]))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (!g_settings_schema_has_key (schema, others[i]))
      return FALSE;
  return TRUE;
}

void
memlane_session_restore (MemlaneSession *self)
{
  g_autoptr (GSettingsSchema) schema = memlane_settings_find_schema ();
  g_auto (GStrv) modes = NULL;

  if (schema == NULL || !has_keys (schema)) /* an older one may be installed; asking it for a new key would abort */
    return;
  self->settings = g_settings_new_full (schema, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    g_settings_bind (self->settings, plain[i], self, plain[i], FLAGS);
  g_settings_bind_with_mapping (self->settings, "phase", self, "phase", FLAGS, get_phase, set_phase, NULL, NULL);
  g_settings_bind_with_mapping (self->settings, "time-phase", self, "time-phase", FLAGS, get_phase, set_phase, NULL, NULL);
  g_free (self->wanted_device);
  self->wanted_device = g_settings_get_string (self->settings, "device");

  modes = g_settings_get_strv (self->settings, "modes");
  if (g_strv_contains ((const char *const *) modes, "all"))
    return;
  g_hash_table_remove_all (self->modes);
  for (char **id = modes; *id != NULL; id++)
    {
      const MemlaneMode *mode = memlane_mode_find (*id);

      if (mode != NULL)
        g_hash_table_add (self->modes, (gpointer) mode);
    }
}

void
memlane_session_keep_modes (MemlaneSession *self)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (self->settings == NULL)
    return;
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->modes, &modes[i]))
      g_ptr_array_add (ids, (gpointer) modes[i].id);
  if (ids->len == n) /* a mode that comes later is chosen, too */
    {
      g_ptr_array_set_size (ids, 0);
      g_ptr_array_add (ids, (gpointer) "all");
    }
  g_ptr_array_add (ids, NULL);
  g_settings_set_strv (self->settings, "modes", (const char *const *) ids->pdata);
}

void
memlane_session_keep_device (MemlaneSession *self)
{
  if (self->settings != NULL)
    g_settings_set_string (self->settings, "device", self->wanted_device != NULL ? self->wanted_device : "");
}
