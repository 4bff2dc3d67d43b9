/* table-page.c: the medians of a shown run in a table; copied as CSV, opened in a spreadsheet
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-page.h"

#include <glib/gi18n-lib.h>

#include "chart/chart-words.h"
#include "chart/chart.h"
#include "model/fields.h"
#include "parts/file-dialog.h"
#include "parts/pivot-view.h"
#include "parts/reading-line.h"
#include "parts/template.h"
#include "parts/view-bar.h"
#include "parts/widgets.h"

struct _MemlaneTablePage
{
  AdwBin parent_instance;
  MemlaneRunStore *runs;        /* (owned) */
  MemlaneViewModel *view_model; /* (owned) */
  GtkWidget *bar, *run;
  MemlaneViewBar *view_bar;
  GMenuModel *menu;             /* of the bar */
  MemlanePivotView *pivot;
  MemlaneReadingLine *reading_line;
  GPtrArray *offered;           /* (element-type MemlaneRunItem): those of the list of runs */
  gboolean filling;             /* the list is filled, and nothing is chosen */
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneTablePage, memlane_table_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- what is shown --------------------------------------------------------------------------- */

/* (nullable) (transfer none) */
static MemlaneRunItem *
get_chosen (MemlaneTablePage *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->run));

  return chosen < self->offered->len ? self->offered->pdata[chosen] : NULL;
}

static void
update_reading (MemlaneTablePage *self)
{
  memlane_reading_line_set (self->reading_line, MEMLANE_FIGURE_WIDGET (self->pivot)->reading,
                            _("Click a cell, or use the arrow keys"));
}

/* A run that is being measured has no file yet. */
static void
update_actions (MemlaneTablePage *self)
{
  MemlaneRunItem *item = get_chosen (self);
  gboolean has_file = item != NULL && item->kind != MEMLANE_RUN_LIVE && item->path != NULL;
  gboolean has_cells = memlane_pivot_view_has_cells (self->pivot);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.spreadsheet", has_file);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.copy", has_cells);
}

static void
update (MemlaneTablePage *self)
{
  const MemlaneViewModel *view = self->view_model;
  MemlanePhase phase = (MemlanePhase) view->time_phase;
  MemlaneCount count = (MemlaneCount) view->count;
  MemlaneRunItem *item = get_chosen (self);
  g_autoptr (MemlanePivot) pivot = NULL;
  g_autoptr (MemlaneRun) counted = NULL;
  g_autofree char *what = NULL;
  g_autofree char *name = NULL;
  guint n_lacking;

  if (self->filling)
    return;
  if (item != NULL)
    {
      counted = memlane_chart_count_run (item->run, phase, count, view->uses, &n_lacking);
      name = g_strdup (memlane_run_item_get_name (item));
    }
  what = memlane_chart_count_title (count, view->uses);
  if (phase == MEMLANE_PHASE_ELAPSED && count != MEMLANE_COUNT_TRANSFER && item != NULL)
    {
      g_free (name);
      name = g_strdup_printf ("%s · %s", memlane_run_item_get_name (item), what);
    }
  pivot = memlane_pivot_new (counted, name, view->workload->id, phase);
  memlane_pivot_view_set_pivot (self->pivot, pivot);
  update_reading (self);
  update_actions (self);
  memlane_say_changed (self);
}

/* The shown runs that have cells of the workload; the chosen one stays. */
static void
show_runs (MemlaneTablePage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->offered);
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->run));
  guint chosen = 0;

  self->offered = memlane_view_model_get_drawn (self->view_model);
  for (guint i = 0; i < self->offered->len; i++)
    {
      gtk_string_list_append (names, memlane_run_item_get_name (self->offered->pdata[i]));
      if (at < before->len && before->pdata[at] == self->offered->pdata[i])
        chosen = i;
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->run), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->run), chosen);
  gtk_widget_set_visible (self->run, self->offered->len > 1);
  self->filling = FALSE;
  memlane_view_bar_offer (self->view_bar, self->offered);
  update (self);
}

static void
runs_changed_cb (MemlaneTablePage *self)
{
  memlane_page_when_seen (self, G_CALLBACK (show_runs));
}

/* --- actions --------------------------------------------------------------------------------- */

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);
  g_autofree char *text = memlane_pivot_to_csv (self->pivot->pivot);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Table copied as CSV, times in nanoseconds"),
                            FALSE);
}

static void
spreadsheet_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlaneTablePage) self = data;

  if (trouble != NULL)
    memlane_page_emit_notice (MEMLANE_PAGE (self), trouble, TRUE);
}

static void
spreadsheet_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (get_chosen (MEMLANE_TABLE_PAGE (widget))->path);

  memlane_file_dialog_show (GTK_WINDOW (gtk_widget_get_root (widget)), file, spreadsheet_shown_cb,
                            g_object_ref (widget));
}

/* --- what the window asks -------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  return GTK_WIDGET (MEMLANE_TABLE_PAGE (page)->pivot);
}

static gboolean
has_figure (MemlanePage *page)
{
  return memlane_pivot_view_has_cells (MEMLANE_TABLE_PAGE (page)->pivot);
}

static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (page);

  gtk_widget_set_visible (self->bar, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line), !projector);
  memlane_say_changed (page);
}

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .get_figure = get_figure,
    .has_figure = has_figure,
    .can_project = has_figure,
    .set_projector = set_projector,
  };
}

/* --- life ------------------------------------------------------------------------------------ */

GtkWidget *
memlane_table_page_new (MemlaneRunStore *runs, MemlaneViewModel *view)
{
  MemlaneTablePage *self = g_object_new (MEMLANE_TYPE_TABLE_PAGE, NULL);

  self->runs = g_object_ref (runs);
  self->view_model = g_object_ref (view);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { runs, "changed", G_CALLBACK (runs_changed_cb) },
    { view, "notify::time-phase", G_CALLBACK (update) },
    { view, "notify::count", G_CALLBACK (update) },
    { view, "notify::uses", G_CALLBACK (update) },
    { view, "notify::shown-workload", G_CALLBACK (runs_changed_cb) },
    { NULL },
  });
  memlane_view_bar_follow (self->view_bar, view, "time-phase", self->menu);
  runs_changed_cb (self);
  return GTK_WIDGET (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneTablePage, memlane_table_page, dispose, self->filling = TRUE;)
MEMLANE_DEFINE_RELEASE (MemlaneTablePage, memlane_table_page, finalize,
                        OWNS (offered, g_ptr_array_unref) OWNS (runs, g_object_unref)
                        OWNS (view_model, g_object_unref))

static void
memlane_table_page_class_init (MemlaneTablePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  MEMLANE_ENSURE_TYPES (PIVOT_VIEW, READING_LINE, VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/table-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTablePage, bar, view_bar, run, pivot, reading_line, menu);
  MEMLANE_BIND_CALLBACKS (update, update_reading);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "table.copy", NULL, copy_action },
    { "table.spreadsheet", NULL, spreadsheet_action },
    { NULL },
  });
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
memlane_table_page_init (MemlaneTablePage *self)
{
  self->offered = g_ptr_array_new_with_free_func (g_object_unref);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->run));
  self->filling = FALSE;
  update_actions (self);
}
