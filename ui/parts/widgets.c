/* widgets.c: widgets made in one expression
 *
 * SPDX-License-Identifier: MIT
 */
#include "widgets.h"

GtkWidget *
memlane_box_new (GtkOrientation orientation, int spacing, ...)
{
  GtkWidget *box = gtk_box_new (orientation, spacing), *child;
  va_list children;

  va_start (children, spacing);
  while ((child = va_arg (children, GtkWidget *)) != NULL)
    gtk_box_append (GTK_BOX (box), child);
  va_end (children);
  return box;
}

GtkWidget *
memlane_text_new (const char *text, const char *classes)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);

  return memlane_widget_style (label, classes);
}

GtkWidget *
memlane_inscription_new (guint width, guint least, gboolean numeric)
{
  GtkWidget *text = g_object_new (GTK_TYPE_INSCRIPTION, "min-chars", least, "nat-chars", width, "nat-lines", 1, "text-overflow",
                                  GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END, "xalign", numeric ? 1.0 : 0.0, "hexpand", TRUE, NULL);

  if (numeric)
    gtk_widget_set_direction (text, GTK_TEXT_DIR_LTR); /* numbers and units read so everywhere */
  return memlane_widget_style (text, numeric ? "numeric" : NULL);
}

GtkWidget *
memlane_widget_style (GtkWidget *widget, const char *classes)
{
  g_auto (GStrv) each = g_strsplit (classes != NULL ? classes : "", " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    gtk_widget_add_css_class (widget, each[i]);
  return widget;
}

void
memlane_widget_set_class (GtkWidget *widget, const char *css_class, gboolean wanted)
{
  (wanted ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (widget, css_class);
}

GtkWidget *
memlane_widget_space (GtkWidget *widget, int beside, int above)
{
  g_object_set (widget, "margin-start", beside, "margin-end", beside, "margin-top", above, "margin-bottom", above, NULL);
  return widget;
}
