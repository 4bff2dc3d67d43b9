/* experiment-page.c: the Experiments page: choose, predict, run, read
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-page.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "chart/answer-words.h"
#include "experiment-results.h"
#include "experiment-words.h"
#include "model/actions.h"
#include "model/sentence.h"
#include "parts/settings.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

#define CLAMP_PX 860
#define TIGHTENING_PX 400 /* libadwaita's own */

struct _MemlaneExperimentPage
{
  AdwBin parent_instance;

  MemlaneBench *bench;           /* (owned), as the next two */
  MemlaneDeviceChoice *devices;
  MemlaneExperimentStore *store;
  MemlaneExperimentItem *item;   /* (owned) (nullable): that is shown */
  gconstpointer shown;           /* the result that is shown, to be told from others */
  char *wanted;                  /* (nullable): to be shown once the list is there */
  gboolean filling;              /* lists are filled, and nothing is chosen */
  gboolean projector;
  guint arrange_idle, reveal_tick;
  guint reveal_frames;           /* that have begun since there was something to reveal */

  GSimpleActionGroup *actions;   /* "experiment" */

  GtkInfoBar *refused;
  GtkLabel *refused_text, *title, *source, *question, *claim, *predict_question, *place;
  GtkWidget *narrow_bar, *side, *separator, *stack, *scrolled, *claim_heading, *predict,
      *predict_heading, *run_box;
  GtkWidget *run, *skip;
  AdwLeaflet *leaflet;
  GtkDropDown *titles;
  GtkListBox *list;
  AdwClamp *clamp;
  AdwBin *prediction;
  GtkProgressBar *progress;
  MemlaneExperimentResults *results;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneExperimentPage, memlane_experiment_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* --- what is shown ---------------------------------------------------------------------------- */

static void
update_run_button (MemlaneExperimentPage *self, gboolean running, gboolean stopping)
{
  gboolean again = self->item->result != NULL;

  gtk_button_set_label (GTK_BUTTON (self->run), stopping  ? _("Stopping")
                                                : running ? _("_Stop")
                                                : again   ? _("_Run Again")
                                                          : _("_Run the Experiment"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->run),
                                  running ? "experiment.stop" : "experiment.run");
  memlane_widget_set_class (self->run, "suggested-action", !running && !again);
  memlane_widget_set_class (self->run, "destructive-action", running);
}

/* Says where it runs, or why it does not, or how far it is. */
static char *
describe_place (MemlaneExperimentPage *self, gboolean running, const char *objection)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);

  if (running)
    return g_strdup (self->bench->status);
  if (objection != NULL)
    return memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, objection));
  return device != NULL ? g_strdup_printf (_("on %s"), device->name) : g_strdup ("");
}

static void
show_text (GtkLabel *label, gboolean wanted)
{
  gtk_widget_set_visible (GTK_WIDGET (label), wanted && gtk_label_get_text (label)[0] != '\0');
}

/* On the wall stands the question, until it is answered, and then the claim with its verdict:
 * nobody scrolls there. */
static void
choose_parts (MemlaneExperimentPage *self, gboolean running, gboolean refused)
{
  const MemlaneExperiment *experiment = self->item->experiment;
  gboolean wall = self->projector, answered = self->item->result != NULL;
  gboolean predictable = experiment->prediction.choices != NULL;

  show_text (self->source, !wall);
  show_text (self->question, !wall || !answered);
  gtk_widget_set_visible (self->claim_heading, !wall);
  show_text (self->claim, !wall || !predictable || answered);
  gtk_widget_set_visible (self->predict_heading, !wall && !answered);
  /* the result says whether it was right */
  gtk_widget_set_visible (self->predict, predictable && !answered);
  gtk_widget_set_visible (self->run_box, !wall || !answered || running);
  gtk_widget_set_visible (self->skip, predictable && !answered && !wall);
  show_text (self->place, !wall || running || (refused && !answered));
}

/* Enables the actions of the shown experiment. */
static void
update_running (MemlaneExperimentPage *self)
{
  gboolean running, predictable;
  const char *objection;
  g_autofree char *place = NULL;

  if (self->item == NULL)
    return;
  running = self->store->running == self->item;
  objection = running ? NULL : memlane_experiment_store_get_objection (self->store, self->item);
  predictable = self->item->experiment->prediction.choices != NULL;
  memlane_action_enable (self->actions, "run", !running && objection == NULL);
  memlane_action_enable (self->actions, "stop", running && !self->bench->stopping);
  memlane_action_enable (self->actions, "predict", !running && self->item->result == NULL);
  memlane_action_set_state (self->actions, "predict", g_variant_new_int32 (self->item->choice));
  memlane_action_enable (
      self->actions, "start-over",
      !running
          && (self->item->result != NULL
              || (predictable && memlane_experiment_item_is_predicted (self->item))));
  update_run_button (self, running, running && self->bench->stopping);
  place = describe_place (self, running, objection);
  memlane_experiment_words_show (self->place, place);
  gtk_widget_set_tooltip_text (self->run, objection != NULL ? place : NULL);
  memlane_accessible_set_description (self->run, objection != NULL ? place : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), running);
  gtk_progress_bar_set_fraction (self->progress, running ? CLAMP (self->bench->fraction, 0, 1) : 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->prediction), !running);
  choose_parts (self, running, objection != NULL);
}

/* The first frame lays the answer out: before that the page has no such height to scroll to. */
static gboolean
reveal_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  MemlaneExperimentPage *self = MEMLANE_EXPERIMENT_PAGE (widget);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double x, y;

  if (self->reveal_frames++ == 0)
    return G_SOURCE_CONTINUE;
  self->reveal_tick = 0;
  if (gtk_widget_translate_coordinates (GTK_WIDGET (self->results), GTK_WIDGET (self->clamp), 0, 0,
                                        &x, &y))
    gtk_adjustment_set_value (place, y);
  return G_SOURCE_REMOVE;
}

/* The answer comes into sight, once it is laid out. */
static void
reveal_soon (MemlaneExperimentPage *self)
{
  self->reveal_frames = 0;
  if (self->reveal_tick == 0)
    self->reveal_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal_cb, NULL, NULL);
}

static void
stop_revealing (MemlaneExperimentPage *self)
{
  if (self->reveal_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->reveal_tick);
  self->reveal_tick = 0;
}

static void
update_item (MemlaneExperimentPage *self)
{
  MemlaneExperimentResult *result = self->item->result;
  g_autofree char *answer = memlane_experiment_words_prediction (self->item);

  if (result != self->shown)
    {
      memlane_experiment_results_set (self->results, result, answer);
      if (result != NULL)
        reveal_soon (self);
    }
  self->shown = result;
  memlane_action_enable (self->actions, "show-timeline", result != NULL && result->traces->len > 0);
  memlane_action_enable (self->actions, "show-run", result != NULL && result->runs->len > 0);
  update_running (self);
  memlane_say_changed (self);
}

/* --- what is predicted: one of several choices ------------------------------------------------ */

/* The action's state says which one is chosen; disabled it is too late. */
static GtkWidget *
make_choices (const MemlanePrediction *prediction)
{
  GtkWidget *list = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);

  memlane_accessible_set_name (list, prediction->question);
  for (int i = 0; prediction->choices[i] != NULL; i++)
    {
      g_autofree char *title = memlane_words_typeset (prediction->choices[i]);
      GtkWidget *button =
          g_object_new (GTK_TYPE_CHECK_BUTTON, "valign", GTK_ALIGN_CENTER, "action-target",
                        g_variant_new_int32 (i), "action-name", "experiment.predict", NULL);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title,
                                     "title-lines", 4, NULL);

      memlane_accessible_set_name (button, title);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), button);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
      gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
  return memlane_widget_style (list, "boxed-list");
}

static void
fill_prediction (MemlaneExperimentPage *self)
{
  const MemlanePrediction *prediction = &self->item->experiment->prediction;

  adw_bin_set_child (self->prediction,
                     prediction->choices != NULL ? make_choices (prediction) : NULL);
  memlane_experiment_words_show (self->predict_question, prediction->question);
}

/* --- the experiment --------------------------------------------------------------------------- */

static void
fill (MemlaneExperimentPage *self)
{
  const MemlaneExperiment *experiment = self->item->experiment;
  g_autofree char *articles = memlane_experiment_describe_source (experiment), *source = NULL;

  if (experiment->number > 0 && articles != NULL)
    source = g_strdup_printf (_("Experiment %u · %s"), experiment->number, articles);
  else if (articles != NULL)
    source = g_steal_pointer (&articles);
  else if (self->item->opened)
    source = g_strdup (experiment->path);
  memlane_experiment_words_show (self->title, experiment->title);
  memlane_experiment_words_show (self->source, source);
  memlane_experiment_words_show (self->question, experiment->question);
  memlane_experiment_words_show (self->claim, experiment->claim);
  fill_prediction (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "experiment");
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
}

static void
choose_in_lists (MemlaneExperimentPage *self)
{
  int place = memlane_list_find (self->store, self->item);

  if (place < 0)
    return;
  self->filling = TRUE;
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, place));
  gtk_drop_down_set_selected (self->titles, (guint) place);
  self->filling = FALSE;
}

static void
show (MemlaneExperimentPage *self, MemlaneExperimentItem *item)
{
  if (item == self->item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_func (self->item, update_item, self);
  g_set_object (&self->item, item);
  g_clear_pointer (&self->wanted, g_free);
  self->shown = NULL;
  memlane_experiment_results_set (self->results, NULL, NULL);
  g_signal_connect_object (item, "changed", G_CALLBACK (update_item), self, G_CONNECT_SWAPPED);
  memlane_settings_set_string ("experiment", memlane_experiment_store_get_name (item));
  choose_in_lists (self);
  fill (self);
  update_item (self);
  stop_revealing (self); /* a result that was there before is read from the top */
}

/* --- the list --------------------------------------------------------------------------------- */

/* The parts that change. */
typedef struct
{
  GtkWidget *verdict, *icon, *words;
} Row;

static void
item_changed_cb (MemlaneExperimentItem *item, GtkWidget *row)
{
  const Row *parts = g_object_get_data (G_OBJECT (row), "memlane-row");
  const MemlaneExperiment *experiment = item->experiment;
  const MemlaneExperimentResult *result = item->result;
  g_autofree char *verdict =
      result != NULL ? memlane_experiment_words_verdict (result->verdict) : NULL;
  g_autofree char *number =
      experiment->number > 0 ? g_strdup_printf ("%u. ", experiment->number) : g_strdup ("");
  gboolean asks =
      g_str_has_suffix (experiment->title, "?") || g_str_has_suffix (experiment->title, "？");
  g_autofree char *name = g_strconcat (number, experiment->title,
                                       verdict == NULL ? ""
                                       : asks          ? " "
                                                       : ". ",
                                       verdict, NULL);

  gtk_widget_set_visible (parts->verdict, result != NULL);
  if (result != NULL)
    {
      gtk_label_set_text (GTK_LABEL (parts->words), verdict);
      gtk_image_set_from_icon_name (GTK_IMAGE (parts->icon),
                                    memlane_experiment_words_icon (result->verdict));
      memlane_experiment_words_color (parts->verdict, result->verdict);
    }
  memlane_accessible_set_name (row, name);
}

/* A GtkListBoxCreateWidgetFunc: the place, the title, and the verdict once it was run. */
static GtkWidget *
make_row (gpointer object, gpointer data)
{
  MemlaneExperimentItem *item = object;
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/memlane/Memlane/experiment-row.ui");
  g_autofree char *number = item->experiment->number > 0
                                ? g_strdup_printf ("%u", item->experiment->number)
                                : g_strdup ("·");
  GtkWidget *row = g_object_ref_sink (GTK_WIDGET (gtk_builder_get_object (builder, "row")));
  Row *parts = g_new (Row, 1);

  *parts = (Row) { GTK_WIDGET (gtk_builder_get_object (builder, "verdict")),
                  GTK_WIDGET (gtk_builder_get_object (builder, "icon")),
                  GTK_WIDGET (gtk_builder_get_object (builder, "words")) };
  gtk_label_set_text (GTK_LABEL (gtk_builder_get_object (builder, "place")), number);
  gtk_label_set_text (GTK_LABEL (gtk_builder_get_object (builder, "title")),
                      item->experiment->title);
  g_object_set_data_full (G_OBJECT (row), "memlane-row", parts, g_free);
  g_signal_connect_object (item, "changed", G_CALLBACK (item_changed_cb), row, 0);
  item_changed_cb (item, row);
  return row;
}

static void
show_nth (MemlaneExperimentPage *self, guint n)
{
  MemlaneExperimentItem *item = self->filling ? NULL : memlane_list_peek (self->store, n);

  if (item != NULL)
    show (self, item);
}

static void
chosen_cb (MemlaneExperimentPage *self, GtkListBoxRow *row)
{
  if (row != NULL)
    show_nth (self, (guint) gtk_list_box_row_get_index (row));
}

static void
title_selected_cb (MemlaneExperimentPage *self)
{
  show_nth (self, gtk_drop_down_get_selected (self->titles));
}

static void
fill_titles (MemlaneExperimentPage *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  MEMLANE_FOR_EACH_ITEM (const MemlaneExperimentItem, item, self->store)
    {
      const MemlaneExperiment *experiment = item->experiment;
      g_autofree char *title =
          experiment->number > 0
              ? g_strdup_printf ("%u · %s", experiment->number, experiment->title)
              : g_strdup (experiment->title);

      gtk_string_list_append (titles, title);
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->titles, G_LIST_MODEL (titles));
  self->filling = FALSE;
}

/* The list has arrived, or something was added to it. */
static void
store_changed_cb (MemlaneExperimentPage *self)
{
  MemlaneExperimentItem *first, *wanted = NULL;
  g_autofree char *path = NULL;

  fill_titles (self);
  if (self->item != NULL)
    {
      choose_in_lists (self);
      return;
    }
  first = memlane_list_peek (self->store, 0);
  if (first == NULL)
    {
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "nothing");
      return;
    }
  if (self->wanted != NULL)
    wanted = memlane_experiment_store_find (self->store, self->wanted);
  if (wanted == NULL && self->wanted != NULL && g_path_is_absolute (self->wanted)
      && g_file_test (self->wanted, G_FILE_TEST_IS_REGULAR))
    path = g_steal_pointer (&self->wanted);
  show (self, wanted != NULL ? wanted : first);
  if (path != NULL)
    memlane_experiment_store_open (self->store, path); /* it was open when the window was closed */
}

static void
opened_cb (MemlaneExperimentPage *self, MemlaneExperimentItem *item)
{
  gtk_info_bar_set_revealed (self->refused, FALSE);
  show (self, item);
}

/* Open sections stay, below it. */
static void
refused_cb (MemlaneExperimentPage *self, const char *sentence)
{
  gboolean more = gtk_info_bar_get_revealed (self->refused);
  const char *before = gtk_label_get_text (self->refused_text);
  g_autofree char *text = more ? g_strdup_printf ("%s\n%s", sentence, before) : g_strdup (sentence);

  gtk_label_set_text (self->refused_text, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->refused_text), text);
  memlane_accessible_set_description (GTK_WIDGET (self->refused), text);
  gtk_info_bar_set_revealed (self->refused, TRUE);
}

static void
refused_response_cb (MemlaneExperimentPage *self)
{
  gtk_info_bar_set_revealed (self->refused, FALSE);
}

/* --- room ------------------------------------------------------------------------------------- */

/* Folded the list gives way to the drop-down. Nothing here may change how wide the experiment wants
 * to be: it would unfold again. */
static void
arrange (MemlaneExperimentPage *self)
{
  gtk_widget_set_visible (self->side, !self->projector);
  gtk_widget_set_visible (self->separator, !self->projector);
  gtk_widget_set_visible (self->narrow_bar,
                          adw_leaflet_get_folded (self->leaflet) && !self->projector);
  /* All of a wall: its text is thrice as large. */
  adw_clamp_set_maximum_size (self->clamp, self->projector ? 4 * CLAMP_PX : CLAMP_PX);
  adw_clamp_set_tightening_threshold (self->clamp, self->projector ? 4 * CLAMP_PX : TIGHTENING_PX);
  memlane_experiment_results_set_wall (self->results, self->projector);
  update_running (self);
}

static gboolean
arrange_cb (gpointer data)
{
  MemlaneExperimentPage *self = data;

  self->arrange_idle = 0;
  arrange (self);
  return G_SOURCE_REMOVE;
}

/* This comes in the middle of an allocation, too late to ask for another. */
static void
folded_cb (MemlaneExperimentPage *self)
{
  if (self->arrange_idle == 0)
    self->arrange_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, arrange_cb, self, NULL);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void
predict_cb (MemlaneExperimentPage *self, GVariant *parameter)
{
  if (self->item != NULL)
    memlane_experiment_item_set_choice (self->item, g_variant_get_int32 (parameter));
}

static void
run_experiment (MemlanePage *page, GVariant *parameter)
{
  MemlaneExperimentPage *self = MEMLANE_EXPERIMENT_PAGE (page);

  if (self->item != NULL)
    memlane_experiment_store_run (self->store, self->item);
}

static void
stop_cb (MemlaneExperimentPage *self)
{
  if (self->store->running != NULL)
    memlane_bench_stop (self->bench);
}

static void
start_over_cb (MemlaneExperimentPage *self)
{
  memlane_experiment_item_forget (self->item);
  /* the button is insensitive now */
  gtk_widget_child_focus (GTK_WIDGET (self->prediction), GTK_DIR_TAB_FORWARD);
}

static void
skip_cb (MemlaneExperimentPage *self, GVariant *state, GSimpleAction *action)
{
  g_simple_action_set_state (action, state);
  memlane_settings_set_boolean ("experiment-skip", g_variant_get_boolean (state));
  g_object_set (self->store, "skip", g_variant_get_boolean (state), NULL);
}

/* The page hears of what arrives only once it is there. */
static void
show_timeline_cb (MemlaneExperimentPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "timeline");
  memlane_experiment_store_show_traces (self->store, self->item);
}

static void
show_run_cb (MemlaneExperimentPage *self)
{
  if (memlane_experiment_store_keep_runs (self->store, self->item))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "time");
}

static void
add_actions (MemlaneExperimentPage *self)
{
  /* once there is an experiment */
  static const char *const later[] = { "run", "stop", "start-over", "show-timeline", "show-run" };

  self->actions = g_simple_action_group_new ();
  memlane_actions_add (self->actions, (const MemlaneAction[]) {
    { "predict", self, G_CALLBACK (predict_cb), "i", "-1" },
    { "run", self, G_CALLBACK (run_experiment) },
    { "stop", self, G_CALLBACK (stop_cb) },
    { "start-over", self, G_CALLBACK (start_over_cb) },
    { "skip", self, G_CALLBACK (skip_cb), NULL, "false" },
    { "show-timeline", self, G_CALLBACK (show_timeline_cb) },
    { "show-run", self, G_CALLBACK (show_run_cb) },
    { NULL },
  });
  for (guint i = 0; i < G_N_ELEMENTS (later); i++)
    memlane_action_enable (self->actions, later[i], FALSE);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "experiment", G_ACTION_GROUP (self->actions));
}

/* --- files ------------------------------------------------------------------------------------ */

/* (nullable) (transfer none): of the experiment that is shown */
static MemlaneExperimentResult *
get_result (MemlaneExperimentPage *self)
{
  return self->item != NULL ? self->item->result : NULL;
}

static void
save (MemlanePage *page, const char *title, MemlaneExportWrite write)
{
  MemlaneExperimentResult *result = get_result (MEMLANE_EXPERIMENT_PAGE (page));
  const char *const kinds[] = { _("CSV files"), "*.csv", NULL };
  g_autofree char *name = NULL;

  if (result == NULL)
    return;
  name = g_strconcat (result->experiment->name, ".csv", NULL);
  memlane_export_written (memlane_page_get_window (page), title, name, kinds, ".csv", write,
                          memlane_experiment_result_ref (result),
                          (GDestroyNotify) memlane_experiment_result_unref,
                          memlane_page_tell_exported, g_object_ref (page));
}

/* --- the window's actions --------------------------------------------------------------------- */

static gboolean
can_run (MemlanePage *page)
{
  return MEMLANE_EXPERIMENT_PAGE (page)->store->running == NULL;
}

static void
save_findings (MemlanePage *page, GVariant *parameter)
{
  save (page, _("Save Findings"), (MemlaneExportWrite) memlane_experiment_result_write_findings);
}

static gboolean
can_save (MemlanePage *page)
{
  return get_result (MEMLANE_EXPERIMENT_PAGE (page)) != NULL;
}

static void
save_cells (MemlanePage *page, GVariant *parameter)
{
  save (page, _("Save Cells"), (MemlaneExportWrite) memlane_experiment_result_write_csv);
}

static gboolean
can_save_cells (MemlanePage *page)
{
  MemlaneExperimentResult *result = get_result (MEMLANE_EXPERIMENT_PAGE (page));

  return result != NULL && result->runs->len > 0;
}

const MemlanePageAction memlane_experiment_page_actions[] = {
  { "run-experiment", NULL, TRUE, run_experiment, can_run },
  { "save-findings", NULL, FALSE, save_findings, can_save },
  { "save-cells", NULL, FALSE, save_cells, can_save_cells },
  { NULL, NULL, FALSE, NULL, NULL },
};

static void
open_file (MemlanePage *page, const char *path)
{
  memlane_experiment_store_open (MEMLANE_EXPERIMENT_PAGE (page)->store, path);
}

static void
finished_cb (MemlaneExperimentPage *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = item->result;
  g_autofree char *verdict = NULL, *sentence = NULL;

  if (result == NULL)
    return;
  /* the page shows it */
  if (!result->cancelled && item == self->item && gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  /* a lesson has not revealed it yet */
  if (self->projector && !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (result->cancelled)
    sentence = g_strdup_printf (_("Stopped “%s”"), result->experiment->title);
  else
    {
      verdict = memlane_experiment_words_verdict (result->verdict);
      /* Translators: the title of an experiment, and the verdict on its claim */
      sentence = g_strdup_printf (_("“%s”: %s"), result->experiment->title, verdict);
    }
  memlane_page_emit_notice (MEMLANE_PAGE (self), sentence, FALSE);
}

/* --- what the window asks --------------------------------------------------------------------- */

/* Only the experiment, in large text. */
static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneExperimentPage *self = MEMLANE_EXPERIMENT_PAGE (page);

  self->projector = projector;
  arrange (self);
}

static GtkWidget *
get_focus (MemlanePage *page)
{
  MemlaneExperimentPage *self = MEMLANE_EXPERIMENT_PAGE (page);

  /* else the window's toast would have it, and stay */
  return gtk_widget_get_visible (self->run_box) ? self->run : self->scrolled;
}

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .set_projector = set_projector,
    .get_focus = get_focus,
    .open = open_file,
  };
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (
    MemlaneExperimentPage, memlane_experiment_page, dispose, self->filling = TRUE;
    g_clear_handle_id (&self->arrange_idle, g_source_remove); stop_revealing (self);
    gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_EXPERIMENT_PAGE);
    OWNS (item, g_object_unref) OWNS (actions, g_object_unref))

MEMLANE_DEFINE_RELEASE (MemlaneExperimentPage, memlane_experiment_page, finalize,
                        OWNS (wanted, g_free) OWNS (bench, g_object_unref)
                        OWNS (devices, g_object_unref) OWNS (store, g_object_unref))

static void
memlane_experiment_page_class_init (MemlaneExperimentPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  MEMLANE_ENSURE_TYPES (EXPERIMENT_RESULTS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/experiment-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneExperimentPage, refused, refused_text, title, source, question,
                         claim, predict_question, place, narrow_bar, leaflet, side, separator,
                         stack, scrolled, claim_heading, predict, predict_heading, run_box, run,
                         skip, titles, list, clamp, prediction, progress, results);
  MEMLANE_BIND_CALLBACKS (chosen_cb, folded_cb, title_selected_cb, refused_response_cb);
}

static void
memlane_experiment_page_init (MemlaneExperimentPage *self)
{
  self->filling = TRUE;
  add_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_drop_down_ellipsize (self->titles);
}

GtkWidget *
memlane_experiment_page_new (MemlaneBench *bench, MemlaneDeviceChoice *devices,
                             MemlaneExperimentStore *store)
{
  MemlaneExperimentPage *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_PAGE, NULL);
  const GPtrArray *problems;

  self->bench = g_object_ref (bench);
  self->devices = g_object_ref (devices);
  self->store = g_object_ref (store);
  self->wanted = memlane_settings_get_string ("experiment", "");
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (store), make_row, NULL, NULL);
  self->filling = FALSE;
  g_action_group_change_action_state (
      G_ACTION_GROUP (self->actions), "skip",
      g_variant_new_boolean (memlane_settings_get_boolean ("experiment-skip", FALSE)));
  memlane_follow (self, (const MemlaneFollowed[]) {
    { bench, "notify::fraction", G_CALLBACK (update_running) },
    { bench, "notify::status", G_CALLBACK (update_running) },
    { bench, "notify::stopping", G_CALLBACK (update_running) },
    { store, "changed", G_CALLBACK (update_running) },
    { store, "items-changed", G_CALLBACK (store_changed_cb) },
    { store, "finished", G_CALLBACK (finished_cb) },
    { store, "opened", G_CALLBACK (opened_cb) },
    { store, "refused", G_CALLBACK (refused_cb) },
    { NULL },
  });
  problems = memlane_experiment_store_load (store);
  MEMLANE_FOR_EACH (const char, problem, problems)
    refused_cb (self, problem);
  store_changed_cb (self);
  return GTK_WIDGET (self);
}
