/* fleet-view.c: what a folder of runs costs in the window: until it is seen, its memory, and frames while it is used
 *
 * SPDX-License-Identifier: MIT
 *
 * fleet-view FOLDER  needs a display; tests/hosts/fleet writes folders of 256 runs. Prints the time from the program's first line until the
 * frame with the folder is painted, the memory, and the processor time of frames. No limit is checked; 60 frames a second are 16.7 ms.
 */
#include <stdio.h>

#include "curves/compare-page.h"
#include "frames.h"
#include "resize-cost.h"
#include "ui/window-fixture.h"

static GtkWidget *
find (Stage *stage, const char *id)
{
  return ui_test_find_id (GTK_WIDGET (memlane_window_get_page (stage->window, "compare")), id);
}

static gboolean
is_shown (gpointer data)
{
  MemlaneChart *chart = MEMLANE_CHART_VIEW (find (data, "strips"))->chart;

  return chart != NULL && gtk_widget_get_mapped (find (data, "strips"));
}

static void
print_memory (const char *when)
{
  g_autofree char *text = NULL;
  const char *line;

  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL) && (line = strstr (text, "VmHWM:")) != NULL)
    g_print ("%s: at most %.0f MiB resident\n", when, g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024);
}

/* The list of machines, up and down. */
static void
scroll (GtkWidget *scrolled, guint round, gpointer data)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  double most = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  gtk_adjustment_set_value (adjustment, most * (round % 2 == 0 ? 1 + round % 50 : 99 - round % 50) / 100);
}

/* The strips, nearer and farther. */
static void
zoom (MemlaneFigureWidget *view, guint round)
{
  gtk_widget_activate_action (GTK_WIDGET (view), round % 2 == 0 ? "chart.zoom-in" : "chart.zoom-out", NULL);
  memlane_figure_widget_invalidate (view);
}

static void
point (MemlaneFigureWidget *view, guint round)
{
  const MemlaneRectangle *area = memlane_plot_get_axes (memlane_figure_widget_get_layout (view)).area;

  g_signal_emit_by_name (find_motion (GTK_WIDGET (view)), "motion", area->x + area->width * (round * 37 % ROUNDS) / ROUNDS,
                         area->y + 5 + round % 3);
}

int
main (int argc, char **argv)
{
  gint64 begin = g_get_monotonic_time (), opened;
  double processor;
  GtkWidget *scrolled;
  Stage stage;

  if (argc < 2)
    {
      g_printerr ("usage: fleet-view FOLDER of runs, as tests/hosts/fleet writes them\n");
      return 77;
    }
  ui_test_init (&argc, &argv);
  g_setenv ("GTK_A11Y", "none", TRUE);
  stage_activate (&stage);
  print_memory ("the window");
  opened = g_get_monotonic_time ();
  processor = processor_ms ();
  {
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (argv[1]);

    memlane_window_open_file (stage.window, file);
  }
  ui_test_wait (is_shown, &stage);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_print ("seen %.2f s after the start, %.2f s after it was opened, %.2f s of processor time\n",
           (double) (g_get_monotonic_time () - begin) / 1e6, (double) (g_get_monotonic_time () - opened) / 1e6,
           (processor_ms () - processor) / 1e3);
  print_memory ("the folder");
  ui_test_spin (1500);
  scrolled = gtk_widget_get_ancestor (find (&stage, "machines"), GTK_TYPE_SCROLLED_WINDOW);
  if (gtk_list_box_get_row_at_index (GTK_LIST_BOX (find (&stage, "machines")), 20) != NULL) /* fewer rows do not scroll */
    (void) measure_changes (scrolled, scroll, NULL, "frame with a scrolled list (main thread)");
  (void) measure_frames (MEMLANE_FIGURE_WIDGET (find (&stage, "strips")), zoom, "frame with all points new (main thread)");
  (void) measure_frames (MEMLANE_FIGURE_WIDGET (find (&stage, "strips")), point, "frame with a moved pointer (main thread)");
  print_memory ("after that");
  stage_close (&stage);
  ui_test_delete (ui_test_home);
  return 0;
}
