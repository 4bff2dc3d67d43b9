/* fuzz-lesson.c: whatever bytes a lesson's file holds, reading it ends, with a lesson or with a message
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

  fuzz_begin ();
  lesson = memlane_lesson_parse ((const char *) data, size, "fuzz", "zh_CN", &error);
  if (lesson == NULL)
    fuzz_check_refusal (error, "fuzz:");
  else if (error != NULL || lesson->title == NULL || lesson->steps->len == 0)
    g_error ("half a lesson");
  return 0;
}
