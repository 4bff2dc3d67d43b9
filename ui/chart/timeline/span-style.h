/* span-style.h: the colour of a span, and what tells it apart without colour
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/style.h"
#include "timeline.h"

/* Places in the palette. */
typedef enum
{
  MEMLANE_TINT_CALL,
  MEMLANE_TINT_HOST,
  MEMLANE_TINT_WAIT,
  MEMLANE_TINT_STAGING,
  MEMLANE_TINT_UP,
  MEMLANE_TINT_DOWN,
  MEMLANE_TINT_INSIDE,
  MEMLANE_TINT_MEMSET,
  MEMLANE_TINT_KERNEL,
  MEMLANE_TINT_MIGRATION,
  MEMLANE_TINT_FAULT,
  MEMLANE_TINT_HOST_FUNCTION,
  MEMLANE_TINT_PHASE,
  MEMLANE_TINT_OTHER,
  MEMLANE_TINT_STREAM, /* the first of eight */
  MEMLANE_TINT_LAST_STREAM = MEMLANE_TINT_STREAM + 7,
  MEMLANE_N_TINTS
} MemlaneTint;

/* Patterns that tell kinds apart without colour. */
typedef enum
{
  MEMLANE_HATCH_PLAIN,
  MEMLANE_HATCH_TOP,     /* a bar along the upper edge: to the device */
  MEMLANE_HATCH_BOTTOM,  /* along the lower edge: to the host */
  MEMLANE_HATCH_MIDDLE,  /* along both: inside the device, a memset */
  MEMLANE_HATCH_LINES,   /* migrations: horizontal lines */
  MEMLANE_HATCH_DIAGONAL,/* waits: oblique lines */
  MEMLANE_HATCH_DENSE,   /* implicit synchronisation: oblique both ways */
  MEMLANE_HATCH_DOTS,    /* faults */
  MEMLANE_HATCH_DASHES,  /* staged: dashes along the middle */
  MEMLANE_N_HATCHES
} MemlaneHatch;

typedef struct
{
  guint8 tint, hatch;
  gboolean failed;
} MemlaneSpanStyle;

MemlaneColor memlane_span_tint_color (MemlaneTint tint, const MemlaneStyle *style);
/* Returns the look of an event of @trace. */
MemlaneSpanStyle memlane_span_style_of (const MemlaneTrace *trace, const MemlaneTraceEvent *event,
                                        MemlaneTimelineColours colours);
/* One of the eight, by the stream's place among the trace's. */
MemlaneTint memlane_span_stream_tint (const MemlaneTrace *trace, guint32 stream);
