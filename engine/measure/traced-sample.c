/* take.c: samples without tracing, then one with it, and what the difference was
 *
 * SPDX-License-Identifier: MIT
 */
#include "traced-sample.h"

#include <stdlib.h>

#define UNTRACED_SAMPLES 5 /* the first of them warms up and does not count */

static int
compare_doubles (const void *a, const void *b)
{
  double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

/* @elapsed: the first one warms up, the others end up in order of size. */
static gboolean
measure_untraced (MemlaneSampleFunc take, gpointer what, double elapsed[UNTRACED_SAMPLES], GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < UNTRACED_SAMPLES; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) || !take (what, NULL, &elapsed[i], error))
      return FALSE;
  qsort (elapsed + 1, UNTRACED_SAMPLES - 1, sizeof *elapsed, compare_doubles);
  return TRUE;
}

/* A single sample says something of what tracing costs where it lies beyond those that were not traced. */
static char *
describe_overhead (const double untraced[UNTRACED_SAMPLES], double median, double traced)
{
  double least = untraced[1], most = untraced[UNTRACED_SAMPLES - 1];
  g_autofree char *verdict = NULL;

  if (traced > most)
    verdict = g_strdup_printf ("tracing cost about %.1f us (%+.0f %%)", (traced - median) / 1e3,
                               median > 0 ? (traced / median - 1) * 100 : 0);
  else
    verdict = g_strdup ("tracing cost no more than they differ");
  return g_strdup_printf ("the traced sample took %.1f us, the median of %u untraced ones %.1f us (%.1f to %.1f): %s", traced / 1e3,
                          UNTRACED_SAMPLES - 1, median / 1e3, least / 1e3, most / 1e3, verdict);
}

static void
describe (MemlaneTraceInfo *info, const char *method, const double untraced[UNTRACED_SAMPLES], double traced)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  info->method = g_strdup_printf ("%s; recorded after %u untraced samples and one thrown away in the same buffers, its result compared "
                                  "with the reference",
                                  method, UNTRACED_SAMPLES);
  info->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  info->traced_ns = traced;
  info->untraced_ns = (untraced[UNTRACED_SAMPLES / 2] + untraced[(UNTRACED_SAMPLES + 1) / 2]) / 2;
  info->overhead = describe_overhead (untraced, info->untraced_ns, traced);
}

MemlaneTracer *
memlane_traced_sample_record (MemlaneDevice *device, MemlaneSampleFunc take, gpointer what, const char *method, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (MemlaneTracer) tracer = NULL;
  double untraced[UNTRACED_SAMPLES], traced;

  if (!measure_untraced (take, what, untraced, cancellable, error))
    return NULL;
  tracer = memlane_tracer_new (device, error);
  if (tracer == NULL || !take (what, NULL, &traced, error) || g_cancellable_set_error_if_cancelled (cancellable, error)
      || !take (what, tracer, &traced, error))
    return NULL;
  describe (memlane_tracer_get_info (tracer), method, untraced, traced);
  return g_steal_pointer (&tracer);
}
