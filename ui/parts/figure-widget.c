/* figure-widget.c: a figure in the window: layers, style, focus, pointer, context menu, what is told
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-widget.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart-layer.h"
#include "base/owns.h"

#define FOCUS_WIDTH 2
#define NOTCH 1.25       /* so much nearer by one notch of a wheel */
#define BAND_BEGINS 6    /* px: below it is a click with an unsteady hand */

typedef struct
{
  GtkWidget *layers[MEMLANE_N_FIGURE_LAYERS]; /* NULL: the class draws none */
  GtkWidget *menu;                      /* made when it is first asked for */

  MemlaneDrawing *drawing;              /* what the layout is of; NULL until it is needed, and where nothing is shown */
  gpointer layout;
  int width, height;                    /* px, of the layout */
  const MemlaneStyle *style;
  gboolean projector, zoomed;

  char *reading;
  gboolean spoken;                      /* it is read aloud */
  gboolean described;                   /* the description is the figure's, not what was read aloud */

  double pointer_x, pointer_y;          /* NAN: outside */
  gboolean pressed, banding;            /* a button is held; it has moved far enough to be a band */
  double press_x, press_y;
  double pinch;                         /* scale of the gesture so far; 0: none */
  double pinch_x, pinch_y;              /* its middle */
} MemlaneFigureWidgetPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (MemlaneFigureWidget, memlane_figure_widget, GTK_TYPE_WIDGET)

#define PRIVATE(self) ((MemlaneFigureWidgetPrivate *) memlane_figure_widget_get_instance_private (self))
#define CLASS(self) MEMLANE_FIGURE_WIDGET_GET_CLASS (self)

enum { PROP_PROJECTOR = 1, PROP_READING, PROP_ZOOMED, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

/* --- layers ------------------------------------------------------------------------------------------------------------------- */

static void
drop_layout (MemlaneFigureWidgetPrivate *private)
{
  if (private->layout != NULL)
    g_clear_pointer (&private->layout, private->drawing->klass->free_layout);
  g_clear_pointer (&private->drawing, memlane_drawing_free);
}

static void
get_size (MemlaneFigureWidget *self, int *width, int *height)
{
  *width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_WIDTH);
  *height = MAX (gtk_widget_get_height (GTK_WIDGET (self)), MEMLANE_FIGURE_LEAST_HEIGHT);
}

gpointer
memlane_figure_widget_lay_out (MemlaneFigureWidget *self, const MemlaneDrawing *drawing)
{
  PangoContext *pango = gtk_widget_create_pango_context (GTK_WIDGET (self)); /* font settings and text size are GTK's */
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  MemlaneStyle style = *PRIVATE (self)->style;
  gpointer layout;
  int width, height;

  get_size (self, &width, &height);
  if (PRIVATE (self)->projector && root != NULL) /* a figure below a line of words is read from as far as one that fills the wall */
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
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  int width, height;

  get_size (self, &width, &height);
  if (private->layout != NULL && private->width == width && private->height == height)
    return private->layout;
  drop_layout (private);
  private->drawing = CLASS (self)->get_drawing (self, FALSE);
  if (private->drawing == NULL)
    return NULL;
  private->layout = memlane_figure_widget_lay_out (self, private->drawing);
  private->width = width;
  private->height = height;
  return private->layout;
}

static void
paint_figure (cairo_t *cr, double width, double height, gpointer self)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  const MemlaneColor *background = &private->style->background;
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL)
    {
      private->drawing->klass->draw (layout, cr); /* with its background */
      return;
    }
  cairo_set_source_rgba (cr, background->red, background->green, background->blue, background->alpha);
  cairo_paint (cr);
}

static void
paint_chosen (cairo_t *cr, double width, double height, gpointer self)
{
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL)
    CLASS (self)->draw_chosen (self, layout, cr);
}

static void
paint_overlay (cairo_t *cr, double width, double height, gpointer self)
{
  gconstpointer layout = memlane_figure_widget_get_layout (self);

  if (layout != NULL && CLASS (self)->draw_overlay != NULL)
    CLASS (self)->draw_overlay (self, layout, cr);
}

void
memlane_figure_widget_redraw (MemlaneFigureWidget *self, MemlaneFigureLayer layer)
{
  if (PRIVATE (self)->layers[layer] != NULL)
    memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (PRIVATE (self)->layers[layer]));
}

void
memlane_figure_widget_invalidate (MemlaneFigureWidget *self)
{
  drop_layout (PRIVATE (self));
  if (PRIVATE (self)->layers[MEMLANE_FIGURE_ITSELF] == NULL)
    return; /* it is being taken down */
  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    memlane_figure_widget_redraw (self, i);
  if (CLASS (self)->invalidated != NULL)
    CLASS (self)->invalidated (self);
}

/* --- style -------------------------------------------------------------------------------------------------------------------- */

const MemlaneStyle *
memlane_figure_style (GtkWidget *widget, gboolean projector)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  gboolean dark = adw_style_manager_get_dark (manager);

  if (projector)
    return memlane_style_get (dark ? MEMLANE_STYLE_PROJECTOR_DARK : MEMLANE_STYLE_PROJECTOR);
  if (adw_style_manager_get_high_contrast (manager))
    return memlane_style_get (dark ? MEMLANE_STYLE_HIGH_CONTRAST_DARK : MEMLANE_STYLE_HIGH_CONTRAST);
  return memlane_style_get (dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN);
}

static void
restyle (MemlaneFigureWidget *self)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  const MemlaneStyle *style = memlane_figure_style (GTK_WIDGET (self), private->projector);

  if (private->style == style)
    return;
  private->style = style;
  memlane_figure_widget_invalidate (self);
}

const MemlaneStyle *
memlane_figure_widget_get_style (MemlaneFigureWidget *self)
{
  return PRIVATE (self)->style;
}

void
memlane_figure_widget_set_projector (MemlaneFigureWidget *self, gboolean projector)
{
  if (PRIVATE (self)->projector == !!projector)
    return;
  PRIVATE (self)->projector = !!projector;
  if (CLASS (self)->projector_changed != NULL)
    CLASS (self)->projector_changed (self);
  restyle (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROJECTOR]);
}

gboolean
memlane_figure_widget_get_projector (MemlaneFigureWidget *self)
{
  return PRIVATE (self)->projector;
}

/* --- what is told ------------------------------------------------------------------------------------------------------------- */

void
memlane_figure_widget_describe (MemlaneFigureWidget *self)
{
  g_autofree char *name = CLASS (self)->name (self), *description = CLASS (self)->describe (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
  PRIVATE (self)->described = TRUE;
}

void
memlane_figure_widget_renew (MemlaneFigureWidget *self)
{
  PRIVATE (self)->spoken = FALSE;
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
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  g_autofree char *reading = CLASS (self)->read (self);

  if (g_str_equal (reading, private->reading))
    return;
  g_free (private->reading);
  private->reading = g_steal_pointer (&reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, private->reading, -1);
  if (private->spoken && private->reading[0] != '\0')
    {
      /* GTK 4.8 hands no change of a value's text on to screen readers, but every change of the description. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, private->reading, -1);
      private->described = FALSE;
    }
  else if (!private->described)
    memlane_figure_widget_describe (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READING]);
}

void
memlane_figure_widget_set_spoken (MemlaneFigureWidget *self, gboolean spoken)
{
  PRIVATE (self)->spoken = spoken;
}

const char *
memlane_figure_widget_get_reading (MemlaneFigureWidget *self)
{
  return PRIVATE (self)->reading;
}

void
memlane_figure_widget_set_zoomed (MemlaneFigureWidget *self, gboolean zoomed)
{
  if (PRIVATE (self)->zoomed == zoomed)
    return;
  PRIVATE (self)->zoomed = zoomed;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOMED]);
}

/* --- files and paper ---------------------------------------------------------------------------------------------------------- */

MemlaneDrawing *
memlane_figure_widget_get_drawing (MemlaneFigureWidget *self, GError **error)
{
  MemlaneDrawing *drawing;

  drawing = CLASS (self)->get_drawing (self, TRUE);
  if (drawing == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _(CLASS (self)->nothing));
  return drawing;
}

char *
memlane_figure_widget_get_title (MemlaneFigureWidget *self)
{
  return CLASS (self)->title (self);
}

/* --- pointer ------------------------------------------------------------------------------------------------------------------ */

gboolean
memlane_figure_widget_get_pointer (MemlaneFigureWidget *self, double *x, double *y)
{
  *x = PRIVATE (self)->pointer_x;
  *y = PRIVATE (self)->pointer_y;
  return !isnan (*x);
}

static void
motion_cb (MemlaneFigureWidget *self, double x, double y)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  /* GTK says it again when the layout changed under a resting pointer: what keys have chosen stays. */
  if (x == private->pointer_x && y == private->pointer_y)
    return;
  private->pointer_x = x;
  private->pointer_y = y;
  if (CLASS (self)->point != NULL)
    CLASS (self)->point (self, x, y);
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
  if (CLASS (self)->press != NULL)
    CLASS (self)->press (self, n_press, x, y);
}

static void
released_cb (MemlaneFigureWidget *self, int n_press, double x, double y)
{
  if (!PRIVATE (self)->banding && CLASS (self)->click != NULL)
    CLASS (self)->click (self, n_press, x, y);
}

gboolean
memlane_figure_widget_is_banding (MemlaneFigureWidget *self)
{
  return PRIVATE (self)->banding;
}

static gboolean
end_band (MemlaneFigureWidget *self, gboolean done)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  gboolean banding = private->banding;

  private->pressed = private->banding = FALSE;
  if (banding)
    CLASS (self)->band_end (self, done);
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
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  private->banding = FALSE;
  private->pressed = CLASS (self)->band_begin (self, x, y);
  private->press_x = x;
  private->press_y = y;
}

static void
drag_update_cb (MemlaneFigureWidget *self, double dx, double dy, GtkGesture *gesture)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  if (!private->pressed || (!private->banding && hypot (dx, dy) < BAND_BEGINS))
    return;
  if (!private->banding)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED); /* no click any more */
  private->banding = TRUE;
  CLASS (self)->band_move (self, private->press_x + dx, private->press_y + dy);
}

static void
drag_end_cb (MemlaneFigureWidget *self)
{
  end_band (self, TRUE);
}

/* --- wheel and touch ---------------------------------------------------------------------------------------------------------- */

static gboolean
scroll_cb (MemlaneFigureWidget *self, double dx, double dy, GtkEventController *controller)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  gboolean by_px = gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (controller)) == GDK_SCROLL_UNIT_SURFACE;

  if (state & GDK_CONTROL_MASK)
    return CLASS (self)->zoom (self, private->pointer_x, private->pointer_y, pow (NOTCH, by_px ? dy / MEMLANE_FIGURE_NOTCH : dy));
  if (state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  return CLASS (self)->scroll (self, dx, dy, by_px);
}

static void
pinch_begin_cb (MemlaneFigureWidget *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  memlane_figure_widget_cancel_band (self); /* the first finger meant something else */
  private->pinch = gtk_gesture_get_bounding_box_center (gesture, &private->pinch_x, &private->pinch_y) ? 1 : 0;
}

static void
pinch_cb (MemlaneFigureWidget *self, double scale, GtkGesture *gesture)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  double x, y;

  if (!(scale > 0) || !(private->pinch > 0) || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  CLASS (self)->zoom (self, x, y, private->pinch / scale);
  if (CLASS (self)->drag != NULL)
    CLASS (self)->drag (self, x - private->pinch_x, y - private->pinch_y);
  private->pinch = scale;
  private->pinch_x = x;
  private->pinch_y = y;
}

/* --- actions and keys --------------------------------------------------------------------------------------------------------- */

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const MemlaneFigureAction *action = CLASS (widget)->actions;

  while (g_strcmp0 (action->action, name) != 0)
    action++;
  action->act (widget, action->by, action->further);
}

static gboolean
key_cb (GtkWidget *widget, GVariant *place, gpointer user_data)
{
  const MemlaneFigureAction *action = &CLASS (widget)->actions[g_variant_get_uint32 (place)];

  action->act (widget, action->by, action->further);
  return TRUE;
}

void
memlane_figure_widget_class_add_actions (MemlaneFigureWidgetClass *klass, const MemlaneFigureAction *actions, guint n)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  klass->actions = actions;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneFigureAction *row = &actions[i];

      if (row->action != NULL && row->act != NULL && (i == 0 || g_strcmp0 (actions[i - 1].action, row->action) != 0))
        gtk_widget_class_install_action (widget_class, row->action, NULL, action_cb);
      for (guint k = 0; k < G_N_ELEMENTS (row->keys) && row->keys[k] != 0; k++)
        if (row->action != NULL)
          gtk_widget_class_add_binding_action (widget_class, row->keys[k], row->modifiers, row->action, NULL);
        else
          gtk_widget_class_add_binding (widget_class, row->keys[k], row->modifiers, key_cb, "u", i);
    }
}

guint
memlane_figure_step (guint index, double by, guint n)
{
  return (guint) CLAMP (index + by, 0, n - 1.0);
}

/* --- the context menu --------------------------------------------------------------------------------------------------------- */

void
memlane_figure_menu_add (GMenu *section, const char *label, const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
  g_menu_append_item (section, item);
}

static GtkWidget *
make_menu (MemlaneFigureWidget *self)
{
  g_autoptr (GMenu) menu = g_menu_new (), files = g_menu_new ();
  GtkWidget *popover;

  if (CLASS (self)->fill_menu != NULL)
    CLASS (self)->fill_menu (self, menu);
  memlane_figure_menu_add (files, _("_Copy Figure"), "win.copy-figure");
  memlane_figure_menu_add (files, _("E_xport Figure…"), "win.export-figure");
  memlane_figure_menu_add (files, _("_Print…"), "win.print");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  return popover;
}

static gboolean
has_menu (MemlaneFigureWidget *self)
{
  return CLASS (self)->nothing != NULL && !PRIVATE (self)->projector;
}

static void
pop_up (MemlaneFigureWidget *self, double x, double y)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (private->menu == NULL)
    private->menu = make_menu (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (private->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (private->menu));
}

static void
pop_up_at (MemlaneFigureWidget *self, double x, double y, GtkGesture *gesture)
{
  if (!has_menu (self))
    return; /* the event is left to others */
  if (CLASS (self)->menu_at != NULL)
    CLASS (self)->menu_at (self, x, y);
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

  if (!has_menu (self) || (CLASS (self)->place_menu != NULL && !CLASS (self)->place_menu (self, &x, &y)))
    return FALSE;
  pop_up (self, x, y);
  return TRUE;
}

/* --- widget ------------------------------------------------------------------------------------------------------------------- */

/* Less than a figure needs, so that a window of 320x240 keeps its bars. */
static void
memlane_figure_widget_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                               int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 360;
}

static void
memlane_figure_widget_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (MEMLANE_FIGURE_WIDGET (widget));

  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    if (private->layers[i] != NULL)
      gtk_widget_allocate (private->layers[i], width, height, -1, NULL);
  if (private->menu != NULL)
    gtk_popover_present (GTK_POPOVER (private->menu));
}

static void
memlane_figure_widget_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GdkRGBA color = { 0.2f, 0.5f, 0.9f, 1 };
  float width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  GTK_WIDGET_CLASS (memlane_figure_widget_parent_class)->snapshot (widget, snapshot);
  if (!gtk_widget_has_visible_focus (widget) || !(width > 0)
      || (PRIVATE (MEMLANE_FIGURE_WIDGET (widget))->projector && !CLASS (widget)->focus_when_projected))
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
memlane_figure_widget_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (MEMLANE_FIGURE_WIDGET (object));

  if (id == PROP_READING)
    g_value_set_string (value, private->reading);
  else
    g_value_set_boolean (value, id == PROP_PROJECTOR ? private->projector : private->zoomed);
}

static void
memlane_figure_widget_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (object), g_value_get_boolean (value));
}

static void
add_controllers (MemlaneFigureWidget *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  if (CLASS (self)->zoom != NULL)
    {
      GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
      GtkGesture *pinch = gtk_gesture_zoom_new ();

      g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
      g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
      g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
      gtk_widget_add_controller (widget, scroll);
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
    }
  if (CLASS (self)->band_begin != NULL)
    {
      GtkGesture *drag = gtk_gesture_drag_new ();

      g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
      g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
      g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
      g_signal_connect_swapped (drag, "cancel", G_CALLBACK (memlane_figure_widget_cancel_band), self);
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
    }
  if (CLASS (self)->nothing != NULL)
    {
      GtkGesture *secondary = gtk_gesture_click_new (), *long_press = gtk_gesture_long_press_new ();

      gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
      gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (long_press), TRUE);
      g_signal_connect_swapped (secondary, "pressed", G_CALLBACK (secondary_cb), self);
      g_signal_connect_swapped (long_press, "pressed", G_CALLBACK (pop_up_at), self);
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
      gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (long_press));
    }
}

static void
add_layer (MemlaneFigureWidget *self, MemlaneFigureLayer layer, MemlaneChartLayerPaint paint)
{
  PRIVATE (self)->layers[layer] = memlane_chart_layer_new (layer == MEMLANE_FIGURE_ITSELF, paint, self);
  gtk_widget_set_parent (PRIVATE (self)->layers[layer], GTK_WIDGET (self));
}

static void
memlane_figure_widget_constructed (GObject *object)
{
  MemlaneFigureWidget *self = MEMLANE_FIGURE_WIDGET (object);
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

  G_OBJECT_CLASS (memlane_figure_widget_parent_class)->constructed (object);
  private->style = memlane_figure_style (GTK_WIDGET (self), FALSE);
  add_layer (self, MEMLANE_FIGURE_ITSELF, paint_figure);
  if (CLASS (self)->draw_chosen != NULL)
    add_layer (self, MEMLANE_FIGURE_CHOSEN, paint_chosen);
  add_layer (self, MEMLANE_FIGURE_OVERLAY, paint_overlay);
  add_controllers (self);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (restyle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (restyle), self, G_CONNECT_SWAPPED);
  memlane_figure_widget_describe (self);
  memlane_figure_widget_invalidate (self);
}

static void
memlane_figure_widget_dispose (GObject *object)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (MEMLANE_FIGURE_WIDGET (object));

  drop_layout (private);
  g_clear_pointer (&private->menu, gtk_widget_unparent);
  for (guint i = 0; i < MEMLANE_N_FIGURE_LAYERS; i++)
    g_clear_pointer (&private->layers[i], gtk_widget_unparent);
  G_OBJECT_CLASS (memlane_figure_widget_parent_class)->dispose (object);
}

MEMLANE_DEFINE_RELEASE (MemlaneFigureWidget, memlane_figure_widget, finalize, drop_layout (PRIVATE (self));
                        g_free (PRIVATE (self)->reading);)

static void
memlane_figure_widget_class_init (MemlaneFigureWidgetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = memlane_figure_widget_constructed;
  object_class->dispose = memlane_figure_widget_dispose;
  object_class->finalize = finalize;
  object_class->get_property = memlane_figure_widget_get_property;
  object_class->set_property = memlane_figure_widget_set_property;
  widget_class->measure = memlane_figure_widget_measure;
  widget_class->size_allocate = memlane_figure_widget_size_allocate;
  widget_class->snapshot = memlane_figure_widget_snapshot;
  widget_class->state_flags_changed = memlane_figure_widget_state_flags_changed;
  widget_class->system_setting_changed = memlane_figure_widget_system_setting_changed;
  widget_class->direction_changed = memlane_figure_widget_direction_changed;

  properties[PROP_PROJECTOR]
    = g_param_spec_boolean ("projector", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_READING] = g_param_spec_string ("reading", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ZOOMED] = g_param_spec_boolean ("zoomed", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
}

static void
memlane_figure_widget_init (MemlaneFigureWidget *self)
{
  MemlaneFigureWidgetPrivate *private = PRIVATE (self);

  private->reading = g_strdup ("");
  private->pointer_x = private->pointer_y = NAN;
  /* As large as it may be; what does not fit is cut off. */
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
