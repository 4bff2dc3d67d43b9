/* fuzz-message.c: whatever line a worker sends, or is sent, taking it apart ends, with what it holds or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * Each part is asked of every message: a worker that lies may put anything anywhere.
 */
#include "experiment/result.h"
#include "fuzz.h"
#include "worker/message.h"

static void
take_apart (JsonObject *message)
{
  g_autoptr (MemlanePlan) plan = memlane_message_get_plan (message, NULL);
  g_autoptr (MemlaneCell) cell = memlane_message_get_cell (message, NULL);
  g_autoptr (MemlaneRun) run = memlane_message_get_run (message, NULL);
  g_autoptr (GError) told = memlane_message_get_error (message, "host");
  g_autoptr (MemlaneDeviceInfo) info = memlane_message_get_info (message, NULL);
  MemlaneLabPlan lab;
  MemlaneValue value = { 0 };

  (void) memlane_message_get_lab (message, &lab, NULL);
  if (memlane_message_get_value (message, &value, NULL))
    memlane_value_clear (&value);
  (void) plan, (void) cell, (void) run, (void) info;
  if (told == NULL || !g_utf8_validate (told->message, -1, NULL))
    g_error ("a bad message");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_strndup ((const char *) data, size), *line = NULL;
  JsonObject *message;

  fuzz_begin ();
  memcpy (copy, data, size);
  message = memlane_message_from_line (copy, size, "fuzz", &error);
  if (message == NULL)
    {
      fuzz_check_refusal (error, "fuzz");
      return 0;
    }
  if (error != NULL || *memlane_message_get_type (message) == '\0')
    g_error ("a message without a type, or with an error");
  take_apart (message);
  line = memlane_message_to_line (message); /* takes it */
  if (strchr (line, '\n') != line + strlen (line) - 1)
    g_error ("not one line: %s", line);
  return 0;
}
