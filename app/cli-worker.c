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
  .description =
    "Requests come on standard input, answers go to standard output: JSON, one object\n"
    "on a line. engine/job/README.md is the protocol. The worker ends when its\n"
    "standard input does.\n"
    "\n"
    "Nobody types this. The window and memlane-cli start a worker for whatever they\n"
    "measure, and the file of hosts names commands that start one elsewhere:\n"
    "\n"
    "  ~/.config/memlane/hosts:\n"
    "    [gpu1]\n"
    "    command=ssh gpu1 memlane-cli worker\n"
    "\n"
    "  memlane-cli devices --host gpu1\n"
    "  memlane-cli sweep --device gpu1/cuda:0 --csv gpu1.csv",
  .run = run,
};
