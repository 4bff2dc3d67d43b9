/* fuzz-experiment.c: whatever bytes an experiment's file holds, reading it ends, with an experiment or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also be judged without figures: each check cannot be told then.
 */
#include "experiment/result.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const languages[] = { "C", "zh_CN" };
  gboolean taken[G_N_ELEMENTS (languages)];
  g_autofree char *said = NULL; /* by the last refusal */

  fuzz_begin ();
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneExperiment) experiment = memlane_experiment_parse ((const char *) data, size, "fuzz", languages[i], &error);
      g_autoptr (MemlaneExperimentResult) result = NULL;

      taken[i] = experiment != NULL;
      if (experiment == NULL)
        {
          g_free (said);
          said = error != NULL ? g_strdup (error->message) : NULL;
          fuzz_check_refusal (error, "fuzz:");
          continue;
        }
      if (error != NULL || experiment->checks->len == 0 || experiment->steps->len == 0 || experiment->title == NULL)
        g_error ("half an experiment");
      result = memlane_experiment_result_new (experiment);
      memlane_experiment_judge (result, NULL);
      for (guint k = 0; k < result->checks->len; k++)
        {
          const MemlaneCheckResult *check = result->checks->pdata[k];

          /* Numbers alone can be compared without a device. */
          if (check->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD && strpbrk (check->check->test, ":/@") != NULL)
            g_error ("judged without figures: %s", check->check->test);
        }
    }
  if (taken[0] != taken[1])
    g_error ("refused in one language, taken in the other: %s", said);
  return 0;
}
