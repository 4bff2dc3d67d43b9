/* cli-calibrate.c: memlane-cli calibrate, from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "memlane.h"

#include <stdio.h>
#include <string.h>

static gboolean
is_write_error (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT)) /* a run or a base that cannot be used */
    return FALSE;
  return error->domain == G_FILE_ERROR || error->domain == G_IO_ERROR || g_error_matches (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
}

static int
run (int argc, char **argv)
{
  g_autofree char *output = NULL, *base = NULL;
  gboolean held_out = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The profile to write; its name ends in .device", "F.device" },
    { "base", 'b', 0, G_OPTION_ARG_FILENAME, &base, "The simulated device to start from (default: h200)", "NAME" },
    { "held-out", 0, 0, G_OPTION_ARG_NONE, &held_out, "Only tell how well fits to a part of the figures predict the others", NULL },
    { NULL },
  };
  g_auto (GStrv) files = NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *base_id = NULL;
  int status;

  if (!cli_options_parse (&cli_calibrate, entries, argc, argv, CLI_ANY_NUMBER, &files, &status))
    return status;
  if (files[0] == NULL)
    return cli_fail (CLI_USAGE, "calibrate: expected at least one recorded run: memlane-cli calibrate RUN.csv -o F.device");
  if (held_out && output != NULL)
    return cli_fail (CLI_USAGE, "calibrate: --held-out writes no profile; leave out either it or -o");
  if (output == NULL && !held_out)
    return cli_fail (CLI_USAGE, "calibrate: expected -o F.device, the profile to write");
  if (output != NULL && cli_output_is_input (output, (const char *const *) files))
    return cli_fail (CLI_USAGE, "calibrate: %s is a recorded run; expected another name after -o", output);
  /* A profile is found again by this ending; and a name that was meant for something else is not overwritten. */
  if (output != NULL && !g_str_has_suffix (output, ".device"))
    return cli_fail (CLI_USAGE, "calibrate: -o: found \"%s\", expected a file name that ends in .device", output);
  if (output != NULL && !cli_output_check (output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);

  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) read = cli_read_runs (files[i], &error);

      if (read == NULL)
        return cli_fail (CLI_USAGE, "%s", error->message);
      for (guint j = 0; j < read->len; j++)
        g_ptr_array_add (runs, memlane_run_ref (read->pdata[j]));
    }
  if (base != NULL)
    base_id = strchr (base, ':') != NULL ? g_strdup (base) : g_strconcat ("simulated:", base, NULL);
  if (held_out)
    {
      if (!memlane_held_out (runs, base_id, report, &error))
        return cli_fail (CLI_USAGE, "calibrate: %s", error->message);
      g_print ("%s", report->str);
      return CLI_OK;
    }
  if (!memlane_calibrate (runs, base_id, output, report, &error))
    return cli_fail (is_write_error (error) ? CLI_NOTHING : CLI_USAGE, "calibrate: %s", error->message);
  /* Both streams may be one terminal: the report is out, and ends its line, before anything else is said. */
  g_print ("%s%s", report->str, report->len > 0 && report->str[report->len - 1] != '\n' ? "\n" : "");
  fflush (stdout);
  g_printerr ("written: %s; use it with --device simulated:%s%s\n", output, strchr (output, '/') == NULL ? "./" : "", output);
  return CLI_OK;
}

const CliCommand cli_calibrate = {
  .name = "calibrate",
  .arguments = "RUN.csv...",
  .summary = "Fit the profile of a simulated device to recorded runs",
  .description =
    "Reads sweeps that were recorded on a GPU, fits the simulated device's times to\n"
    "them, writes the profile and reports how far the simulated cells are from the\n"
    "recorded ones: median and worst error, and the worst cells.\n"
    "\n"
    "Example:\n"
    "  memlane-cli sweep --device cuda:0 --csv mine.csv\n"
    "  memlane-cli calibrate mine.csv -o mine.device\n"
    "  memlane-cli sweep --device simulated:./mine.device --csv modelled.csv",
  .run = run,
  .writes = TRUE,
};
