/* timeline-page-fixture.h: the Timeline page inside a test of the whole window: choose, record, wait
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "parts/settings.h"
#include "timeline/timeline-details.h"
#include "timeline/timeline-page.h"
#include "timeline/timeline-view.h"
#include "window-fixture.h"

G_GNUC_UNUSED static MemlaneTimelinePage *
get_page (Stage *stage)
{
  return MEMLANE_TIMELINE_PAGE (memlane_window_get_page (stage->window, "timeline"));
}

G_GNUC_UNUSED static GtkWidget *
get (Stage *stage, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (get_page (stage)), id);

  g_assert_nonnull (widget);
  return widget;
}

static MemlaneTimelineView *
get_view (Stage *stage)
{
  return MEMLANE_TIMELINE_VIEW (get (stage, "view"));
}

G_GNUC_UNUSED static const MemlaneTraceInfo *
get_info (Stage *stage, guint track)
{
  MemlaneTraceItem *item = stage_get_trace (stage, track);

  return item != NULL ? memlane_trace_get_info (item->trace) : NULL;
}

static MemlaneTimelineDetails *
get_details (Stage *stage)
{
  return MEMLANE_TIMELINE_DETAILS (get (stage, "details"));
}

/* By its name on the page, as a button or a menu does. */
G_GNUC_UNUSED static void
activate (Stage *stage, const char *action, GVariant *parameter)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (get_page (stage)), action, parameter));
}

G_GNUC_UNUSED static gboolean
can (Stage *stage, const char *id)
{
  return gtk_widget_is_sensitive (get (stage, id));
}

static guint
mode_position (const char *id)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  return (guint) (memlane_mode_find (id) - modes);
}

/* @beside NULL: nothing; else a comparison, which is recorded as soon as it is chosen. */
static void
choose (Stage *stage, const char *mode, const char *beside, guint log2_elements)
{
  GtkWidget *recorder = get (stage, "recorder");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_test_find_id (recorder, "modes")), mode_position (mode));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_test_find_id (recorder, "size")), log2_elements);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_test_find_id (recorder, "beside")), beside != NULL ? mode_position (beside) + 1 : 0);
}

static gboolean
rests (gpointer data)
{
  Stage *stage = data;

  return !memlane_trace_store_is_busy (memlane_window_get_models (stage->window)->traces) &&
         !ui_test_is_busy (GTK_WIDGET (get_details (stage)));
}

G_GNUC_UNUSED static void
record (Stage *stage, const char *mode, const char *beside, guint log2_elements)
{
  choose (stage, mode, beside, log2_elements);
  if (!memlane_trace_store_is_recording (memlane_window_get_models (stage->window)->traces))
    activate (stage, "trace.record", NULL);
  g_assert_true (memlane_trace_store_is_recording (memlane_window_get_models (stage->window)->traces));
  ui_test_wait (rests (stage));
}

static gboolean
shows_recorded (gpointer data)
{
  return stage_get_trace (data, 0) != NULL && stage_get_trace (data, 1) != NULL;
}

/* As a person finds it: with two samples that were recorded on a GPU. */
G_GNUC_UNUSED static Stage
open_page_first (void)
{
  Stage stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  if (!memlane_settings_get_boolean ("timeline-laboratory", FALSE))
    ui_test_wait (shows_recorded (&stage));
  ui_test_wait (rests (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  return stage;
}

/* Without any trace. */
G_GNUC_UNUSED static Stage
open_page (void)
{
  Stage stage = open_page_first ();

  while (stage_get_trace (&stage, 0) != NULL)
    activate (&stage, "trace.close", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  return stage;
}
