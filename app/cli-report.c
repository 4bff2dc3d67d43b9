/* cli-report.c: memlane-cli report, runs as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#ifdef MEMLANE_HAVE_CHART
#include "base/owns.h"
#include "chart/export.h"
#include "chart/report/report.h"
#endif

#include <stdio.h>
#include <string.h>

#ifdef MEMLANE_HAVE_CHART

typedef struct
{
  GPtrArray *runs;  /* (element-type MemlaneRun), owned references */
  GPtrArray *names; /* (element-type utf8), one for each run */
} Source;

MEMLANE_DEFINE_CLEAR (Source, static void source_clear (Source *data), OWNS (runs, g_ptr_array_unref) OWNS (names, g_ptr_array_unref))
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

/* A run is called as its file is, where the file holds no other. */
static gboolean
read_file (Source *source, const char *path, GError **error)
{
  g_autoptr (GPtrArray) read = cli_read_runs (path, error);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);

  if (read == NULL)
    return FALSE;
  if (g_str_has_suffix (name, ".csv"))
    name[strlen (name) - strlen (".csv")] = '\0';
  source->runs = g_ptr_array_ref (read);
  source->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < read->len; i++)
    g_ptr_array_add (source->names, g_strdup (read->len == 1 ? name : ((MemlaneRun *) read->pdata[i])->id));
  return TRUE;
}

static gboolean
has_workload (const Source *source, const char *workload)
{
  for (guint i = 0; i < source->runs->len; i++)
    {
      const MemlaneRun *run = source->runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        if (strcmp (((const MemlaneCell *) run->cells->pdata[j])->workload, workload) == 0)
          return TRUE;
    }
  return FALSE;
}

static gboolean
is_html (const char *path)
{
  const char *ending = strrchr (path, '.');

  return ending != NULL && (g_ascii_strcasecmp (ending, ".html") == 0 || g_ascii_strcasecmp (ending, ".htm") == 0);
}

static int
write_report (const char *path, const char *output, const char *workload)
{
  g_auto (Source) source = { 0 };
  g_autofree MemlaneChartRun *runs = NULL;
  g_autofree char *html = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (strcmp (output, "-") != 0 && !is_html (output))
    return cli_fail (CLI_USAGE, "report: -o: found \"%s\", expected a file name that ends in .html, or -", output);
  if (cli_output_is_input (output, (const char *const[]){ path, NULL }))
    return cli_fail (CLI_USAGE, "report: -o: %s is the run; expected another name", output);
  if (!cli_output_check (output, CLI_FILE_PAGE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!read_file (&source, path, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (workload != NULL && !has_workload (&source, workload))
    return cli_fail (CLI_USAGE, "report: --workload: found \"%s\", which %s does not hold", workload, path);
  runs = g_new0 (MemlaneChartRun, source.runs->len);
  for (guint i = 0; i < source.runs->len; i++)
    runs[i] = (MemlaneChartRun) { source.runs->pdata[i], source.names->pdata[i] };
  html = memlane_report_to_html (runs, source.runs->len, workload, &error);
  if (html == NULL)
    return cli_fail (CLI_NOTHING, "report: %s", error->message);
  if (strcmp (output, "-") == 0)
    {
      fwrite (html, 1, strlen (html), stdout); /* UTF-8 whatever the terminal's; checked with the flush */
      return CLI_OK;
    }
  bytes = g_bytes_new (html, strlen (html));
  if (!memlane_export_write (bytes, output, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  g_printerr ("written: %s\n", output);
  return CLI_OK;
}

#else

static int
write_report (const char *path, const char *output, const char *workload)
{
  return cli_fail (CLI_NOTHING, "report: this build draws no figures: it was made without Cairo and Pango. Install their development "
                                "files and build with -Dchart=enabled");
}

#endif

static int
run (int argc, char **argv)
{
  char *output = NULL, *workload = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The page to write; required", "F.html" },
    { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &workload, "Only this one (default: all that the file holds)", "W" },
    { NULL },
  };
  char **files;
  int status;

  if (!cli_options_parse (&cli_report, entries, argc, argv, 1, &files, &status))
    return status;
  if (files[0] == NULL)
    return cli_fail (CLI_USAGE, "report: expected a run: memlane-cli report RUN.csv -o F.html");
  if (output == NULL)
    return cli_fail (CLI_USAGE, "report: expected -o F.html, the page to write");
  return write_report (files[0], output, workload);
}

const CliCommand cli_report = {
  .name = "report",
  .arguments = "RUN.csv",
  .summary = "Write a run as one HTML page: findings, figures, device, method, medians",
  .description =
    "The page stands alone: no script, nothing is fetched; figures are SVG inside it.\n"
    "It is light or dark as the reader's system and light on paper; a browser prints\n"
    "it as PDF. A report of a simulated device says SIMULATED.\n"
    "\n"
    "Example:\n"
    "  memlane-cli report memlane.csv -o memlane.html",
  .run = run,
  .writes = TRUE,
};
