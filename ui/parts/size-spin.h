/* size-spin.h: a spin button whose number is an exponent: "2¹⁰"
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* Makes @spin show its number n as 2ⁿ, or as its elements where n is not whole, and read "10",
 * "2^10", "2¹⁰" and "100000". */
void memlane_size_spin_init (GtkSpinButton *spin);
/* FALSE where @text is none of these. */
gboolean memlane_size_spin_parse (const char *text, double *log2);
