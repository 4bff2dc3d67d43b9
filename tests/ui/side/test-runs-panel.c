/* test-runs-panel.c: the Runs list: what a row says, show, rename, compare, export, remove, stop, all by keyboard
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/panel-fixture.h"
#include "result/csv.h"
#include "side/runs-panel.h"
#include "ui/x-input.h"

typedef struct
{
  MemlaneModels *models;
  MemlaneRunStore *store;
  MemlaneRunsPanel *panel;
  GtkWindow *window;
  GPtrArray *asked; /* (element-type utf8): what the window was asked for: "export-run NAME" */
} Fixture;

static void
asked_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Fixture *fixture = data;

  g_ptr_array_add (fixture->asked, parameter == NULL ? g_strdup (g_action_get_name (G_ACTION (action)))
                                                     : g_strdup_printf ("%s %s", g_action_get_name (G_ACTION (action)),
                                                                        g_variant_get_string (parameter, NULL)));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const GActionEntry entries[] = { { .name = "open", .activate = asked_cb },
                                   { .name = "export-run", .activate = asked_cb, .parameter_type = "s" },
                                   { .name = "run-removed", .activate = asked_cb, .parameter_type = "s" } };
  g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new ();
  static guint folders;
  g_autofree char *folder = g_strdup_printf ("runs-%u", folders++); /* runs are kept, so each test has a folder of its own */

  fixture->asked = g_ptr_array_new_with_free_func (g_free);
  fixture->models = panel_models_new (folder);
  fixture->store = fixture->models->runs;
  fixture->panel = MEMLANE_RUNS_PANEL (memlane_runs_panel_new (fixture->models->runs, fixture->models->view));
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), fixture);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->panel), 300, 480);
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "win", G_ACTION_GROUP (actions));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ui_test_spin (700); /* GTK 4.8 warns when a window goes before a tooltip in it was due */
  gtk_window_destroy (fixture->window);
  panel_models_free (fixture->models);
  g_ptr_array_unref (fixture->asked);
}

static GtkListBoxRow *
get_row (Fixture *fixture, MemlaneRunItem *item)
{
  GtkListBoxRow *row = panel_find_run (GTK_WIDGET (fixture->panel), fixture->models, item);

  g_assert_nonnull (row);
  return row;
}

static GtkWidget *
in_row (Fixture *fixture, MemlaneRunItem *item, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (get_row (fixture, item)), id);

  g_assert_nonnull (widget);
  return widget;
}

static void
act (Fixture *fixture, MemlaneRunItem *item, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_row (fixture, item)), action, NULL));
}

static void
assert_asked (Fixture *fixture, const char *expected)
{
  g_assert_cmpuint (fixture->asked->len, >, 0);
  g_assert_cmpstr (g_ptr_array_index (fixture->asked, fixture->asked->len - 1), ==, expected);
}

/* --- what a row says ---------------------------------------------------------------------------------------------------------- */

static void
test_row (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_keep_run (fixture->models, "first", 1);
  GtkListBoxRow *row = get_row (fixture, item);
  GtkWidget *check = ui_test_find_id (GTK_WIDGET (row), "check");
  g_autofree char *menu = ui_test_accessible_label (ui_test_find_id (GTK_WIDGET (row), "menu_button"));
  g_autofree char *expected = g_strdup_printf ("Menu of %s", memlane_run_item_get_name (item));

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, memlane_run_item_get_name (item));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, item->subtitle);
  g_assert_cmpstr (menu, ==, expected);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (row), item->subtitle));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (row), "SIMULATED"));
  g_assert_null (ui_test_find_id (GTK_WIDGET (get_row (fixture, item)), "measuring"));
  panel_assert_names (GTK_WIDGET (fixture->panel));

  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
  g_assert_true (gtk_widget_activate (check));
  g_assert_false (item->shown);
  memlane_run_item_set_shown (item, TRUE);
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
  g_assert_true (gtk_widget_activate (GTK_WIDGET (row))); /* Return on the row */
  g_assert_false (item->shown);
}

static void
test_live (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneRun) run = sample_run_new ("live", 1);
  MemlaneRunItem *item = panel_show_run (fixture->models, "live", 1);

  g_assert_true (gtk_widget_get_visible (in_row (fixture, item, "measuring")));
  act (fixture, item, "run.remove"); /* not while it is measured */
  g_assert_true (panel_find_run (GTK_WIDGET (fixture->panel), fixture->models, item) != NULL);
  g_assert_cmpuint (fixture->asked->len, ==, 0);
  memlane_run_store_end (fixture->store, item, run, NULL);
  ui_test_wait (panel_is_kept (item));
  g_assert_null (ui_test_find_id (GTK_WIDGET (get_row (fixture, item)), "measuring"));
}

static MemlaneRunItem *
find_path (MemlaneRunStore *store, const char *path)
{
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, store)
    if (g_strcmp0 (item->path, path) == 0)
      return item;
  return NULL;
}

/* A file in the folder that is no run. */
static void
test_problem (void)
{
  g_autofree char *folder = ui_test_path ("spoiled"), *path = g_build_filename (folder, "spoiled.csv", NULL);
  MemlaneModels *models;
  MemlaneRunsPanel *panel;
  MemlaneRunItem *item;
  GtkListBoxRow *row;
  GtkWindow *window;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "no run\n", -1, NULL));
  models = panel_models_new ("spoiled");
  item = find_path (models->runs, path);
  panel = MEMLANE_RUNS_PANEL (memlane_runs_panel_new (models->runs, models->view));
  window = ui_test_window_for (GTK_WIDGET (panel), 300, 480);
  g_assert_nonnull (item);
  row = panel_find_run (GTK_WIDGET (panel), models, item);
  memlane_run_item_set_shown (item, TRUE);
  ui_test_wait (item->problem != NULL);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (row), item->problem));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, item->problem);
  ui_test_next_frame (GTK_WIDGET (panel));
  ui_test_screenshot (GTK_WIDGET (window), "runs-panel-problem.png");
  gtk_window_destroy (window);
  panel_models_free (models);
}

/* --- name --------------------------------------------------------------------------------------------------------------------- */

static void
test_rename (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_keep_run (fixture->models, "renamed", 1);
  GtkListBoxRow *row = get_row (fixture, item);
  GtkEntry *entry;
  g_autofree char *name = g_strdup (memlane_run_item_get_name (item));

  act (fixture, item, "run.rename");
  entry = GTK_ENTRY (in_row (fixture, item, "entry"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (entry)));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, name);
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (fixture->window)), GTK_WIDGET (entry)));
  gtk_editable_set_text (GTK_EDITABLE (entry), "  before the driver update ");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, "before the driver update");
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (entry)));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture->window)) == GTK_WIDGET (row));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, "before the driver update");

  act (fixture, item, "run.rename");
  gtk_editable_set_text (GTK_EDITABLE (entry), "elsewhere");
  gtk_widget_grab_focus (ui_test_find_id (GTK_WIDGET (row), "check")); /* going away keeps it */
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, "elsewhere");
  act (fixture, item, "run.rename");
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (memlane_run_item_get_name (item), ==, name);
}

/* --- compare, export, remove -------------------------------------------------------------------------------------------------- */

static void
test_compare (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_keep_run (fixture->models, "one", 1), *two = panel_keep_run (fixture->models, "two", 2);
  MemlaneRunItem *three = panel_keep_run (fixture->models, "three", 3);

  memlane_run_item_set_name (one, "one");
  memlane_run_item_set_name (two, "two");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_row (fixture, one)), "run.compare", "s", "two"));
  g_assert_true (one->shown);
  g_assert_true (two->shown);
  g_assert_false (three->shown);

  gtk_widget_activate_action (GTK_WIDGET (get_row (fixture, one)), "run.compare", "s", "gone");
  g_assert_true (two->shown);
}

static guint
count_entries (GMenuModel *menu)
{
  guint n = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr(GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr(GMenuModel) below = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);

      n += section != NULL ? count_entries (section) : below != NULL ? count_entries (below) : 1;
    }
  return n;
}

/* Entries: of the other runs, or one that says that there is none. */
static guint
count_others (Fixture *fixture)
{
  return MAX (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)) - 1, 1);
}

/* Rename, export, the other runs, pin, delete. */
static void
test_menu (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_keep_run (fixture->models, "one", 1);
  GtkMenuButton *button = GTK_MENU_BUTTON (in_row (fixture, one, "menu_button"));

  ui_test_spin (300); /* GTK 4.8 warns of a popover that is shown over a pointer at rest as soon as it is made: this one must be older */
  act (fixture, one, "run.menu");
  ui_test_wait (ui_test_is_mapped (gtk_menu_button_get_popover (button)));
  g_assert_cmpuint (count_entries (gtk_menu_button_get_menu_model (button)), ==, 4 + count_others (fixture));
  gtk_menu_button_popdown (button);
  panel_keep_run (fixture->models, "two", 1);
  act (fixture, one, "run.menu");
  g_assert_cmpuint (count_entries (gtk_menu_button_get_menu_model (button)), ==, 4 + count_others (fixture));
  ui_test_wait (ui_test_is_mapped (gtk_menu_button_get_popover (button)));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (gtk_menu_button_get_popover (button)), "F2"));
  g_assert_null (ui_test_find_text (GTK_WIDGET (gtk_menu_button_get_popover (button)), "KP")); /* the key that everybody has */
  gtk_menu_button_popdown (button);
}

/* The list stays where it is while the pointer is over its menus, whose entries take the focus.
 * Else a menu moves away below the click. */
static void
test_menu_stays (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scrolled = ui_test_find_id (GTK_WIDGET (fixture->panel), "scrolled");
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  MemlaneRunItem *runs[12], *last = NULL;
  GtkMenuButton *button;
  GtkWidget *popover;
  graphene_rect_t bounds;

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *name = g_strdup_printf ("run %u", i);

      runs[i] = panel_keep_run (fixture->models, name, 1);
    }
  ui_test_next_frame (scrolled);
  for (guint i = 0; i < G_N_ELEMENTS (runs) && last == NULL; i++) /* the newest stands first */
    if (gtk_widget_compute_bounds (GTK_WIDGET (get_row (fixture, runs[i])), scrolled, &bounds)
        && bounds.origin.y + bounds.size.height <= gtk_adjustment_get_page_size (place))
      last = runs[i];
  g_assert_nonnull (last);
  ui_test_spin (300); /* as above */
  g_assert_cmpfloat (gtk_adjustment_get_upper (place), >, gtk_adjustment_get_page_size (place));
  act (fixture, last, "run.menu");
  button = GTK_MENU_BUTTON (in_row (fixture, last, "menu_button"));
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  ui_test_wait (ui_test_is_mapped (popover));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *label = ui_test_find_text (popover, i == 0 ? "Rename" : "Delete");

      g_assert_true (gtk_widget_grab_focus (gtk_widget_get_parent (label)));
      ui_test_next_frame (scrolled);
      g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 0);
    }
  gtk_popover_popdown (GTK_POPOVER (popover));
}

/* The secondary button opens the menu of the row that it is pressed on. */
static void
test_secondary (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_keep_run (fixture->models, "one", 1), *two = panel_keep_run (fixture->models, "two", 1);
  GtkWidget *list = ui_test_find_id (GTK_WIDGET (fixture->panel), "list");
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (list);
  graphene_rect_t place;
  GtkPopover *other;

  ui_test_next_frame (list);
  ui_test_spin (300);
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (get_row (fixture, one)), list, &place));
  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    if (GTK_IS_GESTURE_CLICK (controller)
        && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == 3)
      g_signal_emit_by_name (controller, "pressed", 1, 5.0,
                             (double) (place.origin.y + place.size.height / 2));
  other = gtk_menu_button_get_popover (GTK_MENU_BUTTON (in_row (fixture, one, "menu_button")));
  ui_test_wait (ui_test_is_mapped (other));
  other = gtk_menu_button_get_popover (GTK_MENU_BUTTON (in_row (fixture, two, "menu_button")));
  g_assert_true (other == NULL || !gtk_widget_get_mapped (GTK_WIDGET (other)));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (in_row (fixture, one, "menu_button")));
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_keep_run (fixture->models, "one", 1), *two = panel_keep_run (fixture->models, "two", 2);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (fixture->store));
  g_autofree char *expected = NULL;
  GtkListBoxRow *next;

  memlane_run_item_set_name (two, "two");
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (get_row (fixture, two))));
  act (fixture, two, "run.export");
  assert_asked (fixture, "export-run two");
  act (fixture, two, "run.remove");
  assert_asked (fixture, "run-removed Deleted “two”");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, before - 1);
  next = GTK_LIST_BOX_ROW (gtk_root_get_focus (GTK_ROOT (fixture->window)));
  g_assert_true (GTK_IS_LIST_BOX_ROW (next)); /* the keyboard stays in the list */

  memlane_run_store_undo_remove (fixture->store);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, before);
  expected = g_strdup_printf ("run-removed Deleted “%s”", memlane_run_item_get_name (one));
  g_assert_true (ui_test_press (GTK_WIDGET (get_row (fixture, one)), GDK_KEY_KP_Delete, 0)); /* as Delete does */
  assert_asked (fixture, expected);
}

/* A click on a run's name chooses the row and hides nothing, so that Delete is the next key. */
static void
test_click (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_keep_run (fixture->models, "clicked", 1);
  GtkWidget *name = in_row (fixture, item, "name"), *window = GTK_WIDGET (fixture->window);
  g_autofree char *expected = g_strdup_printf ("run-removed Deleted “%s”", memlane_run_item_get_name (item));
  graphene_rect_t place;
  double x, y;
  XInput input;

  ui_test_next_frame (name);
  g_assert_true (gtk_widget_compute_bounds (name, window, &place));
  gtk_native_get_surface_transform (GTK_NATIVE (window), &x, &y);
  x_input_open (&input);
  x_focus_pointer (&input);
  x_fake (&input, X_MOTION, 0, (int) (x + place.origin.x + 10), (int) (y + place.origin.y + place.size.height / 2)); /* at 0, 0 it stands */
  x_click (&input, 1);
  ui_test_wait (gtk_list_box_row_is_selected (GTK_LIST_BOX_ROW (get_row (fixture, item))));
  ui_test_next_frame (name);
  g_assert_true (item->shown);
  x_press (&input, GDK_KEY_Delete, 0);
  ui_test_wait (fixture->asked->len > 0);
  assert_asked (fixture, expected);
  x_input_close (&input);
}

static void
notice_cb (MemlaneRunStore *runs, const char *sentence, gboolean trouble, gpointer data)
{
  (*(guint *) data)++;
}

/* The recorded run is not the person's to delete. */
static void
test_recorded (Fixture *fixture, gconstpointer data)
{
  guint recorded = 0, notices = 0;

  g_signal_connect (fixture->models->runs, "notice", G_CALLBACK (notice_cb), &notices);
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, fixture->store)
    {
      guint before = g_list_model_get_n_items (G_LIST_MODEL (fixture->store));

      if (item->kind != MEMLANE_RUN_RECORDED)
        continue;
      recorded++;
      act (fixture, item, "run.remove");
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->store)), ==, before);
    }
  g_assert_cmpuint (recorded, >, 0);
  g_assert_cmpuint (notices, ==, 0);
  g_signal_handlers_disconnect_by_data (fixture->models->runs, &notices);
}

/* --- reading ------------------------------------------------------------------------------------------------------------------ */

#define BIG_RUNS 200

static char *
write_big_file (void)
{
  g_autofree char *path = ui_test_path ("big.csv");
  g_autoptr(GString) text = g_string_new (NULL);

  memlane_csv_append_header (text);
  for (guint i = 0; i < BIG_RUNS; i++)
    {
      g_autofree char *id = g_strdup_printf ("big-%u", i);
      g_autoptr(MemlaneRun) run = sample_run_new (id, 1);

      for (guint j = 0; j < run->cells->len; j++)
        memlane_csv_append_cell (text, run, g_ptr_array_index (run->cells, j));
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return g_steal_pointer (&path);
}

static void
opened_cb (MemlaneRunStore *runs, const char *name, GPtrArray *items, const char *problem, gboolean *opened)
{
  *opened = TRUE;
}

/* The row of a file says that it is read; what is removed meanwhile does not come back. */
static void
test_reading (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_big_file ();
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(MemlaneRunItem) item = NULL;
  gboolean opened = FALSE;

  g_signal_connect (fixture->store, "opened", G_CALLBACK (opened_cb), &opened);
  memlane_run_store_open (fixture->store, file);
  g_set_object (&item, find_path (fixture->store, path));
  g_assert_nonnull (item);
  g_assert_true (item->loading);
  g_assert_true (gtk_widget_get_visible (in_row (fixture, item, "loading")));
  panel_assert_names (GTK_WIDGET (fixture->panel));
  act (fixture, item, "run.remove"); /* at once: the file must not be read by then */
  ui_test_spin (500);
  g_assert_false (opened);
  g_assert_null (item->run);
  g_assert_null (find_path (fixture->store, path));
}

/* --- the panel ---------------------------------------------------------------------------------------------------------------- */

static void
test_open (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button = ui_test_find_id (GTK_WIDGET (fixture->panel), "open_button");

  panel_press (button);
  assert_asked (fixture, "open");
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "live", 1);
  int least;

  panel_keep_run (fixture->models, "kept", 1);
  gtk_widget_measure (GTK_WIDGET (fixture->panel), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 300);
  panel_photograph (GTK_WIDGET (fixture->panel), "runs-panel");
  act (fixture, item, "run.rename");
  ui_test_next_frame (GTK_WIDGET (fixture->panel));
  ui_test_screenshot (GTK_WIDGET (fixture->window), "runs-panel-rename.png");
  memlane_run_store_end (fixture->store, item, NULL, NULL); /* the row goes while it is edited */
  ui_test_next_frame (GTK_WIDGET (fixture->panel));
}

/* A run that has nothing of the shown workload is greyed and says so. */
static void
test_without_curves (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  GtkWidget *row = GTK_WIDGET (get_row (fixture, item));
  GtkWidget *name = ui_test_find_id (row, "name"), *subtitle = ui_test_find_id (row, "subtitle");

  g_object_set (fixture->models->view, "shown-workload", "vector-add", NULL);
  g_assert_false (gtk_widget_has_css_class (name, "dim-label"));
  g_object_set (fixture->models->view, "shown-workload", "copy-to-device", NULL);
  g_assert_true (gtk_widget_has_css_class (name, "dim-label"));
  g_assert_true (g_str_has_prefix (gtk_label_get_label (GTK_LABEL (subtitle)), "No Copy to device · "));
  g_object_set (fixture->models->view, "shown-workload", "vector-add", NULL);
  g_assert_false (gtk_widget_has_css_class (name, "dim-label"));
  g_assert_null (strstr (gtk_label_get_label (GTK_LABEL (subtitle)), "No Copy"));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

static gboolean
is_read (gpointer store)
{
  g_autoptr (MemlaneRunItem) item = g_list_model_get_item (store, 0);

  return item->kind == MEMLANE_RUN_OPENED && item->run != NULL;
}

/* When a colleague's file was opened says nothing of when it was measured. */
static void
test_undated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *source = ui_test_source ("data/recordings/h200-fill.csv"), *path = ui_test_path ("fill.csv"), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MemlaneRunItem) item = NULL;

  g_assert_true (g_file_get_contents (source, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL)); /* without its environment */
  memlane_run_store_open (fixture->store, file);
  ui_test_wait (is_read (fixture->store));
  item = g_list_model_get_item (G_LIST_MODEL (fixture->store), 0);
  g_assert_nonnull (strstr (item->subtitle, " · date not recorded · "));
}

/* With its environment beside it, a colleague's file says when it was measured. Once hidden it says nothing false. */
static void
test_dated (Fixture *fixture, gconstpointer data)
{
  static const char *const parts[] = { ".csv", ".environment.json" };
  g_autofree char *path = ui_test_path ("dated.csv");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MemlaneRunItem) item = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *from = g_strconcat ("data/recordings/h200-fill", parts[i], NULL), *source = ui_test_source (from);
      g_autofree char *name = g_strconcat ("dated", parts[i], NULL), *copy = ui_test_path (name), *text = NULL;

      g_assert_true (g_file_get_contents (source, &text, NULL, NULL));
      g_assert_true (g_file_set_contents (copy, text, -1, NULL));
    }
  memlane_run_store_open (fixture->store, file);
  ui_test_wait (is_read (fixture->store));
  item = g_list_model_get_item (G_LIST_MODEL (fixture->store), 0);
  g_assert_nonnull (strstr (item->subtitle, " · 2026-11-"));
  memlane_run_item_set_shown (item, FALSE);
  g_assert_null (strstr (item->subtitle, "date not recorded"));
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  ADD ("/runs-panel/click", test_click);
  ADD ("/runs-panel/row", test_row);
  ADD ("/runs-panel/dated", test_dated);
  ADD ("/runs-panel/live", test_live);
  ADD ("/runs-panel/rename", test_rename);
  ADD ("/runs-panel/compare", test_compare);
  ADD ("/runs-panel/menu", test_menu);
  ADD ("/runs-panel/menu-stays", test_menu_stays);
  ADD ("/runs-panel/secondary", test_secondary);
  ADD ("/runs-panel/remove", test_remove);
  ADD ("/runs-panel/recorded", test_recorded);
  ADD ("/runs-panel/reading", test_reading);
  ADD ("/runs-panel/open", test_open);
  ADD ("/runs-panel/room", test_room);
  ADD ("/runs-panel/without-curves", test_without_curves);
  ADD ("/runs-panel/undated", test_undated);
  g_test_add_func ("/runs-panel/problem", test_problem);
  return ui_test_run ();
}
