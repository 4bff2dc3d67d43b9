/* sentence.c: a message of the engine as a sentence of its own
 *
 * SPDX-License-Identifier: MIT
 */
#include "sentence.h"

/* All of the first word is letters in lower case: a word of the language, not a name. */
static gboolean
begins_with_word (const char *message)
{
  const char *at = message;

  if (!g_utf8_validate (message, -1, NULL))
    return FALSE;
  while (*at != '\0' && *at != ' ' && *at != ',')
    {
      if (!g_unichar_islower (g_utf8_get_char (at)))
        return FALSE;
      at = g_utf8_next_char (at);
    }
  return at > message;
}

char *
memlane_sentence_new (const char *message)
{
  g_autofree char *first = NULL;

  if (message == NULL || !begins_with_word (message))
    return g_strdup (message);
  first = g_utf8_strup (message, g_utf8_next_char (message) - message);
  return g_strconcat (first, g_utf8_next_char (message), NULL);
}
