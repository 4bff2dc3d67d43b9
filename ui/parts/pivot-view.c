/* pivot-view.c: the table of modes by sizes in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include "pivot-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "model/fields.h"

#define NO_CELL ((MemlanePivotPlace) { G_MAXUINT, G_MAXUINT })

G_DEFINE_FINAL_TYPE (MemlanePivotView, memlane_pivot_view, MEMLANE_TYPE_FIGURE_WIDGET)

gboolean
memlane_pivot_view_has_cells (MemlanePivotView *self)
{
  return self->pivot != NULL && self->pivot->modes->len > 0;
}

static MemlanePivotPlace
find_chosen (MemlanePivotView *self)
{
  MemlanePivotPlace cell = NO_CELL;

  for (guint i = 0; self->mode != NULL && self->pivot != NULL && i < self->pivot->modes->len; i++)
    if (g_str_equal (self->pivot->modes->pdata[i], self->mode))
      cell.mode = i;
  for (guint i = 0; cell.mode != G_MAXUINT && i < self->pivot->sizes->len; i++)
    if (g_array_index (self->pivot->sizes, double, i) == self->log2)
      cell.size = i;
  return cell.size != G_MAXUINT ? cell : NO_CELL;
}

static void
choose (MemlanePivotView *self, MemlanePivotPlace cell)
{
  g_free (self->mode);
  self->mode = g_strdup (self->pivot->modes->pdata[cell.mode]);
  self->log2 = g_array_index (self->pivot->sizes, double, cell.size);
  memlane_figure_widget_read_again (MEMLANE_FIGURE_WIDGET (self));
}

static MemlanePivotPlace
hit (MemlanePivotView *self, double x, double y)
{
  const MemlanePivotFigure *figure = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (self));
  MemlanePivotPlace cell = NO_CELL;

  return figure != NULL && memlane_pivot_figure_hit (figure, x, y, &cell.mode, &cell.size) ? cell : NO_CELL;
}

static void
point (MemlaneFigureWidget *widget, double x, double y)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);
  MemlanePivotPlace cell = isnan (x) ? NO_CELL : hit (self, x, y);

  if (cell.mode == self->hovered.mode && cell.size == self->hovered.size)
    return;
  self->hovered = cell;
  widget->spoken = FALSE;
  memlane_figure_widget_read_again (widget);
}

static void
activate_row (gpointer view, double by, double further)
{
  MemlanePivotView *self = view;

  if (self->mode != NULL)
    g_signal_emit_by_name (self, "row-activated", self->mode);
}

static void
click (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  MemlanePivotPlace cell = hit (MEMLANE_PIVOT_VIEW (widget), x, y);

  widget->spoken = FALSE;
  if (cell.mode == G_MAXUINT)
    return;
  choose (MEMLANE_PIVOT_VIEW (widget), cell);
  activate_row (widget, 0, 0);
}

/* --- keys ----------------------------------------------------------------------------------------------------------------- */

/* From the first cell, where none is chosen. */
static void
walk (gpointer view, double by_size, double by_mode)
{
  MemlanePivotView *self = view;
  MemlanePivotPlace cell = find_chosen (self);

  if (!memlane_pivot_view_has_cells (self))
    return;
  if (cell.mode == G_MAXUINT)
    cell = (MemlanePivotPlace) { 0, 0 };
  else
    cell = (MemlanePivotPlace) { memlane_figure_step (cell.mode, by_mode, self->pivot->modes->len),
                    memlane_figure_step (cell.size, by_size, self->pivot->sizes->len) };
  self->hovered = NO_CELL; /* a pointer that rests somewhere is not meant */
  MEMLANE_FIGURE_WIDGET (self)->spoken = TRUE;
  choose (self, cell);
}

static const MemlaneFigureAction actions[] = {
  { NULL, { GDK_KEY_Return, GDK_KEY_KP_Enter }, 0, activate_row },
  { "pivot.previous-size", { GDK_KEY_KP_Left, GDK_KEY_Left }, 0, walk, -1, 0 },
  { "pivot.next-size", { GDK_KEY_KP_Right, GDK_KEY_Right }, 0, walk, 1, 0 },
  { "pivot.first-size", { GDK_KEY_KP_Home, GDK_KEY_Home }, 0, walk, -MEMLANE_FIGURE_FAR, 0 },
  { "pivot.last-size", { GDK_KEY_KP_End, GDK_KEY_End }, 0, walk, MEMLANE_FIGURE_FAR, 0 },
  { "pivot.previous-mode", { GDK_KEY_KP_Up, GDK_KEY_Up }, 0, walk, 0, -1 },
  { "pivot.next-mode", { GDK_KEY_KP_Down, GDK_KEY_Down }, 0, walk, 0, 1 },
  { "pivot.first-mode", { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, 0, walk, 0, -MEMLANE_FIGURE_FAR },
  { "pivot.last-mode", { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down }, 0, walk, 0, MEMLANE_FIGURE_FAR },
};

/* --- the figure, what is told --------------------------------------------------------------------------------------------- */

static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  return self->pivot != NULL ? memlane_pivot_drawing_new (self->pivot) : NULL;
}

static void
draw_overlay (MemlaneFigureWidget *widget, gconstpointer figure, cairo_t *cr)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);
  MemlanePivotPlace chosen = find_chosen (self);

  memlane_pivot_figure_draw_overlay (figure, cr, self->hovered.mode, self->hovered.size, chosen.mode, chosen.size);
}

/* The cell that is pointed at, else the chosen one. */
static char *
read_cell (MemlaneFigureWidget *widget)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);
  MemlanePivotPlace cell = self->hovered.mode != G_MAXUINT ? self->hovered : find_chosen (self);

  return self->pivot != NULL ? memlane_pivot_read (self->pivot, cell.mode, cell.size) : g_strdup ("");
}

static char *
name (MemlaneFigureWidget *widget)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  return memlane_pivot_view_has_cells (self) ? memlane_pivot_title (self->pivot) : g_strdup (_("Table of median times"));
}

static char *
describe (MemlaneFigureWidget *widget)
{
  MemlanePivotView *self = MEMLANE_PIVOT_VIEW (widget);

  return self->pivot != NULL ? memlane_pivot_describe (self->pivot) : g_strdup (_("No table"));
}

/* --- widget ---------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlanePivotView, memlane_pivot_view, finalize, OWNS (mode, g_free))

static void
dispose (GObject *object)
{
  G_OBJECT_CLASS (memlane_pivot_view_parent_class)->dispose (object);
  g_clear_pointer (&MEMLANE_PIVOT_VIEW (object)->pivot, memlane_pivot_unref);
}

static void
memlane_pivot_view_class_init (MemlanePivotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MemlaneFigureWidgetClass *figure_class = MEMLANE_FIGURE_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  figure_class->get_drawing = get_drawing;
  figure_class->draw_overlay = draw_overlay;
  figure_class->read = read_cell;
  figure_class->name = name;
  figure_class->describe = describe;
  figure_class->nothing = N_("There is no figure yet: open a run or press Run");
  figure_class->title = name;
  figure_class->point = point;
  figure_class->click = click;
  memlane_signal_add (klass, "row-activated", 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  gtk_widget_class_set_css_name (widget_class, "pivotview");
  memlane_figure_widget_class_add_actions (figure_class, actions, G_N_ELEMENTS (actions));
}

static void
memlane_pivot_view_init (MemlanePivotView *self)
{
  self->hovered = NO_CELL;
}

void
memlane_pivot_view_set_pivot (MemlanePivotView *self, MemlanePivot *pivot)
{
  g_clear_pointer (&self->pivot, memlane_pivot_unref);
  self->pivot = pivot != NULL ? memlane_pivot_ref (pivot) : NULL;
  self->hovered = NO_CELL; /* another cell may lie there now */
  memlane_figure_widget_renew (MEMLANE_FIGURE_WIDGET (self));
}
