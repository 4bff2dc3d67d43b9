/* test-fleet.c: a folder of runs in the window: the machines that differ are named, and stand out of the strip of points
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>

#include "curves/chart-view.h"
#include "curves/compare-page.h"
#include "parts/pivot-view.h"
#include "window-fixture.h"

static void
measure (const char *folder, const char *name, const char *options)
{
  g_autofree char *device = g_strconcat ("simulated:h200?", options, NULL);
  g_autofree char *file = g_strconcat (name, ".csv", NULL), *path = g_build_filename (folder, file, NULL);
  const char *const command[] = { g_getenv ("MEMLANE_CLI"), "sweep", "--device", device, "--workload", "copy-to-device", "--modes",
                                  "pageable,pinned", "--sizes", "20:21", "--csv", path, "--quiet", NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                               NULL, &status, &error));
  g_assert_cmpint (status, ==, 0);
}

static GtkWidget *
find (Stage *stage, const char *id)
{
  return ui_test_find_id (GTK_WIDGET (memlane_window_get_page (stage->window, "compare")), id);
}

static gboolean
is_read (gpointer data)
{
  return gtk_list_box_get_row_at_index (GTK_LIST_BOX (find (data, "machines")), 0) != NULL;
}

static gboolean
has_refused (gpointer data)
{
  const char *said = memlane_window_get_last_toast (((Stage *) data)->window);

  return said != NULL && strstr (said, "found 0 runs") != NULL;
}

static void
open_folder (Stage *stage, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (stage->window, file);
}

static void
test_fleet (void)
{
  g_autofree char *folder = ui_test_path ("fleet"), *empty = ui_test_path ("empty"), *table = g_build_filename (folder, "fleet.csv", NULL);
  const MemlaneSeries *series;
  const MemlaneChart *chart;
  GtkListBox *machines;
  Stage stage;

  g_mkdir_with_parents (folder, 0700);
  g_mkdir_with_parents (empty, 0700);
  for (guint i = 1; i <= 5; i++)
    measure (folder, (const char *[]) { "", "n1", "n2", "n3", "n4", "n5" }[i],
             i == 3 ? "link_width=8&link_bandwidth=31507692307" : "slow=1");
  stage_open (&stage);
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  open_folder (&stage, empty);
  ui_test_wait (has_refused, &stage);
  open_folder (&stage, table); /* which names the folder */
  ui_test_wait (is_read, &stage);
  machines = GTK_LIST_BOX (find (&stage, "machines"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (machines)));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (machines), "n3: +"));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (machines), "PCIe lanes: 8, not 16"));
  g_assert_null (gtk_list_box_get_row_at_index (machines, 1)); /* no other */
  chart = MEMLANE_CHART_VIEW (find (&stage, "strips"))->chart;
  g_assert_true (chart->simulated);
  g_assert_cmpuint (chart->series->len, ==, 2);
  series = chart->series->pdata[0];
  g_assert_cmpstr (series->label, ==, "n3");
  g_assert_cmpuint (series->points->len, ==, 2);
  g_assert_cmpfloat (g_array_index (series->points, MemlaneChartPoint, 0).value, >, 1.5);
  series = chart->series->pdata[1];
  g_assert_cmpuint (series->points->len, ==, 8); /* four machines, two sizes */
  for (guint i = 0; i < 2; i++)
    ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "fleet.png");

  /* The list's words are too small for the wall. */
  stage_do (&stage, "projector", NULL);
  ui_test_spin (300);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (machines)));
  stage_do (&stage, "projector", NULL);
  ui_test_spin (300);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (machines)));

  /* The other mode, and back by the machine's row. */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (find (&stage, "fleet_modes")), 0);
  g_assert_true (g_str_has_suffix (MEMLANE_CHART_VIEW (find (&stage, "strips"))->chart->title, "Pageable"));
  g_signal_emit_by_name (machines, "row-activated", gtk_list_box_get_row_at_index (machines, 0));
  g_assert_true (g_str_has_suffix (MEMLANE_CHART_VIEW (find (&stage, "strips"))->chart->title, "Pinned"));
  g_assert_true (memlane_page_has_figure (memlane_window_get_page (stage.window, "compare"))); /* it is exported as others are */
  gtk_widget_activate (gtk_widget_get_first_child (find (&stage, "fleet_bar")));
  ui_test_spin (300);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (machines)));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  stage_close (&stage);
}

static gboolean
has_nodes (gpointer data)
{
  return gtk_widget_get_mapped (find (data, "nodes"));
}

/* The runs of sweep --numa, stood in for by two devices: a table of colours, each cell beside the fastest of its row. */
static void
test_nodes (void)
{
  g_autofree char *folder = ui_test_path ("nodes"), *reading = NULL, *cell = NULL;
  MemlanePivot *pivot;
  guint pinned;
  Stage stage;

  g_mkdir_with_parents (folder, 0700);
  measure (folder, "cuda-0-node-0", "slow=1");
  measure (folder, "cuda-0-node-1", "link_bandwidth=45000000000");
  stage_open (&stage);
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  open_folder (&stage, folder);
  ui_test_wait (has_nodes, &stage);
  g_assert_false (gtk_widget_get_mapped (find (&stage, "strips")));
  g_assert_false (gtk_widget_get_mapped (find (&stage, "fleet_modes")));
  g_assert_true (memlane_page_get_figure (memlane_window_get_page (stage.window, "compare")) == find (&stage, "nodes"));
  pivot = MEMLANE_PIVOT_VIEW (find (&stage, "nodes"))->pivot;
  g_assert_cmpuint (pivot->modes->len, ==, 2);
  g_assert_cmpuint (pivot->sizes->len, ==, 2);
  g_assert_true (g_ptr_array_find_with_equal_func (pivot->modes, "pinned", g_str_equal, &pinned));
  g_assert_cmpfloat (memlane_pivot_get_ratio (pivot, pinned, 0), ==, 1);
  reading = memlane_pivot_read (pivot, pinned, 1);
  cell = memlane_pivot_format (pivot, memlane_pivot_get (pivot, pinned, 1));
  g_assert_nonnull (strstr (reading, "cuda-0-node-1"));
  g_assert_nonnull (strstr (reading, "on the fastest node, +"));
  g_assert_true (g_str_has_prefix (cell, "+"));
  for (guint i = 0; i < 2; i++)
    ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "nodes.png");
  g_assert_true (gtk_widget_get_mapped (find (&stage, "node_line")));
  stage_do (&stage, "projector", NULL);
  ui_test_spin (300);
  g_assert_false (gtk_widget_get_mapped (find (&stage, "node_line")));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_cmpint (gtk_widget_get_height (find (&stage, "nodes")), ==,
                   gtk_widget_get_height (GTK_WIDGET (memlane_window_get_page (stage.window, "compare"))));
  stage_close (&stage);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/fleet", test_fleet);
  g_test_add_func ("/fleet/nodes", test_nodes);
  return ui_test_run ();
}
