/* test-tasks.c: nine tasks as somebody does them: with the mouse, by what is named on the screen, each click counted
 *
 * SPDX-License-Identifier: MIT
 *
 * A click is one of the X pointer on what assistive technology knows by that name and the window shows then; a key is one, however many
 * are held; words typed into a field cost the click that goes there. Each task prints what it took beside what it took when somebody
 * counted with a mouse (the review of commit 2da5f06), and may not take more.
 */
#define UI_TEST_LEAKS_ELSEWHERE

#include "chart/map/decide-map.h"
#include "chart/timeline/timeline.h"
#include "decide/decide-page.h"
#include "decide/decide-view.h"
#include "experiment/experiment-page.h"
#include "parts/pivot-view.h"
#include "parts/settings.h"
#include "timeline/timeline-page.h"
#include "timeline/timeline-view.h"
#include "ui/dialog-fixture.h"
#include "ui/pointer-fixture.h"
#include "ui/window-fixture.h"

/* --- a hand that counts --------------------------------------------------------------------------------------------------- */

typedef struct
{
  Stage stage;
  guint clicks;
  GString *way; /* what was clicked */
  XInput input; /* the mouse */
} Task;

static void
count_click (Task *task, const char *what)
{
  task->clicks++;
  g_string_append_printf (task->way, "%s%s", task->way->len > 0 ? ", " : "", what);
}

/* What can be clicked at all. */
static gboolean
takes_clicks (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)
         || GTK_IS_LIST_BOX_ROW (widget) || GTK_IS_EXPANDER (widget) || GTK_IS_SPIN_BUTTON (widget) || GTK_IS_EDITABLE (widget)
         || g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton");
}

static char *
without_mnemonic (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("", parts);
}

/* As a screen reader says it: the label that was set, else the first words inside. (transfer full) (nullable) */
static char *
name_of (GtkWidget *widget)
{
  g_autofree char *label = ui_test_accessible_label (widget);
  GtkWidget *text = ui_test_find (widget, ui_test_match_label, NULL);

  if (label != NULL && *label != '\0')
    return without_mnemonic (label);
  return text != NULL ? g_strdup (gtk_label_get_text (GTK_LABEL (text))) : NULL;
}

typedef struct
{
  const char *name;
  GString *seen; /* (nullable): names of all that could have been meant */
} Wanted;

static gboolean
is_wanted (GtkWidget *widget, gpointer data)
{
  Wanted *wanted = data;
  g_autofree char *name = NULL;

  if (!takes_clicks (widget) || !gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget))
    return FALSE;
  name = name_of (widget);
  if (wanted->seen != NULL && name != NULL)
    g_string_append_printf (wanted->seen, "\n  %s “%s”", G_OBJECT_TYPE_NAME (widget), name);
  return g_strcmp0 (name, wanted->name) == 0;
}

/* In the window or in a dialog of its own; NULL: nothing of that name is to be seen. */
static GtkWidget *
look_for (const char *name)
{
  GListModel *windows = gtk_window_get_toplevels ();

  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    {
      GtkWidget *found = ui_test_find (window, is_wanted, &(Wanted) { name, NULL });

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
complain (Task *task, const char *name)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GString) seen = g_string_new (NULL);

  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    ui_test_find (window, is_wanted, &(Wanted) { "\001", seen });
  g_error ("nothing called “%s” can be clicked; after %s these can:%s", name, task->way->str, seen->str);
}

static GtkWidget *
find (Task *task, const char *name)
{
  for (guint i = 0; i < 100 && look_for (name) == NULL; i++)
    ui_test_spin (20); /* it slides in */
  if (look_for (name) == NULL)
    complain (task, name);
  return look_for (name);
}

/* Presses the button of the mouse there and lets the window answer. */
static void
press_on (Task *task, GtkWidget *widget)
{
  pointer_click (&task->input, widget);
  ui_test_spin (120);
  ui_test_next_frame (GTK_WIDGET (task->stage.window));
}

static void
press_at (Task *task, GtkWidget *widget, double x, double y)
{
  pointer_move_to (&task->input, widget, x, y);
  x_click (&task->input, 1);
  ui_test_spin (120);
  ui_test_next_frame (GTK_WIDGET (task->stage.window));
}

static void
click (Task *task, const char *name)
{
  press_on (task, find (task, name));
  count_click (task, name);
}

typedef struct
{
  GtkWidget *list;
  const char *entry;
} Entry;

static gboolean
is_entry (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_VIEW) != NULL
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), data);
}

/* Opens the list called @name and takes @entry: two clicks. */
static void
choose (Task *task, const char *name, const char *entry)
{
  Entry wanted = { find (task, name), entry };

  click (task, name);
  ui_test_wait (ui_test_find (wanted.list, is_entry, (gpointer) wanted.entry) != NULL);
  press_on (task, ui_test_find (wanted.list, is_entry, (gpointer) entry));
  count_click (task, entry);
}

/* Goes into the field and types. */
static void
type (Task *task, const char *name, const char *text)
{
  GtkWidget *field = find (task, name);

  press_on (task, ui_test_find_type (field, GTK_TYPE_TEXT)); /* beside its buttons */
  count_click (task, name);
  gtk_editable_set_text (GTK_EDITABLE (field), text);
  if (GTK_IS_SPIN_BUTTON (field))
    gtk_spin_button_update (GTK_SPIN_BUTTON (field));
}

/* A key of the application's: what it is bound to is done. */
static void
press (Task *task, const char *accelerator)
{
  g_auto (GStrv) actions = gtk_application_get_actions_for_accel (GTK_APPLICATION (task->stage.application), accelerator);
  const char *action = g_strv_length (actions) > 0 ? actions[0] : NULL;
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;

  if (action == NULL)
    g_error ("%s does nothing", accelerator);
  g_action_parse_detailed_name (action, &name, &target, &error);
  g_assert_no_error (error);
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (task->stage.window), name, target));
  count_click (task, accelerator);
  ui_test_next_frame (GTK_WIDGET (task->stage.window));
}

static void
begin (Task *task)
{
  *task = (Task) { .way = g_string_new (NULL) };
  task->stage = stage_open ();
  gtk_window_set_default_size (GTK_WINDOW (task->stage.window), 1280, 720);
  stage_do (&task->stage, "page", g_variant_new_string ("bandwidth")); /* the last task's is remembered */
  ui_test_wait (stage_draws (&task->stage));
  ui_test_next_frame (GTK_WIDGET (task->stage.window));
  x_input_open (&task->input);
}

/* @before: what it took then; 0: nobody counted. */
static void
end (Task *task, const char *what, guint before)
{
  if (before > 0)
    {
      g_test_message ("%s: %u clicks, %u before: %s", what, task->clicks, before, task->way->str);
      g_assert_cmpuint (task->clicks, <=, before);
    }
  else
    g_test_message ("%s: %u keys: %s", what, task->clicks, task->way->str);
  g_string_free (task->way, TRUE);
  x_input_close (&task->input);
  stage_close (&task->stage);
}

static gboolean
is_seen (Task *task, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (task->stage.window), id);

  return widget != NULL && gtk_widget_get_mapped (widget);
}

static MemlaneChartView *
get_chart_view (Task *task)
{
  return MEMLANE_CHART_VIEW (memlane_page_get_figure (memlane_window_get_page (task->stage.window, "bandwidth")));
}

/* --- a: the mode for 2^16 floats, four kernels, results to the host -------------------------------------------------------------- */

static MemlaneDecidePage *
get_decide (Task *task)
{
  return MEMLANE_DECIDE_PAGE (memlane_window_get_page (task->stage.window, "decide"));
}

static gboolean
has_decided (Task *data)
{
  MemlaneDecider *decider = data->stage.models->decider;

  return !memlane_decider_is_waiting (decider) && memlane_decider_get_result (decider) != NULL;
}

static const MemlaneDecision *
get_decision (Task *task)
{
  return memlane_decider_get_result (task->stage.models->decider)->decision;
}

/* Where 2^16 and reuse 4 are on the map, the pointer goes there. */
static void
click_map (Task *task, guint log2, guint reuse)
{
  GtkWidget *view = memlane_page_get_figure (MEMLANE_PAGE (get_decide (task)));
  const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
  const MemlaneDecision *decision = get_decision (task);
  MemlaneRectangle area;

  for (guint i = 0; i < decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      if (decision->sizes[i] == log2 && memlane_decide_reuse (j) == reuse && memlane_decide_map_place (map, i, j, &area))
        {
          press_at (task, view, area.x + area.width / 2, area.y + area.height / 2);
          count_click (task, "map");
          return;
        }
  g_error ("2^%u, reuse %u is not on the map", log2, reuse);
}

static void
test_which_mode (void)
{
  Task task;
  GtkWidget *page;
  MemlaneChoice choice;
  guint n;
  const char *heading, *reading, *mode;
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *time = NULL;

  begin (&task);
  click (&task, "Decide");
  ui_test_wait (has_decided (&task));
  ui_test_next_frame (GTK_WIDGET (task.stage.window));
  click_map (&task, 16, 4);
  choose (&task, "Direction of the copies", "To the host");
  ui_test_wait (has_decided (&task));
  page = GTK_WIDGET (get_decide (&task));
  heading = gtk_label_get_text (GTK_LABEL (ui_test_find_id (page, "best")));
  time = g_strdup (gtk_label_get_text (GTK_LABEL (ui_test_find_id (page, "best_time"))));
  time[strcspn (time, ",")] = '\0';
  reading = MEMLANE_FIGURE_WIDGET (memlane_page_get_figure (MEMLANE_PAGE (page)))->reading;
  words = memlane_decide_to_words (memlane_decision_recommend (get_decision (&task), 16, 4));
  g_assert_true (memlane_decision_judge (get_decision (&task), 16, 4, &choice));
  mode = memlane_mode_list (&n)[choice.choice].title;
  /* One answer with one figure: heading, first sentence, line below the map. */
  g_assert_true (g_str_has_suffix (heading, mode));
  g_assert_nonnull (strstr (words->pdata[0], mode));
  g_assert_nonnull (strstr (words->pdata[0], time));
  g_assert_true (g_str_has_prefix (reading, "2¹⁶ floats"));
  g_assert_nonnull (strstr (reading, mode));
  g_assert_nonnull (strstr (reading, time));
  end (&task, "a, the mode for 2^16, reuse 4, to the host", 4);
}

/* --- b: simulated against recorded ------------------------------------------------------------------------------------------------ */

static MemlanePivot *
get_comparison (Task *task)
{
  GtkWidget *view = memlane_page_get_figure (memlane_window_get_page (task->stage.window, "compare"));

  return MEMLANE_IS_PIVOT_VIEW (view) ? MEMLANE_PIVOT_VIEW (view)->pivot : NULL;
}

static gboolean
compares (gpointer data)
{
  return get_comparison (data) != NULL && get_comparison (data)->modes->len > 0;
}

static void
test_compare (void)
{
  Task task;
  MemlanePage *page;
  GtkWidget *view;
  MemlaneRectangle cell;

  begin (&task);
  click (&task, "Run");
  g_assert_true (memlane_sweep_job_is_running (task.stage.models->sweep));
  g_assert_true (is_seen (&task, "side_box")); /* the runs are what one compares */
  ui_test_wait (stage_rests (task.stage.models));
  ui_test_wait (stage_has_read (task.stage.models));
  click (&task, "Compare");
  ui_test_wait (compares (&task));
  ui_test_next_frame (GTK_WIDGET (task.stage.window));
  ui_test_screenshot (GTK_WIDGET (task.stage.window), "task-compare.png");
  g_assert_true (is_seen (&task, "side_box"));
  /* The method comes first in what differs: the fixture's plan is smaller than the recording's. */
  g_assert_true (is_seen (&task, "difference"));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (ui_test_find_id (GTK_WIDGET (task.stage.window), "difference"))), !=, "");
  /* A row opens its curve, and a button leads back. */
  page = memlane_window_get_page (task.stage.window, "compare");
  view = memlane_page_get_figure (page);
  g_assert_true (memlane_pivot_figure_place (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view)), 0,
                                             get_comparison (&task)->sizes->len - 1, &cell));
  press_at (&task, view, cell.x + cell.width / 2, cell.y + cell.height / 2);
  view = memlane_page_get_figure (page);
  g_assert_true (MEMLANE_IS_CHART_VIEW (view));
  g_assert_cmpint (MEMLANE_CHART_VIEW (view)->chart->quantity, ==, MEMLANE_QUANTITY_RATIO);
  g_assert_cmpuint (MEMLANE_CHART_VIEW (view)->chart->series->len, ==, 1);
  click (&task, "All Modes");
  task.clicks--; /* the task has ended with the table */
  g_assert_true (MEMLANE_IS_PIVOT_VIEW (memlane_page_get_figure (page)));
  end (&task, "b, simulated against recorded", 2);
}

/* --- c: three modes as a PDF with a title of one's own --------------------------------------------------------------------------- */

static gboolean
shows_them (gpointer data)
{
  static const char *const ids[] = { "pinned-async", "mapped", "managed-prefetch", NULL };
  MemlaneChart *chart = get_chart_view (data)->chart;
  guint found = 0; /* a bit each */

  for (guint i = 0; chart != NULL && i < chart->series->len; i++)
    {
      const char *mode = ((MemlaneSeries *) chart->series->pdata[i])->mode;

      for (guint k = 0; ids[k] != NULL; k++)
        found |= g_str_equal (mode, ids[k]) ? 1u << k : 0;
      if (!g_strv_contains (ids, mode))
        return FALSE;
    }
  return found == 7;
}

static void
test_figure (void)
{
  static const char *const modes[] = { "Pinned (async)", "Mapped (zero-copy)", "Managed (prefetched)" };
  Task task;
  g_autofree char *path = ui_test_path ("copies.pdf"), *text = NULL;
  guint plan;
  gsize length;

  begin (&task);
  plan = memlane_sweep_job_count_cells (task.stage.models->sweep);
  click (&task, "No modes");
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    click (&task, modes[i]);
  ui_test_wait (shows_them (&task));
  g_assert_cmpuint (memlane_sweep_job_count_cells (task.stage.models->sweep), ==, plan); /* what is seen is not what is measured */
  press (&task, "<Control>e");
  type (&task, "Title", "Copies on our server");
  click (&task, "Save…");
  dialog_answer ("copies.pdf", GTK_RESPONSE_ACCEPT);
  count_click (&task, "Save");
  stage_wait_toast (&task.stage, "Saved copies.pdf");
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_true (g_str_has_prefix (text, "%PDF-"));
  click (&task, "All modes");
  task.clicks--; /* for whoever comes next */
  end (&task, "c, three modes as a PDF with a title of its own", 8);
}

/* --- d: somebody's file --------------------------------------------------------------------------------------------------------- */

static gboolean
shows_copies (gpointer data)
{
  MemlaneChart *chart = get_chart_view (data)->chart;

  return chart != NULL && g_strcmp0 (chart->workload, "copy-to-device") == 0 && chart->series->len > 0;
}

static gboolean
has_chosen (gpointer file)
{
  g_autoptr (GFile) chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog_find ()));

  return chosen != NULL && g_file_equal (chosen, file);
}

static void
open_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ui_test_wait (dialog_is_there (NULL));
  ui_test_wait (dialog_has_looked (NULL));
  ui_test_spin (200);
  g_assert_true (gtk_file_chooser_set_file (GTK_FILE_CHOOSER (dialog_find ()), file, NULL));
  ui_test_wait (has_chosen (file));
  gtk_dialog_response (GTK_DIALOG (dialog_find ()), GTK_RESPONSE_ACCEPT);
  ui_test_wait (dialog_is_gone (NULL));
}

static void
test_file (void)
{
  Task task;
  g_autofree char *source = ui_test_source ("data/recordings/h200-copy-to-device.csv"), *path = ui_test_path ("colleague.csv");
  g_autofree char *text = NULL;
  MemlaneChart *chart;

  g_assert_true (g_file_get_contents (source, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  begin (&task);
  click (&task, "Open a run");
  open_file (path);
  count_click (&task, "colleague.csv");
  count_click (&task, "Open");
  ui_test_wait (shows_copies (&task)); /* without another click */
  stage_wait_toast (&task.stage, "colleague");
  chart = get_chart_view (&task)->chart;
  g_assert_cmpuint (chart->series->len, >=, 3);
  click (&task, "Show Vector addition"); /* the toast offers the way back */
  task.clicks--;                         /* which is no part of the task */
  g_assert_cmpstr (task.stage.models->view->workload->id, ==, "vector-add");
  end (&task, "d, a colleague's CSV", 3);
}

/* --- e: an experiment with a prediction -------------------------------------------------------------------------------------------- */

static MemlaneExperimentItem *
get_experiment (Task *task)
{
  return stage_get_experiment (&task->stage);
}

static gboolean
has_verdict (gpointer data)
{
  MemlaneExperimentItem *item = get_experiment (data);

  return item != NULL && item->result != NULL;
}

static void
test_experiment (void)
{
  Task task;

  begin (&task);
  click (&task, "Experiments");
  ui_test_wait (look_for ("Skip the prediction") != NULL); /* they are read */
  click (&task, "5. Copy first, or read over the link?");
  click (&task, "Zero-copy");
  ui_test_wait (look_for ("Run the Experiment") != NULL);
  click (&task, "Run the Experiment");
  ui_test_wait (has_verdict (&task));
  ui_test_next_frame (GTK_WIDGET (task.stage.window));
  g_assert_true (is_seen (&task, "verdict"));
  end (&task, "e, experiment 5 with a prediction", 4);
}

/* --- f: why one order overlaps and the other does not ------------------------------------------------------------------------------ */

static void
test_two_timelines (void)
{
  Task task;
  GtkWidget *figure;
  double most;

  begin (&task);
  click (&task, "Timeline");
  click (&task, "Stream Laboratory");
  click (&task, "Record");
  ui_test_wait (stage_get_trace (&task.stage, 1) != NULL
                && stage_can (&task.stage, "record-trace"));
  figure = memlane_page_get_figure (memlane_window_get_page (task.stage.window, "timeline"));
  for (guint i = 0; i < 3; i++)
    ui_test_next_frame (GTK_WIDGET (task.stage.window));
  /* Both with all their lanes, without scrolling. */
  g_assert_true (MEMLANE_TIMELINE_VIEW (figure)->tracks[0].trace != NULL);
  g_assert_true (MEMLANE_TIMELINE_VIEW (figure)->tracks[1].trace != NULL);
  most = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (figure))).most_scroll;
  g_assert_cmpfloat (most, <=, 0);
  ui_test_screenshot (GTK_WIDGET (task.stage.window), "task-timelines.png");
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (task.stage.window), "overlap efficiency"));
  stage_do (&task.stage, "page", g_variant_new_string ("bandwidth"));
  end (&task, "f, two timelines beside each other", 8);
}

/* --- g: a plan of one's own ------------------------------------------------------------------------------------------------------- */

static void
test_plan (void)
{
  Task task;
  guint first, last, streams, chunks;

  begin (&task);
  click (&task, "Measurement plan");
  type (&task, "Smallest size", "2^12");
  type (&task, "Largest size", "2^24");
  type (&task, "Streams", "4");
  type (&task, "Chunks", "16");
  click (&task, "Run This Plan");
  g_assert_true (memlane_sweep_job_is_running (task.stage.models->sweep));
  g_object_get (task.stage.models->plan, "first-log2", &first, "last-log2", &last, "streams", &streams, "chunks", &chunks, NULL);
  g_assert_cmpuint (first, ==, 12);
  g_assert_cmpuint (last, ==, 24);
  g_assert_cmpuint (streams, ==, 4);
  g_assert_cmpuint (chunks, ==, 16);
  stage_do (&task.stage, "stop", NULL);
  ui_test_wait (stage_rests (task.stage.models));
  end (&task, "g, 2^12 to 2^24 with 4 streams and 16 chunks", 8);
}

/* --- h: a run deleted and brought back --------------------------------------------------------------------------------------------- */

static void
test_delete (void)
{
  Task task;
  g_autoptr (MemlaneRunItem) item = NULL;
  g_autofree char *menu = NULL;
  guint before;

  begin (&task);
  memlane_mode_set_put_all (models_get_plan (task.stage.models), FALSE);
  memlane_mode_set_put (models_get_plan (task.stage.models), "pinned", TRUE);
  stage_sweep (&task.stage);
  before = stage_count_runs (&task.stage);
  item = stage_find_kind (&task.stage, MEMLANE_RUN_KEPT);
  menu = g_strdup_printf ("Menu of %s", memlane_run_item_get_name (item));
  click (&task, menu);
  click (&task, "Delete");
  g_assert_cmpuint (stage_count_runs (&task.stage), ==, before - 1);
  click (&task, "Undo");
  g_assert_cmpuint (stage_count_runs (&task.stage), ==, before);
  end (&task, "h, a run deleted and brought back", 3);
}

/* --- i: keys alone ------------------------------------------------------------------------------------------------------------------- */

static void
test_keyboard (void)
{
  static const char *const pages[] = { "bandwidth", "timeline", "decide", "experiments" };
  Task task;
  GtkWidget *view;

  begin (&task);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *detailed = g_strdup_printf ("win.page::%s", pages[i]);
      g_auto (GStrv) keys = gtk_application_get_accels_for_action (GTK_APPLICATION (task.stage.application), detailed);

      if (g_strv_length (keys) == 0)
        g_error ("no key goes to %s", pages[i]);
      press (&task, keys[0]);
      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (memlane_window_get_page (task.stage.window, pages[i]))));
    }
  stage_do (&task.stage, "page", g_variant_new_string ("bandwidth"));
  view = GTK_WIDGET (get_chart_view (&task));
  g_assert_true (gtk_widget_grab_focus (view));
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (view)->reading, !=, "");
  press (&task, "<Control>question");
  end (&task, "i, pages by key, values by arrows", 0);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/tasks/a-which-mode", test_which_mode);
  g_test_add_func ("/tasks/b-compare", test_compare);
  g_test_add_func ("/tasks/c-figure", test_figure);
  g_test_add_func ("/tasks/d-file", test_file);
  g_test_add_func ("/tasks/e-experiment", test_experiment);
  g_test_add_func ("/tasks/f-two-timelines", test_two_timelines);
  g_test_add_func ("/tasks/g-plan", test_plan);
  g_test_add_func ("/tasks/h-delete", test_delete);
  g_test_add_func ("/tasks/i-keyboard", test_keyboard);
  return ui_test_run ();
}
