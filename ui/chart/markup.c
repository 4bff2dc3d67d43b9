/* markup.c: text inside XML and HTML
 *
 * SPDX-License-Identifier: MIT
 */
#include "markup.h"

/* XML 1.0, "Char"; glib's own escaping writes control characters as references, which a parser
 * refuses. */
static gboolean
is_allowed (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r'
         || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0) && c != 0xfffe && c != 0xffff);
}

void
memlane_markup_append (GString *markup, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autofree char *escaped = NULL;
  g_autoptr (GString) clean = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    g_string_append_unichar (clean,
                             is_allowed (g_utf8_get_char (c)) ? g_utf8_get_char (c) : 0xfffd);
  escaped = g_markup_escape_text (clean->str, (gssize) clean->len);
  g_string_append (markup, escaped);
}

void
memlane_markup_printf (GString *markup, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  for (const char *p = format; *p != '\0'; p++)
    if (*p != '%' || *++p == '%')
      g_string_append_c (markup, *p);
    else if (*p == 's')
      memlane_markup_append (markup, va_arg (arguments, const char *));
    else
      g_string_append_printf (markup, *p == 'u' ? "%u" : "%d", va_arg (arguments, guint));
  va_end (arguments);
}
