/* compare-page.c: two runs compared: a table of differences, and the curve of a row
 *
 * SPDX-License-Identifier: MIT
 */
#include "compare-page.h"

#include <glib/gi18n-lib.h>

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

  GtkWidget *bar, *difference;
  GtkStack *stack;
  MemlaneViewBar *view_bar;
  MemlanePivotView *pivot;
  MemlaneReadingLine *reading_line;
  GtkLabel *curve_title;
  MemlaneChartView *curve;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneComparePage, memlane_compare_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

static void
update_reading (MemlaneComparePage *self)
{
  memlane_reading_line_set (self->reading_line, MEMLANE_FIGURE_WIDGET (self->pivot)->reading,
                            _("Choose a row to see its curve"));
}

/* --- what is compared ------------------------------------------------------------------------- */

static void
build_table (MemlaneComparePage *self, GPtrArray *runs)
{
  g_autoptr (MemlaneChart) chart =
      memlane_view_model_build_chart (self->view_model, MEMLANE_QUANTITY_RATIO, NULL);
  g_autoptr (MemlanePivot) pivot = NULL;

  if (runs->len >= 2)
    pivot = memlane_pivot_new_compared (
        ((MemlaneRunItem *) runs->pdata[0])->run, memlane_run_item_get_name (runs->pdata[0]),
        ((MemlaneRunItem *) runs->pdata[1])->run, memlane_run_item_get_name (runs->pdata[1]),
        self->view_model->workload->id, self->view_model->time_phase, chart->headline);
  memlane_pivot_view_set_pivot (self->pivot, pivot);
}

/* The wall shows the figure alone. */
static void
show_bars (MemlaneComparePage *self, gboolean projector)
{
  gtk_widget_set_visible (self->bar, !projector);
  gtk_widget_set_visible (self->difference, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line), !projector);
}

/* Shows the curve of the chosen mode, or the table. */
static void
show (MemlaneComparePage *self)
{
  gboolean projector =
      MEMLANE_FIGURE_WIDGET (memlane_page_get_figure (MEMLANE_PAGE (self)))->projector;
  GtkWidget *figure;

  if (self->mode != NULL)
    {
      g_autoptr (MemlaneChart) chart =
          memlane_view_model_build_chart (self->view_model, MEMLANE_QUANTITY_RATIO, self->mode);
      const MemlaneMode *mode = memlane_mode_find (self->mode);

      memlane_chart_view_set_chart (self->curve, chart);
      gtk_label_set_text (self->curve_title, mode != NULL ? _(mode->title) : self->mode);
    }
  gtk_stack_set_visible_child_name (self->stack, self->mode != NULL ? "curve"
                                                 : memlane_pivot_view_has_cells (self->pivot)
                                                     ? "table"
                                                     : "nothing");
  show_bars (self, projector);
  figure = memlane_page_get_figure (MEMLANE_PAGE (self));
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (figure), projector);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.all", self->mode != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.copy",
                                 memlane_pivot_view_has_cells (self->pivot));
  memlane_say_changed (self);
}

static void
rebuild (MemlaneComparePage *self)
{
  g_autoptr (GPtrArray) runs = memlane_view_model_get_drawn (self->view_model);
  g_autofree char *sentence = NULL;

  if (runs->len >= 2)
    sentence = memlane_comparison_describe (((MemlaneRunItem *) runs->pdata[0])->run,
                                            ((MemlaneRunItem *) runs->pdata[1])->run,
                                            self->view_model->workload->id);
  memlane_view_bar_offer (self->view_bar, runs);
  build_table (self, runs);
  gtk_label_set_text (GTK_LABEL (self->difference), sentence != NULL ? sentence : "");
  if (!memlane_pivot_view_has_cells (self->pivot))
    g_clear_pointer (&self->mode, g_free);
  update_reading (self);
  show (self);
}

static void
changed_cb (MemlaneComparePage *self)
{
  memlane_page_when_seen (self, G_CALLBACK (rebuild));
}

static void
row_activated_cb (MemlaneComparePage *self, const char *mode)
{
  memlane_text_set (&self->mode, mode);
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
  g_autofree char *text =
      memlane_pivot_view_has_cells (self->pivot) ? memlane_pivot_to_csv (self->pivot->pivot) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Table copied as CSV, as ratios of times"),
                            FALSE);
}

/* --- what the window asks --------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  MemlaneComparePage *self = MEMLANE_COMPARE_PAGE (page);

  return self->mode != NULL ? GTK_WIDGET (self->curve) : GTK_WIDGET (self->pivot);
}

static gboolean
has_figure (MemlanePage *page)
{
  return memlane_pivot_view_has_cells (MEMLANE_COMPARE_PAGE (page)->pivot);
}

static void
set_projector (MemlanePage *page, gboolean projector)
{
  show_bars (MEMLANE_COMPARE_PAGE (page), projector);
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

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneComparePage, memlane_compare_page, dispose,
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_COMPARE_PAGE);
                        OWNS (view_model, g_object_unref) OWNS (mode, g_free))

static void
memlane_compare_page_class_init (MemlaneComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  MEMLANE_ENSURE_TYPES (CHART_VIEW, PIVOT_VIEW, READING_LINE, VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/compare-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneComparePage, bar, difference, stack, view_bar, pivot, reading_line,
                         curve_title, curve);
  MEMLANE_BIND_CALLBACKS (update_reading, row_activated_cb);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "compare.all", NULL, all_action },
    { "compare.copy", NULL, copy_action },
    { NULL },
  });
}

static void
memlane_compare_page_init (MemlaneComparePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
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
  changed_cb (self);
  g_signal_connect_object (view, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
