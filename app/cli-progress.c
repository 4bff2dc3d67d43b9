/* cli-progress.c: how far a sweep is, on standard error
 *
 * SPDX-License-Identifier: MIT
 *
 * On a terminal one line is redrawn at most ten times a second; elsewhere (a log, a pipe) there is a line for each round that is done and
 * one every few seconds, so that a log stays short and still shows that the run is alive.
 */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/size.h"

#define REDRAW_US (100 * 1000)
#define LINE_US (5 * 1000 * 1000)
#define BAR_WIDTH 24

/* A command has one. */
static struct
{
  gboolean quiet, is_terminal, is_drawn;
  gint64 last_us;
  const char *dot;    /* between the parts of a line, in the terminal's character set */
  guint round;        /* in work */
} progress;

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
  progress.quiet = quiet;
  progress.is_terminal = isatty (STDERR_FILENO) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
  progress.dot = g_get_charset (NULL) ? "\302\267" : "-";
  progress.last_us = g_get_monotonic_time ();
}

/* Past what escapes all else that is printed: this is our own, and means what it does to the terminal. */
static void
put (const char *text)
{
  fputs (text, stderr);
  fflush (stderr);
}

void
cli_progress_clear (void)
{
  if (progress.is_drawn)
    put ("\r\033[K");
  progress.is_drawn = FALSE;
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
    g_string_append_printf (text, "round %u of %u %s ", sweep->round, sweep->rounds, progress.dot);
  g_string_append_printf (text, "measurement %u of %u", MIN (sweep->cells_done + 1, sweep->cells_total), sweep->cells_total);
  if (sweep->mode != NULL)
    {
      g_autofree char *size = memlane_size_format (sweep->log2_elements);

      g_string_append_printf (text, " %s %s %s", progress.dot, sweep->mode, size);
    }
  if (left >= 0)
    {
      /* Whole seconds: an estimate with decimals promises too much, and they would flicker. */
      g_autofree char *time = left < 120 ? g_strdup_printf ("%.0f s", ceil (left)) : cli_format_seconds (left);
      g_string_append_printf (text, " %s %s left", progress.dot, time);
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
  progress.is_drawn = TRUE;
}

void
cli_progress_update (MemlaneSweep *sweep)
{
  const MemlaneSweepProgress *now = memlane_sweep_get_progress (sweep);
  gint64 time = g_get_monotonic_time ();
  g_autoptr (GString) text = NULL;

  if (!progress.quiet && !progress.is_terminal && progress.round > 0 && now->round > progress.round)
    {
      g_printerr ("round %u of %u: done\n", progress.round, now->rounds);
      progress.last_us = time;
    }
  progress.round = now->round;
  if (progress.quiet || time - progress.last_us < (progress.is_terminal ? REDRAW_US : LINE_US))
    return;
  progress.last_us = time;
  text = describe (now);
  if (progress.is_terminal)
    draw_bar (text, now->fraction);
  else
    g_printerr ("%s\n", text->str);
}
