/* application.c: one instance, files from the command line, preferences, about
 *
 * SPDX-License-Identifier: MIT
 */
#include "application.h"

#include <fontconfig/fontconfig.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

#include "parts/settings.h"
#include "preferences.h"
#include "model/actions.h"
#include "model/fields.h"

struct _MemlaneApplication
{
  AdwApplication parent_instance;

  GPtrArray *waiting;    /* (element-type GFile): for the window after the one that is closing */
  gboolean wanted_again; /* a second start came while the window was closing */
  guint signals[2];
};

G_DEFINE_FINAL_TYPE (MemlaneApplication, memlane_application, ADW_TYPE_APPLICATION)

static MemlaneWindow *
find_window (MemlaneApplication *self)
{
  GList *window;

  for (window = gtk_application_get_windows (GTK_APPLICATION (self)); window != NULL;
       window = window->next)
    if (MEMLANE_IS_WINDOW (window->data))
      return window->data;
  return NULL;
}

/* NULL while the last window is closing: it still holds the run folder. */
static MemlaneWindow *
present_window (MemlaneApplication *self)
{
  MemlaneWindow *window = find_window (self);

  if (window != NULL && memlane_window_is_closing (window))
    {
      self->wanted_again = TRUE;
      return NULL;
    }
  if (window == NULL)
    window = memlane_window_new (ADW_APPLICATION (self), memlane_models_new (NULL));
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
memlane_application_activate (GApplication *application)
{
  present_window (MEMLANE_APPLICATION (application));
}

static void
memlane_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  MemlaneApplication *self = MEMLANE_APPLICATION (application);
  MemlaneWindow *window = present_window (self);

  for (int i = 0; i < n_files; i++)
    if (window != NULL)
      memlane_window_open_file (window, files[i]);
    else
      g_ptr_array_add (self->waiting, g_object_ref (files[i]));
}

static void
memlane_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  MemlaneApplication *self = MEMLANE_APPLICATION (application);
  g_autoptr (GPtrArray) files = NULL;

  if (MEMLANE_IS_WINDOW (window) && self->wanted_again)
    {
      MemlaneWindow *next;

      self->wanted_again = FALSE;
      files = g_steal_pointer (&self->waiting);
      self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
      g_application_hold (G_APPLICATION (self)); /* or the removal below ends the program */
      GTK_APPLICATION_CLASS (memlane_application_parent_class)
          ->window_removed (application, window);
      next = present_window (self);
      for (guint i = 0; next != NULL && i < files->len; i++)
        memlane_window_open_file (next, g_ptr_array_index (files, i));
      g_application_release (G_APPLICATION (self));
      return;
    }
  GTK_APPLICATION_CLASS (memlane_application_parent_class)->window_removed (application, window);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void
quit_cb (MemlaneApplication *self)
{
  MemlaneWindow *window = find_window (self);

  if (window != NULL)
    gtk_window_close (GTK_WINDOW (window));
  else
    g_application_quit (G_APPLICATION (self));
}

static void
preferences_cb (MemlaneApplication *self)
{
  MemlaneWindow *window = find_window (self);
  MemlaneRunStore *store;

  if (window == NULL || memlane_window_is_closing (window))
    return;
  store = memlane_window_get_models (window)->runs;
  gtk_window_present (
      memlane_preferences_new (GTK_WINDOW (window), memlane_run_store_get_folder (store)));
}

static char *
describe_surroundings (const MemlaneModels *models)
{
  GListModel *devices = memlane_device_choice_get_devices (models->devices);
  GString *text = g_string_new ("Memlane " MEMLANE_VERSION "\n");
  GdkDisplay *display = gdk_display_get_default ();
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);

  g_string_append_printf (text, "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n",
                          gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version (), adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version (), glib_major_version,
                          glib_minor_version, glib_micro_version);
  g_string_append_printf (text, "%s, %s\n", system != NULL ? system : "unknown system",
                          G_OBJECT_TYPE_NAME (display));
  g_string_append_printf (text, "Runs: %s\n", memlane_run_store_get_folder (models->runs));
  MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, devices)
    g_string_append_printf (text, "Device: %s (%s)%s%s\n", item->name, item->id,
                            item->reason != NULL ? ": " : "",
                            item->reason != NULL ? item->reason : "");
  return g_string_free (text, FALSE);
}

/* Shows versions and devices, to copy into a report of trouble. */
static void
show_about (GtkWindow *parent, const MemlaneModels *models)
{
  g_autofree char *surroundings = describe_surroundings (models);
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/memlane/Memlane/about.ui");
  GObject *about = gtk_builder_get_object (builder, "about");

  g_object_set (about, "transient-for", parent, "application-icon", MEMLANE_APPLICATION_ID,
                "version", MEMLANE_VERSION, "debug-info", surroundings, NULL);
  gtk_window_present (GTK_WINDOW (about));
}

static void
about_cb (MemlaneApplication *self)
{
  MemlaneWindow *window = find_window (self);

  if (window != NULL && !memlane_window_is_closing (window))
    show_about (GTK_WINDOW (window), memlane_window_get_models (window));
}

static void
add_keys (GtkApplication *application)
{
  static const struct
  {
    const char *action, *keys[3];
  } keys[] = {
    { "win.run-page", { "<Control>r", "F5" } },
    { "win.stop", { "<Control>period" } },
    { "win.plan", { "<Control>l" } },
    { "win.open", { "<Control>o" } },
    { "win.export-csv", { "<Control>s" } },
    { "win.export-figure", { "<Control>e" } },
    { "win.copy-figure", { "<Control><Shift>c" } },
    { "win.print", { "<Control>p" } },
    { "win.projector", { "F11" } },
    { "win.side-panel", { "F9" } },
    { "win.run-experiment", { "<Control><Shift>e" } },
    { "win.record-trace", { "<Control><Shift>r" } },
    { "win.export-trace", { "<Control><Shift>s" } },
    { "win.undo-remove", { "<Control>z" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "app.preferences", { "<Control>comma" } },
    { "app.quit", { "<Control>q" } },
    { "window.close", { "<Control>w" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (application, keys[i].action, keys[i].keys);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
scheme_cb (GSettings *settings, const char *key, gpointer data)
{
  memlane_color_scheme_renew ();
}

/* A terminal's Ctrl+C and a session's end close the window as the person does: what was measured is
 * kept. */
static gboolean
terminated_cb (gpointer data)
{
  g_action_group_activate_action (data, "quit", NULL);
  return G_SOURCE_CONTINUE;
}

/* Noto Sans CJK has 1 to 4 only, so that the 0 of 2²⁰ came from another font, lower and smaller. */
#define DIGITS \
  "<charset><int>0x2070</int><int>0xb9</int><range><int>0xb2</int><int>0xb3</int></range>" \
  "<range><int>0x2074</int><int>0x2079</int></range></charset>"

/* Takes the digits of an exponent from one font. It comes before the first text: Pango remembers
 * what a font can write. */
static void
unify_superscripts (void)
{
  /* A font that lacks one of the ten is asked for none of them. */
  static const char rule[] =
      "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM "
      "\"urn:fontconfig:fonts.dtd\"><fontconfig><match target=\"font\">"
      "<test name=\"charset\" compare=\"not_contains\">" DIGITS "</test>"
      "<edit name=\"charset\" mode=\"assign\"><minus><name>charset</name>" DIGITS "</minus></edit>"
      "</match></fontconfig>";

  if (!FcConfigParseAndLoadFromMemory (FcConfigGetCurrent (), (const FcChar8 *) rule, FcTrue))
    g_warning ("fontconfig does not take the rule for superscripts; they may be of several fonts");
}

static void
memlane_application_startup (GApplication *application)
{
  MemlaneApplication *self = MEMLANE_APPLICATION (application);

  unify_superscripts ();
  G_APPLICATION_CLASS (memlane_application_parent_class)->startup (application);
  /* a file that may not grow is trouble to tell, not the program's end */
  signal (SIGXFSZ, SIG_IGN);
  memlane_actions_add (self, (const MemlaneAction[]) {
    { "quit", self, G_CALLBACK (quit_cb) },
    { "preferences", self, G_CALLBACK (preferences_cb) },
    { "about", self, G_CALLBACK (about_cb) },
    { NULL },
  });
  add_keys (GTK_APPLICATION (application));
  gtk_window_set_default_icon_name (MEMLANE_APPLICATION_ID);
  /* a claim on the wall would be blue */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  memlane_color_scheme_apply (FALSE);
  if (memlane_settings_has ("color-scheme"))
    g_signal_connect_object (memlane_settings_get (), "changed::color-scheme",
                             G_CALLBACK (scheme_cb), application, 0);
  if (memlane_settings_has ("projector-dark"))
    g_signal_connect_object (memlane_settings_get (), "changed::projector-dark",
                             G_CALLBACK (scheme_cb), application, 0);
  self->signals[0] = g_unix_signal_add (SIGTERM, terminated_cb, application);
  self->signals[1] = g_unix_signal_add (SIGINT, terminated_cb, application);
}

static void
memlane_application_dispose (GObject *object)
{
  MemlaneApplication *self = MEMLANE_APPLICATION (object);

  g_clear_handle_id (&self->signals[0], g_source_remove);
  g_clear_handle_id (&self->signals[1], g_source_remove);
  G_OBJECT_CLASS (memlane_application_parent_class)->dispose (object);
}

/* Before GTK would end the program for want of a display, with a sentence that helps nobody. */
static int
memlane_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("memlane %s\n", MEMLANE_VERSION);
      return 0;
    }
  if (!gtk_init_check ())
    {
      g_printerr ("memlane: %s\n",
                  _("there is no display for the window. Start it in a desktop session, or set "
                    "DISPLAY or WAYLAND_DISPLAY. "
                    "Without a display, use memlane-cli: memlane-cli sweep --csv run.csv"));
      return 1;
    }
  return -1;
}

MEMLANE_DEFINE_RELEASE (MemlaneApplication, memlane_application, finalize,
                        OWNS (waiting, g_ptr_array_unref))

static void
memlane_application_class_init (MemlaneApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = memlane_application_dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  application_class->activate = memlane_application_activate;
  application_class->open = memlane_application_open;
  application_class->startup = memlane_application_startup;
  application_class->handle_local_options = memlane_application_handle_local_options;
  GTK_APPLICATION_CLASS (class)->window_removed = memlane_application_window_removed;
}

static void
memlane_application_init (MemlaneApplication *self)
{
  static const GOptionEntry options[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Say which version this is"), NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (
      G_APPLICATION (self), _("[RUN.csv|TRACE.json|NAME.experiment|NAME.lesson…]"));
  g_application_set_option_context_summary (
      G_APPLICATION (self), _("Measures, draws and explains what every CUDA memory mode costs."));
}

/* Ends the list of languages at English, which has no catalogue: gettext would show the next
 * language instead. */
static void
end_languages_at_english (void)
{
  const char *all = g_getenv ("LANGUAGE");

  for (const char *at = all; at != NULL && *at != '\0'; at += strcspn (at, ":"), at += *at == ':')
    if (g_str_has_prefix (at, "en") && !g_ascii_isalpha (at[2]))
      {
        g_autofree char *until = g_strndup (all, at + strcspn (at, ":") - all);

        g_setenv ("LANGUAGE", until, TRUE);
        return;
      }
}

MemlaneApplication *
memlane_application_new (void)
{
  const char *folder = g_getenv ("MEMLANE_LOCALE_DIR"); /* a build tree's */

  end_languages_at_english ();
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : MEMLANE_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  /* ngettext() looks nowhere else: gi18n-lib.h redirects the others alone */
  textdomain (GETTEXT_PACKAGE);
  return g_object_new (MEMLANE_TYPE_APPLICATION, "application-id", MEMLANE_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, NULL);
}
