/* test-code-dialog.c: "Show the Code": the program of the mode, read by keyboard, copied, saved
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/dialog-fixture.h"
#include "ui/panel-fixture.h"

#include "base/data-file.h"
#include "side/code-dialog.h"
#include "side/plan-panel.h"

/* The dialog that is open; NULL: none. */
static MemlaneCodeDialog *
find_code (void)
{
  return (MemlaneCodeDialog *) ui_test_find_window (MEMLANE_TYPE_CODE_DIALOG, NULL);
}

static MemlaneCodeDialog *
open_code (const char *mode, int width, int height)
{
  MemlaneCodeDialog *dialog = memlane_code_dialog_new (NULL, memlane_mode_find (mode));

  gtk_window_set_default_size (GTK_WINDOW (dialog), width, height);
  ui_test_present (GTK_WINDOW (dialog));
  return dialog;
}

static GtkWidget *
get (MemlaneCodeDialog *dialog, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (dialog), id);

  g_assert_nonnull (widget);
  return widget;
}

static char *
shown_text (MemlaneCodeDialog *dialog)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (get (dialog, "text")));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
expect_toast (MemlaneCodeDialog *dialog, const char *part)
{
  ui_test_wait (ui_test_find_toast (GTK_WIDGET (dialog)) != NULL);
  if (ui_test_find_text (ui_test_find_toast (GTK_WIDGET (dialog)), part) == NULL)
    g_error ("no toast says %s", part);
}

/* From the (i) of a mode's row. */
static void
test_from_row (void)
{
  const MemlaneMode *mode = memlane_mode_find ("streams-depth-first");
  MemlaneModels *models = panel_models_new ("from-row");
  MemlanePlanPanel *panel = MEMLANE_PLAN_PANEL (memlane_plan_panel_new (models->plan, models->devices, models->sweep));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (panel), 300, 720);
  GtkMenuButton *button;
  GtkWidget *popover, *code;
  MemlaneCodeDialog *dialog;
  g_autofree char *text = NULL, *title = g_strconcat (mode->id, ".cu", NULL);
  g_autofree char *expected = memlane_data_read ("programs/streams-depth-first.cu", NULL);

  button = GTK_MENU_BUTTON (panel_in_row (GTK_WIDGET (panel), mode->id, "info_button"));
  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  ui_test_wait (ui_test_is_mapped (popover));
  ui_test_next_frame (popover);
  code = ui_test_find_id (popover, "code_button");
  g_assert_true (ui_test_has_name (code));
  g_assert_true (gtk_widget_get_focusable (code));
  ui_test_screenshot (popover, "mode-info-code.png");
  g_assert_true (gtk_widget_activate (code));
  ui_test_wait (find_code () != NULL);
  g_assert_false (gtk_widget_get_mapped (popover));
  dialog = find_code ();
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (dialog)) == window);
  g_assert_false (gtk_window_get_modal (GTK_WINDOW (dialog))); /* to be read beside the window */
  text = shown_text (dialog);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (dialog)), ==, title);
  ui_test_spin (700); /* the tooltips of GTK 4.8: see test-plan-panel.c */

  gtk_window_destroy (window); /* and the dialog goes with it */
  ui_test_wait (find_code () == NULL);
  panel_models_free (models);
}

static void
test_read_only (void)
{
  MemlaneCodeDialog *dialog = open_code ("pinned", 900, 600);
  GtkWidget *text = get (dialog, "text");
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text));
  g_autofree char *before = shown_text (dialog), *after = NULL, *label = ui_test_accessible_label (text);
  GtkTextIter start, end;

  g_assert_cmpstr (label, ==, "pinned.cu");
  panel_assert_names (GTK_WIDGET (dialog));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (dialog)) == text); /* arrows read and scroll at once */
  g_assert_true (gtk_text_view_get_monospace (GTK_TEXT_VIEW (text)));
  g_signal_emit_by_name (text, "insert-at-cursor", "x");
  g_signal_emit_by_name (text, "delete-from-cursor", GTK_DELETE_PARAGRAPHS, 3);
  after = shown_text (dialog);
  g_assert_cmpstr (after, ==, before);
  g_signal_emit_by_name (text, "select-all", TRUE);
  g_assert_true (gtk_text_buffer_get_selection_bounds (buffer, &start, &end));
  g_assert_cmpint (gtk_text_iter_get_offset (&end), ==, gtk_text_buffer_get_char_count (buffer));

  /* Tab leaves the text. */
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (dialog), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (dialog)) != text);

  g_assert_true (ui_test_press (GTK_WIDGET (dialog), GDK_KEY_Escape, 0));
  ui_test_wait (find_code () == NULL);
}

static void
test_copy (void)
{
  MemlaneCodeDialog *dialog = open_code ("managed", 900, 600);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (dialog));
  g_autofree char *text = shown_text (dialog), *copied = NULL, *again = NULL;

  g_assert_true (gtk_widget_activate (get (dialog, "copy_button"))); /* a button stays down for a moment */
  expect_toast (dialog, "Copied the program");
  copied = ui_test_read_clipboard (GTK_WIDGET (dialog));
  g_assert_cmpstr (copied, ==, text);
  gdk_clipboard_set_text (clipboard, "else");
  g_assert_true (ui_test_press (GTK_WIDGET (dialog), GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK));
  again = ui_test_read_clipboard (GTK_WIDGET (dialog));
  g_assert_cmpstr (again, ==, text);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_save (void)
{
  MemlaneCodeDialog *dialog = open_code ("mapped", 900, 600);
  g_autofree char *path = ui_test_path ("mine.cu"), *header = ui_test_path ("program.cuh"), *text = shown_text (dialog), *saved = NULL;

  g_assert_true (ui_test_press (GTK_WIDGET (dialog), GDK_KEY_s, GDK_CONTROL_MASK));
  dialog_answer (NULL, GTK_RESPONSE_CANCEL);
  g_assert_null (ui_test_find_toast (GTK_WIDGET (dialog)));

  g_assert_true (gtk_widget_activate (get (dialog, "save_button")));
  ui_test_wait (dialog_is_there (NULL));
  {
    g_autofree char *suggested = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (dialog_find ()));

    g_assert_cmpstr (suggested, ==, "mapped.cu");
  }
  dialog_answer ("mine.cu", GTK_RESPONSE_ACCEPT);
  expect_toast (dialog, "Saved mine.cu");
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, text);
  g_assert_true (g_file_test (header, G_FILE_TEST_IS_REGULAR));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A folder where the file shall be: no file, and a sentence that names it. */
static void
test_cannot_save (void)
{
  MemlaneCodeDialog *dialog = open_code ("mapped", 900, 600);

  gtk_widget_activate_action (GTK_WIDGET (dialog), "code.save", NULL);
  ui_test_wait (dialog_is_there (NULL));
  dialog_answer_in ("/proc", "mine.cu", GTK_RESPONSE_ACCEPT);
  expect_toast (dialog, "cannot write /proc/mine.cu");
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Looked at by eye; and nothing is cut off when there is little room. */
static void
test_sizes (void)
{
  static const struct { int width, height; } sizes[] = { { 1280, 720 }, { 320, 240 } };

  for (int dark = 0; dark < 2; dark++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        MemlaneCodeDialog *dialog = open_code ("managed-prefetch", sizes[i].width, sizes[i].height);
        g_autofree char *name = g_strdup_printf ("code-dialog-%d%s.png", sizes[i].width, dark ? "-dark" : "");
        static const char *const ids[] = { "copy_button", "save_button", "text" };

        adw_style_manager_set_color_scheme (adw_style_manager_get_default (), dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                                  : ADW_COLOR_SCHEME_FORCE_LIGHT);
        ui_test_next_frame (GTK_WIDGET (dialog));
        g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (dialog)), <=, sizes[i].width);
        for (guint w = 0; w < G_N_ELEMENTS (ids); w++)
          {
            graphene_rect_t bounds;

            g_assert_true (gtk_widget_compute_bounds (get (dialog, ids[w]), GTK_WIDGET (dialog), &bounds));
            g_assert_cmpfloat (bounds.origin.x, >=, 0);
            g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (GTK_WIDGET (dialog)));
          }
        ui_test_screenshot (GTK_WIDGET (dialog), name);
        gtk_window_destroy (GTK_WINDOW (dialog));
      }
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/code-dialog/from-row", test_from_row);
  g_test_add_func ("/code-dialog/read-only", test_read_only);
  g_test_add_func ("/code-dialog/copy", test_copy);
  g_test_add_func ("/code-dialog/save", test_save);
  g_test_add_func ("/code-dialog/cannot-save", test_cannot_save);
  g_test_add_func ("/code-dialog/sizes", test_sizes);
  return ui_test_run ();
}
