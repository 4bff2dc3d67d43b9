/* unit.c: values in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  double factor;
  const char *word;
} Prefix;

/* From small to large. */
static const Prefix bytes[] = {
  { 1, "B" }, { 1024.0, "KiB" }, { 1048576.0, "MiB" }, { 1073741824.0, "GiB" }, { 1099511627776.0, "TiB" },
};
static const Prefix bandwidths[] = { { 1, "B/s" }, { 1e3, "kB/s" }, { 1e6, "MB/s" }, { 1e9, "GB/s" }, { 1e12, "TB/s" } };
static const Prefix times[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };

/* printf's %.*f, or %.*g for what no one would count the zeros of. */
static char *
format_decimals (double value, int decimals, gboolean localized)
{
  char format[16], text[64];
  gboolean huge = fabs (value) >= 1e15;

  if (localized)
    return huge ? g_strdup_printf ("%.3g", value) : g_strdup_printf ("%.*f", decimals, value);
  g_snprintf (format, sizeof format, huge ? "%%.3g" : "%%.%df", decimals);
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

/* How many decimals three significant digits have. */
static int
count_decimals (double value)
{
  if (value == 0)
    return 0;
  return CLAMP (2 - (int) floor (log10 (fabs (value)) + 1e-12), 0, 12);
}

/* @value to three significant digits, so that 999.6 ns becomes 1.00 µs. */
static double
round_to_digits (double value)
{
  double power;

  if (value == 0 || fabs (value) > 1e300 || fabs (value) < 1e-290)
    return value;
  power = pow (10, 2 - floor (log10 (fabs (value))));
  return isfinite (power) ? round (value * power) / power : value;
}

/* "1.50" -> "1.5", "64.0" -> "64"; the decimal point may be of any locale. */
static void
trim_zeros (char *text)
{
  gsize length = strlen (text);
  gboolean has_point = FALSE;

  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p) && *p != '-')
      has_point = TRUE;
  while (has_point && length > 0 && text[length - 1] == '0')
    text[--length] = '\0';
  if (has_point)
    while (length > 0 && !g_ascii_isdigit (text[length - 1]))
      text[--length] = '\0';
}

static const Prefix *
choose_prefix (const Prefix *prefixes, guint n, double value)
{
  const Prefix *chosen = prefixes;

  for (guint i = 1; i < n; i++)
    if (fabs (value) >= prefixes[i].factor)
      chosen = &prefixes[i];
  return chosen;
}

static char *
format_prefixed (const Prefix *prefixes, guint n, double value, gboolean localized)
{
  double rounded = round_to_digits (value);
  const Prefix *prefix = choose_prefix (prefixes, n, rounded);
  double number = rounded / prefix->factor;
  g_autofree char *text = format_decimals (number, count_decimals (number), localized);

  return g_strconcat (text, " ", prefix->word, NULL);
}

/* Sizes are mostly exact: no zeros behind the point. */
static char *
format_bytes (double value, gboolean localized)
{
  const Prefix *prefix = choose_prefix (bytes, G_N_ELEMENTS (bytes), value);
  double number = round_to_digits (value / prefix->factor);
  g_autofree char *text = NULL;

  /* 1023 KiB has four digits before the point, and they are all kept. */
  if (fabs (value / prefix->factor) >= 1000)
    number = round (value / prefix->factor);
  if (fabs (number) >= 1024 && prefix < &bytes[G_N_ELEMENTS (bytes) - 1])
    {
      number = number / 1024;
      prefix++;
    }
  text = format_decimals (number, count_decimals (number), localized);
  if (fabs (number) < 1e15)
    trim_zeros (text);
  return g_strconcat (text, " ", prefix->word, NULL);
}

char *
memlane_unit_format_power (guint log2)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autofree char *number = g_strdup_printf ("%u", log2);
  GString *text = g_string_new ("2");

  for (const char *p = number; *p != '\0'; p++)
    g_string_append (text, digits[*p - '0']);
  return g_string_free (text, FALSE);
}

static char *
format_elements (double value, gboolean localized)
{
  int exponent;

  if (value >= 1 && frexp (value, &exponent) == 0.5)
    return memlane_unit_format_power ((guint) exponent - 1);
  if (value == floor (value))
    return format_decimals (value, 0, localized);
  value = round_to_digits (value);
  return format_decimals (value, count_decimals (value), localized);
}

char *
memlane_unit_format (MemlaneUnit unit, double value, gboolean localized)
{
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return g_strdup (localized ? C_ ("no value", "n/a") : "n/a");
  value += 0.0; /* no "-0" */
  switch (unit)
    {
    case MEMLANE_UNIT_ELEMENTS:
      return format_elements (value, localized);
    case MEMLANE_UNIT_BYTES:
      return format_bytes (value, localized);
    case MEMLANE_UNIT_BANDWIDTH:
      return format_prefixed (bandwidths, G_N_ELEMENTS (bandwidths), value, localized);
    case MEMLANE_UNIT_TIME:
      return format_prefixed (times, G_N_ELEMENTS (times), value, localized);
    case MEMLANE_UNIT_RATIO:
    default:
      value = round_to_digits (value);
      text = format_decimals (value, count_decimals (value), localized);
      return g_strconcat (text, "×", NULL);
    }
}

double
memlane_unit_axis_factor (const MemlaneScale *scale, MemlaneUnit unit, const char **word)
{
  double size = MAX (fabs (scale->from), fabs (scale->to));
  const Prefix *prefix;

  switch (unit)
    {
    case MEMLANE_UNIT_BANDWIDTH:
      /* Never TB/s: people compare links and memories in GB/s. */
      prefix = choose_prefix (bandwidths, G_N_ELEMENTS (bandwidths) - 1, size);
      break;
    case MEMLANE_UNIT_TIME:
      /* Times run over many decades: by the top, the bottom of a logarithm would be 0.00001 s. */
      if (scale->kind != MEMLANE_SCALE_LINEAR && scale->from > 0)
        size = sqrt (scale->from) * sqrt (scale->to);
      prefix = choose_prefix (times, G_N_ELEMENTS (times), size);
      break;
    case MEMLANE_UNIT_RATIO:
      *word = "×";
      return 1;
    case MEMLANE_UNIT_ELEMENTS:
    case MEMLANE_UNIT_BYTES:
    default:
      *word = "";
      return 1;
    }
  *word = prefix->word;
  return prefix->factor;
}

const char *
memlane_scale_axis_unit (const MemlaneScale *scale, MemlaneUnit unit)
{
  const char *word;

  memlane_unit_axis_factor (scale, unit, &word);
  return word;
}
