/* figure-widget.c: a figure in the window: layers, style, focus, pointer, context menu, what is
 * told
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-widget.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart-layer.h"
#include "model/fields.h"

#define FOCUS_WIDTH 2
/* of the text, by a window twice as large as 1280x720: 11 px become 13 at 1920x1080 */
#define GROWTH 0.36
#define NOTCH 1.25       /* so much nearer by one notch of a wheel */
#define BAND_BEGINS 6    /* px: below it is a click with an unsteady hand */

G_DEFINE_ABSTRACT_TYPE (MemlaneFigureWidget, memlane_figure_widget, GTK_TYPE_WIDGET)

#define CALLS(self) (&MEMLANE_FIGURE_WIDGET_GET_CLASS (self)->calls)

static const MemlaneField fields[] = {
  { "projector", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneFigureWidget, projector),
    MEMLANE_FIELD_WRITABLE, 0, 1, FALSE },
  { "reading", MEMLANE_FIELD_TEXT, G_STRUCT_OFFSET (MemlaneFigureWidget, reading), 0, 0, 0, 0 },
  { "zoomed", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneFigureWidget, zoomed), 0, 0, 1, FALSE },
};

/* --- layers ----------------------------------------------------------------------------------- */

static void
drop_layout (MemlaneFigureWidget *self)
{
  if (self->layout != NULL)
    g_clear_pointer (&self->layout, self->drawing->klass->free_layout);
  g_clear_pointer (&self->drawing, memlane_drawing_free);
}

static void
get_size (MemlaneFigureWidget *self, int *width, int *height)
{
  *width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_WIDTH);
  *height = MAX (gtk_widget_get_height (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_HEIGHT);
}

double
memlane_figure_text_growth (GtkWidget *widget)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));

  if (root == NULL)
    return 1;
  return 1 + GROWTH * MAX (0, MIN (gtk_widget_get_width (root) / 1280.0,
                                   gtk_widget_get_height (root) / 720.0) - 1);
}

gpointer
memlane_figure_widget_lay_out (MemlaneFigureWidget *self, const MemlaneDrawing *drawing)
{
  /* font settings and text size are GTK's */
  PangoContext *pango = gtk_widget_create_pango_context (GTK_WIDGET (self));
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  double growth = self->projector ? 1 : memlane_figure_text_growth (GTK_WIDGET (self));
  MemlaneStyle style = *self->style;
  gpointer layout;
  int width, height;

  style.text_size *= growth;
  style.line_width *= growth;
  style.marker_radius *= growth;

  get_size (self, &width, &height);
  /* a figure below a line of words is read from as far as one that fills the wall */
  if (self->projector && root != NULL)
    {
      style.wall_width = gtk_widget_get_width (GTK_WIDGET (root));
      style.wall_height = gtk_widget_get_height (GTK_WIDGET (root));
    }
  layout = drawing->klass->layout (drawing->content, &style, width, height, pango);
  g_object_unref (pango);
  return layout;
}

gpointer
memlane_figure_widget_get_layout (MemlaneFigureWidget *self)
{
  int width, height;

  get_size (self, &width, &height);
  if (self->layout != NULL && self->width == width && self->height == height)
    return self->layout;
  drop_layout (self);
  self->drawing = CALLS (self)->get_drawing (self, FALSE);
  if (self->drawing == NULL)
    return NULL;
  self->layout = memlane_figure_widget_lay_out (self, self->drawing);
  self->width = width;
  self->height = height;
  return self->layout;
}

static void
paint_figure (cairo_t *cr, double width, double height, gpointer figure)
{
  MemlaneFigureWidget *self = figure;
  const MemlaneColor *background = &self->style->background;
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL)
    {
      self->drawing->klass->draw (layout, cr); /* with its background */
      return;
    }
  cairo_set_source_rgba (cr, background->red, background->green, background->blue,
                         background->alpha);
  cairo_paint (cr);
}

static void
paint_chosen (cairo_t *cr, double width, double height, gpointer self)
{
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL)
    CALLS (self)->draw_chosen (self, layout, cr);
}

static void
paint_overlay (cairo_t *cr, double width, double height, gpointer self)
{
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL && CALLS (self)->draw_overlay != NULL)
    CALLS (self)->draw_overlay (self, layout, cr);
}

void
memlane_figure_widget_redraw (MemlaneFigureWidget *self, MemlaneFigureLayer layer)
{
  if (self->layers[layer] != NULL)
    memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->layers[layer]));
}

void
memlane_figure_widget_invalidate (MemlaneFigureWidget *self)
{
  drop_layout (self);
  if (self->layers[MEMLANE_FIGURE_ITSELF] == NULL)
    return; /* it is being taken down */
  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    memlane_figure_widget_redraw (self, i);
  if (CALLS (self)->invalidated != NULL)
    CALLS (self)->invalidated (self);
}

/* --- style ------------------------------------------------------------------------------------ */

const MemlaneStyle *
memlane_figure_style (GtkWidget *widget, gboolean projector)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  gboolean dark = adw_style_manager_get_dark (manager);

  if (projector)
    return memlane_style_get (dark ? MEMLANE_STYLE_PROJECTOR_DARK : MEMLANE_STYLE_PROJECTOR);
  if (adw_style_manager_get_high_contrast (manager))
    return memlane_style_get (dark ? MEMLANE_STYLE_HIGH_CONTRAST_DARK
                                   : MEMLANE_STYLE_HIGH_CONTRAST);
  return memlane_style_get (dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN);
}

static void
restyle (MemlaneFigureWidget *self)
{
  const MemlaneStyle *style = memlane_figure_style (GTK_WIDGET (self), self->projector);

  if (self->style == style)
    return;
  self->style = style;
  memlane_figure_widget_invalidate (self);
}

void
memlane_figure_widget_set_projector (MemlaneFigureWidget *self, gboolean projector)
{
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  if (CALLS (self)->projector_changed != NULL)
    CALLS (self)->projector_changed (self);
  restyle (self);
  g_object_notify (G_OBJECT (self), "projector");
}

/* --- what is told ----------------------------------------------------------------------------- */

static char *
describe (MemlaneFigureWidget *self)
{
  g_autoptr (MemlaneDrawing) drawing = CALLS (self)->describe == NULL
                                       ? CALLS (self)->get_drawing (self, FALSE) : NULL;

  if (CALLS (self)->describe != NULL)
    return CALLS (self)->describe (self);
  return drawing != NULL ? drawing->klass->describe (drawing->content) : g_strdup ("");
}

void
memlane_figure_widget_describe (MemlaneFigureWidget *self)
{
  g_autofree char *name = CALLS (self)->name (self), *description = describe (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  self->described = TRUE;
}

void
memlane_figure_widget_renew (MemlaneFigureWidget *self)
{
  self->spoken = FALSE;
  self->hovered = MEMLANE_FIGURE_NO_CELL; /* another cell may lie there now */
  memlane_figure_widget_invalidate (self);
  if (!gtk_widget_has_focus (GTK_WIDGET (self)))
    memlane_figure_widget_describe (self);
  memlane_figure_widget_update_reading (self);
}

void
memlane_figure_widget_read_again (MemlaneFigureWidget *self)
{
  memlane_figure_widget_redraw (self, MEMLANE_FIGURE_OVERLAY);
  memlane_figure_widget_update_reading (self);
}

void
memlane_figure_widget_update_reading (MemlaneFigureWidget *self)
{
  g_autofree char *reading = CALLS (self)->read (self);

  if (g_str_equal (reading, self->reading))
    return;
  g_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  self->reading, -1);
  if (self->spoken && self->reading[0] != '\0')
    {
      /* GTK 4.8 hands no change of a value's text on to screen readers, but every change of the
       * description. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      self->reading, -1);
      self->described = FALSE;
    }
  else if (!self->described)
    memlane_figure_widget_describe (self);
  g_object_notify (G_OBJECT (self), "reading");
}

void
memlane_figure_widget_set_zoomed (MemlaneFigureWidget *self, gboolean zoomed)
{
  memlane_field_set_flag (self, "zoomed", &self->zoomed, zoomed);
}

/* --- files and paper -------------------------------------------------------------------------- */

MemlaneDrawing *
memlane_figure_widget_get_drawing (MemlaneFigureWidget *self, GError **error)
{
  MemlaneDrawing *drawing = CALLS (self)->get_drawing (self, TRUE);

  if (drawing == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _(CALLS (self)->nothing));
  return drawing;
}

/* --- pointer ---------------------------------------------------------------------------------- */

static void
motion_cb (MemlaneFigureWidget *self, double x, double y)
{
  /* GTK says it again when the layout changed under a resting pointer: what keys have chosen
   * stays. */
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  if (CALLS (self)->point != NULL)
    CALLS (self)->point (self, x, y);
}

static void
leave_cb (MemlaneFigureWidget *self)
{
  motion_cb (self, NAN, NAN);
}

static void
pressed_cb (MemlaneFigureWidget *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (CALLS (self)->press != NULL)
    CALLS (self)->press (self, n_press, x, y);
}

static void
released_cb (MemlaneFigureWidget *self, int n_press, double x, double y)
{
  if (!self->banding && CALLS (self)->click != NULL)
    CALLS (self)->click (self, n_press, x, y);
}

static gboolean
end_band (MemlaneFigureWidget *self, gboolean done)
{
  gboolean banding = self->banding;

  self->pressed = self->banding = FALSE;
  if (banding && CALLS (self)->band_end != NULL)
    CALLS (self)->band_end (self, done);
  return banding;
}

gboolean
memlane_figure_widget_cancel_band (MemlaneFigureWidget *self)
{
  return end_band (self, FALSE);
}

static void
drag_begin_cb (MemlaneFigureWidget *self, double x, double y)
{
  self->banding = FALSE;
  self->pressed = CALLS (self)->band_begin (self, x, y);
  self->press_x = x;
  self->press_y = y;
}

static void
drag_update_cb (MemlaneFigureWidget *self, double dx, double dy, GtkGesture *gesture)
{
  if (!self->pressed || (!self->banding && hypot (dx, dy) < BAND_BEGINS))
    return;
  if (!self->banding)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED); /* no click any more */
  self->banding = TRUE;
  CALLS (self)->band_move (self, self->press_x + dx, self->press_y + dy);
}

static void
drag_end_cb (MemlaneFigureWidget *self)
{
  end_band (self, TRUE);
}

/* --- wheel and touch -------------------------------------------------------------------------- */

static gboolean
scroll_cb (MemlaneFigureWidget *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  gboolean by_px = gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (controller))
                   == GDK_SCROLL_UNIT_SURFACE;

  if (state & GDK_CONTROL_MASK)
    return CALLS (self)->zoom (self, self->pointer_x, self->pointer_y,
                               pow (NOTCH, by_px ? dy / MEMLANE_FIGURE_NOTCH : dy));
  if (state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  return CALLS (self)->scroll (self, dx, dy, by_px);
}

static void
pinch_begin_cb (MemlaneFigureWidget *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  memlane_figure_widget_cancel_band (self); /* the first finger meant something else */
  self->pinch =
      gtk_gesture_get_bounding_box_center (gesture, &self->pinch_x, &self->pinch_y) ? 1 : 0;
}

static void
pinch_cb (MemlaneFigureWidget *self, double scale, GtkGesture *gesture)
{
  double x, y;

  if (!(scale > 0) || !(self->pinch > 0) || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  CALLS (self)->zoom (self, x, y, self->pinch / scale);
  if (CALLS (self)->drag != NULL)
    CALLS (self)->drag (self, x - self->pinch_x, y - self->pinch_y);
  self->pinch = scale;
  self->pinch_x = x;
  self->pinch_y = y;
}

/* --- actions and keys ------------------------------------------------------------------------- */

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const MemlaneFigureAction *action = CALLS (widget)->actions;

  while (g_strcmp0 (action->action, name) != 0)
    action++;
  action->act (widget, action->by, action->further);
}

static gboolean
key_cb (GtkWidget *widget, GVariant *place, gpointer user_data)
{
  const MemlaneFigureAction *action = &CALLS (widget)->actions[g_variant_get_uint32 (place)];

  action->act (widget, action->by, action->further);
  return TRUE;
}

static void
add_actions (GtkWidgetClass *widget_class, const MemlaneFigureAction *actions, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const MemlaneFigureAction *row = &actions[i];

      if (row->action != NULL && row->act != NULL
          && (i == 0 || g_strcmp0 (actions[i - 1].action, row->action) != 0))
        gtk_widget_class_install_action (widget_class, row->action, NULL, action_cb);
      for (guint k = 0; k < G_N_ELEMENTS (row->keys) && row->keys[k] != 0; k++)
        if (row->action != NULL)
          gtk_widget_class_add_binding_action (widget_class, row->keys[k], row->modifiers,
                                               row->action, NULL);
        else
          gtk_widget_class_add_binding (widget_class, row->keys[k], row->modifiers, key_cb, "u", i);
    }
}

/* --- cells ------------------------------------------------------------------------------------ */

static gboolean
is_cell (MemlaneFigureCell cell)
{
  return cell.i != G_MAXUINT;
}

static MemlaneFigureCell
hit_cell (MemlaneFigureWidget *self, double x, double y)
{
  gconstpointer layout = isnan (x) ? NULL : memlane_figure_widget_get_layout (self);
  MemlaneFigureCell cell;

  return layout != NULL && CALLS (self)->cells->hit (layout, x, y, &cell.i, &cell.j)
           ? cell : MEMLANE_FIGURE_NO_CELL;
}

static void
point_at_cell (MemlaneFigureWidget *self, double x, double y)
{
  const char *cursor = CALLS (self)->cells->cursor;
  MemlaneFigureCell cell = hit_cell (self, x, y);

  if (cell.i == self->hovered.i && cell.j == self->hovered.j)
    return;
  self->hovered = cell;
  self->spoken = FALSE;
  if (cursor != NULL)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_cell (cell) ? cursor : NULL);
  memlane_figure_widget_read_again (self);
}

static void
click_cell (MemlaneFigureWidget *self, int n_press, double x, double y)
{
  MemlaneFigureCell cell = hit_cell (self, x, y);

  self->spoken = FALSE;
  if (is_cell (cell))
    CALLS (self)->cells->choose (self, cell, TRUE);
}

static void
draw_cells (MemlaneFigureWidget *self, gconstpointer layout, cairo_t *cr)
{
  MemlaneFigureCell chosen = CALLS (self)->cells->find_chosen (self, FALSE);

  CALLS (self)->cells->draw (layout, cr, self->hovered.i, self->hovered.j, chosen.i, chosen.j);
}

static char *
read_cell (MemlaneFigureWidget *self)
{
  MemlaneFigureCell cell = is_cell (self->hovered) ? self->hovered
                                                   : CALLS (self)->cells->find_chosen (self, FALSE);

  return is_cell (cell) ? CALLS (self)->cells->read (self, cell) : g_strdup ("");
}

void
memlane_figure_walk_cells (gpointer view, double by, double further)
{
  MemlaneFigureWidget *self = view;
  const MemlaneFigureCells *cells = CALLS (self)->cells;
  MemlaneFigureCell cell = cells->find_chosen (self, FALSE), n;

  if (is_cell (cell))
    {
      n = cells->count (self);
      cell.i = (guint) CLAMP (cell.i + by, 0, n.i - 1.0);
      cell.j = (guint) CLAMP (cell.j + further, 0, n.j - 1.0);
    }
  else
    cell = cells->find_chosen (self, TRUE);
  if (!is_cell (cell))
    return;
  self->hovered = MEMLANE_FIGURE_NO_CELL; /* a pointer that rests somewhere is not meant */
  self->spoken = TRUE;
  cells->choose (self, cell, FALSE);
}

void
memlane_figure_widget_class_set_calls (gpointer klass, const MemlaneFigureCalls *calls)
{
  MemlaneFigureCalls *own = &MEMLANE_FIGURE_WIDGET_CLASS (klass)->calls;

  *own = *calls;
  add_actions (klass, own->actions, own->n_actions);
  if (own->cells == NULL)
    return;
  own->draw_overlay = draw_cells;
  own->read = read_cell;
  own->point = point_at_cell;
  own->click = click_cell;
}

/* --- the context menu ------------------------------------------------------------------------- */

static void
add_section (GMenu *menu, const MemlaneFigureEntry *entries)
{
  g_autoptr (GMenu) section = g_menu_new ();

  for (; entries->label != NULL; entries++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_(entries->label), entries->action);

      g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GtkWidget *
make_menu (MemlaneFigureWidget *self)
{
  static const MemlaneFigureEntry files[] = {
    { N_("_Copy Figure"), "win.copy-figure" },
    { N_("E_xport Figure…"), "win.export-figure" },
    { N_("_Print…"), "win.print" },
    { NULL },
  };
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *popover;

  for (guint i = 0; i < MEMLANE_FIGURE_MOST_SECTIONS && CALLS (self)->menu[i] != NULL; i++)
    add_section (menu, CALLS (self)->menu[i]);
  add_section (menu, files);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  return popover;
}

static gboolean
has_menu (MemlaneFigureWidget *self)
{
  return CALLS (self)->nothing != NULL && !self->projector;
}

static void
pop_up (MemlaneFigureWidget *self, double x, double y)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->menu == NULL)
    self->menu = make_menu (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
pop_up_at (MemlaneFigureWidget *self, double x, double y, GtkGesture *gesture)
{
  if (!has_menu (self))
    return; /* the event is left to others */
  if (CALLS (self)->menu_at != NULL)
    CALLS (self)->menu_at (self, x, y);
  pop_up (self, x, y);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
secondary_cb (MemlaneFigureWidget *self, int n_press, double x, double y, GtkGesture *gesture)
{
  pop_up_at (self, x, y, gesture);
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneFigureWidget *self = MEMLANE_FIGURE_WIDGET (widget);
  double x = gtk_widget_get_width (widget) / 2.0, y = gtk_widget_get_height (widget) / 2.0;

  if (!has_menu (self)
      || (CALLS (self)->place_menu != NULL && !CALLS (self)->place_menu (self, &x, &y)))
    return FALSE;
  pop_up (self, x, y);
  return TRUE;
}

/* --- widget ----------------------------------------------------------------------------------- */

/* Less than a figure needs, so that a window of 320x240 keeps its bars. */
static void
memlane_figure_widget_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                               int *minimum, int *natural, int *minimum_baseline,
                               int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 360;
}

static void
memlane_figure_widget_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneFigureWidget *self = MEMLANE_FIGURE_WIDGET (widget);

  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    if (self->layers[i] != NULL)
      gtk_widget_allocate (self->layers[i], width, height, -1, NULL);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
memlane_figure_widget_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GdkRGBA color = { 0.2f, 0.5f, 0.9f, 1 };
  float width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  GTK_WIDGET_CLASS (memlane_figure_widget_parent_class)->snapshot (widget, snapshot);
  if (!gtk_widget_has_visible_focus (widget) || !(width > 0)
      || (MEMLANE_FIGURE_WIDGET (widget)->projector && !CALLS (widget)->focus_when_projected))
    return;
  /* GTK's own ring would need a style for a widget that no theme knows. */
  gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &color);
  gtk_snapshot_append_border (snapshot, &GSK_ROUNDED_RECT_INIT (0, 0, width, height),
                              (float[]) { FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH },
                              (GdkRGBA[]) { color, color, color, color });
}

static void
memlane_figure_widget_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GtkStateFlags now = gtk_widget_get_state_flags (widget);

  if ((before ^ now) & (GTK_STATE_FLAG_FOCUSED | GTK_STATE_FLAG_FOCUS_VISIBLE))
    gtk_widget_queue_draw (widget); /* the layers keep what they have */
  if (before & ~now & GTK_STATE_FLAG_FOCUSED)
    memlane_figure_widget_describe (MEMLANE_FIGURE_WIDGET (widget));
  GTK_WIDGET_CLASS (memlane_figure_widget_parent_class)->state_flags_changed (widget, before);
}

/* Fonts, their rendering, the text size. */
static void
memlane_figure_widget_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_figure_widget_parent_class)->system_setting_changed (widget, setting);
  memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (widget));
}

static void
memlane_figure_widget_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  GTK_WIDGET_CLASS (memlane_figure_widget_parent_class)->direction_changed (widget, before);
  memlane_figure_widget_invalidate (MEMLANE_FIGURE_WIDGET (widget));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (object), g_value_get_boolean (value));
}

static void
add_controllers (MemlaneFigureWidget *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  memlane_follow (self, (const MemlaneFollowed[]) {
    { motion, "enter", G_CALLBACK (motion_cb) },
    { motion, "motion", G_CALLBACK (motion_cb) },
    { motion, "leave", G_CALLBACK (leave_cb) },
    { click, "pressed", G_CALLBACK (pressed_cb) },
    { click, "released", G_CALLBACK (released_cb) },
    { NULL },
  });
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  if (CALLS (self)->zoom != NULL)
    {
      GtkEventController *scroll =
          gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
      GtkGesture *pinch = gtk_gesture_zoom_new ();

      memlane_follow (self, (const MemlaneFollowed[]) {
        { scroll, "scroll", G_CALLBACK (scroll_cb) },
        { pinch, "begin", G_CALLBACK (pinch_begin_cb) },
        { pinch, "scale-changed", G_CALLBACK (pinch_cb) },
        { NULL },
      });
      gtk_widget_add_controller (widget, scroll);
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
    }
  if (CALLS (self)->band_begin != NULL)
    {
      GtkGesture *drag = gtk_gesture_drag_new ();

      memlane_follow (self, (const MemlaneFollowed[]) {
        { drag, "drag-begin", G_CALLBACK (drag_begin_cb) },
        { drag, "drag-update", G_CALLBACK (drag_update_cb) },
        { drag, "drag-end", G_CALLBACK (drag_end_cb) },
        { drag, "cancel", G_CALLBACK (memlane_figure_widget_cancel_band) },
        { NULL },
      });
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
    }
  if (CALLS (self)->nothing != NULL)
    {
      GtkGesture *secondary = gtk_gesture_click_new (), *long_press = gtk_gesture_long_press_new ();

      gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
      gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (long_press), TRUE);
      memlane_follow (self, (const MemlaneFollowed[]) {
        { secondary, "pressed", G_CALLBACK (secondary_cb) },
        { long_press, "pressed", G_CALLBACK (pop_up_at) },
        { NULL },
      });
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (long_press));
    }
}

static void
add_layer (MemlaneFigureWidget *self, MemlaneFigureLayer layer, MemlaneChartLayerPaint paint)
{
  self->layers[layer] = memlane_chart_layer_new (layer == MEMLANE_FIGURE_ITSELF, paint, self);
  gtk_widget_set_parent (self->layers[layer], GTK_WIDGET (self));
}

static void
memlane_figure_widget_constructed (GObject *object)
{
  MemlaneFigureWidget *self = MEMLANE_FIGURE_WIDGET (object);
  AdwStyleManager *manager =
      adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

  G_OBJECT_CLASS (memlane_figure_widget_parent_class)->constructed (object);
  self->style = memlane_figure_style (GTK_WIDGET (self), FALSE);
  add_layer (self, MEMLANE_FIGURE_ITSELF, paint_figure);
  if (CALLS (self)->draw_chosen != NULL)
    add_layer (self, MEMLANE_FIGURE_CHOSEN, paint_chosen);
  add_layer (self, MEMLANE_FIGURE_OVERLAY, paint_overlay);
  add_controllers (self);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { manager, "notify::dark", G_CALLBACK (restyle) },
    { manager, "notify::high-contrast", G_CALLBACK (restyle) },
    { NULL },
  });
  memlane_figure_widget_describe (self);
  memlane_figure_widget_invalidate (self);
}

static void
memlane_figure_widget_dispose (GObject *object)
{
  MemlaneFigureWidget *self = MEMLANE_FIGURE_WIDGET (object);

  drop_layout (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    g_clear_pointer (&self->layers[i], gtk_widget_unparent);
  G_OBJECT_CLASS (memlane_figure_widget_parent_class)->dispose (object);
}

MEMLANE_DEFINE_RELEASE (MemlaneFigureWidget, memlane_figure_widget, finalize, drop_layout (self);
                        OWNS (reading, g_free))

static void
memlane_figure_widget_class_init (MemlaneFigureWidgetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = memlane_figure_widget_constructed;
  object_class->dispose = memlane_figure_widget_dispose;
  object_class->finalize = finalize;
  memlane_fields_install (object_class, fields, G_N_ELEMENTS (fields));
  object_class->set_property = set_property; /* the projector is more than a field */
  widget_class->measure = memlane_figure_widget_measure;
  widget_class->size_allocate = memlane_figure_widget_size_allocate;
  widget_class->snapshot = memlane_figure_widget_snapshot;
  widget_class->state_flags_changed = memlane_figure_widget_state_flags_changed;
  widget_class->system_setting_changed = memlane_figure_widget_system_setting_changed;
  widget_class->direction_changed = memlane_figure_widget_direction_changed;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
}

static void
memlane_figure_widget_init (MemlaneFigureWidget *self)
{
  self->reading = g_strdup ("");
  self->pointer_x = self->pointer_y = NAN;
  self->hovered = MEMLANE_FIGURE_NO_CELL;
  /* It is as large as it may be; the rest is cut off. */
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
