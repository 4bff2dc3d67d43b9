/* test-history.c: intervals for other sweeps from this machine's own earlier ones: enough of them,
 * of another driver, edited, too many
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "analysis/history.h"
#include "engine/set-environment.h"
#include "result/csv.h"
#include "result/rounds.h"
#include "result/statistics.h"

#define ROUNDS 12
#define CELLS 20

static char *state;

/* The tests vary these: of a sweep, and of its environment. */
typedef struct
{
  const char *uuid, *driver, *boot, *slot;
  guint visits;
  double drift; /* standard deviation of the logarithm of a cell's time from sweep to sweep */
  double pair;  /* ns of two readings of the clock: how slow the host is, which times follow */
  double swing; /* 1.1: other rounds find the host 1.1 times as slow, and as fast */
  double noise; /* share by which the rounds of mapped memory differ */
} Machine;

static const Machine usual
  = { "GPU-1", "580.1", "boot-1", "0000:1b:00.0", 3, 0.01, 40, 1.05, 0.001 };

/* Sweep @number of @machine, whose name has @day: the same numbers give the same sweep. */
static MemlaneRun *
make_sweep (const Machine *machine, guint number, const char *day)
{
  g_autofree char *id = g_strdup_printf ("%sT%06u-cuda-0-vector-add", day, number);
  g_autoptr (GRand) random = g_rand_new_with_seed (number * 7919 + 1);
  MemlaneRun *run = memlane_run_new (id, "cuda:0", "cuda");

  set_environment (run,
                   "{\"device\":{\"id\":\"cuda:0\",\"kind\":\"cuda\",\"name\":\"H\",\"uuid\":\"%"
                   "s\",\"driver\":\"%s\","
                   "\"pci_bus_id\":\"%s\"},"
                   "\"host\":{\"boot_id\":\"%s\"},\"method\":{\"visits\":%u,\"rounds\":12},"
                   "\"rounds\":[{\"round\":1,\"host_best_ns\":[%g,1,1],\"host_usual_ns\":[%g,1,1]},"
                   "{\"round\":2,\"host_best_ns\":[%g,1,1],\"host_usual_ns\":[%g,1,1]},"
                   "{\"round\":3,\"host_best_ns\":[%g,1,1],\"host_usual_ns\":[%g,1,1]}]}",
                   machine->uuid, machine->driver, machine->slot, machine->boot, machine->visits,
                   machine->pair, machine->pair, machine->pair, machine->pair / machine->swing,
                   machine->pair, machine->pair * machine->swing);
  for (guint i = 0; i < CELLS; i++)
    {
      MemlaneCell *cell = memlane_cell_new ("vector-add", i % 2 ? "pinned" : "mapped", 10 + i / 2);
      double time = 1e4 * (i + 1)
                    * exp (machine->drift * (g_rand_double (random) - 0.5) * sqrt (12)),
             values[ROUNDS];
      double slope = memlane_host_slope (MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      MemlaneEstimate middle;
      MemlaneStatistics statistics = { .count = ROUNDS, .interval = MEMLANE_INTERVAL_OTHER_SWEEPS };
      MemlaneFigure *figure;

      time *= pow (machine->pair / usual.pair, slope);
      for (guint k = 0; k < ROUNDS; k++)
        values[k] = memlane_tenths (
            time * (1 + (i % 2 ? 0.001 : machine->noise) * g_rand_double (random)));
      middle = memlane_find_middle (values, ROUNDS, MEMLANE_LEVEL_OF_ROUNDS);
      statistics.median = middle.value;
      statistics.low = statistics.min = statistics.q1 = 0.9 * time;
      statistics.high = statistics.max = statistics.q3 = 1.1 * time;
      figure = memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST,
                                        &statistics, 0, MEMLANE_STATUS_OK, NULL);
      figure->n_rounds = ROUNDS;
      figure->rounds = g_new0 (MemlaneRound, ROUNDS);
      for (guint k = 0; k < ROUNDS; k++)
        figure->rounds[k] = (MemlaneRound) { k + 1, 1, 1, values[k], { { 0 } } };
      g_ptr_array_add (run->cells, cell);
    }
  return run;
}

static void
keep (const Machine *machine, guint first, guint n, const char *day)
{
  for (guint i = first; i < first + n; i++)
    {
      g_autoptr (MemlaneRun) run = make_sweep (machine, i, day);

      memlane_history_keep (run);
    }
}

static void
clear (void)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", state);

  g_assert_cmpint (system (command), ==, 0);
}

/* The mean of the half-widths in logarithms. */
static double
get_width (const MemlaneRun *run)
{
  double sum = 0;

  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneEstimate estimate = memlane_estimate_of (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                      MEMLANE_CLOCK_HOST);

      sum += memlane_estimate_half_log (&estimate) / run->cells->len;
    }
  return sum;
}

/* Applies the history to sweep @number of @machine. Returns its width; *@n: the earlier sweeps that
 * it says it had. */
static double
apply (const Machine *machine, guint number, guint *n, gboolean *grew)
{
  g_autoptr (MemlaneRun) run = make_sweep (machine, number, "20261125");
  gboolean applied = memlane_history_apply (run);

  *n = (guint) memlane_environment_get_number (run->environment,
                                               MEMLANE_ENVIRONMENT_HISTORY_SWEEPS);
  *grew = memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_HISTORY_GREW);
  g_assert_cmpint (applied, ==, *n >= MEMLANE_HISTORY_LEAST);
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneFigure *figure = memlane_cell_find (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                       MEMLANE_CLOCK_HOST);

      g_assert_cmpuint (figure->n_rounds, ==, ROUNDS);
      g_assert_nonnull (figure->rounds);
      g_assert_cmpint (figure->statistics.interval, ==, MEMLANE_INTERVAL_OTHER_SWEEPS);
    }
  return get_width (run);
}

/* Counts the cells of @run whose interval contains the estimate of @next. */
static guint
count_held (const MemlaneRun *run, const MemlaneRun *next)
{
  guint n = 0;

  for (guint i = 0; i < CELLS; i++)
    {
      MemlaneEstimate here = memlane_estimate_of (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                  MEMLANE_CLOCK_HOST);
      MemlaneEstimate there = memlane_estimate_of (next->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                   MEMLANE_CLOCK_HOST);

      n += here.low <= there.value && there.value <= here.high;
    }
  return n;
}

/* Two are too few; three narrow what foreign machines made wide, and hold the next sweep. */
static void
test_enough (void)
{
  g_autoptr (MemlaneRun) next = make_sweep (&usual, 99, "20261126"),
                         run = make_sweep (&usual, 50, "20261125");
  guint n;
  gboolean grew;

  clear ();
  keep (&usual, 1, 2, "20261120");
  g_assert_cmpfloat (fabs (apply (&usual, 50, &n, &grew) - log (1.1 / 0.9) / 2), <, 1e-3);
  g_assert_cmpuint (n, ==, 2);
  keep (&usual, 3, 1, "20261120");
  g_assert_cmpfloat (apply (&usual, 50, &n, &grew), <, 0.08);
  g_assert_cmpfloat (apply (&usual, 50, &n, &grew), >, 0.01);
  g_assert_cmpuint (n, ==, 3);
  g_assert_false (grew);
  g_assert_true (memlane_history_apply (run));
  g_assert_cmpuint (count_held (run, next), >=, CELLS - 1);
  /* Its own copy is no earlier sweep. */
  memlane_history_keep (run);
  g_assert_cmpfloat (apply (&usual, 50, &n, &grew), >, 0);
  g_assert_cmpuint (n, ==, 3);
}

/* A sweep far from its earlier ones: its intervals reach from its own estimates to where those lie,
 * and hold the next one. */
static void
test_middle (void)
{
  Machine slow = usual;
  g_autoptr (MemlaneRun) run = make_sweep (&slow, 50, "20261125"),
                         next = make_sweep (&usual, 99, "20261126");

  clear ();
  keep (&usual, 1, 5, "20261120");
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      MemlaneFigure *figure = (MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                                   MEMLANE_CLOCK_HOST);

      figure->statistics.median *= 1.5;
      figure->statistics.high *= 1.5;
      for (guint i = 0; i < figure->n_rounds; i++)
        figure->rounds[i].median *= 1.5;
    }
  g_assert_true (memlane_history_apply (run));
  for (guint i = 0; i < CELLS; i++)
    {
      const MemlaneFigure *figure = memlane_cell_find (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                       MEMLANE_CLOCK_HOST);
      MemlaneEstimate there = memlane_estimate_of (next->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                   MEMLANE_CLOCK_HOST);

      g_assert_cmpfloat (figure->statistics.low, <=, there.value);
      g_assert_cmpfloat (figure->statistics.high, >=, figure->statistics.median);
      g_assert_cmpfloat (figure->statistics.high / figure->statistics.median, <,
                         figure->statistics.median / figure->statistics.low);
    }
}

/* All known sweeps found the host in one state, the next one finds it an eighth faster, as some of
 * their rounds did: it is held. Where all rounds found one state, intervals are narrower. */
static void
test_hosts (void)
{
  Machine swings = usual, fast = usual, steady = usual;
  g_autoptr (MemlaneRun) run = NULL, next = NULL;
  guint n;
  gboolean grew;
  double wide;

  swings.swing = 1.15;
  fast.pair = 35;
  steady.swing = 1;
  run = make_sweep (&swings, 50, "20261125");
  next = make_sweep (&fast, 99, "20261126");
  clear ();
  keep (&swings, 1, 4, "20261120");
  wide = apply (&swings, 50, &n, &grew);
  g_assert_true (memlane_history_apply (run));
  g_assert_cmpuint (count_held (run, next), >=, CELLS - 1);
  clear ();
  keep (&steady, 1, 4, "20261120");
  g_assert_cmpfloat (apply (&steady, 50, &n, &grew), <, 0.7 * wide);
}

/* Cells whose rounds differ more get wider intervals, though their sweeps drift alike. */
static void
test_rounds (void)
{
  Machine noisy = usual;
  g_autoptr (MemlaneRun) run = NULL;
  double widths[2] = { 0 };

  noisy.noise = 0.1;
  run = make_sweep (&noisy, 50, "20261125");
  clear ();
  keep (&noisy, 1, 4, "20261120");
  g_assert_true (memlane_history_apply (run));
  for (guint i = 0; i < CELLS; i++)
    {
      MemlaneEstimate estimate = memlane_estimate_of (run->cells->pdata[i], MEMLANE_PHASE_ELAPSED,
                                                      MEMLANE_CLOCK_HOST);

      widths[i % 2] += memlane_estimate_half_log (&estimate);
    }
  g_assert_cmpfloat (widths[0], >, 1.2 * widths[1]);
}

/* Another GPU, driver, method or slot is another machine; another boot is not. */
static void
test_other_machines (void)
{
  Machine others[] = { usual, usual, usual, usual, usual };
  guint n;
  gboolean grew;

  others[0].uuid = "GPU-2";
  others[1].driver = "570.1";
  others[2].visits = 1;
  others[3].boot = "boot-2";
  others[4].slot = "0000:3b:00.0";
  clear ();
  keep (&usual, 1, 4, "20261120");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      apply (&others[i], 50, &n, &grew);
      g_assert_cmpuint (n, ==, i == 3 ? 4 : 0);
    }
}

/* A machine whose drift has grown is given wider intervals, and it says so. */
static void
test_growth (void)
{
  Machine shaken = usual;
  gboolean grew;
  double calm;
  guint n;

  shaken.drift = 0.1;
  clear ();
  keep (&usual, 1, 4, "20261120");
  calm = apply (&usual, 50, &n, &grew);
  g_assert_false (grew);
  g_assert_cmpfloat (apply (&shaken, 50, &n, &grew), >, 2 * calm);
  g_assert_true (grew);
}

/* Only the newest are kept and read, whatever stands in the folder: ten thousand names, edited
 * files, dates to come. */
static void
test_hostile (void)
{
  g_autofree char *folder = g_build_filename (state, "memlane", "history", "GPU-1", NULL),
                  *text = NULL, *edited = NULL;
  g_autoptr (GDir) left = NULL;
  guint n, files = 0;
  gboolean grew;

  clear ();
  keep (&usual, 1, 4, "20261120");
  keep (&usual, 5, 1, "20990101"); /* by a clock that went back since */
  apply (&usual, 50, &n, &grew);
  g_assert_cmpuint (n, ==, 5);
  edited = g_build_filename (folder, "20261120T000002-cuda-0-vector-add.csv", NULL);
  g_assert_true (g_file_get_contents (edited, &text, NULL, NULL));
  text[strlen (text) / 2] = ';';
  g_assert_true (g_file_set_contents (edited, text, -1, NULL));
  apply (&usual, 50, &n, &grew);
  g_assert_cmpuint (n, ==, 4);
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/19990101T%06u.csv", folder, i);

      g_assert_true (g_file_set_contents (name, "", 0, NULL));
    }
  apply (&usual, 50, &n, &grew);
  g_assert_cmpuint (n, ==, 4);
  keep (&usual, 6, 1, "20261121");
  left = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (left) != NULL)
    files++;
  g_assert_cmpuint (files, <=, 2 * MEMLANE_HISTORY_MOST);
}

/* Writes the first of the sweeps @paths to the last one, with what those between say of it: for
 * tests/gpu/test-judge.py. */
static int
apply_recorded (char **paths, guint n)
{
  g_autoptr (GPtrArray) runs = memlane_csv_read (paths[0], NULL, NULL);

  for (guint i = 1; i < n - 1; i++)
    {
      g_autoptr (GPtrArray) earlier = memlane_csv_read (paths[i], NULL, NULL);

      memlane_history_keep (earlier->pdata[0]);
    }
  g_assert_true (memlane_history_apply (runs->pdata[0]));
  g_assert_true (memlane_csv_write (runs->pdata[0], paths[n - 1], NULL));
  return 0;
}

int
main (int argc, char **argv)
{
  int status;

  state = g_dir_make_tmp ("memlane-history-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE); /* before GLib caches it */
  if (argc > 3 && argv[1][0] != '-')
    return apply_recorded (argv + 1, argc - 1);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/enough", test_enough);
  g_test_add_func ("/history/middle", test_middle);
  g_test_add_func ("/history/other-machines", test_other_machines);
  g_test_add_func ("/history/hosts", test_hosts);
  g_test_add_func ("/history/rounds", test_rounds);
  g_test_add_func ("/history/growth", test_growth);
  g_test_add_func ("/history/hostile", test_hostile);
  status = g_test_run ();
  clear ();
  g_free (state);
  return status;
}
