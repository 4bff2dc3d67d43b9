/* test-sentence.c: the engine's messages as sentences: a capital where a word begins, names as they are
 *
 * SPDX-License-Identifier: MIT
 */
#include "model/sentence.h"

static void
test_sentences (void)
{
  static const struct
  {
    const char *message, *sentence;
  } cases[] = {
    { "cannot write /x: No space left on device", "Cannot write /x: No space left on device" },
    { "opening x.csv was stopped", "Opening x.csv was stopped" },
    { "none, but one", "None, but one" },
    { "no", "No" },
    { "über alle", "Über alle" },
    { "ǆep", "Ǆep" },
    { "ßx y", "SSx y" },
    { "Already so", "Already so" },
    { "cuMemAlloc failed", "cuMemAlloc failed" },
    { "simulated:x: there is none", "simulated:x: there is none" },
    { "run.csv:3: column mode", "run.csv:3: column mode" },
    { "/a/b is no file", "/a/b is no file" },
    { "2 cells failed", "2 cells failed" },
    { "没有设备", "没有设备" },
    { "\xff\xfe broken", "\xff\xfe broken" },
    { " blank", " blank" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sentence = memlane_sentence_new (cases[i].message);

      g_assert_cmpstr (sentence, ==, cases[i].sentence);
    }
  g_assert_null (memlane_sentence_new (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sentence/sentences", test_sentences);
  return g_test_run ();
}
