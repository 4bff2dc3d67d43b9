/* sample-run.h: runs for the tests of engine/result/
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "result/statistics.h"
#include "result/environment.h"
#include "result/run.h"

/* A time between 1 ns and 1 s with all its digits. */
static inline double
sample_time (GRand *random)
{
  return exp (g_rand_double_range (random, 0, log (1e9)));
}

/* Each sample by itself, or all in one. */
static inline void
sample_rounds (MemlaneFigure *figure, GRand *random)
{
  guint n = figure->statistics.count;

  figure->n_rounds = g_rand_boolean (random) ? n : 1;
  figure->rounds = g_new (MemlaneRound, figure->n_rounds);
  for (guint i = 0; i < figure->n_rounds; i++)
    figure->rounds[i] = (MemlaneRound) { i + 1 + n / 2, (guint) g_rand_int_range (random, 1, 300), n / figure->n_rounds,
                                         memlane_tenths (figure->samples[i]) };
}

static inline MemlaneCell *
sample_cell (GRand *random, const char *workload, const char *mode, guint log2_elements)
{
  static const char *const details[] = { NULL, "a plain sentence", "commas, \"quotes\", all of it", "two\nlines",
                                          "Umlaute: \xc3\xa4\xc3\xb6\xc3\xbc",
                                         " spaces outside ", "carriage\r\nreturn", "\"" };
  MemlaneCell *cell = memlane_cell_new (workload, mode, log2_elements);
  guint kind = g_rand_int_range (random, 0, 10);

  cell->reuse = (guint) g_rand_int_range (random, 1, 4);
  if (g_rand_boolean (random))
    {
      g_free (cell->mode); /* only modes of streams have them */
      cell->mode = g_strconcat ("streams-", mode, NULL);
      cell->streams = (guint) g_rand_int_range (random, 1, 9);
      cell->chunks = cell->streams * 2;
    }
  for (int phase = 0; phase < MEMLANE_N_PHASES && kind > 0; phase++)
    for (int clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
      {
        MemlaneStatus status = kind == 1 ? g_rand_int_range (random, 0, MEMLANE_N_STATUSES) : MEMLANE_STATUS_OK;
        guint n = phase == MEMLANE_PHASE_FIRST ? 1 : (guint) g_rand_int_range (random, kind == 1 ? 0 : 1, 40);
        MemlaneStatistics statistics;
        MemlaneFigure *figure;
        double samples[40];

        if (phase == MEMLANE_PHASE_ELAPSED && clock == MEMLANE_CLOCK_HOST)
          n = MAX (n, 1); /* without samples it would be the cell's own row */
        if (phase == MEMLANE_PHASE_FIRST ? clock != MEMLANE_CLOCK_HOST : g_rand_boolean (random))
          continue;
        for (guint i = 0; i < n; i++)
          samples[i] = g_rand_int_range (random, 0, 4) == 0 ? floor (sample_time (random)) : sample_time (random);
        memlane_statistics_compute (samples, n, &statistics);
        figure = memlane_cell_add_figure (cell, (MemlanePhase) phase, (MemlaneClock) clock, &statistics,
                                          g_rand_boolean (random) ? cell->bytes * 2 : 0, status,
                                          details[g_rand_int_range (random, 0, G_N_ELEMENTS (details))]);
        figure->samples = g_memdup2 (samples, n * sizeof (double));
        if (n > 0 && g_rand_boolean (random))
          sample_rounds (figure, random);
      }
  if (kind <= 2) /* the cell has something to say that its figures do not */
    {
      cell->status = g_rand_int_range (random, 1, MEMLANE_N_STATUSES);
      cell->detail = g_strdup (details[g_rand_int_range (random, 0, G_N_ELEMENTS (details))]);
    }
  return cell;
}

static inline MemlaneRun *
sample_run (guint32 seed, guint n_cells)
{
  GRand *random = g_rand_new_with_seed (seed);
  g_autofree char *id = g_strdup_printf ("20261121T101400Z-run-%u", seed);
  MemlaneRun *run = memlane_run_new (id, seed % 2 ? "simulated:h200" : "cuda:0", seed % 2 ? "simulated" : "cuda");

  for (guint i = 0; i < n_cells; i++)
    {
      g_autofree char *mode = g_strdup_printf ("mode-%u", i / 20);

      g_ptr_array_add (run->cells, sample_cell (random, "vector-add", mode, 4 + i % 20));
    }
  g_rand_free (random);
  return run;
}

/* Makes the run such as a worker sends it: it has an environment, a visit no rounds, and a text is one line. */
static inline void
sample_as_sent (MemlaneRun *run)
{
  if (run->environment == NULL)
    run->environment = memlane_environment_parse ("{}", -1, "sample", NULL);
  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    {
      g_strdelimit (cell->detail != NULL ? cell->detail : cell->mode, "\r\n", ' ');
      MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
        {
          figure->n_rounds = 0;
          if (figure->detail != NULL)
            g_strdelimit (figure->detail, "\r\n", ' ');
        }
    }
}

static inline void
assert_equal_numbers (double a, double b)
{
  g_assert_true (memcmp (&a, &b, sizeof a) == 0);
}

/* @read is @written as the CSV holds it. */
static inline void
assert_same_cell (const MemlaneCell *written, const MemlaneCell *read)
{
  const char *detail = written->detail;
  MemlaneStatus worst = 0;

  g_assert_cmpstr (read->workload, ==, written->workload);
  g_assert_cmpstr (read->mode, ==, written->mode);
  g_assert_cmpuint (read->log2_elements, ==, written->log2_elements);
  g_assert_cmpuint (read->elements, ==, written->elements);
  g_assert_cmpuint (read->bytes, ==, written->bytes);
  g_assert_cmpuint (read->reuse, ==, written->reuse);
  g_assert_cmpuint (read->streams, ==, written->streams);
  g_assert_cmpuint (read->chunks, ==, written->chunks);
  g_assert_cmpuint (read->status, ==, written->status);
  g_assert_cmpuint (read->figures->len, ==, written->figures->len);
  for (guint i = 0; i < read->figures->len; i++)
    {
      const MemlaneFigure *a = g_ptr_array_index (written->figures, i), *b = g_ptr_array_index (read->figures, i);
      const double *x = &a->statistics.median, *y = &b->statistics.median;

      g_assert_cmpuint (a->phase, ==, b->phase);
      g_assert_cmpuint (a->clock, ==, b->clock);
      g_assert_cmpuint (a->status, ==, b->status);
      g_assert_cmpstr (a->detail, ==, b->detail);
      g_assert_cmpuint (a->bytes_moved, ==, b->bytes_moved);
      g_assert_cmpuint (a->statistics.count, ==, b->statistics.count);
      g_assert_cmpuint (a->n_rounds, ==, b->n_rounds);
      for (guint j = 0; j < a->n_rounds && b->rounds != NULL; j++)
        {
          g_assert_cmpuint (a->rounds[j].round, ==, b->rounds[j].round);
          g_assert_cmpuint (a->rounds[j].place, ==, b->rounds[j].place);
          g_assert_cmpuint (a->rounds[j].samples, ==, b->rounds[j].samples);
          assert_equal_numbers (a->rounds[j].median, b->rounds[j].median);
        }
      for (guint j = 0; j < 7 && a->statistics.count > 0; j++)
        assert_equal_numbers (x[j], y[j]);
      /* A cell that says nothing itself says what the worst of its figures says. */
      if (written->detail == NULL && (i == 0 || a->status > worst) && a->status <= written->status)
        detail = a->status == written->status ? a->detail : NULL;
      worst = MAX (worst, a->status);
    }
  g_assert_cmpstr (read->detail, ==, worst == written->status ? detail : written->detail);
}

static inline void
assert_same_run (const MemlaneRun *written, const MemlaneRun *read)
{
  g_assert_cmpstr (written->id, ==, read->id);
  g_assert_cmpstr (written->device, ==, read->device);
  g_assert_cmpstr (written->device_kind, ==, read->device_kind);
  g_assert_cmpstr (memlane_environment_get_json (written->environment), ==, memlane_environment_get_json (read->environment));
  g_assert_cmpuint (written->cells->len, ==, read->cells->len);
  for (guint i = 0; i < read->cells->len; i++)
    assert_same_cell (g_ptr_array_index (written->cells, i), g_ptr_array_index (read->cells, i));
}
