/* bare-window.c: the least GTK 4 + libadwaita window: what every such program costs, to be taken off Memlane's figures
 *
 * SPDX-License-Identifier: MIT
 */
#include <adwaita.h>

#include "window-probe.h"

static void
activate_cb (GApplication *application)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (application));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  probe_watch (GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) application = adw_application_new ("io.github.memlane.Bare", G_APPLICATION_NON_UNIQUE);

  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), NULL);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
