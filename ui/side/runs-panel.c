/* runs-panel.c: the Runs list: show, hide, rename, compare, delete
 *
 * SPDX-License-Identifier: MIT
 */
#include "runs-panel.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"

struct _MemlaneRunsPanel
{
  AdwBin parent_instance;
  MemlaneRunStore *runs; /* weak */
  MemlaneViewModel *view;     /* weak */
  GtkWidget *scrolled, *list, *open_button;
  int usual_height; /* of a row: what one had that was in sight */
  guint look_source;
};

#define LEAST_PAGE 300  /* pixels; before the first layout there is none */
#define FIRST_HEIGHT 64 /* of a row, likewise */

G_DEFINE_FINAL_TYPE (MemlaneRunsPanel, memlane_runs_panel, ADW_TYPE_BIN)

static GtkWidget *
create_row_cb (gpointer item, gpointer user_data)
{
  MemlaneRunsPanel *self = user_data;

  return memlane_run_row_new (self->runs, self->view, item);
}

/* A row is shown from a page before it comes in sight, so that it is there when it does. New rows have no place yet: it is counted. */
static void
look (MemlaneRunsPanel *self)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double page = MAX (gtk_adjustment_get_page_size (scroll), LEAST_PAGE), value = gtk_adjustment_get_value (scroll), y = 0;
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    {
      int height = memlane_run_row_get_height (MEMLANE_RUN_ROW (row));

      if (height == 0)
        height = self->usual_height;
      else
        self->usual_height = height;
      memlane_run_row_set_in_sight (MEMLANE_RUN_ROW (row), y + height >= value - page && y <= value + 2 * page, self->usual_height);
      y += height;
    }
}

static gboolean
look_cb (gpointer user_data)
{
  MemlaneRunsPanel *self = user_data;

  self->look_source = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

/* Before the next frame, and not in the middle of a layout, in which the list may just have been scrolled. */
static void
look_soon (MemlaneRunsPanel *self)
{
  if (self->look_source == 0)
    self->look_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, look_cb, self, NULL);
}

/* One for all rows. */
static void
secondary_click_cb (MemlaneRunsPanel *self, int n, double x, double y)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->list), (int) y);

  if (row != NULL)
    gtk_widget_activate_action (GTK_WIDGET (row), "run.menu", NULL);
}

GtkWidget *
memlane_runs_panel_new (MemlaneRunStore *runs, MemlaneViewModel *view)
{
  MemlaneRunsPanel *self = g_object_new (MEMLANE_TYPE_RUNS_PANEL, NULL);
  GListModel *store = G_LIST_MODEL (runs);

  g_set_weak_pointer (&self->runs, runs);
  g_set_weak_pointer (&self->view, view);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), store, create_row_cb, self, NULL);
  g_signal_connect_object (store, "items-changed", G_CALLBACK (look), self, G_CONNECT_SWAPPED); /* the list has its rows by then */
  look (self);
  return GTK_WIDGET (self);
}

static void
dispose (GObject *object)
{
  MemlaneRunsPanel *self = MEMLANE_RUNS_PANEL (object);

  if (self->runs != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->runs, self);
      gtk_list_box_bind_model (GTK_LIST_BOX (self->list), NULL, NULL, NULL, NULL); /* no row is made for a panel that goes */
    }
  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_weak_pointer (&self->runs);
  g_clear_weak_pointer (&self->view);
  G_OBJECT_CLASS (memlane_runs_panel_parent_class)->dispose (object);
}

static void
memlane_runs_panel_class_init (MemlaneRunsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/runs-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, MemlaneRunsPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, MemlaneRunsPanel, list);
  gtk_widget_class_bind_template_child (widget_class, MemlaneRunsPanel, open_button);
  gtk_widget_class_bind_template_callback (widget_class, secondary_click_cb);
}

static void
memlane_runs_panel_init (MemlaneRunsPanel *self)
{
  GtkAdjustment *scroll;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->usual_height = FIRST_HEIGHT;
  scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  g_signal_connect_object (scroll, "changed", G_CALLBACK (look_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (scroll, "value-changed", G_CALLBACK (look_soon), self, G_CONNECT_SWAPPED);
  memlane_accessible_set_name (self->list, _("Runs"));
  memlane_accessible_set_name (self->open_button, _("Open a run"));
}
