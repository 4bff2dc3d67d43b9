/* decide-map-layout.h: what a laid-out map of decisions keeps
 *
 * SPDX-License-Identifier: MIT
 *
 * To be read by who checks or prints a layout; made by memlane_decide_map_layout() alone.
 */
#pragma once

#include "chart/frame.h"
#include "decide-map.h"

/* The map's own text: the name of a mode, inside its cells. */
#define MEMLANE_MAP_NAME MEMLANE_TEXT_CONTENT
/* From this item on a row of the legend explains a MemlaneMapCertainty; those below are kinds. */
#define MEMLANE_MAP_FIRST_CERTAINTY 64
/* Kinds of cells: the first mode of a family, or each mode where pieces are moved; -1: none. */

/* The certainty of a cell. */
typedef enum
{
  MEMLANE_MAP_CERTAIN,
  MEMLANE_MAP_TIED,  /* modes of several families tie: pale */
  MEMLANE_MAP_OPEN,  /* the choice may cost more than 5 %: hatched */
  MEMLANE_MAP_UNTOLD /* not enough data */
} MemlaneMapCertainty;

/* A cell, or a legend's picture of one. */
typedef struct
{
  MemlaneRectangle area;
  int kind;
  MemlaneMapCertainty certainty;
} MemlaneMapCell;

struct _MemlaneDecideMap
{
  MemlaneFrame frame;   /* its items are kinds */
  const MemlaneDecision *decision; /* not owned */
  int *kinds;           /* n_columns x n_rows */
  int tied_kind;        /* one that has pale cells, for the legend */
  /* (element-type guint): cells with a marker, one in each region without a name */
  GArray *marks;
};

/* Returns the contents of an existing cell. */
MemlaneMapCell memlane_map_cell (const MemlaneDecideMap *self, guint column, guint row);

/* The colours of a kind's cells, and of what is drawn on them. */
MemlaneColor memlane_map_ground (const MemlaneStyle *style, int kind, gboolean tied);
MemlaneColor memlane_map_ink (const MemlaneStyle *style, int kind, gboolean tied);
