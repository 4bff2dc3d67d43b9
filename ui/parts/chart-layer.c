/* chart-layer.c: one painted layer of a figure: a chart or a timeline
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-layer.h"

#include <math.h>

#include "base/owns.h"

struct _MemlaneChartLayer
{
  GtkWidget parent_instance;

  gboolean kept;
  MemlaneChartLayerPaint paint;
  gpointer user_data;

  /* The pixels of a kept layer. GL keeps a texture on the device; the Cairo renderer would copy all
   * of it in every frame, and takes an image as it is. */
  GdkTexture *texture;
  cairo_surface_t *image;
  int width, height, scale;
};

G_DEFINE_FINAL_TYPE (MemlaneChartLayer, memlane_chart_layer, GTK_TYPE_WIDGET)

static void
drop_pixels (MemlaneChartLayer *self)
{
  g_clear_object (&self->texture);
  g_clear_pointer (&self->image, cairo_surface_destroy);
}

static cairo_surface_t *
paint_image (MemlaneChartLayer *self, int width, int height, int scale)
{
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale, height * scale);
  cairo_t *cr;

  cairo_surface_set_device_scale (image, scale, scale);
  cr = cairo_create (image);
  self->paint (cr, width, height, self->user_data);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  return image;
}

/* Takes @image over. */
static GdkTexture *
make_texture (cairo_surface_t *image)
{
  int width = cairo_image_surface_get_width (image),
      height = cairo_image_surface_get_height (image);
  gsize stride = cairo_image_surface_get_stride (image);
  g_autoptr (GBytes) pixels = NULL;

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (image);
      return NULL;
    }
  pixels =
      g_bytes_new_with_free_func (cairo_image_surface_get_data (image), stride * (gsize) height,
                                  (GDestroyNotify) cairo_surface_destroy, image);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, pixels, stride);
}

static void
snapshot_kept (MemlaneChartLayer *self, GtkSnapshot *snapshot, int width, int height)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  gboolean by_cairo = native != NULL && GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native));
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if ((by_cairo ? self->image == NULL : self->texture == NULL) || self->width != width
      || self->height != height || self->scale != scale)
    {
      drop_pixels (self);
      self->image = paint_image (self, width, height, scale);
      if (!by_cairo)
        self->texture = make_texture (g_steal_pointer (&self->image));
      self->width = width;
      self->height = height;
      self->scale = scale;
    }
  if (self->texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->texture,
                                 &GRAPHENE_RECT_INIT (0, 0, width, height));
  else if (self->image != NULL && cairo_surface_status (self->image) == CAIRO_STATUS_SUCCESS)
    {
      cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));

      cairo_set_source_surface (cr, self->image, 0, 0);
      cairo_paint (cr);
      cairo_destroy (cr);
    }
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
  cairo_recording_surface_ink_extents (recording, &x, &y, &ink_width, &ink_height);
  if (ink_width > 0 && ink_height > 0)
    {
      double left = floor (x), top = floor (y);

      cr = gtk_snapshot_append_cairo (snapshot,
                                      &GRAPHENE_RECT_INIT (left, top, ceil (x + ink_width) - left,
                                                           ceil (y + ink_height) - top));
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

/* A page that is not seen keeps no pixels but those that GTK holds: they are 8 MiB at 1920x1080. */
static void
memlane_chart_layer_unmap (GtkWidget *widget)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (widget));
  GTK_WIDGET_CLASS (memlane_chart_layer_parent_class)->unmap (widget);
}

MEMLANE_DEFINE_RELEASE (MemlaneChartLayer, memlane_chart_layer, dispose, drop_pixels (self);)

static void
memlane_chart_layer_class_init (MemlaneChartLayerClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = memlane_chart_layer_snapshot;
  GTK_WIDGET_CLASS (klass)->unmap = memlane_chart_layer_unmap;
  G_OBJECT_CLASS (klass)->dispose = dispose;
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
  drop_pixels (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
