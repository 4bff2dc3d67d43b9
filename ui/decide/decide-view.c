/* decide-view.c: the map of decisions in the window: cells that the pointer reads and a click or a key chooses
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/map/decide-map.h"
#include "model/fields.h"

#define NATURAL_WIDTH 480 /* px: with the answers beside it the side panel keeps its place in a window of 1280 */

/* A place of memlane_decision_get(); both G_MAXUINT: none. */
typedef struct
{
  guint column, row;
} Cell;

#define NO_CELL ((Cell) { G_MAXUINT, G_MAXUINT })

struct _MemlaneDecideView
{
  MemlaneFigureWidget parent_instance;

  MemlaneDecideResult *result; /* (owned) (nullable) */
  double log2;                 /* chosen */
  guint row;
  Cell hovered;
};

G_DEFINE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, MEMLANE_TYPE_FIGURE_WIDGET)

/* --- cells ---------------------------------------------------------------------------------------------------------------------- */

static gboolean
is_cell (Cell cell)
{
  return cell.column != G_MAXUINT;
}

static gboolean
is_same (Cell a, Cell b)
{
  return a.column == b.column && a.row == b.row;
}

/* @off: a size that is not on the map gives the next one of it, else no cell. */
static Cell
find_chosen (MemlaneDecideView *self, gboolean off)
{
  const MemlaneDecision *decision = self->result != NULL ? self->result->decision : NULL;
  guint best = 0;

  if (decision == NULL || decision->n_columns == 0)
    return NO_CELL;
  for (guint i = 1; i < decision->n_columns; i++)
    if (fabs (decision->columns[i] - self->log2) < fabs (decision->columns[best] - self->log2))
      best = i;
  return off || decision->columns[best] == self->log2 ? (Cell) { best, memlane_decision_find_row (decision, self->row) } : NO_CELL;
}

static Cell
hit (MemlaneDecideView *self, double x, double y)
{
  const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));
  Cell cell;

  return map != NULL && memlane_decide_map_hit (map, x, y, &cell.column, &cell.row) ? cell : NO_CELL;
}

/* --- what is chosen --------------------------------------------------------------------------------------------------------------- */

void
memlane_decide_view_choose (MemlaneDecideView *self, double log2_elements, guint row)
{
  self->log2 = log2_elements;
  self->row = row;
  memlane_figure_widget_read_again (MEMLANE_FIGURE_WIDGET (self));
}

/* And emits "chosen". */
static void
choose_cell (MemlaneDecideView *self, Cell cell)
{
  const MemlaneDecision *decision = self->result->decision;
  double log2 = decision->columns[cell.column];
  guint row = decision->rows[cell.row];

  memlane_decide_view_choose (self, log2, row);
  g_signal_emit_by_name (self, "chosen", log2, row);
}

static void
point (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  Cell cell = isnan (x) ? NO_CELL : hit (self, x, y);

  if (is_same (cell, self->hovered))
    return;
  self->hovered = cell;
  widget->spoken = FALSE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_cell (cell) ? "pointer" : NULL);
  memlane_figure_widget_read_again (widget);
}

static void
click (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  Cell cell = hit (MEMLANE_DECIDE_VIEW (widget), x, y);

  widget->spoken = FALSE;
  if (is_cell (cell))
    choose_cell (MEMLANE_DECIDE_VIEW (widget), cell);
}

static void
walk (gpointer view, double by_column, double by_row)
{
  MemlaneDecideView *self = view;
  Cell cell = find_chosen (self, FALSE);

  if (is_cell (cell))
    {
      cell.column = memlane_figure_step (cell.column, by_column, self->result->decision->n_columns);
      cell.row = memlane_figure_step (cell.row, by_row, self->result->decision->n_rows);
    }
  else
    cell = find_chosen (self, TRUE); /* a walk starts beside a size that is not on the map */
  if (!is_cell (cell))
    return;
  self->hovered = NO_CELL; /* a pointer that rests somewhere is not meant */
  MEMLANE_FIGURE_WIDGET (self)->spoken = TRUE;
  choose_cell (self, cell);
}

static const MemlaneFigureAction actions[] = {
  { "map.previous-size", { GDK_KEY_KP_Left, GDK_KEY_Left }, 0, walk, -1, 0 },
  { "map.next-size", { GDK_KEY_KP_Right, GDK_KEY_Right }, 0, walk, 1, 0 },
  { "map.first-size", { GDK_KEY_KP_Home, GDK_KEY_Home }, 0, walk, -MEMLANE_FIGURE_FAR, 0 },
  { "map.last-size", { GDK_KEY_KP_End, GDK_KEY_End }, 0, walk, MEMLANE_FIGURE_FAR, 0 },
  { "map.more-reuse", { GDK_KEY_KP_Up, GDK_KEY_Up }, 0, walk, 0, 1 },
  { "map.less-reuse", { GDK_KEY_KP_Down, GDK_KEY_Down }, 0, walk, 0, -1 },
  { "map.most-reuse", { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, 0, walk, 0, MEMLANE_FIGURE_FAR },
  { "map.least-reuse", { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down }, 0, walk, 0, -MEMLANE_FIGURE_FAR },
};

/* --- the figure, what is told --------------------------------------------------------------------------------------------------- */

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneDecideResult *result = MEMLANE_DECIDE_VIEW (widget)->result;

  return result == NULL ? NULL : memlane_decide_map_drawing_new (result->decision);
}

static void
draw_overlay (MemlaneFigureWidget *widget, gconstpointer map, cairo_t *cr)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  Cell chosen = find_chosen (self, FALSE);

  memlane_decide_map_draw_overlay (map, cr, self->hovered.column, self->hovered.row, chosen.column, chosen.row);
}

/* The cell that is pointed at, else the chosen one. */
static char *
read_cell (MemlaneFigureWidget *widget)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  Cell cell = is_cell (self->hovered) ? self->hovered : find_chosen (self, FALSE);

  return is_cell (cell) ? memlane_decide_map_read (self->result->decision, cell.column, cell.row) : g_strdup ("");
}

static char *
name (MemlaneFigureWidget *widget)
{
  const MemlaneDecideResult *result = MEMLANE_DECIDE_VIEW (widget)->result;

  return g_strdup (result != NULL && result->decision->by_pieces != NULL ? _("Map of the mode to use over size and number of pieces")
                                                                         : _("Map of the mode to use over size and reuse"));
}

static char *
describe (MemlaneFigureWidget *widget)
{
  MemlaneDecideResult *result = MEMLANE_DECIDE_VIEW (widget)->result;

  return result != NULL ? memlane_decide_map_describe (result->decision) : g_strdup (_("No map"));
}

static char *
get_title (MemlaneFigureWidget *widget)
{
  return g_strdup (_("Which mode to use"));
}

/* --- widget --------------------------------------------------------------------------------------------------------------------- */

static void
memlane_decide_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                                                                natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = NATURAL_WIDTH;
}

static void
memlane_decide_view_dispose (GObject *object)
{
  G_OBJECT_CLASS (memlane_decide_view_parent_class)->dispose (object);
  g_clear_pointer (&MEMLANE_DECIDE_VIEW (object)->result, memlane_decide_result_unref);
}

static void
memlane_decide_view_class_init (MemlaneDecideViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MemlaneFigureWidgetClass *figure_class = MEMLANE_FIGURE_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = memlane_decide_view_dispose;
  widget_class->measure = memlane_decide_view_measure;
  figure_class->get_drawing = get_drawing;
  figure_class->draw_overlay = draw_overlay;
  figure_class->read = read_cell;
  figure_class->name = name;
  figure_class->describe = describe;
  figure_class->nothing = N_("There is no figure yet: open a run or press Run");
  figure_class->title = get_title;
  figure_class->point = point;
  figure_class->click = click;

  memlane_signal_add (klass, "chosen", 2, G_TYPE_DOUBLE, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "decideview");
  memlane_figure_widget_class_add_actions (figure_class, actions, G_N_ELEMENTS (actions));
}

static void
memlane_decide_view_init (MemlaneDecideView *self)
{
  self->hovered = NO_CELL;
  self->row = 1;
}

void
memlane_decide_view_set_result (MemlaneDecideView *self, MemlaneDecideResult *result)
{
  if (self->result == result)
    return;
  g_clear_pointer (&self->result, memlane_decide_result_unref);
  self->result = result != NULL ? memlane_decide_result_ref (result) : NULL;
  self->hovered = NO_CELL; /* other cells may lie there now */
  memlane_figure_widget_renew (MEMLANE_FIGURE_WIDGET (self));
}
