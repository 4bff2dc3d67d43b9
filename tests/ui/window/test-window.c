/* test-window.c: every size, direction and text size; names and the keyboard's way; projector,
 * pages, menus
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_LEAKS_ELSEWHERE
#include "window/preferences.h"
#include "ui/scene.h"

static gboolean
match_lacking_icon (GtkWidget *widget, gpointer data)
{
  const char *name = GTK_IS_IMAGE (widget) ? gtk_image_get_icon_name (GTK_IMAGE (widget)) : NULL;

  *(guint *) data += name != NULL;
  return name != NULL
         && !gtk_icon_theme_has_icon (
             gtk_icon_theme_get_for_display (gtk_widget_get_display (widget)), name);
}

static const char *const pages[] = { "bandwidth", "time",        "table",  "timeline",
                                     "decide",    "experiments", "lessons" };

static void
see_every_page (Stage *stage)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      stage_do (stage, "page", g_variant_new_string (pages[i]));
      ui_test_next_frame (GTK_WIDGET (stage->window));
    }
  stage_do (stage, "page", g_variant_new_string ("bandwidth"));
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

/* Allocates the window's own content, which a screen does not limit. */
static void
set_size (Stage *stage, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (stage->window), width, height);
  ui_test_next_frame (GTK_WIDGET (stage->window));
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

static void
test_sizes (void)
{
  static const int sizes[][2] = { { 320, 240 },   { 360, 720 },   { 640, 480 }, { 1280, 720 },
                                  { 1920, 1080 }, { 3840, 2160 }, { 320, 240 } };
  gsize i;
  int least, natural;
  g_auto (Stage) stage = stage_open_drawn ();

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *name = g_strdup_printf ("window-%dx%d.png", sizes[i][0], sizes[i][1]);

      set_size (&stage, sizes[i][0], sizes[i][1]);
      see_every_page (&stage);
      ui_test_screenshot (GTK_WIDGET (stage.window), name);
    }
  /* What does not fit is scrolled or given up, never cut off by the screen's edge. */
  gtk_widget_measure (gtk_widget_get_first_child (GTK_WIDGET (stage.window)),
                      GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <=, 320);
}

static void
test_right_to_left (void)
{
  Stage stage;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  stage = stage_open_drawn ();
  set_size (&stage, 1280, 720);
  see_every_page (&stage);
  ui_test_screenshot (GTK_WIDGET (stage.window), "window-rtl.png");
  stage_close (&stage);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
test_double_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  Stage stage;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * (dpi > 0 ? dpi : 96 * 1024), NULL);
  stage = stage_open_drawn ();
  set_size (&stage, 1280, 720);
  see_every_page (&stage);
  ui_test_screenshot (GTK_WIDGET (stage.window), "window-double-text.png");
  set_size (&stage, 640, 480);
  see_every_page (&stage);
  stage_close (&stage);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

static gboolean
match_nameless (GtkWidget *widget, gpointer data)
{
  guint *controls = data;

  if (!GTK_IS_BUTTON (widget) && !GTK_IS_MENU_BUTTON (widget) && !GTK_IS_CHECK_BUTTON (widget)
      && !GTK_IS_SWITCH (widget) && !GTK_IS_SPIN_BUTTON (widget) && !GTK_IS_ENTRY (widget)
      && !GTK_IS_SEARCH_ENTRY (widget) && !GTK_IS_DROP_DOWN (widget)
      && !MEMLANE_IS_CHART_VIEW (widget) && !GTK_IS_PROGRESS_BAR (widget))
    return FALSE;
  /* Parts of a spin button or a menu button are named by the whole. */
  if (gtk_widget_get_parent (widget) != NULL
      && (GTK_IS_SPIN_BUTTON (gtk_widget_get_parent (widget))
          || GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget))
          || GTK_IS_DROP_DOWN (gtk_widget_get_parent (widget))))
    return FALSE;
  /* The window's own buttons are the toolkit's. */
  if (gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL)
    return FALSE;
  (*controls)++;
  return !ui_test_has_name (widget);
}

static void
assert_all_named (GtkWidget *root, guint least)
{
  guint controls = 0;
  GtkWidget *nameless = ui_test_find (root, match_nameless, &controls);

  if (nameless != NULL)
    {
      const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (nameless));

      g_error ("%s %s in %s has no accessible name", G_OBJECT_TYPE_NAME (nameless),
               id != NULL ? id : "", G_OBJECT_TYPE_NAME (gtk_widget_get_parent (nameless)));
    }
  g_assert_cmpuint (controls, >=, least);
}

static void
test_names (void)
{
  GtkWindow *preferences;
  g_auto (Stage) stage = stage_open_drawn ();

  see_every_page (&stage);
  assert_all_named (GTK_WIDGET (stage.window), 40);
  preferences = memlane_preferences_new (GTK_WINDOW (stage.window), "/somewhere");
  /* All but what libadwaita puts around it. */
  assert_all_named (ui_test_find_type (GTK_WIDGET (preferences), ADW_TYPE_PREFERENCES_PAGE), 4);
  gtk_window_destroy (preferences);
}

/* Whether the button above the runs is whole in the side panel. */
static gboolean
shows_open (GtkWidget *window)
{
  GtkWidget *button = ui_test_find_id (window, "open_button"),
            *side = gtk_widget_get_ancestor (button, GTK_TYPE_PANED);
  graphene_rect_t area;

  return gtk_widget_get_mapped (button) && gtk_widget_compute_bounds (button, side, &area)
         && area.origin.y >= 0
         && area.origin.y + area.size.height <= (float) gtk_paned_get_position (GTK_PANED (side));
}

/* (transfer full): where the device's button, the side panel and the switcher are, on every page.
 */
static char *
describe_form (Stage *stage)
{
  GtkWidget *window = GTK_WIDGET (stage->window),
            *device = ui_test_find_type (window, g_type_from_name ("MemlaneDeviceButton"));
  GString *form = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *box = ui_test_find_id (window, "side_box");

      stage_do (stage, "page", g_variant_new_string (pages[i]));
      ui_test_next_frame (window);
      ui_test_next_frame (window);
      g_string_append_printf (
          form, "%s: panel %d px, %s, device in the %s, switcher at the %s, decoration %s\n",
          pages[i], gtk_widget_get_mapped (box) ? gtk_widget_get_width (box) : 0,
          shows_open (window) ? "runs to open" : "no runs",
          gtk_widget_is_ancestor (device, box) ? "panel" : "header",
          adw_view_switcher_bar_get_reveal (
              ADW_VIEW_SWITCHER_BAR (ui_test_find_id (window, "switcher_bar")))
              ? "bottom"
              : "top",
          adw_header_bar_get_decoration_layout (
              ADW_HEADER_BAR (ui_test_find_id (window, "header"))));
    }
  stage_do (stage, "page", g_variant_new_string ("bandwidth"));
  return g_string_free (form, FALSE);
}

/* Waits until nothing moves, however slow the machine is. (transfer full) */
static char *
describe_at_rest (Stage *stage)
{
  char *last = describe_form (stage);

  for (guint same = 0; same < 5;)
    {
      char *now;

      ui_test_spin (100);
      now = describe_form (stage);
      same = g_str_equal (now, last) ? same + 1 : 0;
      g_free (last);
      last = now;
    }
  return last;
}

static gboolean
match_cut (GtkWidget *widget, gpointer data)
{
  if (!GTK_IS_LABEL (widget) || !gtk_widget_get_mapped (widget)
      || *gtk_label_get_text (GTK_LABEL (widget)) == '\0')
    return FALSE;
  ++*(guint *) data;
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
}

/* Nothing in the header ends in dots, on no page. Returns the labels on the last page. */
static guint
assert_header_whole (Stage *stage)
{
  GtkWidget *header = ui_test_find_id (GTK_WIDGET (stage->window), "header");
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *cut;

      stage_do (stage, "page", g_variant_new_string (pages[i]));
      ui_test_next_frame (GTK_WIDGET (stage->window));
      n = 0;
      cut = ui_test_find (header, match_cut, &n);
      if (cut != NULL)
        g_error ("%s is cut in the header of %s", gtk_label_get_text (GTK_LABEL (cut)), pages[i]);
    }
  stage_do (stage, "page", g_variant_new_string ("bandwidth"));
  return n;
}

/* The width alone decides: not how the window came to it, not a name that was long for a moment,
 * not the start. */
static void
test_one_form (void)
{
  static const int widths[] = { 1280, 1120, 980, 940, 700, 400 };
  const guint n_starts = g_test_slow () ? 20 : 3;
  g_autofree char *first = NULL;
  Stage stage;
  GtkWidget *window, *label;

  for (guint start = 0; start < n_starts; start++)
    {
      g_autofree char *form = NULL;

      stage = stage_open_drawn ();
      window = GTK_WIDGET (stage.window);
      set_size (&stage, 1280, 720);
      form = describe_form (&stage);
      if (first == NULL)
        first = g_strdup (form);
      g_assert_cmpstr (form, ==, first);
      if (start + 1 < n_starts)
        stage_close (&stage);
    }
  g_assert_nonnull (strstr (
      first, "bandwidth: panel 300 px, runs to open, device in the header, switcher at the top"));
  g_assert_nonnull (strstr (first, "experiments: panel 0 px, no runs, device in the header"));

  label = ui_test_find_id (ui_test_find_type (window, g_type_from_name ("MemlaneDeviceButton")),
                           "label");
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autofree char *before = NULL, *after = NULL,
                      *name = g_strdup (gtk_label_get_label (GTK_LABEL (label)));

      set_size (&stage, widths[i], 720);
      before = describe_at_rest (&stage);
      g_assert_true ((strstr (before, "device in the header") != NULL) == (widths[i] >= 960));
      /* One navigation for all pages. */
      g_assert_true ((strstr (before, "at the top") != NULL) == (widths[i] >= 1100));
      g_assert_true ((strstr (before, "at the bottom") != NULL) == (widths[i] < 1100));
      assert_header_whole (&stage);
      gtk_label_set_label (
          GTK_LABEL (label),
          "A device of a name so long that no header has room for it, however wide it is, nor");
      ui_test_spin (100);
      gtk_label_set_label (GTK_LABEL (label), name);
      ui_test_spin (100);
      set_size (&stage, 469, 240);
      ui_test_next_frame (window);
      set_size (&stage, 720, 640);
      ui_test_next_frame (window);
      set_size (&stage, widths[i], 720);
      after = describe_at_rest (&stage);
      g_assert_cmpstr (after, ==, before);
      set_size (&stage, 2200, 720);
      set_size (&stage, widths[i], 720);
      g_free (after);
      after = describe_at_rest (&stage);
      g_assert_cmpstr (after, ==, before);
    }
  set_size (&stage, 1280, 720);
  stage_close (&stage);
}

/* The device's name is as long as that of most GPUs. */
static void
test_header (void)
{
  static const int widths[] = { 1920, 1280, 1200, 1100 };
  g_auto (Stage) stage = stage_open_drawn ();
  GtkWidget *window = GTK_WIDGET (stage.window);
  GtkWidget *label =
      ui_test_find_id (ui_test_find_type (window, g_type_from_name ("MemlaneDeviceButton")),
                       "label");

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      set_size (&stage, widths[i], 720);
      ui_test_next_frame (window);
      g_assert_cmpuint (assert_header_whole (&stage), >=,
                        6); /* the device, and five destinations */
      g_assert_nonnull (ui_test_find_text (ui_test_find_id (window, "header"), "Simulated H200"));
    }
  gtk_label_set_label (GTK_LABEL (label), "NVIDIA H100 80GB HBM3");
  assert_header_whole (&stage);
}

static gboolean
match_suggested (GtkWidget *widget, gpointer data)
{
  if (gtk_widget_get_mapped (widget) && gtk_widget_has_css_class (widget, "suggested-action"))
    ++*(guint *) data;
  return FALSE;
}

/* What a page is for stands out; two of them would not. */
static void
test_one_suggestion (void)
{
  g_auto (Stage) stage = stage_open_drawn ();

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      guint n = 0;

      stage_do (&stage, "page", g_variant_new_string (pages[i]));
      ui_test_next_frame (GTK_WIDGET (stage.window));
      ui_test_find (GTK_WIDGET (stage.window), match_suggested, &n);
      g_test_message ("%s: %u", pages[i], n);
      g_assert_cmpuint (n, <=, 1);
      if (i < 3)
        g_assert_cmpuint (n, ==, 1);
    }
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

static void
close_others (Stage *stage)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  GListModel *windows = gtk_window_get_toplevels ();
  guint i, n = g_list_model_get_n_items (windows);

  for (i = 0; i < n; i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (window != GTK_WINDOW (stage->window)
          && gtk_widget_get_visible (GTK_WIDGET (window))) /* a lesson's notes are hidden */
        g_ptr_array_add (others, window);
    }
  g_assert_cmpuint (others->len, ==, 1);
  ui_test_present (g_ptr_array_index (others, 0));
  gtk_window_destroy (g_ptr_array_index (others, 0));
}

/* Each picture is one that there is; the modes' is an i on every desktop, for it is our own. */
static void
test_icons (void)
{
  GtkWidget *lacking, *info;
  guint n = 0;
  g_auto (Stage) stage = stage_open_drawn ();

  see_every_page (&stage);
  lacking = ui_test_find (GTK_WIDGET (stage.window), match_lacking_icon, &n);
  if (lacking != NULL)
    g_error ("there is no icon %s", gtk_image_get_icon_name (GTK_IMAGE (lacking)));
  g_assert_cmpuint (n, >=, 10);
  info = ui_test_find_id (GTK_WIDGET (stage.window), "info_button");
  g_assert_cmpstr (gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (info)), ==,
                   "memlane-info-symbolic");
}

/* An entry whose action is not there is grey for ever. Counts the others. */
static guint
check_entries (Stage *stage, GMenuModel *menu)
{
  guint n = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autofree char *action = NULL;

      if (section != NULL)
        n += check_entries (stage, section);
      if (below != NULL)
        n += check_entries (stage, below);
      if (!g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        continue;
      if (!g_action_group_has_action (G_ACTION_GROUP (stage->window), action + strlen ("win."))
          && !g_action_group_has_action (G_ACTION_GROUP (stage->application),
                                         action + strlen ("app.")))
        g_error ("the main menu asks for %s, which nobody has", action);
      n++;
    }
  return n;
}

static void
test_main_menu (void)
{
  g_auto (Stage) stage = stage_open ();
  GtkWidget *button = ui_test_find_id (GTK_WIDGET (stage.window), "menu_button");

  g_assert_cmpuint (
      check_entries (&stage, gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button))), >=, 10);
}

/* A spin button that would take the wheel. */
static gboolean
match_wheel (GtkWidget *widget, gpointer data)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean takes = FALSE;

  if (!GTK_IS_SPIN_BUTTON (widget))
    return FALSE;
  ++*(guint *) data;
  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    takes |= GTK_IS_EVENT_CONTROLLER_SCROLL (controller)
        && gtk_event_controller_get_propagation_phase (controller) != GTK_PHASE_NONE;
  return takes;
}

/* Who scrolls a panel or a page changes no value. */
static void
test_wheel (void)
{
  GtkWidget *takes, *preferences;
  guint n = 0, before;
  g_auto (Stage) stage = stage_open_drawn ();

  see_every_page (&stage);
  stage_do (&stage, "plan", NULL);
  ui_test_wait (ui_test_is_mapped (ui_test_find_id (GTK_WIDGET (stage.window), "plan_popover")));
  gtk_popover_popdown (GTK_POPOVER (ui_test_find_id (GTK_WIDGET (stage.window), "plan_popover")));
  takes = ui_test_find (GTK_WIDGET (stage.window), match_wheel, &n);
  if (takes != NULL)
    g_error ("the wheel changes the value of %s",
             gtk_buildable_get_buildable_id (GTK_BUILDABLE (takes)));
  g_assert_cmpuint (n, >=, 9); /* the plan's, the lab's, the recorder's, the decision's */
  before = n;
  g_action_group_activate_action (G_ACTION_GROUP (stage.application), "preferences", NULL);
  preferences =
      GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (stage.application)));
  g_assert_null (ui_test_find (preferences, match_wheel, &n));
  g_assert_cmpuint (n, >, before);
  close_others (&stage);
}

/* Every menu, list and (i) that is open when what it belongs to goes: with another page, the side
 * panel, the wall, a narrow window. GTK complains of one that is presented beside nothing. Those
 * around the pages are opened on the first one alone. */
static void
collect_popovers (GtkWidget *widget, GPtrArray *popovers)
{
  if (GTK_IS_POPOVER (widget))
    g_ptr_array_add (popovers, g_object_ref (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_popovers (child, popovers);
}

static void
do_and_undo (Stage *stage, int way, const char *page)
{
  static const int widths[] = { 360, 1280 };

  for (guint k = 0; k < 2; k++)
    {
      if (way == 0)
        stage_do (stage, "page",
                  g_variant_new_string (k == 1                         ? page
                                        : g_str_equal (page, "decide") ? "time"
                                                                       : "decide"));
      else if (way == 1 && stage_can (stage, "side-panel"))
        stage_do (stage, "side-panel", NULL);
      else if (way == 2)
        stage_do (stage, "projector", NULL);
      else if (way == 3)
        gtk_window_set_default_size (GTK_WINDOW (stage->window), widths[k], 720);
      ui_test_next_frame (GTK_WIDGET (stage->window));
      ui_test_next_frame (GTK_WIDGET (stage->window));
    }
}

static void
test_popovers (void)
{
  static const char *const seen[] = { "bandwidth", "table", "timeline", "decide", "experiments" };
  guint opened = 0;
  g_auto (Stage) stage = stage_open_drawn ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    {
      g_autoptr (GPtrArray) popovers = g_ptr_array_new_with_free_func (g_object_unref);

      stage_do (&stage, "page", g_variant_new_string (seen[i]));
      ui_test_next_frame (GTK_WIDGET (stage.window));
      collect_popovers (i == 0 ? GTK_WIDGET (stage.window)
                               : GTK_WIDGET (memlane_window_get_page (stage.window, seen[i])),
                        popovers);
      for (guint k = 0; k < popovers->len; k++)
        for (int way = 0; way < 4; way++)
          {
            GtkWidget *popover = popovers->pdata[k], *parent = gtk_widget_get_parent (popover);

            if (parent == NULL || !gtk_widget_get_mapped (parent))
              continue;
            gtk_popover_popup (GTK_POPOVER (popover));
            ui_test_next_frame (GTK_WIDGET (stage.window));
            opened += gtk_widget_get_mapped (popover);
            g_test_message ("%s: %s of %s in %s, way %d", seen[i], G_OBJECT_TYPE_NAME (popover),
                            gtk_widget_get_name (parent),
                            G_OBJECT_TYPE_NAME (gtk_widget_get_parent (parent)), way);
            do_and_undo (&stage, way, seen[i]);
            g_assert_true (!gtk_widget_get_visible (popover)
                           || gtk_widget_get_mapped (gtk_widget_get_parent (popover)));
            gtk_popover_popdown (GTK_POPOVER (popover));
            ui_test_next_frame (GTK_WIDGET (stage.window));
          }
    }
  g_test_message ("%u opened", opened);
  g_assert_cmpuint (opened, >=, 20);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* --- the steps and facts of window.scene --------------------------------------------------- */

/* Of all workloads' modes the list has those of this one, which are some. */
static void
do_curves_of (char **words)
{
  const MemlaneWorkload *workload = memlane_workload_find (words[0]);
  guint n, offered = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      gboolean has = memlane_workload_find_objection (workload, &modes[i]) == NULL;
      g_autofree char *row = g_strconcat ("curve_choice/", modes[i].id, NULL);

      g_assert_cmpint (gtk_widget_get_visible (scene_get (row)), ==, has);
      offered += has;
    }
  g_assert_cmpuint (offered, >, 1);
  g_assert_cmpuint (offered, <, n);
}

static void
do_close_other (char **words)
{
  close_others (&scene.stage);
}

/* Tab comes by each of these, starting anywhere. */
static void
do_tab_comes_by (char **words)
{
  g_autoptr (GHashTable) visited = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < 200; i++)
    {
      gtk_widget_child_focus (GTK_WIDGET (scene.stage.window), GTK_DIR_TAB_FORWARD);
      for (GtkWidget *at = scene_find ("focus"); at != NULL; at = gtk_widget_get_parent (at))
        g_hash_table_add (visited, at);
    }
  for (; *words != NULL; words++)
    g_assert_true (g_hash_table_contains (visited, scene_get (*words)));
}

static void
do_hide (char **words)
{
  gtk_popover_popdown (scene_get (words[0]));
}

static const SceneVerb verbs[] = {
  { "curves-of", 1, do_curves_of },
  { "close-other", 0, do_close_other },
  { "tab-comes-by", 1, do_tab_comes_by },
  { "hide", 1, do_hide }, /* POPOVER */
  { NULL, 0, NULL },
};

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene_add_file ("window/window.scene");
  g_test_add_func ("/window/popovers", test_popovers);
  g_test_add_func ("/window/names", test_names);
  g_test_add_func ("/window/one-form", test_one_form);
  g_test_add_func ("/window/header", test_header);
  g_test_add_func ("/window/one-suggestion", test_one_suggestion);
  g_test_add_func ("/window/main-menu", test_main_menu);
  g_test_add_func ("/window/wheel", test_wheel);
  g_test_add_func ("/window/icons", test_icons);
  g_test_add_func ("/window/sizes", test_sizes);
  g_test_add_func ("/window/right-to-left", test_right_to_left);
  g_test_add_func ("/window/double-text", test_double_text);
  return ui_test_run ();
}
