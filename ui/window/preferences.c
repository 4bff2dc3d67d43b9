/* preferences.c: the preferences window
 *
 * SPDX-License-Identifier: MIT
 */
#include "preferences.h"

#include <glib/gi18n-lib.h>

#include "parts/file-dialog.h"
#include "parts/settings.h"
#include "parts/wheel.h"
#include "model/fields.h"
#include "parts/template.h"

struct _MemlanePreferences
{
  AdwPreferencesWindow parent_instance;

  char *run_folder;
  AdwPreferencesGroup *appearance, *figures;
  AdwComboRow *color_scheme, *export_style;
  GtkSwitch *projector_dark;
  GtkSpinButton *export_width, *export_height;
  AdwActionRow *folder_row;
};

G_DEFINE_FINAL_TYPE (MemlanePreferences, memlane_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* In the order of the rows' models. */
static const char *const schemes[] = { "system", "light", "dark", NULL };
static const char *const styles[] = { "print", "screen", "dark", "projector", NULL };

static gboolean
word_to_place (GValue *value, GVariant *variant, gpointer words)
{
  const char *const *word = words;
  guint i;

  for (i = 0; word[i] != NULL; i++)
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
bind_words (const char *key, AdwComboRow *row, const char *const *words)
{
  if (memlane_settings_has (key))
    g_settings_bind_with_mapping (memlane_settings_get (), key, row, "selected", G_SETTINGS_BIND_DEFAULT, word_to_place, place_to_word,
                                  (gpointer) words, NULL);
}

static void
bind_plain (const char *key, gpointer object, const char *property)
{
  if (memlane_settings_has (key))
    g_settings_bind (memlane_settings_get (), key, object, property, G_SETTINGS_BIND_DEFAULT);
}

static void
folder_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlanePreferences) self = data;
  g_autofree char *title = NULL;

  if (trouble == NULL)
    return;
  title = g_markup_escape_text (trouble, -1);
  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (self), adw_toast_new (title));
}

static void
open_folder_cb (MemlanePreferences *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->run_folder);

  g_mkdir_with_parents (self->run_folder, 0700); /* before the first run it may not be there */
  memlane_file_dialog_show_folder (GTK_WINDOW (self), folder, folder_shown_cb, g_object_ref (self));
}

MEMLANE_DEFINE_RELEASE (MemlanePreferences, memlane_preferences, finalize, OWNS (run_folder, g_free))

static void
memlane_preferences_class_init (MemlanePreferencesClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/preferences.ui");
  MEMLANE_BIND_CHILDREN (MemlanePreferences, appearance, figures, color_scheme, export_style, projector_dark, export_width, export_height,
                                             folder_row);
  MEMLANE_BIND_CALLBACKS (open_folder_cb);
}

static void
memlane_preferences_init (MemlanePreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_wheel_pass (GTK_WIDGET (self));
}

MemlanePreferences *
memlane_preferences_new (GtkWindow *parent, const char *run_folder)
{
  MemlanePreferences *self = g_object_new (MEMLANE_TYPE_PREFERENCES, "transient-for", parent, NULL);
  g_autofree char *escaped = g_markup_escape_text (run_folder, -1);

  self->run_folder = g_strdup (run_folder);
  adw_action_row_set_subtitle (self->folder_row, escaped);
  bind_words ("color-scheme", self->color_scheme, schemes);
  bind_words ("export-style", self->export_style, styles);
  bind_plain ("projector-dark", self->projector_dark, "active");
  bind_plain ("export-width", self->export_width, "value");
  bind_plain ("export-height", self->export_height, "value");
  if (memlane_settings_get () == NULL)
    {
      gtk_widget_set_sensitive (GTK_WIDGET (self->appearance), FALSE);
      gtk_widget_set_sensitive (GTK_WIDGET (self->figures), FALSE);
      adw_preferences_group_set_description (self->appearance, _("Settings cannot be kept: their schema is not installed. "
                                                                 "Install Memlane, or point GSETTINGS_SCHEMA_DIR at its data folder."));
    }
  return self;
}
