/* decide-view.c: the map of decisions in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "parts/accessible.h"
#include "parts/chart-layer.h"
#include "parts/figure-view.h"

#define NATURAL_WIDTH 480 /* px: with the answers beside it the side panel keeps its place in a window of 1280 */

G_DEFINE_FINAL_TYPE (MemlaneDecideView, memlane_decide_view, GTK_TYPE_WIDGET)

enum { PROP_PROJECTOR = 1, PROP_READING, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint signal_chosen;

/* --- layers --------------------------------------------------------------------------------------------------------------------- */

/* NULL without a decision or a size. */
const MemlaneDecideMap *
memlane_decide_view_ensure_map (MemlaneDecideView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  PangoContext *pango;

  if (self->result == NULL || width <= 0 || height <= 0)
    return NULL;
  width = MAX (width, MEMLANE_FIGURE_LEAST_WIDTH);
  height = MAX (height, MEMLANE_FIGURE_LEAST_HEIGHT);
  if (self->map != NULL && self->map_width == width && self->map_height == height)
    return self->map;
  g_clear_pointer (&self->map, memlane_decide_map_free);
  pango = gtk_widget_create_pango_context (GTK_WIDGET (self)); /* font settings and text size are GTK's */
  self->map = memlane_decide_map_layout (self->result->decision, self->style, width, height, pango);
  g_object_unref (pango);
  self->map_width = width;
  self->map_height = height;
  return self->map;
}

static void
paint_figure (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneDecideView *self = user_data;
  const MemlaneDecideMap *map = memlane_decide_view_ensure_map (self);
  const MemlaneColor *background = &self->style->background;

  cairo_set_source_rgba (cr, background->red, background->green, background->blue, background->alpha);
  cairo_paint (cr);
  if (map != NULL)
    memlane_decide_map_draw (map, cr);
}

static void
paint_overlay (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneDecideView *self = user_data;
  const MemlaneDecideMap *map = memlane_decide_view_ensure_map (self);
  MemlaneDecideCell chosen = memlane_decide_view_find_cell (self, self->log2, self->reuse);

  if (map != NULL)
    memlane_decide_map_draw_overlay (map, cr, self->hovered.size, self->hovered.reuse, chosen.size, chosen.reuse);
}

void
memlane_decide_view_redraw_overlay (MemlaneDecideView *self)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->overlay));
}

static void
invalidate (MemlaneDecideView *self)
{
  g_clear_pointer (&self->map, memlane_decide_map_free);
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->figure));
  memlane_decide_view_redraw_overlay (self);
}

static void
restyle (MemlaneDecideView *self)
{
  const MemlaneStyle *style = memlane_figure_choose_style (GTK_WIDGET (self), self->projector);

  if (self->style == style)
    return;
  self->style = style;
  invalidate (self);
}

/* --- what it tells -------------------------------------------------------------------------------------------------------------- */

static void
describe (MemlaneDecideView *self)
{
  g_autofree char *description = self->result != NULL ? memlane_decide_map_describe (self->result->decision) : g_strdup (_("No map"));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  self->described = TRUE;
}

void
memlane_decide_view_update_reading (MemlaneDecideView *self)
{
  MemlaneDecideCell cell = self->hovered;
  g_autofree char *reading = NULL;

  if (!memlane_decide_is_cell (cell))
    cell = memlane_decide_view_find_cell (self, self->log2, self->reuse);
  if (memlane_decide_is_cell (cell))
    reading = memlane_decide_map_read (self->result->decision, cell.size, cell.reuse);
  else
    reading = g_strdup ("");
  if (g_str_equal (reading, self->reading))
    return;
  g_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, self->reading, -1);
  if (self->spoken && self->reading[0] != '\0')
    {
      /* GTK 4.8 hands no change of a value's text on to screen readers, but every change of the description. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->reading, -1);
      self->described = FALSE;
    }
  else if (!self->described)
    describe (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READING]);
}

void
memlane_decide_view_choose_cell (MemlaneDecideView *self, MemlaneDecideCell cell)
{
  const MemlaneDecision *decision = self->result->decision;
  guint log2 = decision->sizes[cell.size], reuse = memlane_decide_reuse (cell.reuse);

  memlane_decide_view_choose (self, log2, reuse);
  g_signal_emit (self, signal_chosen, 0, log2, reuse);
}

/* --- widget --------------------------------------------------------------------------------------------------------------------- */

static void
memlane_decide_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  memlane_figure_measure (orientation, minimum, natural);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = NATURAL_WIDTH;
}

static void
memlane_decide_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);

  gtk_widget_allocate (self->figure, width, height, -1, NULL);
  gtk_widget_allocate (self->overlay, width, height, -1, NULL);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
memlane_decide_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)->snapshot (widget, snapshot);
  /* not on the wall, where nothing else can have the focus */
  if (gtk_widget_has_visible_focus (widget) && !MEMLANE_DECIDE_VIEW (widget)->projector && gtk_widget_get_width (widget) > 0)
    memlane_figure_snapshot_focus (widget, snapshot);
}

static void
memlane_decide_view_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GtkStateFlags now = gtk_widget_get_state_flags (widget);

  if ((before ^ now) & (GTK_STATE_FLAG_FOCUSED | GTK_STATE_FLAG_FOCUS_VISIBLE))
    gtk_widget_queue_draw (widget); /* the layers keep what they have */
  if (before & ~now & GTK_STATE_FLAG_FOCUSED)
    describe (MEMLANE_DECIDE_VIEW (widget));
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)->state_flags_changed (widget, before);
}

/* Fonts, their rendering, the text size. */
static void
memlane_decide_view_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)->system_setting_changed (widget, setting);
  invalidate (MEMLANE_DECIDE_VIEW (widget));
}

static void
memlane_decide_view_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  GTK_WIDGET_CLASS (memlane_decide_view_parent_class)->direction_changed (widget, before);
  invalidate (MEMLANE_DECIDE_VIEW (widget));
}

static void
memlane_decide_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (object);

  if (id == PROP_PROJECTOR)
    g_value_set_boolean (value, self->projector);
  else if (id == PROP_READING)
    g_value_set_string (value, self->reading);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
memlane_decide_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PROJECTOR)
    memlane_decide_view_set_projector (MEMLANE_DECIDE_VIEW (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
memlane_decide_view_dispose (GObject *object)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (object);

  g_clear_pointer (&self->map, memlane_decide_map_free); /* before what it shows */
  g_clear_pointer (&self->result, memlane_decide_result_unref);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->figure, gtk_widget_unparent);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (memlane_decide_view_parent_class)->dispose (object);
}

static void
memlane_decide_view_finalize (GObject *object)
{
  g_free (MEMLANE_DECIDE_VIEW (object)->reading);
  G_OBJECT_CLASS (memlane_decide_view_parent_class)->finalize (object);
}

static void
memlane_decide_view_class_init (MemlaneDecideViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = memlane_decide_view_dispose;
  object_class->finalize = memlane_decide_view_finalize;
  object_class->get_property = memlane_decide_view_get_property;
  object_class->set_property = memlane_decide_view_set_property;
  widget_class->measure = memlane_decide_view_measure;
  widget_class->size_allocate = memlane_decide_view_size_allocate;
  widget_class->snapshot = memlane_decide_view_snapshot;
  widget_class->state_flags_changed = memlane_decide_view_state_flags_changed;
  widget_class->system_setting_changed = memlane_decide_view_system_setting_changed;
  widget_class->direction_changed = memlane_decide_view_direction_changed;

  properties[PROP_PROJECTOR]
    = g_param_spec_boolean ("projector", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_READING] = g_param_spec_string ("reading", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signal_chosen = g_signal_new ("chosen", MEMLANE_TYPE_DECIDE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                G_TYPE_UINT);

  gtk_widget_class_set_css_name (widget_class, "decideview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  memlane_decide_view_install_input (widget_class);
}

static void
memlane_decide_view_init (MemlaneDecideView *self)
{
  self->hovered = MEMLANE_DECIDE_NO_CELL;
  self->reuse = 1;
  self->pointer_x = self->pointer_y = NAN;
  self->reading = g_strdup ("");
  self->style = memlane_figure_choose_style (GTK_WIDGET (self), self->projector);
  self->figure = memlane_chart_layer_new (TRUE, paint_figure, self);
  self->overlay = memlane_chart_layer_new (FALSE, paint_overlay, self);
  gtk_widget_set_parent (self->figure, GTK_WIDGET (self));
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  memlane_figure_set_up (GTK_WIDGET (self));
  memlane_decide_view_add_input (self);
  memlane_figure_follow_style (GTK_WIDGET (self), G_CALLBACK (restyle));
  memlane_accessible_set_name (GTK_WIDGET (self), _("Map of the fastest mode over size and reuse"));
  describe (self);
}

GtkWidget *
memlane_decide_view_new (void)
{
  return g_object_new (MEMLANE_TYPE_DECIDE_VIEW, NULL);
}

void
memlane_decide_view_set_result (MemlaneDecideView *self, MemlaneDecideResult *result)
{
  g_return_if_fail (MEMLANE_IS_DECIDE_VIEW (self));
  if (self->result == result)
    return;
  g_clear_pointer (&self->map, memlane_decide_map_free);
  g_clear_pointer (&self->result, memlane_decide_result_unref);
  self->result = result != NULL ? memlane_decide_result_ref (result) : NULL;
  self->hovered = MEMLANE_DECIDE_NO_CELL; /* other cells may lie there now */
  self->spoken = FALSE;
  invalidate (self);
  /* A screen reader speaks every change of the focused widget's description: a sweep would make it talk without end. */
  if (!gtk_widget_has_focus (GTK_WIDGET (self)))
    describe (self);
  memlane_decide_view_update_reading (self);
}

MemlaneDecideResult *
memlane_decide_view_get_result (MemlaneDecideView *self)
{
  g_return_val_if_fail (MEMLANE_IS_DECIDE_VIEW (self), NULL);
  return self->result;
}

void
memlane_decide_view_choose (MemlaneDecideView *self, guint log2_elements, guint reuse)
{
  g_return_if_fail (MEMLANE_IS_DECIDE_VIEW (self) && reuse > 0);
  if (self->log2 == log2_elements && self->reuse == reuse)
    {
      memlane_decide_view_update_reading (self); /* a key may have let go of the pointer's cell */
      return;
    }
  self->log2 = log2_elements;
  self->reuse = reuse;
  memlane_decide_view_redraw_overlay (self);
  memlane_decide_view_update_reading (self);
}

void
memlane_decide_view_set_projector (MemlaneDecideView *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_DECIDE_VIEW (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  restyle (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROJECTOR]);
}

const char *
memlane_decide_view_get_reading (MemlaneDecideView *self)
{
  g_return_val_if_fail (MEMLANE_IS_DECIDE_VIEW (self), NULL);
  return self->reading;
}

gboolean
memlane_decide_view_locate (MemlaneDecideView *self, guint log2_elements, guint reuse, double *x, double *y)
{
  const MemlaneDecideMap *map;
  MemlaneDecideCell cell;
  MemlaneRectangle area;

  g_return_val_if_fail (MEMLANE_IS_DECIDE_VIEW (self), FALSE);
  map = memlane_decide_view_ensure_map (self);
  cell = memlane_decide_view_find_cell (self, log2_elements, reuse);
  if (map == NULL || !memlane_decide_is_cell (cell) || !memlane_decide_map_place (map, cell.size, cell.reuse, &area))
    return FALSE;
  *x = area.x + area.width / 2;
  *y = area.y + area.height / 2;
  return TRUE;
}

void
memlane_decide_view_get_paint_counts (MemlaneDecideView *self, guint *figure, guint *overlay)
{
  g_return_if_fail (MEMLANE_IS_DECIDE_VIEW (self));
  if (figure != NULL)
    *figure = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->figure));
  if (overlay != NULL)
    *overlay = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->overlay));
}
