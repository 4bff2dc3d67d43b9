/* cli-main.c: memlane-cli, the engine from a terminal
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strict-text.h"

/* --- the process that measures, for whoever starts it ----------------------------------------- */

static gboolean is_local;
static const GOptionEntry options[] = {
  { "local", 0, 0, G_OPTION_ARG_NONE, &is_local, "Who asks is on this machine, and may name files",
    NULL },
  { NULL },
};

static int
run (char **positional)
{
  int output = dup (STDOUT_FILENO); /* the output of a driver's library stays out of the answers */

  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    return cli_fail (CLI_NOTHING, "worker: expected standard input, output and error to be open");
  memlane_worker_serve (STDIN_FILENO, output, is_local);
}

const CliCommand cli_worker = {
  .name = "worker",
  .summary = "Measure for another memlane, which starts this command itself",
  .options = options,
  .run = run,
};

/* --- all commands ----------------------------------------------------------------------------- */

const CliCommand *const cli_commands[] = {
  &cli_devices,    &cli_modes,   &cli_workloads, &cli_sweep,  &cli_trace,  &cli_lab,
  &cli_experiment, &cli_recover, &cli_plot,      &cli_code,   &cli_report, &cli_decide,
  &cli_check,      &cli_compare, &cli_advise,    &cli_worker, NULL,
};

/* Commands of earlier versions, and what to use instead. */
static const struct
{
  const char *name, *instead;
} gone[] = {
  { "completion", "the installed files complete in bash, zsh and fish; without an installation use "
                  "data/completion" },
  { "calibrate",
    "tests/model/calibrate.py in Memlane's sources makes the profile of a simulated device" },
  { "contribute", "give others RUN.csv with RUN.environment.json and RUN.rounds.csv beside it" },
  { "profile-from", "simulated devices are recorded ones; 'memlane-cli devices' lists them" },
};

static gboolean reader_is_gone; /* standard output is a pipe that nobody reads any more */

static char *
describe_commands (void)
{
  GString *text = g_string_new ("Commands:\n");

  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    g_string_append_printf (text, "  %-12s  %s\n", (*command)->name, (*command)->summary);
  return g_string_free (text, FALSE);
}

static void
print_help (void)
{
  g_autofree char *list = describe_commands (), *lesson = cli_help_find ("memlane-cli");

  g_print ("Usage: memlane-cli COMMAND [OPTION...]\n"
           "       memlane-cli --version\n"
           "\n"
           "Measures what each CUDA memory mode costs, on a GPU or on a simulated one.\n"
           "\n%s\n%s\n",
           list, lesson);
}

static void
print_version (void)
{
  const char *absence = memlane_module_get_absence ();

  g_print ("memlane-cli %s\n"
           "CUDA device: %s%s%s\n"
           "simulated device: yes\n",
           MEMLANE_VERSION, absence == NULL ? "yes" : "no (", absence == NULL ? "" : absence,
           absence == NULL ? "" : ")");
}

/* Everything that is printed passes here, whatever file or device its words came from. */
static void
print_safely (FILE *stream, const char *text)
{
  g_autoptr (GString) safe = g_string_sized_new (strlen (text));
  g_autofree char *converted = NULL;
  const char *charset;

  memlane_text_append_printable (safe, text, strlen (text), TRUE);
  if (!g_get_charset (&charset))
    converted = g_convert_with_fallback (safe->str, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  fputs (converted != NULL ? converted : safe->str, stream);
  fflush (stream);
}

static void
print_output (const char *text)
{
  print_safely (stdout, text);
  if (ferror (stdout) && errno == EPIPE)
    reader_is_gone = TRUE;
}

static void
print_error (const char *text)
{
  print_safely (stderr, text);
}

/* Standard output is only known to be written once it is flushed. A reader that has read enough,
 * such as head, is no failure. */
static int
finish_output (int status)
{
  errno = 0;
  if ((fflush (stdout) == 0 && !ferror (stdout)) || reader_is_gone)
    return status;
  return cli_fail (CLI_NOTHING, "standard output cannot be written: %s",
                   errno != 0 ? g_strerror (errno) : "a write failed");
}

/* Runs the command argv[0], or says that there is none. */
static int
run_named (int argc, char **argv)
{
  const char *name = argv[0], *names[G_N_ELEMENTS (cli_commands)] = { NULL }, *guess;
  g_autofree char *list = describe_commands ();

  for (guint i = 0; cli_commands[i] != NULL; i++)
    {
      names[i] = cli_commands[i]->name;
      if (strcmp (name, names[i]) == 0)
        return cli_options_run (cli_commands[i], argc, argv);
    }
  for (guint i = 0; i < G_N_ELEMENTS (gone); i++)
    if (strcmp (name, gone[i].name) == 0)
      return cli_fail (CLI_USAGE, "%s: this command is gone: %s", name, gone[i].instead);
  guess = cli_options_guess (name, names);
  return cli_fail (CLI_USAGE, "unknown %s \"%s\".%s%s%s\n\n%s\nTry memlane-cli --help.",
                   name[0] == '-' ? "option" : "command", name,
                   guess != NULL ? " Did you mean " : "", guess != NULL ? guess : "",
                   guess != NULL ? "?" : "", list);
}

static int
run_command (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : NULL;

  if (name == NULL)
    {
      g_autofree char *list = describe_commands ();
      return cli_fail (CLI_USAGE, "expected a command.\n\n%s\nTry memlane-cli --help.", list);
    }
  if (strcmp (name, "help") == 0 && argc > 2)
    return run_named (2, (char *[]) { argv[2], (char *) "--help", NULL });
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    {
      print_help ();
      return CLI_OK;
    }
  if (strcmp (name, "--version") == 0)
    {
      print_version ();
      return CLI_OK;
    }
  return run_named (argc - 1, argv + 1);
}

int
main (int argc, char **argv)
{
  /* Only the character set is the user's: numbers and messages are the same everywhere, so that
   * scripts can read them. */
  setlocale (LC_CTYPE, "");
  g_set_print_handler (print_output);
  g_set_printerr_handler (print_error);
  /* A pipe that nobody reads is a write error, never the silent end of a measurement. */
  signal (SIGPIPE, SIG_IGN);
  /* So is a file that has reached the limit on its size (ulimit -f). */
  signal (SIGXFSZ, SIG_IGN);

  return finish_output (run_command (argc, argv));
}
