/* still-figure.c: a drawing on a page or on the wall that answers neither pointer nor keys
 *
 * SPDX-License-Identifier: MIT
 */
#include "still-figure.h"

#define LEAST_HEIGHT 160 /* px, on the wall */

struct _MemlaneStillFigure
{
  MemlaneFigureWidget parent_instance;

  MemlaneDrawing *drawing;      /* owned */
  MemlaneDrawingClass borrowed; /* its class, which frees nothing */
};

G_DEFINE_FINAL_TYPE (MemlaneStillFigure, memlane_still_figure, MEMLANE_TYPE_FIGURE_WIDGET)

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneStillFigure *self = MEMLANE_STILL_FIGURE (widget);

  return self->drawing != NULL ? memlane_drawing_new (&self->borrowed, self->drawing->content) : NULL;
}

static void
keep (gpointer content)
{
}

static char *
read_nothing (MemlaneFigureWidget *widget)
{
  return g_strdup ("");
}

static char *
get_title (MemlaneFigureWidget *widget)
{
  const MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (widget)->drawing;

  return drawing != NULL ? drawing->klass->title (drawing->content) : g_strdup ("");
}

static char *
describe (MemlaneFigureWidget *widget)
{
  const MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (widget)->drawing;

  return drawing != NULL ? drawing->klass->describe (drawing->content) : g_strdup ("");
}

/* On the wall it takes what the words leave. */
static void
projector_changed (MemlaneFigureWidget *widget)
{
  gtk_widget_set_vexpand (GTK_WIDGET (widget), memlane_figure_widget_get_projector (widget));
  gtk_widget_queue_resize (GTK_WIDGET (widget));
}

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  MemlaneFigureWidget *figure = MEMLANE_FIGURE_WIDGET (widget);
  const MemlaneDrawing *drawing = MEMLANE_STILL_FIGURE (widget)->drawing;

  GTK_WIDGET_CLASS (memlane_still_figure_parent_class)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                                                                 natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL || drawing == NULL || drawing->klass->measure_height == NULL)
    return;
  *natural = *minimum = (int) drawing->klass->measure_height (drawing->content, memlane_figure_widget_get_style (figure),
                                                              for_size > 0 ? for_size : MEMLANE_FIGURE_LEAST_WIDTH,
                                                              gtk_widget_get_pango_context (widget));
  if (memlane_figure_widget_get_projector (figure))
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

static void
memlane_still_figure_class_init (MemlaneStillFigureClass *klass)
{
  MemlaneFigureWidgetClass *figure_class = MEMLANE_FIGURE_WIDGET_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  figure_class->get_drawing = get_drawing;
  figure_class->projector_changed = projector_changed;
  figure_class->read = read_nothing;
  figure_class->name = get_title;
  figure_class->describe = describe;
}

static void
memlane_still_figure_init (MemlaneStillFigure *self)
{
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

GtkWidget *
memlane_still_figure_new (MemlaneDrawing *drawing)
{
  MemlaneStillFigure *self;

  if (drawing == NULL)
    return NULL;
  self = g_object_new (MEMLANE_TYPE_STILL_FIGURE, NULL);
  self->drawing = drawing;
  self->borrowed = *drawing->klass;
  self->borrowed.free = keep;
  memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (self));
  return GTK_WIDGET (self);
}
