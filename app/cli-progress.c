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

struct _CliProgress
{
  gboolean quiet, is_terminal, is_drawn;
  gint64 last_us;
  const char *dot;    /* between the parts of a line, in the terminal's character set */
  guint round;        /* in work */
};

char *
cli_format_seconds (double seconds)
{
  if (seconds < 9.95)
    return g_strdup_printf ("%.1f s", MAX (seconds, 0));
  if (seconds < 120)
    return g_strdup_printf ("%.0f s", seconds);
  return g_strdup_printf ("%.0f min", seconds / 60);
}

CliProgress *
cli_progress_new (gboolean quiet)
{
  CliProgress *self = g_new0 (CliProgress, 1);
  const char *term = g_getenv ("TERM");

  self->quiet = quiet;
  self->is_terminal = isatty (STDERR_FILENO) && g_strcmp0 (term, "dumb") != 0;
  self->dot = g_get_charset (NULL) ? "\302\267" : "-";
  self->last_us = g_get_monotonic_time ();
  return self;
}

void
cli_progress_free (CliProgress *self)
{
  if (self == NULL)
    return;
  cli_progress_clear (self);
  g_free (self);
}

/* Past what escapes all else that is printed: this is our own, and means what it does to the terminal. */
static void
put (const char *text)
{
  fputs (text, stderr);
  fflush (stderr);
}

void
cli_progress_clear (CliProgress *self)
{
  if (self->is_drawn)
    put ("\r\033[K");
  self->is_drawn = FALSE;
}

static guint
terminal_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* "round 2 of 6 · cell 37 of 220 · managed 2^16 · 12 s left" */
static GString *
describe (CliProgress *self, MemlaneSweep *sweep)
{
  GString *text = g_string_new (NULL);
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  guint done = progress->cells_done, total = progress->cells_total;
  double left = progress->seconds_left;

  if (progress->waiting != NULL)
    {
      g_string_append_printf (text, "waiting: %s", progress->waiting);
      return text;
    }
  if (progress->rounds > 1)
    g_string_append_printf (text, "round %u of %u %s ", progress->round, progress->rounds, self->dot);
  g_string_append_printf (text, "measurement %u of %u", MIN (done + 1, total), total);
  if (progress->mode != NULL)
    {
      g_autofree char *size = memlane_size_format (progress->log2_elements);

      g_string_append_printf (text, " %s %s %s", self->dot, progress->mode, size);
    }
  if (left >= 0)
    {
      /* Whole seconds: an estimate with decimals promises too much, and they would flicker. */
      g_autofree char *time = left < 120 ? g_strdup_printf ("%.0f s", ceil (left)) : cli_format_seconds (left);
      g_string_append_printf (text, " %s %s left", self->dot, time);
    }
  return text;
}

static void
draw_bar (CliProgress *self, MemlaneSweep *sweep)
{
  g_autoptr (GString) text = describe (self, sweep);
  g_autofree char *line = NULL;
  guint width = terminal_width ();
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  glong length = g_utf8_strlen (text->str, -1);

  if (length + BAR_WIDTH + 3 < width)
    {
      guint filled = (guint) (progress->fraction * BAR_WIDTH);

      g_string_append (text, " [");
      for (guint i = 0; i < BAR_WIDTH; i++)
        g_string_append_c (text, i < filled ? '#' : '-');
      g_string_append_c (text, ']');
    }
  else if (length >= width && width > 1) /* a line that wraps could not be redrawn */
    g_string_truncate (text, g_utf8_offset_to_pointer (text->str, width - 1) - text->str);
  line = g_strdup_printf ("\r%s\033[K", text->str);
  put (line);
  self->is_drawn = TRUE;
}

void
cli_progress_update (CliProgress *self, MemlaneSweep *sweep)
{
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  gint64 now = g_get_monotonic_time ();

  if (!self->quiet && !self->is_terminal && self->round > 0 && progress->round > self->round)
    {
      g_printerr ("round %u of %u: done\n", self->round, progress->rounds);
      self->last_us = now;
    }
  self->round = progress->round;
  if (self->quiet || now - self->last_us < (self->is_terminal ? REDRAW_US : LINE_US))
    return;
  self->last_us = now;
  if (self->is_terminal)
    draw_bar (self, sweep);
  else
    {
      g_autoptr (GString) text = describe (self, sweep);
      g_printerr ("%s\n", text->str);
    }
}
