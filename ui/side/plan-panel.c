/* plan-panel.c: the side panel: workload, modes, sizes, method
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan-panel.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "chart/scale.h"
#include "parts/drop-down.h"
#include "parts/size-spin.h"

/* From here on the size is worth a word: vectors of 64 MiB, which take a while to fill and to check. */
#define LARGE_LOG2 24
/* The most vectors that a workload holds at a time on each side. */
#define MOST_VECTORS 3

struct _MemlanePlanPanel
{
  AdwBin parent_instance;
  MemlaneSession *session; /* weak */
  GtkWidget *scrolled, *workload, *workload_summary, *modes, *all_button, *none_button;
  GtkWidget *first_spin, *first_bytes, *last_spin, *last_bytes, *size_warning, *method, *cells;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (MemlanePlanPanel, memlane_plan_panel, ADW_TYPE_BIN)

static double
vector_bytes (guint log2)
{
  return ldexp (sizeof (float), (int) log2);
}

static void
show_bytes (GtkWidget *label, guint log2)
{
  g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, vector_bytes (log2), TRUE);

  gtk_label_set_label (GTK_LABEL (label), bytes);
}

static void
update_sizes (MemlanePlanPanel *self, guint first, guint last)
{
  g_autofree char *power = memlane_unit_format_power (last);
  g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, MOST_VECTORS * vector_bytes (last), TRUE);
  /* Translators: the first %s is a size such as 2²⁸, the second one memory such as 3 GiB */
  g_autofree char *warning = g_strdup_printf (_("%s needs up to %s on the host and on the device; filling and checking such vectors can "
                                                "take minutes."), power, bytes);

  show_bytes (self->first_bytes, first);
  show_bytes (self->last_bytes, last);
  gtk_label_set_label (GTK_LABEL (self->size_warning), warning);
  gtk_widget_set_visible (self->size_warning, last >= LARGE_LOG2);
}

static guint
count_modes (MemlanePlanPanel *self)
{
  guint n, count = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (memlane_session_get_mode (self->session, modes[i].id) && memlane_session_get_objection (self->session, modes[i].id) == NULL)
      count++;
  return count;
}

/* How much is about to be measured. */
static void
update_cells (MemlanePlanPanel *self)
{
  guint first, last, modes, cells;
  double cell_seconds;
  g_autofree char *text = NULL, *time = NULL;

  if (self->session == NULL)
    return;
  g_object_get (self->session, "first-log2", &first, "last-log2", &last, "cell-seconds", &cell_seconds, NULL);
  modes = count_modes (self);
  cells = last >= first ? modes * (last - first + 1) : 0;
  if (modes == 0)
    text = g_strdup (_("Choose at least one mode."));
  else
    {
      time = memlane_unit_format (MEMLANE_UNIT_TIME, cells * cell_seconds * 1e9, TRUE);
      text = g_strdup_printf (ngettext ("%u cell, at most about %s on the device", "%u cells, at most about %s on the device", cells),
                              cells, time);
    }
  gtk_label_set_label (GTK_LABEL (self->cells), text);
  update_sizes (self, first, last);
}

/* --- workload --------------------------------------------------------------------------------------------------------------- */

static void
update_workload (MemlanePlanPanel *self)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);
  const MemlaneWorkload *chosen = memlane_session_get_workload (self->session);

  if (chosen == NULL)
    return;
  self->updating = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->workload), (guint) (chosen - workloads));
  self->updating = FALSE;
  gtk_label_set_label (GTK_LABEL (self->workload_summary), g_dgettext (GETTEXT_PACKAGE, chosen->summary));
}

static void
workload_cb (MemlanePlanPanel *self)
{
  guint n, selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->workload));
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  if (!self->updating && self->session != NULL && selected < n)
    g_object_set (self->session, "workload", workloads[selected].id, NULL);
}

static void
fill_workloads (MemlanePlanPanel *self)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, workloads[i].title));
  self->updating = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->workload), G_LIST_MODEL (titles));
  self->updating = FALSE;
}

/* --- modes and sizes -------------------------------------------------------------------------------------------------------- */

static void
all_cb (MemlanePlanPanel *self)
{
  if (self->session != NULL)
    memlane_session_set_all_modes (self->session, TRUE);
}

static void
none_cb (MemlanePlanPanel *self)
{
  if (self->session != NULL)
    memlane_session_set_all_modes (self->session, FALSE);
}

static void
set_up_spin (MemlanePlanPanel *self, GtkWidget *spin, const char *property, const char *name)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (MEMLANE_SMALLEST_LOG2, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, 1, 4, 0);

  gtk_spin_button_configure (GTK_SPIN_BUTTON (spin), adjustment, 1, 0);
  memlane_size_spin_init (GTK_SPIN_BUTTON (spin));
  memlane_accessible_set_name (spin, name);
  g_object_bind_property (self->session, property, adjustment, "value", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
follow (MemlanePlanPanel *self, MemlaneSession *session)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_set_weak_pointer (&self->session, session);
  for (guint i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (self->modes), memlane_mode_row_new (session, &modes[i]));
  fill_workloads (self);
  update_workload (self);
  set_up_spin (self, self->first_spin, "first-log2", _("Smallest size"));
  set_up_spin (self, self->last_spin, "last-log2", _("Largest size"));
  memlane_plan_method_follow (MEMLANE_PLAN_METHOD (self->method), session);
  g_signal_connect_object (session, "notify::workload", G_CALLBACK (update_workload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::first-log2", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::last-log2", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::cell-seconds", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "modes-changed", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  update_cells (self);
}

GtkWidget *
memlane_plan_panel_new (MemlaneSession *session)
{
  MemlanePlanPanel *self = g_object_new (MEMLANE_TYPE_PLAN_PANEL, NULL);

  follow (self, session);
  return GTK_WIDGET (self);
}

static void
dispose (GObject *object)
{
  MemlanePlanPanel *self = MEMLANE_PLAN_PANEL (object);

  g_clear_weak_pointer (&self->session);
  G_OBJECT_CLASS (memlane_plan_panel_parent_class)->dispose (object);
}

static void
memlane_plan_panel_class_init (MemlanePlanPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (MEMLANE_TYPE_PLAN_METHOD);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/plan-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, workload);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, workload_summary);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, modes);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, all_button);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, none_button);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, first_spin);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, first_bytes);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, last_spin);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, last_bytes);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, size_warning);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, method);
  gtk_widget_class_bind_template_child (widget_class, MemlanePlanPanel, cells);
  gtk_widget_class_bind_template_callback (widget_class, workload_cb);
  gtk_widget_class_bind_template_callback (widget_class, all_cb);
  gtk_widget_class_bind_template_callback (widget_class, none_cb);
}

static void
memlane_plan_panel_init (MemlanePlanPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->workload));
  memlane_accessible_set_name (self->workload, _("Workload"));
  memlane_accessible_set_name (self->all_button, _("Choose all modes"));
  memlane_accessible_set_name (self->none_button, _("Choose no mode"));
}
