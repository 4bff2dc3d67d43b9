/* lab-options.c: everything that may be asked of the stream laboratory, one control each, and the devices where the order decides
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab-options.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/drop-down.h"
#include "parts/size-spin.h"
#include "parts/template.h"
#include "model/fields.h"

enum { COMPARE, ORDER, BETWEEN, SIZE, STREAMS, CHUNKS, REUSE, PAGEABLE, NON_BLOCKING, PRIORITIES, HOST_FUNCTIONS, N_CONTROLS };

/* The template has these widgets: drop-downs, spin buttons, switches. */
static const char *const controls[N_CONTROLS] = {
  "compare", "order", "between", "size", "streams", "chunks", "reuse", "pageable", "non-blocking", "priorities", "host-functions",
};

static const struct
{
  const char *name, *device;
} engines[] = {
  { "recorded-copy-engines", "simulated:h200" },
  { "one-copy-engine", "simulated:one-copy-engine" },
  { "two-copy-engines", "simulated:two-copy-engines" },
  { "three-copy-engines", "simulated:three-copy-engines" },
};

struct _MemlaneLabOptions
{
  GtkBox parent_instance;
  MemlaneDeviceChoice *choice; /* (owned), as the next one; set once, by follow() */
  MemlaneSweepJob *sweep;
  GtkWidget *widgets[N_CONTROLS], *devices[G_N_ELEMENTS (engines)], *between_summary, *device;
  gboolean filling;        /* the choice is set, and not made */
};

G_DEFINE_FINAL_TYPE (MemlaneLabOptions, memlane_lab_options, GTK_TYPE_BOX)

/* --- the choice -------------------------------------------------------------------------------------------------------- */

static guint
get_selected (MemlaneLabOptions *self, guint control)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->widgets[control]));
}

static guint
get_number (MemlaneLabOptions *self, guint control)
{
  return (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->widgets[control]));
}

static gboolean
is_on (MemlaneLabOptions *self, guint control)
{
  return gtk_switch_get_active (GTK_SWITCH (self->widgets[control]));
}

void
memlane_lab_options_get_choice (MemlaneLabOptions *self, MemlaneLabChoice *choice)
{
  *choice = (MemlaneLabChoice) {
    .comparison = (MemlaneLabComparison) get_selected (self, COMPARE),
    .plan = {
      .order = (MemlaneLabOrder) get_selected (self, ORDER),
      .between = (MemlaneLabBetween) get_selected (self, BETWEEN),
      .log2_elements = get_number (self, SIZE),
      .streams = get_number (self, STREAMS),
      .chunks = get_number (self, CHUNKS),
      .reuse = get_number (self, REUSE),
      .pageable = is_on (self, PAGEABLE),
      .non_blocking = is_on (self, NON_BLOCKING),
      .priorities = is_on (self, PRIORITIES),
      .host_functions = is_on (self, HOST_FUNCTIONS),
    },
  };
}

/* The one that names @control. */
static GtkWidget *
get_label (GtkWidget *control)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (control);

  return labels->data;
}

/* No control sets the difference between the two traces. */
static void
update (MemlaneLabOptions *self)
{
  static const struct
  {
    MemlaneLabComparison comparison;
    guint control;
  } decided[] = {
    { MEMLANE_LAB_COMPARE_ORDERS, ORDER },
    { MEMLANE_LAB_COMPARE_STREAMS, NON_BLOCKING },
    { MEMLANE_LAB_COMPARE_MEMORY, PAGEABLE },
    { MEMLANE_LAB_COMPARE_PRIORITIES, PRIORITIES },
  };
  MemlaneLabBetween between = (MemlaneLabBetween) get_selected (self, BETWEEN);

  for (guint i = 0; i < G_N_ELEMENTS (decided); i++)
    {
      gboolean open = get_selected (self, COMPARE) != (guint) decided[i].comparison;

      gtk_widget_set_sensitive (self->widgets[decided[i].control], open);
      gtk_widget_set_sensitive (get_label (self->widgets[decided[i].control]), open);
    }
  gtk_label_set_text (GTK_LABEL (self->between_summary), g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words (between)->summary));
  memlane_accessible_set_description (self->widgets[BETWEEN], gtk_label_get_text (GTK_LABEL (self->between_summary)));
}

static void
changed_cb (MemlaneLabOptions *self)
{
  if (self->filling)
    return;
  update (self);
  memlane_say_changed (self);
}

void
memlane_lab_options_set_choice (MemlaneLabOptions *self, const MemlaneLabChoice *choice)
{
  const MemlaneLabPlan *plan = &choice->plan;
  const guint selected[] = { (guint) choice->comparison, (guint) plan->order, (guint) plan->between };
  const guint numbers[] = { plan->log2_elements, plan->streams, plan->chunks, plan->reuse };
  const gboolean switches[] = { plan->pageable, plan->non_blocking, plan->priorities, plan->host_functions };

  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (selected); i++)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->widgets[COMPARE + i]), selected[i]);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->widgets[SIZE + i]), numbers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    gtk_switch_set_active (GTK_SWITCH (self->widgets[PAGEABLE + i]), switches[i]);
  self->filling = FALSE;
  update (self);
}

/* --- devices ------------------------------------------------------------------------------------------------------------- */

/* None is pressed while a GPU is in use. */
static void
update_device (MemlaneLabOptions *self)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->choice);
  gboolean filling = self->filling;

  self->filling = TRUE;
  gtk_label_set_text (GTK_LABEL (self->device), device != NULL ? device->name : _("No device is chosen yet"));
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      gtk_widget_set_sensitive (self->devices[i], !memlane_sweep_job_is_running (self->sweep));
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->devices[i]),
                                    g_strcmp0 (memlane_device_choice_get_id (self->choice), engines[i].device) == 0);
    }
  self->filling = filling;
}

static void
engine_toggled_cb (MemlaneLabOptions *self, GtkWidget *button)
{
  if (self->filling)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (button == self->devices[i])
      g_object_set (self->choice, "device", engines[i].device, NULL);
  update_device (self); /* the one that is in use stays pressed */
}

void
memlane_lab_options_follow (MemlaneLabOptions *self, MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep)
{
  self->choice = g_object_ref (devices);
  self->sweep = g_object_ref (sweep);
  g_signal_connect_object (devices, "notify::device", G_CALLBACK (update_device), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sweep, "notify::running", G_CALLBACK (update_device), self, G_CONNECT_SWAPPED);
  update_device (self);
}

/* --- life ------------------------------------------------------------------------------------------------------------------ */

/* Lists that go now choose nothing. */
MEMLANE_DEFINE_RELEASE (MemlaneLabOptions, memlane_lab_options, dispose, self->filling = TRUE;
                        gtk_widget_dispose_template (GTK_WIDGET (object), MEMLANE_TYPE_LAB_OPTIONS);)
MEMLANE_DEFINE_RELEASE (MemlaneLabOptions, memlane_lab_options, finalize, OWNS (choice, g_object_unref) OWNS (sweep, g_object_unref))

static void
memlane_lab_options_class_init (MemlaneLabOptionsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "changed", 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/lab-options.ui");
  for (guint i = 0; i < N_CONTROLS; i++)
    gtk_widget_class_bind_template_child_full (widget_class, controls[i], FALSE, G_STRUCT_OFFSET (MemlaneLabOptions, widgets[i]));
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    gtk_widget_class_bind_template_child_full (widget_class, engines[i].name, FALSE, G_STRUCT_OFFSET (MemlaneLabOptions, devices[i]));
  MEMLANE_BIND_CHILDREN (MemlaneLabOptions, between_summary, device);
  MEMLANE_BIND_CALLBACKS (changed_cb, engine_toggled_cb);
}

/* Compared titles, orders, things in between. */
static void
fill_lists (MemlaneLabOptions *self)
{
  static const guint n[] = { MEMLANE_LAB_N_COMPARISONS, MEMLANE_LAB_N_ORDERS, MEMLANE_LAB_N_BETWEENS };

  for (guint control = COMPARE; control <= BETWEEN; control++)
    {
      g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

      for (guint i = 0; i < n[control]; i++)
        gtk_string_list_append (titles, control == COMPARE ? memlane_lab_comparison_get_title ((MemlaneLabComparison) i)
                                        : g_dgettext (GETTEXT_PACKAGE, control == ORDER ? memlane_lab_order_words (i)->title
                                                                                        : memlane_lab_between_words (i)->title));
      gtk_drop_down_set_model (GTK_DROP_DOWN (self->widgets[control]), G_LIST_MODEL (titles));
      memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->widgets[control]));
    }
}

static void
memlane_lab_options_init (MemlaneLabOptions *self)
{
  static const guint least[] = { MEMLANE_LAB_SMALLEST_LOG2, 1, 1, 1 };
  static const guint most[] = { MEMLANE_LARGEST_LOG2, MEMLANE_MOST_STREAMS, MEMLANE_MOST_CHUNKS, MEMLANE_LAB_MOST_REUSE };

  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_lists (self);
  for (guint i = 0; i < G_N_ELEMENTS (least); i++)
    {
      gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->widgets[SIZE + i]), least[i], most[i]);
      gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self->widgets[SIZE + i]), 1, 10);
    }
  memlane_size_spin_init (GTK_SPIN_BUTTON (self->widgets[SIZE]));
  for (guint i = 0; i < N_CONTROLS; i++)
    {
      memlane_accessible_set_name (self->widgets[i], gtk_label_get_text (GTK_LABEL (get_label (self->widgets[i]))));
      memlane_accessible_set_description (self->widgets[i], gtk_widget_get_tooltip_text (self->widgets[i]));
    }
  self->filling = FALSE;
  memlane_lab_options_set_choice (self, &memlane_lab_presets[0].choice);
}
