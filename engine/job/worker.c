/* worker.c: memlane-worker, the process that measures for the programs of this machine; libmemlane
 * starts it
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "memlane-private.h"

int
main (void)
{
  int output = dup (STDOUT_FILENO); /* the output of a driver's library stays out of the answers */

  setlocale (LC_CTYPE, "");
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    return 2;
  memlane_worker_serve (STDIN_FILENO, output, TRUE);
}
