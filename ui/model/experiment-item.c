/* experiment-item.c: one experiment in the window's list: what it asks, what the person predicted, what was found
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-item.h"
#include "fields.h"

#include <math.h>

#include "base/each.h"

#define LEAST_NS 1e3            /* a launch takes longer than that */
#define MOST_NS_PER_FLOAT 12.0 /* three vectors at 1 GB/s */

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

/* --- the prediction ----------------------------------------------------------------------------------------------------- */

static guint
count_sizes (MemlaneExperimentItem *self)
{
  const MemlanePrediction *prediction = &self->experiment->prediction;

  return prediction->kind == MEMLANE_PREDICT_CURVE ? prediction->last_log2 - prediction->first_log2 + 1 : 0;
}

void
memlane_experiment_item_get_range (MemlaneExperimentItem *self, double *low_ns, double *high_ns)
{
  double most = MOST_NS_PER_FLOAT * (double) (1u << MIN (self->experiment->prediction.last_log2, 30u));

  *low_ns = LEAST_NS;
  *high_ns = pow (10, ceil (log10 (MAX (most, 1e3 * LEAST_NS))));
}

static void
lay_flat (MemlaneExperimentItem *self)
{
  double low, high;

  memlane_experiment_item_get_range (self, &low, &high);
  for (guint i = 0; i < count_sizes (self); i++)
    self->guesses[i] = sqrt (low * high);
  self->drawn = FALSE;
}

gboolean
memlane_experiment_item_is_predicted (MemlaneExperimentItem *self)
{
  switch (self->experiment->prediction.kind)
    {
    case MEMLANE_PREDICT_CHOICE:
      return self->choice >= 0;
    case MEMLANE_PREDICT_CURVE:
      return self->drawn;
    case MEMLANE_PREDICT_NOTHING:
    default:
      return TRUE;
    }
}

void
memlane_experiment_item_set_choice (MemlaneExperimentItem *self, int choice)
{
  const MemlanePrediction *prediction = &self->experiment->prediction;

  if (self->result != NULL || choice == self->choice || prediction->kind != MEMLANE_PREDICT_CHOICE || choice < 0 ||
      (guint) choice >= g_strv_length (prediction->choices))
    return;
  self->choice = choice;
  memlane_say_changed (self);
}

double
memlane_experiment_item_get_guess (MemlaneExperimentItem *self, guint log2_elements)
{
  guint first = self->experiment->prediction.first_log2;

  g_return_val_if_fail (log2_elements >= first && log2_elements - first < count_sizes (self), 0);
  return self->guesses[log2_elements - first];
}

void
memlane_experiment_item_set_guess (MemlaneExperimentItem *self, guint log2_elements, double ns)
{
  guint first = self->experiment->prediction.first_log2;
  double low, high;

  if (self->result != NULL || log2_elements < first || log2_elements - first >= count_sizes (self) || !isfinite (ns))
    return;
  memlane_experiment_item_get_range (self, &low, &high);
  self->guesses[log2_elements - first] = CLAMP (ns, low, high);
  self->drawn = TRUE;
  memlane_say_changed (self);
}

void
memlane_experiment_item_forget (MemlaneExperimentItem *self)
{
  g_clear_pointer (&self->result, memlane_experiment_result_unref);
  g_ptr_array_set_size (self->kept, 0);
  self->choice = -1;
  lay_flat (self);
  memlane_say_changed (self);
}

gboolean
memlane_experiment_item_compare_curve (MemlaneExperimentItem *self, double *middle, double *worst, guint *worst_log2)
{
  const GPtrArray *curve = self->result != NULL ? self->result->curve : NULL;
  g_autoptr (GArray) factors = g_array_new (FALSE, FALSE, sizeof (double));

  *worst = 0;
  *worst_log2 = 0;
  for (guint i = 0; self->drawn && curve != NULL && i < curve->len; i++)
    {
      const MemlaneTableRow *row = curve->pdata[i];
      double factor;

      if (row->values[0].kind != MEMLANE_VALUE_TIME || !(row->values[0].median > 0))
        continue;
      factor = memlane_experiment_item_get_guess (self, row->log2_elements) / row->values[0].median;
      factor = factor < 1 ? 1 / factor : factor;
      g_array_append_val (factors, factor);
      if (factor > *worst)
        {
          *worst = factor;
          *worst_log2 = row->log2_elements;
        }
    }
  if (factors->len == 0)
    return FALSE;
  g_array_sort (factors, memlane_compare_doubles);
  *middle = g_array_index (factors, double, factors->len / 2);
  return TRUE;
}

/* --- life --------------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_OBJECT (MemlaneExperimentItem, memlane_experiment_item, OWNS (result, memlane_experiment_result_unref)
                       OWNS (experiment, memlane_experiment_unref) OWNS (kept, g_ptr_array_unref) OWNS (guesses, g_free),
                       memlane_signal_add (klass, "changed", 0);)

MemlaneExperimentItem *
memlane_experiment_item_new (MemlaneExperiment *experiment)
{
  MemlaneExperimentItem *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_ITEM, NULL);

  self->choice = -1;
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  self->experiment = memlane_experiment_ref (experiment);
  self->guesses = g_new0 (double, count_sizes (self) + 1);
  lay_flat (self);
  return self;
}
