/* fuzz-lesson.c: whatever bytes a lesson's file or answers to one hold, reading them ends, with a result or with a message
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment/lesson.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneLesson) lesson = NULL;
  g_autoptr (MemlaneLessonAnswers) answers = NULL;
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  MemlaneLessonStep step = { .choices = (char *[]) { (char *) "a", (char *) "b", NULL } };
  const MemlaneLesson given = { .path = (char *) "zero-copy.lesson", .steps = steps };

  fuzz_begin ();
  g_ptr_array_add (steps, &step);
  lesson = memlane_lesson_parse ((const char *) data, size, "fuzz", "zh_CN", &error);
  if (lesson == NULL)
    fuzz_check_refusal (error, "fuzz:");
  else if (error != NULL || lesson->title == NULL || lesson->steps->len == 0)
    g_error ("half a lesson");
  g_clear_error (&error);
  answers = memlane_lesson_answers_parse (&given, (const char *) data, size, "fuzz", &error);
  if (answers == NULL)
    fuzz_check_refusal (error, "fuzz:");
  else if (error != NULL || answers->id == NULL)
    g_error ("half of the answers");
  return 0;
}
