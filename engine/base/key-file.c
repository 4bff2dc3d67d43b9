/* key-file.c: where each group and key of a key file stands, and what stands twice
 *
 * SPDX-License-Identifier: MIT
 */
#include "key-file.h"

#include <string.h>

#include "owns.h"
#include "fail.h"
#include "hash.h"
#include "reader-limits.h"


struct _MemlaneKeyLines
{
  const char *first_group;
  GHashTable *numbers; /* "[group]key" -> line */
  guint n_groups, n_keys; /* n_keys: of the last group */
  guint bad_line; /* the first that is wrong; 0: none */
  char *bad; /* what is wrong with it */
};

static char *
place (const char *group, const char *key)
{
  return g_strdup_printf ("[%s]%s", group, key != NULL ? key : "");
}

#define refuse(self, line, ...) refuse_with (self, line, g_strdup_printf (__VA_ARGS__))

/* Takes @text; the first one counts. */
static void
refuse_with (MemlaneKeyLines *self, guint line, char *text)
{
  g_autofree char *said = text;

  if (self->bad != NULL)
    return;
  self->bad_line = line;
  self->bad = g_utf8_make_valid (said, -1); /* what is quoted may be cut within a character */
}

/* @key: NULL for the group's own line. @shown: for messages. */
static void
enter (MemlaneKeyLines *self, const char *group, const char *key, const char *shown, guint line)
{
  g_autofree char *at = place (group, key);
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, at));

  self->n_groups += key == NULL;
  self->n_keys = key != NULL ? self->n_keys + 1 : 0;
  if (self->n_groups > MEMLANE_KEY_FILE_MOST_GROUPS || self->n_keys > MEMLANE_KEY_FILE_MOST_KEYS)
    refuse (self, line, "found another %s, expected at most %d",
            key != NULL ? "key of the group" : "group",
            key != NULL ? MEMLANE_KEY_FILE_MOST_KEYS : MEMLANE_KEY_FILE_MOST_GROUPS);
  if (before == 0)
    {
      g_hash_table_insert (self->numbers, g_steal_pointer (&at), GUINT_TO_POINTER (line));
      return;
    }
  refuse (self, line, "%.80s stands twice, first in line %u", shown, before);
}

static void
read_line (MemlaneKeyLines *self, const char *start, gsize length, char **group, guint line)
{
  g_autofree char *text = g_strndup (start, length);
  char *equals;

  if (length > MEMLANE_KEY_FILE_LONGEST_LINE)
    refuse (self, line, "found a line of %" G_GSIZE_FORMAT " bytes, expected at most %d", length,
            MEMLANE_KEY_FILE_LONGEST_LINE);
  if (strlen (text) != length || !g_utf8_validate (text, (gssize) length, NULL))
    refuse (self, line, "found bytes that are no text, expected UTF-8");
  g_strstrip (text);
  if (*text == '\0' || *text == '#')
    return;
  if (*text == '[')
    {
      char *end = strchr (text, ']');

      if (end == NULL || end[1] != '\0' || end < text + 2 || strchr (text + 1, '[') != NULL)
        {
          refuse (self, line, "found '%.80s', expected [GROUP]", text);
          return;
        }
      *end = '\0';
      memlane_text_set (group, text + 1);
      enter (self, *group, NULL, text, line);
      return;
    }
  equals = strchr (text, '=');
  if (equals == NULL || equals == text)
    refuse (self, line, "found '%.80s', expected KEY=VALUE", text);
  else if (*group == NULL)
    refuse (self, line, "found '%.80s' before the first group, expected [%s]", text,
            self->first_group);
  else
    {
      *equals = '\0';
      g_strchomp (text);
      enter (self, *group, text, text, line);
    }
}

MemlaneKeyLines *
memlane_key_lines_new (const char *text, gsize length, const char *first_group)
{
  MemlaneKeyLines *self = g_new0 (MemlaneKeyLines, 1);
  g_autofree char *group = NULL;
  guint line = 0;

  self->first_group = first_group;
  self->numbers = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);
  for (gsize at = 0; at < length;)
    {
      const char *end = memchr (text + at, '\n', length - at);
      gsize span = end != NULL ? (gsize) (end - (text + at)) : length - at;

      read_line (self, text + at, span, &group, ++line);
      at += span + 1;
    }
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneKeyLines, void memlane_key_lines_free (MemlaneKeyLines *data),
                     OWNS (numbers, g_hash_table_unref) OWNS (bad, g_free))

gboolean
memlane_key_lines_check (const MemlaneKeyLines *self, const char *name, GError **error)
{
  return self->bad == NULL || memlane_refuse (error, "%s:%u: %s", name, self->bad_line, self->bad);
}

guint
memlane_key_lines_find (const MemlaneKeyLines *self, const char *group, const char *key)
{
  g_autofree char *at = place (group, key);
  guint line = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, at));

  if (line == 0 && key != NULL)
    return memlane_key_lines_find (self, group, NULL);
  return MAX (line, 1);
}
