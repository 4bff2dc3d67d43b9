/* window-pages.c: the window's pages: where the switcher leads to, what is seen, what of the side
 * panel it needs
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "curves/chart-page.h"
#include "curves/compare-page.h"
#include "decide/decide-page.h"
#include "experiment/experiment-page.h"
#include "experiment/lesson-page.h"
#include "parts/widgets.h"
#include "table/table-page.h"
#include "timeline/timeline-page.h"
#include "model/fields.h"

static gboolean
is_lesson (const char *path)
{
  return memlane_lesson_is_lesson (path) || memlane_lesson_is_answers (path);
}

typedef enum { BANDWIDTH, TIME, TABLE, COMPARE, DECIDE, EXPERIMENTS, LESSONS, TIMELINE } Page;

/* Every page; the settings keep the names. A page is built when it is seen first. */
static const struct
{
  const char *name;
  Side side;
  gboolean is_view; /* of MEASURE */
  const MemlanePageAction *actions;       /* (nullable): that it adds to the window's */
  /* (nullable): whether memlane_page_open() takes this file */
  gboolean (*reads) (const char *path);
  const char *run;                        /* (nullable): the action that measures what it shows */
} rows[] = {
  [BANDWIDTH] = { "bandwidth", SIDE_WORKLOAD | SIDE_RUNS | SIDE_CURVES, TRUE, NULL, NULL, "run" },
  [TIME] = { "time", SIDE_WORKLOAD | SIDE_RUNS | SIDE_CURVES, TRUE, NULL, NULL, "run" },
  [TABLE] = { "table", SIDE_WORKLOAD | SIDE_RUNS, TRUE, NULL, NULL, "run" },
  [COMPARE] = { "compare", SIDE_WORKLOAD | SIDE_RUNS, TRUE, NULL, NULL, "run" },
  [DECIDE] = { "decide", SIDE_WORKLOAD | SIDE_RUNS, FALSE, NULL, NULL },
  /* Before the timeline: some experiments begin as a trace may. */
  [EXPERIMENTS] = { "experiments", 0, FALSE, memlane_experiment_page_actions,
                    memlane_experiment_store_is_experiment, "run-experiment" },
  [LESSONS] = { "lessons", 0, FALSE, NULL, is_lesson },
  [TIMELINE] = { "timeline", 0, FALSE, memlane_timeline_page_actions, memlane_trace_store_is_trace,
                 "record-trace" },
};

/* (transfer floating): a MemlanePage */
static GtkWidget *
new_page (const MemlaneModels *models, Page page)
{
  switch (page)
    {
    case TIME:
      return memlane_chart_page_new (MEMLANE_QUANTITY_TIME, models->runs, models->view,
                                     models->sweep);
    case TABLE:
      return memlane_table_page_new (models->runs, models->view);
    case COMPARE:
      return memlane_compare_page_new (models->view);
    case DECIDE:
      return memlane_decide_page_new (models->decider, models->devices, models->sweep);
    case EXPERIMENTS:
      return memlane_experiment_page_new (models->bench, models->devices, models->experiments);
    case LESSONS:
      return memlane_lesson_page_new (models->experiments);
    case TIMELINE:
      return memlane_timeline_page_new (models->devices, models->plan, models->sweep,
                                        models->traces);
    case BANDWIDTH:
    default:
      return memlane_chart_page_new (MEMLANE_QUANTITY_BANDWIDTH, models->runs, models->view,
                                     models->sweep);
    }
}

/* The destinations of the switcher, in its order and that of the keys Alt+1, Alt+2, ... */
static const struct
{
  const char *name, *title, *icon;
} destinations[] = {
  { MEASURE, N_("_Measure"), "memlane-bandwidth-symbolic" },
  { "timeline", N_("T_imeline"), "memlane-timeline-symbolic" },
  { "decide", N_("_Decide"), "memlane-decide-symbolic" },
  { "experiments", N_("E_xperiments"), "memlane-experiments-symbolic" },
  { "lessons", N_("_Lessons"), "x-office-presentation-symbolic" },
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
  return rows[row].is_view ? gtk_stack_get_child_by_name (self->views, name)
                           : adw_view_stack_get_child_by_name (self->pages, name);
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
  GtkWidget *page = new_page (self->models, (Page) row);

  memlane_wheel_pass (page);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { page, "changed", G_CALLBACK (memlane_window_update) },
    { page, "notice", G_CALLBACK (memlane_window_tell) },
    { page, "progress", G_CALLBACK (memlane_window_update) },
    { page, "exported", G_CALLBACK (memlane_window_tell_exported) },
    { NULL },
  });
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

/* Returns the name of the visible page. */
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

/* Returns the figure that is exported, copied, printed and projected. */
GtkWidget *
memlane_window_get_figure_view (MemlaneWindow *self)
{
  GtkWidget *view = memlane_page_get_figure (memlane_window_get_current_page (self));

  return view != NULL ? view
                      : memlane_page_get_figure (memlane_window_get_page (self, "bandwidth"));
}

void
memlane_window_add_pages (MemlaneWindow *self)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].is_view)
      gtk_stack_add_named (self->views, adw_bin_new (), rows[row].name);
  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++)
    {
      GtkWidget *child =
          g_str_equal (destinations[i].name, MEASURE) ? self->measure : adw_bin_new ();
      AdwViewStackPage *page = adw_view_stack_add_titled (self->pages, child, destinations[i].name,
                                                          _(destinations[i].title));

      adw_view_stack_page_set_use_underline (page, TRUE);
      adw_view_stack_page_set_icon_name (page, destinations[i].icon);
    }
  /* Not before: a switcher builds all its buttons anew for each page that is added, 42 instead
   * of 12. */
  adw_view_switcher_set_stack (self->switcher, self->pages);
  adw_view_switcher_bar_set_stack (self->switcher_bar, self->pages);
}

static void
add_page_key (GtkApplication *application, const char *page, const char *modifier, guint number)
{
  g_autofree char *action = g_strdup_printf ("win.page::%s", page),
                  *key = g_strdup_printf ("<%s>%u", modifier, number);
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
page_cb (MemlaneWindow *self, GVariant *state)
{
  memlane_window_show_page (self, g_variant_get_string (state, NULL));
}

/* Nothing starts that the page does not show. */
static void
run_page_cb (MemlaneWindow *self)
{
  const char *run = rows[find_row (memlane_window_get_current_name (self))].run;

  if (run != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), run, NULL);
}

/* The two runs that are shown, as a view of its own; again: back to the curves. */
static void
compare_cb (MemlaneWindow *self, GVariant *state)
{
  memlane_window_show_page (self, g_variant_get_boolean (state) ? "compare" : "bandwidth");
}

static void
page_action_cb (MemlaneWindow *self, GVariant *parameter, GSimpleAction *simple)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    for (const MemlanePageAction *action = rows[row].actions;
         action != NULL && action->name != NULL; action++)
      if (g_str_equal (action->name, g_action_get_name (G_ACTION (simple))))
        {
          MemlanePage *page = memlane_window_get_page (self, rows[row].name);

          if (action->shows)
            memlane_window_show_page (self, rows[row].name);
          action->activate (page, parameter);
        }
}

void
memlane_window_update_page_actions (MemlaneWindow *self)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    for (const MemlanePageAction *action = rows[row].actions;
         action != NULL && action->name != NULL; action++)
      {
        MemlanePage *page = memlane_window_find_page (self, rows[row].name);
        gboolean can = page != NULL ? action->can == NULL || action->can (page) : action->shows;

        memlane_action_enable (self, action->name, can && !self->closing);
      }
}

gboolean
memlane_window_open_in_page (MemlaneWindow *self, const char *path)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].reads != NULL && rows[row].reads (path))
      {
        MemlanePage *page = memlane_window_get_page (self, rows[row].name);

        memlane_window_show_page (self, rows[row].name);
        memlane_page_open (page, path);
        return TRUE;
      }
  return FALSE;
}

MemlanePage *
memlane_window_find_busy_page (MemlaneWindow *self, char **status, double *fraction)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      MemlanePage *page = memlane_window_find_page (self, rows[row].name);

      if (page != NULL && memlane_page_get_progress (page, status, fraction))
        return page;
    }
  return NULL;
}

void
memlane_window_add_page_actions (MemlaneWindow *self)
{

  memlane_actions_add (self, (const MemlaneAction[]) {
    { "page", self, G_CALLBACK (page_cb), "s", "'bandwidth'" },
    { "compare", self, G_CALLBACK (compare_cb), NULL, "false" },
    { "run-page", self, G_CALLBACK (run_page_cb) },
    { NULL },
  });
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    for (const MemlanePageAction *action = rows[row].actions;
         action != NULL && action->name != NULL; action++)
      {
        const MemlaneAction entries[] = {
          { action->name, self, G_CALLBACK (page_action_cb), action->parameter },
          { NULL },
        };

        memlane_actions_add (self, entries);
      }
}
