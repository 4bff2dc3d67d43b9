/* chart-page-bar.c: what a chart page offers above its chart
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-page-private.h"

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

gboolean
memlane_chart_page_get_flag (MemlaneChartPage *self, const char *property)
{
  gboolean flag;

  g_object_get (self->session, property, &flag, NULL);
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

void
memlane_chart_page_choose_phase (MemlaneChartPage *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phases)), phases = self->offered & ~(1u << 31);

  if (self->filling || self->session == NULL)
    return;
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    if (position_of (phases, phase) == selected)
      g_object_set (self->session, phase_property (self), (int) phase, NULL);
}

void
memlane_chart_page_update_bar (MemlaneChartPage *self, GPtrArray *shown)
{
  gboolean comparing = memlane_chart_page_get_flag (self, "comparing"), enough = shown->len >= 2;
  g_autofree char *sentence = comparing ? memlane_session_describe_comparison (self->session, FALSE) : NULL;
  g_autofree char *whole = comparing ? memlane_session_describe_comparison (self->session, TRUE) : NULL;

  fill_phases (self, shown);
  gtk_widget_set_sensitive (self->compare, enough || comparing);
  gtk_widget_set_tooltip_text (self->compare, enough ? _("The ratio of the first two shown runs, mode by mode")
                                                     : _("Show a second run to compare it with the first"));
  /* A ratio has a logarithmic axis, and neither ceilings nor published figures. */
  gtk_widget_set_sensitive (self->log_values, !comparing);
  gtk_widget_set_sensitive (self->ceilings, !comparing);
  gtk_widget_set_sensitive (self->published, !comparing);
  gtk_label_set_text (GTK_LABEL (self->comparison), sentence == NULL ? "" : sentence);
  gtk_widget_set_tooltip_text (self->comparison, whole);
  gtk_widget_set_visible (self->comparison, sentence != NULL && !self->projector);
}

void
memlane_chart_page_bind_bar (MemlaneChartPage *self)
{
  gboolean time = self->quantity == MEMLANE_QUANTITY_TIME;
  const GBindingFlags both = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;

  gtk_widget_set_visible (self->ceilings, !time); /* a time has none */
  g_object_bind_property (self->session, time ? "log-time" : "log-bandwidth", self->log_values, "active", both);
  g_object_bind_property (self->session, "show-ceilings", self->ceilings, "active", both);
  g_object_bind_property (self->session, "show-published", self->published, "active", both);
  g_object_bind_property (self->session, "comparing", self->compare, "active", both);
}
