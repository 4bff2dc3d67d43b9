/* test-chart-view.c: a chart in the window: walking, revealing, what is told, sizes, styles
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart-fixture.h"

/* --- told ------------------------------------------------------------------------------------------------- */

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  MemlaneChart *chart = fixture->view->chart;
  g_autofree char *description = memlane_chart_describe (chart);

  gtk_test_accessible_assert_role (fixture->view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, chart->title);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
  act (fixture, "chart.next-size");
  /* what a key reads is spoken: screen readers follow the description */
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       MEMLANE_FIGURE_WIDGET (fixture->view)->reading);
  move (fixture, 5, 5); /* the pointer is not read aloud */
  move (fixture, find_placed (fixture, "pinned", 13).x, area_of (fixture).y + 1);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, !=, "");
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
  memlane_chart_view_set_chart (fixture->view, NULL);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "");
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Chart");
}

/* A sweep brings a new chart ten times a second: who has the focus is not told all of it each time, but when it leaves. */
static void
test_growing (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneRun) more = sample_run_new ("20261121T101500Z-more", 2);
  g_autofree char *before = memlane_chart_describe (fixture->view->chart), *after = NULL;
  MemlaneChartRun runs[] = { { more, "more" } };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autoptr(MemlaneChart) grown = memlane_chart_build (runs, 1, &options);

  after = memlane_chart_describe (grown);
  g_assert_cmpstr (before, !=, after);
  gtk_widget_grab_focus (GTK_WIDGET (fixture->view));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture->view)));
  memlane_chart_view_set_chart (fixture->view, grown);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, before);
  gtk_window_set_focus (fixture->window, NULL);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, after);
}

static void
test_walk (Fixture *fixture, gconstpointer data)
{
  guint notified = 0;

  g_signal_connect_swapped (fixture->view, "notify::reading", G_CALLBACK (count_cb), &notified);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
  act (fixture, "chart.next-size");
  assert_reading (fixture, 10, NULL);
  act (fixture, "chart.next-size");
  assert_reading (fixture, 11, NULL);
  g_assert_cmpuint (notified, ==, 2);
  act (fixture, "chart.last-size");
  assert_reading (fixture, 14, NULL);
  act (fixture, "chart.next-size");
  assert_reading (fixture, 14, NULL); /* there is nothing beyond */
  g_assert_cmpuint (notified, ==, 3);
  act (fixture, "chart.first-size");
  act (fixture, "chart.previous-size");
  assert_reading (fixture, 10, NULL);

  act (fixture, "chart.next-curve"); /* downwards */
  assert_reading (fixture, 10, "mapped");
  act (fixture, "chart.next-curve");
  assert_reading (fixture, 10, "pinned");
  act (fixture, "chart.next-curve");
  act (fixture, "chart.next-curve");
  assert_reading (fixture, 10, "pageable");
  act (fixture, "chart.previous-curve");
  assert_reading (fixture, 10, "pinned");
  act (fixture, "chart.next-size");
  act (fixture, "chart.next-size");
  assert_reading (fixture, 12, "pinned"); /* the curve stays */
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, "noisy"));
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, "40.0 GB/s"));
}

static void
test_keys (Fixture *fixture, gconstpointer data)
{
  g_assert_true (press (fixture, GDK_KEY_Right, 0));
  assert_reading (fixture, 10, NULL);
  g_assert_true (press (fixture, GDK_KEY_End, 0));
  assert_reading (fixture, 14, NULL);
  g_assert_true (press (fixture, GDK_KEY_Left, 0));
  assert_reading (fixture, 13, NULL);
  g_assert_true (press (fixture, GDK_KEY_Home, 0));
  g_assert_true (press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK));
  assert_reading (fixture, 11, NULL);
  g_assert_true (press (fixture, GDK_KEY_Down, 0));
  assert_reading (fixture, 11, "mapped");
  g_assert_true (press (fixture, GDK_KEY_Up, 0)); /* already at the top */
  assert_reading (fixture, 11, "mapped");
  g_assert_true (press (fixture, GDK_KEY_plus, 0));
  g_assert_true (is_zoomed (fixture));
  g_assert_true (press (fixture, GDK_KEY_minus, 0));
  g_assert_false (is_zoomed (fixture));
  g_assert_true (press (fixture, GDK_KEY_plus, 0));
  g_assert_true (press (fixture, GDK_KEY_0, 0));
  g_assert_false (is_zoomed (fixture));

  /* Escape takes back one thing after the other, and is the window's in the end */
  g_assert_true (press (fixture, GDK_KEY_plus, 0));
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "chart.isolate", "s", id_of (fixture, "pinned"));
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_false (is_zoomed (fixture));
  g_assert_cmpstr (fixture->view->view.isolated, ==, id_of (fixture, "pinned"));
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_null (fixture->view->view.isolated);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
  g_assert_false (press (fixture, GDK_KEY_Escape, 0));
}

/* --- projector -------------------------------------------------------------------------------------------- */

static guint
count_curves (Fixture *fixture)
{
  g_autoptr(GArray) entries = memlane_plot_read (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view)), 12);

  return entries->len;
}

static void
test_projector (Fixture *fixture, gconstpointer data)
{
  guint notified = 0;

  g_signal_connect_swapped (fixture->view, "notify::projector", G_CALLBACK (count_cb), &notified);
  act (fixture, "wall.none"); /* not before the lesson */
  g_assert_cmpuint (count_curves (fixture), ==, 3);
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), TRUE);
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), TRUE);
  g_assert_cmpuint (notified, ==, 1);
  g_assert_cmpint (MEMLANE_FIGURE_WIDGET (fixture->view)->style->kind, ==, MEMLANE_STYLE_PROJECTOR);
  g_assert_cmpuint (count_curves (fixture), ==, 3);
  /* The first step begins the story. */
  for (guint i = 1; i <= 3; i++)
    {
      g_assert_true (press (fixture, GDK_KEY_Right, 0));
      g_assert_cmpuint (count_curves (fixture), ==, i);
      g_assert_cmpint (fixture->view->view.revealed, ==, i);
    }
  g_assert_true (press (fixture, GDK_KEY_Right, 0)); /* all alike */
  g_assert_cmpint (fixture->view->view.revealed, ==, -1);
  g_assert_true (press (fixture, GDK_KEY_Left, 0));
  g_assert_cmpuint (count_curves (fixture), ==, 2);
  for (guint i = 0; i < 5; i++)
    press (fixture, GDK_KEY_Left, 0);
  g_assert_cmpuint (count_curves (fixture), ==, 0);
  act (fixture, "chart.next-size"); /* nothing can be read, and nothing breaks */
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
  /* As a clicker sends it: family by family. */
  for (guint i = 1; i <= 3; i++)
    {
      g_assert_true (press (fixture, GDK_KEY_Page_Down, 0));
      g_assert_cmpuint (count_curves (fixture), ==, i);
      g_assert_true (fixture->view->view.by_family);
    }
  g_assert_true (press (fixture, GDK_KEY_Page_Up, 0));
  g_assert_cmpuint (count_curves (fixture), ==, 2);
  g_assert_true (press (fixture, GDK_KEY_Home, 0));
  g_assert_cmpuint (count_curves (fixture), ==, 0);
  g_assert_true (press (fixture, GDK_KEY_End, 0));
  g_assert_cmpuint (count_curves (fixture), ==, 3);
  g_assert_true (press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK));
  assert_reading (fixture, 10, NULL);
  press (fixture, GDK_KEY_Left, 0);
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), FALSE);
  g_assert_cmpuint (count_curves (fixture), ==, 3);
  g_assert_cmpint (MEMLANE_FIGURE_WIDGET (fixture->view)->style->kind, ==, MEMLANE_STYLE_SCREEN);
}

/* --- focus ------------------------------------------------------------------------------------------------ */

static void
test_focus (Fixture *fixture, gconstpointer data)
{
  const MemlaneView *view = &fixture->view->view;

  g_assert_cmpint (view->form, ==, MEMLANE_FORM_OVERVIEW);
  g_assert_true (press (fixture, GDK_KEY_2, 0));
  g_assert_cmpint (view->focus, ==, MEMLANE_FAMILY_PINNED);
  g_assert_true (press (fixture, GDK_KEY_3, 0));
  g_assert_cmpint (view->focus, ==, MEMLANE_FAMILY_ZERO_COPY);
  press (fixture, GDK_KEY_7, 0); /* the chart has none of it */
  g_assert_cmpint (view->focus, ==, MEMLANE_N_FAMILIES);
  press (fixture, GDK_KEY_1, 0);
  g_assert_cmpint (view->focus, ==, MEMLANE_FAMILY_PAGEABLE);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_cmpint (view->focus, ==, MEMLANE_N_FAMILIES);
  press (fixture, GDK_KEY_2, 0);
  g_assert_true (press (fixture, GDK_KEY_0, 0)); /* nothing is zoomed */
  g_assert_cmpint (view->focus, ==, MEMLANE_N_FAMILIES);
  memlane_chart_view_set_form (fixture->view, MEMLANE_FORM_FAMILIES);
  g_assert_cmpint (view->form, ==, MEMLANE_FORM_FAMILIES);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  g_assert_true (memlane_plot_get_axes (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).has_panels);
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "chart.focus", "s", "pinned"); /* its small plot alone */
  g_assert_false (memlane_plot_get_axes (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).has_panels);
  act (fixture, "chart.stop-focusing");
  g_assert_true (memlane_plot_get_axes (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).has_panels);
}

/* --- surroundings ----------------------------------------------------------------------------------------- */

static void
test_nothing (void)
{
  MemlaneChartView *view = g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL);
  g_autoptr(MemlaneChart) chart = sample_chart_new (MEMLANE_QUANTITY_TIME, MEMLANE_PHASE_ELAPSED, TRUE);
  g_autoptr(MemlaneChart) trouble = sample_chart_new (MEMLANE_QUANTITY_TIME, MEMLANE_PHASE_ALLOC, TRUE);
  static const char *const actions[] = {
    "chart.fit", "chart.zoom-in", "chart.zoom-out", "chart.previous-size", "chart.next-size", "chart.first-size", "chart.last-size",
    "chart.previous-curve", "chart.next-curve", "chart.activate-point", "wall.next", "wall.previous", "wall.next-family",
    "wall.previous-family", "wall.none", "wall.all", "chart.stop-focusing",
  };
  MemlaneChart *const charts[] = { NULL, chart, NULL, trouble };
  Fixture fixture = { 0 };

  g_assert_nonnull (trouble->trouble);
  for (guint shown = 0; shown < 2; shown++)
    {
      fixture.view = view;
      for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
        {
          memlane_chart_view_set_chart (view, charts[i]);
          for (guint j = 0; j < G_N_ELEMENTS (actions); j++)
            gtk_widget_activate_action (GTK_WIDGET (view), actions[j], NULL);
          move (&fixture, 100, 100);
          click (&fixture, 2, 100, 100);
          drag (&fixture, GDK_BUTTON_PRIMARY, 100, 100, 80, 80);
          drop (&fixture, GDK_BUTTON_PRIMARY);
          leave (&fixture);
          if (charts[i] != chart || !shown) /* no size to lay out for before it is shown */
            g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (view)->reading, ==, "");
          if (shown)
            ui_test_next_frame (GTK_WIDGET (view));
        }
      if (!shown)
        fixture.window = ui_test_window_for (GTK_WIDGET (view), 400, 300);
    }
  gtk_window_destroy (fixture.window);
}

static void
test_menu (Fixture *fixture, gconstpointer data)
{
  GType type = GTK_TYPE_POPOVER_MENU;
  GtkWidget *menu;

  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), TRUE);
  g_assert_false (press (fixture, GDK_KEY_Menu, 0)); /* not on the wall */
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), FALSE);
  g_assert_true (press (fixture, GDK_KEY_Menu, 0));
  menu = ui_test_find_type (GTK_WIDGET (fixture->view), type);
  g_assert_nonnull (menu);
  g_assert_true (gtk_widget_get_mapped (menu));
  g_assert_nonnull (ui_test_find_text (menu, "Zoom"));
  g_assert_null (ui_test_find_text (menu, "Print")); /* this window has none */
  gtk_widget_activate_action (menu, "chart.zoom-in", NULL);
  g_assert_true (is_zoomed (fixture));
  gtk_popover_popdown (GTK_POPOVER (menu));
  g_assert_true (press (fixture, GDK_KEY_F10, GDK_SHIFT_MASK));
  g_assert_true (ui_test_find_type (GTK_WIDGET (fixture->view), type) == menu);
  gtk_popover_popdown (GTK_POPOVER (menu));
}

static void
test_finalize (void)
{
  g_autoptr(MemlaneChart) chart = sample_chart_new (MEMLANE_QUANTITY_BANDWIDTH, MEMLANE_PHASE_ELAPSED, FALSE);
  MemlaneChartView *view = g_object_ref_sink (g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (view), 400, 300);

  memlane_chart_view_set_chart (view, chart);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.next-size", NULL);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.isolate", "s", ((MemlaneSeries *) chart->series->pdata[0])->id);
  ui_test_next_frame (GTK_WIDGET (view));
  gtk_window_destroy (window);
  g_assert_finalize_object (view);
  g_assert_cmpint (chart->ref_count, ==, 1);
  /* the style manager lives on and must not call what is gone */
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

/* In a process of its own: libadwaita asks for the contrast once. All figures have it from MemlaneFigureWidget. */
static void
test_high_contrast (void)
{
  if (g_test_subprocess ())
    {
      MemlaneChartView *view = g_object_ref_sink (g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL));

      g_assert_cmpint (MEMLANE_FIGURE_WIDGET (view)->style->kind, ==, MEMLANE_STYLE_HIGH_CONTRAST);
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
      g_assert_cmpint (MEMLANE_FIGURE_WIDGET (view)->style->kind, ==, MEMLANE_STYLE_HIGH_CONTRAST_DARK);
      g_object_unref (view);
      return;
    }
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv ("ADW_DEBUG_HIGH_CONTRAST");
  g_test_trap_assert_passed ();
}

static void
test_text_size_and_direction (Fixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (fixture->view));
  double height = area_of (fixture).height;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 192 * 1024, NULL);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  g_assert_cmpfloat (area_of (fixture).height, <, height); /* larger text leaves less room */
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  g_assert_cmpfloat_with_epsilon (area_of (fixture).height, height, 1);

  gtk_widget_set_direction (GTK_WIDGET (fixture->view), GTK_TEXT_DIR_RTL);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  act (fixture, "chart.next-size"); /* the axis runs as ever */
  assert_reading (fixture, 10, NULL);
  g_assert_cmpfloat (find_placed (fixture, "pinned", 10).x, <, find_placed (fixture, "pinned", 14).x);
}

static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  static const char *const acts[] = { "chart.next-size", "chart.next-curve", "chart.zoom-in", NULL };

  figure_test_sizes (fixture->view, acts, "chart.fit");
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  CHART_TEST ("/chart-view/accessible", test_accessible);
  CHART_TEST ("/chart-view/growing", test_growing);
  CHART_TEST ("/chart-view/walk", test_walk);
  CHART_TEST ("/chart-view/keys", test_keys);
  CHART_TEST ("/chart-view/projector", test_projector);
  CHART_TEST ("/chart-view/focus", test_focus);
  CHART_TEST ("/chart-view/menu", test_menu);
  CHART_TEST ("/chart-view/text-size-and-direction", test_text_size_and_direction);
  CHART_TEST ("/chart-view/sizes", test_sizes);
  g_test_add_func ("/chart-view/nothing", test_nothing);
  g_test_add_func ("/chart-view/finalize", test_finalize);
  g_test_add_func ("/chart-view/high-contrast", test_high_contrast);
  return ui_test_run ();
}
