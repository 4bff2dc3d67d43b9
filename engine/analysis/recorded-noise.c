/* recorded-noise.c: how the rounds of recorded runs vary, as a simulated device's noise
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded-noise.h"

#include <math.h>

#include "result/floors.h"
#include "result/statistics.h"

#define LEAST_ROUNDS 6
#define FLOOR_NS 3e3 /* below it a tick of the clock is a spread of its own */
#define TO_DEVIATION 1.4826 /* from a median distance, of a normal law */
#define QUARTILES 1.349     /* their distance in standard deviations, likewise */
#define MOST 0.5            /* as the profile's keys allow */
#define PHI 0.98            /* of a millisecond: it lasts about as long as a cell, and tells neighbours apart */
#define N_PARTS (MEMLANE_NOISE_OF_MEMORY + 1)

typedef struct
{
  GArray *spreads[N_PARTS]; /* double, one for each figure */
  GArray *within;           /* of single samples within a round, on the device's clock */
  GArray *processes;        /* one for each run: how much a round moves all figures of that clock */
} Spreads;

static double
median_of (GArray *values)
{
  MemlaneStatistics statistics;

  if (values->len == 0)
    return 0;
  memlane_statistics_compute ((const double *) values->data, values->len, &statistics);
  return statistics.median;
}

/* FALSE: what the host waits for is partly the device's and partly its own. */
static gboolean
find_part (const MemlaneFigure *figure, MemlaneNoisePart *part)
{
  if (figure->phase == MEMLANE_PHASE_ALLOC || figure->phase == MEMLANE_PHASE_FREE || figure->phase == MEMLANE_PHASE_HOST_WRITE
      || figure->phase == MEMLANE_PHASE_HOST_READ)
    *part = MEMLANE_NOISE_OF_MEMORY;
  else if (figure->clock == MEMLANE_CLOCK_DEVICE)
    *part = MEMLANE_NOISE_OF_DEVICE;
  else if (figure->clock == MEMLANE_CLOCK_ISSUE)
    *part = MEMLANE_NOISE_OF_CALLS;
  else
    return FALSE;
  return TRUE;
}

/* @by_round: a list for each round of how far it is from the figure's median. */
static void
add_figure (Spreads *self, const MemlaneFigure *figure, GPtrArray *by_round)
{
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (double));
  double middle = figure->statistics.median, spread, within;
  MemlaneNoisePart part;

  if (figure->rounds == NULL || figure->n_rounds < LEAST_ROUNDS || figure->phase == MEMLANE_PHASE_FIRST || middle < FLOOR_NS
      || !find_part (figure, &part))
    return;
  for (guint i = 0; i < figure->n_rounds; i++)
    {
      const MemlaneRound *round = &figure->rounds[i];
      double off = log (MAX (round->median, 1) / middle), distance = fabs (off);

      g_array_append_val (distances, distance);
      if (part == MEMLANE_NOISE_OF_DEVICE && round->round < by_round->len)
        g_array_append_val ((GArray *) by_round->pdata[round->round], off);
    }
  spread = TO_DEVIATION * median_of (distances);
  within = (figure->statistics.q3 - figure->statistics.q1) / QUARTILES / middle;
  g_array_append_val (self->spreads[part], spread);
  if (part == MEMLANE_NOISE_OF_DEVICE)
    g_array_append_val (self->within, within);
}

static void
add_run (Spreads *self, const MemlaneRun *run)
{
  g_autoptr (GPtrArray) by_round = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i <= MEMLANE_MOST_ROUNDS; i++)
    g_ptr_array_add (by_round, g_array_new (FALSE, FALSE, sizeof (double)));
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      for (guint j = 0; j < cell->figures->len; j++)
        add_figure (self, cell->figures->pdata[j], by_round);
    }
  for (guint i = 0; i < by_round->len; i++)
    if (((GArray *) by_round->pdata[i])->len > 0)
      {
        sum += pow (median_of (by_round->pdata[i]), 2);
        n++;
      }
  if (n >= LEAST_ROUNDS)
    {
      double process = sqrt (sum / n);

      g_array_append_val (self->processes, process);
    }
}

/* What is left of @all when @part of it is told by another key. */
static double
without (double all, double part)
{
  return CLAMP (sqrt (MAX (all * all - part * part, 0)), 0, MOST);
}

void
memlane_recorded_noise_fit (GPtrArray *runs, MemlaneNoise *noise)
{
  Spreads self = { .within = g_array_new (FALSE, FALSE, sizeof (double)), .processes = g_array_new (FALSE, FALSE, sizeof (double)) };
  double slow[N_PARTS];
  MemlaneFloors floors;

  *noise = (MemlaneNoise) { .seed = noise->seed };
  for (guint i = 0; i < N_PARTS; i++)
    self.spreads[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < runs->len; i++)
    add_run (&self, runs->pdata[i]);
  if (self.spreads[MEMLANE_NOISE_OF_DEVICE]->len + self.spreads[MEMLANE_NOISE_OF_MEMORY]->len > 0)
    {
      noise->relative = CLAMP (median_of (self.within), 0, MOST);
      noise->process = CLAMP (median_of (self.processes), 0, MOST);
      for (guint i = 0; i < N_PARTS; i++)
        slow[i] = without (median_of (self.spreads[i]), noise->process);
      if (self.spreads[MEMLANE_NOISE_OF_DEVICE]->len == 0)
        slow[MEMLANE_NOISE_OF_DEVICE] = MIN (slow[MEMLANE_NOISE_OF_CALLS], slow[MEMLANE_NOISE_OF_MEMORY]);
      noise->ar_phi = PHI;
      noise->ar_relative = slow[MEMLANE_NOISE_OF_DEVICE];
      noise->ar_calls = MAX (slow[MEMLANE_NOISE_OF_CALLS] - noise->ar_relative, 0);
      noise->ar_memory = MAX (slow[MEMLANE_NOISE_OF_MEMORY] - noise->ar_relative, 0);
      for (guint i = 0; i < runs->len && noise->tick_ns == 0; i++)
        if (memlane_floors_read (runs->pdata[i], &floors))
          noise->tick_ns = MAX (floors.device_tick_ns, 0);
    }
  for (guint i = 0; i < N_PARTS; i++)
    g_array_unref (self.spreads[i]);
  g_array_unref (self.within);
  g_array_unref (self.processes);
}
