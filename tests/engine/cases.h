/* cases.h: cases in a text beside a test: what is asked, and what the code answers
 *
 * SPDX-License-Identifier: MIT
 *
 * Lines that begin with "> " ask. Several in a row are one question, with a newline after each;
 * "\c" at the end of the last one leaves its newline out, and other escapes are those of C. The
 * lines up to the next question are the answer. Empty lines and lines with "#" in front are
 * remarks. To add a case, write its question, run the test, and read the answer that it has left
 * in the build folder before you copy it.
 */
#pragma once

#include <string.h>

#include "engine/golden-text.h"

/* Whether @line is neither a question nor a remark. */
static gboolean
is_answer_line (const char *line)
{
  return *line != '\0' && *line != '#' && !g_str_has_prefix (line, "> ");
}

/* Asks every question of the file @room/@name and compares the answers, which @answer gives
 * (transfer full), with those that are kept. */
static void
check_cases (const char *room, const char *name, char *(*answer) (const char *asked))
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, room, name, NULL), *kept = NULL;
  g_autoptr (GString) text = g_string_new (NULL), asked = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  lines = g_strsplit (kept, "\n", -1);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      if (is_answer_line (lines[i]))
        continue;
      g_string_append_printf (text, "%s\n", lines[i]);
      if (lines[i][0] != '>')
        continue;
      g_string_append_printf (asked, "%s\n", lines[i] + strlen ("> "));
      if (lines[i + 1] == NULL || lines[i + 1][0] != '>')
        {
          g_autofree char *question = NULL, *said = NULL;

          if (g_str_has_suffix (asked->str, "\\c\n"))
            g_string_truncate (asked, asked->len - strlen ("\\c\n"));
          question = g_strcompress (asked->str);
          said = answer (question);
          g_string_append_printf (text, "%s\n", said);
          g_string_truncate (asked, 0);
        }
    }
  compare_text (text, room, name);
}
