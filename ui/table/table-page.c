/* table-page.c: the shown runs as tables: medians by mode and size, and every row; sort, filter, copy as CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-page.h"

#include <glib/gi18n-lib.h>

#include "chart/chart.h"
#include "columns.h"
#include "parts/reading-line.h"
#include "parts/pivot-view.h"
#include "parts/view-bar.h"
#include "chart/chart-words.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

/* More rows than this (about 12 MB) are for a file, not for the clipboard. */
#define MOST_COPIED 50000

struct _MemlaneTablePage
{
  AdwBin parent_instance;
  MemlaneRunStore *runs;   /* (owned) */
  MemlaneViewModel *view_model; /* (owned) */
  GListStore *rows;        /* (element-type MemlaneTableLine): all */
  GtkFilter *filter;
  GtkSelectionModel *seen; /* those that the search finds, sorted */
  char **words;            /* of the search */
  GtkWidget *search, *phase, *status, *sort_button, *stack, *view, *nothing, *count;
  GtkWidget *bar, *rows_bar, *pivot_run;
  MemlaneViewBar *view_bar;
  GMenuModel *menu;        /* of the bar */
  GtkStack *views;
  MemlanePivotView *pivot;
  MemlaneReadingLine *reading_line;
  GPtrArray *pivot_runs;   /* (element-type MemlaneRunItem): those of the list of runs */
  gboolean projector;
  gboolean filling;        /* lists are filled, and nothing is chosen */
  gboolean stale;          /* runs have changed while the page was not seen */
  gboolean rows_stale;     /* and while its rows were not */
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneTablePage, memlane_table_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- what is shown ---------------------------------------------------------------------------------------------------- */

static char *
describe_count (guint total, guint seen, guint selected)
{
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

/* Columns that say the same in every row are hidden. */
static void
update_columns (MemlaneTablePage *self)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  guint phase = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phase));
  guint status = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->status));
  guint32 varying = memlane_table_rows_get_varying (G_LIST_MODEL (self->rows));

  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      gboolean varies = (varying >> column & 1) != 0 && !(column == MEMLANE_COLUMN_PHASE && phase > 0)
                        && !(column == MEMLANE_COLUMN_STATUS && status > 0);

      gtk_column_view_column_set_visible (memlane_table_columns_get (view, column), varies);
    }
}

static void
update_count (MemlaneTablePage *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->seen);
  guint total = g_list_model_get_n_items (G_LIST_MODEL (self->rows)), seen = g_list_model_get_n_items (G_LIST_MODEL (self->seen));
  g_autofree char *count = describe_count (total, seen, (guint) gtk_bitset_get_size (selected));

  gtk_label_set_label (GTK_LABEL (self->count), count);
  gtk_label_set_label (GTK_LABEL (self->nothing), total > 0
                                                    ? _("No matching rows. Remove a word, or show every phase and status.")
                                                    : _("No run is selected. Measure one, or tick a run in the sidebar."));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), seen == 0 ? "nothing" : "rows");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.copy",
                                 shows_pivot (self) ? memlane_pivot_view_has_cells (self->pivot) : seen > 0);
}

/* --- medians by mode and size ---------------------------------------------------------------------------------------- */

static void
update_reading (MemlaneTablePage *self)
{
  memlane_reading_line_set (self->reading_line, MEMLANE_FIGURE_WIDGET (self->pivot)->reading,
                            _("Hover over a cell, or use the arrow keys"));
}

static void
update_pivot (MemlaneTablePage *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pivot_run));
  g_autoptr (MemlanePivot) pivot = NULL;
  MemlaneRunItem *item = chosen < self->pivot_runs->len ? self->pivot_runs->pdata[chosen] : NULL;
  g_autoptr (MemlaneRun) counted = NULL;
  g_autofree char *what = NULL, *name = NULL;
  const MemlaneViewModel *view = self->view_model;
  MemlanePhase phase = (MemlanePhase) view->time_phase;
  MemlaneCount count = (MemlaneCount) view->count;
  guint n_lacking;

  if (self->filling)
    return;
  if (item != NULL)
    counted = memlane_chart_count_run (item->run, phase, count, view->uses, &n_lacking);
  what = memlane_chart_count_title (count, view->uses);
  if (phase == MEMLANE_PHASE_ELAPSED && count != MEMLANE_COUNT_TRANSFER && item != NULL)
    name = g_strdup_printf ("%s · %s", memlane_run_item_get_name (item), what);
  pivot = memlane_pivot_new (counted, name != NULL ? name : item != NULL ? memlane_run_item_get_name (item) : NULL, view->workload->id,
                             phase);
  memlane_pivot_view_set_pivot (self->pivot, pivot);
  update_reading (self);
  update_count (self);
  memlane_say_changed (self);
}

/* The shown runs that have cells of the workload; the chosen one stays. */
static void
fill_pivot_runs (MemlaneTablePage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->pivot_runs);
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pivot_run)), chosen = 0;

  self->pivot_runs = memlane_view_model_get_drawn (self->view_model);
  for (guint i = 0; i < self->pivot_runs->len; i++)
    {
      gtk_string_list_append (names, memlane_run_item_get_name (self->pivot_runs->pdata[i]));
      if (at < before->len && before->pdata[at] == self->pivot_runs->pdata[i])
        chosen = i;
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pivot_run), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pivot_run), chosen);
  gtk_widget_set_visible (self->pivot_run, shows_pivot (self) && self->pivot_runs->len > 1);
  self->filling = FALSE;
  memlane_view_bar_offer (self->view_bar, self->pivot_runs);
  update_pivot (self);
}

/* Each view has the controls that it needs. */
static void
view_chosen_cb (MemlaneTablePage *self)
{
  gboolean pivot = shows_pivot (self);

  memlane_view_bar_show_phases (self->view_bar, pivot);
  gtk_widget_set_visible (self->pivot_run, pivot && self->pivot_runs->len > 1);
  gtk_widget_set_visible (self->rows_bar, !pivot);
  if (self->rows_stale && !self->stale)
    fill_rows (self);
  update_count (self);
  memlane_say_changed (self);
}

/* Gathers the rows when they are seen, and drops the old ones when they are not. */
static void
fill_rows (MemlaneTablePage *self)
{
  g_autoptr (GPtrArray) shown = NULL;

  self->rows_stale = shows_pivot (self);
  shown = self->rows_stale ? g_ptr_array_new () : memlane_run_store_get_shown (self->runs);
  memlane_table_rows_fill (self->rows, shown);
  update_columns (self);
  update_count (self);
}

static void
show_runs (MemlaneTablePage *self)
{
  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->stale)
    return;
  fill_pivot_runs (self);
  fill_rows (self);
}

static void
search_cb (MemlaneTablePage *self)
{
  if (self->filling)
    return;
  g_strfreev (self->words);
  self->words = memlane_table_split_search (gtk_editable_get_text (GTK_EDITABLE (self->search)));
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  update_columns (self);
  update_count (self);
}

/* The first entry of each list is "any". */
static gboolean
is_found (gpointer row, gpointer user_data)
{
  MemlaneTablePage *self = user_data;
  guint phase = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phase));
  guint status = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->status));

  return (phase == 0 || phase == GTK_INVALID_LIST_POSITION || memlane_table_line_get_phase (row) == phase - 1)
         && (status == 0 || status == GTK_INVALID_LIST_POSITION || memlane_table_line_get_status (row) == status - 1)
         && (self->words == NULL || memlane_table_line_contains (row, self->words));
}

/* --- sorting by keyboard ---------------------------------------------------------------------------------------------- */

static void
sort_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  const char *id = g_variant_get_string (parameter, NULL);
  MemlaneColumn first;
  gboolean descending, sorted = memlane_table_columns_get_sort (view, &first, &descending);

  if (*id == '\0')
    gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    if (g_str_equal (memlane_table_columns[column].id, id))
      {
        /* Chosen again it turns round, as the header does. */
        gboolean turn = sorted && first == column && !descending;

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
      g_autofree char *action = g_strdup_printf ("table.sort('%s')", memlane_table_columns[column].id);

      g_menu_append (columns, g_dpgettext2 (GETTEXT_PACKAGE, "column", memlane_table_columns[column].title), action);
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

static void
copy_pivot (MemlaneTablePage *self)
{
  g_autofree char *text = memlane_pivot_view_has_cells (self->pivot) ? memlane_pivot_to_csv (self->pivot->pivot) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Table copied as CSV, times in nanoseconds"), FALSE);
}

/* (transfer full): header and rows, with the columns of MEMLANE_CSV_COLUMNS */
static GBytes *
build_csv (MemlaneTablePage *self, GtkBitset *chosen)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkBitsetIter iter;
  guint position;

  memlane_csv_append_header (text);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, chosen, &position); more; more = gtk_bitset_iter_next (&iter, &position))
    {
      g_autoptr (MemlaneTableLine) row = g_list_model_get_item (G_LIST_MODEL (self->seen), position);

      memlane_table_line_append_csv (row, text);
    }
  return g_string_free_to_bytes (g_steal_pointer (&text));
}

/* Copies the selected rows; all that are seen if none is selected. */
static void
copy_rows (MemlaneTablePage *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->seen);
  g_autoptr (GtkBitset) chosen = gtk_bitset_copy (selected);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *sentence = NULL;
  guint count;

  if (gtk_bitset_is_empty (chosen))
    gtk_bitset_add_range (chosen, 0, g_list_model_get_n_items (G_LIST_MODEL (self->seen)));
  count = (guint) gtk_bitset_get_size (chosen);
  if (count == 0)
    return;
  if (count > MOST_COPIED)
    {
      sentence = g_strdup_printf (_("%'u rows are too many for the clipboard, which takes %'u. Select fewer, or export "
                                    "the run as a CSV file."), count, MOST_COPIED);
      memlane_page_emit_notice (MEMLANE_PAGE (self), sentence, TRUE);
      return;
    }
  bytes = build_csv (self, chosen);
  provider = gdk_content_provider_new_union ((GdkContentProvider *[]) {
                                               gdk_content_provider_new_for_bytes ("text/csv", bytes),
                                               gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", bytes),
                                               gdk_content_provider_new_typed (G_TYPE_STRING, g_bytes_get_data (bytes, NULL)),
                                             }, 3);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), provider);
  sentence = g_strdup_printf (ngettext ("%'u row copied as CSV", "%'u rows copied as CSV", count), count);
  memlane_page_emit_notice (MEMLANE_PAGE (self), sentence, FALSE);
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);

  if (shows_pivot (self))
    copy_pivot (self);
  else
    copy_rows (self);
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
  return memlane_pivot_view_has_cells (MEMLANE_TABLE_PAGE (page)->pivot);
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
  memlane_say_changed (page);
}

static void
page_init (MemlanePageInterface *iface)
{
  iface->get_figure = get_figure;
  iface->has_figure = has_figure;
  iface->can_project = has_figure;
  iface->set_projector = set_projector;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

static void
fill_choices (MemlaneTablePage *self)
{
  g_autoptr (GtkStringList) phases = gtk_string_list_new (NULL), statuses = gtk_string_list_new (NULL);

  gtk_string_list_append (phases, _("Phase: any"));
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    gtk_string_list_append (phases, memlane_chart_phase_title (i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->phase), G_LIST_MODEL (phases));
  gtk_string_list_append (statuses, _("Status: any"));
  for (guint i = 0; i < MEMLANE_N_STATUSES; i++)
    gtk_string_list_append (statuses, memlane_chart_status_title (i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->status), G_LIST_MODEL (statuses));
}

static void
map (GtkWidget *widget)
{
  MemlaneTablePage *self = MEMLANE_TABLE_PAGE (widget);

  GTK_WIDGET_CLASS (memlane_table_page_parent_class)->map (widget);
  if (gtk_column_view_get_model (GTK_COLUMN_VIEW (self->view)) == NULL)
    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), self->seen);
  if (self->stale)
    show_runs (self);
}

GtkWidget *
memlane_table_page_new (MemlaneRunStore *runs, MemlaneViewModel *view)
{
  static const char *const followed[] = { "notify::time-phase", "notify::count", "notify::uses" };
  MemlaneTablePage *self = g_object_new (MEMLANE_TYPE_TABLE_PAGE, NULL);

  self->runs = g_object_ref (runs);
  self->view_model = g_object_ref (view);
  g_signal_connect_object (runs, "changed", G_CALLBACK (show_runs), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (view, followed[i], G_CALLBACK (update_pivot), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::shown-workload", G_CALLBACK (show_runs), self, G_CONNECT_SWAPPED);
  memlane_view_bar_follow (self->view_bar, view, "time-phase", self->menu);
  show_runs (self);
  return GTK_WIDGET (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneTablePage, memlane_table_page, dispose, self->filling = TRUE;)
MEMLANE_DEFINE_RELEASE (MemlaneTablePage, memlane_table_page, finalize, OWNS (seen, g_object_unref) OWNS (filter, g_object_unref)
                        OWNS (rows, g_object_unref) OWNS (words, g_strfreev) OWNS (pivot_runs, g_ptr_array_unref)
                        OWNS (runs, g_object_unref) OWNS (view_model, g_object_unref))

static void
memlane_table_page_class_init (MemlaneTablePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->map = map;
  MEMLANE_ENSURE_TYPES (PIVOT_VIEW, READING_LINE, VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/table-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTablePage, search, phase, status, sort_button, stack, view, nothing, count, bar, view_bar, rows_bar,
                                           pivot_run, views, pivot, reading_line, menu);
  MEMLANE_BIND_CALLBACKS (search_cb, update_pivot, update_reading, view_chosen_cb);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "table.sort", "s", sort_action);
  gtk_widget_class_install_action (widget_class, "table.search", NULL, search_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "table.search", NULL);
}

static void
build_rows (MemlaneTablePage *self)
{
  GtkFilterListModel *found;
  GtkSortListModel *sorted;

  memlane_table_columns_add (GTK_COLUMN_VIEW (self->view));
  self->rows = g_list_store_new (MEMLANE_TYPE_TABLE_LINE);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_found, self, NULL));
  found = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), g_object_ref (self->filter));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (found), g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  self->seen = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (sorted)));
  g_signal_connect_object (self->seen, "selection-changed", G_CALLBACK (update_count), self, G_CONNECT_SWAPPED);
}

static void
memlane_table_page_init (MemlaneTablePage *self)
{
  g_autoptr (GMenuModel) menu = build_sort_menu ();
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (GPropertyAction) view = NULL;

  self->pivot_runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  view = g_property_action_new ("table", self->views, "visible-child-name");
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (view));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "view", G_ACTION_GROUP (actions));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->sort_button), menu);
  build_rows (self);
  fill_choices (self);
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->pivot_run));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->phase));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->status));
  memlane_accessible_set_name (self->view, _("Every figure of the shown runs"));
  memlane_accessible_name_icon (self->sort_button, _("Sort"));
  self->filling = FALSE;
  view_chosen_cb (self);
}
