/* frames.h: a figure widget in a window of its own, and what its frames cost
 *
 * SPDX-License-Identifier: MIT
 *
 * Beside it stands what a window takes that shows nothing but a picture of that size: that part is GTK's, and the display's.
 */
#pragma once

#include <adwaita.h>

#include "parts/figure-widget.h"
#include "times.h"

#define WIDTH 1920
#define HEIGHT 1080
#define ROUNDS 101

static inline gboolean
over_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static inline gboolean
open_display (void)
{
  if (gtk_init_check ())
    {
      adw_init ();
      return TRUE;
    }
  g_print ("no display: run it under xvfb-run -a -s \"-screen 0 1920x1080x24 -noreset\"\n");
  return FALSE;
}

/* Returns when it has settled. */
static inline GtkWidget *
open_window (GtkWidget *view)
{
  GtkWidget *window = gtk_window_new ();
  gboolean settled = FALSE;

  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_widget_set_size_request (view, WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window));
  g_timeout_add (500, over_cb, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);
  g_print ("%dx%d, renderer %s\n", gtk_widget_get_width (view), gtk_widget_get_height (view),
           G_OBJECT_TYPE_NAME (gtk_native_get_renderer (GTK_NATIVE (window))));
  return window;
}

static inline GtkEventController *
find_motion (GtkWidget *view)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (view);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        return controller;
    }
  return NULL;
}

/* --- frames of the real window ------------------------------------------------------------------------------------------------ */

typedef void (*Change) (MemlaneFigureWidget *view, guint round);
typedef void (*ChangeWidget) (GtkWidget *widget, guint round, gpointer data);

typedef struct
{
  double start; /* 0: none is under way */
  double times[ROUNDS];
  guint n;
} Frames;

static inline void
before_paint_cb (GdkFrameClock *clock, Frames *frames)
{
  frames->start = now ();
}

static inline void
after_paint_cb (GdkFrameClock *clock, Frames *frames)
{
  if (frames->start > 0 && frames->n < ROUNDS)
    frames->times[frames->n++] = now () - frames->start;
  frames->start = 0;
}

/* The change itself, and the frame that follows: everything between two ticks of the window's clock. The median, ms; 0: there were none. */
static inline double
measure_changes (GtkWidget *widget, ChangeWidget change, gpointer data, const char *what)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  Frames frames = { 0 };
  gboolean over = FALSE;
  guint watchdog = g_timeout_add_seconds (60, over_cb, &over);

  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &frames);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &frames);
  for (guint i = 0; frames.n < ROUNDS && !over; i++)
    {
      guint n = frames.n;
      double start = now (), changed;

      change (widget, i, data);
      changed = now () - start;
      while (frames.n == n && !over)
        g_main_context_iteration (NULL, TRUE);
      if (frames.n > n)
        frames.times[n] += changed;
    }
  g_signal_handlers_disconnect_by_data (clock, &frames);
  if (!over)
    g_source_remove (watchdog);
  if (frames.n == 0)
    return 0;
  print_times (what, frames.times, frames.n);
  return frames.times[frames.n / 2];
}

static inline void
change_figure (GtkWidget *widget, guint round, gpointer change)
{
  (*(Change *) change) (MEMLANE_FIGURE_WIDGET (widget), round);
  memlane_figure_widget_redraw (MEMLANE_FIGURE_WIDGET (widget), MEMLANE_FIGURE_OVERLAY);
}

static inline double
measure_frames (MemlaneFigureWidget *view, Change change, const char *what)
{
  return measure_changes (GTK_WIDGET (view), change_figure, &change, what);
}

/* Of frames in which all pixels of a figure are new; @bare is what measure_bare_frames() said. */
static inline void
measure_redraws (MemlaneFigureWidget *view, Change change, const char *what, double bare)
{
  double median = measure_frames (view, change, what);

  g_print ("%-48s median %7.2f ms\n", "  less what GTK alone takes", median - bare);
}

static inline void
change_picture (GtkWidget *picture, guint round, gpointer pixels)
{
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (WIDTH, HEIGHT, GDK_MEMORY_DEFAULT, pixels, 4 * WIDTH);

  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
}

/* New pixels all over a window of GTK's alone. GSK_RENDERER=cairo copies a texture, but no layer of ours: nothing to compare there. */
static inline double
measure_bare_frames (const char *what)
{
  g_autoptr (GBytes) pixels = g_bytes_new_take (g_malloc0 (4 * WIDTH * HEIGHT), 4 * WIDTH * HEIGHT);
  GtkWidget *picture = gtk_picture_new (), *window = open_window (picture);
  double median = measure_changes (picture, change_picture, pixels, what);

  gtk_window_destroy (GTK_WINDOW (window));
  return median;
}
