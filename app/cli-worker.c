/* cli-worker.c: memlane-cli worker, the process that measures, for whoever starts it
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <unistd.h>

static gboolean is_local;
static const GOptionEntry options[] = {
  { "local", 0, 0, G_OPTION_ARG_NONE, &is_local, "Who asks is on this machine, and may name files", NULL },
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
