/* test-scenes.c: the tests of the window that are text alone: `test-scenes window/toasts.scene`
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "curves/chart-view.h"
#include "opener-fixture.h"
#include "scene.h"

/* The desktop opens files of this type with a program that writes down which: {home}/opened.txt. */
static void
install_opener (char **words)
{
  g_free (opener_install (words[0]));
}

/* URIs, as a file manager lets go of them; the first word is whether the window takes them. */
static void
drop (char **words)
{
  GtkWidget *overlay = scene_get ("toast_overlay");
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (overlay);
  gboolean wanted = g_str_equal (words[0], "true"), taken = !wanted;
  g_auto (GValue) value = G_VALUE_INIT;
  GSList *files = NULL;

  for (guint i = 1; words[i] != NULL; i++)
    files = g_slist_append (files, g_file_new_for_uri (words[i]));
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_list (files));
  g_slist_free_full (files, g_object_unref);
  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    if (GTK_IS_DROP_TARGET (controller))
      {
        GdkContentFormats *formats = gtk_drop_target_get_formats (GTK_DROP_TARGET (controller));

        g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST));
        g_assert_true (gtk_drop_target_get_actions (GTK_DROP_TARGET (controller))
                       & GDK_ACTION_COPY);
        g_signal_emit_by_name (controller, "drop", &value, 10.0, 10.0, &taken);
      }
  g_assert_cmpint (taken, ==, wanted);
}

static GdkPaintable *kept; /* (owned) */

/* PICTURE */
static void
keep_paintable (char **words)
{
  g_set_object (&kept, gtk_picture_get_paintable (scene_get (words[0])));
  g_assert_nonnull (kept);
}

static const SceneVerb verbs[] = {
  { "keep-paintable", 1, keep_paintable },
  { "install-opener", 1, install_opener },
  { "drop", 1, drop },
  { NULL, 0, NULL },
};

/* How many runs have curves in the figure. */
static guint
count_runs (const MemlaneChart *chart)
{
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; chart != NULL && i < chart->series->len; i++)
    if (((MemlaneSeries *) chart->series->pdata[i])->run != NULL)
      g_hash_table_add (runs, ((MemlaneSeries *) chart->series->pdata[i])->run);
  return g_hash_table_size (runs);
}

static char *
get_fact (gpointer thing, const char *fact)
{
  if (g_str_equal (fact, "revealed")) /* curves; -1: all */
    return g_strdup_printf ("%d", MEMLANE_CHART_VIEW (thing)->view.revealed);
  if (g_str_equal (fact, "by-family"))
    return scene_from_flag (MEMLANE_CHART_VIEW (thing)->view.by_family);
  if (g_str_equal (fact, "length")) /* of a label */
    return g_strdup_printf ("%ld", g_utf8_strlen (gtk_label_get_text (thing), -1));
  if (g_str_equal (fact, "focus-is-default"))
    return scene_from_flag (gtk_window_get_focus (thing) == gtk_window_get_default_widget (thing));
  if (g_str_equal (fact, "repainted")) /* since it was kept */
    return scene_from_flag (gtk_picture_get_paintable (thing) != kept);
  if (g_str_equal (fact, "goes-on")) /* with another sweep after this one */
    return scene_from_flag (memlane_sweep_job_goes_on (scene.stage.models->sweep));
  if (g_str_equal (fact, "runs"))
    return g_strdup_printf ("%u", count_runs (MEMLANE_CHART_VIEW (thing)->chart));
  return NULL;
}

int
main (int argc, char **argv)
{
  int status;

  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene.get_own_fact = get_fact;
  for (int i = 1; i < argc; i++)
    scene_add_file (argv[i]);
  status = ui_test_run ();
  g_clear_object (&kept);
  return status;
}
