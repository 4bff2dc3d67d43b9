/* cli-progress.c: how far a sweep is, on standard error; signals that end it
 *
 * SPDX-License-Identifier: MIT
 *
 * On a terminal one line is redrawn at most ten times a second; elsewhere (a log, a pipe) there is
 * a line for each round that is done and one every few seconds, so that a log stays short and still
 * shows that the run is alive.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/size.h"

#define REDRAW_US (100 * 1000)
#define LINE_US (5 * 1000 * 1000)
#define BAR_WIDTH 24

/* A command has one. */
typedef struct
{
  gboolean quiet, is_terminal, is_drawn;
  gint64 last_us;
  const char *dot;    /* between the parts of a line, in the terminal's character set */
  guint round;        /* in work */
} Shown;
static Shown shown;

char *
cli_format_seconds (double seconds)
{
  if (seconds < 9.95)
    return g_strdup_printf ("%.1f s", MAX (seconds, 0));
  if (seconds < 120)
    return g_strdup_printf ("%.0f s", seconds);
  return g_strdup_printf ("%.0f min", seconds / 60);
}

void
cli_progress_begin (gboolean quiet)
{
  shown = (Shown) {
    .quiet = quiet,
    .is_terminal = isatty (STDERR_FILENO) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0,
    .dot = g_get_charset (NULL) ? "\302\267" : "-",
    .last_us = g_get_monotonic_time (),
  };
}

/* Past what escapes all else that is printed: this is our own, and means what it does to the
 * terminal. */
static void
put (const char *text)
{
  fputs (text, stderr);
  fflush (stderr);
}

void
cli_progress_clear (void)
{
  if (shown.is_drawn)
    put ("\r\033[K");
  shown.is_drawn = FALSE;
}

static guint
terminal_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* "round 2 of 6 · cell 37 of 220 · managed 2^16 · 12 s left" */
static GString *
describe (const MemlaneSweepProgress *sweep)
{
  GString *text = g_string_new (NULL);
  double left = sweep->seconds_left;

  if (sweep->waiting != NULL)
    {
      g_string_append_printf (text, "waiting: %s", sweep->waiting);
      return text;
    }
  if (sweep->rounds > 1)
    g_string_append_printf (text, "round %u of %u %s ", sweep->round, sweep->rounds, shown.dot);
  g_string_append_printf (text, "measurement %u of %u",
                          MIN (sweep->cells_done + 1, sweep->cells_total), sweep->cells_total);
  if (sweep->mode != NULL)
    {
      g_autofree char *size = memlane_size_format (sweep->log2_elements);

      g_string_append_printf (text, " %s %s %s", shown.dot, sweep->mode, size);
    }
  if (left >= 0)
    {
      /* Whole seconds: an estimate with decimals promises too much, and they would flicker. */
      g_autofree char *time = left < 120 ? g_strdup_printf ("%.0f s", ceil (left))
                                         : cli_format_seconds (left);
      g_string_append_printf (text, " %s %s left", shown.dot, time);
    }
  return text;
}

static void
draw_bar (GString *text, double fraction)
{
  g_autofree char *line = NULL;
  guint width = terminal_width ();
  glong length = g_utf8_strlen (text->str, -1);

  if (length + BAR_WIDTH + 3 < width)
    {
      guint filled = (guint) (fraction * BAR_WIDTH);

      g_string_append (text, " [");
      for (guint i = 0; i < BAR_WIDTH; i++)
        g_string_append_c (text, i < filled ? '#' : '-');
      g_string_append_c (text, ']');
    }
  else if (length >= width && width > 1) /* a line that wraps could not be redrawn */
    g_string_truncate (text, g_utf8_offset_to_pointer (text->str, width - 1) - text->str);
  line = g_strdup_printf ("\r%s\033[K", text->str);
  put (line);
  shown.is_drawn = TRUE;
}

void
cli_progress_update (MemlaneSweep *sweep)
{
  const MemlaneSweepProgress *now = memlane_sweep_get_progress (sweep);
  gint64 time = g_get_monotonic_time ();
  g_autoptr (GString) text = NULL;

  if (!shown.quiet && !shown.is_terminal && shown.round > 0 && now->round > shown.round)
    {
      g_printerr ("round %u of %u: done\n", shown.round, now->rounds);
      shown.last_us = time;
    }
  shown.round = now->round;
  if (shown.quiet || time - shown.last_us < (shown.is_terminal ? REDRAW_US : LINE_US))
    return;
  shown.last_us = time;
  text = describe (now);
  if (shown.is_terminal)
    draw_bar (text, now->fraction);
  else
    g_printerr ("%s\n", text->str);
}

/* --- signals: the first one ends a command in order, the second one at once ----------------------
 *
 * The handler itself ends the process: a thread that hangs in a call of a driver or of a file
 * system never returns to a main loop. */

/* timeout(1) sends its signal to the command, and then to the group that the command is in: that is
 * one wish, not two. */
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
  if (__atomic_compare_exchange_n (&first_ns, &first, now, FALSE, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST))
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
  /* without one - no descriptors are left - the second signal still ends it */
  if (signals.has_pipe)
    signals.source = g_unix_fd_add (signals.pipe[0], G_IO_IN, on_first, NULL);
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction now;

      sigaction (numbers[i], NULL, &now);
      if (now.sa_handler != on_signal)
        signals.before[i] = now;
      /* nohup means what it says; a shell ignores SIGINT for whatever it starts with &, and means
       * nothing by it */
      signals.is_taken[i] = numbers[i] != SIGHUP || signals.before[i].sa_handler != SIG_IGN;
      if (signals.is_taken[i])
        sigaction (numbers[i], &action, NULL);
    }
}

/* Puts the old handlers back, unless a signal came: a second one may still ask to end at once. */
void
cli_signals_end (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (signals.is_taken[i] && __atomic_load_n (&first_ns, __ATOMIC_SEQ_CST) == 0)
      sigaction (numbers[i], &signals.before[i], NULL);
  if (signals.source != 0)
    g_source_remove (signals.source);
  signals.source = 0;
  g_clear_object (&signals.cancellable);
}
