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
  guint size, reuse;
} Cell;

#define NO_CELL ((Cell) { G_MAXUINT, G_MAXUINT })

struct _MemlaneDecideView
{
  MemlaneFigureWidget parent_instance;

  MemlaneDecideResult *result; /* (owned) (nullable) */
  double log2;                 /* chosen */
  guint reuse;
  Cell hovered;
};

G_DEFINE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, MEMLANE_TYPE_FIGURE_WIDGET)

/* --- cells ---------------------------------------------------------------------------------------------------------------------- */

static gboolean
is_cell (Cell cell)
{
  return cell.size != G_MAXUINT;
}

static gboolean
is_same (Cell a, Cell b)
{
  return a.size == b.size && a.reuse == b.reuse;
}

/* The row nearest in a logarithm: 3 goes to 4. */
static guint
find_reuse (guint reuse)
{
  const guint64 square = (guint64) reuse * reuse;
  guint index = 0;

  while (index + 1 < MEMLANE_DECIDE_REUSES && square > (guint64) memlane_decide_reuse (index) * memlane_decide_reuse (index + 1))
    index++;
  return index;
}

static Cell
find_cell (MemlaneDecideView *self, double log2, guint reuse)
{
  const MemlaneDecision *decision = self->result != NULL ? self->result->decision : NULL;

  for (guint i = 0; decision != NULL && i < decision->n_sizes; i++)
    if (decision->sizes[i] == log2)
      return (Cell) { i, find_reuse (reuse) };
  return NO_CELL;
}

/* Returns the start of a walk by keys: the size next to the chosen one, if that is not on the map. */
static Cell
find_start (MemlaneDecideView *self)
{
  const MemlaneDecision *decision = self->result->decision;
  guint best = 0;

  for (guint i = 1; i < decision->n_sizes; i++)
    if (fabs (decision->sizes[i] - self->log2) < fabs (decision->sizes[best] - self->log2))
      best = i;
  return (Cell) { best, find_reuse (self->reuse) };
}

static Cell
hit (MemlaneDecideView *self, double x, double y)
{
  const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));
  Cell cell;

  return map != NULL && memlane_decide_map_hit (map, x, y, &cell.size, &cell.reuse) ? cell : NO_CELL;
}

/* --- what is chosen --------------------------------------------------------------------------------------------------------------- */

void
memlane_decide_view_choose (MemlaneDecideView *self, double log2_elements, guint reuse)
{
  self->log2 = log2_elements;
  self->reuse = reuse;
  memlane_figure_widget_read_again (MEMLANE_FIGURE_WIDGET (self));
}

/* And emits "chosen". */
static void
choose_cell (MemlaneDecideView *self, Cell cell)
{
  const MemlaneDecision *decision = self->result->decision;
  double log2 = decision->sizes[cell.size];
  guint reuse = memlane_decide_reuse (cell.reuse);

  memlane_decide_view_choose (self, log2, reuse);
  g_signal_emit_by_name (self, "chosen", log2, reuse);
}

static void
point (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  Cell cell = isnan (x) ? NO_CELL : hit (self, x, y);

  if (is_same (cell, self->hovered))
    return;
  self->hovered = cell;
  memlane_figure_widget_set_spoken (widget, FALSE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_cell (cell) ? "pointer" : NULL);
  memlane_figure_widget_read_again (widget);
}

static void
click (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  Cell cell = hit (MEMLANE_DECIDE_VIEW (widget), x, y);

  memlane_figure_widget_set_spoken (widget, FALSE);
  if (is_cell (cell))
    choose_cell (MEMLANE_DECIDE_VIEW (widget), cell);
}

static void
walk (gpointer view, double by_size, double by_reuse)
{
  MemlaneDecideView *self = view;
  guint n_sizes = self->result != NULL ? self->result->decision->n_sizes : 0;
  Cell cell;

  if (n_sizes == 0)
    return;
  cell = find_cell (self, self->log2, self->reuse);
  if (is_cell (cell))
    {
      cell.size = memlane_figure_step (cell.size, by_size, n_sizes);
      cell.reuse = memlane_figure_step (cell.reuse, by_reuse, MEMLANE_DECIDE_REUSES);
    }
  else
    cell = find_start (self);
  self->hovered = NO_CELL; /* a pointer that rests somewhere is not meant */
  memlane_figure_widget_set_spoken (MEMLANE_FIGURE_WIDGET (self), TRUE);
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
  Cell chosen = find_cell (self, self->log2, self->reuse);

  memlane_decide_map_draw_overlay (map, cr, self->hovered.size, self->hovered.reuse, chosen.size, chosen.reuse);
}

/* The cell that is pointed at, else the chosen one. */
static char *
read_cell (MemlaneFigureWidget *widget)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);
  Cell cell = is_cell (self->hovered) ? self->hovered : find_cell (self, self->log2, self->reuse);

  return is_cell (cell) ? memlane_decide_map_read (self->result->decision, cell.size, cell.reuse) : g_strdup ("");
}

static char *
name (MemlaneFigureWidget *widget)
{
  return g_strdup (_("Map of the mode to use over size and reuse"));
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
  self->reuse = 1;
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
