/* lines.c: where each group and key of a key file stands, since GKeyFile does not tell
 *
 * SPDX-License-Identifier: MIT
 *
 * Stricter than GKeyFile: a group or a key that stands twice is refused, where GKeyFile would take the last.
 */
#include "experiment-private.h"

#include <string.h>

#define LONGEST_LINE 20000

struct _MemlaneLines
{
  GHashTable *numbers; /* "[group]key" -> line */
};

static char *
place (const char *group, const char *key)
{
  return g_strdup_printf ("[%s]%s", group, key != NULL ? key : "");
}

static gboolean
refuse (GError **error, const char *name, guint line, const char *format, ...) G_GNUC_PRINTF (4, 5);

static gboolean
refuse (GError **error, const char *name, guint line, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL, *whole = NULL;

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  whole = g_utf8_make_valid (said, -1); /* what is quoted may be cut within a character */
  g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_BAD_FILE, "%s:%u: %s", name, line, whole);
  return FALSE;
}

static gboolean
enter (MemlaneLines *self, char *at, const char *what, const char *name, guint line, GError **error)
{
  gpointer before = g_hash_table_lookup (self->numbers, at);

  if (before != NULL)
    {
      g_free (at);
      return refuse (error, name, line, "%.80s stands twice, first in line %u", what, GPOINTER_TO_UINT (before));
    }
  g_hash_table_insert (self->numbers, at, GUINT_TO_POINTER (line));
  return TRUE;
}

static gboolean
read_line (MemlaneLines *self, const char *start, gsize length, char **group, const char *name, guint line, GError **error)
{
  g_autofree char *text = NULL, *key = NULL;
  const char *equals;

  if (length > LONGEST_LINE)
    return refuse (error, name, line, "found a line of %" G_GSIZE_FORMAT " bytes, expected at most %d", length, LONGEST_LINE);
  text = g_strndup (start, length);
  if (strlen (text) != length || !g_utf8_validate (text, (gssize) length, NULL))
    return refuse (error, name, line, "found bytes that are no text, expected UTF-8");
  g_strchomp (text);
  if (*text == '\0' || *text == '#')
    return TRUE;
  if (*text == '[')
    {
      gsize end = strlen (text) - 1;

      if (text[end] != ']' || end < 2 || strpbrk (text + 1, "[") != NULL || strchr (text, ']') != text + end)
        return refuse (error, name, line, "found '%.80s', expected [GROUP]", text);
      text[end] = '\0';
      g_free (*group);
      *group = g_strdup (text + 1);
      return enter (self, place (*group, NULL), text, name, line, error);
    }
  equals = strchr (text, '=');
  if (equals == NULL || equals == text)
    return refuse (error, name, line, "found '%.80s', expected KEY=VALUE", text);
  if (*group == NULL)
    return refuse (error, name, line, "found '%.80s' before the first group, expected [Experiment]", text);
  key = g_strchomp (g_strndup (text, (gsize) (equals - text)));
  return enter (self, place (*group, key), key, name, line, error);
}

MemlaneLines *
memlane_lines_new (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (MemlaneLines) self = g_new0 (MemlaneLines, 1);
  g_autofree char *group = NULL;
  guint line = 0;

  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (gsize at = 0; at < length;)
    {
      const char *end = memchr (text + at, '\n', length - at);
      gsize span = end != NULL ? (gsize) (end - (text + at)) : length - at;

      if (!read_line (self, text + at, span, &group, name, ++line, error))
        return NULL;
      at += span + 1;
    }
  return g_steal_pointer (&self);
}

guint
memlane_lines_find (const MemlaneLines *lines, const char *group, const char *key)
{
  g_autofree char *at = place (group, key);
  gpointer line = g_hash_table_lookup (lines->numbers, at);

  if (line == NULL && key != NULL)
    return memlane_lines_find (lines, group, NULL);
  return line != NULL ? GPOINTER_TO_UINT (line) : 1;
}

void
memlane_lines_free (MemlaneLines *lines)
{
  if (lines == NULL)
    return;
  g_clear_pointer (&lines->numbers, g_hash_table_unref);
  g_free (lines);
}
