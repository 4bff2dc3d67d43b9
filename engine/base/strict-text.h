/* strict-text.h: numbers to text and back exactly, whatever the locale; fields of a CSV, strings of
 * JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * Any thread; nothing here can fail for want of anything but memory.
 */
#pragma once

#include <glib.h>

/* Appends the fewest digits that read back as the same double; a whole number below 1e15 without an
 * exponent. Nothing for inf and nan. */
void memlane_text_append_number (GString *text, double value);
/* Appends @value rounded to @digits significant digits (1 to 17), without trailing zeros. Nothing
 * for inf and nan. */
void memlane_text_append_rounded (GString *text, double value, guint digits);
/* Appends a string of JSON with its quotes. Bytes that are no UTF-8 are replaced. */
void memlane_text_append_json (GString *text, const char *value);
void memlane_text_append_count (GString *text, guint64 value);
/* Whether a spreadsheet that opens a CSV would run @value: it begins with =, +, -, @, a tab or a
 * carriage return. */
gboolean memlane_text_is_formula (const char *value);
/* Appends one field of a CSV, in quotes only where it must be; NULL: an empty field. Bytes that are
 * no UTF-8 are replaced. What a spreadsheet would run gets a ' in front. */
void memlane_text_append_field (GString *text, const char *value);

/* Reads a number that is the whole of @text: digits, '.', an exponent, a sign; no blank, no "inf",
 * no "nan", no hexadecimal. (A whole number: g_ascii_string_to_unsigned(), which is as strict.)
 * FALSE: it is none, or no double holds it; *value is infinite then, and 0 when it is none. */
gboolean memlane_text_read_number (const char *text, double *value);

/* Appends @length bytes of @value for a terminal, which would obey escape sequences. What is no
 * printable character is written out: "\x1b" for a control character below U+0080 or a byte that is
 * no UTF-8. "\u009b" stands for other control characters, marks of writing direction, line
 * separators and what has no character at all. Newlines and tabs stay if @keeps_lines. */
void memlane_text_append_printable (GString *text, const char *value, gsize length,
                                    gboolean keeps_lines);
/* Whether all of @value, which ends in 0, stays as it is, newlines and tabs not counted as
 * printable. */
gboolean memlane_text_is_printable (const char *value);

/* Whether @text may be a path, a word of a shell and a field of a table: the id of a run, a
 * profile, a node, a machine. Each reader asks that takes such a name from elsewhere. Returns NULL,
 * or what is expected: a literal. */
const char *memlane_check_name (const char *text);

/* Figures for people have three significant digits, zeros behind the point included: "1.20",
 * "41.0", "255". */

/* Returns @value to three significant digits, so that 999.6 ns can be called 1.00 µs. */
double memlane_digits_round (double value);
/* Writes @value with the decimals that make three significant digits. Digits before the point are
 * all kept; from 10^15 on it has an exponent. @localized: the locale's decimal point, else '.'.
 * (transfer full) */
char *memlane_digits_format (double value, gboolean localized);
/* Writes nanoseconds in the unit that suits them: "27.9 us" for files and terminals; if @is_drawn,
 * "27.9 µs" for windows and figures. @localized: as above. (transfer full) */
char *memlane_digits_format_time (double ns, gboolean is_drawn, gboolean localized);

/* Counts the columns of a terminal that @text takes: a Chinese character is as wide as two Latin
 * ones. */
guint memlane_count_columns (const char *text);
