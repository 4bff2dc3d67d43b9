/* cli-report.c: memlane-cli report, runs, timelines and experiments as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#ifdef MEMLANE_HAVE_CHART
#include "base/data-file.h"
#include "base/each.h"
#include "chart/report/report.h"
#endif

#include <libintl.h>
#include <locale.h>
#include <string.h>

/* The options of the command line, as text. */
static struct
{
  char *output, *workload, *language, *device;
  char **traces, **experiments, **lessons, **answers; /* NULL: none */
} asked;

#ifdef MEMLANE_HAVE_CHART

static gboolean
read_traces (MemlaneReportSource *source, char **paths, GError **error)
{
  for (char **path = paths; path != NULL && *path != NULL; path++)
    {
      MemlaneTrace *trace = memlane_trace_read_json (*path, NULL, NULL, NULL, error);

      if (trace == NULL)
        return FALSE;
      g_ptr_array_add (source->traces, trace);
    }
  return TRUE;
}

static gboolean
read_lessons (MemlaneReportSource *source, GError **error)
{
  for (char **name = asked.lessons; name != NULL && *name != NULL; name++)
    {
      g_autofree char *relative = g_strdup_printf ("lessons/%s.lesson", *name),
                      *path = memlane_data_find (relative);
      MemlaneLesson *lesson;

      if (path == NULL && !g_file_test (*name, G_FILE_TEST_EXISTS))
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                       "report: --lesson: %s is neither a file nor one of the lessons, "
                       "which the package memlane-data has", *name);
          return FALSE;
        }
      lesson = memlane_lesson_read (path != NULL ? path : *name,
                                    asked.language != NULL ? asked.language : "C", error);

      if (lesson == NULL)
        return FALSE;
      g_ptr_array_add (source->lessons, lesson);
    }
  for (char **path = asked.answers; path != NULL && *path != NULL; path++)
    if (!memlane_lesson_add_answers (source->lessons->pdata[0], source->answers, *path, error))
      return FALSE;
  return TRUE;
}

/* Runs the experiments, and those of the lessons, all on one device. Returns the exit status. */
static int
run_experiments (MemlaneReportSource *source)
{
  g_autoptr (GPtrArray) experiments = g_ptr_array_new_with_free_func (
      (GDestroyNotify) memlane_experiment_unref);
  g_autofree char *device = NULL;
  int status = CLI_OK;
  guint n;

  for (char **name = asked.experiments; name != NULL && *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      MemlaneExperiment *experiment = memlane_experiment_find (
          *name, asked.language != NULL ? asked.language : "C", &error);

      if (experiment == NULL)
        return cli_fail (CLI_USAGE, "%s", error->message);
      g_ptr_array_add (experiments, experiment);
    }
  n = experiments->len;
  MEMLANE_FOR_EACH (const MemlaneLesson, lesson, source->lessons)
    MEMLANE_FOR_EACH (const MemlaneLessonStep, step, lesson->steps)
      if (step->experiment != NULL)
        g_ptr_array_add (experiments, memlane_experiment_ref (step->experiment));
  if (experiments->len > 0 && (device = cli_device_choose (asked.device, FALSE, &status)) == NULL)
    return status;
  for (guint i = 0; i < experiments->len; i++)
    {
      MemlaneExperimentResult *result = cli_experiment_run (experiments->pdata[i], device, &status);

      if (result == NULL)
        return status;
      g_ptr_array_add (i < n ? source->results : source->lesson_results, result);
      if (result->cancelled)
        return cli_fail (CLI_INTERRUPTED, "report: interrupted; nothing is written");
    }
  return CLI_OK;
}

static gboolean
has_workload (const GPtrArray *runs, const char *workload)
{
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      if (strcmp (cell->workload, workload) == 0)
        return TRUE;
  return FALSE;
}

static const char *
get_locale_folder (void)
{
  const char *folder = g_getenv ("MEMLANE_LOCALE_DIR"); /* a build tree's */

  return folder != NULL ? folder : MEMLANE_LOCALEDIR;
}

/* The page speaks @language where there is a catalogue; all else that is printed stays English. */
static gboolean
speak (const char *language)
{
  if (language == NULL || g_str_has_prefix (language, "en"))
    return TRUE;
  g_setenv ("LANGUAGE", language, TRUE);
  setlocale (LC_MESSAGES, "C.UTF-8"); /* in the locale C nothing is translated */
  bindtextdomain (GETTEXT_PACKAGE, get_locale_folder ());
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE); /* for ngettext() */
  return strcmp (g_dpgettext2 (GETTEXT_PACKAGE, "language code", "en"), "en") != 0;
}

static gboolean
is_html (const char *path)
{
  const char *ending = strrchr (path, '.');

  return ending != NULL
         && (g_ascii_strcasecmp (ending, ".html") == 0 || g_ascii_strcasecmp (ending, ".htm") == 0);
}

static int
run (char **paths)
{
  g_autoptr (MemlaneReportSource) source = memlane_report_source_new ();
  const char *output = asked.output;
  gboolean handout;
  g_autoptr (GError) error = NULL;
  int status;

  if (paths[0] == NULL && asked.traces == NULL && asked.experiments == NULL
      && asked.lessons == NULL)
    return cli_fail (CLI_USAGE, "report: expected a run: memlane-cli report RUN.csv -o F.html");
  if (asked.answers != NULL && (asked.lessons == NULL || asked.lessons[1] != NULL))
    return cli_fail (CLI_USAGE, "report: --answers: expected one --lesson, to which they belong");
  if (output == NULL)
    return cli_fail (CLI_USAGE, "report: expected -o F.html, the page to write");
  handout = g_str_has_suffix (output, ".pdf");
  if (strcmp (output, "-") != 0 && !is_html (output) && !handout)
    return cli_fail (
        CLI_USAGE,
        "report: -o: found \"%s\", expected a file name that ends in .html, in .pdf, or -", output);
  if (handout && (paths[0] != NULL || asked.traces != NULL))
    return cli_fail (
        CLI_USAGE,
        "report: -o: a .pdf has lessons and experiments; expected a .html for runs and timelines");
  if (cli_output_is_input (output, (const char *const *) paths))
    return cli_fail (CLI_USAGE, "report: -o: %s is the run; expected another name", output);
  if (!cli_output_check (output, handout ? CLI_FILE_FIGURE : CLI_FILE_PAGE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!cli_read_files (paths, source->runs, source->names, &error) || !read_lessons (source, &error)
      || !read_traces (source, asked.traces, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (asked.workload != NULL && !has_workload (source->runs, asked.workload))
    return cli_fail (CLI_USAGE, "report: --workload: found \"%s\", which %s does not hold",
                     asked.workload, paths[0]);
  if (!speak (asked.language))
    return cli_fail (CLI_USAGE,
                     "report: --language: \"%s\" has no catalogue in %s; expected en or zh_CN, "
                     "which the package memlane-data has",
                     asked.language, get_locale_folder ());
  status = run_experiments (source);
  if (status != CLI_OK)
    return status;
  source->workload = g_strdup (asked.workload);
  if (!memlane_report_write (source, output, &error))
    return cli_fail (CLI_NOTHING, "report: %s", error->message);
  if (strcmp (output, "-") != 0)
    g_printerr ("written: %s\n", output);
  return CLI_OK;
}

#endif

static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output,
    "The page to write, or the handout F.pdf; required", "F.html" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload,
    "Only this one (default: all that the files hold)", "W" },
  { "trace", 't', 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.traces,
    "A timeline to add, as trace writes it; may be repeated", "F.json" },
  { "experiment", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.experiments,
    "An experiment to run and add; may be repeated", "NAME" },
  { "lesson", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.lessons,
    "A lesson to add: questions, then answers; may be repeated", "NAME" },
  { "answers", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.answers,
    "What a page of the lesson handed in; may be repeated", "F.answers" },
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "Where to run experiments (default: a GPU, else simulated:h200)", "ID" },
  { "language", 'l', 0, G_OPTION_ARG_FILENAME, &asked.language,
    "Of the page: en (default) or zh_CN", "L" },
  { NULL },
};

const CliCommand cli_report = {
  .name = "report",
  .arguments = "RUN.csv...",
  .summary = "Write runs, timelines and experiments as one HTML page",
  .options = options,
  .most_arguments = CLI_ANY_NUMBER,
#ifdef MEMLANE_HAVE_CHART
  .run = run,
#endif
  .writes = TRUE,
};
