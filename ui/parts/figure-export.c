/* figure-export.c: how a figure is to be written: title, caption, size, style and format, with a
 * preview
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-export.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "model/actions.h"
#include "settings.h"

#define PREVIEW_WIDTH 560 /* px */
#define FINE 4            /* pixels per px of what is printed small */

typedef struct
{
  double mm;            /* wide on paper; 0: as in the preferences */
  double width, height; /* px; of the layout, and so of the text in it */
} Size;

/* The order is the template's, and so is that of the styles below. */
static const Size sizes[] = {
  { 338.7, 587, 330 }, /* text of 18 points */
  { 85, 321, 242 },
  { 178, 673, 404 },
  { 594, 1123, 674 }, /* text of twice the size */
  { 0, 0, 0 },
};

static const MemlaneStyleKind styles[] = { MEMLANE_STYLE_PRINT, MEMLANE_STYLE_SCREEN,
                                           MEMLANE_STYLE_DARK, MEMLANE_STYLE_PROJECTOR };

typedef struct
{
  GtkWindow *window;
  MemlaneDrawing *drawing;
  GtkWidget *preview, *title, *caption;
  GtkWidget *size, *style, *format;
  MemlaneFigureChosen chosen;
  gpointer user_data;
} Ask;

void
memlane_figure_choice_free (MemlaneFigureChoice *choice)
{
  memlane_drawing_free (choice->drawing);
  g_free (choice);
}

/* Closing the window without choosing cancels. */
static void
ask_free (gpointer data)
{
  Ask *ask = data;

  if (ask->chosen != NULL)
    ask->chosen (NULL, ask->user_data);
  memlane_drawing_free (ask->drawing);
  g_free (ask);
}

/* --- the choice ------------------------------------------------------------------------------- */

static MemlaneDrawing *
make_drawing (const Ask *ask)
{
  const char *title = gtk_editable_get_text (GTK_EDITABLE (ask->title));

  /* An empty entry: the figure's own. */
  return ask->drawing->klass->entitle != NULL
           ? ask->drawing->klass->entitle (ask->drawing->content, *title != '\0' ? title : NULL,
                                           gtk_switch_get_active (GTK_SWITCH (ask->caption)))
           : NULL;
}

static guint
get_selected (GtkWidget *row, guint n)
{
  return MIN (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), n - 1);
}

/* Without a drawing. */
static void
fill_choice (const Ask *ask, MemlaneFigureChoice *choice)
{
  const Size *size = &sizes[get_selected (ask->size, G_N_ELEMENTS (sizes))];
  gboolean fixed = ask->drawing->klass->measure_height != NULL;
  guint n;
  const MemlaneExportFormat *formats = memlane_export_list (&n);

  choice->style = memlane_style_get (styles[get_selected (ask->style, G_N_ELEMENTS (styles))]);
  choice->format = &formats[get_selected (ask->format, n)];
  choice->scale = 1;
  choice->width =
      size->mm > 0 ? (int) size->width : memlane_settings_get_int ("export-width", 1280);
  choice->height = fixed          ? 0
                   : size->mm > 0 ? (int) size->height
                                  : memlane_settings_get_int ("export-height", 720);
  if (size->mm > 0 && choice->format->is_pixels)
    choice->scale = size->width < 1200 ? FINE : 1.5;
  else if (size->mm > 0)
    choice->scale = size->mm * MEMLANE_EXPORT_PX_PER_MM / size->width * choice->format->true_size;
}

static void
update_preview (Ask *ask)
{
  MemlaneFigureChoice choice = { NULL };
  g_autoptr (MemlaneDrawing) entitled = make_drawing (ask);
  g_autoptr (GBytes) png = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  double scale;

  fill_choice (ask, &choice);
  scale = CLAMP (2.0 * PREVIEW_WIDTH / MAX (choice.width, 1), 0.25, 4);
  png = memlane_export_to_bytes (entitled != NULL ? entitled : ask->drawing, choice.style,
                                 memlane_export_find (".png"), choice.width, choice.height, scale,
                                 NULL);
  texture = png != NULL ? gdk_texture_new_from_bytes (png, NULL) : NULL;
  gtk_picture_set_paintable (GTK_PICTURE (ask->preview), GDK_PAINTABLE (texture));
}

static void
save_cb (Ask *ask)
{
  MemlaneFigureChoice *choice = g_new0 (MemlaneFigureChoice, 1);
  MemlaneFigureChosen chosen = g_steal_pointer (&ask->chosen);
  gpointer user_data = ask->user_data;

  fill_choice (ask, choice);
  choice->drawing = make_drawing (ask);
  if (choice->drawing == NULL)
    choice->drawing = g_steal_pointer (&ask->drawing);
  gtk_window_destroy (ask->window); /* and with it @ask */
  chosen (choice, user_data);
}

static void
copy_caption_cb (Ask *ask, GVariant *latex)
{
  g_autoptr (MemlaneDrawing) entitled = make_drawing (ask);
  g_autofree char *caption = memlane_export_make_caption (
      entitled != NULL ? entitled : ask->drawing, g_variant_get_boolean (latex));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (ask->window)), caption);
}

static void
cancel_cb (Ask *ask)
{
  gtk_window_close (ask->window);
}

/* --- the window ------------------------------------------------------------------------------- */

static void
fill_window (Ask *ask, GtkBuilder *builder)
{
  static const struct
  {
    const char *id, *signal;
    gsize member;
  } asked[] = {
    { "title", "changed", G_STRUCT_OFFSET (Ask, title) },
    { "caption", "notify::active", G_STRUCT_OFFSET (Ask, caption) },
    { "size", "notify::selected", G_STRUCT_OFFSET (Ask, size) },
    { "style", "notify::selected", G_STRUCT_OFFSET (Ask, style) },
    { "format", "notify::selected", G_STRUCT_OFFSET (Ask, format) },
  };
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *style = memlane_settings_get_string ("export-style", "print");
  gboolean entitled = ask->drawing->klass->entitle != NULL;
  guint n;
  const MemlaneExportFormat *formats = memlane_export_list (&n);

  ask->window = GTK_WINDOW (gtk_builder_get_object (builder, "window"));
  ask->preview = GTK_WIDGET (gtk_builder_get_object (builder, "preview"));
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    G_STRUCT_MEMBER (gpointer, ask, asked[i].member) =
        gtk_builder_get_object (builder, asked[i].id);
  gtk_widget_set_visible (ask->title, entitled);
  gtk_widget_set_visible (GTK_WIDGET (gtk_builder_get_object (builder, "caption_row")), entitled);
  for (guint i = 0; i < n - (ask->drawing->klass->to_csv == NULL); i++)
    gtk_string_list_append (names, _(formats[i].name));
  adw_combo_row_set_model (ADW_COMBO_ROW (ask->format), G_LIST_MODEL (names));
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (g_str_equal (memlane_style_get (styles[i])->name, style))
      adw_combo_row_set_selected (ADW_COMBO_ROW (ask->style), i);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    g_signal_connect_swapped (gtk_builder_get_object (builder, asked[i].id), asked[i].signal,
                              G_CALLBACK (update_preview), ask);
}

void
memlane_figure_export_ask (GtkWindow *parent, MemlaneDrawing *drawing, MemlaneFigureChosen chosen,
                           gpointer user_data)
{
  Ask *ask = g_new0 (Ask, 1);
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/memlane/Memlane/figure-export.ui");

  ask->drawing = drawing;
  ask->chosen = chosen;
  ask->user_data = user_data;
  fill_window (ask, builder);
  gtk_window_set_transient_for (ask->window, parent);
  /* The caller holds the parent until the answer, so its destruction would come too late. */
  g_signal_connect_object (parent, "hide", G_CALLBACK (gtk_window_destroy), ask->window,
                           G_CONNECT_SWAPPED);
  memlane_actions_add (actions, (const MemlaneAction[]) {
    { "save", ask, G_CALLBACK (save_cb) },
    { "cancel", ask, G_CALLBACK (cancel_cb) },
    { "copy-caption", ask, G_CALLBACK (copy_caption_cb), "b" },
    { NULL },
  });
  gtk_widget_insert_action_group (GTK_WIDGET (ask->window), "export", G_ACTION_GROUP (actions));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                        gtk_named_action_new ("export.cancel")));
  gtk_widget_add_controller (GTK_WIDGET (ask->window), keys);
  update_preview (ask);
  g_object_set_data_full (G_OBJECT (ask->window), "memlane-ask", ask, ask_free);
  gtk_window_set_focus (ask->window, gtk_window_get_default_widget (ask->window));
  gtk_window_present (ask->window);
}
