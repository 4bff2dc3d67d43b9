/* runs-panel.c: the Runs list: show, hide, rename, compare, delete
 *
 * SPDX-License-Identifier: MIT
 */
#include "runs-panel.h"

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "model/fields.h"
#include "model/sentence.h"
#include "parts/template.h"
#include "parts/widgets.h"

#define TEMPLATE(name) "/io/github/memlane/Memlane/" name ".ui"

/* --- a row ------------------------------------------------------------------------------------ */

G_DECLARE_FINAL_TYPE (MemlaneRunRow, memlane_run_row, MEMLANE, RUN_ROW, GtkListBoxRow)

struct _MemlaneRunRow
{
  GtkListBoxRow parent_instance;
  MemlaneRunStore *runs;  /* (owned) */
  MemlaneViewModel *view; /* (owned) */
  MemlaneRunItem *item;
  GtkWidget *check, *texts, *name, *subtitle, *menu_button;
  /* (nullable): from the first renaming on */
  GtkWidget *entry;
  GtkWidget *measuring, *loading, *problem;               /* (nullable): while it is so */
  GMenu *others, *removal; /* (nullable): the parts of the menu that change */
  gboolean editing, updating;
};

G_DEFINE_FINAL_TYPE (MemlaneRunRow, memlane_run_row, GTK_TYPE_LIST_BOX_ROW)

/* --- what is shown ---------------------------------------------------------------------------- */

static gboolean
can_remove (MemlaneRunItem *item)
{
  MemlaneRunKind kind = item->kind;

  return kind == MEMLANE_RUN_KEPT || kind == MEMLANE_RUN_OPENED;
}

/* A line below the others, by its id in run-parts.ui, or no such line. */
static GtkWidget *
show_line (MemlaneRunRow *self, GtkWidget **line, gboolean wanted, const char *id)
{
  g_autoptr (GtkBuilder) builder = NULL;

  if (wanted && *line == NULL)
    {
      builder = gtk_builder_new ();
      (void) gtk_builder_add_objects_from_resource (builder, TEMPLATE ("run-parts"),
                                                    (const char *[]){ id, NULL }, NULL);
      gtk_box_append (GTK_BOX (self->texts),
                      *line = GTK_WIDGET (gtk_builder_get_object (builder, id)));
    }
  else if (!wanted && *line != NULL)
    {
      gtk_box_remove (GTK_BOX (self->texts), *line);
      *line = NULL;
    }
  return *line;
}

static void
update_name (MemlaneRunRow *self)
{
  const char *name = memlane_run_item_get_name (self->item);
  g_autofree char *menu = g_strdup_printf (_("Menu of %s"), name);

  memlane_accessible_set_name (GTK_WIDGET (self), name);
  gtk_label_set_label (GTK_LABEL (self->name), name);
  gtk_widget_set_tooltip_text (self->name, name);
  memlane_accessible_set_name (self->check, name);
  memlane_accessible_name_icon (self->menu_button, menu);
}

/* (transfer full) */
static char *
name_without_curves (MemlaneRunRow *self, const char *subtitle)
{
  const MemlaneWorkload *shown = self->view->workload;

  /* Translators: a run has nothing of the workload that is shown; then what is known of it */
  return g_strdup_printf (_("No %s · %s"), g_dgettext (GETTEXT_PACKAGE, shown->title),
                          subtitle != NULL ? subtitle : "");
}

/* Updates the visible texts. */
static void
update_texts (MemlaneRunRow *self, const char *subtitle, const char *problem, gboolean curves)
{
  memlane_widget_set_class (self->name, "dim-label", !curves);
  self->updating = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), self->item->shown);
  self->updating = FALSE;
  gtk_label_set_label (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->subtitle, subtitle != NULL && *subtitle != '\0');
  show_line (self, &self->measuring, self->item->kind == MEMLANE_RUN_LIVE, "measuring");
  show_line (self, &self->loading, self->item->loading, "loading");
  if (show_line (self, &self->problem, problem != NULL, "problem") != NULL)
    gtk_label_set_label (GTK_LABEL (self->problem), problem);
  memlane_accessible_set_description (self->check, problem != NULL ? problem : subtitle);
}

static void
update (MemlaneRunRow *self)
{
  g_autofree char *problem = memlane_sentence_new (self->item->problem);
  const char *subtitle = self->item->subtitle;
  gboolean curves = memlane_view_model_has_curves (self->view, self->item);
  g_autofree char *without = curves ? NULL : name_without_curves (self, subtitle);
  g_autofree char *pinned = NULL;
  gboolean loading = self->item->loading;

  if (without != NULL)
    subtitle = without;
  if (self->item->pinned)
    /* Translators: before what is known of a run that stays shown when a new one is measured */
    subtitle = pinned = g_strdup_printf (_("Pinned · %s"), subtitle != NULL ? subtitle : "");
  update_texts (self, subtitle, problem, curves);
  memlane_accessible_set_description (GTK_WIDGET (self), problem != NULL ? problem : subtitle);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.remove", can_remove (self->item));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.export", !loading && problem == NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.compare", !loading && problem == NULL);
}

static void
notify_cb (MemlaneRunRow *self, GParamSpec *property)
{
  (g_str_equal (property->name, "name") ? update_name : update) (self);
}

static void
toggled_cb (MemlaneRunRow *self)
{
  if (!self->updating)
    memlane_run_item_set_shown (self->item,
                                gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check)));
}

/* --- name ------------------------------------------------------------------------------------- */

/* Two runs may have one name, but not one id; a run that was not read yet has only its name. */
static const char *
get_handle (MemlaneRunItem *item)
{
  const MemlaneRun *run = item->run;

  return run != NULL ? run->id : memlane_run_item_get_name (item);
}

/* It, or the name in its place. */
static void
show_entry (MemlaneRunRow *self, gboolean shown)
{
  gtk_widget_set_visible (self->entry, shown);
  gtk_widget_set_visible (self->name, !shown);
}

static void
end_editing (MemlaneRunRow *self, gboolean keep)
{
  g_autofree char *text = NULL;

  if (!self->editing)
    return;
  self->editing = FALSE; /* first: hiding the entry takes its focus away, which ends editing too */
  text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  show_entry (self, FALSE);
  if (keep && g_strcmp0 (text, memlane_run_item_get_name (self->item)) != 0)
    memlane_run_item_set_name (self->item, text);
}

static void
entry_activate_cb (MemlaneRunRow *self)
{
  end_editing (self, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static gboolean
entry_key_cb (MemlaneRunRow *self, guint keyval)
{
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  end_editing (self, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  return GDK_EVENT_STOP;
}

static void
entry_leave_cb (MemlaneRunRow *self)
{
  end_editing (self, TRUE);
}

static void
make_entry (MemlaneRunRow *self)
{
  GtkEventController *key = gtk_event_controller_key_new (),
                     *focus = gtk_event_controller_focus_new ();

  show_line (self, &self->entry, TRUE, "entry");
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activate_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { key, "key-pressed", G_CALLBACK (entry_key_cb) },
    { focus, "leave", G_CALLBACK (entry_leave_cb) },
    { NULL },
  });
  gtk_widget_add_controller (self->entry, key);
  gtk_widget_add_controller (self->entry, focus);
  gtk_box_reorder_child_after (GTK_BOX (self->texts), self->entry, self->name);
}

static void
rename_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneRunRow *self = MEMLANE_RUN_ROW (widget);

  if (self->entry == NULL)
    make_entry (self);
  self->editing = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), memlane_run_item_get_name (self->item));
  show_entry (self, TRUE);
  gtk_widget_grab_focus (self->entry);
}

/* --- the other actions ------------------------------------------------------------------------ */

static void
toggle_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneRunRow *self = MEMLANE_RUN_ROW (widget);

  memlane_run_item_set_shown (self->item, !self->item->shown);
}

static void
pin_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneRunItem *item = MEMLANE_RUN_ROW (widget)->item;

  memlane_run_item_set_pinned (item, !item->pinned);
}

static void
export_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "win.export-run", "s",
                              get_handle (MEMLANE_RUN_ROW (widget)->item));
}

/* Exactly these two, since the ratio is of the first two that are shown. */
static void
compare_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneRunRow *self = MEMLANE_RUN_ROW (widget);
  MemlaneRunItem *other =
      memlane_run_store_find (self->runs, g_variant_get_string (parameter, NULL));

  if (other == NULL || other == self->item)
    return;
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, self->runs)
    memlane_run_item_set_shown (item, item == self->item || item == other);
  gtk_widget_activate_action (widget, "win.page", "s", "compare");
}

static void
remove_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneRunRow *self = MEMLANE_RUN_ROW (widget);
  /* A run that was opened is a file of the person's, which stays where it is. */
  g_autofree char *told = g_strdup_printf (self->item->kind == MEMLANE_RUN_OPENED
                                               ? _("Removed “%s” from the list. Its file stays.")
                                               : _("Deleted “%s”"),
                                           memlane_run_item_get_name (self->item));
  g_autoptr (MemlaneRunStore) runs = g_object_ref (self->runs);
  g_autoptr (GtkWidget) list = NULL;
  g_autoptr (GError) error = NULL;
  GtkListBoxRow *next;
  int place = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (self));

  if (!can_remove (self->item))
    return;
  g_set_object (&list, gtk_widget_get_parent (widget));
  if (!memlane_run_store_remove (runs, self->item, &error))
    {
      memlane_say_notice (runs, TRUE, "%s", error->message);
      return;
    }
  if (!GTK_IS_LIST_BOX (list))
    return;
  /* The row is gone; the keyboard stays in the list. */
  next = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), place);
  if (next == NULL && place > 0)
    next = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), place - 1);
  if (next != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (next));
  gtk_widget_activate_action (list, "win.run-removed", "s", told);
}

static gboolean
delete_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return gtk_widget_activate_action (widget, "run.remove", NULL);
}

/* --- menu ------------------------------------------------------------------------------------- */

static void
fill_others (MemlaneRunRow *self)
{
  g_menu_remove_all (self->others);
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, other, self->runs)
    {
      g_autoptr (GMenuItem) entry = NULL;

      if (other == self->item || other->problem != NULL)
        continue;
      entry = g_menu_item_new (memlane_run_item_get_name (other), NULL);
      g_menu_item_set_action_and_target (entry, "run.compare", "s", get_handle (other));
      g_menu_append_item (self->others, entry);
    }
  /* An entry without an action is insensitive. */
  if (g_menu_model_get_n_items (G_MENU_MODEL (self->others)) == 0)
    g_menu_append (self->others, _("No other run"), NULL);
}

/* The menu itself stays the same: with a new model comes a new popover, and GTK 4.8 warns when that
 * one is shown at once over a pointer at rest; it warns, too, when a submenu comes again under its
 * own name. It is made when the pointer or the focus comes, for it is most of what a row weighs,
 * and most rows are only looked at. */
static void
make_menu (MemlaneRunRow *self)
{
  g_autoptr (GtkBuilder) builder = NULL;

  if (self->others != NULL)
    return;
  builder = gtk_builder_new_from_resource (TEMPLATE ("run-menu"));
  g_set_object (&self->others, G_MENU (gtk_builder_get_object (builder, "others")));
  g_set_object (&self->removal, G_MENU (gtk_builder_get_object (builder, "removal")));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu_button),
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "menu")));
}

/* Fills the changing parts anew each time: the other runs, and whether this one can go. */
static void
fill_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  MemlaneRunRow *self = user_data;

  make_menu (self);
  fill_others (self);
  g_menu_remove_all (self->removal);
  if (self->item->kind == MEMLANE_RUN_KEPT)
    g_menu_append (self->removal,
                   self->item->pinned ? C_ ("run", "Unpin")
                                      : C_ ("run", "Pin: Stays Beside New Runs"),
                   "run.pin");
  if (can_remove (self->item))
    g_menu_append (self->removal,
                   self->item->kind == MEMLANE_RUN_OPENED ? C_ ("run", "Close")
                                                          : C_ ("run", "Delete"),
                   "run.remove");
}

static void
memlane_run_row_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  if (gtk_widget_get_state_flags (widget) & (GTK_STATE_FLAG_PRELIGHT | GTK_STATE_FLAG_FOCUS_WITHIN))
    make_menu (MEMLANE_RUN_ROW (widget));
  GTK_WIDGET_CLASS (memlane_run_row_parent_class)->state_flags_changed (widget, before);
}

static void
menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (MEMLANE_RUN_ROW (widget)->menu_button));
}

/* --- life ------------------------------------------------------------------------------------- */

static GtkWidget *
row_new (MemlaneRunStore *runs, MemlaneViewModel *view, MemlaneRunItem *item)
{
  MemlaneRunRow *self = g_object_new (memlane_run_row_get_type (), NULL);

  self->runs = g_object_ref (runs);
  self->view = g_object_ref (view);
  self->item = g_object_ref (item);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { item, "notify", G_CALLBACK (notify_cb) },
    { view, "notify::shown-workload", G_CALLBACK (update) },
    { NULL },
  });
  update_name (self);
  update (self);
  return GTK_WIDGET (self);
}

/* A row that goes writes nothing any more. */
MEMLANE_DEFINE_RELEASE (MemlaneRunRow, memlane_run_row, dispose, self->editing = FALSE;
                        g_signal_handlers_disconnect_by_data (self->item, self);
                        g_signal_handlers_disconnect_by_data (self->view, self);)

MEMLANE_DEFINE_RELEASE (MemlaneRunRow, memlane_run_row, finalize,
                        OWNS (runs, g_object_unref) OWNS (view, g_object_unref)
                        OWNS (item, g_object_unref) OWNS (others, g_object_unref)
                        OWNS (removal, g_object_unref))

static void
install_actions (GtkWidgetClass *widget_class)
{
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "run.toggle", NULL, toggle_action },
    { "run.rename", NULL, rename_action },
    { "run.pin", NULL, pin_action },
    { "run.export", NULL, export_action },
    { "run.compare", "s", compare_action },
    { "run.remove", NULL, remove_action },
    { "run.menu", NULL, menu_action },
    { NULL },
  });
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "run.rename", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "run.remove", NULL);
  /* by name, the menu would show this key */
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Delete, 0, delete_key_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "run.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "run.menu", NULL);
}

static void
memlane_run_row_class_init (MemlaneRunRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->state_flags_changed = memlane_run_row_state_flags_changed;
  gtk_widget_class_set_template_from_resource (widget_class, TEMPLATE ("run-row"));
  MEMLANE_BIND_CHILDREN (MemlaneRunRow, check, texts, name, subtitle, menu_button);
  MEMLANE_BIND_CALLBACKS (toggled_cb);
  install_actions (widget_class);
}

static void
memlane_run_row_init (MemlaneRunRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->menu_button), fill_menu_cb, self,
                                         NULL);
}

/* --- the panel -------------------------------------------------------------------------------- */

struct _MemlaneRunsPanel
{
  AdwBin parent_instance;
  MemlaneRunStore *runs;  /* (owned) */
  MemlaneViewModel *view; /* (owned) */
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (MemlaneRunsPanel, memlane_runs_panel, ADW_TYPE_BIN)

static GtkWidget *
create_row_cb (gpointer item, gpointer user_data)
{
  MemlaneRunsPanel *self = user_data;

  return row_new (self->runs, self->view, item);
}

/* One for all rows. */
static void
secondary_click_cb (MemlaneRunsPanel *self, int n, double x, double y)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->list), (int) y);

  if (row != NULL)
    gtk_widget_activate_action (GTK_WIDGET (row), "run.menu", NULL);
}

GtkWidget *
memlane_runs_panel_new (MemlaneRunStore *runs, MemlaneViewModel *view)
{
  MemlaneRunsPanel *self = g_object_new (MEMLANE_TYPE_RUNS_PANEL, NULL);

  self->runs = g_object_ref (runs);
  self->view = g_object_ref (view);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), G_LIST_MODEL (runs), create_row_cb, self,
                           NULL);
  return GTK_WIDGET (self);
}

static void
memlane_runs_panel_dispose (GObject *object)
{
  MemlaneRunsPanel *self = MEMLANE_RUNS_PANEL (object);

  if (self->runs != NULL)
    /* no row is made for a panel that goes */
    gtk_list_box_bind_model (GTK_LIST_BOX (self->list), NULL, NULL, NULL, NULL);
  g_clear_object (&self->runs);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (memlane_runs_panel_parent_class)->dispose (object);
}

static void
memlane_runs_panel_class_init (MemlaneRunsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = memlane_runs_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, TEMPLATE ("runs-panel"));
  MEMLANE_BIND_CHILDREN (MemlaneRunsPanel, list);
  MEMLANE_BIND_CALLBACKS (secondary_click_cb);
}

static void
memlane_runs_panel_init (MemlaneRunsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
