/* test-lesson-page.c: a whole lesson by Page Down, on the wall and in the notes; hands; a file that is refused
 *
 * SPDX-License-Identifier: MIT
 *
 * Once in English, and the lessons themselves once in Chinese: `test-lesson-page zh_CN`.
 */
#include "chart/answer-words.h"
#include "chart/report/lesson-figure.h"
#include "experiment/lesson-page.h"
#include "experiment/still-figure.h"
#include "ui/locale-fixture.h"
#include "window-fixture.h"

static GtkWidget *
get_page (Stage *stage)
{
  return GTK_WIDGET (memlane_window_get_page (stage->window, "lessons"));
}

static GtkWidget *
get_wall (Stage *stage)
{
  return ui_test_find_id (get_page (stage), "wall");
}

/* (nullable) */
static GtkWidget *
find_notes (void)
{
  return ui_test_find_window (GTK_TYPE_WINDOW, "notes");
}

static gboolean
press (Stage *stage, guint key)
{
  return ui_test_press_window (GTK_WIDGET (stage->window), key);
}

static gboolean
says (GtkWidget *root, const char *text)
{
  g_autofree char *set = memlane_words_typeset (text);
  GtkWidget *label = ui_test_find_text (root, set);

  return label != NULL && gtk_widget_get_visible (label);
}

static void
begin (Stage *stage, int lesson)
{
  GtkWidget *list;

  *stage = stage_open ();
  gtk_window_set_default_size (GTK_WINDOW (stage->window), 1280, 720);
  stage_do (stage, "page", g_variant_new_string ("lessons"));
  ui_test_next_frame (GTK_WIDGET (stage->window));
  list = ui_test_find_type (get_page (stage), GTK_TYPE_LIST_BOX);
  g_assert_nonnull (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 5)); /* six of them */
  ui_test_screenshot (GTK_WIDGET (stage->window), "lessons.png");
  gtk_list_box_select_row (GTK_LIST_BOX (list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), lesson));
  stage_do (stage, "projector", NULL);
  for (guint i = 0; i < 3; i++)
    ui_test_next_frame (GTK_WIDGET (stage->window));
  g_assert_null (find_notes ()); /* on the only screen they would cover the wall */
  g_assert_true (press (stage, GDK_KEY_n));
  g_assert_nonnull (find_notes ());
}

static void
take_pictures (Stage *stage, guint lesson, guint place)
{
  g_autofree char *wall = g_strdup_printf ("lesson-%u-%u-wall.png", lesson + 1, place);
  g_autofree char *notes = g_strdup_printf ("lesson-%u-%u-notes.png", lesson + 1, place);

  for (guint i = 0; i < 2; i++)
    ui_test_next_frame (GTK_WIDGET (stage->window));
  ui_test_screenshot (GTK_WIDGET (stage->window), wall);
  ui_test_next_frame (find_notes ());
  ui_test_screenshot (find_notes (), notes);
}

static gboolean
measures_nothing (gpointer data)
{
  return !memlane_bench_is_running (((Stage *) data)->models->bench);
}

/* Every lesson to its end and back: the question first, without the answer; then the answer, with a figure where there is one. */
static void
test_walk (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  g_autoptr (GPtrArray) problems = NULL, lessons = memlane_lesson_list (NULL, &problems);
  const MemlaneLesson *lesson = lessons->pdata[number];
  g_auto (Stage) stage = { NULL };

  g_assert_cmpuint (problems->len, ==, 0);
  begin (&stage, (int) number);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const MemlaneLessonStep *step = lesson->steps->pdata[i];
      GtkWidget *wall = get_wall (&stage);

      g_assert_true (says (find_notes (), step->answer));
      g_assert_false (says (wall, step->answer));
      g_assert_cmpint (ui_test_find_type (wall, MEMLANE_TYPE_STILL_FIGURE) != NULL, ==,
                       memlane_lesson_figure_is_drawn (step) || step->before);
      take_pictures (&stage, number, 2 * i);
      if (step->experiment != NULL)
        for (guint k = 0; k < 3000 && !measures_nothing (&stage); k++)
          ui_test_spin (100);
      g_assert_true (press (&stage, GDK_KEY_Page_Down));
      g_assert_true (says (wall, step->answer));
      g_assert_cmpint (ui_test_find_type (wall, MEMLANE_TYPE_STILL_FIGURE) != NULL, ==, step->kind != MEMLANE_LESSON_TEXT);
      take_pictures (&stage, number, 2 * i + 1);
      if (i + 1 < lesson->steps->len)
        {
          const MemlaneLessonStep *next = lesson->steps->pdata[i + 1];

          g_assert_true (says (find_notes (), next->question));
          g_assert_true (press (&stage, GDK_KEY_Page_Down));
          g_assert_true (says (wall, next->question));
        }
    }
  for (guint i = 0; i < 2; i++) /* the page of what to take away is the last one */
    {
      g_assert_true (press (&stage, GDK_KEY_Page_Down));
      for (guint k = 0; k < lesson->steps->len; k++)
        g_assert_true (says (get_wall (&stage), ((const MemlaneLessonStep *) lesson->steps->pdata[k])->answer));
    }
  take_pictures (&stage, number, 2 * lesson->steps->len);
  for (guint i = 0; i < 2 * lesson->steps->len; i++)
    g_assert_true (press (&stage, GDK_KEY_Page_Up));
  g_assert_true (says (get_wall (&stage), ((const MemlaneLessonStep *) lesson->steps->pdata[0])->question));
  g_assert_true (press (&stage, GDK_KEY_Escape));
  g_assert_null (find_notes ());
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (ui_test_find_type (get_page (&stage), GTK_TYPE_LIST_BOX)));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* Typed into the notes, drawn beside the truth; the keys work in the notes as well. */
static void
test_hands (void)
{
  static const char *const counts[] = { "12", "31" };
  g_auto (Stage) stage = { NULL };
  GtkWidget *entry;

  begin (&stage, 1);
  entry = ui_test_find_type (find_notes (), GTK_TYPE_ENTRY);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++, entry = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (entry)))
    {
      g_assert_true (GTK_IS_ENTRY (entry));
      gtk_editable_set_text (GTK_EDITABLE (entry), counts[i]);
    }
  g_assert_null (ui_test_find_type (get_wall (&stage), GTK_TYPE_PROGRESS_BAR)); /* not before the answer */
  g_assert_true (ui_test_press_window (find_notes (), GDK_KEY_Page_Down));
  g_assert_cmpfloat (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (ui_test_find_type (get_wall (&stage), GTK_TYPE_PROGRESS_BAR))), ==,
                     12.0 / 31);
  g_assert_true (says (get_wall (&stage), "31"));
  g_assert_nonnull (ui_test_find_type (get_wall (&stage), GTK_TYPE_IMAGE)); /* the mark of the right one */
  take_pictures (&stage, 1, 99);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (ui_test_press_window (find_notes (), GDK_KEY_b));
      g_assert_cmpint (gtk_widget_get_visible (ui_test_find_id (GTK_WIDGET (stage.window), "blank")), ==, i == 0);
    }
  gtk_window_close (GTK_WINDOW (find_notes ())); /* ends the lesson */
  g_assert_null (find_notes ());
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

static void
write_answers (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (ui_test_home, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
open_answers (Stage *stage, const char *name)
{
  g_autofree char *path = g_build_filename (ui_test_home, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (stage->window, file);
}

/* A curve is drawn on the wall; pages that were handed in add up; what is no answer is refused by name. */
static void
test_answers (void)
{
  g_auto (Stage) stage = { NULL };
  GtkWidget *figure;
  double x, y, to_x, to_y;
  const MemlaneFigureCalls *calls;

  write_answers ("a.answers", "[Answers]\nlesson=managed-memory\nid=1\n[Step 1]\ncurve=10 5e4;14 1e5;20 8e5\n[Step 2]\nchoice=1\n");
  write_answers ("b.answers", "[Answers]\nlesson=managed-memory\nid=2\n[Step 1]\ncurve=10 2e5;15 2e5;20 5e6\n[Step 2]\nchoice=1\n");
  write_answers ("c.answers", "[Answers]\nlesson=managed-memory\nid=1\n");
  write_answers ("d.answers", "no answers\n");
  begin (&stage, 4);
  figure = ui_test_find_type (get_wall (&stage), MEMLANE_TYPE_STILL_FIGURE);
  calls = &MEMLANE_FIGURE_WIDGET_GET_CLASS (figure)->calls;
  memlane_still_figure_find (MEMLANE_STILL_FIGURE (figure), 10, 1e5, &x, &y);
  memlane_still_figure_find (MEMLANE_STILL_FIGURE (figure), 20, 1e6, &to_x, &to_y);
  g_assert_cmpfloat (to_x, >, x + 100);
  g_assert_cmpfloat (to_y, <, y - 100);
  g_assert_true (calls->band_begin (MEMLANE_FIGURE_WIDGET (figure), x, y));
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (figure)->reading, "100 µs"));
  calls->band_move (MEMLANE_FIGURE_WIDGET (figure), to_x, to_y);
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (figure)->reading, "1.00 ms"));
  gtk_widget_grab_focus (figure);
  g_assert_true (ui_test_press (figure, GDK_KEY_Left, 0)); /* that lies between */
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (figure)->reading, "794 µs"));
  take_pictures (&stage, 4, 97);
  for (guint i = 0; i < 4; i++)
    open_answers (&stage, (const char *[]) { "a.answers", "b.answers", "c.answers", "d.answers" }[i]);
  g_assert_nonnull (ui_test_find_text (find_notes (), "c.answers: these answers are counted already"));
  g_assert_nonnull (ui_test_find_text (find_notes (), "d.answers:1:"));
  g_assert_null (ui_test_find_text (find_notes (), "a.answers"));
  g_assert_true (press (&stage, GDK_KEY_Page_Down));
  take_pictures (&stage, 4, 98);
  for (guint i = 0; i < 2; i++)
    g_assert_true (press (&stage, GDK_KEY_Page_Down));
  g_assert_nonnull (ui_test_find_type (get_wall (&stage), GTK_TYPE_PROGRESS_BAR));
  g_assert_true (says (get_wall (&stage), "2"));
  g_assert_true (press (&stage, GDK_KEY_Escape));
  open_answers (&stage, "a.answers");
  g_assert_nonnull (strstr (stage_get_toast (&stage), "a.answers"));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* The answers of a large class, a page each, are all counted. */
static void
test_large_class (void)
{
  g_auto (Stage) stage = { NULL };

  begin (&stage, 1);
  g_assert_true (press (&stage, GDK_KEY_Page_Down)); /* each changes the wall */
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *text = g_strdup_printf ("[Answers]\nlesson=why-page-locked\nid=%u\n[Step 1]\nchoice=%u\n", i + 1, 1 + i % 3 / 2);

      write_answers ("class.answers", text);
      open_answers (&stage, "class.answers");
    }
  ui_test_wait (ui_test_find_text (find_notes (), "300 pages are counted.") != NULL);
  g_assert_true (says (get_wall (&stage), "200"));
  g_assert_true (says (get_wall (&stage), "100"));
  take_pictures (&stage, 1, 300);
  g_assert_true (press (&stage, GDK_KEY_Escape));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

static void
test_refused (void)
{
  g_autofree char *path = g_build_filename (ui_test_home, "mine.lesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (Stage) stage = { NULL };

  g_assert_true (g_file_set_contents (path, "[Lesson]\ntitle=Mine\n\n[Step one]\nquestion=Q\nanswer=A\nnotes=N\nshows=curves no-such-run\n",
                                      -1, NULL));
  stage = stage_open ();
  memlane_window_open_file (stage.window, file);
  g_assert_nonnull (strstr (stage_get_toast (&stage), "recordings/no-such-run.csv"));
  g_assert_true (g_file_set_contents (path, "[Lesson]\ntitle=Mine\n\n[Step one]\nquestion=Q\nanswer=A\nnotes=N\nshows=text\n", -1, NULL));
  memlane_window_open_file (stage.window, file);
  g_assert_true (says (get_page (&stage), "Mine"));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

int
main (int argc, char **argv)
{
  gboolean chinese = argc > 1 && g_str_equal (argv[1], "zh_CN");

  locale_init (&argc, &argv);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("/lesson-page/walk/%u", i + 1);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_walk);
    }
  if (!chinese)
    {
      g_test_add_func ("/lesson-page/hands", test_hands);
      g_test_add_func ("/lesson-page/answers", test_answers);
      g_test_add_func ("/lesson-page/large-class", test_large_class);
      g_test_add_func ("/lesson-page/refused", test_refused);
    }
  return locale_run ();
}
