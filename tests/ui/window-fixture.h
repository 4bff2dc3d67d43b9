/* window-fixture.h: the whole application inside a test: start it, do what its menus do, close it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib/gi18n.h>

#include "chart/export.h"
#include "curves/chart-view.h"
#include "timeline/timeline-view.h"
#include "window/application.h"
#include "models-fixture.h"
#include "ui-test.h"

typedef struct
{
  MemlaneApplication *application;
  MemlaneWindow *window;
  MemlaneModels *models;
} Stage;

static gboolean
stage_has_device (MemlaneModels *data)
{
  return memlane_device_choice_get_item (data->devices) != NULL;
}

G_GNUC_UNUSED static gboolean
stage_knows_modes (MemlaneModels *data)
{
  return memlane_sweep_job_can_run (data->sweep, NULL);
}

G_GNUC_UNUSED static gboolean
stage_has_read (MemlaneModels *data)
{
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, data->runs)
    if (item->loading)
      return FALSE;
  return g_list_model_get_n_items (G_LIST_MODEL (data->runs)) > 0;
}

/* The window with its first frame. */
static Stage
stage_activate (void)
{
  static MemlaneApplication *application; /* one name on the bus: for all tests of the program */
  GtkWindow *window;
  Stage stage;

  if (application == NULL)
    {
      g_autoptr (GError) error = NULL;

      application = memlane_application_new ();
      g_application_set_flags (G_APPLICATION (application), G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
      g_application_register (G_APPLICATION (application), NULL, &error);
      g_assert_no_error (error);
    }
  stage.application = application;
  g_application_activate (G_APPLICATION (stage.application));
  window = gtk_application_get_active_window (GTK_APPLICATION (stage.application));
  g_assert_true (MEMLANE_IS_WINDOW (window));
  stage.window = MEMLANE_WINDOW (window);
  stage.models = memlane_window_get_models (stage.window);
  ui_test_present (window);
  return stage;
}

/* The window as a person finds it: drawn, devices listed, shown runs read, on the simulated device with a small plan. */
G_GNUC_UNUSED static Stage
stage_open (void)
{
  Stage stage = stage_activate ();

  ui_test_wait (stage_has_device (stage.models));
  g_object_set (stage.models->devices, "device", "simulated:h200", NULL);
  g_object_set (stage.models->plan, "first-log2", 10, "last-log2", 12, "cell-seconds", 0.01, NULL);
  ui_test_wait (stage_knows_modes (stage.models));
  ui_test_wait (stage_has_read (stage.models));
  return stage;
}

static gboolean
stage_draws (Stage *stage)
{
  MemlanePage *page = memlane_window_get_page (stage->window, "bandwidth");
  MemlaneChart *chart = MEMLANE_CHART_VIEW (memlane_page_get_figure (page))->chart;

  return chart != NULL && chart->series->len > 0;
}

/* The recorded run is on the screen. */
G_GNUC_UNUSED static Stage
stage_open_drawn (void)
{
  Stage stage = stage_open ();

  ui_test_wait (stage_draws (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  return stage;
}

/* Without a window manager GTK takes the border that is dragged off what it is asked for. */
G_GNUC_UNUSED static void
stage_resize (Stage *stage, int width, int height)
{
  GtkWidget *window = GTK_WIDGET (stage->window);
  int border = 0;

  for (guint k = 0; k < 2; k++)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), width + border, height + border);
      ui_test_next_frame (window);
      ui_test_next_frame (window);
      border += width - gtk_widget_get_width (window);
    }
  g_assert_cmpint (gtk_widget_get_width (window), ==, width);
  g_assert_cmpint (gtk_widget_get_height (window), ==, height);
}

static gboolean
stage_is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* Pages have windows beside it, as a lesson its notes. */
static gboolean
no_other_window_is_left (gpointer data)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  MEMLANE_FOR_EACH_ITEM (GtkWindow, window, windows)
    n += MEMLANE_IS_WINDOW (window);
  return n == g_list_model_get_n_items (windows);
}

/* As by the window's own button. */
G_GNUC_UNUSED static void
stage_close (Stage *stage)
{
  GtkWindow *window = GTK_WINDOW (stage->window);

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  gtk_window_close (window);
  ui_test_wait (stage_is_gone (&window));
  ui_test_wait (no_other_window_is_left (NULL));
  stage->window = NULL;
  stage->models = NULL;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stage, stage_close)

/* By its name in the window; fails when it is not there or cannot be done now. */
static void
stage_do (Stage *stage, const char *action, GVariant *parameter)
{
  if (!g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action))
    g_error ("the action %s is not enabled", action);
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), action, parameter);
}

G_GNUC_UNUSED static gboolean
stage_can (Stage *stage, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action);
}

static gboolean
stage_rests (MemlaneModels *data)
{
  return !memlane_sweep_job_is_running (data->sweep);
}

/* Measures the chosen plan to its end. */
G_GNUC_UNUSED static void
stage_sweep (Stage *stage)
{
  stage_do (stage, "run", NULL);
  g_assert_true (memlane_sweep_job_is_running (stage->models->sweep));
  ui_test_wait (stage_rests (stage->models));
}

G_GNUC_UNUSED static void
stage_choose_modes (Stage *stage, const char *const *modes)
{
  memlane_mode_set_put_all (models_get_plan (stage->models), FALSE);
  for (; *modes != NULL; modes++)
    memlane_mode_set_put (models_get_plan (stage->models), *modes, TRUE);
}

/* The sentence of the toast that is seen; "": none is. (transfer none) */
G_GNUC_UNUSED static const char *
stage_get_toast (Stage *stage)
{
  GtkWidget *toast = ui_test_find_toast (GTK_WIDGET (stage->window));

  return toast != NULL ? gtk_label_get_text (GTK_LABEL (ui_test_find_id (toast, "label"))) : "";
}

/* Waits until a toast with @text is seen. */
G_GNUC_UNUSED static void
stage_wait_toast (Stage *stage, const char *text)
{
  ui_test_wait (strstr (stage_get_toast (stage), text) != NULL);
}

/* Writes what @view shows, as the dialog of figures does in another thread. */
G_GNUC_UNUSED static gboolean
stage_export (GtkWidget *view, const char *path, GError **error)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_figure_widget_get_drawing (MEMLANE_FIGURE_WIDGET (view), error);
  const MemlaneExportFormat *format = drawing != NULL ? memlane_export_find_for_path (path, error) : NULL;

  return format != NULL
         && memlane_export_to_file (drawing, memlane_style_get (MEMLANE_STYLE_PRINT), format, 1280,
                                    drawing->klass->measure_height != NULL ? 0 : 720, 1, path, error);
}

/* (transfer none) (nullable): the trace that the timeline draws as @track. */
G_GNUC_UNUSED static MemlaneTraceItem *
stage_get_trace (Stage *stage, guint track)
{
  MemlanePage *page = memlane_window_get_page (stage->window, "timeline");
  MemlaneTimelineView *view = MEMLANE_TIMELINE_VIEW (memlane_page_get_figure (page));

  MEMLANE_FOR_EACH_ITEM (MemlaneTraceItem, item, stage->models->traces)
    if (track < view->n_tracks && item->trace == view->tracks[track].trace)
      return item;
  return NULL;
}

/* (transfer none) (nullable): the experiment that is chosen in the list. */
G_GNUC_UNUSED static MemlaneExperimentItem *
stage_get_experiment (Stage *stage)
{
  GtkWidget *page = GTK_WIDGET (memlane_window_get_page (stage->window, "experiments"));
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (ui_test_find_id (page, "list")));
  g_autoptr (MemlaneExperimentItem) item = NULL;

  if (row != NULL)
    item = g_list_model_get_item (G_LIST_MODEL (stage->models->experiments), (guint) gtk_list_box_row_get_index (row));
  return item; /* the list has it */
}

/* (transfer full) (nullable): the first of this kind in the list. */
G_GNUC_UNUSED static MemlaneRunItem *
stage_find_kind (Stage *stage, MemlaneRunKind kind)
{
  MEMLANE_FOR_EACH_ITEM (MemlaneRunItem, item, stage->models->runs)
    if (item->kind == kind)
      return g_object_ref (item);
  return NULL;
}

/* A sweep that goes on has measured three cells. */
G_GNUC_UNUSED static gboolean
stage_has_live_cells (gpointer data)
{
  g_autoptr (MemlaneRunItem) item = stage_find_kind (data, MEMLANE_RUN_LIVE);
  MemlaneRun *run = item != NULL ? item->run : NULL;

  return run != NULL && run->cells->len >= 3;
}

G_GNUC_UNUSED static guint
stage_count_runs (Stage *stage)
{
  return g_list_model_get_n_items (G_LIST_MODEL (stage->models->runs));
}
