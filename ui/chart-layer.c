/* chart-layer.c: one painted layer of a chart view
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-layer.h"

#include <math.h>

struct _MemlaneChartLayer
{
  GtkWidget parent_instance;

  gboolean kept;
  MemlaneChartLayerPaint paint;
  gpointer user_data;
  guint paint_count;

  GdkTexture *texture; /* of a kept layer, at these: */
  int width, height, scale;
};

G_DEFINE_FINAL_TYPE (MemlaneChartLayer, memlane_chart_layer, GTK_TYPE_WIDGET)

static GdkTexture *
paint_texture (MemlaneChartLayer *self, int width, int height, int scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale, height * scale);
  g_autoptr(GBytes) pixels = NULL;
  cairo_t *cr;

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  self->paint (cr, width, height, self->user_data);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  self->paint_count++;
  pixels = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                       (gsize) cairo_image_surface_get_stride (surface) * (gsize) (height * scale),
                                       (GDestroyNotify) cairo_surface_destroy, surface);
  return gdk_memory_texture_new (width * scale, height * scale, GDK_MEMORY_DEFAULT, pixels, cairo_image_surface_get_stride (surface));
}

static void
snapshot_kept (MemlaneChartLayer *self, GtkSnapshot *snapshot, int width, int height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (self->texture == NULL || self->width != width || self->height != height || self->scale != scale)
    {
      g_clear_object (&self->texture);
      self->texture = paint_texture (self, width, height, scale);
      self->width = width;
      self->height = height;
      self->scale = scale;
    }
  if (self->texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->texture, &GRAPHENE_RECT_INIT (0, 0, width, height));
}

static void
snapshot_live (MemlaneChartLayer *self, GtkSnapshot *snapshot, int width, int height)
{
  const cairo_rectangle_t whole = { 0, 0, width, height };
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &whole);
  cairo_t *cr = cairo_create (recording);
  double x, y, ink_width, ink_height;

  self->paint (cr, width, height, self->user_data);
  cairo_destroy (cr);
  self->paint_count++;
  cairo_recording_surface_ink_extents (recording, &x, &y, &ink_width, &ink_height);
  if (ink_width > 0 && ink_height > 0)
    {
      double left = floor (x), top = floor (y);

      cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (left, top, ceil (x + ink_width) - left, ceil (y + ink_height) - top));
      cairo_set_source_surface (cr, recording, 0, 0);
      cairo_paint (cr);
      cairo_destroy (cr);
    }
  cairo_surface_destroy (recording);
}

static void
memlane_chart_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  MemlaneChartLayer *self = MEMLANE_CHART_LAYER (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width <= 0 || height <= 0)
    return;
  if (self->kept)
    snapshot_kept (self, snapshot, width, height);
  else
    snapshot_live (self, snapshot, width, height);
}

/* A page that is not seen keeps no pixels: they are 8 MiB at 1920x1080. */
static void
memlane_chart_layer_unmap (GtkWidget *widget)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (widget));
  GTK_WIDGET_CLASS (memlane_chart_layer_parent_class)->unmap (widget);
}

static void
memlane_chart_layer_dispose (GObject *object)
{
  MemlaneChartLayer *self = MEMLANE_CHART_LAYER (object);

  g_clear_object (&self->texture);
  G_OBJECT_CLASS (memlane_chart_layer_parent_class)->dispose (object);
}

static void
memlane_chart_layer_class_init (MemlaneChartLayerClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = memlane_chart_layer_snapshot;
  GTK_WIDGET_CLASS (klass)->unmap = memlane_chart_layer_unmap;
  G_OBJECT_CLASS (klass)->dispose = memlane_chart_layer_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "chartlayer");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
memlane_chart_layer_init (MemlaneChartLayer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE); /* events are the parent's */
}

GtkWidget *
memlane_chart_layer_new (gboolean kept, MemlaneChartLayerPaint paint, gpointer user_data)
{
  MemlaneChartLayer *self = g_object_new (MEMLANE_TYPE_CHART_LAYER, NULL);

  self->kept = kept;
  self->paint = paint;
  self->user_data = user_data;
  return GTK_WIDGET (self);
}

void
memlane_chart_layer_invalidate (MemlaneChartLayer *self)
{
  g_return_if_fail (MEMLANE_IS_CHART_LAYER (self));
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
memlane_chart_layer_get_paint_count (MemlaneChartLayer *self)
{
  g_return_val_if_fail (MEMLANE_IS_CHART_LAYER (self), 0);
  return self->paint_count;
}
