/* window-pages.c: the window's pages: where the switcher leads to, what is seen, what of the side panel it needs
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "curves/chart-page.h"
#include "decide/decide-page.h"
#include "experiment/experiment-page.h"
#include "parts/wheel.h"
#include "table/table-page.h"
#include "timeline/timeline-page.h"

/* Every page; the settings keep the names. A page is built when it is seen first. */
static const struct
{
  const char *name;
  GtkWidget *(*build) (const MemlanePageContext *context); /* a MemlanePage */
  Side side;
  gboolean is_view; /* of MEASURE */
} rows[] = {
  { "bandwidth", memlane_chart_page_new_bandwidth, SIDE_WORKLOAD | SIDE_RUNS | SIDE_CURVES, TRUE },
  { "time", memlane_chart_page_new_time, SIDE_WORKLOAD | SIDE_RUNS | SIDE_CURVES, TRUE },
  { "table", memlane_table_page_new, SIDE_RUNS, TRUE },
  { TIMELINE, memlane_timeline_page_new, 0, FALSE },
  { "decide", memlane_decide_page_new, SIDE_WORKLOAD | SIDE_RUNS, FALSE },
  { EXPERIMENTS, memlane_experiment_page_new, 0, FALSE },
};

/* Where the switcher leads to, in its order, and that of the keys Alt+1, Alt+2, ... */
static const struct
{
  const char *name, *title, *icon;
} destinations[] = {
  { MEASURE, N_("_Measure"), "memlane-bandwidth-symbolic" },
  { TIMELINE, N_("T_imeline"), "memlane-timeline-symbolic" },
  { "decide", N_("_Decide"), "memlane-decide-symbolic" },
  { EXPERIMENTS, N_("E_xperiments"), "memlane-experiments-symbolic" },
};

/* The row of @name; -1: there is no such page. */
static int
find_row (const char *name)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (g_str_equal (rows[row].name, name))
      return (int) row;
  return -1;
}

/* (nullable) (transfer none) */
static GtkWidget *
get_bin (MemlaneWindow *self, const char *name)
{
  int row = find_row (name);

  if (row < 0)
    return NULL;
  return rows[row].is_view ? gtk_stack_get_child_by_name (self->views, name) : adw_view_stack_get_child_by_name (self->pages, name);
}

/* (nullable) (transfer none): NULL where it has not been seen */
MemlanePage *
memlane_window_find_page (MemlaneWindow *self, const char *name)
{
  GtkWidget *bin = get_bin (self, name);

  return bin != NULL ? (MemlanePage *) adw_bin_get_child (ADW_BIN (bin)) : NULL;
}

static void
build_page (MemlaneWindow *self, int row)
{
  const MemlanePageContext context = memlane_window_get_context (self);
  GtkWidget *page = rows[row].build (&context);

  memlane_wheel_pass (page);
  g_signal_connect_object (page, "changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "record", G_CALLBACK (memlane_window_record_cell), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (get_bin (self, rows[row].name)), page);
}

MemlanePage *
memlane_window_get_page (MemlaneWindow *self, const char *name)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self) && name != NULL, NULL);
  if (find_row (name) >= 0 && memlane_window_find_page (self, name) == NULL)
    build_page (self, find_row (name));
  return memlane_window_find_page (self, name);
}

/* Of the page that is seen. */
const char *
memlane_window_get_current_name (MemlaneWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->pages);

  return g_str_equal (name, MEASURE) ? gtk_stack_get_visible_child_name (self->views) : name;
}

gboolean
memlane_window_is_measure (MemlaneWindow *self)
{
  return g_str_equal (adw_view_stack_get_visible_child_name (self->pages), MEASURE);
}

MemlanePage *
memlane_window_get_current_page (MemlaneWindow *self)
{
  return memlane_window_get_page (self, memlane_window_get_current_name (self));
}

/* A page, or MEASURE: the view that was seen last. */
void
memlane_window_show_page (MemlaneWindow *self, const char *name)
{
  int row = find_row (name);

  if (row >= 0 && rows[row].is_view)
    {
      gtk_stack_set_visible_child_name (self->views, name);
      name = MEASURE;
    }
  if (adw_view_stack_get_child_by_name (self->pages, name) != NULL)
    adw_view_stack_set_visible_child_name (self->pages, name);
}

/* What is exported, copied, printed and projected. */
GtkWidget *
memlane_window_get_figure_view (MemlaneWindow *self)
{
  GtkWidget *view = memlane_page_get_figure (memlane_window_get_current_page (self));

  return view != NULL ? view : memlane_page_get_figure (memlane_window_get_page (self, "bandwidth"));
}

void
memlane_window_page_seen (MemlaneWindow *self)
{
  if (self->session == NULL)
    return;
  self->side_visiting = FALSE;
  memlane_page_set_projector (memlane_window_get_current_page (self), self->projector);
  memlane_window_place_side (self);
  memlane_window_update_actions (self);
}

/* The line of the first start stands above the figures, and nowhere else. */
static GtkWidget *
make_measure (MemlaneWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->welcome = g_object_new (MEMLANE_TYPE_WELCOME, NULL);
  self->views = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_name (GTK_WIDGET (self->views), "views");
  gtk_widget_set_vexpand (GTK_WIDGET (self->views), TRUE);
  gtk_stack_set_hhomogeneous (self->views, FALSE);
  gtk_stack_set_vhomogeneous (self->views, FALSE);
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].is_view)
      gtk_stack_add_named (self->views, adw_bin_new (), rows[row].name);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->welcome));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->views));
  return box;
}

void
memlane_window_add_pages (MemlaneWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++)
    {
      GtkWidget *child = g_str_equal (destinations[i].name, MEASURE) ? make_measure (self) : adw_bin_new ();
      AdwViewStackPage *page = adw_view_stack_add_titled (self->pages, child, destinations[i].name, _(destinations[i].title));

      adw_view_stack_page_set_use_underline (page, TRUE);
      adw_view_stack_page_set_icon_name (page, destinations[i].icon);
    }
  /* Not before: a switcher builds all its buttons anew for each page that is added, 42 instead of 12. */
  adw_view_switcher_title_set_stack (self->switcher_title, self->pages);
  adw_view_switcher_bar_set_stack (self->switcher_bar, self->pages);
}

static void
add_page_key (GtkApplication *application, const char *page, const char *modifier, guint number)
{
  g_autofree char *action = g_strdup_printf ("win.page::%s", page), *key = g_strdup_printf ("<%s>%u", modifier, number);
  const char *keys[] = { key, NULL };

  gtk_application_set_accels_for_action (application, action, keys);
}

void
memlane_window_add_page_keys (GtkApplication *application)
{
  guint view = 0;

  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++)
    add_page_key (application, destinations[i].name, "Alt", i + 1);
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].is_view)
      add_page_key (application, rows[row].name, "Control", ++view);
}

Side
memlane_window_get_side (MemlaneWindow *self)
{
  return rows[find_row (memlane_window_get_current_name (self))].side;
}

void
memlane_window_project_pages (MemlaneWindow *self)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (memlane_window_find_page (self, rows[row].name) != NULL)
      memlane_page_set_projector (memlane_window_find_page (self, rows[row].name), self->projector);
}

static void
page_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  memlane_window_show_page (self, g_variant_get_string (state, NULL));
}

void
memlane_window_add_page_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "page", NULL, "s", "'bandwidth'", page_cb, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
