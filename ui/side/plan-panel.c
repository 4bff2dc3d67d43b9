/* plan-panel.c: what the next sweep measures: workload, modes, sizes, method; and how long that
 * takes
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan-panel.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/host-memory.h"
#include "base/size.h"
#include "chart/headline.h"
#include "parts/size-spin.h"
#include "mode-choice.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"
#include "workload-choice.h"

/* From here on the size is worth a word: vectors of 64 MiB, which take a while to fill and to
 * check. */
#define LARGE_LOG2 24

/* A cell is measured by settings of one kind: a name and a spin button, and beneath what it
 * does. */
typedef struct
{
  const char *property;    /* of the plan */
  const char *title, *caption;
  double lowest, highest, step;
  guint digits;
  gboolean percent;        /* what is shown is the property times 100 */
} Setting;

static const Setting settings[] = {
  { "per-octave", N_("Sizes per power of two"), N_("Sizes from each power of two to the next."),
    1, MEMLANE_MOST_PER_OCTAVE, 1, 0, FALSE },
  { "precision", N_("Precision, %"),
    N_("A time whose interval reaches farther than ± this percentage is marked noisy."), 0.01, 100,
    0.5, 2, TRUE },
  { "cell-seconds", N_("Time limit, s"), N_("For each measurement."), 0.001, 3600, 0.05, 3,
    FALSE },
  { "rounds", N_("Rounds"),
    N_("Each round is a fresh process. Six give a 95 % interval. A simulated device needs one."),
    1, MEMLANE_MOST_ROUNDS, 1, 0, FALSE },
  { "reuse", N_("Kernels per transfer (reuse)"),
    N_("The more often data is used, the less its transfer matters."), 1, 100000, 1, 0, FALSE },
  { "streams", N_("Streams"), N_("How many work at the same time (stream modes only)."), 1,
    MEMLANE_MOST_STREAMS, 1, 0, FALSE },
  { "chunks", N_("Chunks"),
    N_("Number of chunks per vector (stream modes), or of scattered pieces."), 1,
    MEMLANE_MOST_PIECES, 1, 0, FALSE },
  { "busy", N_("Busy multiprocessors, %"),
    N_("Share that computes meanwhile, where the GPU computes."), 1, 100, 10, 0, FALSE },
};

struct _MemlanePlanPanel
{
  AdwBin parent_instance;
  MemlanePlanModel *plan; /* (owned) */
  MemlaneSweepJob *sweep; /* (owned) */
  GtkWidget *columns, *workload_choice, *mode_choice;
  GtkWidget *first_spin, *first_bytes, *last_spin, *last_bytes, *sizes, *size_warning, *rows,
      *cells, *again;
};

G_DEFINE_FINAL_TYPE (MemlanePlanPanel, memlane_plan_panel, ADW_TYPE_BIN)

static void
show_bytes (GtkWidget *label, guint log2)
{
  g_autofree char *bytes =
      memlane_unit_format (MEMLANE_UNIT_BYTES, ldexp (sizeof (float), (int) log2), TRUE);

  gtk_label_set_label (GTK_LABEL (label), bytes);
}

/* Says what the largest size needs, and what of it this host lacks. (transfer full) */
static char *
describe_need (const MemlanePlan *plan)
{
  const double available = (double) memlane_host_memory_get_available (),
               lockable = (double) memlane_host_memory_get_lockable ();
  g_autofree char *power = memlane_unit_format_power (plan->last_log2), *host = NULL,
                  *locked = NULL, *device = NULL, *there = NULL;
  g_autofree char *limit = memlane_unit_format (MEMLANE_UNIT_BYTES, MAX (lockable, 1), TRUE),
                  *limited = NULL, *sentence = NULL;
  double most[3] = { 0, 0, 0 };

  for (const MemlaneMode **mode = plan->modes; *mode != NULL; mode++)
    {
      MemlaneNeed need;

      memlane_method_find_need (&plan->method, *mode, memlane_size_elements (plan->last_log2),
                                &need);
      most[0] = MAX (most[0], (double) need.host);
      most[1] = MAX (most[1], (double) need.locked);
      most[2] = MAX (most[2], (double) need.device);
    }
  host = memlane_unit_format (MEMLANE_UNIT_BYTES, most[0], TRUE);
  locked = memlane_unit_format (MEMLANE_UNIT_BYTES, most[1], TRUE);
  device = memlane_unit_format (MEMLANE_UNIT_BYTES, most[2], TRUE);
  there = memlane_unit_format (MEMLANE_UNIT_BYTES,
                               MAX (most[0] > available ? available : available / 2, 1), TRUE);
  limited = lockable > 0 && most[1] > lockable ? g_strdup_printf (_(MEMLANE_LOCKABLE_SAYS), limit)
                                               : NULL;
  if (available > 0 && most[0] > available)
    /* Translators: a size such as 2³⁰, then memory such as 12 GiB */
    sentence = g_strdup_printf (_("%s needs up to %s of host memory, and %s are free."), power,
                                host, there);
  else if (available > 0 && most[1] > available / 2)
    sentence =
        g_strdup_printf (_("%s needs up to %s of page-locked memory, and at most %s may be."),
                         power, locked, there);
  else
    sentence = g_strdup_printf (
        _("%s needs up to %s on the host, of which %s page-locked, and %s on the device."), power,
        host, locked, device);
  return g_strjoin (" ", sentence, limited, NULL);
}

/* Takes the list of sizes over where it is right; where it is wrong, says so, and the former one
 * counts. */
static void
update_sizes (MemlanePlanPanel *self)
{
  const char *list = gtk_editable_get_text (GTK_EDITABLE (self->sizes));
  g_autoptr (MemlanePlan) plan = memlane_plan_model_make (self->plan), asked = memlane_plan_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *warning = NULL;

  if (*list == '\0' || memlane_plan_set_size_list (asked, list, self->plan->per_octave, &error))
    g_object_set (self->plan, "sizes", list, NULL);
  warning = error != NULL ? g_strdup (error->message) : describe_need (plan);
  show_bytes (self->first_bytes, self->plan->first_log2);
  show_bytes (self->last_bytes, self->plan->last_log2);
  gtk_widget_set_sensitive (self->first_spin, *list == '\0');
  gtk_widget_set_sensitive (self->last_spin, *list == '\0');
  gtk_label_set_label (GTK_LABEL (self->size_warning), warning);
  gtk_widget_set_visible (self->size_warning, error != NULL || plan->last_log2 >= LARGE_LOG2);
}

/* One estimate, in wall time. */
static void
update_cells (MemlanePlanPanel *self)
{
  guint cells = memlane_sweep_job_count_cells (self->sweep);
  g_autofree char *text = NULL, *time = NULL;

  if (cells == 0)
    text = g_strdup (_("Choose at least one mode."));
  else
    {
      time = memlane_sweep_job_describe_estimate (self->sweep);
      text = g_strdup_printf (
          ngettext ("%u measurement, about %s", "%u measurements, about %s", cells), cells, time);
    }
  gtk_label_set_label (GTK_LABEL (self->cells), text);
  gtk_widget_set_visible (self->again, memlane_sweep_job_has_history (self->sweep));
  update_sizes (self);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static void
set_up_spin (MemlanePlanPanel *self, GtkWidget *spin, const char *property, const char *name)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (MEMLANE_SMALLEST_LOG2, MEMLANE_SMALLEST_LOG2,
                                                  MEMLANE_LARGEST_LOG2, 1, 4, 0);

  gtk_spin_button_configure (GTK_SPIN_BUTTON (spin), adjustment, 1, 0);
  memlane_size_spin_init (GTK_SPIN_BUTTON (spin));
  memlane_accessible_set_name (spin, name);
  g_object_bind_property (self->plan, property, adjustment, "value",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

/* --- the method ------------------------------------------------------------------------------- */

static gboolean
to_percent (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_double (to, 100 * g_value_get_double (from));
  return TRUE;
}

static gboolean
from_percent (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_double (to, g_value_get_double (from) / 100);
  return TRUE;
}

static void
add_row (MemlanePlanPanel *self, const Setting *setting)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (
      setting->lowest, setting->lowest, setting->highest, setting->step, 10 * setting->step, 0);
  GtkWidget *title = memlane_text_new (_(setting->title), NULL),
            *caption = memlane_text_new (_(setting->caption), "caption dim-label");
  GtkWidget *spin = gtk_spin_button_new (adjustment, setting->step, setting->digits);

  g_object_set (spin, "name", setting->property, "numeric", TRUE, "width-chars", 5,
                "max-width-chars", 6, NULL);
  g_object_set (title, "mnemonic-widget", spin, "hexpand", TRUE, NULL);
  gtk_label_set_max_width_chars (GTK_LABEL (caption), 36);
  memlane_accessible_set_name (spin, _(setting->title));
  memlane_accessible_set_description (spin, _(setting->caption));
  g_object_bind_property_full (self->plan, setting->property, adjustment, "value",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE,
                               setting->percent ? to_percent : NULL,
                               setting->percent ? from_percent : NULL, NULL, NULL);
  gtk_box_append (
      GTK_BOX (self->rows),
      memlane_box_new (GTK_ORIENTATION_VERTICAL, 2,
                       memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, title, spin, NULL), caption,
                       NULL));
}

/* Asks what the device does meanwhile, and on which share it computes. */
static void
add_background (MemlanePlanPanel *self)
{
  const char *const words[MEMLANE_N_BESIDES + 1] = {
    [MEMLANE_BESIDE_NONE] = _("Is idle"),
    [MEMLANE_BESIDE_COMPUTE] = _("Computes"),
    [MEMLANE_BESIDE_COPIES_UP] = _("Copies to the device"),
    [MEMLANE_BESIDE_COPIES_DOWN] = _("Copies to the host"),
    [MEMLANE_BESIDE_BOTH] = _("Copies both ways"),
  };
  GtkWidget *title = memlane_text_new (_("Meanwhile the GPU"), NULL);
  GtkWidget *choice = gtk_drop_down_new_from_strings (words);

  g_object_set (choice, "name", "beside", NULL);
  g_object_set (title, "mnemonic-widget", choice, "hexpand", TRUE, NULL);
  memlane_accessible_set_name (choice, _("Meanwhile the GPU"));
  g_object_bind_property (self->plan, "beside", choice, "selected",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (self->rows),
                  memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, title, choice, NULL));
}

static void
reset_cb (MemlanePlanPanel *self)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  g_object_set (self->plan, "per-octave", 1, "precision", plan->method.precision, "cell-seconds",
                plan->method.cell_seconds, "rounds", plan->method.rounds, "reuse",
                plan->method.reuse, "streams", plan->method.streams, "chunks", plan->method.chunks,
                "beside", plan->method.beside, "busy", 100, NULL);
}

/* --- life ------------------------------------------------------------------------------------- */

GtkWidget *
memlane_plan_panel_new (MemlanePlanModel *plan, MemlaneDeviceChoice *devices,
                        MemlaneSweepJob *sweep)
{
  MemlanePlanPanel *self = g_object_new (MEMLANE_TYPE_PLAN_PANEL, NULL);

  self->plan = g_object_ref (plan);
  self->sweep = g_object_ref (sweep);
  memlane_workload_choice_follow (MEMLANE_WORKLOAD_CHOICE (self->workload_choice), G_OBJECT (plan),
                                  "workload", TRUE);
  memlane_mode_choice_follow (MEMLANE_MODE_CHOICE (self->mode_choice), plan->modes, plan, NULL,
                              devices);
  if (plan->sizes != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->sizes), plan->sizes);
  set_up_spin (self, self->first_spin, "first-log2", _("Smallest size"));
  set_up_spin (self, self->last_spin, "last-log2", _("Largest size"));
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      if (g_str_equal (settings[i].property, "busy"))
        add_background (self);
      add_row (self, &settings[i]);
    }
  memlane_follow (self, (const MemlaneFollowed[]) {
    { sweep, "changed", G_CALLBACK (update_cells) },
    { sweep, "notify::running", G_CALLBACK (update_cells) },
    { NULL },
  });
  update_cells (self);
  return GTK_WIDGET (self);
}

void
memlane_plan_panel_set_narrow (MemlanePlanPanel *self, gboolean narrow)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

MEMLANE_DEFINE_RELEASE (MemlanePlanPanel, memlane_plan_panel, dispose,
                        if (self->sweep != NULL)
                          g_signal_handlers_disconnect_by_data (self->sweep, self);
                        OWNS (plan, g_object_unref) OWNS (sweep, g_object_unref))

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
  MEMLANE_ENSURE_TYPES (MODE_CHOICE, WORKLOAD_CHOICE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/plan-panel.ui");
  MEMLANE_BIND_CHILDREN (MemlanePlanPanel, columns, workload_choice, mode_choice, first_spin,
                         first_bytes, last_spin, last_bytes, sizes, size_warning, rows, cells,
                         again);
  MEMLANE_BIND_CALLBACKS (close_cb, reset_cb, update_cells);
}

static void
memlane_plan_panel_init (MemlanePlanPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
