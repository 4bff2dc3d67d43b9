/* decide-map-private.h: what a layout of a map decided, shared by the files decide-map*.c
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "decide-map.h"
#include "chart/figure-private.h"

G_BEGIN_DECLS

/* What a piece of text is; also its word in the dump. */
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
  MEMLANE_MAP_TIED,  /* others of its kind cannot be told from it */
  MEMLANE_MAP_OPEN,  /* those of another kind cannot either */
  MEMLANE_MAP_UNTOLD /* nothing can be told */
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

/* --- decide-map.c ------------------------------------------------------------------------------------------------- */

PangoLayout *memlane_map_make_text (const MemlaneDecideMap *self, double factor, gboolean bold, const char *text);
/* Takes @layout over. */
void memlane_map_place_text (MemlaneDecideMap *self, MemlaneMapRole role, PangoLayout *layout, double x, double y,
                             const MemlaneColor *color);

/* --- decide-map-layout.c ------------------------------------------------------------------------------------------ */

void memlane_map_place_all (MemlaneDecideMap *self);

/* --- decide-map-legend.c ------------------------------------------------------------------------------------------ */

typedef enum
{
  MEMLANE_MAP_LEGEND_NONE,
  MEMLANE_MAP_LEGEND_RIGHT,
  MEMLANE_MAP_LEGEND_BELOW,
} MemlaneMapSide;

typedef struct
{
  MemlaneMapSide side;
  gboolean headings;
  guint entries;        /* that have room */
  double width, height; /* that they take */
} MemlaneMapLegend;

/* @height: what a column at the right may take. */
MemlaneMapLegend memlane_map_plan_legend (MemlaneDecideMap *self, double height);
void memlane_map_place_legend (MemlaneDecideMap *self, const MemlaneMapLegend *plan, double x, double y);

/* --- decide-map-names.c ------------------------------------------------------------------------------------------- */

#define MEMLANE_MAP_NAME_PAD 0.4 /* em, at either side of a name */

/* The name of each mode in the middle of its largest region, where it fits. */
void memlane_map_place_names (MemlaneDecideMap *self);

/* --- decide-map-draw.c -------------------------------------------------------------------------------------------- */

/* Of a mode's cells, and of what is drawn on them. */
MemlaneColor memlane_map_ground (const MemlaneStyle *style, int mode);
MemlaneColor memlane_map_ink (const MemlaneStyle *style, int mode);

/* --- decide-map-words.c: all (transfer full) ---------------------------------------------------------------------- */

char *memlane_map_mode_title (int mode);
/* "Fastest mode · Vector addition" */
char *memlane_map_title (const MemlaneDecision *decision);
/* "inputs up and the result down · NVIDIA H200 · driver 13.0 · 2026-11-21" */
char *memlane_map_subtitle (const MemlaneDecision *decision);
/* Why there is no cell. */
char *memlane_map_explain (const MemlaneDecision *decision);

G_END_DECLS
