/* printable.c: text of others as a terminal can show it
 *
 * SPDX-License-Identifier: MIT
 */
#include "printable.h"

#include <string.h>

static gboolean
is_direction (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
is_safe (gunichar c)
{
  GUnicodeType type;

  if (c < 0x80)
    return c >= ' ' && c < 0x7f;
  type = g_unichar_type (c);
  /* Not "unassigned": a terminal may know letters that this GLib does not. */
  return type != G_UNICODE_CONTROL && type != G_UNICODE_SURROGATE && type != G_UNICODE_LINE_SEPARATOR
         && type != G_UNICODE_PARAGRAPH_SEPARATOR && !is_direction (c) && (c & 0xfffe) != 0xfffe;
}

/* How many bytes at @at are one safe character; 0: none. */
static gsize
measure_safe (const char *at, const char *end, gunichar *c)
{
  *c = g_utf8_get_char_validated (at, end - at);
  return *c < 0x110000 && *c != 0 && is_safe (*c) ? (gsize) (g_utf8_next_char (at) - at) : 0;
}

void
memlane_text_append_printable (GString *text, const char *value, gsize length, gboolean keeps_lines)
{
  const char *end = value + length;

  while (value < end)
    {
      const char *begin = value;
      gunichar c = 0;
      gsize n = 0;

      while (value < end && ((keeps_lines && (*value == '\n' || *value == '\t')) || (n = measure_safe (value, end, &c)) > 0))
        value += *value == '\n' || *value == '\t' ? 1 : n;
      g_string_append_len (text, begin, value - begin);
      if (value == end)
        break;
      if (c >= 0x80 && c < 0x110000)
        {
          g_string_append_printf (text, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
          value = g_utf8_next_char (value);
        }
      else
        g_string_append_printf (text, "\\x%02x", (guint) (guchar) *value++);
    }
}

gboolean
memlane_text_is_printable (const char *value)
{
  const char *end = value + strlen (value);
  gunichar c;
  gsize n;

  while (value < end && (n = measure_safe (value, end, &c)) > 0)
    value += n;
  return value == end;
}
