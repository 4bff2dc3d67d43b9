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

GtkWidget *
memlane_experiment_row_new (gpointer object, gpointer data)
{
  MemlaneExperimentItem *item = object;
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/memlane/Memlane/experiment-row.ui");
  g_autofree char *number = item->experiment->number > 0 ? g_strdup_printf ("%u", item->experiment->number) : g_strdup ("·");
  GtkWidget *row = g_object_ref_sink (GTK_WIDGET (gtk_builder_get_object (builder, "row")));
  Row *parts = g_new (Row, 1);

  *parts = (Row) { GTK_WIDGET (gtk_builder_get_object (builder, "verdict")), GTK_WIDGET (gtk_builder_get_object (builder, "icon")),
                   GTK_WIDGET (gtk_builder_get_object (builder, "words")) };
  gtk_label_set_text (GTK_LABEL (gtk_builder_get_object (builder, "place")), number);
  gtk_label_set_text (GTK_LABEL (gtk_builder_get_object (builder, "title")), item->experiment->title);
  g_object_set_data_full (G_OBJECT (row), "memlane-row", parts, g_free);
  g_signal_connect_object (item, "changed", G_CALLBACK (item_changed_cb), row, 0);
  item_changed_cb (item, row);
  return row;
}
