/* record.c: samples without tracing, then one with it, and what the difference was
 *
 * SPDX-License-Identifier: MIT
 */
#include "record.h"

#include <stdlib.h>

#include "base/fail.h"
#include "base/size.h"
#include "device/device-driver.h"
#include "device/tracer.h"
#include "environment.h"
#include "mode/recipe.h"
#include "result/statistics.h"

void
memlane_trace_prepare (void)
{
  memlane_device_trace_prepare ();
}

/* --- any sample ------------------------------------------------------------------------------- */

#define UNTRACED_SAMPLES 5 /* the first of them warms up and does not count */

/* less is printed as 0.0 us: a sum of virtual times that was rounded at another place */
#define LEAST_COST_NS 50

/* A single sample says something of what tracing costs where it lies beyond those that were not
 * traced. */
static char *
describe_overhead (const double untraced[UNTRACED_SAMPLES], double median, double traced)
{
  double least = untraced[1], most = untraced[UNTRACED_SAMPLES - 1];
  g_autofree char *verdict = NULL;

  if (traced - most >= LEAST_COST_NS)
    verdict = g_strdup_printf ("tracing cost about %.1f us (%+.0f %%)", (traced - median) / 1e3,
                               median > 0 ? (traced / median - 1) * 100 : 0);
  else
    verdict = g_strdup ("tracing cost no more than they differ");
  return g_strdup_printf (
      "the traced sample took %.1f us, the median of %u untraced ones %.1f us (%.1f to %.1f): %s",
      traced / 1e3, UNTRACED_SAMPLES - 1, median / 1e3, least / 1e3, most / 1e3, verdict);
}

static void
describe_sample (MemlaneTraceInfo *info, const char *method,
                 const double untraced[UNTRACED_SAMPLES], double traced)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  info->method = g_strdup_printf ("%s; recorded after %u untraced samples and one thrown away in "
                                  "the same buffers, its result compared "
                                  "with the reference",
                                  method, UNTRACED_SAMPLES);
  info->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  info->traced_ns = traced;
  info->untraced_ns = (untraced[UNTRACED_SAMPLES / 2] + untraced[(UNTRACED_SAMPLES + 1) / 2]) / 2;
  info->overhead = describe_overhead (untraced, info->untraced_ns, traced);
}

MemlaneTracer *
memlane_trace_sample (MemlaneDevice *device, MemlaneSampleFunc run, gpointer sample,
                      const char *method, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneTracer) tracer = NULL;
  double untraced[UNTRACED_SAMPLES], traced;

  for (guint i = 0; i < UNTRACED_SAMPLES; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !run (sample, NULL, &untraced[i], error))
      return NULL;
  qsort (untraced + 1, UNTRACED_SAMPLES - 1, sizeof *untraced, memlane_compare_doubles);
  tracer = memlane_tracer_new (device, error);
  if (tracer == NULL || !run (sample, NULL, &traced, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error)
      || !run (sample, tracer, &traced, error))
    return NULL;
  describe_sample (memlane_tracer_get_info (tracer), method, untraced, traced);
  return g_steal_pointer (&tracer);
}

void
memlane_trace_describe_plan (MemlaneTraceInfo *info, MemlaneDevice *device,
                             const MemlanePlan *plan, gsize elements, guint streams, guint chunks)
{
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_describe (device, plan, NULL);

  info->log2_elements = memlane_size_is_power (plan->first_log2) ? (guint) plan->first_log2 : 0;
  info->elements = elements;
  info->reuse = plan->method.reuse;
  info->streams = streams;
  info->chunks = chunks;
  info->environment = g_strdup (memlane_environment_get_json (environment));
}

/* --- a sample of a cell ----------------------------------------------------------------------- */

/* The sample as run_whole_sample() of measure.c runs it, and the check of what it computed.
 * *@elapsed: on the device's clock. */
static gboolean
run_recipe (gpointer sample, MemlaneTracer *tracer, double *elapsed, GError **error)
{
  MemlaneRecipe *recipe = sample;
  MemlaneDevice *device = recipe->buffers->device;
  const MemlaneDeviceUse use = {
    .workload = recipe->workload->id,
    .mode = recipe->mode->id,
    .bytes = recipe->bytes,
    .reuse = recipe->reuse,
    .streams = memlane_recipe_get_streams (recipe),
    .chunks = memlane_recipe_get_chunks (recipe),
  };
  g_autofree char *mismatch = NULL;
  gboolean done = TRUE;
  double begin, ns;

  if (!memlane_recipe_prepare (recipe, TRUE, error))
    return FALSE;
  begin = memlane_device_clock (device);
  memlane_tracer_start (tracer);
  for (guint i = 0; i < recipe->n_steps && done; i++)
    {
      memlane_tracer_begin_phase (tracer, memlane_phase_name (recipe->steps[i].phase));
      done = memlane_recipe_issue (recipe, &recipe->steps[i], error);
    }
  if (recipe->finish_waits)
    memlane_tracer_begin_phase (tracer, "wait");
  done = done && memlane_recipe_finish (recipe, error);
  memlane_tracer_stop (tracer);
  ns = memlane_device_clock (device) - begin;
  *elapsed = memlane_device_correct (device, &use, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, ns);
  if (tracer != NULL && *elapsed != ns)
    memlane_tracer_scale (tracer, *elapsed / ns);
  recipe->n_verified = 0; /* the whole result, each time */
  if (!done || !memlane_recipe_verify (recipe, &mismatch, error))
    return FALSE;
  if (mismatch == NULL)
    return TRUE;
  return memlane_fail (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_WRONG_RESULT,
                       "the traced sample computed something else: %s", mismatch);
}

static MemlaneTrace *
record_in (MemlaneRecipe *recipe, const MemlanePlan *plan, GCancellable *cancellable,
           GError **error)
{
  MemlaneBuffers *buffers = recipe->buffers;
  MemlaneTraceInfo *info;
  g_autoptr (MemlaneTracer) tracer = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  if (!memlane_buffers_check_room (buffers, error) || !memlane_buffers_allocate (buffers, error)
      || !memlane_recipe_write_inputs (recipe, error) || !memlane_recipe_settle (recipe, error))
    return NULL;
  tracer = memlane_trace_sample (
      buffers->device, run_recipe, recipe,
      "one whole sample, from the first call until the result may be read", cancellable, error);
  if (tracer == NULL)
    return NULL;
  if (recipe->mode->way == MEMLANE_WAY_MANAGED)
    memlane_tracer_expect_pages (tracer);
  info = memlane_tracer_get_info (tracer);
  info->workload = g_strdup (recipe->workload->id);
  info->mode = g_strdup (recipe->mode->id);
  memlane_trace_describe_plan (info, buffers->device, plan, recipe->elements,
                               memlane_recipe_get_streams (recipe),
                               memlane_recipe_get_chunks (recipe));
  trace = memlane_tracer_finish (g_steal_pointer (&tracer), error);
  if (trace == NULL || !memlane_buffers_release (buffers, error))
    return NULL;
  return g_steal_pointer (&trace);
}

MemlaneTrace *
memlane_trace_record (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode,
                      double log2_elements, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_of_sample (method, mode, log2_elements);
  MemlaneMethod *filled = &plan->method;
  g_autofree char *reason = NULL;
  g_autoptr (MemlaneReference) reference = NULL;
  g_autoptr (MemlaneRecipe) recipe = NULL; /* its end gives back whatever is still out */
  gsize elements = memlane_size_elements (log2_elements);

  g_return_val_if_fail (log2_elements <= MEMLANE_LARGEST_LOG2, NULL);
  if (!memlane_workload_is_supported (filled->workload, mode, memlane_device_get_info (device),
                                      &reason))
    return memlane_device_refuse (error, UNSUPPORTED, "%s in mode %s: %s", filled->workload->id,
                                  mode->id, reason),
           NULL;

  reference = memlane_reference_new (elements, FALSE, filled->seed, cancellable, error);
  if (reference == NULL)
    return NULL;
  recipe = memlane_recipe_new (device, filled, mode, elements, reference, error);
  return recipe != NULL ? record_in (recipe, plan, cancellable, error) : NULL;
}
