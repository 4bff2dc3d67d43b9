/* page.c: what the window asks of a page, and what it gets where the page has no answer
 *
 * SPDX-License-Identifier: MIT
 */
#include "page.h"

#include <glib/gi18n-lib.h>

#include "figure-widget.h"
#include "model/fields.h"

G_DEFINE_INTERFACE (MemlanePage, memlane_page, GTK_TYPE_WIDGET)

static void
memlane_page_default_init (MemlanePageInterface *iface)
{
  memlane_signal_add (iface, "changed", 0);
  memlane_signal_add (iface, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  memlane_signal_add (iface, "progress", 0);
  memlane_signal_add (iface, "exported", 3, G_TYPE_STRING, G_TYPE_BOOLEAN, G_TYPE_FILE);
}

/* The page's own answer to @call, else @otherwise. */
#define ASK(self, call, otherwise)                                                                 \
  (MEMLANE_PAGE_GET_IFACE (self)->call != NULL ? MEMLANE_PAGE_GET_IFACE (self)->call (self)        \
                                               : (otherwise))

/* memlane_page_CALL(), which answers so. */
#define ANSWER(Type, call, otherwise) \
  Type \
  memlane_page_##call (MemlanePage *self) \
  { \
    return ASK (self, call, otherwise); \
  }

ANSWER (GtkWidget *, get_figure, NULL)
ANSWER (gboolean, has_figure, memlane_page_get_figure (self) != NULL)
ANSWER (const char *, get_axis_property, "bandwidth-axis")
ANSWER (gboolean, can_export_csv, memlane_page_has_own_csv (self))
ANSWER (GtkWidget *, get_focus, memlane_page_get_figure (self))
ANSWER (const char *, get_hint, _("Escape leaves the projector"))

gboolean
memlane_page_has_own_csv (MemlanePage *self)
{
  return MEMLANE_PAGE_GET_IFACE (self)->export_csv != NULL;
}

void
memlane_page_export_csv (MemlanePage *self)
{
  MEMLANE_PAGE_GET_IFACE (self)->export_csv (self);
}

gboolean
memlane_page_get_progress (MemlanePage *self, char **status, double *fraction)
{
  return MEMLANE_PAGE_GET_IFACE (self)->get_progress != NULL
         && MEMLANE_PAGE_GET_IFACE (self)->get_progress (self, status, fraction);
}

void
memlane_page_stop (MemlanePage *self)
{
  MEMLANE_PAGE_GET_IFACE (self)->stop (self);
}

void
memlane_page_open (MemlanePage *self, const char *path)
{
  MEMLANE_PAGE_GET_IFACE (self)->open (self, path);
}

gboolean
memlane_page_can_project (MemlanePage *self)
{
  return ASK (self, can_project, TRUE);
}

void
memlane_page_set_projector (MemlanePage *self, gboolean projector)
{
  GtkWidget *figure = memlane_page_get_figure (self);

  if (figure != NULL && MEMLANE_FIGURE_WIDGET (figure)->projector == !!projector)
    return;
  if (figure != NULL)
    memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (figure), projector);
  if (MEMLANE_PAGE_GET_IFACE (self)->set_projector != NULL)
    MEMLANE_PAGE_GET_IFACE (self)->set_projector (self, !!projector);
  if (projector && figure != NULL && gtk_widget_get_mapped (figure))
    gtk_widget_grab_focus (figure); /* its keys reveal, play and choose */
}

static void
seen_cb (gpointer self, gpointer update)
{
  g_signal_handlers_disconnect_by_func (self, seen_cb, update);
  ((void (*) (gpointer)) update) (self);
}

void
memlane_page_when_seen (gpointer self, GCallback update)
{
  if (gtk_widget_get_mapped (self))
    ((void (*) (gpointer)) update) (self);
  else
    {
      g_signal_handlers_disconnect_by_func (self, seen_cb, update);
      g_signal_connect (self, "map", G_CALLBACK (seen_cb), (gpointer) update);
    }
}

void
memlane_page_emit_notice (MemlanePage *self, const char *sentence, gboolean trouble)
{
  g_signal_emit_by_name (self, "notice", sentence, trouble);
}

void
memlane_page_emit_progress (MemlanePage *self)
{
  g_signal_emit_by_name (self, "progress");
}

void
memlane_page_tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer page)
{
  g_signal_emit_by_name (page, "exported", sentence, trouble, file);
  g_object_unref (page);
}

GtkWindow *
memlane_page_get_window (MemlanePage *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

void
memlane_page_record (MemlanePage *self, const MemlaneCell *cell)
{
  GtkWidget *figure = memlane_page_get_figure (self);

  if (figure == NULL || !MEMLANE_FIGURE_WIDGET (figure)->projector)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.record-cell", "(ssuuuu)", cell->mode,
                                cell->workload, (guint) round (cell->log2_elements), cell->reuse,
                                cell->streams, cell->chunks);
}
