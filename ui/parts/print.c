/* print.c: the figure on paper
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "export-dialog.h"
#include "picture.h"

#define PX_PER_POINT (96.0 / 72.0)

typedef struct
{
  MemlanePicture *picture; /* (owned): what was seen when printing began */
  MemlaneExportDone done;
  gpointer user_data;
} Job;

static void
job_free (Job *job)
{
  memlane_picture_free (job->picture);
  g_free (job);
}

static void
draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page, Job *job)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  PangoContext *pango = gtk_print_context_create_pango_context (context);
  double width = gtk_print_context_get_width (context) * PX_PER_POINT; /* the context counts points: see set_unit below */
  double height = gtk_print_context_get_height (context) * PX_PER_POINT;

  pango_cairo_context_set_resolution (pango, 96);
  cairo_save (cr);
  cairo_scale (cr, 1 / PX_PER_POINT, 1 / PX_PER_POINT);
  memlane_picture_draw (job->picture, cr, pango, memlane_style_get (MEMLANE_STYLE_PRINT), width, height);
  cairo_restore (cr);
  g_object_unref (pango);
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, Job *job)
{
  g_autoptr (GError) error = NULL;

  if (job->done == NULL)
    return;
  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    {
      gtk_print_operation_get_error (operation, &error);
      job->done (error != NULL ? error->message : _("The printer did not take the figure"), TRUE, NULL, job->user_data);
    }
  else if (result == GTK_PRINT_OPERATION_RESULT_APPLY)
    job->done (_("Sent the figure to the printer"), FALSE, NULL, job->user_data);
  else
    job->done (NULL, FALSE, NULL, job->user_data);
}

/* NULL with @error: there is nothing to print. */
static GtkPrintOperation *
operation_new (GtkWidget *view, MemlaneExportDone done, gpointer user_data, GError **error)
{
  MemlanePicture *picture = memlane_picture_new (view, error);
  GtkPrintOperation *operation;
  g_autoptr (GtkPageSetup) setup = NULL;
  Job *job;

  if (picture == NULL)
    return NULL;
  job = g_new (Job, 1);
  *job = (Job) { picture, done, user_data };
  operation = gtk_print_operation_new ();
  setup = gtk_page_setup_new ();
  gtk_page_setup_set_orientation (setup, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, memlane_picture_get_title (picture));
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), job);
  g_signal_connect (operation, "done", G_CALLBACK (done_cb), job);
  g_object_set_data_full (G_OBJECT (operation), "memlane-job", job, (GDestroyNotify) job_free);
  return operation;
}

void
memlane_export_print (GtkWindow *parent, GtkWidget *view, MemlaneExportDone done, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation = operation_new (view, done, user_data, &error);

  if (operation == NULL)
    {
      done (error->message, TRUE, NULL, user_data);
      return;
    }
  gtk_print_operation_set_allow_async (operation, TRUE);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, parent, NULL); /* its errors come by "done" */
}

gboolean
memlane_export_print_to (GtkWidget *view, const char *pdf_path, GError **error)
{
  g_autoptr (GtkPrintOperation) operation = operation_new (view, NULL, NULL, error);

  if (operation == NULL)
    return FALSE;
  gtk_print_operation_set_export_filename (operation, pdf_path);
  return gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, error) == GTK_PRINT_OPERATION_RESULT_APPLY;
}
