/* decide-view-private.h: what the files of the map of decisions share
 *
 * SPDX-License-Identifier: MIT
 *
 * decide-view.c: the widget, its layers, what it tells. decide-view-input.c: cells, pointer, keys, context menu.
 */
#pragma once

#include "chart/map/decide-map.h"
#include "decide-view.h"

G_BEGIN_DECLS

/* A place of memlane_decision_get(); both G_MAXUINT: none. */
typedef struct
{
  guint size, reuse;
} MemlaneDecideCell;

#define MEMLANE_DECIDE_NO_CELL ((MemlaneDecideCell) { G_MAXUINT, G_MAXUINT })

struct _MemlaneDecideView
{
  GtkWidget parent_instance;

  GtkWidget *figure, *overlay;
  GtkWidget *menu;             /* made when it is first asked for */

  MemlaneDecideResult *result; /* (owned) (nullable) */
  const MemlaneStyle *style;
  gboolean projector;
  MemlaneDecideMap *map;       /* of the above at this size; NULL until it is needed */
  int map_width, map_height;

  guint log2, reuse;           /* chosen */
  MemlaneDecideCell hovered;
  double pointer_x, pointer_y; /* NAN: outside */
  gboolean spoken;             /* a key has chosen: it is read aloud */
  gboolean described;          /* the description is the map's, not what was read aloud */
  char *reading;
};

static inline gboolean
memlane_decide_is_cell (MemlaneDecideCell cell)
{
  return cell.size != G_MAXUINT;
}

/* decide-view.c */
/* The layout for the present size; NULL without a decision or a size. (transfer none), until the next invalidation. */
const MemlaneDecideMap *memlane_decide_view_ensure_map (MemlaneDecideView *self);
void memlane_decide_view_redraw_overlay (MemlaneDecideView *self);
/* Composes "reading" again and tells assistive technology. */
void memlane_decide_view_update_reading (MemlaneDecideView *self);
/* Chooses it and emits "chosen". */
void memlane_decide_view_choose_cell (MemlaneDecideView *self, MemlaneDecideCell cell);

/* decide-view-input.c */
MemlaneDecideCell memlane_decide_view_find_cell (MemlaneDecideView *self, guint log2_elements, guint reuse);
void memlane_decide_view_install_input (GtkWidgetClass *widget_class); /* actions and keys */
void memlane_decide_view_add_input (MemlaneDecideView *self);          /* pointer and menu */

G_END_DECLS
