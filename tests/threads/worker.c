/* worker.c: memlane-cli worker alone, in a build for the thread sanitizer: one thread listens while another measures
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <unistd.h>

#include "memlane-private.h"
#include "memlane.h"

int
main (void)
{
  int output = dup (STDOUT_FILENO);

  signal (SIGPIPE, SIG_IGN);
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  memlane_worker_serve (STDIN_FILENO, output, FALSE);
}
