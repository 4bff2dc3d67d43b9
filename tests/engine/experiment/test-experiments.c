/* test-experiments.c: every experiment runs on the simulated H200, and answers.txt says its answers
 *
 * SPDX-License-Identifier: MIT
 *
 * Beside a verdict stands that of the recorded H200 where it is another. Where both can tell, only
 * one differs: beats-pipeline took 345 us against 340, and takes 338 against 349 in the model. An
 * experiment whose checks and recorded checks differ is to be recorded again
 * (tests/gpu/experiments). Where the text is another now, the test leaves it in its folder.
 */
#include <string.h>

#include "base/each.h"
#include "base/data-file.h"
#include "engine/golden-text.h"
#include "run-experiment.h"

/* Most of the time goes into moving bytes: vectors of 2^23 floats and more become some of 2^22. */
static MemlaneExperimentResult *
run (const char *path)
{
  g_autoptr (GRegex) large = g_regex_new ("(?<=[@:]|size=)2[346]\\b", 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = NULL;
  g_autofree char *text = NULL, *small = NULL;
  MemlaneExperimentResult *result;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  small = g_regex_replace_literal (large, text, -1, 0, "22", 0, NULL);
  experiment = memlane_experiment_parse (small, strlen (small), path, "C", &error);
  g_assert_no_error (error);
  experiment->name = g_path_get_basename (path);
  *strrchr (experiment->name, '.') = '\0';
  experiment->path = g_strdup (path);
  result = run_experiment (experiment, "simulated:h200", NULL, &error);
  g_assert_no_error (error);
  return result;
}

/* --- what each answers ------------------------------------------------------------------------ */

/* The verdict that was recorded on the H200 of @check, "" for the main claim. (transfer full) */
static char *
find_recorded (const char *findings, const char *check)
{
  g_autofree char *row = g_strdup_printf ("(?m)^[^,]*,[^,]*,cuda,%s,%s,verdict,,,,,([^,]*),",
                                          *check != '\0' ? "check" : "", check);
  g_autoptr (GRegex) regex = g_regex_new (row, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (regex, findings, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

/* Adds a line: what the simulated device says, and the recorded one where it says another. */
static void
add_verdict (GString *text, const char *check, MemlaneVerdict verdict, const char *findings)
{
  g_autofree char *recorded = find_recorded (findings, check);
  const char *found = memlane_verdict_name (verdict);

  g_string_append_printf (text, "  %s: %s", *check != '\0' ? check : "claim", found);
  if (!g_str_equal (recorded != NULL ? recorded : "nothing", found))
    g_string_append_printf (text, ", recorded: %s", recorded != NULL ? recorded : "nothing");
  g_string_append_c (text, '\n');
}

static void
describe (GString *text, const MemlaneExperimentResult *result)
{
  const char *const root = g_getenv ("MEMLANE_SOURCE_ROOT"), *const name = result->experiment->name;
  g_autofree char *path = g_strdup_printf ("%s/data/recordings/experiments/%s.findings.csv", root,
                                           name);
  g_autofree char *findings = NULL;
  g_autoptr (GPtrArray) picture
      = memlane_experiment_result_get_picture (result, memlane_stay_english);
  guint n_recorded = 0;

  if (!g_file_get_contents (path, &findings, NULL, NULL))
    findings = g_strdup ("");
  for (const char *at = findings; (at = strstr (at, ",cuda,check,")) != NULL; at++)
    n_recorded++;
  g_string_append_printf (text, "\n%s: answer %d; %u checks, %u recorded\n", name,
                          result->right_choice, result->checks->len, n_recorded);
  add_verdict (text, "", result->verdict, findings);
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    {
      g_test_message ("%s: %s", check->check->id, check->words);
      add_verdict (text, check->check->id, check->verdict, findings);
    }
  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    {
      if (figure->value.kind == MEMLANE_VALUE_NONE)
        g_string_append_printf (text, "  no figure %s: %s\n", figure->figure->id,
                                figure->value.why);
    }
  MEMLANE_FOR_EACH (const MemlanePictureRow, row, picture)
    {
      g_assert_true (row->value.kind == MEMLANE_VALUE_WORD || row->value.median >= 0);
      g_string_append_printf (text, "  bar: %s\n", row->title);
    }
}

/* The articles' own figures stand beside, where they print them: elapsed at 2^10, 12 ... 20,
 * kernels at 2^10 ... 16. */
static void
check_published (const MemlaneExperimentResult *result)
{
  guint figures = 0;

  for (guint i = 0; i < result->tables->len; i++)
    {
      const MemlaneTableResult *table = result->tables->pdata[i];

      g_assert_cmpint (table->is_published, ==, table->table->source != NULL);
      MEMLANE_FOR_EACH (const MemlaneTableRow, row, table->rows)
        {
          figures += (row->published[0] >= 0) + (row->published[1] >= 0);
          if (i == 0 && row->log2_elements == 20)
            g_assert_cmpfloat (row->published[0], ==, 290900);
        }
    }
  g_assert_cmpuint (figures, ==, 20);
}

static void
test_answers (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "experiments", NULL);
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, ".experiment", NULL);
  g_autoptr (GString) text = g_string_new ("What experiments answer on the simulated H200\n");

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (MemlaneExperimentResult) result = run (paths->pdata[i]);

      describe (text, result);
      if (g_str_equal (result->experiment->name, "zero-copy"))
        check_published (result);
    }
  compare_text (text, "experiment", "answers.txt");
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);

  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiments/answers", test_answers);
  return g_test_run ();
}
