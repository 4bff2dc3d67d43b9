/* experiment-curve.c: a curve over size is predicted: dragged, or moved by keys; afterwards the measured one stands beside it
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-curve.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"
#include "base/owns.h"
#include "chart/guess.h"
#include "chart/scale.h"
#include "experiment-words.h"

#define KEY_STEP 1.122018454301963 /* 10^(1/20): twenty presses are a decade */
#define HEIGHT 280                 /* px */

struct _MemlaneExperimentCurve
{
  MemlaneFigureWidget parent_instance;

  MemlaneExperimentItem *item; /* (owned) */
  guint first_log2, n;
  guint current;               /* the size that the keys move, from the first */
  gboolean dragging;
  guint drag_log2;             /* where the pointer was */
  double drag_ns, drag_x, drag_y;
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentCurve, memlane_experiment_curve, MEMLANE_TYPE_FIGURE_WIDGET)

/* --- the figure -------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneGuess guess;
  double *guesses;
  MemlaneGuessPoint *measured;
} Figure;

typedef struct
{
  const MemlaneGuess *guess;
  MemlaneStyle style;
  double width, height;
  PangoContext *pango;
} Layout;

static gpointer
lay_out (gconstpointer content, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  Layout *layout = g_new (Layout, 1);

  *layout = (Layout) { &((const Figure *) content)->guess, *style, width, height, g_object_ref (pango) };
  return layout;
}

static void
draw (gconstpointer data, cairo_t *cr)
{
  const Layout *layout = data;

  memlane_guess_draw (cr, layout->pango, layout->guess, layout->width, layout->height, &layout->style);
}

static void
free_layout (gpointer data)
{
  Layout *layout = data;

  g_object_unref (layout->pango);
  g_free (layout);
}

MEMLANE_DEFINE_FREE (Figure, static void free_figure (gpointer data), OWNS (guesses, g_free) OWNS (measured, g_free))

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  static const MemlaneDrawingClass klass = { .layout = lay_out, .draw = draw, .free_layout = free_layout, .free = free_figure };
  MemlaneExperimentCurve *self = MEMLANE_EXPERIMENT_CURVE (widget);
  const MemlaneExperimentResult *result;
  MemlaneGuess *guess;
  Figure *figure;

  if (self->item == NULL)
    return NULL;
  result = self->item->result;
  figure = g_new0 (Figure, 1);
  guess = &figure->guess;
  figure->guesses = g_new0 (double, self->n);
  for (guint i = 0; i < self->n; i++)
    figure->guesses[i] = memlane_experiment_item_get_guess (self->item, self->first_log2 + i);
  if (result != NULL && result->curve != NULL)
    {
      figure->measured = g_new0 (MemlaneGuessPoint, self->n);
      MEMLANE_FOR_EACH (const MemlaneTableRow, row, result->curve)
        {
          guint at = row->log2_elements - self->first_log2;

          if (row->values[0].kind == MEMLANE_VALUE_TIME && at < self->n)
            figure->measured[at] = (MemlaneGuessPoint) { row->values[0].median, row->values[0].low, row->values[0].high };
        }
    }
  memlane_experiment_item_get_range (self->item, &guess->low, &guess->high);
  guess->first_log2 = self->first_log2;
  guess->last_log2 = self->first_log2 + self->n - 1;
  guess->guesses = figure->guesses;
  guess->measured = figure->measured;
  guess->drawn = memlane_experiment_item_is_predicted (self->item);
  guess->current = gtk_widget_has_focus (GTK_WIDGET (self)) ? (int) self->current : -1;
  guess->drawn_label = guess->drawn ? _("your prediction") : _("drag to predict");
  guess->measured_label = _("measured");
  return memlane_drawing_new (&klass, figure);
}

static void
read_place (MemlaneExperimentCurve *self, double x, double y, guint *log2_elements, double *ns)
{
  const Layout *layout = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));

  memlane_guess_read (layout->pango, layout->guess, layout->width, layout->height, &layout->style, x, y, log2_elements, ns);
}

void
memlane_experiment_curve_find (MemlaneExperimentCurve *self, guint log2_elements, double ns, double *x, double *y)
{
  const Layout *layout = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));

  memlane_guess_find (layout->pango, layout->guess, layout->width, layout->height, &layout->style, log2_elements, ns, x, y);
}

/* --- what is said of it ------------------------------------------------------------------------------------------------------- */

static const MemlaneValue *
find_measured (MemlaneExperimentCurve *self)
{
  const MemlaneExperimentResult *result = self->item->result;

  for (guint i = 0; result != NULL && result->curve != NULL && i < result->curve->len; i++)
    {
      const MemlaneTableRow *row = result->curve->pdata[i];

      if (row->log2_elements == self->first_log2 + self->current)
        return row->values;
    }
  return NULL;
}

static char *
read_current (MemlaneFigureWidget *widget)
{
  MemlaneExperimentCurve *self = MEMLANE_EXPERIMENT_CURVE (widget);
  guint log2_elements = self->first_log2 + self->current;
  g_autofree char *size = memlane_unit_format_power (log2_elements);
  g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, memlane_experiment_item_get_guess (self->item, log2_elements), TRUE);
  const MemlaneValue *value = find_measured (self);
  g_autofree char *measured = value != NULL ? memlane_experiment_words_value (value, NULL) : NULL;

  if (measured != NULL && !memlane_experiment_item_is_predicted (self->item))
    return g_strdup_printf (_("%s floats: measured %s"), size, measured);
  if (measured != NULL)
    return g_strdup_printf (_("%s floats: predicted %s, measured %s"), size, time, measured);
  return g_strdup_printf (_("%s floats: %s"), size, time);
}

static char *
name (MemlaneFigureWidget *widget)
{
  MemlaneExperimentCurve *self = MEMLANE_EXPERIMENT_CURVE (widget);

  return g_strdup (self->item != NULL ? self->item->experiment->prediction.question : "");
}

/* The reading contains all. */
static char *
describe (MemlaneFigureWidget *widget)
{
  return g_strdup (memlane_figure_widget_get_reading (widget));
}

static void
update (MemlaneExperimentCurve *self)
{
  MemlaneFigureWidget *widget = MEMLANE_FIGURE_WIDGET (self);

  memlane_figure_widget_invalidate (widget);
  memlane_figure_widget_set_spoken (widget, TRUE);
  memlane_figure_widget_update_reading (widget);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), memlane_figure_widget_get_reading (widget));
}

/* --- moving it ------------------------------------------------------------------------------------------------------------------ */

static gboolean
can_move (MemlaneExperimentCurve *self)
{
  return self->item->result == NULL && gtk_widget_is_sensitive (GTK_WIDGET (self));
}

void
memlane_experiment_curve_begin_drag (MemlaneExperimentCurve *self, double x, double y)
{
  self->dragging = can_move (self);
  self->drag_x = x;
  self->drag_y = y;
  read_place (self, x, y, &self->drag_log2, &self->drag_ns);
  self->current = self->drag_log2 - self->first_log2;
  if (self->dragging)
    memlane_experiment_item_set_guess (self->item, self->drag_log2, self->drag_ns);
  update (self);
}

/* A quick hand passes over sizes between two events: they lie on the way. */
void
memlane_experiment_curve_drag_to (MemlaneExperimentCurve *self, double x, double y)
{
  guint log2_elements;
  double ns;

  if (!self->dragging)
    return;
  read_place (self, x, y, &log2_elements, &ns);
  for (guint at = self->drag_log2; at != log2_elements;)
    {
      double part;

      at = at < log2_elements ? at + 1 : at - 1;
      part = fabs ((double) at - self->drag_log2) / fabs ((double) log2_elements - self->drag_log2);
      memlane_experiment_item_set_guess (self->item, at, self->drag_ns * pow (ns / self->drag_ns, part));
    }
  memlane_experiment_item_set_guess (self->item, log2_elements, ns);
  self->drag_log2 = log2_elements;
  self->drag_ns = ns;
  self->current = log2_elements - self->first_log2;
  update (self);
}

static void
drag_begin_cb (MemlaneExperimentCurve *self, double x, double y, GtkGesture *gesture)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED); /* the page that it stands on scrolls */
  memlane_experiment_curve_begin_drag (self, x, y);
}

static void
drag_update_cb (MemlaneExperimentCurve *self, double dx, double dy)
{
  memlane_experiment_curve_drag_to (self, self->drag_x + dx, self->drag_y + dy);
}

static void
drag_end_cb (MemlaneExperimentCurve *self)
{
  self->dragging = FALSE;
}

/* @how: 'x' to a size that far away, 'e' to the last (or, negative, first) one, 'y' to a time of so many times as much. */
static gboolean
move_cb (GtkWidget *widget, GVariant *how, gpointer data)
{
  MemlaneExperimentCurve *self = MEMLANE_EXPERIMENT_CURVE (widget);
  const char *axis;
  double by;

  g_variant_get (how, "(&sd)", &axis, &by);
  if (*axis == 'x')
    self->current = (guint) CLAMP ((int) self->current + (int) by, 0, (int) self->n - 1);
  else if (*axis == 'e')
    self->current = by < 0 ? 0 : self->n - 1;
  else if (can_move (self))
    memlane_experiment_item_set_guess (self->item, self->first_log2 + self->current,
                                       by * memlane_experiment_item_get_guess (self->item, self->first_log2 + self->current));
  update (self);
  return GDK_EVENT_STOP;
}

static void
bind_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key, keypad;
    const char *axis;
    double by;
  } keys[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, "x", -1 },          { GDK_KEY_Right, GDK_KEY_KP_Right, "x", 1 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, "e", -1 },          { GDK_KEY_End, GDK_KEY_KP_End, "e", 1 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, "y", KEY_STEP },        { GDK_KEY_Down, GDK_KEY_KP_Down, "y", 1 / KEY_STEP },
    { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, "y", 2 },     { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, "y", 0.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, keys[i].key, 0, move_cb, "(sd)", keys[i].axis, keys[i].by);
      gtk_widget_class_add_binding (widget_class, keys[i].keypad, 0, move_cb, "(sd)", keys[i].axis, keys[i].by);
    }
}

/* On the wall it takes what the words leave. */
static void
projector_changed (MemlaneFigureWidget *widget)
{
  gtk_widget_set_vexpand (GTK_WIDGET (widget), memlane_figure_widget_get_projector (widget));
}

/* --- life --------------------------------------------------------------------------------------------------------------------- */

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  GTK_WIDGET_CLASS (memlane_experiment_curve_parent_class)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                                                                     natural_baseline);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = HEIGHT;
}

static void
dispose (GObject *object)
{
  G_OBJECT_CLASS (memlane_experiment_curve_parent_class)->dispose (object);
  g_clear_object (&MEMLANE_EXPERIMENT_CURVE (object)->item);
}

/* The size that the keys move is drawn while they do. */
static void
state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GTK_WIDGET_CLASS (memlane_experiment_curve_parent_class)->state_flags_changed (widget, before);
  if ((before ^ gtk_widget_get_state_flags (widget)) & GTK_STATE_FLAG_FOCUSED)
    memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (widget));
}

static void
memlane_experiment_curve_class_init (MemlaneExperimentCurveClass *klass)
{
  MemlaneFigureWidgetClass *figure_class = MEMLANE_FIGURE_WIDGET_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->state_flags_changed = state_flags_changed;
  figure_class->get_drawing = get_drawing;
  figure_class->projector_changed = projector_changed;
  figure_class->read = read_current;
  figure_class->name = name;
  figure_class->describe = describe;
  figure_class->focus_when_projected = TRUE;
  gtk_widget_class_set_css_name (widget_class, "experimentcurve");
  bind_keys (widget_class);
}

static void
memlane_experiment_curve_init (MemlaneExperimentCurve *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
memlane_experiment_curve_new (MemlaneExperimentItem *item)
{
  MemlaneExperimentCurve *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_CURVE, NULL);
  const MemlanePrediction *prediction = &item->experiment->prediction;

  self->item = g_object_ref (item);
  self->first_log2 = prediction->first_log2;
  self->n = prediction->last_log2 - prediction->first_log2 + 1;
  g_signal_connect_object (item, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (self));
  return GTK_WIDGET (self);
}
