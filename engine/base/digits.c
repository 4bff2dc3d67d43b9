/* digits.c: how many digits a figure has where a person reads it
 *
 * SPDX-License-Identifier: MIT
 */
#include "digits.h"

#include <math.h>

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
