/* trace-item.h: a recorded trace in the window's list
 *
 * SPDX-License-Identifier: MIT
 *
 * GObject without GTK, main thread only; immutable but for its name and its trials.
 */
#pragma once

#include <gio/gio.h>

#include "memlane.h"

#define MEMLANE_TYPE_TRACE_ITEM (memlane_trace_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTraceItem, memlane_trace_item, MEMLANE, TRACE_ITEM, GObject)

/* Read the fields; set_name() writes the name. */
struct _MemlaneTraceItem
{
  GObject parent_instance;

  MemlaneTrace *trace; /* (owned) */
  char *name, *subtitle; /* subtitle: device, date, size */
  char *path;          /* (nullable): recorded here and not saved */
  char **words;        /* (owned) (nullable): the program that ran here for it, and its arguments */
  MemlaneTrial *trials[MEMLANE_N_CHANGES]; /* (owned) (nullable): of changes to that program */
};

/* @name NULL: made of what the trace says of itself, "Pinned · 2¹⁴"; for a file its name. Takes a
 * reference to @trace. */
MemlaneTraceItem *memlane_trace_item_new (MemlaneTrace *trace, const char *name, const char *path);
void memlane_trace_item_set_name (MemlaneTraceItem *self, const char *name);

/* The title of the mode of that id, the laboratory's included; NULL: no such mode, or @id is NULL.
 * (transfer none) */
const char *memlane_trace_item_get_mode_title (const char *id);
/* "Pinned · 2¹⁴", "Stream laboratory · breadth first · 2²⁰"; "" where the trace says nothing of it.
 * (transfer full) */
char *memlane_trace_item_describe (const MemlaneTrace *trace);
