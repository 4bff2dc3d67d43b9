/* span-style.c: the colour of a span, and what tells it apart without colour
 *
 * SPDX-License-Identifier: MIT
 */
#include "span-style.h"

/* Hues of Okabe & Ito (2008) for what the device does, greys and earths for the host. */
static const guint32 tints[MEMLANE_N_TINTS][2] = { /* on light, on dark */
  [MEMLANE_TINT_CALL] = { 0xc9ced4, 0x5d646b },
  [MEMLANE_TINT_HOST] = { 0xd9c8a2, 0x74643f },
  [MEMLANE_TINT_WAIT] = { 0xe9ebee, 0x34383c },
  [MEMLANE_TINT_STAGING] = { 0xe8c34d, 0xcfa93a },
  [MEMLANE_TINT_UP] = { 0x1a6fbd, 0x5aa9f2 },
  [MEMLANE_TINT_DOWN] = { 0xa8447f, 0xe08fc0 },
  [MEMLANE_TINT_INSIDE] = { 0x4d6b94, 0x93b0da },
  [MEMLANE_TINT_MEMSET] = { 0x86cfb4, 0x459a7d },
  [MEMLANE_TINT_KERNEL] = { 0x007f5b, 0x2bc898 },
  [MEMLANE_TINT_MIGRATION] = { 0x7cc4ec, 0x4695c0 },
  [MEMLANE_TINT_FAULT] = { 0xbd5300, 0xf0813c },
  [MEMLANE_TINT_HOST_FUNCTION] = { 0xe6d83f, 0xe3d648 },
  [MEMLANE_TINT_PHASE] = { 0xd9e2ee, 0x37424f },
  [MEMLANE_TINT_OTHER] = { 0x93a1b5, 0x8796ad },
  [MEMLANE_TINT_STREAM + 0] = { 0x1a6fbd, 0x5aa9f2 },
  [MEMLANE_TINT_STREAM + 1] = { 0xe69f00, 0xf0b030 },
  [MEMLANE_TINT_STREAM + 2] = { 0x007f5b, 0x2bc898 },
  [MEMLANE_TINT_STREAM + 3] = { 0xa8447f, 0xe08fc0 },
  [MEMLANE_TINT_STREAM + 4] = { 0x7cc4ec, 0x9bd8fa },
  [MEMLANE_TINT_STREAM + 5] = { 0xbd5300, 0xf0813c },
  [MEMLANE_TINT_STREAM + 6] = { 0x7a7400, 0xe3d648 },
  [MEMLANE_TINT_STREAM + 7] = { 0x6b4fa0, 0xb79cf0 },
};

MemlaneColor
memlane_span_tint_color (MemlaneTint tint, const MemlaneStyle *style)
{
  guint32 hex = tints[tint][style->dark];

  return (MemlaneColor) { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0,
                         (hex & 0xff) / 255.0, 1 };
}

MemlaneTint
memlane_span_stream_tint (const MemlaneTrace *trace, guint32 stream)
{
  const MemlaneTraceStream *found = memlane_trace_find_stream (trace, stream);
  guint n;

  return MEMLANE_TINT_STREAM
         + (found != NULL ? (guint) (found - memlane_trace_get_streams (trace, &n)) % 8
                          : stream % 8);
}

static MemlaneSpanStyle
style_of_kind (const MemlaneTraceEvent *event)
{
  static const MemlaneSpanStyle styles[MEMLANE_TRACE_N_KINDS] = {
    [MEMLANE_TRACE_CALL] = { MEMLANE_TINT_CALL, MEMLANE_HATCH_PLAIN, FALSE },
    [MEMLANE_TRACE_HOST] = { MEMLANE_TINT_HOST, MEMLANE_HATCH_PLAIN, FALSE },
    [MEMLANE_TRACE_SYNCHRONISATION] = { MEMLANE_TINT_WAIT, MEMLANE_HATCH_DIAGONAL, FALSE },
    [MEMLANE_TRACE_STAGING] = { MEMLANE_TINT_STAGING, MEMLANE_HATCH_DASHES, FALSE },
    [MEMLANE_TRACE_COPY] = { MEMLANE_TINT_INSIDE, MEMLANE_HATCH_MIDDLE, FALSE },
    [MEMLANE_TRACE_MEMSET] = { MEMLANE_TINT_MEMSET, MEMLANE_HATCH_MIDDLE, FALSE },
    [MEMLANE_TRACE_KERNEL] = { MEMLANE_TINT_KERNEL, MEMLANE_HATCH_PLAIN, FALSE },
    [MEMLANE_TRACE_MIGRATION] = { MEMLANE_TINT_MIGRATION, MEMLANE_HATCH_LINES, FALSE },
    [MEMLANE_TRACE_FAULT] = { MEMLANE_TINT_FAULT, MEMLANE_HATCH_DOTS, FALSE },
    [MEMLANE_TRACE_HOST_FUNCTION] = { MEMLANE_TINT_HOST_FUNCTION, MEMLANE_HATCH_PLAIN, FALSE },
    [MEMLANE_TRACE_PHASE] = { MEMLANE_TINT_PHASE, MEMLANE_HATCH_PLAIN, FALSE },
    [MEMLANE_TRACE_OTHER] = { MEMLANE_TINT_OTHER, MEMLANE_HATCH_PLAIN, FALSE },
  };
  MemlaneSpanStyle style = styles[event->kind];
  gboolean up = event->way == MEMLANE_TRACE_WAY_TO_DEVICE;

  if (event->kind == MEMLANE_TRACE_COPY && (up || event->way == MEMLANE_TRACE_WAY_TO_HOST))
    style = (MemlaneSpanStyle) { up ? MEMLANE_TINT_UP : MEMLANE_TINT_DOWN,
                                up ? MEMLANE_HATCH_TOP : MEMLANE_HATCH_BOTTOM, FALSE };
  if (event->kind == MEMLANE_TRACE_COPY && (event->flags & MEMLANE_TRACE_STAGED) != 0)
    style.hatch = MEMLANE_HATCH_DASHES;
  if (event->kind == MEMLANE_TRACE_SYNCHRONISATION && (event->flags & MEMLANE_TRACE_IMPLICIT) != 0)
    style.hatch = MEMLANE_HATCH_DENSE;
  return style;
}

MemlaneSpanStyle
memlane_span_style_of (const MemlaneTrace *trace, const MemlaneTraceEvent *event,
                       MemlaneTimelineColours colours)
{
  MemlaneSpanStyle found = style_of_kind (event);

  if (colours == MEMLANE_TIMELINE_BY_STREAM && event->stream != MEMLANE_TRACE_NO_STREAM
      && event->kind != MEMLANE_TRACE_OTHER && event->kind != MEMLANE_TRACE_SYNCHRONISATION)
    found.tint = memlane_span_stream_tint (trace, event->stream);
  found.failed = (event->flags & MEMLANE_TRACE_FAILED) != 0;
  return found;
}
