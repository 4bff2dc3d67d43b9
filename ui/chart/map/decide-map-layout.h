/* decide-map-layout.h: what a laid-out map of decisions keeps
 *
 * SPDX-License-Identifier: MIT
 *
 * To be read by who checks or prints a layout; made by memlane_decide_map_layout() alone.
 */
#pragma once

#include "decide-map.h"

G_BEGIN_DECLS

/* What a piece of text is; also its word where a layout is printed. */
typedef enum
{
  MEMLANE_MAP_TITLE,
  MEMLANE_MAP_SUBTITLE,
  MEMLANE_MAP_BADGE,
  MEMLANE_MAP_UNIT,    /* what the vertical axis counts */
  MEMLANE_MAP_Y_TICK,
  MEMLANE_MAP_X_TICK,  /* powers of two */
  MEMLANE_MAP_X_BYTES,
  MEMLANE_MAP_CAPTION, /* what the horizontal axis counts */
  MEMLANE_MAP_HEADING, /* of a part of the legend */
  MEMLANE_MAP_LEGEND,
  MEMLANE_MAP_MORE,    /* how many entries of the legend found no room */
  MEMLANE_MAP_NAME,    /* of a mode, inside its cells */
  MEMLANE_MAP_EMPTY,
  MEMLANE_N_MAP_ROLES
} MemlaneMapRole;

typedef struct
{
  MemlaneMapRole role;
  PangoLayout *layout;   /* owned */
  MemlaneRectangle area; /* its logical rectangle */
  MemlaneColor color;
  int mode;              /* NAME: whose it is */
} MemlaneMapText;

/* How sure a cell is. */
typedef enum
{
  MEMLANE_MAP_CERTAIN,
  MEMLANE_MAP_OPEN,  /* another mode may be more than 5 % faster: hatched */
  MEMLANE_MAP_UNTOLD /* not enough data */
} MemlaneMapCertainty;

/* A cell, or a legend's picture of one; mode -1: none. */
typedef struct
{
  MemlaneRectangle area;
  int mode;
  MemlaneMapCertainty certainty;
} MemlaneMapCell;

struct _MemlaneDecideMap
{
  const MemlaneDecision *decision; /* not owned */
  MemlaneStyle style;   /* sizes as they are drawn here */
  double width, height;
  PangoContext *pango;  /* owned reference */
  double em, line, pad;
  MemlaneRectangle area;
  gboolean has_axis_text;
  MemlaneRectangle badge; /* width 0: none */
  guint32 modes;        /* bits: those that occur */
  GArray *texts;        /* (element-type MemlaneMapText) */
  GArray *samples;      /* (element-type MemlaneMapCell) of the legend */
  gboolean *named;      /* n_sizes x MEMLANE_DECIDE_REUSES: a name lies over the cell */
};

static inline guint
memlane_map_index (guint size_index, guint reuse_index)
{
  return size_index * MEMLANE_DECIDE_REUSES + reuse_index;
}

/* What is drawn in a cell that exists. */
MemlaneMapCell memlane_map_cell (const MemlaneDecideMap *self, guint size_index, guint reuse_index);

/* The colours of a mode's cells, and of what is drawn on them; @mode -1: of cells without a mode. */
MemlaneColor memlane_map_ground (const MemlaneStyle *style, int mode);
MemlaneColor memlane_map_ink (const MemlaneStyle *style, int mode);

G_END_DECLS
