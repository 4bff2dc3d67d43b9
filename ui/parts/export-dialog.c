/* export-dialog.c: the figure, the rows and the trace to a file, the clipboard or a printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "export-dialog.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "chart/export.h"
#include "figure-export.h"
#include "figure-widget.h"
#include "file-dialog.h"
#include "memlane.h"
#include "settings.h"
#include "base/each.h"

#define PX_PER_POINT (96.0 / 72.0)

/* The data that the open dialog will export. */
typedef struct
{
  GtkWindow *parent;        /* (owned) (nullable) */
  const char *ending;       /* of what is written */
  gboolean at_once;         /* by this thread */
  MemlaneExportWrite write;
  gpointer data;
  GDestroyNotify release;
  MemlaneExportDone done;
  gpointer user_data;
} Export;

static void
export_free (Export *export)
{
  g_clear_object (&export->parent);
  g_clear_pointer (&export->data, export->release);
  g_free (export);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

static void
export_tell (Export *export, GFile *file, const GError *error)
{
  g_autofree char *name = error == NULL ? g_file_get_basename (file) : NULL;
  g_autofree char *sentence = error == NULL ? g_strdup_printf (_("Saved %s"), name)
                                            : g_strdup (error->message);

  export->done (sentence, error != NULL, error == NULL ? file : NULL, export->user_data);
}

static const char *
local_path (GFile *file, GError **error)
{
  const char *path = g_file_peek_path (file);

  if (path == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _("Only local files can be written. Choose a folder on this computer."));
  return path;
}

static gboolean
write_data (Export *export, GFile *file, GError **error)
{
  const char *path = local_path (file, error);

  return path != NULL && export->write (export->data, path, error);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer export, GCancellable *cancellable)
{
  GError *error = NULL;

  if (write_data (export, source, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  export_tell (g_task_get_task_data (G_TASK (result)), G_FILE (source), error);
}

/* "figure" -> "figure.png". The person was not asked whether that file may be replaced, so it may
 * not be there. */
static GFile *
with_ending (GFile *file, const char *ending, GError **error)
{
  g_autofree char *name = g_file_get_basename (file), *full = NULL;
  g_autoptr (GFile) folder = g_file_get_parent (file), whole = NULL;

  if (strchr (name, '.') != NULL || folder == NULL)
    return g_object_ref (file);
  full = g_strconcat (name, ending, NULL);
  whole = g_file_get_child (folder, full);
  if (!g_file_query_exists (whole, NULL))
    return g_steal_pointer (&whole);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               _("“%s” already exists. Type the full name to replace it."), full);
  return NULL;
}

static void
place_chosen_cb (GFile *file, gpointer data)
{
  g_autoptr (Export) export = data;
  g_autoptr (GFile) whole = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GTask) task = NULL;

  if (file == NULL)
    {
      export->done (NULL, FALSE, NULL, export->user_data);
      return;
    }
  whole = with_ending (file, export->ending, &error);
  if (whole == NULL || export->at_once)
    {
      if (whole != NULL)
        write_data (export, whole, &error);
      export_tell (export, whole, error);
      return;
    }
  task = g_task_new (whole, NULL, written_cb, NULL);
  g_task_set_task_data (task, g_steal_pointer (&export), (GDestroyNotify) export_free);
  g_task_run_in_thread (task, write_in_thread);
}

void
memlane_export_written (GtkWindow *parent, const char *title, const char *suggested_name,
                        const char *const *kinds, const char *ending, MemlaneExportWrite write,
                        gpointer data, GDestroyNotify release, MemlaneExportDone done,
                        gpointer user_data)
{
  Export *export = g_new (Export, 1);

  *export = (Export) { parent != NULL ? g_object_ref (parent) : NULL,
                      g_intern_string (ending),
                      FALSE,
                      write,
                      data,
                      release,
                      done,
                      user_data };
  memlane_file_dialog_save (parent, title, suggested_name, kinds, place_chosen_cb, export);
}

/* --- figures ---------------------------------------------------------------------------------- */

static const MemlaneStyle *
chosen_style (void)
{
  g_autofree char *name = memlane_settings_get_string ("export-style", "print");
  const MemlaneStyle *style = memlane_style_find (name);

  return style != NULL ? style : memlane_style_get (MEMLANE_STYLE_PRINT);
}

/* Returns the height of the preferences; 0 where the figure knows better. */
static int
export_height (const MemlaneDrawing *drawing)
{
  return drawing->klass->measure_height != NULL ? 0
                                                : memlane_settings_get_int ("export-height", 720);
}

/* The name says more than the menu. */
static gboolean
write_figure (gpointer data, const char *path, GError **error)
{
  const MemlaneFigureChoice *choice = data;
  const MemlaneExportFormat *format = memlane_export_find_for_path (path, error);

  return format != NULL
         && memlane_export_to_file (choice->drawing, choice->style, format, choice->width,
                                    choice->height, format == choice->format ? choice->scale : 1,
                                    path, error);
}

static void
choice_made_cb (MemlaneFigureChoice *choice, gpointer data)
{
  Export *export = data;
  g_autoptr (GString) patterns = g_string_new (NULL);
  const char *kinds[] = { _("Figures"), NULL, NULL };
  g_autofree char *plain = NULL, *name = NULL;

  if (choice == NULL)
    {
      place_chosen_cb (NULL, export);
      return;
    }
  export->data = choice;
  export->ending = choice->format->ending;
  MEMLANE_FOR_EACH_OF (const MemlaneExportFormat, format, n, memlane_export_list (&n))
    g_string_append_printf (patterns, "%s*%s", patterns->len > 0 ? " " : "", format->ending);
  kinds[1] = patterns->str;
  plain = choice->drawing->klass->name (choice->drawing->content);
  name = g_strconcat (plain, choice->format->ending, NULL);
  memlane_file_dialog_save (export->parent, _("Export Figure"), name, kinds, place_chosen_cb,
                            export);
}

void
memlane_export_figure (GtkWindow *parent, GtkWidget *view, MemlaneExportDone done,
                       gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  MemlaneDrawing *drawing = memlane_figure_widget_get_drawing (MEMLANE_FIGURE_WIDGET (view),
                                                               &error);
  Export *export;

  if (drawing == NULL)
    {
      done (error->message, TRUE, NULL, user_data);
      return;
    }
  export = g_new (Export, 1);
  *export =
      (Export) { parent != NULL ? g_object_ref (parent) : NULL, NULL, TRUE,     write_figure, NULL,
                (GDestroyNotify) memlane_figure_choice_free,   done, user_data };
  memlane_figure_export_ask (parent, drawing, choice_made_cb, export);
}

GdkContentProvider *
memlane_export_create_content (GtkWidget *view, GError **error)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_figure_widget_get_drawing (
      MEMLANE_FIGURE_WIDGET (view), error);
  int width = memlane_settings_get_int ("export-width", 1280);
  g_autoptr (GBytes) png = NULL, svg = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GdkContentProvider *providers[2];

  if (drawing == NULL)
    return NULL;
  png = memlane_export_to_bytes (drawing, chosen_style (), memlane_export_find (".png"), width,
                                 export_height (drawing), 1, error);
  if (png == NULL)
    return NULL;
  svg = memlane_export_to_bytes (drawing, chosen_style (), memlane_export_find (".svg"), width,
                                 export_height (drawing), 1, error);
  if (svg == NULL)
    return NULL;
  texture = gdk_texture_new_from_bytes (png, error);
  if (texture == NULL)
    return NULL;
  providers[0] = gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, texture);
  providers[1] = gdk_content_provider_new_for_bytes ("image/svg+xml", svg);
  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

void
memlane_export_copy_figure (GtkWidget *view, MemlaneExportDone done, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkContentProvider) content = memlane_export_create_content (view, &error);

  if (content == NULL)
    done (error->message, TRUE, NULL, user_data);
  else if (!gdk_clipboard_set_content (gtk_widget_get_clipboard (view), content))
    done (_("The clipboard did not take the figure: try again"), TRUE, NULL, user_data);
  else
    done (_("Copied the figure"), FALSE, NULL, user_data);
}

/* --- whatever else makes a file --------------------------------------------------------------- */

void
memlane_export_csv (GtkWindow *parent, MemlaneRun *run, const char *suggested_name,
                    MemlaneExportDone done, gpointer user_data)
{
  const char *const kinds[] = { _("CSV files"), "*.csv", NULL };
  g_autofree char *name = g_strdup (suggested_name), *full = NULL;

  g_strdelimit (name, "/\\:", '-');
  full = g_str_has_suffix (name, ".csv") ? g_strdup (name) : g_strconcat (name, ".csv", NULL);
  memlane_export_written (parent, _("Export CSV"), full, kinds, ".csv",
                          (MemlaneExportWrite) memlane_csv_write, memlane_run_copy (run),
                          (GDestroyNotify) memlane_run_unref, done, user_data);
}

void
memlane_export_trace (GtkWindow *parent, MemlaneTrace *trace, MemlaneExportDone done,
                      gpointer user_data)
{
  const char *const kinds[] = { _("Chrome traces"), "*.json", NULL };
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autofree char *name = info->mode == NULL
                              ? g_strdup ("trace.json")
                              : g_strdup_printf ("%s-2p%u.json", info->mode, info->log2_elements);

  memlane_export_written (parent, _("Export Trace"), name, kinds, ".json",
                          (MemlaneExportWrite) memlane_trace_write_json, memlane_trace_ref (trace),
                          (GDestroyNotify) memlane_trace_unref, done, user_data);
}

/* --- paper ------------------------------------------------------------------------------------ */

typedef struct
{
  MemlaneDrawing *drawing; /* (owned): what was seen when printing began */
  MemlaneExportDone done;
  gpointer user_data;
} Print;

static void
print_free (Print *print)
{
  memlane_drawing_free (print->drawing);
  g_free (print);
}

static void
draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page, Print *print)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  PangoContext *pango = gtk_print_context_create_pango_context (context);
  /* the context counts points: see set_unit below */
  double width = gtk_print_context_get_width (context) * PX_PER_POINT;
  double height = gtk_print_context_get_height (context) * PX_PER_POINT;

  pango_cairo_context_set_resolution (pango, 96);
  cairo_save (cr);
  cairo_scale (cr, 1 / PX_PER_POINT, 1 / PX_PER_POINT);
  memlane_export_draw_page (print->drawing, cr, pango, memlane_style_get (MEMLANE_STYLE_PRINT),
                            width, height);
  cairo_restore (cr);
  g_object_unref (pango);
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, Print *print)
{
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    {
      gtk_print_operation_get_error (operation, &error);
      print->done (error != NULL ? error->message : _("The printer did not take the figure"), TRUE,
                   NULL, print->user_data);
    }
  else if (result == GTK_PRINT_OPERATION_RESULT_APPLY)
    print->done (_("Sent the figure to the printer"), FALSE, NULL, print->user_data);
  else
    print->done (NULL, FALSE, NULL, print->user_data);
}

/* The operation does not notice when its dialog goes with the parent, which it would hold for
 * ever. */
static void
parent_hidden_cb (GtkWindow *parent)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (GTK_IS_DIALOG (at->data) && gtk_window_get_transient_for (at->data) == parent)
      gtk_dialog_response (at->data, GTK_RESPONSE_CANCEL);
}

void
memlane_export_print (GtkWindow *parent, GtkWidget *view, MemlaneExportDone done,
                      gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  MemlaneDrawing *drawing = memlane_figure_widget_get_drawing (MEMLANE_FIGURE_WIDGET (view),
                                                               &error);
  g_autofree char *title = NULL;
  g_autoptr (GtkPrintOperation) operation = NULL;
  g_autoptr (GtkPageSetup) setup = NULL;
  Print *print;

  if (drawing == NULL)
    {
      done (error->message, TRUE, NULL, user_data);
      return;
    }
  print = g_new (Print, 1);
  *print = (Print) { drawing, done, user_data };
  title = drawing->klass->title (drawing->content);
  operation = gtk_print_operation_new ();
  setup = gtk_page_setup_new ();
  gtk_page_setup_set_orientation (setup, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), print);
  g_signal_connect (operation, "done", G_CALLBACK (done_cb), print);
  g_object_set_data_full (G_OBJECT (operation), "memlane-print", print,
                          (GDestroyNotify) print_free);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_signal_connect_object (parent, "hide", G_CALLBACK (parent_hidden_cb), operation, 0);
  /* Its errors come by "done". */
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, parent, NULL);
}
