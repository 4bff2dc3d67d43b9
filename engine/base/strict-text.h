/* strict-text.h: numbers to text and back exactly, whatever the locale; fields of a CSV, strings of JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * Any thread; nothing here can fail for want of anything but memory.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends the fewest digits that read back as the same double; a whole number below 1e15 without an exponent. Nothing for inf and nan. */
void memlane_text_append_number (GString *text, double value);
/* Appends @value rounded to @digits significant digits (1 to 17), without trailing zeros. Nothing for inf and nan. */
void memlane_text_append_rounded (GString *text, double value, guint digits);
/* Appends a string of JSON with its quotes. Bytes that are no UTF-8 are replaced. */
void memlane_text_append_json (GString *text, const char *value);
void memlane_text_append_count (GString *text, guint64 value);
/* Whether a spreadsheet that opens a CSV would run @value: it begins with =, +, -, @, a tab or a carriage return. */
gboolean memlane_text_is_formula (const char *value);
/* Appends one field of a CSV, in quotes only where it must be; NULL: an empty field. Bytes that are no UTF-8 are replaced. What a
 * spreadsheet would run gets a ' in front. */
void memlane_text_append_field (GString *text, const char *value);

/* Reads a number that is the whole of @text: digits, '.', an exponent, a sign; no blank, no "inf", no "nan", no hexadecimal. (A whole
 * number: g_ascii_string_to_unsigned(), which is as strict.) FALSE: it is none, or no double holds it; *value is infinite then, and 0
 * when it is none. */
gboolean memlane_text_read_number (const char *text, double *value);

G_END_DECLS
