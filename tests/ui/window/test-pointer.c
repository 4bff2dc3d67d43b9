/* test-pointer.c: every control answers a click at its centre and 2 px inside each edge, before and after each toast, in pop-overs and
 * in dialogs
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions and signals reach a control that something lies over; the pointer does not. So the pointer alone is used here.
 */
#define UI_TEST_LEAKS_ELSEWHERE
#include "chart/timeline/timeline.h"
#include "parts/count-choice.h"
#include "timeline/timeline-view.h"
#include "trace/trace.h"
#include "ui/pointer-fixture.h"
#include "ui/window-fixture.h"
#include "window/window-private.h"

static const struct { int width, height; } sizes[] = { { 1280, 720 }, { 1920, 1080 } };
static const char *const pages[] = { "bandwidth", "time", "table", "timeline", "decide", "experiments" };
static const char *const few[] = { "pageable", "pinned", "managed", NULL };

typedef struct
{
  Stage stage;
  XInput input;
  guint n_controls, n_edges, n_clicks;
  GString *dead; /* a line for each control that something else covers */
} Hand;

/* --- looking -------------------------------------------------------------------------------------------------------------------- */

#define INSIDE 2 /* px from each edge */

/* The middle of each edge of a control, a little inside, is of the control. */
static void
look_at_edges (Hand *hand, GtkWidget *control, const char *where)
{
  const double width = gtk_widget_get_width (control), height = gtk_widget_get_height (control);
  const struct
  {
    const char *name;
    double x, y;
  } edges[] = {
    { "left", INSIDE, height / 2 },
    { "right", width - INSIDE - 1, height / 2 },
    { "upper", width / 2, INSIDE },
    { "lower", width / 2, height - INSIDE - 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_autofree char *name = NULL;

      hand->n_edges++;
      if (pointer_meets (control, edges[i].x, edges[i].y))
        continue;
      name = pointer_name (control);
      g_string_append_printf (hand->dead, "%s: %s edge of %s\n", where, edges[i].name, name);
    }
}

/* Every control at or below @root; @where says it in the message of a failure. */
static void
look_at (Hand *hand, GtkWidget *root, const char *where)
{
  g_autoptr (GPtrArray) controls = g_ptr_array_new_with_free_func (g_object_unref);

  pointer_collect (root, controls);
  for (guint i = 0; i < controls->len; i++)
    {
      GtkWidget *control = controls->pdata[i], *picked;

      if (!gtk_widget_is_drawable (control) || !pointer_bring_into_view (control))
        continue;
      hand->n_controls++;
      picked = pointer_pick (control);
      if (picked != NULL && (picked == control || gtk_widget_is_ancestor (picked, control)))
        {
          if (!GTK_IS_LIST_BOX (control) && !GTK_IS_LIST_BASE (control)) /* its rows are pressed */
            look_at_edges (hand, control, where);
          continue;
        }
      {
        g_autofree char *name = pointer_name (control);

        g_string_append_printf (hand->dead, "%s: %s; a click there meets %s\n", where, name,
                                picked != NULL ? G_OBJECT_TYPE_NAME (picked) : "nothing");
      }
    }
}

static void
set_page (Hand *hand, const char *page)
{
  g_action_group_change_action_state (G_ACTION_GROUP (hand->stage.window), "page", g_variant_new_string (page));
  ui_test_next_frame (GTK_WIDGET (hand->stage.window));
  /* The answer of Decide brings controls. */
  ui_test_wait (!memlane_decider_is_waiting (hand->stage.models->decider));
  ui_test_next_frame (GTK_WIDGET (hand->stage.window));
}

static void
look_at_pages (Hand *hand, int width, const char *when)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *where = g_strdup_printf ("%d px, %s, %s", width, pages[i], when);

      set_page (hand, pages[i]);
      look_at (hand, GTK_WIDGET (hand->stage.window), where);
    }
}

static Hand
hand_open (void)
{
  Hand hand = { .dead = g_string_new (NULL) };

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  hand.stage = stage_open_drawn ();
  x_input_open (&hand.input);
  return hand;
}

static void
hand_close (Hand *hand)
{
  g_test_message ("%u controls and %u edges looked at, %u clicked", hand->n_controls, hand->n_edges, hand->n_clicks);
  if (hand->dead->len > 0)
    g_error ("no click reaches\n%s", hand->dead->str);
  g_string_free (hand->dead, TRUE);
  x_input_close (&hand->input);
  set_page (hand, "bandwidth");
  stage_close (&hand->stage);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Hand, hand_close)

static void
set_size (Hand *hand, guint i)
{
  stage_resize (&hand->stage, sizes[i].width, sizes[i].height);
}

/* --- clicking ------------------------------------------------------------------------------------------------------------------- */

static void
click (Hand *hand, GtkWidget *control)
{
  g_autofree char *name = NULL;

  g_assert_nonnull (control);
  name = pointer_name (control);
  g_test_message ("click on %s", name);
  /* What runs or is read takes its time beside other processes. */
  ui_test_wait (gtk_widget_is_sensitive (control));
  hand->n_clicks++;
  pointer_click (&hand->input, control);
}

static GtkWidget *
find (Hand *hand, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (memlane_window_get_current_page (hand->stage.window)), id);

  return widget != NULL ? widget : ui_test_find_id (GTK_WIDGET (hand->stage.window), id);
}

static gboolean
match_button_text (GtkWidget *widget, gpointer data)
{
  GtkWidget *label = GTK_IS_BUTTON (widget) && gtk_widget_is_drawable (widget) ? ui_test_find_text (widget, data) : NULL;

  return label != NULL && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), data);
}

/* (nullable): the button that shows @text */
static GtkWidget *
find_button (Hand *hand, const char *text)
{
  return ui_test_find (GTK_WIDGET (hand->stage.window), match_button_text, (gpointer) text);
}

static gboolean
is_revealed (gpointer data)
{
  GtkWidget *toast = ui_test_find_toast (data);

  return toast != NULL && gtk_revealer_get_child_revealed (GTK_REVEALER (gtk_widget_get_parent (toast)));
}

/* --- toasts --------------------------------------------------------------------------------------------------------------------- */

static void
tell_news (MemlaneToasts *toasts)
{
  memlane_toasts_tell (toasts, "Measured 209 cells", FALSE);
}

static void
tell_trouble (MemlaneToasts *toasts)
{
  memlane_toasts_tell (toasts,
                       "/home/somebody/measurements/2026/foreign.csv:1: this is no run: "
                       "its first column is “mode” instead of “run”",
                       TRUE);
}

static void
tell_saved (MemlaneToasts *toasts)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/vector-add.pdf");

  memlane_toasts_tell_saved (toasts, "Saved vector-add.pdf", file);
}

static void
tell_action (MemlaneToasts *toasts)
{
  memlane_toasts_tell_action (toasts, "Opened colleague.csv: 20 modes; the workload is now copy-bidirectional, which alone it measures",
                              "Back to vector-add", "win.workload", g_variant_new_string ("vector-add"));
}

static void
tell_removed (MemlaneToasts *toasts)
{
  memlane_toasts_tell_removed (toasts, "11-23 00:51 Simulated H200");
}

static void
test_toasts (void)
{
  static const struct
  {
    const char *name;
    void (*tell) (MemlaneToasts *toasts);
  } kinds[] = {
    { "after news", tell_news }, { "after trouble", tell_trouble }, { "after a file was saved", tell_saved },
    { "after an offer", tell_action }, { "after a deletion", tell_removed },
  };
  g_auto (Hand) hand = hand_open ();
  GtkWidget *window = GTK_WIDGET (hand.stage.window);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      set_size (&hand, i);
      look_at_pages (&hand, sizes[i].width, "at first");
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          kinds[k].tell (hand.stage.window->toasts);
          ui_test_wait (ui_test_find_toast (window) != NULL);
          ui_test_wait (is_revealed (window));
          look_at (&hand, ui_test_find_toast (window), kinds[k].name);
          click (&hand, gtk_widget_get_last_child (ui_test_find_toast (window))); /* Close */
          ui_test_wait (ui_test_find_toast (window) == NULL);
          set_page (&hand, pages[(k + 1) % G_N_ELEMENTS (pages)]);
          look_at (&hand, window, kinds[k].name); /* what it covered; the other pages come below */
        }
      stage_do (&hand.stage, "projector", NULL);
      ui_test_wait (ui_test_find_toast (window) != NULL);
      stage_do (&hand.stage, "projector", NULL);
      ui_test_wait (ui_test_find_toast (window) == NULL);
      set_size (&hand, i);
      look_at_pages (&hand, sizes[i].width, "after the hint of the wall");
    }
}

/* --- effects -------------------------------------------------------------------------------------------------------------------- */

/* The text on the button, the page that it leads to. */
static void
click_to_page (Hand *hand, const char *text, const char *page)
{
  click (hand, find_button (hand, text));
  ui_test_wait (g_str_equal (memlane_window_get_current_name (hand->stage.window), page));
  ui_test_next_frame (GTK_WIDGET (hand->stage.window));
}

/* On and off, or off and on. */
static void
click_toggle (Hand *hand, GtkWidget *toggle)
{
  gboolean active = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle));

  click (hand, toggle);
  ui_test_wait (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle)) != active);
  click (hand, toggle);
  ui_test_wait (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle)) == active);
}

static gboolean
match_entry (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), "Theoretical Limits");
}

static GtkWidget *
find_entry (GtkWidget *window)
{
  return ui_test_find (window, match_entry, NULL);
}

static gboolean
hides_limits (MemlaneModels *data)
{
  return !ui_test_get (gboolean, data->view, "show-ceilings");
}

static void
test_effects (void)
{
  guint n_runs;
  g_auto (Hand) hand = hand_open ();

  stage_choose_modes (&hand.stage, few);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      set_size (&hand, i);
      click_to_page (&hand, "Time", "time");
      click_to_page (&hand, "Table", "table");
      click_to_page (&hand, "Bandwidth", "bandwidth");
      click (&hand, find (&hand, "view_menu"));
      ui_test_wait (find_entry (GTK_WIDGET (hand.stage.window)) != NULL);
      click (&hand, find_entry (GTK_WIDGET (hand.stage.window)));
      ui_test_wait (hides_limits (hand.stage.models));
      g_object_set (hand.stage.models->view, "show-ceilings", TRUE, NULL);
      click_to_page (&hand, "Timeline", "timeline");
      click_to_page (&hand, "Decide", "decide");
      click_to_page (&hand, "Experiments", "experiments");
      click_to_page (&hand, "Measure", "bandwidth");
      n_runs = stage_count_runs (&hand.stage);
      click (&hand, find_button (&hand, "Run"));
      ui_test_wait (stage_count_runs (&hand.stage) > n_runs);
      ui_test_wait (stage_rests (hand.stage.models));
      click_toggle (&hand, find (&hand, "compare_runs"));
      click_to_page (&hand, "Timeline", "timeline");
      click (&hand, find (&hand, "record"));
      ui_test_wait (stage_can (&hand.stage, "export-trace")
                    && stage_can (&hand.stage, "record-trace"));
      click_toggle (&hand, find (&hand, "details_button"));
      click_to_page (&hand, "Measure", "bandwidth");
    }
}

/* A wide, a wider and a narrow window, and the wide one after the narrow: with two runs, a trace, its details and the side
 * panel; and with the scroll bars of a theme that has wide ones. */
static void
test_forms (void)
{
  static const struct { int width, height; } forms[] = { { 1280, 720 }, { 1920, 1080 }, { 720, 640 }, { 1280, 720 } };
  g_autoptr (GtkCssProvider) wide = gtk_css_provider_new ();
  g_auto (Hand) hand = hand_open ();

  gtk_css_provider_load_from_data (wide, "scrollbar slider { min-width: 12px; min-height: 12px; }", -1);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (wide),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
  stage_choose_modes (&hand.stage, few);
  stage_sweep (&hand.stage);
  click_to_page (&hand, "Timeline", "timeline");
  click (&hand, find (&hand, "record"));
  ui_test_wait (stage_can (&hand.stage, "export-trace") && stage_can (&hand.stage, "record-trace"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find (&hand, "details_button")), TRUE);
  /* A toast lies over what is below. */
  ui_test_wait (ui_test_find_toast (GTK_WIDGET (hand.stage.window)) == NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      gboolean narrow = forms[i].width < 960;

      stage_resize (&hand.stage, forms[i].width, forms[i].height);
      ui_test_spin (500); /* panel and switcher slide in */
      look_at_pages (&hand, forms[i].width, i == 3 ? "after a narrow window" : "with two runs and a trace");
      for (guint page = 0; narrow && page < G_N_ELEMENTS (pages); page++)
        {
          set_page (&hand, pages[page]);
          g_action_group_change_action_state (G_ACTION_GROUP (hand.stage.window), "side-panel", g_variant_new_boolean (TRUE));
          ui_test_spin (500); /* it slides in */
          look_at (&hand, find (&hand, "side_box"), "the side panel over a page");
        }
    }
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (wide));
}

/* --- keys ----------------------------------------------------------------------------------------------------------------------- */

/* Presses a key that moves the focus. Returns where it rests then. */
static GtkWidget *
press_to_move (Hand *hand, guint key, GdkModifierType modifiers)
{
  GtkWindow *window = GTK_WINDOW (hand->stage.window);
  GtkWidget *before = gtk_window_get_focus (window);

  x_press (&hand->input, key, modifiers);
  ui_test_wait (gtk_window_get_focus (window) != before);
  ui_test_next_frame (GTK_WIDGET (window)); /* a part may hand it on to its child */
  return gtk_window_get_focus (window);
}

/* (nullable): the list that the widget is in */
static GtkWidget *
get_list (GtkWidget *widget)
{
  while (widget != NULL && !GTK_IS_LIST_BOX (widget) && !g_str_equal (gtk_widget_get_name (widget), "modes"))
    widget = gtk_widget_get_parent (widget);
  return widget;
}

static gboolean
has_experiments (MemlaneModels *data)
{
  MemlaneExperimentStore *store = data->experiments;

  return g_list_model_get_n_items (G_LIST_MODEL (store)) > 0;
}

/* A list is one stop of Tab, whatever its length; four lead from the list of experiments to its run. */
static void
test_tab (void)
{
  GtkWidget *start, *focus;
  guint n = 0;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  x_focus_pointer (&hand.input);
  for (guint page = 0; page < G_N_ELEMENTS (pages); page++)
    {
      guint stops = 0;

      set_page (&hand, pages[page]);
      if (g_str_equal (pages[page], "experiments"))
        ui_test_wait (has_experiments (hand.stage.models));
      pointer_move (&hand.input, GTK_WIDGET (hand.stage.window));
      focus = start = press_to_move (&hand, GDK_KEY_Tab, 0);
      do
        {
          GtkWidget *list = get_list (focus);

          focus = press_to_move (&hand, GDK_KEY_Tab, 0);
          g_assert_true (list == NULL || get_list (focus) != list);
          g_assert_true (gtk_widget_get_ancestor (focus, MEMLANE_TYPE_TOASTS) == NULL);
          g_assert_cmpuint (++stops, <, 60);
        }
      while (focus != start);
      g_test_message ("%s: %u stops of Tab", pages[page], stops);
    }
  set_page (&hand, "experiments");
  gtk_widget_activate_action (find (&hand, "skip"), "experiment.skip", NULL);
  click (&hand, GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (find (&hand, "list")), 2)));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  for (focus = NULL; focus != find (&hand, "run") && n < 9; n++)
    focus = press_to_move (&hand, GDK_KEY_Tab, 0);
  g_assert_cmpuint (n, <=, 4);
  gtk_widget_activate_action (find (&hand, "skip"), "experiment.skip", NULL);
}

/* F6 leads through the parts of the window and comes round, Shift+F6 leads back the same way. */
static void
test_panes (void)
{
  GtkWidget *header;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  x_focus_pointer (&hand.input);
  header = ui_test_find_id (GTK_WIDGET (hand.stage.window), "header");
  for (guint page = 0; page < G_N_ELEMENTS (pages); page++)
    {
      g_autoptr (GPtrArray) walk = g_ptr_array_new ();
      GtkWidget *focus, *inside;
      gboolean in_header = FALSE, in_page = FALSE;

      set_page (&hand, pages[page]);
      inside = GTK_WIDGET (memlane_window_get_current_page (hand.stage.window));
      if (g_str_equal (pages[page], "experiments"))
        {
          ui_test_wait (has_experiments (hand.stage.models));
          inside = find (&hand, "clamp"); /* beside the list */
        }
      pointer_move (&hand.input, GTK_WIDGET (hand.stage.window));
      focus = press_to_move (&hand, GDK_KEY_F6, 0);
      do
        {
          g_ptr_array_add (walk, focus);
          focus = press_to_move (&hand, GDK_KEY_F6, 0);
          in_header = in_header || gtk_widget_is_ancestor (focus, header);
          in_page = in_page || gtk_widget_is_ancestor (focus, inside);
          g_assert_cmpuint (walk->len, <, 12);
        }
      while (focus != walk->pdata[0]);
      g_assert_true (in_header && in_page);
      for (guint i = walk->len; i > 0; i--)
        g_assert_true (press_to_move (&hand, GDK_KEY_F6, GDK_SHIFT_MASK) == walk->pdata[i - 1]);
      g_test_message ("%s: %u parts", pages[page], walk->len);
    }
}

/* Ctrl+R measures what the page shows, and starts no sweep that is not seen. */
static void
test_run_key (void)
{
  guint n_runs;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  x_focus_pointer (&hand.input);
  pointer_move (&hand.input, GTK_WIDGET (hand.stage.window));
  stage_choose_modes (&hand.stage, few);
  set_page (&hand, "experiments");
  ui_test_wait (has_experiments (hand.stage.models));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  gtk_widget_activate_action (find (&hand, "skip"), "experiment.skip", NULL);
  x_press (&hand.input, GDK_KEY_r, GDK_CONTROL_MASK);
  ui_test_wait (hand.stage.models->experiments->running != NULL);
  g_assert_false (memlane_sweep_job_is_running (hand.stage.models->sweep));
  ui_test_wait (!memlane_bench_is_running (hand.stage.models->bench));
  gtk_widget_activate_action (find (&hand, "skip"), "experiment.skip", NULL);
  for (guint i = 0; i < 2; i++)
    {
      set_page (&hand, i == 0 ? "decide" : "lessons");
      x_press (&hand.input, GDK_KEY_r, GDK_CONTROL_MASK);
      ui_test_spin (300);
      g_assert_false (memlane_bench_is_running (hand.stage.models->bench));
    }
  set_page (&hand, "bandwidth");
  n_runs = stage_count_runs (&hand.stage);
  x_press (&hand.input, GDK_KEY_r, GDK_CONTROL_MASK);
  ui_test_wait (stage_count_runs (&hand.stage) > n_runs);
  ui_test_wait (stage_rests (hand.stage.models));
}

/* --- pop-overs and dialogs ------------------------------------------------------------------------------------------------------ */

static gboolean
match_popover (GtkWidget *widget, gpointer data)
{
  return GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
popover_is_shown (gpointer data)
{
  return ui_test_find (data, match_popover, NULL) != NULL;
}

static gboolean
match_opener (GtkWidget *widget, gpointer data)
{
  if ((GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)) && gtk_widget_is_drawable (widget) && gtk_widget_is_sensitive (widget))
    g_ptr_array_add (data, g_object_ref (widget));
  return FALSE;
}

/* Each menu and drop-down opens by a click, every control in it can be reached, and Escape closes it. */
static void
test_popovers (void)
{
  g_auto (Hand) hand = hand_open ();
  GtkWidget *window = GTK_WIDGET (hand.stage.window);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      set_size (&hand, i);
      for (guint page = 0; page < G_N_ELEMENTS (pages); page++)
        {
          g_autoptr (GPtrArray) openers = g_ptr_array_new_with_free_func (g_object_unref);

          set_page (&hand, pages[page]);
          ui_test_find (window, match_opener, openers);
          for (guint k = 0; k < openers->len; k++)
            {
              g_autofree char *name = pointer_name (openers->pdata[k]);
              g_autofree char *where = g_strdup_printf ("%d px, %s, the pop-over of %s", sizes[i].width, pages[page], name);

              if (!gtk_widget_is_drawable (openers->pdata[k]) || !pointer_bring_into_view (openers->pdata[k]))
                continue;
              /* On a busy machine a click may still belong to the pop-over that has just closed; what is covered stays so. */
              for (guint attempt = 0; attempt < 3 && !popover_is_shown (openers->pdata[k]); attempt++)
                {
                  click (&hand, openers->pdata[k]);
                  for (guint tick = 0; tick < 200 && !popover_is_shown (openers->pdata[k]); tick++)
                    ui_test_spin (20);
                }
              g_assert_true (popover_is_shown (openers->pdata[k]));
              ui_test_next_frame (window);
              look_at (&hand, ui_test_find (openers->pdata[k], match_popover, NULL), where);
              x_press (&hand.input, GDK_KEY_Escape, 0);
              ui_test_wait (!popover_is_shown (openers->pdata[k]));
            }
          look_at (&hand, window, "after the pop-overs");
        }
    }
}

static gboolean
match_row (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_VIEW) != NULL
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text);
}

/* The drop-down of what counts: each of its entries is chosen by two clicks, on each page that has it. */
static void
test_counts (void)
{
  static const char *const counting[] = { "bandwidth", "time", "table", "decide" };
  g_auto (Hand) hand = hand_open ();

  for (guint page = 0; page < G_N_ELEMENTS (counting); page++)
    for (int k = MEMLANE_N_COUNTS - 1; k >= 0; k--)
      {
        GtkWidget *choice, *list, *row = NULL;
        int count = -1;

        set_page (&hand, counting[page]);
        choice = ui_test_find_type (GTK_WIDGET (memlane_window_get_current_page (hand.stage.window)), MEMLANE_TYPE_COUNT_CHOICE);
        list = ui_test_find_type (choice, GTK_TYPE_DROP_DOWN);
        click (&hand, list);
        ui_test_wait (popover_is_shown (list));
        ui_test_next_frame (GTK_WIDGET (hand.stage.window));
        row = ui_test_find (list, match_row, (gpointer) memlane_count_title (k));
        g_assert_nonnull (row);
        click (&hand, row);
        ui_test_wait (!popover_is_shown (list));
        g_object_get (choice, "count", &count, NULL);
        g_assert_cmpint (count, ==, k);
      }
}

static gboolean
marks_two (gpointer view)
{
  return ui_test_get (guint, view, "marked") == 2;
}

/* The row of launch @number, from 1; one trace's code comes after the other's. */
static GtkWidget *
find_launch (GtkListBox *list, guint number)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    if (ui_test_find_text (GTK_WIDGET (row), "<<<") != NULL && --number == 0)
      break;
  g_assert_nonnull (row);
  return GTK_WIDGET (row);
}

/* A click on a line of code lights its bars, and the pointer over a bar its line: of the second trace, whose kernel is event 8. */
static void
test_code (void)
{
  MemlaneTimelineView *view;
  GtkListBox *list;
  GtkWidget *row;
  const MemlaneTraceEvent *events;
  MemlaneRectangle place;
  guint n, kernel = 0;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  set_page (&hand, "timeline");
  view = MEMLANE_TIMELINE_VIEW (find (&hand, "view"));
  ui_test_wait (MEMLANE_TIMELINE_VIEW (view)->n_tracks == 2);
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  list = GTK_LIST_BOX (ui_test_find_type (find (&hand, "code"), GTK_TYPE_LIST_BOX));
  look_at (&hand, GTK_WIDGET (list), "the code");
  click (&hand, GTK_WIDGET (gtk_list_box_get_row_at_index (list, 1)));
  ui_test_wait (marks_two (view));
  events = memlane_trace_get_events (view->tracks[1].trace, &n);
  while (events[kernel].kind != MEMLANE_TRACE_KERNEL)
    kernel++;
  row = find_launch (list, 2);
  /* The bar may still move, as the advice arrives below: the pointer follows it. */
  for (guint i = 0; i < 50 && !gtk_widget_has_css_class (row, "lit"); i++)
    {
      g_assert_true (memlane_timeline_place_event (
          memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)),
          (MemlaneTimelineEvent) { 1, kernel }, &place));
      pointer_move_to (&hand.input, GTK_WIDGET (view), place.x + place.width / 2 + i % 2,
                       place.y + place.height / 2);
      ui_test_next_frame (GTK_WIDGET (hand.stage.window));
      row = find_launch (list, 2);
    }
  ui_test_wait (gtk_widget_has_css_class (row, "lit"));
  g_assert_false (gtk_widget_has_css_class (find_launch (list, 1), "lit"));
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-code.png");
}

#define COPIES 20

/* PyTorch's profile of a loop that copies 16 MiB from pageable memory in 5 ms and works on them for 1 ms. (transfer full) */
static char *
write_profile (void)
{
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\":[");
  char *path = ui_test_path ("pytorch.json");

  for (guint i = 0; i < COPIES; i++)
    {
      guint call = 10000 * i;

      g_string_append_printf (text,
                              "%s{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemcpy\",\"pid\":9,\"tid\":9,\"ts\":%u,\"dur\":5000,"
                              "\"args\":{\"correlation\":%u}},"
                              "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,"
                              "\"ts\":%u,\"dur\":4800,\"args\":{\"stream\":7,\"correlation\":%u,\"bytes\":16777216}},",
                              i > 0 ? "," : "", call, 2 * i + 1, call + 100, 2 * i + 1);
      g_string_append_printf (text,
                              "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":9,\"tid\":9,\"ts\":%u,"
                              "\"dur\":10,\"args\":{\"correlation\":%u}},"
                              "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":1000,"
                              "\"args\":{\"stream\":7,\"correlation\":%u}}",
                              call + 5010, 2 * i + 2, call + 5030, 2 * i + 2);
    }
  g_string_append (text, "]}");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static gboolean
shows_advice (gpointer list)
{
  return gtk_widget_get_mapped (list) && gtk_list_box_get_row_at_index (list, 1) != NULL && ui_test_find_text (list, "saves") != NULL;
}

static gboolean
marks_copies (gpointer view)
{
  return ui_test_get (guint, view, "marked") == COPIES;
}

static gboolean
shows_code (gpointer list)
{
  GtkWidget *code = ui_test_find_text (list, "→");

  return code != NULL && gtk_widget_get_mapped (code);
}

/* Somebody else's trace has advice beside it: a click on the first change lights its copies, and its code unfolds. */
static void
test_advice (void)
{
  g_autofree char *path = write_profile ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkWidget *list, *first;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  memlane_window_open_file (hand.stage.window, file);
  set_page (&hand, "timeline");
  list = ui_test_find_type (find (&hand, "code"), GTK_TYPE_LIST_BOX);
  ui_test_wait (shows_advice (list));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  g_assert_nonnull (ui_test_find_text (list, "No kernel hides 100 ms of copies, migrations and allocations (51"));
  look_at (&hand, list, "the advice");
  first = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0));
  g_assert_nonnull (ui_test_find_text (first, "Page-lock the "));
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-advice.png");
  click (&hand, ui_test_find_text (first, "saves"));
  ui_test_wait (marks_copies (find (&hand, "view")));
  click (&hand, ui_test_find_type (first, GTK_TYPE_TOGGLE_BUTTON));
  ui_test_wait (shows_code (first));
  g_assert_true (marks_copies (find (&hand, "view"))); /* to unfold is not to choose again */
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-advice-code.png");
}

/* Types the words into the line of My Program and clicks the button behind it. */
static void
run_program (Hand *hand, const char *words)
{
  GtkWidget *entry = find (hand, "program");

  click (hand, entry);
  ui_test_wait ((gtk_widget_get_state_flags (entry) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0);
  gtk_editable_set_text (GTK_EDITABLE (entry), words);
  click (hand, find (hand, "record_program"));
}

static gboolean
has_ended (gpointer hand)
{
  return !memlane_trace_store_is_busy (((Hand *) hand)->stage.models->traces)
         && !g_str_equal (gtk_button_get_label (GTK_BUTTON (find (hand, "record_program"))),
                          "_Stop");
}

static void
expect_toast (Hand *hand, const char *words)
{
  stage_wait_toast (&hand->stage, words);
  ui_test_wait (has_ended (hand));
}

static void
stop_program (Hand *hand, const char *words)
{
  ui_test_wait (g_str_equal (gtk_button_get_label (GTK_BUTTON (find (hand, "record_program"))),
                             "_Stop"));
  click (hand, find (hand, "record_program"));
  expect_toast (hand, words);
}

/* The window runs somebody's program: what it did with CUDA is shown with advice; without CUDA its end is told. It can be stopped. */
static void
test_program (void)
{
  const char *fake = g_getenv ("MEMLANE_FAKE_PROGRAM"); /* where there is a recorder */
  g_autofree char *words = g_strdup_printf ("'%s' 30 7", fake != NULL ? fake : "");
  g_auto (Hand) hand = hand_open ();
  GtkWidget *list;

  set_size (&hand, 0);
  set_page (&hand, "timeline");
  click (&hand, ui_test_find_text (find (&hand, "kinds_switcher"), "My Program"));
  ui_test_wait (ui_test_is_mapped (find (&hand, "program")));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  g_assert_false (gtk_widget_is_sensitive (find (&hand, "record_program"))); /* nothing is typed */
  gtk_editable_set_text (GTK_EDITABLE (find (&hand, "program")), "sh -c 'unfinished");
  g_assert_false (gtk_widget_is_sensitive (find (&hand, "record_program")));
  if (fake == NULL)
    {
      gtk_editable_set_text (GTK_EDITABLE (find (&hand, "program")), "true");
      click (&hand, find (&hand, "record_program"));
      expect_toast (&hand, "rograms cannot be recorded");
      return;
    }
  run_program (&hand, "no-such-program");
  expect_toast (&hand, "no-such-program");
  run_program (&hand, "sh -c 'echo good bye; exit 3'");
  expect_toast (&hand, "“sh” ended with exit status 3. It made no call to CUDA that could be recorded. It wrote: good bye");
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-program-nothing.png");
  run_program (&hand, "sh -c 'kill -SEGV $$'");
  expect_toast (&hand, "“sh” was ended by a signal");
  run_program (&hand, "sleep 1000");
  stop_program (&hand, "Stopped recording sleep");
  run_program (&hand, "sh -c 'trap \"\" TERM; sleep 1000'"); /* does not listen */
  ui_test_wait (g_str_equal (gtk_button_get_label (GTK_BUTTON (find (&hand, "record_program"))),
                             "_Stop"));
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-program-stop.png");
  stop_program (&hand, "Stopped recording sh");

  run_program (&hand, words);
  expect_toast (&hand, "“fake-program” ended with exit status 7.");
  list = ui_test_find_type (find (&hand, "code"), GTK_TYPE_LIST_BOX);
  ui_test_wait (gtk_widget_get_mapped (list)
                && ui_test_find_text (list, "No kernel hides") != NULL);
  look_at (&hand, find (&hand, "kinds"), "my program");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (find (&hand, "program_end"))), "exit status 7"));
  g_assert_nonnull (ui_test_find_text (gtk_menu_button_get_child (GTK_MENU_BUTTON (find (&hand, "traces"))), "fake-program"));
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-program.png");
}

/* The change that the advice names is tried in the program that ran, and two bars show the gain. */
static void
test_try (void)
{
  g_autofree char *words = g_strdup_printf ("'%s' 50 freed", g_getenv ("MEMLANE_FAKE_PROGRAM"));
  GtkWidget *list, *try;
  g_auto (Hand) hand = hand_open ();

  set_size (&hand, 0);
  set_page (&hand, "timeline");
  click (&hand, ui_test_find_text (find (&hand, "kinds_switcher"), "My Program"));
  ui_test_wait (ui_test_is_mapped (find (&hand, "program")));
  run_program (&hand, words);
  list = ui_test_find_type (find (&hand, "code"), GTK_TYPE_LIST_BOX);
  ui_test_wait (shows_advice (list));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  try = ui_test_find_text (list, "Try It");
  g_assert_nonnull (try);
  look_at (&hand, list, "what can be tried");
  click (&hand, try);
  ui_test_wait (ui_test_find_text (list, "in 10 runs") != NULL);
  g_assert_nonnull (ui_test_find_text (list, "(buffers: 1)"));
  g_assert_nonnull (ui_test_find_type (list, GTK_TYPE_LEVEL_BAR));
  ui_test_next_frame (GTK_WIDGET (hand.stage.window));
  ui_test_screenshot (GTK_WIDGET (hand.stage.window), "pointer-try.png");
}

/* (transfer full) (nullable): a window that is not the main one */
static GtkWindow *
find_dialog (Hand *hand)
{
  GListModel *windows = gtk_window_get_toplevels ();

  MEMLANE_FOR_EACH_ITEM (GtkWindow, window, windows)
    if (window != GTK_WINDOW (hand->stage.window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
      return g_object_ref (window);
  return NULL;
}

static gboolean
dialog_is_shown (gpointer data)
{
  g_autoptr (GtkWindow) window = find_dialog (data);

  return window != NULL;
}

static void
test_dialogs (void)
{
  static const char *const actions[] = { "app.preferences", "win.show-help-overlay", "win.export-figure", "app.about" };
  g_auto (Hand) hand = hand_open ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      set_size (&hand, i);
      for (guint k = 0; k < G_N_ELEMENTS (actions); k++)
        {
          g_autoptr (GtkWindow) dialog = NULL;

          g_assert_true (gtk_widget_activate_action (GTK_WIDGET (hand.stage.window), actions[k], NULL));
          ui_test_wait (dialog_is_shown (&hand));
          dialog = find_dialog (&hand);
          ui_test_next_frame (GTK_WIDGET (dialog));
          ui_test_next_frame (GTK_WIDGET (dialog));
          look_at (&hand, GTK_WIDGET (dialog), actions[k]);
          gtk_window_close (dialog);
          ui_test_wait (!dialog_is_shown (&hand));
          look_at_pages (&hand, sizes[i].width, actions[k]);
          set_page (&hand, "bandwidth");
        }
    }
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/pointer/toasts", test_toasts);
  g_test_add_func ("/pointer/effects", test_effects);
  g_test_add_func ("/pointer/forms", test_forms);
  g_test_add_func ("/pointer/tab", test_tab);
  g_test_add_func ("/pointer/panes", test_panes);
  g_test_add_func ("/pointer/run-key", test_run_key);
  g_test_add_func ("/pointer/popovers", test_popovers);
  g_test_add_func ("/pointer/counts", test_counts);
  g_test_add_func ("/pointer/code", test_code);
  g_test_add_func ("/pointer/advice", test_advice);
  g_test_add_func ("/pointer/program", test_program);
  if (g_getenv ("MEMLANE_FAKE_PROGRAM") != NULL) /* a build without CUDA has no recorder */
    g_test_add_func ("/pointer/try", test_try);
  g_test_add_func ("/pointer/dialogs", test_dialogs);
  return ui_test_run ();
}
