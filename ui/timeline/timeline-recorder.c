/* timeline-recorder.c: which cell is recorded next, and a button that does it
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-recorder.h"

#include <glib/gi18n-lib.h>

#include "chart/scale.h"
#include "model/sentence.h"
#include "parts/settings.h"
#include "parts/size-spin.h"
#include "parts/template.h"
#include "model/fields.h"
#include "parts/widgets.h"
#include "base/each.h"

struct _MemlaneTimelineRecorder
{
  AdwBin parent_instance;

  MemlaneDeviceChoice *devices; /* (owned), as the next two; set once, by follow() */
  MemlanePlanModel *plan;
  MemlaneTraceStore *store;
  GtkWidget *modes, *size, *beside, *record, *place;
  gboolean choosing;        /* several are being set: what is kept waits */
};

G_DEFINE_FINAL_TYPE (MemlaneTimelineRecorder, memlane_timeline_recorder, ADW_TYPE_BIN)

/* --- what is chosen --------------------------------------------------------------------------- */

static const char *
get_mode (MemlaneTimelineRecorder *self)
{
  guint n, chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->modes));
  const MemlaneMode *modes = memlane_mode_list (&n);

  return modes[chosen < n ? chosen : 0].id;
}

/* NULL: none; the list begins with that. */
static const char *
get_beside (MemlaneTimelineRecorder *self)
{
  guint n, chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->beside));
  const MemlaneMode *modes = memlane_mode_list (&n);

  return chosen >= 1 && chosen <= n ? modes[chosen - 1].id : NULL;
}

static guint
get_log2 (MemlaneTimelineRecorder *self)
{
  return (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->size));
}

static guint
find_mode (const char *id, guint otherwise)
{
  const MemlaneMode *mode = memlane_mode_find (id);
  guint n;

  return mode != NULL ? (guint) (mode - memlane_mode_list (&n)) : otherwise;
}

static const char *
get_title (const char *mode)
{
  return g_dgettext (GETTEXT_PACKAGE, memlane_mode_find (mode)->title);
}

char *
memlane_timeline_recorder_describe (MemlaneTimelineRecorder *self)
{
  const char *beside = get_beside (self);
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);
  g_autofree char *size = memlane_unit_format_power (get_log2 (self));
  g_autofree char *modes =
      beside == NULL
          ? g_strdup (get_title (get_mode (self)))
          : g_strdup_printf (_("%s and %s"), get_title (get_mode (self)), get_title (beside));

  if (device == NULL)
    return g_strdup_printf ("%s %s", modes, size);
  /* Translators: "Pinned 2¹⁴ on Simulated H200" */
  return g_strdup_printf (_("%s %s on %s"), modes, size, device->name);
}

char *
memlane_timeline_recorder_get_objection (MemlaneTimelineRecorder *self)
{
  const char *modes[] = { get_mode (self), get_beside (self) }, *reason;

  if (memlane_device_choice_get_item (self->devices) == NULL)
    return g_strdup (_("Choose a device that can be used"));
  reason = memlane_trace_store_get_objection (self->store);
  for (guint i = 0; i < G_N_ELEMENTS (modes) && reason == NULL; i++)
    if (modes[i] != NULL)
      {
        reason = memlane_device_choice_get_mode_objection (self->devices, self->plan->workload,
                                                           modes[i]);
        if (reason != NULL)
          {
            g_autofree char *sentence = memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, reason));

            return g_strdup_printf ("%s: %s", get_title (modes[i]), sentence);
          }
      }
  return g_strdup (reason);
}

/* --- the button ------------------------------------------------------------------------------- */

void
memlane_timeline_recorder_label (GtkWidget *button, gboolean recording, const char *action,
                                 const char *idle)
{
  gtk_button_set_label (GTK_BUTTON (button), recording ? _("_Stop") : _("Re_cord"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), recording ? "trace.stop" : action);
  gtk_widget_set_tooltip_text (button, recording ? _("Stop recording") : idle);
  memlane_widget_set_class (button, "suggested-action", !recording);
  memlane_widget_set_class (button, "destructive-action", recording);
}

static void
update (MemlaneTimelineRecorder *self)
{
  g_autofree char *objection = memlane_timeline_recorder_get_objection (self),
                  *cell = memlane_timeline_recorder_describe (self);
  g_autofree char *idle = objection != NULL ? g_strdup (objection)
                                            : g_strdup_printf (_("Record one transfer: %s"), cell);
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);
  g_autofree char *place =
      device != NULL ? g_strdup_printf (_("on %s"), device->name) : g_strdup ("");

  memlane_timeline_recorder_label (self->record, memlane_trace_store_is_recording (self->store),
                                   "trace.record", idle);
  gtk_label_set_text (GTK_LABEL (self->place), objection != NULL ? objection : place);
  gtk_widget_set_tooltip_text (self->place, objection);
  memlane_say_changed (self);
}

static void
changed_cb (MemlaneTimelineRecorder *self)
{
  if (self->choosing)
    return;
  memlane_settings_set_string ("timeline-mode", get_mode (self));
  memlane_settings_set_string ("timeline-beside",
                               get_beside (self) != NULL ? get_beside (self) : "");
  memlane_settings_set_int ("timeline-log2", (int) get_log2 (self));
  update (self);
}

/* A comparison is recorded when it is chosen; without one the first trace stays alone. */
static void
beside_cb (MemlaneTimelineRecorder *self)
{
  changed_cb (self);
  if (self->choosing)
    return;
  if (get_beside (self) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "trace.record", NULL);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "trace.beside", "i", -1);
}

/* @beside NULL or "": none. */
static void
choose (MemlaneTimelineRecorder *self, const char *mode, const char *beside, guint log2_elements)
{
  self->choosing = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->modes), find_mode (mode, 0));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->beside), beside != NULL && *beside != '\0'
                                                                ? find_mode (beside, G_MAXUINT) + 1
                                                                : 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->size), log2_elements);
  self->choosing = FALSE;
  changed_cb (self);
}

/* --- recording -------------------------------------------------------------------------------- */

void
memlane_timeline_recorder_record (MemlaneTimelineRecorder *self)
{
  const MemlaneMethod method = { .workload = self->plan->workload,
                                 .reuse = self->plan->reuse,
                                 .streams = self->plan->streams,
                                 .chunks = self->plan->chunks };
  const char *beside = get_beside (self), *device;

  if (memlane_trace_store_is_recording (self->store))
    return;
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->size)); /* what was typed and not yet entered */
  device = memlane_device_choice_get_id (self->devices);
  memlane_trace_store_record (self->store, device, &method, memlane_mode_find (get_mode (self)),
                              get_log2 (self), beside != NULL ? "sample-first" : "sample-alone");
  if (beside != NULL)
    memlane_trace_store_record (self->store, device, &method, memlane_mode_find (beside),
                                get_log2 (self), "sample-second");
}

void
memlane_timeline_recorder_record_cell (MemlaneTimelineRecorder *self, const char *mode,
                                       const MemlaneMethod *method, guint log2_elements)
{
  if (memlane_mode_find (mode) == NULL || method->workload == NULL)
    return;
  choose (self, mode, NULL, log2_elements);
  if (memlane_trace_store_is_recording (self->store))
    memlane_trace_store_stop (self->store); /* the person has turned to this one */
  memlane_trace_store_record (self->store, memlane_device_choice_get_id (self->devices), method,
                              memlane_mode_find (mode), log2_elements, "sample-alone");
}

/* --- life ------------------------------------------------------------------------------------- */

/* Lists that go now choose nothing. */
MEMLANE_DEFINE_RELEASE (MemlaneTimelineRecorder, memlane_timeline_recorder, dispose,
                        self->choosing = TRUE;
                        gtk_widget_dispose_template (GTK_WIDGET (object),
                                                     MEMLANE_TYPE_TIMELINE_RECORDER);)

MEMLANE_DEFINE_RELEASE (MemlaneTimelineRecorder, memlane_timeline_recorder, finalize,
                        OWNS (devices, g_object_unref) OWNS (plan, g_object_unref)
                        OWNS (store, g_object_unref))

static void
memlane_timeline_recorder_class_init (MemlaneTimelineRecorderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "changed", 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/timeline-recorder.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTimelineRecorder, modes, size, beside, record, place);
  MEMLANE_BIND_CALLBACKS (changed_cb, beside_cb);
}

static void
fill_modes (MemlaneTimelineRecorder *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL),
                            others = gtk_string_list_new (NULL);

  gtk_string_list_append (others, _("No comparison"));
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    {
      gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, mode->title));
      gtk_string_list_append (others, g_dgettext (GETTEXT_PACKAGE, mode->title));
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->modes), G_LIST_MODEL (titles));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->beside), G_LIST_MODEL (others));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->modes));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->beside));
}

static void
memlane_timeline_recorder_init (MemlaneTimelineRecorder *self)
{
  self->choosing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->size), MEMLANE_SMALLEST_LOG2,
                             MEMLANE_LARGEST_LOG2);
  memlane_size_spin_init (GTK_SPIN_BUTTON (self->size));
  fill_modes (self);
}

void
memlane_timeline_recorder_follow (MemlaneTimelineRecorder *self, MemlaneDeviceChoice *devices,
                                  MemlanePlanModel *plan, MemlaneTraceStore *store)
{
  g_autofree char *mode = memlane_settings_get_string ("timeline-mode", "pinned");
  g_autofree char *beside = memlane_settings_get_string ("timeline-beside", "");

  self->devices = g_object_ref (devices);
  self->plan = g_object_ref (plan);
  self->store = g_object_ref (store);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { devices, "changed", G_CALLBACK (update) },
    { plan, "notify::workload", G_CALLBACK (update) },
    { store, "notify::recording", G_CALLBACK (update) },
    { NULL },
  });
  choose (self, mode, beside, (guint) memlane_settings_get_int ("timeline-log2", 14));
}
