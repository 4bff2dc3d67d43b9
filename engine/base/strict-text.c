/* strict-text.c: numbers to text and back exactly, whatever the locale; fields of a CSV
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

/* @digits by ten to the @behind, as IEEE 754 rounds it: 64 bits of the quotient, and one more that says whether there were others, are
 * enough for the rounding to a double's 53 to be the right one. */
static double
divide_exactly (guint64 digits, guint behind)
{
  static const guint64 powers[] = {
    G_GUINT64_CONSTANT (1), G_GUINT64_CONSTANT (10), G_GUINT64_CONSTANT (100), G_GUINT64_CONSTANT (1000), G_GUINT64_CONSTANT (10000),
    G_GUINT64_CONSTANT (100000), G_GUINT64_CONSTANT (1000000), G_GUINT64_CONSTANT (10000000), G_GUINT64_CONSTANT (100000000),
    G_GUINT64_CONSTANT (1000000000), G_GUINT64_CONSTANT (10000000000), G_GUINT64_CONSTANT (100000000000),
    G_GUINT64_CONSTANT (1000000000000), G_GUINT64_CONSTANT (10000000000000), G_GUINT64_CONSTANT (100000000000000),
    G_GUINT64_CONSTANT (1000000000000000), G_GUINT64_CONSTANT (10000000000000000), G_GUINT64_CONSTANT (100000000000000000),
    G_GUINT64_CONSTANT (1000000000000000000),
  };
  guint64 power = powers[behind], quotient;
  int shift, power_shift;
  unsigned __int128 dividend;

  if (digits == 0 || behind == 0)
    return (double) digits;
  if (digits <= G_GUINT64_CONSTANT (1) << 53 && power <= G_GUINT64_CONSTANT (1000000000000000)) /* both are doubles */
    return (double) digits / (double) power;
  shift = __builtin_clzll (digits);
  power_shift = __builtin_clzll (power);
  power <<= power_shift;
  dividend = (unsigned __int128) (digits << shift) << 63;
  quotient = (guint64) (dividend / power);
  quotient |= (dividend % power) != 0;
  return ldexp ((double) quotient, power_shift - shift - 63);
}

/* Up to 18 digits with a '.' or none. Nearly every number in a file is so; this takes a fraction of g_ascii_strtod()'s time, most of which
 * goes into the locale's decimal point, and a run of a million rows is mostly numbers (tests/benchmark). FALSE: ask strtod. */
static gboolean
read_short_number (const char *text, double *value)
{
  guint64 digits = 0;
  guint behind = 0, n = 0;
  gboolean has_point = FALSE;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  for (; *text != '\0'; text++)
    if (*text == '.' && !has_point)
      has_point = TRUE;
    else if (!g_ascii_isdigit (*text))
      return FALSE;
    else
      {
        digits = digits * 10 + (guint64) (*text - '0');
        behind += (guint) has_point;
        if (++n > 18)
          return FALSE;
      }
  *value = divide_exactly (digits, behind);
  return TRUE;
}

gboolean
memlane_text_read_number (const char *text, double *value)
{
  char *end;

  if (read_short_number (text, value))
    return TRUE;
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
