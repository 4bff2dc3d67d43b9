/* recordings.h: the recorded runs and traces that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 *
 * Any thread.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *path;
  char *title;       /* "Recorded H200", "Recorded H200 · Copy to host"; of a trace "H200 · 2¹⁴" */
  char *mode;        /* of a trace, its title: "Pinned"; else NULL */
  guint order, log2; /* of the mode in the registry, and of the size */
} MemlaneRecording;

void memlane_recording_free (MemlaneRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRecording, memlane_recording_free)

/* (transfer full) (element-type MemlaneRecording): recordings/DEVICE-WORKLOAD.csv of every data
 * folder, by title; the default sweep, which the Runs list begins with, at the head. */
GPtrArray *memlane_recordings_list (void);
/* The first of them. (transfer full) (nullable) */
MemlaneRecording *memlane_recordings_find_first (void);
/* (transfer full) (element-type MemlaneRecording): recordings/traces/DEVICE-MODE-2pN.json of every
 * data folder, by mode in the registry's order, then by size. */
GPtrArray *memlane_trace_recordings_list (void);
