/* timeline-player.c: a cursor that runs microseconds in seconds
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-player.h"

#include <math.h>

#define SECONDS 8.0       /* from one side of the stage to the other */
#define LONGEST_FRAME 0.1 /* s: a window that was hidden for a while goes on where it was */
#define STEP_MILLISECONDS 250

struct _MemlaneTimelinePlayer
{
  GtkWidget *widget; /* the owner */
  const MemlaneTimelinePlayerClass *klass;
  gboolean playing;
  double cursor;     /* ns; NAN: none */
  guint tick, timer; /* by the frame clock, or event by event */
  gint64 last;       /* us of the frame clock; 0: it has not ticked yet */
  gboolean passed;   /* event by event: the one under the cursor has had its turn */
};

MemlaneTimelinePlayer *
memlane_timeline_player_new (GtkWidget *widget, const MemlaneTimelinePlayerClass *klass)
{
  MemlaneTimelinePlayer *self = g_new0 (MemlaneTimelinePlayer, 1);

  self->widget = widget;
  self->klass = klass;
  self->cursor = NAN;
  return self;
}

void
memlane_timeline_player_free (MemlaneTimelinePlayer *self)
{
  g_free (self);
}

gboolean
memlane_timeline_player_is_playing (const MemlaneTimelinePlayer *self)
{
  return self->playing;
}

double
memlane_timeline_player_get_cursor (const MemlaneTimelinePlayer *self)
{
  return self->cursor;
}

void
memlane_timeline_player_set_cursor (MemlaneTimelinePlayer *self, double cursor)
{
  self->cursor = cursor;
  self->klass->moved (self->widget, FALSE);
}

void
memlane_timeline_player_pause (MemlaneTimelinePlayer *self)
{
  if (!self->playing)
    return;
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (self->widget, self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->playing = FALSE;
  self->klass->changed (self->widget);
}

void
memlane_timeline_player_stop (MemlaneTimelinePlayer *self)
{
  memlane_timeline_player_pause (self);
  if (!isnan (self->cursor))
    memlane_timeline_player_set_cursor (self, NAN);
}

/* FALSE: it has come to the end. */
static gboolean
put_cursor (MemlaneTimelinePlayer *self, double time, gboolean to_an_event)
{
  double from, to, pixel;

  self->klass->get_stage (self->widget, &from, &to, &pixel);
  self->cursor = CLAMP (time, from, to); /* it follows what is seen */
  self->klass->moved (self->widget, to_an_event && time < to);
  return time < to;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  MemlaneTimelinePlayer *self = data;
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double passed = self->last == 0 ? 0 : CLAMP ((now - self->last) / (double) G_USEC_PER_SEC, 0, LONGEST_FRAME), from, to, pixel;

  self->last = now;
  self->klass->get_stage (widget, &from, &to, &pixel);
  if (put_cursor (self, MAX (self->cursor, from) + passed * (to - from) / SECONDS, FALSE))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  memlane_timeline_player_pause (self);
  return G_SOURCE_REMOVE;
}

/* From beginning to beginning, as far as they can be told apart. */
static gboolean
step_cb (gpointer data)
{
  MemlaneTimelinePlayer *self = data;
  double from, to, pixel, next;

  self->klass->get_stage (self->widget, &from, &to, &pixel);
  next = self->klass->find_next (self->widget,
                                 self->cursor < from || !self->passed ? MAX (self->cursor, from) : self->cursor + pixel);
  self->passed = TRUE;
  if (!isnan (next) && put_cursor (self, next, TRUE))
    return G_SOURCE_CONTINUE;
  put_cursor (self, to, FALSE);
  self->timer = 0;
  memlane_timeline_player_pause (self);
  return G_SOURCE_REMOVE;
}

void
memlane_timeline_player_play (MemlaneTimelinePlayer *self)
{
  double from, to, pixel;
  gboolean animated;

  if (self->playing)
    return;
  g_object_get (gtk_widget_get_settings (self->widget), "gtk-enable-animations", &animated, NULL);
  self->klass->get_stage (self->widget, &from, &to, &pixel);
  self->last = 0;
  self->passed = self->cursor >= from && self->cursor < to; /* it goes on after the event where it stands */
  if (!self->passed)
    self->cursor = from;
  self->playing = TRUE;
  if (animated)
    self->tick = gtk_widget_add_tick_callback (self->widget, tick_cb, self, NULL);
  else
    self->timer = g_timeout_add (STEP_MILLISECONDS, step_cb, self);
  self->klass->changed (self->widget);
}
