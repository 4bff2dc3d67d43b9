/* timeline-links.c: lines of text that lead to events of the traces
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-links.h"

#include <glib/gi18n-lib.h>

#include "base/data-file.h"
#include "base/each.h"
#include "chart/answer-words.h"
#include "chart/scale.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

struct _MemlaneTimelineLinks
{
  AdwBin parent_instance;

  GtkWidget *list, *no_links;
  GPtrArray *links[2];
  char *names[2];
  GtkListBoxRow *fresh; /* selected, and not activated since; only compared */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (MemlaneTimelineLinks, memlane_timeline_links, ADW_TYPE_BIN)

/* --- links ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_FREE (MemlaneTimelineLink, static void link_free (gpointer data),
                     OWNS (text, g_free) OWNS (reasons, g_free) OWNS (rewritten, g_free)
                     OWNS (try, g_variant_unref) OWNS (tried, g_free)
                     OWNS (events, g_array_unref))

/* Takes @text. */
static MemlaneTimelineLink *
add_link (GPtrArray *links, char *text, gboolean code)
{
  MemlaneTimelineLink *link = g_new0 (MemlaneTimelineLink, 1);

  link->text = text;
  link->code = code;
  link->events = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_ptr_array_add (links, link);
  return link;
}

GPtrArray *
memlane_timeline_links_of_findings (GPtrArray *findings)
{
  GPtrArray *links = g_ptr_array_new_with_free_func (link_free);

  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      MemlaneTimelineLink *link =
          add_link (links, memlane_answer_to_words (finding->sentence), FALSE);

      g_array_append_vals (link->events, finding->events, finding->n_events);
    }
  return links;
}

/* The lines between the two looks at the clock, without comments, checks and their indent. */
static void
add_program (GPtrArray *links, const char *program)
{
  g_auto (GStrv) lines = g_strsplit (program, "\n", -1);
  MemlaneTimelineLink *before = NULL; /* its statement goes on in the next line, after a comma */
  guint i = 0;

  while (lines[i] != NULL && strstr (lines[i], "timer.start()") == NULL)
    i++;
  while (lines[i] != NULL && lines[++i] != NULL && strstr (lines[i], "timer.stop()") == NULL)
    {
      char *comment = strstr (lines[i], "//"), *check = strstr (lines[i], "CHECK(");

      if (comment != NULL)
        *comment = '\0';
      g_strchomp (lines[i]);
      if (check != NULL && g_str_has_suffix (lines[i], "));"))
        {
          strcpy (lines[i] + strlen (lines[i]) - 2, ";");
          memmove (check, check + strlen ("CHECK("), strlen (check + strlen ("CHECK(")) + 1);
        }
      if (*lines[i] == '\0' || strstr (lines[i], "CHECK_LAUNCH") != NULL)
        continue;
      if (before != NULL && g_str_has_suffix (before->text, ","))
        {
          g_autofree char *begun = before->text;

          before->text = g_strconcat (begun, " ", g_strchug (lines[i]), NULL);
        }
      else
        before = add_link (links, g_strdup (lines[i] + MIN (strspn (lines[i], " "), 4)), TRUE);
    }
}

static gboolean
moves (const MemlaneTraceEvent *events, const guint32 *ids, guint n, MemlaneTraceWay way)
{
  for (guint i = 0; i < n; i++)
    if (events[ids[i]].way == way)
      return TRUE;
  return FALSE;
}

static gboolean
makes_call (const char *line, const MemlaneTrace *trace, guint id)
{
  guint n, n_issued;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const guint32 *issued = memlane_trace_get_correlated (trace, events[id].correlation, &n_issued);
  const char *name = memlane_trace_get_name (trace, events[id].name);
  g_autofree char *call = g_strconcat (name, "(", NULL);

  if (events[id].kind == MEMLANE_TRACE_HOST)
    return strstr (line, "pages[i]") != NULL;
  if (g_str_equal (name, "cudaLaunchKernel"))
    return strstr (line, "<<<") != NULL;
  if (g_str_equal (name, "cudaMemPrefetchAsync"))
    return strstr (line, "prefetch(") != NULL;
  return strstr (line, call) != NULL
         && !(strstr (line, "HostToDevice") != NULL
              && moves (events, issued, n_issued, MEMLANE_TRACE_WAY_TO_HOST))
         && !(strstr (line, "DeviceToHost") != NULL
              && moves (events, issued, n_issued, MEMLANE_TRACE_WAY_TO_DEVICE));
}

GPtrArray *
memlane_timeline_links_of_program (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  const MemlaneMode *mode = info->mode != NULL ? memlane_mode_find (info->mode) : NULL;
  GPtrArray *links = g_ptr_array_new_with_free_func (link_free);
  g_autofree char *relative = NULL, *program = NULL;
  g_autofree guint *calls = NULL;
  const MemlaneTraceEvent *events;
  guint n;

  if (mode == NULL || g_strcmp0 (info->workload, "vector-add") != 0)
    return links;
  relative = g_strdup_printf ("programs/%s.cu", mode->id);
  program = memlane_data_read (relative, NULL);
  if (program == NULL)
    return links;
  add_program (links, program);
  calls = g_new0 (guint, links->len);
  events = memlane_trace_get_events (trace, &n);
  for (guint i = 0; i < n; i++)
    {
      guint n_issued, best = links->len;
      const guint32 *issued =
          memlane_trace_get_correlated (trace, events[i].correlation, &n_issued);

      if (events[i].kind != MEMLANE_TRACE_CALL && events[i].kind != MEMLANE_TRACE_HOST)
        continue;
      /* Several lines with one call take turns, as loops and vectors do. */
      for (guint k = 0; k < links->len; k++)
        if (makes_call (((MemlaneTimelineLink *) links->pdata[k])->text, trace, i)
            && (best == links->len || calls[k] < calls[best]))
          best = k;
      if (best == links->len)
        continue;
      calls[best]++;
      if (n_issued > 0)
        g_array_append_vals (((MemlaneTimelineLink *) links->pdata[best])->events, issued,
                             n_issued);
      else
        g_array_append_val (((MemlaneTimelineLink *) links->pdata[best])->events, i);
    }
  MEMLANE_FOR_EACH (const MemlaneTimelineLink, link, links)
    g_array_sort (link->events, memlane_compare_ids);
  return links;
}

/* What a trial of the change says, or how it is begun. */
static void
add_trial (MemlaneTimelineLink *link, const MemlaneTraceItem *item, guint track,
           MemlaneChangeKind kind)
{
  const MemlaneTrial *trial = item->trials[kind];
  g_autoptr (GPtrArray) answers = trial != NULL ? memlane_trial_describe (trial) : NULL;

  if (item->words == NULL || !memlane_change_can_be_tried (kind))
    return;
  link->try = g_variant_ref_sink (g_variant_new ("(uu)", track, (guint) kind));
  if (trial == NULL)
    return;
  link->tried = memlane_answers_to_words ((const MemlaneAnswer *const *) answers->pdata,
                                          answers->len);
  link->bars[0] = trial->before;
  link->bars[1] = trial->after;
}

GPtrArray *
memlane_timeline_links_of_advice (const MemlaneAdvice *advice, const MemlaneTraceItem *item,
                                  guint track)
{
  GPtrArray *links = g_ptr_array_new_with_free_func (link_free);
  const MemlaneAnswer *const whole[] = { advice->whole, advice->together, advice->costs,
                                         advice->doubt };

  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      const MemlaneAnswer *const reasons[] = { change->sentence, change->price };
      g_autofree char *headline = memlane_answer_to_words (change->headline);
      /* Translators: a change that replaces the one above it */
      char *text = change->is_alternative ? g_strdup_printf (_("Or: %s"), headline)
                                          : g_steal_pointer (&headline);
      MemlaneTimelineLink *link = add_link (links, text, FALSE);

      link->reasons = memlane_answers_to_words (reasons, G_N_ELEMENTS (reasons));
      link->rewritten = g_strdup_printf ("%s\n→\n%s", change->before, change->after);
      add_trial (link, item, track, change->kind);
      g_array_append_vals (link->events, change->events, change->n_events);
    }
  /* what the changes rest on */
  add_link (links, memlane_answers_to_words (whole, G_N_ELEMENTS (whole)), FALSE);
  return links;
}

/* --- rows ------------------------------------------------------------------------------------- */

static GtkWidget *
new_label (const char *text, const char *classes)
{
  GtkWidget *label = memlane_text_new (text, classes);

  gtk_widget_set_hexpand (label, TRUE);
  return label;
}

/* Two bars, as long as the program took; below them what the trial says. (transfer floating) */
static GtkWidget *
new_trial (const MemlaneTimelineLink *link)
{
  const char *const names[2] = { _("As it is"), _("Tried") };
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 6, NULL);

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, link->bars[i], TRUE);
      GtkWidget *bar = gtk_level_bar_new_for_interval (0, MAX (link->bars[0], link->bars[1]));

      gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), link->bars[i]);
      g_object_set (bar, "hexpand", TRUE, "valign", GTK_ALIGN_CENTER, NULL);
      memlane_accessible_set_name (bar, names[i]);
      gtk_grid_attach (GTK_GRID (grid), memlane_text_new (names[i], "caption"), 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), bar, 1, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), memlane_text_new (time, "caption numeric"), 2, i, 1, 1);
    }
  return memlane_box_new (GTK_ORIENTATION_VERTICAL, 3, grid, new_label (link->tried, NULL), NULL);
}

/* Below the bold headline, folded, why, at which price, and the code; and what a trial measured.
 * (transfer floating) */
static GtkWidget *
add_change (const MemlaneTimelineLink *link, GtkWidget *headline)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *box;
  GtkWidget *code = new_label (link->rewritten, "monospace caption");
  GtkWidget *folded = memlane_box_new (GTK_ORIENTATION_VERTICAL, 3,
                                       new_label (link->reasons, "dim-label"), code, NULL);
  /* A click on an expander would choose the row. */
  GtkWidget *unfold = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", _("Why, Price and Code"),
                                    "halign", GTK_ALIGN_START, NULL);

  gtk_label_set_selectable (GTK_LABEL (code), TRUE);
  g_object_bind_property (unfold, "active", folded, "visible", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (buttons), memlane_widget_style (unfold, "caption"));
  if (link->try != NULL)
    {
      GtkWidget *try = g_object_new (GTK_TYPE_BUTTON, "label", _("Try It"), "action-name",
                                     "trace.try", "action-target", link->try, NULL);

      gtk_widget_set_tooltip_text (try, _("Run the program ten times, in turn as it is and changed "
                                          "while it runs, and measure the gain"));
      gtk_box_append (GTK_BOX (buttons), memlane_widget_style (try, "caption"));
    }
  box = memlane_box_new (GTK_ORIENTATION_VERTICAL, 3, memlane_widget_style (headline, "heading"),
                         buttons, folded, NULL);
  if (link->tried != NULL)
    gtk_box_append (GTK_BOX (box), new_trial (link));
  return box;
}

static GtkWidget *
new_row (MemlaneTimelineLink *link)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *label = new_label (link->text, NULL);

  if (link->reasons != NULL)
    label = add_change (link, label);
  gtk_box_append (GTK_BOX (box), label);
  if (link->code)
    memlane_widget_style (label, link->events->len == 0 ? "monospace caption dim-label"
                                                        : "monospace caption");
  else if (link->events->len > 0 && link->reasons == NULL)
    {
      g_autofree char *count = g_strdup_printf (
          ngettext ("%'u event", "%'u events", link->events->len), link->events->len);
      GtkWidget *events =
          g_object_new (GTK_TYPE_LABEL, "label", count, "valign", GTK_ALIGN_START, NULL);

      gtk_box_append (GTK_BOX (box), memlane_widget_style (events, "dim-label numeric"));
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                              memlane_widget_space (box, 12, link->code ? 1 : 6));
  if (link->events->len > 0)
    gtk_widget_set_tooltip_text (
        row, _("Show its events in the timeline. Choose it again to clear them."));
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), link->events->len > 0);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), link->events->len > 0);
  memlane_accessible_set_name (row, link->text);
  g_object_set_data (G_OBJECT (row), "memlane-link", link);
  return row;
}

static MemlaneTimelineLink *
get_link (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "memlane-link");
}

/* Adds a header where the links of another trace begin. */
static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  MemlaneTimelineLinks *self = data;
  guint track = get_link (row)->track;
  GtkWidget *title;

  gtk_list_box_row_set_header (row, NULL);
  if (self->links[0] == NULL || self->links[1] == NULL
      || (before != NULL && get_link (before)->track == track))
    return;
  title = new_label (self->names[track], "heading");
  g_object_set (title, "margin-start", 12, "margin-top", 6, NULL);
  gtk_list_box_row_set_header (row, title);
}

/* Follows a row that a click or an arrow key selects. */
static void
selected_cb (MemlaneTimelineLinks *self, GtkListBoxRow *row)
{
  MemlaneTimelineLink *link = row != NULL ? get_link (row) : NULL;

  self->fresh = row;
  if (!self->filling)
    g_signal_emit_by_name (self, "chosen", link != NULL ? link->track : 0, link);
}

/* Follows the row that Return activates, or a click, which selected it before. */
static void
activated_cb (MemlaneTimelineLinks *self, GtkListBoxRow *row)
{
  if (self->fresh == row && gtk_list_box_row_is_selected (row))
    self->fresh = NULL;
  else if (gtk_list_box_row_is_selected (row))
    gtk_list_box_unselect_row (GTK_LIST_BOX (self->list), row);
  else
    gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
}

/* --- what is shown ---------------------------------------------------------------------------- */

static void
clear (MemlaneTimelineLinks *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->links[i], g_ptr_array_unref);
      g_clear_pointer (&self->names[i], g_free);
    }
}

void
memlane_timeline_links_set (MemlaneTimelineLinks *self, GPtrArray *const links[2],
                            const char *const names[2])
{
  GtkListBoxRow *row;

  self->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  self->filling = FALSE;
  clear (self);
  for (guint i = 0; i < 2; i++)
    {
      self->links[i] = links[i] != NULL ? g_ptr_array_ref (links[i]) : NULL;
      self->names[i] = g_strdup (names[i]);
    }
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; links[i] != NULL && k < links[i]->len; k++)
      {
        ((MemlaneTimelineLink *) links[i]->pdata[k])->track = i;
        gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (links[i]->pdata[k]));
      }
  gtk_widget_set_visible (self->no_links, TRUE);
}

void
memlane_timeline_links_choose (MemlaneTimelineLinks *self, guint row)
{
  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) row));
}

void
memlane_timeline_links_light (MemlaneTimelineLinks *self, guint track, guint32 event)
{
  GtkAdjustment *place = gtk_list_box_get_adjustment (GTK_LIST_BOX (self->list));
  GtkListBoxRow *row;
  gboolean any = FALSE;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    {
      graphene_rect_t bounds;
      const MemlaneTimelineLink *link = get_link (row);
      gboolean lit = link->track == track
                     && g_array_binary_search (link->events, &event, memlane_compare_ids, NULL);

      memlane_widget_set_class (GTK_WIDGET (row), "lit", lit);
      if (lit && !any && place != NULL
          && gtk_widget_compute_bounds (GTK_WIDGET (row), self->list, &bounds))
        gtk_adjustment_clamp_page (place, bounds.origin.y, bounds.origin.y + bounds.size.height);
      any = any || lit;
    }
}

/* --- life ------------------------------------------------------------------------------------- */

/* Rows that go now mean nothing. */
MEMLANE_DEFINE_RELEASE (MemlaneTimelineLinks, memlane_timeline_links, dispose,
                        self->filling = TRUE;)
MEMLANE_DEFINE_RELEASE (MemlaneTimelineLinks, memlane_timeline_links, finalize, clear (self);)

static void
memlane_timeline_links_class_init (MemlaneTimelineLinksClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "chosen", 2, G_TYPE_UINT, G_TYPE_POINTER);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/memlane/Memlane/timeline-links.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTimelineLinks, list, no_links);
  MEMLANE_BIND_CALLBACKS (selected_cb, activated_cb);
}

static void
memlane_timeline_links_init (MemlaneTimelineLinks *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, self, NULL);
}
