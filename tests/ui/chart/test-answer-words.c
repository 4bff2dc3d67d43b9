/* test-answer-words.c: figures in the sentences of the analysis: sizes, signs, intervals, lists of modes
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/answer-words.h"

#include <math.h>

static void
check_fact (MemlaneFact fact, const char *expected)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (MemlaneFact));
  g_autofree char *format = g_strdup_printf ("{%s}", fact.name), *words = NULL;
  MemlaneAnswer answer = { MEMLANE_ANSWER_BASIS, format, values };

  g_array_append_val (values, fact);
  words = memlane_answer_to_words (&answer);
  g_assert_cmpstr (words, ==, expected);
}

/* A list says how two runs differ, each part with its label; of ids the label alone is shown. */
static void
test_differences (void)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  const char *parts[][4] = { { "rounds", "12 and 3", "1: 2" }, { "device memory", "85017493504", "not recorded" },
                            { "driver", "580", "not recorded" }, { "seed", "7", "8" } };
  MemlaneFact fact = { .name = "ways", .kind = MEMLANE_FACT_LIST, .list = list };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_ptr_array_add (list, parts[i]);
  check_fact (fact, "rounds: 12 and 3 and 1: 2; device memory: 79.2 GiB and not recorded; driver: 580 and not recorded; seed");
}

/* Phases have titles, and sizes are set; what else is text stays as it is. */
static void
test_texts (void)
{
  check_fact ((MemlaneFact){ "phase", MEMLANE_FACT_TEXT, "upload" }, "upload (host to device)");
  check_fact ((MemlaneFact){ "phase", MEMLANE_FACT_TEXT, "lunch" }, "lunch");
  check_fact ((MemlaneFact){ "sizes", MEMLANE_FACT_TEXT, "2^14, 2^15" }, "2¹⁴, 2¹⁵");
  check_fact ((MemlaneFact){ "run", MEMLANE_FACT_TEXT, "my 2^14" }, "my 2^14");
}

static void
check (MemlaneFactKind kind, const char *text, double value, double low, double high, const char *expected)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (MemlaneFact));
  MemlaneFact fact = { "it", kind, (char *) text, { value, low, high } };
  MemlaneAnswer answer = { MEMLANE_ANSWER_BEST, "{it}.", values };
  g_autofree char *words = NULL, *sentence = g_strconcat (expected, ".", NULL);

  g_array_append_val (values, fact);
  words = memlane_answer_to_words (&answer);
  g_assert_cmpstr (words, ==, sentence);
}

static void
test_numbers (void)
{
  static const struct
  {
    MemlaneFactKind kind;
    double value, low, high;
    const char *words;
  } cases[] = {
    { MEMLANE_FACT_NS, 206e3, 202e3, 214e3, "206 µs (202 µs to 214 µs)" },
    { MEMLANE_FACT_NS, 206e3, 206e3, 206e3, "206 µs" },
    { MEMLANE_FACT_NS, -28e3, -31.4e3, -24.6e3, "−28.0 µs (−31.4 µs to −24.6 µs)" }, /* no hyphen, no "us" */
    { MEMLANE_FACT_NS, 1.84e6, -50e3, 3.73e6, "1.84 ms (−50.0 µs to 3.73 ms)" },
    { MEMLANE_FACT_NS, 0, 0, 0, "0 ns" },
    { MEMLANE_FACT_NS, NAN, NAN, NAN, "?" },
    { MEMLANE_FACT_SIZE, 1 << 20, 1 << 20, 1 << 20, "2²⁰" },
    { MEMLANE_FACT_SIZE, 1 << 14, 1 << 13, 1 << 15, "2¹⁴ (2¹³ to 2¹⁵)" },
    { MEMLANE_FACT_SIZE, 7131.5, 6208.4, 8192, "7130 (6210 to 8190)" }, /* never "2^12.8" beside 2¹³ */
    { MEMLANE_FACT_BYTES, 4 << 20, 4 << 20, 4 << 20, "4 MiB" },
    { MEMLANE_FACT_BANDWIDTH, 53.7e9, 50.1e9, INFINITY, "53.7 GB/s (at least 50.1 GB/s)" },
    { MEMLANE_FACT_COUNT, 5.05, 4.58, 5.62, "5.05 (4.58 to 5.62)" },
    { MEMLANE_FACT_COUNT, 5.05, -INFINITY, 5.62, "5.05 (at most 5.62)" },
    { MEMLANE_FACT_COUNT, 5, -INFINITY, INFINITY, "5 (not bounded)" },
    { MEMLANE_FACT_COUNT, -0.5, -0.5, -0.5, "−0.5" },
    { MEMLANE_FACT_PERCENT, 0.02, 0.02, 0.02, "2 %" },
    { MEMLANE_FACT_PERCENT, -0.125, -0.2, 0.1, "−12.5 % (−20 % to 10 %)" },
    { MEMLANE_FACT_FACTOR, 1.5, 1.5, 1.5, "1.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (cases[i].kind, NULL, cases[i].value, cases[i].low, cases[i].high, cases[i].words);
}

static void
test_modes (void)
{
  check (MEMLANE_FACT_MODE, "mapped", 0, 0, 0, "Mapped (zero-copy)");
  check (MEMLANE_FACT_MODES, "pinned, pinned-async, portable", 0, 0, 0, "Pinned, Pinned (async) and Portable");
  check (MEMLANE_FACT_TEXT, "run {x}", 0, 0, 0, "run {x}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer-words/numbers", test_numbers);
  g_test_add_func ("/answer-words/modes", test_modes);
  g_test_add_func ("/answer-words/texts", test_texts);
  g_test_add_func ("/answer-words/differences", test_differences);
  return g_test_run ();
}
