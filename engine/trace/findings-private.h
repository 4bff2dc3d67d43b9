/* findings-private.h: what bounds.c and findings.c share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "findings.h"

G_BEGIN_DECLS

/* What an event keeps busy, as far as overlap goes. */
typedef enum
{
  MEMLANE_TRACE_ENGINE_UP,
  MEMLANE_TRACE_ENGINE_KERNEL,
  MEMLANE_TRACE_ENGINE_DOWN,
  MEMLANE_TRACE_ENGINE_NONE
} MemlaneTraceEngine;

MemlaneTraceEngine memlane_trace_engine_of (const MemlaneTraceEvent *event);

G_END_DECLS
