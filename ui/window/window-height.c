/* window-height.c: what follows the window's size: the banner's words, the header, and where toasts are
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#define LOW 480 /* px */
#define LOWEST 320

/* A low window has no room for all that the banner says. */
static void
adapt_banner (MemlaneWindow *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  gboolean low = height < LOW;

  gtk_widget_set_visible (GTK_WIDGET (self->banner_text), height >= LOWEST); /* the title has it as its tooltip */
  if (low == (gtk_label_get_ellipsize (self->banner_text) == PANGO_ELLIPSIZE_END))
    return;
  gtk_label_set_lines (self->banner_text, low ? 2 : -1);
  gtk_label_set_ellipsize (self->banner_text, low ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_lines (self->banner_title, low ? 1 : -1);
  gtk_label_set_ellipsize (self->banner_title, low ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
}

static gboolean
adapt_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->adapt_idle = 0;
  adapt_banner (self);
  if (self->compact_width > 0 && gtk_widget_get_width (self->header) > self->compact_width)
    memlane_window_adapt_header (self);
  return G_SOURCE_REMOVE;
}

/* In the middle of an allocation, too late to ask for another. The reading of a projected chart grows with the window. */
static void
laid_out_cb (MemlaneWindow *self)
{
  if (self->adapt_idle == 0)
    self->adapt_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, adapt_cb, self, NULL);
  if (self->projector)
    memlane_window_place_toasts_soon (self);
}

void
memlane_window_follow_height (MemlaneWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (laid_out_cb), self, G_CONNECT_SWAPPED);
}
