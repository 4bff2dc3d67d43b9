/* test-device-button.c: the device menu: names, reasons, choice by keyboard
 *
 * SPDX-License-Identifier: MIT
 */
#include "model/sentence.h"
#include "side/device-button.h"
#include "ui/panel-fixture.h"

static GtkMenuButton *
get_button (MemlaneDeviceButton *button)
{
  return GTK_MENU_BUTTON (ui_test_find_id (GTK_WIDGET (button), "button"));
}

static GtkListBox *
get_list (MemlaneDeviceButton *button)
{
  return GTK_LIST_BOX (ui_test_find_id (GTK_WIDGET (button), "list"));
}

typedef struct
{
  MemlaneModels *models;
  MemlaneDeviceButton *button;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->models = panel_models_new ("runs");
  fixture->button = MEMLANE_DEVICE_BUTTON (memlane_device_button_new (fixture->models->devices));
  gtk_widget_set_valign (GTK_WIDGET (fixture->button), GTK_ALIGN_START);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->button), 320, 240);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  panel_models_free (fixture->models);
}

/* The tick, and the same in words. */
static void
assert_marked (GtkWidget *row, gboolean chosen)
{
  g_autofree char *description = gtk_test_accessible_check_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "\001");
  GtkWidget *tick = ui_test_find_type (row, GTK_TYPE_IMAGE);

  g_assert_cmpfloat (gtk_widget_get_opacity (tick), ==, chosen ? 1 : 0);
  g_assert_cmpint (description != NULL && strstr (description, "In use.") != NULL, ==, chosen);
}

static void
test_name (Fixture *fixture, gconstpointer data)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (fixture->models->devices);
  g_autofree char *label = ui_test_accessible_label (GTK_WIDGET (get_button (fixture->button)));
  g_autofree char *expected = g_strdup_printf ("Device: %s", item->name);

  g_assert_cmpstr (label, ==, expected);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->button), item->name));
}

/* Every device has a row; one that cannot be used cannot be chosen, and says why. */
static void
test_rows (Fixture *fixture, gconstpointer data)
{
  GListModel *devices = memlane_device_choice_get_devices (fixture->models->devices);
  GtkListBox *list = get_list (fixture->button);

  gtk_menu_button_popup (get_button (fixture->button));
  ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (get_list (fixture->button))));
  panel_assert_names (GTK_WIDGET (list));
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr(MemlaneDeviceItem) item = g_list_model_get_item (devices, i);
      GtkWidget *row = GTK_WIDGET (gtk_list_box_get_row_at_index (list, (int) i));
      g_autofree char *reason = memlane_sentence_new (item->reason);
      gboolean chosen = item == memlane_device_choice_get_item (fixture->models->devices);

      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, item->name);
      assert_marked (row, chosen);
      g_assert_cmpint (gtk_widget_get_sensitive (row), ==, reason == NULL);
      if (reason != NULL)
        {
          gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, reason);
          g_assert_nonnull (ui_test_find_text (row, reason));
        }
      else if (item->simulated)
        g_assert_nonnull (ui_test_find_text (row, "Simulated"));
    }
  ui_test_next_frame (GTK_WIDGET (list));
  ui_test_screenshot (gtk_widget_get_ancestor (GTK_WIDGET (list), GTK_TYPE_POPOVER), "device-button.png");
  gtk_menu_button_popdown (get_button (fixture->button));
}

static void
test_choice (Fixture *fixture, gconstpointer data)
{
  GListModel *devices = memlane_device_choice_get_devices (fixture->models->devices);
  GtkListBox *list = get_list (fixture->button);
  guint chosen = 0;

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr(MemlaneDeviceItem) item = g_list_model_get_item (devices, i);
      GtkWidget *row = GTK_WIDGET (gtk_list_box_get_row_at_index (list, (int) i));

      if (item->reason != NULL)
        continue;
      g_assert_true (gtk_widget_activate (row)); /* as Return does */
      g_assert_true (memlane_device_choice_get_item (fixture->models->devices) == item);
      assert_marked (row, TRUE);
      g_assert_nonnull (ui_test_find_text (GTK_WIDGET (get_button (fixture->button)),
                                           item->name));
      chosen++;
    }
  g_assert_cmpuint (chosen, >=, 1);
}

/* Before the list is there the button says so. */
static void
test_waiting (void)
{
  g_autofree char *folder = ui_test_path ("runs"), *label = NULL;
  MemlaneModels *models = memlane_models_new (folder);
  MemlaneDeviceButton *button = g_object_ref_sink (MEMLANE_DEVICE_BUTTON (memlane_device_button_new (models->devices)));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (button), 320, 240);

  label = ui_test_accessible_label (GTK_WIDGET (get_button (button)));
  g_assert_cmpstr (label, ==, "Device: Looking for devices…");
  memlane_models_start (models);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  ui_test_wait (panel_has_device (models));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (ui_test_find_id (GTK_WIDGET (button), "label"))), ==,
                   memlane_device_choice_get_item (models->devices)->name);
  gtk_window_destroy (window);
  g_assert_finalize_object (button);
  panel_models_free (models);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add ("/device-button/name", Fixture, NULL, set_up, test_name, tear_down);
  g_test_add ("/device-button/rows", Fixture, NULL, set_up, test_rows, tear_down);
  g_test_add ("/device-button/choice", Fixture, NULL, set_up, test_choice, tear_down);
  g_test_add_func ("/device-button/waiting", test_waiting);
  return ui_test_run ();
}
