/* mode-choice.c: all modes by family, ticked together or one by one, and what each one is
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-choice.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "code-dialog.h"
#include "model/fields.h"
#include "model/sentence.h"
#include "parts/mode-swatch.h"
#include "parts/template.h"
#include "parts/widgets.h"

#define TEMPLATE(name) "/io/github/memlane/Memlane/" name ".ui"
#define PART(builder, id) GTK_WIDGET (gtk_builder_get_object (builder, id))

/* One line: a family with several modes, or a mode. */
typedef struct
{
  MemlaneModeChoice *choice;
  const MemlaneMode *mode; /* of a family the first one */
  GtkWidget *check;
  GtkWidget *button;  /* opens the family, or says what the mode is */
  GtkWidget *members; /* of a family, (nullable): so is the next one */
  GtkWidget *count;
  GtkWidget *reason;  /* (nullable) of a mode: why it cannot be ticked */
} Line;

struct _MemlaneModeChoice
{
  AdwBin parent_instance;
  MemlaneModeSet *modes;        /* (owned) */
  MemlanePlanModel *plan;       /* (owned) */
  MemlaneViewModel *view;       /* (owned) (nullable), or else the next one */
  MemlaneDeviceChoice *devices; /* (owned) (nullable) */
  GtkWidget *heading, *families;
  GPtrArray *lines;             /* (element-type Line): from top to bottom */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (MemlaneModeChoice, memlane_mode_choice, ADW_TYPE_BIN)

/* --- what is ticked --------------------------------------------------------------------------- */

/* Modes that the device cannot run, or that the shown workload lacks, are not ticked, even where
 * they are among the chosen ones: another device will measure them, another workload shows them. */
static const char *
get_objection (MemlaneModeChoice *self, const MemlaneMode *mode)
{
  g_autofree char *reason = NULL;

  if (self->view != NULL)
    {
      (void) memlane_workload_is_supported (self->view->workload, mode, NULL, &reason);
      return g_intern_string (reason); /* there are few */
    }
  return memlane_device_choice_get_mode_objection (self->devices, self->plan->workload, mode->id);
}

static void
update_family (MemlaneModeChoice *self, const Line *line)
{
  guint able = 0, ticked = 0;
  g_autofree char *count = NULL, *spoken = NULL;

  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if (mode->family == line->mode->family && get_objection (self, mode) == NULL)
      {
        able++;
        ticked += memlane_mode_set_has (self->modes, mode->id);
      }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (line->check), able > 0 && ticked == able);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (line->check), ticked > 0 && ticked < able);
  gtk_widget_set_sensitive (line->check, able > 0);
  gtk_widget_set_visible (gtk_widget_get_parent (line->check), self->view == NULL || able > 0);
  /* Translators: so many modes of a family are ticked, of so many */
  count = ticked == able ? g_strdup_printf ("%u", able)
                         : g_strdup_printf (_("%u of %u"), ticked, able);
  gtk_label_set_label (GTK_LABEL (line->count), count);
  spoken = g_strdup_printf (ngettext ("%u of %u mode", "%u of %u modes", able), ticked, able);
  memlane_accessible_set_description (line->check, spoken);
}

static void
update_mode (MemlaneModeChoice *self, const Line *line)
{
  const char *objection = get_objection (self, line->mode);
  g_autofree char *sentence = objection != NULL
                                  ? memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, objection))
                                  : NULL;

  gtk_check_button_set_active (GTK_CHECK_BUTTON (line->check),
                               objection == NULL
                                   && memlane_mode_set_has (self->modes, line->mode->id));
  gtk_widget_set_sensitive (line->check, objection == NULL);
  gtk_widget_set_visible (gtk_widget_get_parent (line->check),
                          self->view == NULL || objection == NULL);
  gtk_widget_set_visible (line->reason, objection != NULL);
  gtk_label_set_label (GTK_LABEL (line->reason), sentence != NULL ? sentence : "");
  gtk_widget_set_tooltip_text (line->check, sentence);
  memlane_accessible_set_description (line->check, sentence);
}

static void
update (MemlaneModeChoice *self)
{
  self->updating = TRUE;
  MEMLANE_FOR_EACH (const Line, line, self->lines)
    (line->members != NULL ? update_family : update_mode) (self, line);
  self->updating = FALSE;
}

/* A family goes from some of its modes to all. */
static void
toggled_cb (GtkCheckButton *check, Line *line)
{
  MemlaneModeChoice *self = line->choice;
  gboolean ticked = gtk_check_button_get_inconsistent (check)
                    || gtk_check_button_get_active (check);

  if (self->updating)
    return;
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if (line->members != NULL ? mode->family == line->mode->family
        && get_objection (self, mode) == NULL : mode == line->mode)
      memlane_mode_set_put (self->modes, mode->id, ticked);
  update (self); /* the box shows what is, also where nothing changed */
}

static void
all_cb (MemlaneModeChoice *self)
{
  memlane_mode_set_put_all (self->modes, TRUE);
}

/* After unticking all, people pick single modes: open the families. */
static void
none_cb (MemlaneModeChoice *self)
{
  memlane_mode_set_put_all (self->modes, FALSE);
  MEMLANE_FOR_EACH (const Line, line, self->lines)
    if (line->members != NULL)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (line->button), TRUE);
}

/* --- what a mode is: the popover behind (i) --------------------------------------------------- */

static void
copy_cb (GtkButton *button, Line *line)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), line->mode->calls);
  gtk_button_set_label (button, _("Copied"));
}

/* "Copied" is true until the popover is closed. */
static void
closed_cb (GtkButton *copy)
{
  gtk_button_set_label (copy, _("Copy"));
}

/* The popover goes first: it would keep the keyboard from the window that comes. */
static void
code_cb (GtkWidget *button, Line *line)
{
  GtkRoot *root = gtk_widget_get_root (button);

  gtk_menu_button_popdown (GTK_MENU_BUTTON (line->button));
  gtk_window_present (GTK_WINDOW (memlane_code_dialog_new (GTK_WINDOW (root), line->mode)));
}

/* Twenty popovers would be made at every start for the one that is read. */
static void
create_info_cb (GtkMenuButton *button, gpointer data)
{
  const MemlaneMode *mode = ((Line *) data)->mode;
  const struct
  {
    const char *id, *text;
  } texts[] = { { "title", g_dgettext (GETTEXT_PACKAGE, mode->title) },
                { "summary", g_dgettext (GETTEXT_PACKAGE, mode->summary) },
                { "calls", mode->calls },
                { "look_for", g_dgettext (GETTEXT_PACKAGE, mode->look_for) } };
  g_autoptr (GtkBuilder) builder = NULL;

  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  builder = gtk_builder_new_from_resource (TEMPLATE ("mode-info"));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    gtk_label_set_label (GTK_LABEL (PART (builder, texts[i].id)), texts[i].text);
  memlane_accessible_set_name (PART (builder, "info"), texts[0].text);
  g_signal_connect (PART (builder, "copy_button"), "clicked", G_CALLBACK (copy_cb), data);
  g_signal_connect (PART (builder, "code_button"), "clicked", G_CALLBACK (code_cb), data);
  g_signal_connect_object (PART (builder, "info"), "closed", G_CALLBACK (closed_cb),
                           PART (builder, "copy_button"), G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, PART (builder, "info"));
}

/* --- the lines -------------------------------------------------------------------------------- */

static void
opened_cb (GtkToggleButton *button)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), gtk_toggle_button_get_active (button)
                                                     ? "pan-down-symbolic"
                                                     : "pan-end-symbolic");
}

/* A line at the end of @box, made of @template. @about: of its button. */
static Line *
add_line (MemlaneModeChoice *self, GtkWidget *box, const char *template, const MemlaneMode *mode,
          const char *title, const char *about)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (template);
  Line *line = g_new (Line, 1);

  *line = (Line) { self,
                  mode,
                  PART (builder, "check"),
                  PART (builder, "button"),
                  PART (builder, "members"),
                  PART (builder, "count"),
                  PART (builder, "reason") };
  g_ptr_array_add (self->lines, line);
  gtk_widget_set_name (PART (builder, "row"), mode->id);
  gtk_label_set_label (GTK_LABEL (PART (builder, "title")), title);
  memlane_mode_swatch_set_mode (MEMLANE_MODE_SWATCH (PART (builder, "swatch")), mode->id);
  memlane_accessible_set_name (line->check, title);
  memlane_accessible_name_icon (line->button, about);
  g_signal_connect (line->check, "toggled", G_CALLBACK (toggled_cb), line);
  gtk_box_append (GTK_BOX (box), PART (builder, "row"));
  if (line->members != NULL)
    gtk_box_append (GTK_BOX (box), line->members);
  return line;
}

static void
add_mode (MemlaneModeChoice *self, GtkWidget *box, const MemlaneMode *mode)
{
  const char *title = g_dgettext (GETTEXT_PACKAGE, mode->title);
  g_autofree char *about = g_strdup_printf (_("About %s"), title);
  Line *line = add_line (self, box, TEMPLATE ("mode-row"), mode, title, about);

  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (line->button), create_info_cb, line,
                                         NULL);
}

static void
add_family (MemlaneModeChoice *self, const MemlaneMode *first)
{
  guint count = 0;
  const char *title = g_dgettext (GETTEXT_PACKAGE, memlane_family_title (first->family));
  g_autofree char *about = g_strdup_printf (_("Modes of %s"), title), *name = NULL;
  GtkWidget *members = self->families;

  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    count += mode->family == first->family;
  if (count > 1)
    {
      Line *line = add_line (self, self->families, TEMPLATE ("mode-family"), first, title, about);

      name = g_strconcat ("family-", memlane_family_id (first->family), NULL);
      gtk_widget_set_name (gtk_widget_get_parent (line->check), name);
      g_signal_connect (line->button, "notify::active", G_CALLBACK (opened_cb), NULL);
      members = line->members;
    }
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if (mode->family == first->family)
      add_mode (self, members, mode);
}

void
memlane_mode_choice_follow (MemlaneModeChoice *self, MemlaneModeSet *chosen, MemlanePlanModel *plan,
                            MemlaneViewModel *view, MemlaneDeviceChoice *devices)
{
  guint known = 0;

  self->modes = g_object_ref (chosen);
  self->plan = g_object_ref (plan);
  g_set_object (&self->view, view);
  g_set_object (&self->devices, devices);
  gtk_label_set_label (GTK_LABEL (self->heading), devices != NULL ? _("Modes") : _("Curves"));
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if ((known & (1u << mode->family)) == 0)
      {
        known |= 1u << mode->family;
        add_family (self, mode);
      }
  g_signal_connect_object (chosen, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (view != NULL)
    g_signal_connect_object (view, "notify::shown-workload", G_CALLBACK (update), self,
                             G_CONNECT_SWAPPED);
  else
    {
      memlane_follow (self, (const MemlaneFollowed[]) {
        { plan, "notify::workload", G_CALLBACK (update) },
        { devices, "changed", G_CALLBACK (update) },
        { NULL },
      });
    }
  update (self);
}

/* --- arrow keys: Tab alone would stop forty times on the way through the list ----------------- */

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static void
move_action (GtkWidget *choice, const char *action, GVariant *parameter)
{
  MemlaneModeChoice *self = MEMLANE_MODE_CHOICE (choice);
  gboolean in_button = FALSE;
  int at = -1, step = g_str_equal (action, "mode.next") ? 1 : -1;

  for (guint i = 0; i < self->lines->len && at < 0; i++)
    {
      const Line *line = self->lines->pdata[i];

      in_button = has_focus (line->button);
      if (in_button || has_focus (line->check))
        at = (int) i;
    }
  for (int i = at + step; at >= 0 && i >= 0 && i < (int) self->lines->len; i += step)
    {
      const Line *line = self->lines->pdata[i];
      GtkWidget *widget = in_button ? line->button : line->check;

      if (gtk_widget_get_mapped (widget) && gtk_widget_grab_focus (widget))
        return;
    }
  gtk_widget_error_bell (choice);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneModeChoice, memlane_mode_choice, dispose,
                        g_ptr_array_set_size (self->lines, 0);)

MEMLANE_DEFINE_RELEASE (MemlaneModeChoice, memlane_mode_choice, finalize,
                        OWNS (modes, g_object_unref) OWNS (plan, g_object_unref)
                            OWNS (view, g_object_unref) OWNS (devices, g_object_unref)
                                OWNS (lines, g_ptr_array_unref))

static void
memlane_mode_choice_class_init (MemlaneModeChoiceClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  g_type_ensure (MEMLANE_TYPE_MODE_SWATCH);
  gtk_widget_class_set_template_from_resource (widget_class, TEMPLATE ("mode-choice"));
  MEMLANE_BIND_CHILDREN (MemlaneModeChoice, heading, families);
  MEMLANE_BIND_CALLBACKS (all_cb, none_cb);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "mode.next", NULL, move_action },
    { "mode.previous", NULL, move_action },
    { NULL },
  });
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, 0, "mode.next", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, 0, "mode.previous", NULL);
}

static void
memlane_mode_choice_init (MemlaneModeChoice *self)
{
  self->lines = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}
