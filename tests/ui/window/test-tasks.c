/* test-tasks.c: the steps and facts of tasks.scene: a hand that clicks with the mouse and counts
 *
 * SPDX-License-Identifier: MIT
 *
 * A click is one of the X pointer; a key is one, however many are held; words typed into a field
 * cost the click that goes there.
 */
#define UI_TEST_LEAKS_ELSEWHERE

#include "chart/map/decide-map.h"
#include "chart/timeline/timeline.h"
#include "decide/decide-page.h"
#include "parts/pivot-view.h"
#include "ui/pointer-fixture.h"
#include "ui/scene.h"

static guint clicks;
static GString *way; /* what was clicked */
static XInput input; /* the mouse */

static void
count_click (const char *what)
{
  clicks++;
  g_string_append_printf (way, "%s%s", way->len > 0 ? ", " : "", what);
}

/* What can be clicked at all. */
static gboolean
takes_clicks (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget)
         || GTK_IS_DROP_DOWN (widget) || GTK_IS_LIST_BOX_ROW (widget) || GTK_IS_EXPANDER (widget)
         || GTK_IS_SPIN_BUTTON (widget) || GTK_IS_EDITABLE (widget)
         || g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton");
}

static char *
without_mnemonic (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("", parts);
}

/* As a screen reader says it: the label that was set, else the first words inside. (transfer full)
 * (nullable) */
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

  if (!takes_clicks (widget) || !gtk_widget_get_mapped (widget)
      || !gtk_widget_is_sensitive (widget))
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

static GtkWidget *
find (const char *name)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GString) seen = g_string_new (NULL);

  for (guint i = 0; i < 100 && look_for (name) == NULL; i++)
    ui_test_spin (20); /* it slides in */
  if (look_for (name) != NULL)
    return look_for (name);
  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    {
      ui_test_find (window, is_wanted, &(Wanted) { "\001", seen });
    }
    scene_fail ("nothing called “%s” can be clicked; after %s these can:%s", name, way->str,
                seen->str);
    return NULL;
}

static void
let_answer (void)
{
  ui_test_spin (120);
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
}

static void
press_on (GtkWidget *widget)
{
  pointer_click (&input, widget);
  let_answer ();
}

static void
press_at (GtkWidget *widget, double x, double y)
{
  pointer_move_to (&input, widget, x, y);
  x_click (&input, 1);
  let_answer ();
}

/* --- steps -------------------------------------------------------------------------------- */

static void
do_begin (char **words)
{
  clicks = 0;
  way = g_string_new (NULL);
  scene.stage = stage_open ();
  gtk_window_set_default_size (GTK_WINDOW (scene.stage.window), 1280, 720);
  stage_do (&scene.stage, "page",
            g_variant_new_string ("bandwidth")); /* the last task's is remembered */
  ui_test_wait (stage_draws (&scene.stage));
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
  x_input_open (&input);
}

/* AT-MOST WHAT */
static void
do_took (char **words)
{
  g_test_message ("%s: %u, %s before: %s", words[1], clicks, words[0], way->str);
  g_assert_cmpint ((int) clicks, <=, atoi (words[0]));
  g_string_free (way, TRUE);
  x_input_close (&input);
}

static void
do_free_hand (char **words)
{
  press_on (find (words[0]));
}

static void
do_hand (char **words)
{
  do_free_hand (words);
  count_click (words[0]);
}

static void
do_wait_hand (char **words)
{
  ui_test_wait (look_for (words[0]) != NULL);
}

static void
do_count (char **words)
{
  count_click (words[0]);
}

static gboolean
is_entry (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_VIEW) != NULL
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), data);
}

/* NAME ENTRY: opens the list and takes the entry. */
static void
do_pick (char **words)
{
  GtkWidget *list = find (words[0]);

  do_hand (words);
  ui_test_wait (ui_test_find (list, is_entry, words[1]) != NULL);
  press_on (ui_test_find (list, is_entry, words[1]));
  count_click (words[1]);
}

/* NAME TEXT: goes into the field, and types. */
static void
do_hand_type (char **words)
{
  GtkWidget *field = find (words[0]);

  press_on (ui_test_find_type (field, GTK_TYPE_TEXT)); /* beside its buttons */
  count_click (words[0]);
  gtk_editable_set_text (GTK_EDITABLE (field), words[1]);
  if (GTK_IS_SPIN_BUTTON (field))
    gtk_spin_button_update (GTK_SPIN_BUTTON (field));
}

static void
do_accel (char **words)
{
  scene_accelerator (words);
  count_click (words[0]);
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
}

/* PAGE: by the key that goes there */
static void
do_accel_of (char **words)
{
  GtkApplication *application = GTK_APPLICATION (scene.stage.application);
  g_autofree char *action = g_strconcat ("win.page::", words[0], NULL);
  g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, action);

  if (keys[0] == NULL)
    scene_fail ("no key goes there");
  do_accel (keys);
}

static const MemlaneDecision *
get_decision (void)
{
  return memlane_decider_get_result (scene.stage.models->decider)->decision;
}

/* LOG2 REUSE: where these are on the map */
static void
do_hand_map (char **words)
{
  GtkWidget *view = scene_get ("figure");
  const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
  const MemlaneDecision *decision = get_decision ();
  MemlaneRectangle area;

  for (guint i = 0; i < decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      if (decision->sizes[i] == atoi (words[0]) && (int) memlane_decide_reuse (j) == atoi (words[1])
          && memlane_decide_map_place (map, i, j, &area))
        {
          press_at (view, area.x + area.width / 2, area.y + area.height / 2);
          count_click ("map");
          return;
        }
  scene_fail ("it is not on the map");
}

/* LOG2 REUSE: heading, sentence and reading name the mode that the decision names, with one time.
 */
static void
do_one_answer (char **words)
{
  const guint log2 = (guint) atoi (words[0]), reuse = (guint) atoi (words[1]);
  const char *heading = gtk_label_get_text (scene_get ("best")), *mode;
  const char *reading = MEMLANE_FIGURE_WIDGET (scene_get ("figure"))->reading;
  g_autoptr (GPtrArray) said = NULL;
  g_autofree char *time = g_strdup (gtk_label_get_text (scene_get ("best_time")));
  MemlaneChoice choice;
  guint n;

  time[strcspn (time, ",")] = '\0';
  said = memlane_decide_to_words (memlane_decision_recommend (get_decision (), log2, reuse));
  g_assert_true (memlane_decision_judge (get_decision (), log2, reuse, &choice));
  mode = memlane_mode_list (&n)[choice.choice].title;
  g_assert_true (g_str_has_suffix (heading, mode));
  g_assert_nonnull (strstr (said->pdata[0], mode));
  g_assert_nonnull (strstr (said->pdata[0], time));
  g_assert_nonnull (strstr (reading, mode));
  g_assert_nonnull (strstr (reading, time));
}

static MemlanePivot *
get_comparison (void)
{
  gpointer view = scene_get ("figure");

  return MEMLANE_IS_PIVOT_VIEW (view) ? MEMLANE_PIVOT_VIEW (view)->pivot : NULL;
}

/* The last one of the first row. */
static void
do_free_cell_of_comparison (char **words)
{
  MemlaneFigureWidget *view = scene_get ("figure");
  MemlaneRectangle cell;

  g_assert_true (memlane_pivot_figure_place (memlane_figure_widget_get_layout (view), 0,
                                             get_comparison ()->sizes->len - 1, &cell));
  press_at (GTK_WIDGET (view), cell.x + cell.width / 2, cell.y + cell.height / 2);
}

static gboolean
has_chosen (gpointer file)
{
  g_autoptr (GFile) chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog_find ()));

  return chosen != NULL && g_file_equal (chosen, file);
}

/* PATH */
static void
do_open_by_dialog (char **words)
{
  g_autoptr (GFile) file = g_file_new_for_path (words[0]);

  ui_test_wait (dialog_is_there (NULL));
  ui_test_wait (dialog_has_looked (NULL));
  ui_test_spin (200);
  g_assert_true (gtk_file_chooser_set_file (GTK_FILE_CHOOSER (dialog_find ()), file, NULL));
  ui_test_wait (has_chosen (file));
  gtk_dialog_response (GTK_DIALOG (dialog_find ()), GTK_RESPONSE_ACCEPT);
  ui_test_wait (dialog_is_gone (NULL));
}

static const SceneVerb verbs[] = {
  { "begin", 0, do_begin },
  { "took", 2, do_took },
  { "hand", 1, do_hand },
  { "free-hand", 1, do_free_hand },
  { "wait-hand", 1, do_wait_hand }, /* it can be clicked */
  { "count", 1, do_count },
  { "pick", 2, do_pick },
  { "hand-type", 2, do_hand_type },
  { "accel", 1, do_accel },
  { "accel-of", 1, do_accel_of },
  { "hand-map", 2, do_hand_map },
  { "one-answer", 2, do_one_answer },
  { "free-cell-of-comparison", 0, do_free_cell_of_comparison },
  { "open-by-dialog", 1, do_open_by_dialog },
  { NULL, 0, NULL },
};

/* Their modes, each once, by name. (transfer full) */
static char *
list_curves (const MemlaneChart *chart)
{
  g_autoptr (GTree) modes = g_tree_new ((GCompareFunc) strcmp);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < chart->series->len; i++)
    g_tree_insert (modes, ((MemlaneSeries *) chart->series->pdata[i])->mode, NULL);
  for (GTreeNode *node = g_tree_node_first (modes); node != NULL; node = g_tree_node_next (node))
    g_strv_builder_add (names, g_tree_node_key (node));
  all = g_strv_builder_end (names);
  return g_strjoinv (" ", all);
}

static double
get_hidden_lanes (gpointer figure)
{
  return memlane_timeline_get_sight (memlane_figure_widget_get_layout (figure)).most_scroll;
}

static char *
get_fact (gpointer thing, const char *fact)
{
  MemlaneModels *models = scene.stage.models;

  if (g_str_equal (fact, "decided"))
    return scene_from_flag (!memlane_decider_is_waiting (models->decider)
                            && memlane_decider_get_result (models->decider) != NULL);
  if (g_str_equal (fact, "compares"))
    return scene_from_flag (get_comparison () != NULL && get_comparison ()->modes->len > 0);
  if (g_str_equal (fact, "ratios"))
    return scene_from_flag (MEMLANE_CHART_VIEW (thing)->chart->quantity == MEMLANE_QUANTITY_RATIO);
  if (g_str_equal (fact, "curves"))
    return list_curves (MEMLANE_CHART_VIEW (thing)->chart);
  if (g_str_equal (fact, "planned-cells"))
    return g_strdup_printf ("%u", memlane_sweep_job_count_cells (models->sweep));
  if (g_str_equal (fact, "hidden-lanes")) /* px that are scrolled to */
    return g_strdup_printf ("%g", MAX (get_hidden_lanes (scene_get ("figure")), 0));
  if (g_str_equal (fact, "title")) /* of a run */
    return g_strdup (memlane_run_item_get_name (thing));
  return NULL;
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene.get_own_fact = get_fact;
  scene_add_file ("window/tasks.scene");
  return ui_test_run ();
}
