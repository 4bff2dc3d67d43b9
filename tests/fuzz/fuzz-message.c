/* fuzz-message.c: whatever line a worker sends, or is sent, is read as a message of the table or refused in words
 *
 * SPDX-License-Identifier: MIT
 *
 * What was read and is written again is read as the same.
 */
#include "fuzz.h"
#include "job/message.h"

static char refusal[200]; /* the last one */

static char *
rewrite (const char *line, gsize length, gboolean is_answer)
{
  g_autoptr (GError) error = NULL;
  MemlaneMessage message;
  char *written;

  if (!memlane_message_read (&message, line, length, is_answer, "fuzz", &error))
    {
      fuzz_check_refusal (error, "fuzz");
      g_strlcpy (refusal, error->message, sizeof refusal);
      return NULL;
    }
  if (error != NULL || memlane_messages[message.type].is_answer != is_answer)
    g_error ("an error, or a message of the other side");
  written = memlane_message_write (&message);
  memlane_message_clear (&message);
  if (strchr (written, '\n') != written + strlen (written) - 1)
    g_error ("not one line: %s", written);
  return written;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  fuzz_begin ();
  for (guint is_answer = 0; is_answer < 2; is_answer++)
    {
      g_autofree char *first = rewrite ((const char *) data, size, (gboolean) is_answer), *second = NULL;

      second = first != NULL ? rewrite (first, strlen (first), (gboolean) is_answer) : NULL;
      if (g_strcmp0 (first, second) != 0)
        g_error ("%s: written %s, and then %s", refusal, first, second != NULL ? second : "refused");
    }
  return 0;
}
