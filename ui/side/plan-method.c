/* plan-method.c: how a cell is measured: precision, time, rounds, reuse, streams, chunks
 *
 * SPDX-License-Identifier: MIT
 *
 * Seven settings of one kind: a name and a spin button, and beneath what it does.
 */
#include "plan-method.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

typedef struct
{
  const char *property;    /* of the plan */
  const char *title, *caption;
  double lowest, highest, step;
  guint digits;
  double factor;           /* what is shown is the property times this */
} Setting;

static const Setting settings[] = {
  { "per-octave", N_("Sizes per power of two"), N_("Sizes from each power of two to the next."), 1, MEMLANE_MOST_PER_OCTAVE, 1, 0, 1 },
  { "precision", N_("Precision, %"), N_("Stop when the median is known to ± this percentage."), 0.01, 100, 0.5, 2, 100 },
  { "cell-seconds", N_("Time limit, s"), N_("For each measurement. Those that miss the precision are marked noisy."), 0.001, 3600, 0.05, 3,
    1 },
  { "rounds", N_("Rounds"), N_("Each round is a fresh process. Six give a 95 % interval. A simulated device needs one."), 1,
    MEMLANE_MOST_ROUNDS, 1, 0, 1 },
  { "reuse", N_("Kernels per transfer (reuse)"), N_("The more often data is used, the less its transfer matters."), 1, 100000, 1, 0, 1 },
  { "streams", N_("Streams"), N_("How many work at the same time (stream modes only)."), 1, MEMLANE_MOST_STREAMS, 1, 0, 1 },
  { "chunks", N_("Chunks"), N_("Number of chunks per vector (stream modes), or of scattered pieces."), 1, MEMLANE_MOST_PIECES, 1, 0, 1 },
};

struct _MemlanePlanMethod
{
  GtkBox parent_instance;
  MemlanePlanModel *plan;  /* weak */
  GtkWidget *rows, *reset_button;
  GtkWidget *spins[G_N_ELEMENTS (settings)];
};

G_DEFINE_FINAL_TYPE (MemlanePlanMethod, memlane_plan_method, GTK_TYPE_BOX)

static gboolean
to_shown (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const Setting *setting = user_data;
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (!g_value_transform (from, &number))
    return FALSE;
  g_value_set_double (to, g_value_get_double (&number) * setting->factor);
  return TRUE;
}

static gboolean
from_shown (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const Setting *setting = user_data;
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  g_value_set_double (&number, g_value_get_double (from) / setting->factor);
  return g_value_transform (&number, to);
}

static void
reset_cb (MemlanePlanMethod *self)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  if (self->plan != NULL)
    g_object_set (self->plan, "per-octave", 1, "precision", plan->method.precision, "cell-seconds", plan->method.cell_seconds, "rounds",
                  plan->method.rounds, "reuse", plan->method.reuse, "streams", plan->method.streams, "chunks", plan->method.chunks, NULL);
}

void
memlane_plan_method_follow (MemlanePlanMethod *self, MemlanePlanModel *plan)
{
  g_set_weak_pointer (&self->plan, plan);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    g_object_bind_property_full (plan, settings[i].property, gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->spins[i])),
                                 "value", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, to_shown, from_shown,
                                 (gpointer) &settings[i], NULL);
}

static void
add_row (MemlanePlanMethod *self, guint i)
{
  const Setting *setting = &settings[i];
  GtkAdjustment *adjustment = gtk_adjustment_new (setting->lowest, setting->lowest, setting->highest, setting->step, 10 * setting->step, 0);
  GtkWidget *title = memlane_text_new (_(setting->title), NULL), *caption = memlane_text_new (_(setting->caption), "caption dim-label");
  GtkWidget *spin = gtk_spin_button_new (adjustment, setting->step, setting->digits);

  g_object_set (spin, "name", setting->property, "numeric", TRUE, "width-chars", 5, "max-width-chars", 6, NULL);
  g_object_set (title, "mnemonic-widget", spin, "hexpand", TRUE, NULL);
  gtk_label_set_max_width_chars (GTK_LABEL (caption), 36);
  memlane_accessible_set_name (spin, _(setting->title));
  memlane_accessible_set_description (spin, _(setting->caption));
  self->spins[i] = spin;
  gtk_box_append (GTK_BOX (self->rows), memlane_box_new (GTK_ORIENTATION_VERTICAL, 2,
                                                         memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, title, spin, NULL), caption,
                                                         NULL));
}

MEMLANE_DEFINE_RELEASE (MemlanePlanMethod, memlane_plan_method, dispose, WATCHES (plan))

static void
memlane_plan_method_class_init (MemlanePlanMethodClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/plan-method.ui");
  MEMLANE_BIND_CHILDREN (MemlanePlanMethod, rows, reset_button);
  MEMLANE_BIND_CALLBACKS (reset_cb);
}

static void
memlane_plan_method_init (MemlanePlanMethod *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    add_row (self, i);
}
