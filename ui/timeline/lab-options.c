/* lab-options.c: everything that may be asked of the stream laboratory, one control each, and the devices where the order decides
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab-options.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/drop-down.h"
#include "parts/size-spin.h"
#include "parts/widgets.h"
#include "model/fields.h"

enum { COMPARE, ORDER, BETWEEN, SIZE, STREAMS, CHUNKS, REUSE, PAGEABLE, NON_BLOCKING, PRIORITIES, HOST_FUNCTIONS, N_CONTROLS };

typedef enum { DROP_DOWN, SPIN, SWITCH } Kind;

static const struct
{
  const char *name;   /* the widget's */
  Kind kind;
  const char *title, *tooltip;
  double lowest, highest; /* SPIN */
} controls[] = {
  [COMPARE] = { "compare", DROP_DOWN, N_("C_ompare"), N_("Which two schedules are recorded"), 0, 0 },
  [ORDER] = { "order", DROP_DOWN, N_("O_rder"), N_("In which order the commands of all chunks are issued"), 0, 0 },
  [BETWEEN] = { "between", DROP_DOWN, N_("_Inserted command"), N_("What the host issues between the two halves"), 0, 0 },
  [SIZE] = { "size", SPIN, N_("_Floats in each vector"), N_("Larger vectors make the calls matter less"), MEMLANE_LAB_SMALLEST_LOG2,
             MEMLANE_LARGEST_LOG2 },
  [STREAMS] = { "streams", SPIN, N_("S_treams"), N_("The chunks are distributed over them in turn"), 1, MEMLANE_MOST_STREAMS },
  [CHUNKS] = { "chunks", SPIN, N_("_Chunks"), N_("Number of pieces of each vector"), 1, MEMLANE_MOST_CHUNKS },
  [REUSE] = { "reuse", SPIN, N_("_Kernels per chunk"), N_("More kernels make computing longer than copying"), 1, MEMLANE_LAB_MOST_REUSE },
  [PAGEABLE] = { "pageable", SWITCH, N_("_Pageable memory"), N_("Host memory from malloc instead of page-locked memory"), 0, 0 },
  [NON_BLOCKING] = { "non-blocking", SWITCH, N_("_Non-blocking streams"), N_("Streams that do not wait for the default stream"), 0, 0 },
  [PRIORITIES] = { "priorities", SWITCH, N_("Prior_ities"), N_("The last stream has the highest priority, the others the lowest"), 0, 0 },
  [HOST_FUNCTIONS] = { "host-functions", SWITCH, N_("_Host function in each stream"), N_("After the last chunk of each stream"), 0, 0 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (controls) == N_CONTROLS);

static const struct
{
  const char *name, *label, *device;
} engines[] = {
  { "recorded-copy-engines", N_("As recorded"), "simulated:h200" },
  { "one-copy-engine", N_("One"), "simulated:one-copy-engine" },
  { "two-copy-engines", N_("Two"), "simulated:two-copy-engines" },
  { "three-copy-engines", N_("Three"), "simulated:three-copy-engines" },
};

struct _MemlaneLabOptions
{
  GtkBox parent_instance;
  MemlaneDeviceChoice *choice; /* weak */
  MemlaneSweepJob *sweep;  /* weak */
  GtkWidget *widgets[N_CONTROLS], *labels[N_CONTROLS], *devices[G_N_ELEMENTS (engines)], *summary, *device;
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
      gtk_widget_set_sensitive (self->labels[decided[i].control], open);
    }
  gtk_label_set_text (GTK_LABEL (self->summary), g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words (between)->summary));
  memlane_accessible_set_description (self->widgets[BETWEEN], gtk_label_get_text (GTK_LABEL (self->summary)));
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

static void update_device (MemlaneLabOptions *self);

static void
engine_toggled_cb (GtkWidget *button, MemlaneLabOptions *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (button == self->devices[i] && self->choice != NULL)
      g_object_set (self->choice, "device", engines[i].device, NULL);
  update_device (self); /* the one that is in use stays pressed */
}

/* None is pressed while a GPU is in use. */
static void
update_device (MemlaneLabOptions *self)
{
  MemlaneDeviceItem *device = self->choice != NULL ? memlane_device_choice_get_item (self->choice) : NULL;
  gboolean can_choose = self->choice != NULL && self->sweep != NULL && !memlane_sweep_job_is_running (self->sweep);
  const char *id = self->choice != NULL ? memlane_device_choice_get_id (self->choice) : "";

  gtk_label_set_text (GTK_LABEL (self->device), device != NULL ? device->name : _("No device is chosen yet"));
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      gtk_widget_set_sensitive (self->devices[i], can_choose);
      g_signal_handlers_block_by_func (self->devices[i], engine_toggled_cb, self);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->devices[i]), g_strcmp0 (id, engines[i].device) == 0);
      g_signal_handlers_unblock_by_func (self->devices[i], engine_toggled_cb, self);
    }
}

void
memlane_lab_options_follow (MemlaneLabOptions *self, MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep)
{
  g_set_weak_pointer (&self->choice, devices);
  g_set_weak_pointer (&self->sweep, sweep);
  g_signal_connect_object (devices, "notify::device", G_CALLBACK (update_device), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sweep, "notify::running", G_CALLBACK (update_device), self, G_CONNECT_SWAPPED);
  update_device (self);
}

/* --- building ------------------------------------------------------------------------------------------------------------- */

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = memlane_text_new (text, css_class);

  g_object_set (label, "wrap-mode", PANGO_WRAP_WORD, "width-chars", 24, "max-width-chars", 48, NULL);
  return label;
}

/* Compared titles, orders, things in between. */
static GtkWidget *
new_drop_down (guint control)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *drop_down;

  if (control == COMPARE)
    for (guint i = 0; i < MEMLANE_LAB_N_COMPARISONS; i++)
      gtk_string_list_append (titles, memlane_lab_comparison_get_title ((MemlaneLabComparison) i));
  else if (control == ORDER)
    for (guint i = 0; i < MEMLANE_LAB_N_ORDERS; i++)
      gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, memlane_lab_order_words ((MemlaneLabOrder) i)->title));
  else
    for (guint i = 0; i < MEMLANE_LAB_N_BETWEENS; i++)
      gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words ((MemlaneLabBetween) i)->title));
  drop_down = gtk_drop_down_new (g_object_ref (G_LIST_MODEL (titles)), NULL);
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (drop_down));
  return drop_down;
}

static GtkWidget *
new_control (MemlaneLabOptions *self, guint i)
{
  GtkWidget *widget;

  if (controls[i].kind == DROP_DOWN)
    {
      widget = new_drop_down (i);
      g_signal_connect_swapped (widget, "notify::selected", G_CALLBACK (changed_cb), self);
    }
  else if (controls[i].kind == SPIN)
    {
      widget = gtk_spin_button_new_with_range (controls[i].lowest, controls[i].highest, 1);
      if (i == SIZE)
        {
          gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (widget), FALSE); /* "2²⁰" */
          memlane_size_spin_init (GTK_SPIN_BUTTON (widget));
        }
      gtk_widget_set_halign (widget, GTK_ALIGN_END);
      g_signal_connect_swapped (widget, "value-changed", G_CALLBACK (changed_cb), self);
    }
  else
    {
      widget = g_object_new (GTK_TYPE_SWITCH, "halign", GTK_ALIGN_END, "valign", GTK_ALIGN_CENTER, NULL);
      g_signal_connect_swapped (widget, "notify::active", G_CALLBACK (changed_cb), self);
    }
  gtk_widget_set_name (widget, controls[i].name);
  gtk_widget_set_tooltip_text (widget, _(controls[i].tooltip));
  return widget;
}

static void
add_controls (MemlaneLabOptions *self)
{
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "row-spacing", 6, "column-spacing", 12, NULL);

  for (guint i = 0, row = 0; i < N_CONTROLS; i++, row++)
    {
      g_autofree char *plain = NULL;

      self->widgets[i] = new_control (self, i);
      self->labels[i] = gtk_label_new_with_mnemonic (_(controls[i].title));
      g_object_set (self->labels[i], "mnemonic-widget", self->widgets[i], "xalign", 0.0, "hexpand", TRUE, NULL);
      plain = g_strdup (gtk_label_get_text (GTK_LABEL (self->labels[i])));
      memlane_accessible_set_name (self->widgets[i], plain);
      memlane_accessible_set_description (self->widgets[i], _(controls[i].tooltip));
      gtk_grid_attach (GTK_GRID (grid), self->labels[i], 0, (int) row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->widgets[i], 1, (int) row, 1, 1);
      if (i == BETWEEN)
        {
          self->summary = new_text ("", "caption dim-label");
          gtk_grid_attach (GTK_GRID (grid), self->summary, 0, (int) ++row, 2, 1);
        }
    }
  gtk_box_append (GTK_BOX (self), grid);
}

static void
add_devices (MemlaneLabOptions *self)
{
  GtkWidget *buttons = memlane_widget_style (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), "linked");
  GtkWidget *title = g_object_new (GTK_TYPE_LABEL, "label", _("Simulated copy engines"), "xalign", 0.0, "hexpand", TRUE, NULL);

  self->device = new_text ("", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      self->devices[i] = gtk_toggle_button_new_with_label (_(engines[i].label));
      gtk_widget_set_name (self->devices[i], engines[i].name);
      memlane_accessible_set_name (self->devices[i], _(engines[i].label));
      memlane_accessible_set_description (self->devices[i], _("Use a simulated H200 with this number of copy engines"));
      gtk_widget_set_tooltip_text (self->devices[i], _("Use a simulated H200 with this number of copy engines"));
      g_signal_connect (self->devices[i], "toggled", G_CALLBACK (engine_toggled_cb), self);
      gtk_box_append (GTK_BOX (buttons), self->devices[i]);
    }
  gtk_box_append (GTK_BOX (self), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self), self->device);
  gtk_box_append (GTK_BOX (self), memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 12, title, buttons, NULL));
  gtk_box_append (GTK_BOX (self), new_text (_("With one copy engine the order of issue decides what overlaps. With more it matters less."),
                                            "caption"));
}

/* --- life ------------------------------------------------------------------------------------------------------------------ */

/* Lists that go now choose nothing. */
MEMLANE_DEFINE_RELEASE (MemlaneLabOptions, memlane_lab_options, dispose, self->filling = TRUE; WATCHES (choice) WATCHES (sweep))

static void
memlane_lab_options_class_init (MemlaneLabOptionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  memlane_signal_add (klass, "changed", 0);
}

static void
memlane_lab_options_init (MemlaneLabOptions *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  self->filling = TRUE;
  add_controls (self);
  add_devices (self);
  self->filling = FALSE;
  memlane_lab_options_set_choice (self, memlane_lab_preset_get (0));
  update_device (self);
}
