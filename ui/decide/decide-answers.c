/* decide-answers.c: sentences below each other, each of which can be selected
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-answers.h"

#include <glib/gi18n-lib.h>

#include "model/fields.h"
#include "parts/widgets.h"

struct _MemlaneDecideAnswers
{
  AdwBin parent_instance;

  GtkListBox *list;
  GtkWidget *more;      /* (nullable): the last row, for those sentences that have none yet */
  guint most;           /* sentences that have rows */
  GPtrArray *sentences; /* (element-type utf8) (owned) (nullable) */
  gboolean stale;       /* the rows do not show them yet */
};

G_DEFINE_FINAL_TYPE (MemlaneDecideAnswers, memlane_decide_answers, ADW_TYPE_BIN)

/* Rows that are made at once: each layout of the page measures them, and sixty runs may have a
 * hundred limitations. */
#define PART 16

/* The row takes the arrow keys, Tab goes on to its text and then out of the list. */
static void
append_row (MemlaneDecideAnswers *self)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "selectable", TRUE, "wrap", TRUE, "wrap-mode",
                                   PANGO_WRAP_WORD_CHAR, "xalign", 0.0, "hexpand", TRUE,
                                   "max-width-chars", 46, NULL);
  GtkWidget *row = g_object_new (GTK_TYPE_LIST_BOX_ROW, "activatable", FALSE, "child", label, NULL);

  memlane_widget_space (label, 12, 8);
  gtk_list_box_append (self->list, row);
}

/* The row that brings the next ones, or none. */
static void
show_more (MemlaneDecideAnswers *self, guint more)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u more", "%u more", more), more);

  if (self->more != NULL)
    gtk_list_box_remove (self->list, self->more);
  self->more = NULL;
  if (more == 0)
    return;
  self->more = g_object_new (GTK_TYPE_LIST_BOX_ROW, "child", gtk_label_new (text), "height-request",
                             40, NULL);
  gtk_list_box_append (self->list, self->more);
  memlane_accessible_set_name (self->more, text);
}

static void
fill (MemlaneDecideAnswers *self)
{
  guint all = self->sentences != NULL ? self->sentences->len : 0, n = MIN (all, self->most);
  GtkListBoxRow *row;

  self->stale = FALSE;
  show_more (self, 0);
  for (guint i = 0; i < n; i++)
    {
      const char *sentence = self->sentences->pdata[i];
      GtkWidget *label;

      if (gtk_list_box_get_row_at_index (self->list, (int) i) == NULL)
        append_row (self);
      row = gtk_list_box_get_row_at_index (self->list, (int) i);
      label = gtk_list_box_row_get_child (row);
      if (g_str_equal (gtk_label_get_text (GTK_LABEL (label)), sentence))
        continue;
      gtk_label_set_text (GTK_LABEL (label), sentence);
      memlane_accessible_set_name (GTK_WIDGET (row), sentence);
    }
  while ((row = gtk_list_box_get_row_at_index (self->list, (int) n)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  show_more (self, all - n);
}

static void
row_activated_cb (MemlaneDecideAnswers *self, GtkListBoxRow *row)
{
  int first = gtk_list_box_row_get_index (row);

  if (GTK_WIDGET (row) != self->more)
    return;
  self->most += PART;
  fill (self);
  /* the first of the new ones */
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, first)));
}

void
memlane_decide_answers_set (MemlaneDecideAnswers *self, GPtrArray *sentences)
{
  g_clear_pointer (&self->sentences, g_ptr_array_unref);
  self->sentences = sentences != NULL ? g_ptr_array_ref (sentences) : NULL;
  self->stale = TRUE;
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    fill (self);
}

void
memlane_decide_answers_set_name (MemlaneDecideAnswers *self, const char *name)
{
  memlane_accessible_set_name (GTK_WIDGET (self->list), name);
}

/* An expander that is closed has its child outside of the window: it is filled when it comes in. */
static void
memlane_decide_answers_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (memlane_decide_answers_parent_class)->root (widget);
  if (MEMLANE_DECIDE_ANSWERS (widget)->stale)
    fill (MEMLANE_DECIDE_ANSWERS (widget));
}

MEMLANE_DEFINE_RELEASE (MemlaneDecideAnswers, memlane_decide_answers, finalize,
                        OWNS (sentences, g_ptr_array_unref))

static void
memlane_decide_answers_class_init (MemlaneDecideAnswersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->root = memlane_decide_answers_root;
}

static void
memlane_decide_answers_init (MemlaneDecideAnswers *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (row_activated_cb), self,
                           G_CONNECT_SWAPPED);
  self->most = PART;
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->list));
}

/* --- in an expander --------------------------------------------------------------------------- */

void
memlane_decide_expander_set (GtkExpander *expander, const char *title, GPtrArray *sentences)
{
  MemlaneDecideAnswers *list = MEMLANE_DECIDE_ANSWERS (gtk_expander_get_child (expander));
  /* Translators: a heading and how many sentences stand below it */
  g_autofree char *label = g_strdup_printf (_("%s (%u)"), title, sentences->len);

  gtk_expander_set_label (expander, label);
  gtk_widget_set_visible (GTK_WIDGET (expander), sentences->len > 0);
  memlane_decide_answers_set_name (list, title);
  memlane_decide_answers_set (list, sentences);
}
