/* experiment-item.c: one experiment in the window's list: what it asks, what the person predicted,
 * what was found
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-item.h"
#include "fields.h"

#include "base/each.h"

void
memlane_experiment_item_set_result (MemlaneExperimentItem *self, MemlaneExperimentResult *result)
{
  if (self->result == result)
    return;
  memlane_experiment_result_unref (self->result);
  self->result = result != NULL ? memlane_experiment_result_ref (result) : NULL;
  g_ptr_array_set_size (self->kept, 0);
  memlane_say_changed (self);
}

/* --- the prediction --------------------------------------------------------------------------- */

gboolean
memlane_experiment_item_is_predicted (MemlaneExperimentItem *self)
{
  return self->experiment->prediction.choices == NULL || self->choice >= 0;
}

void
memlane_experiment_item_set_choice (MemlaneExperimentItem *self, int choice)
{
  const MemlanePrediction *prediction = &self->experiment->prediction;

  if (self->result != NULL || choice == self->choice || prediction->choices == NULL || choice < 0 ||
      (guint) choice >= g_strv_length (prediction->choices))
    return;
  self->choice = choice;
  memlane_say_changed (self);
}

void
memlane_experiment_item_forget (MemlaneExperimentItem *self)
{
  g_clear_pointer (&self->result, memlane_experiment_result_unref);
  g_ptr_array_set_size (self->kept, 0);
  self->choice = -1;
  memlane_say_changed (self);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_OBJECT (MemlaneExperimentItem, memlane_experiment_item,
                       OWNS (result, memlane_experiment_result_unref)
                           OWNS (experiment, memlane_experiment_unref)
                               OWNS (kept, g_ptr_array_unref),
                       memlane_signal_add (klass, "changed", 0);)

MemlaneExperimentItem *
memlane_experiment_item_new (MemlaneExperiment *experiment)
{
  MemlaneExperimentItem *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_ITEM, NULL);

  self->choice = -1;
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  self->experiment = memlane_experiment_ref (experiment);
  return self;
}
