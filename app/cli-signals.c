/* cli-signals.c: the first signal ends a command in order, the second one at once
 *
 * SPDX-License-Identifier: MIT
 *
 * The handler itself ends the process: whoever hangs in a call of a driver or of a file system would never come back to a main loop.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) sends its signal to the command, and then to the group that the command is in: that is one wish, not two. */
#define SAME_WISH_NS (300 * 1000 * 1000)

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

static struct
{
  GCancellable *cancellable;
  void (*notify) (void);
  guint source;
  int pipe[2]; /* stays open: a handler may be at work on another thread when all else ends */
  gboolean has_pipe;
  struct sigaction before[G_N_ELEMENTS (numbers)];
  gboolean is_taken[G_N_ELEMENTS (numbers)];
} signals;

static gint64 first_ns; /* when the first one came, on the monotonic clock; 0: none did */

/* Nothing here but what signal-safety(7) lists. */
static void
on_signal (int number)
{
  int code = errno;
  struct timespec time = { 0 };
  gint64 now, first = 0;

  clock_gettime (CLOCK_MONOTONIC, &time);
  now = (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
  if (__atomic_compare_exchange_n (&first_ns, &first, now, FALSE, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    (void) !(signals.has_pipe && write (signals.pipe[1], "", 1) == 1);
  else if (now - first > SAME_WISH_NS)
    _exit (CLI_INTERRUPTED);
  errno = code;
}

static gboolean
on_first (int fd, GIOCondition condition, gpointer user_data)
{
  char byte;

  (void) !read (fd, &byte, 1);
  if (signals.notify != NULL)
    signals.notify ();
  g_cancellable_cancel (signals.cancellable);
  signals.source = 0;
  return G_SOURCE_REMOVE;
}

void
cli_signals_begin (GCancellable *cancellable, void (*notify) (void))
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

  g_assert (signals.cancellable == NULL);
  signals.cancellable = g_object_ref (cancellable);
  signals.notify = notify;
  first_ns = 0;
  signals.has_pipe = signals.has_pipe || g_unix_open_pipe (signals.pipe, FD_CLOEXEC, NULL);
  if (signals.has_pipe) /* without one - no descriptors are left - the second signal still ends it */
    signals.source = g_unix_fd_add (signals.pipe[0], G_IO_IN, on_first, NULL);
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      sigaction (numbers[i], NULL, &signals.before[i]);
      /* nohup means what it says; a shell ignores SIGINT for whatever it starts with &, and means nothing by it */
      signals.is_taken[i] = numbers[i] != SIGHUP || signals.before[i].sa_handler != SIG_IGN;
      if (signals.is_taken[i])
        sigaction (numbers[i], &action, NULL);
    }
}

void
cli_signals_end (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (signals.is_taken[i])
      sigaction (numbers[i], &signals.before[i], NULL);
  if (signals.source != 0)
    g_source_remove (signals.source);
  signals.source = 0;
  g_clear_object (&signals.cancellable);
}
