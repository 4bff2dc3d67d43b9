/* test-chart-page.c: the Bandwidth and Time pages: what they offer, what they show, when they build
 *
 * SPDX-License-Identifier: MIT
 */
#include "curves/chart-view.h"
#include "curves/chart-page.h"
#include "ui/sample-chart.h"
#include "ui/figure-test.h"
#include "ui/models-fixture.h"
#include "ui/ui-test.h"

typedef struct
{
  MemlaneModels *models;
  MemlaneChartPage *page;
  GtkWindow *window;
  guint runs_pressed, recorded_pressed;
} Fixture;

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ((Fixture *) data)->runs_pressed++;
}

static void
recorded_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ((Fixture *) data)->recorded_pressed++;
}

static MemlaneChartPage *
page_new (MemlaneModels *models, MemlaneQuantity quantity)
{
  return MEMLANE_CHART_PAGE (memlane_chart_page_new (quantity, models->runs, models->view, models->sweep));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const GActionEntry entries[] = { { .name = "run", .activate = run_cb }, { .name = "open-recorded", .activate = recorded_cb } };
  g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autofree char *folder = ui_test_path ("runs");

  /* not started: no device is asked, and no run is there but those of the test */
  fixture->models = memlane_models_new (folder);
  g_object_set (fixture->models->plan, "workload", "vector-add", NULL);
  g_object_set (fixture->models->view, "phase", MEMLANE_PHASE_ELAPSED, "time-phase", MEMLANE_PHASE_ELAPSED,
                "show-published", FALSE, "show-ceilings", TRUE, "bandwidth-axis", MEMLANE_AXIS_LINEAR, NULL);
  fixture->page = page_new (fixture->models, GPOINTER_TO_INT (data));
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), fixture);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->page), 800, 500);
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "win", G_ACTION_GROUP (actions));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  memlane_models_shut_down (fixture->models);
  memlane_models_free (fixture->models);
}

/* A live run with the sample's cells. */
static MemlaneRunItem *
show_run (Fixture *fixture, const char *name, double factor)
{
  MemlaneRunStore *store = fixture->models->runs;
  g_autoptr(MemlaneRun) run = sample_run_new (name, factor);
  MemlaneRunItem *item = memlane_run_store_begin (store, "simulated:h200", "simulated", name);

  memlane_run_store_grow (store, item, run->cells);
  return item;
}

static void
end_run (Fixture *fixture, MemlaneRunItem *item)
{
  memlane_run_store_end (fixture->models->runs, item, NULL, NULL);
}

static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->page), id);

  g_assert_nonnull (widget);
  return widget;
}

static gboolean
shows_chart (gpointer data)
{
  return g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (get (data, "stack"))), "chart");
}

static MemlaneChart *
get_chart (Fixture *fixture)
{
  return MEMLANE_CHART_VIEW (memlane_page_get_figure (MEMLANE_PAGE (fixture->page)))->chart;
}

static guint
count_phases (Fixture *fixture)
{
  return g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (get (fixture, "phases"))));
}

static const char *
selected_phase (Fixture *fixture)
{
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (GTK_DROP_DOWN (get (fixture, "phases"))));
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  AdwStatusPage *status = ADW_STATUS_PAGE (get (fixture, "nothing"));
  MemlaneRunStore *store = fixture->models->runs;
  MemlaneRunItem *item;

  ui_test_wait (!shows_chart (fixture));
  g_assert_cmpstr (adw_status_page_get_title (status), ==, "Reading the runs"); /* what is kept is not known yet */
  g_assert_false (gtk_widget_get_visible (get (fixture, "run")));
  memlane_run_store_load (store);
  ui_test_wait (!memlane_run_store_is_reading (store));
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, recorded, store)
    memlane_run_item_set_shown (recorded, FALSE);
  ui_test_wait (g_str_equal (adw_status_page_get_title (status), "No run is shown"));
  g_assert_nonnull (strstr (adw_status_page_get_description (status), "Tick a run"));
  g_assert_false (gtk_widget_get_visible (get (fixture, "show_all")));
  g_signal_emit_by_name (get (fixture, "run"), "clicked");
  g_signal_emit_by_name (get (fixture, "recorded"), "clicked");
  g_assert_cmpuint (fixture->runs_pressed, ==, 1);
  g_assert_cmpuint (fixture->recorded_pressed, ==, 1);
  g_assert_cmpuint (count_phases (fixture), ==, 4); /* all that a bandwidth page has */

  item = show_run (fixture, "one", 1);
  ui_test_wait (shows_chart (fixture));
  g_object_set (fixture->models->view, "phase", MEMLANE_PHASE_KERNEL, NULL);
  ui_test_wait (!shows_chart (fixture));
  g_assert_cmpstr (adw_status_page_get_title (status), ==, "Nothing to draw");
  g_assert_cmpstr (adw_status_page_get_description (status), ==, get_chart (fixture)->trouble);
  g_assert_false (gtk_widget_get_visible (get (fixture, "recorded")));
  g_assert_nonnull (strstr (selected_phase (fixture), "not measured"));

  /* Every mode is hidden: one click shows them. */
  memlane_mode_set_put_all (fixture->models->view->modes, FALSE);
  ui_test_wait (gtk_widget_get_visible (get (fixture, "show_all")));
  g_assert_false (gtk_widget_get_visible (get (fixture, "run")));
  g_signal_emit_by_name (get (fixture, "show_all"), "clicked");
  g_assert_true (memlane_mode_set_has (fixture->models->view->modes, "pinned"));
  end_run (fixture, item);
}

static void
test_phases (Fixture *fixture, gconstpointer data)
{
  gboolean time = GPOINTER_TO_INT (data) == MEMLANE_QUANTITY_TIME;
  const char *property = time ? "time-phase" : "phase", *other = time ? "phase" : "time-phase";
  MemlaneRunItem *item = show_run (fixture, "one", 1);
  int phase;

  ui_test_wait (shows_chart (fixture));
  g_assert_cmpint (get_chart (fixture)->quantity, ==, GPOINTER_TO_INT (data));
  g_assert_cmpuint (count_phases (fixture), ==, 2); /* upload and elapsed are what was measured */
  g_assert_cmpstr (selected_phase (fixture), ==, memlane_chart_phase_title (MEMLANE_PHASE_ELAPSED));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "phases")), 0);
  g_object_get (fixture->models->view, property, &phase, NULL);
  g_assert_cmpint (phase, ==, MEMLANE_PHASE_UPLOAD);
  g_object_get (fixture->models->view, other, &phase, NULL);
  g_assert_cmpint (phase, ==, MEMLANE_PHASE_ELAPSED);
  ui_test_wait (get_chart (fixture)->phase == MEMLANE_PHASE_UPLOAD
                && get_chart (fixture)->series->len > 0);
  g_assert_cmpstr (selected_phase (fixture), ==, memlane_chart_phase_title (MEMLANE_PHASE_UPLOAD));
  g_object_set (fixture->models->view, property, MEMLANE_PHASE_ELAPSED, NULL);
  while (get_chart (fixture)->phase == MEMLANE_PHASE_UPLOAD && get_chart (fixture)->series->len > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (selected_phase (fixture), ==, memlane_chart_phase_title (MEMLANE_PHASE_ELAPSED));
  end_run (fixture, item);
}

/* The label of the entry of the View menu with that action, or NULL. (transfer full) */
static char *
find_entry (GMenuModel *menu, const char *action)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *name = NULL;
      char *label = section != NULL ? find_entry (section, action) : NULL;

      if (label != NULL)
        return label;
      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &name) && g_str_equal (name, action)
          && g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
        return label;
    }
  return NULL;
}

static gboolean
offers (Fixture *fixture, const char *action)
{
  g_autofree char *label = find_entry (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (get (fixture, "view_menu"))), action);

  return label != NULL;
}

/* Where nothing is published the menu does not offer it; a time has no limits. */
static void
test_menu (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = show_run (fixture, "one", 1);
  gboolean time = GPOINTER_TO_INT (data) == MEMLANE_QUANTITY_TIME;

  ui_test_wait (shows_chart (fixture));
  g_assert_false (!offers (fixture, "win.published"));
  g_assert_cmpint (offers (fixture, "win.ceilings"), ==, !time);
  g_assert_true (offers (fixture, "win.log-values"));
  g_assert_true (offers (fixture, "view.fit"));
  g_object_set (fixture->models->view, "shown-workload", "fill", NULL);
  ui_test_wait (!offers (fixture, "win.published"));
  g_object_set (fixture->models->view, "shown-workload", "vector-add", NULL);
  end_run (fixture, item);
}

/* The axis is what the person chose, or goes by the values. */
static void
test_axis (Fixture *fixture, gconstpointer data)
{
  gboolean time = GPOINTER_TO_INT (data) == MEMLANE_QUANTITY_TIME;
  const char *property = time ? "time-axis" : "bandwidth-axis";
  MemlaneRunItem *item = show_run (fixture, "one", 1);

  ui_test_wait (shows_chart (fixture));
  g_assert_cmpstr (memlane_page_get_axis_property (MEMLANE_PAGE (fixture->page)), ==, property);
  g_object_set (fixture->models->view, property, MEMLANE_AXIS_LOG, NULL);
  ui_test_wait (get_chart (fixture)->value_scale == MEMLANE_SCALE_LOG10);
  g_assert_true (memlane_view_model_is_logarithmic (fixture->models->view, property));
  g_object_set (fixture->models->view, property, MEMLANE_AXIS_AUTOMATIC, NULL); /* the sample spans a factor of less than 1,000 */
  while (get_chart (fixture)->value_scale == MEMLANE_SCALE_LOG10)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (memlane_view_model_is_logarithmic (fixture->models->view, property));
  end_run (fixture, item);
}

static gboolean
is_fitted (Fixture *fixture)
{
  return !ui_test_get (gboolean, memlane_page_get_figure (MEMLANE_PAGE (fixture->page)), "zoomed");
}

/* What is read is a box at the crosshair, and what a screen reader says; the figure is not drawn again. */
static void
test_reading (Fixture *fixture, gconstpointer data)
{
  MemlaneChartView *view = MEMLANE_CHART_VIEW (memlane_page_get_figure (MEMLANE_PAGE (fixture->page)));
  MemlaneRunItem *item = show_run (fixture, "one", 1);
  guint figure, figure_after;

  ui_test_wait (shows_chart (fixture));
  g_assert_null (ui_test_find_id (GTK_WIDGET (fixture->page), "reading"));
  ui_test_spin (100); /* what the run still changes is drawn */
  ui_test_next_frame (GTK_WIDGET (view));
  figure_test_count_paints (view, &figure, NULL);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.next-size", NULL);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.next-curve", NULL);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (view)->reading, !=, "");
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       MEMLANE_FIGURE_WIDGET (view)->reading);
  ui_test_next_frame (GTK_WIDGET (view));
  ui_test_next_frame (GTK_WIDGET (view));
  figure_test_count_paints (view, &figure_after, NULL);
  g_assert_cmpuint (figure_after, ==, figure);

  g_assert_true (is_fitted (fixture));
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.zoom-in", NULL);
  g_assert_false (is_fitted (fixture));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->page), "view.fit", NULL));
  g_assert_true (is_fitted (fixture));
  end_run (fixture, item);
}

static void
test_projector (Fixture *fixture, gconstpointer data)
{
  MemlaneChartView *view = MEMLANE_CHART_VIEW (memlane_page_get_figure (MEMLANE_PAGE (fixture->page)));
  MemlaneRunItem *item = show_run (fixture, "one", 1);

  ui_test_wait (shows_chart (fixture));
  memlane_page_set_projector (MEMLANE_PAGE (fixture->page), TRUE);
  g_assert_true (ui_test_get (gboolean, view, "projector"));
  g_assert_false (gtk_widget_get_visible (get (fixture, "bar")));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (view)));
  gtk_widget_activate_action (GTK_WIDGET (view), "wall.next", NULL);
  g_assert_cmpint (view->view.revealed, ==, 1);
  memlane_page_set_projector (MEMLANE_PAGE (fixture->page), FALSE);
  g_assert_true (gtk_widget_get_visible (get (fixture, "bar")));
  g_assert_cmpint (view->view.revealed, ==, -1);
  end_run (fixture, item);
}

/* The menu of views. */
static void
test_forms (Fixture *fixture, gconstpointer data)
{
  MemlaneChartView *view = MEMLANE_CHART_VIEW (memlane_page_get_figure (MEMLANE_PAGE (fixture->page)));
  MemlaneRunItem *item = show_run (fixture, "one", 1);
  static const char *const forms[] = { [MEMLANE_FORM_OVERVIEW] = "overview", [MEMLANE_FORM_FAMILIES] = "families" };

  ui_test_wait (shows_chart (fixture));
  for (guint i = G_N_ELEMENTS (forms); i-- > 0;)
    {
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->page), "view.form", "s", forms[i]));
      g_assert_cmpint (view->view.form, ==, i);
      ui_test_next_frame (GTK_WIDGET (view));
    }
  end_run (fixture, item);
}

static void
changed_cb (guint *count)
{
  (*count)++;
}

/* What is not seen is not built, but when it is seen again. */
static void
test_unmapped (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = show_run (fixture, "one", 1), *two;
  MemlaneChart *before;
  guint changed = 0;

  ui_test_wait (shows_chart (fixture));
  gtk_widget_set_visible (GTK_WIDGET (fixture->page), FALSE);
  before = memlane_chart_ref (get_chart (fixture));
  g_signal_connect_swapped (fixture->models->view, "changed", G_CALLBACK (changed_cb), &changed);
  two = show_run (fixture, "two", 2);
  ui_test_wait (changed > 0);
  g_assert_true (get_chart (fixture) == before);
  gtk_widget_set_visible (GTK_WIDGET (fixture->page), TRUE);
  ui_test_wait (ui_test_is_mapped (fixture->page));
  g_assert_true (get_chart (fixture) != before);
  g_assert_cmpuint (get_chart (fixture)->series->len, >, before->series->len);
  memlane_chart_unref (before);
  g_signal_handlers_disconnect_by_data (fixture->models->view, &changed);
  end_run (fixture, two);
  end_run (fixture, item);
}

int
main (int argc, char **argv)
{
  const struct
  {
    const char *name;
    MemlaneQuantity quantity;
    void (*function) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/chart-page/nothing", MEMLANE_QUANTITY_BANDWIDTH, test_nothing },
    { "/chart-page/phases", MEMLANE_QUANTITY_BANDWIDTH, test_phases },
    { "/chart-page/time-phases", MEMLANE_QUANTITY_TIME, test_phases },
    { "/chart-page/axis", MEMLANE_QUANTITY_BANDWIDTH, test_axis },
    { "/chart-page/menu", MEMLANE_QUANTITY_BANDWIDTH, test_menu },
    { "/chart-page/time-axis", MEMLANE_QUANTITY_TIME, test_axis },
    { "/chart-page/time-menu", MEMLANE_QUANTITY_TIME, test_menu },
    { "/chart-page/reading", MEMLANE_QUANTITY_TIME, test_reading },
    { "/chart-page/projector", MEMLANE_QUANTITY_BANDWIDTH, test_projector },
    { "/chart-page/forms", MEMLANE_QUANTITY_BANDWIDTH, test_forms },
    { "/chart-page/unmapped", MEMLANE_QUANTITY_BANDWIDTH, test_unmapped },
  };

  ui_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, GINT_TO_POINTER (tests[i].quantity), set_up, tests[i].function, tear_down);
  return ui_test_run ();
}
