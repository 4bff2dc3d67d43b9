/* decide-text.c: a decision as plain text, and its words beside those of the engine
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-text.h"

#include <glib/gi18n-lib.h>

#include "mode/workload.h"

const char *
memlane_decide_direction_title (MemlaneDirection direction)
{
  switch (direction)
    {
    case MEMLANE_DIRECTION_TO_DEVICE:
      return _("To the device");
    case MEMLANE_DIRECTION_TO_HOST:
      return _("To the host");
    case MEMLANE_DIRECTION_BOTH:
    case MEMLANE_N_DIRECTIONS:
    default:
      return _("Both ways");
    }
}

static void
append_list (GString *text, const char *title, const GPtrArray *sentences)
{
  if (sentences->len > 0)
    g_string_append_printf (text, "\n%s\n", title);
  for (guint i = 0; i < sentences->len; i++)
    g_string_append_printf (text, "- %s\n", (const char *) sentences->pdata[i]);
}

char *
memlane_decide_result_to_text (const MemlaneDecideResult *result, guint log2_elements, guint reuse)
{
  const MemlaneDecision *decision = result->decision;
  const MemlaneWorkload *workload = memlane_workload_find (decision->workload);
  g_autoptr (GPtrArray) recommended = memlane_decide_to_words (memlane_decision_recommend (decision, log2_elements, reuse));
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s · %s · %s%s%s\n", decision->run->id,
                          workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : decision->workload,
                          memlane_decide_direction_title (decision->direction), decision->simulated ? " · " : "",
                          decision->simulated ? C_("figure", "SIMULATED") : "");
  append_list (text, _("Recommendation"), recommended);
  append_list (text, _("To be known"), result->notes);
  append_list (text, _("Crossovers"), result->crossovers);
  append_list (text, _("Break-Evens"), result->break_evens);
  append_list (text, _("Latency and Bandwidth"), result->fits);
  return g_string_free (text, FALSE);
}
