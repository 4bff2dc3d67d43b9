/* recorded.c: what a recorded H200 said of the same experiment
 *
 * SPDX-License-Identifier: MIT
 */
#include "result.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/reader-limits.h"

/* data/recordings/experiments/NAME.findings.csv has the recorded verdicts. A file that is missing
 * or of another kind says nothing. Fields: experiment, device, device_kind, step, name, kind,
 * samples, median, two ends of the interval, word, detail; only the detail is quoted. */
enum { STEP = 3, NAME = 4, KIND = 5, WORD = 10, DETAIL = 11, N_FIELDS = 12 };

/* The recorded row on @check. (transfer full); NULL: it was not recorded, or with another
 * premise. */
static char **
find_row (char **lines, const MemlaneExperimentResult *result, const char *check)
{
  MEMLANE_FOR_EACH (const MemlaneCheckResult, each, result->checks)
    for (char **premise = each->check->requires;
         strcmp (each->check->id, check) == 0 && *premise != NULL; premise++)
      {
        g_auto (GStrv) row = find_row (lines, result, *premise);

        if (row == NULL)
          return NULL;
      }
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, ",", N_FIELDS);

      if (g_strv_length (fields) == N_FIELDS && strcmp (fields[KIND], "verdict") == 0
          && strcmp (fields[STEP], "check") == 0 && strcmp (fields[NAME], check) == 0)
        return g_steal_pointer (&fields);
    }
  return NULL;
}

/* Why the simulated @check and the @recorded verdict differ. */
static const char *
explain_difference (const MemlaneCheckResult *check, MemlaneVerdict recorded)
{
  if (check->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return "The simulated device cannot show it.";
  if (recorded == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return "The recorded interval contains both answers; the simulated device has no noise.";
  return "The model differs from the recorded H200 here.";
}

void
memlane_experiment_note_recorded (MemlaneExperimentResult *result)
{
  g_autofree char *relative = g_strdup_printf ("recordings/experiments/%s.findings.csv",
                                               result->experiment->name);
  g_autofree char *path = memlane_data_find (relative), *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint compared = 0, alike = 0;
  guint place = result->notes->len;
  gsize length;

  if (!result->simulated || result->cancelled || path == NULL
      || !memlane_small_file_read (path, MEMLANE_JSON_TREE_MOST_BYTES, &text, &length, NULL)
      || !g_utf8_validate (text, (gssize) length, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    {
      g_auto (GStrv) row = check->check->what_if ? NULL
                                                 : find_row (lines, result, check->check->id);
      MemlaneVerdict recorded;

      if (row == NULL || !memlane_verdict_parse (row[WORD], &recorded))
        continue;
      compared++;
      alike += recorded == check->verdict;
      if (recorded == check->verdict)
        continue;
      g_strstrip (g_strdelimit (row[DETAIL], "\"", ' '));
      g_ptr_array_add (result->notes,
                       g_strdup_printf ("%s The recorded H200: %s%s%s. Simulated: %s. %s",
                                        check->check->claim, memlane_verdict_title (recorded),
                                        *row[DETAIL] != '\0' ? ", " : "", row[DETAIL],
                                        memlane_verdict_title (check->verdict),
                                        explain_difference (check, recorded)));
    }
  if (compared > 0)
    g_ptr_array_insert (
        result->notes, (int) place,
        g_strdup_printf ("SIMULATED. A recorded H200 says the same in %u of %u checks.", alike,
                         compared));
}
