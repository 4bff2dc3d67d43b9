/* test-rounds.c: one cell from its visits: middles, intervals, ticks, rounds that failed
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "result/rounds.h"
#include "engine/set-environment.h"
#include "result/statistics.h"

static const MemlaneRoundRule usual = { .rounds = 6, .visits = 1, .precision = 0.1 };

/* A cell of one process whose elapsed time has these samples. */
static MemlaneCell *
make_cell (const double *samples, guint n)
{
  MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 10);
  MemlaneStatistics statistics;

  memlane_statistics_compute (samples, n, &statistics);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 12288, MEMLANE_STATUS_OK, NULL)->samples =
    g_memdup2 (samples, n * sizeof *samples);
  return cell;
}

static void
take (MemlaneRounds *rounds, guint round, const double *samples, guint n)
{
  g_autoptr (MemlaneCell) cell = make_cell (samples, n);

  memlane_rounds_take (rounds, round, 10 * round, cell);
}

static void
take_failure (MemlaneRounds *rounds, guint round, MemlaneStatus status, const char *detail)
{
  g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 10);

  cell->status = status;
  cell->detail = g_strdup (detail);
  memlane_rounds_take (rounds, round, 1, cell);
}

static const MemlaneFigure *
get_elapsed (const MemlaneCell *cell)
{
  return memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
}

/* The interval is that of the rounds, from @low to @high, and what the host's state adds to it: no less than 7 % of a total time, and no
 * more than a tenth where the rounds agree. */
static void
assert_reaches (const MemlaneStatistics *statistics, double low, double high)
{
  double more = (statistics->median - statistics->low) / statistics->median;

  g_assert_cmpfloat (statistics->low, <, low);
  g_assert_cmpfloat (statistics->high, >, high);
  g_assert_cmpfloat (more, >, 0.07);
  g_assert_cmpfloat (more, <, 0.1 + (statistics->median - low) / statistics->median);
}

/* A count that would make the sum of all rounds wrap: the samples are not joined, and none is written beyond what was allocated. */
static void
test_count_wraps (void)
{
  g_autofree double *samples = g_new0 (double, 1000);
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (MemlaneCell) second = make_cell (samples, 1), cell = NULL;
  MemlaneFigure *figure = second->figures->pdata[0];

  take (rounds, 1, samples, 1000);
  g_clear_pointer (&figure->samples, g_free);
  figure->statistics.count = 4294966298u; /* 2^32 - 998 */
  memlane_rounds_take (rounds, 2, 1, second);
  cell = memlane_rounds_merge (rounds, &usual);
  g_assert_null (get_elapsed (cell)->samples);
}

static void
test_six (void)
{
  static const double samples[][3] = { { 1, 100, 130 }, { 101, 90, 400 }, { 103, 104, 50 }, { 99, 98, 200 }, { 97, 97, 97 },
                                        { 95, 105, 102 } };
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (MemlaneCell) cell = NULL;
  const MemlaneFigure *elapsed;
  const MemlaneStatistics *s;

  for (guint i = 6; i > 0; i--) /* they may come in any order */
    take (rounds, i, samples[i - 1], 3);
  cell = memlane_rounds_merge (rounds, &usual);
  elapsed = get_elapsed (cell);
  s = &elapsed->statistics;
  g_assert_cmpuint (s->count, ==, 18);
  g_assert_cmpuint (elapsed->n_rounds, ==, 6);
  g_assert_cmpfloat (s->median, ==, 100.5); /* of the averages of 100, 101, 103, 99, 97, 102, two by two */
  assert_reaches (s, 97, 103);
  g_assert_cmpfloat (s->min, ==, 1);
  g_assert_cmpfloat (s->max, ==, 400);
  g_assert_cmpfloat (s->q1, ==, memlane_tenths ((95.5 + 97) / 2)); /* of 50.5, 95.5, 76.5, 98.5, 97, 98.5 */
  g_assert_cmpfloat (s->q3, ==, memlane_tenths ((115 + 103.5) / 2));
  g_assert_cmpuint (elapsed->bytes_moved, ==, 12288);
  g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_OK);
  for (guint i = 0; i < 6; i++)
    {
      g_assert_cmpuint (elapsed->rounds[i].round, ==, i + 1);
      g_assert_cmpuint (elapsed->rounds[i].place, ==, 10 * (i + 1));
      g_assert_cmpuint (elapsed->rounds[i].samples, ==, 3);
      g_assert_cmpmem (elapsed->samples + 3 * i, sizeof samples[i], samples[i], sizeof samples[i]);
    }
}

/* With fewer than six the interval does not hold 95 %, and says so; with one it is that of the samples. */
static void
test_few (void)
{
  static const double samples[] = { 100, 100, 100, 100.5, 100.5, 100.5 };
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();

  for (guint round = 1; round <= 6; round++)
    {
      g_autoptr (MemlaneCell) cell = NULL;

      take (rounds, round, samples + round % 2, 5);
      cell = memlane_rounds_merge (rounds, &usual);
      g_assert_cmpint (cell->status, ==, round < 6 ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK);
      if (round > 1)
        assert_reaches (&get_elapsed (cell)->statistics, 100, 100.5);
      else
        {
          g_assert_cmpfloat (get_elapsed (cell)->statistics.low, ==, 100);
          g_assert_cmpfloat (get_elapsed (cell)->statistics.high, ==, 100.5);
        }
    }
}

static void
test_precision (void)
{
  MemlaneRoundRule strict = usual;
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (MemlaneCell) loose = NULL, tight = NULL;

  for (guint round = 1; round <= 6; round++)
    {
      const double samples[] = { 95 + 2 * round, 95 + 2 * round, 95 + 2 * round };

      take (rounds, round, samples, 3);
    }
  strict.precision = 0.049; /* 97 to 107 around 102 */
  loose = memlane_rounds_merge (rounds, &usual);
  tight = memlane_rounds_merge (rounds, &strict);
  g_assert_cmpint (loose->status, ==, MEMLANE_STATUS_OK);
  g_assert_cmpint (tight->status, ==, MEMLANE_STATUS_NOISY);
}

static void
test_ticks (void)
{
  MemlaneRoundRule rule = usual;
  static const double same[] = { 64, 64, 64 }, low[] = { 0, 4, 4 };
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new (), exact = memlane_rounds_new ();
  g_autoptr (MemlaneCell) cell = NULL, one = NULL;

  rule.ticks[MEMLANE_CLOCK_HOST] = 32;
  for (guint round = 1; round <= 6; round++)
    take (rounds, round, same, 3);
  cell = memlane_rounds_merge (rounds, &rule);
  assert_reaches (&get_elapsed (cell)->statistics, 48, 80);

  /* An exact device: one round, whose interval is the tick; it does not go below nothing. */
  rule.is_exact = TRUE;
  take (exact, 1, low, 3);
  one = memlane_rounds_merge (exact, &rule);
  g_assert_cmpint (one->status, ==, MEMLANE_STATUS_OK);
  g_assert_cmpfloat (get_elapsed (one)->statistics.low, ==, 0);
  g_assert_cmpfloat (get_elapsed (one)->statistics.high, ==, 20);
}

/* Rounds that failed in part leave those that worked; a wrong result is the cell's. */
static void
test_failures (void)
{
  static const double samples[] = { 10, 10, 10 };
  g_autoptr (MemlaneRounds) part = memlane_rounds_new (), none = memlane_rounds_new (), wrong = memlane_rounds_new ();
  g_autoptr (MemlaneCell) cell = NULL, failed = NULL, stopped = NULL, mismatch = NULL;

  take_failure (part, 1, MEMLANE_STATUS_ERROR, "cudaMalloc failed");
  g_assert_false (memlane_rounds_is_settled (part));
  take (part, 2, samples, 3);
  take (part, 3, samples, 3);
  take_failure (part, 3, MEMLANE_STATUS_ERROR, "tried again"); /* what worked stays */
  cell = memlane_rounds_merge (part, &usual);
  g_assert_cmpuint (memlane_rounds_count_measured (part), ==, 2);
  g_assert_cmpuint (get_elapsed (cell)->n_rounds, ==, 2);
  g_assert_cmpstr (cell->detail, ==, "round 1: error: cudaMalloc failed");

  take_failure (none, 1, MEMLANE_STATUS_TIMEOUT, "it hung");
  take_failure (none, 2, MEMLANE_STATUS_OUT_OF_MEMORY, "no room");
  g_assert_true (memlane_rounds_is_settled (none));
  failed = memlane_rounds_merge (none, &usual);
  g_assert_cmpint (failed->status, ==, MEMLANE_STATUS_OUT_OF_MEMORY);
  g_assert_cmpstr (failed->detail, ==, "no room");
  take_failure (none, 3, MEMLANE_STATUS_CANCELLED, "stopped by request");
  stopped = memlane_rounds_merge (none, &usual);
  g_assert_cmpint (stopped->status, ==, MEMLANE_STATUS_OUT_OF_MEMORY);

  take (wrong, 1, samples, 3);
  take_failure (wrong, 2, MEMLANE_STATUS_MISMATCH, "c[3] is 1");
  take (wrong, 3, samples, 3);
  g_assert_true (memlane_rounds_is_settled (wrong));
  mismatch = memlane_rounds_merge (wrong, &usual);
  g_assert_cmpint (mismatch->status, ==, MEMLANE_STATUS_MISMATCH);
  g_assert_cmpstr (mismatch->detail, ==, "c[3] is 1");
}

/* Three visits to a round: its value is their mean, its first sample that of its first visit. A visit that failed beside others is not
 * told. */
static void
test_visits (void)
{
  static const double values[][3] = { { 100, 104, 108 }, { 96, 100, 98 }, { 110, 110, 0 } };
  const MemlaneRoundRule rule = { .rounds = 3, .visits = 3, .precision = 0.1 };
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (MemlaneCell) merged = NULL;
  const MemlaneFigure *elapsed, *first, *alloc, *free;

  for (guint pass = 1; pass <= 8; pass++)
    {
      double value = values[(pass - 1) / 3][(pass - 1) % 3];
      g_autoptr (MemlaneCell) cell = make_cell (&value, 1);
      MemlaneStatistics statistics;

      memlane_statistics_compute (&value, 1, &statistics);
      memlane_cell_add_figure (cell, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST, &statistics, 0, MEMLANE_STATUS_OK, NULL);
      memlane_cell_add_figure (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, &statistics, 0, MEMLANE_STATUS_OK, NULL);
      value *= pass % 3 == 1 ? 2 : 1;
      memlane_statistics_compute (&value, 1, &statistics);
      memlane_cell_add_figure (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, &statistics, 0, MEMLANE_STATUS_OK, "warm");
      for (guint i = 0; i < MEMLANE_N_PROBES && pass != 2; i++)
        cell->host.ns[i] = 10 * pass;
      memlane_rounds_take (rounds, pass, 10 + pass, cell);
    }
  take_failure (rounds, 9, MEMLANE_STATUS_ERROR, "a visit");
  merged = memlane_rounds_merge (rounds, &rule);
  elapsed = get_elapsed (merged);
  g_assert_null (merged->detail);
  g_assert_cmpuint (elapsed->n_rounds, ==, 3);
  g_assert_cmpuint (elapsed->statistics.count, ==, 8);
  g_assert_cmpfloat (elapsed->rounds[0].median, ==, 104);
  g_assert_cmpuint (elapsed->rounds[0].place, ==, 11);
  g_assert_cmpuint (elapsed->rounds[1].place, ==, 14);
  g_assert_cmpuint (elapsed->rounds[1].samples, ==, 3);
  g_assert_cmpfloat (elapsed->rounds[1].median, ==, 98);
  g_assert_cmpfloat (elapsed->rounds[2].median, ==, 110);
  g_assert_cmpfloat (elapsed->statistics.median, ==, 104); /* of 98, 101, 104, 104, 107, 110 */
  g_assert_cmpint (elapsed->status, ==, MEMLANE_STATUS_NOISY); /* three rounds hold less than 95 % */
  first = memlane_cell_find (merged, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST);
  g_assert_cmpuint (first->statistics.count, ==, 3);
  g_assert_cmpfloat (first->rounds[1].median, ==, 96);
  alloc = memlane_cell_find (merged, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST);
  g_assert_cmpint (alloc->status, ==, MEMLANE_STATUS_OK); /* its precision is nobody's question */
  g_assert_cmpuint (alloc->n_rounds, ==, 3);
  g_assert_cmpuint (alloc->statistics.count, ==, 5); /* of the later buffers */
  g_assert_cmpuint (alloc->rounds[0].samples, ==, 2);
  g_assert_cmpfloat (alloc->rounds[0].median, ==, 106);
  g_assert_cmpfloat (alloc->rounds[2].median, ==, 110);
  g_assert_null (alloc->detail); /* the first ones took as long */
  free = memlane_cell_find (merged, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST);
  g_assert_cmpfloat (free->statistics.median, ==, alloc->statistics.median);
  g_assert_cmpstr (free->detail, ==, "warm; the first buffers of a process took 1.90 times as long");
  g_assert_cmpfloat (elapsed->rounds[0].host.ns[MEMLANE_PROBE_COPY], ==, 20); /* of the visits that were probed */
  g_assert_cmpfloat (elapsed->rounds[1].host.ns[MEMLANE_PROBE_COPY], ==, 50);
}

/* Rounds in two states are told, with their shares; a slow round alone, and rounds that scatter, are not. */
static void
test_states (void)
{
  static const struct { double values[12]; const char *detail; } cases[] = {
    { { 89e3, 117e3, 90e3, 118e3, 119e3, 117e3, 116e3, 91e3, 117e3, 118e3, 117e3, 116e3 },
      "two states: 90 us in 3 of 12 rounds, 117 us in the others" },
    { { 89e3, 90e3, 91e3, 90e3, 89e3, 92e3, 91e3, 90e3, 89e3, 90e3, 91e3, 140e3 }, NULL },
    { { 80e3, 83e3, 87e3, 90e3, 93e3, 95e3, 98e3, 102e3, 105e3, 108e3, 112e3, 116e3 }, NULL },
    { { 89e3, 91e3, 92e3, 90e3, 88e3, 87e3, 95e3, 96e3, 95e3, 97e3, 96e3, 95e3 }, NULL }, /* less than a tenth apart */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const MemlaneRoundRule rule = { .rounds = 12, .visits = 1, .precision = 0.1 };
      g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
      g_autoptr (MemlaneCell) merged = NULL;

      for (guint round = 1; round <= 12; round++)
        {
          g_autoptr (MemlaneCell) cell = make_cell (&cases[i].values[round - 1], 1);

          memlane_rounds_take (rounds, round, 1, cell);
        }
      merged = memlane_rounds_merge (rounds, &rule);
      g_assert_cmpstr (get_elapsed (merged)->detail, ==, cases[i].detail);
    }
}

static gboolean
read_rule (MemlaneRoundRule *rule, const char *environment)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "cuda:0", "cuda");

  set_environment (run, environment != NULL ? "%s" : NULL, environment);
  return memlane_round_rule_read (rule, run->environment);
}

static void
test_rule (void)
{
  MemlaneRoundRule rule;

  g_assert_false (read_rule (&rule, NULL));
  g_assert_false (read_rule (&rule, "{ \"method\": { \"precision\": 0.02 } }")); /* before there were rounds */
  g_assert_false (read_rule (&rule, "[1]"));
  g_assert_false (read_rule (&rule, "{ \"method\": { \"rounds\": 65 } }"));
  g_assert_true (read_rule (&rule, "{ \"method\": { \"rounds\": 7, \"precision\": 0.05 }, \"device\": { \"exact\": true },"
                                   " \"floors\": { \"device_tick_ns\": 32, \"host_tick_ns\": 0 } }"));
  g_assert_cmpuint (rule.rounds, ==, 7);
  g_assert_cmpuint (rule.visits, ==, 1); /* older runs */
  g_assert_cmpfloat (rule.precision, ==, 0.05);
  g_assert_true (rule.is_exact);
  g_assert_cmpfloat (rule.ticks[MEMLANE_CLOCK_DEVICE], ==, 32);
  g_assert_cmpfloat (rule.ticks[MEMLANE_CLOCK_HOST], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/rounds/six", test_six);
  g_test_add_func ("/result/rounds/count-wraps", test_count_wraps);
  g_test_add_func ("/result/rounds/few", test_few);
  g_test_add_func ("/result/rounds/precision", test_precision);
  g_test_add_func ("/result/rounds/ticks", test_ticks);
  g_test_add_func ("/result/rounds/failures", test_failures);
  g_test_add_func ("/result/rounds/visits", test_visits);
  g_test_add_func ("/result/rounds/states", test_states);
  g_test_add_func ("/result/rounds/rule", test_rule);
  return g_test_run ();
}
