/* runs-panel.c: the Runs list: show, hide, rename, compare, delete
 *
 * SPDX-License-Identifier: MIT
 */
#include "runs-panel.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/template.h"

struct _MemlaneRunsPanel
{
  AdwBin parent_instance;
  MemlaneRunStore *runs; /* weak */
  MemlaneViewModel *view;     /* weak */
  GtkWidget *list, *open_button;
};

G_DEFINE_FINAL_TYPE (MemlaneRunsPanel, memlane_runs_panel, ADW_TYPE_BIN)

static GtkWidget *
create_row_cb (gpointer item, gpointer user_data)
{
  MemlaneRunsPanel *self = user_data;

  return memlane_run_row_new (self->runs, self->view, item);
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

  g_set_weak_pointer (&self->runs, runs);
  g_set_weak_pointer (&self->view, view);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), G_LIST_MODEL (runs), create_row_cb, self, NULL);
  return GTK_WIDGET (self);
}

static void
dispose (GObject *object)
{
  MemlaneRunsPanel *self = MEMLANE_RUNS_PANEL (object);

  if (self->runs != NULL)
    gtk_list_box_bind_model (GTK_LIST_BOX (self->list), NULL, NULL, NULL, NULL); /* no row is made for a panel that goes */
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
  MEMLANE_BIND_CHILDREN (MemlaneRunsPanel, list, open_button);
  MEMLANE_BIND_CALLBACKS (secondary_click_cb);
}

static void
memlane_runs_panel_init (MemlaneRunsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_accessible_set_name (self->list, _("Runs"));
  memlane_accessible_set_name (self->open_button, _("Open a run"));
}
