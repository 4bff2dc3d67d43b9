/* resize-cost.h: what a window of another width costs the processor
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <time.h>

#include "ui/ui-test.h"

/* Of the whole process, ms. */
static inline double
processor_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

typedef struct
{
  GtkWidget *widget;
  int width; /* before it is resized */
} Resizing;

static inline gboolean
has_another_width (gpointer data)
{
  Resizing *resizing = data;

  return gtk_widget_get_width (resizing->widget) != resizing->width;
}

/* Until the frame is painted: between the two widths, the least of @tries. */
static inline double
resize_ms (GtkWindow *window, int narrow, int wide, int height, guint tries)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < tries; i++)
    {
      Resizing resizing = { GTK_WIDGET (window), gtk_widget_get_width (GTK_WIDGET (window)) };
      double begin = processor_ms ();

      gtk_window_set_default_size (window, resizing.width > (narrow + wide) / 2 ? narrow : wide, height);
      ui_test_wait (has_another_width (&resizing));
      ui_test_next_frame (GTK_WIDGET (window));
      best = MIN (best, processor_ms () - begin);
      ui_test_spin (300);
    }
  return best;
}
