/* decide.c: who wins at each size and reuse
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

static const char *const directions[] = { "both", "to-device", "to-host" };

const char *
memlane_direction_name (MemlaneDirection direction)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (directions) == MEMLANE_N_DIRECTIONS);
  return directions[direction];
}

gboolean
memlane_direction_parse (const char *name, MemlaneDirection *direction)
{
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    if (strcmp (name, directions[i]) == 0)
      {
        *direction = (MemlaneDirection) i;
        return TRUE;
      }
  return FALSE;
}

guint
memlane_decide_reuse (guint index)
{
  return 1u << MIN (index, 31);
}

gboolean
memlane_decision_judge (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneChoice *verdict)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneForecast p[32] = { 0 };
  guint32 known = 0;

  *verdict = (MemlaneChoice) { .winner = -1, .runner_up = -1, .rival = -1, .choice = -1, .margin = NAN, .rival_margin = NAN };
  for (guint i = 0; i < n; i++)
    {
      if (memlane_mode_get_way (&modes[i]) == MEMLANE_WAY_RESIDENT || !memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]))
        continue;
      known |= 1u << i;
      verdict->n_predicted++;
      if (verdict->winner < 0 || p[i].ns.value < p[verdict->winner].ns.value)
        {
          verdict->runner_up = verdict->winner;
          verdict->winner = (int) i;
        }
      else if (verdict->runner_up < 0 || p[i].ns.value < p[verdict->runner_up].ns.value)
        verdict->runner_up = (int) i;
    }
  if (verdict->winner < 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneForecast *best = &p[verdict->winner];
      gboolean same_way = memlane_mode_get_way (&modes[i]) == memlane_mode_get_way (&modes[verdict->winner]);

      if ((known >> i & 1) == 0)
        continue;
      if ((int) i == verdict->winner || decide_is_tie (best, &p[i]))
        {
          verdict->ties |= 1u << i;
          if (same_way && verdict->choice < 0)
            verdict->choice = (int) i;
          verdict->way_uncertain = verdict->way_uncertain || !same_way;
        }
      if (!same_way && (verdict->rival < 0 || p[i].ns.value < p[verdict->rival].ns.value))
        verdict->rival = (int) i;
    }
  if (verdict->runner_up >= 0)
    {
      verdict->margin = p[verdict->runner_up].ns.value / p[verdict->winner].ns.value - 1;
      verdict->uncertain = (verdict->ties & (verdict->ties - 1)) != 0;
    }
  if (verdict->rival >= 0)
    verdict->rival_margin = p[verdict->rival].ns.value / p[verdict->winner].ns.value - 1;
  return TRUE;
}

const MemlaneChoice *
memlane_decision_get (const MemlaneDecision *self, guint size_index, guint reuse_index)
{
  return size_index < self->n_sizes && reuse_index < MEMLANE_DECIDE_REUSES ? &self->map[size_index * MEMLANE_DECIDE_REUSES + reuse_index]
                                                                           : NULL;
}

MemlaneDecision *
memlane_decision_new (GPtrArray *runs, const char *workload, MemlaneDirection direction)
{
  MemlaneDecision *self;

  g_return_val_if_fail (runs != NULL && runs->len > 0, NULL);
  self = g_new0 (MemlaneDecision, 1);
  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
  decide_gather (self, runs, workload, direction);
  self->map = g_new0 (MemlaneChoice, MAX (self->n_sizes, 1) * MEMLANE_DECIDE_REUSES);
  for (guint i = 0; i < self->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      memlane_decision_judge (self, self->sizes[i], memlane_decide_reuse (j), &self->map[i * MEMLANE_DECIDE_REUSES + j]);
  return self;
}

void
memlane_decision_free (MemlaneDecision *decision)
{
  if (decision == NULL)
    return;
  decide_evidence_free (decision->evidence, decision->n_modes);
  memlane_run_unref (decision->run);
  g_ptr_array_unref (decision->notes);
  g_free (decision->workload);
  g_free (decision->map);
  g_free (decision);
}
