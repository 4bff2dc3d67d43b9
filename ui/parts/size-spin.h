/* size-spin.h: a spin button whose number is an exponent: "2¹⁰"
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* Makes @spin show its whole number n as 2ⁿ and read "10", "2^10" and "2¹⁰". */
void memlane_size_spin_init (GtkSpinButton *spin);
/* FALSE where @text is none of these. */
gboolean memlane_size_spin_parse (const char *text, guint *log2);
