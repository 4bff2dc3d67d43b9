/* pivot-view.c: the table of modes by sizes in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include "pivot-view.h"

#include <glib/gi18n-lib.h>

#include "model/fields.h"

G_DEFINE_FINAL_TYPE (MemlanePivotView, memlane_pivot_view, MEMLANE_TYPE_FIGURE_WIDGET)

gboolean
memlane_pivot_view_has_cells (MemlanePivotView *self)
{
  return self->pivot != NULL && self->pivot->modes->len > 0;
}

/* The first cell, where none is chosen and @nearest is asked for. */
static MemlaneFigureCell
find_chosen (MemlaneFigureWidget *widget, gboolean nearest)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);
  MemlaneFigureCell cell = MEMLANE_FIGURE_NO_CELL;

  for (guint i = 0; self->mode != NULL && self->pivot != NULL && i < self->pivot->modes->len; i++)
    if (g_str_equal (self->pivot->modes->pdata[i], self->mode))
      cell.i = i;
  for (guint i = 0; cell.i != G_MAXUINT && i < self->pivot->sizes->len; i++)
    if (g_array_index (self->pivot->sizes, double, i) == self->log2)
      cell.j = i;
  if (cell.j != G_MAXUINT)
    return cell;
  return nearest && memlane_pivot_view_has_cells (self) ? (MemlaneFigureCell) { 0, 0 }
                                                        : MEMLANE_FIGURE_NO_CELL;
}

static MemlaneFigureCell
count (MemlaneFigureWidget *widget)
{
  const MemlanePivot *pivot = MEMLANE_PIVOT_VIEW (widget)->pivot;

  return (MemlaneFigureCell) { pivot->modes->len, pivot->sizes->len };
}

static void
activate_row (gpointer view, double by, double further)
{
  MemlanePivotView *self = view;

  if (self->mode != NULL)
    g_signal_emit_by_name (self, "row-activated", self->mode);
}

static void
choose (MemlaneFigureWidget *widget, MemlaneFigureCell cell, gboolean by_click)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  memlane_text_set (&self->mode, self->pivot->modes->pdata[cell.i]);
  self->log2 = g_array_index (self->pivot->sizes, double, cell.j);
  memlane_figure_widget_read_again (widget);
  if (by_click)
    activate_row (self, 0, 0);
}

static char *
read_cell (MemlaneFigureWidget *widget, MemlaneFigureCell cell)
{
  return memlane_pivot_read (MEMLANE_PIVOT_VIEW (widget)->pivot, cell.i, cell.j);
}

static const MemlaneFigureCells cells = {
  .hit = (gboolean (*) (gconstpointer, double, double, guint *, guint *)) memlane_pivot_figure_hit,
  .draw = (void (*) (gconstpointer, cairo_t *, guint, guint, guint,
                     guint)) memlane_pivot_figure_draw_overlay,
  .find_chosen = find_chosen,
  .count = count,
  .choose = choose,
  .read = read_cell,
};

static const MemlaneFigureAction actions[] = {
  { NULL, { GDK_KEY_Return, GDK_KEY_KP_Enter }, 0, activate_row },
  { "pivot.previous-size", { GDK_KEY_KP_Left, GDK_KEY_Left }, 0, memlane_figure_walk_cells, 0, -1 },
  { "pivot.next-size", { GDK_KEY_KP_Right, GDK_KEY_Right }, 0, memlane_figure_walk_cells, 0, 1 },
  { "pivot.first-size", { GDK_KEY_KP_Home, GDK_KEY_Home }, 0, memlane_figure_walk_cells, 0,
    -MEMLANE_FIGURE_FAR },
  { "pivot.last-size", { GDK_KEY_KP_End, GDK_KEY_End }, 0, memlane_figure_walk_cells, 0,
    MEMLANE_FIGURE_FAR },
  { "pivot.previous-mode", { GDK_KEY_KP_Up, GDK_KEY_Up }, 0, memlane_figure_walk_cells, -1, 0 },
  { "pivot.next-mode", { GDK_KEY_KP_Down, GDK_KEY_Down }, 0, memlane_figure_walk_cells, 1, 0 },
  { "pivot.first-mode", { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, 0, memlane_figure_walk_cells,
    -MEMLANE_FIGURE_FAR, 0 },
  { "pivot.last-mode", { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down }, 0, memlane_figure_walk_cells,
    MEMLANE_FIGURE_FAR, 0 },
};

/* --- the figure, what is told ----------------------------------------------------------------- */

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  return self->pivot != NULL ? memlane_pivot_drawing_new (self->pivot) : NULL;
}

static char *
name (MemlaneFigureWidget *widget)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  return memlane_pivot_view_has_cells (self) ? memlane_pivot_title (self->pivot)
                                             : g_strdup (_("Table of times"));
}

/* --- widget ----------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlanePivotView, memlane_pivot_view, finalize,
                        OWNS (mode, g_free) OWNS (pivot, memlane_pivot_unref))

static const MemlaneFigureCalls calls = {
  .get_drawing = get_drawing,
  .name = name,
  .nothing = N_("There is no figure yet: open a run or press Run"),
  .cells = &cells,
  .actions = actions,
  .n_actions = G_N_ELEMENTS (actions),
};

static void
memlane_pivot_view_class_init (MemlanePivotViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "row-activated", 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  memlane_figure_widget_class_set_calls (klass, &calls);
}

static void
memlane_pivot_view_init (MemlanePivotView *self)
{
}

void
memlane_pivot_view_set_pivot (MemlanePivotView *self, MemlanePivot *pivot)
{
  g_clear_pointer (&self->pivot, memlane_pivot_unref);
  self->pivot = pivot != NULL ? memlane_pivot_ref (pivot) : NULL;
  memlane_figure_widget_renew (MEMLANE_FIGURE_WIDGET (self));
}
