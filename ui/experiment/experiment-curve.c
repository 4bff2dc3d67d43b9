/* experiment-curve.c: a curve over size is predicted: drawn by pointer or keys; afterwards the measured one stands beside it
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-curve.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"
#include "chart/plot/plot.h"
#include "still-figure.h"

static void
moved_cb (gpointer item, guint log2_elements, double ns)
{
  memlane_experiment_item_set_guess (item, log2_elements, ns);
}

/* The axis of times has room for whatever is drawn. */
static MemlaneDrawing *
draw (MemlaneExperimentItem *item, double *values)
{
  const MemlanePrediction *prediction = &item->experiment->prediction;
  gboolean predicted = memlane_experiment_item_is_predicted (item);
  g_autoptr (GPtrArray) sketches = g_ptr_array_new ();
  g_autoptr (MemlaneChart) chart = memlane_chart_new_curve (prediction->question, _("measured"), prediction->first_log2,
                                                            prediction->last_log2, item->result != NULL ? item->result->curve : NULL);
  MemlaneView view = MEMLANE_VIEW_FIT;

  for (guint i = prediction->first_log2; i <= prediction->last_log2; i++)
    values[i] = memlane_experiment_item_get_guess (item, i);
  if (predicted || chart->series->len == 0) /* one that nobody drew says nothing beside the answer */
    g_ptr_array_add (sketches, values);
  memlane_experiment_item_get_range (item, &view.y_from, &view.y_to);
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      {
        view.y_from = MIN (view.y_from, pow (10, floor (log10 (point->value))));
        view.y_to = MAX (view.y_to, pow (10, ceil (log10 (point->value))));
      }
  view.sketches = sketches;
  view.no_caption = TRUE; /* the question stands above */
  view.title = predicted ? _("your prediction") : chart->series->len == 0 ? _("drag to predict") : "";
  return memlane_plot_drawing_new (chart, &view);
}

static void
update (MemlaneStillFigure *figure, MemlaneExperimentItem *item)
{
  double *values = g_object_get_data (G_OBJECT (figure), "values");

  memlane_still_figure_let_draw (figure, draw (item, values), values, MEMLANE_UNIT_TIME, item->result == NULL ? moved_cb : NULL,
                                 item);
}

GtkWidget *
memlane_experiment_curve_new (MemlaneExperimentItem *item)
{
  double *values = g_new0 (double, MEMLANE_SKETCH_SIZES);
  GtkWidget *figure = memlane_still_figure_new (draw (item, values));

  g_object_set_data_full (G_OBJECT (figure), "values", values, g_free);
  g_object_set_data_full (G_OBJECT (figure), "item", g_object_ref (item), g_object_unref);
  g_signal_connect_object (item, "changed", G_CALLBACK (update), figure, G_CONNECT_SWAPPED);
  update (MEMLANE_STILL_FIGURE (figure), item);
  return figure;
}
