/* test-decide-made.c: which mode wins in runs that decide.txt makes up, where the answer is known
 *
 * SPDX-License-Identifier: MIT
 *
 * A question of decide.txt is a line for each run and each of its cells, and then what is asked:
 *   run ID MACHINE                 its machine; "-": without an environment
 *   environment JSON               of the last run
 *   workload NAME                  of the cells that follow
 *   MODE SIZES REUSE NAME=US ...   cells with these times. Those of a range of sizes hold at 2^18
 *                                  and grow with the size. VALUE:LOW:HIGH is noisy.
 *                                  rounds=1,1.1: elapsed times of rounds, by these factors;
 *                                  lost=rounds: only their number is known.
 *   decide NAME=WORD ...           asks by another count, direction, workload or number of uses
 *   at LOG2 REUSE, forecast MODE LOG2 REUSE, compare MODE MODE LOG2 REUSE, map COLUMN ROW,
 *   notes, crossovers, locking, table, counted NAME
 *   even MODE LOG2 TERMS           after how many uses it has earned its price beside pageable
 *   earn PRICE GAIN                the same of VALUE:LOW:HIGH twice
 */
#include "analysis/decide.h"
#include "engine/cases.h"
#include "engine/made-run.h"

#include <glib/gstdio.h>

#include "base/each.h"

/* MADE stands for a run of six modes: at 2^18 mapped takes 60 us and 50 us a kernel, pinned-async
 * 100 us and 5 us a kernel, pageable 300 us, managed 500 us. */
#define MADE                                                 \
  "run made M\n"                                             \
  "pageable 17:19 1 up=200 kernel=5 down=95 elapsed=300\n"   \
  "pinned-async 17:19 1 up=60 kernel=5 down=30 elapsed=100\n" \
  "mapped 17:19 1 kernel=50 elapsed=60\n"                    \
  "managed 17:19 1 kernel=400 down=80 elapsed=500\n"         \
  "streams-depth-first 17:19 1 elapsed=90\n"                 \
  "device-resident 17:19 1 kernel=4 elapsed=9\n"

typedef struct
{
  GPtrArray *runs;      /* (element-type MemlaneRun) */
  const char *workload; /* of the next cell */
  MemlaneDecision *decision;
  GString *said;
} Story;

static const char *
id_of (int mode)
{
  guint n;

  return mode >= 0 ? memlane_mode_list (&n)[mode].id : "none";
}

static guint
place_of (const char *mode)
{
  guint n;

  return (guint) (memlane_mode_find (mode) - memlane_mode_list (&n));
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Where the time of a word goes, and how many vectors it moves. */
static const struct
{
  const char *name;
  MemlanePhase phase;
  MemlaneClock clock;
  guint vectors;
} times[] = {
  { "up", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, 2 },
  { "kernel", MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE, 3 },
  { "issue", MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE, 0 },
  { "down", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE, 1 },
  { "elapsed", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 3 },
  { "alloc", MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, 0 },
  { "write", MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST, 0 },
  { "read", MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST, 0 },
  { "free", MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, 0 },
};

static void
add_made_time (MemlaneCell *cell, guint k, const char *value, double factor)
{
  g_auto (GStrv) parts = g_strsplit (value, ":", 3);
  double ns[3], us = 1e3 * factor;
  MemlaneStatistics wide;

  for (guint i = 0; parts[i] != NULL; i++)
    ns[i] = g_ascii_strtod (parts[i], NULL) * us;
  if (parts[1] == NULL)
    {
      add_time (cell, times[k].phase, times[k].clock, times[k].vectors * cell->bytes, ns[0]);
      if (g_str_equal (times[k].name, "kernel"))
        add_time (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE, 0, 3e3);
      return;
    }
  wide = (MemlaneStatistics) { 20, ns[0], ns[1], ns[2], ns[1] * 0.75, ns[1], ns[2], ns[2] * 1.1 };
  memlane_cell_add_figure (cell, times[k].phase, times[k].clock, &wide, 0, MEMLANE_STATUS_NOISY, NULL);
}

/* Gives the elapsed time of @cell these rounds, as shares of it. */
static void
add_rounds (MemlaneCell *cell, const char *shares)
{
  MemlaneFigure *figure
    = (MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_auto (GStrv) parts = g_strsplit (shares, ",", -1);
  guint n = g_strv_length (parts);
  g_autofree double *medians = g_new (double, n);

  figure->n_rounds = n;
  figure->rounds = g_new (MemlaneRound, n);
  for (guint k = 0; k < n; k++)
    {
      medians[k] = figure->statistics.median * g_ascii_strtod (parts[k], NULL);
      figure->rounds[k] = (MemlaneRound) { k + 1, 1, 15, medians[k] };
    }
  memlane_statistics_compute (medians, n, &figure->statistics);
}

/* Makes @cell that of a table without NAME.rounds.csv beside it. */
static void
lose_rounds (MemlaneCell *cell)
{
  MemlaneFigure *figure
    = (MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

  g_clear_pointer (&figure->rounds, g_free);
}

static void
set_of_cell (MemlaneCell *cell, const char *name, const char *value, double factor)
{
  const guint number = (guint) g_ascii_strtoull (value, NULL, 10);

  for (guint k = 0; k < G_N_ELEMENTS (times); k++)
    if (g_str_equal (name, times[k].name))
      {
        add_made_time (cell, k, value, factor);
        return;
      }
  if (g_str_equal (name, "rounds"))
    add_rounds (cell, value);
  else if (g_str_equal (name, "lost"))
    lose_rounds (cell);
  else if (g_str_equal (name, "streams"))
    cell->streams = number;
  else if (g_str_equal (name, "chunks"))
    cell->chunks = number;
  else if (g_str_equal (name, "busy"))
    cell->busy = number;
  else if (g_str_equal (name, "beside"))
    g_assert_true (memlane_beside_parse (value, &cell->beside));
  else
    {
      g_assert_cmpstr (name, ==, "error");
      cell->status = MEMLANE_STATUS_ERROR;
      cell->detail = g_strdelimit (g_strdup (value), "_", ' ');
    }
}

static void
add_cells (Story *story, char **words)
{
  MemlaneRun *run = story->runs->pdata[story->runs->len - 1];
  g_auto (GStrv) sizes = g_strsplit (words[1], ":", 2);
  guint first = (guint) g_ascii_strtoull (sizes[0], NULL, 10);
  guint last = sizes[1] != NULL ? (guint) g_ascii_strtoull (sizes[1], NULL, 10) : first;

  for (guint p = first; p <= last; p++)
    {
      MemlaneCell *cell = memlane_cell_new (story->workload, words[0], p);

      cell->reuse = (guint) g_ascii_strtoull (words[2], NULL, 10);
      if (g_str_has_prefix (words[0], "streams"))
        cell->streams = cell->chunks = 8;
      for (char **word = words + 3; *word != NULL; word++)
        {
          g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

          set_of_cell (cell, pair[0], pair[1], last > first ? exp2 ((double) p - 18) : 1);
        }
      g_ptr_array_add (run->cells, cell);
    }
}

/* --- what is asked ------------------------------------------------------------------------------ */

static void
decide (Story *story, char **words)
{
  MemlaneQuestion question = { .workload = NULL };

  for (char **word = words; *word != NULL; word++)
    {
      const char *value = strchr (*word, '=') + 1;

      if (g_str_has_prefix (*word, "workload"))
        question.workload = value;
      else if (g_str_has_prefix (*word, "uses"))
        question.uses = (guint) g_ascii_strtoull (value, NULL, 10);
      else if (g_str_has_prefix (*word, "count"))
        g_assert_true (memlane_count_parse (value, &question.count));
      else
        g_assert_true (memlane_direction_parse (value, &question.direction));
    }
  g_clear_pointer (&story->decision, memlane_decision_unref);
  story->decision = memlane_decision_new (story->runs, &question);
}

/* Takes @answers; every sentence is whole. */
static void
say_answers (GString *said, GPtrArray *answers)
{
  MEMLANE_FOR_EACH (const MemlaneAnswer, answer, answers)
    {
      g_autofree char *sentence = memlane_answer_format (answer, NULL, NULL, NULL);

      g_assert_null (strpbrk (sentence, "{\n"));
      g_string_append_printf (said, "  %s\n", sentence);
    }
  g_ptr_array_unref (answers);
}

static void
say_modes (GString *said, const char *what, guint64 modes)
{
  const char *between = "";

  g_string_append (said, what);
  for (int i = 0; modes != 0; i++, modes >>= 1)
    if ((modes & 1) != 0)
      {
        g_string_append_printf (said, "%s %s", between, id_of (i));
        between = ",";
      }
}

static void
say_choice (GString *said, const MemlaneChoice *choice)
{
  if (choice == NULL)
    {
      g_string_append (said, "no place of the map\n");
      return;
    }
  g_string_append_printf (said, "%s, fastest %s, rival %s: cost %.4g, regret %.3g%s%s",
                          id_of (choice->choice), id_of (choice->fastest), id_of (choice->rival),
                          choice->cost, choice->regret, choice->open ? ", open" : "",
                          choice->alike ? ", alike" : "");
  say_modes (said, "; ties", choice->ties);
  say_modes (said, "; contest", choice->contest);
  g_string_append_c (said, '\n');
}

static void
say_place (Story *story, double log2_elements, guint reuse)
{
  MemlaneChoice choice;
  MemlaneSweepAdvice advice;

  if (memlane_decision_judge (story->decision, log2_elements, reuse, &choice))
    say_choice (story->said, &choice);
  say_answers (story->said, memlane_decision_recommend (story->decision, log2_elements, reuse));
  if (memlane_decision_advise (story->decision, log2_elements, reuse, &advice))
    {
      g_autofree char *command = memlane_sweep_advice_to_command (story->decision, &advice);

      g_string_append_printf (story->said, "  settled by %s\n", command);
    }
}

static MemlaneForecast
forecast (const Story *story, const char *mode, double log2_elements, guint reuse)
{
  MemlaneForecast forecast;

  memlane_decision_forecast (story->decision, place_of (mode), log2_elements, reuse, &forecast);
  return forecast;
}

static void
say_forecast (GString *said, const MemlaneForecast *forecast)
{
  static const char *const bases[] = { "nothing is told", "measured", "between two", "computed", "bounded" };

  g_string_append (said, bases[forecast->basis]);
  if (forecast->basis != MEMLANE_BASIS_NONE)
    g_string_append_printf (said, " %.6g us (%.6g to %.6g)", forecast->ns.value / 1e3,
                            forecast->ns.low / 1e3, forecast->ns.high / 1e3);
  if (forecast->basis == MEMLANE_BASIS_BETWEEN)
    g_string_append_printf (said, ", of reuse %u and %u", forecast->r0, forecast->r1);
  g_string_append_c (said, '\n');
}

/* The map as a file. */
static void
say_table (Story *story)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-decide-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "map.csv", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (memlane_decision_write_map (story->decision, path, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_string_append (story->said, text);
  g_unlink (path);
  g_rmdir (folder);
  g_assert_false (memlane_decision_write_map (story->decision, path, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
}

/* The total times of the first run by the count @name. */
static void
say_counted (Story *story, const char *name)
{
  MemlaneCount count;
  guint lacking;
  g_autoptr (MemlaneRun) counted = NULL;

  g_assert_true (memlane_count_parse (name, &count));
  counted = memlane_run_count (story->runs->pdata[0], count, 1, &lacking);
  g_string_append_printf (story->said, "%u cells lack their times;", lacking);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, counted->cells)
    {
      const MemlaneFigure *elapsed
        = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

      if (elapsed != NULL)
        g_string_append_printf (story->said, " %s %g us;", cell->mode, elapsed->statistics.median / 1e3);
    }
  g_string_append_c (story->said, '\n');
}

/* --- break-even --------------------------------------------------------------------------------- */

static void
say_break_even (GString *said, const MemlaneBreakEven *even)
{
  static const char *const verdicts[] = { "at once", "after", "until", "never", "untold", "no data" };

  G_STATIC_ASSERT (G_N_ELEMENTS (verdicts) == MEMLANE_N_BREAK_EVEN_VERDICTS);
  g_string_append (said, verdicts[even->verdict]);
  if (memlane_estimate_is_known (&even->count))
    g_string_append_printf (said, " %.5g (%.5g to %.5g)", even->count.value, even->count.low,
                            even->count.high);
  if (memlane_estimate_is_known (&even->price_ns))
    g_string_append_printf (said, ", price %g (%g to %g)", even->price_ns.value, even->price_ns.low,
                            even->price_ns.high);
  g_string_append_c (said, '\n');
}

static MemlaneEstimate
read_estimate (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 3);

  if (parts[1] == NULL)
    return MEMLANE_ESTIMATE_UNKNOWN;
  return (MemlaneEstimate) { g_ascii_strtod (parts[0], NULL), g_ascii_strtod (parts[1], NULL),
                             g_ascii_strtod (parts[2], NULL) };
}

static void
earn (GString *said, char **words)
{
  MemlaneEstimate price = read_estimate (words[1]), gain = read_estimate (words[2]);
  MemlaneBreakEven even = { .price_ns = MEMLANE_ESTIMATE_UNKNOWN };

  memlane_break_even_compute (&price, &gain, &even);
  even.price_ns = MEMLANE_ESTIMATE_UNKNOWN;
  say_break_even (said, &even);
}

static void
say_even (Story *story, char **words)
{
  static const char *const terms[] = { "first", "new", "pooled" };
  MemlaneBreakEven even;

  for (guint i = 0; i < G_N_ELEMENTS (terms); i++)
    if (g_str_equal (words[3], terms[i]))
      {
        memlane_break_even_pinning (story->runs->pdata[0], "vector-add", "pageable", words[1],
                                    g_ascii_strtod (words[2], NULL), (MemlanePinning) i, &even);
        say_break_even (story->said, &even);
      }
}

static void
answer_line (Story *story, char **words)
{
  GString *said = story->said;
  guint n = g_strv_length (words);
  double size = n > 2 ? g_ascii_strtod (words[n - 2], NULL) : 0;
  guint reuse = n > 2 ? (guint) g_ascii_strtoull (words[n - 1], NULL, 10) : 0;

  if (g_str_equal (words[0], "earn"))
    {
      earn (said, words);
      return;
    }
  if (story->decision == NULL && !g_str_equal (words[0], "decide"))
    decide (story, words + n);
  if (g_str_equal (words[0], "decide"))
    decide (story, words + 1);
  else if (g_str_equal (words[0], "at"))
    say_place (story, size, reuse);
  else if (g_str_equal (words[0], "map"))
    say_choice (said, memlane_decision_get (story->decision, (guint) size, reuse));
  else if (g_str_equal (words[0], "forecast"))
    {
      MemlaneForecast told = forecast (story, words[1], size, reuse);

      say_forecast (said, &told);
    }
  else if (g_str_equal (words[0], "compare"))
    {
      MemlaneForecast one = forecast (story, words[1], size, reuse);
      MemlaneForecast other = forecast (story, words[2], size, reuse);
      MemlaneEstimate beyond = memlane_decision_compare (&one, &other);

      g_string_append_printf (said, "%.4g (%.4g to %.4g) beyond\n", beyond.value, beyond.low, beyond.high);
    }
  else if (g_str_equal (words[0], "notes"))
    {
      const GPtrArray *others = story->decision->by_background;

      g_string_append_printf (said, "%s, %s, %s, %u sizes, %u rows, %u other backgrounds%s\n",
                              story->decision->workload,
                              memlane_direction_name (story->decision->direction),
                              memlane_count_name (story->decision->count), story->decision->n_sizes,
                              story->decision->n_rows, others != NULL ? others->len : 0,
                              story->decision->one_process ? ", of one process" : "");
      say_answers (said, g_ptr_array_ref (story->decision->notes));
    }
  else if (g_str_equal (words[0], "even"))
    say_even (story, words);
  else if (g_str_equal (words[0], "table"))
    say_table (story);
  else if (g_str_equal (words[0], "counted"))
    say_counted (story, words[1]);
  else if (g_str_equal (words[0], "crossovers"))
    say_answers (said, memlane_decision_describe_crossovers (story->decision));
  else
    {
      g_assert_cmpstr (words[0], ==, "locking");
      say_answers (said, memlane_decision_describe_locking (story->decision));
    }
}

static char *
answer_story (const char *asked)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) text = g_string_new (asked), said = g_string_new (NULL);
  Story story = { .runs = runs, .workload = "vector-add", .said = said };
  g_auto (GStrv) lines = NULL;

  g_string_replace (text, "MADE\n", MADE, 0);
  lines = g_strsplit (g_strchomp (text->str), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      if (g_str_equal (words[0], "run"))
        g_ptr_array_add (runs, made_run (words[1], *words[2] != '-' ? words[2] : ""));
      else if (g_str_equal (words[0], "environment"))
        set_environment (runs->pdata[runs->len - 1], "%s", lines[i] + strlen ("environment "));
      else if (g_str_equal (words[0], "workload"))
        story.workload = g_intern_string (words[1]);
      else if (memlane_mode_find (words[0]) != NULL)
        add_cells (&story, words);
      else
        answer_line (&story, words);
    }
  g_clear_pointer (&story.decision, memlane_decision_unref);
  return g_strdup (g_strchomp (said->str));
}

static void
test_stories (void)
{
  check_cases ("analysis", "decide.txt", answer_story);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decide/made", test_stories);
  return g_test_run ();
}
