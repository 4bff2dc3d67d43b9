/* test-lesson.c: what lessons hold, and what refuses one with a sentence that names the line
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "engine/cases.h"
#include "experiment/lesson.h"

#define HEAD "[Lesson]\ntitle=T\ntitle[zh_CN]=T\n"
#define ANSWERS "[Answers]\nlesson=t\nid=1\n"
#define TEXTS "question=Q\nquestion[zh_CN]=Q\nanswer=A\nanswer[zh_CN]=A\nnotes=N\nnotes[zh_CN]=N\n"
#define STEP HEAD "[Step one]\n" TEXTS

static char *
answer_lesson (const char *asked)
{
  g_autoptr (GString) text = g_string_new (asked);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneLesson) lesson = NULL;

  g_string_replace (text, "STEP\n", STEP, 0);
  g_string_replace (text, "HEAD\n", HEAD, 0);
  g_string_replace (text, "TEXTS\n", TEXTS, 0);
  lesson = memlane_lesson_parse (text->str, text->len, "t.lesson", "C", &error);
  if (lesson != NULL)
    return g_strdup_printf ("taken, with %u step", lesson->steps->len);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  return g_strdup (error->message);
}

static void
test_files (void)
{
  check_cases ("experiment", "lessons.txt", answer_lesson);
}

/* The lesson t has a curve to draw, and two choices. */
static MemlaneLesson *
make_lesson (void)
{
  static const char text[] = STEP "shows=curves h200-vector-add\nmodes=pinned;mapped\ndraw=mapped\n"
    "[Step two]\n" TEXTS "shows=text\nchoices=a;b\nchoices[zh_CN]=a;b\nright=1\n";
  g_autoptr (GError) error = NULL;
  MemlaneLesson *lesson = memlane_lesson_parse (text, strlen (text), "/home/me/t.lesson", "C", &error);

  g_assert_no_error (error);
  return lesson;
}

static char *
answer_answers (const char *asked)
{
  g_autoptr (MemlaneLesson) lesson = make_lesson ();
  g_autoptr (GString) text = g_string_new (asked), said = g_string_new (NULL);
  g_autoptr (MemlaneLessonAnswers) read = NULL;
  g_autoptr (GError) error = NULL;

  g_string_replace (text, "ANSWERS\n", ANSWERS, 0);
  read = memlane_lesson_answers_parse (lesson, text->str, text->len, "a.answers", &error);
  if (read == NULL)
    {
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      return g_strdup (error->message);
    }
  g_string_append_printf (said, "taken of %s: choice %u; curve", read->id, read->steps[1].choice);
  for (guint i = 0; i < G_N_ELEMENTS (read->steps[0].curve); i++)
    if (read->steps[0].curve[i] > 0)
      g_string_append_printf (said, " %u %g", i, read->steps[0].curve[i]);
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
test_answers (void)
{
  static const char good[] = ANSWERS "[Step 1]\ncurve=10 7.5;12 8e3\n[Step 2]\nchoice=2\n";
  g_autoptr (GError) problem = NULL;
  g_autoptr (MemlaneLesson) lesson = make_lesson ();
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_answers_free);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "huge.answers", NULL), *huge = g_strnfill (300 << 10, '\n');

  check_cases ("experiment", "lesson-answers.txt", answer_answers);
  g_assert_true (g_file_set_contents (path, huge, 300 << 10, &problem));
  for (guint i = 0; i < 4; i++) /* huge; taken; the same once more; gone */
    {
      g_assert_cmpint (memlane_lesson_add_answers (lesson, all, path, &problem), ==, i == 1);
      if (i != 1)
        g_assert_nonnull (strstr (problem->message, path));
      g_assert_cmpint (g_error_matches (problem, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO), ==, i == 0 || i == 3);
      g_clear_error (&problem);
      if (i == 2)
        g_unlink (path);
      else
        g_assert_true (g_file_set_contents (path, good, -1, NULL));
    }
  g_assert_cmpuint (memlane_lesson_count_answers (all, 1, 1), ==, 1);
  g_assert_cmpuint (memlane_lesson_count_answers (all, 1, 0), ==, 0);
  g_unlink (path);
}

/* Each is given in both languages, by number, and no title is a sentence that answers. */
static void
test_shipped (void)
{
  g_autoptr (GPtrArray) problems = NULL, other_problems = NULL;
  g_autoptr (GPtrArray) english = memlane_lesson_list ("C", &problems), chinese = memlane_lesson_list ("zh_CN", &other_problems);

  g_assert_cmpuint (english->len, ==, 6);
  g_assert_cmpuint (problems->len, ==, 0);
  for (guint i = 0; i < english->len; i++)
    {
      const MemlaneLesson *one = english->pdata[i], *other = chinese->pdata[i];

      g_assert_cmpuint (one->number, ==, i + 1);
      g_assert_cmpstr (one->path, ==, other->path);
      g_assert_cmpstr (one->title, !=, other->title);
      g_assert_false (g_str_has_suffix (one->title, "."));
      for (guint k = 0; k < one->steps->len; k++)
        {
          const MemlaneLessonStep *step = one->steps->pdata[k], *translated = other->steps->pdata[k];

          g_assert_cmpstr (step->question, !=, translated->question);
          g_assert_cmpint (step->right, ==, translated->right);
          g_assert_cmpuint (g_strv_length (step->choices), ==, g_strv_length (translated->choices));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/files", test_files);
  g_test_add_func ("/lesson/answers", test_answers);
  g_test_add_func ("/lesson/shipped", test_shipped);
  return g_test_run ();
}
