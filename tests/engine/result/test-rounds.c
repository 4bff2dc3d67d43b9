/* test-rounds.c: one cell from its visits: middles, intervals, ticks, rounds that failed
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "engine/cases.h"
#include "result/rounds.h"
#include "engine/set-environment.h"
#include "result/statistics.h"

static const struct
{
  const char *name;
  MemlanePhase phase;
} phases[] = {
  { "elapsed", MEMLANE_PHASE_ELAPSED }, { "first", MEMLANE_PHASE_FIRST },
  { "alloc", MEMLANE_PHASE_ALLOC },     { "free", MEMLANE_PHASE_FREE },
};

static void
set_rule (MemlaneRoundRule *rule, const char *name, double value)
{
  if (g_str_equal (name, "rounds"))
    rule->rounds = (guint) value;
  else if (g_str_equal (name, "visits"))
    rule->visits = (guint) value;
  else if (g_str_equal (name, "exact"))
    rule->is_exact = value > 0;
  else if (g_str_equal (name, "tick"))
    rule->ticks[MEMLANE_CLOCK_HOST] = value;
  else
    rule->precision = value;
}

/* Gives @cell the samples @list of a phase, behind a colon with a detail. */
static void
add_samples (MemlaneCell *cell, MemlanePhase phase, const char *list)
{
  g_auto (GStrv) parts = g_strsplit (list, ":", 2), words = g_strsplit (parts[0], ",", -1);
  guint n = g_strv_length (words);
  g_autofree double *samples = g_new (double, n);
  MemlaneStatistics statistics;

  for (guint i = 0; i < n; i++)
    samples[i] = g_ascii_strtod (words[i], NULL);
  memlane_statistics_compute (samples, n, &statistics);
  memlane_cell_add_figure (cell, phase, MEMLANE_CLOCK_HOST, &statistics, 12288, MEMLANE_STATUS_OK,
                           parts[1])->samples = g_steal_pointer (&samples);
}

/* A visit: "PASS NAME=VALUE ...". Those that failed have a status, and behind a colon a detail. */
static void
take_visit (MemlaneRounds *rounds, char **words)
{
  g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "pinned", 10);
  guint pass = (guint) g_ascii_strtoull (words[0], NULL, 10);

  for (char **word = words + 1; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      g_strdelimit (pair[1], "_", ' ');
      for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
        if (g_str_equal (pair[0], phases[i].name))
          add_samples (cell, phases[i].phase, pair[1]);
      for (guint i = 0; g_str_equal (pair[0], "host") && i < MEMLANE_N_PROBES; i++)
        cell->host.ns[i] = g_ascii_strtod (pair[1], NULL);
      for (guint i = 0; i < MEMLANE_N_STATUSES; i++)
        if (g_str_equal (pair[0], memlane_status_name ((MemlaneStatus) i)))
          {
            cell->status = (MemlaneStatus) i;
            cell->detail = g_strdup (pair[1]);
          }
    }
  memlane_rounds_take (rounds, pass, 10 * pass, cell);
}

static void
say_figure (GString *said, const MemlaneFigure *figure)
{
  const MemlaneStatistics *s = &figure->statistics;

  g_string_append_printf (said, "\n%s: %s, %g from %g to %g, of %u samples %g %g %g %g",
                          memlane_phase_name (figure->phase), memlane_status_name (figure->status),
                          s->median, s->low, s->high, s->count, s->min, s->q1, s->q3, s->max);
  if (figure->detail != NULL)
    g_string_append_printf (said, "; %s", figure->detail);
  for (guint i = 0; i < figure->n_rounds; i++)
    g_string_append_printf (said, "%s%u at %u: %g of %u, host %g", i > 0 ? "; " : "\n  rounds: ",
                            figure->rounds[i].round, figure->rounds[i].place,
                            figure->rounds[i].median, figure->rounds[i].samples,
                            figure->rounds[i].host.ns[MEMLANE_PROBE_COPY]);
  g_string_append (said, figure->samples != NULL ? "\n  samples:" : "");
  for (guint i = 0; figure->samples != NULL && i < s->count; i++)
    g_string_append_printf (said, " %g", figure->samples[i]);
}

/* "merge": the cell of the visits so far. */
static void
say_merged (GString *said, const MemlaneRounds *rounds, const MemlaneRoundRule *rule)
{
  g_autoptr (MemlaneCell) cell = memlane_rounds_merge (rounds, rule);

  g_string_append_printf (said, "%s%s of %u visits%s", said->len > 0 ? "\n" : "",
                          memlane_status_name (cell->status), memlane_rounds_count_measured (rounds),
                          memlane_rounds_is_settled (rounds) ? ", settled" : "");
  if (cell->detail != NULL)
    g_string_append_printf (said, ": %s", cell->detail);
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    say_figure (said, figure);
}

static char *
answer_visits (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (GString) said = g_string_new (NULL);
  MemlaneRoundRule rule = { .rounds = 6, .visits = 1, .precision = 0.1 };

  for (guint i = 0; *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      if (g_str_equal (words[0], "merge"))
        say_merged (said, rounds, &rule);
      else if (!g_str_equal (words[0], "rule"))
        take_visit (rounds, words);
      else
        for (char **word = words + 1; *word != NULL; word++)
          {
            g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

            set_rule (&rule, pair[0], g_ascii_strtod (pair[1], NULL));
          }
    }
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
test_visits (void)
{
  check_cases ("result", "rounds.txt", answer_visits);
}

/* A count that would make the sum of all rounds wrap: the samples are not joined, and none is written beyond what was allocated. */
static void
test_count_wraps (void)
{
  const MemlaneRoundRule rule = { .rounds = 6, .visits = 1, .precision = 0.1 };
  g_autoptr (MemlaneRounds) rounds = memlane_rounds_new ();
  g_autoptr (MemlaneCell) cell = NULL;

  for (guint round = 1; round <= 2; round++)
    {
      g_autoptr (MemlaneCell) visit = memlane_cell_new ("vector-add", "pinned", 10);
      MemlaneStatistics statistics = { .count = round == 1 ? 1000 : 4294966298u }; /* 2^32 - 998 */

      memlane_cell_add_figure (visit, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 0,
                               MEMLANE_STATUS_OK, NULL)->samples = round == 1 ? g_new0 (double, 1000) : NULL;
      memlane_rounds_take (rounds, round, 1, visit);
    }
  cell = memlane_rounds_merge (rounds, &rule);
  g_assert_null (((MemlaneFigure *) cell->figures->pdata[0])->samples);
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
  g_test_add_func ("/result/rounds/count-wraps", test_count_wraps);
  g_test_add_func ("/result/rounds/visits", test_visits);
  g_test_add_func ("/result/rounds/rule", test_rule);
  return g_test_run ();
}
