/* test-experiments.c: every experiment runs on the simulated H200, and its verdicts are these
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "experiment/experiment.h"

static char *
path_of (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".experiment", NULL);

  return g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "experiments", file, NULL);
}

static MemlaneExperimentResult *
run (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_of (name);
  g_autoptr (MemlaneExperiment) experiment = memlane_experiment_read (path, "C", &error);
  g_autoptr (MemlaneExperimentRunner) runner = NULL;
  MemlaneExperimentResult *result;

  g_assert_no_error (error);
  runner = memlane_experiment_runner_new ("simulated:h200", experiment);
  result = memlane_experiment_runner_run (runner, NULL, &error);
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
  { "pageable-copy", 'n', "nnhh" },
  { "pinned-copy", 'h', "hhhnh" },
  { "device-query", 'h', "hhhhhhh" },
  { "pinned-to-kernel", 'h', "hhhh" },
  { "zero-copy", 'n', "nnhhnnh" },
  { "one-address", 'h', "hhhh" },
  { "managed", 'n', "nhhhhh" },
  { "round-trips", 'h', "hhh" },
  { "host-flags", 'n', "nnhhh" },
  { "returns-early", 'h', "hhhnhhhh" },
  { "copies-beside-kernels", 'h', "hhnnhhh" },
  { "kernels-beside-kernels", 'h', "hhn" },
  { "serialisers", 'h', "hhhhhhhhhh" },
  { "waiting", 'h', "hhhhhhhh" },
  { "callbacks", 'h', "hhhh" },
  { "priorities", 'h', "hhh" },
  { "zero-copy-steps", 'h', "hnhhhhhn" },
  { "errors-on-purpose", 'h', "hhhnhnhhhh" },
};

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
  /* What the student is asked has an answer: one choice, or every point of the curve. */
  if (result->experiment->prediction.kind == MEMLANE_PREDICT_CHOICE)
    g_assert_cmpint (result->right_choice, >=, 0);
  else
    for (guint i = 0; i < result->curve->len; i++)
      g_assert_cmpint (((MemlaneTableRow *) result->curve->pdata[i])->values->kind, ==, MEMLANE_VALUE_TIME);
  for (guint i = 0; i < result->figures->len; i++)
    {
      const MemlaneFigureResult *figure = result->figures->pdata[i];

      /* Opening a simulated device takes no time that would mean anything. */
      if (figure->value.kind == MEMLANE_VALUE_NONE && strcmp (figure->figure->id, "open") != 0)
        g_error ("%s: figure %s: %s", expected[index].name, figure->figure->id, figure->value.why);
    }
  g_assert_cmpstr (checks->str, ==, expected[index].checks);
  g_assert_cmpint (letters[result->verdict], ==, expected[index].verdict);
}

/* The articles' own figures stand beside, where they print them: elapsed at 2^10, 12 ... 20, kernels at 2^10 ... 16. */
static void
test_published (void)
{
  g_autoptr (MemlaneExperimentResult) result = run ("zero-copy");
  guint figures = 0;

  for (guint i = 0; i < result->tables->len; i++)
    {
      const MemlaneTableResult *table = result->tables->pdata[i];

      g_assert_true (table->is_published);
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
  g_test_add_func ("/experiments/published", test_published);
  return g_test_run ();
}
