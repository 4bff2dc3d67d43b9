/* compare-page.c: two runs compared: a table of differences, and the curve of a row; or the machines of a folder
 *
 * SPDX-License-Identifier: MIT
 */
#include "compare-page.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"
#include "chart/chart-words.h"
#include "chart-view.h"
#include "model/comparison.h"
#include "model/fields.h"
#include "parts/pivot-view.h"
#include "parts/reading-line.h"
#include "parts/view-bar.h"
#include "parts/template.h"
#include "parts/widgets.h"

struct _MemlaneComparePage
{
  AdwBin parent_instance;

  MemlaneViewModel *view_model; /* (owned) */
  char *mode;                   /* whose curve is shown; NULL: the table is */
  gboolean dirty;               /* what is compared has changed while the page was not seen */
  GCancellable *reading;        /* (nullable): of a folder */
  MemlaneFleet *fleet;          /* (nullable): it is shown instead of the runs */
  GPtrArray *of;                /* (element-type MemlaneFleetCell): one for each workload and mode of the fleet, as in fleet_modes */

  GtkWidget *bar, *difference, *fleet_bar;
  GtkStack *stack;
  MemlaneViewBar *view_bar;
  MemlanePivotView *pivot, *nodes;
  MemlaneReadingLine *reading_line, *node_line;
  GtkLabel *curve_title;
  MemlaneChartView *curve, *strips;
  GtkDropDown *fleet_modes;
  GtkListBox *machines;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneComparePage, memlane_compare_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

static void
update_reading (MemlaneComparePage *self)
{
  memlane_reading_line_set (self->reading_line, MEMLANE_FIGURE_WIDGET (self->pivot)->reading,
                            _("Choose a row to see its curve"));
  memlane_reading_line_set (self->node_line, MEMLANE_FIGURE_WIDGET (self->nodes)->reading,
                            _("Point at a cell to read it"));
}

/* --- what is compared ------------------------------------------------------------------------------------------------------- */

static void
build_table (MemlaneComparePage *self, GPtrArray *runs)
{
  g_autoptr (MemlaneChart) chart = memlane_view_model_build_chart (self->view_model, MEMLANE_QUANTITY_RATIO, NULL);
  g_autoptr (MemlanePivot) pivot = NULL;

  if (runs->len >= 2)
    pivot = memlane_pivot_new_compared (((MemlaneRunItem *) runs->pdata[0])->run, memlane_run_item_get_name (runs->pdata[0]),
                                        ((MemlaneRunItem *) runs->pdata[1])->run, memlane_run_item_get_name (runs->pdata[1]),
                                        self->view_model->workload->id, self->view_model->time_phase, chart->headline);
  memlane_pivot_view_set_pivot (self->pivot, pivot);
}

/* The wall shows the figure alone. */
static void
show_bars (MemlaneComparePage *self, gboolean projector)
{
  gtk_widget_set_visible (self->bar, self->fleet == NULL && !projector);
  gtk_widget_set_visible (self->difference, self->fleet == NULL && !projector);
  gtk_widget_set_visible (self->fleet_bar, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line), !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->node_line), gtk_widget_get_visible (GTK_WIDGET (self->nodes)) && !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->machines), self->fleet != NULL && self->fleet->different->len > 0 && !projector);
}

/* Shows the curve of the chosen mode, or the table. */
static void
show (MemlaneComparePage *self)
{
  gboolean projector = MEMLANE_FIGURE_WIDGET (memlane_page_get_figure (MEMLANE_PAGE (self)))->projector;
  GtkWidget *figure;

  if (self->mode != NULL)
    {
      g_autoptr (MemlaneChart) chart = memlane_view_model_build_chart (self->view_model, MEMLANE_QUANTITY_RATIO, self->mode);
      const MemlaneMode *mode = memlane_mode_find (self->mode);

      memlane_chart_view_set_chart (self->curve, chart);
      gtk_label_set_text (self->curve_title, mode != NULL ? _(mode->title) : self->mode);
    }
  gtk_stack_set_visible_child_name (self->stack, self->fleet != NULL                          ? "fleet"
                                                 : self->mode != NULL                         ? "curve"
                                                 : memlane_pivot_view_has_cells (self->pivot) ? "table"
                                                                                              : "nothing");
  show_bars (self, projector);
  figure = memlane_page_get_figure (MEMLANE_PAGE (self));
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (figure), projector);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.all", self->mode != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.copy", memlane_pivot_view_has_cells (self->pivot));
  memlane_say_changed (self);
}

static void
rebuild (MemlaneComparePage *self)
{
  g_autoptr (GPtrArray) runs = memlane_view_model_get_drawn (self->view_model);
  g_autofree char *sentence = NULL;

  if (runs->len >= 2)
    sentence = memlane_comparison_describe (((MemlaneRunItem *) runs->pdata[0])->run, ((MemlaneRunItem *) runs->pdata[1])->run,
                                            self->view_model->workload->id);
  self->dirty = FALSE;
  memlane_view_bar_offer (self->view_bar, runs);
  build_table (self, runs);
  gtk_label_set_text (GTK_LABEL (self->difference), sentence != NULL ? sentence : "");
  if (!memlane_pivot_view_has_cells (self->pivot))
    g_clear_pointer (&self->mode, g_free);
  update_reading (self);
  show (self);
}

/* Builds nothing that is not seen. */
static void
changed_cb (MemlaneComparePage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    rebuild (self);
  else
    self->dirty = TRUE;
}

static void
row_activated_cb (MemlaneComparePage *self, const char *mode)
{
  g_free (self->mode);
  self->mode = g_strdup (mode);
  show (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->curve));
}

static void
all_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneComparePage *self = MEMLANE_COMPARE_PAGE (widget);

  g_clear_pointer (&self->mode, g_free);
  show (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->pivot));
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneComparePage *self = MEMLANE_COMPARE_PAGE (widget);
  g_autofree char *text = memlane_pivot_view_has_cells (self->pivot) ? memlane_pivot_to_csv (self->pivot->pivot) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Table copied as CSV, as ratios of times"), FALSE);
}

/* --- the machines of a folder --------------------------------------------------------------------------------------------------- */

static void
show_strips (MemlaneComparePage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->fleet_modes);
  g_autoptr (MemlaneChart) chart = NULL;

  if (self->fleet == NULL || chosen >= self->of->len || memlane_fleet_is_of_nodes (self->fleet))
    return;
  chart = memlane_chart_new_fleet (self->fleet, self->of->pdata[chosen]);
  memlane_chart_view_set_chart (self->strips, chart);
}

/* Returns the place of the workload and mode of @cell. */
static guint
find_mode (MemlaneComparePage *self, const MemlaneFleetCell *cell)
{
  guint i = 0;

  while (i < self->of->len && (strcmp (((MemlaneFleetCell *) self->of->pdata[i])->workload, cell->workload) != 0
                               || strcmp (((MemlaneFleetCell *) self->of->pdata[i])->mode, cell->mode) != 0))
    i++;
  return i;
}

/* (transfer full) */
static char *
describe_reasons (const MemlaneFleetMachine *machine)
{
  GString *text = g_string_new (NULL);

  MEMLANE_FOR_EACH_IN (const MemlaneFleetReason, reason, machine->reasons)
    {
      g_string_append (text, text->len > 0 ? C_ ("reasons", "; ") : "");
      /* Translators: in what a machine is unlike others: "PCIe lanes: 8, not 16" */
      g_string_append_printf (text, _("%s: %s, not %s"), _(reason->label), reason->own, reason->usual);
    }
  if (machine->host > 0)
    {
      g_string_append (text, text->len > 0 ? C_ ("reasons", "; ") : "");
      g_string_append_printf (text, _("its host takes %.2f times as long"), machine->host);
    }
  return g_string_free (text, FALSE);
}

static void
add_machine (MemlaneComparePage *self, const MemlaneFleetMachine *machine)
{
  g_autofree char *reasons = describe_reasons (machine);
  g_autofree char *size = memlane_unit_format (MEMLANE_UNIT_BYTES, 4 * exp2 (machine->cell->log2_elements), TRUE);
  g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, machine->ns, TRUE);
  g_autofree char *usual = memlane_unit_format (MEMLANE_UNIT_TIME, exp (machine->cell->middle), TRUE);
  g_autofree char *mode = memlane_chart_mode_label (machine->cell->mode, NULL);
  /* Translators: a machine, by how much it is slower, a mode, a size, its time and that of most machines */
  g_autofree char *title = g_strdup_printf (_("%s: %+.1f %% (%s, %s: %s instead of %s)"), machine->name, expm1 (machine->change) * 100,
                                            mode, size, time, usual);

  gtk_list_box_append (self->machines, g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "activatable", TRUE,
                                                     "subtitle", *reasons != '\0' ? reasons : _("Nothing in its environment tells why."),
                                                     NULL));
}

static void
machine_activated_cb (MemlaneComparePage *self, GtkListBoxRow *row)
{
  const MemlaneFleetMachine *machine = self->fleet->different->pdata[gtk_list_box_row_get_index (row)];

  gtk_drop_down_set_selected (self->fleet_modes, find_mode (self, machine->cell));
}

/* The runs of sweep --numa are a table of nodes, and no strips of machines. */
static void
show_nodes (MemlaneComparePage *self)
{
  const gboolean is_of_nodes = memlane_fleet_is_of_nodes (self->fleet);
  g_autoptr (MemlanePivot) pivot = is_of_nodes ? memlane_pivot_new_nodes (self->fleet) : NULL;

  memlane_pivot_view_set_pivot (self->nodes, pivot);
  gtk_widget_set_visible (GTK_WIDGET (self->nodes), is_of_nodes);
  gtk_widget_set_visible (GTK_WIDGET (self->strips), !is_of_nodes);
  gtk_widget_set_visible (GTK_WIDGET (self->fleet_modes), !is_of_nodes);
}

static void
set_fleet (MemlaneComparePage *self, MemlaneFleet *fleet)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (GtkWidget *row; (row = gtk_widget_get_first_child (GTK_WIDGET (self->machines))) != NULL;)
    gtk_list_box_remove (self->machines, row);
  g_clear_pointer (&self->fleet, memlane_fleet_free);
  g_ptr_array_set_size (self->of, 0);
  self->fleet = fleet;
  if (fleet == NULL)
    {
      show (self);
      return;
    }
  show_nodes (self);
  for (guint i = 0; i < fleet->cells->len; i++)
    if (find_mode (self, fleet->cells->pdata[i]) == self->of->len)
      {
        const MemlaneFleetCell *cell = fleet->cells->pdata[i];
        g_autofree char *workload = memlane_chart_workload_title (cell->workload), *mode = memlane_chart_mode_label (cell->mode, NULL);
        g_autofree char *both = g_strdup_printf ("%s · %s", workload, mode);

        g_ptr_array_add (self->of, fleet->cells->pdata[i]);
        gtk_string_list_append (titles, both);
      }
  for (guint i = 0; i < fleet->different->len; i++)
    add_machine (self, fleet->different->pdata[i]);
  gtk_drop_down_set_model (self->fleet_modes, G_LIST_MODEL (titles));
  if (fleet->different->len > 0)
    gtk_drop_down_set_selected (self->fleet_modes, find_mode (self, ((MemlaneFleetMachine *) fleet->different->pdata[0])->cell));
  show_strips (self);
  show (self);
}

static void
close_fleet_cb (MemlaneComparePage *self)
{
  set_fleet (self, NULL);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  GError *error = NULL;
  MemlaneFleet *fleet = memlane_fleet_read (folder, 0.05, cancellable, &error);

  if (fleet == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, fleet, (GDestroyNotify) memlane_fleet_free);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  MemlaneComparePage *self = data; /* gone, where the task was cancelled */
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneFleet) fleet = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *sentence = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (fleet == NULL)
    sentence = g_strdup (error->message);
  else if (fleet->n_tests == 0 && !memlane_fleet_is_of_nodes (fleet))
    sentence = g_strdup_printf (_("%s: found %u runs, expected at least %d of one measurement, each with %d rounds beside it."),
                                (const char *) g_task_get_task_data (G_TASK (result)), fleet->machines->len,
                                MEMLANE_FLEET_LEAST_MACHINES, MEMLANE_FLEET_LEAST_ROUNDS);
  else if (fleet->refused->len > 0)
    sentence = g_strdup_printf (ngettext ("%u file was left out: %s", "%u files were left out. The first: %s", fleet->refused->len),
                                fleet->refused->len, (const char *) fleet->refused->pdata[0]);
  if (sentence != NULL)
    memlane_page_emit_notice (MEMLANE_PAGE (self), sentence, TRUE);
  if (fleet != NULL && (fleet->n_tests > 0 || memlane_fleet_is_of_nodes (fleet)))
    set_fleet (self, g_steal_pointer (&fleet));
}

gboolean
memlane_compare_page_is_fleet (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return strcmp (name, MEMLANE_FLEET_FILE) == 0 || g_file_test (path, G_FILE_TEST_IS_DIR);
}

static void
stop_reading (MemlaneComparePage *self)
{
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

/* The folder, or the table of a sweep of many machines that lies in it; instead of one that is being read. */
static void
open_fleet (MemlanePage *page, const char *path)
{
  MemlaneComparePage *self = MEMLANE_COMPARE_PAGE (page);
  g_autoptr (GTask) task = NULL;

  stop_reading (self);
  self->reading = g_cancellable_new ();
  task = g_task_new (NULL, self->reading, read_cb, self);
  g_task_set_task_data (task, g_file_test (path, G_FILE_TEST_IS_DIR) ? g_strdup (path) : g_path_get_dirname (path), g_free);
  g_task_run_in_thread (task, read_in_thread);
}

/* --- what the window asks ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
get_figure (MemlanePage *page)
{
  MemlaneComparePage *self = MEMLANE_COMPARE_PAGE (page);

  if (self->fleet != NULL)
    return memlane_fleet_is_of_nodes (self->fleet) ? GTK_WIDGET (self->nodes) : GTK_WIDGET (self->strips);
  return self->mode != NULL ? GTK_WIDGET (self->curve) : GTK_WIDGET (self->pivot);
}

static gboolean
has_figure (MemlanePage *page)
{
  return MEMLANE_COMPARE_PAGE (page)->fleet != NULL || memlane_pivot_view_has_cells (MEMLANE_COMPARE_PAGE (page)->pivot);
}

static void
set_projector (MemlanePage *page, gboolean projector)
{
  show_bars (MEMLANE_COMPARE_PAGE (page), projector);
}

static void
page_init (MemlanePageInterface *iface)
{
  iface->get_figure = get_figure;
  iface->has_figure = has_figure;
  iface->can_project = has_figure;
  iface->set_projector = set_projector;
  iface->open = open_fleet;
}

/* --- life ------------------------------------------------------------------------------------------------------------------------ */

static void
map (GtkWidget *widget)
{
  if (MEMLANE_COMPARE_PAGE (widget)->dirty)
    rebuild (MEMLANE_COMPARE_PAGE (widget));
  GTK_WIDGET_CLASS (memlane_compare_page_parent_class)->map (widget);
}

MEMLANE_DEFINE_RELEASE (MemlaneComparePage, memlane_compare_page, dispose, stop_reading (self);
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_COMPARE_PAGE); OWNS (view_model, g_object_unref)
                        OWNS (mode, g_free) OWNS (fleet, memlane_fleet_free) OWNS (of, g_ptr_array_unref))

static void
memlane_compare_page_class_init (MemlaneComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  MEMLANE_ENSURE_TYPES (CHART_VIEW, PIVOT_VIEW, READING_LINE, VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/compare-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneComparePage, bar, difference, stack, view_bar, pivot, reading_line, curve_title, curve, strips,
                                             nodes, node_line, fleet_bar, fleet_modes, machines);
  MEMLANE_BIND_CALLBACKS (update_reading, row_activated_cb, show_strips, machine_activated_cb, close_fleet_cb);
  gtk_widget_class_install_action (widget_class, "compare.all", NULL, all_action);
  gtk_widget_class_install_action (widget_class, "compare.copy", NULL, copy_action);
}

static void
memlane_compare_page_init (MemlaneComparePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->of = g_ptr_array_new ();
  memlane_drop_down_ellipsize (self->fleet_modes);
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  memlane_reading_line_follow (self->node_line, GTK_WIDGET (self));
  self->dirty = TRUE;
}

GtkWidget *
memlane_compare_page_new (MemlaneViewModel *view)
{
  MemlaneComparePage *self = g_object_new (MEMLANE_TYPE_COMPARE_PAGE, NULL);
  g_autoptr (GMenu) menu = g_menu_new ();

  self->view_model = g_object_ref (view);
  g_menu_append (menu, _("_All Modes"), "compare.all");
  g_menu_append (menu, _("_Copy as CSV"), "compare.copy");
  memlane_view_bar_follow (self->view_bar, view, "time-phase", G_MENU_MODEL (menu));
  g_signal_connect_object (view, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
