/* panel-fixture.h: started models on the simulated H200, and what all panels are asked for
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "models-fixture.h"
#include "sample-chart.h"
#include "side/runs-panel.h"
#include "ui-test.h"

static inline gboolean
panel_has_device (gpointer models)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (((MemlaneModels *) models)->devices);

  return item != NULL && g_str_equal (item->id, "simulated:h200");
}

static inline gboolean
panel_has_objections (gpointer models)
{
  return models_get_objection (models, "pageable") != NULL;
}

/* The widget called @id in the row called @row: of a mode, its id. */
static inline GtkWidget *
panel_in_row (GtkWidget *panel, const char *row, const char *id)
{
  GtkWidget *widget = ui_test_find_id (panel, row);

  g_assert_nonnull (widget);
  widget = ui_test_find_id (widget, id);
  g_assert_nonnull (widget);
  return widget;
}

/* (nullable): the row of a run. The list has them in the store's order. */
static inline GtkListBoxRow *
panel_find_run (GtkWidget *panel, MemlaneModels *models, MemlaneRunItem *item)
{
  GListModel *store = G_LIST_MODEL (models->runs);
  GtkListBox *list = GTK_LIST_BOX (ui_test_find_id (panel, "list"));

  for (guint i = 0; i < g_list_model_get_n_items (store); i++)
    {
      g_autoptr (MemlaneRunItem) each = g_list_model_get_item (store, i);

      if (each == item)
        return gtk_list_box_get_row_at_index (list, (int) i);
    }
  return NULL;
}

/* @folder: of its runs, in the test's own home. All modes are chosen, the plan is the default one. */
static inline MemlaneModels *
panel_models_new (const char *folder)
{
  g_autofree char *path = ui_test_path (folder);
  g_autoptr(MemlanePlan) plan = memlane_plan_new ();
  MemlaneModels *models = memlane_models_new (path);

  g_object_set (models->plan, "workload", "copy-on-device", "first-log2", (guint) plan->first_log2, "last-log2", (guint) plan->last_log2,
                "precision", plan->method.precision, "cell-seconds", plan->method.cell_seconds, "reuse", plan->method.reuse, "streams",
                    plan->method.streams, "chunks", plan->method.chunks, NULL);
  memlane_mode_set_put_all (models_get_plan (models), TRUE);
  memlane_models_start (models);
  g_object_set (models->devices, "device", "simulated:h200", NULL);
  ui_test_wait (panel_has_device (models));
  ui_test_wait (panel_has_objections (models)); /* the device has been asked what it can do */
  g_object_set (models->plan, "workload", "vector-add", NULL);
  return models;
}

static inline void
panel_models_free (MemlaneModels *models)
{
  memlane_models_shut_down (models);
  memlane_models_free (models);
}

/* A run that is measured at the moment, with the sample's cells. */
static inline MemlaneRunItem *
panel_show_run (MemlaneModels *models, const char *name, double factor)
{
  MemlaneRunStore *store = models->runs;
  g_autoptr(MemlaneRun) run = sample_run_new (name, factor);
  MemlaneRunItem *item = memlane_run_store_begin (store, "simulated:h200", "simulated", name);

  memlane_run_store_grow (store, item, run->cells);
  return item;
}

static inline gboolean
panel_is_kept (gpointer item)
{
  return ((MemlaneRunItem *) item)->kind == MEMLANE_RUN_KEPT;
}

/* The same, kept in the folder. */
static inline MemlaneRunItem *
panel_keep_run (MemlaneModels *models, const char *name, double factor)
{
  g_autoptr(MemlaneRun) run = sample_run_new (name, factor);
  MemlaneRunItem *item = panel_show_run (models, name, factor);

  memlane_run_store_end (models->runs, item, run, NULL);
  ui_test_wait (panel_is_kept (item));
  return item;
}

static inline void
panel_clicked_cb (GtkButton *button, gboolean *clicked)
{
  *clicked = TRUE;
}

/* As Return or Space on it: the button is seen pressed for a moment before it acts. */
static inline void
panel_press (GtkWidget *button)
{
  gboolean clicked = FALSE;
  gulong handler = g_signal_connect_after (button, "clicked", G_CALLBACK (panel_clicked_cb), &clicked);

  g_assert_true (gtk_widget_activate (button));
  ui_test_wait (ui_test_flag_cb (&clicked));
  g_signal_handler_disconnect (button, handler);
}

/* What the keyboard can reach has a name: each widget that takes the focus itself. */
static inline void
panel_assert_names (GtkWidget *root)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      /* The text inside an entry and the toggle inside a drop-down belong to what is around them. */
      gboolean inner = GTK_IS_TEXT (child) || GTK_IS_DROP_DOWN (root) || GTK_IS_SPIN_BUTTON (root);

      /* The button that applies what an entry row holds is libadwaita's. */
      inner = inner || (GTK_IS_BUTTON (child) && gtk_widget_get_ancestor (root, ADW_TYPE_ENTRY_ROW) != NULL);

      /* The frame of a menu is the toolkit's; its entries are named by their texts. */
      if (GTK_IS_POPOVER_MENU (child))
        continue;
      if (gtk_widget_get_focusable (child) && !inner && !ui_test_has_name (child))
        g_error ("%s (%s) in %s has no accessible name", G_OBJECT_TYPE_NAME (child),
                 gtk_buildable_get_buildable_id (GTK_BUILDABLE (child)), G_OBJECT_TYPE_NAME (root));
      panel_assert_names (child);
    }
}

/* Pictures of @widget as people see it - light, dark, 200 % text, right to left - and so a check that it survives all of them. */
static inline void
panel_photograph (GtkWidget *widget, const char *name)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  static const struct
  {
    const char *name;
    gboolean dark, large, rtl;
  } looks[] = { { "light", 0, 0, 0 }, { "dark", 1, 0, 0 }, { "large", 0, 1, 0 }, { "rtl", 0, 0, 1 } };
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autofree char *file = g_strdup_printf ("%s-%s.png", name, looks[i].name);

      adw_style_manager_set_color_scheme (manager, looks[i].dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
      g_object_set (settings, "gtk-xft-dpi", looks[i].large ? 192 * 1024 : 96 * 1024, NULL);
      gtk_widget_set_default_direction (looks[i].rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      ui_test_next_frame (widget);
      ui_test_next_frame (widget);
      ui_test_screenshot (GTK_WIDGET (gtk_widget_get_root (widget)), file);
    }
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_DEFAULT);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  ui_test_next_frame (widget);
}
