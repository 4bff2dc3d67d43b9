/* test-plan-panel.c: workload, modes, sizes and method: both ways between panel and models, names, keyboard, narrow and large
 *
 * SPDX-License-Identifier: MIT
 */
#include <sys/resource.h>

#include "base/size.h"
#include "model/sentence.h"
#include "ui/panel-fixture.h"
#include "side/plan-panel.h"
#include "parts/size-spin.h"

typedef struct
{
  MemlaneModels *models;
  MemlanePlanPanel *panel;
  GtkWindow *window;
} Fixture;

/* By the button of each family that has several modes. */
static void
open_families (Fixture *fixture, gboolean open)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strconcat ("family-", memlane_family_id (modes[i].family), NULL);
      GtkWidget *family = ui_test_find_id (GTK_WIDGET (fixture->panel), name);

      if (family != NULL)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_test_find_id (family, "family_button")), open);
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->models = panel_models_new ("runs");
  fixture->panel = MEMLANE_PLAN_PANEL (memlane_plan_panel_new (fixture->models->plan, fixture->models->devices, fixture->models->sweep));
  open_families (fixture, TRUE);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->panel), 640, 720);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  panel_models_free (fixture->models);
}

static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->panel), id);

  g_assert_nonnull (widget);
  return widget;
}

static const char *
text_of (Fixture *fixture, const char *id)
{
  return gtk_label_get_text (GTK_LABEL (get (fixture, id)));
}

static guint
get_uint (Fixture *fixture, const char *property)
{
  guint value;

  g_object_get (fixture->models->plan, property, &value, NULL);
  return value;
}

static GtkCheckButton *
get_check (Fixture *fixture, const char *mode)
{
  return GTK_CHECK_BUTTON (panel_in_row (GTK_WIDGET (fixture->panel), mode, "check"));
}

/* "209 cells" */
static void
assert_cells (Fixture *fixture, guint sizes)
{
  guint n, modes = 0;
  const MemlaneMode *all = memlane_mode_list (&n);
  g_autofree char *expected = NULL;

  for (guint i = 0; i < n; i++)
    modes += models_get_objection (fixture->models, all[i].id) == NULL;
  expected = g_strdup_printf ("%u measurements,", modes * sizes);
  g_assert_true (g_str_has_prefix (text_of (fixture, "cells"), expected));
}

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  GtkCheckButton *pinned = get_check (fixture, "pinned");
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkCheckButton *check = get_check (fixture, modes[i].id);
      gboolean can = models_get_objection (fixture->models, modes[i].id) == NULL;
      g_autofree char *label = ui_test_accessible_label (GTK_WIDGET (check));

      g_assert_cmpstr (label, ==, modes[i].title);
      gtk_test_accessible_assert_role (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_ROLE_CHECKBOX);
      gtk_test_accessible_assert_state (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_STATE_CHECKED,
                                        can ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE);
    }
  g_assert_true (gtk_widget_activate (GTK_WIDGET (pinned)));
  g_assert_false (memlane_mode_set_has (models_get_plan (fixture->models), "pinned"));
  g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), "mapped"));
  memlane_mode_set_put (models_get_plan (fixture->models), "pinned", TRUE);
  g_assert_true (gtk_check_button_get_active (pinned));

  open_families (fixture, FALSE);
  g_assert_false (gtk_widget_is_visible (GTK_WIDGET (pinned)));
  panel_press (get (fixture, "none_button")); /* opens them */
  g_assert_true (gtk_widget_is_visible (GTK_WIDGET (pinned)));
  for (guint i = 0; i < n; i++)
    g_assert_false (memlane_mode_set_has (models_get_plan (fixture->models), modes[i].id));
  g_assert_false (gtk_check_button_get_active (pinned));
  g_assert_cmpstr (text_of (fixture, "cells"), ==, "Choose at least one mode.");
  panel_press (get (fixture, "all_button"));
  for (guint i = 0; i < n; i++)
    g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), modes[i].id));
}

/* A family's box ticks all of it, is in between where some are ticked, and goes to all from there. */
static void
test_families (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = get (fixture, "family-zero-copy"), *check = ui_test_find_id (row, "family_check");
  GtkWidget *members = ui_test_find_id (GTK_WIDGET (fixture->panel), "mapped");
  g_autofree char *label = ui_test_accessible_label (check), *ticked = NULL;
  guint n, family = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    family += modes[i].family == MEMLANE_FAMILY_ZERO_COPY;
  ticked = g_strdup_printf ("%u of %u", family - 1, family);
  g_assert_cmpstr (label, ==, "Zero-copy");
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
  memlane_mode_set_put (models_get_plan (fixture->models), "mapped", FALSE);
  g_assert_true (gtk_check_button_get_inconsistent (GTK_CHECK_BUTTON (check)));
  g_assert_nonnull (ui_test_find_text (row, ticked));
  g_assert_true (gtk_widget_activate (check));
  g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), "mapped"));
  g_assert_false (gtk_check_button_get_inconsistent (GTK_CHECK_BUTTON (check)));
  g_assert_true (gtk_widget_activate (check));
  g_assert_false (memlane_mode_set_has (models_get_plan (fixture->models), "mapped"));
  g_assert_false (memlane_mode_set_has (models_get_plan (fixture->models), "unified-addressing"));
  g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), "pinned"));
  /* the figures are another matter */
  g_assert_true (memlane_mode_set_has (fixture->models->view->modes, "mapped"));
  g_assert_true (gtk_widget_get_mapped (members));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_test_find_id (row, "family_button")), FALSE);
  g_assert_false (gtk_widget_get_mapped (members));
}

static void
test_objections (Fixture *fixture, gconstpointer data)
{
  GtkCheckButton *pageable = get_check (fixture, "pageable");
  GtkWidget *row = ui_test_find_id (GTK_WIDGET (fixture->panel), "pageable");
  g_autofree char *reason = NULL;

  g_object_set (fixture->models->plan, "workload", "copy-on-device", NULL);
  reason = memlane_sentence_new (models_get_objection (fixture->models, "pageable"));
  g_assert_true (g_unichar_isupper (g_utf8_get_char (reason))); /* it stands alone */
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (pageable)));
  g_assert_false (gtk_check_button_get_active (pageable));
  g_assert_true (memlane_mode_set_has (models_get_plan (fixture->models), "pageable")); /* it comes back with another workload */
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (pageable)), ==, reason);
  g_assert_nonnull (ui_test_find_text (row, reason));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (pageable), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, reason);
  g_assert_true (gtk_widget_is_sensitive (ui_test_find_id (row, "info_button")));
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (get_check (fixture, "device-resident"))));
  assert_cells (fixture, 11);
  ui_test_next_frame (row);
  ui_test_screenshot (GTK_WIDGET (fixture->window), "plan-panel-objections.png");

  g_object_set (fixture->models->plan, "workload", "vector-add", NULL);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (pageable)));
  g_assert_true (gtk_check_button_get_active (pageable));
  g_assert_null (gtk_widget_get_tooltip_text (GTK_WIDGET (pageable)));
}

static void
test_workload (Fixture *fixture, gconstpointer data)
{
  GtkDropDown *workload = GTK_DROP_DOWN (get (fixture, "workload"));
  const char *id;
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (workload)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      gtk_drop_down_set_selected (workload, i);
      id = fixture->models->plan->workload->id;
      g_assert_cmpstr (id, ==, workloads[i].id);
      g_assert_cmpstr (text_of (fixture, "workload_summary"), ==, workloads[i].summary);
    }
  g_object_set (fixture->models->plan, "workload", "fill", NULL);
  g_assert_cmpstr (gtk_string_object_get_string (gtk_drop_down_get_selected_item (workload)), ==, memlane_workload_find ("fill")->title);
}

static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  GtkSpinButton *first = GTK_SPIN_BUTTON (get (fixture, "first_spin")), *last = GTK_SPIN_BUTTON (get (fixture, "last_spin"));

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (first)), ==, "2¹⁰");
  g_assert_cmpstr (text_of (fixture, "first_bytes"), ==, "4 KiB");
  g_assert_cmpstr (text_of (fixture, "last_bytes"), ==, "4 MiB");
  assert_cells (fixture, 11);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (first), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "2¹⁰");
  g_assert_false (gtk_widget_get_visible (get (fixture, "size_warning")));

  gtk_editable_set_text (GTK_EDITABLE (first), "2^22");
  gtk_spin_button_update (first);
  g_assert_cmpuint (get_uint (fixture, "first-log2"), ==, 22);
  g_assert_cmpuint (get_uint (fixture, "last-log2"), ==, 22); /* pushed along */
  g_assert_cmpint (gtk_spin_button_get_value_as_int (last), ==, 22);
  gtk_spin_button_set_value (last, 12);
  g_assert_cmpuint (get_uint (fixture, "first-log2"), ==, 12);

  g_object_set (fixture->models->plan, "last-log2", 28, NULL);
  g_assert_true (gtk_widget_get_visible (get (fixture, "size_warning")));
  g_assert_nonnull (strstr (text_of (fixture, "size_warning"), "3 GiB"));
  gtk_editable_set_text (GTK_EDITABLE (last), "many");
  gtk_spin_button_update (last);
  g_assert_cmpuint (get_uint (fixture, "last-log2"), ==, 28);
  gtk_spin_button_set_value (first, 1);
  g_assert_cmpuint (get_uint (fixture, "first-log2"), ==, MEMLANE_SMALLEST_LOG2);
}

/* The limit on locked memory is named where the plan needs more, beside what it needs. */
static void
test_limit (Fixture *fixture, gconstpointer data)
{
  const char *const limit = "This process may lock 64 KiB (ulimit -l).";
  struct rlimit before, small;

  g_assert_cmpint (getrlimit (RLIMIT_MEMLOCK, &before), ==, 0);
  small = (struct rlimit) { 65536, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &small), ==, 0);
  g_object_set (fixture->models->plan, "last-log2", 24, NULL);
  g_assert_true (gtk_widget_get_visible (get (fixture, "size_warning")));
  g_assert_nonnull (strstr (text_of (fixture, "size_warning"), "192 MiB"));
  g_assert_nonnull (strstr (text_of (fixture, "size_warning"), limit));
  ui_test_next_frame (GTK_WIDGET (fixture->panel));
  panel_photograph (GTK_WIDGET (fixture->panel), "plan-limit");
  memlane_mode_set_put_all (models_get_plan (fixture->models), FALSE);
  memlane_mode_set_put (models_get_plan (fixture->models), "pageable", TRUE); /* locks nothing */
  g_assert_true (gtk_widget_get_visible (get (fixture, "size_warning")));
  g_assert_null (strstr (text_of (fixture, "size_warning"), "ulimit"));
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &before), ==, 0);
}

/* As a person does, key by key. */
static void
type (GtkWidget *entry, const char *text)
{
  int place = 0;

  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  for (; *text != '\0'; text++)
    gtk_editable_insert_text (GTK_EDITABLE (entry), text, 1, &place);
}

/* A list counts instead of the two ends; a wrong one is refused with the words of the command line, and the last right one counts. */
static void
test_size_list (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *list;
    guint n, last; /* sizes, elements */
  } right[] = { { "100000", 1, 100000 }, { "100000,4MiB,10:20", 12, 1048576 }, { "1920, 12", 2, 4096 }, { "2^14", 1, 16384 } };
  static const char *const wrong[] = { "many", "3B", "1920,", "20:10", "99" };
  GtkWidget *entry = get (fixture, "sizes"), *words = get (fixture, "size_warning");
  g_autofree char *name = ui_test_accessible_label (entry);

  g_assert_cmpstr (name, ==, "List of sizes");
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autoptr (MemlanePlan) plan = NULL;

      type (entry, right[i].list);
      plan = memlane_plan_model_make (fixture->models->plan);
      g_assert_cmpuint (memlane_plan_count_sizes (plan), ==, right[i].n);
      g_assert_cmpuint (memlane_size_elements (plan->last_log2), ==, right[i].last);
      assert_cells (fixture, right[i].n);
      g_assert_false (gtk_widget_get_visible (words));
      g_assert_false (gtk_widget_get_sensitive (get (fixture, "first_spin")));
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (MemlanePlan) asked = memlane_plan_new ();
      g_autoptr (GError) error = NULL;

      gtk_editable_set_text (GTK_EDITABLE (entry), ""); /* the two ends count */
      gtk_editable_set_text (GTK_EDITABLE (entry), wrong[i]);
      g_assert_false (memlane_plan_set_size_list (asked, wrong[i], 1, &error));
      g_assert_true (gtk_widget_get_visible (words));
      g_assert_cmpstr (text_of (fixture, "size_warning"), ==, error->message);
      assert_cells (fixture, 11);
    }
  type (entry, "100000,many");
  g_assert_nonnull (strstr (text_of (fixture, "size_warning"), "found \"many\""));
  assert_cells (fixture, 1);
  type (entry, "10:12");
  g_object_set (fixture->models->plan, "per-octave", 4, NULL);
  assert_cells (fixture, 9);
  g_object_set (fixture->models->plan, "per-octave", 1, NULL);
  type (entry, "");
  assert_cells (fixture, 11);
  g_assert_true (gtk_widget_get_sensitive (get (fixture, "first_spin")));
  g_assert_false (gtk_widget_get_visible (words));
}

static void
test_size_texts (void)
{
  static const struct
  {
    const char *text;
    int value; /* -1: refused */
  } cases[] = { { "10", 10 }, { " 2^17 ", 17 }, { "2¹⁰", 10 }, { "2²⁸", 28 }, { "2⁴", 4 }, { "", -1 }, { "2^", -1 }, { "x", -1 },
                { "1e3", -1 }, { "2¹x", -1 }, { "-4", -1 }, { "12345678901234567890", -1 }, { "2", 2 } };
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (memlane_size_spin_parse (cases[i].text, &value), ==, cases[i].value >= 0);
      if (cases[i].value >= 0)
        g_assert_cmpfloat (value, ==, cases[i].value);
    }
  g_assert_true (memlane_size_spin_parse ("100000", &value)); /* elements */
  g_assert_cmpuint (memlane_size_elements (value), ==, 100000);
}

static void
test_method (Fixture *fixture, gconstpointer data)
{
  GtkWidget *method = ui_test_find_id (GTK_WIDGET (fixture->panel), "method");

  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "precision"))), ==, 20);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "precision")), 0.5);
  g_assert_cmpfloat_with_epsilon (ui_test_get (double, fixture->models->plan, "precision"), 0.005,
                                  1e-9);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "per-octave")), 4);
  {
    g_autoptr (MemlanePlan) plan = memlane_plan_model_make (fixture->models->plan);

    g_assert_cmpuint (memlane_plan_count_sizes (plan), ==, 4 * (guint) (plan->last_log2 - plan->first_log2) + 1);
    g_assert_cmpfloat (plan->sizes[4], ==, plan->first_log2 + 1);
  }
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "reuse")), 7);
  g_assert_cmpuint (get_uint (fixture, "reuse"), ==, 7);
  {
    g_autoptr (MemlanePlan) idle = memlane_plan_model_make (fixture->models->plan), busy = NULL;

    gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_test_find_id (method, "beside")), MEMLANE_BESIDE_COMPUTE);
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "busy")), 50);
    busy = memlane_plan_model_make (fixture->models->plan);
    g_assert_cmpint (idle->method.beside, ==, MEMLANE_BESIDE_NONE);
    g_assert_cmpuint (idle->method.busy, ==, 0);
    g_assert_cmpint (busy->method.beside, ==, MEMLANE_BESIDE_COMPUTE);
    g_assert_cmpuint (busy->method.busy, ==, 50);
  }
  g_object_set (fixture->models->plan, "streams", 4, "chunks", 16, "cell-seconds", 1.5, NULL);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (ui_test_find_id (method, "streams"))), ==, 4);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (ui_test_find_id (method, "chunks"))), ==, 16);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "cell-seconds"))), ==, 1.5);
  g_object_set (fixture->models->plan, "first-log2", 10, "last-log2", 10, NULL);
  memlane_mode_set_put_all (models_get_plan (fixture->models), FALSE);
  memlane_mode_set_put (models_get_plan (fixture->models), "pinned", TRUE);
  memlane_mode_set_put (models_get_plan (fixture->models), "mapped", TRUE);
  g_assert_cmpstr (text_of (fixture, "cells"), ==, "2 measurements, about 1 s");
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (ui_test_find_id (method, "rounds"))), ==, 12);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (method, "rounds")), 12);
  g_assert_cmpuint (get_uint (fixture, "rounds"), ==, 12);
  g_assert_cmpstr (text_of (fixture, "cells"), ==, "2 measurements, about 1 s"); /* a simulated device takes one */

  panel_press (get (fixture, "reset_button"));
  g_assert_cmpuint (get_uint (fixture, "reuse"), ==, 1);
  g_assert_cmpuint (get_uint (fixture, "rounds"), ==, 12);
  g_assert_cmpuint (get_uint (fixture, "streams"), ==, 8);
  g_assert_cmpuint (get_uint (fixture, "beside"), ==, MEMLANE_BESIDE_NONE);
  g_assert_cmpuint (get_uint (fixture, "busy"), ==, 100);
  g_assert_cmpfloat (ui_test_get (double, fixture->models->plan, "precision"), ==, 0.2);
  ui_test_next_frame (GTK_WIDGET (method));
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (get (fixture, "scrolled"))), 1e6);
  panel_photograph (GTK_WIDGET (fixture->panel), "plan-method");
}

static void
test_explanation (Fixture *fixture, gconstpointer data)
{
  const MemlaneMode *mode = memlane_mode_find ("mapped");
  GtkMenuButton *button = GTK_MENU_BUTTON (panel_in_row (GTK_WIDGET (fixture->panel), "mapped", "info_button"));
  g_autofree char *label = ui_test_accessible_label (GTK_WIDGET (button)), *copied = NULL;
  GtkWidget *popover;

  g_assert_cmpstr (label, ==, "About Mapped (zero-copy)");
  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  ui_test_wait (ui_test_is_mapped (popover));
  ui_test_next_frame (popover);
  g_assert_nonnull (ui_test_find_text (popover, mode->title));
  g_assert_nonnull (ui_test_find_text (popover, mode->summary));
  g_assert_nonnull (ui_test_find_text (popover, mode->calls));
  g_assert_nonnull (ui_test_find_text (popover, mode->look_for));
  panel_assert_names (popover);
  ui_test_screenshot (popover, "mode-info.png");
  panel_press (ui_test_find_id (popover, "copy_button"));
  copied = ui_test_read_clipboard (GTK_WIDGET (button));
  g_assert_cmpstr (copied, ==, mode->calls);
  gtk_menu_button_popdown (button);
  gtk_menu_button_popup (button); /* the same popover again */
  g_assert_true (GTK_WIDGET (gtk_menu_button_get_popover (button)) == popover);
  gtk_menu_button_popdown (button);
  ui_test_spin (700); /* GTK 4.8 warns when a popover under the pointer is destroyed before its tooltip was due */
}

/* Tab goes through all of it, and arrow keys go from mode to mode. */
static void
test_keyboard (Fixture *fixture, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (fixture->window), *pinned = GTK_WIDGET (get_check (fixture, "pinned"));
  GtkWidget *next = GTK_WIDGET (get_check (fixture, "pinned-async"));
  g_autoptr(GHashTable) visited = g_hash_table_new (NULL, NULL);

  panel_assert_names (GTK_WIDGET (fixture->panel));
  gtk_window_set_focus (fixture->window, NULL);
  for (guint i = 0; i < 200 && gtk_widget_child_focus (root, GTK_DIR_TAB_FORWARD); i++)
    for (GtkWidget *widget = gtk_root_get_focus (GTK_ROOT (root)); widget != NULL; widget = gtk_widget_get_parent (widget))
      g_hash_table_add (visited, widget);
  g_assert_true (g_hash_table_contains (visited, get (fixture, "workload")));
  g_assert_true (g_hash_table_contains (visited, pinned));
  g_assert_true (g_hash_table_contains (visited, panel_in_row (GTK_WIDGET (fixture->panel), "pinned", "info_button")));
  g_assert_true (g_hash_table_contains (visited, get (fixture, "all_button")));
  g_assert_true (g_hash_table_contains (visited, get (fixture, "none_button")));
  g_assert_true (g_hash_table_contains (visited, get (fixture, "first_spin")));
  g_assert_true (g_hash_table_contains (visited, get (fixture, "last_spin")));
  g_assert_true (gtk_widget_grab_focus (pinned));
  g_assert_true (gtk_widget_activate_action (pinned, "mode.next", NULL));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (root)) == next);
  g_assert_true (gtk_widget_activate_action (next, "mode.previous", NULL));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (root)) == pinned);
  gtk_widget_set_sensitive (next, FALSE); /* is passed over */
  g_assert_true (gtk_widget_activate_action (pinned, "mode.next", NULL));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (root)) == GTK_WIDGET (get_check (fixture, "portable")));
  gtk_widget_set_sensitive (next, TRUE);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (get_check (fixture, "pageable"))));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_check (fixture, "pageable")), "mode.previous", NULL));
  next = ui_test_find_id (get (fixture, "family-pageable"), "family_check");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (root)) == next);
  g_assert_true (gtk_widget_activate_action (next, "mode.previous", NULL)); /* the first one */
  g_assert_true (gtk_root_get_focus (GTK_ROOT (root)) == next);
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  int least, height;

  gtk_widget_measure (GTK_WIDGET (fixture->panel), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 640);
  memlane_plan_panel_set_narrow (fixture->panel, TRUE);
  gtk_widget_measure (GTK_WIDGET (fixture->panel), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 320);
  memlane_plan_panel_set_narrow (fixture->panel, FALSE);
  open_families (fixture, FALSE);
  gtk_widget_measure (GTK_WIDGET (fixture->panel), GTK_ORIENTATION_VERTICAL, 640, NULL, &height, NULL, NULL);
  g_assert_cmpint (height, <=, 620); /* all of it is seen at once below the header of 1280x720 */
  panel_photograph (GTK_WIDGET (fixture->panel), "plan-panel");
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  ADD ("/plan-panel/families", test_families);
  ADD ("/plan-panel/modes", test_modes);
  ADD ("/plan-panel/objections", test_objections);
  ADD ("/plan-panel/workload", test_workload);
  ADD ("/plan-panel/sizes", test_sizes);
  ADD ("/plan-panel/limit", test_limit);
  ADD ("/plan-panel/size-list", test_size_list);
  ADD ("/plan-panel/method", test_method);
  ADD ("/plan-panel/explanation", test_explanation);
  ADD ("/plan-panel/keyboard", test_keyboard);
  ADD ("/plan-panel/room", test_room);
  g_test_add_func ("/plan-panel/size-texts", test_size_texts);
  return ui_test_run ();
}
