/* test-lesson.c: what lessons hold, and what refuses one with a sentence that names the line
 *
 * SPDX-License-Identifier: MIT
 */
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
  g_test_add_func ("/lesson/shipped", test_shipped);
  return g_test_run ();
}
