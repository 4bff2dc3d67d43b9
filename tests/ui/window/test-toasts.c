/* test-toasts.c: where toasts stand, which one is shown, and what their buttons do: Undo after Delete, Open Folder after an export
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/opener-fixture.h"
#include "ui/dialog-fixture.h"
#include "side/runs-panel.h"
#include "ui/panel-fixture.h"
#include "ui/window-fixture.h"
#include "window/toasts.h"

static const char *const few[] = { "pageable", "pinned", NULL };

static gboolean
match_button (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), data) == 0;
}

static GtkWidget *
find_button (Stage *stage, const char *label)
{
  GtkWidget *toast = ui_test_find_toast (GTK_WIDGET (stage->window));

  return toast != NULL ? ui_test_find (toast, match_button, (gpointer) label) : NULL;
}

/* By the row's own Delete, and the toast's own Undo. */
static void
test_undo (void)
{
  g_autofree char *path = NULL;
  guint before;
  g_auto (Stage) stage = stage_open ();

  stage_choose_modes (&stage, few);
  stage_sweep (&stage);
  before = stage_count_runs (&stage);
  {
    g_autoptr (MemlaneRunItem) item = stage_find_kind (&stage, MEMLANE_RUN_KEPT);
    GtkWidget *panel = ui_test_find_type (GTK_WIDGET (stage.window), MEMLANE_TYPE_RUNS_PANEL);
    GtkWidget *row = GTK_WIDGET (panel_find_run (panel, stage.models, item));

    path = g_strdup (item->path);
    g_assert_false (stage_can (&stage, "undo-remove"));
    g_assert_true (gtk_widget_activate_action (row, "run.remove", NULL));
  }
  g_assert_cmpuint (stage_count_runs (&stage), ==, before - 1);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS)); /* until it cannot be undone any more */
  stage_wait_toast (&stage, "Deleted “");
  g_assert_true (stage_can (&stage, "undo-remove"));
  ui_test_wait (find_button (&stage, "_Undo") != NULL);
  g_signal_emit_by_name (find_button (&stage, "_Undo"), "clicked");
  g_assert_cmpuint (stage_count_runs (&stage), ==, before);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_false (stage_can (&stage, "undo-remove"));
}

/* The row's own Delete, without waiting for a toast. */
static void
delete_shown_run (Stage *stage)
{
  GtkWidget *panel = ui_test_find_type (GTK_WIDGET (stage->window), MEMLANE_TYPE_RUNS_PANEL);
  g_autoptr (MemlaneRunItem) item = stage_find_kind (stage, MEMLANE_RUN_KEPT);

  g_assert_nonnull (item);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (panel_find_run (panel, stage->models, item)), "run.remove", NULL));
}

static guint
count_files (const char *below)
{
  g_autofree char *path = ui_test_path (below);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    n += g_str_has_suffix (name, ".csv") && !g_str_has_suffix (name, ".rounds.csv");
  return n;
}

/* While toasts fade one is taken from the screen, brought back and taken away again: libadwaita 1.2 aborts there. */
static void
test_quick_undo (void)
{
  Stage stage;
  guint before, files;

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  stage = stage_open_drawn ();
  stage_choose_modes (&stage, few);
  stage_sweep (&stage);
  stage_sweep (&stage);
  stage_sweep (&stage);
  before = stage_count_runs (&stage);
  files = count_files ("share/memlane/runs");
  for (guint i = 0; i < 8; i++)
    {
      stage_do (&stage, "copy-figure", NULL);
      stage_wait_toast (&stage, "Copied ");
      ui_test_spin (i % 2 == 0 ? 700 : 100);
      delete_shown_run (&stage);
      ui_test_spin (1 + 15 * i);
      stage_do (&stage, "undo-remove", NULL);
      g_assert_cmpuint (stage_count_runs (&stage), ==, before);
    }
  g_assert_cmpuint (count_files ("share/memlane/runs"), ==, files);
  stage_do (&stage, "copy-figure", NULL);
  ui_test_spin (700);
  for (guint i = 0; i < 3; i++)
    {
      delete_shown_run (&stage);
      ui_test_spin (90);
    }
  g_assert_cmpuint (stage_count_runs (&stage), ==, before - 3);
  /* All of them, the last one first. */
  for (guint i = 3; i-- > 0;)
    {
      stage_do (&stage, "undo-remove", NULL);
      ui_test_spin (30);
      g_assert_cmpuint (stage_count_runs (&stage), ==, before - i);
    }
  g_assert_false (stage_can (&stage, "undo-remove"));
  g_assert_cmpuint (count_files ("share/memlane/runs"), ==, files);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  /* Once the window has closed, what was deleted last is gone. */
  delete_shown_run (&stage);
  stage_close (&stage);
  g_assert_cmpuint (count_files ("share/memlane/runs"), ==, files - 1);
}

static gboolean
again_is_offered (Stage *stage)
{
  return !memlane_sweep_job_is_running (stage->models->sweep) && find_button (stage, "Measure _What Is Missing") != NULL;
}

/* A machine without earlier sweeps is measured again by the toast's button, as long as its history grows: that of a simulated device does
 * not, so it is measured once more than the first time that says so. */
static void
test_again (void)
{
  Stage stage;
  guint before;

  g_setenv ("MEMLANE_FAULT", "noise", TRUE);
  stage = stage_open ();
  stage_choose_modes (&stage, few);
  g_object_set (stage.models->plan, "last-log2", 11, "rounds", 2, NULL);
  stage_sweep (&stage);
  before = stage_count_runs (&stage);
  stage_wait_toast (&stage, "Intervals for other sweeps by the drift of other machines: there are 0 earlier sweeps of this one");
  ui_test_wait (again_is_offered (&stage));
  g_assert_true (stage_can (&stage, "again"));
  g_signal_emit_by_name (find_button (&stage, "Measure _What Is Missing"), "clicked");
  g_assert_true (memlane_sweep_job_is_running (stage.models->sweep));
  g_assert_false (stage_can (&stage, "again"));
  g_assert_true (memlane_sweep_job_goes_on (stage.models->sweep));
  ui_test_wait (again_is_offered (&stage));
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 2);
  g_assert_false (memlane_sweep_job_goes_on (stage.models->sweep));

  /* A series that is stopped does not go on. */
  stage_do (&stage, "again", NULL);
  stage_do (&stage, "stop", NULL);
  ui_test_spin (500);
  g_assert_false (memlane_sweep_job_is_running (stage.models->sweep));
  g_assert_false (memlane_sweep_job_goes_on (stage.models->sweep));
  g_object_set (stage.models->plan, "last-log2", 20, "rounds", 12, NULL);
  stage_close (&stage);
  g_unsetenv ("MEMLANE_FAULT");
}

static void
test_open_folder (void)
{
  g_autofree char *log = opener_install ("inode/directory"), *opened = NULL, *base = g_path_get_basename (ui_test_home);
  g_auto (Stage) stage = stage_open_drawn ();

  stage_do (&stage, "export-csv", NULL);
  dialog_answer ("saved.csv", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved saved.csv");
  ui_test_wait (find_button (&stage, "Open Folder") != NULL);
  g_signal_emit_by_name (find_button (&stage, "Open Folder"), "clicked");
  ui_test_wait (opener_has_opened (log));
  g_assert_true (g_file_get_contents (log, &opened, NULL, NULL));
  g_strchomp (opened);
  g_assert_true (g_str_has_suffix (opened, base) || g_str_has_suffix (opened, "/")); /* the folder, not the file */
  g_assert_nonnull (strstr (opened, base));
}

/* What was saved has gone meanwhile, with its folder: words. */
static void
test_folder_gone (void)
{
  g_autofree char *folder = ui_test_path ("gone");
  g_auto (Stage) stage = stage_open_drawn ();

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  stage_do (&stage, "export-csv", NULL);
  dialog_answer_in (folder, "run.csv", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved run.csv");
  ui_test_wait (find_button (&stage, "Open Folder") != NULL);
  ui_test_delete (folder);
  g_signal_emit_by_name (find_button (&stage, "Open Folder"), "clicked");
  stage_wait_toast (&stage, "No program opened ");
}

static const char *
read_toast (Stage *stage)
{
  GtkWidget *toast = ui_test_find_toast (GTK_WIDGET (stage->window));

  return toast != NULL ? gtk_label_get_text (GTK_LABEL (ui_test_find (toast, ui_test_match_label, NULL))) : "";
}

/* The newest replaces, whatever kind it is of, and nothing comes back after it. */
static void
test_newest (void)
{
  g_auto (Stage) stage = stage_open ();
  MemlaneToasts *toasts =
      MEMLANE_TOASTS (ui_test_find_type (GTK_WIDGET (stage.window), MEMLANE_TYPE_TOASTS));

  memlane_toasts_tell (toasts, "the first is wrong", TRUE);
  memlane_toasts_tell_removed (toasts, "Deleted the second");
  memlane_toasts_tell (toasts, "the third is news", FALSE);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_cmpstr (read_toast (&stage), ==, "The third is news");
  memlane_toasts_tell (toasts, "the fourth is wrong", TRUE);
  memlane_toasts_tell (toasts, "the fifth is news", FALSE);
  g_assert_cmpstr (read_toast (&stage), ==, "The fifth is news");
  g_assert_true (memlane_toasts_can_undo (toasts)); /* also while something else is told */
  g_signal_emit_by_name (gtk_widget_get_last_child (ui_test_find_toast (GTK_WIDGET (stage.window))), "clicked"); /* Close */
  ui_test_wait (ui_test_find_toast (GTK_WIDGET (stage.window)) == NULL);
  ui_test_spin (300);
  g_assert_null (ui_test_find_toast (GTK_WIDGET (stage.window)));
}

/* No toast lies over a page, its axes, legends and buttons, and none gets the focus. */
static void
test_place (void)
{
  static const char *const pages[] = { "bandwidth", "timeline", "decide", "experiments", "lessons" };
  static const struct
  {
    int width, height;
  } sizes[] = { { 1280, 720 }, { 640, 480 } };
  g_auto (Stage) stage = stage_open_drawn ();
  GtkWidget *window = GTK_WIDGET (stage.window);
  MemlaneToasts *toasts = MEMLANE_TOASTS (ui_test_find_type (window, MEMLANE_TYPE_TOASTS));

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *focus;
      graphene_rect_t toast, page;

      gtk_window_set_default_size (GTK_WINDOW (window), sizes[i / G_N_ELEMENTS (pages)].width, sizes[i / G_N_ELEMENTS (pages)].height);
      stage_do (&stage, "page", g_variant_new_string (pages[i % G_N_ELEMENTS (pages)]));
      ui_test_next_frame (window);
      memlane_toasts_tell (toasts, "/somewhere/foreign.csv:1: this is no run, and that takes a sentence of many words to say", TRUE);
      for (guint k = 0; k < 3; k++)
        {
          ui_test_next_frame (window);
          gtk_widget_child_focus (window, GTK_DIR_TAB_BACKWARD);
          focus = gtk_window_get_focus (GTK_WINDOW (window));
          g_assert_false (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (toasts)));
        }
      g_assert_true (gtk_widget_compute_bounds (ui_test_find_toast (window), window, &toast));
      g_assert_true (gtk_widget_compute_bounds (ui_test_find_id (window, "flap"), window, &page));
      g_assert_cmpfloat (toast.origin.y, >=, page.origin.y + page.size.height);
      g_assert_cmpfloat (toast.origin.y + toast.size.height, <=, gtk_widget_get_height (window));
    }
}

/* The measuring pages show what was measured, so no toast repeats it; another page does not. */
static void
test_told_by_page (void)
{
  g_auto (Stage) stage = stage_open ();

  stage_choose_modes (&stage, few);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  stage_sweep (&stage);
  g_assert_null (strstr (stage_get_toast (&stage), "Finished"));
  stage_do (&stage, "run", NULL);
  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  stage_wait_toast (&stage, "Finished: 6 measurements");
  ui_test_wait (stage_rests (stage.models));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/toasts/open-folder", test_open_folder); /* first: the desktop's database is read once */
  g_test_add_func ("/toasts/undo", test_undo);
  g_test_add_func ("/toasts/again", test_again);
  g_test_add_func ("/toasts/quick-undo", test_quick_undo);
  g_test_add_func ("/toasts/folder-gone", test_folder_gone);
  g_test_add_func ("/toasts/newest", test_newest);
  g_test_add_func ("/toasts/place", test_place);
  g_test_add_func ("/toasts/told-by-page", test_told_by_page);
  return ui_test_run ();
}
