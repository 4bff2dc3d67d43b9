/* table-page.c: the shown runs as tables: medians by mode and size, and every row; sort, filter, copy as CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-page.h"

#include <glib/gi18n-lib.h>

#include "chart/chart.h"
#include "columns.h"
#include "parts/accessible.h"
#include "parts/drop-down.h"
#include "parts/reading-line.h"
#include "parts/view-switch.h"
#include "pivot-view.h"

/* More rows than this (about 50 MB) are for a file, not for the clipboard. */
#define MOST_COPIED 200000

struct _MemlaneTablePage
{
  AdwBin parent_instance;
  MemlaneSession *session; /* weak */
  MemlaneTableModel *model;
  GtkWidget *search, *phase, *status, *sort_button, *copy_button, *stack, *view, *nothing, *count;
  GtkWidget *bar, *views_switcher, *pivot_child, *search_child, *rows_child, *pivot_phase, *pivot_run, *pivot_copy;
  GtkStack *views;
  MemlanePivotView *pivot;
  MemlaneReadingLine *reading_line;
  GPtrArray *pivot_runs;   /* (element-type MemlaneRunItem): those of the list of runs */
  gboolean projector;
  gboolean filling;        /* lists are filled, and nothing is chosen */
  GCancellable *copying;   /* NULL: no copy is being made */
  gboolean stale;          /* runs have changed while the page was not seen */
  gboolean rows_stale;     /* and while its rows were not */
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneTablePage, memlane_table_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- what is shown ---------------------------------------------------------------------------------------------------- */

static char *
describe_count (const MemlaneTableCounts *counts)
{
  guint total = counts->total, seen = counts->seen, selected = counts->selected;

  if (selected > 0)
    return g_strdup_printf (ngettext ("%'u of %'u row selected", "%'u of %'u rows selected", seen), selected, seen);
  if (seen < total)
    return g_strdup_printf (ngettext ("%'u of %'u row", "%'u of %'u rows", total), seen, total);
  return g_strdup_printf (ngettext ("%'u row", "%'u rows", total), total);
}

static void fill_rows (MemlaneTablePage *self);

static gboolean
shows_pivot (MemlaneTablePage *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->views), "rows") != 0;
}

static gboolean
has_pivot (MemlaneTablePage *self)
{
  MemlanePivot *pivot = memlane_pivot_view_get_pivot (self->pivot);

  return pivot != NULL && memlane_pivot_count_modes (pivot) > 0;
}

/* Columns that say the same in every row are hidden. */
static void
update_columns (MemlaneTablePage *self)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  guint phase = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phase));
  guint status = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->status));

  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      gboolean varies = memlane_table_model_varies (self->model, column) && !(column == MEMLANE_COLUMN_PHASE && phase > 0)
                        && !(column == MEMLANE_COLUMN_STATUS && status > 0);

      gtk_column_view_column_set_visible (memlane_table_columns_get (view, column), varies);
    }
}

static void
news_cb (MemlaneTablePage *self)
{
  MemlaneTableCounts counts = memlane_table_model_count (self->model);
  g_autofree char *count = describe_count (&counts);
  gboolean empty = counts.seen == 0;

  gtk_label_set_label (GTK_LABEL (self->count), counts.busy ? _("Putting the rows in order…") : count);
  gtk_label_set_label (GTK_LABEL (self->nothing), counts.total > 0
                                                    ? _("No row fits the search. Take away a word, or show every phase and status.")
                                                    : _("No run is selected. Measure one, or tick a run in the sidebar."));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), empty && !counts.busy ? "nothing" : "rows");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.copy",
                                 shows_pivot (self) ? has_pivot (self) : !empty && self->copying == NULL);
  update_columns (self);
}

/* --- medians by mode and size ---------------------------------------------------------------------------------------- */

static void
update_reading (MemlaneTablePage *self)
{
  memlane_reading_line_set (self->reading_line, memlane_figure_widget_get_reading (MEMLANE_FIGURE_WIDGET (self->pivot)),
                            _("Point at a cell, or walk with the arrow keys"));
}

static void
update_pivot (MemlaneTablePage *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pivot_run));
  g_autoptr (MemlanePivot) pivot = NULL;
  MemlaneRunItem *item = chosen < self->pivot_runs->len ? self->pivot_runs->pdata[chosen] : NULL;
  const MemlaneWorkload *workload;
  int phase;

  if (self->filling || self->session == NULL)
    return;
  workload = memlane_session_get_workload (self->session);
  g_object_get (self->session, "time-phase", &phase, NULL);
  pivot = memlane_pivot_new (item != NULL ? memlane_run_item_get_run (item) : NULL, item != NULL ? memlane_run_item_get_name (item) : NULL,
                             workload != NULL ? workload->id : NULL, (MemlanePhase) phase);
  memlane_pivot_view_set_pivot (self->pivot, pivot);
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pivot_phase), (guint) phase);
  self->filling = FALSE;
  update_reading (self);
  news_cb (self);
  memlane_page_emit_changed (MEMLANE_PAGE (self));
}

static gboolean
has_workload (MemlaneRunItem *item, const char *workload)
{
  const MemlaneRun *run = memlane_run_item_get_run (item);

  for (guint i = 0; run != NULL && i < run->cells->len; i++)
    if (g_strcmp0 (((const MemlaneCell *) run->cells->pdata[i])->workload, workload) == 0)
      return TRUE;
  return FALSE;
}

/* The shown runs that have cells of the workload; the chosen one stays. */
static void
fill_pivot_runs (MemlaneTablePage *self, GPtrArray *shown)
{
  const MemlaneWorkload *workload = memlane_session_get_workload (self->session);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pivot_run)), chosen = 0;
  g_autoptr (MemlaneRunItem) kept = before < self->pivot_runs->len ? g_object_ref (self->pivot_runs->pdata[before]) : NULL;

  g_ptr_array_set_size (self->pivot_runs, 0);
  for (guint i = 0; i < shown->len; i++)
    if (has_workload (shown->pdata[i], workload != NULL ? workload->id : NULL))
      {
        if (shown->pdata[i] == kept)
          chosen = self->pivot_runs->len;
        gtk_string_list_append (names, memlane_run_item_get_name (shown->pdata[i]));
        g_ptr_array_add (self->pivot_runs, g_object_ref (shown->pdata[i]));
      }
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pivot_run), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pivot_run), chosen);
  gtk_widget_set_visible (self->pivot_run, self->pivot_runs->len > 1);
  self->filling = FALSE;
  update_pivot (self);
}

static void
pivot_phase_cb (MemlaneTablePage *self)
{
  guint phase = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pivot_phase));

  if (!self->filling && self->session != NULL && phase < MEMLANE_N_PHASES)
    g_object_set (self->session, "time-phase", (int) phase, NULL);
}

/* Each view has the controls that it needs. */
static void
view_chosen_cb (MemlaneTablePage *self)
{
  gboolean pivot = shows_pivot (self);

  gtk_widget_set_visible (self->pivot_child, pivot);
  gtk_widget_set_visible (self->search_child, !pivot);
  gtk_widget_set_visible (self->rows_child, !pivot);
  if (self->rows_stale && !self->stale)
    fill_rows (self);
  news_cb (self);
  memlane_page_emit_changed (MEMLANE_PAGE (self));
}

/* There may be a million: they are gathered when somebody looks at them, and old ones let go of. */
static void
fill_rows (MemlaneTablePage *self)
{
  g_autoptr (GPtrArray) shown = NULL;

  if (self->session == NULL)
    return;
  self->rows_stale = shows_pivot (self);
  shown = self->rows_stale ? g_ptr_array_new () : memlane_run_store_get_shown (memlane_session_get_store (self->session));
  memlane_table_model_set_runs (self->model, shown);
  news_cb (self);
}

static void
show_runs (MemlaneTablePage *self)
{
  g_autoptr (GPtrArray) shown = NULL;

  self->stale = self->session != NULL && !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->stale || self->session == NULL)
    return;
  shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  fill_pivot_runs (self, shown);
  fill_rows (self);
}

static void
request_cb (MemlaneTablePage *self)
{
  guint phase = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phase));
  guint status = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->status));
  MemlaneTableRequest request = { 0 };

  /* The first entry of each list is "every". */
  request.phase = phase == GTK_INVALID_LIST_POSITION ? -1 : (int) phase - 1;
  request.status = status == GTK_INVALID_LIST_POSITION ? -1 : (int) status - 1;
  request.text = (char *) gtk_editable_get_text (GTK_EDITABLE (self->search));
  request.n_sorts = memlane_table_columns_get_sorts (GTK_COLUMN_VIEW (self->view), request.sorts);
  memlane_table_model_set_request (self->model, &request);
  update_columns (self);
}

/* --- sorting by keyboard ---------------------------------------------------------------------------------------------- */

static void
sort_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  const char *id = g_variant_get_string (parameter, NULL);
  MemlaneTableSort sorts[MEMLANE_N_COLUMNS];
  guint n = memlane_table_columns_get_sorts (view, sorts);

  if (*id == '\0')
    gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    if (g_str_equal (memlane_column_get_id (column), id))
      {
        /* Chosen again it turns round, as the header does. */
        gboolean turn = n > 0 && sorts[0].column == column && !sorts[0].descending;

        gtk_column_view_sort_by_column (view, memlane_table_columns_get (view, column),
                                        turn ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
      }
}

static GMenuModel *
build_sort_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) own = g_menu_new (), columns = g_menu_new ();

  g_menu_append (own, _("As Measured"), "table.sort('')");
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      g_autofree char *action = g_strdup_printf ("table.sort('%s')", memlane_column_get_id (column));

      g_menu_append (columns, memlane_column_get_title (column), action);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
  g_menu_append_section (menu, _("Sort by (choose again to reverse)"), G_MENU_MODEL (columns));
  return G_MENU_MODEL (menu);
}

static void
search_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_stack_set_visible_child_name (MEMLANE_TABLE_PAGE (widget)->views, "rows");
  gtk_widget_grab_focus (MEMLANE_TABLE_PAGE (widget)->search);
}

/* --- copying ---------------------------------------------------------------------------------------------------------- */

/* Rows between two looks at the cancellable. */
#define STRIDE 1024

typedef struct
{
  MemlaneTableRows *rows; /* let go on the main thread: it holds objects */
  GdkClipboard *clipboard;
  guint count;
} Copy;

static void
free_copy (gpointer data)
{
  Copy *copy = data;

  g_clear_pointer (&copy->rows, memlane_table_rows_unref);
  g_clear_object (&copy->clipboard);
  g_free (copy);
}

static void
copy_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Copy *copy = data;
  GError *error = NULL;
  GBytes *bytes = memlane_table_csv (copy->rows, cancellable, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Copy *copy = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GdkContentProvider) provider = NULL;

  g_clear_pointer (&copy->rows, memlane_table_rows_unref);
  if (bytes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  provider = gdk_content_provider_new_union ((GdkContentProvider *[]) {
                                               gdk_content_provider_new_for_bytes ("text/csv", bytes),
                                               gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", bytes),
                                               gdk_content_provider_new_typed (G_TYPE_STRING, g_bytes_get_data (bytes, NULL)),
                                             }, 3);
  gdk_clipboard_set_content (copy->clipboard, provider);
  g_clear_object (&copy->clipboard);
  g_task_return_int (task, copy->count);
}

static void
copy_async (MemlaneTableRows *rows, GdkClipboard *clipboard, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *outer = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GTask) work = g_task_new (NULL, cancellable, written_cb, outer);
  Copy *copy = g_new0 (Copy, 1);

  copy->rows = rows;
  copy->count = memlane_table_rows_count (rows);
  copy->clipboard = g_object_ref (clipboard);
  g_task_set_task_data (work, copy, free_copy);
  g_task_run_in_thread (work, copy_thread);
}

static guint
copy_finish (GAsyncResult *result, GError **error)
{
  gssize count = g_task_propagate_int (G_TASK (result), error);

  return count > 0 ? (guint) count : 0;
}

static void
tell (MemlaneTablePage *self, const char *sentence, gboolean trouble)
{
  if (self->session != NULL)
    g_signal_emit_by_name (self->session, "notice", sentence, trouble);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneTablePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  guint count = copy_finish (result, &error);

  g_clear_object (&self->copying);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the page is gone */
  sentence = error != NULL ? g_strdup_printf (_("The rows could not be copied: %s"), error->message)
                           : g_strdup_printf (ngettext ("%'u row copied as CSV", "%'u rows copied as CSV", count), count);
  tell (self, sentence, error != NULL);
  news_cb (self);
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);
  guint count = memlane_table_model_count (self->model).copied;

  if (shows_pivot (self))
    {
      g_autofree char *text = has_pivot (self) ? memlane_pivot_to_csv (memlane_pivot_view_get_pivot (self->pivot)) : NULL;

      if (text == NULL)
        return;
      gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
      tell (self, _("Table copied as CSV, times in nanoseconds"), FALSE);
      return;
    }
  if (self->copying != NULL || count == 0)
    return;
  if (count > MOST_COPIED)
    {
      g_autofree char *sentence = g_strdup_printf (_("%'u rows are too many for the clipboard, which takes %'u. Select fewer, or export "
                                                     "the run as a CSV file."), count, MOST_COPIED);

      tell (self, sentence, TRUE);
      return;
    }
  self->copying = g_cancellable_new ();
  copy_async (memlane_table_model_copy_rows (self->model), gtk_widget_get_clipboard (widget), self->copying, copied_cb,
                            g_object_ref (self));
  news_cb (self);
}

/* --- what the window asks ----------------------------------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  return GTK_WIDGET (MEMLANE_TABLE_PAGE (page)->pivot);
}

static gboolean
has_figure (MemlanePage *page)
{
  return has_pivot (MEMLANE_TABLE_PAGE (page));
}

/* The wall shows the medians by size, also when the rows are seen: those are for reading from near. */
static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (page);

  self->projector = projector;
  if (self->projector)
    gtk_stack_set_visible_child_name (self->views, "pivot");
  gtk_widget_set_visible (self->bar, !self->projector);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line), !self->projector);
  memlane_page_emit_changed (page);
}

static const char *
get_phase_property (MemlanePage *page)
{
  return "time-phase";
}

static void
page_init (MemlanePageInterface *iface)
{
  iface->get_figure = get_figure;
  iface->has_figure = has_figure;
  iface->can_project = has_figure;
  iface->set_projector = set_projector;
  iface->get_phase_property = get_phase_property;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

static void
fill_choices (MemlaneTablePage *self)
{
  g_autoptr (GtkStringList) phases = gtk_string_list_new (NULL), statuses = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) shown = gtk_string_list_new (NULL);

  gtk_string_list_append (phases, _("Phase: any"));
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    gtk_string_list_append (phases, memlane_table_phase_word (i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->phase), G_LIST_MODEL (phases));
  gtk_string_list_append (statuses, _("Status: any"));
  for (guint i = 0; i < MEMLANE_N_STATUSES; i++)
    gtk_string_list_append (statuses, memlane_table_status_word (i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->status), G_LIST_MODEL (statuses));
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    gtk_string_list_append (shown, memlane_chart_phase_title (i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pivot_phase), G_LIST_MODEL (shown));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pivot_phase), MEMLANE_PHASE_ELAPSED);
}

static void
map (GtkWidget *widget)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);

  GTK_WIDGET_CLASS (memlane_table_page_parent_class)->map (widget);
  if (gtk_column_view_get_model (GTK_COLUMN_VIEW (self->view)) == NULL)
    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->model));
  if (self->stale)
    show_runs (self);
}

GtkWidget *
memlane_table_page_new (const MemlanePageContext *context)
{
  MemlaneTablePage *self = g_object_new (MEMLANE_TYPE_TABLE_PAGE, NULL);

  g_set_weak_pointer (&self->session, context->session);
  g_signal_connect_object (memlane_session_get_store (context->session), "changed", G_CALLBACK (show_runs), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (context->session, "notify::time-phase", G_CALLBACK (update_pivot), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (context->session, "notify::workload", G_CALLBACK (show_runs), self, G_CONNECT_SWAPPED);
  show_runs (self);
  return GTK_WIDGET (self);
}

MemlaneTableModel *
memlane_table_page_get_model (MemlaneTablePage *self)
{
  return self->model;
}

static void
dispose (GObject *object)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (object);

  if (self->copying != NULL)
    g_cancellable_cancel (self->copying);
  self->filling = TRUE;
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)), self);
  g_clear_weak_pointer (&self->session);
  G_OBJECT_CLASS (memlane_table_page_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (object);

  g_clear_object (&self->copying);
  g_clear_object (&self->model);
  g_clear_pointer (&self->pivot_runs, g_ptr_array_unref);
  G_OBJECT_CLASS (memlane_table_page_parent_class)->finalize (object);
}

static void
memlane_table_page_class_init (MemlaneTablePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->map = map;
  g_type_ensure (MEMLANE_TYPE_PIVOT_VIEW);
  g_type_ensure (MEMLANE_TYPE_READING_LINE);
  g_type_ensure (MEMLANE_TYPE_VIEW_SWITCH);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/table-page.ui");
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, search);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, phase);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, status);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, sort_button);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, copy_button);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, stack);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, view);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, nothing);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, count);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, bar);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, views_switcher);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, pivot_child);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, search_child);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, rows_child);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, pivot_phase);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, pivot_run);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, pivot_copy);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, views);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, pivot);
  gtk_widget_class_bind_template_child (widget_class, MemlaneTablePage, reading_line);
  gtk_widget_class_bind_template_callback (widget_class, request_cb);
  gtk_widget_class_bind_template_callback (widget_class, pivot_phase_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_pivot);
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, view_chosen_cb);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "table.sort", "s", sort_action);
  gtk_widget_class_install_action (widget_class, "table.search", NULL, search_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "table.search", NULL);
}

static void
memlane_table_page_init (MemlaneTablePage *self)
{
  g_autoptr (GMenuModel) menu = build_sort_menu ();

  self->model = g_object_new (MEMLANE_TYPE_TABLE_MODEL, NULL);
  self->pivot_runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->sort_button), menu);
  memlane_table_columns_add (GTK_COLUMN_VIEW (self->view));
  fill_choices (self);
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->pivot_phase));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->pivot_run));
  memlane_accessible_set_name (self->pivot_phase, _("Phase"));
  memlane_accessible_set_name (self->pivot_run, _("Run"));
  memlane_accessible_name_icon (self->pivot_copy, _("Copy as CSV"));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->phase));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->status));
  memlane_accessible_set_name (self->search, _("Search the table"));
  memlane_accessible_set_name (self->phase, _("Phase"));
  memlane_accessible_set_name (self->status, _("Status"));
  memlane_accessible_set_name (self->view, _("Every figure of the shown runs"));
  memlane_accessible_name_icon (self->sort_button, _("Sort"));
  memlane_accessible_name_icon (self->copy_button, _("Copy as CSV"));
  g_signal_connect_swapped (self->model, "news", G_CALLBACK (news_cb), self);
  g_signal_connect_swapped (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)), "changed", G_CALLBACK (request_cb), self);
  self->filling = FALSE;
  view_chosen_cb (self);
}
