/* decide-view.c: the map of decisions in the window: cells that the pointer reads and a click or a
 * key chooses
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/owns.h"
#include "chart/map/decide-map.h"
#include "model/fields.h"

/* px: with the answers beside it the side panel keeps its place in a window of 1280 */
#define NATURAL_WIDTH 480

struct _MemlaneDecideView
{
  MemlaneFigureWidget parent_instance;

  MemlaneDecideResult *result; /* (owned) (nullable) */
  double log2;                 /* chosen */
  guint row;
};

G_DEFINE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, MEMLANE_TYPE_FIGURE_WIDGET)

/* --- cells ------------------------------------------------------------------------------------ */

/* The places are those of memlane_decision_get(). */
static MemlaneFigureCell
find_chosen (MemlaneFigureWidget *widget, gboolean nearest)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  const MemlaneDecision *decision = self->result != NULL ? self->result->decision : NULL;
  guint best = 0;

  if (decision == NULL || decision->n_columns == 0)
    return MEMLANE_FIGURE_NO_CELL;
  for (guint i = 1; i < decision->n_columns; i++)
    if (fabs (decision->columns[i] - self->log2) < fabs (decision->columns[best] - self->log2))
      best = i;
  if (!nearest && decision->columns[best] != self->log2)
    return MEMLANE_FIGURE_NO_CELL;
  return (MemlaneFigureCell) { best, memlane_decision_find_row (decision, self->row) };
}

static MemlaneFigureCell
count (MemlaneFigureWidget *widget)
{
  const MemlaneDecision *decision = MEMLANE_DECIDE_VIEW (widget)->result->decision;

  return (MemlaneFigureCell) { decision->n_columns, decision->n_rows };
}

void
memlane_decide_view_choose (MemlaneDecideView *self, double log2_elements, guint row)
{
  self->log2 = log2_elements;
  self->row = row;
  memlane_figure_widget_read_again (MEMLANE_FIGURE_WIDGET (self));
}

/* Chooses @cell, and emits "chosen". */
static void
choose (MemlaneFigureWidget *widget, MemlaneFigureCell cell, gboolean by_click)
{
  const MemlaneDecision *decision = MEMLANE_DECIDE_VIEW (widget)->result->decision;
  double log2 = decision->columns[cell.i];
  guint row = decision->rows[cell.j];

  memlane_decide_view_choose (MEMLANE_DECIDE_VIEW (widget), log2, row);
  g_signal_emit_by_name (widget, "chosen", log2, row);
}

static char *
read_cell (MemlaneFigureWidget *widget, MemlaneFigureCell cell)
{
  return memlane_decide_map_read (MEMLANE_DECIDE_VIEW (widget)->result->decision, cell.i, cell.j);
}

static const MemlaneFigureCells cells = {
  .hit = (gboolean (*) (gconstpointer, double, double, guint *, guint *)) memlane_decide_map_hit,
  .draw = (void (*) (gconstpointer, cairo_t *, guint, guint, guint,
                     guint)) memlane_decide_map_draw_overlay,
  .find_chosen = find_chosen,
  .count = count,
  .choose = choose,
  .read = read_cell,
  .cursor = "pointer",
};

static const MemlaneFigureAction actions[] = {
  { "map.previous-size", { GDK_KEY_KP_Left, GDK_KEY_Left }, 0, memlane_figure_walk_cells, -1, 0 },
  { "map.next-size", { GDK_KEY_KP_Right, GDK_KEY_Right }, 0, memlane_figure_walk_cells, 1, 0 },
  { "map.first-size", { GDK_KEY_KP_Home, GDK_KEY_Home }, 0, memlane_figure_walk_cells,
    -MEMLANE_FIGURE_FAR, 0 },
  { "map.last-size", { GDK_KEY_KP_End, GDK_KEY_End }, 0, memlane_figure_walk_cells,
    MEMLANE_FIGURE_FAR, 0 },
  { "map.more-reuse", { GDK_KEY_KP_Up, GDK_KEY_Up }, 0, memlane_figure_walk_cells, 0, 1 },
  { "map.less-reuse", { GDK_KEY_KP_Down, GDK_KEY_Down }, 0, memlane_figure_walk_cells, 0, -1 },
  { "map.most-reuse", { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, 0, memlane_figure_walk_cells, 0,
    MEMLANE_FIGURE_FAR },
  { "map.least-reuse", { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down }, 0, memlane_figure_walk_cells,
    0, -MEMLANE_FIGURE_FAR },
};

/* --- the figure, what is told ----------------------------------------------------------------- */

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneDecideResult *result = MEMLANE_DECIDE_VIEW (widget)->result;

  return result == NULL ? NULL : memlane_decide_map_drawing_new (result->decision);
}

static char *
name (MemlaneFigureWidget *widget)
{
  const MemlaneDecideResult *result = MEMLANE_DECIDE_VIEW (widget)->result;

  return g_strdup (result != NULL && result->decision->by_pieces != NULL
                       ? _("Map of the mode to use over size and number of pieces")
                       : _("Map of the mode to use over size and reuse"));
}

/* --- widget ----------------------------------------------------------------------------------- */

static void
memlane_decide_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)
      ->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                 natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = NATURAL_WIDTH;
}

MEMLANE_DEFINE_RELEASE (MemlaneDecideView, memlane_decide_view, finalize,
                        OWNS (result, memlane_decide_result_unref))

static const MemlaneFigureCalls calls = {
  .get_drawing = get_drawing,
  .name = name,
  .nothing = N_("There is no figure yet: open a run or press Run"),
  .cells = &cells,
  .actions = actions,
  .n_actions = G_N_ELEMENTS (actions),
};

static void
memlane_decide_view_class_init (MemlaneDecideViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = memlane_decide_view_measure;

  memlane_signal_add (klass, "chosen", 2, G_TYPE_DOUBLE, G_TYPE_UINT);
  memlane_figure_widget_class_set_calls (klass, &calls);
}

static void
memlane_decide_view_init (MemlaneDecideView *self)
{
  self->row = 1;
}

void
memlane_decide_view_set_result (MemlaneDecideView *self, MemlaneDecideResult *result)
{
  if (self->result == result)
    return;
  memlane_decide_result_unref (self->result);
  self->result = memlane_decide_result_ref (result);
  memlane_figure_widget_renew (MEMLANE_FIGURE_WIDGET (self));
}
