/* experiment-bars.c: the pictures of an experiment's result on its page and on the wall: its bars, and its timelines
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-bars.h"

#include <glib/gi18n-lib.h>

#include "chart/bars/bars.h"
#include "chart/timeline/timeline.h"
#include "model/fields.h"

#define LEAST_HEIGHT 160 /* px, on the wall */

struct _MemlaneExperimentBars
{
  MemlaneFigureWidget parent_instance;

  MemlaneExperimentResult *result; /* owned reference */
  gboolean is_timeline;
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentBars, memlane_experiment_bars, MEMLANE_TYPE_FIGURE_WIDGET)

/* The recordings that the experiment names; without a choice the first one. NULL: there is none. */
static MemlaneDrawing *
draw_timeline (const MemlaneExperimentResult *result)
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL } };
  char **steps = result->experiment->timeline;
  guint n = 0;

  for (guint i = 0; i < result->traces->len && n < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    if (steps[0] == NULL ? n == 0 : g_strv_contains ((const char *const *) steps, result->trace_steps->pdata[i]))
      tracks[n++].trace = result->traces->pdata[i];
  return n > 0 ? memlane_timeline_drawing_new (tracks, n, NULL) : NULL;
}

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneExperimentBars *self = MEMLANE_EXPERIMENT_BARS (widget);

  if (self->is_timeline && self->result != NULL)
    return draw_timeline (self->result);
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

MEMLANE_DEFINE_RELEASE (MemlaneExperimentBars, memlane_experiment_bars, finalize, OWNS (result, memlane_experiment_result_unref))

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

static GtkWidget *
make_widget (MemlaneExperimentResult *result, gboolean is_timeline, MemlaneDrawing *drawing)
{
  MemlaneExperimentBars *self;

  if (drawing == NULL)
    return NULL;
  memlane_drawing_free (drawing);
  self = g_object_new (MEMLANE_TYPE_EXPERIMENT_BARS, NULL);
  self->result = memlane_experiment_result_ref (result);
  self->is_timeline = is_timeline;
  memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (self));
  return GTK_WIDGET (self);
}

GtkWidget *
memlane_experiment_bars_new (MemlaneExperimentResult *result)
{
  return make_widget (result, FALSE, memlane_bars_drawing_new (result, FALSE));
}

GtkWidget *
memlane_experiment_timeline_new (MemlaneExperimentResult *result)
{
  return make_widget (result, TRUE, draw_timeline (result));
}
