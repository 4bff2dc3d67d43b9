/* window.c: the main window
 *
 * SPDX-License-Identifier: MIT
 */
#include "window.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "side/device-button.h"
#include "timeline/lab-panel.h"
#include "side/plan-panel.h"
#include "side/runs-panel.h"
#include "parts/settings.h"
#include "table/table-page.h"
#include "window-private.h"

G_DEFINE_FINAL_TYPE (MemlaneWindow, memlane_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- pages: built when they are seen first ------------------------------------------------------------------ */

static GtkWidget *
build_chart_page (MemlaneWindow *self, MemlaneQuantity quantity)
{
  GtkWidget *page = memlane_chart_page_new (self->session, quantity);

  g_signal_connect_object (memlane_chart_page_get_view (MEMLANE_CHART_PAGE (page)), "point-activated",
                           G_CALLBACK (memlane_window_point_activated), self, G_CONNECT_SWAPPED);
  return page;
}

static GtkWidget *
build_timeline_page (MemlaneWindow *self)
{
  GtkWidget *panel = memlane_lab_panel_new (self->session, self->store); /* first: it names what the page shows */
  GtkWidget *page = memlane_timeline_page_new (self->session, self->store);

  memlane_timeline_page_add_panel (MEMLANE_TIMELINE_PAGE (page), "lab", _("Stream _Laboratory"), panel);
  g_signal_connect_object (page, "changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  return page;
}

static GtkWidget *
build_decide_page (MemlaneWindow *self)
{
  GtkWidget *page = memlane_decide_page_new (self->session);

  g_signal_connect_object (page, "changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  return page;
}

void
memlane_window_ensure_page (MemlaneWindow *self, const char *name)
{
  if (g_strcmp0 (name, "bandwidth") == 0 && adw_bin_get_child (self->bandwidth_bin) == NULL)
    adw_bin_set_child (self->bandwidth_bin, build_chart_page (self, MEMLANE_QUANTITY_BANDWIDTH));
  else if (g_strcmp0 (name, "time") == 0 && adw_bin_get_child (self->time_bin) == NULL)
    adw_bin_set_child (self->time_bin, build_chart_page (self, MEMLANE_QUANTITY_TIME));
  else if (g_strcmp0 (name, "timeline") == 0 && adw_bin_get_child (self->timeline_bin) == NULL)
    adw_bin_set_child (self->timeline_bin, build_timeline_page (self));
  else if (g_strcmp0 (name, "decide") == 0 && adw_bin_get_child (self->decide_bin) == NULL)
    adw_bin_set_child (self->decide_bin, build_decide_page (self));
  else if (g_strcmp0 (name, "table") == 0 && adw_bin_get_child (self->table_bin) == NULL)
    adw_bin_set_child (self->table_bin, memlane_table_page_new (self->session));
  else if (g_strcmp0 (name, "experiments") == 0 && adw_bin_get_child (self->experiments_bin) == NULL)
    adw_bin_set_child (self->experiments_bin, memlane_window_build_experiment_page (self));
}

MemlaneChartPage *
memlane_window_get_page (MemlaneWindow *self, const char *page)
{
  AdwBin *bin = NULL;

  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  if (g_strcmp0 (page, "bandwidth") == 0)
    bin = self->bandwidth_bin;
  else if (g_strcmp0 (page, "time") == 0)
    bin = self->time_bin;
  if (bin == NULL)
    return NULL;
  memlane_window_ensure_page (self, page);
  return MEMLANE_CHART_PAGE (adw_bin_get_child (bin));
}

static void
page_seen_cb (MemlaneWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->pages);

  if (self->session == NULL)
    return;
  memlane_window_ensure_page (self, name);
  if (self->projector)
    memlane_window_project_page (self, name, TRUE);
  memlane_window_update_actions (self);
}

/* --- the session -------------------------------------------------------------------------------------------- */

static void
notice_cb (MemlaneWindow *self, const char *sentence, gboolean trouble)
{
  if (!self->closing)
    memlane_window_tell (self, sentence, trouble);
}

static void
running_cb (MemlaneWindow *self)
{
  memlane_window_rest_animations (self, memlane_session_is_running (self->session));
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

static void
devices_cb (MemlaneWindow *self)
{
  memlane_window_welcome (self);
  memlane_window_update_actions (self);
}

static void
swept_cb (MemlaneWindow *self, MemlaneRunItem *item, gboolean stopped)
{
  MemlaneRun *run = item != NULL ? memlane_run_item_get_run (item) : NULL;
  g_autofree char *sentence = NULL;
  guint cells = run != NULL ? run->cells->len : 0;

  if (self->closing || item == NULL)
    return;
  if (stopped)
    sentence = g_strdup_printf (ngettext ("Stopped; %u cell was measured and is kept",
                                          "Stopped; %u cells were measured and are kept", cells), cells);
  else
    sentence = g_strdup_printf (ngettext ("Measured %u cell", "Measured %u cells", cells), cells);
  memlane_window_tell (self, sentence, FALSE);
}

static void
follow_session (MemlaneWindow *self)
{
  const char *const progress[] = { "notify::status", "notify::fraction" };
  gsize i;

  g_signal_connect_object (self->session, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "swept", G_CALLBACK (swept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::running", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::stopping", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::device", G_CALLBACK (devices_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "modes-changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "charts-changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  for (i = 0; i < G_N_ELEMENTS (progress); i++)
    g_signal_connect_object (self->session, progress[i], G_CALLBACK (memlane_window_update_progress), self, G_CONNECT_SWAPPED);
}

/* --- the first frame comes first ---------------------------------------------------------------------------- */

static gboolean
start_cb (gpointer data)
{
  MemlaneWindow *self = data;

  if (self->closing)
    return G_SOURCE_REMOVE;
  memlane_window_fill_recorded_menu (self);
  memlane_session_start (self->session);
  memlane_window_welcome (self);
  memlane_window_update_actions (self);
  return G_SOURCE_REMOVE;
}

static void
painted_cb (GdkFrameClock *clock, gpointer data)
{
  MemlaneWindow *self = data;

  g_signal_handlers_disconnect_by_func (clock, painted_cb, self);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, start_cb, g_object_ref (self), g_object_unref);
}

static void
memlane_window_map (GtkWidget *widget)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  GTK_WIDGET_CLASS (memlane_window_parent_class)->map (widget);
  if (self->started)
    return;
  self->started = TRUE;
  memlane_window_follow_height (self);
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint", G_CALLBACK (painted_cb), self, 0);
}

/* --- closing ------------------------------------------------------------------------------------------------ */

static void
keep_state (MemlaneWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);
  int width, height;

  memlane_window_set_projector (self, FALSE);
  gtk_window_get_default_size (window, &width, &height);
  memlane_settings_set_boolean ("maximized", gtk_window_is_maximized (window));
  if (!gtk_window_is_maximized (window) && !gtk_window_is_fullscreen (window))
    {
      memlane_settings_set_int ("width", width);
      memlane_settings_set_int ("height", height);
    }
  memlane_settings_set_string ("page", adw_view_stack_get_visible_child_name (self->pages));
  if (!adw_flap_get_folded (self->flap)) /* folded, the panel is only visiting */
    memlane_settings_set_boolean ("side-panel", adw_flap_get_reveal_flap (self->flap));
}

static gboolean
shut_down_cb (gpointer data)
{
  MemlaneWindow *self = data;

  memlane_experiment_store_shut_down (self->experiments);
  memlane_trace_store_shut_down (self->store);
  memlane_session_shut_down (self->session);
  memlane_window_rest_animations (self, FALSE);
  gtk_window_destroy (GTK_WINDOW (self));
  return G_SOURCE_REMOVE;
}

/* What is measured is kept, so there is nothing to ask: the window goes at once, the program when the worker has ended. */
static gboolean
memlane_window_close_request (GtkWindow *window)
{
  MemlaneWindow *self = MEMLANE_WINDOW (window);

  if (self->closing)
    return TRUE;
  keep_state (self);
  self->closing = TRUE;
  memlane_window_stop_reading (self);
  memlane_experiment_store_stop (self->experiments);
  memlane_trace_store_stop (self->store);
  gtk_widget_hide (GTK_WIDGET (window));
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, shut_down_cb, g_object_ref (self), g_object_unref);
  return TRUE;
}

gboolean
memlane_window_is_closing (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), TRUE);
  return self->closing;
}

static void
banner_response_cb (MemlaneWindow *self)
{
  memlane_window_end_welcome (self);
}

static void
memlane_window_dispose (GObject *object)
{
  MemlaneWindow *self = MEMLANE_WINDOW (object);

  g_clear_handle_id (&self->switcher_idle, g_source_remove);
  g_clear_handle_id (&self->toasts_idle, g_source_remove);
  g_clear_handle_id (&self->adapt_idle, g_source_remove);
  g_clear_object (&self->device_button);
  g_clear_handle_id (&self->reading_timer, g_source_remove);
  g_clear_object (&self->reading);
  self->undo_toast = NULL;
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->experiments);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (memlane_window_parent_class)->dispose (object);
}

static void
memlane_window_finalize (GObject *object)
{
  g_free (MEMLANE_WINDOW (object)->last_toast);
  G_OBJECT_CLASS (memlane_window_parent_class)->finalize (object);
}

static void
memlane_window_class_init (MemlaneWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = memlane_window_dispose;
  G_OBJECT_CLASS (class)->finalize = memlane_window_finalize;
  widget_class->map = memlane_window_map;
  GTK_WINDOW_CLASS (class)->close_request = memlane_window_close_request;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/window.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneWindow, name)
  CHILD (toasts);
  CHILD (header);
  CHILD (side_button);
  CHILD (run_button);
  CHILD (menu_button);
  CHILD (switcher_title);
  CHILD (switcher_bar);
  CHILD (banner);
  CHILD (banner_title);
  CHILD (banner_text);
  CHILD (flap);
  CHILD (side_box);
  CHILD (side);
  CHILD (pages);
  CHILD (bandwidth_bin);
  CHILD (time_bin);
  CHILD (timeline_bin);
  CHILD (decide_bin);
  CHILD (table_bin);
  CHILD (experiments_bin);
  CHILD (progress_revealer);
  CHILD (status_label);
  CHILD (progress_bar);
  CHILD (stop_reading_button);
  CHILD (recorded_menu);
#undef CHILD
  gtk_widget_class_bind_template_callback (widget_class, banner_response_cb);
}

/* In a compact header only the closing button stays, on the side where the person has it. */
static void
choose_decoration (MemlaneWindow *self, gboolean compact)
{
  g_autofree char *layout = NULL;
  const char *colon;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-decoration-layout", &layout, NULL);
  colon = layout != NULL ? strchr (layout, ':') : NULL;
  if (!compact || layout == NULL || strstr (layout, "close") == NULL)
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), NULL);
  else if (colon != NULL && strstr (layout, "close") > colon)
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), ":close");
  else
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), "close:");
}

/* What leaves the header makes room for the switcher: it comes back in a wider window only, or both would come and go in turns. */
static gboolean
reveal_switcher_cb (gpointer data)
{
  MemlaneWindow *self = data;
  gboolean narrow = adw_view_switcher_title_get_title_visible (self->switcher_title);
  gboolean compact = gtk_widget_get_parent (self->device_button) == GTK_WIDGET (self->side_box);
  int width = gtk_widget_get_width (self->header);

  self->switcher_idle = 0;
  adw_view_switcher_bar_set_reveal (self->switcher_bar, narrow);
  if (narrow && !compact)
    {
      self->compact_width = width;
      choose_decoration (self, TRUE);
      adw_header_bar_remove (ADW_HEADER_BAR (self->header), self->device_button);
      gtk_box_prepend (self->side_box, self->device_button);
    }
  else if (!narrow && compact && width > self->compact_width)
    {
      self->compact_width = 0;
      choose_decoration (self, FALSE);
      gtk_box_remove (self->side_box, self->device_button);
      adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
    }
  return G_SOURCE_REMOVE;
}

/* This comes in the middle of an allocation, too late to ask for room at the bottom. */
void
memlane_window_adapt_header (MemlaneWindow *self)
{
  if (self->switcher_idle == 0)
    self->switcher_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, reveal_switcher_cb, self, NULL);
}

/* The names of all pages side by side are wider than a window of 320 px. */
static void
ellipsize (GtkWidget *widget)
{
  GtkWidget *child;

  if (GTK_IS_LABEL (widget))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);
  for (child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    ellipsize (child);
}

static void
memlane_window_init (MemlaneWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ellipsize (GTK_WIDGET (self->switcher_bar));
  g_signal_connect_object (self->switcher_title, "notify::title-visible", G_CALLBACK (memlane_window_adapt_header), self,
                           G_CONNECT_SWAPPED);
}

static void
restore_state (MemlaneWindow *self)
{
  g_autofree char *page = memlane_settings_get_string ("page", "bandwidth");

  gtk_window_set_default_size (GTK_WINDOW (self), memlane_settings_get_int ("width", 1280), memlane_settings_get_int ("height", 720));
  if (memlane_settings_get_boolean ("maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, memlane_settings_get_boolean ("side-panel", TRUE));
  if (adw_view_stack_get_child_by_name (self->pages, page) != NULL)
    adw_view_stack_set_visible_child_name (self->pages, page);
}

MemlaneWindow *
memlane_window_new (AdwApplication *application, MemlaneSession *session)
{
  MemlaneWindow *self = g_object_new (MEMLANE_TYPE_WINDOW, "application", application, NULL);

  self->session = g_object_ref (session);
  memlane_window_follow_trace_store (self);
  memlane_window_follow_experiments (self);
  self->device_button = g_object_ref_sink (memlane_device_button_new (session));
  adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
  gtk_paned_set_start_child (self->side, memlane_plan_panel_new (session));
  gtk_paned_set_end_child (self->side, memlane_runs_panel_new (session));
  gtk_paned_set_position (self->side, memlane_settings_get_int ("height", 720) * 11 / 20); /* the modes need more room than the runs */
  restore_state (self);
  memlane_window_add_actions (self);
  memlane_window_add_drop_target (self);
  memlane_window_add_projector_keys (self);
  follow_session (self);
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (page_seen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  page_seen_cb (self);
  return self;
}

MemlaneSession *
memlane_window_get_session (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  return self->session;
}
