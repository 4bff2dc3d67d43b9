/* test-experiment-page.c: the Experiments page: the steps and facts of its scenes
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "base/each.h"
#include "chart/answer-words.h"
#include "chart/frame.h"
#include "experiment/still-figure.h"
#include "ui/scene.h"
#include "ui/experiment-fixture.h"

/* --- steps -------------------------------------------------------------------------------- */

/* NAME */
static void
do_begin (char **words)
{
  scene.stage = open_page (words[0]);
}

static void
do_choose (char **words)
{
  choose (&scene.stage, words[0]);
}

static void
do_run (char **words)
{
  run (&scene.stage);
}

/* Opens each on the way. */
static gboolean
match_unfolding (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_EXPANDER (widget))
    gtk_expander_set_expanded (GTK_EXPANDER (widget), TRUE);
  return FALSE;
}

static void
do_unfold (char **words)
{
  ui_test_find (scene_get (words[0]), match_unfolding, NULL);
}

/* No table keeps the wheel from the page. */
static void
assert_wheel_passes (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers =
      GTK_IS_SCROLLED_WINDOW (widget) ? gtk_widget_observe_controllers (widget) : NULL;

  for (guint i = 0; controllers != NULL && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        g_assert_false (
            (gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (controller))
             & GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
            != 0);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_wheel_passes (child);
}

static void
do_wheel_passes (char **words)
{
  assert_wheel_passes (scene_get (words[0]));
}

static void
do_no_focus (char **words)
{
  g_assert_false (gtk_widget_grab_focus (scene_get (words[0])));
}

static const SceneVerb verbs[] = {
  { "begin", 1, do_begin },
  { "choose", 1, do_choose },
  { "run", 0, do_run },
  { "unfold", 1, do_unfold },
  { "wheel-passes", 1, do_wheel_passes },
  { "no-focus", 1, do_no_focus },
  { NULL, 0, NULL },
};

/* --- facts -------------------------------------------------------------------------------- */

static gboolean
match_mapped_expander (GtkWidget *widget, gpointer data)
{
  return GTK_IS_EXPANDER (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_selected (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL);
}

/* The texts of a figure, a line each; sets *@cut if one of them ends in dots. (transfer full) */
static char *
list_texts (MemlaneFigureWidget *figure, gboolean *cut)
{
  const MemlaneFrame *frame = memlane_figure_widget_get_layout (figure);
  GString *texts = g_string_new (NULL);

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, frame->texts)
    {
      *cut |= pango_layout_is_ellipsized (text->layout);
      g_string_append_printf (texts, "%s\n", pango_layout_get_text (text->layout));
    }
  return g_string_free (texts, FALSE);
}

/* The answer is in sight. */
static gboolean
is_in_sight (gpointer data)
{
  GtkWidget *scrolled = scene_get ("scrolled"), *seen = data;
  double x, y;

  g_assert_true (gtk_widget_translate_coordinates (seen, scrolled, 0, 0, &x, &y));
  return y >= 0 && y + gtk_widget_get_height (seen) < gtk_widget_get_height (scrolled);
}

static char *
get_fact (gpointer thing, const char *fact)
{
  MemlaneExperimentItem *item = scene.stage.window != NULL ? get_item (&scene.stage) : NULL;

  if (g_str_equal (fact, "choice"))
    return g_strdup_printf ("%d", item->choice);
  if (g_str_equal (fact, "chosen"))
    return g_strdup (item->experiment->name);
  if (g_str_equal (fact, "has-result"))
    return scene_from_flag (has_result (&scene.stage));
  if (g_str_equal (fact, "in-sight")) /* nothing needs to be scrolled */
    return scene_from_flag (is_in_sight (thing));
  if (g_str_equal (fact, "shows-expander"))
    return scene_from_flag (ui_test_find (thing, match_mapped_expander, NULL) != NULL);
  if (g_str_equal (fact, "has-selection"))
    return scene_from_flag (ui_test_find (thing, is_selected, NULL) != NULL);
  if (g_str_has_prefix (fact, "draws")) /* its texts, or whether one is cut */
    {
      gboolean cut = FALSE;
      g_autofree char *texts = list_texts (thing, &cut);

      return g_str_equal (fact, "draws") ? g_steal_pointer (&texts) : scene_from_flag (cut);
    }
  return NULL;
}

/* What a file and the engine type in ASCII is read as people write it. */
static void
test_typeset (void)
{
  static const struct { const char *typed, *read; } cases[] = {
    { "Which is done sooner at 2^20 floats?", "Which is done sooner at 2²⁰ floats?" },
    { "from 2^10 to 2^20.", "from 2¹⁰ to 2²⁰." },
    { "x2^3, 2^n, 12^4 and 5 users use us", "x2^3, 2^n, 12^4 and 5 users use us" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *set = memlane_words_typeset (cases[i].typed);

      g_assert_cmpstr (set, ==, cases[i].read);
    }
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene.get_own_fact = get_fact;
  scene_add_file ("experiment/experiment-page.scene");
  g_test_add_func ("/experiment-page/typeset", test_typeset);
  return ui_test_run ();
}
