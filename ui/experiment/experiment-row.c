/* experiment-row.c: a row in the list of experiments, with the verdict once it was run
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-row.h"

#include "parts/accessible.h"
#include "experiment-words.h"

typedef struct
{
  GtkWidget *verdict, *icon, *words;
} Row;

static void
item_changed_cb (MemlaneExperimentItem *item, GtkWidget *row)
{
  const Row *parts = g_object_get_data (G_OBJECT (row), "memlane-row");
  const MemlaneExperiment *experiment = item->experiment;
  const MemlaneExperimentResult *result = item->result;
  g_autofree char *verdict = result != NULL ? memlane_experiment_words_verdict (result->verdict) : NULL;
  g_autofree char *number = experiment->number > 0 ? g_strdup_printf ("%u. ", experiment->number) : g_strdup ("");
  gboolean asks = g_str_has_suffix (experiment->title, "?") || g_str_has_suffix (experiment->title, "？");
  g_autofree char *name = g_strconcat (number, experiment->title, verdict == NULL ? "" : asks ? " " : ". ", verdict, NULL);

  gtk_widget_set_visible (parts->verdict, result != NULL);
  if (result != NULL)
    {
      gtk_label_set_text (GTK_LABEL (parts->words), verdict);
      gtk_image_set_from_icon_name (GTK_IMAGE (parts->icon), memlane_experiment_words_icon (result->verdict));
      memlane_experiment_words_color (parts->verdict, result->verdict);
    }
  memlane_accessible_set_name (row, name);
}

static GtkWidget *
make_verdict (Row *parts)
{
  parts->verdict = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  parts->icon = gtk_image_new ();
  parts->words = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (parts->words), 0);
  gtk_label_set_ellipsize (GTK_LABEL (parts->words), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (parts->words, "caption");
  gtk_box_append (GTK_BOX (parts->verdict), parts->icon);
  gtk_box_append (GTK_BOX (parts->verdict), parts->words);
  return parts->verdict;
}

GtkWidget *
memlane_experiment_row_new (gpointer object, gpointer data)
{
  MemlaneExperimentItem *item = object;
  const MemlaneExperiment *experiment = item->experiment;
  g_autofree char *number = experiment->number > 0 ? g_strdup_printf ("%u", experiment->number) : g_strdup ("·");
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *place = gtk_label_new (number), *title = gtk_label_new (experiment->title);
  Row *parts = g_new (Row, 1);

  gtk_label_set_width_chars (GTK_LABEL (place), 2);
  gtk_label_set_xalign (GTK_LABEL (place), 1);
  gtk_widget_set_valign (place, GTK_ALIGN_START);
  gtk_widget_add_css_class (place, "numeric");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (title), 3);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (column, TRUE);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER); /* a row is two lines high at the least */
  gtk_widget_set_margin_top (box, 3);
  gtk_widget_set_margin_bottom (box, 3);
  gtk_box_append (GTK_BOX (column), title);
  gtk_box_append (GTK_BOX (column), make_verdict (parts));
  gtk_box_append (GTK_BOX (box), place);
  gtk_box_append (GTK_BOX (box), column);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "memlane-row", parts, g_free);
  g_signal_connect_object (item, "changed", G_CALLBACK (item_changed_cb), row, 0);
  item_changed_cb (item, row);
  return row;
}
