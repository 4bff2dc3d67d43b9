/* mode-choice.c: all modes by family, ticked together or one by one
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-choice.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/mode-swatch.h"
#include "model/fields.h"
#include "parts/widgets.h"

/* The widgets of one line. */
typedef struct
{
  GtkWidget *check;
  GtkWidget *button;  /* opens the family, or says what the mode is */
  GtkWidget *members; /* (nullable): of a family with several */
  GtkWidget *count;   /* (nullable): likewise */
  MemlaneFamily family;
} Line;

struct _MemlaneModeChoice
{
  AdwBin parent_instance;
  MemlaneModeSet *modes;        /* weak */
  MemlanePlanModel *plan;       /* weak */
  MemlaneDeviceChoice *devices; /* weak, (nullable) */
  GtkWidget *heading, *families;
  GArray *lines;           /* (element-type Line): from top to bottom */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (MemlaneModeChoice, memlane_mode_choice, ADW_TYPE_BIN)

/* --- what is ticked --------------------------------------------------------------------------------------------------------- */

/* Modes that the device cannot run are not ticked; their curves may exist all the same. */
static gboolean
can_be_ticked (MemlaneModeChoice *self, const char *mode)
{
  return self->devices == NULL
         || memlane_device_choice_get_mode_objection (self->devices, memlane_plan_model_get_workload (self->plan), mode) == NULL;
}

static void
update_family (MemlaneModeChoice *self, const Line *line)
{
  guint n, able = 0, ticked = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);
  g_autofree char *count = NULL, *spoken = NULL;

  for (guint i = 0; i < n; i++)
    if (modes[i].family == line->family && can_be_ticked (self, modes[i].id))
      {
        able++;
        ticked += memlane_mode_set_has (self->modes, modes[i].id);
      }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (line->check), able > 0 && ticked == able);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (line->check), ticked > 0 && ticked < able);
  gtk_widget_set_sensitive (line->check, able > 0);
  /* Translators: so many modes of a family are ticked, of so many */
  count = ticked == able ? g_strdup_printf ("%u", able) : g_strdup_printf (_("%u of %u"), ticked, able);
  gtk_label_set_label (GTK_LABEL (line->count), count);
  spoken = g_strdup_printf (ngettext ("%u of %u mode", "%u of %u modes", able), ticked, able);
  memlane_accessible_set_description (line->check, spoken);
}

static void
update (MemlaneModeChoice *self)
{
  if (self->modes == NULL || self->plan == NULL)
    return;
  self->updating = TRUE;
  for (guint i = 0; i < self->lines->len; i++)
    if (g_array_index (self->lines, Line, i).members != NULL)
      update_family (self, &g_array_index (self->lines, Line, i));
  self->updating = FALSE;
}

/* From some of them it goes to all. */
static void
family_toggled_cb (MemlaneModeChoice *self, GtkCheckButton *check)
{
  gboolean ticked = gtk_check_button_get_inconsistent (check) || gtk_check_button_get_active (check);
  MemlaneFamily family = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "family"));
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (self->updating || self->modes == NULL || self->plan == NULL)
    return;
  for (guint i = 0; i < n; i++)
    if (modes[i].family == family && can_be_ticked (self, modes[i].id))
      memlane_mode_set_put (self->modes, modes[i].id, ticked);
  update (self); /* the box shows what is, also where nothing changed */
}

static void
tick_all (MemlaneModeChoice *self, gboolean ticked)
{
  if (self->modes != NULL)
    memlane_mode_set_put_all (self->modes, ticked);
}

static void
all_cb (MemlaneModeChoice *self)
{
  tick_all (self, TRUE);
}

/* --- the lines -------------------------------------------------------------------------------------------------------------- */

static void
opened_cb (GtkToggleButton *button, GParamSpec *pspec, GtkWidget *members)
{
  gboolean open = gtk_toggle_button_get_active (button);

  gtk_widget_set_visible (members, open);
  gtk_button_set_icon_name (GTK_BUTTON (button), open ? "pan-down-symbolic" : "pan-end-symbolic");
}

/* After unticking all, people pick single modes: open the families. */
static void
none_cb (MemlaneModeChoice *self)
{
  tick_all (self, FALSE);
  for (guint i = 0; i < self->lines->len; i++)
    if (g_array_index (self->lines, Line, i).members != NULL)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (g_array_index (self->lines, Line, i).button), TRUE);
}

static void
add_mode (MemlaneModeChoice *self, GtkWidget *box, const MemlaneMode *mode)
{
  GtkWidget *row = memlane_mode_row_new (self->modes, self->plan, self->devices, mode);
  Line line = { memlane_mode_row_get_check (MEMLANE_MODE_ROW (row)), memlane_mode_row_get_info_button (MEMLANE_MODE_ROW (row)), NULL, NULL,
                mode->family };

  gtk_box_append (GTK_BOX (box), row);
  g_array_append_val (self->lines, line);
}

static GtkWidget *
make_family (MemlaneModeChoice *self, const MemlaneMode *first, Line *line)
{
  const char *title = g_dgettext (GETTEXT_PACKAGE, memlane_family_title (first->family));
  g_autofree char *name = g_strconcat ("family-", memlane_family_id (first->family), NULL);
  g_autofree char *members = g_strdup_printf (_("Modes of %s"), title);
  GtkWidget *swatch = g_object_new (MEMLANE_TYPE_MODE_SWATCH, "valign", GTK_ALIGN_CENTER, NULL);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", title, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL), *box;

  line->family = first->family;
  line->count = memlane_widget_style (gtk_label_new (NULL), "dim-label numeric");
  line->check = g_object_new (GTK_TYPE_CHECK_BUTTON, "name", "family_check", "hexpand", TRUE, "margin-start", 6, "child",
                              memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, swatch, label, line->count, NULL), NULL);
  line->button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "name", "family_button", "icon-name", "pan-end-symbolic", "valign", GTK_ALIGN_CENTER,
                               NULL);
  line->members = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "margin-start", 18, "visible", FALSE, NULL);
  memlane_mode_swatch_set_mode (MEMLANE_MODE_SWATCH (swatch), first->id);
  g_object_set_data (G_OBJECT (line->check), "family", GUINT_TO_POINTER (first->family));
  memlane_accessible_set_name (line->check, title);
  memlane_accessible_name_icon (memlane_widget_style (line->button, "flat circular"), members);
  g_signal_connect_object (line->check, "toggled", G_CALLBACK (family_toggled_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (line->button, "notify::active", G_CALLBACK (opened_cb), line->members, 0);
  box = memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 0, line->check, line->button, NULL);
  gtk_widget_set_name (box, name);
  return box;
}

static guint
count_members (MemlaneFamily family)
{
  guint n, count = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    count += modes[i].family == family;
  return count;
}

static void
add_family (MemlaneModeChoice *self, const MemlaneMode *first)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  Line line;

  if (count_members (first->family) == 1)
    {
      add_mode (self, self->families, first);
      return;
    }
  gtk_box_append (GTK_BOX (self->families), make_family (self, first, &line));
  g_array_append_val (self->lines, line);
  gtk_box_append (GTK_BOX (self->families), line.members);
  for (guint i = 0; i < n; i++)
    if (modes[i].family == first->family)
      add_mode (self, line.members, &modes[i]);
}

void
memlane_mode_choice_follow (MemlaneModeChoice *self, MemlaneModeSet *chosen, MemlanePlanModel *plan, MemlaneDeviceChoice *devices)
{
  guint n, known = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_set_weak_pointer (&self->modes, chosen);
  g_set_weak_pointer (&self->plan, plan);
  g_set_weak_pointer (&self->devices, devices);
  gtk_label_set_label (GTK_LABEL (self->heading), devices != NULL ? _("Modes") : _("Curves"));
  for (guint i = 0; i < n; i++)
    if ((known & (1u << modes[i].family)) == 0)
      {
        known |= 1u << modes[i].family;
        add_family (self, &modes[i]);
      }
  g_signal_connect_object (chosen, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (devices != NULL)
    {
      g_signal_connect_object (plan, "notify::workload", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (devices, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
  update (self);
}

/* --- arrow keys: Tab alone would stop forty times on the way through the list ----------------------------------------------- */

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static void
move_focus (MemlaneModeChoice *self, int step)
{
  gboolean in_button = FALSE;
  int at = -1;

  for (guint i = 0; i < self->lines->len && at < 0; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);

      in_button = has_focus (line->button);
      if (in_button || has_focus (line->check))
        at = (int) i;
    }
  for (int i = at + step; at >= 0 && i >= 0 && i < (int) self->lines->len; i += step)
    {
      const Line *line = &g_array_index (self->lines, Line, i);
      GtkWidget *widget = in_button ? line->button : line->check;

      if (gtk_widget_get_mapped (widget) && gtk_widget_grab_focus (widget))
        return;
    }
  gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
next_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  move_focus (MEMLANE_MODE_CHOICE (widget), 1);
}

static void
previous_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  move_focus (MEMLANE_MODE_CHOICE (widget), -1);
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneModeChoice, memlane_mode_choice, dispose, WATCHES (modes) WATCHES (plan) WATCHES (devices)
                        OWNS (lines, g_array_unref))

static void
memlane_mode_choice_class_init (MemlaneModeChoiceClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_install_action (widget_class, "mode.next", NULL, next_action);
  gtk_widget_class_install_action (widget_class, "mode.previous", NULL, previous_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, 0, "mode.next", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, 0, "mode.previous", NULL);
}

static GtkWidget *
new_button (MemlaneModeChoice *self, const char *label, const char *name, const char *spoken, GCallback clicked)
{
  GtkWidget *button = memlane_widget_style (gtk_button_new_with_label (label), "flat");

  gtk_widget_set_name (button, name);
  memlane_accessible_set_name (button, spoken);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  return button;
}

static void
memlane_mode_choice_init (MemlaneModeChoice *self)
{
  GtkWidget *all = new_button (self, C_("modes", "All"), "all_button", _("All modes"), G_CALLBACK (all_cb));
  GtkWidget *none = new_button (self, C_("modes", "None"), "none_button", _("No modes"), G_CALLBACK (none_cb));

  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  self->heading = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "hexpand", TRUE, NULL);
  self->families = g_object_new (GTK_TYPE_BOX, "name", "modes", "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  adw_bin_set_child (ADW_BIN (self),
                     memlane_box_new (GTK_ORIENTATION_VERTICAL, 6,
                                      memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, memlane_widget_style (self->heading, "heading"), all,
                                                       none, NULL),
                                      memlane_widget_style (self->families, "card"), NULL));
}
