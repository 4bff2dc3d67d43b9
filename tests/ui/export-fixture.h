/* export-fixture.h: what every figure of the window must let out: files, the clipboard, paper
 *
 * SPDX-License-Identifier: MIT
 *
 * Include it after a fixture that defines UI_TEST_OPENS_FILES.
 */
#pragma once

#include <dlfcn.h>

#include "dialog-fixture.h"
#include "parts/export-dialog.h"

/* Stands before GTK: the print dialog is answered by a file. */
GtkPrintOperationResult
gtk_print_operation_run (GtkPrintOperation *operation, GtkPrintOperationAction action, GtkWindow *parent, GError **error)
{
  GtkPrintOperationResult (*next) (GtkPrintOperation *, GtkPrintOperationAction, GtkWindow *, GError **);
  g_autofree char *path = ui_test_path ("printed.pdf");

  *(void **) &next = dlsym (RTLD_NEXT, "gtk_print_operation_run");
  g_assert_cmpint (action, ==, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG);
  gtk_print_operation_set_export_filename (operation, path);
  return next (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, parent, error);
}

/* The figure of the page that is seen goes into each format, through the dialog, onto the clipboard and to a printer. Its SVG contains
 * @text. */
static inline void
export_test_figure (Stage *stage, GtkWidget *view, const char *text)
{
  static const char *const endings[] = { "png", "svg", "pdf" };
  g_autofree char *print = ui_test_path ("printed.pdf"), *printed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkContentProvider) content = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("figure.%s", endings[i]), *path = ui_test_path (name), *written = NULL;
      gsize length;

      g_assert_true (stage_export (view, path, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &written, &length, NULL));
      g_assert_cmpuint (length, >, 2000);
      if (i == 1)
        g_assert_nonnull (strstr (written, text));
    }
  stage_do (stage, "export-figure", NULL);
  dialog_answer ("by-dialog.svg", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (stage, "Saved by-dialog.svg");
  content = memlane_export_create_content (view, &error);
  g_assert_no_error (error);
  stage_do (stage, "copy-figure", NULL);
  stage_wait_toast (stage, "Copied the figure");
  stage_do (stage, "print", NULL);
  stage_wait_toast (stage, "Sent the figure to the printer");
  g_assert_true (g_file_get_contents (print, &printed, NULL, NULL));
  g_assert_true (g_str_has_prefix (printed, "%PDF-"));
}
