/* lab-panel.c: the stream laboratory: what is recorded, a button that does it, the options, and how
 * the two traces compare
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab-panel.h"

#include <glib/gi18n-lib.h>

#include "chart/scale.h"
#include "model/lab-choice.h"
#include "parts/settings.h"
#include "parts/size-spin.h"
#include "parts/template.h"
#include "parts/widgets.h"
#include "timeline-recorder.h"
#include "model/fields.h"

#define KEY "lab-choice"

static const char *const purposes[] = { "lab-first", "lab-second" };

/* The template has these widgets: drop-downs, spin buttons, switches. */
static const char *const controls[MEMLANE_LAB_N_CONTROLS] = {
  "compare", "order",    "between",      "size",       "streams",        "chunks",
  "reuse",   "pageable", "non-blocking", "priorities", "host-functions",
};

/* Devices where the order decides, and the buttons that choose them. */
static const struct
{
  const char *name, *device;
} engines[] = {
  { "recorded-copy-engines", "simulated:h200" },
  { "one-copy-engine", "simulated:one-copy-engine" },
  { "two-copy-engines", "simulated:two-copy-engines" },
};

struct _MemlaneLabPanel
{
  AdwBin parent_instance;

  MemlaneDeviceChoice *devices; /* (owned) */
  MemlaneSweepJob *sweep;    /* (owned) */
  MemlaneTraceStore *store;  /* (owned) */
  GtkWidget *presets, *options_button, *popover, *run, *result;
  GtkWidget *widgets[MEMLANE_LAB_N_CONTROLS], *engines[G_N_ELEMENTS (engines)], *between_summary,
      *place;
  gboolean filling;          /* the choice is set, and not made */

  MemlaneLabChoice recorded; /* what was asked for when it was run, and of which device */
  char *device;
  gboolean awaited[2];
  char *lines[2];            /* of the result; NULL: none */
  char *text;                /* both */
};

G_DEFINE_FINAL_TYPE (MemlaneLabPanel, memlane_lab_panel, ADW_TYPE_BIN)

/* --- the choice ------------------------------------------------------------------------------- */

static MemlaneLabChoice
get_choice (MemlaneLabPanel *self)
{
  MemlaneLabChoice choice;

  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    {
      GtkWidget *widget = self->widgets[i];

      *memlane_lab_choice_at (&choice, i) =
          i < MEMLANE_LAB_SIZE ? gtk_drop_down_get_selected (GTK_DROP_DOWN (widget))
          : i < MEMLANE_LAB_PAGEABLE
              ? (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (widget))
              : (guint) gtk_switch_get_active (GTK_SWITCH (widget));
    }
  return choice;
}

/* Returns the label that names @control. */
static GtkWidget *
get_label (GtkWidget *control)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (control);

  return labels->data;
}

/* No control sets the difference between the two traces. */
static void
update_controls (MemlaneLabPanel *self)
{
  static const struct
  {
    MemlaneLabComparison comparison;
    MemlaneLabControl control;
  } decided[] = {
    { MEMLANE_LAB_COMPARE_ORDERS, MEMLANE_LAB_ORDER },
    { MEMLANE_LAB_COMPARE_STREAMS, MEMLANE_LAB_NON_BLOCKING },
    { MEMLANE_LAB_COMPARE_MEMORY, MEMLANE_LAB_PAGEABLE },
    { MEMLANE_LAB_COMPARE_PRIORITIES, MEMLANE_LAB_PRIORITIES },
  };
  const MemlaneLabChoice choice = get_choice (self);

  for (guint i = 0; i < G_N_ELEMENTS (decided); i++)
    {
      GtkWidget *control = self->widgets[decided[i].control];

      gtk_widget_set_sensitive (control, choice.comparison != decided[i].comparison);
      gtk_widget_set_sensitive (get_label (control), choice.comparison != decided[i].comparison);
    }
  gtk_label_set_text (
      GTK_LABEL (self->between_summary),
      g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words (choice.plan.between)->summary));
  memlane_accessible_set_description (self->widgets[MEMLANE_LAB_BETWEEN],
                                      gtk_label_get_text (GTK_LABEL (self->between_summary)));
}

static void
set_choice (MemlaneLabPanel *self, MemlaneLabChoice choice)
{
  self->filling = TRUE;
  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    {
      GtkWidget *widget = self->widgets[i];
      guint value = *memlane_lab_choice_at (&choice, i);

      if (i < MEMLANE_LAB_SIZE)
        gtk_drop_down_set_selected (GTK_DROP_DOWN (widget), value);
      else if (i < MEMLANE_LAB_PAGEABLE)
        gtk_spin_button_set_value (GTK_SPIN_BUTTON (widget), value);
      else
        gtk_switch_set_active (GTK_SWITCH (widget), value > 0);
    }
  self->filling = FALSE;
  update_controls (self);
}

/* --- what can be done ------------------------------------------------------------------------- */

const char *
memlane_lab_panel_get_objection (MemlaneLabPanel *self)
{
  const MemlaneLabChoice choice = get_choice (self);
  const char *objection;

  if (memlane_device_choice_get_item (self->devices) == NULL)
    return _("Choose a device that can be used");
  objection = memlane_trace_store_get_objection (self->store);
  return objection != NULL ? objection : memlane_lab_choice_get_objection (&choice);
}

char *
memlane_lab_panel_describe (MemlaneLabPanel *self)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);
  const MemlaneLabChoice choice = get_choice (self);

  /* Translators: "Depth-first, then Breadth-first, on Simulated H200" */
  return g_strdup_printf (_("%s, then %s, on %s"), memlane_lab_choice_get_name (&choice, 0),
                          memlane_lab_choice_get_name (&choice, 1),
                          device != NULL ? device->name : "");
}

/* The result is an objection, else what came of the last run, else where the next one goes. */
static void
update (MemlaneLabPanel *self)
{
  gboolean recording = memlane_trace_store_is_recording (self->store);
  const char *objection = recording ? NULL : memlane_lab_panel_get_objection (self), *shown;
  g_autofree char *description = memlane_lab_panel_describe (self);

  memlane_timeline_recorder_label (self->run, recording, "lab.run",
                                   objection != NULL ? objection : description);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "lab.run", !recording && objection == NULL);
  shown = objection != NULL ? objection : *self->text != '\0' ? self->text : description;
  gtk_label_set_text (GTK_LABEL (self->result), shown);
  gtk_widget_set_tooltip_text (self->result, shown);
  memlane_widget_set_class (self->result, "dim-label", shown != self->text);
  memlane_say_changed (self);
}

/* --- what the person sets --------------------------------------------------------------------- */

/* The last entry of the list is what no preset is. */
static void
update_preset (MemlaneLabPanel *self)
{
  const MemlaneLabChoice choice = get_choice (self);

  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->presets), memlane_lab_preset_find (&choice));
  self->filling = FALSE;
}

static void
changed_cb (MemlaneLabPanel *self)
{
  g_autofree char *text = NULL;
  MemlaneLabChoice choice;

  if (self->filling)
    return;
  choice = get_choice (self);
  text = memlane_lab_choice_to_text (&choice);
  update_controls (self);
  memlane_settings_set_string (KEY, text);
  update_preset (self);
  update (self);
}

static void
preset_selected_cb (MemlaneLabPanel *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->presets));

  if (self->filling)
    return;
  if (selected == MEMLANE_LAB_N_PRESETS)
    {
      /* "as set here": here it is */
      gtk_menu_button_popup (GTK_MENU_BUTTON (self->options_button));
      return;
    }
  set_choice (self, memlane_lab_presets[selected].choice);
  changed_cb (self);
}

/* --- devices ---------------------------------------------------------------------------------- */

/* None is pressed while a GPU is in use. */
static void
update_device (MemlaneLabPanel *self)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);
  gboolean filling = self->filling;

  self->filling = TRUE;
  gtk_label_set_text (GTK_LABEL (self->place),
                      device != NULL ? device->name : _("No device is chosen yet"));
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      gtk_widget_set_sensitive (self->engines[i], !memlane_sweep_job_is_running (self->sweep));
      gtk_toggle_button_set_active (
          GTK_TOGGLE_BUTTON (self->engines[i]),
          g_strcmp0 (memlane_device_choice_get_id (self->devices), engines[i].device) == 0);
    }
  self->filling = filling;
}

static void
engine_toggled_cb (MemlaneLabPanel *self, GtkWidget *button)
{
  if (self->filling)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (button == self->engines[i])
      g_object_set (self->devices, "device", engines[i].device, NULL);
  update_device (self); /* the one that is in use stays pressed */
}

/* --- running ---------------------------------------------------------------------------------- */

static void
set_line (MemlaneLabPanel *self, guint track, char *line)
{
  g_free (self->lines[track]);
  self->lines[track] = line;
  g_free (self->text);
  if (self->lines[0] != NULL && self->lines[1] != NULL)
    {
      g_autofree char *size = memlane_unit_format_power (self->recorded.plan.log2_elements);
      const MemlaneLabPlan *plan = &self->recorded.plan;

      /* Translators: two results, then what both were recorded with */
      self->text =
          g_strdup_printf (_("%s\n%s\n%s floats, %u streams, %u chunks, reuse %u"), self->lines[0],
                           self->lines[1], size, plan->streams, plan->chunks, plan->reuse);
    }
  else
    self->text = g_strdup (self->lines[0] != NULL   ? self->lines[0]
                           : self->lines[1] != NULL ? self->lines[1]
                                                    : "");
}

void
memlane_lab_panel_record (MemlaneLabPanel *self)
{
  const char *device;

  if (memlane_trace_store_is_recording (self->store)
      || memlane_lab_panel_get_objection (self) != NULL)
    return;
  device = memlane_device_choice_get_id (self->devices);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  self->recorded = get_choice (self);
  memlane_text_set (&self->device, memlane_device_choice_get_item (self->devices)->name);
  for (guint i = 0; i < G_N_ELEMENTS (purposes); i++)
    {
      set_line (self, i, NULL);
      self->awaited[i] = TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (purposes) && self->awaited[i]; i++)
    {
      MemlaneLabPlan plan = memlane_lab_choice_get_plan (&self->recorded, i);

      memlane_trace_store_record_lab (self->store, device, &plan, purposes[i]);
    }
  update (self);
}

static void
run_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  memlane_lab_panel_record (MEMLANE_LAB_PANEL (widget));
}

/* "Depth-first: 1.32 ms, overlap efficiency 0 %"; the time is of samples that were not traced.
 * (transfer full) */
static char *
describe_trace (const char *name, const MemlaneTrace *trace)
{
  g_autofree char *time =
      memlane_unit_format (MEMLANE_UNIT_TIME, memlane_trace_get_info (trace)->untraced_ns, TRUE);
  MemlaneTraceBounds bounds;

  if (!memlane_trace_compute_bounds (trace, &bounds))
    return g_strdup_printf (_("%s: %s"), name, time);
  return g_strdup_printf (_("%s: %s, overlap efficiency %.0f %%"), name, time,
                          MAX (bounds.efficiency, 0) * 100);
}

static int
find_purpose (MemlaneLabPanel *self, const char *purpose)
{
  for (guint i = 0; i < G_N_ELEMENTS (purposes); i++)
    if (self->awaited[i] && g_strcmp0 (purpose, purposes[i]) == 0)
      return (int) i;
  return -1;
}

static void
arrived_cb (MemlaneLabPanel *self, MemlaneTraceItem *item, const char *purpose)
{
  MemlaneTrace *trace = item->trace;
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  int track = find_purpose (self, purpose);
  const char *name;
  g_autofree char *size = NULL, *title = NULL;

  if (track < 0 || g_strcmp0 (info->workload, "lab") != 0)
    return;
  self->awaited[track] = FALSE;
  name = memlane_lab_choice_get_name (&self->recorded, (guint) track);
  size = memlane_unit_format_power (info->log2_elements);
  /* Translators: "Depth-first · 2²⁰ · Simulated H200": a trace of the stream laboratory */
  title = g_strdup_printf (_("%s · %s · %s"), name, size, self->device);
  memlane_trace_item_set_name (item, title);
  set_line (self, (guint) track, describe_trace (name, trace));
  update (self);
}

static void
failed_cb (MemlaneLabPanel *self, const char *purpose)
{
  int track = find_purpose (self, purpose);

  if (track < 0)
    return;
  self->awaited[track] = FALSE;
  update (self);
}

/* --- life ------------------------------------------------------------------------------------- */

/* Lists that go now choose nothing. */
MEMLANE_DEFINE_RELEASE (MemlaneLabPanel, memlane_lab_panel, dispose, self->filling = TRUE;
                        gtk_widget_dispose_template (GTK_WIDGET (object), MEMLANE_TYPE_LAB_PANEL);)

MEMLANE_DEFINE_RELEASE (MemlaneLabPanel, memlane_lab_panel, finalize,
                        OWNS (lines[0], g_free) OWNS (lines[1], g_free) OWNS (text, g_free)
                        OWNS (device, g_free) OWNS (devices, g_object_unref)
                        OWNS (sweep, g_object_unref) OWNS (store, g_object_unref))

static void
memlane_lab_panel_class_init (MemlaneLabPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "changed", 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/lab-panel.ui");
  MEMLANE_BIND_CHILDREN (MemlaneLabPanel, presets, options_button, popover, run, result,
                         between_summary, place);
  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    gtk_widget_class_bind_template_child_full (widget_class, controls[i], FALSE,
                                               G_STRUCT_OFFSET (MemlaneLabPanel, widgets[i]));
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    gtk_widget_class_bind_template_child_full (widget_class, engines[i].name, FALSE,
                                               G_STRUCT_OFFSET (MemlaneLabPanel, engines[i]));
  MEMLANE_BIND_CALLBACKS (preset_selected_cb, changed_cb, engine_toggled_cb);
  gtk_widget_class_install_action (widget_class, "lab.run", NULL, run_action);
}

/* Compared titles, orders, things in between. */
static void
fill_lists (MemlaneLabPanel *self)
{
  static const guint n[] = { MEMLANE_LAB_N_COMPARISONS, MEMLANE_LAB_N_ORDERS,
                             MEMLANE_LAB_N_BETWEENS };

  for (MemlaneLabControl control = 0; control < MEMLANE_LAB_SIZE; control++)
    {
      g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

      for (guint i = 0; i < n[control]; i++)
        gtk_string_list_append (
            titles, control == MEMLANE_LAB_COMPARISON
                        ? memlane_lab_comparison_get_title ((MemlaneLabComparison) i)
                        : g_dgettext (GETTEXT_PACKAGE, control == MEMLANE_LAB_ORDER
                                                           ? memlane_lab_order_words (i)->title
                                                           : memlane_lab_between_words (i)->title));
      gtk_drop_down_set_model (GTK_DROP_DOWN (self->widgets[control]), G_LIST_MODEL (titles));
      memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->widgets[control]));
    }
}

static void
memlane_lab_panel_init (MemlaneLabPanel *self)
{
  static const guint least[] = { MEMLANE_LAB_SMALLEST_LOG2, 1, 1, 1 };
  static const guint most[] = { MEMLANE_LARGEST_LOG2, MEMLANE_MOST_STREAMS, MEMLANE_MOST_CHUNKS,
                                MEMLANE_LAB_MOST_REUSE };
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  self->text = g_strdup ("");
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < MEMLANE_LAB_N_PRESETS; i++)
    gtk_string_list_append (titles, _(memlane_lab_presets[i].title));
  gtk_string_list_append (titles, _("As set in the options"));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->presets), G_LIST_MODEL (titles));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->presets));
  fill_lists (self);
  for (guint i = 0; i < G_N_ELEMENTS (least); i++)
    gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->widgets[MEMLANE_LAB_SIZE + i]), least[i],
                               most[i]);
  memlane_size_spin_init (GTK_SPIN_BUTTON (self->widgets[MEMLANE_LAB_SIZE]));
  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    {
      memlane_accessible_set_name (self->widgets[i],
                                   gtk_label_get_text (GTK_LABEL (get_label (self->widgets[i]))));
      memlane_accessible_set_description (self->widgets[i],
                                          gtk_widget_get_tooltip_text (self->widgets[i]));
    }
}

GtkWidget *
memlane_lab_panel_new (MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep,
                       MemlaneTraceStore *store)
{
  MemlaneLabPanel *self = g_object_new (MEMLANE_TYPE_LAB_PANEL, NULL);
  g_autofree char *kept = memlane_settings_get_string (KEY, "");
  MemlaneLabChoice choice = memlane_lab_presets[0].choice;

  self->devices = g_object_ref (devices);
  self->sweep = g_object_ref (sweep);
  self->store = g_object_ref (store);
  (void) memlane_lab_choice_from_text (&choice, kept);
  set_choice (self, choice);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { devices, "notify::device", G_CALLBACK (update_device) },
    { sweep, "notify::running", G_CALLBACK (update_device) },
    { devices, "notify::device", G_CALLBACK (update) },
    { sweep, "notify::running", G_CALLBACK (update) },
    { store, "notify::recording", G_CALLBACK (update) },
    { store, "arrived", G_CALLBACK (arrived_cb) },
    { store, "failed", G_CALLBACK (failed_cb) },
    { NULL },
  });
  update_device (self);
  update_preset (self);
  update (self);
  return GTK_WIDGET (self);
}
