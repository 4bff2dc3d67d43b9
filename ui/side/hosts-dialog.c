/* hosts-dialog.c: the machines that can measure: added, changed, tested, removed
 *
 * SPDX-License-Identifier: MIT
 *
 * What is tested is what is saved, so each change is saved at once.
 */
#include "hosts-dialog.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "memlane.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

struct _MemlaneHostsDialog
{
  AdwPreferencesWindow parent_instance;

  MemlaneBench *bench;          /* (owned) */
  MemlaneDeviceChoice *devices; /* (owned) */
  GPtrArray *hosts;        /* (element-type MemlaneHost); NULL: the file is refused */
  GCancellable *cancellable;
  gboolean changed;
  gboolean has_own_command; /* the person wrote it, so it does not follow the name */
  gboolean following;       /* it is being written for the person */
  AdwPreferencesGroup *saved, *adding;
  GtkListBox *list;
  AdwEntryRow *name, *command;
  GtkLabel *trouble;
  GtkWidget *add;
};

G_DEFINE_FINAL_TYPE (MemlaneHostsDialog, memlane_hosts_dialog, ADW_TYPE_PREFERENCES_WINDOW)

static void
say (MemlaneHostsDialog *self, const char *sentence)
{
  g_autofree char *title = g_markup_escape_text (sentence, -1);

  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (self), adw_toast_new (title));
}

static gboolean
save (MemlaneHostsDialog *self)
{
  g_autoptr (GError) error = NULL;

  self->changed = TRUE;
  if (memlane_hosts_write (self->hosts, &error))
    return TRUE;
  say (self, error->message);
  return FALSE;
}

/* The place of the host of that name, or -1. */
static int
find_host (MemlaneHostsDialog *self, const char *name)
{
  for (guint i = 0; i < self->hosts->len; i++)
    if (strcmp (((MemlaneHost *) self->hosts->pdata[i])->name, name) == 0)
      return (int) i;
  return -1;
}

/* Shows the entry in red and the sentence below it. NULL: all is well. */
static void
mark (MemlaneHostsDialog *self, AdwEntryRow *entry, const char *sentence)
{
  memlane_widget_set_class (GTK_WIDGET (entry), "error", sentence != NULL);
  gtk_label_set_text (self->trouble, sentence != NULL ? sentence : "");
  memlane_accessible_set_description (GTK_WIDGET (entry), sentence);
}

/* --- a saved host: its command, Test and Remove, and below them what the test said -------------------------------------------------- */

static GtkWidget *
get_part (GtkWidget *row, const char *part)
{
  return g_object_get_data (G_OBJECT (row), part);
}

static void
set_result (GtkWidget *row, const char *sentence, gboolean trouble, gboolean asking)
{
  GtkWidget *result = get_part (row, "result"), *spinner = get_part (row, "spinner");

  gtk_label_set_text (GTK_LABEL (result), sentence);
  gtk_widget_set_visible (get_part (row, "result-row"), *sentence != '\0');
  memlane_accessible_set_name (get_part (row, "result-row"), *sentence != '\0' ? sentence : gtk_widget_get_name (row));
  gtk_widget_set_visible (spinner, asking);
  gtk_spinner_set_spinning (GTK_SPINNER (spinner), asking);
  memlane_widget_set_class (result, "error", trouble);
  gtk_widget_set_sensitive (get_part (row, "test"), !asking);
}

/* "2 devices: NVIDIA H200, Simulated H200", or why there is none. */
static void
show_devices (GtkWidget *row, GPtrArray *listings)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *sentence = NULL;
  const char *reason = NULL;
  guint n = 0;

  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    {
      if (listing->reason != NULL)
        {
          reason = listing->reason;
          continue;
        }
      if (n++ < 4)
        g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", listing->name);
      else if (n == 5)
        g_string_append (names, ", …");
    }
  if (n == 0)
    sentence = g_strdup (reason != NULL ? reason : _("No devices there"));
  else
    /* Translators: %s are their names */
    sentence = g_strdup_printf (ngettext ("%u device: %s", "%u devices: %s", n), n, names->str);
  set_result (row, sentence, n == 0, FALSE);
}

static void
tested_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) row = user_data;
  g_autoptr (GPtrArray) listings = g_task_propagate_pointer (G_TASK (result), NULL);

  if (gtk_widget_get_root (row) == NULL)
    return; /* it was removed, or the dialog closed */
  if (listings != NULL)
    show_devices (row, listings);
  else
    set_result (row, "", FALSE, FALSE);
}

static MemlaneHostsDialog *
get_dialog (GtkWidget *row)
{
  return MEMLANE_HOSTS_DIALOG (gtk_widget_get_root (row));
}

/* FALSE: what is written is no command; that is said. */
static gboolean
take_command (GtkWidget *row)
{
  MemlaneHostsDialog *self = get_dialog (row);
  const char *name = gtk_widget_get_name (row), *command = gtk_editable_get_text (GTK_EDITABLE (row));
  int at = find_host (self, name);
  g_autoptr (GError) error = NULL;
  MemlaneHost *host;

  if (strcmp (((MemlaneHost *) self->hosts->pdata[at])->command, command) == 0)
    return TRUE;
  host = memlane_host_new (name, command, &error);
  if (host == NULL)
    {
      gtk_widget_add_css_class (row, "error");
      set_result (row, error->message, TRUE, FALSE);
      return FALSE;
    }
  gtk_widget_remove_css_class (row, "error");
  set_result (row, "", FALSE, FALSE);
  memlane_host_free (self->hosts->pdata[at]);
  self->hosts->pdata[at] = host;
  return save (self);
}

static void
apply_cb (GtkWidget *row)
{
  (void) take_command (row);
}

static void
test_cb (GtkWidget *row)
{
  MemlaneHostsDialog *self = get_dialog (row);
  g_autofree char *asking = NULL;

  if (!take_command (row))
    return;
  if (memlane_bench_is_running (self->bench))
    {
      set_result (row, _("Testing would disturb what is being measured: wait for its end, or stop it"), TRUE, FALSE);
      return;
    }
  asking = g_strdup_printf (_("Asking %s…"), gtk_widget_get_name (row));
  set_result (row, asking, FALSE, TRUE);
  memlane_devices_list_async (gtk_widget_get_name (row), self->cancellable, tested_cb, g_object_ref (row));
}

static void
remove_cb (GtkWidget *row)
{
  MemlaneHostsDialog *self = get_dialog (row);

  g_ptr_array_remove_index (self->hosts, (guint) find_host (self, gtk_widget_get_name (row)));
  gtk_widget_grab_focus (GTK_WIDGET (self->name)); /* what has the focus goes */
  gtk_list_box_remove (self->list, get_part (row, "result-row"));
  gtk_list_box_remove (self->list, row);
  (void) save (self);
}

static void
add_row (MemlaneHostsDialog *self, MemlaneHost *host)
{
  static const char *const parts[] = { "test", "remove", "result", "spinner", "result-row" };
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/memlane/Memlane/host-row.ui");
  GtkWidget *row = GTK_WIDGET (gtk_builder_get_object (builder, "row"));
  /* Translators: %s is a host */
  g_autofree char *test = g_strdup_printf (_("Test %s"), host->name), *removal = g_strdup_printf (_("Remove %s"), host->name);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_object_set_data (G_OBJECT (row), parts[i], gtk_builder_get_object (builder, parts[i]));
  gtk_widget_set_name (row, host->name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), host->name);
  gtk_editable_set_text (GTK_EDITABLE (row), host->command);
  memlane_accessible_set_name (get_part (row, "test"), test);
  memlane_accessible_set_name (get_part (row, "remove"), removal);
  g_signal_connect (row, "apply", G_CALLBACK (apply_cb), NULL);
  g_signal_connect_object (get_part (row, "test"), "clicked", G_CALLBACK (test_cb), row, G_CONNECT_SWAPPED);
  g_signal_connect_object (get_part (row, "remove"), "clicked", G_CALLBACK (remove_cb), row, G_CONNECT_SWAPPED);
  gtk_list_box_append (self->list, row);
  gtk_list_box_append (self->list, get_part (row, "result-row"));
  set_result (row, "", FALSE, FALSE);
}

/* --- one more ------------------------------------------------------------------------------------------------------------------------ */

static void
clear_marks (MemlaneHostsDialog *self)
{
  mark (self, self->name, NULL);
  mark (self, self->command, NULL);
}

/* The usual command follows the name until the person writes another one. */
static void
name_changed_cb (MemlaneHostsDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name));
  g_autofree char *command = *name != '\0' ? g_strdup_printf ("ssh %s memlane-cli worker", name) : g_strdup ("");

  clear_marks (self);
  if (self->has_own_command)
    return;
  self->following = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->command), command);
  self->following = FALSE;
}

static void
command_changed_cb (MemlaneHostsDialog *self)
{
  clear_marks (self);
  if (!self->following)
    self->has_own_command = *gtk_editable_get_text (GTK_EDITABLE (self->command)) != '\0';
}

static void
refuse (MemlaneHostsDialog *self, AdwEntryRow *entry, const char *sentence)
{
  mark (self, entry, sentence);
  gtk_widget_grab_focus (GTK_WIDGET (entry));
}

static void
add_cb (MemlaneHostsDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name)), *command = gtk_editable_get_text (GTK_EDITABLE (self->command));
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneHost) named = memlane_host_new (name, "true", &error);
  MemlaneHost *host;

  clear_marks (self);
  if (named == NULL)
    refuse (self, self->name, error->message);
  else if (find_host (self, name) >= 0)
    refuse (self, self->name, _("There is a host of that name already: choose another name"));
  else if (self->hosts->len == MEMLANE_MOST_HOSTS)
    refuse (self, self->name, _("There are as many hosts as there can be: remove one first"));
  else if ((host = memlane_host_new (name, command, &error)) == NULL)
    refuse (self, self->command, error->message);
  else
    {
      g_ptr_array_add (self->hosts, host);
      add_row (self, host);
      (void) save (self);
      self->has_own_command = FALSE;
      gtk_editable_set_text (GTK_EDITABLE (self->name), "");
      gtk_widget_grab_focus (GTK_WIDGET (self->name));
    }
}

/* --- life ---------------------------------------------------------------------------------------------------------------------------- */

static void
memlane_hosts_dialog_dispose (GObject *object)
{
  MemlaneHostsDialog *self = MEMLANE_HOSTS_DIALOG (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->devices != NULL && self->changed)
    memlane_device_choice_look (self->devices);
  g_clear_object (&self->bench);
  g_clear_object (&self->devices);
  G_OBJECT_CLASS (memlane_hosts_dialog_parent_class)->dispose (object);
}

MEMLANE_DEFINE_RELEASE (MemlaneHostsDialog, memlane_hosts_dialog, finalize, OWNS (hosts, g_ptr_array_unref))

static void
memlane_hosts_dialog_class_init (MemlaneHostsDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = memlane_hosts_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/hosts-dialog.ui");
  MEMLANE_BIND_CHILDREN (MemlaneHostsDialog, saved, adding, list, name, command, trouble, add);
  MEMLANE_BIND_CALLBACKS (name_changed_cb, command_changed_cb, add_cb);
}

static void
memlane_hosts_dialog_init (MemlaneHostsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWindow *
memlane_hosts_dialog_new (GtkWindow *parent, MemlaneBench *bench, MemlaneDeviceChoice *devices)
{
  MemlaneHostsDialog *self = g_object_new (MEMLANE_TYPE_HOSTS_DIALOG, "transient-for", parent, NULL);
  g_autoptr (GError) error = NULL;

  self->bench = g_object_ref (bench);
  self->devices = g_object_ref (devices);
  self->cancellable = g_cancellable_new ();
  self->hosts = memlane_hosts_read (&error);
  for (guint i = 0; self->hosts != NULL && i < self->hosts->len; i++)
    add_row (self, self->hosts->pdata[i]);
  if (self->hosts == NULL)
    {
      /* It would be lost, were it written anew. */
      g_autofree char *escaped = g_markup_escape_text (error->message, -1);
      g_autofree char *sentence = g_strdup_printf (_("The file of hosts cannot be used. %s"), escaped);

      adw_preferences_group_set_description (self->saved, sentence);
      gtk_widget_set_sensitive (GTK_WIDGET (self->adding), FALSE);
    }
  return GTK_WINDOW (self);
}
