/* superscripts.h: the digits of an exponent come from one font
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* For all texts of this process. Before the first of them: Pango remembers what a font can write. */
void memlane_superscripts_unify (void);
