/* timeline-page.c: the Timeline page: what is recorded, the timeline, the reading, findings,
 * summary, notes
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-page.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "lab-panel.h"
#include "model/actions.h"
#include "model/recordings.h"
#include "parts/reading-line.h"
#include "parts/settings.h"
#include "parts/widgets.h"
#include "timeline-details.h"
#include "timeline-view.h"
#include "parts/template.h"
#include "base/owns.h"
#include "model/fields.h"
#include "parts/file-dialog.h"
#include "base/each.h"

#define FIRST_LOG2 20 /* of the recorded samples that are shown at the first visit */
#define NARROW 960 /* px of the window: below that the tabs have a line of their own */
#define LOW 480 /* px of the window: below that either the timeline or the details */

#define LONGEST_SEARCH 100000 /* events: a search of more would be noticed, and gives no headline */

/* px: what stands above the timeline, and the details, when they come into view */
#define AROUND 300

/* A tab shows one trace or two. The laboratory has its own picture, the other tabs share one. */
typedef struct
{
  MemlaneTraceItem *shown[2]; /* (owned) */
  MemlaneTraceItem *pair;     /* (owned): the first of two, while the second is awaited */
} Tab;

struct _MemlaneTimelinePage
{
  AdwBin parent_instance;

  MemlaneTraceStore *store;    /* (owned) */
  Tab tabs[2];                 /* the second is the laboratory */
  Tab *tab;                    /* that is seen */
  gboolean projector;
  guint n_opened;              /* files since the store had nothing to do */
  gboolean low;                /* the window has no room for timeline and details at once */
  /* the window has no room for the tabs and what they record in one line */
  gboolean narrow;
  gboolean has_code;           /* of one of the traces at least */

  GSimpleActionGroup *actions; /* "trace" */
  gconstpointer visit;              /* the trace of the first visit, to be told from others */
  GMenu *items, *others, *recorded; /* the parts of the menu that change */

  GtkWidget *bar, *tools, *kinds_switcher, *traces, *play, *stack, *record_first, *open_first;
  GtkWidget *recorded_first, *spinner, *figure, *program, *record_program, *program_end;
  GtkBox *bars;
  GtkBox *chosen;
  GtkOverlay *wall;
  GtkStack *kinds;
  MemlaneLabPanel *laboratory;
  GtkPaned *paned;
  AdwStatusPage *nothing;
  MemlaneTimelineRecorder *recorder;
  MemlaneTimelineView *view;
  MemlaneReadingLine *reading_line;
  MemlaneTimelineDetails *details;
  MemlaneTimelineLinks *code;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneTimelinePage, memlane_timeline_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

static void arrange (MemlaneTimelinePage *self);
static void show_code (MemlaneTimelinePage *self);

/* --- the reading ------------------------------------------------------------------------------ */

static void
update_reading (MemlaneTimelinePage *self)
{
  const char *reading = MEMLANE_FIGURE_WIDGET (self->view)->reading;
  guint32 event;
  guint track;

  memlane_timeline_view_get_read (self->view, &track, &event);
  memlane_timeline_links_light (self->code, track, event);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_line),
                          self->projector ? *reading != '\0' : !self->low || !self->narrow);
  memlane_reading_line_set (self->reading_line, reading,
                            _("Point at an operation, or step through them with comma and full "
                              "stop. Drag to measure a span."));
}

static void
update_tools (MemlaneTimelinePage *self)
{
  gboolean zoomed, playing;

  g_object_get (self->view, "zoomed", &zoomed, "playing", &playing, NULL);
  memlane_action_enable (self->actions, "fit", zoomed && self->tab->shown[0] != NULL);
  gtk_button_set_icon_name (GTK_BUTTON (self->play), playing ? "media-playback-pause-symbolic"
                                                             : "media-playback-start-symbolic");
  memlane_accessible_name_icon (self->play, playing ? _("Pause (Space)") : _("Play (Space)"));
  gtk_widget_set_sensitive (self->play, self->tab->shown[0] != NULL);
}

static void
fit_cb (MemlaneTimelinePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "timeline.fit", NULL);
}

static void
play_clicked_cb (MemlaneTimelinePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "timeline.play", NULL);
}

/* --- what the tab that is seen records -------------------------------------------------------- */

static gboolean
is_laboratory (MemlaneTimelinePage *self)
{
  return self->laboratory != NULL
         && gtk_stack_get_visible_child (self->kinds) == GTK_WIDGET (self->laboratory);
}

static gboolean
is_program (MemlaneTimelinePage *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->kinds), "program") == 0;
}

/* (transfer full) (nullable): the program and its arguments, as a shell would cut them. */
static char **
get_words (MemlaneTimelinePage *self)
{
  char **words = NULL;

  return g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->program)), NULL, &words,
                             NULL)
             ? words
             : NULL;
}

static char *
describe (MemlaneTimelinePage *self)
{
  if (is_program (self))
    return g_strdup (_("your program"));
  return is_laboratory (self) ? memlane_lab_panel_describe (self->laboratory)
                              : memlane_timeline_recorder_describe (self->recorder);
}

/* (nullable) (transfer full) */
static char *
get_objection (MemlaneTimelinePage *self)
{
  g_auto (GStrv) words = is_program (self) ? get_words (self) : NULL;

  if (is_program (self) && words == NULL)
    return g_strdup (_("Type a program that uses CUDA, and its arguments"));
  if (is_program (self))
    return g_strdup (memlane_trace_store_get_objection (self->store));
  return is_laboratory (self) ? g_strdup (memlane_lab_panel_get_objection (self->laboratory))
                              : memlane_timeline_recorder_get_objection (self->recorder);
}

/* NULL: it does; else why not. (nullable) (transfer full) */
static char *
record (MemlaneTimelinePage *self)
{
  char *objection = get_objection (self);
  g_auto (GStrv) words = get_words (self);

  if (objection != NULL)
    return objection;
  if (is_program (self))
    memlane_trace_store_run_program (self->store, words, "sample-alone");
  else if (is_laboratory (self))
    memlane_lab_panel_record (self->laboratory);
  else
    memlane_timeline_recorder_record (self->recorder);
  return NULL;
}

/* --- which traces are shown ------------------------------------------------------------------- */

/* Why there is no timeline, and what to do. */
static void
explain (MemlaneTimelinePage *self)
{
  gboolean recording = memlane_trace_store_is_recording (self->store);
  g_autofree char *cell = describe (self), *objection = NULL, *words = NULL, *markup = NULL;

  if (recording)
    {
      const char *waiting = memlane_trace_store_get_waiting (self->store);

      adw_status_page_set_title (self->nothing, waiting != NULL ? _("Waiting") : _("Recording"));
      words = waiting != NULL
                  ? g_strdup (waiting)
                  : g_strdup_printf (_("Recording %s. The timeline appears at its end."), cell);
    }
  else
    {
      /* Translators: "Pinned 2¹⁴ on Simulated H200", or two schedules of the laboratory */
      g_autofree char *how = g_strdup_printf (_("Record %s to see every call, copy and kernel on "
                                                "a time axis, or open a Chrome trace."),
                                              cell);

      objection = get_objection (self);
      adw_status_page_set_title (self->nothing, _("No timeline yet"));
      words = g_strconcat (how, objection != NULL ? "\n\n" : NULL, objection, NULL);
    }
  markup = g_markup_escape_text (words, -1);
  /* the wall has no small text */
  adw_status_page_set_description (self->nothing, self->projector ? NULL : markup);
  gtk_widget_set_visible (self->spinner, recording);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), recording);
  gtk_widget_set_visible (self->record_first, !recording && !self->projector);
  gtk_widget_set_visible (self->open_first, !recording && !self->projector);
  gtk_widget_set_visible (self->recorded_first, !recording && !self->projector);
  adw_status_page_set_icon_name (self->nothing, self->low ? NULL : "memlane-timeline-symbolic");
}

/* Sets the title that the trace itself does not give: a file's name, or the two plans of the
 * laboratory. */
static const char *
get_title (MemlaneTraceItem *item)
{
  const MemlaneTraceInfo *info = item != NULL ? memlane_trace_get_info (item->trace) : NULL;

  return info != NULL && (info->mode == NULL || g_strcmp0 (info->workload, "lab") == 0) ? item->name
                                                                                        : NULL;
}

static MemlaneTrace *
get_trace (MemlaneTraceItem *item)
{
  return item != NULL ? item->trace : NULL;
}

static void
update_traces_button (MemlaneTimelinePage *self)
{
  MemlaneTraceItem **shown = self->tab->shown;
  g_autofree char *label = NULL;

  if (shown[0] == NULL)
    label = g_strdup (_("Traces"));
  else
    label = g_strjoin (" | ", shown[0]->name, shown[1] != NULL ? shown[1]->name : NULL, NULL);
  gtk_label_set_text (GTK_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (self->traces))),
                      label);
  gtk_widget_set_tooltip_text (self->traces, label);
}

/* Brings everything but the drawn traces up to date: what can be recorded, which traces there are,
 * what can be done. */
static void
update (MemlaneTimelinePage *self)
{
  MemlaneTraceItem **shown = self->tab->shown;
  gboolean any = shown[0] != NULL, recording = memlane_trace_store_is_recording (self->store);
  gboolean focused = gtk_widget_has_focus (GTK_WIDGET (self->view));
  g_autofree char *objection = get_objection (self);
  const char *end = !recording ? memlane_trace_store_get_end_words (self->store) : NULL;
  int first = memlane_list_find (self->store, shown[0]),
      second = memlane_list_find (self->store, shown[1]);

  gtk_label_set_text (GTK_LABEL (self->program_end), end != NULL ? end : "");
  gtk_widget_set_visible (self->program_end, end != NULL);
  gtk_widget_set_tooltip_text (self->program_end, end);
  memlane_timeline_recorder_label (self->record_program, recording, "trace.record", objection);
  memlane_action_enable (self->actions, "record", !recording && objection == NULL);
  memlane_action_enable (self->actions, "try", !recording);
  memlane_action_enable (self->actions, "stop", memlane_trace_store_is_busy (self->store));
  memlane_action_set_state (self->actions, "show",
                            g_variant_new_uint32 (first >= 0 ? (guint) first : G_MAXUINT32));
  memlane_action_set_state (self->actions, "beside", g_variant_new_int32 (second));
  memlane_action_enable (self->actions, "beside", any);
  memlane_action_enable (self->actions, "close", any);
  update_traces_button (self);
  update_tools (self);
  update_reading (self);
  if (!any)
    explain (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "timeline" : "nothing");
  gtk_widget_set_visible (self->tools,
                          any || g_list_model_get_n_items (G_LIST_MODEL (self->store)) > 0);
  if (!any && focused)
    gtk_widget_child_focus (GTK_WIDGET (self->nothing), GTK_DIR_TAB_FORWARD);
}

#define ADVICE "memlane-advice"        /* of a MemlaneTraceItem */
#define IS_ADVISED "memlane-is-advised" /* of one, whose advice is sought or known */

static void
advise_thread (GTask *task, gpointer page, gpointer trace, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) runs =
      memlane_advise_find_runs (memlane_trace_get_info (trace)->device_name, NULL);

  g_task_return_pointer (task, memlane_advise (trace, runs), (GDestroyNotify) memlane_advice_free);
}

static void
advised_cb (GObject *page, GAsyncResult *result, gpointer data)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (page);
  g_autoptr (MemlaneAdvice) advice = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (MemlaneTraceItem) item = data;

  g_object_set_data_full (G_OBJECT (item), ADVICE, g_steal_pointer (&advice),
                          (GDestroyNotify) memlane_advice_free);
  if (item == self->tab->shown[0] || item == self->tab->shown[1])
    show_code (self);
}

/* Tries what a button of the advice names: the trace and the change. */
static void
try_cb (MemlaneTimelinePage *self, GVariant *parameter)
{
  guint track, kind;

  g_variant_get (parameter, "(uu)", &track, &kind);
  memlane_trace_store_try (self->store, self->tab->shown[track], (MemlaneChangeKind) kind);
}

/* The code that was timed; of somebody else's program what would save time, once that is known.
 * (transfer full) */
static GPtrArray *
make_links (MemlaneTimelinePage *self, guint track)
{
  MemlaneTraceItem *item = self->tab->shown[track];
  const MemlaneAdvice *advice = g_object_get_data (G_OBJECT (item), ADVICE);

  if (advice != NULL)
    return memlane_timeline_links_of_advice (advice, item, track);
  if (memlane_trace_get_info (item->trace)->mode == NULL
      && g_object_get_data (G_OBJECT (item), IS_ADVISED) == NULL)
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, advised_cb, g_object_ref (item));

      g_task_set_task_data (task, memlane_trace_ref (item->trace),
                            (GDestroyNotify) memlane_trace_unref);
      g_object_set_data (G_OBJECT (item), IS_ADVISED, self);
      g_task_run_in_thread (task, advise_thread);
    }
  return memlane_timeline_links_of_program (item->trace);
}

static void
show_code (MemlaneTimelinePage *self)
{
  const char *names[2] = { NULL, NULL };
  GPtrArray *links[2] = { NULL, NULL };

  self->has_code = FALSE;
  for (guint i = 0; i < 2; i++)
    if (self->tab->shown[i] != NULL)
      {
        links[i] = make_links (self, i);
        names[i] = self->tab->shown[i]->name;
        self->has_code |= links[i]->len > 0;
      }
  memlane_timeline_links_set (self->code, links, names);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&links[i], g_ptr_array_unref);
  arrange (self);
}

/* Draws what the tab that is seen shows. */
static void
present (MemlaneTimelinePage *self)
{
  MemlaneTraceItem *first = self->tab->shown[0], *second = self->tab->shown[1];
  const char *names[2] = { first != NULL ? first->name : NULL,
                           second != NULL ? second->name : NULL };
  const char *titles[2] = { get_title (first), get_title (second) };
  /* Two timelines need the height: their details come by the button. */
  gboolean details = second == NULL && memlane_settings_get_boolean ("timeline-details", TRUE);
  g_autoptr (GPtrArray) findings = NULL;
  guint n;

  memlane_action_set_state (self->actions, "details", g_variant_new_boolean (details));
  memlane_timeline_view_mark (self->view, 0, NULL, 0);
  if (first != NULL && second == NULL && memlane_trace_get_events (first->trace, &n) != NULL
      && n <= LONGEST_SEARCH)
    findings = memlane_trace_find (first->trace);
  memlane_timeline_view_set_traces (self->view, get_trace (first), get_trace (second), titles,
                                    findings);
  memlane_timeline_details_set_traces (self->details, get_trace (first), get_trace (second), names,
                                       findings);
  show_code (self);
  update (self);
  memlane_say_changed (self);
}

/* @second (nullable); both NULL: the page says how to get one. */
static void
show (MemlaneTimelinePage *self, Tab *tab, MemlaneTraceItem *first, MemlaneTraceItem *second)
{
  if ((g_set_object (&tab->shown[0], first) | g_set_object (&tab->shown[1], second))
      && tab == self->tab)
    present (self);
}

/* Returns the tab that a purpose names, without one the tab that is seen, and moves @purpose behind
 * the name. */
static Tab *
find_tab (MemlaneTimelinePage *self, const char **purpose)
{
  static const char *const names[] = { "sample-", "lab-" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (*purpose, names[i]))
      {
        *purpose += strlen (names[i]);
        return &self->tabs[i];
      }
  return self->tab;
}

static void
arrived_cb (MemlaneTimelinePage *self, MemlaneTraceItem *item, const char *purpose)
{
  Tab *tab = find_tab (self, &purpose);
  gboolean visit = g_str_equal (purpose, "visit");

  if (g_str_equal (purpose, "visit-second"))
    {
      if (self->visit != NULL && self->visit == tab->shown[0] && tab->shown[1] == NULL)
        show (self, tab, tab->shown[0], item);
    }
  else if (g_str_equal (purpose, "second") && tab->pair != NULL)
    show (self, tab, tab->pair, item);
  else if (tab->shown[0] == NULL || (!visit && !g_str_equal (purpose, "more")))
    {
      self->visit = visit ? item : NULL;
      g_set_object (&tab->pair, item);
      show (self, tab, item, NULL);
    }
}

/* The second trace is then shown alone. */
static void
failed_cb (MemlaneTimelinePage *self, const char *purpose)
{
  Tab *tab = find_tab (self, &purpose);

  if (!g_str_equal (purpose, "second"))
    g_clear_object (&tab->pair);
}

static void
mark (MemlaneTimelinePage *self, guint track, const MemlaneTimelineLink *link)
{
  memlane_timeline_view_mark (self->view, track,
                              link != NULL ? &g_array_index (link->events, guint32, 0) : NULL,
                              link != NULL ? link->events->len : 0);
}

static void
finding_cb (MemlaneTimelinePage *self, guint track, gpointer link)
{
  if (link != NULL)
    memlane_timeline_links_choose (self->code, G_MAXINT);
  mark (self, track, link);
}

static void
code_chosen_cb (MemlaneTimelinePage *self, guint track, gpointer link)
{
  if (link != NULL)
    memlane_timeline_details_choose_finding (self->details, G_MAXINT);
  mark (self, track, link);
}

static void
copied_cb (MemlaneTimelinePage *self)
{
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Copied the table"), FALSE);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void
record_cb (MemlaneTimelinePage *self)
{
  g_free (record (self)); /* enabled where there is no objection */
}

static void
stop_cb (MemlaneTimelinePage *self)
{
  memlane_trace_store_stop (self->store);
}

static void
update_look (MemlaneTimelinePage *self)
{
  g_autoptr (GVariant) colours =
      g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "colours");
  gboolean by_stream = g_str_equal (g_variant_get_string (colours, NULL), "stream");

  memlane_timeline_view_set_look (self->view,
                                  by_stream ? MEMLANE_TIMELINE_BY_STREAM : MEMLANE_TIMELINE_BY_KIND,
                                  memlane_action_get_flag (self->actions, "ghosts"));
}

static void
colours_cb (MemlaneTimelinePage *self, GVariant *state, GSimpleAction *action)
{
  g_simple_action_set_state (action, state);
  memlane_settings_set_string ("timeline-colours", g_variant_get_string (state, NULL));
  update_look (self);
}

/* Follows the states of "ghosts" and "code". */
static void
switch_cb (MemlaneTimelinePage *self, GVariant *state, GSimpleAction *action)
{
  g_autofree char *key = g_strconcat ("timeline-", g_action_get_name (G_ACTION (action)), NULL);

  g_simple_action_set_state (action, state);
  memlane_settings_set_boolean (key, g_variant_get_boolean (state));
  update_look (self);
  arrange (self);
}

/* A low window has room for one of the two, and one line of controls; a narrow one has three, for
 * each must be in view. */
static void
arrange (MemlaneTimelinePage *self)
{
  int height = (int) memlane_reading_line_get_window_height (self->reading_line);
  gboolean details =
      memlane_action_get_flag (self->actions, "details") && !self->projector && height > 0;

  if (details && !gtk_widget_get_visible (GTK_WIDGET (self->details)))
    gtk_paned_set_position (
        self->paned, height - (int) (AROUND * memlane_figure_text_growth (GTK_WIDGET (self))));
  gtk_widget_set_visible (GTK_WIDGET (self->details), details);
  gtk_widget_set_visible (self->figure, !details || !self->low);
  gtk_widget_set_visible (GTK_WIDGET (self->code),
                          self->has_code && memlane_action_get_flag (self->actions, "code")
                              && !self->projector);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->bars), self->low && !self->narrow
                                                                   ? GTK_ORIENTATION_HORIZONTAL
                                                                   : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->chosen), self->narrow
                                                                     ? GTK_ORIENTATION_VERTICAL
                                                                     : GTK_ORIENTATION_HORIZONTAL);
}

static void
details_cb (MemlaneTimelinePage *self, GVariant *state, GSimpleAction *action)
{
  g_simple_action_set_state (action, state);
  if (self->tab->shown[1] == NULL) /* of two it is not remembered */
    memlane_settings_set_boolean ("timeline-details", g_variant_get_boolean (state));
  arrange (self);
}

static void
show_cb (MemlaneTimelinePage *self, GVariant *state)
{
  MemlaneTraceItem *item = memlane_list_peek (self->store, g_variant_get_uint32 (state));

  if (item != NULL)
    show (self, self->tab, item, self->tab->shown[1] != item ? self->tab->shown[1] : NULL);
}

static void
beside_cb (MemlaneTimelinePage *self, GVariant *state)
{
  int position = g_variant_get_int32 (state);
  MemlaneTraceItem *item = position >= 0 ? memlane_list_peek (self->store, (guint) position) : NULL;

  if (self->tab->shown[0] != NULL && (item != NULL || position < 0))
    show (self, self->tab, self->tab->shown[0], item);
}

/* Its neighbour takes its place, else the newest that is left. */
static void
close_cb (MemlaneTimelinePage *self)
{
  g_autoptr (MemlaneTraceItem) closed =
      self->tab->shown[0] != NULL ? g_object_ref (self->tab->shown[0]) : NULL;
  g_autoptr (MemlaneTraceItem) next =
      self->tab->shown[1] != NULL ? g_object_ref (self->tab->shown[1]) : NULL;

  if (closed == NULL)
    return;
  memlane_trace_store_remove (self->store, closed);
  if (next == NULL || next == closed)
    {
      g_clear_object (&next);
      next = g_list_model_get_item (G_LIST_MODEL (self->store), 0);
    }
  show (self, self->tab, next, NULL);
}

static void
open_recorded_cb (MemlaneTimelinePage *self, GVariant *parameter)
{
  memlane_trace_store_open (self->store, g_variant_get_string (parameter, NULL),
                            is_laboratory (self) ? "lab-alone" : "sample-alone");
}

static void
add_actions (MemlaneTimelinePage *self)
{

  self->actions = g_simple_action_group_new ();
  memlane_actions_add (self->actions, (const MemlaneAction[]) {
    { "record", self, G_CALLBACK (record_cb) },
    { "stop", self, G_CALLBACK (stop_cb) },
    { "colours", self, G_CALLBACK (colours_cb), "s", "'kind'" },
    { "ghosts", self, G_CALLBACK (switch_cb), NULL, "true" },
    { "details", self, G_CALLBACK (details_cb), NULL, "true" },
    { "code", self, G_CALLBACK (switch_cb), NULL, "true" },
    { "fit", self, G_CALLBACK (fit_cb) },
    { "show", self, G_CALLBACK (show_cb), "u", "uint32 4294967295" },
    { "beside", self, G_CALLBACK (beside_cb), "i", "-1" },
    { "close", self, G_CALLBACK (close_cb) },
    { "open-recorded", self, G_CALLBACK (open_recorded_cb), "s" },
    { "try", self, G_CALLBACK (try_cb), "(uu)" },
    { NULL },
  });
  gtk_widget_insert_action_group (GTK_WIDGET (self), "trace", G_ACTION_GROUP (self->actions));
}

/* --- the menu: one trace is shown, another beside it, one is closed --------------------------- */

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) entry = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (entry, action, target);
  g_menu_append_item (menu, entry);
}

/* Fills the changing parts each time the menu opens; the menu itself stays, since GTK 4.8 warns of
 * a popover that comes anew. */
static void
fill_menu_cb (GtkMenuButton *button, gpointer data)
{
  MemlaneTimelinePage *self = data;
  MemlaneTraceItem *item;

  g_menu_remove_all (self->items);
  g_menu_remove_all (self->others);
  append (self->others, _("No Comparison"), "trace.beside", g_variant_new_int32 (-1));
  for (guint i = 0; (item = memlane_list_peek (self->store, i)) != NULL; i++)
    {
      g_autoptr (GString) label = g_string_new (NULL);

      g_string_printf (label, "%s · %s", item->name, item->subtitle);
      g_string_replace (label, "_", "__", 0); /* underscores of file names are no mnemonics */
      append (self->items, label->str, "trace.show", g_variant_new_uint32 (i));
      if (item != self->tab->shown[0])
        append (self->others, label->str, "trace.beside", g_variant_new_int32 ((int) i));
    }
}

static void
fill_recorded (MemlaneTimelinePage *self)
{
  g_autoptr (GPtrArray) recordings = memlane_trace_recordings_list ();
  g_autoptr (GMenu) mode = NULL;
  const char *title = NULL;

  MEMLANE_FOR_EACH (const MemlaneRecording, recording, recordings)
    {
      if (g_strcmp0 (title, recording->mode) != 0)
        {
          g_clear_object (&mode);
          mode = g_menu_new ();
          title = recording->mode;
          g_menu_append_submenu (self->recorded, title, G_MENU_MODEL (mode));
        }
      append (mode, recording->title, "trace.open-recorded",
              g_variant_new_string (recording->path));
    }
  if (recordings->len == 0)
    /* an entry without an action is insensitive */
    g_menu_append (self->recorded, _("None is installed"), NULL);
}

/* --- what it follows -------------------------------------------------------------------------- */

static void
program_activated_cb (MemlaneTimelinePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "trace.record", NULL);
}

static void
program_chosen_cb (GFile *file, gpointer data)
{
  MemlaneTimelinePage *self = data;
  g_autofree char *words = file != NULL && g_file_peek_path (file) != NULL
                               ? g_shell_quote (g_file_peek_path (file))
                               : NULL;

  if (words != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->program), words);
  if (file == NULL)
    g_object_unref (self);
}

static void
choose_program_cb (MemlaneTimelinePage *self)
{
  memlane_file_dialog_open (memlane_page_get_window (MEMLANE_PAGE (self)), _("Choose a Program"),
                            NULL, FALSE, program_chosen_cb, g_object_ref (self));
}

/* Shows what the tab showed last, as far as it was not closed meanwhile. */
static void
kind_cb (MemlaneTimelinePage *self)
{
  Tab *tab = &self->tabs[is_laboratory (self)];

  if (self->tab != tab)
    {
      self->tab = tab;
      if (memlane_list_find (self->store, tab->shown[1]) < 0)
        g_clear_object (&tab->shown[1]);
      if (memlane_list_find (self->store, tab->shown[0]) < 0)
        {
          g_set_object (&tab->shown[0], tab->shown[1]);
          g_clear_object (&tab->shown[1]);
        }
      present (self);
    }
  memlane_settings_set_boolean ("timeline-laboratory", is_laboratory (self));
  update (self);
}

static void
window_size_cb (MemlaneTimelinePage *self)
{
  self->low = memlane_reading_line_get_window_height (self->reading_line) < LOW;
  self->narrow = memlane_reading_line_get_window_width (self->reading_line) < NARROW;
  arrange (self);
  update (self);
}

/* The lesson of the first visit: the same work through pageable and through page-locked memory,
 * recorded on a GPU. */
static void
open_recorded_first (MemlaneTimelinePage *self)
{
  static const char *const modes[] = { "pageable", "pinned" };
  static const char *const purposes[] = { "sample-visit", "sample-visit-second" };
  g_autoptr (GPtrArray) recordings = memlane_trace_recordings_list ();

  for (guint k = 0; k < G_N_ELEMENTS (modes); k++)
    MEMLANE_FOR_EACH (const MemlaneRecording, recording, recordings)
      {
        if (recording->log2 == FIRST_LOG2
            && g_str_equal (recording->mode, memlane_trace_item_get_mode_title (modes[k])))
          {
            memlane_trace_store_open (self->store, recording->path, purposes[k]);
            break;
          }
      }
}

static void
visit (MemlaneTimelinePage *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->store)) == 0
      && !memlane_trace_store_is_busy (self->store) && !is_laboratory (self))
    open_recorded_first (self);
}

/* --- what the window asks --------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  return GTK_WIDGET (MEMLANE_TIMELINE_PAGE (page)->view);
}

static gboolean
has_figure (MemlanePage *page)
{
  return MEMLANE_TIMELINE_PAGE (page)->tab->shown[0] != NULL;
}

/* On the wall the reading lies over the figure's lower edge while there is one, and takes no room
 * else. */
static void
place_reading (MemlaneTimelinePage *self)
{
  GtkWidget *line = g_object_ref (GTK_WIDGET (self->reading_line));

  if (self->projector)
    {
      gtk_box_remove (GTK_BOX (self->figure), line);
      gtk_overlay_add_overlay (self->wall, line);
      gtk_widget_add_css_class (line, "osd");
    }
  else
    {
      gtk_overlay_remove_overlay (self->wall, line);
      gtk_box_append (GTK_BOX (self->figure), line);
      gtk_widget_remove_css_class (line, "osd");
    }
  gtk_widget_set_valign (line, self->projector ? GTK_ALIGN_END : GTK_ALIGN_FILL);
  g_object_unref (line);
}

static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (page);

  self->projector = projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  memlane_reading_line_set_projector (self->reading_line, self->projector);
  place_reading (self);
  arrange (self);
  update (self);
}

static const char *
get_hint (MemlanePage *page)
{
  return has_figure (page) ? _("Escape leaves the projector. Space plays, comma and full stop "
                               "step through the operations.")
                           : _("Escape leaves the projector");
}

static gboolean
get_progress (MemlanePage *page, char **status, double *fraction)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (page);

  if (!memlane_trace_store_is_busy (self->store))
    return FALSE;
  g_object_get (self->store, "status", status, "progress", fraction, NULL);
  return TRUE;
}

static void
stop (MemlanePage *page)
{
  memlane_trace_store_stop (MEMLANE_TIMELINE_PAGE (page)->store);
}

/* If several arrive at once, the first two are shown below each other and the others are in the
 * menu. */
static void
open_file (MemlanePage *page, const char *path)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (page);
  static const char *const purposes[][3] = { { "sample-alone", "sample-second", "sample-more" },
                                             { "lab-alone", "lab-second", "lab-more" } };

  if (!memlane_trace_store_is_busy (self->store))
    self->n_opened = 0;
  memlane_trace_store_open (self->store, path,
                            purposes[is_laboratory (self)][MIN (self->n_opened, 2)]);
  self->n_opened++;
}

static void
record_trace (MemlanePage *page, GVariant *parameter)
{
  g_autofree char *objection = record (MEMLANE_TIMELINE_PAGE (page));

  if (objection != NULL)
    memlane_page_emit_notice (page, objection, TRUE);
}

static gboolean
can_record (MemlanePage *page)
{
  return !memlane_trace_store_is_recording (MEMLANE_TIMELINE_PAGE (page)->store);
}

static void
record_cell (MemlanePage *page, GVariant *parameter)
{
  MemlaneMethod method = { NULL };
  const char *mode, *workload;
  guint log2_elements;

  g_variant_get (parameter, "(&s&suuuu)", &mode, &workload, &log2_elements, &method.reuse,
                 &method.streams, &method.chunks);
  method.workload = memlane_workload_find (workload);
  /* there it appears */
  gtk_stack_set_visible_child_name (MEMLANE_TIMELINE_PAGE (page)->kinds, "sample");
  memlane_timeline_recorder_record_cell (MEMLANE_TIMELINE_PAGE (page)->recorder, mode, &method,
                                         log2_elements);
}

static void
export_trace (MemlanePage *page, GVariant *parameter)
{
  MemlaneTimelinePage *self = MEMLANE_TIMELINE_PAGE (page);

  memlane_export_trace (memlane_page_get_window (page), self->tab->shown[0]->trace,
                        memlane_page_tell_exported, g_object_ref (page));
}

const MemlanePageAction memlane_timeline_page_actions[] = {
  { "record-trace", NULL, TRUE, record_trace, can_record },
  { "record-cell", "(ssuuuu)", TRUE, record_cell, NULL },
  { "export-trace", NULL, FALSE, export_trace, has_figure },
  { NULL, NULL, FALSE, NULL, NULL },
};

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .get_progress = get_progress,
    .stop = stop,
    .open = open_file,
    .get_figure = get_figure,
    .has_figure = has_figure,
    .set_projector = set_projector,
    .get_hint = get_hint,
  };
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneTimelinePage, memlane_timeline_page, dispose,
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_TIMELINE_PAGE);
                        OWNS (tabs[0].shown[0], g_object_unref)
                        OWNS (tabs[0].shown[1], g_object_unref)
                        OWNS (tabs[0].pair, g_object_unref)
                        OWNS (tabs[1].shown[0], g_object_unref)
                        OWNS (tabs[1].shown[1], g_object_unref)
                        OWNS (tabs[1].pair, g_object_unref)
                        OWNS (actions, g_object_unref))

MEMLANE_DEFINE_RELEASE (MemlaneTimelinePage, memlane_timeline_page, finalize,
                        OWNS (store, g_object_unref))

static void
memlane_timeline_page_class_init (MemlaneTimelinePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  MEMLANE_ENSURE_TYPES (TIMELINE_RECORDER, TIMELINE_VIEW, TIMELINE_DETAILS, TIMELINE_LINKS,
                        READING_LINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/timeline-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTimelinePage, bar, bars, chosen, kinds_switcher, kinds, recorder,
                         tools, traces, play, stack, paned, figure, wall, view, reading_line,
                         details, code, nothing, spinner, record_first, open_first, recorded_first,
                         program, record_program, program_end, items, others, recorded);
  MEMLANE_BIND_CALLBACKS (update_reading, update_tools, play_clicked_cb, finding_cb, code_chosen_cb,
                          copied_cb, update, window_size_cb, program_activated_cb,
                          choose_program_cb);
}

static void
memlane_timeline_page_init (MemlaneTimelinePage *self)
{
  self->tab = self->tabs;
  add_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  memlane_accessible_set_name (self->traces, _("Open traces"));
}

GtkWidget *
memlane_timeline_page_new (MemlaneDeviceChoice *devices, MemlanePlanModel *plan,
                           MemlaneSweepJob *sweep, MemlaneTraceStore *store)
{
  /* first: it names what the page shows */
  GtkWidget *laboratory = memlane_lab_panel_new (devices, sweep, store);
  MemlaneTimelinePage *self = g_object_new (MEMLANE_TYPE_TIMELINE_PAGE, NULL);
  g_autofree char *colours = memlane_settings_get_string ("timeline-colours", "kind");
  GActionGroup *actions = G_ACTION_GROUP (self->actions);
  static const char *const switches[] = { "ghosts", "details", "code" };

  self->store = g_object_ref (store);
  self->laboratory = MEMLANE_LAB_PANEL (laboratory);
  gtk_stack_page_set_use_underline (
      gtk_stack_add_titled (self->kinds, laboratory, "lab", _("Stream _Laboratory")), TRUE);
  gtk_widget_set_visible (self->kinds_switcher, TRUE);
  g_signal_connect_object (laboratory, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (memlane_settings_get_boolean ("timeline-laboratory", FALSE))
    gtk_stack_set_visible_child (self->kinds, laboratory);
  self->tab = &self->tabs[is_laboratory (self)];
  g_signal_connect_object (self->kinds, "notify::visible-child", G_CALLBACK (kind_cb), self,
                           G_CONNECT_SWAPPED);
  fill_recorded (self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->traces), fill_menu_cb, self, NULL);
  g_action_group_change_action_state (actions, "colours", g_variant_new_string (colours));
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      g_autofree char *key = g_strconcat ("timeline-", switches[i], NULL);

      g_action_group_change_action_state (
          actions, switches[i], g_variant_new_boolean (memlane_settings_get_boolean (key, TRUE)));
    }
  memlane_timeline_recorder_follow (self->recorder, devices, plan, store);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { store, "arrived", G_CALLBACK (arrived_cb) },
    { store, "failed", G_CALLBACK (failed_cb) },
    { store, "tried", G_CALLBACK (show_code) },
    { store, "notify::busy", G_CALLBACK (update) },
    { store, "notify::status", G_CALLBACK (update) },
    { store, "items-changed", G_CALLBACK (update) },
    { store, "notify::busy", G_CALLBACK (memlane_page_emit_progress) },
    { store, "notify::status", G_CALLBACK (memlane_page_emit_progress) },
    { store, "notify::progress", G_CALLBACK (memlane_page_emit_progress) },
    { NULL },
  });
  memlane_page_when_seen (self, G_CALLBACK (visit));
  update (self);
  return GTK_WIDGET (self);
}
