/* experiment-choice.c: one of several answers is predicted; afterwards the right one is marked
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-choice.h"

#include <glib/gi18n-lib.h>

#include "chart/answer-words.h"
#include "experiment-words.h"
#include "parts/accessible.h"
#include "model/fields.h"

struct _MemlaneExperimentChoice
{
  AdwBin parent_instance;
  MemlaneExperimentItem *item; /* (owned) */
  GPtrArray *buttons; /* (element-type GtkCheckButton) */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentChoice, memlane_experiment_choice, ADW_TYPE_BIN)

static void
update (MemlaneExperimentChoice *self)
{
  const MemlaneExperimentResult *result = self->item->result;
  int choice = self->item->choice;

  self->filling = TRUE;
  for (guint i = 0; i < self->buttons->len; i++)
    {
      gtk_check_button_set_active (self->buttons->pdata[i], choice == (int) i);
      gtk_widget_set_sensitive (self->buttons->pdata[i], result == NULL);
    }
  self->filling = FALSE;
}

static void
toggled_cb (MemlaneExperimentChoice *self, GtkCheckButton *button)
{
  guint choice;

  if (!self->filling && gtk_check_button_get_active (button) && g_ptr_array_find (self->buttons, button, &choice))
    memlane_experiment_item_set_choice (self->item, (int) choice);
}

static GtkWidget *
make_row (MemlaneExperimentChoice *self, const char *choice)
{
  GtkWidget *row = adw_action_row_new (), *button = gtk_check_button_new ();
  g_autofree char *title = memlane_words_typeset (choice);

  if (self->buttons->len > 0)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (button), self->buttons->pdata[0]);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  memlane_accessible_set_name (button, title);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 4);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (toggled_cb), self);
  g_ptr_array_add (self->buttons, button);
  return row;
}

MEMLANE_DEFINE_RELEASE (MemlaneExperimentChoice, memlane_experiment_choice, dispose, self->filling = TRUE; OWNS (item, g_object_unref))

MEMLANE_DEFINE_RELEASE (MemlaneExperimentChoice, memlane_experiment_choice, finalize, OWNS (buttons, g_ptr_array_unref))

static void
memlane_experiment_choice_class_init (MemlaneExperimentChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
memlane_experiment_choice_init (MemlaneExperimentChoice *self)
{
  self->buttons = g_ptr_array_new ();
}

GtkWidget *
memlane_experiment_choice_new (MemlaneExperimentItem *item)
{
  MemlaneExperimentChoice *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_CHOICE, NULL);
  const MemlanePrediction *prediction = &item->experiment->prediction;
  GtkWidget *list = gtk_list_box_new ();

  self->item = g_object_ref (item);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  memlane_accessible_set_name (list, prediction->question);
  for (guint i = 0; prediction->choices[i] != NULL; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), make_row (self, prediction->choices[i]));
  adw_bin_set_child (ADW_BIN (self), list);
  g_signal_connect_object (item, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
