/* keys.c: the values of a key file with texts in several languages, read strictly
 *
 * SPDX-License-Identifier: MIT
 */
#include "keys.h"

#include <string.h>

#include "base/fail.h"
#include "base/small-file.h"
#include "experiment.h"

#define LONGEST_TEXT 16000

void
memlane_keys_close (MemlaneKeys *self)
{
  g_clear_pointer (&self->file, g_key_file_unref);
  g_clear_pointer (&self->lines, memlane_key_lines_free);
}

gboolean
memlane_keys_open (MemlaneKeys *self, const char *text, gsize length, const char *name, const char *first_group, const char *language,
                   GError **error)
{
  g_autoptr (GError) problem = NULL;

  *self = (MemlaneKeys) { .name = name, .file = g_key_file_new (), .language = language };
  if (length > MEMLANE_EXPERIMENT_MAX_BYTES)
    return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:1: found %" G_GSIZE_FORMAT " bytes, expected at most %d",
                         name, length, MEMLANE_EXPERIMENT_MAX_BYTES);
  self->lines = memlane_key_lines_new (text, length, first_group);
  if (!memlane_key_lines_check (self->lines, name, error))
    return FALSE;
  return g_key_file_load_from_data (self->file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS, &problem)
         || memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:1: %s", name, problem->message);
}

gboolean
memlane_keys_refuse (const MemlaneKeys *reader, const char *group, const char *key, GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL, *message = NULL, *whole = NULL;
  guint line = memlane_key_lines_find (reader->lines, group, key);

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  message = g_strdup_printf ("[%.60s]%s%.60s: %s", group, key != NULL ? " " : "", key != NULL ? key : "", said);
  whole = g_utf8_make_valid (message, -1); /* what is quoted may be cut within a character */
  return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:%u: %s", reader->name, line, whole);
}

gboolean
memlane_keys_get (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char **value, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = g_key_file_get_string (reader->file, group, key, &problem);

  *value = NULL;
  if (g_error_matches (problem, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND))
    return !needed || memlane_keys_refuse (reader, group, NULL, error, "the key %s is missing", key);
  /* GKeyFile hands out what it understood of a value with a wrong escape, beside the error. */
  if (problem != NULL)
    return memlane_keys_refuse (reader, group, key, error, "%s", problem->message);
  g_strstrip (text);
  if (*text == '\0' || strlen (text) > LONGEST_TEXT)
    return memlane_keys_refuse (reader, group, key, error, "expected 1 to %d bytes", LONGEST_TEXT);
  *value = g_steal_pointer (&text);
  return TRUE;
}

gboolean
memlane_keys_text (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char **value, GError **error)
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
          return memlane_keys_refuse (reader, group, keys[i], error, "expected the key %s, in English, too", key);
        if (!memlane_keys_get (reader, group, keys[i], TRUE, &other, error))
          return FALSE;
        g_free (other);
      }
  if (!memlane_keys_get (reader, group, key, needed, &own, error))
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
memlane_keys_number (const MemlaneKeys *reader, const char *group, const char *key, guint least, guint most, guint *value,
                     GError **error)
{
  g_autofree char *text = NULL;
  guint64 number;

  if (!memlane_keys_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, &number, NULL))
    return memlane_keys_refuse (reader, group, key, error, "found '%.80s', expected a whole number from %u to %u", text, least, most);
  *value = (guint) number;
  return TRUE;
}

gboolean
memlane_keys_split (const MemlaneKeys *reader, const char *group, const char *key, const char *text, char ***list, GError **error)
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
      return memlane_keys_refuse (reader, group, key, error, "found an empty part, expected words with ; between them");
  if (n > MEMLANE_KEYS_MOST)
    return memlane_keys_refuse (reader, group, key, error, "found %u parts, expected at most %d", n, MEMLANE_KEYS_MOST);
  *list = g_steal_pointer (&parts);
  return TRUE;
}

gboolean
memlane_keys_list (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char ***list, GError **error)
{
  g_autofree char *text = NULL;

  return memlane_keys_get (reader, group, key, needed, &text, error) && memlane_keys_split (reader, group, key, text, list, error);
}

/* "title[zh_CN]": the base, where the rest is a language. */
static char *
split_language (const char *key)
{
  const char *bracket = strchr (key, '[');
  gsize rest;

  if (bracket == NULL)
    return g_strdup (key);
  rest = strspn (bracket + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_@.-0123456789");
  return rest > 0 && strcmp (bracket + 1 + rest, "]") == 0 ? g_strndup (key, (gsize) (bracket - key)) : NULL;
}

gboolean
memlane_keys_check (const MemlaneKeys *reader, const char *group, const char *const *keys, const char *const *texts, GError **error)
{
  g_auto (GStrv) found = g_key_file_get_keys (reader->file, group, NULL, NULL);

  for (guint i = 0; found != NULL && found[i] != NULL; i++)
    {
      g_autofree char *base = split_language (found[i]);
      gboolean is_text = base != NULL && g_strv_contains (texts, base);

      if (base == NULL || (!is_text && (strchr (found[i], '[') != NULL || !g_strv_contains (keys, base))))
        {
          g_autofree char *own = g_strjoinv (", ", (char **) keys), *words = g_strjoinv (", ", (char **) texts);

          return memlane_keys_refuse (reader, group, found[i], error, "unknown key, expected one of %s%s%s", words,
                                      *words != '\0' ? ", " : "", own);
        }
    }
  return TRUE;
}

gboolean
memlane_keys_check_list (const MemlaneKeys *reader, const char *group, const char *key, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL), own = NULL;
  g_autofree char *prefix = g_strconcat (key, "[", NULL);

  if (!memlane_keys_list (reader, group, key, TRUE, &own, error))
    return FALSE;
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_auto (GStrv) theirs = NULL;

      if (!g_str_has_prefix (keys[i], prefix))
        continue;
      if (!memlane_keys_list (reader, group, keys[i], TRUE, &theirs, error))
        return FALSE;
      if (g_strv_length (theirs) != g_strv_length (own))
        return memlane_keys_refuse (reader, group, keys[i], error, "found %u choices, expected %u as in English",
                                    g_strv_length (theirs), g_strv_length (own));
    }
  return TRUE;
}

/* --- files ------------------------------------------------------------------------------------------------------------------ */

gboolean
memlane_keys_read (const char *path, char **text, gsize *length, GError **error)
{
  g_autoptr (GError) problem = NULL;

  return memlane_small_file_read (path, MEMLANE_EXPERIMENT_MAX_BYTES, text, length, &problem)
         || memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot read %s: %s", path, problem->message);
}
