/* window-probe.h: when a window's first frame was painted, and what its process weighs two seconds later
 *
 * SPDX-License-Identifier: MIT
 *
 * The parent leaves the start's monotonic time in $MEMLANE_PROBE_START (µs). Prints "first_frame_ms X" and, when the process has settled,
 * "pss_mib X" and "private_mib X".
 */
#pragma once

#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE_SETTLE_MS 2000

static inline double
probe_smaps (const char *key)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL) || (line = strstr (text, key)) == NULL)
    return 0;
  return g_ascii_strtod (line + strlen (key), NULL) / 1024;
}

static inline void
probe_weigh (void)
{
  printf ("pss_mib %.1f\n", probe_smaps ("\nPss:"));
  printf ("private_mib %.1f\n", probe_smaps ("\nPrivate_Dirty:"));
  fflush (stdout);
}

static inline gboolean
probe_settled_cb (gpointer data)
{
  probe_weigh ();
  g_application_quit (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

static inline void
probe_painted_cb (GdkFrameClock *clock, gpointer data)
{
  const char *start = g_getenv ("MEMLANE_PROBE_START");

  g_signal_handlers_disconnect_by_func (clock, probe_painted_cb, data);
  printf ("first_frame_ms %.1f\n", (g_get_monotonic_time () - (start != NULL ? g_ascii_strtoll (start, NULL, 10) : 0)) / 1000.0);
  fflush (stdout);
  if (data == NULL)
    g_timeout_add (PROBE_SETTLE_MS, probe_settled_cb, NULL);
}

static inline void
probe_realized_cb (GtkWidget *window, gpointer data)
{
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (probe_painted_cb), data);
}

/* Call before the window is presented. */
static inline void
probe_watch (GtkWindow *window)
{
  g_signal_connect (window, "realize", G_CALLBACK (probe_realized_cb), NULL);
}
