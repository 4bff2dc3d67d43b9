/* printable.h: text of others as a terminal can show it
 *
 * SPDX-License-Identifier: MIT
 *
 * A name in a file may hold escape sequences, which a terminal would obey, and marks that turn the order of the letters around it. Any
 * thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends @length bytes of @text. What is no printable character is written out: "\x1b" for a control character below U+0080 or a byte that
 * is no UTF-8. "\u009b" stands for other control characters, marks of writing direction, line separators and what has no character at all.
 * Newlines and tabs stay if @keeps_lines. */
void memlane_text_append_printable (GString *text, const char *value, gsize length, gboolean keeps_lines);
/* Whether all of @value, which ends in 0, stays as it is, newlines and tabs not counted as printable. */
gboolean memlane_text_is_printable (const char *value);

G_END_DECLS
