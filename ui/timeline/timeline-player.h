/* timeline-player.h: a cursor that runs microseconds in seconds
 *
 * SPDX-License-Identifier: MIT
 *
 * It runs over the stage (what is seen) in about eight seconds, whatever that lasts, by the widget's frame clock, and pauses at the end.
 * Animations switched off (gtk-enable-animations): it advances from event to event, four a second. Times are ns.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct _MemlaneTimelinePlayer MemlaneTimelinePlayer;

/* The calls between player and widget. */
typedef struct
{
  /* Returns the current range of the cursor; @pixel: ns of one px. */
  void (*get_stage) (GtkWidget *widget, double *from, double *to, double *pixel);
  double (*find_next) (GtkWidget *widget, double time);    /* where the first event at @time or later begins; NAN: there is none */
  void (*moved) (GtkWidget *widget, gboolean to_an_event); /* the cursor has */
  void (*changed) (GtkWidget *widget);                     /* it plays now, or pauses */
} MemlaneTimelinePlayerClass;

MemlaneTimelinePlayer *memlane_timeline_player_new (GtkWidget *widget, const MemlaneTimelinePlayerClass *klass);
/* Paused already. */
void memlane_timeline_player_free (MemlaneTimelinePlayer *self);
gboolean memlane_timeline_player_is_playing (const MemlaneTimelinePlayer *self);
double memlane_timeline_player_get_cursor (const MemlaneTimelinePlayer *self); /* NAN: there is none */
void memlane_timeline_player_set_cursor (MemlaneTimelinePlayer *self, double cursor);
/* On from the cursor, or from the beginning where there is none on the stage. */
void memlane_timeline_player_play (MemlaneTimelinePlayer *self);
void memlane_timeline_player_pause (MemlaneTimelinePlayer *self);
/* Pauses, and takes the cursor away. */
void memlane_timeline_player_stop (MemlaneTimelinePlayer *self);
