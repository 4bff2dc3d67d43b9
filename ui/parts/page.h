/* page.h: what the window asks of a page
 *
 * SPDX-License-Identifier: MIT
 *
 * A page is a widget that implements MemlanePage. Its name, title, icon and how it is built are a
 * row of the window's table (window/window-pages.c). Everything else that the window has to know it
 * asks by the calls below, on the main thread. A page implements those that it has an answer for;
 * what the others get is said with each call.
 *
 * Signals:
 *   "changed": the figure came, changed or went; what can be done with the page is asked again.
 *   "notice" (const char *sentence, gboolean trouble): something to tell the person.
 *   "progress": get_progress() has another answer.
 *   "exported" (const char *sentence, gboolean trouble, GFile *file (nullable)): a file of the page
 * was written, or could not be.
 */
#pragma once

#include <gtk/gtk.h>

#include "export-dialog.h"
#include "memlane.h"

#define MEMLANE_TYPE_PAGE (memlane_page_get_type ())
G_DECLARE_INTERFACE (MemlanePage, memlane_page, MEMLANE, PAGE, GtkWidget)

/* An action of the window ("win.NAME") that a page performs. */
typedef struct
{
  const char *name;      /* NULL: the end of a list */
  const char *parameter; /* its type; NULL: none */
  /* the page is built and shown first; else the action is disabled until the page is built */
  gboolean shows;
  void (*activate) (MemlanePage *self, GVariant *parameter);
  gboolean (*can) (MemlanePage *self); /* (nullable): always */
} MemlanePageAction;

struct _MemlanePageInterface
{
  GTypeInterface parent;

  GtkWidget *(*get_figure) (MemlanePage *self);
  gboolean (*has_figure) (MemlanePage *self);
  const char *(*get_axis_property) (MemlanePage *self);
  gboolean (*can_export_csv) (MemlanePage *self);
  void (*export_csv) (MemlanePage *self);
  gboolean (*can_project) (MemlanePage *self);
  void (*set_projector) (MemlanePage *self, gboolean projector);
  GtkWidget *(*get_focus) (MemlanePage *self);
  const char *(*get_hint) (MemlanePage *self);
  gboolean (*get_progress) (MemlanePage *self, char **status, double *fraction);
  void (*stop) (MemlanePage *self);
  void (*open) (MemlanePage *self, const char *path);
};

/* --- the figure ------------------------------------------------------------------------------- */

/* The view that is exported, copied, printed and projected. NULL: the page has none, and the window
 * takes that of its first page. (transfer none) */
GtkWidget *memlane_page_get_figure (MemlanePage *self);
/* Whether that view shows anything now. Else: whether the page has a figure. */
gboolean memlane_page_has_figure (MemlanePage *self);

/* --- the property of the view that the window's action "log-values" sets while the page is seen */

/* Else: "bandwidth-axis". */
const char *memlane_page_get_axis_property (MemlanePage *self);

/* --- export ----------------------------------------------------------------------------------- */

/* Whether "Export CSV" writes something of the page's own. FALSE: the window exports the first run
 * that is shown. */
gboolean memlane_page_has_own_csv (MemlanePage *self);
/* Whether a page with a CSV of its own has anything to write now. */
gboolean memlane_page_can_export_csv (MemlanePage *self);
/* Asks for a file and writes it; "exported" tells. */
void memlane_page_export_csv (MemlanePage *self);

/* --- what goes on beside the bench: reading files --------------------------------------------- */

/* Whether the page reads something now; then also what (transfer full), and how far it is, 0 to
 * 1. */
gboolean memlane_page_get_progress (MemlanePage *self, char **status, double *fraction);
void memlane_page_stop (MemlanePage *self);
/* Reads a file of the page's own kind. */
void memlane_page_open (MemlanePage *self, const char *path);

/* --- the projector ---------------------------------------------------------------------------- */

/* Whether there is anything to be projected; if not, the window shows its first page. Else:
 * TRUE. */
gboolean memlane_page_can_project (MemlanePage *self);
/* The page's figure becomes one for the wall; what is around it the page hides, or brings back, in
 * set_projector(). Twice is once. */
void memlane_page_set_projector (MemlanePage *self, gboolean projector);
/* Returns the widget with the focus in the projector. Else: the figure. (transfer none)
 * (nullable) */
GtkWidget *memlane_page_get_focus (MemlanePage *self);
/* Explains the keys in the projector, translated. Else: that Escape leaves it. */
const char *memlane_page_get_hint (MemlanePage *self);

/* --- for the pages themselves ----------------------------------------------------------------- */

/* Calls @update, a (gpointer page), now, or once when the page is seen next: nothing is built that
 * is not seen. */
void memlane_page_when_seen (gpointer self, GCallback update);
void memlane_page_emit_notice (MemlanePage *self, const char *sentence, gboolean trouble);
void memlane_page_emit_progress (MemlanePage *self);
/* A MemlaneExportDone: emits "exported" and releases @page. */
void memlane_page_tell_exported (const char *sentence, gboolean trouble, GFile *file,
                                 gpointer page);
/* The window above the page, for dialogs. (transfer none) */
GtkWindow *memlane_page_get_window (MemlanePage *self);
/* Activates "win.record-cell": a trace of @cell is recorded and shown. A projected figure stays. */
void memlane_page_record (MemlanePage *self, const MemlaneCell *cell);
