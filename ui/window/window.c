/* window.c: the main window: its pages and their side panel, its actions, the line at the bottom, the projector
 *
 * SPDX-License-Identifier: MIT
 */
#include "window.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "curves/chart-page.h"
#include "decide/decide-page.h"
#include "experiment/experiment-page.h"
#include "experiment/experiment-words.h"
#include "model/recordings.h"
#include "model/sentence.h"
#include "parts/accessible.h"
#include "parts/color-scheme.h"
#include "parts/export-dialog.h"
#include "parts/file-dialog.h"
#include "parts/settings.h"
#include "parts/wheel.h"
#include "side/device-button.h"
#include "side/hosts-dialog.h"
#include "side/mode-choice.h"
#include "side/plan-panel.h"
#include "side/runs-panel.h"
#include "side/workload-choice.h"
#include "table/table-page.h"
#include "timeline/timeline-page.h"
#include "toasts.h"
#include "welcome.h"

/* What of the side panel a page has a use for; none: it has a panel of its own, or needs none. */
typedef enum
{
  SIDE_WORKLOAD = 1 << 0, /* whose figures are shown */
  SIDE_RUNS = 1 << 1,
  SIDE_CURVES = 1 << 2, /* which modes are shown */
} Side;

#define MEASURE "measure" /* the destination of the first three: views of one thing, which the bar of each switches */
#define TIMELINE "timeline"
#define EXPERIMENTS "experiments"

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

#define FOLDED 860 /* px of the window: below that the side panel lies over the page */
#define WALL_TEXT 26 /* px of the widgets in a window of WALL_HEIGHT px */
#define WALL_HEIGHT 720

struct _MemlaneWindow
{
  AdwApplicationWindow parent_instance;

  MemlaneSession *session; /* (owned) */
  MemlaneTraceStore *store; /* (owned) */
  MemlaneExperimentStore *experiments; /* (owned) */
  MemlaneToasts *toasts;   /* (owned) */

  GtkOverlay *toast_overlay;
  GtkWidget *header, *side_button, *menu_button;
  AdwSplitButton *run_button;
  GtkPopover *plan_popover;    /* empty until it is seen first */
  AdwViewSwitcherTitle *switcher_title;
  AdwViewSwitcherBar *switcher_bar;
  MemlaneWelcome *welcome;     /* above the views */
  AdwFlap *flap;
  GtkBox *side_box;
  GtkWidget *side_separator, *shown_workload, *curves, *curve_choice, *runs;
  GtkPaned *side;
  GtkWidget *device_button;    /* (owned): in the header bar, in a narrow window atop the side panel */
  AdwViewStack *pages;         /* of each destination a bin, which holds the page once it is built, or the views */
  GtkStack *views;             /* likewise of each view */
  GtkWidget *blank;            /* over all of it, on the wall */
  GtkRevealer *progress_revealer;
  GtkLabel *status_label;
  GtkProgressBar *progress_bar;
  GtkWidget *stop_reading_button;
  GMenu *recorded_menu;

  gboolean started, closing;
  gboolean projector, was_fullscreen;
  GtkCssProvider *wall_css;    /* (owned): the size of the wall's text */
  int wall_text;               /* px */
  gboolean side_wanted, side_visiting; /* beside the page; over it, in a narrow window */
  gboolean placing_side;
  gboolean rested;             /* animations were switched off for a sweep */

  GCancellable *reading;       /* (nullable): of the files that are being opened */
  guint n_reading, reading_timer;
  guint n_opened;              /* traces that were opened since the store had nothing to do */
  guint switcher_idle;         /* the switcher at the bottom comes or goes */
  int compact_width;           /* px: in a header of that width the device button had no room; 0: it has */
  guint adapt_idle;            /* the side panel and the header follow the window's size */
};

G_DEFINE_FINAL_TYPE (MemlaneWindow, memlane_window, ADW_TYPE_APPLICATION_WINDOW)

static void update_actions (MemlaneWindow *self);
static void place_side (MemlaneWindow *self);
static void enable (MemlaneWindow *self, const char *name, gboolean enabled);
static void set_state (MemlaneWindow *self, const char *name, GVariant *state);
static void record_cell (MemlaneWindow *self, const MemlaneCell *cell);

/* --- pages ------------------------------------------------------------------------------------------------------------------ */

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
static MemlanePage *
find_page (MemlaneWindow *self, const char *name)
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
  g_signal_connect_object (page, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "record", G_CALLBACK (record_cell), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (get_bin (self, rows[row].name)), page);
}

MemlanePage *
memlane_window_get_page (MemlaneWindow *self, const char *name)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self) && name != NULL, NULL);
  if (find_row (name) >= 0 && find_page (self, name) == NULL)
    build_page (self, find_row (name));
  return find_page (self, name);
}

/* Of the page that is seen. */
static const char *
get_current_name (MemlaneWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->pages);

  return g_str_equal (name, MEASURE) ? gtk_stack_get_visible_child_name (self->views) : name;
}

static gboolean
is_measure (MemlaneWindow *self)
{
  return g_str_equal (adw_view_stack_get_visible_child_name (self->pages), MEASURE);
}

static MemlanePage *
get_current_page (MemlaneWindow *self)
{
  return memlane_window_get_page (self, get_current_name (self));
}

/* A page, or MEASURE: the view that was seen last. */
static void
show_page (MemlaneWindow *self, const char *name)
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
static GtkWidget *
get_figure_view (MemlaneWindow *self)
{
  GtkWidget *view = memlane_page_get_figure (get_current_page (self));

  return view != NULL ? view : memlane_page_get_figure (memlane_window_get_page (self, "bandwidth"));
}

static void
page_seen_cb (MemlaneWindow *self)
{
  if (self->session == NULL)
    return;
  self->side_visiting = FALSE;
  memlane_page_set_projector (get_current_page (self), self->projector);
  place_side (self);
  update_actions (self);
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

static void
add_pages (MemlaneWindow *self)
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

static void
add_page_keys (GtkApplication *application)
{
  guint view = 0;

  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++)
    add_page_key (application, destinations[i].name, "Alt", i + 1);
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].is_view)
      add_page_key (application, rows[row].name, "Control", ++view);
}

/* --- the side panel --------------------------------------------------------------------------------------------------------- */

static gboolean
is_folded (MemlaneWindow *self)
{
  return adw_flap_get_fold_policy (self->flap) == ADW_FLAP_FOLD_POLICY_ALWAYS;
}

/* TRUE: that has changed. Above FOLDED both fit as small as they can be, so that "auto" folds nothing. "Never" would forbid the window to
 * be narrower than that. */
static gboolean
fold (MemlaneWindow *self, int width)
{
  AdwFlapFoldPolicy policy = width < FOLDED && !self->projector ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO;

  if (policy == adw_flap_get_fold_policy (self->flap))
    return FALSE;
  self->placing_side = TRUE;
  if (policy == ADW_FLAP_FOLD_POLICY_ALWAYS)
    adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_flap_set_fold_policy (self->flap, policy);
  self->placing_side = FALSE;
  return TRUE;
}

/* In a narrow window the device button stands there on every page. */
static gboolean
has_device_aside (MemlaneWindow *self)
{
  return self->device_button != NULL && gtk_widget_get_parent (self->device_button) == GTK_WIDGET (self->side_box);
}

/* What the page has a use for, and nothing at all on the wall. One width folds it. */
static void
place_side (MemlaneWindow *self)
{
  Side parts = rows[find_row (get_current_name (self))].side;
  gboolean any = !self->projector && (parts != 0 || has_device_aside (self)), folded = is_folded (self);

  self->placing_side = TRUE;
  gtk_widget_set_visible (self->shown_workload, (parts & SIDE_WORKLOAD) != 0);
  gtk_widget_set_visible (GTK_WIDGET (self->side), parts != 0);
  gtk_widget_set_visible (self->runs, (parts & SIDE_RUNS) != 0);
  gtk_widget_set_visible (self->curves, (parts & SIDE_CURVES) != 0);
  gtk_widget_set_visible (self->side_separator, any);
  gtk_widget_set_visible (self->side_button, any);
  adw_flap_set_swipe_to_open (self->flap, any);
  adw_flap_set_reveal_flap (self->flap, any && (folded ? self->side_visiting : self->side_wanted));
  self->placing_side = FALSE;
  set_state (self, "side-panel", g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
  enable (self, "side-panel", any);
}

/* By a swipe, or a click beside it. */
static void
side_revealed_cb (MemlaneWindow *self)
{
  if (self->session == NULL || self->placing_side || self->projector)
    return;
  if (is_folded (self))
    self->side_visiting = adw_flap_get_reveal_flap (self->flap);
  else
    self->side_wanted = adw_flap_get_reveal_flap (self->flap);
  place_side (self);
}

/* --- what the person is told ------------------------------------------------------------------------------------------------ */

static void
tell (MemlaneWindow *self, const char *message, gboolean trouble)
{
  if (!self->closing)
    memlane_toasts_tell (self->toasts, message, trouble);
}

const char *
memlane_window_get_last_toast (MemlaneWindow *self)
{
  return memlane_toasts_get_last (self->toasts);
}

/* A MemlaneExportDone; takes a reference to the window. */
static void
tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer window)
{
  g_autoptr (MemlaneWindow) self = window;

  if (sentence != NULL && file != NULL && !self->closing)
    memlane_toasts_tell_saved (self->toasts, sentence, file);
  else if (sentence != NULL)
    tell (self, sentence, trouble);
}

/* --- how far it is: a sweep, an experiment, a recording or reading ---------------------------------------------------------- */

/* The mean of what is read now; TRUE when anything is. */
static gboolean
get_reading (MemlaneWindow *self, double *fraction, char **name)
{
  GListModel *store = G_LIST_MODEL (memlane_session_get_store (self->session));
  guint i, n = g_list_model_get_n_items (store), loading = 0;

  *fraction = 0;
  for (i = 0; i < n; i++)
    {
      g_autoptr (MemlaneRunItem) item = g_list_model_get_item (store, i);

      if (!memlane_run_item_get_loading (item))
        continue;
      *fraction += memlane_run_item_get_fraction (item);
      if (loading++ == 0)
        *name = g_strdup (memlane_run_item_get_name (item));
    }
  if (loading > 0)
    *fraction /= loading;
  return loading > 0;
}

static void
update_progress (MemlaneWindow *self)
{
  MemlaneBench *bench = memlane_session_get_bench (self->session);
  gboolean running = memlane_bench_is_running (bench), reading = FALSE;
  gboolean pulsing = memlane_bench_has (bench, MEMLANE_BENCH_TRACE); /* how far a recording is, nobody knows */
  g_autofree char *status = NULL, *name = NULL;
  double fraction = 0;

  if (running)
    g_object_get (bench, "status", &status, "fraction", &fraction, NULL);
  else if (memlane_trace_store_is_busy (self->store))
    {
      reading = TRUE;
      g_object_get (self->store, "status", &status, "progress", &fraction, NULL);
    }
  else if (self->n_reading > 0)
    {
      reading = TRUE;
      if (get_reading (self, &fraction, &name))
        status = g_strdup_printf (_("reading %s · %.0f %%"), name, 100 * fraction);
      else
        status = g_strdup (_("reading"));
    }
  gtk_revealer_set_reveal_child (self->progress_revealer, (running || reading) && !self->projector);
  gtk_widget_set_visible (self->stop_reading_button, reading || (running && !memlane_session_is_running (self->session)));
  if (!running && !reading)
    return;
  if (g_strcmp0 (status, gtk_label_get_text (self->status_label)) != 0)
    gtk_label_set_text (self->status_label, status != NULL ? status : "");
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), !pulsing);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
}

/* The GPU that is measured may draw the desktop, too. Resetting brings back what the system says; who has none keeps it so. */
static void
rest_animations (MemlaneWindow *self, gboolean rest)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  gboolean animated;

  if (rest == self->rested)
    return;
  g_object_get (settings, "gtk-enable-animations", &animated, NULL);
  if (rest && !animated)
    return;
  self->rested = rest;
  if (rest)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}

/* --- files come in ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneWindow *window; /* (owned) */
  char *name;
} Opening;

/* "colleague.csv: Copy to Device, 15 modes" */
static char *
describe_opened (MemlaneWindow *self, const char *name, MemlaneRunItem *item)
{
  const MemlaneRun *run = memlane_run_item_get_run (item);
  const MemlaneWorkload *shown = memlane_session_get_shown_workload (self->session);
  g_autoptr (GHashTable) modes = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;

  for (guint i = 0; run != NULL && i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (g_str_equal (cell->workload, shown->id))
        g_hash_table_add (modes, cell->mode);
    }
  n = g_hash_table_size (modes);
  if (n == 0)
    return g_strdup_printf (_("Opened %s"), name);
  /* Translators: a file, the workload that it holds, and of how many modes */
  return g_strdup_printf (ngettext ("Opened %s: %s, %u mode", "Opened %s: %s, %u modes", n), name,
                          g_dgettext (GETTEXT_PACKAGE, shown->title), n);
}

/* What was opened is seen, and where that hides what was there, the way back is offered. */
static void
tell_opened (MemlaneWindow *self, const char *name, GPtrArray *items)
{
  const MemlaneWorkload *before = memlane_session_follow_opened (self->session, items);
  g_autofree char *sentence = NULL, *back = NULL;
  guint i, shown = 0;

  for (i = 0; i < items->len; i++)
    shown += memlane_run_item_get_shown (g_ptr_array_index (items, i));
  if (items->len == 1)
    sentence = describe_opened (self, name, g_ptr_array_index (items, 0));
  else if (shown == items->len)
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run", "Opened %s: %u runs", items->len), name, items->len);
  else
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run. Tick it in the list of runs to see it.",
                                          "Opened %s: %u runs. Tick those to see in the list of runs.", items->len), name, items->len);
  if (before == NULL)
    {
      tell (self, sentence, FALSE);
      return;
    }
  /* Translators: a button; %s is a workload: "Vector Addition" */
  back = g_strdup_printf (_("Show %s"), g_dgettext (GETTEXT_PACKAGE, before->title));
  if (!self->closing)
    memlane_toasts_tell_action (self->toasts, sentence, back, "win.workload", g_variant_new_string (before->id));
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Opening *opening = data;
  g_autofree char *name = g_steal_pointer (&opening->name), *sentence = NULL;
  g_autoptr (MemlaneWindow) self = g_steal_pointer (&opening->window);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) items = memlane_run_store_open_finish (MEMLANE_RUN_STORE (source), result, &error);

  if (--self->n_reading == 0)
    {
      g_clear_object (&self->reading);
      g_clear_handle_id (&self->reading_timer, g_source_remove);
    }
  if (!self->closing)
    {
      if (items != NULL)
        tell_opened (self, name, items);
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          sentence = g_strdup_printf (_("Stopped reading %s"), name);
          tell (self, sentence, FALSE);
        }
      else
        tell (self, error->message, TRUE);
    }
  update_progress (self);
  update_actions (self);
}

static gboolean
reading_cb (gpointer data)
{
  update_progress (data);
  return G_SOURCE_CONTINUE;
}

/* Of several that come at once the first two stand below each other, the others are in the menu. */
static void
open_trace (MemlaneWindow *self, const char *path)
{
  static const char *const purposes[] = { "alone", "second", "more" };

  (void) memlane_window_get_page (self, TIMELINE); /* it hears of what arrives */
  show_page (self, TIMELINE);
  if (!memlane_trace_store_is_busy (self->store))
    self->n_opened = 0;
  memlane_trace_store_open (self->store, path, purposes[MIN (self->n_opened, G_N_ELEMENTS (purposes) - 1)]);
  self->n_opened++;
}

static void
open_experiment (MemlaneWindow *self, const char *path)
{
  (void) memlane_window_get_page (self, EXPERIMENTS); /* it hears of what is read */
  show_page (self, EXPERIMENTS);
  memlane_experiment_store_open (self->experiments, path);
}

void
memlane_window_open_file (MemlaneWindow *self, GFile *file)
{
  Opening *opening;

  g_return_if_fail (MEMLANE_IS_WINDOW (self) && G_IS_FILE (file));
  if (self->closing)
    return;
  if (g_file_peek_path (file) != NULL && memlane_experiment_store_is_experiment (g_file_peek_path (file)))
    {
      open_experiment (self, g_file_peek_path (file));
      return;
    }
  if (g_file_peek_path (file) != NULL && memlane_trace_store_is_trace (g_file_peek_path (file)))
    {
      open_trace (self, g_file_peek_path (file));
      return;
    }
  opening = g_new (Opening, 1);
  opening->window = g_object_ref (self);
  opening->name = g_file_get_basename (file);
  if (self->n_reading++ == 0)
    {
      self->reading = g_cancellable_new ();
      self->reading_timer = g_timeout_add (100, reading_cb, self);
    }
  memlane_run_store_open_async (memlane_session_get_store (self->session), file, self->reading, opened_cb, opening);
  update_actions (self); /* the line at the bottom appears with the timer: a small file is read before that */
}

static void
stop_reading (MemlaneWindow *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
}

static void
chosen_cb (GFile *file, gpointer data)
{
  g_autoptr (MemlaneWindow) self = data;

  if (file != NULL)
    memlane_window_open_file (self, file);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *const kinds[] = { _("Runs, traces and experiments"), "*.csv *.json *.experiment", _("All files"), "*", NULL };

  memlane_file_dialog_open (data, _("Open Runs, Traces or Experiments"), kinds, chosen_cb, g_object_ref (data));
}

static void
open_path (MemlaneWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (self, file);
}

static void
open_recording_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  open_path (data, g_variant_get_string (parameter, NULL));
}

static void
open_recorded_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneRecording *first = memlane_recordings_find_first ();

  if (first == NULL)
    {
      tell (data, _("No recorded run is installed: install Memlane again, or set MEMLANE_DATA_DIR to the folder that holds it"), TRUE);
      return;
    }
  open_path (data, first->path);
  memlane_recording_free (first);
}

static void
fill_recorded_menu (MemlaneWindow *self)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();
  guint i;

  for (i = 0; i < recordings->len; i++)
    {
      MemlaneRecording *recording = g_ptr_array_index (recordings, i);
      g_autoptr (GMenuItem) item = g_menu_item_new (recording->title, NULL);

      g_menu_item_set_action_and_target (item, "win.open-recording", "s", recording->path);
      g_menu_append_item (self->recorded_menu, item);
    }
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  GSList *file;

  for (file = files; file != NULL; file = file->next)
    memlane_window_open_file (data, file->data);
  return files != NULL;
}

static void
add_drop_target (MemlaneWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->toast_overlay), GTK_EVENT_CONTROLLER (target));
}

/* --- files go out ----------------------------------------------------------------------------------------------------------- */

static void
export_item (MemlaneWindow *self, MemlaneRunItem *item)
{
  MemlaneRun *run = item != NULL ? memlane_run_item_get_run (item) : NULL;

  if (run == NULL)
    tell (self, _("That run has not been read: show it first"), TRUE);
  else
    memlane_export_csv (GTK_WINDOW (self), run, run->id, tell_exported, g_object_ref (self));
}

static void
export_run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  export_item (self, memlane_run_store_find (memlane_session_get_store (self->session), g_variant_get_string (parameter, NULL)));
}

static void
export_csv_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePage *page = get_current_page (self);
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));

  if (memlane_page_has_own_csv (page))
    memlane_page_export_csv (page, GTK_WINDOW (self), tell_exported, g_object_ref (self));
  else if (shown->len > 0)
    export_item (self, g_ptr_array_index (shown, 0));
}

static void
export_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_figure (data, get_figure_view (data), tell_exported, g_object_ref (data));
}

static void
copy_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_copy_figure (get_figure_view (data), tell_exported, g_object_ref (data));
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_print (data, get_figure_view (data), tell_exported, g_object_ref (data));
}

/* (nullable) (transfer none): that is shown, whichever page is seen */
static MemlaneTraceItem *
get_trace (MemlaneWindow *self)
{
  MemlanePage *page = find_page (self, TIMELINE);

  return page != NULL ? memlane_timeline_page_get_item (MEMLANE_TIMELINE_PAGE (page), 0) : NULL;
}

static void
export_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneTraceItem *item = get_trace (self);

  if (item != NULL)
    memlane_export_trace (GTK_WINDOW (self), memlane_trace_item_get_trace (item), tell_exported, g_object_ref (self));
}

/* (nullable): NULL where it has not been seen */
static MemlaneExperimentPage *
find_experiment_page (MemlaneWindow *self)
{
  return (MemlaneExperimentPage *) find_page (self, EXPERIMENTS);
}

static void
save (MemlaneWindow *self, const char *what)
{
  if (find_experiment_page (self) != NULL)
    memlane_experiment_page_save (find_experiment_page (self), what, GTK_WINDOW (self), tell_exported, g_object_ref (self));
}

static void
save_experiment_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data, g_variant_get_string (parameter, NULL));
}

static void
save_cells_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data, "cells");
}

/* --- what is measured: run, record, stop ------------------------------------------------------------------------------------ */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  const char *reason = NULL;

  if (memlane_session_can_run (self->session, &reason))
    memlane_session_run (self->session);
  else if (reason != NULL)
    tell (self, reason, TRUE);
}

static void
hosts_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  gtk_window_present (memlane_hosts_dialog_new (GTK_WINDOW (self), self->session));
}

static void
look_again_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  memlane_session_look_again (self->session);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  if (memlane_bench_is_running (memlane_session_get_bench (self->session)))
    memlane_bench_stop (memlane_session_get_bench (self->session));
  else if (memlane_trace_store_is_busy (self->store))
    memlane_trace_store_stop (self->store);
  else
    stop_reading (self);
}

static MemlaneTimelineRecorder *
get_recorder (MemlaneWindow *self)
{
  return memlane_timeline_page_get_recorder (MEMLANE_TIMELINE_PAGE (memlane_window_get_page (self, TIMELINE)));
}

static void
record_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  g_autofree char *objection = NULL;

  show_page (self, TIMELINE);
  objection = memlane_timeline_page_record (MEMLANE_TIMELINE_PAGE (get_current_page (self)));
  if (objection != NULL)
    tell (self, objection, TRUE);
}

/* A page wants it; what is projected stays. */
static void
record_cell (MemlaneWindow *self, const MemlaneCell *cell)
{
  MemlaneTimelineRecorder *recorder;

  if (self->projector)
    return;
  recorder = get_recorder (self);
  show_page (self, TIMELINE);
  memlane_timeline_recorder_record_cell (recorder, cell);
}

static void
run_experiment_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneExperimentItem *item = memlane_experiment_page_get_item (MEMLANE_EXPERIMENT_PAGE (memlane_window_get_page (self, EXPERIMENTS)));

  show_page (self, EXPERIMENTS);
  if (item != NULL)
    memlane_experiment_store_run (self->experiments, item);
}

/* --- the projector: full screen, only the figure and its reading ------------------------------------------------------------ */

static void
set_blank (MemlaneWindow *self, gboolean blank)
{
  gtk_widget_set_visible (self->blank, blank);
}

/* As figures do: text of 26 px in 1280x720, and in proportion on a larger wall. */
static void
size_wall_text (MemlaneWindow *self)
{
  int px = WALL_TEXT * MAX (WALL_HEIGHT, gtk_widget_get_height (GTK_WIDGET (self))) / WALL_HEIGHT;
  g_autofree char *css = NULL;

  if (px == self->wall_text)
    return;
  self->wall_text = px;
  css = g_strdup_printf (".projector .experiment { font-size: %dpx; }", px);
  gtk_css_provider_load_from_data (self->wall_css, css, -1);
}

static void
set_projector (MemlaneWindow *self, gboolean projector)
{
  GtkWidget *focus;

  if (projector == self->projector)
    return;
  if (projector && !memlane_page_can_project (get_current_page (self)))
    {
      tell (self, _("This page has nothing to project yet."), FALSE);
      update_actions (self); /* the action's state is as it was */
      return;
    }
  self->projector = projector;
  set_blank (self, FALSE);
  if (projector)
    {
      self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
      gtk_window_fullscreen (GTK_WINDOW (self));
      gtk_widget_add_css_class (GTK_WIDGET (self), "projector");
    }
  else
    {
      if (!self->was_fullscreen)
        gtk_window_unfullscreen (GTK_WINDOW (self));
      gtk_widget_remove_css_class (GTK_WIDGET (self), "projector");
    }
  memlane_color_scheme_apply (projector);
  gtk_widget_set_visible (self->header, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->switcher_bar), !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->welcome), !projector);
  self->side_visiting = FALSE;
  fold (self, gtk_widget_get_width (GTK_WIDGET (self)));
  place_side (self);
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (find_page (self, rows[row].name) != NULL)
      memlane_page_set_projector (find_page (self, rows[row].name), projector);
  update_progress (self);
  update_actions (self);
  focus = memlane_page_get_focus (get_current_page (self));
  gtk_widget_grab_focus (focus != NULL ? focus : get_figure_view (self));
  memlane_toasts_hold (self->toasts, projector ? memlane_page_get_hint (get_current_page (self)) : NULL);
}

/* As the keys of a clicker, and of a talk, are called. A page has those actions that it can do; the others' keys go to the page. */
static const struct
{
  guint key;
  const char *action;
} wall_keys[] = {
  { GDK_KEY_Home, "wall.none" },
  { GDK_KEY_End, "wall.all" },
  { GDK_KEY_Right, "wall.next" },
  { GDK_KEY_Left, "wall.previous" },
  { GDK_KEY_Page_Down, "wall.next-family" },
  { GDK_KEY_Page_Up, "wall.previous-family" },
  { GDK_KEY_b, "wall.blank" },
  { GDK_KEY_B, "wall.blank" },
};

static gboolean
activate_wall_action (MemlaneWindow *self, guint key)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  for (guint i = 0; i < G_N_ELEMENTS (wall_keys); i++)
    if (wall_keys[i].key == key)
      return gtk_widget_activate_action (focus != NULL ? focus : GTK_WIDGET (self), wall_keys[i].action, NULL);
  return FALSE;
}

static void
blank_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (self->projector)
    set_blank (self, !gtk_widget_get_visible (self->blank));
}

/* Before the page sees it: there Escape means the whole range. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  MemlaneWindow *self = data;

  if (!self->projector)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Escape)
    set_projector (self, FALSE);
  else if (gtk_widget_get_visible (self->blank)) /* any key brings the figure back, as it was */
    set_blank (self, FALSE);
  else if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || !activate_wall_action (self, key))
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
add_projector_keys (MemlaneWindow *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

/* --- actions ---------------------------------------------------------------------------------------------------------------- */

/* Where figures are measured; but while anything is, it is to be stopped from everywhere. */
static void
update_run_button (MemlaneWindow *self, gboolean running, gboolean stopping)
{
  GtkWidget *widget = GTK_WIDGET (self->run_button);
  g_autofree char *sentence = NULL, *time = NULL;
  const char *reason = NULL;

  gtk_widget_set_visible (widget, running || is_measure (self));
  if (running)
    {
      adw_split_button_set_label (self->run_button, stopping ? _("Stopping") : _("_Stop"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), "win.stop");
      gtk_widget_remove_css_class (widget, "suggested-action");
      gtk_widget_add_css_class (widget, "destructive-action");
      gtk_widget_set_tooltip_text (widget, _("Stop the sweep and keep what was measured (Ctrl+.)"));
      return;
    }
  adw_split_button_set_label (self->run_button, _("_Run"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), "win.run");
  gtk_widget_remove_css_class (widget, "destructive-action");
  gtk_widget_add_css_class (widget, "suggested-action");
  if (memlane_session_can_run (self->session, &reason))
    {
      guint cells = memlane_session_count_cells (self->session);

      time = memlane_unit_format (MEMLANE_UNIT_TIME, memlane_session_estimate_seconds (self->session) * 1e9, TRUE);
      /* Translators: how many, of which workload, and how long that takes */
      sentence = g_strdup_printf (ngettext ("%u measurement of %s, about %s (Ctrl+R)", "%u measurements of %s, about %s (Ctrl+R)", cells),
                                  cells, g_dgettext (GETTEXT_PACKAGE, memlane_session_get_workload (self->session)->title), time);
    }
  else
    sentence = memlane_sentence_new (reason);
  gtk_widget_set_tooltip_text (widget, sentence);
}

/* Made when it is seen first: it is much of what a window weighs. */
static void
make_plan_cb (GtkMenuButton *button, gpointer data)
{
  MemlaneWindow *self = data;
  GtkWidget *plan = gtk_popover_get_child (self->plan_popover);

  if (self->session == NULL)
    return;
  if (plan == NULL)
    {
      plan = memlane_plan_panel_new (self->session);
      memlane_wheel_pass (plan);
      gtk_popover_set_child (self->plan_popover, plan);
    }
  memlane_plan_panel_set_narrow (MEMLANE_PLAN_PANEL (plan), is_folded (self));
}

static void
plan_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  if (self->projector)
    return;
  if (!gtk_widget_get_visible (GTK_WIDGET (self->run_button)))
    show_page (self, MEASURE);
  adw_split_button_popup (self->run_button);
}

static void
set_state (MemlaneWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

static void
phase_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (state, NULL), &phase))
    g_object_set (self->session, memlane_page_get_phase_property (get_current_page (self)), (int) phase, NULL);
}

static void
log_values_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  g_object_set (self->session, memlane_page_get_log_property (get_current_page (self)), g_variant_get_boolean (state), NULL);
}

static void
page_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;
  show_page (self, g_variant_get_string (state, NULL));
}

static void
side_panel_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  if (self->projector)
    return;
  if (is_folded (self))
    self->side_visiting = g_variant_get_boolean (state);
  else
    self->side_wanted = g_variant_get_boolean (state);
  place_side (self);
}

static void
projector_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  set_projector (data, g_variant_get_boolean (state));
}

static void
select_all_modes_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_session_set_all_modes (MEMLANE_WINDOW (data)->session, TRUE);
}

static void
select_no_modes_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_session_set_all_modes (MEMLANE_WINDOW (data)->session, FALSE);
}

static void
run_removed_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_toasts_tell_removed (MEMLANE_WINDOW (data)->toasts, g_variant_get_string (parameter, NULL));
}

static void
undo_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_toasts_undo (MEMLANE_WINDOW (data)->toasts);
}

static void
show_help_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/memlane/Memlane/help-overlay.ui");
  GtkWindow *overlay = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  gtk_window_set_transient_for (overlay, data);
  gtk_window_present (overlay);
}

static void
enable (MemlaneWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* What can be done with the page that is seen, and with what it shows. */
static void
update_page_actions (MemlaneWindow *self)
{
  MemlanePage *page = find_page (self, get_current_name (self));
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));
  gboolean figure, log_values;
  int phase;

  if (page == NULL) /* it is being built */
    return;
  figure = memlane_page_get_figure (page) != NULL ? memlane_page_has_figure (page) : shown->len > 0;
  g_object_get (self->session, memlane_page_get_phase_property (page), &phase, memlane_page_get_log_property (page), &log_values, NULL);
  enable (self, "export-csv", memlane_page_has_own_csv (page) ? memlane_page_can_export_csv (page) : shown->len > 0);
  enable (self, "export-figure", figure);
  enable (self, "copy-figure", figure);
  enable (self, "print", figure);
  set_state (self, "page", g_variant_new_string (get_current_name (self)));
  set_state (self, "phase", g_variant_new_string (memlane_phase_name ((MemlanePhase) phase)));
  set_state (self, "log-values", g_variant_new_boolean (log_values));
}

static void
update_actions (MemlaneWindow *self)
{
  gboolean running, stopping;
  MemlaneBench *bench;
  MemlaneExperimentPage *experiments;

  if (self->session == NULL) /* the window is going */
    return;
  bench = memlane_session_get_bench (self->session);
  running = memlane_session_is_running (self->session);
  stopping = memlane_bench_is_stopping (bench);
  experiments = find_experiment_page (self);
  enable (self, "run", !running && !self->closing && memlane_session_can_run (self->session, NULL));
  enable (self, "stop", memlane_bench_is_running (bench) ? !stopping : self->n_reading > 0 || memlane_trace_store_is_busy (self->store));
  enable (self, "hosts", !self->closing);
  enable (self, "look-again", !self->closing && !memlane_bench_is_running (bench));
  enable (self, "run-experiment", !self->closing && !memlane_bench_has (bench, MEMLANE_BENCH_EXPERIMENT));
  enable (self, "save-experiment", experiments != NULL && memlane_experiment_page_can_save (experiments, "report"));
  enable (self, "save-cells", experiments != NULL && memlane_experiment_page_can_save (experiments, "cells"));
  enable (self, "export-trace", get_trace (self) != NULL);
  enable (self, "record-trace", !self->closing && !memlane_trace_store_is_recording (self->store));
  enable (self, "undo-remove", memlane_toasts_can_undo (self->toasts));
  update_run_button (self, running, stopping);
  update_page_actions (self);
  set_state (self, "projector", g_variant_new_boolean (self->projector));
}

static void
add_property_action (MemlaneWindow *self, const char *name, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, self->session, property);

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

static void
add_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "plan", plan_cb, NULL, NULL, NULL, { 0 } },
    { "hosts", hosts_cb, NULL, NULL, NULL, { 0 } },
    { "look-again", look_again_cb, NULL, NULL, NULL, { 0 } },
    { "page", NULL, "s", "'bandwidth'", page_cb, { 0 } },
    { "phase", NULL, "s", "'elapsed'", phase_cb, { 0 } },
    { "log-values", NULL, NULL, "false", log_values_cb, { 0 } },
    { "side-panel", NULL, NULL, "true", side_panel_cb, { 0 } },
    { "projector", NULL, NULL, "false", projector_cb, { 0 } },
    { "select-all-modes", select_all_modes_cb, NULL, NULL, NULL, { 0 } },
    { "select-no-modes", select_no_modes_cb, NULL, NULL, NULL, { 0 } },
    { "run-removed", run_removed_cb, "s", NULL, NULL, { 0 } },
    { "undo-remove", undo_remove_cb, NULL, NULL, NULL, { 0 } },
    { "show-help-overlay", show_help_overlay_cb, NULL, NULL, NULL, { 0 } },
    { "open", open_cb, NULL, NULL, NULL, { 0 } },
    { "open-recorded", open_recorded_cb, NULL, NULL, NULL, { 0 } },
    { "open-recording", open_recording_cb, "s", NULL, NULL, { 0 } },
    { "export-csv", export_csv_cb, NULL, NULL, NULL, { 0 } },
    { "export-run", export_run_cb, "s", NULL, NULL, { 0 } },
    { "export-figure", export_figure_cb, NULL, NULL, NULL, { 0 } },
    { "copy-figure", copy_figure_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
    { "record-trace", record_trace_cb, NULL, NULL, NULL, { 0 } },
    { "export-trace", export_trace_cb, NULL, NULL, NULL, { 0 } },
    { "run-experiment", run_experiment_cb, NULL, NULL, NULL, { 0 } },
    { "save-experiment", save_experiment_cb, "s", NULL, NULL, { 0 } },
    { "save-cells", save_cells_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  add_property_action (self, "compare", "comparing");
  add_property_action (self, "workload", "shown-workload");
  add_property_action (self, "published", "show-published");
  add_property_action (self, "ceilings", "show-ceilings");
}

/* --- what it follows -------------------------------------------------------------------------------------------------------- */

/* A recording leaves the GPU to others most of the time. */
static void
running_cb (MemlaneWindow *self)
{
  MemlaneBench *bench;

  if (self->session == NULL)
    return;
  bench = memlane_session_get_bench (self->session);
  rest_animations (self, memlane_bench_is_running (bench) && !memlane_bench_has (bench, MEMLANE_BENCH_TRACE));
  update_progress (self);
  update_actions (self);
}

static void
devices_cb (MemlaneWindow *self)
{
  if (self->session == NULL)
    return;
  memlane_welcome_show (self->welcome, self->session);
  update_actions (self);
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
  tell (self, sentence, FALSE);
}

static void
finished_cb (MemlaneWindow *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = memlane_experiment_item_get_result (item);
  g_autofree char *verdict = NULL, *sentence = NULL;

  if (self->closing || result == NULL)
    return;
  if (result->cancelled)
    sentence = g_strdup_printf (_("Stopped “%s”"), result->experiment->title);
  else
    {
      verdict = memlane_experiment_words_verdict (result->verdict);
      /* Translators: the title of an experiment, and the verdict on its claim */
      sentence = g_strdup_printf (_("“%s”: %s"), result->experiment->title, verdict);
    }
  tell (self, sentence, FALSE);
}

static void
progress_cb (MemlaneWindow *self)
{
  if (self->session != NULL && !self->closing)
    update_progress (self);
}

static void
busy_cb (MemlaneWindow *self)
{
  if (self->session == NULL || self->closing)
    return;
  update_progress (self);
  update_actions (self);
}

static void
follow_session (MemlaneWindow *self)
{
  MemlaneBench *bench = memlane_session_get_bench (self->session);

  g_signal_connect_object (self->session, "notice", G_CALLBACK (tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "swept", G_CALLBACK (swept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::running", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::stopping", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::status", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (bench, "notify::fraction", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::device", G_CALLBACK (devices_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "modes-changed", G_CALLBACK (devices_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "charts-changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
}

static void
follow_traces (MemlaneWindow *self)
{
  static const char *const news[] = { "notify::busy", "notify::status", "notify::progress" };

  g_signal_connect_object (self->store, "notice", G_CALLBACK (tell), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (news); i++)
    g_signal_connect_object (self->store, news[i], G_CALLBACK (busy_cb), self, G_CONNECT_SWAPPED);
}

static void
follow_experiments (MemlaneWindow *self)
{
  g_signal_connect_object (self->experiments, "notice", G_CALLBACK (tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "finished", G_CALLBACK (finished_cb), self, G_CONNECT_SWAPPED);
}

/* --- the window's size ------------------------------------------------------------------------------------------------------ */

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
      place_side (self);
    }
  else if (!narrow && compact && width > self->compact_width)
    {
      self->compact_width = 0;
      choose_decoration (self, FALSE);
      gtk_box_remove (self->side_box, self->device_button);
      adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
      place_side (self);
    }
  return G_SOURCE_REMOVE;
}

/* This comes in the middle of an allocation, too late to ask for room at the bottom. */
static void
adapt_header (MemlaneWindow *self)
{
  if (self->switcher_idle == 0)
    self->switcher_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, reveal_switcher_cb, self, NULL);
}

static gboolean
adapt_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->adapt_idle = 0;
  place_side (self);
  size_wall_text (self);
  if (self->compact_width > 0 && gtk_widget_get_width (self->header) > self->compact_width)
    adapt_header (self);
  return G_SOURCE_REMOVE;
}

/* In the middle of an allocation, too late to ask for another. */
static void
laid_out_cb (MemlaneWindow *self)
{
  if (self->adapt_idle == 0)
    self->adapt_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, adapt_cb, self, NULL);
}

/* Before the pages get their room: none is to be laid out beside a panel that has no room there. */
static void
memlane_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (fold (self, width))
    laid_out_cb (self);
  GTK_WIDGET_CLASS (memlane_window_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
follow_size (MemlaneWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (laid_out_cb), self, G_CONNECT_SWAPPED);
}

/* --- the first frame comes first -------------------------------------------------------------------------------------------- */

static gboolean
start_cb (gpointer data)
{
  MemlaneWindow *self = data;

  if (self->closing)
    return G_SOURCE_REMOVE;
  fill_recorded_menu (self);
  memlane_session_start (self->session);
  memlane_welcome_show (self->welcome, self->session);
  update_actions (self);
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
  follow_size (self);
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint", G_CALLBACK (painted_cb), self, 0);
}

/* --- closing ---------------------------------------------------------------------------------------------------------------- */

static void
keep_state (MemlaneWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);
  int width, height;

  set_projector (self, FALSE);
  gtk_window_get_default_size (window, &width, &height);
  memlane_settings_set_boolean ("maximized", gtk_window_is_maximized (window));
  if (!gtk_window_is_maximized (window) && !gtk_window_is_fullscreen (window))
    {
      memlane_settings_set_int ("width", width);
      memlane_settings_set_int ("height", height);
    }
  memlane_settings_set_string ("page", get_current_name (self));
  memlane_settings_set_boolean ("side-panel", self->side_wanted);
}

static gboolean
shut_down_cb (gpointer data)
{
  MemlaneWindow *self = data;

  memlane_trace_store_shut_down (self->store);
  memlane_session_shut_down (self->session);
  rest_animations (self, FALSE);
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
  stop_reading (self);
  memlane_bench_stop (memlane_session_get_bench (self->session));
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
memlane_window_dispose (GObject *object)
{
  MemlaneWindow *self = MEMLANE_WINDOW (object);

  g_clear_handle_id (&self->switcher_idle, g_source_remove);
  g_clear_handle_id (&self->adapt_idle, g_source_remove);
  g_clear_object (&self->device_button);
  if (self->wall_css != NULL)
    gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->wall_css));
  g_clear_object (&self->wall_css);
  g_clear_handle_id (&self->reading_timer, g_source_remove);
  g_clear_object (&self->reading);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->experiments);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_object (&self->toasts);
  G_OBJECT_CLASS (memlane_window_parent_class)->dispose (object);
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

static void
memlane_window_class_init (MemlaneWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = memlane_window_dispose;
  widget_class->map = memlane_window_map;
  widget_class->size_allocate = memlane_window_size_allocate;
  GTK_WINDOW_CLASS (class)->close_request = memlane_window_close_request;
  g_type_ensure (MEMLANE_TYPE_MODE_CHOICE);
  g_type_ensure (MEMLANE_TYPE_WORKLOAD_CHOICE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/window.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneWindow, name)
  CHILD (toast_overlay);
  CHILD (header);
  CHILD (side_button);
  CHILD (run_button);
  CHILD (menu_button);
  CHILD (switcher_title);
  CHILD (switcher_bar);
  CHILD (plan_popover);
  CHILD (side_separator);
  CHILD (shown_workload);
  CHILD (curves);
  CHILD (curve_choice);
  CHILD (flap);
  CHILD (side_box);
  CHILD (side);
  CHILD (pages);
  CHILD (progress_revealer);
  CHILD (status_label);
  CHILD (progress_bar);
  CHILD (stop_reading_button);
  CHILD (recorded_menu);
#undef CHILD
  gtk_widget_class_install_action (widget_class, "wall.blank", NULL, blank_action);
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
add_blank (MemlaneWindow *self)
{
  self->blank = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_name (self->blank, "blank");
  gtk_widget_add_css_class (self->blank, "blank");
  gtk_widget_set_visible (self->blank, FALSE);
  gtk_overlay_add_overlay (self->toast_overlay, self->blank);
}

/* AdwSplitButton passes neither on: the arrow's name, and a call before its popover is shown. */
static void
set_up_arrow (MemlaneWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->run_button)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child))
      {
        memlane_accessible_set_name (child, _("What Run measures"));
        gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (child), make_plan_cb, self, NULL);
      }
}

static void
memlane_window_init (MemlaneWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->wall_css = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->wall_css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  size_wall_text (self);
  set_up_arrow (self);
  add_pages (self);
  add_blank (self);
  ellipsize (GTK_WIDGET (self->switcher_bar));
  g_signal_connect_object (self->switcher_title, "notify::title-visible", G_CALLBACK (adapt_header), self,
                           G_CONNECT_SWAPPED);
}

static void
restore_state (MemlaneWindow *self)
{
  g_autofree char *page = memlane_settings_get_string ("page", "bandwidth");

  gtk_window_set_default_size (GTK_WINDOW (self), memlane_settings_get_int ("width", 1280), memlane_settings_get_int ("height", 720));
  if (memlane_settings_get_boolean ("maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
  self->side_wanted = memlane_settings_get_boolean ("side-panel", TRUE);
  show_page (self, page);
}

MemlaneWindow *
memlane_window_new (AdwApplication *application, MemlaneSession *session)
{
  MemlaneWindow *self = g_object_new (MEMLANE_TYPE_WINDOW, "application", application, NULL);

  self->session = g_object_ref (session);
  self->store = memlane_trace_store_new (session);
  self->experiments = memlane_experiment_store_new (session, self->store);
  self->toasts = memlane_toasts_new (self->toast_overlay, memlane_session_get_store (session));
  self->device_button = g_object_ref_sink (memlane_device_button_new (session));
  adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
  self->runs = memlane_runs_panel_new (session);
  gtk_paned_set_start_child (self->side, self->runs);
  memlane_workload_choice_follow (MEMLANE_WORKLOAD_CHOICE (self->shown_workload), session, "shown-workload", FALSE);
  memlane_mode_choice_follow (MEMLANE_MODE_CHOICE (self->curve_choice), session, MEMLANE_MODES_VIEW);
  gtk_paned_set_position (self->side, memlane_settings_get_int ("height", 720) * 3 / 10); /* the curves need more room than the runs */
  restore_state (self);
  add_actions (self);
  add_page_keys (GTK_APPLICATION (application));
  add_drop_target (self);
  add_projector_keys (self);
  follow_session (self);
  follow_traces (self);
  follow_experiments (self);
  g_signal_connect_object (self->toasts, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (page_seen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->views, "notify::visible-child", G_CALLBACK (page_seen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (side_revealed_cb), self, G_CONNECT_SWAPPED);
  page_seen_cb (self);
  return self;
}

MemlanePageContext
memlane_window_get_context (MemlaneWindow *self)
{
  return (MemlanePageContext) { self->session, self->store, self->experiments };
}
