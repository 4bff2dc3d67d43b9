/* test-lesson.c: what lessons hold, and what refuses one with a sentence that names the line
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "experiment/lesson.h"

#define HEAD "[Lesson]\ntitle=T\ntitle[zh_CN]=T\n"
#define TEXTS "question=Q\nquestion[zh_CN]=Q\nanswer=A\nanswer[zh_CN]=A\nnotes=N\nnotes[zh_CN]=N\n"
#define STEP HEAD "[Step one]\n" TEXTS

static const struct
{
  const char *text, *said; /* NULL: it is taken */
} files[] = {
  { STEP "shows=text\n", NULL },
  { STEP "shows=curves h200-vector-add\nmodes=pinned;mapped\ndraw=mapped\nquantity=time\n", NULL },
  { STEP "shows=timeline h200-pinned-2p20 h200-mapped-2p20\nwith-question=true\n", NULL },
  { STEP "shows=map h200-vector-add\nchoices=a;b\nchoices[zh_CN]=a;b\nright=2\n", NULL },
  { STEP "shows=experiment round-trips\n", NULL },
  { "", "t.lesson:1: [Lesson]: the group is missing" },
  { HEAD, "there is no step, expected a [Step NAME]" },
  { HEAD "[Stop]\n", "t.lesson:4: [Stop]: expected [Lesson] or one of at most 64 [Step NAME]" },
  { HEAD "[Step one]\nshows=text\n", "t.lesson:4: [Step one]: the key question is missing" },
  { HEAD "[Step one]\nquestion=Q\n", "t.lesson:5: [Step one] question: is not translated: expected the key question[zh_CN] as well" },
  { STEP "shows=text\nchoices=a;b\nright=1\n", "choices: is not translated" },
  { STEP "shows=text\nchoices=a;b\nchoices[zh_CN]=a\nright=1\n", "found 1 choices, expected 2 as in English" },
  { STEP "shows=text\nchoices=a;b\nchoices[zh_CN]=a;b\n", "expected the number of a choice, 1 to 2" },
  { STEP "shows=text\nright=1\n", "right: expected choices, too" },
  { STEP "shows=film\n", "t.lesson:11: [Step one] shows: unknown step 'film', expected text, curves, timeline, map or experiment" },
  { STEP "shows=curves\n", "found 0 names after curves, expected one" },
  { STEP "shows=curves gone\n", "t.lesson:11: [Step one] shows: recordings/gone.csv is missing in the data folders" },
  { STEP "shows=curves ../published\n", "is missing in the data folders" },
  { STEP "shows=timeline h200-pinned-2p20 gone\n", "recordings/traces/gone.json is missing" },
  { STEP "shows=experiment gone\n", "unknown experiment \"gone\"" },
  { STEP "shows=experiment round-trips\nright=1\n", "the choices are those of the experiment" },
  { STEP "shows=curves h200-vector-add\nmodes=paper\n", "modes: unknown mode 'paper'" },
  { STEP "shows=text\ndraw=pinned\n", "only curves have modes, draw and quantity" },
  { STEP "shows=curves h200-vector-add\nquantity=joy\n", "found 'joy', expected time or bandwidth" },
  { STEP "shows=text\nwith-question=maybe\n", "found 'maybe', expected true or false" },
  { STEP "shows=text\nfilm=1\n", "film: unknown key" },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneLesson) lesson = memlane_lesson_parse (files[i].text, strlen (files[i].text), "t.lesson", "C", &error);

      if (files[i].said == NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (lesson->steps->len, ==, 1);
          continue;
        }
      g_assert_null (lesson);
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      if (strstr (error->message, files[i].said) == NULL)
        g_error ("%u: found “%s”, expected “%s”", i, error->message, files[i].said);
    }
}

#define ANSWERS "[Answers]\nlesson=t\nid=1\n"

/* The lesson t has a curve to draw, and two choices. */
static const struct
{
  const char *text, *said; /* NULL: they are taken */
} answers[] = {
  { ANSWERS, NULL },
  { ANSWERS "[Step 1]\ncurve=10 7.5;12 8e3\n[Step 2]\nchoice=2\n", NULL },
  { "", "a.answers:1: [Answers]: the group is missing: these are no answers that a page handed in" },
  { "<!DOCTYPE html>\n<html></html>\n", "a.answers:1:" },
  { "[Lesson]\ntitle=T\n", "[Answers]: the group is missing" },
  { "[Answers]\nid=1\n", "the key lesson is missing" },
  { "[Answers]\nlesson=t\n", "the key id is missing" },
  { "[Answers]\nlesson=zero-copy\nid=1\n", "a.answers:2: [Answers] lesson: found 'zero-copy', expected t, the lesson that is given" },
  { ANSWERS "[Step 3]\nchoice=1\n", "a.answers:4: [Step 3]: expected [Step 1] to [Step 2]" },
  { ANSWERS "[Step 0]\n", "expected [Step 1] to [Step 2]" },
  { ANSWERS "[Step 2]\nchoice=3\n", "found '3', expected a whole number from 1 to 2" },
  { ANSWERS "[Step 1]\nchoice=1\n", "choice: unknown key, expected one of curve" },
  { ANSWERS "[Step 1]\ncurve=64 1\n", "found '64 1', expected a size from 0 to 63 and a value above 0" },
  { ANSWERS "[Step 1]\ncurve=9 -1\n", "found '9 -1'" },
  { ANSWERS "[Step 1]\ncurve=9 nan\n", "found '9 nan'" },
  { ANSWERS "[Step 1]\ncurve=9 1e300\n", "found '9 1e300'" },
  { ANSWERS "[Step 1]\ncurve=9 1 2\n", "found '9 1 2'" },
  { ANSWERS "[Step 1]\ncurve= 9\n", "found '9'" },
  { ANSWERS "[Step 1]\nname=Me\n", "name: unknown key" },
};

static void
test_answers (void)
{
  const char *text = STEP "shows=curves h200-vector-add\nmodes=pinned;mapped\ndraw=mapped\n[Step two]\n" TEXTS
                     "shows=text\nchoices=a;b\nchoices[zh_CN]=a;b\nright=1\n";
  g_autoptr (GError) problem = NULL;
  g_autoptr (MemlaneLesson) lesson = memlane_lesson_parse (text, strlen (text), "/home/me/t.lesson", "C", &problem);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_answers_free);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "huge.answers", NULL), *huge = g_strnfill (300 << 10, '\n');

  g_assert_no_error (problem);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneLessonAnswers) read = memlane_lesson_answers_parse (lesson, answers[i].text, strlen (answers[i].text), "a.answers",
                                                                            &error);

      if (answers[i].said == NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpstr (read->id, ==, "1");
          g_assert_cmpuint (read->steps[1].choice, ==, i == 1 ? 2 : 0);
          g_assert_cmpfloat (read->steps[0].curve[10], ==, i == 1 ? 7.5 : 0);
          g_assert_cmpfloat (read->steps[0].curve[11], ==, 0);
          g_assert_cmpfloat (read->steps[0].curve[12], ==, i == 1 ? 8e3 : 0);
          continue;
        }
      g_assert_null (read);
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      if (strstr (error->message, answers[i].said) == NULL)
        g_error ("%u: found “%s”, expected “%s”", i, error->message, answers[i].said);
    }
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
        g_assert_true (g_file_set_contents (path, answers[1].text, -1, NULL));
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
