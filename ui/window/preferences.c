/* preferences.c: the preferences window, and the colours that they ask for
 *
 * SPDX-License-Identifier: MIT
 */
#include "preferences.h"

#include <glib/gi18n-lib.h>

#include "parts/file-dialog.h"
#include "parts/settings.h"
#include "parts/widgets.h"

/* The order is that of the rows' models. */
static const char *const schemes[] = { "system", "light", "dark", NULL };
static const char *const styles[] = { "print", "screen", "dark", "projector", NULL };

static gboolean
word_to_place (GValue *value, GVariant *variant, gpointer words)
{
  const char *const *word = words;

  for (guint i = 0; word[i] != NULL; i++)
    if (g_str_equal (word[i], g_variant_get_string (variant, NULL)))
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
place_to_word (const GValue *value, const GVariantType *type, gpointer words)
{
  const char *const *word = words;
  guint place = g_value_get_uint (value);

  return place < g_strv_length (words) ? g_variant_new_string (word[place]) : NULL;
}

static void
bind_words (const char *key, gpointer row, const char *const *words)
{
  if (memlane_settings_has (key))
    g_settings_bind_with_mapping (memlane_settings_get (), key, row, "selected",
                                  G_SETTINGS_BIND_DEFAULT, word_to_place, place_to_word,
                                  (gpointer) words, NULL);
}

static void
bind_plain (const char *key, gpointer object, const char *property)
{
  if (memlane_settings_has (key))
    g_settings_bind (memlane_settings_get (), key, object, property, G_SETTINGS_BIND_DEFAULT);
}

static void
folder_shown_cb (const char *trouble, gpointer window)
{
  g_autoptr (AdwPreferencesWindow) self = window;
  g_autofree char *title = trouble != NULL ? g_markup_escape_text (trouble, -1) : NULL;

  if (title != NULL)
    adw_preferences_window_add_toast (self, adw_toast_new (title));
}

/* @folder: where the row of the folder says that it is */
static void
open_folder_cb (GtkWidget *button, GFile *folder)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (button));

  /* before the first run it may not be there */
  (void) g_file_make_directory_with_parents (folder, NULL, NULL);
  memlane_file_dialog_show_folder (window, folder, folder_shown_cb, g_object_ref (window));
}

GtkWindow *
memlane_preferences_new (GtkWindow *parent, const char *run_folder)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (
      "/io/github/memlane/Memlane/preferences.ui");
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "preferences"));
  g_autofree char *escaped = g_markup_escape_text (run_folder, -1);

  gtk_window_set_transient_for (window, parent);
  memlane_wheel_pass (GTK_WIDGET (window));
  g_object_set (gtk_builder_get_object (builder, "folder_row"), "subtitle", escaped, NULL);
  g_signal_connect_data (gtk_builder_get_object (builder, "open_folder"), "clicked",
                         G_CALLBACK (open_folder_cb), g_file_new_for_path (run_folder),
                         (GClosureNotify) (GCallback) g_object_unref, 0);
  bind_words ("color-scheme", gtk_builder_get_object (builder, "color_scheme"), schemes);
  bind_words ("export-style", gtk_builder_get_object (builder, "export_style"), styles);
  bind_plain ("projector-dark", gtk_builder_get_object (builder, "projector_dark"), "active");
  bind_plain ("export-width", gtk_builder_get_object (builder, "export_width"), "value");
  bind_plain ("export-height", gtk_builder_get_object (builder, "export_height"), "value");
  if (memlane_settings_get () == NULL)
    {
      GObject *appearance = gtk_builder_get_object (builder, "appearance");

      g_object_set (appearance, "sensitive", FALSE, NULL);
      g_object_set (gtk_builder_get_object (builder, "figures"), "sensitive", FALSE, NULL);
      adw_preferences_group_set_description (
          ADW_PREFERENCES_GROUP (appearance),
          _("Settings cannot be kept: their schema is not installed. "
             "Install Memlane, or point GSETTINGS_SCHEMA_DIR at its data folder."));
    }
  return window;
}

/* --- colours ---------------------------------------------------------------------------------- */

static gboolean projecting;

void
memlane_color_scheme_apply (gboolean projector)
{
  projecting = projector;
  memlane_color_scheme_renew ();
}

void
memlane_color_scheme_renew (void)
{
  g_autofree char *wanted = memlane_settings_get_string ("color-scheme", "system");
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (projecting)
    scheme = memlane_settings_get_boolean ("projector-dark", FALSE) ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                    : ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (wanted, "light"))
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (wanted, "dark"))
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}
