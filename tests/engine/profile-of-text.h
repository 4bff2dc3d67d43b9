/* profile-of-text.h: a device profile from text, by a file that is gone afterwards
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <unistd.h>

#include <glib/gstdio.h>

#include "device/simulated/profile.h"

/* Returns the path of that file, which begins the message. (transfer full) */
static inline char *
profile_of_text_path (void)
{
  return g_strdup_printf ("%s/memlane-profile-%d.device", g_get_tmp_dir (), (int) getpid ());
}

static inline MemlaneProfile *
profile_of_text (const char *text, gssize length, GError **error)
{
  g_autofree char *path = profile_of_text_path ();
  MemlaneProfile *profile;

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  profile = memlane_profile_load (path, error);
  g_remove (path);
  return profile;
}
