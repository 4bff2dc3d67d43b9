/* chart-page.c: the Bandwidth and Time pages
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-page.h"

#define PROJECTED_TEXT 24 /* px at text of 100 % */

struct _MemlaneChartPage
{
  AdwBin parent_instance;

  MemlaneSession *session;
  MemlaneQuantity quantity;
  gboolean projector;
  gboolean dirty;        /* the chart is to be built when the page is seen again */
  guint offered;         /* bits: the phases in the menu */
  gboolean filling;      /* the menu is being filled: what it selects is no choice */

  GtkWidget *bar, *phases, *log_values, *ceilings, *published, *compare, *fit, *comparison, *stack, *room, *reading;
  AdwStatusPage *nothing;
  GtkWidget *run, *recorded;
  MemlaneChartView *view;
};

G_DEFINE_FINAL_TYPE (MemlaneChartPage, memlane_chart_page, ADW_TYPE_BIN)

static const char *
phase_property (MemlaneChartPage *self)
{
  return self->quantity == MEMLANE_QUANTITY_TIME ? "time-phase" : "phase";
}

static MemlanePhase
get_phase (MemlaneChartPage *self)
{
  int phase;

  g_object_get (self->session, phase_property (self), &phase, NULL);
  return phase;
}

static gboolean
get_flag (MemlaneChartPage *self, const char *property)
{
  gboolean flag;

  g_object_get (self->session, property, &flag, NULL);
  return flag;
}

/* --- the bar -------------------------------------------------------------------------------------------------- */

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
  const MemlaneWorkload *workload = memlane_session_get_workload (self->session);

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

  if (self->filling || self->session == NULL)
    return;
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    if (position_of (phases, phase) == selected)
      g_object_set (self->session, phase_property (self), (int) phase, NULL);
}

static void
update_bar (MemlaneChartPage *self, GPtrArray *shown)
{
  gboolean comparing = get_flag (self, "comparing"), enough = shown->len >= 2;
  g_autofree char *sentence = comparing ? memlane_session_describe_comparison (self->session) : NULL;

  fill_phases (self, shown);
  gtk_widget_set_sensitive (self->compare, enough || comparing);
  gtk_widget_set_tooltip_text (self->compare, enough ? _("The ratio of the first two shown runs, mode by mode")
                                                     : _("Show a second run to compare it with the first"));
  /* A ratio has a logarithmic axis, and neither ceilings nor published figures. */
  gtk_widget_set_sensitive (self->log_values, !comparing);
  gtk_widget_set_sensitive (self->ceilings, !comparing);
  gtk_widget_set_sensitive (self->published, !comparing);
  gtk_label_set_text (GTK_LABEL (self->comparison), sentence == NULL ? "" : sentence);
  gtk_widget_set_tooltip_text (self->comparison, sentence);
  gtk_widget_set_visible (self->comparison, sentence != NULL && !self->projector);
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

/* --- chart and reading ------------------------------------------------------------------------------------------ */

static void
update_reading (MemlaneChartPage *self)
{
  const char *reading = memlane_chart_view_get_reading (self->view);
  gboolean none = reading[0] == '\0';

  gtk_label_set_text (GTK_LABEL (self->reading), !none ? reading : self->projector ? "" : _("Point at a curve or press an arrow key to read values"));
  gtk_widget_set_tooltip_text (self->reading, none ? NULL : reading); /* what the two lines cut off */
  if (none)
    gtk_widget_add_css_class (self->reading, "dim-label");
  else
    gtk_widget_remove_css_class (self->reading, "dim-label");
}

/* Why there is no curve, and what to do. */
static void
explain (MemlaneChartPage *self, MemlaneChart *chart, GPtrArray *shown)
{
  gboolean running = memlane_session_is_running (self->session), none = shown->len == 0;

  if (running)
    {
      adw_status_page_set_icon_name (self->nothing, "content-loading-symbolic");
      adw_status_page_set_title (self->nothing, _("Measuring"));
      adw_status_page_set_description (self->nothing, none ? _("The first curve appears with the first cell.") : chart->trouble);
    }
  else if (none)
    {
      adw_status_page_set_icon_name (self->nothing, "utilities-system-monitor-symbolic");
      adw_status_page_set_title (self->nothing, _("Nothing measured yet"));
      adw_status_page_set_description (self->nothing,
                                       _("Run measures the chosen modes on the chosen device. The curves grow while it runs, "
                                         "and every run is kept in the list of runs."));
    }
  else
    {
      adw_status_page_set_icon_name (self->nothing, "dialog-information-symbolic");
      adw_status_page_set_title (self->nothing, _("Nothing to draw"));
      adw_status_page_set_description (self->nothing, chart->trouble);
    }
  gtk_widget_set_visible (self->run, !running);
  gtk_widget_set_visible (self->recorded, !running && none);
}

static void
rebuild (MemlaneChartPage *self)
{
  g_autoptr(GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  g_autoptr(MemlaneChart) chart
    = memlane_session_build_chart (self->session, get_flag (self, "comparing") ? MEMLANE_QUANTITY_RATIO : self->quantity);
  g_autofree char *trouble = NULL;

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

  if (self->dirty && self->session != NULL)
    rebuild (self);
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->map (widget);
}

static double
text_scale (GtkWidget *widget)
{
  int dpi = -1;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / 1024.0 / 96 : 1;
}

static void
size_reading (MemlaneChartPage *self)
{
  PangoAttrList *attributes = NULL;

  if (self->projector)
    {
      attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_size_new_absolute (PROJECTED_TEXT * text_scale (GTK_WIDGET (self)) * PANGO_SCALE));
    }
  gtk_label_set_attributes (GTK_LABEL (self->reading), attributes);
  gtk_label_set_attributes (GTK_LABEL (self->room), attributes);
  g_clear_pointer (&attributes, pango_attr_list_unref);
}

static void
memlane_chart_page_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_chart_page_parent_class)->system_setting_changed (widget, setting);
  if (setting == GTK_SYSTEM_SETTING_DPI)
    size_reading (MEMLANE_CHART_PAGE (widget));
}

static void
memlane_chart_page_dispose (GObject *object)
{
  MemlaneChartPage *self = MEMLANE_CHART_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_CHART_PAGE);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (memlane_chart_page_parent_class)->dispose (object);
}

static void
memlane_chart_page_class_init (MemlaneChartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = memlane_chart_page_dispose;
  widget_class->map = memlane_chart_page_map;
  widget_class->system_setting_changed = memlane_chart_page_system_setting_changed;

  g_type_ensure (MEMLANE_TYPE_CHART_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/chart-page.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneChartPage, name)
  CHILD (bar);
  CHILD (phases);
  CHILD (log_values);
  CHILD (ceilings);
  CHILD (published);
  CHILD (compare);
  CHILD (fit);
  CHILD (comparison);
  CHILD (stack);
  CHILD (room);
  CHILD (reading);
  CHILD (nothing);
  CHILD (run);
  CHILD (recorded);
  CHILD (view);
#undef CHILD
  gtk_widget_class_bind_template_callback (widget_class, phase_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, fit_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_reading);
  gtk_widget_class_bind_template_callback (widget_class, update_fit);
}

static void
memlane_chart_page_init (MemlaneChartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->dirty = TRUE;
  update_fit (self);
  update_reading (self);
}

GtkWidget *
memlane_chart_page_new (MemlaneSession *session, MemlaneQuantity quantity)
{
  MemlaneChartPage *self = g_object_new (MEMLANE_TYPE_CHART_PAGE, NULL);
  gboolean time = quantity == MEMLANE_QUANTITY_TIME;
  const GBindingFlags both = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;

  self->session = g_object_ref (session);
  self->quantity = quantity;
  gtk_widget_set_visible (self->ceilings, !time); /* a time has none */
  g_object_bind_property (session, time ? "log-time" : "log-bandwidth", self->log_values, "active", both);
  g_object_bind_property (session, "show-ceilings", self->ceilings, "active", both);
  g_object_bind_property (session, "show-published", self->published, "active", both);
  g_object_bind_property (session, "comparing", self->compare, "active", both);
  g_signal_connect_object (session, "charts-changed", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::running", G_CALLBACK (charts_changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

MemlaneChartView *
memlane_chart_page_get_view (MemlaneChartPage *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_PAGE (self), NULL);
  return self->view;
}

void
memlane_chart_page_set_projector (MemlaneChartPage *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_CHART_PAGE (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  gtk_widget_set_visible (self->comparison, !self->projector && gtk_label_get_text (GTK_LABEL (self->comparison))[0] != '\0');
  memlane_chart_view_set_projector (self->view, self->projector);
  size_reading (self);
  update_reading (self);
  if (self->projector)
    gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* its keys reveal */
}
