/* golden.h: text that is compared with a checked-in file
 *
 * SPDX-License-Identifier: MIT
 *
 * MEMLANE_UPDATE_GOLDENS=1 writes the files anew; look at the difference before you commit it.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Fails with the lines that differ. @name: a file in tests/ui/chart/golden. */
static inline void
assert_golden (const char *name, const char *text)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", name, NULL);
  g_autofree char *expected = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) found_lines = NULL;
  g_auto(GStrv) expected_lines = NULL;
  guint n_found, n_expected, n_shown = 0;

  if (g_getenv ("MEMLANE_UPDATE_GOLDENS") != NULL)
    {
      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
      g_test_message ("wrote %s", path);
      return;
    }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  if (strcmp (text, expected) == 0)
    return;
  found_lines = g_strsplit (text, "\n", -1);
  expected_lines = g_strsplit (expected, "\n", -1);
  n_found = g_strv_length (found_lines);
  n_expected = g_strv_length (expected_lines);
  for (guint i = 0; i < MAX (n_found, n_expected) && n_shown < 40; i++)
    {
      const char *found = i < n_found ? found_lines[i] : NULL, *wanted = i < n_expected ? expected_lines[i] : NULL;

      if (g_strcmp0 (found, wanted) == 0)
        continue;
      g_test_message ("%s:%u", name, i + 1);
      g_test_message ("-%s", wanted != NULL ? wanted : " (end of file)");
      g_test_message ("+%s", found != NULL ? found : " (end of text)");
      n_shown++;
    }
  g_test_fail_printf ("%s differs; MEMLANE_UPDATE_GOLDENS=1 writes it anew", name);
}
