/* chart-page.c: the Bandwidth and the Time page: what to show above, the chart, the reading below
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-page.h"

#include <glib/gi18n-lib.h>

#include "chart-view.h"
#include "parts/reading-line.h"
#include "parts/view-switch.h"

#define LOW 480 /* px of the window: below that no picture has room beside words */

struct _MemlaneChartPage
{
  AdwBin parent_instance;

  MemlaneRunStore *runs;       /* (owned) */
  MemlaneViewModel *view_model; /* (owned) */
  MemlaneSweepJob *sweep;      /* (owned) */
  MemlaneQuantity quantity;
  gboolean projector;
  gboolean dirty;        /* the chart is to be built when the page is seen again */
  guint offered;         /* bits: the phases in the menu */
  gboolean filling;      /* the menu is being filled: what it selects is no choice */

  GtkWidget *bar, *phases, *forms, *log_values, *ceilings, *published, *compare, *fit, *comparison, *stack;
  AdwStatusPage *nothing;
  const char *icon;      /* of it, where there is room */
  GtkWidget *run, *show_all, *recorded;
  MemlaneChartView *view;
  MemlaneReadingLine *reading_line;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneChartPage, memlane_chart_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- the bar: phases, toggles and the sentence below them ------------------------------------------------------------ */

static const char *
get_phase_property (MemlanePage *page)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (page);

  return self->quantity == MEMLANE_QUANTITY_TIME ? "time-phase" : "phase";
}

static const char *
get_log_property (MemlanePage *page)
{
  return MEMLANE_CHART_PAGE (page)->quantity == MEMLANE_QUANTITY_TIME ? "log-time" : "log-bandwidth";
}

static MemlanePhase
get_phase (MemlaneChartPage *self)
{
  int phase;

  g_object_get (self->view_model, get_phase_property (MEMLANE_PAGE (self)), &phase, NULL);
  return phase;
}

static gboolean
get_flag (MemlaneChartPage *self, const char *property)
{
  gboolean flag;

  g_object_get (self->view_model, property, &flag, NULL);
  return flag;
}

/* Phases move no bytes before and after the transfers: they have a time and no bandwidth. */
static gboolean
is_of_page (MemlaneChartPage *self, MemlanePhase phase)
{
  return self->quantity == MEMLANE_QUANTITY_TIME || phase == MEMLANE_PHASE_UPLOAD || phase == MEMLANE_PHASE_KERNEL
         || phase == MEMLANE_PHASE_DOWNLOAD || phase == MEMLANE_PHASE_ELAPSED;
}

static gboolean
is_measured (MemlaneChartPage *self, GPtrArray *shown, MemlanePhase phase)
{
  const MemlaneWorkload *workload = memlane_view_model_get_workload (self->view_model);

  for (guint i = 0; i < shown->len; i++)
    {
      MemlaneRun *run = memlane_run_item_get_run (shown->pdata[i]);

      if (run != NULL && memlane_chart_has_phase (run, workload == NULL ? NULL : workload->id, phase))
        return TRUE;
    }
  return FALSE;
}

/* The phases that a shown run has; before there is a run all of them. The chosen one stays in the menu. */
static guint
choose_phases (MemlaneChartPage *self, GPtrArray *shown, guint *measured)
{
  guint all = 0;

  *measured = 0;
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    if (is_of_page (self, phase))
      {
        all |= 1u << phase;
        if (is_measured (self, shown, phase))
          *measured |= 1u << phase;
      }
  return *measured == 0 ? all : *measured | (1u << get_phase (self));
}

static guint
position_of (guint phases, MemlanePhase phase)
{
  guint position = 0;

  for (guint i = 0; i < phase; i++)
    position += (phases >> i) & 1;
  return (phases >> phase) & 1 ? position : GTK_INVALID_LIST_POSITION;
}

static void
fill_phases (MemlaneChartPage *self, GPtrArray *shown)
{
  guint measured, phases = choose_phases (self, shown, &measured);
  MemlanePhase chosen = get_phase (self);
  gboolean marked = measured != 0 && !((measured >> chosen) & 1);
  guint key = phases | (marked ? 1u << 31 : 0);

  self->filling = TRUE;
  if (key != self->offered)
    {
      g_autoptr(GtkStringList) titles = gtk_string_list_new (NULL);

      for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
        if ((phases >> phase) & 1)
          {
            if (marked && phase == (guint) chosen)
              /* Translators: a phase in a menu, such as "upload (host to device)" */
              gtk_string_list_take (titles, g_strdup_printf (_("%s – not measured"), memlane_chart_phase_title (phase)));
            else
              gtk_string_list_append (titles, memlane_chart_phase_title (phase));
          }
      gtk_drop_down_set_model (GTK_DROP_DOWN (self->phases), G_LIST_MODEL (titles));
      self->offered = key;
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->phases), position_of (phases, chosen));
  self->filling = FALSE;
}

static void
phase_selected_cb (MemlaneChartPage *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phases)), phases = self->offered & ~(1u << 31);

  if (self->filling || self->view_model == NULL)
    return;
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    if (position_of (phases, phase) == selected)
      g_object_set (self->view_model, get_phase_property (MEMLANE_PAGE (self)), (int) phase, NULL);
}

static void
form_selected_cb (MemlaneChartPage *self)
{
  /* In the order of the menu. */
  static const MemlaneForm forms[] = { MEMLANE_FORM_OVERVIEW, MEMLANE_FORM_FAMILIES };
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->forms));

  if (self->view != NULL && selected < G_N_ELEMENTS (forms))
    memlane_chart_view_set_form (self->view, forms[selected]);
}

/* Whether the button has anything to show. */
static gboolean
has_published (MemlaneChartPage *self)
{
  const MemlanePublished *published = memlane_view_model_get_published (self->view_model);
  const MemlaneWorkload *workload = memlane_view_model_get_workload (self->view_model);
  MemlanePhase phase = get_phase (self);

  for (guint i = 0; published != NULL && workload != NULL && i < published->figures->len; i++)
    {
      const MemlanePublishedFigure *figure = published->figures->pdata[i];

      if (figure->phase == phase && g_str_equal (figure->workload, workload->id))
        return TRUE;
    }
  return FALSE;
}

static void
update_bar (MemlaneChartPage *self, GPtrArray *shown /* (element-type MemlaneRunItem) */)
{
  gboolean comparing = get_flag (self, "comparing"), enough = shown->len >= 2, published = has_published (self);
  g_autofree char *sentence = comparing ? memlane_view_model_describe_comparison (self->view_model, FALSE) : NULL;
  g_autofree char *whole = comparing ? memlane_view_model_describe_comparison (self->view_model, TRUE) : NULL;

  fill_phases (self, shown);
  gtk_widget_set_sensitive (self->compare, enough || comparing);
  gtk_widget_set_tooltip_text (self->compare, enough ? _("The ratio of the first two shown runs, mode by mode")
                                                     : _("Show a second run to compare it with the first"));
  /* A ratio has a logarithmic axis, and neither ceilings nor published figures. */
  gtk_widget_set_sensitive (self->log_values, !comparing);
  gtk_widget_set_sensitive (self->ceilings, !comparing);
  gtk_widget_set_sensitive (self->published, published && !comparing);
  gtk_widget_set_tooltip_text (self->published, published ? _("Published results, for comparison")
                                                          : _("No figures have been published for this workload and phase"));
  gtk_label_set_text (GTK_LABEL (self->comparison), sentence == NULL ? "" : sentence);
  gtk_widget_set_tooltip_text (self->comparison, whole);
  gtk_widget_set_visible (self->comparison, sentence != NULL && !self->projector);
}

static void
bind_bar (MemlaneChartPage *self)
{
  gboolean time = self->quantity == MEMLANE_QUANTITY_TIME;
  const GBindingFlags both = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;

  gtk_widget_set_visible (self->ceilings, !time); /* a time has none */
  g_object_bind_property (self->view_model, get_log_property (MEMLANE_PAGE (self)), self->log_values, "active", both);
  g_object_bind_property (self->view_model, "show-ceilings", self->ceilings, "active", both);
  g_object_bind_property (self->view_model, "show-published", self->published, "active", both);
  g_object_bind_property (self->view_model, "comparing", self->compare, "active", both);
}

static void
update_fit (MemlaneChartPage *self)
{
  gboolean zoomed;

  g_object_get (self->view, "zoomed", &zoomed, NULL);
  gtk_widget_set_sensitive (self->fit, zoomed);
}

static void
fit_clicked_cb (MemlaneChartPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "chart.fit", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* the button is insensitive now */
}

static void
show_all_clicked_cb (MemlaneChartPage *self)
{
  memlane_mode_set_put_all (memlane_view_model_get_modes (self->view_model), TRUE);
}

/* --- chart and reading ------------------------------------------------------------------------------------------ */

static void
update_reading (MemlaneChartPage *self)
{
  memlane_reading_line_set (self->reading_line, memlane_figure_widget_get_reading (MEMLANE_FIGURE_WIDGET (self->view)),
                            _("Point at a curve or press an arrow key to read values"));
}

/* A measured point leads to its timeline; a published one has no cell that could be recorded. */
static void
point_activated_cb (MemlaneChartPage *self, const MemlaneChartPoint *point)
{
  if (point->cell != NULL)
    memlane_page_record (MEMLANE_PAGE (self), point->cell);
  else
    memlane_page_emit_notice (MEMLANE_PAGE (self),
                              _("This figure was published by others: only what is measured here can be recorded"), FALSE);
}

static void
adapt (MemlaneChartPage *self)
{
  gboolean low = memlane_reading_line_get_window_height (self->reading_line) < LOW;

  adw_status_page_set_icon_name (self->nothing, low ? NULL : self->icon);
}

static gboolean
is_any_mode_shown (MemlaneChartPage *self)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (memlane_mode_set_has (memlane_view_model_get_modes (self->view_model), modes[i].id))
      return TRUE;
  return FALSE;
}

/* Why there is no curve, and what to do. */
static void
explain (MemlaneChartPage *self, MemlaneChart *chart, GPtrArray *shown)
{
  gboolean running = memlane_sweep_job_is_running (self->sweep), none = shown->len == 0;
  gboolean reading = none && !running && memlane_run_store_is_reading (self->runs), hidden = !none && !is_any_mode_shown (self);

  if (running)
    {
      self->icon = "content-loading-symbolic";
      adw_status_page_set_title (self->nothing, _("Measuring"));
      adw_status_page_set_description (self->nothing, none ? _("Curves appear with the first measurement.") : chart->trouble);
    }
  else if (reading)
    {
      self->icon = "content-loading-symbolic";
      adw_status_page_set_title (self->nothing, _("Reading the runs"));
      adw_status_page_set_description (self->nothing, NULL);
    }
  else if (none && g_list_model_get_n_items (G_LIST_MODEL (self->runs)) > 0)
    {
      self->icon = "memlane-info-symbolic";
      adw_status_page_set_title (self->nothing, _("No run is shown"));
      adw_status_page_set_description (self->nothing, _("Tick a run in the side panel to draw its curves, or measure a new one."));
    }
  else if (none)
    {
      self->icon = self->quantity == MEMLANE_QUANTITY_TIME ? "memlane-time-symbolic" : "memlane-bandwidth-symbolic";
      adw_status_page_set_title (self->nothing, _("Nothing measured yet"));
      adw_status_page_set_description (self->nothing,
                                       _("Press Run to measure the selected modes. Curves are drawn live; "
                                         "every run is kept in the side panel."));
    }
  else
    {
      self->icon = "memlane-info-symbolic";
      adw_status_page_set_title (self->nothing, _("Nothing to draw"));
      adw_status_page_set_description (self->nothing, chart->trouble);
    }
  gtk_widget_set_visible (self->run, !running && !reading && !hidden);
  gtk_widget_set_visible (self->show_all, !running && hidden);
  gtk_widget_set_visible (self->recorded, !running && !reading && none);
  adapt (self);
}

static void
rebuild (MemlaneChartPage *self)
{
  g_autoptr(GPtrArray) shown = memlane_run_store_get_shown (self->runs);
  gboolean comparing = get_flag (self, "comparing");
  g_autoptr(MemlaneChart) chart = memlane_view_model_build_chart (self->view_model, comparing ? MEMLANE_QUANTITY_RATIO : self->quantity);

  self->dirty = FALSE;
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
  update_reading (self);
}

/* What is not seen is not built. */
static void
charts_changed_cb (MemlaneChartPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    rebuild (self);
  else
    self->dirty = TRUE;
}

static void
memlane_chart_page_map (GtkWidget *widget)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (widget);

  if (self->dirty && self->view_model != NULL)
    rebuild (self);
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->map (widget);
}

/* --- what the window asks ------------------------------------------------------------------------------------------ */

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

static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (page);

  self->projector = projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line), !self->projector); /* the curve alone, and its table at the crosshair */
  gtk_widget_set_visible (self->comparison, !self->projector && gtk_label_get_text (GTK_LABEL (self->comparison))[0] != '\0');
  memlane_reading_line_set_projector (self->reading_line, self->projector);
  update_reading (self);
}

static const char *
get_hint (MemlanePage *page)
{
  return _("Escape leaves the projector. Right and Left show and hide a curve, Page Down and Page Up a family.");
}

static void
page_init (MemlanePageInterface *iface)
{
  iface->get_figure = get_figure;
  iface->has_figure = has_figure;
  iface->get_phase_property = get_phase_property;
  iface->get_log_property = get_log_property;
  iface->set_projector = set_projector;
  iface->get_hint = get_hint;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void
memlane_chart_page_dispose (GObject *object)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_CHART_PAGE);
  g_clear_object (&self->runs);
  g_clear_object (&self->view_model);
  g_clear_object (&self->sweep);
  G_OBJECT_CLASS (memlane_chart_page_parent_class)->dispose (object);
}

static void
memlane_chart_page_class_init (MemlaneChartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = memlane_chart_page_dispose;
  widget_class->map = memlane_chart_page_map;

  g_type_ensure (MEMLANE_TYPE_CHART_VIEW);
  g_type_ensure (MEMLANE_TYPE_READING_LINE);
  g_type_ensure (MEMLANE_TYPE_VIEW_SWITCH);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/chart-page.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneChartPage, name)
  CHILD (bar);
  CHILD (phases);
  CHILD (forms);
  CHILD (log_values);
  CHILD (ceilings);
  CHILD (published);
  CHILD (compare);
  CHILD (fit);
  CHILD (comparison);
  CHILD (stack);
  CHILD (reading_line);
  CHILD (nothing);
  CHILD (run);
  CHILD (show_all);
  CHILD (recorded);
  CHILD (view);
#undef CHILD
  gtk_widget_class_bind_template_callback (widget_class, phase_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, form_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, fit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_all_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, update_fit);
  gtk_widget_class_bind_template_callback (widget_class, point_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, adapt);
}

static void
memlane_chart_page_init (MemlaneChartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  self->dirty = TRUE;
  update_fit (self);
  update_reading (self);
}

GtkWidget *
memlane_chart_page_new (MemlaneQuantity quantity, MemlaneRunStore *runs, MemlaneViewModel *view, MemlaneSweepJob *sweep)
{
  MemlaneChartPage *self = g_object_new (MEMLANE_TYPE_CHART_PAGE, NULL);

  self->runs = g_object_ref (runs);
  self->view_model = g_object_ref (view);
  self->sweep = g_object_ref (sweep);
  self->quantity = quantity;
  bind_bar (self);
  g_signal_connect_object (view, "changed", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sweep, "notify::running", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
