/* code-dialog.c: a memory mode as a program: to read, to copy, to save
 *
 * SPDX-License-Identifier: MIT
 */
#include "code-dialog.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "base/data-file.h"
#include "base/save.h"
#include "memlane.h"
#include "parts/export-dialog.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

struct _MemlaneCodeDialog
{
  AdwWindow parent_instance;
  char *program, *file_name; /* owned (nullable): the text; the mode's id and ".cu" */
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  GtkWidget *text;
};

G_DEFINE_FINAL_TYPE (MemlaneCodeDialog, memlane_code_dialog, ADW_TYPE_WINDOW)

static void
say (MemlaneCodeDialog *self, const char *sentence)
{
  g_autofree char *title = g_markup_escape_text (sentence, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (title));
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneCodeDialog *self = MEMLANE_CODE_DIALOG (widget);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), self->program);
  say (self, _("Copied the program"));
}

static void
saved_cb (const char *sentence, gboolean trouble, GFile *file, gpointer data)
{
  g_autoptr (MemlaneCodeDialog) self = data;

  if (sentence != NULL)
    say (self, sentence);
}

/* Writes the program @text to @path, and the header that it includes next to it. */
static gboolean
write_program (const char *text, const char *path, GError **error)
{
  g_autofree char *header = memlane_data_read ("programs/program.cuh", error);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *beside = g_build_filename (folder, "program.cuh", NULL);

  return header != NULL && memlane_save_file (path, text, strlen (text), error)
         && memlane_save_file (beside, header, strlen (header), error);
}

static void
save_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneCodeDialog *self = MEMLANE_CODE_DIALOG (widget);
  const char *const kinds[] = { _("CUDA programs"), "*.cu", NULL };

  memlane_export_written (GTK_WINDOW (self), _("Save Program"), self->file_name, kinds, ".cu",
                          (MemlaneExportWrite) write_program, g_strdup (self->program), g_free,
                          saved_cb, g_object_ref (self));
}

MEMLANE_DEFINE_RELEASE (MemlaneCodeDialog, memlane_code_dialog, finalize,
                        OWNS (program, g_free) OWNS (file_name, g_free))

static void
memlane_code_dialog_class_init (MemlaneCodeDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/code-dialog.ui");
  MEMLANE_BIND_CHILDREN (MemlaneCodeDialog, title, toasts, text);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "code.copy", NULL, copy_action },
    { "code.save", NULL, save_action },
    { NULL },
  });
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "code.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK, "code.save",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
memlane_code_dialog_init (MemlaneCodeDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

MemlaneCodeDialog *
memlane_code_dialog_new (GtkWindow *parent, const MemlaneMode *mode)
{
  MemlaneCodeDialog *self = g_object_new (MEMLANE_TYPE_CODE_DIALOG, "transient-for", parent, NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  GtkTextIter start;
  g_autofree char *relative = NULL;
  g_autoptr (GError) error = NULL;

  self->file_name = g_strconcat (mode->id, ".cu", NULL);
  relative = g_build_filename ("programs", self->file_name, NULL);
  self->program = memlane_data_read (relative, &error);
  if (self->program == NULL)
    self->program = g_strdup_printf ("// %s\n", error->message);
  gtk_window_set_title (GTK_WINDOW (self), self->file_name);
  adw_window_title_set_title (self->title, self->file_name);
  gtk_text_buffer_set_text (buffer, self->program, -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  memlane_accessible_set_name (self->text, self->file_name);
  gtk_window_set_focus (GTK_WINDOW (self), self->text);
  return self;
}
