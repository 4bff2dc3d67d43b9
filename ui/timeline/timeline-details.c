/* timeline-details.c: what is known of the traces that are seen: findings, summary, notes
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-details.h"

#include <glib/gi18n-lib.h>

#include "chart/chart-words.h"
#include "chart/timeline/timeline.h"
#include "model/sentence.h"
#include "model/trace-item.h"
#include "parts/template.h"
#include "model/fields.h"
#include "parts/widgets.h"
#include "base/each.h"

struct _MemlaneTimelineDetails
{
  AdwBin parent_instance;

  GtkStack *pages;
  GtkWidget *sort_button, *copy_button;
  GtkLabel *notes;
  MemlaneTimelineLinks *findings;
  MemlaneTimelineSummary *summary;
  guint serial;      /* of the traces that were set last */
};

G_DEFINE_FINAL_TYPE (MemlaneTimelineDetails, memlane_timeline_details, ADW_TYPE_BIN)

/* --- the worker ------------------------------------------------------------------------------- */

typedef struct
{
  GWeakRef details;
  guint serial;
  MemlaneTrace *traces[2];
  char *names[2];
  GPtrArray *findings[2];
  GArray *rows[2];
} Work;

#define OWNS_PARTS(i)                                                                              \
  OWNS (findings[i], g_ptr_array_unref)                                                            \
  OWNS (rows[i], g_array_unref) OWNS (traces[i], memlane_trace_unref) OWNS (names[i], g_free)
MEMLANE_DEFINE_FREE (Work, static void work_free (gpointer data), g_weak_ref_clear (&self->details);
                     OWNS_PARTS (0) OWNS_PARTS (1))

static void
find_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;

  for (guint i = 0; i < 2; i++)
    if (work->traces[i] != NULL)
      {
        if (work->findings[i] == NULL)
          work->findings[i] = memlane_trace_find (work->traces[i]);
        work->rows[i] = memlane_trace_summarize (work->traces[i]);
      }
  g_task_return_boolean (task, TRUE);
}

static void
set_busy (MemlaneTimelineDetails *self, gboolean busy)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, busy, -1);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (MemlaneTimelineDetails) self = g_weak_ref_get (&work->details);
  GPtrArray *links[2];

  if (self == NULL)
    return;
  if (work->serial != self->serial)
    return; /* others are seen by now */
  set_busy (self, FALSE);
  for (guint i = 0; i < 2; i++)
    links[i] = work->findings[i] != NULL ? memlane_timeline_links_of_findings (work->findings[i])
                                         : NULL;
  memlane_timeline_links_set (self->findings, links, (const char *const *) work->names);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&links[i], g_ptr_array_unref);
  memlane_timeline_summary_set (self->summary, work->traces, work->rows,
                                (const char *const *) work->names);
}

/* --- the notes: how a trace was recorded and what is missing in it ---------------------------- */

static void
add_line (GString *text, const char *title, const char *words)
{
  g_autofree char *sentence = memlane_sentence_new (words);
  g_autofree char *line = NULL;

  if (sentence == NULL || *sentence == '\0')
    return;
  line = title != NULL ? g_markup_printf_escaped ("<b>%s</b>  %s\n", title, sentence)
                       : g_markup_printf_escaped ("%s\n", sentence);
  g_string_append (text, line);
}

static void
add_device (GString *text, const MemlaneTraceInfo *info)
{
  g_autofree char *words = NULL;

  if (info->device_name == NULL)
    return;
  if (info->simulated)
    words = g_strdup_printf (_("%s: SIMULATED, computed from a profile and not measured"),
                             info->device_name);
  else if (info->device != NULL)
    words = g_strdup_printf ("%s (%s)", info->device_name, info->device);
  add_line (text, _("Device"), words != NULL ? words : info->device_name);
}

static void
add_cell (GString *text, const MemlaneTrace *trace, const MemlaneTraceInfo *info)
{
  g_autofree char *mode = memlane_trace_item_describe (trace);
  g_autofree char *workload = info->workload != NULL
                                  ? memlane_chart_workload_title (info->workload)
                                  : NULL;
  GString *words = g_string_new (mode);

  if (workload != NULL)
    memlane_words_join (words, " · ", "%s", workload);
  if (info->reuse > 1)
    g_string_append_printf (words,
                            ngettext (" · %u kernel launch for each transfer",
                                      " · %u kernel launches for each transfer", info->reuse),
                            info->reuse);
  if (info->streams > 0)
    g_string_append_printf (words, ngettext (" · %u stream", " · %u streams", info->streams),
                            info->streams);
  if (info->chunks > 0)
    g_string_append_printf (words, ngettext (" · %u chunk", " · %u chunks", info->chunks),
                            info->chunks);
  add_line (text, _("Cell"), words->str);
  g_string_free (words, TRUE);
}

static void
add_count (GString *text, const char *format, guint64 count)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GUINT64_FORMAT, count);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *words = g_strconcat (parts[0], number, parts[1], NULL);

  if (count > 0)
    add_line (text, NULL, words);
}

/* Pango markup: a line for the device (SIMULATED, where it is), the cell, the source, the method,
 * the overhead, what was lost and each note; @name stands above when it is not NULL. (transfer
 * full) */
static char *
notes_new (const MemlaneTrace *trace, const char *name)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  GString *text = g_string_new (NULL);

  if (name != NULL)
    {
      g_autofree char *title = g_markup_printf_escaped ("<big><b>%s</b></big>\n", name);

      g_string_append (text, title);
    }
  add_device (text, info);
  add_cell (text, trace, info);
  add_line (text, _("Date"), info->date);
  add_line (text, _("Source"), memlane_timeline_source (trace));
  add_line (text, _("Method"), info->method);
  add_line (text, _("Overhead"), info->overhead);
  add_count (text, _("%s records were lost while recording. The timeline is not complete."),
             info->dropped);
  add_count (text, _("%s records of the file are of an unknown kind and are not shown."),
             info->skipped);
  MEMLANE_FOR_EACH (const char, note, info->notes)
    add_line (text, NULL, note);
  if (text->len > 0)
    g_string_truncate (text, text->len - 1); /* the last line's end */
  return g_string_free (text, FALSE);
}

/* --- what is shown ---------------------------------------------------------------------------- */

static void
show_notes (MemlaneTimelineDetails *self, MemlaneTrace *const traces[2], const char *const names[2])
{
  gboolean two = traces[0] != NULL && traces[1] != NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 2; i++)
    if (traces[i] != NULL)
      {
        g_autofree char *notes = notes_new (traces[i], two ? names[i] : NULL);

        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", notes);
      }
  gtk_label_set_markup (self->notes, text->str);
}

void
memlane_timeline_details_set_traces (MemlaneTimelineDetails *self, MemlaneTrace *first,
                                     MemlaneTrace *second, const char *const names[2],
                                     GPtrArray *findings)
{
  MemlaneTrace *traces[2] = { first, second };
  Work *work = g_new0 (Work, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, found_cb, NULL);

  g_weak_ref_init (&work->details, self);
  work->serial = ++self->serial;
  work->findings[0] = findings != NULL ? g_ptr_array_ref (findings) : NULL;
  for (guint i = 0; i < 2; i++)
    if (traces[i] != NULL)
      {
        work->traces[i] = memlane_trace_ref (traces[i]);
        work->names[i] = g_strdup (names[i]);
      }
  show_notes (self, traces, names);
  set_busy (self, TRUE);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, find_in_thread);
}

void
memlane_timeline_details_choose_finding (MemlaneTimelineDetails *self, guint row)
{
  memlane_timeline_links_choose (self->findings, row);
}

/* The buttons of the summary stand beside the names of the pages. */
static void
page_cb (MemlaneTimelineDetails *self)
{
  gboolean summary = g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "summary") == 0;

  gtk_widget_set_visible (self->sort_button, summary);
  gtk_widget_set_visible (self->copy_button, summary);
}

static void
chosen_cb (MemlaneTimelineDetails *self, guint track, gpointer finding)
{
  g_signal_emit_by_name (self, "chosen", track, finding);
}

static void
copied_cb (MemlaneTimelineDetails *self)
{
  g_signal_emit_by_name (self, "copied");
}

/* The buttons stand outside the summary, whose actions they are. */
static void
forward_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action_variant (GTK_WIDGET (MEMLANE_TIMELINE_DETAILS (widget)->summary),
                                      action, parameter);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), MEMLANE_TYPE_TIMELINE_DETAILS);
  G_OBJECT_CLASS (memlane_timeline_details_parent_class)->dispose (object);
}

static void
memlane_timeline_details_class_init (MemlaneTimelineDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (MEMLANE_TYPE_TIMELINE_LINKS);
  g_type_ensure (MEMLANE_TYPE_TIMELINE_SUMMARY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/timeline-details.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTimelineDetails, pages, sort_button, copy_button, findings, summary,
                         notes);
  MEMLANE_BIND_CALLBACKS (page_cb, chosen_cb, copied_cb);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "summary.copy", NULL, forward_action },
    { "summary.sort", "s", forward_action },
    { NULL },
  });
  memlane_signal_add (klass, "chosen", 2, G_TYPE_UINT, G_TYPE_POINTER);
  memlane_signal_add (klass, "copied", 0);
}

static void
memlane_timeline_details_init (MemlaneTimelineDetails *self)
{
  g_autoptr (GMenuModel) menu = memlane_timeline_summary_build_sort_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->sort_button), menu);
  memlane_accessible_name_icon (self->sort_button, _("Sort"));
  page_cb (self);
}
