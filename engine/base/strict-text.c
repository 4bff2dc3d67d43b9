/* strict-text.c: numbers to text and back exactly, whatever the locale; fields of a CSV, strings of JSON
 *
 * SPDX-License-Identifier: MIT
 */
#include "strict-text.h"

#include <math.h>
#include <string.h>

#include <csv.h>

/* --- writing ---------------------------------------------------------------------------------------------------------- */

void
memlane_text_append_count (GString *text, guint64 value)
{
  char digits[24];
  char *at = digits + sizeof digits;

  do
    *--at = (char) ('0' + value % 10);
  while ((value /= 10) > 0);
  g_string_append_len (text, at, digits + sizeof digits - at);
}

void
memlane_text_append_number (GString *text, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return;
  if (value >= 0 && value < 1e15 && value == floor (value))
    {
      memlane_text_append_count (text, (guint64) value);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
}

void
memlane_text_append_json (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_validate (value, -1, NULL) ? NULL : g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid != NULL ? valid : value; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      {
        g_string_append_c (text, '\\');
        g_string_append_c (text, *p);
      }
    else if (*p == '\n')
      g_string_append (text, "\\n");
    else if ((guchar) *p < ' ' || *p == 0x7f) /* Perfetto refuses DEL, too */
      g_string_append_printf (text, "\\u%04x", (guint) *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

void
memlane_text_append_rounded (GString *text, double value, guint digits)
{
  char format[16], buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return;
  g_snprintf (format, sizeof format, "%%.%ug", CLAMP (digits, 1, 17));
  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, format, value));
}

gboolean
memlane_text_is_formula (const char *value)
{
  return *value != '\0' && strchr ("=+-@\t\r", *value) != NULL;
}

void
memlane_text_append_field (GString *text, const char *value)
{
  g_autofree char *valid = NULL, *harmless = NULL;
  gsize length, place;

  if (value == NULL || *value == '\0')
    return;
  if (memlane_text_is_formula (value))
    value = harmless = g_strconcat ("'", value, NULL);
  if (!g_utf8_validate (value, -1, NULL))
    value = valid = g_utf8_make_valid (value, -1);
  length = strlen (value);
  if (strpbrk (value, ",\"\r\n") == NULL && value[0] != ' ' && value[length - 1] != ' ')
    {
      g_string_append_len (text, value, (gssize) length);
      return;
    }
  place = text->len;
  g_string_set_size (text, place + 2 * length + 2); /* every character a quote, and the two outside */
  g_string_set_size (text, place + csv_write (text->str + place, 2 * length + 2, value, length));
}

/* --- reading ---------------------------------------------------------------------------------------------------------- */

gboolean
memlane_text_read_number (const char *text, double *value)
{
  char *end;

  /* Digits and marks alone: strtod takes "inf", "nan", "0x1" and blanks in front besides. */
  if (*text != '\0' && text[strspn (text, "0123456789.eE+-")] == '\0')
    {
      *value = g_ascii_strtod (text, &end);
      if (*end == '\0')
        return isfinite (*value);
    }
  *value = 0;
  return FALSE;
}
