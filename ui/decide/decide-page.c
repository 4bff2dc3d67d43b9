/* decide-page.c: the Decide page: which mode to use for my size, my reuse and my direction, and the
 * figures that say so
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-page.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/owns.h"
#include "model/actions.h"
#include "model/fields.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/map/decide-map.h"
#include "chart/scale.h"
#include "decide-answers.h"
#include "decide-bars.h"
#include "decide-view.h"
#include "parts/count-choice.h"
#include "parts/mode-swatch.h"
#include "parts/reading-line.h"
#include "parts/settings.h"
#include "parts/size-spin.h"
#include "parts/template.h"
#include "parts/widgets.h"

#define LOW 480            /* px of the window: below that no icon */
#define FLOAT 4            /* bytes */
#define WALL_TEXT 28       /* px of the answer on the wall ... */
#define WALL_HEIGHT 720    /* ... of this height */

struct _MemlaneDecidePage
{
  AdwBin parent_instance;

  MemlaneDeviceChoice *devices;  /* (owned) */
  MemlaneSweepJob *sweep;        /* (owned) */
  GSimpleActionGroup *actions;   /* "decide" */
  MemlaneDecider *decider;       /* (owned) */
  /* (element-type MemlaneRunItem): in the order of the list of runs to answer from */
  GPtrArray *bases;
  MemlaneDecideResult *result;   /* (owned) (nullable): the decider's */
  GPtrArray *recommended;        /* (element-type utf8): for size and reuse as they are */
  gboolean has_next;             /* the second of them is on what another mode takes */

  /* of a vector, or of a piece: with @row as memlane_decision_locate() takes them */
  double log2;
  guint row;
  gboolean of_pieces;            /* what they are of, and */
  double other_log2;             /* as they were of the other */
  guint other_row;
  gboolean filling;              /* choices are shown, and not made */
  gboolean projector;

  GtkWidget *bar, *size, *bytes, *reuse, *direction, *counts, *base, *stack, *spinner, *figure;
  GtkWidget *separator, *answers;
  GtkWidget *best_box, *notes_box, *run, *recorded, *measure, *wall_answer;
  AdwLeaflet *leaflet;
  AdwStatusPage *nothing;
  MemlaneDecideView *view;
  MemlaneReadingLine *reading_line;
  MemlaneModeSwatch *swatch;
  GtkLabel *best, *best_time, *size_title, *row_title;
  MemlaneDecideAnswers *notes;
  MemlaneDecideBars *bars;
  GtkExpander *evidence_expander, *crossovers_expander, *locking_expander;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneDecidePage, memlane_decide_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

/* Only while there is a result. */
static MemlanePlace
get_place (MemlaneDecidePage *self)
{
  return memlane_decision_locate (self->result->decision, self->log2, self->row);
}

/* --- what is shown ---------------------------------------------------------------------------- */

static void
update_reading (MemlaneDecidePage *self)
{
  memlane_reading_line_set (self->reading_line, MEMLANE_FIGURE_WIDGET (self->view)->reading,
                            _("Click a cell, or move with the arrow keys"));
}

/* "Use Pinned": the mode as the map shows it. (transfer full) */
static char *
format_choice (const MemlaneDecision *decision, const MemlaneChoice *choice)
{
  const char *title = g_dgettext (GETTEXT_PACKAGE, decision->modes[choice->choice].title);

  if (choice->open) /* Translators: a mode; it may cost more than 5 % on average */
    return g_strdup_printf (_("Probably %s"), title);
  if (choice->alike) /* Translators: a mode */
    return g_strdup_printf (_("Take %s"), title);
  return g_strdup_printf (_("Use %s"), title); /* Translators: a mode */
}

/* "194 µs, measured. At most 2 % slower than any other mode." @settles: a sweep would tell more.
 * (transfer full) */
static char *
format_time (const MemlaneDecision *decision, const MemlaneChoice *choice,
             const MemlaneForecast *forecast, gboolean settles)
{
  const MemlaneHostMemory memory = decision->modes[choice->choice].input_memory;
  g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, forecast->ns.value, TRUE);
  GString *text = g_string_new (NULL);

  /* Translators, of each of these: a time */
  g_string_append_printf (text,
                          forecast->basis != MEMLANE_BASIS_MEASURED ? _("%s, estimated.")
                          : decision->simulated                     ? _("%s, simulated.")
                          : decision->one_process ? _("%s, measured in one process.")
                                                  : _("%s, measured."),
                          time);
  g_string_append (text, " ");
  if (choice->open && !settles)
    g_string_append_printf (
        text, _("The modes tie within the noise: a wrong choice costs %.0f %% on average."),
        100 * choice->regret);
  else if (choice->open)
    g_string_append_printf (text, _("A wrong choice costs %.0f %% on average."),
                            100 * choice->regret);
  else if (choice->cost >= 0.005) /* Translators: a percentage, a mode */
    g_string_append_printf (text, _("%.0f %% slower than %s, and simpler."), 100 * choice->cost,
                            g_dgettext (GETTEXT_PACKAGE, decision->modes[choice->fastest].title));
  else
    g_string_append (text, _("No other mode is faster."));
  if (memory == MEMLANE_HOST_WRITE_COMBINED || memory == MEMLANE_HOST_MAPPED_WRITE_COMBINED)
    g_string_append_printf (
        text, " %s",
        g_dgettext (GETTEXT_PACKAGE,
                    "Only if the host writes this memory in order and never reads it."));
  return g_string_free (text, FALSE);
}

/* Returns "Pinned, Streams and Stream-ordered tie within 3 %. Pageable takes 1.8 times as long."
 * (transfer full) */
static char *
format_others (MemlaneDecidePage *self, const MemlanePlace *place, const MemlaneChoice *choice)
{
  guint modes[MEMLANE_N_FAMILIES];
  const guint n = memlane_decision_list_candidates (place->decision, place->log2_elements,
                                                    place->reuse, choice, modes);
  g_autoptr (GString) tied =
      g_string_new (g_dgettext (GETTEXT_PACKAGE, place->decision->modes[choice->choice].title));
  GString *text = g_string_new (NULL);
  guint last = 0;

  for (guint i = 0; i < n; i++)
    if ((int) modes[i] != choice->choice && (choice->ties >> modes[i] & 1) != 0)
      last = i;
  for (guint i = 0; i < n; i++)
    if ((int) modes[i] != choice->choice && (choice->ties >> modes[i] & 1) != 0)
      memlane_words_join (tied, i == last ? C_ ("list", " and ") : C_ ("list", ", "), "%s",
                          g_dgettext (GETTEXT_PACKAGE, place->decision->modes[modes[i]].title));
  if (choice->alike) /* Translators: modes */
    g_string_append_printf (text, _("%s tie within 3 %%."), tied->str);
  if (self->has_next)
    memlane_words_join (text, " ", "%s", (const char *) self->recommended->pdata[1]);
  return g_string_free (text, FALSE);
}

static gboolean
advise (MemlaneDecidePage *self, MemlaneSweepAdvice *advice)
{
  const MemlanePlace place = get_place (self);

  return memlane_decision_advise (place.decision, place.log2_elements, place.reuse, advice);
}

/* Whether the sweep that would settle it can be run here: on the device that the runs are of. */
static gboolean
can_measure (MemlaneDecidePage *self, MemlaneSweepAdvice *advice)
{
  const MemlaneDecision *decision = self->result != NULL ? self->result->decision : NULL;
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);

  return decision != NULL && device != NULL && g_strcmp0 (device->id, decision->run->device) == 0
         && device->simulated == decision->simulated
         && memlane_device_choice_get_objection (self->devices) == NULL
         && !memlane_sweep_job_is_running (self->sweep) && advise (self, advice);
}

static void
update_measure (MemlaneDecidePage *self)
{
  MemlaneSweepAdvice advice;
  gboolean possible = can_measure (self, &advice);
  g_autofree char *power = NULL, *words = NULL;

  gtk_widget_set_visible (self->measure, possible);
  memlane_action_enable (self->actions, "measure", possible);
  if (!possible)
    return;
  if (self->of_pieces) /* Translators: a number and a size: "Measure 256 pieces of 4 KiB" */
    words = g_strdup_printf (
        ngettext ("_Measure %u piece of %s", "_Measure %u pieces of %s", self->row), self->row,
        gtk_label_get_text (GTK_LABEL (self->bytes)));
  else
    {
      power = memlane_unit_format_power (advice.log2_elements);
      /* Translators: a size and a reuse: "Measure 2¹⁴ floats, reuse 16" */
      words = g_strdup_printf (_("_Measure %s floats, reuse %u"), power, advice.reuse);
    }
  gtk_button_set_use_underline (GTK_BUTTON (self->measure), TRUE);
  gtk_button_set_label (GTK_BUTTON (self->measure), words);
}

static void
show_best (MemlaneDecidePage *self)
{
  g_autofree char *words = NULL, *time = NULL, *wall = NULL, *line = NULL, *others = NULL,
                  *all = NULL;
  MemlaneForecast forecast;
  MemlaneSweepAdvice advice;
  MemlaneChoice choice;
  const MemlanePlace place = get_place (self);
  gboolean known =
      memlane_decision_judge (place.decision, place.log2_elements, place.reuse, &choice);

  update_measure (self);
  gtk_widget_set_visible (self->best_box, known);
  if (!known)
    {
      gtk_label_set_text (self->best_time,
                          self->of_pieces
                              ? _("Not enough data for this size and number of pieces.")
                              : _("Not enough data for this size and reuse."));
      gtk_label_set_text (GTK_LABEL (self->wall_answer), gtk_label_get_text (self->best_time));
      return;
    }
  memlane_decision_forecast (place.decision, (guint) choice.choice, place.log2_elements,
                             place.reuse, &forecast);
  words = format_choice (place.decision, &choice);
  time = format_time (place.decision, &choice, &forecast, advise (self, &advice));
  wall = memlane_unit_format (MEMLANE_UNIT_TIME, forecast.ns.value, TRUE);
  gtk_label_set_text (self->best, words);
  others = format_others (self, &place, &choice);
  all = g_strconcat (time, *others != '\0' ? " " : "", others, NULL);
  gtk_label_set_text (self->best_time, all);
  memlane_mode_swatch_set_mode (self->swatch, place.decision->modes[choice.choice].id);
  line = g_strdup_printf ("%s · %s · %s", words, wall, self->result->decision->run->id);
  gtk_label_set_text (GTK_LABEL (self->wall_answer), line);
}

static void
recommend (MemlaneDecidePage *self)
{
  GPtrArray *answers;
  MemlanePlace place;

  g_clear_pointer (&self->recommended, g_ptr_array_unref);
  if (self->result == NULL)
    return;
  place = get_place (self);
  answers = memlane_decision_recommend (place.decision, place.log2_elements, place.reuse);
  self->has_next =
      answers->len > 1 && ((const MemlaneAnswer *) answers->pdata[1])->kind == MEMLANE_ANSWER_NEXT;
  self->recommended = memlane_decide_to_words (answers);
  memlane_decide_expander_set (self->evidence_expander, _("Evidence"), self->recommended);
  memlane_decide_bars_set (self->bars, self->result, self->log2, self->row);
  show_best (self);
}

/* 28 px on 1280x720, and larger with the wall. */
static void
size_wall_answer (MemlaneDecidePage *self)
{
  double height = memlane_reading_line_get_window_height (self->reading_line);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes,
                          pango_attr_size_new_absolute (
                              (int) (WALL_TEXT * MAX (1, height / WALL_HEIGHT) * PANGO_SCALE)));
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_attributes (GTK_LABEL (self->wall_answer), attributes);
  pango_attr_list_unref (attributes);
}

static void
adapt (MemlaneDecidePage *self)
{
  gboolean low = memlane_reading_line_get_window_height (self->reading_line) < LOW;

  adw_status_page_set_icon_name (self->nothing, low ? NULL : "memlane-decide-symbolic");
  size_wall_answer (self);
}

/* Why there is no map, and what to do. */
static void
explain (MemlaneDecidePage *self)
{
  gboolean running = memlane_sweep_job_is_running (self->sweep);
  g_autofree char *words = NULL, *markup = NULL;

  if (self->result != NULL)
    words = memlane_map_explain (self->result->decision);
  else
    words = g_strdup (running ? _("The map appears with the first measurement.")
                              : _("Measure a run, or tick one in the list of runs."));
  adw_status_page_set_title (self->nothing, self->result != NULL ? _("Not Enough Data")
                                            : running            ? _("Measuring")
                                                                 : _("No Run Selected"));
  markup = g_markup_escape_text (words, -1);
  adw_status_page_set_description (self->nothing, markup);
  gtk_widget_set_visible (self->run, !running);
  gtk_widget_set_visible (self->recorded, !running && self->result == NULL);
}

static gboolean
has_map (MemlaneDecidePage *self)
{
  return self->result != NULL && self->result->decision->n_sizes > 0;
}

static void
update_stack (MemlaneDecidePage *self)
{
  gboolean waiting = self->result == NULL && memlane_decider_is_waiting (self->decider);
  gboolean focused = gtk_widget_has_focus (GTK_WIDGET (self->view));
  const char *name = waiting ? "waiting" : has_map (self) ? "map" : "nothing";

  if (g_str_equal (name, "nothing"))
    explain (self);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), waiting);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
  memlane_action_enable (self->actions, "copy", has_map (self));
  if (focused && g_str_equal (name, "nothing"))
    gtk_widget_child_focus (GTK_WIDGET (self->nothing), GTK_DIR_TAB_FORWARD);
}

static void
show_answers (MemlaneDecidePage *self)
{
  MemlaneDecideResult *result = self->result;
  GPtrArray *others;

  memlane_decide_answers_set (self->notes, result->notes);
  gtk_widget_set_visible (self->notes_box, result->notes->len > 0);
  memlane_decide_expander_set (self->crossovers_expander, _("Crossovers"), result->crossovers);
  memlane_decide_expander_set (self->locking_expander, _("Price of Page-Locking"), result->locking);
  recommend (self);
  /* What holds beside a busy GPU is half of the answer. */
  others = get_place (self).decision->by_background;
  if (others != NULL && others->len > 0)
    gtk_expander_set_expanded (self->evidence_expander, TRUE);
}

/* The runs to answer from, the one that is answered from first; its name is the decision's. */
static void
fill_bases (MemlaneDecidePage *self)
{
  g_autoptr (GPtrArray) bases = memlane_decider_list_runs (self->decider);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean same = self->bases != NULL && self->bases->len == bases->len;

  for (guint i = 0; i < bases->len; i++)
    {
      gtk_string_list_append (names, memlane_run_item_get_name (bases->pdata[i]));
      same = same && self->bases->pdata[i] == bases->pdata[i]
             && g_strcmp0 (
                    gtk_string_list_get_string (names, i),
                    gtk_string_list_get_string (
                        GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (self->base))), i))
                    == 0;
    }
  if (same)
    return;
  g_clear_pointer (&self->bases, g_ptr_array_unref);
  self->bases = g_steal_pointer (&bases);
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->base), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->base), 0);
  self->filling = FALSE;
}

static void
base_selected_cb (MemlaneDecidePage *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->base));

  if (!self->filling && self->bases != NULL && selected < self->bases->len)
    memlane_decider_set_base (self->decider, self->bases->pdata[selected]);
}

/* Finds the nearest number of pieces that the runs have, or the next one in the direction of
 * @row. */
static guint
find_pieces (MemlaneDecidePage *self, guint row)
{
  const MemlaneDecision *decision = self->result->decision;
  guint index = memlane_decision_find_row (decision, row);

  if (decision->rows[index] == self->row && row > self->row)
    index = MIN (index + 1, decision->n_rows - 1);
  else if (decision->rows[index] == self->row && row < self->row)
    index = MAX (index, 1) - 1;
  return decision->rows[index];
}

/* My size and my reuse, or number of pieces; they are brought into what is allowed. */
static void
choose (MemlaneDecidePage *self, double log2_elements, guint row)
{
  g_autofree char *bytes = NULL;

  self->log2 =
      CLAMP (log2_elements, self->of_pieces ? 0 : MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  self->row = self->of_pieces && has_map (self) ? find_pieces (self, row)
                                                : CLAMP (row, 1, MEMLANE_DECIDE_MOST_REUSE);
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->size), self->log2);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->reuse), self->row);
  self->filling = FALSE;
  bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, FLOAT * exp2 (self->log2), TRUE);
  gtk_label_set_text (GTK_LABEL (self->bytes), bytes);
  memlane_accessible_set_description (self->size, bytes);
  if (!self->of_pieces)
    {
      memlane_settings_set_int ("decide-log2", (int) self->log2);
      memlane_settings_set_int ("decide-reuse", (int) self->row);
    }
  memlane_action_set_state (self->actions, "size", g_variant_new_int32 ((int) self->log2));
  memlane_action_set_state (self->actions, "reuse", g_variant_new_int32 ((int) self->row));
  memlane_decide_view_choose (self->view, self->log2, self->row);
  if (has_map (self))
    recommend (self);
}

/* The bar asks for vectors and reuses, or for pieces and their number: what @decision tells
 * apart. */
static void
ask_for (MemlaneDecidePage *self, const MemlaneDecision *decision)
{
  const double log2 = self->log2;
  const guint row = self->row;
  const gboolean of_pieces = decision->by_pieces != NULL;

  if (of_pieces != self->of_pieces)
    {
      self->log2 = of_pieces ? CLAMP (self->other_log2, decision->columns[0],
                                      decision->columns[decision->n_columns - 1])
                             : self->other_log2;
      self->row = self->other_row;
      self->other_log2 = log2;
      self->other_row = row;
      self->of_pieces = of_pieces;
      gtk_label_set_label (self->size_title, of_pieces ? _("Piece Si_ze") : _("Vector Si_ze"));
      gtk_label_set_label (self->row_title,
                           of_pieces ? _("Num_ber of Pieces") : _("Kernels per Transf_er"));
      gtk_widget_set_tooltip_text (self->size, of_pieces ? _("Floats in each piece")
                                                         : _("Floats in each vector"));
      gtk_widget_set_tooltip_text (self->bytes, of_pieces ? _("Bytes of each piece")
                                                          : _("Bytes of each vector"));
      gtk_widget_set_tooltip_text (
          self->reuse, of_pieces ? _("How many pieces are moved; the runs have these numbers")
                                 : _("How many kernels use the data before it changes"));
      memlane_accessible_set_name (self->size, of_pieces ? _("Piece size, a power of two")
                                                         : _("Vector size, a power of two"));
      memlane_accessible_set_name (self->reuse,
                                   of_pieces ? _("Number of pieces") : _("Kernels per transfer"));
      self->filling = TRUE;
      gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->size),
                                 of_pieces ? 0 : MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
      self->filling = FALSE;
    }
  if (of_pieces || log2 != self->log2)
    choose (self, self->log2, self->row);
}

static void
decider_changed_cb (MemlaneDecidePage *self)
{
  MemlaneDecideResult *result = memlane_decider_get_result (self->decider);

  fill_bases (self);
  if (result != self->result)
    {
      memlane_decide_result_unref (self->result);
      self->result = memlane_decide_result_ref (result);
      memlane_decide_view_set_result (self->view, has_map (self) ? result : NULL);
      if (has_map (self))
        {
          ask_for (self, result->decision);
          show_answers (self);
        }
    }
  update_stack (self);
  update_reading (self);
  update_measure (self);
  memlane_say_changed (self);
}

/* --- what it follows -------------------------------------------------------------------------- */

static void
memlane_decide_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (memlane_decide_page_parent_class)->map (widget);
  memlane_decider_set_active (MEMLANE_DECIDE_PAGE (widget)->decider, TRUE);
}

static void
memlane_decide_page_unmap (GtkWidget *widget)
{
  memlane_decider_set_active (MEMLANE_DECIDE_PAGE (widget)->decider, FALSE);
  GTK_WIDGET_CLASS (memlane_decide_page_parent_class)->unmap (widget);
}

/* --- what is asked ---------------------------------------------------------------------------- */

static void
spun_cb (MemlaneDecidePage *self)
{
  if (!self->filling)
    choose (self, gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->size)),
            (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->reuse)));
}

/* Chooses what the action "size" or "reuse" is set to. */
static void
place_cb (MemlaneDecidePage *self, GVariant *state, GSimpleAction *action)
{
  guint asked = (guint) MAX (g_variant_get_int32 (state), 0);
  gboolean is_size = g_str_equal (g_action_get_name (G_ACTION (action)), "size");

  choose (self, is_size ? asked : self->log2, is_size ? self->row : asked);
}

static void
direction_cb (MemlaneDecidePage *self, GVariant *state, GSimpleAction *action)
{
  MemlaneDirection direction;

  if (!memlane_direction_parse (g_variant_get_string (state, NULL), &direction))
    return;
  g_simple_action_set_state (action, state);
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->direction), direction);
  self->filling = FALSE;
  memlane_settings_set_string ("decide-direction", memlane_direction_name (direction));
  memlane_decider_set_direction (self->decider, direction);
}

static void
direction_selected_cb (MemlaneDecidePage *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->direction));

  if (!self->filling && selected < MEMLANE_N_DIRECTIONS)
    g_action_group_change_action_state (
        G_ACTION_GROUP (self->actions), "direction",
        g_variant_new_string (memlane_direction_name ((MemlaneDirection) selected)));
}

/* @choice has changed: what counts. */
static void
count_cb (MemlaneDecidePage *self)
{
  int count;
  guint uses;

  if (self->decider == NULL)
    return;
  g_object_get (self->counts, "count", &count, "uses", &uses, NULL);
  memlane_settings_set_string ("decide-count", memlane_count_name ((MemlaneCount) count));
  memlane_settings_set_int ("decide-uses", (int) uses);
  memlane_decider_set_count (self->decider, (MemlaneCount) count, uses);
}

/* Beside the map, or in its place where there is no room for both. */
static void
arrange (MemlaneDecidePage *self)
{
  gboolean answers = memlane_action_get_flag (self->actions, "answers") && !self->projector;

  gtk_widget_set_visible (self->answers, answers);
  gtk_widget_set_visible (self->separator, answers);
  adw_leaflet_set_visible_child (self->leaflet, answers && adw_leaflet_get_folded (self->leaflet)
                                                    ? self->answers
                                                    : self->figure);
}

static void
answers_cb (MemlaneDecidePage *self, GVariant *state, GSimpleAction *action)
{
  g_simple_action_set_state (action, state);
  memlane_settings_set_boolean ("decide-answers", g_variant_get_boolean (state));
  arrange (self);
}

/* Starts the sweep that settles the answer: those modes, this size and reuse. Its run is shown, and
 * the answer follows it. */
static void
measure_cb (MemlaneDecidePage *self)
{
  g_autoptr (GStrvBuilder) modes = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;
  const MemlaneDecision *decision;
  MemlaneSweepAdvice advice;

  if (!can_measure (self, &advice))
    return;
  decision = self->result->decision;
  for (guint i = 0; i < decision->n_modes; i++)
    if ((advice.modes >> i & 1) != 0)
      g_strv_builder_add (modes, decision->modes[i].id);
  ids = g_strv_builder_end (modes);
  memlane_sweep_job_run_cells (self->sweep, decision->workload, (const char *const *) ids,
                               advice.log2_elements, advice.reuse, self->of_pieces ? self->row : 0);
}

/* --- out -------------------------------------------------------------------------------------- */

static void
copy_cb (MemlaneDecidePage *self)
{
  g_autofree char *text = memlane_decide_result_to_text (self->result, self->log2, self->row);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  memlane_page_emit_notice (MEMLANE_PAGE (self), _("Copied the answers"), FALSE);
}

/* --- what the window asks --------------------------------------------------------------------- */

static GtkWidget *
get_figure (MemlanePage *page)
{
  return GTK_WIDGET (MEMLANE_DECIDE_PAGE (page)->view);
}

static gboolean
has_figure (MemlanePage *page)
{
  return has_map (MEMLANE_DECIDE_PAGE (page));
}

static gboolean
write_map (gpointer result, const char *path, GError **error)
{
  return memlane_decision_write_map (((const MemlaneDecideResult *) result)->decision, path, error);
}

static void
export_csv (MemlanePage *page)
{
  const char *const kinds[] = { _("CSV files"), "*.csv", NULL };
  MemlaneDecideResult *result = MEMLANE_DECIDE_PAGE (page)->result;
  g_autofree char *name = NULL;

  if (!has_figure (page))
    return;
  name = g_strdup_printf ("decide-%s.csv", result->decision->workload);
  g_strdelimit (name, "/\\:", '-');
  memlane_export_written (memlane_page_get_window (page), _("Export CSV"), name, kinds, ".csv",
                          write_map, memlane_decide_result_ref (result),
                          (GDestroyNotify) memlane_decide_result_unref, memlane_page_tell_exported,
                          g_object_ref (page));
}

static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneDecidePage *self = MEMLANE_DECIDE_PAGE (page);

  self->projector = projector;
  gtk_widget_set_visible (self->bar, !self->projector);
  gtk_widget_set_visible (self->wall_answer, self->projector);
  size_wall_answer (self);
  memlane_reading_line_set_projector (self->reading_line, self->projector);
  arrange (self);
  update_reading (self);
}

static const char *
get_hint (MemlanePage *page)
{
  return _("Escape leaves the projector; the arrow keys choose a size and a reuse");
}

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .get_figure = get_figure,
    .has_figure = has_figure,
    .can_export_csv = has_figure,
    .export_csv = export_csv,
    .can_project = has_figure,
    .set_projector = set_projector,
    .get_hint = get_hint,
  };
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneDecidePage, memlane_decide_page, dispose, self->filling = TRUE;
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_DECIDE_PAGE);
                        OWNS (result, memlane_decide_result_unref)
                        OWNS (recommended, g_ptr_array_unref) OWNS (bases, g_ptr_array_unref)
                        OWNS (actions, g_object_unref) OWNS (decider, g_object_unref))
MEMLANE_DEFINE_RELEASE (MemlaneDecidePage, memlane_decide_page, finalize,
                        OWNS (devices, g_object_unref) OWNS (sweep, g_object_unref))

static void
memlane_decide_page_class_init (MemlaneDecidePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->map = memlane_decide_page_map;
  widget_class->unmap = memlane_decide_page_unmap;
  MEMLANE_ENSURE_TYPES (COUNT_CHOICE, DECIDE_VIEW, DECIDE_ANSWERS, DECIDE_BARS, MODE_SWATCH,
                        READING_LINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/decide-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneDecidePage, bar, size, bytes, reuse, direction, counts, base, stack,
                         spinner, leaflet, figure, separator, view, reading_line, answers, best_box,
                         swatch, best, best_time, measure, wall_answer, size_title, row_title,
                         evidence_expander, notes_box, notes, bars, crossovers_expander,
                         locking_expander, nothing, run, recorded);
  MEMLANE_BIND_CALLBACKS (spun_cb, direction_selected_cb, base_selected_cb, count_cb, choose,
                          update_reading, arrange, adapt);
}

static void
add_actions (MemlaneDecidePage *self)
{

  self->actions = g_simple_action_group_new ();
  memlane_actions_add (self->actions, (const MemlaneAction[]) {
    { "size", self, G_CALLBACK (place_cb), "i", "20" },
    { "reuse", self, G_CALLBACK (place_cb), "i", "1" },
    { "direction", self, G_CALLBACK (direction_cb), "s", "'both'" },
    { "answers", self, G_CALLBACK (answers_cb), NULL, "true" },
    { "copy", self, G_CALLBACK (copy_cb) },
    { "measure", self, G_CALLBACK (measure_cb) },
    { NULL },
  });
  gtk_widget_insert_action_group (GTK_WIDGET (self), "decide", G_ACTION_GROUP (self->actions));
}

static void
fill_controls (MemlaneDecidePage *self)
{
  g_autoptr (GtkStringList) directions = gtk_string_list_new (NULL);

  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->size), MEMLANE_SMALLEST_LOG2,
                             MEMLANE_LARGEST_LOG2);
  memlane_size_spin_init (GTK_SPIN_BUTTON (self->size));
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->reuse), 1, MEMLANE_DECIDE_MOST_REUSE);
  for (MemlaneDirection i = MEMLANE_DIRECTION_BOTH; i < MEMLANE_N_DIRECTIONS; i++)
    gtk_string_list_append (directions, _(memlane_decide_direction_title (i)));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->direction), G_LIST_MODEL (directions));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->direction));
}

static void
memlane_decide_page_init (MemlaneDecidePage *self)
{
  add_actions (self);
  self->filling = TRUE;
  self->other_log2 = 10; /* 4 KiB */
  self->other_row = 1;
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_controls (self);
  self->filling = FALSE;
  memlane_reading_line_follow (self->reading_line, GTK_WIDGET (self));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->base));
  memlane_decide_answers_set_name (self->notes, _("Limitations"));
}

GtkWidget *
memlane_decide_page_new (MemlaneDecider *decider, MemlaneDeviceChoice *devices,
                         MemlaneSweepJob *sweep)
{
  MemlaneDecidePage *self = g_object_new (MEMLANE_TYPE_DECIDE_PAGE, NULL);
  g_autofree char *direction = memlane_settings_get_string ("decide-direction", "both");
  g_autofree char *count_name = memlane_settings_get_string ("decide-count", "host");
  MemlaneCount count = MEMLANE_COUNT_HOST;
  int log2 = memlane_settings_get_int ("decide-log2", 20),
      reuse = memlane_settings_get_int ("decide-reuse", 1);
  GActionGroup *actions = G_ACTION_GROUP (self->actions);

  self->devices = g_object_ref (devices);
  self->sweep = g_object_ref (sweep);
  self->decider = g_object_ref (decider);
  memlane_count_parse (count_name, &count);
  g_object_set (self->counts, "count", (int) count, "uses",
                (guint) CLAMP (memlane_settings_get_int ("decide-uses", 1), 1, MEMLANE_MOST_USES),
                NULL);
  choose (self, (guint) log2, (guint) reuse);
  g_action_group_change_action_state (actions, "direction", g_variant_new_string (direction));
  g_action_group_change_action_state (
      actions, "answers",
      g_variant_new_boolean (memlane_settings_get_boolean ("decide-answers", TRUE)));
  memlane_follow (self, (const MemlaneFollowed[]) {
    { sweep, "changed", G_CALLBACK (update_measure) },
    { sweep, "notify::running", G_CALLBACK (update_measure) },
    { self->decider, "changed", G_CALLBACK (decider_changed_cb) },
    { NULL },
  });
  update_stack (self);
  update_reading (self);
  return GTK_WIDGET (self);
}
