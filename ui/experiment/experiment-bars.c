/* experiment-bars.c: the bars of an experiment's result on its page and on the wall
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-bars.h"

#include <glib/gi18n-lib.h>

#include "chart/bars/bars.h"

#define LEAST_HEIGHT 160 /* px, on the wall */

struct _MemlaneExperimentBars
{
  MemlaneFigureWidget parent_instance;

  MemlaneExperimentResult *result; /* owned reference */
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentBars, memlane_experiment_bars, MEMLANE_TYPE_FIGURE_WIDGET)

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneExperimentBars *self = MEMLANE_EXPERIMENT_BARS (widget);

  return self->result != NULL ? memlane_bars_drawing_new (self->result, paper) : NULL;
}

static char *
read_nothing (MemlaneFigureWidget *widget)
{
  return g_strdup ("");
}

static char *
get_title (MemlaneFigureWidget *widget)
{
  g_autoptr (MemlaneDrawing) drawing = get_drawing (widget, TRUE);

  return drawing != NULL ? drawing->klass->title (drawing->content) : g_strdup ("");
}

static char *
describe (MemlaneFigureWidget *widget)
{
  g_autoptr (MemlaneDrawing) drawing = get_drawing (widget, FALSE);

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
  g_autoptr (MemlaneDrawing) drawing = get_drawing (figure, FALSE);

  GTK_WIDGET_CLASS (memlane_experiment_bars_parent_class)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                                                                    natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL || drawing == NULL)
    return;
  *natural = *minimum = (int) drawing->klass->measure_height (drawing->content, memlane_figure_widget_get_style (figure),
                                                              for_size > 0 ? for_size : MEMLANE_FIGURE_LEAST_WIDTH,
                                                              gtk_widget_get_pango_context (widget));
  if (memlane_figure_widget_get_projector (figure))
    *minimum = MIN (LEAST_HEIGHT, *natural);
}

static void
finalize (GObject *object)
{
  g_clear_pointer (&MEMLANE_EXPERIMENT_BARS (object)->result, memlane_experiment_result_unref);
  G_OBJECT_CLASS (memlane_experiment_bars_parent_class)->finalize (object);
}

static void
memlane_experiment_bars_class_init (MemlaneExperimentBarsClass *klass)
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
memlane_experiment_bars_init (MemlaneExperimentBars *self)
{
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

GtkWidget *
memlane_experiment_bars_new (MemlaneExperimentResult *result)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_bars_drawing_new (result, FALSE);
  MemlaneExperimentBars *self;

  if (drawing == NULL)
    return NULL;
  self = g_object_new (MEMLANE_TYPE_EXPERIMENT_BARS, NULL);
  self->result = memlane_experiment_result_ref (result);
  memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (self));
  return GTK_WIDGET (self);
}
