/* test-hosts-dialog.c: hosts added, tested, changed and removed by the keyboard, and the menu that lists their devices
 *
 * SPDX-License-Identifier: MIT
 *
 * The hosts are commands of this machine.
 */
#include "memlane.h"
#include "side/device-button.h"
#include "side/hosts-dialog.h"
#include "ui/panel-fixture.h"

typedef struct
{
  MemlaneModels *models;
  GtkWidget *button; /* (owned by the window) */
  GtkWindow *window, *dialog;
} Fixture;

static char *
get_command (void)
{
  return g_strdup_printf ("env '%s' worker", g_getenv ("MEMLANE_CLI"));
}

static void
open_dialog (Fixture *fixture)
{
  fixture->dialog = memlane_hosts_dialog_new (fixture->window, fixture->models->bench, fixture->models->devices);
  ui_test_present (fixture->dialog);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->models = panel_models_new ("runs");
  fixture->button = memlane_device_button_new (fixture->models->devices);
  gtk_widget_set_valign (fixture->button, GTK_ALIGN_START);
  fixture->window = ui_test_window_for (fixture->button, 400, 600);
  open_dialog (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  if (fixture->dialog != NULL)
    gtk_window_destroy (fixture->dialog);
  gtk_window_destroy (fixture->window);
  panel_models_free (fixture->models);
  g_assert_true (memlane_hosts_write (none, NULL));
}

static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->dialog), id);

  g_assert_nonnull (widget);
  return widget;
}

static void
write_in (Fixture *fixture, const char *id, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (get (fixture, id)), text);
}

static const char *
read_from (Fixture *fixture, const char *id)
{
  return gtk_editable_get_text (GTK_EDITABLE (get (fixture, id)));
}

static const char *
get_trouble (Fixture *fixture)
{
  return gtk_label_get_text (GTK_LABEL (get (fixture, "trouble")));
}

static void
add (Fixture *fixture, const char *name, const char *command)
{
  write_in (fixture, "name", name);
  if (command != NULL)
    write_in (fixture, "command", command);
  panel_press (get (fixture, "add"));
}

static guint
count_saved (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hosts = memlane_hosts_read (&error);

  g_assert_no_error (error);
  return hosts->len;
}

/* (transfer full) */
static char *
read_saved (guint at)
{
  g_autoptr (GPtrArray) hosts = memlane_hosts_read (NULL);

  g_assert_cmpuint (at, <, hosts->len);
  return g_strdup (((MemlaneHost *) hosts->pdata[at])->command);
}

/* The command follows the name until it is written; what cannot be is told, and nothing is saved. */
static void
test_add (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL, *second = NULL;

  panel_assert_names (get (fixture, "saved")); /* what is around them is the toolkit's */
  panel_assert_names (get (fixture, "adding"));
  write_in (fixture, "name", "gpu1");
  g_assert_cmpstr (read_from (fixture, "command"), ==, "ssh gpu1 memlane-cli worker");
  write_in (fixture, "name", "a b");
  panel_press (get (fixture, "add"));
  g_assert_nonnull (strstr (get_trouble (fixture), "found the name \"a b\""));
  g_assert_true (gtk_widget_has_css_class (get (fixture, "name"), "error"));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get (fixture, "name")), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, get_trouble (fixture));
  g_assert_cmpuint (count_saved (), ==, 0);
  write_in (fixture, "name", "gpu1");
  g_assert_cmpstr (get_trouble (fixture), ==, "");
  g_assert_false (gtk_widget_has_css_class (get (fixture, "name"), "error"));
  panel_press (get (fixture, "add"));
  first = read_saved (0);
  g_assert_cmpstr (first, ==, "ssh gpu1 memlane-cli worker");
  g_assert_cmpstr (read_from (fixture, "name"), ==, "");
  g_assert_cmpstr (read_from (fixture, "command"), ==, "");

  add (fixture, "gpu1", NULL);
  g_assert_nonnull (strstr (get_trouble (fixture), "There is a host of that name already"));
  add (fixture, "gpu2", "ssh 'gpu2");
  g_assert_nonnull (strstr (get_trouble (fixture), "expected a command"));
  g_assert_true (gtk_widget_has_css_class (get (fixture, "command"), "error"));
  g_assert_cmpuint (count_saved (), ==, 1);
  write_in (fixture, "command", "srun --gres=gpu:1 memlane-cli worker");
  write_in (fixture, "name", "cluster");
  g_assert_cmpstr (read_from (fixture, "command"), ==, "srun --gres=gpu:1 memlane-cli worker");
  panel_press (get (fixture, "add"));
  second = read_saved (1);
  g_assert_cmpstr (second, ==, "srun --gres=gpu:1 memlane-cli worker");
  panel_assert_names (get (fixture, "saved")); /* what is around them is the toolkit's */
  panel_assert_names (get (fixture, "adding"));
}

static GtkWidget *
get_part (Fixture *fixture, const char *host, const char *part)
{
  return g_object_get_data (G_OBJECT (get (fixture, host)), part);
}

static const char *
get_result (Fixture *fixture, const char *host)
{
  return gtk_label_get_text (GTK_LABEL (get_part (fixture, host, "result")));
}

static gboolean
has_result (gpointer test_button)
{
  return gtk_widget_get_sensitive (test_button);
}

static void
test_test (Fixture *fixture, gconstpointer data)
{
  g_autofree char *command = get_command ();

  add (fixture, "near", command);
  add (fixture, "dead", "sh -c 'echo no way there >&2; sleep 1; exit 1'");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get_part (fixture, "near", "test")), GTK_ACCESSIBLE_PROPERTY_LABEL, "Test near");
  panel_press (get_part (fixture, "near", "test"));
  g_assert_cmpstr (get_result (fixture, "near"), ==, "Asking near…");
  panel_press (get_part (fixture, "dead", "test"));
  ui_test_wait (has_result, get_part (fixture, "near", "test"));
  g_assert_nonnull (strstr (get_result (fixture, "near"), " devices: "));
  ui_test_wait (has_result, get_part (fixture, "dead", "test"));
  g_assert_nonnull (strstr (get_result (fixture, "dead"), "no way there"));
  g_assert_true (gtk_widget_has_css_class (get_part (fixture, "dead", "result"), "error"));
  ui_test_screenshot (GTK_WIDGET (fixture->dialog), "hosts-dialog.png");
}

static void
test_change (Fixture *fixture, gconstpointer data)
{
  g_autofree char *command = NULL, *same = NULL;
  g_autoptr (GtkWidget) remove = NULL;

  add (fixture, "one", "false");
  add (fixture, "two", "false");
  write_in (fixture, "one", "true");
  g_signal_emit_by_name (get (fixture, "one"), "apply");
  command = read_saved (0);
  g_assert_cmpstr (command, ==, "true");
  write_in (fixture, "one", "tr'ue");
  g_signal_emit_by_name (get (fixture, "one"), "apply");
  g_assert_nonnull (strstr (get_result (fixture, "one"), "expected a command"));
  same = read_saved (0);
  g_assert_cmpstr (same, ==, "true");
  remove = g_object_ref (get_part (fixture, "one", "remove")); /* it goes with its row */
  panel_press (remove);
  g_assert_cmpuint (count_saved (), ==, 1);
  g_assert_null (ui_test_find_id (GTK_WIDGET (fixture->dialog), "one"));
  g_assert_null (ui_test_find_text (GTK_WIDGET (fixture->dialog), "expected a command"));
}

static gboolean
lists_host (gpointer list)
{
  return ui_test_find_id (list, "near/simulated:h200") != NULL && ui_test_find_text (list, "no way there") != NULL;
}

/* When the dialog goes, the menu has the hosts, each below its name. */
static void
test_menu (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list = ui_test_find_id (fixture->button, "list"), *row;
  g_autofree char *command = get_command ();

  g_assert_null (ui_test_find_text (list, "This machine"));
  add (fixture, "near", command);
  add (fixture, "dead", "sh -c 'echo no way there >&2; sleep 1; exit 1'");
  gtk_window_close (fixture->dialog);
  fixture->dialog = NULL;
  gtk_menu_button_popup (GTK_MENU_BUTTON (ui_test_find_id (fixture->button, "button")));
  ui_test_wait (ui_test_is_mapped, list);
  g_assert_nonnull (ui_test_find_text (list, "Asking near…"));
  g_assert_false (gtk_widget_get_sensitive (ui_test_find_id (list, "near")));
  ui_test_wait (lists_host, list);
  g_assert_nonnull (ui_test_find_text (list, "This machine"));
  g_assert_nonnull (ui_test_find_text (list, "near"));
  row = ui_test_find_id (list, "dead");
  g_assert_false (gtk_widget_get_sensitive (row));
  panel_assert_names (list);
  ui_test_next_frame (list);
  ui_test_screenshot (gtk_widget_get_ancestor (list, GTK_TYPE_POPOVER), "device-menu-hosts.png");
  g_assert_true (gtk_widget_activate (ui_test_find_id (list, "near/simulated:h200")));
  g_assert_cmpstr (memlane_device_choice_get_item (fixture->models->devices)->name, ==, "Simulated H200 on near");
  g_object_set (fixture->models->devices, "device", "simulated:h200", NULL);
}

/* A file that is refused is not written anew: what is in it would be lost. */
static void
test_refused (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "memlane", NULL), *path = g_build_filename (folder, "hosts", NULL);
  Fixture fixture = { 0 };

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "[near]\ncommnad=<b>\n", -1, NULL));
  set_up (&fixture, NULL);
  g_assert_false (gtk_widget_is_sensitive (get (&fixture, "add")));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture.dialog), "found the key commnad"));
  tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add ("/hosts-dialog/add", Fixture, NULL, set_up, test_add, tear_down);
  g_test_add ("/hosts-dialog/test", Fixture, NULL, set_up, test_test, tear_down);
  g_test_add ("/hosts-dialog/change", Fixture, NULL, set_up, test_change, tear_down);
  g_test_add ("/hosts-dialog/menu", Fixture, NULL, set_up, test_menu, tear_down);
  g_test_add_func ("/hosts-dialog/refused", test_refused);
  return ui_test_run ();
}
