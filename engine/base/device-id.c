/* device-id.c: what a device's name says about its kind
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-id.h"

#include <string.h>

const char *
memlane_device_id_get_kind (const char *id)
{
  static const char *const kinds[] = { "cuda", "simulated" };
  const char *slash = strchr (id, '/');

  if (slash != NULL && memchr (id, ':', (gsize) (slash - id)) == NULL)
    id = slash + 1;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (id, kinds[i]) && id[strlen (kinds[i])] == ':')
      return kinds[i];
  return NULL;
}

gboolean
memlane_device_kind_is_simulated (const char *kind)
{
  return g_strcmp0 (kind, "simulated") == 0;
}

gboolean
memlane_device_id_fits (const char *id, const char *kind)
{
  const char *said = memlane_device_id_get_kind (id);

  return said == NULL || strcmp (said, kind) == 0;
}
