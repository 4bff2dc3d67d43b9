/* lesson-page.c: the Lessons page: a list; on the wall the steps of a lesson, in a window of its
 * own the speaker's notes
 *
 * SPDX-License-Identifier: MIT
 */
#include "lesson-page.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "base/owns.h"
#include "chart/answer-words.h"
#include "chart/chart.h"
#include "chart/report/lesson-figure.h"
#include "experiment-words.h"
#include "model/fields.h"
#include "parts/file-dialog.h"
#include "parts/template.h"
#include "parts/widgets.h"
#include "still-figure.h"

struct _MemlaneLessonPage
{
  AdwBin parent_instance;

  MemlaneExperimentStore *store;   /* (owned) */
  GPtrArray *lessons;              /* (element-type MemlaneLesson) as in the list */
  const MemlaneLesson *lesson;     /* (nullable): that is given */
  /* two for each step: its question, its answer; then what to take away */
  guint place;
  guint *hands;                    /* MEMLANE_LESSON_MOST_CHOICES for each step */
  double *drawn;                   /* curves on the wall, MEMLANE_LESSON_SIZES for each step */
  /* (element-type MemlaneLessonAnswers) that the class handed in */
  GPtrArray *answers;
  GString *refused;                /* a line for each file of answers that is not counted */
  /* of the lesson's steps whose experiment was run: once, whatever came of it */
  guint64 tried;
  gboolean skipped;                /* predictions were, before the lesson */

  GtkStack *stack;                 /* "list", "wall" */
  GtkListBox *list;
  GtkWidget *wall, *finding, *simulated;
  AdwBin *choices, *figure, *counts;
  GdkMonitor *screen;              /* (nullable): of the wall */
  GtkWindow *notes;                /* seen while a lesson is given */
  GtkLabel *problems, *place_text, *question, *answer, *said, *shown, *asked, *remarks, *solution,
      *next, *added;
};

static void page_init (MemlanePageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneLessonPage, memlane_lesson_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (MEMLANE_TYPE_PAGE, page_init))

static GtkWidget *
make_label (const char *text)
{
  /* it takes more */
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "max-width-chars",
                                   40, NULL);

  memlane_experiment_words_show (GTK_LABEL (label), text);
  return label;
}

/* --- the step --------------------------------------------------------------------------------- */

static gboolean
is_at_end (MemlaneLessonPage *self)
{
  return self->place == 2 * self->lesson->steps->len;
}

/* The number of the step; the last one also when all have been given. */
static guint
get_number (MemlaneLessonPage *self)
{
  return MIN (self->place / 2, self->lesson->steps->len - 1);
}

static const MemlaneLessonStep *
get_step (MemlaneLessonPage *self)
{
  return self->lesson->steps->pdata[get_number (self)];
}

static gboolean
is_revealed (MemlaneLessonPage *self)
{
  return self->place % 2 == 1;
}

/* (nullable) (transfer none) */
static MemlaneExperimentItem *
find_item (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  return step->experiment != NULL
             ? memlane_experiment_store_find (self->store, step->experiment->name)
             : NULL;
}

/* (nullable) (transfer none) */
static MemlaneExperimentResult *
get_result (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  MemlaneExperimentItem *item = find_item (self, step);

  return item != NULL ? item->result : NULL;
}

/* The hands that were counted for each choice of the step. */
static guint *
get_hands (MemlaneLessonPage *self)
{
  return &self->hands[get_number (self) * MEMLANE_LESSON_MOST_CHOICES];
}

/* The class's hands for a choice, and its answers that were handed in. */
static guint
count (MemlaneLessonPage *self, guint choice)
{
  return get_hands (self)[choice]
         + memlane_lesson_count_answers (self->answers, get_number (self), choice);
}

static double *
get_drawn (MemlaneLessonPage *self)
{
  return &self->drawn[get_number (self) * MEMLANE_LESSON_SIZES];
}

/* --- the wall --------------------------------------------------------------------------------- */

/* Once the answer is there, a mark stands beside the right choice and the hands that were counted
 * beside each; without any the wrong choices give way to the figure. NULL: there are none. */
static GtkWidget *
make_choices (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  const MemlaneExperimentResult *result = get_result (self, step);
  int right = !is_revealed (self) ? -1 : result != NULL ? result->right_choice : step->right;
  GtkWidget *grid = step->choices[0] != NULL ? gtk_grid_new () : NULL;
  guint most = 0;

  for (guint i = 0; i < MEMLANE_LESSON_MOST_CHOICES; i++)
    most = MAX (most, count (self, i));
  for (int i = 0; i < MEMLANE_LESSON_MOST_CHOICES && step->choices[i] != NULL; i++)
    {
      GtkWidget *label, *mark, *bar;
      g_autofree char *choice = g_strdup_printf ("%c   %s", 'A' + i, step->choices[i]),
                      *students = g_strdup_printf ("%u", count (self, i));

      if (right >= 0 && right != i && most == 0)
        continue;
      label = make_label (choice);
      if (!is_revealed (self) && !step->before) /* they have the wall for themselves */
        gtk_widget_add_css_class (label, "choice");
      gtk_grid_attach (GTK_GRID (grid), label, 0, i, 1, 1);
      if (right == i)
        {
          mark = memlane_widget_style (gtk_image_new_from_icon_name ("object-select-symbolic"),
                                       "success");
          memlane_widget_style (label, "success");
          memlane_accessible_set_name (mark, _("The right answer"));
          gtk_grid_attach (GTK_GRID (grid), mark, 1, i, 1, 1);
        }
      if (!is_revealed (self) || most == 0)
        continue;
      bar = g_object_new (GTK_TYPE_PROGRESS_BAR, "fraction", count (self, i) / (double) most,
                          "valign", GTK_ALIGN_CENTER, "hexpand", TRUE, NULL);
      memlane_accessible_set_name (bar, choice);
      gtk_grid_attach (GTK_GRID (grid), bar, 2, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), gtk_label_new (students), 3, i, 1, 1);
    }
  return grid;
}

static void
drawn_cb (gpointer self, guint log2_elements, double value)
{
  get_drawn (self)[log2_elements] = value;
}

/* Makes the last page: what was learned, each question with its answer. */
static GtkWidget *
make_end (MemlaneLessonPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  MEMLANE_FOR_EACH (const MemlaneLessonStep, step, self->lesson->steps)
    {
      gtk_box_append (GTK_BOX (box), memlane_widget_style (make_label (step->question), "caption"));
      gtk_box_append (GTK_BOX (box), memlane_widget_style (make_label (step->answer), "claim"));
    }
  return box;
}

static void
show_end (MemlaneLessonPage *self)
{
  gtk_widget_grab_focus (self->wall);
  adw_bin_set_child (self->figure, NULL);
  adw_bin_set_child (self->choices, make_end (self));
  memlane_experiment_words_show (self->place_text, self->lesson->title);
  memlane_experiment_words_show (self->question, _("What to Take Away"));
  gtk_widget_set_css_classes (GTK_WIDGET (self->question), (const char *[]) { "title-2", NULL });
  memlane_experiment_words_show (self->answer, NULL);
  gtk_widget_set_visible (self->finding, FALSE);
}

static void
fill_wall (MemlaneLessonPage *self)
{
  const MemlaneLessonStep *step = get_step (self);
  gboolean revealed = is_revealed (self);
  MemlaneExperimentResult *result = get_result (self, step);
  g_autoptr (GError) error = NULL;
  g_autofree char *place = g_strdup_printf (_("%s · %u of %u"), self->lesson->title,
                                            get_number (self) + 1, self->lesson->steps->len);
  g_autofree char *said = result != NULL
                              ? memlane_experiment_result_describe (result, memlane_words_translate)
                              : NULL;
  g_autoptr (GPtrArray) sketches = memlane_lesson_figure_collect (
      revealed ? self->answers : NULL, get_number (self), get_drawn (self));
  GtkWidget *figure = memlane_still_figure_new (
      memlane_lesson_figure_new (step, result, revealed, sketches, &error));

  gtk_widget_grab_focus (self->wall); /* a figure that had the focus goes */
  if (figure != NULL)
    memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (figure), TRUE);
  if (figure != NULL && !revealed && memlane_lesson_figure_is_drawn (step))
    memlane_still_figure_let_draw (
        MEMLANE_STILL_FIGURE (figure), NULL, get_drawn (self),
        step->is_time || step->experiment != NULL ? MEMLANE_UNIT_TIME : MEMLANE_UNIT_BANDWIDTH,
        drawn_cb, self);
  adw_bin_set_child (self->figure, figure != NULL  ? figure
                                   : error != NULL ? make_label (error->message)
                                                   : NULL);
  adw_bin_set_child (self->choices, make_choices (self, step));
  memlane_experiment_words_show (self->place_text, place);
  memlane_experiment_words_show (self->question, step->question);
  gtk_widget_set_css_classes (GTK_WIDGET (self->question),
                              (const char *[]) { revealed ? "heading" : "title-2", NULL });
  memlane_experiment_words_show (self->answer, revealed ? step->answer : NULL);
  memlane_experiment_words_show (self->said, said != NULL ? said : _("There is no result yet."));
  /* it says so */
  gtk_widget_set_visible (self->simulated, result != NULL && result->simulated
                                               && !memlane_lesson_figure_is_drawn (step));
  gtk_widget_set_visible (self->finding, revealed && step->experiment != NULL);
}

/* --- the notes -------------------------------------------------------------------------------- */

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

/* Makes entries for the hands that are raised for each choice. NULL: there are none. */
static GtkWidget *
make_counts (MemlaneLessonPage *self, const MemlaneLessonStep *step)
{
  GtkWidget *grid = step->choices[0] != NULL ? gtk_grid_new () : NULL;

  for (int i = 0; i < MEMLANE_LESSON_MOST_CHOICES && step->choices[i] != NULL; i++)
    {
      g_autofree char *count = get_hands (self)[i] > 0 ? g_strdup_printf ("%u", get_hands (self)[i])
                                                       : g_strdup ("");
      GtkWidget *entry = g_object_new (GTK_TYPE_ENTRY, "text", count, "max-width-chars", 4,
                                       "max-length", 4, "input-purpose", GTK_INPUT_PURPOSE_DIGITS,
                                       NULL);

      memlane_accessible_set_name (entry, step->choices[i]);
      g_object_set_data (G_OBJECT (entry), "choice", GINT_TO_POINTER (i));
      g_signal_connect_object (entry, "changed", G_CALLBACK (counted_cb), self, G_CONNECT_SWAPPED);
      gtk_grid_attach (GTK_GRID (grid), entry, 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), make_label (step->choices[i]), 1, i, 1, 1);
    }
  return grid;
}

/* Says how many pages are counted, and why others are not. */
static void
fill_added (MemlaneLessonPage *self)
{
  guint n = self->answers->len;
  g_autofree char *counted =
      n > 0 ? g_strdup_printf (ngettext ("%u page is counted.", "%u pages are counted.", n), n)
            : g_strdup ("");
  g_autofree char *text = g_strconcat (counted, n > 0 && self->refused->len > 0 ? "\n" : "",
                                       self->refused->str, NULL);

  memlane_experiment_words_show (self->added, text);
}

static void
add_answers (MemlaneLessonPage *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!memlane_lesson_add_answers (self->lesson, self->answers, path, &error))
    g_string_append_printf (self->refused, "%s%s", self->refused->len > 0 ? "\n" : "",
                            error->message);
  fill_added (self);
  if (is_revealed (self))
    fill_wall (self);
}

static void
chosen_cb (GFile *file, gpointer data)
{
  MemlaneLessonPage *self = data;

  if (file != NULL && self->lesson != NULL && g_file_peek_path (file) != NULL)
    add_answers (self, g_file_peek_path (file));
}

/* The dialog goes with the notes, and those with the page. */
static void
add_cb (MemlaneLessonPage *self)
{
  const char *const kinds[] = { _("Answers"), "*.answers", _("All files"), "*", NULL };

  memlane_file_dialog_open (self->notes, _("Add the Answers of the Class"), kinds, TRUE, chosen_cb,
                            self);
}

static gboolean
drop_cb (MemlaneLessonPage *self, const GValue *value)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *file = files; file != NULL; file = file->next)
    chosen_cb (file->data, self);
  return files != NULL;
}

static void
fill_notes (MemlaneLessonPage *self)
{
  const MemlaneLessonStep *step = get_step (self), *next = NULL;

  if (get_number (self) + 1 < self->lesson->steps->len)
    next = self->lesson->steps->pdata[get_number (self) + 1];
  memlane_experiment_words_show (self->shown,
                                 is_at_end (self)     ? _("On the wall: what to take away")
                                 : is_revealed (self) ? _("On the wall: the answer")
                                                      : _("On the wall: the question"));
  memlane_experiment_words_show (self->asked, step->question);
  memlane_experiment_words_show (self->remarks, step->notes);
  adw_bin_set_child (self->counts, make_counts (self, step));
  memlane_experiment_words_show (self->solution, step->answer);
  fill_added (self);
  memlane_experiment_words_show (self->next, is_at_end (self) ? _("The lesson ends here: Escape.")
                                             : !is_revealed (self)
                                                 ? _("Page Down shows the answer.")
                                             : next != NULL ? next->question
                                                            : _("What to Take Away"));
}

static void
move (MemlaneLessonPage *self, gboolean back)
{
  if (self->lesson == NULL || (back ? self->place == 0 : is_at_end (self)))
    return;
  self->place += back ? -1 : 1;
  (is_at_end (self) ? show_end : fill_wall) (self);
  fill_notes (self);
}

/* The projector begins a lesson and ends it. */
static void
toggle_cb (MemlaneLessonPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.projector", NULL);
}

/* Shows the notes, or hides them: on the only screen they would cover the wall. */
static void
toggle_notes (MemlaneLessonPage *self)
{
  if (self->lesson == NULL || gtk_widget_get_visible (GTK_WIDGET (self->notes)))
    gtk_widget_hide (GTK_WIDGET (self->notes));
  else
    gtk_window_present (self->notes);
}

static gboolean
close_cb (MemlaneLessonPage *self)
{
  toggle_cb (self);
  return GDK_EVENT_STOP;
}

static void
start_cb (GtkWidget *row)
{
  GtkListBox *list = GTK_LIST_BOX (gtk_widget_get_ancestor (row, GTK_TYPE_LIST_BOX));

  gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row));
  gtk_widget_activate_action (row, "win.projector", NULL);
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                gpointer self)
{
  if (key == GDK_KEY_Page_Down || key == GDK_KEY_Page_Up)
    move (self, key == GDK_KEY_Page_Up);
  else if (key == GDK_KEY_Escape)
    toggle_cb (self);
  else if (key == GDK_KEY_b || key == GDK_KEY_B)
    gtk_widget_activate_action (self, "wall.blank", NULL);
  else if (key == GDK_KEY_n || key == GDK_KEY_N)
    toggle_notes (self);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

/* --- experiments ------------------------------------------------------------------------------ */

/* Runs the first experiment of the lesson that has no result, once nothing else runs; those that
 * have one are shown. */
static void
update_experiments (MemlaneLessonPage *self)
{
  if (self->lesson == NULL)
    return;
  if (is_revealed (self) && get_step (self)->experiment != NULL)
    fill_wall (self);
  for (guint i = get_number (self); i < self->lesson->steps->len; i++)
    {
      MemlaneExperimentItem *item = find_item (self, self->lesson->steps->pdata[i]);

      if (item == NULL || item->result != NULL || (self->tried >> i & 1) != 0
          || memlane_experiment_store_get_objection (self->store, item) != NULL)
        continue;
      self->tried |= G_GUINT64_CONSTANT (1) << i;
      memlane_experiment_store_run (self->store, item);
      return;
    }
}

/* --- the lesson ------------------------------------------------------------------------------- */

/* With two screens the wall is the one on which the window was not at the first lesson. */
static void
choose_screen (MemlaneLessonPage *self)
{
  GtkWindow *window = memlane_page_get_window (MEMLANE_PAGE (self));
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
  GListModel *monitors = gdk_display_get_monitors (display);
  GdkMonitor *own = gdk_display_get_monitor_at_surface (
      display, gtk_native_get_surface (GTK_NATIVE (window)));

  if (self->screen != NULL && !gdk_monitor_is_valid (self->screen))
    g_clear_object (&self->screen);
  for (guint i = 0; i < g_list_model_get_n_items (monitors) && self->screen == NULL; i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);

      if (monitor != own)
        self->screen = g_steal_pointer (&monitor);
    }
  if (self->screen == NULL)
    return;
  gtk_window_unfullscreen (window); /* where it is full screen a window manager would leave it */
  gtk_window_fullscreen_on_monitor (window, self->screen);
}

static void
begin (MemlaneLessonPage *self)
{
  self->lesson =
      self->lessons->pdata[gtk_list_box_row_get_index (gtk_list_box_get_selected_row (self->list))];
  self->place = 0;
  self->tried = 0;
  self->hands = g_new0 (guint, self->lesson->steps->len * MEMLANE_LESSON_MOST_CHOICES);
  self->drawn = g_new0 (double, self->lesson->steps->len * MEMLANE_LESSON_SIZES);
  g_ptr_array_set_size (self->answers, 0);
  g_string_truncate (self->refused, 0);
  choose_screen (self);
  fill_wall (self);
  gtk_stack_set_visible_child_name (self->stack, "wall");
  fill_notes (self);
  gtk_window_set_title (self->notes, self->lesson->title);
  if (self->screen != NULL)
    gtk_window_present (self->notes);
  self->skipped = self->store->skip;
  g_object_set (self->store, "skip", TRUE, NULL); /* the class predicts by hands */
  update_experiments (self);
}

static void
end (MemlaneLessonPage *self)
{
  self->lesson = NULL;
  adw_bin_set_child (self->figure, NULL); /* it reads what is drawn */
  g_clear_pointer (&self->hands, g_free);
  g_clear_pointer (&self->drawn, g_free);
  g_object_set (self->store, "skip", self->skipped, NULL);
  gtk_widget_hide (GTK_WIDGET (self->notes));
  gtk_stack_set_visible_child_name (self->stack, "list");
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

  if (projector && self->lesson == NULL && gtk_widget_get_mapped (GTK_WIDGET (self))
      && can_project (page))
    begin (self);
  else if (!projector && self->lesson != NULL)
    end (self);
}

static GtkWidget *
get_focus (MemlanePage *page)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (page);

  return self->lesson != NULL ? self->wall
                              : GTK_WIDGET (gtk_list_box_get_selected_row (self->list));
}

static const char *
get_hint (MemlanePage *page)
{
  return _("Page Down goes on, Page Up goes back, N shows your notes, Escape ends the lesson");
}

/* --- the list --------------------------------------------------------------------------------- */

static void
add_row (MemlaneLessonPage *self, const MemlaneLesson *lesson)
{
  g_autofree char *steps = g_strdup_printf (
      ngettext ("%u question", "%u questions", lesson->steps->len), lesson->steps->len);

  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", lesson->title,
                                 "subtitle", steps, "activatable", TRUE, NULL);
  GtkWidget *start = g_object_new (GTK_TYPE_BUTTON, "label", _("Start"), "valign",
                                   GTK_ALIGN_CENTER, "can-focus", FALSE, NULL);
  g_autofree char *name = g_strdup_printf (_("Start “%s”"), lesson->title);

  memlane_accessible_set_name (start, name);
  g_signal_connect_object (start, "clicked", G_CALLBACK (start_cb), row, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), start);
  gtk_list_box_append (self->list, row);
}

static void
open_file (MemlanePage *page, const char *path)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (page);
  g_autoptr (GError) error = NULL;
  MemlaneLesson *lesson;

  if (memlane_lesson_is_answers (path))
    {
      g_autofree char *sentence = g_strdup_printf (
          _("%s: begin the lesson first, then add its answers."), path);

      if (self->lesson != NULL)
        add_answers (self, path);
      else
        memlane_page_emit_notice (page, sentence, TRUE);
      return;
    }
  lesson = memlane_lesson_read (path, NULL, &error);
  if (lesson == NULL)
    {
      memlane_page_emit_notice (page, error->message, TRUE);
      return;
    }
  g_ptr_array_add (self->lessons, lesson);
  add_row (self, lesson);
  gtk_list_box_select_row (
      self->list, gtk_list_box_get_row_at_index (self->list, (int) self->lessons->len - 1));
}

static void
page_init (MemlanePageInterface *iface)
{
  *iface = (MemlanePageInterface) {
    .parent = iface->parent,
    .can_project = can_project,
    .set_projector = set_projector,
    .get_focus = get_focus,
    .get_hint = get_hint,
    .open = open_file,
  };
}

/* --- life ------------------------------------------------------------------------------------- */

static void
move_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  move (MEMLANE_LESSON_PAGE (widget), g_str_has_prefix (action, "wall.previous"));
}

static void
notes_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  toggle_notes (MEMLANE_LESSON_PAGE (widget));
}

/* Two keys give a lesson: that of the page, and Enter. */
static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (memlane_lesson_page_parent_class)->map (widget);
  gtk_widget_child_focus (GTK_WIDGET (MEMLANE_LESSON_PAGE (widget)->list), GTK_DIR_TAB_FORWARD);
}

static void
unmap (GtkWidget *widget)
{
  if (MEMLANE_LESSON_PAGE (widget)->lesson != NULL)
    end (MEMLANE_LESSON_PAGE (widget)); /* another page is projected */
  GTK_WIDGET_CLASS (memlane_lesson_page_parent_class)->unmap (widget);
}

/* The notes go with the window; who still holds the page, as GTK 4.8 does, holds no window. Hiding
 * the surface takes back a layout that was asked for, as in memlane_window_unrealize(). */
static void
unroot (GtkWidget *widget)
{
  MemlaneLessonPage *self = MEMLANE_LESSON_PAGE (widget);

  if (self->notes != NULL && gtk_widget_get_realized (GTK_WIDGET (self->notes)))
    gdk_surface_hide (gtk_native_get_surface (GTK_NATIVE (self->notes)));
  g_clear_pointer (&self->notes, gtk_window_destroy);
  GTK_WIDGET_CLASS (memlane_lesson_page_parent_class)->unroot (widget);
}

MEMLANE_DEFINE_RELEASE (MemlaneLessonPage, memlane_lesson_page, dispose,
                        OWNS (notes, gtk_window_destroy) OWNS (screen, g_object_unref))

MEMLANE_DEFINE_RELEASE (MemlaneLessonPage, memlane_lesson_page, finalize,
                        OWNS (lessons, g_ptr_array_unref) OWNS (hands, g_free) OWNS (drawn, g_free)
                            OWNS (answers, g_ptr_array_unref) OWNS (store, g_object_unref)
                                g_string_free (self->refused, TRUE);)

static void
memlane_lesson_page_class_init (MemlaneLessonPageClass *klass)
{
  static const char *const actions[] = { "wall.next-family", "wall.previous-family", "wall.next",
                                         "wall.previous" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->map = map;
  widget_class->unmap = unmap;
  widget_class->unroot = unroot;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/lesson-page.ui");
  MEMLANE_BIND_CHILDREN (MemlaneLessonPage, stack, list, wall, finding, simulated, choices, figure,
                         counts, notes, problems, place_text, question, answer, said, shown, asked,
                         remarks, solution, next, added);
  MEMLANE_BIND_CALLBACKS (toggle_cb, close_cb, key_pressed_cb, add_cb);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i], NULL, move_cb);
  gtk_widget_class_install_action (widget_class, "wall.notes", NULL, notes_cb);
}

static void
memlane_lesson_page_init (MemlaneLessonPage *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  G_STATIC_ASSERT (MEMLANE_LESSON_SIZES == MEMLANE_SKETCH_SIZES);
  self->answers = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_answers_free);
  self->refused = g_string_new (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->notes), GTK_EVENT_CONTROLLER (target));
}

GtkWidget *
memlane_lesson_page_new (MemlaneExperimentStore *store)
{
  MemlaneLessonPage *self = g_object_new (MEMLANE_TYPE_LESSON_PAGE, NULL);
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *trouble = NULL;

  self->store = g_object_ref (store);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { store, "changed", G_CALLBACK (update_experiments) },
    { store, "items-changed", G_CALLBACK (update_experiments) },
    { NULL },
  });
  memlane_experiment_store_load (store);
  self->lessons = memlane_lesson_list (NULL, &problems);
  MEMLANE_FOR_EACH (MemlaneLesson, lesson, self->lessons)
    add_row (self, lesson);
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
  if (self->lessons->len == 0 && problems->len == 0)
    g_ptr_array_add (problems, g_strdup (_("No lessons are installed. Install Memlane with its "
                                            "recordings, or open a file of your own.")));
  g_ptr_array_add (problems, NULL);
  trouble = g_strjoinv ("\n", (char **) problems->pdata);
  memlane_experiment_words_show (self->problems, trouble);
  return GTK_WIDGET (self);
}
