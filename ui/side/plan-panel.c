/* plan-panel.c: what the next sweep measures: workload, modes, sizes, method; and how long that takes
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan-panel.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/host-memory.h"
#include "base/size.h"
#include "parts/accessible.h"
#include "chart/headline.h"
#include "parts/size-spin.h"
#include "model/fields.h"
#include "parts/template.h"

/* From here on the size is worth a word: vectors of 64 MiB, which take a while to fill and to check. */
#define LARGE_LOG2 24

struct _MemlanePlanPanel
{
  AdwBin parent_instance;
  MemlanePlanModel *plan; /* weak */
  MemlaneSweepJob *sweep; /* weak */
  GtkWidget *scrolled, *columns, *workload_choice, *mode_choice;
  GtkWidget *first_spin, *first_bytes, *last_spin, *last_bytes, *size_warning, *method, *cells;
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

/* Says what the largest size needs, and what of it this host lacks. (transfer full) */
static char *
describe_need (MemlanePlanPanel *self, guint last)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_model_make (self->plan);
  const double available = (double) memlane_host_memory_get_available ();
  g_autofree char *power = memlane_unit_format_power (last), *host = NULL, *locked = NULL, *device = NULL, *there = NULL;
  double most[3] = { 0, 0, 0 };

  for (const MemlaneMode **mode = plan->modes; *mode != NULL; mode++)
    {
      MemlaneNeed need;

      memlane_method_find_need (&plan->method, *mode, memlane_size_elements (last), &need);
      most[0] = MAX (most[0], (double) need.host);
      most[1] = MAX (most[1], (double) need.locked);
      most[2] = MAX (most[2], (double) need.device);
    }
  host = memlane_unit_format (MEMLANE_UNIT_BYTES, most[0], TRUE);
  locked = memlane_unit_format (MEMLANE_UNIT_BYTES, most[1], TRUE);
  device = memlane_unit_format (MEMLANE_UNIT_BYTES, most[2], TRUE);
  there = memlane_unit_format (MEMLANE_UNIT_BYTES, MAX (most[0] > available ? available : available / 2, 1), TRUE);
  if (available > 0 && most[0] > available)
    /* Translators: a size such as 2³⁰, then memory such as 12 GiB */
    return g_strdup_printf (_("%s needs up to %s of host memory, and %s are free."), power, host, there);
  if (available > 0 && most[1] > available / 2)
    return g_strdup_printf (_("%s needs up to %s of page-locked memory, and at most %s may be."), power, locked, there);
  return g_strdup_printf (_("%s needs up to %s on the host, of which %s page-locked, and %s on the device."), power, host, locked, device);
}

static void
update_sizes (MemlanePlanPanel *self, guint first, guint last)
{
  g_autofree char *warning = describe_need (self, last);

  show_bytes (self->first_bytes, first);
  show_bytes (self->last_bytes, last);
  gtk_label_set_label (GTK_LABEL (self->size_warning), warning);
  gtk_widget_set_visible (self->size_warning, last >= LARGE_LOG2);
}

/* One estimate, in wall time. */
static void
update_cells (MemlanePlanPanel *self)
{
  guint first, last, cells;
  g_autofree char *text = NULL, *time = NULL;

  if (self->plan == NULL || self->sweep == NULL)
    return;
  g_object_get (self->plan, "first-log2", &first, "last-log2", &last, NULL);
  cells = memlane_sweep_job_count_cells (self->sweep);
  if (cells == 0)
    text = g_strdup (_("Choose at least one mode."));
  else
    {
      time = memlane_headline_format (MEMLANE_UNIT_TIME, memlane_sweep_job_estimate_seconds (self->sweep) * 1e9);
      text = g_strdup_printf (ngettext ("%u measurement, about %s", "%u measurements, about %s", cells), cells, time);
    }
  gtk_label_set_label (GTK_LABEL (self->cells), text);
  update_sizes (self, first, last);
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static void
set_up_spin (MemlanePlanPanel *self, GtkWidget *spin, const char *property, const char *name)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (MEMLANE_SMALLEST_LOG2, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, 1, 4, 0);

  gtk_spin_button_configure (GTK_SPIN_BUTTON (spin), adjustment, 1, 0);
  memlane_size_spin_init (GTK_SPIN_BUTTON (spin));
  memlane_accessible_set_name (spin, name);
  g_object_bind_property (self->plan, property, adjustment, "value", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
follow (MemlanePlanPanel *self, MemlanePlanModel *plan, MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep)
{
  g_set_weak_pointer (&self->plan, plan);
  g_set_weak_pointer (&self->sweep, sweep);
  memlane_workload_choice_follow (MEMLANE_WORKLOAD_CHOICE (self->workload_choice), G_OBJECT (plan), "workload", TRUE);
  memlane_mode_choice_follow (MEMLANE_MODE_CHOICE (self->mode_choice), memlane_plan_model_get_modes (plan), plan, devices);
  set_up_spin (self, self->first_spin, "first-log2", _("Smallest size"));
  set_up_spin (self, self->last_spin, "last-log2", _("Largest size"));
  memlane_plan_method_follow (MEMLANE_PLAN_METHOD (self->method), plan);
  g_signal_connect_object (sweep, "changed", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sweep, "notify::running", G_CALLBACK (update_cells), self, G_CONNECT_SWAPPED);
  update_cells (self);
}

GtkWidget *
memlane_plan_panel_new (MemlanePlanModel *plan, MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep)
{
  MemlanePlanPanel *self = g_object_new (MEMLANE_TYPE_PLAN_PANEL, NULL);

  follow (self, plan, devices, sweep);
  return GTK_WIDGET (self);
}

void
memlane_plan_panel_set_narrow (MemlanePlanPanel *self, gboolean narrow)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

MEMLANE_DEFINE_RELEASE (MemlanePlanPanel, memlane_plan_panel, dispose, WATCHES (plan) WATCHES (sweep))

/* The plan has been told: the pop-over that it stands in goes. */
static void
close_cb (MemlanePlanPanel *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
memlane_plan_panel_class_init (MemlanePlanPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  MEMLANE_ENSURE_TYPES (PLAN_METHOD, MODE_CHOICE, WORKLOAD_CHOICE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/plan-panel.ui");
  MEMLANE_BIND_CHILDREN (MemlanePlanPanel, scrolled, columns, workload_choice, mode_choice, first_spin, first_bytes, last_spin, last_bytes,
                                           size_warning, method, cells);
  MEMLANE_BIND_CALLBACKS (close_cb);
}

static void
memlane_plan_panel_init (MemlanePlanPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
