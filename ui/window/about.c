/* about.c: the About window
 *
 * SPDX-License-Identifier: MIT
 */
#include "about.h"

#include <glib/gi18n-lib.h>

#include "application.h"

static char *
describe_surroundings (MemlaneSession *session)
{
  GListModel *devices = memlane_session_get_devices (session);
  GString *text = g_string_new ("Memlane " MEMLANE_VERSION "\n");
  GdkDisplay *display = gdk_display_get_default ();
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  guint i, n = g_list_model_get_n_items (devices);

  g_string_append_printf (text, "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n", gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version (), adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version (),
                          glib_major_version, glib_minor_version, glib_micro_version);
  g_string_append_printf (text, "%s, %s\n", system != NULL ? system : "unknown system", G_OBJECT_TYPE_NAME (display));
  g_string_append_printf (text, "Runs: %s\n", memlane_run_store_get_folder (memlane_session_get_store (session)));
  for (i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (devices, i);
      const char *reason = memlane_device_item_get_reason (item);

      g_string_append_printf (text, "Device: %s (%s)%s%s\n", memlane_device_item_get_name (item), memlane_device_item_get_id (item),
                              reason != NULL ? ": " : "", reason != NULL ? reason : "");
    }
  return g_string_free (text, FALSE);
}

void
memlane_about_show (GtkWindow *parent, MemlaneSession *session)
{
  g_autofree char *surroundings = describe_surroundings (session);
  GtkWidget *about = adw_about_window_new ();

  g_object_set (about, "transient-for", parent, "modal", TRUE, "destroy-with-parent", TRUE, NULL);
  g_object_set (about, "application-name", "Memlane", "application-icon", MEMLANE_APPLICATION_ID, "version", MEMLANE_VERSION,
                "developer-name", _("The Memlane project"), "license-type", GTK_LICENSE_MIT_X11, "website",
                "https://github.com/memlane/memlane", "issue-url", "https://github.com/memlane/memlane/issues", NULL);
  g_object_set (about, "comments",
                _("Measures what every CUDA memory mode costs: how long the bytes of a vector travel between host and device, how long the "
                  "kernel takes and how much of the link's bandwidth is used, with the interval in which the median lies."),
                "debug-info", surroundings, "debug-info-filename", "memlane.txt",
                /* Translators: your name, and your address if you like */
                "translator-credits", _("translator-credits"), NULL);
  gtk_window_present (GTK_WINDOW (about));
}
