/* lesson-page.c: the Lessons page: a list; on the wall the steps of a lesson, in a window of its own the speaker's notes
 *
 * SPDX-License-Identifier: MIT
 */
#include "lesson-page.h"

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "chart/answer-words.h"
#include "chart/report/lesson-figure.h"
#include "model/fields.h"
#include "parts/accessible.h"
#include "still-figure.h"

#define DEVICE "simulated:h200"
#define CLAMP_PX 860
#define NOTES_WIDTH 720
#define NOTES_HEIGHT 640

struct _MemlaneLessonPage
{
  AdwBin parent_instance;

  MemlaneBench *bench;             /* weak */
  GPtrArray *lessons;              /* (element-type MemlaneLesson) as in the list */
  const MemlaneLesson *lesson;     /* (nullable): that is given */
  guint place;                     /* two for each step: its question, its answer */
  guint *hands;                    /* MEMLANE_LESSON_MOST_CHOICES for each step */
  GHashTable *results;             /* name of an experiment -> its MemlaneExperimentResult */
  MemlaneExperimentRunner *runner; /* (nullable): of the experiment that runs */
  GCancellable *cancellable;

  GtkStack *stack;                 /* "list", "wall" */
  GtkListBox *list;
  GtkWidget *problems, *wall;
  GtkWindow *notes;                /* (nullable): while a lesson is given */
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneLessonPage, memlane_lesson_page, ADW_TYPE_BIN, G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

static GtkWidget *
add_text (GtkWidget *box, const char *text, const char *class)
{
  g_autofree char *set = memlane_words_typeset (text);
  GtkWidget *label = gtk_label_new (set);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40); /* it takes more where there is more */
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkWidget *
make_box (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_widget_set_margin_top (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  return box;
}

static GtkWidget *
make_scrolled (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  return scrolled;
}

/* --- the step ----------------------------------------------------------------------------------------------------------------- */

static const MemlaneLessonStep *
get_step (MemlaneLessonPage *self)
{
  return self->lesson->steps->pdata[self->place / 2];
}

static gboolean
is_revealed (MemlaneLessonPage *self)
{
  return self->place % 2 == 1;
}

/* (nullable) (transfer none) */
static MemlaneExperimentResult *
get_result (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  return step->experiment != NULL ? g_hash_table_lookup (self->results, step->experiment->name) : NULL;
}

/* The hands of the class for each choice; NULL: of none. */
static guint *
get_hands (MemlaneLessonPage *self)
{
  return &self->hands[self->place / 2 * MEMLANE_LESSON_MOST_CHOICES];
}

/* --- the wall ----------------------------------------------------------------------------------------------------------------- */

/* Once the answer is there, a mark stands beside the right choice and the hands that were counted beside each; without any the wrong
 * choices give way to the figure. */
static GtkWidget *
make_choices (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  const MemlaneExperimentResult *result = get_result (self, step);
  int right = result != NULL ? result->right_choice : step->right;
  GtkWidget *grid = gtk_grid_new ();
  const guint *hands = get_hands (self);
  guint most = 0;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_add_css_class (grid, "verdict");
  for (guint i = 0; i < MEMLANE_LESSON_MOST_CHOICES; i++)
    most = MAX (most, hands[i]);
  for (guint i = 0; step->choices[i] != NULL && i < MEMLANE_LESSON_MOST_CHOICES; i++)
    {
      GtkWidget *box, *mark, *bar;
      g_autofree char *choice = g_strdup_printf ("%c   %s", 'A' + (int) i, step->choices[i]), *count = g_strdup_printf ("%u", hands[i]);
      gboolean is_right = is_revealed (self) && right == (int) i;

      if (is_revealed (self) && right >= 0 && !is_right && most == 0)
        continue;
      box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      add_text (box, choice, is_right ? "success" : NULL);
      gtk_grid_attach (GTK_GRID (grid), box, 0, (int) i, 1, 1);
      if (is_right)
        {
          mark = gtk_image_new_from_icon_name ("object-select-symbolic");
          gtk_widget_add_css_class (mark, "success");
          memlane_accessible_set_name (mark, _("The right answer"));
          gtk_grid_attach (GTK_GRID (grid), mark, 1, (int) i, 1, 1);
        }
      if (!is_revealed (self) || most == 0)
        continue;
      bar = gtk_progress_bar_new ();
      gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), hands[i] / (double) most);
      gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
      gtk_widget_set_hexpand (bar, TRUE);
      memlane_accessible_set_name (bar, choice);
      gtk_grid_attach (GTK_GRID (grid), bar, 2, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), gtk_label_new (count), 3, (int) i, 1, 1);
    }
  return grid;
}

static const char *
translate (const char *text)
{
  return g_dgettext (GETTEXT_PACKAGE, text);
}

static void
add_answer (MemlaneLessonPage *self, GtkWidget *box, const MemlaneLessonStep *step)
{
  MemlaneExperimentResult *result = get_result (self, step);
  g_autofree char *said = result != NULL ? memlane_experiment_result_describe (result, translate) : NULL;

  add_text (box, step->answer, "claim");
  if (said != NULL)
    {
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

      gtk_widget_set_hexpand (add_text (row, said, NULL), TRUE);
      gtk_widget_set_valign (add_text (row, _("SIMULATED"), "simulated"), GTK_ALIGN_START);
      gtk_box_append (GTK_BOX (box), row);
    }
  else if (step->experiment != NULL)
    add_text (box, _("The simulated H200 has no result yet."), NULL);
}

static void
fill_wall (MemlaneLessonPage *self)
{
  const MemlaneLessonStep *step = get_step (self);
  GtkWidget *box = make_box (), *figure;
  g_autoptr (GError) error = NULL;
  g_autofree char *place = g_strdup_printf (_("%s · %u of %u"), self->lesson->title, self->place / 2 + 1, self->lesson->steps->len);

  gtk_widget_add_css_class (box, "experiment");
  add_text (box, place, "caption");
  add_text (box, step->question, is_revealed (self) ? "heading" : "title-2");
  if (step->choices[0] != NULL)
    gtk_box_append (GTK_BOX (box), make_choices (self, step));
  if (is_revealed (self))
    add_answer (self, box, step);
  figure = memlane_still_figure_new (memlane_lesson_figure_new (step, get_result (self, step), is_revealed (self), &error));
  if (error != NULL)
    add_text (box, error->message, NULL);
  if (figure != NULL)
    {
      gtk_box_append (GTK_BOX (box), figure);
      memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (figure), TRUE);
    }
  adw_bin_set_child (ADW_BIN (self->wall), make_scrolled (box)); /* its text grows with the window, which must not grow with its text */
}

/* --- the notes ---------------------------------------------------------------------------------------------------------------- */

static void
counted_cb (MemlaneLessonPage *self, GtkEditable *entry)
{
  guint choice = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (entry), "choice"));
  guint64 count = 0;

  g_ascii_string_to_unsigned (gtk_editable_get_text (entry), 10, 0, 9999, &count, NULL);
  get_hands (self)[choice] = (guint) count;
  if (is_revealed (self))
    fill_wall (self);
}

/* How many raise a hand for each choice. */
static void
add_counts (MemlaneLessonPage *self, GtkWidget *box, const MemlaneLessonStep *step)
{
  for (guint i = 0; step->choices[i] != NULL && i < MEMLANE_LESSON_MOST_CHOICES; i++)
    {
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *entry = gtk_entry_new ();
      g_autofree char *count = get_hands (self)[i] > 0 ? g_strdup_printf ("%u", get_hands (self)[i]) : NULL;

      gtk_editable_set_text (GTK_EDITABLE (entry), count != NULL ? count : "");
      gtk_editable_set_width_chars (GTK_EDITABLE (entry), 4);
      gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 4);
      gtk_entry_set_max_length (GTK_ENTRY (entry), 4);
      gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_DIGITS);
      memlane_accessible_set_name (entry, step->choices[i]);
      g_object_set_data (G_OBJECT (entry), "choice", GUINT_TO_POINTER (i));
      g_signal_connect_object (entry, "changed", G_CALLBACK (counted_cb), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (row), entry);
      gtk_widget_set_hexpand (add_text (row, step->choices[i], NULL), TRUE);
      gtk_box_append (GTK_BOX (box), row);
    }
}

static void
fill_notes (MemlaneLessonPage *self)
{
  const MemlaneLessonStep *step = get_step (self), *next = NULL;
  GtkWidget *box = make_box ();

  if (self->place / 2 + 1 < self->lesson->steps->len)
    next = self->lesson->steps->pdata[self->place / 2 + 1];
  gtk_widget_add_css_class (box, "notes");
  add_text (box, is_revealed (self) ? _("On the wall: the answer") : _("On the wall: the question"), "caption");
  add_text (box, step->question, "title-3");
  add_text (box, step->notes, NULL);
  if (step->choices[0] != NULL)
    add_text (box, _("Hands"), "heading");
  add_counts (self, box, step);
  add_text (box, _("Answer"), "heading");
  add_text (box, step->answer, NULL);
  add_text (box, _("Next"), "heading");
  add_text (box,
            !is_revealed (self) ? _("Page Down shows the answer.")
            : next != NULL      ? next->question
                                : _("The lesson ends here: Escape."), NULL);
  gtk_window_set_child (self->notes, make_scrolled (box));
}

static void
move (MemlaneLessonPage *self, gboolean back)
{
  if (self->lesson == NULL || (back ? self->place == 0 : self->place + 1 == 2 * self->lesson->steps->len))
    return;
  self->place += back ? -1 : 1;
  fill_wall (self);
  fill_notes (self);
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  MemlaneLessonPage *self = data;

  if (key == GDK_KEY_Page_Down || key == GDK_KEY_Page_Up)
    move (self, key == GDK_KEY_Page_Up);
  else if (key == GDK_KEY_Escape)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.projector", NULL);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static gboolean
notes_closed_cb (MemlaneLessonPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.projector", NULL);
  return GDK_EVENT_STOP;
}

static void
open_notes (MemlaneLessonPage *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  self->notes = GTK_WINDOW (gtk_window_new ());
  gtk_widget_set_name (GTK_WIDGET (self->notes), "notes");
  gtk_window_set_title (self->notes, self->lesson->title);
  gtk_window_set_default_size (self->notes, NOTES_WIDTH, NOTES_HEIGHT);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->notes), controller);
  g_signal_connect_object (self->notes, "close-request", G_CALLBACK (notes_closed_cb), self, G_CONNECT_SWAPPED);
  fill_notes (self);
  gtk_window_present (self->notes);
}

/* --- experiments -------------------------------------------------------------------------------------------------------------- */

static void run_next (MemlaneLessonPage *self);

static void
ran_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (MemlaneLessonPage) self = data;
  g_autoptr (MemlaneExperimentRunner) runner = g_steal_pointer (&self->runner);
  g_autoptr (GError) error = NULL;
  MemlaneExperimentResult *result = memlane_experiment_runner_run_finish (runner, async, &error);

  g_clear_object (&self->cancellable);
  if (result != NULL && !result->cancelled)
    g_hash_table_replace (self->results, g_strdup (result->experiment->name), memlane_experiment_result_ref (result));
  memlane_experiment_result_unref (result);
  if (self->lesson != NULL && get_step (self)->experiment != NULL)
    fill_wall (self);
  if (error != NULL)
    memlane_page_emit_notice (MEMLANE_PAGE (self), error->message, TRUE);
  if (self->bench != NULL)
    memlane_bench_end (self->bench);
}

static void
start_cb (gpointer owner, gpointer experiment)
{
  MemlaneLessonPage *self = owner;

  self->cancellable = g_cancellable_new ();
  self->runner = memlane_experiment_runner_new (DEVICE, experiment);
  memlane_experiment_runner_run_async (self->runner, self->cancellable, ran_cb, g_object_ref (self));
  memlane_bench_report (self->bench, ((const MemlaneExperiment *) experiment)->title, 0);
}

static void
stop_cb (gpointer owner, gpointer experiment)
{
  g_cancellable_cancel (MEMLANE_LESSON_PAGE (owner)->cancellable);
}

/* The first experiment of the lesson that has no result, once the bench is free. */
static void
run_next (MemlaneLessonPage *self)
{
  static const MemlaneBenchJob job = { MEMLANE_BENCH_EXPERIMENT, start_cb, stop_cb, NULL };

  if (self->lesson == NULL || self->bench == NULL || memlane_bench_get_objection (self->bench, MEMLANE_BENCH_EXPERIMENT) != NULL)
    return;
  for (guint i = self->place / 2; i < self->lesson->steps->len; i++)
    {
      const MemlaneLessonStep *step = self->lesson->steps->pdata[i];

      if (step->experiment != NULL && get_result (self, step) == NULL)
        {
          memlane_bench_put (self->bench, &job, self, step->experiment);
          return;
        }
    }
}

/* --- the lesson --------------------------------------------------------------------------------------------------------------- */

/* With two screens the wall is the one on which the window was not. */
static void
choose_screen (MemlaneLessonPage *self)
{
  GtkWindow *window = memlane_page_get_window (MEMLANE_PAGE (self));
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
  GListModel *monitors = gdk_display_get_monitors (display);
  GdkMonitor *own = gdk_display_get_monitor_at_surface (display, gtk_native_get_surface (GTK_NATIVE (window)));

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);

      if (monitor == own)
        continue;
      gtk_window_fullscreen_on_monitor (window, monitor);
      return;
    }
}

static void
begin (MemlaneLessonPage *self)
{
  int row = gtk_list_box_row_get_index (gtk_list_box_get_selected_row (self->list));

  self->lesson = self->lessons->pdata[row];
  self->place = 0;
  self->hands = g_new0 (guint, self->lesson->steps->len * MEMLANE_LESSON_MOST_CHOICES);
  choose_screen (self);
  fill_wall (self);
  gtk_stack_set_visible_child_name (self->stack, "wall");
  open_notes (self);
  run_next (self);
}

static void
end (MemlaneLessonPage *self)
{
  self->lesson = NULL;
  g_clear_pointer (&self->hands, g_free);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->notes, gtk_window_destroy);
  gtk_stack_set_visible_child_name (self->stack, "list");
  adw_bin_set_child (ADW_BIN (self->wall), NULL);
}

static gboolean
can_project (MemlanePage *page)
{
  return gtk_list_box_get_selected_row (MEMLANE_LESSON_PAGE (page)->list) != NULL;
}

/* A page that is not seen has no lesson to give. */
static void
set_projector (MemlanePage *page, gboolean projector)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (page);

  if (projector && self->lesson == NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) && can_project (page))
    begin (self);
  else if (!projector && self->lesson != NULL)
    end (self);
}

static GtkWidget *
get_focus (MemlanePage *page)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (page);

  return self->lesson != NULL ? self->wall : GTK_WIDGET (gtk_list_box_get_selected_row (self->list));
}

static const char *
get_hint (MemlanePage *page)
{
  return _("Page Down goes on, Page Up goes back, Escape ends the lesson");
}

/* --- the list ----------------------------------------------------------------------------------------------------------------- */

static void
add_row (MemlaneLessonPage *self, const MemlaneLesson *lesson)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *steps = g_strdup_printf (ngettext ("%u question", "%u questions", lesson->steps->len), lesson->steps->len);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), lesson->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), steps);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_list_box_append (self->list, row);
}

static void
activated_cb (MemlaneLessonPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.projector", NULL);
}

static void
open_file (MemlanePage *page, const char *path)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (page);
  g_autoptr (GError) error = NULL;
  MemlaneLesson *lesson = memlane_lesson_read (path, NULL, &error);

  if (lesson == NULL)
    {
      memlane_page_emit_notice (page, error->message, TRUE);
      return;
    }
  g_ptr_array_add (self->lessons, lesson);
  add_row (self, lesson);
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int) self->lessons->len - 1));
}

static void
page_init (MemlanePageInterface *iface)
{
  iface->can_project = can_project;
  iface->set_projector = set_projector;
  iface->get_focus = get_focus;
  iface->get_hint = get_hint;
  iface->open = open_file;
}

/* --- life --------------------------------------------------------------------------------------------------------------------- */

static void
next_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move (data, FALSE);
}

static void
previous_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move (data, TRUE);
}

static void
unmap (GtkWidget *widget)
{
  if (MEMLANE_LESSON_PAGE (widget)->lesson != NULL)
    end (MEMLANE_LESSON_PAGE (widget)); /* another page is projected */
  GTK_WIDGET_CLASS (memlane_lesson_page_parent_class)->unmap (widget);
}

MEMLANE_DEFINE_RELEASE (MemlaneLessonPage, memlane_lesson_page, dispose, OWNS (notes, gtk_window_destroy) WATCHES (bench))

MEMLANE_DEFINE_RELEASE (MemlaneLessonPage, memlane_lesson_page, finalize, OWNS (lessons, g_ptr_array_unref) OWNS (hands, g_free)
                        OWNS (results, g_hash_table_unref))

static void
memlane_lesson_page_class_init (MemlaneLessonPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->unmap = unmap;
}

static GtkWidget *
make_list (MemlaneLessonPage *self)
{
  GtkWidget *clamp = adw_clamp_new (), *box = make_box ();

  add_text (box,
            _("Ten minutes each, on recorded times of an H200 and on a simulated one. Enter begins: this window becomes the wall, and a "
              "second one has your notes."), NULL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  memlane_accessible_set_name (GTK_WIDGET (self->list), _("Lessons"));
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->list));
  self->problems = box;
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), CLAMP_PX);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  return make_scrolled (clamp);
}

static void
memlane_lesson_page_init (MemlaneLessonPage *self)
{
  static const GActionEntry entries[] = { { .name = "next-family", .activate = next_cb },
                                          { .name = "previous-family", .activate = previous_cb },
                                          { .name = "next", .activate = next_cb },
                                          { .name = "previous", .activate = previous_cb } };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  self->results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) memlane_experiment_result_unref);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->wall = adw_bin_new ();
  gtk_widget_set_name (self->wall, "lesson-wall");
  gtk_widget_set_focusable (self->wall, TRUE); /* the clicker's keys arrive here */
  gtk_widget_insert_action_group (self->wall, "wall", G_ACTION_GROUP (actions));
  gtk_stack_add_named (self->stack, make_list (self), "list");
  gtk_stack_add_named (self->stack, self->wall, "wall");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}

GtkWidget *
memlane_lesson_page_new (MemlaneBench *bench)
{
  MemlaneLessonPage *self = g_object_new (MEMLANE_TYPE_LESSON_PAGE, NULL);
  g_autoptr (GPtrArray) problems = NULL;

  g_set_weak_pointer (&self->bench, bench);
  g_signal_connect_object (bench, "changed", G_CALLBACK (run_next), self, G_CONNECT_SWAPPED);
  self->lessons = memlane_lesson_list (NULL, &problems);
  for (guint i = 0; i < self->lessons->len; i++)
    add_row (self, self->lessons->pdata[i]);
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
  if (self->lessons->len == 0 && problems->len == 0)
    add_text (self->problems, _("No lessons are installed. Install Memlane with its recordings, or open a file of your own."), NULL);
  for (guint i = 0; i < problems->len; i++)
    add_text (self->problems, problems->pdata[i], "error");
  return GTK_WIDGET (self);
}
