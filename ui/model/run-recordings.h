/* run-recordings.h: the recorded runs that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *path;
  char *title; /* "Recorded H200", "Recorded H200 · Copy to host" */
} MemlaneRecording;

void memlane_recording_free (MemlaneRecording *recording);

/* (transfer full) (element-type MemlaneRecording): by title; the vector addition, which the Runs list begins with, at the head. */
GPtrArray *memlane_recordings_list (void);
/* The first of them. (transfer full) (nullable) */
MemlaneRecording *memlane_recordings_find_first (void);

G_END_DECLS
