/* reading-line.c: what is read below a figure, in a room of its own
 *
 * SPDX-License-Identifier: MIT
 */
#include "reading-line.h"

#include "base/owns.h"
#include "template.h"
#include "widgets.h"
#include "model/fields.h"

/* px in a window of 1280x720 at text of 100 %; larger windows have larger text, as the figure's */
#define PROJECTED_TEXT 24
#define PROJECTED_HEIGHT 720
#define LOW 300

struct _MemlaneReadingLine
{
  AdwBin parent_instance;

  GtkWidget *room, *reading; /* labels: one holds the place, the other is read */
  gboolean projector;
  GdkSurface *surface;       /* of the window while the page is mapped */
  int window_width;
  int window_height;
};

G_DEFINE_FINAL_TYPE (MemlaneReadingLine, memlane_reading_line, ADW_TYPE_BIN)

static const MemlaneField fields[] = {
  { "window-height", MEMLANE_FIELD_ENUM, G_STRUCT_OFFSET (MemlaneReadingLine, window_height), 0, 0,
    G_MAXINT, 0 },
};

static double
get_text_scale (GtkWidget *widget)
{
  int dpi = -1;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / 1024.0 / 96 : 1;
}

double
memlane_reading_line_get_window_height (MemlaneReadingLine *self)
{
  return self->window_height / get_text_scale (GTK_WIDGET (self));
}

double
memlane_reading_line_get_window_width (MemlaneReadingLine *self)
{
  return self->window_width / get_text_scale (GTK_WIDGET (self));
}

static void
adapt (MemlaneReadingLine *self)
{
  gboolean low = memlane_reading_line_get_window_height (self) < LOW;
  PangoAttrList *attributes = NULL;

  if (self->projector)
    {
      double scale = get_text_scale (GTK_WIDGET (self));
      double size =
          PROJECTED_TEXT * scale * MAX (1, (double) self->window_height / PROJECTED_HEIGHT);

      attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes,
                              pango_attr_size_new_absolute ((int) (size * PANGO_SCALE)));
    }
  gtk_label_set_attributes (GTK_LABEL (self->reading), attributes);
  gtk_label_set_attributes (GTK_LABEL (self->room), attributes);
  g_clear_pointer (&attributes, pango_attr_list_unref);
  gtk_label_set_lines (GTK_LABEL (self->reading), low ? 1 : 2);
  gtk_label_set_text (GTK_LABEL (self->room), low ? "X" : "X\nX");
}

void
memlane_reading_line_set (MemlaneReadingLine *self, const char *reading, const char *hint)
{
  gboolean none = reading == NULL || *reading == '\0';

  if (none)
    reading = self->projector || hint == NULL ? "" : hint;
  gtk_label_set_text (GTK_LABEL (self->reading), reading);
  gtk_widget_set_tooltip_text (self->reading, none ? NULL : reading); /* what the lines cut off */
  memlane_widget_set_class (self->reading, "dim-label", none);
}

void
memlane_reading_line_set_projector (MemlaneReadingLine *self, gboolean projector)
{
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  adapt (self);
}

/* --- the window's size ------------------------------------------------------------------------ */

static void
layout_cb (MemlaneReadingLine *self, int width, int height)
{
  if (self->window_width == width && self->window_height == height)
    return;
  self->window_width = width;
  self->window_height = height;
  adapt (self);
  g_object_notify (G_OBJECT (self), "window-height");
}

static void
forget_surface (MemlaneReadingLine *self)
{
  if (self->surface != NULL)
    g_signal_handlers_disconnect_by_data (self->surface, self);
  g_clear_object (&self->surface);
}

static void
mapped_cb (MemlaneReadingLine *self, GtkWidget *page)
{
  forget_surface (self);
  self->surface = g_object_ref (gtk_native_get_surface (gtk_widget_get_native (page)));
  g_signal_connect_swapped (self->surface, "layout", G_CALLBACK (layout_cb), self);
  layout_cb (self, gdk_surface_get_width (self->surface), gdk_surface_get_height (self->surface));
}

void
memlane_reading_line_follow (MemlaneReadingLine *self, GtkWidget *page)
{
  memlane_follow (self, (const MemlaneFollowed[]) {
    { page, "map", G_CALLBACK (mapped_cb) },
    { page, "unmap", G_CALLBACK (forget_surface) },
    { NULL },
  });
}

static void
system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_reading_line_parent_class)->system_setting_changed (widget, setting);
  if (setting == GTK_SYSTEM_SETTING_DPI)
    {
      adapt (MEMLANE_READING_LINE (widget));
      g_object_notify (G_OBJECT (widget), "window-height");
    }
}

MEMLANE_DEFINE_RELEASE (MemlaneReadingLine, memlane_reading_line, dispose, forget_surface (self);)

static void
memlane_reading_line_class_init (MemlaneReadingLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->system_setting_changed = system_setting_changed;
  memlane_fields_install (G_OBJECT_CLASS (klass), fields, G_N_ELEMENTS (fields));
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/memlane/Memlane/reading-line.ui");
  MEMLANE_BIND_CHILDREN (MemlaneReadingLine, room, reading);
}

static void
memlane_reading_line_init (MemlaneReadingLine *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  adapt (self);
}
