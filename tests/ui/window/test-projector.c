/* test-projector.c: full screen for an audience: the keys in and out, revealing, toasts beside the reading, the colours' settings
 *
 * SPDX-License-Identifier: MIT
 */
#include "parts/settings.h"
#include "ui/window-fixture.h"

static MemlaneChartView *
get_view (Stage *stage)
{
  return MEMLANE_CHART_VIEW (memlane_page_get_figure (memlane_window_get_page (stage->window, "bandwidth")));
}

static gboolean
is_projecting (Stage *stage)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (stage->window), "projector");

  return g_variant_get_boolean (state);
}

/* What the application has bound to the key. */
static void
press_f11 (Stage *stage)
{
  g_auto (GStrv) actions = gtk_application_get_actions_for_accel (GTK_APPLICATION (stage->application), "F11");

  g_assert_cmpuint (g_strv_length (actions), ==, 1);
  g_assert_true (g_str_has_prefix (actions[0], "win."));
  stage_do (stage, actions[0] + strlen ("win."), NULL);
}

static gboolean
press_key (Stage *stage, guint key)
{
  return ui_test_press_window (GTK_WIDGET (stage->window), key);
}

static gboolean
press_escape (Stage *stage)
{
  return press_key (stage, GDK_KEY_Escape);
}

static void
test_in_and_out (void)
{
  g_auto (Stage) stage = stage_open_drawn ();

  g_assert_false (press_escape (&stage)); /* the chart's */
  press_f11 (&stage);
  g_assert_true (is_projecting (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (get_view (&stage)))); /* its keys reveal */
  g_assert_true (press_escape (&stage));
  g_assert_false (is_projecting (&stage));
  press_f11 (&stage);
  g_assert_true (is_projecting (&stage));
  press_f11 (&stage);
  g_assert_false (is_projecting (&stage));
  g_assert_true (gtk_widget_get_mapped (ui_test_find_id (GTK_WIDGET (stage.window), "run_button")));
}

/* Right and Left tell the story curve by curve; outside the projector they walk. */
static void
test_reveal (void)
{
  int before, i;
  g_auto (Stage) stage = stage_open_drawn ();
  MemlaneChartView *view = get_view (&stage);
  GtkWidget *widget = GTK_WIDGET (view);

  press_f11 (&stage);
  for (i = 0; i < 40; i++)
    g_assert_true (ui_test_press (widget, GDK_KEY_Left, 0));
  g_assert_cmpint (view->view.revealed, ==, 0);
  g_assert_true (ui_test_press (widget, GDK_KEY_Right, 0));
  g_assert_true (ui_test_press (widget, GDK_KEY_Right, 0));
  g_assert_cmpint (view->view.revealed, ==, 2);
  g_assert_true (ui_test_press (widget, GDK_KEY_Left, 0));
  g_assert_cmpint (view->view.revealed, ==, 1);
  ui_test_screenshot (GTK_WIDGET (stage.window), "window-projector-one.png");
  g_assert_true (press_escape (&stage));
  before = view->view.revealed;
  g_assert_true (ui_test_press (widget, GDK_KEY_Right, 0));
  g_assert_cmpint (view->view.revealed, ==, before);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (view)->reading, !=, "");
}

/* The keys of a talk and of a clicker, whatever has the focus; in the window they are the page's. */
static void
test_keys (void)
{
  static const guint keys[] = { GDK_KEY_Home, GDK_KEY_End, GDK_KEY_Page_Down, GDK_KEY_Page_Up, GDK_KEY_b };
  GtkWidget *blank;
  int family;
  g_auto (Stage) stage = stage_open_drawn ();
  const MemlaneView *view = &get_view (&stage)->view;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_false (press_key (&stage, keys[i]));
  press_f11 (&stage);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  blank = ui_test_find_id (GTK_WIDGET (stage.window), "blank");
  g_assert_true (press_key (&stage, GDK_KEY_Home));
  g_assert_cmpint (view->revealed, ==, 0);
  g_assert_true (press_key (&stage, GDK_KEY_Page_Down));
  family = view->revealed; /* the curves of the first one */
  g_assert_cmpint (family, >=, 1);
  g_assert_true (view->by_family);
  g_assert_true (press_key (&stage, GDK_KEY_Page_Down));
  g_assert_cmpint (view->revealed, >, family);
  g_assert_true (press_key (&stage, GDK_KEY_Page_Up));
  g_assert_cmpint (view->revealed, ==, family);
  g_assert_true (press_key (&stage, GDK_KEY_b));
  g_assert_true (gtk_widget_get_visible (blank));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "window-projector-blank.png");
  g_assert_true (press_key (&stage, GDK_KEY_Right)); /* brings the figure back, and does no more */
  g_assert_false (gtk_widget_get_visible (blank));
  g_assert_cmpint (view->revealed, ==, family);
  g_assert_true (press_key (&stage, GDK_KEY_End));
  g_assert_cmpint (view->revealed, ==, -1);
  g_assert_true (press_key (&stage, GDK_KEY_b));
  g_assert_true (press_escape (&stage)); /* leaves at once, and nothing stays blank */
  g_assert_false (is_projecting (&stage));
  g_assert_false (gtk_widget_get_visible (blank));
}

/* Whether the toast that is seen lies over nothing of the figure. */
static gboolean
is_clear (Stage *stage)
{
  GtkWidget *window = GTK_WIDGET (stage->window), *toast = ui_test_find_toast (window);
  graphene_rect_t of_toast, of_figure;

  return toast != NULL && gtk_widget_get_mapped (toast) && gtk_widget_compute_bounds (toast, window, &of_toast)
         && gtk_widget_compute_bounds (GTK_WIDGET (get_view (stage)), window, &of_figure)
         && (of_toast.origin.y >= of_figure.origin.y + of_figure.size.height
             || of_toast.origin.y + of_toast.size.height <= of_figure.origin.y)
         && of_toast.origin.y + of_toast.size.height <= gtk_widget_get_height (window);
}

/* The figure has all of the wall again. */
static gboolean
has_room (Stage *stage)
{
  return gtk_widget_get_height (GTK_WIDGET (get_view (stage))) == gtk_widget_get_height (GTK_WIDGET (stage->window));
}

static void
test_toasts (void)
{
  g_auto (Stage) stage = stage_open_drawn ();

  press_f11 (&stage);
  ui_test_wait (gtk_widget_get_height (GTK_WIDGET (stage.window)) > 0);
  stage_wait_toast (&stage, "Escape leaves the projector");
  ui_test_wait (is_clear (&stage));
  g_signal_emit_by_name (stage.models->sweep, "notice",
                         "something is wrong, and it takes a long sentence to say what it is and what to do about it", TRUE);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_null (strstr (stage_get_toast (&stage), "wrong")); /* it waits until the wall is left */
  ui_test_wait (is_clear (&stage));
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1000, 900); /* the reading's text grows with the window */
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_wait (is_clear (&stage));
  ui_test_screenshot (GTK_WIDGET (stage.window), "window-projector-toast.png");
  ui_test_wait (has_room (&stage));
  press_f11 (&stage);
  stage_wait_toast (&stage, "Something is wrong");
  g_assert_cmpint (gtk_widget_get_margin_bottom (ui_test_find_toast (GTK_WIDGET (stage.window))), ==, 0);
}

/* How many runs have curves in the figure. */
static guint
count_runs (Stage *stage)
{
  const MemlaneChart *chart = get_view (stage)->chart;
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; chart != NULL && i < chart->series->len; i++)
    {
      const MemlaneSeries *series = chart->series->pdata[i];

      if (series->run != NULL)
        g_hash_table_add (runs, series->run);
    }
  return g_hash_table_size (runs);
}

/* The wall shows one run, and all that are ticked when R asks for them. */
static void
test_runs (void)
{
  static const char *const few[] = { "pageable", "pinned", NULL };
  g_auto (Stage) stage = stage_open_drawn ();

  stage_choose_modes (&stage, few);
  stage_sweep (&stage);
  ui_test_wait (count_runs (&stage) == 2);
  press_f11 (&stage);
  ui_test_wait (count_runs (&stage) == 1);
  g_assert_true (press_key (&stage, GDK_KEY_r));
  ui_test_wait (count_runs (&stage) == 2);
  g_assert_true (press_key (&stage, GDK_KEY_r));
  ui_test_wait (count_runs (&stage) == 1);
  press_f11 (&stage);
  ui_test_wait (count_runs (&stage) == 2);
}

static gboolean
is_drawn_dark (gpointer data)
{
  return MEMLANE_FIGURE_WIDGET (data)->style->kind == MEMLANE_STYLE_PROJECTOR_DARK;
}

static gboolean
is_drawn_light (gpointer data)
{
  return MEMLANE_FIGURE_WIDGET (data)->style->kind == MEMLANE_STYLE_PROJECTOR;
}

/* The projector has a setting of its own, in force at once; the desktop's does not disturb it. */
static void
test_colors (void)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_auto (Stage) stage = stage_open_drawn ();
  MemlaneChartView *view = get_view (&stage);

  press_f11 (&stage);
  ui_test_wait (is_drawn_light (view));
  memlane_settings_set_boolean ("projector-dark", TRUE);
  ui_test_wait (is_drawn_dark (view));
  g_assert_true (adw_style_manager_get_dark (manager));
  memlane_settings_set_string ("color-scheme", "light");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (is_drawn_dark (view));
  memlane_settings_set_boolean ("projector-dark", FALSE);
  ui_test_wait (is_drawn_light (view));
  memlane_settings_set_string ("color-scheme", "dark");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (is_drawn_light (view));
  g_assert_true (press_key (&stage, GDK_KEY_d));
  ui_test_wait (is_drawn_dark (view));
  g_assert_true (press_key (&stage, GDK_KEY_d));
  ui_test_wait (is_drawn_light (view));
  g_assert_true (press_escape (&stage));
  ui_test_wait (!is_projecting (&stage));
  g_assert_false (press_key (&stage, GDK_KEY_d)); /* the page's again */
  g_assert_true (adw_style_manager_get_dark (manager));
  g_assert_cmpint (MEMLANE_FIGURE_WIDGET (view)->style->kind, ==, MEMLANE_STYLE_DARK);
  memlane_settings_set_string ("color-scheme", "system");
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/projector/in-and-out", test_in_and_out);
  g_test_add_func ("/projector/reveal", test_reveal);
  g_test_add_func ("/projector/keys", test_keys);
  g_test_add_func ("/projector/toasts", test_toasts);
  g_test_add_func ("/projector/runs", test_runs);
  g_test_add_func ("/projector/colors", test_colors);
  return ui_test_run ();
}
