/* size-spin.c: a spin button whose number is an exponent: "2¹⁰"
 *
 * SPDX-License-Identifier: MIT
 */
#include "size-spin.h"

#include "base/size.h"
#include "chart/scale.h"
#include "memlane.h"

static int
superscript_digit (gunichar c)
{
  static const gunichar digits[] = { 0x2070, 0xb9,   0xb2,   0xb3,   0x2074,
                                     0x2075, 0x2076, 0x2077, 0x2078, 0x2079 };

  for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
    if (digits[i] == c)
      return (int) i;
  return -1;
}

gboolean
memlane_size_spin_parse (const char *text, double *log2)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *at = stripped;
  guint value = 0, digits = 0;
  gboolean raised = FALSE, bare = FALSE;

  if (g_str_has_prefix (at, "2^"))
    at += 2;
  else if (*at == '2' && superscript_digit (g_utf8_get_char (at + 1)) >= 0)
    {
      at++;
      raised = TRUE;
    }
  else
    bare = TRUE;
  for (; *at != '\0' && digits < 9; at = g_utf8_next_char (at), digits++)
    {
      gunichar c = g_utf8_get_char (at);
      int digit = raised ? superscript_digit (c) : g_unichar_digit_value (c);

      if (digit < 0)
        return FALSE;
      value = value * 10 + (guint) digit;
    }
  if (digits == 0 || *at != '\0')
    return FALSE;
  /* "100000" are elements */
  *log2 = bare && value > MEMLANE_LARGEST_LOG2 ? memlane_size_of (value) : value;
  return TRUE;
}

static int
input_cb (GtkSpinButton *spin, double *value)
{
  double log2;

  /* Text that is no number changes nothing; GTK would take it for the lowest. */
  *value = memlane_size_spin_parse (gtk_editable_get_text (GTK_EDITABLE (spin)), &log2)
               ? log2
               : gtk_spin_button_get_value (spin);
  return TRUE;
}

static gboolean
output_cb (GtkSpinButton *spin)
{
  g_autofree char *text = memlane_unit_format_power (gtk_spin_button_get_value (spin));

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
  return TRUE;
}

void
memlane_size_spin_init (GtkSpinButton *spin)
{
  g_signal_connect (spin, "input", G_CALLBACK (input_cb), NULL);
  g_signal_connect (spin, "output", G_CALLBACK (output_cb), NULL);
  gtk_spin_button_update (spin);
}
