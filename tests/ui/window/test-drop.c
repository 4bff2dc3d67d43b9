/* test-drop.c: files that are dropped on the window: one, several, a folder, what is elsewhere, what is no run
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/window-fixture.h"

static GtkDropTarget *
find_target (Stage *stage)
{
  GtkWidget *toasts = ui_test_find_id (GTK_WIDGET (stage->window), "toast_overlay");
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (toasts);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    if (GTK_IS_DROP_TARGET (controller))
      return GTK_DROP_TARGET (controller); /* the widget keeps it */
  g_error ("the window takes no files");
}

/* As the file manager lets go of them; whether the window took them. */
static gboolean
drop (Stage *stage, const char *const *uris)
{
  GSList *files = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  for (; *uris != NULL; uris++)
    files = g_slist_append (files, g_file_new_for_uri (*uris));
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_list (files));
  g_slist_free_full (files, g_object_unref);
  g_signal_emit_by_name (find_target (stage), "drop", &value, 10.0, 10.0, &taken);
  return taken;
}

static char *
recording_uri (const char *name)
{
  g_autofree char *below = g_build_filename ("data/recordings", name, NULL), *path = ui_test_source (below);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_file_get_uri (file);
}

static void
test_takes_files (void)
{
  g_auto (Stage) stage = stage_open_drawn ();
  GdkContentFormats *formats = gtk_drop_target_get_formats (find_target (&stage));

  g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST));
  g_assert_true (gtk_drop_target_get_actions (find_target (&stage)) & GDK_ACTION_COPY);
}

static void
test_several (void)
{
  g_autofree char *one = recording_uri ("h200-fill.csv"), *two = recording_uri ("h200-copy-to-host.csv");
  const char *const both[] = { one, two, one, NULL };
  g_auto (Stage) stage = stage_open_drawn ();
  guint before = stage_count_runs (&stage);

  g_assert_true (drop (&stage, both));
  ui_test_wait (!stage_can (&stage, "stop"));
  ui_test_wait (stage_has_read (stage.models));
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 2); /* the same one twice is one */
}

/* Nothing of it is a run: each is told, nothing changes. */
static void
test_no_runs (void)
{
  g_auto (Stage) stage = { NULL };
  g_autofree char *text = ui_test_path ("notes.txt"), *folder = ui_test_path ("some-folder");
  g_autofree char *text_uri = g_filename_to_uri (text, NULL, NULL), *folder_uri = g_filename_to_uri (folder, NULL, NULL);
  const char *const texts[] = { text_uri, NULL }, *const folders[] = { folder_uri, NULL };
  const char *const remote[] = { "sftp://example.invalid/run.csv", NULL }, *const none[] = { NULL };
  guint before;

  g_assert_true (g_file_set_contents (text, "Dear diary,\nno run today.\n", -1, NULL));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  stage = stage_open_drawn ();
  before = stage_count_runs (&stage);
  g_assert_true (drop (&stage, texts));
  stage_wait_toast (&stage, "notes.txt");
  g_assert_true (drop (&stage, folders));
  stage_wait_toast (&stage, "“some-folder” is a folder: memlane-cli compare"); /* it is one of many machines */
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  g_assert_true (drop (&stage, remote));
  stage_wait_toast (&stage, "sftp://example.invalid/run.csv is not on this machine: copy it here first");
  g_assert_false (drop (&stage, none));
  ui_test_wait (!stage_can (&stage, "stop"));
  g_assert_cmpuint (stage_count_runs (&stage), ==, before);
  g_assert_true (stage_draws (&stage));
}

/* One that cannot be read does not keep the others out. */
static void
test_mixed (void)
{
  g_autofree char *good = recording_uri ("h200-vector-add.csv"), *missing = ui_test_path ("missing.csv");
  g_autofree char *missing_uri = g_filename_to_uri (missing, NULL, NULL);
  const char *const uris[] = { missing_uri, "https://example.invalid/x.csv", good, NULL };
  g_auto (Stage) stage = stage_open_drawn ();
  guint before = stage_count_runs (&stage);

  g_assert_true (drop (&stage, uris));
  ui_test_wait (!stage_can (&stage, "stop"));
  ui_test_wait (stage_has_read (stage.models));
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/drop/takes-files", test_takes_files);
  g_test_add_func ("/drop/several", test_several);
  g_test_add_func ("/drop/no-runs", test_no_runs);
  g_test_add_func ("/drop/mixed", test_mixed);
  return ui_test_run ();
}
