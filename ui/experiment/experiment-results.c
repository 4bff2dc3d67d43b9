/* experiment-results.c: the result of an experiment: a sentence, a picture, an explanation, and all
 * else folded
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-results.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"
#include "base/strict-text.h"
#include "chart/answer-words.h"
#include "chart/bars/bars.h"
#include "chart/chart-words.h"
#include "chart/scale.h"
#include "chart/timeline/timeline.h"
#include "experiment-words.h"
#include "parts/widgets.h"
#include "still-figure.h"
#include "parts/template.h"
#include "model/fields.h"

#define FEW_POINTS 2  /* of a check are shown at once */
#define WIDE_TITLE 48 /* columns: a longer name of a figure may take several lines */

struct _MemlaneExperimentResults
{
  AdwBin parent_instance;

  GtkWidget *verdict_icon, *verdict_label, *simulated, *machine, *buttons, *timeline_child,
      *run_child;
  GtkLabel *answer;
  GtkBox *sections;
  gboolean wall;
  GtkWidget *picture; /* (nullable): one of the sections */
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentResults, memlane_experiment_results, ADW_TYPE_BIN)

/* --- the verdict ------------------------------------------------------------------------------ */

/* The evidence at a point, behind its size. */
static char *
describe_point (const MemlaneCheckResult *check, guint index)
{
  guint log2_elements = g_array_index (check->points, MemlaneCheckPoint, index).log2_elements;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *said = memlane_check_result_describe (check, index, memlane_words_translate);
  g_autofree char *size = memlane_unit_format_power (log2_elements);

  g_string_append_printf (text, "%s%s%s", log2_elements > 0 ? size : "",
                          log2_elements > 0 ? ": " : "", said);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_machine (const MemlaneExperimentResult *result)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (result->date, NULL);
  g_autoptr (GDateTime) local = date != NULL ? g_date_time_to_local (date) : NULL;
  g_autofree char *when = local != NULL ? g_date_time_format (local, "%Y-%m-%d %H:%M")
                                        : g_strdup (result->date);

  g_autofree char *device = result->device_name != NULL
                                ? memlane_facts_name_device (result->device_name)
                                : g_strdup (result->machine);

  return g_strdup_printf ("%s · %s", device, when);
}

static void
show_verdict (MemlaneExperimentResults *self, const MemlaneExperimentResult *result)
{
  g_autofree char *said = memlane_experiment_result_describe (result, memlane_words_translate),
                  *typeset = memlane_words_typeset (said);
  g_autofree char *machine = describe_machine (result);

  gtk_label_set_text (GTK_LABEL (self->verdict_label), typeset);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verdict_icon),
                                memlane_experiment_words_icon (result->verdict));
  memlane_experiment_words_color (self->verdict_icon, result->verdict);
  gtk_widget_set_visible (self->simulated, result->simulated);
  gtk_label_set_text (GTK_LABEL (self->machine), machine);
  /* of a GPU: driver, link */
  gtk_widget_set_tooltip_text (self->machine, result->simulated ? NULL : result->machine);
  gtk_widget_set_visible (self->timeline_child, result->traces->len > 0);
  gtk_widget_set_visible (self->run_child, result->runs->len > 0);
}

/* A label that wraps. @classes: of its style, or NULL. */
static GtkWidget *
make_label (const char *text, const char *classes)
{
  g_autofree char *set = memlane_words_typeset (text);
  GtkWidget *label = memlane_text_new (set, classes);

  /* it takes more where there is more, and asks for no more */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  return label;
}

static GtkWidget *
make_expander (const char *title, GtkWidget *child)
{
  return g_object_new (GTK_TYPE_EXPANDER, "label", title, "child", child, NULL);
}

/* --- checks ----------------------------------------------------------------------------------- */

/* One line for each size. */
static GtkWidget *
make_words (const MemlaneCheckResult *check)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  GtkWidget *label;

  for (guint i = 0; i < check->points->len; i++)
    {
      g_autofree char *line = describe_point (check, i);

      g_string_append_printf (lines, "%s%s", i > 0 ? "\n" : "", line);
    }
  label = make_label (lines->str, "caption numeric dim-label");
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  if (check->points->len <= FEW_POINTS)
    return label;
  return memlane_widget_style (make_expander (_("Figures at every size"), label), "caption");
}

/* Returns the source of the claim, and that no device was asked; NULL: neither. */
static char *
describe_origin (const MemlaneExperimentCheck *check)
{
  g_auto (GStrv) parts = check->cite != NULL ? g_strsplit (check->cite, ":", 2) : NULL;

  if (parts != NULL && check->what_if)
    return g_strdup_printf (_("SIMULATED · article %s, line %s"), parts[0], parts[1]);
  if (parts != NULL)
    return g_strdup_printf (_("Article %s, line %s"), parts[0], parts[1]);
  return check->what_if ? g_strdup (_("SIMULATED")) : NULL;
}

static GtkWidget *
make_check (const MemlaneCheckResult *check)
{
  const char *class = memlane_experiment_words_class (check->verdict);
  GtkWidget *icon = gtk_image_new_from_icon_name (memlane_experiment_words_icon (check->verdict)),
            *column;
  g_autofree char *title = memlane_experiment_words_verdict (check->verdict),
                  *origin = describe_origin (check->check);
  g_autofree char *words = check->doubt == MEMLANE_DOUBT_NONE
                               ? g_strdup (title)
                               : g_strdup_printf ("%s: %s", title,
                                                  g_dgettext (GETTEXT_PACKAGE,
                                                              memlane_doubt_title (check->doubt)));

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  column = memlane_box_new (GTK_ORIENTATION_VERTICAL, 2, make_label (check->check->claim, NULL),
                            NULL);
  gtk_widget_set_hexpand (column, TRUE);
  if (origin != NULL)
    gtk_box_append (GTK_BOX (column), make_label (origin, "caption dim-label"));
  gtk_box_append (GTK_BOX (column), make_label (words, class));
  gtk_box_append (GTK_BOX (column), make_words (check));
  return memlane_widget_style (memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 9,
                                                memlane_widget_style (icon, class), column, NULL),
                               "check");
}

/* Each claim with its verdict, the doubt and the figures that decided. */
static GtkWidget *
make_checks (const MemlaneExperimentResult *result)
{
  GtkWidget *list = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);

  memlane_accessible_set_name (list, _("What was checked"));
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    gtk_list_box_append (GTK_LIST_BOX (list),
                         g_object_new (GTK_TYPE_LIST_BOX_ROW, "activatable", FALSE, "child",
                                       make_check (check), NULL));
  return memlane_widget_style (list, "boxed-list");
}

/* Folded: the answer stands above, and the figures before them. */
static GtkWidget *
fold_checks (const MemlaneExperimentResult *result)
{
  g_autofree char *title = NULL;
  guint n = 0;

  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    n += check->verdict == MEMLANE_VERDICT_HOLDS;
  title = g_strdup_printf (_("Checks: %u of %u are supported"), n, result->checks->len);
  return make_expander (title, make_checks (result));
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A scrolled window takes every wheel's turn for itself, also where it has nothing to scroll that
 * way: then the page stands still. */
static void
let_wheel_through (GtkWidget *scrolled)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (scrolled);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
      gtk_event_controller_scroll_set_flags (GTK_EVENT_CONTROLLER_SCROLL (controller),
                                             GTK_EVENT_CONTROLLER_SCROLL_HORIZONTAL);
}

/* A narrow window scrolls the table, and not the page. */
static GtkWidget *
make_frame (GtkWidget *grid)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  let_wheel_through (scrolled);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_widget_add_css_class (scrolled, "card");
  return scrolled;
}

static GtkWidget *
make_grid (void)
{
  return memlane_widget_space (
      g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 6, NULL), 12, 9);
}

static GtkWidget *
put (GtkWidget *grid, int column, int row, const char *text, const char *class)
{
  g_autofree char *set = memlane_words_typeset (text);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", set, "xalign", column == 0 ? 0.0 : 1.0,
                                   "hexpand", column == 0, NULL);

  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
  return memlane_widget_style (label, class);
}

static void
put_value (GtkWidget *grid, int column, int row, const MemlaneValue *value, const char *text,
           MemlaneCertainty *worst)
{
  MemlaneCertainty certainty = memlane_experiment_words_certainty (value);
  g_autofree char *whole = memlane_experiment_words_value (value, NULL);
  GtkWidget *label = put (grid, column, row, text, "numeric");

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  if (certainty != MEMLANE_CERTAIN)
    {
      gtk_widget_add_css_class (label, "warning");
      memlane_accessible_set_description (label, memlane_experiment_words_explain (certainty));
    }
  gtk_widget_set_tooltip_text (label, whole);
  *worst = MAX (*worst, certainty);
}

static const char *
name_published (const MemlaneExperimentResult *result)
{
  return result->experiment->published_on != NULL ? result->experiment->published_on
                                                  : _("Published");
}

/* NULL: there are none. @worst: becomes the least certain one's, if that is worse than what it
 * holds. */
static GtkWidget *
make_figures (const MemlaneExperimentResult *result, MemlaneCertainty *worst)
{
  GtkWidget *grid;
  gboolean is_published = FALSE;

  if (result->figures->len == 0)
    return NULL;
  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    is_published |= figure->figure->published != NULL;
  grid = make_grid ();
  put (grid, 1, 0, _("Here (95 % interval)"), "heading");
  if (is_published)
    put (grid, 2, 0, name_published (result), "heading");
  for (guint i = 0; i < result->figures->len; i++)
    {
      const MemlaneFigureResult *figure = result->figures->pdata[i];
      g_autofree char *value = memlane_experiment_words_value (&figure->value,
                                                               figure->figure->unit);
      GtkWidget *title = put (grid, 0, (int) i + 1, figure->figure->title, NULL);

      /* The table is as high as if it were as narrow as it can be: where names may wrap, empty
       * lines stand below. */
      gtk_label_set_wrap (GTK_LABEL (title),
                          memlane_count_columns (figure->figure->title) > WIDE_TITLE);
      gtk_label_set_width_chars (GTK_LABEL (title),
                                 MIN ((int) g_utf8_strlen (figure->figure->title, -1), 32));
      put_value (grid, 1, (int) i + 1, &figure->value, value, worst);
      if (is_published)
        put (grid, 2, (int) i + 1,
             figure->figure->published != NULL ? figure->figure->published : "", "numeric");
    }
  return make_frame (grid);
}

static void
put_row (GtkWidget *grid, int at, const MemlaneTableResult *table, const MemlaneTableRow *row,
         MemlaneCertainty *worst)
{
  g_autofree char *size = memlane_unit_format_power (row->log2_elements);
  int column = 1;

  put (grid, 0, at, size, "numeric");
  for (guint i = 0; table->table->columns[i] != NULL; i++)
    {
      g_autofree char *value = memlane_experiment_words_short (&row->values[i]);

      put_value (grid, column++, at, &row->values[i], value, worst);
      if (table->is_published)
        {
          const MemlaneValue there = { .kind = row->published[i] >= 0 ? MEMLANE_VALUE_TIME
                                                                      : MEMLANE_VALUE_NONE,
                                       .median = row->published[i],
                                       .low = row->published[i],
                                       .high = row->published[i] };
          g_autofree char *published = memlane_experiment_words_short (&there);

          gtk_widget_add_css_class (put (grid, column++, at, published, "numeric"), "dim-label");
        }
    }
}

static GtkWidget *
make_table (const MemlaneExperimentResult *result, const MemlaneTableResult *table,
            MemlaneCertainty *worst)
{
  GtkWidget *grid = make_grid ();
  int column = 1;

  put (grid, 0, 0, _("Floats"), "heading");
  for (guint i = 0; table->table->columns[i] != NULL; i++)
    {
      const char *title = memlane_experiment_table_name_column (table->table, i,
                                                                memlane_words_translate);

      gtk_widget_set_tooltip_text (put (grid, column++, 0, title, "heading"),
                                   table->table->columns[i]);
      if (table->is_published)
        gtk_widget_add_css_class (put (grid, column++, 0, name_published (result), "heading"),
                                  "dim-label");
    }
  for (guint i = 0; i < table->rows->len; i++)
    put_row (grid, (int) i + 1, table, table->rows->pdata[i], worst);
  return make_frame (grid);
}

/* --- sections --------------------------------------------------------------------------------- */

static void
add (MemlaneExperimentResults *self, GtkWidget *widget)
{
  gtk_box_append (self->sections, widget);
}

/* Closed, below the others. @child NULL: there is nothing to fold. */
static void
fold (MemlaneExperimentResults *self, const char *title, GtkWidget *child)
{
  if (child == NULL)
    return;
  gtk_widget_set_margin_top (child, 6);
  add (self, make_expander (title, child));
}

static GtkWidget *
make_box (void)
{
  return gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
}

static void
append_text (GtkWidget *box, const char *text)
{
  GtkWidget *label;

  if (text == NULL)
    return;
  label = make_label (text, NULL);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
}

/* (nullable): of two texts, the second under a heading. */
static GtkWidget *
make_texts (const char *text, const char *heading, const char *more)
{
  GtkWidget *box;

  if (text == NULL && more == NULL)
    return NULL;
  box = make_box ();
  append_text (box, text);
  if (more != NULL)
    gtk_box_append (GTK_BOX (box), make_label (heading, "heading"));
  append_text (box, more);
  return box;
}

/* The first paragraph says why; the rest is folded. Returns: the rest; NULL: there is none. */
static const char *
add_why (MemlaneExperimentResults *self, const MemlaneExperiment *experiment)
{
  const char *end = strstr (experiment->explanation, "\n\n");
  g_autofree char *first = end != NULL ? g_strndup (experiment->explanation,
                                                    (gsize) (end - experiment->explanation))
                                       : NULL;

  add (self, make_texts (NULL, _("Why"), first != NULL ? first : experiment->explanation));
  return end != NULL ? end + strlen ("\n\n") : NULL;
}

/* Adds the words below figures: what differs, and how uncertain they are. */
static void
append_captions (GtkWidget *box, const MemlaneExperimentResult *result, MemlaneCertainty worst)
{
  const char *const captions[] = {
    result->experiment->published_differs,
    worst >= MEMLANE_WIDE ? memlane_experiment_words_explain (MEMLANE_WIDE) : NULL,
    worst >= MEMLANE_LOOSE ? memlane_experiment_words_explain (MEMLANE_LOOSE) : NULL
  };

  for (guint i = 0; i < G_N_ELEMENTS (captions); i++)
    if (captions[i] != NULL)
      gtk_box_append (GTK_BOX (box), make_label (captions[i], "caption"));
}

static GtkWidget *
make_numbers (const MemlaneExperimentResult *result)
{
  MemlaneCertainty worst = MEMLANE_CERTAIN;
  GtkWidget *box = make_box (), *figures = make_figures (result, &worst);

  if (figures != NULL)
    gtk_box_append (GTK_BOX (box), figures);
  MEMLANE_FOR_EACH (const MemlaneTableResult, table, result->tables)
    {
      gtk_box_append (GTK_BOX (box), make_label (table->table->title, "heading"));
      gtk_box_append (GTK_BOX (box), make_table (result, table, &worst));
    }
  append_captions (box, result, worst);
  return box;
}

/* (transfer full): @note in the window's language, where it is the comparison with the recorded
 * device. */
static char *
translate_note (const char *note)
{
  guint alike, compared;

  if (sscanf (note, "SIMULATED. A recorded H200 says the same in %u of %u checks.", &alike,
              &compared)
      != 2)
    return g_strdup (note);
  return g_strdup_printf (_("SIMULATED. A recorded H200 says the same in %u of %u checks."), alike,
                          compared);
}

static GtkWidget *
make_notes (const MemlaneExperimentResult *result)
{
  GtkWidget *box = result->notes->len > 0 ? make_box () : NULL;

  MEMLANE_FOR_EACH (const char, note, result->notes)
    {
      g_autofree char *text = translate_note (note);

      append_text (box, text);
    }
  return box;
}

/* The recordings that the experiment names; without a choice the first one. NULL: there is none. */
static MemlaneDrawing *
draw_timeline (const MemlaneExperimentResult *result)
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL } };
  char **steps = result->experiment->timeline;
  guint n = 0;

  for (guint i = 0; i < result->traces->len && n < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    if (steps[0] == NULL
            ? n == 0
            : g_strv_contains ((const char *const *) steps, result->trace_steps->pdata[i]))
      tracks[n++].trace = result->traces->pdata[i];
  return n > 0 ? memlane_timeline_drawing_new (tracks, n, NULL) : NULL;
}

static void
show_sections (MemlaneExperimentResults *self, MemlaneExperimentResult *result,
               const char *prediction)
{
  const MemlaneExperiment *experiment = result->experiment;
  const char *more;

  gtk_label_set_text (self->answer, prediction != NULL ? prediction : "");
  gtk_widget_set_visible (GTK_WIDGET (self->answer), prediction != NULL);
  self->picture = memlane_still_figure_new (memlane_bars_drawing_new (result, FALSE));
  if (self->picture != NULL)
    add (self, self->picture);
  more = add_why (self, experiment);
  fold (self,
        result->tables->len > 0 ? _("Every size") : C_("numbers of an experiment", "Figures"),
        make_numbers (result));
  fold (self,
        result->traces->len > 1 && experiment->timeline[0] != NULL ? _("Timeline of both")
                                                                   : _("Timeline"),
        memlane_still_figure_new (draw_timeline (result)));
  fold (self, _("Explanation"), make_texts (more, _("Since then"), experiment->since));
  fold (self, _("The bug in the article's program"),
        make_texts (experiment->fault, _("How to fix it"), experiment->cure));
  add (self, fold_checks (result));
  fold (self, _("Notes"), make_notes (result));
}

/* On the wall stands the picture alone below the verdict: what does not fit would have to be
 * scrolled. */
static void
choose_sections (MemlaneExperimentResults *self)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->sections));

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_visible (child, !self->wall || child == self->picture);
  if (self->picture != NULL)
    memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (self->picture), self->wall);
  gtk_widget_set_visible (self->buttons, !self->wall);
  gtk_widget_set_visible (self->machine, !self->wall);
}

void
memlane_experiment_results_set (MemlaneExperimentResults *self, MemlaneExperimentResult *result,
                                const char *prediction)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->sections))) != NULL)
    gtk_box_remove (self->sections, child);
  self->picture = NULL;
  gtk_widget_set_visible (GTK_WIDGET (self), result != NULL);
  if (result == NULL)
    return;
  show_verdict (self, result);
  show_sections (self, result, prediction);
  choose_sections (self);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneExperimentResults, memlane_experiment_results, dispose,
                        gtk_widget_dispose_template (GTK_WIDGET (self),
                                                     MEMLANE_TYPE_EXPERIMENT_RESULTS);)

void
memlane_experiment_results_set_wall (MemlaneExperimentResults *self, gboolean wall)
{
  self->wall = wall;
  choose_sections (self);
}

static void
memlane_experiment_results_class_init (MemlaneExperimentResultsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/experiment-results.ui");
  MEMLANE_BIND_CHILDREN (MemlaneExperimentResults, verdict_icon, verdict_label, simulated, machine,
                         answer, buttons, timeline_child, run_child, sections);
}

static void
memlane_experiment_results_init (MemlaneExperimentResults *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
