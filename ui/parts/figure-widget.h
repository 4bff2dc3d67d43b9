/* figure-widget.h: a figure in the window: what curves, timelines and maps have in common
 *
 * SPDX-License-Identifier: MIT
 *
 * A subclass says what is drawn (get_drawing), what follows the pointer (draw_overlay) and what is
 * told of it (read, name, describe). This class lays it out, keeps it as pixels, and does what is
 * the same for each:
 *
 * Layers: the figure as cached pixels at device scale, redrawn after invalidate() or when size or
 *   scale change. The layers of the choice and the overlay are children of their own above it. A
 *   moving pointer redraws nothing else. Laid out for at least MEMLANE_FIGURE_LEAST_* px: what does
 *   not fit is cut off.
 * Style: dark and high contrast by AdwStyleManager, projector styles when "projector" is set; text
 *   direction and text size are GTK's.
 * Pointer: motion, clicks, a band (drag with the first button), Ctrl and wheel or pinching to zoom,
 *   context menu. The menu (secondary button, long touch, Menu, Shift+F10) has copy, export and
 *   print of the window. The projector has none: a slip of the hand is not for the wall.
 * Accessible: role img; label = name(), description = describe(), value text = the reading. Once a
 *   key has chosen what is read (spoken), the reading is the description until the focus goes: GTK
 *   4.8 hands no change of a value's text on to screen readers.
 *
 * Properties: "projector" boolean, "reading" string ("": nothing is read), "zoomed" boolean.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/drawing.h"

#define MEMLANE_FIGURE_LEAST_WIDTH 160
#define MEMLANE_FIGURE_LEAST_HEIGHT 120
#define MEMLANE_FIGURE_KEY_STEP 1.5 /* so much nearer by one key */
#define MEMLANE_FIGURE_NOTCH 40     /* px of a touchpad that are one notch of a wheel */
#define MEMLANE_FIGURE_FAR 1000     /* cells: to the end */

/* From the lowest to the highest. */
typedef enum
{
  MEMLANE_FIGURE_ITSELF,
  MEMLANE_FIGURE_CHOSEN,
  MEMLANE_FIGURE_OVERLAY,
  MEMLANE_N_FIGURE_LAYERS
} MemlaneFigureLayer;

/* A figure does it by an action, or by keys. */
typedef struct
{
  const char *action; /* NULL: by its keys alone */
  guint keys[3];      /* of several a menu shows the last */
  GdkModifierType modifiers;
  /* NULL: the class has the action from elsewhere, and here its keys */
  void (*act) (gpointer self, double by, double further);
  double by, further;
} MemlaneFigureAction;

/* A cell of a figure that has some, by two indices in the order of its class: column and row of a
 * map, mode and size of a table. */
typedef struct
{
  guint i, j; /* both G_MAXUINT: none */
} MemlaneFigureCell;

#define MEMLANE_FIGURE_NO_CELL ((MemlaneFigureCell) { G_MAXUINT, G_MAXUINT })

#define MEMLANE_TYPE_FIGURE_WIDGET (memlane_figure_widget_get_type ())
#define MEMLANE_FIGURE_WIDGET(object)                                                              \
  (G_TYPE_CHECK_INSTANCE_CAST (object, MEMLANE_TYPE_FIGURE_WIDGET, MemlaneFigureWidget))
#define MEMLANE_FIGURE_WIDGET_CLASS(klass)                                                         \
  (G_TYPE_CHECK_CLASS_CAST (klass, MEMLANE_TYPE_FIGURE_WIDGET, MemlaneFigureWidgetClass))
#define MEMLANE_FIGURE_WIDGET_GET_CLASS(object) \
  (G_TYPE_INSTANCE_GET_CLASS (object, MEMLANE_TYPE_FIGURE_WIDGET, MemlaneFigureWidgetClass))
typedef struct _MemlaneFigureWidgetClass MemlaneFigureWidgetClass;
GType memlane_figure_widget_get_type (void);

/* Others read the fields. The calls below write them, but for spoken. */
typedef struct
{
  GtkWidget parent_instance;

  GtkWidget *layers[MEMLANE_N_FIGURE_LAYERS]; /* NULL: the class draws none */
  GtkWidget *menu;                      /* made when it is first asked for */

  /* what the layout is of; NULL until it is needed, and where nothing is shown */
  MemlaneDrawing *drawing;
  gpointer layout;
  int width, height;                    /* px, of the layout */
  const MemlaneStyle *style;
  gboolean projector, zoomed;

  char *reading;
  /* it is read aloud: a key has chosen what it is of. Set before update_reading(). */
  gboolean spoken;
  /* the description is the figure's, not what was read aloud */
  gboolean described;

  double pointer_x, pointer_y;          /* NAN: outside */
  /* of a figure of cells: the one pointed at; none once a key has chosen another */
  MemlaneFigureCell hovered;
  gboolean pressed, banding;            /* a button is held; it has moved far enough to be a band */
  double press_x, press_y;
  double pinch;                         /* scale of the gesture so far; 0: none */
  double pinch_x, pinch_y;              /* its middle */
} MemlaneFigureWidget;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneFigureWidget, g_object_unref)

/* The calls of a figure of cells; each is mandatory. Layouts are those of the drawing's class. */
typedef struct
{
  /* FALSE: no cell lies there */
  gboolean (*hit) (gconstpointer layout, double x, double y, guint *i, guint *j);
  void (*draw) (gconstpointer layout, cairo_t *cr, guint hovered_i, guint hovered_j, guint chosen_i,
                guint chosen_j);
  /* Returns the chosen cell; none: nothing is chosen, or it is not in the figure. Then @nearest
   * gives the one where a walk begins. */
  MemlaneFigureCell (*find_chosen) (MemlaneFigureWidget *self, gboolean nearest);
  /* the numbers of cells by the two indices; asked for while one is chosen */
  MemlaneFigureCell (*count) (MemlaneFigureWidget *self);
  void (*choose) (MemlaneFigureWidget *self, MemlaneFigureCell cell, gboolean by_click);
  char *(*read) (MemlaneFigureWidget *self, MemlaneFigureCell cell); /* (transfer full) */
  const char *cursor; /* over a cell; NULL: the usual one. Optional. */
} MemlaneFigureCells;

#define MEMLANE_FIGURE_MOST_SECTIONS 2

/* An entry of a section of the context menu. It is hidden while the action is missing. */
typedef struct
{
  const char *label; /* N_(); NULL: the end of the section */
  const char *action;
} MemlaneFigureEntry;

/* Calls are optional unless they are called mandatory. Layouts are those of the drawing's class.
 * Places are px. */
typedef struct
{
  /* --- the figure */
  /* Returns the drawing that is shown; NULL: nothing. @paper: for a file or a page, which do not
   * scroll. Mandatory. (transfer full) */
  MemlaneDrawing *(*get_drawing) (MemlaneFigureWidget *self, gboolean paper);
  /* Draw the layer that stays while the pointer moves, and the layer that follows it. Neither
   * paints a background. */
  void (*draw_chosen) (MemlaneFigureWidget *self, gconstpointer layout, cairo_t *cr);
  void (*draw_overlay) (MemlaneFigureWidget *self, gconstpointer layout, cairo_t *cr);
  /* It is about to be laid out anew: what no longer holds is let go of. */
  void (*invalidated) (MemlaneFigureWidget *self);
  /* the ring is drawn then too; else not: nothing else can have the focus there */
  gboolean focus_when_projected;
  /* "projector" is another, the style not yet. */
  void (*projector_changed) (MemlaneFigureWidget *self);

  /* --- what is told, (transfer full) */
  /* what is chosen or pointed at; "": nothing. Mandatory. */
  char *(*read) (MemlaneFigureWidget *self);
  char *(*name) (MemlaneFigureWidget *self);     /* Mandatory. */
  /* the whole figure in words; NULL: the drawing's own */
  char *(*describe) (MemlaneFigureWidget *self);

  /* --- files and paper */
  /* N_(): why there is nothing to write; NULL: it is never written and has no menu */
  const char *nothing;

  /* --- the pointer */
  /* it has moved here; NAN: it has left */
  void (*point) (MemlaneFigureWidget *self, double x, double y);
  /* the widget has the focus already */
  void (*press) (MemlaneFigureWidget *self, int n_press, double x, double y);
  /* released, not after a band */
  void (*click) (MemlaneFigureWidget *self, int n_press, double x, double y);
  /* A band: whether one can begin here; it reaches to here; it is @done, or cancelled. The first
   * goes with the second. */
  gboolean (*band_begin) (MemlaneFigureWidget *self, double x, double y);
  void (*band_move) (MemlaneFigureWidget *self, double x, double y);
  void (*band_end) (MemlaneFigureWidget *self, gboolean done);
  /* @factor times as much is seen, and what is at the place stays there; @x NAN: around what is
   * chosen, or the middle. FALSE: nothing to zoom. Wheel and touch are listened to where it is not
   * NULL. */
  gboolean (*zoom) (MemlaneFigureWidget *self, double x, double y, double factor);
  /* The wheel without Ctrl, with Shift sideways: in notches, or @by_px. FALSE: it is left to
   * others. */
  gboolean (*scroll) (MemlaneFigureWidget *self, double dx, double dy, gboolean by_px);
  /* Two fingers have moved on by that much. FALSE: it is at an end. */
  gboolean (*drag) (MemlaneFigureWidget *self, double dx, double dy);

  /* --- cells, static. A figure that has some draws its overlay, reads and follows the pointer by
   * them: pointing at a cell reads it, a click chooses it. */
  const MemlaneFigureCells *cells;

  /* --- actions and keys, static. Rows of one action follow each other. */
  const MemlaneFigureAction *actions;
  guint n_actions;

  /* --- the context menu */
  /* static: above those of the files */
  const MemlaneFigureEntry *menu[MEMLANE_FIGURE_MOST_SECTIONS];
  /* it is asked for by the pointer here */
  void (*menu_at) (MemlaneFigureWidget *self, double x, double y);
  /* where a key opens it (in: the middle); FALSE: nowhere */
  gboolean (*place_menu) (MemlaneFigureWidget *self, double *x, double *y);
} MemlaneFigureCalls;

struct _MemlaneFigureWidgetClass
{
  GtkWidgetClass parent_class;
  MemlaneFigureCalls calls;
};

/* --- for everybody */

void memlane_figure_widget_set_projector (MemlaneFigureWidget *self, gboolean projector);
/* Returns the drawing, to be written, copied or printed. (transfer full), or NULL with
 * G_IO_ERROR_NOT_FOUND: it shows nothing. */
MemlaneDrawing *memlane_figure_widget_get_drawing (MemlaneFigureWidget *self, GError **error);
/* The layout that is seen, of the drawing's class; for the least size before there is one; NULL:
 * nothing is shown. (transfer none), until the next change. */
gpointer memlane_figure_widget_get_layout (MemlaneFigureWidget *self);
/* The style that a figure on the display of @widget has now, light, dark or of high contrast. */
/* How much larger text is in the window of @widget than in one of 1280x720; at least 1. */
double memlane_figure_text_growth (GtkWidget *widget);
const MemlaneStyle *memlane_figure_style (GtkWidget *widget, gboolean projector);

/* --- for subclasses */

/* Once, in class_init: what the figures of @klass do. */
void memlane_figure_widget_class_set_calls (gpointer klass, const MemlaneFigureCalls *calls);
/* For actions: chooses the cell that is @by and @further cells from the chosen one by the two
 * indices, as far as there are any. */
void memlane_figure_walk_cells (gpointer self, double by, double further);

/* Another drawing at the present size and style. (transfer full): free_layout() of its class */
gpointer memlane_figure_widget_lay_out (MemlaneFigureWidget *self, const MemlaneDrawing *drawing);
/* All is laid out and painted again. */
void memlane_figure_widget_invalidate (MemlaneFigureWidget *self);
/* One layer, as it is laid out. */
void memlane_figure_widget_redraw (MemlaneFigureWidget *self, MemlaneFigureLayer layer);
/* Composes "reading" again and tells assistive technology. */
void memlane_figure_widget_update_reading (MemlaneFigureWidget *self);
/* The same, and draws the overlay again: something else is pointed at or chosen. */
void memlane_figure_widget_read_again (MemlaneFigureWidget *self);
/* The content is another: it is laid out, read and described anew. A screen reader speaks every
 * change of the focused widget's description: a sweep would make it talk without end, so the
 * description waits until the focus is elsewhere. */
void memlane_figure_widget_renew (MemlaneFigureWidget *self);
/* Tells assistive technology of the whole figure, and no longer what was read aloud. */
void memlane_figure_widget_describe (MemlaneFigureWidget *self);
void memlane_figure_widget_set_zoomed (MemlaneFigureWidget *self, gboolean zoomed);
/* Lets go of a band, and of a button that is held. FALSE: there was none. */
gboolean memlane_figure_widget_cancel_band (MemlaneFigureWidget *self);
