/* comma-locale.h: a locale with a decimal comma that needs neither packages nor localedef
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib/gstdio.h>
#include <locale.h>

/* Makes the locale in the folder @root and sets LC_NUMERIC to it. It is glibc's own file, which contains six strings. */
static inline gboolean
make_comma_locale (const char *root)
{
  g_autofree char *at = g_build_filename (root, "comma", NULL), *file = g_build_filename (at, "LC_NUMERIC", NULL);
  /* decimal_point, thousands_sep, grouping, then both marks as wide characters, and the codeset */
  const guint32 head[] = { 0x20031115 ^ LC_NUMERIC, 6, 32, 34, 36, 40, 44, 48 };
  const guint32 wide[] = { ',', '.' };
  const char marks[8] = { ',', 0, '.', 0, 3, 3, 0, 0 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *) marks, sizeof marks);
  g_byte_array_append (bytes, (const guint8 *) wide, sizeof wide);
  g_byte_array_append (bytes, (const guint8 *) "UTF-8", 6);
  g_mkdir_with_parents (at, 0700);
  return g_file_set_contents (file, (const char *) bytes->data, bytes->len, NULL) && g_setenv ("LOCPATH", root, TRUE)
         && setlocale (LC_NUMERIC, "comma") != NULL;
}
