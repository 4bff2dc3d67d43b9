/* trace-recordings.h: the recorded traces that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *path;
  char *mode;        /* its title: "Pinned" */
  char *title;       /* "H200 · 2¹⁴" */
  guint order, log2; /* of the mode in the registry, and of the size */
} MemlaneTraceRecording;

void memlane_trace_recording_free (MemlaneTraceRecording *recording);

/* (transfer full) (element-type MemlaneTraceRecording): recordings/traces/DEVICE-MODE-2pN.json of every data folder, by mode in the
 * registry's order, then by size. */
GPtrArray *memlane_trace_recordings_list (void);

G_END_DECLS
