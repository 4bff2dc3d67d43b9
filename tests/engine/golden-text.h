/* golden-text.h: a text that a test makes, against the one that is kept beside it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* Where @text is not that of the file @room/@name, it is left in the build folder, and the test
 * fails. */
static void
compare_text (const GString *text, const char *room, const char *name)
{
  g_autofree char *kept = g_test_build_filename (G_TEST_DIST, room, name, NULL), *wanted = NULL;
  g_autofree char *found = g_test_build_filename (G_TEST_BUILT, name, NULL);

  g_assert_true (g_file_get_contents (kept, &wanted, NULL, NULL));
  if (g_str_equal (text->str, wanted))
    return;
  g_assert_true (g_file_set_contents (found, text->str, -1, NULL));
  g_error ("found another text: compare %s with %s", kept, found);
}
