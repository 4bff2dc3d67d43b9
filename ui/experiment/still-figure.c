/* still-figure.c: a drawing on a page or on the wall: still, or with a curve to draw
 *
 * SPDX-License-Identifier: MIT
 */
#include "still-figure.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/plot/plot.h"

#define LEAST_HEIGHT 160 /* px, on the wall */
#define HEIGHT 280       /* px, of axes to draw in, on a page */
#define KEY_STEP 1.122018454301963 /* 10^(1/20): twenty presses are a decade */

struct _MemlaneStillFigure
{
  MemlaneFigureWidget parent_instance;

  MemlaneDrawing *drawing;      /* owned */
  MemlaneDrawingClass borrowed; /* its class, which frees nothing */

  const double *values;         /* (nullable): the curve that is drawn, by log2 elements */
  guint current;                /* the size that the keys move */
  MemlaneUnit unit;             /* of values */
  MemlaneSketchMoved moved;     /* (nullable): it is fixed */
  gpointer owner;
  guint drag_log2;              /* where the pointer was */
  double drag_value;
};

G_DEFINE_FINAL_TYPE (MemlaneStillFigure, memlane_still_figure, MEMLANE_TYPE_FIGURE_WIDGET)

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);

  return self->drawing != NULL ? memlane_drawing_new (&self->borrowed, self->drawing->content)
                               : NULL;
}

static void
keep (gpointer content)
{
}

/* --- a curve to draw -------------------------------------------------------------------------- */

static const MemlanePlot *
get_plot (MemlaneStillFigure *self)
{
  return memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));
}

/* Returns the curve at the chosen size; where nothing is drawn yet, the middle of the axis. */
static double
get_value (MemlaneStillFigure *self)
{
  double value = self->values[self->current];

  return value > 0 ? value : memlane_scale_unmap (memlane_plot_get_axes (get_plot (self)).y, 0.5);
}

void
memlane_still_figure_find (MemlaneStillFigure *self, guint log2_elements, double value, double *x,
                           double *y)
{
  const MemlanePlotAxes axes = memlane_plot_get_axes (get_plot (self));

  *x = axes.area->x + axes.area->width * memlane_scale_map (axes.x, exp2 (log2_elements));
  *y = axes.area->y + axes.area->height * (1 - memlane_scale_map (axes.y, value));
}

/* Returns the nearest size of the axis. */
static guint
limit_size (MemlaneStillFigure *self, double log2_elements)
{
  const MemlaneScale *x = memlane_plot_get_axes (get_plot (self)).x;

  return (guint) CLAMP (round (log2_elements), ceil (log2 (x->from)),
                        MIN (floor (log2 (x->to)), MEMLANE_SKETCH_SIZES - 1));
}

/* Outside of the axes: the nearest. */
static double
read_place (MemlaneStillFigure *self, double x, double y, guint *log2_elements)
{
  const MemlanePlotAxes axes = memlane_plot_get_axes (get_plot (self));
  double elements = memlane_scale_unmap (axes.x,
                                         CLAMP ((x - axes.area->x) / axes.area->width, 0, 1));

  *log2_elements = limit_size (self, log2 (elements));
  return memlane_scale_unmap (axes.y, CLAMP (1 - (y - axes.area->y) / axes.area->height, 0, 1));
}

static char *
read_sketch (MemlaneFigureWidget *widget)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);
  g_autofree char *size = NULL, *value = NULL, *measured = NULL;

  if (self->values == NULL)
    return g_strdup ("");
  size = memlane_unit_format_power (self->current);
  if (self->values[self->current] > 0)
    value = memlane_unit_format (self->unit, self->values[self->current], TRUE);
  if (self->moved == NULL)
    measured = memlane_plot_format_reading (get_plot (self), self->current);
  if (measured != NULL && *measured != '\0')
    return value != NULL ? g_strdup_printf (_("%s; predicted %s"), measured, value)
                         : g_steal_pointer (&measured);
  return g_strdup_printf (_("%s floats: %s"), size, value != NULL ? value : "–");
}

static void
update (MemlaneStillFigure *self)
{
  MemlaneFigureWidget *widget = MEMLANE_FIGURE_WIDGET (self);

  memlane_figure_widget_invalidate (widget);
  widget->spoken = TRUE;
  memlane_figure_widget_update_reading (widget);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), widget->reading);
}

static gboolean
can_move (MemlaneStillFigure *self)
{
  return self->moved != NULL && gtk_widget_is_sensitive (GTK_WIDGET (self));
}

static gboolean
band_begin (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);

  if (self->values == NULL)
    return FALSE;
  self->drag_value = read_place (self, x, y, &self->drag_log2);
  self->current = self->drag_log2;
  if (can_move (self))
    self->moved (self->owner, self->drag_log2, self->drag_value);
  update (self);
  return can_move (self);
}

/* A quick hand passes over sizes between two events: they lie on the way. */
static void
band_move (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);
  guint log2_elements;
  double value = read_place (self, x, y, &log2_elements);

  for (guint at = self->drag_log2; at != log2_elements;)
    {
      double part;

      at = at < log2_elements ? at + 1 : at - 1;
      part = fabs ((double) at - self->drag_log2) / fabs ((double) log2_elements - self->drag_log2);
      self->moved (self->owner, at, self->drag_value * pow (value / self->drag_value, part));
    }
  self->moved (self->owner, log2_elements, value);
  self->drag_log2 = self->current = log2_elements;
  self->drag_value = value;
  update (self);
}

/* Moves to a size that far away, or to @times the value. */
static void
move (gpointer figure, double by, double times)
{
  MemlaneStillFigure *self = figure;

  if (self->values == NULL)
    return;
  self->current = limit_size (self, self->current + by);
  if (times > 0 && can_move (self))
    self->moved (self->owner, self->current, times * get_value (self));
  update (self);
}

/* These keys are the clicker's on the wall. */
static gboolean
page_cb (GtkWidget *widget, GVariant *times, gpointer data)
{
  if (MEMLANE_FIGURE_WIDGET (widget)->projector)
    return GDK_EVENT_PROPAGATE;
  move (widget, 0, g_variant_get_double (times));
  return GDK_EVENT_STOP;
}

static const MemlaneFigureAction actions[] = {
  { NULL, { GDK_KEY_Left, GDK_KEY_KP_Left }, 0, move, -1 },
  { NULL, { GDK_KEY_Right, GDK_KEY_KP_Right }, 0, move, 1 },
  { NULL, { GDK_KEY_Home, GDK_KEY_KP_Home }, 0, move, -MEMLANE_FIGURE_FAR },
  { NULL, { GDK_KEY_End, GDK_KEY_KP_End }, 0, move, MEMLANE_FIGURE_FAR },
  { NULL, { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, move, 0, KEY_STEP },
  { NULL, { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, move, 0, 1 / KEY_STEP },
};

/* A ring around the place that the keys move. */
static void
draw_overlay (MemlaneFigureWidget *widget, gconstpointer layout, cairo_t *cr)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);
  const MemlaneStyle *style = widget->style;
  double x, y;

  if (self->values == NULL || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return;
  memlane_still_figure_find (self, self->current, get_value (self), &x, &y);
  cairo_set_source_rgb (cr, style->crosshair.red, style->crosshair.green, style->crosshair.blue);
  cairo_set_line_width (cr, 2);
  cairo_arc (cr, x, y, widget->projector ? 18 : 10, 0, 2 * G_PI);
  cairo_stroke (cr);
}

/* The ring is drawn while the keys move it. */
static void
state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GTK_WIDGET_CLASS (memlane_still_figure_parent_class)->state_flags_changed (widget, before);
  if ((before ^ gtk_widget_get_state_flags (widget)) & GTK_STATE_FLAG_FOCUSED)
    memlane_figure_widget_redraw (MEMLANE_FIGURE_WIDGET (widget), MEMLANE_FIGURE_OVERLAY);
}

/* --- the figure ------------------------------------------------------------------------------- */

static char *
get_title (MemlaneFigureWidget *widget)
{
  const MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (widget)->drawing;

  return drawing != NULL ? drawing->klass->title (drawing->content) : g_strdup ("");
}

/* The figure takes what the words leave on the wall. */
static void
projector_changed (MemlaneFigureWidget *widget)
{
  gtk_widget_set_vexpand (GTK_WIDGET (widget), widget->projector);
  gtk_widget_queue_resize (GTK_WIDGET (widget));
}

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  MemlaneFigureWidget *figure = MEMLANE_FIGURE_WIDGET (widget);
  const MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (widget)->drawing;

  GTK_WIDGET_CLASS (memlane_still_figure_parent_class)
      ->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                 natural_baseline);
  if (orientation == GTK_ORIENTATION_VERTICAL && MEMLANE_STILL_FIGURE (widget)->values != NULL)
    *minimum = *natural = HEIGHT;
  if (orientation == GTK_ORIENTATION_HORIZONTAL || drawing == NULL
      || drawing->klass->measure_height == NULL)
    return;
  *natural = *minimum = (int) drawing->klass->measure_height (
      drawing->content, figure->style, for_size > 0 ? for_size : MEMLANE_FIGURE_LEAST_WIDTH,
      gtk_widget_get_pango_context (widget));
  if (figure->projector)
    *minimum = MIN (LEAST_HEIGHT, *natural);
}

/* The layout, which the parent frees, is of the drawing. */
static void
finalize (GObject *object)
{
  MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (object)->drawing;

  G_OBJECT_CLASS (memlane_still_figure_parent_class)->finalize (object);
  memlane_drawing_free (drawing);
}

static const MemlaneFigureCalls calls = {
  .get_drawing = get_drawing,
  .projector_changed = projector_changed,
  .read = read_sketch,
  .draw_overlay = draw_overlay,
  .band_begin = band_begin,
  .band_move = band_move,
  .focus_when_projected = TRUE,
  .name = get_title,
  .actions = actions,
  .n_actions = G_N_ELEMENTS (actions),
};

static void
memlane_still_figure_class_init (MemlaneStillFigureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  widget_class->state_flags_changed = state_flags_changed;
  memlane_figure_widget_class_set_calls (klass, &calls);
  for (guint i = 0; i < 2; i++)
    {
      gtk_widget_class_add_binding (widget_class, i > 0 ? GDK_KEY_KP_Page_Up : GDK_KEY_Page_Up, 0,
                                    page_cb, "d", 2.0);
      gtk_widget_class_add_binding (widget_class, i > 0 ? GDK_KEY_KP_Page_Down : GDK_KEY_Page_Down,
                                    0, page_cb, "d", 0.5);
    }
}

static void
memlane_still_figure_init (MemlaneStillFigure *self)
{
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

static void
set_drawing (MemlaneStillFigure *self, MemlaneDrawing *drawing)
{
  /* the layout is of the drawing before */
  memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (self));
  memlane_drawing_free (self->drawing);
  self->drawing = drawing;
  self->borrowed = *drawing->klass;
  self->borrowed.free = keep;
}

void
memlane_still_figure_let_draw (MemlaneStillFigure *self, MemlaneDrawing *drawing,
                               const double *values, MemlaneUnit unit, MemlaneSketchMoved moved,
                               gpointer owner)
{
  if (drawing != NULL)
    set_drawing (self, drawing);
  self->values = values;
  self->unit = unit;
  self->current = limit_size (self, self->current);
  self->moved = moved;
  self->owner = owner;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  update (self);
}

GtkWidget *
memlane_still_figure_new (MemlaneDrawing *drawing)
{
  MemlaneStillFigure *self;

  if (drawing == NULL)
    return NULL;
  self = g_object_new (MEMLANE_TYPE_STILL_FIGURE, NULL);
  set_drawing (self, drawing);
  memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (self));
  return GTK_WIDGET (self);
}
