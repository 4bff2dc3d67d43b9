/* read-value.c: one value of an experiment's file, and what is said of a wrong one
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <string.h>

#define LONGEST_TEXT 16000

gboolean
memlane_reader_refuse (const MemlaneReader *reader, const char *group, const char *key, GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL, *message = NULL, *whole = NULL;
  guint line = memlane_lines_find (reader->lines, group, key);

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  message = g_strdup_printf ("[%.60s]%s%.60s: %s", group, key != NULL ? " " : "", key != NULL ? key : "", said);
  whole = g_utf8_make_valid (message, -1); /* what is quoted may be cut within a character */
  g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_BAD_FILE, "%s:%u: %s", reader->name, line, whole);
  return FALSE;
}

static gboolean
take (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char *text, GError *problem, char **value,
      GError **error)
{
  g_autofree char *taken = text;

  *value = NULL;
  if (g_error_matches (problem, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND))
    return !needed || memlane_reader_refuse (reader, group, NULL, error, "the key %s is missing", key);
  /* GKeyFile hands out what it understood of a value with a wrong escape, beside the error. */
  if (problem != NULL)
    return memlane_reader_refuse (reader, group, key, error, "%s", problem->message);
  g_strstrip (taken);
  if (*taken == '\0' || strlen (taken) > LONGEST_TEXT)
    return memlane_reader_refuse (reader, group, key, error, "expected 1 to %d bytes", LONGEST_TEXT);
  *value = g_steal_pointer (&taken);
  return TRUE;
}

gboolean
memlane_reader_get (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char **value, GError **error)
{
  g_autoptr (GError) problem = NULL;
  char *text = g_key_file_get_string (reader->file, group, key, &problem);

  return take (reader, group, key, needed, text, problem, value, error);
}

/* In the reader's language. Every language is looked at, so that a file is not refused in one and taken in another. */
gboolean
memlane_reader_get_text (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char **value, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL);
  g_autofree char *prefix = g_strconcat (key, "[", NULL);
  g_autofree char *own = NULL;
  char *other;

  *value = NULL;
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (g_str_has_prefix (keys[i], prefix))
      {
        if (!g_key_file_has_key (reader->file, group, key, NULL))
          return memlane_reader_refuse (reader, group, keys[i], error, "expected the key %s, in English, too", key);
        if (!memlane_reader_get (reader, group, keys[i], TRUE, &other, error))
          return FALSE;
        g_free (other);
      }
  if (!memlane_reader_get (reader, group, key, needed, &own, error))
    return FALSE;
  if (own != NULL && g_strcmp0 (reader->language, "C") != 0)
    {
      *value = g_key_file_get_locale_string (reader->file, group, key, reader->language, NULL);
      g_strstrip (*value);
      return TRUE;
    }
  *value = g_steal_pointer (&own);
  return TRUE;
}

gboolean
memlane_reader_get_number (const MemlaneReader *reader, const char *group, const char *key, guint least, guint most, guint *value,
                           GError **error)
{
  g_autofree char *text = NULL;
  guint64 number;

  if (!memlane_reader_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, &number, NULL))
    return memlane_reader_refuse (reader, group, key, error, "found '%.80s', expected a whole number from %u to %u", text, least, most);
  *value = (guint) number;
  return TRUE;
}

gboolean
memlane_reader_get_boolean (const MemlaneReader *reader, const char *group, const char *key, gboolean *value, GError **error)
{
  g_autofree char *text = NULL;

  if (!memlane_reader_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  if (strcmp (text, "true") != 0 && strcmp (text, "false") != 0)
    return memlane_reader_refuse (reader, group, key, error, "found '%.80s', expected true or false", text);
  *value = *text == 't';
  return TRUE;
}

/* "a;b;c", blanks around each taken off; an empty one is refused. */
gboolean
memlane_reader_split_list (const MemlaneReader *reader, const char *group, const char *key, const char *text, char ***list, GError **error)
{
  g_auto (GStrv) parts = NULL;
  guint n;

  if (text == NULL)
    {
      *list = g_new0 (char *, 1);
      return TRUE;
    }
  parts = g_strsplit (text, ";", -1);
  n = g_strv_length (parts);
  if (n > 1 && *g_strstrip (parts[n - 1]) == '\0') /* "a;b;" */
    g_clear_pointer (&parts[n - 1], g_free);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) == '\0')
      return memlane_reader_refuse (reader, group, key, error, "found an empty part, expected words with ; between them");
  if (n > MEMLANE_EXPERIMENT_MOST)
    return memlane_reader_refuse (reader, group, key, error, "found %u parts, expected at most %d", n, MEMLANE_EXPERIMENT_MOST);
  *list = g_steal_pointer (&parts);
  return TRUE;
}

gboolean
memlane_reader_get_list (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char ***list, GError **error)
{
  g_autofree char *text = NULL;

  return memlane_reader_get (reader, group, key, needed, &text, error) && memlane_reader_split_list (reader, group, key, text, list, error);
}

gboolean
memlane_reader_get_sizes (const MemlaneReader *reader, const char *group, guint *first, guint *last, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;

  if (!memlane_reader_get (reader, group, "sizes", TRUE, &text, error))
    return FALSE;
  if (!memlane_plan_set_sizes (plan, text, &problem))
    return memlane_reader_refuse (reader, group, "sizes", error, "%s", problem->message);
  *first = plan->first_log2;
  *last = plan->last_log2;
  return TRUE;
}
