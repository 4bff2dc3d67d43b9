/* chart-page.c: the Bandwidth and the Time page: what to show above, and the chart
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-page.h"

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "chart-view.h"
#include "model/fields.h"
#include "parts/view-bar.h"
#include "parts/template.h"
#include "base/each.h"

struct _MemlaneChartPage
{
  AdwBin parent_instance;

  MemlaneRunStore *runs;       /* (owned) */
  MemlaneViewModel *view_model; /* (owned) */
  MemlaneSweepJob *sweep;      /* (owned) */
  MemlaneQuantity quantity;
  GMenu *menu;           /* (owned) */
  guint menu_key;        /* what it has; 0: it is empty */

  GtkWidget *stack;
  MemlaneViewBar *view_bar;
  AdwStatusPage *nothing;
  GtkWidget *run, *show_all, *recorded;
  MemlaneChartView *view;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneChartPage, memlane_chart_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- the bar ------------------------------------------------------------ */

static const char *
get_phase_property (MemlaneChartPage *self)
{
  return self->quantity == MEMLANE_QUANTITY_TIME ? "time-phase" : "phase";
}

static const char *
get_axis_property (MemlanePage *page)
{
  return MEMLANE_CHART_PAGE (page)->quantity == MEMLANE_QUANTITY_TIME ? "time-axis"
                                                                      : "bandwidth-axis";
}

static MemlanePhase
get_phase (MemlaneChartPage *self)
{
  int phase;

  g_object_get (self->view_model, get_phase_property (self), &phase, NULL);
  return phase;
}

/* Whether the button has anything to show. */
static gboolean
has_published (MemlaneChartPage *self)
{
  const MemlanePublished *published = memlane_view_model_get_published (self->view_model);
  const MemlaneWorkload *workload = self->view_model->workload;
  MemlanePhase phase = get_phase (self);

  if (published != NULL && workload != NULL)
    MEMLANE_FOR_EACH (const MemlanePublishedFigure, figure, published->figures)
      if (figure->phase == phase && g_str_equal (figure->workload, workload->id))
        return TRUE;
  return FALSE;
}

/* The menu has what can be chosen now: a time has no limits, and not everything was published. */
static void
fill_menu (MemlaneChartPage *self)
{
  g_autoptr (GMenu) forms = g_menu_new (), values = g_menu_new (), whole = g_menu_new ();

  g_menu_append (forms, _("_Overview"), "view.form::overview");
  g_menu_append (forms, _("_Family by Family"), "view.form::families");
  g_menu_append (values, _("_Logarithmic Axis"), "win.log-values");
  if (self->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    g_menu_append (values, _("_Theoretical Limits"), "win.ceilings");
  if (has_published (self))
    g_menu_append (values, _("_Published Results"), "win.published");
  g_menu_append (whole, _("Show _Everything"), "view.fit");
  g_menu_remove_all (self->menu);
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (forms));
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (values));
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (whole));
}

static void
update_bar (MemlaneChartPage *self, GPtrArray *shown /* (element-type MemlaneRunItem) */)
{
  guint key = has_published (self) ? 2 : 1;

  memlane_view_bar_offer (self->view_bar, shown);
  if (key != self->menu_key) /* a menu that is open closes when it is filled */
    fill_menu (self);
  self->menu_key = key;
}

static void
update_fit (MemlaneChartPage *self)
{
  gboolean zoomed;

  g_object_get (self->view, "zoomed", &zoomed, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.fit", zoomed);
}

static void
fit_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (MEMLANE_CHART_PAGE (widget)->view), "chart.fit", NULL);
}

static void
show_all_clicked_cb (MemlaneChartPage *self)
{
  memlane_mode_set_put_all (self->view_model->modes, TRUE);
}

/* --- the chart -------------------------------------------------------------------------------- */

/* A measured point leads to its timeline; a published one has no cell that could be recorded. */
static void
point_activated_cb (MemlaneChartPage *self, const MemlaneChartPoint *point)
{
  if (point->cell != NULL)
    memlane_page_record (MEMLANE_PAGE (self), point->cell);
  else
    memlane_page_emit_notice (
        MEMLANE_PAGE (self),
        _("This figure was published by others: only what is measured here can be recorded"),
        FALSE);
}

/* Why there is no curve, and what to do. */
static void
explain (MemlaneChartPage *self, MemlaneChart *chart, GPtrArray *shown)
{
  gboolean running = memlane_sweep_job_is_running (self->sweep), none = shown->len == 0;
  gboolean reading = none && !running && memlane_run_store_is_reading (self->runs);
  gboolean hidden = !none && memlane_mode_set_is_empty (self->view_model->modes);
  const char *icon = "memlane-info-symbolic", *title = _("Nothing to draw"),
             *description = chart->trouble;

  if (running || reading)
    {
      icon = "content-loading-symbolic";
      title = running ? _("Measuring") : _("Reading the runs");
      description = reading ? NULL
                    : none  ? _("Curves appear with the first measurement.")
                            : chart->trouble;
    }
  else if (none && g_list_model_get_n_items (G_LIST_MODEL (self->runs)) > 0)
    {
      title = _("No run is shown");
      description = _("Tick a run in the side panel to draw its curves, or measure a new one.");
    }
  else if (none)
    {
      icon = self->quantity == MEMLANE_QUANTITY_TIME ? "memlane-time-symbolic"
                                                     : "memlane-bandwidth-symbolic";
      title = _("Nothing measured yet");
      description = _("Press Run to measure the selected modes. Curves are drawn live; every run "
                      "is kept in the side panel.");
    }
  adw_status_page_set_icon_name (self->nothing, icon);
  adw_status_page_set_title (self->nothing, title);
  adw_status_page_set_description (self->nothing, description);
  gtk_widget_set_visible (self->run, !running && !reading && !hidden);
  gtk_widget_set_visible (self->show_all, !running && hidden);
  gtk_widget_set_visible (self->recorded, !running && !reading && none);
}

static void
rebuild (MemlaneChartPage *self)
{
  g_autoptr(GPtrArray) shown = memlane_run_store_get_shown (self->runs);
  g_autoptr (MemlaneChart) chart =
      memlane_view_model_build_chart (self->view_model, self->quantity, NULL);

  update_bar (self, shown);
  memlane_chart_view_set_chart (self->view, chart);
  if (chart->trouble != NULL)
    {
      gboolean focused = gtk_widget_has_focus (GTK_WIDGET (self->view));

      explain (self, chart, shown);
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "nothing");
      if (focused)
        gtk_widget_child_focus (GTK_WIDGET (self->nothing), GTK_DIR_TAB_FORWARD);
    }
  else
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "chart");
  memlane_say_changed (self); /* the axis may be another */
}

static void
charts_changed_cb (MemlaneChartPage *self)
{
  memlane_page_when_seen (self, G_CALLBACK (rebuild));
}

/* --- what the window asks --------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  return GTK_WIDGET (MEMLANE_CHART_PAGE (page)->view);
}

static gboolean
has_figure (MemlanePage *page)
{
  MemlaneRunStore *runs = MEMLANE_CHART_PAGE (page)->runs;
  g_autoptr (GPtrArray) shown = runs != NULL ? memlane_run_store_get_shown (runs) : NULL;

  return shown != NULL && shown->len > 0;
}

static const char *
get_hint (MemlanePage *page)
{
  return _("Escape leaves the projector. Right and Left show and hide a curve, Page Down and Page "
           "Up a family, R other runs.");
}

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .get_figure = get_figure,
    .has_figure = has_figure,
    .get_axis_property = get_axis_property,
    .get_hint = get_hint,
  };
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneChartPage, memlane_chart_page, dispose,
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_CHART_PAGE);
                        OWNS (runs, g_object_unref) OWNS (view_model, g_object_unref)
                        OWNS (sweep, g_object_unref) OWNS (menu, g_object_unref))

/* The names of the forms in the View menu's entries. */
static const char *const forms[] = { [MEMLANE_FORM_OVERVIEW] = "overview",
                                     [MEMLANE_FORM_FAMILIES] = "families" };
enum { PROP_FORM = 1 };

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_static_string (value, forms[MEMLANE_CHART_PAGE (object)->view->view.form]);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_strcmp0 (g_value_get_string (value), forms[i]) == 0)
      memlane_chart_view_set_form (MEMLANE_CHART_PAGE (object)->view, i);
}

static void
memlane_chart_page_class_init (MemlaneChartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_FORM,
      g_param_spec_string ("form", NULL, NULL, forms[0],
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));

  MEMLANE_ENSURE_TYPES (CHART_VIEW, VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/chart-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneChartPage, view_bar, stack, nothing, run, show_all, recorded, view);
  MEMLANE_BIND_CALLBACKS (show_all_clicked_cb, update_fit, point_activated_cb);
  gtk_widget_class_install_property_action (widget_class, "view.form", "form");
  gtk_widget_class_install_action (widget_class, "view.fit", NULL, fit_action);
}

static void
memlane_chart_page_init (MemlaneChartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->menu = g_menu_new ();
  update_fit (self);
}

GtkWidget *
memlane_chart_page_new (MemlaneQuantity quantity, MemlaneRunStore *runs, MemlaneViewModel *view,
                        MemlaneSweepJob *sweep)
{
  MemlaneChartPage *self = g_object_new (MEMLANE_TYPE_CHART_PAGE, NULL);

  self->runs = g_object_ref (runs);
  self->view_model = g_object_ref (view);
  self->sweep = g_object_ref (sweep);
  self->quantity = quantity;
  memlane_view_bar_follow (self->view_bar, view, get_phase_property (self),
                           G_MENU_MODEL (self->menu));
  fill_menu (self);
  charts_changed_cb (self);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { view, "changed", G_CALLBACK (charts_changed_cb) },
    { sweep, "notify::running", G_CALLBACK (charts_changed_cb) },
    { NULL },
  });
  return GTK_WIDGET (self);
}
