/* record.c: one whole sample of a cell with tracing on
 *
 * SPDX-License-Identifier: MIT
 */
#include "record.h"

#include <string.h>

#include "device/device-driver.h"
#include "cell.h"
#include "environment.h"
#include "plan.h"
#include "traced-sample.h"

void
memlane_trace_prepare (void)
{
  memlane_device_trace_prepare ();
}

/* The sample as take_whole_sample() of measure/cell.c takes it, and the check of what it computed. *@elapsed: on the device's clock. */
static gboolean
take_sample (gpointer what, MemlaneTracer *tracer, double *elapsed, GError **error)
{
  MemlaneRecipe *recipe = what;
  MemlaneDevice *device = recipe->buffers->device;
  g_autofree char *mismatch = NULL;
  gboolean done = TRUE;
  double begin;

  if (!memlane_recipe_prepare (recipe, TRUE, error))
    return FALSE;
  begin = memlane_device_clock (device);
  if (tracer != NULL)
    memlane_tracer_start (tracer);
  for (guint i = 0; i < recipe->n_steps && done; i++)
    {
      if (tracer != NULL)
        memlane_tracer_begin_phase (tracer, memlane_phase_name (recipe->steps[i].phase));
      done = recipe->steps[i].issue (recipe, error);
      if (tracer != NULL)
        memlane_tracer_end_phase (tracer);
    }
  if (done && recipe->finish_waits)
    {
      if (tracer != NULL)
        memlane_tracer_begin_phase (tracer, "wait");
      done = memlane_recipe_finish (recipe, error);
      if (tracer != NULL)
        memlane_tracer_end_phase (tracer);
    }
  if (tracer != NULL)
    memlane_tracer_stop (tracer);
  *elapsed = memlane_device_clock (device) - begin;
  if (!done || !memlane_recipe_verify (recipe, &mismatch, error))
    return FALSE;
  if (mismatch == NULL)
    return TRUE;
  g_set_error (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_WRONG_RESULT, "the traced sample computed something else: %s", mismatch);
  return FALSE;
}

static void
describe (MemlaneTraceInfo *info, const MemlaneRecipe *recipe, guint log2_elements, const MemlanePlan *plan)
{
  info->workload = g_strdup (recipe->workload->id);
  info->mode = g_strdup (recipe->mode->id);
  info->log2_elements = log2_elements;
  info->elements = recipe->elements;
  info->reuse = recipe->reuse;
  info->streams = memlane_recipe_get_streams (recipe);
  info->chunks = memlane_recipe_get_chunks (recipe);
  info->environment = memlane_environment_describe (recipe->buffers->device, plan, NULL);
}

static MemlaneTrace *
record_in (MemlaneRecipe *recipe, guint log2_elements, const MemlanePlan *plan, GCancellable *cancellable, GError **error)
{
  MemlaneBuffers *buffers = recipe->buffers;
  g_autoptr (MemlaneTracer) tracer = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  if (!memlane_buffers_check_room (buffers, error) || !memlane_buffers_allocate (buffers, error) || !memlane_recipe_write_inputs (recipe, error)
      || !memlane_recipe_settle (recipe, error))
    return NULL;
  tracer = memlane_traced_sample_record (buffers->device, take_sample, recipe, "one whole sample, from the first call until the result may be read",
                               cancellable, error);
  if (tracer == NULL)
    return NULL;
  if (recipe->mode->way == MEMLANE_WAY_MANAGED)
    memlane_tracer_expect_pages (tracer);
  describe (memlane_tracer_get_info (tracer), recipe, log2_elements, plan);
  trace = memlane_tracer_finish (g_steal_pointer (&tracer), error);
  if (trace == NULL || !memlane_buffers_release (buffers, error))
    return NULL;
  return g_steal_pointer (&trace);
}

MemlaneTrace *
memlane_trace_record (MemlaneDevice *device, const MemlaneWorkload *workload, const MemlaneMode *mode, guint log2_elements,
                      const MemlaneTraceOptions *options, GCancellable *cancellable, GError **error)
{
  const MemlaneTraceOptions none = { 0 };
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autofree char *reason = NULL;
  MemlaneReference *reference;
  MemlaneRecipe *recipe;
  MemlaneTrace *trace;
  gsize elements = (gsize) 1 << log2_elements;

  g_return_val_if_fail (log2_elements <= MEMLANE_LARGEST_LOG2, NULL);
  if (options == NULL)
    options = &none;
  if (!memlane_workload_is_supported (workload, mode, memlane_device_get_info (device), &reason))
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "%s in mode %s: %s", workload->id, mode->id, reason);
      return NULL;
    }
  plan->workload = workload;
  plan->modes[0] = mode;
  plan->modes[1] = NULL;
  plan->first_log2 = plan->last_log2 = log2_elements;
  plan->reuse = options->reuse > 0 ? options->reuse : plan->reuse;
  plan->streams = options->streams > 0 ? options->streams : plan->streams;
  plan->chunks = options->chunks > 0 ? options->chunks : plan->chunks;
  plan->seed = options->seed > 0 ? options->seed : plan->seed;

  reference = memlane_reference_new (elements, plan->seed, cancellable, error);
  if (reference == NULL)
    return NULL;
  recipe = memlane_recipe_new (device, workload, mode, reference, elements, plan->reuse, plan->streams, plan->chunks, error);
  trace = recipe != NULL ? record_in (recipe, log2_elements, plan, cancellable, error) : NULL;
  memlane_recipe_free (recipe); /* gives back whatever is still out */
  memlane_reference_free (reference);
  return trace;
}
