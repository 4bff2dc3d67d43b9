/* test-facts.c: a number that help, manual, documents or README say is the constant of the code
 *
 * SPDX-License-Identifier: MIT
 */
#include <gio/gio.h>
#include <string.h>

#include "base/pieces.h"
#include "base/reader-limits.h"
#include "measure/measure.h"
#include "measure/plan.h"
#include "mode/workload.h"
#include "result/rounds.h"

#define HELP "app/help.txt"
#define MANUAL "data/man/memlane-cli.1"
#define METHOD "data/doc/method.md"
#define README "README.md"
#define CHINESE "data/doc/README.zh_CN.md"

/* Returns the file's words with one blank between two, without roff's requests and escapes. */
static char *
read_words (const char *file)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), file, NULL);
  g_autoptr (GRegex) markup = g_regex_new ("^\\.[A-Z]+ |\\\\", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GRegex) blanks = g_regex_new ("\\s+", 0, 0, NULL);
  g_autofree char *text = NULL, *plain = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  plain = g_regex_replace_literal (markup, text, -1, 0, "", 0, &error);
  g_assert_no_error (error);
  return g_regex_replace_literal (blanks, plain, -1, 0, " ", 0, NULL);
}

static double
parse (const char *word)
{
  static const char *const words[] = { "zero", "once", "twice", "three", "four", "five", "six" };
  g_auto (GStrv) digits = g_strsplit (word, ",", -1);
  g_autofree char *plain = g_strjoinv ("", digits);
  g_autofree char *small = g_ascii_strdown (plain, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (small, words[i]) == 0)
      return i;
  return g_ascii_strtod (plain, NULL);
}

/* Each place in @file that @pattern finds has @value in its group, and there is one. */
static void
expect (const char *file, const char *pattern, double value)
{
  g_autofree char *text = read_words (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, &error);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_no_error (error);
  if (!g_regex_match (regex, text, 0, &match))
    g_test_fail_printf ("%s: nothing is \"%s\"", file, pattern);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *word = g_match_info_fetch (match, 1), *whole = g_match_info_fetch (match, 0);

      if (parse (word) != value)
        g_test_fail_printf ("%s says \"%s\"; the code has %g", file, whole, value);
    }
}

static void
test_pieces (void)
{
  static const char *const files[] = { HELP, MANUAL, METHOD };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      expect (files[i], "vectors above ([0-9]+) MiB", (double) (MEMLANE_PIECES_ABOVE >> 20));
      expect (files[i], "first ([0-9]+) KiB of each", (double) (MEMLANE_PIECE_BYTES >> 10));
      expect (files[i], "first [0-9]+ KiB of each ([0-9]+) KiB", (double) (MEMLANE_PIECE_STRIDE >> 10));
    }
}

static void
test_method (void)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  expect (HELP, "visits every cell ([a-z]+) times", MEMLANE_VISITS);
  expect (HELP, "those from 2\\^([0-9]+) floats on", MEMLANE_LARGE_LOG2);
  expect (HELP, "floats on ([a-z]+), in an order", MEMLANE_LARGE_VISITS);
  expect (MANUAL, "visits a cell ([a-z]+) times", MEMLANE_VISITS);
  expect (MANUAL, "those from 2\\^([0-9]+) floats on", MEMLANE_LARGE_LOG2);
  expect (MANUAL, "floats on ([a-z]+), with new buffers", MEMLANE_LARGE_VISITS);
  expect (METHOD, "In ([a-z]+) passes it visits", MEMLANE_VISITS);
  expect (METHOD, "those from 2\\^([0-9]+) floats on", MEMLANE_LARGE_LOG2);
  expect (MANUAL, "in an order of its own \\(1 to ([0-9]+)", MEMLANE_MOST_ROUNDS);
  expect (MANUAL, "in an order of its own \\(1 to [0-9]+, default: ([0-9]+)\\)", plan->method.rounds);
  expect (METHOD, "There are ([0-9]+) rounds", plan->method.rounds);
  expect (MANUAL, "within this of the estimate \\(default: ([0-9.]+)\\)", plan->method.precision * 100);
  expect (MANUAL, "in all its rounds \\(default: ([0-9.]+)\\)", MEMLANE_USUAL_SECONDS);
  expect (MANUAL, "([A-Za-z]+) rounds are the least", MEMLANE_ROUNDS_FOR_INTERVAL);
  expect (METHOD, "fewer than ([a-z]+) rounds", MEMLANE_ROUNDS_FOR_INTERVAL);
}

static void
test_limits (void)
{
  expect (MANUAL, "([0-9]+) MiB, [0-9,]+ runs", MEMLANE_CSV_MOST_BYTES >> 20);
  expect (MANUAL, "MiB, ([0-9,]+) runs", MEMLANE_CSV_MOST_RUNS);
  expect (MANUAL, "Reuse to ([0-9,]+), ", MEMLANE_CSV_MOST_REUSE);
  expect (MANUAL, "Reuse to [0-9,]+, ([0-9]+) streams", MEMLANE_CSV_MOST_STREAMS);
  expect (MANUAL, "streams, ([0-9,]+) chunks, [0-9]+ rounds", MEMLANE_CSV_MOST_CHUNKS);
  expect (MANUAL, "chunks, ([0-9]+) rounds", MEMLANE_MOST_ROUNDS);
  expect (MANUAL, "A trace ([0-9]+) GiB", MEMLANE_TRACE_MOST_BYTES >> 30);
  expect (MANUAL, "GiB, ([0-9,]+) records", MEMLANE_TRACE_MOST_RECORDS);
}

/* What a plan measures without being asked for modes are those of whole vectors. */
static void
test_modes (void)
{
  static const char *const readmes[] = { README, CHINESE };
  guint n, whole = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    whole += !memlane_mode_is_of_pieces (&modes[i]);
  expect (README, "measures ([0-9]+) modes", n);
  expect (README, "([0-9]+) of them move whole vectors", whole);
  expect (CHINESE, "测量 ([0-9]+) 种模式", n);
  expect (CHINESE, "其中 ([0-9]+) 种搬运整个向量", whole);
  for (guint i = 0; i < G_N_ELEMENTS (readmes); i++)
    expect (readmes[i], "--fail-above ([0-9]+)", 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/facts/pieces", test_pieces);
  g_test_add_func ("/measure/facts/method", test_method);
  g_test_add_func ("/measure/facts/limits", test_limits);
  g_test_add_func ("/measure/facts/modes", test_modes);
  return g_test_run ();
}
