/* cli-worker.c: memlane-cli worker, the process that measures, for whoever starts it
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <unistd.h>

static int
run (int argc, char **argv)
{
  gboolean is_local = FALSE;
  const GOptionEntry entries[] = {
    { "local", 0, 0, G_OPTION_ARG_NONE, &is_local, "Who asks is on this machine, and may name files", NULL },
    { NULL },
  };
  char **positional;
  int status, output;

  if (!cli_options_parse (&cli_worker, entries, argc, argv, 0, &positional, &status))
    return status;
  /* Keep the output of a driver's library out of the answers. */
  output = dup (STDOUT_FILENO);
  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    return cli_fail (CLI_NOTHING, "worker: expected standard input, output and error to be open");
  memlane_worker_serve (STDIN_FILENO, output, is_local);
}

const CliCommand cli_worker = {
  .name = "worker",
  .summary = "Measure for another memlane, which starts this command itself",
  .run = run,
};
