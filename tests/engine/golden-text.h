/* golden-text.h: a text that a test makes, against the one that is kept beside it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <string.h>

#include <glib.h>

/* Where @text is not that of the file @room/@name, it is left in the build folder, and the test
 * fails with the first line that differs. */
static void
compare_text (const GString *text, const char *room, const char *name)
{
  g_autofree char *kept = g_test_build_filename (G_TEST_DIST, room, name, NULL), *wanted = NULL;
  g_autofree char *found = g_test_build_filename (G_TEST_BUILT, name, NULL);
  gsize at = 0, line = 0;

  g_assert_true (g_file_get_contents (kept, &wanted, NULL, NULL));
  if (g_str_equal (text->str, wanted))
    return;
  g_assert_true (g_file_set_contents (found, text->str, -1, NULL));
  while (text->str[at] != '\0' && text->str[at] == wanted[at])
    line = text->str[at++] == '\n' ? at : line;
  g_error ("found \"%.*s\", expected \"%.*s\": compare %s with %s",
           (int) strcspn (text->str + line, "\n"), text->str + line,
           (int) strcspn (wanted + line, "\n"), wanted + line, kept, found);
}
