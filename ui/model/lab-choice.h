/* lab-choice.h: what the stream laboratory is asked for: a plan, and which two traces of it are set
 * side by side
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

/* The difference between the two traces; all else is the plan's. */
typedef enum
{
  MEMLANE_LAB_COMPARE_ORDERS,      /* depth-first, breadth-first */
  MEMLANE_LAB_COMPARE_BETWEEN,     /* nothing inserted, the plan's command */
  MEMLANE_LAB_COMPARE_STREAMS,     /* blocking, non-blocking */
  MEMLANE_LAB_COMPARE_MEMORY,      /* page-locked, pageable */
  MEMLANE_LAB_COMPARE_PRIORITIES,  /* equal, the last stream's the highest */
  MEMLANE_LAB_N_COMPARISONS
} MemlaneLabComparison;

typedef struct
{
  MemlaneLabComparison comparison;
  MemlaneLabPlan plan;             /* with all defaults filled in */
} MemlaneLabChoice;

/* "Depth-first with breadth-first", in the person's language; (transfer none) */
const char *memlane_lab_comparison_get_title (MemlaneLabComparison comparison);

#define MEMLANE_LAB_N_PRESETS 4

typedef struct
{
  const char *title; /* to be translated */
  MemlaneLabChoice choice;
} MemlaneLabPreset;

extern const MemlaneLabPreset memlane_lab_presets[MEMLANE_LAB_N_PRESETS];
/* Returns the preset that @choice is; the number of presets: none. */
guint memlane_lab_preset_find (const MemlaneLabChoice *choice);

/* The plan of trace @track, 0 or 1. */
MemlaneLabPlan memlane_lab_choice_get_plan (const MemlaneLabChoice *choice, guint track);
/* Returns what trace @track has and the other one has not: "Depth-first", "Non-blocking streams".
 * (transfer none) */
const char *memlane_lab_choice_get_name (const MemlaneLabChoice *choice, guint track);
/* Why the two would be the same; NULL: they differ. (transfer none) */
const char *memlane_lab_choice_get_objection (const MemlaneLabChoice *choice);

/* The values that a person sets: the selected entries of three lists, four numbers, and four
 * switches, which are 0 or 1. */
typedef enum
{
  MEMLANE_LAB_COMPARISON,
  MEMLANE_LAB_ORDER,
  MEMLANE_LAB_BETWEEN,
  MEMLANE_LAB_SIZE,
  MEMLANE_LAB_STREAMS,
  MEMLANE_LAB_CHUNKS,
  MEMLANE_LAB_REUSE,
  MEMLANE_LAB_PAGEABLE,
  MEMLANE_LAB_NON_BLOCKING,
  MEMLANE_LAB_PRIORITIES,
  MEMLANE_LAB_HOST_FUNCTIONS,
  MEMLANE_LAB_N_CONTROLS
} MemlaneLabControl;
guint *memlane_lab_choice_at (MemlaneLabChoice *choice, MemlaneLabControl control);

/* One line for the settings, and back. FALSE: it says nothing that is possible; @choice stays. */
char *memlane_lab_choice_to_text (MemlaneLabChoice *choice); /* (transfer full) */
gboolean memlane_lab_choice_from_text (MemlaneLabChoice *choice, const char *text);
