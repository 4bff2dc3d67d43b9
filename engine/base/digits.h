/* digits.h: how many digits a figure has where a person reads it
 *
 * SPDX-License-Identifier: MIT
 *
 * Three significant ones, zeros behind the point included: "1.20", "41.0", "255". Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @value to three significant digits, so that 999.6 ns can be called 1.00 µs. */
double memlane_digits_round (double value);
/* @value with the decimals that make three significant digits. Digits before the point are all kept; from 10^15 on it has an exponent.
 * @localized: the locale's decimal point, else '.'. (transfer full) */
char *memlane_digits_format (double value, gboolean localized);

G_END_DECLS
