/* same-trace.h: whether two traces say the same: info, streams, lanes, events, names as text
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib/gstdio.h>
#include <string.h>

#include "trace/builder.h"
#include "trace/trace.h"

static gboolean
is_same_trace_info (const MemlaneTraceInfo *a, const MemlaneTraceInfo *b)
{
#define X(member) \
  if (g_strcmp0 (a->member, b->member) != 0) \
    return FALSE;
  MEMLANE_TRACE_INFO_TEXTS (X)
#undef X
#define X(member) \
  if (a->member != b->member) \
    return FALSE;
  MEMLANE_TRACE_INFO_NUMBERS (X) X (simulated) X (traced_ns) X (untraced_ns) X (notes->len)
#undef X
  for (guint i = 0; i < a->notes->len; i++)
    if (strcmp (a->notes->pdata[i], b->notes->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_same_trace (const MemlaneTrace *a, const MemlaneTrace *b)
{
  guint n, n_other;
  const MemlaneTraceEvent *events = memlane_trace_get_events (a, &n), *other_events = memlane_trace_get_events (b, &n_other);
  const MemlaneTraceStream *streams, *other_streams;
  const MemlaneTraceLane *lanes, *other_lanes;

  if (n != n_other || !is_same_trace_info (memlane_trace_get_info (a), memlane_trace_get_info (b)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *one = &events[i], *other = &other_events[i];

      if (one->start != other->start || one->duration != other->duration || one->bytes != other->bytes
          || one->correlation != other->correlation || one->stream != other->stream || one->count != other->count
          || one->lane != other->lane || one->kind != other->kind || one->way != other->way || one->source != other->source
          || one->destination != other->destination || one->flags != other->flags
          || strcmp (memlane_trace_get_name (a, one->name), memlane_trace_get_name (b, other->name)) != 0)
        return FALSE;
    }
  streams = memlane_trace_get_streams (a, &n);
  other_streams = memlane_trace_get_streams (b, &n_other);
  for (guint i = 0; i < n && n == n_other; i++)
    if (streams[i].number != other_streams[i].number || streams[i].is_default != other_streams[i].is_default
        || streams[i].non_blocking != other_streams[i].non_blocking || streams[i].priority != other_streams[i].priority)
      return FALSE;
  if (n != n_other)
    return FALSE;
  lanes = memlane_trace_get_lanes (a, &n);
  other_lanes = memlane_trace_get_lanes (b, &n_other);
  for (guint i = 0; i < n && n == n_other; i++)
    if (lanes[i].kind != other_lanes[i].kind || strcmp (lanes[i].title, other_lanes[i].title) != 0)
      return FALSE;
  return n == n_other;
}

/* The trace is written, read and written again: nothing is lost. */
static inline void
check_trip (const MemlaneTrace *trace)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL), *text = NULL, *again = NULL;
  g_autoptr (MemlaneTrace) back = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (memlane_trace_write_json (trace, path, &error));
  g_assert_no_error (error);
  back = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_same_trace (trace, back));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (memlane_trace_write_json (back, path, &error));
  g_assert_true (g_file_get_contents (path, &again, NULL, NULL));
  g_assert_cmpstr (text, ==, again);
  g_remove (path);
  g_rmdir (folder);
}
