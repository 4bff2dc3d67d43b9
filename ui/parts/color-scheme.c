/* color-scheme.c: light or dark, by the preferences
 *
 * SPDX-License-Identifier: MIT
 */
#include "color-scheme.h"

#include <adwaita.h>

#include "settings.h"

static gboolean projecting;

void
memlane_color_scheme_apply (gboolean projector)
{
  projecting = projector;
  memlane_color_scheme_renew ();
}

void
memlane_color_scheme_renew (void)
{
  g_autofree char *wanted = memlane_settings_get_string ("color-scheme", "system");
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (projecting)
    scheme = memlane_settings_get_boolean ("projector-dark", FALSE) ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (wanted, "light"))
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (wanted, "dark"))
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}
