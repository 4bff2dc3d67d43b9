/* strict-text.c: numbers to text and back exactly, whatever the locale; fields of a CSV, strings of
 * JSON
 *
 * SPDX-License-Identifier: MIT
 */
#include "strict-text.h"

#include <csv.h>
#include <math.h>
#include <string.h>

#include "reader-limits.h"

/* --- writing ---------------------------------------------------------------------------------- */

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
  /* every character a quote, and the two outside */
  g_string_set_size (text, place + 2 * length + 2);
  g_string_set_size (text, place + csv_write (text->str + place, 2 * length + 2, value, length));
}

/* --- reading ---------------------------------------------------------------------------------- */

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

/* --- text of others, for a terminal ----------------------------------------------------------- */

static gboolean
is_direction (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
is_safe (gunichar c)
{
  GUnicodeType type;

  if (c < 0x80)
    return c >= ' ' && c < 0x7f;
  type = g_unichar_type (c);
  /* Not "unassigned": a terminal may know letters that this GLib does not. */
  return type != G_UNICODE_CONTROL && type != G_UNICODE_SURROGATE
         && type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR
         && !is_direction (c) && (c & 0xfffe) != 0xfffe;
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

      while (value < end
             && ((keeps_lines && (*value == '\n' || *value == '\t'))
                 || (n = measure_safe (value, end, &c)) > 0))
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

const char *
memlane_check_name (const char *text)
{
  gsize length = strspn (text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".+-_");

  return length >= 1 && length <= MEMLANE_LONGEST_NAME && text[length] == '\0' && *text != '.'
                 && *text != '-'
             ? NULL
             : "1 to " G_STRINGIFY (MEMLANE_LONGEST_NAME) " letters, digits, '.', '+', '-' or '_', "
                                                          "and no '.' or '-' in front";
}

/* --- digits for people ------------------------------------------------------------------------ */

#define HUGE_NUMBER 1e15 /* no one would count its zeros */

static int
count_decimals (double value)
{
  if (value == 0)
    return 0;
  return CLAMP (2 - (int) floor (log10 (fabs (value)) + 1e-12), 0, 12);
}

double
memlane_digits_round (double value)
{
  double power;

  if (value == 0 || fabs (value) > 1e300 || fabs (value) < 1e-290)
    return value;
  power = pow (10, 2 - floor (log10 (fabs (value))));
  return isfinite (power) ? round (value * power) / power : value;
}

char *
memlane_digits_format (double value, gboolean localized)
{
  char format[16], text[64];
  gboolean plain = fabs (value) < HUGE_NUMBER; /* neither infinite nor no number */
  int decimals = plain ? count_decimals (memlane_digits_round (value)) : 0; /* 9.999 is 10.0 */

  if (localized)
    return plain ? g_strdup_printf ("%.*f", decimals, value) : g_strdup_printf ("%.3g", value);
  g_snprintf (format, sizeof format, plain ? "%%.%df" : "%%.3g", decimals);
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

char *
memlane_digits_format_time (double ns, gboolean is_drawn, gboolean localized)
{
  static const struct
  {
    double ns;
    const char *typed, *drawn;
  } units[] = { { 1, "ns", "ns" }, { 1e3, "us", "µs" }, { 1e6, "ms", "ms" }, { 1e9, "s", "s" } };
  double rounded = memlane_digits_round (ns);
  g_autofree char *text = NULL;
  guint i = G_N_ELEMENTS (units) - 1;

  while (i > 0 && fabs (rounded) < units[i].ns)
    i--;
  text = memlane_digits_format (rounded / units[i].ns, localized);
  return g_strconcat (text, " ", is_drawn ? units[i].drawn : units[i].typed, NULL);
}

guint
memlane_count_columns (const char *text)
{
  guint n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    n += g_unichar_iswide (g_utf8_get_char (p)) ? 2 : 1;
  return n;
}
