/* keys.c: the values of a key file with texts in several languages, read strictly
 *
 * SPDX-License-Identifier: MIT
 */
#include "keys.h"

#include <math.h>
#include <string.h>

#include "data-file.h"
#include "fail.h"
#include "owns.h"
#include "reader-limits.h"
#include "strict-text.h"

#define LONGEST_TEXT 16000

MEMLANE_DEFINE_CLEAR (MemlaneKeys, void memlane_keys_close (MemlaneKeys *data),
                      OWNS (file, g_key_file_unref) OWNS (lines, memlane_key_lines_free))

gboolean
memlane_keys_open (MemlaneKeys *self, const char *text, gsize length, const char *name,
                   const char *first_group, const char *language, GError **error)
{
  g_autoptr (GError) problem = NULL;

  *self = (MemlaneKeys) {
    .name = name, .file = g_key_file_new (), .language = language, .first_group = first_group
  };
  self->lines = memlane_key_lines_new (text, length, first_group);
  if (!memlane_key_lines_check (self->lines, name, error))
    return FALSE;
  return g_key_file_load_from_data (self->file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS,
                                    &problem)
         || memlane_refuse (error, "%s:1: %s", name, problem->message);
}

gboolean
memlane_keys_refuse (const MemlaneKeys *reader, const char *group, const char *key, GError **error,
                     const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL, *message = NULL, *whole = NULL;
  guint line = memlane_key_lines_find (reader->lines, group, key);

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  message = g_strdup_printf ("[%.60s]%s%.60s: %s", group, key != NULL ? " " : "",
                             key != NULL ? key : "", said);
  whole = g_utf8_make_valid (message, -1); /* what is quoted may be cut within a character */
  return memlane_refuse (error, "%s:%u: %s", reader->name, line, whole);
}

gboolean
memlane_keys_get (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed,
                  char **value, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = g_key_file_get_string (reader->file, group, key, &problem);

  *value = NULL;
  if (g_error_matches (problem, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND))
    return !needed
           || memlane_keys_refuse (reader, group, NULL, error, "the key %s is missing", key);
  /* GKeyFile hands out what it understood of a value with a wrong escape, beside the error. */
  if (problem != NULL)
    return memlane_keys_refuse (reader, group, key, error, "%s", problem->message);
  g_strstrip (text);
  if (*text == '\0' || strlen (text) > LONGEST_TEXT)
    return memlane_keys_refuse (reader, group, key, error, "expected 1 to %d bytes", LONGEST_TEXT);
  *value = g_steal_pointer (&text);
  return TRUE;
}

/* Whether @key is @base in another language: "title[zh_CN]". */
static gboolean
is_translation (const char *key, const char *base)
{
  gsize length = strlen (base);

  return strncmp (key, base, length) == 0 && key[length] == '[';
}

static gboolean
split (const MemlaneKeys *reader, const char *group, const char *key, const char *text,
       char ***list, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ";", -1);
  guint n = g_strv_length (parts);

  if (n > 1 && *g_strstrip (parts[n - 1]) == '\0') /* "a;b;" */
    g_clear_pointer (&parts[n - 1], g_free);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) == '\0')
      return memlane_keys_refuse (reader, group, key, error,
                                  "found an empty part, expected words with ; between them");
  if (n > MEMLANE_KEYS_MOST)
    return memlane_keys_refuse (reader, group, key, error, "found %u parts, expected at most %d", n,
                                MEMLANE_KEYS_MOST);
  *list = g_steal_pointer (&parts);
  return TRUE;
}

/* Every language of a text, and of a list: as many parts as in English. */
static gboolean
check_translations (const MemlaneKeys *reader, const char *group, const MemlaneKey *key,
                    const char *english, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL), own = NULL;
  g_auto (GStrv) titles = g_key_file_get_keys (reader->file, reader->first_group, NULL, NULL);

  if (key->kind == MEMLANE_KEY_TEXTS && !split (reader, group, key->key, english, &own, error))
    return FALSE;
  for (char **other = keys; *other != NULL; other++)
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) theirs = NULL;

      if (!is_translation (*other, key->key))
        continue;
      if (!g_key_file_has_key (reader->file, group, key->key, NULL))
        return memlane_keys_refuse (reader, group, *other, error,
                                    "expected the key %s, in English, too", key->key);
      if (!memlane_keys_get (reader, group, *other, TRUE, &text, error)
          || (own != NULL && !split (reader, group, *other, text, &theirs, error)))
        return FALSE;
      if (own != NULL && g_strv_length (theirs) != g_strv_length (own))
        return memlane_keys_refuse (reader, group, *other, error,
                                    "found %u choices, expected %u as in English",
                                    g_strv_length (theirs), g_strv_length (own));
    }
  for (char **title = titles; reader->all_translated && english != NULL && *title != NULL; title++)
    if (is_translation (*title, "title"))
      {
        g_autofree char *translated = g_strconcat (key->key, *title + strlen ("title"), NULL);

        if (!g_key_file_has_key (reader->file, group, translated, NULL))
          return memlane_keys_refuse (reader, group, key->key, error,
                                      "is not translated: expected the key %s as well", translated);
      }
  return TRUE;
}

gboolean
memlane_keys_number (const MemlaneKeys *reader, const char *group, const char *key, guint least,
                     guint most, guint *value, GError **error)
{
  g_autofree char *text = NULL;
  guint64 number;

  if (!memlane_keys_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, &number, NULL))
    return memlane_keys_refuse (reader, group, key, error,
                                "found '%.80s', expected a whole number from %u to %u", text, least,
                                most);
  *value = (guint) number;
  return TRUE;
}

static gboolean
fill_one (const MemlaneKeys *reader, const char *group, const MemlaneKey *key, gpointer to,
          GError **error)
{
  const guint bit = (guint) key->most;
  g_autofree char *text = NULL;
  double number;

  if (key->kind == MEMLANE_KEY_NUMBER)
    return memlane_keys_number (reader, group, key->key, (guint) key->least, (guint) key->most, to,
                                error);
  if (!memlane_keys_get (reader, group, key->key, key->needed, &text, error))
    return FALSE;
  if (key->kind == MEMLANE_KEY_TEXT || key->kind == MEMLANE_KEY_TEXTS)
    {
      if (!check_translations (reader, group, key, text, error))
        return FALSE;
      if (text != NULL && g_strcmp0 (reader->language, "C") != 0)
        {
          g_free (text);
          text = g_strstrip (
              g_key_file_get_locale_string (reader->file, group, key->key, reader->language, NULL));
        }
    }
  if (key->kind == MEMLANE_KEY_LIST || key->kind == MEMLANE_KEY_TEXTS)
    return split (reader, group, key->key, text, to, error);
  if (text == NULL)
    return TRUE;
  if (key->kind == MEMLANE_KEY_VALUE || key->kind == MEMLANE_KEY_TEXT)
    {
      g_free (*(char **) to);
      *(char **) to = g_steal_pointer (&text);
      return TRUE;
    }
  if (key->kind == MEMLANE_KEY_FLAG || key->kind == MEMLANE_KEY_BIT)
    {
      if (key->kind == MEMLANE_KEY_FLAG)
        *(gboolean *) to = *text == 't';
      else
        *(guint *) to = *text == 't' ? *(guint *) to | bit : *(guint *) to & ~bit;
      return strcmp (text, "true") == 0 || strcmp (text, "false") == 0
             || memlane_keys_refuse (reader, group, key->key, error,
                                     "found '%.80s', expected true or false", text);
    }
  if (!memlane_text_read_number (text, &number) || number < key->least || number > key->most
      || (key->kind != MEMLANE_KEY_DECIMAL && number != floor (number)))
    return memlane_keys_refuse (
        reader, group, key->key, error, "found '%.80s', expected a %snumber from %g to %g", text,
        key->kind != MEMLANE_KEY_DECIMAL ? "whole " : "", key->least, key->most);
  if (key->kind == MEMLANE_KEY_INTEGER)
    *(int *) to = (int) number;
  else if (key->kind == MEMLANE_KEY_BYTES)
    *(guint64 *) to = (guint64) number;
  else
    *(double *) to = number;
  return TRUE;
}

gboolean
memlane_keys_fill (const MemlaneKeys *reader, const char *group, const MemlaneKey *keys,
                   gpointer to, GError **error)
{
  for (; keys->key != NULL; keys++)
    if (keys->kind != MEMLANE_KEY_ELSEWHERE
        && !fill_one (reader, group, keys, G_STRUCT_MEMBER_P (to, keys->offset), error))
      return FALSE;
  return TRUE;
}

/* The key that @name is, in any language where it is a text. */
static gboolean
is_known (const MemlaneKey *keys, const char *name)
{
  for (; keys->key != NULL; keys++)
    if (strcmp (keys->key, name) == 0)
      return TRUE;
    else if ((keys->kind == MEMLANE_KEY_TEXT || keys->kind == MEMLANE_KEY_TEXTS)
             && is_translation (name, keys->key))
      {
        const char *language = name + strlen (keys->key) + 1;
        gsize length = strspn (language, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_@.-");

        return length > 0 && strcmp (language + length, "]") == 0;
      }
  return FALSE;
}

gboolean
memlane_keys_check (const MemlaneKeys *reader, const char *group, const MemlaneKey *keys,
                    GError **error)
{
  g_auto (GStrv) found = g_key_file_get_keys (reader->file, group, NULL, NULL);
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; found != NULL && found[i] != NULL; i++)
    {
      if (is_known (keys, found[i]))
        continue;
      for (const MemlaneKey *key = keys; key->key != NULL; key++)
        g_string_append_printf (known, "%s%s", key > keys ? ", " : "", key->key);
      return memlane_keys_refuse (reader, group, found[i], error, "unknown key, expected one of %s",
                                  known->str);
    }
  return TRUE;
}

/* --- files ------------------------------------------------------------------------------------ */

gboolean
memlane_keys_read (const char *path, char **text, gsize *length, GError **error)
{
  g_autoptr (GError) problem = NULL;

  return memlane_small_file_read (path, MEMLANE_KEYS_MOST_BYTES, text, length, &problem)
         || memlane_fail_io (error, "cannot read %s: %s", path, problem->message);
}
