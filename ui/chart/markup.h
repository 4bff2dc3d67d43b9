/* markup.h: text inside XML and HTML
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* Appends @text as it stands between tags and in quotes: <, >, &, ' and " are escaped, and what XML
 * has no place for (control characters, bytes that are no UTF-8) is U+FFFD. NULL is "". */
void memlane_markup_append (GString *markup, const char *text);
/* Appends @format, which is markup. It knows %s, whose text is escaped, %u, %d and %%. */
void memlane_markup_printf (GString *markup, const char *format, ...) G_GNUC_PRINTF (2, 3);
