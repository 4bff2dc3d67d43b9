/* measure.c: one round of a plan, cell by cell: samples, verification
 *
 * SPDX-License-Identifier: MIT
 */
#include "measure.h"

#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/i18n.h"
#include "base/pieces.h"
#include "base/size.h"
#include "environment.h"
#include "result/statistics.h"

/* A background is there for so long before a sample, and for so many times as long as one takes
 * alone. */
#define BACKGROUND_AHEAD_NS (2 * MEMLANE_BACKGROUND_LAUNCH_NS)
#define BACKGROUND_TIMES 8
/* The unit of a background that runs as a sample ends takes no longer. */
#define BACKGROUND_UNIT_NS (2 * MEMLANE_BACKGROUND_LAUNCH_NS)

/* Latches that gave way before a step is measured without one: its calls wait for the stream after
 * all. */
#define LATE_LATCHES_ALLOWED 2

typedef struct
{
  MemlaneDevice *device;
  const MemlaneMethod *method;
  GCancellable *cancellable;
  MemlaneRecipe *recipe; /* of the current set */
  double begun;          /* device clock at the cell's start */

  GArray *series[MEMLANE_N_PHASES][MEMLANE_N_CLOCKS]; /* double ns; NULL: nothing measured */
  /* MemlaneSampleMark, one for each, when samples are kept */
  GArray *marks[MEMLANE_N_PHASES][MEMLANE_N_CLOCKS];
  guint sm_mhz;          /* as the set began */
  gboolean has_no_state; /* the device has been asked and does not tell */
  guint64 bytes[MEMLANE_N_PHASES];
  guint late[MEMLANE_N_PHASES]; /* samples that a late latch made void */
  const char *details[MEMLANE_N_PHASES]; /* (nullable) of the device's rows; static */
  gboolean is_void;      /* the sample just taken is one of them */
  guint sets, samples;
  guint visits;          /* of a round */
  struct
  {
    double sample_ns;             /* of the set's first sample, which is alone */
    guint n;                      /* samples that had one */
    MemlaneBackgroundProgress at; /* as the sample began */
    struct
    {
      double units, ns;               /* done before samples, in so long */
      double beside_units, beside_ns; /* done beside them, in so long */
      double of_samples;              /* of which they took so much */
    } sum;                        /* of a set */
  } background;
  gboolean background_ended; /* before a sample did */
  char *kinds;           /* what cudaPointerGetAttributes said */
  char *note;            /* the mode's own, for the upload's row */
  char *mismatch;
} Work;

static double
now (Work *work)
{
  return memlane_device_clock (work->device);
}

static void
record (Work *work, MemlanePhase phase, MemlaneClock clock, double ns)
{
  GArray **series = &work->series[phase][clock];

  if (*series == NULL)
    *series = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (*series, ns);
  if (work->method->keep_samples)
    {
      const MemlaneSampleMark mark = { .set = work->sets + 1,
                                       .sm_mhz = work->sm_mhz,
                                       .time = now (work) };

      if (work->marks[phase][clock] == NULL)
        work->marks[phase][clock] = g_array_new (FALSE, FALSE, sizeof (MemlaneSampleMark));
      g_array_append_val (work->marks[phase][clock], mark);
    }
}

/* A series and what belongs to it. */
static void
forget (Work *work, MemlanePhase phase, MemlaneClock clock)
{
  g_clear_pointer (&work->series[phase][clock], g_array_unref);
  g_clear_pointer (&work->marks[phase][clock], g_array_unref);
}

/* Between sets, where nothing is timed. */
static void
note_clock (Work *work)
{
  MemlaneDeviceState state;

  if (!work->method->keep_samples || work->has_no_state)
    return;
  work->has_no_state = !memlane_device_get_state (work->device, &state, NULL);
  work->sm_mhz = state.sm_mhz;
}

/* Ways have every second sample. */
static guint
get_least_samples (const Work *work)
{
  return MEMLANE_LEAST_SAMPLES + (work->recipe->buffers->shape.lanes_are_ways ? 1 : 0);
}

/* The least is there, and the visit's share of the cell's time is spent. */
static gboolean
is_enough (Work *work)
{
  return work->samples >= get_least_samples (work) && !memlane_device_get_info (work->device)->exact
         && now (work) - work->begun
                > work->method->cell_seconds / (MAX (work->method->rounds, 1) * work->visits) * 1e9;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* The host reads the result, the first who does since it has arrived: the check comes later. */
static gboolean
read_output (Work *work, GError **error)
{
  double begin = now (work);

  if (!memlane_recipe_read_output (work->recipe, error))
    return FALSE;
  record (work, MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST, now (work) - begin);
  return TRUE;
}

/* Starts the background and lets it run alone for a while. In samples after each other the phase of
 * its launches is spread evenly: a kernel that waits for the end of one meets each part of it
 * alike. */
static gboolean
begin_background (Work *work, GError **error)
{
  MemlaneBackgroundProgress begin;

  if (work->method->beside == MEMLANE_BESIDE_NONE)
    return TRUE;
  if (!memlane_device_background_start (
          work->device, work->method->beside, work->method->busy,
          2 * BACKGROUND_AHEAD_NS + BACKGROUND_TIMES * work->background.sample_ns, error)
      || !memlane_device_background_read (work->device, &begin, error))
    return FALSE;
  memlane_device_pause (work->device, BACKGROUND_AHEAD_NS / 2
                                          + memlane_spread (work->background.n++)
                                                * MEMLANE_BACKGROUND_LAUNCH_NS);
  if (!memlane_device_background_read (work->device, &work->background.at, error))
    return FALSE;
  work->background.sum.units += work->background.at.units - begin.units;
  work->background.sum.ns += work->background.at.ns - begin.ns;
  return TRUE;
}

/* Ends the background, in any case. After a sample that took @ns it is told how much was done
 * meanwhile. Without a sample @ns is 0. */
static gboolean
end_background (Work *work, double ns, GError **error)
{
  const MemlaneBackgroundProgress *at = &work->background.at;
  MemlaneBackgroundProgress end = { 0 }, after;
  double begin;
  gboolean done;

  if (work->method->beside == MEMLANE_BESIDE_NONE)
    return TRUE;
  done = ns > 0 && memlane_device_background_read (work->device, &end, error);
  after = end;
  begin = done ? now (work) : 0;
  /* The unit that the sample's end falls into. */
  while (done && after.runs && !(after.units > end.units)
         && now (work) - begin < BACKGROUND_UNIT_NS)
    done = memlane_device_background_read (work->device, &after, error);
  if (done && end.runs && after.ns > at->ns)
    {
      work->background.sum.beside_units += after.units - at->units;
      work->background.sum.beside_ns += after.ns - at->ns;
      work->background.sum.of_samples += ns;
    }
  work->background_ended |= done && !end.runs;
  return memlane_device_background_stop (work->device, done ? error : NULL) && (done || ns <= 0);
}

/* Records what a unit of the background takes alone, and beside samples: what is lost there is lost
 * while they run. */
static void
record_background (Work *work)
{
  const double alone = work->background.sum.ns / work->background.sum.units;
  const double lost = work->background.sum.beside_ns - work->background.sum.beside_units * alone;
  const double of = work->background.sum.of_samples;

  if (work->method->beside == MEMLANE_BESIDE_NONE || !(work->background.sum.units > 0))
    return;
  record (work, MEMLANE_PHASE_BACKGROUND_ALONE, MEMLANE_CLOCK_DEVICE, alone);
  if (of > 0)
    record (work, MEMLANE_PHASE_BACKGROUND, MEMLANE_CLOCK_DEVICE,
            alone * of / CLAMP (of - lost, of / 1000, of * 1000));
  memset (&work->background.sum, 0, sizeof work->background.sum);
}

/* From the first call until the result may be read. @issued receives the calls of each step. */
static gboolean
take_whole_sample (Work *work, double *issued, double *issue, double *elapsed, GError **error)
{
  MemlaneRecipe *recipe = work->recipe;
  double begin = now (work), mark = begin;

  for (guint i = 0; i < recipe->n_steps; i++)
    {
      double t;

      if (!memlane_recipe_issue (recipe, &recipe->steps[i], error))
        return FALSE;
      t = now (work);
      issued[i] = t - mark;
      mark = t;
    }
  *issue = mark - begin;
  if (!memlane_recipe_finish (recipe, error))
    return FALSE;
  *elapsed = now (work) - begin;
  return TRUE;
}

/* The whole sample, as a program would run it; @is_first keeps it apart, @counts is FALSE for a
 * set's warm-up, whose result is read and which has no background. */
static gboolean
run_whole_sample (Work *work, gboolean is_first, gboolean counts, GError **error)
{
  MemlaneRecipe *recipe = work->recipe;
  double issued[G_N_ELEMENTS (recipe->steps)], issue = 0, elapsed = 0;
  gboolean taken;

  if (!memlane_recipe_prepare (recipe, TRUE, error))
    return FALSE;
  taken = (!counts || begin_background (work, error))
          && take_whole_sample (work, issued, &issue, &elapsed, error);
  if (counts)
    taken = end_background (work, taken ? elapsed : 0, taken ? error : NULL) && taken;
  else
    work->background.sample_ns = elapsed;
  if (!taken)
    return FALSE;
  if (!counts && (recipe->buffers->output.on & MEMLANE_ON_HOST) && !read_output (work, error))
    return FALSE;
  if (!memlane_recipe_verify (recipe, &work->mismatch, error))
    return FALSE;

  if (is_first && work->method->beside == MEMLANE_BESIDE_NONE)
    record (work, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST, elapsed);
  if (!counts)
    return TRUE;
  for (guint i = 0; i < recipe->n_steps; i++)
    if (recipe->steps[i].phase != MEMLANE_PHASE_ELAPSED)
      record (work, recipe->steps[i].phase, MEMLANE_CLOCK_ISSUE, issued[i]);
  record (work, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_ISSUE, issue);
  record (work, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, elapsed);
  return TRUE;
}

/* Records the start event on the first stream and lets the others wait for it. */
static gboolean
record_start (MemlaneBuffers *buffers, GError **error)
{
  if (!memlane_device_event_record (buffers->device, buffers->start,
                                    memlane_buffers_stream (buffers), error))
    return FALSE;
  for (guint i = 1; i < buffers->shape.lanes; i++)
    if (!memlane_device_stream_wait_event (buffers->device, buffers->lanes[i], buffers->start,
                                           error))
      return FALSE;
  return TRUE;
}

/* Lets the first stream wait for all others and records the stop event there. With @ways it has an
 * event of its own before. */
static gboolean
record_stop (MemlaneBuffers *buffers, gboolean ways, GError **error)
{
  for (guint i = ways ? 0 : 1; i < buffers->shape.lanes; i++)
    if (!memlane_device_event_record (buffers->device, buffers->lane_done[i], buffers->lanes[i],
                                      error)
        || (i > 0
            && !memlane_device_stream_wait_event (buffers->device, memlane_buffers_stream (buffers),
                                                  buffers->lane_done[i], error)))
      return FALSE;
  return memlane_device_event_record (buffers->device, buffers->stop,
                                      memlane_buffers_stream (buffers), error);
}

static gboolean
time_between_events (Work *work, const MemlaneStep *step, gboolean latched, GError **error)
{
  MemlaneBuffers *buffers = work->recipe->buffers;
  gboolean leads = step->lead_in != NULL && (latched || step->timing == MEMLANE_TIMING_EVENTS),
           late = FALSE, queued;
  /* Every second sample tells the ways, whose event would be in the time of both. */
  const gboolean ways = buffers->shape.lanes_are_ways && work->samples % 2 > 0;
  double ns;

  if (latched
      && !memlane_device_latch_close (work->device, memlane_buffers_stream (buffers), error))
    return FALSE;
  /* A copy that was to stand behind a latch, and does not, follows whatever was there. */
  queued = (!leads || step->lead_in (buffers, error)) && record_start (buffers, error)
           && memlane_recipe_issue (work->recipe, step, error)
           && record_stop (buffers, ways, error);
  /* After any error: no stream may stay behind a closed latch. */
  if (latched && !memlane_device_latch_open (work->device, &late, queued ? error : NULL))
    return FALSE;
  if (!queued || !memlane_device_event_synchronize (work->device, buffers->stop, error))
    return FALSE;
  if (late)
    {
      work->is_void = TRUE;
      /* Later samples use another method: figures of two methods do not mix. */
      if (++work->late[step->phase] == LATE_LATCHES_ALLOWED)
        for (guint phase = MEMLANE_PHASE_UPLOAD; phase <= MEMLANE_PHASE_ELAPSED; phase++)
          if (phase == step->phase || buffers->shape.lanes_are_ways)
            forget (work, phase, MEMLANE_CLOCK_DEVICE);
      return TRUE;
    }
  if (!memlane_device_event_elapsed (work->device, buffers->start, buffers->stop, &ns, error))
    return FALSE;
  if (!ways)
    record (work, step->phase, MEMLANE_CLOCK_DEVICE, ns);
  for (guint i = 0; i < 2 && ways; i++)
    if (memlane_device_event_elapsed (work->device, buffers->start, buffers->lane_done[i], &ns,
                                      error))
      record (work, i == 0 ? MEMLANE_PHASE_UPLOAD : MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE,
              ns);
    else
      return FALSE;
  return TRUE;
}

static gboolean
time_on_host (Work *work, const MemlaneStep *step, gboolean is_last, GError **error)
{
  double begin = now (work);

  if (!memlane_recipe_issue (work->recipe, step, error))
    return FALSE;
  /* A copy from pageable memory returns when it is staged: complete is only what has been waited
   * for. */
  if (!step->completes && (!is_last || work->recipe->finish_waits)
      && !memlane_device_synchronize (work->device, error))
    return FALSE;
  record (work, step->phase, MEMLANE_CLOCK_HOST, now (work) - begin);
  return TRUE;
}

static gboolean
take_split_sample (Work *work, GError **error)
{
  MemlaneRecipe *recipe = work->recipe;

  for (guint i = 0; i < recipe->n_steps; i++)
    {
      const MemlaneStep *step = &recipe->steps[i];
      gboolean timed;

      if (step->timing == MEMLANE_TIMING_HOST)
        timed = time_on_host (work, step, i + 1 == recipe->n_steps, error);
      else
        timed = time_between_events (work, step,
                                     step->timing == MEMLANE_TIMING_LATCHED
                                         && work->late[step->phase] < LATE_LATCHES_ALLOWED,
                                     error);
      if (!timed)
        return FALSE;
    }
  return memlane_recipe_finish (recipe, error);
}

/* Each phase by itself. */
static gboolean
run_split_sample (Work *work, GError **error)
{
  MemlaneRecipe *recipe = work->recipe;
  gboolean taken;

  /* One blocking step is the whole sample: it has been taken already. */
  if (recipe->n_steps == 1 && recipe->steps[0].phase == MEMLANE_PHASE_ELAPSED
      && recipe->steps[0].timing == MEMLANE_TIMING_HOST)
    return TRUE;
  if (!memlane_recipe_prepare (recipe, FALSE, error))
    return FALSE;
  taken = begin_background (work, error) && take_split_sample (work, error);
  return end_background (work, 0, taken ? error : NULL) && taken
         && memlane_recipe_verify (recipe, &work->mismatch, error);
}

/* --- sets ------------------------------------------------------------------------------------- */

static gboolean
is_cancelled (Work *work, GError **error)
{
  return g_cancellable_set_error_if_cancelled (work->cancellable, error);
}

/* A warm-up, and the samples of one set; what a late latch made void does not count. */
static gboolean
run_samples (Work *work, GError **error)
{
  double share = work->method->cell_seconds / MEMLANE_USUAL_SECONDS;
  const gboolean exact = memlane_device_get_info (work->device)->exact;
  guint most = work->samples
               + (exact ? MEMLANE_EXACT_SAMPLES
                        : (guint) CLAMP (MEMLANE_SET_SAMPLES * share, get_least_samples (work),
                                         1000));

  if (!run_whole_sample (work, work->sets == 0, FALSE, error))
    return FALSE;
  while (work->mismatch == NULL && work->samples < most && !is_enough (work))
    {
      if (is_cancelled (work, error) || !run_whole_sample (work, FALSE, TRUE, error))
        return FALSE;
      if (work->mismatch != NULL || is_cancelled (work, error) || !run_split_sample (work, error))
        return work->mismatch != NULL;
      work->samples += !work->is_void;
      work->is_void = FALSE;
    }
  return TRUE;
}

/* Every buffer is asked once what it is; those that a sample takes and returns by itself are taken
 * for this. */
static gboolean
check_kinds (Work *work, GError **error)
{
  MemlaneBuffers *buffers = work->recipe->buffers;

  if (!buffers->shape.allocates_inside)
    return memlane_buffers_check_attributes (buffers, &work->kinds, error);
  return memlane_buffers_malloc_async (buffers, error)
         && memlane_buffers_check_attributes (buffers, &work->kinds, error)
         && memlane_buffers_free_async (buffers, error)
         && memlane_device_synchronize (work->device, error);
}

static gboolean
measure_set (Work *work, const MemlaneMode *mode, gsize elements, const MemlaneReference *reference,
             GError **error)
{
  MemlaneRecipe *recipe = memlane_recipe_new (work->device, work->method, mode, elements, reference,
                                              error);
  gboolean allocates = mode->input_memory != MEMLANE_HOST_MANAGED_STATIC;
  double begin;

  note_clock (work);
  work->recipe = recipe;
  if (recipe == NULL || !memlane_buffers_check_room (recipe->buffers, error))
    return FALSE;

  begin = now (work);
  if (!memlane_buffers_allocate (recipe->buffers, error))
    return FALSE;
  if (allocates)
    record (work, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, now (work) - begin);
  if (work->kinds == NULL && !check_kinds (work, error))
    return FALSE;

  begin = now (work);
  if (!memlane_recipe_write_inputs (recipe, error))
    return FALSE;
  if (memlane_recipe_has_host_inputs (recipe))
    record (work, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST, now (work) - begin);

  recipe->inputs_are_new = TRUE;
  if (!memlane_recipe_settle (recipe, error) || !memlane_recipe_allocate_lead_in (recipe, error)
      || !run_samples (work, error))
    return FALSE;

  record_background (work);
  if (work->sets == 0 && mode->note != NULL && !mode->note (recipe->buffers, &work->note, error))
    return FALSE;
  if (!memlane_buffers_release_lead (recipe->buffers, error))
    return FALSE;

  begin = now (work);
  if (!memlane_buffers_release (recipe->buffers, error))
    return FALSE;
  if (allocates)
    record (work, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, now (work) - begin);
  return TRUE;
}

/* --- the cell --------------------------------------------------------------------------------- */

MemlaneStatus
memlane_status_from_error (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return MEMLANE_STATUS_CANCELLED;
  if (g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED))
    return MEMLANE_STATUS_UNSUPPORTED;
  if (g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY))
    return MEMLANE_STATUS_OUT_OF_MEMORY;
  if (g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_TIMEOUT))
    return MEMLANE_STATUS_TIMEOUT;
  return MEMLANE_STATUS_ERROR;
}

static char *
explain_late (Work *work, MemlanePhase phase, MemlaneClock clock)
{
  guint late = work->late[phase];

  if (clock != MEMLANE_CLOCK_DEVICE || late == 0)
    return NULL;
  return g_strdup_printf (
      "%u late sample%s void%s", late, late == 1 ? "" : "s",
      late >= LATE_LATCHES_ALLOWED
          ? "; the calls wait for the stream, so device time was taken without a latch"
          : "");
}

static void
add_figures (Work *work, MemlaneCell *cell)
{
  const MemlaneStatus failure = cell->status; /* or ok: what is noisy is told over rounds */
  const MemlaneDeviceUse use = {
    .workload = cell->workload, .mode = cell->mode, .bytes = cell->bytes, .reuse = cell->reuse,
    .streams = cell->streams, .chunks = cell->chunks, .beside = cell->beside,
  };
  g_autofree char *caveat = memlane_device_get_caveat (work->device, &use);
  gboolean kinds_told = FALSE;

  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    for (guint clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
      {
        GArray *series = work->series[phase][clock];
        g_autofree char *late = explain_late (work, phase, clock), *both = NULL;
        const char *detail = late;
        MemlaneStatistics statistics;
        MemlaneFigure *figure;

        if (series == NULL)
          continue;
        MEMLANE_FOR_EACH_IN (double, ns, series)
          *ns = memlane_device_correct (work->device, &use, phase, clock, *ns);
        memlane_statistics_compute ((const double *) (gconstpointer) series->data, series->len,
                                    &statistics);
        if (detail == NULL && clock == MEMLANE_CLOCK_DEVICE)
          detail = work->details[phase];
        if (phase == MEMLANE_PHASE_BACKGROUND && work->background_ended)
          detail = N_("the background ended before a sample did");
        if (detail == NULL && phase == MEMLANE_PHASE_UPLOAD && clock == MEMLANE_CLOCK_HOST)
          detail = work->note;
        /* The note on the buffers is in the cell once, with the phase that made them. */
        if (!kinds_told && detail == NULL && clock == MEMLANE_CLOCK_HOST)
          {
            detail = work->kinds;
            kinds_told = TRUE;
          }
        if (phase == MEMLANE_PHASE_ELAPSED && caveat != NULL)
          detail = both = detail != NULL ? g_strdup_printf ("%s; %s", caveat, detail)
                                         : g_strdup (caveat);
        figure = memlane_cell_add_figure (cell, phase, clock, &statistics, work->bytes[phase],
                                          failure, detail);
        if (work->method->keep_samples)
          {
            figure->samples = g_memdup2 (series->data, series->len * sizeof (double));
            figure->marks = g_memdup2 (work->marks[phase][clock]->data,
                                       series->len * sizeof (MemlaneSampleMark));
          }
      }
}

/* Whether what the device itself reads and writes in @step fits its second-level cache, so that its
 * time tells of the cache alone. */
static gboolean
fits_cache (const Work *work, const MemlaneStep *step)
{
  const MemlaneRecipe *recipe = work->recipe;
  const MemlaneShape *shape = &recipe->shape;
  guint64 bytes = (shape->inputs + (shape->output_on != 0)) * (guint64) recipe->bytes;
  gboolean on_device = (shape->inputs == 0 || (shape->inputs_on & MEMLANE_ON_DEVICE))
                       && (shape->output_on == 0 || (shape->output_on & MEMLANE_ON_DEVICE));
  gboolean stays = !(shape->inputs > 0 && (shape->inputs_on & MEMLANE_ON_HOST))
                   && !(shape->output_on & MEMLANE_ON_HOST);

  /* Flushed inputs are read from device memory; those that were just copied there are in the cache
   * all the same. */
  if (recipe->cold_cache && recipe->inputs_preloaded)
    return FALSE;
  return on_device
         && (step->phase == MEMLANE_PHASE_KERNEL || (step->phase == MEMLANE_PHASE_ELAPSED && stays))
         && bytes <= memlane_device_get_info (work->device)->l2_bytes;
}

/* Notes the details of the steps, and how many bytes they move. */
static void
note_steps (Work *work)
{
  const MemlaneRecipe *recipe = work->recipe;

  if (recipe == NULL)
    return;
  for (guint i = 0; i < recipe->n_steps; i++)
    {
      const MemlaneStep *step = &recipe->steps[i];

      work->bytes[step->phase] = step->bytes_moved;
      work->details[step->phase] = step->detail;
      if (step->detail == NULL && fits_cache (work, step))
        work->details[step->phase] = N_("its vectors fit the second-level cache");
    }
  if (recipe->shape.lanes_are_ways)
    work->bytes[MEMLANE_PHASE_UPLOAD] = work->bytes[MEMLANE_PHASE_DOWNLOAD]
        = recipe->elapsed_bytes / 2;
  work->bytes[MEMLANE_PHASE_ELAPSED] = work->bytes[MEMLANE_PHASE_FIRST] = recipe->elapsed_bytes;
  work->bytes[MEMLANE_PHASE_HOST_WRITE] = (guint64) recipe->bytes
                                          * (recipe->settles_on_device ? 1 : recipe->shape.inputs);
  work->bytes[MEMLANE_PHASE_HOST_READ] = recipe->bytes;
  if (work->method->beside > MEMLANE_BESIDE_COMPUTE)
    work->bytes[MEMLANE_PHASE_BACKGROUND] = work->bytes[MEMLANE_PHASE_BACKGROUND_ALONE]
        = MEMLANE_BACKGROUND_COPY;
}

MemlaneCell *
memlane_cell_new_for (const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements)
{
  MemlaneCell *cell = memlane_cell_new (method->workload->id, mode->id, log2_elements);

  cell->reuse = MAX (method->reuse, 1);
  cell->beside = method->beside;
  cell->busy = method->busy;
  return cell;
}

MemlaneCell *
memlane_measure_cell (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode,
                      double log2_elements, const MemlaneReference *reference,
                      GCancellable *cancellable)
{
  MemlaneCell *cell = memlane_cell_new_for (method, mode, log2_elements);
  Work work = { .device = device,
                .method = method,
                .cancellable = cancellable,
                .visits = memlane_count_visits (log2_elements) };
  guint sets = memlane_device_get_info (device)->exact ? MEMLANE_EXACT_SETS : 1;
  g_autoptr (GError) error = NULL;

  if (!memlane_workload_is_supported (method->workload, mode, memlane_device_get_info (device),
                                      &cell->detail)
      || (cell->detail = memlane_capabilities_explain_missing (
              memlane_beside_get_needs (method->beside), memlane_device_get_info (device)))
             != NULL)
    {
      cell->status = MEMLANE_STATUS_UNSUPPORTED;
      return cell;
    }

  work.begun = memlane_device_clock (device);
  while (error == NULL && work.mismatch == NULL && work.sets < sets)
    {
      if (!is_cancelled (&work, &error)
          && measure_set (&work, mode, cell->elements, reference, &error))
        work.sets++;
      note_steps (&work);
      if (work.recipe != NULL)
        {
          cell->streams = memlane_recipe_get_streams (work.recipe);
          cell->chunks = memlane_recipe_get_chunks (work.recipe);
        }
      g_clear_pointer (&work.recipe, memlane_recipe_free);
    }

  if (work.mismatch != NULL)
    {
      cell->status = MEMLANE_STATUS_MISMATCH;
      cell->detail = g_steal_pointer (&work.mismatch);
    }
  else if (error != NULL)
    {
      cell->status = memlane_status_from_error (error);
      cell->detail = g_strdup (cell->status == MEMLANE_STATUS_CANCELLED ? "stopped by request"
                                                                        : error->message);
    }
  add_figures (&work, cell);

  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    for (guint clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
      forget (&work, phase, clock);
  g_free (work.kinds);
  g_free (work.note);
  g_free (work.mismatch);
  return cell;
}

static gboolean
warm_up_once (MemlaneDevice *device, gsize bytes)
{
  MemlaneHeld held = { .device = device };
  void *host, *buffer;
  gboolean done =
      memlane_held_take (&held, NULL, { MEMLANE_TAKE_PINNED, &host, bytes },
                         { MEMLANE_TAKE_DEVICE, &buffer, bytes })
      && memlane_device_memcpy (device, buffer, host, bytes, MEMLANE_COPY_TO_DEVICE, NULL)
      && memlane_device_memcpy (device, host, buffer, bytes, MEMLANE_COPY_TO_HOST, NULL);

  (void) memlane_held_give_all (&held, NULL);
  return done;
}

/* Allocates, copies to and fro and frees, until one step does hardly more of this than the step
 * before, for half a second at most. So clocks, link and allocators have left their idle state:
 * without it the first cells of a sweep cost twice what they cost later. Trouble is left for the
 * first cell to meet. A device whose times are exact, or drawn, has no idle state. */
static void
warm_up (MemlaneDevice *device)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (device);
  const double begin = memlane_device_clock (device);
  double now = begin;
  guint before = 0, n = 0;

  if (info->exact || info->noise != NULL)
    return;
  do
    {
      const double step = now;

      before = n;
      /* Small and large in turn: pools and page tables as well as clocks and the link. */
      for (n = 0; now - step < MEMLANE_WARM_UP_STEP_NS; n++, now = memlane_device_clock (device))
        for (guint i = 0; i < 8; i++)
          if (!warm_up_once (device, i == 0 ? 1 << 20 : 4 << 10))
            return;
    }
  while (now - begin < MEMLANE_WARM_UP_NS && (before == 0 || n > before + before / 20));
}

/* --- the processors near the device ----------------------------------------------------------- */

typedef struct hwloc_bitmap_s hwloc_bitmap_auto;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (hwloc_bitmap_auto, hwloc_bitmap_free)

/* Binds the calling thread to those of its processors that lie on the NUMA node of @info's device.
 * So what it allocates and touches afterwards lies near the device. *@before receives what
 * restore_processors() needs. Returns: (transfer full): a sentence for the environment, what was
 * done or why nothing. */
static char *
bind_thread (const MemlaneDeviceInfo *info, cpu_set_t *before)
{
  hwloc_topology_t topology;
  hwloc_obj_t device, near;
  g_autoptr (hwloc_bitmap_auto) cpuset = NULL;
  g_autofree char *cpus = NULL;
  char *said;

  CPU_ZERO (before);
  /* more than 1024 processors: stays empty, and nothing is restored */
  sched_getaffinity (0, sizeof *before, before);
  if (info->pci_bus_id == NULL)
    return g_strdup ("not bound: the device has no place on the PCI bus");
  if (hwloc_topology_init (&topology) != 0)
    return g_strdup ("not bound: hwloc does not start");
  hwloc_topology_set_io_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load (topology) != 0)
    {
      hwloc_topology_destroy (topology);
      return g_strdup ("not bound: hwloc cannot read this machine");
    }

  if (hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE) < 2)
    said = g_strdup ("not bound: one NUMA node");
  else if ((device = hwloc_get_pcidev_by_busidstring (topology, info->pci_bus_id)) == NULL
           || (near = hwloc_get_non_io_ancestor_obj (topology, device)) == NULL)
    said = g_strdup_printf ("not bound: hwloc does not know %s", info->pci_bus_id);
  else if ((cpuset = hwloc_bitmap_alloc ()) == NULL
           || hwloc_get_cpubind (topology, cpuset, HWLOC_CPUBIND_THREAD) != 0
           || hwloc_bitmap_and (cpuset, cpuset, near->cpuset) != 0 || hwloc_bitmap_iszero (cpuset))
    said = g_strdup_printf ("not bound: the process may not run beside %s", info->pci_bus_id);
  else if (hwloc_set_cpubind (topology, cpuset, HWLOC_CPUBIND_THREAD) != 0)
    said = g_strdup_printf ("not bound: %s", g_strerror (errno));
  else
    {
      hwloc_bitmap_list_asprintf (&cpus, cpuset);
      said = g_strdup_printf ("bound to processors %s, beside %s", cpus, info->pci_bus_id);
    }
  hwloc_topology_destroy (topology);
  return said;
}

/* The thread may be somebody else's next: it gets back the processors that it had. */
static void
restore_processors (const cpu_set_t *before)
{
  if (CPU_COUNT (before) > 0)
    sched_setaffinity (0, sizeof *before, before);
}

/* --- what a round needs ----------------------------------------------------------------------- */

static char *
make_run_id (const char *device_id, const char *workload)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (time, "%Y%m%dT%H%M%S");
  g_autofree char *base = g_path_get_basename (device_id);
  g_autofree char *id = g_strdup_printf ("%s.%03dZ-%s-%s", stamp,
                                         g_date_time_get_microsecond (time) / 1000, base, workload);

  /* One word in every shell and file system. */
  return g_strcanon (g_steal_pointer (&id),
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '-');
}

/* The data for one size. A size that the host has no room for costs its own cells, not the run. */
static MemlaneReference *
make_reference (MemlaneDevice *device, gboolean of_pieces, double log2_elements, guint64 seed,
                GCancellable *cancellable, GError **error)
{
  const gsize elements = memlane_size_elements (log2_elements);
  guint64 needed = 4 * sizeof (float) * elements, available, lockable;

  if (of_pieces)
    needed /= MEMLANE_PIECE_STRIDE / MEMLANE_PIECE_BYTES;
  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && needed > available)
    return memlane_device_refuse (error, OUT_OF_MEMORY,
                                  "not tried: the reference data takes %" G_GUINT64_FORMAT
                                  " MiB, and %" G_GUINT64_FORMAT
                                  " MiB of host memory are free; choose a smaller size",
                                  needed >> 20, available >> 20),
           NULL;
  return memlane_reference_new (elements, of_pieces, seed, cancellable, error);
}

/* Describes a device that has left its idle state. (transfer full) */
static MemlaneEnvironment *
describe_surroundings (MemlaneDevice *device, const MemlanePlan *plan, gboolean of_pieces,
                       const char *affinity)
{
  g_autoptr (GError) error = NULL;
  MemlaneSurroundings surroundings = {
    .affinity = affinity,
    .verifies_pieces = of_pieces && sizeof (float) * exp2 (plan->last_log2) > MEMLANE_PIECES_ABOVE,
  };

  if (!memlane_device_get_state (device, &surroundings.state, &error))
    surroundings.no_state = error->message;
  memlane_measure_floors (device, &surroundings.floors);
  return memlane_environment_describe (device, plan, &surroundings);
}

/* --- rounds ----------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDevice *device;
  const MemlanePlan *plan;
  GCancellable *cancellable;
  cpu_set_t before;
  MemlaneRun *run;             /* its id and environment, and what is told */
  double begun;                /* device clock, before the first cell */
  /* the device moves pieces of large vectors, and no more of the reference is made */
  gboolean of_pieces;
  MemlaneReference *reference; /* for the largest size so far; smaller ones are its beginning */
  MemlaneHostProber *prober;   /* NULL: the device has no noise */
  GError *no_data;             /* why there is none for the sizes beyond */
} Measuring;

static void
begin (Measuring *self, MemlaneMeasureFunc tell, gpointer user_data)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (self->device);
  g_autofree char *run_id = make_run_id (info->id, self->plan->method.workload->id);
  g_autofree char *affinity = bind_thread (info, &self->before);

  self->run = memlane_run_new (run_id, info->id, info->kind);
  /* Scattered pieces change their places, so all of them are moved. */
  self->of_pieces = memlane_device_move_pieces (self->device,
                                                !self->plan->method.workload->of_pieces);
  warm_up (self->device);
  self->run->environment = describe_surroundings (self->device, self->plan, self->of_pieces,
                                                  affinity);
  tell (self->run, NULL, 0, NULL, user_data);
  if (!info->exact)
    self->prober = memlane_host_prober_new (self->device);
  self->begun = memlane_device_clock (self->device);
}

/* Takes what is left of @self. */
static MemlaneRun *
end (Measuring *self)
{
  memlane_device_move_pieces (self->device, FALSE); /* as whoever has it next expects */
  memlane_host_prober_free (self->prober);
  memlane_reference_free (self->reference);
  g_clear_error (&self->no_data);
  restore_processors (&self->before);
  return self->run;
}

/* The data of a round are made once, for its largest size: it is random which one comes first. A
 * size that the host has no room for costs its own cells, not the others. */
static void
make_references (Measuring *self, const GArray *order)
{
  guint largest = 0;

  MEMLANE_FOR_EACH_IN (const guint, number, order)
    largest = MAX (largest, memlane_plan_get_size_index (self->plan, *number));
  for (guint i = largest + 1; i-- > 0 && self->reference == NULL;)
    {
      g_clear_error (&self->no_data);
      self->reference = make_reference (self->device, self->of_pieces,
                                        memlane_plan_get_size (self->plan, i),
                                        self->plan->method.seed, self->cancellable, &self->no_data);
    }
}

static MemlaneCell *
measure_cell (Measuring *self, const MemlaneMode *mode, double log2_elements)
{
  const MemlaneMethod *method = &self->plan->method;
  MemlaneCell *cell;

  if (self->reference == NULL || memlane_size_elements (log2_elements) > self->reference->elements)
    {
      cell = memlane_cell_new_for (method, mode, log2_elements);
      cell->status = memlane_status_from_error (self->no_data);
      cell->detail = g_strdup (self->no_data->message);
      return cell;
    }
  cell = memlane_measure_cell (self->device, method, mode, log2_elements, self->reference,
                               self->cancellable);
  /* From here on the marks' times are those since the first cell began. */
  MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
    for (guint k = 0; figure->marks != NULL && k < figure->statistics.count; k++)
      figure->marks[k].time -= self->begun;
  return cell;
}

MemlaneRun *
memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan, const GArray *order,
                       MemlaneMeasureFunc tell, gpointer user_data, GCancellable *cancellable)
{
  Measuring self = { .device = device, .plan = plan, .cancellable = cancellable };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  begin (&self, tell, user_data);
  make_references (&self, order);
  for (guint place = 0; place < order->len && !g_cancellable_is_cancelled (cancellable)
                        && !memlane_device_is_lost (device);
       place++)
    {
      guint number = g_array_index (order, guint, place);
      double log2_elements;
      const MemlaneMode *mode = memlane_plan_get_cell (plan, number, &log2_elements);
      MemlaneHostProbe host = { { 0 } };
      MemlaneCell *cell;

      if (!g_hash_table_add (seen, GUINT_TO_POINTER (number))
          && memlane_device_get_info (device)->exact)
        continue; /* another visit would see the same again */
      if (self.prober != NULL)
        memlane_host_prober_run (self.prober, &host);
      tell (self.run, mode, log2_elements, NULL, user_data);
      cell = measure_cell (&self, mode, log2_elements);
      cell->host = host;
      g_ptr_array_add (self.run->cells, cell);
      tell (self.run, mode, log2_elements, cell, user_data);
    }
  return end (&self);
}
