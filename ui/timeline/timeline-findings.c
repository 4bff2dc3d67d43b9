/* timeline-findings.c: what the traces show, in sentences that lead to their events
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-findings.h"

#include <glib/gi18n-lib.h>

#include "chart/answer-words.h"
#include "parts/accessible.h"

struct _MemlaneTimelineFindings
{
  AdwBin parent_instance;

  GtkWidget *stack, *list;
  GPtrArray *findings[2];
  char *names[2];
  GtkListBoxRow *fresh; /* selected, and not activated since; only compared */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (MemlaneTimelineFindings, memlane_timeline_findings, ADW_TYPE_BIN)

static guint signal_finding;

/* --- rows ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
new_label (const char *text)
{
  return g_object_new (GTK_TYPE_LABEL, "label", text, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0.0, "hexpand", TRUE,
                       NULL);
}

static GtkWidget *
new_row (const MemlaneTraceFinding *finding, guint track, guint place)
{
  g_autofree char *count = g_strdup_printf (ngettext ("%'u event", "%'u events", finding->n_events), finding->n_events);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *events = gtk_label_new (count);
  g_autofree char *text = memlane_answer_to_words (finding->sentence);

  gtk_widget_add_css_class (events, "dim-label");
  gtk_widget_add_css_class (events, "numeric");
  gtk_widget_set_valign (events, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), new_label (text));
  gtk_box_append (GTK_BOX (box), events);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_tooltip_text (row, _("Show its events in the timeline. Choose it again to clear them."));
  memlane_accessible_set_name (row, text);
  g_object_set_data (G_OBJECT (row), "memlane-track", GUINT_TO_POINTER (track));
  g_object_set_data (G_OBJECT (row), "memlane-finding", GUINT_TO_POINTER (place));
  return row;
}

static guint
get_track (GtkListBoxRow *row)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "memlane-track"));
}

static guint
get_place (GtkListBoxRow *row)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "memlane-finding"));
}

/* Adds a header where the findings of another trace begin. */
static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  MemlaneTimelineFindings *self = data;
  guint track = get_track (row);
  GtkWidget *title;

  gtk_list_box_row_set_header (row, NULL);
  if (self->findings[0] == NULL || self->findings[1] == NULL || (before != NULL && get_track (before) == track))
    return;
  title = new_label (self->names[track]);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_margin_start (title, 12);
  gtk_widget_set_margin_top (title, 6);
  gtk_list_box_row_set_header (row, title);
}

/* By a click or an arrow key. */
static void
selected_cb (MemlaneTimelineFindings *self, GtkListBoxRow *row)
{
  guint track = row != NULL ? get_track (row) : 0;

  self->fresh = row;
  if (self->filling)
    return;
  g_signal_emit (self, signal_finding, 0, track, row != NULL ? self->findings[track]->pdata[get_place (row)] : NULL);
}

/* By a click, which has selected it just before, or Return. */
static void
activated_cb (MemlaneTimelineFindings *self, GtkListBoxRow *row)
{
  if (self->fresh == row && gtk_list_box_row_is_selected (row))
    self->fresh = NULL;
  else if (gtk_list_box_row_is_selected (row))
    gtk_list_box_unselect_row (GTK_LIST_BOX (self->list), row);
  else
    gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
}

/* --- what is shown --------------------------------------------------------------------------------------------- */

static void
clear (MemlaneTimelineFindings *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->findings[i], g_ptr_array_unref);
      g_clear_pointer (&self->names[i], g_free);
    }
}

void
memlane_timeline_findings_set (MemlaneTimelineFindings *self, GPtrArray *const findings[2], const char *const names[2])
{
  GtkWidget *row;
  guint n = 0;

  self->filling = TRUE;
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  self->filling = FALSE;
  clear (self);
  for (guint i = 0; i < 2; i++)
    {
      self->findings[i] = findings[i] != NULL ? g_ptr_array_ref (findings[i]) : NULL;
      self->names[i] = g_strdup (names[i]);
    }
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; findings[i] != NULL && k < findings[i]->len; k++, n++)
      gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (findings[i]->pdata[k], i, k));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "findings" : "nothing");
}

void
memlane_timeline_findings_choose (MemlaneTimelineFindings *self, guint row)
{
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) row));
}

/* --- life ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  MemlaneTimelineFindings *self = MEMLANE_TIMELINE_FINDINGS (object);

  self->filling = TRUE; /* the rows that go now mean nothing */
  G_OBJECT_CLASS (memlane_timeline_findings_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  clear (MEMLANE_TIMELINE_FINDINGS (object));
  G_OBJECT_CLASS (memlane_timeline_findings_parent_class)->finalize (object);
}

static void
memlane_timeline_findings_class_init (MemlaneTimelineFindingsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signal_finding = g_signal_new ("finding", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                 G_TYPE_POINTER);
}

static void
memlane_timeline_findings_init (MemlaneTimelineFindings *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *nothing = new_label (_("Nothing in this trace stands out."));

  self->list = gtk_list_box_new ();
  self->stack = gtk_stack_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_SINGLE);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, self, NULL);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (activated_cb), self);
  memlane_accessible_set_name (self->list, _("Findings"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_label_set_xalign (GTK_LABEL (nothing), 0.5);
  gtk_label_set_justify (GTK_LABEL (nothing), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "findings");
  gtk_stack_add_named (GTK_STACK (self->stack), nothing, "nothing");
  adw_bin_set_child (ADW_BIN (self), self->stack);
}
