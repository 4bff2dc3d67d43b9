/* test-experiments.c: every experiment runs on the simulated H200, and its verdicts are these, as they were on a real one
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "run-experiment.h"

static char *
path_of (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".experiment", NULL);

  return g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "experiments", file, NULL);
}

/* Most of the time goes into moving bytes: vectors of 2^23 floats and more become some of 2^22. */
static MemlaneExperimentResult *
run (const char *name)
{
  g_autoptr (GRegex) large = g_regex_new ("(?<=[@:]|size=)2[346]\\b", 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = NULL;
  g_autofree char *path = path_of (name), *text = NULL, *small = NULL;
  MemlaneExperimentResult *result;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  small = g_regex_replace_literal (large, text, -1, 0, "22", 0, NULL);
  experiment = memlane_experiment_parse (small, strlen (small), path, "C", &error);
  g_assert_no_error (error);
  experiment->name = g_strdup (name);
  experiment->path = g_strdup (path);
  result = run_experiment (experiment, "simulated:h200", NULL, &error);
  g_assert_no_error (error);
  return result;
}

/* Of each experiment every check's verdict, in the file's order: h holds, n does not hold, ? cannot be told. */
static const struct
{
  const char *name;
  char verdict;
  const char *checks;
} expected[] = {
  { "pageable-copy", 'h', "hhhnnhh" },
  { "pinned-copy", 'h', "hhnhhhhhnnhh" },
  { "device-query", 'h', "hhhhhhh" },
  { "pinned-to-kernel", 'h', "hhhhh" },
  { "zero-copy", 'n', "nhnhhnhnh" },
  { "one-address", 'h', "hhhh" },
  { "managed", 'h', "hhhhhhhhnhhhh" },
  { "round-trips", 'h', "hhhhhhhn" },
  { "host-flags", 'n', "hnnhh" },
  { "returns-early", 'n', "hhhnnhhhh??" },
  { "copies-beside-kernels", 'h', "hhhnhnhhh" },
  { "kernels-beside-kernels", 'h', "hhhn" },
  { "serialisers", 'n', "hnnhhhnnhh" },
  { "waiting", 'h', "hhhhhhhhhh" },
  { "callbacks", 'n', "hhhhnh" },
  { "priorities", 'h', "hhh" },
  { "zero-copy-steps", 'h', "hnhhhnnhhhnhnhhn" },
  { "errors-on-purpose", 'h', "hhhnhnhhhh" },
  { "method", 'n', "nhhh?h" },
  { "myth-prefetch", 'n', "nnnhhhh" },
  { "myth-pinning", 'n', "nnhhhh" },
  { "myth-write-combined", 'n', "nnhnn" },
  { "page-locking", 'n', "nn" },
  { "small-pieces", 'n', "hnnnh" },
  { "more-than-fits", '?', "???????" }, /* simulated devices do not model it */
  { "behind", 'h', "hhnnnnh" },
  { "busy-pieces", 'n', "hnhh" },
  { "pin-limit", 'h', "hhh" },
};

/* --- against the recorded H200 ---------------------------------------------------------------------------------------------- */

/* The recorded verdict on @check, or on the main claim for NULL; N_VERDICTS: it is younger than the recording. */
static MemlaneVerdict
recorded_verdict (const char *const *lines, const char *name, const char *check)
{
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      /* experiment, device, device_kind, step, name, kind, four numbers, word; only what follows is ever quoted */
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", 13);

      g_assert_cmpuint (g_strv_length (fields), >=, 12);
      g_assert_cmpstr (fields[0], ==, name);
      g_assert_cmpstr (fields[2], ==, "cuda");
      if (strcmp (fields[5], "verdict") != 0 || strcmp (fields[3], check != NULL ? "check" : "") != 0
          || strcmp (fields[4], check != NULL ? check : "") != 0)
        continue;
      for (guint v = 0; v < MEMLANE_N_VERDICTS; v++)
        if (strcmp (fields[10], memlane_verdict_name ((MemlaneVerdict) v)) == 0)
          return (MemlaneVerdict) v;
      g_error ("%s: %s: unknown verdict %s", name, check, fields[10]);
    }
  return MEMLANE_N_VERDICTS;
}

/* How many checks were recorded. */
static guint
count_recorded (const char *const *lines)
{
  guint n = 0;

  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", 7);

      n += strcmp (fields[3], "check") == 0 && strcmp (fields[5], "verdict") == 0;
    }
  return n;
}

/* Where the recorded H200 could tell, the simulated one tells nothing else. */
static void
compare_verdict (const char *name, const MemlaneCheckResult *check, MemlaneVerdict recorded)
{
  if (strcmp (check->check->id, "beats-pipeline") == 0) /* 345 us against 340, 338 against 349 in the model */
    return;
  if (recorded == check->verdict || recorded == MEMLANE_VERDICT_CANNOT_BE_TOLD || check->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return;
  g_error ("%s: %s: %s is recorded, here it is %s: expected the same", name, check->check->id, memlane_verdict_name (recorded),
           memlane_verdict_name (check->verdict));
}

static void
compare_recorded (const MemlaneExperimentResult *result)
{
  const char *name = result->experiment->name;
  g_autofree char *file = g_strconcat (name, ".findings.csv", NULL), *text = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", "experiments", file, NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_message ("%s is not recorded", name);
      return;
    }
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; i < result->checks->len; i++)
    {
      const MemlaneCheckResult *check = result->checks->pdata[i];
      MemlaneVerdict recorded = recorded_verdict ((const char *const *) lines, name, check->check->id);

      if (recorded == MEMLANE_N_VERDICTS)
        g_error ("%s: %s is younger than its recording: record the experiment again (tests/gpu/experiments)", name, check->check->id);
      compare_verdict (name, check, recorded);
    }
  if (count_recorded ((const char *const *) lines) != result->checks->len)
    g_error ("%s: its recording has checks that it has no longer: record the experiment again (tests/gpu/experiments)", name);
}

static gboolean
has_failed_premise (const MemlaneExperimentResult *result)
{
  for (guint i = 0; i < result->checks->len; i++)
    if (((const MemlaneCheckResult *) result->checks->pdata[i])->doubt == MEMLANE_DOUBT_PREMISE)
      return TRUE;
  return FALSE;
}

/* Every experiment answers with a picture: at least two values, each with a title and no title twice. */
static void
check_picture (const MemlaneExperimentResult *result)
{
  g_autoptr (GPtrArray) rows = memlane_experiment_result_get_picture (result, memlane_stay_english);

  g_assert_cmpuint (g_strv_length (result->experiment->picture), >, 0);
  g_assert_cmpuint (rows->len, >=, 2);
  for (guint i = 0; i < rows->len; i++)
    {
      const MemlanePictureRow *row = rows->pdata[i];

      g_assert_cmpint (row->value.kind, !=, MEMLANE_VALUE_NONE);
      g_assert_true (row->value.kind == MEMLANE_VALUE_WORD || row->value.median >= 0);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (((const MemlanePictureRow *) rows->pdata[k])->title, !=, row->title);
    }
  g_test_message ("%s: a picture of %u rows", result->experiment->name, rows->len);
}

/* (nullable): what is measured of the reference @text, as a figure shows it */
static const MemlaneValue *
find_shown (const MemlaneExperimentResult *result, const char *text)
{
  for (guint i = 0; i < result->figures->len; i++)
    {
      const MemlaneFigureResult *figure = result->figures->pdata[i];

      if (strcmp (figure->figure->value, text) == 0 && figure->value.kind != MEMLANE_VALUE_NONE)
        return &figure->value;
    }
  return NULL;
}

/* Whether a check's verdict is what the values that are shown say; those whose sides are no plain values are left out. */
static gboolean
agrees (const MemlaneExperimentResult *result, const MemlaneCheckResult *check, gboolean *compared)
{
  static const char *const comparisons[] = { " < ", " > ", " is ", " is-not " };
  gboolean holds = check->verdict == MEMLANE_VERDICT_HOLDS;

  *compared = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (comparisons) && check->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD; i++)
    {
      g_auto (GStrv) sides = g_strsplit (check->check->test, comparisons[i], 2);
      const MemlaneValue *left = find_shown (result, sides[0]), *right = sides[1] != NULL ? find_shown (result, sides[1]) : NULL;
      double bound = sides[1] != NULL ? g_ascii_strtod (sides[1], NULL) : 0;

      if (sides[1] == NULL || left == NULL || (right == NULL && i < 2 && left->kind != MEMLANE_VALUE_NUMBER))
        continue;
      *compared = TRUE;
      if (i >= 2)
        return (strcmp (left->word, sides[1]) == 0) == (holds == (i == 2));
      return (i == 0 ? left->median < (right != NULL ? right->median : bound)
                     : left->median > (right != NULL ? right->median : bound)) == holds;
    }
  return TRUE;
}

/* Verdict, correct answer and bars say the same: the answer's check has the verdict that makes it right, every other answer's has not, and
 * what the figures show is what the checks found. */
static void
check_agreement (const MemlaneExperimentResult *result)
{
  char **answers = result->experiment->prediction.answers;
  guint compared = 0;

  for (int i = 0; answers[i] != NULL; i++)
    for (guint k = 0; k < result->checks->len; k++)
      {
        const MemlaneCheckResult *check = result->checks->pdata[k];
        gboolean turned = *answers[i] == '!', right;

        if (strcmp (check->check->id, answers[i] + turned) != 0)
          continue;
        right = check->verdict == (turned ? MEMLANE_VERDICT_DOES_NOT_HOLD : MEMLANE_VERDICT_HOLDS);
        if (result->right_choice >= 0)
          g_assert_cmpint (right, ==, i == result->right_choice);
      }
  for (guint k = 0; k < result->checks->len; k++)
    {
      const MemlaneCheckResult *check = result->checks->pdata[k];
      gboolean known;

      if (!agrees (result, check, &known))
        g_error ("%s: %s is %s, but the figures say otherwise", result->experiment->name, check->check->test,
                 memlane_verdict_name (check->verdict));
      compared += known;
    }
  g_test_message ("%s: %u of %u checks were compared with figures", result->experiment->name, compared, result->checks->len);
}

/* The articles' own figures stand beside, where they print them: elapsed at 2^10, 12 ... 20, kernels at 2^10 ... 16. */
static void
check_published (const MemlaneExperimentResult *result)
{
  guint figures = 0;

  for (guint i = 0; i < result->tables->len; i++)
    {
      const MemlaneTableResult *table = result->tables->pdata[i];

      g_assert_cmpint (table->is_published, ==, table->table->source != NULL);
      for (guint k = 0; k < table->rows->len; k++)
        {
          const MemlaneTableRow *row = table->rows->pdata[k];

          figures += (row->published[0] >= 0) + (row->published[1] >= 0);
          if (i == 0 && row->log2_elements == 20)
            g_assert_cmpfloat (row->published[0], ==, 290900);
        }
    }
  g_assert_cmpuint (figures, ==, 20);
}

static void
test_verdicts (gconstpointer data)
{
  static const char letters[] = "hn?";
  guint index = GPOINTER_TO_UINT (data);
  g_autoptr (MemlaneExperimentResult) result = run (expected[index].name);
  g_autoptr (GString) checks = g_string_new (NULL);

  for (guint i = 0; i < result->checks->len; i++)
    {
      const MemlaneCheckResult *check = result->checks->pdata[i];

      g_test_message ("%s: %s: %s", check->check->id, memlane_verdict_name (check->verdict), check->words);
      g_string_append_c (checks, letters[check->verdict]);
    }
  for (guint i = 0; i < result->notes->len; i++)
    g_test_message ("%s", (const char *) result->notes->pdata[i]);
  /* The question has an answer. */
  g_assert_true (result->right_choice >= 0 || has_failed_premise (result) || expected[index].verdict == '?');
  for (guint i = 0; i < result->figures->len; i++)
    {
      const MemlaneFigureResult *figure = result->figures->pdata[i];

      /* Opening a simulated device takes no time that would mean anything, and some things only a real one has. */
      if (figure->value.kind == MEMLANE_VALUE_NONE && strcmp (figure->figure->id, "open") != 0
          && figure->value.doubt != MEMLANE_DOUBT_UNSUPPORTED)
        g_error ("%s: figure %s: %s", expected[index].name, figure->figure->id, figure->value.why);
    }
  if (expected[index].verdict != '?') /* nothing was measured */
    check_picture (result);
  g_assert_cmpstr (checks->str, ==, expected[index].checks);
  g_assert_cmpint (letters[result->verdict], ==, expected[index].verdict);
  compare_recorded (result);
  check_agreement (result);
  if (strcmp (expected[index].name, "zero-copy") == 0)
    check_published (result);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);

  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *path = g_strconcat ("/experiments/verdicts/", expected[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_verdicts);
    }
  return g_test_run ();
}
